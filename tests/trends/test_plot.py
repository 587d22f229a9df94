"""Plots of trends: what gets a panel, where names are, and the figure itself."""

from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trends.made_trends import QUERIES, document, long, small
from thresher.errors import UsageError
from thresher.trends import Query, plot, trend
from thresher.trends.plot import NamePlaces, choose_panels, short_names, spread, ticks
from thresher.trends.trend import all_periods, period_of

# --- panels ---------------------------------------------------------------------------------------


def test_all_documents_come_first_then_the_sources_by_size():
    panels = choose_panels(small())
    assert list(panels) == ["all sources", "Climate", "Weather"]
    assert [len(one.documents) for one in panels.values()] == [6, 3, 3]


def test_sources_can_be_named_or_shown_together():
    trends = small()
    assert list(choose_panels(trends, ["Weather", "Weather"])) == ["Weather"]
    assert choose_panels(trends, together=True) == {"all sources": trends}
    with pytest.raises(UsageError, match="no document has the source 'Sea': give 'Climate', 'Weat"):
        choose_panels(trends, ["Sea"])
    with pytest.raises(UsageError, match="together or one by one"):
        choose_panels(trends, ["Weather"], together=True)


def test_one_source_is_one_panel_and_many_are_shown_together():
    assert list(choose_panels(long())) == ["Weather"]
    many = trend([document("2010", "rain", f"s{n}") for n in range(9)], [Query("rain", ("rain",))])
    assert list(choose_panels(many)) == ["all sources"]
    nameless = trend([document("2010", "rain", s) for s in ("", "a")], [Query("rain", ("rain",))])
    assert list(choose_panels(nameless)) == ["all sources", "without source", "a"]


def test_a_source_with_the_name_of_another_panel_replaces_none():
    names = ["all sources", "without source", '"all sources"', "", "a"]
    documents = [document("2010", "rain", name) for name in names for _ in range(1 + len(name))]
    trends = trend(documents, [Query("rain", ("rain",))])
    panels = choose_panels(trends)
    assert panels["all sources"] is trends
    found = {title: set(one.sources) for title, one in panels.items()}
    assert found == {
        "all sources": set(names),
        '""all sources""': {"all sources"},
        '"without source"': {"without source"},
        '"all sources"': {'"all sources"'},
        "without source": {""},
        "a": {"a"},
    }
    (panel,) = choose_panels(trends, ["all sources"]).values()
    assert panel.sources == {"all sources": 12}
    alone = trend(documents[:12], trends.queries)
    assert list(choose_panels(alone)) == ['"all sources"']


def test_a_corpus_without_sources_says_so():
    trends = trend([document("2010", "rain", "")], [Query("rain", ("rain",))])
    with pytest.raises(UsageError, match="as none names its source: leave --source out"):
        choose_panels(trends, ["nope"])
    mixed = trend([document("2010", "rain", s) for s in ("", "a")], [Query("rain", ("rain",))])
    with pytest.raises(UsageError, match=r"give '' \(without source\), 'a'\."):
        choose_panels(mixed, ["nope"])


# --- axes and names -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("periods", "by", "named"),
    [
        ([str(year) for year in range(2001, 2007)], "year", "2001 2002 2003 2004 2005 2006"),
        ([str(year) for year in range(1964, 2011)], "year", "1965 1970 1975 1980 1985 1990 1995 "
         "2000 2005 2010"),
        ([f"2006-{month:02}" for month in range(1, 13)] + [f"2007-{m:02}" for m in range(1, 8)],
         "month", "2006-01 2006-03 2006-05 2006-07 2006-09 2006-11 2007-01 2007-03 2007-05 "
         "2007-07"),
        ([f"2006-W{week:02}" for week in range(1, 31)], "week",
         "2006-W01 2006-W05 2006-W09 2006-W13 2006-W17 2006-W21 2006-W25 2006-W29"),
        (["2006"], "year", "2006"),
    ],
)  # fmt: skip
def test_round_periods_are_named_below_the_axis(periods, by, named):
    assert " ".join(periods[at] for at in ticks(periods, by)) == named


