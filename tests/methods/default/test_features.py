"""The features of the default: against slow definitions, by hand, and on hostile pages."""

import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import thresher
from tests.growth import assert_linear
from tests.methods.default import slow_features as slow
from tests.test_hostile import PAGES
from thresher.methods.default.features import (
    FEATURES,
    KINDS,
    NAMES,
    PAGE_LINES,
    NameTable,
    block_features,
)
from thresher.methods.default.features.characters import count_characters
from thresher.methods.default.features.class_odds import NamePairs, name_pairs
from thresher.methods.default.features.containers import page_outline
from thresher.methods.default.features.name_tokens import (
    NameWords,
    first_places,
    hash_words,
    tokens_of,
)

ROOT = Path(__file__).parents[3]

ODDS = {"post": 1.5, "body": 0.5, "nav": -2.0, "menu": -1.0, "content": 2.0, "#main": 0.75}
KIND_ODDS = {
    token: [round(0.1 * (number + place), 2) for place in range(len(KINDS))]
    for number, token in enumerate(ODDS)
}
TABLE = NameTable.of(list(ODDS), np.array([*ODDS.values()]), np.array([*KIND_ODDS.values()]))
SLOW_TABLE = slow.Table(ODDS, KIND_ODDS)


def computed(html: str) -> dict[str, list[float]]:
    """Each feature of all blocks, by name."""
    found = block_features(thresher.parse(html), TABLE)
    assert found is not None
    return dict(zip(NAMES, found.matrix.tolist(), strict=True))


def check(html: str) -> None:
    expected = slow.features(slow.SlowPage(html), SLOW_TABLE)
    found = block_features(thresher.parse(html), TABLE)
    if not expected:
        assert found is None
        return
    assert found is not None
    assert set(expected[0]) == set(NAMES)
    for name, line in zip(NAMES, found.matrix, strict=True):
        wanted = [block[name] for block in expected]
        assert_allclose(line, wanted, rtol=2e-6, atol=2e-6, err_msg=f"{name} of {html}")


# --- against the slow definitions ----------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=100)
@given(html=slow.pages())
def test_every_feature_is_as_defined(html: str) -> None:
    check(html)


def whole(body: str, head: str = "<title>Tea</title>") -> str:
    return f"<html><head>{head}</head><body>{body}</body></html>"


PROSE = "The leaves stand in hot water for three minutes, or four, and never more than five. " * 2

LITERAL = {
    "article": whole(
        '<nav class="nav-menu"><ul><li><a href="/">Home</a></li><li><a href="/t">Tea</a></li></ul>'
        "</nav>"
        '<main id="main"><article class="post"><h1>Making tea</h1><div class="post-body">'
        f"<p>{PROSE}</p><p>{PROSE}<a href='/more'>More</a></p><h2>Sugar</h2><p>None.</p></div>"
        "</article></main>"
        "<footer><p>Call 555-1234.</p></footer>"
    ),
    "one block": whole("<p>word</p>"),
    "no words": whole("<div><p>!</p></div><p>?</p>"),
    "text in the body": whole("one two<div>three</div>four"),
    "chains of containers": whole(
        "<div><div><section><p>one two</p></section></div></div>" * 2 + "<div><div>x</div></div>"
    ),
    "copies": whole("<p>Read this again</p><div><p>Read this again</p></div><p>Read this, too</p>"),
    "form fields": whole("<form><div><textarea>a b c</textarea><p>d</p></div></form>"),
    "first h1 hidden": whole("<h1 hidden>no</h1><p>a</p><div><h1>yes</h1><p>b</p></div>"),
    "text in inline elements": whole("<p><b><i><time>Noon</time></i></b> today <code>x</code></p>"),
    "names above zero": whole('<div class="post"><p class="content">a</p></div>').replace(
        "<body>", '<body class="post">'
    ),
    "money": whole("<ul><li>Tea $5</li><li>Pot 20 €</li><li>Cup ¥300</li></ul>"),
    "declared": whole(
        "<p>a</p>",
        '<title>x</title><meta property="og:type" content="og:Product">'
        '<script type="application/ld+json">["Article", "Article", "FAQPage"]</script>',
    ),
    "many neighbours": whole("".join(f"<p>{'w ' * n}<a href='/'>link</a></p>" for n in range(30))),
    "deep": whole("<div>a" * 40 + "</div>" * 40),
    "sections": whole("<p>a</p><h2>b</h2><p>c d</p><h3>e</h3><p>f</p><p><a href='/'>g</a></p>"),
    "targets": whole("<p>a <a name='x'>b</a> <a href='/'>c</a></p><p><a>d</a></p>"),
    "custom elements": whole("<x-card><p>a</p></x-card><p>b</p>"),
    "a headline in the title": whole(
        f"<p>Shop</p><div><b>Making  TEA</b><p>{PROSE}</p></div><h2>Making tea</h2>",
        "<title> Making tea - Shop</title>",
    ),
    "the whole title": whole(
        "<h1>Shop</h1><div><p>All about tea</p><p>x</p></div>", "<title>All about tea</title>"
    ),
    "a title that is in no block": whole(
        "<p>Cake</p><div><h1>Tea</h1></div>", "<title>Sugar</title>"
    ),
    "a part too small": whole("<p>Ease</p><p>b</p>", f"<title>Ease {'of use ' * 9}</title>"),
    "nothing but a title": whole(""),
    "no text at all": whole("<p></p>", ""),
}


