"""The features of the default, computed slowly from the HTML string as they are defined.

The tree comes from `html.parser`, and every number is a loop over it; nothing here uses our Page.
The pages of `pages()` have all tags written and none misnested, so that `html.parser` is enough.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from typing import NamedTuple

from hypothesis import strategies as st

from tests.slow_definitions import count_characters
from thresher.page.tags import NAMES, NUMBER

VOID = {"img", "br", "meta", "input"}
BLOCK = set(
    "html head body div section article main nav header footer aside ul ol li p h1 h2 h3 h4 h5 h6 "
    "table tbody tr td form figure figcaption blockquote pre details dl dt dd x-card".split()
)
NEVER = {"head", "title", "textarea", "select", "option", "script", "style"}
HIDING = {"head", "title", "script", "style", "template", "noscript"}
CODE = {"script", "style"}
HEADINGS = [f"h{level}" for level in range(1, 7)]
KINDS = ("article", "forum", "product", "collection", "listing", "documentation", "service")


# --- the tree ------------------------------------------------------------------------------------


@dataclass(eq=False)
class Node:
    name: str  # "" for a text
    attrs: dict[str, str] = field(default_factory=dict)
    text: str = ""
    parent: "Node | None" = None
    children: list["Node"] = field(default_factory=list)
    chars: int = 0  # of a text, white space collapsed over its run

    @cached_property
    def around(self) -> list["Node"]:
        """The elements around it, the innermost first."""
        return [] if self.parent is None else [self.parent, *self.parent.around]

    def walk(self) -> Iterator["Node"]:
        yield self
        for child in self.children:
            yield from child.walk()

    def stands_in(self, names: set[str]) -> bool:
        return any(node.name in names for node in [self, *self.around])

    @property
    def is_link(self) -> bool:
        return self.name == "a" and "href" in self.attrs

    @cached_property
    def linked(self) -> bool:
        return any(node.is_link for node in [self, *self.around])

    @property
    def level(self) -> int:
        return len(self.around)

    @cached_property
    def hidden(self) -> bool:
        return any(node.name in HIDING or "hidden" in node.attrs for node in [self, *self.around])


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root: Node | None = None
        self.open: list[Node] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self._add(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().name == tag

    def handle_data(self, data: str) -> None:
        self._add(Node("", text=data))

    def _add(self, node: Node) -> None:
        if self.root is None:
            self.root = node
        else:
            node.parent = self.open[-1]
            node.parent.children.append(node)


def collapsed(text: str) -> str:
    return re.sub(r"[ \t\n\f\r]+", " ", text).strip(" ")


def words_of(text: str) -> int:
    return len(re.findall(r"\w+", text))


def runs_of(node: Node) -> list[list[Node]]:
    """The texts below a node, divided where a block or a line break begins or ends."""
    if not node.name:
        return [[node]]
    runs: list[list[Node]] = [[]]
    for child in node.children if node.name not in CODE else []:
        first, *others = runs_of(child)
        runs[-1] += first
        runs += others
    return [[], *runs, []] if node.name in BLOCK | {"br"} else runs


# --- blocks and containers -----------------------------------------------------------------------


@dataclass(eq=False)
class Block:
    """Text that no block-level tag interrupts."""

    texts: list[Node]

    @property
    def first(self) -> Node:
        return self.texts[0]

    @property
    def unseen(self) -> bool:
        return all(node.hidden for node in self.texts)

    @property
    def shown(self) -> list[Node]:
        """Its texts, without those hidden among others that are not."""
        return self.texts if self.unseen else [node for node in self.texts if not node.hidden]

    @cached_property
    def element(self) -> Node:
        """The block-level element around it."""
        return next(node for node in self.first.around if node.name in BLOCK)

    @cached_property
    def allowed(self) -> bool:
        return not self.first.stands_in(NEVER)

    @cached_property
    def words(self) -> int:
        return sum(words_of(node.text) for node in self.texts) if self.allowed else 0

    @cached_property
    def linked(self) -> int:
        linked = [node for node in self.texts if node.linked]
        return sum(words_of(node.text) for node in linked) if self.allowed else 0

    @cached_property
    def chars(self) -> int:
        return sum(node.chars for node in self.texts)

    @property
    def prose(self) -> int:
        """Its words when they are 15 or more, and under 0.3 of them in links."""
        return self.words if self.words >= 15 and self.linked < 0.3 * self.words else 0

    @cached_property
    def classes(self) -> Counter[str]:
        return Counter(character_class(one) for node in self.texts for one in node.text)

    def count(self, kind: str) -> int:
        return self.classes[kind]


class SlowPage:
    """A page as the definitions see it: nodes, blocks, containers."""

    def __init__(self, html: str) -> None:
        reader = _Reader()
        reader.feed(html)
        reader.close()
        assert reader.root is not None
        self.nodes = list(reader.root.walk())
        self.body = next(node for node in self.nodes if node.name == "body")
        for run in runs_of(reader.root):
            count_characters(run)
        self.blocks = self._blocks(reader.root)
        self.containers = [node for node in self.body.walk() if self._is_container(node)]
        self.outer_of = {
            id(node): next((one for one in node.around if one in self.containers), node)
            for node in self.containers
        }
        self.depth_of_tree = max(node.level for node in self.nodes)
        self.sums = {id(node): self._sums(node) for node in self.containers}
        self.children = Counter(
            id(self.climb(node)) for node in self.containers if self.is_step(node)
        )

    def _blocks(self, root: Node) -> list[Block]:
        found: list[Block] = []
        going_on = False

        def visit(node: Node) -> None:
            nonlocal going_on
            if not node.name:
                if collapsed(node.text) and node.parent and node.parent.name not in CODE:
                    if not going_on:
                        found.append(Block([]))
                    found[-1].texts.append(node)
                    going_on = True
                return
            going_on &= node.name not in BLOCK
            for child in node.children:
                visit(child)
            going_on &= node.name not in BLOCK

        visit(root)
        return found

    def _is_container(self, node: Node) -> bool:
        """A block-level element with text that may be content; the body always is one."""
        if node is self.body:
            return True
        texts = [one for one in node.walk() if not one.name and not one.stands_in(NEVER)]
        held = any(collapsed(one.text) for one in texts)
        return node.name in BLOCK and held and not node.stands_in(NEVER)

    def _sums(self, node: Node) -> dict[str, float]:
        inside = list(node.walk())
        texts = [one for one in inside if not one.name and not one.stands_in(NEVER)]
        linked = [one for one in texts if one.linked]
        names = Counter(one.name for one in inside if one.name)
        blocks = [block for block in self.blocks if block.first in inside and block.allowed]
        return {
            "words": sum(words_of(one.text) for one in texts),
            "linked": sum(words_of(one.text) for one in linked),
            "chars": sum(one.chars for one in texts),
            "linked chars": sum(one.chars for one in linked),
            "tags": names.total(),
            "links": sum(one.is_link for one in inside),
            "blocks": len(blocks),
            "p": names["p"],
            "img": names["img"],
            "prose": sum(block.prose for block in blocks),
        }

    # --- going up -----------------------------------------------------------------------------

    def outer(self, node: Node) -> Node:
        """The container around a container; the body's is the body."""
        return self.outer_of[id(node)]

    def all_around(self, node: Node) -> list[Node]:
        """A container and all containers around it, the innermost first."""
        return [node] if node is self.body else [node, *self.all_around(self.outer(node))]

    def top(self, node: Node) -> Node:
        """The outermost container with the same words."""
        words = self.sums[id(node)]["words"]
        while node is not self.body and self.sums[id(self.outer(node))]["words"] == words:
            node = self.outer(node)
        return node

    def climb(self, node: Node) -> Node:
        return self.top(self.outer(self.top(node)))

    def is_step(self, node: Node) -> bool:
        return node is not self.body and self.top(node) is node

    def depth(self, node: Node) -> int:
        return sum(self.is_step(one) for one in self.all_around(node))

    def home(self, block: Block) -> Node:
        found = block.element if block.allowed else self.body
        return found if found in self.containers else self.body

    # --- densities ----------------------------------------------------------------------------

    def measures(self, node: Node) -> dict[str, float]:
        held, body = self.sums[id(node)], self.sums[id(self.body)]
        words, blocks = max(held["words"], 1), max(held["blocks"], 1)
        return {
            "share": held["words"] / max(body["words"], 1),
            "links": held["linked"] / words,
            "blocks": math.log(1 + held["blocks"]),
            "block_words": held["words"] / blocks,
            "density": held["chars"] / max(held["tags"] - 1, 1),
            "composite": signed_log(composite(held, body)),
            "paragraphs": held["p"] / blocks,
            "images": held["img"] / blocks,
            "prose": held["prose"] / words,
        }

    def steps(self, block: Block) -> dict[str, Node]:
        """Six containers up from the block, three down from the body."""
        home = self.home(block)
        at = found = self.top(home)
        steps = {}
        for step in range(6):
            steps[f"a{step}"] = found
            found = self.climb(found)
        way_down = [one for one in self.all_around(home)[::-1] if self.is_step(one)]
        for step in range(3):
            steps[f"t{step + 1}"] = way_down[step] if step < len(way_down) else at
        return steps


