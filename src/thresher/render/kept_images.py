"""Images between kept text: they stay, though the text around them says nothing of them.

A selection is of text, and an image follows the text of its block or its figure (`Selection.kept`).
So an image in a block of its own, or in a figure whose caption was not chosen, would go, though a
reader sees it in the middle of the article. Here such images are found again, for the forms that
can show them.

A *branch* is what goes as a whole: the highest element around a dropped image that holds no kept
text. Its images stay if

- it holds no text but captions: that of a figure, or short text in a branch that a class calls
  a caption, and no words that are links, as boxes that lead elsewhere have;
- the shown texts next to it, before and after, are kept; of a branch that is one figure, with one
  image that is no link, one of the two is enough, as above the first paragraph;
- it has no more than one image that is a link, but in figures: a row of them is one of buttons.

Hidden images and icons, which state that they are small, go.
"""

from __future__ import annotations

import numpy as np

from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Rows
from thresher.page.arrays import inside, nearest, subtree_sums
from thresher.page.tags import NUMBER

_MOST_CAPTION = 60  # words of a caption that is in no figure
_ICON = 48  # pixels: what states to be no larger is an icon


def pictures(selection: Selection) -> Bools:
    """Tell which rows of the page are dropped images that stay, and what is around them."""
    page, kept = selection.page, selection.kept
    is_image = (page.tag == NUMBER["img"]) & ~kept
    shown = (is_image & ~page.hidden).nonzero()[0]
    shown = shown[[not _is_icon(page, row) for row in shown.tolist()]] if len(shown) else shown
    if not len(shown) or not selection.keep.any():
        return np.zeros(len(page), np.bool_)
    texts = np.zeros(len(page), np.bool_)
    texts[selection.rows] = True
    holds = subtree_sums(texts, page.end) > 0
    is_top = ~holds & holds.take(np.maximum(page.parent, 0))
    branches = np.unique(nearest(is_top, page.parent).take(shown))
    branches = _that_stay(page, branches[branches >= 0], shown, texts)
    marked = np.zeros(len(page), np.bool_)
    marked[branches] = True
    in_noscript = inside(page.tag == NUMBER["noscript"], page.end)  # copies of late images
    stays = np.zeros(len(page), np.bool_)
    stays[shown] = True
    stays |= (is_image & in_noscript) | (page.tag == NUMBER["source"])
    return subtree_sums(stays & inside(marked, page.end), page.end) > 0


def _is_icon(page: Page, row: int) -> bool:
    given = page.attributes(row)
    sizes = [given[name] for name in ("width", "height") if given.get(name, "").isdecimal()]
    return any(int(size[:5]) <= _ICON for size in sizes)


def _that_stay(page: Page, branches: Rows, shown: Rows, kept: Bools) -> Rows:
    """Return the branches whose images stay."""
    end = page.end
    in_figure = inside(page.tag == NUMBER["figure"], end)
    words = np.where(page.hidden, 0, page.words)
    apart = subtree_sums(np.where(in_figure, 0, words), end).take(branches)  # in no figure
    fits = subtree_sums(np.where(page.linked, words, 0), end).take(branches) == 0
    said = apart > 0
    fits &= ~said | (apart <= _MOST_CAPTION)
    for place in (fits & said).nonzero()[0].tolist():
        fits[place] = _has_caption(page, int(branches[place]))
    branches = branches[fits]

    images = shown.searchsorted(end.take(branches)) - shown.searchsorted(branches)
    buttons = shown[page.linked.take(shown) & ~in_figure.take(shown)]
    linked = shown[page.linked.take(shown)]
    alone = (page.tag.take(branches) == NUMBER["figure"]) & (images == 1)
    alone &= linked.searchsorted(end.take(branches)) == linked.searchsorted(branches)

    marked = np.zeros(len(page), np.bool_)
    marked[branches] = True
    solid = (page.tag == 0) & (page.chars > 0) & ~page.hidden & ~inside(marked, end)
    rows = solid.nonzero()[0]
    is_kept = np.concatenate(([False], kept.take(rows), [False]))
    before = is_kept.take(rows.searchsorted(branches))
    after = is_kept.take(rows.searchsorted(end.take(branches)) + 1)
    fits = np.where(alone, before | after, before & after)
    fits &= buttons.searchsorted(end.take(branches)) - buttons.searchsorted(branches) <= 1
    found: Rows = branches[fits]
    return found


def _has_caption(page: Page, branch: int) -> bool:
    """Whether a class in a branch speaks of a caption."""
    rows = range(branch, int(page.end[branch]))
    return any("caption" in page.attributes(row).get("class", "").lower() for row in rows)
