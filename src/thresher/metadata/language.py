"""The language of a page and its writing direction.

The language that a page declares comes first. If it declares none, the language of the first
`_SAMPLE` characters of the main content is detected with `turbohtml.detect`, which finds the most
frequent script and compares groups of three letters with profiles of 70 languages. If several of
these languages share the script (Latin, Cyrillic, Arabic, Devanagari, Hebrew), at least 300 letters
and a confidence of 0.5 are required, otherwise 30 letters.

The limits were swept on the kept text of `daniel` and `fundus` (1,008 pages in 23 of the 70
languages), cut at random places to n letters, eight times per page. Wrong languages in scripts that
are shared, confidence at least 0.5 (half of the errors at 100 to 250 letters are Russian taken for
Bulgarian):

    letters   50     100    150    200    250    300    400     500
    wrong     7.5 %  2.5 %  1.0 %  0.5 %  0.3 %  0.2 %  0.07 %  0.04 %

In scripts of one language, 0.14 % are wrong at 10 letters, 0.05 % at 20 and none of 2,109 at 30.
Samples longer than 2,000 characters have no result on one page of `daniel` whose text ends in HTML
code. On whole pages, ignoring what they declare, the result is right on all 758 pages of `daniel`
and on 249 of the 254 pages of `fundus` that declare a language. Not used to choose the limits:
every second page of `wcxb-dev`, `dragnet`, `cleaneval-dev` and `big9-chaos`. Of the 1,326 that
declare a language, 5 (all English) get another one and 36 none.

The detector returns one of its languages for every text: Swedish for Icelandic and Belarusian for
Kazakh, with a confidence of 1. So there is no result if more than 0.5 % of the letters are letters
that only other languages use. Languages without such letters are still taken for a neighbour:
Xhosa (2 pages of `fundus`) for Zulu, Galician for Spanish, Albanian for Norwegian.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from turbohtml.detect import detect_language

from thresher.metadata.declared import Declarations
from thresher.metadata.json_ld import language_codes
from thresher.page import Page, Selection
from thresher.page.decode import is_charset
from thresher.page.words import collapsed


def page_language(
    page: Page, declared: Declarations, content: Selection | None = None
) -> tuple[str, str]:
    """Return the language of a page as a BCP 47 tag and its source, or "" twice if unknown.

    The source of a detected language is `script`. Without `content`, all visible text is used.
    """
    for text, source in _declared_languages(page, declared):
        tag = _language_tag(text)
        if tag:
            return tag, source
    if content is None or not content.keep.any():
        content = page.where(~page.hidden)
    sample = ""
    for index in content.keep.nonzero()[0].tolist():
        sample += collapsed(page.texts[index]) + " "
        if len(sample) >= _SAMPLE:
            break
    language = text_language(sample)
    return language, "script" if language else ""


# --- declared languages ----------------------------------------------------------------------

# A language, a script and a region: the parts of a tag (https://www.rfc-editor.org/info/bcp47)
# that are kept.
_TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?(?=$|\W|_)")
_NO_LANGUAGE = {"und", "mul", "zxx", "mis"}  # undetermined, multiple, no language, no code
_LONGEST_CODE = 3  # letters of a language
# Country codes that pages use for a language, and withdrawn codes, with the code that is meant.
_CORRECTED = dict(
    pair.split(":") for pair in "cn:zh jp:ja cz:cs dk:da gr:el ua:uk iw:he ji:yi".split()
)


def _declared_languages(page: Page, declared: Declarations) -> Iterator[tuple[str, str]]:
    """Yield the texts in which a page may declare a language, with their sources."""
    root = page.nodes[0]
    yield root.attr("lang") or root.attr("xml:lang") or "", "html lang"
    if page.body > 0:
        yield page.nodes[page.body].attr("lang") or "", "body lang"
    for name in ("content-language", "og:locale"):
        yield from ((text, name) for text in declared.meta.get(name, ()))
    for work in declared.works:
        yield from ((text, "json-ld inLanguage") for text in language_codes(work.get("inLanguage")))
    for name in ("dc.language", "language"):
        yield from ((text, name) for text in declared.meta.get(name, ()))


@lru_cache(1_000)
def _language_tag(text: str) -> str:
    """Return the tag that a text begins with, in the usual case (`de-AT`); "" if there is none."""
    match = _TAG.match(text.strip())
    if not match or match[1].lower() in _NO_LANGUAGE or _is_charset(text):
        return ""
    language = _CORRECTED.get(match[1].lower(), match[1].lower())
    return "-".join(filter(None, (language, (match[2] or "").title(), (match[3] or "").upper())))


def _is_charset(text: str) -> bool:
    """Return whether a text is the name of a charset, such as `utf-8`, and not of a language."""
    return len(text.strip()) > _LONGEST_CODE and is_charset(text.strip())


# --- detected languages ----------------------------------------------------------------------

_SAMPLE = 2_000  # characters
_SHARED_SCRIPTS = {"Latin", "Cyrillic", "Arabic", "Devanagari", "Hebrew"}
_FEWEST_LETTERS, _FEWEST_SHARED = 30, 300  # in a script of one language, of several languages
_LOWEST_CONFIDENCE = 0.5
# Letters of languages that the detector does not know but whose scripts it does.
_UNKNOWN_LETTERS = set(
    "ðþħ"  # Icelandic, Faroese, Maltese
    "әғқңұүөһҳҷӣӯҡҙҫҗӗӑӕӏҥӧӝ"  # Kazakh, Kyrgyz, Mongolian, Tajik, Tatar, Uzbek, ...
    "ښځڅټډړږڼۍګڪٿڏڌٻڀڳڱڻڊڄڃٽڦێڵڕۆۈۋڭۇ"  # Pashto, Sindhi, Kurdish, Uyghur
    "ڠڤݢڬڽۏۑؽۊۉۄٲؠ"  # Malay, South Azerbaijani, Gilaki, Luri, Kashmiri
    "ৰৱ"  # Assamese
)
_MOST_UNKNOWN = 0.005  # share of the letters
# The detector's codes (ISO 639-3) and those of BCP 47.
_CODES = dict(
    pair.split(":")
    for pair in (
        "afr:af aka:ak amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh cym:cy "
        "dan:da deu:de ell:el eng:en epo:eo est:et fin:fi fra:fr guj:gu heb:he hin:hi hrv:hr "
        "hun:hu hye:hy ind:id ita:it jav:jv jpn:ja kan:kn kat:ka khm:km kor:ko lat:la lav:lv "
        "lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nob:nb ori:or pan:pa pes:fa pol:pl "
        "por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn spa:es srp:sr swe:sv tam:ta tel:te "
        "tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz vie:vi yid:yi zul:zu"
    ).split()
)


def text_language(text: str) -> str:
    """Return the BCP 47 code of the language that a text is detected to be in, or ""."""
    letters = [letter for letter in text[:_SAMPLE].lower() if letter.isalpha()]
    if len(letters) < _FEWEST_LETTERS:
        return ""
    match = detect_language(text[:_SAMPLE])
    if match.script in _SHARED_SCRIPTS and len(letters) < _FEWEST_SHARED:
        return ""
    if sum(map(_UNKNOWN_LETTERS.__contains__, letters)) > _MOST_UNKNOWN * len(letters):
        return ""
    return _CODES.get(match.language or "", "") if match.confidence >= _LOWEST_CONFIDENCE else ""


# --- direction -------------------------------------------------------------------------------

_RIGHT_TO_LEFT = set("ar arc ckb dv fa he ku-arab nqo pnb ps sd syr ug ur yi prs".split())


def direction(page: Page, language: str, title: str) -> tuple[str, str]:
    """Return `ltr` or `rtl` and its source, or "" twice if unknown.

    The sources are `dir` of html and body, the language, and the first letter of the title that has
    a direction, in this order.
    """
    for row, source in ((0, "html dir"), (page.body, "body dir")):
        value = (page.nodes[row].attr("dir") or "").strip().lower()
        if value in ("ltr", "rtl"):
            return value, source
    if language:
        tag = language.lower()
        right = tag in _RIGHT_TO_LEFT or tag.split("-")[0] in _RIGHT_TO_LEFT or "-arab" in tag
        return "rtl" if right else "ltr", "language"
    classes = (unicodedata.bidirectional(letter) for letter in title)
    first = next((kind for kind in classes if kind in ("L", "R", "AL")), "")
    return ("ltr" if first == "L" else "rtl", "title") if first else ("", "")