def composite(held: dict[str, float], body: dict[str, float]) -> float:
    """CETD's composite text density, formula 3.2; a zero denominator counts as 1."""
    c, lc, t, lt = held["chars"], held["linked chars"], held["tags"], held["links"]
    if not c:
        return 0.0
    base = math.log(
        c / ((c - lc) or 1) * lc + body["linked chars"] / (body["chars"] or 1) * c + math.e
    )
    return c / t * math.log(c / (lc or 1) * t / (lt or 1)) / base


def signed_log(value: float) -> float:
    return math.copysign(math.log(1 + abs(value)), value)


STOPS, COMMAS, QUESTIONS = ".!…。！．।۔؞።။", ",;،؛、，；՝፣", "?？؟\u037e՞"
CLASSES = ["", "digit", "capital", "stop", "comma", "question", "money", "colon"]


def character_class(one: str) -> str:
    for kind, signs in (
        ("stop", STOPS),
        ("comma", COMMAS),
        ("question", QUESTIONS),
        ("colon", ":："),
    ):
        if one in signs:
            return kind
    by_category = {"Nd": "digit", "Lu": "capital", "Lt": "capital", "Sc": "money"}
    return by_category.get(unicodedata.category(one), "")


# --- tree ----------------------------------------------------------------------------------------

