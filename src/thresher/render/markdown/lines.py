"""One line of the normal form as Markdown: escapes, emphasis, links, images, code.

Emphasis is written with `*`, `**` and `~~` where CommonMark will read it back, with HTML tags
where it would not (https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from turbohtml import Element, Node, Text

from thresher.render.footnotes import REFERENCE
from thresher.render.options import Include

_MARKS = {"em": "*", "strong": "**", "del": "~~"}
_TAGS = frozenset({"mark", "sub", "sup", "kbd", "ins"})
# What Markdown would read as markup. `*` between spaces, `_` within words, `~` before a number
# and `<` or `&` that begin nothing are left as they are.
_SPECIAL = (
    r"\\(?=[!-/:-@\[-`{-~]|$)|`|\[|(?<! )\*|\*(?! )|(?<!\w)_|_(?!\w)"
    r"|(?<! )~|~(?!\d)|<(?=[a-zA-Z/!?])|&(?=#?\w+;)"
)
_PLAIN = re.compile(_SPECIAL)
_BRACKETED = re.compile(_SPECIAL + r"|\]")
# What Markdown would read as a block at the start of a line.
_AT_START = re.compile(r"\A(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|-+\s*$|=+\s*$|>|\||:(?:[\s-]|$))")
_NUMBER_AT_START = re.compile(r"\A(\d{1,9})(?=[.)](?:\s|$))")
_BACKTICKS = re.compile(r"`+")
_AUTOLINK = re.compile(r"https?://[^\s<>]+")


@dataclass(slots=True, eq=False)
class _Mark:
    """The begin or end of emphasis, written once its neighbours are known."""

    tag: str
    opens: bool
    mate: _Mark | None = None
    as_html: bool = False

    def __str__(self) -> str:
        if self.as_html:
            return f"<{'' if self.opens else '/'}{self.tag}>"
        return _MARKS[self.tag]


@dataclass(slots=True)
class LineWriter:
    """Writes lines; `line_break` is what a break becomes, `cell` escapes `|` for a table."""

    include: Include
    line_break: str = "\\\n"
    cell: bool = False
    bold: bool = False  # the whole line is strong
    references: list[str] = field(default_factory=list)  # labels of notes, in order

    def write(self, nodes: Sequence[Node]) -> str:
        """The Markdown of one line."""
        items: list[str | _Mark] = []
        ends: list[tuple[Element, _Mark | None]] = []
        links = 0
        dollars = any(isinstance(n, Element) and _has_formula(n) for n in nodes)
        stack: list[Node | None] = [*reversed(nodes)]
        if self.bold:
            items.append(_Mark("strong", opens=True))
        while stack:
            node = stack.pop()
            if node is None:
                element, mark = ends.pop()
                links -= element.tag == "a"
                self._end(element, mark, items)
            elif isinstance(node, Text):
                text = self._escape(node.data, bracketed=links > 0, dollars=dollars)
                items.append(_guard(text) if _at_start(items) else text)
            elif isinstance(node, Element):
                whole = self._whole(node)
                if whole is not None:
                    if whole.startswith("["):
                        _calm(items)
                    items.append(whole)
                    continue
                links += node.tag == "a"
                ends.append((node, self._begin(node, items)))
                stack.append(None)
                stack.extend(reversed(node.children))
        if self.bold:
            _pair(items, items[0])
        _settle_marks(items)
        return "".join(map(str, items))

    def _whole(self, node: Element) -> str | None:
        """An element written in one step; None for the others."""
        tag = node.tag
        if tag == "br":
            return self.line_break
        if tag == "img":
            return self._image(node) if self.include.images else ""
        if tag == "code":
            return self._pipes(_code(node.text))
        if tag == "span":
            return self._pipes(node.text)
        if tag == "sup" and len(node) == 1:
            link = node[0]
            if isinstance(link, Element) and link.attr("role") == REFERENCE:
                self.references.append(link.text)
                return f"[^{link.text}]"
        if tag == "a" and self.include.links:
            address = node.attr("href") or ""
            if node.text == address and _AUTOLINK.fullmatch(address) and len(node) == 1:
                return f"<{self._pipes(address)}>"
        return None

    def _begin(self, node: Element, items: list[str | _Mark]) -> _Mark | None:
        tag = node.tag
        if tag in _MARKS and not (tag == "strong" and self.bold):
            mark = _Mark(tag, opens=True)
            items.append(mark)
            return mark
        if tag in _TAGS:
            items.append(f"<{tag}>")
        elif tag == "q":
            items.append('"')
        elif tag == "a" and self.include.links:
            _calm(items)
            items.append("[")
        return None

    def _end(self, node: Element, mark: _Mark | None, items: list[str | _Mark]) -> None:
        tag = node.tag
        if mark is not None:
            _pair(items, mark)
        elif tag in _TAGS:
            items.append(f"</{tag}>")
        elif tag == "q":
            items.append('"')
        elif tag == "a" and self.include.links:
            items.append(f"]({self._target(node, 'href')})")

    def _image(self, node: Element) -> str:
        alt = self._escape(node.attr("alt") or "", bracketed=True, dollars=False)
        return f"![{alt}]({self._target(node, 'src')})"

    def _target(self, node: Element, name: str) -> str:
        """An address and a title as they stand between the round brackets."""
        address = re.sub(r"\s", "%20", node.attr(name) or "")
        address = address.replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C")
        if address.count("(") != address.count(")") or re.search(r"\)[^(]*\(", address):
            address = address.replace("(", "%28").replace(")", "%29")
        title = node.attr("title")
        if title:
            escaped = re.sub(r'(["\\])', r"\\\1", title).replace("<", "&lt;")
            address = f'{address} "{escaped}"'
        return self._pipes(address)

    def _escape(self, text: str, *, bracketed: bool, dollars: bool) -> str:
        escaped = (_BRACKETED if bracketed else _PLAIN).sub(r"\\\g<0>", text)
        if dollars:
            escaped = escaped.replace("$", "\\$")
        return self._pipes(escaped)

    def _pipes(self, text: str) -> str:
        return text.replace("|", "\\|") if self.cell else text


def _has_formula(node: Element) -> bool:
    return node.tag == "span" or node.find("span") is not None


def _code(text: str) -> str:
    """Code between more backticks than it holds in a row."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _at_start(items: list[str | _Mark]) -> bool:
    """Whether the next text begins a line of Markdown."""
    return not items or (isinstance(items[-1], str) and items[-1].endswith("\n"))


