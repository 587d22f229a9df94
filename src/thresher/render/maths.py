"""Formulas: each one once, as TeX between dollars where the page holds TeX or simple MathML.

Pages hold several copies of a formula: MathML for screen readers, boxes for display, the TeX source
in an annotation or a script, an image for old browsers. The TeX is the copy that is kept. A script
may also find the TeX in the text of the page, between marks: `\\(a\\)`, `\\[a\\]`, `$$a$$`, or the
begin and end of an environment. A formula in a line stands between single dollars, one that is
displayed apart between double ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, unquote, urlsplit

from thresher.page.words import collapsed
from thresher.render.compiled import use_compiled
from thresher.render.kept_tree import KeptTree
from thresher.render.scan import HAS_MARKS, Words
from thresher.render.tree import Element, Node, Text

# The name of an element whose content takes the place of a text: texts, line breaks and formulas.
PIECES = "pieces"
DISPLAYED = "math display"  # the class of a formula that is displayed apart

# Elements that hold one formula. Outer ones come first in the page, so their inner copies are
# skipped.
_FORMULA_CLASSES = frozenset(
    "mwe-math-element katex-display katex MathJax_Display MathJax MathJax_SVG MathJax_SVG_Display "
    "MathJax_CHTML".split()
)
_TEX_CLASSES = frozenset(
    "latex math tex math-tex mathtex mimetex arithmatex math-container math-inline math-display "
    "math-block inline-math display-math tex-math tex2jax_process mathjax mathjax_process "
    "ql-img-inline-formula ql-img-displayed-equation".split()
)
_FALLBACK_IMAGE = "mwe-math-fallback-image"
_RENDERED = re.compile(r"MathJax|MJXc")
_STYLE = re.compile(r"\{\s*\\(?:display|text|script)style\b\s*+(.*)\}", re.DOTALL)
# A line up to its comment, and the comment. Tried once in each line, so that it takes linear time.
_COMMENT = re.compile(r"^([^%\n]*+(?:(?<=\\)%[^%\n]*+)*+)%[^\n]*+\n", re.M)
_MOST_READ = 10_000  # characters of the address of an image


def normalise_maths(tree: KeptTree) -> None:
    """Replace each formula by one `span.math` that holds its TeX, or by its text."""
    replaced, ends = tree.replaced, tree.ends
    scripts = tree.places.get("script", [])
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
            text = tree.text(index)
            replaced[index] = _marked(text) or Text(collapsed(text))
        after = ends[index]
    for script in scripts:
        replaced.setdefault(script)
    _rewrite_texts(tree)


def _formulas(tree: KeptTree) -> list[int]:
    """Return the elements that hold a formula, and their copies within, in document order."""
    found = [*tree.places.get("math", []), *tree.places.get("mjx-container", [])]
    named = tree.classes()
    for index, classes in named:
        if tree.tags[index] != "div" and tree.attr(index, "data-tex") is not None:
            found.append(index)
        if "mwe-math" in classes or "katex" in classes or "MathJax" in classes:
            found += [index] if _names_formula(classes) else []
        elif "math" in classes or "tex" in classes:
            _rewrite_marked(tree, index, classes.split())
    for index in tree.places.get("math-renderer", []):
        _rewrite_marked(tree, index, ["math"])
    images = tree.places.get("img", [])
    classes_of = dict(named) if images else {}
    for image in images:
        _rewrite_image(tree, image, classes_of.get(image, ""))
    return sorted(found)


def _names_formula(classes: str) -> bool:
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
    mark, kind = ("$$", DISPLAYED) if display else ("$", "math inline")
    return Element("span", {"class": kind}, [Text(f"{mark}{tex}{mark}")])


def _clean_tex(tex: str) -> str:
    """Return TeX on one line, without comments, marks and a style around all of it."""
    one_line = collapsed(_COMMENT.sub(r"\1\n", tex))
    styled = _STYLE.fullmatch(one_line)
    inner = (styled[1] if styled else one_line).strip()
    marked = _between_marks(inner)
    return inner if marked is None else marked[0]


def _tex(tree: KeptTree, root: int) -> str:
    """Return the TeX of a formula from an annotation, an attribute, an image or its MathML."""
    for annotation in tree.inside(root, ("annotation",)):
        if "tex" in (tree.attr(annotation, "encoding") or "").lower():
            text = tree.text(annotation)
            if text.strip():
                return _clean_tex(text)
    maths = tree.inside(root, ("math",))
    holders = [root, *maths, *tree.inside(root, ("img", "mjx-math"))]
    found = (
        _clean_tex(tree.attr(holder, name) or "")
        for name in ("data-tex", "alttext", "data-latex", "alt")
        for holder in holders
    )
    given = next(filter(None, found), "")
    if given or (not maths and tree.tags[root] != "math"):
        return given
    math = root if tree.tags[root] == "math" else maths[0]
    return mathml_as_tex(tree, math) if tree.text(math).strip() else ""  # its text may be dropped


def _is_display(tree: KeptTree, root: int) -> bool:
    return any(
        tree.attr(element, "display") in ("block", "true")
        or "display" in (tree.attr(element, "class") or "").lower()
        for element in (root, *tree.inside(root, ("math", "img")))
    )


# --- TeX between marks ----------------------------------------------------------------------------

_ENVIRONMENTS = "align alignat displaymath eqnarray equation flalign gather math multline"
_ENVIRONMENT = rf"(?:{'|'.join(_ENVIRONMENTS.split())})\*?"
# Two backslashes end a line of TeX and begin no mark, also if a bracket follows.
TEX_MARKS = re.compile(
    rf"\\\\|(?P<opens>\\[(\[]|\\begin\{{{_ENVIRONMENT}\}})"
    rf"|(?P<closes>\\[)\]]|\\end\{{{_ENVIRONMENT}\}})|(?P<dollars>(?<!\$)\$\$(?!\$))"
)
_CLOSING = {"\\(": "\\)", "\\[": "\\]"}
_PLAIN = r"(?:equation|displaymath|math)\*?"  # environments that only say that it is a formula
_PLAIN_ENVIRONMENT = re.compile(rf"\\begin\{{{_PLAIN}\}}")
_FRAMED = re.compile(rf"\\begin\{{({_PLAIN})\}}(.*)\\end\{{\1\}}", re.DOTALL)
_LABEL = re.compile(r"\\label\{[^{}]*\}")
# What is between two pairs of dollars, which also state prices: a sign of TeX, or one word.
_LOOKS_LIKE_TEX = re.compile(r"[\\^_{}=]|\A\w[^\s$]*\Z")
BREAK = "\0"  # stands for a line break between two texts; pages hold no such character
HOLDS_CODE = frozenset("pre code kbd samp tt listing xmp plaintext textarea".split())


def _between_marks(text: str) -> tuple[str, bool] | None:
    """Return the TeX of a text that is one formula between marks, and whether it is displayed."""
    for mark, closing, display in (
        ("$$", "$$", True),
        ("$", "$", False),
        ("\\(", "\\)", False),
        ("\\[", "\\]", True),
    ):
        inner = text[len(mark) : -len(closing)]
        if text.startswith(mark) and text.endswith(closing) and inner.strip() and "$" not in inner:
            return inner.strip(), display
    return None


def _marked(text: str) -> Element | None:
    """Return the formula that a text between marks is, None if it is none."""
    found = _between_marks(text.strip())
    return None if found is None else _formula(_clean_tex(found[0]), display=found[1])


def _rewrite_marked(tree: KeptTree, index: int, names: list[str]) -> None:
    """Replace an element that a class calls a formula and whose text is one."""
    if tree.tags[index] == "img" or index in tree.replaced:
        return
    is_kind = names[0] == "math" and not {"inline", "display"}.isdisjoint(names)
    if not is_kind and _TEX_CLASSES.isdisjoint(names):
        return
    text = tree.text(index).strip()
    marked = _marked(text)
    if marked is not None:
        tree.replaced[index] = marked
    elif is_kind and text and tree.ends[index] == index + 2 and not TEX_MARKS.search(text):
        tree.replaced[index] = _formula(_clean_tex(text), display="display" in names)


def _rewrite_texts(tree: KeptTree) -> None:
    """Replace the formulas between marks in the texts of the page."""
    if not tree.tex_marks & HAS_MARKS:  # true of most pages
        return
    skipped = tree.replaced_rows()
    in_code: dict[int, bool] = {-1: False}
    after = 0
    for index, text in enumerate(tree.texts):
        if index < after or index in skipped or ("$$" not in text and "\\" not in text):
            continue
        if TEX_MARKS.search(text) and not _is_in_code(tree, tree.parents[index], in_code):
            rows = list(_text_and_breaks(tree, index, skipped))
            after = rows[-1] + 1
            _rewrite_run(tree, rows)


def _is_in_code(tree: KeptTree, index: int, known: dict[int, bool]) -> bool:
    passed: list[int] = []
    while index not in known:
        passed.append(index)
        if tree.tags[index] in HOLDS_CODE:
            known[index] = True
        else:
            index = tree.parents[index]
    known.update(dict.fromkeys(passed, known[index]))
    return known[index]


def _text_and_breaks(tree: KeptTree, index: int, skipped: set[int]) -> Iterator[int]:
    """Yield a text and the texts and line breaks that follow it without any other element."""
    parent = tree.parents[index]
    while index < len(tree) and tree.parents[index] == parent and index not in skipped:
        if tree.tags[index] not in ("", "br") or tree.ends[index] > index + 1:
            return
        yield index
        index += 1


def _rewrite_run(tree: KeptTree, rows: list[int]) -> None:
    text = "".join(tree.texts[row] if not tree.tags[row] else BREAK for row in rows)
    pieces = _split_at_formulas(text)
    if pieces is not None:
        tree.replaced.update(dict.fromkeys(rows))
        tree.replaced[rows[0]] = Element(PIECES, None, pieces)


def _split_at_formulas(text: str) -> list[Node] | None:
    """Return a text as texts, line breaks and formulas; None if it has no formula."""
    pieces: list[Node] = []
    after = 0
    for start, end, formula in marked_formulas(text):
        pieces += [*_with_breaks(text[after:start]), formula]
        after = end
    return [*pieces, *_with_breaks(text[after:])] if after else None


def _with_breaks(text: str) -> list[Node]:
    pieces: list[Node] = []
    for number, part in enumerate(text.split(BREAK)):
        pieces += [Element("br")] if number else []
        pieces += [Text(part)] if part else []
    return pieces


def marked_formulas(text: str) -> Iterator[tuple[int, int, Element]]:
    """Yield the formulas of a text, the outermost ones, with their begins and ends."""
    last: dict[str, re.Match[str]] = {}  # the last opening mark, by what closes it
    found: list[tuple[int, int, str]] = []
    for mark in TEX_MARKS.finditer(text):
        closing = mark[0]
        if mark["opens"]:
            last[_CLOSING.get(closing, closing.replace("begin", "end"))] = mark
            continue
        begin = last.pop(closing, None)
        if begin is not None and _is_tex(text[begin.end() : mark.start()], closing):
            found.append((begin.start(), mark.end(), text[begin.end() : mark.start()]))
        elif mark["dollars"]:
            last[closing] = mark
    after = 0
    for start, end, inner in sorted(found):
        if start >= after:
            yield start, end, _marked_formula(text[start:end], inner)
            after = end


def _is_tex(inner: str, closing: str) -> bool:
    if closing == "$$" and not _LOOKS_LIKE_TEX.search(inner):
        return False
    return bool(inner.strip(f" \n\t{BREAK}$"))


def _marked_formula(whole: str, inner: str) -> Element:
    """Return the formula of a text with its marks; some environments are marks only."""
    is_environment = whole.startswith("\\begin") and not _PLAIN_ENVIRONMENT.match(whole)
    tex = _LABEL.sub("", whole if is_environment else inner).replace(BREAK, "\n")
    is_inline = whole.startswith(("\\(", "\\begin{math}"))
    return _formula(_clean_tex(tex), display=not is_inline)


# --- images ---------------------------------------------------------------------------------------

_IS_TEX = re.compile(r"\\[a-zA-Z(\[]|\{\s*\\[a-zA-Z]|\$.+\$\s*\Z", re.DOTALL)
_BEGINS_TEX = frozenset("\\{$")
_SERVICES = Words("tex", "codecogs", "cht=tx")  # parts of the addresses below
_DRAWN_BY = re.compile(
    r"latex\.php|[./]latex|codecogs|mimetex|mathtex|/chart\?cht=tx|/equation\?tex=", re.I
)
_SETTINGS = re.compile(
    r"\\(?:dpi\{\d+\}|bg_\w+|fn_\w+|inline|large|small|huge|tiny)(?![a-zA-Z])\s*"
)


def _rewrite_image(tree: KeptTree, image: int, classes: str) -> None:
    """Replace an image of a formula that states its TeX in its alternative text or its address.

    `classes` are those of the image, if they may name a formula.
    """
    if image in tree.replaced:
        return
    stated, _, _, _, _, source, lazy = tree.image(image)[:7]
    alternative = (stated or "").strip()
    if not (alternative[:1] in _BEGINS_TEX and _IS_TEX.match(alternative)) and not (
        alternative and classes and not _TEX_CLASSES.isdisjoint(classes.split())
    ):
        address = (lazy or source or "")[:_MOST_READ]  # the first of `LAZY` is `data-src`
        if not _SERVICES.are_in(address) or not _DRAWN_BY.search(address):
            return
        alternative = _tex_of_address(address)
    tex = _clean_tex(alternative)
    framed = _FRAMED.fullmatch(tex)
    tex = framed[2].strip() if framed else tex
    if tex:
        tree.replaced[image] = _formula(tex, display=_is_display(tree, image))


def _tex_of_address(address: str) -> str:
    """Return the TeX that a service is asked to draw, "" if there is none in the address."""
    try:
        parts = urlsplit(address)
        given = parse_qs(parts.query)
    except ValueError:
        return ""
    for name in ("latex", "chl", "tex"):
        if name in given:
            return given[name][0]
    if "." not in parts.path.rpartition("/")[2]:
        return ""
    tex = unquote(parts.query.replace("&space;", " ").replace("&plus;", "+"))
    return _SETTINGS.sub("", tex)


# --- MathML ---------------------------------------------------------------------------------------

_SIGNS = {"\\": "\\backslash ", "−": "-"} | {sign: f"\\{sign}" for sign in "{}%#&_$"}
_SIGNS |= dict.fromkeys("\u2061\u2062\u2063\u2064\u200b", "")  # those that are not seen
_FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot csc deg det dim exp gcd inf ker lim ln log max min sec "
    "sin sinh sup tan tanh".split()
)
_ACCENTS = {"^": "hat", "ˆ": "hat", "¯": "bar", "‾": "overline", "_": "underline", "→": "vec"}
_ACCENTS |= {"~": "tilde", "˜": "tilde", "˙": "dot", "¨": "ddot", "⏞": "overbrace"}
_ACCENTS |= {"⏟": "underbrace"}
_SCRIPTS = {"msup": "^", "msub": "_", "msubsup": "_^", "mover": "^", "munder": "_"}
_SCRIPTS |= {"munderover": "_^"}
_TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms"})


def mathml_as_tex(tree: KeptTree, math: int) -> str:
    """Return MathML as TeX; signs stay as they are, as TeX programs read them too."""
    parts: list[str] = []
    stack: list[int | str] = [math]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            parts.append(piece)
        elif piece in tree.replaced or not tree.tags[piece]:
            parts.append(_signs(collapsed(tree.text(piece))))
        elif tree.tags[piece] in _TOKENS:
            parts.append(_token(tree, piece))
        elif not tree.tags[piece].startswith("annotation"):
            stack.extend(reversed(_layout(tree, piece)))
    return collapsed("".join(parts))


def _signs(text: str) -> str:
    return "".join([_SIGNS.get(sign, sign) for sign in text])


def _token(tree: KeptTree, index: int) -> str:
    text, tag = collapsed(tree.text(index)), tree.tags[index]
    if tag in ("mtext", "ms"):
        return f"\\text{{{_signs(text)}}}" if text else " "
    if tag == "mi" and text in _FUNCTIONS:
        return f"\\{text} "
    return f"\\mathrm{{{_signs(text)}}}" if tag == "mi" and len(text) > 1 else _signs(text)


def _layout(tree: KeptTree, index: int) -> list[int | str]:
    """Return the children of an element with the TeX for their places."""
    tag, everything = tree.tags[index], list(tree.children(index))
    children = [child for child in everything if tree.tags[child]]
    signs = _SCRIPTS.get(tag, "")
    if signs and len(children) == len(signs) + 1:
        return _scripts(tree, children, signs)
    if tag == "mfrac" and len(children) == 2:
        return ["\\frac{", children[0], "}{", children[1], "}"]
    if tag == "mroot" and len(children) == 2:
        return ["\\sqrt[", children[1], "]{", children[0], "}"]
    if tag == "msqrt":
        return ["\\sqrt{", *children, "}"]
    if tag == "mfenced":
        return _fenced(tree, index, children)
    if tag == "mtable" and len(children) == 1 and tree.tags[children[0]] == "mlabeledtr":
        return [children[0]]
    if tag == "mtable":
        return ["\\begin{matrix} ", *_joined(children, " \\\\ "), " \\end{matrix}"]
    if tag == "mtr":
        return _joined(children, " & ")
    if tag == "mlabeledtr":  # its first cell is the number of the formula
        return [*_joined(children[1:], " & "), " \\qquad ", *children[:1]]
    return [] if tag == "mphantom" else [" "] if tag == "mspace" else [*everything]


def _scripts(tree: KeptTree, children: list[int], signs: str) -> list[int | str]:
    base, *scripts = children
    accent = _ACCENTS.get(tree.text(scripts[0]).strip()) if len(scripts) == 1 else None
    if accent and tree.tags[scripts[0]] == "mo":
        return [f"\\{accent}{{", base, "}"]
    pieces = _group(tree, base)
    for sign, script in zip(signs, scripts, strict=True):
        pieces += [sign, *_group(tree, script)]
    return pieces


def _group(tree: KeptTree, index: int) -> list[int | str]:
    """Return an element in braces, unless it is one sign or an operator with limits."""
    is_token = tree.tags[index] in _TOKENS
    text = tree.text(index).strip() if is_token else ""
    is_one = is_token and (len(text) == 1 or text in _FUNCTIONS)
    return [index] if is_one else ["{", index, "}"]


def _fenced(tree: KeptTree, index: int, children: list[int]) -> list[int | str]:
    begin, end = tree.attr(index, "open"), tree.attr(index, "close")
    fences = [
        _signs(("(" if begin is None else begin)[:1]),
        _signs(")" if end is None else end)[:2],
    ]
    return [fences[0], *_joined(children, ","), fences[1]]


def _joined(children: list[int], separator: str) -> list[int | str]:
    return [piece for child in children for piece in (separator, child)][1:]


use_compiled(globals(), "marked_formulas", "normalise_maths")
