from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

def find_images(
    tag: NDArray[Any],
    end: NDArray[Any],
    parent: NDArray[Any],
    chars: NDArray[Any],
    words: NDArray[Any],
    linked: NDArray[Any],
    hidden: NDArray[Any],
    text_rows: NDArray[Any],
    keep: NDArray[Any],
    kept: NDArray[Any],
    scratch: NDArray[Any],
    nodes: list[Any],
    numbers: tuple[int, ...],
    most_words: int,
    is_icon: Callable[[Any], bool],
    found: NDArray[Any],
) -> None: ...
def keep_spaces(texts: tuple[str, ...], *columns: NDArray[Any]) -> None: ...
def find_gaps(texts: tuple[str, ...], *columns: NDArray[Any]) -> tuple[int, int, int]: ...
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
def find_empty(
    tag: NDArray[Any], end: NDArray[Any], wanted: NDArray[Any], first: int, last: int
) -> list[int]: ...
