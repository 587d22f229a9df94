"""Formulas in plain text: each one once, from the copy that can be read.

KaTeX and MathJax put MathML beside a visible copy of it (`formula_copies`). TeX in a script has no
other copy until MathJax has run: it is written as it stands (`with_tex`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from thresher.page.array_types import AnyRows, Bools
from thresher.page.arrays import freeze, inside, nearest, subtree_sums
from thresher.page.core import COMPILED
from thresher.page.lazy import lazy_pattern
from thresher.page.tags import BLOCK, NAMES, NUMBER, lookup
from thresher.page.words import collapsed

if TYPE_CHECKING:
    from thresher.page.page import Page
if COMPILED:
    from thresher.page.plain_text import _text

_MATH, _IMAGE, _RENDERER = NUMBER["math"], NUMBER["img"], "math-renderer"
_HOLDERS = lookup("p dd")
_RENDERED = lazy_pattern(r"MathJax|MJXc")


def may_have_formulas(page: Page) -> bool:
    """Return False if a page surely has no formula but those between marks in its text.

    Of images, only those beside text or right in a paragraph or definition are looked at: few are,
    and those of formulas are.
    """
    if page.stated.tex or page.present[_MATH] or _RENDERER in page.names[len(NAMES) :]:
        return True
    if not page.present[_IMAGE]:
        return False
    if COMPILED:
        columns = page.tag, page.parent, page.words
        signs = _DRAWN_TEX, _TEX_SIGNS, _TEX_NAMES
        return _text.has_drawn_tex(page.nodes, *columns, _IMAGE, _HOLDERS, *signs)
    images = (page.tag == _IMAGE).nonzero()[0]
    beside = page.words.take(images - 1) + page.words.take(images + 1, mode="clip")
    in_text = (beside > 0) | _HOLDERS.take(page.tag.take(page.parent.take(images)))
    return any(_is_drawn_tex(page.nodes[row]) for row in images[in_text].tolist())


_DRAWN_TEX = ("latex", "mwe-math", "/equation?tex=")  # in the class or address of an image
_TEX_SIGNS = "\\{$"  # with one of which its alternative text begins
_TEX_NAMES = frozenset({"tex", "math"})  # classes


def _is_drawn_tex(image: Any) -> bool:
    """Return whether an image, given as a node of the parser, is that of a formula."""
    names, address = image.attr("class") or "", image.attr("src") or ""
    if any(sign in names or sign in address for sign in _DRAWN_TEX):
        return True
    alternative = image.attr("alt") or ""
    if not alternative:
        return False
    return alternative[0] in _TEX_SIGNS or not _TEX_NAMES.isdisjoint(names.split())


def with_tex(page: Page, keep: Bools) -> tuple[Page, Bools]:
    """Return the page with the TeX of its scripts as text, and the texts to keep with it.

    A script beside its formula as MathJax writes it adds nothing.
    """
    if not page.stated.tex:  # true of most pages
        return page, keep
    found = tex_rows(page, keep) & (page.tag == NUMBER["script"])
    chosen = [script for script in found.nonzero()[0].tolist() if not _is_drawn(page, script, keep)]
    if not chosen:
        return page, keep
    texts, chars, words, keep = list(page.texts), page.chars.copy(), page.words.copy(), keep.copy()
    for script in chosen:
        first, last = page.text_span(script)
        tex = collapsed(page.text(script + 1))
        if last > first and tex:
            texts[first], keep[first] = tex, True
            chars[script + 1], words[script + 1] = len(tex), 1
    freeze(chars, words)
    return replace(page, texts=tuple(texts), chars=chars, words=words), keep


def _is_drawn(page: Page, script: int, keep: Bools) -> bool:
    """Return whether the element before a script is its formula, with kept text."""
    parent, before = page.parent[script], script - 1
    if page.tag[before] == 0 and not page.words[before]:
        before -= 1
    while before > parent and page.parent[before] != parent:
        before = int(page.parent[before])
    if before <= parent or not _RENDERED.match(page.attributes(before).get("class", "")):
        return False
    first, last = page.text_span(before)
    return bool(keep[first:last].any())


def tex_rows(page: Page, keep: Bools) -> Bools:
    """Return one bool per row: the TeX of formulas in kept blocks, and all that is in it.

    TeX is hidden, in a script or an annotation, so no selection has it. A block is kept if text of
    it is, or if it has no visible words and the visible text before or after it is kept. `keep` has
    one bool per text row.
    """
    is_tex = np.zeros(len(page), np.bool_)
    rows = (page.tag == NUMBER["annotation"]).nonzero()[0].tolist()
    found = page.stated.tex + [row for row in rows if _is_tex(page.nodes[row])]
    if not found:
        return is_tex
    is_tex[found] = True
    kept = np.zeros(len(page), np.bool_)
    kept[page.text_rows[keep]] = True
    block = nearest(BLOCK[page.tag], page.parent)
    in_kept_block = (subtree_sums(kept, page.end) > 0)[block] & (block >= 0)
    return inside(is_tex & (in_kept_block | _beside_kept(page, kept, block)), page.end)


def _beside_kept(page: Page, kept: Bools, block: AnyRows) -> Bools:
    """Return one bool per row: True in a block without visible words and with kept text beside it.

    `block` is the block around each row.
    """
    visible = (page.words > 0) & ~page.hidden
    texts = visible.nonzero()[0]
    padded = np.concatenate(([False], kept.take(texts), [False]))  # no text is kept beyond
    around = np.maximum(block, 0)
    first = texts.searchsorted(around)
    is_empty = texts.searchsorted(page.end.take(around)) == first
    found: Bools = is_empty & (block >= 0) & (padded.take(first) | padded.take(first + 1))
    return found


def _is_tex(annotation: Any) -> bool:
    """Return whether an annotation, given as a node of the parser, holds TeX."""
    return "tex" in (annotation.attr("encoding") or "").lower()


# KaTeX and MathJax put MathML for screen readers and a visible copy in elements of these classes.
_FORMULA = lazy_pattern(r"(?:^|\s)(?:katex|MathJax\w*|mjx-chtml)(?:\s|$)")


def formula_copies(page: Page, keep: Bools) -> Bools:
    """Return one bool per text row: True if it is a visible copy of kept MathML.

    The copy has `aria-hidden` and is a sibling of the element that holds the MathML.
    """
    if not page.present[_MATH]:
        return np.zeros(len(keep), np.bool_)
    is_math = page.tag == _MATH
    found, kept = np.zeros(len(page), np.bool_), np.zeros(len(page), np.bool_)
    kept[page.text_rows[keep]] = True
    holds_math = subtree_sums(is_math, page.end) > 0
    around = np.unique(page.parent[page.parent[is_math & (subtree_sums(kept, page.end) > 0)]])
    for formula in around[around >= 0].tolist():
        if not _FORMULA.search(page.attributes(formula).get("class", "")):
            continue
        at = formula + 1
        while at < page.end[formula]:
            found[at] = not holds_math[at] and page.attributes(at).get("aria-hidden") == "true"
            at = int(page.end[at])
    copies: Bools = inside(found, page.end)[page.text_rows]
    return copies
