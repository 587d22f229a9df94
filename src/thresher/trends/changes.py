"""Change points of a curve, and its shape: emerging, fading, peaked, dipped or steady.

A curve is the mean score of the documents of each period. Let n_t be the number of documents of
period t and S_t the sum of their scores, N the number of all documents, T that of the periods with
documents (others are left out), and M the mean of all scores.

Change points. Cut the periods into runs; n_r, S_r and M_r = S_r / n_r are the documents, the
sum and the mean of run r. The cuts are those that maximise

    sum over runs of gain(r) / phi - penalty * number of cuts
    gain(r) = 2 (S_r log M_r + (n_r - S_r) log(1 - M_r))

found exactly by dynamic programming over the last cut, in time quadratic in the periods. The gain
is twice the log-likelihood of n_r draws of which S_r succeed. Scores are no such draws but, as a
share of successes does, they lie between 0 and 1, are often 0 and vary more where their mean is
higher; phi is how much they vary in comparison (quasi-likelihood; Wedderburn 1974). With sums of
squares within periods this would be the least-squares partition, which takes a few documents with a
keyword of a rare topic for a change.

    phi = q N / (d + (N - d) q),  d = N - T + 1
    q   = (W + V) / B
    W   = sum of squared differences of scores from the mean of their period
    V   = variance of all scores: counts as one difference, so that W = 0 by chance is no proof
    B   = sum of S_t (1 - S_t / n_t) over the periods with two or more documents, which W is if all
          scores are 0 or 1; a single document has no difference from its mean

If the documents are independent with one distribution, k given cuts increase the gain by k phi F,
where F has approximately the F distribution with k and d degrees of freedom. There are C(T-1, k)
ways to make k cuts, so some partition with cuts wins with a probability of at most

    sum over k of C(T-1, k) P(F_{k,d} > penalty)

and the penalty is the smallest one for which this is at most the level, 0.05. This corrects for the
search over all positions and numbers of cuts. A test measures that fewer than 5 in 100 curves
without a change get one, also with rare keywords, few documents and periods of different sizes.

A cut is a rise or a fall from the mean of the run before to that of the run after. It is abrupt if

    - it is at least a third of the whole rise or fall that it is a part of: the cuts in the same
      direction that follow each other without one in the other direction
    - and at least half of it happens at the cut: between the mean of the last third of the run
      before and the mean of the first third of the run after (at least one period each)

and gradual otherwise: a curve that climbs steadily is cut where steps fit it best.

Shape. Half the level is for cuts, half for the slope of a line. If there are cuts, let `low`
and `high` be the smallest and the largest mean of a run, and h = (high - low) / 2:

    emerging    the last run is at least h above the first
    fading      the last run is at least h below the first
    peaked      otherwise, if `high` is at least as far above both ends as `low` is below both
    dipped      otherwise

If there are no cuts, the slope b of the least-squares line through the documents' scores decides:
emerging if it rises, fading if it falls, steady if it is not significant by a t test with N - 1
degrees of freedom of

    b / sqrt(V / sum over documents of squared differences of their periods from the mean period)

V / sum is the variance of b over all orders of the scores. The variance within periods in place of
V would be wrong where few periods have several documents: it is 0 by chance if these are alike. So
a curve of independent documents with one distribution is steady with a probability of at least
0.95. With fewer than two documents in every period nothing can be told from chance, and the curve
is steady.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

from thresher.page.array_types import Bools, Floats, Int64s
from thresher.trends.terms import need

Kind: TypeAlias = Literal["abrupt rise", "gradual rise", "abrupt fall", "gradual fall"]
Shape: TypeAlias = Literal["emerging", "fading", "peaked", "dipped", "steady"]
LEVEL = 0.05  # probability of a change where there is none
_PART = 1 / 3  # of a rise or fall that an abrupt cut is at least
_AT_ONCE = 1 / 2  # of an abrupt cut that happens between neighbouring thirds of its runs
_ROUNDING = 1e-9  # relative: smaller differences are none


@dataclass(frozen=True, slots=True)
class Change:
    """A change point of a query's curve."""

    query: str
    period: str  # the first one with the new level
    kind: Kind
    before: float  # mean score of the documents between the change before and this one
    after: float  # mean score of the documents from this change to the next


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The scores of one query, summed by period."""

    count: Floats  # documents of each period
    total: Floats  # sum of their scores
    squares: Floats  # sum of the squares of their scores

    @classmethod
    def of(cls, scores: Floats, period: Int64s, periods: int) -> Curve:
        """Sum the scores of documents; `period` is the number of each document's period."""
        return cls(
            np.bincount(period, minlength=periods).astype(np.float64),
            sum_by(period, scores, periods),
            sum_by(period, scores**2, periods),
        )

    def change_points(self, level: float = LEVEL) -> list[int]:
        """Return the first period of each new level, in order."""
        filled = self.count.nonzero()[0]
        _, freedom = self.noise()
        if len(filled) < 2 or freedom < 1 or self._is_constant():
            return []
        price = penalty(len(filled) - 1, freedom + 1, level) * self.dispersion()
        if not math.isfinite(price):
            return []
        return [
            int(filled[cut]) for cut in best_cuts(self.count[filled], self.total[filled], price)
        ]

    def _is_constant(self) -> bool:
        """Return True if all scores are equal; their sums differ by rounding."""
        squares = float(self.squares.sum())
        spread = squares - float(self.total.sum()) ** 2 / float(self.count.sum())
        return spread <= _ROUNDING * squares

    def dispersion(self) -> float:
        """Return how much the scores vary in comparison with draws of 0 and 1 of the same mean."""
        count, total = self.count[self.count > 0], self.total[self.count > 0]
        number = float(count.sum())
        noise, freedom = self.noise()
        variance = max(self.squares.sum() - total.sum() ** 2 / number, 0.0) / (number - 1)
        of_draws = float((total * (1 - total / count))[count > 1].sum())
        if of_draws <= _ROUNDING * number:  # all scores of a period are 0 or 1, or there is one
            return 1.0
        share = (noise * freedom + variance) / of_draws
        return float(share * number / (freedom + 1 + (number - freedom - 1) * share))

    def levels(self, cuts: list[int]) -> Floats:
        """Return the mean score of the documents of each run between cuts."""
        starts = np.array([0, *cuts])
        return np.add.reduceat(self.total, starts) / np.add.reduceat(self.count, starts)

    def noise(self) -> tuple[float, int]:
        """Return the variance of scores within periods, and its degrees of freedom."""
        filled = self.count > 0
        freedom = int(self.count.sum()) - int(filled.sum())
        between = (self.total[filled] ** 2 / self.count[filled]).sum()
        within = max(float(self.squares.sum() - between), 0.0)
        # Sums of equal scores differ by rounding: what is smaller than that is no noise.
        within = within if within > 1e-12 * float(self.squares.sum()) else 0.0
        return within / max(freedom, 1), freedom

    def slope(self) -> tuple[float, float]:
        """Return the slope of the line through the documents' scores, and its two-sided p value.

        The slope is per period.
        """
        if (self.count > 0).sum() < 2:
            return 0.0, 1.0
        number = float(self.count.sum())
        at = np.arange(len(self.count))
        place = at - np.average(at, weights=self.count)
        spread = float((self.count * place**2).sum())
        slope = float((place * self.total).sum()) / spread
        is_flat = abs(slope) * spread <= 1e-12 * float(np.abs(place * self.total).sum())
        if is_flat or self.noise()[1] < 1:
            return slope, 1.0
        squares = float(self.squares.sum()) - float(self.total.sum()) ** 2 / number
        squares = max(squares, slope**2 * spread)  # what the line explains; else by rounding
        statistic = abs(slope) / math.sqrt(squares / (number - 1) / spread)
        return slope, float(2 * need("scipy.special").stdtr(number - 1, -statistic))

    def step_at(self, start: int, cut: int, end: int) -> float:
        """Return the difference of the means of neighbouring thirds of the runs around a cut."""
        before = start + self.count[start:cut].nonzero()[0]
        after = cut + self.count[cut:end].nonzero()[0]
        before, after = before[-math.ceil(len(before) / 3) :], after[: math.ceil(len(after) / 3)]
        means = [self.total[part].sum() / self.count[part].sum() for part in (before, after)]
        return float(means[1] - means[0])

    def shape(self, level: float = LEVEL) -> Shape:
        """Return the shape of the curve, as the module defines it."""
        cuts = self.change_points(level / 2)
        if not cuts:
            slope, probability = self.slope()
            if probability > level / 2:
                return "steady"
            return "emerging" if slope > 0 else "fading"
        levels = self.levels(cuts)
        first, last, high = levels[0], levels[-1], levels.max()
        half = (high - levels.min()) / 2
        if abs(last - first) >= half:
            return "emerging" if last > first else "fading"
        is_peaked = high - max(first, last) >= min(first, last) - levels.min()
        return "peaked" if is_peaked else "dipped"


