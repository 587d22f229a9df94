"""Slow definitions of the papers' formulas on the HTML string, to compare the methods with.

They do not use `Page`: tags and texts come from `html.parser` and regular expressions. This is
enough because the pages of `pages()` have every tag written and nothing misnested. No word occurs
twice on a page, so the kept words identify the kept texts.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from random import Random

from hypothesis import strategies as st

from tests.pages import SPACE, breaks_run, collapsed, slow_words
from thresher import Selection

VOID = {"br", "img"}
HIDING = {"head", "title", "script", "style", "template"}
CODE = {"script", "style"}


# --- random pages --------------------------------------------------------------------------------

PHRASE = "text text text span b br breaks script style template comment hidden".split()
FLOW = [*PHRASE, *"div div section p p p".split()]
LINKS = "a a a button select".split()
ANCHORS = [
    "<a>",
    '<a href="/">',
    '<a href="/p?q=1&amp;r=2">',
    "<a id=x href='/wiki/Semantic web' title='Semantic web'>",
    '<a href="/wiki/%D8%B2" title="زبان فارسی در ایران و افغانستان">',
]
HIDDEN = '<span style="color:red;display:none">'
LEAVES = {"br": "<br>", "breaks": "<br>" * 12, "comment": "<!-- <p> one -->"}
LEAVES |= {name: f"<{name}>a = '<p>' + two;\n</{name}>" for name in CODE}


class _Maker:
    """Writes parts of a page, with new words in each text."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.count = 0

    def text(self) -> str:
        random = Random(self.draw(st.integers(0, 1_000)))  # one draw for a text: many are slow
        letter = random.choice(["e", "é", "س", "पु"])
        words = []
        for _ in range(random.randint(*random.choice([(0, 1), (0, 1), (1, 3), (1, 3), (12, 20)]))):
            words.append(f"w{self.count}{letter * random.randint(1, 9)}")
            self.count += 1
        gap = random.choice([" ", "\n", " \n  ", " &amp; "])
        before, after = random.choice(["", " ", "\n"]), random.choice(["", "\n", " \n\n"])
        return before + gap.join(words) + after

    def element(self, kind: str, depth: int, linked: bool) -> str:
        if kind == "text":
            return self.text()
        if kind in LEAVES:
            return LEAVES[kind]
        if kind == "select":
            return f"<select><option>{self.text()}</option><option>{self.text()}</option></select>"
        name, start = kind, f"<{kind}>"
        if kind == "hidden":
            name, start = "span", HIDDEN
        elif kind == "a":
            start = self.draw(st.sampled_from(ANCHORS))
        kinds = FLOW if kind in ("div", "section", "template") else PHRASE
        return f"{start}{self.inside(depth, kinds, linked or kind in LINKS)}</{name}>"

    def inside(self, depth: int, kinds: list[str], linked: bool) -> str:
        if depth == 0:
            return self.text()
        kinds = kinds if linked else kinds + LINKS
        some = self.draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=5))
        return "".join(self.element(kind, depth - 1, linked) for kind in some)


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Draw a small page of blocks, phrases, links, code, comments and hidden parts."""
    make = _Maker(draw)
    body = "".join(make.inside(3, FLOW, False) for _ in range(draw(st.integers(0, 3))))
    return f"<html><head><title>{make.text()}</title></head><body>{body}</body></html>"


def kept_words(selection: Selection) -> list[str]:
    """Return the words of a selection, in order."""
    return [word for row in selection.rows for word in slow_words(selection.page.text(row))]


# --- tags, texts and trees -----------------------------------------------------------------------


@dataclass
class Node:
    name: str  # "" for a text
    text: str = ""
    hidden: bool = False
    children: list["Node"] = field(default_factory=list)
    is_link: bool = False  # an anchor with an address
    chars: int = 0  # of a text; set by `count_characters`


class _Reader(HTMLParser):
    """Builds the tree, and lists tags and texts in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("#document")]
        self.events: list[tuple[str, Node]] = []

    def _add(self, kind: str, node: Node) -> None:
        node.hidden |= self.open[-1].hidden
        self.open[-1].children.append(node)
        self.events.append((kind, node))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        style = dict(attrs).get("style") or ""
        hidden, is_link = tag in HIDING or "display:none" in style, "href" in dict(attrs)
        self._add("start", Node(tag, hidden=hidden, is_link=tag == "a" and is_link))
        if tag not in VOID:
            self.open.append(self.open[-1].children[-1])

    def handle_endtag(self, tag: str) -> None:
        self.events.append(("end", self.open.pop()))

    def handle_data(self, data: str) -> None:
        self._add("text", Node("", data))


