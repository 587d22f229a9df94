"""The default method: boosted trees over blocks (Prokhorenkova and others 2018; ours).

For each block, p is the probability that it is content, from symmetric boosted trees over its
features (`thresher.methods.default.features`): the densities of thesis 3.2.7 and of the
words/leaves paper at every step around it, blocks like it, its class names, its position, the whole
page. With w the words of a block, the expected score of keeping a set S of blocks is
    F(S) = (1 + b^2) * sum over S of p*w / (sum over S of w + b^2 * sum over all of p*w)
The best S of each size are the blocks of highest p, so one sort and one running sum find the prefix
with the largest F. `BETA` has b for each value of `favor`: the lower it is, the more precision
counts. `docs/models/default.md` says what the model was trained on and what it scores.

On a page with elements of HTML5, further trees judge the blocks again, by p, the kinds of the page
and what is expected of the whole page (`SECOND_FEATURES`). They have learned on sites held out what
p is worth there.

Rules besides F:
- Readers' comments are not content of a page that is not surely a forum. `structure.threads`
  looks for them if more than a few of the expected words are under a name such as `comments`.
- Text in the footer of a page is dropped, but not that in the footer of an article. So is that in
  a form outside of the text of an article or product.
- Lists of links with times are dropped beside a text (`thresher.methods.default.dated_links`).
- Lists, tables, quotes and code are kept or dropped whole (`thresher.methods.default.groups`).
- Labels and paragraphs between kept blocks, headings and summaries above kept text, and paragraphs
  of articles beside kept ones are kept (`thresher.methods.default.neighbours`).
- Tables of contents are dropped with their label, except with "recall", and boxes of links to
  other pages of a wiki.
- A block that repeats a kept one word for word is dropped, unless it is code.
- On a page that is an article, a heading whose section is dropped is dropped with it. On 400 pages
  of wcxb-dev, 46 of 56 such headings are not in the gold text; on pages of other kinds most are,
  but not questions of products and collections whose answers are dropped (6 of 49).
- On a page that may be an article, links below a label such as "Related posts" are dropped, and so
  is a short text about the author at the end.
- Prompts to subscribe or to log in are dropped (`thresher.structure.prompts`), and on a
  page that may be an article a last notice of copyright or liability.
- On a page that may be a forum, all posts of a thread are kept, without their buttons; not with
  "precision". So are the comments below other content of a page that is surely a forum.
- If fewer than `_LEAST_WORDS` words are expected, nothing is kept of a whole page, and all visible
  text of a fragment of a few lines of HTML.
- With "balance", the headline of an article is dropped unless the trees are sure of it, so that
  texts begin alike; it is the title of the document in any case.
- With "precision", only the body of an article is kept: no captions, bylines, dates
  or links to other pages. Code is kept as with "balance".

Departures: this method is ours. Hidden text is not left out beforehand: a feature says that it is
hidden. It is dropped from pages of the old web that have enough visible content. Hidden words
within a visible block are dropped (`thresher.page.visibility`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import compress, count
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from thresher.methods.common.option_checks import Options
from thresher.methods.default.dated_links import without_dated_links
from thresher.methods.default.features import (
    KINDS,
    LINES,
    NAMES,
    PAGE_LINES,
    Features,
    NameTable,
    block_features,
)
from thresher.methods.default.features.class_odds import NamePairs
from thresher.methods.default.features.containers import Outline
from thresher.methods.default.groups import (
    CONTENTS_LABELS,
    CONTENTS_LINKS,
    FILL_LIMITS,
    HEADING_SHARE,
    HEADING_WORDS,
    LEAST_NOTE,
    MOST_PROBABLE,
    MOST_REFERENCES,
    MOST_TABLE_WORDS,
    NAME_WORDS,
    SECTION_LABELS,
    SECTION_NAMES,
    SECTION_SIGNS,
    blocks_inside,
    compiled_rules,
    fill_between,
    share_probability,
    with_code,
    with_declarations,
    with_footnotes,
    with_referred_notes,
    without_contents,
    without_controls,
    without_empty_sections,
    without_last_headings,
    without_link_sections,
)
from thresher.methods.default.neighbours import (
    LEAST_BESIDE,
    LINKS_BESIDE,
    NEIGHBOUR_LIMITS,
    WORDS_BESIDE,
    has_link_within,
    with_formulas,
    with_neighbours,
    with_paragraphs,
    with_summaries,
    with_titles,
)
from thresher.methods.default.no_content import (
    NO_CONTENT_FEATURES,
    has_notice,
    no_content_features,
)
from thresher.methods.model.boosted_trees import SymmetricTrees, sigmoid, staged_probabilities
from thresher.methods.model.files import Model, cached_reader, load
from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Float32s, Floats, Rows
from thresher.page.attributes import attribute_values, distinct_values
from thresher.page.controls import control_texts
from thresher.page.core import COMPILED
from thresher.page.lazy import LazyModule
from thresher.page.tags import CELL, HEADING, NUMBER, lookup
from thresher.page.visibility import hidden_blocks, shown_texts
from thresher.page.words import collapsed

if TYPE_CHECKING:
    from thresher.structure import block_kinds, class_names, prompts, threads
else:  # few pages need them
    block_kinds = LazyModule("thresher.structure.block_kinds")
    class_names = LazyModule("thresher.structure.class_names")
    prompts = LazyModule("thresher.structure.prompts")
    threads = LazyModule("thresher.structure.threads")

if COMPILED:
    from thresher.methods.default import _keep


class Beta(NamedTuple):
    """The b of the expected score."""

    usual: float
    old_article: float  # for a page of the old web that may be an article


# On pages of the old web, lists of other articles look like text. With 0.75, 0.85 and 1, word F1 on
# 300 pages each is .9267, .9263, .9248 on daniel, .9314, .9353, .9379 on cleaneval-dev, .9147,
# .9151, .9170 on dragnet, .9682, .9681, .9674 on big9-chaos, and the same on wcxb-dev.
BETA = {
    "precision": Beta(0.4, 0.4),
    "balance": Beta(1.0, 0.85),
    "recall": Beta(2.0, 2.0),
}
_MAY_BE_ARTICLE = 0.2  # probability of the kind article
# The same, from which on links below a label such as "Related" are dropped, and paragraphs beside
# kept ones are kept.
_HAS_SECTIONS = 0.3
_MAY_DECLARE = 0.3  # probability of the kind documentation; see `with_declarations`
_IS_OLD = NAMES.index("page_old")

_CODE = NUMBER["pre"]
_COPY_WORDS = 8  # words from which on a repeated block is a copy
# Before a quotation: who is quoted, in at most so many words.
_QUOTED_WORDS, _NAMES_QUOTED = 8, re.compile(r"[:：]\s*\Z|\A\W*originally posted", re.I)
_LEAST_WORDS = 3.0  # expected words below which a page has no content
_SURE = 0.6  # least probability of a kept headline; costs 0.0004 of word F1 on daniel
# Hidden blocks of a rendered page, and of one of the old web that may be an article, are dropped if
# so much of the expected words is shown. On old pages, word F1 rises by 0.0062 on daniel, by 0.0023
# on big9-chaos, by 0.0002 on dragnet and by 0.0008 on cleaneval-dev; one page of wcxb-dev gains.
# With 0.5, daniel gains 0.0028. On other pages scripts show tabs and answers: dropping what is
# hidden there costs 0.0033 on wcxb-dev.
_LEAST_SHOWN = 0.35
_HIDDEN_ARTICLE = 0.02  # probability of the kind article; with 0, two pages of wcxb-dev lose
# Parts that are hardly ever content, with the share of the expected words from which on they are.
# Of 1,398 pages of wcxb-dev and fundus that have a footer outside of articles, four have more than
# 0.02 of their gold text there. In folds by site, 1,167 pages of wcxb-dev gain 0.0023 of word F1
# without footers and 0.0002 without forms; 300 pages of daniel gain 0.0020 without forms, and no
# other corpus loses. Forms of all kinds of pages cost wcxb-dev 0.0001: on forums and service pages
# they have posts and texts. Captions of articles stay: without them, wcxb-dev gains 0.0001.
_PART_LINES = tuple(NAMES.index(name) for name in ("in_footer", "in_form", "in_article", "in_main"))
_LEAST_PART = 1.0  # expected words
_MOST_IN_FOOTER, _MOST_IN_FORM = 0.9, 0.5
_HAS_FORM = 0.5  # probability of the kinds article and product
_MOST_KEPT = 8_000_000  # bytes of a matrix of features that a judgement keeps
# Kinds of pages whose notes are kept with the text that refers to them. Those of products say what
# the small print says: with them, three of 600 pages of wcxb-dev lose 0.1 of their word F1.
_HAS_NOTES = frozenset({"article", "documentation", "forum"})
_FRAGMENT_ROWS = 20  # with fewer rows it is a fragment of HTML, not a page

# Log-odds (p = 0.032) below which the trees of further stages are skipped. Of 32,000 blocks of five
# corpora that have more than -3 with all trees, at most one in 1,000 has less after a stage.
_HOPELESS = -3.4
_STAGES = (0.1, 0.3, 0.55)  # of the trees after the first ones, where a stage ends
# The probability of a block, and of its page: the expected F1 of keeping all that is at least
# `_LIKELY`, the expected words of content, the largest probability, and that of each kind.
SECOND_FEATURES = ("probability", "expected_f1", "expected_words", "best_probability", *KINDS)
_LIKELY = 0.5
_LEAST_EXPECTED = 50.0  # words; few pages of the training have fewer
_LEAST_JUDGED_AGAIN = 0.033  # probability of a block that all trees have judged
# What the software of boards writes into the heads of their pages. On a made-up board of Discuz! in
# Chinese, the model gives 0.05 to the kind forum.
_BOARD = re.compile(
    r"""generator["']? +content=["']?(?:Discuz!|php[Ww]ind|PHPWind|vBulletin|Discourse|bbPress"""
    r"""|Flarum|NodeBB|Trac|phpBB|MyBB|XenForo|WoltLab|Vanilla|Phorum|JForum|YaBB|Lemmy|Question2Answer)"""
)
# What data of schema.org say of a page of posts, wherever in the page.
_DECLARED = ("DiscussionForumPosting", "QAPage")
# Parts of addresses of boards, of the page or in its head.
_PATH = r"/(?:forums?|boards?|topics?|threads?|discussions?|questions?|viewtopic|showthread)[/.?]"
_BOARD_ADDRESS = re.compile(_PATH)
_STATED_ADDRESS = re.compile(
    rf"""(?:canonical|og:url)["']? [^<>]{{0,20}}(?:href|content)=["']?[^"'<> ]{{0,300}}?{_PATH}"""
)
_HEAD_CHARS = 5_000  # of a page where this is looked for
_HARDLY_FORUM = 0.02  # probability of the kind forum from which on it is
_MAY_BE_BOARD = 0.05  # the same of a page with tables, as old boards are made of
_MAY_BE_FORUM = 0.1  # with 0.05 or 0.5, word F1 on the threads of wcxb-dev is within 0.001
# Probability of the kind forum from which on comments are content: below it, posts are content only
# where `threads` finds a thread. With 0.5, all comments below five of 420 blogs of dragnet are kept
# (word F1 0.007 to 0.02 lower), and one of 56 forums of wcxb-dev is kept that is dropped with 0.9.
_IS_FORUM, _PROBABLY_FORUM = 0.9, 0.5  # the latter with "recall"
_COMMENT_WORDS = (
    "comment", "disqus", "reply", "replies", "respond", "response", "discussion", "feedback",
)  # fmt: skip
_COMMENT_SHARE = 0.03  # of the expected words: on 300 pages of dragnet 0 to 0.05 have the same F1

