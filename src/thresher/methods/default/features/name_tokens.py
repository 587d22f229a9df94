"""The words of class names and ids: `post-body`, `postBody` and `post_body` are post and body.

A word is three lower-case letters or more, of which the first may be a capital, or a run of three
capitals or more. `tokens_of` splits one name. `NameWords` splits all names of a page at once, since
a page has hundreds; there a word is represented by a hash, the sum over its letters c(0), c(1), ...
    c(i) * r ** i    modulo 2 ** 64, with an odd r
Equal words have equal hashes, and different words nearly always differ. With S the running sum of
c(i) * r ** i over the whole text, the hash of the word from a to b is (S(b) - S(a)) / r ** a; the
division is a multiplication by the inverse of r ** a, which exists because r is odd.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from thresher.page.array_types import Rows, UInt8s, UInt64s
from thresher.page.lazy import lazy_pattern

_WORD = lazy_pattern(r"[A-Za-z][a-z]{2,}|[A-Z]{3,}")
_LEAST_LETTERS = 3  # of a word
MOST_WORDS = 16  # of one name that are read
MOST_CHARS = 400  # of one name that are read


def tokens_of(name: str, prefix: str = "") -> tuple[str, ...]:
    """Return the distinct words of a class or id in order, in lower case, each with a prefix."""
    words = dict.fromkeys(map(str.lower, _WORD.findall(name, 0, MOST_CHARS)))
    return tuple(prefix + word for word in list(words)[:MOST_WORDS])


class NameWords(NamedTuple):
    """The words of many names in order, as `tokens_of` finds them; a word may occur twice."""

    hash: UInt64s
    name: Rows  # number of the name that the word is in

    @classmethod
    def of(cls, text: str) -> NameWords:
        """Find the words of names that are joined to one text with NUL between them."""
        code = np.frombuffer(b"\0\0\0%b\0\0" % text.encode("ascii", "replace"), np.uint8)
        start, end = _word_bounds(code)
        name_start = (code[:-2] == 0).nonzero()[0][2:] + 1
        name = name_start.searchsorted(start, side="right") - 1
        end = np.minimum(end, name_start.take(name) + MOST_CHARS)
        is_word = (end - start >= _LEAST_LETTERS).nonzero()[0]
        name = name.take(is_word)
        hashes = _hashes(code, start.take(is_word), end.take(is_word))
        has_many = np.bincount(name) > MOST_WORDS
        if has_many.any():
            chosen = has_many.take(name)
            places = chosen.nonzero()[0]
            np.logical_not(chosen, out=chosen)
            chosen[places.take(_first_words(name.take(places), hashes.take(places)))] = True
            name, hashes = name[chosen], hashes[chosen]
        return cls(hashes, name)


def _word_bounds(code: UInt8s) -> tuple[Rows, Rows]:
    """Return where each run of letters of one word begins and ends.

    `code` must begin with three characters and end with two that are not letters. Words without
    another character between them are split by case: a word ends before a capital; three capitals
    or more are a word; of two capitals, the second may begin a word.
    """
    capital = code - np.uint8(ord("A")) < 26  # unsigned: smaller codes wrap around to large ones
    small = code - np.uint8(ord("a")) < 26
    letter = small | capital
    begins = letter[1:] > letter[:-1]  # from the second character on
    ends = letter[1:] < letter[:-1]
    if capital.any():
        own, before, second, third = capital[3:-1], capital[2:-2], capital[1:-3], capital[:-4]
        cut = own & small[2:-2]
        cut |= own & before & ~second & small[4:]
        cut |= small[3:-1] & before & second & third
        begins[2:-1] |= cut
        ends[2:-1] |= cut
    return begins.nonzero()[0] + 1, ends.nonzero()[0] + 1


FACTOR = np.uint64(0x9E3779B97F4A7C15)  # r
_NAME_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)  # another odd number, to tell names apart
_PART = 2**14  # characters hashed at once: most pages have fewer in their names
_BOTH = np.array([[FACTOR], [pow(int(FACTOR), -1, 2**64)]], np.uint64)
_POWERS, _INVERSES = np.multiply.accumulate(_BOTH.repeat(_PART + MOST_CHARS + 1, axis=1), axis=1)
_LOWER_CASE_BIT = np.uint8(ord("a") - ord("A"))


def _hashes(code: UInt8s, start: Rows, end: Rows) -> UInt64s:
    """Return the hashes of the words of a text; none may begin at its first character."""
    parts = [np.empty(0, np.uint64)]
    for begin in range(0, len(code), _PART):
        first, last = start.searchsorted((begin + 1, begin + 1 + _PART))
        letters = code[begin : begin + len(_POWERS)] | _LOWER_CASE_BIT
        total = (letters * _POWERS[: len(letters)]).cumsum()
        at = start[first:last] - begin
        summed = total.take(end[first:last] - begin - 1) - total.take(at - 1)
        parts.append(summed * _INVERSES.take(at))
    return np.concatenate(parts)


def hash_words(words: Sequence[str]) -> UInt64s:
    """Return the hashes of whole words."""
    code = np.frombuffer("\0".join(["", *words]).encode("ascii", "replace"), np.uint8)
    length = np.fromiter(map(len, words), np.intp, len(words))
    end = (length + 1).cumsum()
    start = end - length
    return _hashes(code, start, np.minimum(end, start + MOST_CHARS))


def _first_words(name: Rows, hashes: UInt64s) -> Rows:
    """Return the places of the first distinct words of each name, at most `MOST_WORDS`."""
    places = first_places(hashes + name.astype(np.uint64) * _NAME_FACTOR)
    held = np.bincount(name.take(places))
    rank = np.arange(len(places)) - (held.cumsum() - held).take(name.take(places))
    return places[rank < MOST_WORDS]


def first_places(keys: Rows | UInt64s) -> Rows:
    """Return the first place of each distinct key, in order of place."""
    order = keys.argsort(kind="stable")
    ordered = keys.take(order)
    is_first = np.ones(len(keys), np.bool_)
    is_first[order[1:]] = ordered[1:] != ordered[:-1]
    return is_first.nonzero()[0]
