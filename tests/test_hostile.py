"""Hostile pages: always a result and a status, bounded memory, time linear in the input."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import thresher
from tests.growth import assert_linear
from tests.pages import check_nesting
from thresher import methods, parse

# n counts tags, attributes or bytes. Each page takes 10 ms or more with its n.
PAGES = {
    "nested div": (10_000, lambda n: "<div>" * n + "deep"),
    "nested div, closed": (9_500, lambda n: "<div>" * n + "deep" + "</div>" * n),
    "sibling p": (2_000, lambda n: "<p>some words here</p>" * n),
    "unclosed p": (3_500, lambda n: "<p>some words here" * n),
    "table rows": (1_500, lambda n: "<table>" + "<tr><td>one<td>two</tr>" * n + "</table>"),
    "table cells": (3_500, lambda n: "<table><tr>" + "<td>one" * n + "</table>"),
    "nested tables": (2_500, lambda n: "<table><tr><td>x" * n),
    "text in tables": (10_000, lambda n: "<table>" + "moved<tr>" * n),
    "one text": (100_000, lambda n: "<p>" + "words " * n),
    "one word": (500_000, lambda n: "<p>" + "w" * n),
    "attributes": (25_000, lambda n: "<p " + " ".join(f"a{i}=b" for i in range(n)) + ">x"),
    "same attribute": (100_000, lambda n: "<p " + "a=b " * n + ">x"),
    "classes": (50_000, lambda n: '<p class="' + " ".join(f"c{i}" for i in range(n)) + '">x'),
    "NUL": (150_000, lambda n: "<p>" + "\0" * n + "x"),
    "NUL in tags": (5_000, lambda n: "<p\0>x\0" * n),
    "less than": (125_000, lambda n: "<" * n),
    "less than, words": (50_000, lambda n: "a < b " * n),
    "unclosed everything": (2_000, lambda n: "<p><b><i><a><table><tr>" * n),
    "unclosed formatting": (1_000, lambda n: "<p><b><i><a>x" * n),
    "misnested formatting": (3_000, lambda n: "<b>" * n + "<p>x</b>" * n),
    "adoption agency": (3_000, lambda n: "<b><div>x" * n + "</b>" * n),
    "misnested links": (3_000, lambda n: "<a href=x><div>x" * n),
    "comments": (5_000, lambda n: "<!-- c -->x" * n),
    "comment starts": (200_000, lambda n: "<p>x" + "<!--" * n),
    "comment ends": (100_000, lambda n: "<p>x" + "-->" * n),
    "scripts": (2_500, lambda n: "<script>x</script>y" * n),
    "unclosed scripts": (50_000, lambda n: "<p>x" + "<script>" * n),
    "script escapes": (50_000, lambda n: "<p>x<script>" + "<!--<script>" * n),
    "entities": (30_000, lambda n: "<p>" + "&amp;&lt;&#x41; " * n),
    "broken entities": (20_000, lambda n: "<p>" + "&#;&x;&#xfffffff; " * n),
    "stray end tags": (15_000, lambda n: "<p>x" + "</div></b></p>" * n),
    "stray end tags, nested": (5_000, lambda n: "<div>" * n + "x" + "</span>" * n),
    "unclosed quotes": (50_000, lambda n: 'x<a x="' * n),
    "mixed quotes": (4_500, lambda n: "<a x='\"' y=\"'\">x</a>" * n),
    "odd quotes": (3_500, lambda n: "<p a'b\">x" * n),
    "distinct names": (4_500, lambda n: "".join(f"<x-{i}>y</x-{i}>" for i in range(n))),
    "options": (4_500, lambda n: "<select>" + "<option>x" * n),
    "selects": (3_500, lambda n: "<select><option>x</select>" * n),
    "iframes": (4_000, lambda n: "<iframe src=x></iframe>y" * n),
    "unclosed iframes": (45_000, lambda n: "x" + "<iframe>" * n),
    "textareas": (5_000, lambda n: "<textarea><p>x</textarea>" * n),
    "CDATA": (30_000, lambda n: "<svg>" + "<![CDATA[x]]>" * n),
    "CDATA ends": (300_000, lambda n: "<svg>" + "]]>" * n),
    "svg": (4_000, lambda n: "<svg><g>x" * n),
    "math": (2_500, lambda n: "<math><mi>x" * n),
    "templates": (5_000, lambda n: "<template>x" * n),
    "nested lists": (1_500, lambda n: "<ul><li>x" * n),
    "ordered list": (2_000, lambda n: "<ol>" + "<li value=7>x" * n),
    "breaks": (6_000, lambda n: "<p>" + "x<br>" * n),
    "blank lines": (500_000, lambda n: "<p>x" + "\n" * n + "y"),
    "spans": (5_000, lambda n: "<p>" + "<span>x</span>" * n),
    "headings": (4_500, lambda n: "<title>x</title>" + "<h1>x</h1>" * n),
    "bases": (10_000, lambda n: "<base target=x>" * n + "<p>x"),
    "hidden": (5_000, lambda n: "<p hidden style='display:none'>x</p>" * n),
    "forms and buttons": (5_000, lambda n: "<form><button>x" * n),
    "processing instructions": (6_000, lambda n: "<?php x ?>y" * n),
    "doctypes": (30_000, lambda n: "<!DOCTYPE html>y" * n),
    "rubies": (2_500, lambda n: "<ruby>x<rt>y<rp>z" * n),
    "definition lists": (3_000, lambda n: "<dl>" + "<dt>x<dd>y" * n),
    "astral": (100_000, lambda n: "<p>" + "🍵 " * n),
    "frames": (10_000, lambda n: "<frameset>" + "<frame>" * n),
}  # fmt: skip


def work(source: str | bytes) -> thresher.Page:
    """Parse a page and extract its text with every method."""
    page = parse(source)
    for name in methods.names():
        document = thresher.extract(page, method=name)
        assert isinstance(document.text, str)
        assert document.status
    return page


# --- results -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("n", [1, 2, 700])
def test_every_method_and_format_gives_a_result(name, n):
    page = work(PAGES[name][1](n))
    check_nesting(page)
    document = thresher.extract(page, method="plain")
    for form in ("markdown", "html", "tei", "speech", "json"):
        assert isinstance(document.render(form), str)
    assert len(page.markup) == len(page.row_offsets) == len(page)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_bytes_cut_anywhere_give_a_result(name):
    data = PAGES[name][1](40).encode("utf-8", "surrogatepass")
    for cut in range(1, len(data), max(1, len(data) // 12)):
        assert work(data[:cut]).status


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["", " type=math/tex", " type=application/ld+json"])
@pytest.mark.parametrize("outer", ["svg", "math"])
@pytest.mark.parametrize("more", [0, 20])
def test_scripts_may_begin_with_elements(outer, kind, more):
    script = f"<{outer}><script{kind}><g></g>a</script></{outer}>"
    page = script + "<p>Hello there my friend, this is tea of the garden.</p>" * (1 + more)
    for method in (None, "plain"):
        document = thresher.extract(page, method=method)
        assert "tea of the garden" in document.text
        assert "tea of the garden" in document.json()


def test_names_past_the_largest_tag_number_share_it():
    page = work("".join(f"<x-{i}>y</x-{i}>" for i in range(70_000)))
    check_nesting(page)
    assert page.tag.max() == 65_535
    assert len(page.names) == 65_536
    assert page.words.sum() == 70_000


# --- growth --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_time_is_linear(name):
    n, make = PAGES[name]
    assert_linear(work, make, n)


def test_quadratic_time_is_noticed():
    def quadratic(size):
        return sum(1 for _ in range(size) for _ in range(size // 100))

    with pytest.raises(pytest.fail.Exception, match="times the input"):
        assert_linear(quadratic, lambda n: n, 500)


RENDERED = {
    "paragraphs": lambda n: "<p>some words here</p>" * n,
    "nested div": lambda n: "<div>" * n + "deep",
    "table rows": lambda n: "<table>" + "<tr><td>one<td>two</tr>" * n + "</table>",
    "wide table": lambda n: "<table><tr>" + "<td>one" * n + "</table>",
    "spans of cells": lambda n: "<table>" + "<tr><td rowspan=65534 colspan=1000>one<td>two" * n,
    "lists": lambda n: "<ul>" + "<li>x" * n,
    "nested lists": lambda n: "<ol><li>x" * n,
    "nested quotes": lambda n: "<blockquote>x" * n,
    "links and images": lambda n: "<p>" + "<a href=x>y</a> <img src=z>" * n,
    "formatting": lambda n: "<p>" + "<b>x</b> <i>y</i> " * n,
    "unclosed formatting": lambda n: "<p><b><i><a href=x>x" * (n // 4),
    "code": lambda n: "<pre><code class=language-x>y\n</code></pre>" * n,
    "ticks": lambda n: "<p>x<code>" + "`" * n + "</code>" + "*_`[]()#" * n,
    "footnotes": lambda n: (
        "".join(f"<p>x<sup><a href=#f{i} id=r{i}>{i}</a></sup>" for i in range(n))
        + "<ol>" + "".join(f"<li id=f{i}>note <a href=#r{i}>^</a>" for i in range(n))
    ),
    "formulas": lambda n: "<p>x" + "<math><mi>y</mi></math>" * n,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("form", ["markdown", "html", "tei", "speech"])
@pytest.mark.parametrize("name", RENDERED)
def test_rendering_is_linear(name, form):
    def documents(n):
        return thresher.extract(RENDERED[name](n), method="plain")

    assert_linear(lambda document: document.render(form), documents, 1_500)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["paragraphs", "table rows", "lists", "links and images", "code"])
def test_json_is_linear(name):
    def render(source):
        return thresher.extract(source, method="plain").render("json")

    assert_linear(render, RENDERED[name], 1_500)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["sibling p", "table rows", "nested lists", "unclosed everything", "odd quotes"]
)
def test_positions_and_markup_are_linear(name):
    def act(source):
        page = parse(source)
        return page.row_offsets, page.markup, page.only(page.where(page.words > 0)).source

    assert_linear(act, PAGES[name][1], 1_500)


# --- large pages ---------------------------------------------------------------------------------

LARGE = {
    "nested div": (140_000, "flattened at 512 levels"),
    "sibling p": (70_000, "complete"),
    "table rows": (29_000, "complete"),
    "one word": (10_000_000, "complete"),
    "one text": (1_666_666, "complete"),
    "attributes": (100_000, "complete"),
    "classes": (50_000, "complete"),
    "less than": (500_000, "complete"),
    "NUL": (5_000_000, None),
    "unclosed everything": (30_000, None),
    "distinct names": (70_000, "complete"),
    "comments": (70_000, "complete"),
    "nested tables": (50_000, None),
    "adoption agency": (100_000, None),
}
MEMORY = 1_500_000_000  # bytes, the interpreter and NumPy included
SECONDS = 600  # a page that is not linear takes hours

SCRIPT = """
import json, resource, sys
sys.path.insert(0, sys.argv[1])
from tests.test_hostile import PAGES, work
page = work(PAGES[sys.argv[2]][1](int(sys.argv[3])))
try:  # on Linux, ru_maxrss also counts the process that started this one
    with open("/proc/self/status") as status:
        memory = next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))
except OSError:
    kilo = 1 if sys.platform == "darwin" else 1024
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * kilo
print(json.dumps({"status": page.status, "rows": len(page), "memory": memory}))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_large_pages(name):
    n, status = LARGE[name]
    command = [sys.executable, "-c", SCRIPT, str(Path(__file__).parents[1]), name, str(n)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["status"]
    assert status in (None, result["status"])
    assert result["rows"] > 0
    assert result["memory"] < MEMORY


@pytest.mark.slow
def test_past_the_limit_of_rows():
    page = parse("<p>x" * 300_000)
    assert thresher.extract(page).text
    assert page.status == "cut at 200,000 rows"
    assert len(page) == 200_000


@pytest.mark.slow
def test_past_the_limit_of_bytes():
    page = parse(b"<p>" + b"word " * 7_000_000)
    assert thresher.extract(page).text
    assert page.status == "cut at 32,000,000 bytes"
