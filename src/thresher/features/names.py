"""Names: what the classes and ids around a block say, through one table of tokens.

A name is cut into words (`post-body`, `postBody` and `post_body` are post and body), and each word
has in the table the log-odds that text under it is content, and the log-odds of each page kind.
They were counted over sites, so no language is in them but that of class names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import methodcaller

import numpy as np
import numpy.typing as npt

from thresher.arrays import nearest
from thresher.features.frame import Floats, Frame, within

__all__ = ["NAME_FEATURES", "NameTable", "Named", "name_features", "named", "tokens_of"]

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

_WORD = re.compile(r"[a-z]{3,}|[A-Z][a-z]{2,}|[A-Z]{3,}")
_MOST_WORDS = 16  # of one name that are read
_LONGEST = 400  # characters of one name that are read
_DECAY = 0.85


def tokens_of(name: str, prefix: str = "") -> tuple[str, ...]:
    """Return the words of a class or id, each once, in order."""
    found = dict.fromkeys(word.lower() for word in _WORD.findall(name[:_LONGEST]))
    return tuple(prefix + word for word in list(found)[:_MOST_WORDS])


@dataclass(frozen=True, slots=True, eq=False)
class NameTable:
    """The tokens with what is known of them."""

    number: dict[str, int]
    odds: npt.NDArray[np.float32]
    kinds: npt.NDArray[np.float32]  # (tokens, page kinds)
    cache: dict[tuple[str | None, str | None], tuple[float, float, float, list[int]]] = field(
        default_factory=dict
    )

    @classmethod
    def of(cls, tokens: Sequence[str], odds: Floats, kinds: Floats) -> NameTable:
        """Make a table of tokens in order."""
        number = {token: index for index, token in enumerate(tokens)}
        return cls(number, np.asarray(odds, np.float32), np.asarray(kinds, np.float32))

    def look_up(self, pair: tuple[str | None, str | None]) -> tuple[float, float, float, list[int]]:
        """Return least, largest and mean log-odds of a class with an id, and their tokens."""
        known = self.cache.get(pair)
        if known is None:
            if len(self.cache) > _MOST_CACHED:
                self.cache.clear()
            known = self.cache[pair] = self._look_up(pair)
        return known

    def _look_up(
        self, pair: tuple[str | None, str | None]
    ) -> tuple[float, float, float, list[int]]:
        tokens = tokens_of(pair[0] or "") + tokens_of(pair[1] or "", "#")
        numbers = [self.number[token] for token in tokens if token in self.number]
        if not numbers:
            return 0.0, 0.0, 0.0, []
        odds = self.odds[numbers]
        return float(odds.min()), float(odds.max()), float(odds.mean()), numbers


_MOST_CACHED = 50_000  # names of a few hundred sites

_CLASS = methodcaller("attr", "class")
_ID = methodcaller("attr", "id")


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """The distinct pairs of class and id on a page, and which of them each container has."""

    pairs: list[tuple[str | None, str | None]]
    of_container: npt.NDArray[np.intp]


def named(frame: Frame) -> Named:
    """Read the class and the id of each container."""
    nodes = frame.page.nodes
    elements = [nodes[row] for row in frame.row.tolist()]
    distinct: dict[tuple[str | None, str | None], int] = {}
    numbers = [
        distinct.setdefault(pair, len(distinct))
        for pair in zip(map(_CLASS, elements), map(_ID, elements), strict=True)
    ]
    return Named(list(distinct), np.array(numbers, np.intp))


def name_features(frame: Frame, names: Named, table: NameTable) -> tuple[Floats, Floats]:
    """Return NAME_FEATURES of each block, and the mean log-odds of each page kind."""
    looked_up = [table.look_up(pair) for pair in names.pairs]
    values = np.array([entry[:3] for entry in looked_up]).reshape(-1, 3).T
    has = np.array([bool(entry[3]) for entry in looked_up])
    seen = {token for entry in looked_up for token in entry[3]}
    width = table.kinds.shape[1]
    kinds = table.kinds[list(seen)].mean(axis=0) if seen else np.zeros(width)

    least, largest, mean = values.take(names.of_container, axis=1)
    known = has.take(names.of_container)
    parent, home = frame.parent, frame.home
    reach = np.stack((least, -largest, least))
    decay = np.array([[1.0], [1.0], [_DECAY]])
    jump = parent
    for _ in range(frame.levels.bit_length()):  # pointer doubling
        reach = np.minimum(reach, reach.take(jump, axis=1) * decay)
        decay = decay * decay
        jump = jump.take(jump)
    total = within(mean, frame.row, frame.end)
    count = within(known.astype(np.int64), frame.row, frame.end)
    above = parent.copy()
    above[0] = -1
    near = nearest(known, above)
    nearby = np.where(near >= 0, mean[near], 0.0)
    own = [mean, mean[parent]]
    grand = parent[parent]
    own += [mean[grand], mean[parent[grand]]]
    rows = np.stack(
        (reach[0], -reach[1], reach[2], total / np.maximum(count, 1), total, count, nearby, *own)
    )
    return rows.take(home, axis=1), np.asarray(kinds, np.float64)
