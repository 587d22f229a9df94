"""Lines of the normal form: white space collapsed, formatting opened only around words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from turbohtml import Element, Text

# Two of these that are equal and adjacent are written as one.
_MERGING = frozenset({"em", "strong", "code", "del", "ins", "u", "mark", "sub", "sup"})
_SPACES = re.compile(r"[ \t\n\f\r]+")


@dataclass(frozen=True, slots=True)
class Format:
    """Formatting of the words to come, and the element of the page that it comes from."""

    tag: str
    source: Element
    attributes: tuple[tuple[str, str], ...] = ()

    def continues_as(self, following: Format, *, after_space: bool) -> bool:
        """Return whether words with the format `following` need no new element."""
        if self.source is following.source:
            return True
        return not after_space and self.tag == following.tag and self.tag in _MERGING


class LineBuilder:
    """Writes words into the current line, which begins with its first word.

    `begin` returns the element for a new line, and whether two breaks may split the line.
    `formats`, `space` and `breaks` apply to the next word: its formatting, whether a space comes
    before it, and how many line breaks; two or more breaks begin a new line.
    """

    def __init__(self, begin: Callable[[], tuple[Element, bool]]) -> None:
        self._begin = begin
        self._line: Element | None = None
        self._may_split = False
        self._words: list[str] = []  # not yet in the tree
        self._open: list[tuple[Format, Element]] = []
        self.formats: list[Format] = []
        self.space = False
        self.breaks = 0

    def text(self, data: str) -> None:
        """Add text; a space at its end is written with the next word."""
        words = _SPACES.sub(" ", data)
        if not words.strip():  # no-break spaces alone are white space too
            self.space = self.space or bool(words)
            return
        self.space = self.space or words[0] == " "
        # Code goes innermost: Markdown cannot hold other formatting within it.
        code = [fmt for fmt in self.formats if fmt.tag == "code"]
        self._prepare([*self._formats_but_code(), *code])
        self._words.append(words.strip(" "))
        self.space = words[-1] == " "

    def element(self, element: Element) -> None:
        """Add a finished inline element."""
        self._prepare(self._formats_but_code())
        self._flush().append(element)

    def end(self) -> None:
        """End the line; `formats` are opened again in the next."""
        if self._line is not None:
            self._flush()
        self._open.clear()
        self._line = None
        self._may_split = False
        self.space = False
        self.breaks = 0

    def _formats_but_code(self) -> list[Format]:
        return [fmt for fmt in self.formats if fmt.tag != "code"]

    def _flush(self) -> Element:
        """Put the words into the tree, and return the innermost open element."""
        assert self._line is not None
        current = self._open[-1][1] if self._open else self._line
        if self._words:
            current.append(Text("".join(self._words)))
            self._words.clear()
        return current

    def _prepare(self, formats: list[Format]) -> None:
        """Write the line breaks, the space and the formatting before the next word."""
        if self.breaks and self._line is not None:
            if self.breaks > 1 and self._may_split:
                self.end()
            else:
                self._close_other_formats(self._formats_but_code(), after_space=True)
                self._flush().append(Element("br"))
                self.space = False
        if self._line is None:
            self._line, self._may_split = self._begin()
            self.space = False
        self.breaks = 0
        self._close_other_formats(formats, after_space=self.space)
        if self.space:
            self._words.append(" ")
            self.space = False
        for fmt in formats[len(self._open) :]:
            element = Element(fmt.tag, dict(fmt.attributes) or None)
            self._flush().append(element)
            self._open.append((fmt, element))

    def _close_other_formats(self, formats: list[Format], *, after_space: bool) -> None:
        """Close the open formatting that the next word does not share."""
        shared = 0
        for (have, _), wanted in zip(self._open, formats, strict=False):
            if not have.continues_as(wanted, after_space=after_space):
                break
            shared += 1
        if shared < len(self._open):
            self._flush()
            del self._open[shared:]
