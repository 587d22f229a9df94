"""BlockExtractor against the paper's two algorithms, and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions
from tests.methods import slow_blockextractor as slow
from thresher import UsageError
from thresher.methods.blockextractor import BlockExtractor, Blocks, tag_lengths


@given(slow.pages(), st.sampled_from([0.0, 0.5, 1.0, 1.5, 3.0]))
def test_it_keeps_the_same_words_as_the_slow_definition(html, threshold):
    found = BlockExtractor(threshold=threshold)(thresher.parse(html))
    assert slow_definitions.kept_words(found) == slow.block_extractor(html, threshold)


@given(slow.pages())
def test_blocks_and_their_densities(html):
    expected = slow.blocks_of(html)
    found = Blocks.of(thresher.parse(html))
    texts = [[] for _ in expected]
    for row, block in zip(found.row, found.of_node, strict=True):
        if block >= 0 and found.page.text(row):
            texts[block].append(found.page.text(row))
    assert texts == [[node.text for node in root.walk() if not node.name] for root in expected]
    assert [found.page.name(found.row[root]) for root in found.root] == [n.name for n in expected]
    assert found.densities()[0].tolist() == pytest.approx([root.density() for root in expected])


def texts_of_blocks(html):
    """The text of each block of a body, its pieces joined."""
    found = Blocks.of(thresher.parse(html))
    texts = [""] * len(found)
    for row, block in zip(found.row, found.of_node, strict=True):
        if block >= 0:
            texts[block] += found.page.text(row)
    return texts


def test_the_worked_example():
    page = thresher.parse('<div class="x"><p>Hello world</p><p><a href="/u">go</a></p></div>')
    blocks = Blocks.of(page)
    # div class="x" p p a href="/u": 3 + 9 + 1 + 1 + 1 + 9 = 24, for 11 + 2 characters
    assert blocks.densities()[0].tolist() == [13 / 24]
    assert round(13 / 24, 4) == 0.5417
    assert not BlockExtractor()(page)
    assert BlockExtractor(threshold=0.5)(page).text() == "Hello world"  # the other p: 2 / 11
    assert BlockExtractor(threshold=0)(page).text() == "Hello world\n\ngo"


IE, P, Q = "<b>i</b>", "<div>p<b></b></div>", "<div>q</div>"
L, T, X = "<ul><li>l</li></ul>", "<h2>t</h2>", "<div><div>x</div></div>"


@pytest.mark.parametrize(
    ("children", "blocks"),
    [
        (f"{IE}text{IE}{P}{Q}{Q}", ["itextipqq"]),  # (IE|text)* p? q*
        (f"{IE}{Q}{Q}", ["iqq"]),
        (f"{P}{Q}", ["pq"]),
        (f"{L}{L}", ["ll"]),
        (f"{T}{T}", ["tt"]),
        (f"{Q}{P}", ["q", "p"]),
        (f"{P}{P}", ["p", "p"]),
        (f"{Q}text", ["q", "text"]),
        (f"{P}text", ["p", "text"]),
        (f"{L}{T}", ["l", "t"]),
        (f"{T}text", ["t", "text"]),
        (f"text{T}", ["text", "t"]),
        (f"{Q}{T}{Q}", ["q", "t", "q"]),
        (f"{Q}{X}{Q}", ["q", "x", "q"]),  # a child that fits no rule is taken apart, and cuts
        ("one<div> </div>two", ["one", "two"]),  # one with nothing in it too
        ("one<hr>two", ["one", "two"]),
        ("one<!-- c --><script>s</script><p hidden>h</p>two", ["onetwo"]),  # what is removed: not
        ("one <span>two<div>three</div></span> four", ["one ", "twothree", " four"]),
    ],
)
def test_which_children_stay_together(children, blocks):
    assert texts_of_blocks(f"<body>{children}</body>") == blocks


def test_lists_and_basic_texts_are_known_by_name():
    assert texts_of_blocks("<ul><li><div><p>one</p></div></li></ul><dl><dt>two</dt></dl>") == [
        "onetwo"
    ]
    assert texts_of_blocks("<h2><div>one</div></h2><p>two</p>") == ["onetwo"]


def test_the_root_is_judged_with_its_attributes():
    html = "<div {}><p>Twelve characters</p></div>"
    assert BlockExtractor()(thresher.parse(html.format("")))  # 17 / (3 + 1)
    assert not BlockExtractor()(thresher.parse(html.format(f'id="{"x" * 20}"')))  # 17 / (4 + 25)


def test_an_inline_root_is_judged_too():
    html = f'<span id="{"x" * 40}">Some text<div>more text</div></span>'
    assert texts_of_blocks(html) == ["Some textmore text"]
    assert not BlockExtractor()(thresher.parse(html))


def test_inline_elements_are_not_judged_but_count():
    page = thresher.parse(
        "<p>A long sentence with a <a href='/some/where'>link</a>, which is enough.</p>"
    )
    assert BlockExtractor()(page).text() == "A long sentence with a link, which is enough."


def test_a_sparse_element_in_a_dense_block_is_left_out_with_all_in_it():
    item = f'<li class="{"x" * 30}"><p>one two three</p></li>'
    page = thresher.parse(f"<ul><li>{'many words ' * 20}</li>{item}</ul>")
    assert "one two three" not in BlockExtractor()(page).text()
    assert "one two three" in BlockExtractor(threshold=0.3)(page).text()


def test_lengths_of_attributes():
    page = thresher.parse(
        "<input disabled value='a b' class=\" c  d \" title=''>x<p id=q>&amp;</p>"
    )
    blocks = Blocks.of(page)
    found = dict(zip(map(page.name, blocks.row), tag_lengths(page, blocks.row), strict=True))
    # input disabled value="a b" class="c d" title; p id="q"
    assert found == {"body": 4, "input": 5 + 8 + 11 + 11 + 5, "#text": 0, "p": 1 + 6}


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf")])
def test_bad_thresholds_are_refused(value):
    with pytest.raises(
        UsageError, match=r"threshold of blockextractor is .*: give a number from 0"
    ):
        BlockExtractor(threshold=value)
