"""VIPS: each rule on a small page, separators, structure and coherence by hand."""

import itertools
import random
import re
import time
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.visual.boxes import at, laid_out
from thresher.errors import UsageError
from thresher.visual.vips import Vips, _extract, _Nodes

GREY = "background:#eeeeee"

# --- pages ---------------------------------------------------------------------------------------


def page_of(html):
    """Return the page of `laid_out`, with `background: #RRGGBB` and `font-weight` of its styles."""
    page = laid_out(html)
    background, weight = page.background.copy(), page.font_weight.copy()
    for row in range(len(page)):
        style = page.attributes(row).get("style", "") if page.tag[row] else ""
        if page.parent[row] >= 0:
            weight[row] = weight[page.parent[row]]
        if found := re.search(r"background:#(\w{6})", style):
            background[row] = int(found[1] + "ff", 16)
        if found := re.search(r"font-weight:(\d+)", style):
            weight[row] = int(found[1])
    return replace(page, background=background, font_weight=weight)


def box(tag, name, left, top, width, height, inner="", more=""):
    """Return an element with an id and a box."""
    return f'<{tag} id="{name}" {at(left, top, width, height, more)}>{inner}</{tag}>'


def label(page, row):
    """Return the id of an element, or a text."""
    if page.tag[row]:
        return page.attributes(row).get("id", page.name(row))
    return page.text(row).strip()


def row_of(page, name):
    return next(row for row in range(len(page)) if page.tag[row] and label(page, row) == name)


def blocks(html, inside=None, small=0.1, mixed=0.2):
    """Return the blocks of one round with their degrees: of the page, or of an element by id."""
    page = page_of(html)
    nodes = _Nodes.of(page)
    node = -1 if inside is None else nodes.row.index(row_of(page, inside))
    found, _ = _extract(nodes, node, small, mixed)
    return [(label(page, nodes.row[each.node]), each.coherence) for each in found]


def tree(segments):
    """Return level, degree and labels of each segment."""
    degree = segments.measures["coherence"].astype(int).tolist()
    return [
        (level, degree[number], [label(segments.page, row) for row in segments.rows_of(number)])
        for number, level in enumerate(segments.level.tolist())
    ]


def leaves(page, pdoc):
    """Return the labels of the leaves."""
    segments = Vips(pdoc=pdoc)(page)
    found = np.flatnonzero(segments.is_leaf).tolist()
    return [[label(page, row) for row in segments.rows_of(each)] for each in found]


# --- the rules, by number ------------------------------------------------------------------------

# A page of 1000 by 1000 pixels, so that the shares are easy to see.
LARGE = box("p", "large", 0, 500, 1000, 500, "large")


def two(left, top, width, height, between=""):
    """Return the paragraphs a and b, one above the other."""
    half = height // 2
    first = box("p", "a", left, top, width, half, "a")
    return first + between + box("p", "b", left, top + half, width, half, "b")


def test_rule_1_a_node_without_content_is_cut():
    empty = box("div", "empty", 0, 0, 1000, 400) + box("p", "gone", 0, 0, 9, 9, "x", "display:none")
    blank = box("div", "blank", 0, 0, 1000, 400, " ")
    assert blocks(empty + blank + LARGE) == [("large", 10)]


def test_a_node_without_a_box_leaves_its_children_to_its_parent():
    outer = '<div id="outer">' + two(0, 0, 1000, 400) + "</div>"
    assert blocks(outer + LARGE) == [("a", 10), ("b", 10), ("large", 10)]


def test_rule_2_the_block_of_the_round_is_divided():
    text = box("p", "text", 0, 0, 100, 100, "one<b " + at(50, 0, 50, 50) + ">two</b>")
    assert blocks(text) == [("text", 10)]
    assert blocks(text, "text") == [("one", 10), ("b", 10)]


def test_rule_3_content_is_kept():
    image, field = box("img", "i", 0, 0, 1000, 300), box("select", "s", 0, 300, 1000, 200)
    assert blocks(image + field + LARGE) == [("i", 10), ("s", 10), ("large", 10)]


def test_rule_3_nothing_inside_replaced_elements_is_a_block():
    drawing = box("svg", "drawing", 0, 0, 500, 500, "<text " + at(0, 0, 9, 9) + ">label</text>")
    assert blocks(drawing, "drawing") == []
    assert blocks(drawing + LARGE) == [("drawing", 10), ("large", 10)]


@pytest.mark.parametrize(
    ("style", "degree"), [("", 10), ("font-weight:700", 9), ("font-size:17px", 9)]
)
def test_rule_4_text_in_one_font_or_in_several(style, degree):
    inner = "one <b " + at(0, 0, 500, 500, style) + ">two</b> three"
    before = box("p", "before", 0, 0, 9, 9, "before", "font-size:30px")
    text = box("div", "text", 0, 0, 1000, 500, inner)
    assert blocks(before + text + LARGE) == [("before", 10), ("text", degree), ("large", 10)]


