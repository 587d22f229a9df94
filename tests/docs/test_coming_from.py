"""docs/coming-from.md: the right side of each row works, the left side uses existing names.

The names of the other tools were taken from trafilatura 2.3.1, readability-lxml 0.9, resiliparse
1.1.0 and newspaper4k 0.9.6; the tools need not be installed.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import thresher
import thresher.metadata.headline
from thresher import Document, Page

PAGE = Path(__file__).parents[2] / "docs" / "coming-from.md"
ADDRESS = "https://kettle.example/tea"
BODY = "".join(
    f"<p>Warm the pot first, then put in {n} spoons of <a href='/leaves'>leaves</a> for every cup, "
    "and one more for the pot itself, as my aunt always said when the water was off the boil.</p>"
    for n in range(8)
)
HTML = f"""<html lang="en"><head><title>Making tea | The Kettle</title>
<meta property="og:type" content="article"><meta property="og:site_name" content="The Kettle">
<meta name="author" content="Ada Lovelace"><meta name="description" content="Tea, made slowly.">
<meta name="keywords" content="tea, pots"><meta property="og:image" content="/pot.jpg">
<meta property="article:published_time" content="2024-05-03">
<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">
<link rel="canonical" href="{ADDRESS}"></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<article><h1>Making tea</h1><p class="byline">By Ada · <time>3 May 2024</time></p>{BODY}
<table><tr><th>Kind</th><th>Minutes</th></tr><tr><td>Green tea that is young</td><td>2</td></tr>
<tr><td>Black tea from the hills</td><td>4</td></tr></table>
<p>That is all there is to <img src="cup.jpg" alt="a cup"> it, and the rest is patience and a cup
that you like, which no book can choose for you.</p></article>
<form><label>Search the kettle</label></form><p hidden>Turn on the scripts.</p>
<ol class="commentlist">{
    "".join(
        f'<li class="comment" id="comment-{n}"><cite class="fn">Bo</cite> <time datetime="2024-05-0'
        f'{n}">then</time><p>Mine is silent since I turned down flame number {n}.</p></li>'
        for n in (4, 5, 6)
    )
}</ol><footer>© The Kettle</footer></body></html>"""


def is_main(text: str) -> bool:
    return text.count("Warm the pot") == 8 and "Home" not in text and "©" not in text


def is_json(text: str) -> bool:
    return is_data(json.loads(text))


def is_data(data: dict[str, Any]) -> bool:
    about = (data["title"], data["authors"], data["date"], data["site"])
    return about == ("Making tea", ["Ada Lovelace"], "2024-05-03", "The Kettle") and is_main(
        data["text"]
    )


def is_document(found: object) -> bool:
    return isinstance(found, Document) and found.url == ADDRESS and is_main(found.text)


# A check of the result of the right side of each row.
CHECKS: dict[str, Callable[[Any], bool]] = {
    "document.text": is_main,
    "thresher.extract(html, url=address).text": is_main,
    "document.markdown()": lambda text: (
        is_main(text) and "](https://kettle.example/leaves)" in text
    ),
    "document.html()": lambda text: is_main(text) and text.startswith("<article>"),
    "document.json()": is_json,
    "document.tei()": lambda text: is_main(text) and "<author>Ada Lovelace</author>" in text,
    'thresher.extract(html, favor="precision").text': lambda text: (
        is_main(text) and "By Ada" not in text
    ),
    'thresher.extract(html, favor="recall").text': lambda text: text.count("Warm the pot") == 8,
    'document.render("text", thresher.Include(comments=False))': lambda text: (
        is_main(text) and "Mine is silent" not in text
    ),
    'document.render("text", thresher.Include(tables=False))': lambda text: (
        is_main(text) and "Green tea" not in text
    ),
    'document.render("text", thresher.Include(metadata=True))': lambda text: (
        is_main(text) and text.startswith("Title: Making tea\nAuthors: Ada Lovelace\n")
    ),
    "document.markdown(thresher.Include(links=True))": lambda text: "](https://" in text,
    "document.markdown(thresher.Include(images=False))": lambda text: "![" not in text,
    "document.to_dict()": is_data,
    'thresher.extract(html, method="bte").text': lambda text: text.count("Warm the pot") == 8,
    "document.title": "Making tea".__eq__,
    "document.authors": ("Ada Lovelace",).__eq__,
    "document.date": "2024-05-03".__eq__,
    "document.site": "The Kettle".__eq__,
    "document.metadata.description.value": "Tea, made slowly.".__eq__,
    "document.metadata.excerpt.value": "Tea, made slowly.".__eq__,
    "document.metadata.tags.value": ("tea", "pots").__eq__,
    "document.metadata.image.value": "https://kettle.example/pot.jpg".__eq__,
    "document.metadata.licence.value": "https://creativecommons.org/licenses/by/4.0/".__eq__,
    "document.metadata.canonical.value": ADDRESS.__eq__,
    "document.language": "en".__eq__,
    "document.kind": "article".__eq__,
    "document.readable": lambda found: found is True,
    "[post.text for post in document.threads.posts]": lambda texts: (
        len(texts) == 3 and "flame number 5" in texts[1]
    ),
    'thresher.extract(html, method="plain").text': lambda text: (
        "Home" in text and "© The Kettle" in text
    ),
    "thresher.parse(html)": lambda page: isinstance(page, Page) and page.status == "complete",
    "thresher.parse(data, charset=encoding)": lambda page: page.charset == "utf-8",
    "thresher.parse(data).charset": "utf-8".__eq__,
    "thresher.fetch": callable,
    "thresher.metadata.headline.title(document.page).text": "Making tea | The Kettle".__eq__,
    "document.page.source": HTML.__eq__,
    "thresher.extract(html, url=address)": is_document,
    'thresher.extract(html, favor="recall")': lambda found: is_main(found.text),
    'document.select(["main", "meta"]).text': lambda text: (
        is_main(text) and "By Ada · 3 May 2024" in text
    ),
    'document.select(["main", "form"]).text': lambda text: "Search the kettle" in text,
    'document.select(["main", "hidden"]).text': lambda text: "Turn on the scripts." in text,
}

# The functions, attributes and options of these tools that the page uses.
NAMES = {
    "trafilatura": "extract bare_extraction extract_metadata html2txt load_html fetch_url "
    "url output_format favor_precision favor_recall include_comments include_tables include_links "
    "include_images with_metadata fast title author date sitename description tags image license "
    "language pagetype comments",
    "readability": "Document summary html_partial title short_title author content url "
    "retry_length",
    "resiliparse": "extract_plain_text main_content comments preserve_formatting links post_meta "
    "form_fields hidden_elements HTMLTree parse parse_from_bytes title detect_encoding",
    "newspaper": "Article download input_html parse article text article_html title authors "
    "publish_date top_image meta_description meta_keywords meta_lang meta_site_name canonical_link "
    "summary is_valid_body to_json",
}

ROWS = [
    (tool, *row)
    for tool, table in re.findall(
        r"^\| (\w+) \| thresher \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE.read_text("utf-8"), re.M
    )
    for row in re.findall(r"^\| `(.*?)` \| `(.*?)` \|$", table, re.M)
]


def test_all_rows_are_read():
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert len(ROWS) == len(lines)
    assert {tool for tool, _, _ in ROWS} == set(NAMES)
    assert {ours for _, _, ours in ROWS} == set(CHECKS)


@pytest.mark.parametrize("ours", CHECKS)
def test_our_side(ours):
    given = {"html": HTML, "address": ADDRESS, "data": HTML.encode(), "encoding": "utf-8"}
    given |= {"thresher": thresher, "document": thresher.extract(HTML, url=ADDRESS)}
    found = eval(ours, given)
    assert CHECKS[ours](found) is True, found


@pytest.mark.parametrize(("tool", "theirs"), [row[:2] for row in ROWS])
def test_their_side_uses_existing_names(tool, theirs):
    known = set(NAMES[tool].split())
    given = {"html", "address", "data", "encoding"}
    for node in ast.walk(ast.parse(theirs, mode="eval")):
        if isinstance(node, ast.Name):
            assert node.id in known | given
        elif isinstance(node, ast.Attribute):
            assert node.attr in known
        elif isinstance(node, ast.keyword):
            assert node.arg in known
