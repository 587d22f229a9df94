"""Templates: the elements of content blocks, and the page of content and boilerplate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.generator.blocks import (
    Block,
    Code,
    Figure,
    Heading,
    Items,
    Line,
    Offer,
    Paragraph,
    Post,
    Quote,
    Run,
    Table,
    Teaser,
)
from benchmarks.generator.furniture import Furniture
from benchmarks.generator.markup import Element, Piece, element


@dataclass(slots=True)
class Parts:
    """The parts of a page."""

    title: str
    author: str
    date: str
    content: tuple[Block, ...]
    comments: tuple[Post, ...] = ()
    copies: list[Element] = field(default_factory=list)  # of the content, hidden
    noise: list[Element] = field(default_factory=list)  # scripts, styles and HTML comments


@dataclass(frozen=True, slots=True)
class Template:
    """Writes one page in a design."""

    furniture: Furniture
    made: list[Piece] = field(default_factory=list)  # all boilerplate so far

    def page(self, parts: Parts) -> list[Piece]:
        """Return the body."""
        place = {"tables": self._tables, "divs": self._columns, "semantic": self._columns}[
            self.furniture.design.layout
        ]
        return [*place(self._main(parts)), *parts.noise[1::2]]

    def _keep(self, piece: Element) -> Element:
        self.made.append(piece)
        return piece

    def _columns(self, main: Element) -> list[Piece]:
        make, keep = self.furniture, self._keep
        sidebar = keep(make.sidebar())
        columns = [sidebar, main] if make.design.sidebar_first else [main, sidebar]
        outer = element("div", *columns, class_=make.design.class_of("columns"))
        related = [] if make.design.related_inside else [keep(make.related())]
        top = [keep(make.header()), keep(make.menu())]
        return [keep(make.cookies()), *top, outer, *related, keep(make.footer())]

    def _tables(self, main: Element) -> list[Piece]:
        make, keep = self.furniture, self._keep
        sidebar = element("td", keep(make.sidebar()), width="160", valign="top")
        center = element("td", main, valign="top")
        columns = [sidebar, center] if make.design.sidebar_first else [center, sidebar]
        wide = {"colspan": "2"}
        related = [] if make.design.related_inside else [keep(make.related())]
        top = element("td", keep(make.header()), keep(make.menu()), **wide)
        bottom = element("td", *related, keep(make.footer()), **wide)
        rows = [element("tr", top), element("tr", *columns), element("tr", bottom)]
        return [element("table", *rows, width="760", border="0", cellpadding="4")]

    def _main(self, parts: Parts) -> Element:
        make, keep = self.furniture, self._keep
        semantic = make.design.layout == "semantic"
        pieces: list[Piece] = [self._title(parts.title), *self._byline(parts), keep(make.share())]
        pieces += parts.copies[:1]
        content: list[Piece] = []
        noise = iter(parts.noise[::2])
        groups = _grouped(parts.content)
        for number, group in enumerate(groups):
            if number and number == len(groups) // 2 and make.design.related_inside:
                content.append(keep(make.related()))
            content += self.blocks(group)
            content += [piece for piece in [next(noise, None)] if piece]
        body = element("div", *content, class_=make.design.class_of("content"))
        pieces += [body, *noise, *parts.copies[1:], *self._comments(parts.comments)]
        article = element("article" if semantic else "div", *pieces)
        return element("main", article) if semantic else article

    def _title(self, title: str) -> Piece:
        if self.furniture.design.paragraph == "div":
            return element("div", title, class_=self.furniture.design.class_of("title"))
        return element("h1", title)

    def _byline(self, parts: Parts) -> list[Piece]:
        semantic = self.furniture.design.layout == "semantic"
        inside: list[Piece] = []
        if parts.date:
            stamp = element("time", parts.date, datetime=parts.date)
            inside.append(stamp if semantic else element("span", parts.date))
        if parts.author:
            inside.append(element("span", parts.author))
        role = self.furniture.design.class_of("byline")
        return [element("div", *inside, class_=role)] if inside else []

    def _comments(self, posts: Sequence[Post]) -> list[Piece]:
        if not posts:
            return []
        title = self._keep(element("h3", self.furniture.site.language.labels.comments))
        return [self.furniture.box("comments", title, *self.blocks(posts))]

    # --- content -----------------------------------------------------------------------------

    def blocks(self, blocks: Sequence[Block]) -> list[Piece]:
        """Return the elements of blocks; offers are one list."""
        if blocks and all(isinstance(block, Offer) for block in blocks):
            role = self.furniture.design.class_of("grid")
            items = [element("li", *self._block(block)) for block in blocks]
            return [element("ul", *items, class_=role)]
        pieces: list[Piece] = []
        for block in blocks:
            pieces += self._block(block)
        return pieces

    def _block(self, block: Block) -> list[Piece]:
        match block:
            case Heading(line):
                return [element("h2", *_runs(line))]
            case Paragraph(line):
                return self._paragraph(line)
            case Items(lines, ordered):
                items = (element("li", *_runs(line)) for line in lines)
                return [element("ol" if ordered else "ul", *items)]
            case Table():
                return [_table(block)]
            case Code(text):
                return [element("pre", element("code", text))]
            case Quote(line):
                return [element("blockquote", *self._paragraph(line))]
            case Figure(line):
                return [self._figure(line)]
            case _:
                return [self._entry(block)]

    def _paragraph(self, line: Line) -> list[Piece]:
        match self.furniture.design.paragraph:
            case "br":
                return [element("font", *_runs(line), size="2"), element("br"), element("br")]
            case name:
                return [element(name, *_runs(line))]

    def _figure(self, caption: Line) -> Element:
        picture = element("img", src="/picture.jpg", alt="")
        if self.furniture.design.layout == "semantic":
            return element("figure", picture, element("figcaption", *_runs(caption)))
        role = self.furniture.design.class_of("caption")
        return element("div", picture, element("div", *_runs(caption), class_=role))

    def _entry(self, block: Post | Teaser | Offer) -> Element:
        labels, role = self.furniture.site.language.labels, self.furniture.design.class_of
        match block:
            case Post(who, when, blocks):
                signed = element("div", element("b", who), element("span", when))
                reply = self._keep(element("div", element("a", labels.reply, href="#reply")))
                body = element("div", *self.blocks(blocks), class_=role("post-body"))
                return element("div", signed, body, reply, class_=role("post"))
            case Teaser(title, line):
                head = element("h3", element("a", title, href="/entry"))
                more = self._keep(element("div", element("a", labels.more, href="/entry")))
                return element("div", head, *self._paragraph(line), more, class_=role("teaser"))
            case Offer(name, price):
                cart = self._keep(element("div", element("button", labels.cart)))
                link = element("div", element("a", name, href="/offer"))
                return element("div", link, element("div", price), cart, class_=role("offer"))


def _grouped(blocks: Sequence[Block]) -> list[list[Block]]:
    """Return groups of blocks: consecutive offers, and every other block by itself."""
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and isinstance(block, Offer) and isinstance(groups[-1][-1], Offer):
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _runs(line: Line) -> list[Piece]:
    return [_run(run) for run in line]


def _run(run: Run) -> Piece:
    match run.mark:
        case "":
            return run.text
        case "a":
            return element("a", run.text, href="/see/also?from=here&to=there")
        case "b i":
            return element("b", element("i", run.text))
        case mark:
            return element(mark, run.text)


def _table(table: Table) -> Element:
    rows = []
    for number, row in enumerate(table.rows):
        name = "td" if number else "th"
        cells = (
            element(
                name,
                cell.text,
                colspan=str(cell.across) if cell.across > 1 else None,
                rowspan=str(cell.down) if cell.down > 1 else None,
            )
            for cell in row
        )
        rows.append(element("tr", *cells))
    return element("table", *rows, border="1")
