"""Words of class names and ids: `post-body`, `postBody` and `post_body` are post and body.

A word has three small letters or more, of which the first may be a capital, or is a run of three
capitals or more. `tokens_of` reads one name, `Words` all names of a page at once: a page has
hundreds. There a word is not cut out, but has a number: the sum over its letters c(0), c(1), ... of
    c(i) * r ** i    modulo 2 ** 64, with an odd r
so equal words have equal numbers, and different ones nearly always differ. With the running sum S
of c(i) * r ** i over the whole text, the word from a to b has the number (S(b) - S(a)) / r ** a: as
r is odd, it has an inverse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from thresher.page.array_types import Rows, UInt8s, UInt64s

_WORD = re.compile(r"[A-Za-z][a-z]{2,}|[A-Z]{3,}")
_LEAST = 3  # letters of a word
_MOST = 16  # words of one name that are read
_LONGEST = 400  # characters of one name that are read


def tokens_of(name: str, prefix: str = "") -> tuple[str, ...]:
    """Return the words of a class or id, each once, in order."""
    found = dict.fromkeys(map(str.lower, _WORD.findall(name, 0, _LONGEST)))
    return tuple(prefix + word for word in list(found)[:_MOST])


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of many names, those that `tokens_of` finds, in order; some may stand twice."""

    number: UInt64s
    name: Rows  # which of the names it is of

    @classmethod
    def of(cls, text: str) -> Words:
        """Find the words of names that stand in one text, parted by NUL."""
        code = np.frombuffer(b"\0\0\0%b\0\0" % text.encode("ascii", "replace"), np.uint8)
        start, end = _bounds(code)
        begins = (code[:-2] == 0).nonzero()[0][2:] + 1  # of each name
        name = begins.searchsorted(start, side="right") - 1
        end = np.minimum(end, begins.take(name) + _LONGEST)
        read = (end - start >= _LEAST).nonzero()[0]
        name = name.take(read)
        number = _numbers(code, start.take(read), end.take(read))
        is_long = np.bincount(name) > _MOST
        if is_long.any():
            chosen = is_long.take(name)
            places = chosen.nonzero()[0]
            np.logical_not(chosen, out=chosen)
            chosen[places.take(_first(name.take(places), number.take(places)))] = True
            name, number = name[chosen], number[chosen]
        return cls(number, name)


def _bounds(code: UInt8s) -> tuple[Rows, Rows]:
    """Return where each run of letters of one word begins and ends; `code` ends in no letter.

    It begins with three that are none. Where no other character parts two words, their case does: a
    word ends before a capital; three capitals or more are a word, of two the second may begin one.
    """
    capital = code - np.uint8(ord("A")) < 26  # unsigned: what comes before it is large
    small = code - np.uint8(ord("a")) < 26
    letter = small | capital
    begins = letter[1:] > letter[:-1]  # of the second place on
    ends = letter[1:] < letter[:-1]
    if capital.any():
        own, before, second, third = capital[3:-1], capital[2:-2], capital[1:-3], capital[:-4]
        cut = own & small[2:-2]
        cut |= own & before & ~second & small[4:]
        cut |= small[3:-1] & before & second & third
        begins[2:-1] |= cut
        ends[2:-1] |= cut
    return begins.nonzero()[0] + 1, ends.nonzero()[0] + 1


_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_OF_NAME = np.uint64(0xC2B2AE3D27D4EB4F)  # another odd number, not to meet those of words
_PART = 2**14  # characters at once: most pages have fewer in their names
_BOTH = np.array([[_FACTOR], [pow(int(_FACTOR), -1, 2**64)]], np.uint64)
_POWERS, _INVERSE = np.multiply.accumulate(_BOTH.repeat(_PART + _LONGEST + 1, axis=1), axis=1)


def _numbers(code: UInt8s, start: Rows, end: Rows) -> UInt64s:
    """Return the numbers of the words at some places of a text, in order, none at its start."""
    parts = [np.empty(0, np.uint64)]
    for begin in range(0, len(code), _PART):
        first, last = start.searchsorted((begin + 1, begin + 1 + _PART))
        letters = code[begin : begin + len(_POWERS)] | _SMALL
        total = (letters * _POWERS[: len(letters)]).cumsum()
        at = start[first:last] - begin
        summed = total.take(end[first:last] - begin - 1) - total.take(at - 1)
        parts.append(summed * _INVERSE.take(at))
    return np.concatenate(parts)


_SMALL = np.uint8(ord("a") - ord("A"))  # the bit that a small letter has and its capital has not


def numbers_of(words: Sequence[str]) -> UInt64s:
    """Return the numbers of whole words."""
    code = np.frombuffer("\0".join(["", *words]).encode("ascii", "replace"), np.uint8)
    length = np.fromiter(map(len, words), np.intp, len(words))
    end = (length + 1).cumsum()
    start = end - length
    return _numbers(code, start, np.minimum(end, start + _LONGEST))


def _first(name: Rows, number: UInt64s) -> Rows:
    """Return the places of the words, the first ones of each name, as many as are read."""
    places = each_once(number + name.astype(np.uint64) * _OF_NAME)
    held = np.bincount(name.take(places))
    rank = np.arange(len(places)) - (held.cumsum() - held).take(name.take(places))
    return places[rank < _MOST]


def each_once(keys: Rows | UInt64s) -> Rows:
    """Return the first place of each key, in order."""
    order = keys.argsort(kind="stable")
    ordered = keys.take(order)
    is_new = np.ones(len(keys), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    first = order[is_new]
    first.sort()
    return first
