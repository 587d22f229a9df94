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
    "via|de|da|do|od|przez|autora|autore|autorka|auteure?|authors|autoren|autorin|autores|verfasser|"
    r"verfasst\s+von|text|texto|texte|testo|tekst|redaktion|redacción|redactie|foto|reporter|"
    r"forfatter|skribent|kirjoittaja|kirjoittanut|szerző|írta|autoři|autorzy|автори|συντάκτης|ผู้เขียน|haber|penulis|tác\s+giả|текст|ένα|του|της|από|撰文|撰稿|文|取材|執筆|기자|글|เรื่อง"
)
# Before these words: what was done to the text.
_DONE = (
    "written|posted|published|contributed|submitted|geschrieben|verfasst|veröffentlicht|erstellt|"
    "écrit|rédigé|publié|posté|escrito|publicado|redactado|postado|geschreven|geplaatst|"
    "gepubliceerd|skrevet|skriven|publicerad|publisert"
)
_DONE_BY = r"(?:scritto|pubblicato|inserito)\s+d[ai]|a\s+cura\s+di|napisała?|opublikowane?\s+przez"
BYLINE_START = re.compile(
    rf"\s*(?:(?:{_DONE})\s+)?(?:{_SURE})(?:\s*[:：]\s*|\s+|\Z)|"
    rf"\s*(?:{_DONE_BY})(?:\s*:\s*|\s+)|\s*(?:{_SURE_WITH_COLON})\s*[:：]\s*",
    re.I,
)
_UPDATED = (
    "updated|modified|revised|edited|aktualisiert|geändert|bearbeitet|mis\\s+à\\s+jour|modifiée?|"
    "actualisée?|actualizad[oa]|modificado|atualizad[oa]|aggiornat[oa]|modificat[oa]|bijgewerkt|"
    "gewijzigd|uppdaterad|oppdatert|opdateret"
)
# What is beside a date in a line such as "Last updated on 3 May 2024 at 10h by Ada Berg".
_BESIDE_DATE = re.compile(
    rf"(?<!\w)(?:(?:last|first|zuletzt|laatst|última|ultimo)\s+)?(?:{_DONE}|{_UPDATED}|pubblicat[oa]|"
    r"publiée|publicada|stand|date|datum|fecha|data)(?!\w)\s*:?|"
    r"(?<!\w)(?:on|at|am|um|uhr|le|à|el|a\s+las?|il|alle|ore|op|om|em|no\sdia|às|den|kl)(?!\w)|"
    r"(?<!\w)\d{1,2}\s?h(?:\d\d)?(?!\w)",
    re.I,
)
_BY_AFTER_DATE = re.compile(
    r"(?<=[\d\w])[\s|·•,–—-]{1,5}(?:by|von|par|por|da|di|door|av|af):?\s+(?=[^\W\d_])|"
    r"(?<!\w)(?P<label>autho?r|auteur|autore|автор|作者|記者|记者)\s?[:：]\s?(?=[^\W\d_])",
    re.I,
)
_ORIGIN = re.compile(r"(?:来源|來源|источник|quelle|source)\s?[:：]\s?\S{1,40}(?=\s|\Z)", re.I)
_LONGEST_DATE_LINE = 120  # characters
_DIGIT = re.compile(r"\d")
# The letters that a match of `BYLINE_START` begins with, after white space; a faster test.
BYLINE_LETTERS = frozenset(
    letter
    for word in f"{_DONE}|scritto|pubblicato|inserito|napisa|{_SURE}|{_SURE_WITH_COLON}".split("|")
    for letter in (word[0], word[0].upper())
)
# One or more Korean names before the word for reporter, but not a kind of reporter.
KOREAN_BYLINE = re.compile(
    r"\s*(?:\[[^\[\]]{1,20}\]\s*)?(?!시민|객원|인턴|수습|전문|취재|담당|선임|인터넷)"
    r"[가-힣]{2,4}(?:\s?[·,]\s?[가-힣]{2,4}){0,3}\s?기자(?=\s*(?:[\d(\[|/=·]|\Z|[\w.]+@))"
)
# What a text is, before these words: "Ein Kommentar von", "Guest post by".
_GENRE = (
    "reviewed|created|authored|edited|story|words|report(?:ed|ing)|opinion|analysis|comment(?:ary)?|"
    "column|essay|interview|article|post|perspective|gastbeitrag|gastkommentar|kolumne|kommentar|"
    "analyse|beitrag|artikel|reportage|bericht|porträt|glosse|rezension|propos|recueillis|texte|"
    "tribune|chronique|entretien|billet|entrevista|articolo|intervista|elaborado|enviado|verslag"
)
_LEAD = re.compile(
    r"\s*(?:this\s(?:post|article|story|page|guide)\s(?:was|is)\s)?"
    r"(?:(?:an?|une?|eine?|guest|gast|ein)\s+){0,2}"
    rf"(?:(?:{_DONE}|{_GENRE})\s+){{0,2}}(?:{_SURE}|{_SURE_WITH_COLON}|{_IN_BYLINES})"
    rf"(?:\s*[:：／/・]\s*|\s+)(?=\S)|\s*(?:{_DONE_BY})(?:\s*:\s*|\s+)(?=\S)|"
    r"\s*(?:quelle|source|fuente|fonte|bron|interview|analyse|kommentar)\s*[:：]\s*(?=\S)",
    re.I,
)
# What a text is, in a part of its own before "by": "Guide by Ada". Not who else made it.
_LABEL = re.compile(
    r"(?!(?:photo|image|picture|illustrat|video|film|graphic|art|edit|review|medical|clinical|fact|check|"
    r"verif|approv|translat|power|present|sponsor|brought|supported|updated|produced|hosted|stand))"
    r"[^\W\d_][\w-]{1,20}(?:\s[a-z][\w-]{1,20})?\s*[,|:·–—-]?\s(?-i:by)\s+(?-i:(?=[A-ZÀ-Þ]))",
    re.I,
)
_GLUED = re.compile(r"\A(?:(?:Posted|Written) )?[Bb]y(?=[A-Z][a-z])")  # "ByAda": two spans
# Words in lower case inside names.
PARTICLES = set(
    "de del della der den di da do dos das du van von zu zum la le el al bin ben ibn of the y e i "
    "und and af av ter ten te dal dei degli".split()
)
_AND = r"(?:and|und|sowie|u\.|et|och|og|en|ve|dan|και|и|та)"
_JOIN = re.compile(
    rf"\s*[,;|/•·–—、，；／،؛\n\t]\s*(?:{_AND}\s+)?|\s+[-+]\s+|\s+{_AND}\s+|\s*&\s*"
    r"|\s+(?-i:with)\s+",
    re.I,
)
_SUFFIX = re.compile(r",\s*(?=(?:Jr|Sr|II|III)\b)")  # "Ada King, Jr." is one name
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
# After a name: a date, a place, a paper, photographers, a sentence about the author.
_TAIL = re.compile(
    r"\s+(?:on|in|at|for|am|le|el|il|op|den|posted|published|updated|stand|veröffentlicht|publié|"
    r"publisert|oppdatert|publicerad|uppdaterad|opdateret)(?:\s*:\s*|\s+)"
    r"(?=.*\d).*$|\s+(?:(?-i:in)|for|aus|à|em|we?|v|в|из|für|pour|para)\s+"
    r"(?-i:[A-ZÀ-ÞŁŚŻА-Я]).*$|"
    r"\s+(?:photos?|photograph(?:y|s)|fotos?|bild(?:er)?|illustrations?)(?:\s*:|\s+(?:by|von|par|por|av|af)"
    r"\b|(?-i:(?<=Foto)|(?<=FOTO))\s).*$|\s+(?:is|ist|est|es|è)\s+(?:an?|eine?|une?|una)\s.*$|\s*\d{1,4}(?:[./:-]|\s?[年년月월]).*$|\s+\d+\s.*$"
    r"|\s*(?:来源|來源|出处|出處|责任编辑|責任編輯|编辑|編輯|责编|责编辑|摄影|攝影|发布时间|发表时间|时间|日期)"
    r"\s*[:：].*$",
    re.I,
)
_REPORTER = re.compile(r"(?<=[가-힣]{2})\s?기자(?:\s*=.*)?\Z")  # after a Korean name
_NOT_A_NAME = re.compile(
    r"(?:^|\s)\d+(?:$|\s)|^\d|^(?:photos?|fotos?|bild(?:er)?|grafik|videos?|illustrations?)"
    r"(?:\s*:|\s+(?:by|von|par|por|av|af)\s)|"
    r"^admin(?:istrator)?\d*$|[{}<>=#\\]|\w\.\w+\.\w+\.|(?:^|\s)(?:https?|www|null|undefined|none|"
    r"unknown|anonymous|read|more|follow|share|min|minutes?|views?|comments?|posts?|published|"
    r"updated|written|profile|bio|see|view|ago|publiée?|modifiée?|publicad[oa]|actualizado|atualizado|"
    r"pubblicato|aggiornato|veröffentlicht|aktualisiert|gepubliceerd|bijgewerkt|publicerad|"
    r"uppdaterad|opublikowano|aktualizacja|опубликовано|обновлено)(?:\s|$)|\sby$|^updated:|^about\s",
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
    "newsdesk editorial redaktion redaction rédaction redacción redazione redactie die der "
    "la le el agency agencies agenturen agences agencias agenzie user root superuser "
    "member members message messages nachricht beitrag mensaje messaggio wiadomość сообщение "
    "department contributors writers reporters posted last update updated sponsored paid insights "
    "onze unserer unsere notre nuestra nostra nachrichten news noticias notizie nieuws "
    "rss feed list источник monday tuesday wednesday thursday friday saturday sunday "
    "from stand twitter facebook linkedin instagram youtube mon tue wed thu fri sat sun".split()
)
# Job titles after a name, or before one.
_FIELD = (
    "staff|senior|junior|chief|deputy|managing|associate|assistant|executive|guest|contributing|"
    "freelance|political|politics|business|economics|education|health|science|technology|tech|"
    "foreign|home|world|sports?|food|travel|arts|culture|environment|investigations?|features?"
)
_JOB_TITLE = (
    "writer|reporter|correspondent|contributor|journalist|columnist|editor(?:-in-chief)?|"
    "(?:chef)?redakteur(?:in)?|(?:gast)?autor(?:in)|reporterin|korrespondent(?:in)?|"
    "volontär(?:in)?|journalistin|journaliste|rédact(?:eur|rice)|redactora|periodista|"
    "giornalista|jornalista|redacteur"
)
_TITLES = re.compile(
    r"(?<=\w)(?:\s+(?:staff|senior|guest|contributing|sponsored|follow|folgen|"
    rf"(?:(?:{_FIELD})\s+){{0,2}}(?:{_JOB_TITLE})))+$",
    re.I,
)
_RANK = re.compile(r"(?<=\w)\s+(?:(?:junior|senior|new)\s+member|newbie)$", re.I)  # of boards
_TITLES_BEFORE = re.compile(
    rf"(?:(?:our|unser(?:em|er)|notre|onze|nuestr[oa]|noss[oa])\s+)?"
    rf"(?:(?:{_FIELD})\s+){{0,2}}(?:{_JOB_TITLE})\s+(?=[^\W\d_][\w.'’-]*\s+\w)",
    re.I,
)
# "Ada BergStaff Writer": two elements.
_GLUED_TITLE = re.compile(
    r"(?<=[a-zß-ÿ])(?=(?:Staff|Senior|Political|Deputy|Contributing|Freelance|Reporter|Correspondent|"
    r"Journalist|Editor|Redakteur|Chefredakteur|Autorin|Korrespondent|Volontär)(?:in)?(?:\s|\Z))"
)
# Words of jobs, in a part of a byline after a name: "Ada Berg, Food Editor".
_JOB = re.compile(
    r"\b(?:editors?|experts?|correspondents?|reporters?|writers?|columnists?|producers?|contributors?|"
    r"journalists?|critic|photographers?|economist|analyst|director|manager|professor|founder|"
    r"president|researcher|strategist|specialist|consultant|blogger|chief|senior|staff|bureau|"
    r"head\sof|engineers?|developers?|designers?|vice\spresident|redakteur(?:in)?|korrespondent(?:in)?|rédact(?:eur|rice)|journaliste|redactora?|"
    r"periodista|corresponsal|giornalista|jornalista|redaktion|rédaction|redacción|redazione|"
    r"correspondante?|corrispondente|envoyée?|special\sto)\b",
    re.I,
)
_TWO_FIELDS = re.compile(
    r",\s(?:[\w-]{1,30}\s(?:and|&)\s(?:[\w-]{1,30}\s){0,2}[\w-]{1,30}"
    r"(?=\s(?:editor|writer|reporter|expert)s?\b)|writer,\s\w{1,30}\Z)",
    re.I,
)
# A place in a part of its own, or after "en", which also means "and": "Ada Berg en Madrid".
_IN_PLACE = re.compile(
    r"(?:in|à|aus|en|em|a|w|we|v|в|из|zurzeit|derzeit|z\.\s?zt\.)\s+(?-i:[A-ZÀ-ÞŁŚŻА-Я]).*\Z", re.I
)
_EN_PLACE = re.compile(
    r"(?<=\w\w)\s(?:en|a)\s(?-i:(?:(?:Nueva|New|San|Santa|Buenos|Los|Las|La|El|Tel|Hong)\s)?"
    r"[A-ZÁÉÍÓÚ])[\w-]{1,40}(?=\Z|\s*[,;|/]|\s(?:y|e|et)\s)"
)
# The employer of a person: "Ada Berg, BBC News", "Ada Berg | BBC News". German agencies (dpa, sid)
# are named as authors.
_EMPLOYER_NAME = (
    r"(?:[^,|]*\b(?:news|agency|times|newspapers?|press\sassociation|(?:associated|canadian|free)\s"
    r"press|(?:the|washington|york|huffington|jerusalem)\spost|usa\stoday|universit\w+|institut\w*|"
    r"college|новости)\b"
    r"[^,|]*|(?:reuters|bloomberg|xinhua|bbc|cnn|afp|ap|upi|pti)(?:\s[^,|]*)?)\Z"
)
_EMPLOYER = re.compile(_EMPLOYER_NAME, re.I)
# Agencies beside a person: "dpa/Ada Berg", "Ada Berg - AFP", "Ada Berg with Reuters". Others, as
# after a comma, are named as authors.
_AGENCY = (
    r"(?:dpa(?:-[a-z]{2,9})?|afp|ap|efe|ansa|apa|sid|epd|kna|upi|pti|pap|tt|ntb|ritzau|anp|belga|lusa|"
    r"keystone-sda|sda|reuters|bloomberg|xinhua|тасс|риа|getty\simages?|agencies|agenturen|agences|"
    r"agencias|europa\spress)"
)
_AGENCY_BEFORE = re.compile(rf"{_AGENCY}\s?/\s?(?=[^\W\d_][\w.'’-]*\s)", re.I)
_AGENCY_AFTER = re.compile(
    r"(?<=[^\s/]\s)(?P<name>\S{2,40})(?:(?:\s?[/|]\s?|\s[-–—]\s|,?\s(?:with|mit|avec|con|com|met|med)\s"
    rf"(?:material\s(?:von|der)\s)?){_AGENCY}(?:(?:,\s?|\s(?:and|und|et|y|e)\s|/){_AGENCY})*"
    r"|\s(?:the\s)?(?:associated\spress|bbc\s(?:news|sport)))(?=\Z|,)",
    re.I,
)
# Newspapers after a person: "Ada Berg / The Star-Ledger", "Ada Berg, Leeds Plain Dealer".
_PAPER = re.compile(
    r"\s*(?:the(?:\s[\w'’-]{1,30}){1,4}|(?:[\w'’-]{1,30}\s){1,3}(?:daily\snews|daily|dealer|herald|tribune|"
    r"gazette|chronicle|ledger|globe|telegraph|observer|sentinel|inquirer|examiner))\s*\Z",
    re.I,
)
_PERSON_AND_EMPLOYER = re.compile(
    rf"[^,|\s]{{1,60}}+(?:\s{{1,3}}[^,|\s]{{1,60}}+){{1,12}}(?P<sign>\s{{0,3}}[,|]\s{{0,3}}){_EMPLOYER_NAME}",
    re.I,
)
# After those who checked a text.
_WRITTEN_BY = re.compile(
    r"\b(?:written|authored)\s+by\b|(?<=\s[—–|-]\s)by\s+(?-i:(?=[A-ZÀ-Þ]))", re.I
)
_CHECKED = re.compile(r"\b(?:reviewed|checked|edited|verified|approved)\s+by\b", re.I)
# Companies and offices are not people.
_LEGAL_FORM = re.compile(
    r"\b(?:inc|llc|llp|ltd|limited|gmbh|corp|corporation|pty|plc|pvt|co\.?\skg|pc)\.?$",
    re.I,
)
# Who made the site, and what it is about.
_OF_SITE = re.compile(
    r"(?<!\w)(?:(?:web\s?)?design|programming|html|дизайн|разработка)\s?:|[\u4e00-\u9fff]{12}", re.I
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
    parts = (part.split(",") for text in texts for part in text.split(";"))
    return author_names(f"{two[1]} {two[0]}" if len(two) == 2 else ", ".join(two) for two in parts)


def starts_like_byline(text: str) -> bool:
    """Return whether a short text begins like a byline: "By ...", "作者：", "김철수 기자"."""
    return BYLINE_START.match(text) is not None or KOREAN_BYLINE.match(text) is not None


def byline_after_date(text: str) -> str:
    """Return the byline in a line such as "Published on 3 May 2024 by Ada Berg", else ""."""
    if len(text) > _LONGEST_DATE_LINE or _DIGIT.search(text) is None:  # true of most
        return ""
    by = _BY_AFTER_DATE.search(text)
    if by is None or text[by.end()].islower():
        return ""
    before = _BESIDE_DATE.sub(" ", text[: by.start()])
    name = _BESIDE_DATE.split(text[by.end() :])[0]
    if by["label"]:  # the date may also be after the name
        before = _ORIGIN.sub(" ", before)
        name = _without_date(name)
    words = [word for word in name.split() if word.islower() and word not in PARTICLES]
    is_date = is_only_date(before) or (by["label"] is not None and not before.strip())
    return name if is_date and len(words) <= _SMALL_WORDS else ""


def byline_with_role(text: str) -> str:
    """Return the name in a line such as "Ada Berg | Senior Writer | 3 May 2024", else ""."""
    if len(text) > _LONGEST_DATE_LINE:
        return ""
    parts = [part.strip() for part in _PARTS.split(text)]
    if len(parts) != len(("name", "role", "date")):
        return ""
    is_byline = _JOB.search(parts[1]) is not None and is_only_date(parts[2])
    return parts[0] if is_byline and " " in parts[0] else ""


_PARTS = re.compile(r"[|·•]")


def _without_date(line: str) -> str:
    """Return a byline without the date at its end: "Ada Berg March 5, 2021"."""
    words = line.split()
    if _DIGIT.search(line) is None or len(words) > _MOST_DATED:  # true of most
        return line
    for at in range(len(words)):
        word = words[at]
        is_named = is_only_date(f"{word} 1 May" if word[0].isupper() else f"{word} 1")
        begins_date = word[0].isdecimal() or is_named  # a day of the week or a month
        if begins_date and is_only_date(" ".join(words[at:])):
            # After a word such as "on" the date is left to `_TAIL`.
            return (
                line if at == 0 or words[at - 1].islower() else " ".join(words[:at]).rstrip(_MARKS)
            )
    return line


_MARKS = " ,;|-–—:·•∙»«›"  # between the parts of a byline
_MOST_DATED = 16  # words of a name and a date
_SMALL_WORDS = 2  # as in "Ada Berg and Max Tal with Reuters"


def begins_with_publication(text: str) -> bool:
    """Return whether a text begins with a byline or with what was done: "Publié le ..."."""
    return BYLINE_START.match(text) is not None or _BESIDE_DATE.match(text.lstrip()) is not None


def are_roles(text: str) -> bool:
    """Return whether a text has only words for jobs and others that are not names."""
    return _ROLES.issuperset(text.casefold().replace(".", "").split())


def _names(text: str) -> list[str]:
    line = " ".join(unescape(text[:_LONGEST]).split())
    if (" " not in line and _ADDRESS.search(line)) or _OF_SITE.search(line):
        return []
    if "@" in line:
        line = _MAIL_OF.sub(r"\1", line)
    line = byline_after_date(line) or line
    line = line.partition("((")[0]  # affiliations: "Ada (1), Charles (2) ((1) Leeds, (2) York)"
    if "www." in line or not _NOISE_MARKS.isdisjoint(line):
        line = " ".join(_NOISE.sub(" ", line).split())
    line = _GLUED.sub("", line.strip(_MARKS))
    if (written := _WRITTEN_BY.search(line)) is not None and (
        written[0][0] not in "bB" or _CHECKED.search(line[: written.start()])
    ):
        line = line[written.start() :]
    line, has_lead = _without_lead(line)
    line = _HOST_AND_PLACE.sub(r"\1", _without_date(line))
    if ". " in line:
        line = _OTHERS.sub("", line)
    line = line.partition(" on behalf of ")[0]
    line = _GLUED_TITLE.sub(" ", _AGENCY_AFTER.sub(r"\g<name>", _AGENCY_BEFORE.sub("", line)))
    line = _EN_PLACE.sub("", _TWO_FIELDS.sub(",", _SUFFIX.sub(" ", line)))
    if has_lead:
        line = without_place(line)
    if ("," in line or "|" in line) and (employed := _PERSON_AND_EMPLOYER.match(line)):
        line = line[: employed.start("sign")]
    pieces = list(map(_without_tail, _without_jobs(_JOIN.split(line))))
    names = [_person(name) for piece in pieces for name in _split_names(piece)]
    are_all = all(_is_name(name) and not name[:1].islower() for name in names)
    names = [name for name in names if _is_name(name)]
    if (
        are_all
        and len(names) == 2
        and line.count(",") == 1
        and not any(" " in name for name in names)
    ):
        return [f"{names[1]} {names[0]}"]  # "Lovelace, Ada"
    return names


def _without_lead(line: str) -> tuple[str, bool]:
    """Return a byline without the words before its names, and whether it had any."""
    own = line
    while lead := _LEAD.match(line):
        line = line[lead.end() :]
    if line is own and " by " in line and (label := _LABEL.match(line)) is not None:
        line = line[label.end() :]
    return line, line is not own


# "kettle.example, Leeds, England": a site and where it is.
_HOST_AND_PLACE = re.compile(
    r"\A(?:Redaktion\s)?([\w-]{2,40}\.[a-z]{2,8})(?:,\s[^\W\d_]{2,30}){1,2}\Z"
)
# The last part of a byline if it is one word and no profession: names of people have two.
_PLACE = re.compile(
    r"(?:,|\s[–—])\s{0,3}(?=[A-ZÄÖÜÅØÉÁŠŽŁ][\w'’]{0,40}[a-zäöüßåøéáíóúčšžłń])"
    r"(?:(?:New|Nueva|San|Santa|Los|Las|São|Santo|Belo|Porto|Hong|Tel|Buenos|Mexico|Den)\s)?[\w'’]{2,42}\Z"
)
_PROFESSION = re.compile(r"(?:ian|ist|or|turer|eur|euse|nurse|chef)\Z", re.I)
_WORD_BEFORE = re.compile(r"(?:[^\W\d_]{2}|\w\.)\Z")


def without_place(line: str) -> str:
    """Return a byline without the place after its names: "Anna Maier, Kiel".

    All names before it have two words or more, so that it is no list of single names, and no name
    such as "van Beethoven, Ludwig".
    """
    place = _PLACE.search(line) if "," in line or "–" in line or "—" in line else None
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
        may_be_employer = _EMPLOYER.match(piece) or piece[:4].casefold() == "the "
        is_paper = " " in before and _PAPER.match(piece)
        is_employer = is_paper or (may_be_employer and _JOB.search(before))
        if not is_employer and not _JOB.search(piece) and not _IN_PLACE.match(piece):
            kept.append(piece)
    return kept


def _without_tail(piece: str) -> str:
    """Return a piece of a byline without what follows a name: a date, an editor, a title."""
    words = piece.split()
    if all(word[:1].isupper() and word.isalpha() and word not in _TAIL_WORDS for word in words):
        return piece  # true of most
    return _REPORTER.sub("", _TAIL.sub("", piece))


_TAIL_WORDS = frozenset("For FOR Photos Photo Foto Fotos Stand Updated Published Posted".split())


def _person(name: str) -> str:
    """Return a name without the jobs beside it, and without the marks of notes: "Ada Berg1"."""
    own = _TITLES_BEFORE.sub("", _TITLES.sub("", _RANK.sub("", name)))
    return _NOTE_MARKS.sub("", own) if " " in own else _RANK.sub("", name)


_NOTE_MARKS = re.compile(r"(?<=[^\W\d_]{2})(?:\d{1,2}|[¹²³⁴-⁹]{1,2})?(?:\s?[*†‡§]){0,2}\Z")


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
        and not text.startswith(
            ("by ", "who ", "whose ", "which ", "where ", "her ", "his ", "their ")
        )
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
