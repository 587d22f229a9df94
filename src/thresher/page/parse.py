"""Parse bytes or text into a Page: decode, build the tree, convert it to columns.

The parser is turbohtml (https://html.spec.whatwg.org/multipage/parsing.html). Its nodes are
listed once in document order; everything else is arrays:

    H[i] = sum over j < i of (children[j] - 1)
    end[i] = the first j > i with H[j] = H[i] - 1

because a subtree ends when all children counted so far have been listed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import turbohtml

from thresher.errors import InputError, UsageError
from thresher.page.addresses import without_password
from thresher.page.array_types import Bools, Int32s, Int64s, Rows, UInt8s, UInt16s
from thresher.page.arrays import freeze, inside
from thresher.page.controls import EDIT_WORDS
from thresher.page.core import COMPILED
from thresher.page.decode import Mending, decode, may_be_wrong, well_formed
from thresher.page.lazy import LazyModule
from thresher.page.page import Node, Page
from thresher.page.stated_kinds import StatedKinds
from thresher.page.tags import (
    BLOCK,
    HIDDEN,
    LAST_ID,
    MAY_BE_UNCLOSED,
    MAY_HOLD_BODY,
    NAMES,
    NUMBER,
    RAW,
    lookup,
    many_bits_of,
    tags_present,
)
from thresher.page.unpack import begins_as_html, to_html, unpack
from thresher.page.views import BOOL_LINES, NUMBER_LINES, Walked
from thresher.page.visibility import ANNOTATION
from thresher.page.words import Letters, character_classes, has_unseen, seen

if TYPE_CHECKING:
    from thresher.page import rewritten, unclosed
else:  # a third of all pages need it, and few the other
    unclosed = LazyModule("thresher.page.unclosed")
    rewritten = LazyModule("thresher.page.rewritten")

if COMPILED:
    from thresher.page import _walk

    _TAGS = _walk.Tags(NUMBER)

_PARSER_DEPTH = 512  # turbohtml makes deeper elements siblings instead


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a page; a page past a limit is cut, and its status says so.

    An output longer than `output` is written again with less of the content; then the status of the
    document says so too.
    """

    bytes: int = 32_000_000  # of the source (as UTF-8, if it is str)
    rows: int = 200_000  # elements and texts
    depth: int = _PARSER_DEPTH  # levels; deeper rows are left out
    output: int = 50_000_000  # characters of an output; see `thresher.document.counted_size`

    def __post_init__(self) -> None:
        """Check that every limit is at least 1."""
        for name in ("bytes", "rows", "depth", "output"):
            limit = getattr(self, name)
            if not isinstance(limit, int) or limit < 1:
                raise UsageError(f"limit {name} is {limit!r}: give a whole number from 1.")


_NAME = re.compile(r"\s*(?:https?://\S+|[^<>\n]{1,200}\.x?html?)\s*", re.I)


def check_is_html(source: str | bytes | Path) -> str | bytes | Path:
    """Return the source; raise if it is a str that looks like an address or a file name."""
    if isinstance(source, str) and _NAME.fullmatch(source):
        name = without_password(source.strip())[:80]
        raise UsageError(
            f"{name!r} is a name, not HTML: give pathlib.Path(...) for a file, or "
            "thresher.fetch(...).body for an address."
        )
    return source


def parse(
    source: str | bytes | Path,
    *,
    url: str | None = None,
    charset: str | None = None,
    limits: Limits = Limits(),
) -> Page:
    """Parse HTML (`str`), HTML in some charset (`bytes`) or a file (`Path`) into a Page.

    Bad HTML never raises. What is no page, such as a PDF document, a feed or JSON, raises
    `InputError`; `thresher.page.unpack` lists what is unpacked. `charset` (a name such as
    "shift_jis") applies to bytes; without it the charset is found from the byte order mark,
    `<meta>` and the bytes. Links are resolved against `url`, which raises `UsageError` if it is not
    an address.
    """
    url = check_url(url)
    data = read_file(source, limits) if isinstance(source, Path) else source
    if not isinstance(data, str | bytes):
        raise UsageError(
            f"cannot parse a {type(source).__name__}: give HTML as str or bytes, or a pathlib.Path."
        )
    try:
        found = read_source(data, charset, limits)
    except InputError as error:
        if isinstance(source, Path):
            raise InputError(f"{source}: {error}") from error
        raise
    text, used, url, notes = found.text, found.charset, url or found.url, found.notes
    if not text or text.isspace():
        return _empty_page(text, url, used, notes)
    return _page(text, url, used, limits, notes)


class Source(NamedTuple):
    """The source of a page as text."""

    text: str
    charset: str | None  # the charset used to decode; None for str
    url: str | None  # as an MHTML file says
    notes: list[str]  # what was cut, for the status


