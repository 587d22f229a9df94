"""Elements that a page shows as something that their tags do not say, written as that.

Scripts and style sheets make code, formulas, tables and tasks of elements that are none:

- MathJax 2: scripts of the type `math/mml` hold formulas. Later ones state TeX beside a drawing.
- Distill: `<d-code>` is code, `<d-math>` a formula, `<d-footnote>` a note.
- SyntaxHighlighter and pkg.go.dev: some elements `textarea` are code.
- Expressive Code, Twoslash, SyntaxHighlighter: lines of code are boxes, with their numbers and
  explanations in others. The manual of PHP: lines of code end with `<br>`.
- CodeMirror, Monaco and Ace, which are editors in pages, and Crayon: lines of code are boxes, with
  their numbers in others and no-break spaces as indents.
- Enlighter: code is hidden beside a copy of boxes.
- VS Code: what is copied from it is in boxes with the style of code.
- Quarto: the name of a file is a `pre` above the code.
- Tabs: their labels stand in a list before all panels, or are those of buttons, and scripts or
  style sheets show one panel at a time.
- Doxygen: a `div` of class `fragment` is code, each `div` of class `line` in it a line. Older
  releases have the numbers of lines in the text. The prototype of a function is a table.
- rustdoc: headings are code, with links to the source and to themselves. They are in the summaries
  of elements `details`, which are open. Implementations that most types have are left out.
- Javadoc: a `div` of class `summary-table` is a table, its children are cells. The buttons above it
  choose rows. Signatures are code. Sections are items of lists.
- Cards of recipes: buttons, boxes to tick, words for screen readers that repeat others.
- Docutils (Sphinx): style sheets separate a term from what it is, and formulas from their numbers.
- LaTeXML: the parts of a formula and its number are cells of a table.
- MediaWiki and others: links to edit a section may stand between brackets that are in the heading.
- DokuWiki and GitBook: what they say about a page stands below its text.
- Microsoft Learn: the list of facts about a page and that of its sections stand in its text.
- AWS: the list in `<awsdocs-tabs>` is hidden until a script has made tabs of it.
- Confluence, Notion, Discourse, and items with the role of a check box: tasks without an `<input>`.

Few pages have any of these, and `thresher.page.parse` knows which may have some. Their source is
changed, as that of pages with unclosed elements is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection
from functools import partial
from html import escape, unescape
from typing import Any, NamedTuple, TypeAlias

import turbohtml

from thresher.page.controls import EDIT_WORDS


def rewritten(
    source: str,
    document: turbohtml.Document,
    signs: Collection[str],
    locate: Callable[[str], tuple[str, turbohtml.Document]],
) -> str | None:
    """Return the source with these elements as what they are shown as; None if there are none.

    `signs` tell which rules apply: see `_Rule`. `locate` returns a source as the parser counts its
    characters, and its tree with the places of elements.
    """
    rules = [rule for rule in _RULES if rule.sign in signs]
    if not document.select(",".join(rule.needed or rule.selector for rule in rules)):
        return None
    source, document = locate(source)
    edits: list[_Edit] = []
    for rule in rules:
        reach = 0
        nodes = document.select(rule.selector)
        if rule.edit_all is not None:
            edits += rule.edit_all(source, document, nodes)
            continue
        for node in nodes:
            span = _span(node)
            if span is not None and span.begin >= reach:
                edits += rule.edit(source, node, span)
                reach = span.end if rule.reads_content else 0
    return _edited(source, edits) if edits else None


class _Span(NamedTuple):
    """Where the tags of an element are in the source; an end tag may be left out."""

    begin: int
    after_start: int
    before_end: int
    end: int


class _Edit(NamedTuple):
    """A stretch of the source that is written otherwise."""

    begin: int
    end: int
    text: str


_Editor: TypeAlias = Callable[[str, Any, _Span], list[_Edit]]
_PageEditor: TypeAlias = Callable[[str, turbohtml.Document, list[Any]], list[_Edit]]


class _Rule(NamedTuple):
    """Elements, and the function that returns what is to be written otherwise of one of them.

    `edit_all` does so for all of them at once, where these belong together.
    """

    selector: str
    edit: _Editor
    sign: str  # the software whose pages it is for, or what they have, as "recipe" or "tabs"
    reads_content: bool = False  # then elements within another one are left alone
    edit_all: _PageEditor | None = None
    needed: str = ""  # a selector of elements without which nothing is written otherwise


def _span(node: Any) -> _Span | None:
    """Return the places of the tags of an element; None if it has no start tag."""
    found = node.source_location
    if found is None:
        return None
    start, end = found.start_tag, found.end_tag
    if end is None:
        if node.tag not in _WITHOUT_END:
            return None
        return _Span(start.start_offset, start.end_offset, start.end_offset, start.end_offset)
    return _Span(start.start_offset, start.end_offset, end.start_offset, end.end_offset)


_WITHOUT_END = frozenset({"input", "li"})


def _edited(source: str, edits: list[_Edit]) -> str:
    """Return the source with stretches written otherwise; those within another one are ignored."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.begin, -edit.end)):
        if edit.begin >= at:
            pieces += [source[at : edit.begin], edit.text]
            at = edit.end
    return "".join([*pieces, source[at:]])


