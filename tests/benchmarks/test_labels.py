"""The comparison of kinds of segments with drawn blocks, on pages written for it."""

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.labels import agreement, compare, halves, main, table
from tests.visual.boxes import at, div, laid_out
from thresher.evaluate.segmentation import Block, SegmentedPage


def site(host: str) -> SegmentedPage:
    return SegmentedPage(host, f"http://{host}/", Path("page.html"), Path(), ())


def test_halves_are_made_of_whole_sites() -> None:
    pages = [site(host) for host in ("a.example", "b.example", "a.example", "c.example")]
    chosen, reported = halves(pages)
    assert len(chosen) + len(reported) == 4
    assert {page.url for page in chosen}.isdisjoint(page.url for page in reported)
    assert {page.url for page in halves(pages[::-1])[0]} == {page.url for page in chosen}


def test_blocks_are_compared_by_kind() -> None:
    image = f"<img {at(0, 600, 200, 100)} src=a.png>"
    page = laid_out(
        div(0, 500, 500, 60, "<p>It rained all night.</p>") + div(0, 600, 200, 100, image)
    )
    blocks = [
        Block("/html/body/div[1]", 1, "Article", 20),
        Block("/html/body/div[2]", 1, "Menu", 0),
        Block("/html/body/div[9]", 1, "Image", 0),  # not on the page
        Block("/html/body", 1, "Content", 20),  # the whole page
    ]
    assert compare(page, blocks) == {("text", "text"): 1, ("menu", "image"): 1}


def test_the_table() -> None:
    reported = Counter({("text", "text"): 3, ("text", "other"): 1, ("menu", "text"): 1})
    assert agreement(reported) == 0.6
    lines = table(Counter({("text", "text"): 1}), reported).splitlines()
    assert lines[0].startswith("60% of the 5 blocks on these sites")
    assert "(100% of the 1 on the sites" in lines[0]
    assert lines[0].endswith("Always saying text would be right for 80%.")
    assert lines[2:] == [
        "| drawn | text | other | right |",
        "|---|---:|---:|---:|",
        "| text | 3 | 1 | 3 of 4 |",
        "| menu | 1 |  | 0 of 1 |",
    ]


def test_without_corpora(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path / "none"))
    assert main(["docs/visual.md"]) == 2
    assert capsys.readouterr().out == "labels: no corpora, set THRESHER_CORPORA\n"
