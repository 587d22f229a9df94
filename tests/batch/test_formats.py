"""Records of documents in each format."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import thresher
from tests.cli.commands import DEMO, LONG, PAGE, run
from thresher.trends import read_documents


def test_formats() -> None:
    def done(form: str) -> str:
        return run("extract", DEMO, "--format", form).stdout

    assert "| 3 | 21.7 | 24.0 | hail bounced out of the pot |" in done("markdown")
    assert "```python\ndef millimetres(grams, rim_cm):\n" in done("markdown")
    assert done("html").startswith("<article>")
    assert ElementTree.fromstring(done("tei")).tag == "{http://www.tei-c.org/ns/1.0}TEI"
    record = json.loads(done("json"))
    assert record["input"] == str(DEMO)
    assert record["title"] == "Measuring rain with a yoghurt pot"
    assert record["text"] == done("text").rstrip("\n")
    assert (record["date"], record["site"]) == ("2024-05-03", "puddle.example")
    assert record["kind"] == "article"
    assert 0.8 < record["confidence"] <= 1
    assert {"url", "language", "status", "method", "authors"} <= record.keys()
    assert not {"blocks", "related", "markdown"} & record.keys()


def test_csv_has_a_header_and_the_documented_columns() -> None:
    written = run("extract", DEMO, "--format", "csv").stdout_bytes
    assert written.startswith(b"input,url,title,language,status,method,text,date,site,authors\r\n")
    (row,) = csv.DictReader(io.StringIO(written.decode(), newline=""))
    assert (row["input"], row["url"], row["language"]) == (str(DEMO), "", "en")
    assert (row["status"], row["method"]) == ("complete", "default")
    assert row["text"] == thresher.extract(DEMO).text
    assert (row["date"], row["site"], row["authors"]) == ("2024-05-03", "puddle.example", "")
    page = "<meta name=author content='Ada Byron'><meta name=author content='Jane Doe'>" + PAGE
    written = run("extract", "-", "--format", "csv", given=page.encode()).stdout
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    assert row["authors"] == "Ada Byron; Jane Doe"


def test_fields_of_json_and_csv(tmp_path: Path) -> None:
    def record(*options: str) -> dict[str, Any]:
        written = run("extract", DEMO, "--format", "json", "--url", "https://a.example/", *options)
        found: dict[str, Any] = json.loads(written.stdout)
        return found

    document = thresher.extract(DEMO, url="https://a.example/")
    assert record("--fields", "markdown,input, date") == {
        "markdown": document.markdown(),
        "input": str(DEMO),
        "date": "2024-05-03",
    }
    assert record("--fields", "+blocks,markdown") == record() | {
        "blocks": document.to_dict(fields="blocks")["blocks"],
        "markdown": document.markdown(),
    }
    assert record("--fields", "text", "--title") == {"text": f"{document.title}\n\n{document.text}"}
    assert record("--fields", "input") == {"input": str(DEMO)}
    options = ("--format", "csv", "--fields", "title,authors,kinds,readable,html,confidence")
    written = run("extract", DEMO, "--no-links", *options).stdout
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    assert list(row) == ["title", "authors", "kinds", "readable", "html", "confidence"]
    assert json.loads(row["kinds"]) == document.to_dict()["kinds"]
    assert (row["authors"], row["readable"]) == ("", "true")
    assert float(row["confidence"]) == document.to_dict()["confidence"]
    assert row["html"] == thresher.extract(DEMO).html(thresher.Include(links=False))
    lines = run("extract", DEMO, DEMO, "--format", "json", "--fields", "title").stdout
    assert lines == '{"title": "Measuring rain with a yoghurt pot"}\n' * 2


def test_fields_are_checked_before_a_page_is_read() -> None:
    refused = run("extract", "missing.html", "--format", "csv", "--fields", "title,day")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("Error: no field 'day': the fields are input, title, ")
    refused = run("extract", DEMO, "--fields", "title")
    assert refused.stderr == "Error: --fields is for --format json and csv: give one of them too.\n"
    refused = run("extract", DEMO, "--with-metadata", "--format", "html")
    assert refused.stderr == (
        "Error: --with-metadata is for --format text and markdown: json, csv and tei have it "
        "anyway.\n"
    )


def test_title_and_metadata() -> None:
    title = "Measuring rain with a yoghurt pot"
    assert run("extract", DEMO, "--title").stdout.startswith(f"{title}\n\nA bought rain gauge")
    assert title not in run("extract", DEMO, "--favor", "recall", "--no-title").stdout
    written = run("extract", DEMO, "--favor", "recall", "--with-metadata").stdout
    assert written.startswith(f"Title: {title}\nDate: 2024-05-03\n")
    assert written.count(title) == 1
    written = run("extract", DEMO, "--format", "markdown", "--with-metadata", "--title").stdout
    assert written.startswith('---\ndate: "2024-05-03"\n')
    assert written.count(title) == written.count(f"---\n\n# {title}\n\nA bought") == 1


def test_trends_read_csv(tmp_path: Path) -> None:
    output = tmp_path / "pages.csv"
    run("extract", DEMO, "--format", "csv", "--output", output)
    (document,) = read_documents(output)
    assert (document.title, document.date, document.source, document.language) == (
        "Measuring rain with a yoghurt pot",
        "2024-05-03",
        "puddle.example",
        "en",
    )
    assert document.text == thresher.extract(DEMO).text


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1"])
def test_csv_disarms_formulas(tmp_path: Path, cell: str) -> None:
    (tmp_path / "p.html").write_text(f"<title>{cell}</title><p>{cell} {LONG}", encoding="utf-8")
    written = run("extract", tmp_path / "p.html", "--format", "csv").stdout
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    assert (row["title"], row["text"]) == (f"'{cell}", f"'{cell} {LONG}")


def test_csv_leaves_the_name_of_standard_input_alone() -> None:
    written = run("extract", "-", "--format", "csv", given=PAGE.encode()).stdout
    assert written.splitlines()[1].startswith("-,,Rain,en,complete,default,")


def test_a_html_file_is_a_whole_page(tmp_path: Path) -> None:
    page = "<html lang=de><title>Straße &amp; Weg</title><p>Die Straße ist naß, der Weg auch."
    (tmp_path / "p.html").write_text(page, encoding="utf-8")
    run("extract", tmp_path / "p.html", "--format", "html", "--output", tmp_path / "out.html")
    written = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert written.startswith('<!DOCTYPE html>\n<html lang="de">\n<meta charset="utf-8">\n')
    assert "<title>Straße &amp; Weg</title>" in written


def test_lone_surrogates_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = thresher.parse(f"<p>{LONG} \ud83d end")
    monkeypatch.setattr("thresher.cli.extract.read_page", lambda *_, **__: broken)
    for form in ("text", "markdown", "html", "json", "csv"):
        run("extract", "x", "--format", form, "--output", tmp_path / form)
        assert "hour. \ufffd end" in (tmp_path / form).read_text(encoding="utf-8")
    assert "hour. \ufffd end" in run("extract", "x").stdout
