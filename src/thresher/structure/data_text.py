"""Main text that a page has only in its data.

Many pages show the beginning of an article, or nothing until a script has run, and hold the whole
text as JSON:

- JSON-LD: `articleBody` of an object about the page, or `text` of an article, a post, a question or
  an answer (https://schema.org/articleBody); the questions and answers of an empty page;
- the state of script-filled pages: JSON scripts such as `__NEXT_DATA__` and `__NUXT_DATA__`,
  scripts that assign JSON, an object of JavaScript or an encoded string to a name such as
  `window.__INITIAL_STATE__`, with the references of Apollo, the function of Nuxt 2 that
  returns the state with its parameters as values, the calls of `__next_f.push`, the data of
  SvelteKit and React Router, and attributes such as `data-page` of Inertia and the properties of
  Astro. A text may be one string, or the strings of one name in a list of paragraphs;
- on empty pages only: `description` and `transcript` of JSON-LD, the page of an `<iframe srcdoc>`,
  templates, and `content` of microdata.

Such a text is used in two cases. Words are compared in runs of four (shingles).

- Teaser: the kept text has at most half as many words as the text in the data, a third of its
  longer blocks at least are in that text, and all of these in its first part, since a page that
  shows the end of a text shows the text. Most of the text is not shown anywhere on the page.
- Empty: the page shows next to no text of its own, or mostly what is in the text as well. The
  object that holds the text has the title of the page, or the text begins with the description of
  the page, or it is the only long text that is HTML with several paragraphs, and not about cookies
  or privacy. Notices that a page loads, needs JavaScript or sets cookies are no text of its own.

Values under names such as `privacy`, `terms` and `footer` are never used, unless the title of the
page has such a word too.

The text is put into the HTML of the page, as an `article` in front of the teaser, and the page is
parsed again, so that it is a page like any other. What is kept is this article, and what was kept
in front of it, such as the headline. What follows the teaser is not kept: it is the rest of the
teaser, or asks to subscribe.

Anything else in the data, such as ingredients of recipes or lists of questions of pages that show
some text, is left alone, because pages show a selection of it in another form.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape, unescape
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import numpy as np

from thresher.page import Page, Selection
from thresher.page.decode import well_formed
from thresher.page.lazy import LazyModule, lazy_pattern
from thresher.page.parse import Limits, beginning, parse
from thresher.page.plain_text import block_texts
from thresher.page.serialize import write
from thresher.page.tags import NUMBER, lookup
from thresher.page.words import words

if TYPE_CHECKING:
    from thresher.metadata import declared
    from thresher.metadata.json_ld import Item
else:  # few pages get as far as to need them
    declared = LazyModule("thresher.metadata.declared")

# All numbers are ours; on wcxb-dev and fundus they change no page that shows its text.
_MUCH_SHORTER = 0.5  # words of a teaser per word of the text
_FIRST_PART = 0.6  # of the words of the text, which hold the teaser
_LEAST_SHARE = 1 / 3  # of the words of the longer blocks of a teaser that are in the text
_LONGEST_PROMPT = 120  # words after a teaser
_LONGER_BLOCK = 6  # words; shorter blocks are bylines, dates and buttons
_IN_TEXT = 0.7  # of the shingles of a block that is in the text
_SHINGLE = 4  # words
# Of the words of a block in front of a teaser that are among the first words of the text, of which
# so many times its own number are looked at: it says the same.
_ALIKE, _ALIKE_WITHIN = 0.7, 2
_LEAST_WORDS = 60  # of a text in the data
_LEAST_CHARACTERS = 150  # of the same: 60 words of Chinese have no more
_LONGEST_TEASER = 500  # kept words, above which no data is read
_FEW_WORDS = 100  # kept words up to which the state of script-filled pages is read
_NEXT_TO_NONE = 60  # words outside of links that an empty page shows
# Of these, kept words that are not in the text: if its object has the title of the page or it
# begins with the description, there may be a lead; else not even a sentence.
_MOST_OF_LEAD, _MOST_OF_SHELL = 20, 7
_SHORTEST_TITLE = 8  # characters of a part of a title, with a space before and after each word
_LONGEST_SENTENCE = 80  # words of a sentence of prose on average
_SHOWN_ANYWAY = 0.5  # of the shingles of a text, which the page shows outside of the kept text
_MOST_CHARACTERS = 4_000_000  # of a script; longer ones are not read
_MOST_TEXTS = 20  # the longest ones are compared
_SCRIPT = NUMBER["script"]
_FRAME, _TEMPLATE = NUMBER["iframe"], NUMBER["template"]


@dataclass(frozen=True, slots=True)
class DataText:
    """A text that was found in the data of a page, put into the page."""

    selection: Selection  # of a page that shows the text
    source: str  # where it was found, such as "JSON-LD articleBody"


class _Text(NamedTuple):
    paragraphs: list[str]  # plain text or HTML, some of it in character references
    source: str
    title: str  # of its object, if that is the title of the page; else ""
    is_for_empty: bool = False  # pages alone: others show a part of it in another form

    def characters(self) -> int:
        return sum(map(len, self.paragraphs))


def find(selection: Selection) -> DataText | None:
    """Return the text in the data that the kept text is a teaser of; None for most pages."""
    page = selection.page
    if page.base is not None or page.IS_RENDERED or page.html is None:
        return None
    present, number = page.present, selection.words
    if not (present[_SCRIPT] or present[_FRAME] or present[_TEMPLATE]) and (
        number > _FEW_WORDS or not any(name in page.html for name in _IN_ATTRIBUTES)
    ):
        return None
    if number > _LONGEST_TEASER or (number > _FEW_WORDS and not page.stated.linked_data):
        return None
    scripts = _json_scripts(page, few_words=number <= _FEW_WORDS)
    inner = _inner_texts(page) if number <= _NEXT_TO_NONE else []
    if not scripts and not inner:  # true of most pages
        return None
    least = int(page.chars.take(selection.rows).sum()) + _LEAST_CHARACTERS
    long_scripts = [script for script in scripts if len(script.code) > least]
    if not long_scripts and not inner:
        return None
    found = (*_texts(page, long_scripts), *inner)
    texts = [text for text in found if text.characters() > least]
    texts = sorted(texts, key=_Text.characters, reverse=True)[:_MOST_TEXTS]
    has_questions = any(_HAS_QUESTIONS.search(script.code) for script in scripts)
    return _put_in_first(selection, texts) if texts or has_questions else None


def _put_in_first(selection: Selection, texts: Iterable[_Text]) -> DataText | None:
    """Return the longest text that can be used; of two of about the same length, JSON-LD first."""
    teaser: _Teaser | None = None  # few texts get as far as to be compared with it
    for text in sorted(texts, key=lambda text: not text.source.startswith("JSON-LD")):
        markup = _markup(text.paragraphs)
        if markup:
            teaser = teaser or _Teaser.of(selection)
            row = None if text.is_for_empty else teaser.row_in(markup.words, text.title)
            if row is not None and not _is_shown(selection.page, markup.words):
                alike = teaser.rows_alike(markup.words, row)
                return _put_in(_without_blocks(selection, alike), row, markup.html, text.source)
            if row is None and teaser.may_stand_for(markup.words, text.title):
                return _put_in(selection, -1, markup.html, text.source, text.title)
    if not _is_empty(selection.page):
        return None
    return _put_in_only(selection, teaser or _Teaser.of(selection), texts)


def _put_in_only(selection: Selection, teaser: _Teaser, texts: Iterable[_Text]) -> DataText | None:
    """Return questions with answers, else the only text that is HTML with several paragraphs.

    It is much longer than others.
    """
    questions = _questions(declared.declarations(selection.page).items)
    markup = _markup(questions, least=_LEAST_ANSWERED) if questions else None
    if markup is not None and teaser.says_little_beside(markup.words, _MOST_OF_SHELL):
        return _put_in(selection, -1, markup.html, "JSON-LD questions")
    may_be = [text for text in texts if len(text.paragraphs) == 1 and _is_html(text.paragraphs[0])]
    may_be.sort(key=_Text.characters, reverse=True)
    if not may_be or (len(may_be) > 1 and may_be[0].characters() < 2 * may_be[1].characters()):
        return None
    markup = _markup(may_be[0].paragraphs)
    if markup is None or len(_CONSENT.findall(markup.html)) > 1:
        return None
    if not teaser.says_little_beside(markup.words, _MOST_OF_SHELL):
        return None
    return _put_in(selection, -1, markup.html, may_be[0].source)


def _is_html(text: str) -> bool:
    """Return whether a text has several paragraphs of HTML."""
    return len(_PARAGRAPHS.findall(text)) + len(_ESCAPED_PARAGRAPHS.findall(text)) > 1


_PARAGRAPHS = lazy_pattern(r"</p\s*>", re.I)
_ESCAPED_PARAGRAPHS = lazy_pattern(r"&lt;/p\s*&gt;", re.I)
_CONSENT = lazy_pattern(r"\b(?:cookies?|consent|privacy|terms of (?:use|service))\b", re.I)


# --- scripts -------------------------------------------------------------------------------------


class _Script(NamedTuple):
    name: str  # "JSON-LD", or the name of the state, such as "__NEXT_DATA__"
    code: str
    begins: int  # where the JSON begins


# It begins with a list of names alone, which the search for the first letter of one is faster for.
_ASSIGNMENT = re.compile(
    r"(?:window|self|globalThis|var|let|const|Fusion)"
    r"(?:(?:(?<=window)|(?<=self)|(?<=globalThis))(?:\.|\[['\"])"
    r"|(?:(?<=\bvar)|(?<=\blet)|(?<=\bconst))\s+|(?<=\bFusion)\.(?=globalContent\b))"
    r"(_{0,2}[A-Za-z][\w$]{2,40})(?:['\"]\])?\s*=\s*"
    r"(?:JSON\.parse\(\s*)?(?:(decodeURIComponent|unescape|atob)\(\s*)?(?=[\[{\"'])"
)
_IS_ENCODED = re.compile("[\"']%(?:7[Bb]|5[Bb])%")  # JSON, percent-encoded
_HEAD = 500  # characters at the beginning of a script in which it assigns its state


def _json_scripts(page: Page, few_words: bool) -> list[_Script]:
    """Return the JSON-LD scripts of a page and, if it has few words, those with other JSON."""
    found: list[_Script] = []
    nodes, linked_data = page.nodes, page.stated.linked_data
    rows = (page.tag == _SCRIPT).nonzero()[0].tolist() if few_words else linked_data
    for row in rows:
        code = page.code(row)
        if not code:
            continue
        is_linked_data = row in linked_data
        kind = nodes[row].attr("type") or ""
        if is_linked_data:
            if "articleBody" in code or '"text"' in code or (few_words and _MORE.search(code)):
                found.append(_Script("JSON-LD", code, 0))
        elif "json" in kind or kind == "fastboot/shoebox":
            code = _REFERENCES_OF_ANGULAR.sub(_of_angular, code) if "&q;" in code[:_HEAD] else code
            found.append(_Script(nodes[row].attr("id") or "JSON script", code, 0))
        elif (state := _state_in(code)) is not None:
            found.append(state)
    if few_words:
        found += _other_states(page, rows)
    return [script for script in found if len(script.code) <= _MOST_CHARACTERS]


def _state_in(code: str) -> _Script | None:
    """Return the state that the code of a script holds; None for most scripts."""
    assigned = _ASSIGNMENT.search(code, 0, _HEAD)
    if assigned and (assigned[2] or _IS_ENCODED.match(code, assigned.end())):
        return _Script(assigned[1], _decoded_string(code, assigned), 0)
    if assigned:
        return _Script(assigned[1], code, assigned.end())
    if "node_ids" in code and (data := _SVELTE_KIT.search(code)) is not None:
        return _Script("SvelteKit", code, data.end())
    at = code.find(_STREAMS, 0, _HEAD)
    if at >= 0 and (stream := _STREAM.search(code, 0, _HEAD)) is not None:
        return _Script(_REACT_ROUTER, code, stream.end())
    function = _NUXT.match(code)
    return None if function is None else _Script("__NUXT__", _called(code, function), 0)


_MORE = lazy_pattern(r"\"(?:description|transcript|reviewBody)\"")
_SVELTE_KIT = lazy_pattern(
    r"\bkit\.start\([^\[\]]{0,200}?\{\s*node_ids:\s*\[[\d,\s]*\],\s*data:\s*(?=\[)"
)
_REACT_ROUTER = "React Router"
_STREAMS = "streamController"
_STREAM = lazy_pattern(r"\bstreamController\.enqueue\(\s*(?=\")")
_REFERENCES_OF_ANGULAR = lazy_pattern(r"&[qslga];")
_OF_ANGULAR = {"&q;": '"', "&s;": "'", "&l;": "<", "&g;": ">", "&a;": "&"}


def _of_angular(reference: re.Match[str]) -> str:
    return _OF_ANGULAR[reference[0]]


def _decoded_string(code: str, assigned: re.Match[str]) -> str:
    """Return a string that a script decodes: percent-encoded, or base64 of UTF-8."""
    text = _literal(code, assigned.end())
    if not isinstance(text, str):
        return ""
    if assigned[2] != "atob":
        return unquote(text)
    try:
        return b64decode(text).decode("utf-8", "replace")
    except ValueError:
        return ""


# The state of Nuxt 2: what a function returns, whose parameters stand for values that are repeated.
_NUXT = re.compile(
    r"\s*window\.__NUXT__\s*=\s*\(?function\s*\(([\w$,\s]*)\)\s*\{\s*+(?:[\w$.]++=[^;{}]*+;)*+\s*+return\s*+"
)
# A string without an end goes on to the last character, so that no end is searched twice, and one
# in backquotes goes on to a value within it.
_TOKENS = re.compile(
    r"(\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z)|'(?:[^'\\]|\\.)*+(?:'|\\?\Z)"
    r"|`(?:[^`\\$]|\\.|\$(?!\{))*+(?:`|\$\{|\\?\Z))"
    r"|([A-Za-z_$][\w$]*)|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\[\]{}:,()])",
    re.S,
)
_CONSTANTS = {"true": "true", "false": "false", "null": "null", "undefined": "null", "void": ""}
_MOST_VALUES = 200_000  # tokens of a state


def _called(code: str, function: re.Match[str]) -> str:
    """Return what a function of Nuxt returns as JSON, with the values of its arguments."""
    names = [name.strip() for name in function[1].split(",")]
    tokens = list(islice(_TOKENS.finditer(code, function.end()), _MOST_VALUES))
    end = _end_of_value(tokens, 0)
    begin = next((at for at in range(end, len(tokens)) if tokens[at][4] == "("), len(tokens))
    values: list[str] = []
    at = begin + 1
    while at < len(tokens) and tokens[at][4] != ")":
        after = _end_of_value(tokens, at)
        values.append(_as_json(tokens[at:after], _CONSTANTS))
        at = after + 1
    known = {**_CONSTANTS, **dict(zip(names, values, strict=False))}
    return _as_json(tokens[:end], known)


def _end_of_value(tokens: list[re.Match[str]], at: int) -> int:
    """Return the number of the first token after the value that begins with a token."""
    depth = 0
    for number in range(at, len(tokens)):
        sign = tokens[number][4]
        if depth == 0 and number > at and sign in (",", ")", "]", "}"):
            return number
        depth += (sign in ("[", "{", "(")) - (sign in ("]", "}", ")"))
        if depth == 0 and sign in ("]", "}"):
            return number + 1
    return len(tokens)


def _as_json(tokens: list[re.Match[str]], values: dict[str, str]) -> str:
    """Return the tokens of a value as JSON: names of values as these, other names as strings."""
    written, size = list[str](), 0
    following = [*(token[4] for token in tokens[1:]), None]
    for token, after in zip(tokens, following, strict=True):
        name = token[2]
        if name is None:
            is_fraction = token[3] is not None and (token[3][:1] == "." or token[3][-1:] == ".")
            written.append("0" if is_fraction else _as_json_string(token[0]))
        else:
            written.append(f'"{name}"' if after == ":" else values.get(name, "null"))
        size += len(written[-1])
        if size > _MOST_CHARACTERS:  # a long value may be repeated often
            return ""
    return "".join(written)


def _as_json_string(token: str) -> str:
    """Return a string of JavaScript as one of JSON, any other token as it is."""
    if token[-1] != token[0] and token[0] in "\"'`":
        return '""'  # without an end
    if token[0] in "'`":
        inside = _QUOTES.sub(_requoted, token[1:-1]).replace("\n", "\\n").replace("\r", "\\r")
        token = f'"{inside}"'
    return _UNKNOWN_ESCAPE.sub(r"\1", token) if "\\" in token else token


_QUOTES = re.compile(r"\\(?:x[\da-fA-F]{2}|.)|\"", re.S)


def _requoted(found: re.Match[str]) -> str:
    r"""Return a quotation mark with a backslash, `\'` without, `\x3c` as four digits."""
    text = found[0]
    if text == '"':
        return '\\"'
    if text in ("\\'", "\\`"):
        return text[1]
    return f"\\u00{text[2:]}" if text[1] == "x" and len(text) > _TWO else text


_TWO = 2  # characters of an escape of one letter


def _literal(code: str, begins: int) -> Any:
    """Return the value of a string, an object or a list of JavaScript; None for anything else."""
    tokens = list(islice(_TOKENS.finditer(code, begins), _MOST_VALUES))
    written = _as_json(tokens[: _end_of_value(tokens, 0)], _CONSTANTS) if tokens else ""
    try:
        return _DECODER.raw_decode(written)[0] if written else None
    except (ValueError, RecursionError):
        return None


_UNKNOWN_ESCAPE = re.compile(r"\\([^\"\\/bfnrtu])")

_ASTRO = "props"
_ATTRIBUTES_WITH_STATE = ("data-page", "data-props", "data-react-props", "data-state", _ASTRO)
# Of these one is in the source of a page without scripts that has its text in an attribute.
_IN_ATTRIBUTES = (*(f" {name}=" for name in _ATTRIBUTES_WITH_STATE), "articleBody")
_HOLDING = ",".join(
    f"[{name}]" if name != _ASTRO else "astro-island[props]" for name in _ATTRIBUTES_WITH_STATE
)


def _without_types(item: Item) -> Item:
    """Return the properties of an Astro island: each value is a pair of a type and a value."""
    return {key: _untyped(value) for key, value in item.items()}


def _untyped(value: Any) -> Any:
    if not isinstance(value, list) or len(value) != _TWO or type(value[0]) is not int:
        return value
    inside = value[1]
    if value[0] != 1 or not isinstance(inside, list):
        return inside
    return [one[1] if isinstance(one, list) and len(one) == _TWO else one for one in inside]


def _streamed(value: Any) -> Any:
    """Return the objects of React Router's list, in which names and values are its indices."""
    if not isinstance(value, list):
        return value

    def at(index: Any) -> str | None:
        is_index = type(index) is int and 0 <= index < len(value)
        found = value[index] if is_index else None
        return found if isinstance(found, str) else None

    objects = [one for one in value if isinstance(one, dict)]
    named = [
        {at(int(key[1:])) or "": at(index) for key, index in one.items() if _NUMBERED.match(key)}
        for one in objects
    ]
    return [{key: text for key, text in one.items() if text is not None} for one in named]


