"""Page and Selection: a web page as columns, and the part of it that is kept.

A method is any callable `Page -> Selection`. Both are immutable. Everything derived from a page
(views, offsets, nodes) is computed on first use and cached.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from io import IncrementalNewlineDecoder
from itertools import chain, compress
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.page import views
from thresher.page.addresses import resolve
from thresher.page.array_types import AnyRows, Bools, Int32s, Int64s, Rows, UInt16s
from thresher.page.arrays import freeze, inside
from thresher.page.core import COMPILED
from thresher.page.lazy import LazyModule
from thresher.page.plain_text import plain_text
from thresher.page.stated_kinds import StatedKinds, role_heading_rows
from thresher.page.tags import BREAKS_LINE, NUMBER, RAW, tags_present
from thresher.page.words import Letters, collapsed, non_ascii

if TYPE_CHECKING:
    from thresher.page import positions, scan, serialize
    from thresher.page.positions import Place, Position
    from thresher.page.scan import Scan
else:  # most uses need none of them
    positions = LazyModule("thresher.page.positions")
    scan = LazyModule("thresher.page.scan")
    serialize = LazyModule("thresher.page.serialize")
if COMPILED:
    from thresher.page import _views, _walk

# A node of the parser's tree. Only `page.parse` and `render` know the parser.
Node = Any

# Parses a page's source again: returns the node of each row; the bool asks for exact spans.
Load: TypeAlias = "Callable[[Page, bool], list[Node]]"

Characters: TypeAlias = Literal["all", "non-ascii"]
Value = TypeVar("Value")

_MISSING: Any = object()  # stands for a value that is not cached
_NO_ROWS: Int32s = np.zeros(0, np.int32)
freeze(_NO_ROWS)
_DEFAULTS = {"base": None, "origin": _NO_ROWS}  # fields of a page that is no part of another
_LONGEST_BASE = 2_000  # characters of an address in `<base>`


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """A web page as columns, with its text, its source and its attributes.

    Rows are the elements and text nodes of the page in document order. Each column is a read-only
    array with one entry per row. `docs/data-model.md` shows the columns of a ten-row page.
    """

    tag: UInt16s  # number of the element's name in `names`; 0 for text
    end: Int32s  # first row after the subtree: the subtree of i is i .. end[i] - 1
    parent: Int32s  # row of the parent, -1 at the root
    level: Int32s  # depth, 0 at the root
    chars: Int32s  # characters of a text row, white space collapsed over its run; 0 for elements
    words: Int32s  # words of a text row; 0 for elements
    linked: Bools  # True inside a link: an anchor with an address
    hidden: Bools  # True inside an element that a browser does not show
    names: tuple[str, ...]  # the tag table: names[tag[i]]
    html: str | None  # the decoded text as given; None: `source` is written from the rows
    texts: tuple[str, ...]  # text of each text row, in order; "" for scripts and styles
    url: str | None
    charset: str | None  # the charset used to decode; None if the page was given as str
    status: str  # "complete", "empty", or what was cut or repaired
    load: Load
    # Rows and depth at which the page was cut, for `load`; characters of an output, 0 for any.
    limits: tuple[int, int, int] = (0, 0, 0)
    base: Page | None = None  # the page that this one is a part of (see `only`)
    origin: Int32s = field(default_factory=lambda: _NO_ROWS)  # row in `base` of each

    IS_RENDERED: ClassVar[bool] = False  # True if a browser laid the page out: see `visual`
    # Columns of which a part of the page keeps the entries of its rows.
    COLUMNS: ClassVar[tuple[str, ...]] = ("tag", "level", "chars", "words", "linked", "hidden")

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.tag)

    def __repr__(self) -> str:
        """Return the number of rows and words, and the status."""
        return f"<Page: {len(self)} rows, {int(self.words.sum())} words, {self.status}>"

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields; cached values are computed again."""
        return {each.name: self.__dict__[each.name] for each in fields(self)}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Restore the fields and make the arrays read-only."""
        self.__dict__.update(state)
        freeze(*(value for value in state.values() if isinstance(value, np.ndarray)))

    @classmethod
    def of_values(cls, values: dict[str, Any], **others: object) -> Page:
        """Return a page with these values of fields and cached properties.

        Other fields have their defaults. The constructor sets each field of a frozen class by a
        call.
        """
        page = object.__new__(cls)
        own = page.__dict__
        own.update(_DEFAULTS)
        own.update(values, **others, _cache={})
        return page

    # --- cached values ----------------------------------------------------------------------

    @cached_property
    def _cache(self) -> dict[tuple[object, ...], Any]:
        return {}

    def cached(self, compute: Callable[..., Value], *arguments: Hashable) -> Value:
        """Return `compute(page, *arguments)`, computed once per page and arguments."""
        key, cache = (compute, *arguments), self._cache
        value: Value = cache.get(key, _MISSING)
        if value is _MISSING:
            value = cache[key] = compute(self, *arguments)
        return value

    def prefill(self, **values: object) -> None:
        """Set cached properties, such as `nodes`, whose values are already known."""
        self.__dict__.update(values)

    # --- rows -------------------------------------------------------------------------------

    @cached_property
    def text_rows(self) -> Int32s:
        """Rows that are text, in order."""
        rows = np.flatnonzero(self.tag == 0).astype(np.int32)
        freeze(rows)
        return rows

    @cached_property
    def present(self) -> bytes:
        """One byte per tag number below `len(NAMES)`: 1 if the page has such a row, else 0."""
        return tags_present(self.tag)

    @cached_property
    def body(self) -> int:
        """Row of the body; the root if there is none (a page of frames), -1 on an empty page."""
        found = (self.tag == NUMBER["body"]).nonzero()[0]
        found = found[self.level.take(found) == 1]
        return int(found[0]) if len(found) else min(len(self), 1) - 1

    @cached_property
    def is_link(self) -> Bools:
        """One bool per row: True for a link, that is, an anchor with an address."""
        found: Bools = (self.tag == NUMBER["a"]) & self.linked
        freeze(found)
        return found

    @cached_property
    def has_id(self) -> Bools:
        """One bool per row: True for an element with an `id`."""
        if self.base is not None:
            return self.base.has_id[self.origin]
        with_id = self.nodes[0].select("[id]") if len(self) else []
        if len(self) and self.nodes[0].attr("id") is not None:
            with_id.insert(0, self.nodes[0])
        return self.is_one_of(with_id)

    def is_one_of(self, nodes: list[Node]) -> Bools:
        """Return one bool per row: True for one of these nodes, which are in document order."""
        found = np.zeros(len(self), np.bool_)
        if not COMPILED or not _walk.mark_nodes(self.nodes, nodes, found):
            given = set(map(id, nodes))
            found[:] = [id(node) in given for node in self.nodes]
        return found

    @cached_property
    def walked(self) -> views.Walked | None:
        """Columns of texts and blocks that the compiled walk over the page filled, if it did."""
        return None

    @cached_property
    def block_names(self) -> tuple[AnyRows, list[tuple[str | None, str | None]], Rows] | None:
        """Rows of block-level elements, pairs of class and id, and the pair of each row, if known.

        The features of a page read those of all block-level elements with words.
        """
        return None

    @cached_property
    def stated(self) -> StatedKinds:
        """Rows of elements whose attributes say what they are."""
        return StatedKinds.of(self.tag, self.nodes, role_heading_rows(self.nodes))

    def name(self, row: int) -> str:
        """Return the element's name, or `#text`."""
        return self.names[int(self.tag[row])]

    def attributes(self, row: int) -> dict[str, str]:
        """Return the attributes of an element ({} for text)."""
        if self.tag[row] == 0:
            return {}
        given = self.nodes[row].attrs.items()
        return {name: v if isinstance(v, str) else " ".join(v or ()) for name, v in given}

    @cached_property
    def nodes(self) -> list[Node]:
        """The parser's node of every row."""
        if self.base is not None:
            return [self.base.nodes[row] for row in self.origin.tolist()]
        return self.load(self, False)

    # --- texts ------------------------------------------------------------------------------

    def text(self, row: int) -> str:
        """Return the text of a text row as in the page, code included ("" for an element)."""
        if row < 0 or self.tag[row] != 0:
            return ""
        if RAW[self.tag[self.parent[row]]]:
            return str(self.nodes[row].data)
        return self.texts[self.text_rows.searchsorted(np.int32(row))]

    def text_span(self, row: int) -> tuple[int, int]:
        """Return the index in `texts` of the first text inside a row, and one past the last."""
        if COMPILED:
            return _views.find_texts(self.text_rows, row, self.end[row])
        bounds = np.array((row, self.end[row]), np.int32)  # of the type of `text_rows`: no copy
        first, last = self.text_rows.searchsorted(bounds).tolist()
        return first, last

    def code(self, row: int) -> str:
        """Return the text that a script or a style begins with; "" if it begins with none.

        In SVG and MathML, a script may hold elements. `texts` has no code.
        """
        return "" if self.end[row] == row + 1 else str(getattr(self.nodes[row + 1], "data", ""))

    def texts_inside(self, row: int) -> tuple[str, ...]:
        """Return the texts of the text rows inside a row, in order."""
        first, last = self.text_span(row)
        return self.texts[first:last]

    def lines_inside(self, row: int, limit: int = 10_000) -> list[str]:
        """Return the text inside a row as lines without surplus white space, blank ones left out.

        A new line begins where a block or a line break lies between two texts. The text is cut
        after `limit` characters.
        """
        first, last = self.text_span(row)
        if last - first == 1:  # true of most headings and links
            line = collapsed(collapsed(f".{self.texts[first][: limit + 1]}.")[1:-1][:limit])
            return [line] if line else []
        breaks = BREAKS_LINE.take(self.tag[row : self.end[row]]).tobytes()  # a True is a byte 1
        pieces: list[str] = []
        before, left = row, limit
        text_rows = self.text_rows[first:last].tolist()
        for at, text in zip(text_rows, self.texts[first:last], strict=True):
            if 1 in breaks[before + 1 - row : at - row]:
                pieces.append("\n")
            # The dots keep white space at the ends of the text.
            pieces.append(collapsed(f".{text[: left + 1]}.")[1:-1])
            left -= len(text)
            before = at
            if left < 0:
                break
        split = "".join(pieces)[:limit].split("\n")
        return [line for line in (collapsed(line) for line in split) if line]

    def line(self, row: int, limit: int = 10_000) -> str:
        """Return the text inside a row on one line; see `lines_inside`."""
        return " ".join(self.lines_inside(row, limit))

    def block_text(self, block: int) -> str:
        """Return the texts of a block joined as they are, white space included."""
        blocks = self.blocks
        return "".join(self.texts[blocks.texts_from[block] : blocks.texts_to[block] + 1])

    @cached_property
    def letters(self) -> Letters:
        """The characters of all text rows, as arrays."""
        return Letters.of(self.texts)

    # --- source and positions ---------------------------------------------------------------

    @cached_property
    def source(self) -> str:
        """The decoded text of the page, line ends as `\\n`.

        Soft hyphens and unclosed elements are mended in it (see `parse`); it has the paragraphs of
        plain text as HTML.
        """
        if self.html is None:
            return self._written[0]
        if "\r" not in self.html:
            return self.html
        return IncrementalNewlineDecoder(None, translate=True).decode(self.html, final=True)

    @cached_property
    def _written(self) -> tuple[str, Int32s]:
        return serialize.write(self, self.attributes)

    @cached_property
    def line_starts(self) -> Int64s:
        """Offset in `source` of the first character of each line."""
        return scan.line_starts(self.source)

    @cached_property
    def scan(self) -> Scan:
        """The tags and the text runs of `source`, and the row of each run."""
        return scan.Scan.of(self)

    @cached_property
    def offsets(self) -> Int32s:
        """Offset in `source` of each element's start tag; -1 for implied elements and for text."""
        if self.html is None:
            return self._written[1]
        found = np.full(len(self), -1, np.int32)
        rows = np.flatnonzero(self.tag != 0)
        pairs = (self.nodes[row].position or (0, 0) for row in rows.tolist())
        flat = np.fromiter(chain.from_iterable(pairs), np.int64, 2 * len(rows))
        line, column = flat[::2], flat[1::2]
        found[rows] = np.where(line > 0, self.line_starts[line - 1] + column, -1)
        freeze(found)
        return found

    @cached_property
    def text_offsets(self) -> Int32s:
        """Offset in `source` of each text row without leading white space; -1 where unknown.

        One entry per row: -1 also for elements.
        """
        return self.scan.text_offsets(self)

    @cached_property
    def row_offsets(self) -> Int32s:
        """Offset in `source` of each row; an implied row has that of the row before it."""
        known = np.maximum(self.offsets, self.text_offsets)
        latest = np.maximum.accumulate(np.where(known >= 0, np.arange(len(known)), -1))
        found = np.where(latest >= 0, known[latest], 0).astype(np.int32)
        freeze(found)
        return found

    def positions(self, rows: AnyRows) -> list[Position]:
        """Return the position of each of the rows: line, column, offset and CSS path."""
        return positions.positions_of(self, rows)

    def position(self, row: int) -> Position:
        """Return the position of a row: line, column, offset and CSS path."""
        if not 0 <= row < len(self):
            raise UsageError(f"no row {row}: the page has rows 0 to {len(self) - 1}.")
        return self.positions(np.array([row]))[0]

    def ends(self, first: AnyRows, last: AnyRows) -> list[Place]:
        """Return where the texts from each row of `first` to that of `last` end in `source`.

        See `thresher.page.positions.ends_of`.
        """
        return positions.ends_of(self, first, last)

    def css_path(self, row: int) -> str:
        """Return a CSS selector for the element, for text that of its parent; at most 64 steps."""
        return positions.css_paths(self, np.array([row]))[0]

    @cached_property
    def markup(self) -> Int32s:
        """Characters of each element's start and end tag as written; serialised when implied.

        Reading the exact spans takes about five times as long as parsing.
        """
        if self.base is not None:
            counts = self.base.markup[self.origin]
        else:
            spans = (getattr(node, "source_location", None) for node in self.load(self, True))
            counts = serialize.tag_lengths(self, spans)
        freeze(counts)
        return counts

    # --- links ------------------------------------------------------------------------------

    @cached_property
    def base_url(self) -> str:
        """The address that links are relative to: the first `<base href>`, else `url`."""
        if self.base is not None:
            return self.base.base_url
        if not self.present[NUMBER["base"]]:  # true of most pages
            return self.url or ""
        for row in np.flatnonzero(self.tag == NUMBER["base"]).tolist():
            href = self.attributes(row).get("href", "").strip()
            if href:
                base = resolve(href, self.url) or ""
                # Each relative link would become as long as its base.
                return base if 0 < len(base) <= _LONGEST_BASE else self.url or ""
        return self.url or ""

    def resolve(self, link: str) -> str:
        """Return a link of this page as an absolute address, as far as `url` is known.

        "" if it is broken or could run code: see `thresher.page.addresses`.
        """
        return (resolve(link, self.base_url) or "") if link.strip() else self.base_url

    # --- views ------------------------------------------------------------------------------

    @cached_property
    def tokens(self) -> views.Tokens:
        """Start tags, end tags and words in order, each with its row."""
        return views.tokens(self)

    @cached_property
    def blocks(self) -> views.Blocks:
        """Text blocks: runs of text that no block-level tag interrupts."""
        return views.blocks(self)

    def flow(self, *, tables: bool = False) -> views.Flow:
        """Return the hybrid paper's tag sequence with region codes.

        With `tables`, `table` and `tr` make rows too.
        """
        return self.cached(views.flow, tables)

    def lines(self, length: int) -> views.Lines:
        """Return the source reflowed to lines of `length` characters (0: lines as written)."""
        return self.cached(views.lines, length)

    # --- selections -------------------------------------------------------------------------

    def select(self, rows: npt.ArrayLike) -> Selection:
        """Select the text rows among `rows`; rows of elements are ignored."""
        return self.where(self._mask(rows))

    def where(self, mask: Bools) -> Selection:
        """Select the text rows where `mask`, one boolean per row of the page, is True."""
        return Selection(self, mask[self.text_rows])

    def under(self, rows: npt.ArrayLike) -> Selection:
        """Select all text inside the given rows."""
        return self.where(inside(self._mask(rows), self.end))

    def _mask(self, rows: npt.ArrayLike) -> Bools:
        given = np.asarray(rows)
        if given.size and given.dtype.kind not in "iu":
            raise UsageError("rows must be row numbers: for a mask of booleans, use where().")
        mask = np.zeros(len(self), np.bool_)
        mask[given.astype(np.intp)] = True
        return mask

    def all(self) -> Selection:
        """Select every text row, hidden ones included."""
        return Selection(self, np.ones(len(self.text_rows), np.bool_))

    def none(self) -> Selection:
        """Select nothing."""
        return Selection(self, np.zeros(len(self.text_rows), np.bool_))

    # --- parts ------------------------------------------------------------------------------

    def only(self, selection: Selection) -> Page:
        """Return the page of the kept text and its ancestors, to run methods in series.

        `origin` maps its rows to rows of this page, and `Selection.lift` maps selections back. If
        all text is kept, so is every row.
        """
        if selection.page is not self:
            raise UsageError("the selection is of another page: lift it to this one first.")
        return self.part(selection.kept)

    def without(self, gone: Bools) -> Page:
        """Return the page without the rows where `gone` is True, and everything inside them."""
        if np.shape(gone) != (len(self),):
            raise UsageError(f"a mask needs one entry per row: {len(self)}, not {np.size(gone)}.")
        return self.part(~inside(gone, self.end))

    def part(self, keep: Bools) -> Page:
        """Return the page of the rows where `keep` is True.

        The ancestors of a row that is kept must be kept too.
        """
        before = np.concatenate(([0], np.cumsum(keep))).astype(np.int32)
        parent = self.parent[keep]
        columns = {name: getattr(self, name)[keep] for name in self.COLUMNS}
        columns["end"] = before[self.end[keep]]
        columns["parent"] = np.where(parent >= 0, before[parent], np.int32(-1))
        columns["origin"] = np.flatnonzero(keep).astype(np.int32)
        freeze(*columns.values())
        texts = tuple(compress(self.texts, keep[self.text_rows].tolist()))
        return replace(self, **columns, html=None, texts=texts, base=self)