# Pages of each kind in wcxb-dev and fundus, which the shipped model was trained on.
_TRAINING_PAGES = {
    "article": 1050, "forum": 113, "product": 119, "collection": 117, "listing": 99,
    "documentation": 91, "service": 165,
}  # fmt: skip
_PRIOR_WORDS = 50  # words that weigh as much as the shares of the training
# The power of the expected F1 that is the confidence. Swept in five folds by site of wcxb-dev and
# fundus: the expected calibration error is 0.021 with 1, 0.010 with 0.8, 0.012 with 0.7 or 0.85.
_CONFIDENCE = 0.8


@dataclass(frozen=True, slots=True)
class Default(Options):
    """Keep the blocks with the best expected score under a learned model."""

    favor: Literal["precision", "balance", "recall"] = "balance"  # what to prefer in doubt
    model: str = ""  # a file of `thresher train default`; the shipped one unless given

    def __call__(self, page: Page) -> Selection:
        """Judge every block and keep the best."""
        return self.choose(page, self.judge(page))

    def judge(self, page: Page) -> Judgement | None:
        """Return the judgement of the model on a page; None for a page without text."""
        return load_judge(self.model)(page)

    def choose(self, page: Page, judgement: Judgement | None) -> Selection:
        """Return the text to keep, given the judgement on the page."""
        if judgement is None:
            return page.none()
        choice = _Choice(judgement, self.favor)
        choice.keep()
        if self.favor == "precision":
            code = block_kinds.code_blocks(page) & judgement.keep("balance")
            kept = choice.kept
            if judgement.kind == "article":
                kept = kept & block_kinds.body_blocks(page)
            choice.set(kept | code)
        choice.run(_LAST_RULES)
        selection = Selection(page, shown_texts(page, with_formulas(page, choice.kept)))
        if len(page) >= _FRAGMENT_ROWS and judgement.keeps_posts(self.favor):
            posts = page.cached(threads.PostRows.of)
            if posts is not None:
                return posts.refine(selection)
        return selection


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """The probabilities that the model gives a page."""

    features: Features  # of very many blocks, the matrix has the first column only
    probability: Floats  # of each block: that it is content
    kinds: dict[str, float]  # the probability of each page kind
    comments: Bools | None = None  # one bool per row: readers' comments; None: not looked for
    repeated: Bools | None = None  # one bool per block: on other pages of the site; None: not known

    @property
    def kind(self) -> str:
        """The most probable kind of the page."""
        return max(self.kinds, key=self.kinds.__getitem__)

    @property
    def may_be_forum(self) -> bool:
        """Whether the page is probable enough a forum.

        Its tables, address, head or structured data may say so, too.
        """
        forum = self.kinds["forum"]
        if not _HARDLY_FORUM <= forum < _MAY_BE_FORUM:
            return forum >= _MAY_BE_FORUM
        page = self.features.outline.page
        if forum >= _MAY_BE_BOARD and page.present[NUMBER["table"]] > 0:
            return True
        source = page.html or ""
        return bool(
            _BOARD_ADDRESS.search(page.base_url)
            or _BOARD.search(source, 0, _HEAD_CHARS)
            or _STATED_ADDRESS.search(source, 0, _HEAD_CHARS)
            or any(declared in source for declared in _DECLARED)
        )

    def keeps_posts(self, favor: str = "balance") -> bool:
        """Return whether the posts that `thresher.structure.threads` finds are content.

        Those of a thread are if the page may be a forum. Comments below other content are if the
        page is surely a forum; with "recall" it need only be probably one.
        """
        if favor == "precision" or not self.may_be_forum:  # true of most pages
            return False
        kind = threads.kind_of(self.features.outline.page)
        least = _PROBABLY_FORUM if favor == "recall" else _IS_FORUM
        return kind == "thread" or (kind == "comments" and self.kinds["forum"] >= least)

    def smoothed_kinds(self) -> dict[str, float]:
        """Return the probability of each kind, drawn to the usual one on pages with little text.

        A few words are little evidence, and the model has hardly seen such pages. With w the
        visible words of the page and usual(kind) the share of the kind in the training,
            p(kind) = (w model(kind) + 50 usual(kind)) / (w + 50)
        It is what a document reports; what the default keeps depends on `kinds` alone.
        """
        page = self.features.outline.page
        words = int(np.where(page.hidden, 0, page.words).sum())
        total = sum(_TRAINING_PAGES.values())
        return {
            kind: (words * share + _PRIOR_WORDS * _TRAINING_PAGES[kind] / total)
            / (words + _PRIOR_WORDS)
            for kind, share in self.kinds.items()
        }

    def keep(self, favor: str = "balance") -> Bools:
        """Return one bool per block: True if it is kept with this `favor`."""
        choice = _Choice(self, favor)
        choice.keep()
        return choice.kept

    def of_this_page(self) -> Floats:
        """Return the probabilities, 0 for blocks that other pages of the site have too."""
        if self.repeated is None:
            return self.probability
        own: Floats = np.where(self.repeated, 0.0, self.probability)
        return own

    def visible_if_fragment(self) -> Bools:
        """Keep all visible blocks that are not links if the page is a fragment, else nothing."""
        outline = self.features.outline
        page = outline.page
        shown: Bools = outline.allowed & ~hidden_blocks(page) & (outline.linked < outline.words)
        return shown & (len(page) < _FRAGMENT_ROWS)

    def expected_f1(self, kept: Bools) -> float:
        """Return the expected F1 of keeping some blocks."""
        words = self.features.outline.words
        expected = self.probability * words
        size = words[kept].sum() + expected.sum()
        return float(2 * expected[kept].sum() / size) if size else 0.0

    def confidence(self, kept: Bools) -> float:
        """Return the confidence in keeping some blocks: the mean F1 of selections like it.

        The expected F1 of a doubtful selection is too low: blocks of one page are right or wrong
        together, and rules follow the trees.
        """
        return float(self.expected_f1(kept) ** _CONFIDENCE)