GROUPS = {
    "p": "p", "li": "li dt dd", "heading": "h1 h2 h3 h4 h5 h6", "cell": "td th",
    "table": "table", "button": "button", "form": "form", "nav": "nav", "header": "header",
    "footer": "footer", "aside": "aside", "main": "main", "article": "article",
    "section": "section", "figure": "figure", "caption": "figcaption caption",
    "quote": "blockquote", "code": "pre code", "dl": "dl", "list": "ul ol menu",
    "details": "details", "noscript": "noscript", "template": "template", "label": "label legend",
    "dialog": "dialog", "address": "address", "time": "time",
}  # fmt: skip


def tree(page: SlowPage, block: Block) -> dict[str, float]:
    found: dict[str, float] = {}
    steps = page.steps(block)
    for step, container in steps.items():
        found |= {f"{name}_{step}": value for name, value in page.measures(container).items()}
    for step in range(3):
        found[f"siblings_a{step}"] = page.children[id(page.climb(steps[f"a{step}"]))]
    inner = block.first.around
    # Of inline elements the two nearest alone count.
    around = {node.name for node in [*page.all_around(page.home(block)), *inner[:2]]}
    found |= {f"in_{group}": bool(around & set(names.split())) for group, names in GROUPS.items()}
    found["in_custom"] = any(name not in NUMBER for name in around)
    found["level"] = inner[0].level
    found["depth"] = page.depth(page.home(block))
    found["tag"] = NUMBER.get(inner[0].name, len(NAMES))
    found["heading"] = heading_level(block)
    found["hidden"] = block.first.hidden
    h1 = first_h1(page)
    found |= common(page, block, "h1", page.home(h1) if h1 else None)
    return found | common(page, block, "rich", richest(page))


def heading_level(block: Block) -> int:
    name = block.element.name
    return HEADINGS.index(name) + 1 if name in HEADINGS else 0


def first_h1(page: SlowPage) -> Block | None:
    shown = [b for b in page.blocks if heading_level(b) == 1 and b.allowed and not b.first.hidden]
    return shown[0] if shown else None


def richest(page: SlowPage) -> Node:
    """The container with most prose of its own; half of what stands one step below counts too."""
    own: Counter[int] = Counter()
    for block in page.blocks:
        top = page.top(page.home(block))
        own[id(top)] += 2 * block.prose
        own[id(page.climb(top))] += block.prose
    return max(page.containers, key=lambda node: own[id(node)])


