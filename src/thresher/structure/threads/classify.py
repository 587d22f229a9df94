"""The kind of a page (thread, comments, index or none) and the records that are its posts."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from thresher.page.array_types import Bools, Int64s, Rows
from thresher.page.tags import NUMBER
from thresher.structure.threads import index_pages, unnamed_posts
from thresher.structure.threads.page_facts import PageFacts, read_names_under
from thresher.structure.threads.record_groups import ENOUGH_EVIDENCE, RecordGroup, record_groups
from thresher.structure.threads.spans import Spans
from thresher.structure.threads.stamped_posts import posts_at_stamps
from thresher.structure.threads.vocabulary import AREA, AUTHOR, BODY

Kind: TypeAlias = Literal["thread", "comments", "index", "none"]

_PAGE_SHARE = 0.3  # of the page's words that the posts of a thread hold, at least,
_STRONG_EVIDENCE = 2.2  # unless the evidence for them is this strong
_WRAPPED_SHARE = 0.8  # of an element's words in records: with so many it is only their wrapper
# Of records whose names are only those of texts: how many there are at least, how many hold an
# author or a time at most, and how many hold an author with what is around them at least.
_FEWEST_WIDENED, _BARE_SHARE, _SIGNED_SHARE = 2, 0.3, 0.7
_OWN_SHARE = 0.5  # of the words of comments that records with comments have besides, at least
_MOST_AROUND = 8  # elements around a record that may be named for comments
_OWN_WORDS = 4  # on average at least, of records with others inside them


class Classified(NamedTuple):
    """The kind of a page and its posts."""

    kind: Kind
    records: Spans
    group: Int64s  # of each record: the number of the group it comes from


def classify(facts: PageFacts) -> Classified:
    """Return the kind of a page with its posts, comments or entries."""
    groups = record_groups(facts)
    possible = [group for group in groups if group.name.kind != "entry"]
    posts = [group for group in possible if not any(_wraps(group, other) for other in possible)]
    best = next((group for group in posts if _are_records(group)), None)
    if best is not None:
        best = _with_bylines(facts, _outermost(best, posts))
        records, group_of = _with_other_posts(facts, best, posts)
        kind = _kind(facts, best, records, group_of, is_weblog=_is_weblog(groups))
        if kind == "comments" and _are_in_thread(facts, groups, records):
            kind = "thread"
            opening = _single_post(facts, groups, int(records.begins[0]))
            if opening >= 0:
                return _with_opening_post(facts, opening, records, group_of)
        first = _opening_post(facts, int(records.begins[0])) if best.name.kind == "comment" else -1
        if first >= 0:
            return _with_opening_post(facts, first, records, group_of)
        if kind != "none":
            return Classified(kind, records, group_of)
    return _classify_unnamed(facts, groups)


def may_have_comments(facts: PageFacts) -> bool:
    """Return False if a page cannot have comments: no name of a comment and no sign of authors.

    This costs little, and False is the answer for most pages.
    """
    named = [place for place, name in facts.record_names.items() if name.kind == "comment"]
    rows = facts.candidates.take(np.array(named, np.int64))
    is_outside = facts.is_under(facts.outside, rows)
    return not is_outside.all() or unnamed_posts.may_have_author_cuts(facts)


# --- records by name -----------------------------------------------------------------------------


def _are_records(group: RecordGroup) -> bool:
    if group.name.kind == "post" and len(group.records) < 2:
        return False
    return group.evidence >= ENOUGH_EVIDENCE


def _wraps(group: RecordGroup, other: RecordGroup) -> bool:
    """Return whether elements only wrap several records of another group each.

    They may hold such records and be records too, as an answer with its comments is, if they hold
    enough words besides.
    """
    is_other = other is not group and other.evidence >= ENOUGH_EVIDENCE
    if not is_other or len(other.records) < 2 * len(group.records):
        return False
    within = _is_in_spans(other.records.begins, group.records)
    return bool(other.own_words[within].sum() >= _WRAPPED_SHARE * group.words)


def _outermost(best: RecordGroup, groups: list[RecordGroup]) -> RecordGroup:
    """Return the group whose members hold one member of the best group each, if there is one."""
    for group in groups:
        if group is best or not 0.8 <= len(group.records) / len(best.records) <= 1.25:
            continue
        if group.evidence < best.evidence - 0.8 or group.words > 4 * best.words + 50:
            continue
        outer, inner = group.records, best.records
        number = inner.begins.searchsorted(outer.begins, side="right")
        next_inner = np.append(inner.begins, np.iinfo(np.int64).max)[number]
        holds = (next_inner < outer.ends) & (group.own_words > 0)
        if holds.mean() >= 0.8:
            best = group
    return best


def _with_bylines(facts: PageFacts, best: RecordGroup) -> RecordGroup:
    """Return the group with the elements around its members, if authors are beside the members.

    Some boards name only the text of a post. Of the element around all members, the children that
    hold one member each are the records if they hold authors, by their names or, in tables, by
    their places.
    """
    page, records = facts.page, best.records
    if len(records) < _FEWEST_WIDENED or (records.begins[1:] < records.ends[:-1]).any():
        return best
    authors = facts.rows_with(AUTHOR)
    signed, timed = (records.hold(rows).mean() for rows in (authors, facts.time_rows()))
    if max(signed, timed) >= _BARE_SHARE:  # true of most boards
        return best
    begins = unnamed_posts.cut_at(page, records.begins).begins
    wider = Spans(begins, page.end.take(begins).astype(np.int64))
    if len(wider) != len(records):
        return best
    read_names_under(facts, wider.begins)
    is_signed = wider.hold(facts.rows_with(AUTHOR)).mean() >= _SIGNED_SHARE
    is_signed = is_signed or unnamed_posts.sign_tables(facts, wider, records)
    return replace(best, records=wider) if is_signed else best


def _with_other_posts(
    facts: PageFacts, best: RecordGroup, groups: list[RecordGroup]
) -> tuple[Spans, Int64s]:
    """Add other posts to the best group: questions of answers, comments on them, a first post.

    Return all posts in order, and the number of the group of each.
    """
    records, group_of = best.records, np.zeros(len(best.records), np.int64)
    for number, group in enumerate(groups, 1):
        if group is best:
            continue
        added = _posts_to_add(facts, best, group, records)
        if not len(added):
            continue
        begins = np.concatenate((records.begins, group.records.begins[added]))
        ends = np.concatenate((records.ends, group.records.ends[added]))
        order = np.lexsort((-ends, begins))
        joined = Spans(begins[order], ends[order])
        own_words = joined.own_sums(facts.unlinked)
        is_new = order >= len(records)
        if min(own_words[is_new].mean(), own_words[~is_new].mean()) >= _OWN_WORDS:
            records = joined
            group_of = np.append(group_of, np.full(len(added), number))[order]
    return records, group_of


def _posts_to_add(facts: PageFacts, best: RecordGroup, group: RecordGroup, records: Spans) -> Rows:
    """Return the numbers of the group's members that are posts too: all, a first one, or none."""
    members = group.records
    is_within = _is_in_spans(members.begins, records)
    within = members.begins[is_within]
    holders = len(set(records.begins.searchsorted(within, side="right").tolist()))
    one_each = len(within) <= 1.1 * holders and holders >= 0.6 * len(best.records)
    if one_each and len(within) and not _are_signed_apart(facts, group, records):
        # A part of each record: one outside of them is a first post.
        is_apart = ~is_within & ~members.hold(records.begins)
        return is_apart.nonzero()[0] if is_apart.sum() == 1 else np.zeros(0, np.intp)
    is_post = group.name.kind == "comment" or "question" in group.name.token
    if not is_post or group.evidence < ENOUGH_EVIDENCE:
        return np.zeros(0, np.intp)
    return np.arange(len(members))


