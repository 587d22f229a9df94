"""Segments as a tree, as a record for JSON, as a picture; the surface of the sweep."""

import json
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from tests.visual.boxes import div, laid_out
from thresher.errors import InputError
from thresher.viewer.plots import image_bytes
from thresher.viewer.segments_view import (
    COLORS,
    page_size,
    segment_picture,
    segment_record,
    segment_tree,
    sweep_surface,
)
from thresher.visual.labels import KINDS
from thresher.visual.segments import Segments

HTML = div(0, 0, 1000, 100, "Head") + div(
    0, 100, 1000, 800, div(0, 100, 500, 800, "Left") + div(500, 100, 500, 800, "Right")
)


@pytest.fixture
def segments():
    """A page of a header and a body, which is divided into two columns."""
    page = laid_out(HTML)
    divs = [row for row in range(len(page)) if page.name(row) == "div"]
    rows = [[0], *[[row] for row in divs]]
    found = Segments.of(page, [-1, 0, 0, 2, 2], rows, seam=[0.0, 1, 0.5, np.nan, 0.126])
    return found.labelled(["page", "header", "content", "text", "record"])


def lines(segments, depth=5):
    return ["".join((line.branch, line.kind, "  ", line.facts, "  ", line.words)).rstrip()
            for line in segment_tree(segments, depth)]  # fmt: skip


def test_tree(segments):
    assert lines(segments) == [
        "page  1000×1000 at 0,0, seam 0",
        "├─ header  1000×100 at 0,0, seam 1  Head",
        "└─ content  1000×800 at 0,100, seam 0.5",
        "   ├─ text  500×800 at 0,100  Left",
        "   └─ record  500×800 at 500,100, seam 0.13  Right",
    ]


def test_a_tree_that_is_cut_says_how_much_is_inside(segments):
    assert lines(segments, 1)[-1] == (
        "└─ content  1000×800 at 0,100, seam 0.5, 2 segments inside  Left Right"
    )
    assert lines(segments, 0) == [
        "page  1000×1000 at 0,0, seam 0, 4 segments inside  Head Left Right"
    ]


def test_a_segment_with_a_single_part_has_no_line_of_its_own(segments):
    page = segments.page
    found = Segments.of(page, [-1, 0, 1], [[0], [page.body], segments.rows_of(1)])
    assert lines(found) == ["segment  1000×100 at 0,0  Head"]


def test_a_tree_of_any_depth(segments):
    chain = [-1, *range(3_000)]
    parent = [each for above in chain for each in (above,)]
    found = Segments.of(segments.page, parent, [[0]] * len(parent))
    assert len(lines(found)) == 1


def test_an_empty_page():
    page = laid_out("")
    nothing = Segments.of(page, [], [])
    assert lines(nothing) == []
    assert segment_record(nothing, "seam()")["segments"] == []


def test_record(segments):
    found = segment_record(segments, "seam(alpha=1)")
    assert json.loads(json.dumps(found)) == found
    assert {name: found[name] for name in ("url", "status", "method", "width", "height")} == {
        "url": None, "status": "complete", "method": "seam(alpha=1)", "width": 1000, "height": 1000,
    }  # fmt: skip
    assert found["segments"][2] == {
        "id": 2, "parent": 0, "kind": "content", "divided": True, "box": [0, 100, 1000, 800],
        "css": ["html > body > div:nth-of-type(2)"], "measures": {"seam": 0.5}, "text": None,
    }  # fmt: skip
    assert found["segments"][3]["measures"] == {}
    assert [one["text"] for one in found["segments"]] == [None, "Head", None, "Left", "Right"]
    assert found["segments"][0]["parent"] is None


def test_every_kind_has_a_colour_of_its_own():
    assert set(COLORS) == set(KINDS)
    assert len(set(COLORS.values())) == len(COLORS)


def test_what_overflows_to_the_right_does_not_make_a_page_higher():
    page = laid_out(HTML + div(5_000, 0, 10, 9_000, "far"))
    assert page_size(page) == (1000, 1000)


def picture_of(segments, browser, size=(1000, 1000)):
    plain = BytesIO()
    Image.new("RGB", size, "white").save(plain, "PNG")
    page = replace(segments.page, picture=plain.getvalue())
    drawn = segment_picture(replace(segments, page=page), browser, "a <b>name</b>")
    return Image.open(BytesIO(drawn)).convert("RGB")


def rgb(kind):
    return tuple(int(COLORS[kind][at : at + 2], 16) for at in (1, 3, 5))


@pytest.mark.slow
def test_picture(segments, browser):
    found = picture_of(segments, browser)
    width, height = found.size
    assert width == 1016
    assert 1020 < height < 1100
    pixels = np.asarray(found)
    top = height - 1008  # of the page, below the legend
    # Undivided segments have their colour at their edges; divided ones have none.
    left, right = 8, 508
    assert tuple(pixels[top + 300, left]) == rgb("text")
    assert tuple(pixels[top + 300, right]) == rgb("record")
    is_content = (pixels == rgb("content")).all(axis=2)
    assert not is_content.any()
    # Each is faintly filled, and the legend has a square of its colour.
    assert tuple(pixels[top + 500, left + 250]) != (255, 255, 255)
    assert (pixels[:top] == rgb("record")).all(axis=2).sum() > 100


@pytest.mark.slow
def test_lists_are_drawn_though_they_are_divided(segments, browser):
    named = segments.labelled(["page", "header", "list", "record", "record"])
    found = np.asarray(picture_of(named, browser))
    assert (found == rgb("list")).all(axis=2).sum() > 500


@pytest.mark.slow
def test_segments_outside_the_picture_are_cut_or_left_out(segments, browser):
    assert picture_of(segments, browser, (300, 120)).size[0] == 316


def test_a_picture_needs_a_picture(segments):
    with pytest.raises(InputError, match="rendered without a picture"):
        segment_picture(segments, None)


def test_surface():
    steps = [step / 10 for step in range(11)]
    figure = sweep_surface(np.add.outer(steps, steps) / 2, steps, 3)
    (axes,) = figure.axes
    assert "mean of 3 pages" in axes.get_title()
    assert axes.get_xlabel().startswith("alpha")
    assert image_bytes(figure, "png").startswith(b"\x89PNG")
