"""GitHub Markdown from the normal form.

Blocks are separated by a blank line, items of a tight list are not. A list is tight when its items
hold only lines and lists. Footnotes come at the end, in the order of their references. Definitions
are written `Term` and `: definition`; terms without definitions, and definitions without terms, are
paragraphs. The summary of `details` is a bold line before its content.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from thresher.page.addresses import is_safe
from thresher.render.code import code_language
from thresher.render.compiled import use_compiled
from thresher.render.footnotes import note_label
from thresher.render.markdown.lines import LineWriter
from thresher.render.markdown.tables import table_lines
from thresher.render.normal_form import (
    HEADINGS,
    INLINE,
    are_inline,
    is_inline,
    lines_and_blocks,
    numbered_items,
)
from thresher.render.scan import has_controls
from thresher.render.tree import Element, Node, Text

_BACKTICKS = re.compile(r"`{3,}")
# Renderers end a line at a CR, and some at these, as `str.splitlines` does.
_LINE_ENDS = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Some renderers drop control characters, and would read a tag in what was around one.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x85\u2028\u2029]")
# The first line of a note that renderers without notes read as the address of its references.
_ADDRESS_OF_NOTE = re.compile(r"\[\^[^\]]*\]: *([^\s:/?#]*:)\S*\s*(?:$|[\"'(])")
_WIDEST = 48  # characters of quote marks and indentation; what is nested deeper is flattened
_CLOSING_HASHES = re.compile(r"(^|\s)(#+)$")
_HASHES = {f"h{level}": "#" * level for level in range(1, 7)}
_LARGEST = 999_999_999  # CommonMark's longest number


def markdown(body: Element) -> str:
    """Return the Markdown of a tree in the normal form."""
    writer = _Writer()
    writer.write_blocks(body)
    writer.write_footnotes()
    text = "\n".join(writer.lines)
    return _CONTROLS.sub(" ", text) if has_controls(text) else text


class _Prefix:
    """The start of the lines of a container: `first` once, then `rest`."""

    __slots__ = ("first", "rest", "used")

    def __init__(self, first: str, rest: str) -> None:
        self.first = first
        self.rest = rest
        self.used = False


# What is still to be written, in order: a block or a line, whether a blank line comes before it
# (None: as decided for its container), and the bullet if it is a list; or a prefix, which begins a
# container, or None, which ends it.
_Steps: TypeAlias = list[Any]


class _Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.prefixes: list[_Prefix] = []
        self.blank_line = False
        self.references: list[str] = []  # labels of footnotes, in order
        self.line = LineWriter(self.references)
        self.bold_line = LineWriter(self.references, bold=True)
        self.one_line = LineWriter(self.references, line_break=" ")
        self.heading = LineWriter(self.references, line_break=" ", starts_block=False)
        self.cell = LineWriter(self.references, line_break="<br>", in_cell=True, starts_block=False)
        self._special_lines = {"summary": self.bold_line, "dt": self.one_line}
        self.notes: dict[str, Element] = {}  # footnotes by label

    def write_blocks(self, body: Element) -> None:
        """Write the content of an element, without recursion."""
        stack = self._tasks(body, False)[::-1]
        while stack:
            step = stack.pop()
            if step is None:
                self.prefixes.pop()
                continue
            if isinstance(step, _Prefix):
                self._open(step)
                continue
            blank_line, bullet = stack.pop(), stack.pop()
            if blank_line is not None:
                self.blank_line = blank_line
            if isinstance(step, list):
                self._put_line(self.line, step)
                continue
            steps = self._block(step, bullet)
            if steps:
                stack += steps[::-1]

    def write_footnotes(self) -> None:
        """Write the footnotes, in the order in which the text refers to them."""
        for label in self.references:  # grows meanwhile: a note may refer to another
            self._write_footnote(label)
        for label in [*self.notes]:
            self._write_footnote(label)

    def _write_footnote(self, label: str) -> None:
        note = self.notes.pop(label, None)
        if note is not None:
            self.blank_line = True
            self.prefixes.append(_Prefix(f"[^{label}]: ", "    "))
            first = note.children[0] if note.children else None
            if isinstance(first, Element) and first.tag != "p" and not is_inline(first):
                # Readers that do not know footnotes would not see a block behind the label.
                self._put([""])
                self.blank_line = True
            before = len(self.lines)
            self.write_blocks(note)
            self.prefixes.pop()
            self._hide_address(before, label)

    def _hide_address(self, begin: int, label: str) -> None:
        """Move the text of a note to a line of its own if it is an address that may run code."""
        for at in range(begin, min(begin + 2, len(self.lines))):  # a blank line may come first
            found = _ADDRESS_OF_NOTE.match(self.lines[at])
            if found is not None and not is_safe(found[1]):
                text = self.lines[at].removeprefix(f"[^{label}]: ")
                self.lines[at : at + 1] = [f"[^{label}]:", "", f"    {text}"]
                break

    # --- blocks ---------------------------------------------------------------------------------

    def _tasks(self, container: Element, tight: bool) -> _Steps:
        """Return the lines and blocks of a container; its footnotes are kept for the end."""
        if are_inline(container.children):  # true of most items
            return [container.children, None, "-"] if container.children else []
        tasks: _Steps = []
        bullet = ""
        for piece in _without_outer_rules(lines_and_blocks(container)):
            if isinstance(piece, list):
                tasks += (piece, not tight if tasks else None, "-")
                continue
            block = piece
            is_list = block.tag in ("ul", "ol")
            if block.tag == "aside":
                self._keep_note(block)
            elif not is_list or not self._keep_list_of_notes(block):
                # Two lists in a row need two bullets, or they would be read as one.
                bullet = "*" if is_list and bullet == "-" else "-"
                tasks += (block, not tight if tasks else None, bullet)
                bullet = bullet if is_list else ""
        return tasks

    def _block(self, node: Element, bullet: str) -> _Steps | None:
        """Write a block, or return the steps that do."""
        tag = node.tag
        if tag in ("p", "figcaption", "summary", "dt"):
            writer = self.line if tag == "p" else self._special_lines.get(tag, self.line)
            self._put_line(writer, node.children)
        elif tag in HEADINGS:
            text = self.heading.write(_heading_content(node))
            if text.endswith("#"):
                text = _CLOSING_HASHES.sub(r"\1\\\2", text)
            is_image = text.startswith(("![](", "[![](")) and not node.text.strip()
            self._put([text if is_image else f"{_HASHES[tag]} {text}"])
        elif tag == "hr":
            self._put(["***" if self.prefixes and not self.prefixes[-1].used else "---"])
        elif tag == "pre":
            lines = _fenced(node)
            self._put(lines if self.prefixes else ["\n".join(lines)])
        elif tag == "table":
            self._table(node)
        elif tag in ("ul", "ol"):
            return self._list(node, bullet)
        elif tag == "dl":
            return self._definitions(node)
        elif tag == "blockquote":
            return self._within(_Prefix("> ", "> "), self._tasks(node, False))
        else:
            return self._tasks(node, False)
        return None

    def _within(self, prefix: _Prefix, tasks: _Steps) -> _Steps:
        """Return the steps of a container whose lines begin with `prefix`."""
        return [prefix, *tasks, None]

    def _open(self, prefix: _Prefix) -> None:
        """Begin the lines with a prefix, if there is room for it beside those of the others."""
        if sum([len(part.rest) for part in self.prefixes], len(prefix.rest)) > _WIDEST:
            prefix.first = prefix.rest = ""
        self.prefixes.append(prefix)

    def _list(self, node: Element, bullet: str) -> _Steps:
        items = _opened_items(node)
        tight = _is_tight(items)
        steps: _Steps = []
        for item, number in items:
            tasks = self._tasks(item, tight)
            if _holds_only_notes(item):
                continue
            marker = _marker(node.tag, number, bullet)
            width = len(marker) if 0 <= number <= _LARGEST else 2
            tasks = tasks or [[], None, "-"]
            if len(tasks) > 3 and _is_paragraph(tasks[0]) and _is_paragraph(tasks[3]):
                box = next(iter(tasks[0].children), None)
                if isinstance(box, Element) and box.tag == "input" and not tasks[0].text.strip():
                    tasks[:6] = [[box, Text(" "), *tasks[3].children], *tasks[1:3]]
            if steps:
                tasks[1] = not tight
            steps += self._within(_Prefix(marker, " " * width), tasks)
        return steps

    def _definitions(self, node: Element) -> _Steps:
        # Definitions of definitions are not indented further: four spaces would make them code.
        nested = bool(self.prefixes) and self.prefixes[-1].first == ": "
        steps: _Steps = []
        before = ""
        children = [child for child in node.children if isinstance(child, Element)]
        tags = [child.tag for child in children]
        last = len(tags) - 1 - tags[::-1].index("dd") if "dd" in tags else -1
        first = tags.index("dt") if "dt" in tags else len(tags)
        for index, child in enumerate(children):
            after_term, before = before == "dt" and index < last, child.tag
            if child.tag == "dt":
                steps += (child, not after_term if steps else None, "-")
                continue
            tasks = self._tasks(child, False)
            if index < first:
                if tasks and steps:
                    tasks[1] = True
                steps += tasks
                continue
            begins_with_block = bool(
                tasks and isinstance(tasks[0], Element) and tasks[0].tag != "p"
            )
            if begins_with_block and nested and steps:  # what is not indented needs no colon
                tasks[1] = True
                steps += tasks
                continue
            if begins_with_block:
                # Readers that do not know definitions would not see a block behind the colon.
                tasks[1] = True
                tasks[:0] = [[], None, "-"]
            if tasks and steps:
                tasks[1] = False
            steps += self._within(_Prefix(": ", "" if nested else "  "), tasks)
        return steps

    def _table(self, node: Element) -> None:
        for caption in node.children:
            if isinstance(caption, Element) and caption.tag == "caption":
                self._put_line(self.line, caption.children)
                self.blank_line = True
        lines = table_lines(node, self.cell, self._keep_note)
        if lines:
            self._put(lines)

    # --- lines ----------------------------------------------------------------------------------

    def _put_line(self, writer: LineWriter, nodes: list[Node]) -> None:
        text = writer.write(nodes)
        self._put(text.split("\n") if "\n" in text else [text])

    def _put(self, lines: list[str]) -> None:
        """Append lines with their prefixes, after a blank line if there has to be one."""
        prefix = ""
        if self.blank_line and self.lines:
            for part in self.prefixes:
                prefix += part.rest if part.used else ""
            self.lines.append(prefix.rstrip())
        self.blank_line = False
        if not self.prefixes:
            self.lines += lines
            return
        for line in lines:
            prefix = ""
            for part in self.prefixes:
                prefix += part.rest if part.used else part.first
                part.used = True
            self.lines.append(prefix + line if line else prefix.rstrip())

    # --- footnotes ------------------------------------------------------------------------------

    def _keep_note(self, note: Element) -> None:
        self.notes[note_label(note)] = note

    def _keep_list_of_notes(self, node: Element) -> bool:
        """Keep the notes of a list that holds nothing else; return whether it is one."""
        items = node.children
        if not items:
            return False
        for item in items:
            if not _holds_only_notes(item):
                return False
        for item in items:
            for note in item.children if isinstance(item, Element) else []:
                if isinstance(note, Element):
                    self._keep_note(note)
        return True


def _heading_content(heading: Element) -> list[Node]:
    """Return the content of a heading without emphasis or a link to a place around all of it.

    Its number may be in a link of its own.
    """
    node = heading
    while len(node.children) == 1 and isinstance(child := node.children[0], Element):
        if not _leads_to_place(child) and child.tag not in ("strong", "em"):
            break
        node = child
    found: list[Node] = []
    for part in node.children:
        if isinstance(part, Element):
            if not _leads_to_place(part):
                return node.children
            found += part.children
        elif part.data.strip():
            return node.children
        else:
            found.append(part)
    return found


def _leads_to_place(node: Element) -> bool:
    return node.tag == "a" and "#" in (node.attr("href") or "")


def _without_outer_rules(pieces: list[list[Node] | Element]) -> list[list[Node] | Element]:
    """Return lines and blocks without rules at their begin and end, and each rule once."""
    for piece in pieces:
        if isinstance(piece, Element):
            block = piece
            if block.tag == "hr":
                break
    else:
        return pieces
    kept: list[list[Node] | Element] = []
    for piece in pieces:
        is_rule = isinstance(piece, Element) and piece.tag == "hr"
        before = kept[-1] if kept else None
        if not is_rule or (before is not None and getattr(before, "tag", "") != "hr"):
            kept.append(piece)
    if kept and getattr(kept[-1], "tag", "") == "hr":
        kept.pop()
    return kept


def _opened_items(list_: Element) -> list[tuple[Element, int]]:
    """Return the items of a list with their numbers; of an item that is only a list, its items."""
    items = numbered_items(list_)
    if list_.tag != "ul" or not any([_is_list(item) for item, _ in items]):  # noqa: C419
        return items
    found: list[tuple[Element, int]] = []
    waiting = items[::-1]
    while waiting:
        item, number = waiting.pop()
        if _is_list(item):
            inner = item.children[0]
            assert isinstance(inner, Element)
            waiting += numbered_items(inner)[::-1]
        else:
            found.append((item, number))
    return found


def _is_list(item: Element) -> bool:
    """Return whether an item is only a list with bullets."""
    if len(item.children) != 1:
        return False
    inner = item.children[0]
    if not isinstance(inner, Element):
        return False
    block = inner
    return block.tag == "ul"


def _holds_only_notes(item: Node) -> bool:
    """Return whether a list item holds footnotes and nothing else."""
    if not isinstance(item, Element):
        return False
    holder = item
    for child in holder.children:
        if not isinstance(child, Element):
            return False
        block = child
        if block.tag != "aside":
            return False
    return bool(holder.children)


def _is_tight(items: list[tuple[Element, int]]) -> bool:
    """Return whether all items hold only what a tight item may hold."""
    for item, _ in items:
        for block in item.children:
            if not _fits_tight(block):
                return False
    return True


def _fits_tight(node: Node) -> bool:
    """Return whether a tight item may hold a node.

    Without a blank line before it, Markdown reads an ordered list only if it starts at 1.
    """
    if not isinstance(node, Element):
        return True
    block = node
    if block.tag in INLINE or block.tag in ("ul", "aside"):
        return True
    return block.tag == "ol" and block.attr("start") is None


def _is_paragraph(step: Any) -> bool:
    return isinstance(step, Element) and step.tag == "p"


def _marker(tag: str, number: int, bullet: str) -> str:
    """Return the marker of a list item; a number that Markdown cannot count becomes text."""
    if tag == "ul":
        return f"{bullet} "
    if 0 <= number <= _LARGEST:
        return f"{number}{')' if bullet == '*' else '.'} "
    return f"- {number}. "


def _fenced(block: Element) -> list[str]:
    """Return a block of code between fences that are longer than any within."""
    text = block.text
    longest = max(map(len, _BACKTICKS.findall(text))) if "```" in text else 2
    fence = "`" * (longest + 1)
    text = _LINE_ENDS.sub("\n", text) if has_controls(text) else text
    return [f"{fence}{code_language(block)}", *text.split("\n"), fence]


use_compiled(globals(), "markdown")
