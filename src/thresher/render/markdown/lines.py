"""One line of the normal form as Markdown: escapes, emphasis, links, images, code.

Emphasis is written as `*`, `**` and `~~` where CommonMark reads it back, and as HTML tags where it
would not (https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run).
"""

from __future__ import annotations

import re
import unicodedata

from thresher.render.compiled import use_compiled
from thresher.render.footnotes import is_reference
from thresher.render.scan import character_table, has_any
from thresher.render.tree import Element, Node, Text

_DELIMITERS = {"em": "*", "strong": "**", "del": "~~"}
_TAGS = frozenset({"mark", "sub", "sup", "kbd", "ins"})  # written as HTML
# What Markdown would read as markup. `*` and `~` between spaces, one `_` within a word, `~` before
# a number and `<` or `&` that begin nothing are left as they are.
_SPECIAL = (
    r"(?:(?<=\\)(?=[!-/:-@\[-`{-~]|$)|(?<=`)|(?<=\*)(?:(?<! \*)|(?! ))"
    r"|(?<=_)(?:(?<![^\W_]_)|(?![^\W_]))|(?<=~)(?:(?<! ~)|(?![\d ]))|(?<=&)(?=#?\w+;)"
)
# A bracket is left as it is if nothing after its mate makes a link, a note or an address of both.
# One that closes is not if it could end a link that begins in a formula.
_PLAIN = re.compile(  # a set of characters first, which is found fast
    r"[\\`\[\]*_~&]" + _SPECIAL + r"|(?<=\[)(?!(?!\^)[^\[\]\\]*\][^\[(:])|(?<=\])(?=\())"
)
_BRACKETED = re.compile(r"[\\`\[\]*_~&]" + _SPECIAL + r"|(?<=[\[\]]))")
# A reference that renderers would read in an address: `javascript&colon;x` must stay what it is.
_REFERENCE = re.compile(r"&(?=#?\w++;)")
# A space that may break, and another, with all spaces around them. Tried once in each run of them.
_SPACES = re.compile("(?<![ \u00a0])(?: ++\u00a0|\u00a0++ )[ \u00a0]*+")
# What HTML would read as a tag, now or with the text after it. It is written as an entity: not all
# renderers know `\<`.
_TAG_START = re.compile(r"<(?=[a-zA-Z/!?]|\Z)")
_MAY_BE_SPECIAL = character_table("\\`[]*_~<&$|")  # most texts have none of these
# What Markdown would read as a block at the start of a line.
_AT_START = re.compile(
    r"\A(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|-+\s*$|=+\s*$|>|\||:(?:[\s-]|$)|\[[ xX]\](?:\s|$))"
)
_MAY_START_BLOCK = frozenset("#-+=>|:[0123456789")
_NUMBER_AT_START = re.compile(r"\A(\d{1,9})(?=[.)](?:\s|$))")
_BACKTICKS = re.compile(r"`+")
_UNSAFE_IN_URL = re.compile(r"[\s<>\\()|`]")
_MAY_BE_UNSAFE = character_table("".join(filter(_UNSAFE_IN_URL.match, map(chr, range(128)))))
_TAG_IN_TEX = re.compile(r"<(?=[a-zA-Z/!?])")
# Round brackets that CommonMark surely reads as part of an address: at most two levels.
_BALANCED = re.compile(r"[^()]*+(?:\([^()]*+(?:\([^()]*+\)[^()]*+)*+\)[^()]*+)*+")
_UNSAFE_IN_TITLE = re.compile(r"\\|&(?=#?\w{1,32};)")
_AUTOLINK = re.compile(r"https?://[^\s<>`\[\]]+")  # some renderers look for brackets first
_MAY_FOLLOW_BRACKET = frozenset("(:")
# After a word, delimiters before these open nothing: no-break spaces, and the end of a clause.
_BEFORE_EMPHASIS = frozenset("\u00a0:,.;!?)")
_BEGINNING = re.compile("(?:\u00a0[ \u00a0]*|[:,.;!?)]{1,3}[ \u00a0]+)(?=[^ \u00a0])")
_MARKS = frozenset(":,.;!?()'\"… \u00a0")


