"""From bytes or text to a Page: decode, parse, and lay the tree out in columns.

The parser is turbohtml (https://html.spec.whatwg.org/multipage/parsing.html). Its nodes are
listed once in document order; everything else is arrays:

    H[i] = sum over j < i of (children[j] - 1)
    end[i] = the first j > i with H[j] = H[i] - 1

because a subtree is complete when every child that was promised has come.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import compress
from operator import attrgetter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import turbohtml

from thresher.errors import InputError, UsageError
from thresher.page.array_types import Bools, Int64s, Rows, UInt8s, UInt16s
from thresher.page.arrays import inside
from thresher.page.columns import Columns, freeze
from thresher.page.decode import decode, well_formed
from thresher.page.page import Node, Page
from thresher.page.tags import HIDDEN, LAST_ID, NAMES, NUMBER, RAW, lookup
from thresher.page.words import Letters

PARSER_DEPTH = 512  # turbohtml makes deeper elements siblings instead


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a page is read; past a limit the page is cut and its status says so."""

    bytes: int = 32_000_000  # of the source (characters, when the source is str)
    rows: int = 1_000_000  # elements and texts
    depth: int = PARSER_DEPTH  # levels; what lies deeper is left out

    def __post_init__(self) -> None:
        """Refuse limits that leave nothing."""
        for name in ("bytes", "rows", "depth"):
            limit = getattr(self, name)
            if not isinstance(limit, int) or limit < 1:
                raise UsageError(f"limit {name} is {limit!r}: give a whole number from 1.")


_NO_PAGE = re.compile(r"\s*(?:https?://\S+|[^<>\n]{1,200}\.x?html?)\s*", re.I)


