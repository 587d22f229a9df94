"""Formulas: each one once, as TeX between dollars where the page holds TeX, else as readable text.

Pages show a formula in several copies: MathML for readers of the screen, boxes for the eye, the
TeX source in an annotation or a script, an image for old browsers. The TeX is the copy kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from turbohtml import Element, Node, Text

from thresher.render.node_set import NodeSet

# What holds one formula, outermost first in the page so that a match hides its inner copies.
_FORMULA = (
    ".mwe-math-element, [class*=mwe-math-fallback-image], .katex-display, .katex, mjx-container, "
    ".MathJax_Display, .MathJax, .MathJax_SVG, .MathJax_SVG_Display, .MathJax_CHTML, [data-tex], "
    "math"
)
_RENDERED = re.compile(r"MathJax|MJXc")
_STYLE = re.compile(r"\{\s*\\(?:display|text|script)style\s*(.*)\}", re.DOTALL)
_SIGN = {"msup": "^", "msub": "_", "mfrac": "/", "mover": "^", "munder": "_", "mroot": "^"}


def settle_maths(body: Element) -> None:
    """Replace every formula by one `span.math` that holds its TeX, or by its text."""
    for script in body.select('script[type^="math/"]'):
        _settle_script(script)
    gone = NodeSet()
    for root in body.select(_FORMULA):
        if root in gone:
            continue
        gone.update(root.descendants)
        tex = _tex(root)
        if tex:
            root.replace_with(_formula(tex, display=_is_display(root)))
        elif root.tag != "img":
            root.replace_with(Text(_readable(root)))


def _settle_script(script: Element) -> None:
    """MathJax 2: the source follows its preview and its picture, which go."""
    tex = _clean(script.text)
    if not tex or "mml" in (script.attr("type") or ""):
        return
    node = script.previous_sibling
    while isinstance(node, Element) and _RENDERED.match(node.attr("class") or ""):
        before = node.previous_sibling
        node.extract()
        node = before
    script.replace_with(_formula(tex, display="mode=display" in (script.attr("type") or "")))


def _formula(tex: str, *, display: bool) -> Element:
    mark, kind = ("$$", "math display") if display else ("$", "math inline")
    return Element("span", {"class": kind}, [Text(f"{mark}{tex}{mark}")])


def _clean(tex: str) -> str:
    tex = " ".join(tex.split())
    styled = _STYLE.fullmatch(tex)
    return (styled[1] if styled else tex).strip().strip("$").strip()


def _tex(root: Element) -> str:
    """The TeX of a formula: annotation, then attributes, then the text of a fallback image."""
    for annotation in root.find_all("annotation"):
        if "tex" in (annotation.attr("encoding") or "").lower() and annotation.text.strip():
            return _clean(annotation.text)
    holders = [root, *root.iter_elements(["math", "img"])]
    for name in ("data-tex", "alttext", "alt"):
        for holder in holders:
            tex = _clean(holder.attr(name) or "")
            if tex:
                return tex
    return ""


def _is_display(root: Element) -> bool:
    for element in (root, *root.iter_elements(["math", "img"])):
        if element.attr("display") in ("block", "true"):
            return True
        if "display" in (element.attr("class") or "").lower():
            return True
    return False


def _readable(root: Element) -> str:
    """The text of a formula without TeX, from one of its copies."""
    math = root if root.tag == "math" else root.find("math")
    if math is not None and math.text.strip():
        return _linear(math)
    return " ".join(root.text.split())


def _linear(math: Element) -> str:
    """MathML on one line: x^2, a_1, (a+b)/c."""
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
    """The children of an element with the signs that stand for its layout."""
    children = [child for child in node.children if isinstance(child, Element)]
    group: Callable[[Node], list[Node | str]] = lambda child: (  # noqa: E731
        ["(", child, ")"] if len(child) > 1 else [child]
    )
    if node.tag in _SIGN and len(children) == 2:
        first, second = children
        return [*group(first), _SIGN[node.tag], *group(second)]
    if node.tag == "msubsup" and len(children) == 3:
        base, low, high = children
        return [*group(base), "_", *group(low), "^", *group(high)]
    if node.tag == "msqrt":
        return ["√(", *children, ")"]
    if node.tag == "mtr":
        return [piece for child in children for piece in (child, " ")]
    if node.tag == "mtext":
        return [" ", *node.children, " "]
    return list(node.children)
