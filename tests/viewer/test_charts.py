"""Charts as SVG, read with another parser."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

from thresher.viewer import charts
from thresher.viewer.charts import Dot


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0.1, 100), st.floats(0, 1)), min_size=1, max_size=20))
def test_labels_stay_inside_and_are_all_there(places: list[tuple[float, float]]) -> None:
    dots = [Dot(f"t{n}", n % 2 == 0, x, y, (x, x), (y, y), "") for n, (x, y) in enumerate(places)]
    chart = html.fromstring(charts.speed(dots))
    labels = chart.xpath(".//g[@class='names']/text")
    assert {label.text.split(" ")[0] for label in labels} == {dot.name for dot in dots}
    width, height = (460, 350) if len(dots) <= 12 else (940, 600)  # many dots need more room
    assert chart.get("viewbox") == f"0 0 {width} {height}"
    assert all(0 <= float(label.get("x")) <= width for label in labels)
    assert all(0 <= float(label.get("y")) <= height - 30 for label in labels)


@pytest.mark.parametrize("tools", [12, 30])
def test_labels_of_dots_in_one_place_do_not_cover_each_other(tools: int) -> None:
    dots = [Dot(f"tool {n}", False, 1.0, 0.5, (1.0, 1.0), (0.5, 0.5), "") for n in range(tools)]
    labels = html.fromstring(charts.speed(dots)).xpath(".//g[@class='names']/text")
    places = sorted((label.get("class") or "", float(label.get("y"))) for label in labels)
    for (side, height), (next_side, next_height) in pairwise(places):
        assert side != next_side or next_height - height >= 12


def test_a_tool_far_below_stands_on_the_edge_with_its_value() -> None:
    dots = [Dot(n, False, 1.0, y, (1.0, 1.0), (y, y), "") for n, y in (("a", 0.9), ("b", 0.1))]
    labels = html.fromstring(charts.speed(dots)).xpath(".//g[@class='names']/text/text()")
    assert labels == ["a", "b ↓0.10"]


def test_the_strip_rises_from_the_worst_page_to_the_best() -> None:
    (points,) = html.fromstring(charts.strip([1.0, 0.0, 0.5])).xpath(".//polygon/@points")
    assert points == "0,40 0,40 100,20 200,0 200,40"