def common(page: SlowPage, block: Block, prefix: str, other: Node | None) -> dict[str, float]:
    names = [f"{prefix}_{name}" for name in ("up", "down", "share", "links", "prose")]
    if other is None:
        return dict.fromkeys(names, -1)
    around = page.all_around(page.home(block))
    shared = next((one for one in page.all_around(other) if one in around), page.body)
    measures = page.measures(shared)
    up = page.depth(page.home(block)) - page.depth(shared)
    down = page.depth(other) - page.depth(shared)
    values = (up, down, measures["share"], measures["links"], measures["prose"])
    return dict(zip(names, values, strict=True))


# --- title ---------------------------------------------------------------------------------------


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()


def headline(page: SlowPage) -> tuple[Block | None, float]:
    """The block that says most of the title, and its share of it; else the first h1, and 0."""
    heads = [node for node in page.nodes if node.name == "title" and node.stands_in({"head"})]
    texts = ["".join(child.text for child in node.children)[:400] for node in heads]
    written = next((" ".join(text.split()) for text in texts if text.strip()), "")
    title = squeezed(written)
    candidates = []
    for block in page.blocks:
        text = squeezed("".join(node.text for node in block.texts))
        fits = block.allowed and not block.first.hidden and block.chars <= len(written)
        if fits and len(text) >= max(4, 0.2 * len(title)) and text in title:
            share = len(text) / len(title)
            extra = {0: 0, 1: 0.5}.get(heading_level(block), 0.25)
            candidates.append((share + extra, share, block))
    if not candidates:
        return first_h1(page), 0.0
    _, share, block = max(candidates, key=lambda one: one[0])  # the first of the best
    return block, share


def title(page: SlowPage, at: int) -> dict[str, float]:
    block, _ = headline(page)
    total = max(total_words(page.blocks), 1)
    found: dict[str, float] = {"title_blocks": -999, "title_words": -9}
    if block is not None:
        to = page.blocks.index(block)
        between = total_words(page.blocks[to:at]) - total_words(page.blocks[at:to])
        found = {"title_blocks": at - to, "title_words": between / total}
    home = page.home(block) if block else None
    return found | common(page, page.blocks[at], "title", home)


def page_title(page: SlowPage) -> dict[str, float]:
    block, share = headline(page)
    found: dict[str, float] = {"page_title_part": share}
    node = page.top(page.home(block)) if block else None
    for step in range(4):
        held = page.sums[id(node)] if node else {}
        words = max(held.get("words", 0), 1)
        total = max(total_words(page.blocks), 1)
        found[f"page_title_prose_{step}"] = held["prose"] if node else -1
        found[f"page_title_links_{step}"] = held["linked"] / words if node else -1
        found[f"page_title_share_{step}"] = held["words"] / total if node else -1
        node = page.climb(node) if node else None
    return found


# --- place ---------------------------------------------------------------------------------------


def place(page: SlowPage, at: int) -> dict[str, float]:
    """The features of a block's position, of blocks like it and of its neighbours."""
    blocks = page.blocks
    block, size = blocks[at], len(blocks)
    total = max(sum(one.words for one in blocks), 1)
    before = sum(one.words for one in blocks[:at])
    words = max(block.words, 1)
    end = block.texts[-1].text.rstrip()[-1:]
    h1 = first_h1(page)
    h1_at = blocks.index(h1) if h1 else None
    found: dict[str, float] = {
        "words": block.words,
        "chars": block.chars,
        "links": block.linked / words,
        "texts": len(block.texts),
        "stops": block.count("stop"),
        "commas": block.count("comma"),
        "capitals": block.count("capital"),
        "capitals_word": block.count("capital") / words,
        "digits_word": block.count("digit") / words,
        "money": block.count("money"),
        "last": CLASSES.index(character_class(end)),
        "place": at / size,
        "from_start": at,
        "to_end": size - at,
        "words_before": before / total,
        "h1_blocks": -999 if h1_at is None else at - h1_at,
        "h1_words": -9
        if h1_at is None
        else (before - sum(one.words for one in blocks[:h1_at])) / total,
    }
    found |= section(blocks, at, total)
    for path, key in (("tagpath", tag_path), ("namepath", name_path)):
        same = [n for n, one in enumerate(blocks) if key(page, one) == key(page, block)]
        found |= {f"{path}_{name}": v for name, v in repeated(blocks, same, total).items()}
    same = [n for n, one in enumerate(blocks) if copy_key(one) == copy_key(block)]
    found["copies"], found["copies_before"] = len(same), sum(n < at for n in same)
    return found | beside(blocks, at)


