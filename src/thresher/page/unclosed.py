"""Find elements and comments that are not closed and swallow the page after them, and close them.

The text of `<title>`, `<textarea>`, `<style>`, `<script>`, `<iframe>`, `<xmp>` and of a comment
runs to its end tag, whatever is in between. Without the end tag that is the end of the page, or the
end tag of the next such element. Elements such as `<select>` hold elements, but what is
inside of them is no content, and without an end tag they hold the rest of the element around them.

An end tag is inserted before the first tag that cannot be inside.

The value of an attribute without a quotation mark at its end runs to the next one. On pages with
few words the mark is inserted before the end of the tag.

Two other kinds of pages do not hold their text where a browser shows it. A page of frames has its
text, if any, in `<noframes>`: it is read as the body of the page. A page that React writes in parts
has those that were late at its end, and scripts that put them in their places
(https://react.dev/reference/react-dom/server/renderToPipeableStream).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import turbohtml

from thresher.page.array_types import UInt16s
from thresher.page.tags import BLOCK, MAY_HOLD_BODY, NUMBER, lookup

_ANY_TAG = re.compile(r"<(?:/?[a-z]|!--|!doctype)", re.I)
_BLOCK_TAG = (
    r"</?(?:head|body|html|meta|link|title|script|base|div|p|h[1-6]|article|section|main|header|"
    r"footer|nav|aside|table|ul|ol|form|a|span|img|noscript)[\s/>]"
)
_PAGE_TAG = re.compile(_BLOCK_TAG, re.I)
# Scripts write tags, but hardly these, or tags at the beginning of a line.
_AFTER_SCRIPT = re.compile(
    rf"</(?:head|body|html)\s*>|<body[\s>]|(?<=\n)[ \t]{{0,64}}(?={_BLOCK_TAG})", re.I
)
# Code without tags, except those in its strings.
_CODE = re.compile(
    r"(?:[^\"'`<]|\"(?:[^\"\\\n]|\\.)*+[\"\n]|'(?:[^'\\\n]|\\.)*+['\n]|`(?:[^`\\]|\\.)*+`|"
    rf"<(?!{_BLOCK_TAG[1:]}))*+",
    re.I | re.S,
)


def _tags_except(names: str) -> re.Pattern[str]:
    """Return a pattern of the first tag of an element that is none of `names`."""
    return re.compile(rf"<(?!/?(?:{names})[\s/>])(?:/?[a-z]|!doctype)", re.I)


# Where the text or the content of an element ends at the latest.
_ENDS: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(("title", "textarea", "iframe", "noembed", "noframes", "#comment"), _ANY_TAG),
    "style": _PAGE_TAG,
    "script": _AFTER_SCRIPT,
    **dict.fromkeys(
        ("select", "datalist", "option", "optgroup"), _tags_except("option|optgroup|hr|select")
    ),
    **dict.fromkeys(("video", "audio"), _tags_except("source|track|video|audio")),
    "object": _tags_except("param|embed|object"),
    "canvas": _tags_except("canvas"),
    "template": _tags_except("template"),
    "noscript": _tags_except("noscript|img|iframe|link|meta|style"),
    # Both may hold any tags: those that are rather of the page end them.
    "dialog": re.compile(r"<(?:article|main|h1|body)[\s>]|</body\s*>", re.I),
    "xmp": re.compile(
        r"(?<=\n)[ \t]{0,64}<(?:p|h[1-6]|article|section|main|footer|nav)[\s>]|<p>\s*+[^\s<]|"
        r"</(?:article|section|main|body|html)\s*>",
        re.I,
    ),
}
_HOLDS_TEXT = frozenset("title textarea iframe noembed noframes style script xmp".split())

# In the text of an element that was closed by the end tag of another one.
_CLOSED_LATE = {
    "title": re.compile(
        r"</head\s*>|<body\s*>\s*<|<(?:meta|link|body|script|div)\s[^<>]*=|>\s*<title[\s>]", re.I
    ),
    "style": re.compile(r"</head\s*>|<body[\s>]|>\s*<style[\s>]", re.I),
    "textarea": re.compile(r"<textarea[\s>]", re.I),
    "iframe": re.compile(r"<iframe\s", re.I),
    # Not in markup that a script keeps, and outside of strings: scripts write whole pages.
    "script": re.compile(
        r"\A\s*+(?!<(?!/head|body))(?:[^\"'`]|\"(?:[^\"\\\n]|\\.)*+[\"\n]|'(?:[^'\\\n]|\\.)*+['\n])*?"
        r"(?:</head\s*>|<body[\s>]|>\s{0,64}<script(?:\s[^<>]{0,400})?>)",
        re.I,
    ),
}
_HAS_ADDRESS = re.compile(r"\ssrc\s*=", re.I)
_ANY_SCRIPT = re.compile(r"</head\s*>|<(?:body|script)[\s>]", re.I)
# One of these is in every match: looking for them first takes far less time.
_LATE_TAG = re.compile(
    r"<(?:/head|body|script|title|style|textarea|iframe|meta|link|div)[\s>]", re.I
)
_MAY_BE_CLOSED_LATE = lookup(" ".join(_CLOSED_LATE))
_MOST_TRIED = 8  # elements of a page that may be closed late: finding each takes linear time
_CONTENT = re.compile(r"<[a-z]|>\s*[^<\s]", re.I)  # after an end tag that is inserted


def closed(
    source: str, document: turbohtml.Document, nodes: list[Any], tag: UInt16s, may_hold_all: bool
) -> tuple[str, str] | None:
    """Return the source with the first unclosed element closed, and its name; None if all are.

    `nodes` and `tag` are those of the rows of the page. `may_hold_all` says that any element may
    hold the rest of the page: it has few words, or no body.
    """
    may_hold = _MAY_BE_CLOSED_LATE if may_hold_all else MAY_HOLD_BODY
    rows = may_hold.take(tag).nonzero()[0].tolist()
    held = ((nodes[row], _text(nodes[row])) for row in rows)
    late = [
        node
        for node, text in held
        if "<" in text and _LATE_TAG.search(text) and _is_closed_late(node, text)
    ]
    for node in late[:_MOST_TRIED]:
        repaired = _closed_before(source, node)
        if repaired is not None:
            return repaired, f"<{node.tag}>"
    found = _closed_at_the_end(source, document)
    if found is None and may_hold_all:
        found = _closed_late_comment(source) or _closed_attribute(source)
    return found


_MAY_SWALLOW = lookup("video audio canvas title option")
_WITH_ONE_TEXT = 2  # rows of an element that holds no more
_OF_FEW_PAGES = tuple(NUMBER[name] for name in "video audio canvas option svg".split())
_HOLDS_OPTIONS = lookup("select datalist optgroup")


def closed_within(source: str, columns: dict[str, Any]) -> tuple[str, str] | None:
    """Return the source with the first element closed that swallows the rest of an element.

    That is one without an end tag that holds blocks: a video, an option outside of a list, the
    title of a drawing. Its end is that of the element around it. None for most pages.
    """
    present = columns["present"]
    if not any(map(present.__getitem__, _OF_FEW_PAGES)):
        return None
    tag, parent = columns["tag"], columns["parent"]
    rows = _MAY_SWALLOW.take(tag).nonzero()[0]
    rows = rows[columns["end"].take(rows) > rows + _WITH_ONE_TEXT]
    if not len(rows):
        return None
    blocks = np.concatenate(([0], BLOCK.take(tag).cumsum()))
    holds_blocks = blocks.take(columns["end"].take(rows)) > blocks.take(rows + 1)
    is_list = _HOLDS_OPTIONS.take(tag.take(parent.take(rows)))
    for row in rows[holds_blocks & ~is_list].tolist()[:_MOST_TRIED]:
        node = columns["nodes"][row]
        start = _offset(source, node)
        repaired = _close(source, node.tag, start) if _has_no_end(source, node.tag, start) else None
        if repaired is not None:
            return repaired, f"<{node.tag}>"
    return None


def _has_no_end(source: str, name: str, start: int) -> bool:
    """Return whether the next tag of the name of an element is none of its end."""
    following = re.compile(rf"<(/?){name}[\s/>]", re.I).search(source, start + 1)
    return following is None or not following[1]


def _is_closed_late(node: Any, text: str) -> bool:
    """Return whether this text of an element has tags that cannot be in it.

    The text of a script with an address is no code, so any other script is one.
    """
    is_linked = node.tag == "script" and node.attr("src") is not None
    return (_ANY_SCRIPT if is_linked else _CLOSED_LATE[node.tag]).search(text) is not None


def _text(node: Any) -> str:
    return str(getattr(node[0], "data", "")) if len(node) else ""


def _closed_before(source: str, node: Any) -> str | None:
    """Return the source with an element closed before the end tag that it took; None if it is its.

    Its text is looked at as written: an example in it is written with references.
    """
    name, start = node.tag, _offset(source, node)
    tag = _START_TAG.match(source, start) if start >= 0 else None
    end = re.compile(rf"</{name}[\s/>]", re.I).search(source, max(start, 0))
    if tag is None or end is None:
        return None
    is_late = _is_closed_late(node, source[tag.end() : end.start()])
    return _close(source, name, start) if is_late else None


def _closed_at_the_end(source: str, document: turbohtml.Document) -> tuple[str, str] | None:
    """Return the source with an element closed that runs to the end of the page; None if none."""
    last: Any = document
    around: list[Any] = []
    while len(last):
        around.append(last)
        is_implied = len(last) > 1 and not len(last[-1]) and getattr(last[-1], "tag", "") == "body"
        last = last[-2 if is_implied else -1]
    if isinstance(last, turbohtml.Comment):
        return _closed_comment(source, str(last.data))
    for node in around[1:]:
        name = getattr(node, "tag", "")
        if name not in _ENDS:
            continue
        if name == "script" and (ended := _ended_script(source, _text(node))) is not None:
            return ended, "<script>"
        end = source.rfind(f"</{name}>")
        if end >= 0 and source.find(f"<{name}", end) < 0:
            continue  # most are closed by the last end tag; what is inside may be long
        if name in _HOLDS_TEXT and not _is_end(source, _text(node)):
            continue
        if name == "xmp" and not _PAGE_END.search(_text(node)[-_TAIL:]):
            continue  # tags are what it is for
        start = _offset(source, node)
        has_end = re.compile(rf"</{name}[\s/>]", re.I).search(source, max(start, 0))
        repaired = None if has_end else _close(source, name, start)
        if repaired is not None:
            return repaired, f"<{name}>"
    return None


_SCRIPT_END = re.compile(r"</script[\s/>]", re.I)


def _ended_script(source: str, text: str) -> str | None:
    """Return the source with a comment closed in a script that therefore runs to the end.

    After `<!--` and `<script`, the next end tag ends the inner script alone. None if there is none.
    https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements
    """
    inner = _SCRIPT_END.search(text) if _is_end(source, text) and "<!--" in text else None
    if inner is None:
        return None
    number = len(_SCRIPT_END.findall(text))  # of the last end tags of the source, which are in it
    ends = list(_SCRIPT_END.finditer(source))
    return _insert(source, "-->", ends[-number])


# A start tag in which the value of an attribute has no quotation mark at its end, for each mark.
_OPEN_VALUE = {
    quote: re.compile(
        r"<[a-z][^\s<>\"'/]*+(?:(?:\s++|(?<=[\"']))[^\s\"'<>/=]++[\"']*+"  # marks in a value
        r"(?:\s*+=\s*+(?:\"[^\"<>]*+\"|'[^'<>]*+'|[^\s\"'<>]++)|(?!\s*+=)))*+"
        rf"\s++[^\s\"'<>/=]++\s*+=\s*+{quote}[^{quote}<>]*+(?=/?>)",
        re.I,
    )
    for quote in ('"', "'")
}
_NAMES_VALUE = re.compile(r"=\s*\Z")
# After a value: what is in no tag, but in a text in which the value ended.
_IS_TEXT = re.compile(r"[^<>\"'=]*+[<\"']")
# Something like the end of a tag in a value. Texts have apostrophes, so their number says nothing.
_MAY_BE_OPEN = re.compile(r"=\s*+'[^'<>]*+>")


def _closed_attribute(source: str) -> tuple[str, str] | None:
    """Return the source with the first value of an attribute closed that runs over tags.

    Its end would be the beginning of another value, a mark in a text, or the end of the page. On
    longer pages only the end of the page is looked for: other values swallow no more than a few
    tags.
    """
    for quote, pattern in _OPEN_VALUE.items():
        last = source.rfind(quote)
        tags: Iterable[re.Match[str] | None] = ()
        if last > 0 and source[last - 1] == "=":
            tags = (pattern.match(source, max(source.rfind("<", 0, last), 0)),)
        elif len(source) <= _SHORT and _may_be_open(source, quote):
            tags = pattern.finditer(source)
        for tag in tags:
            if tag is not None and _is_open(source, quote, tag.end()):
                return f"{source[: tag.end()]}{quote}{source[tag.end() :]}", "attribute"
    return None


_SHORT = 20_000  # characters


def _may_be_open(source: str, quote: str) -> bool:
    """Return whether a value may be open, which is not true of most pages."""
    return source.count('"') % 2 > 0 if quote == '"' else _MAY_BE_OPEN.search(source) is not None


def _is_open(source: str, quote: str, at: int) -> bool:
    """Return whether a value that runs past the end of its tag ends where no value ends.

    That is at the beginning of another value, in a text, or never.
    """
    end = source.find(quote, at)
    swallowed = source[at : end if end >= 0 else len(source)]
    is_open = (
        end < 0
        or _NAMES_VALUE.search(swallowed[-_TAIL:]) is not None
        or _IS_TEXT.match(source, end + 1) is not None
    )
    return is_open and _ANY_TAG.search(swallowed) is not None


_TAIL = 16  # characters
_PAGE_END = re.compile(r"</(?:body|html)\s*>", re.I)


def _is_end(source: str, text: str) -> bool:
    """Return whether a text may be the end of the source, references aside."""
    tail = source[-4 * _TAIL :].replace("\r\n", "\n").replace("\r", "\n")[-_TAIL:]
    return "&" in tail or "\0" in tail or text[-_TAIL:] == tail or tail.endswith(text)


def _closed_comment(source: str, text: str) -> tuple[str, str] | None:
    if not _is_end(source, text):
        return None
    source = source.replace("\r\n", "\n").replace("\r", "\n") if "\r" in source else source
    start = len(source) - len(text)
    if not text or source[max(start - 4, 0) : start] != "<!--":
        return None
    repaired = _insert(source, "-->", _ANY_TAG.search(source, start))
    return None if repaired is None else (repaired, "comment")


# What has no end goes on to the last character, so that no end is searched twice.
_COMMENT = re.compile(r"<!--(?!-?>)(.*?)(?:--!?>|\Z)", re.S)
_NEXT_MARK = re.compile(r"<!--|-->")
_PROSE_TAG = re.compile(r"<(?:p|h[1-6]|article|li|td|div)[\s>]", re.I)
_LEAST_TAGS, _LEAST_HIDDEN = 2, 50  # tags, words of a page that a comment swallowed
_TAG_OR_SPACE = re.compile(r"<[^<>]*>|\s+")


def _closed_late_comment(source: str) -> tuple[str, str] | None:
    """Return the source with the first comment closed that ends where another one ends.

    Its end is missing or miswritten ("->", "-- >"), and it holds paragraphs. Text that was made a
    comment with its comments is none: then an end without a beginning follows.
    """
    for comment in _COMMENT.finditer(source) if _may_be_nested(source) else ():
        text = comment[1]
        if "<!--" not in text or len(_PROSE_TAG.findall(text)) < _LEAST_TAGS:  # true of most
            continue
        if len(_TAG_OR_SPACE.sub(" ", text).split()) < _LEAST_HIDDEN:
            continue
        following = _NEXT_MARK.search(source, comment.end())
        if following is None or following[0] == "<!--":
            first = _ANY_TAG.search(source, comment.start(1))
            repaired = _insert(source, "-->", first)
            return None if repaired is None else (repaired, "comment")
    return None


def _may_be_nested(source: str) -> bool:
    """Return whether a comment may begin in another one, which is true of few pages."""
    begun = [begin.end() + 2 for begin in _BEGIN.finditer(source)]
    return any(
        source.find("-->", at, following + 1) < 0  # it may be the end of "<!-->"
        for at, following in pairwise(begun)
        if not source.startswith((">", "->"), at)  # an empty comment
    )


# "<!--", written so that one letter is looked for, which is rare: that takes far less time.
_BEGIN = re.compile(r"!(?<=<!)(?=--)")


def _offset(source: str, node: Any) -> int:
    """Return where the start tag of an element is in the source, -1 if it has none."""
    if node.position is None:
        return -1
    line, column = node.position
    starts = re.finditer(r"\r\n?|\n", source)
    at = 0
    for _ in range(line - 1):
        at = next(starts).end()
    return at + int(column)


_START_TAG = re.compile(r"<[^\s/>]++(?:[^>\"']|\"[^\"]*\"|'[^']*')*+>")


def _close(source: str, name: str, start: int) -> str | None:
    """Return the source with an end tag where the element ends at the latest; None if unknown."""
    tag = _START_TAG.match(source, start) if start >= 0 else None
    is_linked = name == "script" and tag is not None and _HAS_ADDRESS.search(tag[0]) is not None
    if tag is None:
        return None
    ends = _PAGE_TAG if is_linked else _ENDS[name]
    found = ends.search(source, tag.end())
    if ends is _AFTER_SCRIPT:
        found = _PAGE_TAG.match(source, _end_of_code(source, tag.end())) or found
    return _insert(source, f"</{name}>", found)


def _end_of_code(source: str, start: int) -> int:
    """Return where the code of a script ends at the latest: before a tag that is in no string."""
    code = _CODE.match(source, start)
    return start if code is None else code.end()


def _insert(source: str, end_tag: str, before: re.Match[str] | None) -> str | None:
    """Return the source with an end tag before a match; None if no content comes after it."""
    if before is None or _CONTENT.search(source, before.start()) is None:
        return None
    return f"{source[: before.start()]}{end_tag}{source[before.start() :]}"


# --- frames --------------------------------------------------------------------------------------

_FRAMES = re.compile(r"</?(?:frameset|frame|noframes)(?:[\s/][^<>]*+)?>", re.I)
_NO_FRAMES = re.compile(r"<noframes[\s>]", re.I)


def without_frames(source: str) -> str | None:
    """Return the source of a page of frames with the content of `<noframes>` as its body.

    None if it has none.
    """
    return _FRAMES.sub("", source) if _NO_FRAMES.search(source) else None


# --- late parts ----------------------------------------------------------------------------------

# The calls that put a part in the place of a fallback, or of an empty element. Most have the same
# number, as on pages without scripts.
_CALL = re.compile(r"""\$R(?:C\("(B:[\da-f]+)","(S:[\da-f]+)"|S\("(S:[\da-f]+)","(P:[\da-f]+)")""")
_PLACES = 'template[id^="B:"],template[id^="P:"]'
_PARTS = '[hidden][id^="S:"]:not(template)'
_BOUNDARY = re.compile(r"<!--(/?)\$[?!~]?-->")  # around a fallback


class _Cut(NamedTuple):
    """A stretch of the source that is written otherwise."""

    begin: int
    end: int
    name: str  # the part that is written instead; "" for none


def has_late_parts(document: turbohtml.Document, templates: Iterable[turbohtml.Element]) -> bool:
    """Return whether a page has late parts with enough prose, which is not all in one of them."""
    if not any((node.attr("id") or "").startswith(("B:", "P:")) for node in templates):
        return False  # true of most pages
    prose = [_prose(part) for part in document.select(_PARTS)]
    if sum(prose) < _LEAST_PROSE or document.root is None:
        return False
    return max(prose) < _ONE_PART * _prose(document.root)


def with_late_parts(source: str, document: turbohtml.Document) -> str | None:
    """Return the source with late parts in their places; None if one has no place.

    `document` was parsed with the places of its elements in the source.
    """
    place_of = {found[1] or found[4]: found[2] or found[3] for found in _CALL.finditer(source)}
    inside: dict[str, tuple[int, int]] = {}
    cuts: list[_Cut] = []
    slots: list[tuple[int, int, str]] = []
    fallback_ends = _fallback_ends(source)
    for node in document.select(f"{_PARTS},{_PLACES}"):
        name, span = node.attr("id") or "", node.source_location
        if span is None or span.end_tag is None:
            continue
        begin, end = span.start_tag.start_offset, span.end_tag.end_offset
        if node.tag != "template":
            inside.setdefault(name, (span.start_tag.end_offset, span.end_tag.start_offset))
            cuts.append(_Cut(begin, end, ""))
        else:
            after = fallback_ends.get(begin, end) if name.startswith("B") else end
            slots.append((begin, after, place_of.get(name, f"S:{name[2:]}")))
    cuts += [_Cut(*slot) for slot in slots if slot[2] in inside]
    if not inside or len(cuts) != 2 * len(inside):
        return None
    return _written(source, sorted(cuts), inside)


def _prose(part: turbohtml.Element) -> int:
    """Return the characters of the longer paragraphs of a part that are in no link or item."""
    sizes = (len(paragraph.text) for paragraph in part.select("p:not(a p, li p)"))
    return sum(size for size in sizes if size >= _LEAST_PARAGRAPH)


# Characters of a paragraph, and of those of all parts: others are menus, cards, lists of products.
_LEAST_PARAGRAPH, _LEAST_PROSE = 80, 1000
_ONE_PART = (
    0.9  # of the characters of all paragraphs: if they are in one part, their order is right
)


def _fallback_ends(source: str) -> dict[int, int]:
    """Return where the fallbacks of a page end, by where they begin."""
    ends: dict[int, int] = {}
    begun: list[int] = []
    for found in _BOUNDARY.finditer(source):
        if not found[1]:
            begun.append(found.end())
        elif begun:
            ends[begun.pop()] = found.start()
    return ends


def _written(source: str, cuts: list[_Cut], inside: dict[str, tuple[int, int]]) -> str | None:
    """Return the source with a part in each cut that names one; None if a part has no place."""
    begins = [cut.begin for cut in cuts]
    pieces: list[str] = []
    stack = [(0, len(source))]
    left = set(inside)
    while stack:
        at, stop = stack.pop()
        number = bisect_left(begins, at)
        if number == len(cuts) or begins[number] >= stop:
            pieces.append(source[at:stop])
            continue
        cut = cuts[number]
        pieces.append(source[at : cut.begin])
        stack.append((max(cut.end, at), stop))
        if cut.name:
            if cut.name not in left:
                return None
            left.remove(cut.name)
            stack.append(inside[cut.name])
    return None if left else "".join(pieces)
