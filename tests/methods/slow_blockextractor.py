"""The BlockExtractor paper's algorithms written slowly from the HTML string, node after node.

The tree comes from `html.parser`; nothing here uses our Page.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from html.parser import HTMLParser

from hypothesis import strategies as st

from tests import slow_definitions as slow
from tests.pages import slow_rows

# --- random pages --------------------------------------------------------------------------------

PHRASE = "text text b a img br script hidden comment".split()
FLOW = [*PHRASE, *"text p h2 div div section ul hr span empty cell".split()]
STARTS = {
    "a": ['<a href="/">', '<a title="All teas" href="/tea">', "<a>"],
    "div": ["<div>", '<div class="x">', '<div id="main" class="one two" data-a>'],
    "p": ["<p>", "<p>", '<p class="lead">'],
    "hidden": ['<span style="display:none">'],
    "script": ["<script>a = 1 < 2;"],
    "cell": ["<table><tbody><tr><td>"],
    "comment": ["<!-- tea -->"],
    "ul": ["<ul><li>", '<ul class="menu"><li>'],
}
ENDS = {
    "hidden": "</span>",
    "cell": "</td></tr></tbody></table>",
    "comment": "",
    "ul": "</li></ul>",
}


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Make a small page of all kinds of children, blocks in inline elements among them."""
    count = 0

    def text() -> str:
        nonlocal count
        words = []
        for size in draw(st.lists(st.integers(1, 9), max_size=draw(st.sampled_from([1, 3, 12])))):
            words.append(f"w{count}{'é' * size}")
            count += 1
        gap = draw(st.sampled_from([" ", "\n  ", " &amp; "]))
        return (
            draw(st.sampled_from(["", "\n "])) + gap.join(words) + draw(st.sampled_from(["", " "]))
        )

    def inside(kinds: list[str], depth: int) -> str:
        some = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=5))
        return "".join(element(kind, kinds, depth) for kind in some)

    def element(kind: str, kinds: list[str], depth: int) -> str:
        if kind == "text" or depth == 0:
            return text()
        if kind in ("img", "br", "hr"):
            return {"img": '<img src="/t.png" alt="">', "br": "<br>", "hr": "<hr>"}[kind]
        if kind == "empty":
            return "<div>\n</div>"
        start = draw(st.sampled_from(STARTS.get(kind, [f"<{kind}>"])))
        if kind in ("script", "comment"):
            return start + ENDS.get(kind, f"</{kind}>")
        holds_flow = kind in ("div", "section", "ul", "span", "cell") and "div" in kinds
        inner = FLOW if holds_flow else PHRASE
        if kind == "a" or "a" not in kinds:
            inner = [name for name in inner if name != "a"]
        return start + inside(inner, depth - 1) + ENDS.get(kind, f"</{kind}>")

    body = "".join(inside(FLOW, 3) for _ in range(draw(st.integers(0, 3))))
    return f"<html><head><title>Tea</title></head><body>{body}</body></html>"


# --- the tree ------------------------------------------------------------------------------------

BLOCK_LEVEL = "body div section p h2 ul li hr table tbody tr td".split()
LIST, BASIC_TEXT = ("ul", "li"), ("p", "h2")


@dataclass
class Node:
    name: str  # "" for a text
    text: str = ""
    attributes: list[str] = field(default_factory=list)  # each as name="value"
    children: list["Node"] = field(default_factory=list)
    chars: int = 0  # of a text, white space collapsed over its run

    def walk(self) -> Iterator["Node"]:
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def kind(self) -> str:
        """A letter: t and l by name, i inline or text, p and q, x for what fits no rule."""
        inner = list(self.walk())[1:]
        if self.name in LIST or self.name in BASIC_TEXT:
            return "l" if self.name in LIST else "t"
        if any(node.name in BLOCK_LEVEL for node in inner):
            return "x"
        if self.name not in BLOCK_LEVEL:
            return "i"
        if any(node.name for node in inner):
            return "p"
        return "q" if inner else "x"

    def density(self) -> Fraction:
        """Formula 3."""
        ttl = sum(node.chars for node in self.walk())
        tgl = sum(len(node.name) + sum(map(len, node.attributes)) for node in self.walk())
        return Fraction(ttl, tgl)


class Reader(HTMLParser):
    """Builds the tree without scripts, what is hidden, and blank text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open = [Node("#document")]
        self._sizes = iter([row.chars for row in slow_rows(html) if row.chars])
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        written = [f'{name}="{value}"' if value else name for name, value in attrs]
        node = Node(tag, attributes=written)
        hidden = tag in slow.HIDING or "display:none" in "".join(written)
        if not hidden:
            self.open[-1].children.append(node)
        if tag not in ("img", "br", "hr"):
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if slow.collapsed(data) and self.open[-1].name not in slow.CODE:
            self.open[-1].children.append(Node("", data, chars=next(self._sizes)))


# --- the algorithms ------------------------------------------------------------------------------

RULES = re.compile(r"i*p?q*|l*|t*")


def blocks_of(html: str) -> list[Node]:
    """The roots of all blocks, in document order."""
    reader = Reader(html)
    body = next(node for node in reader.open[0].walk() if node.name == "body")
    return dom_to_blocks(body)


def dom_to_blocks(parent: Node) -> list[Node]:
    """Algorithm 1, with the last block flushed."""
    found: list[Node] = []
    s: list[Node] = []

    def flush() -> None:
        if s:
            found.append(Node(parent.name, attributes=parent.attributes, children=list(s)))
            s.clear()

    for child in parent.children:
        if RULES.fullmatch("".join(node.kind for node in [*s, child])):
            s.append(child)
            continue
        flush()
        if RULES.fullmatch(child.kind):
            s.append(child)
        else:
            found += dom_to_blocks(child)
    flush()
    return found


def content(node: Node, threshold: float, is_root: bool = True) -> list[str]:
    """Algorithm 2: the texts of a block, those in or below sparse block-level elements left out."""
    if (is_root or node.name in BLOCK_LEVEL) and node.density() <= Fraction(threshold):
        return []
    if not node.name:
        return [node.text]
    return [text for child in node.children for text in content(child, threshold, False)]


def block_extractor(html: str, threshold: float = 1.5) -> list[str]:
    """The words of all content."""
    texts = [text for block in blocks_of(html) for text in content(block, threshold)]
    return [word for text in texts for word in slow.slow_words(text)]
