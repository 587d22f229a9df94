"""`thresher trends`."""

import builtins
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import ROOT, on_a_terminal, program, run
from thresher.trends import read_documents

CORPUS = ROOT / "examples" / "abstracts.ris"
TOPICS = ROOT / "examples" / "topics.toml"
SMALL = """title,text,year,source
First,rain and more rain,2010,Weather
Second,a shower of rain,2010,Climate
Third,sun,2012,Climate
Fourth,rain,,Climate
"""


@pytest.fixture
def small(tmp_path: Path) -> tuple[Path, Path]:
    """A corpus and its queries."""
    corpus, queries = tmp_path / "corpus.csv", tmp_path / "queries.toml"
    corpus.write_text(SMALL)
    queries.write_text('[queries]\nrain = ["rain", "shower"]\n"the sun in the sky" = ["sun"]\n')
    return corpus, queries


def test_the_table_has_the_means_of_each_source(small: tuple[Path, Path]) -> None:
    done = run("trends", small[0], "--queries", small[1])
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith(
        """all sources: 3 documents, mean score x 1000, weight tf
year        documents    rain  the sun in the sky
2010                2     854                   0
2011                0       -                   -
2012                1       0                1000
no keyword                33%                 67%
shape """
    )
    assert "\nClimate: 2 documents, mean score x 1000, weight tf\n" in done.stdout
    assert "1 document was left out" in done.stderr


def test_sources_can_be_picked_or_put_together(small: tuple[Path, Path]) -> None:
    one = run("trends", small[0], "--queries", small[1], "--source", "Weather").stdout
    assert one.startswith("Weather: 1 document, ")
    assert "Climate" not in one
    together = run("trends", small[0], "--queries", small[1], "--together").stdout
    assert together.startswith("all sources: 3 documents, ")
    assert "Climate" not in together


def test_csv_has_a_record_for_each_source_query_and_period(small: tuple[Path, Path]) -> None:
    printed = run("trends", small[0], "--queries", small[1], "--together", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(printed.stdout)))
    assert [(row["query"], row["period"], row["mean_x1000"]) for row in rows] == [
        ("rain", "2010", "853.553"),
        ("rain", "2011", ""),
        ("rain", "2012", "0.000"),
        ("the sun in the sky", "2010", "0.000"),
        ("the sun in the sky", "2011", ""),
        ("the sun in the sky", "2012", "1000.000"),
    ]
    assert rows[0]["source"] == "all sources"
    assert [row["documents"] for row in rows[:3]] == ["2", "0", "1"]
    assert [row["without_keyword"] for row in rows[:3]] == ["0.000", "", "1.000"]


def test_json_has_everything(small: tuple[Path, Path]) -> None:
    data = json.loads(run("trends", small[0], "--queries", small[1], "--format", "json").stdout)
    assert list(data) == ["all sources", "Climate", "Weather"]
    assert data["all sources"]["undated"] == 1
    assert data["all sources"]["queries"][0]["name"] == "rain"
    assert data["all sources"]["queries"][0]["mean"][1] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sign"),
    [("t.png", b"\x89PNG"), ("t.SVG", b"<?xml"), ("t.html", b"<!DOCTYPE"), ("t.csv", b"source,")],
)
def test_the_name_of_the_output_tells_the_format(name: str, sign: bytes, tmp_path: Path) -> None:
    done = run("trends", CORPUS, "--queries", TOPICS, "--output", tmp_path / name)
    assert done.exit_code == 0, done.stderr
    assert done.stdout == ""
    assert (tmp_path / name).read_bytes().startswith(sign)


