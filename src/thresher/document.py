"""Document: what `thresher.extract` returns; the kept part of a page, in every form.

Never None, and no exception for bad HTML: the status says what was cut or not found. Everything is
found out when it is first asked for, so who asks for the text alone pays for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from html import escape
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from thresher import metadata, render
from thresher.errors import UsageError
from thresher.metadata import Metadata, headline
from thresher.metadata.headline import Headline
from thresher.methods import combine
from thresher.methods.default.extractor import Default
from thresher.methods.default.judge import Judgement, judge_of
from thresher.methods.default.page_kind import page_kinds
from thresher.methods.default.reasons import Reason, reasons, typical
from thresher.page import Method, Page, Position, Selection
from thresher.page.array_types import Bools, Floats, Int8s
from thresher.page.decode import well_formed
from thresher.page.parse import page_address, parse, refuse_name
from thresher.page.plain_text import block_texts, data_tables
from thresher.page.plain_text.formulas import formula_copies
from thresher.page.positions import positions
from thresher.page.visibility import shown_texts
from thresher.render import Header, Include
from thresher.render.json import indented
from thresher.structure import block_kinds, threads
from thresher.structure.links import Link, links_of
from thresher.structure.threads import Threads

Favor: TypeAlias = Literal["precision", "balance", "recall"]
Format: TypeAlias = Literal["text", "markdown", "html", "json", "tei", "in-place"]

_ALL = Include()
_written = lru_cache(maxsize=16)(combine.write)  # for the default, which page after page asks for


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text that no block-level tag interrupts."""

    kind: str  # one of thresher.structure.block_kinds.KINDS
    text: str
    row: int  # of its first text; of a kept block, of the first that is kept
    kept: bool
    number: int  # among the blocks of the page
    document: Document = field(repr=False, compare=False)

    @property
    def position(self) -> Position:
        """Where it stands in the page's source."""
        return self.document.page.position(self.row)

    @property
    def probability(self) -> float:
        """How probable it is that this is content, as the default judges."""
        judged = self.document.judgement
        return float(judged.probability[self.number]) if judged else 0.0

    @property
    def reasons(self) -> list[Reason]:
        """What speaks most for it or against it, compared with the page's other blocks."""
        judged, usual = self.document.judgement, self.document._typical
        if judged is None or usual is None:
            return []
        return reasons(judge_of(self.document.model), judged, self.number, usual)


