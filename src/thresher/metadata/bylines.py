"""Names of authors, out of what pages write around them.

"By Ada Lovelace and Charles Babbage | 3 May 1843" holds two names and three kinds of chaff. The
words that introduce a name or join two are few in each language; they stand in the tables below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape

from thresher.metadata.dates import is_dated

_LONGEST = 300  # characters of a byline that is read
_LONGEST_NAME = 60
_MOST_WORDS = 6  # of a name
_MOST_NAMES = 20

_LEAD = re.compile(
    r"\s*(?:(?:written|posted|published|reviewed|created|authored|edited|story|words|reported)\s+)?"
    r"(?:by|von|par|por|de|di|da|do|af|av|door|od|przez|autora?|autore|auteure?|author|authors|"
    r"autoren|autorin|autores|verfasser|verfasst\s+von|text|texto|texte|testo|tekst|redaktion|"
    r"redacción|redactie|foto|reporter|forfatter|skribent|yaza[rn]|haber|oleh|penulis|tác\s+giả|"
    r"автор|текст|by\s+author|ένα|του|της|από|نویسنده|بقلم|كتبت?|الكاتبة?|"
    r"लेखक|लेखिका|লেখক|作者|記者|记者|撰文|撰稿|文|기자|글|โดย|เรื่อง|מאת)"
    r"(?:\s*[:：／/]\s*|\s+)(?=\S)|\s*(?:quelle|source|fuente|fonte|bron)\s*[:：]\s*(?=\S)",
    re.I,
)
_GLUED = re.compile(r"\A(?:(?:Posted|Written) )?[Bb]y(?=[A-Z][a-z])")  # By and Ada in two spans
_PARTICLES = set(
    "de del della der den di da do dos das du van von zu zum la le el al bin ben ibn of the y e i "
    "und and af av ter ten te dal dei degli".split()
)
_AND = "(?:and|und|et|och|og|en|ve|dan|και|и|та)"
_JOIN = re.compile(
    rf"\s*[,;|/•·–—、，；／،؛\n\t]\s*(?:{_AND}\s+)?|\s+[-+]\s+|\s+{_AND}\s+|\s*&\s*"
    r"|\s+with\s+",
    re.I,
)
_JOIN_WITHIN_NAMES = re.compile(r"\s+(?:y|e|i|a)\s+")  # also inside of one name: Ortega y Gasset
_CHAFF = re.compile(
    r"\([^()]{0,60}\)|\[[^\[\]]{0,60}\]|https?://\S+|www\.\S+|\S+@\S+\.\w+|(?<!\w)@\w+"
)
_TAIL = re.compile(
    r"\s+(?:on|in|at|for|am|le|el|il|op|den|posted|published|updated|veröffentlicht|publié)\s+"
    r"(?=.*\d).*$|\s*\d{1,4}(?:[./:-]|\s?[年년月월]).*$|\s+\d+\s.*$"
    r"|\s*(?:来源|來源|出处|出處|责任编辑|責任編輯|编辑|編輯|责编|责编辑|摄影|攝影|发布时间|发表时间|时间|日期)"
    r"\s*[:：].*$",
    re.I,
)
_REPORTER = re.compile(r"(?<=[가-힣]{2})\s?기자(?:\s*=.*)?\Z")  # behind a Korean name
_NOT_A_NAME = re.compile(
    r"(?:^|\s)\d+(?:$|\s)|^\d|[{}<>=#\\]|\w\.\w+\.\w+\.|(?:^|\s)(?:https?|www|null|undefined|none|"
    r"unknown|anonymous|read|more|follow|share|min|minutes?|views?|comments?|posts?|published|"
    r"updated|written|profile|bio|see|view|ago|publiée?|modifiée?|publicad[oa]|actualizado|atualizado|"
    r"pubblicato|aggiornato|veröffentlicht|aktualisiert|gepubliceerd|bijgewerkt|publicerad|"
    r"uppdaterad|opublikowano|aktualizacja|опубликовано|обновлено)(?:\s|$)",
    re.I,
)
# What a person is, which is not what the person is called.
_ROLES = set(
    "a an the by and of for in at on author authors about admin administrator editor editors staff "
    "writer senior junior chief reporter correspondent contributor contributing journalist "
    "redakteur redakteurin korrespondent korrespondentin editor-in-chief guest all full team "
    "founder director manager head marketing phd md ms rn cfp® und von "
    "category categories topic topics tag tags section uncategorized".split()
)
_ADDRESS = re.compile(r"(?:https?:)?//|www\.|^/|\.(?:com|org|net)/", re.I)


def author_names(texts: Iterable[str]) -> list[str]:
    """Return the names in bylines, in their order, each once."""
    found: dict[str, str] = {}
    for text in texts:
        for name in _names(text):
            found.setdefault(name.casefold(), name)
        if len(found) >= _MOST_NAMES:
            break
    return list(found.values())[:_MOST_NAMES]


def _names(text: str) -> list[str]:
    line = " ".join(unescape(text[:_LONGEST]).split())
    if _ADDRESS.search(line) and " " not in line:
        return []
    line = _GLUED.sub("", _CHAFF.sub(" ", line).strip(" ,;|-–—:·•"))
    while True:
        shorter = _LEAD.sub("", line, count=1) if _LEAD.match(line) else line
        if shorter == line:
            break
        line = shorter
    pieces = [_REPORTER.sub("", _TAIL.sub("", piece)) for piece in _JOIN.split(line)]
    names = [name for piece in pieces for name in _apart(piece) if _is_name(name)]
    return _turned(line, names)


def _apart(piece: str) -> list[str]:
    """Part two names that a short word joins, if both have more than one word."""
    parts = _JOIN_WITHIN_NAMES.split(piece)
    whole = all(" " in part.strip() for part in parts)
    return [part.strip(" .,:;-–—\"'") for part in (parts if whole else [piece])]


def _is_name(text: str) -> bool:
    return (
        1 < len(text) <= _LONGEST_NAME
        and text.count(" ") < _MOST_WORDS
        and any(mark.isalpha() for mark in text)
        and not _NOT_A_NAME.search(text)
        and not _ROLES.issuperset(text.casefold().replace(".", "").split())
        and not _is_sentence(text)
        and not is_dated(text)
    )


def _is_sentence(text: str) -> bool:
    """Whether small words run through it, as they do not through a name of three and more."""
    several = text.split()
    small = [word for word in several if word.islower() and word not in _PARTICLES]
    return len(several) > 2 and len(small) > 0


def _turned(line: str, names: list[str]) -> list[str]:
    """Turn "Lovelace, Ada" round."""
    if len(names) == 2 and line.count(",") == 1 and not any(" " in name for name in names):
        return [f"{names[1]} {names[0]}"]
    return names