def test_rule_4_an_image_is_no_text():
    inner = "one" + box("img", "i", 0, 0, 500, 500)
    outer = box("div", "outer", 0, 0, 1000, 500, inner)
    assert blocks(outer + LARGE)[:-1] == [("one", 10), ("i", 10)]


def test_rule_5_a_background_of_its_own():
    coloured = box("div", "coloured", 0, 0, 1000, 500, two(0, 0, 1000, 500), "background:#ff0000")
    assert blocks(coloured + LARGE) == [("coloured", 4), ("large", 10)]
    same = box("div", "same", 0, 0, 1000, 500, two(0, 0, 1000, 500), "background:#ffffff")
    assert blocks(same + LARGE) == [("a", 10), ("b", 10), ("large", 10)]


def test_rule_6_a_single_child_that_is_no_text():
    inner = box("div", "inner", 0, 0, 100, 50, box("img", "i", 0, 0, 100, 50))
    assert blocks(box("div", "outer", 0, 0, 100, 50, inner) + LARGE) == [("i", 10), ("large", 10)]
    link = '<a id="link" ' + at(0, 0, 100, 50) + ">link</a>"
    outer = box("div", "outer", 0, 0, 100, 50, link)
    assert blocks(outer + LARGE) == [("outer", 10), ("large", 10)]


@pytest.mark.parametrize(
    ("tag", "display", "expected"),
    [
        ("p", "block", [("line", 10), ("text", 10)]),
        ("span", "block", [("line", 10), ("text", 10)]),
        ("div", "block", [("outer", 6)]),  # rule 11
        ("p", "inline", [("outer", 10)]),  # rule 4
    ],
)
def test_rule_7_a_block_element_in_a_paragraph_or_inline_element(tag, display, expected):
    line = box("span", "line", 0, 0, 100, 50, "line", f"display:{display}")
    assert blocks(box(tag, "outer", 0, 0, 100, 100, line + "text") + LARGE)[:-1] == expected


def test_rule_8_a_line_divides():
    line = box("hr", "line", 0, 25, 100, 1)
    with_line = box("div", "outer", 0, 0, 100, 50, two(0, 0, 100, 50, line))
    without = box("div", "outer", 0, 0, 100, 50, two(0, 0, 100, 50))
    assert blocks(with_line + LARGE)[:-1] == [("a", 10), ("b", 10)]
    assert blocks(without + LARGE)[:-1] == [("outer", 6)]
    texts = box("div", "outer", 0, 0, 100, 50, "one" + line + "two")
    assert blocks(texts + LARGE)[:-1] == [("one", 10), ("two", 10)]


@pytest.mark.parametrize(("width", "expected"), [(50, [("r", 7)]), (60, [("c", 10), ("d", 10)])])
def test_rule_9_cells_larger_than_their_row(width, expected):
    cells = box("td", "c", 0, 0, width, 50, "c") + box("td", "d", 100 - width, 0, width, 50, "d")
    row = box("tr", "r", 0, 0, 100, 50, cells)
    assert blocks(box("table", "t", 0, 0, 100, 50, row) + LARGE)[:-1] == expected


def test_rule_10_a_child_with_another_background():
    pair = two(0, 0, 100, 40)
    coloured = box("div", "coloured", 0, 0, 100, 40, pair, "background:#ff0000")
    plain = box("div", "coloured", 0, 0, 100, 40, pair)
    beside = box("p", "beside", 0, 40, 100, 10, "beside")
    outer = box("div", "outer", 0, 0, 100, 50, coloured + beside)
    assert blocks(outer + LARGE)[:-1] == [("coloured", 6), ("beside", 10)]
    assert blocks(box("div", "outer", 0, 0, 100, 50, plain + beside) + LARGE)[:-1] == [("outer", 6)]


def test_rule_10_not_for_text_and_not_for_tables():
    mark = "<b " + at(0, 40, 100, 10, "background:#ff0000") + ">mark</b>"
    outer = box("div", "outer", 0, 0, 100, 50, box("p", "a", 0, 0, 100, 40, "a") + mark)
    assert blocks(outer + LARGE)[:-1] == [("outer", 6)]
    cells = box("td", "c", 0, 0, 50, 25, "c") + box("td", "d", 50, 0, 50, 25, "d")
    rows = box("tr", "r", 0, 0, 100, 25, cells, "background:#ff0000")
    rows += "<tr>" + box("td", "e", 0, 25, 100, 25, "e")
    assert blocks(box("table", "t", 0, 0, 100, 50, rows) + LARGE)[:-1] == [("t", 7)]


