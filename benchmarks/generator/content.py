"""The content of a page, by genre and variations, from the sentences of a language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.generator.blocks import (
    Block,
    Cell,
    Code,
    Figure,
    Heading,
    Items,
    Line,
    Offer,
    Paragraph,
    Post,
    Quote,
    Run,
    Table,
    Teaser,
)
from benchmarks.generator.language import Language


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes content in one language; `wanted` has the variations that it must contain."""

    random: Random
    language: Language
    wanted: frozenset[str]

    def blocks(self, genre: str) -> tuple[Block, ...]:
        """Return the content of a page: one sentence for the variation "short"."""
        if "short" in self.wanted:
            return (Paragraph((Run(self.language.sentence(self.random)),)),)
        blocks = _MAKERS[genre](self)
        last = 1 if genre in ("collection", "listing") else len(blocks)
        for name, make in _EXTRAS.items():
            if name in self.wanted:
                extra = make(self)
                whole = Post(self._handle(), self.date(), (extra,)) if genre == "forum" else extra
                blocks.insert(self.random.randint(1, last), whole)
        return tuple(blocks)

    def posts(self, count: int) -> tuple[Post, ...]:
        """Return posts of several authors: a forum thread, or readers' comments."""
        return tuple(self._post() for _ in range(count))

    def date(self) -> str:
        """Return a day in ISO 8601."""
        day = self.random.randint(1, 28)
        return f"{self.random.randint(2005, 2024)}-{self.random.randint(1, 12):02}-{day:02}"

    def line(self, sentences: int) -> Line:
        """Return sentences, some with words in links or inline tags."""
        runs: list[Run] = []
        for number in range(sentences):
            text = self.language.sentence(self.random)
            gap = self.language.gap if number else ""
            mark = self._mark()
            if mark:
                runs += [Run(gap), *_marked(text, mark, self.random)]
            else:
                runs.append(Run(gap + text))
        return tuple(run for run in runs if run.text)

    def _mark(self) -> str:
        if "plain sentences" in self.wanted:
            return ""
        if "links" in self.wanted and self.random.random() < 0.3:
            return "a"
        if "misnested" in self.wanted and self.random.random() < 0.3:
            return "b i"
        return self.random.choice(("b", "em")) if self.random.random() < 0.05 else ""

    def paragraphs(self, least: int, most: int, sentences: int = 5) -> list[Block]:
        """Return paragraphs; the first has a sentence with each inline tag that is wanted."""
        count = self.random.randint(least, most)
        blocks = [Paragraph(self.line(self.random.randint(2, sentences))) for _ in range(count)]
        for name, mark in (("links", "a"), ("misnested", "b i")):
            if name in self.wanted:
                marked = _marked(self.language.sentence(self.random), mark, self.random)
                first = blocks[0].line
                blocks[0] = Paragraph((*first, Run(self.language.gap or " "), *marked))
        return list(blocks)

    def heading(self) -> Heading:
        """Return a heading."""
        return Heading((Run(self.language.headline(self.random)),))

    def price(self) -> str:
        """Return a price with the generic currency sign."""
        return f"{self.random.randint(3, 900)}.{self.random.choice(('00', '50', '95'))} ¤"

    def _post(self) -> Post:
        body: list[Block] = []
        if self.random.random() < 0.2:
            body.append(Quote(self.line(1)))
        body += [
            Paragraph(self.line(self.random.randint(1, 4)))
            for _ in range(self.random.randint(1, 2))
        ]
        return Post(self._handle(), self.date(), tuple(body))

    def _handle(self) -> str:
        return f"{self.language.one(self.random, 'nouns')}{self.random.randint(10, 99)}"