def _whole(_source: str, _node: Any, span: _Span, text: str = "") -> list[_Edit]:
    """Write a text in the place of an element."""
    return [_Edit(span.begin, span.end, text)]


def _to_the_end(source: str, _node: Any, span: _Span) -> list[_Edit]:
    """Write an element into a footer at the end of the page, as it tells when that was changed."""
    footer = f"<footer>{source[span.begin : span.end]}</footer>"
    return [_Edit(span.begin, span.end, ""), _Edit(len(source), len(source), footer)]


def _tags(_source: str, _node: Any, span: _Span, start: str = "", end: str = "") -> list[_Edit]:
    """Write texts in the places of the tags of an element."""
    begin = _Edit(span.begin, span.after_start, start)
    return [begin, _Edit(span.before_end, span.end, end)]


def _classes(node: Any) -> list[str]:
    return (node.attr("class") or "").split()


# --- code ----------------------------------------------------------------------------------------


def _language_class(name: str | None) -> str:
    return f' class="language-{name}"' if name and _LANGUAGE.fullmatch(name) else ""


_LANGUAGE = re.compile(r"[\w+#.-]{1,20}")


def _written_code(text: str, language: str) -> str:
    start = f"<pre><code{_language_class(language)}>"
    return f"{start}{escape(text, quote=False)}</code></pre>"


def _distill_code(source: str, node: Any, span: _Span) -> list[_Edit]:
    start = f"<code{_language_class(node.attr('language'))}>"
    if node.attr("block") is None:
        return _tags(source, node, span, start, "</code>")
    after = span.after_start + source.startswith("\n", span.after_start)  # as in `pre`
    shorter = span._replace(after_start=after)
    return _tags(source, node, shorter, f"<pre>{start}", "</code></pre>")


def _distill_formula(source: str, node: Any, span: _Span) -> list[_Edit]:
    if node.attr("block") is None:
        return _tags(source, node, span, '<span class="math inline">', "</span>")
    return _tags(source, node, span, '<div class="math display">', "</div>")


def _formula_in_script(source: str, node: Any, span: _Span) -> list[_Edit]:
    """Show the MathML in a script, and leave out what MathJax 2 has drawn before it."""
    markup = source[span.after_start : span.before_end]
    if not _IS_FORMULA.match(markup):
        return []
    if "display" in (node.attr("type") or "") and "display" not in markup[: markup.find(">")]:
        markup = markup.replace("<math", '<math display="block"', 1)
    edits = [_Edit(span.begin, span.end, markup)]
    before = node.previous_sibling
    while before is not None:
        drawn = _span(before) if isinstance(before, turbohtml.Element) else None
        if drawn is not None and _DRAWN.match(before.attr("class") or ""):
            edits += _whole(source, before, drawn)
        elif not _is_blank(before) or drawn is not None:
            break
        before = before.previous_sibling
    return edits


def _drawn_formula(_source: str, node: Any, span: _Span) -> list[_Edit]:
    """Write the TeX of a formula that MathJax has drawn without MathML."""
    holders = [node, *node.select("mjx-math,[data-mml-node=math]")]
    tex = next(filter(None, (holder.attr("data-latex") for holder in holders)), None)
    if not tex or node.select_one("math"):
        return []
    kind, begin, end = (
        ("display", "\\[", "\\]") if node.attr("display") else ("inline", "\\(", "\\)")
    )
    text = f'<span class="math {kind}">{begin}{escape(tex, quote=False)}{end}</span>'
    return [_Edit(span.begin, span.end, text)]


_WITH_TEX = "mjx-container[data-latex],mjx-math[data-latex],[data-mml-node=math][data-latex]"
_IS_FORMULA = re.compile(r"\s*<math[\s>]", re.I)
_DRAWN = re.compile("MathJax|MJXc")


def _code_area(source: str, node: Any, span: _Span) -> list[_Edit]:
    """Make code of a text area, which may hold bare tags."""
    classes = _classes(node)
    name = classes[0].partition(":")[0] if node.attr("name") == "code" and classes else ""
    name = "go" if "Documentation-exampleCode" in classes else name
    text = unescape(source[span.after_start : span.before_end]).removeprefix("\n")
    return [_Edit(span.begin, span.end, _written_code(text, name))]


# --- code in lines -------------------------------------------------------------------------------

