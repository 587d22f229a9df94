from typing import Any

class Tags:
    def __init__(self, numbers: dict[str, int]) -> None: ...

def has_surrogates(text: str) -> bool: ...
def walk(
    nodes: list[Any],
    found: list[Any],
    with_id: list[Any],
    tags: Tags,
    numbers: dict[str, int],
    *arguments: Any,
) -> tuple[tuple[str, ...], bool, bool, int, int] | None: ...
