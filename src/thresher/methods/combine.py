"""Methods combined into one, and methods as text (CombinE: Gottron 2008, 2009; thesis 3.4.2).

    series(a, b)                b sees only what a kept
    union(a, b)                 what any of them keeps
    intersection(a, b)          what all of them keep
    vote(a, b, c, at_least=2)   what so many of them keep; more than half unless given

A combination is a method like any other: it nests, compares, hashes and pickles, and it prints as
the expression that makes it. Its parts are methods, or their names or expressions. `read` makes a
method from an expression (its grammar is that of `thresher.methods.expressions`), `write` does the reverse.

Departures: what the thesis calls a content fragment is a text row. In a series, the next part gets
a page of the kept text and its ancestors, whose source is written anew (`Page.only`), or the page
itself while everything is kept. Such a page has the white space beside kept text; the series keeps
it only where every part does.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import reduce
from operator import and_, or_
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from thresher.errors import InputError, UsageError
from thresher.methods import registry
from thresher.methods.expressions import DEEPEST, Call, parse_call
from thresher.page import Characters, Method, Page, Selection

MOST_PARTS = 64  # methods in one combination, those of nested ones included

Part: TypeAlias = Method | str  # a method, its name or its expression


@dataclass(frozen=True, slots=True, repr=False)
class Combination:
    """Several methods as one."""

    parts: tuple[Method, ...]

    def __post_init__(self) -> None:
        """Check that there is something to combine, and no more than can be read back."""
        name = _name(self)
        if type(self.parts) is not tuple or not all(map(_is_method, self.parts)):
            raise UsageError(
                f"{type(self).__name__} takes a tuple of methods: make it from names and "
                f"expressions with {name}('bte', 'cetd')."
            )
        if not self.parts:
            raise UsageError(f"{name} has no methods: give it some, as in {name}(bte, cetd).")
        depth, parts = _size(self)
        if depth > DEEPEST:
            raise UsageError(f"{name} is nested {depth} levels deep: use at most {DEEPEST}.")
        if parts > MOST_PARTS:
            raise UsageError(f"{name} has {parts:,} methods: use at most {MOST_PARTS}.")

    def __repr__(self) -> str:
        """Return the expression that makes it."""
        return write(self)

    def __call__(self, page: Page) -> Selection:
        """Choose the text to keep."""
        raise NotImplementedError


class Series(Combination):
    """Run each method on what the ones before it kept."""

    __slots__ = ()

    def __call__(self, page: Page) -> Selection:
        """Narrow the page method by method."""
        part, kept = page, page.all()
        for index, method in enumerate(self.parts):
            found = run(method, part)
            kept = kept & _lifted(found, page)
            if index + 1 < len(self.parts) and not found.keep.all():
                part = part.only(found)
        return kept


class Union(Combination):
    """Keep what any of the methods keeps."""

    __slots__ = ()

    def __call__(self, page: Page) -> Selection:
        """Run all on the same page."""
        return reduce(or_, (run(method, page) for method in self.parts))


class Intersection(Combination):
    """Keep what all of the methods keep."""

    __slots__ = ()

    def __call__(self, page: Page) -> Selection:
        """Run all on the same page."""
        return reduce(and_, (run(method, page) for method in self.parts))


@dataclass(frozen=True, slots=True, repr=False)
class Vote(Combination):
    """Keep what at least so many of the methods keep."""

    at_least: int

    def __post_init__(self) -> None:
        """Check the number too."""
        Combination.__post_init__(self)
        most = len(self.parts)
        if type(self.at_least) is not int or not 1 <= self.at_least <= most:
            raise UsageError(
                f"at_least of vote is {self.at_least!r}: give a whole number from 1 to {most}."
            )

    def __call__(self, page: Page) -> Selection:
        """Count the methods that keep each text row."""
        votes = np.zeros(len(page.text_rows), np.uint8)
        prints_all = 0
        for method in self.parts:
            found = run(method, page)
            votes += found.keep
            prints_all += found.characters == "all"
        characters: Characters = "all" if prints_all >= self.at_least else "non-ascii"
        return Selection(page, votes >= self.at_least, characters)


def series(*parts: Part) -> Series:
    """Run each method on what the ones before it kept."""
    return Series(tuple(map(made, parts)))


def union(*parts: Part) -> Union:
    """Keep what any of the methods keeps."""
    return Union(tuple(map(made, parts)))


def intersection(*parts: Part) -> Intersection:
    """Keep what all of the methods keep."""
    return Intersection(tuple(map(made, parts)))


def vote(*parts: Part, at_least: int | None = None) -> Vote:
    """Keep what at_least=k of the methods keep; more than half of them unless given."""
    return Vote(tuple(map(made, parts)), len(parts) // 2 + 1 if at_least is None else at_least)


COMBINATIONS: dict[str, Callable[..., Combination]] = {
    "intersection": intersection,
    "series": series,
    "union": union,
    "vote": vote,
}


def _name(combination: Combination) -> str:
    return type(combination).__name__.lower()


def _size(method: Method) -> tuple[int, int]:
    """Return how deep combinations are nested, and how many methods they hold."""
    if not isinstance(method, Combination):
        return 1, 1
    depths, parts = zip(*map(_size, method.parts), strict=True)
    return 1 + max(depths), sum(parts)


# --- running -------------------------------------------------------------------------------------


def run(method: Method, page: Page) -> Selection:
    """Run a method, which may be the user's own, and return its selection of this page."""
    found: Any = method(page)
    if not isinstance(found, Selection):
        raise UsageError("the method did not return a Selection of the page that it was given.")
    return _lifted(found, page)


