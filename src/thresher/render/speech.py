"""Text for a speech program from the normal form, plain or as SSML (thesis 6.1).

A *sentence* is one line of the output. Title, authors and date come first, then the content. There,
a heading that repeats the title and a line that repeats the authors are left out:

    heading       "Heading: ..."; in SSML a break and emphasis instead of the word
    link          its text; an address that is written out: its host
    image         "Image: ..." with its alternative text, after the line that it is in; without a
                  text (or with a file name as text), nothing
    caption       "Caption: ..."; a caption that repeats the alternative text is said once
    list          a sentence per item, the number of an ordered item first
    table         "Table: ..." with its caption, then a sentence per cell, "Week: 1.", a row a line
    code          "Code: ...", each line a sentence, "End of code."; or "Code, left out."
    quotation     "Quote: ...", "End of quote."
    footnote      "Note: ..." where the note is; the mark in the text is silent
    term          "Term:", then its definition
    raised digit  as a raised character, so that 10<sup>6</sup> is not read as 106

Every sentence ends in a punctuation mark at which a speech program pauses; where the text has none,
the full stop of its script is added. Lines without letters and digits are left out, and so are
characters that have no sound: controls, soft hyphens, marks of direction, private use, code points
that are no characters. Two brackets in a row become one, because speech programs read `[[...]]` as
commands.

The announcing words are in the language of the page if it is one of `WORDS`, else in English. In
SSML (https://www.w3.org/TR/speech-synthesis11/) parts in another language are `lang` elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple, TypeAlias

from thresher.page.words import collapsed
from thresher.render.footnotes import is_reference
from thresher.render.normal_form import (
    HEADINGS,
    LANGUAGE,
    is_inline,
    lines_and_blocks,
    numbered_items,
)
from thresher.render.options import SpeechOptions
from thresher.render.tei.header import Header, escaped, quoted
from thresher.render.tree import Element, Node, Text

MAX_HEADING = 60  # characters; a longer heading of a column is not repeated in each row
MAX_BYLINE = 200  # characters; a longer line is no repeated byline
_MAX_AUTHORS = 3
_AND = frozenset("and und et y e en och i и і та και ve و ו और".split())  # before the last name


_DEFAULT = SpeechOptions()


class Article(NamedTuple):
    """What is read of one page."""

    body: Element  # in the normal form, with what `normalise(spoken=True)` adds
    header: Header


def speech(articles: Sequence[Article], options: SpeechOptions = _DEFAULT) -> str:
    """Return what is read aloud: the first article, then the others as related to it."""
    language = articles[0].header.language
    sentences: list[_Sentence] = []
    for index, article in enumerate(articles):
        writer = _Writer(article.header, options)
        if index:
            writer.related = _Part(words_of(language).related, _own_language(language))
        writer.write(article.body)
        shift = sentences[-1].block if sentences else 0
        sentences += [sentence._replace(block=sentence.block + shift) for sentence in writer.said]
    return _ssml(sentences, _own_language(language)) if options.ssml else _plain(sentences)


# --- words --------------------------------------------------------------------------------------


class Words(NamedTuple):
    """The announcing words of a language."""

    byline: str
    heading: str
    image: str
    caption: str
    table: str
    code: str
    end_of_code: str
    code_left_out: str
    quotation: str
    end_of_quotation: str
    note: str
    related: str
    date: str  # with {day}, {month} and {year}
    months: str  # twelve words, as they are said in a date
    colon: str = ": "  # between an announcing word and what it announces


WORDS: dict[str, Words] = {
    language: Words(*entry.strip().replace("\n", "").split("|"))
    for language, entry in {
        "en": """By {}|Heading|Image|Caption|Table|Code|End of code|Code, left out|Quote|
End of quote|Note|Related article|{day} {month} {year}|
January February March April May June July August September October November December""",
        "de": """Von {}|Überschrift|Bild|Bildunterschrift|Tabelle|Programmtext|
