"""The plots of the papers: the numbers behind them, and the figures."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.text import Text

import thresher
from thresher.errors import UsageError
from thresher.viewer import plots
from thresher.viewer.plots import draw, picture, reliability, threshold_sweep

DEMO = Path(__file__).parents[2] / "examples" / "demo.html"
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
    ("what", "panels"), [("lines", 2), ("tokens", 1), ("density", 2), ("all", 5)]
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
def test_nothing_overlaps() -> None:
    figure = draw(thresher.parse(DEMO), "all", name="demo.html")
    figure.draw_without_rendering()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    for upper, lower in pairwise(boxes):
        assert upper is not None
        assert lower is not None
        assert upper.y0 > lower.y1
    for axes in figure.axes:
        legend = axes.get_legend()
        assert legend is not None
        title = next(
            child
            for child in axes.get_children()
            if isinstance(child, Text) and child.get_text() == axes.get_title(loc="left")
        )
        assert title.get_window_extent().x1 < legend.get_window_extent().x0
        assert legend.get_window_extent().x1 <= figure.bbox.x1


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
    assert len(data) < 3_000_000


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
    with pytest.raises(UsageError, match="give lines, tokens, density or all"):
        draw(page, what)
