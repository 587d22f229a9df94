from typing import Any

from numpy.typing import NDArray

def read_gaps(
    bits: NDArray[Any],
    end: NDArray[Any],
    rows: NDArray[Any],
    events: NDArray[Any],
    gaps: NDArray[Any],
    levels: NDArray[Any],
) -> None: ...
def read_lists(
    tag: NDArray[Any],
    end: NDArray[Any],
    parent: NDArray[Any],
    kept: NDArray[Any],
    has_place: NDArray[Any],
    before: NDArray[Any],
    names: tuple[str, ...],
    texts: tuple[str, ...],
    nodes: list[Any],
) -> tuple[list[str], list[int], list[int], list[str], list[Any], dict[str, list[int]]]: ...