Ende des Programmtexts|Programmtext, ausgelassen|Zitat|Ende des Zitats|Anmerkung|
Verwandter Artikel|{day}. {month} {year}|
Januar Februar März April Mai Juni Juli August September Oktober November Dezember""",
        "fr": """Par {}|Titre|Image|Légende|Tableau|Code|Fin du code|Code, omis|Citation|
Fin de citation|Note|Article lié|{day} {month} {year}|
janvier février mars avril mai juin juillet août septembre octobre novembre décembre""",
        "es": """Por {}|Título|Imagen|Leyenda|Tabla|Código|Fin del código|Código, omitido|Cita|
Fin de la cita|Nota|Artículo relacionado|{day} de {month} de {year}|
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre""",
        "it": """Di {}|Titolo|Immagine|Didascalia|Tabella|Codice|Fine del codice|Codice, omesso|
Citazione|Fine della citazione|Nota|Articolo correlato|{day} {month} {year}|
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre""",
        "pt": """Por {}|Título|Imagem|Legenda|Tabela|Código|Fim do código|Código, omitido|Citação|
Fim da citação|Nota|Artigo relacionado|{day} de {month} de {year}|
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro""",
        "nl": """Door {}|Kop|Afbeelding|Bijschrift|Tabel|Code|Einde van de code|Code, weggelaten|
Citaat|Einde van het citaat|Noot|Gerelateerd artikel|{day} {month} {year}|
januari februari maart april mei juni juli augustus september oktober november december""",
        "sv": """Av {}|Rubrik|Bild|Bildtext|Tabell|Kod|Slut på koden|Kod, utelämnad|Citat|
Slut på citatet|Fotnot|Relaterad artikel|{day} {month} {year}|
januari februari mars april maj juni juli augusti september oktober november december""",
        "pl": """Autor: {}|Nagłówek|Obraz|Podpis|Tabela|Kod|Koniec kodu|Kod, pominięty|Cytat|
Koniec cytatu|Przypis|Powiązany artykuł|{day} {month} {year}|
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada
 grudnia""",
        "ru": """Автор: {}|Заголовок|Изображение|Подпись|Таблица|Код|Конец кода|Код пропущен|Цитата|
Конец цитаты|Примечание|Статья по теме|{day} {month} {year}|
января февраля марта апреля мая июня июля августа сентября октября ноября декабря""",
        "uk": """Автор: {}|Заголовок|Зображення|Підпис|Таблиця|Код|Кінець коду|Код пропущено|Цитата|
Кінець цитати|Примітка|Стаття за темою|{day} {month} {year}|
січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня""",
        "el": """Συντάκτης: {}|Επικεφαλίδα|Εικόνα|Λεζάντα|Πίνακας|Κώδικας|Τέλος κώδικα|
Κώδικας, παραλείπεται|Παράθεση|Τέλος παράθεσης|Σημείωση|Σχετικό άρθρο|{day} {month} {year}|
Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου
 Νοεμβρίου Δεκεμβρίου""",
        "tr": """Yazan: {}|Başlık|Görsel|Görsel açıklaması|Tablo|Kod|Kod sonu|Kod, atlandı|Alıntı|
Alıntı sonu|Not|İlgili haber|{day} {month} {year}|
Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık""",
        "fa": """نویسنده: {}|عنوان|تصویر|شرح تصویر|جدول|کد|پایان کد|کد خوانده نشد|نقل قول|
پایان نقل قول|یادداشت|خبر مرتبط|{day} {month} {year}|
ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر""",
        "ar": """بقلم {}|عنوان|صورة|تعليق الصورة|جدول|شفرة برمجية|نهاية الشفرة|شفرة برمجية لم تُقرأ|
اقتباس|نهاية الاقتباس|حاشية|خبر ذو صلة|{day} {month} {year}|
يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر""",
        "he": """מאת {}|כותרת|תמונה|כיתוב|טבלה|קוד|סוף הקוד|קוד, הושמט|ציטוט|סוף הציטוט|הערה|
כתבה קשורה|{day} {month} {year}|
בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר""",
        "hi": """लेखक: {}|शीर्षक|चित्र|चित्र परिचय|तालिका|कोड|कोड समाप्त|कोड छोड़ा गया|उद्धरण|
