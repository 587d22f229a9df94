"""CCB, ACCB, TCCB: content code blurring (Gottron 2008; thesis 3.3.1.3, Algorithm 7).

The content code vector c has one item per character that is not white space: 1 for content, 0 for a
character of a tag. A round of blurring is a weighted mean over r items on either side,
    c[i] <- sum(w[j] * c[i + j] for j in -r .. r),    w[j] ~ exp(-j**2 / (2 sigma**2)), sum(w) = 1,
and after the last round content with c[i] > t is kept. The document D' of Algorithm 7, in which all
other content is masked, is `CCB().masked(page)`. ACCB leaves the tags of anchors out of the vector.
TCCB has one item per token, a tag or a word. The weights w can be given: any odd number of them,
not only those of a Gaussian.

Several rounds of a Gaussian are one wider Gaussian of variance rounds * sum(w[j] * j**2).

Departures: the only true fixed point is a constant, so the stop criterion is a number of rounds;
after n rounds, one more moves a single edge between content and code by at most 0.12 / n. A short
page has fewer rounds, but at least one, so that the standard deviation is at most a twentieth of
the vector. sigma is r / 3, since sigma and rounds only change the variance. The vector is mirrored
at its ends, so that a page of text without tags is content. The wide Gaussian is computed on cells
of a twelfth of its standard deviation, with linear interpolation between their middles; with given
weights all rounds are computed exactly, as one product in the frequency domain. Character
references are resolved (`&amp;`, `&ampb`), in tags only those that end in `;`; white space is
Unicode's, also when written as a reference. The tokens of TCCB are those of the parsed tree. A text
is kept when more than half of its characters (TCCB: words) are. Hidden text is neither counted nor
kept. With a headline (`thresher.methods.common.headline_bound`) text outside its bounds is not
kept. In D' a character reference that is kept stays as written, one of which a character is masked
becomes as many replacements as it has characters, and hidden text is masked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import unescape
from string import ascii_letters, digits
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from thresher.errors import UsageError
from thresher.methods.common.headline_bound import (
    HeadlineBy,
    bounded,
    bounds,
    has_bound,
    headline_of,
)
from thresher.methods.common.option_checks import Options, Range
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Floats, Int64s, UInt8s
from thresher.page.arrays import run_bounds
from thresher.page.scan import Scan

_Radius: TypeAlias = Annotated[int, Range(0, 10_000)]
_Threshold: TypeAlias = Annotated[float, Range(0, 1, without=(1,))]


class _Blurring(Options):
    """Base class: the options that say how a vector is blurred."""

    __slots__ = ()
    r: int
    rounds: int
    w: tuple[float, ...]

    def __post_init__(self) -> None:
        """Raise `UsageError` for the first option that is not as declared."""
        Options.__post_init__(self)
        if self.w and (len(self.w) % 2 == 0 or len(self.w) > _MOST_WEIGHTS or not sum(self.w)):
            raise UsageError(
                f"w of {self.method_name()} has {len(self.w):,} weights with the sum {sum(self.w)}:"
                f" give an odd number of them, at most {_MOST_WEIGHTS:,}, not all 0."
            )

    def blur(self, begin: Int64s, end: Int64s, size: int) -> Floats:
        """Return the value of each content item after all rounds; see `blurred`."""
        w = np.array(self.w) / sum(self.w) if self.w else _gaussian_weights(self.r)
        of_round = _variance(w)
        rounds = self.rounds
        if of_round > 0:  # a vector of few items gets fewer rounds, or it would become one value
            rounds = min(rounds, max(1, int((_WIDEST * size) ** 2 / of_round)))
        if self.w:
            return blurred_by(begin, end, size, w, rounds)
        return blurred(begin, end, size, rounds * of_round)


_MOST_WEIGHTS = 20_001  # as many as those of the largest r


class _CharacterMethod(_Blurring):
    """Base class: keep the characters whose blurred value is above a threshold."""

    __slots__ = ()
    t: float
    headline: str
    headline_by: HeadlineBy
    subtree: bool

    def left_out(self, scan: Scan) -> Bools:
        """Return one bool per tag: True if its characters are not in the vector."""
        raise NotImplementedError

    def __call__(self, page: Page) -> Selection:
        """Return the texts whose blurred characters are mostly above t."""
        return bounded(self._without_bounds(page), self)

    def _without_bounds(self, page: Page) -> Selection:
        begin, end, values = self._ratios(page)
        upto = np.concatenate(([0], (values > self.t).cumsum()))
        after = (end - begin).cumsum()
        counts = upto[after] - upto[after - (end - begin)]
        kept = Selection(page, page.scan.rows_from_runs(counts, end - begin))
        return kept - page.where(page.hidden)

    def _ratios(self, page: Page) -> tuple[Int64s, Int64s, Floats]:
        """Return the begin and end of each run of text, and the values of their characters."""
        scan = page.scan
        begin, end, size = content_code(scan, self.left_out(scan), _hidden_runs(page))
        return begin, end, self.blur(begin, end, size)

    def vectors(self, page: Page) -> tuple[Bools, Floats]:
        """Return the content code vector (True for content), and the same after blurring."""
        begin, end, size = content_code(page.scan, self.left_out(page.scan), _hidden_runs(page))
        edge = np.bincount(begin, minlength=size + 1) - np.bincount(end, minlength=size + 1)
        is_content: Bools = edge.cumsum()[:size] > 0
        values = np.zeros(size)
        values[is_content] = self.blur(begin, end, size)
        # Blurring is linear and keeps constants: code blurred as content is 1 minus the rest.
        begin, end = np.append(0, end), np.append(begin, size)
        values[~is_content] = 1 - self.blur(begin[end > begin], end[end > begin], size)
        return is_content, values

    def masked(self, page: Page, replacement: str = "_") -> str:
        """Return D', the source in which the characters that are not main content are replaced.

        Tags, white space, comments, scripts and styles stay. The decision is for each character,
        whereas a selection has whole texts.
        """
        if len(replacement) != 1 or replacement in "<>&":
            raise UsageError(
                f"the replacement is {replacement!r}: give one character other than <, > and &."
            )
        scan = page.scan
        characters = _Characters.of(scan)
        at, run = characters.in_text(scan)
        hidden = _hidden_runs(page)[run]
        is_masked = hidden.copy()
        is_masked[~hidden] = self._ratios(page)[2] <= self.t
        limits = None
        if has_bound(self):
            limits = bounds(self._without_bounds(page), headline_of(page, self))
        if limits is not None:
            row = np.append(page.text_rows, limits[0])[scan.run_text[run]]
            outside = (row < limits[0]) | (row >= limits[1])
            is_masked = outside | (hidden if self.subtree else is_masked)
        replaced, removed = characters.whole_references(at[is_masked])
        text = np.frombuffer(page.source.encode("utf-32-le", "surrogatepass"), np.uint32).copy()
        text[scan.offsets_in_source(replaced)] = ord(replacement)
        kept = np.delete(text, scan.offsets_in_source(removed))
        return kept.tobytes().decode("utf-32-le", "surrogatepass")


def _hidden_runs(page: Page) -> Bools:
    """Return one bool per run of text: True if its text is hidden."""
    return np.append(page.hidden[page.text_rows], False)[page.scan.run_text]


@dataclass(frozen=True, slots=True)
class CCB(_CharacterMethod):
    """Keep the characters that have mostly content around them."""

    r: _Radius = 40  # characters on either side; as ACCB-40 of the thesis, Tables 4.4 to 4.6
    rounds: int = 200  # swept on wcxb-dev and fundus, see docs/methods
    t: _Threshold = 0.3  # swept on wcxb-dev and fundus, see docs/methods
    w: tuple[float, ...] = ()  # weights of 2 delta + 1 characters; (): a Gaussian of range r
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def left_out(self, scan: Scan) -> Bools:
        """Return one bool per tag: all tags are in the vector."""
        return np.zeros(len(scan.tag_first), np.bool_)


@dataclass(frozen=True, slots=True)
class ACCB(_CharacterMethod):
    """Keep the characters that have mostly content around them, not counting tags of anchors."""

    r: _Radius = 40  # characters on either side; thesis, Tables 4.4 to 4.6: ACCB-40
    rounds: int = 50  # swept on wcxb-dev and fundus, see docs/methods
    t: _Threshold = 0.5  # swept on wcxb-dev and fundus, see docs/methods
    w: tuple[float, ...] = ()  # weights of 2 delta + 1 characters; (): a Gaussian of range r
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def left_out(self, scan: Scan) -> Bools:
        """Return one bool per tag: the tags of anchors are not in the vector."""
        return scan.opens_anchor | scan.closes_anchor


@dataclass(frozen=True, slots=True)
class TCCB(_Blurring):
    """Keep the words that have mostly words around them."""

    r: _Radius = 25  # tokens on either side; thesis, Tables 4.4 to 4.6: TCCB-18 and TCCB-25
    rounds: int = 3  # swept on wcxb-dev and fundus, see docs/methods
    t: _Threshold = 0.6  # swept on wcxb-dev and fundus, see docs/methods
    w: tuple[float, ...] = ()  # weights of 2 delta + 1 tokens; (): a Gaussian of range r
    headline: str = ""  # of the article, if known: a bound (thesis 7.2.1)
    headline_by: HeadlineBy = "given"  # how to find it otherwise; thesis: "titlefinder"
    subtree: bool = False  # keep all text between the bounds; thesis 7.2.1 read literally

    def __call__(self, page: Page) -> Selection:
        """Return the texts whose blurred words are mostly above t."""
        tokens = page.tokens
        counted = ~(tokens.is_word & page.hidden[tokens.row])
        is_word, row = tokens.is_word[counted], tokens.row[counted]
        first, last = run_bounds(is_word)
        ratio = self.blur(first, last + 1, len(is_word))
        kept_words = np.bincount(row[is_word][ratio > self.t], minlength=len(page))
        return bounded(page.where(2 * kept_words > page.words), self)


def content_code(scan: Scan, tag_out: Bools, run_out: Bools) -> tuple[Int64s, Int64s, int]:
    """Return the begin and end of each run of text in the content code vector, and its size.

    `tag_out` and `run_out` are the tags and runs of text that have no items in the vector.
    """
    code = scan.code
    counts = _Characters.of(scan).counts
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


class _Characters(NamedTuple):
    """The printed characters of a page, with references resolved."""

    counts: Bools  # one bool per byte; a reference to n printed characters has its first n bytes
    begin: Int64s  # of each reference: its first byte
    size: Int64s  # its bytes
    printed: Int64s  # the printed characters that it stands for

    @classmethod
    def of(cls, scan: Scan) -> _Characters:
        """Return the printed characters of a scan."""
        counts = _not_space(scan.code)
        found = cls(counts, *_references(scan))
        byte, nth, of = found.bytes_of_references()
        counts[byte] = nth < found.printed[of]
        return found

    def bytes_of_references(self) -> tuple[Int64s, Int64s, Int64s]:
        """Return all bytes of references, their places in the reference, and its index."""
        of = np.repeat(np.arange(len(self.size)), self.size)
        nth = np.arange(len(of)) - (self.size.cumsum() - self.size)[of]
        return self.begin[of] + nth, nth, of

    def in_text(self, scan: Scan) -> tuple[Int64s, Int64s]:
        """Return the counted bytes in runs of text, in order, and the run of each."""
        at = self.counts.nonzero()[0]
        run = scan.run_first.searchsorted(at, side="right") - 1
        in_run = run >= 0
        in_run[in_run] = at[in_run] < scan.run_last[run[in_run]]
        return at[in_run], run[in_run]

    def whole_references(self, chosen: Int64s) -> tuple[Int64s, Int64s]:
        """Return the bytes to replace for the chosen characters, and those to remove.

        A reference of which a character is chosen is replaced as a whole: a byte for each
        character that it stands for; its other bytes are removed.
        """
        is_chosen = np.zeros(len(self.counts), np.bool_)
        is_chosen[chosen] = True
        byte, nth, of = self.bytes_of_references()
        is_whole = np.bincount(of, is_chosen[byte], len(self.size)) > 0
        counts = nth < self.printed[of]
        is_chosen[byte] = is_whole[of] & counts
        return is_chosen.nonzero()[0], byte[is_whole[of] & ~counts]


def _references(scan: Scan) -> tuple[Int64s, Int64s, Int64s]:
    """Return the first byte, the bytes and the printed characters of each character reference.

    A piece is a possible reference, from its `&` on. It is one if it stands for fewer printed
    characters than it has bytes.
    """
    code = scan.code
    begin = (code == ord("&")).nonzero()[0]
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
    return begin[changed], size[changed], printed[changed]


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


def _gaussian_weights(r: int) -> Floats:
    """Return the weights of a Gaussian on r items on either side; its sigma is a third of r."""
    weights = np.exp(-4.5 * np.square(np.arange(-r, r + 1) / max(r, 1)))
    w: Floats = weights / weights.sum()
    return w


def _variance(w: Floats) -> float:
    """Return the variance that a round of blurring with the weights adds."""
    j = np.arange(len(w))
    return float(np.sum(w * np.square(j - np.sum(w * j))))


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


def blurred_by(begin: Int64s, end: Int64s, size: int, w: Floats, rounds: int) -> Floats:
    """Return the value of each content item after rounds of blurring with the weights `w`.

    As `blurred`, but exact and for any weights of the sum 1: the vector goes on as its mirror
    image, and each round multiplies its Fourier transform by that of the weights.
    """
    edge = np.bincount(begin, minlength=size + 1) - np.bincount(end, minlength=size + 1)
    is_content: Bools = edge.cumsum()[:size] > 0
    if not is_content.any():
        return np.zeros(0)
    offset = np.arange(len(w)) - len(w) // 2
    reach = rounds * (len(w) // 2)  # items that have a part in a value, on either side
    if 2 * reach < size:
        length = _fast_length(size + 2 * reach)
        vector = np.pad(is_content, (reach, length - size - reach), "symmetric")
    else:
        reach, length = 0, 2 * size  # the vector and its image are one period
        vector = np.concatenate((is_content, is_content[::-1]))
    kernel = np.bincount(offset % length, w, length)
    response = np.fft.rfft(kernel).conj() ** rounds  # item i gets w[j] of item i + j
    values: Floats = np.fft.irfft(np.fft.rfft(vector.astype(np.float64)) * response, length)
    return values[reach : reach + size][is_content]


def _fast_length(least: int) -> int:
    """Return the first length from `least` on that is fast to transform.

    That is at most 16 times a power of 2.
    """
    grain = 1 << max(0, least.bit_length() - 4)
    return -(-least // grain) * grain


def _gaussian(values: Floats, sigma: float) -> Floats:
    """Return the values smoothed with a Gaussian, mirrored at both ends."""
    if sigma == 0:
        return values
    count, reach = len(values), math.ceil(_REACH * sigma)
    size = _fast_length(count + 2 * reach)
    padded = np.pad(values, (reach, size - count - reach), "symmetric")
    response = np.exp(-2 * np.square(math.pi * sigma * np.fft.rfftfreq(size)))
    smoothed: Floats = np.fft.irfft(np.fft.rfft(padded) * response, size)[reach : reach + count]
    return smoothed
