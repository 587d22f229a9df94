"""The output formats: the table that `Document.render`, the command line and the batch use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from thresher.page import Selection
from thresher.render.html import html
from thresher.render.in_place import hide_in_place
from thresher.render.json_text import indented_json
from thresher.render.kept_tree import kept_tree
from thresher.render.markdown.writer import markdown
from thresher.render.normal_form import normalise
from thresher.render.speech import DEFAULT, Article, SpeechOptions, speech
from thresher.render.tei.header import Header
from thresher.render.tei.writer import tei
from thresher.render.tree import Element


@dataclass(frozen=True, slots=True)
class Include:
    """Which parts of the content an output shows.

    Without links their text stays; without images, tables or readers' comments nothing of these
    stays.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    comments: bool = True


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a document, from which each format takes what it needs."""

    selection: Selection  # without the tables and comments that `include` leaves out
    include: Include
    header: Callable[[], Header]  # title, authors, dates and so on
    data: Callable[[], dict[str, Any]]  # all of it as plain data: `Document.to_dict`
    speech: SpeechOptions = DEFAULT  # of the format "speech"
    related: Sequence[Content] = ()  # what is read aloud after it

    def tree(self) -> Element:
        """Return a new tree of the content in the normal form (see `normal_form`)."""
        url = self.selection.page.base_url or None
        images, links = self.include.images, self.include.links
        return normalise(kept_tree(self.selection), url=url, links=links, images=images)

    def article(self) -> Article:
        """Return what is read aloud. Links stay: they tell the marks of footnotes."""
        url, images = self.selection.page.base_url or None, self.include.images
        tree = normalise(kept_tree(self.selection), url=url, images=images, spoken=True)
        return Article(tree, self.header())


def _speech(content: Content) -> str:
    return speech([one.article() for one in (content, *content.related)], content.speech)


class Format(NamedTuple):
    """An output format."""

    extension: str  # of files
    write: Callable[[Content], str]


# The name of a format, as `--format` and `Document.render` take it.
FormatName: TypeAlias = Literal["text", "markdown", "html", "json", "tei", "speech", "in-place"]

# All formats, by their names.
FORMATS: dict[FormatName, Format] = {
    "text": Format(".txt", lambda content: content.selection.text()),
    "markdown": Format(".md", lambda content: markdown(content.tree())),
    "html": Format(".html", lambda content: html(content.tree(), links=content.include.links)),
    "json": Format(".json", lambda content: indented_json(content.data())),
    "tei": Format(".xml", lambda content: tei(content.tree(), header=content.header())),
    "speech": Format(".txt", _speech),
    "in-place": Format(".html", lambda content: hide_in_place(content.selection)),
}
