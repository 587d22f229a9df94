"""Plain text of a selection, with formulas and code in tables as in Markdown.

The texts inside a formula are replaced by its TeX, and those of its copies are left out. Code in a
table becomes one block with its lines. Then the page is written as any other
(`thresher.page.plain_text`). Formulas between marks of TeX in the text stand between dollars.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Rows
from thresher.page.arrays import freeze, nearest
from thresher.page.tags import BLOCK, NUMBER
from thresher.render.code import CODE_TAGS, normalise_code
from thresher.render.kept_tree import KeptTree, kept_tree
from thresher.render.maths import BREAK, HOLDS_CODE, TEX_MARKS, marked_formulas, normalise_maths
from thresher.render.scan import HAS_MARKS, tex_marks
from thresher.render.tree import Element

_INLINE, _BLOCK = NUMBER["em"], NUMBER["pre"]  # a tag that separates nothing, and that of code
_LINE_BREAK = NUMBER["br"]


def readable(selection: Selection) -> Selection:
    """Return the selection on a page whose kept formulas are TeX, and code in tables blocks."""
    page = selection.page
    if page.base is not None:
        return selection
    tree = kept_tree(selection)
    normalise_maths(tree)
    normalise_code(tree)
    found = _replacements(page, tree)
    return _Rewriting(selection, found).selection() if found else selection


def with_marked_formulas(selection: Selection) -> Selection:
    """Return the selection with the formulas between marks, as `\\(a\\)`, between dollars.

    These are the formulas that Markdown has: they may be in several lines, and are not in code.
    """
    page, keep = selection.page, selection.keep
    kept = keep.nonzero()[0].tolist()
    if not tex_marks([page.texts[at] for at in kept]) & HAS_MARKS:  # true of most pages
        return selection
    new: dict[int, str] = {}
    breaks: list[int] = []  # in formulas
    after = 0
    for at in kept:
        row = int(page.text_rows[at])
        if row < after or not TEX_MARKS.search(page.texts[at]):
            continue
        run = list(_text_and_breaks(page, keep, at))
        after = run[-1][0] + 1
        if not _is_in_code(page, row):
            _rewrite_run(page, run, new, breaks)
    if not new:
        return selection
    texts, tag, keep = list(page.texts), page.tag.copy(), keep.copy()
    chars, words = page.chars.copy(), page.words.copy()
    tag[breaks] = _INLINE
    for at, text in new.items():
        row = page.text_rows[at]
        texts[at], keep[at] = text or "x", bool(text)
        chars[row], words[row] = len(texts[at]), max(int(words[row]), 1)
    freeze(tag, chars, words)
    written = replace(page, texts=tuple(texts), tag=tag, chars=chars, words=words)
    written.prefill(nodes=page.nodes, stated=page.stated)
    return replace(selection, page=written, keep=keep)


def _text_and_breaks(page: Page, keep: Bools, at: int) -> Iterator[tuple[int, int]]:
    """Yield a kept text and the kept texts and line breaks right after it in the same element.

    Each is a row, and its index among the texts of the page, -1 for a line break.
    """
    row = int(page.text_rows[at])
    parent = page.parent[row]
    while row < len(page) and page.parent[row] == parent:
        if page.tag[row] == 0:
            if not keep[at]:
                return
            yield row, at
            at += 1
        elif page.tag[row] == _LINE_BREAK and page.end[row] == row + 1:
            yield row, -1
        else:
            return
        row += 1


def _is_in_code(page: Page, row: int) -> bool:
    while row >= 0 and page.names[page.tag[row]] not in HOLDS_CODE:
        row = int(page.parent[row])
    return row >= 0


def _rewrite_run(
    page: Page, run: list[tuple[int, int]], new: dict[int, str], breaks: list[int]
) -> None:
    """Add the new texts of a run with formulas to `new`, and the line breaks in formulas."""
    whole = "".join(page.texts[at] if at >= 0 else BREAK for _, at in run)
    pieces: list[str] = []
    is_inside: list[bool] = []  # of each line break: whether it is in a formula
    after = 0
    for start, end, formula in marked_formulas(whole):
        inner = whole.count(BREAK, start, end)
        pieces += [whole[after:start], formula.text, BREAK * inner]
        is_inside += [False] * whole.count(BREAK, after, start) + [True] * inner
        after = end
    if not pieces:
        return
    lines = iter("".join([*pieces, whole[after:]]).split(BREAK))
    line = next(lines)
    ends = iter(is_inside)
    for row, at in run:
        if at >= 0:  # a second text of one line, as around a comment, is in the first one
            new[at], line = line, ""
        else:
            line = next(lines)
            breaks += [row] if next(ends, False) else []


def _replacements(page: Page, tree: KeptTree) -> list[tuple[int, str, int]]:
    """Return the rows of formulas and code with their new text and tag; copies have no text."""
    row_of = {id(node): row for row, node in enumerate(page.nodes) if node is not None}
    found: list[tuple[int, str, int]] = []
    after = 0
    for index in sorted(tree.replaced):
        if index < after:
            continue
        element, tag = tree.replaced[index], tree.tags[index]
        if isinstance(element, Element) and element.tag == "pre":
            if tag in CODE_TAGS and not _has_items(tree, index):
                continue  # it is written as it is
            new = (element.text, _BLOCK)
        elif isinstance(element, Element) and element.tag == "span":
            new = (element.text, _INLINE)
        elif element is None and tag not in ("", "br", "td", "th"):
            new = ("", _INLINE)
        else:
            continue
        found.append((row_of[id(tree.nodes[index])], *new))
        after = tree.ends[index]
    return found


def _has_items(tree: KeptTree, index: int) -> bool:
    """Return whether the lines of a block of code are the items of a list."""
    return bool(tree.inside(index, ("li",)))


class _Rewriting:
    """A page whose formulas and blocks of code are replaced, one by one."""

    def __init__(self, selection: Selection, new: list[tuple[int, str, int]]) -> None:
        page = self.page = selection.page
        self.of = selection
        self.keep = selection.keep.copy()
        self.texts = list(page.texts)
        self.tag, self.chars, self.words = page.tag.copy(), page.chars.copy(), page.words.copy()
        self.block: Rows = nearest(BLOCK[page.tag], page.parent)
        for row, text, tag in new:
            first, last = page.text_span(row)
            if last > first:
                self._replace_texts(row, first, last, text)
                self.tag[row] = tag
            elif text:
                self._add_beside(row, first, text)

    def selection(self) -> Selection:
        """Return the same selection of the rewritten page."""
        freeze(self.tag, self.chars, self.words)
        page = replace(
            self.page, texts=tuple(self.texts), tag=self.tag, chars=self.chars, words=self.words
        )
        page.prefill(nodes=self.page.nodes, stated=self.page.stated._replace(tex=[]))
        return replace(self.of, page=page, keep=self.keep)

    def _replace_texts(self, row: int, first: int, last: int, text: str) -> None:
        """Write another text in place of those of an element; "" leaves them out."""
        inside = slice(row, int(self.page.end[row]))
        self.tag[inside][self.page.tag[inside] > 0] = _INLINE
        for at in range(first, last):  # texts that are left out, no white space
            self._write(at, "x", keep=False)
        if text:  # in a block that is kept, for the texts of blocks
            kept = self.of.keep[first:last].nonzero()[0]
            self._write(first + int(kept[0]) if len(kept) else first, text)

    def _write(self, at: int, new: str, *, keep: bool = True) -> None:
        row = self.page.text_rows[at]
        self.texts[at], self.keep[at] = new, keep
        self.chars[row], self.words[row] = len(new), 1

    def _add_beside(self, row: int, after: int, tex: str) -> None:
        """Write TeX at the end of the text before an image or at the begin of that after it.

        White space between blocks takes the TeX of an image that is alone in its block. Else a
        space is between the TeX and the text of another block.
        """
        places = [at for at in (after - 1, after) if 0 <= at < len(self.texts)]
        same = [at for at in places if self.block[self.page.text_rows[at]] == self.block[row]]
        blank = [at for at in places if not self.texts[at].strip()]
        kept = [at for at in places if self.keep[at]]
        at = next((at for at in same if at in blank or at in kept), None)
        if at is None:
            at = next(iter(blank or kept), None)
        if at is not None:
            old = self.texts[at]
            space = "" if at in same or at in blank else " "
            self._write(at, f"{old}{space}{tex}" if at < after else f"{tex}{space}{old}")
