"""Document: what `thresher.extract` returns, the main content of a page.

Bad HTML raises no exception: `status` says what was cut or that nothing was found. Each property is
computed when it is first used, so reading only the text costs nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from thresher.errors import UsageError
from thresher.methods import combine
from thresher.methods.default import Default
from thresher.methods.default.judge import Judgement, load_judge
from thresher.page import Method, Page, Place, Position, Selection
from thresher.page.array_types import Bools, Floats, Int8s
from thresher.page.decode import well_formed
from thresher.page.lazy import LazyModule
from thresher.page.parse import check_is_html, check_url, parse
from thresher.page.plain_text import block_texts, data_tables, formula_copies
from thresher.page.visibility import shown_texts
from thresher.render import FORMATS, Content, FormatName, Header, Include, SpeechOptions

if TYPE_CHECKING:
    from thresher import metadata
    from thresher.metadata import Metadata, headline
    from thresher.metadata.headline import Headline
    from thresher.methods.default import reasons
    from thresher.methods.default.reasons import Reason
    from thresher.structure import block_kinds, links, passages, threads
    from thresher.structure.links import Link
    from thresher.structure.passages import Passage
    from thresher.structure.threads import Threads, weblog
    from thresher.structure.threads.weblog import WeblogPost
else:  # most uses need few of them
    metadata, headline = LazyModule("thresher.metadata"), LazyModule("thresher.metadata.headline")
    reasons = LazyModule("thresher.methods.default.reasons")
    block_kinds = LazyModule("thresher.structure.block_kinds")
    links, passages = (
        LazyModule("thresher.structure.links"),
        LazyModule("thresher.structure.passages"),
    )
    threads = LazyModule("thresher.structure.threads")
    weblog = LazyModule("thresher.structure.threads.weblog")

# What the default method prefers: rather too little text, neither, or rather too much.
Favor: TypeAlias = Literal["precision", "balance", "recall"]

_ALL = Include()
_DEFAULT = Default()
_write_expression = lru_cache(maxsize=16)(combine.write)  # the default's is needed for each page


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text without a block-level tag inside."""

    kind: str  # one of thresher.structure.block_kinds.KINDS
    text: str
    row: int  # of its first text; in a kept block, of its first kept text
    last_row: int  # of its last text; in a kept block, of its last kept text
    kept: bool
    number: int  # among the blocks of the page
    document: Document = field(repr=False, compare=False)

    @property
    def position(self) -> Position:
        """Where it begins in the source of the page."""
        return self.document.page.position(self.row)

    @property
    def end(self) -> Place:
        """Where it ends in the source: one past its last character."""
        page = self.document.page
        return page.ends(np.array([self.row]), np.array([self.last_row]))[0]

    @property
    def source(self) -> str:
        """Its piece of the source, tags included, from its position to its end."""
        return self.document.page.source[self.position.offset : self.end.offset]

    @property
    def probability(self) -> float:
        """The probability that this is content, by the model of the default method."""
        judged = self.document.judgement
        return float(judged.probability[self.number]) if judged else 0.0

    @property
    def reasons(self) -> list[Reason]:
        """The features that set its probability apart from the page's other blocks."""
        judged, mean = self.document.judgement, self.document._mean_contributions
        if judged is None or mean is None:
            return []
        blocks = np.array([self.number])
        return reasons.block_reasons(load_judge(self.document.model), judged, blocks, mean)[0]


