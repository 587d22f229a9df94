"""Rows of elements whose attributes say what they are: headings, check boxes, TeX, data, software.

Few elements of a page do, and several modules ask for them. The compiled walk over the page finds
them on its way (`thresher.page.parse`); the version here defines them.
"""

from __future__ import annotations

from itertools import compress, count
from typing import TYPE_CHECKING, NamedTuple

from thresher.page.array_types import UInt16s
from thresher.page.attributes import attribute_values
from thresher.page.tags import NUMBER

if TYPE_CHECKING:
    from thresher.page.page import Node


class StatedKinds(NamedTuple):
    """Rows in order, by what an attribute states."""

    headings: list[int]  # elements with role="heading"
    check_boxes: list[int]  # input elements
    tex: list[int]  # scripts of type math/tex
    linked_data: list[int]  # scripts of JSON-LD
    graph_types: list[int]  # meta elements with property="og:type"
    signs_of_software: list[int]  # see `_VALUES` and `_WORDS`

    @classmethod
    def of(cls, tag: UInt16s, nodes: list[Node], headings: list[int]) -> StatedKinds:
        """Find the rows, given the tag and the node of each row, and the headings."""

        def read(name: str, attribute: str) -> tuple[list[int], list[str | None]]:
            """Return the rows of a tag, and an attribute of each."""
            rows: list[int] = (tag == NUMBER[name]).nonzero()[0].tolist()
            return rows, list(attribute_values([nodes[row] for row in rows], attribute))

        def types_of(name: str) -> list[tuple[int, str]]:
            pairs = zip(*read(name, "type"), strict=True)
            return [(row, own.strip().lower()) for row, own in pairs if own]

        scripts = types_of("script")
        metas = list(zip(*read("meta", "property"), strict=True))
        signs = {row for row, kind in scripts if kind.startswith("math/mml")}
        unnamed = (row for row, own in metas if own is None)
        signs.update(row for row in unnamed if nodes[row].attr("name") == "generator")
        styles = zip(*read("div", "style"), strict=True)
        signs.update(row for row, own in styles if own and is_style_of_code(own))
        for name, attribute, value in _VALUES:
            signs.update(
                row for row, own in zip(*read(name, attribute), strict=True) if own == value
            )
        for name, attribute, words in _WORDS:
            signs.update(_with_words(*read(name, attribute), words))
        return cls(
            headings,
            [row for row, kind in types_of("input") if kind == "checkbox"],
            [row for row, kind in scripts if kind.startswith("math/tex")],
            [row for row, kind in scripts if "ld+json" in kind],
            [row for row, own in metas if own == "og:type"],
            sorted(signs),
        )


# Elements that tell of software that `thresher.page.rewritten` knows, by the value of an attribute
# or words in it: lists of tasks, facts or ingredients, the card of a recipe, tabs, code in a text
# area. So do MathML in a script, and what says which software wrote the page. As in `_walk`.
_VALUES = (("ul", "role", "tablist"), ("textarea", "name", "code"))
_WORDS = (
    (
        "ul",
        "class",
        (
            "task",
            "check",
            "to-do",
            "todo",
            "recipe",
            "page-meta",
            "blockList",
            "summary-list",
        ),
    ),
    ("header", "class", ("recipe", "ltx_")),
    ("section", "class", ("recipe", "ltx_")),
    ("textarea", "class", ("exampleCode",)),
    ("label", "for", ("tab",)),
)


def is_style_of_code(style: str) -> bool:
    """Return whether the inline style of a box is that of code."""
    return "white-space" in style and "monospace" in style


def _with_words(rows: list[int], values: list[str | None], words: tuple[str, ...]) -> list[int]:
    """Return the rows with one of some words in their value."""
    whole = "\0".join(filter(None, values))
    words = tuple(filter(whole.__contains__, words))
    if not words:  # true of most pages
        return []
    pairs = zip(rows, values, strict=True)
    return [row for row, own in pairs if own and any(map(own.__contains__, words))]


def role_heading_rows(nodes: list[Node]) -> list[int]:
    """Return the rows with role="heading", which the parser finds in all elements at once."""
    around = nodes[0].parent if nodes else None
    found = set(map(id, around.select('[role="heading"]'))) if around is not None else set()
    return list(compress(count(), map(found.__contains__, map(id, nodes)))) if found else []
