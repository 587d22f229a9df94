from collections.abc import Callable, Iterable
from typing import Any

from thresher.methods.default.features.class_odds import NamePairs
from thresher.methods.default.features.containers import Outline
from thresher.page import Page
from thresher.page.array_types import Bools, Float32s, Floats, UInt16s

class Names:
    def __init__(self, words: Iterable[str], at_start: bool = False) -> None: ...
    def find(self, pairs: list[Any]) -> list[int]: ...

class Phrases:
    def __init__(self, phrases: Iterable[str]) -> None: ...
    def is_in(self, text: str) -> bool: ...
    def is_first(self, text: str, skipped: str) -> bool: ...

class Survey:
    def __init__(
        self,
        labels: frozenset[str],
        label_signs: str,
        sections: frozenset[str],
        section_signs: str,
        prompt_starts: Iterable[str],
        prompts: Iterable[str],
        notices: Iterable[str],
        box_stems: Iterable[str],
        is_box: dict[str | None, Any],
        limits: dict[str, float],
    ) -> None: ...

class Rules:
    def __init__(self, outline: Outline, hidden: Bools, bits: UInt16s) -> None: ...
    def share_means(self, probability: Floats, most_table_words: float, found: Floats) -> None: ...
    def keep(
        self,
        page: Page,
        controls: Bools | None,
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
        survey: Survey,
        asked: int,
        probability: Floats,
        shared: Floats,
        kept: Bools,
        headline: int,
        named_only: bool,
        names: NamePairs,
    ) -> int: ...
    def mark_inside(self, containers: Bools, blocks: Bools) -> None: ...
    def hold_share(
        self, probabilities: Floats, names: NamePairs, pairs: list[int], share: float
    ) -> bool: ...
    def may_have_dated_links(
        self,
        probabilities: Floats,
        unlikely: float,
        least_linked: float,
        most_beside: float,
        most_words: float,
        least_links: int,
    ) -> bool: ...
    def drop_parts(self, probabilities: Floats, matrix: Float32s, *arguments: Any) -> None: ...
    def show_only(self, probabilities: Floats, least: float, shown: Floats) -> bool: ...
    def find_alike(self, kept: Bools, least_words: float) -> list[int]: ...
    def find_linked_lists(self, kept: Bools, least_share: float) -> list[tuple[int, int, int]]: ...
    def find_doubtful_headings(
        self, kept: Bools, headline: int, most_words: float, most_share: float
    ) -> list[int]: ...
    def find_labels(self, survey: Survey, kept: Bools, most: int) -> list[int]: ...
    def find_prompts(self, survey: Survey, kept: Bools, most: int) -> list[int]: ...

def keep_prefix(probability: Floats, words: Floats, weight: float, kept: Bools) -> None: ...
