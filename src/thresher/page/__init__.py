"""A web page as columns: decoding, parsing, views, plain text and array algorithms."""

from typing import TYPE_CHECKING, Any

from thresher.page.page import Characters, Method, Node, Page, Selection

if TYPE_CHECKING:
    from thresher.page.positions import Place, Position

__all__ = ["Characters", "Method", "Node", "Page", "Place", "Position", "Selection"]


def __getattr__(name: str) -> Any:
    """Return one of the names of `positions`, which most uses do not need."""
    if name not in {"Place", "Position"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from thresher.page import positions

    return getattr(positions, name)
