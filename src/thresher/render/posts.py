"""Threads in the normal form: each post with a line that says who wrote it, when, and its votes.

The kept rows of a page are cut into the parts that the posts own and the parts between them. Each
part is brought to the normal form on its own, so that a table or list around all posts does not
show. A post then begins with a line such as

    **Ada** · 2024-05-03 10:00 · votes: 12

and what the page shows in its place (names, times, buttons) is left out. Answers are quotations
within quotations, as deep as they are in the thread; or, for formats that have divisions, each post
is an element `article` with its data as attributes.

What a post quotes of another is a quotation that begins with the line "Ada wrote:", however the
board writes it, if the author is known.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from typing import Protocol

import numpy as np

from thresher.page import Page, Selection
from thresher.page.array_types import Bools, Int32s, Int64s
from thresher.render.kept_images import is_icon
from thresher.render.kept_tree import KeptTree, kept_tree
from thresher.render.tree import Element, Node, Text

POST = "post"  # the `role` of an `article` that is a post; others are what is between posts
_BESIDE = -2  # in place of the number of a post: names, times and buttons
_MOST_POSTS = 4  # with one image, which then is an icon
_MOST_QUOTES = 8  # levels of answers that are shown
_CONTAINERS = frozenset("ul ol menu dir dl table".split())
_QUOTE_BOXES = frozenset("div table section aside".split())  # that may be a quotation
_ITEMS = frozenset("li dt dd caption thead tbody tfoot tr td th".split())


class Quoted(Protocol):
    """What is written of a quotation; `thresher.structure.threads.fields.Quotation` has it."""

    @property
    def row(self) -> int:
        """The row of its element."""

    @property
    def author(self) -> str:
        """The name of the author; "" if unknown."""

    @property
    def title(self) -> tuple[int, ...]:
        """The rows of the texts that name the author."""


class ThreadPost(Protocol):
    """What is written of a post; `thresher.structure.threads.Post` has it."""

    @property
    def author(self) -> str:
        """The name of the author; "" if unknown."""

    @property
    def time(self) -> str:
        """The time in ISO 8601; "" if unknown."""

    @property
    def time_as_written(self) -> str:
        """The time as the page shows it; "" if unknown."""

    @property
    def votes(self) -> int | None:
        """The number of votes; None if unknown."""

    @property
    def depth(self) -> int:
        """How deep it is in the thread: 0 for a post that answers none."""

    @property
    def row(self) -> int:
        """The row where it begins."""

    @property
    def end(self) -> int:
        """The first row after it."""

    @property
    def body(self) -> tuple[int, int]:
        """The first row of the element that holds its text, and the first row after it."""

    @property
    def text_rows(self) -> tuple[int, ...]:
        """The rows of its text."""

    @property
    def quote_rows(self) -> tuple[int, ...]:
        """The rows of what it quotes of other posts."""

    @property
    def headings(self) -> tuple[int, ...]:
        """The rows of the headings of its text that are not in that element."""

    @property
    def images(self) -> tuple[int, ...]:
        """The rows of the images in its text."""

    @property
    def quotations(self) -> Sequence[Quoted]:
        """What it quotes of other posts, in order."""


def posts_tree(
    selection: Selection,
    posts: Sequence[ThreadPost],
    normalise: Callable[[KeptTree], Element],
    *,
    nested: bool = True,
) -> Element:
    """Return a selection with posts in the normal form, as an element `body`.

    Posts of which nothing is selected are left out. If `nested`, answers are in quotations; else
    each post is an `article`, and so is what follows on one.
    """
    page = selection.page
    owner = _owners(posts, page)
    texts = [row for post in posts for row in (*post.text_rows, *post.quote_rows)]
    in_posts = selection & page.select(np.array(texts, np.int64))
    in_posts |= _quoted_in(posts, selection)
    quotations = [one for post in posts for one in post.quotations]
    in_posts -= page.select(np.array([row for one in quotations for row in one.title], np.int64))
    images = _images(posts, selection.rows, page)
    tree = kept_tree((selection - page.where(owner != -1)) | in_posts, images)
    owners = _owners_in_tree(tree, owner)
    _leave_out_icons(tree, owners, len(posts), {id(page.nodes[one.row]) for one in quotations})
    if quotations:
        is_quoted = np.zeros(len(page), np.bool_)
        is_quoted[[row for post in posts for row in post.quote_rows]] = True
        _mark_quotations(tree, is_quoted)
        tree, owners = _with_titles(tree, owners, quotations)
    parts = sorted(_parts(tree, owners).items())
    written = [(number, normalise(part).children) for number, part in parts]
    written = [(number, blocks) for number, blocks in written if blocks]
    parents = _parents(posts, [number // 2 for number, _ in written if number % 2])
    body = Element("body")
    for number, blocks in written:
        post, is_post = divmod(number, 2)
        if is_post:
            body.children += _post(posts[post], post, parents[post], blocks, nested=nested)
        else:
            is_plain = nested or not body.children or number == 0
            body.children += blocks if is_plain else [Element("article", {}, blocks)]
    return body


def _quoted_in(posts: Sequence[ThreadPost], selection: Selection) -> Selection:
    """Return what the posts quote that have selected text of their own.

    In plain text the words of others would be mixed with those of the post, so few are selected.
    Here they are marked as a quotation, and a reader sees what a post answers.
    """
    page = selection.page
    is_selected = np.zeros(len(page), np.bool_)
    is_selected[selection.rows] = True
    rows = [
        row
        for post in posts
        if post.quote_rows and is_selected[list(post.text_rows)].any()
        for row in post.quote_rows
        if not page.hidden[row]
    ]
    return page.select(np.array(rows, np.int64))


def _post(
    post: ThreadPost, number: int, parent: int | None, blocks: list[Node], *, nested: bool
) -> list[Node]:
    """Return the blocks of one post, without the rules at its ends."""
    while blocks and _is_rule(blocks[0]):
        blocks = blocks[1:]
    while blocks and _is_rule(blocks[-1]):
        blocks = blocks[:-1]
    if nested:
        blocks = [byline(post, number), *blocks]
        for _ in range(min(post.depth, _MOST_QUOTES)):
            blocks = [Element("blockquote", {}, blocks)]
        return blocks
    known = {
        "role": POST,
        "number": str(number + 1),
        "parent": "" if parent is None else str(parent + 1),
        "author": post.author,
        "time": post.time,
        "time-as-written": post.time_as_written,
        "votes": "" if post.votes is None else str(post.votes),
    }
    return [Element("article", {name: value for name, value in known.items() if value}, blocks)]


def _is_rule(block: Node) -> bool:
    return isinstance(block, Element) and block.tag == "hr"


def byline(post: ThreadPost, number: int) -> Element:
    """Return the line with author, time and votes; of an unknown author, the number of the post."""
    time = post.time[:16].replace("T", " ") or post.time_as_written
    votes = "" if post.votes is None else f"votes: {post.votes}"
    rest = "".join(f" · {part}" for part in (time, votes) if part)
    name = Element("strong", {}, [Text(post.author or f"#{number + 1}")])
    return Element("p", {}, [name, Text(rest)] if rest else [name])


def _parents(posts: Sequence[ThreadPost], written: Sequence[int]) -> dict[int, int | None]:
    """Return for each post that is written the one of these that it answers, None for none."""
    found: dict[int, int | None] = {}
    open_posts: list[int] = []
    for number in written:
        while open_posts and posts[open_posts[-1]].depth >= posts[number].depth:
            open_posts.pop()
        found[number] = open_posts[-1] if open_posts else None
        open_posts.append(number)
    return found


# --- parts of the kept rows ----------------------------------------------------------------------


def _images(posts: Sequence[ThreadPost], kept: Int32s, page: Page) -> list[int]:
    """Return the rows of the images of posts of which a text is kept, or which have no text.

    Of the latter those before the last kept row; `kept` are the kept rows. Icons and hidden images
    are left out.
    """
    known, last = set(kept.tolist()), int(kept[-1]) if len(kept) else -1
    return [
        row
        for post in posts
        if post.images
        and (not known.isdisjoint(post.text_rows) if post.text_rows else post.row < last)
        for row in post.images
        if not page.hidden[row] and not is_icon(page.nodes[row])
    ]


def _owners(posts: Sequence[ThreadPost], page: Page) -> Int64s:
    """Return for each row of a page the innermost post it is in, -1 for none.

    Rows beside the text of a post have `_BESIDE`. Posts are in order, so an inner one overwrites
    the one around it. Each row is written once for each level of nesting, which is limited.
    """
    found = np.full(len(page), -1, np.int64)
    for number, post in enumerate(posts):
        found[post.row : post.end] = _BESIDE
        found[slice(*post.body)] = number
        for row in post.headings:
            found[row : int(page.end[row])] = number
    return found


def _owners_in_tree(tree: KeptTree, owner: Int64s) -> list[int]:
    """Return the post of each kept row, -1 for none; rows not of the page are as their parents."""
    assert tree.kept is not None
    found: list[int] = owner[tree.kept].tolist()
    for at, node in enumerate(tree.nodes):
        if node is None and tree.tags[at]:
            parent = tree.parents[at]
            found[at] = found[parent] if parent >= 0 else (found[at - 1] if at else -1)
    return found


def _leave_out_icons(tree: KeptTree, owners: list[int], count: int, quotations: set[int]) -> None:
    """Mark images that are in half of the posts, or in several, as no part of the posts.

    The same is done with the sign of a site, as beside a link to it.
    What a post quotes repeats the images of another, so it does not count for images that posts
    have themselves. `quotations` are the ids of the nodes of quotations.
    """
    images = [at for at in tree.places_of(("img",)) if owners[at] >= 0]
    reach = list(
        accumulate(
            (
                end * (id(node) in quotations)
                for node, end in zip(tree.nodes, tree.ends, strict=True)
            ),
            max,
        )
    )
    posts_of: dict[tuple[str, bool], set[int]] = {}
    for at in images:
        key = tree.attr(at, "src") or "", at < reach[at]
        posts_of.setdefault(key, set()).add(owners[at])
    for at in images:
        source = tree.attr(at, "src") or ""
        found = posts_of.get((source, False)) or posts_of[source, True]
        is_sign = source.endswith(".ico") or "site-icon" in (tree.attr(at, "class") or "")
        if is_sign or len(found) >= max(2, min(count / 2, _MOST_POSTS)):
            owners[at] = _BESIDE


def _mark_quotations(tree: KeptTree, is_quoted: Bools) -> None:
    """Make the outermost elements that hold only quoted text a quotation; one bool per page row."""
    assert tree.kept is not None
    own = [0]  # how many texts of the posts themselves there are before each row
    some = [0]  # the same for those that are quoted
    for tag, text, quoted in zip(tree.tags, tree.texts, is_quoted[tree.kept].tolist(), strict=True):
        is_text = not tag and bool(text.strip())
        own.append(own[-1] + (is_text and not quoted))
        some.append(some[-1] + (is_text and quoted))
    done = 0
    for at, (tag, end) in enumerate(zip(tree.tags, tree.ends, strict=True)):
        if at < done or own[end] > own[at] or some[end] == some[at]:
            continue
        done = end
        if tag in _QUOTE_BOXES:
            tree.tags[at] = "blockquote"
            tree.layout_tables.discard(at)


def _with_titles(
    tree: KeptTree, owners: list[int], quotations: Sequence[Quoted]
) -> tuple[KeptTree, list[int]]:
    """Return a tree and the posts of its rows with lines such as "Ada wrote:" in quotations.

    A quotation that holds nothing but another one is one with it.
    """
    assert tree.kept is not None
    place = np.concatenate(([0], tree.kept.cumsum()))  # in the tree, of each row that is kept
    kept = [one for one in quotations if tree.kept[one.row]]
    boxes = {one.row: _box_of(tree, int(place[one.row])) for one in kept}
    for at in sorted(set(boxes.values()) - {-1}):
        _open_only_quotation(tree, at)
    titles: dict[int, str] = {}  # by the place of a quotation
    for one in kept:
        if one.author and boxes[one.row] >= 0:
            at = _box_of(tree, boxes[one.row])
            titles.setdefault(at, f"{one.author} wrote:")
    return _with_lines(tree, owners, titles)


def _box_of(tree: KeptTree, at: int) -> int:
    """Return the place of the quotation that an element is, begins or is around; -1 for none."""
    found, outer = -1, at
    while outer >= 0:
        if tree.tags[outer] == "blockquote":
            found = outer
        parent = tree.parents[outer]
        if parent < 0 or list(islice(_shown(tree, parent), 2)) != [outer]:
            break
        outer = parent
    while found < 0 and at >= 0:
        found = at if tree.tags[at] == "blockquote" else -1
        at = next(_shown(tree, at), -1)
    return found


def _open_only_quotation(tree: KeptTree, at: int) -> None:
    """Make quotations that are all that an element holds a `div`."""
    inner = list(islice(_shown(tree, at), 2))
    while len(inner) == 1 and tree.tags[inner[0]]:
        if tree.tags[inner[0]] == "blockquote":
            tree.tags[inner[0]] = "div"
        inner = list(islice(_shown(tree, inner[0]), 2))


def _shown(tree: KeptTree, at: int) -> Iterator[int]:
    """Yield the children of an element that are not white space or line breaks."""
    for child in tree.children(at):
        if tree.tags[child] != "br" and (tree.tags[child] or tree.texts[child].strip()):
            yield child


def _with_lines(
    tree: KeptTree, owners: list[int], lines: dict[int, str]
) -> tuple[KeptTree, list[int]]:
    """Return a tree and the posts of its rows with a line as the first in each of some elements."""
    if not lines:
        return tree, owners
    moved: list[int] = []  # the new place of each row, and of the end
    for at in range(len(tree) + 1):
        moved.append(moved[-1] + (3 if at - 1 in lines else 1) if moved else 0)
    made = KeptTree([], array("i"), array("i"), [], [], {})
    found: list[int] = []
    columns = zip(tree.tags, tree.ends, tree.parents, tree.texts, tree.nodes, owners, strict=True)
    for at, (tag, end, parent, text, node, owner) in enumerate(columns):
        rows = [(tag, moved[end], moved[parent] if parent >= 0 else -1, text, node)]
        if at in lines:
            new = moved[at] + 1
            rows += [("p", new + 2, moved[at], "", None), ("", new + 2, new, lines[at], None)]
        for own_tag, own_end, own_parent, own_text, own_node in rows:
            made.tags.append(own_tag)
            made.ends.append(own_end)
            made.parents.append(own_parent)
            made.texts.append(own_text)
            made.nodes.append(own_node)
            found.append(owner)
    made.places = {tag: [moved[at] for at in places] for tag, places in tree.places.items()}
    made.numbers = {moved[at]: number for at, number in tree.numbers.items()}
    made.layout_tables = {moved[at] for at in tree.layout_tables}
    made.boxes = {moved[at]: is_done for at, is_done in tree.boxes.items()}
    return made, found


def _parts(tree: KeptTree, owners: Sequence[int]) -> dict[int, KeptTree]:
    """Return the kept rows of each part: 2 n + 1 for the post n, 2 n for what comes before it.

    Lists and tables around a part are left out.
    """
    members: dict[int, list[int]] = {}
    part_of, place = [-1] * len(tree), [-1] * len(tree)  # of each row: its part, its place there
    begun = 0
    for at, post in enumerate(owners):
        begun = max(begun, post + 1)
        if post == _BESIDE:
            continue
        part_of[at] = 2 * post + 1 if post >= 0 else 2 * begun
        own = members.setdefault(part_of[at], [])
        place[at] = len(own)
        own.append(at)
    parts = {number: _part(tree, own, number, part_of, place) for number, own in members.items()}
    for tag, places in tree.places.items():
        for at in places:
            part = parts.get(part_of[at])
            if part is not None and part.tags[place[at]] == tag:
                part.places.setdefault(tag, []).append(place[at])
    _add_marks(tree, parts, part_of, place)
    return parts


def _add_marks(
    tree: KeptTree, parts: dict[int, KeptTree], part_of: list[int], place: list[int]
) -> None:
    """Add the numbers of items, the layout tables and the boxes of tasks to the parts of a tree."""
    for at, number in tree.numbers.items():
        if part_of[at] >= 0:
            parts[part_of[at]].numbers[place[at]] = number
    for at in tree.layout_tables:
        if part_of[at] >= 0:
            parts[part_of[at]].layout_tables.add(place[at])
    for at, is_done in tree.boxes.items():
        if part_of[at] >= 0:
            parts[part_of[at]].boxes[place[at]] = is_done


def _part(
    tree: KeptTree, members: list[int], number: int, part_of: list[int], place: list[int]
) -> KeptTree:
    """Return some rows of a tree as a tree, without what `_parts` adds."""
    around = [tree.parents[at] for at in members]
    parents = array("i", [place[at] if at >= 0 and part_of[at] == number else -1 for at in around])
    ends = array("i", [bisect_left(members, tree.ends[at]) for at in members])
    tags = [tree.tags[at] for at in members]
    _open_single_items(tags, ends)
    _open_loose_items(tags, parents)
    texts, nodes = [tree.texts[at] for at in members], [tree.nodes[at] for at in members]
    return KeptTree(tags, ends, parents, texts, nodes, {})


def _open_single_items(tags: list[str], ends: array[int]) -> None:
    """Make a list, table or quotation around all rows a `div`; lists and tables of one item."""
    size = len(tags)
    for at in range(size - 1):
        if ends[at] != size or not tags[at]:
            return
        is_single = tags[at] in _CONTAINERS and ends[at + 1] == size
        if tags[at] in _ITEMS or is_single or tags[at] == "blockquote":
            tags[at] = "div"


def _open_loose_items(tags: list[str], parents: array[int]) -> None:
    """Make items and cells a `div` if the list or table that they belong to is not there."""
    is_within: list[bool] = []
    for at, parent in enumerate(parents):
        within = parent >= 0 and (is_within[parent] or tags[parent] in _CONTAINERS)
        is_within.append(within)
        if not within and tags[at] in _ITEMS:
            tags[at] = "div"