def changes_of(curve: Curve, query: str, periods: tuple[str, ...]) -> list[Change]:
    """Return the change points of a curve, named."""
    cuts = curve.change_points()
    if not cuts:
        return []
    levels = curve.levels(cuts)
    steps = np.diff(levels)
    whole = _same_direction(steps)
    ends = [0, *cuts, len(periods)]
    return [
        Change(
            query,
            periods[cut],
            _kind(
                step, step / all_steps, curve.step_at(ends[number], cut, ends[number + 2]) / step
            ),
            float(levels[number]),
            float(levels[number + 1]),
        )
        for number, (cut, step, all_steps) in enumerate(
            zip(cuts, steps.tolist(), whole.tolist(), strict=True)
        )
    ]


def _kind(step: float, part: float, at_once: float) -> Kind:
    if part >= _PART - _ROUNDING and at_once >= _AT_ONCE - _ROUNDING:
        return "abrupt rise" if step > 0 else "abrupt fall"
    return "gradual rise" if step > 0 else "gradual fall"


def _same_direction(steps: Floats) -> Floats:
    """Return for each step the sum of it and its neighbours of the same sign."""
    turns = np.diff(steps > 0, prepend=steps[0] > 0)
    group = turns.cumsum()
    whole: Floats = sum_by(group, steps, len(steps))[group]
    return whole


