"""Formulas as TeX or as one line of text, from literal HTML."""

from __future__ import annotations

import pytest

from tests.render.helpers import tree
from thresher.render import markdown

FORMULAS = {
    "annotation": (
        "<math><semantics><mi>x</mi>"
        "<annotation encoding='application/x-tex'>x^2</annotation></semantics></math>",
        "$x^2$",
    ),
    "display": ("<math display=block alttext='\\frac{a}{b}'><mi>a</mi></math>", "$$\\frac{a}{b}$$"),
    "an encyclopedia": (
        "<span class=mwe-math-element><span style='display:none'>"
        "<math alttext='{\\displaystyle E=mc^{2}}'><mi>E</mi></math></span>"
        "<img class=mwe-math-fallback-image-inline alt='{\\displaystyle E=mc^{2}}' src=x.svg>"
        "</span>",
        "$E=mc^{2}$",
    ),
    "the fallback image alone": (
        "<img class=mwe-math-fallback-image-inline alt='{\\displaystyle a_1}' src=x.svg>",
        "$a_1$",
    ),
    "KaTeX": (
        "<span class=katex><span class=katex-mathml><math><semantics><mi>y</mi>"
        "<annotation encoding='application/x-tex'>y*_</annotation></semantics></math></span>"
        "<span class=katex-html aria-hidden=true>y</span></span>",
        "$y*_$",
    ),
    "KaTeX display": (
        "<span class=katex-display><span class=katex><math><semantics><mi>y</mi>"
        "<annotation encoding='application/x-tex'>y</annotation></semantics></math></span></span>",
        "$$y$$",
    ),
    "MathJax 2": (
        "<span class=MathJax_Preview>z</span><span class=MathJax>z</span>"
        "<script type='math/tex'>z < 1</script>",
        "$z < 1$",
    ),
    "MathJax 2 display": ("a <script type='math/tex; mode=display'>z</script>", "a $$z$$"),
    "MathJax 3": (
        "<mjx-container><mjx-math aria-hidden=true></mjx-math><mjx-assistive-mml>"
        "<math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container>",
        "x^2",
    ),
    "MathML without TeX": (
        "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac></math>",
        "(a+1)/b",
    ),
    "dollars beside a formula": ("$5 <math alttext=x></math>", "\\$5 $x$"),
    "dollars elsewhere": ("$5 or $6", "$5 or $6"),
    "a formula in a cell": (
        "<table><tr><th><math alttext='|x|'></math><th>b</table>",
        "| $\\|x\\|$ | b |\n| --- | --- |",
    ),
}


@pytest.mark.parametrize(("source", "expected"), FORMULAS.values(), ids=FORMULAS)
def test_formulas_in_markdown(source: str, expected: str) -> None:
    assert markdown(tree(source)) == expected
