"""Dates as written on pages, converted to ISO 8601, in the languages of the table below.

These forms are read: ISO 8601 and similar (`2024-05-03T15:47+02:00`, `20240503`), RFC 822, seconds
since 1970, CJK (`2024年5月3日`, Japanese eras), a month name next to a day and a year, numbers
(`3.5.2024`, `5/3/2024`), and a month name next to a day with the year a few words away. The order
of three numbers is decided by a number above 12, then by a dot (day first), then by the caller
(`month_first`). Some month names are also names of people: "Jan Smith, 3 June 2024" is in June,
because a day next to the month is preferred.

Years of the Buddhist calendar (2400 to 2600) and of the Persian calendar (1300 to 1499) are
converted. Relative dates ("yesterday") are not, as the date of the download is unknown.
"""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, date, datetime

# One language per line, from January to December. A cell holds the forms of one month's name:
# nominative, genitive, short.
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
gener|febrer|març|abril|maig|juny|juliol|agost|setembre|octubre|novembre|desembre
urtarrilaren|otsailaren|martxoaren|apirilaren|maiatzaren|ekainaren|uztailaren|abuztuaren|\
irailaren|urriaren|azaroaren|abenduaren
јануар јануара|фебруар фебруара|март марта|април априла|мај маја|јун јуна|јул јула|\
август августа|септембар септембра|октобар октобра|новембар новембра|децембар децембра
januara|februara|marta|aprila|maja|juna|jula|avgusta avgust|septembra septembar|\
oktobra oktobar|novembra novembar|decembra decembar
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
_PERSIAN_MONTHS = "فروردین|اردیبهشت|خرداد|تیر|مرداد|شهریور|مهر|آبان|آذر|دی|بهمن|اسفند"
_THAI_SHORT_MONTHS = "มค|กพ|มีค|เมย|พค|มิย|กค|สค|กย|ตค|พย|ธค"  # written with dots: ม.ค.


def _month_numbers(table: str) -> dict[str, int]:
    """Return the number of each month name; the first one if a name has several."""
    numbers: dict[str, int] = {}
    for line in table.strip().splitlines():
        for number, cell in enumerate(line.split("|"), 1):
            for name in cell.split():
                numbers.setdefault(unicodedata.normalize("NFC", name), number)
    return numbers


_MONTH = _month_numbers(_MONTHS)
_PERSIAN_MONTH = _month_numbers(_PERSIAN_MONTHS)
_THAI_SHORT_MONTH = _month_numbers(_THAI_SHORT_MONTHS)

_LONGEST = 200  # characters of a text; the rest is not read
# Every date contains one of these: four digits, two numbers with a mark between them, the character
# for year, or a number before a Thai letter.
_MAY_BE_DATE = re.compile(r"\d{4}|\d\s?[./-]\s?\d|[年년]|\d\s?[ก-ฮเ]")


# The usual form in declarations, with or without a time; a faster way to the same result.
_USUAL = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(Z|[+-]\d{2}:?\d{2}))?\Z", re.ASCII
)


def to_iso(text: str, *, month_first: bool = False, latest: str = "", near: str = "") -> str:
    """Return the first date in a short text as ISO 8601, or "" if there is none.

    The time is included if it has a time zone. `month_first` decides whether 5/3/2024 is in May.
    Such a date after the day `latest` is read with day and month the other way round. One that is
    still later is no result, nor is a later date with only one reading, such as 2024-05-03. With
    `near`, a year and a month such as 2024-05, the reading in that month is preferred.
    """
    usual = _USUAL.match(text)
    if usual is not None:
        day, zone = _day(int(usual[1]), int(usual[2]), int(usual[3])), usual[7]
        iso = day and day + _time(usual[4], usual[5], usual[6], zone)
        if iso and (not latest or day <= latest):
            return iso
    line = _normalized(text)
    if not _MAY_BE_DATE.search(line):
        return ""
    iso = _first_form(line, month_first)
    is_late = latest != "" and iso[:10] > latest
    if not is_late and (not near or iso[:7] == near or not iso):
        return iso
    swapped = _with_day_and_month_swapped(iso)
    is_better = swapped != "" and (swapped[:10] <= latest if is_late else swapped[:7] == near)
    if is_better and iso[:10] == _numbers(line, month_first):
        return swapped
    return "" if is_late else iso


