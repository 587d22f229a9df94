"""Blocks of code: their text exactly as written, their language, no line numbers."""

from __future__ import annotations

import re
import textwrap
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from thresher.page.attributes import NameCache
from thresher.page.controls import CODE_CLASS, GUTTER
from thresher.page.core import COMPILED
from thresher.render.compiled import use_compiled
from thresher.render.kept_tree import KeptTree
from thresher.render.tree import Element, Text

if COMPILED:
    from thresher.render import _kept

# What follows a sign of its own is an option: "language-js:title=tea.js", "lang-ts{1,3}".
_PREFIXED = re.compile(
    r"(?:(?:mw-highlight-lang|language|lang|highlight-source|highlight|src|code)-|lang:)"
    r"([\w+#.-]+)(?:[:{].*)?"
)
_BRUSH = re.compile(r"brush:\s*([\w+#.-]+)")
# Classes after which the next class is a language: "sourceCode python", "hljs ruby".
_BEFORE_LANGUAGE = frozenset("sourceCode hljs highlight prettyprint syntaxhighlighter".split())
# Names of languages that Pygments does not know, and names that say nothing.
_MORE_LANGUAGES = (
    "astro bicep blade cshtml csv dotenv ejs gradle jinja2 jsonc kt mdx mermaid mjs patch plsql "
    "razor regex svelte svg vb wasm"
).split()
_LANGUAGE_ATTRIBUTES = (
    ("class",), ("data-syntaxhighlighter-params",), ("lang",), ("data-lang",), ("data-language",),
    ("data-enlighter-language",),
)  # fmt: skip
# Languages that are named by a class or by `lang` alone; other names may be classes of the page.
_USUAL_LANGUAGES = frozenset(
    "bash c c# c++ cpp csharp css dart diff dockerfile elixir erlang go golang graphql groovy "
    "haskell html ini java javascript js json jsx julia kotlin latex less lua makefile matlab "
    "objc objectivec ocaml perl php powershell py python r rb ruby rust sass scala scss sh shell "
    "sql swift toml ts tsx typescript vbnet xml yaml yml".split()
)
_NOT_LANGUAGES = frozenset("text plain plaintext output default none".split())
_BLOCK_CLASSES = frozenset("block code-block codeblock hljs highlight prettyprint bbc_code".split())
_CODE_BOXES = frozenset("code-block codeblock code_block".split())  # classes of a `div` of code
_ONE_LINE = _CODE_BOXES | {"block"}  # classes of an element `code` that is a block of one line
_SIBLINGS = frozenset(
    "address article aside blockquote details div dl figure footer form h1 h2 h3 h4 h5 h6 header "
    "hr main ol p pre section table ul".split()
)
_IN_LINES = frozenset("a b br code em font i span strong tt".split()) | {""}
_LINE_TAGS = frozenset({"div", "li", "p", "tr"})
_LINE_CLASSES = frozenset({"line", "code-line", "token-line", "view-line"})
_WHOLE_LINE = "gatsby-highlight-code-line"  # the class of lines without a line break behind them
_NUMBERS = re.compile(r"[\d\s]*")
CODE_TAGS = frozenset({"pre", "listing", "xmp"})
_MAX_WRAPPERS = 4  # elements around a block that may name its language
_MOST_APART = 3  # elements `code` in one block that are blocks of their own, not lines


def normalise_code(tree: KeptTree) -> None:
    """Replace each block by `pre > code` with plain text and at most a `language-x` class."""
    has_blocks = not CODE_TAGS.isdisjoint(tree.places)
    if "td" in tree.places:
        if has_blocks:
            _drop_gutter_cells(tree)
            _unwrap_tables(tree)
        _join_numbered_rows(tree)
    if has_blocks:
        _replace_blocks(tree)
    if "code" in tree.places:
        _join_lines(tree)
        _replace_code_of_lines(tree)
    if "div" in tree.places:
        _replace_boxes(tree)


