"""JSON-LD: objects in scripts that describe the page (https://www.w3.org/TR/json-ld11/).

Scripts may hold lists, graphs, several values in a row, trailing commas, raw line breaks, and
comment marks around the JSON. Broken scripts are repaired where possible, else skipped.

Only objects about the page itself are returned: top-level objects, members of `@graph`, and values
of `mainEntity` and `mainEntityOfPage`. Other nested objects are teasers, comments and reviews.
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

# Usual pages hold a few thousand characters in a few scripts.
_MOST_CHARACTERS = 2_000_000  # of all scripts of a page
_MOST_ITEMS = 500
_MOST_VALUES = 50  # of one property

_ABOUT_PAGE = ("@graph", "mainEntity", "mainEntityOfPage")


def page_objects(scripts: Iterable[str]) -> list[Item]:
    """Return the objects about the page in JSON-LD scripts, in document order."""
    items: list[Item] = []
    left = _MOST_CHARACTERS
    for script in scripts:
        if len(script) > left or len(items) >= _MOST_ITEMS:
            break
        left -= len(script)
        items += _objects_about_page(_values(script))
    return items[:_MOST_ITEMS]


def _objects_about_page(values: Iterable[Any]) -> list[Item]:
    """Return the objects about the page, outer objects before those inside them."""
    items: list[Item] = []
    queue = deque(values)
    steps = 4 * _MOST_ITEMS
    while queue and len(items) < _MOST_ITEMS and steps:
        steps -= 1
        value = queue.popleft()
        if isinstance(value, list):
            queue.extend(value[:_MOST_ITEMS])
        elif isinstance(value, dict):
            items.append(value)
            queue.extend(value[key] for key in _ABOUT_PAGE if key in value)
    return items


# --- parsing ---------------------------------------------------------------------------------

_DECODER = json.JSONDecoder(strict=False)
# Comment or CDATA marks around a script, or a semicolon after it.
_WRAPPING = re.compile(
    r"\A\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>|;)\s*\Z"
)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_BETWEEN_VALUES = re.compile(r"[\s,;\ufeff]*")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_PAIR = re.compile(
    r'"(headline|datePublished|dateModified|dateCreated|inLanguage|description)"\s*:\s*'
    r'"((?:[^"\\\n]|\\.){1,2000})"'
)
_AUTHOR = re.compile(
    r'"author"\s*:\s*+(?:\[\s*)?\{[^{}]{0,500}?"name"\s*:\s*"((?:[^"\\\n]|\\.){1,200})"'
)
# A text with quotation marks that are not escaped ends before the next name or the last bracket.
_BODY = re.compile(r'"articleBody"\s*:\s*"')
_END_OF_BODY = re.compile(r'"\s{0,64}(?:,\s{0,64}"[\w@]{1,64}"\s{0,64}:|\}[\s\]};]{0,64}\Z)')
_BARE_MARK = re.compile(r'\\.|"', re.S)


def _values(script: str) -> list[Any]:
    """Return the objects and lists in a script, repairing common errors."""
    values = _parsed(script)
    if values:
        return values
    script = _WRAPPING.sub("", _WRAPPING.sub("", script))
    script = script if '"' in script else unescape(script)
    values = _parsed(script)
    if values:
        return values
    script = _TRAILING_COMMA.sub(r"\1", script)
    return _parsed(script) or _pairs_of_broken(script)


def _parsed(script: str) -> list[Any]:
    """Return the objects and lists at the beginning of a script, up to the first syntax error."""
    values: list[Any] = []
    at = _end_of_gap(script, 0)
    while at < len(script) and len(values) < _MOST_ITEMS:
        try:
            value, at = _DECODER.raw_decode(script, at)
        except (ValueError, RecursionError):
            break
        values.append(value)
        at = _end_of_gap(script, at)
    values = [value for value in values if isinstance(value, dict | list)]
    if not _ESCAPED_SURROGATE.search(script):
        return values
    try:  # replace unpaired surrogates
        repaired: list[Any] = json.loads(well_formed(json.dumps(values, ensure_ascii=False)))
    except RecursionError:  # the list of values is one level deeper than each value
        return []
    return repaired


def _end_of_gap(script: str, at: int) -> int:
    gap = _BETWEEN_VALUES.match(script, at)
    return gap.end() if gap else at


def _pairs_of_broken(script: str) -> list[Any]:
    """Return one object with the `"name": "value"` pairs that can be found in a broken script."""
    pairs = {name: _unquoted(value) for name, value in reversed(_PAIR.findall(script))}
    author = _AUTHOR.search(script)
    if author:
        pairs["author"] = _unquoted(author[1])
    body = _BODY.search(script)
    end = _END_OF_BODY.search(script, body.end()) if body else None
    if body and end:
        text = script[body.end() : end.start()]
        escaped = _BARE_MARK.sub(lambda mark: '\\"' if mark[0] == '"' else mark[0], text)
        pairs["articleBody"] = _unquoted(escaped)
    return [{"@type": "Article", **pairs}] if pairs else []


def _unquoted(value: str) -> str:
    try:
        return well_formed(json.loads(f'"{value}"', strict=False))
    except ValueError:
        return value


# --- types and properties of objects ---------------------------------------------------------

# Types (https://schema.org/CreativeWork) whose headline, author and date are those of the page.
_WORK = re.compile(
    r"(?:article|posting|newsarticle|report|review|recipe|webpage|howto|question|faqpage|"
    r"creativework|blog|videoobject|podcastepisode|book|course|event|product|jobposting|dataset|"
    r"softwareapplication|analysis|column|opinion|liveblog|message)\Z",
    re.I,
)
_MEDIA_OR_REVIEW = re.compile(r"(?:video|audio|image|media)object\Z|review\Z|\Acomment\Z", re.I)


def _type_matches(item: Item, pattern: re.Pattern[str]) -> list[bool]:
    """Return for each type of an object whether it matches the pattern."""
    types = item.get("@type")
    return [
        isinstance(name, str) and pattern.search(name) is not None
        for name in (types if isinstance(types, list) else [types])
    ]


def is_work(item: Item) -> bool:
    """Return whether an object is a piece of writing and not a site, a publisher or breadcrumbs."""
    return "headline" in item or any(_type_matches(item, _WORK))


def is_media_or_review(item: Item) -> bool:
    """Return whether an object is a video, an audio, an image or a review without a headline."""
    return "headline" not in item and all(_type_matches(item, _MEDIA_OR_REVIEW))


def addresses(item: Item) -> list[str]:
    """Return the addresses of the page that an object says it is of."""
    values = [item.get(key) for key in ("url", "mainEntityOfPage", "@id")]
    return [text for text in property_texts(values) if " " not in text]


def property_texts(value: Any) -> list[str]:
    """Return the texts of a property: of a string, a number, an object, or lists of these."""
    texts: list[str] = []
    for one in _flat_list(value):
        text = one
        if isinstance(one, dict):
            text = one.get("@value", one.get("url", one.get("name", one.get("@id"))))
        if isinstance(text, str) and text.strip():
            texts.append(unescape(text).strip())
        elif isinstance(text, int | float) and not isinstance(text, bool):
            texts.append(str(text))
    return texts


def language_codes(value: Any) -> list[str]:
    """Return the texts of `inLanguage` that may be codes; of objects only texts without spaces.

    {"@type": "Language", "name": "Old Norse", "alternateName": "non"} has its code second.
    """
    codes: list[str] = []
    for one in _flat_list(value):
        if isinstance(one, dict):
            keys = ("@value", "alternateName", "name", "@id")
            texts = property_texts([one.get(key) for key in keys])
            codes += [text for text in texts if " " not in text]
        else:
            codes += property_texts(one)
    return codes


def people_and_organizations(value: Any, by_id: Mapping[str, Item]) -> list[tuple[str, bool]]:
    """Return the names in a property such as `author`, each with whether it is an organization."""
    names: list[tuple[str, bool]] = []
    for one in _flat_list(value):
        if isinstance(one, str):
            names.append((unescape(one), False))
        elif isinstance(one, dict):
            if "name" not in one and isinstance(one.get("@id"), str):
                one = by_id.get(one["@id"], one)
            kind = str(one.get("@type"))
            is_organization = "Organization" in kind and "Person" not in kind
            texts = property_texts(one.get("name"))
            if not texts and "familyName" in one:
                parts = [
                    *property_texts(one.get("givenName"))[:1],
                    *property_texts(one["familyName"])[:1],
                ]
                texts = [" ".join(parts)] if parts else []
            names += [(unescape(name), is_organization) for name in texts]
    return names


def _flat_list(value: Any) -> list[Any]:
    """Return a value, or the values in nested lists, as a list of at most `_MOST_VALUES`."""
    if value is None or isinstance(value, str):  # true of most
        return [] if value is None else [value]
    flat: list[Any] = []
    queue = deque([value])
    steps = 4 * _MOST_VALUES
    while queue and len(flat) < _MOST_VALUES and steps:
        steps -= 1
        one = queue.popleft()
        if isinstance(one, dict) and isinstance(one.get("@list"), list):
            one = one["@list"]
        if isinstance(one, list):
            queue.extend(one[:_MOST_VALUES])
        elif one is not None:
            flat.append(one)
    return flat
