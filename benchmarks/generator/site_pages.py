"""The pages of one site in the order of time: sections, redesigns, and what makes matching fail.

A site has sections with a design each, and the address of a page begins with its section:
`https://host/a/2013/05/12/7.html`. So pages whose addresses are alike have the same design. All
pages of a design come before those of the next one.

`cause` makes sites for the table of Li, Meng, Li and Wang (Table 1), in which matching of two pages
succeeds or fails for a known reason. Their boilerplate is rigid, and their content has headings and
links at places of its own, as the method assumes, but for the cause:

    ""      no cause to fail
    "F1"    the content is plain sentences only
    "F2"    links of menu and sidebar hold text that a browser does not show, other on each page
    "F3"    the related links are not in a rigid form
    "F4"    boxes of the sidebar come and go from page to page
    "lists" the content has lists, quotes and figures (not in the paper)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from benchmarks.generator.furniture import Furniture
from benchmarks.generator.markup import Element, Piece, element
from benchmarks.generator.pages import GeneratedPage, make_page
from benchmarks.generator.sites import YEARS, Design, Site, make_sites
from benchmarks.generator.variations import choose
from thresher.errors import UsageError

_CONTENT = {  # variations of the content, by cause
    "": frozenset({"links"}),
    "F1": frozenset({"plain sentences"}),
    "F2": frozenset({"links"}),
    "F3": frozenset({"links"}),
    "F4": frozenset({"links"}),
    "lists": frozenset({"links", "lists", "quotes", "figures"}),
}
CAUSES: tuple[str, ...] = tuple(_CONTENT)
_SECTIONS = "abcdefgh"
_MOST = 6  # entries of a hidden menu, boxes of a sidebar, related links


def generate_site(
    seed: int = 0,
    number: int = 0,
    pages: int = 20,
    *,
    years: Sequence[int] = (2021,),
    sections: int = 1,
    cause: str | None = None,
) -> Iterator[GeneratedPage]:
    """Yield the pages of one site in the order of time; `number` tells sites of a seed apart.

    The pages are shared out among the designs of the given years, in their order. Without `cause`,
    they have the variations of `generate`; with one, they are blog pages as described above.
    """
    if number < 0 or pages < 0 or not 1 <= sections <= len(_SECTIONS):
        raise UsageError(
            "number, pages or sections are out of range: give number=0 or more, pages=0 or more "
            f"and sections=1 to {len(_SECTIONS)}."
        )
    if not years or not set(years) <= set(YEARS):
        raise UsageError(f"no design of these years: give some of {YEARS}.")
    if cause is not None and cause not in CAUSES:
        raise UsageError(f"no cause {cause!r}: give one of {CAUSES}.")
    site = make_sites(seed, number + 1)[number]
    if cause is not None:
        site = replace(site, genre="news" if cause == "F1" else "blog")
    designs = [design for year in years for design in site.designs if design.year == year]
    return _pages(Random(f"site {seed} {number} {cause}"), site, pages, designs, sections, cause)


def _pages(
    random: Random,
    site: Site,
    pages: int,
    designs: Sequence[Design],
    sections: int,
    cause: str | None,
) -> Iterator[GeneratedPage]:
    for page in range(pages):
        design = designs[page * len(designs) // pages]
        section = random.randrange(sections)
        day = f"{random.randint(1, 12):02}/{random.randint(1, 28):02}"
        url = f"https://{site.host}/{_SECTIONS[section]}/{design.year}/{day}/{page}.html"
        design = _design_of_section(design, section)
        if cause is None:
            chosen = choose(random, site, design)
            yield make_page(page, url, Furniture(random, site, design), chosen)
        else:
            if design.paragraph == "br":  # one element with all sentences is no group of rows
                design = replace(design, paragraph="p")
            furniture = RigidFurniture(random, site, design, cause)
            yield make_page(page, url, furniture, _CONTENT[cause])


def _design_of_section(design: Design, section: int) -> Design:
    """Return the design of a section: other classes than in the first one, some columns swapped."""
    if not section:
        return design
    return replace(
        design,
        seed=f"{design.seed} {section}",
        naming="codes",
        sidebar_first=design.sidebar_first ^ bool(section % 2),
    )


@dataclass(frozen=True, slots=True)
class RigidFurniture(Furniture):
    """Boilerplate in rigid forms, but for the cause."""

    cause: str = ""

    def _links(self, lines: tuple[str, ...] | list[str], path: str) -> Element:
        """Return a list of links; for F2 each has a hidden menu of its own."""
        if self.cause != "F2":
            return Furniture._links(self, lines, path)
        entries = [
            element("li", element("a", line, href=f"/{path}/{n}"), self._hidden_menu())
            for n, line in enumerate(lines)
        ]
        return element("ul", *entries)

    def _hidden_menu(self) -> Element:
        links = [
            element(self.random.choice(("b", "i", "em")), element("a", line, href="/below"))
            for line in self._headlines(self.random.randint(0, _MOST))
        ]
        return element("span", *links, style="display:none")

    def sidebar(self) -> Element:
        """Return the sidebar; for F4 with boxes that come and go."""
        fixed = Furniture.sidebar(self)
        if self.cause != "F4":
            return fixed
        boxes = [self._box(names) for names in self.random.sample(_BOXES, _MOST)]
        return replace(fixed, inside=(*fixed.inside, *boxes[self.random.randint(0, 2) :]))

    def _box(self, names: tuple[str, ...]) -> Element:
        """Return a box with a line in each of the elements."""
        lines = zip(names, self._headlines(len(names)), strict=True)
        return element("div", *(element(name, line) for name, line in lines))

    def related(self) -> Element:
        """Return links to other pages in a list; for F3 each in a form of its own."""
        entries: list[Piece] = []
        for line in self._headlines(self.random.randint(3, _MOST)):
            link = element("a", line, href=f"/{self._number()}")
            entries.append(element("li", *(self._loose(link) if self.cause == "F3" else [link])))
        title = element("h3", self.site.language.labels.related)
        return self.box("related", title, element("ul", *entries))

    def _loose(self, link: Element) -> list[Piece]:
        """Return a link among pieces that only some entries have, in any order."""
        names = ("b", "i", "span", "div", "h4")
        pieces: list[Piece] = [link]
        pieces += [
            element(name, *self._headlines(1)) for name in names if self.random.random() < 0.5
        ]
        self.random.shuffle(pieces)
        return pieces

    def _headlines(self, count: int) -> list[str]:
        return [self.site.language.headline(self.random) for _ in range(count)]


# The elements of the boxes of F4.
_BOXES = (
    ("h3", "p"), ("h3", "p", "h4", "p"), ("h4", "div", "p"), ("p", "h3", "div"),
    ("h3", "h4", "p", "div"), ("div", "p", "div"), ("h4", "p", "h4", "div"),
    ("p", "div", "h3", "p"), ("h3", "div", "h3"), ("h4", "h3", "p"),
)  # fmt: skip
