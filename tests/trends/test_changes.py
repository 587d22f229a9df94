"""Change points and shapes: plain definitions, made series of every class, false alarms."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f as f_distribution
from scipy.stats import linregress

from thresher.trends.changes import Change, Curve, best_cuts, changes_of, penalty


def curve_of(*periods):
    """The curve of the scores of each period."""
    period = np.repeat(np.arange(len(periods)), [len(scores) for scores in periods])
    scores = np.array([score for each in periods for score in each], float)
    return Curve.of(scores, period, len(periods))


def noisy(means, documents=40, seed=1, share=0.5):
    """Scores around these means; each document has a keyword with the probability `share`."""
    draw = np.random.default_rng(seed)
    return [
        np.where(
            draw.random(documents) < share,
            np.clip(mean / share + draw.normal(0, 0.05, documents), 0, 1),
            0,
        )
        for mean in means
    ]


# --- definitions ---------------------------------------------------------------------------------


def slow_gain(count, total):
    mean = total / count
    won = total * math.log(mean) if total > 0 else 0.0
    lost = (count - total) * math.log(1 - mean) if total < count else 0.0
    return 2 * (won + lost)


def slow_cuts(count, total, price):
    """Of all partitions, the best one."""
    number = len(count)
    best, best_value = None, -math.inf
    for size in range(number):
        for cuts in itertools.combinations(range(1, number), size):
            ends = [0, *cuts, number]
            value = -price * size
            for start, end in itertools.pairwise(ends):
                value += slow_gain(sum(count[start:end]), sum(total[start:end]))
            if value > best_value + 1e-7:
                best, best_value = list(cuts), value
    return best


@given(
    st.lists(st.tuples(st.integers(1, 5), st.integers(0, 8)), min_size=1, max_size=7),
    st.sampled_from([0.31, 1.7, 4.1]),
)
def test_the_best_of_all_partitions(periods, price):
    count = [float(documents) for documents, _ in periods]
    total = [documents * share / 8 for documents, share in periods]
    assert best_cuts(np.array(count), np.array(total), price) == slow_cuts(count, total, price)


@pytest.mark.parametrize(("positions", "freedom"), [(1, 5), (3, 20), (10, 1000), (39, 200)])
def test_the_penalty(positions, freedom):
    price = penalty(positions, freedom, 0.05)
    bound = sum(
        math.comb(positions, cuts) * f_distribution.sf(price, cuts, freedom)
        for cuts in range(1, positions + 1)
    )
    assert bound == pytest.approx(0.05, rel=1e-6)


def test_the_penalty_by_hand():
    # One position: the square of the two-sided 5 % quantile of the normal distribution.
    assert penalty(1, 10**7) == pytest.approx(1.959964**2, abs=1e-4)
    assert penalty(10, 10**7) == pytest.approx(8.386, abs=1e-3)
    assert penalty(2000, 10**6) < penalty(19_999, 10**6) < 40


def test_noise_by_hand():
    curve = curve_of([0, 1], [], [0.5, 0.5, 0.8])
    assert curve.count.tolist() == [2, 0, 3]
    assert curve.total.tolist() == pytest.approx([1, 0, 1.8])
    # squares around the means 0.5 and 0.6: 0.25 + 0.25, 0.01 + 0.01 + 0.04; five documents, two
    # means
    assert curve.noise() == (pytest.approx(0.56 / 3), 3)


def test_dispersion_by_hand():
    # W = 0.56; V: five scores, mean 0.56: (0.3136 + 0.1936 + 2 * 0.0036 + 0.0576) / 4 = 0.143
    # B = 1 * 0.5 + 1.8 * 0.4 = 1.22; d = 5 - 2 + 1 = 4; q = 0.703 / 1.22
    share = 0.703 / 1.22
    expected = share * 5 / (4 + share)
    assert curve_of([0, 1], [], [0.5, 0.5, 0.8]).dispersion() == pytest.approx(expected)


def test_a_single_document_tells_nothing_of_the_dispersion():
    # W = 0, V = 0.25 / 4 - 0.25 / 20 = 0.05; B = 0 without the single document: as zeros and ones
    assert curve_of([0, 0, 0, 0], [0.5]).dispersion() == 1
    # W = 0.5, V = (1.25 - 1.5 ** 2 / 3) / 2 = 0.25; B = 0.5; d = 3 - 2 + 1
    expected = 1.5 * 3 / (2 + 1.5)
    assert curve_of([0, 1], [0.5]).dispersion() == pytest.approx(expected)


def test_the_dispersion_of_zeros_and_ones_is_about_1():
    draw = np.random.default_rng(3)
    curve = curve_of(*(draw.random((30, 40)) < 0.3))
    assert curve.dispersion() == pytest.approx(1, abs=0.02)
    halved = Curve(curve.count, curve.total / 2, curve.squares / 4)
    # scores of 0 and 0.5: the variance is 0.25 * 0.21 instead of 0.15 * 0.85
    assert halved.dispersion() == pytest.approx(0.0525 / 0.1275, abs=0.03)


@given(st.lists(st.lists(st.integers(0, 10), min_size=1, max_size=6), min_size=2, max_size=6))
def test_the_slope(periods):
    curve = curve_of(*([score / 10 for score in period] for period in periods))
    at = [number for number, period in enumerate(periods) for _ in period]
    scores = [score / 10 for period in periods for score in period]
    assert curve.slope()[0] == pytest.approx(linregress(at, scores).slope, abs=1e-12)


def test_the_probability_of_the_slope():
    """A t test of the slope with its variance over all orders of the scores."""
    periods = [[0.1, 0.3], [0.2, 0.5], [0.4, 0.6]]
    at, scores = np.repeat([0, 1, 2], 2), np.concatenate(periods)
    slopes = [linregress(at, order).slope for order in itertools.permutations(scores)]
    slope, probability = curve_of(*periods).slope()
    assert slope == pytest.approx(0.15)
    assert np.mean(slopes) == pytest.approx(0)
    statistic = slope / np.std(slopes)
    assert probability == pytest.approx(f_distribution.sf(statistic**2, 1, 5))


@given(st.lists(st.lists(st.integers(0, 10), min_size=1, max_size=6), min_size=2, max_size=6))
def test_the_probability_of_any_slope(periods):
    probability = curve_of(*([score / 10 for score in period] for period in periods)).slope()[1]
    at = [number for number, period in enumerate(periods) for _ in period]
    scores = [score / 10 for period in periods for score in period]
    correlation = np.corrcoef(at, scores)[0, 1] if np.ptp(scores) else 0
    if abs(correlation) < 1e-12 or len(scores) == len(periods):
        assert probability == 1
        return
    freedom = len(scores) - 1
    assert probability == pytest.approx(f_distribution.sf(correlation**2 * freedom, 1, freedom))


@pytest.mark.parametrize(
    "periods",
    [
        [[0, 0], [0], [1]],
        [[0, 0], [1, 1]],  # every third order of two zeros and two ones is as steep
        [[0, 0], [0, 0], [1, 1]],
        [[0, 0], [0, 1e-6], [1, 1]],  # the same with a little noise
        [[0.5, 0.5], [0.5 + 1e-9, 0.5 + 1e-9]],
    ],
)
def test_few_documents_are_no_trend_even_if_they_agree(periods):
    assert curve_of(*periods).slope()[1] > 0.1
    assert curve_of(*periods).shape() == "steady"


def test_many_documents_that_agree_are_a_trend():
    assert curve_of(*([level / 10] * 20 for level in range(5))).shape() == "emerging"


# --- series of every class -----------------------------------------------------------------------

NAMES = tuple(str(year) for year in range(2000, 2040))


def test_a_rise_by_hand():
    draw = np.random.default_rng(5)
    low, high = (draw.normal(mean, 0.02, (4, 30)) for mean in (0.1, 0.3))
    curve = curve_of(*low, *high)
    change = changes_of(curve, "q", NAMES[:8])
    before, after = (pytest.approx(float(part.mean())) for part in (low, high))
    assert change == [Change("q", "2004", "abrupt rise", before, after)]
    assert curve.shape() == "emerging"


@pytest.mark.parametrize(
    ("means", "shape", "kinds"),
    [
        ([0.2] * 12, "steady", []),
        ([0.0] * 12, "steady", []),
        ([0.05] * 6 + [0.4] * 6, "emerging", ["2006 abrupt rise"]),
        ([0.4] * 5 + [0.05] * 7, "fading", ["2005 abrupt fall"]),
        (
            [0.05] * 4 + [0.4] * 4 + [0.05] * 4,
            "peaked",
            ["2004 abrupt rise", "2008 abrupt fall"],
        ),
        (
            [0.4] * 4 + [0.05] * 4 + [0.4] * 4,
            "dipped",
            ["2004 abrupt fall", "2008 abrupt rise"],
        ),
        ([0.0] * 10 + [0.4] * 2, "emerging", ["2010 abrupt rise"]),
        ([0.05, 0.05, 0.2, 0.2, 0.2, 0.45, 0.45], "emerging", None),
    ],
)
def test_shapes(means, shape, kinds):
    curve = curve_of(*noisy(means))
    assert curve.shape() == shape
    if kinds is not None:
        found = changes_of(curve, "q", NAMES[: len(means)])
        assert [f"{change.period} {change.kind}" for change in found] == kinds


def test_a_steady_climb_is_gradual():
    means = np.linspace(0.02, 0.45, 24)
    curve = curve_of(*noisy(means, documents=100))
    found = changes_of(curve, "q", NAMES[:24])
    assert len(found) >= 3
    assert {change.kind for change in found} == {"gradual rise"}
    assert curve.shape() == "emerging"
    falling = curve_of(*noisy(means[::-1], documents=100))
    assert {change.kind for change in changes_of(falling, "q", NAMES[:24])} == {"gradual fall"}


def test_a_slope_without_a_cut():
    """A slope too weak for any cut, as the search over all cuts costs more than one line."""
    found = {}
    for seed in range(20):
        curve = curve_of(*noisy(np.linspace(0.15, 0.28, 12), documents=25, seed=seed))
        found.setdefault((bool(curve.change_points(0.025)), curve.shape()), []).append(seed)
    assert found[False, "emerging"]
    assert not found.keys() & {(True, "fading"), (False, "fading"), (False, "peaked")}


def test_empty_periods_are_left_out():
    scores = noisy([0.05, 0.05, 0.4, 0.4], documents=60)
    curve = curve_of(scores[0], [], scores[1], [], [], scores[2], scores[3], [])
    assert [change.period for change in changes_of(curve, "q", NAMES[:8])] == ["2005"]


@pytest.mark.parametrize(
    "periods",
    [
        [],
        [[]],
        [[0.5]],
        [[0.5], [0.9], [0.1]],  # one document each: nothing is known of the noise
        [[0.5, 0.5], [0.5, 0.5]],
        [[0, 0], [0, 0], [1, 1]],
        [[1, 1], [1, 1]],
        [[0.1, 0.2, 0.3]],
    ],
)
def test_too_little_to_tell(periods):
    curve = curve_of(*periods)
    assert curve.change_points() == []
    assert curve.shape() in ("steady", "emerging")
    assert changes_of(curve, "q", NAMES[: len(periods)]) == []


def test_many_periods_with_hardly_any_documents():
    """So little is known of the noise that no penalty is high enough."""
    assert curve_of([0, 0.5], *([0] for _ in range(3000))).change_points() == []


def test_an_abrupt_change_of_many_periods_is_found_in_time():
    curve = curve_of(*noisy([0.1] * 1300 + [0.3] * 1300, documents=3))
    cuts = curve.change_points()
    assert len(cuts) == 1
    assert abs(cuts[0] - 1300) < 15


# --- false alarms --------------------------------------------------------------------------------


def zeros_and_ones(draw, size):
    return (draw.random(size) < 0.3).astype(float)


def mostly_zero(draw, size):
    return np.where(draw.random(size) < 0.1, draw.uniform(0.2, 1, size), 0)


def rare(draw, size):
    return np.where(draw.random(size) < 0.02, draw.uniform(0.2, 1, size), 0)


def similar(draw, size):
    return np.clip(draw.normal(0.5, 0.1, size), 0, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("periods", "documents"), [(5, 20), (11, 5), (11, 100), (40, 2), (40, 20)])
@pytest.mark.parametrize("distribution", [zeros_and_ones, mostly_zero, rare, similar])
def test_at_most_5_percent_of_curves_without_a_change_get_one(distribution, periods, documents):
    draw = np.random.default_rng(11)
    period = np.repeat(np.arange(periods), documents)
    rounds = 300
    changed = shaped = 0
    for _ in range(rounds):
        curve = Curve.of(distribution(draw, periods * documents), period, periods)
        changed += bool(curve.change_points())
        shaped += curve.shape() != "steady"
    assert changed <= 0.05 * rounds
    assert shaped <= 0.05 * rounds


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[1] * 20 + [30], [30] + [1] * 20, [1, 2] * 10, [2, 2, 2]])
@pytest.mark.parametrize("distribution", [zeros_and_ones, mostly_zero, rare, similar])
def test_periods_of_different_sizes_do_not_raise_false_alarms(distribution, sizes):
    """Documents may be alike by chance if few periods have several of them."""
    draw = np.random.default_rng(12)
    period = np.repeat(np.arange(len(sizes)), sizes)
    curves = [Curve.of(distribution(draw, len(period)), period, len(sizes)) for _ in range(400)]
    assert sum(bool(curve.change_points()) for curve in curves) <= 0.05 * len(curves)
    assert sum(curve.shape() != "steady" for curve in curves) <= 0.05 * len(curves)