@pytest.mark.parametrize(
    ("height", "expected"), [(199, [("outer", 5)]), (200, [("text", 10), ("a", 10)])]
)
def test_rule_11_text_among_other_children(height, expected):
    paragraph = box("p", "a", 0, 0, 1000, height, "a")
    outer = box("div", "outer", 0, 0, 1000, height, "text" + paragraph)
    assert blocks(outer + LARGE)[:-1] == expected
    assert blocks(outer + LARGE, mixed=0.1)[:-1] == [("text", 10), ("a", 10)]


@pytest.mark.parametrize(
    ("height", "expected"), [(198, [("outer", 5)]), (200, [("a", 10), ("b", 10)])]
)
def test_rule_12_a_largest_child_that_is_small(height, expected):
    outer = box("div", "outer", 0, 0, 1000, height, two(0, 0, 1000, height))
    assert blocks(outer + LARGE)[:-1] == expected


def test_rule_12_the_option_small():
    outer = box("div", "outer", 0, 0, 1000, 300, two(0, 0, 1000, 300))
    assert blocks(outer + LARGE, small=0.2)[:-1] == [("outer", 4)]
    assert blocks(outer + LARGE, small=0.1)[:-1] == [("a", 10), ("b", 10)]


def test_rule_13_the_sibling_before_was_kept():
    outer = box("div", "outer", 0, 100, 1000, 400, two(0, 100, 1000, 400))
    before = box("p", "before", 0, 0, 1000, 100, "before")
    assert blocks(outer + LARGE)[:-1] == [("a", 10), ("b", 10)]
    assert blocks(before + outer + LARGE)[:-1] == [("before", 10), ("outer", 4)]


def test_rule_13_not_for_rows_of_a_table():
    short = box("td", "a", 0, 0, 500, 20, "a") + box("td", "b", 500, 0, 500, 20, "b")
    tall = box("td", "c", 0, 20, 500, 400, "c") + box("td", "d", 500, 20, 500, 400, "d")
    rows = box("tr", "short", 0, 0, 1000, 20, short) + box("tr", "tall", 0, 20, 1000, 400, tall)
    table = box("table", "t", 0, 0, 1000, 420, rows)
    assert blocks(table + LARGE, "t") == [("short", 7), ("c", 10), ("d", 10)]


def test_rule_14_tables_and_cells_are_kept():
    cell = box("td", "c", 0, 0, 1000, 300, two(0, 0, 1000, 300))
    first = box("tr", "r", 0, 0, 1000, 300, cell)
    second = box("tr", "s", 0, 300, 1000, 200, box("td", "d", 0, 300, 1000, 200, "d"))
    table = box("table", "t", 0, 0, 1000, 500, "<thead>" + first + "</thead>" + second)
    assert blocks(table + LARGE)[:-1] == [("t", 5)]
    assert blocks(table + LARGE, "t") == [("c", 6), ("d", 10)]


def test_rule_15_others_are_divided():
    for tag in ("div", "section", "ul"):
        outer = box(tag, "outer", 0, 0, 1000, 500, two(0, 0, 1000, 500))
        assert blocks(outer + LARGE)[:-1] == [("a", 10), ("b", 10)]


@pytest.mark.parametrize(
    ("tag", "height", "degree"),
    [
        *(("li", 125, 8), ("li", 126, 7), ("li", 251, 6), ("li", 501, 4)),
        *(("ul", 125, 7), ("ul", 126, 6), ("ul", 251, 5), ("ul", 501, 3)),
        *(("div", 125, 6), ("div", 126, 5), ("div", 251, 4), ("div", 501, 2)),
        *(("span", 125, 8), ("td", 125, 8), ("h2", 125, 8), ("table", 125, 7), ("main", 125, 6)),
    ],
)
def test_the_degree_by_tag_and_size(tag, height, degree):
    first, second = box("img", "i", 0, 0, 1000, height), box("img", "j", 0, 0, 1000, 1)
    inner = f"<tr><td>{first}<td>{second}</tr>" if tag == "table" else first + second
    kept = box(tag, "kept", 0, 0, 1000, height, inner, "background:#ff0000")
    kept = f"<table><tr>{kept}</tr></table>" if tag == "td" else kept
    rest = box("p", "rest", 0, height, 1000, 1000 - height, "rest")
    assert blocks(kept + rest) == [("kept", degree), ("rest", 10)]


# --- what one sees -------------------------------------------------------------------------------