@given(
    st.sampled_from(["year", "month", "week"]),
    st.dates(date(1, 1, 1), date(9000, 1, 1)),
    st.integers(0, 3000),
    st.integers(1, 14),
)
def test_named_periods_are_far_enough_apart(by, first, days, most):
    last = first + timedelta(days=days * {"year": 90, "month": 30, "week": 7}[by])
    periods = all_periods(*(period_of(day.isoformat(), by) for day in (first, last)), by)
    named = ticks(periods, by, most)
    assert named
    assert len(named) <= most + 1
    assert all(after - before >= len(periods) / most for before, after in pairwise(named))


def test_weeks_at_the_end_of_a_year():
    weeks = all_periods("2020-W49", "2021-W05", "week")
    assert [weeks[at] for at in ticks(weeks, "week", 5)] == [
        "2020-W49", "2020-W51", "2021-W01", "2021-W03", "2021-W05",
    ]  # fmt: skip
    assert "2020-W53" in [weeks[at] for at in ticks(weeks, "week", 14)]


DATES = ("2016-01-01", "2019-12-30", "2020-12-28", "2021-01-03", "2021-01-04")


@pytest.mark.parametrize("by", ["year", "month", "week"])
@pytest.mark.parametrize("dates", [DATES, DATES[1:], DATES[2:], DATES[:1], ("2001", "2020-05-05")])
def test_names_of_periods_do_not_overlap_and_the_grid_is_at_them(by, dates):
    dates = [day for day in dates if period_of(day, by)]
    trends = trend([document(day, "rain") for day in dates], [Query("rain", ("rain",))], by=by)
    figure = plot.draw({"all": trends})
    curves, strip = figure.axes
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in strip.get_xticklabels() if label.get_text()]
    assert boxes
    assert all(before.x1 + 2 < after.x0 for before, after in pairwise(boxes))
    assert curves.get_xticks().tolist() == strip.get_xticks().tolist()
    lines = [line.get_xdata()[0] for line in curves.get_xgridlines() if line.get_visible()]
    assert lines == strip.get_xticks().tolist()


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["rain", "sun"], ["rain", "sun"]),
        (["large models", "large modelling"], ["large models", "large model…"]),
        (["a" * 100, "a" * 101], ["a" * 49 + "… (1)", "a" * 49 + "… (2)"]),
        (["a  b", "a b"], ["a b (1)", "a b (2)"]),
    ],
)
def test_short_names_stay_apart(names, short):
    assert short_names(names, 10) == short


@given(st.lists(st.text("ab ", min_size=1, max_size=70), max_size=8, unique=True))
def test_no_two_short_names_are_equal(names):
    assert len(set(short_names(names, 5))) == len(names)


@given(st.lists(st.integers(0, 1000), max_size=12), st.integers(1, 120))
def test_names_are_moved_apart_and_keep_their_order(places, gap):
    found = spread([float(place) for place in places], gap, 0.0, 1000.0)
    if gap * (len(places) - 1) > 1000:
        assert found is None
        return
    assert found is not None
    ordered = [place for _, place in sorted(zip(places, found, strict=True))]
    assert ordered == sorted(found)
    assert all(0 <= place <= 1000 for place in found)
    assert all(after - before >= gap - 1e-6 for before, after in pairwise(ordered))


def test_names_with_space_around_them_stay():
    assert spread([1.0, 5.0, 3.0], 1.0, 0.0, 10.0) == [1.0, 5.0, 3.0]
    assert spread([], 1.0, 0.0, 10.0) == []


def test_a_change_is_named_where_no_curve_is():
    curves = np.full((10, 1), 50.0)
    curves[5:] = 90.0  # the name of the step at 5 fits below the curve, or above it at the left
    left, bottom, right, top = (
        NamePlaces(100.0, curves, 0.2, 5.0).best("rise", 5, 90.0, []) or (0,) * 4
    )
    across = np.linspace(left, right, 50)
    heights = np.interp(across, np.arange(10), curves[:, 0])
    assert not ((heights > bottom) & (heights < top)).any()


def test_a_name_without_space_is_left_out():
    everywhere = (-10.0, 0.0, 20.0, 100.0)
    places = NamePlaces(100.0, np.full((10, 1), 50.0), 0.2, 5.0)
    assert places.best("rise", 5, 50.0, [everywhere]) is None


