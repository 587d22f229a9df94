"""AdDANAg against the thesis (4.3 to 4.6) character by character, and by hand."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from thresher import UsageError
from thresher.methods.danag import AdDANAg, differences, normalised, regions_of_content

FILTERS = st.sampled_from([0, 1, 2, 3])
GAPS = st.sampled_from([0, 2, 3, 20])
LENGTHS = st.sampled_from([0, 7, 20, 40, 160])


# White space on the two sides of a script is not one run.
@example("<html><head></head><body>one\n<script></script> two</body></html>", 20, 0, 7)
@given(slow.pages(), GAPS, FILTERS, LENGTHS)
def test_it_counts_and_keeps_the_same_as_the_slow_definition(html, gap, number, length):
    page = thresher.parse(html)
    content, code = normalised(page.lines(length), number)
    assert (content.tolist(), code.tolist()) == slow.addanag_counts(html, number, length)
    kept = AdDANAg(gap=gap, filter=number, length=length)(page)
    assert slow.kept_words(kept) == slow.addanag(html, gap, number, length)


COUNTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40)


@given(COUNTS, st.integers(0, 6))
def test_smoothing_and_regions(counts, gap):
    t1, t2 = ([pair[side] for pair in counts] for side in (0, 1))
    diff = differences(np.array(t1, np.int64), np.array(t2, np.int64))
    assert diff.tolist() == slow.addanag_diff(t1, t2)
    chosen = regions_of_content(np.array(t1, np.int64), diff, gap)
    regions = slow.addanag_regions(t1, diff.tolist(), gap)
    lines = [line for x, y in regions for line in range(x, y + 1)]
    assert np.flatnonzero(chosen).tolist() == lines


def counts(html: str, number: int) -> tuple[list[int], list[int]]:
    content, code = normalised(thresher.parse(html).lines(0), number)
    return content.tolist(), code.tolist()


def test_a_line_by_hand():
    lines = thresher.parse("<p>Hello</p>").lines(0)
    assert (lines.length.tolist(), lines.content.tolist(), lines.code.tolist()) == ([12], [5], [7])


def test_characters_are_counted_not_bytes():
    assert counts("<p>سلام</p>\n<p>日本</p>", 0) == ([4, 2], [7, 7])


def test_white_space_beside_a_tag_is_code():
    assert counts("<p> one two </p>", 0) == ([7], [9])


# The thesis' example: 12 characters of text, 7 of tags, and of the attributes 5 are left.
BBC = '<a href="http://www.BBC.com/">BBC Web Site</a>'


def test_filter_3_by_hand():
    assert counts(BBC, 0) == ([12], [len(BBC) - 12])
    assert counts(BBC, 3) == ([12], [len("<a _____></a>")])


@pytest.mark.parametrize(
    ("html", "filter_2", "filter_3"),
    [
        ('<a href="/x">text</a>', "<a></a>", "<a></a>"),  # empty filler
        ('<a href="/x">seven..</a>', "<a></a>", "<a></a>"),
        ('<a href="/x">eight...</a>', "<a></a>", "<a _></a>"),
        ("<a>some long anchor text</a>", "<a></a>", "<a></a>"),  # no attributes: unchanged
        ("<a >some long anchor text</a>", "<a ></a>", "<a ></a>"),
        ("<a name=top>text</a>", "<a></a>", "<a></a>"),  # an anchor, but no link
        ("<a href>some long anchor text</a>", "<a></a>", f"<a {'_' * 14}></a>"),  # longer
        ('<a href="日本語">日本</a>', "<a></a>", "<a></a>"),
        ('<a title="x"href=/>text</a>', "<a></a>", "<a></a>"),
        ('<A HREF="/a > b">one</A>', "<A></A>", "<A></A>"),
        ("<a href=/x>never closed", "<a href=/x>", "<a href=/x>"),
        ("<abbr title=x>no anchor</abbr>", "<abbr title=x></abbr>", "<abbr title=x></abbr>"),
    ],
)
def test_tags_after_the_filters(html, filter_2, filter_3):
    assert [sum(counts(html, number)[1]) for number in (2, 3)] == [len(filter_2), len(filter_3)]


def test_filter_1_by_hand():
    html = f"<p>See {BBC} for more</p>"
    assert counts(html, 1) == ([len("See") + len("for more")], [len("<p>") + 2 + len("</p>")])
    page = thresher.parse(f"<p>A long sentence with many words, see {BBC} for even more words.</p>")
    assert "BBC" in AdDANAg(filter=2)(page).text()
    assert (
        AdDANAg(filter=1)(page).text()
        == "A long sentence with many words, see for even more words."
    )


@pytest.mark.parametrize(
    ("tag", "is_link"),
    [
        ("<a name=top>", False),
        ("<a data-href='/x'>", False),
        ("<a name=x HREF=/>", True),
        ('<a title="x"href=/>', True),
        ("<a\nhref>", True),
    ],
)
def test_filter_1_removes_links_and_no_other_anchors(tag, is_link):
    content, _ = counts(f"<p>Some text, {tag}more</a></p>", 1)
    assert sum(content) == len("Some text,") + (0 if is_link else len("more"))


# Listing 4.1 (the thesis says 0 for Filter 3).
LISTING = """\
<a href="link_one">anchor text one</a>
<a href="link_two">anchor text two</a>
<a href="link_three">anchor text three</a>"""


@pytest.mark.parametrize(("number", "middle"), [(0, -24), (2, 26), (3, -3)])
def test_listing_4_1(number, middle):
    content, code = normalised(thresher.parse(LISTING).lines(0), number)
    assert differences(content, code).tolist()[1] == middle


def chosen(content: list[int], diff: list[int], gap: int) -> list[int]:
    found = regions_of_content(np.array(content), np.array(diff), gap)
    return np.flatnonzero(found).tolist()


@pytest.mark.parametrize("between", [1, 2, 5])
def test_k_lines_between_two_regions_are_a_distance_of_k_plus_2(between):
    diff = [1] + [-1] * between + [1]
    assert chosen(diff, diff, between + 2) == [0, between + 1]  # the lines between are not kept
    assert chosen(diff, diff, between + 1) == [0]


def test_the_main_region_has_most_content_the_first_on_ties():
    diff = [1, 0, 1, 1, 0, 1]
    assert chosen([3, 9, 2, 2, 9, 3], diff, 0) == [2, 3]
    assert chosen([4, 9, 2, 2, 9, 4], diff, 0) == [0]


def test_growing_stops_at_the_first_failure():
    diff = [1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1]
    content = [1, 0, 1, 0, 0, 1, 0, 9, 0, 0, 1, 0, 1]
    assert chosen(content, diff, 3) == [5, 7]
    assert chosen(content, diff, 4) == [0, 2, 5, 7, 10, 12]


def test_no_region():
    assert chosen([5, 5], [0, -1], 20) == []
    assert chosen([], [], 20) == []


def test_a_text_is_kept_when_most_of_it_lies_in_chosen_lines():
    # Reflowed to 8: "<p>one t|wo three| four</p|><hr><h|r><hr><|hr><hr>". Balances are 2, 8, 2 and
    # -8 for the rest; the first five lines' diffs are 10, 12, 2, -14, ...
    page = thresher.parse("<p>one two three four</p><hr><hr><hr><hr><hr>")
    lines = page.lines(8)
    assert (lines.content - lines.code).tolist()[:4] == [2, 8, 2, -8]
    assert AdDANAg(length=8)(page).text() == "one two three four"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"filter": 4}, "filter of addanag is 4: give 0, 1, 2 or 3."),
        ({"gap": -1}, "gap of addanag is -1: give a whole number from 0 to 1,000,000."),
        ({"length": -1}, "length of addanag is -1: give a whole number from 0 to 1,000,000."),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(UsageError) as error:
        AdDANAg(**options)
    assert str(error.value) == message