def refuse_name(source: str | bytes | Path) -> str | bytes | Path:
    """Return the source unless it is a name, which would be extracted as if it were the page."""
    if isinstance(source, str) and _NO_PAGE.fullmatch(source):
        raise UsageError(
            f"{source.strip()[:80]!r} is a name, not HTML: give pathlib.Path(...) for a file, or "
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

    Bad HTML never raises. `charset` (a name such as "shift_jis") is for bytes; without it the
    byte order mark, `<meta>` and the bytes themselves decide. `url` resolves links, and is
    refused when it is no address.
    """
    url = page_address(url)
    data = _read(source) if isinstance(source, Path) else source
    if not isinstance(data, str | bytes):
        raise UsageError(
            f"cannot parse a {type(source).__name__}: give HTML as str or bytes, or a pathlib.Path."
        )
    notes: list[str] = []
    if len(data) > limits.bytes:
        unit = "characters" if isinstance(data, str) else "bytes"
        notes.append(f"cut at {limits.bytes:,} {unit}")
        data = data[: limits.bytes]
    text, used = decode(data, charset)
    if not text or text.isspace():
        return _empty(text, url, used, notes)
    try:
        return _page(text, url, used, limits, notes)
    except UnicodeEncodeError:  # its letters cannot be written: found as they are read, at no cost
        return _page(well_formed(text), url, used, limits, notes)


def page_address(url: str | None) -> str | None:
    """Return the address of a page unless it is none, which would fail wherever it is used."""
    if url is None:
        return None
    if not isinstance(url, str):
        raise UsageError(f"the url is a {type(url).__name__}: give it as str.")
    try:
        urlsplit(url)
    except ValueError as error:
        raise UsageError(
            f"{url[:80]!r} is no address: give one such as https://example.org/page, or none."
        ) from error
    return well_formed(url)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name that no system can have
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"cannot read {path}: {reason}. Check the path.") from error


def _empty(text: str, url: str | None, charset: str | None, notes: list[str]) -> Page:
    ints, bools = np.zeros(0, np.int32), np.zeros(0, np.bool_)
    freeze(ints, bools)
    tag = np.zeros(0, np.uint16)
    freeze(tag)
    return Page(
        tag=tag, end=ints, parent=ints, level=ints, chars=ints, words=ints,
        linked=bools, hidden=bools, names=NAMES, html=text, texts=(), url=url,
        charset=charset, status="; ".join([*notes, "empty"]), load=_load,
    )  # fmt: skip


def _page(
    text: str, url: str | None, charset: str | None, limits: Limits, notes: list[str]
) -> Page:
    document = _document(text)
    nodes, children, kind = _list(document)
    nodes, rows, notes = _rows(nodes, kind, _tree(children), limits, notes)
    columns, texts, letters = _columns(document, nodes, rows)
    page = Page(
        **{name: getattr(columns, name) for name in columns.__dataclass_fields__},
        html=text,
        texts=texts,
        url=url,
        charset=charset,
        status="; ".join(notes) or "complete",
        load=_load,
        limits=(limits.rows, limits.depth),
    )
    page.__dict__["nodes"] = nodes  # the cached property, filled: a pickled page loads them anew
    if len(letters.code) <= _MOST_LETTERS:
        page.__dict__["letters"] = letters
    return page


_MOST_LETTERS = 1_000_000  # that are kept; what is longer is read again when asked for


def _document(text: str, with_spans: bool = False) -> turbohtml.Document:
    # Shadow roots stay templates in the tree, so that their text is not lost.
    return turbohtml.parse(text, allow_declarative_shadow_roots=False, source_locations=with_spans)


def _load(page: Page, with_spans: bool) -> list[Node]:
    """List the nodes of a page's rows again from its source."""
    if not len(page):
        return []
    nodes, children, kind = _list(_document(page.source, with_spans))
    rows, depth = page.limits
    kept = _rows(nodes, kind, _tree(children), Limits(rows=rows, depth=depth), [])[0]
    if len(kept) < np.count_nonzero(kind != _NEITHER):  # past a limit: out of the tree too
        known = set(map(id, kept))
        for node in _where(kind != _NEITHER, nodes):
            if id(node) not in known:
                node.extract()
    return kept


# --- nodes in document order ---------------------------------------------------------------------

_ELEMENT, _TEXT, _NEITHER = 1, 2, 3


# What the parser's types are to us.
_KINDS: dict[type, int] = dict.fromkeys(turbohtml.Node.__subclasses__(), _NEITHER)
_KINDS |= {turbohtml.Element: _ELEMENT, turbohtml.Text: _TEXT, turbohtml.CData: _TEXT}


def _list(
    document: turbohtml.Document,
) -> tuple[list[Any], Int64s, UInt8s]:
    """List all nodes under the root with their child counts and kinds."""
    root = document.root
    nodes: list[Any] = [] if root is None else [root, *root.descendants]
    kind = np.frombuffer(bytes(map(_KINDS.__getitem__, map(type, nodes))), np.uint8)
    children = np.zeros(len(nodes), np.int64)
    inner = kind != _TEXT
    held = map(len, compress(nodes, inner.tobytes()))
    children[inner] = np.fromiter(held, np.int64, np.count_nonzero(inner))
    return nodes, children, kind


def _where(mask: Bools, nodes: list[Any]) -> list[Any]:
    return list(compress(nodes, mask.tobytes()))


@dataclass(frozen=True, slots=True)
class _Tree:
    end: Int64s
    level: Int64s
    parent: Int64s


def _order(values: Int64s) -> Rows:
    """Sort numbers from 0 to their count, stably: in 16 bits, where they fit, in linear time."""
    small = values.astype(np.int16) if len(values) < 2**15 else values
    return small.argsort(kind="stable")


def _tree(children: Int64s) -> _Tree:
    size = len(children)
    height = np.zeros(size + 1, np.int64)  # H + 1, also of the end, where alone it is 0
    (children - 1).cumsum(out=height[1:])
    height += 1
    order = _order(height)  # by height, then row
    key = height.take(order) * (size + 1) + order
    # The end comes first; what has no children ends where it stands.
    inner = children.take(order[1:]).nonzero()[0] + 1
    end = np.arange(1, size + 1)
    # Asked in the order of the keys, a search goes on where the last one ended.
    end[order.take(inner)] = order.take(key.searchsorted(key.take(inner) - (size + 1)))

    closed = np.bincount(end, minlength=size + 1).cumsum()[:size]
    level = np.arange(size) - closed
    by_level = _order(level)
    parent = np.full(size, -1)
    parent[by_level[1:]] = by_level.repeat(children.take(by_level))
    return _Tree(end, level, parent)


# --- from nodes to rows --------------------------------------------------------------------------


def _rows(
    nodes: list[Any],
    kind: UInt8s,
    tree: _Tree,
    limits: Limits,
    notes: list[str],
) -> tuple[list[Any], tuple[_Tree, Bools], list[str]]:
    """Leave out what is no row: comments, the fragment inside a template, what is past a limit."""
    end, level, parent = tree.end, tree.level, tree.parent
    keep = kind != _NEITHER
    fragment = ~keep
    if fragment.any():
        fragment &= end > np.arange(len(nodes)) + 1
    if fragment.any():  # its children belong to the template
        nested = np.zeros(len(nodes) + 1, np.int64)
        np.add.at(nested, np.flatnonzero(fragment) + 1, 1)
        np.subtract.at(nested, end[fragment], 1)
        level = level - np.cumsum(nested)[:-1]
        parent = np.where(fragment[parent], parent[parent], parent)
    notes = list(notes)
    deepest = int(level.max(initial=0))
    if deepest > limits.depth:
        keep &= level <= limits.depth
        notes.append(f"cut at {limits.depth} levels")
    elif deepest >= PARSER_DEPTH:
        notes.append(f"flattened at {PARSER_DEPTH} levels")
    if np.count_nonzero(keep) > limits.rows:
        keep[np.flatnonzero(keep)[limits.rows :]] = False
        notes.append(f"cut at {limits.rows:,} rows")

    if not keep.all():
        before = np.concatenate(([0], keep.cumsum()))  # kept rows before each node
        nodes = _where(keep, nodes)
        end, level = before.take(end[keep]), level[keep]
        parent = before.take(parent[keep])
        parent[:1] = -1  # the root
    return nodes, (_Tree(end, level, parent), kind[keep] == _ELEMENT), notes


# --- columns -------------------------------------------------------------------------------------

_TAG = attrgetter("tag")
_DATA = attrgetter("data")


class _Numbers(dict[str, int]):
    """Tag numbers of one page: names that HTML does not know are numbered as they come."""

    def __missing__(self, name: str) -> int:
        number = self[name] = min(len(self), LAST_ID)
        return number


def _columns(
    document: turbohtml.Document, nodes: list[Any], rows: tuple[_Tree, Bools]
) -> tuple[Columns, tuple[str | None, ...], Letters]:
    tree, is_element = rows
    size = len(nodes)
    numbers = _Numbers(NUMBER)
    tag = np.zeros(size, np.uint16)
    named = map(_TAG, compress(nodes, is_element.tobytes()))
    tag[is_element] = np.fromiter(
        map(numbers.__getitem__, named), np.uint16, np.count_nonzero(is_element)
    )
    end, parent = tree.end.astype(np.int32), tree.parent.astype(np.int32)

    text_rows = (~is_element).nonzero()[0]
    is_code = RAW.take(tag.take(parent.take(text_rows)))
    texts, letters = _texts(_where(~is_element, nodes), is_code.nonzero()[0].tolist())
    chars, words = np.zeros(size, np.int32), np.zeros(size, np.int32)
    chars[text_rows], words[text_rows] = letters.measure()

    linked = inside(tag == NUMBER["a"], end)
    hidden = inside(_hides(document, nodes, tag), end)
    columns = Columns(
        tag, end, parent, tree.level.astype(np.int32), chars, words, linked, hidden,
        NAMES if len(numbers) == len(NAMES) else (*numbers,)[: LAST_ID + 1],
    )  # fmt: skip
    freeze(tag, end, parent, columns.level, chars, words, linked, hidden)
    return columns, texts, letters


_NOT_READ = turbohtml.Text("")


def _texts(nodes: list[Any], code: list[int]) -> tuple[tuple[str | None, ...], Letters]:
    """Read the text rows; the ones at the places in `code` are not read, and have no letters."""
    for place in code:
        nodes[place] = _NOT_READ
    read: list[str | None] = list(map(_DATA, nodes))
    letters = Letters.of(read, "strict")  # type: ignore[arg-type]  # none of them is None yet
    for place in code:
        read[place] = None
    return tuple(read), letters


_MAY_HIDE = '[hidden],[style*="none" i],[style*="hidden" i]'
_MAY_BE_ODD = lookup("dialog template")
_HIDING_STYLE = re.compile(
    r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)(?![\w-])"
    r"(?!.*[;\s](?:display|visibility)\s*:)",  # a later one would win
    re.S,
)
_HIDDEN_NAMES = frozenset(name for name, number in NUMBER.items() if HIDDEN[number])


