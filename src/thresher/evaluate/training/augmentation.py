"""Copies of a page to learn more from: shorter, thinner, or with a list of other texts beside it.

A corpus has few short reports among long lists of others, though the web has many: trees that never
saw one take the lists for content. So pages are shown once more with something changed, the labels
of what stays being known:
- `shortened`: of the content only the beginning is left;
- `thinned`: some containers are left out, content or not;
- `beside`: the content of another page, a list or a forum, stands before or after that of an
  article, and is none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.methods.default.features.containers import Frame
from thresher.page import Page
from thresher.page.array_types import Bools, Int64s
from thresher.page.arrays import inside, subtree_sums
from thresher.page.parse import parse

_SHORTEST, _LONGEST = 40, 250  # words that are left of a shortened text; drawn by their logarithm
_SMALLEST, _LARGEST = 0.005, 0.25  # share of the page's words of a container that is left out
_THINNED = 0.1, 0.4  # share of the page's words that are left out
_LEAST = 20  # words of content that must be left
_MOST_HTML = 300_000  # characters of what is put beside an article
_BESIDE = 60, 2500  # its words
_WHOLE, _PART = 0.95, 0.8  # share of the content in what is taken for the element around it
_OUTWARDS = 4  # ancestors of an article that a list may stand beside
_AFTER = 0.7  # how often it stands after it

Generator = np.random.Generator


class Copy(NamedTuple):
    """A page that was changed, which of its text rows are content, and how much of it is left."""

    page: Page
    content: Bools
    left: float  # words of content, over those before


def shortened(page: Page, content: Bools, rng: Generator) -> Copy | None:
    """Leave out the content after its first words; None if there are not many more.

    An element that holds nothing else goes with it.
    """
    words = _words(page, content)
    length = float(np.exp(rng.uniform(np.log(_SHORTEST), np.log(_LONGEST))))
    if words.sum() < 2 * length:
        return None
    of_block = page.blocks.of_text
    before = np.append(words.cumsum() - words, 0)[page.blocks.texts_from]
    late = content & (np.append(before, 0)[of_block] >= length)
    has_text = page.chars[page.text_rows] > 0
    held, lost = _under(page, has_text), _under(page, has_text & late)
    gone = inside((held > 0) & (held == lost), page.end)
    gone[: page.body + 1] = False
    return _without(page, gone, content)


def thinned(page: Page, frame: Frame, content: Bools, rng: Generator) -> Copy | None:
    """Leave out some containers, drawn by chance; None if little content would be left."""
    share = frame.sums[0] / max(float(frame.sums[0][0]), 1.0)
    drawn = rng.permutation(((share >= _SMALLEST) & (share <= _LARGEST)).nonzero()[0])
    wanted = rng.uniform(*_THINNED)
    gone = np.zeros(len(page), np.bool_)
    lost = 0.0
    for container in drawn.tolist():
        if lost > wanted:
            break
        row = frame.row[container]
        if not gone[row]:
            gone[row : frame.end[container]] = True
            lost += share[container]
    copy = _without(page, gone, content)
    return copy if _words(copy.page, copy.content).sum() >= _LEAST else None


def beside(page: Page, content: Bools, other: str, rng: Generator) -> Copy | None:
    """Put the HTML of another page's content beside this one's; None if that changes other text.

    The page's own nodes are changed.
    """
    row = _around(page, content, _WHOLE)
    if row < 0:
        return None
    ancestors = [row]
    while page.parent[ancestors[-1]] > page.body:
        ancestors.append(int(page.parent[ancestors[-1]]))
    at = ancestors[int(rng.integers(min(len(ancestors), _OUTWARDS)))]
    where = "afterend" if rng.random() < _AFTER else "beforebegin"
    page.nodes[at].insert_adjacent_html(where, f"<div {_MARK}>{other}</div>")
    made = parse(page.nodes[0].html)
    marked = [row for row in made.tag.nonzero()[0].tolist() if _MARK in made.nodes[row].attrs]
    if len(marked) != 1:
        return None
    own = (made.text_rows < marked[0]) | (made.text_rows >= made.end[marked[0]])
    if np.count_nonzero(own) != len(content):
        return None
    found = np.zeros(len(own), np.bool_)
    found[own] = content
    return Copy(made, found, 1.0)


_MARK = "data-beside"


def content_html(page: Page, content: Bools) -> str:
    """Return the HTML of the element around most of the content; "" if there is none of use."""
    row = _around(page, content, _PART)
    least, most = _BESIDE
    if row < 0 or not least <= _words(page, content).sum() <= most:
        return ""
    html = str(page.nodes[row].html)
    return html if len(html) <= _MOST_HTML else ""


def _around(page: Page, content: Bools, share: float) -> int:
    """Return the innermost element with this share of the content, -1 if only the body has."""
    words = _words(page, content)
    fits = (_under(page, words) >= share * words.sum()) & (page.tag != 0)
    fits[: page.body + 1] = False
    rows = fits.nonzero()[0]
    return int(rows[-1]) if len(rows) and words.any() else -1


def _words(page: Page, content: Bools) -> Int64s:
    """Count the words of content in each text row."""
    return page.words[page.text_rows].astype(np.int64) * content


def _under(page: Page, of_text: npt.NDArray[np.generic]) -> Int64s:
    """Sum what is given of each text row over each subtree."""
    of_row = np.zeros(len(page), np.int64)
    of_row[page.text_rows] = of_text
    return subtree_sums(of_row, page.end)


def _without(page: Page, gone: Bools, content: Bools) -> Copy:
    kept = ~gone[page.text_rows]
    words = _words(page, content)
    left = float(words[kept].sum() / max(words.sum(), 1))
    return Copy(page.without(gone), content[kept], left)
