"""Formulas as TeX, from literal HTML."""

from __future__ import annotations

from html import escape

import numpy as np
import pytest
from markdown_it import MarkdownIt

from tests.growth import assert_linear
from tests.render.helpers import inner_html, tree, valid_tei
from thresher import Document, extract, parse
from thresher.render.kept_tree import kept_tree
from thresher.render.markdown.writer import markdown
from thresher.render.normal_form import normalise
from thresher.render.tei.writer import tei

FORMULAS = {
    "a numbered formula of MathJax": (
        "<math display=block><mtable><mlabeledtr><mtd><mtext>(2)</mtext></mtd><mtd><mi>E</mi><mo>="
        "</mo><mi>m</mi></mtd></mlabeledtr></mtable></math>",
        "$$E=m \\qquad \\text{(2)}$$",
    ),
    "QuickLaTeX": (
        "<img class='ql-img-inline-formula quicklatex-auto-format' alt='n' src=x.svg>",
        "$n$",
    ),
    "QuickLaTeX, displayed": (
        "<img class='ql-img-displayed-equation quicklatex-auto-format' src=x.svg "
        "alt='\\begin{equation*} n = 1 \\end{equation*}'>",
        "$$n = 1$$",
    ),
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
        "$x^2$",
    ),
    "MathML without TeX": (
        "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac></math>",
        r"$\frac{a+1}{b}$",
    ),
    "dollars beside a formula": ("$5 <math alttext=x></math>", "\\$5 $x$"),
    "dollars elsewhere": ("$5 or $6", "$5 or $6"),
    "a formula in a cell": (
        "<table><tr><th><math alttext='|x|'></math><th>b</table>",
        "| $\\|x\\|$ | b |\n| --- | --- |",
    ),
    "round brackets": (r"Let \(a_1*b*\) be", "Let $a_1*b*$ be"),
    "square brackets": (r"so \[x_1 \\[2pt] y\].", r"so $$x_1 \\[2pt] y$$."),
    "two dollars": ("so $$z_1$$ and $$z$$", "so $$z_1$$ and $$z$$"),
    "prices are no formulas": (
        "$$ Italian, $$ French, $$ - $$$",
        "$$ Italian, $$ French, $$ - $$$",
    ),
    "an equation": (r"\begin{equation}\label{e}a=b\end{equation}", "$$a=b$$"),
    "an environment": (
        r"\begin{align*}a&amp;=b\\<br>c&amp;=d\end{align*} or<br>not",
        "$$\\begin{align*}a&=b\\\\ c&=d\\end{align*}$$ or\\\nnot",
    ),
    "an environment between brackets": (
        r"\[\begin{align}a\end{align}\]",
        r"$$\begin{align}a\end{align}$$",
    ),
    "a mark that is not closed": (r"\[ and \(x\)", r"\\\[ and $x$"),
    "marks in code": (r"<code>\(x\)</code>", r"`\(x\)`"),
    "a comment in TeX": ("x <script type='math/tex'>a % b\n+c</script>", "x $a +c$"),
    "pandoc": (
        r"<span class='math inline'>\(x\)</span> <span class='math display'>y</span>",
        "$x$ $$y$$",
    ),
    "a class math around formatting": (
        "<span class='math inline'><em>x</em></span>",
        "*x*",
    ),
    "single dollars in an element for formulas": (
        "<math-renderer>$x_1$</math-renderer> <span class=tex>$y$</span>",
        "$x_1$ $y$",
    ),
    "an image with a class": ("<img class='latex x' alt='a_2' src=l.png>", "$a_2$"),
    "an image with TeX": (
        r"<img alt='\alpha' src=l.png> <img alt='$b$' src=m.png>",
        r"$\alpha$ $b$",
    ),
    "an image with a price": ("<img alt='$5 off' src=l.png>", "![$5 off](l.png)"),
    "the image of a weblog": (
        "<img src='https://s0.wp.com/latex.php?latex=a%5E2%2Bb&amp;bg=ffffff'>",
        "$a^2+b$",
    ),
    "the image of a service": (
        r"<img src='https://latex.codecogs.com/svg.latex?\dpi{120}&amp;space;%5Cfrac%7B1%7D2'>",
        r"$\frac{1}2$",
    ),
    "the image of a forum": (
        "<img src='https://www.zhihu.com/equation?tex=a_1%5E2' alt='a_1^2' eeimg=1>",
        "$a_1^2$",
    ),
    "sums and functions": (
        "<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi>"
        "</munderover><mi>sin</mi><mi>x</mi></math>",
        r"$∑_{i=1}^n\sin x$",
    ),
    "roots, accents and words": (
        "<math><mroot><mi>x</mi><mn>3</mn></mroot><mover><mi>y</mi><mo>^</mo></mover>"
        "<mtext>a_b</mtext></math>",
        r"$\sqrt[3]{x}\hat{y}\text{a\_b}$",
    ),
    "a matrix": (
        "<math><mfenced open='['><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr>"
        "<mtr><mtd><mi>c</mi></mtd></mtr></mtable></mfenced></math>",
        r"$[\begin{matrix} a & b \\ c \end{matrix})$",
    ),
}


