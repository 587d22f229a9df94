"""Templates: counted tables against dictionaries, and similarity by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.site import template
from thresher.site.template import Table, Template

PAGES = st.lists(st.dictionaries(st.integers(0, 12), st.sampled_from([0.0, 0.25, 1.0])), max_size=6)


def learned(pages: list[dict[int, float]], most: int = 100) -> Table:
    table = Table.empty()
    for number, page in enumerate(pages, 1):
        keys = sorted(page)
        mean = np.array([page[key] for key in keys], np.float64)
        table = table.learn(np.array(keys, np.uint64), mean, number, most)
    return table


@given(PAGES)
def test_a_table_counts_like_dictionaries(pages):
    table = learned(pages)
    counts, last, total = {}, {}, {}
    for number, page in enumerate(pages, 1):
        for key, mean in page.items():
            counts[key] = counts.get(key, 0) + 1
            last[key] = number
            total[key] = total.get(key, 0.0) + mean
    assert table.key.tolist() == sorted(counts)
    assert table.pages.tolist() == [counts[key] for key in sorted(counts)]
    assert table.last.tolist() == [last[key] for key in sorted(counts)]
    assert table.total.tolist() == [total[key] for key in sorted(counts)]


@given(PAGES, st.lists(st.integers(0, 15), max_size=6))
def test_find_gives_the_place_or_none(pages, wanted):
    table = learned(pages)
    keys = table.key.tolist()
    found = table.find(np.array(wanted, np.uint64)).tolist()
    assert found == [keys.index(key) if key in keys else -1 for key in wanted]


def test_what_was_seen_least_and_longest_ago_is_forgotten():
    table = learned([{1: 0, 2: 0, 3: 0}, {3: 0, 4: 0}, {4: 0, 5: 0}], most=3)
    # 1 and 2 were seen once, on the first page; 5 once, on the last; 3 and 4 twice
    assert table.key.tolist() == [3, 4, 5]


def keys(*numbers: int):
    return np.array(sorted(numbers), np.uint64)


def test_similarity_by_hand():
    two = Template()
    two = two.learn(keys(), keys(1, 2, 3), np.zeros(3), 1)
    two = two.learn(keys(), keys(1, 2, 4), np.zeros(3), 2)
    # shares: 1 and 2 on all pages, 3 and 4 on half of them; the sum is 3
    assert two.similarity(keys(1, 2)) == pytest.approx(2 / (2 + 3 - 2))
    assert two.similarity(keys(1, 2, 3)) == pytest.approx(2.5 / (3 + 3 - 2.5))
    assert two.similarity(keys(7, 8)) == 0
    assert Template().similarity(keys(1)) == 0


def test_means_and_pages_by_hand():
    two = Template().learn(keys(10, 11), keys(1), np.array([0.2]), 1)
    two = two.learn(keys(10), keys(1, 2), np.array([0.6, 1.0]), 2)
    assert two.text_pages(keys(10, 11, 12)).tolist() == [2, 1, 0]
    mean, is_known = two.path_mean(np.array([1, 2, 3], np.uint64))
    assert mean.tolist() == pytest.approx([0.4, 1.0, 0.0])
    assert is_known.tolist() == [True, True, False]
    assert (two.pages, two.first, two.last) == (2, 1, 2)


def test_samples_are_bounded_and_the_newest_stay(monkeypatch):
    monkeypatch.setattr(template, "MOST_SAMPLES", 2)
    one = Template().learn(keys(1, 2, 3), keys(), np.zeros(0), 1)
    one = one.with_samples({1: ("navigation", "Home")}).with_samples({2: ("footer", "Imprint")})
    one = one.with_samples({3: ("footer", " a \n b " + "x" * 500)})
    assert list(one.samples) == [2, 3]
    assert one.samples[3][1] == ("a b " + "x" * 500)[: template.SAMPLE_CHARS]
    assert [(f.kind, f.share) for f in one.furniture()] == [("footer", 1.0), ("footer", 1.0)]
