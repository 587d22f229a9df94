"""The output formats: the table that `Document.render`, the command line and the batch use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from thresher.page import Selection
from thresher.page.array_types import Bools
from thresher.render.front_matter import Facts, header_lines, put_before, yaml_front_matter
from thresher.render.html import html
from thresher.render.in_place import hide_in_place
from thresher.render.json_text import indented_json
from thresher.render.kept_tree import KeptTree, kept_tree
from thresher.render.markdown.writer import markdown
from thresher.render.normal_form import normalise
from thresher.render.options import Include, SpeechOptions
from thresher.render.posts import ThreadPost, posts_tree
from thresher.render.speech import Article, speech
from thresher.render.tei.header import Header
from thresher.render.tei.writer import tei
from thresher.render.tree import Element, Text


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a document, from which each format takes what it needs."""

    selection: Selection  # without the tables, comments and title that `include` leaves out
    include: Include
    header: Callable[[], Header]  # title, authors, dates and so on
    data: Callable[[], dict[str, Any]]  # as plain data: `Document.to_dict`
    title: str = ""  # to write as a heading before it
    headline: Selection | None = None  # the title in the page, if it is to be shown there
    facts: Callable[[], Facts] = dict  # what front matter and header lines say
    comments: Callable[[], Bools] | None = None  # one bool per row: readers' comments
    speech: SpeechOptions = SpeechOptions()  # of the format "speech"
    related: Sequence[Content] = ()  # what is read aloud after it
    posts: Callable[[], Sequence[ThreadPost]] = tuple  # of a forum page
    captions: bool = False  # whether images and videos are written with their dropped captions
    comment_posts: Callable[[], Sequence[ThreadPost]] = tuple  # below an article, kept or not

    def tree(self, *, nested: bool = True) -> Element:
        """Return a new tree of the content in the normal form (see `normal_form`).

        On a forum page it has the posts one by one; for `nested` see `posts.posts_tree`.
        """
        posts = self.posts()
        if posts:
            tree = posts_tree(self.selection, posts, self._to_normal_form, nested=nested)
        else:
            tree = self._tree(self.selection)
        if self.title:
            tree.children.insert(0, Element("h1", children=[Text(self.title)]))
        return tree

    def text_and_comments(self) -> tuple[Element, Element | None]:
        """Return the tree without readers' comments, and the tree of these; None if all is one.

        Comments that are known as posts are written one by one, also those that are not selected.
        """
        page, selection = self.selection.page, self.selection
        comments = page.none() if self.comments is None else page.where(self.comments())
        comments &= selection
        if (comments.words and comments.words == selection.words) or self.posts():
            return self.tree(nested=False), None
        posts = self.comment_posts()
        rows = [row for post in posts for row in post.text_rows]
        texts = page.select(np.array(rows, np.int64))
        if posts and not (selection - texts).words:
            posts, texts = (), page.none()
        comments |= texts
        if not comments.words:
            return self.tree(nested=False), None
        body = replace(self, selection=selection - comments)
        if not posts:
            return body.tree(), self._tree(comments)
        return body.tree(), posts_tree(comments, posts, self._to_normal_form, nested=False)

    def _tree(self, selection: Selection) -> Element:
        captions = self.captions and self.include.images
        return self._to_normal_form(kept_tree(selection, captions=captions))

    def _to_normal_form(self, tree: KeptTree) -> Element:
        url = self.selection.page.base_url or None
        return normalise(tree, url=url, links=self.include.links, images=self.include.images)

    def article(self) -> Article:
        """Return what is read aloud. Links stay: they tell the marks of footnotes."""
        url, images = self.selection.page.base_url or None, self.include.images
        tree = normalise(kept_tree(self.selection), url=url, images=images, spoken=True)
        header = self.header()
        return Article(tree, replace(header, title="") if self.include.title is False else header)


def _text(content: Content) -> str:
    written = put_before(content.selection.text(), content.title)
    return put_before(written, header_lines(content.facts()))


def _markdown(content: Content) -> str:
    return put_before(markdown(content.tree()), yaml_front_matter(content.facts()))


def _tei(content: Content) -> str:
    body, comments = content.text_and_comments()
    return tei(body, header=content.header(), comments=comments)


def _in_place(content: Content) -> str:
    shown, headline = content.selection, content.headline
    return hide_in_place(shown if headline is None else shown | headline)


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
    "text": Format(".txt", _text),
    "markdown": Format(".md", _markdown),
    "html": Format(".html", lambda content: html(content.tree(), links=content.include.links)),
    "json": Format(".json", lambda content: indented_json(content.data())),
    "tei": Format(".xml", _tei),
    "speech": Format(".txt", _speech),
    "in-place": Format(".html", _in_place),
}
