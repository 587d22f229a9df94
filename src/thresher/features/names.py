"""Names: what the classes and ids around a block say, through one table of tokens.

A name is cut into words (`post-body`, `postBody` and `post_body` are post and body), and each word
has in the table the log-odds that text under it is content, and the log-odds of each page kind.
They were counted over sites, so no language is in them but that of class names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, repeat
from operator import itemgetter
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from thresher.arrays import nearest
from thresher.features.frame import Floats, Frame

__all__ = ["NAME_FEATURES", "NameTable", "Named", "Pair", "name_features", "named", "tokens_of"]

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
# Least log-odds, largest with its sign turned, mean, and 1 (0: nothing known); then the tokens.
Known: TypeAlias = tuple[tuple[float, float, float, float], tuple[int, ...]]

_WORD = re.compile(r"[a-z]{3,}|[A-Z][a-z]{2,}|[A-Z]{3,}")
_MOST_WORDS = 16  # of one name that are read
_LONGEST = 400  # characters of one name that are read
_DECAY = 0.85


def tokens_of(name: str, prefix: str = "") -> tuple[str, ...]:
    """Return the words of a class or id, each once, in order."""
    return tuple(prefix + word for word in _words(name))


def _words(name: str) -> Iterable[str]:
    found = dict.fromkeys(map(str.lower, _WORD.findall(name, 0, _LONGEST)))
    return found if len(found) <= _MOST_WORDS else list(found)[:_MOST_WORDS]


@dataclass(frozen=True, slots=True, eq=False)
class NameTable:
    """The tokens with what is known of them."""

    number: dict[str, int]
    of_id: dict[str, int]  # those of ids, without their sign
    odds: npt.NDArray[np.float32]
    odds_list: list[np.float32]  # the same: scalars are faster for a few
    kinds: npt.NDArray[np.float32]  # (tokens, page kinds)
    cache: dict[Pair, Known] = field(default_factory=dict)

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
        of_id = {token[1:]: index for token, index in number.items() if token.startswith("#")}
        column = np.asarray(odds, np.float32)
        return cls(number, of_id, column, list(column), np.asarray(kinds, np.float32))

    def look_up(self, pairs: Sequence[Pair]) -> list[Known]:
        """Return what is known of each class with its id."""
        found = list(map(self.cache.get, pairs))
        if all(found):
            return found  # type: ignore[return-value]  # none of them is None
        asked = zip(pairs, found, strict=True)
        new = {pair: self._look_up(pair) for pair, known in asked if known is None}
        if len(self.cache) > _MOST_CACHED:
            self.cache.clear()
        self.cache.update(new)
        return [known or new[pair] for pair, known in zip(pairs, found, strict=True)]

    def _look_up(self, pair: Pair) -> Known:
        numbers: list[int] = []
        for name, number in zip(pair, (self.number, self.of_id), strict=True):
            if name:
                numbers += [number[word] for word in _words(name) if word in number]
        if not numbers:
            return _UNKNOWN
        odds = [self.odds_list[number] for number in numbers]
        mean = (sum(odds, _ZERO) if len(odds) < 8 else np.sum(odds)) / np.float32(len(odds))
        return (float(min(odds)), -float(max(odds)), float(mean), 1.0), tuple(numbers)


_UNKNOWN: Known = (0.0, -0.0, 0.0, 0.0), ()
_ZERO = np.float32(0)
_MOST_CACHED = 50_000  # names of a few hundred sites


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """The distinct pairs of class and id on a page, and which of them each container has."""

    pairs: list[Pair]
    of_container: npt.NDArray[np.intp]


def named(frame: Frame) -> Named:
    """Read the class and the id of each container."""
    elements = list(map(frame.page.nodes.__getitem__, frame.row.tolist()))
    attribute = type(elements[0]).attr  # the function of their class: it need not be bound
    classes = map(attribute, elements, repeat("class"))
    pairs = zip(classes, map(attribute, elements, repeat("id")), strict=True)
    number: defaultdict[Pair, int] = defaultdict(count().__next__)  # as they come
    of_container = np.fromiter(map(number.__getitem__, pairs), np.intp, len(elements))
    return Named(list(number), of_container)


_FACTS, _TOKENS = itemgetter(0), itemgetter(1)


def name_features(frame: Frame, names: Named, table: NameTable) -> tuple[Floats, Floats]:
    """Return NAME_FEATURES of each block, and the mean log-odds of each page kind."""
    looked_up = table.look_up(names.pairs)
    facts = chain.from_iterable(map(_FACTS, looked_up))
    values = np.fromiter(facts, np.float64, 4 * len(looked_up)).reshape(-1, 4)
    seen = list(set(chain.from_iterable(map(_TOKENS, looked_up))))
    kinds = np.add.reduce(table.kinds.take(seen, axis=0), axis=0) / np.float32(max(len(seen), 1))

    of_container = values.take(names.of_container, axis=0).T.copy()
    mean, known = of_container[2], of_container[3] > 0
    parent = frame.parent
    rows = np.empty((len(NAME_FEATURES), len(frame.row)))
    rows[:3] = _reach(of_container, frame)
    np.negative(rows[1], out=rows[1])
    rows[4:6] = frame.nesting.within(of_container[2:])
    np.divide(rows[4], np.maximum(rows[5], 1), out=rows[3])
    near = nearest(known, frame.above)
    rows[6] = mean.take(near, mode="clip") * (near >= 0)
    rows[7] = mean
    further = parent
    for step in (8, 9, 10):
        mean.take(further, out=rows[step], mode="clip")
        further = parent.take(further)
    return rows.take(frame.home, axis=1), np.asarray(kinds, np.float64)


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
