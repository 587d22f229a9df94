"""A template: what the pages of a site that share a layout have in common, as counted columns.

A template counts, over the pages it was learned from,

- `texts`: on how many pages each text of a block occurs, and
- `paths`: on how many pages each path of tags and classes leads to a block, with the mean
  probability of content that the default gives to the text there.

Both are tables sorted by a 64-bit key, so that learning a page merges two sorted columns and
looking up all blocks of a page is one `searchsorted`. Each table is bounded: beyond its size, the
keys that were seen on the fewest pages, and among these the longest ago, are forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from thresher.page.array_types import Bools, Float32s, Floats, Rows, UInt32s, UInt64s
from thresher.page.words import collapsed
from thresher.site.records import DamagedError, Record, read_columns, read_list, read_number
from thresher.structure.block_kinds import KINDS

MOST_TEXTS = 10_000
MOST_PATHS = 4_000
MOST_SAMPLES = 300  # texts that are kept as text, for people to read
SAMPLE_CHARS = 120

_KEY = re.compile(r"[0-9a-f]{16}")


_KINDS_OF_COLUMNS = {
    "key": np.uint64, "pages": np.uint32, "last": np.uint32, "total": np.float32,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Keys in rising order, each with what was counted for it."""

    key: UInt64s
    pages: UInt32s  # on how many pages it was seen
    last: UInt32s  # number of the page on which it was seen last
    total: Float32s  # sum over these pages of the mean probability of content

    @classmethod
    def empty(cls) -> Table:
        """Return a table without keys."""
        return cls(
            np.zeros(0, np.uint64), np.zeros(0, np.uint32), np.zeros(0, np.uint32),
            np.zeros(0, np.float32),
        )  # fmt: skip

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self.key)

    def find(self, key: UInt64s) -> Rows:
        """Return where each key is, -1 for one that was never seen."""
        if not len(self.key):
            return np.full(len(key), -1, np.intp)
        at = np.minimum(self.key.searchsorted(key), len(self.key) - 1)
        return np.where(self.key[at] == key, at, -1)

    def learn(self, key: UInt64s, mean: Floats, page: int, most: int) -> Table:
        """Return the table with one more page; `key` holds each key of the page once, sorted."""
        at = self.find(key)
        old, new = at >= 0, at < 0
        pages, last, total = self.pages.copy(), self.last.copy(), self.total.copy()
        pages[at[old]] += 1
        last[at[old]] = page
        total[at[old]] += mean[old].astype(np.float32)
        count = int(new.sum())
        columns = (
            np.concatenate((self.key, key[new])),
            np.concatenate((pages, np.ones(count, np.uint32))),
            np.concatenate((last, np.full(count, page, np.uint32))),
            np.concatenate((total, mean[new].astype(np.float32))),
        )
        order = columns[0].argsort(kind="stable")
        if len(order) > most:
            best = np.lexsort((-columns[2].astype(np.int64), -columns[1].astype(np.int64)))
            keep = np.zeros(len(order), np.bool_)
            keep[best[:most]] = True
            order = order[keep[order]]
        return Table(columns[0][order], columns[1][order], columns[2][order], columns[3][order])

    def to_record(self) -> Record:
        """Return the columns by name, for `thresher.site.records`."""
        return {name: getattr(self, name) for name in _KINDS_OF_COLUMNS}

    @classmethod
    def from_record(cls, record: object, most: int, pages: int, last: int) -> Table:
        """Return the table of a record, of a template with so many pages that ended at `last`."""
        table = cls(**read_columns(record, _KINDS_OF_COLUMNS, most))
        if (table.key[1:] <= table.key[:-1]).any():
            raise DamagedError("the keys of a table are not in rising order")
        if ((table.pages < 1) | (table.pages > pages) | (table.last > last)).any():
            raise DamagedError("a table counts more pages than were learned")
        if ((table.total < 0) | (table.total > table.pages * 1.001)).any():
            raise DamagedError("a table has a probability above 1 or below 0")
        return table


