"""`thresher evaluate` and `thresher sweep` on a small corpus."""

import json
import re

import pytest

import thresher
from tests.cli.commands import program, run
from tests.evaluate.in_process import without_workers
from tests.evaluate.test_results import one_page
from tests.evaluate.test_run import PAGES
from thresher.cli.evaluate import score_table
from thresher.evaluate.results import Results


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    without_workers(monkeypatch)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "small.jsonl"
    path.write_text("".join(json.dumps(page) + "\n" for page in PAGES))
    return path


def test_the_command(corpus, tmp_path):
    done = run(
        "evaluate", corpus, "-m", "bte", "--no-cache", "--by", "kind", "--json", "r.json",
        "--csv", "r.csv", "--report", "r.html",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert re.search(r"small, all: 6 pages\n.*word F1.*\nbte +1\.000", done.stdout)
    assert "small, kind: article: 6 pages" in done.stdout
    assert len(json.loads((tmp_path / "r.json").read_text())["pages"]) == 6
    assert len((tmp_path / "r.csv").read_text().splitlines()) == 7
    assert "bte" in thresher.parse((tmp_path / "r.html").read_bytes()).all().text()


def test_the_command_says_when_there_are_no_groups(corpus):
    done = run(
        "evaluate", corpus, "-m", "bte", "-m", "bte(tag_cost=2)", "--no-cache", "--by", "lang",
        "--by", "kind",
    )  # fmt: skip
    assert done.stderr == "Note: no page of small has a lang, so there are no groups by lang.\n"
    assert re.search(r"^bte +1\.000", done.stdout, re.M)
    assert re.search(r"^bte\(tag_cost=2\.0\) +1\.000", done.stdout, re.M)


def test_the_command_tells_what_is_wrong(tmp_path):
    done = program("evaluate", "nowhere.parquet", cwd=tmp_path, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: no corpus nowhere.parquet")


def test_outputs_are_refused_before_anything_is_measured(corpus, tmp_path):
    before = corpus.read_bytes()
    for arguments in (["--json", corpus], ["--json", "x", "--csv", "x"], ["--report", tmp_path]):
        done = run("evaluate", corpus, "-m", "bte", "--no-cache", *arguments)
        assert (done.exit_code, done.stdout) == (2, ""), arguments
        assert done.stderr.startswith("Error: ")
    assert corpus.read_bytes() == before


def test_a_table_shows_the_largest_groups():
    pages = [one_page(str(number)) for number in range(50)]
    pages += [one_page(str(number), site="large") for number in (50, 51)]
    text = score_table(Results(tuple(pages)).rows(["site"]))
    assert text.startswith("c, all: 52 pages\n")
    assert "c, site: large: 2 pages\n" in text
    assert text.count("site: of page") == 39
    assert text.endswith("c: 11 smaller groups left out; --csv has all.")


@pytest.mark.slow
def test_a_sweep(corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    arguments = ["--method", "lqf", "--option", "quota", "--values", "0.1,0.9"]
    done = run("sweep", corpus, *arguments, "--output", "sweep.svg")
    assert done.exit_code == 0, done.stderr
    assert "lqf(quota=0.1)" in done.stdout
    assert "lqf(quota=0.9)" in done.stdout
    assert "<svg" in (tmp_path / "sweep.svg").read_text()
