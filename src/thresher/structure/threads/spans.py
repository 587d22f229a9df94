"""Records as spans of rows: which lie in which, sums over them, the record of each row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.page.array_types import Bools, Int64s


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Spans of rows in order of their first row. Two of them are apart, or one is in the other."""

    begins: Int64s  # the first row of each
    ends: Int64s  # the first row after each

    @classmethod
    def none(cls) -> Spans:
        """Return no spans."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64))

    def __len__(self) -> int:
        """Return the number of spans."""
        return len(self.begins)

    def sums(self, before: Int64s) -> Int64s:
        """Return the sum over each span; `before` has the sum before each row, and the total."""
        return before.take(self.ends) - before.take(self.begins)

    def own_sums(self, before: Int64s) -> Int64s:
        """Return the sum over each span without the spans inside it; see `sums`."""
        sums = self.sums(before)
        if not self.are_nested():
            return sums
        outer = self.enclosing()
        is_inner = outer >= 0
        inner_sums = np.bincount(outer[is_inner], sums[is_inner], len(self))
        return sums - inner_sums.astype(np.int64)

    def are_nested(self) -> bool:
        """Return whether one of the spans is in another."""
        return len(self) > 1 and bool((self.begins[1:] < self.ends[:-1]).any())

    def hold(self, rows: Int64s) -> Bools:
        """Return one bool per span: whether it holds one of the rows, which are in order."""
        return rows.searchsorted(self.ends) > rows.searchsorted(self.begins)

    def enclosing(self) -> Int64s:
        """Return for each span the number of the innermost one around it, -1 for none.

        This is a loop because each step depends on which spans are open; a page has few records.
        """
        found = np.full(len(self), -1)
        if not self.are_nested():  # true of most pages
            return found
        open_spans: list[int] = []
        ends = self.ends.tolist()
        for number, row in enumerate(self.begins.tolist()):
            while open_spans and ends[open_spans[-1]] <= row:
                open_spans.pop()
            if open_spans:
                found[number] = open_spans[-1]
            open_spans.append(number)
        return found

    def innermost(self, size: int) -> Int64s:
        """Return for each of the `size` rows of a page the innermost span it is in, -1 for none.

        The answer changes where a span begins, to that span, and where one ends, to the one around
        it. Of several that end at one row the outermost counts, and one that begins there wins.
        """
        changes = np.concatenate((self.ends[::-1], self.begins))
        span = np.concatenate((self.enclosing()[::-1], np.arange(len(self))))
        order = changes.argsort(kind="stable")  # of several changes at one row the last one counts
        bounds = np.concatenate(([0], changes.take(order), [size]))
        return np.concatenate(([-1], span.take(order))).repeat(bounds[1:] - bounds[:-1])
