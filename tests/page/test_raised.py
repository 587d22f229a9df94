"""Raised numbers and the arrows of footnotes in plain text."""

import pytest

import thresher
from tests.growth import assert_linear

REST = "<p>Steep the leaves for three minutes in water just off the boil, and then pour.</p>"


def text_of(inner):
    return thresher.parse(f"<body><p>{inner}</p>{REST}").all().text().split("\n\n")[0]


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("10<sup>6</sup> leaves", "10⁶ leaves"),
        ("10<sup>-3</sup> and m<sup> 2 </sup>", "10⁻³ and m ²"),
        ("good tea<sup>3</sup>.", "good tea³."),
        ("the 1<sup>st</sup>, H<sub>2</sub>O", "the 1st, H2O"),
        ("E = mc<sup>2<b>0</b></sup>", "E = mc²⁰"),
        ("tea <sup>2</sup>", "tea 2"),
        ("in 1856<sup><a href='#n1'>1</a></sup> and", "in 1856 and"),
        ("in 1856<a href='/a#n1'><sup>1</sup></a> and", "in 1856 and"),
        ("in 1856<sup>[<a href='#n1'>1</a>]</sup>", "in 1856[1]"),
        ("tea<sup><a href='/a'>1</a></sup>", "tea¹"),
        ("<sup><a href='#r1'>1</a></sup> A note", "1 A note"),
        ("<sup></sup>tea<sup><a href='#n'>*</a></sup>", "tea"),
    ],
)
def test_raised_numbers_are_no_digits_of_other_numbers(inner, text):
    assert text_of(inner) == text


def test_arrows_back_from_notes_are_left_out():
    html = (
        f"<p>In 1856<sup><a href='#n'>1</a></sup> tea was dear. Press ↩ now.</p>{REST}"
        "<ol><li id=n>The book of tea. <a href='#r'>↩</a></li><li>More tea. <a href='#s'>↩︎</a></li>"
    )
    text = thresher.parse(html).all().text()
    assert "In 1856 tea was dear. Press ↩ now." in text
    assert text.endswith("1. The book of tea.\n2. More tea.")


def test_passages_have_the_same_text():
    first = "<p>10<sup>6</sup> leaves make one pot of good tea for all.</p>"
    html = f"<article>{first}{REST}</article>"
    document = thresher.extract(html)
    assert "10⁶ leaves" in document.text
    assert "10⁶ leaves" in "\n".join(passage.text for passage in document.passages())


@pytest.mark.parametrize("unit", ["<sup>", "a<sup>1</sup>", "<sup><a href='#a'>1</a></sup>"])
def test_any_number_of_raised_elements_takes_linear_time(unit):
    assert_linear(lambda page: page.all().text(), lambda size: thresher.parse(unit * size), 2_000)
