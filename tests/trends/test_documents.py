"""Dated documents in every form they are read from."""

import csv
import datetime
import io
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import process_time

import pyarrow
import pyarrow.parquet
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from thresher.cli import main
from thresher.errors import InputError, UsageError
from thresher.trends.documents import _NOT_XML as NOT_XML
from thresher.trends.documents import FORMS, DatedDocument, ReadResult, read_documents, write_xml

TITLE = '"A Mission-Driven Discipline": the Growth of Conservation Biology'
ABSTRACT = (
    "Abstract: Conservation biology emerged in the mid-1980s, drawing on established disciplines "
    "and integrating them in pursuit of a coherent goal: the protection and perpetuation of the "
    "Earth's biological diversity."
)
URL = "http://dx.doi.org/10.1111/j.1523-1739.2006.00449.x"

LISTING_6_1 = """\
TY - JOUR
AU - MEINE, CURT
AU - SOUL, MICHAEL
AU - NOSS, REED F.
TI - "A Mission-Driven Discipline": the Growth of Conservation Biology
TI - "Una Disciplina Dirigida por una Misi n": el Crecimiento de Conservation Biology
JO - Conservation Biology
VL - 20
IS - 3
PB - Blackwell Publishing Inc
SN - 1523-1739
UR - http://dx.doi.org/10.1111/j.1523-1739.2006.00449.x
DO - 10.1111/j.1523-1739.2006.00449.x
SP - 631
EP - 651
PY - 2006
AB - Abstract: Conservation biology emerged in the mid-1980s, drawing on established
    disciplines and integrating them in pursuit of a coherent goal: the protection
    and perpetuation of the Earth's biological diversity.
ER -
"""
MISSION = DatedDocument(TITLE, ABSTRACT, "2006", "Conservation Biology", URL)

LISTING_6_2 = """\
<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE note SYSTEM "Note.dtd">
<research>
<journal>
    Wiley
</journal>
<title>
    "A Mission-Driven Discipline": the Growth of Conservation Biology
</title>
<date>
    2006
</date>
<abstract>
    Abstract: Conservation biology emerged in the mid-1980s, drawing on established
    disciplines and integrating them in pursuit of a coherent goal: the protection and
    perpetuation of the Earth's biological diversity.
</abstract>
</research>
"""


def read(text: str | bytes, form: str | None = None) -> ReadResult:
    data = text.encode() if isinstance(text, str) else text
    return read_documents(io.BytesIO(data), form)


def one(text: str | bytes, form: str | None = None) -> DatedDocument:
    """The only document of a text in which nothing is wrong."""
    result = read(text, form)
    assert result.problems == ()
    (document,) = result
    return document


# --- documents and results -------------------------------------------------------------------


@pytest.mark.parametrize("date", ["", "2006", "2006-05", "2006-05-17", "2024-02-29", "0001"])
def test_dates_of_a_document(date: str) -> None:
    assert DatedDocument("", "", date).date == date


@pytest.mark.parametrize(
    "date",
    ["2006-5", "May 2006", "2006-13", "2006-02-30", "2023-02-29", "20060517", "0000", "٢٠٠٦"],
)
def test_other_dates_are_refused(date: str) -> None:
    with pytest.raises(UsageError, match="is not of the form 2006, 2006-05 or 2006-05-17"):
        DatedDocument("", "", date)


def test_a_result_is_a_sequence() -> None:
    result = read(LISTING_6_1)
    assert len(result) == 1
    assert list(result) == [MISSION]
    assert result[0] == MISSION
    assert result[:1] == (MISSION,)
    assert MISSION in result


# --- RIS -------------------------------------------------------------------------------------


def test_listing_6_1() -> None:
    assert one(LISTING_6_1) == MISSION


def test_ris_with_two_spaces_and_crlf() -> None:
    standard = LISTING_6_1.replace(" - ", "  - ", 200).replace("ER -", "ER  - ")
    assert standard.startswith("TY  - JOUR")
    assert one(standard.replace("\n", "\r\n")) == MISSION


def test_ris_in_windows_1252_and_in_utf_16() -> None:
    text = LISTING_6_1.replace('"A Mission', '"Año: a Mission')
    assert one(text.encode("cp1252")).title == TITLE.replace('"A', '"Año: a')
    assert one(text.encode("utf-16")).title == TITLE.replace('"A', '"Año: a')
    assert one(b"\xef\xbb\xbf" + text.encode()).title == TITLE.replace('"A', '"Año: a')


