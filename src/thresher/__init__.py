"""Thresher takes web pages apart and keeps the main content."""

from thresher.page import Page, Selection
from thresher.parse import Limits, parse

__all__ = ["Limits", "Page", "Selection", "parse"]
