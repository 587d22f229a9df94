"""Segmentations against hand-drawn blocks: extended BCubed over characters, pixels and nodes.

    corpus --unpack--> SegmentedPage (file, blocks as XPaths) --gold_rows--> rows of the page
    score(page, segments, gold) -> precision, recall and F1 for each kind of items

Items of a page are its visible characters, its pixels, or its visible nodes (elements and texts).
A block or segment is a list of rows; it contains

    characters    of the texts inside its rows
    pixels        of the smallest box around its rows, as `Segments.boxes`
    nodes         inside its rows, and any node all of whose visible leaves it contains: a box in a
                  box is the same segment as the inner box alone

Extended BCubed (Amigó, Gonzalo, Artiles, Verdejo 2009, "A comparison of extrinsic clustering
evaluation metrics based on formal constraints") allows clusters that overlap. With C(e) the
segments of an item and L(e) its blocks, for two items that share a segment, or a block,

    precision(e, f) = min(|C(e) & C(f)|, |L(e) & L(f)|) / |C(e) & C(f)|
    recall(e, f)    = min(|C(e) & C(f)|, |L(e) & L(f)|) / |L(e) & L(f)|

The precision of an item is the mean over all items f that share a segment with it, itself
included; that of a page is the mean over its items. Recall likewise with blocks.

Items outside every block are left out: nobody said where they belong. Items outside every segment
are alone, each in a segment of its own. A page without an item in a block has no score.
"""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError
from thresher.page import Page
from thresher.page.array_types import AnyRows, Bools, Floats, Rows
from thresher.page.arrays import subtree_sums
from thresher.visual.rendered_page import RenderedPage
from thresher.visual.segments import Segments

# The rows of each segment or block, without those inside them.
RowLists: TypeAlias = Sequence[AnyRows]


class Score(NamedTuple):
    """How well segments agree with blocks; each number from 0 to 1."""

    precision: float
    recall: float
    f1: float


# --- the corpus ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """A block that an annotator marked: an element, and what it is."""

    xpath: str
    level: int  # 1: parts of the page, 2: parts of these
    kind: str  # Header, Content, Menu, ...
    chars: int  # of its text with scripts, white space collapsed


@dataclass(frozen=True, slots=True)
class SegmentedPage:
    """A saved page with its blocks."""

    id: str
    url: str
    file: Path  # the page, without the marks of the annotation
    root: Path  # the folder with all files of its site
    blocks: tuple[Block, ...]


_MARKS = re.compile(rb'(?<!\s)\s++data-block(?:-type)?\s*=\s*"[^"]*"')
_MARKS_STYLE = re.compile(rb"\*\[data-block\]\s*\{[^{}]*\}")


def unpack(archive: Path, folder: Path) -> list[SegmentedPage]:
    """Unpack a corpus of saved pages (.tar.xz) into a folder and return its pages.

    The page that was annotated is the file `NAME.blocks.html`, in which the annotated elements
    carry marks; it is copied without them. (The file that `index.jsonl` names is of another page
    for some entries.)
    """
    try:
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        return list(_pages(folder))
    except (OSError, tarfile.TarError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"cannot read {archive}: give a .tar.xz of saved pages with their index.jsonl."
        ) from error


def _pages(folder: Path) -> Iterator[SegmentedPage]:
    for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines():
        record: dict[str, Any] = json.loads(line)
        named = folder / record["page"]
        if not named.resolve().is_relative_to(folder.resolve()):
            raise ValueError(f"{named} is not in the folder")
        name = named.name.removesuffix(".dom.html")
        marked = named.with_name(f"{name}.blocks.html").read_bytes()
        clean = named.with_name(f"{name}.clean.html")
        clean.write_bytes(_MARKS_STYLE.sub(b"", _MARKS.sub(b"", marked)))
        blocks = (
            Block(each["xpath"], int(each["level"]), each["type"], int(each["chars"]))
            for each in record["blocks"]
        )
        root = folder / Path(record["page"]).parts[0]
        yield SegmentedPage(record["id"], record["url"], clean, root, tuple(blocks))


def split(pages: Iterable[SegmentedPage]) -> tuple[list[SegmentedPage], list[SegmentedPage]]:
    """Return two halves of the pages: one to choose parameters on, one to report.

    Pages are ordered by the SHA-256 of their ids; the first half is for choosing.
    """
    ordered = sorted(pages, key=lambda page: hashlib.sha256(page.id.encode()).hexdigest())
    middle = (len(ordered) + 1) // 2
    return ordered[:middle], ordered[middle:]


_STEP = re.compile(r"([\w:-]+)(?:\[(\d+)\])?")


