"""Content-Seeker: two classifiers, then the largest text or a table of posts (Louvan 2009).

Thesis 3.2.6, which sketches it:
1. A classifier tells the segments of good granularity, those that are one semantic unit.
2. A second one tells which of them are content, from the numbers of images, frames, links and stop
   words, the place in the tree and the size.
3. What is left of noise goes by one of two rules: the largest block of text, for articles; or the
   pattern of a table, for the posts of forums.

The rules chosen:
- A segment is a block-level element with visible words, and the page is divided from the top: the
  segments are the highest elements whose probability of good granularity is at least 0.8. What
  stands outside all of them is divided down to single text blocks.
- In training, an element has good granularity when at least 90 % of its words are content or at
  least 90 % are not, and that is not so of the element around it.
- Both classifiers are random forests (one of the paper's four) and see `FEATURES`.
- Largest block: from the content segment with most words upwards, the element is taken in which
  content words outnumber the others by most; content segments inside it are kept.
- Table: when at least three siblings of one tag each hold ten content words or more, and at least
  half of all content words are in such siblings of one parent, the content segments in that parent
  are kept.

Departures: the thesis gives features, not formulas; all rules above are ours. Stop words are not
listed by language: they are the stems (first 5 letters) found on most pages in training. Length and
width of a segment are its words and its share of the page's, as nothing is laid out. Hidden text is
neither counted nor kept. Weights are those of `thresher train content-seeker`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError
from thresher.methods.model.files import Model, load
from thresher.methods.model.forest import Forest
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Float32s, Int32s, Int64s, Rows, UInt32s
from thresher.page.arrays import inside, subtree_sums
from thresher.page.tags import BLOCK, LAST_ID, NUMBER, lookup
from thresher.page.words import stems

STEM = 5  # letters
_PROSE_WORDS, _PROSE_LINKS = 10, 0.3  # a block of prose has at least so many words, fewer links
_MENU_LINKS = 0.5  # a block of a menu has at least such a share of linked words
_POSTS, _POST_WORDS, _POST_SHARE = 3, 10, 0.5


_IMAGE, _FRAME, _LINK = lookup("img picture svg canvas video"), lookup("iframe frame"), lookup("a")
_FIELD, _PARAGRAPH = lookup("input select textarea button"), lookup("p")
_HEADING, _ITEM = lookup("h1 h2 h3 h4 h5 h6"), lookup("li tr dd dt")
_MAIN, _SIDE = lookup("article main"), lookup("nav header footer aside form")


# --- what the classifiers see --------------------------------------------------------------------

FEATURES = (
    "words", "share of the page's words", "share of linked words", "share of stop words",
    "share of words in prose", "share of words in menus", "images", "frames", "links", "fields",
    "paragraphs", "headings", "items", "blocks", "words a block", "words before", "words after",
    "level", "name", "in article or main", "in nav, header, footer, aside or form",
    "holds article or main", "holds nav, header, footer, aside or form", "share of the parent",
)  # fmt: skip

_NAMED = (
    "p div li td ul ol table tr section article main body h1 h2 h3 nav header footer aside form"
)


def _ranks() -> Float32s:
    """A number for each of the names above, 0 for others."""
    table = np.zeros(LAST_ID + 1, np.float32)
    table[[NUMBER[name] for name in _NAMED.split()]] = np.arange(1, len(_NAMED.split()) + 1)
    return table


_RANK = _ranks()


class Units(NamedTuple):
    """The elements that may be segments, then the text blocks, with their features."""

    row: Int32s  # of the element, or of the block's first text
    end: Int32s  # first row after it
    elements: int  # how many of them are elements
    words: Int64s
    value: Float32s  # shape (features, units)


class _Sums(NamedTuple):
    """Counts of many units: each array has one entry per unit."""

    words: Int64s
    linked: Int64s
    stops: Int64s
    prose: Int64s
    menus: Int64s
    blocks: Int64s
    images: Int64s
    frames: Int64s
    links: Int64s
    fields: Int64s
    paragraphs: Int64s
    headings: Int64s
    items: Int64s
    mains: Int64s
    sides: Int64s


def units(page: Page, stop_words: UInt32s) -> Units:
    """Count what each block-level element and each text block holds."""
    counts = _counts(page, stop_words)
    whole = _Sums(*(subtree_sums(column, page.end) for column in counts))
    is_unit = BLOCK[page.tag] & ~page.hidden & (whole.words > 0)
    row = is_unit.nonzero()[0]
    blocks = page.blocks
    first = blocks.first[counts.words[blocks.first] > 0]
    # The counts of texts stand at each block's first row, those of elements at none.
    single = counts[:6]
    zeros = np.zeros(len(first), np.int64)
    sums = _Sums(
        *(np.concatenate((w[row], c[first])) for w, c in zip(whole[:6], single, strict=True)),
        *(np.concatenate((w[row], zeros)) for w in whole[6:]),
    )
    rows = np.concatenate((row, first)).astype(np.int32)
    ends = np.concatenate((page.end[row], blocks.last[counts.words[blocks.first] > 0] + 1)).astype(
        np.int32
    )
    return Units(rows, ends, len(row), sums.words, _values(page, rows, ends, sums, whole.words))


def _counts(page: Page, stop_words: UInt32s) -> _Sums:
    """Count per row; what a text block holds is counted at its first text."""
    blocks, size = page.blocks, len(page)
    text = ((blocks.of_text >= 0) & ~page.hidden[page.text_rows]).nonzero()[0]
    block, row = blocks.of_text[text], page.text_rows[text]

    def total(values: npt.NDArray[np.integer]) -> Int64s:
        return np.bincount(block, values, len(blocks)).astype(np.int64)

    words = total(page.words[row])
    linked = total(page.words[row] * page.linked[row])
    share = linked / np.maximum(words, 1)
    prose = np.where((words >= _PROSE_WORDS) & (share < _PROSE_LINKS), words, 0)
    menus = np.where(share >= _MENU_LINKS, words, 0)
    stops = _stops(page, text, stop_words)

    def at_first(values: npt.NDArray[np.integer]) -> Int64s:
        column = np.zeros(size, np.int64)
        column[blocks.first] = values
        return column

    # Frames and videos are hidden rows, for what they hold is not shown: their parents decide.
    in_hidden = page.hidden[np.maximum(page.parent, 0)]

    def elements(names: Bools) -> Int64s:
        hidden = in_hidden if names is _IMAGE or names is _FRAME else page.hidden
        return (names[page.tag] & ~hidden).astype(np.int64)

    of_texts = (words, linked, stops, prose, menus, (words > 0).astype(np.int64))
    named = (_IMAGE, _FRAME, _LINK, _FIELD, _PARAGRAPH, _HEADING, _ITEM, _MAIN, _SIDE)
    return _Sums(*map(at_first, of_texts), *map(elements, named))


def _stops(page: Page, text: Rows, stop_words: UInt32s) -> Int64s:
    """Count the stop words that the given texts bring to each block."""
    size = len(page.blocks)
    if not len(stop_words):
        return np.zeros(size, np.int64)
    found = stems([page.texts[place] or "" for place in text.tolist()], STEM)
    block = np.repeat(page.blocks.of_text[text], page.words[page.text_rows[text]])
    place = np.minimum(stop_words.searchsorted(found), len(stop_words) - 1)
    return np.bincount(block[stop_words[place] == found], minlength=size)


def _values(page: Page, row: Int32s, end: Int32s, sums: _Sums, words: Int64s) -> Float32s:
    """Return the features in the order of `FEATURES`."""
    own = np.maximum(sums.words, 1)
    upto = np.concatenate(([0], _own_words(page).cumsum()))
    total = max(int(upto[-1]), 1)
    before = upto[row]
    parent = np.where(page.tag[row] == 0, page.blocks.around[row], page.parent[row])
    element = np.where(page.tag[row] == 0, parent, row)
    main, side = inside(_MAIN[page.tag], page.end), inside(_SIDE[page.tag], page.end)
    return np.stack(
        [
            sums.words, sums.words / total, sums.linked / own, sums.stops / own, sums.prose / own,
            sums.menus / own, sums.images, sums.frames, sums.links, sums.fields, sums.paragraphs,
            sums.headings, sums.items, sums.blocks, sums.words / np.maximum(sums.blocks, 1),
            before / total, (total - upto[end]) / total, page.level[row],
            _RANK[page.tag[np.maximum(element, 0)]], main[row], side[row],
            sums.mains, sums.sides, sums.words / np.maximum(words[np.maximum(parent, 0)], 1),
        ]
    ).astype(np.float32)  # fmt: skip


def _own_words(page: Page) -> Int64s:
    return np.where(page.hidden, 0, page.words).astype(np.int64)


# --- the two stages ------------------------------------------------------------------------------


class Classifiers(NamedTuple):
    """What training found."""

    stop_words: UInt32s  # numbers of stems, sorted
    granularity: Forest
    content: Forest

    @classmethod
    def of(cls, model: Model) -> Classifiers:
        """Take the classifiers from a file; they must ask for our features."""
        if model.header.get("features") != list(FEATURES):
            raise model.damaged("it was trained on other features")
        stop_words = model.array("stop_words", "integers", (None,)).astype(np.uint32)
        forests = (Forest.of(model, name, len(FEATURES)) for name in ("granularity", "content"))
        return cls(np.sort(stop_words), *forests)


_classifiers = lru_cache(maxsize=32)(Classifiers.of)


def segments(found: Units, is_good: Bools) -> Int32s:
    """Divide the page: the numbers of the highest good elements, and of the blocks outside them."""
    row, end = found.row[: found.elements], found.end[: found.elements]
    # The elements stand in document order, so one lies inside a good one before it when the
    # farthest end of those is still to come.
    reach = np.zeros(found.elements + 1, np.int64)
    np.maximum.accumulate(np.where(is_good, end, 0), out=reach[1:])
    elements = (is_good & (reach[:-1] <= row)).nonzero()[0]
    first = found.row[found.elements :]
    blocks = (reach[row.searchsorted(first)] <= first).nonzero()[0] + found.elements
    return np.concatenate((elements, blocks)).astype(np.int32)


@dataclass(frozen=True, slots=True)
class ContentSeeker:
    """Keep the segments of a page that a classifier takes for content, near the largest one."""

    model: str = ""  # path of a file of `thresher train content-seeker`; "": the one that ships
    rule: Literal["auto", "block", "table", "none"] = "auto"  # thesis: one of two, chosen by hand
    granularity: float = 0.8  # least probability of good granularity; swept, see docs/methods
    threshold: float = 0.4  # least probability that a segment is content; swept, see docs/methods

    def __post_init__(self) -> None:
        """Check the options."""
        if not isinstance(self.model, str):
            raise UsageError(f"model is {self.model!r}: give the path of a file.")
        if self.rule not in ("auto", "block", "table", "none"):
            raise UsageError(f"rule is {self.rule!r}: give auto, block, table or none.")
        if not 0.5 <= self.granularity < 1:
            raise UsageError(
                f"granularity is {self.granularity}: give a number from 0.5 to below 1."
            )
        if not 0 < self.threshold < 1:
            raise UsageError(f"threshold is {self.threshold}: give a number between 0 and 1.")

    def __call__(self, page: Page) -> Selection:
        """Divide the page, classify the segments, then apply one of the two rules."""
        if page.body < 0:
            return page.none()
        stage = _classifiers(load("content-seeker", self.model))
        found = units(page, stage.stop_words)
        good = stage.granularity.probabilities(found.value[:, : found.elements])
        number = segments(found, good >= self.granularity)
        likely = stage.content.probabilities(found.value[:, number]) >= self.threshold
        content = _words_at(page, found, number[likely])
        noise = _words_at(page, found, number[~likely])
        inner = content > 0
        if self.rule != "none" and inner.any():
            top = table_of_posts(page, content) if self.rule in ("auto", "table") else -1
            if top < 0 and self.rule != "table":
                top = around_largest(page, content, noise)
            if top >= 0:
                inner[:top], inner[page.end[top] :] = False, False
        return _texts_of(page, inner)


def _words_at(page: Page, found: Units, number: Int32s) -> Int64s:
    """Return for each row the words of the segment that begins there."""
    words = np.zeros(len(page), np.int64)
    words[found.row[number]] = found.words[number]
    return words


def _texts_of(page: Page, chosen: Bools) -> Selection:
    """Keep the texts inside the chosen elements, and those of the chosen blocks."""
    blocks = page.blocks
    within = inside(chosen, page.end)
    keep = blocks.texts(within[blocks.first])
    return Selection(page, keep & ~page.hidden[page.text_rows])


def around_largest(page: Page, content: Int64s, noise: Int64s) -> int:
    """Return the element above the largest content segment where content prevails by most.

    Ties go to the lowest element.
    """
    gain = subtree_sums(content - noise, page.end)
    row = best = int(np.argmax(content))
    while (row := int(page.parent[row])) >= 0:  # at most as many steps as the page has levels
        if gain[row] > gain[best]:
            best = row
    return best


def table_of_posts(page: Page, content: Int64s) -> int:
    """Return the element whose children are posts, -1 when there is none.

    The one with most content words in posts, the first on ties.
    """
    inner = subtree_sums(content, page.end)
    post = ((inner >= _POST_WORDS) & (page.tag != 0) & (page.parent >= 0)).nonzero()[0]
    parent = page.parent[post].astype(np.int64)
    key, group = np.unique(parent * (LAST_ID + 1) + page.tag[post], return_inverse=True)
    count = np.bincount(group, minlength=len(key))
    words = np.bincount(group, inner[post], len(key))
    fits = (count >= _POSTS) & (words >= _POST_SHARE * inner[0])
    if not fits.any():
        return -1
    return int(key[np.where(fits, words, -1).argmax()] // (LAST_ID + 1))