class _Choice:
    """The blocks that are kept of a page, on which one rule works after the other.

    Few pages need most of the rules. The compiled version asks before them, and again when one has
    changed what is kept, which rules may change anything (`_keep.Rules.survey`).
    """

    def __init__(self, judgement: Judgement, favor: str) -> None:
        features, article = judgement.features, judgement.kinds["article"]
        kind = judgement.kind
        self.judgement, self.favor = judgement, favor
        self.outline, self.headline = features.outline, features.headline
        self.shared = self.probability = judgement.probability
        self.has_sections = article >= _HAS_SECTIONS
        self.is_article = kind == "article"  # and more than one block is kept
        self.has_questions = kind in ("product", "collection")
        self.labels: dict[int, str] = {}
        asked = _ALL
        if favor == "recall":
            asked &= ~_NOT_WITH_RECALL
        if favor == "precision":
            asked &= ~_NOT_WITH_PRECISION
        if not self.has_sections:
            asked &= ~_IN_SECTIONS
        if kind not in _HAS_NOTES:
            asked &= ~_REFERENCES
        self.asked = asked  # bits of the rules for such a page

    def set(self, kept: Bools) -> None:
        """Keep these blocks, and find out which rules may change that."""
        self.kept = kept
        self.needed = self.asked
        if COMPILED and self.asked:
            self.needed = compiled_rules(self.outline).survey(
                _survey(), self.asked, self.probability, self.shared, kept, self.headline,
                not self.is_article, self.judgement.features.names,
            )  # fmt: skip
            if self.has_questions:
                self.needed |= self.asked & _EMPTY_SECTIONS

    def run(self, rules: tuple[tuple[int, Callable[[_Choice], Bools]], ...]) -> None:
        """Apply rules in their order."""
        for bit, rule in rules:
            if self.needed & bit:
                found = rule(self)
                if found is not self.kept:
                    self.asked &= -bit  # not those before it
                    self.set(found)

    def keep(self) -> None:
        """Keep the best blocks and what belongs to them."""
        outline, probability = self.outline, self.probability
        if probability @ outline.words < _LEAST_WORDS:
            self.set(self.judgement.visible_if_fragment())
            return
        features = self.judgement.features
        beta = beta_for(self.favor, self.judgement.kinds["article"], features.matrix)
        if self.favor == "precision":
            self.shared = share_probability(outline, probability)
            kept = best_prefix(self.shared, outline.words, beta)
            count = int(np.count_nonzero(kept))
            kept = with_titles(outline, probability, kept, self.headline)
        else:
            start = _compiled_start if COMPILED else _plain_start
            least = _SURE if self.favor == "balance" and self.is_article else 0.0
            self.shared, kept, count = start(outline, probability, beta, self.headline, least)
            kept = with_code(outline, probability, kept, self.headline)
            if self.judgement.kinds["documentation"] >= _MAY_DECLARE:
                kept = with_declarations(outline, probability, kept, self.headline)
        self.is_article &= count > 1
        self.set(kept)
        self.run(_RULES)

    def with_footnotes(self) -> Bools:
        """Keep also lists of footnotes."""
        return with_footnotes(self.outline, self.shared, self.kept)

    def with_referred_notes(self) -> Bools:
        """Keep also notes that kept text refers to."""
        return with_referred_notes(self.outline, self.kept)

    def with_paragraphs(self) -> Bools:
        """Keep also paragraphs beside kept ones."""
        return with_paragraphs(self.outline, self.judgement.of_this_page(), self.kept)

    def with_summaries(self) -> Bools:
        """Keep also summaries of kept text."""
        return with_summaries(self.outline, self.kept)

    def without_labels(self) -> Bools:
        """Drop labels of advertisements and buttons."""
        self.labels = _label_texts(self.outline, self.kept)
        return _without_labels(self.outline, self.kept, self.labels)

    def without_contents(self) -> Bools:
        """Drop tables of contents."""
        return without_contents(self.outline, self.kept)

    def without_link_sections(self) -> Bools:
        """Drop links below a label; only labels that were kept before the rules for them count.

        On pages that are no articles, only labels of tables of contents do.
        """
        linked = self.outline.linked
        titles = {at: text for at, text in self.labels.items() if not linked[at]}
        if not self.has_sections:
            titles = {at: text for at, text in titles.items() if text in CONTENTS_LABELS}
        return without_link_sections(self.outline, self.kept, titles)

    def without_copies(self) -> Bools:
        """Drop long blocks whose whole text is that of a kept block before, except code.

        Of two in one container with others between them both stay: they were written twice. With a
        quotation goes whom it names.
        """
        outline, kept = self.outline, self.kept
        around = outline.wider.take(outline.container)
        alike = (_compiled_alike if COMPILED else _plain_alike)(outline, kept)
        first: dict[str, int] = {}
        held = kept.cumsum()
        dropped: list[int] = []  # in order
        for block in alike:
            if outline.tag[outline.container[block]] == _CODE:
                continue
            begin = first.setdefault(_text(outline.page, block), block)
            left = held[block] - held[begin] - (len(dropped) - bisect_right(dropped, begin))
            is_apart = begin == block or left > 1  # another one is kept between them
            if is_apart and around[begin] == around[block]:
                continue
            before = block - 1
            is_short = kept[before] and outline.words[before] <= _QUOTED_WORDS
            if block and is_short and dropped[-1:] != [before]:
                names = _NAMES_QUOTED.search(_text(outline.page, before)) is not None
                dropped += [before] * names
            dropped.append(block)
        found = kept.copy()
        found[dropped] = False
        return found

    def without_empty_sections(self) -> Bools:
        """Drop headings of sections that are dropped."""
        return without_empty_sections(
            self.outline, self.probability, self.kept, self.headline,
            named_only=not self.is_article, with_questions=self.has_questions,
        )  # fmt: skip

    def without_last_headings(self) -> Bools:
        """Drop a heading or two at the end."""
        return without_last_headings(self.outline.page, self.probability, self.kept, self.headline)

    def without_last_prompts(self) -> Bools:
        """Drop prompts at the end."""
        return prompts.without_last_prompts(self.outline.page, self.kept)

    def without_prompts_between(self) -> Bools:
        """Drop prompts within the text."""
        features, page, kept = self.judgement.features, self.outline.page, self.kept
        boxes = _prompt_boxes(features) if self.needed & _BOXES else None
        may_be = None
        if COMPILED:
            rules = compiled_rules(self.outline)
            may_be = rules.find_prompts(_survey(), kept, prompts.MOST_BETWEEN)
        return prompts.without_prompts_between(
            page,
            kept,
            boxes,
            may_be,
            is_article=self.judgement.kinds["article"] >= _HAS_SECTIONS,
        )

    def without_last_notice(self) -> Bools:
        """Drop a notice at the end."""
        return prompts.without_last_notice(self.outline.page, self.kept)


