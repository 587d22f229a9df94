"""The speed of trends: the pipeline gives the same numbers, and a small run."""

import json

import numpy as np
import pytest

from benchmarks import speed, trends
from thresher.trends import DatedDocument, Query, trend

FIGURES = json.loads(trends.FIGURES.read_text(encoding="utf-8"))


def test_the_pipeline_gives_the_same_means():
    documents = [
        DatedDocument("", "Floods of the river: climate change", "2001"),
        DatedDocument("", "Climate changes, climate-change; naïve", "2001"),
        DatedDocument("", "Nothing of the kind", "2003"),
    ]
    queries = [Query("a", ("flood", "climate change", "flood")), Query("b", ("naive", "naïve"))]
    ours = trend(documents, queries, stop_words=False)
    theirs = trends.plain_pipeline(documents, queries)
    assert np.allclose(ours.mean[ours.count > 0], theirs, rtol=0, atol=1e-15)


def test_the_page_says_what_was_measured():
    page = speed.docs_page(json.loads(speed.LAST_RUN.read_text(encoding="utf-8")))
    assert "\n".join(trends.docs_section(FIGURES)) in page
    assert "to 12 decimals" in page
    assert FIGURES["documents"] == 100_000
    differing = trends.docs_section({**FIGURES, "difference": 0.0123})
    assert any("The means differ by up to 0.01." in line for line in differing)


@pytest.mark.slow
def test_a_small_run(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("THRESHER_CORPORA", "nowhere")
    monkeypatch.setattr(trends, "FIGURES", tmp_path / "trends-speed.json")
    monkeypatch.setattr(speed, "write_docs", lambda: "")
    trends.main(["--documents", "50", "--rounds", "1"])
    figures = json.loads(trends.FIGURES.read_text(encoding="utf-8"))
    assert figures.keys() == FIGURES.keys()
    assert figures["origin"].startswith("generated with seed 7")
    assert figures["difference"] < 1e-12
    assert figures["ratios"].keys() == FIGURES["ratios"].keys()
    assert "| `trend`, tf | 1.00 |" in capsys.readouterr().out
