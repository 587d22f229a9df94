"""Formulas: each one once, as TeX between dollars where the page holds TeX, else as readable text.

Pages hold several copies of a formula: MathML for screen readers, boxes for display, the TeX source
in an annotation or a script, an image for old browsers. The TeX is the copy that is kept.
"""

from __future__ import annotations

import re

from turbohtml import Element, Node, Text

from thresher.render.node_set import NodeSet

# Elements that hold one formula. Outer ones come first in the page, so their inner copies are
# skipped.
_FORMULA = (
    ".mwe-math-element, [class*=mwe-math-fallback-image], .katex-display, .katex, mjx-container, "
    ".MathJax_Display, .MathJax, .MathJax_SVG, .MathJax_SVG_Display, .MathJax_CHTML, [data-tex], "
    "math"
)
_RENDERED = re.compile(r"MathJax|MJXc")
_STYLE = re.compile(r"\{\s*\\(?:display|text|script)style\s*(.*)\}", re.DOTALL)
_SIGNS = {"msup": "^", "msub": "_", "mfrac": "/", "mover": "^", "munder": "_", "mroot": "^"}


def normalise_maths(body: Element) -> None:
    """Replace each formula by one `span.math` that holds its TeX, or by its text."""
    for script in body.select('script[type^="math/"]'):
        _rewrite_script(script)
    done = NodeSet()
    for root in body.select(_FORMULA):
        if root in done:
            continue
        done.update(root.descendants)
        tex = _tex(root)
        if tex:
            root.replace_with(_formula(tex, display=_is_display(root)))
        elif root.tag != "img":
            root.replace_with(Text(_readable_text(root)))


def _rewrite_script(script: Element) -> None:
    """Replace a script of MathJax 2, and the preview and picture before it, by its formula."""
    tex = _clean_tex(script.text)
    kind = script.attr("type") or ""
    if not tex or "mml" in kind:
        return
    node = script.previous_sibling
    while isinstance(node, Element) and _RENDERED.match(node.attr("class") or ""):
        before = node.previous_sibling
        node.extract()
        node = before
    script.replace_with(_formula(tex, display="mode=display" in kind))


def _formula(tex: str, *, display: bool) -> Element:
    mark, kind = ("$$", "math display") if display else ("$", "math inline")
    return Element("span", {"class": kind}, [Text(f"{mark}{tex}{mark}")])


def _clean_tex(tex: str) -> str:
    """Return TeX on one line, without dollars and without a style around all of it."""
    one_line = " ".join(tex.split())
    styled = _STYLE.fullmatch(one_line)
    return (styled[1] if styled else one_line).strip().strip("$").strip()


def _tex(root: Element) -> str:
    """Return the TeX of a formula from an annotation, an attribute or a fallback image."""
    for annotation in root.find_all("annotation"):
        if "tex" in (annotation.attr("encoding") or "").lower() and annotation.text.strip():
            return _clean_tex(annotation.text)
    holders = [root, *root.iter_elements(["math", "img"])]
    found = (
        _clean_tex(holder.attr(name) or "")
        for name in ("data-tex", "alttext", "alt")
        for holder in holders
    )
    return next(filter(None, found), "")


def _is_display(root: Element) -> bool:
    return any(
        element.attr("display") in ("block", "true")
        or "display" in (element.attr("class") or "").lower()
        for element in (root, *root.iter_elements(["math", "img"]))
    )


def _readable_text(root: Element) -> str:
    """Return the text of a formula without TeX, from one of its copies."""
    math = root if root.tag == "math" else root.find("math")
    if math is not None and math.text.strip():
        return _one_line(math)
    return " ".join(root.text.split())


def _one_line(math: Element) -> str:
    """Return MathML on one line: x^2, a_1, (a+b)/c."""
    parts: list[str] = []
    stack: list[Node | str] = [math]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
        elif isinstance(node, Text):
            parts.append(" ".join(node.data.split()))
        elif isinstance(node, Element) and not node.tag.startswith("annotation"):
            stack.extend(reversed(_pieces(node)))
    return "".join(parts)


def _pieces(node: Element) -> list[Node | str]:
    """Return the children of an element with the signs that replace its layout."""
    children = [child for child in node.children if isinstance(child, Element)]
    grouped: list[list[Node | str]] = [
        ["(", child, ")"] if len(child) > 1 else [child] for child in children
    ]
    if node.tag in _SIGNS and len(children) == 2:
        return [*grouped[0], _SIGNS[node.tag], *grouped[1]]
    if node.tag == "msubsup" and len(children) == 3:
        return [*grouped[0], "_", *grouped[1], "^", *grouped[2]]
    if node.tag == "msqrt":
        return ["√(", *children, ")"]
    if node.tag == "mtr":
        return [piece for child in children for piece in (child, " ")]
    if node.tag == "mtext":
        return [" ", *node.children, " "]
    return list(node.children)
