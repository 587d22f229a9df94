from typing import Any

from thresher.page.array_types import Int32s, UInt8s, UInt16s

def gather_bits(tag: UInt16s, end: Int32s, table: UInt16s, bits: UInt16s) -> int: ...
def read_gaps(texts: tuple[str, ...], bits: UInt16s, *arguments: Any) -> tuple[int, bool]: ...
def write_runs(
    texts: tuple[str, ...],
    found: Int32s,
    level: UInt8s,
    flags: UInt8s,
    marks: dict[int, str],
    bars: dict[int, str],
) -> str: ...