# Bits of the rules in their order, as in `_keep`.
_NOTES, _REFERENCES, _PARAGRAPHS, _SUMMARIES, _LABELLED, _LINKED_LISTS = 1, 2, 4, 8, 16, 32
_LINK_SECTIONS, _COPIES, _EMPTY_SECTIONS, _LAST_HEADINGS, _LAST_PROMPTS = 64, 128, 256, 512, 1024
_PROMPTS, _BOXES, _LAST_NOTICE, _ALL = 2048, 4096, 8192, 16383
_NOT_WITH_RECALL = _LINKED_LISTS | _LINK_SECTIONS | _EMPTY_SECTIONS | _LAST_HEADINGS
_NOT_WITH_RECALL |= _PROMPTS | _BOXES | _LAST_NOTICE
_NOT_WITH_PRECISION = _NOTES | _REFERENCES | _PARAGRAPHS | _SUMMARIES
_IN_SECTIONS = _PARAGRAPHS | _LAST_NOTICE  # for pages that may be articles
_RULES = (
    (_NOTES, _Choice.with_footnotes),
    (_REFERENCES, _Choice.with_referred_notes),
    (_PARAGRAPHS, _Choice.with_paragraphs),
    (_SUMMARIES, _Choice.with_summaries),
    (_LABELLED, _Choice.without_labels),
    (_LINKED_LISTS, _Choice.without_contents),
    (_LINK_SECTIONS, _Choice.without_link_sections),
    (_COPIES, _Choice.without_copies),
    (_EMPTY_SECTIONS, _Choice.without_empty_sections),
    (_LAST_HEADINGS, _Choice.without_last_headings),
)
_LAST_RULES = (
    (_LAST_PROMPTS, _Choice.without_last_prompts),
    (_PROMPTS | _BOXES, _Choice.without_prompts_between),
    (_LAST_NOTICE, _Choice.without_last_notice),
)