def links(blocks: list[Block]) -> float:
    return sum(one.linked for one in blocks) / max(sum(one.words for one in blocks), 1)


def section(blocks: list[Block], at: int, total: int) -> dict[str, float]:
    headings = [n for n, one in enumerate(blocks) if heading_level(one) and one.allowed]
    opened = [n for n in headings if n <= at]
    last = opened[-1] if opened else None
    following = [n for n in headings if n > at]
    inside = blocks[last or 0 : following[0] if following else len(blocks)]
    words = sum(one.words for one in inside)
    return {
        "heading_blocks": -1 if last is None else at - last,
        "heading_words": -1 if last is None else sum(one.words for one in blocks[last:at]),
        "heading_last": 0 if last is None else heading_level(blocks[last]),
        "section_share": words / total,
        "section_links": links(inside),
        "section_blocks": len(inside),
        "section_block_words": words / len(inside),
    }


def tag_path(page: SlowPage, block: Block) -> object:
    """The containers with their depth in the tree, and the element around the first text."""
    way = page.all_around(page.home(block))
    inner = block.first.around[0].name
    return [(node.name, node.level) for node in way], min(NUMBER.get(inner, -1), len(NAMES))


def name_path(page: SlowPage, block: Block) -> object:
    way = page.all_around(page.home(block))
    return tag_path(page, block), [node.attrs.get("class") for node in way]


def repeated(blocks: list[Block], same: list[int], total: int) -> dict[str, float]:
    words = sum(blocks[n].words for n in same)
    return {
        "count": len(same),
        "share": words / total,
        "links": links([blocks[n] for n in same]),
        "span": (same[-1] - same[0]) / len(blocks),
        "words": words / len(same),
    }


def copy_key(block: Block) -> tuple[str, int]:
    return block.first.text, block.chars


def beside(blocks: list[Block], at: int) -> dict[str, float]:
    found: dict[str, float] = dict.fromkeys(("before_words", "before_links"), -1)
    found |= dict.fromkeys(("after_words", "after_links", "after_stops"), -1)
    for side, step in (("before", -1), ("after", 1)):
        if 0 <= at + step < len(blocks):
            other = blocks[at + step]
            found[f"{side}_words"] = other.words
            found[f"{side}_links"] = links([other])
    if at + 1 < len(blocks):
        found["after_stops"] = blocks[at + 1].count("stop")
    for reach in (4, 10):
        found[f"near{reach}_links"] = links(blocks[max(at - reach, 0) : at + reach + 1])
    return found


# --- names ---------------------------------------------------------------------------------------


class Table(NamedTuple):
    odds: dict[str, float]
    kinds: dict[str, list[float]]


def tokens(node: Node) -> list[str]:
    """The words of a class, and with # those of an id: at most 16 of each, of 400 characters."""
    found: list[str] = []
    for attribute, prefix in (("class", ""), ("id", "#")):
        own = dict.fromkeys(name_words(node.attrs.get(attribute, "")[:400]))
        found += [prefix + word for word in list(own)[:16]]
    return found


def name_words(name: str) -> list[str]:
    """Three small letters or more, or a capital and two or more small ones, or three capitals."""
    found, at = [], 0
    while at < len(name):
        small = letters(name[at:], "az")
        capitals = letters(name[at:], "AZ")
        after = letters(name[at + 1 :], "az")
        size = 1
        if small >= 3:
            size = small
        elif capitals and after >= 2:
            size = 1 + after
        elif capitals >= 3:
            size = capitals
        if size > 1:
            found.append(name[at : at + size].lower())
        at += size
    return found


def letters(name: str, ends: str) -> int:
    """How many letters of a range the name begins with."""
    count = 0
    while count < len(name) and ends[0] <= name[count] <= ends[1]:
        count += 1
    return count