_NUMBERED = re.compile(r"_\d{1,7}\Z")

_FLIGHT = "__next_f"  # where Next.js pushes its state, in pieces
_PUSHED = re.compile(r'__next_f\.push\(\[1,(?=")')


def _other_states(page: Page, rows: Sequence[int]) -> list[_Script]:
    """Return the state of Inertia in an attribute, and that of Next.js in many scripts."""
    found: list[_Script] = []
    for holder in page.nodes[0].select(_HOLDING):
        for name in _ATTRIBUTES_WITH_STATE:
            value = holder.attr(name) or ""
            if len(value) > _LEAST_CHARACTERS and _is_json(value) and len(found) < _MOST_TEXTS:
                found.append(_Script(name, value, 0))
    pieces: list[Any] = []
    for code in map(page.code, rows) if _FLIGHT in (page.html or "") else ():
        pieces += [_decoded(code, pushed.end(), once=True) for pushed in _PUSHED.finditer(code)]
    flight = "".join(piece for piece in pieces if isinstance(piece, str))
    return [*found, _Script(_FLIGHT, flight, 0)] if flight else found


_DECODER = json.JSONDecoder(strict=False)
_UNDEFINED = re.compile(r"(?<=[:,\[])\s*undefined(?=\s*[,}\]])")