def read_source(data: str | bytes, charset: str | None, limits: Limits) -> Source:
    """Return the HTML of an input: unpacked, cut at the limit and decoded.

    A `str` may still have lone surrogates. Raises `InputError` for what is no page.
    """
    if isinstance(data, str) and charset is None:
        if 4 * len(data) <= limits.bytes and begins_as_html(data):
            return Source(data, None, None, [])  # true of most
        shown, notes = cut(data, limits)
        assert isinstance(shown, str)
        unpacked = unpack(shown.removeprefix("\ufeff"), limits.bytes)
        if isinstance(unpacked.data, str):
            return Source(to_html(unpacked.data), None, None, notes)
        text, used = decode(unpacked.data, unpacked.charset)
        return Source(to_html(text), used, unpacked.url, notes)
    unpacked = unpack(data, limits.bytes)
    given, notes = cut(unpacked.data, limits)
    text, used = decode(given, charset or unpacked.charset)
    return Source(to_html(text), used, unpacked.url, [*unpacked.notes, *notes])


def check_url(url: str | None) -> str | None:
    """Return a page's address without user name and password; raise if it is none."""
    if url is None:
        return None
    if not isinstance(url, str):
        raise UsageError(f"the url is a {type(url).__name__}: give it as str.")
    shown = without_password(url)
    try:
        urlsplit(url)
    except ValueError as error:
        raise UsageError(
            f"{shown[:80]!r} is no address: give one such as https://example.org/page, or none."
        ) from error
    return well_formed(shown)


def cut(data: str | bytes, limits: Limits) -> tuple[str | bytes, list[str]]:
    """Return what the limit leaves of a source, and a note if that is not all of it."""
    limit = limits.bytes
    if isinstance(data, str) and 4 * len(data) > limit and not data.isascii():
        first = beginning(data, limit)
        return first, [f"cut at {limit:,} bytes"] if len(first) < len(data) else []
    if len(data) <= limit:
        return data, []
    unit = "characters" if isinstance(data, str) else "bytes"
    return data[:limit], [f"cut at {limit:,} {unit}"]


def beginning(text: str, size: int) -> str:
    """Return the first characters of a text whose UTF-8 has at most `size` bytes."""
    data = text[:size].encode("utf-8", "surrogatepass")
    if len(data) <= size:
        return text[:size]
    while data[size] & 0b1100_0000 == 0b1000_0000:  # within a character
        size -= 1
    return data[:size].decode("utf-8", "surrogatepass")


