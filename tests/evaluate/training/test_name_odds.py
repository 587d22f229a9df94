"""The table of names: by hand, and without a site as if that site had never been."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.evaluate.training.name_odds import PageTokens, TokenCounts, page_tokens
from thresher.methods.default.features import KINDS

WORDS = ["post", "nav", "menu", "#main", "body"]


def page(site: str, kind: str, **share: tuple[float, float]) -> PageTokens:
    values = np.array(list(share.values())).reshape(-1, 2).T
    return PageTokens(site, kind, list(share), values)


def table_of(counts: TokenCounts, without: str | None = None):
    table = counts.table(without)
    return {
        token: (float(table.odds[number]), table.kinds[number].tolist())
        for token, number in table.number.items()
    }


SHARES = st.tuples(st.integers(0, 10), st.integers(0, 10)).map(
    lambda pair: (min(pair) / 10, max(pair) / 10)
)


@st.composite
def corpora(draw):
    """Pages of six to nine sites, each with some of the words."""
    found = []
    for site in range(draw(st.integers(6, 9))):
        for _ in range(draw(st.integers(1, 3))):
            names = draw(st.lists(st.sampled_from(WORDS), unique=True, min_size=2))
            share = {name: draw(SHARES) for name in names}
            found.append(page(f"site{site}", draw(st.sampled_from(["", *KINDS[:3]])), **share))
    return found


def slow_odds(pages: list[PageTokens], token: str) -> float | None:
    """The formula of the module, one site after the other; None for under five sites."""
    content = other = 0.0
    sites = 0
    for site in {one.site for one in pages}:
        having = [one for one in pages if one.site == site and token in one.tokens]
        if having:
            sites += 1
            shares = [one.share[:, one.tokens.index(token)] for one in having]
            content += sum(share[0] for share in shares) / math.sqrt(len(having))
            other += sum(share[1] - share[0] for share in shares) / math.sqrt(len(having))
    return math.log((content + 0.15) / (other + 0.15)) if sites >= 5 else None


@settings(max_examples=20)
@given(pages=corpora())
def test_a_table_without_a_site_is_that_of_the_other_sites(pages):
    counts = TokenCounts(pages)
    for site in [None, *sorted({one.site for one in pages})]:
        rest = [one for one in pages if one.site != site]
        found = table_of(counts, site)
        for token in WORDS:
            expected = slow_odds(rest, token)
            if expected is None:
                assert token not in found
            else:
                assert found[token][0] == pytest.approx(expected, abs=1e-5)


@settings(max_examples=20)
@given(pages=corpora())
def test_kinds_without_a_site_are_those_of_the_other_sites(pages):
    # The prior of kinds stays that of all pages: make it the same by hand.
    counts = TokenCounts(pages)
    for site in sorted({one.site for one in pages}):
        rest = TokenCounts([one for one in pages if one.site != site])
        rest.prior = counts.prior
        expected, found = table_of(rest), table_of(counts, site)
        assert set(found) == set(expected)
        for token, (_, kinds) in expected.items():
            assert found[token][1] == pytest.approx(kinds, abs=1e-5)


def test_odds_by_hand():
    pages = [page(f"s{n}", "forum" if n < 4 else "article", post=(0.5, 0.75)) for n in range(5)]
    found = table_of(TokenCounts(pages))
    odds, kinds = found["post"]
    assert odds == pytest.approx(math.log((2.5 + 0.15) / (1.25 + 0.15)))
    # Four sites of five are forums; of the prior, 5 of 12.
    prior = 5 / 12
    assert kinds[KINDS.index("forum")] == pytest.approx(math.log((4 + 3 * prior) / 8 / prior))
    assert kinds[KINDS.index("product")] == pytest.approx(math.log(3 / 8))


def test_a_site_of_many_pages_counts_as_the_square_root():
    pages = [page("large", "", post=(1.0, 1.0)) for _ in range(9)]
    pages += [page(f"s{n}", "", post=(0.0, 1.0)) for n in range(4)]
    assert table_of(TokenCounts(pages))["post"][0] == pytest.approx(math.log(3.15 / 4.15))


def test_a_token_of_few_sites_is_not_known():
    pages = [page(f"s{n}", "", post=(1.0, 1.0), rare=(1.0, 1.0)) for n in range(4)]
    pages += [page("s4", "", post=(1.0, 1.0))]
    counts = TokenCounts(pages)
    assert set(table_of(counts)) == {"post"}
    assert table_of(counts, "s0") == {}
    assert set(table_of(counts, "a site of none")) == {"post"}


def test_no_pages_give_an_empty_table():
    assert table_of(TokenCounts([])) == {}


def test_the_share_under_a_token_is_at_most_all():
    # Two containers are called post, one inside the other; the inner has an id.
    pairs = [(None, None), ("post", None), ("post-body", "main"), ("empty", None)]
    under = np.array([[0.5, 0.5, 0.4, 0.0], [1.0, 0.7, 0.6, 0.0]])
    found = page_tokens("a.org", "forum", pairs, np.arange(4), under)
    assert found.tokens == ["post", "body", "#main"]
    np.testing.assert_allclose(found.share, [[0.9, 0.4, 0.4], [1.0, 0.6, 0.6]])
    assert (found.site, found.kind) == ("a.org", "forum")
