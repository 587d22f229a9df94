"""Texts that belong to the page's controls although they stand inside its content.

A heading may hold a link to itself (a pilcrow, a hash, a chain, a character without width) or a
link to edit its section, or such a link may follow it; a term or a caption may hold a link to
itself, too. Code may hold buttons, or have them beside
it, and may hold the numbers of its lines in elements or cells of their own. A video, a sound or a
drawing may hold a sentence for browsers that cannot show it, and no browser shows what a template
or `<noembed>` holds. Methods see these texts; they are removed from the blocks that a method
selects (`thresher.page.visibility`), so that no output format has them.
"""

from __future__ import annotations

import re
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from thresher.page.array_types import Bools, Int64s, Rows, UInt16s
from thresher.page.arrays import freeze, innermost, inside, levels_inside
from thresher.page.attributes import distinct_values
from thresher.page.core import COMPILED
from thresher.page.roles import role_headings
from thresher.page.tags import CELL, HEADING, NUMBER, lookup

if TYPE_CHECKING:
    from thresher.page.page import Page
if COMPILED:
    from thresher.page import _views

_CODE = lookup("pre listing xmp")
_CODE_TAGS = _CODE.nonzero()[0].tolist()
_IN_HEADINGS = lookup("a button span div small sup")
_IN_CODE = lookup("a button div select span td th")
_MEDIA = lookup("applet audio canvas iframe object video")
_GUTTERS = lookup("div ol ul")
_OBJECT = lookup("applet object")  # which browsers replace by what they hold if they cannot load it
# What the compiled version needs to know of each tag number.
_TAG_BITS: UInt16s = (
    1 * HEADING
    | 2 * _CODE
    | 4 * _IN_HEADINGS
    | 8 * _IN_CODE
    | 16 * lookup("table")
    | 32 * lookup("span")
    | 64 * _MEDIA
    | 128 * lookup("a")
    | 256 * lookup("button")
    | 512 * CELL
    | 1024 * _GUTTERS
    | 2048 * lookup("pre code")
    | 4096 * lookup("br")
    | 8192 * lookup("p dt")
    | 16384 * lookup("blockquote")
).astype(np.uint16)
_SPAN, _LINK = NUMBER["span"], NUMBER["a"]
_INLINE_CODE = NUMBER["code"]
_FIRST = frozenset("0123456789C")  # signs of a control in a span of code: a number, or "Copy"
_LINK_OR_BUTTON, _BUTTON_OR_SELECT = lookup("a button"), lookup("button select")
_MOST_WORDS = 20  # of a control; each sign of Chinese counts as one
_MOST_SKIPPED = 3  # rows without words between an element and a control beside it, as in `_views`
_MOST_READ = 500  # characters of a class attribute, and of the text of a control

_ANCHOR_CLASS = re.compile(
    r"anchor|perma-?link|header-?link|heading-?link|hash-?link|section-?link|deep-?link|"
    r"self-?link|link-?icon",
    re.I,
)
_EDIT_CLASS = re.compile(r"(?<![a-z])(?:mw-)?edit-?section(?![a-z])", re.I)
# Looked for first: one of these is in every match of small letters of ASCII.
_ANCHOR_STEMS, _EDIT_STEMS = ("anchor", "link"), ("edit",)
_COPY_STEMS = ("cop", "clipboard", "toolbar", "button", "btn")
_COPY_CLASS = re.compile(r"copy|copied|clipboard|toolbar|(?<![a-z])(?:button|btn)(?![a-z])", re.I)
_COPY = re.compile(r"\s*Cop(?:y|ied|ier)\b[\w !]{0,40}\s*", re.I)
_COPY_LAST = re.compile(r"\bCop(?:y|ied|ier)\b[\w !]{0,40}\s*\Z", re.I)
_LANGUAGE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:lang|language)(?:$|[\s_-](?:name|label|tag|badge))", re.I
)
_LANGUAGE = re.compile(r"[\w+#.-]{1,20}")
_BAR = re.compile(r"\s*+[\w+#.-]{0,20}\s*+(?:Cop(?:y|ied|ier)\b[\w !]{0,40})?", re.I)
_BAR_CLASS = re.compile(r"header|tool-?bar|code-?bar|title-?bar|code-?head", re.I)
_TOGGLE = re.compile(r"\W*(?:show|hide|toggle|expand|collapse|copy|share|open|close)\b.*", re.I)
_NO_WORD = re.compile(r"[\W_]*")
EDIT_WORDS = (
    r"(?:edit(?: (?:source|section|page|this section|this page|on GitHub))?"
    r"|(?:quelltext )?bearbeiten|modifier(?: le code)?|editar(?: código)?"
    r"|modifica(?: wikitesto)?|edytuj(?: kod)?"
    r"|(?:brontekst )?bewerken|redigera|rediger|править(?: код)?|редактировать|編集|编辑|編輯)"
)
_EDIT = re.compile(rf"\W*{EDIT_WORDS}\W*", re.I)
_FOLD = re.compile(r"\s*\[\s*(?:show|hide|toggle|expand|collapse)(?: all)?\s*\]\s*", re.I)
_TO_TOP = re.compile(
    r"\W*(?:(?:back |return |go |jump )?to (?:the )?top(?: of (?:the )?page)?|top"
    r"|nach oben|zum seitenanfang|zurück nach oben|haut de page|retour en haut|volver arriba"
    r"|torna su|naar boven|do góry|наверх|к началу)\W*",
    re.I,
)
_SELF_LINK = re.compile(
    r"\W*(?:(?:perma|direct |copy |anchor )?link|anchor|section titled)\b.*", re.I | re.S
)

