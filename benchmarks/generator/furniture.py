"""Furniture: the boilerplate around the content on every page of a site, and noise."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from benchmarks.generator.markup import Element, Piece, element
from benchmarks.generator.sites import Design, Site

_TAGS = {"header": "header", "menu": "nav", "sidebar": "aside", "footer": "footer"}


@dataclass(frozen=True, slots=True)
class Furniture:
    """Makes the boilerplate of one page."""

    random: Random
    site: Site
    design: Design

    def box(self, role: str, *inside: Piece) -> Element:
        """Return a container: a semantic element if the design uses them, else a div."""
        name = _TAGS.get(role, "section") if self.design.layout == "semantic" else "div"
        return element(name, *inside, class_=self.design.class_of(role))

    def header(self) -> Element:
        """Return the name of the site, its tagline and the search form."""
        labels = self.site.language.labels
        return self.box(
            "header",
            element("div", element("a", self.site.name, href="/"), class_="logo"),
            element("div", self.site.tagline, class_="tagline"),
            element(
                "form",
                element("input", type="text", name="q"),
                element("button", labels.search, type="submit"),
                action="/search",
            ),
        )

    def menu(self) -> Element:
        """Return the menu of the site."""
        return self.box("menu", self._links(self.site.menu, "menu"))

    def _links(self, lines: tuple[str, ...] | list[str], path: str) -> Element:
        """Return a list of links; in a table layout, links separated by bars."""
        links = [element("a", line, href=f"/{path}/{n}") for n, line in enumerate(lines)]
        if self.design.layout == "tables":
            pieces: list[Piece] = [piece for link in links for piece in (link, " | ")]
            return element("div", *pieces[:-1])
        return element("ul", *(element("li", link) for link in links))

    def sidebar(self) -> Element:
        """Return links to popular pages, an advertisement and the newsletter form."""
        labels = self.site.language.labels
        return self.box(
            "sidebar",
            element("h3", self.site.language.one(self.random, "menu")),
            self._links(self.site.topics, "topic"),
            self.advert(),
            element(
                "form",
                element("p", labels.newsletter),
                element("input", type="email", name="address"),
                element("button", labels.subscribe),
                action="/letter",
                class_=self.design.class_of("letter"),
            ),
        )

    def advert(self) -> Element:
        """Return an advertisement."""
        language = self.site.language
        return element(
            "div",
            element("div", language.labels.advert),
            element("a", language.name(self.random), href=f"/out?id={self.random.randrange(999)}"),
            class_=self.design.class_of("advert"),
        )

    def related(self) -> Element:
        """Return links to other pages, some with a sentence about them."""
        language = self.site.language
        entries: list[Piece] = []
        for _ in range(self.random.randint(2, 5)):
            link = element("a", language.headline(self.random), href=f"/{self._number()}")
            entry: list[Piece] = [element("div", link)]
            if self.random.random() < 0.4:
                entry.append(element("div", language.sentence(self.random)))
            entries.append(element("li", *entry))
        title = element("h3", language.labels.related)
        return self.box("related", title, element("ul", *entries))

    def share(self) -> Element:
        """Return the link to share the page."""
        label = self.site.language.labels.share
        return element(
            "div", element("a", label, href="/share"), class_=self.design.class_of("share")
        )

    def cookies(self) -> Element:
        """Return the cookie banner."""
        labels = self.site.language.labels
        return element(
            "div",
            element("p", labels.cookies),
            element("button", labels.accept),
            class_=self.design.class_of("cookies"),
        )

    def footer(self) -> Element:
        """Return the footer."""
        return self.box(
            "footer",
            self._links(self.site.menu[-3:], "about"),
            element("p", self.site.imprint),
            element("p", f"© {self.design.year} {self.site.name}. ", self._rights()),
        )

    def _rights(self) -> Element:
        return element("span", self.site.language.labels.rights)

    def directory(self) -> Element:
        """Return a long list of links, as at the end of some pages."""
        language = self.site.language
        lines = [language.headline(self.random) for _ in range(self.random.randint(20, 30))]
        title = element("h3", language.one(self.random, "menu"))
        return self.box("directory", title, self._links(lines, "directory"))

    def _number(self) -> int:
        return self.random.randrange(1000, 9999)


# --- noise ---------------------------------------------------------------------------------------

_NOISE_NAMES = "track banner widget slider layer beacon loader frame".split()


def noise(random: Random) -> list[Element]:
    """Return ten to thirty scripts, styles and HTML comments that contain text like markup."""
    return [random.choice(_NOISE)(random) for _ in range(random.randint(10, 30))]


def _script(random: Random) -> Element:
    name = random.choice(_NOISE_NAMES)
    lines = [
        f'var {name}{n} = "<div class=\\"{name}\\"><p>" + ({n} < {random.randint(9, 99)});'
        for n in range(random.randint(3, 20))
    ]
    return element("script", "\n".join(lines))


def _style_sheet(random: Random) -> Element:
    name = random.choice(_NOISE_NAMES)
    rules = [
        f".{name}-{n} > p {{ margin: {random.randint(0, 20)}px; z-index: {random.randrange(99)} }}"
        for n in range(random.randint(3, 15))
    ]
    return element("style", "\n".join(rules))


def _comment(random: Random) -> Element:
    name = random.choice(_NOISE_NAMES)
    return element("!--", f" begin {name} {random.randrange(99)} <p>old {name}</p> ")


_NOISE = (_script, _style_sheet, _comment)
