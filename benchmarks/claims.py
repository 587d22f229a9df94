"""What the papers claim: mean F1 of their own tables, on their own pages.

A mean over sites is the plain mean of the table's row, as the tables give none. The thesis and
BlockExtractor score by the longest common subsequence, words/leaves by words retrieved.
"""

from __future__ import annotations

__all__ = ["CLAIMS", "DATA", "PAPERS"]

DATA = {
    "right-to-left": "2,166 pages of 10 sites in Arabic, Farsi, Pashto and Urdu "
    "(thesis, Tables 4.3, 4.6 and 4.11)",
    "Western": "9,101 pages of 12 sites, mostly news, in English, German and Italian "
    "(thesis, Table 4.12)",
    "top sites": "27 pages of much visited sites (words/leaves paper, Table 5)",
    "US and UK news": "400 pages of Yahoo!, CNN, BBC and the New York Times "
    "(BlockExtractor paper, Table 2)",
}

# method: data set, F1; a range in the table's name (TCCB-25) is that of the best row
CLAIMS: dict[str, dict[str, float]] = {
    "plain": {"Western": 0.570},
    "bte": {"right-to-left": 0.754},
    "dsc": {"right-to-left": 0.873, "Western": 0.772},
    "ccb": {"Western": 0.750},
    "accb": {"right-to-left": 0.850, "Western": 0.780},
    "tccb": {"right-to-left": 0.903, "Western": 0.764},
    "density": {"right-to-left": 0.800, "Western": 0.680},
    "fe": {"right-to-left": 0.183},
    "k-fe": {"right-to-left": 0.741},
    "lqf": {"right-to-left": 0.822, "Western": 0.679},
    "crunch": {"Western": 0.701},
    "r2l": {"right-to-left": 0.898},
    "dana": {"right-to-left": 0.938},
    "danag": {"right-to-left": 0.939, "Western": 0.810},
    "addanag": {"right-to-left": 0.955, "Western": 0.828},
    "cnr": {"top sites": 0.309},
    "wnr": {"top sites": 0.369},
    "clr": {"top sites": 0.738},
    "wlr": {"top sites": 0.738},
    "cetd": {"US and UK news": 0.759},
    "blockextractor": {"US and UK news": 0.947},
}

PAPERS = (
    "BlockExtractor's authors give the figure of `cetd` (with DensitySum), and their own with the "
    "blocks of other pages removed; `lqf` is the row LQF-25, `accb` ACCB-40, `tccb` TCCB-25 and "
    "`r2l` that with a gap of 8."
)
