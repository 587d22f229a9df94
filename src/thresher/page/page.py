"""Page and Selection: the page as columns, and the part of it that is kept.

A method is any callable `Page -> Selection`. Both are immutable; what is derived from a page
(views, positions, nodes) is made when first asked for, and kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, compress
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias
from urllib.parse import urljoin

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.page import views
from thresher.page.array_types import Bools, Int32s, Int64s, Rows
from thresher.page.arrays import inside
from thresher.page.columns import Columns, freeze
from thresher.page.plain_text import plain_text
from thresher.page.scan import Scan, line_starts
from thresher.page.serialize import tag_lengths, write
from thresher.page.tags import NUMBER
from thresher.page.words import Letters, non_ascii

# A node of the parser's tree. Only `parse` and `render` know which parser that is.
Node = Any

Characters: TypeAlias = Literal["all", "non-ascii"]


class Load(Protocol):
    """Lists the nodes of a page's rows again, on demand with their exact spans in the source."""

    def __call__(self, page: Page, with_spans: bool, /) -> list[Node]:
        """Parse the page's source once more."""
        ...


class Position(NamedTuple):
    """Where a row stands: line (from 1), column and offset (from 0) in `source`, and CSS path."""

    line: int
    column: int
    offset: int
    css_path: str


@dataclass(frozen=True, eq=False, repr=False)
class Page(Columns):
    """A web page as columns, with its text, its source and its attributes."""

    html: str | None  # the decoded text as it came; None: it is written from the rows when asked
    texts: tuple[str | None, ...]  # of the text rows, in order; None for code, which is not read
    url: str | None
    charset: str | None  # the one that was used; None when the page came as str
    status: str  # "complete", "empty", or what was cut
    load: Load
    limits: tuple[int, int] = (0, 0)  # rows and depth at which the page was cut, for `load`
    base: Page | None = None  # the page that this one is a part of (see `only`)
    origin: Int32s = field(default_factory=lambda: np.zeros(0, np.int32))  # its rows there

    def __repr__(self) -> str:
        """Say how much there is."""
        return f"<Page: {len(self)} rows, {int(self.words.sum())} words, {self.status}>"

    # --- what rows hold ---------------------------------------------------------------------

    def text(self, row: int) -> str:
        """Return the text of a text row as it stands in the page ("" for an element)."""
        if row < 0 or self.tag[row] != 0:
            return ""
        read = self.texts[int(np.searchsorted(self.text_rows, row))]
        return str(self.nodes[row].data) if read is None else read

    @cached_property
    def letters(self) -> Letters:
        """The characters of all text rows; those of code have none."""
        return Letters.of([text or "" for text in self.texts])

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

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields alone: views and nodes are made again on demand."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Restore the fields, read-only again."""
        self.__dict__.update(state)
        freeze(*(value for value in state.values() if isinstance(value, np.ndarray)))

    # --- where rows stand -------------------------------------------------------------------

    @cached_property
    def source(self) -> str:
        """The decoded text of the page, line ends as `\\n`."""
        if self.html is None:
            return self._written[0]
        if "\r" not in self.html:
            return self.html
        return self.html.replace("\r\n", "\n").replace("\r", "\n")

    @cached_property
    def _written(self) -> tuple[str, Int32s]:
        return write(self, self.texts, self.attributes)

    @cached_property
    def offsets(self) -> Int32s:
        """Offset in `source` of each element's start tag; -1 when it was implied, or for text."""
        if self.html is None:
            return self._written[1]
        found = np.full(len(self), -1, np.int32)
        rows = np.flatnonzero(self.tag != 0)
        places = (self.nodes[row].position or (0, 0) for row in rows.tolist())
        flat = np.fromiter(chain.from_iterable(places), np.int64, 2 * len(rows))
        line, column = flat[::2], flat[1::2]
        found[rows] = np.where(line > 0, self.line_starts[line - 1] + column, -1)
        freeze(found)
        return found

    @cached_property
    def line_starts(self) -> Int64s:
        """Offset in `source` of the first character of each line."""
        return line_starts(self.source)

    @cached_property
    def scan(self) -> Scan:
        """The tags and the text runs of `source`, and the row of each run."""
        return Scan.of(self.html or self.source, self, lambda: self.offsets)

    @cached_property
    def markup(self) -> Int32s:
        """Characters of each element's start and end tag as written; serialised when implied.

        The exact spans cost about five times the parse, so they are read when first asked for.
        """
        if self.base is not None:
            counts = self.base.markup[self.origin]
        else:
            spans = (getattr(node, "source_location", None) for node in self.load(self, True))
            counts = tag_lengths(self, self.source, spans, self.attributes)
        freeze(counts)
        return counts

    @cached_property
    def row_offsets(self) -> Int32s:
        """Offset in `source` of each row; an implied one stands with the row before it."""
        return self.scan.row_offsets(self.html or self.source, self, self.offsets)

    def position(self, row: int) -> Position:
        """Return where a row stands in the source.

        Of an element that the source implies, the nearest row before it that is written counts.
        """
        if not 0 <= row < len(self):
            raise UsageError(f"no row {row}: the page has rows 0 to {len(self) - 1}.")
        offset = int(self.row_offsets[row])
        starts = self.line_starts
        line = int(np.searchsorted(starts, offset, side="right"))
        return Position(line, offset - int(starts[line - 1]), offset, self.css_path(row))

    def css_path(self, row: int) -> str:
        """Return a CSS selector of the element, for text of its parent; at most 64 steps."""
        if self.base is not None:
            return self.base.css_path(int(self.origin[row]))
        return views.css_path(self, row, self._place_of_type)

    @cached_property
    def _place_of_type(self) -> tuple[Rows, Rows]:
        return views.place_of_type(self)

    @cached_property
    def base_url(self) -> str:
        """The address that links are relative to: the first `<base href>`, else `url`."""
        if self.base is not None:
            return self.base.base_url
        for row in np.flatnonzero(self.tag == NUMBER["base"]).tolist():
            href = self.attributes(row).get("href", "").strip()
            if href:
                return _join(self.url or "", href)
        return self.url or ""

    def resolve(self, link: str) -> str:
        """Return a link of this page as an absolute address, as far as `url` is known."""
        return _join(self.base_url, link.strip())

    # --- views ------------------------------------------------------------------------------

    @cached_property
    def tokens(self) -> views.Tokens:
        """Start tags, end tags and words in order, each with its row."""
        return views.tokens(self)

    @cached_property
    def blocks(self) -> views.Blocks:
        """Text blocks: text that no block-level tag interrupts."""
        return views.blocks(self)

    @cached_property
    def flow(self) -> views.Flow:
        """The hybrid paper's tag sequence with region codes."""
        return views.flow(self)

    def lines(self, length: int) -> views.Lines:
        """Return the source reflowed to lines of `length` characters (0: lines as written)."""
        made: dict[int, views.Lines] = self.__dict__.setdefault("_lines", {})
        if length not in made:
            made[length] = views.lines(self.scan, length)
        return made[length]

    # --- selections -------------------------------------------------------------------------

    def select(self, rows: npt.ArrayLike) -> Selection:
        """Select the text rows among `rows`; rows of elements are passed over."""
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
        """Select every text row, hidden ones too."""
        return Selection(self, np.ones(len(self.text_rows), np.bool_))

    def none(self) -> Selection:
        """Select nothing."""
        return Selection(self, np.zeros(len(self.text_rows), np.bool_))

    def only(self, selection: Selection) -> Page:
        """Return the page of the kept text and its ancestors.

        `origin` maps its rows to rows of this page, and `Selection.lift` brings selections back:
        so methods run in series. When everything is kept, so is every row.
        """
        if selection.page is not self:
            raise UsageError("the selection is of another page: lift it to this one first.")
        return self._part(selection.kept)

    def without(self, gone: Bools) -> Page:
        """Return the page without the rows in a mask and all that is inside them."""
        if np.shape(gone) != (len(self),):
            raise UsageError(f"a mask needs one entry per row: {len(self)}, not {np.size(gone)}.")
        return self._part(~inside(gone, self.end))

    def _part(self, keep: Bools) -> Page:
        texts = tuple(compress(self.texts, keep[self.text_rows].tolist()))
        return replace(self, **self.part(keep), html=None, texts=texts, base=self)


