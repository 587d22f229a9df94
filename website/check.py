"""Check a built site: `python -m website.check build/site`, as `make site` does.

Four things are wrong with a site: a link or an anchor without a target, a page that loads something
from another host, a page that shows signs of Markdown, and a page that reads differently than in
the repository. For the last, headings, tables, list items and code blocks of each page of docs/ are
counted, as the site shows them and as CommonMark reads the same page.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import html
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
_COUNTED = ("h1", "h2", "h3", "table", "tr", "li", "pre", "img", "blockquote")
_LOADED = {"script", "link", "img", "iframe", "source", "video", "audio", "embed", "object"}
# Text that is no code, and what is left of Markdown in it; 2**n is a power.
_PROSE = (
    "//article//text()[not(ancestor::pre or ancestor::code or ancestor::script or ancestor::style)]"
)
_RAW = re.compile(r"(?<![\w*])\*\*\w|[\w.:]\*\*(?![\w*])|`|\\[*<\[]|\]\(|-->")
_IN_STYLE = re.compile(r"(?:url\(|@import)\s*[\"']?(?=\w+:)(?!data:)([^\"')\s]+)")


def problems(site: Path, docs: Path) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong with a site made from a folder of pages."""
    trees = {path: html.parse(str(path)).getroot() for path in pages_of(site)}
    names = {path: anchors(tree) for path, tree in trees.items()}
    for path, tree in trees.items():
        place = path.relative_to(site).as_posix()
        for element, target in links(tree):
            wrong = _problem(element, target, path, names)
            if wrong:
                yield f"{place}: {wrong}"
        yield from (f"{place}: {wrong}" for wrong in raw_markdown(tree))
        source = docs / _source(place)
        if source.exists():
            yield from (f"{place}: {wrong}" for wrong in differences(tree, source))
    for path in sorted(site.rglob("*.css")):
        for address in _IN_STYLE.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(site).as_posix()}: loads {address}, which is elsewhere."


def pages_of(site: Path) -> list[Path]:
    """Return the HTML files of a site."""
    return sorted(site.rglob("*.html"))


# --- links ---------------------------------------------------------------------------------------


def anchors(tree: html.HtmlElement) -> set[str]:
    """Return what the links to a page can name after #."""
    return {"", "__skip", *tree.xpath("//@id"), *tree.xpath("//a/@name")}


def links(tree: html.HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield each element with a link and its target."""
    for element, _, target, _ in tree.iterlinks():
        name = str(element.tag)
        if name == "link" and element.get("rel") in ("canonical", "prev", "next", "alternate"):
            name = "a"
        yield name, target


def _problem(element: str, target: str, page: Path, names: dict[Path, set[str]]) -> str:
    parts = urlsplit(target)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        elsewhere = element in _LOADED or element == "style"
        return f"<{element}> loads {target}, which is elsewhere." if elsewhere else ""
    path = unquote(parts.path)
    if path.startswith("/"):
        return f"<{element}> leads to {target}: write a relative path, the site may be in a folder."
    file = (page.parent / path).resolve() if path else page
    if file.is_dir():
        file /= "index.html"
    if not file.exists():
        return f"<{element}> leads to {target}, which does not exist."
    if file in names and unquote(parts.fragment) not in names[file]:
        return f"<{element}> leads to {target}, which has no such anchor."
    return ""


# --- signs of Markdown ---------------------------------------------------------------------------


def raw_markdown(tree: html.HtmlElement) -> Iterator[str]:
    """Yield the texts outside of code that show stars, backticks, escapes, links or arrows."""
    for text in tree.xpath(_PROSE):
        found = _RAW.search(text)
        if found:
            start = max(found.start() - 20, 0)
            shown = " ".join(text[start : found.end() + 20].split())
            yield f"shows {found[0]!r} in {shown!r}: write it as Markdown reads it, or as code."


# --- the same in the repository ------------------------------------------------------------------


def _source(place: str) -> str:
    """Return the page of docs/ that a file of the site is made from."""
    folder, _, name = place.rpartition("/")
    own = "README" if name == "index.html" and folder else name.removesuffix(".html")
    return f"{folder}/{own}.md" if folder else f"{own}.md"


def differences(tree: html.HtmlElement, source: Path) -> Iterator[str]:
    """Yield what is on a page of the site more or less often than in its source."""
    text = re.sub(r"^```mermaid.*?^```$", "", source.read_text(encoding="utf-8"), flags=re.S | re.M)
    read = MarkdownIt("commonmark").enable("table").render(text)
    expected = _counts(html.fromstring(f"<main>{read}</main>"))
    (article,) = tree.xpath("//article")
    for name, number in _counts(article).items():
        if number != expected[name]:
            yield (
                f"{number} <{name}> in the site, {expected[name]} in the repository: write "
                f"{source.name} so that both read it alike (a blank line before a list, four "
                f"spaces for what is inside of an item)."
            )


def _counts(tree: html.HtmlElement) -> dict[str, int]:
    found = Counter(str(element.tag) for element in tree.iter())
    return {name: found[name] for name in _COUNTED}


def main() -> int:
    """Print the problems of the site that the command names; return 1 if there are some."""
    site = Path(sys.argv[1]).resolve()
    found = list(problems(site, ROOT / "docs"))
    for problem in found:
        print(problem)
    pages = len(pages_of(site))
    print(f"{pages} pages, {len(found)} problems")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
