"""Crunch's cells, Mantratzis's lists, FE's blocks and GSWCE's run, slowly from the HTML string.

Trees come from `html.parser` (see `slow_definitions`); sets of nodes are sets of `id(node)`.
"""

import math
from collections.abc import Iterator

from tests.slow_definitions import Node, read, slow_words, walk
from thresher.page.arrays import k_means  # has its own definition test

CELLS = {"div", "section", "p", "td", "th"}
FORM = {"button", "select", "label", "option", "textarea"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
LISTS = {"ul", "ol", "dl"}
PIECES = {"style": {"style"}, "image": {"img"}, "object": {"iframe"}, "script": {"script"}}
FEATURES = ["link", "form", "heading", "list", "text", *PIECES]


def tree(html: str) -> Node:
    """The html element."""
    return read(html).open[0].children[0]


def parents(root: Node) -> dict[int, Node]:
    return {id(child): node for node in walk(root) for child in node.children}


def ancestors(node: Node, parent: dict[int, Node]) -> Iterator[Node]:
    """The node itself and all above it."""
    yield node
    while id(node) in parent:
        node = parent[id(node)]
        yield node


def chars(node: Node, in_link: bool) -> tuple[int, int]:
    """Visible characters below a node, and those of them in links."""
    if not node.name:
        size = 0 if node.hidden else node.chars
        return size, size if in_link else 0
    below = [chars(child, in_link or node.is_link) for child in node.children]
    return sum(c for c, _ in below), sum(lc for _, lc in below)


def words_of(root: Node, kept: set[int]) -> list[str]:
    return [word for node in walk(root) if id(node) in kept for word in slow_words(node.text)]


# --- Crunch --------------------------------------------------------------------------------------


def crunch(html: str, threshold: float, text_links: bool) -> list[str]:
    """Algorithm 1 with blocks as cells: go down, and leave out what is removed."""
    root, kept = tree(html), set()

    def visit(node: Node, in_link: bool) -> None:
        c, lc = chars(node, in_link)
        if node.name in CELLS and lc > threshold * c:
            return
        if node.is_link and c > 0 and text_links:
            return
        if not node.hidden:
            kept.add(id(node))
        for child in node.children:
            visit(child, in_link or node.is_link)

    visit(root, False)
    return words_of(root, kept)


# --- Mantratzis ----------------------------------------------------------------------------------


def mantratzis(html: str, unit: float, least: int, share: float) -> list[str]:
    """Go down, and leave out the link units of each list of links."""
    root, kept = tree(html), set()

    def visit(node: Node, in_link: bool) -> None:
        if not node.hidden:
            kept.add(id(node))
        inner = in_link or node.is_link
        counts = [chars(child, inner) for child in node.children]
        is_unit = [lc > 0 and lc >= unit * c for c, lc in counts]
        with_text = sum(c > 0 for c, _ in counts)
        is_list = not inner and sum(is_unit) >= least and sum(is_unit) / max(with_text, 1) >= share
        for child, goes in zip(node.children, is_unit, strict=True):
            if not (is_list and goes):
                visit(child, inner)

    visit(root, False)
    return words_of(root, kept)


# --- FE and K-FE ---------------------------------------------------------------------------------


def divided(block: list[Node], name: str, parent: dict[int, Node]) -> list[list[Node]]:
    """Split a block (its nodes in order) at its outermost elements of a name; the rest is one."""
    members = {id(node) for node in block}

    def owner(node: Node) -> int:
        """The outermost element of that name around a node in this block; 0 for none."""
        inside = [up for up in ancestors(node, parent) if id(up) in members and up is not block[0]]
        return next((id(up) for up in reversed(inside) if up.name == name), 0)

    parts: dict[int, list[Node]] = {}
    for node in block:
        parts.setdefault(owner(node), []).append(node)
    return list(parts.values())


def fe_blocks(root: Node, tags: str, once: bool) -> list[list[Node]]:
    """Algorithm 2, in order of the blocks' first nodes."""
    parent = parents(root)
    blocks = [list(walk(root))]
    while True:
        count = len(blocks)
        for name in tags.split():
            blocks = [part for block in blocks for part in divided(block, name, parent)]
        if once or len(blocks) == count:
            break
    place = {id(node): number for number, node in enumerate(walk(root))}
    return sorted(blocks, key=lambda block: place[id(block[0])])


def fe_feature(node: Node, parent: dict[int, Node]) -> str:
    """The feature that the characters of a text count for."""
    around = list(ancestors(node, parent))
    if any(up.is_link for up in around):
        return "link"
    names = {up.name for up in around}
    for feature, among in (("form", FORM), ("heading", HEADINGS), ("list", LISTS)):
        if names & among:
            return feature
    return "text"


def fe_values(block: list[Node], parent: dict[int, Node]) -> dict[str, int]:
    values = dict.fromkeys(FEATURES, 0)
    for node in block:
        if not node.name and not node.hidden:
            values[fe_feature(node, parent)] += node.chars
        for feature, among in PIECES.items():
            values[feature] += node.name in among
    return values


def fe(html: str, tags: str, once: bool, desired: str, scale: str, k: int = 0) -> list[str]:
    """The words of the winner, or of the winner's cluster among k."""
    root = tree(html)
    parent = parents(root)
    basket = [(block, fe_values(block, parent)) for block in fe_blocks(root, tags, once)]
    basket = [(b, v) for b, v in basket if any(v[name] for name in FEATURES[:5])]
    wanted = desired.split()
    others = [name for name in FEATURES if name not in wanted]

    def total(values: dict[str, int], names: list[str]) -> float:
        largest = {n: max([v[n] for _, v in basket] + [1]) if scale == "each" else 1 for n in names}
        return sum((values[name] / largest[name] for name in names), 0.0)

    basket = [(b, v) for b, v in basket if total(v, wanted) >= total(v, others)]
    if not basket:
        return []
    sums = [total(values, wanted) for _, values in basket]
    best = sums.index(max(sums))
    labels = k_means(sums, k)[0].tolist() if k else range(len(sums))
    kept = {
        id(node)
        for label, (block, _) in zip(labels, basket, strict=True)
        if label == labels[best]
        for node in block
        if not node.hidden
    }
    return words_of(root, kept)


# --- GSWCE ---------------------------------------------------------------------------------------


def smoothed(values: list[int], sigma: float) -> list[float]:
    """The weighted mean of each value's neighbours, as far as they exist."""
    radius = math.ceil(3 * sigma)
    found = []
    for i in range(len(values)):
        near = range(max(i - radius, 0), min(i + radius + 1, len(values)))
        weights = [math.exp(-((j - i) ** 2) / (2 * sigma**2)) for j in near]
        mean = sum(w * values[j] for w, j in zip(weights, near, strict=True)) / sum(weights)
        found.append(mean)
    return found


class Gswce:
    """Tokens, smoothed values, run, base and content of a page."""

    def __init__(self, html: str, sigma: float, threshold: float, base: str, share: float) -> None:
        self.root = tree(html)
        self.threshold = threshold
        self.tokens: list[tuple[int, Node]] = []
        for node in walk(self.root):
            if not node.hidden:
                words = slow_words(node.text)
                self.tokens += [(1, node)] * len(words) if not node.name else [(0, node)]
        self.smoothed = smoothed([bit for bit, _ in self.tokens], sigma)
        self.content = self._content(base, share)

    def run(self) -> list[Node]:
        """The text of each word in the longest run, the first of equals."""
        runs: list[list[tuple[int, Node]]] = [[]]
        for token, value in zip(self.tokens, self.smoothed, strict=True):
            if value > self.threshold:
                runs[-1].append(token)
            else:
                runs.append([])
        return [node for bit, node in max(runs, key=len) if bit]

    def _content(self, base: str, share: float) -> Node | None:
        run = self.run()
        if not run:
            return None
        parent = parents(self.root)
        around = {"p", "tr", "td", "div", "body"}
        if base == "text":
            found = max(run, key=lambda text: sum(text is other for other in run))
        else:
            around |= {"article", "section", "main"}
            found = self.root
            for node in walk(self.root):
                inner = {id(below) for below in walk(node)}
                if sum(id(text) in inner for text in run) >= share * len(run):
                    found = node
        return next((up for up in ancestors(found, parent) if up.name in around), self.root)

    def words(self) -> list[str]:
        if self.content is None:
            return []
        return words_of(self.content, {id(n) for n in walk(self.content) if not n.hidden})

    def is_close_call(self) -> bool:
        """Tell whether rounding decides which tokens are above the threshold."""
        return any(math.isclose(v, self.threshold, rel_tol=1e-9) for v in self.smoothed)
