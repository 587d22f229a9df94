from thresher.page.array_types import Floats, Int32s, Rows, UInt8s, UInt16s

def share_means(
    tag: UInt16s,
    parent: Rows,
    container: Rows,
    words: Floats,
    probability: Floats,
    is_group: UInt8s,
    table: int,
    most_table_words: float,
    group: Rows,
    sums: Floats,
    found: Floats,
) -> None: ...
def keep_prefix(
    order: Rows, probability: Floats, words: Floats, weight: float, kept: UInt8s
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
    hidden: UInt8s,
    is_group: UInt8s,
    least_probability: float,
    most_links: float,
    fills: UInt8s,
    group: Rows,
    kept: UInt8s,
) -> None: ...
