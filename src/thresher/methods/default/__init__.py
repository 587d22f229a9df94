"""The default method: features of every block, boosted trees, and a rule that chooses blocks."""

from thresher.methods.default.judge import Default

__all__ = ["Default"]