def test_the_box_of_a_node_is_around_its_children_within_its_own():
    page = page_of(
        box("div", "outer", 0, 0, 100, 100, box("p", "a", 10, 20, 30, 40, "a"))
        + box("div", "cut", 200, 0, 100, 100, box("p", "b", 250, 0, 500, 50, "b"))
        + box("div", "painted", 0, 200, 80, 80, box("p", "c", 0, 210, 9, 9, "c"), GREY)
        + box("div", "apart", 0, 400, 10, 10, box("p", "d", 500, 500, 10, 10, "d"))
    )
    nodes = _Nodes.of(page)
    found = {
        name: (nodes.low[0][node], nodes.low[1][node], nodes.high[0][node], nodes.high[1][node])
        for name in ("outer", "cut", "painted", "apart")
        for node in [nodes.row.index(row_of(page, name))]
    }
    assert found == {
        "outer": (10, 20, 40, 60),
        "cut": (250, 0, 300, 50),
        "painted": (0, 200, 80, 280),
        "apart": (0, 400, 10, 410),
    }


# --- separators ----------------------------------------------------------------------------------


def weight(first, second, between=""):
    """Return the weight of the separator between two blocks, from the degree of the page."""
    segments = Vips(pdoc=10)(page_of(first + between + second))
    assert len(segments) >= 3
    return 10 - int(segments.measures["coherence"][0])


@pytest.mark.parametrize(
    ("distance", "expected"),
    [(0, 1), (5, 1), (6, 2), (11, 2), (12, 3), (23, 3), (24, 4), (47, 4), (48, 5)],
)
def test_the_weight_by_distance(distance, expected):
    second = box("p", "b", 400 + distance, 0, 400, 400, "b")
    assert weight(box("p", "a", 0, 0, 400, 400, "a"), second) == expected


@pytest.mark.parametrize(("overlap", "expected"), [(0, 3), (1, 3), (2, 1)])
def test_blocks_beside_a_separator_overlap_by_a_pixel_at_most(overlap, expected):
    """The separator has weight 1 + 2; without one the degree is 9."""
    a = box("p", "a", 0, 0, 400, 400, "a", GREY)
    assert weight(a, box("p", "b", 400 - overlap, 0, 400, 400, "b")) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", 2),
        (box("hr", "line", 0, 415, 400, 1), 4),
        (box("hr", "line", 0, 399, 400, 2), 4),
        (box("hr", "line", 0, 429, 400, 2), 4),
        (box("hr", "line", 0, 300, 400, 1), 2),  # not in the gap
        (box("hr", "line", 0, 399, 1, 32), 2),  # not across it
        (box("hr", "line", 0, 415, 400, 1, more="display:none"), 2),
    ],
)
def test_the_weight_with_a_line(line, expected):
    a, b = box("p", "a", 0, 0, 400, 400, "a"), box("p", "b", 0, 430, 400, 400, "b")
    assert weight(a, b, line) == expected


@pytest.mark.parametrize(("colour", "expected"), [("#ffffff", 2), ("#fffffe", 4)])
def test_the_weight_with_different_backgrounds(colour, expected):
    a = box("p", "a", 0, 0, 400, 400, "a", f"background:{colour}")
    assert weight(a, box("p", "b", 406, 0, 400, 400, "b")) == expected


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [
        ("", "", 3),
        ("font-size:16.9px", "", 3),
        ("font-size:17px", "", 4),
        ("", "font-size:17px", 5),
        ("font-weight:700", "", 4),
        ("", "font-weight:700", 4),
        ("", "font-weight:700;font-size:30px", 5),
    ],
)
def test_the_weight_with_different_fonts(above, below, expected):
    a = box("p", "a", 0, 0, 400, 400, "a", above)
    assert weight(a, box("p", "b", 0, 448, 400, 400, "b", below)) == expected
    image = box("img", "i", 0, 448, 400, 100)
    assert weight(a, image) == 5  # an image has no font
    beside = box("p", "b", 448, 0, 400, 400, "b", below)
    assert weight(a, beside) == 5  # fonts do not count for vertical separators


def record(tag, name, top, height, *inner):
    """Return a grey element with children as large as it is."""
    parts = [box(each, each + name, 0, top, 400, height, each) for each in inner]
    return box(tag, name, 0, top, 400, height, "".join(parts), GREY)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("div", "a", 0, 100, "h2", "p"), ("div", "b", 148, 100, "h2", "p"), 3),
        (("div", "a", 0, 100, "h2", "p"), ("div", "b", 148, 100, "h2", "p", "p"), 3),
        (("div", "a", 0, 100, "h2", "p"), ("div", "b", 148, 200, "h2", "p"), 3),
        (("div", "a", 0, 100, "h2", "p"), ("div", "b", 148, 201, "h2", "p"), 5),
        (("div", "a", 0, 100, "h2", "p"), ("div", "b", 148, 100, "p", "h2"), 5),
        (("div", "a", 0, 100, "h2", "p"), ("ul", "b", 148, 100, "h2", "p"), 5),
        (("div", "a", 0, 100, "h2", "p"), ("p", "b", 148, 100), 5),
    ],
)
def test_the_weight_of_similar_blocks(first, second, expected):
    a = record(*first)
    b = record(*second) if len(second) > 4 else box("p", "b", 0, 148, 400, 100, "b", GREY)
    assert weight(a, b) == expected