@dataclass(frozen=True, eq=False)
class Document:
    """The main content of a page."""

    page: Page
    selection: Selection
    method: str  # the expression of the method that selected the text
    model: str = ""  # the file of the default method's model; "" for the shipped one

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields only; the rest is computed again when it is used."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def _with_selection(self, selection: Selection) -> Document:
        """Return the document of another selection of the same page."""
        other = replace(self, selection=selection)
        shared = {"judgement", "_row_parts", "_comments"} & self.__dict__.keys()  # of the page
        other.__dict__.update({name: self.__dict__[name] for name in shared})
        return other

    @property
    def url(self) -> str | None:
        """The URL of the page; None if it was not given."""
        return self.page.url

    @cached_property
    def status(self) -> str:
        """`complete`, or what was cut, or that no content was found."""
        if self.selection.words or self.page.status.endswith("empty"):
            return self.page.status
        hidden = int(self.page.words[self.page.hidden].sum())
        found = f"no content found ({hidden:,} words are hidden)" if hidden else "no content found"
        return "; ".join(part for part in (self.page.status, found) if part != "complete")

    @cached_property
    def text(self) -> str:
        """The main content as plain text."""
        return self.selection.text()

    # --- metadata ---------------------------------------------------------------------------

    @cached_property
    def headline(self) -> Headline:
        """The headline, with its row and its source."""
        return headline.find(self.page)

    @property
    def title(self) -> str:
        """The headline; "" if there is none."""
        return self.headline.text

    @cached_property
    def metadata(self) -> Metadata:
        """Authors, dates, site, language and more, each with its source."""
        return metadata.read(self.page, self.selection, self.headline.row)

    @property
    def authors(self) -> tuple[str, ...]:
        """The names of the authors."""
        return self.metadata.authors.value

    @property
    def date(self) -> str | None:
        """The date of publication, else of the last change, in ISO 8601."""
        return self.metadata.date.value or None

    @property
    def site(self) -> str | None:
        """The name of the site."""
        return self.metadata.site.value or None

    @property
    def language(self) -> str | None:
        """The language that the page declares, such as `pt-BR`, else that of its text.

        None if neither is known: a language is detected from at least 300 letters of main content,
        or 30 in a script that only one language uses.
        """
        return self.metadata.language.value or None

    @cached_property
    def threads(self) -> Threads:
        """The posts of a forum page, the comments below an article, the entries of a weblog."""
        return threads.read(self.page)

    @cached_property
    def weblog_posts(self) -> list[WeblogPost]:
        """The posts of a weblog on this page, with their comments counted and classified."""
        author = self.authors[0] if self.authors else ""
        time = self.metadata.published.value
        return weblog.weblog_posts(
            self.page, self.threads, title=self.title, author=author, time=time
        )

    # --- the default method's model ---------------------------------------------------------

    @cached_property
    def judgement(self) -> Judgement | None:
        """What the model says about the page, whatever the method; None for an empty page."""
        return load_judge(self.model)(self.page)

    @cached_property
    def _mean_contributions(self) -> Floats | None:
        """What each feature adds to the log-odds of a block on average, for `Block.reasons`."""
        if self.judgement is None:
            return None
        return reasons.mean_contributions(load_judge(self.model), self.judgement)

    @property
    def kind(self) -> str:
        """The kind of the page: article, forum, product, ...; "" for a page without text."""
        return max(self.kinds, key=self.kinds.__getitem__, default="")

    @cached_property
    def kinds(self) -> dict[str, float]:
        """The probability of each kind of page; {} for a page without text."""
        return self.judgement.smoothed_kinds() if self.judgement else {}

    @cached_property
    def confidence(self) -> float:
        """The expected F1 of the selection, from 0 to 1; 0 for a page without text.

        It is the mean F1 of similar selections on pages that were not used for training.
        """
        if self.judgement is None:
            return 0.0
        return load_judge(self.model).confidence(self.judgement, self._kept)

    @cached_property
    def readable(self) -> bool:
        """Whether the page has enough prose; see `thresher.structure.block_kinds.readable`."""
        return block_kinds.readable(self.page)

    # --- blocks -----------------------------------------------------------------------------

    @cached_property
    def _kept(self) -> Bools:
        """One bool per block of the page: True if any of its text is kept."""
        kept = np.zeros(len(self.page.blocks) + 1, np.bool_)  # the last is for -1, no block
        kept[self.page.blocks.of_text[self.selection.keep]] = True
        return kept[:-1]

    @cached_property
    def _comments(self) -> Bools:
        """One bool per row of the page: True in readers' comments, by class or by repetition."""
        by_class = block_kinds.comment_rows(self.page, self._row_parts)
        known = self.judgement.comments if self.judgement else None  # the judge may have looked
        return by_class | (threads.comment_rows(self.page) if known is None else known)

    @cached_property
    def _row_parts(self) -> Int8s:
        """The part of the page that each row names, -1 for none; see `block_kinds.row_parts`."""
        return block_kinds.row_parts(self.page)

    @cached_property
    def _block_kinds(self) -> list[str]:
        """The kind of each block of the page."""
        return block_kinds.kinds_of_blocks(
            self.page, self._kept, self._row_parts, self._comments, self.headline.row
        )

    @cached_property
    def blocks(self) -> list[Block]:
        """The kept blocks, with their kept text only."""
        return self._blocks_of(self.selection.keep)

    @cached_property
    def page_blocks(self) -> list[Block]:
        """All blocks of the page, kept or not, without hidden words in visible blocks."""
        return self._blocks_of(shown_texts(self.page) | self.selection.keep)

    def _blocks_of(self, keep: Bools) -> list[Block]:
        page, view = self.page, self.page.blocks
        keep = keep & ~formula_copies(page, keep)
        texts = block_texts(page, keep, view.of_text)
        in_blocks = (keep & (view.of_text >= 0)).nonzero()[0]
        numbers, index = np.unique(view.of_text[in_blocks], return_index=True)
        starts, ends = index, np.append(index, len(in_blocks))[1:] - 1
        first = dict(zip(numbers.tolist(), page.text_rows[in_blocks[starts]].tolist(), strict=True))
        last = dict(zip(numbers.tolist(), page.text_rows[in_blocks[ends]].tolist(), strict=True))
        kinds, kept = self._block_kinds, self._kept.tolist()
        return [
            Block(kinds[number], text, first[number], last[number], kept[number], number, self)
            for number, text in texts.items()
        ]

    def select(self, kinds: str | Iterable[str]) -> Document:
        """Return the document of the blocks of these kinds, in the order of the page.

        "main" means all kept blocks. Of a block that is kept in part, only that part is taken.
        """
        wanted, kept = block_kinds.checked_kinds(kinds), self._kept
        chosen = np.fromiter((kind in wanted for kind in self._block_kinds), np.bool_, len(kept))
        chosen |= kept & ("main" in wanted)
        whole = shown_texts(self.page, chosen & ~kept)
        part = self.page.blocks.text_mask(chosen & kept)
        return self._with_selection(Selection(self.page, whole | (part & self.selection.keep)))

    @cached_property
    def related(self) -> list[Link]:
        """The links in blocks of the kind "related", each URL once."""
        is_related = np.array([kind == "related" for kind in self._block_kinds], np.bool_)
        return links.links_of(self.page, shown_texts(self.page, is_related))

    def passages(self, words: int = 200, *, overlap: int = 0) -> list[Passage]:
        """Divide the content into passages of at most about `words` words, for search.

        A passage has whole sentences, tables and blocks of code of one section, and the headings
        above it. With `overlap`, it begins with up to that many words of the one before it. See
        `thresher.structure.passages`.
        """
        return passages.passages(
            self.selection,
            title=self.title,
            headline_row=self.headline.row,
            words=words,
            overlap=overlap,
        )

    # --- output -----------------------------------------------------------------------------

    def render(self, form: FormatName, include: Include = _ALL) -> str:
        """Return the content in one of the formats: `thresher.render.FORMATS`."""
        if form not in list(FORMATS):
            raise UsageError(f"no format {form!r}: give {', '.join(FORMATS)}.")
        return _write(form, self._content(include))

    def _content(self, include: Include) -> Content:
        selection = self._included(include)
        return Content(selection, include, self._header, lambda: self._data(selection))

    def markdown(self, include: Include = _ALL) -> str:
        """Return the content as GitHub Markdown."""
        return self.render("markdown", include)

    def html(self, include: Include = _ALL) -> str:
        """Return the content as a sanitised fragment of HTML."""
        return self.render("html", include)

    def tei(self, include: Include = _ALL) -> str:
        """Return the content as a TEI document."""
        return self.render("tei", include)

    def speech(
        self,
        include: Include = _ALL,
        *,
        ssml: bool = False,
        code: bool = True,
        related: Iterable[Document] = (),
    ) -> str:
        """Return the content as text for a speech program, or as SSML.

        Without `code`, blocks of code are announced and left out. The documents `related` are read
        after this one; see `thresher.render.speech` for what is said.
        """
        content = replace(
            self._content(include),
            speech=SpeechOptions(ssml=ssml, code=code),
            related=[document._content(include) for document in related],
        )
        return _write("speech", content)

    def _header(self) -> Header:
        """Return the facts for the header of TEI and the beginning of speech."""
        return Header(
            title=self.title,
            authors=self.authors,
            site=self.metadata.site.value,
            published=self.metadata.published.value,
            modified=self.metadata.modified.value,
            url=self.url or "",
            language=self.language or "",
            kind=self.kind,
            kind_probability=self.kinds.get(self.kind, 0.0),
            confidence=self.confidence,
        )

    def to_dict(self, include: Include = _ALL) -> dict[str, Any]:
        """Return everything except the threads as plain data, ready for JSON."""
        return self._data(self._included(include))

    def _data(self, selection: Selection) -> dict[str, Any]:
        part = self if selection is self.selection else self._with_selection(selection)
        first = np.array([block.row for block in part.blocks], np.int32)
        last = np.array([block.last_row for block in part.blocks], np.int32)
        places = zip(self.page.positions(first), self.page.ends(first, last), strict=True)
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
                    "line": position.line,
                    "column": position.column,
                    "offset": position.offset,
                    "end_line": end.line,
                    "end_column": end.column,
                    "end_offset": end.offset,
                    "css_path": position.css_path,
                }
                for block, (position, end) in zip(part.blocks, places, strict=True)
            ],
            "related": [link._asdict() for link in self.related],
        }

    def _included(self, include: Include) -> Selection:
        """Return the selection without tables or readers' comments, if they are left out."""
        selection = self.selection
        if not include.tables:
            tables = data_tables(self.page)
            selection = selection - self.page.under(np.flatnonzero(tables))
        if not include.comments:
            selection = selection - self.page.where(self._comments)
        return selection

    def _repr_html_(self) -> str:
        """Show the content in a notebook."""
        return f"<div><small>{escape(self.status)}</small>{self.html()}</div>"


