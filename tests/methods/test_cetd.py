"""CETD against the thesis (3.2.7) node by node, and by hand."""

import math

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from thresher import UsageError
from thresher.methods.cetd import CETD, composite_density, density_sums, text_density

DENSITIES = st.sampled_from(["composite", "text"])
THRESHOLDS = st.sampled_from(["path", "body"])


# A page on which the two thresholds differ: see the test by hand below.
LOW_PATH = (
    "<html><head></head><body><section><div>" + "<p>0123456789</p>" * 10 + "</div>"
    f"{'<br>' * 100}</section><p>{'x' * 50}</p><nav>0123456789X{'<br>' * 10}</nav></body></html>"
)


@example(LOW_PATH, "text", "path")
@example(LOW_PATH, "text", "body")
@given(slow.pages(), DENSITIES, THRESHOLDS)
def test_it_keeps_the_same_words_as_the_slow_definition(html, density, threshold):
    expected = slow.Cetd(html, density, threshold)
    assume(not expected.is_close_call())
    found = CETD(density=density, threshold=threshold)(thresher.parse(html))
    assert slow.kept_words(found) == expected.words()


@given(slow.pages(), DENSITIES)
def test_densities_and_their_sums(html, density):
    expected = slow.Cetd(html, density, "path")
    page = thresher.parse(html)
    nodes = list(slow.walk(expected.body))
    rows = range(page.body, page.end[page.body])
    assert [page.name(row) for row in rows] == [node.name or "#text" for node in nodes]
    found = CETD(density=density).densities(page)
    assert found[rows].tolist() == pytest.approx([expected.density[id(n)] for n in nodes])
    sums = density_sums(page, found)[rows]
    assert [n.name and value for n, value in zip(nodes, sums.tolist(), strict=True)] == [
        n.name and pytest.approx(expected.sum[id(n)]) for n in nodes
    ]


# (C, T, LC, LT, LC_b, C_b)
@pytest.mark.parametrize(
    ("counts", "density"),
    [
        # 100/5 * log_b(100/20 * 5/2), b = ln(100/80 * 20 + 200/1000 * 100 + e) = 3.8654
        ((100, 5, 20, 2, 200, 1000), 37.3617),
        # 100/1 * log_b(100), b = ln(1 + e) = 1.3133
        ((100, 0, 0, 0, 0, 1000), 1689.88),
        ((100, 5, 100, 5, 200, 1000), 0.0),  # links only: log 1
        ((0, 5, 0, 0, 200, 1000), 0.0),
        ((0, 0, 0, 0, 0, 0), 0.0),
    ],
)
def test_formula_3_2_by_hand(counts, density):
    c, t, lc, lt, body_lc, body_c = counts
    found = composite_density([c], [t], [lc], [lt], body_lc, body_c)
    assert found.tolist() == [pytest.approx(density, abs=0.005 if density > 1000 else 0.00005)]
    assert slow.cetd_density(
        slow.Counts(c, t, lc, lt), slow.Counts(c=body_c, lc=body_lc), "composite"
    ) == pytest.approx(float(found[0]))


def test_formula_3_1_by_hand():
    assert text_density([100, 100, 0], [5, 0, 7]).tolist() == [20.0, 100.0, 0.0]


HTML = (
    "<html><head><title>Tea</title></head><body>"
    "<ul><li><a href=/>Home</a></li><li><a href=/tea>Tea</a></li></ul>"
    "<div><p>Steep it for three minutes.</p><p>Drink it while it is hot.</p></div>"
    "</body></html>"
)


def test_a_page_by_hand():
    page = thresher.parse(HTML)
    density = CETD(density="text").densities(page)
    named = {page.name(row): float(density[row]) for row in range(len(page))}
    # Home + Tea = 7 characters under 4 tags; 27 + 25 = 52 under 2; 59 under 8.
    assert (named["ul"], named["div"], named["body"]) == (7 / 4, 52 / 2, 59 / 8)
    # DensitySum of the div: 27 + 25 = 52, the largest; the body's is 7/4 + 26.
    assert density_sums(page, density)[page.body] == 7 / 4 + 26
    for threshold in ("body", "path"):
        found = CETD(density="text", threshold=threshold)(page)
        assert found.text() == "Steep it for three minutes.\n\nDrink it while it is hot."
        assert CETD(threshold=threshold)(page) == found


def test_the_path_may_ask_for_less_than_the_body():
    page = thresher.parse(LOW_PATH)
    density = CETD(density="text").densities(page)
    named = {page.name(row): density[row] for row in range(len(page))}
    assert named["section"] == 100 / 111
    assert named["nav"] == 11 / 10
    assert named["body"] == 161 / 124
    # The largest DensitySum is the div's, 10 * 10; the section is on its path. 0.9 < 1.1 < 1.3.
    with_aside = CETD(density="text", threshold="path")(page)
    without = CETD(density="text", threshold="body")(page)
    assert (with_aside - without).text() == "0123456789X"
    assert not without - with_aside


def test_links_alone_keep_nothing():
    page = thresher.parse("<a href=/>Home</a><a href=/tea>Tea</a>")
    assert not CETD()(page)
    assert CETD(density="text")(page).text() == "Home Tea"


def test_buttons_and_menus_are_links():
    texts = "<p>Some words.</p><div><{}>One two three</{}></div>"
    for start, is_link in (("a href=/", 1), ("button", 1), ("select", 1), ("a name=x", 0)):
        name = start.split()[0]
        page = thresher.parse(texts.format(start, name))
        density = CETD().densities(page)
        row = page.tag.tolist().index(page.names.index(name))
        assert (density[row] == 0.0) == is_link


def test_a_link_does_not_count_among_the_links_below_it():
    page = thresher.parse("<p>Some words.</p><button><a href=/>One</a><b>two</b></button>")
    row = page.tag.tolist().index(page.names.index("button"))
    # C = LC = 6, T = 2, LT = 1: 6/2 * log 2 to the base ln(6 * 6 + 6/17 * 6 + e)
    assert CETD().densities(page)[row] == pytest.approx(
        3 * math.log(2) / math.log(math.log(36 + 36 / 17 + math.e))
    )


def test_hidden_text_is_neither_counted_nor_kept():
    shown = "<p>One two three.</p><div>Four five.</div>"
    hidden = "<div hidden><p>Six <a href=/>seven</a></p></div><noscript><p>Eight</p></noscript>"
    plain, more = thresher.parse(shown), thresher.parse(shown + hidden)
    for density in ("composite", "text"):
        method = CETD(density=density)
        assert method.densities(plain)[plain.body] == method.densities(more)[more.body]
        assert method(plain).text() == method(more).text() != ""


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("density", "words", "give 'composite' or 'text'"),
        ("threshold", "least", "give 'path' or 'body'"),
    ],
)
def test_bad_options_are_refused(option, value, message):
    with pytest.raises(UsageError, match=f"{option} of cetd is '{value}': {message}."):
        CETD(**{option: value})
