from typing import Any

from thresher.page.array_types import Bools, Bytes, Int32s, Int64s, UInt16s
from thresher.page.page import Page

def find_blocks(
    tag: UInt16s,
    end: Int32s,
    parent: Int32s,
    chars: Int32s,
    words: Int32s,
    linked: Bytes,
    hidden: Bytes,
    bits: Bytes,
    cut: Bytes,
    around: Int32s,
    of_text: Int32s,
    found: Int32s,
    found_hidden: Bytes,
) -> int: ...
def keep_rows(page: Page, kept_texts: Bools, tag_bits: Bytes, kept_rows: Bools) -> None: ...
def find_last(kept: Bytes, words: Int32s, least_words: int, most: int) -> list[int]: ...
def find_hidden(
    tag: UInt16s,
    end: Int32s,
    parent: Int32s,
    hidden: Bytes,
    of_text: Int32s,
    rp: int,
    math: int,
    is_annotation: Bytes,
    found: Bytes,
    found_blocks: Bytes,
) -> None: ...
def find_shown(
    texts_block: Int32s,
    hidden_texts: Bytes | Bools,
    hidden_blocks: Bytes | Bools,
    control_texts: Bools | None,
    chosen_blocks: Bytes | Bools,
    shown_texts: Bytes | Bools,
) -> bool: ...
def find_control_candidates(
    page: Page, given_bits: UInt16s, bullets: str, most_words: int, beside_label: frozenset[str]
) -> tuple[Any, ...] | None: ...
def find_texts(text_rows: Int32s, row: int, end: int) -> tuple[int, int]: ...
def is_whole_address(url: str, is_base_known: bool) -> bool: ...
def sum_kept(page_values: Int32s, page_text_rows: Int32s, kept_texts: Bytes | Bools) -> int: ...
def sum_words(
    page: Page, never_content: Bools, words_before: Int64s, unlinked_before: Int64s
) -> None: ...
