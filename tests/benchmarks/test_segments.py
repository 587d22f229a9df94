"""Segmentations compared with drawn blocks: the docs agree with the last run, a small run."""

import json

import pytest

from benchmarks import segments
from benchmarks.corpus_pages import corpora_folder
from benchmarks.marked_blocks import block
from benchmarks.segment_baselines import (
    AtDepth,
    BlockFusion,
    density,
    leaves,
    text_blocks,
    whole_page,
)
from benchmarks.segments import GoldPage, Undivided
from tests.visual.boxes import div, laid_out
from thresher.errors import InputError
from thresher.evaluate.segmentation import ITEMS, Block, Score
from thresher.visual.area_cut import AreaCut
from thresher.visual.browser import find_chromium
from thresher.visual.vips import Vips

FIGURES = json.loads(segments.FIGURES.read_text(encoding="utf-8"))


def of_level(level):
    return {one["method"]: one for one in FIGURES["methods"] if one["level"] == level}


# --- the docs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", segments.BLOCKS)
def test_the_docs_say_what_the_last_run_measured(name):
    page = segments.PAGE.read_text(encoding="utf-8")
    assert block(page, name) == segments.BLOCKS[name](FIGURES)


@pytest.mark.parametrize("level", segments.LEVELS)
def test_area_cut_is_best_on_the_reported_pages(level):
    own = of_level(level)
    best = own.pop(segments.BEST)["report"]
    for name, other in own.items():
        for kind in ITEMS:
            assert best[kind][2] > other["report"][kind][2], (name, kind)


def test_the_docs_say_where_the_difference_is_not_certain():
    own = of_level(2)
    pages = [own[name]["report"]["pages"] for name in (segments.BEST, "VIPS")]
    _, low, high = segments.difference(*pages)
    page = segments.PAGE.read_text(encoding="utf-8")
    assert ("its difference to VIPS includes 0" in page) == (low < 0 < high)


def test_area_cut_has_the_settings_that_were_chosen():
    default = AreaCut()
    assert of_level(1)[segments.BEST]["setting"] == f"coarse {default.coarse:g}"
    assert of_level(2)[segments.BEST]["setting"] == f"fine {default.fine:g}"


def test_the_halves_have_25_pages_each_and_none_in_common():
    tune, report = FIGURES["tune"]["ids"], FIGURES["report"]["ids"]
    assert len(set(tune)) == len(set(report)) == 25
    assert not set(tune) & set(report)


# --- figures by hand -----------------------------------------------------------------------------


def test_the_interval_of_a_difference_is_around_it():
    mean, low, high = segments.difference([0.9, 0.8, 0.7, 0.6], [0.5, 0.6, 0.7, 0.4])
    assert mean == pytest.approx(0.2)
    assert 0 <= low < mean < high <= 0.4
    assert segments.difference([0.5, 0.7], [0.4, 0.6]) == pytest.approx((0.1, 0.1, 0.1))


def test_the_f1_of_a_page_is_the_mean_over_its_items():
    scores = {"characters": None, "pixels": Score(1, 0.5, 0.6), "nodes": Score(1, 1, 1.0)}
    assert segments.mean_f1(scores) == pytest.approx(0.8)


PAGE = laid_out(
    "<body>"
    + div(0, 0, 100, 20, "head")
    + div(0, 20, 100, 80, div(0, 20, 50, 80, "left") + div(50, 20, 50, 80, "right"))
)
BLOCKS = (
    Block("/html/body/div[1]", 1, "Header", 4),
    Block("/html/body/div[2]", 1, "Content", 9),
    Block("/html/body/div[2]/div[1]", 2, "Article", 4),
    Block("/html/body/div[9]", 2, "Article", 4),
    Block("/html/body", 2, "Content", 13),
    Block("/html/body/div[2]/div[2]", 2, "Article", 7),
)


def gold_page(name="page"):
    class Entry:
        id, blocks = name, BLOCKS

    return segments.read_gold(PAGE, Entry)


