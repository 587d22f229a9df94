"""Scores of segmentations: the definition item by item, worked examples, the corpus."""

import io
import json
import tarfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.visual.boxes import at, div, laid_out
from thresher.errors import InputError
from thresher.evaluate import segmentation
from thresher.evaluate.segmentation import Block, Score, SegmentedPage, extended_bcubed, score
from thresher.visual.segments import Segments

# --- the definition ------------------------------------------------------------------------------


def slow_bcubed(segments, blocks):
    """Precision and recall of Amigó and others, item by item; each item has a set of each."""
    items = [item for item in range(len(blocks)) if blocks[item]]
    # An item in no segment is alone in one of its own.
    segments = [own or {f"item {item}"} for item, own in enumerate(segments)]

    def mean(ours, theirs):
        of_items = []
        for e in items:
            shares = []
            for f in items:
                if ours[e] & ours[f]:
                    ours_both, theirs_both = len(ours[e] & ours[f]), len(theirs[e] & theirs[f])
                    shares.append(min(ours_both, theirs_both) / ours_both)
            of_items.append(sum(shares) / len(shares))
        return sum(of_items) / len(of_items)

    return mean(segments, blocks), mean(blocks, segments)


def matrix(sets, size):
    return np.array([[column in own for column in range(size)] for own in sets], bool).reshape(
        len(sets), size
    )


memberships = st.integers(1, 12).flatmap(
    lambda size: st.tuples(
        st.lists(st.sets(st.integers(0, 3), max_size=3), min_size=size, max_size=size),
        st.lists(st.sets(st.integers(0, 2), max_size=3), min_size=size, max_size=size),
        st.lists(st.integers(1, 4), min_size=size, max_size=size),
    )
)


@given(memberships)
def test_scores_are_those_of_the_definition(given_items):
    segments, blocks, weights = given_items
    found = extended_bcubed(matrix(segments, 4), matrix(blocks, 3), np.array(weights, float))
    if not any(blocks):
        assert found is None
        return
    each = [item for item, weight in enumerate(weights) for _ in range(weight)]
    precision, recall = slow_bcubed([segments[e] for e in each], [blocks[e] for e in each])
    assert found.precision == pytest.approx(precision)
    assert found.recall == pytest.approx(recall)
    assert found.f1 == pytest.approx(2 * precision * recall / (precision + recall))


@given(memberships)
def test_precision_and_recall_change_places_with_segments_and_blocks(given_items):
    segments, blocks, weights = given_items
    segments, blocks = [own or {0} for own in segments], [own or {0} for own in blocks]
    ours, theirs = matrix(segments, 4), matrix(blocks, 4)
    weight = np.array(weights, float)
    one, other = extended_bcubed(ours, theirs, weight), extended_bcubed(theirs, ours, weight)
    assert one.precision == pytest.approx(other.recall)
    assert one.recall == pytest.approx(other.precision)
    assert extended_bcubed(theirs, theirs, weight) == Score(1, 1, 1)


def test_many_groups_of_items_are_compared_in_chunks(monkeypatch):
    rng = np.random.default_rng(3)
    items = rng.random((50, 9)) < 0.3, rng.random((50, 4)) < 0.4, rng.integers(1, 9, 50) * 1.0
    whole = extended_bcubed(*items)
    monkeypatch.setattr(segmentation, "_CHUNK", 7)
    assert extended_bcubed(*items) == pytest.approx(whole)


def test_one_segment_around_two_blocks():
    # Items a a a | b: precision of an a is 3/4, of b 1/4; nothing is torn, so recall is 1.
    blocks = matrix([{0}, {0}, {0}, {1}], 2)
    found = extended_bcubed(np.ones((4, 1), bool), blocks, np.ones(4))
    assert found == pytest.approx((10 / 16, 1.0, 10 / 13))


def test_items_in_no_segment_are_alone():
    # Recall of each of the two items: itself of two; precision: 1.
    found = extended_bcubed(np.zeros((1, 0), bool), np.ones((1, 1), bool), np.array([2.0]))
    assert found == pytest.approx((1.0, 1 / 2, 2 / 3))


def test_items_in_no_block_are_left_out():
    ours, theirs = matrix([{0}, {0}, {0}], 1), matrix([{0}, {0}, set()], 1)
    assert extended_bcubed(ours, theirs, np.ones(3)) == Score(1, 1, 1)


def test_a_block_in_a_block_needs_two_segments():
    # Two items share both blocks, but one segment: recall 1/2 for them, 1 with the third.
    blocks = matrix([{0, 1}, {0, 1}, {0}], 2)
    found = extended_bcubed(np.ones((3, 1), bool), blocks, np.ones(3))
    assert found.precision == 1
    assert found.recall == pytest.approx((2 * (1 / 2 + 1 / 2 + 1) / 3 + 1) / 3)


# --- items of a page -----------------------------------------------------------------------------

