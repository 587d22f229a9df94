"""Numbers as options: too large, too small, of the wrong kind, for every method that has some."""

import pytest

import thresher
from thresher import UsageError, methods
from thresher.methods.common import option_checks as ranges

NUMBERS = [
    (name, option, default)
    for name in methods.names()
    for option, default in methods.options(name).items()
    if type(default) in (int, float)
]
PAGE = thresher.parse("<p>Warm the pot, then <a href=/>put</a> in the leaves.</p><p>Wait.</p>" * 9)


@pytest.mark.parametrize(("name", "option", "default"), NUMBERS)
def test_large_numbers_are_refused_in_a_sentence_or_do_no_harm(name, option, default):
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
def test_a_class_refuses_half_a_thing_as_its_name_does(name, option):
    kind = type(methods.get(name))
    for wrong in (1.5, "3", True, None):
        with pytest.raises(UsageError, match=f"{option} is {wrong!r}: give"):
            kind(**{option: wrong})


def test_ranges_by_hand():
    ranges.whole(1, 3, k=1)
    ranges.number(0, 1, quota=1)
    with pytest.raises(UsageError, match=r"^k is 4: give a whole number from 1 to 3\.$"):
        ranges.whole(1, 3, k=4)
    with pytest.raises(UsageError, match=r"^quota is 1\.5: give a number from 0 to 1\.$"):
        ranges.number(0, 1, quota=1.5)
    with pytest.raises(UsageError, match=r"^quota is 'x': give a number from 0 to 1\.$"):
        ranges.number(0, 1, quota="x")