def test_the_queries_of_the_thesis_come_along(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.csv"
    corpus.write_text("title,abstract,year\nA,species richness and gene flow,2006\n")
    printed = run("trends", corpus, "--queries", "thesis").stdout
    assert printed.splitlines()[1].split() == [
        "year", "documents", "Biodiversity", "Evolution", "Conservation", "Genome",
    ]  # fmt: skip


def test_the_example_gives_the_trends_it_was_made_for() -> None:
    printed = run("trends", CORPUS, "--queries", TOPICS, "--together").stdout
    assert printed.splitlines()[-2].split() == ["shape", "fading", "emerging", "steady"]
    assert printed.splitlines()[-1].startswith("sensors: abrupt rise in 2015 ")


def test_a_corpus_becomes_the_xml_of_the_thesis(tmp_path: Path) -> None:
    done = run("trends", CORPUS, "--write-xml", tmp_path / "all.xml")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert read_documents(tmp_path / "all.xml").documents == read_documents(CORPUS).documents


def test_the_xml_can_be_printed(small: tuple[Path, Path]) -> None:
    done = run("trends", small[0], "--write-xml", "-")
    assert (done.exit_code, done.stderr) == (0, "")
    assert list(read_documents(io.BytesIO(done.stdout_bytes))) == list(read_documents(small[0]))
    told = run("trends", small[0], "--queries", small[1], "--write-xml", "-", "--output",
               small[0].with_name("x.csv"))  # fmt: skip
    assert told.exit_code == 0
    assert told.stdout.startswith("<?xml")


def test_other_endings_go_with_a_format(small: tuple[Path, Path]) -> None:
    for name, form, sign in (("x", "json", "{"), ("x.tsv", "csv", "source,"), ("x.txt", None, "a")):
        path = small[0].with_name(name)
        given = ["--format", form] if form else []
        done = run("trends", small[0], "--queries", small[1], "--output", path, *given)
        assert done.exit_code == 0, done.stderr
        assert path.read_text().startswith(sign)


def test_an_unknown_standard_input_names_the_option(small: tuple[Path, Path]) -> None:
    done = run("trends", "-", "--queries", small[1], given=b"\n")
    assert done.exit_code == 2
    assert done.stderr.startswith(
        "Error: cannot tell what standard input is: give its form with --"
    )
    assert "--read-as" in done.stderr


def test_a_source_called_all_sources_is_one_of_them(small: tuple[Path, Path]) -> None:
    small[0].write_text(SMALL.replace("Weather", "all sources").replace("Climate", ""))
    table = run("trends", small[0], "--queries", small[1]).stdout
    assert [
        line for line in table.splitlines() if "documents, " in line or "document, " in line
    ] == [
        "all sources: 3 documents, mean score x 1000, weight tf",
        "without source: 2 documents, mean score x 1000, weight tf",
        '"all sources": 1 document, mean score x 1000, weight tf',
    ]
    data = json.loads(run("trends", small[0], "--queries", small[1], "--format", "json").stdout)
    assert {name: panel["sources"] for name, panel in data.items()} == {
        "all sources": {"": 2, "all sources": 1},
        "without source": {"": 2},
        '"all sources"': {"all sources": 1},
    }
    report = run("trends", small[0], "--queries", small[1], "--format", "html").stdout
    assert report.count("<section ") == 3


def test_headings_of_similar_topics_are_distinct(small: tuple[Path, Path]) -> None:
    small[1].write_text(
        '[queries]\n"large language models" = ["rain"]\n"large language modelling" = ["sun"]\n'
        '"雨雨雨雨雨雨雨雨雨雨a" = ["rain"]\n"雨雨雨雨雨雨雨雨雨雨b" = ["rain"]\n'
    )
    heading = run("trends", small[0], "--queries", small[1], "--together").stdout.splitlines()[1]
    assert heading.split("  ")[-4:] == [
        "large language models",
        "large language mod...",
        "雨雨雨雨雨雨雨雨雨雨a",
        "雨雨雨雨雨雨雨雨雨雨b",
    ]


def test_documents_without_text_and_repeated_ones_are_warned_of(small: tuple[Path, Path]) -> None:
    small[0].write_text(SMALL + "Rain,,2011,Weather\n")
    done = run("trends", small[0], small[0], "--queries", small[1], "--together")
    assert done.stdout.startswith("all sources: 6 documents, ")
    assert "2 documents have no text and are left out (--titles scores titles, too)." in done.stderr
    assert "3 documents repeat another one" in done.stderr
    once = run("trends", small[0], small[0], "--queries", small[1], "--together", "--distinct")
    assert once.stdout.startswith("all sources: 3 documents, ")
    assert "5 repeated documents left out." in once.stderr
    assert "repeat another" not in once.stderr
    titles = run("trends", small[0], "--queries", small[1], "--together", "--titles")
    assert titles.stdout.startswith("all sources: 4 documents, ")


def test_letters_that_a_plot_lacks_are_warned_of_once(small: tuple[Path, Path]) -> None:
    small[1].write_text('[queries]\n"雨" = ["rain"]\n"日" = ["sun"]\n')
    done = run("trends", small[0], "--queries", small[1], "--output", small[0].with_name("x.svg"))
    assert done.exit_code == 0
    (told,) = (line for line in done.stderr.splitlines() if "letters" in line)
    assert told.endswith(
        "'雨' and 1 other name, which become boxes: --format html shows all letters."
    )
    assert "letters" not in run("trends", small[0], "--queries", small[1]).stderr


@pytest.mark.parametrize(
    ("corpora", "title"),
    [
        (["corpus.csv"], "Trends in corpus"),
        (["corpus.csv", "-"], "Trends in corpus"),
        (["."], "Trends in folder.d"),
        (["-"], "Trends"),
        (["corpus.csv", *("abcd")], "Trends in corpus, a, b, 2 more"),
    ],
)
def test_the_title_is_the_name_of_the_corpus(
    small: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, corpora: list[str], title: str
) -> None:
    folder = small[0].with_name("folder.d")
    folder.mkdir()
    for name in ("corpus.csv", *"abcd"):
        (folder / name).write_text(SMALL)
    monkeypatch.chdir(folder)
    done = run("trends", *corpora, "--queries", small[1], "--format", "html", given=SMALL.encode())
    assert f"<h1>{title}</h1>" in done.stdout, done.stderr


def test_standard_input_and_several_corpora(small: tuple[Path, Path]) -> None:
    more = b"title,text,year,source\nFifth,shower,2011,Weather\n"
    done = run("trends", small[0], "-", "--queries", small[1], "--together", given=more)
    assert done.stdout.startswith("all sources: 4 documents, ")


def test_options_reach_the_library(small: tuple[Path, Path]) -> None:
    small[0].write_text("title,text,date\nRain,showers,2010-05-03\nX,rains,2010-05-20\n")
    given = ["trends", small[0], "--queries", small[1], "--together"]
    assert "\n2010-05  " in run(*given, "--by", "month").stdout
    assert "\n2010-W18 " in run(*given, "--by", "week").stdout
    assert "\n2010                2     707 " in run(*given).stdout
    assert "no document has any keyword" in run(*given, "--no-stem").stderr
    assert "\n2010                2     354 " in run(*given, "--no-stem", "--titles").stdout
    assert "weight salton" in run(*given, "--weight", "salton").stdout


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (SMALL, ["--queries", "none.toml"], "cannot read none.toml: no such file or directory."),
        (SMALL, [], "--queries thesis for the four queries of the thesis"),
        (SMALL, ["--queries", "Q", "--weight", "bm25"], "'tf', 'tf/max', 'tf-idf', 'salton'"),
        (SMALL, ["--queries", "Q", "--by", "month"], "as exact as a month: use --by year."),
        (SMALL, ["--queries", "Q", "--format", "png"], "a plot needs a file: give --output trends"),
        (SMALL, ["--queries", "Q", "--format", "png", "--output", "x.gif"], "end it in .png, .svg"),
        (SMALL, ["--queries", "Q", "--output", "x.gif"], ".html, .htm, .csv, .json or .txt; or"),
        (SMALL, ["--queries", "Q", "--output", "x"], "must be .png, .svg, .pdf, .html, .htm, "),
        (
            SMALL,
            ["--queries", "Q", "--output", "x.png", "--format", "html"],
            "x.png ends in .png, but --format is html: end the name in .html or .htm, or leave",
        ),
        (SMALL, ["--queries", "Q", "--write-xml", "-"], "give --output FILE, or leave --queries"),
        (SMALL, ["--queries", "Q", "--source", "Sea"], "give 'Climate', 'Weather'."),
        (
            "title,text,year\nA,rain,2010\n",
            ["--queries", "Q", "--source", "Sea"],
            "no document has the source 'Sea', as none names its source: leave --source out.",
        ),
        (
            "title,abstract,year\nRain,,2010\n",
            ["--queries", "Q"],
            "no document with a date has a text: use --titles to score the titles.",
        ),
        (
            "input,url,title,language,status,method,text\na.html,,A,en,complete,x,rain\n",
            ["--queries", "Q"],
            "with their dates, use thresher extract --format json.",
        ),
        (SMALL, ["--queries", "Q", "--source", "Weather", "--together"], "leave one of them out."),
        (SMALL, ["--queries", "Q", "--language", "klingon-x-"], "language"),
        ("title,text,year\nA,rain,\n", ["--queries", "Q"], "no document has a date: give each a"),
        (
            "title,text,year\nA,fog,2010\n",
            ["--queries", "Q"],
            "check their spelling, and --language",
        ),
        ("title,text,year\n", ["--queries", "Q"], "no documents."),
        ("name,size\nA,3\n", ["--queries", "Q"], "title"),
    ],
)
def test_errors_say_what_to_do(
    small: tuple[Path, Path], content: str, arguments: list[str], message: str
) -> None:
    small[0].write_text(content)
    done = run("trends", small[0], *(str(small[1]) if a == "Q" else a for a in arguments))
    assert done.exit_code == 2
    assert message in done.stderr, done.stderr
    assert done.stderr.splitlines()[-1].startswith("Error: ")


