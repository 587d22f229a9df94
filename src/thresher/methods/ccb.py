"""CCB, ACCB, TCCB: content code blurring (Gottron 2008; thesis 3.3.1.3, Algorithm 7).

The content code vector c has an item for each character that is not white space, 1 for content
and 0 for a character of a tag. A round of blurring is a weighted mean over r items on either side,
    c[i] <- sum(w[j] * c[i + j] for j in -r .. r),    w[j] ~ exp(-j**2 / (2 sigma**2)), sum(w) = 1,
and after the last round content with c[i] > t is kept. ACCB leaves the tags of anchors out of the
vector. TCCB has an item for each token, a tag or a word.

Rounds of a Gaussian are one wider Gaussian: variances add up, to rounds * sum(w[j] * j**2).

Departures: a true fixed point is a constant, so the stop criterion is a number of rounds; after n
of them one more moves a lone edge between content and code by 0.12 / n at most. A short page has
fewer rounds, at least one: the standard deviation stays within a twentieth of the vector. sigma is
r / 3, as sigma and rounds change the sum alone. Beyond its ends the vector is mirrored: a page of
text alone is content. The wide Gaussian is computed on cells of a twelfth of its deviation, and
between their middles a straight line is taken. Character references are resolved (`&amp;`,
`&ampb`), in tags those that end in `;`; white space is Unicode's, written as it is or as a
reference. The tokens of TCCB are those of the parsed tree. A text is kept when more than half of
its characters (words) are. Hidden text is neither counted nor kept. With a headline (see
`thresher.methods.common.headline_bound`) what lies outside its bounds is not kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import unescape
from string import ascii_letters, digits

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from thresher.errors import UsageError
from thresher.methods.common.headline_bound import bounded
from thresher.methods.common.option_checks import whole
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int64s, UInt8s
from thresher.page.arrays import run_bounds
from thresher.page.scan import Scan


@dataclass(frozen=True, slots=True)
class CCB:
    """Keep the characters that have mostly content around them."""

    r: int = 40  # characters on either side; thesis 4.4.3 names ACCB-40
    rounds: int = 200  # swept on wcxb-dev and fundus, see docs/methods
    t: float = 0.3  # swept on wcxb-dev and fundus, see docs/methods
    headline: str = ""  # of the article, when known: a bound (thesis 7.2.1)

    def __post_init__(self) -> None:
        """Check the options."""
        _check(self.r, self.rounds, self.t)

    def __call__(self, page: Page) -> Selection:
        """Blur the characters of the source, then choose the texts that stay above t."""
        return _by_characters(page, np.zeros(len(page.scan.tag_first), np.bool_), self)


@dataclass(frozen=True, slots=True)
class ACCB:
    """Keep the characters that have mostly content around them, tags of anchors left out."""

    r: int = 40  # characters on either side; thesis 4.4.3 names ACCB-40
    rounds: int = 50  # swept on wcxb-dev and fundus, see docs/methods
    t: float = 0.5  # swept on wcxb-dev and fundus, see docs/methods
    headline: str = ""  # of the article, when known: a bound (thesis 7.2.1)

    def __post_init__(self) -> None:
        """Check the options."""
        _check(self.r, self.rounds, self.t)

    def __call__(self, page: Page) -> Selection:
        """Blur the characters of the source, then choose the texts that stay above t."""
        return _by_characters(page, page.scan.opens_anchor | page.scan.closes_anchor, self)


@dataclass(frozen=True, slots=True)
class TCCB:
    """Keep the words that have mostly words around them."""

    r: int = 25  # tokens on either side; thesis 4.4.3 names TCCB-18 and TCCB-25
    rounds: int = 3  # swept on wcxb-dev and fundus, see docs/methods
    t: float = 0.6  # swept on wcxb-dev and fundus, see docs/methods
    headline: str = ""  # of the article, when known: a bound (thesis 7.2.1)

    def __post_init__(self) -> None:
        """Check the options."""
        _check(self.r, self.rounds, self.t)

    def __call__(self, page: Page) -> Selection:
        """Blur the tokens, then choose the texts whose words stay above t."""
        tokens = page.tokens
        counted = ~(tokens.is_word & page.hidden[tokens.row])
        is_word, row = tokens.is_word[counted], tokens.row[counted]
        first, last = run_bounds(is_word)
        ratio = blurred(first, last + 1, len(is_word), _variance(self.r, self.rounds, len(is_word)))
        chosen = np.bincount(row[is_word][ratio > self.t], minlength=len(page))
        return bounded(page.where(2 * chosen > page.words), self.headline)


def _check(r: int, rounds: int, t: float) -> None:
    whole(0, _FARTHEST, r=r)
    whole(0, rounds=rounds)
    if not 0 <= t < 1:
        raise UsageError(f"t is {t}: give a number from 0 up to 1, without 1.")


def _by_characters(page: Page, left_out: Bools, chosen: CCB | ACCB) -> Selection:
    """Blur characters; the tags of `left_out` have none."""
    scan = page.scan
    is_hidden = np.append(page.hidden[page.text_rows], False)[scan.run_text]
    begin, end, size = content_code(scan, left_out, is_hidden)
    above = blurred(begin, end, size, _variance(chosen.r, chosen.rounds, size)) > chosen.t
    upto = np.concatenate(([0], above.cumsum()))
    after = (end - begin).cumsum()
    counts = upto[after] - upto[after - (end - begin)]
    found = Selection(page, scan.rows_from_runs(counts, end - begin)) - page.where(page.hidden)
    return bounded(found, chosen.headline)


def content_code(scan: Scan, tag_out: Bools, run_out: Bools) -> tuple[Int64s, Int64s, int]:
    """Return where each run of text begins and ends in the content code vector, and its size."""
    code = scan.code
    counts = _not_space(code)
    _resolve(code, counts, scan)
    upto = np.zeros(len(code) + 1, np.int32)
    np.cumsum(counts, out=upto[1:])
    # Seams, where something was cut out, are tags to the scan but no characters of the page.
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
    """Tell which bytes begin a character that is neither Unicode's white space nor a control."""
    counts: Bools = (code > ord(" ")) & ((code & 0xC0) != 0x80)
    lead = ((code == 0xC2) | ((code >= 0xE1) & (code <= 0xE3))).nonzero()[0]
    if not len(lead):
        return counts
    first, second, third = (
        np.append(code, _TWO_MORE).take(lead + n).astype(np.int32) for n in range(3)
    )
    value = (first << 16) + (second << 8) + np.where(first == 0xC2, 0, third)
    counts[lead[np.isin(value, _WIDE_SPACES)]] = False
    return counts


