"""The rules of `groups`, computed slowly node by node as they are defined."""

from tests.methods.default.slow_features import Block, Node, SlowPage


def container_of(page: SlowPage, block: Block, names: set[str], *, outermost: bool) -> Node | None:
    """The innermost or outermost container with such a name around a block."""
    around = [node for node in page.all_around(page.home(block)) if node.name in names]
    return (around[-1] if outermost else around[0]) if around else None


def share_probability(page: SlowPage, p: list[float]) -> list[float]:
    """The blocks of a list, or of a table of 200 words or fewer, with one probability."""
    names = {"ul", "ol", "dl", "table"}
    lists = [container_of(page, block, names, outermost=False) for block in page.blocks]
    found = list(p)
    for place, node in enumerate(lists):
        members = [at for at, other in enumerate(lists) if node and other is node]
        words = sum(page.blocks[at].words for at in members)
        if node and p[place] and (node.name != "table" or words <= 200):
            found[place] = sum(p[at] * page.blocks[at].words for at in members) / max(words, 1)
    return found


def fill_between(page: SlowPage, p: list[float], kept: set[int]) -> set[int]:
    """Lists, tables, quotes and code between two kept blocks of the same container."""
    names = {"ul", "ol", "dl", "table", "blockquote", "pre"}
    blocks = page.blocks
    groups = [container_of(page, block, names, outermost=True) for block in blocks]
    solid = [at for at, block in enumerate(blocks) if block.words]
    found = set(kept)
    for node in {id(node): node for node in groups if node}.values():
        members = [at for at in solid if groups[at] is node]
        before = [at for at in solid if members and at < members[0]]
        after = [at for at in solid if members and at > members[-1]]
        if not before or not after:
            continue
        sides = (before[-1], after[0])
        words = sum(blocks[at].words for at in members)
        linked = sum(blocks[at].linked for at in members)
        expected = sum(p[at] * blocks[at].words for at in members)
        if (
            all(at in kept and _beside(page, blocks[at], groups[at], node) for at in sides)
            and expected >= 0.05 * words
            and linked < 0.5 * words
        ):
            found |= {
                at
                for at, block in enumerate(blocks)
                if groups[at] is node and p[at] > 0 and not block.unseen
            }
    return found


def _beside(page: SlowPage, block: Block, own: Node | None, group: Node) -> bool:
    """Whether a block, or the group that it is in, is in the container of a group."""
    home = page.home(block)
    return page.outer(group) in (home, page.outer(own or home))