def read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    run: list[Node] = []
    in_code = False
    for kind, node in reader.events:
        if kind == "text":
            run += [] if in_code else [node]
        else:
            in_code = kind == "start" and node.name in CODE
            if breaks_run(node.name):
                count_characters(run)
                run = []
    count_characters(run)
    return reader


def count_characters(run: list[Node]) -> None:
    """Set `chars` of the texts of a run: join them, collapse the white space, and share it out.

    A character belongs to its text, and of white space the first one counts; that of a blank text
    belongs to the text before it.
    """
    written = [(character, node) for node in run for character in node.text]
    spaces = [True, *(character in SPACE for character, _ in written)]
    left = [pair for at, pair in enumerate(written) if not (spaces[at] and spaces[at + 1])]
    if left and left[-1][0] in SPACE:
        left.pop()
    owner: Node | None = None
    for _, node in left:
        owner = node if collapsed(node.text) else owner
        assert owner is not None, "a run does not begin with white space"
        owner.chars += 1


def walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from walk(child)


# --- plain ---------------------------------------------------------------------------------------


def plain(html: str) -> list[str]:
    """Return all words that are not hidden."""
    texts = [node.text for node in walk(read(html).open[0]) if not node.hidden]
    return [word for text in texts for word in slow_words(text)]


# --- BTE -----------------------------------------------------------------------------------------


def bte_tokens(html: str) -> list[str]:
    """Return "" for each tag, and each word that is not hidden."""
    tokens: list[str] = []
    for kind, node in read(html).events:
        if kind == "text":
            tokens += [] if node.hidden else slow_words(node.text)
        elif node.name not in CODE:
            tokens.append("")
    return tokens


def bte_range(b: list[int], cost: float = 1) -> tuple[float, int, int] | None:
    """Return T, i and j of formula 3.3 over all i <= j; the smallest i, then j, on ties."""
    ones = [0]
    for bit in b:
        ones.append(ones[-1] + bit)
    best: tuple[float, int, int] | None = None
    for i in range(len(b)):
        for j in range(i, len(b)):
            words_inside = (j + 1 - i) - (ones[j + 1] - ones[i])
            value = cost * ones[i] + words_inside + cost * (ones[-1] - ones[j + 1])
            if best is None or value > best[0]:
                best = (value, i, j)
    return best


def bte(html: str, cost: float = 1) -> list[str]:
    tokens = bte_tokens(html)
    best = bte_range([int(not word) for word in tokens], cost)
    if best is None or not any(tokens):
        return []
    return [word for word in tokens[best[1] : best[2] + 1] if word]


# --- DSC -----------------------------------------------------------------------------------------