_LINES = frozenset({"ec-line", "line", "code-line", "token-line", "view-line"})
_AROUND_LINES = frozenset({"code", "code-container", "foldopen"})
_EXPLAINS = frozenset({"twoslash-popup-container", "twoslash-completion-list"})
_BESIDE_LINES = _EXPLAINS | {"lineno", "gutter", "ttc", "language-id", "playground-link"}
_IN_LINES = "div,span.lineno,a.playground-link,.twoslash-popup-container,.twoslash-completion-list"


# Other boxes in code, such as those of buttons, are no reason to read the page again.
_HAS_LINES = ",".join(
    [f"pre div.{name}" for name in sorted(_LINES)] + [f"pre .{name}" for name in sorted(_EXPLAINS)]
)


def _lines(source: str, node: Any) -> list[_Edit]:
    """Write boxes of lines as lines, without numbers and explanations; none if there are none."""
    edits: list[_Edit] = []
    has_any = False
    for part in node.select(_IN_LINES):
        classes, own = frozenset(_classes(part)), _span(part)
        if own is None:
            continue
        is_line = part.tag == "div" and not classes.isdisjoint(_LINES)
        if not classes.isdisjoint(_BESIDE_LINES):
            edits += _whole(source, part, own)
        elif is_line or not classes.isdisjoint(_AROUND_LINES):
            end = own.end + source.startswith("\n", own.end)  # some write each on its own line
            ends_line = is_line and not part.text.endswith("\n")
            edits += _tags(source, part, own._replace(end=end), "", "\n" if ends_line else "")
        has_any |= is_line or not classes.isdisjoint(_EXPLAINS)
    return edits if has_any else []


def _code_of_lines(source: str, node: Any, span: _Span) -> list[_Edit]:
    edits = _lines(source, node)
    name = node.select_one("div.language-id") if edits else None
    if name is not None and _LANGUAGE.fullmatch(name.text):
        stated = f' data-language="{name.text}">'
        edits.append(_Edit(span.after_start - 1, span.after_start, stated))
    return edits


def _highlighted(_source: str, node: Any, span: _Span) -> list[_Edit]:
    """Make code of the boxes that SyntaxHighlighter writes; tables of each line are others."""
    lines = node.select("td.code div.line") or node.select("div.line")
    if not lines or any(line.select_one("table") is not None for line in lines):
        return []
    text = "\n".join(line.text.rstrip().replace("\xa0", " ") for line in lines)
    others = [name for name in _classes(node) if name not in _NOT_BRUSHES]
    return [_Edit(span.begin, span.end, _written_code(text, others[0] if others else ""))]


_NOT_BRUSHES = frozenset("syntaxhighlighter nogutter ie collapsed sh-confluence printing".split())


def _raw_code(source: str, _node: Any, span: _Span) -> list[_Edit]:
    """Show code that Enlighter has hidden, beside which it has drawn a copy."""
    start = _HIDING.sub("", source[span.begin : span.after_start])
    return [_Edit(span.begin, span.after_start, start)]


def _styled_code(source: str, node: Any, span: _Span) -> list[_Edit]:
    """Make code of a box with the style of code; boxes in it are lines, as VS Code has them."""
    style = node.attr("style") or ""
    if not _KEEPS_SPACES.search(style) or node.select_one("p,pre,ul,ol,table,h1,h2,h3"):
        return []
    edits = _tags(source, node, span, "<pre>", "</pre>")
    for line in node.select("div"):
        if (own := _span(line)) is not None:
            edits += _tags(source, line, own, "", "\n")
    return edits


_KEEPS_SPACES = re.compile(
    r"(?:^|[;\s])white-space:\s*(?:pre|pre-wrap|break-spaces)\s*(?:;|!|$)", re.I
)


def _editor(_source: str, node: Any, span: _Span) -> list[_Edit]:
    """Make code of the lines of an editor. Those of Monaco are where their styles say."""
    lines = node.select(".ace_line_group") or node.select(_EDITOR_LINES)
    tops = [_TOP.search(line.attr("style") or "") for line in lines]
    if lines and all(tops):
        by_top = [(int(top[1]), at) for at, top in enumerate(tops) if top]
        lines = [lines[at] for _, at in sorted(by_top)]
    text = "\n".join(line.text.translate(_PLAIN_SPACES).rstrip() for line in lines)
    if not text.strip():
        return []
    named = node.select_one("[data-language]")
    label = node.select_one(".crayon-language")
    names = [node.attr("data-mode-id"), named.attr("data-language") if named is not None else ""]
    names.append(label.text.strip().lower() if label is not None else "")
    return [_Edit(span.begin, span.end, _written_code(text, next(filter(None, names), "")))]


_PLAIN_SPACES = {0xA0: " ", 0x200B: ""}
_EDITOR_LINES = "pre.CodeMirror-line,div.cm-line,div.view-line,div.ace_line,div.crayon-line"
_TOP = re.compile(r"(?<![\w-])top:\s*(\d{1,6})")