@pytest.mark.parametrize(("source", "expected"), FORMULAS.values(), ids=FORMULAS)
def test_formulas_in_markdown(source: str, expected: str) -> None:
    assert markdown(tree(source)) == expected


@pytest.mark.parametrize("source", [source for source, _ in FORMULAS.values()], ids=FORMULAS)
def test_formulas_stay_the_same_in_html_and_are_valid_in_tei(source: str) -> None:
    once = inner_html(tree(source))
    assert inner_html(tree(once)) == once
    valid_tei(tei(tree(source)))


def test_a_displayed_formula_in_a_paragraph_of_its_own_stays() -> None:
    page = parse("<p>a<p><script type='math/tex; mode=display'>x_1</script><p>b<p>c")
    kept = page.where((page.words > 0) & (np.arange(len(page)) < len(page) - 2))
    assert markdown(normalise(kept_tree(kept))) == "a\n\n$$x_1$$\n\nb"


def test_a_formula_beside_dropped_text_is_dropped() -> None:
    page = parse("<p>a<p>b<p><script type='math/tex'>x</script><p>c")
    assert markdown(normalise(kept_tree(page.select(page.text_rows[:1])))) == "a"


# --- no tag of a formula may become a tag in a renderer that allows HTML -----------------------

HOSTILE = ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "</p><!-- x --><?y?>"]
SOURCES = {
    "text": r"a \({}\) b",
    "displayed text": "a $$x={}$$ b",
    "environment": r"\begin{{align}}{}\end{{align}}",
    "span": "<span class='math inline'>{}</span> <span class='math display'>$${}$$</span>",
    "alttext": '<math alttext="{}"><mi>x</mi></math>',
    "annotation": (
        "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>{}</annotation>"
        "</semantics></math>"
    ),
    "MathML": "<math><mi>{}</mi><mtext>{}</mtext></math>",
    "fallback image": '<img class=mwe-math-fallback-image-inline alt="{}" src=x.svg>',
    "image": '<img class=latex alt="{}" src=x.png> <img alt="\\a{}" src=x.png>',
    "address": '<img src="https://s0.wp.com/latex.php?latex={}">',
    "attribute": '<span data-tex="{}">x</span>',
    "KaTeX": "<span class=katex>{}</span>",
}
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def html_tokens(text: str) -> list[str]:
    tokens = [inner for token in READER.parse(text) for inner in (token, *(token.children or ()))]
    return [token.content for token in tokens if token.type.startswith("html_")]


@pytest.mark.parametrize("payload", HOSTILE)
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_formulas_bring_no_tags_into_markdown(source: str, payload: str) -> None:
    page = source.replace("{}", escape(payload)).replace("{{", "{").replace("}}", "}")
    written = markdown(tree(f"<p>{page}</p>"))
    assert html_tokens(written) == [], written


@pytest.mark.parametrize("payload", HOSTILE)
def test_scripts_with_formulas_bring_no_tags_into_markdown(payload: str) -> None:
    tex = payload.replace("</script>", "")
    written = markdown(tree(f"<p>a <script type='math/tex'>{tex}</script>"))
    assert html_tokens(written) == [], written
    assert "$" in written


def test_formulas_bring_no_links_into_markdown() -> None:
    tokens = READER.parse(markdown(tree(r"\([a](http://b.example)\)")))
    inner = [child.type for token in tokens for child in token.children or ()]
    assert "link_open" not in inner


@pytest.mark.parametrize("shape", [r"\(", r"\[ \(", "$$", r"\begin{align}", r"\(a\)", "<b>$$a</b>"])
def test_marks_take_linear_time(shape: str) -> None:
    assert_linear(tree, lambda size: shape * size, 2000)


def test_a_formula_in_a_box_stands_apart_from_the_text_after_it() -> None:
    html = r"<p>So</p><div class=math>\[ \sum_i i \]</div><span class=math>\(q_0\)</span> is left"
    assert markdown(tree(html)) == "So\n\n$$\\sum_i i$$\n\n$q_0$ is left"


