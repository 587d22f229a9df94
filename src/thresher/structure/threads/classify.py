"""Which records are the page's posts, and what kind of page that makes it."""

from __future__ import annotations

import numpy as np

from thresher.page import Page
from thresher.page.array_types import Bools, Int64s, Rows
from thresher.page.tags import NUMBER
from thresher.structure.threads.listing_pages import is_index, lead_elsewhere, prose
from thresher.structure.threads.page_index import Reading, read_within
from thresher.structure.threads.records import FEWEST_ENTRIES, Group, groups, own_sums, timed
from thresher.structure.threads.table_boards import (
    BY_SHAPE,
    clocks,
    note,
    said_beside,
    signed_rows,
    stamped,
)
from thresher.structure.threads.vocabulary import AREA, AUTHOR

Kind = str  # "thread", "comments", "index" or "none"

ENOUGH = 1.5  # evidence of records, set with the weights of `records`
_SHARE = 0.3  # of the page's words that the posts of a thread hold at least
_WRAPPED = 0.8  # of the words of an element: if its members hold so many, it only holds them
_OWN_WORDS = 4  # of records with others inside them, on average
_STRONG = 2.2  # evidence that needs no share
_ARTICLE = 60  # words of prose outside of the records that make an article


def choose(read: Reading) -> tuple[Kind, Int64s, Int64s, Int64s]:
    """Return the kind of the page, where its posts begin and end, and of which sort each is.

    They are in order and may nest; those of one group are of one sort.
    """
    found = groups(read)
    posts = _without_wrappers([group for group in found if group.key[0] != "e"])
    best = next((group for group in posts if _is_records(group)), None)
    if best is None:
        return _other(read, found)
    best = _outermost(best, posts)
    chosen = _with_companions(read, best, posts)
    kind = _kind(read, best, chosen, _is_weblog(found))
    if kind == "none":
        return _other(read, found)
    return kind, *chosen


def may_have_comments(read: Reading) -> bool:
    """Whether a name says a comment, or authors may tell where comments are: else there are none.

    It costs little, and the names of most forums and articles say neither.
    """
    places = read.keys.nonzero()[0]
    keys = read.keys.take(places).tolist()
    said = [place for place, key in enumerate(keys) if read.names[key][0] == "c"]
    rows = read.rows.take(places.take(said)) if said else read.rows[:0]
    return not bool(read.under(read.beside, rows).all()) or _may_be_anchored(read)


def _is_records(group: Group) -> bool:
    if group.key[0] == "p" and len(group.rows) < 2:
        return False
    return group.evidence >= ENOUGH


def _without_wrappers(found: list[Group]) -> list[Group]:
    """Leave out elements around several members of another group: they are no records.

    They may hold such members and be records, as an answer with its comments is, if they hold
    enough besides.
    """
    return [group for group in found if not any(_wraps(group, other) for other in found)]


def _wraps(group: Group, other: Group) -> bool:
    if other is group or other.evidence < ENOUGH or len(other.rows) < 2 * len(group.rows):
        return False
    within = _inside_of(other.rows, group.rows, group.ends)
    return bool(other.own[within].sum() >= _WRAPPED * group.words)


def _outermost(best: Group, found: list[Group]) -> Group:
    """Go from parts to wholes: to a group whose members hold one member of the best each."""
    for group in found:
        if group is best or not 0.8 <= len(group.rows) / len(best.rows) <= 1.25:
            continue
        if group.evidence < best.evidence - 0.8 or group.words > 4 * best.words + 50:
            continue
        inner = best.rows.searchsorted(group.rows, side="right")
        after = np.append(best.rows, np.iinfo(np.int64).max)[inner]
        holds = (after < group.ends) & (group.own > 0)
        if holds.mean() >= 0.8 and (group.rows[holds] < best.rows[inner[holds]]).all():
            best = group
    return best