# Classes of elements and cells that hold the numbers of lines.
GUTTER = frozenset(
    "lineno linenos line-number line-numbers line-numbers-rows linenumber linenumbers lineNumber "
    "lineNumbers ln lnt gutter blob-num hljs-ln-numbers hljs-ln-n linenodiv rouge-gutter gl "
    "line-num line-nums LineNr crayon-num crayon-nums line_number line_numbers "
    "line-numbers-wrapper pre-numbering lines-num".split()
)
_NUMBERS = re.compile(r"[\d\s]*")


class Candidates(NamedTuple):
    """Rows that may be controls, and others that tell where some may be.

    Those in headings, in code and beside them have texts in them.
    """

    in_headings: list[int]
    in_code: list[int]
    after_headings: list[int]
    beside_code: list[int]
    first_cells: list[int]  # of tables
    has_bullets: bool  # a text in a table may be a bullet
    media: list[int]
    permalinks: list[int]  # links that hold a text of one sign
    gutters: list[int]  # lists and boxes in code and beside it
    labelled: list[int]  # code below a text that may be its label
    indented: list[int]  # places of texts after a line break that begin with no-break spaces
    lines: list[int]  # places of texts with several lines right in an element `code`
    first_lines: list[int]  # paragraphs and terms that boxes around an element `code` begin with
    has_prompts: bool  # a text on a page with code may be a prompt of a notebook
    has_unfolding: bool  # an element in a quotation may be named for unfolding it


def control_texts(page: Page) -> Bools | None:
    """Return one bool per text row: True for the text of a control; None if there is none."""
    some = page.cached(_candidates)
    rows = [] if some is None else _controls(page, some)
    if page.stated.headings:  # false of most pages
        rows += [row for row in _in_role_headings(page) if _is_heading_control(page, row)]
    if page.present[NUMBER["dl"]]:
        rows += _source_links(page)
    if any(map(page.present.__getitem__, _NEVER_SHOWN_TAGS)):
        rows += _never_shown(page)
    if not rows:
        return None
    marked = np.zeros(len(page), np.bool_)
    marked[rows] = True
    found: Bools = inside(marked, page.end).take(page.text_rows)
    freeze(found)
    return found


def _controls(page: Page, some: Candidates) -> list[int]:
    """Return the rows of controls, given those that may be some."""
    rows = [row for row in some.in_headings if _is_heading_control(page, row)]
    rows += [row for row in some.in_code if _is_code_control(page, row)]
    rows += _numbering_links(page, [row for row in some.in_code if page.tag[row] == _LINK])
    rows += [row for row in some.after_headings if _is_control_after_heading(page, row)]
    rows += [row for row in some.beside_code if _is_control_beside_code(page, row)]
    if some.first_cells:
        rows += page.cached(gutter_cells)
    if some.has_bullets:
        rows += _bullet_cells(page)
    rows += [row for row in some.media if _is_fallback(page, row)]
    found = set(rows)  # those in headings are known by now
    rows += [row for row in some.permalinks if row not in found and _is_permalink(page, row)]
    rows += [row for row in some.gutters if _is_gutter(page, row) and _has_numbers(page, row)]
    rows += [row for row in some.first_lines if _offers_to_select_code(page, row)]
    rows += _labels_of_code(page, some.labelled)
    if some.has_prompts and page.present[NUMBER["pre"]]:
        rows += _notebook_prompts(page)
    if some.has_unfolding:
        links = page.nodes[0].select(_UNFOLDS)
        rows += page.is_one_of(links).nonzero()[0].tolist() if links else []
    return rows


def line_without_controls(page: Page, row: int, limit: int = 10_000) -> str:
    """Return the text inside a row on one line, without the texts of controls."""
    controls = page.cached(control_texts)
    first, last = page.text_span(row)
    if controls is None or not controls[first:last].any():
        return page.line(row, limit)
    texts = compress(page.texts[first:last], (~controls[first:last]).tobytes())
    return " ".join("".join(texts)[:limit].split())


