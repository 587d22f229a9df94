"""The probability that a page has no content: an error page, an empty shell, menus alone.

Small trees judge the whole page by its features, by the probabilities of its kinds, and by
`OUTCOMES`: what the trees over blocks found on it, and whether its title or a heading says that
there is nothing to see. Text does not depend on it, so it is computed only when it is asked for.
"""

from __future__ import annotations

import re

import numpy as np

from thresher.methods.default.features import NAMES, PAGE_LINES
from thresher.methods.default.features.title import page_title
from thresher.page import Page
from thresher.page.array_types import Float32s, Floats
from thresher.page.lazy import lazy_pattern
from thresher.page.tags import lookup

OUTCOMES = (
    ("expected_words", "expected words of content"),
    ("expected_share", "share of the page's words that are expected to be content"),
    ("best_probability", "largest probability of a block"),
    ("likely_blocks", "blocks with a probability of at least 0.5"),
    ("hopeless_share", "share of blocks with a probability below 0.02"),
    ("largest_expected", "largest expected number of words of a block"),
    ("notice", "1 if the title or one of the first headings is that of an error or a barrier"),
)
NO_CONTENT_FEATURES = (*NAMES[PAGE_LINES.start :], *(name for name, _ in OUTCOMES))

_LIKELY, _HOPELESS = 0.5, 0.02
_HEADING = lookup("h1 h2")
_MOST_HEADINGS = 3
_NOTICE_CHARS = 200  # of a heading that are read
_NOTICE = lazy_pattern(
    r"\b(?:404|403|not found|no longer (?:available|exists)|not available|does not exist"
    r"|access denied|forbidden|just a moment|are you (?:a )?(?:human|robot)|that you are human"
    r"|enable (?:javascript|cookies)|log ?in|sign in|back soon|under maintenance"
    r"|nicht gefunden|introuvable|no encontrada|non trovata|não encontrada|niet gevonden"
    r"|nie znaleziono|не найдена)\b|未找到|見つかりません",
    re.I,
)


def no_content_features(
    matrix: Float32s, probability: Floats, words: Floats, *, notice: bool
) -> Float32s:
    """Return NO_CONTENT_FEATURES as one column.

    `matrix` has the features of the page's blocks, `notice` says what `has_notice` does.
    """
    expected = probability * words
    outcomes = (
        expected.sum(),
        expected.sum() / max(float(words.sum()), 1.0),
        probability.max(initial=0.0),
        np.count_nonzero(probability >= _LIKELY),
        np.count_nonzero(probability < _HOPELESS) / max(len(probability), 1),
        expected.max(initial=0.0),
        notice,
    )
    column = np.concatenate((matrix[PAGE_LINES.start :, 0], np.array(outcomes, np.float32)))
    return column.reshape(-1, 1)


def has_notice(page: Page) -> bool:
    """Return whether the title or one of the first headings is that of an error or a barrier."""
    if _NOTICE.search(page_title(page)):
        return True
    headings = _HEADING.take(page.tag.take(page.blocks.parent)).nonzero()[0]
    return any(
        _NOTICE.search(page.block_text(block)[:_NOTICE_CHARS])
        for block in headings[:_MOST_HEADINGS].tolist()
    )