def _decoded(code: str, begins: int, once: bool = False) -> Any:
    """Return the value of the JSON that begins there; None if it is broken.

    Unless `once` is given, that of a string is the value of the JSON in it.
    """
    for attempt in range(2):
        try:
            value = _DECODER.raw_decode(code, begins)[0]
            return value if once or not isinstance(value, str) else _DECODER.raw_decode(value)[0]
        except (ValueError, RecursionError):
            if attempt or "undefined" not in code:
                return None
            code, begins = _UNDEFINED.sub("null", code[begins:]), 0
    return None


# --- texts in JSON -------------------------------------------------------------------------------


def _texts(page: Page, scripts: Sequence[_Script]) -> Iterator[_Text]:
    """Yield the long texts in the scripts of a page."""
    titles = _titles(page)
    is_legal = any(map(_LEGAL.search, titles))  # the page itself
    if any(script.name == "JSON-LD" for script in scripts):
        yield from _linked_data_texts(declared.declarations(page).items, titles)
    for script in scripts:
        if script.name != "JSON-LD" and (is_legal or not _LEGAL.search(script.name)):
            value = _value_of(script, titles, is_legal)
            yield from _state_texts(value, script.name, titles, is_legal)


def _value_of(script: _Script, titles: Sequence[str], is_legal: bool) -> Any:
    """Return the value of the JSON in a script or an attribute."""
    if script.name == _FLIGHT:
        rows = _flight(script.code)
        title = _heading_of_flight(rows, titles)
        return {"title": title, "rows": rows} if title else [*_written_rows(rows), *rows]
    if script.name == _ASTRO:
        try:
            return json.loads(script.code, object_hook=_without_types)
        except (ValueError, RecursionError):
            return None
    value = _decoded(script.code, script.begins)
    if value is None and script.code[script.begins : script.begins + 1] in _LITERALS:
        value = _literal(script.code, script.begins)
        value = _decoded(value, 0) if _is_json(value) else value
    if script.name == "__NUXT_DATA__":
        return _resolved(value, is_legal)
    if script.name == _REACT_ROUTER:
        return _streamed(value)
    if isinstance(value, dict) and _is_json(value.get("body")):  # an answer in SvelteKit
        return _decoded(value["body"], 0)
    return value


