"""Combinations of methods: their algebra, and what every method must do."""

import pickle
from dataclasses import FrozenInstanceError
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

import thresher
from tests.growth import assert_linear
from tests.methods.test_contract import article, small_pages, snapshot
from tests.pages import well_formed
from thresher import (
    Page,
    Selection,
    UsageError,
    combine,
    intersection,
    methods,
    series,
    union,
    vote,
)

NAMES = ("bte", "cetd", "dsc", "lqf", "addanag")
EXPRESSIONS = [
    "series(lqf, bte)",
    "series(cetd, addanag, bte)",
    "union(bte, cetd)",
    "intersection(bte, cetd, lqf(quota=0.5))",
    "vote(bte, cetd, dsc, at_least=2)",
    "series(lqf(quota=0.5), vote(cetd, wlr, addanag, at_least=2))",
    "union(intersection(bte, series(plain, lqf)), vote(dsc, wlr, at_least=1))",
]
# Menus, text, a list of links and a footer: what lqf, bte and cetd keep differs.
TEA = (
    "<ul><li><a href=/>Home</a></li></ul><div><p>Warm the pot, then put in the leaves.</p>"
    "<hr><hr><hr><hr><p>Pour on the water and wait.</p></div><p><a href=/more>More</a></p>"
)


@pytest.fixture(params=EXPRESSIONS)
def method(request):
    return combine.read(request.param)


def kept(expression: str, page: Page) -> list[str]:
    found = combine.read(expression)(page)
    return [page.text(row) for row in found.rows.tolist() if page.chars[row]]


# --- what they do --------------------------------------------------------------------------------


def test_each_on_a_page_by_hand():
    page = thresher.parse(TEA)
    warm, pour = "Warm the pot, then put in the leaves.", "Pour on the water and wait."
    assert kept("bte", page) == [warm]
    assert kept("lqf", page) == kept("cetd", page) == [warm, pour]
    assert kept("plain", page) == ["Home", warm, pour, "More"]
    assert kept("series(lqf, plain)", page) == [warm, pour]
    assert kept("union(bte, lqf)", page) == [warm, pour]
    assert kept("intersection(bte, lqf)", page) == [warm]
    assert kept("vote(bte, lqf, plain)", page) == [warm, pour]
    assert kept("vote(bte, lqf, plain, at_least=3)", page) == [warm]
    assert kept("vote(bte, lqf, plain, at_least=1)", page) == ["Home", warm, pour, "More"]


def test_the_next_method_in_a_series_gets_only_the_kept_text():
    seen: list[Page] = []

    def look(page: Page) -> Selection:
        seen.append(page)
        return page.all()

    page = thresher.parse(TEA)
    series("lqf", look, "bte", look)(page)
    assert ["".join(t or "" for t in one.texts) for one in seen] == [
        "Warm the pot, then put in the leaves.Pour on the water and wait.",
        "Warm the pot, then put in the leaves.",
    ]
    assert "More" not in seen[0].source
    assert seen[1].base is seen[0]


def test_while_everything_is_kept_the_next_method_gets_the_same_page():
    seen: list[Page] = []

    def look(page: Page) -> Selection:
        seen.append(page)
        return page.all()

    page = thresher.parse(TEA)
    series(look, look, "bte", look)(page)
    assert seen[0] is page
    assert seen[1] is page
    assert len(seen[2]) < len(page)


# --- laws ----------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=50)  # each runs about a hundred combinations
@given(well_formed)
def test_laws(source):
    page = thresher.parse(source)
    parts = [methods.get(name) for name in NAMES]
    alone = [part(page) for part in parts]
    either, both = alone[0], alone[0]
    for found in alone[1:]:
        either, both = either | found, both & found
    assert union(*parts)(page) == vote(*parts, at_least=1)(page) == either
    assert intersection(*parts)(page) == vote(*parts, at_least=len(parts))(page) == both
    votes = np.sum([found.keep for found in alone], axis=0)
    assert np.array_equal(vote(*parts)(page).keep, votes >= 3)
    for one in parts:
        for combined in (series(one), union(one), intersection(one), vote(one)):
            assert combined(page) == one(page)
        assert union(one, one)(page) == intersection(one, one)(page) == one(page)
        assert union(one, "plain")(page) == methods.get("plain")(page) | one(page)
    for first, then in product(parts[:3], parts):
        assert not series(first, then)(page) - first(page)


