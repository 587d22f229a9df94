"""Names of authors in bylines, and the words that bylines begin with.

"By Ada Lovelace and Charles Babbage | 3 May 1843" has two names. The words that come before a name
and that join two names are listed below for each language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from itertools import pairwise

from thresher.metadata.dates import is_only_date

_LONGEST = 300  # characters of a byline; the rest is not read
_LONGEST_NAME = 60  # characters
_MOST_WORDS = 6  # in a name
_MOST_NAMES = 20

# Words before a name, by how surely they begin a byline: before a space or a colon; before a colon
# only, as they are common words too; in a text that is known to be a byline.
_SURE = "by|von|par|por|di|af|av|door|autor|author|автор|oleh|作者|記者|记者|โดย|מאת|بقلم"
_SURE_WITH_COLON = "كتبت?|الكاتبة?|نویسنده|लेखक|लेखिका|লেখক|yazan|yazar"
_IN_BYLINES = (
    "de|da|do|od|przez|autora|autore|auteure?|authors|autoren|autorin|autores|verfasser|"
    r"verfasst\s+von|text|texto|texte|testo|tekst|redaktion|redacción|redactie|foto|reporter|"
    r"forfatter|skribent|haber|penulis|tác\s+giả|текст|ένα|του|της|από|撰文|撰稿|文|取材|執筆|기자|글|เรื่อง"
)
BYLINE_START = re.compile(
    rf"\s*(?:(?:written|posted|published)\s+)?(?:{_SURE})(?:\s*[:：]\s*|\s+|\Z)|"
    rf"\s*(?:{_SURE_WITH_COLON})\s*[:：]\s*",
    re.I,
)
# The letters that a match of `BYLINE_START` begins with, after white space; a faster test.
BYLINE_LETTERS = frozenset(
    letter
    for word in f"written|posted|published|{_SURE}|{_SURE_WITH_COLON}".split("|")
    for letter in (word[0], word[0].upper())
)
# One or more Korean names before the word for reporter, but not a kind of reporter.
KOREAN_BYLINE = re.compile(
    r"\s*(?:\[[^\[\]]{1,20}\]\s*)?(?!시민|객원|인턴|수습|전문|취재|담당|선임|인터넷)"
    r"[가-힣]{2,4}(?:\s?[·,]\s?[가-힣]{2,4}){0,3}\s?기자(?=\s*(?:[\d(\[|/=·]|\Z|[\w.]+@))"
)
_LEAD = re.compile(
    r"\s*(?:this\s(?:post|article|story|page|guide)\s(?:was|is)\s)?"
    r"(?:(?:written|posted|published|reviewed|created|authored|edited|story|words|reported)\s+)?"
    rf"(?:{_SURE}|{_SURE_WITH_COLON}|{_IN_BYLINES})"
    r"(?:\s*[:：／/・]\s*|\s+)(?=\S)|\s*(?:quelle|source|fuente|fonte|bron)\s*[:：]\s*(?=\S)",
    re.I,
)
_GLUED = re.compile(r"\A(?:(?:Posted|Written) )?[Bb]y(?=[A-Z][a-z])")  # "ByAda": two spans
# Words in lower case inside names.
PARTICLES = set(
    "de del della der den di da do dos das du van von zu zum la le el al bin ben ibn of the y e i "
    "und and af av ter ten te dal dei degli".split()
)
_AND = "(?:and|und|et|och|og|en|ve|dan|και|и|та)"
_JOIN = re.compile(
    rf"\s*[,;|/•·–—、，；／،؛\n\t]\s*(?:{_AND}\s+)?|\s+[-+]\s+|\s+{_AND}\s+|\s*&\s*"
    r"|\s+with\s+",
    re.I,
)
_JOIN_WITHIN_NAMES = re.compile(r"\s+(?:y|e|i|a)\s+")  # also in one name: Ortega y Gasset
_NOISE = re.compile(r"\([^()]{0,60}\)|\[[^\[\]]{0,60}\]|https?://\S+|www\.\S+|\S+@\S+\.\w+>?|@\w+")
# As in RSS: "ada@b.example (Ada)".
_MAIL_OF = re.compile(r"(?<!\S)[^\s@]{1,64}+@[^\s@]{1,99}\.\w{1,24} \(([^()@]{2,60})\)")
_NOISE_MARKS = frozenset("([:@")  # one is in every match, or "www."; a faster test
# A sentence after a name about other people: "Medically reviewed by ...".
_OTHERS = re.compile(
    r"\.\s+(?:\w+\s+){0,2}(?:reviewed|checked|edited|verified|approved|updated|photograph\w*)\b.*$",
    re.I,
)
_TAIL = re.compile(
    r"\s+(?:on|in|at|for|am|le|el|il|op|den|posted|published|updated|veröffentlicht|publié)\s+"
    r"(?=.*\d).*$|\s+(?:in|for)\s+(?-i:[A-Z]).*$|\s*\d{1,4}(?:[./:-]|\s?[年년月월]).*$|\s+\d+\s.*$"
    r"|\s*(?:来源|來源|出处|出處|责任编辑|責任編輯|编辑|編輯|责编|责编辑|摄影|攝影|发布时间|发表时间|时间|日期)"
    r"\s*[:：].*$",
    re.I,
)
_REPORTER = re.compile(r"(?<=[가-힣]{2})\s?기자(?:\s*=.*)?\Z")  # after a Korean name
_NOT_A_NAME = re.compile(
    r"(?:^|\s)\d+(?:$|\s)|^\d|^(?:photos?|fotos?|bild(?:er)?|grafik|videos?|illustrations?)\s*:|"
    r"[{}<>=#\\]|\w\.\w+\.\w+\.|(?:^|\s)(?:https?|www|null|undefined|none|"
    r"unknown|anonymous|read|more|follow|share|min|minutes?|views?|comments?|posts?|published|"
    r"updated|written|profile|bio|see|view|ago|publiée?|modifiée?|publicad[oa]|actualizado|atualizado|"
    r"pubblicato|aggiornato|veröffentlicht|aktualisiert|gepubliceerd|bijgewerkt|publicerad|"
    r"uppdaterad|opublikowano|aktualizacja|опубликовано|обновлено)(?:\s|$)",
    re.I,
)
# Job titles and other words that are not names; a text of these words alone is not a name.
_ROLES = set(
    "a an the by and of for in at on author authors about admin administrator editor editors staff "
    "writer senior junior chief reporter correspondent contributor contributing journalist "
    "redakteur redakteurin korrespondent korrespondentin editor-in-chief guest all full team "
    "columnist critic producer photographer freelance freelancer managing deputy associate "
    "assistant executive political foreign redactor redactora periodista corresponsal giornalista "
    "journaliste rédacteur rédactrice jornalista repórter redacteur autorin "
    "founder director manager head marketing phd md ms rn cfp® und von "
    "wordpress joomla drupal typo3 wix squarespace webflow wpadmin siteadmin super "
    "category categories topic topics tag tags section uncategorized webmaster moderator newsroom "
    "newsdesk editorial redaktion redaction redacción redazione redactie user root superuser "
    "member members message messages nachricht beitrag mensaje messaggio wiadomość сообщение "
    "department contributors writers reporters posted last update updated sponsored paid insights "
    "from twitter facebook linkedin instagram youtube mon tue wed thu fri sat sun".split()
)
# Job titles after a name.
_TITLES = re.compile(
    r"(?<=\w)(?:\s+(?:staff|senior|(?:junior|senior|new)\s+member|newbie|guest|contributing|writer|reporter|correspondent|contributor|"
    r"journalist|sponsored))+$",
    re.I,
)
# Words of jobs, in a part of a byline after a name: "Ada Berg, Food Editor".
_JOB = re.compile(
    r"\b(?:editors?|correspondents?|reporters?|writers?|columnists?|producers?|contributors?|"
    r"journalists?|critic|photographers?|economist|analyst|director|manager|professor|founder|"
    r"president|researcher|strategist|specialist|consultant|blogger|chief|senior|staff|bureau|"
    r"head\sof|redakteur(?:in)?|korrespondent(?:in)?|rédact(?:eur|rice)|journaliste|redactora?|"
    r"periodista|corresponsal|giornalista|jornalista)\b",
    re.I,
)
# The employer of a person: "Ada Berg, BBC News", "Ada Berg | BBC News". German agencies (dpa, sid)
# are named as authors.
_EMPLOYER_NAME = (
    r"(?:[^,|]*\b(?:news|agency|times|newspapers?|press\sassociation|(?:associated|canadian|free)\s"
    r"press|(?:the|washington|york|huffington|jerusalem)\spost|universit\w+|institut\w*|college)\b"
    r"[^,|]*|(?:reuters|bloomberg|xinhua|bbc|cnn|afp|ap|upi|pti)(?:\s[^,|]*)?)\Z"
)
_EMPLOYER = re.compile(_EMPLOYER_NAME, re.I)
_PERSON_AND_EMPLOYER = re.compile(
    rf"[^,|\s]{{1,60}}+(?:\s{{1,3}}[^,|\s]{{1,60}}+){{1,12}}(?P<sign>\s{{0,3}}[,|]\s{{0,3}}){_EMPLOYER_NAME}",
    re.I,
)
_WRITTEN_BY = re.compile(r"\b(?:written|authored)\s+by\b", re.I)  # after those who checked a text
# Companies and offices are not people.
_LEGAL_FORM = re.compile(
    r"\b(?:inc|llc|llp|ltd|limited|gmbh|corp|corporation|pty|plc|pvt|co\.?\skg|pc)\.?$",
    re.I,
)
_ADDRESS = re.compile(r"(?:https?:)?//|www\.|^/|\.(?:com|org|net)/", re.I)


def author_names(texts: Iterable[str]) -> list[str]:
    """Return the names in bylines in their order, without repetitions, at most 20."""
    names: dict[str, str] = {}
    for text in texts:
        for name in _names(text):
            names.setdefault(name.casefold(), name)
        if len(names) >= _MOST_NAMES:
            break
    return list(names.values())[:_MOST_NAMES]


def cited_names(texts: Iterable[str]) -> list[str]:
    """Return names that are written as in a reference ("Lovelace, Ada K.") with the first first."""
    parts = (text.split(",") for text in texts)
    return author_names(f"{two[1]} {two[0]}" if len(two) == 2 else ", ".join(two) for two in parts)


def starts_like_byline(text: str) -> bool:
    """Return whether a short text begins like a byline: "By ...", "作者：", "김철수 기자"."""
    return BYLINE_START.match(text) is not None or KOREAN_BYLINE.match(text) is not None


def are_roles(text: str) -> bool:
    """Return whether a text has only words for jobs and others that are not names."""
    return _ROLES.issuperset(text.casefold().replace(".", "").split())


def _names(text: str) -> list[str]:
    line = " ".join(unescape(text[:_LONGEST]).split())
    if " " not in line and _ADDRESS.search(line):
        return []
    if "@" in line:
        line = _MAIL_OF.sub(r"\1", line)
    line = line.partition("((")[0]  # affiliations: "Ada (1), Charles (2) ((1) Leeds, (2) York)"
    if "www." in line or not _NOISE_MARKS.isdisjoint(line):
        line = " ".join(_NOISE.sub(" ", line).split())
    line = _GLUED.sub("", line.strip(" ,;|-–—:·•∙»«›"))
    if (written := _WRITTEN_BY.search(line)) is not None:
        line = line[written.start() :]
    while lead := _LEAD.match(line):
        line = line[lead.end() :]
    if ". " in line:
        line = _OTHERS.sub("", line)
    if ("," in line or "|" in line) and (employed := _PERSON_AND_EMPLOYER.match(line)):
        line = line[: employed.start("sign")]
    pieces = list(map(_without_tail, _without_jobs(_JOIN.split(line))))
    names = [_TITLES.sub("", name) for piece in pieces for name in _split_names(piece)]
    names = [name for name in names if _is_name(name)]
    if len(names) == 2 and line.count(",") == 1 and not any(" " in name for name in names):
        return [f"{names[1]} {names[0]}"]  # "Lovelace, Ada"
    return names


# The last part of a byline if it is one word and no profession: names of people have two.
_PLACE = re.compile(r",\s{0,3}(?=[A-ZÄÖÜÅØÉÁŠŽŁ][\w'’]{0,40}[a-zäöüßåøéáíóúčšžłń])[\w'’]{2,42}\Z")
_PROFESSION = re.compile(r"(?:ian|ist|or|turer|eur|euse|nurse|chef)\Z", re.I)
_WORD_BEFORE = re.compile(r"(?:[^\W\d_]{2}|\w\.)\Z")


def without_place(line: str) -> str:
    """Return a byline without the place after its names: "Anna Maier, Kiel".

    All names before it have two words or more, so that it is no list of single names, and no name
    such as "van Beethoven, Ludwig".
    """
    place = _PLACE.search(line) if "," in line else None
    if place is None or _PROFESSION.search(line):
        return line
    before = line[: place.start()]
    names = [name.strip() for name in _JOIN.split(before)]
    are_whole = all(" " in name and not name[:1].islower() for name in names)
    return before if are_whole and _WORD_BEFORE.search(before) else line


def _without_jobs(pieces: list[str]) -> list[str]:
    """Return the pieces of a byline without jobs after a name, and without employers after jobs."""
    kept = pieces[:1]
    for before, piece in pairwise(pieces):
        is_employer = _JOB.search(before) and _EMPLOYER.match(piece)
        if not is_employer and not _JOB.search(piece):
            kept.append(piece)
    return kept


def _without_tail(piece: str) -> str:
    """Return a piece of a byline without what follows a name: a date, an editor, a title."""
    is_plain = piece.isascii() and not any(map(str.isdigit, piece))  # true of most
    if is_plain and " in " not in piece and " for " not in piece:
        return piece
    return _REPORTER.sub("", _TAIL.sub("", piece))


def _split_names(piece: str) -> list[str]:
    """Split two names that a short word joins, if each has more than one word."""
    parts = _JOIN_WITHIN_NAMES.split(piece)
    if not all(" " in part.strip() for part in parts):
        parts = [piece]
    return [part.strip(" .,:;-–—\"'»«›") for part in parts]


def _is_name(text: str) -> bool:
    return (
        1 < len(text) <= _LONGEST_NAME
        and text.count(" ") < _MOST_WORDS
        and any(letter.isalpha() for letter in text)
        and not text.startswith("by ")
        and not _NOT_A_NAME.search(text)
        and not (" " in text and _LEGAL_FORM.search(text))
        and not are_roles(text)
        and not _is_sentence(text)
        and not is_only_date(text)
    )


def _is_sentence(text: str) -> bool:
    """Return whether a text has more than two words and one in lower case (`van`, `de` aside)."""
    words = text.split()
    return len(words) > 2 and any(word.islower() and word not in PARTICLES for word in words)