_LITERALS = ("'", "{", "[")

# Names of texts that sites repeat on all of their pages, as words: "cookieText", "legal-notice".
_LEGAL = lazy_pattern(
    r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:privacy|terms|cookies?|legal|footer|imprint|consent|"
    r"gdpr|dsgvo|ccpa|disclaimer|datenschutz|impressum|agb|confidentialit|privacidad)"
)


def _titles(page: Page) -> list[str]:
    """Return the titles that a page declares, as words with spaces around them."""
    own = declared.declarations(page)
    return [_spaced(title) for title in (own.title, *own.meta.get("og:title", ())[:1])]


def _spaced(text: str) -> str:
    return f" {' '.join(_folded_words(text))} "


def _own_title(item: Item, titles: Sequence[str]) -> str:
    """Return the title of an object if it is in one of these, else ""."""
    for value in _title_values(item):
        title = _spaced(unescape(value[:500]))
        is_long = len(title) >= _SHORTEST_TITLE and any(title in given for given in titles)
        if is_long or (title.strip() and title in titles):
            return value
    return ""


_TITLE_KEYS = ("headline", "title", "name")
_TEXT_TYPE = re.compile(r"(?:article|posting|question|answer|comment)\Z", re.I)


def _linked_data_texts(items: Iterable[Item], titles: Sequence[str]) -> Iterator[_Text]:
    """Yield the texts of JSON-LD objects about the page."""
    for item in items:
        title = _own_title(item, titles)
        for name in ("description", "transcript", "reviewBody"):
            more = item.get(name)
            if isinstance(more, str):
                yield _Text([more], f"JSON-LD {name}", title, is_for_empty=True)
        for name in ("articleBody", "text"):
            given = item.get(name)
            paragraphs = [given] if isinstance(given, str) else _strings(given)
            if name == "text" and not _TEXT_TYPE.search(str(item.get("@type"))):
                continue
            if paragraphs:
                yield _Text(paragraphs + _answers(item), f"JSON-LD {name}", title)


