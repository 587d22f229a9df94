"""The elements and the texts of all records, each with the record that it belongs to.

What is asked of many records at once is asked of these columns, which leave out the rest of the
page. Records may nest: a row belongs to the innermost one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from thresher.page.array_types import Bools, Int32s, Int64s, UInt16s
from thresher.structure.threads.page_index import Reading
from thresher.structure.threads.records import enclosing


def owners(size: int, rows: Int64s, ends: Int64s) -> Int64s:
    """Return for each row of the page the innermost record that it is in, -1 outside.

    The owner changes where a record begins, to that record, and where one ends, to the one around
    it. Of several that end at one row the outermost counts, and one that begins there wins.
    """
    place = np.concatenate((ends[::-1], rows))
    owner = np.concatenate((enclosing(rows, ends)[::-1], np.arange(len(rows))))
    order = place.argsort(kind="stable")  # of several changes at one row the last one counts
    place = np.concatenate(([0], place.take(order), [size]))
    return np.concatenate(([-1], owner.take(order))).repeat(place[1:] - place[:-1])


@dataclass(frozen=True, eq=False)
class Parts:
    """The elements and the texts of the records."""

    read: Reading
    rows: Int64s  # where the records begin, in order
    ends: Int64s
    sort: Int64s  # of which sort each record is
    elements: Int64s  # rows of all elements in records, in order
    owner: Int64s  # of each element: its record
    words: Int64s  # under each element
    bits: Int32s  # what each element is by its name
    tag: UInt16s
    texts: Int64s  # places of texts with characters among the page's, by record, then in order
    text_rows: Int32s
    text_owner: Int64s

    @classmethod
    def of(cls, read: Reading, rows: Int64s, ends: Int64s, sort: Int64s) -> Parts:
        """Collect them."""
        page = read.page
        owner = owners(len(page), rows, ends)
        elements = ((owner >= 0) & (page.tag != 0)).nonzero()[0]
        text_owner = owner.take(page.text_rows)
        texts = ((text_owner >= 0) & (page.chars.take(page.text_rows) > 0)).nonzero()[0]
        texts = texts.take(text_owner.take(texts).argsort(kind="stable"))
        return cls(
            read=read,
            rows=rows,
            ends=ends,
            sort=sort,
            elements=elements,
            owner=owner.take(elements),
            words=read.words_in(elements),
            bits=read.bits.take(elements),
            tag=page.tag.take(elements),
            texts=texts,
            text_rows=page.text_rows.take(texts),
            text_owner=text_owner.take(texts),
        )

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.rows)

    @cached_property
    def begins(self) -> Bools:
        """Of each element, whether a record begins with it."""
        found: Bools = self.rows.take(self.owner) == self.elements
        return found

    def first(self, places: Int64s) -> Int64s:
        """Return the row of the first of these elements in each record, -1 if it has none."""
        found = np.full(len(self), -1)
        found[self.owner.take(places[::-1])] = self.elements.take(places[::-1])
        return found

    def split(self, owner: Int64s) -> list[int]:
        """Return where what belongs to each record begins, one more for the end."""
        bounds: list[int] = owner.searchsorted(np.arange(len(self) + 1)).tolist()
        return bounds
