from typing import Any

def walk(
    nodes: list[Any],
    found: list[Any],
    numbers: dict[str, int],
    *arguments: Any,
) -> tuple[tuple[str, ...], int] | None: ...