def test_a_continued_second_title_is_not_part_of_the_first() -> None:
    text = "TY  - JOUR\nTI  - One\nTI  - Uno\n  y medio\nAB  - a\nb\n\nc\nPY  - 2006\nER  - \n"
    document = one(text)
    assert (document.title, document.text) == ("One", "a b c")


def test_one_space_is_a_tag_only_for_tags_of_ris() -> None:
    text = "TY - JOUR\nTI - Tea\nAB - Grown in India, the\nUS - and China.\nER -\n"
    assert one(text).text == "Grown in India, the US - and China."


@pytest.mark.parametrize(
    ("tags", "date"),
    [
        ("PY  - 2006/05/17/", "2006-05-17"),
        ("PY  - 2006///", "2006"),
        ("PY  - 2006/05//Spring", "2006-05"),
        ("Y1  - 2006", "2006"),
        ("PY  - 2006\nDA  - 2006/05/17", "2006-05-17"),
        ("DA  - 2006/05/17\nPY  - 2006", "2006-05-17"),
        ("PY  - 2006\nDA  - 2011/01/01", "2006"),  # perhaps the day of the export
        ("DA  - May 2006", "2006-05"),
        ("PY  - in press", ""),
        ("VL  - 2006", ""),
    ],
)
def test_dates_of_ris(tags: str, date: str) -> None:
    assert one(f"TY  - JOUR\nTI  - T\n{tags}\nER  - \n").date == date


@pytest.mark.parametrize(
    ("tags", "source", "url"),
    [
        ("JO  - Ecol.\nJF  - Ecology", "Ecology", ""),
        ("T2  - Ecology\nUR  - https://e.example/a;b", "Ecology", "https://e.example/a;b"),
        ("JA  - Ecol.\nDO  - 10.1234/x.y", "Ecol.", "https://doi.org/10.1234/x.y"),
    ],
)
def test_source_and_address_of_ris(tags: str, source: str, url: str) -> None:
    document = one(f"TY  - JOUR\nTI  - T\n{tags}\nER  - \n")
    assert (document.source, document.url) == (source, url)


def test_records_without_an_end_are_kept_apart() -> None:
    text = "TY  - JOUR\nTI  - A\nPY  - 2006\nTY  - JOUR\nstray\nTI  - B\nPY  - 2007"
    assert [(d.title, d.date) for d in read(text)] == [("A", "2006"), ("B", "2007")]


def test_an_empty_record_of_ris_is_a_problem() -> None:
    result = read("TY  - JOUR\nPY  - 2006\nER  - \nTY  - JOUR\nTI  - B\nER  - \n")
    assert [document.title for document in result] == ["B"]
    assert result.problems == ("the given file, line 1 has neither a title nor a text.",)


# --- XML -------------------------------------------------------------------------------------


def test_listing_6_2() -> None:
    assert one(LISTING_6_2) == DatedDocument(TITLE, ABSTRACT, "2006", "Wiley")


def test_several_records() -> None:
    record = LISTING_6_2.split("\n", 2)[2]
    assert len(read(f"<all>{record}{record}</all>")) == 2


def test_several_files_in_one() -> None:
    result = read(LISTING_6_2 * 3)
    assert result.problems == ()
    assert list(result) == [one(LISTING_6_2)] * 3


@pytest.mark.slow
def test_the_document_type_is_not_read(tmp_path: Path) -> None:
    """A pipe that nobody writes to would block whoever opens it."""
    os.mkfifo(tmp_path / "Note.dtd")
    (tmp_path / "one.xml").write_text(LISTING_6_2)
    code = f"from thresher.trends import read_documents as r; print(len(r({str(tmp_path)!r})))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, timeout=30, capture_output=True, text=True
    )
    assert done.stdout == "1\n", done.stderr


BOMB = """<!DOCTYPE research [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><research><title>&c;</title></research>"""
FILE = """<!DOCTYPE research [<!ENTITY f SYSTEM "secret.txt">]>
<research><title>&f;</title></research>"""


@pytest.mark.parametrize("text", [BOMB, FILE])
def test_declared_entities_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    path = tmp_path / "one.xml"
    path.write_text(text)
    with pytest.raises(InputError, match="declares entities, which can expand to any size"):
        read_documents(path)
    (tmp_path / "two.xml").write_text(LISTING_6_2)
    result = read_documents(tmp_path)
    assert len(result) == 1
    assert len(result.problems) == 1


