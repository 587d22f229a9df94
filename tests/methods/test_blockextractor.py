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
    assert found.densities()[0].tolist() == pytest.approx(
        [float(root.density()) for root in expected]
    )


@given(slow.pages(), st.sampled_from([0.0, 0.5, 1.5]))
def test_the_two_lists_against_the_slow_definition(html, threshold):
    expected = [
        (root.name, texts_of(root), slow.content(root, threshold))
        for root in slow.blocks_of(html)
        if texts_of(root)
    ]
    page = thresher.parse(html)
    lists = BlockExtractor(threshold=threshold).block_lists(page)
    for found, has_content in ((lists.content, True), (lists.noise, False)):
        shown = [(page.name(block.row), texts(block), texts_at(block.kept)) for block in found]
        assert shown == [block for block in expected if bool(block[2]) == has_content]


def texts_of(root):
    return [node.text for node in root.walk() if not node.name]


def texts_at(selection):
    return [selection.page.text(row) for row in selection.rows]


def texts(block):
    """All texts of a block, in order."""
    return texts_at(block.kept | block.dropped)


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


def test_a_density_equal_to_the_threshold_is_noise():
    # div and p are 4 characters, the text has 6, then 7.
    assert not BlockExtractor()(thresher.parse("<div><p>Hot te</p></div>"))
    assert BlockExtractor()(thresher.parse("<div><p>Hot tea</p></div>")).text() == "Hot tea"
    # An element within a dense block: li is 2 characters, "Tea" has 3.
    html = "<ul><li>Tea</li><li>Coffee and cake</li></ul>"
    assert BlockExtractor()(thresher.parse(html)).text() == "- Coffee and cake"
    assert BlockExtractor(threshold=1.3)(thresher.parse("<p>Thirteen chrs</p>"))
    # 13 / 10 is the float 1.3.
    assert not BlockExtractor(threshold=1.3)(thresher.parse("<p id=abc>Thirteen chrs</p>"))


def test_the_two_lists_by_hand():
    page = thresher.parse(
        '<ul class="menu"><li><a href="/">Home</a></li></ul><div><img></div><p>Warm the pot.</p>'
        f"<div>{X}</div><ol><li>Pour on the water and wait for three minutes.</li>"
        f"<li class={'x' * 9}>Wait.</li></ol>"
    )
    content, noise = BlockExtractor().block_lists(page)
    shown = [(page.name(b.row), b.kept.text(), b.dropped.text()) for b in content]
    assert shown == [
        ("body", "Warm the pot.", ""),
        ("body", "1. Pour on the water and wait for three minutes.", "2. Wait."),
    ]
    # body p: 13 / 5; body ol li li class="xxxxxxxxx": 50 / 27
    assert [block.density for block in content] == [13 / 5, 50 / 27]
    shown = [(page.name(b.row), b.kept.text(), b.dropped.text()) for b in noise]
    assert shown == [("body", "", "- Home"), ("div", "", "x")]
    assert BlockExtractor().block_lists(thresher.parse("<hr>")) == ([], [])


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
