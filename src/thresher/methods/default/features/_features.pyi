from typing import Any

class Tables:
    def __init__(
        self,
        arrays: dict[str, Any],
        numbers: dict[str, Any],
        graph_types: dict[str, int],
        schema_counts: Any,
    ) -> None: ...

class Tokens:
    def __init__(self, hashes: Any, token_of_hash: Any, odds: Any, kinds: Any) -> None: ...

def find_containers(*columns: Any) -> int: ...
def compute(tables: Tables, *arguments: Any) -> tuple[list[Any], int, int]: ...
def count_quoted(text: str, names: tuple[str, ...]) -> list[int]: ...