@pytest.mark.parametrize("doctype", ['<!DOCTYPE note SYSTEM "Note.dtd">', ""])
def test_entities_of_html_are_known(doctype: str) -> None:
    text = f"{doctype}<research><title>Misi&oacute;n &unknown; &amp; &#233;</title></research>"
    assert one(text).title == "Misión &unknown; & é"


def test_a_damaged_record_does_not_lose_the_others() -> None:
    text = """<?xml version="1.0" encoding="utf-8"?>
<records>
<research><title>A & B, p < 0.05</title></research>
<research><title>C</research>
<research><title>D\x02</title></research>
<research><title>E"""
    result = read(text)
    assert [document.title for document in result] == ["A & B, p < 0.05", "D"]
    assert result.problems == (
        "the given file, line 4: mismatched tag.",
        "the given file, line 6: no element found.",
    )


def test_encodings_of_xml() -> None:
    text = '<?xml version="1.0" encoding="{}"?><research><title>Misión</title></research>'
    assert one(text.format("iso-8859-1").encode("latin-1")).title == "Misión"
    assert one(text.format("windows-1252").encode("cp1252")).title == "Misión"
    assert one(text.format("utf-16").encode("utf-16")).title == "Misión"
    damaged = text.format("iso-8859-1") + "<research><title>Año & día</title></research>"
    assert [d.title for d in read(damaged.encode("latin-1"))] == ["Misión", "Año & día"]
    assert one(text.format("utf-8").encode("latin-1")).title == "Misión"  # wrongly declared


def test_marked_up_texts_and_dates_of_xml() -> None:
    document = one(
        "<research><date>17.5.2006</date><abstract>in <i>situ</i>,\n not <b>ex\nsitu</b>"
        "</abstract></research>"
    )
    assert (document.text, document.date) == ("in situ, not ex situ", "2006-05-17")


def test_other_xml_is_refused() -> None:
    with pytest.raises(InputError, match="has no <research> record"):
        read("<TEI><title>A</title></TEI>")


def test_xml_as_written(tmp_path: Path) -> None:
    path = tmp_path / "one.xml"
    write_xml([DatedDocument("A & B", "One\n\ntwo", "2006-05", "Ecology")], path)
    assert path.read_text() == (
        '<?xml version="1.0" encoding="utf-8"?>\n<research>\n<journal>\n    Ecology\n</journal>\n'
        "<title>\n    A &amp; B\n</title>\n<date>\n    2006-05\n</date>\n"
        '<abstract xml:space="preserve">One\n\ntwo</abstract>\n</research>\n'
    )
    write_xml([], path)
    assert path.read_text() == '<?xml version="1.0" encoding="utf-8"?>\n<records>\n</records>\n'
    write_xml([MISSION, MISSION], path)
    assert read_documents(path) == ReadResult((MISSION, MISSION))


ANY_TEXT = st.text(
    st.one_of(
        st.characters(codec=None),
        st.sampled_from(" \t\r\n<>&\"'\x00\x02\x1f\x7f\x85\ud800\ufffe\u2028]-"),
    )
)
DATES = st.one_of(
    st.just(""),
    st.dates().map(str),
    st.dates().map(lambda day: f"{day:%Y-%m}"),
    st.integers(1, 9999).map(lambda year: f"{year:04}"),
).filter(lambda date: not date or len(date.split("-")[0]) == 4)
DOCUMENTS = st.builds(DatedDocument, ANY_TEXT, ANY_TEXT, DATES, ANY_TEXT, ANY_TEXT, ANY_TEXT)


def in_xml(document: DatedDocument) -> DatedDocument:
    """The document without the characters that XML cannot hold."""
    texts = [document.title, document.text, document.source, document.url, document.language]
    title, text, source, url, language = (NOT_XML.sub("", one) for one in texts)
    return DatedDocument(title, text, document.date, source, url, language)


@given(st.lists(DOCUMENTS, max_size=4))
def test_xml_that_was_written_reads_the_same(
    tmp_path_factory: pytest.TempPathFactory, documents: list[DatedDocument]
) -> None:
    path = tmp_path_factory.getbasetemp() / "round.xml"
    write_xml(documents, path)
    kept = [one for one in map(in_xml, documents) if one.title or one.text]
    if documents:
        result = read_documents(path)
        assert list(result) == kept
        assert len(result.problems) == len(documents) - len(kept)
    else:
        with pytest.raises(InputError, match="has no <research> record"):
            read_documents(path)


