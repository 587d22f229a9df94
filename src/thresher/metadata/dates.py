"""Dates as pages write them, to ISO 8601, in any language that has a row in the table below.

Read are: ISO 8601 and its relatives (`2024-05-03T15:47+02:00`, `20240503`), RFC 822, seconds since
1970, CJK (`2024年5月3日`, Japanese eras), a month's name with a day and a year beside it, numbers
(`3.5.2024`, `5/3/2024`), and a month's name with a day beside it and a year further off. Of numbers
alone the order is not in the text: a part above 12 decides, then a dot (day first), then what the
caller knows of the page (`month_first`). Jan, April, June and Mai are also people: "Jan Smith,
3 June 2024" is in June, as a day beside its month says more than one behind a surname.

Years of the Buddhist calendar (2400 to 2600) and of the Persian one (1300 to 1499) are converted.
Relative dates ("yesterday") are not read: a page does not say when it was fetched.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, date, datetime

# Months from January to December. Names in one cell are one month's: nominative, genitive, short.
_MONTHS = """
january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|\
october oct|november nov|december dec
januar jänner jän|februar feber|märz mär maerz mrz|april|mai|juni|juli|august|september|\
oktober okt|november|dezember dez
janvier janv|février fevrier févr fév|mars|avril avr|mai|juin|juillet juil|août aout|septembre|\
octobre|novembre|décembre decembre déc
enero ene|febrero|marzo|abril abr|mayo|junio|julio|agosto ago|septiembre setiembre|octubre|\
noviembre|diciembre dic
gennaio gen|febbraio|marzo|aprile|maggio mag|giugno giu|luglio lug|agosto|settembre set|\
ottobre ott|novembre|dicembre
janeiro|fevereiro fev|março marco|abril|maio|junho|julho|agosto|setembro|outubro out|novembro|\
dezembro
januari|februari|maart mrt|april|mei|juni|juli|augustus|september|oktober|november|december
januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december
januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december des
janúar|febrúar|mars|apríl|maí|júní|júlí|ágúst|september|október|nóvember|desember
tammikuuta tammikuu|helmikuuta helmikuu|maaliskuuta maaliskuu|huhtikuuta huhtikuu|\
toukokuuta toukokuu|kesäkuuta kesäkuu|heinäkuuta heinäkuu|elokuuta elokuu|syyskuuta syyskuu|\
lokakuuta lokakuu|marraskuuta marraskuu|joulukuuta joulukuu
stycznia styczeń sty|lutego luty lut|marca marzec|kwietnia kwiecień kwi|maja maj|\
czerwca czerwiec cze|lipca lipiec lip|sierpnia sierpień sie|września wrzesień wrz|\
października październik paź|listopada listopad lis|grudnia grudzień gru
ledna leden|února únor|března březen|dubna duben|května květen|června červen|července červenec|\
srpna srpen|září|října říjen|listopadu|prosince prosinec
januára január|februára február|marca marec|apríla apríl|mája máj|júna jún|júla júl|augusta|\
septembra|októbra|novembra|decembra
siječnja|veljače|ožujka|travnja|svibnja|lipnja|srpnja|kolovoza|rujna|listopada|studenoga|prosinca
января январь янв|февраля февраль фев|марта март мар|апреля апрель апр|мая май|июня июнь июн|\
июля июль июл|августа август авг|сентября сентябрь сен|октября октябрь окт|ноября ноябрь ноя|\
декабря декабрь дек
січня січень|лютого лютий|березня березень|квітня квітень|травня травень|червня червень|\
липня липень|серпня серпень|вересня вересень|жовтня жовтень|листопада листопад|грудня грудень
януари|февруари|март|април|май|юни|юли|август|септември|октомври|ноември|декември
ιανουαρίου ιαν|φεβρουαρίου φεβ|μαρτίου μαρ|απριλίου απρ|μαΐου μαι|ιουνίου ιουν|ιουλίου ιουλ|\
αυγούστου αυγ|σεπτεμβρίου σεπ|οκτωβρίου οκτ|νοεμβρίου νοε|δεκεμβρίου δεκ
ocak oca|şubat şub|mart|nisan nis|mayıs|haziran haz|temmuz tem|ağustos ağu|eylül eyl|ekim eki|\
kasım kas|aralık ara
ianuarie|februarie|martie|aprilie|mai|iunie|iulie|august|septembrie|octombrie|noiembrie|decembrie
január|február|március márc|április ápr|május máj|június jún|július júl|augusztus|szeptember szept|\
október|november|december
sausio|vasario|kovo|balandžio|gegužės|birželio|liepos|rugpjūčio|rugsėjo|spalio|lapkričio|gruodžio
janvāris|februāris|marts|aprīlis|maijs|jūnijs|jūlijs|augusts|septembris|oktobris|novembris|\
decembris
januari|februari|maret|april|mei|juni|juli|agustus agt|september|oktober|november|desember
januari|februari|machi|aprili|mei|juni|julai|agosti|septemba|oktoba|novemba|desemba
يناير|فبراير|مارس|أبريل ابريل|مايو|يونيو|يوليو|أغسطس اغسطس|سبتمبر|أكتوبر اكتوبر|نوفمبر|ديسمبر
كانونالثاني|شباط|آذار|نيسان|أيار|حزيران|تموز|آب|أيلول|تشرينالأول|تشرينالثاني|كانونالأول
ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר
জানুয়ারি জানুয়ারী|ফেব্রুয়ারি ফেব্রুয়ারী|মার্চ|এপ্রিল|মে|জুন|জুলাই|আগস্ট আগষ্ট অগস্ট|সেপ্টেম্বর|অক্টোবর|\
নভেম্বর|ডিসেম্বর
जनवरी|फरवरी फ़रवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर सितम्बर|अक्टूबर अक्तूबर|नवंबर|दिसंबर
جنوری|فروری|مارچ|اپریل|مئی|جون|جولائی|اگست|ستمبر|اکتوبر|نومبر|دسمبر
มกราคม|กุมภาพันธ์|มีนาคม|เมษายน|พฤษภาคม|มิถุนายน|กรกฎาคม|สิงหาคม|กันยายน|ตุลาคม|พฤศจิกายน|ธันวาคม
"""
_PERSIAN = "فروردین|اردیبهشت|خرداد|تیر|مرداد|شهریور|مهر|آبان|آذر|دی|بهمن|اسفند"


def _month_table() -> dict[str, int]:
    table: dict[str, int] = {}
    for line in _MONTHS.strip().splitlines():
        for number, cell in enumerate(line.split("|"), 1):
            for name in cell.split():
                table.setdefault(unicodedata.normalize("NFC", name), number)
    return table


_MONTH = _month_table()
_PERSIAN_MONTH = {name: number for number, name in enumerate(_PERSIAN.split("|"), 1)}

_LONGEST = 200  # characters; dates are short
# What every date has, however it is written: a year of four digits, or two numbers with a mark
# between them, or the character for a year, or a number before a Thai month.
_MAY_BE_DATE = re.compile(r"\d{4}|\d\s?[./-]\s?\d|[年년]|\d\s?[ก-ฮเ]")
_ISO = re.compile(
    r"(?<!\d)(\d{4})(?:([-/.])\s?(\d{1,2})\2\s?(\d{1,2})|(\d{2})(\d{2}))(?!\d)"
    r"(?:\s*[T ,]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?",
    re.I,
)
_COMPACT_TIME = re.compile(r"(\d{4})(\d{2})(\d{2})T?(\d{2})(\d{2})(\d{2})Z?\Z")
_EPOCH = re.compile(r"(\d{10})(?:\d{3})?(?:\.\d+)?\Z")
_CJK = re.compile(
    r"(令和|平成|昭和)?\s*(\d{1,4}|元)\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?"
)
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925}
_NUMBERS = re.compile(r"(?<![\d.])(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d)")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})", re.I)
# Numbers, and words with their vowel signs; two Arabic months have names of two words.
_PIECES = re.compile(r"\d+|[^\s\d.,;:|/()\[\]–—-]+(?:\s(?:الثاني|الأول))?")
_YEAR_REACH = 4  # pieces between a month's name and its year
# Where day and year stand from a month's name: 3 May 2024, May 3 2024, 2024 May 3, 2024 3 May.
_ORDERS = ((-1, 1), (1, 2), (1, -1), (-1, -2))
# Words inside of a date: "3rd of May", "3 de mayo del 2024", "2024 m. gegužės 3 d.".
_WITHIN = frozenset("st nd rd th of the de del di a den m d gada g".split())


def to_iso(text: str, *, month_first: bool = False) -> str:
    """Return the first date of a short text as ISO 8601, with its time if that has a zone.

    `month_first` decides 5/3/2024. "" if there is no date.
    """
    line = _latin_digits(" ".join(text[:_LONGEST].split()))
    if not _MAY_BE_DATE.search(line):
        return ""
    for read in (_instant, _iso, _cjk, _thai, _vietnamese, _named):
        found = read(line)
        if found:
            return found
    return _numbers(line, month_first) or _parted(line)


def in_address(url: str) -> str:
    """Return the date in a path such as `/2024/05/03/` or `/2024-05-03-title`; else ""."""
    found = _IN_PATH.search(url[:2000])
    if not found:
        return ""
    year, month, day = (int(part) for part in found.group(1, 3, 4))
    return _day(year, month, day) if 1990 <= year <= 2100 else ""


def is_dated(text: str) -> bool:
    """Tell whether a short text says when, and nothing else: a date, a time, or how long ago.

    "3 May, 09:12" does, which `to_iso` cannot read as it has no year; a name with a number in it
    does not.
    """
    line = _latin_digits(" ".join(text[:_LONGEST].split()))
    if not any(mark.isdecimal() for mark in line):
        return False
    pieces = [_bare(piece) for piece in _CLOCK_TIME.sub(" ", line).split()]
    named = [_month(piece.casefold()) > 0 for piece in pieces]
    others = [piece for piece, month in zip(pieces, named, strict=True) if not month]
    if not all(map(_is_beside_date, others)):
        return bool(_AGO.match(line))
    numbered = any(piece[:1].isdecimal() for piece in others)
    timed = _CLOCK_TIME.search(line) is not None
    return timed or (any(named) and numbered) or bool(_AGO.match(line) or to_iso(line))


def _bare(piece: str) -> str:
    return unicodedata.normalize("NFC", piece.strip(".,;:()[]|·•-–—"))


def _is_beside_date(piece: str) -> bool:
    """Tell whether a word may stand in a date: a number, a day of the week, a short word."""
    starts_as_number = piece[:1].isdecimal()
    small = len(piece) <= _SMALL and not piece[:1].isupper()
    return starts_as_number or small or piece.casefold() in _BESIDE


_SMALL = 3  # letters of a word such as "at"
_BESIDE = frozenset(
    "mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday "
    "sunday montag dienstag mittwoch donnerstag freitag samstag sonntag mo di mi do fr sa so lundi "
    "mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado "
    "domingo lunedì martedì mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta "
    "sexta feira maandag dinsdag woensdag donderdag vrijdag zaterdag zondag понедельник вторник "
    "среда четверг пятница суббота воскресенье today yesterday heute gestern hier aujourd'hui hoy "
    "ayer at on am um le el il den posted published updated am pm uhr gmt utc est edt cst cdt mst "
    "mdt pst pdt cet cest bst ist".split()
)
_CLOCK_TIME = re.compile(r"(?<![\d:])[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?![\d:])")
_AGO = re.compile(
    r"\A(?:about |vor |il y a |hace |há |för )?\d+\s?(?:s|m|h|d|w|y|mo|min|mins|hr|hrs|"
    r"(?:second|minute|hour|day|week|month|year)s?|sekunden?|minuten?|stunden?|tage?n?|wochen?|"
    r"monate?n?|jahre?n?|heures?|jours?|semaines?|mois|ans?|horas?|d[ií]as?|semanas?|mes(?:es)?|"
    r"años?|timmar|dagar)\b\s?(?:ago|old|sedan|fa|geleden)?\.?\Z",
    re.I,
)
_IN_PATH = re.compile(r"/(\d{4})([-/_]?)(\d{1,2})\2(\d{1,2})(?=[-/_.]|\Z)")


# --- forms ---------------------------------------------------------------------------------------


def _latin_digits(line: str) -> str:
    if line.isascii():
        return line
    digits = {ord(mark): str(unicodedata.digit(mark)) for mark in set(line) if mark.isdecimal()}
    return line.translate(digits)


def _instant(line: str) -> str:
    """Seconds or milliseconds since 1970; fourteen digits of a date and a time."""
    epoch = _EPOCH.match(line)
    if epoch:
        return datetime.fromtimestamp(int(epoch[1]), UTC).isoformat()
    compact = _COMPACT_TIME.match(line)
    return _day(*(int(part) for part in compact.group(1, 2, 3))) if compact else ""


def _iso(line: str) -> str:
    found = _ISO.search(line)
    if not found:
        return ""
    year, month, day = (
        int(part) for part in (found[1], found[3] or found[5], found[4] or found[6])
    )
    if month > 12 and found[2]:  # 2024/15/03, which some write
        month, day = day, month
    whole = _day(year, month, day)
    return whole + _time(found.group(7, 8, 9, 10)) if whole and "-" in whole else whole


def _time(parts: tuple[str | None, ...]) -> str:
    """A time with its zone; without one it would only be half an instant."""
    hour, minute, second, zone = parts
    if hour is None or zone is None or int(hour) > 23 or int(minute or 0) > 59:
        return ""
    named = zone.upper() in ("Z", "UTC", "GMT")
    shift = "+00:00" if named else f"{zone[:3]}:{zone[-2:]}"
    return f"T{int(hour):02}:{minute}:{min(int(second or 0), 59):02}{shift}"


def _cjk(line: str) -> str:
    found = _CJK.search(line)
    if not found:
        return ""
    year = 1 if found[2] == "元" else int(found[2])
    return _day(year + _ERAS.get(found[1], 0), int(found[3]), int(found[4]))


_THAI_SHORT = "ม.ค.|ก.พ.|มี.ค.|เม.ย.|พ.ค.|มิ.ย.|ก.ค.|ส.ค.|ก.ย.|ต.ค.|พ.ย.|ธ.ค.".replace(".", "")
_THAI_MONTH = {name: number for number, name in enumerate(_THAI_SHORT.split("|"), 1)}
_THAI = re.compile(
    r"(\d{1,2})\s?([ก-ฮเ][\u0e31-\u0e3aก-ฮ]{0,2})\.\s?([ก-ฮ])\.?\s?(\d{4}|\d{2})(?!\d)"
)


def _thai(line: str) -> str:
    """A short month with its dots; a year of two digits is of the Buddhist calendar."""
    found = _THAI.search(line)
    month = _THAI_MONTH.get(found[2] + found[3], 0) if found else 0
    if not found or not month:
        return ""
    year = int(found[4])
    return _day(year + 2500 if year < 100 else year, month, int(found[1]))


_VIETNAMESE = re.compile(r"(\d{1,2})\s+tháng\s+(\d{1,2})\s*,?\s*(?:năm\s+)?(\d{4})(?!\d)", re.I)


def _vietnamese(line: str) -> str:
    """Months have numbers there."""
    found = _VIETNAMESE.search(unicodedata.normalize("NFC", line))
    return _day(int(found[3]), int(found[2]), int(found[1])) if found else ""


def _month(word: str) -> int:
    """Return the number of a month by its name, in Hebrew also with "in" before it; else 0."""
    return _MONTH.get(word) or _PERSIAN_MONTH.get(word) or _MONTH.get(word.removeprefix("ב"), 0)


def _named(line: str) -> str:
    """A month's name with its day and its year beside it."""
    pieces = _pieces(line)
    for at, month in _months(pieces):
        for to_day, to_year in _ORDERS:
            day, year = _number(pieces, at + to_day, 2), _number(pieces, at + to_year, 4)
            found = _day(year, month, day) if year and day else ""
            if found:
                return found + _clock(line)
    return ""


