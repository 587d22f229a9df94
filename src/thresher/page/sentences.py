"""Sentences of a text: where each one begins.

A sentence ends with a stop, the quotes, brackets and note numbers that close after it, and white
space. It does not end

- before a lower-case letter ("Yahoo! is", "approx. five"), unless the text has no capitals at all;
- after an initial or letters with dots between them ("J. Smith", "U.S. Army", "z. B. Berlin");
- after an abbreviation of the table below ("Dr. Watson"), or before a number after one of those
  that numbers follow ("No. 5", "Fig. 3");
- after a number of one or two digits, which is an ordinal in many languages ("am 3. Mai") or the
  number of a list item.

The stops of Chinese, Japanese, Hindi, Urdu, Arabic, Armenian, Burmese and Khmer need no white space
after them, and neither do `!` and `?` between characters of scripts without spaces. A quotation
that ends before the Japanese particle と, or before a comma, is part of its sentence. Thai and Lao
have no stops: their texts end where a paragraph ends.

The rules prefer to join two sentences over dividing one: "He was 21. The next year" is one here.
"""

from __future__ import annotations

import re
from itertools import pairwise

from thresher.page.words import UNSPACED

_FREE_STOPS = "。！？｡؟۔।॥։။។"  # end a sentence without white space after them
_STOPS = f".!?…‽\u037e።፧{_FREE_STOPS}"
_CLOSERS = "\"'”’»›)\\]}」』】）》〉"
_NOTE = r"\[[^\s\[\]]{1,8}\]"  # the number of a footnote, as in "the end.[12]"

_END = re.compile(
    rf"(?P<stop>[{_STOPS}]++)(?P<close>(?:{_NOTE}|[{_CLOSERS}]|[\u00b9\u00b2\u00b3\u2070-\u2079])*+)"
    rf"(?P<space>\s*+)"
)
_OPENERS = re.compile(r"""["'“‘«»„‚‹›(\[{¿¡「『【（《〈—–•*-]*+""")
_WORD_BEFORE = re.compile(r"[\w.]+\Z")
_LONGEST_ABBREVIATION = 20  # characters that are read before a stop
_UNSPACED = re.compile(f"[{UNSPACED}]")
_STOP_GAP = re.compile(r"(?<=[.!?؟۔…।])\s+|(?<=[。！？])(?=.)", re.S)
_CONTINUES = frozenset("と、，,")  # after a quotation without white space

# Abbreviations that a capital follows within a sentence. Those that usually end one ("etc.",
# "Inc.", "usw.") are left out: before a lower-case letter no sentence ends anyway.
ABBREVIATIONS = frozenset(
    """
    mr mrs ms messrs dr drs prof rev hon st ste sr sra srta gen col maj capt cpt lt sgt cmdr adm
    gov sen rep pres supt insp vs cf al viz incl mme mlle mgr bd av dña sto sta exmo exma sig dott
    hr fr frl dipl ing mag bzw ca ggf vgl sog evtl inkl zzgl bspw dhr mevr
    ул им пр пл просп проф акад см тов гр св tzv tzw np ul im inż doç sn
    """.split()
)
# Abbreviations that a number follows.
BEFORE_NUMBERS = frozenset(
    """
    no nos nr nrs núm num n° fig figs eq eqs p pp pg s ss f ff vol vols bd bde ch chap sec sect art
    arts abs kap tab abb ex ed iss pt pts lit jan feb febr mar apr jun jul aug sep sept oct okt nov
    dec dez déc рис стр табл гл ст №
    """.split()
)


def sentence_starts(text: str) -> list[int]:
    """Return where the sentences of a text begin, without the first one."""
    starts: list[int] = []
    has_capitals: bool | None = None  # computed when it is first needed
    for found in _END.finditer(text):
        start = found.end()
        if start == len(text) or not found.start() or not _may_end(text, found):
            continue
        following = _first_letter(text, start)
        if following.islower():
            has_capitals = not text.islower() if has_capitals is None else has_capitals
            if has_capitals:
                continue
        if found["stop"] == "." and _is_abbreviated(text, found.start(), following):
            continue
        starts.append(start)
    return starts


def sentences(text: str) -> list[str]:
    """Return the sentences of a text without the white space around them."""
    bounds = [0, *sentence_starts(text), len(text)]
    pieces = (text[begin:end].strip() for begin, end in pairwise(bounds))
    return [piece for piece in pieces if piece]


def _may_end(text: str, found: re.Match[str]) -> bool:
    """Return whether white space follows the stop, or it is one that needs none."""
    if found["space"]:
        return True
    following = text[found.end()]
    if found["stop"][-1] in _FREE_STOPS:
        return not (found["close"] and following in _CONTINUES)
    return found["stop"][-1] in "!?" and _UNSPACED.match(following) is not None


def _first_letter(text: str, start: int) -> str:
    """Return the first character from `start` on that opens no quotation; "" at the end."""
    opening = _OPENERS.match(text, start)
    at = opening.end() if opening else start
    return text[at : at + 1]


def _is_abbreviated(text: str, end: int, following: str) -> bool:
    """Return whether the word before a dot at `end` is abbreviated or a short number."""
    before = _WORD_BEFORE.search(text[max(end - _LONGEST_ABBREVIATION, 0) : end])
    if before is None:
        return False
    *_, word = before[0].casefold().split(".")
    if word.isdecimal():
        return len(word) <= 2 and "." not in before[0]
    if len(word) == 1:
        return word.islower()  # a letter of a script with capitals
    if following.isdecimal() and word in BEFORE_NUMBERS:
        return True
    return word in ABBREVIATIONS


def split_at_stops(text: str) -> list[str]:
    """Split a text after every stop, also after those of abbreviations.

    This is how the thesis' methods read a sentence; `sentences` divides fewer of them.
    """
    return _STOP_GAP.split(text)