def read_file(path: Path, limits: Limits) -> bytes:
    """Return the bytes of a file, one more than the limit at most; raise if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(limits.bytes + 1)  # one more, so that `cut` sees the cut
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"cannot read {path}: {reason}. Check the path.") from error


def _empty_page(text: str, url: str | None, charset: str | None, notes: list[str]) -> Page:
    tag, ints, bools = np.zeros(0, np.uint16), np.zeros(0, np.int32), np.zeros(0, np.bool_)
    freeze(tag, ints, bools)
    return Page(
        tag=tag, end=ints, parent=ints, level=ints, chars=ints, words=ints,
        linked=bools, hidden=bools, names=NAMES, html=text, texts=(), url=url,
        charset=charset, status="; ".join([*notes, "empty"]), load=_load,
    )  # fmt: skip


def _page(
    text: str, url: str | None, charset: str | None, limits: Limits, notes: list[str]
) -> Page:
    text, rows, repaired = _mended_rows(text, limits)
    return Page.of_values(
        rows.values,
        html=text,
        url=url,
        charset=charset,
        status="; ".join([*notes, *repaired, *rows.notes]) or "complete",
        load=_load,
        limits=(limits.rows, limits.depth, limits.output),
    )


_MOST_REPAIRS = 8  # of one page; each takes another parse
_FEW_WORDS = 300  # a script may hold the rest of such a page: reading all scripts takes time


def _mended_rows(text: str, limits: Limits) -> tuple[str, _PageRows, list[str]]:
    """Return the source with wrong characters and unclosed elements mended, its rows, and notes."""
    text, document, may_have_editor = _well_formed_document(text)
    rows = _document_rows(document, limits)
    mending = Mending.of(rows.values["texts"]) if rows.may_be_wrong else None
    if mending is not None:
        text = mending.mend(text)
        rows = _document_rows(_document(text), limits)
    text, rows, notes = _as_shown(text, rows, limits, may_have_editor)
    closed: list[str] = []
    while len(closed) < _MOST_REPAIRS:
        lost = rows.word_count < _FEW_WORDS
        found = None
        if rows.may_be_unclosed or lost:
            nodes, tag = rows.values["nodes"], rows.values["tag"]
            may_hold_all = lost or not rows.has_body
            found = unclosed.closed(text, rows.document, nodes, tag, may_hold_all)
        found = found or unclosed.closed_within(text, rows.values)
        if found is None:
            break
        text = found[0]
        closed.append(found[1])
        rows = _document_rows(_document(text), limits)
    if closed:
        notes.append(f"repaired an unclosed {', '.join(dict.fromkeys(closed))}")
    return text, rows, notes


def _as_shown(
    text: str, rows: _PageRows, limits: Limits, may_have_editor: bool
) -> tuple[str, _PageRows, list[str]]:
    """Return the source with what frames, late parts and scripts show in its place, and its rows.

    There is a note for frames. `may_have_editor` says that a letter of CodeMirror is in the source.
    """
    notes: list[str] = []
    present = rows.values["present"]
    if present[NUMBER["frameset"]] and not rows.has_body:
        unframed = unclosed.without_frames(text)
        if unframed is not None:
            text, notes = unframed, ["text of <noframes>"]
            rows = _document_rows(_document(text), limits)
    if present[_TEMPLATE] and unclosed.has_late_parts(rows.document, rows.elements(_TEMPLATE)):
        text, located = _located(text)
        placed = unclosed.with_late_parts(text, located)
        if placed is not None:
            text = placed
            rows = _document_rows(_document(text), limits)
    signs = _signs(text, rows)
    if may_have_editor:
        signs.add("editor")
    if signs:
        shown = rewritten.rewritten(text, rows.document, signs, _located)
        if shown is not None:
            text = shown
            rows = _document_rows(_document(text), limits)
    return text, rows, notes


_GENERATORS = frozenset(
    "Docutils Doxygen rustdoc GitBook MediaWiki DokuWiki Discourse quarto".split()
)
# Some say so in a comment near the beginning: "Generated by" and a name.
_IN_COMMENTS = ("javadoc", "Doxygen", "LaTeXML")
_COMMENT_WITHIN, _NAME_CHARS = 600, 60  # characters
_OF_DISTILL = frozenset({"d-code", "d-math", "d-footnote", "d-cite", "data-lsp"})
_OF_AWS = "awsdocs-tabs"
_SIGNS_IN_CLASSES = (  # of lists, headers, sections
    ("recipe", "recipe"),
    ("page-meta", "facts"),
    ("ltx_", "LaTeXML"),
)
_LISTS_OF_JAVADOC = ("blockList", "summary-list")
_SUMMARY_OF_JAVADOC = "section[class$='-summary'],a[name$='.summary'],a[id$='.summary']"
_BOX = NUMBER["div"]


def _texts_of_one_sign(texts: Sequence[str], chars: Int32s) -> list[int]:
    """Return the places of texts that are a closing bracket or a 1, white space aside.

    `chars` are the characters of each text, with the spaces around it.
    """
    short = ((chars > 0) & (chars <= _ONE_SIGN)).nonzero()[0].tolist()
    return [place for place in short if texts[place].strip(_SPACES) in ("]", "1")]


_SPACES = " \t\n\f\r"
_ONE_SIGN = 3  # characters, with a space before and after it


def _has_edit_link(texts: Sequence[str], places: list[int]) -> bool:
    """Return whether a text such as "edit" is before a closing bracket."""
    return any(
        "]" in texts[place] and _IS_EDIT.fullmatch(texts[place - 1]) is not None for place in places
    )


_IS_EDIT = re.compile(rf"\s*{EDIT_WORDS}\s*", re.I)


def _signs(text: str, rows: _PageRows) -> set[str]:
    """Return what `rewritten` may know of a page; none, of most pages.

    A sign is the software that wrote the page, or what it has: see `_Rule` of `rewritten`.
    """
    values = rows.values
    names = values["names"]
    signs = _stated_signs(rows)
    if rows.of_one_sign:
        if "MediaWiki" not in signs and _has_edit_link(values["texts"], rows.of_one_sign):
            signs.add("edits")
        if _numbers_line_of_editor(values, rows.of_one_sign):
            signs.add("editor")
    signs |= _signs_in_tags(rows)
    at = text.find("<!--", 0, _COMMENT_WITHIN)
    if at >= 0:
        signs |= _signs_in_comments(text, at)
    if len(names) > len(NAMES):
        signs |= _signs_in_names(names[len(NAMES) :])
    return signs


def _stated_signs(rows: _PageRows) -> set[str]:
    """Return the signs of elements whose attributes say what they are."""
    signs: set[str] = set()
    values = rows.values
    for row in values["stated"].signs_of_software:
        signs |= _signs_of(values["nodes"][row])
    if not values["present"][_PRE]:
        signs.discard("tabs")
    if "javadoc" in signs and not rows.document.select_one(_SUMMARY_OF_JAVADOC):
        signs.discard("javadoc")
    return signs


def _signs_in_tags(rows: _PageRows) -> set[str]:
    """Return the signs of elements that are there."""
    values = rows.values
    present, signs = values["present"], set()
    if present[_AREA] and _is_in_editor(values, (values["tag"] == _AREA).nonzero()[0].tolist()):
        signs.add("editor")
    if rows.may_have_lines:
        signs.add("lines")
    if present[_PRE]:
        pre = (values["tag"] == _PRE).nonzero()[0][:_MOST_OF_ENLIGHTER].tolist()
        if any("EnlighterJS" in (values["nodes"][row].attr("class") or "") for row in pre):
            signs.add("Enlighter")
    if present[_DRAWN_FORMULA]:
        signs.add("mjx")
    return signs


_MOST_OF_ENLIGHTER = 3  # code blocks that are looked at


def _signs_in_comments(text: str, begin: int) -> set[str]:
    """Return the software that a comment near the beginning says the page was generated by."""
    at = text.find("Generated ", begin, _COMMENT_WITHIN)
    stated = text[at : at + _NAME_CHARS] if at >= 0 else ""
    return {name for name in _IN_COMMENTS if name in stated}


def _signs_in_names(names: Sequence[str]) -> set[str]:
    """Return the software that names of elements tell, given those that are not of HTML."""
    signs = {"distill"} if not _OF_DISTILL.isdisjoint(names) else set()
    return signs | {"aws"} if _OF_AWS in names else signs


def _signs_of(node: Node) -> set[str]:
    """Return the signs that an element of `StatedKinds.signs_of_software` gives."""
    classes: str = node.attr("class") or ""
    if node.tag == "meta":
        name = _NAME_OF_SOFTWARE.match(node.attr("content") or "")
        return {name[0]} & _GENERATORS if name else set()
    if node.tag == "textarea":
        return {"area"}
    if node.tag == "script":
        return {"mml"}
    if node.tag == "label":
        return {"labels"}
    if node.tag == "div":
        return {"styled"}
    if node.attr("role") == "tablist":
        return {"tabs"}
    if any(map(classes.__contains__, _LISTS_OF_JAVADOC)):
        return {"javadoc"}
    return {sign for word, sign in _SIGNS_IN_CLASSES if word in classes} or {"tasks"}


_NAME_OF_SOFTWARE = re.compile(r"[A-Za-z]+")
_PRE, _CODE, _TEMPLATE = NUMBER["pre"], NUMBER["code"], NUMBER["template"]
_DRAWN_FORMULA = NUMBER["mjx-container"]


def _numbers_line_of_editor(values: dict[str, Any], places: list[int]) -> bool:
    """Return whether a text is the number of the first line of an editor of code.

    Code that Crayon highlights has such a number too.
    """
    texts = values["texts"]
    ones = [place for place in places if "1" in texts[place]][:_MOST_LOOKED_AT]
    return bool(ones) and _is_in_editor(values, values["text_rows"].take(ones).tolist())


def _is_in_editor(values: dict[str, Any], rows: list[int]) -> bool:
    """Return whether an editor of code is around one of some rows."""
    nodes, parent = values["nodes"], values["parent"]
    for row in rows[:_MOST_LOOKED_AT]:
        for _ in range(_MOST_AROUND_LINE):
            row = int(parent[row])
            if row < 0:
                break
            if _OF_EDITOR.search(nodes[row].attr("class") or ""):
                return True
    return False


_LETTER_OF_EDITOR, _AREA = "\u037c", NUMBER["textarea"]
_OF_EDITOR = re.compile(
    r"(?:^|\s)(?:CodeMirror|cm-gutter|monaco-editor|margin-view-overlays|ace_|crayon-)"
)
_MOST_LOOKED_AT, _MOST_AROUND_LINE = 20, 3


def _may_have_lines(values: dict[str, Any]) -> bool:
    """Return whether code may have lines that are boxes, or several parts.

    That is a `pre` with a `div` or two elements `code` in it, or a `code` in a `div` with the class
    `line`.
    """
    tag, end, parent, nodes = (values[name] for name in ("tag", "end", "parent", "nodes"))
    if values["present"][_PRE]:
        pre = (tag == _PRE).nonzero()[0]
        parts = ((tag == _BOX) | (tag == _CODE)).nonzero()[0]
        first = parts.searchsorted(pre)
        held = parts.searchsorted(end.take(pre)) - first
        if (held > 1).any() or (tag.take(parts.take(first[held == 1])) == _BOX).any():
            return True
    if not values["present"][_CODE]:
        return False
    around = parent.take((tag == _CODE).nonzero()[0])
    boxes = around[tag.take(around) == _BOX][:_MOST_BOXES].tolist()
    return any("line" in (nodes[box].attr("class") or "").split() for box in boxes)


_MOST_BOXES = 100  # that are looked at


def _well_formed_document(text: str) -> tuple[str, turbohtml.Document, bool]:
    """Return a source without lone surrogates, its tree, and whether it has `_LETTER_OF_EDITOR`.

    The source is parsed first, and then near at hand in memory: most have neither.
    """
    document = _document(text)
    if COMPILED:
        has_lone, has_letter = _walk.find_signs(text, ord(_LETTER_OF_EDITOR))
        checked = well_formed(text) if has_lone else text
    else:
        checked, has_letter = well_formed(text), _LETTER_OF_EDITOR in text
    return checked, document if checked is text else _document(checked), has_letter


def _document_rows(document: turbohtml.Document, limits: Limits) -> _PageRows:
    walked = _walked_rows(document, limits) if COMPILED else None
    return _plain_rows(document, limits) if walked is None else walked


class _PageRows(NamedTuple):
    """The rows of a page, what may be wrong with them, and notes of what was cut."""

    document: turbohtml.Document
    values: dict[str, Any]  # fields and cached properties of the page: columns, texts, nodes
    word_count: int
    may_be_wrong: bool  # characters of the texts may have to be mended
    may_be_unclosed: bool  # elements may have to be closed
    has_body: bool  # the source has its start tag
    notes: list[str]
    of_one_sign: list[int]  # see `_texts_of_one_sign`
    may_have_lines: bool  # see `_may_have_lines`

    def elements(self, number: int) -> list[Node]:
        """Return the elements of a tag."""
        nodes = self.values["nodes"]
        return [nodes[row] for row in (self.values["tag"] == number).nonzero()[0].tolist()]


def _plain_rows(document: turbohtml.Document, limits: Limits) -> _PageRows:
    """Return the rows of a page, in array expressions."""
    nodes, elements, children, kind = _nodes(document)
    nodes, tree, is_element, notes = _rows(nodes, kind, _tree(children), limits)
    if len(elements) > np.count_nonzero(is_element):  # some are past a limit
        elements = _where(is_element, nodes)
    values = _columns(document, nodes, elements, tree, is_element)
    bodies = (values["tag"] == NUMBER["body"]).nonzero()[0]
    has_body = len(bodies) > 0 and nodes[bodies[0]].position is not None
    count, is_wrong = int(values["words"].sum()), may_be_wrong(values["letters"].code)
    chars = values["chars"].take(values["text_rows"])
    of_one_sign, has_lines = _texts_of_one_sign(values["texts"], chars), _may_have_lines(values)
    return _PageRows(
        document, values, count, is_wrong, True, has_body, notes, of_one_sign, has_lines
    )


def _walked_rows(document: turbohtml.Document, limits: Limits) -> _PageRows | None:
    """Return the rows of a page, in one compiled pass; None for a page past a limit."""
    root = document.root
    if root is None:
        return None
    nodes = [root, *root.descendants]
    size = len(nodes)
    if size > limits.rows and sum(map(_IS_ROW, map(type, nodes))) > limits.rows:
        return None
    tag = np.empty(size, np.uint16)
    numbers = np.empty((NUMBER_LINES, size), np.int32)
    bools = np.empty((BOOL_LINES, size), np.bool_)
    found = document.select(_UNUSUAL)
    others: dict[str, int] = {}
    stated = StatedKinds([], [], [], [], [], [])
    walked = _walk.walk(
        nodes, found, _TAGS, others, _TAG_BITS, character_classes(), _hides_by_style,
        tag, numbers, bools, stated,
    )  # fmt: skip
    if walked is None:
        return None
    (
        texts, blocks, may_be_wrong, may_be_unclosed, deepest, body, word_count, present, short,
        may_have_lines,
    ) = walked  # fmt: skip
    rows = len(nodes)
    if deepest > limits.depth or rows > limits.rows:
        return None
    freeze(tag, numbers, bools)  # and so are parts of them
    end, parent, level, chars, words = numbers[:5, :rows]
    linked, hidden = bools[:2, :rows]
    found_columns = Walked(numbers, bools, rows, len(texts), blocks)
    values = {
        "tag": tag[:rows], "end": end, "parent": parent, "level": level, "chars": chars,
        "words": words, "linked": linked, "hidden": hidden,
        "names": (*NAMES, *others)[: LAST_ID + 1] if others else NAMES,
        "texts": texts, "nodes": nodes, "stated": stated, "present": present,
        "body": max(body, 0), "walked": found_columns, "text_rows": found_columns.text_rows,
    }  # fmt: skip
    notes = [f"flattened at {_PARSER_DEPTH} levels"] if deepest >= _PARSER_DEPTH else []
    has_body = body >= 0 and nodes[body].position is not None
    may_be_unclosed |= not has_body or document[-1] is not root
    return _PageRows(
        document, values, word_count, may_be_wrong, may_be_unclosed, has_body, notes, short,
        may_have_lines,
    )  # fmt: skip


def _located(text: str) -> tuple[str, turbohtml.Document]:
    """Return a source with line ends as the parser counts them, and its tree with all places."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, _document(text, with_spans=True)