def find(page: Page, xpath: str) -> int:
    """Return the row of an element by a path such as `/html/body/div[2]/p`; -1 if there is none."""
    inside, end = 0, len(page)
    row = -1
    for step in xpath.strip("/").split("/"):
        matched = _STEP.fullmatch(step)
        if matched is None:
            return -1
        name, left = matched[1].lower(), int(matched[2] or 1)
        row = inside
        while row < end:
            left -= page.name(row) == name
            if not left:
                break
            row = int(page.end[row])
        if row >= end:
            return -1
        inside, end = row + 1, int(page.end[row])
    return row


def text_length(page: Page, row: int) -> int:
    """Return the characters inside a row, scripts included, white space collapsed."""
    rows = np.arange(row, page.end[row])
    texts = "".join(page.text(each) for each in rows[page.tag[rows] == 0].tolist())
    return len(" ".join(texts.split()))


def gold_rows(page: Page, blocks: Iterable[Block], level: int) -> list[Rows]:
    """Return the blocks of a level as lists of rows.

    Left out are blocks that are not on the page, and those that are the whole page (`html` or
    `body`): they name no part of it.
    """
    found = (find(page, block.xpath) for block in blocks if block.level == level)
    return [np.array([row]) for row in dict.fromkeys(found) if row > page.body]


# --- scores --------------------------------------------------------------------------------------


def cut(segments: Segments, depth: int) -> list[Rows]:
    """Return the segments that lie in `depth` others, and undivided ones that lie in fewer."""
    chosen = (segments.level == depth) | (segments.is_leaf & (segments.level < depth))
    return [segments.rows_of(each).astype(np.intp) for each in np.flatnonzero(chosen).tolist()]


def leaves(segments: Segments) -> list[Rows]:
    """Return the segments that were not divided."""
    chosen = np.flatnonzero(segments.is_leaf).tolist()
    return [segments.rows_of(each).astype(np.intp) for each in chosen]


def score(page: RenderedPage, segments: RowLists, gold: RowLists) -> dict[str, Score | None]:
    """Return the score for each kind of items; None where no item is in a block."""
    return {name: extended_bcubed(*items(page, segments, gold)) for name, items in ITEMS.items()}


Items: TypeAlias = tuple[Bools, Bools, Floats]  # in which segments, in which blocks, weight
Counts: TypeAlias = npt.NDArray[np.float32]  # whole numbers, as floats for a fast product
_CHUNK = 1024  # groups of items that are compared with all others at a time


def characters(page: RenderedPage, segments: RowLists, gold: RowLists) -> Items:
    """Return the visible texts with their numbers of characters as weights."""
    rows = np.flatnonzero((page.tag == 0) & page.visible & (page.chars > 0))
    weight = page.chars[rows].astype(np.float64)
    return _inside(page, segments)[rows], _inside(page, gold)[rows], weight


def nodes(page: RenderedPage, segments: RowLists, gold: RowLists) -> Items:
    """Return the visible elements and texts, each of weight 1."""
    shown = page.visible & ((page.tag != 0) | (page.chars > 0))
    rows = np.flatnonzero(shown)
    leaf = shown & (subtree_sums(shown, page.end) == 1)
    below = subtree_sums(leaf, page.end)

    def members(lists: RowLists) -> Bools:
        found = _inside(page, lists)
        for column in range(found.shape[1]):
            own = subtree_sums(found[:, column] & leaf, page.end)
            found[:, column] |= (own == below) & (own > 0)
        return found[rows]

    return members(segments), members(gold), np.ones(len(rows))


def pixels(page: RenderedPage, segments: RowLists, gold: RowLists) -> Items:
    """Return the regions that the edges of all boxes cut the page into, weighted by their areas.

    Edges are rounded to whole pixels. Regions in the same boxes are one item.
    """
    boxes = np.array([box(page, rows) for rows in (*segments, *gold)]).reshape(-1, 4)
    left, top, right, bottom = boxes.T
    xs, ys = np.unique((left, right)), np.unique((top, bottom))
    if len(xs) < 2 or len(ys) < 2:  # no box has an area
        none = np.zeros((0, len(boxes)), np.bool_)
        return none[:, : len(segments)], none[:, len(segments) :], np.zeros(0)
    x0, x1 = xs.searchsorted(left), xs.searchsorted(right)
    y0, y1 = ys.searchsorted(top), ys.searchsorted(bottom)
    # Each box has a random number; a cell is marked with the sum of those of its boxes.
    numbers = np.random.default_rng(0).integers(1 << 62, size=len(boxes), dtype=np.uint64)
    mark = np.zeros((len(ys) - 1, len(xs) - 1), np.uint64)
    in_gold = np.zeros(mark.shape, np.bool_)
    for each in range(len(boxes)):
        place = slice(y0[each], y1[each]), slice(x0[each], x1[each])
        mark[place] += numbers[each]
        if each >= len(segments):
            in_gold[place] = True
    area = np.outer(np.diff(ys), np.diff(xs)).astype(np.float64)
    _, first, group = np.unique(mark[in_gold], return_index=True, return_inverse=True)
    weight: Floats = np.bincount(group.ravel(), area[in_gold], len(first)).astype(np.float64)
    row, column = (index[first][:, np.newaxis] for index in np.nonzero(in_gold))
    within = (y0 <= row) & (row < y1) & (x0 <= column) & (column < x1)
    return within[:, : len(segments)], within[:, len(segments) :], weight