# Two columns in a box; the left one has two texts.
TWO = laid_out(
    "<body>"
    + div(
        0, 0, 100, 50,
        div(0, 0, 60, 50, div(0, 0, 60, 20, "abc") + div(0, 30, 60, 20, "de"))
        + div(60, 0, 40, 50, "fghij"),
    )
)  # fmt: skip
OUTER, LEFT, FIRST, SECOND, RIGHT = (
    segmentation.find(TWO, f"/html/body/div{path}")
    for path in ("", "/div[1]", "/div[1]/div[1]", "/div[1]/div[2]", "/div[2]")
)


def rows(*lists):
    return [np.array(each) for each in lists]


def test_characters_of_a_page():
    in_segments, in_gold, weight = segmentation.characters(
        TWO, rows([FIRST], [SECOND, RIGHT]), rows([LEFT])
    )
    assert weight.tolist() == [3, 2, 5]
    assert in_segments.tolist() == [[True, False], [False, True], [False, True]]
    assert in_gold[:, 0].tolist() == [True, True, False]


def test_nodes_belong_to_a_segment_with_all_that_they_show():
    shown = np.flatnonzero(TWO.visible)
    in_segments, in_gold, weight = segmentation.nodes(TWO, rows([FIRST, SECOND]), rows([OUTER]))
    inside = shown[in_segments[:, 0]].tolist()
    assert inside == [LEFT, FIRST, FIRST + 1, SECOND, SECOND + 1]
    assert shown[in_gold[:, 0]].tolist() == shown.tolist()  # html and body show nothing else
    assert weight.tolist() == [1] * len(shown)


def test_pixels_of_a_page():
    in_segments, in_gold, weight = segmentation.pixels(TWO, rows([FIRST, SECOND]), rows([OUTER]))
    # The box around the texts of the left column is as large as the column.
    assert sorted(zip(weight.tolist(), in_segments[:, 0].tolist(), strict=True)) == [
        (100 * 50 - 60 * 50, False),
        (60 * 50, True),
    ]
    assert in_gold.all()


def test_scores_of_a_page_by_hand():
    found = score(TWO, rows([OUTER]), rows([LEFT], [RIGHT]))
    assert found["characters"] == pytest.approx((1 / 2, 1.0, 2 / 3))
    assert found["pixels"] == pytest.approx((0.6**2 + 0.4**2, 1.0, 1.04 / 1.52))
    # 5 nodes in the left column, 2 in the right one: the box around them is in no block.
    assert found["nodes"] == pytest.approx((29 / 49, 1.0, 58 / 78))
    assert all(each == Score(1, 1, 1) for each in score(TWO, *[rows([LEFT], [RIGHT])] * 2).values())


def test_a_page_without_items_in_blocks_has_no_score():
    nothing = {"characters": None, "pixels": None, "nodes": None}
    assert score(TWO, rows([OUTER]), []) == nothing
    empty = laid_out("<body></body>")
    assert score(empty, [], rows([1]))["characters"] is None


numbers = st.integers(0, 12)
random_boxes = st.lists(st.tuples(numbers, numbers, numbers, numbers), min_size=1, max_size=7)


@given(random_boxes, st.data())
def test_pixels_are_those_of_a_grid(boxes, data):
    page = laid_out("<body>" + "".join(div(*box) for box in boxes))
    first = page.body + 1
    count = data.draw(st.integers(0, len(boxes)))
    lists = [[first + index] for index in range(len(boxes))]
    segments, gold = rows(*lists[:count]), rows(*lists[count:])
    found = extended_bcubed(*segmentation.pixels(page, segments, gold))

    def inside(group, x, y):
        kept = (index for index in group for box in [boxes[index]] if box[2] and box[3])
        return {i for i in kept for b in [boxes[i]]
                if b[0] <= x < b[0] + b[2] and b[1] <= y < b[1] + b[3]}  # fmt: skip

    places = [(x, y) for x in range(24) for y in range(24)]
    in_gold = [inside(range(count, len(boxes)), *place) for place in places]
    judged = [place for place, own in zip(places, in_gold, strict=True) if own]
    if not judged:
        assert found is None
        return
    ours = matrix([inside(range(count), *place) for place in judged], len(boxes))
    theirs = matrix([own for own in in_gold if own], len(boxes))
    assert found == pytest.approx(extended_bcubed(ours, theirs, np.ones(len(judged))))


def test_the_box_of_an_element_without_an_area_is_that_of_its_content():
    page = laid_out(f"<body><div>{div(10, 20, 30, 40, 'x')}</div>")
    row = segmentation.find(page, "/html/body/div")
    assert not page.visible[row]
    assert segmentation.box(page, np.array([row])) == (10, 20, 40, 60)


def test_boxes_are_cut_off_at_the_corner_of_the_page():
    page = laid_out(f"<body><div {at(-10, -5, 30, 40)}>x</div>")
    row = segmentation.find(page, "/html/body/div")
    assert segmentation.box(page, np.array([row])) == (0, 0, 20, 35)


