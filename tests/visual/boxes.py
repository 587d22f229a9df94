"""Pages with boxes written by hand, without a browser."""

import re
from dataclasses import fields

import numpy as np

import thresher
from thresher.page import Page
from thresher.visual import RenderedPage

_STYLE = re.compile(r"([a-z-]+)\s*:\s*([^;]+)")
_INLINE = set("a abbr b br button em i img input label select small span strong textarea".split())


def laid_out(html):
    """Return a page whose elements have the boxes of their `style`: left, top, width and height.

    The lengths count from the top left of the page. A text has the font size of its parent and the
    box of the nearest element around it that has an area. An element without a width has none;
    `display: none` hides it with all inside it, and `display: inline` or `block` overrides what its
    name says. The root and the body are 1000 by 1000 unless they have a style.
    """
    page = thresher.parse(html)
    size = len(page)
    box, font = np.zeros((size, 4), np.float32), np.full(size, 16, np.float32)
    hidden, inline = page.hidden.copy(), np.ones(size, bool)
    for row in range(size):
        parent = page.parent[row]
        if parent >= 0:
            font[row] = font[parent]
            hidden[row] |= hidden[parent]
        if page.tag[row] == 0:
            while parent >= 0 and not (box[parent, 2:] > 0).all():
                parent = page.parent[parent]
            box[row] = box[parent]
            continue
        name = page.name(row)
        style = dict(_STYLE.findall(page.attributes(row).get("style", "")))
        if name in ("html", "body") and "width" not in style:
            box[row] = (0, 0, 1000, 1000)
        for column, key in enumerate(("left", "top", "width", "height")):
            if key in style:
                box[row, column] = _number(style[key])
        font[row] = _number(style.get("font-size", str(font[row])))
        hidden[row] |= style.get("display") == "none"
        inline[row] = style.get("display", "inline" if name in _INLINE else "block") == "inline"
    columns = {"x": box[:, 0], "y": box[:, 1], "w": box[:, 2], "h": box[:, 3]}
    columns |= {
        "hidden": hidden,
        "visible": ~hidden & (box[:, 2:] > 0).all(axis=1),
        "inline": inline,
        "font_size": font,
        "font_weight": np.full(size, 400, np.uint16),
        "color": np.full(size, 0x000000FF, np.uint32),
        "background": np.zeros(size, np.uint32),
    }
    values = {field.name: getattr(page, field.name) for field in fields(Page)}
    return RenderedPage(**{**values, **columns})


def at(left, top, width, height, more=""):
    """Return a style attribute with a box."""
    return f'style="left:{left};top:{top};width:{width};height:{height};{more}"'


def div(left, top, width, height, inner=""):
    """Return a div with a box."""
    return f"<div {at(left, top, width, height)}>{inner}</div>"


def _number(value):
    return float(value.strip().removesuffix("px"))