def test_a_weight_is_at_most_9():
    """5 + 2 + 2 + 1 + 1 above the image and 5 + 2 + 2 + 1 below it: both are cut at once."""
    image = box("img", "i", 0, 150, 400, 100)
    html = box("p", "a", 0, 0, 400, 100, "a", GREY) + box("hr", "line", 0, 120, 400, 1)
    html += box("div", "b", 0, 150, 400, 100, image + "b", "font-size:30")
    html += box("hr", "line", 0, 270, 400, 1) + box("p", "c", 0, 300, 400, 100, "c", GREY)
    assert tree(Vips(pdoc=2)(page_of(html)))[0] == (0, 1, ["html"])
    assert leaves(page_of(html), 2) == [["a"], ["b"], ["c"]]
    assert Vips(pdoc=2)(page_of(html)).level.tolist() == [0, 1, 1, 1]


# --- structure -----------------------------------------------------------------------------------

HEADER = box("p", "header", 0, 0, 1000, 100, "header")
LEFT = box("p", "left", 0, 148, 300, 600, "left")
COLUMNS = LEFT + box("p", "right", 324, 148, 676, 600, "right")
FOOTER = box("p", "footer", 0, 772, 1000, 28, "footer")


def test_a_header_two_columns_and_a_footer():
    """Horizontal separators of 48 and 24 pixels between texts: 5 - 2 and 4 - 2; a vertical: 4.

    The vertical one is crossed by the header and the footer, and appears between the others.
    """
    page = page_of(HEADER + COLUMNS + FOOTER)
    assert tree(Vips(pdoc=10)(page)) == [
        (0, 6, ["html"]),
        (1, 10, ["header"]),
        (1, 6, ["left", "right", "footer"]),
        (2, 6, ["left", "right"]),
        (3, 10, ["left"]),
        (3, 10, ["right"]),
        (2, 10, ["footer"]),
    ]
    assert leaves(page, 6) == [["html"]]
    assert leaves(page, 7) == [["header"], ["left"], ["right"], ["footer"]]


def test_parts_stand_in_document_order():
    page = page_of(FOOTER + COLUMNS + HEADER)
    assert leaves(page, 10) == [["footer"], ["left"], ["right"], ["header"]]


def test_blocks_without_a_separator_become_parts_at_once():
    pinwheel = [(0, 0, 200, 100), (200, 0, 100, 200), (100, 200, 200, 100), (0, 100, 100, 200)]
    page = page_of("".join(box("p", f"p{i}", *each, f"t{i}") for i, each in enumerate(pinwheel)))
    assert tree(Vips(pdoc=10)(page)) == [
        (0, 9, ["html"]),
        *((1, 10, [f"p{i}"]) for i in range(4)),
    ]
    assert leaves(page, 9) == [["html"]]


def test_lines_count_in_the_part_in_which_they_lie():
    """The vertical separator has weight 5, the horizontal ones 4 - 2 and, with a line, 4."""
    left = box("p", "a", 0, 0, 400, 200, "a") + box("p", "b", 0, 230, 400, 200, "b")
    right = box("p", "c", 448, 0, 400, 200, "c") + box("p", "d", 448, 230, 400, 200, "d")
    line = box("hr", "line", 0, 215, 400, 1)
    assert tree(Vips(pdoc=10)(page_of(left + line + right))) == [
        (0, 5, ["html"]),
        (1, 6, ["a", "b"]),
        (2, 10, ["a"]),
        (2, 10, ["b"]),
        (1, 8, ["c", "d"]),
        (2, 10, ["c"]),
        (2, 10, ["d"]),
    ]


@pytest.mark.parametrize(("line", "degree"), [("", 8), (box("hr", "line", 0, 65, 100, 1), 6)])
def test_lines_count_in_the_round_of_their_parent(line, degree):
    texts = box("p", "a", 0, 0, 100, 50, "a") + line + box("p", "b", 0, 80, 100, 50, "b")
    grey = box("div", "grey", 0, 0, 100, 130, texts, GREY)
    page = page_of(grey + box("p", "rest", 0, 500, 1000, 500, "rest"))
    assert tree(Vips(pdoc=10)(page))[1] == (1, degree, ["grey"])