@dataclass(frozen=True, eq=False)
class Document:
    """The main content of a page."""

    page: Page
    selection: Selection
    method: str  # the expression of the method that chose the text
    model: str = ""  # the file of the model that judges; the shipped one unless given

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields alone: the rest is made again on demand."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def _with(self, selection: Selection) -> Document:
        """Return the document of another selection of the same page."""
        other = replace(self, selection=selection)
        shared = {"judgement", "_marks", "_comments"} & self.__dict__.keys()  # of the page alone
        other.__dict__.update({name: self.__dict__[name] for name in shared})
        return other

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
        return "; ".join(part for part in (self.page.status, found) if part != "complete")

    @cached_property
    def text(self) -> str:
        """The main content as plain text."""
        return self.selection.text()

    # --- what the page says -----------------------------------------------------------------

    @cached_property
    def headline(self) -> Headline:
        """The headline with the row where it stands and where it came from."""
        return headline.find(self.page, self.selection)

    @property
    def title(self) -> str:
        """The headline; "" if there is none."""
        return self.headline.text

    @cached_property
    def metadata(self) -> Metadata:
        """Authors, dates, site, language and more, each with where it came from."""
        return metadata.read(self.page, self.selection, self.headline.row)

    @property
    def authors(self) -> tuple[str, ...]:
        """Who wrote it."""
        return self.metadata.authors.value

    @property
    def date(self) -> str | None:
        """When it was published, else when it was last changed, in ISO 8601."""
        return self.metadata.date.value or None

    @property
    def site(self) -> str | None:
        """The name of the site."""
        return self.metadata.site.value or None

    @property
    def language(self) -> str | None:
        """The language that the page names, such as `pt-BR`, else what its letters tell."""
        return self.metadata.language.value or None

    @cached_property
    def threads(self) -> Threads:
        """The posts of a forum page, the comments below an article, the entries of a weblog."""
        return threads.read(self.page)

    # --- what the default judges ------------------------------------------------------------

    @cached_property
    def judgement(self) -> Judgement | None:
        """What the default thinks of the page, whatever method chose the text; None if empty."""
        return judge_of(self.model)(self.page)

    @cached_property
    def _typical(self) -> Floats | None:
        """What each feature adds to the log-odds of the page's blocks, for `Block.reasons`."""
        return typical(judge_of(self.model), self.judgement) if self.judgement else None

    @property
    def kind(self) -> str:
        """The kind of the page: article, forum, product, ...; "" of a page without text."""
        return max(self.kinds, key=self.kinds.__getitem__, default="")

    @cached_property
    def kinds(self) -> dict[str, float]:
        """The probability of each kind of page; {} of a page without text."""
        return page_kinds(self.page, self.judgement.kinds) if self.judgement else {}

    @cached_property
    def confidence(self) -> float:
        """The F1 that such a choice was worth on pages held out of the training, 0 to 1."""
        if self.judgement is None:
            return 0.0
        return judge_of(self.model).confidence(self.judgement, self._kept)

    @cached_property
    def readable(self) -> bool:
        """Whether the page has prose enough to read; see `thresher.structure.block_kinds.readable`."""
        return block_kinds.readable(self.page)

    # --- blocks -----------------------------------------------------------------------------

    @cached_property
    def _kept(self) -> Bools:
        """Of each block of the page, whether any of its text is kept."""
        found = np.zeros(len(self.page.blocks) + 1, np.bool_)
        found[self.page.blocks.of_text[self.selection.keep]] = True  # -1 is the last
        return found[:-1]

    @cached_property
    def _comments(self) -> Bools:
        """Of each row of the page, whether it is of readers' comments, by name or by repetition."""
        return block_kinds.comments(self.page, self._marks) | threads.comments(self.page)

    @cached_property
    def _marks(self) -> Int8s:
        """The part of the page that each row names."""
        return block_kinds.marks(self.page)

    @cached_property
    def _block_kinds(self) -> list[str]:
        """The kind of each block of the page; headline and comments, if dropped, by their text."""
        page, kept = self.page, self._kept
        found = block_kinds.kinds(page, kept, self._marks)
        return block_kinds.with_dropped(found, page, kept, self._comments, self.headline.row)

    @cached_property
    def blocks(self) -> list[Block]:
        """The kept text block by block, each with its kind and its place in the source."""
        return self._blocks_of(self.selection.keep)

    @cached_property
    def page_blocks(self) -> list[Block]:
        """Every block of the page, kept or not, without words that are hidden within it."""
        return self._blocks_of(shown_texts(self.page) | self.selection.keep)

    def _blocks_of(self, keep: Bools) -> list[Block]:
        page, view = self.page, self.page.blocks
        keep = keep & ~formula_copies(page, keep, page.attributes)
        texts = block_texts(page, page.texts, keep, view.of_text)
        own = (keep & (view.of_text >= 0)).nonzero()[0]
        number, at = np.unique(view.of_text[own], return_index=True)
        first = dict(zip(number.tolist(), page.text_rows[own[at]].tolist(), strict=True))
        named, kept = self._block_kinds, self._kept.tolist()
        return [
            Block(named[block], text, first[block], kept[block], block, self)
            for block, text in texts.items()
        ]

    def select(self, kinds: str | Iterable[str]) -> Document:
        """Return the document of the blocks of these kinds, in the order of the page.

        "main" stands for all that is kept. Of a block that is kept in part, that part is taken.
        """
        wanted, kept = block_kinds.asked(kinds), self._kept
        chosen = np.fromiter((name in wanted for name in self._block_kinds), np.bool_, len(kept))
        chosen |= kept & ("main" in wanted)
        whole = shown_texts(self.page, chosen & ~kept)
        part = self.page.blocks.texts(chosen & kept)
        return self._with(Selection(self.page, whole | (part & self.selection.keep)))

    @cached_property
    def related(self) -> list[Link]:
        """The links of the blocks that lead on to other pages, each address once."""
        asked = np.array([name == "related" for name in self._block_kinds], np.bool_)
        return links_of(self.page, shown_texts(self.page, asked))

    # --- forms ------------------------------------------------------------------------------

    def render(self, form: Format, include: Include = _ALL) -> str:
        """Return the content as text, markdown, html, json or tei, or in place in its page."""
        if form == "text":
            return self._included(include).text()
        return well_formed(self._rendered(form, include))  # attributes may hold half a character

    def _rendered(self, form: Format, include: Include) -> str:
        if form == "json":
            return indented(self.to_dict(include))
        if form == "in-place":
            return render.hidden_in_place(self._included(include))
        if form not in ("markdown", "html", "tei"):
            raise UsageError(f"no format {form!r}: give {', '.join(get_args(Format))}.")
        body = render.pruned(self._included(include))
        body = render.prepare(body, url=self.page.base_url or None, include=include)
        if form == "markdown":
            return render.markdown(body, include=include)
        if form == "html":
            return render.html(body, include=include)
        return render.tei(body, header=self._header, include=include)

    def markdown(self, include: Include = _ALL) -> str:
        """Return the content as GitHub Markdown."""
        return self.render("markdown", include)

    def html(self, include: Include = _ALL) -> str:
        """Return the content as a sanitised fragment of HTML."""
        return self.render("html", include)

    def tei(self, include: Include = _ALL) -> str:
        """Return the content as a TEI document."""
        return self.render("tei", include)

    @property
    def _header(self) -> Header:
        told = self.metadata
        return Header(
            title=self.title,
            authors=self.authors,
            site=told.site.value,
            published=told.published.value,
            modified=told.modified.value,
            url=self.url or "",
            language=self.language or "",
            kind=self.kind,
            kind_probability=self.kinds.get(self.kind, 0.0),
            confidence=self.confidence,
        )

    def to_dict(self, include: Include = _ALL) -> dict[str, Any]:
        """Return all but the threads as plain data, ready for JSON."""
        chosen = self._included(include)
        part = self if chosen is self.selection else self._with(chosen)
        rows = np.array([block.row for block in part.blocks], np.int32)
        return {
            "title": self.title,
            "authors": list(self.authors),
            "date": self.date,
            "site": self.site,
            "language": self.language,
            "url": self.url,
            "kind": self.kind,
            "confidence": round(self.confidence, 3),
            "status": part.status,
            "method": self.method,
            "readable": self.readable,
            "kinds": {kind: round(share, 3) for kind, share in self.kinds.items()},
            "metadata": self.metadata.to_dict(),
            "text": part.text,
            "blocks": [
                {
                    "kind": block.kind,
                    "text": block.text,
                    "probability": round(block.probability, 3),
                    "line": place.line,
                    "column": place.column,
                    "css_path": place.css_path,
                }
                for block, place in zip(part.blocks, positions(self.page, rows), strict=True)
            ],
            "related": [link._asdict() for link in self.related],
        }

    def _included(self, include: Include) -> Selection:
        """The selection without tables or readers' comments, when they are off."""
        chosen = self.selection
        if not include.tables:
            tables = data_tables(self.page, self.page.attributes)
            chosen = chosen - self.page.under(np.flatnonzero(tables))
        if not include.comments:
            chosen = chosen - self.page.where(self._comments)
        return chosen

    def _repr_html_(self) -> str:
        """Show the content in a notebook."""
        return f"<div><small>{escape(self.status)}</small>{self.html()}</div>"