_HAS_QUESTIONS = lazy_pattern(r"\"@type\"\s*:\s*(?:\[\s*)?\"(?:FAQPage|QAPage)\"")
_LEAST_ANSWERED = 15  # words of questions with their answers


def _questions(items: Iterable[Item]) -> list[str]:
    """Return the questions of a page as headings, with their texts and answers as paragraphs."""
    found: list[str] = []
    for item in items:
        if str(item.get("@type")) != "Question":
            continue
        name, text = item.get("name"), item.get("text")
        answers = _answers(item)
        if answers and isinstance(name, str):
            found.append(f"<h2>{escape(unescape(name), quote=False)}</h2>")
            is_more = isinstance(text, str) and text.strip() != name.strip()
            found += [text, *answers] if is_more and isinstance(text, str) else answers
    return found


def _title_values(item: Item) -> list[str]:
    """Return the titles of an object; WordPress has them as `{"rendered": ...}`."""
    values = [item.get(key) for key in _TITLE_KEYS]
    values = [value.get("rendered") if isinstance(value, dict) else value for value in values]
    headlines = item.get("headlines")  # of Arc
    values += [headlines.get("basic")] if isinstance(headlines, dict) else []
    return [value for value in values if isinstance(value, str) and not _IS_KIND.match(value)]


_IS_KIND = re.compile(r"[a-z][\w-]*/[a-z][\w-]*\Z")  # a name such as "core/paragraph"