# --- coherence -----------------------------------------------------------------------------------


def test_a_large_block_is_as_coherent_as_its_separators():
    """The div has degree 2 by rule 12, and separators of weight 3 - 2 between its texts."""
    texts = "".join(box("p", f"p{i}", 0, 100 + 40 * i, 1000, 28, f"t{i}") for i in range(20))
    main = box("div", "main", 0, 100, 1000, 800, texts)
    page = page_of(box("p", "top", 0, 0, 1000, 20, "top") + main)
    assert tree(Vips(pdoc=9)(page)) == [(0, 5, ["html"]), (1, 10, ["top"]), (1, 9, ["main"])]


def test_a_block_is_no_less_coherent_than_its_rule_says():
    """Inside the list is a separator of weight 5, but the rule gives it degree 7."""
    items = box("img", "i", 0, 0, 100, 20) + box("p", "b", 0, 68, 100, 20, "b")
    small = box("ul", "small", 0, 0, 100, 88, items)
    page = page_of(small + box("p", "rest", 0, 100, 1000, 900, "rest"))
    assert tree(Vips(pdoc=10)(page)) == [
        (0, 7, ["html"]),
        (1, 7, ["small"]),
        (2, 10, ["i"]),
        (2, 10, ["b"]),
        (1, 10, ["rest"]),
    ]


def test_a_part_is_no_less_coherent_than_the_whole():
    """The images have separators of weight 5 and 4; the second pair alone would have degree 6."""
    places = [(0, 20), (68, 1), (93, 20)]
    images = (box("img", f"i{i}", 0, top, 100, height) for i, (top, height) in enumerate(places))
    small = box("ul", "small", 0, 0, 100, 113, "".join(images))
    page = page_of(small + box("p", "rest", 0, 120, 1000, 880, "rest"))
    assert tree(Vips(pdoc=8)(page))[1:4] == [
        (1, 7, ["small"]),
        (2, 10, ["i0"]),
        (2, 7, ["i1", "i2"]),
    ]


