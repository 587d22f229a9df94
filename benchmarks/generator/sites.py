"""Sites: what the pages of a site share, and its designs over the years."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from benchmarks.generator.content import GENRES
from benchmarks.generator.language import Language
from benchmarks.generator.languages import ENGLISH, LANGUAGES

_LAYOUTS = {2005: ("tables", "tables", "divs"), 2013: ("divs",), 2021: ("semantic",)}
YEARS = tuple(_LAYOUTS)  # of the designs of a site
_PARAGRAPHS = {"tables": ("p", "br"), "divs": ("p", "p", "div"), "semantic": ("p",)}


@dataclass(frozen=True, slots=True)
class Design:
    """The design of a site from one year on."""

    seed: str
    year: int
    layout: str  # "semantic", "divs" or "tables"
    naming: str  # of classes: "words", "codes" or "terse"
    paragraph: str  # "p", "div" or "br"
    sidebar_first: bool
    related_inside: bool  # between the paragraphs of the content

    def class_of(self, role: str) -> str:
        """Return the class attribute of a role, such as "menu"."""
        if self.naming == "words":
            return f"{role} {role}--{self.year % 100:02}"
        random = Random(f"{self.seed} {role}")
        if self.naming == "codes":
            return "css-" + "".join(random.choices("abcdefghijkmnpqrstuvwxyz0123456789", k=6))
        return f"{random.choice('cxbt')}{random.randrange(100)}"


@dataclass(frozen=True, slots=True)
class Site:
    """A site: one language, one genre, and boilerplate that all its pages share."""

    host: str
    name: str
    language: Language
    genre: str
    tagline: str
    menu: tuple[str, ...]
    topics: tuple[str, ...]  # headlines in every sidebar
    imprint: str
    designs: tuple[Design, ...]


def make_sites(seed: int, count: int) -> list[Site]:
    """Return sites; forty of them have every language with four genres."""
    random = Random(f"sites {seed}")
    languages = random.sample(LANGUAGES, len(LANGUAGES))
    genres = random.sample(GENRES, len(GENRES))
    return [
        _site(f"{seed} {n}", n, languages[n % len(languages)], genres[n % len(genres)])
        for n in range(count)
    ]


def _site(seed: str, number: int, language: Language, genre: str) -> Site:
    random = Random(f"site {seed}")
    stem = "-".join(ENGLISH.some(random, "nouns", 2)).lower()
    return Site(
        host=f"{stem}-{number}.example",
        name=language.name(random),
        language=language,
        genre=genre,
        tagline=language.headline(random),
        menu=tuple(language.some(random, "menu", random.randint(5, 12))),
        topics=tuple(language.headline(random) for _ in range(random.randint(4, 8))),
        imprint=language.sentence(random),
        designs=_designs(seed, random),
    )


def _designs(seed: str, random: Random) -> tuple[Design, ...]:
    """Return the first design and two redesigns; each has other classes and another order."""
    namings = random.sample(("words", "codes", "terse"), 3)
    first = random.random() < 0.5
    designs: list[Design] = []
    for number, (year, layouts) in enumerate(_LAYOUTS.items()):
        layout = random.choice(layouts)
        design = Design(
            seed=f"{seed} {year}",
            year=year,
            layout=layout,
            naming=namings[number],
            paragraph=random.choice(_PARAGRAPHS[layout]),
            sidebar_first=first ^ bool(number % 2),
            related_inside=random.random() < 0.4,
        )
        designs.append(design)
    return tuple(designs)