_TWO_MORE = np.zeros(2, np.uint8)
_WIDE_SPACES = np.array(
    [
        int.from_bytes(chr(point).encode().ljust(3, b"\0"))
        for point in range(0x80, 0x3001)
        if chr(point).isspace()
    ]
)


def _resolve(code: UInt8s, counts: Bools, scan: Scan) -> None:
    """Let each character reference count as the characters that it stands for.

    A piece is what may be a reference, from its `&` on; the first of its bytes count instead.
    """
    begin = (code == ord("&")).nonzero()[0]
    if not len(begin):
        return
    padded = np.append(code, np.zeros(_LONGEST, np.uint8))
    size = _sizes(padded, begin)
    tag = scan.tag_first.searchsorted(begin, side="right") - 1
    in_tag = (tag >= 0) & (begin < np.append(scan.tag_last, 0).take(tag))
    asked = ~in_tag | (padded.take(begin + size - 1) == ord(";"))
    begin, size = begin[asked], size[asked]
    solid = size.copy()
    for some, width in ((size <= _SHORT, _SHORT), (size > _SHORT, _LONGEST)):
        if some.any():
            solid[some] = _solid(padded, begin[some], size[some], width)
    changed = solid < size
    begin, size, solid = begin[changed], size[changed], solid[changed]
    nth = np.arange(int(size.sum())) - np.repeat(size.cumsum() - size, size)
    counts[np.repeat(begin, size) + nth] = nth < np.repeat(solid, size)


