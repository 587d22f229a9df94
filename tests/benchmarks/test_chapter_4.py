"""The tables of chapter 4: the docs agree with the last run, the thesis' figures, small runs."""

import json
from pathlib import Path

import pytest

from benchmarks import chapter_4
from benchmarks.corpus_pages import is_right_to_left
from benchmarks.leaderboard import CLAIMS
from benchmarks.marked_blocks import block
from tests.evaluate.in_process import without_workers
from thresher.evaluate.corpora import GoldPage
from thresher.methods.danag import AdDANAg

MENU = '<ul><li><a href="/one">One</a></li><li><a href="/two">Two</a></li></ul>' * 9
TEXT = "The water must boil once and no more, or the tea will taste of nothing at all. "
PERSIAN = "آب را تازه بریزید و بگذارید یک بار به خوبی بجوشد تا چای مزه بدهد. "


def page(number: int, text: str, site: str, lang: str = "") -> GoldPage:
    html = f"{MENU}<hr class='{'x' * 320}'><p>{text}</p><hr class='{'x' * 320}'>{MENU}"
    return GoldPage(str(number), html.encode(), text.strip(), site=site, lang=lang)


@pytest.fixture
def paths(tmp_path):
    """Return small corpora under the names of the real ones."""
    corpora = {
        "voa-dari": [page(number, PERSIAN * 9, "dari.example") for number in range(2)],
        "fundus": [page(0, PERSIAN * 9, "arab.example"), page(1, TEXT * 9, "news.example")],
        "daniel": [page(number, TEXT * 9, "en.example", "en") for number in range(20)],
        "big9-chaos": [page(0, TEXT * 9, "small.example")],
        "dragnet": [page(0, TEXT * 9, "blog.example")],
    }
    for name, pages in corpora.items():
        lines = [
            json.dumps(
                {"id": p.id, "html": p.html.decode(), "text": p.text, "site": p.site,
                 "lang": p.lang}
            )
            for p in pages
        ]  # fmt: skip
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return {name: tmp_path / f"{name}.jsonl" for name in corpora}


def chosen(paths, name):
    wanted = chapter_4.MEASURES[name][1]
    return {corpus: paths[corpus] for corpus in wanted}


# --- the docs and the thesis ---------------------------------------------------------------------


@pytest.mark.parametrize("name", list(chapter_4.BLOCKS))
def test_the_docs_say_what_the_last_run_measured(name):
    figures = json.loads(chapter_4.LAST_RUN.read_text(encoding="utf-8"))
    text = chapter_4.PAGE.read_text(encoding="utf-8")
    assert block(text, name) == chapter_4.BLOCKS[name](figures[name])


def test_the_tables_of_the_thesis_have_the_means_of_the_leaderboard():
    # The leaderboard has the means of Tables 4.3, 4.6, 4.11 and 4.12.
    rows = chapter_4.TABLE_4_3
    assert sum(row.f1 for row in rows) / 10 == pytest.approx(
        CLAIMS["r2l"]["right-to-left"], abs=6e-4
    )
    assert sum(row.dana for row in rows) / 10 == pytest.approx(
        CLAIMS["dana"]["right-to-left"], abs=6e-4
    )
    for table, name, sites in (
        (chapter_4.FILTERS_RIGHT_TO_LEFT, "right-to-left", 10),
        (chapter_4.FILTERS_WESTERN, "Western", 12),
    ):
        assert len(table) == sites
        for column, method in ((0, "danag"), (9, "addanag")):
            mean = sum(row[column] for row in table.values()) / sites
            assert mean == pytest.approx(CLAIMS[method][name], abs=6e-4)


def test_the_best_gap_of_the_thesis_is_at_least_as_good():
    assert all(row.best_f1 >= row.f1 for row in chapter_4.TABLE_4_3)
    assert all(row.best_gap == 8 for row in chapter_4.TABLE_4_3 if row.best_f1 == row.f1)


def test_filter_3_is_the_best_on_18_of_22_sites_as_the_thesis_says():
    none = {"right_to_left": {}, "others": {"x": {"pages": 1, "scores": [[1.0] * 3] * 4}}}
    assert "10, 5 and 18 of the thesis' 22 sites, and on 1, 1 and 1 of our 1." in chapter_4._wins(
        none
    )


# --- the parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PERSIAN, True),
        (TEXT, False),
        ("", False),
        ("123 …", False),
        ("آبab", False),
        ("שלום", True),
    ],
)
def test_a_text_is_right_to_left_if_most_of_its_letters_are(text, expected):
    assert is_right_to_left(text) is expected


