"""Text for a speech program and SSML, compared with literal text, a schema and eSpeak NG."""

import re
import string
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lxml import etree

import thresher
from tests.growth import assert_linear
from tests.render.test_no_word_is_lost import Words, page
from tests.speech_program import espeak, seconds
from thresher import Include
from thresher.render.speech import WORDS, full_stop, spoken_date, words_of

DEMO = Path(__file__).parents[2] / "examples" / "demo.html"


def spoken(source: str, *, url: str | None = None, **options: bool) -> str:
    return thresher.extract(source, url=url, method="plain").speech(**options)


# --- worked examples ------------------------------------------------------------------------------

EXAMPLES = {
    "paragraphs": ("<p>Warm it<p>Is it warm?<p>“Yes.”", "Warm it.\n\nIs it warm?\n\n“Yes.”"),
    "a heading": ("<h1>Rain</h1><h2>Tea</h2><p>Hot", "Rain.\n\nHeading: Tea.\n\nHot."),
    "formatting": ("<p>a <b>b</b> <i>c</i> <code>d_e</code> <mark>f</mark>", "a b c d_e f."),
    "a link is silent": ('<p>Look <a href="/x" title="t">here</a> now', "Look here now."),
    "an address": (
        "<p>See https://www.example.org/a/b?c=1#d, http://x.example:80 (or www.tea.example/z).",
        "See example.org, x.example (or tea.example).",
    ),
    "an address with brackets": ("<p>https://a.example/Tea_(drink) is", "a.example is."),
    "an address with a user": ("<p>ftp://me:pw@a.example/x is", "a.example is."),
    "an address in Chinese": ("<p>见https://a.example/茶是", "见a.example茶是。"),
    "an address of letters": ("<p>https://bücher.example/x is", "bücher.example is."),
    "an image": ('<p>A<img src="/a.png" alt="A red pot"> b', "A b.\n\nImage: A red pot."),
    "images without a text": ('<p>A <img src="/a.png"><img src="/b.png" alt="b-1.JPG">', "A."),
    "a figure": (
        '<figure><img src="/a.png" alt="A pot"><figcaption>Mine</figcaption></figure>',
        "Image: A pot.\n\nCaption: Mine.",
    ),
    "a caption that repeats the image": (
        '<figure><img src="/a.png" alt="A pot"><figcaption>A pot.</figcaption></figure>',
        "Caption: A pot.",
    ),
    "a list": ("<p>Take<ul><li>tea<li>water<ul><li>hot</ul></ul>", "Take.\n\ntea.\nwater.\nhot."),
    "numbers": ("<ol start=3><li>a<li value=7><p>b<p>c</ol>", "3. a.\n7. b.\nc."),
    "letters as numbers": ("<ol type=a start=26><li>x<li>y</ol>", "z. x.\n27. y."),
    "a quotation in an item": (
        "<ol><li><blockquote>a</blockquote></ol>",
        "1. Quote: a.\nEnd of quote.",
    ),
    "terms": ("<dl><dt>Tea<dd>Leaves<dt>Pot?<dd>Clay</dl>", "Tea:\nLeaves.\nPot?\nClay."),
    "a quotation": (
        "<blockquote><p>a<p>b</blockquote><p>c",
        "Quote: a.\n\nb.\n\nEnd of quote.\n\nc.",
    ),
    "a quotation in a line": ("<p>He said <q>so <q>it</q> is</q>", 'He said “so "it" is”.'),
    "code": (
        "<pre><code class=language-c>int a;\n\n  b++</code></pre>",
        "Code: int a;\nb++.\nEnd of code.",
    ),
    "lines without sound": ("<p>* * *<p>a<hr><p>—<p>b", "a.\n\nb."),
    "a line break": ("<p>a<br>b", "a\nb."),
    "raised and lowered": (
        "<p>10<sup>6</sup> H<sub>2</sub>O the 1<sup>st</sup> x<sup>-2n</sup>",
        "10⁶ H₂O the 1st x⁻²ⁿ.",
    ),
    "footnotes": (
        '<p>Tea<sup><a href="#n1">1</a></sup> is hot.<p>Cups.<ol><li id=n1>In the East.</ol>',
        "Tea is hot.\n\nCups.\n\nNote: In the East.",
    ),
    "marks without a note": (
        '<p>Tea<sup>[3]</sup> is<sup><a href="/p#c">b</a></sup> hot<a href="#d"><sup>*</sup></a>.',
        "Tea is hot.",
    ),
    "raised words that are no marks": (
        '<p>Tea<sup>(TM)</sup> <sup><a href="#d">is served from four o’clock</a></sup>',
        "Tea(TM) is served from four o’clock.",
    ),
    "a formula": (
        '<p>So <math><semantics><mi>x</mi><annotation encoding="application/x-tex">'
        "\\frac{a}{b}</annotation></semantics></math> holds",
        "So frac a b holds.",
    ),
    "commands of speech programs": ("<p>[[slnc 500]] [a]", "[slnc 500] [a]."),
    "silent characters": (
        "<p>so\u00adft\u200b ri\u200fght \ue001ic\x07on,\ufffe\uffff\ufdd0\U0002fffe می\u200cشود",
        "soft right icon, می\u200cشود.",
    ),
    "details": ("<details><summary>More</summary><p>a</details>", "More.\n\na."),
    "a comma at the end": ("<p>Dear reader,<p>hello", "Dear reader,\n\nhello."),
}  # fmt: skip


