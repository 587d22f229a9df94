"""Plain: all visible text, the baseline that every method must beat.

Departures: none known.
"""

from __future__ import annotations

from dataclasses import dataclass

from thresher.page import Page, Selection


@dataclass(frozen=True, slots=True)
class Plain:
    """Keep all text that a browser shows."""

    def __call__(self, page: Page) -> Selection:
        """Keep every row that is not hidden."""
        return page.where(~page.hidden)
