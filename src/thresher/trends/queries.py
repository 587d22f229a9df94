"""Queries: named lists of keywords, read from TOML.

    [queries]
    floods = ["flood", "river", "high water", "flood"]   # "flood" weighs 2
    heat = { heat = 1, "heat wave" = 2.5 }               # the weights are given

`thesis_queries` returns the four of the thesis (Table 6.3).
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

from thresher.errors import InputError, UsageError

Keywords: TypeAlias = Sequence[str] | Mapping[str, float]  # of a query; a mapping has weights


@dataclass(frozen=True, slots=True)
class Query:
    """A name and its keywords, each with a weight.

    `keywords` are distinct, in the order in which they first appear; `weights` has one number for
    each, 1 unless given. Weights of a keyword that is given several times are added: one that is
    given twice weighs 2.

    >>> Query("rivers", ("flood", "river", "flood"))
    Query(name='rivers', keywords=('flood', 'river'), weights=(2.0, 1.0))
    """

    name: str
    keywords: tuple[str, ...]
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        name: Any = self.name
        if not isinstance(name, str) or not name.strip():
            raise UsageError("a query needs a name: give a text such as 'floods'.")
        keywords: Any = self.keywords
        if isinstance(keywords, str):
            raise UsageError(f"the keywords of a query are a list: give [{keywords!r}].")
        for values in (keywords, self.weights):
            if not isinstance(values, Iterable):
                raise UsageError(f"{values!r} in the query {name!r} is not a list: give one.")
        given = [self._keyword(keyword) for keyword in keywords]
        if not given:
            raise UsageError(f"the query {self.name!r} has no keywords: give at least one.")
        weights = tuple(self.weights) or (1,) * len(given)
        if len(weights) != len(given):
            raise UsageError(
                f"the query {self.name!r} has {len(given)} keywords and {len(weights)} weights: "
                "give one weight for each keyword."
            )
        total: dict[str, float] = {}
        for keyword, weight in zip(given, weights, strict=True):
            total[keyword] = total.get(keyword, 0.0) + self._weight(keyword, weight)
        object.__setattr__(self, "keywords", tuple(total))
        object.__setattr__(self, "weights", tuple(total.values()))

    def _keyword(self, keyword: Any) -> str:
        """Return a keyword with single spaces between its words."""
        text = " ".join(keyword.split()) if isinstance(keyword, str) else ""
        if not text:
            raise UsageError(f"the keyword {keyword!r} of {self.name!r} is no text: give one.")
        return text

    def _weight(self, keyword: str, weight: Any) -> float:
        is_number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not is_number or not math.isfinite(weight) or weight <= 0:
            raise UsageError(
                f"the weight {weight!r} of {keyword!r} in {self.name!r} cannot be used: give a "
                "number above 0."
            )
        return float(weight)


def read_queries(path: str | Path) -> tuple[Query, ...]:
    """Read the queries of a TOML file, in the order in which they are written.

    Each entry of its table `[queries]` is a list of keywords, or a table of keywords and weights.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8: save it as UTF-8.") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"cannot read {path}: {reason}.") from error
    return _queries(text, str(path))


def thesis_queries() -> tuple[Query, ...]:
    """Return the four queries of the thesis (Table 6.3), with single words as keywords."""
    text = files("thresher.trends").joinpath("thesis.toml").read_text(encoding="utf-8")
    return _queries(text, "thesis.toml")


def to_queries(given: Iterable[Query] | Mapping[str, Keywords]) -> tuple[Query, ...]:
    """Return queries, or a mapping of names to keywords, as queries.

    >>> to_queries({"rivers": ["flood", "river"], "heat": {"heat wave": 2.5}})[1]
    Query(name='heat', keywords=('heat wave',), weights=(2.5,))
    """
    values: Any = given
    if isinstance(values, Mapping):
        return tuple(_query(name, keywords) for name, keywords in values.items())
    is_one = isinstance(values, str) or not isinstance(values, Iterable)
    values = (values,) if is_one else tuple(values)
    for value in values:
        if not isinstance(value, Query):
            raise UsageError(
                f"{value!r:.60} is no query: give names and keywords, as in "
                '{"floods": ["flood", "high water"]}, or read_queries(path).'
            )
    queries: tuple[Query, ...] = values
    return queries


def _queries(text: str, name: str) -> tuple[Query, ...]:
    try:
        table = tomllib.loads(text).get("queries")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{name} is not TOML: {_one_line(error)}.") from error
    if not isinstance(table, dict) or not table:
        raise InputError(
            f'{name} has no queries: write them below [queries], as in floods = ["flood", "river"].'
        )
    try:
        return tuple(_query(key, value) for key, value in table.items())
    except UsageError as error:
        raise InputError(f"{name}: {error}") from error


def _query(name: str, keywords: Any) -> Query:
    if isinstance(keywords, Mapping):
        return Query(name, tuple(keywords), tuple(keywords.values()))
    if isinstance(keywords, list | tuple):
        return Query(name, tuple(keywords))
    raise UsageError(
        f'the keywords of {name!r} are not a list: write {name} = ["one keyword", "another"].'
    )


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or "it is nested too deeply"