def _document(text: str, with_spans: bool = False) -> turbohtml.Document:
    # Shadow roots stay templates in the tree, so their text is not lost.
    return turbohtml.parse(text, allow_declarative_shadow_roots=False, source_locations=with_spans)


def _load(page: Page, with_spans: bool) -> list[Node]:
    """Return the nodes of a page's rows, parsed again from its source."""
    if not len(page):
        return []
    nodes, _, children, kind = _nodes(_document(page.source, with_spans))
    rows, depth, _ = page.limits
    kept = _rows(nodes, kind, _tree(children), Limits(rows=rows, depth=depth))[0]
    if len(kept) < np.count_nonzero(kind != _NEITHER):  # remove nodes past a limit from the tree
        known = set(map(id, kept))
        for node in _where(kind != _NEITHER, nodes):
            if id(node) not in known:
                node.extract()
    return kept


# --- nodes in document order ---------------------------------------------------------------------

_ELEMENT, _TEXT, _NEITHER = 1, 2, 3

# The kind of each of the parser's node types.
_KINDS: dict[type, int] = dict.fromkeys(turbohtml.Node.__subclasses__(), _NEITHER)
_KINDS |= {turbohtml.Element: _ELEMENT, turbohtml.Text: _TEXT, turbohtml.CData: _TEXT}
_IS_ROW = frozenset(kind for kind, number in _KINDS.items() if number != _NEITHER).__contains__


