"""Methods combined into one, and methods as text (CombinE: Gottron 2008, 2009; thesis 3.4.2).

    series(a, b)                b gets only the text that a keeps
    union(a, b)                 text that any of them keeps
    intersection(a, b)          text that all of them keep
    vote(a, b, c, at_least=2)   text that at least so many of them keep; default: more than half

A combination is a method like any other: it nests, compares, hashes and pickles, and it prints as
the expression that makes it. Its parts are methods, or their names or expressions. `read` makes a
method from an expression (grammar: `thresher.methods.expressions`), `write` does the reverse.

Departures: the thesis's content fragments are text rows here. In a series, the next part gets a
page of the kept text and its ancestors with a newly written source (`Page.only`), or the same page
while everything is kept. Such a page includes the white space beside kept text; the series keeps
that white space only if every part does.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
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
    """Base class: several methods as one."""

    parts: tuple[Method, ...]

    def __post_init__(self) -> None:
        """Check that there are methods, and no more than an expression may have."""
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
        """Return the expression that makes this combination."""
        return write(self)

    def __call__(self, page: Page) -> Selection:
        """Return the text to keep."""
        raise NotImplementedError


class Series(Combination):
    """Run each method on the text that the ones before it kept."""

    __slots__ = ()

    def __call__(self, page: Page) -> Selection:
        """Return the text that is left after the last method."""
        narrowed, kept = page, page.all()
        for index, method in enumerate(self.parts):
            selection = run(method, narrowed)
            kept = kept & _lift_to(page, selection)
            if index + 1 < len(self.parts) and not selection.keep.all():
                narrowed = narrowed.only(selection)
        return kept


class Union(Combination):
    """Keep the text that any of the methods keeps."""

    __slots__ = ()

    def __call__(self, page: Page) -> Selection:
        """Return the union of the selections."""
        return reduce(or_, (run(method, page) for method in self.parts))


class Intersection(Combination):
    """Keep the text that all of the methods keep."""

    __slots__ = ()

    def __call__(self, page: Page) -> Selection:
        """Return the intersection of the selections."""
        return reduce(and_, (run(method, page) for method in self.parts))


@dataclass(frozen=True, slots=True, repr=False)
class Vote(Combination):
    """Keep the text that at least `at_least` of the methods keep."""

    at_least: int

    def __post_init__(self) -> None:
        """Check the methods, and `at_least` against their number."""
        Combination.__post_init__(self)
        most = len(self.parts)
        if type(self.at_least) is not int or not 1 <= self.at_least <= most:
            raise UsageError(
                f"at_least of vote is {self.at_least!r}: give a whole number from 1 to {most}."
            )

    def __call__(self, page: Page) -> Selection:
        """Return the text rows with enough votes; ASCII is printed if enough methods print it."""
        selections = [run(method, page) for method in self.parts]
        votes = np.sum([selection.keep for selection in selections], axis=0)
        votes_for_ascii = sum(selection.characters == "all" for selection in selections)
        characters: Characters = "all" if votes_for_ascii >= self.at_least else "non-ascii"
        return Selection(page, votes >= self.at_least, characters)


def series(*parts: Part) -> Series:
    """Run each method on the text that the ones before it kept."""
    return Series(tuple(map(to_method, parts)))


def union(*parts: Part) -> Union:
    """Keep the text that any of the methods keeps."""
    return Union(tuple(map(to_method, parts)))


def intersection(*parts: Part) -> Intersection:
    """Keep the text that all of the methods keep."""
    return Intersection(tuple(map(to_method, parts)))


def vote(*parts: Part, at_least: int | None = None) -> Vote:
    """Keep the text that at_least=k of the methods keep; default: more than half of them."""
    return Vote(tuple(map(to_method, parts)), len(parts) // 2 + 1 if at_least is None else at_least)


COMBINATIONS: dict[str, Callable[..., Combination]] = {
    "intersection": intersection,
    "series": series,
    "union": union,
    "vote": vote,
}


def _name(combination: Combination) -> str:
    return type(combination).__name__.lower()


def _size(method: Method) -> tuple[int, int]:
    """Return the depth of nested combinations and the number of methods in them."""
    if not isinstance(method, Combination):
        return 1, 1
    depths, parts = zip(*map(_size, method.parts), strict=True)
    return 1 + max(depths), sum(parts)


# --- running -------------------------------------------------------------------------------------


def run(method: Method, page: Page) -> Selection:
    """Run a method, which may be the user's own, and return its selection of this page."""
    return _lift_to(page, method(page))


def _lift_to(page: Page, selection: Any) -> Selection:
    """Return the selection of a part of a page as a selection of the page."""
    while isinstance(selection, Selection) and selection.page is not page:
        if selection.page.base is None:
            break
        selection = selection.lift()
    if not isinstance(selection, Selection) or selection.page is not page:
        raise UsageError("the method did not return a Selection of the page that it was given.")
    return selection


# --- methods as text -----------------------------------------------------------------------------


def to_method(part: Part) -> Method:
    """Return a method unchanged, or the method of a name or expression."""
    if isinstance(part, str):
        return read(part)
    if not _is_method(part):
        raise UsageError("method must be a name such as 'cetd', or a callable on a page.")
    return part


def _is_method(part: object) -> bool:
    return callable(part) and not isinstance(part, type)


def read(expression: str) -> Method:
    """Return the method that an expression such as `series(lqf(quota=0.5), cetd)` describes."""
    return _method_of(parse_call(expression))


def _method_of(call: Call) -> Method:
    """Return the method of a call; the depth of nested calls is limited by the grammar."""
    combine = COMBINATIONS.get(call.name)
    if combine is not None:
        for option in call.options:
            if combine is not vote or option != "at_least":
                has = "at_least" if combine is vote else "none"
                raise UsageError(f"{call.name} has no option {option!r}: it has {has}.")
        return combine(*map(_method_of, call.parts), **call.options)
    if call.name not in registry.names():
        raise registry.unknown_method(call.name, [*registry.names(), *COMBINATIONS])
    single = registry.get(call.name, **call.options)
    if call.parts:
        raise UsageError(
            f"method {call.name} takes no other methods: combine them, as in "
            f"series({call.name}, {call.parts[0].name})."
        )
    return single


def write(method: Method) -> str:
    """Return the expression that makes a method, with the options that differ from the defaults.

    For a callable that is not in the registry, return its `repr`.
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


_MOST_BYTES = 100_000  # of a method file
_EXAMPLE = 'method = "union(bte, cetd)"'


def load(path: str | os.PathLike[str]) -> Method:
    """Return the method of a TOML file with one line, `method = "EXPRESSION"`."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"cannot read {path}: {reason}; give a method file.") from error
    if len(data) > _MOST_BYTES:
        raise InputError(f"{path} has more than {_MOST_BYTES:,} bytes: give a method file.")
    try:
        import tomllib

        settings = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:  # not UTF-8, or not TOML
        raise InputError(f"{path} is not TOML: write one line, {_EXAMPLE}.") from error
    if not isinstance(settings.get("method", ""), str):
        raise InputError(f"{path} sets method to no text: put it in quotes, as in {_EXAMPLE}.")
    if set(settings) != {"method"}:
        names = ", ".join(map(ascii, [*settings][:5])) or "nothing"
        raise InputError(f"{path} sets {names[:100]}: let it set only method, as in {_EXAMPLE}.")
    try:
        return read(settings["method"])
    except UsageError as error:
        raise UsageError(f"in {path}, {error}") from error
