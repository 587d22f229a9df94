"""Footnotes: references in the text, the notes they point to, and the links back.

A reference is a short link to a later element of the page, raised or marked as one, or a number
that the note begins with. Its note is that element, or the block around it; several notes in one
block, each after a line break, are apart, and so are the entries of a list of definitions or of a
table whose first column has the labels. Raised numbers that are no links are references if the
page has one paragraph for each of them that begins with it (`_notes_without_links`).

In the normal form a reference is `sup > a[role=doc-noteref]` and a note is an
`aside[role=doc-footnote]` with the id `fn-` and the note's label; links back are dropped.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice, pairwise

from thresher.page.addresses import fragment
from thresher.page.attributes import attribute_values
from thresher.render.compiled import use_compiled
from thresher.render.kept_tree import KeptTree, node_text
from thresher.render.tree import Element, Text

REFERENCE = "doc-noteref"
NOTE = "doc-footnote"
_BLOCKS = frozenset({"li", "p", "div", "dd", "aside", "section", "td", "blockquote"})
_CONTAINERS = frozenset({"li", "dd", "td"})
_MARKS = ("class", "role", "epub:type", "rel", "data-type")  # attributes that mark a reference
_MARKED = re.compile(r"noteref|footnote|endnote|cite[-_]?ref|reference")
_BACK = re.compile(r"back-?ref|back-?link|reversefootnote|footnote-back|doc-backlink")
_ARROWS = "↩↑⤴⏎↵^\ufe0e\ufe0f \t\n\u00a0"  # of a link back
_NUMBER = re.compile(r"[\[(]?[1-9]\d{0,2}[\])]?")
_RAISED = re.compile(r"\[?[1-9]\d{0,2}\]?")
_BRACKETS = "[](){} \t\n\u00a0.:*†‡↩↑^"
_LABEL = re.compile(r"\w{1,12}")
_SHORT_LABEL = re.compile(r"[1-9]\d{0,2}|[a-z]")  # of an entry of a list or a table
_ID = re.compile(r"fn-\w{1,12}")  # of a note in the normal form
# Around the label at the begin of a note.
_BEFORE_LABEL = re.compile(r"\s*[\[(]?")
_AFTER_LABEL = re.compile(r"[\]).:]*(?:\s+|$)")
_TEXT_AFTER_LABEL = re.compile(r"[\]).:\s]\s*\S")
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_MAX_MARK = 16  # characters; a longer raised link is prose
_MOST_ROWS = 8  # of an element that is a number
_MAX_CLIMB = 6  # elements from the target of a reference up to its note


def is_reference(node: Element) -> bool:
    """Return whether an element of the normal form is a reference to a footnote."""
    if node.tag != "sup" or len(node.children) != 1:
        return False
    link = node.children[0]
    return isinstance(link, Element) and link.attr("role") == REFERENCE


def is_normal_reference(tree: KeptTree, link: int) -> bool:
    """Return whether a link of a page is a reference as the normal form has it, label included."""
    if tree.attr(link, "role") != REFERENCE:
        return False
    address = tree.attr(link, "href") or ""
    is_own = address.startswith("#") and _ID.fullmatch(address, 1) is not None
    return is_own and tree.text(link) == address.removeprefix("#fn-")


def is_normal_note(tree: KeptTree, index: int) -> bool:
    """Return whether an element of a page is a note as the normal form has it."""
    is_marked = tree.attr(index, "role") == NOTE
    return is_marked and _ID.fullmatch(tree.attr(index, "id") or "") is not None


def note_label(note: Element) -> str:
    """Return the label of a footnote in the normal form."""
    return (note.attr("id") or "").removeprefix("fn-")


@dataclass(slots=True)
class _Note:
    block: int
    references: list[int]
    label: str = ""


def normalise_footnotes(
    tree: KeptTree,
    addresses: dict[int, str | None],
    page_url: str | None,
    *,
    spoken: bool = False,
) -> None:
    """Replace references, mark notes with their labels, and leave out the links back.

    `addresses` are the values of the attribute `href` of the elements `a`. References to notes that
    are not kept lose their links, unless the address of the page is known, which has the notes.
    What is spoken keeps them: they tell marks of notes from powers.
    """
    links = [
        (link, fragment(address, page_url))
        for link, address in addresses.items()
        if address is not None and "#" in address
    ]
    links = [(link, name) for link, name in links if name]
    pairs: list[tuple[int, int]] = []
    notes: list[_Note] = []
    references = [link for link, _ in links if _may_be_reference(tree, link)]
    if references:
        pairs = _pairs(tree, links)
        notes = _find_notes(tree, pairs)
        if page_url is None and not spoken:
            _unlink(tree, set(references) - {link for link, _ in pairs})
    if not notes:
        notes = _notes_without_links(tree)
    if notes:
        _drop_back_links(tree, pairs, notes)
        _drop_arrows(tree, addresses, notes)
        for note in notes:
            _rewrite(tree, note)


def _unlink(tree: KeptTree, references: set[int]) -> None:
    """Leave only the text of references: their links lead nowhere."""
    for link in references - tree.replaced_rows():
        if _is_marked(tree, link):
            tree.replaced[link] = Text(tree.text(link))


def _pairs(tree: KeptTree, links: list[tuple[int, str]]) -> list[tuple[int, int]]:
    """Return the links to elements that are in the tree, with these elements."""
    wanted = {name for _, name in links}
    hidden = tree.replaced_rows()
    elements = [
        index for index, tag in enumerate(tree.tags) if tag and tree.nodes[index] is not None
    ]
    named: dict[str, int] = {}
    ids = attribute_values([tree.nodes[index] for index in elements], "id")
    for index, name in zip(elements, ids, strict=True):
        names = (name, tree.attr(index, "name")) if tree.tags[index] == "a" else (name,)
        for each in names:
            if each in wanted and index not in hidden:
                named.setdefault(each, index)
    return [(link, named[name]) for link, name in links if name in named and link not in hidden]


def _find_notes(tree: KeptTree, pairs: list[tuple[int, int]]) -> list[_Note]:
    """Return the notes with their labels, in the order of their first reference.

    `pairs` are links within the page and their targets. A note within another is left out.
    """
    found: dict[int, _Note] = {}
    looks = _Looks(tree)
    texts = _take_labels_apart(tree, pairs)
    pairs = [(link, texts.get(target, target)) for link, target in pairs]
    marked = [
        (link, target)
        for link, target in pairs
        if target in texts or looks.like_reference(link, target)
    ]
    _split_at_breaks(tree, {target for link, target in marked if link < target})
    headings = tree.inside(-1, _HEADINGS) if marked else []
    for link, target in marked:
        block = _note_block(tree, target)
        if block is None or block <= link or _is_cell_of_data(tree, block):
            continue  # not wholly after its reference, or part of a table
        if block in found:
            found[block].references.append(link)
        elif bisect_right(headings, block) == bisect_left(headings, tree.ends[block]):
            found[block] = _Note(block, [link])  # no heading is inside
    notes = [
        note
        for note in found.values()
        if not any(above in found for above in tree.ancestors(note.block))
    ]
    _label(tree, notes)
    return notes


def _is_cell_of_data(tree: KeptTree, block: int) -> bool:
    if tree.tags[block] != "td":
        return False
    tables = (above for above in tree.ancestors(block) if tree.tags[above] == "table")
    return next(tables, -1) not in tree.layout_tables


def _take_labels_apart(tree: KeptTree, pairs: list[tuple[int, int]]) -> dict[int, int]:
    """Make the notes of lists of definitions and of tables blocks, without their labels.

    Returns the note of each target that is the label or the row of one, and of each note itself. A
    list or a table has notes if all of its entries are a label and a text, and each label that is
    referred to is the text of the reference.
    """
    by_holder: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for link, target in pairs:
        near = islice(chain([target], tree.ancestors(target)), _MAX_CLIMB)
        holder = next((index for index in near if tree.tags[index] in ("dl", "table")), None)
        if holder is not None and link < holder and _may_be_reference(tree, link):
            by_holder[holder].append((link, target))
    found: dict[int, int] = {}
    for holder, inner in by_holder.items():
        entries = _entries(tree, holder)
        if not entries:
            continue
        begins = [label for label, _ in entries]
        # A target may be the row of the label, or the whole list if it has one entry.
        at = [max(bisect_right(begins, _first_row(tree, target)) - 1, 0) for _, target in inner]
        cited = [(link, entries[place][0]) for (link, _), place in zip(inner, at, strict=True)]
        if all(_same_label(tree, label, link) for link, label in cited):
            _open_entries(tree, holder, entries)
            tree.replaced.update(dict.fromkeys([label for _, label in cited]))
            for (_, target), place in zip(inner, at, strict=True):
                text = entries[place][1]
                found[target] = found[text] = text
    return found


def _open_entries(tree: KeptTree, holder: int, entries: list[tuple[int, int]]) -> None:
    """Make blocks of the entries of a list or a table, and of what is around them."""
    for index in chain.from_iterable(entries):
        for above in chain([index], tree.ancestors(index)):
            if above < holder:
                break
            tree.tags[above] = "div"


def _first_row(tree: KeptTree, target: int) -> int:
    """Return the last of the rows that begin where an element of a list or a table begins."""
    while tree.tags[target] in ("table", "tbody", "tr", "dl") and target + 1 < tree.ends[target]:
        target = next(tree.children(target), tree.ends[target] - 1)
    return target


def _same_label(tree: KeptTree, label: int, link: int) -> bool:
    return tree.text(label).strip(_BRACKETS) == tree.text(link).strip(_BRACKETS)


def _entries(tree: KeptTree, holder: int) -> list[tuple[int, int]]:
    """Return the labels and the texts of a list or a table, [] if some entry is another."""
    parts = ("dt", "dd") if tree.tags[holder] == "dl" else ("td", "th")
    rows = [holder] if tree.tags[holder] == "dl" else tree.inside(holder, ("tr",))
    found: list[tuple[int, int]] = []
    for row in rows:
        cells = [index for index in tree.children(row) if tree.tags[index]]
        if len(cells) % 2 or not {tree.tags[index] for index in cells} <= {*parts}:
            return []
        if row != holder and len(cells) != 2:
            return []
        found += zip(cells[::2], cells[1::2], strict=True)
    for label, text in found:
        is_entry = tree.tags[text] in ("dd", "td") and tree.tags[label] != "dd"
        if not is_entry or tree.ends[label] - label > _MOST_ROWS:
            return []
        if not _SHORT_LABEL.fullmatch(tree.text(label).strip(_BRACKETS)):
            return []
    return found


def _label(tree: KeptTree, notes: list[_Note]) -> None:
    """Label each note as its reference does, or with the next free number."""
    wanted = [tree.text(note.references[0]).strip(_BRACKETS) for note in notes]
    taken, used = set(wanted), set[str]()
    number = 1
    for note, label in zip(notes, wanted, strict=True):
        if not _LABEL.fullmatch(label) or label in used:
            while str(number) in taken:
                number += 1
            label = str(number)
            number += 1
        used.add(label)
        note.label = label


class _Looks:
    """Tells references from other links within the page."""

    def __init__(self, tree: KeptTree) -> None:
        self.tree = tree
        self._beginnings: dict[int, str] = {}  # of blocks

    def like_reference(self, link: int, target: int) -> bool:
        """Return whether a link is marked, or a number that the block of its target begins with."""
        tree = self.tree
        if not _may_be_reference(tree, link):
            return False
        if _is_marked(tree, link):
            return True
        block = _note_block(tree, target)
        if block is None:
            return False
        if block not in self._beginnings:
            self._beginnings[block] = _beginning(tree, block)
        return _begins_with(self._beginnings[block], tree.text(link).strip().strip(_BRACKETS))


def _may_be_reference(tree: KeptTree, link: int) -> bool:
    text = tree.text(link).strip()
    if not text or len(text) > _MAX_MARK:
        return False
    return _NUMBER.fullmatch(text) is not None or _is_marked(tree, link)


def _is_marked(tree: KeptTree, link: int) -> bool:
    """Return whether a link is raised, or an attribute says that it is a reference."""
    parent = tree.parents[link]
    if parent >= 0 and tree.tags[parent] == "span":
        parent = tree.parents[parent]
    if parent >= 0 and tree.tags[parent] == "sup":
        return True
    if any(tree.tags[child] == "sup" for child in tree.children(link)):
        return True
    words = " ".join(tree.attr(link, name) or "" for name in _MARKS)
    return _MARKED.search(words) is not None


def _begins_with(beginning: str, label: str) -> bool:
    """Return whether a text begins with a label, and more text follows."""
    at = 1 if beginning.startswith(("[", "(")) else 0
    if not beginning.startswith(label, at):
        return False
    return _TEXT_AFTER_LABEL.match(beginning, at + len(label)) is not None


def _beginning(tree: KeptTree, block: int) -> str:
    """Return the first characters of a block."""
    found = ""
    for text in tree.texts[block : tree.ends[block]]:
        found = (found + text).lstrip()
        if len(found) > _MAX_MARK:
            break
    return found[: 2 * _MAX_MARK]


def _split_at_breaks(tree: KeptTree, targets: Iterable[int]) -> None:
    """Make each note of a block with several notes a block of its own.

    The notes begin at the targets. All are after a line break, or are numbers themselves, but for
    the first, which may begin the block. The line break before a note, or its number, becomes the
    element that holds the note.
    """
    by_block: dict[int, list[int]] = defaultdict(list)
    for target in sorted(targets):
        block = _note_block(tree, target)
        if block is not None and block != target:
            by_block[block].append(target)
    for block, inner in by_block.items():
        if len(inner) < 2:
            continue
        breaks = [_break_before(tree, block, target) for target in inner[:1]]
        breaks += [_begin(tree, block, target) for target in inner[1:]]
        begins_block = breaks[0] is None and not _has_text(tree, block, inner[0])
        after = [each for each in breaks if each is not None]
        if len(after) + begins_block < len(inner) or (
            begins_block and tree.tags[block] in _CONTAINERS
        ):
            continue
        ends = [*after[1:], tree.ends[block]]
        holder = tree.parents[block] if begins_block else block
        for at, end in zip(after, ends, strict=True):
            for row in range(at + 1, end):
                if tree.parents[row] == block:
                    tree.parents[row] = at
            tree.tags[at], tree.ends[at], tree.parents[at] = "aside", end, holder
        if begins_block:
            tree.ends[block] = after[0]


def _has_text(tree: KeptTree, index: int, stop: int) -> bool:
    return any(text.strip() for text in tree.texts[index:stop])


def _break_before(tree: KeptTree, block: int, target: int) -> int | None:
    """Return the line break right before the child of a block that is or holds a target."""
    while tree.parents[target] != block:
        target = tree.parents[target]
    before = tree.previous(target)
    while before > block and not tree.tags[before] and not tree.texts[before].strip():
        before = tree.previous(before)
    return before if before > block and tree.tags[before] == "br" else None


def _begin(tree: KeptTree, block: int, target: int) -> int | None:
    """Return the line break right before a target, or the target if it is the number of a note."""
    before = _break_before(tree, block, target)
    if before is None and tree.tags[target] == "a" and tree.parents[target] == block:
        return target if _NUMBER.fullmatch(tree.text(target).strip(" .")) else None
    return before


def _notes_without_links(tree: KeptTree) -> list[_Note]:
    """Return the notes of raised numbers that are no links.

    A note is a paragraph or an item that begins with its number. It is raised, or the notes stand
    after the last rule of the page. The notes are numbered from 1 on without a gap, they follow all
    of the references, and each of the numbers has both. Paragraphs and lists between two notes
    belong to the first one.
    """
    raised = [row for row in tree.places.get("sup", ()) if _is_number(tree, row)]
    if not raised:  # true of most pages
        return []
    blocks = _blocks_begun(tree, raised)
    references: dict[str, list[int]] = defaultdict(list)
    for row in raised:
        if row not in blocks:
            references[tree.text(row).strip(_BRACKETS)].append(row)
    if not references:
        return []
    if not blocks and "hr" in tree.tags:
        after = range(len(tree) - tree.tags[::-1].index("hr"), len(tree))
        bold = [row for row in after if tree.tags[row] in ("strong", "b") and _is_number(tree, row)]
        blocks = _blocks_begun(tree, bold)
    labels = [tree.text(row).strip(_BRACKETS) for row in blocks]
    if labels != [str(number + 1) for number in range(len(references))]:
        return []
    notes = list(blocks.values())
    if references.keys() != set(labels) or notes[0] < max(map(max, references.values())):
        return []
    gaps = [pair for pair in pairwise(notes) if _has_text(tree, tree.ends[pair[0]], pair[1])]
    if not all(_may_extend(tree, *gap) for gap in gaps):
        return []
    for one, other in gaps:
        _extend(tree, one, other)
    return [
        _Note(block, references[label], label) for block, label in zip(notes, labels, strict=True)
    ]


def _may_extend(tree: KeptTree, note: int, following: int) -> bool:
    """Return whether what is between two notes are their siblings, and no headings."""
    if tree.tags[note] != "p" or tree.parents[note] != tree.parents[following]:
        return False
    return not any(tag in _HEADINGS for tag in tree.tags[tree.ends[note] : following])


def _extend(tree: KeptTree, note: int, end: int) -> None:
    """Move the siblings of a note, up to a row, into it."""
    for row in range(tree.ends[note], end):
        if tree.parents[row] == tree.parents[note]:
            tree.parents[row] = note
    tree.ends[note] = end


def _is_number(tree: KeptTree, row: int) -> bool:
    """Return whether an element is a number and no link."""
    inner = range(row, tree.ends[row])
    if len(inner) > _MOST_ROWS or row in tree.replaced or any(tree.tags[at] == "a" for at in inner):
        return False
    return _RAISED.fullmatch(tree.text(row).strip()) is not None


def _blocks_begun(tree: KeptTree, rows: Iterable[int]) -> dict[int, int]:
    """Return the paragraphs and items that begin with one of the elements, by element."""
    found: dict[int, int] = {}
    first: dict[int, int] = {}  # the first row with text, by block
    for row in rows:
        near = islice(tree.ancestors(row), _MAX_CLIMB)
        block = next((above for above in near if tree.tags[above] in _BLOCKS), None)
        if block is None or tree.tags[block] not in ("p", "li", "div"):
            continue
        if block not in first:
            inner = range(block, tree.ends[block])
            first[block] = next((at for at in inner if tree.texts[at].strip()), block)
        if row <= first[block] < tree.ends[row] and _has_text(
            tree, tree.ends[row], tree.ends[block]
        ):
            found[row] = block
    return found


def _note_block(tree: KeptTree, target: int) -> int | None:
    """Return the block that is the target of a reference, or that holds it."""
    near = islice(chain([target], tree.ancestors(target)), _MAX_CLIMB)
    return next((index for index in near if tree.tags[index] in _BLOCKS), None)


def _drop_back_links(tree: KeptTree, pairs: list[tuple[int, int]], notes: list[_Note]) -> None:
    """Leave out the links from a note to the place that refers to it."""
    blocks = {note.block for note in notes}
    references = {link for note in notes for link in note.references}
    for link, target in pairs:
        if link in references or target >= link:
            continue
        if blocks.isdisjoint(tree.ancestors(link)):
            continue
        if target in blocks or not blocks.isdisjoint(tree.ancestors(target)):
            continue  # it points to an earlier note
        marked = _BACK.search(f"{tree.attr(link, 'class') or ''} {tree.attr(link, 'role') or ''}")
        if marked or len(tree.text(link).strip()) <= _MAX_MARK:
            holders = (
                index
                for index in chain([link], tree.ancestors(link))
                if "mw-cite-backlink" in (tree.attr(index, "class") or "").split()
            )
            tree.replaced[next(holders, _with_brackets(tree, link, blocks))] = None


def _with_brackets(tree: KeptTree, link: int, blocks: set[int]) -> int:
    """Return the outermost element in a note that has nothing but a link and brackets around it."""
    text, found = tree.text(link).strip(_BRACKETS), link
    for above in tree.ancestors(link):
        if above in blocks or tree.ends[above] - above > _MOST_ROWS:
            break
        if tree.text(above).strip(_BRACKETS) != text:
            break
        found = above
    return found


def _drop_arrows(tree: KeptTree, links: Iterable[int], notes: list[_Note]) -> None:
    """Leave out the links of notes whose text is an arrow, wherever they lead."""
    blocks = {note.block for note in notes}
    for link in links:
        text = tree.text(link).strip()
        if text and not text.strip(_ARROWS) and not blocks.isdisjoint(tree.ancestors(link)):
            tree.replaced[link] = None


def _rewrite(tree: KeptTree, note: _Note) -> None:
    for link in note.references:
        mark = Element("a", {"href": f"#fn-{note.label}", "role": REFERENCE}, [Text(note.label)])
        around = tree.parents[link]
        if around >= 0 and tree.tags[around] == "span":
            around = tree.parents[around]
        has_only_link = (
            around >= 0
            and tree.tags[around] == "sup"
            and len(list(tree.children(around))) <= 3  # brackets and the link
            and tree.text(around).strip(_BRACKETS) == tree.text(link).strip(_BRACKETS)
        )
        place = around if has_only_link else link
        tree.replaced[place] = Element("sup", None, [mark])
        _drop_brackets(tree, place)
    _drop_label(tree, note)
    tree.notes[note.block] = note.label
    if tree.tags[note.block] not in _CONTAINERS:
        tree.tags[note.block] = "aside"


def _drop_brackets(tree: KeptTree, place: int) -> None:
    """Drop the brackets in the texts right before and right after a reference."""
    before, after, texts = place - 1, tree.ends[place], tree.texts
    if before < 0 or after >= len(tree):
        return
    if texts[before].endswith("[") and texts[after].startswith("]"):
        texts[before], texts[after] = texts[before][:-1], texts[after][1:]


def _drop_label(tree: KeptTree, note: _Note) -> None:
    """Drop the label where the note repeats it as its first word, with the signs after it."""
    index, stop = note.block + 1, tree.ends[note.block]
    is_dropped = False  # perhaps as the text of a link back
    while index < stop:
        if index in tree.replaced:
            if node_text(tree.replaced[index]).strip():
                return
            inside = "".join(tree.texts[index : tree.ends[index]])
            is_dropped |= inside.strip(_BRACKETS) == note.label
            index = tree.ends[index]
            continue
        text = tree.texts[index]
        if text.strip():
            tree.texts[index] = rest = _without_label(text, "" if is_dropped else note.label)
            if rest.strip() or is_dropped:
                return
            is_dropped = True
        index += 1


def _without_label(text: str, label: str) -> str:
    """Return the beginning of a note without its label and the signs after it."""
    begin = _BEFORE_LABEL.match(text)
    at = begin.end() if begin and label else 0
    match = _AFTER_LABEL.match(text, at + len(label))
    return text[match.end() :] if match and text.startswith(label, at) else text


use_compiled(
    globals(),
    "is_normal_note",
    "is_normal_reference",
    "is_reference",
    "normalise_footnotes",
    "note_label",
)