def _nodes(document: turbohtml.Document) -> tuple[list[Any], list[Any], Int64s, UInt8s]:
    """Return the root and all nodes under it, the elements, and for each node two numbers.

    These are the number of its children, and its kind.
    """
    root = document.root
    nodes: list[Any] = [] if root is None else [root, *root.descendants]
    kind = np.frombuffer(bytes(map(_KINDS.__getitem__, map(type, nodes))), np.uint8)
    is_element = kind == _ELEMENT
    elements = _where(is_element, nodes)
    children = np.zeros(len(nodes), np.int64)
    children[is_element] = np.fromiter(map(len, elements), np.int64, len(elements))
    for other in (kind == _NEITHER).nonzero()[0].tolist():  # comments, fragments of templates
        children[other] = len(nodes[other])
    return nodes, elements, children, kind


def _where(mask: Bools, nodes: list[Any]) -> list[Any]:
    return list(compress(nodes, mask.tobytes()))


class _Tree(NamedTuple):
    end: Int64s
    level: Int64s
    parent: Int64s


def _order(values: Int64s) -> Rows:
    """Return the stable sort order of numbers from 0 to their count.

    If they fit, they are sorted as 16-bit integers, which takes linear time.
    """
    small = values.astype(np.int16) if len(values) < 2**15 else values
    return small.argsort(kind="stable")


