"""The table of docs/methods/README.md: generated, up to date, one row per method."""

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
