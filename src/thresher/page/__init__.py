"""A page as columns, and the way there: decoding, parsing, views, plain text, array kernels."""

from thresher.page.page import Characters, Load, Method, Node, Page, Position, Selection

__all__ = ["Characters", "Load", "Method", "Node", "Page", "Position", "Selection"]