def _candidates(page: Page) -> Candidates | None:
    """Return the candidates of a page; None if there is none."""
    return (_compiled_candidates if COMPILED else _plain_candidates)(page)


def _plain_candidates(page: Page) -> Candidates | None:
    tag, code = page.tag, page.cached(_code_rows)
    before = np.zeros(len(page) + 1, np.intp)
    page.words.cumsum(out=before[1:])
    words = np.ones(len(page) + 1, np.intp)  # inside of each row; none is skipped past the last
    np.subtract(before.take(page.end), before[:-1], out=words[:-1])

    def are_small(rows: Rows, names: Bools) -> Bools:
        """Return which rows are one of some elements with a text and few words."""
        first = page.text_rows.searchsorted(rows)
        found: Bools = names.take(tag.take(rows)) & (words.take(rows) <= _MOST_WORDS)
        found &= first < page.text_rows.searchsorted(page.end.take(rows))
        return found

    def small_inside(outer: Rows, names: Bools) -> Rows:
        """Return such elements inside others, not with all the words of the outermost one."""
        rows, around = _inner(page, outer)
        found: Rows = rows[are_small(rows, names) & (words.take(rows) < words.take(around))]
        return found

    headings = HEADING.take(tag).nonzero()[0]
    _, after_headings = _side_by_side(page, words, headings)
    in_code: list[int] = []
    beside_code: list[tuple[int, int]] = []
    if len(code):
        in_code = _beginning_as_controls(page, small_inside(code, _IN_CODE))
        first, after = _side_by_side(page, words, code)
        fits = are_small(after, _IN_CODE)
        beside_code = list(zip(first[fits].tolist(), after[fits].tolist(), strict=True))
        small = _IN_CODE.take(tag).nonzero()[0]
        first, after = _side_by_side(page, words, small[are_small(small, _IN_CODE)])
        before_code = first[_CODE.take(tag.take(after))].tolist()
        beside_code += zip(before_code, before_code, strict=True)
    is_sign = (page.chars == 1) & (page.words == 0)
    links = page.parent[is_sign & page.linked]
    in_headings = small_inside(headings, _IN_HEADINGS).tolist()
    headed = after_headings[are_small(after_headings, _IN_HEADINGS)].tolist()
    found = Candidates(
        [row for row in in_headings if _may_be_heading_control(page, row)],
        in_code,
        [row for row in headed if tag[row] == _LINK or _may_name_edit(page, row)],
        [row for _, row in sorted(beside_code)],  # in the order of the compiled version
        _first_cells(page),
        _may_have_bullets(page, is_sign),
        [row for row in _MEDIA.take(tag).nonzero()[0].tolist() if words[row]],
        links[tag.take(links) == _LINK].tolist(),
        _in_and_beside_code(page, code),
        _below_labels(page),
        _indented_texts(page),
        _texts_with_lines(page),
        _first_lines(page),
        len(code) > 0 and any(text.rstrip().endswith("]:") for text in page.texts),
        _may_unfold(page),
    )
    return found if any(found) else None


def _first_sign(text: str) -> str:
    """Return the first sign of a text that is not white space; "" if there is much of that."""
    return text[:_MOST_BLANK].lstrip()[:1]


_MOST_BLANK = 60  # as in `_views`


def _may_name_edit(page: Page, row: int) -> bool:
    """Return whether the class of an element has "edit" in it, or signs that are not of ASCII."""
    name = page.nodes[row].attr("class") or ""
    return not name.isascii() or "edit" in name.lower()


def _may_be_heading_control(page: Page, row: int) -> bool:
    if _LINK_OR_BUTTON[page.tag[row]] or _may_name_edit(page, row):
        return True
    return _first_sign(page.texts[page.text_span(row)[0]]) in ("", "[")


def _first_cells(page: Page) -> list[int]:
    """Return the first cell of each table, in order."""
    if not page.present[NUMBER["table"]]:
        return []
    tables = (page.tag == NUMBER["table"]).nonzero()[0]
    cells = CELL.take(page.tag).nonzero()[0]
    begin, end = cells.searchsorted(np.stack((tables, page.end.take(tables))))
    found: list[int] = np.unique(cells[begin[begin < end]]).tolist()
    return found


def _may_have_bullets(page: Page, is_sign: Bools) -> bool:
    """Return whether a text in a table, of one sign that is no word, may be a bullet."""
    if not page.present[NUMBER["table"]] or not is_sign.any():
        return False
    in_table = inside(page.tag == NUMBER["table"], page.end)
    places = (is_sign & in_table).take(page.text_rows).nonzero()[0].tolist()
    return any(_first_sign(page.texts[place]) in _BULLETS | {""} for place in places)


