"""An HTML page that shows what was learned of a site, and the parts of one of its pages.

    site --> templates, furniture --> HTML
    page --> common, regular and content parts (`Site.parts`) --> shaded blocks --> HTML

The furniture is grouped by kind, a text that several templates have is listed once, and texts on a
small share of the pages, which are no evidence, are folded away. The page loads nothing and runs no
script. Its size is bounded: at most `MAX_BLOCKS` blocks of the page are listed, a text is cut after
`MAX_CHARS` characters, and a site keeps a bounded number of texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import numpy as np

from thresher.metadata import headline
from thresher.page import Page
from thresher.page.array_types import Int64s
from thresher.page.plain_text import block_texts
from thresher.site.matching import PARTS, Part, Parts, match
from thresher.site.site import REPEATED_SHARE, Site
from thresher.site.template import Template
from thresher.viewer.page_shell import ShortPaths, count, html_page, line_numbers, truncate

MAX_BLOCKS = 20_000
MAX_CHARS = 20_000

_MEANING: dict[Part, str] = {
    "common": "the same text at the same place of the compared page",
    "regular": "another text in the same pattern of tags",
    "content": "only on this page",
}
_KINDS_FIRST = ("navigation", "header", "footer", "related", "advertisement")


def site_page(site: Site, page: Page | None = None) -> str:
    """Return a self-contained HTML page about a site and, if given, the parts of one page of it."""
    host = escape(site.host or "A site without a host")
    body = _BODY.format(
        host=host,
        subtitle=_subtitle(site),
        redesign=_REDESIGN if site.redesigned else "",
        templates=_templates(site),
        furniture=_furniture(site, is_open=page is None),
        page="" if page is None else _page_section(site, page),
    )
    return html_page(f"{host} – what was learned", _STYLE, body)


def _subtitle(site: Site) -> str:
    kept = f"{count(len(site.references), 'page')} kept to compare with"
    parts = (f"{count(site.pages, 'page')} learned", count(len(site.templates), "template"), kept)
    return " · ".join(parts)


# --- templates -----------------------------------------------------------------------------------


def _templates(site: Site) -> str:
    """Return a table of the templates, the oldest first, each with its span of pages."""
    if not site.templates:
        return '<p class="note">No page with text was learned yet.</p>'
    rows = []
    for number, template in enumerate(_in_order(site), 1):
        before = 100 * (template.first - 1) / site.pages
        width = 100 * (template.last - template.first + 1) / site.pages
        is_current = template.first in site.recent[-1:]
        rows.append(
            f'<tr><th scope="row">{number}</th><td>{template.pages:,}</td>'
            f"<td>{template.first:,}</td><td>{template.last:,}</td>"
            f'<td class="span"><span><b class="{"now" if is_current else "then"}" '
            f'style="margin-left:{before:.1f}%;width:{width:.1f}%"></b></span></td></tr>'
        )
    return _TABLE.format(rows="\n".join(rows), pages=f"{site.pages:,}")


def _in_order(site: Site) -> list[Template]:
    return sorted(site.templates, key=lambda template: template.first)


# --- furniture -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Repeated:
    """A text that repeats, over all templates that have it."""

    text: str
    seen: int = 0
    pages: int = 0  # of these templates
    templates: tuple[int, ...] = ()
    in_all: bool = False  # templates of the site

    @property
    def share(self) -> float:
        return self.seen / max(self.pages, 1)


def _repeated(site: Site) -> dict[str, list[_Repeated]]:
    """Return the furniture of each kind, texts on the most pages first."""
    found: dict[tuple[str, str], _Repeated] = {}
    for number, template in enumerate(_in_order(site), 1):
        in_template: dict[tuple[str, str], float] = {}
        for one in template.furniture():  # a cut text may stand for several
            key = (one.kind, one.text)
            in_template[key] = max(one.share, in_template.get(key, 0.0))
        for (kind, text), share in in_template.items():
            entry = found.setdefault((kind, text), _Repeated(text))
            entry.seen += round(share * template.pages)
            entry.pages += template.pages
            entry.templates += (number,)
    kinds: dict[str, list[_Repeated]] = {}
    for (kind, _), entry in found.items():
        entry.in_all = len(entry.templates) == len(site.templates)
        kinds.setdefault(kind, []).append(entry)
    for entries in kinds.values():
        entries.sort(key=lambda entry: (-entry.seen, entry.text))
    order = {kind: at for at, kind in enumerate(_KINDS_FIRST)}
    first = sorted(kinds, key=lambda kind: (order.get(kind, len(order)), kind))
    return {kind: kinds[kind] for kind in first}


def _furniture(site: Site, *, is_open: bool) -> str:
    kinds = _repeated(site)
    total = sum(map(len, kinds.values()))
    if not total:
        inside = '<p class="note">No text was on two pages or more.</p>'
    else:
        inside = "\n".join(_kind_section(kind, entries) for kind, entries in kinds.items())
    return (
        f'<details class="furniture"{" open" if is_open else ""}><summary><h2>Furniture</h2> '
        f"{count(total, 'text')} on two pages or more</summary>\n{inside}</details>"
    )


def _kind_section(kind: str, entries: list[_Repeated]) -> str:
    often = [entry for entry in entries if entry.share >= REPEATED_SHARE]
    rare = [entry for entry in entries if entry.share < REPEATED_SHARE]
    items = f"<ul>{''.join(map(_furniture_item, often))}</ul>" if often else ""
    if rare:
        label = f"{count(len(rare), 'text')} on less than {100 * REPEATED_SHARE:.0f} % of the pages"
        folded = "".join(map(_furniture_item, rare))
        items += f"<details><summary>{label}</summary><ul>{folded}</ul></details>"
    return f"<section><h3>{escape(kind)} <small>{len(entries):,}</small></h3>{items}</section>"


def _furniture_item(entry: _Repeated) -> str:
    percent = 100 * entry.share
    noun = "templates" if len(entry.templates) > 1 else "template"
    where = f"{noun} {', '.join(map(str, entry.templates))}"
    hover = f"on {entry.seen:,} of {count(entry.pages, 'page')} of {where}"
    note = "" if entry.in_all else f" <small>{where}</small>"
    return (
        f'<li title="{escape(hover)}"><span dir="auto">{escape(entry.text)}{note}</span>'
        f'<i style="--share:{percent:.0f}%"></i><em>{percent:.0f} %</em></li>'
    )


# --- one page ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Block:
    row: int  # of its first text
    pieces: list[tuple[Part, str]]

    @property
    def part(self) -> Part:
        """The part of most of its characters."""
        sizes = dict.fromkeys(PARTS, 0)
        for part, text in self.pieces:
            sizes[part] += len(text)
        return max(PARTS, key=sizes.__getitem__)


def _page_section(site: Site, page: Page) -> str:
    reference = site.most_related(page)
    parts = match(page, reference.sequence)
    blocks = _blocks(parts)
    items = "\n".join(_items(page, blocks[:MAX_BLOCKS]))
    if len(blocks) > MAX_BLOCKS:
        left = count(len(blocks) - MAX_BLOCKS, "more block")
        items += f'\n<p class="note">{left} not listed here.</p>'
    compared = escape(reference.url or f"learned page {reference.number:,}")
    own = f"{escape(page.url)} · " if page.url else ""
    return _PAGE_SECTION.format(
        title=escape(headline.title(page).text or "Untitled page"),
        own=own,
        compared=compared,
        legend=_legend(parts),
        items=items or '<p class="note">This page shows no text.</p>',
    )


def _blocks(parts: Parts) -> list[_Block]:
    """Return the visible blocks of the page, cut into pieces of one part each."""
    page = parts.rows.page
    view = page.blocks
    part = parts.of_row[page.text_rows]
    shown = (part >= 0) & ~page.hidden[page.text_rows] & (view.of_text >= 0)
    inside = np.flatnonzero(shown)
    block, own = view.of_text[inside], part[inside]
    starts = np.ones(len(inside), np.bool_)
    starts[1:] = (np.diff(block) != 0) | (np.diff(own) != 0)
    piece_of_text = np.full(len(part), -1, np.int32)
    piece_of_text[inside] = np.cumsum(starts) - 1
    texts = block_texts(page, shown, piece_of_text)
    found: dict[int, _Block] = {}
    for number, at in enumerate(np.flatnonzero(starts).tolist()):
        if number in texts:
            of_block = int(block[at])
            entry = found.setdefault(of_block, _Block(int(page.text_rows[inside[at]]), []))
            entry.pieces.append((PARTS[own[at]], texts[number]))
    return list(found.values())


def _items(page: Page, blocks: list[_Block]) -> Iterator[str]:
    rows = np.fromiter((block.row for block in blocks), np.intp, len(blocks))
    paths = ShortPaths(page)
    for block, line in zip(blocks, line_numbers(page, rows), strict=True):
        main = block.part
        texts = [(part, escape(truncate(text, MAX_CHARS))) for part, text in block.pieces]
        body = " ".join(
            text if part == main else f'<span class="{part}">{text}</span>' for part, text in texts
        )
        hover = escape(f"{main}: {paths.path(block.row)}")
        yield (f'<div class="{main}" title="{hover}"><i>{line}</i><p dir="auto">{body}</p></div>')


def _part_words(parts: Parts) -> Int64s:
    """Return the number of visible words of each part."""
    page = parts.rows.page
    part = parts.of_row[page.text_rows]
    shown = (part >= 0) & ~page.hidden[page.text_rows]
    words = page.words[page.text_rows]
    return np.bincount(part[shown], words[shown], len(PARTS)).astype(np.int64)


def _legend(parts: Parts) -> str:
    """Return a bar with the share of each part, and a key for each."""
    words = _part_words(parts)
    total = max(int(words.sum()), 1)
    named = list(zip(PARTS, words.tolist(), strict=True))
    bar = "".join(
        f'<b class="{part}" style="flex-grow:{number}"></b>' for part, number in named if number
    )
    keys = "".join(
        f'<li class="{part}"><b>{part}</b> {count(number, "word")} '
        f"({100 * number / total:.0f} %)<br><small>{_MEANING[part]}</small></li>"
        for part, number in named
    )
    return f'<div class="bar" aria-hidden="true">{bar}</div>\n<ul class="legend">{keys}</ul>'


_REDESIGN = (
    '<p class="redesign"><b>Redesign noticed.</b> The last pages have a layout that began after '
    "another one was in use.</p>\n"
)

_TABLE = """<table>
<thead><tr><th scope="col">template</th><th scope="col">pages</th><th scope="col">first</th>
<th scope="col">last</th><th scope="col" class="span">page 1 to {pages}</th></tr></thead>
<tbody>
{rows}
</tbody></table>"""

_STYLE = """
:root { --amber: #d08c10; --sand: #fbf1dc; --mist: #eceef1; }
@media (prefers-color-scheme: dark) {
  :root { --amber: #d9a441; --sand: #332a17; --mist: #202329; } }
header, main { margin: 0 auto; max-width: 56rem; padding: 0 1rem; }
header { padding-top: 1.6rem; }
main { padding-bottom: 6rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
h3 { font-size: .9375rem; margin: 1.2rem 0 .3rem; }
small { color: var(--soft); font-weight: 400; }
.redesign { background: var(--sand); border-left: 4px solid var(--amber); margin: 0 0 1rem;
  padding: .5rem .8rem; }
table { border-collapse: collapse; font-size: .875rem; width: 100%; }
th, td { border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums;
  padding: .35rem .8rem .35rem 0; text-align: end; white-space: nowrap; }
thead th { color: var(--soft); font-weight: 400; }
th:first-child { text-align: start; width: 5rem; }
.span { padding-left: 1.2rem; padding-right: 0; text-align: start; width: 60%; }
td.span span { background: var(--mist); border-radius: 3px; display: block; }
td.span b { border-radius: 3px; display: block; height: .7rem; min-width: 3px; }
.now { background: var(--green); }
.then { background: var(--grey); }
summary { cursor: pointer; }
.furniture > summary { color: var(--soft); font-size: .875rem; margin-top: 1.6rem; }
.furniture > summary h2 { color: var(--ink); display: inline; margin: 0 .5rem 0 .2rem; }
section details summary { color: var(--soft); font-size: .8125rem; padding: .3rem 0; }
main ul { list-style: none; margin: 0; padding: 0; }
section li { align-items: baseline; border-top: 1px solid var(--line); display: flex;
  font-size: .875rem; gap: .8rem; padding: .2rem 0; }
section li span { flex: 1; min-width: 0; }
section li small { margin-inline-start: .4rem; }
section li i { align-self: center; flex: 0 0 6rem; height: .5rem; border-radius: 3px;
  background: linear-gradient(90deg, var(--grey) var(--share), var(--mist) var(--share)); }
section li em { color: var(--soft); flex: 0 0 3rem; font-style: normal;
  font-variant-numeric: tabular-nums; text-align: end; }
.bar { border-radius: 4px; display: flex; gap: 2px; height: .9rem; overflow: hidden; }
.bar b { flex-basis: 0; min-width: 2px; }
.bar .content, .legend .content::before { background: var(--green); }
.bar .regular, .legend .regular::before { background: var(--amber); }
.bar .common, .legend .common::before { background: var(--grey); }
ul.legend { display: flex; flex-wrap: wrap; font-size: .875rem; gap: .4rem 1.6rem;
  margin: .6rem 0 .8rem; }
.legend li { flex: 1 1 11rem; line-height: 1.4; padding-inline-start: 1.3rem;
  position: relative; }
.legend li::before { border-radius: 2px; content: ""; height: .8em; inset-inline-start: 0;
  position: absolute; top: .25em; width: .8em; }
.switch { cursor: pointer; display: block; font-size: .875rem; margin-bottom: 1rem; }
.text div { border-left: 4px solid var(--grey); content-visibility: auto;
  contain-intrinsic-size: auto 2rem; display: flex; gap: .8rem; padding: .15rem .8rem; }
.text p { flex: 1; margin: 0; min-width: 0; }
.text i { color: var(--soft); flex: 0 0 2.6rem; font: .7rem/1.9 ui-monospace, monospace;
  opacity: .75; text-align: end; user-select: none; }
.text div.content { background: var(--leaf); border-color: var(--green); padding: .35rem .8rem; }
.text div.regular { background: var(--sand); border-color: var(--amber); font-size: .875rem; }
.text div.common { background: var(--mist); color: var(--soft); font-size: .8125rem; }
.text .common + .content, .text .content + .common, .text .regular + .content,
.text .content + .regular { margin-top: .5rem; }
.text span { border-radius: 3px; padding: 0 .25em; }
.text span.content { background: var(--leaf); color: var(--ink); }
.text span.regular { background: var(--sand); color: var(--ink); }
.text span.common { background: var(--mist); color: var(--soft); }
body:has(#only:checked) .text .common, body:has(#only:checked) .text .regular { display: none; }
@media (max-width: 40rem) {
  section li i { flex-basis: 2.5rem; }
  .span { display: none; }
  .text div { gap: .5rem; padding: 0 .5rem; }
  .text i { flex-basis: auto; } }
"""

_BODY = """<header>
<h1>{host}</h1>
<p class="sub">{subtitle}</p>
{redesign}</header>
<main>
<h2>Templates</h2>
{templates}
{furniture}
{page}</main>
"""

_PAGE_SECTION = """<h2 dir="auto">{title}</h2>
<p class="sub">{own}compared with {compared}</p>
{legend}
<label class="switch"><input type="checkbox" id="only"> show the content only</label>
<div class="text">
{items}
</div>
"""
