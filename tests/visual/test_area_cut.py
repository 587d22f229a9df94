"""Area cut: the definition on random trees, worked examples for each rule."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.visual.boxes import at, div, laid_out
from thresher.errors import UsageError
from thresher.visual.area_cut import AreaCut

# --- the definition ------------------------------------------------------------------------------
# A tree is a text, or (name, box, children); `i` is inline and `div` a block.

boxes = st.tuples(
    st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 90)
)  # fmt: skip
texts = st.sampled_from(["word", "two words", "a longer text of six words"])
trees = st.recursive(
    st.one_of(texts, st.tuples(st.sampled_from(["i", "div"]), boxes, st.just([]))),
    lambda inner: st.tuples(st.sampled_from(["i", "div"]), boxes, st.lists(inner, max_size=4)),
    max_leaves=14,
)


def html_of(tree):
    if isinstance(tree, str):
        return tree
    name, box, children = tree
    shown = "inline" if name == "i" else "block"
    # Comments keep neighbouring texts apart.
    inner = "<!---->".join(map(html_of, children))
    return f"<{name} {at(*box, f'display:{shown}')}>{inner}</{name}>"


class Node:
    """A node with what it shows; slow, straight from the description."""

    def __init__(self, tree, outer):
        self.text = tree if isinstance(tree, str) else None
        self.inline = self.text is not None or tree[0] == "i"
        has_area = self.text is None and tree[1][2] > 0 and tree[1][3] > 0
        self.box = tree[1] if has_area else outer
        self.children = [] if self.text else [Node(each, self.box) for each in tree[2]]
        self.is_leaf = bool(self.text) or (has_area and not any(c.leaves() for c in self.children))

    def leaves(self):
        own = [self] if self.is_leaf else []
        return own + [leaf for child in self.children for leaf in child.leaves()]

    def sides(self):
        found = [leaf.box for leaf in self.leaves()]
        low = min(box[0] for box in found), min(box[1] for box in found)
        high = max(box[0] + box[2] for box in found), max(box[1] + box[3] for box in found)
        return high[0] - low[0], high[1] - low[1]

    def area(self):
        width, height = self.sides()
        return width * height

    def chars(self):
        return sum(len(leaf.text or "") for leaf in self.leaves())

    def holds_block(self):
        """Whether a block with leaves inside is below this node; a leaf is none."""
        return any(
            child.holds_block() or (not child.inline and not child.is_leaf)
            for child in self.children
            if child.leaves()
        )


def slow_parts(node):
    parts, run = [], []
    for child in [each for each in node.children if each.leaves()]:
        if child.inline and not child.holds_block():
            run.append(child)
            continue
        parts += [run, [child]] if run else [[child]]
        run = []
    return [*parts, run] if run else parts


def slow_divide(part, least, cut):
    node = part[0]
    if len(part) > 1 or node.area() < least:
        return [part]
    parts = slow_parts(node)
    while len(parts) == 1 and len(parts[0]) == 1:
        node = parts[0][0]
        parts = slow_parts(node)
    if len(parts) < 2:
        return [part]
    children = [child for each in parts for child in each]
    in_lines = sum(
        child.chars()
        for child in children
        if not child.holds_block() or child.sides()[1] <= cut.line
    )
    if node.chars() and in_lines >= cut.lines * node.chars():
        return [part]
    return [inner for each in parts for inner in slow_divide(each, least, cut)]


def slow_segments(tree, cut):
    """The texts of the leaves of each coarse segment, and of each fine one in it."""
    root = Node(("div", (0, 0, 0, 0), [tree]), (0, 0, 1000, 1000))
    root.children[0].box = tree[1] if tree[1][2] and tree[1][3] else (0, 0, 1000, 1000)
    width, height = root.sides()
    found = []
    for part in slow_divide([root], cut.coarse * root.area(), cut):
        fine = slow_divide(part, cut.fine * width * min(height, cut.screen), cut)
        found.append((shown(part), [shown(each) for each in fine] if len(fine) > 1 else []))
    return found


def shown(part):
    return [(leaf.text, tuple(leaf.box)) for node in part for leaf in node.leaves()]


def shown_rows(page, rows):
    found = []
    for row in rows.tolist():
        for each in range(row, page.end[row]):
            below = page.visible[each + 1 : page.end[each]].any()
            if page.visible[each] and not below:
                box = (page.x[each], page.y[each], page.w[each], page.h[each])
                found.append((page.text(each) or None, tuple(map(int, box))))
    return found


@given(
    st.tuples(st.just("div"), boxes, st.lists(trees, min_size=1, max_size=5)),
    st.sampled_from([0.0, 0.5, 0.85, 1.0]),
    st.sampled_from([0.0, 0.1, 0.3]),
    st.sampled_from([0.0, 30.0]),
)
def test_segments_are_those_of_the_definition(tree, coarse, fine, line):
    cut = AreaCut(coarse=coarse, fine=fine, line=line, screen=50.0)
    page = laid_out("<body>" + html_of(tree))
    body = laid_out("<body></body>")
    assert len(body) == page.body + 1
    segments = cut(page)
    if not Node(tree, (0, 0, 1000, 1000)).leaves():
        return
    found = []
    for each in range(1, len(segments)):
        rows = shown_rows(page, segments.rows_of(each))
        if segments.parent[each] == 0:
            found.append((rows, []))
        else:
            found[-1][1].append(rows)
    assert found == slow_segments(tree, cut)


# --- worked examples -----------------------------------------------------------------------------


def texts_of(segments, parent):
    at_parent = np.flatnonzero(segments.parent == parent).tolist()
    return {segments.text(each): each for each in at_parent}


HEADER = div(0, 0, 100, 10, "header")
FOOTER = div(0, 90, 100, 10, "footer")
CONTENT = div(
    0, 10, 100, 80,
    div(0, 10, 60, 80, div(0, 10, 60, 40, div(0, 10, 60, 40, "above")) + div(
        0, 50, 60, 40, div(0, 50, 60, 40, "below")))
    + div(60, 10, 40, 80, div(60, 10, 40, 80, "side")),
)  # fmt: skip
WHOLE = f"<body>{HEADER}{CONTENT}{FOOTER}"


def test_header_content_and_footer_then_their_parts():
    segments = AreaCut(fine=0.3, line=0.0)(laid_out(WHOLE))
    coarse = texts_of(segments, 0)
    assert list(coarse) == ["header", "above below side", "footer"]
    assert list(texts_of(segments, coarse["above below side"])) == ["above", "below", "side"]
    assert texts_of(segments, coarse["header"]) == {}
    assert segments.level.max() == 2


def test_areas_are_shares_of_the_page():
    segments = AreaCut(fine=0.3, line=0.0)(laid_out(WHOLE))
    assert segments.measures["area"] == pytest.approx([1, 0.1, 0.8, 0.24, 0.24, 0.32, 0.1])


def test_small_parts_are_not_divided():
    # The left column is 60 by 80 pixels of 100 by 100.
    inner = texts_of(AreaCut(fine=0.49, line=0.0)(laid_out(WHOLE)), 2)
    assert list(inner) == ["above below", "side"]


def test_the_fine_threshold_is_a_share_of_a_screen():
    # A screen of 50 pixels: half of it are 2500 square pixels, fewer than in the left column.
    page = laid_out(WHOLE)
    assert len(texts_of(AreaCut(fine=0.5, line=0.0, screen=50.0)(page), 2)) == 3
    assert len(texts_of(AreaCut(fine=0.5, line=0.0, screen=100.0)(page), 2)) == 2


def test_a_wrapper_is_divided_as_what_it_wraps():
    wrapped = div(0, 0, 100, 100, div(0, 0, 100, 100, HEADER + CONTENT + FOOTER))
    segments = AreaCut(fine=0.3, line=0.0)(laid_out(f"<body>{wrapped}"))
    assert list(texts_of(segments, 0)) == ["header", "above below side", "footer"]


def test_paragraphs_stay_together():
    paragraphs = div(0, 0, 100, 40, "one") + div(0, 40, 100, 40, "two")
    article = div(0, 0, 100, 80, paragraphs)
    menu = div(0, 80, 100, 80, div(0, 80, 100, 80, div(0, 80, 100, 80, "menu")))
    segments = AreaCut(coarse=0.1, fine=0.0)(laid_out(f"<body>{article}{menu}"))
    assert list(texts_of(segments, 0)) == ["one two", "menu"]


def test_rows_of_a_table_stay_together_if_they_are_low():
    table = "".join(
        div(0, top, 100, 30, div(0, top, 50, 30, f"{top}") + div(50, top, 50, 30, "cell"))
        for top in (0, 30, 60)
    )
    page = laid_out(f"<body>{table}")
    whole = AreaCut(coarse=0.5, line=30.0)(page)
    assert list(texts_of(whole, 0)) == ["0 cell 30 cell 60 cell"]
    divided = AreaCut(coarse=0.5, line=29.0)(page)
    assert list(texts_of(divided, 0)) == ["0 cell", "30 cell", "60 cell"]


def test_a_line_with_inline_elements_is_not_torn():
    line = f"some <b {at(10, 0, 20, 20)}>bold</b> text"
    picture = div(0, 20, 100, 80, div(0, 20, 100, 80, div(0, 20, 100, 80, "x" * 99)))
    segments = AreaCut(coarse=0.5, fine=0.0, line=0.0)(laid_out(f"<body>{line}{picture}"))
    assert next(iter(texts_of(segments, 0))) == "some bold text"


def test_an_inline_element_with_blocks_is_no_line():
    wide = f"<span {at(0, 0, 100, 80)}>{div(0, 0, 100, 40, 'one')}{div(0, 40, 100, 40, 'two')}"
    page = laid_out(f"<body>{wide}</span> text")
    segments = AreaCut(coarse=0.5, fine=0.0, line=0.0)(page)
    assert len(texts_of(segments, 0)) == 2


def test_pages_that_show_nothing_are_one_segment():
    for html in ("", "<body></body>", "<body><div style='display: none'>x</div>"):
        segments = AreaCut()(laid_out(html))
        assert segments.parent.tolist() == [-1]
        assert segments.measures["area"].tolist() == [0]


def test_every_text_is_in_one_fine_segment():
    page = laid_out(WHOLE)
    segments = AreaCut()(page)
    shown = page.text_rows[page.chars[page.text_rows] > 0]
    assert segments.is_leaf[segments.of_row[shown]].all()


def test_options_are_checked_and_segmenters_can_be_pickled():
    with pytest.raises(UsageError, match="coarse of areacut"):
        AreaCut(coarse=2.0)
    with pytest.raises(UsageError, match="line of areacut"):
        AreaCut(line=-1.0)
    cut = AreaCut(fine=0.3)
    assert pickle.loads(pickle.dumps(cut)) == cut


def wide(count):
    cells = (div(0, 50 * top, 90, 50, div(0, 50 * top, 90, 50, "x")) for top in range(count))
    return laid_out("<body>" + "".join(cells))


def nested(count):
    """Blocks of 300 levels, each with a text beside the next one."""
    one = f"<div {at(0, 0, 99, 99)}>y" * 300 + "</div>" * 300
    return laid_out("<body>" + one * count)


@pytest.mark.slow
@pytest.mark.parametrize(("make", "count"), [(wide, 1000), (nested, 3)])
def test_time_is_linear(make, count):
    assert_linear(AreaCut(coarse=0.0, fine=0.0), make, count)