def _parted(line: str) -> str:
    """A month's name with a day beside it, and the nearest year: "May 3 at 9:12, 2024".

    Of days or years on both sides the one before wins.
    """
    pieces = _pieces(_CLOCK_TIME.sub(" ", line))
    for at, month in _months(pieces):
        around = [at + way * step for step in range(1, _YEAR_REACH + 1) for way in (-1, 1)]
        day = _number(pieces, at - 1, 2) or _number(pieces, at + 1, 2)
        year = next(filter(None, (_number(pieces, place, 4) for place in around)), 0)
        found = _day(year, month, day) if year and day else ""
        if found:
            return found + _clock(line)
    return ""


def _pieces(line: str) -> list[str]:
    found = _PIECES.findall(unicodedata.normalize("NFC", line.casefold()))
    return [piece for piece in found if piece not in _WITHIN]


def _months(pieces: list[str]) -> Iterator[tuple[int, int]]:
    """Yield where the names of months stand, and which months they are."""
    for at, piece in enumerate(pieces):
        month = _month(piece.replace(" ", ""))
        if month:
            yield at, month


def _number(pieces: list[str], at: int, digits: int) -> int:
    """Return the number there, a year of 4 digits or a day of 1 or 2; else 0."""
    piece = pieces[at] if 0 <= at < len(pieces) else ""
    fits = len(piece) == 4 if digits == 4 else len(piece) in (1, 2)
    return int(piece) if fits and piece.isdecimal() else 0


