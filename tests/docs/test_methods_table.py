"""The tables of docs/methods/README.md: generated, up to date, one row per method."""

import json
from pathlib import Path

import pytest

from benchmarks import methods_table
from benchmarks.marked_blocks import block
from thresher import InputError, methods

PAGE = methods_table.FOLDER / "README.md"


def test_the_table_is_up_to_date() -> None:
    written = block(PAGE.read_text(encoding="utf-8"), "methods")
    assert written == methods_table.table(), (
        "the table of docs/methods/README.md is out of date: run `make methods-table`."
    )


def test_the_accuracy_is_that_of_the_last_leaderboard() -> None:
    figures = json.loads(methods_table.FIGURES.read_text(encoding="utf-8"))
    text = PAGE.read_text(encoding="utf-8")
    assert block(text, "accuracy") == methods_table.accuracy(figures), (
        "the accuracy in docs/methods/README.md is out of date: run `make methods-table`."
    )
    assert methods_table.page_with_tables(text, figures) == text


def test_the_models_on_other_corpora_have_the_figures_of_the_last_leaderboard() -> None:
    figures = json.loads(methods_table.FIGURES.read_text(encoding="utf-8"))
    text = methods_table.MODEL_PAGE.read_text(encoding="utf-8")
    assert block(text, "other-corpora") == methods_table.other_corpora(figures), (
        "the table of docs/models/README.md is out of date: run `make methods-table`."
    )


def test_accuracy_by_hand() -> None:
    def scores(f1: float) -> dict[str, object]:
        return {"word_f1": [f1, 0.0, 1.0], "precision": f1 / 2, "recall": 0.9, "lcs_f1": 0.1}

    figures = {
        "date": "2026-01-02",
        "pages": "drawn",
        "corpora": {
            "news": {"pages": 1200, "tools": {"bte": scores(0.5), "default": scores(0.9)}},
            "blogs": {"pages": 7, "tools": {"bte": scores(0.7), "default": scores(0.8)}},
        },
    }
    lines = methods_table.accuracy(figures).splitlines()
    assert lines[:4] == [
        "| method | news | blogs | mean | precision | recall |",
        "|---|---:|---:|---:|---:|---:|",
        "| [`default`](default.md) † | 0.900 | 0.800 | 0.850 | 0.425 | 0.900 |",
        "| [`bte`](bte.md) | 0.500 | 0.700 | 0.600 | 0.300 | 0.900 |",
    ]
    assert lines[5] == (
        "Pages: news 1,200, blogs 7, drawn with `random.Random(7).shuffle` from larger sets. "
        "Measured 2026-01-02."
    )
    assert lines[6].startswith("Not measured yet: `accb`, `addanag`, ")


def test_each_method_has_a_row_with_three_filled_cells() -> None:
    rows = [line.strip("|\n").split(" | ") for line in methods_table.table().splitlines()[2:]]
    assert [row[0].strip() for row in rows] == [
        f"[`{name}`]({name}.md)" for name in methods.names()
    ]
    assert all(len(row) == 3 and all(cell.strip() for cell in row) for row in rows)
    assert "| [`bte`](bte.md) | tokens (tags and words) | the one " in methods_table.table()


def test_a_page_without_the_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"docs/methods/bte\.md has no line 'Works on: "):
        methods_table.works_on("bte", tmp_path)
    (tmp_path / "bte.md").write_text("# bte: body text extraction\n\nWorks on: words, tags.\n")
    assert methods_table.works_on("bte", tmp_path) == "words, tags"
