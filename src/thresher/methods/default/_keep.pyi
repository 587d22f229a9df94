from collections.abc import Callable

from thresher.page.array_types import Bools, Bytes, Floats, Int32s, Int64s, Rows, UInt16s

def share_means(
    tag: UInt16s,
    parent: Rows,
    container: Rows,
    words: Floats,
    probability: Floats,
    is_group: Bytes,
    table: int,
    most_table_words: float,
    group: Rows,
    sums: Floats,
    found: Floats,
) -> None: ...
def keep_prefix(
    order: Rows, probability: Floats, words: Floats, weight: float, kept: Bytes
) -> None: ...
def find_alike(
    kept: Bools, words: Int32s, counts: Int64s, least_words: int, alike: Bools
) -> None: ...
def fill_groups(
    row: Int32s,
    end: Int32s,
    tag: UInt16s,
    parent: Rows,
    container: Rows,
    first: Int32s,
    words: Floats,
    linked: Floats,
    probability: Floats,
    hidden: Bytes,
    is_group: Bytes,
    outermost: Rows,
    is_skipped: Bytes,
    is_list: Bytes,
    ends_in_colon: Callable[[int], bool],
    least_probability: float,
    most_links: float,
    most_announced_links: float,
    table: int,
    probable: float,
    code: int,
    least_code: float,
    fills: Bytes,
    words_left: Floats,
    group: Rows,
    around_group: Rows,
    kept: Bytes,
) -> None: ...
def keep_neighbours(
    row: Int32s,
    end: Int32s,
    tag: UInt16s,
    parent: Rows,
    container: Rows,
    words: Floats,
    linked: Floats,
    probability: Floats,
    hidden: Bytes,
    level_of_tag: Bytes,
    headline: int,
    paragraph: int,
    most_words: float,
    least_short: float,
    least_paragraph: float,
    most_links: float,
    heading: Rows,
    worded: Int32s,
    scratch: Bytes,
    kept: Bytes,
) -> None: ...
def find_short(
    texts: tuple[str, ...],
    texts_from: Int32s,
    kept: Bools,
    words: Floats,
    most_words: float,
    most: int,
    letters: str,
    skipped: str,
) -> list[int]: ...
def find_doubtful_headings(
    tag: UInt16s,
    parent: Int32s,
    words: Int32s,
    kept: Bools,
    hidden: Bools,
    level_of_tag: Bytes,
    headline: int,
    most_words: int,
    most_share: float,
) -> list[int]: ...
def find_linked_lists(
    row: Int32s,
    end: Int32s,
    tag: UInt16s,
    words: Floats,
    linked: Floats,
    first: Int32s,
    kept: Bools,
    is_list: Bytes,
    least_share: float,
) -> list[tuple[int, int, int]]: ...
def find_linked_headings(
    container_tag: UInt16s,
    container: Rows,
    linked: Floats,
    kept: Bools,
    level_of_tag: Bytes,
    first: Int32s,
    tag: UInt16s,
    parent: Int32s,
    link: int,
    most_inline: int,
) -> list[tuple[int, int]]: ...