# The elements that hold the post which all comments answer, by a class or by their own name, and
# those in them that hold its text: old Reddit, Hacker News, Reddit, Lemmy, Zhihu, Naver, Trac.
_OPENINGS = {
    "thing": ".usertext-body", "fatitem": ".toptext", "shreddit-post": "[slot=text-body]",
    "post-listing": "#postContent", "QuestionHeader": ".QuestionRichText",
    "question-content": ".c-heading__content", "trac-content": ".description .searchable",
}  # fmt: skip


def _opening_post(facts: PageFacts, first: int) -> int:
    """Return the row of a post before the comments that is built otherwise, -1 if there is none.

    Its text gets the bits that a name would give it. `first` is the row of the first comment.
    """
    page = facts.page
    names = [name or "" for name in facts.class_names]
    custom = page.names.index("shreddit-post") if "shreddit-post" in page.names else -1
    if custom < 0 and not any(map("\0".join({*names}).__contains__, _OPENINGS)):  # of most pages
        return -1
    numbers = [at for at, name in enumerate(names) if _OPENINGS.keys() & name.split()]
    rows = facts.candidates[facts.candidates < first]
    is_named = np.isin(facts.class_of_row.take(rows), numbers) | (page.tag.take(rows) == custom)
    for row in rows[is_named & (page.end.take(rows) <= first)][:1].tolist():
        own = {page.name(row), *(page.nodes[row].attr("class") or "").split()}
        selector = next((text for name, text in _OPENINGS.items() if name in own), "")
        found = page.nodes[row].select(selector)[:1] if selector else []
        bodies = [at for at in range(row, int(page.end[row])) if page.nodes[at] in found]
        if bodies and facts.words_in(np.array(bodies))[0]:
            read_names_under(facts, np.array([row]))
            facts.bits[bodies] |= BODY
            return int(row)
    return -1


