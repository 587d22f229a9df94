"""A site: what several of its pages have in common, learned page by page.

    site = thresher.learn(pages)        a few pages are enough
    site.extract(html, url=...)         a Document, with the evidence of the site weighed in
    site.learn(html, url=...)           one page more

A site has a few templates (`thresher.site.template`), one for each layout of its pages. A page
belongs to the template whose paths of tags and classes are most alike. If none is alike enough, the
page begins a new template, so a redesign is noticed with its first pages and learned with the next
ones. When there are too many templates, the one that was used longest ago is forgotten.

Evidence. For a block with probability p that the default gives from the page alone, and m the mean
probability of the text at the same path of the learned pages,

    p' = (1 - w) p + w m        with w = PATH_WEIGHT, if the path was seen; else p' = p
    p' = p' / 2                 if its text is on several learned pages: on REPEATED_PAGES or more,
                                and on a share of REPEATED_SHARE or more of the template's pages

and the default's own rule chooses blocks from p'. The probabilities of the learned pages come from
the default itself, so no labels are needed.

The weights were swept on sites of wcxb-dev and fundus with two pages or more, with models that
never saw these sites. Boosted trees and a logistic regression over the same evidence and the marks
of `thresher.site.matching` were tried too: they gain on some sites and lose up to 0.2 on others,
since those corpora have few pages per site. docs/site.md has the figures.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from thresher.document import Document, choose_method, judged_document, to_page
from thresher.errors import UsageError
from thresher.methods.default import Default
from thresher.methods.default.judge import Judgement
from thresher.page import Page
from thresher.page.array_types import Bools
from thresher.site.evidence import BlockKeys
from thresher.site.matching import Parts, Sequence, flow_rows, match
from thresher.site.related import host_of, most_related, url_key
from thresher.site.template import Furniture, Template
from thresher.structure.block_kinds import kinds_of_blocks, row_parts

PATH_WEIGHT = 0.4
REPEATED_PAGES = 2
REPEATED_SHARE = 0.4

ALIKE = 0.2  # similarity from which on a page belongs to a template
MOST_TEMPLATES = 6
MOST_REFERENCES = 12  # pages that are kept for matching
MOST_ROWS = 2_000  # of a page that is kept
RECENT = 3  # pages that tell whether a site was redesigned

Source = str | bytes | Path | Page


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A learned page, as far as matching needs it."""

    key: str  # of its address
    url: str
    number: int  # among the pages of the site, in the order of learning
    sequence: Sequence