def _frame(source: str, node: Any, _span_of_caption: _Span) -> list[_Edit]:
    """Leave out what the caption of Expressive Code says to screen readers alone."""
    hidden = [_span(part) for part in node.select(".sr-only")]
    return [edit for own in hidden if own is not None for edit in _whole(source, node, own)]


# --- Doxygen -------------------------------------------------------------------------------------

_LINE_NUMBER = re.compile(
    r'<a (?:class="code" )?name="l(\d{5})"[^<>]*>(?:</a>)?(?:<a [^<>]*>)?\1(?:</a>)? ?'
)


def _without_line_numbers(source: str, _node: Any, span: _Span) -> list[_Edit]:
    numbers = _LINE_NUMBER.finditer(source, span.after_start, span.before_end)
    return [_Edit(found.start(), found.end(), "") for found in numbers]


def _fragment(source: str, node: Any, span: _Span) -> list[_Edit]:
    """Make code of a box of lines."""
    edits = _lines(source, node)
    if not edits:
        return []
    return edits + _tags(source, node, span, '<pre class="fragment">\n', "</pre>")


def _prototype(_source: str, node: Any, span: _Span) -> list[_Edit]:
    """Make code of a table with the prototype of a function, whose cells are its parts."""
    text = " ".join(" ".join(cell.text for cell in node.select("td")).split())
    for sign in "(),":
        text = text.replace(f" {sign}", sign)
    return [_Edit(span.begin, span.end, _written_code(text.replace("( ", "("), ""))]


# --- rustdoc -------------------------------------------------------------------------------------


def _code_heading(source: str, node: Any, span: _Span) -> list[_Edit]:
    return _tags(source, node, span, f"<{node.tag}><code>", f"</code></{node.tag}>")


_LEFT_OUT = (
    "summary.hideme,a.src,a.srclink,a.anchor,a.doc-anchor,.out-of-band,.rightside,.since,"
    ".sub-heading,.notable-traits,.loading-content,a.tooltip,#copy-path,#toggle-all-docs,"
    "pre.src-line-numbers,pre.line-numbers,pre.rust a[data-nosnippet],"
    "#synthetic-implementations,#synthetic-implementations-list,"
    "#blanket-implementations,#blanket-implementations-list"
)

# --- Javadoc -------------------------------------------------------------------------------------


def _signature(_source: str, node: Any, span: _Span) -> list[_Edit]:
    lines = (" ".join(line.split()) for line in node.text.split("\n"))
    return [_Edit(span.begin, span.end, _written_code("\n".join(filter(None, lines)), "java"))]


_BEGINS_ROW = frozenset({"col-first", "col-constructor-name"})


def _grid(source: str, node: Any, span: _Span) -> list[_Edit]:
    """Make a table of a grid: a child is a cell, and some begin a row."""
    edits = _tags(source, node, span, "<table>", "</tr></table>")
    has_row = False
    for cell in node:
        own = _span(cell) if getattr(cell, "tag", "") == "div" else None
        if own is None:
            continue
        classes = _classes(cell)
        name = "th" if "table-header" in classes else "td"
        begins_row = not has_row or not _BEGINS_ROW.isdisjoint(classes)
        row = ("</tr><tr>" if has_row else "<tr>") if begins_row else ""
        edits += _tags(source, cell, own, f"{row}<{name}>", f"</{name}>")
        has_row = True
    return edits if has_row else []


_SECTIONS = "summary-list details-list member-list block-list block-list-last blockList"
_SECTIONS += " blockListLast"

# --- numbers of formulas, headings ---------------------------------------------------------------


def _number_of_formula(source: str, node: Any, span: _Span) -> list[_Edit]:
    """Write the number of a formula behind it, at the end of the element around both."""
    around = _span(node.parent) if node.parent is not None else None
    number = source[span.begin : span.end]
    if around is None:
        return []
    return [
        _Edit(span.begin, span.end, ""),
        _Edit(around.before_end, around.before_end, f" {number}"),
    ]


def _edit_link(source: str, node: Any, span: _Span) -> list[_Edit]:
    """Leave out the link to edit a section with the brackets around it."""
    begin, end = span.begin - 1, span.end + 1
    if "action=edit" in (node.attr("href") or "") and source[begin : begin + 1] == "[":
        return [_Edit(begin, end, "")] if source[end - 1 : end] == "]" else []
    return []


_IN_BRACKETS = (
    rf"\[(?:\s{{0,3}}<a\s[^<>]{{0,500}}>\s{{0,3}}{EDIT_WORDS}\s{{0,3}}</a>\s{{0,3}}\|?){{1,3}}\]"
)
_EDIT_LINKS = re.compile(_IN_BRACKETS, re.I)
_EDIT_LINKS_AFTER = re.compile(
    rf"\s{{0,40}}(?:{_IN_BRACKETS}|<span(?:\s[^<>]{{0,200}})?>\s{{0,3}}{_IN_BRACKETS}\s{{0,3}}</span>)",
    re.I,
)


