"""Content as data: blocks of text, and their gold text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a line; `mark` is the inline tag around it, "b i" for two tags, or ""."""

    text: str
    mark: str = ""


Line: TypeAlias = tuple[Run, ...]


@dataclass(frozen=True)
class _OneLine:
    line: Line


class Heading(_OneLine):
    """A heading inside the content."""


class Paragraph(_OneLine):
    """A paragraph."""


class Quote(_OneLine):
    """A quotation."""


class Figure(_OneLine):
    """A picture with its caption."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    lines: tuple[Line, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table."""

    text: str
    across: int = 1
    down: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its first row is the head."""

    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines of a program."""

    text: str


@dataclass(frozen=True, slots=True)
class Post:
    """A post of a forum or a reader's comment; author and time are not content."""

    who: str
    when: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Teaser:
    """An entry of a listing: a linked title and one or two sentences."""

    title: str
    line: Line


@dataclass(frozen=True, slots=True)
class Offer:
    """An entry of a collection: a linked name and a price."""

    name: str
    price: str


Block: TypeAlias = (
    Heading | Paragraph | Items | Table | Code | Quote | Figure | Post | Teaser | Offer
)


def gold_text(blocks: Iterable[Block]) -> str:
    """Return the text of blocks, separated by empty lines."""
    return "\n\n".join(map(_text, blocks))


def _text(block: Block) -> str:
    match block:
        case Heading(line) | Paragraph(line) | Quote(line) | Figure(line):
            return _plain(line)
        case Items(lines):
            return "\n".join(map(_plain, lines))
        case Table(rows):
            return "\n".join("\t".join(cell.text for cell in row) for row in rows)
        case Code(text):
            return text
        case Post(_, _, blocks):
            return "\n\n".join(map(_text, blocks))
        case Teaser(title, line):
            return f"{title}\n{_plain(line)}"
        case Offer(name, price):
            return f"{name}\n{price}"


def _plain(line: Line) -> str:
    return "".join(run.text for run in line)
