"""Seam degree and content similarity against paper 002, and by hand."""

import math
import pickle
import time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.visual import slow_seam as slow
from tests.visual.boxes import at, div, laid_out
from thresher import UsageError
from thresher.visual.seam import (
    Seam,
    adjoining_pairs,
    content_similarity,
    normalised,
    seam_degrees,
    sweep,
)

STEPS = [step / 10 for step in range(11)]


def pairs_of(*boxes):
    return list(map(tuple, adjoining_pairs(boxes).tolist()))


def degrees_of(*boxes):
    pairs = adjoining_pairs(boxes)
    return seam_degrees(np.array(boxes, float), pairs).tolist()


def leaves(segments):
    """Return for each undivided segment the ids of its elements and the lengths of its texts."""
    page = segments.page
    return [
        [
            page.attributes(row).get("id", "") if page.tag[row] else len(page.text(row))
            for row in rows
        ]
        for rows in (segments.rows_of(each).tolist() for each in np.flatnonzero(segments.is_leaf))
    ]


def measures(segments):
    return list(zip(segments.measures["seam"], segments.measures["similarity"], strict=True))


# --- adjoining blocks ----------------------------------------------------------------------------

BOXES = st.tuples(*[st.integers(0, 12)] * 2, *[st.integers(1, 8)] * 2)


@given(st.lists(BOXES, max_size=12))
def test_pairs_and_seam_degrees_are_those_of_the_definition(boxes):
    expected = slow.adjoining(boxes)
    pairs = adjoining_pairs(boxes)
    assert list(map(tuple, pairs.tolist())) == sorted(expected)
    degrees = seam_degrees(np.array(boxes, float).reshape(-1, 4), pairs)
    assert degrees.tolist() == pytest.approx([expected[pair] for pair in sorted(expected)])


def test_two_blocks_of_equal_width_above_each_other_fill_their_rectangle():
    assert degrees_of((0, 0, 100, 20), (0, 30, 100, 50)) == [1.0]


def test_seam_squared_over_the_widths():
    # They share 50..100 of widths 100 and 150: 50^2 / (100 * 150).
    assert degrees_of((0, 0, 100, 20), (50, 30, 150, 50)) == [2500 / 15000]


def test_seam_squared_over_the_heights():
    # Side by side, they share 10..40 of heights 40 and 60: 30^2 / (40 * 60).
    assert degrees_of((0, 0, 100, 40), (120, 10, 50, 60)) == [900 / 2400]


def test_a_block_between_two_others_parts_them():
    assert pairs_of((0, 0, 10, 10), (0, 20, 10, 10), (0, 40, 10, 10)) == [(0, 1), (1, 2)]


def test_a_block_that_covers_a_part_of_the_shared_range_parts_them_too():
    assert pairs_of((0, 0, 10, 10), (8, 20, 10, 10), (0, 40, 10, 10)) == [(0, 1), (1, 2)]


def test_a_block_beside_the_shared_range_does_not():
    assert pairs_of((0, 0, 10, 10), (10, 20, 10, 10), (0, 40, 10, 10)) == [(0, 1), (0, 2), (1, 2)]


def test_blocks_that_touch_at_a_corner_are_one_pair_of_degree_0():
    assert pairs_of((0, 0, 10, 10), (10, 10, 10, 10)) == [(0, 1)]
    assert degrees_of((0, 0, 10, 10), (10, 10, 10, 10)) == [0.0]


def test_blocks_whose_ranges_touch_have_degree_0():
    assert degrees_of((0, 0, 10, 10), (10, 30, 10, 10)) == [0.0]


def test_a_block_that_touches_the_common_point_lies_between():
    assert (0, 2) not in pairs_of((0, 0, 10, 10), (10, 12, 10, 10), (10, 30, 10, 10))


def test_overlapping_blocks_do_not_adjoin():
    assert pairs_of((0, 0, 10, 10), (5, 5, 10, 10)) == []


