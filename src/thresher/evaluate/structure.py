"""Scores of structure: headings, items, code, quotes, cells, links and images of an extraction.

Gold is the HTML or Markdown that is expected of a page. A tool is scored in every form that it
writes; Markdown is read as GitHub Markdown (CommonMark with tables and footnotes), so what no
reader of Markdown recognises, such as a table without its line of dashes, is not found.

Elements. Texts are compared as `thresher.evaluate.scores.tokens`: words in order, without case,
punctuation and white space.

    headings   h1 to h6: the words, and the level
    items      li: the words, without those of lists inside it; also footnotes of Markdown, and
               elements with the role `doc-footnote` or the `data-type` footnote (HTMLBook)
    code       pre: words, signs, and line breaks with the indentation after them
    quotes     blockquote: the words
    cells      td and th: the words, without those of tables inside it; whether it is a head or
               not, and its place in the table, do not count
    links      a with href: the address and the words
    images     img: the file name

Elements without words are left out (but for images, and links around an image), as are elements of
one kind inside another (but for items, cells and links).

Addresses are compared without scheme, `www.`, fragment and final slash, in plain characters. Those
on the page's own host, and on hosts that its source does not name, are compared without host:
relative addresses are resolved against a real or an invented base, or not at all. An image is the
file name of its address, so that another size of the same image is the same, or the address with
its query where that has no file name. Left out are links to a place on the same page and to
scripts, and images inside of addresses (`data:`), which are mostly placeholders: readers differ in
whether they keep them.

The headline is no element. The readers whose pages are measured return it apart from the content,
and other tools return it as a heading. A heading is the headline if its words are those of the
given title, of the page's only `h1`, or the beginning or end of its `title` or `og:title`.

Matching. Each element is matched with at most one gold element: first those that are equal, then,
in order, those whose addresses are equal and whose tokens are similar, with 2 k / (m + n) >= 0.9
for m and n tokens with a longest common subsequence of k. Headings are matched by words; then a
match counts if the levels of both, each less the level of the first match, are the same: readers
begin at other levels. `h1` counts as level 2: both readers write it so, as the headline is level 1.

Metrics. With k matches, precision is k / elements found, recall k / gold elements, F1 their
harmonic mean. The mean of a kind is over the pages whose gold has such elements. Elements found on
other pages are counted too (`elsewhere`): they are in no mean.
"""

from __future__ import annotations

import csv
import io
import json
import re
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args
from urllib.parse import unquote, urljoin, urlsplit

import numpy as np

from thresher.document import extract
from thresher.errors import InputError
from thresher.evaluate import corpora, peers
from thresher.evaluate.results import Mean, mean
from thresher.evaluate.scores import Score, score_counts, tokens
from thresher.page.decode import decode
from thresher.page.parse import parse

