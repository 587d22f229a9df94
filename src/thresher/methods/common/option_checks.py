"""Checks of options that are numbers: of the right kind, and from a least to a most.

What is out of range is refused in a sentence that says what to give. Every number of a method has
a most, far beyond what is of use: so that none asks for more memory than there is, or overflows.
"""

from __future__ import annotations

from thresher.errors import UsageError

MOST = 1_000_000  # for numbers that need no lower one


def whole(least: int, most: int = MOST, /, **options: object) -> None:
    """Refuse an option that is no whole number from `least` to `most`."""
    for name, value in options.items():
        if type(value) is not int or not least <= value <= most:
            raise _refused(name, value, f"a whole number from {least} to {most:,}")


def number(least: float, most: float = MOST, /, **options: object) -> None:
    """Refuse an option that is no number from `least` to `most`."""
    for name, value in options.items():
        if type(value) not in (int, float) or not least <= value <= most:  # type: ignore[operator]
            raise _refused(name, value, f"a number from {least} to {most:,}")


def _refused(name: str, value: object, wanted: str) -> UsageError:
    try:
        shown = repr(value)
    except ValueError:  # a whole number of thousands of digits
        shown = "too large"
    short = shown if len(shown) <= 40 else f"{shown[:40]}..."
    return UsageError(f"{name} is {short}: give {wanted}.")