def with_clock(iso: str, text: str) -> str:
    """Return a day in ISO 8601 with the time of day in a text, as written there, without a zone.

    What is more than a day, or a text without a time of day, changes nothing.
    """
    match = _CLOCK.search(text) if len(iso) == len("2024-05-03") else None
    if match is None:
        return iso
    hour, half = int(match[1]), (match[4] or "").lower()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + 12 * (half == "p")
    return iso if hour > 23 else f"{iso}T{hour:02}:{match[2]}:{match[3] or '00'}"


_CLOCK = re.compile(
    r"(?<![\d:.])([0-2]?\d):([0-5]\d)(?::([0-5]\d))?(?:\s?([ap])\.?m\b)?(?![\d:])", re.I
)


def _with_day_and_month_swapped(iso: str) -> str:
    day = _day(int(iso[:4]), int(iso[8:10]), int(iso[5:7]))
    return day and day + iso[10:]


def _first_form(line: str, month_first: bool) -> str:
    """Return the date that is found by the first of the forms that the line has."""
    for read in _ASCII_FORMS if line.isascii() else _FORMS:
        iso = read(line)
        if iso:
            return iso
    return _numbers(line, month_first) or _named_month_far_year(line)


_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_YEAR_MONTH = re.compile(
    r"(?<!\d)(\d{4})(?:\s?[-/.]\s?(\d{1,2})(?!\d)|\s?[年년]\s?(\d{1,2})\s?[月월])"
    r"|(?<!\d)(\d{1,2})\s?[-/.]\s?(\d{4})(?!\d)"
)
_FIRST_YEAR = 1500  # of a date without a day, or in ISO 8601


def to_partial_iso(text: str, *, month_first: bool = False) -> str:
    """Return the first date in a short text as exact as it is given: a day, a month or a year.

    "17.5.2006" is "2006-05-17", "May 2006" is "2006-05", "Spring 2006" is "2006"; "" if there is
    none. A time is left out. Years from 1500 to 2100 are read if there is no day or the form is
    ISO 8601.
    """
    line = _normalized(text)
    old = re.match(r"(1[5-8]\d\d)[-/](0[1-9]|1[0-2])[-/](\d\d)(?!\d)", line)
    if old and 1 <= int(old[3]) <= monthrange(int(old[1]), int(old[2]))[1]:
        return "-".join(old.groups())
    return to_iso(line, month_first=month_first)[:10] or _month_of_year(line) or _only_year(line)


def _month_of_year(line: str) -> str:
    """A month and its year: 2006-05, 5/2006, 200605, May 2006, 2006年5月."""
    match = _YEAR_MONTH.search(line) or re.fullmatch(r"(\d{4})(\d{2})()()()", line)
    if match:
        year, month = int(match[1] or match[5]), int(match[2] or match[3] or match[4])
        if _FIRST_YEAR <= year <= 2100 and 1 <= month <= 12:
            return f"{year}-{month:02}"
    words = _words(line)
    for at, month in _months(words):
        for place in (at + 1, at - 1, at + 2, at - 2):  # two away: May-June 2006
            year = _number(words, place, (4,))
            if _FIRST_YEAR <= year <= 2100:
                return f"{year}-{month:02}"
    return ""


def _only_year(line: str) -> str:
    """The first year; one of the Buddhist or Persian calendar if nothing else is in the line."""
    years = [int(number) for number in _YEAR.findall(line)]
    if len(years) == 1 and line.isdecimal():
        if 2400 <= years[0] < 2600:
            return str(years[0] - 543)
        if 1300 <= years[0] < 1500:
            return str(years[0] + 621)
    return next((str(year) for year in years if _FIRST_YEAR <= year <= 2100), "")


_IN_PATH = re.compile(r"/(\d{4})([-/_]?)(\d{1,2})\2(\d{1,2})(?=[-/_.+]|\Z)")


def date_in_url(url: str) -> str:
    """Return the date in a path such as `/2024/05/03/` or `/2024-05-03-title`, or ""."""
    match = _IN_PATH.search(url[:2000])
    if not match or not 1990 <= int(match[1]) <= 2100:
        return ""
    return _day(int(match[1]), int(match[3]), int(match[4]))


_MONTH_IN_PATH = re.compile(r"/((?:19|20)\d\d)/(0?[1-9]|1[0-2])/")


def month_in_url(url: str) -> str:
    """Return the month in a path such as `/2024/05/title` as 2024-05, or ""."""
    match = _MONTH_IN_PATH.search(url[:2000])
    return f"{match[1]}-{int(match[2]):02}" if match else ""