@lru_cache(maxsize=1)
def _survey() -> _keep.Survey:
    return _keep.Survey(
        _LABELS | SECTION_LABELS, _LABEL_SIGNS, SECTION_NAMES, SECTION_SIGNS, prompts.STARTS,
        prompts.STEMS, prompts.NOTICE_STEMS, prompts.BOX_STEMS, prompts.NAMES_BOX,
        {
            "least_note": LEAST_NOTE,
            "least_paragraph": LEAST_BESIDE,
            "paragraph_words": WORDS_BESIDE,
            "paragraph_links": LINKS_BESIDE,
            "least_linked": CONTENTS_LINKS,
            "most_probable": MOST_PROBABLE,
            "heading_words": HEADING_WORDS,
            "heading_share": HEADING_SHARE,
            "least_copy": _COPY_WORDS,
            "label_words": _LABEL_WORDS,
            "most_references": MOST_REFERENCES,
            "prompt_words": prompts.LONGEST_BETWEEN,
            "last_prompt_words": prompts.LONGEST,
            "notice_words": prompts.NOTICE_WORDS,
            "box_words": prompts.BOX_WORDS,
            "section_words": NAME_WORDS,
        },
    )  # fmt: skip


def _plain_start(
    outline: Outline, probability: Floats, beta: float, headline: int, least: float
) -> tuple[Floats, Bools, int]:
    """Keep the best blocks, the groups between them and their neighbours.

    A headline below the probability `least` is dropped if it is not the only block. Returns the
    probabilities shared in groups, the kept blocks, and their number without neighbours.
    """
    shared = share_probability(outline, probability)
    kept = best_prefix(shared, outline.words, beta)
    between = without_controls(outline)
    kept = fill_between(between, shared, kept)
    count = int(np.count_nonzero(kept))
    if headline >= 0 and count > 1 and probability[headline] < least:
        kept[headline] = False
    return shared, with_neighbours(between, probability, kept, headline), count


def _compiled_start(
    outline: Outline, probability: Floats, beta: float, headline: int, least: float
) -> tuple[Floats, Bools, int]:
    page = outline.page
    shared, kept = np.empty(len(outline)), np.zeros(len(outline), np.bool_)
    count = compiled_rules(outline).keep(
        page, page.cached(control_texts), probability, beta * beta, MOST_TABLE_WORDS, FILL_LIMITS,
        headline, least, NEIGHBOUR_LIMITS, partial(has_link_within, page), shared, kept,
    )  # fmt: skip
    return shared, kept, count


def _prompt_boxes(found: Features) -> Bools | None:
    """Return one bool per block: True in a small container named for prompts; None: no block."""
    names_box = map(prompts.NAMES_BOX.__getitem__, map(itemgetter(0), found.names.pairs))
    named = list(compress(count(), names_box))
    if not named:  # true of most pages
        return None
    outline = found.outline
    is_box = _are_named(found.names, named) & (outline.sums.words <= prompts.BOX_WORDS)
    return blocks_inside(outline, is_box)


def _are_named(names: NamePairs, pairs: list[int]) -> Bools:
    """Return one bool per container: True if its class and id are one of some pairs."""
    is_named = np.zeros(len(names.pairs), np.bool_)
    is_named[pairs] = True
    return is_named.take(names.of_container)


def _label_texts(outline: Outline, kept: Bools) -> dict[int, str]:
    """Return the texts of the first short kept blocks, in lower case, without signs around.

    The compiled version leaves out those that no rule knows.
    """
    page = outline.page
    if COMPILED:
        short = compiled_rules(outline).find_labels(_survey(), kept, _MOST_LABELS)
    else:
        short = (kept & (page.blocks.words <= _LABEL_WORDS)).nonzero()[0][:_MOST_LABELS].tolist()
    return {
        block: " ".join(page.block_text(block).lower().split()).strip(_LABEL_SIGNS)
        for block in short
    }


def _without_labels(outline: Outline, kept: Bools, labels: dict[int, str]) -> Bools:
    """Drop labels of advertisements and buttons, given the texts of short blocks.

    A word such as "Share" is no label if it is a heading with text below it, or beside other words
    in a list or in a row of a table.
    """
    linked = outline.linked
    found = {
        block for block, text in labels.items() if text in (_BUTTONS if linked[block] else _LABELS)
    }
    found = {
        block
        for block in found
        if linked[block]
        or labels[block] in _SURE_LABELS
        or not _is_member(outline, kept, found, block)
    }
    if not found or len(found) == np.count_nonzero(kept):
        return kept
    kept = kept.copy()
    kept[list(found)] = False
    return kept


