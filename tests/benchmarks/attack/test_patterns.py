"""All regular expressions of the package, and expressions whose growth is known."""

import pkgutil
import re
from functools import cache

import pytest

import thresher
from benchmarks.attack.patterns import BOUNDED, USED, Found, patterns, pump, verdict


@pytest.mark.parametrize(
    ("pattern", "use", "is_slow"),
    [
        (r"\s+x", "scan", True),
        (r"\s+x", "match", False),
        (r"(?<!\s)\s++x", "scan", False),
        (r"\s*,?\s*x", "match", True),
        (r"(?:a|a)*b", "match", True),
        (r"(?:a*)*b", "fullmatch", True),
        (r"no(?!.*;no)", "scan", True),
        (r"<!--.*?-->", "scan", True),
        (r"<[^<>]*>", "scan", False),
        (rb"<meta\s[^>]*charset=", "scan", True),
        (r"[a-z]+", "scan", False),
        (r"a{0,30}b", "scan", False),
    ],
)
def test_known_patterns(pattern, use, is_slow):
    found = list(pump(Found("known", re.compile(pattern), frozenset({use}))))
    assert bool(found) == is_slow
    assert all(finding.exponent > 1.3 for finding in found)


def test_the_patterns_of_the_package_are_found():
    found = {one.name: one for one in patterns()}
    assert len(found) > 150
    assert found["thresher.page.parse._DECLARED"].uses == {"scan"}
    assert found["thresher.page.addresses._BEGIN"].uses == {"match"}
    assert {*BOUNDED, *USED} <= found.keys()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", sorted(one.name for one in pkgutil.iter_modules(thresher.__path__))
)
def test_all_take_linear_time(name):
    found = [one for at, one in known_patterns().items() if at.startswith(f"thresher.{name}.")]
    assert [*filter(None, map(verdict, found))] == []


@pytest.mark.parametrize(
    "name",
    [
        "thresher.metadata.licence.TERMS",
        "thresher.page.decode.NOT_META",
        "thresher.page.unclosed.START_TAG",
        "thresher.page.unpack.LOCATION",
        "thresher.render.markdown.lines.SPACES",
        "thresher.render.maths.COMMENT",
    ],
)
def test_patterns_that_took_quadratic_time(name):
    assert verdict(known_patterns()[name]) == ""


@cache
def known_patterns():
    return {one.name.replace("._", "."): one for one in patterns()}  # modules may be compiled