@given(well_formed)
def test_series_after_plain(source):
    """On a page where nothing is hidden, `plain` keeps all; and what a method kept is plain."""
    page = thresher.parse(source)
    shown = thresher.parse(page.source) if not page.hidden.any() else None
    for name in NAMES:
        one = methods.get(name)
        assert series(one, "plain")(page) == one(page)
        if shown is not None:
            assert series("plain", one)(shown) == one(shown)


def test_nested_series_are_equal_to_flat_ones():
    for page in small_pages().values():
        flat = series("lqf", "cetd", "bte")(page)
        assert series(series("lqf", "cetd"), "bte")(page) == flat
        assert series("lqf", series("cetd", "bte"))(page) == flat


def test_votes_count_the_characters_that_are_printed():
    page = thresher.parse("<p>سه دقیقه صبر کنید و چای را بنوشید، سه دقیقه کافی است</p>")
    by_r2l = methods.get("r2l")(page)
    assert by_r2l.characters == "non-ascii"
    assert len(by_r2l) == 1
    for k, wanted in ((1, "all"), (2, "all"), (3, "non-ascii")):
        assert vote("r2l", "bte", "plain", at_least=k)(page).characters == wanted
    assert union("r2l", "bte")(page).characters == "all"
    assert intersection("r2l", "bte")(page).characters == "non-ascii"
    assert series("r2l", "bte")(page).characters == "non-ascii"


# --- what every method must do -------------------------------------------------------------------


def test_it_returns_a_selection_of_every_page(method):
    for name, page in small_pages().items():
        before = snapshot(page)
        selection = method(page)
        assert type(selection) is Selection, name
        assert selection.page is page, name
        assert selection.keep.shape == page.text_rows.shape, name
        assert selection.keep.dtype == np.bool_, name
        assert not selection.keep.flags.writeable, name
        assert isinstance(selection.text(), str), name
        assert not (selection & page.where(page.hidden)), name
        assert snapshot(page) == before, name
        assert method(page) == selection, name
        assert np.array_equal(method(pickle.loads(pickle.dumps(page))).keep, selection.keep), name


def test_it_works_on_a_part_of_a_page(method):
    for name, page in small_pages().items():
        for part in (page.all(), page.where(~page.hidden), page.where(page.linked), page.none()):
            smaller = page.only(part)
            selection = method(smaller)
            assert selection.page is smaller, name
            assert (selection.lift() - part).words == 0, name


def test_it_is_a_value(method):
    again = combine.read(str(method))
    assert again == method
    assert hash(again) == hash(method)
    assert {method: 1}[again] == 1
    assert pickle.loads(pickle.dumps(method)) == method
    assert not hasattr(method, "__dict__")
    with pytest.raises(FrozenInstanceError):
        method.parts = ()


def test_the_kind_of_combination_counts():
    made = [series("bte"), union("bte"), intersection("bte"), vote("bte")]
    assert len(set(made)) == 4
    assert union("bte", "cetd") != union("cetd", "bte")
    assert vote("bte", "cetd", at_least=1) != vote("bte", "cetd", at_least=2)


@pytest.mark.slow
@pytest.mark.parametrize("expression", EXPRESSIONS[-2:])  # all kinds of combinations
def test_time_grows_linearly_with_the_page(expression):
    method = combine.read(expression)
    assert_linear(method, lambda n: pickle.loads(article(n)), 4_000)


# --- parts ---------------------------------------------------------------------------------------


def test_parts_are_methods_names_or_expressions():
    by_hand = vote(methods.get("bte"), series(methods.get("lqf", quota=0.5), methods.get("cetd")))
    assert vote("bte", "series(lqf(quota=0.5), cetd)") == by_hand
    assert by_hand.at_least == 2
    assert str(by_hand) == repr(by_hand) == combine.write(by_hand)
    assert str(by_hand) == "vote(bte, series(lqf(quota=0.5), cetd), at_least=2)"


