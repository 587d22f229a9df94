"""Common, regular and content parts of a page, by comparison with another page of its site.

Li, Meng, Li and Wang, "Hybrid method for automated news content extraction from the web", sections
4 and 5. A page is a sequence of rows, the elements that break the text flow, with region codes
(`page.flow()`). Two pages of the same template are compared in two stages:

1. *Sequence matching* (Fig. 5): rows with the same name and text that an alignment of least edit
   distance pairs are the **common** part.
2. *Tree matching* (Fig. 8 to 10): the other rows are grouped by subtree, repeated siblings are
   compacted, and a group whose pattern of tags occurs on the other page too, in the same order, is
   the **regular** part.

The rest is **content**.

Departures from the listings, which contain errors:
- Fig. 3, line 12 swaps level and parent.
- Fig. 5, line 14 has lost the `+ 1` of insertions and deletions. Only equal pairs on the path of
  the alignment are marked, not every cell that looks like a match. Among alignments of equal cost
  one with the most equal pairs is taken; `longest=True` takes a longest common subsequence instead.
- Fig. 8 forgets the last group. A group holds all rows in its region, as the text says.
- Fig. 10 removes nothing. Here a sibling whose pattern equals the one before it is dropped, at
  every level of the group.
- Two guards that the paper names but does not define: text that a browser does not show is left out
  first (failures F2), and a group with a row of more than `long_text` words outside of links is
  never regular (failures F1). 8 to 40 words give the same F1 within 0.004 on big9-chaos and daniel,
  25 the best; without the guard daniel loses 0.017.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import Literal, TypeAlias, TypeVar, get_args

import numpy as np

from thresher.errors import UsageError
from thresher.methods.common.option_checks import check_option
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int8s, Int32s, Rows, UInt64s
from thresher.page.arrays import freeze, inside
from thresher.page.decode import well_formed
from thresher.page.tags import lookup
from thresher.page.views import Flow
from thresher.page.words import collapsed
from thresher.site.alignment import align

Part: TypeAlias = Literal["common", "regular", "content"]
PARTS: tuple[Part, ...] = get_args(Part)
COMMON, REGULAR, CONTENT = range(3)

LONG_TEXT = 25  # words

Pattern = TypeVar("Pattern")

_NEVER_SHOWN = lookup("head script style")  # takes no part even with `hidden`


def stable_hash(text: str) -> int:
    """Return 64 bits of a hash that is the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sequence:
    """The rows of a page's tag sequence that take part in matching, as columns."""

    key: UInt64s  # a hash of name and text: rows with equal keys are equal
    pattern: UInt64s  # a hash of name and inner tags, with `(text)` for each run of text
    end: Int32s  # the first row after the region of each row
    parent: Int32s  # begin code of the enclosing row
    level: Int32s
    long_words: Int32s  # words outside of links

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.key)

    def __repr__(self) -> str:
        """Return the number of rows."""
        return f"<Sequence: {len(self)} rows>"


@dataclass(frozen=True, slots=True, eq=False)
class FlowRows:
    """A page's tag sequence with the rows of the page that it came from."""

    page: Page
    flow: Flow
    index: Rows  # of each row of the sequence, its place in `flow`
    sequence: Sequence


def flow_rows(page: Page, *, tables: bool = False, hidden: bool = False) -> FlowRows:
    """Return the rows of a page that take part in matching.

    With `tables`, `table` and `tr` make rows too. With `hidden`, text that a browser does not show
    takes part, as in the first run of the paper; what is in the head, scripts and styles never
    does.
    """
    index, sequence = page.cached(_index_and_sequence, tables, hidden)
    return FlowRows(page, page.flow(tables=tables), index, sequence)


def _index_and_sequence(page: Page, tables: bool, hidden: bool) -> tuple[Rows, Sequence]:
    flow = page.flow(tables=tables)
    shown = ~(inside(_NEVER_SHOWN[page.tag], page.end) if hidden else page.hidden)
    index = shown[flow.row].nonzero()[0]
    place = np.full(len(flow.row), -1, np.intp)
    place[index] = np.arange(len(index))
    content = flow.content[shown[flow.content]]
    content = content[(page.tag[content] != 0) | (page.chars[content] > 0)]
    holder = place[flow.of_row[content]]
    content, holder = content[holder >= 0], holder[holder >= 0]

    is_text = page.tag[content] == 0
    free = is_text & ~page.linked[content]
    words = np.bincount(holder[free], page.words[content[free]], len(index)).astype(np.int32)
    names = [page.names[tag] for tag in page.tag[flow.row[index]].tolist()]
    texts: list[list[str]] = [[] for _ in names]
    patterns = [[f"<{name}>"] for name in names]
    number = page.text_rows.searchsorted(content)  # of each text in `page.texts`
    columns = (holder.tolist(), page.tag[content].tolist(), number.tolist())
    for at, tag, text in zip(*columns, strict=True):
        if tag:
            patterns[at].append(f"<{page.names[tag]}>")
        else:
            texts[at].append(page.texts[text])
            if patterns[at][-1] != "(text)":
                patterns[at].append("(text)")
    lines = (collapsed(" ".join(text)) for text in texts)
    keys = (stable_hash(f"{name} {line}") for name, line in zip(names, lines, strict=True))
    sequence = Sequence(
        key=np.fromiter(keys, np.uint64, len(index)),
        pattern=np.fromiter(map(stable_hash, map("".join, patterns)), np.uint64, len(index)),
        end=flow.begin[index].searchsorted(flow.end[index]).astype(np.int32),
        parent=flow.parent[index],
        level=flow.level[index],
        long_words=words,
    )
    freeze(index, *(getattr(sequence, name) for name in Sequence.__slots__))
    return index, sequence