def _with_opening_post(
    facts: PageFacts, first: int, records: Spans, group_of: Int64s
) -> Classified:
    """Return a thread that begins with the post at the row `first`, which is a group of its own."""
    begins = np.append(np.int64(first), records.begins)
    ends = np.append(np.int64(facts.page.end[first]), records.ends)
    return Classified("thread", Spans(begins, ends), np.append(group_of.max() + 1, group_of))


def _are_signed_apart(facts: PageFacts, group: RecordGroup, records: Spans) -> bool:
    """Return whether members named comments have authors and texts, and records others."""
    if group.name.kind != "comment":
        return False
    for rows in (facts.rows_with(AUTHOR), facts.time_rows(), facts.rows_with(BODY)):
        is_within = _is_in_spans(rows, group.records)
        held = group.records.hold(rows[is_within]).mean(), records.hold(rows[~is_within]).mean()
        if min(held) < _SIGNED_SHARE:
            return False
    own_words = records.sums(facts.unlinked).sum() - group.words
    return bool(own_words >= _OWN_SHARE * group.words)


def _is_in_spans(rows: Int64s, spans: Spans) -> Bools:
    """Return one bool per row: whether it lies in one of the spans."""
    reach = np.concatenate(([0], np.maximum.accumulate(spans.ends)))
    return reach[spans.begins.searchsorted(rows, side="right")] > rows


# --- kinds ---------------------------------------------------------------------------------------


def _kind(
    facts: PageFacts, best: RecordGroup, records: Spans, group_of: Int64s, *, is_weblog: bool
) -> Kind:
    """Return the kind of a page whose posts are `records`, most of them those of the best group."""
    is_post = best.name.kind == "post"
    is_comment = best.name.kind == "comment" or _are_in_comments(facts, int(records.begins[0]))
    if is_post and index_pages.are_entries(facts, best.records, titled=best.titled):
        return "index" if index_pages.is_index_page(facts, best.records) else "none"
    words = int(records.own_sums(facts.unlinked).sum())
    if words < _PAGE_SHARE * facts.unlinked[-1] and best.evidence < _STRONG_EVIDENCE:
        return "comments" if is_comment else "none"
    if is_comment:
        is_below = is_weblog and not group_of.any()
        is_below = is_below or index_pages.follow_article(facts, records)
        if (is_below or _follow_element(facts, best)) and not _declares_thread(facts):
            return "comments"
    return "thread"


def _follow_element(facts: PageFacts, group: RecordGroup) -> bool:
    """Return whether records named "comment" follow an `<article>` with prose, however short."""
    if "comment" not in group.name.token.lower():
        return False
    tag, end, first = facts.page.tag, facts.page.end, int(group.records.begins[0])
    articles = (tag[:first] == NUMBER["article"]).nonzero()[0]
    articles = articles[end.take(articles) <= first][-20:]  # few are enough
    return any(index_pages.prose_words(facts, row, int(end[row])) > 0 for row in articles.tolist())