def _clock(line: str) -> str:
    found = _CLOCK.search(line)
    return _time(found.groups()) if found else ""


def _numbers(line: str, month_first: bool) -> str:
    found = _NUMBERS.search(line)
    if not found:
        return ""
    one, other, year = int(found[1]), int(found[3]), int(found[4])
    if year < 100:
        year += 2000 if year < 70 else 1900
    if one > 12 or (other <= 12 and (found[2] == "." or not month_first)):
        one, other = other, one
    return _day(year, one, other)


# --- calendars -----------------------------------------------------------------------------------


def _day(year: int, month: int, day: int) -> str:
    """Return a day of our calendar; "" for one that does not exist."""
    if 1300 <= year < 1500:
        return _from_persian(year, month, day)
    if 2400 <= year < 2600:
        year -= 543
    if not 1900 <= year <= 2100:
        return ""
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def _from_persian(year: int, month: int, day: int) -> str:
    """The Persian year begins near 21 March; leap years follow the cycle of 33 years."""
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return ""
    past = year - 979
    days = 365 * past + past // 33 * 8 + (past % 33 + 3) // 4
    days += 31 * min(month - 1, 6) + 30 * max(month - 7, 0) + day - 1
    return date.fromordinal(date(1600, 3, 20).toordinal() + days).isoformat()