@dataclass(eq=False)
class Site:
    """What was learned of the pages of a site."""

    host: str = ""
    pages: int = 0  # learned so far
    templates: list[Template] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)  # sorted by key
    recent: list[int] = field(default_factory=list)  # templates of the last pages, by `first`

    # --- learning ---------------------------------------------------------------------------

    def learn(self, source: Source, *, url: str | None = None) -> Template | None:
        """Learn one more page; return its template, None of a page without text."""
        page = to_page(source, url)
        judgement = Default().judge(page)
        if judgement is None:
            return None
        keys = BlockKeys.of(judgement)
        path, mean = keys.path_means(judgement)
        text = np.unique(keys.text[judgement.features.outline.allowed])
        self.pages += 1
        old = self.template_of(judgement, keys)
        new = (old or Template()).learn(text, path, mean, self.pages)
        new = self._with_samples(new, page, judgement, keys)
        self.templates = [template for template in self.templates if template is not old] + [new]
        self.templates = self.templates[-MOST_TEMPLATES:]  # the least recently used goes
        self.recent = [*self.recent, new.first][-RECENT:]
        self._remember(page)
        return new

    def template_of(self, judgement: Judgement, keys: BlockKeys | None = None) -> Template | None:
        """Return the template of a page, None if it is like none of them."""
        path = np.unique((keys or BlockKeys.of(judgement)).path)
        alike = [(template.similarity(path), -at) for at, template in enumerate(self.templates)]
        best, at = max(alike, default=(0.0, 0))
        return self.templates[-at] if best >= ALIKE else None

    def _with_samples(
        self, template: Template, page: Page, judgement: Judgement, keys: BlockKeys
    ) -> Template:
        """Note the words of the blocks that are on several pages and were not noted yet."""
        share = template.text_pages(keys.text)
        wanted = (share >= REPEATED_PAGES) & judgement.features.outline.allowed
        known = np.fromiter(template.samples, np.uint64, len(template.samples))
        new = (wanted & ~np.isin(keys.text, known)).nonzero()[0].tolist()
        if not new:
            return template
        kinds = kinds_of_blocks(page, np.zeros(len(keys.text), np.bool_), row_parts(page))
        samples = {int(keys.text[at]): (kinds[at], page.block_text(at)) for at in new}
        return template.with_samples(samples)

    def _remember(self, page: Page) -> None:
        """Keep the page for matching, and forget the oldest of too many."""
        sequence = flow_rows(page).sequence
        if len(sequence) > MOST_ROWS:
            return
        url = page.url or ""
        new = Reference(url_key(url), url, self.pages, sequence)
        others = [one for one in self.references if one.url != url or not url]
        newest = sorted([*others, new], key=lambda one: -one.number)[:MOST_REFERENCES]
        self.references = sorted(newest, key=lambda one: (one.key, one.number))

    # --- applying ---------------------------------------------------------------------------

    def extract(
        self, source: Source, *, url: str | None = None, favor: str | None = None
    ) -> Document:
        """Extract the main content of a page of this site.

        The evidence of the site is weighed in; a page that is like no template is extracted as
        `thresher.extract` would.
        """
        method = choose_method(None, favor)  # type: ignore[arg-type]
        if not isinstance(method, Default):  # pragma: no cover
            raise UsageError("a site is extracted with the default method.")
        page = to_page(source, url)
        judgement = method.judge(page)
        return judged_document(page, method, self.weigh(judgement))

    def weigh(self, judgement: Judgement | None) -> Judgement | None:
        """Return the probabilities of a page with the evidence of its template weighed in."""
        if judgement is None:
            return None
        keys = BlockKeys.of(judgement)
        template = self.template_of(judgement, keys)
        if template is None:
            return judgement
        p = judgement.probability
        mean, is_known = template.path_mean(keys.path)
        weighed = np.where(is_known, (1 - PATH_WEIGHT) * p + PATH_WEIGHT * mean, p)
        weighed = np.where(self.is_repeated(template, keys), weighed / 2, weighed)
        return replace(judgement, probability=weighed * judgement.features.outline.allowed)

    @staticmethod
    def is_repeated(template: Template, keys: BlockKeys) -> Bools:
        """Return one bool per block: True if its text is on several of the learned pages."""
        pages = template.text_pages(keys.text)
        found: Bools = (pages >= REPEATED_PAGES) & (pages >= REPEATED_SHARE * template.pages)
        return found

    def parts(self, source: Source, *, url: str | None = None) -> Parts:
        """Return the common, regular and content parts of a page.

        It is matched with the learned page whose address is most alike.
        """
        page = to_page(source, url)
        at = most_related(url_key(page.url or ""), [one.key for one in self.references])
        if at < 0:
            raise UsageError("no page was learned yet: learn one before asking for parts.")
        return match(page, self.references[at].sequence)

    # --- what is known ----------------------------------------------------------------------

    @property
    def redesigned(self) -> bool:
        """Whether the last pages have a layout that began after another one was in use."""
        if len(self.recent) < RECENT or len(set(self.recent)) > 1:
            return False
        return any(
            template.first < self.recent[-1] and template.pages >= RECENT
            for template in self.templates
        )

    def furniture(self) -> list[Furniture]:
        """Return the texts that repeat on the pages of the site, the most frequent first."""
        found = [one for template in self.templates for one in template.furniture()]
        return sorted(found, key=lambda one: (-one.share, one.kind, one.text))


def learn(pages: Iterable[Source | tuple[Source, str]], *, host: str = "") -> Site:
    """Learn a site from some of its pages.

    Each page is HTML, a file or a parsed page, or a pair of one of these and its address.
    """
    site = Site(host)
    for given in pages:
        source, url = given if isinstance(given, tuple) else (given, None)
        page = to_page(source, url)
        site.host = site.host or host_of(page.url or "")
        site.learn(page)
    return site