def _tree(children: Int64s) -> _Tree:
    size = len(children)
    height = np.zeros(size + 1, np.int64)  # H + 1, and a last entry, the only one that is 0
    (children - 1).cumsum(out=height[1:])
    height += 1
    order = _order(height)  # by height, then row
    key = height.take(order) * (size + 1) + order
    # The last entry sorts first; nodes without children end right after themselves.
    inner = children.take(order[1:]).nonzero()[0] + 1
    end = np.arange(1, size + 1)
    # Searching in the order of the keys is faster.
    end[order.take(inner)] = order.take(key.searchsorted(key.take(inner) - (size + 1)))

    closed = np.bincount(end, minlength=size + 1).cumsum()[:size]
    level = np.arange(size) - closed
    by_level = _order(level)
    parent = np.full(size, -1)
    parent[by_level[1:]] = by_level.repeat(children.take(by_level))
    return _Tree(end, level, parent)


# --- from nodes to rows --------------------------------------------------------------------------


def _rows(
    nodes: list[Any], kind: UInt8s, tree: _Tree, limits: Limits
) -> tuple[list[Any], _Tree, Bools, list[str]]:
    """Return the nodes that are rows, their tree, which are elements, and notes of what was cut.

    Comments, the fragment inside a template, and nodes past a limit are not rows.
    """
    end, level, parent = tree.end, tree.level, tree.parent
    keep = kind != _NEITHER
    fragment = ~keep
    if fragment.any():
        fragment &= end > np.arange(len(nodes)) + 1
    if fragment.any():  # its children become the template's
        nested = np.zeros(len(nodes) + 1, np.int64)
        np.add.at(nested, np.flatnonzero(fragment) + 1, 1)
        np.subtract.at(nested, end[fragment], 1)
        level = level - np.cumsum(nested)[:-1]
        parent = np.where(fragment[parent], parent[parent], parent)
    notes: list[str] = []
    deepest = int(level.max(initial=0))
    if deepest > limits.depth:
        keep &= level <= limits.depth
        notes.append(f"cut at {limits.depth} levels")
    elif deepest >= _PARSER_DEPTH:
        notes.append(f"flattened at {_PARSER_DEPTH} levels")
    if np.count_nonzero(keep) > limits.rows:
        keep[np.flatnonzero(keep)[limits.rows :]] = False
        notes.append(f"cut at {limits.rows:,} rows")

    if not keep.all():
        before = np.concatenate(([0], keep.cumsum()))  # kept rows before each node
        nodes = _where(keep, nodes)
        end, level = before.take(end[keep]), level[keep]
        parent = before.take(parent[keep])
        parent[:1] = -1  # the root
    return nodes, _Tree(end, level, parent), kind[keep] == _ELEMENT, notes