def _in_and_beside_code(page: Page, code: Rows) -> list[int]:
    """Return the lists and boxes whose parent is code or has code as a child."""
    if not len(code):
        return []
    holds = np.zeros(len(page), np.bool_)
    holds[code] = holds[np.maximum(page.parent.take(code), 0)] = True
    found: list[int] = (_GUTTERS.take(page.tag) & holds.take(page.parent)).nonzero()[0].tolist()
    return found


def _below_labels(page: Page) -> list[int]:
    """Return the code below a text that ends as labels do."""
    found: list[int] = []
    for row in _HOLDS_CODE.take(page.tag).nonzero()[0].tolist():
        before = _text_before(page, row)
        text = page.texts[before].strip() if before >= 0 else ""
        is_label = text[-1:] in _ENDS_LABEL or text in _BESIDE_LABEL
        if is_label and len(text) <= _MOST_LABEL:
            found.append(row)
    return found


_MOST_LABEL = 31  # characters of a label, as in `_views`


def _first_lines(page: Page) -> list[int]:
    """Return the paragraphs and terms that boxes around an element `code` begin with.

    White space may be before them. A box is around the element that holds the code.
    """
    code = (page.tag == _INLINE_CODE).nonzero()[0]
    first = page.parent.take(page.parent.take(code)) + 1
    first += page.tag.take(first) == 0
    fits = _LABELS.take(page.tag.take(first)) & (first < code)
    found: list[int] = first[fits].tolist()
    return found


def _may_unfold(page: Page) -> bool:
    """Return whether the class of an element in a quotation, or of one, has "expand" in it."""
    if not page.present[NUMBER["blockquote"]]:
        return False
    rows = (inside(page.tag == NUMBER["blockquote"], page.end) & (page.tag != 0)).nonzero()[0]
    names, _ = distinct_values(page.nodes, rows, "class")
    return any("expand" in (name or "").lower() for name in names)


def _indented_texts(page: Page) -> list[int]:
    """Return the places of the texts after a line break that begin with no-break spaces."""
    after = (page.tag == _LINE_BREAK).nonzero()[0] + 1
    after = after[after < len(page)]
    places = page.text_rows.searchsorted(after[page.tag.take(after) == 0]).tolist()
    return [place for place in places if "\xa0" in page.texts[place][:_INDENT]]


def _texts_with_lines(page: Page) -> list[int]:
    """Return the places of the texts right in an element `code` that have three lines."""
    around = page.parent.take(page.text_rows)
    places = (page.tag.take(around) == _INLINE_CODE).nonzero()[0].tolist()
    return [place for place in places if page.texts[place].count("\n") >= _LINE_ENDS]


def _text_before(page: Page, row: int) -> int:
    """Return the place of the text before a row, -1 if there is none; blank ones are skipped."""
    last = at = page.text_span(row)[0] - 1
    while at > max(last + 1 - _MOST_SKIPPED, -1) and not page.texts[at].strip():
        at -= 1
    return at


def _beginning_as_controls(page: Page, rows: Rows) -> list[int]:
    """Return the rows without spans, unless they begin with a sign of _FIRST."""
    rows = rows[(page.tag.take(rows) != _SPAN) | (page.tag.take(rows + 1) == 0)]
    first = map(page.texts.__getitem__, page.text_rows.searchsorted(rows).tolist())
    return [
        row
        for row, text in zip(rows.tolist(), first, strict=True)
        if page.tag[row] != _SPAN or text.lstrip(" \t\n\f\r")[:1] in _FIRST
    ]


def _side_by_side(page: Page, words: Int64s, first: Rows) -> tuple[Rows, Rows]:
    """Return the rows that another row of the same parent follows, and these.

    Rows without words between them are skipped.
    """
    after = page.end.take(first)
    for _ in range(_MOST_SKIPPED):
        blank = (words.take(after) == 0).nonzero()[0]
        if not len(blank):
            break
        after[blank] = page.end.take(after.take(blank))
    parent = page.parent.take(after, mode="clip")
    fits = (parent == page.parent.take(first)) & (after < len(page))
    return first[fits], after[fits]


def _inner(page: Page, outer: Rows) -> tuple[Rows, Rows]:
    """Return all rows inside of some, and the outermost one of these around each."""
    outer = outer[levels_inside(outer, page.end, outer) == 1]
    size = page.end.take(outer) - outer - 1
    around = outer.repeat(size)
    begin = (outer + 1 + size - size.cumsum()).repeat(size)
    return begin + np.arange(len(around)), around


def _compiled_candidates(page: Page) -> Candidates | None:
    found = _views.find_control_candidates(
        page, _TAG_BITS, _BULLET_SIGNS, _MOST_WORDS, _BESIDE_LABEL
    )
    return None if found is None else Candidates(*found)