def _hides(document: turbohtml.Document, nodes: list[Any], tag: UInt16s) -> Bools:
    """Rows that hide what is inside them: by name, by attribute, by inline style."""
    mask = HIDDEN.take(tag)
    named = _MAY_BE_ODD.take(tag).nonzero()[0].tolist()
    odd = {row for row in named if _is_odd(nodes[row])}
    odd.update(_places([node for node in document.select(_MAY_HIDE) if _is_odd(node)], nodes))
    rows = list(odd)
    mask[rows] = ~mask[rows]
    return mask


def _places(found: list[Any], nodes: list[Any]) -> list[int]:
    """Return where some of the nodes stand; both are in document order, so one pass finds all."""
    places: list[int] = []
    at = -1
    try:
        for node in found:
            at = nodes.index(node, at + 1)
            places.append(at)
    except ValueError:  # some lie past a limit, and are no rows
        known = set(map(id, found))
        places = [index for index, node in enumerate(nodes) if id(node) in known]
    return places


def _is_odd(node: turbohtml.Element) -> bool:
    """Tell whether an element hides what is inside it though its name does not say so, or shows."""
    name = node.tag
    if name in _HIDDEN_NAMES:
        return name == "template" and node.attr("shadowrootmode") is not None
    if node.attr("hidden") is not None or (name == "dialog" and node.attr("open") is None):
        return True
    style = (node.attr("style") or "").lower()
    may_hide = "display" in style or "visibility" in style  # most say text-decoration, border
    return may_hide and _HIDING_STYLE.search(style) is not None
