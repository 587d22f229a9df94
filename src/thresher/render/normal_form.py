"""The normal form: one small vocabulary, with blocks and lines strictly separate.

    block  = h1..h6, p, ul, ol, dl, blockquote, pre > code, table, figure, details, hr, aside
    line   = text, a, em, strong, code, del, ins, u, mark, sub, sup, kbd, q, br, img, span.math,
             input (the box of a task, at the start of li), span[lang] (for speech only)
    ul, ol hold li; dl holds dt and dd; table holds caption and tr, tr holds th and td

Bare text in the body, a quotation or `details` is wrapped in p; li, dd, th, td, figure and aside (a
footnote) may hold one line directly. Formatting around blocks moves into their lines, spaces move
out of formatting, equal neighbours merge, empty elements are dropped. Nesting deeper than
`MAX_DEPTH` is flattened, so that parsers with a depth limit can read every output.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import takewhile
from typing import TypeAlias

from thresher.page.addresses import resolve
from thresher.page.attributes import attribute_values, parse_integer
from thresher.page.plain_text.lists import count_items, first_number
from thresher.page.words import collapsed
from thresher.render.code import normalise_code
from thresher.render.compiled import use_compiled
from thresher.render.footnotes import (
    NOTE,
    is_normal_note,
    is_normal_reference,
    normalise_footnotes,
)
from thresher.render.images import IMAGE_TAGS, normalise_images
from thresher.render.kept_tree import KeptTree
from thresher.render.maths import DISPLAYED, PIECES, normalise_maths
from thresher.render.media import MEDIA_TAGS, normalise_media
from thresher.render.scan import collapse_spaces
from thresher.render.tables import EMPTY, read_table
from thresher.render.tree import Element, Node, Text

MAX_DEPTH = 120  # open elements; libxml2 refuses XML deeper than 256
LANGUAGE = re.compile(r"[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*")  # a tag that XML can hold
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
INLINE = frozenset("a em strong code del ins u mark sub sup kbd q br img span input".split())


def normalise(
    tree: KeptTree,
    *,
    url: str | None = None,
    links: bool = True,
    images: bool = True,
    spoken: bool = False,
) -> Element:
    """Return the kept content of a page in the normal form, as an element `body`.

    The tree holds kept text only, so text is dropped only where it repeats other text (copies of a
    formula, line numbers, links back from a footnote) or is never shown (data lists and the like).
    URLs become absolute against `url`. Without `links` only their text stays, without `images`
    nothing of these. With `spoken`, what speech needs is added: `span[lang]` around words for which
    the page states a language, and copies of short cells where their spans reach.
    """
    body = Element("body")
    _Builder(tree, body, url, links=links, images=images, spoken=spoken).read()
    return body


def is_inline(node: Node) -> bool:
    """Return whether a node of the normal form belongs in a line, as text does."""
    if not isinstance(node, Element):
        return True
    element = node
    return element.tag in INLINE


def are_inline(nodes: list[Node]) -> bool:
    """Return whether all nodes of the normal form belong in a line."""
    return all(map(is_inline, nodes))


def lines_and_blocks(container: Element) -> list[list[Node] | Element]:
    """Return the content of an element: each line as a list of nodes, and each block."""
    pieces: list[list[Node] | Element] = []
    line: list[Node] = []
    for node in container.children:
        if isinstance(node, Element):
            element = node
            if element.tag not in INLINE:
                pieces.append(element)
                line = []
                continue
        if not line:
            pieces.append(line)
        line.append(node)
    return pieces


def numbered_items(list_: Element) -> list[tuple[Element, int]]:
    """Return the items of a list, each with its number as a browser shows it."""
    items = [item for item in list_.children if isinstance(item, Element) and item.tag == "li"]
    if list_.tag != "ol":
        return list(zip(items, range(1, len(items) + 1), strict=True))
    values = [item.attr("value") for item in items]
    numbers = count_items(list_.attr("start"), list_.attr("reversed") is not None, values)
    return list(zip(items, numbers, strict=True))


# --- the elements that are being filled -----------------------------------------------------------

_BLOCKS, _MIXED, _LINE, _ITEMS, _CLOSED = range(5)  # kinds of frames
_ITEM_TAGS = frozenset("li dt dd tr td th caption".split())


class _Frame:
    """An element of the normal form that is being filled.

    Its kind says what it may hold. `_BLOCKS`: blocks. `_MIXED`: one line, or blocks. `_LINE`: one
    line. `_ITEMS`: items only; other content goes into the last item or, before the first, into the
    frame outside. `_CLOSED`: nothing more.
    """

    __slots__ = (
        "attached",
        "element",
        "has_bare_line",
        "implied",
        "implied_at",
        "kind",
        "last",
        "number",
        "parent",
        "size",
        "step",
    )

    def __init__(self, element: Element, kind: int, parent: _Frame | None) -> None:
        self.element = element
        self.kind = kind
        self.parent = parent  # while it is not in the tree
        self.attached = parent is None  # whether the element is in the tree
        self.size = 0  # how many blocks and lines it holds
        self.has_bare_line = False  # whether it holds a line without p
        self.last: _Frame | None = None  # the last item
        self.number = 1  # of an item; in a list, of the next item
        self.step = 1
        self.implied: _Frame | None = None  # the list last made for items outside of any,
        self.implied_at = -1  # and the size at that time


_UNSTATED, _LEFT_TO_RIGHT, _RIGHT_TO_LEFT = 1, 2, 3  # directions of writing
_DIRECTIONS = {"ltr": _LEFT_TO_RIGHT, "rtl": _RIGHT_TO_LEFT}


class _Frames:
    """The stack of open frames, the innermost last.

    An element is put into the tree with its first content, so empty elements never appear.
    """

    __slots__ = ("directions", "may_split", "open", "row", "tree")

    def __init__(self, root: Element, tree: KeptTree) -> None:
        self.open = [_Frame(root, _BLOCKS, None)]
        self.tree = tree
        self.row = -1  # the text or the open element that was read last
        self.may_split = False  # whether two breaks may split the line that was begun last
        # Of writing, in each row and before them in the body: 0 where it was not looked up.
        self.directions = bytearray(len(tree) + 1)
        self.directions[0] = _UNSTATED

    def top(self) -> _Frame:
        """Return the innermost frame that is not closed."""
        at = len(self.open) - 1
        while self.open[at].kind == _CLOSED:
            at -= 1
        return self.open[at]

    def target(self) -> _Frame:
        """Return the frame that takes the next line or block."""
        for frame in reversed(self.open):
            while frame.kind == _ITEMS and frame.last is not None:
                if frame.last.kind == _LINE and frame.element.tag == "dl":
                    self.attach(_Frame(Element("dd"), _MIXED, frame))
                frame = frame.last
            if frame.kind != _ITEMS and frame.kind != _CLOSED:
                return frame
        return self.open[0]

    def push(self, element: Element, kind: int) -> _Frame:
        """Open a frame, which is put into the tree when it gets content."""
        top = self.top()
        parent = top if top.kind == _ITEMS and element.tag in _ITEM_TAGS else self.target()
        frame = _Frame(element, kind, parent)
        self.open.append(frame)
        return frame

    def attach(self, frame: _Frame) -> None:
        """Put a frame, and the frames around it, into the tree."""
        if frame.attached:
            return
        pending: list[_Frame] = []
        while frame.parent is not None:
            pending.append(frame)
            frame = frame.parent
        for new in reversed(pending):
            parent = new.parent
            assert parent is not None
            if parent.element.tag == "ol":
                _write_number(new, parent)
            self._append(new.element, parent)
            parent.last = new
            new.attached, new.parent = True, None  # no cycle: `parent.last` refers to it

    def _append(self, block: Element, parent: _Frame) -> None:
        if parent is self.open[0] and self._direction() == _RIGHT_TO_LEFT:
            block.set("dir", "rtl")
        parent.element.children.append(block)
        parent.size += 1

    def _direction(self) -> int:
        """Return the direction of writing that the nearest element around the row states."""
        known, tree = self.directions, self.tree
        row = self.row
        while not known[row + 1]:
            stated = tree.attr(row, "dir") if tree.tags[row] else None
            if stated is not None and stated.lower() in _DIRECTIONS:
                known[row + 1] = _DIRECTIONS[stated.lower()]
            else:
                row = tree.parents[row]
        direction = known[row + 1]
        row = self.row
        while not known[row + 1]:
            known[row + 1] = direction
            row = tree.parents[row]
        return direction

    def put(self, block: Element) -> None:
        """Append a rule or a block of code, which have no direction."""
        target = self.target()
        self.attach(target)
        target.element.children.append(block)
        target.size += 1

    def begin_line(self) -> Element:
        """Return the element for a new line; see `may_split`."""
        target = self.target()
        self.attach(target)
        self.may_split = target.kind != _LINE
        if target.kind == _LINE:
            return target.element
        if target.kind == _MIXED and target.size == 0:
            target.size, target.has_bare_line = 1, True
            return target.element
        if target.has_bare_line:
            target.has_bare_line = False
            _wrap_first_line(target.element)
        paragraph = Element("p")
        self._append(paragraph, target)
        return paragraph

    def push_list(self, tree: KeptTree, index: int, tag: str) -> None:
        """Open a list or a table; an ordered list counts as its attributes say."""
        frame = self.push(Element(tag), _ITEMS)
        if tag == "ol":
            is_reversed = tree.attr(index, "reversed") is not None
            size = sum(tree.tags[child] == "li" for child in tree.children(index))
            frame.number = first_number(tree.attr(index, "start"), is_reversed, size)
            if is_reversed:
                frame.step = -1
                frame.element.set("reversed", "")
            kind = tree.attr(index, "type")
            if kind in ("a", "A", "i", "I"):
                frame.element.set("type", kind)

    def push_implied_list(self, tag: str) -> None:
        """Open the list that items outside of any list share with their neighbours."""
        target = self.target()
        same = target.implied
        if same is not None and same.element.tag == tag and target.implied_at == target.size:
            self.open.append(same)
        else:
            target.implied = self.push(Element(tag), _ITEMS)
            target.implied_at = target.size + 1

    def push_item(self, tree: KeptTree, index: int, kind: int) -> None:
        """Open an item; in an ordered list it has its own number or else the next."""
        parent = self.top()
        item = self.push(Element(tree.tags[index]), kind)
        if parent.element.tag == "ol":
            own = tree.numbers.get(index)
            own = parse_integer(tree.attr(index, "value")) if own is None else own
            item.number = parent.number if own is None else own
            parent.number = item.number + parent.step


def _write_number(item: _Frame, parent: _Frame) -> None:
    """Write the number of an item only where counting on would give another."""
    if parent.last is None:
        if item.number != 1 or parent.step < 0:
            parent.element.set("start", str(item.number))
    elif item.number != parent.last.number + parent.step:
        item.element.set("value", str(item.number))


def _wrap_first_line(element: Element) -> None:
    """Wrap the line that an element holds directly in a paragraph."""
    paragraph = Element("p")
    paragraph.children = list(takewhile(is_inline, element.children))
    element.children[: len(paragraph.children)] = [paragraph]


# --- lines ----------------------------------------------------------------------------------------

# Two of these that are equal and adjacent are written as one.
_MERGING = frozenset({"em", "strong", "code", "del", "ins", "u", "mark", "sub", "sup"})


class _Format:
    """Formatting of the words to come, and the index of the element that it comes from."""

    __slots__ = ("attributes", "source", "tag")

    def __init__(self, tag: str, source: int, attributes: dict[str, str] | None) -> None:
        self.tag = tag
        self.source = source
        self.attributes = attributes

    def continues_as(self, following: _Format, after_space: bool) -> bool:
        """Return whether words with the format `following` need no new element."""
        if self.source == following.source:
            return True
        return not after_space and self.tag == following.tag and self.tag in _MERGING


_ZERO_WIDTH, _MARK = "\N{ZERO WIDTH SPACE}", "\N{ZERO WIDTH NO-BREAK SPACE}"
_STRAY = re.compile(rf"{_MARK}|(?<!\w){_ZERO_WIDTH}+|{_ZERO_WIDTH}+(?!\w)")  # not within a word


class _Line:
    """Writes words into the current line, which begins with its first word.

    `space`
    and `breaks` apply to the next word: whether a space comes before it, and how many line breaks;
    two or more breaks begin a new line.
    """

    __slots__ = (
        "_frames",
        "_is_open",
        "_line",
        "_may_split",
        "_open",
        "_words",
        "breaks",
        "formats",
        "space",
    )

    def __init__(self, frames: _Frames) -> None:
        self._frames = frames
        self._line: Element | None = None
        self._may_split = False
        self._words: list[str] = []  # not yet in the tree
        self._open: list[tuple[_Format, Element]] = []
        self._is_open = False  # whether the line has begun, with all formats of the next word
        self.formats: list[_Format] = []  # of the next word
        self.space = False
        self.breaks = 0

    def has_format(self, tag: str) -> bool:
        """Return whether the words to come have this formatting."""
        for fmt in self.formats:  # noqa: SIM110 (faster, as it is compiled)
            if fmt.tag == tag:
                return True
        return False

    def push_format(self, fmt: _Format) -> None:
        """Add formatting for the words to come."""
        self.formats.append(fmt)
        self._is_open = False

    def pop_formats(self, size: int) -> None:
        """Remove the formatting that was added when there were `size` formats."""
        del self.formats[size:]
        self._is_open = False

    def text(self, data: str) -> None:
        """Add text; a space at its end is written with the next word."""
        if _ZERO_WIDTH in data or _MARK in data:
            data = _STRAY.sub("", data)
        if not data:
            return
        if data[0].isspace() and data.isspace():  # no-break spaces alone are white space too
            self.space = True
            return
        words = collapse_spaces(data)
        begins, ends = words[0] == " ", words[-1] == " "
        if begins:
            self.space = True
        if not self._is_open or self.breaks:
            # Code goes innermost: Markdown cannot hold other formatting within it.
            formats = self.formats
            if len(formats) > 1 and self.has_format("code"):
                code = [fmt for fmt in formats if fmt.tag == "code"]
                formats = [*self._formats_but_code(), *code]
            self._prepare(formats)
            self._is_open = True
        elif self.space:
            self._words.append(" ")
        self._words.append(words.strip(" ") if begins or ends else words)
        self.space = ends

    def element(self, element: Element) -> None:
        """Add a finished inline element; a formula that is displayed is apart from words before."""
        if element.tag == "span" and element.attr("class") == DISPLAYED:
            self.space = True
        self._prepare(self._formats_but_code())
        self._flush().append(element)
        self._is_open = False

    def end(self) -> None:
        """End the line; `formats` are opened again in the next."""
        if self._line is not None:
            self._flush()
            self._line = None
            self._open.clear()
            self._may_split = False
            self._is_open = False
        self.space = False
        self.breaks = 0

    def _formats_but_code(self) -> list[_Format]:
        return [fmt for fmt in self.formats if fmt.tag != "code"]

    def _flush(self) -> list[Element | Text]:
        """Put the words into the tree, and return the content of the innermost open element."""
        assert self._line is not None
        innermost = self._open[-1][1] if self._open else self._line
        current = innermost.children
        if self._words:
            current.append(Text("".join(self._words)))
            self._words.clear()
        return current

    def _prepare(self, formats: list[_Format]) -> None:
        """Write the line breaks, the space and the formatting before the next word."""
        if self.breaks and self._line is not None:
            if self.breaks > 1 and self._may_split:
                self.end()
            else:
                self._close_other_formats(self._formats_but_code(), True)
                self._flush().append(Element("br"))
                self.space = False
        if self._line is None:
            self._line = self._frames.begin_line()
            self._may_split = self._frames.may_split
            self.space = False
        self.breaks = 0
        if self._open:
            self._close_other_formats(formats, self.space)
        if self.space:
            self._words.append(" ")
            self.space = False
        while len(self._open) < len(formats):
            fmt = formats[len(self._open)]
            element = Element(fmt.tag, None if fmt.attributes is None else dict(fmt.attributes))
            self._flush().append(element)
            self._open.append((fmt, element))

    def _close_other_formats(self, formats: list[_Format], after_space: bool) -> None:
        """Close the open formatting that the next word does not share."""
        shared = 0
        while shared < min(len(self._open), len(formats)):
            if not self._open[shared][0].continues_as(formats[shared], after_space):
                break
            shared += 1
        if shared < len(self._open):
            self._flush()
            del self._open[shared:]


# --- reading the rows -----------------------------------------------------------------------------

_LISTS = {"ul": "ul", "ol": "ol", "menu": "ul", "dir": "ul", "dl": "dl", "table": "table"}
_HOLDERS = {"li": ("ul", "ol"), "dt": ("dl",), "dd": ("dl",), "tr": ("table",)}  # of items
_HOLDERS |= {"td": ("tr",), "th": ("tr",)}
_IMPLIED_LISTS = {"li": "ul", "dt": "dl", "dd": "dl"}
_CAPTIONS = {"caption": "table", "summary": "details", "figcaption": "figure"}
_BLOCKS_WITHOUT_FRAME = frozenset(
    "address article body center dialog div fieldset footer form header hgroup html legend "
    "main nav optgroup option search section tbody tfoot thead".split()
)
_DROPPED = frozenset(
    "area base col colgroup datalist head iframe input link meta noembed noframes param script "
    "source style template title track wbr".split()
)
_SPACED = frozenset({"button", "desc", "select", "svg", "text", "textarea", "title"})
_FORMATS = {tag: tag for tag in "em strong code del ins u mark sub sup kbd q".split()}
_FORMATS |= {"i": "em", "cite": "em", "var": "em", "dfn": "em", "b": "strong", "tt": "code"}
_FORMATS |= {"samp": "code", "s": "del", "strike": "del"}
_FRAME_KINDS: dict[str, int] = dict.fromkeys(HEADINGS, _LINE)
_MAX_LANGUAGES = 4  # one within another
_FRAME_KINDS |= {"blockquote": _BLOCKS, "details": _BLOCKS, "figure": _MIXED, "aside": _MIXED}


# What an element means, by its name. Others have no meaning of their own, only their content.
_NONE, _LEAF, _SUP, _EDGE, _FORMAT, _LINK, _PARAGRAPH, _SPACE, _ANNOTATION = range(9)
_TABLE, _FRAME = 9, 10
_MEANINGS: dict[str, int] = dict.fromkeys(_BLOCKS_WITHOUT_FRAME, _EDGE)
_MEANINGS |= dict.fromkeys([*_LISTS, *_FRAME_KINDS, *_HOLDERS, *_CAPTIONS], _FRAME)
_MEANINGS |= dict.fromkeys(_FORMATS, _FORMAT) | dict.fromkeys(_SPACED, _SPACE)
_MEANINGS |= dict.fromkeys([*_DROPPED, *IMAGE_TAGS, "br", "hr"], _LEAF)
_MEANINGS |= {"a": _LINK, "p": _PARAGRAPH, "rt": _ANNOTATION, "table": _TABLE}
_MEANINGS["sup"] = _SUP


class _Opened:
    """What to undo at the end of an element."""

    __slots__ = ("formats", "frames", "is_block", "is_spaced", "text")

    def __init__(self, frames: int) -> None:
        self.frames = frames  # how many frames were open before
        self.is_block = False
        self.is_spaced = False
        self.formats = -1  # how many formats were open before, if one was added
        self.text = ""  # to add at the end


# A call, or the first and the last of the rows to read and how many elements were open before.
_Task: TypeAlias = Callable[[], object] | tuple[int, int, int]
_ALL_OPEN = -1  # those that are open when the task is done


_APART = MEDIA_TAGS | {"div", "p"}  # elements in lines of their own, whatever replaces them
_HIDDEN_MAIL = "/cdn-cgi/l/email-protection"  # of an address of mail that a script shows


class _Builder:
    """Reads the kept rows of a page in order and writes the normal form."""

    def __init__(
        self,
        tree: KeptTree,
        body: Element,
        url: str | None,
        *,
        links: bool,
        images: bool,
        spoken: bool,
    ) -> None:
        self.tree = tree
        self.url = url
        self.links = links
        self.images = images
        self.spoken = spoken
        self.image_attributes: dict[int, dict[str, str]] = {}
        self.addresses: dict[int, str | None] = {}  # of the elements `a`
        self.languages: dict[int, str] = {}  # of the elements that state one, for speech
        self.ends: list[int] = []  # of the open elements
        self.opened: list[_Opened | None] = []  # None: a block without a frame
        self.tasks: list[_Task] = []
        self.frames = _Frames(body, tree)
        self.line = _Line(self.frames)

    def read(self) -> None:
        """Write the whole tree, without recursion."""
        self._rewrite()
        self.tasks.append((0, len(self.tree), 0))
        while self.tasks:
            task = self.tasks.pop()
            if isinstance(task, tuple):
                self._read_rows(*task)
            else:
                task()
        self.line.end()

    def _rewrite(self) -> None:
        """Rewrite formulas, images, media, footnotes and code."""
        tree = self.tree
        if self.spoken:
            self._find_languages()
        normalise_maths(tree)
        if not IMAGE_TAGS.isdisjoint(tree.places):
            self.image_attributes = normalise_images(tree, self.url)
        if self.links and not self.spoken and not MEDIA_TAGS.isdisjoint(tree.places):
            normalise_media(tree, self.url, images=self.images)
        if "a" in tree.places:
            links = tree.places["a"]
            holders = list(map(tree.nodes.__getitem__, links))
            self.addresses = dict(zip(links, attribute_values(holders, "href"), strict=True))
        if "a" in tree.places or "sup" in tree.places:
            normalise_footnotes(tree, self.addresses, self.url, spoken=self.spoken)
        normalise_code(tree)

    def _find_languages(self) -> None:
        for index, tag in enumerate(self.tree.tags):
            if tag:
                names = ("lang", "xml:lang")
                stated = next(filter(None, (self.tree.attr(index, name) for name in names)), "")
                if LANGUAGE.fullmatch(stated.strip()):
                    self.languages[index] = stated.strip()

    # --- rows -----------------------------------------------------------------------------------

    def _read_rows(self, index: int, stop: int, base: int) -> None:
        """Write rows; at a table, leave the rest to tasks."""
        tree, line, opened, open_ends = self.tree, self.line, self.opened, self.ends
        tags, ends, texts, replaced = tree.tags, tree.ends, tree.texts, tree.replaced
        frames, languages = self.frames, self.languages
        base = len(opened) if base == _ALL_OPEN else base
        next_end = open_ends[-1] if len(opened) > base else stop
        while True:
            if index >= next_end:
                while len(opened) > base and open_ends[-1] <= index:
                    self._leave_last()
                if index >= stop:
                    return
                next_end = open_ends[-1] if len(opened) > base else stop
            tag = tags[index]
            if replaced and index in replaced:
                frames.row = tree.parents[index]
                self._write_replacement(index)
                index = ends[index]
                continue
            if not tag:
                frames.row = index
                line.text(texts[index])
                index += 1
                continue
            meaning = _MEANINGS.get(tag, _NONE)
            if meaning == _TABLE:
                self.tasks.append((ends[index], stop, base))
                self.tasks.extend(reversed(self._table_tasks(index)))
                return
            if meaning in (_LEAF, _SUP) and self._write_leaf(index, tag):
                index = ends[index]
                continue
            if meaning != _NONE or (languages and index in languages):
                self._enter(index, tag, meaning)
                next_end = open_ends[-1]
            index += 1

    def _table_tasks(self, table: int) -> list[_Task]:
        """Return what is to be done for a table: its rows, or the blocks of a layout table."""
        tree, ends = self.tree, self.tree.ends
        parts = read_table(tree, table)
        rows = [] if table in tree.layout_tables else parts.grid(tree, copy_spans=self.spoken)
        if len(rows) == 1 and len(rows[0]) == 1 and not parts.captions:  # a cell is no table
            tree.layout_tables.add(table)
            rows = []
        if not rows:  # a caption alone is no table
            blocks = parts.blocks if table in tree.layout_tables else parts.captions
            items = parts.bulleted(tree)
            blocks = items or blocks
            for block in blocks:
                if tree.tags[block] in ("caption", "td", "th"):
                    tree.tags[block] = "li" if items else "div"
            tree.tags[table] = "ul" if items else "div"
        others = [] if table in tree.layout_tables else parts.others
        tasks: list[_Task] = [
            (other, ends[other], _ALL_OPEN)
            for other in others
            if tree.tags[other] or tree.texts[other].strip()
        ]
        tasks.append(lambda: self._enter(table, tree.tags[table], _MEANINGS[tree.tags[table]]))
        inner = parts.captions if rows else blocks
        tasks += [(index, ends[index], _ALL_OPEN) for index in inner]
        for row in rows:
            tasks.append(self._enter_row)
            for cell in row:
                if isinstance(cell, int) and cell != EMPTY:
                    tasks.append((cell, ends[cell], _ALL_OPEN))
                else:
                    tag, text = ("td", "") if isinstance(cell, int) else cell
                    tasks.append(partial(self._write_cell, tag, text))
            tasks.append(self._leave_last)
        tasks.append(self._leave_last)
        return tasks

    def _enter_row(self) -> None:
        self._enter(EMPTY, "tr", _FRAME)

    def _write_cell(self, tag: str, text: str) -> None:
        """Write a cell that the page does not have."""
        self._enter(EMPTY, tag, _FRAME)
        self.line.text(text)
        self._leave_last()

    def _write_replacement(self, index: int) -> None:
        """Write what takes the place of an element."""
        node = self.tree.replaced[index]
        if isinstance(node, Text):
            self.line.text(node.data)
        elif node is None:
            return
        elif node.tag == PIECES:
            self._write_pieces(node)
        elif self.tree.tags[index] in _APART and node.tag != "pre":
            self._block_edge(False)
            self.line.element(node)
            self._block_edge(False)
        elif node.tag != "pre":
            self.line.element(node)
        elif self._begin_block():
            self.frames.put(node)
        else:  # where no block may be, it is code in a line
            self._block_edge(False)
            formats = len(self.line.formats)
            if not self.line.has_format("code"):
                self.line.push_format(_Format("code", index, None))
            self.line.text(node.text)
            self._block_edge(False)
            self.line.pop_formats(formats)

    def _write_pieces(self, pieces: Element) -> None:
        """Write texts, line breaks and formulas that take the place of a text."""
        for piece in pieces.children:
            if isinstance(piece, Text):
                self.line.text(piece.data)
            elif piece.tag == "br":
                self._write_break()
            else:
                self.line.element(piece)

    def _write_box(self, is_checked: bool) -> None:
        """Write the box of a task, if it begins its item."""
        top = self.frames.top()
        if top.element.tag == "li" and not top.size:
            attributes = {"type": "checkbox", "disabled": ""}
            self.line.element(
                Element("input", attributes | {"checked": ""} if is_checked else attributes)
            )
            self.line.space = True

    def _write_break(self) -> None:
        if self.frames.top().element.tag in HEADINGS:
            self.line.space = True
        else:
            self.line.breaks += 1

    def _write_leaf(self, index: int, tag: str) -> bool:
        """Write or drop an element with its content; return False if it has to be entered."""
        self.frames.row = self.tree.parents[index]
        if tag == "sup":
            if not self._is_reference(index):
                return False
            self.line.element(self.tree.copy(index))
        elif index in self.tree.boxes and not self.spoken:
            self._write_box(self.tree.boxes[index])
        elif tag in _DROPPED:
            return tag != "title" or not self._is_in_drawing(index)
        elif tag == "br":
            self._write_break()
        elif tag == "hr":
            if not self._begin_block():
                return False
            self.frames.put(Element("hr"))
        elif self.images and index in self.image_attributes:
            self.line.element(Element("img", self.image_attributes[index]))
        return True

    def _is_in_drawing(self, index: int) -> bool:
        return any(self.tree.tags[above] == "svg" for above in self.tree.ancestors(index))

    def _is_reference(self, index: int) -> bool:
        """Return whether a raised element is a reference in the normal form already."""
        tree = self.tree
        if tree.ends[index] < index + 2 or tree.tags[index + 1] != "a":
            return False
        is_whole = tree.ends[index + 1] == tree.ends[index] and index + 1 not in tree.replaced
        return is_whole and is_normal_reference(tree, index + 1)

    # --- elements -------------------------------------------------------------------------------

    def _enter(self, index: int, tag: str, meaning: int) -> None:
        """Open what an element is in the normal form."""
        self.ends.append(self.tree.ends[index] if index >= 0 else 0)
        has_language = bool(self.languages) and index in self.languages
        self.frames.row = index if index >= 0 else self.frames.row
        if meaning == _EDGE and not has_language:
            self._block_edge(False)
            self.opened.append(None)
            return
        opened = _Opened(len(self.frames.open))
        self.opened.append(opened)
        if has_language:
            self._enter_language(index, opened)
        if meaning in (_FORMAT, _SUP):
            self._enter_format(index, _FORMATS[tag], opened, None)
        elif meaning == _LINK:
            self._enter_link(index, opened)
        elif meaning in (_PARAGRAPH, _EDGE):
            self._block_edge(meaning == _PARAGRAPH)
            opened.is_block = True
        elif meaning == _SPACE or tag == "title":
            self.line.space = True
            opened.is_spaced = True
        elif meaning == _ANNOTATION:
            if not self._has_brackets(index):
                self.line.text("(")
                opened.text = ")"
        elif meaning >= _TABLE:
            self._enter_block(index, tag)
            opened.is_block = True

    def _has_brackets(self, annotation: int) -> bool:
        before = self.tree.previous(annotation)
        return before >= 0 and self.tree.tags[before] == "rp"

    def _enter_language(self, index: int, opened: _Opened) -> None:
        """Note the language that an element states for the words inside."""
        formats = self.line.formats
        if sum(open_format.tag == "span" for open_format in formats) < _MAX_LANGUAGES:
            opened.formats = len(formats)
            self.line.push_format(_Format("span", index, {"lang": self.languages[index]}))

    def _enter_format(
        self, index: int, tag: str, opened: _Opened, attributes: dict[str, str] | None
    ) -> None:
        if not self.line.has_format(tag):
            if opened.formats < 0:
                opened.formats = len(self.line.formats)
            self.line.push_format(_Format(tag, index, attributes))
        elif tag == "q":  # a quotation within a quotation
            self.line.text('"')
            opened.text = '"'

    def _enter_link(self, index: int, opened: _Opened) -> None:
        given = self.addresses[index]
        leads_nowhere = given == "#" or (given is not None and _HIDDEN_MAIL in given)
        address = resolve(given, self.url) if self.links and not leads_nowhere else None
        if address is not None:
            attributes = {"href": address}
            title = self.tree.attr(index, "title")
            if title and not title.isspace():
                attributes["title"] = collapsed(title)
            self._enter_format(index, "a", opened, attributes)

    def _enter_block(self, index: int, tag: str) -> None:
        """Open the frame of a block, if it gets one."""
        if tag in _LISTS:
            if self._begin_block():
                self.frames.push_list(self.tree, index, _LISTS[tag])
        elif tag in _HOLDERS:
            self._enter_item(index, tag)
        elif tag in _CAPTIONS:
            self._block_edge(False)
            if self.frames.top().element.tag == _CAPTIONS[tag]:
                self.frames.push(Element(tag), _LINE)
        elif tag == "aside" and not self._is_note(index):
            self._block_edge(False)
        elif self._begin_block():
            note = self._note_attributes(index) if tag == "aside" else None
            self.frames.push(Element(tag, note), _FRAME_KINDS[tag])

    def _is_note(self, index: int) -> bool:
        return index in self.tree.notes or is_normal_note(self.tree, index)

    def _note_attributes(self, index: int) -> dict[str, str]:
        label = self.tree.notes.get(index)
        name = self.tree.attr(index, "id") or "" if label is None else f"fn-{label}"
        return {"id": name, "role": NOTE}

    def _enter_item(self, index: int, tag: str) -> None:
        """Open an item in its list, in a list made for it, or as a block without a frame."""
        self._block_edge(False)
        top = self.frames.top()
        is_item = True
        if top.kind != _ITEMS or top.element.tag not in _HOLDERS[tag]:
            is_item = tag in _IMPLIED_LISTS and self._begin_block()
            if is_item:
                self.frames.push_implied_list(_IMPLIED_LISTS[tag])
        if is_item:
            if tag == "tr":
                self.frames.push(Element("tr"), _ITEMS)
            elif tag in ("td", "th"):
                self.frames.attach(self.frames.push(Element(tag), _MIXED))
            else:
                self.frames.push_item(self.tree, index, _LINE if tag == "dt" else _MIXED)
        if index in self.tree.notes and self._begin_block():
            self.frames.push(Element("aside", self._note_attributes(index)), _MIXED)

    def _begin_block(self) -> bool:
        """End the line before a block with a frame; return False if it has to be flattened."""
        top = self.frames.top()
        if top.kind == _LINE and top.element.tag not in HEADINGS:
            self._block_edge(False)
            return False
        self.line.end()
        if top.kind == _LINE:
            top.kind = _CLOSED  # a heading holds no blocks: it ends here
        return len(self.frames.open) < MAX_DEPTH

    def _block_edge(self, paragraph: bool) -> None:
        """Write the start or end of a block without a frame."""
        top = self.frames.open[-1]
        top = self.frames.top() if top.kind == _CLOSED else top
        if top.kind != _LINE:
            self.line.end()
        elif paragraph and top.attached and top.element.tag in HEADINGS:
            self.line.end()
            top.kind = _CLOSED
        elif top.element.tag == "figcaption":
            self.line.breaks += 1
        else:
            self.line.space = True

    def _leave_last(self) -> None:
        """Close the element that was entered last."""
        self.ends.pop()
        opened = self.opened.pop()
        if opened is None:
            self._block_edge(False)
            return
        if opened.text:
            self.line.space = False
            self.line.text(opened.text)
        if len(self.frames.open) > opened.frames:
            self.line.end()
            del self.frames.open[opened.frames :]
        elif opened.is_block:
            self._block_edge(False)
        if opened.is_spaced:
            self.line.space = True
        if opened.formats >= 0:
            self.line.pop_formats(opened.formats)


use_compiled(
    globals(), "normalise", "are_inline", "is_inline", "lines_and_blocks", "numbered_items"
)
