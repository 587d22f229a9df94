"""Tags, words in many texts, classes of many elements, and links, with and without kernels."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.cores import needs_kernels, plain_core
from tests.pages import soup, well_formed
from thresher.metadata.candidates import _short_texts
from thresher.metadata.declared import declarations
from thresher.metadata.links import telling_links
from thresher.metadata.search import rows_by_tag, short_elements, texts_with
from thresher.page import Page
from thresher.page.attributes import NameCache

WORDS = ("CC", "ommons", "COMMONS")


def page_of(texts: list[str]) -> Page:
    return thresher.parse("<body>" + "".join(f"<p>{html.escape(text)}</p>" for text in texts))


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ([], []),
        (["", "C", "CC"], ["CC"]),
        (["C", "C"], []),
        (["a cc", "Creative Commons", "ommon", "COMMON"], ["Creative Commons"]),
        (["☕ CC", "🍵 COMMONS", "ommonſ"], ["☕ CC", "🍵 COMMONS"]),
        (["coommons", "CCC", "xC"], ["coommons", "CCC"]),
    ],
)
def test_texts_with_one_of_the_words(texts, found):
    page = page_of(texts)
    assert [page.texts[at] for at in texts_with(page, WORDS)] == found
    with plain_core():
        assert [page.texts[at] for at in texts_with(page, WORDS)] == found


def test_texts_in_links_are_found():
    page = thresher.parse("<p>CC <a href=x>CC</a> <a>CC</a>")
    assert texts_with(page, WORDS) == [0, 1, 3]


@needs_kernels
@given(st.lists(st.text("Comns \n☕𝄞", max_size=12)))
def test_both_versions_find_the_same_texts(texts):
    page = page_of(texts)
    found = texts_with(page, WORDS)
    with plain_core():
        assert texts_with(page, WORDS) == found


@needs_kernels
@given(st.lists(st.text("By作 \n\xa0\x1f1٣年년기자🍵", max_size=12)), st.integers(0, 3))
def test_both_versions_find_the_same_signs(texts, first):
    page = page_of(texts)
    found = _short_texts(page, first, first + 8)
    with plain_core():
        assert _short_texts(page, first, first + 8) == found


HTML = (
    '<body class="tags"><div class="tags"><p><a href="/one">One</a> <b class="no"><i>'
    '<a href="/two">Two</a></i></b></p></div><nav class="tags"><a href="/three">Three</a></nav>'
    '<a href="/TAG/x">no</a> <a href="/tag/x">Tag</a> <a href="/Author/x">Ada</a> '
    '<a href="x" rel="nofollow">no</a> <a href="y" rel="LICENSE">Yes</a> <a>no</a>'
)


def number_of(name: str | None) -> int:
    return {"tags": 1, "byline": 2, "no": -1}.get(name or "", 0)


def test_links_that_may_tell_something():
    page = thresher.parse(HTML)
    for _ in range(2):
        found = telling_links(page, NameCache(number_of, 100))
        assert [link[1:] for link in found] == [  # the body says nothing
            (1, "/one", "", False),
            (0, "/tag/x", "", True),
            (0, "/Author/x", "", False),
            (0, "y", "LICENSE", False),
        ]
        with plain_core():
            assert telling_links(page, NameCache(number_of, 100)) == found


def test_the_rows_of_some_tags():
    page = thresher.parse("<title>a</title><nav>b</nav><h2>c</h2><x-a>d</x-a><h2>e</h2><time>f")
    found = rows_by_tag(page)
    names = {name: list(map(page.name, rows)) for name, rows in found._asdict().items()}
    assert names == {name: [name] * len(rows) for name, rows in found._asdict().items()}
    assert [len(rows) for rows in found] == [0, 0, 1, 0, 2, 1, 1]


def test_elements_with_a_class_and_few_texts():
    page = thresher.parse(
        '<p class="tags">one<b class="byline">two</b></p><p class="tags" hidden>x</p>'
    )
    facts = NameCache(number_of, 100)

    def names(first: int, stop: int, most: int, wanted: int) -> list[str]:
        return list(map(page.name, short_elements(page, first, stop, facts, most, wanted)))

    assert names(0, 99, 2, 3) == ["p", "b"]
    assert names(0, 99, 1, 3) == ["b"]
    assert names(0, 99, 2, 1) == ["p"]
    assert names(0, 3, 2, 3) == []


def test_elements_with_another_class_are_found_by_microdata():
    page = thresher.parse(
        '<p class="tags" itemprop="x">one</p><p class="tags">x</p><p itemprop=x>y'
    )
    facts = NameCache(number_of, 100)
    assert len(short_elements(page, 0, 99, facts, 2, 2)) == 1
    with plain_core():
        assert len(short_elements(page, 0, 99, facts, 2, 2)) == 1


@needs_kernels
@given(st.one_of(soup, well_formed), st.integers(0, 12), st.integers(0, 30), st.integers(1, 4))
def test_both_versions_find_the_same_elements(html, start, size, most):
    page = thresher.parse(html)
    if not len(page):
        return
    bits = NameCache(lambda name: len(name or "") % 3, 100)
    kinds = NameCache(lambda name: len(name or "") % 3 - 1, 100)

    def found() -> tuple[object, ...]:
        page._cache.clear()
        return (
            rows_by_tag(page),
            declarations(page),
            telling_links(page, kinds),
            short_elements(page, start, start + size, bits, most, 1 + size % 3),
        )

    compiled = found()
    with plain_core():
        assert found() == compiled