def _edit_links(source: str, _heading: Any, span: _Span) -> list[_Edit]:
    """Leave out links to edit a section in a heading or right after it, with their brackets."""
    found = [*_EDIT_LINKS.finditer(source, span.after_start, span.before_end)]
    after = _EDIT_LINKS_AFTER.match(source, span.end)
    return [_Edit(one.start(), one.end(), "") for one in (*found, after) if one is not None]


def _update(source: str, node: Any, _span_of_time: _Span) -> list[_Edit]:
    """Write the line that says when a page was changed at its end."""
    line = node.parent
    around = _span(line) if line is not None and len(line) <= _MOST_PARTS else None
    if around is None or not _UPDATED.fullmatch(line.text):
        return []
    return _to_the_end(source, line, around)


_MOST_PARTS = 4  # of such a line


_UPDATED = re.compile(r"\s*Last (?:updated|modified)\b.{0,60}", re.I | re.S)
_EQUATIONS = "table.ltx_eqn_table"


def _mark_of_item(_source: str, node: Any, span: _Span) -> list[_Edit]:
    """Leave out the mark of an item, which lists have anyway."""
    return [_Edit(span.begin, span.end, "")] if _MARK.fullmatch(node.text.strip()) else []


_MARK = re.compile(r"[•–—∙◦▪*·-]|\(?\w{1,4}[.)]")

# --- MediaWiki -----------------------------------------------------------------------------------

# Back-links of notes, requests to mend the page, and what it says about itself to other pages.
_OF_EDITORS = (
    "div.shortdescription,table.ambox,table.metadata.plainlinks,div.metadata.hatnote,"
    "sup.noprint.Inline-Template,ol.references > li > .mw-cite-backlink"
)

# --- recipes -------------------------------------------------------------------------------------

# Of WP Recipe Maker, Tasty Recipes, Create, Zip Recipes, and of others by their usual names.
_RECIPE_CONTROLS = (
    ".wprm-screen-reader-text,.wprm-checkbox-container,.wprm-recipe-snippet,.wprm-recipe-link,"
    ".wprm-recipe-rating,.wprm-user-rating,.wprm-toggle-container,.wprm-prevent-sleep,"
    ".wprm-call-to-action,.tasty-recipes-quick-links,.tasty-recipes-buttons,"
    ".tasty-recipes-button-wrap,.tasty-recipes-rating,.tasty-recipes-yield-scale,"
    ".tasty-recipes-scale-container,.tasty-recipes-units-scale-container,"
    ".tasty-recipes-ingredients-clipboard-container,.tasty-recipes-copy-button,"
    ".tasty-recipes-cook-mode,.tasty-recipes-entry-footer,.tr-ingredient-checkbox-container,"
    ".mv-create-jtr-slot-v2,.mv-create-jtr-link,.mv-create-print-form,.mv-create-print-button,"
    ".mv-create-reviews,.mv-create-social,.mv-create-footer,.mv-create-hands-free,"
    ".zrdn-jump-to-link,.zrdn-print-link,.zrdn-print,.zlrecipe-print-link,"
    ".wprm-recipe .sr-only,.wprm-recipe .screen-reader-text,"
    "a[class*=recipe-print],a[class*=print-recipe],a[class*=recipe-jump],a[class*=jump-to-recipe],"
    "a[class*=jump-link],a[class*=print-link],a[class*=recipe-pin],button[class*=recipe-print],"
    "button[class*=print-recipe],button[class*=recipe-jump],button[class*=jump-to-recipe]"
)


def _same_titles(_source: str, document: turbohtml.Document, nodes: list[Any]) -> list[_Edit]:
    """Leave out the names of cards that are the heading of the page, too."""
    headings = {" ".join(node.text.split()) for node in document.select("h1")}
    return [
        _Edit(span.begin, span.end, "")
        for node in nodes
        if node.tag != "h1" and " ".join(node.text.split()) in headings and (span := _span(node))
    ]


_CARD_TITLES = ".wprm-recipe-name,.tasty-recipes-title,.mv-create-title,.zrdn-recipe-title"


def _amount(_source: str, node: Any, span: _Span) -> list[_Edit]:
    """Write the number that a field of a form shows."""
    value = node.attr("value") or ""
    return [_Edit(span.begin, span.end, value)] if _AMOUNT.fullmatch(value) else []


_AMOUNT = re.compile(r"[\d.,/ ]{1,10}")

# --- tabs ----------------------------------------------------------------------------------------