def _with_companions(
    read: Reading, best: Group, found: list[Group]
) -> tuple[Int64s, Int64s, Int64s]:
    """Add what else is a post: questions over answers, comments under them, a first post."""
    rows, ends, sort = best.rows, best.ends, np.zeros(len(best.rows), np.int64)
    for number, group in enumerate(found, 1):
        if group is best:
            continue
        more = _more(best, group, rows, ends)
        if not len(more):
            continue
        joined = np.concatenate((rows, group.rows[more])), np.concatenate((ends, group.ends[more]))
        order = np.lexsort((-joined[1], joined[0]))
        begins, lasts = joined[0][order], joined[1][order]
        own = own_sums(begins, lasts, read.free[lasts] - read.free[begins])
        is_new = order >= len(rows)
        if own[is_new].mean() >= _OWN_WORDS and own[~is_new].mean() >= _OWN_WORDS:
            rows, ends = begins, lasts
            sort = np.append(sort, np.full(len(more), number))[order]
    return rows, ends, sort


def _more(best: Group, group: Group, rows: Int64s, ends: Int64s) -> Rows:
    """Which members of a group are posts besides those found: all, a first one, or none."""
    within = _inside_of(group.rows, rows, ends)
    same = group.rows[within]
    holders = len(set(rows.searchsorted(same, side="right").tolist()))
    one_each = len(same) <= 1.1 * holders and holders >= 0.6 * len(best.rows)
    if one_each and len(same):  # parts of the records: what stands apart is a first post
        apart = ~within & (rows.searchsorted(group.ends) == rows.searchsorted(group.rows))
        return apart.nonzero()[0] if apart.sum() == 1 else np.zeros(0, np.intp)
    is_post = group.key[0] == "c" or "question" in group.key
    if not is_post or group.evidence < ENOUGH:
        return np.zeros(0, np.intp)
    return np.arange(len(group.rows))


def _inside_of(rows: Int64s, begins: Int64s, ends: Int64s) -> Bools:
    """Which rows lie in one of the intervals."""
    reach = np.concatenate(([0], np.maximum.accumulate(ends)))
    found: Bools = reach[begins.searchsorted(rows, side="right")] > rows
    return found


# --- kinds ---------------------------------------------------------------------------------------


def _kind(read: Reading, best: Group, chosen: tuple[Int64s, Int64s, Int64s], weblog: bool) -> Kind:
    if best.key[0] == "p" and lead_elsewhere(read, best.rows, best.ends, titled=best.titled):
        return "index" if is_index(read, best.rows, best.ends) else "none"
    rows, ends, sort = chosen
    if best.key[0] == "c":
        apart = weblog and bool((sort == 0).all())
        below = apart or prose(read, 0, int(rows[0])) >= _ARTICLE or _after_article(read, best)
        if below and not _declared_thread(read):
            return "comments"
    held = int(own_sums(rows, ends, read.free[ends] - read.free[rows]).sum())
    if held < _SHARE * read.total and best.evidence < _STRONG:
        return "comments" if best.key[0] == "c" else "none"
    return "thread"


def _after_article(read: Reading, best: Group) -> bool:
    """Whether comments, named as such, stand after an `<article>` with prose, however short."""
    if "comment" not in best.key.partition(":")[2].lower():
        return False
    tag, end = read.page.tag, read.page.end
    articles = (tag[: int(best.rows[0])] == NUMBER["article"]).nonzero()[0]
    articles = articles[end.take(articles) <= best.rows[0]][-_MOST_ARTICLES:]
    return any(prose(read, row, int(end[row])) > 0 for row in articles.tolist())


_MOST_ARTICLES = 20  # before the comments that are looked at, the last ones
_DECLARED = ("DiscussionForumPosting", "QAPage")


def _declared_thread(read: Reading) -> bool:
    """Whether the page says in its structured data that it is a thread."""
    html = read.page.html or ""
    return any(name in html for name in _DECLARED)


def _is_weblog(found: list[Group]) -> bool:
    """Whether one element is named a post, as around the article of a weblog."""
    return any(group.key[0] == "p" and len(group.rows) == 1 for group in found)


