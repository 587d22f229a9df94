"""Boilerpipe's decision tree, blocks and features against slow definitions, and by hand."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given

import thresher
from tests import slow_definitions
from tests.growth import assert_linear
from tests.methods import slow_boilerpipe as slow
from thresher import InputError, UsageError
from thresher.methods.boilerpipe import (
    CLASSIFIER_FEATURES,
    Boilerpipe,
    Features,
    classifier_features,
    features,
    text_blocks,
)
from thresher.methods.model.files import load, to_bytes


@given(slow_definitions.pages())
def test_it_keeps_the_same_words_as_the_slow_definition(html):
    found = Boilerpipe()(thresher.parse(html))
    assert slow_definitions.kept_words(found) == slow.boilerpipe(html)


@given(slow.pages())
def test_it_keeps_the_same_of_pages_with_many_kinds_of_tags(html):
    found = Boilerpipe()(thresher.parse(html))
    assert slow_definitions.kept_words(found) == slow.boilerpipe(html)


def text(words, linked=0):
    """A paragraph of so many words, so many more in a link."""
    return f"<p>{'w ' * words}<a href=/>{'l ' * linked}</a></p>"


def kept(html, **options):
    """Which blocks of a page are kept."""
    page = thresher.parse(html)
    chosen = Boilerpipe(**options)(page).keep
    solid = page.chars[page.text_rows] > 0
    return chosen[solid].tolist()


@pytest.mark.parametrize(
    ("html", "second"),
    [
        # after text: w > 16, next w > 15 or previous w > 4
        (text(4) + text(16) + text(15), False),
        (text(4) + text(17) + text(15), True),
        (text(4) + text(16) + text(16), True),
        (text(5) + text(16) + text(15), True),
        # after links (all words of the first block are): w > 40 or next w > 17
        (text(0, 20) + text(40) + text(17), False),
        (text(0, 20) + text(41) + text(17), True),
        (text(0, 20) + text(40) + text(18), True),
    ],
)
def test_each_branch_by_hand(html, second):
    assert kept(html)[1] is second


def test_link_densities_on_the_edge():
    assert kept(text(40, 20)) == [False, False]  # 20/60 = .333333..., more than .333333
    assert kept(text(41, 20)) == [True, True]
    # 5/9 = .555555... is text still: 41 words are enough, and so are 17
    assert kept(text(4, 5) + text(17))[2] is True
    assert kept(text(4, 6) + text(17))[2] is False  # .6


def test_outside_the_page_there_are_no_words():
    assert kept(text(16)) == [False]
    assert kept(text(17)) == [True]
    assert kept("") == []


def test_a_tag_parts_a_block_and_a_link_does_not():
    words = "w " * 9
    assert kept(f"<p>{words}<a href=/>x</a> {words}</p>") == [True, True, True]
    assert kept(f"<p>{words}<b></b> {words}</p>") == [False, True]  # nine words before the second


def test_hidden_text_is_no_neighbour():
    hidden = f"<p hidden>{'h ' * 99}</p>"
    assert kept(text(16) + hidden) == [False, False]
    assert kept(hidden + text(17) + hidden) == [False, True, False]


def test_options_move_the_edges():
    assert kept(text(16), words=15) == [True]
    assert kept(text(3) + text(3), previous_words=2) == [False, True]
    assert kept(text(3) + text(3), next_words=2) == [True, False]
    assert kept(text(40, 20), link_density=0.5) == [True, True]
    assert kept(text(4, 6) + text(17), previous_link_density=0.7)[2] is True
    assert kept(text(0, 20) + text(40), words_after_links=39) == [False, True]
    assert kept(text(0, 20) + text(2) + text(17), next_words_after_links=16)[1] is True


def test_bad_options_are_refused():
    with pytest.raises(
        UsageError, match=r"words of boilerpipe is -1: give a whole number from 0 to 1,000,000\."
    ):
        Boilerpipe(words=-1)
    with pytest.raises(UsageError, match="link_density of boilerpipe is nan"):
        Boilerpipe(link_density=float("nan"))


# --- trained classifiers -------------------------------------------------------------------------


def split(feature, at_most, then, otherwise):
    return {"feature": feature, "at most": at_most, "then": then, "else": otherwise}


NO, YES = {"content": 0.25}, {"content": 0.75}
NO_WEIGHTS = dict.fromkeys(CLASSIFIER_FEATURES, 0.0)


def write(path, tree=NO, bias=-1.0, **weights):
    svm = {"bias": bias, "weights": NO_WEIGHTS | weights}
    path.write_bytes(to_bytes("boilerpipe", {}, tree=tree, svm=svm))
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tree", "svm"])
@given(html=slow.pages())
def test_the_shipped_classifiers_read_slowly(name, html):
    found = Boilerpipe(classifier=name)(thresher.parse(html))
    part, rule = load("boilerpipe").header[name], getattr(slow, name)
    expected = slow.boilerpipe(
        html, lambda html: [rule(part, row) for row in slow.classifier_features(html)]
    )
    assert slow_definitions.kept_words(found) == expected


def test_a_tree_by_hand(tmp_path):
    # Few links and, if a block is short, a long one before it; else many words.
    tree = split("link_density", 0.25,
                 split("words", 2.5, split("previous_words", 3.5, NO, YES), YES), NO)  # fmt: skip
    chosen = {"classifier": "tree", "model": write(tmp_path / "m.json", tree)}
    assert kept(text(2) + text(4) + text(2), **chosen) == [False, True, True]
    assert kept(text(3) + text(2), **chosen) == [True, False]
    assert kept(text(3, 1), **chosen) == [True, True]  # 1/4 is not more than .25
    assert kept(text(5, 2), **chosen) == [False, False]  # 2/7 is
    assert kept("", **chosen) == []


def test_half_content_is_not_content(tmp_path):
    model = write(tmp_path / "m.json", {"content": 0.5})
    assert kept(text(9), classifier="tree", model=model) == [False]


def test_a_machine_by_hand(tmp_path):
    # words + next words / 2 - 8 * link density - 6
    model = write(tmp_path / "m.json", bias=-6.0, words=1.0, next_words=0.5, link_density=-8.0)
    chosen = {"classifier": "svm", "model": model}
    assert kept(text(6), **chosen) == [False]  # 0 is not above 0
    assert kept(text(7), **chosen) == [True]
    assert kept(text(5) + text(4), **chosen) == [True, False]  # 5 + 2 - 6
    assert kept(text(4) + text(4), **chosen) == [False, False]
    assert kept(text(6, 4), **chosen) == [True, True]  # 10 - 3.2 - 6


def test_the_features_of_the_neighbours():
    found = features(thresher.parse(text(1) + text(2, 2) + text(5)))
    columns = {name: column.tolist() for name, column in classifier_features(found).items()}
    assert tuple(columns) == CLASSIFIER_FEATURES
    assert columns["words"] == [1, 4, 5]
    assert columns["previous_words"] == [0, 1, 4]
    assert columns["next_words"] == [4, 5, 0]
    assert columns["previous_link_density"] == [0, 0, 0.5]
    assert columns["next_link_density"] == [0.5, 0, 0]


def test_rules_have_no_model():
    with pytest.raises(UsageError) as error:
        Boilerpipe(model="mine.json")
    assert str(error.value) == (
        "model of boilerpipe is 'mine.json', but the rules use none: give classifier='tree' or "
        "'svm' too."
    )


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({}, "its svm is not a bias and weights"),
        ({"svm": {"bias": 1, "weights": []}}, "its svm is not a bias and weights"),
        ({"svm": {"weights": NO_WEIGHTS}}, "its svm is not a bias and weights"),
        ({"svm": {"bias": "1", "weights": NO_WEIGHTS}}, "its svm is not a bias and weights"),
        ({"svm": {"bias": 1, "weights": {"words": 1}}}, "it was trained on other features"),
        ({"tree": None}, "its tree has a node that is neither a split nor a leaf"),
        ({"tree": {"content": True}}, "its tree has a node that is neither a split nor a leaf"),
        ({"tree": split("words", float("nan"), NO, YES)}, "its tree has a node that is neither"),
        ({"tree": split("words", 1, NO, {})}, "its tree has a node that is neither"),
        ({"tree": split("letters", 1, NO, YES)}, "its tree asks for features that are not known"),
    ],
)
def test_damaged_models_are_refused(tmp_path, parts, message):
    path = tmp_path / "m.json"
    whole = {"svm": {"bias": 0, "weights": NO_WEIGHTS}} if "tree" in parts else {}
    path.write_bytes(to_bytes("boilerpipe", {}, **whole, **parts))
    for name in ("tree", "svm"):
        with pytest.raises(InputError) as error:
            Boilerpipe(classifier=name, model=str(path))(thresher.parse("<p>one"))
        assert str(error.value).startswith(f"{path} cannot be used: {message}")


def test_the_shipped_classifiers_keep_an_article_and_no_menu():
    page = thresher.parse(
        "<ul><li><a href=/>Home</a></li><li><a href=/tea>All about tea</a></li></ul>"
        + "<p>Warm the pot, put in one spoon of leaves for each cup, and pour on the water just "
        "off the boil. Then wait for three minutes, or four at the most, and drink it.</p>"
        * 3
        + "<ul><li><a href=/imprint>Imprint</a></li><li><a href=/privacy>Privacy</a></li></ul>"
    )
    for name in ("tree", "svm"):
        found = Boilerpipe(classifier=name)(page).text()
        assert found.count("spoon of leaves") == 3
        assert "All about tea" not in found


# --- blocks and features -------------------------------------------------------------------------

NAMES = [column.name for column in fields(Features) if column.name != "blocks"]


@pytest.mark.slow
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
def test_scripts_templates_and_hidden_text_are_in_no_block(html):
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


def test_a_tag_elsewhere_is_not_used():
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


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["." * 7, '."', "a.", "1.", "2024-", "14:3", "M", "é.'''"])
def test_hostile_text_takes_linear_time(unit):
    assert_linear(features, lambda n: thresher.parse(f"<p>{unit * n}x"), 16_000)