def known(node: Node, table: Table) -> list[float]:
    return [table.odds[token] for token in tokens(node) if token in table.odds]


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def names(page: SlowPage, block: Block, table: Table) -> dict[str, float]:
    way = page.all_around(page.home(block))
    odds = [known(node, table) for node in way]
    least = [min(one, default=0.0) for one in odds]
    largest = [max(one, default=0.0) for one in odds]
    means = [mean(one) for one in odds]
    having = [mean(one) for one in odds if one]
    # The body counts again at each step beyond it, as far as the tree is deep (a power of two).
    steps = 2 ** page.depth_of_tree.bit_length()
    endless = least + [least[-1]] * (steps - len(least))
    found = {
        "names_min": min(least),
        "names_max": max(largest),
        "names_decayed": min(one * 0.85**step for step, one in enumerate(endless)),
        "names_mean": mean(having),
        "names_sum": sum(having),
        "names_count": len(having),
        "names_nearest": having[0] if having else 0.0,
    }
    return found | {f"names_{step}": means[min(step, len(way) - 1)] for step in range(4)}


# --- the whole page ------------------------------------------------------------------------------

A_BLOCK = "p li a img h2 h3 td button svg".split()
COUNTED = "h1 table form input article section time pre code noscript blockquote dt video".split()
SCHEMA = """NewsArticle Article BlogPosting Product DiscussionForumPosting QAPage ItemList
CollectionPage BreadcrumbList FAQPage TechArticle""".split()


def whole(page: SlowPage, own: list[dict[str, float]], table: Table) -> dict[str, float]:
    """The features of the whole page; `own` has the other ones of each block."""
    blocks = page.blocks
    total = max(sum(one.words for one in blocks), 1)
    shown = [one for one in blocks if not one.first.hidden]
    rich = [page.measures(one) for one in page.containers]
    h1 = first_h1(page)

    def count(kind: str) -> int:
        return sum(one.count(kind) for one in blocks)

    found: dict[str, float] = {
        "page_blocks": len(blocks),
        "page_words": total,
        "page_rows": len(page.nodes),
        "page_links": sum(one.linked for one in blocks) / total,
        "page_hidden": (total_words(blocks) - total_words(shown)) / total,
        "page_longest": max(one.words for one in blocks),
        "page_prose": sum(one.prose for one in blocks) / total,
        "page_prose_blocks": sum(one.prose > 0 for one in blocks),
        "page_prose_shown": sum(one.prose for one in shown),
        "page_richest": max([m["share"] * m["prose"] for m in rich if m["share"] < 0.9], default=0),
        "page_repeats": max(one["namepath_count"] for one in own),
        "page_repeated": max(one["namepath_share"] for one in own),
        "page_h1": total_words(blocks[: blocks.index(h1)]) / total if h1 else -1,
        "page_money": count("money"),
        "page_money_blocks": sum(one.count("money") > 0 for one in blocks) / len(blocks),
        "page_digits": count("digit") / total,
        "page_stops": (count("stop") + count("comma")) / total,
        "page_capitals": count("capital") / total,
        "page_questions": count("question"),
    }
    for name in ("main", "article"):
        pairs = zip(blocks, own, strict=True)
        found[f"page_{name}"] = sum(b.words for b, t in pairs if t[f"in_{name}"]) / total
    tags = Counter(node.name for node in page.nodes)
    sections = "nav header footer aside main article section".split()
    found["page_old"] = not any(tags[name] for name in sections)
    found |= {f"page_{name}_block": tags[name] / len(blocks) for name in A_BLOCK}
    found |= {f"page_{name}_count": tags[name] for name in COUNTED}
    return found | page_title(page) | declared(page) | page_names(page, table)


def total_words(blocks: list[Block]) -> int:
    return sum(one.words for one in blocks)


def declared(page: SlowPage) -> dict[str, float]:
    """What the page says it is: og:type, and types in JSON-LD, each counted up to 50 times."""
    metas = [node.attrs for node in page.nodes if node.name == "meta"]
    said = next((m.get("content", "") for m in metas if m.get("property") == "og:type"), "").lower()
    code = 4 if said else 0
    for number, name in ((3, "website"), (2, "product"), (1, "article")):
        code = number if name in said else code
    scripts = [node for node in page.nodes if node.attrs.get("type") == "application/ld+json"]
    text = "\n".join(child.text for node in scripts for child in node.children)
    return {"page_type": code} | {
        f"page_{name}": min(text.count(f'"{name}"'), 50) for name in SCHEMA
    }


def page_names(page: SlowPage, table: Table) -> dict[str, float]:
    seen = {token for node in page.containers for token in tokens(node) if token in table.odds}
    found = {}
    for number, kind in enumerate(KINDS):
        found[f"page_names_{kind}"] = mean([table.kinds[token][number] for token in sorted(seen)])
        found[f"kind_{kind}"] = 0.0
    return found


