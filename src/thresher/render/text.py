"""Plain text of a selection, with each formula once and as TeX, as in Markdown.

The texts inside a formula are replaced by its TeX, and those of its copies are left out. Then the
page is written as any other (`thresher.page.plain_text`). Marks of TeX in a text stay as they are.
"""

from __future__ import annotations

from dataclasses import replace

from thresher.page import Page, Selection
from thresher.page.array_types import Rows
from thresher.page.arrays import freeze, nearest
from thresher.page.plain_text import may_have_formulas
from thresher.page.tags import BLOCK, NUMBER
from thresher.render.kept_tree import KeptTree, kept_tree
from thresher.render.maths import PIECES, normalise_maths
from thresher.render.tree import Element

_INLINE = NUMBER["em"]  # a tag that separates nothing


def text_with_tex(selection: Selection) -> str:
    """Return the kept text, with formulas as TeX between dollars."""
    return formulas_as_tex(selection).text()


def formulas_as_tex(selection: Selection) -> Selection:
    """Return the selection on a page whose kept formulas are texts: TeX between dollars."""
    page = selection.page
    if not may_have_formulas(page) or page.base is not None:  # true of most pages
        return selection
    tree = kept_tree(selection)
    normalise_maths(tree)
    found = _formulas(page, tree)
    return _Rewriting(selection, found).selection() if found else selection


def _formulas(page: Page, tree: KeptTree) -> list[tuple[int, str]]:
    """Return the rows of the formulas with their TeX, in order; copies have none.

    The list is empty if no formula has any.
    """
    row_of = {id(node): row for row, node in enumerate(page.nodes) if node is not None}
    found: list[tuple[int, str]] = []
    after = 0
    for index in sorted(tree.replaced):
        element = tree.replaced[index]
        is_formula = isinstance(element, Element) and element.tag != PIECES
        is_copy = element is None and tree.tags[index] not in ("", "br")
        if index >= after and (is_formula or is_copy):
            tex = element.text if isinstance(element, Element) else ""
            found.append((row_of[id(tree.nodes[index])], tex))
            after = tree.ends[index]
    return found if any(tex for _, tex in found) else []


class _Rewriting:
    """A page whose formulas are replaced, one by one."""

    def __init__(self, selection: Selection, formulas: list[tuple[int, str]]) -> None:
        page = self.page = selection.page
        self.of = selection
        self.keep = selection.keep.copy()
        self.texts = list(page.texts)
        self.tag, self.chars, self.words = page.tag.copy(), page.chars.copy(), page.words.copy()
        self.block: Rows = nearest(BLOCK[page.tag], page.parent)
        for row, tex in formulas:
            first, last = page.text_span(row)
            if last > first:
                self._replace_texts(row, first, last, tex)
            elif tex:
                self._add_beside(row, first, tex)

    def selection(self) -> Selection:
        """Return the same selection of the rewritten page."""
        freeze(self.tag, self.chars, self.words)
        page = replace(
            self.page, texts=tuple(self.texts), tag=self.tag, chars=self.chars, words=self.words
        )
        page.prefill(nodes=self.page.nodes, stated=self.page.stated._replace(tex=[]))
        return replace(self.of, page=page, keep=self.keep)

    def _replace_texts(self, row: int, first: int, last: int, tex: str) -> None:
        """Write TeX in place of the texts of an element; "" leaves them out."""
        inside = slice(row, int(self.page.end[row]))
        self.tag[inside][self.page.tag[inside] > 0] = _INLINE
        for at in range(first, last):  # texts that are left out, no white space
            self._write(at, "x", keep=False)
        if tex:
            self._write(first, tex)

    def _write(self, at: int, new: str, *, keep: bool = True) -> None:
        row = self.page.text_rows[at]
        self.texts[at], self.keep[at] = new, keep
        self.chars[row], self.words[row] = len(new), 1

    def _add_beside(self, row: int, after: int, tex: str) -> None:
        """Write TeX at the end of the text before an image or at the begin of that after it.

        White space between blocks takes the TeX of an image that is alone in its block.
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
            self._write(at, f"{old}{tex}" if at < after else f"{tex}{old}")
