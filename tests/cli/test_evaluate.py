"""`thresher evaluate` and `thresher sweep` on a small corpus."""

import json
import re
from dataclasses import replace

import pytest

import thresher
from tests.cli.commands import program, run
from tests.evaluate.in_process import without_workers
from tests.evaluate.test_results import one_page
from tests.evaluate.test_run import PAGES
from thresher.cli.evaluate import one_score, score_table
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


def scored(page, tool, site, f1, milliseconds=1.0):
    one = one_page(page, tool, site=site)
    return replace(one, scores=one.scores | {"lcs_f1": f1}, milliseconds=milliseconds)


def test_one_score_has_a_row_for_each_tool_and_a_column_for_each_group():
    pages = (
        scored("1", "bte", "a.example", 0.5),
        scored("2", "bte", "a.example", 0.7),
        scored("3", "bte", "a-very-long-name.example", 0.9),
        scored("1", "dsc", "a.example", 0.8),
        scored("2", "dsc", "a.example", 0.8),
        scored("3", "dsc", "a-very-long-name.example", 0.2),
    )
    assert one_score(Results(pages).rows(["site"]), "lcs_f1").splitlines() == [
        "c, lcs_f1",
        "                 all       a.example  a-very-long-n…",
        "pages              3               2               1",
        "bte            0.700*          0.600           0.900*",
        "dsc            0.600           0.800*          0.200",
    ]


def test_of_times_the_least_is_the_best():
    pages = (scored("1", "bte", "s", 1.0, 2.0), scored("1", "dsc", "s", 1.0, 1.0))
    text = one_score(Results(pages).rows(), "milliseconds")
    assert re.search(r"^dsc +1\.000\*$", text, re.M)
    assert re.search(r"^bte +2\.000$", text, re.M)


def test_a_score_that_no_page_has_is_left_open():
    assert one_score(Results((one_page(),)).rows(), "present").endswith("\nbte                -")


def test_one_score_shows_the_largest_groups():
    pages = [one_page(str(number)) for number in range(20)]
    text = one_score(Results(tuple(pages)).rows(["site"]), "bag_f1")
    assert text.splitlines()[2].split() == ["pages", "20", *["1"] * 11]
    assert text.endswith("c: 9 smaller groups left out; --csv has all.")


def test_the_command_prints_one_score(corpus):
    done = run("evaluate", corpus, "-m", "bte", "--no-cache", "--by", "kind", "--score", "lcs_f1")
    assert re.search(r"^small, lcs_f1\n +all +article\npages +6 +6\nbte +1\.000\*", done.stdout)


@pytest.mark.slow
def test_a_sweep(corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    arguments = ["--method", "lqf", "--option", "quota", "--values", "0.1,0.9"]
    done = run("sweep", corpus, *arguments, "--output", "sweep.svg")
    assert done.exit_code == 0, done.stderr
    assert "lqf(quota=0.1)" in done.stdout
    assert "lqf(quota=0.9)" in done.stdout
    assert "<svg" in (tmp_path / "sweep.svg").read_text()


def test_the_command_scores_structure(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = {"html": "<h1>Tea</h1><p>Warm it.</p><ul><li>a</li></ul>", "gold_html": "<ul><li>a</ul>"}
    (tmp_path / "tea.jsonl").write_text(json.dumps(page))
    written = ["--json", "r.json", "--csv", "r.csv"]
    done = run("evaluate", "tea.jsonl", "--structure", "-m", "plain", *written)
    assert done.exit_code == 0, done.stderr
    assert re.search(r"^tea: F1\n +headings +items .*\npages +0 +1 ", done.stdout)
    assert re.search(r"^plain, html +- +1\.000", done.stdout, re.M)
    assert len(json.loads((tmp_path / "r.json").read_text())["pages"]) == 2
    assert len((tmp_path / "r.csv").read_text().splitlines()) == 3
    done = run("evaluate", "tea.jsonl", "--structure", "--by", "site")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: --structure takes --method, --peer, --limit, --json")