@dataclass(frozen=True, eq=False, repr=False)
class Selection:
    """The text rows of a page that are kept. Combine selections with `|  &  -  ~`.

    `characters` filters the characters that `text` prints. `&` prints what both print, `|` what
    either prints, `-` what its left side prints, and `~` everything.
    """

    page: Page
    keep: Bools  # one boolean per text row
    characters: Characters = "all"  # printed by `text`: "non-ascii" is R2L's filter

    def __post_init__(self) -> None:
        """Check the arguments and make the array read-only."""
        if self.keep.shape != self.page.text_rows.shape:
            raise UsageError(
                f"a selection needs one boolean per text row: {len(self.page.text_rows)}, "
                f"not {self.keep.shape}."
            )
        if self.characters not in ("all", "non-ascii"):
            raise UsageError(f"characters is {self.characters!r}: give all or non-ascii.")
        freeze(self.keep)

    def __reduce__(self) -> tuple[type[Selection], tuple[Page, Bools, Characters]]:
        """Pickle the arguments, so that the array is read-only again."""
        return Selection, (self.page, self.keep, self.characters)

    def _keep_of(self, other: Selection) -> Bools:
        if other.page is not self.page:
            raise UsageError("the selections are of different pages: lift them to the same one.")
        return other.keep

    def __or__(self, other: Selection) -> Selection:
        """Keep the rows that either keeps."""
        widest: Characters = min(self.characters, other.characters)  # "all" sorts first
        return Selection(self.page, self.keep | self._keep_of(other), widest)

    def __and__(self, other: Selection) -> Selection:
        """Keep the rows that both keep."""
        narrowest: Characters = max(self.characters, other.characters)
        return Selection(self.page, self.keep & self._keep_of(other), narrowest)

    def __sub__(self, other: Selection) -> Selection:
        """Keep the rows that this one keeps and the other does not."""
        return Selection(self.page, self.keep & ~self._keep_of(other), self.characters)

    def __invert__(self) -> Selection:
        """Keep the rows that this one drops."""
        return Selection(self.page, ~self.keep)

    def __eq__(self, other: object) -> bool:
        """Return whether both keep the same rows of the same page, and print the same of them."""
        if not isinstance(other, Selection):
            return NotImplemented
        same = other.page is self.page and other.characters == self.characters
        return same and bool(np.array_equal(other.keep, self.keep))

    def __hash__(self) -> int:
        """Hash by page and rows."""
        return hash((id(self.page), self.keep.tobytes()))

    def __len__(self) -> int:
        """Return the number of text rows kept."""
        return int(np.count_nonzero(self.keep))

    def __repr__(self) -> str:
        """Return the number of texts and words kept."""
        texts = len(self.page.text_rows)
        return f"<Selection: {len(self)} of {texts} texts, {self.words} words>"

    @cached_property
    def rows(self) -> Int32s:
        """The text rows kept, in order."""
        return self.page.text_rows[self.keep]

    @property
    def words(self) -> int:
        """Number of words kept."""
        page = self.page
        if COMPILED:
            return _views.sum_kept(page.words, page.text_rows, np.ascontiguousarray(self.keep))
        return int(np.add.reduce(page.words.take(self.rows)))

    @cached_property
    def kept(self) -> Bools:
        """One boolean per row of the page: the kept text and the elements that go with it.

        - An element with kept text inside is kept.
        - A leaf (img, hr, br, ...) is kept if its nearest block ancestor, or the figure it is in,
          has kept text.
        - Cells of a table with kept text are kept, empty or not.
        - White space beside kept text is kept.
        - If all text is kept, so is every row.

        Markdown, HTML and TEI keep more images and white space: see `render.prune`.
        """
        return views.kept_rows(self.page, self.keep)

    def lift(self) -> Selection:
        """Return the same selection on the page that this page is a part of."""
        base = self.page.base
        if base is None:
            return self
        return replace(base.select(self.page.origin[self.rows]), characters=self.characters)

    def text(self) -> str:
        """Return the kept text with its paragraphs, list items, table rows, code and TeX.

        With `characters="non-ascii"`: those characters on one line, one space for each run of
        others between them.
        """
        written = _readable(self)
        whole = plain_text(written.page, written.keep)
        if "\\" in whole or ("$" in whole and "$$" in whole):  # false of most pages
            marked = _with_marked_formulas(written)
            whole = whole if marked is written else plain_text(marked.page, marked.keep)
        return whole if self.characters == "all" else non_ascii(whole)


def _as_it_is(selection: Selection) -> Selection:
    return selection


_readable: Callable[[Selection], Selection] = _as_it_is
_with_marked_formulas: Callable[[Selection], Selection] = _as_it_is


def readable(selection: Selection) -> Selection:
    """Return the selection as its text is written, with formulas as TeX; see `write_text_of`."""
    return _with_marked_formulas(_readable(selection))


def write_text_of(
    readable: Callable[[Selection], Selection],
    with_marked_formulas: Callable[[Selection], Selection],
) -> None:
    """Write the text of each selection as that of what two functions make of it.

    The second one is needed only if the text may have marks of TeX. Formulas and code in tables are
    known to `thresher.render`, which no module of a page imports.
    """
    global _readable, _with_marked_formulas
    _readable, _with_marked_formulas = readable, with_marked_formulas


class Method(Protocol):
    """A way to find the main content: any callable from a page to a selection."""

    def __call__(self, page: Page) -> Selection:
        """Return the text to keep."""
        ...
