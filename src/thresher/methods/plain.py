"""Plain: all visible text, the baseline for all other methods.

Departures: none known.
"""

from __future__ import annotations

from dataclasses import dataclass

from thresher.page import Page, Selection


@dataclass(frozen=True, slots=True)
class Plain:
    """Keep all text that a browser shows."""

    def __call__(self, page: Page) -> Selection:
        """Return all text that is not hidden."""
        return page.where(~page.hidden)
