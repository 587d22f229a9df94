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
    signs_of_software: list[int]  # see `_is_sign_of_software`

    @classmethod
    def of(cls, tag: UInt16s, nodes: list[Node], headings: list[int]) -> StatedKinds:
        """Find the rows, given the tag and the node of each row, and the headings."""

        def rows_of(name: str) -> list[int]:
            rows: list[int] = (tag == NUMBER[name]).nonzero()[0].tolist()
            return rows

        def types_of(name: str) -> list[tuple[int, str]]:
            rows = rows_of(name)
            types = attribute_values([nodes[row] for row in rows], "type")
            return [(row, own.strip().lower()) for row, own in zip(rows, types, strict=True) if own]

        scripts = types_of("script")
        return cls(
            headings,
            [row for row, kind in types_of("input") if kind == "checkbox"],
            [row for row, kind in scripts if kind.startswith("math/tex")],
            [row for row, kind in scripts if "ld+json" in kind],
            [row for row in rows_of("meta") if nodes[row].attr("property") == "og:type"],
            sorted(
                row
                for name in _SIGNS_OF_SOFTWARE
                for row in rows_of(name)
                if _is_sign_of_software(name, nodes[row])
            ),
        )


_SIGNS_OF_SOFTWARE = ("ul", "header", "section", "textarea", "meta", "label", "script", "div")
# As in `_walk`.
_LIST_WORDS = ("task", "check", "to-do", "todo", "recipe", "page-meta", "blockList", "summary-list")
_SECTION_WORDS = ("recipe", "ltx_")


def _is_sign_of_software(name: str, node: Node) -> bool:
    """Return whether an element tells of software that `thresher.page.rewritten` knows.

    It may be a list of tasks, facts or ingredients, the card of a recipe, tabs, code in a text
    area, MathML in a script, a section of Javadoc or LaTeXML, a box with the style of code, or say
    which software wrote the page.
    """
    if name == "div":
        style = node.attr("style") or ""
        return "white-space" in style and "monospace" in style
    if name == "script":
        return (node.attr("type") or "").strip().lower().startswith("math/mml")
    if name == "meta":
        return bool(node.attr("property") is None and node.attr("name") == "generator")
    if name == "label":
        return "tab" in (node.attr("for") or "")
    classes: str = node.attr("class") or ""
    if name == "ul":
        is_tabs = node.attr("role") == "tablist"
        return is_tabs or any(map(classes.__contains__, _LIST_WORDS))
    if name == "textarea":
        return bool(node.attr("name") == "code" or "exampleCode" in classes)
    return any(map(classes.__contains__, _SECTION_WORDS))


def role_heading_rows(nodes: list[Node]) -> list[int]:
    """Return the rows with role="heading", which the parser finds in all elements at once."""
    around = nodes[0].parent if nodes else None
    found = set(map(id, around.select('[role="heading"]'))) if around is not None else set()
    return list(compress(count(), map(found.__contains__, map(id, nodes)))) if found else []
