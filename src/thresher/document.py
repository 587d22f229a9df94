"""Document: what `thresher.extract` returns; the kept part of a page, in every form.

Never None, and no exception for bad HTML: the status says what was cut or not found.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from thresher import combine, render
from thresher.arrays import inside, subtree_sums
from thresher.errors import UsageError
from thresher.layout import block_texts, data_tables
from thresher.layout_formulas import formula_copies
from thresher.page import Method, Page, Position, Selection
from thresher.parse import parse
from thresher.render import Include
from thresher.tags import BLOCK, CELL, HEADING, NUMBER, lookup
from thresher.text import words

__all__ = ["Block", "Document", "Favor", "extract"]

Favor: TypeAlias = Literal["precision", "balance", "recall"]
Format: TypeAlias = Literal["text", "markdown", "html", "json", "tei", "in-place"]

_ALL = Include()


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of kept text that no block-level tag interrupts."""

    kind: str  # heading, paragraph, list, table, code, quote or caption
    text: str
    row: int  # of the first text that is kept
    page: Page = field(repr=False, compare=False)

    @property
    def position(self) -> Position:
        """Where it stands in the page's source."""
        return self.page.position(self.row)


@dataclass(frozen=True, eq=False)
class Document:
    """The main content of a page."""

    page: Page
    selection: Selection
    method: str  # the expression of the method that chose the text

    @property
    def url(self) -> str | None:
        """The address of the page, if it was given."""
        return self.page.url

    @cached_property
    def status(self) -> str:
        """`complete`, or what was cut, or that nothing was found."""
        if self.selection.words or self.page.status.endswith("empty"):
            return self.page.status
        hidden = int(self.page.words[self.page.hidden].sum())
        found = f"no content found ({hidden:,} words are hidden)" if hidden else "no content found"
        return "; ".join([*_without_complete(self.page.status), found])

    @cached_property
    def text(self) -> str:
        """The main content as plain text."""
        return self.selection.text()

    @cached_property
    def title(self) -> str:
        """The page's title: the longest heading that is part of `<title>`, else `<title>` itself.

        Without a `<title>`, the first `h1`. Of equally long ones the first; signs that link to the
        heading itself are cut off.
        """
        return _title(self.page)

    @cached_property
    def language(self) -> str | None:
        """The language that the page names in `<html lang>`."""
        return self.page.attributes(0).get("lang") or None if len(self.page) else None

    @cached_property
    def blocks(self) -> list[Block]:
        """The kept text block by block, each with its kind and its place in the source."""
        page, view = self.page, self.page.blocks
        keep = self.selection.keep
        keep = keep & ~formula_copies(page, keep, page.attributes)
        texts = block_texts(page, page.texts, keep, view.of_text)
        kinds = _kinds(page)
        kept = np.flatnonzero(keep & (view.of_text >= 0))
        number, at = np.unique(view.of_text[kept], return_index=True)
        first = dict(zip(number.tolist(), page.text_rows[kept[at]].tolist(), strict=True))
        return [
            Block(kinds[first[block]], text, first[block], page) for block, text in texts.items()
        ]

    def render(self, form: Format, include: Include = _ALL) -> str:
        """Return the content as text, markdown, html, json or tei, or in place in its page."""
        if form == "text":
            return self._included(include).text()
        if form == "json":
            return json.dumps(self.to_dict(include), ensure_ascii=False, indent=2)
        if form == "in-place":
            return render.hidden_in_place(self._included(include))
        if form not in ("markdown", "html", "tei"):
            raise UsageError(
                f"no format {form!r}: give text, markdown, html, json, tei or in-place."
            )
        body = render.pruned(self._included(include))
        body = render.prepare(body, url=self.page.base_url or None, include=include)
        if form == "markdown":
            return render.markdown(body, include=include)
        if form == "html":
            return render.html(body, include=include)
        return render.tei(
            body, title=self.title, url=self.url, language=self.language, include=include
        )

    def markdown(self, include: Include = _ALL) -> str:
        """Return the content as GitHub Markdown."""
        return self.render("markdown", include)

    def html(self, include: Include = _ALL) -> str:
        """Return the content as a sanitised fragment of HTML."""
        return self.render("html", include)

    def tei(self, include: Include = _ALL) -> str:
        """Return the content as a TEI document."""
        return self.render("tei", include)

    def to_dict(self, include: Include = _ALL) -> dict[str, Any]:
        """Return everything as plain data, ready for JSON."""
        part = Document(self.page, self._included(include), self.method)
        return {
            "title": self.title,
            "url": self.url,
            "language": self.language,
            "status": part.status,
            "method": self.method,
            "text": part.text,
            "blocks": [
                {
                    "kind": block.kind,
                    "text": block.text,
                    "line": place.line,
                    "column": place.column,
                    "css_path": place.css_path,
                }
                for block in part.blocks
                for place in [block.position]
            ],
        }

    def _included(self, include: Include) -> Selection:
        """The selection without tables or readers' comments, when they are off."""
        chosen = self.selection
        if not include.tables:
            tables = data_tables(self.page, self.page.attributes)
            chosen = chosen - self.page.under(np.flatnonzero(tables))
        if not include.comments:
            chosen = chosen - self.page.under(_comment_rows(self.page))
        return chosen

    def _repr_html_(self) -> str:
        """Show the content in a notebook."""
        return f"<div><small>{escape(self.status)}</small>{self.html()}</div>"


