"""What a rendering shows beside its text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Include:
    """Which parts of a page a rendering shows.

    `links` and `images` are honoured here: a link that is off leaves its text, an image that is
    off leaves nothing. `tables` and `comments` are honoured by the caller, which removes their text
    from the tree before it hands the tree over; the renderers show every table they are given.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    comments: bool = True