# --- columns -------------------------------------------------------------------------------------


class _Numbers(dict[str, int]):
    """Tag numbers of one page: unknown names are numbered in order of appearance."""

    def __missing__(self, name: str) -> int:
        number = self[name] = min(len(self), LAST_ID)
        return number

    def table(self) -> tuple[str, ...]:
        """Return the names by their numbers."""
        return NAMES if len(self) == len(NAMES) else (*self,)[: LAST_ID + 1]


def _columns(
    document: turbohtml.Document,
    nodes: list[Any],
    elements: list[Any],
    tree: _Tree,
    is_element: Bools,
) -> dict[str, Any]:
    """Return the columns, the names of tags, the texts of the text rows, and the nodes."""
    size = len(nodes)
    numbers = _Numbers(NUMBER)
    tag = np.zeros(size, np.uint16)
    element_rows = is_element.nonzero()[0]
    names = map(attrgetter("tag"), elements)
    tag[element_rows] = np.fromiter(map(numbers.__getitem__, names), np.uint16, len(elements))
    end, parent = tree.end.astype(np.int32), tree.parent.astype(np.int32)

    is_text = ~is_element
    text_rows = is_text.nonzero()[0]
    text_nodes = _where(is_text, nodes)
    for code in RAW.take(tag.take(parent.take(text_rows))).nonzero()[0].tolist():
        text_nodes[code] = _NO_TEXT  # scripts and styles are not read
    texts = _seen_texts(list(map(attrgetter("data"), text_nodes)), tag, end, text_rows)
    letters = Letters.of(texts, "strict")
    chars, words = np.zeros(size, np.int32), np.zeros(size, np.int32)
    chars[text_rows], words[text_rows] = letters.measure()
    _add_spaces(chars, tag, end, text_rows, letters)

    hides, is_link, headings = _unusual_rows(document, nodes, elements, element_rows, tag)
    columns: dict[str, npt.NDArray[Any]] = {
        "tag": tag,
        "end": end,
        "parent": parent,
        "level": tree.level.astype(np.int32),
        "chars": chars,
        "words": words,
        "linked": inside(is_link, end),
        "hidden": inside(hides, end),
        "text_rows": text_rows.astype(np.int32),
    }
    freeze(*columns.values())
    others = {
        "names": numbers.table(), "texts": texts, "letters": letters, "nodes": nodes,
        "stated": StatedKinds.of(tag, nodes, headings), "present": tags_present(tag),
    }  # fmt: skip
    return columns | others


_NO_TEXT = turbohtml.Text("")


def _seen_texts(texts: list[str], tag: UInt16s, end: Int32s, rows: Rows) -> tuple[str, ...]:
    """Return the texts, without signs that have no width where a block begins with these alone."""
    if not has_unseen("".join(texts)):  # true of most pages
        return tuple(texts)
    breaks = BLOCK.take(tag)
    cut = np.zeros(len(tag) + 1, np.bool_)
    cut[:-1] = breaks
    cut[end.take(breaks.nonzero()[0])] = True
    begun = -1  # the block that has text
    for index, block in enumerate(cut.cumsum().take(rows).tolist()):
        if block != begun:
            texts[index] = seen(texts[index])
            begun = block if texts[index].strip(" \t\n\f\r") else begun
    return tuple(texts)


_BREAKS_RUN = BLOCK | lookup("br")


