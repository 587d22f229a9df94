"""Compare segmentations of rendered pages with blocks that people drew, at two levels.

    segments-random --unpack--> saved pages --Chromium, scripts off--> rendered pages
        --divide--> segments --extended BCubed--> precision, recall, F1

Every way to divide a page is measured for each level with each of its settings on the half of the
pages that is for choosing; the best setting is then measured once on the other half. The score
that decides is the mean of the F1 over characters, pixels and nodes. Intervals are from the
bootstrap over pages.

`make segments` writes the figures to docs/figures/segmentation.json, and from there the tables of
docs/segmentation.md; a test checks that these agree.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.corpus_pages import argument_parser, corpora_folder, exit_with
from benchmarks.marked_blocks import markdown_table, write_block
from benchmarks.segment_baselines import (
    AtDepth,
    BlockFusion,
    Division,
    leaves,
    text_blocks,
    whole_page,
)
from thresher.evaluate import segmentation
from thresher.evaluate.segmentation import ITEMS, Block, Score, SegmentedPage, mean_scores
from thresher.page.array_types import Rows
from thresher.visual import Browser, RenderedPage, RenderOptions
from thresher.visual.area_cut import AreaCut
from thresher.visual.seam import Seam
from thresher.visual.segments import Segmenter
from thresher.visual.vips import Vips

ARCHIVE = "segments-random.tar.xz"
LEVELS = (1, 2)
BEST = "area cut"
DRAWS = 10_000  # of the bootstrap
STEPS = tuple(step / 10 for step in range(11))
COARSE = (0.85, 0.75, 0.8, 0.9, 0.95)  # on ties the first one is chosen
FINE = (0.12, 0.08, 0.1, 0.15, 0.2, 0.25)

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "figures" / "segmentation.json"
PAGE = ROOT / "docs" / "segmentation.md"

Figures = dict[str, Any]


# --- ways to divide a page -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Undivided:
    """The segments of a segmenter that it did not divide."""

    segmenter: Segmenter

    def __call__(self, page: RenderedPage) -> list[Rows]:
        """Return the rows of each segment."""
        return segmentation.leaves(self.segmenter(page))


@dataclass(frozen=True, slots=True)
class Coarse:
    """The segments of a segmenter that lie in the page and in no other segment."""

    segmenter: Segmenter

    def __call__(self, page: RenderedPage) -> list[Rows]:
        """Return the rows of each segment."""
        return segmentation.cut(self.segmenter(page), 1)


Settings = dict[str, Division]  # by what the docs call them


def _seams(whole_lines: bool) -> Settings:
    return {
        f"alpha {alpha:g}, beta {beta:g}": Undivided(Seam(alpha, beta, whole_lines))
        for alpha, beta in product(STEPS, STEPS)
    }


def methods(level: int) -> dict[str, Settings]:
    """Return the settings of each way to divide a page that are tried for a level."""
    area: Settings = (
        {f"coarse {s:g}": Coarse(AreaCut(coarse=s)) for s in COARSE}
        if level == 1
        else {f"fine {s:g}": Undivided(AreaCut(fine=s)) for s in FINE}
    )
    return {
        BEST: area,
        "seam": _seams(whole_lines=False),
        "seam, whole lines": _seams(whole_lines=True),
        "VIPS": {f"PDoC {degree}": Undivided(Vips(degree)) for degree in range(1, 11)},
        "text blocks": {"": text_blocks},
        "block fusion": {f"threshold {share:g}": BlockFusion(share) for share in STEPS},
        "whole page": {"": whole_page},
        "children of the body": {"": AtDepth(1)},
        "elements at one depth": {f"depth {depth}": AtDepth(depth) for depth in range(1, 21)},
        "leaves": {"": leaves},
    }


# --- measuring -----------------------------------------------------------------------------------


class GoldPage(NamedTuple):
    """A rendered page with the rows of its blocks for each level."""

    id: str
    page: RenderedPage
    gold: dict[int, list[Rows]]
    blocks: tuple[Block, ...]


PageScores = dict[str, Score | None]  # by kind of items


def mean_f1(scores: PageScores) -> float:
    """Return the mean F1 of a page over the kinds of items that it has."""
    return float(np.mean([score.f1 for score in scores.values() if score is not None]))


def score_pages(divide: Division, pages: Iterable[GoldPage], level: int) -> list[PageScores]:
    """Return the scores of the pages that have blocks of the level."""
    return [
        segmentation.score(one.page, divide(one.page), one.gold[level])
        for one in pages
        if one.gold[level]
    ]


def summary(scores: Sequence[PageScores]) -> Figures:
    """Return the mean scores by kind of items, and the mean F1 of each page."""
    found: Figures = {
        kind: [round(value, 4) for value in mean_scores(one[kind] for one in scores)]
        for kind in ITEMS
    }
    return {**found, "pages": [round(mean_f1(one), 4) for one in scores]}


def measure_method(
    settings: Settings, tune: Sequence[GoldPage], report: Sequence[GoldPage], level: int
) -> Figures:
    """Choose a setting on some pages, and return the scores on these and on others."""
    tried = {name: score_pages(divide, tune, level) for name, divide in settings.items()}
    best = max(tried, key=lambda name: float(np.mean([mean_f1(one) for one in tried[name]])))
    return {
        "setting": best,
        "settings": len(settings),
        "tune": summary(tried[best]),
        "report": summary(score_pages(settings[best], report, level)),
    }


def difference(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean difference over pages, and its 95 % interval from the bootstrap."""
    each = np.subtract(ours, theirs)
    drawn = np.random.default_rng(7).integers(len(each), size=(DRAWS, len(each)))
    low, high = np.quantile(each[drawn].mean(axis=1), (0.025, 0.975))
    return float(each.mean()), float(low), float(high)