def _lifted(found: Selection, page: Page) -> Selection:
    """Bring the selection of a part back to its page."""
    while found.page is not page and found.page.base is not None:
        found = found.lift()
    if found.page is not page:
        raise UsageError("the method did not return a Selection of the page that it was given.")
    return found


# --- methods as text -----------------------------------------------------------------------------


def made(part: Part) -> Method:
    """Return a method as it is, or make it from its expression."""
    if isinstance(part, str):
        return read(part)
    if not _is_method(part):
        raise UsageError("method must be a name such as 'cetd', or a callable on a page.")
    return part


def _is_method(part: object) -> bool:
    return callable(part) and not isinstance(part, type)


def read(expression: str) -> Method:
    """Make the method that an expression such as `series(lqf(quota=0.5), cetd)` describes."""
    return _make(parse_call(expression))


def _make(call: Call) -> Method:
    """Make the method of a call; the grammar has bounded how deep they are nested."""
    combine = COMBINATIONS.get(call.name)
    if combine is not None:
        for option in call.options:
            if combine is not vote or option != "at_least":
                has = "at_least" if combine is vote else "none"
                raise UsageError(f"{call.name} has no option {option!r}: it has {has}.")
        return combine(*map(_make, call.parts), **call.options)
    if call.name not in registry.names():
        near = get_close_matches(call.name, [*registry.names(), *COMBINATIONS], 1)
        if near and near[0] in COMBINATIONS:
            raise UsageError(f"no method {call.name!r}: did you mean {near[0]}?")
    single = registry.get(call.name, **call.options)
    if call.parts:
        raise UsageError(
            f"method {call.name} takes no other methods: combine them, as in "
            f"series({call.name}, {call.parts[0].name})."
        )
    return single


def write(method: Method) -> str:
    """Return the expression that makes a method, with the options that differ from the defaults.

    A method of one's own, which no expression makes, is written as it prints.
    """
    if isinstance(method, Combination):
        inner = [write(part) for part in method.parts]
        if isinstance(method, Vote):
            inner.append(f"at_least={method.at_least}")
        return f"{_name(method)}({', '.join(inner)})"
    name = registry.name_of(method)
    if name is None:
        return repr(method)
    given = [
        f"{option}={float(value) if isinstance(default, float) else value!r}"
        for option, default in registry.options(name).items()
        if (value := getattr(method, option)) != default
    ]
    return f"{name}({', '.join(given)})" if given else name


_LARGEST = 100_000  # bytes of a method file


def load(path: str | os.PathLike[str]) -> Method:
    """Read a method from a TOML file that says `method = "EXPRESSION"`."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"cannot read {path}: {reason}; give a method file.") from error
    if len(data) > _LARGEST:
        raise InputError(f"{path} has more than {_LARGEST:,} bytes: give a method file.")
    try:
        given = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:  # not UTF-8, or not TOML
        raise InputError(f"{path} is not TOML: write one line, {_LINE}.") from error
    if not isinstance(given.get("method", ""), str):
        raise InputError(f"{path} sets method to what is no text: put it in quotes, as in {_LINE}.")
    if set(given) != {"method"}:
        found = ", ".join(map(ascii, [*given][:5])) or "nothing"
        raise InputError(f"{path} sets {found[:100]}: let it set method alone, as in {_LINE}.")
    try:
        return read(given["method"])
    except UsageError as error:
        raise UsageError(f"in {path}, {error}") from error


_LINE = 'method = "union(bte, cetd)"'
