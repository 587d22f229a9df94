from collections.abc import Callable, Iterable
from typing import Any

from thresher.methods.default.features.containers import Outline
from thresher.page.array_types import Bools, Bytes, Floats, Int32s, Int64s, UInt16s

class Names:
    def __init__(self, words: Iterable[str], at_start: bool = False) -> None: ...
    def find(self, pairs: list[Any]) -> list[int]: ...

class Rules:
    def __init__(self, outline: Outline, hidden: Bools, bits: UInt16s) -> None: ...
    def share_means(self, probability: Floats, most_table_words: float, found: Floats) -> None: ...
    def fill_groups(self, probability: Floats, limits: tuple[float, ...], kept: Bools) -> None: ...
    def keep_neighbours(
        self,
        probability: Floats,
        headline: int,
        limits: tuple[float, ...],
        links_within: Callable[[int], bool],
        kept: Bools,
    ) -> None: ...
    def keep(
        self,
        between: Rules,
        probability: Floats,
        weight: float,
        most_table_words: float,
        fill_limits: tuple[float, ...],
        headline: int,
        least_headline: float,
        neighbour_limits: tuple[float, ...],
        links_within: Callable[[int], bool],
        shared: Floats,
        kept: Bools,
    ) -> int: ...
    def survey(
        self,
        probability: Floats,
        shared: Floats,
        kept: Bools,
        words: Floats,
        linked: Floats,
        least_note: float,
        least_paragraph: float,
        paragraph_words: float,
        least_linked: float,
    ) -> int: ...
    def mark_inside(self, marked: Bools, found: Bools) -> None: ...
    def may_have_dated_links(
        self,
        probability: Floats,
        unlikely: float,
        least_linked: float,
        most_beside: float,
        most_words: float,
        least_links: int,
    ) -> bool: ...
    def find_alike(
        self, kept: Bools, words: Int32s, counts: Int64s, least_words: int
    ) -> list[int]: ...
    def find_linked_lists(
        self, words: Floats, linked: Floats, kept: Bools, least_share: float
    ) -> list[tuple[int, int, int]]: ...

def keep_prefix(probability: Floats, words: Floats, weight: float, kept: Bools) -> None: ...
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