@pytest.mark.parametrize(("source", "text"), EXAMPLES.values(), ids=EXAMPLES)
def test_what_is_said(source, text):
    assert spoken(source, url="https://puddle.example/") == text


def test_the_demo_word_for_word():
    text = thresher.extract(DEMO).speech()
    assert text.startswith("Measuring rain with a yoghurt pot.\n3 May 2024.\n\nA bought rain gauge")
    assert "\n\nHeading: What you need.\n\nEverything below" in text
    assert "washed, with its label soaked off;\na ruler" in text
    assert (
        "Week: 1. Gauge, Pot: 12.1. Gauge, Glass: 12.4. Remark: steady drizzle.\nWeek: 2." in text
    )
    assert "Quote: A gauge does not tell you how much it rained." in text
    assert not re.search(r"https?://|\]\(|[#|<>]", text)


def test_no_word_of_the_text_is_lost():
    document = thresher.extract(DEMO)
    assert set(re.findall(r"\w+", document.text)) <= set(re.findall(r"\w+", document.speech()))


@given(page)
def test_no_word_of_a_random_page_is_lost(source):
    """All words are said: only marks of footnotes, which are in brackets, are silent."""
    source = source.translate(dict.fromkeys(map(ord, "[]()*")))
    said = unicodedata.normalize("NFKC", spoken(source))
    wanted = {word for part in Words(source).words for word in part.split("_")}
    assert wanted <= set(re.findall(r"[^\W_]+", said)) | {""}


# --- the beginning --------------------------------------------------------------------------------

HEAD = (
    "<html lang=en><title>Making tea</title><meta name=author content='{}'>"
    "<meta property=article:published_time content='2024-05-03T10:00:00Z'>"
    "<h1>Making tea</h1><p>Hot."
)


def test_title_authors_and_date_come_first_and_the_title_once():
    assert spoken(HEAD.format("Ada Marten")) == "Making tea.\nBy Ada Marten. 3 May 2024.\n\nHot."


@pytest.mark.parametrize(
    ("authors", "line"),
    [
        ("Ada Marten", "<p>By <b>Ada Marten</b>"),
        ("Ada Marten", "<p>BY ADA MARTEN"),
        ("Ada Marten", "<p><a href=/ada>Ada Marten</a>"),
        ("Ada Marten", "<p>Ada Marten | May 3, 2024"),
        ("Ada Marten", "<p>Hot.<p>By Ada Marten, 3 May 2024"),
        ("Ada Marten, Jane Doe", "<p>By Ada Marten and Jane Doe"),
    ],
)
def test_the_authors_are_said_once(authors, line):
    page = HEAD.format(authors).replace("<p>Hot.", line + ("" if "Hot" in line else "<p>Hot."))
    assert spoken(page) == f"Making tea.\nBy {authors}. 3 May 2024.\n\nHot."


@pytest.mark.parametrize(
    "line",
    ["<p>By Ada Marten’s pot", "<p>By Ada Marten, cook", "<p>Hot.<p>Ada Marten",
     "<ol><li>Ada Marten</ol>", "<blockquote>By Ada Marten</blockquote>", "<p>3 May 2024"],
)  # fmt: skip
def test_other_lines_with_the_name_of_an_author_are_said(line):
    said = spoken(HEAD.format("Ada Marten").replace("<p>Hot.", line)).split("\n\n", 1)[1]
    wanted = " ".join(re.sub("<.*?>", " ", line).split())
    assert re.findall(r"\w+", wanted)[-1] in said


