"""The language of a text by its letters, where they decide: for pages that name none.

Most scripts have one language that nearly all pages in them are written in: Greek, Hebrew, Thai,
Korean, Tamil. Where several share a script (Cyrillic, Arabic, Devanagari, Bengali), letters that
one of them has and the others have not must be frequent enough, and those of the others must be
absent. Latin letters decide nothing. No answer is better than a wrong one: a text in two scripts,
a short one, or one without such letters has no language here.

The share of a letter is that of all letters of its script. Code points are those of
https://www.unicode.org/Public/UNIDATA/Scripts.txt.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.page import Page, Selection
from thresher.page.array_types import Floats, Int64s, UInt8s

_READ = 20_000  # characters of a text that are looked at
_FEWEST = 20  # letters from which a script tells its language,
_FEWEST_SHARED = 100  # and from which letters of a script with several do
_MOST_OTHER = 0.4  # share of letters of other scripts, such as English names
_SYLLABLE = 3  # letters of an alphabet that one of Han, Kana or Hangul stands for

# A script, its blocks, and the language that nearly all pages in it have ("" if none has).
_SCRIPTS = (
    ("latin", "0041-005a 0061-007a 00c0-024f 1e00-1eff", ""),
    ("greek", "0370-03ff 1f00-1fff", "el"),
    ("cyrillic", "0400-052f", ""),
    ("armenian", "0531-0588", "hy"),
    ("hebrew", "05d0-05f2", ""),
    ("arabic", "0620-064a 066e-06d5 06ee-06ff 0750-077f 08a0-08c7 fb50-fdff fe70-fefc", ""),
    ("thaana", "0780-07b1", "dv"),
    ("devanagari", "0904-0963 0971-097f", ""),
    ("bengali", "0985-09e3 09f0-09f1", ""),
    ("gurmukhi", "0a05-0a74", "pa"),
    ("gujarati", "0a85-0ae3", "gu"),
    ("oriya", "0b05-0b63", "or"),
    ("tamil", "0b83-0bd7", "ta"),
    ("telugu", "0c05-0c63", "te"),
    ("kannada", "0c85-0ce3", "kn"),
    ("malayalam", "0d05-0d63", "ml"),
    ("sinhala", "0d85-0ddf", "si"),
    ("thai", "0e01-0e4d", "th"),
    ("lao", "0e81-0edf", "lo"),
    ("tibetan", "0f40-0fbc", ""),
    ("myanmar", "1000-103f 1050-109f", ""),
    ("georgian", "10a0-10ff 1c90-1cbf", "ka"),
    ("ethiopic", "1200-137c", ""),
    ("khmer", "1780-17d3", "km"),
    ("kana", "3041-3096 30a1-30fa", ""),
    ("hangul", "1100-11ff 3131-318e ac00-d7a3", "ko"),
    ("han", "3400-4dbf 4e00-9fff f900-faff", ""),
)
_NUMBER = {name: number for number, (name, _, _) in enumerate(_SCRIPTS, 1)}


class _Rule(NamedTuple):
    """A language, letters that must have a share, and letters that must not."""

    language: str
    least: tuple[tuple[str, float], ...]
    without: str
    most: float = 0.001  # share of those letters


def _rule(language: str, least: str, without: str, most: float = 0.001) -> _Rule:
    """Read a rule: `ы .005 о .07` asks for a share of each group of letters."""
    words = least.split()
    pairs = zip(words[::2], map(float, words[1::2]), strict=True)
    return _Rule(language, tuple(pairs), without, most)


# Shares are well below those of running text, in which, say, a Russian letter in 50 is ы. Languages
# that write with the same letters as a much larger one are taken for it (Dari for Persian).
_TURKIC = "әғқңұүөһҳҷӣӯҡҙҫҗӗӑӕӀӏҥӧӝ"
_PERSIAN, _URDU, _PASHTO = "پچژگ", "ٹڈڑےںہ", "ښځڅټډړږڼۍګ"
_SINDHI, _KURDISH, _UYGHUR = "ڪٿڏڌٻڀڳڱڻڊڄڃٽڦ", "ێڵڕۆ", "ۈۋڭۇ"
_OTHERS = "ڠڤݢڬڽۏۑؤؽۊۉۄٲؠ"  # Malay, South Azerbaijani, Gilaki, Luri, Kashmiri
_REST = _SINDHI + _KURDISH + _UYGHUR
_RULES = {
    "cyrillic": (
        _rule("ru", "ы .007 о .07 и .03", f"іїєґўјљњђћџѓќѕ{_TURKIC}"),
        _rule("uk", "їє .005 і .02", f"ыэъёўјљњђћ{_TURKIC}", 0.002),
        _rule("be", "ў .005 і .02 ы .005", f"иїєґщјљњ{_TURKIC}", 0.002),
        _rule("bg", "ъ .006 и .03", f"ыэёіїєґўјљњђћ{_TURKIC}"),
        _rule("sr", "ђћ .003 ј .01", f"ыэъёщйіїєўѓќѕ{_TURKIC}"),
        _rule("mk", "ѓќ .0005 ј .01", f"ыэъёщйіїєўђћ{_TURKIC}", 0.0005),
        _rule("kk", "ұ .003 қ .005 і .01", "їєґўјљњҳҷӣӯҡҙҫҗ"),
        _rule("mn", "ө .008 ү .008", "әғқңұһіїєґўјҳҷӣӯҡҙҫҗ"),
        _rule("tg", "ҷ .002 ӣ .002 қ .003", "ыщәңұүөһіїєґўј"),
        _rule("uz", "ў .005 қ .005 ҳ .003", "ыщәңұүөһіїєґјҷӣӯ"),
    ),
    "arabic": (
        _rule("ar", "ة .006 ي .02", f"{_PERSIAN}{_URDU}{_PASHTO}{_REST}", 0.003),
        _rule("fa", f"{_PERSIAN} .01", f"ة{_URDU}{_PASHTO}{_REST}{_OTHERS}", 0.003),
        _rule("ur", "ٹڈڑ .002 ے .01 ںہ .02", f"ة{_PASHTO}{_REST}ݨۄٲؠ", 0.002),
        _rule("ps", "ښځڅټږڼۍ .01", f"ة{_REST}ٹڈڑے", 0.002),
        _rule("sd", "ڪٿڏڌٻڀڳڱڻ .02", f"ة{_KURDISH}{_UYGHUR}ٹڈڑے", 0.002),
        _rule("ckb", "ێ .005 ۆ .005 ڵڕ .005", f"ة{_URDU}{_PASHTO}{_SINDHI}ۈۋڭ", 0.003),
        _rule("ug", "ۈ .003 ۇ .005 ېۋڭ .01", f"ة{_URDU}{_SINDHI}ێڵڕښځڅ", 0.003),
    ),
    "hebrew": (_rule("he", "ה .03 י .03", "עװױײ", 0.07),),  # in Yiddish ע is a frequent vowel
    "devanagari": (
        _rule("hi", "\u093c\u0958\u0959\u095a\u095b\u095c\u095d\u095e .002 ह .01", "ळ"),
        _rule("mr", "ळ .003 आ .003", "\u093c\u095c\u095d\u0958\u0959\u095b\u095e"),
    ),
    "bengali": (_rule("bn", "র .01", "ৰৱ"), _rule("as", "ৰ .01", "র")),
    "myanmar": (_rule("my", "က .005", "\u1075\u1076\u1078\u107a\u1080\u1022\u105a\u1060\u1061"),),
}


def by_script(page: Page, content: Selection | None = None) -> tuple[str, str]:
    """Return the language of the main text, or of all that is shown, and `script`, or "" twice."""
    if content is None or not content.keep.any():
        content = page.where(~page.hidden)
    length, pieces = 0, []
    for place in content.keep.nonzero()[0].tolist():  # until there is enough
        pieces.append(page.texts[place] or "")
        length += len(pieces[-1])
        if length > _READ:
            break
    found = language_of(" ".join(pieces))
    return (found, "script") if found else ("", "")


def language_of(text: str) -> str:
    """Return the language that the letters of a text decide, "" if they decide none."""
    text = text[:_READ].lower()
    if text.isascii():
        return ""
    code = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)
    count: Int64s = np.bincount(code, minlength=65_536)
    size = np.bincount(_SCRIPT_OF, count, len(_SCRIPTS) + 1)[1:] * _WEIGHT
    of = dict(zip(_NUMBER, size.tolist(), strict=True))
    east = of["han"] + of["kana"]
    of |= {"han": east, "kana": 0.0}
    script = max(of, key=of.__getitem__)
    if of[script] < max(_FEWEST, (1 - _MOST_OTHER) * sum(of.values())):
        return ""
    if script == "han":
        return _eastern(float(size[_NUMBER["kana"] - 1]) / east, of["hangul"] / east)
    if script in _RULES:
        return _by_letters(_RULES[script], count, of[script])
    return _SCRIPTS[_NUMBER[script] - 1][2]


def _tables() -> tuple[UInt8s, Floats]:
    """Return the number of the script of each code point, 0 for none, and the scripts' weights."""
    table = np.zeros(65_536, np.uint8)
    for name, blocks, _ in _SCRIPTS:
        for block in blocks.split():
            first, last = (int(bound, 16) for bound in block.split("-"))
            table[first : last + 1] = _NUMBER[name]
    weight = np.ones(len(_SCRIPTS))
    weight[[_NUMBER[name] - 1 for name in ("han", "kana", "hangul")]] = _SYLLABLE
    return table, weight


_SCRIPT_OF, _WEIGHT = _tables()


def _eastern(kana: float, hangul: float) -> str:
    """Tell Japanese from Chinese by the share of Kana; a few of them are ornament.

    Han with some Hangul may be Korean as it was once written, or Chinese about Korea.
    """
    if kana >= 0.15:
        return "ja"
    return "zh" if kana <= 0.01 and hangul <= 0.02 else ""


def _by_letters(rules: tuple[_Rule, ...], count: Int64s, size: float) -> str:
    """Return the language of the one rule that fits."""
    if size < _FEWEST_SHARED:
        return ""
    fitting = [
        rule.language
        for rule in rules
        if all(_share(letters, count, size) >= least for letters, least in rule.least)
        and _share(rule.without, count, size) <= rule.most
    ]
    return fitting[0] if len(fitting) == 1 else ""


def _share(letters: str, count: Int64s, size: float) -> float:
    return float(count[[ord(letter) for letter in letters]].sum()) / size