_DATE_WORDS = frozenset(
    "mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday "
    "sunday montag dienstag mittwoch donnerstag freitag samstag sonntag mo di mi do fr sa so lundi "
    "mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado "
    "domingo lunedì martedì mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta "
    "sexta feira maandag dinsdag woensdag donderdag vrijdag zaterdag zondag понедельник вторник "
    "среда четверг пятница суббота воскресенье today yesterday heute gestern hier aujourd'hui hoy "
    "ayer at on am um le el il den posted published updated am pm uhr gmt utc est edt cst cdt mst "
    "mdt pst pdt cet cest bst ist".split()
)
_AGO = re.compile(
    r"\A(?:about |vor |il y a |hace |há |för )?\d+\s?(?:s|m|h|d|w|y|mo|min|mins|hr|hrs|"
    r"(?:second|minute|hour|day|week|month|year)s?|sekunden?|minuten?|stunden?|tage?n?|wochen?|"
    r"monate?n?|jahre?n?|heures?|jours?|semaines?|mois|ans?|horas?|d[ií]as?|semanas?|mes(?:es)?|"
    r"años?|timmar|dagar)\b\s?(?:ago|old|sedan|fa|geleden)?\.?\Z",
    re.I,
)
_CLOCK_TIME = re.compile(r"(?<![\d:])[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?![\d:])")
_SHORT_WORD = 3  # letters of a word such as "at"


def is_only_date(text: str) -> bool:
    """Return whether a short text is a date, a time or an age ("3 hours ago") and nothing else.

    True for "3 May, 09:12", which `to_iso` cannot convert without a year. False for a name with a
    number in it.
    """
    line = _normalized(text)
    if _DIGIT.search(line) is None:
        return False
    if _AGO.match(line):
        return True
    has_month = has_number = False
    for given in _CLOCK_TIME.sub(" ", line).split():
        word = given.strip(".,;:()[]|·•-–—")
        if not word.isascii():
            word = unicodedata.normalize("NFC", word)
        if _month(word.casefold()):
            has_month = True
        elif _may_be_in_date(word):
            has_number |= word[:1].isdecimal()
        else:
            return False
    has_day = has_month and has_number
    return has_day or _CLOCK_TIME.search(line) is not None or to_iso(line) != ""


_DIGIT = re.compile(r"\d")


def _may_be_in_date(word: str) -> bool:
    """Return whether a word other than a month may be part of a date."""
    is_short = len(word) <= _SHORT_WORD and not word[:1].isupper()
    return word[:1].isdecimal() or is_short or word.casefold() in _DATE_WORDS


# --- forms of dates --------------------------------------------------------------------------

_EPOCH = re.compile(r"(\d{10})(?:\d{3})?(?:\.\d+)?\Z")
_COMPACT_TIME = re.compile(r"(\d{4})(\d{2})(\d{2})T?(\d{2})(\d{2})(\d{2})Z?\Z")
_ISO = re.compile(
    r"(?<!\d)(\d{4})(?:([-/.])\s?(\d{1,2})\2\s?(\d{1,2})|(\d{2})(\d{2}))(?!\d)"
    r"(?:\s*[T ,]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?"
    r"\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|(?=\d{10}\Z))?)?",
    re.I,
)  # before the same in seconds since 1970, a time has no zone and is universal
_CJK = re.compile(
    r"(令和|平成|昭和)?\s*(\d{1,4}|元)\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?"
)
_YEAR_BEFORE_ERA = {"令和": 2018, "平成": 1988, "昭和": 1925}
_THAI = re.compile(
    r"(\d{1,2})\s?([ก-ฮเ][\u0e31-\u0e3aก-ฮ]{0,2})\.\s?([ก-ฮ])\.?\s?(\d{4}|\d{2})(?!\d)"
)
_VIETNAMESE = re.compile(r"(\d{1,2})\s+tháng\s+(\d{1,2})\s*,?\s*(?:năm\s+)?(\d{4})(?!\d)", re.I)
_NUMBERS = re.compile(r"(?<![\d.])(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d)")
_TIME_WITH_ZONE = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2}))?\s*((?:UTC|GMT)?[+-]\d{2}:?\d{2}|Z|UTC|GMT)", re.I
)


def _normalized(text: str) -> str:
    """Return the beginning of a text on one line, with digits of all scripts as 0 to 9."""
    line = " ".join(text[:_LONGEST].split())
    if line.isascii():
        return line
    return line.translate({ord(c): str(unicodedata.digit(c)) for c in set(line) if c.isdecimal()})