def _are_in_comments(facts: PageFacts, first: int) -> bool:
    """Return whether the record at the row `first` is in an element named for comments."""
    page, around = facts.page, int(facts.page.parent[first])
    for _ in range(_MOST_AROUND):
        if around < 0:
            break
        if facts.bits[around] & AREA:
            node = page.nodes[around]
            names = f"{node.attr('id')} {node.attr('class')}".casefold()
            if "disqus" in names or "comments" in names:
                return True
        around = int(page.parent[around])
    return False


def _declares_thread(facts: PageFacts) -> bool:
    """Return whether the structured data of the page say that it is a thread."""
    page = facts.page
    sources = chain(map(page.code, page.stated.linked_data), [page.html or ""])  # long ones last
    return any("DiscussionForumPosting" in source or "QAPage" in source for source in sources)


def _is_weblog(groups: list[RecordGroup]) -> bool:
    """Return whether a single element is named a post, as around the article of a weblog."""
    return any(group.name.kind == "post" and len(group.records) == 1 for group in groups)


def _are_in_thread(facts: PageFacts, groups: list[RecordGroup], records: Spans) -> bool:
    """Return whether one element is named a thread or topic and holds all prose and the records.

    The prose before them is then the first post.
    """
    first, end = int(records.begins[0]), int(records.ends.max())
    for group in groups:
        if group.name.kind != "entry" or len(group.records) > 1:
            continue
        begin = int(group.records.begins[0])
        if begin < first and end <= group.records.ends[0] and _NAMES_THREAD(group.name.token):
            before = index_pages.prose_words(facts, begin, first)
            return 0 < before == index_pages.prose_words(facts, 0, first)
    return False


def _single_post(facts: PageFacts, groups: list[RecordGroup], first: int) -> int:
    """Return the row of the only element of its name that is a post before the row `first`.

    It holds all prose before that row; -1 if there is none.
    """
    for group in groups:
        begin, end = int(group.records.begins[0]), int(group.records.ends[0])
        if group.name.kind == "post" and len(group.records) == 1 and end <= first:
            words = index_pages.prose_words(facts, begin, end)
            if 0 < words == index_pages.prose_words(facts, 0, first):
                read_names_under(facts, np.array([begin]))
                return begin
    return -1


_NAMES_THREAD = re.compile(r"thread|topic", re.I).search


def _classify_unnamed(facts: PageFacts, groups: list[RecordGroup]) -> Classified:
    """Look for posts at authors, for an index, for posts in tables and lines, and at times."""

    def classified(kind: Kind, records: Spans, group: int = 0) -> Classified:
        return Classified(kind, records, np.full(len(records), group, np.int64))

    cut_was_tried = unnamed_posts.may_have_author_cuts(facts)
    records = unnamed_posts.posts_at_authors(facts) if cut_was_tried else Spans.none()
    possible_indexes = []
    if len(records):
        if not index_pages.are_entries(facts, records):
            is_below = _is_weblog(groups) or index_pages.follow_article(facts, records)
            return classified("comments" if is_below else "thread", records)
        possible_indexes.append(records)
    possible_indexes += [
        group.records
        for group in groups
        if len(group.records) >= index_pages.FEWEST_ENTRIES
        and index_pages.are_entries(facts, group.records, titled=group.titled)
    ]
    for entries in possible_indexes:
        if index_pages.is_index_page(facts, entries):
            return classified("index", entries)
    records = unnamed_posts.table_posts(facts)
    records = records if len(records) else unnamed_posts.headed_posts(facts)
    if len(records):
        return classified("thread", records, unnamed_posts.TABLE_GROUP)
    records = Spans.none() if cut_was_tried else unnamed_posts.posts_at_inline_authors(facts)
    if len(records):
        return classified("thread", records)
    stamped = posts_at_stamps(facts)
    if not len(stamped.records):
        return classified("none", stamped.records)
    is_below = stamped.has_label and index_pages.follow_article(facts, stamped.records)
    return classified("comments" if is_below else "thread", stamped.records)
