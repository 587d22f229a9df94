"""Words in many texts, and classes of many elements."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.cores import needs_kernels, plain_core
from tests.pages import soup, well_formed
from thresher.metadata.links import page_links
from thresher.metadata.search import facts_around, short_elements, texts_with
from thresher.page.attributes import NameCache

WORDS = ("CC", "ommons", "COMMONS")


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ([], []),
        (["", "C", "CC"], [2]),
        (["C", "C"], []),
        (["a cc", "Creative Commons", "ommon", "COMMON"], [1]),
        (["☕ CC", "🍵 COMMONS", "ommonſ"], [0, 1]),
        (["coommons", "CCC", "xC"], [0, 1]),
    ],
)
def test_texts_with_one_of_the_words(texts, found):
    assert texts_with(texts, WORDS) == found
    with plain_core():
        assert texts_with(texts, WORDS) == found


@needs_kernels
@given(st.lists(st.text("Comns \n☕𝄞", max_size=12)))
def test_both_versions_find_the_same_texts(texts):
    found = texts_with(texts, WORDS)
    with plain_core():
        assert texts_with(texts, WORDS) == found


HTML = (
    '<body class="tags"><div class="tags"><p><a href="/one">One</a> <b class="no"><i>'
    '<a href="/two">Two</a></i></b></p></div><nav><a href="/three">Three</a></nav>'
)


def number_of(name: str | None) -> int:
    return {"tags": 1, "byline": 2, "no": 3}.get(name or "", 0)


def test_what_the_classes_around_links_stand_for():
    page = thresher.parse(HTML)
    links = page_links(page)
    assert links.addresses == ["/one", "/two"]
    facts = NameCache(number_of, 100)
    assert facts_around(page, links.rows, facts, 1) == [0, 0]
    assert facts_around(page, links.rows, facts, 2) == [1, 3]  # the body says nothing


def test_elements_with_a_class_and_few_texts():
    page = thresher.parse(
        '<p class="tags">one<b class="no">two</b></p><p class="tags" hidden>x</p>'
    )
    facts = NameCache(lambda name: number_of(name) > 0, 100)
    assert [page.name(row) for row in short_elements(page, 0, 99, facts, 2)] == ["p", "b"]
    assert [page.name(row) for row in short_elements(page, 0, 99, facts, 1)] == ["b"]
    assert short_elements(page, 0, 3, facts, 2) == []


@needs_kernels
@given(st.one_of(soup, well_formed), st.integers(0, 12), st.integers(0, 30), st.integers(1, 4))
def test_both_versions_find_the_same_elements(html, start, size, most):
    page = thresher.parse(html)
    if not len(page):
        return
    facts = NameCache(lambda name: len(name or "") % 3, 100)

    def found() -> tuple[object, ...]:
        page._cache.clear()
        links = page_links(page)
        rows = np.flatnonzero(page.tag != 0)
        return (
            links.rows.tolist(), links.addresses, links.relations,
            facts_around(page, rows, facts, most),
            short_elements(page, start, start + size, facts, most),
        )  # fmt: skip

    compiled = found()
    with plain_core():
        assert found() == compiled