def _is_member(outline: Outline, kept: Bools, labels: set[int], block: int) -> bool:
    """Return whether a block is a heading with text below it, or one of several items or cells."""
    page, around = outline.page, int(outline.container[block])
    first = page.blocks.first
    for _ in range(_MOST_AROUND):
        tag, around = outline.tag[around], int(outline.parent[around])
        if HEADING[tag]:
            below = kept[block + 1 :].nonzero()[0]
            if not len(below) or (following := block + 1 + int(below[0])) in labels:
                return False
            return not HEADING[outline.tag[outline.container[following]]]
        if not _MEMBER[tag]:
            continue
        if CELL[tag] and outline.sums.words[around] > _ROW_WORDS:
            return False
        begin, end = first.searchsorted((outline.row[around], outline.end[around])).tolist()
        return any(at + begin not in labels for at in kept[begin:end].nonzero()[0].tolist())
    return False


_MEMBER = lookup("li dt dd td th")
_MOST_AROUND = 3  # elements around a label in which it may be an item
_ROW_WORDS = 60  # of a row of a table; one with more places texts side by side
_LABEL_WORDS, _MOST_LABELS = 5, 400  # words of a label; blocks that are looked at
# What buttons and links to other pages say. On 600 pages of wcxb-dev, 4 of 27 are in the gold text.
_BUTTONS = frozenset(
    "add to cart|add to basket|add to bag|add to wishlist|add to wish list|buy now|shop now"
    "|order now|apply now|learn more|read more|see more|in den warenkorb|in den einkaufswagen"
    "|jetzt kaufen|ajouter au panier|acheter maintenant|añadir al carrito|añadir a la cesta"
    "|comprar ahora|aggiungi al carrello|adicionar ao carrinho|in winkelwagen|in winkelmandje"
    "|dodaj do koszyka|lägg i varukorgen|i varukorgen|læg i kurv|sepete ekle|в корзину".split("|")
)
_SURE_LABELS = frozenset(
    "advertisement|advertisements|ad|advertising|sponsored|sponsored content|story continues below"
    "|story continues below advertisement|article continues below|article continues after ad"
    "|continue reading below|continue reading|anzeige|werbung|publicité|annonce|publicidad|anuncio"
    "|pubblicità|advertentie|reklama|reklam|реклама|广告|広告|copy link"
    "|share this article".split("|")
)
_LABELS = (
    _BUTTONS | _SURE_LABELS | frozenset("share|print|show more|read more|close|loading".split("|"))
)
_LABEL_SIGNS = "-–—:.! »›→>"  # around a label


def _text(page: Page, block: int) -> str:
    """Return the text of a block."""
    pieces = page.texts[page.blocks.texts_from[block] : page.blocks.texts_to[block] + 1]
    return " ".join([collapsed(piece) for piece in pieces if piece])


def _plain_alike(outline: Outline, kept: Bools) -> list[int]:
    """Return the long kept blocks that another one may be a copy of.

    Copies have as many words, capitals and so on, and few other blocks do, so few texts have to be
    compared.
    """
    words = outline.page.blocks.words
    long = (kept & (words >= _COPY_WORDS)).nonzero()[0]
    counts = outline.characters.counts.take(long, axis=1)
    keys = (words.take(long) + _KEY_FACTORS @ counts).tolist()
    if len(set(keys)) == len(keys):  # true of most pages
        return []
    times = Counter(keys)
    return [block for block, key in zip(long.tolist(), keys, strict=True) if times[key] > 1]


# Of the counts of characters in the key of a block: equal counts have equal keys.
_KEY_FACTORS = 1_009 ** np.arange(1, 7)


def _compiled_alike(outline: Outline, kept: Bools) -> list[int]:
    return compiled_rules(outline).find_alike(kept, _COPY_WORDS)


def beta_for(favor: str, article: float, matrix: Float32s) -> float:
    """Return b for a value of `favor`.

    `article` is the probability that the page is an article, `matrix` has its features: pages of
    the old web have none of HTML5's sections.
    """
    is_old_article = matrix[_IS_OLD, 0] and article > _MAY_BE_ARTICLE
    return BETA[favor].old_article if is_old_article else BETA[favor].usual