@pytest.mark.parametrize("name", LITERAL)
def test_every_feature_is_as_defined_on(name: str) -> None:
    check(LITERAL[name])


# --- by hand -------------------------------------------------------------------------------------


def test_densities_by_hand() -> None:
    # The body holds 11 words, 3 of them in links, and 30 + 3 + 5 + 6 characters, 8 in links.
    links = "<a href='/'>One</a><a href='/'>Two a</a>"
    found = computed(
        whole(f"<div><p>Warm the pot first, then wait.</p>{links}</div><p>End it</p>", "")
    )
    assert found["words"] == [6, 3, 2]
    assert found["share_a0"] == pytest.approx([6 / 11, 9 / 11, 2 / 11])
    assert found["links_a1"] == pytest.approx([3 / 9, 3 / 11, 3 / 11])
    assert found["block_words_a1"] == pytest.approx([4.5, 11 / 3, 11 / 3])
    # The div: 30 + 3 + 5 characters in 4 tags, itself among them: 38 / 3.
    assert found["density_a1"][0] == pytest.approx(38 / 3)
    # CTD of the first p: 30/1 * ln(30/1 * 1/1) / ln(30/30 * 0 + 8/44 * 30 + e) = 48.57.
    assert found["composite_a0"][0] == pytest.approx(np.log(1 + 48.57), abs=1e-3)
    assert found["siblings_a0"] == [1, 2, 2]


def test_of_containers_with_the_same_words_the_outermost_counts() -> None:
    alone = computed(whole("<p>one two</p><p>three</p>"))
    wrapped = computed(whole("<div><div><p>one two</p></div></div><section><p>three</p></section>"))
    for name in ("share_a0", "share_a1", "depth", "siblings_a0", "rich_up"):
        assert alone[name] == wrapped[name]
    assert alone["depth"] == [0, 1, 1]  # the title stands in no container: in the body, so to say


def test_steps_up_and_down_by_hand() -> None:
    found = computed(whole("<div>a<div>b<div>c<div>d</div></div></div></div>e", ""))
    shares = [4 / 5, 3 / 5, 2 / 5, 1 / 5]
    assert [found[f"share_a{step}"][3] for step in range(6)] == pytest.approx(
        [*shares[::-1], 1.0, 1.0]
    )
    assert [found[f"share_t{step}"][3] for step in (1, 2, 3)] == pytest.approx(shares[:3])
    assert found["share_t3"] == pytest.approx([4 / 5, 3 / 5, 2 / 5, 2 / 5, 1.0])
    assert found["depth"] == [1, 2, 3, 4, 0]