ITEMS: dict[str, Callable[[RenderedPage, RowLists, RowLists], Items]] = {
    "characters": characters,
    "pixels": pixels,
    "nodes": nodes,
}


def box(page: RenderedPage, rows: AnyRows) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of rows in whole pixels, cut off at the page's corner.

    The box is around those of the rows that are visible; where none is, around what is visible
    inside them.
    """
    shown = rows[page.visible[rows]]
    if not len(shown):
        inner = [np.arange(row, page.end[row]) for row in rows.tolist()]
        every = np.concatenate([np.zeros(0, np.intp), *inner])
        shown = every[page.visible[every]]
    if not len(shown):
        return 0, 0, 0, 0
    x, y = page.x[shown], page.y[shown]
    edges = x.min(), y.min(), (x + page.w[shown]).max(), (y + page.h[shown]).max()
    left, top, right, bottom = (max(round(float(edge)), 0) for edge in edges)
    return left, top, right, bottom


def extended_bcubed(clusters: Bools, gold: Bools, weight: Floats) -> Score | None:
    """Return the extended BCubed scores of weighted items; None if no item is in a gold class.

    `clusters` and `gold` have a row per item and a column per cluster or class: True if the item
    is in it. An item of weight w counts as w equal items; one without a cluster as w items that
    are alone.
    """
    judged = gold.any(axis=1) & (weight > 0)
    if not judged.any():
        return None
    ours, theirs, weights = _grouped(clusters[judged], gold[judged], weight[judged])
    alone = ours.sum(axis=1) == 0
    precision, recall = np.ones(len(ours)), np.empty(len(ours))
    for first in range(0, len(ours), _CHUNK):
        chunk = slice(first, first + _CHUNK)
        shared = ours[chunk] @ ours.T  # clusters that two groups have in common
        common = theirs[chunk] @ theirs.T
        both = np.minimum(shared, common)
        precision[chunk] = _mean(both, shared, weights)
        recall[chunk] = _mean(both, common, weights)
        # Alone, an item has one cluster in common with itself and none with others.
        itself = theirs[chunk].sum(axis=1) * ((common > 0) @ weights)
        recall[chunk] = np.where(alone[chunk], 1.0 / itself, recall[chunk])
    precision[alone] = 1.0
    total = weights.sum()
    p, r = float(precision @ weights / total), float(recall @ weights / total)
    return Score(p, r, 2 * p * r / (p + r))


def _grouped(clusters: Bools, gold: Bools, weight: Floats) -> tuple[Counts, Counts, Floats]:
    """Return items in the same clusters and classes as one, with the sum of their weights."""
    packed = np.packbits(np.hstack([clusters, gold]), axis=1)
    _, first, group = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    weights: Floats = np.bincount(group.ravel(), weight, len(first)).astype(np.float64)
    return clusters[first].astype(np.float32), gold[first].astype(np.float32), weights


def _mean(both: Counts, shared: Counts, weights: Floats) -> Floats:
    """Return for each group the mean of both / shared over all items that share something."""
    ratio = np.divide(both, shared, out=np.zeros_like(shared), where=shared > 0)
    mates = (shared > 0) @ weights
    found: Floats = np.divide(ratio @ weights, mates, out=np.zeros(len(mates)), where=mates > 0)
    return found


def _inside(page: Page, lists: RowLists) -> Bools:
    """Return one row per row of the page and one column per list: True inside its rows."""
    found = np.zeros((len(page), len(lists)), np.bool_)
    for column, rows in enumerate(lists):
        for row in rows.tolist():
            found[row : page.end[row], column] = True
    return found


def mean_scores(scores: Iterable[Score | None]) -> Score:
    """Return the means of precision, recall and F1 over the pages that have a score."""
    table = np.array([each for each in scores if each is not None], np.float64).reshape(-1, 3)
    precision, recall, f1 = table.mean(axis=0).tolist() if len(table) else (0.0, 0.0, 0.0)
    return Score(precision, recall, f1)
