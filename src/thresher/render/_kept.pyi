from array import array
from collections.abc import Collection
from typing import Any

from numpy.typing import NDArray

from thresher.page import Page

def keep_beside(
    page: Page, tag: NDArray[Any], keep: NDArray[Any], kept: NDArray[Any], player_tags: list[int]
) -> tuple[list[int], list[int], list[int]]: ...
def find_captions(page: Page, keep: NDArray[Any], kept: NDArray[Any]) -> list[int]: ...
def read_tree(
    page: Page,
    keep: NDArray[Any],
    kept: NDArray[Any],
    before: NDArray[Any],
    tag_bits: NDArray[Any],
    headings: list[int],
    kinds: NDArray[Any],
) -> tuple[
    tuple[list[str], array[int], array[int], list[str], list[Any], dict[str, list[int]]],
    list[int],
    list[int],
    list[tuple[int, str]],
]: ...
def read_attributes(node: Any, names: tuple[tuple[str], ...]) -> list[str | None]: ...
def plain_code(
    tags: list[str],
    texts: list[str],
    nodes: list[Any],
    replaced: dict[int, Any],
    first: int,
    stop: int,
    line_tags: Collection[str],
    marks: dict[str | None, int],
) -> str | None: ...
def find_classes(nodes: list[Any], places: list[list[int]]) -> list[tuple[int, str]]: ...