# --- BibTeX ----------------------------------------------------------------------------------

BIBTEX = r"""
% An example.
@comment{ignored}
@string{cb = "Conservation Biology"}
@article{meine06,
  author = {Curt Meine and Michael Soul{\'e}},
  title = {A {Mission}-Driven Discipline: la misi\'on, na{\"\i}ve \& 100% \emph{in situ}},
  journal = cb,
  year = 2006, month = may,
  abstract = "Species -- and
     {DNA}.",
  url = {https://c.example/a_b%20c~d},
  langid = {english}
}
@inproceedings(two, TITLE = {Two}, booktitle = {Meeting}, date = {2007-03-04}, doi = {10.1234/q})
"""


def test_bibtex() -> None:
    first, second = read(BIBTEX)
    assert first == DatedDocument(
        "A Mission-Driven Discipline: la misión, naïve & 100% in situ",
        "Species – and DNA.",
        "2006-05",
        "Conservation Biology",
        "https://c.example/a_b%20c~d",
        "english",
    )
    assert second == DatedDocument("Two", "", "2007-03-04", "Meeting", "https://doi.org/10.1234/q")


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"{\'e}t{\'e}", "été"),
        (r"\c{c} \c c \v{s} {\o} {\ss} \aa", "ç ç š ø ß å"),
        (r"\textit{Homo} \textbf{sapiens}", "Homo sapiens"),
        ("``so'' --- and -- so", "“so” — and – so"),
        ("50% of all", "50% of all"),
        (r"50\% of \'all", "50% of áll"),
        (r"a 5% b\'e c", "a 5% bé c"),
        ("a~b", "a b"),
    ],
)
def test_latex(latex: str, text: str) -> None:
    assert one(f"@article{{k, title = {{{latex}}}}}").title == text


@pytest.mark.parametrize(
    ("fields", "date"),
    [
        ("year = 2006, month = 5", "2006-05"),
        ("year = 2006, month = {May}, day = 17", "2006-05"),
        ("year = 2006, month = 5, day = 17", "2006-05-17"),
        ('year = 2006, month = "17~" # may', "2006-05-17"),
        ("year = {2006}, month = {Spring}", "2006"),
        ("year = {in press}", ""),
        ("date = {2006-05/2006-07}", "2006-05"),
    ],
)
def test_dates_of_bibtex(fields: str, date: str) -> None:
    assert one(f"@article{{k, title = {{T}}, {fields}}}").date == date


def test_a_damaged_entry_does_not_lose_the_others() -> None:
    text = (
        "@article{a, title = {A}, year = 2006}\n@article{b, title = {B, year = 2007}\n"
        "@article{c, title = {C}, year = 2008}\n@article{d, year = 2009}\n"
        "@article{a, title = {E}, title = {F}, year = 2010}\n"  # a key and a field twice
    )
    result = read(text, "bibtex")
    assert [document.title for document in result] == ["A", "C", "E"]
    assert result.problems == (
        "the given file, line 2: premature end of file.",
        "the given file, d has neither a title nor a text.",
    )


def test_a_command_in_a_text_is_no_entry() -> None:
    assert one("@article{a, title = {How to cite:\n@book{x} is a book}}").title == (
        "How to cite: @bookx is a book"
    )


# --- tables and JSON -------------------------------------------------------------------------

ROWS = [
    {"title": "One", "year": 2006, "abstract": "First.", "venue": ["acl", "ijcnlp"]},
    {"title": "Two", "year": None, "abstract": "Second.", "venue": []},
]
EXPECTED = [
    DatedDocument("One", "First.", "2006", "acl, ijcnlp"),
    DatedDocument("Two", "Second.", ""),
]


def parquet(rows: list[dict[str, object]]) -> bytes:
    sink = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), sink)
    return sink.getvalue()


def test_parquet() -> None:
    assert list(read(parquet(ROWS))) == EXPECTED


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_in_parquet(unit: str) -> None:
    table = pyarrow.table(
        {
            "title": ["a", "b"],
            "published": pyarrow.array(
                [datetime.datetime(2006, 5, 17, 9, 30), None], pyarrow.timestamp(unit, "UTC")
            ),
        }
    )
    sink = io.BytesIO()
    pyarrow.parquet.write_table(table, sink)
    assert [document.date for document in read(sink.getvalue())] == ["2006-05-17", ""]


