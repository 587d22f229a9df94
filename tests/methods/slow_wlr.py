"""The words/leaves paper's definitions written slowly from the HTML string, node after node.

The tree comes from `html.parser` (see slow_definitions); nothing here uses our Page. Numbers are
fractions, so that ties are ties.
"""

import math
from fractions import Fraction
from itertools import pairwise

from hypothesis import strategies as st

from tests import slow_definitions as slow
from tests.pages import slow_rows
from tests.slow_definitions import Node

NOT_VALID = {"meta", "title", "head", "link", "style", "script", "select", "noscript"}
JOINING = {"", "p", "a", "u", "b", "i", "em", "span", "sub", "sup", "strong", "div"}  # "": #text
POSITIONED = '<div style="Position: absolute">'


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Make a small page; some of its divs (and sections, which do not matter) are positioned."""
    html = draw(slow.pages())
    for plain, other in (("<div>", POSITIONED), ("<section>", "<section style='position:fixed'>")):
        html = html.replace(plain, other, draw(st.integers(0, 2)))
    return html


class Reader(slow._Reader):
    """Notes which divs are positioned, and the characters of each text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.positioned: set[int] = set()
        self.chars: dict[int, int] = {}
        self._sizes = [row.chars for row in slow_rows(html) if row.chars]
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        super().handle_data(data)
        if slow.collapsed(data) and self.open[-1].name not in slow.CODE:
            self.chars[id(self.events[-1][1])] = self._sizes[len(self.chars)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        style = (dict(attrs).get("style") or "").lower()
        if tag == "div" and ("position: absolute" in style or "position:fixed" in style):
            self.positioned.add(id(self.events[-1][1]))


class Wlr:
    """Attributes of the content nodes, and the best of them."""

    def __init__(self, html: str, ratio: str, form: str = "summed") -> None:
        self.reader = Reader(html)
        self.form = form
        self.origin: dict[int, Node] = {}  # of a content node: the page's
        body = next(n for n in slow.walk(self.reader.open[0]) if n.name == "body")
        self.body = self.content(body)
        self.nodes = list(slow.walk(self.body)) if self.body else []  # the place is the id
        above, below = (
            (self.tw if ratio[0] == "w" else self.tc),
            (self.l if ratio[1] == "l" else self.count),
        )
        self.ratio = {id(n): Fraction(above(n), below(n)) for n in self.nodes}

    def content(self, node: Node) -> Node | None:
        """Definition 4.1: the node with its content children, or None."""
        if node.name in NOT_VALID or node.hidden:
            return None
        children = [kept for child in node.children if (kept := self.content(child))]
        if not children and not slow.slow_words(node.text):
            return None
        copy = Node(node.name, node.text, children=children)
        self.origin[id(copy)] = node
        if id(node) in self.reader.positioned:
            self.reader.positioned.add(id(copy))
        return copy

    def tw(self, node: Node) -> int:
        if not node.children:
            return len(slow.slow_words(node.text))
        return sum(map(self.tw, node.children))

    def tc(self, node: Node) -> int:
        if not node.children:
            return self.reader.chars[id(self.origin[id(node)])]
        return sum(map(self.tc, node.children))

    def count(self, node: Node) -> int:
        return len(list(slow.walk(node)))

    def l(self, node: Node) -> int:  # noqa: E743
        """Definition 4.2 and Fig. 5."""
        if not node.children:
            return 1
        leaves, joining = 0, False
        for child in node.children:
            static = id(child) not in self.reader.positioned
            if child.name in JOINING and static and self.l(child) == 1:
                joining = True
            else:
                leaves += self.l(child)
                if joining:
                    leaves += 1
                    joining = False
        return leaves + joining

    def initial(self) -> list[int]:
        """The ids of Definition 4.5; a ratio is at least the root if its square is."""
        square = max(self.ratio.values()) * self.ratio[id(self.body)]
        return [i for i, n in enumerate(self.nodes) if self.ratio[id(n)] ** 2 >= square]

    def weights(self) -> dict[int, Fraction]:
        """W of Definition 4.6."""
        values = self.ratio.values()
        initial = self.initial()
        found = {}
        for i, n in enumerate(self.nodes):
            first, last = min(initial), max(initial)
            r_pos = 1 - Fraction(i - first, last - first) if last > first else Fraction(1)
            least, most = min(values), max(values)
            r_wlr = (self.ratio[id(n)] - least) / (most - least) if most > least else Fraction(1)
            found[id(n)] = r_pos * r_wlr if i in initial else Fraction(0)
        return found

    def exact_relevances(self) -> list[Fraction]:
        """R of each node in order of ids."""
        weight = self.weights()
        m: dict[int, Fraction] = {}
        for n in reversed(self.nodes):  # children before their parents
            factor = self.ratio if self.form == "printed" else {id(c): 1 for c in n.children}
            m[id(n)] = max(
                weight[id(n)], Fraction(sum(factor[id(c)] * m[id(c)] for c in n.children))
            )
        return [self.ratio[id(n)] * m[id(n)] for n in self.nodes]

    def relevances(self) -> list[float]:
        """R of each node as a float, in the printed form its logarithm."""
        exact = self.exact_relevances()
        if self.form != "printed":
            return [float(r) for r in exact]
        return [math.log(r.numerator) - math.log(r.denominator) if r else -math.inf for r in exact]

    def words(self) -> list[str]:
        """The words of the page below the best node, those of hidden parts left out."""
        if not self.nodes:
            return []
        relevance = self.exact_relevances()
        best = self.nodes[relevance.index(max(relevance))]  # the first on ties
        shown = [node for node in slow.walk(self.origin[id(best)]) if not node.hidden]
        return [word for node in shown for word in slow.slow_words(node.text)]

    def is_close_call(self) -> bool:
        """Tell whether two relevances differ so little that rounding may decide between them."""
        best = sorted(set(self.exact_relevances()))[-2:] if self.nodes else []
        return any(high - low < high * Fraction(1, 10**9) for low, high in pairwise(best))