def features(page: SlowPage, table: Table) -> list[dict[str, float]]:
    """All features of each block."""
    if not page.blocks:
        return []
    own = [tree(page, block) | place(page, at) for at, block in enumerate(page.blocks)]
    of_page = whole(page, own, table)
    return [
        own[at] | title(page, at) | names(page, block, table) | of_page
        for at, block in enumerate(page.blocks)
    ]


# --- random pages --------------------------------------------------------------------------------

PHRASE = "text text text words a span time button code label noscript".split()
LEAVES = {"img": "<img>", "br": "<br>", "input": "<input>", "comment": "<!-- <p> -->"}
LEAVES |= {"script": "<script>if (a < b) {}</script>", "blank": " \n "}
CONTAINERS = """div div div section article main nav header footer aside blockquote details x-card
template hidden""".split()
FLOW = [*PHRASE, *CONTAINERS, *LEAVES, *"p p p h1 h2 h3 pre ul table figure form dl field".split()]
NAMES_USED = ["post-body", "postBody", "nav_Menu", "menu", "a1", "", "SIDE-bar", "content main"]
WORDS = """Tea pot, water. Wait! 3 minutes? 12.50 € $7 "hot" the cup; ÉTÉ چای، سبز۔ and so on: GREEN
leaves of a plant that grows in the hills""".split()


class _Maker:
    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def one_of(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def text(self, least: int = 1, most: int = 4) -> str:
        words = self.draw(st.lists(st.sampled_from(WORDS), min_size=least, max_size=most))
        return self.one_of("", " ", "\n") + " ".join(words) + self.one_of("", "  ")

    def start(self, name: str) -> str:
        given = ' href="/"' if name == "a" and self.draw(st.booleans()) else ""
        for attribute in ("class", "id"):
            if self.draw(st.booleans()):
                given += f' {attribute}="{self.one_of(*NAMES_USED)}"'
        return f"<{name}{given}>"

    def element(self, kind: str, depth: int, without: frozenset[str]) -> str:
        if kind == "text":
            return self.text()
        if kind == "words":
            return self.text(14, 20)
        if kind in LEAVES:
            return LEAVES[kind]
        if kind == "field":
            return f"<textarea>{self.text()}</textarea><select><option>a b</option></select>"
        parts = {"ul": ("li", 3), "dl": ("dt", 2), "figure": ("figcaption", 1)}
        if kind in parts:
            part, most = parts[kind]
            return f"<{kind}>{self.several(part, most, depth, without)}</{kind}>"
        if kind == "table":
            return f"<table><tbody><tr>{self.several('td', 2, depth, without)}</tr></tbody></table>"
        if kind == "hidden":
            return f"<div hidden>{self.inside(depth, FLOW, without)}</div>"
        kinds = FLOW if kind in (*CONTAINERS, "form") else PHRASE
        inner = self.inside(depth, kinds, without | {kind})
        return f"{self.start(kind)}{inner}</{kind}>"

    def several(self, part: str, most: int, depth: int, without: frozenset[str]) -> str:
        count = self.draw(st.integers(1, most))
        insides = [self.inside(depth, FLOW, without) for _ in range(count)]
        return "".join(f"{self.start(part)}{inner}</{part}>" for inner in insides)

    def inside(self, depth: int, kinds: list[str], without: frozenset[str]) -> str:
        if depth <= 0:
            return self.text()
        barred = without & {"a", "button", "form", "label", "main", "noscript"}
        allowed = [kind for kind in kinds if kind not in barred]
        some = self.draw(st.lists(st.sampled_from(allowed), min_size=1, max_size=3))
        return "".join(self.element(kind, depth - 1, without) for kind in some)


HEADS = [
    "",
    '<meta property="og:type" content="Article">',
    '<meta property="og:type" content="video.other">',
    '<script type="application/ld+json">{"@type": "Product", "x": "QAPage"}</script>',
]


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Make a small page with containers, headings, lists, forms, names and hidden parts."""
    make = _Maker(draw)
    body = "".join(make.inside(3, FLOW, frozenset()) for _ in range(draw(st.integers(1, 3))))
    title = make.one_of(make.text(), *re.findall(r"[^<>]{4,60}", body)[:9])
    head = f"<title>{title}{make.one_of('', ' | Tea')}</title>{make.one_of(*HEADS)}"
    return f"<html><head>{head}</head>{make.start('body')}{body}</body></html>"
