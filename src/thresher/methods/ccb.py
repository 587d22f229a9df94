"""CCB, ACCB, TCCB: content code blurring (Gottron 2008; thesis 3.3.1.3, Algorithm 7).

The content code vector c has one item per character that is not white space: 1 for content, 0 for a
character of a tag. A round of blurring is a weighted mean over r items on either side,
    c[i] <- sum(w[j] * c[i + j] for j in -r .. r),    w[j] ~ exp(-j**2 / (2 sigma**2)), sum(w) = 1,
and after the last round content with c[i] > t is kept. ACCB leaves the tags of anchors out of the
vector. TCCB has one item per token, a tag or a word.

Several rounds of a Gaussian are one wider Gaussian of variance rounds * sum(w[j] * j**2).

Departures: the only true fixed point is a constant, so the stop criterion is a number of rounds;
after n rounds, one more moves a single edge between content and code by at most 0.12 / n. A short
page has fewer rounds, but at least one, so that the standard deviation is at most a twentieth of
the vector. sigma is r / 3, since sigma and rounds only change the variance. The vector is mirrored
at its ends, so that a page of text without tags is content. The wide Gaussian is computed on cells
of a twelfth of its standard deviation, with linear interpolation between their middles. Character
references are resolved (`&amp;`, `&ampb`), in tags only those that end in `;`; white space is
Unicode's, also when written as a reference. The tokens of TCCB are those of the parsed tree. A text
is kept when more than half of its characters (TCCB: words) are. Hidden text is neither counted nor
kept. With a headline (`thresher.methods.common.headline_bound`) text outside its bounds is not
kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import unescape
from string import ascii_letters, digits
from typing import Annotated, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from thresher.methods.common.headline_bound import bounded
from thresher.methods.common.option_checks import Options, Range
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int64s, UInt8s
from thresher.page.arrays import run_bounds
from thresher.page.scan import Scan

_Radius: TypeAlias = Annotated[int, Range(0, 10_000)]
_Threshold: TypeAlias = Annotated[float, Range(0, 1, without=(1,))]


@dataclass(frozen=True, slots=True)
class CCB(Options):
    """Keep the characters that have mostly content around them."""

    r: _Radius = 40  # characters on either side; thesis 4.4.3 names ACCB-40
    rounds: int = 200  # swept on wcxb-dev and fundus, see docs/methods
    t: _Threshold = 0.3  # swept on wcxb-dev and fundus, see docs/methods
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)

    def __call__(self, page: Page) -> Selection:
        """Return the texts whose blurred characters are mostly above t."""
        return _by_characters(page, np.zeros(len(page.scan.tag_first), np.bool_), self)


@dataclass(frozen=True, slots=True)
class ACCB(Options):
    """Keep the characters that have mostly content around them, not counting tags of anchors."""

    r: _Radius = 40  # characters on either side; thesis 4.4.3 names ACCB-40
    rounds: int = 50  # swept on wcxb-dev and fundus, see docs/methods
    t: _Threshold = 0.5  # swept on wcxb-dev and fundus, see docs/methods
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)

    def __call__(self, page: Page) -> Selection:
        """Return the texts whose blurred characters are mostly above t."""
        return _by_characters(page, page.scan.opens_anchor | page.scan.closes_anchor, self)


@dataclass(frozen=True, slots=True)
class TCCB(Options):
    """Keep the words that have mostly words around them."""

    r: _Radius = 25  # tokens on either side; thesis 4.4.3 names TCCB-18 and TCCB-25
    rounds: int = 3  # swept on wcxb-dev and fundus, see docs/methods
    t: _Threshold = 0.6  # swept on wcxb-dev and fundus, see docs/methods
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)

    def __call__(self, page: Page) -> Selection:
        """Return the texts whose blurred words are mostly above t."""
        tokens = page.tokens
        counted = ~(tokens.is_word & page.hidden[tokens.row])
        is_word, row = tokens.is_word[counted], tokens.row[counted]
        first, last = run_bounds(is_word)
        ratio = blurred(first, last + 1, len(is_word), _variance(self.r, self.rounds, len(is_word)))
        kept_words = np.bincount(row[is_word][ratio > self.t], minlength=len(page))
        return bounded(page.where(2 * kept_words > page.words), self.headline)


def _by_characters(page: Page, left_out: Bools, method: CCB | ACCB) -> Selection:
    """Return the texts of CCB or ACCB; tags that are True in `left_out` are not counted."""
    scan = page.scan
    is_hidden = np.append(page.hidden[page.text_rows], False)[scan.run_text]
    begin, end, size = content_code(scan, left_out, is_hidden)
    above = blurred(begin, end, size, _variance(method.r, method.rounds, size)) > method.t
    upto = np.concatenate(([0], above.cumsum()))
    after = (end - begin).cumsum()
    counts = upto[after] - upto[after - (end - begin)]
    kept = Selection(page, scan.rows_from_runs(counts, end - begin)) - page.where(page.hidden)
    return bounded(kept, method.headline)


def content_code(scan: Scan, tag_out: Bools, run_out: Bools) -> tuple[Int64s, Int64s, int]:
    """Return the begin and end of each run of text in the content code vector, and its size.

    `tag_out` and `run_out` are the tags and runs of text that have no items in the vector.
    """
    code = scan.code
    counts = _not_space(code)
    _resolve_references(code, counts, scan)
    upto = np.zeros(len(code) + 1, np.int32)
    np.cumsum(counts, out=upto[1:])
    # Where a part was removed, the scan has an empty tag, which is no character of the page.
    is_seam = scan.place(scan.tag_first) == scan.place(scan.tag_last)
    first = np.concatenate((scan.tag_first[tag_out | is_seam], scan.run_first[run_out]))
    last = np.concatenate((scan.tag_last[tag_out | is_seam], scan.run_last[run_out]))
    order = first.argsort(kind="stable")
    first, last = first[order], last[order]
    missing = np.concatenate(([0], (upto[last] - upto[first]).cumsum()))

    def place(offset: Int64s) -> Int64s:
        return upto[offset].astype(np.int64) - missing[first.searchsorted(offset)]

    begin, end = place(scan.run_first), place(scan.run_last)
    return begin, np.where(run_out, begin, end), int(upto[-1] - missing[-1])


def _not_space(code: UInt8s) -> Bools:
    """Return one bool per byte: True at the first byte of a character that is printed.

    That is any character except Unicode's white space and controls.
    """
    counts: Bools = (code > ord(" ")) & ((code & 0xC0) != 0x80)
    lead = ((code == 0xC2) | ((code >= 0xE1) & (code <= 0xE3))).nonzero()[0]
    if not len(lead):
        return counts
    padded = np.append(code, np.zeros(2, np.uint8))
    first, second, third = (padded.take(lead + n).astype(np.int32) for n in range(3))
    value = (first << 16) + (second << 8) + np.where(first == 0xC2, 0, third)
    counts[lead[np.isin(value, _WIDE_SPACES)]] = False
    return counts


_WIDE_SPACES = np.array(
    [
        int.from_bytes(chr(point).encode().ljust(3, b"\0"))
        for point in range(0x80, 0x3001)
        if chr(point).isspace()
    ]
)


def _resolve_references(code: UInt8s, counts: Bools, scan: Scan) -> None:
    """Change `counts` so that a character reference counts as the characters that it stands for.

    A piece is a possible reference, from its `&` on. If it stands for n printed characters, its
    first n bytes are counted.
    """
    begin = (code == ord("&")).nonzero()[0]
    if not len(begin):
        return
    padded = np.append(code, np.zeros(_LONGEST, np.uint8))
    size = _sizes(padded, begin)
    tag = scan.tag_first.searchsorted(begin, side="right") - 1
    in_tag = (tag >= 0) & (begin < np.append(scan.tag_last, 0).take(tag))
    possible = ~in_tag | (padded.take(begin + size - 1) == ord(";"))
    begin, size = begin[possible], size[possible]
    printed = size.copy()
    for some, width in ((size <= _SHORT, _SHORT), (size > _SHORT, _LONGEST)):
        if some.any():
            printed[some] = _printed_characters(padded, begin[some], size[some], width)
    changed = printed < size
    begin, size, printed = begin[changed], size[changed], printed[changed]
    nth = np.arange(int(size.sum())) - np.repeat(size.cumsum() - size, size)
    counts[np.repeat(begin, size) + nth] = nth < np.repeat(printed, size)


def _sizes(padded: UInt8s, begin: Int64s) -> Int64s:
    """Return the number of bytes of each piece: `&`, letters and digits, and a following `;`."""
    size = np.ones(len(begin), np.int64)
    going = np.arange(len(begin))
    for n in range(1, _LONGEST - 1):
        going = going[_IN_REFERENCE.take(padded.take(begin.take(going) + n))]
        if not len(going):
            break
        size[going] += 1
    size += padded.take(begin + size) == ord(";")
    return size


def _printed_characters(padded: UInt8s, begin: Int64s, size: Int64s, width: int) -> Int64s:
    """Return how many characters that are not white space each piece stands for."""
    piece = sliding_window_view(padded, width)[begin]
    piece[np.arange(width) >= size[:, None]] = 0
    kind = np.uint64 if width == _SHORT else f"S{width}"  # numbers are sorted faster than texts
    _, first, of = np.unique(piece.view(kind).ravel(), return_index=True, return_inverse=True)
    texts = [bytes(piece[at]).rstrip(b"\0").decode() for at in first.tolist()]
    count = [sum(not character.isspace() for character in unescape(text)) for text in texts]
    return np.array(count, np.int64).take(of)


_SHORT = 8  # bytes of most references
_LONGEST = len("&CounterClockwiseContourIntegral;") + 1  # no name is longer; one byte after it
_IN_REFERENCE = np.zeros(256, np.bool_)
_IN_REFERENCE[[ord(c) for c in "#" + ascii_letters + digits]] = True


def _variance(r: int, rounds: int, size: int) -> float:
    """Return the variance of the Gaussian that is equal to all rounds.

    A vector of few items gets fewer rounds; otherwise a short page would be blurred to one value.
    """
    if r == 0:
        return 0.0
    j = np.arange(-r, r + 1)
    w = np.exp(-4.5 * np.square(j / r))  # sigma = r / 3
    of_round = float(np.sum(w * j * j) / np.sum(w))
    return of_round * min(rounds, max(1, int((_WIDEST * size) ** 2 / of_round)))


_WIDEST = 0.05  # standard deviation as a share of the vector; ours, see docs/methods

_FINENESS = 12  # cells per standard deviation: errors of 0.001, see docs/methods
_REACH = 5.0  # standard deviations beyond which a Gaussian is taken as 0


def blurred(begin: Int64s, end: Int64s, size: int, variance: float) -> Floats:
    """Return the blurred value of each content item, in order.

    The vector has `size` items; content are the stretches `begin .. end-1`, in order and disjoint.
    """
    length = end - begin
    total = int(length.sum())
    if total == 0:
        return np.zeros(0)
    cells = math.ceil(size / max(1.0, math.sqrt(variance) / _FINENESS))
    width = size / cells
    # The sum of content up to each place rises by 1 per item in stretches, and by 0 elsewhere.
    corner = np.column_stack((begin, end)).ravel()
    rise = np.column_stack((np.zeros_like(length), length)).ravel()
    upto = np.interp(np.arange(cells + 1) * width, corner, rise.cumsum())
    # Means over cells and linear interpolation blur too: they add variances of 1/12 and 1/6.
    remaining = max(0.0, variance - (width * width - 1) / 4)
    value = _gaussian(np.diff(upto) / width, math.sqrt(remaining) / width)
    item = np.arange(total) + np.repeat(begin - (length.cumsum() - length), length)
    interpolated: Floats = np.interp((item + 0.5) / width - 0.5, np.arange(cells), value)
    return interpolated


def _gaussian(values: Floats, sigma: float) -> Floats:
    """Return the values smoothed with a Gaussian, mirrored at both ends."""
    if sigma == 0:
        return values
    count, reach = len(values), math.ceil(_REACH * sigma)
    size = count + 2 * reach
    grain = 1 << max(0, size.bit_length() - 4)
    size = -(-size // grain) * grain  # at most 16 times a power of 2: fast to transform
    padded = np.pad(values, (reach, size - count - reach), "symmetric")
    response = np.exp(-2 * np.square(math.pi * sigma * np.fft.rfftfreq(size)))
    smoothed: Floats = np.fft.irfft(np.fft.rfft(padded) * response, size)[reach : reach + count]
    return smoothed
