"""One line of text at a time: white space collapsed, formatting opened only around words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from turbohtml import Element, Text

# Formatting that goes on when an equal one follows at once.
_MERGING = frozenset({"em", "strong", "code", "del", "ins", "u", "mark", "sub", "sup"})
_SPACES = re.compile(r"[ \t\n\f\r]+")


@dataclass(frozen=True, slots=True)
class Format:
    """Formatting wanted for the words to come, and the element that asks for it."""

    tag: str
    source: Element
    attributes: tuple[tuple[str, str], ...] = ()

    def goes_on(self, following: Format, *, apart: bool) -> bool:
        """Whether words under `following` need no new element; `apart` if a space is between."""
        if self.source is following.source:
            return True
        return not apart and self.tag == following.tag and self.tag in _MERGING


class Lines:
    """Writes words into the current line, which `begin` finds when the first word comes."""

    def __init__(self, begin: Callable[[], tuple[Element, bool]]) -> None:
        self._begin = begin  # returns the element of a new line, and whether it may be split
        self._line: Element | None = None
        self._splits = False
        self._words: list[str] = []
        self._open: list[tuple[Format, Element]] = []
        self.wanted: list[Format] = []
        self.space = False
        self.breaks = 0

    def text(self, data: str) -> None:
        """Add text; spaces at its ends wait until a word follows."""
        words = _SPACES.sub(" ", data)
        if not words.strip():  # no-break spaces alone are white space too
            self.space = self.space or bool(words)
            return
        self.space = self.space or words[0] == " "
        self._ready([*self._plain(), *self._code()])
        self._words.append(words.strip(" "))
        self.space = words[-1] == " "

    def element(self, element: Element) -> None:
        """Add a finished inline element."""
        self._ready(self._plain())
        self._flush()
        self._current().append(element)

    def line_break(self) -> None:
        """Ask for a break before the next word; two breaks begin a new line."""
        self.breaks += 1

    def end(self) -> None:
        """End the line; formatting still wanted opens again in the next."""
        self._flush()
        self._open.clear()
        self._line = None
        self._splits = False
        self.space = False
        self.breaks = 0

    def _plain(self) -> list[Format]:
        return [wish for wish in self.wanted if wish.tag != "code"]

    def _code(self) -> list[Format]:
        """Code goes innermost: Markdown cannot hold other formatting within it."""
        return [wish for wish in self.wanted if wish.tag == "code"]

    def _current(self) -> Element:
        assert self._line is not None
        return self._open[-1][1] if self._open else self._line

    def _flush(self) -> None:
        if self._words:
            self._current().append(Text("".join(self._words)))
            self._words.clear()

    def _ready(self, wanted: list[Format]) -> None:
        """Make the line, its breaks, its space and its formatting ready for the next word."""
        if self.breaks and self._line is not None:
            if self.breaks > 1 and self._splits:
                self.end()
            else:
                self._close_beyond(self._plain(), apart=True)
                self._flush()
                self._current().append(Element("br"))
        if self._line is None:
            self._line, self._splits = self._begin()
            self.space = False
        elif self.breaks:
            self.space = False
        self.breaks = 0
        self._close_beyond(wanted, apart=self.space)
        if self.space:
            self._words.append(" ")
            self.space = False
        for wish in wanted[len(self._open) :]:
            self._flush()
            element = Element(wish.tag, dict(wish.attributes) or None)
            self._current().append(element)
            self._open.append((wish, element))

    def _close_beyond(self, wanted: list[Format], *, apart: bool) -> None:
        """Close the open formatting that the next word does not share."""
        shared = 0
        for (have, _), wish in zip(self._open, wanted, strict=False):
            if not have.goes_on(wish, apart=apart):
                break
            shared += 1
        if shared < len(self._open):
            self._flush()
            del self._open[shared:]
