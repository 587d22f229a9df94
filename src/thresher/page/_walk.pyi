from typing import Any

def has_surrogates(text: str) -> bool: ...
def walk(
    nodes: list[Any],
    found: list[Any],
    numbers: dict[str, int],
    *arguments: Any,
) -> tuple[tuple[str, ...], bool, bool, int, int] | None: ...