def test_a_block_across_the_common_edge_parts_two_blocks():
    assert pairs_of((0, 0, 10, 10), (0, 10, 10, 10), (2, 5, 2, 10)) == []


def test_a_grid_of_four_has_six_pairs():
    # Two rows, two columns and two diagonals; without the contact of the corners four.
    cells = [(x, y, 10, 10) for y in (0, 10) for x in (0, 10)]
    assert len(pairs_of(*cells)) == 6
    assert len(pairs_of(*[(2 * x, 2 * y, w, h) for x, y, w, h in cells])) == 4


def test_no_block_and_one_block_have_no_pairs():
    assert adjoining_pairs(np.zeros((0, 4))).shape == (0, 2)
    assert pairs_of((0, 0, 10, 10)) == []


def grid(count, columns, step):
    index = np.arange(count)
    size = np.full(count, 10)
    return np.column_stack((index % columns * step, index // columns * step, size, size))


def layouts(count):
    rng = np.random.default_rng(0)
    index = np.arange(count)
    tall = index % 2 == 0
    yield "column", grid(count, 1, 12)
    yield "row", grid(count, count, 12)
    yield "grid", grid(count, 300, 10)
    yield "scattered", rng.integers(1, 100_000, (count, 4)) // (1, 1, 1000, 1000) + (0, 0, 1, 1)
    yield "stairs", np.column_stack((index, index, index * 0 + count, index * 0 + count))
    yield (
        "combs",
        np.column_stack(
            (
                np.where(tall, index * 10, 0),
                np.where(tall, 0, index),
                np.where(tall, 5, count * 10),
                np.where(tall, count, 1),
            )
        ),
    )
    yield "two heaps", np.column_stack((index * 0, tall * 10, index * 0 + 10, index * 0 + 10))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, _ in layouts(1)])
def test_a_hundred_thousand_siblings(name):
    boxes = dict(layouts(100_000))[name]
    started = time.process_time()
    pairs = adjoining_pairs(boxes)
    assert time.process_time() - started < 60
    assert len(pairs) <= 24 * len(boxes) + 10_000


def test_the_pairs_of_a_large_grid_are_counted():
    # 100 by 100: 100 * 99 in rows, as many in columns, and 99 * 99 in both diagonals.
    assert len(adjoining_pairs(grid(10_000, 100, 10))) == 2 * 100 * 99 + 2 * 99 * 99


# --- content similarity --------------------------------------------------------------------------

AREAS = st.lists(st.integers(1, 50), max_size=4)
VECTORS = st.tuples(*[AREAS] * 4)


@given(VECTORS, VECTORS)
def test_content_similarity_is_that_of_the_definition(one, other):
    assert content_similarity(one, other) == pytest.approx(slow.similarity(one, other), abs=1e-12)


def test_similarity_by_hand():
    # Texts (3, 4) and (4): sorted (4, 3) and (4, 0), cosine 16 / (5 * 4) = 0.8, weight 11 / 21.
    # Images (5) and (5): cosine 1, weight 10 / 21.
    one, other = [[3, 4], [], [5], []], [[4], [], [5], []]
    assert content_similarity(one, other) == pytest.approx(0.8 * 11 / 21 + 10 / 21)


def test_different_types_are_not_similar():
    assert content_similarity([[9], [], [], []], [[], [9], [], []]) == 0


def test_nothing_is_not_similar_to_nothing():
    assert content_similarity([[]] * 4, [[]] * 4) == 0


@given(VECTORS)
def test_equal_contents_have_a_similarity_of_exactly_1(areas):
    assume(any(areas))
    assert content_similarity(areas, areas) == 1


def test_content_similarity_asks_for_four_lists():
    with pytest.raises(UsageError, match="four lists"):
        content_similarity([[1]], [[1]])


# --- segments ------------------------------------------------------------------------------------