def test_a_page_that_says_nothing_about_itself():
    assert spoken("<p>Hot.") == "Hot."


def test_an_empty_page():
    assert spoken("") == ""
    assert etree.fromstring(spoken("", ssml=True).encode()).text.strip() == ""


@pytest.mark.parametrize(
    ("date", "language", "words"),
    [
        ("2024-05-03", "en", "3 May 2024"),
        ("2024-12-31T23:59:00+01:00", "de-AT", "31. Dezember 2024"),
        ("2024-05-03", "pt-BR", "3 de maio de 2024"),
        ("2024-05-03", "ru", "3 мая 2024"),
        ("2024-05-03", "ja", "2024年5月3日"),
        ("2024-05-03", "sw", "3 May 2024"),
        ("2024-13-03", "en", ""),
        ("2024", "en", ""),
        ("", "en", ""),
    ],
)
def test_dates(date, language, words):
    assert spoken_date(date, words_of(language)) == words


# --- sentences ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "stop"),
    [
        ("tea", "."), ("tea.", ""), ("tea?”", ""), ("(tea.)", ""), ("tea…", ""), ("tea:", ""),
        ("tea)", "."), ("茶", "。"), ("茶。", ""), ("お茶！」", ""), ("茶 12", "。"), ("12", "."),
        ("चाय", "।"), ("चाय।", ""), ("چای", "."), ("چائے۔", ""), ("شاي؟", ""), ("ሻይ", "።"),
        ("թեյ", "։"), ("တီး", "။"), ("차", "."), ("τσάι", "."), ("τσάι;", ""),
    ],
)  # fmt: skip
def test_full_stops(text, stop):
    assert full_stop(text) == stop


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_a_sentence_gets_one_stop_at_most(text):
    assert full_stop(text + full_stop(text)) == "" or not text.strip()


# --- languages ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", WORDS)
def test_the_words_of_a_language_are_complete(language):
    words = WORDS[language]
    assert len(words.months.split()) == 12
    assert len({*words.months.split()}) == 12
    assert all(words)
    assert words.byline.count("{}") == 1
    assert {*re.findall(r"{(\w+)}", words.date)} == {"day", "month", "year"}
    assert not any("\n" in word or word.strip() != word for word in words[:-1])


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Überschrift: Tee."), ("fr-CA", "Titre: Tee."), ("fa", "عنوان: Tee."),
        ("prs", "عنوان: Tee."), ("zh-Hans", "标题：Tee."), ("ar", "عنوان: Tee."),
        ("xx", "Heading: Tee."), ("", "Heading: Tee."),
    ],
)  # fmt: skip
def test_announcements_are_in_the_language_of_the_page(language, text):
    assert spoken(f"<html lang='{language}'><h1>A</h1><h2>Tee</h2>") == f"A.\n\n{text}"


def test_a_page_in_chinese():
    source = (
        "<html lang=zh><h1>雨</h1><h2>雨量</h2><p>昨天下雨了<ol><li>一<li>二。</ol>"
        "<table><tr><th>周<th>毫米<tr><td>1<td>十二</table><blockquote>雨很大</blockquote>"
    )
    assert spoken(source) == (
        "雨。\n\n标题：雨量。\n\n昨天下雨了。\n\n1. 一。\n2. 二。\n\n"
        "表格。\n周：1。毫米：十二。\n\n引文：雨很大。\n\n引文结束。"
    )


def test_a_page_in_persian():
    source = (
        "<html lang=fa dir=rtl><h1>خبر</h1><h2>باران</h2><p>دیشب باران آمد"
        "<p>چرا؟<img src=/a.png alt=چتر>"
    )
    assert spoken(source, url="https://a.example/") == (
        "خبر.\n\nعنوان: باران.\n\nدیشب باران آمد.\n\nچرا؟\n\nتصویر: چتر."
    )


