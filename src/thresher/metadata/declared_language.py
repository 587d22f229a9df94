"""The language that a page declares, and the direction of its writing.

Tags are those of https://www.rfc-editor.org/info/bcp47, as `de-AT`; of what pages write there, the
language, the script and the region are kept. Codes that name no one language say nothing, and some
countries' codes are so often written for their language that they are taken for it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from thresher.metadata.declared import Declared
from thresher.metadata.json_ld import codes_of
from thresher.page import Page

_TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?(?=$|\W|_)")
_NO_LANGUAGE = {"und", "mul", "zxx", "mis"}  # undetermined, several, none, without a code
# Codes of countries that are no language's, and codes of old: what is meant by them.
_MEANT = {
    "cn": "zh",
    "jp": "ja",
    "cz": "cs",
    "dk": "da",
    "gr": "el",
    "ua": "uk",
    "iw": "he",
    "ji": "yi",
}
_RIGHT_TO_LEFT = set("ar arc ckb dv fa he ku-arab nqo pnb ps sd syr ug ur yi prs".split())


def declared_language(page: Page, says: Declared) -> tuple[str, str]:
    """Return the first language that a page names and where it stands, or "" twice."""
    for text, source in _named(page, says):
        tag = _read(text)
        if tag:
            return tag, source
    return "", ""


def _named(page: Page, says: Declared) -> Iterable[tuple[str, str]]:
    """Yield what stands where languages are named, with the place."""
    root = page.attributes(0)
    yield root.get("lang", "") or root.get("xml:lang", ""), "html lang"
    if page.body > 0:
        yield page.attributes(page.body).get("lang", ""), "body lang"
    for name in ("content-language", "og:locale"):
        yield from ((text, name) for text in says.meta.get(name, ()))
    for work in says.works:
        yield from ((text, "json-ld inLanguage") for text in codes_of(work.get("inLanguage")))
    for name in ("dc.language", "language"):
        yield from ((text, name) for text in says.meta.get(name, ()))


def _read(text: str) -> str:
    """Return a tag as it is usually written; "" for a text that names no language."""
    found = _TAG.match(text.strip())
    language = found[1].lower() if found else ""
    if not found or language in _NO_LANGUAGE:
        return ""
    parts = [_MEANT.get(language, language)]
    parts += [found[2].title()] if found[2] else []
    parts += [found[3].upper()] if found[3] else []
    return "-".join(parts)


def direction(page: Page, language: str, title: str) -> tuple[str, str]:
    """Return `ltr` or `rtl` and where it came from, or "" twice.

    Asked are `dir` of html and body, then the language, then the letters of the title.
    """
    for row, source in ((0, "html dir"), (page.body, "body dir")):
        given = page.attributes(row).get("dir", "").strip().lower()
        if given in ("ltr", "rtl"):
            return given, source
    if language:
        tag = language.lower()
        right = tag in _RIGHT_TO_LEFT or tag.split("-")[0] in _RIGHT_TO_LEFT or "-arab" in tag
        return "rtl" if right else "ltr", "language"
    strong = (unicodedata.bidirectional(mark) for mark in title)
    first = next((kind for kind in strong if kind in ("L", "R", "AL")), "")
    return ("ltr" if first == "L" else "rtl", "title") if first else ("", "")