Kind: TypeAlias = Literal["headings", "items", "code", "quotes", "cells", "links", "images"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_SIMILAR = 0.9  # of tokens: one word in ten may be another, or one in five be missing


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a page as it is compared."""

    words: tuple[str, ...] = ()
    address: str = ""  # of a link or an image
    level: int = field(default=0, compare=False)  # of a heading


Elements: TypeAlias = dict[Kind, list[Element]]


# --- reading -------------------------------------------------------------------------------------


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


_NOTE = re.compile(r"^\[\^[^\]\n]{1,100}\]:[ \t]*", re.M)
_REFERENCE = re.compile(r"\[\^[^\]\n]{1,100}\]")


_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_MOST_INDENT = 4  # of an item below the item in the line before; more would be no item


def markdown_to_html(text: str) -> str:
    """Return GitHub Markdown as HTML; footnotes are items of a list, references to them go.

    An item that is indented too far below another one is an item too.
    """
    plain = _REFERENCE.sub("", _NOTE.sub("- ", text))
    html: str = _markdown().render("\n".join(_less_indented(plain.split("\n"))))
    return html


def _less_indented(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a Markdown text, with items in the reach of the item before."""
    last: int | None = None  # the indentation of the item in the line before
    shift = 0  # of the items that follow one that was moved
    in_fence = False
    for line in lines:
        in_fence ^= _FENCE.match(line) is not None
        item = None if in_fence else _ITEM.match(line)
        if item is None:
            last, shift = None, 0
            yield line
            continue
        given = len(item[1].expandtabs(4))
        indent = max(given - shift, 0)
        if last is not None and indent > last + _MOST_INDENT:
            shift = given - last - _MOST_INDENT
            indent = last + _MOST_INDENT
        elif given <= (last or 0):
            shift, indent = 0, given
        last = indent
        yield f"{' ' * indent}{line[item.end(1) :]}" if indent < given else line


_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math q s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
_UNSHOWN = frozenset(("script", "style", "template"))


class Source:
    """A page that elements were extracted from: what decides how they are compared."""

    def __init__(self, html: str, url: str = "", title: str = "") -> None:
        walk = _Walk(html)
        titles = [*map(walk.text, walk.rows("title")[:1]), *walk.contents("og:title")]
        canonical = [
            attributes.get("href") or ""
            for attributes in map(walk.page.attributes, walk.rows("link"))
            if attributes.get("rel") == "canonical"
        ]
        declared = [each for each in (url, *canonical, *walk.contents("og:url")) if "//" in each]
        self.url = declared[0] if declared else url
        own = {_host(each) for each in declared}
        self._hosts = set(map(_host, _HOST.findall(html.lower()))) - own
        headings = walk.rows("h1")
        whole = [title, *(walk.text(row) for row in headings if len(headings) == 1)]
        self._headlines = {tuple(tokens(text)) for text in whole}
        self._titles = [tuple(tokens(text)) for text in titles]

    def is_headline(self, words: tuple[str, ...]) -> bool:
        """Return whether these are the words of the headline."""
        size = len(words)
        return words in self._headlines or any(
            words in (title[:size], title[-size:]) for title in self._titles
        )

    def address(self, href: str) -> str:
        """Return an address as it is compared, with its query; "" for a place on the page."""
        href = href.strip()
        try:
            parts = urlsplit(urljoin(self.url, href))
        except ValueError:
            return href
        if parts.scheme not in ("http", "https", ""):
            return "" if parts.scheme in ("javascript", "data") else unquote(href)
        place = href.partition("#")
        if place[1] and (not place[0] or self.address(place[0]) == self.address(self.url)):
            return ""
        host = _host(f"//{parts.netloc}")
        shown = host if host in self._hosts else ""
        query = f"?{parts.query}" if parts.query else ""
        return unquote(f"{shown}{parts.path.rstrip('/')}{query}") or "/"

    def image(self, src: str) -> str:
        """Return the file name of an image, or its address where that has none."""
        whole = self.address(src)
        name = whole.partition("?")[0].rpartition("/")[2]
        return name if "." in name else whole


_HOST = re.compile(r"//[\w.:-]+")


def _host(url: str) -> str:
    return url.partition("//")[2].partition("/")[0].lower().removeprefix("www.")


class _Walk:
    """The names, ends and texts of a page's rows."""

    def __init__(self, html: str) -> None:
        self.page = page = parse(html)
        self.names = [page.name(row) if page.tag[row] else "" for row in range(len(page))]
        self.ends: list[int] = page.end.tolist()
        blocks = np.array([name not in _INLINE and name != "" for name in self.names], np.bool_)
        self.is_border = np.zeros(len(page) + 1, np.bool_)  # words on its two sides are apart
        self.is_border[:-1] |= blocks
        self.is_border[page.end[blocks]] = True

    def rows(self, name: str) -> list[int]:
        """Return the rows of all elements of a name."""
        return [row for row, own in enumerate(self.names) if own == name]

    def contents(self, name: str) -> list[str]:
        """Return the contents of the `meta` elements with this property."""
        found = map(self.page.attributes, self.rows("meta"))
        return [each.get("content") or "" for each in found if each.get("property") == name]

    def text(self, row: int, without: Sequence[str] = ()) -> str:
        """Return the text inside a row, without that of some elements inside it."""
        pieces = []
        at, end = row, self.ends[row]
        while at < end:
            if self.is_border[at]:
                pieces.append(" ")
            name = self.names[at]
            if name in _UNSHOWN or (name in without and at > row):
                at = self.ends[at]
                continue
            if not name:
                pieces.append(self.page.text(at))
            at += 1
        return "".join(pieces)


class _Reader(_Walk):
    """The elements of a page by kind, in its order."""

    def __init__(self, html: str, source: Source) -> None:
        super().__init__(html)
        self.source = source
        self.found: Elements = {kind: [] for kind in KINDS}

    def read(self) -> Elements:
        outer: dict[str, int] = {}  # the end of the last element of a kind
        readers: dict[str, Callable[[int], None]] = {
            "li": lambda row: self._add_words("items", row, ("ul", "ol")),
            "td": lambda row: self._add_words("cells", row, ("table",)),
            "th": lambda row: self._add_words("cells", row, ("table",)),
            "blockquote": lambda row: self._add_words("quotes", row),
            "pre": self._add_code,
            "a": self._add_link,
            "img": self._add_image,
            **dict.fromkeys(("aside", "div", "p"), self._add_note),
            **dict.fromkeys((f"h{level}" for level in range(1, 7)), self._add_heading),
        }
        for row, name in enumerate(self.names):
            if name not in readers or row < outer.get(name, 0):
                continue
            if name in ("blockquote", "pre"):
                outer[name] = self.ends[row]
            readers[name](row)
        return self.found

    def _words(self, row: int, without: Sequence[str] = ()) -> tuple[str, ...]:
        return tuple(tokens(self.text(row, without)))

    def _add_words(self, kind: Kind, row: int, without: Sequence[str] = ()) -> None:
        if words := self._words(row, without):
            self.found[kind].append(Element(words))

    def _add_note(self, row: int) -> None:
        attributes = self.page.attributes(row)
        is_note = attributes.get("role") == "doc-footnote"
        is_note |= attributes.get("data-type") == "footnote"
        if is_note and self.names[int(self.page.parent[row])] != "li":
            self._add_words("items", row, ("ul", "ol"))

    def _add_heading(self, row: int) -> None:
        if words := self._words(row):
            level = max(int(self.names[row][1]), 2)
            self.found["headings"].append(Element(words, level=level))

    def _add_code(self, row: int) -> None:
        rows = range(row, self.ends[row])
        breaks = {"br": "\n"}
        text = "".join(
            breaks.get(self.names[at], "") if self.names[at] else self.page.text(at) for at in rows
        )
        if words := code_tokens(text):
            self.found["code"].append(Element(words))

    def _add_link(self, row: int) -> None:
        href = self.page.attributes(row).get("href")
        if href and (address := self.source.address(href)):
            self.found["links"].append(Element(self._words(row), address))

    def _add_image(self, row: int) -> None:
        attributes = self.page.attributes(row)
        src = attributes.get("src") or (attributes.get("srcset") or "").strip().split(" ")[0]
        if src and (address := self.source.image(src)):
            self.found["images"].append(Element((), address))


def elements(html: str, source: Source | None = None) -> Elements:
    """Return the elements of an extraction by kind, without the headline of its source."""
    source = source or Source("")
    found = _Reader(html, source).read()
    headings = found["headings"]
    found["headings"] = [each for each in headings if not source.is_headline(each.words)]
    return found


_CODE = re.compile(r"\n *|\w+|[^\w\s]")


def code_tokens(text: str) -> tuple[str, ...]:
    """Return words, signs, and line breaks with the indentation after them.

    Empty lines, and the indentation that all lines have, are left out.
    """
    lines = [line.rstrip() for line in text.expandtabs(4).splitlines()]
    code = textwrap.dedent("\n".join(filter(None, lines)))
    return tuple(_CODE.findall(code))


# --- scores --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of elements of one kind on one page: in common, found, and in the gold."""

    common: int
    found: int
    gold: int

    @property
    def score(self) -> Score:
        """Precision, recall and F1."""
        return score_counts(self.common, self.found, self.gold)


def matches(found: Sequence[Element], gold: Sequence[Element]) -> list[tuple[int, int]]:
    """Return pairs of indices of elements that match, in the order of `found`."""
    left: dict[Element, list[int]] = defaultdict(list)
    for number, element in enumerate(gold):
        left[element].append(number)
    pairs, open_found = [], []
    for number, element in enumerate(found):
        if left[element]:
            pairs.append((number, left[element].pop(0)))
        else:
            open_found.append(number)
    open_gold: dict[str, list[int]] = defaultdict(list)
    for number in sorted(number for numbers in left.values() for number in numbers):
        open_gold[gold[number].address].append(number)
    for number in open_found:
        near = open_gold[found[number].address]
        twin = next((each for each in near if _similar(found[number], gold[each])), None)
        if twin is not None:
            near.remove(twin)
            pairs.append((number, twin))
    return sorted(pairs)


def _similar(one: Element, other: Element) -> bool:
    from rapidfuzz.distance import Indel

    similarity = Indel.normalized_similarity(one.words, other.words, score_cutoff=_SIMILAR)
    return similarity >= _SIMILAR


def common_elements(found: Sequence[Element], gold: Sequence[Element]) -> list[tuple[int, int]]:
    """Return the matches whose level, less that of the first match, is the same in both."""
    pairs = matches(found, gold)
    shifts = [found[one].level - gold[other].level for one, other in pairs]
    return [pair for pair, shift in zip(pairs, shifts, strict=True) if shift == shifts[0]]


def compare(found: Elements, gold: Elements) -> dict[Kind, Counts]:
    """Return the numbers of elements of each kind."""
    return {
        kind: Counts(
            len(common_elements(found[kind], gold[kind])), len(found[kind]), len(gold[kind])
        )
        for kind in KINDS
    }


# --- corpora -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StructurePage:
    """A page with the HTML that is expected of it."""

    id: str
    html: str
    gold: str  # HTML
    url: str = ""
    title: str = ""


# The tests of Readability give every page this address, so links of their gold are relative to it.
_READABILITY_URL = "http://fakehost/test/page.html"
_DEFUDDLE_URL = re.compile(r'\A\s*<!--\s*\{\s*"url":\s*"([^"]+)"')  # its tests begin so

_METADATA = re.compile(r"\A```json\n(.*?)\n```\n", re.S)


def read(path: Path, limit: int | None = None) -> Iterator[StructurePage]:
    """Read at most `limit` pages: records with `html`, and `gold_html` or `gold_markdown`.

    A block of JSON at the beginning of Markdown is metadata; of it the title is used.
    """
    for row in islice(corpora.records(path), limit):
        html, gold, markdown = (row.get(n) for n in ("html", "gold_html", "gold_markdown"))
        title = row.get("title") or ""
        if gold is None and isinstance(markdown, str):
            metadata = _METADATA.match(markdown)
            if metadata:
                title = json.loads(metadata[1]).get("title") or title
            gold = markdown_to_html(markdown[metadata.end() if metadata else 0 :])
        if not isinstance(html, str | bytes) or not isinstance(gold, str):
            raise InputError(f"{path}: page {row['id']} lacks html, or gold_html or gold_markdown.")
        text = html if isinstance(html, str) else decode(html)[0]
        yield StructurePage(str(row["id"]), text, gold, _url(row, text), title)


def _url(row: dict[str, Any], html: str) -> str:
    """Return the address that the links of a page's gold are relative to, "" if none is known."""
    if row.get("source") == "mozilla-readability":
        return _READABILITY_URL
    noted = _DEFUDDLE_URL.match(html)
    return row.get("url") or (noted[1] if noted else "")


# --- the run -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StructureResult:
    """The counts of one tool in one form on one page."""

    corpus: str
    page: str  # its id
    tool: str
    form: peers.Form
    counts: dict[Kind, Counts]
    error: str = ""  # of a tool that failed; it has found nothing


@dataclass(frozen=True, slots=True)
class StructureRow:
    """The means of one tool in one form over the pages of a corpus."""

    corpus: str
    tool: str
    form: peers.Form
    failed: int
    pages: dict[Kind, int]  # whose gold has such elements
    f1: dict[Kind, Mean]  # over them; without kinds that no page has
    elsewhere: dict[Kind, int]  # elements found on the other pages


@dataclass(frozen=True, slots=True)
class StructureResults:
    """All results of a run."""

    pages: tuple[StructureResult, ...]

    def rows(self) -> list[StructureRow]:
        """Return the means per corpus, tool and form."""
        groups: dict[tuple[str, str, peers.Form], list[StructureResult]] = {}
        for page in self.pages:
            groups.setdefault((page.corpus, page.tool, page.form), []).append(page)
        return [_row(*key, members) for key, members in groups.items()]

    def to_json(self) -> str:
        """Return the results of all pages as JSON."""
        return json.dumps({"pages": [asdict(page) for page in self.pages]}, indent=1)

    def to_csv(self) -> str:
        """Return the results as CSV, one record per page, tool and form."""
        out = io.StringIO()
        writer = csv.writer(out)
        parts = ("common", "found", "gold", "f1")
        writer.writerow(["corpus", "page", "tool", "form", "error"]
                        + [f"{kind}_{part}" for kind in KINDS for part in parts])  # fmt: skip
        for page in self.pages:
            cells: list[object] = [page.corpus, page.page, page.tool, page.form, page.error]
            for counts in page.counts.values():
                f1 = round(counts.score.f1, 4) if counts.gold else None
                cells += [counts.common, counts.found, counts.gold, f1]
            writer.writerow(cells)
        return out.getvalue()


def _row(
    corpus: str, tool: str, form: peers.Form, pages: Sequence[StructureResult]
) -> StructureRow:
    having = {kind: [p.counts[kind] for p in pages if p.counts[kind].gold] for kind in KINDS}
    return StructureRow(
        corpus,
        tool,
        form,
        failed=sum(bool(page.error) for page in pages),
        pages={kind: len(counts) for kind, counts in having.items()},
        f1={k: mean(each.score.f1 for each in counts) for k, counts in having.items() if counts},
        elsewhere={
            kind: sum(p.counts[kind].found for p in pages if not p.counts[kind].gold)
            for kind in KINDS
        },
    )


def evaluate_structure(
    paths: Sequence[Path],
    methods: Sequence[str],
    peer_names: Sequence[str] = (),
    *,
    limit: int | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> StructureResults:
    """Score methods and peers, each in every form that it writes, on all pages.

    `progress` is called with the number of pages done.
    """
    tools = [(name, _method_forms(name)) for name in dict.fromkeys(methods)]
    tools += [(name, peers.markup(name)) for name in dict.fromkeys(peer_names)]
    found: list[StructureResult] = []
    for corpus, path in zip(corpora.distinct_names(paths), paths, strict=True):
        before = len(found)
        for page in read(path, limit):
            found += _page_results(corpus, page, tools)
            progress(1)
        if len(found) == before:
            raise InputError(f"{path} has no pages.")
    return StructureResults(tuple(found))


def _method_forms(expression: str) -> dict[peers.Form, peers.MarkupPeer]:
    return {
        "markdown": lambda html, url: extract(html, url=url or None, method=expression).markdown(),
        "html": lambda html, url: extract(html, url=url or None, method=expression).html(),
    }


def _page_results(
    corpus: str,
    page: StructurePage,
    tools: Iterable[tuple[str, dict[peers.Form, peers.MarkupPeer]]],
) -> Iterator[StructureResult]:
    source = Source(page.html, page.url, page.title)
    gold = elements(page.gold, source)
    for tool, forms in tools:
        for form, write in forms.items():
            output, error = "", ""
            try:
                output = write(page.html, source.url)
            except Exception as failure:
                error = f"{type(failure).__name__}: {failure}"[:200]
            found = elements(markdown_to_html(output) if form == "markdown" else output, source)
            yield StructureResult(corpus, page.id, tool, form, compare(found, gold), error)
