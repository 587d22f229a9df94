"""The experiments behind docs/models/default.md: bins by hand, sites kept apart, small runs."""

import json
import re

import pytest

from benchmarks import adaptation, reliability
from benchmarks.generator import generate, write_jsonl
from thresher.evaluate.training import default

FEW = {"_TREES": 12, "_FIRST": 4, "_DEPTH": 3, "_KIND_TREES": 3, "_KIND_DEPTH": 2}


@pytest.fixture
def few(monkeypatch):
    for name, value in FEW.items():
        monkeypatch.setattr(default, name, value)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "made.jsonl"
    write_jsonl(generate(5, 60, sites=15), path)
    return path


# --- reliability ---------------------------------------------------------------------------------


def test_bins_hold_the_pages_in_order_of_confidence():
    bins = reliability.bins_of([(0.9, 1.0), (0.2, 0.0), (0.7, 0.8), (0.4, 0.5)], 2)
    assert [one.pages for one in bins] == [2, 2]
    assert [one.confidence for one in bins] == pytest.approx([0.3, 0.8])
    assert [one.f1 for one in bins] == pytest.approx([0.25, 0.9])
    assert (bins[0].low, bins[0].high) == pytest.approx((0.125, 0.375))


def test_bins_are_no_more_than_pages():
    assert [one.pages for one in reliability.bins_of([(0.5, 0.5)], 10)] == [1]


def test_the_calibration_error_weighs_bins_by_their_pages():
    bins = [reliability.Bin(3, 0.5, 0.6, 0, 1), reliability.Bin(1, 0.9, 0.7, 0, 1)]
    assert reliability.calibration_error(bins) == pytest.approx((3 * 0.1 + 1 * 0.2) / 4)


def test_a_small_run_writes_figures_picture_and_page(few, corpus, tmp_path, capsys):
    page, bins, picture = (tmp_path / name for name in ("page.md", "bins.json", "picture.svg"))
    page.write_text("# Page\n<!-- reliability: here -->\nBEFORE\n<!-- reliability: end -->\n")
    names = [str(page), str(bins), str(picture), "--corpus", str(corpus), "--folds", "2"]
    kept = tmp_path / "models"
    kept.mkdir()
    assert reliability.main([*names, "--models", str(kept)]) == 0
    told = json.loads(bins.read_text())
    assert told["folds"] == 2
    assert told["pages"] == sum(one["pages"] for one in told["bins"]) > 50
    assert len(told["bins"]) == 10
    said = re.search(r"of equal size, is ([.\d]+) on 60", " ".join(page.read_text().split()))
    assert float(said[1]) == pytest.approx(told["expected calibration error"], abs=6e-4)
    assert "BEFORE" not in page.read_text()
    assert picture.read_text().startswith("<?xml")
    assert "fold 2 of 2 is trained" in capsys.readouterr().err
    before = bins.read_text()
    assert reliability.main([*names, "--models", str(kept)]) == 0  # with the models that are there
    assert "trained" not in capsys.readouterr().err
    assert bins.read_text() == before


def test_no_page_is_judged_by_a_model_that_saw_its_site(few, corpus, tmp_path, monkeypatch):
    seen = {}

    def note(method, samples, folder):
        (folder / "default.npz").write_bytes(b"")
        seen[folder / "default.npz"] = {sample.tokens.site for sample in samples if sample}

    monkeypatch.setattr(reliability, "write_model", note)
    models = reliability.fold_models([corpus], None, 3, tmp_path)
    sites = [gold.site.casefold() for gold in reliability.pages_of([corpus], None)]
    assert len(set(models)) == 3
    assert all(site not in seen[model] for site, model in zip(sites, models, strict=True))
    assert all(len(part) > 5 for part in seen.values())


# --- adaptation ----------------------------------------------------------------------------------


def lesson(site, kind="forum"):
    return adaptation.Lesson(site, kind, None, None)


def test_whole_sites_are_dealt():
    lessons = [lesson(site) for site in "aaabbcdeeef"]
    for seed in range(5):
        mine, others = adaptation.dealt(lessons, 5, seed)
        assert len(mine) == 5
        assert len(mine) + len(others) == len(lessons)
        assert not {one.site for one in mine} & {one.site for one in others}
    draws = {tuple(adaptation.dealt(lessons, 5, seed)[0]) for seed in range(5)}
    assert len(draws) > 1


def test_the_table_has_means_and_the_range_of_the_lift():
    draws = [adaptation.Draw(100, 50, 60, 0.5, 0.6), adaptation.Draw(100, 48, 62, 0.7, 0.76)]
    lines = adaptation.table({"forum": draws}).splitlines()
    assert lines[2] == "| forum | 100 | 49 | 61 | 0.600 | 0.680 | 0.080 | 0.060 | 0.100 |"


def test_a_small_run_adapts_and_scores_other_sites(few, corpus, tmp_path, monkeypatch):
    trained = []
    write = adaptation.write_model
    monkeypatch.setattr(
        adaptation, "write_model", lambda *given: (trained.append(given[1]), write(*given))
    )
    monkeypatch.setattr(adaptation, "KINDS", ("forum",))
    page = tmp_path / "page.md"
    page.write_text("<!-- adaptation: here -->\nBEFORE\n<!-- adaptation: end -->\n")
    given = [str(page), "--corpus", str(corpus), "--labelled", "6", "--draws", "2"]
    assert adaptation.main(given) == 0
    cells = page.read_text().splitlines()[3].split(" | ")
    lessons = adaptation.lessons_of([corpus], None)
    forums = {one.site for one in lessons if one.kind == "forum"}
    assert cells[0] == "| forum"
    assert int(cells[1]) == len(trained[0]) == sum(one.site not in forums for one in lessons)
    assert int(cells[2]) <= 6