class _Delimiter:
    """The begin or end of emphasis, written once the characters around it are known."""

    __slots__ = ("as_html", "mate", "opens", "tag")

    def __init__(self, tag: str, opens: bool) -> None:
        self.tag = tag
        self.opens = opens
        self.mate: _Delimiter | None = None
        self.as_html = False

    def __str__(self) -> str:
        if self.as_html:
            return f"<{'' if self.opens else '/'}{self.tag}>"
        return _DELIMITERS[self.tag]


class LineWriter:
    """Writes lines of Markdown.

    `references` collects the labels of footnotes, in order.
    """

    __slots__ = ("bold", "in_cell", "line_break", "references", "starts_block")

    def __init__(
        self,
        references: list[str],
        *,
        line_break: str = "\\\n",
        in_cell: bool = False,
        bold: bool = False,
        starts_block: bool = True,
    ) -> None:
        self.references = references
        self.line_break = line_break
        self.in_cell = in_cell  # `|` is escaped
        self.bold = bold  # the whole line is strong
        self.starts_block = starts_block  # else it stands after the mark of a heading or a cell

    def write(self, nodes: list[Node]) -> str:
        """Return the Markdown of one line."""
        first = nodes[0] if len(nodes) == 1 else None
        if isinstance(first, Text) and not self.bold:
            words = first
            text = words.data
            if has_any(text, _MAY_BE_SPECIAL):
                text = without_lone_escapes(self._escape(f"{text}\n", False, False)[:-1])
            text = _escape_start(text) if self.starts_block else text
        else:
            text = self._write_nodes(nodes)
        if "\u00a0" not in text:
            return text
        if " \u00a0" in text or "\u00a0 " in text:
            text = _SPACES.sub(" ", text)
        return text.strip("\u00a0 ")

    def _write_nodes(self, nodes: list[Node]) -> str:
        items: list[str | _Delimiter] = []
        open_elements: list[tuple[Element, _Delimiter | None]] = []
        links = 0  # how many are open
        has_delimiters = False
        dollars = None  # whether one of the nodes is a formula; not known yet
        stack: list[Node | None] = [*reversed(nodes)]
        whole = _Delimiter("strong", True)
        if self.bold:
            items.append(whole)
        while stack:
            node = stack.pop()
            if node is None:
                element, delimiter = open_elements.pop()
                links -= element.tag == "a"
                self._end(element, delimiter, items)
            elif isinstance(node, Text):
                words = node
                if dollars is None and "$" in words.data:
                    dollars = _have_formula(nodes)
                text = self._escape(words.data, links > 0, bool(dollars))
                text = _escape_after_bracket(items, text)
                if text[:1] in _BEFORE_EMPHASIS and items and isinstance(items[-1], _Delimiter):
                    text = _part_beginning(items, text)
                is_start = self.starts_block and _is_at_start(items)
                items.append(_escape_start(text) if is_start else text)
            else:
                element = node
                leaf = self._leaf(element)
                if leaf is not None:
                    _escape_before(items, leaf)
                    items.append(leaf)
                    continue
                links += element.tag == "a"
                delimiter = self._begin(element, items)
                has_delimiters = has_delimiters or delimiter is not None
                open_elements.append((element, delimiter))
                stack.append(None)
                stack += element.children[::-1]
        if self.bold:
            _close(items, whole)  # it may stand after a space
        if self.bold or has_delimiters:
            _choose_delimiters(items)
            return "".join([item if isinstance(item, str) else str(item) for item in items])
        return "".join(items)  # type: ignore[arg-type]  # all of them are texts

    def _leaf(self, node: Element) -> str | None:
        """Return the Markdown of an element that is written in one step; None for the others."""
        tag = node.tag
        if tag == "br":
            return self.line_break
        if tag == "img":
            alt = self._escape(node.attr("alt") or "", True, False)
            return f"![{alt}]({self._target(node, 'src')})"
        if tag == "input":
            return "[ ]" if node.attr("checked") is None else "[x]"
        if tag == "code":
            return self._escape_pipes(_code(node.text))
        if tag == "span":
            return self._escape_pipes(_tex(node.text))
        if tag == "sup" and is_reference(node):
            self.references.append(node.text)
            return f"[^{node.text}]"
        if tag == "a":
            address = node.attr("href") or ""
            is_whole = len(node.children) == 1 and node.text == address
            if is_whole and _AUTOLINK.fullmatch(address):
                return f"<{self._escape_pipes(address)}>"
        return None

    def _begin(self, node: Element, items: list[str | _Delimiter]) -> _Delimiter | None:
        tag = node.tag
        if (
            tag in _DELIMITERS
            and not (tag == "strong" and self.bold)
            and not _is_image(node)
            and not (tag != "del" and _is_mark(node))
        ):
            delimiter = _Delimiter(tag, True)
            items.append(delimiter)
            return delimiter
        if tag in _TAGS:
            items.append(f"<{tag}>")
        elif tag == "q":
            items.append('"')
        elif tag == "a":
            _escape_exclamation(items)
            items.append("[")
        return None

    def _end(
        self, node: Element, delimiter: _Delimiter | None, items: list[str | _Delimiter]
    ) -> None:
        tag = node.tag
        if delimiter is not None:
            last = items[-1]
            if isinstance(last, str) and last.endswith("\u00a0"):  # after it, nothing is closed
                items[-1] = last.rstrip("\u00a0")
                _close(items, delimiter)
                items.append("\u00a0")
            else:
                _close(items, delimiter)
        elif tag in _TAGS:
            items.append(f"</{tag}>")
        elif tag == "q":
            items.append('"')
        elif tag == "a":
            items.append(f"]({self._target(node, 'href')})")

    def _target(self, node: Element, name: str) -> str:
        """Return a URL and a title as they stand between the round brackets."""
        url = node.attr(name) or ""
        may_be_unsafe = not url.isascii() or has_any(url, _MAY_BE_UNSAFE)  # a faster test
        if may_be_unsafe and _UNSAFE_IN_URL.search(url) is not None:
            url = re.sub(r"\s", "%20", url)
            url = url.replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C")
            url = url.replace("`", "%60")  # some renderers look for code first
            if _BALANCED.fullmatch(url) is None:
                url = url.replace("(", "%28").replace(")", "%29")
        if "&" in url:
            url = _REFERENCE.sub("&amp;", url)
        title = node.attr("title")
        if title and not _repeats(title, node.attr("alt") if name == "src" else node.text):
            escaped = _UNSAFE_IN_TITLE.sub(r"\\\g<0>", title).replace("<", "&lt;")
            escaped = escaped.replace('"', "&quot;")  # not all renderers know `\\"`
            url = f'{url} "{escaped}"'
        return self._escape_pipes(url)

    def _escape(self, text: str, bracketed: bool, dollars: bool) -> str:
        if not has_any(text, _MAY_BE_SPECIAL):
            return text
        escaped = (_BRACKETED if bracketed else _PLAIN).sub(r"\\\g<0>", text)
        if "<" in escaped:
            escaped = _TAG_START.sub("&lt;", escaped)
        return self._escape_pipes(escaped.replace("$", "\\$") if dollars else escaped)

    def _escape_pipes(self, text: str) -> str:
        return text.replace("|", "\\|") if self.in_cell else text