def _strings(value: Any) -> list[str]:
    """Return the strings in a list, [] for anything else."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _answers(item: Item) -> list[str]:
    """Return the texts of the answers to a question, the accepted one first."""
    found: list[str] = []
    for name in ("acceptedAnswer", "suggestedAnswer"):
        given = item.get(name)
        for answer in given if isinstance(given, list) else [given]:
            text = answer.get("text") if isinstance(answer, dict) else None
            found += [text] if isinstance(text, str) else []
    return found


def _is_json(value: Any) -> bool:
    return isinstance(value, str) and value[:1] in ("{", "[")


_FLIGHT_ROW = re.compile(r"(?:^|(?<=\n))[\da-f]+:(?:T([\da-f]+),|(?=[\[{\"]))")


def _flight(code: str) -> list[Any]:
    """Return the values of the rows of Next.js: JSON, or texts with their number of bytes."""
    found: list[Any] = []
    at = 0
    while (row := _FLIGHT_ROW.search(code, at)) is not None:
        at = row.end()
        if row[1] is None:
            found.append(_decoded(code, at, once=True))
        else:
            size = int(row[1][:8], 16)
            text = beginning(code[at : at + size], size)
            found.append({"text": text})
            at += len(text)
    return found


def _heading_of_flight(rows: list[Any], titles: Sequence[str]) -> str | None:
    """Return the text of an `<h1>` among the elements of Next.js that is the title of the page."""
    stack: list[Any] = [rows]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            inside = value[3] if value[:2] == ["$", "h1"] and len(value) > _AT_PROPERTIES else None
            heading = inside.get("children") if isinstance(inside, dict) else None
            if isinstance(heading, str) and _own_title({"title": heading}, titles):
                return heading
            stack += value
        elif isinstance(value, dict):
            stack += value.values()
    return None


_SHOWN = frozenset(
    "article section div p h1 h2 h3 h4 h5 h6 ul ol li blockquote a b i em br".split()
)


def _written_rows(rows: list[Any]) -> list[dict[str, str]]:
    """Return the rows of Next.js that have several paragraphs as HTML."""
    found: list[dict[str, str]] = []
    for row in rows:
        with suppress(RecursionError):
            text = _written(row)
            found += [{"html": text}] if _is_html(text) else []
    return found


def _written(value: Any) -> str:
    """Return the elements of Next.js as HTML."""
    if isinstance(value, str):
        return "" if value.startswith("$") else escape(value, quote=False)
    if not isinstance(value, list):
        return ""
    if value[:1] != ["$"]:
        return "".join(map(_written, value))
    name, properties = "".join(map(str, value[1:2])), value[_AT_PROPERTIES:]
    if name in _NOT_SHOWN or not properties or not isinstance(properties[0], dict):
        return ""
    inside = _written(properties[0].get("children"))
    return f"<{name}>{inside}</{name}>" if name in _SHOWN else inside


_NOT_SHOWN = ("footer", "header", "nav", "aside", "script", "style", "title", "form", "button")
_AT_PROPERTIES = 3  # of an element: "$", its name, its key, its properties


def _resolved(value: Any, is_legal: bool) -> Any:
    """Return the state in Nuxt's list, in which values and elements are indices of the list.

    Objects are in their first place alone. Unless the page is a legal text, what is under names of
    such texts is left out. https://github.com/sveltejs/devalue
    """
    if not isinstance(value, list):
        return value
    begun: set[int] = set()
    stack: list[tuple[Any, Any]] = []

    def at(index: Any) -> Any:
        return value[index] if type(index) is int and 0 <= index < len(value) else None

    def placed(index: Any) -> Any:
        one = at(index)
        if isinstance(one, list) and len(one) == _TWO and isinstance(one[0], str):
            index = one[1]  # of a kind, such as ["Reactive", 1]
            one = at(index)
        if isinstance(one, str) or index in begun or not isinstance(one, (dict, list)):
            return one if isinstance(one, str) else None
        begun.add(index)
        copy: Any = type(one)()
        stack.append((copy, one))
        return copy

    root = placed(0)
    while stack:
        copy, one = stack.pop()
        if isinstance(one, list):
            copy.extend(map(placed, one))
        else:
            names = [name for name in one if is_legal or not _LEGAL.search(name)]
            copy.update((name, placed(one[name])) for name in names)
    return root


class _Place(NamedTuple):
    """Where a value is in JSON."""

    title: str  # that of the page, inside an object with it; "" inside one with another title
    group: int  # number of the outermost list in that object, or of the object
    element: int  # number of the element of that list; -1 outside of lists
    key: str  # the name of the value


def _state_texts(value: Any, source: str, titles: Sequence[str], is_legal: bool) -> Iterator[_Text]:
    """Yield the long texts in JSON, except those under legal names on pages that are not legal.

    One text is the strings of one name in one object, or in the elements of one list, however deep:
    a paragraph may be a list of pieces.
    """
    groups: dict[tuple[int, str], list[tuple[_Place, str]]] = {}
    stack: list[tuple[Any, _Place]] = [(value, _Place("", 0, -1, ""))]
    number = 0
    # Objects in a cache of Apollo by name, such as "Post:1", until something refers to them.
    objects: dict[str, Any] | None = None
    while stack:
        value, place = stack.pop()
        if isinstance(value, dict) and isinstance(value.get("__ref"), str):
            value = None if objects is None else objects.pop(value["__ref"], None)
        value = _value_in(value) if isinstance(value, str) else value
        if isinstance(value, str):
            groups.setdefault((place.group, place.key), []).append((place, value))
        elif isinstance(value, dict):
            number += 1
            inside = _place_inside(value, place, number, titles)
            if objects is None:
                objects = _cached_objects(value)
            stack += [
                (one, inside._replace(key=key))
                for key, one in reversed(value.items())
                if is_legal or not _LEGAL.search(key)
            ]
        elif isinstance(value, list):
            number += 1
            if value[:1] == ["$"]:  # an element: its properties
                value = [] if value[1:2] == ["footer"] else value[3:]
            outermost = place.element < 0
            inside = place._replace(group=number, element=0) if outermost else place
            numbered = enumerate(reversed(value), 1 - len(value)) if outermost else ()
            stack += [(one, inside._replace(element=-at)) for at, one in numbered]
            stack += [] if outermost else [(one, inside) for one in reversed(value)]
    for (_, key), pieces in groups.items():
        if sum(len(piece) for _, piece in pieces) > _LEAST_CHARACTERS:
            yield _Text(_joined(pieces), f"{source} {key}".rstrip(), pieces[0][0].title)


def _value_in(text: str) -> Any:
    """Return the value of a long string of JSON, any other string as it is."""
    value = _decoded(text, 0) if len(text) > _LEAST_CHARACTERS and _is_json(text) else None
    return value if isinstance(value, (dict, list)) else text


def _cached_objects(value: Item) -> dict[str, Any] | None:
    """Return the objects in a cache of Apollo; None for other values."""
    named = ((key, one) for key, one in value.items() if ":" in key and isinstance(one, dict))
    return {key: one for key, one in named if "__typename" in one} or None


def _place_inside(item: Item, place: _Place, number: int, titles: Sequence[str]) -> _Place:
    """Return the place of the values of an object."""
    if _title_values(item):  # an object of its own: its texts are not those of the object around it
        return _Place(_own_title(item, titles), number, -1, "")
    return place if place.element >= 0 else place._replace(group=number)


def _joined(pieces: Sequence[tuple[_Place, str]]) -> list[str]:
    """Return one string for each element of a list, with a new line between whole sentences."""
    paragraphs: dict[int, list[str]] = {}
    for place, piece in pieces:
        parts = paragraphs.setdefault(place.element, [])
        if parts and piece[:1].isupper() and parts[-1][-1:].strip():
            parts.append("\n")
        parts.append(piece)
    return ["".join(parts) for parts in paragraphs.values()]


# --- texts in elements ---------------------------------------------------------------------------

_INNER = (
    "iframe[srcdoc]", "template:not([shadowrootmode])", 'script[type="text/html"]',
    'script[type="text/x-template"]', 'meta[itemprop="articleBody"]',
)  # fmt: skip


def _inner_texts(page: Page) -> list[_Text]:
    """Return the texts of an empty page in elements that do not show them as its own."""
    found: list[_Text] = []
    titles = _titles(page)
    for node in islice(page.nodes[0].select(",".join(_INNER)), _MOST_TEXTS):
        if node.tag == "meta":
            title = next((title.strip() for title in titles if title.strip()), "")
            found.append(_Text([node.attr("content") or ""], "microdata articleBody", title, True))
            continue
        if node.tag == "iframe":
            text, source = node.attr("srcdoc") or "", "<iframe srcdoc>"
        elif node.tag == "script":
            text, source = str(getattr(node[0], "data", "")) if len(node) else "", "a template"
        else:
            text, source = node.inner_html, "<template>"
        if len(text) <= _MOST_CHARACTERS and not _PLACEHOLDER.search(text):
            found.append(_Text([text], source, "", is_for_empty=True))
    return found


_PLACEHOLDER = lazy_pattern(
    r"\{\{|<%|\$\{|\bv-(?:if|for|html|text)=|\bng-\w+="
)  # of a template to fill

# --- from strings to HTML ------------------------------------------------------------------------

_TAG = re.compile(
    r"</?(?:p|br|div|h[1-6]|[uo]l|li|blockquote|a|b|i|em|strong|span|figure|img|table|section)"
    r"(?=[\s/>])[^<>]{0,5000}>",
    re.I,
)
_ESCAPED_TAG = re.compile(r"&lt;/?(?:p|br|div|h[1-6]|[uo]l|li|blockquote|span)\b", re.I)
_TWICE_ESCAPED = re.compile(r"&amp;(?!(?:lt|gt|amp|quot);)(?=(?:[a-z]{2,8}|#\d{2,6});)", re.I)
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n\s*")
# Without these, what is left can be written into another page as it is.
_LEFT_OUT = lookup(
    "head title script style template noscript iframe frame object embed applet form button input "
    "textarea select option datalist keygen plaintext xmp listing svg base link meta frameset "
    "noembed noframes marquee dialog canvas audio video portal"
)
_ATTRIBUTES = frozenset(
    "href src srcset alt title lang dir cite datetime start reversed colspan rowspan class".split()
)
_SCRIPT_ADDRESS = re.compile(
    r"[\s\x00-\x1f]*(?:java|vb)script:|[\s\x00-\x1f]*data:(?!image/)", re.I
)


_SENTENCE_END = re.compile(r"[.!?…。！？।؟۔։]['\"”’»)\]」』]*(?:\s|\Z)|[。！？]")


def _is_prose(text: str, number_of_words: int) -> bool:
    """Return whether a text is in sentences, and is not a list of addresses, names or settings."""
    ends = len(_SENTENCE_END.findall(text))
    return ends * _LONGEST_SENTENCE >= number_of_words


class _Markup(NamedTuple):
    html: str
    words: list[str]  # case folded


def _markup(paragraphs: Iterable[str], least: int = _LEAST_WORDS) -> _Markup | None:
    """Return paragraphs as one piece of HTML; None if they have less than `least` words."""
    page = parse("".join(map(_paragraph, paragraphs)))
    if page.body < 0:
        return None
    page = page.without(_LEFT_OUT.take(page.tag))
    blocks = block_texts(page, page.all().keep, page.blocks.of_text).values()
    text = "\n".join(blocks)
    found = _folded_words(text)
    if len(found) < least or not _is_prose(text, len(found)):
        return None

    def attributes(row: int) -> dict[str, str]:
        given = page.attributes(row).items()
        return {
            name: value
            for name, value in given
            if name in _ATTRIBUTES and not _SCRIPT_ADDRESS.match(value)
        }

    html, offsets = write(page, attributes)
    begins = html.index(">", offsets[page.body]) + 1
    return _Markup(html[begins : html.rindex("</body>")], found)


def _paragraph(text: str) -> str:
    """Return a string as HTML: it may be plain text, HTML, or HTML in character references."""
    text = _TWICE_ESCAPED.sub("&", well_formed(text).replace("\r\n", "\n").replace("\r", "\n"))
    if not _TAG.search(text) and _ESCAPED_TAG.search(text):
        text = unescape(text)
    if _TAG.search(text):
        return f"<div>{text}</div>"
    text = unescape(text).strip()
    # Without blank lines, a line is a paragraph.
    has_blank_lines = "\n\n" in text or _BLANK_LINE.search(text)
    lines = _BLANK_LINE.split(text) if has_blank_lines else text.split("\n")
    return "".join(map(_line, filter(str.strip, lines)))


_HEADING = re.compile(r"\s*(#{1,6})[ \t]+(\S[^\n]*)")  # in Markdown
_MARKS = " \t#"  # after one


def _line(line: str) -> str:
    """Return a paragraph of plain text as HTML, a heading of Markdown as one."""
    heading = _HEADING.fullmatch(line)
    if heading is not None:
        name = f"h{len(heading[1])}"
        return f"<{name}>{escape(heading[2].rstrip(_MARKS), quote=False)}</{name}>"
    return "<p>" + escape(line, quote=False).replace("\n", "<br>") + "</p>"


def _folded_words(text: str) -> list[str]:
    return words(text.casefold())


# --- teasers -------------------------------------------------------------------------------------


def _is_empty(page: Page) -> bool:
    """Return whether a page shows next to no text."""
    return int(page.words[~(page.hidden | page.linked)].sum()) <= _NEXT_TO_NONE


def _shingles(text: Sequence[str]) -> list[tuple[str, ...]]:
    return list(zip(*(text[start:] for start in range(_SHINGLE)), strict=False))


# Of a block of a page whose title has no such word.
_NOTICE = lazy_pattern(
    r"\b(?:javascript|cookies?|loading|please wait|copyright|subscribe|log in)\b|©",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Teaser:
    """What a page shows of its text."""

    rows: list[int]  # of the first text of each longer block that is kept
    blocks: list[list[str]]  # the words of each of these blocks
    words: int  # of all kept blocks
    said: list[list[str]]  # the words outside of links of kept blocks that are no notices
    description: list[str]  # the words of the description of the page
    is_empty: bool  # whether the page shows next to no text

    @classmethod
    def of(cls, selection: Selection) -> _Teaser:
        page, of_text = selection.page, selection.page.blocks.of_text
        in_blocks = (selection.keep & (of_text >= 0)).nonzero()[0]
        numbers, first = np.unique(of_text[in_blocks], return_index=True)
        row = dict(zip(numbers.tolist(), page.text_rows[in_blocks[first]].tolist(), strict=True))
        kept = block_texts(page, selection.keep, of_text).items()
        blocks = {row[block]: _folded_words(text) for block, text in kept}
        longer = {row: words for row, words in blocks.items() if len(words) >= _LONGER_BLOCK}
        outside = selection.keep & ~page.linked.take(page.text_rows)
        said = block_texts(page, outside, of_text).values()
        own = declared.declarations(page)
        meta, is_about_notices = own.meta, _NOTICE.search(own.title) is not None
        described = [meta[name][0] for name in ("og:description", "description") if name in meta]
        return cls(
            rows=list(longer),
            blocks=list(longer.values()),
            words=sum(map(len, blocks.values())),
            said=[
                _folded_words(text) for text in said if is_about_notices or not _NOTICE.search(text)
            ],
            description=_folded_words(described[0]) if described else [],
            is_empty=_is_empty(page),
        )

    def row_in(self, text: Sequence[str], title: str) -> int | None:
        """Return the row where the page shows the beginning of a text, None if it does not.

        If the text has the title of the page, what follows may be a long prompt to subscribe.
        """
        first = _first_places(text)
        reaches = [_reach(block, first) for block in self.blocks]
        found = [index for index, reach in enumerate(reaches) if reach]
        if not found:
            return None
        sizes = list(map(len, self.blocks))
        after = sum(sizes[found[-1] + 1 :])
        prompt = after if title and after <= _LONGEST_PROMPT else 0
        share = sum(map(sizes.__getitem__, found)) / (sum(sizes) - prompt)
        is_teaser = (
            share >= _LEAST_SHARE
            and self.words - prompt <= _MUCH_SHORTER * len(text)
            and max(reaches) <= _FIRST_PART * len(text)
        )
        return self.rows[found[0]] if is_teaser else None

    def rows_alike(self, text: Sequence[str], before: int) -> list[int]:
        """Return the rows before another of blocks that say in other words how a text begins."""
        found: list[int] = []
        for row, block in zip(self.rows, self.blocks, strict=True):
            if row < before:
                first = {*text[: _ALIKE_WITHIN * len(block)]}
                if sum(map(first.__contains__, block)) >= _ALIKE * len(block):
                    found.append(row)
        return found

    def may_stand_for(self, text: Sequence[str], title: str) -> bool:
        """Return whether an empty page has this title, or is described by the text's beginning."""
        if not self.is_empty:
            return False
        reach = _reach(self.description, _first_places(text))
        is_of_page = bool(title) or 0 < reach <= _FIRST_PART * len(text)
        return is_of_page and self.says_little_beside(text, _MOST_OF_LEAD)

    def says_little_beside(self, text: Sequence[str], most: int) -> bool:
        """Return whether a page says hardly anything that is not in a text or its description.

        That is at most `most` words, or less than what it says that is in the text.
        """
        known = [(f" {' '.join(one)} ", _first_places(one)) for one in (text, self.description)]
        own = inside = 0
        for block in self.said:
            spaced = f" {' '.join(block)} "
            if any(spaced in whole or _reach(block, first) for whole, first in known):
                inside += len(block)
            else:
                own += len(block)
        return own <= most or own < inside


