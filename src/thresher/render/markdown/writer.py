"""GitHub Markdown from the normal form.

Blocks are separated by a blank line, items of a tight list are not. A list is tight when its items
hold lines and lists only. Footnotes stand at the end in the order of their references. Definitions
are written `Term` and `: definition`; the summary of `details` is a bold line before its content.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from turbohtml import Element, Node

from thresher.render.list_numbers import item_numbers
from thresher.render.markdown.lines import LineWriter
from thresher.render.markdown.tables import table_lines
from thresher.render.open_elements import HEADINGS, INLINE
from thresher.render.options import Include

_BACKTICKS = re.compile(r"^\s*(`{3,})", re.MULTILINE)
_LARGEST = 999_999_999  # CommonMark's longest number


def markdown(body: Element, *, include: Include = Include()) -> str:
    """The Markdown of a prepared tree."""
    writer = _Writer(include)
    writer.blocks(body)
    writer.footnotes()
    return "\n".join(writer.lines)


@dataclass(slots=True)
class _Prefix:
    """What stands before the lines of a container: once `first`, then `rest`."""

    first: str
    rest: str
    used: bool = False


@dataclass(frozen=True, slots=True)
class _Task:
    """A block or a line still to be written."""

    node: Element | list[Node]
    apart: bool | None  # a blank line before it; None: as decided for what it stands in
    bullet: str = "-"


class _Writer:
    def __init__(self, include: Include) -> None:
        self.lines: list[str] = []
        self.prefixes: list[_Prefix] = []
        self.apart = False
        self.line = LineWriter(include)
        references = self.line.references
        self.bold_line = LineWriter(include, bold=True, references=references)
        self.term = LineWriter(include, line_break=" ", references=references)
        self.cell = LineWriter(include, line_break="<br>", cell=True, references=references)
        self.notes: dict[str, Element] = {}

    def blocks(self, body: Element) -> None:
        """Write the content of an element without recursion; a call on the stack ends a block."""
        stack: list[_Task | Callable[[], object]] = [*reversed(self._tasks(body, tight=False))]
        while stack:
            task = stack.pop()
            if not isinstance(task, _Task):
                task()
                continue
            if task.apart is not None:
                self.apart = task.apart
            if isinstance(task.node, list):
                self._put(self.line.write(task.node).split("\n"))
            else:
                stack.extend(reversed(self._block(task.node, task)))

    def footnotes(self) -> None:
        """Write the notes, in the order in which the text refers to them."""
        for label in self.line.references:  # grows meanwhile: a note may refer to another
            self._note(label)
        for label in [*self.notes]:
            self._note(label)

    def _note(self, label: str) -> None:
        note = self.notes.pop(label, None)
        if note is not None:
            self.apart = True
            self.prefixes.append(_Prefix(f"[^{label}]: ", "    "))
            self.blocks(note)
            self.prefixes.pop()

    # Blocks

    def _tasks(self, container: Element, *, tight: bool) -> list[_Task]:
        """The lines and blocks of a container."""
        tasks: list[_Task] = []
        line: list[Node] = []
        bullet = ""
        for child in [*container.children, None]:
            if child is not None and (not isinstance(child, Element) or child.tag in INLINE):
                line.append(child)
                continue
            if line:
                tasks.append(_Task(line, not tight if tasks else None))
                line = []
            if child is None:
                break
            if child.tag == "aside":
                self._set_aside(child)
            elif not self._only_notes(child):
                # Two lists in a row need two signs, or they would be read as one.
                bullet = "*" if child.tag in ("ul", "ol") and bullet == "-" else "-"
                tasks.append(_Task(child, not tight if tasks else None, bullet))
                bullet = bullet if child.tag in ("ul", "ol") else ""
        return tasks

    def _block(self, node: Element, task: _Task) -> list[_Task | Callable[[], object]]:
        """Write a block, or return the tasks that do."""
        tag = node.tag
        if tag in ("p", "figcaption", "summary", "dt"):
            writer = {"summary": self.bold_line, "dt": self.term}.get(tag, self.line)
            self._put(writer.write(node.children).split("\n"))
        elif tag in HEADINGS:
            text = re.sub(r"(^|\s)(#+)$", r"\1\\\2", self.term.write(node.children))
            self._put([f"{'#' * int(tag[1])} {text}"])
        elif tag == "hr":
            self._put(["***" if self.prefixes and not self.prefixes[-1].used else "---"])
        elif tag == "pre":
            self._put(_fenced(node))
        elif tag == "table":
            self._table(node)
        elif tag in ("ul", "ol"):
            return self._list(node, task.bullet)
        elif tag == "dl":
            return self._definitions(node)
        elif tag == "blockquote":
            return self._within(_Prefix("> ", "> "), self._tasks(node, tight=False))
        else:
            return [*self._tasks(node, tight=False)]
        return []

    def _within(self, prefix: _Prefix, tasks: list[_Task]) -> list[_Task | Callable[[], object]]:
        """The tasks of a container whose lines begin with `prefix`."""
        enter: Callable[[], object] = lambda: self.prefixes.append(prefix)  # noqa: E731
        return [enter, *tasks, self.prefixes.pop]

    def _list(self, node: Element, bullet: str) -> list[_Task | Callable[[], object]]:
        tight = all(_fits_tight(block) for item in node.children for block in item.children)
        pieces: list[_Task | Callable[[], object]] = []
        for item, number in item_numbers(node):
            if self._only_notes(item):
                self._tasks(item, tight=True)
                continue
            sign = _sign(node.tag, number, bullet)
            width = " " * (len(sign) if 0 <= number <= _LARGEST else 2)
            tasks = self._tasks(item, tight=tight) or [_Task([], None)]
            if pieces:
                first = tasks[0]
                tasks[0] = _Task(first.node, not tight, first.bullet)
            pieces += self._within(_Prefix(sign, width), tasks)
        return pieces

    def _definitions(self, node: Element) -> list[_Task | Callable[[], object]]:
        # Definitions of definitions are not indented further: four spaces would make them code.
        nested = bool(self.prefixes) and self.prefixes[-1].first == ": "
        pieces: list[_Task | Callable[[], object]] = []
        for child in node.children:
            if not isinstance(child, Element):
                continue
            if child.tag == "dt":
                pieces.append(_Task(child, _after_definition(child) if pieces else None))
                continue
            tasks = self._tasks(child, tight=False)
            if tasks and isinstance(tasks[0].node, Element) and tasks[0].node.tag != "p":
                # Readers that do not know definitions would not see a block behind the colon.
                tasks[0] = _Task(tasks[0].node, apart=True, bullet=tasks[0].bullet)
                tasks.insert(0, _Task([], None))
            if tasks and pieces:
                tasks[0] = _Task(tasks[0].node, apart=False, bullet=tasks[0].bullet)
            pieces += self._within(_Prefix(": ", "" if nested else "  "), tasks)
        return pieces

    def _table(self, node: Element) -> None:
        for caption in node.children:
            if isinstance(caption, Element) and caption.tag == "caption":
                self._put(self.line.write(caption.children).split("\n"))
                self.apart = True
        lines = table_lines(node, self.cell, self._set_aside)
        if lines:
            self._put(lines)

    # Lines

    def _put(self, lines: list[str]) -> None:
        """Append lines behind their prefixes, after a blank line where one is due."""
        if self.apart and self.lines:
            self.lines.append("".join(p.rest for p in self.prefixes if p.used).rstrip())
        self.apart = False
        for line in lines:
            prefix = "".join(p.rest if p.used else p.first for p in self.prefixes)
            for part in self.prefixes:
                part.used = True
            self.lines.append(prefix + line if line else prefix.rstrip())

    # Footnotes

    def _set_aside(self, note: Element) -> None:
        self.notes[(note.attr("id") or "").removeprefix("fn-")] = note

    def _only_notes(self, node: Element) -> bool:
        """Whether an item holds a footnote and nothing else, or a list only such items."""
        if node.tag in ("ul", "ol"):
            only = bool(len(node)) and all(
                isinstance(item, Element) and self._only_notes(item) for item in node.children
            )
            if only:
                for item in node.children:
                    for note in item.children:
                        if isinstance(note, Element):
                            self._set_aside(note)
            return only
        return (
            node.tag == "li"
            and len(node) > 0
            and all(isinstance(child, Element) and child.tag == "aside" for child in node.children)
        )


def _fits_tight(node: Node) -> bool:
    """Whether a tight item may hold it: only a list from 1 can follow a line without a gap."""
    if not isinstance(node, Element) or node.tag in INLINE or node.tag in ("ul", "aside"):
        return True
    return node.tag == "ol" and node.attr("start") is None


def _after_definition(term: Element) -> bool:
    before = term.previous_sibling
    return not (isinstance(before, Element) and before.tag == "dt")


def _sign(tag: str, number: int, bullet: str) -> str:
    """The sign before an item; a number that Markdown cannot count stands in the text."""
    if tag == "ul":
        return f"{bullet} "
    if 0 <= number <= _LARGEST:
        return f"{number}{')' if bullet == '*' else '.'} "
    return f"- {number}. "


def _fenced(block: Element) -> list[str]:
    """A fenced block whose fence is longer than any within."""
    code = block.find("code")
    name = (code.attr("class") or "") if code is not None else ""
    language = name.removeprefix("language-")
    text = block.text
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language}", *text.split("\n"), fence]