def test_days_in_parquet() -> None:
    assert one(parquet([{"text": "a", "date": datetime.date(2006, 5, 17)}])).date == "2006-05-17"
    assert one(parquet([{"text": "a", "year": 2006.0}])).date == "2006"


def test_damaged_parquet_is_refused() -> None:
    with pytest.raises(InputError, match="not a Parquet file, or damaged"):
        read(b"PAR1 and so on")


def test_json_lines_and_json() -> None:
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    assert list(read(lines)) == EXPECTED
    assert list(read(json.dumps(ROWS))) == EXPECTED
    assert list(read(json.dumps(ROWS, indent=2))) == EXPECTED
    assert list(read(json.dumps(ROWS[0], indent=2))) == EXPECTED[:1]


@pytest.mark.parametrize(
    "broken", ["{", "[1]", "null", '"text"', "[" * 100_000, '{"year": 2006}', '{"title": 5e999}']
)
@pytest.mark.parametrize("first", [True, False])
def test_a_damaged_line_of_json_does_not_lose_the_others(broken: str, first: bool) -> None:
    good = json.dumps(ROWS[0])
    lines = [broken, good, good] if first else [good, broken, good]
    result = read("\n\n".join(lines), "json")
    assert list(result) == [EXPECTED[0]] * 2
    (problem,) = result.problems
    assert problem.startswith(f"the given file, line {1 if first else 3}")


def test_a_line_separator_in_json_is_no_line_end() -> None:
    assert one('{"title": "a\u2028b\x85c"}\r\n').title == "a\u2028b\x85c"


@pytest.mark.parametrize("text", ["{", "[1", "nothing"])
def test_other_texts_are_no_json(text: str) -> None:
    with pytest.raises(InputError, match="is not JSON, nor JSON Lines"):
        read(text, "json")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv(delimiter: str) -> None:
    sink = io.StringIO(newline="")
    writer = csv.writer(sink, delimiter=delimiter)
    writer.writerows(
        [
            ["Title", "Publication Year", "Abstract", "Source title", "Link"],
            ["One, a; b | c", "2006", 'It "is"\nfirst.', "Ecology", "https://e.example/"],
            [],
            ["Two", "", "", "", ""],
        ]
    )
    assert list(read(sink.getvalue())) == [
        DatedDocument("One, a; b | c", 'It "is"\nfirst.', "2006", "Ecology", "https://e.example/"),
        DatedDocument("Two", "", ""),
    ]


def test_tsv_with_bare_quotes() -> None:
    text = 'title\tyear\tabstract\nA "b" c\t2006\tx\n"A" b\t2007\ty\n'
    assert [(d.title, d.date) for d in read(text, "tsv")] == [('A "b" c', "2006"), ("A b", "2007")]


def test_an_open_quote_is_a_problem() -> None:
    result = read('title,year\nA,2006\n"B,2007\nC,2008\n', "csv")
    assert [document.title for document in result] == ["A"]
    assert result.problems == (
        "the given file, line 3: a quotation mark is never closed; the rest is not read.",
    )


def test_a_row_with_too_many_cells_is_a_problem() -> None:
    result = read("title,text\nA,one, two\nB,three,,\n")
    assert [(document.title, document.text) for document in result] == [("B", "three")]
    (problem,) = result.problems
    assert problem.startswith("the given file, line 2 has more cells than the first line: quote")


