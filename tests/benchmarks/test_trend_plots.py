"""The tables and the plot of docs/trends.md: a small run, and the page against the last figures."""

import json
from pathlib import Path

import pytest

from benchmarks import trend_plots
from benchmarks.marked_blocks import block

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def last():
    return json.loads((ROOT / trend_plots.FIGURES).read_text(encoding="utf-8"))


def test_the_page_has_the_figures_of_the_last_run(last):
    page = (ROOT / trend_plots.PAGE).read_text(encoding="utf-8")
    assert block(page, "trend-means") == trend_plots.means_table(last)
    assert block(page, "trend-changes") == trend_plots.changes_table(last)


def test_the_generations_of_language_technology_are_in_the_years_everyone_knows(last):
    assert list(last["shapes"].values()) == ["fading", "peaked", "emerging"]
    old, bert, large = last["shapes"]
    means = {int(row["period"]): row for row in last["means"]}
    assert max(means, key=lambda year: means[year][old]) == 2016
    assert max(means, key=lambda year: means[year][bert]) in (2021, 2022)
    assert max(means, key=lambda year: means[year][large]) in (2025, 2026)
    rises = {change["period"] for change in last["changes"]
             if change["query"] == large and change["kind"] == "abrupt rise"}  # fmt: skip
    assert rises & {"2023", "2024"}


def test_a_small_run_writes_figures_picture_and_page(tmp_path, capsys):
    page, figures, picture = (tmp_path / name for name in ("page.md", "figures.json", "plot.svg"))
    page.write_text(
        "<!-- trend-means: x -->\n<!-- trend-means: end -->\n"
        "<!-- trend-changes: x -->\n<!-- trend-changes: end -->\n"
    )
    names = ["--page", str(page), "--figures", str(figures), "--picture", str(picture)]
    corpus = ["--corpus", str(ROOT / "examples" / "abstracts.ris")]
    queries = ["--queries", str(ROOT / "examples" / "topics.toml")]
    assert trend_plots.main([*names, *corpus, *queries]) == 0
    found = json.loads(figures.read_text())
    assert found["documents"] == 48
    assert picture.read_bytes().startswith(b"<?xml")
    assert "| 2010 | 5 | 448 | 100 | 155 |" in page.read_text()
    assert "| sensors | 2015 | abrupt rise |" in page.read_text()


def test_without_corpora_nothing_is_written(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)
    assert trend_plots.main([]) == 2
    assert capsys.readouterr().out == "trends: no corpora, set THRESHER_CORPORA\n"
