"""JSON-LD: the objects that a page's scripts describe it with (https://www.w3.org/TR/json-ld11/).

Pages write lists, graphs, several values one after the other, trailing commas, raw line breaks,
comments around it all, and worse. What can be read is read; what cannot is passed over.

Only what speaks of the page is listed: top-level objects, members of `@graph`, and what
`mainEntity` and `mainEntityOfPage` hold. Teasers, comments and reviews inside them do not.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Mapping
from html import unescape
from typing import Any, TypeAlias

from thresher.page.decode import well_formed

Item: TypeAlias = Mapping[str, Any]

# Pages hold a few thousand characters in a few scripts; what is far beyond is not read.
_MOST_CHARACTERS = 2_000_000
_MOST_ITEMS = 500
_MOST_VALUES = 50  # of one property

_ABOUT_PAGE = ("@graph", "mainEntity", "mainEntityOfPage")

_WRAPPED = re.compile(r"\A\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>|;)\s*\Z")
_LAST_COMMA = re.compile(r",(\s*[}\]])")
_PAIR = re.compile(
    r'"(headline|datePublished|dateModified|dateCreated|inLanguage|description)"\s*:\s*'
    r'"((?:[^"\\\n]|\\.){1,2000})"'
)
_AUTHOR = re.compile(
    r'"author"\s*:\s*\[?\s*\{[^{}]{0,500}?"name"\s*:\s*"((?:[^"\\\n]|\\.){1,200})"'
)
_DECODER = json.JSONDecoder(strict=False)


def objects(scripts: Iterable[str]) -> list[Item]:
    """Return the objects about the page that scripts of JSON-LD hold, in their order."""
    found: list[Item] = []
    left = _MOST_CHARACTERS
    for script in scripts:
        if len(script) > left or len(found) >= _MOST_ITEMS:
            break
        left -= len(script)
        found += about_page(_values(script))
    return found[:_MOST_ITEMS]


def about_page(values: Iterable[Any]) -> list[Item]:
    """List the objects that speak of the page, outer ones first."""
    found: list[Item] = []
    queue = deque(values)
    steps = 4 * _MOST_ITEMS
    while queue and len(found) < _MOST_ITEMS and steps:
        steps -= 1
        value = queue.popleft()
        if isinstance(value, list):
            queue.extend(value[:_MOST_ITEMS])
        elif isinstance(value, dict):
            found.append(value)
            queue.extend(value[key] for key in _ABOUT_PAGE if key in value)
    return found


# --- reading -------------------------------------------------------------------------------------


def _values(script: str) -> list[Any]:
    """Return the JSON values of a script, mending what is commonly broken."""
    for mend in (_as_it_is, _without_wrapping, _without_last_commas):
        script = mend(script)
        values = _read(script)
        if values:
            return values
    return _salvaged(script)


def _as_it_is(script: str) -> str:
    return script


def _without_wrapping(script: str) -> str:
    """Without the marks of a comment or of CDATA around it, or a semicolon behind it."""
    bare = _WRAPPED.sub("", _WRAPPED.sub("", script))
    return unescape(bare) if '"' not in bare else bare


def _without_last_commas(script: str) -> str:
    return _LAST_COMMA.sub(r"\1", script)


def _read(script: str) -> list[Any]:
    """Return the values that stand one after the other; nothing if the first is broken."""
    values: list[Any] = []
    at = 0
    while len(values) < _MOST_ITEMS:
        while at < len(script) and (script[at].isspace() or script[at] in ",;\ufeff"):
            at += 1
        if at >= len(script):
            break
        try:
            value, at = _DECODER.raw_decode(script, at)
        except (ValueError, RecursionError):
            break
        values.append(value)
    found = [value for value in values if isinstance(value, dict | list)]
    return _well_formed(found) if _ESCAPED.search(script) else found


_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")  # a half of a character, perhaps without the other


def _well_formed(values: list[Any]) -> list[Any]:
    """Replace halves of characters, wherever they are."""
    try:
        found: list[Any] = json.loads(well_formed(json.dumps(values, ensure_ascii=False)))
    except RecursionError:  # one level deeper than could be read
        return []
    return found


def _salvaged(script: str) -> list[Any]:
    """Return one object of the plain pairs that a broken script still shows."""
    pairs = {name: _unquoted(value) for name, value in reversed(_PAIR.findall(script))}
    author = _AUTHOR.search(script)
    if author:
        pairs["author"] = _unquoted(author[1])
    return [{"@type": "Article", **pairs}] if pairs else []


def _unquoted(value: str) -> str:
    try:
        return well_formed(json.loads(f'"{value}"', strict=False))
    except ValueError:
        return value


# --- asking --------------------------------------------------------------------------------------

# Types (https://schema.org/CreativeWork) whose headline, author and date are those of the page.
_WORK = re.compile(
    r"(?:article|posting|newsarticle|report|review|recipe|webpage|howto|question|faqpage|"
    r"creativework|blog|videoobject|podcastepisode|book|course|event|product|jobposting|dataset|"
    r"softwareapplication|analysis|column|opinion|liveblog|message)\Z",
    re.I,
)


def is_work(item: Item) -> bool:
    """Whether an object is a piece of writing rather than a site, a publisher or a crumb trail."""
    if "headline" in item:
        return True
    kinds = item.get("@type")
    return any(
        isinstance(kind, str) and _WORK.search(kind)
        for kind in (kinds if isinstance(kinds, list) else [kinds])
    )


_BESIDE = re.compile(r"(?:video|audio|image|media)object\Z|review\Z|\Acomment\Z", re.I)


def is_beside(item: Item) -> bool:
    """Whether an object is a film, a picture or a reader's review, as pages hold besides a text."""
    kinds = item.get("@type")
    several = kinds if isinstance(kinds, list) else [kinds]
    return "headline" not in item and all(
        isinstance(kind, str) and _BESIDE.search(kind) is not None for kind in several
    )