# --- options and special pages -------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{"pdoc": 0}, {"pdoc": 11}, {"pdoc": 5.5}, {"small": 2}, {"mixed": -1}]
)
def test_options_are_checked(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        Vips(**options)


@pytest.mark.parametrize("html", ["<p>no box</p>", "<div " + at(0, 0, 10, 10) + "></div>"])
def test_a_page_that_shows_nothing_is_one_segment(html):
    assert tree(Vips()(page_of(html))) == [(0, 10, ["html"])]


def test_an_empty_page_has_no_segment():
    assert len(Vips()(page_of(""))) == 0


def test_a_single_text_is_one_segment():
    assert tree(Vips(pdoc=10)(page_of(HEADER))) == [(0, 10, ["html"])]


# --- properties ----------------------------------------------------------------------------------

number = st.sampled_from([0, 1, 5, 20, 50, 100, 101, 250, 400, 700, 1000])
tags = st.sampled_from(["div", "div", "p", "ul", "li", "span", "a", "b", "table", "tr", "td", "h2"])
styles = st.sampled_from(
    [
        *("", "", "background:#ff0000", "background:#00ff00", "display:none", "display:inline"),
        *("font-size:30px", "font-weight:700"),
    ]
)
element = st.tuples(tags, number, number, number, number, styles)


def _written(parts, inner):
    tag, left, top, width, height, style = parts
    return f"<{tag} {at(left, top, width, height, style)}>{''.join(inner)}</{tag}>"


content = st.one_of(
    st.sampled_from(["text", "some text", " "]),
    st.tuples(number, number, number, number).map(lambda b: f"<img {at(*b)}>"),
    st.tuples(number, number, number).map(lambda b: f"<hr {at(*b, 2)}>"),
)
layouts = st.lists(
    st.recursive(
        content,
        lambda inner: st.builds(_written, element, st.lists(inner, max_size=5)),
        max_leaves=12,
    ),
    max_size=4,
).map("".join)


@given(layouts)
def test_every_visible_text_lies_in_exactly_one_leaf(html):
    page = page_of(html)
    texts = np.flatnonzero(page.visible & (page.tag == 0) & (page.chars > 0))
    for pdoc in (1, 6, 10):
        segments = Vips(pdoc=pdoc)(page)
        count = np.zeros(len(page), int)
        for leaf in np.flatnonzero(segments.is_leaf).tolist():
            for row in segments.rows_of(leaf).tolist():
                count[row : page.end[row]] += 1
        assert (count[texts] == 1).all()


@given(layouts)
def test_a_higher_degree_divides_the_segments_of_a_lower_one(html):
    page = page_of(html)
    previous = None
    for pdoc in range(1, 11):
        segments = Vips(pdoc=pdoc)(page)
        degree = segments.measures["coherence"]
        found = {tuple(segments.rows_of(each).tolist()) for each in range(len(segments))}
        leaf_degrees = degree[segments.is_leaf]
        assert (leaf_degrees >= pdoc).all()
        assert (degree[~segments.is_leaf] < pdoc).all()
        assert (degree[1:] >= degree[segments.parent[1:]]).all()
        if previous is not None:
            assert previous[0] <= found
            assert previous[1] <= len(leaf_degrees)
        previous = (found, len(leaf_degrees))


@given(layouts)
def test_segments_stand_in_document_order_each_before_its_parts(html):
    segments = Vips(pdoc=10)(page_of(html))
    parent = segments.parent
    assert (parent < np.arange(len(parent))).all()
    assert (parent[1:] >= 0).all()
    for above in range(len(parent)):
        first = [int(segments.rows_of(each)[0]) for each in np.flatnonzero(parent == above)]
        assert first == sorted(first)


@given(st.lists(st.sampled_from([0, 8, 16, 30, 60]), min_size=1, max_size=12))
def test_cutting_at_the_heaviest_is_merging_from_the_lightest(gaps):
    """One column of images: the neighbours of the lightest separators are merged first."""
    top, html = 0, ""
    for i, gap in enumerate([*gaps, 0]):
        height = (50, 150)[i % 2]  # no neighbours are similar
        html += box("img", f"i{i}", 0, top, 1000, height)
        top += height + gap
    weights = [1 + sum(gap >= least for least in (6, 12, 24, 48)) for gap in gaps]
    merged = [[f"i{i}"] for i in range(len(gaps) + 1)]
    expected = {(name,) for (name,) in merged}
    left = list(weights)
    while left:
        lightest, groups, rest = min(left), [merged[0]], []
        for separator, block in zip(left, merged[1:], strict=True):
            if separator == lightest:
                groups[-1] = groups[-1] + block
            else:
                groups.append(block)
                rest.append(separator)
        merged, left = groups, rest
        expected |= set(map(tuple, merged))
    found = tree(Vips(pdoc=10)(page_of(html)))
    whole = tuple(f"i{i}" for i in range(len(gaps) + 1))
    assert {tuple(labels) if level else whole for level, _, labels in found} == expected
    assert found[0][1] == 10 - max(weights)


def slowly(boxes, names):
    """Return the degree of a group of images and of all groups and images in it, by name."""
    if len(names) == 1:
        return {tuple(names): 10}
    heaviest, cuts = 0, []
    for axis in (1, 0):
        order = sorted(names, key=lambda name: (boxes[name][axis], name))
        weights = [slow_weight(boxes, order[:at], order[at:], axis) for at in range(1, len(order))]
        if max(weights) > heaviest:
            heaviest = max(weights)
            ends = [at for at, each in enumerate(weights, 1) if each == heaviest]
            bounds = itertools.pairwise([0, *ends, len(order)])
            cuts = [sorted(order[first:last]) for first, last in bounds]
    parts = [slowly(boxes, part) for part in cuts or [[name] for name in names]]
    below = {name: degree for part in parts for name, degree in part.items()}
    return {tuple(names): min(10 - max(heaviest, 1), *below.values()), **below}


def slow_weight(boxes, before, after, axis):
    """Return the weight of the separator between two lists of images, 0 if there is none."""
    last = max(before, key=lambda name: boxes[name][axis] + boxes[name][axis + 2])
    first = after[0]
    distance = boxes[first][axis] - boxes[last][axis] - boxes[last][axis + 2]
    if distance < -1:
        return 0
    small, large = sorted(boxes[name][2] * boxes[name][3] for name in (first, last))
    similar = axis == 1 and large <= 2 * small
    return max(1 + sum(distance >= least for least in (6, 12, 24, 48)) - 2 * similar, 1)


places, lengths = st.integers(0, 200), st.integers(1, 60)


@given(st.lists(st.tuples(places, places, lengths, lengths), min_size=2, max_size=12))
def test_groups_of_images_against_the_slow_definition(boxes):
    html = "".join(box("img", f"{i:02}", *each) for i, each in enumerate(boxes))
    names = [f"{i:02}" for i in range(len(boxes))]
    expected = slowly(dict(zip(names, boxes, strict=True)), names)
    found = {tuple(labels): degree for _, degree, labels in tree(Vips(pdoc=10)(page_of(html)))}
    found[tuple(names)] = found.pop(("html",))
    assert found == expected


# --- time ----------------------------------------------------------------------------------------


def rows_of_text(n):
    return "".join(box("p", "", 0, 20 * i, 500, 18, "text") for i in range(n))


def lined_columns(n):
    part = "<div " + at(0, 0, 1000, 20 * n) + ">"
    for i in range(n // 4):
        part += box("p", "", 0, 60 * i, 400, 18, "text") + box("hr", "", 0, 60 * i + 40, 900, 2)
        part += box("div", "", 450, 60 * i, 400, 50, box("img", "", 450, 60 * i, 40, 50) + "text")
    return part + "</div>"


def spiral(n):
    """Blocks of which a cut separates the outermost one only."""
    left, top, right, bottom = 0, 0, 40 * n, 40 * n
    html = ""
    for i in range(n):
        if i % 4 == 0:
            html, top = html + box("img", "", left, top, right - left, 5), top + 10
        elif i % 4 == 1:
            html, right = html + box("img", "", right - 5, top, 5, bottom - top), right - 10
        elif i % 4 == 2:
            html, bottom = html + box("img", "", left, bottom - 5, right - left, 5), bottom - 10
        else:
            html, left = html + box("img", "", left, top, 5, bottom - top), left + 10
    return html


def nested(n):
    inner = "".join(box("p", "", 0, 20 * i, 500, 18, "text") for i in range(n))
    for level in range(100):
        inner = box("div", "", 0, 0, 500, 20 * n + level, f"level<br>{inner}")
    return inner


@pytest.mark.slow
@pytest.mark.parametrize("shape", [rows_of_text, lined_columns, spiral, nested])
def test_time_is_linear(shape):
    pages = cache(lambda n: page_of(shape(n)))
    assert_linear(Vips(pdoc=10), pages, 1_000)


@pytest.mark.slow
def test_a_page_of_100_000_elements():
    draw = random.Random(7)
    html = "".join(
        box(draw.choice(["p", "div", "li"]), "", draw.randrange(0, 900, 300), 10 * i, 280, 9, "t")
        for i in range(50_000)
    )
    page = page_of(html)
    begin = time.process_time()
    segments = Vips()(page)
    assert time.process_time() - begin < 20
    assert len(page) > 100_000
    assert len(segments) > 0


# --- in a real browser ---------------------------------------------------------------------------

STYLE = """<style>
  body { margin: 0; height: 800px }
  body > * { position: absolute; background: #eee; margin: 0; overflow: hidden }
</style>"""


def placed(tag, name, left, top, width, height, inner, more=""):
    style = f"left:{left}px;top:{top}px;width:{width}px;height:{height}px;{more}"
    return f'<{tag} id="{name}" style="{style}">{inner}</{tag}>'


def test_a_header_two_columns_and_a_footer_in_chromium(browser):
    """The same separators as in the page laid out by hand: 5 - 2, 4 and 4 - 2."""
    html = STYLE + "".join(
        [
            placed("p", "header", 0, 0, 1000, 100, "header"),
            placed("p", "left", 0, 148, 300, 600, "left"),
            placed("p", "right", 324, 148, 676, 600, "right"),
            placed("p", "footer", 0, 772, 1000, 28, "footer"),
        ]
    )
    assert tree(Vips(pdoc=10)(browser.render(html)))[1:] == [
        (1, 10, ["header"]),
        (1, 6, ["left", "right", "footer"]),
        (2, 6, ["left", "right"]),
        (3, 10, ["left"]),
        (3, 10, ["right"]),
        (2, 10, ["footer"]),
    ]


def test_colours_fonts_and_lines_in_chromium(browser):
    """Weights: 4 + 2 for a line, 4 + 2 + 2 - 2 for colour and font; hidden parts do not count."""
    image = "<img style='width:1000px;height:100px'>"
    html = STYLE + "".join(
        [
            placed("div", "a", 0, 0, 1000, 100, image),
            '<hr style="left:0;top:110px;width:1000px;height:2px">',
            placed("p", "b", 0, 130, 1000, 100, "b"),
            placed("p", "c", 0, 255, 1000, 100, "c", "background:#00f;font-size:40px"),
            placed("p", "gone", 0, 100, 1000, 200, "gone", "visibility:hidden"),
        ]
    )
    page = browser.render(html)
    assert tree(Vips(pdoc=10)(page)) == [
        (0, 4, ["html"]),
        (1, 10, ["a"]),
        (1, 10, ["b"]),
        (1, 10, ["c"]),
    ]


def test_a_table_in_chromium(browser):
    html = "<table cellpadding=30><tr><td>menu<td><p>one<p>two <b>three</b></table>"
    page = browser.render(html)
    assert [Vips(pdoc=pdoc)(page).is_leaf.sum() for pdoc in (1, 6, 7, 10)] == [1, 2, 2, 4]