def test_long_cells_are_read_and_the_limit_of_csv_is_restored() -> None:
    before = csv.field_size_limit()
    assert len(one(f"title,text\nA,{'x' * 1_000_000}\n").text) == 1_000_000
    assert csv.field_size_limit() == before


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet"])
def test_columns_are_required(form: str) -> None:
    data = parquet([{"name": "x"}]) if form == "parquet" else b"name\nx\n"
    with pytest.raises(InputError, match="has no column title, abstract or text"):
        read(data, form)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"Date": "17.5.2006", "year": 2006}, {"date": "2006-05-17"}),
        ({"date": "soon", "year": "2006"}, {"date": "2006"}),
        ({"date": "2006", "published": "2006-05-17T10:00:00Z"}, {"date": "2006-05-17"}),
        ({"date": "2005", "published": "2006-05-17"}, {"date": "2005"}),
        ({"year": "2006", "month": "5"}, {"date": "2006-05"}),
        ({"published": 1147824000}, {"date": "2006-05-17"}),
        ({"date": 2006.0}, {"date": "2006"}),
        ({"date": float("nan")}, {"date": ""}),
        ({"date": True}, {"date": ""}),
        (
            {"url": "https://n.example/2006/05/17/a"},
            {"date": "2006-05-17", "url": "https://n.example/2006/05/17/a"},
        ),
        ({"input": "a.html", "site": None, "url": "https://n.example/a"}, {"source": "n.example"}),
        ({"input": "crawl/n.example/a.html", "site": None}, {"source": "n.example"}),
        ({"input": "a.html", "site": None, "url": None}, {"source": ""}),
        ({"url": "https://doi.example/a"}, {"source": ""}),
        ({"journal": "", "venue": "V", "site": "S"}, {"source": "V"}),
        ({"abstract": " ", "text": "body"}, {"text": "body"}),
        ({"abstract": "short", "text": "body"}, {"text": "short"}),
        ({"lang": "de"}, {"language": "de"}),
    ],
)
def test_columns(record: dict[str, object], expected: dict[str, str]) -> None:
    document = one(json.dumps({"title": "T"} | record))
    assert {name: getattr(document, name) for name in expected} == expected


# --- what `thresher extract` writes ----------------------------------------------------------

PAGE = """<html lang="en"><title>{title}</title>
<meta property="og:site_name" content="The Kettle">
<meta property="article:published_time" content="2024-05-{day:02}T09:00:00+02:00">
<article><h1>{title}</h1><p>Let the water cool before you pour it over green leaves, or they turn
bitter. Two minutes are enough for the first cup, and a little more for the second one.</p>
</article>"""


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for day in (3, 4):
        page = PAGE.format(title=f"How to steep green tea, part {day}", day=day)
        (folder / f"{day}.html").write_text(page)
    return folder