def test_characters_by_hand() -> None:
    # An Arabic digit is a digit, a Persian comma a comma, a title-case digraph a capital.
    page = thresher.parse("<p>Ab, ۴2! ǅ€。</p><p>a؟ b،</p><p>end 7 </p><p>x:</p>")
    found = count_characters(page)
    assert found.digits.tolist() == [2, 0, 1, 0]
    assert found.capitals.tolist() == [2, 0, 0, 0]
    assert found.stops.tolist() == [2, 0, 0, 0]
    assert found.commas.tolist() == [1, 1, 0, 0]
    assert found.questions.tolist() == [0, 1, 0, 0]
    assert found.money.tolist() == [1, 0, 0, 0]
    assert [slow.CLASSES[kind] for kind in found.last.tolist()] == [
        "stop",
        "comma",
        "digit",
        "colon",
    ]


def test_classes_of_all_characters() -> None:
    for start in range(0x80, 0x11000, 0x400):
        text = "".join(chr(n) for n in range(start, start + 0x400) if not 0xD800 <= n < 0xE000)
        solid = [one for one in text if not one.isspace() and one.isprintable()]
        page = thresher.parse("".join(f"<p>{one}</p>" for one in solid))
        if solid:
            last = count_characters(page).last
            assert [slow.CLASSES[kind] for kind in last.tolist()] == [
                slow.character_class(one) for one in solid
            ]


@given(name=st.text("aBCdeF-_ 1", max_size=30))
def test_the_words_of_a_name_are_as_defined(name: str) -> None:
    assert list(tokens_of(name)) == list(dict.fromkeys(slow.name_words(name)))[:16]


def test_a_word_of_a_name() -> None:
    assert tokens_of("post-body postBody POST_body x1") == ("post", "body")
    assert tokens_of("entryContent", "#") == ("#entry", "#content")
    assert tokens_of("NAVBar js-ab") == ("navb",)  # as many capitals as stand together
    assert len(tokens_of(" ".join(f"word{chr(97 + n)}{chr(97 + n)}" for n in range(26)))) == 16
    assert tokens_of("a" * 1_000) == ("a" * 400,)
    assert tokens_of("") == ()


def hashes_at_once(names: list[str]) -> list[list[int]]:
    """The hashes of the words of each name, each word once."""
    words = NameWords.of("\0".join(names))
    found: list[list[int]] = [[] for _ in names]
    for name, value in zip(words.name.tolist(), words.hash.tolist(), strict=True):
        if value not in found[name]:
            found[name].append(value)
    return found


@given(names=st.lists(st.text("aBCdeF-_ 1\u00e9", max_size=30), min_size=1, max_size=6))
def test_the_words_of_many_names_are_those_of_each(names: list[str]) -> None:
    assert hashes_at_once(names) == [hash_words(tokens_of(name)).tolist() for name in names]


@pytest.mark.parametrize(
    "name",
    [
        "post-body postBody POST_body x1",
        "NAVBar js-ab XMLHttpRequest ABcd aBC",
        "a" * 1_000,
        "x" * 399 + "-abc",
        "x" * 397 + "-abcd",  # two letters of the last word are read
        "x" * 398 + "ABC",
        " ".join(f"word{chr(97 + n)}{chr(97 + n)}" for n in range(26)),
        " ".join(
            ["nav", *(f"w{chr(97 + n)}{chr(97 + m)}" for n in range(5) for m in range(5))] * 2
        ),
        "na\u00efve \udcff \u212aelvin",
    ],
)
def test_the_words_of_a_name_among_others_are_its_own(name: str) -> None:
    expected = hash_words(tokens_of(name)).tolist()
    assert hashes_at_once(["menu", name, "", name, "menuBar"]) == [
        hash_words(["menu"]).tolist(), expected, [], expected, hash_words(["menu", "bar"]).tolist(),
    ]  # fmt: skip