LANGUAGES = {
    "a part": ("<p>He said <i lang=fr>oui</i> now", 'He said <lang xml:lang="fr">oui</lang> now.'),
    "a block": ("<div lang=fr><p>Oui</div>", '<lang xml:lang="fr">Oui.</lang>'),
    "within another": (
        "<p lang=fr>Il dit <b lang=de>ja</b> <b>oui</b>",
        '<lang xml:lang="fr">Il dit </lang><lang xml:lang="de">ja</lang>'
        '<lang xml:lang="fr"> oui.</lang>',
    ),
    "the language of the page": ("<p lang=en>Yes <b lang=en-GB>no</b>", "Yes no."),
    "announced": (
        "<blockquote lang=fr>Oui</blockquote>",
        'Quote: <lang xml:lang="fr">Oui.</lang></p>\n<p>End of quote.',
    ),
    "no language": ("""<p lang='"><b>'>a <b lang="">b</b>""", "a b."),
    "xml:lang": ("<p xml:lang=fr>Oui", '<lang xml:lang="fr">Oui.</lang>'),
}  # fmt: skip


@pytest.mark.parametrize(("source", "ssml"), LANGUAGES.values(), ids=LANGUAGES)
def test_parts_in_other_languages(source, ssml):
    document = thresher.extract(f"<!DOCTYPE html><html lang=en>{source}", method="plain")
    assert paragraphs(document.speech(ssml=True)) == f"<p>{ssml}</p>"
    assert "lang" not in document.speech()
    assert "lang" not in document.html()
    assert document.markdown()


# --- tables ---------------------------------------------------------------------------------------

