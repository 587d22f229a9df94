"""Content-Seeker: two classifiers, then the largest text or a table of posts (Louvan 2009).

Thesis 3.2.6 has a sketch:
1. A classifier finds the segments of good granularity, those that are one semantic unit.
2. A second one finds those that are content, from the numbers of images, frames, links and stop
   words, the place in the tree and the size.
3. Remaining noise is removed by one of two rules: the largest block of text, for articles; or the
   pattern of a table, for the posts of forums.

Our rules:
- A segment is a block-level element with visible words, and the page is divided from the top: the
  segments are the highest elements whose probability of good granularity is at least 0.8. Text
  outside of them is divided into single text blocks.
- In training, an element has good granularity when at least 90 % of its words are content or at
  least 90 % are not, and the element around it is not like that.
- Both classifiers are random forests (one of the paper's four) on `FEATURES`.
- Largest block: of the content segment with most words and the elements around it, take the element
  where content words minus other words is largest; content segments inside it are kept.
- Table: when at least three siblings of one tag each have ten content words or more, and at least
  half of all content words are in such siblings of one parent, the content segments in that parent
  are kept.

Departures: the thesis gives features, not formulas; all rules above are ours. There are no lists of
stop words by language: stop words are the stems (first 5 letters) on most pages in training. Length
and width of a segment are its words and its share of the page's words, since there is no layout.
Hidden text is neither counted nor kept. The weights are those of `thresher train content-seeker`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.methods.common.option_checks import Options, Probability, Range
from thresher.methods.model.files import Model, cached_reader, load
from thresher.methods.model.forest import Forest
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Float32s, Int32s, Int64s, Rows, UInt32s
from thresher.page.arrays import inside, subtree_sums
from thresher.page.tags import BLOCK, HEADING, LAST_ID, NUMBER, lookup
from thresher.page.words import stems

STEM = 5  # letters
_PROSE_WORDS, _PROSE_LINKS = 10, 0.3  # least words and least excluded link share of prose
_MENU_LINKS = 0.5  # least share of linked words of a menu
_POSTS, _POST_WORDS, _POST_SHARE = 3, 10, 0.5  # least posts, words of each, share of all words

_MAIN, _SIDE = lookup("article main"), lookup("nav header footer aside form")


# --- features ------------------------------------------------------------------------------------

FEATURES = (
    "words", "share of the page's words", "share of linked words", "share of stop words",
    "share of words in prose", "share of words in menus", "images", "frames", "links", "fields",
    "paragraphs", "headings", "items", "blocks", "words a block", "words before", "words after",
    "level", "name", "in article or main", "in nav, header, footer, aside or form",
    "holds article or main", "holds nav, header, footer, aside or form", "share of the parent",
)  # fmt: skip

_NAMES = (
    "p div li td ul ol table tr section article main body h1 h2 h3 nav header footer aside form"
)
_NUMBER_OF_NAME = np.zeros(LAST_ID + 1, np.float32)  # value of the feature "name"; 0: any other
_NUMBER_OF_NAME[[NUMBER[name] for name in _NAMES.split()]] = 1 + np.arange(len(_NAMES.split()))


class Units(NamedTuple):
    """The elements that may be segments, then the text blocks, with their features."""

    row: Int32s  # of the element, or of the block's first text
    end: Int32s  # first row after it
    elements: int  # the number of units that are elements
    words: Int64s
    value: Float32s  # shape (features, units)


# Elements that are counted, by the name of their count.
_COUNTED = {
    "images": lookup("img picture svg canvas video"),
    "frames": lookup("iframe frame"),
    "links": lookup("a"),
    "fields": lookup("input select textarea button"),
    "paragraphs": lookup("p"),
    "headings": HEADING,
    "items": lookup("li tr dd dt"),
    "mains": _MAIN,
    "sides": _SIDE,
}


def units(page: Page, stop_words: UInt32s) -> Units:
    """Return the block-level elements and the text blocks with words, and their features."""
    blocks = page.blocks
    of_texts, of_elements = _counts_of_texts(page, stop_words), _counts_of_elements(page)
    below = {k: subtree_sums(v, page.end) for k, v in (of_texts | of_elements).items()}
    row = (BLOCK[page.tag] & ~page.hidden & (below["words"] > 0)).nonzero()[0]
    has_words = of_texts["words"][blocks.first] > 0
    first, last = blocks.first[has_words], blocks.last[has_words]
    zeros = np.zeros(len(first), np.int64)  # a text block has no elements
    sums = {
        name: np.concatenate((sum_below[row], of_texts[name][first] if name in of_texts else zeros))
        for name, sum_below in below.items()
    }
    rows = np.concatenate((row, first)).astype(np.int32)
    ends = np.concatenate((page.end[row], last + 1)).astype(np.int32)
    value = _values(page, rows, ends, sums, below["words"])
    return Units(rows, ends, len(row), sums["words"], value)


def _counts_of_texts(page: Page, stop_words: UInt32s) -> dict[str, Int64s]:
    """Return counts of the visible text, each with one number per row.

    The counts of a text block are at the row of its first text.
    """
    blocks = page.blocks
    text = ((blocks.of_text >= 0) & ~page.hidden[page.text_rows]).nonzero()[0]
    block, row = blocks.of_text[text], page.text_rows[text]

    def total(values: npt.NDArray[np.integer]) -> Int64s:
        return np.bincount(block, values, len(blocks)).astype(np.int64)

    words = total(page.words[row])
    linked = total(page.words[row] * page.linked[row])
    share = linked / np.maximum(words, 1)
    prose = np.where((words >= _PROSE_WORDS) & (share < _PROSE_LINKS), words, 0)
    menus = np.where(share >= _MENU_LINKS, words, 0)
    counts = {
        "words": words,
        "linked": linked,
        "stops": _stop_words_of_blocks(page, text, stop_words),
        "prose": prose,
        "menus": menus,
        "blocks": words > 0,
    }
    columns = {name: np.zeros(len(page), np.int64) for name in counts}
    for name, values in counts.items():
        columns[name][blocks.first] = values
    return columns


def _counts_of_elements(page: Page) -> dict[str, Int64s]:
    """Return for each name of `_COUNTED` one number per row: 1 for a visible element of it."""
    # Frames and videos are hidden rows, since their content is not shown: their parents decide.
    parent_is_hidden = page.hidden[np.maximum(page.parent, 0)]
    found = {
        name: (
            tags[page.tag] & ~(parent_is_hidden if name in ("images", "frames") else page.hidden)
        ).astype(np.int64)
        for name, tags in _COUNTED.items()
    }
    found["links"] *= page.is_link
    return found


def _stop_words_of_blocks(page: Page, text: Rows, stop_words: UInt32s) -> Int64s:
    """Return the number of stop words in each block; `text` are the visible texts."""
    size = len(page.blocks)
    if not len(stop_words):
        return np.zeros(size, np.int64)
    stem = stems([page.texts[place] for place in text.tolist()], STEM)
    block = np.repeat(page.blocks.of_text[text], page.words[page.text_rows[text]])
    place = np.minimum(stop_words.searchsorted(stem), len(stop_words) - 1)
    return np.bincount(block[stop_words[place] == stem], minlength=size)


def _values(
    page: Page, row: Int32s, end: Int32s, sums: dict[str, Int64s], words_below: Int64s
) -> Float32s:
    """Return the features in the order of `FEATURES`; `words_below` has one number per row."""
    words = sums["words"]
    own = np.maximum(words, 1)
    upto = np.concatenate(([0], np.where(page.hidden, 0, page.words).cumsum()))
    total = max(int(upto[-1]), 1)
    parent = np.where(page.tag[row] == 0, page.blocks.around[row], page.parent[row])
    element = np.where(page.tag[row] == 0, parent, row)
    main, side = inside(_MAIN[page.tag], page.end), inside(_SIDE[page.tag], page.end)
    return np.stack(
        [
            words, words / total, sums["linked"] / own, sums["stops"] / own, sums["prose"] / own,
            sums["menus"] / own, sums["images"], sums["frames"], sums["links"], sums["fields"],
            sums["paragraphs"], sums["headings"], sums["items"], sums["blocks"],
            words / np.maximum(sums["blocks"], 1), upto[row] / total, (total - upto[end]) / total,
            page.level[row], _NUMBER_OF_NAME[page.tag[np.maximum(element, 0)]], main[row],
            side[row], sums["mains"], sums["sides"],
            words / np.maximum(words_below[np.maximum(parent, 0)], 1),
        ]
    ).astype(np.float32)  # fmt: skip


# --- the two stages ------------------------------------------------------------------------------


class Classifiers(NamedTuple):
    """The two trained classifiers."""

    stop_words: UInt32s  # numbers of stems, sorted
    granularity: Forest
    content: Forest

    @classmethod
    def of(cls, model: Model) -> Classifiers:
        """Return the classifiers of a model file, which must have the same features."""
        if model.header.get("features") != list(FEATURES):
            raise model.damaged("it was trained on other features")
        stop_words = model.array("stop_words", "integers", (None,)).astype(np.uint32)
        forests = (Forest.of(model, name, len(FEATURES)) for name in ("granularity", "content"))
        return cls(np.sort(stop_words), *forests)


_classifiers = cached_reader(Classifiers.of)


def segments(all_units: Units, is_good: Bools) -> Int32s:
    """Return the numbers of the highest good elements, and of the text blocks outside of them."""
    count = all_units.elements
    row, end = all_units.row[:count], all_units.end[:count]
    # The elements are in document order, so an element is inside a good one before it if the
    # largest end of those is after its own row.
    reach = np.zeros(count + 1, np.int64)
    np.maximum.accumulate(np.where(is_good, end, 0), out=reach[1:])
    elements = (is_good & (reach[:-1] <= row)).nonzero()[0]
    first = all_units.row[count:]
    blocks = (reach[row.searchsorted(first)] <= first).nonzero()[0] + count
    return np.concatenate((elements, blocks)).astype(np.int32)


@dataclass(frozen=True, slots=True)
class ContentSeeker(Options):
    """Keep the segments of a page that a classifier takes for content, near the largest one."""

    registry_name: ClassVar[str] = "content-seeker"
    model: str = ""  # path of a file of `thresher train content-seeker`; "": the installed one
    rule: Literal["auto", "block", "table", "none"] = "auto"  # thesis: one of two, chosen by hand
    # Least probability of good granularity; swept, see docs/methods.
    granularity: Annotated[float, Range(0.5, 1, without=(1,))] = 0.8
    threshold: Probability = 0.4  # least probability of content; swept, see docs/methods

    def __call__(self, page: Page) -> Selection:
        """Return the visible texts of the content segments that one of the two rules leaves."""
        if page.body < 0:
            return page.none()
        classifiers = _classifiers(load("content-seeker", self.model))
        found = units(page, classifiers.stop_words)
        good = classifiers.granularity.probabilities(found.value[:, : found.elements])
        number = segments(found, good >= self.granularity)
        likely = classifiers.content.probabilities(found.value[:, number]) >= self.threshold
        content = _words_at(page, found, number[likely])
        noise = _words_at(page, found, number[~likely])
        is_kept = content > 0  # at the first row of a segment
        if self.rule != "none" and is_kept.any():
            top = table_of_posts(page, content) if self.rule in ("auto", "table") else -1
            if top < 0 and self.rule != "table":
                top = around_largest(page, content, noise)
            if top >= 0:
                is_kept[:top] = is_kept[page.end[top] :] = False
        in_segment = inside(is_kept, page.end)
        texts = page.blocks.text_mask(in_segment[page.blocks.first])
        return Selection(page, texts & ~page.hidden[page.text_rows])


def _words_at(page: Page, found: Units, number: Int32s) -> Int64s:
    """Return for each row the words of the segment that begins there, 0 if none does."""
    words = np.zeros(len(page), np.int64)
    words[found.row[number]] = found.words[number]
    return words


def around_largest(page: Page, content: Int64s, noise: Int64s) -> int:
    """Return the row of the largest content segment or of the element around it with most gain.

    The gain is content words minus noise words. Ties go to the lowest element.
    """
    gain = subtree_sums(content - noise, page.end)
    row = best = int(np.argmax(content))
    while (row := int(page.parent[row])) >= 0:  # at most as many steps as the page has levels
        if gain[row] > gain[best]:
            best = row
    return best


def table_of_posts(page: Page, content: Int64s) -> int:
    """Return the row of the element whose children are posts, -1 if there is none.

    It is the element with most content words in posts, the first on ties.
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