def _marked(text: str, mark: str, random: Random) -> list[Run]:
    """Mark a few words of a sentence, or a few characters of one without spaces."""
    if " " in text:
        spaces = [at for at, char in enumerate(text) if char == " "]
        first = random.choice(spaces[: max(1, len(spaces) - 2)]) + 1
        later = [at for at in spaces if at > first][:3]
        last = random.choice(later) if later else len(text)
    else:
        first = random.randint(0, len(text) // 2)
        last = first + random.randint(2, 6)
    return [Run(text[:first]), Run(text[first:last], mark), Run(text[last:])]


# --- blocks of variations ------------------------------------------------------------------------


def _items(make: Maker) -> Items:
    count = make.random.randint(3, 7)
    return Items(tuple(make.line(1) for _ in range(count)), make.random.random() < 0.4)


def _cells(make: Maker) -> list[list[Cell]]:
    width = make.random.randint(2, 4)
    head = [Cell(noun) for noun in make.language.some(make.random, "nouns", width)]
    rows = [head]
    for _ in range(make.random.randint(2, 6)):
        first = Cell(make.language.one(make.random, "objects"))
        rows.append([first, *(Cell(str(make.random.randint(1, 9999))) for _ in range(width - 1))])
    return rows


def _table(make: Maker) -> Table:
    return Table(tuple(map(tuple, _cells(make))))


def _spanning_table(make: Maker) -> Table:
    """Return a table with a cell that spans all columns and one that spans two rows."""
    rows = _cells(make)
    width = len(rows[0])
    rows.insert(1, [Cell(make.language.headline(make.random), across=width)])
    tall = rows[2][0]
    rows[2][0] = Cell(tall.text, down=2)
    rows[3] = rows[3][1:]
    return Table(tuple(map(tuple, rows)))


_NAMES = "kettle basket ladder pebble ribbon spindle lever beacon".split()


def _code(make: Maker) -> Code:
    one, two, three = make.random.sample(_NAMES, 3)
    number = make.random.randint(2, 99)
    return Code(
        make.random.choice(
            (
                f"def {one}({two}):\n    if {two} < {number}:\n        return {three} & {two}\n"
                f"    return {one}({two} - 1)",
                f"$ {one} --{two}={number} {three}.txt\n{three}: {number} lines\n$ {one} --help",
                f"<{one} {two}='{number}'>\n  <{three}/>\n</{one}>",
            )
        )
    )


_EXTRAS: dict[str, Callable[[Maker], Block]] = {
    "lists": _items,
    "tables": _table,
    "spanning tables": _spanning_table,
    "code": _code,
    "quotes": lambda make: Quote(make.line(make.random.randint(1, 3))),
    "figures": lambda make: Figure(make.line(1)),
}


# --- genres --------------------------------------------------------------------------------------


def _news(make: Maker) -> list[Block]:
    return make.paragraphs(4, 10)


def _blog(make: Maker) -> list[Block]:
    return [*make.paragraphs(2, 4, 7), make.heading(), *make.paragraphs(2, 5, 7)]


def _forum(make: Maker) -> list[Block]:
    who = make.language.one(make.random, "nouns")
    opening = Post(who, make.date(), tuple(make.paragraphs(1, 3)))
    return [opening, *make.posts(make.random.randint(2, 8))]


def _product(make: Maker) -> list[Block]:
    price = Paragraph((Run(f"{make.language.labels.price}: {make.price()}"),))
    return [price, *make.paragraphs(1, 3), make.heading(), _items(make), _table(make)]


def _collection(make: Maker) -> list[Block]:
    offers = [
        Offer(make.language.name(make.random), make.price())
        for _ in range(make.random.randint(6, 24))
    ]
    return [*make.paragraphs(1, 1), *offers]


def _listing(make: Maker) -> list[Block]:
    teasers = [
        Teaser(make.language.headline(make.random), make.line(make.random.randint(1, 2)))
        for _ in range(make.random.randint(5, 15))
    ]
    return [*make.paragraphs(1, 1, 2), *teasers]


def _documentation(make: Maker) -> list[Block]:
    blocks = make.paragraphs(1, 2)
    for _ in range(make.random.randint(2, 4)):
        blocks += [make.heading(), *make.paragraphs(1, 2), _code(make)]
    return blocks


def _service(make: Maker) -> list[Block]:
    blocks = make.paragraphs(1, 1)
    for _ in range(make.random.randint(2, 5)):
        blocks += [make.heading(), *make.paragraphs(1, 1, 3)]
    return [*blocks, _items(make)]


_MAKERS: dict[str, Callable[[Maker], list[Block]]] = {
    "news": _news,
    "blog": _blog,
    "forum": _forum,
    "product": _product,
    "collection": _collection,
    "listing": _listing,
    "documentation": _documentation,
    "service": _service,
}
GENRES: Sequence[str] = tuple(_MAKERS)
