"""The default: boosted trees over blocks (Prokhorenkova and others 2018; the thesis's densities).

For each block, p = the probability that it is content, from symmetric boosted trees over its
features (`thresher.methods.default.features`): the densities of thesis 3.2.7 and of the words/leaves paper at every
step around it, what repeats it, what its classes are called, where it stands, what the page is.
With w = its words, keep the set S of blocks that maximises the expected score
    F(S) = (1 + b^2) * sum over S of p*w / (sum over S of w + b^2 * sum over all of p*w)
where b is set by `favor`. `thresher.methods.default.judge` holds the rule, `docs/models/default.md` says what the
model was trained on and what it scores.

Departures: this method is ours. Hidden text is not left out beforehand: the model sees that it is
hidden and decides. Of a block that is shown, hidden words within it go (`thresher.page.visibility`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from thresher.errors import UsageError
from thresher.methods.default.judge import BETA, Judgement, judge_of
from thresher.page import Page, Selection
from thresher.page.visibility import shown_texts
from thresher.structure.block_kinds import bare


@dataclass(frozen=True, slots=True)
class Default:
    """Keep the blocks that a learned model finds probable, as many as promise the best score."""

    favor: Literal["precision", "balance", "recall"] = "balance"  # the operating point
    model: str = ""  # a file of `thresher train default`; the shipped one unless given

    def __post_init__(self) -> None:
        """Check the options."""
        if self.favor not in BETA:
            raise UsageError(f"favor is {self.favor!r}: give precision, balance or recall.")

    def __call__(self, page: Page) -> Selection:
        """Judge every block, keep the best."""
        return self.choose(page, self.judge(page))

    def judge(self, page: Page) -> Judgement | None:
        """Return what the model thinks of the page; None of one without text."""
        return judge_of(self.model)(page)

    def choose(self, page: Page, judged: Judgement | None) -> Selection:
        """Keep the best of what was judged; of an article, at precision, its bare body."""
        if judged is None:
            return page.none()
        kept = judged.keep(self.favor)
        if self.favor == "precision" and judged.kind == "article":
            kept &= bare(page)
        return Selection(page, shown_texts(page, kept))