def test_a_query_file_without_queries_is_an_error(small: tuple[Path, Path]) -> None:
    small[1].write_text("[topics]\nrain = ['rain']\n")
    told = run("trends", small[0], "--queries", small[1]).stderr
    assert "has no queries: write them below [queries]" in told


def test_outputs_do_not_overwrite_the_corpus(small: tuple[Path, Path]) -> None:
    for option in ("--output", "--write-xml"):
        done = run("trends", small[0], "--queries", small[1], option, small[0])
        assert done.exit_code == 2
        assert small[0].read_text() == SMALL
    same = small[0].with_name("same.txt")
    told = run("trends", small[0], "--queries", small[1], "--output", same, "--write-xml", same)
    assert "two outputs have the same name" in told.stderr


def test_records_that_cannot_be_read_are_counted(small: tuple[Path, Path]) -> None:
    small[0].write_text(SMALL + ",,2011,\n" * 9)
    done = run("trends", small[0], "--queries", small[1], "--together")
    assert done.exit_code == 0
    assert done.stderr.count("Warning: ") == 7  # five of nine records, the others, one undated
    assert "4 more records left out likewise." in done.stderr
    assert run("trends", small[0], "--queries", small[1], "--quiet").stderr == ""


def test_a_query_that_never_occurs_and_many_sources_are_warned_of(small: tuple[Path, Path]) -> None:
    lines = "".join(f"T{n},rain,2010,site{n}.example\n" for n in range(9))
    small[0].write_text("title,text,year,source\n" + lines)
    told = run("trends", small[0], "--queries", small[1]).stderr
    assert "no document has a keyword of 'the sun in the sky'" in told
    assert "9 sources are shown together: --source NAME" in told


