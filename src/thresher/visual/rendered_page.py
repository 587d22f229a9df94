"""RenderedPage: a page as a browser laid it out, with a box, a font and colours for every row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from thresher.page import Page
from thresher.page.array_types import Bools, Float32s, UInt16s, UInt32s


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RenderedPage(Page):
    """A page with the columns that a browser adds; every method runs on it as on any page.

    Lengths are CSS pixels from the top left of the page. `hidden` is what the browser computed:
    style sheets count. `source` is the document as it stood when it was captured.
    """

    x: Float32s  # left edge of the box; 0 for a row without one
    y: Float32s  # top edge
    w: Float32s  # width
    h: Float32s  # height
    visible: Bools  # True if the row is shown and its box has an area
    inline: Bools  # True for text, and for an element that flows with text
    font_size: Float32s  # in pixels
    font_weight: UInt16s  # 400 is normal, 700 is bold
    color: UInt32s  # of the text, as 0xRRGGBBAA
    background: UInt32s  # of the row itself, as 0xRRGGBBAA; transparent where AA is 0
    picture: bytes | None = None  # the page as PNG, if it was asked for

    IS_RENDERED: ClassVar[bool] = True  # a browser laid the page out
    COLUMNS: ClassVar[tuple[str, ...]] = (  # those of a page, and those of boxes and styles
        *Page.COLUMNS,
        *("x", "y", "w", "h", "visible", "inline"),
        *("font_size", "font_weight", "color", "background"),
    )
