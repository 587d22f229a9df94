"""Atomic blocks and shallow features against slow definitions, and by hand."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given

import thresher
from tests import slow_definitions
from tests.growth import assert_linear
from tests.methods import slow_boilerpipe as slow
from thresher.methods.common.shallow_blocks import Features, features, text_blocks

NAMES = [column.name for column in fields(Features) if column.name != "blocks"]


@given(slow.pages())
def test_every_feature_of_every_block(html):
    found, expected = features(thresher.parse(html)), slow.features(html)
    assert len(found) == len(expected)
    for name in NAMES:
        column = getattr(found, name).tolist()
        assert column == pytest.approx([row[name] for row in expected]), name


@given(slow.pages())
def test_blocks_are_cut_at_every_tag_but_anchors(html):
    page = thresher.parse(html)
    blocks, expected = text_blocks(page), slow.blocks(html)
    assert len(blocks) == len(expected)
    texts = [[] for _ in expected]
    for row, block in zip(page.text_rows, blocks.of_text, strict=True):
        if block >= 0:
            texts[block].append(page.text(row))
    assert texts == [block.texts for block in expected]
    assert [page.text(row) for row in blocks.first] == [block.texts[0] for block in expected]
    assert blocks.link_density.tolist() == [block.link_density for block in expected]


@given(slow_definitions.pages())
def test_scripts_templates_and_what_is_hidden_make_no_block(html):
    expected = [len(block.words) for block in slow.blocks(html)]
    assert text_blocks(thresher.parse(html)).words.tolist() == expected


HTML = (
    "<h1>Tea Time</h1><div><p>Steep <a href=/>THREE minutes</a> on 3 May 2024. Then | drink!</p>"
    "<b>At 14:30</b> | <i>I wait</i></div><ul><li>Sugar."
)


def test_a_page_by_hand():
    found = features(thresher.parse(HTML))
    # Tea Time / Steep THREE minutes on 3 May 2024. Then | drink! / At 14:30 / | / I wait / Sugar.
    assert found.words.tolist() == [2, 9, 3, 0, 2, 1]
    assert found.average_word_length.tolist() == [7 / 2, 36 / 9, 6 / 3, 0, 5 / 2, 5]
    assert found.average_sentence_length.tolist() == [2, 4.5, 3, 0, 2, 1]
    assert found.capitalised.tolist() == [2, 4, 1, 0, 1, 1]  # Steep THREE May Then; I
    assert found.upper_case.tolist() == [0, 1, 0, 0, 1, 0]
    assert found.capitalised_ratio.tolist() == [1, 4 / 9, 1 / 3, 0, 1 / 2, 1]
    assert found.upper_case_ratio.tolist() == [0, 1 / 9, 0, 0, 1 / 2, 0]
    assert found.full_stop_ratio.tolist() == [0, 1 / 9, 0, 0, 0, 1]
    assert found.dates.tolist() == [0, 2, 1, 0, 0, 0]  # May and 2024; 14:30
    assert found.bars.tolist() == [0, 1, 0, 1, 0, 0]
    assert found.link_density.tolist() == [0, 2 / 9, 0, 0, 0, 0]
    assert found.position.tolist() == [0, 1, 2, 3, 4, 5]
    assert found.relative_position.tolist() == [0, 0.2, 0.4, 0.6, 0.8, 1]


def test_the_nearest_of_the_tags_counts():
    found = features(thresher.parse(HTML))
    names = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "div")
    around = [[name for name in names if getattr(found, name)[block]] for block in range(6)]
    assert around == [["h1"], ["p"], ["div"], ["div"], ["div"], []]


def test_no_tag_of_another_place_is_taken():
    found = features(thresher.parse("one<div></div>"))  # the last row is a div
    assert found.div.tolist() == [False]


def test_empty_pages_have_no_blocks():
    for html in ("", "<p> </p>", "<p hidden>one</p>"):
        found = features(thresher.parse(html))
        assert len(found) == 0
        assert [len(getattr(found, name)) for name in NAMES] == [0] * len(NAMES)


def test_columns_are_read_only():
    found = features(thresher.parse(HTML))
    assert not any(getattr(found, name).flags.writeable for name in NAMES)


def test_a_part_of_a_page():
    page = thresher.parse(HTML)
    part = page.only(page.under(np.flatnonzero(page.tag == page.names.index("p"))))
    assert features(part).words.tolist() == [9]


@pytest.mark.parametrize("unit", ["." * 7, '."', "a.", "1.", "2024-", "14:3", "M", "é.'''"])
def test_text_made_to_be_slow_takes_time_in_proportion(unit):
    assert_linear(features, lambda n: thresher.parse(f"<p>{unit * n}x"), 16_000)