def _join(base: str, link: str) -> str:
    try:
        return urljoin(base, link)
    except ValueError:  # such as an unclosed bracket in a host
        return link


@dataclass(frozen=True, eq=False, repr=False)
class Selection:
    """The text rows of a page that are kept. Combine selections with `|  &  -  ~`.

    Rows are chosen, not characters, so a selection has one filter of characters, for `text` alone.
    `&` prints what both print, `|` all that either prints, `-` what its left side prints, and `~`
    everything.
    """

    page: Page
    keep: Bools  # one boolean per text row
    characters: Characters = "all"  # which ones `text` prints: "non-ascii" is R2L's filter

    def __post_init__(self) -> None:
        """Check the length, once, and close the array."""
        if self.keep.shape != self.page.text_rows.shape:
            raise UsageError(
                f"a selection needs one boolean per text row: {len(self.page.text_rows)}, "
                f"not {self.keep.shape}."
            )
        if self.characters not in ("all", "non-ascii"):
            raise UsageError(f"characters is {self.characters!r}: give all or non-ascii.")
        freeze(self.keep)

    def __reduce__(self) -> tuple[type[Selection], tuple[Page, Bools, Characters]]:
        """Pickle what it was made of, so that the array is read-only again."""
        return Selection, (self.page, self.keep, self.characters)

    def _with(self, other: Selection) -> Bools:
        if other.page is not self.page:
            raise UsageError("the selections are of different pages: lift them to the same one.")
        return other.keep

    def __or__(self, other: Selection) -> Selection:
        """Keep what either keeps."""
        widest: Characters = min(self.characters, other.characters)  # "all" comes first
        return Selection(self.page, self.keep | self._with(other), widest)

    def __and__(self, other: Selection) -> Selection:
        """Keep what both keep."""
        narrowest: Characters = max(self.characters, other.characters)
        return Selection(self.page, self.keep & self._with(other), narrowest)

    def __sub__(self, other: Selection) -> Selection:
        """Keep what this one keeps and the other does not."""
        return Selection(self.page, self.keep & ~self._with(other), self.characters)

    def __invert__(self) -> Selection:
        """Keep what this one drops."""
        return Selection(self.page, ~self.keep)

    def __eq__(self, other: object) -> bool:
        """Tell whether both keep the same rows of the same page, and print the same of them."""
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
        """Say how much is kept."""
        texts = len(self.page.text_rows)
        return f"<Selection: {len(self)} of {texts} texts, {self.words} words>"

    @cached_property
    def rows(self) -> Int32s:
        """The text rows kept, in order."""
        return self.page.text_rows[self.keep]

    @property
    def words(self) -> int:
        """Number of words kept."""
        return int(self.page.words[self.rows].sum())

    @cached_property
    def kept(self) -> Bools:
        """One boolean per row of the page: the kept text and the elements that follow it.

        An element with kept text inside stays. A leaf (img, hr, br, ...) stays when its nearest
        block ancestor, or the figure it stands in, has kept text. Cells of a table with kept text
        stay, empty or not. White space stays beside kept text. When all text is kept, so is every
        row. (Markdown, HTML and TEI keep more images and white space: see `render.prune`.)
        """
        return views.kept_rows(self.page, self.keep)

    def lift(self) -> Selection:
        """Return the same selection on the page that this page is a part of."""
        base = self.page.base
        if base is None:
            return self
        return replace(base.select(self.page.origin[self.rows]), characters=self.characters)

    def text(self) -> str:
        """Return the kept text: paragraphs, list items, table rows and code, readable.

        Of a selection of non-ASCII characters, those alone: a line with one space for the rest.
        """
        whole = plain_text(self.page, self.page.texts, self.keep, self.page.attributes)
        return whole if self.characters == "all" else non_ascii(whole)


class Method(Protocol):
    """A way to find the main content: any callable from a page to a selection."""

    def __call__(self, page: Page) -> Selection:
        """Choose the text to keep."""
        ...
