"""Formulas: each one once, as TeX between dollars where the page holds TeX, else as readable text.

Pages hold several copies of a formula: MathML for screen readers, boxes for display, the TeX source
in an annotation or a script, an image for old browsers. The TeX is the copy that is kept.
"""

from __future__ import annotations

import re
from itertools import compress

from thresher.page.attributes import attribute_values
from thresher.render.kept_tree import KeptTree
from thresher.render.tree import Element, Text

# Elements that hold one formula. Outer ones come first in the page, so their inner copies are
# skipped.
_FORMULA_CLASSES = frozenset(
    "mwe-math-element katex-display katex MathJax_Display MathJax MathJax_SVG MathJax_SVG_Display "
    "MathJax_CHTML".split()
)
_FALLBACK_IMAGE = "mwe-math-fallback-image"
_RENDERED = re.compile(r"MathJax|MJXc")
_STYLE = re.compile(r"\{\s*\\(?:display|text|script)style\s*(.*)\}", re.DOTALL)
_SIGNS = {"msup": "^", "msub": "_", "mfrac": "/", "mover": "^", "munder": "_", "mroot": "^"}


def normalise_maths(tree: KeptTree) -> None:
    """Replace each formula by one `span.math` that holds its TeX, or by its text."""
    replaced, ends = tree.replaced, tree.ends
    scripts = tree.places_of("script")
    for script in scripts:
        _rewrite_script(tree, script)
    after = 0  # the end of the last formula, or of what was replaced
    for index in _formulas(tree):
        if index < after or index in replaced:
            after = max(after, ends[index])
            continue
        tex = _tex(tree, index)
        if tex:
            replaced[index] = _formula(tex, display=_is_display(tree, index))
        elif tree.tags[index] != "img":
            replaced[index] = Text(_readable_text(tree, index))
        after = ends[index]
    for script in scripts:
        replaced.setdefault(script)


def _formulas(tree: KeptTree) -> list[int]:
    """Return the elements that hold a formula, and their copies within, in document order."""
    found = [*tree.places_of("math", "mjx-container")]
    nodes = tree.nodes
    for tag in ("span", "div", "img"):
        places = tree.places.get(tag, [])
        holders = [nodes[index] for index in places]
        for index, classes in zip(places, attribute_values(holders, "class"), strict=True):
            if classes is not None and _names_formula(classes):
                found.append(index)
            elif classes is not None and tag == "span" and classes.startswith("math "):
                tree.formulas.add(index)
        if tag != "div":
            found += compress(places, map(_is_given, attribute_values(holders, "data-tex")))
    return sorted(found)


def _is_given(value: str | None) -> bool:
    return value is not None


def _names_formula(classes: str) -> bool:
    if "mwe-math" not in classes and "katex" not in classes and "MathJax" not in classes:
        return False
    return _FALLBACK_IMAGE in classes or not _FORMULA_CLASSES.isdisjoint(classes.split())


def _rewrite_script(tree: KeptTree, script: int) -> None:
    """Replace a script of MathJax 2, and the preview and picture before it, by its formula."""
    tex = _clean_tex(tree.text(script))
    kind = tree.attr(script, "type") or ""
    if not tex or "mml" in kind:
        return
    before = tree.previous(script)
    while before >= 0 and tree.tags[before] and before not in tree.replaced:
        if not _RENDERED.match(tree.attr(before, "class") or ""):
            break
        tree.replaced[before] = None
        before = tree.previous(script)
    tree.replaced[script] = _formula(tex, display="mode=display" in kind)


def _formula(tex: str, *, display: bool) -> Element:
    mark, kind = ("$$", "math display") if display else ("$", "math inline")
    return Element("span", {"class": kind}, [Text(f"{mark}{tex}{mark}")])


def _clean_tex(tex: str) -> str:
    """Return TeX on one line, without dollars and without a style around all of it."""
    one_line = " ".join(tex.split())
    styled = _STYLE.fullmatch(one_line)
    return (styled[1] if styled else one_line).strip().strip("$").strip()


def _tex(tree: KeptTree, root: int) -> str:
    """Return the TeX of a formula from an annotation, an attribute or a fallback image."""
    for annotation in tree.inside(root, "annotation"):
        if "tex" in (tree.attr(annotation, "encoding") or "").lower():
            text = tree.text(annotation)
            if text.strip():
                return _clean_tex(text)
    holders = [root, *tree.inside(root, "math", "img")]
    found = (
        _clean_tex(tree.attr(holder, name) or "")
        for name in ("data-tex", "alttext", "alt")
        for holder in holders
    )
    return next(filter(None, found), "")


def _is_display(tree: KeptTree, root: int) -> bool:
    return any(
        tree.attr(element, "display") in ("block", "true")
        or "display" in (tree.attr(element, "class") or "").lower()
        for element in (root, *tree.inside(root, "math", "img"))
    )


def _readable_text(tree: KeptTree, root: int) -> str:
    """Return the text of a formula without TeX, from one of its copies."""
    math = root if tree.tags[root] == "math" else next(tree.inside(root, "math"), None)
    if math is not None and tree.text(math).strip():
        return _one_line(tree, math)
    return " ".join(tree.text(root).split())


def _one_line(tree: KeptTree, math: int) -> str:
    """Return MathML on one line: x^2, a_1, (a+b)/c."""
    parts: list[str] = []
    stack: list[int | str] = [math]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            parts.append(piece)
        elif piece in tree.replaced:
            stack.append(" ".join(tree.text(piece).split()))
        elif not tree.tags[piece]:
            parts.append(" ".join(tree.texts[piece].split()))
        elif not tree.tags[piece].startswith("annotation"):
            stack.extend(reversed(_pieces(tree, piece)))
    return "".join(parts)


def _pieces(tree: KeptTree, index: int) -> list[int | str]:
    """Return the children of an element with the signs that replace its layout."""
    tag, everything = tree.tags[index], list(tree.children(index))
    children = [child for child in everything if tree.tags[child]]
    grouped: list[list[int | str]] = [
        ["(", child, ")"] if len(list(tree.children(child))) > 1 else [child] for child in children
    ]
    if tag in _SIGNS and len(children) == 2:
        return [*grouped[0], _SIGNS[tag], *grouped[1]]
    if tag == "msubsup" and len(children) == 3:
        return [*grouped[0], "_", *grouped[1], "^", *grouped[2]]
    if tag == "msqrt":
        return ["√(", *children, ")"]
    if tag == "mtr":
        return [piece for child in children for piece in (child, " ")]
    if tag == "mtext":
        return [" ", *everything, " "]
    return [*everything]