def _without_blocks(selection: Selection, rows: Sequence[int]) -> Selection:
    """Return a selection without the blocks of these texts."""
    of_text = selection.page.blocks.of_text
    blocks = of_text[selection.page.text_rows.searchsorted(rows)]
    return (
        replace(selection, keep=selection.keep & ~np.isin(of_text, blocks)) if rows else selection
    )


def _first_places(text: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return where each shingle of a text is for the first time."""
    places: dict[tuple[str, ...], int] = {}
    for at, shingle in enumerate(_shingles(text)):
        places.setdefault(shingle, at)
    return places


def _is_shown(page: Page, text: Sequence[str]) -> bool:
    """Return whether a page shows most of a text, wherever."""
    blocks = block_texts(page, ~page.hidden.take(page.text_rows), page.blocks.of_text).values()
    shown = {shingle for block in blocks for shingle in _shingles(_folded_words(block))}
    shingles = _shingles(text)
    return sum(shingle in shown for shingle in shingles) >= _SHOWN_ANYWAY * len(shingles)


def _reach(block: Sequence[str], first: dict[tuple[str, ...], int]) -> int:
    """Return the words of a text up to the end of a block that is in it, 0 if it is not.

    `first` is where each shingle of the text is, as `_first_places` returns it.
    """
    shingles = _shingles(block)
    found = [first[shingle] for shingle in shingles if shingle in first]
    if not found or len(found) < _IN_TEXT * len(shingles):
        return 0
    return found[0] + len(block)


# --- the page with the text ----------------------------------------------------------------------

_HOLDS_ARTICLES = lookup("body div section main article")
_MARK = "data-text-from"


def _put_in(
    selection: Selection, row: int, markup: str, source: str, title: str = ""
) -> DataText | None:
    """Return the page with a text in front of a row, or at the beginning of the body for -1.

    A title is put in front of the text as a heading, which is not kept, as on most pages. None if
    the parser does not find the text there, as in a broken page.
    """
    page = selection.page
    begin = _child_of_container(page, row) if row >= 0 else _first_child(page)
    at = _offset(page, begin) if begin < len(page) else len(page.source)
    if at < 0:
        return None
    heading = f"<h1>{escape(unescape(title))}</h1>" if title else ""
    article = f'{heading}<article {_MARK}="{escape(source)}">{markup}</article>'
    rows, depth, output = page.limits
    html = page.source[:at] + article + page.source[at:]
    new = parse(html, url=page.url, limits=Limits(rows=rows, depth=depth, output=output))
    if not np.array_equal(new.tag[:begin], page.tag[:begin]):
        return None
    articles = (new.tag == NUMBER["article"]).nonzero()[0].tolist()
    found = next((row for row in articles if _MARK in new.attributes(row)), None)
    if found is None:
        return None
    keep = np.zeros(len(new.text_rows), np.bool_)
    before = int(page.text_rows.searchsorted(begin))
    keep[:before] = selection.keep[:before]
    keep[slice(*new.text_span(found))] = True
    same = replace(new, charset=page.charset, status=page.status)
    same.prefill(nodes=new.nodes)
    return DataText(Selection(same, keep), source)


def _offset(page: Page, row: int) -> int:
    """Return the offset in the source of a row, -1 if it has none."""
    return int(page.text_offsets[row] if page.tag[row] == 0 else page.offsets[row])


def _child_of_container(page: Page, row: int) -> int:
    """Return the nearest row around a row that is in a container and has an offset."""
    while page.parent[row] > page.body and (
        not _HOLDS_ARTICLES[page.tag[page.parent[row]]] or _offset(page, row) < 0
    ):
        row = int(page.parent[row])
    return row


def _first_child(page: Page) -> int:
    """Return the row of the first element in the body, one past the last row if there is none."""
    inside = np.arange(page.body + 1, page.end[page.body])
    found = inside[(page.parent[inside] == page.body) & (page.offsets[inside] >= 0)]
    return int(found[0]) if len(found) else len(page)
