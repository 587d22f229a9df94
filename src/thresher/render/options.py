"""Options of the output formats."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Include:
    """Which parts of the content an output shows.

    Without links their text stays; without images, tables or readers' comments nothing of these
    stays. With `title` the content begins with the title, as a heading; with False it is without
    it; with None the headline stays where the method keeps it. With `metadata`, Markdown has YAML
    front matter and text has header lines: the title is in there and not in the content, unless
    `title` asks for the heading.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    comments: bool = True
    title: bool | None = None
    metadata: bool = False


@dataclass(frozen=True, slots=True)
class SpeechOptions:
    """How a document is read aloud."""

    ssml: bool = False  # SSML 1.1 instead of plain text
    code: bool = True  # whether blocks of code are read
