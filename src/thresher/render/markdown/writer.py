"""GitHub Markdown from the normal form.

Blocks are separated by a blank line, items of a tight list are not. A list is tight when its items
hold only lines and lists. Footnotes come at the end, in the order of their references. Definitions
are written `Term` and `: definition`; the summary of `details` is a bold line before its content.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from thresher.render.code import code_language
from thresher.render.compiled import use_compiled
from thresher.render.footnotes import note_label
from thresher.render.markdown.lines import LineWriter
from thresher.render.markdown.tables import table_lines
from thresher.render.normal_form import HEADINGS, is_inline, lines_and_blocks, numbered_items
from thresher.render.tree import Element, Node

_BACKTICKS = re.compile(r"^\s*(`{3,})", re.MULTILINE)
_CLOSING_HASHES = re.compile(r"(^|\s)(#+)$")
_LARGEST = 999_999_999  # CommonMark's longest number


def markdown(body: Element) -> str:
    """Return the Markdown of a tree in the normal form."""
    writer = _Writer()
    writer.write_blocks(body)
    writer.write_footnotes()
    return "\n".join(writer.lines)


class _Prefix:
    """The start of the lines of a container: `first` once, then `rest`."""

    __slots__ = ("first", "rest", "used")

    def __init__(self, first: str, rest: str) -> None:
        self.first = first
        self.rest = rest
        self.used = False


class _Task:
    """A block or a line that is still to be written."""

    __slots__ = ("blank_line", "bullet", "node")

    def __init__(
        self, node: Element | list[Node], blank_line: bool | None, bullet: str = "-"
    ) -> None:
        self.node = node
        self.blank_line = blank_line  # whether one comes before; None: as decided for its container
        self.bullet = bullet


_Step: TypeAlias = _Task | Callable[[], object]  # a call begins or ends a container


class _Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.prefixes: list[_Prefix] = []
        self.blank_line = False
        self.references: list[str] = []  # labels of footnotes, in order
        self.line = LineWriter(self.references)
        self.bold_line = LineWriter(self.references, bold=True)
        self.one_line = LineWriter(self.references, line_break=" ")
        self.cell = LineWriter(self.references, line_break="<br>", in_cell=True)
        self._special_lines = {"summary": self.bold_line, "dt": self.one_line}
        self.notes: dict[str, Element] = {}  # footnotes by label

    def write_blocks(self, body: Element) -> None:
        """Write the content of an element, without recursion."""
        stack: list[_Step] = [*reversed(self._tasks(body, tight=False))]
        while stack:
            step = stack.pop()
            if not isinstance(step, _Task):
                step()
                continue
            if step.blank_line is not None:
                self.blank_line = step.blank_line
            if isinstance(step.node, list):
                self._put_line(self.line, step.node)
            else:
                stack.extend(reversed(self._block(step.node, step.bullet)))

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
            self.write_blocks(note)
            self.prefixes.pop()

    # --- blocks ---------------------------------------------------------------------------------

    def _tasks(self, container: Element, *, tight: bool) -> list[_Task]:
        """Return the lines and blocks of a container; its footnotes are kept for the end."""
        tasks: list[_Task] = []
        bullet = ""
        for piece in lines_and_blocks(container):
            if isinstance(piece, list):
                tasks.append(_Task(piece, not tight if tasks else None))
            elif piece.tag == "aside":
                self._keep_note(piece)
            elif not self._keep_list_of_notes(piece):
                # Two lists in a row need two bullets, or they would be read as one.
                is_list = piece.tag in ("ul", "ol")
                bullet = "*" if is_list and bullet == "-" else "-"
                tasks.append(_Task(piece, not tight if tasks else None, bullet))
                bullet = bullet if is_list else ""
        return tasks

    def _block(self, node: Element, bullet: str) -> list[_Step]:
        """Write a block, or return the steps that do."""
        tag = node.tag
        if tag in ("p", "figcaption", "summary", "dt"):
            writer = self.line if tag == "p" else self._special_lines.get(tag, self.line)
            self._put_line(writer, node.children)
        elif tag in HEADINGS:
            text = self.one_line.write(node.children)
            if text.endswith("#"):
                text = _CLOSING_HASHES.sub(r"\1\\\2", text)
            self._put([f"{'#' * int(tag[1])} {text}"])
        elif tag == "hr":
            self._put(["***" if self.prefixes and not self.prefixes[-1].used else "---"])
        elif tag == "pre":
            self._put(_fenced(node))
        elif tag == "table":
            self._table(node)
        elif tag in ("ul", "ol"):
            return self._list(node, bullet)
        elif tag == "dl":
            return self._definitions(node)
        elif tag == "blockquote":
            return self._within(_Prefix("> ", "> "), self._tasks(node, tight=False))
        else:
            return [*self._tasks(node, tight=False)]
        return []

    def _within(self, prefix: _Prefix, tasks: list[_Task]) -> list[_Step]:
        """Return the steps of a container whose lines begin with `prefix`."""
        return [lambda: self.prefixes.append(prefix), *tasks, self.prefixes.pop]

    def _list(self, node: Element, bullet: str) -> list[_Step]:
        tight = all(
            _fits_tight(block)
            for item in node.children
            if isinstance(item, Element)
            for block in item.children
        )
        steps: list[_Step] = []
        for item, number in numbered_items(node):
            tasks = self._tasks(item, tight=tight)
            if _holds_only_notes(item):
                continue
            marker = _marker(node.tag, number, bullet)
            width = len(marker) if 0 <= number <= _LARGEST else 2
            tasks = tasks or [_Task([], None)]
            if steps:
                tasks[0].blank_line = not tight
            steps += self._within(_Prefix(marker, " " * width), tasks)
        return steps

    def _definitions(self, node: Element) -> list[_Step]:
        # Definitions of definitions are not indented further: four spaces would make them code.
        nested = bool(self.prefixes) and self.prefixes[-1].first == ": "
        steps: list[_Step] = []
        before = ""
        for child in node.children:
            if not isinstance(child, Element):
                continue
            after_term, before = before == "dt", child.tag
            if child.tag == "dt":
                steps.append(_Task(child, not after_term if steps else None))
                continue
            tasks = self._tasks(child, tight=False)
            if tasks and isinstance(tasks[0].node, Element) and tasks[0].node.tag != "p":
                # Readers that do not know definitions would not see a block behind the colon.
                tasks[0].blank_line = True
                tasks.insert(0, _Task([], None))
            if tasks and steps:
                tasks[0].blank_line = False
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

    def _put_line(self, writer: LineWriter, nodes: Sequence[Node]) -> None:
        self._put(writer.write(nodes).split("\n"))

    def _put(self, lines: list[str]) -> None:
        """Append lines with their prefixes, after a blank line if there has to be one."""
        if self.blank_line and self.lines:
            self.lines.append("".join(p.rest for p in self.prefixes if p.used).rstrip())
        self.blank_line = False
        if not self.prefixes:
            self.lines += lines
            return
        for line in lines:
            prefix = "".join(p.rest if p.used else p.first for p in self.prefixes)
            for part in self.prefixes:
                part.used = True
            self.lines.append(prefix + line if line else prefix.rstrip())

    # --- footnotes ------------------------------------------------------------------------------

    def _keep_note(self, note: Element) -> None:
        self.notes[note_label(note)] = note

    def _keep_list_of_notes(self, node: Element) -> bool:
        """Keep the notes of a list that holds nothing else; return whether it is one."""
        items = node.children if node.tag in ("ul", "ol") else []
        if not items or not all(map(_holds_only_notes, items)):
            return False
        for item in items:
            for note in item.children if isinstance(item, Element) else []:
                if isinstance(note, Element):
                    self._keep_note(note)
        return True


def _holds_only_notes(item: Node) -> bool:
    """Return whether a list item holds footnotes and nothing else."""
    if not isinstance(item, Element) or not item.children:
        return False
    return all(isinstance(child, Element) and child.tag == "aside" for child in item.children)


def _fits_tight(node: Node) -> bool:
    """Return whether a tight item may hold a node.

    Without a blank line before it, Markdown reads an ordered list only if it starts at 1.
    """
    if not isinstance(node, Element) or is_inline(node) or node.tag in ("ul", "aside"):
        return True
    return node.tag == "ol" and node.attr("start") is None


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
    longest = max(map(len, _BACKTICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{code_language(block)}", *text.split("\n"), fence]


use_compiled(globals(), "markdown")
