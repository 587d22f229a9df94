"""Log-odds of the class names and ids around a block, from one table of tokens.

Names are split into words (`thresher.methods.default.features.name_tokens`). The table has for each
word the log-odds that text under it is content, and the log-odds of each page kind. They were
counted over sites of many languages, so the only language in them is that of class names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from thresher.methods.default.features.containers import Outline
from thresher.methods.default.features.name_tokens import (
    MOST_CHARS,
    NameWords,
    first_places,
    hash_words,
)
from thresher.page.array_types import Float32s, Floats, Rows, UInt64s
from thresher.page.attributes import attribute_values, distinct
from thresher.page.core import COMPILED

if COMPILED:
    from thresher.methods.default import _keep
    from thresher.methods.default.features import _features

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

DECAY = 0.85  # factor of `names_decayed` for each container further out


@dataclass(frozen=True, eq=False)
class NamePairs:
    """The distinct pairs of class and id on a page."""

    pairs: list[Pair]
    of_container: Rows  # the pair of each container

    @cached_property
    def text(self) -> str:
        """Class and id of each pair in turn, with NUL (which HTML cannot contain) between."""
        return "\0".join([name or "" for name in chain.from_iterable(self.pairs)])

    def containing(self, words: tuple[str, ...]) -> list[int]:
        """Return the numbers of the pairs that contain one of the words (in lower case)."""
        if COMPILED:
            return _words_to_find(words).find(self.pairs)
        text = self.text.lower()
        present = [word for word in words if word in text]
        if not present:
            return []
        names = enumerate(text.split("\0"))  # a class and an id in turn
        return sorted({at >> 1 for at, name in names for word in present if word in name})


@cache
def _words_to_find(words: tuple[str, ...]) -> _keep.Names:
    return _keep.Names(words)


def name_pairs(outline: Outline) -> NamePairs:
    """Read the class and the id of each container."""
    elements = list(map(outline.page.nodes.__getitem__, outline.row.tolist()))
    values = zip(attribute_values(elements, "class"), attribute_values(elements, "id"), strict=True)
    pairs, of_container = distinct(values, len(elements))
    return NamePairs(pairs, of_container)


class NameTable(NamedTuple):
    """The known tokens with their log-odds; a token of an id begins with `#`."""

    number: dict[str, int]
    odds: Float32s  # of content, one per token
    kinds: Float32s  # of each page kind, (tokens, page kinds)
    hashes: UInt64s  # of the words of all tokens, sorted, each once
    token_of_hash: Rows  # token of each word as a class, then of each word as an id; -1: none
    kernel: Any  # the compiled version of the table

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return the table as arrays by name, as they are stored in a model file."""
        return {
            "tokens": np.frombuffer("\n".join(self.number).encode(), np.uint8),
            "token_odds": self.odds.astype(np.float16),
            "token_kinds": self.kinds.astype(np.float16),
        }

    @classmethod
    def of(cls, tokens: Sequence[str], odds: Floats, kinds: Floats) -> NameTable:
        """Make a table of tokens and their log-odds."""
        number = {token: index for index, token in enumerate(tokens)}
        is_id = np.fromiter((token[:1] == "#" for token in number), np.intp, len(number))
        words = hash_words([token.removeprefix("#") for token in number])
        hashes, place = np.unique(words, return_inverse=True)
        token_of_hash = np.full(2 * len(hashes) + 1, -1, np.intp)
        token_of_hash[place + is_id * len(hashes)] = list(number.values())
        columns = np.asarray(odds, np.float32), np.asarray(kinds, np.float32)
        kernel = _features.Tokens(list(number), MOST_CHARS, *columns) if COMPILED else None
        return cls(number, *columns, hashes, token_of_hash, kernel)

    def look_up(self, names: NamePairs) -> tuple[Rows, Rows]:
        """Return the known tokens of all pairs, in order, and the pair that each belongs to."""
        if not len(self.hashes):
            return np.empty(0, np.intp), np.empty(0, np.intp)
        words = NameWords.of(names.text)
        place = self.hashes.searchsorted(words.hash)
        is_word = self.hashes.take(place, mode="clip") == words.hash
        place += len(self.hashes) * (words.name & 1)  # names are a class and an id in turn
        token = self.token_of_hash.take(place)
        known = ((token >= 0) & is_word).nonzero()[0]
        token, name = token.take(known), words.name.take(known)
        chosen = first_places(name * len(self.number) + token)
        return token.take(chosen), name.take(chosen) >> 1


def name_features(outline: Outline, names: NamePairs, table: NameTable) -> tuple[Floats, Floats]:
    """Return NAME_FEATURES of each block, and the mean log-odds of each page kind."""
    token, pair = table.look_up(names)
    is_seen = np.zeros(len(table.kinds), np.bool_)
    is_seen[token] = True
    seen = is_seen.nonzero()[0]
    kinds = np.add.reduce(table.kinds.take(seen, axis=0), axis=0) / np.float32(max(len(seen), 1))

    of_container = _pair_odds(table.odds.take(token), pair, len(names.pairs)).take(
        names.of_container, axis=1
    )
    own_mean, is_known = of_container[2:]
    found = np.empty((len(NAME_FEATURES), len(outline.row)))
    least, largest, decayed, mean, total, count, nearest, *further_out = found
    least[:], minus_largest, decayed[:] = _least_outwards(of_container, outline)
    np.negative(minus_largest, out=largest)
    total[:], count[:] = outline.nesting.sum_outwards(of_container[2:])
    np.divide(total, np.maximum(count, 1), out=mean)
    near = outline.nearest(is_known > 0)
    nearest[:] = own_mean.take(near, mode="clip") * (near >= 0)
    container = np.arange(len(outline.row))
    for line in further_out:
        own_mean.take(container, out=line, mode="clip")
        container = outline.parent.take(container)
    return found.take(outline.container, axis=1), np.asarray(kinds, np.float64)


def _pair_odds(odds: Float32s, pair: Rows, size: int) -> Floats:
    """Return the least, minus the largest, and the mean log-odds of each pair, and 1 if known.

    `pair` has the pair that each of the `odds` belongs to, in order, of `size` pairs. All four
    numbers of a pair without odds are 0.
    """
    held = np.bincount(pair, minlength=size)
    known = held.nonzero()[0]
    found = np.zeros((4, size))
    least, largest, mean, is_known = found
    if len(known):
        end = held.cumsum()
        begin = end - held
        least[known] = np.minimum.reduceat(odds, begin.take(known))
        largest[known] = np.maximum.reduceat(odds, begin.take(known))
        mean[:] = (np.bincount(pair, odds, size) / np.maximum(held, 1)).astype(np.float32)
        is_known[known] = 1.0
    np.negative(largest, out=largest)
    return found


def _least_outwards(pair_odds: Floats, outline: Outline) -> Floats:
    """Return the least value of each container and those around it, of three lines.

    The lines are the first and the second of `pair_odds`, and the first again with each container
    further out counting `DECAY` times as much.
    """
    found = pair_odds.take((0, 1, 0), axis=0)
    decay = DECAY
    for ancestor in outline.ancestors:  # pointer doubling
        further_out = found.take(ancestor, axis=1)
        further_out[2] *= decay
        np.minimum(found, further_out, out=found)
        decay *= decay
    return found
