"""Runs over small corpora: what is measured, kept, told."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import thresher
from benchmarks import floors
from thresher import UsageError
from thresher.cli.evaluate import table
from thresher.evaluate.cache import key_of
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.results import MEASURES, PageResult, Results, mean
from thresher.evaluate.run import Tools, evaluate

ROOT = Path(__file__).parents[2]

PAGES = [
    {
        "id": f"page {number}",
        "html": f"<ul><li><a href=/>Home</a></ul><p>{'wheat and chaff ' * 20} {number}</p>",
        "text": f"{'wheat and chaff ' * 20} {number}",
        "site": f"{number % 2}.example",
        "kind": "article",
        "must_have": ["wheat and chaff"],
        "must_not_have": ["Home"],
    }
    for number in range(6)
]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "small.jsonl"
    path.write_text("".join(json.dumps(page) + "\n" for page in PAGES))
    return path


def test_a_run(corpus, tmp_path):
    done = []
    results = evaluate(
        [corpus],
        Tools(("bte", "plain"), ("turbohtml",)),
        jobs=2,
        cache_path=tmp_path / "kept.sqlite",
        progress=done.append,
    )
    assert len(done) == 6
    assert [(page.page, page.tool) for page in results.pages] == [
        (page["id"], tool) for page in PAGES for tool in ("bte", "plain", "turbohtml")
    ]
    rows = {row.tool: row for row in results.rows()}
    assert rows["bte"].pages == 6
    assert rows["bte"].means["bag_f1"].value == 1
    assert rows["bte"].means["snippets"].value == 1
    assert rows["plain"].means["snippets"].value == 0.5
    assert rows["plain"].means["bag_precision"].value == pytest.approx(61 / 62)
    assert all(row.milliseconds > 0 and row.megabytes_per_second > 0 for row in rows.values())
    by_site = [row for row in results.rows(["site"]) if row.group != "all"]
    assert {(row.group, row.pages) for row in by_site} == {
        ("site: 0.example", 3),
        ("site: 1.example", 3),
    }


def test_a_second_run_looks_results_up(corpus, tmp_path):
    kept = tmp_path / "kept.sqlite"
    first = evaluate([corpus], Tools(("bte",)), jobs=1, cache_path=kept)
    assert evaluate([corpus], Tools(("bte",)), jobs=1, cache_path=kept) == first
    again = evaluate([corpus], Tools(("bte",)), jobs=1)
    assert [page.scores for page in again.pages] == [page.scores for page in first.pages]
    assert again != first  # measured anew: other times


def test_a_changed_gold_text_is_measured_anew(corpus, tmp_path):
    kept = tmp_path / "kept.sqlite"
    evaluate([corpus], Tools(("plain",)), jobs=1, cache_path=kept)
    corpus.write_text(corpus.read_text().replace('"text": "wheat', '"text": "barley'))
    changed = evaluate([corpus], Tools(("plain",)), jobs=1, cache_path=kept)
    assert changed.pages[0].scores["bag_recall"] < 1


def test_limit(corpus):
    assert len(evaluate([corpus], Tools(("plain",)), jobs=1, limit=2).pages) == 2


@pytest.mark.parametrize("tools", [{"methods": ("none",)}, {"peers": ("none",)}])
def test_unknown_tools_are_refused_before_any_page_is_read(tools):
    with pytest.raises(UsageError):
        Tools(**tools)


def test_results_survive_json(corpus):
    results = evaluate([corpus], Tools(("plain",)), jobs=1, limit=2)
    assert Results.from_json(results.to_json()) == results
    lines = results.to_csv().splitlines()
    assert lines[0].endswith(",".join(MEASURES))
    assert len(lines) == 3


def test_the_interval_holds_the_mean_and_narrows():
    few, many = mean([0.0, 1.0] * 5), mean([0.0, 1.0] * 500)
    assert few.value == many.value == 0.5
    assert few.low < many.low < 0.5 < many.high < few.high
    assert mean([0.3] * 9).low == pytest.approx(0.3)


def one_page(page: str = "1", tool: str = "bte", **given: str) -> PageResult:
    facts = {"site": "", "lang": "", "kind": "", **given}
    return PageResult(
        "c", page, tool, scores={"bag_f1": 1.0}, milliseconds=1.0, characters=10, **facts
    )


def test_pages_without_a_language_or_kind_are_in_no_group():
    assert [row.group for row in Results((one_page(),)).rows(["lang", "kind"])] == ["all"]


def test_a_page_without_a_site_is_a_group_of_its_own():
    pages = [one_page("1", tool) for tool in ("bte", "cetd")] + [
        one_page("2"),
        one_page("3", site="s"),
    ]
    pages.append(one_page("4", site="s"))
    by_site = [row for row in Results(tuple(pages)).rows(["site"]) if row.group != "all"]
    assert [(row.group, row.tool, row.pages) for row in by_site] == [
        ("site: of page 1", "bte", 1),
        ("site: of page 1", "cetd", 1),
        ("site: of page 2", "bte", 1),
        ("site: s", "bte", 2),
    ]


def test_a_table_shows_the_largest_groups():
    pages = [one_page(str(number)) for number in range(50)]
    pages += [one_page(str(number), site="large") for number in (50, 51)]
    text = table(Results(tuple(pages)).rows(["site"]))
    assert text.startswith("c, all: 52 pages\n")
    assert "c, site: large: 2 pages\n" in text
    assert text.count("site: of page") == 39
    assert text.endswith("c: 11 smaller groups left out; --csv has all.")


def thresher_command(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "thresher", "evaluate", *map(str, arguments)],
        capture_output=True, text=True, cwd=cwd, check=False,
    )  # fmt: skip


def test_the_command(corpus, tmp_path):
    done = thresher_command(
        corpus, "-m", "bte", "--no-cache", "--by", "kind", "--json", "r.json", "--csv", "r.csv",
        "--report", "r.html", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(r"small, all: 6 pages\n.*word F1.*\nbte +1\.000", done.stdout)
    assert "small, kind: article: 6 pages" in done.stdout
    assert len(Results.from_json((tmp_path / "r.json").read_text()).pages) == 6
    assert len((tmp_path / "r.csv").read_text().splitlines()) == 7
    assert "bte" in thresher.parse((tmp_path / "r.html").read_bytes()).all().text()


def test_the_command_says_when_there_are_no_groups(corpus, tmp_path):
    done = thresher_command(
        corpus, "-m", "bte", "-m", "bte(tag_cost=2)", "--no-cache", "--by", "lang", "--by", "kind",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.stderr == "Note: no page of small has a lang, so there are no groups by lang.\n"
    assert re.search(r"^bte +1\.000", done.stdout, re.M)
    assert re.search(r"^bte\(tag_cost=2\.0\) +1\.000", done.stdout, re.M)


def test_the_command_tells_what_is_wrong(tmp_path):
    done = thresher_command("nowhere.parquet", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: no corpus nowhere.parquet")


def test_outputs_are_refused_before_anything_is_measured(corpus, tmp_path):
    before = corpus.read_bytes()
    for arguments in (["--json", corpus], ["--json", "x", "--csv", "x"], ["--report", tmp_path]):
        done = thresher_command(corpus, "-m", "bte", "--no-cache", *arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert done.stderr.startswith("Error: ")
    assert corpus.read_bytes() == before


def test_a_cache_that_cannot_be_used_is_told(corpus, tmp_path):
    (tmp_path / "notes.txt").write_text("no database" * 100)
    for place in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(thresher.InputError, match="cannot keep results"):
            evaluate([corpus], Tools(("plain",)), jobs=1, cache_path=place)


def test_corpora_without_pages_or_of_one_name_are_refused(corpus, tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(thresher.InputError, match="has no pages"):
        evaluate([tmp_path / "empty.jsonl"], Tools(("plain",)), jobs=1)
    with pytest.raises(UsageError, match="the same name"):
        evaluate([corpus, corpus], Tools(("plain",)), jobs=1)


def test_page_and_gold_do_not_run_into_each_other():
    one, other = GoldPage("1", b"xy", "z"), GoldPage("1", b"x", "yz")
    assert key_of(one, "bte", "1") != key_of(other, "bte", "1")


def test_a_sweep(corpus, tmp_path):
    arguments = ["sweep", corpus, "--method", "lqf", "--option", "quota", "--values", "0.1,0.9"]
    done = subprocess.run(
        [sys.executable, "-m", "thresher", *map(str, arguments), "--output", "sweep.svg"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "lqf(quota=0.1)" in done.stdout
    assert "lqf(quota=0.9)" in done.stdout
    assert "<svg" in (tmp_path / "sweep.svg").read_text()


def test_mean_scores():
    pages = [
        PageResult("c", str(f1), "bte", "", "", "", {f"bag_{name}": f1 for name in NAMES}, 1.0, 10)
        for f1 in (0.25, 0.75)
    ]
    assert Results(tuple(pages)).mean_scores("bte") == (0.5, 0.5, 0.5)


NAMES = ("precision", "recall", "f1")


# --- floors --------------------------------------------------------------------------------------


def test_below():
    held = {"news": {"bte": 0.8, "cetd": 0.7}}
    assert floors.below(held, {"news": {"bte": 0.8, "cetd": 0.75, "new": 0.1}}) == []
    assert floors.below(held, {"news": {"bte": 0.79}}) == [
        "bte on news: 0.7900, below its floor 0.8000.",
        "cetd on news: not measured, the floor is 0.7000.",
    ]


def test_floors_rise_by_themselves_and_fall_on_demand():
    held, found = {"news": {"bte": 0.8, "cetd": 0.7}}, {"news": {"bte": 0.75, "cetd": 0.72}}
    assert floors.merged(held, found, lower=False) == {"news": {"bte": 0.8, "cetd": 0.72}}
    assert floors.merged(held, found, lower=True) == found


def test_no_corpora(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path / "none"))
    assert floors.main([str(tmp_path / "floors.json")]) == 0
    assert capsys.readouterr().out == "floors: not checked (no corpora)\n"


def test_checking_and_pinning(tmp_path, monkeypatch, capsys):
    import pyarrow as arrow
    from pyarrow import parquet

    rows = [{**page, "html": page["html"].encode()} for page in PAGES]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "small.parquet")
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path))
    file = tmp_path / "floors.json"
    assert floors.main([str(file), "--pin"]) == 0
    held = json.loads(file.read_text())
    assert held["small"]["bte"] == 1
    assert floors.main([str(file)]) == 0
    assert f"floors: checked {len(held['small'])}" in capsys.readouterr().out

    held["small"]["plain"] = 1.0
    file.write_text(json.dumps(held))
    assert floors.main([str(file), "--pin"]) == 1  # a lower floor needs the flag
    assert "plain on small" in capsys.readouterr().out
    assert floors.main([str(file), "--pin", "--lower"]) == 0
    assert json.loads(file.read_text())["small"]["plain"] < 1
