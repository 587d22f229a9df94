"""Measured figures: each is in one JSON file of docs/figures, and pages repeat it from there.

The programs of `benchmarks/` write figures between markers of the pages, and the tests of each
program compare these with its JSON file. Here are the rules for all of them, and the figures that
pages quote in a sentence or in a row beside others.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks import reliability
from benchmarks.marked_blocks import block

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FIGURES = ROOT / "docs" / "figures"


@cache
def figures(name: str) -> Any:
    return json.loads((FIGURES / f"{name}.json").read_text(encoding="utf-8"))


def test_all_figures_are_in_one_folder_and_belong_to_a_program() -> None:
    files = {path.name for path in FIGURES.iterdir()}
    assert {path.name for path in (ROOT / "docs").rglob("*.json")} == files
    assert not list((ROOT / "benchmarks").glob("*.json"))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    programs = "".join(path.read_text("utf-8") for path in (ROOT / "benchmarks").glob("*.py"))
    assert [name for name in files if name not in makefile + programs] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_each_marker_names_a_target_and_ends(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    for name, target in re.findall(r"^<!-- ([\w-]+): written by make ([\w-]+) -->$", text, re.M):
        assert target in targets, f"{page.name}: no target {target} for {name}"
        assert block(text, name).strip(), f"{page.name}: nothing between the markers of {name}"


def test_the_confidence_is_that_of_the_last_run() -> None:
    last = figures("reliability")
    bins = [reliability.Bin(**one) for one in last["bins"]]
    assert last["pages"] == sum(one.pages for one in bins)
    assert last["expected calibration error"] == pytest.approx(
        reliability.calibration_error(bins), abs=1e-3
    )
    text = block((ROOT / "docs/models/default.md").read_text(encoding="utf-8"), "reliability")
    names = [name.removesuffix(".parquet") for name in reliability.CORPORA]
    assert text.split() == reliability.sentences(bins, last["folds"], names).split()


# --- figures of the leaderboard that other pages quote -------------------------------------------

NUMBER = r"\**(\d?\.\d{3})\**"
QUOTED = [
    (
        "docs/models/memm.md",
        rf"other way round: {NUMBER} and {NUMBER} on `dragnet`, {NUMBER} and {NUMBER} on `daniel`",
        ["memm dragnet", None, "memm daniel", None],
    ),
    *(
        (
            "docs/models/boilerpipe.md",
            rf"\| `{corpus}` \| \d+ \| {NUMBER} \| {NUMBER} \| {NUMBER} \|",
            [None, None, f"boilerpipe {corpus}"],
        )
        for corpus in ("dragnet", "daniel", "big9-chaos", "voa-dari", "cleaneval-dev")
    ),
    *(
        (
            "docs/methods/r2l.md",
            rf"\| `{method}` \| {NUMBER} \| {NUMBER} \|",
            [f"{method} voa-dari", f"{method} daniel"],
        )
        for method in ("r2l", "dana")
    ),
    *(
        (
            "docs/methods/chapter-4.md",
            rf"\| \*\*{corpus}\*\* \| \d+ \| {NUMBER} \| {NUMBER} \| {NUMBER} \| {NUMBER} \|",
            [f"{method} {corpus}" for method in ("r2l", "dana", "danag", "addanag")],
        )
        for corpus in ("voa-dari", "daniel")
    ),
]


@pytest.mark.parametrize(("page", "pattern", "expected"), QUOTED)
def test_quoted_scores_are_those_of_the_leaderboard(
    page: str, pattern: str, expected: list[str | None]
) -> None:
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    found = re.search(pattern, text)
    assert found, f"{page} has no longer {pattern}"
    corpora = figures("leaderboard")["corpora"]
    for number, wanted in zip(found.groups(), expected, strict=True):
        if wanted is not None:
            tool, corpus = wanted.split()
            score = corpora[corpus]["tools"][tool]["word_f1"][0]
            assert float(number) == pytest.approx(score, abs=5.1e-4), f"{page}: {wanted}"
