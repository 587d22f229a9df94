"""Document: what `thresher.extract` returns, the main content of a page.

Bad HTML raises no exception: `status` says what was cut or that nothing was found. Each property is
computed when it is first used, so reading only the text costs nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import compress
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from thresher.errors import UsageError
from thresher.methods.default import Default
from thresher.methods.default.judge import Judgement, load_judge
from thresher.page import Method, Page, Selection
from thresher.page.array_types import Bools, Floats, Int8s
from thresher.page.arrays import subtree_sums
from thresher.page.controls import has_code_in_parts
from thresher.page.decode import well_formed
from thresher.page.lazy import LazyModule
from thresher.page.page import readable, write_text_of
from thresher.page.parse import check_is_html, check_url, parse
from thresher.page.plain_text import (
    block_texts,
    data_tables,
    formula_copies,
    may_have_formulas,
    with_raised,
)
from thresher.page.visibility import shown_texts
from thresher.render.options import Include, SpeechOptions

if TYPE_CHECKING:
    import html

    from thresher import metadata
    from thresher.metadata import Metadata, headline
    from thresher.metadata.headline import Headline
    from thresher.methods import combine
    from thresher.methods.default import reasons
    from thresher.methods.default.reasons import Reason
    from thresher.page import Place, Position, positions
    from thresher.render import formats, front_matter, json_text
    from thresher.render import text as readable_text
    from thresher.render.formats import Content, FormatName
    from thresher.render.json_text import Table
    from thresher.render.tei import header
    from thresher.render.tei.header import Header
    from thresher.structure import block_kinds, data_text, links, passages, threads
    from thresher.structure.links import Link
    from thresher.structure.passages import Passage
    from thresher.structure.threads import Kind, Post, Threads, weblog
    from thresher.structure.threads.weblog import WeblogPost
else:  # most uses need few of them
    html, combine = LazyModule("html"), LazyModule("thresher.methods.combine")
    metadata, headline = LazyModule("thresher.metadata"), LazyModule("thresher.metadata.headline")
    positions = LazyModule("thresher.page.positions")
    reasons = LazyModule("thresher.methods.default.reasons")
    formats = LazyModule("thresher.render.formats")
    readable_text = LazyModule("thresher.render.text")
    front_matter = LazyModule("thresher.render.front_matter")
    json_text = LazyModule("thresher.render.json_text")
    header = LazyModule("thresher.render.tei.header")
    block_kinds = LazyModule("thresher.structure.block_kinds")
    data_text = LazyModule("thresher.structure.data_text")
    links, passages = (
        LazyModule("thresher.structure.links"),
        LazyModule("thresher.structure.passages"),
    )
    threads = LazyModule("thresher.structure.threads")
    weblog = LazyModule("thresher.structure.threads.weblog")

# What the default method prefers: rather too little text, neither, or rather too much.
Favor: TypeAlias = Literal["precision", "balance", "recall"]

_ALL = Include()
_SHARES = (0.95, 0.8, 0.5, 0.1, 0.0)  # of what seems to fit, in each further try
_DEFAULT = Default()
_PROBABLY_NONE, _SURELY_NONE = 0.5, 0.9  # probabilities that a page has no content

_WORDS_ABOVE_POSTS = 30  # below a headline, of labels and controls
_TO_DAY = 10  # characters of ISO 8601 up to the day


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
        judged, mean = self.document._judgement_with_features, self.document._mean_contributions
        if judged is None or mean is None:
            return []
        blocks = np.array([self.number])
        return reasons.block_reasons(load_judge(self.document.model), judged, blocks, mean)[0]


class _BlockColumns(NamedTuple):
    """The fields of blocks, but for the document, as lists."""

    kinds: list[str]
    texts: list[str]
    rows: list[int]
    last_rows: list[int]
    kept: list[bool]
    numbers: list[int]


@dataclass(frozen=True, eq=False)
class Document:
    """The main content of a page."""

    page: Page
    selection: Selection
    method: str  # the expression of the method that selected the text
    model: str = ""  # the file of the default method's model; "" for the shipped one
    data_source: str = ""  # where in the page's data the text is; "" if the page shows it

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the fields, and whether it is a part; the rest is computed again when used."""
        names = (*self.__dataclass_fields__, *({"_is_part"} & self.__dict__.keys()))
        return {name: self.__dict__[name] for name in names}

    def _with_selection(self, selection: Selection) -> Document:
        """Return the document of another selection of the same page."""
        other = replace(self, selection=selection)
        names = {"judgement", "_row_parts", "_comments", "_repeated_comments", "_output_note"}
        shared = names & self.__dict__.keys()  # of the page
        other.__dict__.update({name: self.__dict__[name] for name in shared})
        other.__dict__["_is_part"] = True
        return other

    @property
    def url(self) -> str | None:
        """The URL of the page; None if it was not given."""
        return self.page.url

    @property
    def status(self) -> str:
        """`complete`, or what was cut, where in the data the text is, or that there is no content.

        An output is cut when it is written: from then on the status says so.
        """
        note = self.__dict__.get("_output_note", "")
        notes = [part for part in (self._found, note) if part and part != "complete"]
        return "; ".join(notes) or "complete"

    @cached_property
    def _found(self) -> str:
        """The status before anything is written."""
        if self.page.status.endswith("empty"):
            return self.page.status
        found = f"text from {self.data_source}" if self.data_source else "complete"
        if not self.selection.words:
            hidden = int(self.page.words[self.page.hidden].sum())
            words = "1 word is" if hidden == 1 else f"{hidden:,} words are"
            also = f" ({words} hidden)" if hidden else ""
            found = f"no content found{also}"
        elif self.method.startswith("default") and self.no_content >= _SURELY_NONE:
            found = f"probably no content (probability {self.no_content:.2f})"
        notes = [part for part in (self.page.status, found) if part != "complete"]
        return "; ".join(notes) or "complete"

    @cached_property
    def text(self) -> str:
        """The main content as plain text."""
        return self.selection.text()

    @cached_property
    def _readable(self) -> Selection:
        """The selection with formulas and code in tables as text and passages have them."""
        return readable(self.selection)

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
        found = metadata.read(self.page, self.selection, self.headline.row)
        if not metadata.may_be_of_posts(found) or not (posts := self._posts()):
            return found
        times = [post.time[:_TO_DAY] for post in posts[:2] if post.time]
        if times != sorted(times):  # the newest first, or the time of a change
            return found
        if self.threads.kind == "comments" and self._has_text_before(posts[0].row):
            return found
        others = [(post.author, post.time) for post in posts[1:]]
        return metadata.with_first_post(found, posts[0].author, posts[0].time, others)

    def _has_text_before(self, row: int) -> bool:
        """Return whether an article is between the headline and a row."""
        below = self.page.end[self.headline.row] if self.headline.row >= 0 else self.page.body
        return int(self.page.words[below:row].sum()) > _WORDS_ABOVE_POSTS

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
        """The posts of a forum page, the comments below an article, the entries of a weblog.

        Posts are a `thread` if the page may be a forum, so that the default keeps them. Those of
        other pages are `comments`, which it leaves out.
        """
        found = self.page.cached(threads.read)
        if found.kind not in ("thread", "comments") or self.judgement is None:
            return found
        kind: Kind = "thread" if self.judgement.keeps_posts() else "comments"
        return replace(found, kind=kind)

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
    def _judgement_with_features(self) -> Judgement | None:
        """The judgement with the features of all blocks, for `Block.reasons`."""
        judged = self.judgement
        return judged and load_judge(self.model).with_all_features(judged)

    @cached_property
    def _mean_contributions(self) -> Floats | None:
        """What each feature adds to the log-odds of a block on average, for `Block.reasons`."""
        judged, judge = self._judgement_with_features, load_judge(self.model)
        return None if judged is None else reasons.mean_contributions(judge, judged)

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

        On pages that were not used for training, it is close to the mean F1 of similar selections.
        """
        return self.judgement.confidence(self._kept) if self.judgement else 0.0

    @cached_property
    def no_content(self) -> float:
        """The probability that the page has no content: an error, an empty shell, menus alone.

        1 for a page without text, 0 if the text is from the page's data.
        """
        if self.data_source or self.judgement is None:
            return float(not self.data_source)
        return load_judge(self.model).no_content(self.judgement)

    @cached_property
    def readable(self) -> bool:
        """Whether the page has enough prose, and probably has content.

        See `thresher.structure.block_kinds.readable` and `no_content`.
        """
        return block_kinds.readable(self.page) and self.no_content < _PROBABLY_NONE

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
        return block_kinds.comment_rows(self.page, self._row_parts) | self._repeated_comments

    @cached_property
    def _kept_comments(self) -> Bools:
        """One bool per row of the page, as `_comments`, but only what holds kept text counts."""
        if "_comments" in self.__dict__:
            return self._comments
        named = block_kinds.kept_comment_rows(self.page, self.selection.kept)
        return named | self._repeated_comments

    @cached_property
    def _repeated_comments(self) -> Bools:
        """One bool per row of the page: True in readers' comments, by repetition."""
        known = self.judgement.comments if self.judgement else None  # the judge may have looked
        return threads.comment_rows(self.page) if known is None else known

    @cached_property
    def _row_parts(self) -> Int8s:
        """The part of the page that each row names, -1 for none; see `block_kinds.row_parts`."""
        return block_kinds.row_parts(self.page)

    @cached_property
    def _kept_kinds(self) -> list[str]:
        """The kind of each kept block of the page, and of others as if there were no comments."""
        return block_kinds.kinds_of_blocks(
            self.page, self._kept, self._row_parts, headline=self.headline.row
        )

    @cached_property
    def _kinds_if_kept(self) -> list[str]:
        """The kind of each kept block; that of others has no meaning.

        So only the elements around the first rows of kept blocks have to be read.
        """
        if "_row_parts" in self.__dict__:
            return self._kept_kinds
        is_first = np.zeros(len(self.page), np.bool_)
        is_first[self.page.blocks.first[self._kept]] = True
        parts = block_kinds.row_parts(self.page, subtree_sums(is_first, self.page.end) > 0)
        return block_kinds.kinds_of_blocks(self.page, self._kept, parts, headline=self.headline.row)

    @cached_property
    def _block_kinds(self) -> list[str]:
        """The kind of each block of the page."""
        return block_kinds.name_comments(self.page, self._kept_kinds, self._kept, self._comments)

    @cached_property
    def blocks(self) -> list[Block]:
        """The kept blocks, with their kept text only."""
        return self._blocks_of(self._kept_columns)

    @cached_property
    def page_blocks(self) -> list[Block]:
        """All blocks of the page, kept or not, without hidden words in visible blocks."""
        keep = shown_texts(self.page) | self.selection.keep
        return self._blocks_of(self._block_columns(keep, self._block_kinds))

    @cached_property
    def _kept_columns(self) -> _BlockColumns:
        """The fields of the kept blocks."""
        return self._block_columns(self.selection.keep, self._kinds_if_kept)

    def _blocks_of(self, columns: _BlockColumns) -> list[Block]:
        return [
            Block(kind, text, row, last_row, kept, number, self)
            for kind, text, row, last_row, kept, number in zip(*columns, strict=True)
        ]

    def _block_columns(self, keep: Bools, kinds: list[str]) -> _BlockColumns:
        """Return the first fields of the blocks with kept text, each as a list."""
        page, of_text = self.page, self.page.blocks.of_text
        keep = keep & ~formula_copies(page, keep)
        written = readable(Selection(page, keep))
        if written.page is not page:  # scripts with TeX are in the block of the text before
            known = np.maximum.accumulate(np.where(of_text < 0, 0, np.arange(len(of_text))))
            of_text = np.where(written.keep & ~keep, of_text.take(known), of_text)
        texts = block_texts(written.page, written.keep, of_text)
        in_blocks = ((keep | written.keep) & (of_text >= 0)).nonzero()[0]
        every, index = np.unique(of_text[in_blocks], return_index=True)
        numbers = list(texts)
        chosen = every.searchsorted(numbers)
        rows = page.text_rows.take(in_blocks)
        return _BlockColumns(
            list(map(kinds.__getitem__, numbers)),
            list(texts.values()),
            rows.take(index).take(chosen).tolist(),
            rows.take(np.append(index, len(rows))[1:] - 1).take(chosen).tolist(),
            self._kept.take(numbers).tolist(),
            numbers,
        )

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
            self._readable,
            title=self.title,
            headline_row=self.headline.row,
            words=words,
            overlap=overlap,
        )

    # --- output -----------------------------------------------------------------------------

    def render(self, form: FormatName, include: Include = _ALL) -> str:
        """Return the content in one of the formats: `thresher.render.FORMATS`."""
        if form == "text" and include is _ALL:
            return self.within_limit(_well_formed_text)
        if form not in list(formats.FORMATS):
            raise UsageError(f"no format {form!r}: give {', '.join(formats.FORMATS)}.")
        if form == "in-place":  # it has the whole page, whatever is kept
            return _write(form, self._content(include))
        return self.within_limit(lambda document: _write(form, document._content(include)))

    def within_limit(
        self, write: Callable[[Document], str], copies: int = 1, besides: int = 0
    ) -> str:
        """Return what `write` makes of this document, or of its beginning if that is too long.

        `Limits.output` of the page says what is too long, see `counted_size`. What is left out are
        whole texts at the end; metadata and what is not part of the content stay. The status then
        says so. `write` writes the content at least `copies` times, and about `besides` characters.
        """
        limit = self.page.limits[2]
        if not limit:
            return write(self)
        document = self._beginning(limit / max(least_output(self.selection, copies, besides), 1))
        written = write(document)
        for share in _SHARES:
            size = counted_size(len(written), width_of(written), self.page)
            if size <= limit or not len(document.selection):
                break
            del written  # before the next one is made: it may be large
            for name in _CONTENT & document.__dict__.keys():
                del document.__dict__[name]
            document = document._beginning(share * limit / size)
            written = write(document)
        if document is not self:
            self.__dict__["_output_note"] = document.__dict__["_output_note"]
        return written

    def _beginning(self, share: float) -> Document:
        """Return the document of the first texts that have a share of all characters."""
        if share >= 1.0:
            return self
        keep = self.selection.keep
        sizes = np.where(keep, 1 + self.page.chars[self.page.text_rows], 0).cumsum()
        first = keep & (sizes <= share * sizes[-1])
        document = self._with_selection(replace(self.selection, keep=first))
        document.__dict__["_output_note"] = f"output cut at {self.page.limits[2]:,} characters"
        return document

    def _content(self, include: Include) -> Content:
        selection, title, headline = self._included(include), "", None
        if include.title is not None or include.metadata:
            selection = front_matter.without_title(selection, self.title, self.headline.row)
        if include.title:
            title = self.title
            headline = self.page.under([self.headline.row]) if self.headline.row >= 0 else None
        return formats.Content(
            selection,
            include,
            header=self._header,
            data=lambda: self.to_dict(include),
            title=title,
            headline=headline,
            facts=lambda: self._facts(include) if include.metadata else {},
            posts=self._posts,
            comments=lambda: self._kept_comments,
            comment_posts=self._comment_posts if include.comments else tuple,
            captions="_is_part" not in self.__dict__ and "precision" not in self.method,
        )

    def _posts(self) -> tuple[Post, ...]:
        """Return the posts as which the content is written; () if it is no thread of a forum."""
        page, judged = self.page, self.judgement
        if page.base is not None or judged is None or not judged.keeps_posts("recall"):
            return ()
        return self.threads.posts if threads.may_have_posts(page) else ()

    def _comment_posts(self) -> tuple[Post, ...]:
        """Return the comments below an article as posts; () of a document of chosen blocks."""
        if self.page.base is not None or "_is_part" in self.__dict__:
            return ()
        if not threads.may_have_posts(self.page) or self.threads.kind != "comments":
            return ()
        return self.threads.posts

    def markdown(self, include: Include = _ALL) -> str:
        """Return the content as GitHub Markdown."""
        return self.render("markdown", include)

    def html(self, include: Include = _ALL) -> str:
        """Return the content as a sanitised fragment of HTML."""
        return self.render("html", include)

    def tei(self, include: Include = _ALL) -> str:
        """Return the content as a TEI document."""
        return self.render("tei", include)

    def json(self, include: Include = _ALL, *, fields: str | Iterable[str] | None = None) -> str:
        """Return the content and the metadata as JSON; see `to_dict` for the fields."""
        chosen = choose_fields(fields, USUAL_FIELDS, field_names())

        def write(document: Document) -> str:
            return well_formed(json_text.indented_json(document._field_values(include, chosen)))

        return self.within_limit(write, *self.least_record(chosen))

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
        options = SpeechOptions(ssml=ssml, code=code)
        others = [document._content(replace(include, title=None)) for document in related]
        return self.within_limit(
            lambda document: _write(
                "speech", replace(document._content(include), speech=options, related=others)
            )
        )

    def _header(self) -> Header:
        """Return the facts for the header of TEI and the beginning of speech."""
        return header.Header(
            title=self.title,
            authors=self.authors,
            site=self.metadata.site.value,
            published=self.metadata.published.value,
            modified=self.metadata.modified.value,
            url=self.url or "",
            language=self.language or "",
            licence=self.metadata.licence.value,
            tags=self.metadata.tags.value,
            categories=self.metadata.categories.value,
            kind=self.kind,
            kind_probability=self.kinds.get(self.kind, 0.0),
            confidence=self.confidence,
        )

    def _facts(self, include: Include) -> dict[str, str | Sequence[str] | None]:
        """Return what front matter and header lines say: the title, and the metadata found."""
        values = {name: getattr(self.metadata, name).value for name in _metadata_names()}
        canonical, published = values.pop("canonical"), values.pop("published")
        for name in ("direction", "excerpt"):  # made for display
            del values[name]
        if not published:
            del values["modified"]  # it is the date
        title = "" if include.title else self.title
        first = {"title": title, "authors": self.authors, "date": self.date}
        return {**first, "url": self.url or canonical, **values}

    def to_dict(
        self, include: Include = _ALL, *, fields: str | Iterable[str] | None = None
    ) -> dict[str, Any]:
        """Return the content and the metadata as plain data, ready for JSON.

        `fields` are the keys in their order, or one text in which commas separate them; they are
        `USUAL_FIELDS` unless given, and `field_names()` has all of them. If the first begins with
        "+", they are added to the usual ones: "+blocks,related".
        """
        return {
            name: json_text.plain_data(value)
            for name, value in self.field_values(include, fields=fields)
        }

    def field_values(
        self, include: Include = _ALL, *, fields: str | Iterable[str] | None = None
    ) -> Iterator[tuple[str, Any]]:
        """Yield what `to_dict` returns, one field after the other, and blocks as a `Table`."""
        return self._field_values(include, choose_fields(fields, USUAL_FIELDS, field_names()))

    def _field_values(self, include: Include, chosen: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        shown = _Shown(
            self, self._content(replace(include, metadata=False) if include.metadata else include)
        )
        return (
            (name, _FIELDS[name](shown) if name in _FIELDS else self._metadata_value(name))
            for name in chosen
        )

    def least_record(self, fields: Iterable[str]) -> tuple[int, int]:
        """Return how many of the fields have the whole content, and what is written besides.

        The latter are characters of the keys of blocks and posts.
        """
        chosen = {*fields}
        copies = len({"text", "markdown", "html"} & chosen)
        rows = [int(self._kept.sum())] if "blocks" in chosen else []
        if "threads" in chosen and self.threads.posts:
            rows.append(len(self.threads.posts))
        if "posts" in chosen and self._posts():
            rows.append(len(self._posts()))
        return max(1, copies + len(rows)), _OF_KEYS * sum(rows)

    def _metadata_value(self, name: str) -> str | list[str] | None:
        value = getattr(self.metadata, name).value
        return list(value) if isinstance(value, tuple) else value or None

    def _post_dicts(self) -> list[dict[str, Any]]:
        """Return the posts of which something is kept, as plain data."""
        posts = self._posts()
        if not posts:
            return []
        kept = set(self.selection.rows.tolist())
        pairs = zip(posts, self.threads.plain_posts(), strict=True)
        return [plain for post, plain in pairs if not kept.isdisjoint(post.text_rows)]

    def _block_table(self) -> Table:
        """Return the kept blocks as plain data, with their places in the source."""
        judged, blocks = self.judgement, self._kept_columns
        size = len(blocks.numbers)
        shares = judged.probability.take(blocks.numbers).tolist() if judged else [0.0] * size
        first, last = np.array(blocks.rows, np.int32), np.array(blocks.last_rows, np.int32)
        places: dict[str, Any] = positions.spans_of(self.page, first, last)._asdict()
        if self.data_source:  # such text has no place in the page
            places = dict.fromkeys(places, (None,) * size)
        return json_text.Table(
            {
                "kind": blocks.kinds,
                "text": blocks.texts,
                "probability": [round(share, 3) for share in shares],
                **places,
            }
        )

    def _included(self, include: Include) -> Selection:
        """Return the selection without tables or readers' comments, if they are left out."""
        selection = self.selection
        if not include.tables:
            tables = data_tables(self.page)
            selection = selection - self.page.under(np.flatnonzero(tables))
        if not include.comments:
            selection = selection - self.page.where(self._kept_comments)
        return selection

    def _repr_html_(self) -> str:
        """Show the content in a notebook."""
        return f"<div><small>{html.escape(self.status)}</small>{self.html()}</div>"


# --- the fields of `Document.to_dict` -----------------------------------------------------------


class _Shown(NamedTuple):
    """A document, and the content of it that an output shows."""

    document: Document
    content: Content

    @property
    def part(self) -> Document:
        """The document of this content only."""
        whole, selection = self.document, self.content.selection
        return whole if selection is whole.selection else whole._with_selection(selection)

    @property
    def text(self) -> str:
        """The content as text, with the title if it is to be shown."""
        is_whole = self.content.selection is self.document.selection and not self.content.title
        return self.document.text if is_whole else formats.FORMATS["text"].write(self.content)


def _attributes(*names: str) -> dict[str, Callable[[_Shown], Any]]:
    return {name: attrgetter(f"document.{name}") for name in names}


_FIELDS: dict[str, Callable[[_Shown], Any]] = {
    **_attributes("title"),
    "authors": lambda shown: list(shown.document.authors),
    **_attributes("date", "site", "language", "url", "kind"),
    "confidence": lambda shown: round(shown.document.confidence, 3),
    "no_content": lambda shown: round(shown.document.no_content, 3),
    "status": lambda shown: shown.part.status,
    **_attributes("method", "readable"),
    "kinds": lambda shown: {kind: round(share, 3) for kind, share in shown.document.kinds.items()},
    "metadata": lambda shown: shown.document.metadata.to_dict(),
    "text": lambda shown: shown.text,
    "posts": lambda shown: shown.part._post_dicts(),
    "markdown": lambda shown: formats.FORMATS["markdown"].write(shown.content),
    "html": lambda shown: formats.FORMATS["html"].write(shown.content),
    "blocks": lambda shown: shown.part._block_table(),
    "related": lambda shown: [link._asdict() for link in shown.document.related],
    "threads": lambda shown: shown.document.threads.to_dict(),
}
# The fields that `Document.to_dict` and `--format json` have unless others are chosen.
USUAL_FIELDS = tuple(_FIELDS)[: tuple(_FIELDS).index("posts") + 1]


@cache
def field_names() -> tuple[str, ...]:
    """Return the names of all fields of `Document.to_dict`."""
    return tuple(dict.fromkeys((*_FIELDS, *_metadata_names())))


def _metadata_names() -> tuple[str, ...]:
    return tuple(metadata.Metadata.__dataclass_fields__)


def choose_fields(
    fields: str | Iterable[str] | None, usual: Sequence[str], known: Sequence[str]
) -> tuple[str, ...]:
    """Return the names of the chosen fields: the usual ones, or those given, or both after a "+".

    Raise UsageError for a name that is not known.
    """
    if fields is None:
        return tuple(usual)
    parts = fields.split(",") if isinstance(fields, str) else list(fields)
    names = [part.strip() for part in parts]
    adds = bool(names) and names[0].startswith("+")
    names = [name.removeprefix("+") for name in names] if adds else names
    for name in names:
        if name not in known:
            what = f"no field {name!r}" if name else "a field has no name"
            raise UsageError(f"{what}: the fields are {', '.join(known)}.")
    if not names:
        raise UsageError(f"no field is chosen: the fields are {', '.join(known)}.")
    return tuple(dict.fromkeys((*(usual if adds else ()), *names)))


_CONTENT = {
    "text",
    "blocks",
    "_kept_columns",
    "threads",
}  # copies of its content that a document keeps
_OF_KEYS = 200  # characters of the keys of a block or a post in JSON
# Bounds of the memory of long outputs: all fields of JSON then need at most 300 MB, measured with
# texts of one, two and four bytes a character on pages of up to 200,000 rows.
_LONG = 16_000_000  # characters that are no long output, whatever they are
_MEMORY = 2.6  # bytes for each character of the limit
_OF_A_ROW = 400  # bytes for each row of the page


def counted_size(characters: int, width: int, page: Page) -> int:
    """Return the size of an output as `Limits.output` counts it, in characters.

    If that limit is above 16 million characters, memory counts too, so that fewer characters fit if
    each needs two bytes, as in Chinese, or four, as with emoji, and if the page has very many rows.
    """
    if page.limits[2] <= _LONG:
        return characters
    return max(characters, round((width * characters + _OF_A_ROW * len(page)) / _MEMORY))


def width_of(text: str) -> int:
    """Return how many bytes of memory each character of a text has: 1, 2 or 4."""
    if text.isascii():
        return 1
    return min(4, (sys.getsizeof(text) - _HEADER) // (len(text) + 1))


_HEADER = sys.getsizeof("é") - 2  # bytes besides the characters and the one that ends them

_ESCAPED = bytes({*range(32), *b'&<>"'} - {*b"\t\n\r"})  # each is up to six characters


def least_output(selection: Selection, copies: int = 1, besides: int = 0) -> int:
    """Return about which size an output has at least that has this content so many times.

    These are the text, if it is much with its escapes, and the address of the page that each
    relative link begins with. See `counted_size` for what is counted.
    """
    page, limit = selection.page, selection.page.limits[2]
    if not page.base_url:  # it may have room, whatever is kept
        if page.html is not None and 6 * copies * len(page.html) + besides <= limit:
            return 0  # the texts are no longer than the source
        if 6 * copies * page.chars.sum() + besides <= limit:
            return 0
    chars = int(page.chars[selection.rows].sum())
    links = int(np.count_nonzero(page.is_link)) * len(page.base_url)
    if copies * chars <= limit // 6:
        return copies * (chars + links) + besides
    texts = list(compress(page.texts, selection.keep.tolist()))
    size = chars + links + 5 * sum(map(_escapes, texts))
    return counted_size(copies * size + besides, max(map(width_of, texts), default=1), page)


def _escapes(text: str) -> int:
    """Return how many characters of a text are escaped in some format."""
    found = 0
    for first in range(0, len(text), _CHARACTERS_AT_ONCE):
        part = text[first : first + _CHARACTERS_AT_ONCE].encode("ascii", "replace")
        found += len(part) - len(part.translate(None, _ESCAPED))
    return found


_CHARACTERS_AT_ONCE = 1_000_000  # of a text, so that memory is bounded


def _readable(selection: Selection) -> Selection:
    """Return a selection with formulas as TeX, code in tables as blocks, and raised digits."""
    if may_have_formulas(selection.page) or has_code_in_parts(selection.page):  # true of few pages
        selection = readable_text.readable(selection)
    page, keep = with_raised(selection.page, selection.keep)
    is_same = page is selection.page and keep is selection.keep
    return selection if is_same else replace(selection, page=page, keep=keep)


def _with_marked_formulas(selection: Selection) -> Selection:
    """Return a selection with the formulas between marks in its text as TeX between dollars."""
    return readable_text.with_marked_formulas(selection)


write_text_of(_readable, _with_marked_formulas)


def _well_formed_text(document: Document) -> str:
    return well_formed(document.text)


def _write(form: FormatName, content: Content) -> str:
    return well_formed(formats.FORMATS[form].write(content))  # attributes may hold lone surrogates


_FAVORS = (None, *get_args(Favor))


def choose_method(method: str | Method | None, favor: Favor | None) -> Method:
    """Return the method that `extract` uses; only the default takes `favor`."""
    if favor not in _FAVORS:
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
    is_usual = method is _DEFAULT or method == _DEFAULT
    expression = "default" if is_usual else combine.write(method)
    found = data_text.find(selection)
    if found is not None:
        chosen = found.selection
        return Document(chosen.page, chosen, expression, method.model, found.source)
    document = Document(page, selection, expression, method.model)
    document.__dict__["judgement"] = judgement  # so that it is not computed again
    return document