def _timestamp(line: str) -> str:
    """Seconds or milliseconds since 1970, or the 14 digits of a date and a time."""
    epoch = _EPOCH.match(line)
    if epoch:
        return datetime.fromtimestamp(int(epoch[1]), UTC).isoformat()
    compact = _COMPACT_TIME.match(line)
    return _day(int(compact[1]), int(compact[2]), int(compact[3])) if compact else ""


def _iso(line: str) -> str:
    match = _ISO.search(line)
    if not match:
        return ""
    month, day = int(match[3] or match[5]), int(match[4] or match[6])
    if month > 12 and match[2]:  # 2024/15/03
        month, day = day, month
    iso = _day(int(match[1]), month, day)
    return iso and iso + _time(*match.group(7, 8, 9, 10))


def _time(hour: str | None, minute: str, second: str | None, zone: str | None) -> str:
    """Return a time with its zone as `T15:47:00+02:00`, or "" if the zone is unknown."""
    if hour is None or zone is None or int(hour) > 23 or int(minute) > 59:
        return ""
    zone = zone.lstrip("GMTUCgmtuc")  # GMT+0200
    shift = "+00:00" if zone in ("", "Z", "z") else f"{zone[:3]}:{zone[-2:]}"
    return f"T{int(hour):02}:{minute}:{min(int(second or 0), 59):02}{shift}"


def _time_in(line: str) -> str:
    match = _TIME_WITH_ZONE.search(line)
    return _time(*match.groups()) if match else ""


def _cjk(line: str) -> str:
    match = _CJK.search(line)
    if not match:
        return ""
    year = 1 if match[2] == "元" else int(match[2])
    return _day(year + _YEAR_BEFORE_ERA.get(match[1], 0), int(match[3]), int(match[4]))


def _thai(line: str) -> str:
    """A short month name with dots; a year of two digits is in the Buddhist calendar."""
    match = _THAI.search(line)
    month = _THAI_SHORT_MONTH.get(match[2] + match[3]) if match else None
    if not match or not month:
        return ""
    year = int(match[4])
    return _day(year + 2500 if year < 100 else year, month, int(match[1]))


def _vietnamese(line: str) -> str:
    """Months are numbered: "3 tháng 5 2024"."""
    match = _VIETNAMESE.search(unicodedata.normalize("NFC", line))
    return _day(int(match[3]), int(match[2]), int(match[1])) if match else ""


def _numbers(line: str, month_first: bool) -> str:
    match = _NUMBERS.search(line)
    if not match:
        return ""
    month, day, year = int(match[1]), int(match[3]), int(match[4])
    if year < 100:
        year += 2000 if year < 70 else 1900
    if month > 12 or (day <= 12 and not _is_month_first(line, match[2], month_first)):
        month, day = day, month
    own = _day(year, month, day)
    return _on_weekday(line, own) if own and day <= 12 else own


_IN_US = re.compile(r"\d\s?[ap]?\.?m?\.?\s(?:E[SD]?T|C[SD]T|M[SD]T|P[SD]?T)\b", re.I)
_WEEKDAY = re.compile(
    r"(?<!\w)(?:(mon(?:day)?|montag|mo|lundi|lunes|luned[iì]|maandag)|(tue(?:s|sday)?|dienstag|di|mardi|"
    r"martes|marted[iì]|dinsdag)|(wed(?:nesday)?|mittwoch|mi|mercredi|mi[eé]rcoles|mercoled[iì]|"
    r"woensdag)|(thu(?:r|rs|rsday)?|donnerstag|do|jeudi|jueves|gioved[iì]|donderdag)|"
    r"(fri(?:day)?|freitag|fr|vendredi|viernes|venerd[iì]|vrijdag)|(sat(?:urday)?|samstag|sa|samedi|"
    r"s[aá]bado|sabato|zaterdag)|(sun(?:day)?|sonntag|so|dimanche|domingo|domenica|zondag))(?!\w)",
    re.I,
)


def _is_month_first(line: str, mark: str, month_first: bool) -> bool:
    """Return whether numbers begin with the month: as asked for, but not before a dot.

    With a time in a zone of North America they do, whatever the mark.
    """
    is_asked = month_first and mark != "."
    return is_asked or ("T" in line.upper() and _IN_US.search(line) is not None)


def _on_weekday(line: str, iso: str) -> str:
    """Return a day, or the one with day and month swapped if only that is on the named weekday."""
    named = _WEEKDAY.search(line)
    if named is None:
        return iso
    swapped = _with_day_and_month_swapped(iso)
    weekday = (named.lastindex or 0) - 1
    is_own = date.fromisoformat(iso).weekday() == weekday
    is_other = swapped != "" and date.fromisoformat(swapped).weekday() == weekday
    return swapped if is_other and not is_own else iso


