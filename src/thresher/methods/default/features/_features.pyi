from typing import Any

from thresher.page import Page
from thresher.page.array_types import Float32s, Rows
from thresher.page.views import Blocks

class Tables:
    def __init__(
        self,
        arrays: dict[str, Any],
        numbers: dict[str, Any],
        graph_types: dict[str, int],
        schema_counts: Any,
    ) -> None: ...

class Tokens:
    def __init__(self, tokens: list[str], most_chars: int, odds: Any, kinds: Any) -> None: ...

def compute(
    tables: Tables, page: Page, blocks: Blocks, body: int, tokens: Tokens
) -> tuple[Float32s, int, list[Any], Rows, tuple[Any, ...], int]: ...
def count_quoted(text: str, names: tuple[str, ...]) -> list[int]: ...
