"""CETR (Algorithm 9) and Density written slowly from the HTML string, line after line.

Nothing here uses our Page; the pages and the characters of their source are slow_definitions'.
"""

import math
from dataclasses import dataclass

from tests import slow_definitions as slow

Point = tuple[float, float]


@dataclass
class Line:
    text: int = 0
    tags: int = 0

    @property
    def ratio(self) -> float:
        return self.text / (self.tags or 1)


def outside_tags(chars: list[slow.Char]) -> list[list[slow.Char]]:
    """The stretches between tags, white space included."""
    found: list[list[slow.Char]] = [[]]
    in_tag = False
    for char in chars:
        in_tag |= char.value == "<" and char.run is None
        if in_tag or not char.value:
            found.append([])
        else:
            found[-1].append(char)
        in_tag &= char.value != ">" or char.run is not None
    return found


def cetr_lines(html: str, length: int) -> list[Line]:
    """Text and tags of each line."""
    chars, runs = slow.addanag_source(html)
    text: set[int] = set()
    for stretch in outside_tags(chars):
        if any(char.run is not None and not runs[char.run].hidden for char in stretch):
            text |= {id(char) for char in stretch}
    left = slow.addanag_lines(chars, length)
    lines = [Line() for _ in range(1 + max((char.line for char in chars), default=-1))]
    for char in left:
        lines[char.line].text += id(char) in text
        lines[char.line].tags += char.value == "<" and char.run is None
    return lines


def smooth(values: list[float], sigma: float) -> list[float]:
    """Weighted means over the lines that exist within three sigma."""
    reach = math.ceil(3 * sigma)
    found = []
    for i in range(len(values)):
        near = range(max(0, i - reach), min(len(values), i + reach + 1))
        w = {j: math.exp(-((j - i) ** 2) / (2 * sigma**2)) for j in near}
        found.append(sum(w[j] * values[j] for j in near) / sum(w.values()))
    return found


def change(values: list[float], ahead: int) -> list[float]:
    found = []
    for i, value in enumerate(values):
        following = values[i + 1 : i + 1 + ahead]
        found.append(abs(sum(following) / len(following) - value) if following else 0.0)
    return found


def cetr_points(html: str, length: int, sigma: float, ahead: int) -> list[Point]:
    t = smooth([line.ratio for line in cetr_lines(html, length)], sigma)
    return list(zip(t, smooth(change(t, ahead), sigma), strict=True))


def distance(a: Point, b: Point) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def mean(points: list[Point]) -> Point:
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def cetr_labels(points: list[Point], k: int, moves: int) -> tuple[list[int], bool]:
    """k-means with a centroid held at the origin, and whether rounding may decide a label."""
    if not points:
        return [], False
    centroids: list[Point] = [(0.0, 0.0)]
    above, close_call = points, False
    for _ in range(k - 1):
        middle = mean(above)[0]
        close_call |= any(abs(p[0] - middle) < 1e-9 for p in above)
        above = [p for p in above if p[0] >= middle] or above
        centroids.append(mean(above))
    labels: list[int] = []
    for _ in range(moves + 1):
        before, labels = labels, []
        for point in points:
            away = [distance(point, centroid) for centroid in centroids]
            best, second = sorted(away)[:2]
            close_call |= second - best < 1e-9
            labels.append(away.index(best))
        groups = [[p for p, at in zip(points, labels, strict=True) if at == n] for n in range(k)]
        close_call |= not all(groups[1:])  # an empty cluster: see `arrays.k_means`
        if labels == before or close_call:
            break
        centroids = [centroids[0], *(mean(group) for group in groups[1:])]
    return labels, close_call


def cetr_words(html: str, length: int, labels: list[int]) -> list[str]:
    """The words of the texts that lie mostly in lines of other clusters than the origin's."""
    chars, runs = slow.addanag_source(html)
    balance = [0] * len(runs)
    for char in slow.addanag_lines(chars, length):
        if char.run is not None:
            balance[char.run] += 1 if labels[char.line] else -1
    pairs = zip(runs, balance, strict=True)
    kept = [slow.unescape(run.text) for run, more in pairs if more > 0 and not run.hidden]
    return [word for text in kept for word in slow.slow_words(text)]


# --- Density -------------------------------------------------------------------------------------

INLINE = {"a", "b", "span", "br", "button", "select", "script", "style"}


def density_lines(html: str, kind: str) -> list[list[slow.Node]]:
    """L: for each line its texts."""
    lines: list[list[slow.Node]] = [[]]
    for event, node in slow.read(html).events:
        if event != "text":
            if kind == "texts" or node.name not in {*INLINE, "option", "template"}:
                lines.append([])
            continue
        if node.chars and not node.hidden:
            lines[-1].append(node)
            if kind == "texts":
                lines.append([])
    return [line for line in lines if line]


def density(html: str, c1: int, c2: int, kind: str) -> list[str]:
    """The words of R: of all chains of long lines, the one with most characters."""
    lines = density_lines(html, kind)
    best: list[int] = []

    def size(region: list[int]) -> int:
        return sum(node.chars for i in region for node in lines[i])

    region: list[int] = []
    for i, line in enumerate(lines):
        if sum(node.chars for node in line) < c1:
            continue
        region = [*region, i] if region and i - region[-1] <= c2 else [i]
        if not best or size(region) > size(best):
            best = region
    return [word for i in best for node in lines[i] for word in slow.slow_words(node.text)]