def test_a_part_may_be_a_function_of_the_user():
    page = thresher.parse(TEA)

    def links(page: Page) -> Selection:
        return page.where(page.linked)

    assert union(links, "bte")(page).text().split() == (
        "Home Warm the pot, then put in the leaves. More".replace("Home", "- Home").split()
    )
    assert str(union("bte", links)).startswith("union(bte, <function test_a_part_may_be_a_function")
    # What it returns may be of a part of the page: that is brought back.
    inner = series(lambda page: links(page.only(page.where(page.linked))), "plain")
    assert len(inner(page)) == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: union(), "union has no methods: give it some, as in union(bte, cetd)."),
        (lambda: series(), "series has no methods: give it some, as in series(bte, cetd)."),
        (lambda: vote(), "vote has no methods: give it some, as in vote(bte, cetd)."),
        (lambda: union(*["bte"] * 65), "union has 65 methods: use at most 64."),
        (
            lambda: union(*[union(*["bte"] * 33)] * 2),
            "union has 66 methods: use at most 64.",
        ),
        (
            lambda: vote("bte", at_least=0),
            "at_least of vote is 0: give a whole number from 1 to 1.",
        ),
        (
            lambda: vote("bte", at_least=2),
            "at_least of vote is 2: give a whole number from 1 to 1.",
        ),
        (lambda: vote("bte", "cetd", at_least=True), "at_least of vote is True: give a whole"),
        (lambda: vote("bte", "cetd", at_least=1.0), "at_least of vote is 1.0: give a whole"),
        (lambda: union("bte", 3), "method must be a name such as 'cetd', or a callable on a page."),
        (lambda: union(type(methods.get("bte"))), "method must be a name such as 'cetd', or"),
        (lambda: union("bt"), "no method 'bt': did you mean bte?"),
    ],
)
def test_bad_parts_are_refused_in_a_sentence(make, message):
    with pytest.raises(UsageError) as error:
        make()
    assert str(error.value).startswith(message)


def test_depth_is_bounded():
    deep = methods.get("bte")
    for _ in range(15):
        deep = union(deep)
    assert combine.read(str(deep)) == deep
    with pytest.raises(UsageError, match="nested 17 levels deep: use at most 16"):
        union(deep)


@pytest.mark.parametrize("answer", [None, True, thresher.parse("<p>other").all()])
@pytest.mark.parametrize("make", [series, union, intersection, vote])
def test_a_part_that_returns_no_selection_of_the_page_is_refused(make, answer):
    with pytest.raises(UsageError, match="did not return a Selection of the page"):
        make("plain", lambda page: answer)(thresher.parse(TEA))


def test_extract_takes_combinations():
    document = thresher.extract(TEA, method=union("bte", "lqf"))
    assert document.method == "union(bte, lqf)"
    assert document.text == thresher.extract(TEA, method="union(bte, lqf)").text
    assert "Pour on the water" in document.text


# --- refused arguments, and expressions ----------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (combine.Vote, (("bte", "cetd"), 1)),
        (combine.Union, ([methods.get("bte")],)),
        (combine.Series, ("bte",)),
        (combine.Intersection, ((type(methods.get("bte")),),)),
    ],
)
def test_a_class_takes_methods_in_a_tuple(kind, arguments):
    name = kind.__name__
    message = rf"^{name} takes a tuple of methods: make it .* with {name.lower()}\('bte', 'cetd'\)"
    with pytest.raises(UsageError, match=message):
        kind(*arguments)


def test_equal_options_are_written_alike():
    assert combine.write(combine.read("bte(tag_cost=2)")) == "bte(tag_cost=2.0)"
    assert combine.write(combine.read("bte(tag_cost=2.0)")) == "bte(tag_cost=2.0)"
    assert combine.write(combine.read("ccb(r=3, t=0)")) == "ccb(r=3, t=0.0)"


def test_long_expressions_are_read_back():
    headline = "Warm the pot " * 20
    many = thresher.union(*[methods.get("bte", headline=headline)] * 64)
    assert len(str(many)) > 15_000
    assert combine.read(str(many)) == many
