"""The plots of the papers: the numbers behind them, and the figures."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.text import Text

import thresher
from thresher.errors import UsageError
from thresher.methods.ccb import CCB
from thresher.methods.cetr import CETR
from thresher.methods.danag import DANA, R2L, AdDANAg, DANAg
from thresher.viewer import plots
from thresher.viewer.plots import draw, picture, reliability, threshold_sweep

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "examples" / "demo.html"
TEA, ALMANAC = (ROOT / "docs" / "pages" / name for name in ("tea-fa.html", "almanac.html"))
SIGNS = {"png": b"\x89PNG\r\n", "svg": b"<?xml", "pdf": b"%PDF-"}
LINKS = "<a href=/x>menu</a>"
LONG = "All night it rained on the roof and nobody slept a single hour. " * 4
# 400 blocks of menu, 200 of text, 400 of menu: far more than the points that are drawn below.
MENU, TEXT = f"<p>{LINKS}</p>" * 400, f"<p>{LONG}</p>" * 200
LARGE = f"<nav>{MENU}</nav><article>{TEXT}</article><nav>{MENU}</nav>"


# --- the numbers ---------------------------------------------------------------------------------


def test_lines_are_those_of_addanag() -> None:
    page = thresher.parse(DEMO)
    found = plots.line_curve(page)
    lines = page.lines(160)
    assert found.size == len(found.content) == len(lines)
    assert found.content.tolist() == lines.content.tolist()
    assert found.edges.tolist() == list(range(len(lines) + 1))
    kept = thresher.extract(page, method="addanag").selection
    visible = lines.rows_of(found.kept) & ~page.hidden[page.text_rows]
    assert visible.tolist() == kept.keep.tolist()


def test_tags_are_counted_along_the_tokens() -> None:
    # html, head, /head, body, p, one, two, /p, /body, /html
    found = plots.tag_curve(thresher.parse("<p>one two</p>"))
    assert found.at.tolist() == list(range(11))
    assert found.tags.tolist() == [0, 1, 2, 3, 4, 5, 5, 5, 6, 7, 8]
    assert found.span == (5, 7)


def test_densities_are_those_of_elements_with_text() -> None:
    # The body holds 26 characters and 6 tags; div 22 and 2, each p 11 and none; ul 4 and 2, ...
    # DensitySum is largest at div (11 + 11), so the threshold is the lesser of 22 / 2 and 26 / 6.
    menu = "<ul><li><a>menu</a></ul>"
    page = thresher.parse(f"<div><p>eleven char<p>eleven char</div>{menu}<p hidden>unseen</p>")
    found = plots.density_points(page, "text")
    assert found.size == 7
    assert found.density.tolist() == [26 / 6, 11.0, 11.0, 11.0, 2.0, 4.0, 4.0]
    assert found.threshold == 26 / 6
    assert found.kept.tolist() == [False, True, True, True, False, False, False]


def test_lines_can_be_those_of_the_whole_family() -> None:
    # 17 characters: <p>, six letters, a space, six digits; with </p> on the next line.
    page = thresher.parse("<p>چای سبز 123456\n</p>\n<p>plain words of tea\n</p>")
    found = plots.line_curve(page, R2L(length=0))
    assert found.content.tolist() == [6, 0, 0, 0]
    assert found.code.tolist() == [11, 4, 21, 4]
    assert plots.line_curve(page, DANAg(length=0)).content.tolist() == [14, 0, 18, 0]
    kept = plots.line_curve(thresher.parse(TEA), DANA())
    assert kept.kept_lines == kept.kept.sum()
    assert kept.kept_lines > plots.line_curve(thresher.parse(TEA), R2L()).kept_lines


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_filters_are_those_of_addanag(number: Any) -> None:
    page = thresher.parse(ALMANAC)
    method = AdDANAg(filter=number)
    found = plots.line_curve(page, method)
    content, code = method.counts(page.lines(method.length))
    assert found.content.tolist() == content.tolist()
    assert found.code.tolist() == code.tolist()
    rows = page.lines(method.length).rows_of(found.kept)
    assert (found.kept_lines > 0) == (number > 0)
    assert set(np.flatnonzero(method(page).keep)) <= set(np.flatnonzero(rows))


def test_slopes_are_those_of_windows() -> None:
    # 8 tags of html, head, body and p; the window has 8 tokens and moves by 4.
    page = thresher.parse("<p>" + "word " * 12 + "</p>")
    found = plots.slope_curve(page)
    assert (found.size, found.width) == (20, 8)
    assert found.slope == 8 / 20
    assert found.tags.tolist() == [0, 1, 2, 3, 4, *[5] * 12, 5, 6, 7, 8][: len(found.tags)]
    assert found.window_edges.tolist() == [0, 4, 8, 12, 20]
    assert found.window_slopes.tolist() == [5 / 8, 1 / 8, 0, 3 / 8]
    # Windows 1 and 2 are low, below 4 / 20; three in a row would begin a region.
    assert not found.in_region.any()


def test_regions_are_those_that_dsc_keeps() -> None:
    page = thresher.parse(LARGE)
    found = plots.slope_curve(page)
    kept = thresher.extract(page, method="dsc").selection
    assert found.in_region.any()
    starts = np.searchsorted(found.edges, np.arange(found.size), side="right") - 1
    in_region = found.in_region[starts]
    assert page.tokens.is_word[in_region].mean() > 0.9
    assert kept.text().startswith("All night")


def test_a_page_of_links_has_no_region() -> None:
    assert not plots.slope_curve(thresher.parse(LINKS * 60)).in_region.any()


def test_the_vector_of_ccb_is_one_for_text() -> None:
    found = plots.blur_curve(thresher.parse("<p>one two</p>"))
    assert found.size == len("<p>onetwo</p>")
    assert found.share.tolist() == [0] * 3 + [1] * 6 + [0] * 4
    assert found.blurred.mean() == pytest.approx(6 / 13)


def test_blurring_keeps_the_mean_and_what_ccb_keeps() -> None:
    page = thresher.parse(DEMO)
    method = CCB()
    is_content, blurred = method.vectors(page)
    assert blurred.mean() == pytest.approx(is_content.mean(), abs=0.01)
    assert blurred.min() >= 0
    assert blurred.max() <= 1
    found = plots.blur_curve(page)
    weights = np.diff(found.edges)
    assert (found.share * weights).sum() == is_content.sum()
    assert found.kept.any()
    assert not found.kept.all()


def test_ratios_and_clusters_are_those_of_cetr() -> None:
    page = thresher.parse(DEMO)
    found = plots.ratio_points(page)
    lines = page.lines(CETR().length)
    assert found.size == len(lines) == len(found.points)
    assert found.centroids.shape == (3, 2)
    assert found.centroids[0].tolist() == [0, 0]
    assert found.smoothed.tolist() == found.points[:, 0].tolist()
    # Every point is in the cluster of its nearest centroid.
    away = ((found.points[:, None] - found.centroids) ** 2).sum(axis=2)
    assert found.cluster.tolist() == away.argmin(axis=1).tolist()
    visible = lines.rows_of(found.cluster != 0) & ~page.hidden[page.text_rows]
    assert visible.tolist() == CETR()(page).keep.tolist()


def test_lengths_are_those_of_blocks_of_text() -> None:
    long = "x" * 80
    page = thresher.parse(f"<p>ab <b>cd</b></p><p>{long}</p><p hidden>{long}</p><p>{long}y")
    found = plots.length_points(page)
    assert found.size == 3
    assert found.length.tolist()[1:] == [80, 81]
    assert found.kept.tolist() == [False, True, True]
    assert found.least == 80


def test_large_pages_are_gathered_in_bins(monkeypatch: pytest.MonkeyPatch) -> None:
    page = thresher.parse(LARGE)
    whole = plots.line_curve(page)
    nodes = plots.density_points(page, "composite")
    monkeypatch.setattr(plots, "MAX_POINTS", 20)
    lines, tokens = plots.line_curve(page), plots.tag_curve(page)
    assert len(lines.content) == 20
    weights = np.diff(lines.edges)
    assert (lines.content * weights).sum() == pytest.approx(whole.content.sum())
    assert np.flatnonzero(lines.kept).tolist() == sorted(
        set((np.searchsorted(lines.edges, np.flatnonzero(whole.kept), "right") - 1).tolist())
    )
    assert len(tokens.at) == 21
    assert tokens.tags[-1] == np.count_nonzero(~page.tokens.is_word)
    few = plots.density_points(page, "composite")
    assert few.size == nodes.size
    assert len(few.at) <= 40
    assert few.density.max() == nodes.density.max()
    assert set(few.kept.tolist()) == {True, False}


def test_a_short_article_in_a_long_page_is_not_binned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "MAX_POINTS", 5)
    found = plots.line_curve(thresher.parse(LARGE.replace(f"<p>{LONG}</p>" * 199, "")))
    assert found.kept.sum() == 1


# --- the pictures --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_the_same_page_gives_the_same_file(form: str) -> None:
    page = thresher.parse(DEMO)
    data = picture(page, "tokens", form=form, name="demo")
    assert data.startswith(SIGNS[form])
    assert picture(page, "tokens", form=form, name="demo") == data


@pytest.mark.parametrize(
    ("what", "panels"),
    [
        ("lines", 2),
        ("characters", 3),
        ("filters", 8),
        ("tokens", 1),
        ("slopes", 2),
        ("blur", 2),
        ("ratios", 2),
        ("lengths", 1),
        ("density", 2),
        pytest.param("all", 23, marks=pytest.mark.slow),
    ],
)
def test_every_panel_has_a_title_axes_and_a_caption(what: Any, panels: int) -> None:
    axes = draw(thresher.parse(DEMO), what).axes
    assert len(axes) == panels
    for one in axes:
        assert one.get_title(loc="left")
        assert one.get_xlabel()
        assert one.get_ylabel()
        (caption,) = (text.get_text() for text in one.texts)
        assert caption.endswith(".")


@pytest.mark.slow
@pytest.mark.parametrize("source", [DEMO, TEA, ALMANAC], ids=["demo", "tea", "almanac"])
def test_nothing_overlaps(source: Path) -> None:
    figure = draw(thresher.parse(source), "all", name=source.name)
    figure.draw_without_rendering()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    for (one, box), (other, next_box) in pairwise(zip(figure.axes, boxes, strict=True)):
        assert box is not None
        assert next_box is not None
        below = box.y0 > next_box.y1
        beside = box.x1 < next_box.x0
        assert below or beside, (one.get_title(loc="left"), other.get_title(loc="left"))
    for axes in figure.axes:
        legend = axes.get_legend()
        if legend is None:  # of small panels that have the same legend as the first
            continue
        title = next(
            child
            for child in axes.get_children()
            if isinstance(child, Text) and child.get_text() == axes.get_title(loc="left")
        )
        assert title.get_window_extent().x1 < legend.get_window_extent().x0
        assert legend.get_window_extent().x1 <= figure.bbox.x1


@pytest.mark.slow
def test_the_panels_of_filters_have_the_same_scale() -> None:
    axes = draw(thresher.parse(ALMANAC), "filters").axes
    assert len({one.get_ylim() for one in axes[::2]}) == 1
    assert len({one.get_ylim() for one in axes[1::2]}) == 1
    assert [one.get_legend() is not None for one in axes] == [True, True, *[False] * 6]


def test_captions_say_how_many_lines_are_kept() -> None:
    axes = draw(thresher.parse(ALMANAC), "filters").axes
    kept = [one.texts[0].get_text() for one in axes[1::2]]
    assert kept[0] == "0 lines of 65 kept."
    assert all(text.endswith(" lines of 65 kept.") for text in kept)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["", " ", "<p></p>", "<script>1</script>", "<frameset>", "a"])
def test_pages_with_nothing_to_draw(source: str) -> None:
    draw(thresher.parse(source)).draw_without_rendering()


def test_a_name_in_any_script_makes_no_warning() -> None:
    figure = draw(thresher.parse("<p>rain"), "tokens", name="雨 $x^$ \x1b\n rain")
    assert figure.get_suptitle() == "□ $x^$ □ rain"
    figure.draw_without_rendering()


@pytest.mark.slow
def test_the_size_of_a_picture_is_bounded() -> None:
    page = thresher.parse(LARGE * 5)
    assert len(page) > 10_000
    data = picture(page, form="svg")
    assert len(data) < 6_000_000


# --- over a corpus -------------------------------------------------------------------------------


def test_a_sweep_marks_the_best_value() -> None:
    figure = threshold_sweep([3, 1, 2], [(0.9, 0.5, 0.643), (0.4, 1, 0.571), (0.8, 0.8, 0.8)])
    (axes,) = figure.axes
    lines = {str(line.get_label()): line for line in axes.get_lines()}
    assert np.asarray(lines["precision"].get_xdata()).tolist() == [1, 2, 3]
    assert np.asarray(lines["precision"].get_ydata()).tolist() == [0.4, 0.8, 0.9]
    assert np.asarray(lines["best F1 0.800 at 2"].get_xdata()).tolist() == [2, 2]


def test_a_sweep_over_words() -> None:
    (axes,) = threshold_sweep(["path", "body"], [(1, 1, 1), (0, 0, 0)], option="limit").axes
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["path", "body"]
    assert axes.get_xlabel() == "limit"


def test_a_sweep_checks_its_data() -> None:
    threshold_sweep([], []).draw_without_rendering()
    with pytest.raises(UsageError, match="1 value but 2 scores"):
        threshold_sweep([1], [(1, 1, 1), (0, 0, 0)])


def test_reliability_draws_a_dot_for_each_bin_against_the_promise() -> None:
    bins = [(10, 0.52, 0.4, 0.3, 0.6), (10, 0.9, 0.95, 0.9, 1.0)]
    (axes,) = reliability(bins).axes
    lines = {str(line.get_label()): line for line in axes.get_lines()}
    dots, promise = lines["mean F1 of a bin"], lines["as promised"]
    assert np.asarray(dots.get_xdata()).tolist() == [0.52, 0.9]
    assert np.asarray(dots.get_ydata()).tolist() == [0.4, 0.95]
    assert np.asarray(promise.get_xdata()).tolist() == np.asarray(promise.get_ydata()).tolist()
    assert (axes.get_xlim()[0], axes.get_ylim()[0]) == pytest.approx((0.3, 0.3))
    reliability([]).draw_without_rendering()


def test_wrong_arguments_are_errors() -> None:
    page: Any = thresher.parse("")
    with pytest.raises(UsageError, match="give png, svg or pdf"):
        picture(page, form="gif")
    what: Any = "nothing"
    with pytest.raises(UsageError, match=r"give lines, characters, .*, density or all"):
        draw(page, what)
