"""CETR: content extraction via tag ratios (Weninger, Hsu, Han 2010; thesis 3.3.3.1).

Without scripts, styles and comments, each line i of the source has the ratio (Algorithm 9)
    T[i] = characters outside of tags / max(1, number of tags).
T is smoothed with a Gaussian of sigma 1, and a second axis measures its change:
    G[i] = |mean(T[i+1], T[i+2], T[i+3]) - T[i]|, smoothed the same way.
k-means divides the points (T, G) into k = 3 clusters, the centroid of one of them fixed at (0, 0).
The lines of all other clusters are content.

Departures: lines are reflowed to one length, since the line breaks of today's pages mean little
(`length`; 0 keeps them as written), and a run of white space is then one character. White space
between two tags is not text. A tag is counted in the line where it begins. The mean is over the
lines that exist, and G of the last line is 0. k-means is not random: its first centroid starts at
the mean of all points with T at or above the mean of T, the next at the mean of those of these
points with T at or above their mean, and so on. It ends after at most `moves` moves of the
centroids, converged or not. A text is kept when most of its characters are in content lines. Hidden
text is neither counted nor kept. With a headline (`thresher.methods.common.headline_bound`) text
outside its bounds is not kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from thresher.methods.common.headline_bound import HeadlineBy, bounded
from thresher.methods.common.option_checks import Options, Range
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int64s
from thresher.page.arrays import k_means, smooth
from thresher.page.views import Lines


@dataclass(frozen=True, slots=True)
class CETR(Options):
    """Keep the lines with many characters for their tags, or beside such lines."""

    k: Annotated[int, Range(2, 100)] = 3  # clusters; paper: 3
    sigma: Annotated[float, Range(0, 100, without=(0,))] = 1.0  # in lines; paper: 1
    ahead: Annotated[int, Range(1)] = 3  # lines whose mean shows a change; paper: 3
    length: int = 320  # characters of a line; swept on wcxb-dev and fundus, see docs/methods
    # Most moves of the centroids; swept on wcxb-dev and fundus, see docs/methods.
    moves: Annotated[int, Range(0, 1_000)] = 5
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def __call__(self, page: Page) -> Selection:
        """Return the texts in content lines."""
        lines = page.lines(self.length)
        label = self.clusters(tag_ratios(lines, hidden_runs(page, lines)))[1]
        kept = Selection(page, lines.rows_of(label != 0)) - page.where(page.hidden)
        return bounded(kept, self)

    def clusters(self, ratio: Floats) -> tuple[Floats, Int64s, Floats]:
        """Return the points (T, G) of the lines, the cluster of each line, and the centroids.

        Cluster 0 is the one whose centroid is fixed at (0, 0).
        """
        points = histogram(ratio, self.sigma, self.ahead)
        start = rising_means(points, self.k - 1)
        label, centroids = k_means(points, self.k, fixed=(0, 0), start=start, iterations=self.moves)
        return points, label, centroids


def hidden_runs(page: Page, lines: Lines) -> Bools:
    """Return one bool per run of text in the source: True if it is hidden."""
    hidden: Bools = np.append(page.hidden[page.text_rows], False)[lines.scan.run_text]
    return hidden


def tag_ratios(lines: Lines, hidden: Bools) -> Floats:
    """Return T of each line (Algorithm 9); `hidden` has one bool per run of text."""
    scan = lines.scan
    shown = ~hidden
    text = lines.covered(lines.place(scan.run_first[shown]), lines.place(scan.run_last[shown]))
    begin, end = lines.place(scan.tag_first), lines.place(scan.tag_last)
    upto = begin[end > begin].searchsorted(lines.bounds)  # removed parts are left as empty tags
    ratios: Floats = text / np.maximum(upto[1:] - upto[:-1], 1)
    return ratios


def histogram(ratio: Floats, sigma: float, ahead: int) -> Floats:
    """Return the points (T, G), both smoothed, of shape (lines, 2)."""
    smoothed = smooth(ratio, sigma)
    return np.column_stack((smoothed, smooth(change(smoothed, ahead), sigma)))


def change(ratio: Floats, ahead: int) -> Floats:
    """Return |mean of the next `ahead` lines - line| for each line."""
    upto = np.concatenate(([0.0], ratio.cumsum()))
    after = np.arange(1, len(upto))
    end = np.minimum(after + ahead, len(ratio))
    mean = (upto.take(end) - upto[1:]) / np.maximum(end - after, 1)
    difference: Floats = np.abs(mean - ratio)
    difference[-1:] = 0.0
    return difference


def rising_means(points: Floats, count: int) -> Floats:
    """Return `count` start centroids, each the mean of fewer points with higher T."""
    means = np.zeros((count, 2))
    for mean in means:
        if len(points):
            ratio = points[:, 0]  # rounding may carry the mean of equal ratios above them
            points = points.compress(ratio >= min(ratio.mean(), ratio.max()), axis=0)
            mean[:] = np.add.reduce(points) / len(points)
    return means