def choice(method: str | Method | None, favor: Favor | None) -> Method:
    """Return the method that is asked for; only the default can lean to `favor`."""
    if favor not in (None, *get_args(Favor)):
        raise UsageError(f"cannot favor {favor!r}: give precision, balance or recall.")
    chosen = Default() if method is None else combine.made(method)
    if favor is None:
        return chosen
    if isinstance(chosen, Default) and chosen.favor in ("balance", favor):
        return replace(chosen, favor=favor)
    written = combine.write(chosen)
    raise UsageError(f"only the default can favor {favor}, not {written}: leave out one of both.")


def extract(
    source: str | bytes | Path | Page,
    *,
    url: str | None = None,
    method: str | Method | None = None,
    favor: Favor | None = None,
) -> Document:
    """Extract the main content of a page.

    `source` is HTML (`str`), HTML in some charset (`bytes`), a file (`Path`) or a parsed `Page`.
    `method` is a method or its expression (`"cetd"`, `'cetd(threshold="body")'`); without one the
    default decides, leaning to `favor`: "precision", "balance" (unless given) or "recall".
    """
    chosen = choice(method, favor)
    page = source if isinstance(source, Page) else parse(refuse_name(source), url=url)
    address = page_address(url)
    if address is not None and page.url != address:
        page = replace(page, url=address)
    if not isinstance(chosen, Default):
        return Document(page, combine.run(chosen, page), combine.write(chosen))
    judged = chosen.judge(page)
    document = Document(page, chosen.choose(page, judged), _written(chosen), chosen.model)
    document.__dict__["judgement"] = judged  # what kinds and probabilities will be asked of
    return document