def sequence_match(first: Sequence, second: Sequence, *, longest: bool = False) -> Rows:
    """Return for each row of the first page its common row of the second, -1 for none (Fig. 5)."""
    return align(first.key.view(np.int64), second.key.view(np.int64), longest=longest)


def sub_tree_groups(rows: Sequence, different: Rows) -> list[Rows]:
    """Group the rows that are not common by subtree (Fig. 8).

    Consecutive rows with the same parent and level form a group, together with every row inside
    their regions.
    """
    groups: list[list[int]] = []
    parent, level, end = rows.parent.tolist(), rows.level.tolist(), rows.end.tolist()
    reached = 0  # the first row after the region of the group
    key: tuple[int, int] | None = None
    for row in different.tolist():
        if row >= reached:
            if (parent[row], level[row]) != key:
                groups.append([])
                key = (parent[row], level[row])
            reached = end[row]
        groups[-1].append(row)
    return [np.array(group, np.intp) for group in groups]


def compact_group(patterns: list[Pattern]) -> list[Pattern]:
    """Drop each pattern that equals the one before it (Fig. 10): `x x y x x` becomes `x y x`."""
    return [pattern for at, pattern in enumerate(patterns) if patterns[at - 1 : at] != [pattern]]


def group_pattern(rows: Sequence, group: Rows) -> tuple[int, ...]:
    """Return the compacted pattern of a group: a hash of each sibling with the rows inside it.

    A row whose enclosing row is common belongs to the nearest row of the group around it.
    """
    members, ends = group.tolist(), rows.end[group].tolist()
    inner: list[list[int]] = [[] for _ in members]  # patterns of the rows inside, last one first
    outermost: list[int] = []
    around: list[int] = []  # of each row, the place of the row around it; -1 for a sibling
    open_rows: list[int] = []
    for place, row in enumerate(members):
        while open_rows and ends[open_rows[-1]] <= row:
            open_rows.pop()
        around.append(open_rows[-1] if open_rows else -1)
        open_rows.append(place)
    own = rows.pattern[group].tolist()
    for place in reversed(range(len(members))):  # rows inside a row come after it
        pattern = stable_hash(f"{own[place]}{compact_group(inner[place])}")
        (inner[around[place]] if around[place] >= 0 else outermost).append(pattern)
    return tuple(compact_group(outermost)[::-1])