def best_prefix(probability: Floats, words: Floats, beta: float) -> Bools:
    """Keep the blocks of highest probability that maximise the expected F score."""
    if COMPILED:
        kept = np.zeros(len(words), np.bool_)
        probability, words = np.ascontiguousarray(probability), np.ascontiguousarray(words)
        _keep.keep_prefix(probability, words, beta * beta, kept)
        return kept
    order = (-probability).argsort(kind="stable")
    expected = probability * words
    held = words[order].cumsum()
    score = expected[order].cumsum() / (held + beta * beta * expected.cumsum()[-1:] + 1e-9)
    kept = np.zeros(len(words), np.bool_)
    kept[order[: int(score.argmax()) + 1]] = True
    return kept & (probability > 0)


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """A trained model, ready to be called with pages."""

    table: NameTable
    first: SymmetricTrees  # the first trees, which are enough to rule out many blocks
    rest: SymmetricTrees
    stages: tuple[SymmetricTrees, ...]  # both in parts, each of which rules out more blocks
    page: SymmetricTrees  # for the kind of the page, on the features PAGE_LINES
    empty: SymmetricTrees | None  # for pages without content; older model files have none
    second: SymmetricTrees | None  # on SECOND_FEATURES; older model files have none

    @classmethod
    def of(cls, model: Model) -> Judge:
        """Read the arrays of a model file."""
        count = model.header.get("features", len(NAMES))
        if count != len(NAMES):
            raise model.damaged(f"it was trained on {count} features, and there are {len(NAMES)}")
        tokens = _tokens(model)
        table = NameTable.of(
            tokens,
            model.array("token_odds", "floats", (len(tokens),)),
            model.array("token_kinds", "floats", (len(tokens), len(KINDS))),
        )
        used = _feature_numbers(model, "used", len(NAMES))
        page_used = _feature_numbers(model, "page_used", len(NAMES[PAGE_LINES]))
        trees = SymmetricTrees.of(model, "block", len(used), 1)
        split = int(model.array("split", "integers", (1,))[0])
        if not 0 < split <= trees.feature.shape[1]:
            raise model.damaged(f"its trees cannot be split at {split}")
        page = SymmetricTrees.of(model, "page", len(page_used), len(KINDS)).with_lines(page_used)
        shared = PAGE_LINES.start  # the features from here on are equal for all blocks
        first, rest = (part.with_lines(used, shared) for part in trees.split(split))
        stages = (first, *_stages(rest))
        return cls(table, first, rest, stages, page, _empty_trees(model), _second_trees(model))

    def __call__(self, page: Page) -> Judgement | None:
        """Judge all blocks of a page; None for a page without blocks."""
        found = block_features(page, self.table)
        if found is None:
            return None
        allowed = found.outline.allowed
        kinds = fill_kinds(found.matrix, self.page)
        probability = staged_probabilities(self.stages, found.matrix, allowed, _HOPELESS)
        words = found.outline.words
        if (
            self.second is not None
            and not found.matrix[_IS_OLD, 0]
            and probability @ words >= _LEAST_EXPECTED
        ):
            probability = judged_again(self.second, probability, words, kinds)
        by_kind = dict(zip(KINDS, kinds.tolist(), strict=True))
        comments = None
        if by_kind["forum"] < _IS_FORUM and _may_keep_comments(found, probability):
            comments = _comment_rows(found, probability)
            probability[comments[page.blocks.first]] = 0.0
        probability = without_dated_links(found.outline, probability)
        probability = without_parts(found, probability, by_kind)
        if _is_of_mediawiki(page):
            probability = without_wiki_boxes(found, probability)
        is_old = found.matrix[_IS_OLD, 0] and by_kind["article"] >= _HIDDEN_ARTICLE
        if page.IS_RENDERED or is_old:
            probability = _shown_only(found.outline, probability)
        if found.matrix.nbytes > _MOST_KEPT:  # only reasons need it again
            found = found._replace(matrix=found.matrix[:, :1].copy())
        return Judgement(found, probability, by_kind, comments)

    def with_all_features(self, judgement: Judgement) -> Judgement:
        """Return a judgement with the features of every block, computed again if need be."""
        if judgement.features.matrix.shape[1] == len(judgement.probability):
            return judgement
        found = block_features(judgement.features.outline.page, self.table)
        if found is None:  # never: the page has blocks
            return judgement
        fill_kinds(found.matrix, self.page)
        return replace(judgement, features=found)

    def no_content(self, judgement: Judgement) -> float:
        """Return the probability that a page has no content.

        It is 0 for a fragment of HTML without a notice, and with a model that cannot tell.
        """
        outline = judgement.features.outline
        notice = has_notice(outline.page)
        if self.empty is None or (len(outline.page) < _FRAGMENT_ROWS and not notice):
            return 0.0
        column = no_content_features(
            judgement.features.matrix, judgement.probability, outline.words, notice=notice
        )
        return float(sigmoid(self.empty(column)[0])[0])


def fill_kinds(matrix: Float32s, trees: SymmetricTrees) -> Floats:
    """Return the probability of each page kind, and fill it into the features "kinds"."""
    return trees.fill_classes(matrix, PAGE_LINES.start, LINES["kinds"].start)


def _shown_only(outline: Outline, probability: Floats) -> Floats:
    """Return the probabilities of blocks, 0 for those that are hidden.

    It is for rendered pages, and for pages of the old web. On others, a script or a style sheet may
    still show hidden text. If most of the expected words are hidden, the probabilities stay as they
    are: such a page waits for a script.
    """
    if COMPILED:
        shown = np.empty(len(outline))
        is_enough = compiled_rules(outline).show_only(probability, _LEAST_SHOWN, shown)
        return shown if is_enough else probability
    shown = np.where(hidden_blocks(outline.page), 0.0, probability)
    expected = float(probability @ outline.words)
    return shown if float(shown @ outline.words) >= _LEAST_SHOWN * expected else probability


def second_features(probability: Floats, words: Floats, kinds: Floats) -> tuple[Rows, Float32s]:
    """Return the blocks of a page that may be content, and their SECOND_FEATURES.

    These have a line for each feature. All but the first are equal for all blocks.
    """
    judged = (probability > _LEAST_JUDGED_AGAIN).nonzero()[0]
    matrix = np.empty((len(SECOND_FEATURES), len(judged)), np.float32)
    if len(judged):
        is_likely = probability >= _LIKELY
        sums = np.array((words * is_likely, probability * words)).cumsum(axis=1)
        found = (probability * words * is_likely).cumsum()[-1]
        held, expected = sums[:, -1]
        matrix[0] = probability.take(judged)
        matrix[1] = 2 * found / (held + expected + 1e-9)
        matrix[2] = expected
        matrix[3] = probability.max()
        matrix[4:] = kinds[:, np.newaxis]
    return judged, matrix


def judged_again(
    trees: SymmetricTrees, probability: Floats, words: Floats, kinds: Floats
) -> Floats:
    """Return the probabilities of blocks with the log-odds that trees over SECOND_FEATURES add."""
    if COMPILED:
        found: Floats = trees.kernel.judge_again(
            probability, words, kinds, trees.bias[0], _LEAST_JUDGED_AGAIN, _LIKELY
        )
        return found
    judged, matrix = second_features(probability, words, kinds)
    again = probability.copy()
    if len(judged):
        before = probability.take(judged)
        odds = before * np.exp(trees(matrix)[0])
        again[judged] = odds / (1.0 - before + odds)
    return again