# --- dates with a month name -----------------------------------------------------------------

# Numbers, and words with their vowel signs; two Arabic months have names of two words.
_WORD = re.compile(r"\d+|[^\s\d.,;:|/()\[\]–—-]+(?:\s(?:الثاني|الأول))?")
# Words inside a date: "3rd of May", "3 de mayo del 2024", "2024 m. gegužės 3 d.".
_FILLERS = frozenset("of the de del di a den m d gada g ko".split())
# Endings of ordinal numbers: 1st, 1er février, 1.º de mayo, 1-го мая, május 1-jén.
_ORDINAL = re.compile(
    r"(?<=\d)(?:\.?[º°ª]|(?:st|nd|rd|th|ere?|ère|re|r|è?me|eme|e|ste|de|:?a|-?(?:го|ого|е|ше|є)|"
    r"-(?:j?[áeé]n?|án|i))(?!\w))"
)
# Positions of day and year from the month: 3 May 2024, May 3 2024, 2024 May 3, 2024 3 May.
_ORDERS = ((-1, 1), (1, 2), (1, -1), (-1, -2))
_YEAR_REACH = 4  # words between a month and its year


def _named_month(line: str) -> str:
    """A month name with a day and a year next to it."""
    words = _words(line)
    for at, month in _months(words):
        for to_day, to_year in _ORDERS:
            year, day = _number(words, at + to_year, (4,)), _number(words, at + to_day, (1, 2))
            iso = _day(year, month, day) if year and day else ""
            if iso:
                return iso + _time_in(line)
    return ""


def _named_month_far_year(line: str) -> str:
    """A month name with a day next to it and the nearest year: "May 3 at 9:12, 2024".

    Of days or years on both sides, the one before the month is used.
    """
    words = _words(_CLOCK_TIME.sub(" ", line))
    for at, month in _months(words):
        around = [at + side * step for step in range(1, _YEAR_REACH + 1) for side in (-1, 1)]
        day = _number(words, at - 1, (1, 2)) or _number(words, at + 1, (1, 2))
        year = next(filter(None, (_number(words, place, (4,)) for place in around)), 0)
        iso = _day(year, month, day) if year and day else ""
        if iso:
            return iso + _time_in(line)
    return ""


def _words(line: str) -> list[str]:
    folded = unicodedata.normalize("NFC", line.casefold())
    words = _WORD.findall(_ORDINAL.sub(" ", folded))
    return [word for word in words if word not in _FILLERS]


def _months(words: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the index and the number of each month name."""
    numbers = (_month(word.replace(" ", "")) for word in words)
    return ((at, number) for at, number in enumerate(numbers) if number)


def _month(word: str) -> int:
    """Return the number of a month by its name (with the Hebrew prefix for "in", too), or 0."""
    return _MONTH.get(word) or _PERSIAN_MONTH.get(word) or _MONTH.get(word.removeprefix("ב"), 0)


def is_month(word: str) -> bool:
    """Return whether a word is the name of a month, in full or short."""
    return bool(_month(word.casefold().strip(".,")))


def _number(words: list[str], at: int, lengths: tuple[int, ...]) -> int:
    """Return the number at an index if it has one of the lengths in digits, else 0."""
    word = words[at] if 0 <= at < len(words) else ""
    return int(word) if len(word) in lengths and word.isdecimal() else 0


_FORMS = (_timestamp, _iso, _cjk, _thai, _vietnamese, _named_month)
_ASCII_FORMS = (_timestamp, _iso, _named_month)  # the others have letters past ASCII


# --- calendars -------------------------------------------------------------------------------


def _day(year: int, month: int, day: int) -> str:
    """Return a day as ISO 8601 in the Gregorian calendar, or "" if it does not exist."""
    if 1300 <= year < 1500:
        return _from_persian(year, month, day)
    if 2400 <= year < 2600:
        year -= 543
    try:
        return date(year, month, day).isoformat() if 1900 <= year <= 2100 else ""
    except ValueError:
        return ""


def _from_persian(year: int, month: int, day: int) -> str:
    """The Persian year begins near 21 March; leap years follow a cycle of 33 years."""
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return ""
    past = year - 979
    days = 365 * past + past // 33 * 8 + (past % 33 + 3) // 4
    days += 31 * min(month - 1, 6) + 30 * max(month - 7, 0) + day - 1
    return date.fromordinal(date(1600, 3, 20).toordinal() + days).isoformat()
