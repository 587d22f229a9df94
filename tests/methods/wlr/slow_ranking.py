"""Blocks in order of relevance and menus, slowly from the HTML string.

The tree comes from `html.parser` (see slow_definitions); nothing here uses our Page.
"""

from fractions import Fraction

from tests import slow_definitions as slow
from tests.methods.slow_wlr import Wlr
from tests.slow_definitions import Node


def blocks(html: str, most: int) -> list[list[str]] | None:
    """The words of each block, best first; None when rounding decides which one is better."""
    wlr = Wlr(html, "wl")
    body = next(node for node in slow.walk(wlr.reader.open[0]) if node.name == "body")
    found: list[list[str]] = []
    trees = [wlr.body]  # kept, so that no later node gets the id of a former one
    while len(found) < most and wlr.nodes:
        if wlr.is_close_call():
            return None
        relevance = wlr.exact_relevances()
        best = wlr.origin[id(wlr.nodes[relevance.index(max(relevance))])]
        found.append(words(best))
        if best is body:
            break
        parent = next(node for node in slow.walk(body) if any(c is best for c in node.children))
        parent.children = [child for child in parent.children if child is not best]
        wlr.body = wlr.content(body)
        trees.append(wlr.body)
        wlr.nodes = list(slow.walk(wlr.body)) if wlr.body else []
        wlr.ratio = {id(node): Fraction(wlr.tw(node), wlr.l(node)) for node in wlr.nodes}
    return found


def words(node: Node) -> list[str]:
    """All words in a node that are not hidden."""
    texts = [inner.text for inner in slow.walk(node) if not inner.hidden]
    return [word for text in texts for word in slow.slow_words(text)]


def menus(html: str, share: float, links: int) -> list[list[str]]:
    """The words of each menu: from the body down, not further where there is one."""
    body = next(node for node in slow.walk(slow.read(html).open[0]) if node.name == "body")
    return menus_below(body, share, links)


def menus_below(node: Node, share: float, links: int) -> list[list[str]]:
    short = [inner for inner in slow.walk(node) if inner.is_link and 0 < len(words(inner)) <= 2]
    all_words = words(node)
    in_short = sum(len(words(link)) for link in short)
    if len(short) >= links and in_short / len(all_words) >= share:
        return [all_words]
    return [found for child in node.children for found in menus_below(child, share, links)]
