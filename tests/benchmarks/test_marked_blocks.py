"""Blocks of Markdown pages that programs write."""

import pytest

import thresher
from benchmarks.marked_blocks import block, markdown_table, with_block

PAGE = "Before.\n\n<!-- one: written by a test -->\nold\n<!-- one: end -->\n\nAfter.\n"


def test_a_block_is_replaced_and_the_rest_stays():
    new = with_block(PAGE, "one", "a \\1 and\nb\n")
    assert new == PAGE.replace("old\n", "a \\1 and\nb\n")
    assert block(new, "one") == "a \\1 and\nb\n"


def test_a_page_without_the_block_is_refused():
    with pytest.raises(thresher.InputError, match="no block 'two'"):
        with_block(PAGE, "two", "x\n")


def test_markdown_table():
    assert markdown_table(["", "a"], [["x", "1"]]) == ["|  | a |", "|---|---:|", "| x | 1 |"]
