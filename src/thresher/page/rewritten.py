"""Elements that a page shows as something that their tags do not say, written as that.

Scripts and style sheets make code, formulas, tables and tasks of elements that are none:

- Distill: `<d-code>` is code, `<d-math>` a formula.
- SyntaxHighlighter and pkg.go.dev: some elements `textarea` are code.
- Doxygen: a `div` of class `fragment` is code, each `div` of class `line` in it a line. Older
  releases have the numbers of lines in the text. The prototype of a function is a table.
- rustdoc: headings are code, with links to the source and to themselves. They are in the summaries
  of elements `details`, which are open. Implementations that most types have are left out.
- Javadoc: a `div` of class `summary-table` is a table, its children are cells. The buttons above it
  choose rows. Signatures are code. Sections are items of lists.
- Cards of recipes: buttons, boxes to tick, words for screen readers that repeat others.
- Docutils (Sphinx): style sheets separate a term from what it is, and formulas from their numbers.
- LaTeXML: the parts of a formula and its number are cells of a table.
- MediaWiki: the link to edit a section may stand between brackets that are in the heading.
- DokuWiki and GitBook: what they say about a page stands below its text.
- Microsoft Learn: the list of facts about a page and that of its sections stand in its text.
- AWS: the list in `<awsdocs-tabs>` is hidden until a script has made tabs of it.
- Confluence, Notion, Discourse, and items with the role of a check box: tasks without an `<input>`.

Few pages have any of these, and `thresher.page.parse` knows which may have some. Their source is
changed, as that of pages with unclosed elements is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from html import escape, unescape
from typing import Any, NamedTuple, TypeAlias

import turbohtml


def rewritten(
    source: str,
    document: turbohtml.Document,
    generator: str,
    locate: Callable[[str], tuple[str, turbohtml.Document]],
) -> str | None:
    """Return the source with these elements as what they are shown as; None if there are none.

    `generator` is the software that wrote the page, "recipe" for a page that states one, or "".
    `locate` returns a source as the parser counts its characters, and its tree with the places of
    elements.
    """
    rules = [rule for rule in _RULES if rule.generator in ("", generator)]
    if not document.select(",".join(rule.selector for rule in rules)):
        return None
    source, document = locate(source)
    edits: list[_Edit] = []
    for rule in rules:
        reach = 0
        for node in document.select(rule.selector):
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


class _Rule(NamedTuple):
    """Elements, and the function that returns what is to be written otherwise of one of them."""

    selector: str
    edit: _Editor
    generator: str = ""  # for the pages of one software, or with recipes, only
    reads_content: bool = False  # then elements within another one are left alone


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


def _code_area(source: str, node: Any, span: _Span) -> list[_Edit]:
    """Make code of a text area, which may hold bare tags."""
    classes = _classes(node)
    name = classes[0].partition(":")[0] if node.attr("name") == "code" and classes else ""
    name = "go" if "Documentation-exampleCode" in classes else name
    text = unescape(source[span.after_start : span.before_end]).removeprefix("\n")
    return [_Edit(span.begin, span.end, _written_code(text, name))]


# --- Doxygen -------------------------------------------------------------------------------------

_LINE_NUMBER = re.compile(
    r'<a (?:class="code" )?name="l(\d{5})"[^<>]*>(?:</a>)?(?:<a [^<>]*>)?\1(?:</a>)? ?'
)


def _without_line_numbers(source: str, _node: Any, span: _Span) -> list[_Edit]:
    numbers = _LINE_NUMBER.finditer(source, span.after_start, span.before_end)
    return [_Edit(found.start(), found.end(), "") for found in numbers]


def _fragment(source: str, node: Any, span: _Span) -> list[_Edit]:
    """Make code of a box of lines, without their numbers and the boxes of explanations."""
    inner = node.select("div,span.lineno")
    if not any("line" in _classes(part) for part in inner):
        return []
    edits = _tags(source, node, span, '<pre class="fragment">\n', "</pre>")
    for part in inner:
        classes, own = _classes(part), _span(part)
        if own is None:
            continue
        if "ttc" in classes or "lineno" in classes:
            edits += _whole(source, part, own)
        else:
            end = own.end + source.startswith("\n", own.end)  # some write each on its own line
            is_line = "line" in classes
            edits += _tags(source, part, own._replace(end=end), "", "\n" if is_line else "")
    return edits


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
    "a[class*=recipe-print],a[class*=print-recipe],a[class*=recipe-jump],a[class*=jump-to-recipe],"
    "a[class*=jump-link],a[class*=print-link],a[class*=recipe-pin],button[class*=recipe-print],"
    "button[class*=print-recipe],button[class*=recipe-jump],button[class*=jump-to-recipe]"
)


def _amount(_source: str, node: Any, span: _Span) -> list[_Edit]:
    """Write the number that a field of a form shows."""
    value = node.attr("value") or ""
    return [_Edit(span.begin, span.end, value)] if _AMOUNT.fullmatch(value) else []


_AMOUNT = re.compile(r"[\d.,/ ]{1,10}")

# --- tabs and tasks ------------------------------------------------------------------------------


def _shown(_source: str, _node: Any, span: _Span) -> list[_Edit]:
    """Show a list that its style hides."""
    return [_Edit(span.begin, span.after_start, "<dl>")]


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
_TASK = "ul.inline-task-list > li,li > div.checkbox,li > span.chcklst-box"
_TASK += ",li[role=checkbox],li > [role=checkbox]"
_RULES = (
    _Rule("d-math", _distill_formula),
    _Rule("d-code", _distill_code),
    _Rule("textarea[name=code],textarea[class*=exampleCode]", _code_area),
    _Rule("awsdocs-tabs > dl", _shown),
    _Rule(_FACTS, _to_the_end, reads_content=True),
    _Rule(_TASK, _task),
    _Rule("ul.to-do-list + ul.to-do-list", _same_list),
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
    _Rule("div.summary-table", _grid, "javadoc", reads_content=True),
    _Rule("div.member-signature,div.type-signature", _signature, "javadoc", reads_content=True),
    _Rule(_SECTION, _AS_BOX, "javadoc"),
    _Rule("dt .classifier", partial(_tags, start=" : "), "Docutils"),
    _Rule("div.math > .eqno,div.math > p > .eqno", _number_of_formula, "Docutils"),
    _Rule(f"{_EQUATIONS},{_EQUATIONS} tbody", _tags, "LaTeXML"),
    _Rule(f"{_EQUATIONS} tr", partial(_tags, start="<p>", end="</p>"), "LaTeXML"),
    _Rule(f"{_EQUATIONS} td,{_EQUATIONS} th", partial(_tags, start=" ", end=" "), "LaTeXML"),
    _Rule("h2 > a,h3 > a,h4 > a", _edit_link, "MediaWiki"),
    _Rule(
        "div.docInfo,div.meta > div.doc,div.secedit,div.pageId",
        _to_the_end,
        "DokuWiki",
        reads_content=True,
    ),
    _Rule("p > time", _update, "GitBook", reads_content=True),
    _Rule(_RECIPE_CONTROLS, _whole, "recipe"),
    _Rule("input[class*=recipe-servings]", _amount, "recipe"),
)
