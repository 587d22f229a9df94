"""Labelled files: pages with their gold texts, read back as they were; texts that do not fit."""

import json

import pytest
from click.testing import CliRunner

from thresher import InputError
from thresher.cli import main
from thresher.evaluate.corpora import read
from thresher.evaluate.training.label_corpus import labelled_pages, to_bytes

PAGE = """<html><head><meta charset="{charset}"><link rel="canonical" href="https://www.tea.org/a">
</head><body><nav>Home</nav><p>{text}</p></body></html>"""
TEXT = "Wärmen Sie die Kanne, und warten Sie drei Minuten."


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "pairs"
    (place / "b.org").mkdir(parents=True)
    (place / "one.html").write_bytes(PAGE.format(charset="latin-1", text=TEXT).encode("latin-1"))
    (place / "one.txt").write_text(TEXT, encoding="utf-8")
    page = PAGE.format(charset="utf-8", text="Something else that has nothing to do with it.")
    (place / "b.org" / "two.html").write_text(page, encoding="utf-8")
    (place / "b.org" / "two.txt").write_text(TEXT, encoding="utf-8")
    return place


def run(*arguments: object):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_pages_with_their_texts_and_sites(folder):
    two, one = labelled_pages(folder)
    assert one.row == {
        "id": "one",
        "html": PAGE.format(charset="latin-1", text=TEXT),
        "text": TEXT,
        "url": "https://www.tea.org/a",
        "site": "tea.org",
    }
    assert one.found == 1.0
    assert (two.row["id"], two.row["site"], two.found) == ("b.org/two", "b.org", 0.0)


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_the_file_is_read_as_a_corpus(folder, tmp_path, suffix):
    target = tmp_path / f"all.{suffix}"
    done = run("label", folder, "--output", target)
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{target} is written: pages 2, sites 2.\n"
    assert done.stderr == ("Warning: b.org/two: only 0 % of its text is in the page; check it.\n")
    two, one = read(target)
    assert one.html.decode("utf-8-sig") == PAGE.format(charset="latin-1", text=TEXT)
    assert (one.id, one.text, one.site, one.url) == (
        "one",
        TEXT,
        "tea.org",
        "https://www.tea.org/a",
    )
    assert two.site == "b.org"


def test_without_a_name_it_is_labelled_jsonl(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("label", folder).exit_code == 0
    lines = (tmp_path / "labelled.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["b.org/two", "one"]


def test_lone_surrogates_do_not_stop_it():
    row = {"id": "1", "html": "\ud800", "text": "a"}
    assert json.loads(to_bytes([row], ".jsonl"))["html"] == "?"
    assert to_bytes([row], ".parquet")


@pytest.mark.parametrize("url", ["http://[", "", "about:blank"])
def test_odd_addresses_name_no_site(tmp_path, url):
    (tmp_path / "a.html").write_text(f'<link rel="canonical" href="{url}"><p>{TEXT}</p>')
    (tmp_path / "a.txt").write_text(TEXT)
    (found,) = labelled_pages(tmp_path)
    assert found.row["site"] == ""


def test_what_cannot_be_labelled_is_refused(folder, tmp_path):
    with pytest.raises(InputError, match="is no folder: give one with pages and their texts"):
        list(labelled_pages(folder / "one.html"))
    bad = run("label", folder, "--output", tmp_path / "x.csv")
    assert bad.exit_code == 2
    assert "end it in .jsonl or .parquet" in bad.stderr
    (folder / "three.html").write_text("<p>x</p>")
    for name in ("one.txt", "three.txt", "b.org/two.txt"):
        (folder / name).write_text(" ")
    nothing = run("label", folder, "--output", tmp_path / "x.jsonl")
    assert nothing.exit_code == 2
    assert "has a text: there would be nothing to learn" in nothing.stderr
    assert not (tmp_path / "x.jsonl").exists()


def test_pages_without_a_text_are_skipped_and_counted(folder, tmp_path):
    target = tmp_path / "x.jsonl"
    for name in ("three", "four"):
        (folder / f"{name}.html").write_text("<p>x</p>")
        done = run("label", folder, "--output", target)
        assert done.exit_code == 0
        assert done.stdout == f"{target} is written: pages 2, sites 2.\n"
        count = "1 page has" if name == "three" else "2 pages have"
        assert f"Warning: {count} no text: put NAME.txt beside NAME.html" in done.stderr
    for name in ("one.txt", "b.org/two.txt"):
        (folder / name).unlink()
    nothing = run("label", folder, "--output", target)
    assert nothing.exit_code == 2
    assert "has a text: there would be nothing to learn" in nothing.stderr


@pytest.mark.parametrize("charset", ["windows-1252", "utf-16", "utf-8-sig"])
def test_a_text_in_another_charset_is_decoded(folder, charset):
    (folder / "one.txt").write_bytes(TEXT.encode(charset))
    assert [page.row["text"] for page in labelled_pages(folder)] == [TEXT, TEXT]


def test_a_text_whose_charset_cannot_be_told_is_refused(folder, tmp_path):
    (folder / "one.txt").write_bytes((TEXT * 40).encode() + b"\xff")
    done = run("label", folder, "--output", tmp_path / "x.jsonl")
    assert done.exit_code == 2
    assert f"the charset of {folder / 'one.txt'} is not known: save it as UTF-8." in done.stderr


def test_an_empty_text_gives_a_warning(folder, tmp_path):
    (folder / "one.txt").write_text(" \n")
    done = run("label", folder, "--output", tmp_path / "x.jsonl")
    assert done.exit_code == 0
    assert "Warning: one: its text is empty; check whether the page is, too.\n" in done.stderr


def test_a_pair_is_never_written_over(folder):
    target = folder / "old.jsonl"
    target.write_text("keep me")
    assert run("label", folder, "--output", target).exit_code == 2
    assert target.read_text() == "keep me"
