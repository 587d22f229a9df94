"""Thread or index: whether records are posts, or entries that lead to other pages.

A post has text of its own. An entry of an index (a list of topics, the front page of a weblog, the
results of a search) leads elsewhere: it has a heading that is a link, or begins with a link of
several words, different in each entry. Authors and times do not tell posts from entries, as both
have them, nor does the amount of text: an excerpt may be longer than a post. Links to members,
links around a time, buttons, and links into the page itself do not count, as posts have them too.

Entries make a page an index only if they are its main content. Below an article they are other
articles; and if one of them holds most of their text, it is the article.

References: none; the thesis (7.2.2) assumes that it is known whether a page is one or the other.
"""

from __future__ import annotations

import re

import numpy as np

from thresher.metadata import dates
from thresher.page.array_types import Int64s
from thresher.page.views import PROSE_LINKS, PROSE_WORDS
from thresher.structure.threads.page_facts import PageFacts, link_address, text_under
from thresher.structure.threads.spans import Spans
from thresher.structure.threads.vocabulary import AUTHOR, CONTROL

FEWEST_ENTRIES = 3  # of an index
_ARTICLE_WORDS = 60  # of prose before the records, at least, which make an article

# Set by hand on some 40 pages of wcxb-dev; see docs/threads.md.
_ENTRY_SHARE = 0.6  # of records that lead elsewhere, at least; then all are entries
_LINK_WORDS, _MEAN_LINK_WORDS = 2, 3.5  # at least, of the link that an entry begins with
_WORDS_BEFORE_LINK = 12  # at most, not in links: who, when, how many
_TIME_WORDS = 16  # at most, of an element that is a time
_PROSE_AROUND = 420  # words before and after the entries, at most: with more it is an article,
_PROSE_PER_ENTRY_WORD = 2  # as with more than so many times the words of the entries
_LARGEST_SHARE, _LARGEST_WORDS = 0.6, 60  # of one entry, at most: more is an article
_DIGITS = re.compile(r"\d+")


def are_entries(facts: PageFacts, records: Spans, *, titled: float | None = None) -> bool:
    """Return whether most records are entries that lead to other pages.

    `titled` is the share of records with a heading that is a link, if known. The names inside the
    records must have been read (`read_names_under`).
    """
    if titled is None:
        titled = np.count_nonzero(records.hold(facts.linked_headings())) / len(records)
    if titled >= _ENTRY_SHARE:
        return True
    least = _ENTRY_SHARE * len(records)
    links = _first_links(facts, records)
    if len(links) < least or facts.words_in(links).mean() < _MEAN_LINK_WORDS:
        return False
    distinct = {_DIGITS.sub("", text_under(facts.page, row)) for row in links.tolist()}
    return len(distinct) >= least  # "Post 3 of 7" is a link of a post


def _first_links(facts: PageFacts, records: Spans) -> Int64s:
    """Return the rows of the links that records begin with, at most one for each record."""
    page = facts.page
    links = page.is_link.nonzero()[0]
    record = records.innermost(len(page)).take(links)
    fits = (record >= 0) & (facts.words_in(links) >= _LINK_WORDS)
    fits &= (facts.bits.take(links) & (AUTHOR | CONTROL)) == 0
    before = facts.unlinked.take(links) - facts.unlinked.take(records.begins.take(record))
    fits &= before <= _WORDS_BEFORE_LINK
    links, record = links[fits], record[fits]
    times = facts.time_rows()
    times = times[facts.words_in(times) <= _TIME_WORDS]
    is_time = facts.is_under(times, links)
    is_time |= times.searchsorted(page.end.take(links)) > times.searchsorted(links)
    pairs = zip(links.tolist(), is_time.tolist(), strict=True)
    fits = np.array([_may_lead_to_topic(facts, row, time) for row, time in pairs], np.bool_)
    found: Int64s = links[fits][np.unique(record[fits], return_index=True)[1]]
    return found


def _may_lead_to_topic(facts: PageFacts, row: int, is_time: bool) -> bool:
    """Return whether a link leads to another page and does not show a time."""
    address = link_address(facts.page, row)
    if "#" in address or address.startswith("mailto:"):
        return False
    text = text_under(facts.page, row)
    return not (_DIGITS.search(text) and (is_time or dates.to_iso(text)))


def is_index_page(facts: PageFacts, entries: Spans) -> bool:
    """Return whether entries are the main content of the page: there is no article besides."""
    words = entries.sums(facts.unlinked)
    largest = max(_LARGEST_SHARE * int(words.sum()), _LARGEST_WORDS)
    if len(entries) < FEWEST_ENTRIES or int(words.max()) > largest:
        return False
    around = prose_words(facts, 0, int(entries.begins[0]), shown=True)
    around += prose_words(facts, int(entries.ends.max()), len(facts.page), shown=True)
    all_words = int(entries.sums(facts.words).sum())
    return around <= min(_PROSE_AROUND, _PROSE_PER_ENTRY_WORD * all_words)


def follow_article(facts: PageFacts, records: Spans) -> bool:
    """Return whether there is enough prose before the first record for an article."""
    return prose_words(facts, 0, int(records.begins[0])) >= _ARTICLE_WORDS


def prose_words(facts: PageFacts, begin: int, end: int, *, shown: bool = False) -> int:
    """Return the words of prose between two rows: of blocks with many words and few links.

    Sidebars, menus and footers are left out; with `shown`, hidden blocks too.
    """
    blocks = facts.page.blocks
    between = slice(*blocks.first.searchsorted((begin, end)).tolist())
    words = blocks.words[between]
    is_prose = (words >= PROSE_WORDS) & (blocks.linked_words[between] < PROSE_LINKS * words)
    if shown:
        is_prose &= ~blocks.hidden[between]
    first = blocks.first[between][is_prose]
    is_counted = facts.words.take(first + 1) > facts.words.take(first)
    is_counted &= ~facts.is_under(facts.outside, first)
    return int(words[is_prose][is_counted].sum())