def dsc_low(b: list[int]) -> list[bool]:
    """Return for each token whether it is in a region of low slope, window by window."""
    n = len(b)
    if not any(b):
        return [True] * n
    w = 8 if n <= 200 else 50 if n > 5000 else math.ceil(Fraction(7 * n + 5000, 800))
    starts = [i for i in range(0, n, w // 2) if i + w <= n]
    low = [Fraction(sum(b[i : i + w]), w) < Fraction(sum(b), 2 * n) for i in starts]
    inside, state = [False] * n, False
    for k, start in enumerate(starts):
        if low[k : k + 3] == [not state] * 3:
            state = not state
        inside[start:] = [state] * (n - start)
    return inside


def dsc_listing(b: list[int]) -> list[bool]:
    """Algorithm 6 line by line (`else` taken to `if lr = 0`), with the window in fractions."""
    n, d = len(b), [sum(b[: i + 1]) for i in range(len(b))]
    if not any(b):
        return [True] * n
    w = 8
    if n > 5000:
        w = 50
    elif n >= 200:
        w = math.ceil(Fraction(875, 100_000) * n + Fraction(625, 100))
    found, h, lr = [False] * n, [0, 0], 0
    i = 0
    while i <= n - 1 - w:
        ls = int(Fraction(d[i + w - 1] - d[i], w) < Fraction(d[n - 1], 2 * n))
        if lr == 0:
            if ls == 1 and h == [1, 1]:
                lr = 1
        elif ls == 0 and h == [0, 0]:
            lr = 0
        for j in range(i, i + w):
            found[j] = lr == 1
        h = [ls, h[0]]
        i += w // 2
    return found


def dsc(html: str, listing: bool = False) -> list[str]:
    """The words of the texts that lie in regions with more than half of their words."""
    tokens: list[tuple[str, int]] = []  # a word ("" for a tag), and the number of its text
    for number, (kind, node) in enumerate(read(html).events):
        if kind == "text":
            words = [] if node.hidden else slow_words(node.text)
            tokens += [(word, number) for word in words]
        elif node.name not in CODE:
            tokens.append(("", number))
    low = (dsc_listing if listing else dsc_low)([int(not word) for word, _ in tokens])
    balance: dict[int, int] = {}
    for (_, number), is_low in zip(tokens, low, strict=True):
        balance[number] = balance.get(number, 0) + (1 if is_low else -1)
    return [word for word, number in tokens if word and balance[number] > 0]


# --- LQF -----------------------------------------------------------------------------------------

BLOCK_NAMES = {"#document", "html", "body", "div", "section", "p", "template", "head", "title"}


def lqf_texts(node: Node, in_link: bool) -> list[tuple[Node, bool]]:
    """The texts of a block and whether they are links: its children's, and of the inline ones'."""
    found: list[tuple[Node, bool]] = []
    for child in node.children:
        if not child.name:
            found.append((child, in_link))
        elif child.name not in BLOCK_NAMES:
            found += lqf_texts(child, in_link or child.is_link)
    return found


def lqf(html: str, quota: float) -> list[str]:
    """The words of all blocks that pass, in order."""
    root = read(html).open[0]
    kept: set[int] = set()

    def judge(block: Node, in_link: bool) -> None:
        texts = [(t, linked) for t, linked in lqf_texts(block, in_link) if not t.hidden]
        total = sum(text.chars for text, _ in texts)
        t_link = sum(text.chars for text, linked in texts if linked)
        if total and t_link / total <= quota:
            kept.update(id(text) for text, _ in texts)

    def visit(node: Node, in_link: bool) -> None:
        if node.name in BLOCK_NAMES:
            judge(node, in_link)
        for child in node.children:
            visit(child, in_link or node.is_link)

    visit(root, False)
    return [word for node in walk(root) if id(node) in kept for word in slow_words(node.text)]


# --- CETD ----------------------------------------------------------------------------------------


def is_cetd_link(node: Node) -> bool:
    return node.is_link or node.name in ("button", "select")


@dataclass
class Counts:
    c: int = 0
    t: int = 0
    lc: int = 0
    lt: int = 0


def cetd_counts(node: Node, in_link: bool = False) -> Counts:
    """C, T, LC, LT: characters and tags under a node, and those of links."""
    if not node.name:
        size = 0 if node.hidden else node.chars
        return Counts(size, 0, size if in_link else 0, 0)
    total = Counts()
    for child in node.children:
        counts = cetd_counts(child, in_link or is_cetd_link(node))
        total.c += counts.c
        total.lc += counts.lc
        total.t += counts.t + (child.name != "" and not child.hidden)
        total.lt += counts.lt + (is_cetd_link(child) and not child.hidden)
    return total


def cetd_density(counts: Counts, body: Counts, kind: str) -> float:
    """Formula 3.1 or 3.2."""
    c, t, lc, lt = counts.c, counts.t or 1, counts.lc or 1, counts.lt or 1
    if c == 0:
        return 0.0
    if kind == "text":
        return c / t
    base = math.log(c / ((c - counts.lc) or 1) * lc + body.lc / (body.c or 1) * c + math.e)
    return c / t * (math.log(c / lc * t / lt) / math.log(base))


class Cetd:
    """Densities, sums, threshold and marks of a page, one node after the other."""

    def __init__(self, html: str, kind: str, threshold: str) -> None:
        self.root = read(html).open[0]
        self.body = next(node for node in walk(self.root) if node.name == "body")
        self.kind = kind
        self.density: dict[int, float] = {}
        self.sum: dict[int, float] = {}
        self._measure(self.body, cetd_counts(self.body), in_link=False)
        self.threshold = self.density[id(self.body)] if threshold == "body" else self._least()

    def _measure(self, node: Node, body: Counts, in_link: bool) -> None:
        self.density[id(node)] = cetd_density(cetd_counts(node, in_link), body, self.kind)
        for child in node.children:
            self._measure(child, body, in_link or is_cetd_link(node))
        densities = [self.density[id(child)] for child in node.children]
        self.sum[id(node)] = sum(densities) if densities else self.density[id(node)]

    def _richest(self, node: Node) -> Node:
        elements = [inner for inner in walk(node) if inner.name]
        return max(elements, key=lambda inner: self.sum[id(inner)])  # the first on ties

    def _least(self) -> float:
        target = self._richest(self.body)
        on_path = [node for node in walk(self.body) if any(n is target for n in walk(node))]
        return min(self.density[id(node)] for node in on_path)

    def words(self) -> list[str]:
        marked: set[int] = set()
        for node in walk(self.body):
            if node.name and self.density[id(node)] >= self.threshold and self.density[id(node)]:
                marked |= {id(inner) for inner in walk(self._richest(node))}
        texts = [node for node in walk(self.body) if id(node) in marked and not node.hidden]
        return [word for node in texts for word in slow_words(node.text)]

    def is_close_call(self) -> bool:
        """Return whether two numbers are so close that rounding decides which is larger."""
        for numbers in (self.density.values(), self.sum.values()):
            for low, high in pairwise(sorted(numbers)):
                if low < high and math.isclose(low, high, rel_tol=1e-9):
                    return True
        return False


# --- AdDANAg -------------------------------------------------------------------------------------


@dataclass
class Char:
    """A character of the source without scripts, styles and comments."""

    value: str
    run: int | None = None  # the run of text it belongs to; None for code
    anchor: int | None = None
    in_link: bool = False  # in an anchor with an address
    is_attribute: bool = False
    line: int = 0

    @property
    def is_space(self) -> bool:
        return self.value != "" and self.value in " \t\n\f\r"


@dataclass
class Run:
    text: str
    hidden: bool
    anchor: int | None
    in_link: bool


PIECE = re.compile(r"(<!--.*?-->|<script>.*?</script>|<style>.*?</style>|<[^>]*>)", re.S)


def addanag_source(html: str) -> tuple[list[Char], list[Run]]:
    """The characters of a page without code, and its runs of text without white space around."""
    chars: list[Char] = []
    runs: list[Run] = []
    hiding: list[bool] = []
    anchors, anchor, has_address = 0, None, False
    for piece in PIECE.split(html):
        if piece.startswith(("<!--", "<script", "<style")):
            chars.append(Char(""))  # no length, but white space before and after it stays apart
            continue
        if not piece.startswith("<"):
            solid = piece.strip(" \t\n\f\r")
            first = piece.find(solid)
            for at, value in enumerate(piece):
                inner = bool(solid) and first <= at < first + len(solid)
                chars.append(Char(value, len(runs) if inner else None, anchor, has_address))
            if solid:
                runs.append(Run(solid, any(hiding), anchor, has_address))
            continue
        name = re.split(r"[\s>]", piece.strip("</"))[0]
        opens = name == "a" and piece[1] != "/"
        if opens:
            anchor, anchors = anchors, anchors + 1
            has_address = " href=" in piece
        chars += [
            Char(value, None, anchor, has_address, opens and 2 <= at < len(piece) - 1)
            for at, value in enumerate(piece)
        ]
        if name == "a" and piece[1] == "/":
            anchor, has_address = None, False
        if piece[1] == "/":
            hiding.pop()
        elif name not in VOID:
            hiding.append(name in HIDING or "display:none" in piece)
    return chars, runs


def addanag_lines(chars: list[Char], length: int) -> list[Char]:
    """Set the line of each character, as written or reflowed; line ends belong to no line."""
    if length == 0:
        line = 0
        for char in chars:
            char.line = line
            line += char.value == "\n"
        return [char for char in chars if char.value not in ("", "\n")]
    left = [
        char
        for at, char in enumerate(chars)
        if char.value and (at == 0 or not (char.is_space and chars[at - 1].is_space))
    ]
    for at, char in enumerate(left):
        char.line = at // length
    return left


def addanag_filtered(chars: list[Char], runs: list[Run], number: int) -> list[Char]:
    """Apply filters 1, 2 and 3 (0: none) to the characters."""
    if number == 1:
        return [char for char in chars if not char.in_link]
    if number == 0:
        return chars
    result: list[Char] = []
    written: dict[int | None, int] = {}  # by link, how much of its filler stands already
    for at, char in enumerate(chars):
        text = sum(len(collapsed(run.text)) for run in runs if run.anchor == char.anchor)
        size = max(0, text - len("<a></a>")) if number == 3 else 0
        filler = " " + "_" * size if size else ""
        done = written.get(char.anchor, 0)
        if char.is_attribute:
            if done < len(filler):
                result.append(Char(filler[done], line=char.line))
                written[char.anchor] = done + 1
            continue
        if char.value == ">" and at and chars[at - 1].is_attribute:
            result += [Char(value, line=char.line) for value in filler[done:]]
        result.append(char)
    return result


def addanag_diff(t1: list[int], t2: list[int]) -> list[int]:
    """Formula 4.2."""
    balance = [0, *(a - b for a, b in zip(t1, t2, strict=True)), 0]
    return [balance[i - 1] + balance[i] + balance[i + 1] for i in range(1, len(balance) - 1)]


def addanag_regions(t1: list[int], diff: list[int], gap: int) -> list[tuple[int, int]]:
    """Return the regions of the main content as (x, y): formula 4.3 and Algorithm 1."""
    r: list[tuple[int, int]] = []
    for line, value in enumerate(diff):
        if value > 0 and r and r[-1][1] == line - 1:
            r[-1] = (r[-1][0], line)
        elif value > 0:
            r.append((line, line))
    if not r:
        return []

    def distance(i: int, j: int) -> int:  # 4.4
        (_, y_i), (x_j, _) = sorted((r[i], r[j]))
        return x_j - y_i + 1

    m = max(range(len(r)), key=lambda i: sum(t1[r[i][0] : r[i][1] + 1]))
    t = {r[m]}
    i = m
    while i > 0 and distance(i, i - 1) <= gap:
        t.add(r[i - 1])
        i -= 1
    i = m
    while i < len(r) - 1 and distance(i, i + 1) <= gap:
        t.add(r[i + 1])
        i += 1
    return sorted(t)


def addanag_counts(html: str, number: int, length: int) -> tuple[list[int], list[int]]:
    """Return T1 and T2 of each line."""
    chars, runs = addanag_source(html)
    chars = addanag_lines(chars, length)
    count = chars[-1].line + 1 if chars else 0
    t1, t2 = [0] * count, [0] * count
    for char in addanag_filtered(chars, runs, number):
        (t2 if char.run is None else t1)[char.line] += 1
    return t1, t2


def addanag(html: str, gap: int, number: int, length: int, smooth: bool = True) -> list[str]:
    t1, t2 = addanag_counts(html, number, length)
    diff = addanag_diff(t1, t2) if smooth else [x - y for x, y in zip(t1, t2, strict=True)]
    regions = addanag_regions(t1, diff, gap)
    chosen = {line for x, y in regions for line in range(x, y + 1)}
    chars, runs = addanag_source(html)
    balance = [0] * len(runs)
    for char in addanag_lines(chars, length):
        if char.run is not None:
            balance[char.run] += 1 if char.line in chosen else -1
    kept = [
        unescape(run.text)
        for run, more in zip(runs, balance, strict=True)
        if more > 0 and not run.hidden and not (number == 1 and run.in_link)
    ]
    return [word for text in kept for word in slow_words(text)]