def _shown(_source: str, _node: Any, span: _Span) -> list[_Edit]:
    """Show a list that its style hides."""
    return [_Edit(span.begin, span.after_start, "<dl>")]


def _tabs(source: str, document: turbohtml.Document, nodes: list[Any]) -> list[_Edit]:
    """Write each panel as `details` with its label as the summary, and show all panels.

    These are tabs of Docusaurus, Microsoft Learn, Material for MkDocs, VitePress and sphinx-tabs.
    Those of Docusaurus, which others have too, are left alone unless a panel has code: with all
    tabs of all pages, 66 pages of wcxb-dev are parsed again and lose 0.007 of word F1.

    `nodes` are the lists of labels. A label names its panel by `aria-controls` or an address, or
    the panel names its label. Else the panels are the children of the next element, or those that
    are next by their role, as many as there are labels.
    """
    by_name = {node.attr("id") or "": node for node in document.select("[id]")}
    by_label = {
        node.attr("aria-labelledby") or "": node
        for node in document.select("[role=tabpanel][aria-labelledby]")
    }
    in_order = [
        (span.begin, node)
        for node in document.select("[role=tabpanel]")
        if (span := _span(node)) is not None
    ]
    begins = [begin for begin, _ in in_order]
    edits: list[_Edit] = []
    reach = 0
    for node in nodes:
        labels, span = _labels(node), _span(node)
        if span is None or span.begin < reach or not 2 <= len(labels) <= _MOST_TABS:
            continue
        panels = [_named_panel(label, by_name, by_label) for label in labels]
        if None in panels:
            at = bisect_left(begins, span.end)
            first = in_order[at][1] if at < len(in_order) else None
            panels = _panels_in_order(node, first, len(labels))
        spans = [_span(panel) if panel is not None else None for panel in panels]
        places = [own for own in spans if own is not None]
        if len(places) != len(labels) or not _follow(span, places):
            continue
        if node.tag == "ul" and all(
            panel.select_one("pre") is None for panel in panels if panel is not None
        ):
            continue
        edits.append(_Edit(span.begin, span.end, ""))
        reach = span.end
        for label, panel, own in zip(labels, panels, places, strict=True):
            edits += _labelled(source, label, panel, own)
    return edits


def _labelled(source: str, label: Any, panel: Any, own: _Span) -> list[_Edit]:
    """Write a panel with its label, unless it begins with that, and show it."""
    start = _HIDING.sub("", source[own.begin : own.after_start])
    text = " ".join(label.text.split())
    if not text or len(text) > _MOST_LABEL or _first_text(panel) == text:
        return [_Edit(own.begin, own.after_start, start)]
    summary = f"<details open><summary>{escape(text)}</summary>"
    return [
        _Edit(own.begin, own.after_start, start + summary),
        _Edit(own.before_end, own.before_end, "</details>"),
    ]


def _first_text(node: Any) -> str:
    """Return the first text in an element that is not blank, on one line; "" if it is code."""
    while isinstance(node, turbohtml.Element) and node.tag != "pre":
        node = next((part for part in node if not _is_blank(part)), None)
    return " ".join(node.data.split()) if isinstance(node, turbohtml.Text) else ""


def _is_blank(part: Any) -> bool:
    """Return whether a part of an element shows nothing."""
    return not isinstance(part, turbohtml.Element | turbohtml.Text) or not part.text.strip()


def _labelled_panel(source: str, label: Any, span: _Span) -> list[_Edit]:
    """Write the panel after a label with it; none if something else follows."""
    panel = label.next_sibling
    if isinstance(panel, turbohtml.Text) and not panel.data.strip():
        panel = panel.next_sibling
    own = _span(panel) if isinstance(panel, turbohtml.Element) else None
    if own is None or panel.tag != "div" or _PANEL_CLASSES.isdisjoint(_classes(panel)):
        return []
    return [*_whole(source, label, span), *_labelled(source, label, panel, own)]


def _labels(node: Any) -> list[Any]:
    """Return the labels in a list of tabs."""
    if node.tag == "div" and node.attr("role") is None:
        return [part for part in node if getattr(part, "tag", "") == "label"]
    found: list[Any] = node.select("[role=tab]") or node.select("a[href^='#']")
    return found


def _named_panel(label: Any, by_name: dict[str, Any], by_label: dict[str, Any]) -> Any:
    """Return the panel that a label names, or that names the label; None if there is none."""
    link = label if label.tag == "a" else label.select_one("a[href^='#']")
    names = [label.attr("aria-controls"), link.attr("href") if link is not None else None]
    names += [label.attr("data-bs-target"), label.attr("data-target")]
    for name in filter(None, names):
        panel = by_name.get(name.removeprefix("#"))
        if panel is not None and panel.tag in _PANELS:
            return panel
    return by_label.get(label.attr("id")) if label.attr("id") else None