def code_language(block: Element) -> str:
    """Return the language of a `pre` in the normal form, "" if there is none."""
    code = block.children[0] if block.children else None
    names = (code.attr("class") or "") if isinstance(code, Element) else ""
    return names.removeprefix("language-")


def _replace_blocks(tree: KeptTree) -> None:
    skipped = tree.replaced_rows()
    after = 0  # the end of the last block
    for block in tree.places_of(CODE_TAGS):
        if block < after or block in skipped:
            continue
        codes = _codes(tree, block)
        apart = _blocks_apart(tree, block, codes) if len(codes) > 1 else []
        for code in apart:
            tree.replaced[code] = _block(_code_text(tree, code), _language(tree, code))
        if apart:
            tree.tags[block] = "div"
        else:
            tree.replaced[block] = _block(_code_text(tree, block), _language(tree, block))
        after = tree.ends[block]


def _codes(tree: KeptTree, block: int) -> list[int]:
    """Return the elements `code` in a block."""
    places = tree.places.get("code", [])
    first = bisect_right(places, block)
    is_none = first == len(places) or places[first] >= tree.ends[block]
    return [] if is_none else tree.inside(block, ("code",))


def _blocks_apart(tree: KeptTree, block: int, inner: list[int]) -> list[int]:
    """Return the elements `code` of a block if each of them is a block of its own.

    They have all text of the block. They are its lines if they are many, or if each has one line
    and a line break is between them. In boxes of their own they are lines unless each names
    another language.
    """
    children = list(tree.children(block))
    codes = [child for child in children if tree.tags[child] == "code"]
    if len(codes) < 2:
        return [] if codes else _boxes_apart(tree, block, children, inner)
    between = "".join(tree.text(child) for child in children if tree.tags[child] != "code")
    if between.strip():
        return []
    if any(not _LINE_CLASSES.isdisjoint(_classes(tree, code)) for code in codes):
        return []
    if all("\n" in tree.text(code).strip() for code in codes):
        return codes
    has_breaks = "\n" in between or any(tree.tags[child] == "br" for child in children)
    return codes if len(codes) <= _MOST_APART and not has_breaks else []


def _boxes_apart(tree: KeptTree, block: int, children: list[int], codes: list[int]) -> list[int]:
    """Return the elements `code` of boxes in a block, as of tabs, if all languages differ."""
    boxes = [child for child in children if tree.tags[child]]
    if len(codes) != len(boxes) or [*map(tree.parents.__getitem__, codes)] != boxes:
        return []
    inner, whole = "".join(map(tree.text, codes)), tree.text(block)
    if "".join(inner.split()) != "".join(whole.split()):
        return []
    languages = {_named_language(tree, code) for code in codes}
    return codes if len(languages) == len(codes) and "" not in languages else []


def _join_lines(tree: KeptTree) -> None:
    """Replace a box of lines, each a `div` that holds elements `code`, by a block."""
    seen: set[int] = set()
    for code in tree.places["code"]:
        line = tree.parents[code]
        box = tree.parents[line] if line >= 0 and tree.tags[line] == "div" else -1
        if box < 0 or box in seen:
            continue
        seen.add(box)
        names = [
            _MARKS[tree.attr(child, "class")] if tree.tags[child] == "div" else 0
            for child in tree.children(box)
            if not _is_space(tree, child)
        ]
        if all(name & _NAMES_LINE for name in names) and not _is_in_code(tree, box):
            tree.replaced[box] = _block(_code_text(tree, box), _language_around(tree, box))


