"""Calibration of the confidence: bins by hand, sites kept apart, a small run."""

import json
import re

import pytest

from benchmarks import reliability


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


@pytest.mark.slow
def test_a_small_run_writes_figures_picture_and_page(few, corpus, tmp_path, capsys):
    page, bins, picture = (tmp_path / name for name in ("page.md", "bins.json", "picture.svg"))
    page.write_text("# Page\n<!-- reliability: here -->\nBEFORE\n<!-- reliability: end -->\n")
    names = [str(page), str(bins), str(picture), "--corpus", str(corpus), "--folds", "2"]
    kept = tmp_path / "models"
    kept.mkdir()
    assert reliability.main([*names, "--models", str(kept)]) == 0
    figures = json.loads(bins.read_text())
    assert figures["folds"] == 2
    assert figures["pages"] == sum(one["pages"] for one in figures["bins"]) > 50
    assert len(figures["bins"]) == 10
    sentence = re.search(r"of equal size, is ([.\d]+) on 60", " ".join(page.read_text().split()))
    assert float(sentence[1]) == pytest.approx(figures["expected calibration error"], abs=6e-4)
    assert "BEFORE" not in page.read_text()
    assert picture.read_text().startswith("<?xml")
    assert "fold 2 of 2 is trained" in capsys.readouterr().err
    before = bins.read_text()
    assert reliability.main([*names, "--models", str(kept)]) == 0  # with the models that are there
    assert "trained" not in capsys.readouterr().err
    assert bins.read_text() == before


@pytest.mark.slow
def test_no_page_is_extracted_with_a_model_that_saw_its_site(few, corpus, tmp_path, monkeypatch):
    seen = {}

    def note(method, samples, folder):
        (folder / "default.npz").write_bytes(b"")
        seen[folder / "default.npz"] = {sample.tokens.site for sample in samples if sample}

    monkeypatch.setattr(reliability, "write_model", note)
    models = reliability.fold_models([corpus], None, 3, tmp_path)
    sites = [gold.site.casefold() for gold in reliability.gold_pages([corpus], None)]
    assert len(set(models)) == 3
    assert all(site not in seen[model] for site, model in zip(sites, models, strict=True))
    assert all(len(part) > 5 for part in seen.values())
