"""CETR: content extraction via tag ratios (Weninger, Hsu, Han 2010; thesis 3.3.3.1).

Without scripts, styles and comments, each line i of the source has the ratio (Algorithm 9)
    T[i] = characters outside of tags / max(1, number of tags).
T is smoothed with a Gaussian of sigma 1, and a second axis tells where it changes:
    G[i] = |mean(T[i+1], T[i+2], T[i+3]) - T[i]|, smoothed the same way.
k-means divides the points (T, G) in k = 3 clusters, the centroid of one of them held at (0, 0).
The lines of all other clusters are content.

Departures: lines are reflowed to one length, since line breaks of today's pages say little
(`length`; 0 keeps them as written), and a run of white space is then one character. White space
between two tags is no text. A tag counts in the line where it begins. The mean is of those lines
that exist, and G is 0 in the last. k-means starts at the mean of all points with T at or above the
mean, then at the mean of those of them at or above theirs, and so on: nothing is random. It ends
after a few moves of the centroids, settled or not (`moves`). A text is kept when most of its
characters lie in chosen lines. Hidden text is neither counted nor kept. With a headline (see
`thresher.methods.common.headline_bound`) what lies outside its bounds is not kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.errors import UsageError
from thresher.methods.common.headline_bound import bounded
from thresher.methods.common.option_checks import whole
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats
from thresher.page.arrays import k_means, smooth
from thresher.page.views import Lines

_MOST_CLUSTERS, _MOST_MOVES = 100, 1000  # the time grows with both


@dataclass(frozen=True, slots=True)
class CETR:
    """Keep the lines with many characters for their tags, or beside such lines."""

    k: int = 3  # clusters; paper: 3
    sigma: float = 1.0  # of the smoothing, in lines; paper: 1
    ahead: int = 3  # lines whose mean shows a change; paper: 3
    length: int = 320  # characters of a line; swept on wcxb-dev and fundus, see docs/methods
    moves: int = 5  # of the centroids, at the most; swept on wcxb-dev and fundus, see docs/methods
    headline: str = ""  # of the article, when known: a bound (thesis 7.2.1)

    def __post_init__(self) -> None:
        """Check the options."""
        whole(2, _MOST_CLUSTERS, k=self.k)
        whole(1, ahead=self.ahead)
        whole(0, length=self.length)
        whole(0, _MOST_MOVES, moves=self.moves)
        if not 0 < self.sigma <= 100:
            raise UsageError(f"sigma is {self.sigma}: give a number above 0, at most 100.")

    def __call__(self, page: Page) -> Selection:
        """Cluster the lines, then choose the rows that stand in content."""
        lines = page.lines(self.length)
        is_hidden = np.append(page.hidden[page.text_rows], False)[lines.scan.run_text]
        points = histogram(tag_ratios(lines, is_hidden), self.sigma, self.ahead)
        start = rising_means(points, self.k - 1)
        label, _ = k_means(points, self.k, fixed=(0, 0), start=start, iterations=self.moves)
        found = Selection(page, lines.rows_of(label != 0)) - page.where(page.hidden)
        return bounded(found, self.headline)


def tag_ratios(lines: Lines, hidden_runs: Bools) -> Floats:
    """Algorithm 9: T of each line."""
    scan = lines.scan
    shown = ~hidden_runs
    text = lines.covered(lines.place(scan.run_first[shown]), lines.place(scan.run_last[shown]))
    begin, end = lines.place(scan.tag_first), lines.place(scan.tag_last)
    upto = begin[end > begin].searchsorted(lines.bounds)  # what was cut out left an empty tag
    ratios: Floats = text / np.maximum(upto[1:] - upto[:-1], 1)
    return ratios


def histogram(ratio: Floats, sigma: float, ahead: int) -> Floats:
    """Return the points (T, G), both smoothed, of shape (lines, 2)."""
    smoothed = smooth(ratio, sigma)
    return np.column_stack((smoothed, smooth(change(smoothed, ahead), sigma)))


def change(ratio: Floats, ahead: int) -> Floats:
    """Return how far the mean of the next lines is from each line."""
    upto = np.concatenate(([0.0], ratio.cumsum()))
    after = np.arange(1, len(upto))
    end = np.minimum(after + ahead, len(ratio))
    mean = (upto.take(end) - upto[1:]) / np.maximum(end - after, 1)
    found: Floats = np.abs(mean - ratio)
    found[-1:] = 0.0
    return found


def rising_means(points: Floats, count: int) -> Floats:
    """Return the means of the points at or above the mean in T, of those above that, and so on."""
    means = np.zeros((count, 2))
    for mean in means:
        if len(points):
            ratio = points[:, 0]  # rounding may carry the mean of equal ratios above them
            points = points.compress(ratio >= min(ratio.mean(), ratio.max()), axis=0)
            mean[:] = np.add.reduce(points) / len(points)
    return means