def elements():
    """Return random trees of elements, with some that have no area."""
    place = st.tuples(*[st.integers(0, 20)] * 2, *[st.integers(0, 9)] * 2)
    length = st.integers(1, 5)
    leaf = st.one_of(
        st.builds(slow.Element, st.sampled_from(["img", "input"]), place),
        st.builds(slow.Element, st.just("a"), place, st.lists(length, min_size=1, max_size=1)),
    )

    def outer(inner):
        items = st.lists(st.one_of(inner, inner, length), max_size=5).map(without_double_texts)
        return st.builds(slow.Element, st.sampled_from(["div", "div", "span"]), place, items)

    return st.recursive(leaf, outer, max_leaves=12)


def without_double_texts(items):
    """Leave out texts after texts, which a parser joins."""
    kept = []
    for item in items:
        if not (isinstance(item, int) and kept and isinstance(kept[-1], int)):
            kept.append(item)
    return kept


@st.composite
def trees(draw):
    """Return a root element with ids for all."""
    items = draw(st.lists(elements(), max_size=4))
    body = slow.Element("body", (0, 0, 50, 50), items)
    root = slow.Element("html", (0, 0, 50, 50), [body])
    waiting, count = [root], 0
    while waiting:
        element = waiting.pop()
        element.name, count = f"n{count}", count + 1
        waiting += [item for item in element.items if isinstance(item, slow.Element)]
    return root


@given(trees(), st.sampled_from(STEPS), st.sampled_from(STEPS), st.booleans())
def test_segments_are_those_of_the_definition(root, alpha, beta, whole_lines):
    found = Seam(alpha, beta, whole_lines)(laid_out(root.html()))
    expected = slow.segments(root, alpha - 1e-9, beta - 1e-9, whole_lines)
    assume(len(expected) == len(slow.segments(root, alpha + 1e-9, beta + 1e-9, whole_lines)))
    assert leaves(found) == [slow.label(each) for each in expected]


@given(trees(), st.booleans())
def test_averages_are_those_of_the_definition(root, whole_lines):
    found = Seam(1, 1, whole_lines)(laid_out(root.html()))
    for segment, (seam, alike) in enumerate(measures(found)):
        (row, *more) = found.rows_of(segment).tolist()
        if more or not found.page.tag[row]:
            assert (seam, alike) == (1, 1)
            continue
        name = found.page.attributes(row)["id"]
        expected = slow.averages(element_named(root, name), whole_lines)
        if whole_lines and found.parent[segment] >= 0 and found.is_leaf[segment]:
            expected = (1, 1)  # a line of a single element is not looked into
        assert (seam, alike) == pytest.approx(expected)


def element_named(root, name):
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if element.name == name:
            return element
        waiting += [item for item in element.items if isinstance(item, slow.Element)]
    raise KeyError(name)


@given(trees(), st.booleans())
def test_the_sweep_counts_the_segments_of_121_segmentations(root, whole_lines):
    page = laid_out(root.html())
    expected = [
        [int(Seam(alpha, beta, whole_lines)(page).is_leaf.sum()) for beta in STEPS]
        for alpha in STEPS
    ]
    counts = sweep(page, whole_lines=whole_lines)
    assert counts.tolist() == expected
    assert counts[0, 0] == 1
    assert (np.diff(counts, axis=0) >= 0).all()
    assert (np.diff(counts, axis=1) >= 0).all()


@given(trees(), st.booleans())
def test_segments_are_a_tree_in_document_order(root, whole_lines):
    found = Seam(whole_lines=whole_lines)(laid_out(root.html()))
    assert found.parent[0] == -1
    assert (found.parent[1:] < np.arange(1, len(found))).all()
    assert (found.parent[1:] >= 0).all()
    rows = [found.rows_of(each)[0] for each in range(len(found))]
    assert rows == sorted(rows)