def _replace_code_of_lines(tree: KeptTree) -> None:
    """Replace an element `code` that stands apart and has several lines by a block.

    One line is enough if a class says that it is a block.
    """
    replaced = tree.replaced
    seen: set[int] = set()  # parents with text: a second element in one does not have all of it
    for code in tree.places["code"]:
        if code in replaced or tree.parents[code] in replaced:
            continue
        text = tree.text(code)
        lines = text.strip().count("\n") if "\n" in text else 0
        if tree.ends[code] > code + 2:
            lines = max(lines, tree.tags[code + 1 : tree.ends[code]].count("br"))
        names = tree.attr(code, "class")
        if lines == 0 and not names:  # true of most
            continue
        classes = names.split() if names else []
        is_one_line = lines == 0 and not _ONE_LINE.isdisjoint(classes)
        if (lines == 0 and not is_one_line) or _is_in_code(tree, code):
            continue
        is_named = not _BLOCK_CLASSES.isdisjoint(classes) or bool(_named_language(tree, code))
        if not is_named and lines < 2 and not _is_in_box(tree, code):
            continue
        is_apart = _is_between_blocks(tree, code) or (lines and _has_all_text(tree, code, seen))
        if is_apart or "bbc_code" in classes:
            text = textwrap.dedent(_code_text(tree, code)).lstrip("\n")
            tree.replaced[code] = _block(text, _language(tree, code))
            _open_definition(tree, code)


def _is_in_box(tree: KeptTree, code: int) -> bool:
    """Return whether a class calls the element around a code, or the next one, a block of code."""
    around = tree.parents[code]
    outer = tree.parents[around] if around >= 0 else -1
    return any(
        row >= 0 and not _CODE_BOXES.isdisjoint(_classes(tree, row)) for row in (around, outer)
    )


def _open_definition(tree: KeptTree, code: int) -> None:
    """Make a list of one term and its definition a `div` if the latter is a block of code.

    phpBB 3 writes its boxes of code so, with "Code:" as the term.
    """
    parent = tree.parents[code]
    box = tree.parents[parent] if parent >= 0 and tree.tags[parent] == "dd" else -1
    if box < 0 or tree.tags[box] != "dl":
        return
    items = [child for child in tree.children(box) if tree.tags[child]]
    if [tree.tags[child] for child in items] == ["dt", "dd"]:
        for row in (box, *items):
            tree.tags[row] = "div"


def _has_all_text(tree: KeptTree, code: int, seen: set[int]) -> bool:
    """Return whether an element has all text of its parent; `seen` are parents that had others."""
    parent = tree.parents[code]
    is_first = parent not in seen
    seen.add(parent)
    return parent < 0 or (is_first and tree.text(parent).strip() == tree.text(code).strip())


def _is_between_blocks(tree: KeptTree, code: int) -> bool:
    """Return whether the siblings of an element are blocks, on both sides or beside an end."""
    before, after = tree.previous(code), tree.ends[code]
    parent = tree.parents[code]
    stop = tree.ends[parent] if parent >= 0 else len(tree)
    while before > parent and _is_space(tree, before):
        before = tree.previous(before)
    while after < stop and _is_space(tree, after):
        after = tree.ends[after]
    siblings = [before] if before > parent else []
    siblings += [after] if after < stop else []
    return bool(siblings) and all(tree.tags[sibling] in _SIBLINGS for sibling in siblings)


def _is_space(tree: KeptTree, index: int) -> bool:
    return not tree.tags[index] and not tree.texts[index].strip()


def _replace_boxes(tree: KeptTree) -> None:
    """Replace a `div` that a class calls a block of code, and that has lines of text only.

    If the class only says that it is code, a line must begin with no-break spaces.
    """
    named = [(index, classes) for index, classes in tree.classes() if "code" in classes]
    boxes = set(tree.places["div"]) if named else set()
    for box, classes in named:
        if box not in boxes or box in tree.replaced:
            continue
        is_block = not _CODE_BOXES.isdisjoint(classes.split())
        if not is_block and not (CODE_CLASS.search(classes) and "\n\xa0" in _spaced(tree, box)):
            continue
        inner = range(box + 1, tree.ends[box])
        if any(tree.tags[row] not in _IN_LINES or row in tree.replaced for row in inner):
            continue
        text = textwrap.dedent(_code_text(tree, box)).lstrip("\n")
        if "\n" in text and not _is_in_code(tree, box):
            tree.replaced[box] = _block(text, _language(tree, box))