IN_TEXT = {
    "MathML": ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "$\\frac{a}{b}$"),
    "MathML with spaces": ("<math>\n<mi>x</mi>\n<mo>+</mo>\n<mn>1</mn>\n</math>", "$x+1$"),
    "KaTeX": (
        "<span class=katex><span class=katex-mathml><math><semantics><msup><mi>x</mi><mn>2</mn>"
        "</msup><annotation encoding='application/x-tex'>x^2</annotation></semantics></math>"
        "</span><span class=katex-html aria-hidden=true>x<sup>2</sup></span></span>",
        "$x^2$",
    ),
    "an image": ("<img class=latex alt='\\beta_1' src=x.png>", "$\\beta_1$"),
    "an image of a forum": ("<img src='//www.zhihu.com/equation?tex=a_1' alt=a_1>", "$a_1$"),
    "MathJax 2": (
        "<span class=MathJax_Preview>x^2</span><span class=MathJax>x<sup>2</sup></span>"
        "<script type='math/tex'>x^2</script>",
        "$x^2$",
    ),
    "an element of GitHub": ("<math-renderer>$a_1*b_2$</math-renderer>", "$a_1*b_2$"),
    "marks": (r"\(a_1\)", "$a_1$"),
    "marks of a displayed formula": (r"\[a_1=b_1\]", "$$a_1=b_1$$"),
    "an image of TeX": ("<img alt='$a_1$' src=x.png>", "$a_1$"),
    "an image of a command": ("<img alt='\\beta' src=x.png>", "$\\beta$"),
    "an image with a class": ("<img class='a tex' alt='a_1' src=x.png>", "$a_1$"),
    "MathML in a script": (
        "<script type='math/mml'><math><msub><mi>a</mi><mn>1</mn></msub></math></script>",
        "$a_1$",
    ),
    "MathML in a script, displayed": (
        "<script type='math/mml; mode=display'><math><mi>a</mi></math></script>",
        "$$a$$",
    ),
    "MathML in a script, drawn": (
        "<span class=MathJax_Preview></span><span class=MathJax_SVG><svg><text>a1</text></svg>"
        "</span>"
        "<script type='math/mml'><math><msub><mi>a</mi><mn>1</mn></msub></math></script>",
        "$a_1$",
    ),
}


@pytest.mark.parametrize("name", IN_TEXT)
def test_formulas_are_tex_in_text(name: str) -> None:
    source, tex = IN_TEXT[name]
    document = extract(f"<p>Let <b>all</b> {source}, and more.</p><p>End</p>", method="plain")
    assert document.text == f"Let all {tex}, and more.\n\nEnd"
    assert document.text.split() == document.render("text").split()


def test_an_image_of_a_formula_alone_is_a_paragraph_of_text() -> None:
    source = "<p>One.</p>\n<p><img class=latex alt='\\beta_1' src=x.png></p>\n<p>Two</p>"
    assert extract(source, method="plain").text == "One.\n\n$\\beta_1$\n\nTwo"


def test_an_image_of_a_formula_without_white_space_around_it_is_apart() -> None:
    source = "<p>One.</p><p><img alt='$a_1$' src=x.png></p><p>Two</p>"
    assert extract(source, method="plain").text == "One. $a_1$\n\nTwo"


MARKS_IN_TEXT = {
    "in several lines": (r"a \[x<br>=y\] b<br>c", "a $$x =y$$ b\nc"),
    "an environment": (
        r"a \begin{align}x&=1\\<br>y\end{align}",
        r"a $$\begin{align}x&=1\\ y\end{align}$$",
    ),
    "two in a line": (r"a \(x\) b \(y\) c", "a $x$ b $y$ c"),
    "in code": (r"<code>\(x\)</code> <kbd>\(y\)</kbd>", r"\(x\) \(y\)"),
    "around a comment": (r"a \(x\) b<!-- c --> c<br>d", "a $x$ b c\nd"),
    "prices": ("$$5 and $$6", "$$5 and $$6"),
    "an element between the marks": (r"\(a <i>b</i>\)", r"\(a b\)"),
}


@pytest.mark.parametrize("name", MARKS_IN_TEXT)
def test_formulas_between_marks_in_text(name: str) -> None:
    source, expected = MARKS_IN_TEXT[name]
    document = extract(f"<p>{source}</p><pre>\\(x\\)</pre>", method="plain")
    assert document.text == f"{expected}\n\n\\(x\\)"
    assert [" ".join(block.text.split()) for block in document.blocks] == [
        " ".join(expected.split()), "\\(x\\)",
    ]  # fmt: skip


def test_a_dropped_text_ends_a_formula_between_marks() -> None:
    page = parse(r"<p>\(a<br>b<br>c\)</p>")
    assert page.select(page.text_rows[[0, 2]]).text() == "\\(a\n\nc\\)"


@pytest.mark.parametrize(
    "shape", ["\\(a ", "\\(a\\) ", "$$x ", "\\begin{align}", "\\[<br>", "<b>\\(x\\)</b>"]
)
def test_marks_in_text_take_linear_time(shape: str) -> None:
    assert_linear(lambda page: extract(page, method="plain").text, lambda n: shape * n, 500)


