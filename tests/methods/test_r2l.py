"""R2L against the thesis (4.3) character by character, and by hand."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.methods import slow_r2l
from thresher import UsageError
from thresher.methods.danag import DANA, R2L

GAPS = st.sampled_from([0, 2, 3, 8])
LENGTHS = st.sampled_from([0, 7, 20, 40, 160])


@given(slow_r2l.pages(), GAPS, LENGTHS, st.sampled_from(["characters", "bytes"]), st.booleans())
def test_it_prints_the_same_letters_as_the_slow_definition(html, gap, length, unit, smooth):
    page = thresher.parse(html)
    kept = R2L(gap=gap, length=length, unit=unit, smooth=smooth)(page)
    expected = "".join(slow_r2l.texts(html, gap, length, unit, smooth))
    assert kept.text().replace(" ", "") == re.sub(r"[\x00-\x7f]", "", expected)
    same = DANA(gap=gap, length=length, unit=unit, smooth=smooth)(page)
    assert kept.rows.tolist() == same.rows.tolist()


def test_ascii_is_left_out():
    # 43 letters from 128 on; 24 of ASCII in tags, words, spaces and the full stop.
    html = "<p>چای‌سبز‌رابا <b>green</b> 2 tea اشتباه‌نکنید، وکمی‌صبرکنیدتاسردشود.</p>"
    found = R2L(length=0)(thresher.parse(html))
    assert found.text() == "چای‌سبز‌رابا اشتباه‌نکنید، وکمی‌صبرکنیدتاسردشود"
    assert found.words == DANA(length=0)(thresher.parse(html)).words  # the rows are whole


def test_the_gap_is_8():
    first, last = "چای‌سبزرادم‌کنیدوبنوشید", "آب‌رابجوشانیدوکمی‌صبرکنید‌تاآماده‌شود"

    def printed(between: int) -> str:
        html = f"<p>{first}</p>\n" + "<hr>\n" * between + f"<p>{last}</p>\n"
        return R2L(length=0)(thresher.parse(html)).text()

    # Each region reaches one line into the rules: k of them are a distance of k.
    assert printed(8) == f"{first} {last}"
    assert printed(9) == last


def test_letters_by_bytes():
    page = thresher.parse("<p>سلام دنیا</p>")  # 8 letters of two bytes, 8 characters of ASCII
    assert not R2L()(page)
    assert R2L(unit="bytes")(page).text() == "سلام دنیا"


def test_units_are_checked():
    with pytest.raises(UsageError, match="unit of r2l is 'bits': give 'characters' or 'bytes'"):
        R2L(unit="bits")


@pytest.mark.parametrize("options", [{"gap": -1}, {"length": -1}])
def test_bad_options_are_refused(options):
    with pytest.raises(UsageError, match=r"is -\d+: give a whole number from 0 to 1,000,000\."):
        R2L(**options)
