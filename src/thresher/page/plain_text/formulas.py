"""Formulas in plain text: each one once, though pages hold copies of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np

from thresher.page.array_types import Bools
from thresher.page.arrays import inside, subtree_sums
from thresher.page.columns import Columns
from thresher.page.tags import NUMBER

# What KaTeX and MathJax put around MathML for readers of the screen and boxes for the eye.
_FORMULA = re.compile(r"(?:^|\s)(?:katex|MathJax\w*|mjx-chtml)(?:\s|$)")


def formula_copies(
    page: Columns, keep: Bools, attributes: Callable[[int], Mapping[str, str]]
) -> Bools:
    """Tell which texts (one boolean per text row) repeat MathML that is kept.

    The copy for the eye is said to be so (`aria-hidden`) and stands beside what holds the MathML.
    """
    is_math = page.tag == NUMBER["math"]
    if not is_math.any():
        return np.zeros(len(keep), np.bool_)
    found, kept = np.zeros(len(page), np.bool_), np.zeros(len(page), np.bool_)
    kept[page.text_rows[keep]] = True
    holds_math = subtree_sums(is_math, page.end) > 0
    around = np.unique(page.parent[page.parent[is_math & (subtree_sums(kept, page.end) > 0)]])
    for formula in around[around >= 0].tolist():
        if not _FORMULA.search(attributes(formula).get("class", "")):
            continue
        at = formula + 1
        while at < page.end[formula]:
            found[at] = not holds_math[at] and attributes(at).get("aria-hidden") == "true"
            at = int(page.end[at])
    copies: Bools = inside(found, page.end)[page.text_rows]
    return copies