def extract(
    source: str | bytes | Path | Page,
    *,
    url: str | None = None,
    method: str | Method | None = None,
    favor: Favor = "balance",
) -> Document:
    """Extract the main content of a page.

    `source` is HTML (`str`), HTML in some charset (`bytes`), a file (`Path`) or a parsed `Page`.
    `method` is a method or its expression (`"cetd"`, `'cetd(threshold="body")'`); without one the
    default decides, leaning to `favor`: "precision", "balance" or "recall".
    """
    if favor not in _FAVORED:
        raise UsageError(f"cannot favor {favor!r}: give precision, balance or recall.")
    expression = _FAVORED[favor] if method is None else method
    chosen = combine.made(expression)
    page = source if isinstance(source, Page) else parse(_checked(source), url=url)
    if url is not None and page.url != url:
        page = replace(page, url=url)
    return Document(page, combine.run(chosen, page), combine.write(chosen))


_NO_PAGE = re.compile(r"https?://\S+|[^<>\n]{1,200}\.x?html?", re.I)


def _checked(source: str | bytes | Path) -> str | bytes | Path:
    """Refuse a name where HTML is wanted: it would be extracted as if it were the page."""
    if isinstance(source, str) and _NO_PAGE.fullmatch(source.strip()):
        raise UsageError(
            f"{source.strip()[:80]!r} is a name, not HTML: give pathlib.Path(...) for a file, or "
            "thresher.fetch(...).body for an address."
        )
    return source


# Until the learned default: the best single method on the shared corpora for each purpose.
_FAVORED: dict[str, str] = {
    "precision": "addanag",
    "balance": "bte",
    "recall": "cetd",
}


def _without_complete(status: str) -> list[str]:
    return [] if status == "complete" else [status]


# --- title ---------------------------------------------------------------------------------------


def _text_under(page: Page, row: int) -> str:
    """Return the text inside a row on one line; a block or a line break parts words."""
    first, last = np.searchsorted(page.text_rows, (row, page.end[row])).tolist()
    parts = (BLOCK | _LINE_BREAK)[page.tag[row : page.end[row]]]
    pieces: list[str] = []
    before = row
    for index in range(first, last):
        at = int(page.text_rows[index])
        apart = parts[before + 1 - row : at - row].any()
        pieces += (" " if apart else "", page.texts[index] or "")
        before = at
    return " ".join("".join(pieces).split())


_LINE_BREAK = lookup("br")


def _title(page: Page) -> str:
    found = np.flatnonzero((page.tag == NUMBER["title"]) & inside(_head(page), page.end))
    title = _text_under(page, int(found[0])) if len(found) else ""
    folded = _folded(title)
    headings = np.flatnonzero(HEADING[page.tag] & ~page.hidden)[:_HEADINGS_READ]
    texts = {row: _text_under(page, row).rstrip(_PERMALINK) for row in headings.tolist()}
    parts = [text for text in texts.values() if f" {_folded(text)} " in f" {folded} "]
    best = max(parts, key=lambda text: len(_folded(text)), default="")
    first = next((text for row, text in texts.items() if page.name(row) == "h1"), "")
    return best or title or first


_HEADINGS_READ = 20  # a headline stands near the top
_PERMALINK = " ¶#§\N{LINK SYMBOL}"


def _head(page: Page) -> Any:
    return page.tag == NUMBER["head"]


def _folded(text: str) -> str:
    return " ".join(words(text.casefold()))


# --- blocks --------------------------------------------------------------------------------------

_KINDS = (  # the later wins
    ("list", lookup("li dt dd")),
    ("table", CELL),
    ("quote", lookup("blockquote")),
    ("caption", lookup("figcaption caption")),
    ("heading", HEADING),
    ("code", lookup("pre listing xmp")),
)


def _kinds(page: Page) -> list[str]:
    kind = np.full(len(page), "paragraph", dtype="<U9")
    for name, table in _KINDS:
        kind[inside(table[page.tag], page.end)] = name
    return [str(name) for name in kind]


# --- comments ------------------------------------------------------------------------------------

# Whole names: `has-comments` and `comments-open` say something about an article.
_COMMENT = re.compile(
    r"(?:^|\s)(?:comments?|comment-?(?:list|section|area|thread)|comments-(?:area|list|section|"
    r"container|wrapper|thread)|disqus_thread|disqus|commentlist|respond)(?:$|\s)",
    re.I,
)


def _comment_rows(page: Page) -> list[int]:
    """Rows whose class, id or itemprop says that readers' comments stand below.

    A row that holds most of the page's visible words is the page, whatever its name.
    """
    found: list[int] = []
    if page.body < 0:
        return found
    below = subtree_sums(np.where(page.hidden, 0, page.words), page.end)
    for row in np.flatnonzero((page.tag != 0) & (2 * below <= below[page.body])).tolist():
        given = page.attributes(row)
        named = " ".join(given.get(name, "") for name in ("class", "id", "itemprop"))
        if named and row > page.body and _COMMENT.search(named):
            found.append(row)
    return found