def strings_of(value: Any) -> list[str]:
    """Return the texts of a property: a string, a number, an object's value, or lists of these."""
    found: list[str] = []
    for one in _listed(value):
        text = one
        if isinstance(one, dict):
            text = one.get("@value", one.get("url", one.get("name", one.get("@id"))))
        if isinstance(text, str) and text.strip():
            found.append(unescape(text).strip())
        elif isinstance(text, int | float) and not isinstance(text, bool):
            found.append(str(text))
    return found


def codes_of(value: Any) -> list[str]:
    """Return the codes of languages: strings, or one word of an object (a code or a short name).

    {"@type": "Language", "name": "Old Norse", "alternateName": "non"} has its code second.
    """
    found: list[str] = []
    for one in _listed(value):
        if isinstance(one, dict):
            told = strings_of([one.get(key) for key in ("@value", "alternateName", "name", "@id")])
            found += [text for text in told if " " not in text]
        else:
            found += strings_of(one)
    return found


def names_of(value: Any, by_id: Mapping[str, Item]) -> list[tuple[str, bool]]:
    """Return the names of people or organisations, and whether each is an organisation's."""
    found: list[tuple[str, bool]] = []
    for one in _listed(value):
        if isinstance(one, str):
            found.append((unescape(one), False))
            continue
        if not isinstance(one, dict):
            continue
        if "name" not in one and isinstance(one.get("@id"), str):
            one = by_id.get(one["@id"], one)
        kind = one.get("@type")
        organised = "Organization" in str(kind) and "Person" not in str(kind)
        found += [(unescape(name), organised) for name in strings_of(one.get("name"))]
    return found


def _listed(value: Any) -> list[Any]:
    """Return a value as a flat list of at most `_MOST_VALUES`."""
    flat: list[Any] = []
    queue = deque([value])
    steps = 4 * _MOST_VALUES
    while queue and len(flat) < _MOST_VALUES and steps:
        steps -= 1
        one = queue.popleft()
        if isinstance(one, list):
            queue.extend(one[:_MOST_VALUES])
        elif isinstance(one, dict) and isinstance(one.get("@list"), list):
            queue.extend(one["@list"][:_MOST_VALUES])
        elif one is not None:
            flat.append(one)
    return flat
