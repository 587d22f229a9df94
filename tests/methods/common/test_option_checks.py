"""Checks of options: numbers too large or too small, and values of the wrong type."""

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest

import thresher
from thresher import UsageError, methods
from thresher.methods.common.option_checks import Options, Probability, Range, Share

NUMBERS = [
    (name, option, default)
    for name in methods.names()
    for option, default in methods.options(name).items()
    if type(default) in (int, float)
]
PAGE = thresher.parse("<p>Warm the pot, then <a href=/>put</a> in the leaves.</p><p>Wait.</p>" * 9)


@pytest.mark.parametrize(("name", "option", "default"), NUMBERS)
def test_large_numbers_are_refused_or_work(name, option, default):
    for large in (1000, 10**6, 10**9, 2**63, 10**30, 10**400, 10**5000):
        try:
            method = methods.get(name, **{option: large})
        except UsageError as error:
            message = str(error)
            assert "give" in message
            assert len(message) < 200
        else:
            assert large <= 10**6
            assert len(method(PAGE).keep) == len(PAGE.text_rows)
    if type(default) is float:
        for wrong in (float("inf"), float("nan"), -1e-9):
            with pytest.raises(UsageError, match=option):
                methods.get(name, **{option: wrong})


@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name, option, value in NUMBERS if type(value) is int]
)
def test_the_class_of_a_method_refuses_values_of_the_wrong_type(name, option):
    kind = type(methods.get(name))
    for wrong in (1.5, "3", True, None):
        with pytest.raises(UsageError, match=f"{option} of {name} is {wrong!r}: give"):
            kind(**{option: wrong})


@pytest.mark.parametrize("name", methods.names())
def test_errors_show_the_name_in_the_registry(name):
    method = methods.get(name)
    assert not isinstance(method, Options) or method.method_name() == name


@dataclass(frozen=True, slots=True)
class Example(Options):
    """A method with an option of each type."""

    name: str = ""
    listing: bool = False
    filter: Literal[0, 1, 2] = 0
    base: Literal["text", "share"] = "text"
    gap: int = 20
    k: Annotated[int, Range(1, 3)] = 2
    weight: float = 1.5
    quota: Share = 0.5
    threshold: Probability = 0.5
    sigma: Annotated[float, Range(0, 1_000, without=(0,))] = 1.0
    t: Annotated[float, Range(0.5, 1, without=(1,))] = 0.5


@pytest.mark.parametrize(
    "options",
    [
        {"name": "tea", "listing": True, "filter": 2, "base": "share"},
        {"gap": 0, "k": 1, "weight": 0, "quota": 0, "t": 0.5},
        {"gap": 1_000_000, "k": 3, "weight": 1_000_000.0, "quota": 1, "sigma": 1000},
        {"threshold": 1e-9, "sigma": 1e-9},
        {"threshold": 1 - 1e-9, "t": 1 - 1e-9},
    ],
)
def test_values_in_range_are_accepted(options):
    Example(**options)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("name", 3, "name of example is 3: give text."),
        ("name", None, "name of example is None: give text."),
        ("listing", 1, "listing of example is 1: give True or False."),
        ("filter", 3, "filter of example is 3: give 0, 1 or 2."),
        ("filter", True, "filter of example is True: give 0, 1 or 2."),
        ("base", "body", "base of example is 'body': give 'text' or 'share'."),
        ("base", ["text"], "base of example is ['text']: give 'text' or 'share'."),
        ("gap", -1, "gap of example is -1: give a whole number from 0 to 1,000,000."),
        ("gap", 1.0, "gap of example is 1.0: give a whole number from 0 to 1,000,000."),
        ("k", 4, "k of example is 4: give a whole number from 1 to 3."),
        ("k", "x" * 50, f"k of example is '{'x' * 39}...: give a whole number from 1 to 3."),
        pytest.param(
            "k",
            10**5000,
            "k of example is too large: give a whole number from 1 to 3.",
            id="5,000 digits",
        ),
        ("weight", True, "weight of example is True: give a number from 0 to 1,000,000."),
        ("weight", float("inf"), "weight of example is inf: give a number from 0 to 1,000,000."),
        ("quota", 1.5, "quota of example is 1.5: give a number from 0 to 1."),
        ("quota", float("nan"), "quota of example is nan: give a number from 0 to 1."),
        ("threshold", 0, "threshold of example is 0: give a number above 0 and below 1."),
        ("threshold", 1.0, "threshold of example is 1.0: give a number above 0 and below 1."),
        ("sigma", 0.0, "sigma of example is 0.0: give a number above 0 and at most 1,000."),
        ("t", 1, "t of example is 1: give a number at least 0.5 and below 1."),
        ("t", 0.4, "t of example is 0.4: give a number at least 0.5 and below 1."),
    ],
)
def test_other_values_are_refused_in_a_sentence(option, value, message):
    with pytest.raises(UsageError) as error:
        Example(**{option: value})
    assert str(error.value) == message