def _names(page: Page, row: int) -> str:
    return (page.nodes[row].attr("class") or "")[:_MOST_READ]


def _say(names: str, pattern: re.Pattern[str], stems: tuple[str, ...]) -> bool:
    """Return whether a pattern is in a class; one of `stems` must be, as is false of most.

    Signs past ASCII may stand for letters of them.
    """
    if names.isascii():
        small = names.lower()
        if not any(map(small.__contains__, stems)):
            return False
    return pattern.search(names) is not None


def _text(page: Page, row: int) -> str:
    first, last = page.text_span(row)
    text = page.texts[first] if last == first + 1 else "".join(page.texts[first:last])
    return text[:_MOST_READ]


# --- headings ------------------------------------------------------------------------------------


def _in_role_headings(page: Page) -> list[int]:
    """Return the elements with some of the words of headings that are such by their role."""
    headings = np.array(role_headings(page), np.intp)  # none of them is inside another
    if not len(headings):
        return []
    rows = _IN_HEADINGS.take(page.tag).nonzero()[0]
    place = headings.searchsorted(rows)  # of the first heading that is not before the row
    rows, around = rows[place > 0], headings.take(place[place > 0] - 1)
    is_inner = rows < page.end.take(around)
    rows, around = rows[is_inner], around[is_inner]
    if not len(rows):
        return []
    before = np.concatenate(([0], page.words.cumsum()))
    words, held = (before.take(page.end.take(one)) - before.take(one) for one in (rows, around))
    found: list[int] = rows[(words <= _MOST_WORDS) & (words < held)].tolist()
    return found


def _is_heading_control(page: Page, row: int) -> bool:
    text = _text(page, row)
    if not _LINK_OR_BUTTON[page.tag[row]]:
        is_bracketed = text.lstrip().startswith("[")
        is_control = is_bracketed and (_EDIT.fullmatch(text) or _FOLD.fullmatch(text))
        return bool(is_control or _say(_names(page, row), _EDIT_CLASS, _EDIT_STEMS))
    if _NO_WORD.fullmatch(text) or _EDIT.fullmatch(text):
        return True
    if page.tag[row] == NUMBER["button"] and _TOGGLE.fullmatch(text):
        return True
    address = page.nodes[row].attr("href") or "#"
    if page.tag[row] != NUMBER["button"] and "#" not in address:
        return False
    if _TO_TOP.fullmatch(text) or _SELF_LINK.fullmatch(text):
        return True
    return _names_anchor(page, row)


def _is_control_after_heading(page: Page, row: int) -> bool:
    """Return whether an element after a heading edits its section or links to it."""
    if _say(_names(page, row), _EDIT_CLASS, _EDIT_STEMS):
        return True
    if page.tag[row] != NUMBER["a"]:
        return False
    text = _text(page, row)
    if _EDIT.fullmatch(text):
        return True
    is_within = (page.nodes[row].attr("href") or "").startswith("#")
    if not is_within:
        return False
    is_link = _NO_WORD.fullmatch(text) or _TO_TOP.fullmatch(text) or _SELF_LINK.fullmatch(text)
    return is_link is not None or _names_anchor(page, row)


def _is_permalink(page: Page, row: int) -> bool:
    """Return whether a link of a term, a caption or another place to itself holds a sign alone."""
    if not (page.nodes[row].attr("href") or "").startswith("#"):
        return False
    text = _text(page, row).strip()
    if not _NO_WORD.fullmatch(text):
        return False
    return text == "¶" or _names_anchor(page, row)


def _names_anchor(page: Page, row: int) -> bool:
    return _say(_names(page, row), _ANCHOR_CLASS, _ANCHOR_STEMS)


# --- code ----------------------------------------------------------------------------------------


def _is_code_control(page: Page, row: int) -> bool:
    if _BUTTON_OR_SELECT[page.tag[row]]:
        return True
    if page.tag[row] == _SPAN or CELL[page.tag[row]]:
        text = _text(page, row)
        if _NUMBERS.fullmatch(text):
            return _is_gutter(page, row) or _is_left_out_of_copies(page, row)
        return _COPY.fullmatch(text) is not None and _is_button(page, row)
    return _is_button(page, row) or _is_copy_bar(page, row) or _is_bar_above_code(page, row)