THREE = (
    '<body id="body">'
    + f'<p id="one" {at(0, 0, 100, 20)}>0123456789</p>'
    + f'<p id="two" {at(0, 20, 100, 20)}>01234</p>'
    + f'<img id="three" {at(0, 50, 50, 40)}></body>'
)


def test_a_page_by_hand():
    # One above two: SD 1; both are text, CS 1. Two above three: 50^2 / (100 * 50) = 0.5; text
    # against an image, CS 0. So AvgSD = 0.75 and AvgCS = 0.5 of the body.
    page = laid_out(THREE)
    assert measures(Seam(0.7, 0.5)(page)) == [(0, 0), (0.75, 0.5)]
    assert leaves(Seam(0.75, 0.5)(page)) == [["body"]]
    assert leaves(Seam(0.8, 0.5)(page)) == [["one"], ["two"], ["three"]]
    assert leaves(Seam(0.75, 0.6)(page)) == [["one"], ["two"], ["three"]]
    assert measures(Seam()(page)) == [(0, 0), (0.75, 0.5), (1, 1), (1, 1), (1, 1)]


def test_the_sweep_of_it_by_hand():
    # (0, 0) keeps the root whole; above, the root is divided into the body, which is divided where
    # alpha is above 0.75 or beta above 0.5.
    counts = sweep(laid_out(THREE))
    assert counts[0, 0] == 1
    assert counts[:8, :6].sum() == 8 * 6
    assert (counts[8:] == 3).all()
    assert (counts[:, 6:] == 3).all()


def test_text_area_is_length_times_the_square_of_the_font_size():
    # 10 characters of 10 pixels, 1000, against 11 and 9 characters: (1000, 0) and (1100, 900).
    html = (
        f'<div id="one" {at(0, 0, 100, 20, "font-size:10")}>0123456789</div>'
        f'<div id="two" {at(0, 20, 100, 20, "font-size:10")}>'
        f"<p {at(0, 20, 100, 10)}>01234 56789</p><p {at(0, 30, 100, 10)}>012345678</p></div>"
    )
    found = Seam()(laid_out(f"<body>{html}"))
    u, v = (1000, 0), (1100, 900)
    expected = u[0] * v[0] / (1000 * math.hypot(*v))
    assert measures(found)[1] == (1, pytest.approx(expected))


def test_white_space_is_collapsed_before_it_is_counted():
    html = f"<div {at(0, 0, 100, 20)}>a   b</div><div {at(0, 20, 100, 20)}>a b</div>"
    inner = f"<p {at(0, 40, 100, 20)}>abc</p>"
    assert measures(Seam()(laid_out(f"<body>{html}{inner}")))[1] == (1, 1)


def test_a_single_child_divides_a_block():
    page = laid_out(f'<body id="body">{div(0, 0, 9, 9, "text")}</body>')
    assert leaves(Seam(0, 0.1)(page)) == [[""]]
    assert measures(Seam(0, 0.1)(page)) == [(0, 0), (0, 0), (1, 1)]


def test_children_that_all_overlap_divide_a_block():
    page = laid_out(f"<body>{div(0, 0, 9, 9, 'a')}{div(1, 1, 9, 9, 'a')}</body>")
    assert measures(Seam(0.1, 0)(page)) == [(0, 0), (0, 0), (1, 1), (1, 1)]


def test_an_element_without_area_hands_its_children_up():
    inner = "".join(f'<p id="{y}" {at(0, y, 50, 10)}>same</p>' for y in (0, 10, 20))
    plain, wrapped = f"<body>{inner}", f"<body><section>{inner}</section>"
    assert leaves(Seam(1, 1)(laid_out(wrapped))) == leaves(Seam(1, 1)(laid_out(plain)))
    assert measures(Seam()(laid_out(wrapped)))[1] == (1, 1)