def _sizes(padded: UInt8s, begin: Int64s) -> Int64s:
    """Return how many bytes each piece has: `&`, letters and digits, and `;` if it follows."""
    size = np.ones(len(begin), np.int64)
    going = np.arange(len(begin))
    for n in range(1, _LONGEST - 1):
        going = going[_IN_REFERENCE.take(padded.take(begin.take(going) + n))]
        if not len(going):
            break
        size[going] += 1
    size += padded.take(begin + size) == ord(";")
    return size


def _solid(padded: UInt8s, begin: Int64s, size: Int64s, width: int) -> Int64s:
    """Return how many characters that are not white space each piece stands for."""
    piece = sliding_window_view(padded, width)[begin]
    piece[np.arange(width) >= size[:, None]] = 0
    kind = np.uint64 if width == _SHORT else f"S{width}"  # numbers are sorted sooner than texts
    _, first, of = np.unique(piece.view(kind).ravel(), return_index=True, return_inverse=True)
    texts = [bytes(piece[at]).rstrip(b"\0").decode() for at in first.tolist()]
    found = [sum(not character.isspace() for character in unescape(text)) for text in texts]
    return np.array(found, np.int64).take(of)


_SHORT = 8  # bytes of most references
_LONGEST = len("&CounterClockwiseContourIntegral;") + 1  # no name is longer; one byte after it
_IN_REFERENCE = np.zeros(256, np.bool_)
_IN_REFERENCE[[ord(c) for c in "#" + ascii_letters + digits]] = True


def _variance(r: int, rounds: int, size: int) -> float:
    """Return the variance of the Gaussian that so many rounds amount to, fewer when size is small.

    Blurred more widely, all of a short page would have one value.
    """
    if r == 0:
        return 0.0
    j = np.arange(-r, r + 1)
    w = np.exp(-4.5 * np.square(j / r))  # sigma = r / 3
    each = float(np.sum(w * j * j) / np.sum(w))
    return each * min(rounds, max(1, int((_WIDEST * size) ** 2 / each)))


_FARTHEST = 10_000  # items on either side in a round
_WIDEST = 0.05  # standard deviation as a share of the vector; ours, see docs/methods

_FINENESS = 12  # cells to a standard deviation: errors of 0.001, see docs/methods
_REACH = 5.0  # standard deviations after which a Gaussian is nothing


def blurred(begin: Int64s, end: Int64s, size: int, variance: float) -> Floats:
    """Return the blurred value of each content item, in order.

    The vector has `size` items; content are the stretches `begin .. end-1`, in order and apart.
    """
    length = end - begin
    total = int(length.sum())
    if total == 0:
        return np.zeros(0)
    cells = math.ceil(size / max(1.0, math.sqrt(variance) / _FINENESS))
    width = size / cells
    # The content up to each place rises by 1 an item inside stretches and is level outside.
    corner = np.column_stack((begin, end)).ravel()
    rise = np.column_stack((np.zeros_like(length), length)).ravel()
    upto = np.interp(np.arange(cells + 1) * width, corner, rise.cumsum())
    # Means over cells (1/12) and straight lines between them (1/6) blur as well, as variances.
    left = max(0.0, variance - (width * width - 1) / 4)
    value = _gaussian(np.diff(upto) / width, math.sqrt(left) / width)
    item = np.arange(total) + np.repeat(begin - (length.cumsum() - length), length)
    found: Floats = np.interp((item + 0.5) / width - 0.5, np.arange(cells), value)
    return found


def _gaussian(values: Floats, sigma: float) -> Floats:
    """Smooth with a Gaussian, the values mirrored at both ends."""
    if sigma == 0:
        return values
    count, reach = len(values), math.ceil(_REACH * sigma)
    size = count + 2 * reach
    grain = 1 << max(0, size.bit_length() - 4)
    size = -(-size // grain) * grain  # at most 16 times a power of 2: quick to transform
    padded = np.pad(values, (reach, size - count - reach), "symmetric")
    response = np.exp(-2 * np.square(math.pi * sigma * np.fft.rfftfreq(size)))
    found: Floats = np.fft.irfft(np.fft.rfft(padded) * response, size)[reach : reach + count]
    return found