def test_hostile_names_are_disarmed(small: tuple[Path, Path]) -> None:
    small[0].write_text('title,text,year,source\nA,rain,2010,"=1+1"\nB,rain,2010,"\x1b[2J"\n')
    small[1].write_text('[queries]\n"=cmd" = ["rain"]\n')
    rows = run("trends", small[0], "--queries", small[1], "--format", "csv").stdout
    assert "'=1+1" in rows
    assert "'=cmd" in rows
    assert "\x1b" not in run("trends", small[0], "--queries", small[1]).stdout


def test_without_the_extra_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = builtins.__import__

    def missing(name: str, *arguments: Any, **options: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", missing)
    done = run("trends", CORPUS, "--queries", TOPICS, "--output", tmp_path / "x.png")
    assert done.exit_code == 2
    assert "pip install 'thresher[trends]'" in done.stderr


@pytest.mark.slow
def test_a_report_is_not_printed_on_a_terminal_and_can_be_piped() -> None:
    shown, _ = on_a_terminal("trends", CORPUS, "--queries", TOPICS, "--format", "html")
    assert "the report is for a browser: give --output FILE, or redirect the output." in shown
    piped = program("trends", CORPUS, "--queries", TOPICS, "--format", "html")
    assert piped.stdout.startswith(b"<!DOCTYPE html>")


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal() -> None:
    shown, printed = on_a_terminal("trends", CORPUS, "--queries", TOPICS, stdout_too=False)
    assert "documents" in shown
    assert printed.startswith("all sources: 48 documents, ")
