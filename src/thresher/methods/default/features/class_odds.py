"""Names: what the classes and ids around a block say, through one table of tokens.

A name is cut into words (`post-body`, `postBody` and `post_body` are post and body), and each word
has in the table the log-odds that text under it is content, and the log-odds of each page kind.
They were counted over sites, so no language is in them but that of class names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from thresher.methods.default.features.containers import Frame
from thresher.methods.default.features.name_tokens import Words, each_once, numbers_of
from thresher.page.array_types import Bools, Float32s, Floats, Rows, UInt64s
from thresher.page.attributes import attribute, distinct

NAME_FEATURES = (
    ("names_min", "least log-odds of a class name around it"),
    ("names_max", "largest log-odds of a class name around it"),
    ("names_decayed", "least log-odds of a class name around it, less the further out"),
    ("names_mean", "mean log-odds of the class names around it"),
    ("names_sum", "sum of the log-odds of the class names around it"),
    ("names_count", "containers around it with a known class name"),
    ("names_nearest", "log-odds of the nearest known class name around it"),
    ("names_0", "mean of the block's own container, 0 without a known name"),
    ("names_1", "mean one container further out"),
    ("names_2", "mean two containers further out"),
    ("names_3", "mean three containers further out"),
)

Pair: TypeAlias = tuple[str | None, str | None]  # class and id

_DECAY = 0.85


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """The distinct pairs of class and id on a page, and which of them each container has."""

    pairs: list[Pair]
    of_container: Rows
    text: str  # all classes and ids in turn, parted by NUL, which HTML does not have

    def where(self, words: Iterable[str]) -> Bools:
        """Tell which pairs have one of some words in them, given in small letters."""
        found = np.zeros(len(self.pairs), np.bool_)
        text = self.text.lower()
        said = [word for word in words if word in text]
        if said:
            places = [match.start() for match in re.finditer("|".join(said), text)]
            ends = np.cumsum([len(name) + 1 for name in text.split("\0")])
            found[ends.searchsorted(places, side="right") >> 1] = True
        return found


@dataclass(frozen=True, slots=True, eq=False)
class NameTable:
    """The tokens with what is known of them."""

    number: dict[str, int]
    odds: Float32s
    kinds: Float32s  # (tokens, page kinds)
    words: UInt64s  # of all tokens, in order, each once, as `thresher.methods.default.features.name_tokens` numbers them
    of_word: Rows  # the token of each as a class, then of each as an id: -1 for none

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return the table as arrays by name, to be kept in a file."""
        return {
            "tokens": np.frombuffer("\n".join(self.number).encode(), np.uint8),
            "token_odds": self.odds.astype(np.float16),
            "token_kinds": self.kinds.astype(np.float16),
        }

    @classmethod
    def of(cls, tokens: Sequence[str], odds: Floats, kinds: Floats) -> NameTable:
        """Make a table of tokens in order."""
        number = {token: index for index, token in enumerate(tokens)}
        is_id = np.fromiter((token[:1] == "#" for token in number), np.intp, len(number))
        numbers = numbers_of([token.removeprefix("#") for token in number])
        words, place = np.unique(numbers, return_inverse=True)
        of_word = np.full(2 * len(words) + 1, -1, np.intp)
        of_word[place + is_id * len(words)] = list(number.values())
        column, table = np.asarray(odds, np.float32), np.asarray(kinds, np.float32)
        return cls(number, column, table, words, of_word)

    def look_up(self, names: Named) -> tuple[Rows, Rows]:
        """Return the known tokens of all pairs, in order, and the pair that each is of."""
        if not len(self.words):
            return _NOTHING, _NOTHING
        words = Words.of(names.text)
        place = self.words.searchsorted(words.number)
        is_word = self.words.take(place, mode="clip") == words.number
        place += len(self.words) * (words.name & 1)  # a class is followed by its id
        token = self.of_word.take(place)
        known = ((token >= 0) & is_word).nonzero()[0]
        token, name = token.take(known), words.name.take(known)
        chosen = each_once(name * len(self.number) + token)
        return token.take(chosen), name.take(chosen) >> 1


_NOTHING = np.empty(0, np.intp)


def named(frame: Frame) -> Named:
    """Read the class and the id of each container."""
    elements = list(map(frame.page.nodes.__getitem__, frame.row.tolist()))
    pairs = zip(attribute(elements, "class"), attribute(elements, "id"), strict=True)
    found, of_container = distinct(pairs, len(elements))
    text = "\0".join([name or "" for name in chain.from_iterable(found)])
    return Named(found, of_container, text)


def name_features(frame: Frame, names: Named, table: NameTable) -> tuple[Floats, Floats]:
    """Return NAME_FEATURES of each block, and the mean log-odds of each page kind."""
    token, pair = table.look_up(names)
    seen = list(set(token.tolist()))
    kinds = np.add.reduce(table.kinds.take(seen, axis=0), axis=0) / np.float32(max(len(seen), 1))

    of_container = _facts(table.odds.take(token), pair, len(names.pairs)).take(
        names.of_container, axis=1
    )
    mean, known = of_container[2], of_container[3] > 0
    parent = frame.parent
    rows = np.empty((len(NAME_FEATURES), len(frame.row)))
    rows[:3] = _reach(of_container, frame)
    np.negative(rows[1], out=rows[1])
    rows[4:6] = frame.nesting.within(of_container[2:])
    np.divide(rows[4], np.maximum(rows[5], 1), out=rows[3])
    near = frame.nearest(known)
    rows[6] = mean.take(near, mode="clip") * (near >= 0)
    rows[7] = mean
    further = parent
    for step in (8, 9, 10):
        mean.take(further, out=rows[step], mode="clip")
        further = parent.take(further)
    return rows.take(frame.home, axis=1), np.asarray(kinds, np.float64)


def _facts(odds: Float32s, pair: Rows, size: int) -> Floats:
    """Return the least, largest (with its sign turned) and mean log-odds of each pair, and 1.

    `pair` tells, in order, which of the `size` pairs each of the odds is of; all are 0 of a pair
    without any.
    """
    held = np.bincount(pair, minlength=size)
    known = held.nonzero()[0]
    found = np.zeros((4, size))
    if len(known):
        end = held.cumsum()
        begin = (end - held).take(known)
        found[0, known] = np.minimum.reduceat(odds, begin)
        found[1, known] = np.maximum.reduceat(odds, begin)
        # With a 0 before those of each pair, so that none are a sum too.
        padded = np.zeros(len(odds) + size, np.float32)
        padded[np.arange(1, len(odds) + 1) + pair] = odds
        summed = np.add.reduceat(padded, end - held + np.arange(size))
        found[2] = summed / np.maximum(held, 1).astype(np.float32)
        found[3, known] = 1.0
    np.negative(found[1], out=found[1])
    return found


def _reach(values: Floats, frame: Frame) -> Floats:
    """Return the least of each container and those around it, of three lines.

    They are the first line, the second, and the first again with each step counting less.
    """
    reach = values.take((0, 1, 0), axis=0)
    decay = _DECAY
    for jump in frame.jumps:  # pointer doubling
        further = reach.take(jump, axis=1)
        further[2] *= decay
        np.minimum(reach, further, out=reach)
        decay *= decay
    return reach