def tree_match(
    first: Sequence, second: Sequence, partner: Rows, *, long_text: int = LONG_TEXT
) -> Bools:
    """Return one bool per row of the first page: True if it is regular (Fig. 9).

    A group is regular if a group of the second page has the same pattern. Each group of the second
    page is used once, and in order.
    """
    unmatched = np.ones(len(second), np.bool_)
    unmatched[partner[partner >= 0]] = False
    places: dict[tuple[int, ...], list[int]] = {}
    for place, group in enumerate(sub_tree_groups(second, unmatched.nonzero()[0])):
        places.setdefault(group_pattern(second, group), []).append(place)
    regular = np.zeros(len(first), np.bool_)
    next_match = 0
    for group in sub_tree_groups(first, (partner < 0).nonzero()[0]):
        if first.long_words[group].max() > long_text:
            continue
        found = places.get(group_pattern(first, group), [])
        at = bisect_left(found, next_match)
        if at < len(found):
            regular[group] = True
            next_match = found[at] + 1
    return regular


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The parts of a page: each row of its tag sequence is common, regular or content."""

    rows: FlowRows
    part: Int8s  # COMMON, REGULAR or CONTENT of each row

    @property
    def of_row(self) -> Int8s:
        """The part of each row of the page; -1 for what did not take part."""
        flow = self.rows.flow
        of_flow = np.full(len(flow.row), -1, np.int8)
        of_flow[self.rows.index] = self.part
        return of_flow[flow.of_row]

    def selection(self, part: Part = "content") -> Selection:
        """Return the visible text of a part."""
        if part not in PARTS:
            raise UsageError(f"no part {part!r}: give {', '.join(PARTS[:-1])} or {PARTS[-1]}.")
        page = self.rows.page
        own = self.of_row[page.text_rows] == PARTS.index(part)
        return Selection(page, own & ~page.hidden[page.text_rows])

    def html(self, part: Part = "content") -> str:
        """Return a part as a fragment of HTML: its text with the elements around it, inside body.

        Scripts, styles and hidden elements are left out. Attributes are as in the page, so it is
        not sanitised.
        """
        page, selection = self.rows.page, self.selection(part)
        if not page.chars[page.text_rows][selection.keep].any():
            return ""
        kept = page.only(selection)
        kept = kept.without(kept.hidden)
        begin = kept.source.index(">", kept.offsets[kept.body]) + 1  # in attributes it is `&gt;`
        return well_formed(kept.source[begin : kept.source.rindex(f"</{kept.name(kept.body)}>")])


def match(
    page: Page,
    reference: Page | Sequence,
    *,
    tables: bool = False,
    hidden: bool = False,
    long_text: int = LONG_TEXT,
    longest: bool = False,
) -> Parts:
    """Compare a page with another page of its site and return its parts.

    `reference` is the other page, or its rows (`flow_rows(other, ...).sequence`, made with the same
    `tables` and `hidden`). The options are those of the stages: `flow_rows`, `sequence_match` and
    `tree_match`.
    """
    _check_options(reference, tables=tables, hidden=hidden, long_text=long_text, longest=longest)
    rows = flow_rows(page, tables=tables, hidden=hidden)
    if isinstance(reference, Page):
        reference = flow_rows(reference, tables=tables, hidden=hidden).sequence
    partner = sequence_match(rows.sequence, reference, longest=longest)
    part = np.full(len(partner), CONTENT, np.int8)
    part[tree_match(rows.sequence, reference, partner, long_text=long_text)] = REGULAR
    part[partner >= 0] = COMMON
    return Parts(rows, part)


def _check_options(reference: object, *, long_text: int, **switches: bool) -> None:
    if not isinstance(reference, Page | Sequence):
        raise UsageError("the reference must be a page: give thresher.parse(html).")
    check_option("long_text", long_text, int)
    for name, value in switches.items():
        check_option(name, value, bool)


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Keep the content part of a page, by comparison with another page of its site.

    A method for `thresher.extract`; it is not in the registry, as it needs the reference page.
    """

    reference: Page | Sequence
    tables: bool = False
    long_text: int = LONG_TEXT  # words outside of links; with more, a group is content
    longest: bool = False

    def __post_init__(self) -> None:
        """Raise `UsageError` for the first option that is not as declared."""
        _check_options(
            self.reference, tables=self.tables, long_text=self.long_text, longest=self.longest
        )

    def __call__(self, page: Page) -> Selection:
        """Return the text of the content part."""
        return match(
            page,
            self.reference,
            tables=self.tables,
            long_text=self.long_text,
            longest=self.longest,
        ).selection()


# --- the table of Fig. 6 -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FlowLine:
    """A row of the tag sequence as in Fig. 6 of the paper."""

    index: int
    name: str
    begin: int
    end: int
    parent: int
    level: int
    content: str  # inner tags and text, such as `<a>Weather News`
    part: Part | Literal["hidden", ""]  # hidden: took no part; "": there was no other page


def flow_table(
    page: Page, *, tables: bool = False, reference: Page | Sequence | None = None
) -> list[FlowLine]:
    """Return the tag sequence of a page as in Fig. 6, with each row's part if there is a reference.

    Hidden rows and texts are in it, scripts and styles without their text. Blank text is left out.
    """
    flow = page.flow(tables=tables)
    texts = page.text_rows.searchsorted(flow.content).tolist()
    is_blank = (page.chars[flow.content] == 0).tolist()
    pieces = [
        f"<{page.names[tag]}>" if tag else page.texts[text] * (not blank)
        for tag, text, blank in zip(page.tag[flow.content].tolist(), texts, is_blank, strict=True)
    ]
    contents = [
        collapsed("".join(pieces[begin:end])) for begin, end in pairwise(flow.content_from.tolist())
    ]
    parts: list[Part | Literal["hidden", ""]] = [""] * len(flow.row)
    if reference is not None:
        part = match(page, reference, tables=tables).of_row[flow.row]
        parts = [PARTS[number] if number >= 0 else "hidden" for number in part.tolist()]
    codes = (column.tolist() for column in (flow.begin, flow.end, flow.parent, flow.level))
    names = [page.names[tag] for tag in page.tag[flow.row].tolist()]
    columns = zip(range(len(names)), names, *codes, contents, parts, strict=True)
    return [FlowLine(*column) for column in columns]
