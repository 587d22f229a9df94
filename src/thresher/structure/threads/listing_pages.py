"""Thread or index: whether records are posts, or entries that lead elsewhere.

A post has text of its own. An entry of an index (a list of topics, the front page of a weblog, the
results of a search) leads elsewhere: it has a heading that is a link, or begins with a link of
several words, another one in each entry. Neither authors and times tell them apart, which both
have, nor how much text they hold: an excerpt may be longer than a post. Links to members, links
around a time, buttons, and links into the page itself, as posts have them too, do not count.

Entries make an index of the page only if they are what it is about. Below an article they are
other articles, and if one of them holds most of their text, it is the article.

References: none; the thesis (7.2.2) takes for granted that a page is one or the other.
"""

from __future__ import annotations

import re
from operator import methodcaller

import numpy as np

from thresher.metadata import dates
from thresher.page.array_types import Int64s
from thresher.page.tags import NUMBER
from thresher.structure.threads.page_index import Reading
from thresher.structure.threads.record_rows import owners
from thresher.structure.threads.records import FEWEST_ENTRIES, timed, titles
from thresher.structure.threads.vocabulary import AUTHOR, CONTROL

_HREF = methodcaller("attr", "href")

# Set by hand on some 40 pages of wcxb-dev; see docs/threads.md.
_LEADING = 0.6  # share of records that lead elsewhere, which makes them entries
_LINK_WORDS, _MEAN_LINK_WORDS = 2, 3.5  # of the link that an entry begins with: least, on average
_WORDS_BEFORE = 12  # words before that link which are no links, at most: who, when, how many
_MOST_PROSE = 420  # words of prose before and after the entries: with more it is an article,
_MOST_TIMES_ENTRIES = 2  # also with more than so many times the words of the entries
_WHOLE, _MOST_ALONE = 0.6, 60  # share of the entries' words; words: what holds more is no entry
_PROSE_WORDS, _PROSE_LINKS = 15, 0.3  # a block of prose: words at least, share in links at most


def lead_elsewhere(
    read: Reading, rows: Int64s, ends: Int64s, *, titled: float | None = None
) -> bool:
    """Tell whether most records, given where they begin and end, are entries that lead elsewhere.

    `titled` is the share that has a heading which is a link, if that is known. The links inside the
    records must have been read (`read_within`).
    """
    if titled is None:
        headings = titles(read)
        has = headings.searchsorted(ends) > headings.searchsorted(rows)
        titled = np.count_nonzero(has) / len(rows)
    if titled >= _LEADING:
        return True
    least = _LEADING * len(rows)
    links = _first_links(read, rows, ends)
    if len(links) < least or read.words_in(links).mean() < _MEAN_LINK_WORDS:
        return False
    distinct = {_DIGITS.sub("", _text(read, row)) for row in links.tolist()}
    return len(distinct) >= least  # "Post 3 of 7" is of a post


def _first_links(read: Reading, rows: Int64s, ends: Int64s) -> Int64s:
    """Return the rows of the links that records begin with; at most one of each record."""
    page = read.page
    links = (page.tag == NUMBER["a"]).nonzero()[0]
    owner = owners(len(page), rows, ends).take(links)
    fits = (owner >= 0) & (read.words_in(links) >= _LINK_WORDS)
    fits &= (read.bits.take(links) & (AUTHOR | CONTROL)) == 0
    fits &= read.free.take(links) - read.free.take(rows.take(owner)) <= _WORDS_BEFORE
    links, owner = links[fits], owner[fits]
    times = timed(read)
    times = times[read.words_in(times) <= _TIME_WORDS]
    of_time = read.under(times, links)
    of_time |= times.searchsorted(page.end.take(links)) > times.searchsorted(links)
    pairs = zip(links.tolist(), of_time.tolist(), strict=True)
    counts = np.array([_counts(read, row, is_time) for row, is_time in pairs], np.bool_)
    links, owner = links[counts], owner[counts]
    found: Int64s = links[np.unique(owner, return_index=True)[1]]
    return found


_TIME_WORDS = 16  # of an element that tells a time, at most
_DIGITS = re.compile(r"\d+")


def _counts(read: Reading, row: int, is_time: bool) -> bool:
    """Whether a link may lead to a topic: not into the page itself, and it shows no time."""
    if "#" in (_HREF(read.page.nodes[row]) or "#"):
        return False
    text = _text(read, row)
    return not (_DIGITS.search(text) and (is_time or dates.to_iso(text)))


def _text(read: Reading, row: int) -> str:
    page = read.page
    first, last = page.text_rows.searchsorted((row, page.end[row])).tolist()
    return " ".join(" ".join(text or "" for text in page.texts[first:last]).split())


def is_index(read: Reading, rows: Int64s, ends: Int64s) -> bool:
    """Tell whether entries are what the page is about: there is no article besides."""
    free = read.free.take(ends) - read.free.take(rows)
    alone = max(_WHOLE * int(free.sum()), _MOST_ALONE)
    if len(rows) < FEWEST_ENTRIES or int(free.max()) > alone:
        return False
    words = int((read.words.take(ends) - read.words.take(rows)).sum())
    around = prose(read, 0, int(rows[0]), shown=True)
    around += prose(read, int(ends.max()), len(read.page), shown=True)
    return around <= min(_MOST_PROSE, _MOST_TIMES_ENTRIES * words)


def prose(read: Reading, begin: int, end: int, *, shown: bool = False) -> int:
    """Count the words of prose between two rows: of blocks with many words and few links.

    With `shown`, of those alone that a browser shows.
    """
    blocks = read.page.blocks
    among = slice(*blocks.first.searchsorted((begin, end)).tolist())
    words = blocks.words[among]
    is_prose = (words >= _PROSE_WORDS) & (blocks.linked_words[among] < _PROSE_LINKS * words)
    if shown:
        is_prose &= ~blocks.hidden[among]
    first = blocks.first[among][is_prose]
    counts = (read.words.take(first + 1) > read.words.take(first)) & ~read.under(read.beside, first)
    return int(words[is_prose][counts].sum())
