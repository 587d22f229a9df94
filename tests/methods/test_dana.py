"""DANA against the thesis (4.4) character by character, and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_r2l
from thresher import UsageError
from thresher.methods.danag import DANA, by_character_set, differences

GAPS = st.sampled_from([0, 2, 3, 20])
LENGTHS = st.sampled_from([0, 7, 20, 40, 160])


@given(slow_r2l.pages(), GAPS, LENGTHS, st.sampled_from(["characters", "bytes"]), st.booleans())
def test_it_counts_and_keeps_the_same_as_the_slow_definition(html, gap, length, unit, smooth):
    page = thresher.parse(html)
    content, code = by_character_set(page.lines(length), unit)
    assert (content.tolist(), code.tolist()) == slow_r2l.counts(html, length, unit)
    texts = slow_r2l.texts(html, gap, length, unit, smooth)
    expected = [word for text in texts for word in slow.slow_words(text)]
    found = DANA(gap=gap, length=length, unit=unit, smooth=smooth)(page)
    assert slow.kept_words(found) == expected


def counts(html: str, unit: str = "characters") -> tuple[list[int], list[int]]:
    content, code = by_character_set(thresher.parse(html).lines(0), unit)
    return content.tolist(), code.tolist()


def test_lines_by_hand():
    # Two words of four letters; the space between them is code, and so are digits and commas.
    assert counts("<p>سلام دنیا</p>\n<p>Hello</p>\n<p>بله, 1</p>") == ([8, 0, 3], [8, 12, 10])


def test_code_points_from_128_are_content():
    assert counts("<p>\x7f\x80\xa0é日𝄞</p>") == ([5], [8])


def test_bytes_by_hand():
    # Each Arabic letter has two bytes in UTF-8; spaces, digits and commas have one.
    html = "<p>سلام دنیا</p>\n<p>Hello</p>\n<p>بله, 1</p>"
    assert counts(html, "bytes") == ([16, 0, 6], [8, 12, 10])
    # U+00A0, é and ü have two, 日 three, and 𝄞 four.
    assert counts("<p>\x7f\xa0éü日𝄞</p>", "bytes") == ([13], [8])


def test_bytes_outweigh_tags_where_letters_do_not():
    # 8 letters beside 8 characters of ASCII: 0, and in bytes 8.
    page = thresher.parse("<p>سلام دنیا</p>")
    assert not DANA()(page)
    assert DANA(unit="bytes")(page).text() == "سلام دنیا"


def test_a_reference_is_ascii_and_an_attribute_counts():
    assert counts("<p>&#1587;</p>") == ([0], [14])
    assert counts('<p title="سلام"></p>') == ([4], [16])


FIRST, LAST = "چای‌سبزرادم‌کنیدوبنوشید", "آب‌رابجوشانیدوکمی‌صبرکنید‌تاآماده‌شود"


def test_the_gap_joins_regions_and_latin_letters_stay():
    html = f"<p>{FIRST}</p>\n" + "<hr>\n" * 8 + f"<p>{LAST} tea</p>\n"
    page = thresher.parse(html)
    balance = [len(FIRST) - 7, *[-4] * 8, len(LAST) - 11, 0]
    diff = differences(*by_character_set(page.lines(0))).tolist()
    assert diff == [sum(balance[max(i - 1, 0) : i + 2]) for i in range(len(balance))]
    # Regions are lines 0..1 and 8..10: six lines between them, a distance of 8.
    assert [line for line, value in enumerate(diff) if value > 0] == [0, 1, 8, 9, 10]
    assert DANA(gap=8, length=0)(page).text() == f"{FIRST}\n\n{LAST} tea"
    assert DANA(gap=7, length=0)(page).text() == f"{LAST} tea"
    assert DANA(length=0) == DANA(gap=20, length=0)


def test_english_has_no_content():
    assert not DANA()(thresher.parse("<p>Warm the pot, then put in the leaves.</p>"))


@pytest.mark.parametrize("options", [{"gap": -1}, {"length": -1}])
def test_bad_options_are_refused(options):
    with pytest.raises(UsageError, match=r"is -\d+: give a whole number from 0 to 1,000,000\."):
        DANA(**options)
