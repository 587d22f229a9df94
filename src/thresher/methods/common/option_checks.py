"""Checks of the options of a method, from the types that its dataclass declares.

A method inherits `Options` and declares one field per option:

    `Literal["path", "body"]`           one of the listed values
    `bool`, `str`                       a value of that type
    `int`, `float`                      a number from 0 to 1,000,000; an int is accepted as a float
    `Annotated[float, Range(0, 1)]`     a number in that range
    `Share`, `Probability`              a float from 0 to 1, with and without the ends
    `tuple[float, ...]`                 any number of numbers from 0 to 1,000,000

Every number has an upper limit, far above useful values, so that no option can exhaust the memory
or overflow.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)

from thresher.errors import UsageError


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `least` to `most`, except the ends listed in `without`."""

    least: float
    most: float = 1_000_000
    without: tuple[float, ...] = ()

    def __contains__(self, value: float) -> bool:
        """Return whether a number is in the range; NaN is not."""
        return self.least <= value <= self.most and value not in self.without

    def __str__(self) -> str:
        """Return the range in words."""
        if not self.without:
            return f"from {self.least} to {self.most:,}"
        low = "above" if self.least in self.without else "at least"
        high = "below" if self.most in self.without else "at most"
        return f"{low} {self.least} and {high} {self.most:,}"


Share: TypeAlias = Annotated[float, Range(0, 1)]
Probability: TypeAlias = Annotated[float, Range(0, 1, without=(0, 1))]


class Options:
    """Base class of a method's dataclass: its options are checked when it is made."""

    __slots__ = ()
    registry_name: ClassVar[str] = ""  # if it is not the name of the class in lower case

    def __post_init__(self) -> None:
        """Raise `UsageError` for the first option that is not as declared."""
        kind: Any = type(self)
        for name, hint in _declared_types(kind).items():
            check_option(f"{name} of {self.method_name()}", getattr(self, name), hint)

    def method_name(self) -> str:
        """Return the name of the method, as errors show it."""
        return self.registry_name or type(self).__name__.lower()


@cache
def _declared_types(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}


def check_option(name: str, value: Any, hint: Any) -> None:
    """Raise `UsageError` when a value is not of the declared type or out of its range."""
    kind, *ranges = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if get_origin(kind) is Literal:
        choices = get_args(kind)
        fits = any(type(value) is type(choice) and value == choice for choice in choices)
        wanted = f"{', '.join(map(repr, choices[:-1]))} or {choices[-1]!r}"
    elif kind in (int, float):
        limits = ranges[0] if ranges else Range(0)
        is_number = isinstance(value, (int, kind)) and not isinstance(value, bool)
        fits = is_number and value in limits
        wanted = f"a {'whole ' if kind is int else ''}number {limits}"
    elif kind == tuple[float, ...]:
        limits = ranges[0] if ranges else Range(0)
        fits = isinstance(value, tuple) and all(_is_number(one) and one in limits for one in value)
        wanted = f"numbers {limits} in parentheses"
    else:
        fits = isinstance(value, kind)
        wanted = "True or False" if kind is bool else "text"
    if not fits:
        raise UsageError(f"{name} is {_short_repr(value)}: give {wanted}.")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _short_repr(value: object) -> str:
    """Return how a value prints, cut to 40 characters."""
    try:
        printed = repr(value)
    except ValueError:  # an int of more than 4,300 digits
        return "too large"
    return printed if len(printed) <= 40 else f"{printed[:40]}..."