def without_parts(found: Features, probability: Floats, kinds: Mapping[str, float]) -> Floats:
    """Return the probabilities of blocks, 0 for those in parts that are hardly ever content.

    These are the footer of the page, and a form beside the text of an article or product. If so
    much of the expected words is in such a part that it holds the content of the page, it stays.
    """
    article = kinds["article"]
    has_form = article >= _HAS_SECTIONS or article + kinds["product"] >= _HAS_FORM
    most = (_MOST_IN_FOOTER, _MOST_IN_FORM) if has_form else (_MOST_IN_FOOTER,)
    if COMPILED:
        dropped, rules = probability.copy(), compiled_rules(found.outline)
        rules.drop_parts(dropped, found.matrix, _PART_LINES, most, _LEAST_PART)
        return dropped
    in_footer, in_form, in_article, in_main = found.matrix.take(_PART_LINES, axis=0)
    in_text = np.maximum(in_article, in_main)
    for part, most_inside in zip((in_footer, in_form), most, strict=False):
        expected = probability * found.outline.words
        lost = (expected * (part > in_text)).cumsum()[-1]
        if _LEAST_PART <= lost <= most_inside * expected.cumsum()[-1]:
            probability = np.where(part > in_text, 0.0, probability)
    return probability


def without_wiki_boxes(found: Features, probability: Floats) -> Floats:
    """Return the probabilities of blocks, 0 for those in boxes of MediaWiki.

    These hold links to pages about the same subject, to other projects, and to categories.
    """
    named = [
        at
        for at, pair in enumerate(found.names.pairs)
        if any(name and not _WIKI_BOXES.isdisjoint(name.split()) for name in pair)
    ]
    if not named:
        return probability
    is_inside = blocks_inside(found.outline, _are_named(found.names, named))
    return np.where(is_inside, 0.0, probability)


def _is_of_mediawiki(page: Page) -> bool:
    """Return whether a page says that MediaWiki wrote it."""
    return any(
        (page.nodes[row].attr("content") or "").startswith("MediaWiki")
        for row in page.stated.signs_of_software
        if page.tag[row] == _META
    )


_META = NUMBER["meta"]
_WIKI_BOXES = frozenset(  # classes and ids
    "navbox vertical-navbox sistersitebox mbox-small portalbox portal-bar catlinks "
    "printfooter".split()
)


def _may_keep_comments(found: Features, probability: Floats) -> bool:
    """Return whether enough of the expected words are under a name such as `comments`."""
    outline, names = found.outline, found.names
    named = names.containing(_COMMENT_WORDS)
    if not named:
        return False
    if COMPILED:
        return compiled_rules(outline).hold_share(probability, names, named, _COMMENT_SHARE)
    is_under = blocks_inside(outline, _are_named(names, named))
    expected = probability * outline.words
    held, total = np.array((expected * is_under, expected)).cumsum(axis=1)[:, -1]
    return bool(held > _COMMENT_SHARE * total)


def _stages(trees: SymmetricTrees) -> tuple[SymmetricTrees, ...]:
    """Return the trees in parts that end at `_STAGES`."""
    count, begin = trees.feature.shape[1], 0
    parts: list[SymmetricTrees] = []
    for share in _STAGES:
        part, trees = trees.split(round(share * count) - begin)
        begin += part.feature.shape[1]
        parts.append(part)
    return tuple(part for part in (*parts, trees) if part.feature.shape[1])


def _comment_rows(found: Features, probability: Floats) -> Bools:
    """Return one bool per row: True in readers' comments, by repetition or by their names.

    Names count if they leave a share of `_LEAST_BESIDE_COMMENTS` of the expected words: the section
    of a newspaper may have such a name too. Word F1 on 300 pages each rises by 0.0031 on daniel and
    by 0.0001 on big9-chaos and wcxb-dev; one page of dragnet loses 0.011.
    """
    outline, names = found.outline, found.names
    page = outline.page
    repeated = threads.comment_rows(page)
    names_comments = class_names.names_comments
    pairs = names.containing(_COMMENT_WORDS)
    pairs = [pair for pair in pairs if any(map(names_comments, names.pairs[pair]))]
    rows = outline.row[_are_named(names, pairs)].tolist()
    described = [page.nodes[0], *page.cached(threads.described)]
    if any(map(names_comments, {*attribute_values(described, "itemprop")})):
        values, value_of = distinct_values(page.nodes, outline.row.astype(np.int64), "itemprop")
        is_named = np.array([names_comments(value) for value in values], np.bool_)
        rows += outline.row[is_named.take(value_of)].tolist()
    named = block_kinds.inside_comments(page, rows)
    expected = probability * outline.words
    left = expected[~named[page.blocks.first]].sum()
    return repeated | named if left >= _LEAST_BESIDE_COMMENTS * expected.sum() else repeated


_LEAST_BESIDE_COMMENTS = 0.1


def _feature_numbers(model: Model, name: str, known: int) -> Rows:
    """Return the numbers of the features that the trees of a model use."""
    numbers = model.array(name, "integers", (None,)).astype(np.intp)
    if numbers.min(initial=0) < 0 or numbers.max(initial=0) >= known:
        raise model.damaged("it asks for features that are not known")
    return numbers


def _empty_trees(model: Model) -> SymmetricTrees | None:
    """Return the trees for pages without content, None if the model was trained without them."""
    if "empty_used" not in model.arrays:
        return None
    used = _feature_numbers(model, "empty_used", len(NO_CONTENT_FEATURES))
    return SymmetricTrees.of(model, "empty", len(used), 1).with_lines(used)


def _second_trees(model: Model) -> SymmetricTrees | None:
    """Return the trees on SECOND_FEATURES, None if the model was trained without them."""
    if "second_used" not in model.arrays:
        return None
    used = _feature_numbers(model, "second_used", len(SECOND_FEATURES))
    return SymmetricTrees.of(model, "second", len(used), 1).with_lines(used, shared=1)


def _tokens(model: Model) -> list[str]:
    """Return the tokens of the table of names, which are stored one per line."""
    try:
        text = bytes(model.array("tokens", "integers", (None,)).astype(np.uint8)).decode()
    except UnicodeDecodeError as error:
        raise model.damaged("its names cannot be read") from error
    return text.split("\n") if text else []


_judge_of_model = cached_reader(Judge.of)


@lru_cache(maxsize=1)
def _shipped_judge() -> Judge:
    return _judge_of_model(load("default"))  # its file does not change: no need to look again


def load_judge(path: str = "") -> Judge:
    """Return the judge of a model file, or the shipped one."""
    return _judge_of_model(load("default", path)) if path else _shipped_judge()
