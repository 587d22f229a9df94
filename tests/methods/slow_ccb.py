"""Content code blurring (Algorithm 7) written slowly from the HTML string, round after round.

Nothing here uses our Page: the pages are those of slow_definitions, the tags are found by a
regular expression.
"""

import math
import re
from html import unescape

from tests import slow_definitions as slow

REFERENCE = re.compile(r"&#?[A-Za-z0-9]{1,31};")


def without_space(text: str) -> str:
    return "".join(text.split())


def weights(r: int) -> list[float]:
    """w[-r] .. w[r]: a Gaussian with sigma = r / 3, the sum 1."""
    sigma = r / 3 or 1
    w = [math.exp(-(j**2) / (2 * sigma**2)) for j in range(-r, r + 1)]
    return [value / sum(w) for value in w]


def blurred(c: list[float], r: int, rounds: int) -> list[float]:
    """Iterative blurring; beyond its ends the vector is mirrored."""
    w, n = weights(r), len(c)

    def at(i: int) -> float:
        i %= 2 * n
        return c[i] if i < n else c[2 * n - 1 - i]

    for _ in range(rounds):
        c = [sum(w[j + r] * at(i + j) for j in range(-r, r + 1)) for i in range(n)]
    return c


def blurred_by(c: list[float], w: list[float], rounds: int) -> list[float]:
    """Blurring with given weights: the vector and its mirror image, again and again."""
    period, reach = [*c, *reversed(c)], len(w) // 2
    for _ in range(rounds):
        period = [
            sum(w[j + reach] * period[(i + j) % len(period)] for j in range(-reach, reach + 1))
            for i in range(len(period))
        ]
    return period[: len(c)]


def fewer(rounds: int, w: list[float], size: int) -> int:
    """At least one round, and as many as leave the deviation within a twentieth of the vector."""
    allowed = 1
    while allowed < rounds and (allowed + 1) * variance(w) <= (size / 20) ** 2:
        allowed += 1
    return min(rounds, allowed)


def variance(w: list[float]) -> float:
    mean = sum(value * j for j, value in enumerate(w))
    return sum(value * (j - mean) ** 2 for j, value in enumerate(w))


def characters(html: str, without_anchors: bool) -> list[tuple[int, int]]:
    """1 or 0 of each character that counts, and the number of its text (-1 in a tag)."""
    found: list[tuple[int, int]] = []
    chars, runs = slow.addanag_source(html)
    for number, run in [*enumerate(runs), (len(runs), None)]:
        # The tags before the run, then the run itself.
        while chars and chars[0].run is None:
            tag = ""
            while chars and chars[0].run is None:
                tag += chars.pop(0).value
            if without_anchors:
                tag = re.sub(r"</?a(\s[^>]*)?>", "", tag)
            found += [(0, -1)] * len(
                without_space(REFERENCE.sub(lambda found: unescape(found[0]), tag))
            )
        while chars and chars[0].run == number:
            chars.pop(0)
        if run is not None and not run.hidden:
            found += [(1, number)] * len(without_space(unescape(run.text)))
    return found


def tokens(html: str) -> tuple[list[tuple[int, int]], list[list[str]]]:
    """1 of each word and 0 of each tag with the number of its text, and the words of each text."""
    found: list[tuple[int, int]] = []
    texts: list[list[str]] = []
    for kind, node in slow.read(html).events:
        if kind == "text":
            words = [] if node.hidden else slow.slow_words(node.text)
            found += [(1, len(texts))] * len(words)
            texts.append(words)
        elif node.name not in slow.CODE:
            found.append((0, -1))
    return found, texts


class Blur:
    """The ratios of a page and the words that they keep."""

    def __init__(
        self, html: str, kind: str, r: int, rounds: int, w: tuple[float, ...] = ()
    ) -> None:
        if kind == "tccb":
            self.items, self.texts = tokens(html)
        else:
            self.items = characters(html, kind == "accb")
            runs = slow.addanag_source(html)[1]
            self.texts = [slow.slow_words(slow.unescape(run.text)) for run in runs]
        vector = [float(bit) for bit, _ in self.items]
        if w:
            share = [value / sum(w) for value in w]
            self.ratios = blurred_by(vector, share, fewer(rounds, share, len(vector)))
        else:
            self.ratios = blurred(vector, r, fewer(rounds, weights(r), len(vector)))

    def content(self) -> list[float]:
        """The ratios of content, in order."""
        pairs = zip(self.items, self.ratios, strict=True)
        return [ratio for (bit, _), ratio in pairs if bit]

    def words(self, t: float) -> list[str]:
        balance = [0] * len(self.texts)
        for (bit, number), ratio in zip(self.items, self.ratios, strict=True):
            if bit:
                balance[number] += 1 if ratio > t else -1
        kept = [text for text, more in zip(self.texts, balance, strict=True) if more > 0]
        return [word for text in kept for word in text]


def masked(html: str, ratios: list[float], t: float, replacement: str) -> str:
    """D' of Algorithm 7, from the ratios of content: the source with masked characters.

    A reference is one or more characters of the document with resolved entities.
    """
    ratios = list(ratios)
    hidden = [run.hidden for run in slow.addanag_source(html)[1]]
    found = ""
    for piece in slow.PIECE.split(html):
        if piece.startswith("<") or not piece.strip(" \t\n\f\r"):
            found += piece
            continue
        is_hidden = hidden.pop(0)
        for part in re.findall(rf"{REFERENCE.pattern}|.", piece, re.S):
            solid = without_space(unescape(part))
            own = [] if is_hidden else [ratios.pop(0) for _ in solid]
            is_main = not is_hidden and all(ratio > t for ratio in own)
            found += part if is_main or not solid else replacement * len(solid)
    return found