def _other(read: Reading, found: list[Group]) -> tuple[Kind, Int64s, Int64s, Int64s]:
    """Look for posts by their authors, then for an index; else there is nothing."""
    rows, ends = anchored(read) if _may_be_anchored(read) else (read.rows[:0], read.rows[:0])
    leading = len(rows) > 0 and lead_elsewhere(read, rows, ends)
    if len(rows) and not leading:
        below = _is_weblog(found) or prose(read, 0, int(rows[0])) >= _ARTICLE
        return "comments" if below else "thread", rows, ends, np.zeros_like(rows)
    entries = [(rows, ends)] if leading else []
    entries += [
        (group.rows, group.ends)
        for group in found
        if len(group.rows) >= FEWEST_ENTRIES
        and lead_elsewhere(read, group.rows, group.ends, titled=group.titled)
    ]
    for begins, lasts in entries:
        if is_index(read, begins, lasts):
            return "index", begins, lasts, np.zeros_like(begins)
    rows, ends = _tabled(read)
    if len(rows):
        return "thread", rows, ends, np.full_like(rows, BY_SHAPE)
    rows, ends = _signed(read)
    return "thread" if len(rows) else "none", rows, ends, np.zeros_like(rows)


def _tabled(read: Reading) -> tuple[Int64s, Int64s]:
    """Look for posts in the rows of tables, by their shape alone; much is asked of them."""
    sides = signed_rows(read)
    level, count = np.unique(read.page.level.take(sides), return_counts=True)
    for deep in level[count >= _FEWEST_AUTHORS][:_MOST_PLACES].tolist():
        anchors = sides[read.page.level.take(sides) == deep]
        begins, ends = _cut(read, anchors)
        if _is_board(read, anchors, begins, ends):
            read_within(read, np.zeros(1, np.int64))
            if not lead_elsewhere(read, begins, ends):
                note(read, anchors)
                return begins, ends
    return np.zeros(0, np.int64), np.zeros(0, np.int64)


def _is_board(read: Reading, anchors: Int64s, begins: Int64s, ends: Int64s) -> bool:
    """Whether records that begin with a cell of an author are what the page is about, and dated."""
    if len(begins) < max(_FEWEST_AUTHORS, _ONE_EACH * len(anchors)):
        return False
    free, words = read.free[ends] - read.free[begins], read.words[ends] - read.words[begins]
    return bool(
        np.median(said_beside(read, anchors)) >= _MEAN_WORDS
        and free.sum() >= max(_ANCHORED_SHARE * read.total, _FREE * float(words.sum()))
        and prose(read, 0, int(begins[0])) < _ARTICLE
        and stamped(read.page, begins, ends).mean() >= _STAMPED
    )


def _signed(read: Reading) -> tuple[Int64s, Int64s]:
    """Look for posts whose authors no box but only a word in a line names: much is asked of them.

    To look costs the names of all elements, so times of the day must say that it is worth while.
    """
    nothing = read.rows[:0], read.rows[:0]
    if _may_be_anchored(read) or clocks(read.page) < _FEWEST_AUTHORS:  # the first was looked at
        return nothing
    begins, ends = anchored(read)
    if not len(begins) or prose(read, 0, int(begins[0])) >= _ARTICLE:
        return nothing
    safe = stamped(read.page, begins, ends).mean() >= _STAMPED
    return (begins, ends) if safe and not lead_elsewhere(read, begins, ends) else nothing


_ONE_EACH = 0.9  # records for each row with an author: else several rows are in one
_STAMPED = 0.8  # share of records with a date and the time of the day


# --- posts without names -------------------------------------------------------------------------

_FEWEST_AUTHORS = 3
_LONGEST_AUTHOR = 5  # words
_MEAN_WORDS = 12  # of a post between two authors
_TIMED = 0.7  # share of these posts with a time;
_ANCHORED_SHARE = 0.5  # then they must hold this share of the page's words,
_UNTIMED_SHARE = 0.8  # else this one
_AREA_SAYS = 25  # words of an area that may hold posts: the rest are headings and forms
_AREA_WORDS = 6  # of a post in an area of comments
_FREE = 0.6  # share of their words that are no links


