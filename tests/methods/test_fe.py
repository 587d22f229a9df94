"""FE against Algorithm 2 and the basket written slowly, and each rule by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_trees
from thresher import UsageError
from thresher.methods.fe import FE, blocks_of_rows, feature_values

TAGS = st.sampled_from(["div", "p", "div p", "p div", "section div span", "span b p section div"])
DESIRED = st.sampled_from(["text heading list style", "text", "link", "form link", "text link"])
SCALES = st.sampled_from(["common", "each"])


@given(slow.pages(), TAGS, st.booleans(), DESIRED, SCALES)
def test_it_keeps_the_winner(html, tags, once, desired, scale):
    found = FE(tags=tags, once=once, desired=desired, scale=scale)(thresher.parse(html))
    assert slow.kept_words(found) == slow_trees.fe(html, tags, once, desired, scale)


@given(slow.pages(), TAGS, st.booleans())
def test_blocks_are_those_of_algorithm_2_with_the_remainder(html, tags, once):
    page = thresher.parse(html)
    root = slow_trees.tree(html)
    row = {id(node): number for number, node in enumerate(slow.walk(root))}
    expected = [
        sorted(row[id(node)] for node in block) for block in slow_trees.fe_blocks(root, tags, once)
    ]
    block = blocks_of_rows(page, tags, once)
    found = [(block == first).nonzero()[0].tolist() for first in sorted(set(block.tolist()))]
    assert found == expected


def blocks(html: str, tags: str, once: bool = True) -> list[str]:
    """The text of each block, in order."""
    page = thresher.parse(html)
    block = blocks_of_rows(page, tags, once)
    texts = [page.where(block == first).text() for first in sorted(set(block.tolist()))]
    return [" ".join(text.split()) for text in texts]


def test_the_outermost_match_is_a_block_and_the_remainder_too():
    html = "<p>Above</p><table><tr><td>One<table><tr><td>Two</table></table><p>Below</p>"
    assert blocks(html, "table") == ["Above Below", "One Two"]


def test_tags_have_their_turns_in_order():
    html = "<div>One<p>Two</p></div><p>Three</p>"
    assert blocks(html, "div p") == ["", "One", "Two", "Three"]
    html = "<div>One<section>Two<div>Three</div></section></div>"
    assert blocks(html, "div section") == ["", "One", "Two Three"]
    assert blocks(html, "section div") == ["", "One", "Two", "Three"]


def test_without_once_blocks_are_divided_to_the_end():
    html = "<div>One<div>Two<div>Three</div></div>four</div>"
    assert blocks(html, "div", once=True) == ["", "One Two Three four"]
    assert blocks(html, "div", once=False) == ["", "One four", "Two", "Three"]


@pytest.mark.parametrize("once", [True, False])
def test_a_rule_divides_its_block(once):
    html = "One<div>Two<hr>three<hr>four</div>five<hr>six"
    assert blocks(html, "div hr", once) == ["One five", "Two", "three", "four", "six"]
    assert blocks(html, "div", once)[0].startswith("One five")


HTML = (
    "<div><h2>Tea</h2>Steep it well.<ul><li>Milk</li></ul><a href=/>More</a><button>Buy</button>"
    "<style>p {}</style><img src=a><img src=b><iframe></iframe><script>1</script>"
    "<span hidden>Never</span></div>"
)


def test_features_by_hand():
    page = thresher.parse(HTML)
    values = feature_values(page, blocks_of_rows(page, "div", once=True))
    div = page.tag.tolist().index(page.names.index("div"))
    assert {name: int(value[div]) for name, value in values.items()} == {
        "link": 4, "form": 3, "heading": 3, "list": 4, "text": 14,
        "style": 1, "image": 2, "object": 1, "script": 1,
    }  # fmt: skip


def test_a_character_counts_for_one_feature():
    page = thresher.parse("<ul><li><h2><a href=/>One</a></h2></li><li><h3>Two!</h3></li></ul>")
    values = feature_values(page, blocks_of_rows(page, "div", once=True))
    counted = {name: int(value.sum()) for name, value in values.items() if value.any()}
    assert counted == {"link": 3, "heading": 4}


def test_desired_features_must_be_at_least_the_others():
    menu = "<div>abcd<a href=/>{}</a></div><div>xyz</div>"
    assert FE()(thresher.parse(menu.format("efgh"))).text() == "abcdefgh"
    assert FE()(thresher.parse(menu.format("efghi"))).text() == "xyz"


def test_other_features_find_other_blocks():
    html = "<div>Steep it for three minutes.</div><div><a href=/>Home</a></div>"
    assert FE(desired="link")(thresher.parse(html)).text() == "Home"


def test_values_are_computed_again_inside_the_basket():
    # Scaled over all blocks, the headings are 4/8 and 1/8 and the texts 4/8 and 8/8: the second
    # would win. The third block, all links but its heading, is not in the basket; in it alone, the
    # headings are 4/4 and 1/4.
    html = (
        "<div><h2>abcd</h2>efgh</div><div><h2>a</h2>bcdefghi</div>"
        "<div><h2>abcdefgh</h2><a href=/>links</a><button>form</button></div>"
    )
    found = FE(scale="each")(thresher.parse(html))
    assert found.text().split() == ["abcd", "efgh"]


def test_the_first_of_equals_wins():
    assert FE()(thresher.parse("<div>One</div><div>Two</div>")).text() == "One"


def test_links_alone_keep_nothing():
    assert not FE()(thresher.parse("<div><a href=/>One</a></div>"))


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (
            "tags",
            "div text-node",
            "tags of fe has 'text-node', which is not a known tag: give tag names, ",
        ),
        ("tags", " ", "tags of fe is empty: give tag names, separated by spaces."),
        ("tags", "#text", "tags of fe has '#text', which is not a known tag: give tag names, sep"),
        (
            "desired",
            "words",
            "desired of fe has 'words', which is not a known feature: give feature",
        ),
        ("scale", "none", "scale of fe is 'none': give 'common' or 'each'."),
    ],
)
def test_bad_options_are_refused(option, value, message):
    with pytest.raises(UsageError, match=message):
        FE(**{option: value})