TABLES = {
    "headings": (
        "<tr><th>Week<th>Rain<tr><td>1<td>12.1<tr><td>2<td>3",
        "Week: 1. Rain: 12.1.\nWeek: 2. Rain: 3.",
    ),
    "no headings": ("<tr><td>a<td>b<tr><td>c<td>d", "a. b.\nc. d."),
    "bold headings": ("<tr><td><b>A</b><td><b>B</b><tr><td>c<td>d", "A: c. B: d."),
    "bold sums": (
        "<tr><th>A<th>B<tr><td><b>1</b><td><b>2</b><tr><td>3<td>4",
        "A: 1. B: 2.\nA: 3. B: 4.",
    ),
    "headings in two rows": (
        "<tr><th rowspan=2>Week<th colspan=2>Gauge<tr><th>Pot<th>Glass<tr><td>1<td>12.1<td>12",
        "Week: 1. Gauge, Pot: 12.1. Gauge, Glass: 12.",
    ),
    "one heading for two columns": (
        "<tr><th>Week<th colspan=2>Rain<tr><td>1<td>a<td>b",
        "Week: 1. Rain: a. Rain: b.",
    ),
    "a cell for several rows": (
        "<tr><th>Day<th>Rain<tr><td rowspan=2>Monday<td>a<tr><td>b<tr><td>Friday<td>c",
        "Day: Monday. Rain: a.\nDay: Monday. Rain: b.\nDay: Friday. Rain: c.",
    ),
    "a cell for several columns": (
        "<tr><th>A<th>B<th>C<tr><td colspan=2>x<td>y<tr><td colspan=3>all",
        "A: x. C: y.\nall.",
    ),
    "headings of rows": ("<tr><th>Born<td>1815<tr><th>Died<td>1852", "Born: 1815.\nDied: 1852."),
    "headings of rows and columns": (
        "<tr><td><th>Mon<th>Tue<tr><th>Opens<td>9<td>10",
        "Opens. Mon: 9. Tue: 10.",
    ),
    "new headings": (
        "<tr><th>A<th>B<tr><td>1<td>2<tr><th>C<th>D<tr><td>3<td>4",
        "A: 1. B: 2.\nC: 3. D: 4.",
    ),
    "a heading over all": (
        "<tr><th colspan=2>Rain<tr><th>A<th>B<tr><td>1<td>2",
        "Rain.\nA: 1. B: 2.",
    ),
    "equal cells": ("<tr><th>A<th>B<tr><td>0<td>0", "A: 0. B: 0."),
    "headings alone": ("<tr><th>A<th>B", "A. B."),
    "empty cells": ("<tr><th>A<th>B<tr><td>–<td>2<tr><td><td>", "B: 2."),
    "a row with signs instead of values": (
        "<tr><th>Region<th>May<th>June<tr><td>Ost<td>-<td>–<tr><td>West<td>n/a<td>3",
        "Region: Ost.\nRegion: West. May: n/a. June: 3.",
    ),
    "a part of a table": (
        "<tr><th>Region<th>May<tr><td>North<td><tr><td>Ost<td>1",
        "North.\nRegion: Ost. May: 1.",
    ),
    "an image beside a text": (
        "<tr><th>Region<th>Map<tr><td>Ost<td><img src=/a.png alt='A hill'>",
        "Region: Ost. Map: Image: A hill.",
    ),
    "one column": ("<tr><th>Tea<tr><td>green<tr><td>black", "Tea: green.\nTea: black."),
    "a colon": ("<tr><th>A:<th>B<tr><td>1<td>2", "A: 1. B: 2."),
    "blocks in a cell": (
        "<tr><th>A<th>B<tr><td><p>x<p>y<td><ul><li>u<li>v</ul><pre>w\nz</pre>",
        "A: x. y. B: u. v. w z.",
    ),
    "a table in a cell": (
        "<tr><th>A<th>B<tr><td>x<td><table><tr><td>u<td>v</table>",
        "A: x. B: u. v.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "text"), TABLES.values(), ids=TABLES)
def test_tables(rows, text):
    assert spoken(f"<table>{rows}</table>", url="https://puddle.example/") == f"Table.\n{text}"


def test_the_caption_of_a_table():
    source = "<table><caption>Rain in May</caption><tr><th>A<th>B<tr><td>1<td>2</table>"
    assert spoken(source) == "Table: Rain in May.\nA: 1. B: 2."


def test_a_long_heading_is_not_repeated_in_each_row():
    heading = "word " * 20
    source = f"<table><tr><th>{heading}<th>B<tr><td>1<td>2<tr><td>3<td>4</table>"
    assert spoken(source) == f"Table.\n{heading.strip()}.\n1. B: 2.\n3. B: 4."


def test_headings_that_are_too_long_together():
    source = (
        f"<table><tr><th colspan=2>{'a' * 50}<th>B<tr><th>{'c' * 20}<th>d<th>e"
        "<tr><td>1<td>2<td>3</table>"
    )
    text = f"Table.\n{'a' * 50}.\n{'c' * 20}: 1. {'a' * 50}, d: 2. B, e: 3."
    assert spoken(source) == text


@st.composite
def rows_with_spans(draw: st.DrawFn) -> list[list[tuple[str, int]]]:
    """Rows of cells, each with a letter and a rowspan; the columns are always full."""
    letters = iter(string.ascii_lowercase * 4)
    width, height = draw(st.integers(2, 4)), draw(st.integers(1, 5))
    busy = [0] * width
    rows = []
    for number in range(height):
        row = []
        for column in range(width):
            if busy[column] <= number:
                span = draw(st.integers(1, 3))
                busy[column] = number + span
                row.append((next(letters), span))
        rows.append(row)
    return rows


@given(rows_with_spans())
def test_a_cell_is_read_in_every_row_that_it_spans(rows):
    """The slow definition: write each cell into all its places of a grid."""
    height, grid = len(rows), {}
    for number, row in enumerate(rows):
        column = 0
        for letter, span in row:
            while (number, column) in grid:
                column += 1
            for below in range(number, min(number + span, height)):
                grid[below, column] = letter
    width = 1 + max(column for _, column in grid)
    cells = sum(map(len, rows))
    assume(all(rows) and width * height <= 2 * cells)  # rows without cells; too many copies
    heads = "".join(f"<th>{column}" for column in range(width))
    source = f"<table><tr>{heads}"
    for row in rows:
        source += "<tr>" + "".join(f"<td rowspan={span}>{letter}" for letter, span in row)
    lines = []
    for number in range(height):
        texts = [grid.get((number, column), "") for column in range(width)]
        lines.append(" ".join(f"{n}: {text}." for n, text in enumerate(texts)))
    assert spoken(source) == "\n".join(["Table.", *lines])


# --- options --------------------------------------------------------------------------------------


def test_code_is_left_out_when_asked_for():
    source = "<p>Run<pre>rm x</pre><p>Done<table><tr><th>A<th>B<tr><td><pre>y</pre><td>z</table>"
    text = spoken(source, code=False)
    assert text == "Run.\n\nCode, left out.\n\nDone.\n\nTable.\nA: Code, left out. B: z."


def test_parts_are_left_out_as_in_other_formats():
    source = '<p>a<img src="/a.png" alt="Pot"><table><tr><th>b<th>c<tr><td>d<td>e</table>'
    document = thresher.extract(source, url="https://a.example/", method="plain")
    assert document.speech(Include(images=False, tables=False)) == "a."
    assert document.speech(Include(links=False)) == document.speech() == document.render("speech")


def test_related_documents_are_read_after_the_article():
    first = thresher.extract("<html lang=de><title>Regen</title><p>Nass.", method="plain")
    second = thresher.extract("<html lang=en><title>Snow</title><p>Cold.", method="plain")
    third = thresher.extract("<p>Untitled.", method="plain")
    assert first.speech(related=[second, third]) == (
        "Regen.\n\nNass.\n\nVerwandter Artikel: Snow.\n\nCold.\n\nVerwandter Artikel.\n\nUntitled."
    )
    assert paragraphs(first.speech(related=[second], ssml=True)).endswith(
        '<break strength="x-strong"/><p>Verwandter Artikel: <lang xml:lang="en">Snow.</lang></p>\n'
        '<p><lang xml:lang="en">Cold.</lang></p>'
    )


# --- SSML -----------------------------------------------------------------------------------------

# The part of SSML 1.1 that is written (https://www.w3.org/TR/speech-synthesis11/, appendix D).
SCHEMA = etree.RelaxNG(
    etree.fromstring("""
<grammar xmlns="http://relaxng.org/ns/structure/1.0" ns="http://www.w3.org/2001/10/synthesis"
         datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">
  <start><element name="speak">
    <attribute name="version"><value>1.1</value></attribute>
    <attribute name="xml:lang"><data type="language"/></attribute>
    <zeroOrMore><choice><ref name="break"/><element name="p"><ref name="line"/></element></choice>
    </zeroOrMore>
  </element></start>
  <define name="break"><element name="break">
    <attribute name="strength"><choice><value>weak</value><value>strong</value>
      <value>x-strong</value></choice></attribute>
  </element></define>
  <define name="line"><zeroOrMore><choice><text/><ref name="break"/>
    <element name="emphasis">
      <optional><attribute name="level"><value>strong</value></attribute></optional>
      <ref name="line"/></element>
    <element name="lang"><attribute name="xml:lang"><data type="language"/></attribute>
      <ref name="line"/></element>
  </choice></zeroOrMore></define>
</grammar>""")
)


def valid_ssml(document: str) -> etree._Element:
    root = etree.fromstring(document.encode())
    assert SCHEMA.validate(root), SCHEMA.error_log
    return root


def paragraphs(document: str) -> str:
    """The content of a valid document in SSML."""
    valid_ssml(document)
    return "\n".join(document.split("\n")[2:-2])


def test_ssml_marks_title_and_headings():
    document = thresher.extract(HEAD.format("Ada") + "<h2>R&amp;D</h2><p>a<br>b", method="plain")
    assert document.speech(ssml=True) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<speak version="1.1" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="en">\n'
        '<p><emphasis level="strong">Making tea.</emphasis></p>\n'
        "<p>By Ada. 3 May 2024.</p>\n"
        "<p>Hot.</p>\n"
        '<break strength="strong"/><p><emphasis>R&amp;D.</emphasis></p>\n'
        '<p>a<break strength="weak"/>b.</p>\n'
        "</speak>\n"
    )


@pytest.mark.parametrize(("source", "_"), [*EXAMPLES.values(), *TABLES.values()])
def test_ssml_is_valid(source, _):
    valid_ssml(spoken(source, url="https://puddle.example/", ssml=True))


def test_the_demo_in_ssml_says_the_same_words():
    document = thresher.extract(DEMO)
    text = " ".join(valid_ssml(document.speech(ssml=True)).itertext())
    said = document.speech().replace("Heading: ", "")
    assert text.split() == said.split()


HOSTILE = st.text(
    st.sampled_from("ab <>&\"']\x00\x08\x0b\x1b\x85\u2028\ufffe\uffff\U0001f600\ud83d茶[.\n\u200f")
)


@given(HOSTILE, HOSTILE, HOSTILE)
def test_hostile_text_gives_valid_ssml_without_control_characters(title, text, language):
    quoted = text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;")
    tag = language.replace("'", "")
    source = (
        f"<html lang='{tag}'><title>{title}</title><p lang='{quoted}'>{quoted}"
        f"<img src=/a.png alt='{quoted}'><pre>{quoted}</pre>"
        f"<table><tr><th>{quoted}<th>b<tr><td>{quoted}"
    )
    document = thresher.extract(source, url="https://a.example/", method="plain")
    valid_ssml(document.speech(ssml=True))
    assert not re.search(
        r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200f\ud800-\udfff\ufffe\uffff]", document.speech()
    )
    assert "[[" not in document.speech()