def _is_bar_above_code(page: Page, row: int) -> bool:
    """Return whether an element in a block of code is a bar above the `<code>` after it.

    It names the language and may offer to copy the code, or its class says what it is.
    """
    is_named = _BAR_CLASS.search(_names(page, row)) is not None
    if not is_named and not _BAR.fullmatch(" ".join(page.texts_inside(row))[:_MOST_READ]):
        return False
    block = row
    while not _CODE[page.tag[block]]:
        if page.tag[block] == NUMBER["code"]:
            return False
        block = int(page.parent[block])
    inside, after = page.tag[row : page.end[row]], page.tag[page.end[row] : page.end[block]]
    return bool((after == NUMBER["code"]).any() and not (inside == NUMBER["code"]).any())


def _is_control_beside_code(page: Page, row: int) -> bool:
    """Return whether an element beside code is a button to copy it, a bar with one, or its name.

    The name is that of its language.
    """
    text = " ".join(page.texts_inside(row))[:_MOST_READ]
    if _LANGUAGE.fullmatch(text.strip()):
        inner = row + 1  # perhaps the only element in it
        holds_one = page.tag[inner] != 0 and page.end[inner] == page.end[row]
        names = _names(page, row) + (f" {_names(page, inner)}" if holds_one else "")
        if _LANGUAGE_CLASS.search(names):
            return True
    if page.tag[row] == NUMBER["button"] or _COPY.fullmatch(text):
        return _COPY.fullmatch(text) is not None or not text.strip()
    return _is_copy_bar(page, row)


def _is_copy_bar(page: Page, row: int) -> bool:
    """Return whether an element has a button and its text ends with an offer to copy."""
    if _COPY_LAST.search(" ".join(page.texts_inside(row))[:_MOST_READ]) is None:
        return False
    return bool((page.tag[row : page.end[row]] == NUMBER["button"]).any())


def _is_button(page: Page, row: int) -> bool:
    is_one = page.nodes[row].attr("role") == "button"
    return is_one or _say(_names(page, row), _COPY_CLASS, _COPY_STEMS)


def _is_gutter(page: Page, row: int) -> bool:
    """Return whether a class says that an element holds the numbers of lines."""
    return not GUTTER.isdisjoint(_names(page, row).split())


def _is_left_out_of_copies(page: Page, row: int) -> bool:
    """Return whether the style of an element says that it is not copied with the text around it."""
    style = (page.nodes[row].attr("style") or "")[:_MOST_READ]
    return "user-select" in style and _NOT_SELECTED.search(style) is not None


_NOT_SELECTED = re.compile(r"user-select\s*:\s*none", re.I)


def _numbering_links(page: Page, links: list[int]) -> list[int]:
    """Return those links in code that are the numbers of lines one after the other.

    Each is a link to itself, which a number of a list or of a chapter may also be: these have
    several lines between them.
    """
    found: list[int] = []
    row_before, number_before = -1, -1
    for row in links:
        text, node = _text(page, row).strip(), page.nodes[row]
        address = node.attr("href") or ""
        own = (node.attr("id") or node.attr("name") or "") if address.startswith("#") else ""
        if not own or address[1:] != own or not _LINE_NUMBER.fullmatch(text):
            continue
        if int(text) == number_before + 1:
            between = page.texts[page.text_span(row_before)[1] : page.text_span(row)[0]]
            if sum(text.count("\n") for text in between) <= 1:
                found += [row_before, row]
        row_before, number_before = row, int(text)
    return found


_LINE_NUMBER = re.compile(r"[0-9]{1,6}")


def _offers_to_select_code(page: Page, row: int) -> bool:
    """Return whether a line above code of forums ends with a link to select the code."""
    last = int(page.end[row]) - 1
    link = last if page.tag[last] == _LINK else int(page.parent[last])
    if page.tag[link] != _LINK:
        return False
    return "selectCode" in (page.nodes[link].attr("onclick") or "")


_LABELS = lookup("p dt")


def _labels_of_code(page: Page, labelled: list[int]) -> list[int]:
    """Return the lines above code that boards write: "Code:", "PHP Code:", "Code: [Select]"."""
    found: list[int] = []
    for code in labelled:
        before = _text_before(page, code)
        if not _MAY_LABEL_CODE.fullmatch(page.texts[before].strip()):
            continue
        row = int(page.parent[page.text_rows[before]])
        for _ in range(_MOST_SKIPPED):
            if row < 0 or page.end[row] > code:
                break
            begin, end = page.text_span(row)
            if end - begin > _MOST_WORDS:
                break
            names, text = {*_names(page, row).split()}, _text(page, row)
            is_label = not names.isdisjoint(_CODE_LABELS) and _CODE_LABEL.fullmatch(text)
            if is_label or (not names.isdisjoint(_CODE_TITLES) and _CODE_TITLE.fullmatch(text)):
                found.append(row)
            row = int(page.parent[row])
    return found


