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

The weights are one of 13 settings tried on sites of wcxb-dev, fundus, big9-chaos and daniel, chosen
so that no site of the last two loses more than 0.01; on wcxb-dev alone a share of 0.6 is better,
and one site there loses 0.068. So gains on big9-chaos and daniel are not those of a blind test.
Boosted trees and a logistic regression over the same evidence and the marks of
`thresher.site.matching` were tried too: they gain on some sites and lose up to 0.2 on others, since
those corpora have few pages per site. docs/site.md has the figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from thresher.document import Document, Favor, choose_method, judged_document, to_page
from thresher.errors import InputError, UsageError
from thresher.methods.default import Default
from thresher.methods.default.judge import Judgement
from thresher.page import Page
from thresher.page.array_types import Bools
from thresher.site.evidence import BlockKeys
from thresher.site.matching import Parts, Sequence, flow_rows, match, stable_hash
from thresher.site.records import (
    DamagedError,
    Record,
    checked_record,
    pack,
    plain,
    read_columns,
    read_list,
    read_number,
    read_text,
    unpack,
)
from thresher.site.related import host_of, most_related, public_address, url_key
from thresher.site.template import Furniture, Template
from thresher.structure.block_kinds import kinds_of_blocks, row_parts

PATH_WEIGHT = 0.4
REPEATED_PAGES = 2
REPEATED_SHARE = 0.4

ALIKE = 0.2  # similarity from which on a page belongs to a template
MOST_TEMPLATES = 6
MOST_REFERENCES = 12  # pages that are kept for matching
MOST_ROWS = 2_000  # of a page that is kept
MOST_URL = 2_000  # characters of its address
MOST_KNOWN = 10_000  # addresses of learned pages that are known again
RECENT = 3  # pages that tell whether a site was redesigned
MOST_HOST = 255  # characters
MOST_PAGES = 10**9  # in what is read; the columns can count up to 2**32 - 1

_FORMAT, _VERSION = "thresher-site", 1  # of what `to_bytes` and `to_dict` write
_KINDS_OF_COLUMNS = {
    "key": np.uint64, "pattern": np.uint64, "end": np.int32, "parent": np.int32,
    "level": np.int32, "long_words": np.int32,
}  # fmt: skip