def _repeats(title: str, text: str | None) -> bool:
    """Return whether a title says no more than the text that it belongs to, or holds all of it."""
    said, shown = title.casefold().strip(), (text or "").casefold().strip()
    return bool(shown) and (said in shown or shown in said)


def without_lone_escapes(text: str) -> str:
    """Return the Markdown of a text without the backslash of a mark that has no second one in it.

    A star before a space may be the mark of an item.
    """
    for mark in "*_~`" if "\\" in text else "":
        if text.count(mark) == 1 and not text.startswith("\\* "):
            text = text.replace(f"\\{mark}", mark)
    return text


def _is_image(node: Element) -> bool:
    """Return whether an element holds one image, perhaps in a link, and nothing else."""
    while len(node.children) == 1 and isinstance(child := node.children[0], Element):
        if child.tag == "img":
            return True
        node = child
    return False


def _is_mark(node: Element) -> bool:
    """Return whether an element holds nothing but a few punctuation marks."""
    only = node.children[0] if len(node.children) == 1 else None
    if not isinstance(only, Text) or len(only.data) > _MOST_MARKS:
        return False
    return _MARKS.issuperset(only.data)


_MOST_MARKS = 3


def _have_formula(nodes: list[Node]) -> bool:
    """Return whether one of the nodes is a formula or holds one."""
    stack = [node for node in nodes if isinstance(node, Element)]
    while stack:
        element = stack.pop()
        if element.tag == "span":
            return True
        for child in element.children:
            if isinstance(child, Element):
                stack.append(child)  # noqa: PERF401
    return False