def _panels_in_order(node: Any, first: Any, count: int) -> list[Any]:
    """Return as many panels after a list of labels; none if they cannot be told.

    They are `first` and those beside it, or the children of the next element.
    """
    has_roles = node.attr("role") == "tablist"
    around = first.parent if has_roles and first is not None else None
    if not has_roles:
        around = node.next_sibling
        if isinstance(around, turbohtml.Text) and not around.data.strip():
            around = around.next_sibling
    if not isinstance(around, turbohtml.Element) or len(around) > _MOST_IN_TABS:
        return []
    inner = [part for part in around if isinstance(part, turbohtml.Element)]
    panels = [part for part in inner if part.tag in _PANELS]
    if has_roles:
        panels = [part for part in inner if part.attr("role") == "tabpanel"]
    return panels if len(panels) == count else []


def _follow(span: _Span, places: list[_Span]) -> bool:
    """Return whether panels follow the list of their labels, one after the other."""
    at = span.end
    for place in places:
        if place.begin < at:
            return False
        at = place.end
    return True


_PANEL_CLASSES = frozenset({"sd-tab-content", "tabbed-content"})
_PANELS = frozenset({"div", "section", "article"})
_MOST_TABS, _MOST_IN_TABS, _MOST_LABEL = 20, 100, 100  # the last one in characters
_HIDING = re.compile(
    r"""\s(?:aria-)?hidden(?:=(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?(?=[\s/>])"""
    r"""|\sstyle="[^"]*display:\s*none[^"]*["]""",
    re.I,
)

# --- tasks ---------------------------------------------------------------------------------------


def _task(_source: str, node: Any, span: _Span) -> list[_Edit]:
    """Write the box of a task: in an item that has its state, or in the place of an empty box."""
    is_checked = node.attr("aria-checked") == "true"
    is_checked |= not _IS_CHECKED.isdisjoint(_classes(node))
    box = '<input type="checkbox" checked>' if is_checked else '<input type="checkbox">'
    if node.tag == "li":
        return [_Edit(span.after_start, span.after_start, box)]
    is_empty = not any(getattr(inner, "tag", "") or inner.text.strip() for inner in node)
    return [_Edit(span.begin, span.end, box)] if is_empty else []


def _same_list(source: str, _node: Any, span: _Span) -> list[_Edit]:
    """Join a list to the one before it, as each task of Notion is in a list of its own."""
    before = _END_OF_LIST.search(source, max(span.begin - _MOST_BETWEEN, 0), span.begin)
    return [_Edit(before.start(), span.after_start, "")] if before else []


_END_OF_LIST, _MOST_BETWEEN = re.compile(r"</ul>\s*\Z"), 40  # characters
_IS_CHECKED = frozenset({"checked", "checkbox-on"})

