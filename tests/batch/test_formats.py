"""Records of documents in each format."""

import csv
import io
import json
from pathlib import Path
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
    assert {"url", "language", "status", "method", "authors", "blocks"} <= record.keys()


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
