"""Pages with gold text, and files of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from benchmarks.generator import markup
from benchmarks.generator.blocks import Paragraph, Run, gold_text
from benchmarks.generator.content import Maker
from benchmarks.generator.furniture import Furniture, noise
from benchmarks.generator.markup import Element, Manner, Piece, element, texts
from benchmarks.generator.sites import Design, Site, make_sites
from benchmarks.generator.templates import Parts, Template
from benchmarks.generator.variations import COPIES, choose, content_variations
from thresher.errors import UsageError
from thresher.evaluate.corpora import GoldPage
from thresher.page.words import words


@dataclass(frozen=True, slots=True)
class GeneratedPage(GoldPage):
    """A page with its gold text, and how it was made."""

    genre: str = ""  # the kind, but for articles "news" or "blog"
    charset: str = "utf-8"
    variations: tuple[str, ...] = ()  # names of VARIATIONS


_SITES = 24  # each genre three times, each language at least twice


def generate(
    seed: int = 0, pages: int = 100, *, sites: int | None = None
) -> Iterator[GeneratedPage]:
    """Yield pages of several sites in turn; the same seed gives the same pages on every machine.

    A run with fewer pages gives the first pages of a run with more.
    """
    if pages < 0 or (sites is not None and sites < 1):
        raise UsageError(
            "pages or sites are out of range: give pages=0 or more and sites=1 or more."
        )
    return _pages(seed, pages, make_sites(seed, _SITES if sites is None else sites))


def _pages(seed: int, count: int, sites: list[Site]) -> Iterator[GeneratedPage]:
    for number in range(count):
        site = sites[number % len(sites)]
        design = site.designs[number // len(sites) % len(site.designs)]
        yield _page(Random(f"page {seed} {number}"), number, site, design)


def _page(random: Random, number: int, site: Site, design: Design) -> GeneratedPage:
    url = f"https://{site.host}/{design.year}/{number}.html"
    chosen = choose(random, site, design)
    return make_page(number, url, Furniture(random, site, design), chosen)


def make_page(number: int, url: str, furniture: Furniture, chosen: frozenset[str]) -> GeneratedPage:
    """Return a page with the chosen variations and this boilerplate around its content."""
    random, site, design = furniture.random, furniture.site, furniture.design
    make = Maker(random, site.language, chosen)
    template = Template(furniture)
    signed = site.genre in ("news", "blog")
    parts = Parts(
        title=site.language.headline(random),
        author=site.language.signature(random) if signed else "",
        date=make.date() if signed else "",
        content=make.blocks(site.genre),
        comments=make.posts(random.randint(1, 12)) if "comments" in chosen else (),
        noise=noise(random) if "noise" in chosen else [],
    )
    parts.copies = _copies(parts, chosen, template)
    gold = gold_text(parts.content)
    body = _body(parts, template, gold, enough="long furniture" in chosen)
    charset = random.choice(site.language.charsets) if "legacy charset" in chosen else "utf-8"
    html = _document(parts.title, body, site, design, chosen, charset, random)
    stem = site.host.removesuffix(".example")
    return GeneratedPage(
        id=f"{stem}-{design.year}-{number:05}",
        html=html.encode(_codec(charset), "xmlcharrefreplace"),
        text=gold,
        url=url,
        site=site.host,
        lang=site.language.code,
        kind="article" if signed else site.genre,
        title=parts.title,
        author=parts.author,
        date=parts.date,
        comments=gold_text(parts.comments),
        must_have=_must_have(random, parts),
        must_not_have=_must_not_have(random, template.made, parts, gold),
        genre=site.genre,
        charset=charset,
        variations=tuple(sorted(chosen | content_variations(parts.content))),
    )


def _body(parts: Parts, template: Template, gold: str, *, enough: bool) -> list[Piece]:
    """Return the body; with `enough`, the boilerplate has more words than the gold text."""
    body = template.page(parts)
    if not enough:
        return body
    needed = len(words(gold))
    while sum(len(words(text)) for text in texts(template.made)) <= needed:
        extra = template.furniture.directory()
        template.made.append(extra)
        body.insert(template.furniture.random.choice((0, len(body))), extra)
    return body


def _copies(parts: Parts, chosen: frozenset[str], template: Template) -> list[Element]:
    """Return copies of the content that are hidden, or in a text field."""
    copies: list[Element] = []
    for name in COPIES:
        if name not in chosen:
            continue
        if name == "textarea":
            text = " ".join(gold_text(parts.content).split())
            copies.append(element("div", element("textarea", text)))
            continue
        # A template of its own, so that the copy is not recorded as boilerplate.
        pieces = Template(template.furniture).blocks(parts.content)
        hidden = name == "hidden div"
        style = "display:none" if hidden else None
        copies.append(element("div" if hidden else name, *pieces, style=style))
    return copies


# --- the document --------------------------------------------------------------------------------


def _document(
    title: str,
    body: list[Piece],
    site: Site,
    design: Design,
    chosen: frozenset[str],
    charset: str,
    random: Random,
) -> str:
    head: list[Piece] = [] if "no meta" in chosen else [_meta(charset, design)]
    head.append(element("title", f"{title} | {site.name}"))
    head.append(element("style", f".{design.class_of('content').split()[0]} {{ margin: 1em }}"))
    manner = Manner(
        random,
        upper_case="upper case" in chosen,
        unquoted="unquoted" in chosen,
        unclosed="unclosed" in chosen,
        misnested="misnested" in chosen,
        stray="stray end tags" in chosen,
        lines="none" if "one line" in chosen else "tags" if "line per tag" in chosen else "blocks",
    )
    doctype = "<!DOCTYPE html>" if design.year > 2005 else ""
    if "no body" in chosen:
        return doctype + markup.write([*head, *body], manner)
    language = site.language
    whole = element(
        "html",
        element("head", *head),
        element("body", *body),
        lang=language.code,
        dir="rtl" if language.direction == "rtl" else None,
    )
    return doctype + markup.write([whole], manner)


def _meta(charset: str, design: Design) -> Element:
    if design.year > 2005:
        return element("meta", charset=charset)
    kind = {"http_equiv": "Content-Type", "content": f"text/html; charset={charset}"}
    return element("meta", **kind)


def _codec(charset: str) -> str:
    """Return the Python codec that browsers use for a charset."""
    return {"windows-874": "cp874", "shift_jis": "cp932", "gb2312": "gbk", "euc-kr": "cp949"}.get(
        charset, charset
    )


# --- snippets ------------------------------------------------------------------------------------


def _must_have(random: Random, parts: Parts) -> tuple[str, ...]:
    """Return up to three sentences of the content, from runs without inline tags."""
    found: list[str] = []
    waiting = list(parts.content)
    for block in waiting:
        if isinstance(block, Paragraph):
            found += [run.text.strip() for run in block.line if _is_sentence(run)]
        waiting += getattr(block, "blocks", ())
    return tuple(random.sample(found, min(3, len(found))))


def _is_sentence(run: Run) -> bool:
    return not run.mark and len(run.text) > 12


def _must_not_have(
    random: Random, furniture: list[Piece], parts: Parts, gold: str
) -> tuple[str, ...]:
    """Return up to four texts of the boilerplate that are not in the content."""
    others = f"{gold}\n{parts.title}\n{gold_text(parts.comments)}".casefold()
    clean = (text.strip() for text in texts(furniture))
    # dict, not set: the order must be the same on every machine.
    found = list(dict.fromkeys(t for t in clean if len(t) > 3 and t.casefold() not in others))
    return tuple(random.sample(found, min(4, len(found))))


# --- files ---------------------------------------------------------------------------------------


def write(pages: Iterable[GeneratedPage], folder: Path) -> None:
    """Write each page and its gold text to a folder per site."""
    for page in pages:
        place = folder / page.site
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{page.id}.html").write_bytes(page.html)
        (place / f"{page.id}.txt").write_bytes(page.text.encode())


_CHARSET = re.compile(r"(<meta [^>]*charset=\"?)[\w-]+", re.I)


def write_jsonl(pages: Iterable[GeneratedPage], path: Path) -> None:
    """Write one JSON object per line, with the HTML as text.

    The file is in UTF-8, so the `<meta>` of its pages names UTF-8.
    """
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for page in pages:
            html = page.html.decode(_codec(page.charset))
            html = _CHARSET.sub(r"\1utf-8", html, count=1)
            file.write(json.dumps({**asdict(page), "html": html}, ensure_ascii=False) + "\n")