@pytest.mark.parametrize("name", ["math-container", "katex", "MathJax", "math-inline", "tex"])
def test_text_between_dollars_in_an_element_of_formulas(name: str) -> None:
    first, second = r"$\sum_{i=1}^n x_i$", "$x_i*y_i*z$"
    source = f"<p>a <span class={name}>{first}</span> <span class={name}>{second}</span> at $5</p>"
    assert markdown(tree(source)) == f"a {first} {second} at \\$5"
    assert tei(tree(source)).count("<formula") == 2


def test_elements_of_formulas_in_text_take_linear_time() -> None:
    formula = "<math><mi>x</mi></math><img class=latex alt=a> "
    assert_linear(lambda page: extract(page, method="plain").text, lambda n: formula * n, 500)


IN_BLOCKS = {
    "MathML": "<math><msub><mi>q</mi><mn>1</mn></msub></math>",
    "KaTeX": (
        "<span class=katex><span class=katex-mathml><math><semantics><mi>q</mi><annotation "
        "encoding='application/x-tex'>q_1</annotation></semantics></math></span>"
        "<span class=katex-html aria-hidden=true>q1</span></span>"
    ),
    "a script": "<script type='math/tex'>q_1</script>",
    "an image": "<img class=latex alt='q_1' src=a.png>",
    "an image of MediaWiki": "<img class=mwe-math-fallback-image-inline alt='q_1' src=a.svg>",
}


@pytest.mark.parametrize("formula", IN_BLOCKS.values(), ids=IN_BLOCKS)
def test_blocks_and_selections_have_tex_as_text_has_it(formula: str) -> None:
    prose = "A paragraph with enough words that it is kept, since it says something of its own"
    document = extract(f"<main><p>{prose}.<p>{prose}: {formula} is a time.<p>{prose}, too.</main>")
    assert f"{prose}: $q_1$ is a time." in document.text.split("\n\n")
    assert document.selection.text() == document.text
    assert f"{prose}: $q_1$ is a time." in [block.text for block in document.blocks]
    assert "$q_1$" in document.to_dict(fields="blocks")["blocks"][1]["text"]


def test_a_formula_is_not_written_without_its_text() -> None:
    page = parse("<p>It is so. <math><mfrac><mi>h</mi><mn>2</mn></mfrac></math>")
    document = Document(page, page.select(page.text_rows[:1]), "a test")
    assert document.markdown() == document.text == "It is so."


def test_a_displayed_formula_is_not_glued_to_its_number() -> None:
    html = (
        "<p><span class=eqno>(1)</span>\\[a = b\\]</p><p>(2)<math display=block alttext=c></math>"
    )
    assert [each.text for each in tree(html).children] == ["(1) $$a = b$$", "(2) $$c$$"]


@pytest.mark.parametrize(
    "settings",
    [
        "MathJax = {tex: {inlineMath: [['\\\\(', '\\\\)'], ['$', '$']]}}",
        'MathJax.Hub.Config({tex2jax: {inlineMath: [["$","$"]]}})',
        "renderMathInElement(body, {delimiters: [{left: '$$', right: '$$'}, "
        "{left: '$', right: '$', display: false}]})",
        '{"delimiters":[{"left":"$","right":"$"}]}',
    ],
)
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("so $a*b*c$ and $\\{x_1\\}$", "so $a*b*c$ and $\\{x_1\\}$"),
        ("$a < b$ for $5, or $10 each", "$a < b$ for \\$5, or \\$10 each"),
        ("it costs \\$5 and $x$", "it costs \\\\\\$5 and $x$"),
        ("from $5 to $6", "from $5 to $6"),
        ("<code>$a*b$</code> or $$E=m$$", "`$a*b$` or $$E=m$$"),
        ("<pre>echo $a*$b</pre>", "```\necho $a*$b\n```"),
    ],
)
def test_single_dollars_where_the_page_says_so(settings: str, source: str, expected: str) -> None:
    page = (
        f"<head><script>{settings}</script></head><body><div>{source.replace('< ', '&lt; ')}</div>"
    )
    assert markdown(tree(page)) == expected


def test_single_dollars_elsewhere_are_prices() -> None:
    settings = "<script>MathJax = {tex: {inlineMath: [['\\\\(', '\\\\)']]}}</script>"
    assert markdown(tree(f"{settings}<p>$a*b*c$ and $5</p>")) == "$a\\*b\\*c$ and $5"


@pytest.mark.parametrize("unit", ["$a", "$a ", "$a$", "<b>$a$b", "inlineMath["])
def test_single_dollars_take_linear_time(unit: str) -> None:
    settings = "<script>MathJax = {tex: {inlineMath: [['$', '$']]}}</script>"
    assert_linear(tree, lambda size: settings + unit * size, 2000)