_HOLDS_CODE = lookup("pre code")
_ENDS_LABEL = frozenset(":]")
_BESIDE_LABEL = frozenset("Select Auswählen Sélectionner Seleccionar Expand".split())
# Classes of XenForo 2, vBulletin 4 and SMF; of XenForo 1, vBulletin 3 and MyBB.
_CODE_TITLES = frozenset("bbCodeBlock-title bbcode_description codeheader".split())
_CODE_LABELS = frozenset("type smallfont title".split())
_BUTTONS = r"(?:\s*+\[?(?:select|auswählen|sélectionner|seleccionar)\]?)?(?:\s*+\[?expand\]?)?\s*+"
_CODE_TITLE = re.compile(rf"\s*+[\w+#./()-][\w+#./() -]{{0,29}}:?{_BUTTONS}", re.I)
_CODE_LABEL = re.compile(rf"\s*+(?:\w{{1,10}} )?(?:code|código|codice|kod|код) ?:{_BUTTONS}", re.I)
_MAY_LABEL_CODE = re.compile(r"[\w+#./()-][\w+#./() -]{0,29}:?|\[[\w ]{1,20}\]")


def _notebook_prompts(page: Page) -> list[int]:
    """Return the texts beside cells of notebooks, such as "In [1]:", and those that are a cell."""
    found: list[int] = []
    texts, code = page.texts, page.cached(_code_rows).astype(np.int32)
    bounds = page.text_rows.searchsorted(np.stack((code, page.end.take(code))))
    for first, last in bounds.T.tolist():
        before = first - 1
        while before > first - _MOST_SKIPPED and (not texts[before] or texts[before].isspace()):
            before -= 1
        after = last
        while after < last + _MOST_SKIPPED and not "".join(texts[after : after + 1]).strip():
            after += 1
        places = (before, first, after) if last == first + 1 else (before, after)
        beside = ((at, texts[at]) for at in places if 0 <= at < len(texts))
        found += [int(page.text_rows[at]) for at, text in beside if _PROMPT.fullmatch(text)]
    return found


_PROMPT = re.compile(r"\s*(?:In|Out)?\s?\[[\d *]{0,6}\]:\s*")


# What unfolds a quotation, on XenForo.
_UNFOLDS = "blockquote .bbCodeBlock-expandLink,blockquote .quoteExpand"
_SOURCE_LINK = "viewcode-link"  # the class of links from a term of Sphinx to its code


def _source_links(page: Page) -> list[int]:
    """Return the links of terms to their code, which say "[source]"."""
    spans = ((page.tag == _SPAN) & page.linked).nonzero()[0]
    names, name_of = distinct_values(page.nodes, spans, "class")
    if not any(name and _SOURCE_LINK in name for name in names):  # true of most pages
        return []
    is_one = [_SOURCE_LINK in (name or "")[:_MOST_READ].split() for name in names]
    found: list[int] = spans[np.array(is_one, np.bool_).take(name_of)].tolist()
    return found


def _code_rows(page: Page) -> Rows:
    """Return the rows of blocks of code, in order."""
    if not any(map(page.present.__getitem__, _CODE_TAGS)):  # true of most pages
        return np.zeros(0, np.intp)
    found: Rows = _CODE.take(page.tag).nonzero()[0]
    return found


def _has_numbers(page: Page, row: int) -> bool:
    """Return whether an element holds numbers alone, or nothing."""
    return _NUMBERS.fullmatch(_text(page, row)) is not None


def gutter_cells(page: Page) -> list[int]:
    """Return the cells with line numbers of tables whose first cell is one."""
    some = page.cached(_candidates)
    if some is None or not any(_is_gutter(page, cell) for cell in some.first_cells):
        return []  # true of most pages
    tables = (page.tag == NUMBER["table"]).nonzero()[0]
    cells = CELL.take(page.tag).nonzero()[0]
    bounds = cells.searchsorted(np.stack((tables, page.end.take(tables))))
    found: list[int] = []
    for begin, end in bounds.T.tolist():
        if begin < end and _is_gutter(page, int(cells[begin])):
            found += [
                cell
                for cell in cells[begin:end].tolist()
                if _is_gutter(page, cell) and _has_numbers(page, cell)
            ]
    return found


def has_code_in_parts(page: Page) -> bool:
    """Return whether code is in a table, perhaps with its line numbers, or in parts of one block.

    Parts are elements `code`, and items of a list, which are lines. Browsers show these as lines of
    code, but their tags say less. So they do of lines in an element `code` that is in no block, and
    of those that begin with no-break spaces in a box of code. False of most pages.
    """
    some = page.cached(_candidates)
    if some is not None and (_has_indents(page, some) or _has_lines_of_code(page, some)):
        return True
    has_tables = page.present[NUMBER["table"]]
    if not has_tables and not any(map(page.present.__getitem__, _CODE_TAGS)):
        return False
    tables = (page.tag == NUMBER["table"]).nonzero()[0]
    blocks = page.cached(_code_rows)
    if len(blocks):
        if len(tables) and (innermost(tables, page.end, blocks) >= 0).any():
            return True
        holders = page.parent.take((page.tag == NUMBER["code"]).nonzero()[0])
        holders = holders[_CODE.take(page.tag.take(holders))]
        if (holders[1:] == holders[:-1]).any():
            return True
        items = (page.tag == NUMBER["li"]).nonzero()[0]
        if (innermost(blocks, page.end, items) >= 0).any():
            return True
    return has_tables > 0 and len(page.cached(gutter_cells)) > 0


