"""A language of the generator: word lists, and sentences made from them.

All phrases of a list fit the same place of a sentence (case, gender and number are part of the
phrase), so any choice of phrases is a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random


@dataclass(frozen=True)
class Labels:
    """The texts of the boilerplate."""

    more: str
    related: str
    comments: str
    reply: str
    share: str
    search: str
    subscribe: str
    accept: str
    cookies: str
    newsletter: str
    rights: str
    advert: str
    cart: str
    price: str
    desk: str  # the author: a template around a noun


@dataclass(frozen=True)
class Language:
    """Word lists of one language; the phrases of a list are separated by `|`."""

    code: str
    subjects: str
    verbs: str
    objects: str
    places: str
    openers: str
    nouns: str  # for names of sites, products and authors
    menu: str
    labels: Labels
    charsets: tuple[str, ...] = ()  # legacy ones that can encode it
    pattern: str = "{subject} {verb} {object} {place}"
    opened: str = "{opener} {subject} {verb} {object} {place}"
    stop: str = "."
    gap: str = " "  # between words and sentences
    direction: str = "ltr"

    @cached_property
    def lists(self) -> dict[str, list[str]]:
        """The word lists, split."""
        names = ("subjects", "verbs", "objects", "places", "openers", "nouns", "menu")
        return {name: getattr(self, name).split("|") for name in names}

    def one(self, random: Random, name: str) -> str:
        """Return any phrase of a list."""
        return random.choice(self.lists[name])

    def some(self, random: Random, name: str, count: int) -> list[str]:
        """Return several different phrases of a list, fewer if the list is short."""
        phrases = self.lists[name]
        return random.sample(phrases, min(count, len(phrases)))

    def clause(self, random: Random, *, opened: bool = False) -> str:
        """Return a sentence without its stop."""
        pattern = self.opened if opened else self.pattern
        text = pattern.format(
            subject=self.one(random, "subjects"),
            verb=self.one(random, "verbs"),
            object=self.one(random, "objects"),
            place=self.one(random, "places"),
            opener=self.one(random, "openers"),
        )
        return text[0].upper() + text[1:]

    def sentence(self, random: Random) -> str:
        """Return a whole sentence, now and then with a number in it."""
        text = self.clause(random, opened=random.random() < 0.3)
        if random.random() < 0.1:
            text += f" ({random.randrange(2, 5000)})"
        return text + self.stop

    def headline(self, random: Random) -> str:
        """Return a short line for a title."""
        text = random.choice(("{subject} {place}", "{object}: {subject}", "{subject}, {object}"))
        line = text.format(
            subject=self.one(random, "subjects"),
            object=self.one(random, "objects"),
            place=self.one(random, "places"),
        )
        return line[0].upper() + line[1:]

    def name(self, random: Random) -> str:
        """Return two nouns, the name of a site or product."""
        return " ".join(self.some(random, "nouns", 2))

    def signature(self, random: Random) -> str:
        """Return the author of an article: a department, never a person."""
        return self.labels.desk.format(self.one(random, "nouns"))