_FACTS = "ul.page-metadata,nav.doc-outline,#ms--in-this-article,button.contents-button"
_FACTS += ",#ms--focus-mode-button,#article-header,section#feedback,#ms--additional-resources"
_AS_BOX = partial(_tags, start="<div>", end="</div>")
_RUST = partial(_tags, start='<pre class="rust language-rust">', end="</pre>")
_SECTION = ",".join(f"ul.{name},ul.{name} > li" for name in _SECTIONS.split())
_EDITORS = "div.CodeMirror,div.cm-editor,div.monaco-editor,.ace_editor,div.crayon-syntax"
_TASK = "ul.inline-task-list > li,li > div.checkbox"
_TASK += ",li[role=checkbox],li > [role=checkbox]"
_TAB_LISTS = "ul.tabs[role=tablist],div.tabGroup > ul[role=tablist]"
_DRAWN_CODE = "div.enlighter-default"
_LABEL_LISTS = "div.tabbed-labels,div.vp-code-group > div.tabs"
_RULES = (
    _Rule("d-math", _distill_formula, "distill"),
    _Rule("d-code", _distill_code, "distill"),
    _Rule("d-footnote", partial(_tags, start=" (", end=")"), "distill"),
    _Rule("d-cite,data-lsp", _tags, "distill"),
    _Rule("pre", _code_of_lines, "lines", reads_content=True, needed=_HAS_LINES),
    _Rule("div.syntaxhighlighter", _highlighted, "lines", reads_content=True),
    _Rule("div.expressive-code figcaption", _frame, "lines"),
    _Rule(_EDITORS, _editor, "editor", reads_content=True),
    _Rule("pre.EnlighterJSRAW", _raw_code, "Enlighter", needed=_DRAWN_CODE),
    _Rule(_DRAWN_CODE, _whole, "Enlighter", reads_content=True),
    _Rule("div[style*=monospace]", _styled_code, "styled", reads_content=True),
    _Rule("div.code-with-filename-file > pre", partial(_tags, start="<p>", end="</p>"), "quarto"),
    _Rule("details.code-fold > summary", _whole, "quarto"),
    _Rule(_TAB_LISTS, _whole, "tabs", edit_all=_tabs),
    _Rule(_LABEL_LISTS, _whole, "labels", edit_all=_tabs),
    _Rule("div.sd-tab-set > label,div.tabbed-set > label", _labelled_panel, "labels"),
    _Rule("div.sphinx-tabs > div[role=tablist]", _whole, "Docutils", edit_all=_tabs),
    _Rule("textarea[name=code],textarea[class*=exampleCode]", _code_area, "area"),
    _Rule("script[type^='math/mml' i]", _formula_in_script, "mml"),
    _Rule("mjx-container", _drawn_formula, "mjx", reads_content=True, needed=_WITH_TEX),
    _Rule("awsdocs-tabs > dl", _shown, "aws"),
    _Rule(_FACTS, _to_the_end, "facts", reads_content=True),
    _Rule(_TASK, _task, "tasks"),
    _Rule("li > span.chcklst-box", _task, "Discourse"),
    _Rule("ul.to-do-list + ul.to-do-list", _same_list, "tasks"),
    _Rule("pre.fragment", _without_line_numbers, "Doxygen", reads_content=True),
    _Rule("div.fragment", _fragment, "Doxygen", reads_content=True),
    _Rule("div.memproto table.memname", _prototype, "Doxygen", reads_content=True),
    _Rule(_LEFT_OUT, _whole, "rustdoc"),
    _Rule("details,summary", _AS_BOX, "rustdoc"),
    _Rule(".code-header", _code_heading, "rustdoc"),
    _Rule(".structfield", partial(_tags, start="<h3>", end="</h3>"), "rustdoc"),
    _Rule(".code-header a,.method a,.structfield a", _tags, "rustdoc"),
    _Rule(".where,.stab", partial(_tags, start=" ", end=" "), "rustdoc"),
    _Rule("pre.rust", _RUST, "rustdoc"),
    _Rule("div.table-tabs,.tableTab,.activeTableTab,.tabEnd", _whole, "javadoc"),
    _Rule("div.inheritance,ul.inheritance", _whole, "javadoc", reads_content=True),
    _Rule("div.summary-table", _grid, "javadoc", reads_content=True),
    _Rule("div.member-signature,div.type-signature", _signature, "javadoc", reads_content=True),
    _Rule(_SECTION, _AS_BOX, "javadoc"),
    _Rule("dt .classifier", partial(_tags, start=" : "), "Docutils"),
    _Rule("div.math > .eqno,div.math > p > .eqno", _number_of_formula, "Docutils"),
    _Rule("annotation-xml,annotation[encoding$=llamapun]", _whole, "LaTeXML"),
    _Rule(".ltx_note_mark,.ltx_tag_note,.ltx_listing_data", _whole, "LaTeXML"),
    _Rule(".ltx_note_content", partial(_tags, start=" (", end=")"), "LaTeXML"),
    _Rule(".ltx_tag_listingline,.ltx_tag_bibitem", partial(_tags, end=" "), "LaTeXML"),
    _Rule("div.ltx_lstlisting .ltx_tag_listingline", _whole, "LaTeXML"),
    _Rule("div.ltx_lstlisting", partial(_tags, start="<pre>", end="</pre>"), "LaTeXML"),
    _Rule("div.ltx_lstlisting .ltx_listingline", partial(_tags, end="\n"), "LaTeXML"),
    _Rule("cite.ltx_cite", _tags, "LaTeXML"),
    _Rule("li > .ltx_tag_item", _mark_of_item, "LaTeXML"),
    _Rule(f"{_EQUATIONS},{_EQUATIONS} tbody", _tags, "LaTeXML"),
    _Rule(f"{_EQUATIONS} tr", partial(_tags, start="<p>", end="</p>"), "LaTeXML"),
    _Rule(f"{_EQUATIONS} td,{_EQUATIONS} th", partial(_tags, start=" ", end=" "), "LaTeXML"),
    _Rule("h2 > a,h3 > a,h4 > a", _edit_link, "MediaWiki"),
    _Rule(_OF_EDITORS, _whole, "MediaWiki"),
    _Rule("cite.citation", _tags, "MediaWiki"),
    _Rule("h2,h3,h4,h5,h6", _edit_links, "edits", reads_content=True),
    _Rule(
        "div.docInfo,div.meta > div.doc,div.secedit,div.pageId",
        _to_the_end,
        "DokuWiki",
        reads_content=True,
    ),
    _Rule("p > time", _update, "GitBook", reads_content=True),
    _Rule(_RECIPE_CONTROLS, _whole, "recipe"),
    _Rule("input[class*=recipe-servings]", _amount, "recipe"),
    _Rule(_CARD_TITLES, _whole, "recipe", edit_all=_same_titles),
)
