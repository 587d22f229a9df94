"""The default method: features of every block, boosted trees, and a rule that chooses blocks."""

from thresher.methods.default.extractor import Default

__all__ = ["Default"]
