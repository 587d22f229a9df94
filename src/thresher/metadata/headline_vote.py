"""Choose the headline among the headings and declared titles of a page by votes.

Candidates are the first headings, the titles declared by meta tags, JSON-LD and `<title>`, and the
part of a declared title before a separator ("Tea | The Shop"). Candidates with the same words are
merged. Each candidate has marks: its sources, its markup, its agreement with other candidates. Its
votes are the sum of `VOTES` over its marks. The most votes win, the first of equals. No mark
depends on a language or a site.

The votes were fitted on `wcxb-dev` and `fundus` (a conditional logit, folds by site), multiplied by
ten and rounded to integers, so that ties are exact. `docs/headline.md` has the accuracy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from itertools import chain, islice, pairwise
from typing import NamedTuple

from thresher.metadata.declared import Declarations, declarations
from thresher.metadata.excerpt import letters_and_digits
from thresher.metadata.json_ld import property_texts
from thresher.metadata.search import rows_by_tag
from thresher.page import Page
from thresher.page.array_types import Bools
from thresher.page.attributes import class_and_id
from thresher.page.controls import control_texts, line_without_controls
from thresher.page.core import COMPILED
from thresher.page.roles import role_headings, role_level
from thresher.page.tags import HEADING, NUMBER
from thresher.page.words import collapsed, words

if COMPILED:
    from thresher.metadata import _search

VOTES = {
    # the source; the first h1 has 0
    "later h1": 13,
    "later h2": -15,
    "og:title": 2,
    "title": 8,
    "og:title to its last separator": 10,
    "title to its first separator": 13,
    # the declared type of the page
    "og:title of news": 17,
    "json-ld headline of news": 15,
    "first h1 of another article": 12,
    # the markup of the heading
    "class names a title": 7,
    "itemprop": 15,
    # agreement with other candidates
    "inside title": 8,
    "begins og:title": 11,
    # evidence against it
    "stands alone": -24,  # neither the first h1 nor a declared headline
    "is the site's name": -14,
    "holds the site's name": -11,
    "first h1 in a trail": -18,  # in breadcrumbs, where it is written for search engines
    "is a link": -12,
    "one word": -9,
}

# Weights of sources for the spelling of the same words: in headings, a colon is often drawn by a
# style sheet and missing from the text.
_SPELLING = {"og:title": 3, "json-ld headline": 3, "title": 3, "h1": 2}
_LONGEST = 600  # characters of a headline


@dataclass(slots=True)
class Candidate:
    """A text that may be the headline."""

    key: str  # its words in lower case
    row: int  # -1 if it is declared only
    source: str  # the first source
    spellings: dict[str, set[str]] = field(default_factory=dict)  # sources of each spelling
    marks: set[str] = field(default_factory=set)  # sources and keys of VOTES

    @property
    def votes(self) -> int:
        """The sum of the votes for its marks."""
        return sum([VOTES.get(mark, 0) for mark in self.marks])

    @property
    def text(self) -> str:
        """The spelling whose sources have the greatest weight."""
        return max(
            self.spellings,
            key=lambda line: sum(_SPELLING.get(source, 0) for source in self.spellings[line]),
        )


def best_candidate(page: Page) -> Candidate | None:
    """Return the candidate with the most votes, or None if there is no candidate."""
    candidates, facts = _without_marks(page)
    best, most, best_place = None, 0, -1
    later = []  # those that have few votes, whatever their marks are
    for place, one in enumerate(candidates):
        if one.marks <= _ONLY_H2:
            later.append((place, one))
            continue
        _mark(one, page, facts)
        if best is None or one.votes > most:
            best, most, best_place = one, one.votes, place
    for place, one in later:
        if best is None or most <= _MOST_VOTES_OF_H2:
            _mark(one, page, facts)
            if best is None or (one.votes, best_place) > (most, place):
                best, most, best_place = one, one.votes, place
    return best


# --- a title that the page shows elsewhere ----------------------------------------------------

_LEAST_WORDS = 4  # of a title that is shown in no heading; fewer are those of a menu or a section
_LEAST_HEADING = 2  # of one in a heading
_UNLIKE = 0.34  # the greatest share of words in common
_MOST_OF_LABEL = 4  # words of a heading that `<title>` does not have
_COLON = re.compile(r":\s*")
_MOST_GAPS = 6  # between parts of a title, of each kind


def shown_title(page: Page, best: Candidate) -> Candidate | None:
    """Return a heading or a text that is a part of `<title>`, if the vote chose another part.

    The name of the site, or that of a section or a box, may be the only `h1`: "The Kettle" of
    "Tea time at home | The Kettle" or "The Kettle: Tea time at home" on a page that shows
    "Tea time at home", too.
    """
    if "title" in best.marks:  # true of many
        return None
    if best.row < 0 and not _has_no_h1(page):
        return None
    if best.row >= 0 and ("first h1" not in best.marks or best.marks & _AGREED):  # of most others
        return None
    title = _key(declarations(page).title[:_LONGEST])
    begins, ends = title.startswith(f"{best.key} "), title.endswith(f" {best.key}")
    own = best.key.split()
    is_linked = "is a link" in best.marks
    is_of_site = begins and (best.row < 0 or is_linked)
    is_label = not begins and not ends and (best.row < 0 or len(own) <= _MOST_OF_LABEL)
    if not (is_of_site or ends or is_label):
        return None
    least = _LEAST_WORDS if best.row < 0 else _LEAST_HEADING + (is_label and not is_linked)
    wanted = {}
    for line in _parts(declarations(page).title[:_LONGEST]):
        key = _key(line)
        held = key.split()
        if (
            len(held) >= least
            and (title.endswith(key) if is_of_site else title.startswith(key))
            and (ends or is_label or len(key) >= len(best.key))
            and len({*own}.intersection(held)) <= _UNLIKE * min(len(held), len(own))
        ):
            wanted[key] = line
    shown = _shown(page, wanted) if wanted else None
    if shown is None and is_of_site and best.row < 0 and best.text.isupper():
        return _last_part(declarations(page).title[:_LONGEST])
    return shown


def _last_part(title: str) -> Candidate | None:
    """Return what is after the site and a section in capitals: "KETTLE NEWS | Food | Tea time"."""
    gaps = [gap.span() for gap in _SEPARATOR.finditer(title)]
    line = title[gaps[-1][1] :] if len(gaps) >= _GAPS_AFTER_SITE else ""
    key = _key(line)
    if key.count(" ") < _LEAST_WORDS - 1:
        return None
    return Candidate(key, -1, "part of title", {line: {"title"}})


_GAPS_AFTER_SITE = 2
_AGREED = {"og:title", "twitter:title", "json-ld headline", "headline", "itemprop"}


def _has_no_h1(page: Page) -> bool:
    return all(page.hidden[row] for row in rows_by_tag(page).h1)


def _parts(title: str) -> list[str]:
    """Return a title, its parts between separators, and what is before and after each."""
    gaps = [gap.span() for gap in islice(_SEPARATOR.finditer(title), _MOST_GAPS)]
    gaps += [gap.span() for gap in islice(_COLON.finditer(title), _MOST_GAPS)]
    parts = [title, *(title[:start] for start, _ in gaps), *(title[end:] for _, end in gaps)]
    gaps.sort()
    parts += [title[end:start] for (_, end), (start, _) in pairwise(gaps)]
    return sorted(filter(None, map(str.strip, parts)), key=len, reverse=True)


def _shown(page: Page, wanted: dict[str, str]) -> Candidate | None:
    """Return the first heading, else the first text, that is one of the lines, by their keys."""
    rows = (HEADING.take(page.tag) & ~page.hidden).nonzero()[0][:_MOST_SHOWN].tolist()
    for row in rows:
        line = collapsed(_without_permalink(line_without_controls(page, row, _LONGEST)))
        if (key := _key(line)) in wanted and not _is_link_to_home(page, row):
            return Candidate(key, row, page.name(row), {line: {page.name(row)}})
    lines = {line.casefold() for key, line in wanted.items() if key.count(" ") >= _LEAST_WORDS - 1}
    shortest, longest = min(map(len, lines), default=0) // 2, max(map(len, lines), default=0) + 10
    chars = page.chars.take(page.text_rows[: int(_ABOVE_FOOTER * len(page.texts))])
    for place in ((chars > shortest) & (chars <= longest)).nonzero()[0].tolist() if lines else ():
        row = int(page.text_rows[place])
        line = collapsed(page.texts[place]).strip()
        is_shown = row > page.body and not page.hidden[row] and not page.linked[row]
        if is_shown and line.casefold() in lines:
            return Candidate(_key(line), int(page.parent[row]), "title", {line: {"title"}})
    return None


_MOST_SHOWN = 100  # headings
_ABOVE_FOOTER = 0.75  # share of the texts of a page in which a title is sought


def _is_link_to_home(page: Page, row: int) -> bool:
    """Return whether a heading has a link to the home page, or is in one."""
    inside = page.is_link[row : page.end[row]].nonzero()[0][:1] + row
    at = next(iter(inside.tolist()), int(page.parent[row]))
    address = (page.nodes[at].attr("href") or "#") if page.is_link[at] else "#"
    return _is_home(address) or address in ("/", "./")


# Several words: with "Figma: The Design Tool", a product is named.
_PREFIX = re.compile(r"(?=[^:\s]{1,40}\s)([^:]{3,60}[^:\s]):\s+(?=\S)")
_LEAST_OF_SITE = 4  # letters of the name of a site


def without_site(text: str, page: Page) -> str:
    """Return a headline without the name of the site before a colon, or after a separator.

    The name is one that is declared, that of the host, or that of a first `h1` that is a link.
    """
    prefix, gaps = _PREFIX.match(text), _gaps(text)
    if prefix is None and not gaps:  # true of most
        return text
    names = _names_of_site(page)
    is_home = any(_is_home(address) for address in _addresses(page))
    if prefix is not None and not is_home and letters_and_digits(prefix[1]) in names:
        return text[prefix.end() :]
    if gaps and letters_and_digits(text[gaps[-1] :]) in names:
        return text[: gaps[-1]].rstrip()
    return text


def _names_of_site(page: Page) -> set[str]:
    """Return the letters of the names of the site of a page."""
    declared = declarations(page)
    names = _site_names(declared)
    for address in _addresses(page):
        host = address.partition("://")[2].partition("/")[0].partition(":")[0].removeprefix("www.")
        names |= {host, *host.split(".")[:-1]}
    headings = (row for row in rows_by_tag(page).h1 if not page.hidden[row])
    for row in islice(headings, 1):
        names |= {page.line(row, _LONGEST)} if _is_linked(page, row) else set()
    keys = map(letters_and_digits, names)
    return {key for key in keys if len(key) >= _LEAST_OF_SITE}


def _addresses(page: Page) -> list[str]:
    return [page.url or "", *declarations(page).links.get("canonical", ())[:1]]


def _is_home(address: str) -> bool:
    """Return whether an address is that of a home page, whose title begins with its name."""
    return "://" in address and not address.partition("://")[2].partition("/")[2]


def headline_candidates(page: Page) -> list[Candidate]:
    """Return the candidates of a page with their marks, headings first."""
    candidates, facts = _without_marks(page)
    for one in candidates:
        _mark(one, page, facts)
    return candidates


class _Facts(NamedTuple):
    """What candidates are compared with."""

    title: str  # the words of `<title>`, with spaces around them
    og_title: str  # the same of the meta tag
    page_type: str
    sites: set[str]  # keys of the names of the site and its publisher


def _without_marks(page: Page) -> tuple[list[Candidate], _Facts]:
    """Return the candidates of a page, headings first, with their sources as their only marks."""
    declared = declarations(page)
    candidates: dict[str, Candidate] = {}
    titles: dict[str, str] = {}  # the words of the first title with each mark
    known: dict[str, tuple[str, str]] = {}  # the line and the key of each text: many are repeated
    for text, row, source, mark in chain(
        _headings(page), _declared_titles(declared), _parts_of_titles(declared, candidates)
    ):
        if text not in known:
            line = collapsed(unescape(text) if "&" in text else text)
            known[text] = line, _key(line)
        line, key = known[text]
        if key:
            one = candidates.get(key)
            if one is None:
                one = candidates[key] = Candidate(key, row, source)
            one.marks.add(mark)
            one.spellings.setdefault(line, set()).add(source.removeprefix("part of "))
            titles.setdefault(mark, key)
    title, og_title = (f" {titles.get(name, '')} " for name in ("title", "og:title"))
    facts = _Facts(title, og_title, _page_type(declared), _site_names(declared))
    return list(candidates.values()), facts


def _mark(one: Candidate, page: Page, facts: _Facts) -> None:
    _mark_agreement(one, facts.title, facts.og_title)
    _mark_type(one, facts.page_type)
    _mark_words(one, facts.sites)
    if one.row >= 0:
        _mark_markup(one, page)


_ONLY_H2 = {"first h2", "later h2"}
# A heading that is no title, too, stands alone; these are all of its marks with votes for it.
_MOST_VOTES_OF_H2 = VOTES["stands alone"] + sum(
    VOTES[mark] for mark in ("class names a title", "itemprop", "inside title", "begins og:title")
)


_INVISIBLE = str.maketrans(dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"))


def _key(text: str) -> str:
    folded = text.casefold()
    return " ".join(words(folded if folded.isascii() else folded.translate(_INVISIBLE)))


# --- candidates: text, row, source, mark -----------------------------------------------------

_MOST_HEADINGS = 6  # of h1 and of h2
_MOST_HEADLINES = 50  # of JSON-LD
# Marks of links to a heading at the end of its text; the one of "C#" is no such mark.
_PERMALINK = re.compile(r"(?:\s*[¶§\N{LINK SYMBOL}]|\s+#)+\s*\Z")
_PERMALINK_MARKS = ("¶", "§", "\N{LINK SYMBOL}", "#")  # at the end of every match; a faster test
# Marks between a title and the name of its site: dashes and dots between spaces, bars anywhere,
# underscores between Chinese letters.
_SEPARATOR = re.compile(
    r"\s+[-‐-―−|•·∙»«›‹/\\~:：>]+\s+|\s*[|｜ㅣ│¦]+\s*|\s*--+\s*|\s*：\s*|"
    r"(?<=[\u3000-\u9fff\uff01-\uff1f])_+(?=[\u3400-\u9fff])"
)
_SEPARATOR_MARK = re.compile(r"[-‐-―−|•·∙»«›‹/\\~:：>｜ㅣ│¦_]")  # a part of every separator


def _without_permalink(text: str) -> str:
    return _PERMALINK.sub("", text) if text.rstrip().endswith(_PERMALINK_MARKS) else text


def _headings(page: Page) -> Iterator[tuple[str, int, str, str]]:
    has_heading = False
    of_tag = rows_by_tag(page)
    for name, every in (("h1", of_tag.h1), ("h2", of_tag.h2)):
        rows = list(islice((row for row in every if not page.hidden[row]), _MOST_HEADINGS))
        has_heading |= bool(rows)
        order = "first"
        for row, only in zip(rows, _only_texts(page, rows), strict=True):
            if name == "h1" and _in_notice(page, row):
                continue
            line = _line_of_several(page, row) if only is None else collapsed(only)
            text = _without_permalink(line).strip()
            if text:
                yield text, row, name, f"{order} {name}"
                order = "later"
    if _ISSUE.match(declarations(page).title):
        yield from _issue_title(page)
    if not has_heading and not (HEADING.take(page.tag) & ~page.hidden).any():
        yield from _title_by_role(page)
        yield from _topic_title(page)


def _title_by_role(page: Page) -> Iterator[tuple[str, int, str, str]]:
    """Yield the first heading of the first level by its role, of a page without other headings."""
    rows = (row for row in role_headings(page) if role_level(page, row) == 1)
    for row in islice(rows, 1):
        yield line_without_controls(page, row, _LONGEST), row, "h1", "first h1"


def _line_of_several(page: Page, row: int) -> str:
    """Return the line of a heading of several texts.

    One such as "Fishing" is not glued to "Empty nets", and is left out if the title begins without
    it.
    """
    line = line_without_controls(page, row, _LONGEST)
    if label := _label_before(page, row):
        line = line.removeprefix(label).strip() or line
    if (note := _note_after(page, row)) and note not in declarations(page).title:
        line = line.removesuffix(note).strip() or line
    for before, after in pairwise(page.texts_inside(row)):
        is_word = len(before) > 2 and before[-1].islower() and after[:1].isupper()
        if is_word and before + after in line:
            if declarations(page).title.startswith(after) and line.endswith(after):
                return after.strip()
            line = line.replace(before + after, f"{before} {after}", 1)
    return line


_LABEL_CLASS = re.compile(r"(?:^|\s)(?:label|prefix|flair|badge|descriptor)(?:$|[\s_-])", re.I)


def _label_before(page: Page, row: int) -> str:
    """Return the first text of a heading if its element is named a label, as "Question" is."""
    first, last = page.text_span(row)
    for place in range(first, min(first + 2, last)):
        if page.texts[place].strip():
            around = int(page.parent[page.text_rows[place]])
            is_label = around > row and _LABEL_CLASS.search(page.nodes[around].attr("class") or "")
            return collapsed(page.texts[place]).strip() if is_label else ""
    return ""


_FOR_READERS = re.compile(
    r"(?:^|\s)(?:sr-only|visually-?hidden|screen-?reader(?:-text|-only)?)(?:$|\s)", re.I
)


def _note_after(page: Page, row: int) -> str:
    """Return the last text of a heading if only screen readers say it: "(opens in new tab)"."""
    first, last = page.text_span(row)
    for place in range(last - 1, max(first, last - 3), -1):
        if page.texts[place].strip():
            around = int(page.parent[page.text_rows[place]])
            is_note = around > row and _FOR_READERS.search(page.nodes[around].attr("class") or "")
            return collapsed(page.texts[place]).strip() if is_note else ""
    return ""


def _only_texts(page: Page, rows: list[int]) -> list[str | None]:
    """Return the text of each heading that holds one text, of usual length.

    None for other headings, and for a text that belongs to a control.
    """
    controls = page.cached(control_texts) if rows else None
    if COMPILED:
        columns = page.texts, page.text_rows, page.end
        return _search.find_only_texts(*columns, controls, rows, _LONGEST)
    return [_only_text(page, row, controls) for row in rows]


def _only_text(page: Page, row: int, controls: Bools | None) -> str | None:
    first, last = page.text_span(row)
    if last - first != 1 or len(page.texts[first]) > _LONGEST:
        return None
    return None if controls is not None and controls[first] else page.texts[first]


def _topic_title(page: Page) -> Iterator[tuple[str, int, str, str]]:
    """Yield the title of a topic of phpBB 2, which is a link in place of a heading."""
    found = page.nodes[0].select("a.maintitle")[:1]
    links = page.is_link.nonzero()[0].tolist() if found else []
    for row in [row for row in links if page.nodes[row] in found][:1]:
        yield page.line(row, _LONGEST), row, "a", "first h1"


_ISSUE = re.compile(r"(?:\w+ )?#?\d{1,9}(?::| [-–—]| \()")  # "4711 – Loud", "Bug #4711: Loud"
_ISSUE_TITLES = (
    "#short_desc_nonedit_display, #field-value-short_desc, #ticket h2 .summary, "
    "#ticket h1 .summary, #ticket h2.summary, .issue .subject h3"
)  # of Bugzilla, Trac and Redmine


def _issue_title(page: Page) -> Iterator[tuple[str, int, str, str]]:
    """Yield the title of an issue, whose heading is its number or the name of the project."""
    for node in page.nodes[0].select(_ISSUE_TITLES)[:1]:
        row = next((at for at, own in enumerate(page.nodes) if own is node), -1)
        if row >= 0 and (text := page.line(row, _LONGEST)):
            yield text, row, "h1", "first h1"


def _declared_titles(declared: Declarations) -> Iterator[tuple[str, int, str, str]]:
    for name in ("og:title", "twitter:title", "headline"):
        if name in declared.meta:
            text = declared.meta[name][0][:_LONGEST]
            text = _FORUM_BEFORE.sub("", text) if text.startswith("r/") else text
            yield text, -1, name, name
    for headline in _declared_headline(declared):
        yield headline[:_LONGEST], -1, "json-ld headline", "json-ld headline"
    if declared.title:
        title = _without_permalink(declared.title[:_LONGEST])
        yield title, -1, "title", "title"


def _parts_of_titles(
    declared: Declarations, headings: Mapping[str, Candidate]
) -> Iterator[tuple[str, int, str, str]]:
    """Yield the parts of declared titles before their first and last separators.

    If `<title>` is og:title and the name of the site, og:title is not split at a dash, unless a
    heading has a part of it: "Tea – a guide" of "Tea – a guide | The Kettle". `headings` are all
    candidates so far.
    """
    og_title = declared.meta.get("og:title", [""])[0]
    whole = _length_before_site(og_title, declared.title[:_LONGEST])
    for name, text in (("og:title", og_title), ("title", declared.title)):
        gaps = _gaps(text[:_LONGEST])
        if gaps and gaps[0] < whole and _BAR.search(text, gaps[0], whole) is None:
            parts = (headings.get(_key(unescape(text[:gap]))) for gap in gaps if gap < whole)
            if all(part is None or part.row < 0 for part in parts):
                gaps = [gap for gap in gaps if gap >= whole]
        if gaps:
            first, last = (_without_permalink(text[: gaps[at]]) for at in (0, -1))
            yield first, -1, f"part of {name}", f"{name} to its first separator"
            yield last, -1, f"part of {name}", f"{name} to its last separator"


_BAR = re.compile(r"[|｜ㅣ│¦]")


def _length_before_site(og_title: str, title: str) -> int:
    """Return the length of og:title if `<title>` is that, a separator and a name, else 0."""
    line = collapsed(unescape(og_title)).strip()
    is_part = line and len(line) < len(title) and title.startswith(line)
    return len(line) if is_part and len(line) in _gaps(title) else 0


_FORUM_BEFORE = re.compile(r"^r/\w+ [-–] ")  # of Reddit


def _declared_headline(declared: Declarations) -> list[str]:
    """Return the first headline of JSON-LD; of several, one that `<title>` holds, if it has words.

    Several headlines that it does not hold are those of teasers.
    """
    values = [property_texts(work["headline"])[:1] for work in declared.works if "headline" in work]
    headlines = list(dict.fromkeys(line for lines in values[:_MOST_HEADLINES] for line in lines))
    title = f" {_key(declared.title[:_LONGEST])} " if len(headlines) > 1 else ""
    if len(title) <= 2:
        return headlines[:1]
    return [line for line in headlines if f" {_key(unescape(line[:_LONGEST]))} " in title][:1]


def _gaps(title: str) -> list[int]:
    """Return where the separators of a title begin."""
    mark = _SEPARATOR_MARK.search(title)
    if mark is None:
        return []
    begin = len(title[: mark.start()].rstrip())  # no separator begins before: a faster search
    return [gap.start() for gap in _SEPARATOR.finditer(title, begin)]


# --- marks -----------------------------------------------------------------------------------

_HEADLINE_SOURCES = {"first h1", "og:title", "twitter:title", "json-ld headline"}


def _mark_agreement(one: Candidate, title: str, og_title: str) -> None:
    padded = f" {one.key} "
    if padded in title and "title" not in one.marks:
        one.marks.add("inside title")
    if og_title.startswith(padded) and "og:title" not in one.marks:
        one.marks.add("begins og:title")
    if _HEADLINE_SOURCES.isdisjoint(one.marks):
        one.marks.add("stands alone")


def _page_type(declared: Declarations) -> str:
    """Return the declared type of a page: "news", "article" for other articles, or ""."""
    types = " ".join(str(item.get("@type")) for item in declared.items)
    if "NewsArticle" in types or "LiveBlog" in types:
        return "news"
    is_article = "Article" in types or "Posting" in types
    return "article" if is_article or declared.meta.get("og:type", [""])[0] == "article" else ""


def _mark_type(one: Candidate, page_type: str) -> None:
    if page_type == "news":
        one.marks |= {f"{name} of news" for name in one.marks & {"og:title", "json-ld headline"}}
    elif page_type == "article" and "first h1" in one.marks:
        one.marks.add("first h1 of another article")


def _site_names(declared: Declarations) -> set[str]:
    """Return the keys of the names of the site and its publisher."""
    names = declared.meta.get("og:site_name", [])[:1]
    for item in declared.items:
        kind = str(item.get("@type"))
        if "WebSite" in kind or "Organization" in kind:
            names += property_texts(item.get("name"))[:1]
    return {_key(unescape(name)) for name in names} - {""}


def _mark_words(one: Candidate, sites: set[str]) -> None:
    if one.key in sites:
        one.marks.add("is the site's name")
    elif sites and any(f" {site} " in f" {one.key} " for site in sites):
        one.marks.add("holds the site's name")
    if " " not in one.key:
        one.marks.add("one word")


_TITLE_CLASS = re.compile(r"title|headline|heading", re.I)


def _mark_markup(one: Candidate, page: Page) -> None:
    node = page.nodes[one.row]
    if _TITLE_CLASS.search(node.attr("class") or ""):
        one.marks.add("class names a title")
    if node.attr("itemprop") in ("headline", "name"):
        one.marks.add("itemprop")
    if one.source == "h1" and _is_linked(page, one.row):
        one.marks.add("is a link")
    is_declared = one.marks >= {"og:title", "json-ld headline"}
    if "first h1" in one.marks and not is_declared and _in_trail(page, one.row):
        one.marks.add("first h1 in a trail")


def _is_linked(page: Page, row: int) -> bool:
    """Return whether a heading has words in a link that is no control, such as one to itself."""
    within = slice(row, int(page.end[row]))
    if 1 not in page.linked[within].tobytes():  # true of most; a True is a byte 1
        return False
    linked = page.linked[within] & (page.words[within] > 0)
    if not linked.any():
        return False
    controls = page.cached(control_texts)
    first, last = page.text_span(row)
    is_word = linked.take(page.text_rows[first:last] - row)
    return bool(is_word.any() if controls is None else (is_word & ~controls[first:last]).any())


# --- ancestors of headings -------------------------------------------------------------------

_MOST_ANCESTORS = 12
_NEAR_ANCESTORS = 4  # in which a list item or a class marks breadcrumbs
_NAV, _LI = NUMBER["nav"], NUMBER["li"]


def _in_trail(page: Page, row: int) -> bool:
    """Return whether a row is in navigation: a `nav`, a list item, or a class of breadcrumbs."""
    for step in range(_MOST_ANCESTORS + 1):
        tag = page.tag[row]
        if tag == _NAV or (step <= _NEAR_ANCESTORS and tag == _LI):
            return True
        if step < _NEAR_ANCESTORS and "crumb" in (page.nodes[row].attr("class") or "").lower():
            return True
        row = int(page.parent[row])
        if row < 0:
            break
    return False


_MOST_NOTICE_ANCESTORS = 64
_NOTICE_ROLES = {"dialog", "alertdialog", "alert"}
# Classes and ids of requests for consent; "cookie" alone may be about baking.
_NOTICE = re.compile(
    r"cookie[\s_-]*(?:notice|banner|bar|box|bot|consent|control|dialog|info|law|layer|message|"
    r"modal|notification|overlay|policy|popup|prompt|wall)|(?:^|\s)cookies?(?:$|\s)|gdpr|onetrust|"
    r"(?:^|[\s_-])consent(?:$|[\s_-])",
    re.I,
)
_NOTICE_WORDS = ("cookie", "gdpr", "onetrust", "consent")  # part of every match in ASCII
_KERNEL_WORDS = list(map(str.encode, _NOTICE_WORDS))
_WHOLE_PAGE = 0.5  # share of the page's visible words; an element with more is not a notice


def _in_notice(page: Page, row: int) -> bool:
    """Return whether a heading is in a dialog or in a request for consent."""
    for above in _may_be_notices(page, row):
        node = page.nodes[above]
        is_notice = page.tag[above] == NUMBER["dialog"] or node.attr("role") in _NOTICE_ROLES
        is_notice = is_notice or _NOTICE.search(class_and_id(node)) is not None
        if is_notice and not _is_most_of_page(page, above):
            return True
    return False


def _may_be_notices(page: Page, row: int) -> list[int]:
    """Return the elements around a row in the body with a role or a word of notices, or dialogs."""
    if COMPILED:
        return _search.find_notices(
            page.nodes, page.tag, page.parent, row, page.body, _MOST_NOTICE_ANCESTORS,
            NUMBER["dialog"], _KERNEL_WORDS,
        )  # fmt: skip
    return _plain_may_be_notices(page, row)


def _plain_may_be_notices(page: Page, row: int) -> list[int]:
    found = []
    for _ in range(_MOST_NOTICE_ANCESTORS):
        row = int(page.parent[row])
        if row <= page.body:
            break
        node, names = page.nodes[row], class_and_id(page.nodes[row])
        if (
            page.tag[row] == NUMBER["dialog"]
            or node.attr("role") is not None
            or not names.isascii()
            or any(map(names.lower().__contains__, _NOTICE_WORDS))
        ):
            found.append(row)
    return found


def _is_most_of_page(page: Page, row: int) -> bool:
    visible = page.words * ~page.hidden
    return int(visible[row : page.end[row]].sum()) > _WHOLE_PAGE * int(visible.sum())
