"""Paper 002, sections V to VII, written plainly: all pairs, recursion, one segmentation at a time.

It works on elements that a test makes up, not on a page.
"""

import math
from dataclasses import dataclass, field
from itertools import combinations


@dataclass
class Element:
    """An element; `items` are elements, and lengths of texts."""

    tag: str
    box: tuple  # x, y, w, h; without an area it is not visible
    items: list = field(default_factory=list)
    name: str = ""  # its id

    def html(self):
        x, y, w, h = self.box
        style = f"left:{x};top:{y};width:{w};height:{h}"
        inner = "".join("x" * item if isinstance(item, int) else item.html() for item in self.items)
        tag = 'a href="/"' if self.tag == "a" else self.tag
        start = f'<{tag} id="{self.name}" style="{style}">'
        return start if self.tag in ("img", "input") else f"{start}{inner}</{self.tag}>"


@dataclass
class Text:
    """A text between blocks."""

    lengths: list
    linked: bool = False


@dataclass
class Line:
    """Inline elements and texts side by side."""

    parts: list


def adjoining(boxes):
    """Return the pairs of adjoining boxes, each with its seam degree."""
    found = {}
    turned = [(y, x, h, w) for x, y, w, h in boxes]
    for one, other in combinations(range(len(boxes)), 2):
        for upper, lower in ((one, other), (other, one)):
            for each in (boxes, turned):
                if is_above(each, upper, lower):
                    found[one, other] = seam_degree(each[upper], each[lower])
    return found


def is_above(boxes, upper, lower):
    (x1, y1, w1, h1), (x2, y2, w2, _) = boxes[upper], boxes[lower]
    low, high = max(x1, x2), min(x1 + w1, x2 + w2)
    if y1 + h1 > y2 or low > high:
        return False
    for x, y, w, h in boxes:
        covers = x <= low <= x + w if low == high else x < high and x + w > low
        if covers and y < y2 and y + h > y1 + h1:
            return False
    return True


def seam_degree(upper, lower):
    seam = min(upper[0] + upper[2], lower[0] + lower[2]) - max(upper[0], lower[0])
    return seam**2 / (upper[2] * lower[2])


def similarity(one, other):
    """Return CS of two blocks, each given as lists of areas by type of content."""
    area = sum(sum(areas) for areas in (*one, *other))
    if not area:
        return 0
    return sum((sum(u) + sum(v)) / area * cosine(u, v) for u, v in zip(one, other, strict=True))


def cosine(u, v):
    size = max(len(u), len(v))
    u = sorted(u, reverse=True) + [0] * (size - len(u))
    v = sorted(v, reverse=True) + [0] * (size - len(v))
    norm = math.sqrt(sum(a * a for a in u)) * math.sqrt(sum(a * a for a in v))
    return sum(a * b for a, b in zip(u, v, strict=True)) / norm if norm else 0


def contents(block, linked=False):
    """Return the areas of texts, link texts, images and inputs."""
    found = [[], [], [], []]
    if isinstance(block, Text):
        found[1 if block.linked else 0] += [length * 16**2 for length in block.lengths]
        return found
    if isinstance(block, Element) and block.tag in ("img", "input"):
        if is_visible(block):
            found[2 if block.tag == "img" else 3].append(block.box[2] * block.box[3])
        return found
    parts = block.parts if isinstance(block, Line) else block.items
    linked |= isinstance(block, Element) and block.tag == "a"
    for part in parts:
        if isinstance(part, int):
            found[1 if linked else 0].append(part * 16**2)
        else:
            for areas, more in zip(found, contents(part, linked), strict=True):
                areas += more
    return found


def is_visible(element):
    return element.box[2] > 0 and element.box[3] > 0


def units(element, linked=False):
    """Return the visible elements and the texts right below an element."""
    linked |= element.tag == "a"
    found = []
    for item in element.items:
        if isinstance(item, int):
            found.append(Text([item], linked))
        elif is_visible(item):
            found.append(item)
        else:
            found += units(item, linked)
    return found


def is_inline(element):
    below = [unit for unit in units(element) if isinstance(unit, Element)]
    return element.tag in ("a", "span", "img", "input") and all(map(is_inline, below))


def parts_of(element, whole_lines):
    """Return the children of a block, and the texts between them."""
    if not isinstance(element, Element):
        return []
    found = []
    for unit in units(element):
        if whole_lines and (isinstance(unit, Text) or is_inline(unit)):
            if found and isinstance(found[-1], Line):
                found[-1].parts.append(unit)
            else:
                found.append(Line([unit]))
        elif isinstance(unit, Text) and found and isinstance(found[-1], Text):
            found[-1].lengths += unit.lengths
        else:
            found.append(unit)
    return [] if whole_lines and len(found) == 1 and isinstance(found[0], Line) else found


def box_of(block, around):
    """Return the box of a block; the texts of a line have that of the element around them."""
    if isinstance(block, Element):
        return block.box
    boxes = [part.box if isinstance(part, Element) else around.box for part in block.parts]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right = max(box[0] + box[2] for box in boxes)
    bottom = max(box[1] + box[3] for box in boxes)
    return left, top, right - left, bottom - top


def averages(block, whole_lines):
    """Return AvgSD and AvgCS."""
    children = [part for part in parts_of(block, whole_lines) if not isinstance(part, Text)]
    if not children:
        return 1, 1
    pairs = adjoining([box_of(child, block) for child in children])
    if not pairs:
        return 0, 0
    alike = [similarity(contents(children[i]), contents(children[j])) for i, j in pairs]
    return sum(pairs.values()) / len(pairs), sum(alike) / len(pairs)


def segments(block, alpha, beta, whole_lines):
    """Return the undivided blocks, in document order."""
    seam, alike = averages(block, whole_lines)
    if seam >= alpha and alike >= beta:
        return [block]
    parts = parts_of(block, whole_lines)
    return [each for part in parts for each in segments(part, alpha, beta, whole_lines)]


def label(block):
    """Return what identifies a segment: the ids of its elements and the lengths of its texts."""
    if isinstance(block, Element):
        return [block.name]
    if isinstance(block, Text):
        return block.lengths
    return [each for part in block.parts for each in label(part)]