def thresher(*arguments: object) -> str:
    done = CliRunner().invoke(main, [*map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_json_of_one_and_of_several_extracted_pages(pages: Path) -> None:
    alone = one(thresher("extract", pages / "3.html", "--format", "json"))
    assert alone.title == "How to steep green tea, part 3"
    assert (alone.date, alone.source, alone.language) == ("2024-05-03", "The Kettle", "en")
    assert "Two minutes are enough" in alone.text
    output = pages.parent / "pages.json"  # JSON Lines under the name of JSON
    thresher("extract", pages, "--format", "json", "--output", output)
    several = read_documents(output)
    assert [document.date for document in several] == ["2024-05-03", "2024-05-04"]
    assert several[0] == alone
    assert several.problems == ()


def test_csv_of_extracted_pages(pages: Path) -> None:
    documents = read(thresher("extract", pages, "--format", "csv"))
    assert [document.title[-6:] for document in documents] == ["part 3", "part 4"]
    assert "Two minutes are enough" in documents[0].text


def test_pages_are_not_documents(pages: Path) -> None:
    for path in (pages, pages / "3.html"):
        with pytest.raises(InputError, match=r"run thresher extract .* --format json --output"):
            read_documents(path)
    with pytest.raises(InputError, match="run thresher extract"):
        read((pages / "3.html").read_bytes())


# --- files and folders -----------------------------------------------------------------------


def test_a_folder(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "one.ris").write_text(LISTING_6_1)
    (tmp_path / "c.xml").write_text(LISTING_6_2)
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (tmp_path / "d.parquet").write_bytes(b"damaged")
    (tmp_path / "notes.md").write_text("not read")
    result = read_documents(tmp_path)
    assert [document.source for document in result] == [
        "acl, ijcnlp",
        "",
        "Conservation Biology",
        "Wiley",
    ]
    assert len(result.problems) == 1
    assert "d.parquet: it is not a Parquet file, or damaged" in result.problems[0]
    assert len(read_documents(str(tmp_path), "ris")) == 1


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no documents in .*: its files must end in \.ris"):
        read_documents(tmp_path)


def test_forms_by_content(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    for text in (LISTING_6_1, LISTING_6_2, BIBTEX, "title;year\nA;2006\n", '\n{"title": "A"}'):
        path.write_text(text)
        assert len(read_documents(path)) >= 1, text
    path.write_bytes(parquet(ROWS))
    assert len(read_documents(path)) == 2


@pytest.mark.parametrize("text", ["", "Dear all,\nwhat is this?\n", "\x00\x01"])
def test_what_is_none_of_these_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="cannot tell what the given file is"):
        read(text)


def test_forced_forms(tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_text(LISTING_6_1)
    assert list(read_documents(path, "ris")) == [MISSION]
    with pytest.raises(InputError):
        read_documents(path)
    with pytest.raises(UsageError, match="no form 'doc': give one of ris, xml"):
        read_documents(path, "doc")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.ris", "cannot read .*nowhere.ris: no such file"),
        ("a\0b", "cannot read .*: .*null byte"),
        ("corpus.ris.gz", "is compressed: unpack it first"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_documents(tmp_path / name)


@pytest.mark.parametrize("form", FORMS)
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_any_bytes_give_documents_or_a_sentence(form: str, data: bytes) -> None:
    try:
        sentences = read(data, form).problems
    except InputError as error:
        sentences = (str(error),)
    assert all(sentence.endswith(".") for sentence in sentences)


PIECES = st.lists(
    st.sampled_from(
        [
            *("TY  - JOUR\n", "TY - ", "ER  - \n", "AB  - a\n", "TI - b\n", "  c\n", "XX  - \n"),
            *("<research>", "</research>", "<title>", "</title>", "<!DOCTYPE a [", "&amp;", "&b;"),
            *("@article{k, ", "title = {", "}", '"', "year = 2006", "\\'e", "\\", "%", "$", "#"),
            *('{"title": "a"}', '{"year": [', "]}", "\n", ",", "\t", "title,year\n", "\r", "\0"),
        ]
    ),
    max_size=30,
)


@pytest.mark.parametrize("form", [form for form in FORMS if form != "parquet"])
@given(pieces=PIECES)
def test_any_pieces_give_documents_or_a_sentence(form: str, pieces: list[str]) -> None:
    test_any_bytes_give_documents_or_a_sentence.hypothesis.inner_test(
        form, "".join(pieces).encode()
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "record"),
    [
        ("ris", "TY  - JOUR\nTI  - "),
        ("ris", "a\n"),
        ("xml", "<research>"),
        ("xml", "<research><title>a &"),
        ("bibtex", "@article{a, title = {b\n"),
        ("bibtex", "@article{a, title = {\\'e\\}}\n"),
        ("json", '{"title": "a"\n'),
        ("csv", 'title,"\n'),
        ("tsv", 'title\t"\n'),
    ],
)
def test_time_grows_with_the_size_of_a_damaged_file(form: str, record: str) -> None:
    def seconds(size: int) -> float:
        begin = process_time()
        with suppress(InputError):
            read(record * size, form)
        return process_time() - begin

    small, large = (min(seconds(size) for _ in range(3)) for size in (1_500, 6_000))
    assert large < 12 * (small + 0.05), (small, large)


# --- what callers give ---------------------------------------------------------------------------


def test_a_date_may_be_a_year_or_a_day():
    assert DatedDocument("t", "x", 2001).date == "2001"
    assert DatedDocument("t", "x", 987).date == "0987"
    assert DatedDocument("t", "x", datetime.date(2006, 5, 17)).date == "2006-05-17"
    assert DatedDocument("t", "x", datetime.datetime(2006, 5, 17, 9, 30)).date == "2006-05-17"


@pytest.mark.parametrize(
    "fields",
    [("t", "x", True), ("t", "x", 20010), ("t", "x", None), ("t", None, "2001"), (3, "x", "2001"),
     ("t", "x", "2001", None), ("t", "x", 2001.0)],
)  # fmt: skip
def test_fields_of_other_types_are_errors(fields):
    with pytest.raises(UsageError, match=r"give a text|is not of the form"):
        DatedDocument(*fields)


def test_several_files_are_read_one_after_the_other(tmp_path):
    paths = [tmp_path / name for name in ("a.csv", "b.csv")]
    for path in paths:
        path.write_text(f"title,text\n{path.stem},rain\n,\n")
    found = read_documents([paths[0], str(paths[1])])
    assert [document.title for document in found] == ["a", "b"]
    assert len(found.problems) == 2
    assert list(read_documents([])) == []


@pytest.mark.parametrize("wrong", [None, 3, io.StringIO("title,text"), [None], {"a": 1}])
def test_what_is_no_file_is_an_error(wrong):
    with pytest.raises(UsageError, match="give a path, a list of paths, or a file opened in bin"):
        read_documents(wrong)
