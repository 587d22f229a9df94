"""The tables of the docs and the README say what the JSON of the last run says."""

import json
import re
from pathlib import Path

import pytest

import thresher
from benchmarks import bench as bench_module
from benchmarks import leaderboard, speed
from benchmarks.claims import CLAIMS, DATA
from benchmarks.marked_blocks import block, markdown_table, with_block
from thresher.evaluate.results import MEASURES, PageResult, Results

ROOT = Path(__file__).parents[2]


def load(path):
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


# --- blocks --------------------------------------------------------------------------------------

PAGE = "Before.\n\n<!-- one: written by a test -->\nold\n<!-- one: end -->\n\nAfter.\n"


def test_a_block_is_replaced_and_the_rest_stays():
    new = with_block(PAGE, "one", "a \\1 and\nb\n")
    assert new == PAGE.replace("old\n", "a \\1 and\nb\n")
    assert block(new, "one") == "a \\1 and\nb\n"


def test_a_page_without_the_block_is_refused():
    with pytest.raises(thresher.InputError, match="no block 'two'"):
        with_block(PAGE, "two", "x\n")


def test_markdown_table():
    assert markdown_table(["", "a"], [["x", "1"]]) == ["|  | a |", "|---|---:|", "| x | 1 |"]


# --- speed ---------------------------------------------------------------------------------------

LAST_RUN = "benchmarks/last_run.json"


def test_the_docs_and_the_readme_say_what_the_last_bench_measured():
    figures = load(LAST_RUN)
    assert text_of("docs/speed.md") == speed.page(figures)
    assert block(text_of("README.md"), "speed") == speed.block(figures)


def figures_of(methods):
    return {
        **load(LAST_RUN),
        "methods": {name: {"ratio": r, "growth": 4.04} for name, r in methods.items()},
        "parse": 3.0,
        "favored": ["bte", "cetd"],
        "peers": {"slow": 80.0, "quick": 2.5},
    }


def test_speed_with_many_methods():
    methods = {f"m{number}": 3 + number / 10 for number in range(1, 40)}
    figures = figures_of({**methods, "bte": 3.25, "cetd": 4.0})
    rows = re.findall(r"^\| parse \+ (.*) \|$", speed.block(figures), re.M)
    assert rows == [
        "m1, the fastest | 3.10 | 0.10",
        "bte | 3.25 | 0.25",
        "cetd | 4.00 | 1.00",
        "m39, the slowest | 6.90 | 3.90",
    ]
    page = speed.page(figures)
    assert "| [m7](methods/m7.md) | 3.70 | 0.70 | 4.0 |" in page
    assert len(re.findall(r"\(methods/", page)) == 41
    assert page.index("*quick* | 2.50") < page.index("*slow* | 80.00")


def test_speed_with_the_default_methods_alone():
    shown = speed.block(figures_of({"bte": 3.25, "cetd": 4.0}))
    assert re.findall(r"^\| parse \+ (\S+) \|", shown, re.M) == ["bte", "cetd"]


@pytest.fixture
def bench(monkeypatch):
    """The bench on two made-up pages, with one method and no peers."""
    monkeypatch.setenv("THRESHER_CORPORA", "nowhere")
    monkeypatch.setattr(bench_module, "method_works", lambda: {"bte": bench_module.kept("bte")})
    monkeypatch.setattr(bench_module, "peer_works", dict)
    monkeypatch.setattr(bench_module, "PARAGRAPHS", (10, 40))
    monkeypatch.setattr(bench_module, "memory", lambda texts: {"start": 40, "peak": 50})
    return bench_module


def test_a_small_bench(bench):
    figures = json.loads(json.dumps(bench.measure(2, 1)))
    assert set(figures) == set(load(LAST_RUN))
    assert figures["pages"] == 2
    assert figures["origin"].startswith("generated with seed 7")
    assert figures["favored"] == [thresher.extract("<p>", favor=f).method for f in FAVORS]
    assert set(figures["methods"]) == {"bte"}
    assert all(ratio > 0 for ratio in (figures["parse"], *figures["extract"].values()))
    assert "[bte](methods/bte.md)" in speed.page(figures)


FAVORS = ("precision", "balance", "recall")


# --- the leaderboard -----------------------------------------------------------------------------


def test_the_docs_and_the_readme_say_what_the_last_leaderboard_measured():
    figures = load("docs/leaderboard.json")
    assert text_of("docs/leaderboard.md") == leaderboard.page(figures)
    assert block(text_of("README.md"), "accuracy") == leaderboard.accuracy(figures)