# --- hostile pages --------------------------------------------------------------------------------

ODD = {
    "deep quotations": lambda n: "<blockquote>a" * n,
    "deep lists": lambda n: "<ol><li>a" * n,
    "deep languages": lambda n: "<b lang=fr>a<b lang=de>b" * n,
    "languages side by side": lambda n: "<p>" + "<b lang=fr>a</b><b lang=de>b</b>" * n,
    "wide and tall cells": lambda n: "<table>" + "<tr><th rowspan=65534 colspan=1000>a<td>b" * n,
    "a tall cell": lambda n: "<table><tr><td rowspan=0>a<td>b" + "<tr><td>c" * n,
    "rows under headings": lambda n: f"<table><tr><th>{'a' * 59}<th>b" + "<tr><td>c<td>d" * n,
    "a long heading": lambda n: f"<table><tr><th>{'a' * n}<th>b" + "<tr><td>c<td>d" * n,
    "a wide row": lambda n: "<table><tr>" + "<th>a" * n + "<tr>" + "<td>b" * n,
    "heading rows": lambda n: "<table>" + "<tr><th>a<th>b" * n,
    "nested tables": lambda n: "<table><tr><td>a<td>" * (n // 10) + "b",
    "addresses": lambda n: "<p>" + "https://www.a.example/b " * n,
    "one address": lambda n: "<p>https://" + "a." * n + "1",
    "an address of users": lambda n: "<p>" + "ftp://" + "a" * n + " http:///@" * n,
    "footnotes": lambda n: "<p>" + "".join(f"<sup><a href=#{i}>{i}</a></sup>" for i in range(n))
    + "".join(f"<p id={i}>x" for i in range(n)),
    "no letters": lambda n: "<p>" + "*" * n + "<p>* *" * n,
    "brackets": lambda n: "<p>" + "[" * n + "a" + "]" * n,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD)
def test_time_is_linear(name):
    def act(source):
        document = thresher.extract(source, method="plain")
        document.speech()
        document.speech(ssml=True)

    assert_linear(act, ODD[name], 1_000)


@pytest.mark.parametrize("name", ODD)
def test_odd_pages_give_valid_ssml(name):
    valid_ssml(spoken(ODD[name](300), ssml=True))


def test_the_size_of_a_table_is_limited():
    """Copies of cells do not swell a hostile page: here, at most one copy per cell."""
    source = "<table><tr>" + f"<td rowspan=0>{'a' * 50}" * 100 + "<tr><td>b" * 100
    assert len(spoken(source)) < 3 * len(source)


# --- a real speech program ------------------------------------------------------------------------


def test_a_speech_program_reads_the_text_longer_the_longer_it_is():
    document = thresher.extract(DEMO)
    text = document.speech()
    short = text[: text.index("\n\nHeading:")]
    lengths = [seconds(espeak("-v", "en", given=part)) for part in (short[:100], short, text)]
    assert lengths[0] > 3
    assert lengths[1] > 2 * lengths[0]
    assert lengths[2] > 3 * lengths[1]
    words_per_minute = 60 * len(text.split()) / lengths[2]
    assert 100 < words_per_minute < 250  # eSpeak NG reads about 175


def test_a_speech_program_reads_ssml():
    document = thresher.extract(DEMO)
    plain = seconds(espeak("-v", "en", given=document.speech()))
    marked = seconds(espeak("-m", given=document.speech(ssml=True)))
    assert 0.8 < marked / plain < 1.5  # the same words: tags are not read


def test_full_stops_make_a_speech_program_pause():
    words = "tea milk water sugar cups pots leaves spoons".split()
    source = "".join(f"<h2>{word}</h2>" for word in words)
    said = spoken(source)
    without = said.replace(".", "").replace("\n", " ")
    assert seconds(espeak("-v", "en", given=said)) > seconds(espeak("-v", "en", given=without)) + 1


@pytest.mark.parametrize("language", ["de", "fa", "cmn", "ru"])
def test_a_speech_program_reads_other_languages(language):
    code = {"cmn": "zh"}.get(language, language)
    said = spoken(f"<html lang={code}><h2>A</h2><blockquote>B</blockquote><pre>c</pre>")
    assert seconds(espeak("-v", language, given=said)) > 2