def test_the_best_gap_is_the_nearest_of_those_that_are_equal_to_three_digits():
    assert chapter_4.best_gap([2, 8, 20], [0.5, 0.50004, 0.4], 8) == (8, 0.5)
    assert chapter_4.best_gap([2, 8, 20], [0.5, 0.4, 0.5], 8) == (2, 0.5)
    assert chapter_4.best_gap([2, 8, 20], [0.5, 0.4, 0.6], 8) == (20, 0.6)


def test_scores_are_recall_precision_and_f1_by_the_longest_common_subsequence():
    (found,) = chapter_4.mean_scores(
        [GoldPage("1", b"<p>one two three", "one three four six")], [AdDANAg()]
    )
    assert found == [0.5, round(2 / 3, 4), round(4 / 7, 4)]


def test_gaps_are_swept_by_site(paths):
    found = chapter_4.measure_gaps(chosen(paths, "gaps"))
    assert found["gaps"] == list(chapter_4.GAPS)
    assert list(found["sites"]) == ["dari.example (voa-dari)", "arab.example (fundus)"]
    own = found["sites"]["dari.example (voa-dari)"]
    assert (own["pages"], own["right_to_left"]) == (2, True)
    assert len(own["r2l"]) == len(own["dana"]) == len(chapter_4.GAPS)
    assert set(own["dana"]) == {1.0}
    text = chapter_4.gaps_block({"date": "2024-03-20", **found})
    assert "| thesis: Al Ahram, Arabic |  | 0.929 | 7 | 0.983 | 0.984 | – | – |" in text
    assert "| **dari.example (voa-dari)** | 2 | " in text


def test_filters_are_measured_by_site(paths):
    found = chapter_4.measure_filters(chosen(paths, "filters"))
    assert list(found["right_to_left"]) == ["dari.example (voa-dari)", "arab.example (fundus)"]
    assert list(found["others"]) == ["en.example (daniel)"]  # the others have few pages
    assert found["others"]["en.example (daniel)"]["scores"] == [[1.0, 1.0, 1.0]] * 4
    text = chapter_4.filters_block({"date": "2024-03-20", **found})
    line = "| **en.example (daniel)** | 20 |" + " 1.000 |" * 7 + " **1.000** |" * 3
    assert line in text
    assert "mean of our sites" not in text


def test_the_figures_of_mss_are_beside_the_one_of_the_thesis(paths, monkeypatch):
    without_workers(monkeypatch)
    found = chapter_4.measure_mss(chosen(paths, "mss"))
    assert list(found) == ["best run", "all runs"]
    assert list(found["best run"]) == list(chapter_4.MSS_CORPORA)
    text = chapter_4.mss_block({"date": "2024-03-20", **found})
    assert "| thesis, pages not named |  | 0.979 |  |  |  |" in text
    assert "| fundus † | 2 | " in text


@pytest.mark.slow
def test_speed_is_in_megabytes_per_second(paths):
    found = chapter_4.measure_speed(chosen(paths, "speed"), rounds=1)
    assert set(found["methods"]) == set(chapter_4.THROUGHPUT)
    assert all(value > 0 for value in found["methods"].values())
    text = chapter_4.speed_block({"date": "2024-03-20", **found})
    assert "| `dana` | 19.43 | " in text
    assert "| `r2l` | – | " in text


def test_a_run_of_one_table_leaves_the_others(tmp_path, paths, monkeypatch):
    monkeypatch.setattr(chapter_4, "corpus_paths", lambda _, names: [paths[n] for n in names])
    figures, docs = tmp_path / "figures.json", tmp_path / "page.md"
    figures.write_bytes(chapter_4.LAST_RUN.read_bytes())
    docs.write_bytes(chapter_4.PAGE.read_bytes())
    before = json.loads(figures.read_text(encoding="utf-8"))
    arguments = ["--only", "gaps", "--json", str(figures), "--page", str(docs)]
    assert chapter_4.main(arguments) == 0
    after = json.loads(figures.read_text(encoding="utf-8"))
    assert {name for name in after if after[name] != before[name]} == {"gaps"}
    assert "dari.example" in docs.read_text(encoding="utf-8")


def test_without_corpora_a_sentence_says_what_to_set(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path / "none"))
    arguments = ["--json", str(tmp_path / "x.json"), "--page", str(Path(tmp_path, "x.md"))]
    assert chapter_4.main(arguments) == 2
    assert "set THRESHER_CORPORA" in capsys.readouterr().out