Source = str | bytes | Path | Page


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A learned page, as far as matching needs it."""

    key: str  # of its address
    url: str  # without user name, password and query
    number: int  # among the pages of the site, in the order of learning
    template: int  # the `first` of its template
    sequence: Sequence

    def to_record(self) -> Record:
        """Return the page as a record, for `thresher.site.records`."""
        columns = {name: getattr(self.sequence, name) for name in _KINDS_OF_COLUMNS}
        return {
            "url": self.url,
            "key": self.key,
            "number": self.number,
            "template": self.template,
            "rows": columns,
        }

    @classmethod
    def from_record(cls, record: Record, site_pages: int) -> Reference:
        """Return the page of a record, of a site with so many pages."""
        rows = Sequence(**read_columns(record.get("rows"), _KINDS_OF_COLUMNS, MOST_ROWS))
        place = np.arange(len(rows))
        if ((rows.end <= place) | (rows.end > len(rows))).any():
            raise DamagedError("a row of a learned page ends before it begins")
        return cls(
            read_text(record, "key", MOST_URL),
            read_text(record, "url", MOST_URL),
            read_number(record, "number", 1, site_pages),
            read_number(record, "template", 1, site_pages),
            rows,
        )


@dataclass(eq=False)
class Site:
    """What was learned of the pages of a site."""

    host: str = ""
    pages: int = 0  # learned so far
    templates: list[Template] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)  # sorted by key
    recent: list[int] = field(default_factory=list)  # templates of the last pages, by `first`
    known: list[int] = field(default_factory=list)  # hashes of the addresses of the last pages

    def __repr__(self) -> str:
        """Return the host and how much was learned."""
        return f"<Site {self.host!r}: {self.pages:,} pages, {len(self.templates)} templates>"

    # --- learning ---------------------------------------------------------------------------

    def learn(self, source: Source, *, url: str | None = None) -> Template | None:
        """Learn one more page; return its template, None of a page without text.

        A page whose address was learned before is not counted again: a text that is on one page
        only would then seem to repeat.
        """
        page = to_page(source, url)
        judgement = Default().judge(page)
        if judgement is None:
            return None
        keys = BlockKeys.of(judgement)
        if page.url:
            address = stable_hash(page.url.partition("#")[0])
            if address in self.known:
                return self.template_of(keys)
            self.known = [*self.known, address][-MOST_KNOWN:]
            self.host = self.host or host_of(page.url)
        path, mean = keys.path_means(judgement)
        text = np.unique(keys.text[judgement.features.outline.allowed])
        self.pages += 1
        old = self.template_of(keys)
        new = (old or Template()).learn(text, path, mean, self.pages)
        new = self._with_samples(new, page, judgement, keys)
        self.templates = [template for template in self.templates if template is not old] + [new]
        self.templates = self.templates[-MOST_TEMPLATES:]  # the least recently used goes
        self.recent = [*self.recent, new.first][-RECENT:]
        self._remember(page, new)
        return new

    def template_of(self, keys: BlockKeys) -> Template | None:
        """Return the template of a page with these keys, None if it is like none of them."""
        path = np.unique(keys.path)
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

    def _remember(self, page: Page, template: Template) -> None:
        """Keep the page for matching.

        Of too many pages, the oldest one of the template that has the most is forgotten.
        """
        sequence = flow_rows(page).sequence
        if len(sequence) > MOST_ROWS:
            return
        url = page.url or ""
        shown = public_address(url)[:MOST_URL]
        new = Reference(url_key(url)[:MOST_URL], shown, self.pages, template.first, sequence)
        kept = [*self.references, new]
        if len(kept) > MOST_REFERENCES:
            pages = Counter(one.template for one in kept)
            kept.remove(min(kept, key=lambda one: (-pages[one.template], one.number)))
        self.references = sorted(kept, key=lambda one: (one.key, one.number))

    # --- applying ---------------------------------------------------------------------------

    def extract(
        self, source: Source, *, url: str | None = None, favor: Favor | None = None
    ) -> Document:
        """Extract the main content of a page of this site.

        The evidence of the site is weighed in; a page that is like no template is extracted as
        `thresher.extract` would.
        """
        method = choose_method(None, favor)
        assert isinstance(method, Default)  # what it returns without a method
        page = to_page(source, url)
        return judged_document(page, method, self.weigh(method.judge(page)))

    def weigh(self, judgement: Judgement | None) -> Judgement | None:
        """Return the probabilities of a page with the evidence of its template weighed in."""
        if judgement is None:
            return None
        keys = BlockKeys.of(judgement)
        template = self.template_of(keys)
        if template is None:
            return judgement
        p = judgement.probability
        mean, is_known = template.path_mean(keys.path)
        weighed = np.where(is_known, (1 - PATH_WEIGHT) * p + PATH_WEIGHT * mean, p)
        repeated = self.is_repeated(template, keys)
        weighed = np.where(repeated, weighed / 2, weighed)
        weighed *= judgement.features.outline.allowed
        return replace(judgement, probability=weighed, repeated=repeated)

    @staticmethod
    def is_repeated(template: Template, keys: BlockKeys) -> Bools:
        """Return one bool per block: True if its text is on several of the learned pages."""
        pages = template.text_pages(keys.text)
        found: Bools = (pages >= REPEATED_PAGES) & (pages >= REPEATED_SHARE * template.pages)
        return found

    def parts(self, source: Source, *, url: str | None = None) -> Parts:
        """Return the common, regular and content parts of a page.

        It is matched with `most_related` of the learned pages.
        """
        page = to_page(source, url)
        return match(page, self.most_related(page).sequence)

    def most_related(self, page: Page) -> Reference:
        """Return the learned page to compare a page with.

        Of the pages of the same template, or of all if none is kept, it is the one whose address is
        most alike; for a page without an address, the one learned last.
        """
        if not self.references:
            raise UsageError(
                f"no page was learned yet that can be compared: learn one of at most {MOST_ROWS:,} "
                "rows before asking for parts."
            )
        judgement = Default().judge(page)
        template = self.template_of(BlockKeys.of(judgement)) if judgement else None
        own = [one for one in self.references if template and one.template == template.first]
        candidates = own or self.references
        if not page.url:
            return max(candidates, key=lambda one: one.number)
        return candidates[most_related(url_key(page.url), [one.key for one in candidates])]

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

    # --- written and read -------------------------------------------------------------------

    def _to_record(self) -> Record:
        return {
            "format": _FORMAT,
            "version": _VERSION,
            "host": self.host,
            "pages": self.pages,
            "recent": self.recent,
            "known": {"address": np.array(self.known, np.uint64)},
            "templates": [template.to_record() for template in self.templates],
            "references": [reference.to_record() for reference in self.references],
        }

    @classmethod
    def _from_record(cls, record: Record) -> Site:
        if record.get("format") != _FORMAT:
            raise DamagedError("it lacks the mark of a site")
        if record.get("version") != _VERSION:
            raise DamagedError("it was written by another version of thresher")
        pages = read_number(record, "pages", 0, MOST_PAGES)
        templates = map(checked_record, read_list(record, "templates", MOST_TEMPLATES))
        references = map(checked_record, read_list(record, "references", MOST_REFERENCES))
        site = cls(
            read_text(record, "host", MOST_HOST),
            pages,
            [Template.from_record(one, pages) for one in templates],
            [Reference.from_record(one, pages) for one in references],
            read_list(record, "recent", RECENT),
            read_columns(record.get("known"), {"address": np.uint64}, MOST_KNOWN)[
                "address"
            ].tolist(),
        )
        if not all(type(number) is int and 1 <= number <= pages for number in site.recent):
            raise DamagedError("its last pages have no number")
        if site.references != sorted(site.references, key=lambda one: (one.key, one.number)):
            raise DamagedError("its learned pages are not sorted by address")
        return site

    def to_bytes(self) -> bytes:
        """Return the site as bytes, from which `from_bytes` makes an equal one."""
        return pack(self._to_record())

    @classmethod
    def from_bytes(cls, data: bytes) -> Site:
        """Return the site that `to_bytes` made these bytes from; InputError if they are damaged."""
        try:
            return cls._from_record(unpack(data))
        except DamagedError as error:
            raise InputError(f"this is no site that can be read: {error}.") from error

    def to_dict(self) -> dict[str, Any]:
        """Return the site as plain data, ready for JSON."""
        data: dict[str, Any] = plain(self._to_record())
        return data

    @classmethod
    def from_dict(cls, data: object) -> Site:
        """Return the site that `to_dict` made this data from; InputError if it is damaged."""
        try:
            return cls._from_record(checked_record(data))
        except DamagedError as error:
            raise InputError(f"this is no site that can be read: {error}.") from error


def learn(pages: Iterable[Source | tuple[Source, str]], *, host: str = "") -> Site:
    """Learn a site from some of its pages.

    Each page is HTML, a file or a parsed page, or a pair of one of these and its address. `host` is
    taken from the first address unless given.
    """
    if isinstance(pages, str | bytes | Path | Page) or not isinstance(pages, Iterable):
        raise UsageError("learn takes several pages: give a list of pages, or of (page, address).")
    site = Site(host_of(host if "//" in host else f"//{host}"))
    for given in pages:
        source, url = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
        site.learn(source, url=url)
    return site