def test_hidden_elements_are_no_blocks():
    shown = f'<p id="shown" {at(0, 0, 50, 10)}>text</p>'
    hidden = f"<p {at(0, 10, 50, 10, 'display:none')}>text</p><script>code()</script>"
    assert leaves(Seam(1, 1)(laid_out(f"<body>{hidden}{shown}"))) == [["shown"]]


def test_the_inside_of_a_picture_or_form_field_is_not_divided():
    icon = (
        f'<svg id="icon" {at(0, 0, 20, 20)}><g {at(0, 0, 9, 9)}></g><g {at(9, 9, 9, 9)}></g></svg>'
    )
    button = f'<button id="go" {at(0, 20, 50, 20)}><b {at(0, 20, 9, 9)}>Go</b> now</button>'
    assert leaves(Seam(1, 1)(laid_out(f"<body>{icon}{button}"))) == [["icon"], ["go"]]


def test_bare_text_of_a_divided_block_is_a_segment():
    page = laid_out(f"<body>before{div(0, 0, 9, 9, 'inside')}after <br>and after</body>")
    found = Seam()(page)
    assert [found.text(each) for each in np.flatnonzero(found.is_leaf)] == [
        *("before", "inside", "after and after")
    ]


SENTENCE = (
    f'<body><p id="one" {at(0, 0, 100, 20)}>Tea is <b id="b" {at(40, 0, 20, 20)}>hot</b> here.</p>'
    f'<p id="two" {at(0, 20, 100, 20)}>Or <a id="a" {at(20, 20, 20, 20)}>cold</a>.</p></body>'
)


def test_a_sentence_is_divided_as_in_the_paper_unless_lines_are_whole():
    page = laid_out(SENTENCE)
    assert leaves(Seam(1, 1)(page)) == [[7], ["b"], [6], [3], ["a"], [1]]
    assert leaves(Seam(1, 1, whole_lines=True)(page)) == [["one"], ["two"]]


def test_a_line_beside_a_block_is_a_block_with_the_box_around_it():
    # The line covers x from 0 to 60, the block below it from 0 to 100: 60^2 / (60 * 100).
    html = f'<b id="b" {at(0, 0, 20, 20)}>Tea</b><i id="i" {at(30, 0, 30, 20)}>is</i>' + div(
        0, 20, 100, 20, "hot"
    )
    found = Seam(whole_lines=True)(laid_out(f"<body>{html}</body>"))
    assert leaves(found) == [["b", "i"], [""]]
    assert found.measures["seam"].tolist() == [0, 0.6, 1, 1]


def test_an_inline_element_that_contains_a_block_is_no_part_of_a_line():
    block = div(0, 20, 100, 20, "block")
    page = laid_out(f'<body>text<span id="s" {at(0, 20, 100, 20)}>{block}</span></body>')
    assert leaves(Seam(whole_lines=True)(page)) == [[4], [""]]


@pytest.mark.parametrize(
    "html", ["", "<!-- nothing -->", "text", "<p></p>", "<frameset></frameset>"]
)
def test_poor_pages(html):
    page = laid_out(html)
    found = Seam()(page)
    assert len(found) >= min(len(page), 1)
    assert sweep(page)[0, 0] == min(len(page), 1)


def test_a_page_that_is_not_visible_is_one_segment():
    page = laid_out('<body style="display:none">text</body>')
    found = Seam(1, 1)(page)
    assert len(found) >= 1


@pytest.mark.parametrize("name", ["alpha", "beta"])
@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, "1", True])
def test_thresholds_outside_of_0_to_1_are_refused(name, value):
    with pytest.raises(UsageError, match=name):
        Seam(**{name: value})


def test_it_pickles():
    assert pickle.loads(pickle.dumps(Seam(0.5))) == Seam(0.5)


