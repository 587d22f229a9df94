from typing import Any

from thresher.page.array_types import Bools, Float32s, Floats, Rows

class Trees:
    is_wide: bool
    def __init__(
        self, feature: Rows, border: Float32s, varying: int, number: Rows, leaves: Float32s
    ) -> None: ...
    def add(self, matrix: Float32s, columns: Rows, log_odds: Floats) -> None: ...
    def fill_classes(
        self, matrix: Float32s, begin: int, into: int, bias: Floats, probability: Floats
    ) -> None: ...
    def judge_again(
        self,
        probability: Floats,
        words: Floats,
        kinds: Floats,
        bias: float,
        least: float,
        likely: float,
    ) -> Floats: ...

def fill_probabilities(
    stages: tuple[Any, ...],
    matrix: Float32s,
    chosen: Bools,
    bias: float,
    hopeless: float,
    probability: Floats,
) -> None: ...
