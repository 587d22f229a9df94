"""A web page as columns: decoding, parsing, views, plain text and array algorithms."""

from thresher.page.page import Characters, Method, Node, Page, Selection
from thresher.page.positions import Place, Position

__all__ = ["Characters", "Method", "Node", "Page", "Place", "Position", "Selection"]