def _spaced(tree: KeptTree, box: int) -> str:
    """Return the text of an element with a line end for each line break and the space after it."""
    rows = range(box + 1, tree.ends[box])
    text = "".join("\n" if tree.tags[row] == "br" else tree.texts[row] for row in rows)
    return _LINE_START.sub("\n", text)


_LINE_START = re.compile(r"\n[ \r\n\t]*")


def _is_in_code(tree: KeptTree, index: int) -> bool:
    above = tree.parents[index]
    while above >= 0 and tree.tags[above] not in CODE_TAGS and above not in tree.replaced:
        above = tree.parents[above]
    return above >= 0


def _block(text: str, language: str) -> Element | None:
    """Return a block of code, None if it is empty."""
    if not text.strip():
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    attributes = {"class": f"language-{language}"} if language else None
    return Element("pre", None, [Element("code", attributes, [Text(text)])])


def _code_text(tree: KeptTree, block: int) -> str:
    """Return the lines of a block: breaks and line elements end a line, gutters are left out."""
    if COMPILED and tree.tags[block] in CODE_TAGS:
        found = _kept.plain_code(
            tree.tags, tree.texts, tree.nodes, tree.replaced, block + 1, tree.ends[block],
            _LINE_TAGS, _MARKS,
        )  # fmt: skip
        if found is not None:
            return found.rstrip("\n\r \t")
    return _lines_of_code(tree, block)


def _lines_of_code(tree: KeptTree, block: int) -> str:
    """Return what `_code_text` does, whatever is in the block."""
    parts: list[str] = []  # none is empty
    line_ends: list[int] = []  # of the open line elements; negative for those of whole lines
    index, stop, replaced = block + 1, tree.ends[block], tree.replaced
    is_block = tree.tags[block] in CODE_TAGS  # else white space was added between texts
    has_breaks = not is_block and "br" in tree.tags[block:stop]  # and spaces may be no-break spaces
    while True:
        while line_ends and abs(line_ends[-1]) == index:
            if line_ends.pop() < 0:
                parts.append("\n")
            else:
                _end_line(parts)
        if index >= stop:
            whole = "".join(parts)
            return (whole.replace("\xa0", " ") if has_breaks else whole).rstrip("\n\r \t")
        tag = tree.tags[index]
        is_text = not tag or index in replaced
        marks = 0 if is_text else _MARKS[tree.attr(index, "class")]
        if is_text or (marks & _NAMES_GUTTER and _holds_numbers(tree, index)):
            is_own = not tag and not (replaced and index in replaced)
            text = tree.texts[index] if is_own else tree.text(index) if is_text else ""
            if has_breaks and tree.tags[index - 1] == "br":
                text = text.removeprefix("\r").removeprefix("\n")
            _add_text(parts, text, is_block)
            index = tree.ends[index]
            continue
        if tag == "br":
            parts.append("\n")
        elif tag in _LINE_TAGS or marks & _NAMES_LINE:
            _end_line(parts)
            line_ends += [tree.ends[index]] if tag in _LINE_TAGS else []
        elif marks & _NAMES_WHOLE_LINE:
            _end_line(parts)
            line_ends.append(-tree.ends[index])
        index += 1


def _add_text(parts: list[str], text: str, is_block: bool) -> None:
    """Append a text that is not empty; outside of blocks, two spaces are that between two texts."""
    if not is_block and text[:1] == " " and parts[-1:] == [" "]:
        text = text[1:]
    if text:
        parts.append(text)


def _end_line(parts: list[str]) -> None:
    """End the line that the last of the parts is in, if it has any text."""
    if parts and not parts[-1].endswith("\n"):
        parts.append("\n")


def _classes(tree: KeptTree, index: int) -> list[str]:
    return (tree.attr(index, "class") or "").split()


_NAMES_GUTTER, _NAMES_LINE, _NAMES_WHOLE_LINE = 1, 2, 4  # bits of a class