def read_gold(page: RenderedPage, entry: SegmentedPage) -> GoldPage:
    """Return a rendered page with the rows of its blocks."""
    gold = {level: segmentation.gold_rows(page, entry.blocks, level) for level in LEVELS}
    return GoldPage(entry.id, page, gold, entry.blocks)


def corpus_figures(pages: Sequence[GoldPage]) -> Figures:
    """Return how many blocks there are, and how many of them cannot be used."""
    rows = [
        (one.page, block, segmentation.find(one.page, block.xpath))
        for one in pages
        for block in one.blocks
    ]
    inner = [(page, block, row) for page, block, row in rows if row > page.body]
    return {
        "blocks": len(rows),
        "missing": sum(row < 0 for _, _, row in rows),
        "whole page": sum(0 <= row <= page.body for page, _, row in rows),
        "other text": sum(
            segmentation.text_length(page, row) != block.chars for page, block, row in inner
        ),
        "invisible": sum(
            not page.visible[row : int(page.end[row])].any() for page, _, row in inner
        ),
        "with blocks": {
            str(level): sum(bool(one.gold[level]) for one in pages) for level in LEVELS
        },
    }


def measure(
    tune: Sequence[GoldPage],
    report: Sequence[GoldPage],
    tried: Callable[[int], dict[str, Settings]] = methods,
) -> Figures:
    """Return all figures."""
    found: list[Figures] = []
    for level in LEVELS:
        for name, settings in tried(level).items():
            sys.stderr.write(f"level {level}: {name}\n")
            own = measure_method(settings, tune, report, level)
            found.append({"level": level, "method": name, **own})
    return {
        "tune": {"ids": [one.id for one in tune], **corpus_figures(tune)},
        "report": {"ids": [one.id for one in report], **corpus_figures(report)},
        "methods": found,
    }


def rendered(archive: Path, limit: int | None) -> tuple[list[GoldPage], list[GoldPage]]:
    """Render the pages of a corpus; return the half for choosing and the half that is reported."""
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        halves = segmentation.split(segmentation.unpack(archive, Path(folder))[:limit])
        options = RenderOptions(scripts=False)
        tune, report = (
            [
                read_gold(browser.render(one.file, root=one.root, options=options), one)
                for one in half
            ]
            for half in halves
        )
    return tune, report