def _write(form: FormatName, content: Content) -> str:
    return well_formed(FORMATS[form].write(content))  # attributes may hold lone surrogates


def choose_method(method: str | Method | None, favor: Favor | None) -> Method:
    """Return the method that `extract` uses; only the default takes `favor`."""
    if favor not in (None, *get_args(Favor)):
        raise UsageError(f"cannot favor {favor!r}: give precision, balance or recall.")
    chosen = _DEFAULT if method is None else combine.to_method(method)
    if favor is None:
        return chosen
    if isinstance(chosen, Default) and chosen.favor in ("balance", favor):
        return replace(chosen, favor=favor)
    written = combine.write(chosen)
    raise UsageError(
        f"only the default can favor {favor}, not {written}: leave out the method or favor."
    )


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
    default is used, with `favor` "precision", "balance" (unless given) or "recall".
    """
    chosen = choose_method(method, favor)
    page = to_page(source, url)
    if not isinstance(chosen, Default):
        return Document(page, combine.run(chosen, page), combine.write(chosen))
    return judged_document(page, chosen, chosen.judge(page))


def to_page(source: str | bytes | Path | Page, url: str | None = None) -> Page:
    """Parse a source, unless it is a page already; `url` is its address if given."""
    page = source if isinstance(source, Page) else parse(check_is_html(source), url=url)
    address = check_url(url)
    return page if address is None or page.url == address else replace(page, url=address)


def judged_document(page: Page, method: Default, judgement: Judgement | None) -> Document:
    """Return the document that the default makes of a page with these probabilities."""
    selection = method.choose(page, judgement)
    document = Document(page, selection, _write_expression(method), method.model)
    document.__dict__["judgement"] = judgement  # so that it is not computed again
    return document
