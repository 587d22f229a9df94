"""The kind of a page with little text is the usual one."""

import pytest

import thresher
from thresher import parse
from thresher.methods.default.features import KINDS
from thresher.methods.default.page_kind import page_kinds

SURE = dict.fromkeys(KINDS, 0.0) | {"forum": 1.0}


def test_a_few_words_are_an_article():
    document = thresher.extract("<p>Hello</p>")
    assert document.kind == "article"
    assert document.judgement is not None
    assert document.kinds["article"] > document.judgement.kinds["article"]


def test_fifty_words_weigh_as_much_as_what_is_usual():
    found = page_kinds(parse("<p>" + "word " * 50 + "<p hidden>" + "unseen " * 50), SURE)
    assert found["article"] == pytest.approx(1050 / 1754 / 2)
    assert found["forum"] == pytest.approx((1 + 113 / 1754) / 2)
    assert sum(found.values()) == pytest.approx(1)
    assert list(found) == list(KINDS)


def test_many_words_are_what_the_model_says():
    assert page_kinds(parse("<p>" + "word " * 4950), SURE)["forum"] > 0.99


def test_without_words_it_is_the_share_in_the_training():
    found = page_kinds(parse("<p>"), SURE)
    assert found["article"] == pytest.approx(1050 / 1754)
    assert found["service"] == pytest.approx(165 / 1754)


def test_what_is_kept_depends_on_the_model_alone():
    document = thresher.extract("<p>Hello</p>")
    assert document.judgement is not None
    assert document.judgement.kinds != document.kinds