def _may_be_anchored(read: Reading) -> bool:
    """Whether it is worth while to look for authors: something says that there are some.

    An area of comments, several boxes about authors, or a page whose text is a copy for browsers
    without scripts, as of forums that draw themselves.
    """
    bits = read.bits[read.rows]
    areas = read.rows[(bits & AREA) != 0]
    said = read.free_in(areas)
    hidden = int(read.page.words[read.page.hidden].sum())
    return bool(
        (said >= _AREA_SAYS).any()
        or ((bits & AUTHOR) != 0).sum() >= _FEWEST_AUTHORS
        or 2 * hidden > int(read.words[-1])
    )


def anchored(read: Reading) -> tuple[Int64s, Int64s]:
    """Cut the page in front of each author: at the children of what is around all of them.

    Each child that holds an author begins a record, which lasts to the next such child. So a record
    may be one element or several in a row (`dt` with `dd`, two rows of a table).
    """
    page = read.page
    read_within(read, np.zeros(1, np.int64))
    rows = read.saying(AUTHOR)
    words = read.words_in(rows)
    fits = (words > 0) & (words <= _LONGEST_AUTHOR) & ~read.under(read.beside, rows)
    rows = np.array([row for row in rows[fits].tolist() if _is_name(page, row)], np.int64)
    best: tuple[int, Int64s, Int64s] = (0, np.zeros(0, np.int64), np.zeros(0, np.int64))
    in_area = read.under(read.saying(AREA), rows)
    key = (page.tag[rows].astype(np.int64) * 4096 + page.level[rows]) * 2 + in_area
    values, count = np.unique(key, return_counts=True)
    for value in values[(-count).argsort(kind="stable")][:_MOST_PLACES].tolist():
        begins, ends = _cut(read, rows[key == value])
        if not len(begins) or not _holds_posts(read, begins, ends, in_area=value % 2 == 1):
            continue
        held = int((read.free[ends] - read.free[begins]).sum())
        if held > best[0]:
            best = (held, begins, ends)
    return best[1], best[2]


_MOST_PLACES = 16  # sorts of places where authors stand that are tried, the commonest first


def _is_name(page: Page, row: int) -> bool:
    """Whether a small element holds a letter: what only has a number is none's name."""
    first, last = page.text_rows.searchsorted((row, page.end[row])).tolist()
    return any(mark.isalpha() for text in page.texts[first:last] for mark in text or "")


def _cut(read: Reading, anchors: Int64s) -> tuple[Int64s, Int64s]:
    page = read.page
    nothing = np.zeros(0, np.int64)
    if len(anchors) < 2:
        return nothing, nothing
    around = int(page.parent[anchors[0]])
    while around >= 0 and page.end[around] <= anchors[-1]:
        around = int(page.parent[around])
    if around < 0:
        return nothing, nothing
    children = ((page.parent == around) & (page.tag != 0)).nonzero()[0]
    begins = np.unique(children[children.searchsorted(anchors, side="right") - 1])
    ends = np.append(begins[1:], page.end[around])
    last = int(page.end[begins[-1]])  # the last one has no next: as many children as the others
    steps = np.diff(children.searchsorted(begins))
    if len(steps):
        place = int(children.searchsorted(begins[-1])) + int(np.median(steps))
        last = int(children[place]) if place < len(children) else int(page.end[around])
    ends[-1] = last
    return begins.astype(np.int64), ends.astype(np.int64)


def _holds_posts(read: Reading, begins: Int64s, ends: Int64s, *, in_area: bool) -> bool:
    """Whether records cut at authors look like posts; in an area of comments they may be few."""
    times = timed(read)
    dated = (times.searchsorted(ends) > times.searchsorted(begins)).mean()
    free, words = read.free[ends] - read.free[begins], read.words[ends] - read.words[begins]
    if in_area:
        return bool(np.median(free) >= _AREA_WORDS and dated >= _TIMED)
    share = _ANCHORED_SHARE if dated >= _TIMED else _UNTIMED_SHARE
    return bool(
        len(begins) >= _FEWEST_AUTHORS
        and np.median(free) >= _MEAN_WORDS
        and free.sum() >= share * read.total
        and free.sum() >= _FREE * words.sum()
    )