def test_nested_blocks_with_many_texts():
    rows = "".join(f"<p {at(0, y, 100, 1)}>x</p>" for y in range(5000))
    deep, levels = (
        f"<div {at(0, 0, 100, 5000)}>" * 200,
        f"</div><p {at(0, 5000, 9, 9)}>yy</p>" * 200,
    )
    started = time.process_time()
    counts = sweep(laid_out(f"<body>{deep}{rows}{levels}"))
    assert counts[9, 8] == 201
    assert time.process_time() - started < 20


# --- formula 9 -----------------------------------------------------------------------------------


def test_counts_are_divided_by_the_largest_of_their_page_and_averaged():
    assert normalised([[[1, 2], [2, 4]], [[1, 1], [1, 10]]]).tolist() == [
        [(0.25 + 0.1) / 2, (0.5 + 0.1) / 2],
        [(0.5 + 0.1) / 2, 1],
    ]


def test_no_page_has_no_mean():
    with pytest.raises(UsageError, match="at least one page"):
        normalised([])


# --- in a browser --------------------------------------------------------------------------------


def absolute(left, top, width, height, inner="", tag="div", more=""):
    style = f"position:absolute;left:{left}px;top:{top}px;width:{width}px;height:{height}px;{more}"
    return f'<{tag} style="{style}">{inner}</{tag}>'


def rendered(browser, *blocks):
    style = "<style>* { margin: 0; font: 10px/10px monospace } body { height: 500px }</style>"
    return browser.render(f"<!DOCTYPE html><title>t</title>{style}<body>{''.join(blocks)}")


def test_seam_degree_in_a_browser(browser):
    # 200 above 100 wide: 100^2 / (200 * 100); and beside them a block that shares 50 of heights
    # 50 and 150, and 60 of 60 and 150: (0.5 + 1/3 + 0.4) / 3.
    page = rendered(
        browser,
        absolute(0, 0, 200, 50, "0123456789"),
        absolute(0, 60, 100, 60, "0123456789"),
        absolute(220, 0, 50, 150, "0123456789"),
    )
    found = Seam()(page)
    body = int(np.flatnonzero(found.rows[found.first[:-1]] == page.body)[0])
    assert measures(found)[body] == (pytest.approx((0.5 + 1 / 3 + 0.4) / 3), 1)
    assert found.is_leaf.sum() == 3


def test_content_similarity_in_a_browser(browser):
    # Text 10 * 10^2 against text 10 * 20^2 and a link of 5 * 20^2: the cosine of the texts is 1
    # and weighs 5000 / 7000. SD is 1.
    page = rendered(
        browser,
        absolute(0, 0, 300, 50, "0123456789"),
        absolute(
            *(0, 50, 300, 50, "0123456789<a href='/' style='font-size:20px'>01234</a>"),
            more="font-size:20px",
        ),
    )
    found = Seam(1, 0.7)(page)
    body = int(np.flatnonzero(found.rows[found.first[:-1]] == page.body)[0])
    assert measures(found)[body] == (1, pytest.approx(5 / 7))
    assert found.is_leaf[body]
    assert not Seam(1, 0.72)(page).is_leaf[body]


def test_images_and_inputs_in_a_browser(browser):
    # An image of 30 * 20 and an input of 10 * 40 in each block, but in the second two inputs:
    # the cosine of the inputs is 1 / sqrt(2), their weight 1200 / 2400.
    image = absolute(0, 0, 30, 20, tag="img", more="border:0").replace("</img>", "")
    fields = "appearance:none;border:0;padding:0"
    one = absolute(50, 0, 10, 40, tag="input", more=fields).replace("</input>", "")
    two = absolute(70, 0, 10, 40, tag="input", more=fields).replace("</input>", "")
    page = rendered(
        browser, absolute(0, 0, 100, 50, image + one), absolute(0, 50, 100, 50, image + one + two)
    )
    found = Seam()(page)
    body = int(np.flatnonzero(found.rows[found.first[:-1]] == page.body)[0])
    assert measures(found)[body] == (1, pytest.approx(0.5 + 0.5 / math.sqrt(2)))