def sum_by(group: Int64s, values: Floats | Bools, groups: int) -> Floats:
    """Return the sum of the values of each group."""
    return np.bincount(group, values, groups).astype(np.float64)


@lru_cache(maxsize=1000)
def penalty(positions: int, freedom: int, level: float = LEVEL) -> float:
    """Return the least penalty of a cut with at most this probability of a false one."""
    special = need("scipy.special")
    cuts = np.arange(1, positions + 1)
    ways = special.gammaln(positions + 1) - special.gammaln(cuts + 1)
    ways -= special.gammaln(positions - cuts + 1)

    def false_cut(price: float) -> float:
        tail = special.fdtrc(cuts, freedom, price)
        with np.errstate(divide="ignore"):
            return float(np.exp(np.minimum(ways + np.log(tail), 0)).sum())

    low, high = 0.0, 1.0
    while false_cut(high) > level:
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if false_cut(middle) > level else (low, middle)
    return high


def best_cuts(count: Floats, total: Floats, price: float) -> list[int]:
    """Return the cuts that maximise the gain of all runs minus `price` for each cut.

    A cut is the number of the first period of a run. Fewer cuts win ties, up to rounding.
    """
    entropy = need("scipy.special").xlogy
    documents = np.concatenate([[0.0], count.cumsum()])
    scores = np.concatenate([[0.0], np.clip(total, 0, count).cumsum()])
    best = np.zeros(len(count) + 1)
    best[0] = price
    start = np.zeros(len(count) + 1, np.intp)
    slack = _ROUNDING * price
    for end in range(1, len(count) + 1):
        number, sums = documents[end] - documents[:end], scores[end] - scores[:end]
        mean = np.clip(sums / number, 0, 1)
        gain = 2 * number * (entropy(mean, mean) + entropy(1 - mean, 1 - mean))
        value = best[:end] + gain - price
        start[end] = int(np.argmax(value >= value.max() - slack))
        best[end] = value[start[end]]
    cuts = []
    end = len(count)
    while start[end] > 0:
        end = int(start[end])
        cuts.append(end)
    return cuts[::-1]