class Furniture(NamedTuple):
    """A text that repeats on the pages of a site."""

    text: str
    kind: str  # navigation, footer, related, ...
    share: float  # of the pages of its template that have it


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """What is known of the pages of one layout."""

    texts: Table = field(default_factory=Table.empty)
    paths: Table = field(default_factory=Table.empty)
    pages: int = 0  # learned from
    first: int = 0  # number of the page of the site that began it
    last: int = 0  # number of the page of the site that was learned last
    samples: Mapping[int, tuple[str, str]] = field(default_factory=dict)  # kind and text of a key

    def __repr__(self) -> str:
        """Return how much was learned."""
        return f"<Template: {self.pages:,} pages, {self.first:,} to {self.last:,} of the site>"

    def similarity(self, path: UInt64s) -> float:
        """Return how alike the paths of a page and of this template are, from 0 to 1.

        With f the share of the template's pages that have a path, it is the sum of f over the paths
        that page and template have in common, divided by the number of paths of the page plus the
        sum of f over the paths that it lacks.
        """
        share = self.paths.pages / max(self.pages, 1)
        at = self.paths.find(path)
        common = float(share[at[at >= 0]].sum())
        return common / max(len(path) + float(share.sum()) - common, 1e-9)

    def text_pages(self, text: UInt64s) -> Floats:
        """Return on how many pages each text was seen."""
        at = self.texts.find(text)
        return np.append(self.texts.pages, 0)[at].astype(np.float64)

    def path_mean(self, path: UInt64s) -> tuple[Floats, Bools]:
        """Return the mean probability of content at each path, and whether it was seen at all."""
        at = self.paths.find(path)
        mean = self.paths.total / np.maximum(self.paths.pages, 1)
        return np.append(mean, 0.0)[at].astype(np.float64), at >= 0

    def learn(self, text: UInt64s, path: UInt64s, mean: Floats, page: int) -> Template:
        """Return the template with one more page, number `page` of the site."""
        return replace(
            self,
            texts=self.texts.learn(text, np.zeros(len(text)), page, MOST_TEXTS),
            paths=self.paths.learn(path, mean, page, MOST_PATHS),
            pages=self.pages + 1,
            first=self.first or page,
            last=page,
        )

    def with_samples(self, samples: Mapping[int, tuple[str, str]]) -> Template:
        """Return the template with the kind and the beginning of some texts noted."""
        short = {
            key: (kind, collapsed(text)[:SAMPLE_CHARS]) for key, (kind, text) in samples.items()
        }
        return replace(self, samples=dict([*self.samples.items(), *short.items()][-MOST_SAMPLES:]))

    def furniture(self) -> list[Furniture]:
        """Return the noted texts with the share of pages on which they were seen."""
        keys = np.fromiter(self.samples, np.uint64, len(self.samples))
        share = self.text_pages(keys) / max(self.pages, 1)
        return [
            Furniture(text, kind, float(part))
            for (kind, text), part in zip(self.samples.values(), share.tolist(), strict=True)
            if text and part > 0
        ]

    # --- written and read -------------------------------------------------------------------

    def to_record(self) -> Record:
        """Return the template as a record, for `thresher.site.records`."""
        samples = [[f"{key:016x}", *sample] for key, sample in self.samples.items()]
        return {
            "pages": self.pages,
            "first": self.first,
            "last": self.last,
            "samples": samples,
            "texts": self.texts.to_record(),
            "paths": self.paths.to_record(),
        }

    @classmethod
    def from_record(cls, record: Record, site_pages: int) -> Template:
        """Return the template of a record, of a site with so many pages."""
        last = read_number(record, "last", 1, site_pages)
        first = read_number(record, "first", 1, last)
        pages = read_number(record, "pages", 1, last - first + 1)
        found = read_list(record, "samples", MOST_SAMPLES)
        samples = {int(key, 16): (kind, text) for key, kind, text in map(_sample, found)}
        if len(samples) < len(found):
            raise DamagedError("two samples have the same key")
        return cls(
            texts=Table.from_record(record.get("texts"), MOST_TEXTS, pages, last),
            paths=Table.from_record(record.get("paths"), MOST_PATHS, pages, last),
            pages=pages,
            first=first,
            last=last,
            samples=samples,
        )


def _sample(value: Any) -> tuple[str, str, str]:
    """Return the key, kind and text of a sample."""
    if isinstance(value, list) and len(value) == 3 and all(type(part) is str for part in value):
        key, kind, text = value
        if _KEY.fullmatch(key) and kind in KINDS and len(text) <= SAMPLE_CHARS:
            return key, kind, text
    raise DamagedError("a sample must have a key, a kind and a short text")
