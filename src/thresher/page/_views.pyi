from thresher.page.array_types import Int32s, UInt8s, UInt16s

def find_blocks(
    tag: UInt16s,
    end: Int32s,
    parent: Int32s,
    chars: Int32s,
    words: Int32s,
    linked: UInt8s,
    hidden: UInt8s,
    bits: UInt8s,
    cut: UInt8s,
    around: Int32s,
    of_text: Int32s,
    found: Int32s,
    found_hidden: UInt8s,
) -> int: ...
def keep_rows(
    tag: UInt16s,
    parent: Int32s,
    chars: Int32s,
    text_rows: Int32s,
    keep: UInt8s,
    bits: UInt8s,
    state: UInt8s,
    kept: UInt8s,
) -> None: ...
def find_hidden(
    tag: UInt16s,
    end: Int32s,
    parent: Int32s,
    hidden: UInt8s,
    rp: int,
    math: int,
    is_annotation: UInt8s,
    found: UInt8s,
) -> None: ...
def find_hidden_blocks(of_text: Int32s, hidden: UInt8s, found: UInt8s) -> None: ...
def find_shown(
    of_text: Int32s, hidden: UInt8s, hidden_block: UInt8s, chosen: UInt8s, shown: UInt8s
) -> None: ...
