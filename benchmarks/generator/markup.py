"""Elements as data, and HTML written from them, well-formed or with the faults of real pages.

With any faults, a browser reads the same texts in the same order: end tags are left out only where
the next tag closes the element anyway, and stray end tags close nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Element:
    """An element with its attributes and content. The name `!--` is an HTML comment."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    inside: tuple[Piece, ...] = ()


Piece: TypeAlias = Element | str


def element(name: str, /, *inside: Piece, **attributes: str | None) -> Element:
    """Return an element; `class_` is the attribute class, and None leaves an attribute out."""
    given = ((key.strip("_").replace("_", "-"), value) for key, value in attributes.items())
    return Element(name, tuple((key, value) for key, value in given if value is not None), inside)


_RAW = frozenset({"script", "style", "!--"})
_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
_VERBATIM = frozenset({"pre", "textarea", "title"})
_BLOCK = frozenset(
    "address article aside blockquote body center dd div dl dt figcaption figure footer form h1 h2 "
    "h3 header hr html li main nav ol p pre section table tbody td th thead tr ul".split()
)
_OMIT_END = frozenset({"p", "li", "td", "th", "tr", "dt", "dd"})
_STRAY = ("</span>", "</font>", "</b>", "</p>", "</i>", "</center>")
_STRAY_AFTER = frozenset({"p", "h1", "h2", "h3", "ul", "ol", "blockquote", "figure", "pre"})


def texts(pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield the texts, without scripts, styles and HTML comments."""
    waiting = list(reversed(pieces))
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            yield piece
        elif piece.name not in _RAW:
            waiting.extend(reversed(piece.inside))


@dataclass(frozen=True, slots=True)
class Manner:
    """How HTML is written: its faults, and `random` to decide where they are."""

    random: Random
    upper_case: bool = False
    unquoted: bool = False
    unclosed: bool = False
    misnested: bool = False
    stray: bool = False
    lines: str = "blocks"  # line breaks: before "blocks", before all "tags", or "none"


def write(pieces: Sequence[Piece], manner: Manner) -> str:
    """Write elements and texts as HTML."""
    return _Writer(manner).write(pieces)


@dataclass(slots=True)
class _Writer:
    manner: Manner
    out: list[str] = field(default_factory=list)
    verbatim: int = 0  # open elements in which line breaks are significant
    faults: set[str] = field(default_factory=set)  # kinds of faults so far

    def write(self, pieces: Sequence[Piece]) -> str:
        waiting: list[Element | str | _End] = list(reversed(pieces))
        while waiting:
            piece = waiting.pop()
            if isinstance(piece, _End):
                self._end(piece)
            elif isinstance(piece, str):
                self.out.append(self._text(piece))
            elif piece.name in _RAW:
                self._raw(piece)
            else:
                follower = waiting[-1] if waiting else None
                self._start(piece)
                if piece.name not in _VOID:
                    waiting.extend(reversed(self._content(piece, follower)))
        return "".join(self.out)

    def _content(self, piece: Element, follower: Piece | _End | None) -> list[Piece | _End]:
        """Return the content and the end tag of an element; `follower` comes after it."""
        self.verbatim += piece.name in _VERBATIM
        inner = piece.inside[0] if len(piece.inside) == 1 else None
        if self.manner.misnested and piece.name == "b" and isinstance(inner, Element):
            self._start(inner)
            return [*inner.inside, _End("b"), _End(inner.name)]
        omit = self._may_omit(piece.name, follower) and self._errs("unclosed", 0.7)
        return [*piece.inside, _End(piece.name, omit)]

    def _may_omit(self, name: str, follower: Piece | _End | None) -> bool:
        """Return True if the element may lack its end tag, as the next tag closes it."""
        if not self.manner.unclosed or name not in _OMIT_END:
            return False
        if name == "p":
            return isinstance(follower, Element | _End) and follower.name in _BLOCK
        return isinstance(follower, _End) or (
            isinstance(follower, Element) and follower.name in _OMIT_END
        )

    def _errs(self, fault: str, chance: float) -> bool:
        """Return True for a fault here: always at the first place, then by chance."""
        errs = self.manner.random.random() < chance or fault not in self.faults
        self.faults.add(fault)
        return errs

    def _start(self, piece: Element) -> None:
        name = piece.name.upper() if self.manner.upper_case else piece.name
        self._break(piece.name)
        self.out.append(f"<{name}{''.join(map(self._attribute, piece.attributes))}>")

    def _attribute(self, pair: tuple[str, str]) -> str:
        key, value = pair
        key = key.upper() if self.manner.upper_case else key
        if self.manner.unquoted and value and not set(value) & set(" \t\n\"'=<>`"):
            return f" {key}={value.replace('&', '&amp;')}"
        return f' {key}="{escape(value)}"'

    def _end(self, end: _End) -> None:
        if end.name in _VERBATIM:
            self.verbatim -= 1
        if not end.omitted:
            if self.manner.lines == "tags":
                self._break(end.name)
            self.out.append(f"</{end.name.upper() if self.manner.upper_case else end.name}>")
        if self.manner.stray and end.name in _STRAY_AFTER and self._errs("stray", 0.3):
            self.out.append(self.manner.random.choice(_STRAY))

    def _break(self, name: str) -> None:
        every = self.manner.lines == "tags"
        if not self.verbatim and (every or (self.manner.lines == "blocks" and name in _BLOCK)):
            self.out.append("\n")

    def _text(self, text: str) -> str:
        text = escape(text, quote=False)
        if self.manner.lines != "none":
            return text
        return text.replace("\n", "<br>" if self.verbatim else " ")

    def _raw(self, piece: Element) -> None:
        """Write a script, a style or an HTML comment, whose text is not escaped."""
        self._break(piece.name)
        text = "".join(part for part in piece.inside if isinstance(part, str))
        text = text.replace("\n", " ") if self.manner.lines == "none" else text
        name = piece.name.upper() if self.manner.upper_case else piece.name
        self.out.append(f"<!--{text}-->" if name == "!--" else f"<{name}>{text}</{name}>")


@dataclass(frozen=True, slots=True)
class _End:
    """An end tag."""

    name: str
    omitted: bool = False
