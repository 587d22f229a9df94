"""The table of name tokens: log-odds of content and of page kinds, counted over sites.

For a token, content is the share of a page's words that are under it and are content, summed over
pages; other is the share that is not. A site with n pages counts as sqrt(n). With a = 0.3,
    odds = ln (content + a/2) / (other + a/2)
A page kind's odds are ln P(kind | token) / P(kind), smoothed with three sites.

For a page of the training, the table is made without the page's own site (leave one site out):
otherwise the model would trust names more than it can on a site that it has never seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from thresher.methods.default.features import KINDS, NameTable
from thresher.methods.default.features.class_odds import Pair
from thresher.methods.default.features.name_tokens import tokens_of
from thresher.page.array_types import Floats, Rows

_SMOOTH = 0.3
_KIND_SMOOTH = 3.0  # sites
_LEAST_SITES = 5


@dataclass(frozen=True, slots=True, eq=False)
class PageTokens:
    """The tokens of a page, and the share of its words under each of them."""

    site: str
    kind: str
    tokens: list[str]
    share: Floats  # of content and of all words, (2, tokens)


def page_tokens(
    site: str, kind: str, pairs: Sequence[Pair], of_container: Rows, under: Floats
) -> PageTokens:
    """Sum for each token `under`, the shares of words (content, all) below each container."""
    summed = np.stack([np.bincount(of_container, line, len(pairs)) for line in under])
    total: dict[str, list[float]] = {}
    for index, (name, identifier) in enumerate(pairs):
        if summed[1, index] > 0:
            for token in tokens_of(name or "") + tokens_of(identifier or "", "#"):
                entry = total.setdefault(token, [0.0, 0.0])
                entry[0] = min(entry[0] + summed[0, index], 1.0)
                entry[1] = min(entry[1] + summed[1, index], 1.0)
    share = np.array(list(total.values())).reshape(-1, 2).T
    return PageTokens(site, kind, list(total), np.minimum(share, share[1]))


class TokenCounts:
    """Counts over all pages, from which the table of all sites or of all but one is made."""

    def __init__(self, pages: Sequence[PageTokens]) -> None:
        self.number: dict[str, int] = {}
        for page in pages:
            for token in page.tokens:
                self.number.setdefault(token, len(self.number))
        self.width = 3 + len(KINDS)  # content, all, sites, and sites by kind
        self.sites = self._by_site(pages)
        self.total = np.zeros((len(self.number), self.width))
        for tokens, counts in self.sites.values():
            self.total[tokens] += counts
        frequency = np.array([sum(page.kind == kind for page in pages) for kind in KINDS], float)
        self.prior = (frequency + 1) / (frequency + 1).sum()

    def _by_site(self, pages: Sequence[PageTokens]) -> dict[str, tuple[Rows, Floats]]:
        gathered: dict[str, dict[int, Floats]] = {}
        for page in pages:
            counts = gathered.setdefault(page.site, {})
            kind = KINDS.index(page.kind) if page.kind in KINDS else -1
            for token, content, every in zip(page.tokens, *page.share.tolist(), strict=True):
                entry = counts.setdefault(self.number[token], np.zeros(self.width))
                entry[:3] += content, every, 1
                if kind >= 0:
                    entry[3 + kind] += 1
        found = {}
        for site, counts in gathered.items():
            table = np.array(list(counts.values())).reshape(-1, self.width)
            pages_with = table[:, 2:3].copy()
            table[:, :2] /= np.sqrt(pages_with)
            table[:, 3:] /= pages_with
            table[:, 2] = 1
            found[site] = np.array(list(counts), np.intp), table
        return found

    def table(self, without: str | None = None) -> NameTable:
        """Make the table of all sites, or of all but one."""
        counts = self.total
        if without is not None and without in self.sites:
            counts = counts.copy()
            tokens, own = self.sites[without]
            counts[tokens] -= own
        known = (counts[:, 2] >= _LEAST_SITES - 0.5).nonzero()[0]
        content, every = np.maximum(counts[known, :2], 0).T
        other = np.maximum(every - content, 0)
        odds = np.log((content + _SMOOTH / 2) / (other + _SMOOTH / 2))
        kinds = np.maximum(counts[known, 3:], 0)
        share = (kinds + _KIND_SMOOTH * self.prior) / (
            kinds.sum(axis=1, keepdims=True) + _KIND_SMOOTH
        )
        words = list(self.number)
        return NameTable.of([words[i] for i in known.tolist()], odds, np.log(share / self.prior))