उद्धरण समाप्त|टिप्पणी|संबंधित लेख|{day} {month} {year}|
जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर""",
        "zh": """作者：{}|标题|图片|图片说明|表格|代码|代码结束|代码略过|引文|引文结束|
注释|相关文章|{year}年{month}月{day}日|1 2 3 4 5 6 7 8 9 10 11 12|：""",
        "ja": """著者：{}|見出し|画像|画像の説明|表|コード|コード終わり|コード省略|引用|
引用終わり|注|関連記事|{year}年{month}月{day}日|1 2 3 4 5 6 7 8 9 10 11 12|：""",
        "ko": """글쓴이: {}|제목|이미지|이미지 설명|표|코드|코드 끝|코드 생략|인용|
인용 끝|각주|관련 기사|{year}년 {month}월 {day}일|1 2 3 4 5 6 7 8 9 10 11 12""",
    }.items()
}


_SAME_WORDS = {"prs": "fa", "pes": "fa", "cmn": "zh", "yue": "zh", "arb": "ar"}


def words_of(language: str) -> Words:
    """Return the announcing words of a language such as `pt-BR`; English if there are none."""
    code = primary(language)
    return WORDS.get(_SAME_WORDS.get(code, code), WORDS["en"])


def primary(language: str) -> str:
    """Return the first part of a language tag, in lower case: `pt` of `pt-BR`."""
    return re.split("[-_]", language.strip(), maxsplit=1)[0].lower()


_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def spoken_date(iso: str, words: Words) -> str:
    """Return the day of an ISO date in words; "" for anything else."""
    match = _DATE.match(iso)
    if match is None or not 1 <= int(match[2]) <= 12:
        return ""
    month = words.months.split()[int(match[2]) - 1]
    return words.date.format(day=int(match[3]), month=month, year=int(match[1]))


# --- text ---------------------------------------------------------------------------------------

_SILENT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufff0-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e00ff\U000f0000-\U0010ffff"
    + "".join(chr(plane * 0x10000 + last) for plane in range(1, 15) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_SPACES = re.compile("[\t\u2028\u2029]")
_BRACKETS = re.compile(r"([\[\]])\1+")
_ADDRESS = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:https?|ftp)://(?:[^\s/@]*@)?|(?=www\.))"
    r"((?:[a-z0-9-]+\.)+[a-z]{2,}+(?![a-z0-9.-]{0,253}[a-z0-9])|[\w.-]*\w)(?::\d+)?([/?#][!-~]*)?",
    re.IGNORECASE,
)
_AFTER_ADDRESS = ".,;:!?'\")]}"
_FILE_NAME = re.compile(r"[^\s/]+\.(?:jpe?g|png|gif|webp|svg|avif|bmp)", re.IGNORECASE)
# Marks at which speech programs pause, and what may stand between such a mark and the end.
_PAUSES = frozenset(".!?…:;,。！？｡：；，、؟؛،۔।॥॰။၊።፧፣፤።։՞՜។៕།༎‼⁇⁈⁉‽")
_CLOSING = " \n\"'”’»›)]}）］｝」』】〉》〕“‘«‹*_"
# Full stops by the first and last character of a script; all others have ".".
_STOPS = (
    (0x0530, 0x058F, "։"),
    (0x0900, 0x0B7F, "।"),  # Devanagari to Oriya
    (0x0F00, 0x0FFF, "།"),
    (0x1000, 0x109F, "။"),
    (0x1200, 0x139F, "።"),
    (0x1780, 0x17FF, "។"),
    (0x3040, 0x30FF, "。"),
    (0x3400, 0x9FFF, "。"),
    (0xF900, 0xFAFF, "。"),
    (0x20000, 0x3FFFF, "。"),
)
_RAISED = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_DIGITS = re.compile(r"[0-9+\-−=()n]+")
# Marks of footnotes whose notes are not there, and how long one may be that is a link.
_MARK = re.compile(r"\[\w{1,4}\]|\(\d{1,3}\)|\d{1,3}\)|[*†‡§¶]+")
_MAX_MARK = 12
_TEX = re.compile(r"[\\${}&_]+|\^")


def clean(text: str) -> str:
    """Return text without silent characters, with addresses reduced to their hosts."""
    return _BRACKETS.sub(r"\1", _ADDRESS.sub(_host, _SILENT.sub("", _SPACES.sub(" ", text))))


def _host(match: re.Match[str]) -> str:
    host, rest = match[1], match[2] or ""
    after = rest[len(rest.rstrip(_AFTER_ADDRESS)) :]
    if after.startswith(")") and "(" in rest:  # as in wiki/Tea_(drink)
        after = after[1:]
    return re.sub(r"(?i)^www\.(?=.)", "", host) + after


def has_sound(text: str) -> bool:
    """Return whether a text has letters or digits; a row of stars has none."""
    return any(character.isalnum() for character in text)


def full_stop(text: str) -> str:
    """Return the mark that ends a text as a sentence; "" if it has one."""
    last = text.rstrip(_CLOSING)[-1:]
    if last in _PAUSES:
        return ""
    letter = next((one for one in reversed(text) if one.isalpha()), "")
    code = ord(letter) if letter else 0
    return next((stop for first, end, stop in _STOPS if first <= code <= end), ".")


# --- sentences ----------------------------------------------------------------------------------


class _Part(NamedTuple):
    """A piece of a sentence, in one language."""

    text: str
    language: str


class _Sentence(NamedTuple):
    """One line of the output. Lines of a block follow each other without an empty line."""

    parts: list[_Part]
    block: int
    kind: str = ""  # title, heading, image, related, else ""


def _plain(sentences: list[_Sentence]) -> str:
    """Return sentences as lines, with an empty line between blocks."""
    words = [
        "\n".join(_text(sentence.parts) for sentence in block)
        for _, block in groupby(sentences, key=lambda sentence: sentence.block)
    ]
    return "\n\n".join(words)


def _ssml(sentences: list[_Sentence], language: str) -> str:
    """Return sentences as a document in SSML 1.1."""
    namespace = "http://www.w3.org/2001/10/synthesis"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<speak version="1.1" xmlns="{namespace}" xml:lang={quoted(language)}>',
        *(_paragraph(sentence, language) for sentence in sentences),
        "</speak>\n",
    ]
    return "\n".join(lines)


def _paragraph(sentence: _Sentence, own: str) -> str:
    text = ""
    for part in sentence.parts:
        words = escaped(part.text).replace("\n", '<break strength="weak"/>')
        is_other = primary(part.language) != primary(own)
        text += f"<lang xml:lang={quoted(part.language)}>{words}</lang>" if is_other else words
    if sentence.kind == "title":
        text = f'<emphasis level="strong">{text}</emphasis>'
    elif sentence.kind == "heading":
        text = f"<emphasis>{text}</emphasis>"
    pause = {"heading": "strong", "related": "x-strong"}.get(sentence.kind)
    return f'<break strength="{pause}"/><p>{text}</p>' if pause else f"<p>{text}</p>"


def _own_language(language: str) -> str:
    """Return a language tag, `en` if it is not well-formed: SSML must name a language."""
    return language if LANGUAGE.fullmatch(language) else "en"


# --- the writer ---------------------------------------------------------------------------------

_Step: TypeAlias = Element | list[Node] | Callable[[], object]


class _Writer:
    """Walks the normal form without recursion and collects sentences."""

    def __init__(self, header: Header, options: SpeechOptions) -> None:
        self.header = header
        self.language = _own_language(header.language)
        self.words = words_of(header.language)
        self.read_code = options.code
        self.ssml = options.ssml
        self.said: list[_Sentence] = []
        self.block = 0
        self.open_blocks = 0  # blocks of several sentences that are being written
        self.before: list[_Part] = []  # what is said before the next sentence: "3. ", "Quote: "
        self.bylines: set[tuple[str, ...]] = set()  # "By" and the names, as `_words`
        self.names: set[tuple[str, ...]] = set()  # the names alone
        self.has_text = False  # whether the content has begun; headings and images do not count
        self.related: _Part | None = None  # what announces this article, if it is not the first

    def write(self, body: Element) -> None:
        """Say title, authors and date, then the content."""
        self._begin_block()
        self._say_header()
        self._end_block()
        self.has_text = False
        stack: list[_Step] = self._steps(body)[::-1]
        while stack:
            step = stack.pop()
            if isinstance(step, list):
                self._say_line(step)
            elif isinstance(step, Element):
                stack.extend(reversed(self._element(step)))
            else:
                step()

    def _say_header(self) -> None:
        title = clean(collapsed(self.header.title))
        if self.related is None:
            self._say([self._part(title)], "title")
        elif has_sound(title):
            word, language = self.related
            announced = _Part(f"{word}{words_of(language).colon}", language)
            self._say([announced, self._part(title)], "related")
        else:
            self._say([self.related], "related")
        names = [clean(collapsed(name)) for name in self.header.authors]
        byline = ", ".join(filter(has_sound, names[:_MAX_AUTHORS]))
        date = spoken_date(self.header.published or self.header.modified, self.words)
        self._note_byline(byline, date)
        facts = [self.words.byline.format(byline) if byline else "", date]
        line = " ".join(fact + full_stop(fact) for fact in facts if fact)
        self._say([self._part(line)])

    def _note_byline(self, names: str, date: str) -> None:
        """Note the lines that would say names and date again, as `_words` of them."""
        if not names:
            return
        byline = self.words.byline.format(names)
        self.bylines = {_words(byline), _words(f"{byline} {date}")}
        self.names = {_words(names), _words(f"{names} {date}")}

    def _is_said_byline(self, line: str) -> bool:
        """Return whether a line names the authors again: "By" and names, or first of all names."""
        if len(line) > MAX_BYLINE:
            return False
        words = _words(line)
        return words in self.bylines or (not self.has_text and words in self.names)

    # --- blocks ---------------------------------------------------------------------------------

    def _steps(self, holder: Element) -> list[_Step]:
        return [*lines_and_blocks(holder)]

    def _element(self, node: Element) -> list[_Step]:
        """Say a block, or return the steps that do."""
        words, tag = self.words, node.tag
        if tag in HEADINGS:
            self._say_heading(node)
        elif tag == "table":
            self._say_table(node)
        elif tag == "pre":
            self._say_code(node)
        elif tag == "figcaption":
            self._say_caption(node)
        elif tag == "dt":
            parts, images = self._line(node.children)
            self._say(parts, end=words.colon.strip())
            self._say_images(images)
        elif tag in ("ul", "ol"):
            return self._list(node)
        elif tag == "dl":
            return [self._begin_block, *self._steps(node), self._end_block]
        elif tag == "blockquote":
            return self._within(words.quotation, node, words.end_of_quotation)
        elif tag == "aside":
            return self._within(words.note, node)
        else:
            return self._steps(node)
        return []

    def _within(self, word: str, holder: Element, end: str = "") -> list[_Step]:
        """Return the steps of a block with an announcing word, and one at its end if given."""
        return self._after(f"{word}{self.words.colon}", holder, end)

    def _after(self, before: str, holder: Element, end: str = "") -> list[_Step]:
        """Return the steps of a block whose first sentence begins with `before`."""
        said = 0

        def begin() -> None:
            nonlocal said
            said = len(self.said)
            self.before.append(self._part(before))

        def finish() -> None:
            if self.before:  # nothing was said, so it is the last one
                self.before.pop()
            if end and len(self.said) > said:
                self._say([self._part(end)])

        return [begin, *self._steps(holder), finish]

    def _list(self, node: Element) -> list[_Step]:
        steps: list[_Step] = [self._begin_block]
        for item, number in numbered_items(node):
            if node.tag == "ol" and not _holds_only_notes(item):
                steps += self._after(f"{_item_number(node, number)}. ", item)
            else:
                steps += self._steps(item)
        return [*steps, self._end_block]

    def _say_heading(self, node: Element) -> None:
        parts, images = self._line(node.children)
        if self.header.title and _key(_text(parts)) == _key(clean(self.header.title)):
            return  # the title was said first
        if not self.ssml and _has_sound(parts):
            self.before.append(self._part(f"{self.words.heading}{self.words.colon}"))
        self._say(parts, "heading")
        self._say_images(images)

    def _say_code(self, node: Element) -> None:
        lines = [line for line in node.text.split("\n") if has_sound(line)]
        if not lines:
            return
        if not self.read_code:
            self._say([self._part(self.words.code_left_out)])
            return
        self._begin_block()
        self.before.append(self._part(f"{self.words.code}{self.words.colon}"))
        for line in lines:
            self._say([self._part(clean(collapsed(line)))])
        self._say([self._part(self.words.end_of_code)])
        self._end_block()

    def _say_caption(self, node: Element) -> None:
        parts, images = self._line(node.children)
        same = _key(_text(self._image(_text(parts))))
        last = self.said[-1] if self.said else None
        if last is not None and last.kind == "image" and _key(_text(last.parts)) == same:
            self.said.pop()
        if _has_sound(parts):
            self.before.append(self._part(f"{self.words.caption}{self.words.colon}"))
        self._say(parts)
        self._say_images(images)

    # --- tables ---------------------------------------------------------------------------------

    def _say_table(self, table: Element) -> None:
        """Say the caption, then each row with the headings of its columns."""
        words = self.words
        self._begin_block()
        captions: list[_Part] = []
        images: list[str] = []
        rows: list[list[tuple[bool, list[_Part]]]] = []
        alone: list[bool] = []  # by row, whether all cells but the first are empty
        for child in table.children:
            if isinstance(child, Element) and child.tag == "caption":
                parts, pictures = self._line(child.children)
                captions += parts
                images += pictures
            elif isinstance(child, Element):
                cells = [cell for cell in child.children if isinstance(cell, Element)]
                bold = not rows  # counts as a heading in the first row
                rows.append([(_is_heading(cell, bold=bold), self._cell(cell)) for cell in cells])
                # A cell with a dash or another sign is not empty: the row is one like the others.
                alone.append(len(cells) > 1 and not any(cell.text.strip() for cell in cells[1:]))
        if _has_sound(captions):
            captions.insert(0, self._part(f"{words.table}{words.colon}"))
        self._say(captions or [self._part(words.table)])
        self._say_images(images)
        headings: list[list[_Part]] = []
        after_heading = False
        for row, is_alone in zip(rows, alone, strict=True):
            filled = [parts for _, parts in row if parts]
            are_headings = all(is_heading for is_heading, parts in row if parts)
            if not filled:
                continue
            if are_headings and (
                len(row) == 1 or len({_key(_text(parts)) for parts in filled}) > 1
            ):
                levels = headings if after_heading else []
                headings, too_long = _merged(levels, [parts for _, parts in row])
                self._say_row([(False, parts) for parts in too_long], [])
                after_heading = True
                continue
            after_heading = False
            # A heading over all columns, or a text in the first cell alone, names a part.
            if are_headings or (is_alone and len(filled) == 1 and row[0][1]):
                self._say(filled[0])
            else:
                self._say_row(row, headings)
        if after_heading and headings:  # a table of headings alone
            self._say_row([(False, parts) for parts in headings], [])
        self._end_block()

    def _say_row(self, row: list[tuple[bool, list[_Part]]], headings: list[list[_Part]]) -> None:
        """Say each cell after the heading of its column, or after the heading of its row."""
        colon = self._part(self.words.colon)
        parts: list[_Part] = []
        last: list[_Part] = []  # the sentence of the cell before
        is_row_heading = False
        for column, (is_heading, cell) in enumerate(row):
            if not cell:
                continue
            heading = headings[column] if column < len(headings) else []
            if last:
                parts.append(self._after_sentence(last) if heading or not is_row_heading else colon)
            last = [*heading, colon, *cell] if heading else cell
            parts += last
            is_row_heading = is_heading and not heading
        self._say(parts)

    def _after_sentence(self, sentence: list[_Part]) -> _Part:
        """Return the full stop of a sentence if it needs one, and the space after it."""
        text = _text(sentence)
        stop = full_stop(text)
        return self._part(stop if (text + stop)[-1] in "。！？" else f"{stop} ")

    def _cell(self, cell: Element) -> list[_Part]:
        """Return the content of a cell in one line; each of its blocks is a sentence."""
        lines: list[list[_Part]] = []
        line: list[Node] = []
        stack: list[Node | None] = [None, *reversed(cell.children)]  # None ends a block
        while stack:
            node = stack.pop()
            if node is not None and is_inline(node):
                line.append(node)
                continue
            parts, images = self._line(line)
            lines += [parts, *(self._image(text) for text in images)]
            line = []
            if isinstance(node, Element) and node.tag == "pre":
                text = clean(collapsed(node.text))
                lines.append([self._part(text if self.read_code else self.words.code_left_out)])
            elif isinstance(node, Element):
                stack.append(None)
                stack.extend(reversed(node.children))
        joined: list[_Part] = []
        last: list[_Part] = []
        for parts in filter(_has_sound, lines):
            if joined:
                joined.append(self._after_sentence(last))
            joined += parts
            last = parts
        return joined

    # --- lines ----------------------------------------------------------------------------------

    def _part(self, text: str) -> _Part:
        return _Part(text, self.language)

    def _begin_block(self) -> None:
        if not self.open_blocks:
            self.block += 1
        self.open_blocks += 1

    def _end_block(self) -> None:
        self.open_blocks -= 1

    def _say_line(self, nodes: Sequence[Node]) -> None:
        parts, images = self._line(nodes)
        if self.before or not self._is_said_byline(_text(parts)):
            self._say(parts)
        self._say_images(images)

    def _image(self, text: str) -> list[_Part]:
        return [self._part(f"{self.words.image}{self.words.colon}"), self._part(text)]

    def _say_images(self, images: list[str]) -> None:
        for text in images:
            self._say(self._image(text), "image")

    def _say(self, parts: list[_Part], kind: str = "", end: str = "") -> None:
        """Add a sentence, unless it has no sound; `end` is its last mark if it has none."""
        if not _has_sound(parts):
            return
        if not self.open_blocks:
            self.block += 1
        parts = _joined([*self.before, *parts])
        self.before = []
        stop = full_stop(_text(parts))
        if stop:
            text, language = parts[-1]
            parts[-1] = _Part(text + (end or stop), language)
        self.said.append(_Sentence(parts, self.block, kind))
        self.has_text = self.has_text or not kind

    def _line(self, nodes: Sequence[Node]) -> tuple[list[_Part], list[str]]:
        """Return the parts of a line, and the texts of its images."""
        parts: list[_Part] = []
        images: list[str] = []
        languages = [self.language]
        stack: list[Node | str | None] = [*reversed(nodes)]  # None ends a part in a language
        while stack:
            node = stack.pop()
            if node is None:
                languages.pop()
            elif isinstance(node, (str, Text)):
                text = node if isinstance(node, str) else node.data
                parts.append(_Part(text, languages[-1]))
            elif isinstance(node, Element):
                if node.tag == "img":
                    text = clean(collapsed(node.attr("alt") or ""))
                    if has_sound(text) and not _FILE_NAME.fullmatch(text):
                        images.append(text)
                    continue
                language = node.attr("lang")
                if node.tag == "span" and language:
                    languages.append(language)
                    stack.append(None)
                stack.extend(reversed(_pieces(node)))
        merged = [_Part(clean(text), language) for text, language in _joined(parts)]
        return _stripped([part for part in merged if part.text]), images


def _pieces(node: Element) -> list[Node | str | None]:
    """Return what is said of an inline element: text, and nodes that are still to be read."""
    tag = node.tag
    if tag == "br":
        return ["\n"]
    if _is_mark(node):
        return []
    if tag in ("sup", "sub") and _DIGITS.fullmatch(node.text):
        return [node.text.translate(_RAISED if tag == "sup" else _LOWERED)]
    if tag == "q":
        return ["“", *node.children, "”"]
    if tag == "span" and node.attr("class"):
        return [collapsed(_TEX.sub(" ", node.text))]
    return [*node.children]


def _is_mark(node: Element) -> bool:
    """Return whether an element is the mark of a footnote."""
    if is_reference(node):
        return True
    if node.tag not in ("sup", "a") or len(node.children) != 1 or len(node.text) > _MAX_MARK:
        return False
    if node.tag == "sup" and _MARK.fullmatch(node.text.strip()):
        return True
    inner = node.children[0]
    if not isinstance(inner, Element) or {node.tag, inner.tag} != {"sup", "a"}:
        return False
    link = node if node.tag == "a" else inner
    return "#" in (link.attr("href") or "")


def _joined(parts: list[_Part]) -> list[_Part]:
    """Return parts with neighbours in the same language as one."""
    return [
        _Part("".join(part.text for part in same), language)
        for language, same in groupby(parts, key=lambda part: part.language)
    ]


def _stripped(parts: list[_Part]) -> list[_Part]:
    """Return parts without white space at the start and at the end."""
    if parts:
        parts[0] = parts[0]._replace(text=parts[0].text.lstrip())
        parts[-1] = parts[-1]._replace(text=parts[-1].text.rstrip())
    return parts


def _text(parts: list[_Part]) -> str:
    return "".join(part.text for part in parts)


def _has_sound(parts: list[_Part]) -> bool:
    return has_sound(_text(parts))


def _key(text: str) -> str:
    """Return a text as it is compared with another: without case, spaces and a last full stop."""
    return collapsed(text).rstrip(".").casefold()


def _words(text: str) -> tuple[str, ...]:
    """Return the words of a byline in alphabetical order, without those that join names."""
    words = re.findall(r"\w+", text.casefold())
    return tuple(sorted(word for word in words if word not in _AND))


def _holds_only_notes(item: Element) -> bool:
    """Return whether a list item holds footnotes and nothing else."""
    return all(isinstance(child, Element) and child.tag == "aside" for child in item.children)


def _item_number(list_: Element, number: int) -> str:
    """Return the number of an item as the page shows it; Roman numbers as digits."""
    if list_.attr("type") in ("a", "A") and 1 <= number <= 26:
        return chr(ord(list_.attr("type") or "") + number - 1)
    return str(number)


def _is_heading(cell: Element, *, bold: bool) -> bool:
    """Return whether a cell is a heading by its tag or, with `bold`, because all of it is bold."""
    children = cell.children
    only = children[0] if len(children) == 1 else None
    return cell.tag == "th" or (bold and isinstance(only, Element) and only.tag == "strong")


def _merged(
    above: list[list[_Part]], below: list[list[_Part]]
) -> tuple[list[list[_Part]], list[list[_Part]]]:
    """Return the headings of columns from those of the rows above and one more row.

    A heading that is too long to be repeated in each row is left out. The second list has those
    that were left out, each once.
    """
    merged: list[list[_Part]] = []
    too_long: dict[str, list[_Part]] = {}
    nothing: list[_Part] = []
    for upper, lower in zip_longest(above, below, fillvalue=nothing):
        levels = [upper, _without_colon(lower)]
        if not lower or _key(_text(levels[0])) == _key(_text(levels[1])):
            levels.pop()
        while levels and len(", ".join(map(_text, levels))) > MAX_HEADING:
            left_out = levels.pop(0)
            too_long.setdefault(_key(_text(left_out)), left_out)
        heading: list[_Part] = []
        for parts in filter(None, levels):
            heading += [_Part(", ", parts[0].language), *parts] if heading else parts
        merged.append(heading)
    too_long.pop("", None)
    return merged, [*too_long.values()]


def _without_colon(parts: list[_Part]) -> list[_Part]:
    """Return a heading without the colon or full stop at its end."""
    return [*parts[:-1], _Part(parts[-1].text.rstrip(" :：."), parts[-1].language)] if parts else []