def _tex(text: str) -> str:
    """Return a formula as it is, except where Markdown would read a tag, a link or code in it.

    Spaces mean nothing in a formula, and TeX shows a backtick as the quotation mark.
    """
    return _TAG_IN_TEX.sub(r"\\lt ", text).replace("](", "] (").replace("`", "\u2018")


def _code(text: str) -> str:
    """Return code between more backticks than it holds in a row."""
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _is_at_start(items: list[str | _Delimiter]) -> bool:
    """Return whether the next text begins a line of Markdown."""
    return not items or (isinstance(items[-1], str) and items[-1].endswith("\n"))


def _escape_exclamation(items: list[str | _Delimiter]) -> None:
    """Escape a `!` at the end, which would make an image of the link after it."""
    last = items[-1] if items else ""
    if isinstance(last, str) and last.endswith("!"):
        items[-1] = f"{last[:-1]}\\!"


def _escape_before(items: list[str | _Delimiter], leaf: str) -> None:
    """Escape or part what would change the meaning of the Markdown of an element after it."""
    if leaf[:1] == "[":
        _escape_exclamation(items)
    elif leaf[:1] == "`" and items and str(items[-1])[:1] == "`":
        items.append(" ")  # or the backticks of both would be one run


def _escape_after_bracket(items: list[str | _Delimiter], text: str) -> str:
    """Escape a text that would make a link, or the address of links, of a reference before it."""
    if text[:1] not in _MAY_FOLLOW_BRACKET or not items:
        return text
    last = items[-1]
    if not isinstance(last, str) or not last.endswith("]"):
        return text
    is_first = len(items) == 1 or str(items[-2]).endswith("\n")
    return f"\\{text}" if text[0] == "(" or is_first else text


def _part_beginning(items: list[str | _Delimiter], text: str) -> str:
    """Put what emphasis should not begin with in front of its delimiters, after a text."""
    at = len(items)
    while at and isinstance(delimiter := items[at - 1], _Delimiter) and delimiter.opens:
        at -= 1
    begin = _BEGINNING.match(text)
    if begin is None or at == len(items) or (at == 0 and text[0] != "\u00a0"):
        return text
    items.insert(at, begin[0])
    return text[begin.end() :]


def _escape_start(text: str) -> str:
    """Escape what would begin a block."""
    if text[:1] not in _MAY_START_BLOCK:
        return text
    return _NUMBER_AT_START.sub(r"\1\\", _AT_START.sub(r"\\", text))


def _close(items: list[str | _Delimiter], opening: _Delimiter) -> None:
    closing = _Delimiter(opening.tag, False)
    opening.mate, closing.mate = closing, opening
    items.append(closing)


def _choose_delimiters(items: list[str | _Delimiter]) -> None:
    """Choose HTML tags where delimiters would not be read back as emphasis."""
    runs: dict[_Delimiter, list[_Delimiter]] = {}
    to_html: list[_Delimiter] = []
    before, index = "", 0
    while index < len(items):
        item = items[index]
        if isinstance(item, str):
            before = item[-1:] or before
            index += 1
            continue
        run: list[_Delimiter] = []
        while index < len(items) and isinstance(delimiter := items[index], _Delimiter):
            run.append(delimiter)
            runs[delimiter] = run
            index += 1
        after = str(items[index])[:1] if index < len(items) else ""
        if not _reads_back(run, before, after):
            to_html += run
    while to_html:  # a tag in a run makes the whole run tags, and their mates
        delimiter = to_html.pop()
        if not delimiter.as_html:
            delimiter.as_html = True
            to_html += runs[delimiter]
            if delimiter.mate is not None:
                to_html.append(delimiter.mate)


def _reads_back(run: list[_Delimiter], before: str, after: str) -> bool:
    """Return whether CommonMark reads a run of delimiters between two characters as emphasis.

    The run must only open or only close emphasis.
    """
    opens = run[0].opens
    for delimiter in run:
        if delimiter.opens != opens:
            return False
    inner, outer = (after, before) if opens else (before, after)
    if not inner or inner.isspace():
        return False
    return not _is_punctuation(inner) or not outer or outer.isspace() or _is_punctuation(outer)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


use_compiled(globals(), "LineWriter")