def _calm(items: list[str | _Mark]) -> None:
    """Escape a `!` that would make an image of the link after it."""
    last = items[-1] if items else ""
    if isinstance(last, str) and last.endswith("!"):
        items[-1] = f"{last[:-1]}\\!"


def _guard(text: str) -> str:
    """Escape what would begin a block."""
    return _NUMBER_AT_START.sub(r"\1\\", _AT_START.sub(r"\\", text))


def _pair(items: list[str | _Mark], mark: str | _Mark) -> None:
    assert isinstance(mark, _Mark)
    mark.mate = _Mark(mark.tag, opens=False, mate=mark)
    items.append(mark.mate)


def _settle_marks(items: list[str | _Mark]) -> None:
    """Choose tags where signs of emphasis would not be read back as such."""
    runs: dict[_Mark, list[_Mark]] = {}
    suspect: list[_Mark] = []
    before, place = "", 0
    while place < len(items):
        item = items[place]
        if isinstance(item, str):
            before = item[-1:] or before
            place += 1
            continue
        run: list[_Mark] = []
        while place < len(items) and isinstance(mark := items[place], _Mark):
            run.append(mark)
            runs[mark] = run
            place += 1
        after = str(items[place])[:1] if place < len(items) else ""
        if not _reads_back(run, before, after):
            suspect += run
    while suspect:  # a tag in a run makes the whole run tags, and their mates
        mark = suspect.pop()
        if not mark.as_html:
            mark.as_html = True
            suspect += runs[mark]
            if mark.mate is not None:
                suspect.append(mark.mate)


def _reads_back(run: list[_Mark], before: str, after: str) -> bool:
    """CommonMark's rule for a run of signs that only opens or only closes."""
    opens = run[0].opens
    if any(mark.opens != opens for mark in run):
        return False
    inner, outer = (after, before) if opens else (before, after)
    if not inner or inner.isspace():
        return False
    return not _is_punctuation(inner) or not outer or outer.isspace() or _is_punctuation(outer)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
