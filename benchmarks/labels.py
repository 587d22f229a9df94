"""Compare the kinds that `thresher.visual.labels` gives with those of hand-drawn blocks.

    segments-random --unpack--> saved pages --Chromium, scripts off--> rendered pages
        --blocks as segments--> label --> a table of drawn kinds and kinds given

Each block that people drew is labelled as if a segmenter had found it. Sites are ordered by the
SHA-256 of their host; the rules were chosen on the first, third, ... of them, and the table is for
the others. `make labels` writes the block `labels` of docs/visual.md.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.corpus_pages import argument_parser, corpora_folder, exit_with
from benchmarks.marked_blocks import markdown_table, write_block
from thresher.evaluate.segmentation import Block, SegmentedPage, find, unpack
from thresher.visual import Browser, RenderedPage, RenderOptions
from thresher.visual.labels import label
from thresher.visual.segments import Segments

ARCHIVE = "segments-random.tar.xz"
KIND_OF_DRAWN = {"Article": "text", "LinkList": "links", "Searchbar": "form"}  # others: lower case
Pairs = Counter[tuple[str, str]]  # drawn kind, kind given


def halves(pages: Iterable[SegmentedPage]) -> tuple[list[SegmentedPage], list[SegmentedPage]]:
    """Return the pages of the sites that the rules were chosen on, and those of the others."""
    by_host = defaultdict(list)
    for page in pages:
        by_host[urlsplit(page.url).hostname or ""].append(page)
    hosts = sorted(by_host, key=lambda host: hashlib.sha256(host.encode()).hexdigest())
    return [page for host in hosts[::2] for page in by_host[host]], [
        page for host in hosts[1::2] for page in by_host[host]
    ]


def compare(page: RenderedPage, blocks: Iterable[Block]) -> Pairs:
    """Count the blocks of a page by the kind that people gave them and the kind that we give."""
    drawn = [(find(page, block.xpath), block.kind) for block in blocks]
    shown = sorted((row, kind) for row, kind in drawn if row > page.body and page.visible[row])
    segments = label(Segments.of(page, [-1] * len(shown), [[row] for row, _ in shown]))
    names = (KIND_OF_DRAWN.get(kind, kind.lower()) for _, kind in shown)
    return Counter(zip(names, segments.kinds, strict=True))


def rendered(pages: Iterable[SegmentedPage]) -> Iterator[tuple[RenderedPage, SegmentedPage]]:
    """Yield the pages as a browser shows them without scripts."""
    with Browser() as browser:
        for page in pages:
            options = RenderOptions(scripts=False)
            yield browser.render(page.file, root=page.root, options=options), page


def agreement(pairs: Pairs) -> float:
    """Return the share of the blocks whose two kinds are the same."""
    return sum(count for (drawn, given), count in pairs.items() if drawn == given) / pairs.total()


def table(chosen: Pairs, reported: Pairs) -> str:
    """Return the lines of the docs: the agreement, and the table of the reported half."""
    drawn: Counter[str] = Counter()
    given: Counter[str] = Counter()
    for (kind, ours), count in reported.items():
        drawn[kind] += count
        given[ours] += count
    kinds = sorted(drawn, key=lambda kind: (-drawn[kind], kind))
    columns = [*kinds, *sorted(set(given) - set(kinds))]
    columns = [kind for kind in columns if given[kind]]
    most, count = drawn.most_common(1)[0]
    lines = [
        f"{agreement(reported):.0%} of the {reported.total()} blocks on these sites have the kind "
        f"that people gave them ({agreement(chosen):.0%} of the {chosen.total()} on the sites "
        f"that the rules were chosen on). Always saying {most} would be right for "
        f"{count / reported.total():.0%}.",
        "",
        *markdown_table(
            ["drawn", *columns, "right"],
            (
                [
                    kind,
                    *(str(reported[kind, other] or "") for other in columns),
                    f"{reported[kind, kind]} of {drawn[kind]}",
                ]
                for kind in kinds
            ),
        ),
    ]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure both halves and write the table into a page of the docs."""
    parser = argument_parser("labels", __doc__, "docs/visual.md")
    parser.add_argument("page", type=Path, help="the page of the docs with the marked block")
    parser.add_argument("--archive", type=Path, help="the corpus instead of the usual one")
    options = parser.parse_args(arguments)
    folder = corpora_folder()
    archive = options.archive or (folder / ARCHIVE if folder else None)
    if archive is None:
        sys.stdout.write("labels: no corpora, set THRESHER_CORPORA\n")
        return 2
    counts: list[Pairs] = []
    with tempfile.TemporaryDirectory() as place:
        for half in halves(unpack(archive, Path(place))):
            pairs: Pairs = Counter()
            for page, source in rendered(half):
                pairs += compare(page, source.blocks)
            counts.append(pairs)
    write_block(options.page, "labels", table(*counts))
    return 0


if __name__ == "__main__":
    exit_with(main)
