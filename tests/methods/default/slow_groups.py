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
    skipped = {"figcaption", *(f"h{level}" for level in range(1, 7))}
    blocks = page.blocks
    groups = [container_of(page, block, names, outermost=True) for block in blocks]
    solid = [
        at
        for at, block in enumerate(blocks)
        if block.words
        and (
            at in kept
            or skipped.isdisjoint({(home := page.home(block)).name, page.outer(home).name})
        )
    ]
    found = set(kept)
    for node in {id(node): node for node in groups if node}.values():
        members = [at for at in solid if groups[at] is node]
        before = [at for at in solid if members and at < members[0]]
        after = [at for at in solid if members and at > members[-1]]
        if not before or before[-1] not in kept:
            continue
        first = before[-1]
        words = sum(blocks[at].words for at in members)
        linked = sum(blocks[at].linked for at in members)
        expected = sum(p[at] * blocks[at].words for at in members)
        is_code = node.name == "pre"
        if expected < 0.05 * words and not is_code:
            continue
        if not _beside(page, blocks[first], groups[first], node):
            continue
        text = "".join(one.text for one in blocks[first].texts)
        is_announced = node.name in {"ul", "ol", "dl"} and text.rstrip().endswith(":")
        goes_on = any(
            at in kept and _beside(page, blocks[at], groups[at], node) for at in after[:1]
        )
        goes_on |= is_code and expected >= 0.1 * words
        is_probable = node.name == "table" and expected >= 0.5 * words
        may_fill = linked < 0.5 * words or is_probable
        if (is_announced and linked < 0.3 * words) or (may_fill and goes_on):
            found |= {
                at
                for at, block in enumerate(blocks)
                if groups[at] is node and p[at] > 0 and not block.unseen
            }
    return found


def _around(page: SlowPage, group: Node) -> Node:
    """The container around a group, for code around all that hold nothing else."""
    return page.outer(page.top(group) if group.name == "pre" else group)


def _beside(page: SlowPage, block: Block, own: Node | None, group: Node) -> bool:
    """Whether a block, or the group that it is in, is in the container of a group."""
    home = page.home(block)
    return _around(page, group) in (home, _around(page, own) if own else page.outer(home))


def with_neighbours(page: SlowPage, p: list[float], kept: set[int], headline: int) -> set[int]:
    """Blocks between kept ones of the same container, then headings above kept text."""
    blocks, solid = page.blocks, [at for at, block in enumerate(page.blocks) if block.words]
    found = set(kept)

    def near(one: int, other: int) -> bool:
        first, second = page.home(blocks[one]), page.home(blocks[other])
        return (
            first is second
            or page.outer(first) in (second, page.outer(second))
            or (page.outer(second) is first)
        )

    for before, at, after in zip(solid, solid[1:], solid[2:], strict=False):
        block = blocks[at]
        fits = block.words <= 8 and p[at] >= 0.05
        fits |= page.home(block).name == "p" and p[at] >= 0.3
        fits &= not block.linked and not block.unseen and at != headline
        if fits and {before, after} <= kept and near(before, at) and near(at, after):
            found.add(at)

    def heading(at: int) -> Node | None:
        return container_of(page, blocks[at], {f"h{n}" for n in range(1, 7)}, outermost=False)

    def level(at: int) -> int:
        node = heading(at)
        return int(node.name[1]) if node else 0

    filled = set(found)
    for place in reversed(range(len(solid) - 1)):
        at, after = solid[place : place + 2]
        before = [one for one in solid[:place] if one in filled or level(one) < 2]
        block, own = blocks[at], heading(at)
        if not own or level(at) < 2 or at in filled or at == headline or block.unseen or not p[at]:
            continue
        if not before or before[-1] not in filled or block.linked >= 0.5 * block.words:
            continue
        is_inside = page.outer(page.outer(own)) in page.all_around(page.home(blocks[after]))
        if after in found and is_inside and not 0 < level(after) <= level(at):
            found.add(at)
    return found