def results(scores):
    """One page in each of two corpora; the first has snippets."""
    pages = []
    for tool, value in scores.items():
        for corpus, snippets in (("news", 0.5), ("blogs", None)):
            found = dict.fromkeys(MEASURES, value)
            found |= dict.fromkeys(("snippets", "present", "absent"), snippets)
            pages.append(PageResult(corpus, "1", tool, "", "", "", found, 2.0, 100))
    return Results(tuple(pages), {"bte": "digest", "turbohtml": "1.15"})


def test_the_leaderboard_of_a_small_run():
    figures = leaderboard.summary(results({"bte": 0.75, "addanag": 0.5, "turbohtml": 0.25}))
    assert figures["versions"] == {"turbohtml": "1.15"}
    assert figures["corpora"]["news"]["tools"]["bte"] == {
        "word_f1": [0.75, 0.75, 0.75],
        "lcs_f1": 0.75,
        "shingle_f1": 0.75,
        "precision": 0.75,
        "recall": 0.75,
        "present": 0.5,
        "absent": 0.5,
        "milliseconds": 2.0,
        "failed": 0,
    }
    assert "present" not in figures["corpora"]["blogs"]["tools"]["bte"]
    text = leaderboard.page(figures)
    assert "| [bte](methods/bte.md) | 0.750 | **0.750** | **0.750** | 2.0 |" in text
    assert "| [bte](methods/bte.md) | 0.750 | 0.750 | 0.750 | 0.750 | 0.500 | 0.500 | 0 |" in text
    assert "| [bte](methods/bte.md) | 0.754 |  |  |  | 0.750 | 0.750 |" in text
    assert "must not and are not (news)" in text
    assert "| [addanag](methods/addanag.md) † | 0.500 |" in text
    assert "In-sample, so the figures flatter: `addanag`: the length of a line was swept" in text


@pytest.mark.parametrize(
    ("limit", "told"),
    [(None, ""), (1, ", of larger corpora drawn with a seed (`random.Random(7).shuffle`)")],
)
def test_the_leaderboard_says_how_its_pages_were_chosen(limit, told):
    figures = leaderboard.summary(results({"bte": 0.75}), limit)
    assert f"\nPages{told}: news 1, blogs 1.\n" in leaderboard.page(figures)
    assert f"means of 2 corpora with 2 pages{told}.\n" in leaderboard.accuracy(figures)


def test_the_leaderboard_draws_its_pages(tmp_path, monkeypatch):
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path))
    asked = []

    def evaluate(paths, tools, **options):
        asked.append(options)
        return results({"bte": 0.75})

    monkeypatch.setattr(leaderboard, "evaluate", evaluate)
    assert leaderboard.main([str(tmp_path / "board.json"), "--limit", "1"]) == 0
    assert asked == [{"limit": 1, "drawn": True, "cache_path": None}]
    assert "drawn with a seed" in (tmp_path / "board.md").read_text(encoding="utf-8")


def test_the_readme_shows_the_best_methods_and_all_peers():
    scores = {name: 1 - rank / 100 for rank, name in enumerate(CLAIMS)}
    text = leaderboard.accuracy(leaderboard.summary(results({**scores, "turbohtml": 0.1})))
    assert text.startswith(f"The best 6 of {len(CLAIMS)} methods beside other tools")
    shown = re.findall(r"^\| (?:\[([\w-]+)\]|\*([\w-]+)\*)", text, re.M)
    assert [one or other for one, other in shown] == [*list(CLAIMS)[:6], "turbohtml"]
    marked = [name for name in list(CLAIMS)[:6] if name in leaderboard.IN_SAMPLE]
    assert text.count("†") == len(marked) + 1
    assert f"{', '.join(f'`{name}`' for name in marked)}: options were swept on wcxb-dev" in text


def test_figures_that_an_older_run_lacks_are_left_open():
    figures = leaderboard.summary(results({"bte": 0.75}))
    for corpus in figures["corpora"].values():
        del corpus["tools"]["bte"]["shingle_f1"]
    assert "| [bte](methods/bte.md) | 0.750 | – | 0.750 |" in leaderboard.page(figures)


def test_claims_name_their_data():
    assert {name for claimed in CLAIMS.values() for name in claimed} == set(DATA)
    assert all(0 < value < 1 for claimed in CLAIMS.values() for value in claimed.values())
