"""Which images stay in the output although no text of their block was selected.

A selection holds text, and an image follows the text of its block or its figure (`Selection.kept`).
An image in a block of its own, or in a figure whose caption was not selected, would be dropped,
even in the middle of an article. The rules here keep such images.

A *branch* is the highest element around a dropped image that holds no kept text. Its images stay if

- it holds no text except captions: text in a figure, or at most `_CAPTION_WORDS` words in a branch
  where a class says "caption"; and no words in links, as teasers of other pages have;
- the visible texts right before and right after it are kept. For a branch that is one figure with
  one image that is no link, one of the two is enough, as above the first paragraph;
- at most one of its images outside figures is a link: several in a row are buttons.

Hidden images and icons are dropped.
"""

from __future__ import annotations

import numpy as np

from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int32s, Rows
from thresher.page.arrays import inside, nearest, subtree_sums
from thresher.page.tags import NUMBER

_CAPTION_WORDS = 60  # at most, of a caption that is in no figure
_ICON_PIXELS = 48  # an image with a stated width or height up to this is an icon


def kept_images(selection: Selection) -> Bools:
    """Return one bool per row: dropped images that stay, and the elements around them."""
    page, kept = selection.page, selection.kept
    is_image = (page.tag == NUMBER["img"]) & ~kept
    shown = (is_image & ~page.hidden).nonzero()[0]
    shown = shown[[not _is_icon(page, row) for row in shown.tolist()]] if len(shown) else shown
    if not len(shown) or not selection.keep.any():
        return np.zeros(len(page), np.bool_)
    is_kept_text = _as_bools(page, selection.rows)
    holds_kept = subtree_sums(is_kept_text, page.end) > 0
    is_branch = ~holds_kept & holds_kept.take(np.maximum(page.parent, 0))
    branches = np.unique(nearest(is_branch, page.parent).take(shown))
    branches = _branches_that_stay(page, branches[branches >= 0], shown, is_kept_text)
    in_noscript = inside(page.tag == NUMBER["noscript"], page.end)  # copies of lazy images
    stays = _as_bools(page, shown) | (is_image & in_noscript) | (page.tag == NUMBER["source"])
    return subtree_sums(stays & inside(_as_bools(page, branches), page.end), page.end) > 0


def _as_bools(page: Page, rows: Rows | Int32s) -> Bools:
    """Return one bool per row of the page: True for the given rows."""
    marked = np.zeros(len(page), np.bool_)
    marked[rows] = True
    return marked


def _is_icon(page: Page, row: int) -> bool:
    attr = page.nodes[row].attr
    sizes = (attr("width") or "", attr("height") or "")
    return any(size.isdecimal() and int(size[:5]) <= _ICON_PIXELS for size in sizes)


def _branches_that_stay(page: Page, branches: Rows, shown: Rows, is_kept: Bools) -> Rows:
    """Return the branches whose images stay; `shown` are the rows of dropped images."""
    end = page.end
    in_figure = inside(page.tag == NUMBER["figure"], end)
    words = np.where(page.hidden, 0, page.words)
    captions = subtree_sums(np.where(in_figure, 0, words), end).take(branches)  # in no figure
    fits = subtree_sums(np.where(page.linked, words, 0), end).take(branches) == 0
    fits &= captions <= _CAPTION_WORDS
    for index in (fits & (captions > 0)).nonzero()[0].tolist():
        fits[index] = _has_caption_class(page, int(branches[index]))
    branches = branches[fits]
    ends = end.take(branches)

    def count(rows: Rows) -> Rows:
        """Return how many of the rows, which are sorted, each branch holds."""
        return rows.searchsorted(ends) - rows.searchsorted(branches)

    linked = shown[page.linked.take(shown)]
    buttons = linked[~in_figure.take(linked)]
    is_one_figure = (page.tag.take(branches) == NUMBER["figure"]) & (count(shown) == 1)
    is_one_figure &= count(linked) == 0
    in_branch = inside(_as_bools(page, branches), end)
    texts = ((page.tag == 0) & (page.chars > 0) & ~page.hidden & ~in_branch).nonzero()[0]
    padded = np.concatenate(([False], is_kept.take(texts), [False]))  # no text is kept beyond
    before = padded.take(texts.searchsorted(branches))
    after = padded.take(texts.searchsorted(ends) + 1)
    stays = np.where(is_one_figure, before | after, before & after) & (count(buttons) <= 1)
    rows: Rows = branches[stays]
    return rows


def _has_caption_class(page: Page, branch: int) -> bool:
    """Return whether a class in the branch says that it is a caption."""
    rows = range(branch, int(page.end[branch]))
    return any("caption" in page.attributes(row).get("class", "").lower() for row in rows)