def test_segments_at_a_depth_and_undivided_ones():
    tree = Segments.of(TWO, [-1, 0, 1, 1, 0], [[OUTER], [LEFT], [FIRST], [SECOND], [RIGHT]])
    assert [each.tolist() for each in segmentation.cut(tree, 0)] == [[OUTER]]
    assert [each.tolist() for each in segmentation.cut(tree, 1)] == [[LEFT], [RIGHT]]
    assert [each.tolist() for each in segmentation.cut(tree, 2)] == [[FIRST], [SECOND], [RIGHT]]
    assert [each.tolist() for each in segmentation.leaves(tree)] == [[FIRST], [SECOND], [RIGHT]]


# --- the corpus ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/html/body/p", "one"),
        ("/html/body/p[2]", "two"),
        ("/html/body/div/p[1]", "three"),
        ("/HTML/BODY/P[2]", "two"),
        ("/html/body/p[3]", None),
        ("/html/body/ul", None),
        ("/html/body/div[@id]/p", None),
    ],
)
def test_elements_by_path(path, text):
    page = thresher.parse("<p>one</p><p>two</p><div><p>three</p></div>")
    row = segmentation.find(page, path)
    assert (page.line(row) if row >= 0 else None) == text


def test_text_lengths_include_scripts():
    page = thresher.parse("<div>a  b<script>x = 1</script> c</div>")
    row = segmentation.find(page, "/html/body/div")
    assert segmentation.text_length(page, row) == len("a bx = 1 c")


def test_blocks_that_are_the_page_or_not_on_it_are_left_out():
    page = thresher.parse("<p>one</p><p>two</p>")
    paths = ("/html", "/html/body", "/html/body/p[2]", "/html/body/p[2]", "/html/body/p[9]")
    blocks = [Block(path, 1, "Content", 0) for path in paths]
    found = segmentation.gold_rows(page, [*blocks, Block("/html/body/p", 2, "Title", 3)], 1)
    assert [each.tolist() for each in found] == [[segmentation.find(page, "/html/body/p[2]")]]


MARKED = b"""<html><style>*[data-block] {outline: 1px solid blue} p {color: red}</style>
<body data-block-type="Content" data-block="1"><p data-block="2" data-block-type="Title">a</p>"""


def archive(path, page="site/www/index.dom.html", index=None):
    record = {
        "id": "random/site/www/index.html", "url": "http://site/", "page": page,
        "blocks": [{"xpath": "/html/body/p", "level": "2", "type": "Title", "chars": 1}],
    }  # fmt: skip
    files = {
        "index.jsonl": index if index is not None else json.dumps(record).encode(),
        "site/www/index.blocks.html": MARKED,
        "site/www/index.dom.html": b"another page",
    }
    with tarfile.open(path, "w:xz") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return path


def test_an_archive_is_unpacked_and_its_pages_are_without_marks(tmp_path):
    (found,) = segmentation.unpack(archive(tmp_path / "a.tar.xz"), tmp_path / "out")
    assert found.root == tmp_path / "out" / "site"
    assert found.file.parent == found.root / "www"
    assert found.blocks == (Block("/html/body/p", 2, "Title", 1),)
    html = found.file.read_bytes()
    assert b"data-block" not in html
    assert b"p {color: red}" in html
    assert b"<body><p>a</p>" in html


@pytest.mark.parametrize(
    "options",
    [{"page": "../../x.dom.html"}, {"index": b"{}"}, {"index": b"[1]"}, {"index": b"no JSON"}],
)
def test_broken_archives_raise(tmp_path, options):
    path = archive(tmp_path / "a.tar.xz", **options)
    with pytest.raises(InputError, match=r"give a \.tar\.xz of saved pages"):
        segmentation.unpack(path, tmp_path / "out")


def test_missing_archives_and_paths_that_leave_the_folder_raise(tmp_path):
    with pytest.raises(InputError, match="cannot read"):
        segmentation.unpack(tmp_path / "none.tar.xz", tmp_path)
    with tarfile.open(tmp_path / "bad.tar.xz", "w:xz") as tar:
        tar.addfile(tarfile.TarInfo("../../outside"), io.BytesIO())
    with pytest.raises(InputError, match="cannot read"):
        segmentation.unpack(tmp_path / "bad.tar.xz", tmp_path / "out")
    assert not (tmp_path.parent / "outside").exists()


def test_the_halves_do_not_depend_on_the_order_of_the_pages(tmp_path):
    pages = [SegmentedPage(f"page {n}", "", tmp_path, tmp_path, ()) for n in range(9)]
    tune, report = segmentation.split(pages)
    assert (len(tune), len(report)) == (5, 4)
    assert segmentation.split(pages[::-1]) == (tune, report)
    assert {page.id for page in tune + report} == {page.id for page in pages}