def _add_spaces(
    chars: Int32s, tag: UInt16s, end: Int32s, text_rows: Rows, letters: Letters
) -> None:
    """Count the spaces between the texts of a run, which no block or line break interrupts.

    As in `one <b>two</b> three`, white space between two texts is one character, of the text that
    ends with it, or else of the one that begins with it; blank text belongs to the text before.
    """
    breaks = _BREAKS_RUN.take(tag)
    cut = np.zeros(len(tag) + 1, np.intp)
    cut[:-1] = breaks
    cut[end.take(breaks.nonzero()[0])] = 1
    run = cut.cumsum()

    solid = chars.take(text_rows).nonzero()[0]  # the texts that are not blank
    before, after = solid[:-1], solid[1:]
    starts = letters.starts
    blank = np.zeros(len(text_rows) + 1, np.int32)  # blank texts before each text
    np.greater(letters.ends, starts, out=blank[1:], casting="unsafe")
    blank[1:][solid] = 0
    blank = blank.cumsum(dtype=np.int32)
    ends_with = letters.is_space(letters.ends.take(before) - 1)
    ends_with |= blank.take(after) > blank.take(before)
    begins_with = letters.is_space(starts.take(after))
    rows = text_rows.take(solid)
    same = run.take(rows[1:]) == run.take(rows[:-1])
    chars[rows[:-1]] += same & ends_with
    chars[rows[1:]] += same & begins_with & ~ends_with


# Headings by their role, boxes with the style of code, and what may hide or lack an address: "is"
# is in display and visibility.
_UNUSUAL = ':is([style*="is" i],div[style*="monospace"],[hidden],[role="heading"],a:not([href]))'
_MAY_BE_EXCEPTIONS = lookup("dialog template")
_INVISIBLE = frozenset({"hidden", "collapse"})
_DECLARED = re.compile(r"(?:^|[;\s])(display|visibility)\s*:\s*([\w-]*)")
# What the compiled walk needs to know of each tag number.
_TAG_BITS = many_bits_of(
    _BREAKS_RUN,
    HIDDEN,
    RAW,
    lookup("a"),
    _MAY_BE_EXCEPTIONS,
    lookup("script input meta ul header section textarea label"),
    MAY_BE_UNCLOSED,
    MAY_HOLD_BODY,
    BLOCK,
    lookup("math"),
    ANNOTATION,
    lookup("rp"),
    lookup("pre"),
)

_HIDDEN_NAMES = frozenset(name for name, number in NUMBER.items() if HIDDEN[number])


def _unusual_rows(
    document: turbohtml.Document,
    nodes: list[Any],
    elements: list[Any],
    element_rows: Rows,
    tag: UInt16s,
) -> tuple[Bools, Bools, list[int]]:
    """Return two bools per row, and the rows that are headings by their role.

    The bools are True if a row hides its content, and if it is a link. An element hides its content
    by its name, an attribute or an inline style. A link is an `a` with an `href`: one without is
    the target of a link, or no link at all.
    """
    hides = HIDDEN.take(tag)
    is_link = tag == NUMBER["a"]
    named = _MAY_BE_EXCEPTIONS.take(tag).nonzero()[0].tolist()
    exceptions = {row for row in named if _is_exception(nodes[row])}
    found = document.select(_UNUSUAL)
    headings: list[int] = []
    for index in _indices(found, elements):
        node, row = elements[index], int(element_rows[index])
        if _is_exception(node):
            exceptions.add(row)
        if node.tag == "a" and not _has_address(node):
            is_link[row] = False
        if node.attr("role") == "heading":
            headings.append(row)
    rows = list(exceptions)
    hides[rows] = ~hides[rows]
    return hides, is_link, headings


def _has_address(anchor: turbohtml.Element) -> bool:
    return anchor.attr("href") is not None or anchor.attr("xlink:href") is not None


def _indices(found: list[Any], nodes: list[Any]) -> list[int]:
    """Return the index in `nodes` of each of the found nodes; both are in document order."""
    indices: list[int] = []
    at = -1
    try:
        for node in found:
            at = nodes.index(node, at + 1)
            indices.append(at)
    except ValueError:  # some lie past a limit and are not rows
        known = set(map(id, found))
        indices = [index for index, node in enumerate(nodes) if id(node) in known]
    return indices


def _is_exception(node: turbohtml.Element) -> bool:
    """Return whether an element hides its content although its name does not, or the reverse."""
    name = node.tag
    if name in _HIDDEN_NAMES:
        return name == "template" and node.attr("shadowrootmode") is not None
    if node.attr("hidden") is not None or (name == "dialog" and node.attr("open") is None):
        return True
    return _hides_by_style(node.attr("style") or "")


def _hides_by_style(style: str) -> bool:
    """Return whether an inline style hides an element."""
    style = style.lower()
    if "display" not in style and "visibility" not in style:  # as most, of colours and sizes
        return False
    declared = dict(_DECLARED.findall(style))  # the last declaration of each counts
    return declared.get("display") == "none" or declared.get("visibility") in _INVISIBLE
