"""The kind of a page with little text: the model's probabilities, mixed with what is usual.

A few words are little evidence, and the model has hardly seen such pages. With w the visible words,

    p(kind) = (w model(kind) + 50 usual(kind)) / (w + 50)

where `usual` is the share of the kind among the pages of the training, so that a page of a few
words is an article unless the model is very sure, and one of a thousand is what the model says.
It is for readers: what the default keeps depends on the model's own probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thresher.page import Page

# Pages of each kind in wcxb-dev and fundus, which the shipped model learned from.
_PAGES = {
    "article": 1050, "forum": 113, "product": 119, "collection": 117, "listing": 99,
    "documentation": 91, "service": 165,
}  # fmt: skip
_TOTAL = sum(_PAGES.values())
_WORDS = 50  # that weigh as much as what is usual


def page_kinds(page: Page, model: Mapping[str, float]) -> dict[str, float]:
    """Return the probability of each kind of a page, given what the model says."""
    words = int(np.where(page.hidden, 0, page.words).sum())
    return {
        kind: (words * told + _WORDS * _PAGES[kind] / _TOTAL) / (words + _WORDS)
        for kind, told in model.items()
    }