# --- the figure -----------------------------------------------------------------------------------


def test_curves_are_the_means_with_gaps_where_there_are_no_documents():
    curves, strip = plot.draw({"all": small()}).axes
    rain, sun = (line for line in curves.get_lines() if line.get_label().startswith("query"))
    half = 1000 / 2**0.5
    np.testing.assert_allclose(rain.get_ydata(), [(half + 1000) / 3, 0, np.nan, half / 2])
    np.testing.assert_allclose(sun.get_ydata(), [1000 / 3, 0, np.nan, 1000])
    assert [bar.get_height() for bar in strip.patches] == [3, 1, 0, 2]
    assert [label.get_text() for label in strip.get_xticklabels()] == [
        "2010",
        "2011",
        "2012",
        "2013",
    ]
    assert curves.get_title(loc="left") == "all"


def test_curves_are_named_at_their_ends_and_changes_where_they_happen():
    trends = long()
    assert [(change.query, change.period) for change in trends.changes] == [("rain", "2006")]
    figure = plot.draw({"all": trends}, name="Weather")
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert {"rain", "sun", "abrupt rise 2006"} <= set(texts)
    assert [text.get_text() for text in figure.texts] == [
        "Weather",
        "Band: 95% confidence interval of the mean; filled diamond: abrupt change.",
    ]
    (diamond,) = (line for line in figure.axes[0].get_lines() if line.get_marker() == "D")
    np.testing.assert_allclose(diamond.get_xdata(), [6])
    assert diamond.get_color() == plot.COLORS[0]


def test_many_queries_have_a_legend():
    queries = [Query(f"$_{number}", ("rain", f"w{number}")) for number in range(40)]
    trends = trend([document(year, "rain") for year in ("2010", "2011")], queries)
    figure = plot.draw({"all": trends})
    legend = figure.axes[0].get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [query.name for query in queries]
    plot.picture({"all": trends}, "svg")  # a dollar sign is no formula


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "sign"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_pictures_in_all_formats_are_the_same_each_time(form, sign):
    panels = choose_panels(small())
    data = plot.picture(panels, form, name="Titles with $ and \x00 and 雨")
    assert data.startswith(sign)
    assert data == plot.picture(panels, form, name="Titles with $ and \x00 and 雨")


def bars(axes):
    """The low and high end of each error bar, and the mean between them."""
    return [
        (*bar.lines[2][0].get_segments()[0][:, 1].tolist(), *bar.lines[0].get_ydata().tolist())
        for bar in axes.containers
    ]


def test_a_single_period_has_error_bars_and_its_own_name():
    trends = trend([document("2010", "rain")], QUERIES)
    figure = plot.draw({"all": trends})
    curves = figure.axes[0]
    rain = next(line for line in curves.get_lines() if line.get_label() == "query 0")
    assert rain.get_ydata().tolist() == pytest.approx([1000 / 2**0.5])
    assert bars(curves) == [
        pytest.approx([1000 * part[0, number] for part in (trends.low, trends.high, trends.mean)])
        for number in range(2)
    ]
    assert "1 document, 2010" in [text.get_text() for text in curves.texts]
    assert figure.texts[-1].get_text() == "Band or bar: 95% confidence interval of the mean."


def test_a_period_between_gaps_has_a_bar_and_others_a_band():
    curves = plot.draw({"all": small()}).axes[0]  # 2010 and 2011, then 2013
    assert [len(bar.lines[2][0].get_segments()) for bar in curves.containers] == [1, 1]
    for band in curves.collections[:1]:
        assert band.get_paths()[0].vertices[:, 0].max() == 1


def test_names_that_the_font_lacks_are_told():
    query = Query("雨 rain", ("rain",))
    panels = {"Погода": trend([document("2010", "rain")], [query])}
    assert plot.unwritable(panels, "ไทย") == ["ไทย", "雨 rain"]
    assert plot.unwritable({"all": small()}, "x" * 90) == []


def test_wrong_arguments_are_errors():
    with pytest.raises(UsageError, match="nothing to draw"):
        plot.draw({})
    with pytest.raises(UsageError, match=r"end it in \.png, \.svg or \.pdf"):
        plot.picture({"all": small()}, "gif")
