"""The leaderboard: the docs agree with the last run, and small runs."""

import json
import re
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

import thresher
from benchmarks import leaderboard
from benchmarks.marked_blocks import block
from tests.evaluate.in_process import without_workers
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.results import MEASURES, PageResult, Results

ROOT = Path(__file__).parents[2]


def test_the_docs_and_the_readme_say_what_the_last_leaderboard_measured():
    file = ROOT / "docs" / "figures" / "leaderboard.json"
    figures = json.loads(file.read_text(encoding="utf-8"))
    docs, readme = (ROOT / "docs" / "leaderboard.md", ROOT / "README.md")
    assert docs.read_text(encoding="utf-8") == leaderboard.docs_page(figures)
    shown = block(readme.read_text(encoding="utf-8"), "accuracy")
    assert shown == leaderboard.readme_block(figures)


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
    text = leaderboard.docs_page(figures)
    assert "| [bte](methods/bte.md) | 0.750 | **0.750** | **0.750** | 2.0 |" in text
    assert "| [bte](methods/bte.md) | 0.750 | 0.750 | 0.750 | 0.750 | 0.500 | 0.500 | 0 |" in text
    assert "| [bte](methods/bte.md) | 0.754 |  |  |  |  | 0.750 | 0.750 |" in text
    assert "must not and are not (news)" in text
    assert "| [addanag](methods/addanag.md) † | 0.500 |" in text
    assert "In-sample, so the figures flatter: `addanag`: the length of a line was swept" in text


@pytest.mark.parametrize(
    ("limit", "note"),
    [
        (None, ""),
        (1, " Of larger corpora, a random sample is measured (`random.Random(7).shuffle`)."),
    ],
)
def test_the_leaderboard_says_how_its_pages_were_chosen(limit, note):
    figures = leaderboard.summary(results({"bte": 0.75}), limit)
    assert f"\nPages: news 1, blogs 1.{note}\n" in leaderboard.docs_page(figures)
    assert f"means of 2 corpora with 2 pages.{note}\n" in leaderboard.readme_block(figures)


def test_the_leaderboard_draws_its_pages(tmp_path, monkeypatch):
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path))
    options_of_runs = []

    def evaluate(paths, tools, **options):
        options_of_runs.append(options)
        return results({"bte": 0.75})

    monkeypatch.setattr(leaderboard, "evaluate", evaluate)
    monkeypatch.setattr(leaderboard, "right_to_left", lambda *_: {})
    assert leaderboard.main([str(tmp_path / "board.json"), "--limit", "1"]) == 0
    assert options_of_runs == [{"limit": 1, "sampled": True, "cache_path": None}]
    assert "a random sample" in (tmp_path / "board.md").read_text(encoding="utf-8")


PERSIAN = "آب را تازه بریزید و بگذارید یک بار به خوبی بجوشد. "
GREEK = "Το νερό πρέπει να βράσει μία φορά. "


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    """Two small corpora; the second has a page from right to left and one that is not."""
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path))
    monkeypatch.setattr(leaderboard, "_CORPORA", ("first", "second"))
    without_workers(monkeypatch)
    for name, texts in (("first", [GREEK * 5]), ("second", [PERSIAN * 5, GREEK * 5])):
        rows = [
            GoldPage(str(number), f"<p>{text}</p>".encode(), text.strip())
            for number, text in enumerate(texts)
        ]
        leaderboard._write_corpus(rows, tmp_path / f"{name}.parquet")
    return tmp_path


@pytest.mark.slow
def test_methods_for_one_script_are_scored_on_its_pages_beside_the_mean_of_all(corpora):
    file = corpora / "board.json"
    assert leaderboard.main([str(file)]) == 0
    figures = json.loads(file.read_text(encoding="utf-8"))
    assert figures["right_to_left"]["pages"] == {"second": 1}
    assert set(figures["right_to_left"]["tools"]) == set(figures["corpora"]["first"]["tools"])
    dana = figures["right_to_left"]["tools"]["dana"]
    assert dana["word_f1"] == [1.0, 1.0, 1.0]
    text = leaderboard.docs_page(figures)
    assert "|  | mean | RTL | first | second | ms |" in text
    assert "[dana](methods/dana.md) †‡ | " in text
    assert "Word F1 on the 1 right-to-left pages (1 of second; measured" in text
    assert leaderboard.readme_block(figures).count("right-to-left scripts only") == 1

    figures["corpora"]["first"]["pages"] = 17  # as if of an older run
    file.write_text(json.dumps(figures), encoding="utf-8")
    assert leaderboard.main([str(file), "--right-to-left"]) == 0
    again = json.loads(file.read_text(encoding="utf-8"))
    assert again["corpora"] == figures["corpora"]
    assert again["right_to_left"]["tools"].keys() == figures["right_to_left"]["tools"].keys()


