"""The words/leaves ratio and its relatives (Insa, Silva and Tamarit 2013).

`ratios` has the four methods, `ranking` lists all blocks of a page by relevance.
"""

from thresher.methods.wlr.ratios import CLR, CNR, WLR, WNR

__all__ = ["CLR", "CNR", "WLR", "WNR"]
