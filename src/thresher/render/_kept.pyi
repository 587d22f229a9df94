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
def read_tree(
    tag: NDArray[Any],
    end: NDArray[Any],
    parent: NDArray[Any],
    chars: NDArray[Any],
    words: NDArray[Any],
    linked: NDArray[Any],
    text_rows: NDArray[Any],
    keep: NDArray[Any],
    kept: NDArray[Any],
    before: NDArray[Any],
    tag_bits: NDArray[Any],
    headings: list[int],
    kinds: NDArray[Any],
    body: int,
    page_names: tuple[str, ...],
    page_texts: tuple[str, ...],
    page_nodes: list[Any],
    tex: list[int],
) -> tuple[
    list[str],
    list[int],
    list[int],
    list[str],
    list[Any],
    dict[str, list[int]],
    list[int],
    list[int],
]: ...
def find_classes(nodes: list[Any], places: list[list[int]]) -> list[tuple[int, str]]: ...
def find_attribute(nodes: list[Any], places: list[int], name: str) -> list[int]: ...
def find_empty(
    tag: NDArray[Any], end: NDArray[Any], wanted: NDArray[Any], first: int, last: int
) -> list[int]: ...