def _read_class(name: str | None) -> int:
    """Return the bits of what a class names."""
    classes = (name or "").split()
    marks = 0 if GUTTER.isdisjoint(classes) else _NAMES_GUTTER
    marks |= 0 if _LINE_CLASSES.isdisjoint(classes) else _NAMES_LINE
    return marks | (_NAMES_WHOLE_LINE if _WHOLE_LINE in classes else 0)


_MARKS = NameCache(_read_class, 100)  # highlighted code has few classes, in many elements


def _is_gutter(tree: KeptTree, index: int) -> bool:
    """Return whether an element holds line numbers and nothing else, and a class says so."""
    marks: int = _MARKS[tree.attr(index, "class")]
    return bool(marks & _NAMES_GUTTER) and _holds_numbers(tree, index)


def _holds_numbers(tree: KeptTree, index: int) -> bool:
    return _NUMBERS.fullmatch(tree.text(index)) is not None


def _language(tree: KeptTree, block: int) -> str:
    """Return the language that the code, the block, or an element around the block names."""
    codes = _codes(tree, block)
    named = _named_language(tree, codes[0]) if codes else ""
    return named or _named_language(tree, block) or _language_around(tree, block)


def _language_around(tree: KeptTree, block: int) -> str:
    """Return the language that an element around the block names."""
    wrapper = tree.parents[block]
    for _ in range(_MAX_WRAPPERS):
        while wrapper >= 0 and tree.tags[wrapper] in ("td", "tr", "tbody"):
            wrapper = tree.parents[wrapper]
        if wrapper < 0 or tree.tags[wrapper] in ("body", "article", "main", "li"):
            break
        language = _named_language(tree, wrapper)
        if language:
            return language
        wrapper = tree.parents[wrapper]
    return ""


class _ClassLanguages(NamedTuple):
    """Names in a class that may be those of languages."""

    brush: list[str]
    prefixed: list[str]
    others: list[str]  # that count less than those in attributes
    alone: list[str]  # of code: the first class, if others only add to its name


def _read_languages(stated: str | None) -> _ClassLanguages:
    classes = (stated or "").split()
    brush = _brush(stated) if stated else []
    prefixed = [match[1] for match in map(_PREFIXED.fullmatch, classes) if match]
    others = [*classes] if "literal-block" in classes else []
    if len(classes) > 1 and classes[0] in _BEFORE_LANGUAGE:
        others += classes[1:3]  # "syntaxhighlighter nogutter java"
    first = classes[0] if classes else ""
    is_alone = first.lower() in _USUAL_LANGUAGES
    is_alone &= all(name.startswith(f"{first}-") for name in classes[1:])  # as those of rustdoc
    return _ClassLanguages(brush, prefixed, others, [first] if is_alone else [])


_LANGUAGES_OF = NameCache(_read_languages, 100)  # blocks of a page have few classes


def _brush(stated: str) -> list[str]:
    found = _BRUSH.search(stated) if "brush:" in stated else None
    return [found[1]] if found else []


def _named_language(tree: KeptTree, index: int) -> str:
    """Return the language that one element names, "" if none."""
    stated = tree.attributes(index, _LANGUAGE_ATTRIBUTES)
    if not any(stated):
        return ""
    classes, settings, language, *own = stated
    given: _ClassLanguages = _LANGUAGES_OF[classes]
    names = [*(_brush(settings) if settings else given.brush), *given.prefixed]
    names += [name or "" for name in own]
    names += given.others
    names += given.alone if tree.tags[index] in ("code", "pre") else []
    usual = (language or "").lower()  # else a language of people
    names += [usual] if usual in _USUAL_LANGUAGES else []
    return next(filter(_is_language, map(str.lower, filter(None, names))), "")


def _is_language(name: str) -> bool:
    """Return whether a name is that of a language of code, and not some class of the page."""
    return name in _languages()