_LINE_BREAK = NUMBER["br"]
# A class of an element around lines of code.
CODE_CLASS = re.compile(
    r"(?:^|\s)(?:code|code[_-]?(?:block|box)|source-?code|bbc_code)(?:\s|$)", re.I
)
_MOST_INDENTS, _MOST_AROUND_LINES = 20, 4
_INDENT, _LINE_ENDS = 4, 2  # characters at the begin of a line; line ends, both as in `_views`


def _has_indents(page: Page, some: Candidates) -> bool:
    """Return whether lines that begin with no-break spaces are in code or a box of code."""
    for place in some.indented[:_MOST_INDENTS]:
        row = int(page.parent[page.text_rows[place]])
        for _ in range(_MOST_AROUND_LINES):
            if row < 0 or _CODE[page.tag[row]]:
                break
            if page.tag[row] == _INLINE_CODE or CODE_CLASS.search(_names(page, row)):
                return True
            row = int(page.parent[row])
    return False


def _has_lines_of_code(page: Page, some: Candidates) -> bool:
    """Return whether a text right in an element `code` that is in no block has three lines."""
    for place in some.lines:
        if page.texts[place].strip().count("\n") >= _LINE_ENDS:
            row = int(page.parent[page.text_rows[place]])
            for _ in range(_MOST_AROUND_LINES):
                row = int(page.parent[row])
                if row < 0 or _CODE[page.tag[row]]:
                    break
            else:
                return True
            if row < 0:
                return True
    return False


_PAIR = 2  # cells of a row that is an item with its bullet
_BULLET_SIGNS = "•·●○◦▪▫■□◆◇►▸‣⁃∙*»›-–—"
_BULLETS = frozenset(_BULLET_SIGNS)


def _bullet_cells(page: Page) -> list[int]:
    """Return the first cells of table rows that hold the bullet of an item alone.

    All rows of the table have two cells, and no word in the first one.
    """
    cells = CELL.take(page.tag).nonzero()[0]
    lines, first, size = np.unique(page.parent.take(cells), return_index=True, return_counts=True)
    words, chars = (np.concatenate(([0], own.cumsum())) for own in (page.words, page.chars))
    firsts = cells.take(first)
    ends = page.end.take(firsts)
    is_item = (size == _PAIR) & (words.take(ends) == words.take(firsts))
    if not is_item.any():
        return []
    _, number = np.unique(page.parent.take(lines), return_inverse=True)
    is_list = np.bincount(number, ~is_item) == 0
    fits = is_list.take(number) & (chars.take(ends) - chars.take(firsts) == 1)
    return [cell for cell in firsts[fits].tolist() if _text(page, cell).strip() in _BULLETS]


# --- media ---------------------------------------------------------------------------------------

_NEVER_SHOWN = lookup("template noembed noframes")
_NEVER_SHOWN_TAGS = _NEVER_SHOWN.nonzero()[0].tolist()


def _never_shown(page: Page) -> list[int]:
    """Return the rows of elements that no browser shows; it does show the root of a shadow tree."""
    rows = _NEVER_SHOWN.take(page.tag).nonzero()[0].tolist()
    return [row for row in rows if page.hidden[row] and not _is_shadow_root(page, row)]


def _is_shadow_root(page: Page, row: int) -> bool:
    return page.nodes[row].attr("shadowrootmode") is not None


_MOST_FALLBACK = 60  # words; more are text, as after an element that is never closed
_UNABLE = re.compile(
    r"browser|navigateur|navegador|przeglądark|prohlížeč|selain|tarayıcı|браузер|浏览器|瀏覽器|ブラウザ"
    r"|브라우저|flash|plug-?in|quicktime|silverlight|\bjava\b|\bplayer\b",
    re.I,
)


def _is_fallback(page: Page, row: int) -> bool:
    """Return whether the text of a video, sound or drawing is for browsers that cannot show it.

    That of an object is shown by browsers that cannot load it, so it must say so.
    """
    if page.words[row : page.end[row]].sum() > _MOST_FALLBACK:
        return False
    return not _OBJECT[page.tag[row]] or _UNABLE.search(_text(page, row)) is not None
