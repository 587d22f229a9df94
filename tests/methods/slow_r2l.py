"""R2L and DANA (thesis 4.3, 4.4) written slowly from the HTML string, character by character."""

import re

from hypothesis import strategies as st

from tests import slow_definitions as slow

FARSI = str.maketrans("0123456789we", "۰۱۲۳۴۵۶۷۸۹وس")


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Make a small page whose words are of ASCII, of both kinds, or of other letters alone."""
    html = draw(slow.pages())
    kinds = draw(st.lists(st.sampled_from([0, 1, 1, 1]), min_size=1, max_size=7))

    def in_farsi(word: re.Match[str]) -> str:
        number = int(word[1])
        return word[0].translate(FARSI) if kinds[number % len(kinds)] else word[0]

    return re.sub(r"\bw(\d+)[eéس]+", in_farsi, html)


def counts(html: str, length: int, unit: str = "characters") -> tuple[list[int], list[int]]:
    """T1 and T2 of each line: the characters or bytes of S1, from 128 on, and those of S2."""
    chars = slow.addanag_lines(slow.addanag_source(html)[0], length)
    size = chars[-1].line + 1 if chars else 0
    t1, t2 = [0] * size, [0] * size
    for char in chars:
        size = len(char.value.encode()) if unit == "bytes" else 1
        (t1 if ord(char.value) >= 128 else t2)[char.line] += size
    return t1, t2


def texts(
    html: str, gap: int, length: int, unit: str = "characters", smooth: bool = True
) -> list[str]:
    """The texts that lie in the chosen lines with more than half of their characters."""
    t1, t2 = counts(html, length, unit)
    diff = slow.addanag_diff(t1, t2) if smooth else [x - y for x, y in zip(t1, t2, strict=True)]
    regions = slow.addanag_regions(t1, diff, gap)
    chars, runs = slow.addanag_source(html)
    balance = [0] * len(runs)
    for char in slow.addanag_lines(chars, length):
        if char.run is not None:
            balance[char.run] += 1 if any(x <= char.line <= y for x, y in regions) else -1
    pairs = zip(runs, balance, strict=True)
    return [slow.unescape(run.text) for run, more in pairs if more > 0 and not run.hidden]