@cache
def _languages() -> frozenset[str]:
    """Return the names of all known languages, in lower case."""
    from pygments.lexers import get_all_lexers  # takes a while, and few pages need it

    known = (alias.lower() for lexer in get_all_lexers() for alias in lexer[1])
    return frozenset(chain(known, _MORE_LANGUAGES)) - _NOT_LANGUAGES


def _drop_gutter_cells(tree: KeptTree) -> None:
    """Leave out the cells of line numbers before a cell of code."""
    seen: dict[int, int] = {}  # of each row of a table: the first cell that was not looked at
    for block in tree.places.get("pre", []):
        cell = next((above for above in tree.ancestors(block) if tree.tags[above] == "td"), None)
        if cell is None:
            continue
        row = tree.parents[cell]
        at = seen.get(row, row + 1)
        while at < cell:
            if tree.tags[at] and _is_number_column(tree, at):
                tree.replaced[at] = None
            at = tree.ends[at]
        seen[row] = at


def _is_number_column(tree: KeptTree, cell: int) -> bool:
    """Return whether a cell holds only line numbers: a class says so, or they are consecutive."""
    text = tree.text(cell)
    if _NUMBERS.fullmatch(text) is None:
        return False
    inner = chain([cell], tree.inside(cell, ("div", "pre")))
    if any(not GUTTER.isdisjoint(_classes(tree, element)) for element in inner):
        return True
    numbers = [int(number) for number in text.split() if len(number) < 9]
    return len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _unwrap_tables(tree: KeptTree) -> None:
    """Replace a table that holds nothing but one block by this block."""
    seen: set[int] = set()  # tables with text: a second block in one does not have all of it
    for block in tree.places.get("pre", []):
        text = tree.text(block).strip()
        if not text or block in tree.replaced or _is_in_code(tree, block):
            continue
        around = tree.ancestors(block)
        table = next((above for above in around if tree.tags[above] == "table"), None)
        if table is None or table in seen:
            continue
        seen.add(table)
        if tree.text(table).strip() == text:
            language = _language(tree, block) or _language_around(tree, table)
            tree.replaced[table] = _block(_code_text(tree, block), language)


def _join_numbered_rows(tree: KeptTree) -> None:
    """Replace a table with one numbered row per line of code by one block."""
    end = 0  # of the last table that was replaced: those within it have no lines of their own
    for table, cell in _first_cells(tree):
        if table < end or not _is_numbered(tree, cell):
            continue
        if table not in tree.replaced and not _is_in_code(tree, table):
            lines = (_line_of_row(tree, row) for row in _outermost(tree, table, "tr"))
            text = "\n".join(lines).lstrip("\n").rstrip("\n\r \t")
            tree.replaced[table] = _block(text, _language_around(tree, table))
            end = tree.ends[table]


def _outermost(tree: KeptTree, index: int, tag: str) -> Iterator[int]:
    """Yield the elements of a name in an element, without those within another one."""
    end = 0
    for at in tree.inside(index, (tag,)):
        if at >= end:
            end = tree.ends[at]
            yield at


def _line_of_row(tree: KeptTree, row: int) -> str:
    """Return the text of the cells of a row, without that of the line's number."""
    cells = (cell for cell in _outermost(tree, row, "td") if not _is_numbered(tree, cell))
    return "".join(_code_text(tree, cell) for cell in cells)


def _first_cells(tree: KeptTree) -> list[tuple[int, int]]:
    """Return each table that has cells, with its first cell."""
    found: list[tuple[int, int]] = []
    seen = -1  # the last table
    for cell in tree.places["td"]:
        above = tree.parents[cell]
        while above > seen and tree.tags[above] != "table":
            above = tree.parents[above]
        if above > seen:
            seen = above
            found.append((above, cell))
    return found


def _is_numbered(tree: KeptTree, cell: int) -> bool:
    """Return whether a cell holds the number of a line."""
    if tree.attr(cell, "data-line-number"):
        return True
    return _is_gutter(tree, cell)


use_compiled(globals(), "normalise_code")