def test_different_words_have_different_hashes() -> None:
    words = [a + b + c + d for a in "abz" for b in "abz" for c in "abz" for d in ("", "a", "zz")]
    assert len(set(hash_words(words).tolist())) == len(words)
    many = [["content"], ["a" * 400]] * 100  # more characters than are read at once
    assert hashes_at_once([name for [name] in many]) == [hash_words(name).tolist() for name in many]
    assert first_places(np.array([3, 1, 3, 2, 1])).tolist() == [0, 1, 3]


def test_which_names_contain_a_word() -> None:
    html = '<body class="Comments"><div id="re-ply">a</div><p class="x" id="my-reply">b</p><p>c'
    names = name_pairs(page_outline(thresher.parse(html)))
    assert names.pairs == [("Comments", None), (None, "re-ply"), ("x", "my-reply"), (None, None)]
    assert names.containing(("comment", "reply")) == [0, 2]
    assert names.containing(("reply",)) == [2]
    assert not names.containing(("commentx", "sreply"))  # not from one name into the next


def test_which_names_contain_a_word_in_other_scripts() -> None:
    pairs = [
        ("комментарии Comment", None),
        ("Ünfeedbac\u212a", "x"),
        ("c", "o"),
        ("コメ", "メcommen"),
    ]
    names = NamePairs(pairs, np.arange(4))
    assert names.containing(("comment", "feedback")) == [0, 1]


def test_names_by_hand() -> None:
    found = computed(
        whole('<div class="nav"><div><p class="post content">a</p></div></div>b', "").replace(
            "<body>", '<body id="main">'
        )
    )
    # From the block outwards: p 1.5 and 2.0, a div without a name, nav -2, the body 0.75.
    assert found["names_min"] == [-2.0, 0.75]
    assert found["names_max"] == [2.0, 0.75]
    assert found["names_decayed"][0] == pytest.approx(-2 * 0.85**2)
    assert found["names_sum"] == pytest.approx([1.75 - 2 + 0.75, 0.75])
    assert found["names_count"] == [3, 1]
    assert found["names_mean"] == pytest.approx([0.5 / 3, 0.75])
    assert found["names_nearest"] == [1.75, 0.75]
    assert [found[f"names_{step}"][0] for step in range(4)] == [1.75, 0.0, -2.0, 0.75]
    # post, content, nav and #main are seen: the mean of their odds of a kind.
    seen = ["post", "content", "nav", "#main"]
    for number, kind in enumerate(KINDS):
        expected = np.mean([KIND_ODDS[token][number] for token in seen])
        assert found[f"page_names_{kind}"][0] == pytest.approx(expected)


def test_sections_by_hand() -> None:
    found = computed(LITERAL["sections"])  # title a | b, c d | e, f, link g
    assert found["heading_blocks"] == [-1, -1, 0, 1, 0, 1, 2]
    assert found["heading_words"] == [-1, -1, 0, 1, 0, 1, 2]
    assert found["heading_last"] == [0, 0, 2, 2, 3, 3, 3]
    assert found["section_share"] == pytest.approx([1 / 7] * 2 + [3 / 7] * 5)
    assert found["section_links"] == pytest.approx([0] * 4 + [1 / 3] * 3)
    assert found["section_blocks"] == [2, 2, 2, 2, 3, 3, 3]
    assert found["section_block_words"] == pytest.approx([0.5] * 2 + [1.5] * 2 + [1] * 3)