def test_blocks_that_cannot_be_used_are_counted():
    found = segments.corpus_figures([gold_page(), GoldPage("", PAGE, {1: [], 2: []}, ())])
    assert found == {
        "blocks": 6, "missing": 1, "whole page": 1, "other text": 1, "invisible": 0,
        "with blocks": {"1": 1, "2": 1},
    }  # fmt: skip


def test_settings_are_chosen_on_the_first_pages_and_reported_on_the_others():
    settings = {"1": AtDepth(1), "2": AtDepth(2)}
    found = segments.measure_method(settings, [gold_page()], [gold_page()], 2)
    assert found["setting"] == "2"
    assert found["settings"] == 2
    assert found["report"]["nodes"] == [1, 1, 1]
    assert found["tune"]["pages"] == [1]


def test_a_run_has_figures_for_every_method_and_its_tables():
    def tried(_):
        return {segments.BEST: {"": Undivided(AreaCut())}, "whole page": {"": whole_page}}

    figures = segments.measure([gold_page("a")], [gold_page("b")], tried)
    assert [one["method"] for one in figures["methods"]] == [segments.BEST, "whole page"] * 2
    for content in segments.BLOCKS.values():
        assert content(json.loads(json.dumps(figures)))


def test_settings_have_names_of_their_own():
    for level in segments.LEVELS:
        found = segments.methods(level)
        assert set(found) == set(of_level(level))
        for name, settings in found.items():
            assert len(settings) == of_level(level)[name]["settings"]
    assert segments.methods(1)["VIPS"]["PDoC 3"] == Undivided(Vips(3))


# --- simple ways to divide a page ----------------------------------------------------------------


def texts(page, division):
    return [" ".join(page.line(row) or page.text(row) for row in own) for own in division(page)]


def test_simple_divisions():
    assert texts(PAGE, whole_page) == ["head left right"]
    assert texts(PAGE, leaves) == ["head", "left", "right"]
    assert texts(PAGE, AtDepth(1)) == ["head", "left right"]
    assert texts(PAGE, AtDepth(2)) == ["head", "left", "right"]
    assert texts(PAGE, AtDepth(9)) == ["head", "left", "right"]
    assert texts(PAGE, text_blocks) == ["head", "left", "right"]


def test_the_empty_page_has_no_segments():
    empty = laid_out("")
    for division in (whole_page, leaves, AtDepth(1), text_blocks, BlockFusion(0.4)):
        assert all(len(rows) == 0 or rows[0] == 0 for rows in division(empty))


def test_text_density_leaves_out_the_last_line():
    assert density(["two words"]) == 2
    assert density([]) == 0
    words = ["nine char"] * 8 + ["x"]  # 16 words of 4 characters fill a line of 80
    assert density(words) == 16


def test_block_fusion_joins_blocks_of_similar_density():
    many, few = "word " * 40, "two words"
    page = laid_out(f"<p>{few}</p><p>two more</p><p>{many}</p><p>{many}</p><p>{few}</p>")
    assert [len(rows) for rows in BlockFusion(0.38)(page)] == [2, 2, 1]
    assert len(BlockFusion(1.0)(page)) == 1
    assert [len(rows) for rows in BlockFusion(0.0)(page)] == [2, 2, 1]


# --- the corpus ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_pages_of_the_corpus():
    folder = corpora_folder()
    archive = folder / segments.ARCHIVE if folder else None
    if archive is None or not archive.exists():
        pytest.skip("needs segments-random")
    try:
        find_chromium()
    except InputError as error:
        pytest.skip(str(error))
    tune, report = segments.rendered(archive, 2)
    figures = segments.corpus_figures([*tune, *report])
    assert figures["blocks"] == 18
    assert figures["missing"] == 0
    own = segments.summary(segments.score_pages(Undivided(AreaCut()), report, 2))
    assert all(0.2 < own[kind][2] <= 1 for kind in ITEMS)


def test_without_corpora_the_program_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path / "none"))
    assert segments.main([]) == 2
    assert "set THRESHER_CORPORA" in capsys.readouterr().out