# --- tables --------------------------------------------------------------------------------------


def _of_level(figures: Figures, level: int) -> dict[str, Figures]:
    return {one["method"]: one for one in figures["methods"] if one["level"] == level}


def _mean(pages: Sequence[float]) -> str:
    return f"{np.mean(pages):.3f}"


def f1_table(figures: Figures, level: int) -> str:
    """Return the table of F1 scores: reported pages, the mean on the others, the difference."""
    own = _of_level(figures, level)
    rows = []
    for name, one in own.items():
        gap = ""
        if name != BEST:
            mean, low, high = difference(own[BEST]["report"]["pages"], one["report"]["pages"])
            gap = f"{mean:+.3f} ({low:+.3f} to {high:+.3f})"
        scores = [f"{one['report'][kind][2]:.3f}" for kind in ITEMS]
        means = [_mean(one["report"]["pages"]), gap, _mean(one["tune"]["pages"])]
        rows.append([name, one["setting"], *scores, *means])
    head = ["", "setting", *ITEMS, "mean", f"{BEST} is better by", "mean, chosen on"]
    return "\n".join(markdown_table(head, rows)) + "\n"


def parts_table(figures: Figures, half: str) -> str:
    """Return the table of precision, recall and F1 of one half of the pages."""
    head = ["", "level"]
    for kind in ITEMS:
        head += [f"{kind}: P", "R", "F1"]
    rows = []
    for one in figures["methods"]:
        scores = [f"{value:.3f}" for kind in ITEMS for value in one[half][kind]]
        rows.append([one["method"], str(one["level"]), *scores])
    return "\n".join(markdown_table(head, rows)) + "\n"


def corpus_sentence(figures: Figures) -> str:
    """Return what the corpus has, and what of it is left out."""
    tune, report = figures["tune"], figures["report"]
    names = ("blocks", "missing", "other text", "whole page", "invisible")
    blocks, missing, other, whole, invisible = (tune[name] + report[name] for name in names)
    pages = [len(half["ids"]) for half in (tune, report)]
    with_1, with_2 = ([half["with blocks"][level] for half in (tune, report)] for level in "12")
    return (
        f"Of {blocks} blocks on {sum(pages)} pages, {missing} are not on their page and {other} "
        f"have another text than the corpus states. {whole} are the whole page (`html` or `body`) "
        f"and are left out; {invisible} show nothing, so they have no items. {pages[0]} pages are "
        f"for choosing and {pages[1]} are reported. Of these, {with_1[0]} and {with_1[1]} have "
        f"blocks of level 1, {with_2[0]} and {with_2[1]} of level 2.\n"
    )


BLOCKS: dict[str, Callable[[Figures], str]] = {
    "segments-corpus": corpus_sentence,
    "segments-level-1": lambda figures: f1_table(figures, 1),
    "segments-level-2": lambda figures: f1_table(figures, 2),
    "segments-report": lambda figures: parts_table(figures, "report"),
    "segments-tune": lambda figures: parts_table(figures, "tune"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; write segmentation.json and the tables of docs/segmentation.md."""
    parser = argument_parser("segments", __doc__, "--page-only")
    parser.add_argument("--archive", type=Path, help="the corpus instead of the usual one")
    parser.add_argument("--limit", type=int, help="use only the first pages of the corpus")
    parser.add_argument("--page-only", action="store_true", help="write the docs of the last run")
    given = parser.parse_args(arguments)
    if not given.page_only:
        folder = corpora_folder()
        archive = given.archive or (folder / ARCHIVE if folder else None)
        if archive is None:
            sys.stdout.write("segments: no corpora, set THRESHER_CORPORA\n")
            return 2
        figures = measure(*rendered(archive, given.limit))
        FIGURES.write_text(json.dumps(figures) + "\n", encoding="utf-8")
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    for name, content in BLOCKS.items():
        write_block(PAGE, name, content(figures))
    return 0


if __name__ == "__main__":
    exit_with(main)
