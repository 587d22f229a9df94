from typing import Any

from thresher.page.array_types import Float32s, Floats, Rows

def add_leaves_of_few(*arguments: Any) -> None: ...
def add_leaves(
    matrix: Float32s,
    columns: Rows,
    feature: Rows,
    border: Float32s,
    varying: int,
    number: Rows,
    leaves: Floats,
    log_odds: Floats,
) -> None: ...