def test_the_note_names_the_methods_and_their_scores():
    figures = leaderboard.summary(results({"bte": 0.75, "dana": 0.25, "r2l": 0.125}))
    entry = figures["corpora"]["news"]["tools"]["bte"]
    figures["right_to_left"] = {
        "date": "2024-03-20",
        "pages": {"news": 1, "blogs": 2},
        "tools": {
            "bte": entry,
            "dana": entry | {"word_f1": [0.875, 0.8, 0.9]},
            "r2l": entry | {"word_f1": [0.5, 0.4, 0.6]},
        },
    }
    text = leaderboard.docs_page(figures)
    assert (
        "‡ Made for right-to-left scripts only. Word F1 on the 3 right-to-left pages (1 of news, "
        "2 of blogs; measured 2024-03-20): `dana` 0.875 (mean of all corpora 0.250), `r2l` 0.500 "
        "(mean of all corpora 0.125); `bte` 0.750." in text
    )
    assert "| [dana](methods/dana.md) †‡ | 0.250 | **0.875** | 0.250 | 0.250 | 2.0 |" in text
    without = leaderboard.docs_page(leaderboard.summary(results({"bte": 0.75, "dana": 0.25})))
    assert "RTL" not in without


def test_methods_for_one_script_are_methods():
    assert set(leaderboard.ONE_SCRIPT) <= set(thresher.methods.names())


def test_the_readme_shows_the_best_methods_and_all_peers():
    scores = {name: 1 - rank / 100 for rank, name in enumerate(leaderboard.CLAIMS)}
    text = leaderboard.readme_block(leaderboard.summary(results({**scores, "turbohtml": 0.1})))
    assert text.startswith(f"The best 6 of {len(leaderboard.CLAIMS)} methods beside other tools")
    shown = re.findall(r"^\| (?:\[([\w-]+)\]|\*([\w-]+)\*)", text, re.M)
    assert [one or other for one, other in shown] == [*list(leaderboard.CLAIMS)[:6], "turbohtml"]
    marked = [name for name in list(leaderboard.CLAIMS)[:6] if name in leaderboard.IN_SAMPLE]
    assert text.count("†") == len(marked) + 1
    assert f"{', '.join(f'`{name}`' for name in marked)}: options were swept on wcxb-dev" in text


def test_figures_that_an_older_run_lacks_are_left_open():
    figures = leaderboard.summary(results({"bte": 0.75}))
    for corpus in figures["corpora"].values():
        del corpus["tools"]["bte"]["shingle_f1"]
    assert "| [bte](methods/bte.md) | 0.750 | – | 0.750 |" in leaderboard.docs_page(figures)


def test_claims_name_their_data():
    assert {name for claimed in leaderboard.CLAIMS.values() for name in claimed} == set(
        leaderboard.CLAIM_DATA
    )
    assert all(
        0 < value < 1 for claimed in leaderboard.CLAIMS.values() for value in claimed.values()
    )


def test_structure_is_measured_alone_and_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path))
    monkeypatch.setattr(leaderboard.peers, "peer_version", lambda name: name == "turbohtml")
    page = {"html": b"<h1>T</h1><p>Tea.</p><ul><li>a</li></ul>", "gold_html": "<ul><li>a</ul>"}
    parquet.write_table(pyarrow.Table.from_pylist([page]), tmp_path / "structure.parquet")
    file = tmp_path / "board.json"
    before = (ROOT / "docs" / "figures" / "leaderboard.json").read_text(encoding="utf-8")
    file.write_text(before, encoding="utf-8")
    assert leaderboard.main([str(file), "--structure"]) == 0
    figures = json.loads(file.read_text(encoding="utf-8"))
    assert figures["corpora"] == json.loads(before)["corpora"]
    assert figures["structure"]["pages"]["items"] == 1
    tools = [(entry["tool"], entry["form"]) for entry in figures["structure"]["tools"]]
    assert tools == [(t, f) for t in ("default", "turbohtml") for f in ("markdown", "html")]
    text = leaderboard.docs_page(figures)
    assert "## Structure\n" in text
    assert re.search(r"^\| \[default\]\(methods/default.md\), HTML \| – \| \*\*", text, re.M)
    assert "| *turbohtml*, Markdown | – |" in leaderboard.readme_block(figures)