def test_repetition_by_hand() -> None:
    found = computed(
        whole(
            "<ul><li>a</li><li>b <a href='/'>c</a></li></ul><p>d</p><ul><li class=x>e</li></ul>", ""
        )
    )
    assert found["tagpath_count"] == [3, 3, 1, 3]
    assert found["tagpath_share"] == pytest.approx([4 / 5, 4 / 5, 1 / 5, 4 / 5])
    assert found["tagpath_links"] == pytest.approx([1 / 4, 1 / 4, 0, 1 / 4])
    assert found["tagpath_span"] == [0.75, 0.75, 0, 0.75]
    assert found["tagpath_words"] == pytest.approx([4 / 3, 4 / 3, 1, 4 / 3])
    assert found["namepath_count"] == [2, 2, 1, 1]
    assert found["namepath_span"] == [0.25, 0.25, 0, 0]


def test_copies_by_hand() -> None:
    found = computed(LITERAL["copies"])
    assert found["copies"] == [1, 2, 2, 1]
    assert found["copies_before"] == [0, 0, 1, 0]


def test_common_containers_by_hand() -> None:
    found = computed(whole("<div><div><h1>a</h1>b</div>c</div>d", ""))
    assert found["h1_up"] == [0, 0, 0, 0]
    assert found["h1_down"] == [0, 1, 2, 3]
    assert found["h1_share"] == pytest.approx([1 / 4, 2 / 4, 3 / 4, 1.0])
    assert computed(whole("<p>a</p>"))["h1_up"] == [-1, -1]


# --- what holds on every page --------------------------------------------------------------------


def test_the_shape_is_that_of_the_names() -> None:
    found = block_features(thresher.parse(LITERAL["article"]), TABLE)
    assert found is not None
    assert found.matrix.shape == (len(FEATURES), len(found.outline))
    assert found.matrix.dtype == np.float32
    assert len(set(NAMES)) == len(NAMES)
    assert all(name and meaning for name, meaning in FEATURES)
    of_page = found.matrix[PAGE_LINES.start :]
    assert (of_page == of_page[:, :1]).all()
    assert found.matrix[-len(KINDS) :].tolist() == [[0.0] * len(found.outline)] * len(KINDS)


def test_a_page_without_text_has_no_features() -> None:
    for html in ("", " ", "<p></p>", "<script>x</script>"):
        assert block_features(thresher.parse(html), TABLE) is None


@pytest.mark.parametrize("name", PAGES)
def test_hostile_pages_have_finite_features(name: str) -> None:
    html = PAGES[name][1](50)
    found = block_features(thresher.parse(html), TABLE)
    if found is None:
        assert not len(thresher.parse(html).blocks)
        return
    assert found.matrix.shape == (len(NAMES), len(found.outline))
    assert np.isfinite(found.matrix).all()
    again = block_features(thresher.parse(html), TABLE)
    assert again is not None
    assert np.array_equal(found.matrix, again.matrix)


def test_a_page_of_a_pickle_and_a_part_of_a_page_have_features() -> None:
    page = thresher.parse(LITERAL["article"])
    found = block_features(page, TABLE)
    again = block_features(pickle.loads(pickle.dumps(page)), TABLE)
    part = block_features(page.only(page.all()), TABLE)
    assert found is not None
    assert again is not None
    assert part is not None
    assert np.array_equal(found.matrix, again.matrix)
    assert np.array_equal(found.matrix, part.matrix)


GROWING = {
    "article": lambda n: (
        '<div class="a-b"><h2>x</h2><p>one <a href="/">two</a> three</p></div>' * n
    ),
    "deep": lambda n: "<div>a" * min(n, 400) + "<p>x</p>" * n,
    "names": lambda n: "".join(f'<div class="name{i} x">a</div>' for i in range(n)),
    "paths": lambda n: "<div><p>a</p><ul><li>b</ul></div>" * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GROWING)
def test_time_is_linear(name: str) -> None:
    def act(page: thresher.Page) -> None:
        page.nodes  # noqa: B018 (the parser's work)
        block_features(page, TABLE)

    assert_linear(act, lambda n: thresher.parse(GROWING[name](n)), 2_000)


# --- the document --------------------------------------------------------------------------------


def test_the_documented_table_is_that_of_the_code() -> None:
    text = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", text, re.M)
    assert rows == list(FEATURES)
