"""Random pages for tests, and the textbook definition of a page's columns.

`well_formed` is HTML with every tag written and nothing misnested, for which `html.parser` with a
stack gives the same tree as a browser: `slow_rows` is that walk. `soup` is any other HTML.
"""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from html.parser import HTMLParser

from hypothesis import strategies as st

from thresher import Page
from thresher.page.tags import BLOCK, LAST_ID, NUMBER

SPACE = " \t\n\f\r"
VOID = {"br", "img", "hr", "wbr", "meta", "link", "base", "input", "col"}
HIDING = set(
    "head title script style template noscript noembed noframes iframe object video audio canvas "
    "datalist rp annotation annotation-xml desc metadata defs".split()
)
CODE = {"script", "style"}


# --- the slow walk -------------------------------------------------------------------------------


@dataclass
class Row:
    name: str
    parent: int
    level: int
    offset: int
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    end: int = -1
    linked: bool = False
    hidden: bool = False
    start_tag: int = 0
    end_tag: int = 0
    chars: int = 0  # set by `count_characters`

    @property
    def words(self) -> int:
        return len(slow_words(self.text))


def collapsed(text: str) -> str:
    return re.sub(f"[{SPACE}]+", " ", text).strip(" ")


def unspaced(character: str) -> bool:
    """Return whether a letter is of Han, Kana, Thai, Lao, Khmer or Myanmar, by its code point."""
    code = ord(character)
    return character.isalnum() and any(
        first <= code <= last
        for first, last in (
            (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0xA9E0, 0xA9FF),
            (0xAA60, 0xAA7F), (0x3005, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B),
            (0x3040, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F), (0x3400, 0x4DBF),
            (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x1B000, 0x1B16F), (0x20000, 0x3FFFF),
        )
    )  # fmt: skip


def slow_words(text: str) -> list[str]:
    """Return the words, character by character: a run of letters, digits and `_`, or a single.

    Combining marks and the joiner belong to the word that they follow.
    """
    found: list[str] = []
    last = ""  # kind of the word that may continue
    for character in text:
        if unicodedata.category(character).startswith("M") or character == "\u200d":
            found[-1:] = [found[-1] + character] if last else found[-1:]
        elif unspaced(character):
            found.append(character)
            last = "single"
        elif character.isalnum() or character == "_":
            found[-1:] = [found[-1] + character] if last == "run" else [*found[-1:], character]
            last = "run"
        else:
            last = ""
    return found


def hides(name: str, attributes: dict[str, str]) -> bool:
    if name == "template" and "shadowrootmode" in attributes:
        return False
    style = re.sub(r"\s", "", attributes.get("style", "").lower())
    declared = style.split(";")
    return (
        name in HIDING
        or "hidden" in attributes
        or (name == "dialog" and "open" not in attributes)
        or "display:none" in declared
        or "visibility:hidden" in declared
        or "visibility:collapse" in declared
    )


def count_characters(rows: list[Row]) -> None:
    """Set `chars`: each text without outer white space, and the spaces between texts of a run."""
    before: Row | None = None  # the text before, if nothing has interrupted the run
    space: Row | None = None  # the text that a space since then belongs to
    closing = {row.end for row in rows if breaks_run(row.name)}
    for number, row in enumerate(rows):
        if breaks_run(row.name) or number in closing:
            before = space = None
        if row.name != "#text" or rows[row.parent].name in CODE or not row.text:
            continue
        row.chars = len(collapsed(row.text))
        if not row.chars:
            space = space or before
            continue
        if before is not None and (space or row.text[0] in SPACE):
            (space or row).chars += 1
        before, space = row, row if row.text[-1] in SPACE else None


def breaks_run(name: str) -> bool:
    return name == "br" or bool(BLOCK[NUMBER.get(name, LAST_ID)] and name != "#text")


class _Walk(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.starts = [0, *(m.end() for m in re.finditer("\n", source))]
        self.source = source
        self.rows: list[Row] = []
        self.open: list[int] = []
        self.tokens: list[tuple[str, int]] = []  # ("start" | "end" | "word", row)
        self.joins = False  # the next text continues the last row
        self.feed(source)
        self.close()
        for row in self.rows:
            row.end = row.end if row.end >= 0 else len(self.rows)
        count_characters(self.rows)

    def here(self) -> int:
        line, column = self.getpos()
        return self.starts[line - 1] + column

    def add(self, name: str, attributes: dict[str, str]) -> Row:
        parent = self.open[-1] if self.open else -1
        above = self.rows[parent] if parent >= 0 else None
        row = Row(name, parent, above.level + 1 if above else 0, self.here(), attributes)
        is_link = name == "a" and "href" in attributes
        row.linked = (above is not None and above.linked) or is_link
        row.hidden = (above is not None and above.hidden) or hides(name, attributes)
        self.rows.append(row)
        return row

    def handle_starttag(self, tag, attrs):
        self.flush()
        row = self.add(tag, {name: value or "" for name, value in attrs})
        row.start_tag = len(self.get_starttag_text() or "")
        number = len(self.rows) - 1
        if tag not in CODE:
            self.tokens.append(("start", number))
        if tag in VOID:
            row.end = number + 1
        else:
            self.open.append(number)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)
            self.rows[-1].end_tag = 0

    def handle_endtag(self, tag):
        self.flush()
        number = self.open.pop()
        assert self.rows[number].name == tag, "the page is not well formed"
        self.rows[number].end = len(self.rows)
        at = self.here()
        self.rows[number].end_tag = self.source.find(">", at) + 1 - at
        if tag not in CODE:
            self.tokens.append(("end", number))

    def handle_data(self, data):
        if not self.open:  # white space around <html>
            return
        if not self.joins:
            row = self.add("#text", {})
            row.end = len(self.rows)
        self.rows[-1].text += data
        self.joins = True

    def handle_comment(self, data):
        self.flush()

    def flush(self) -> None:
        """End the current text: the next one is another row."""
        if self.joins and self.rows[self.rows[-1].parent].name not in CODE:
            count = len(slow_words(self.rows[-1].text))
            self.tokens += [("word", len(self.rows) - 1)] * count
        self.joins = False


def slow_rows(source: str) -> list[Row]:
    """Return the rows of a well-formed page, made with `html.parser` and a stack."""
    rows = _Walk(source).rows
    for row in rows:
        if row.name == "#text" and rows[row.parent].name in CODE:
            row.text = ""
    return rows


def slow_tokens(source: str) -> list[tuple[str, int]]:
    """Return start tags, end tags and words with their rows, in order of the source."""
    return _Walk(source).tokens


def written_offset(source: str, row: Row) -> int:
    """Return the offset of a row: of its tag, or of the first solid character of its text."""
    if row.name != "#text":
        return row.offset
    return re.compile(f"[{SPACE}]*").match(source, row.offset).end()


def line_and_column(source: str, offset: int) -> tuple[int, int]:
    starts = [0, *(m.end() for m in re.finditer("\n", source))]
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1]


# --- laws ----------------------------------------------------------------------------------------


def check_nesting(page: Page) -> None:
    """Assert that rows nest and counts fit, as on every page."""
    size = len(page)
    end, parent, level = page.end.tolist(), page.parent.tolist(), page.level.tolist()
    for row in range(size):
        assert row < end[row] <= size
        if row == 0:
            assert (parent[row], level[row], end[row]) == (-1, 0, size)
            continue
        above = parent[row]
        assert 0 <= above < row
        assert end[row] <= end[above]
        assert level[row] == level[above] + 1
    open_rows: list[int] = []
    for row in range(size):  # the parent is the innermost row that is still open
        while open_rows and end[open_rows[-1]] <= row:
            open_rows.pop()
        assert parent[row] == (open_rows[-1] if open_rows else -1)
        open_rows.append(row)
    is_text = page.tag == 0
    assert (page.end[is_text] == page.text_rows + 1).all()
    assert not page.chars[~is_text].any()
    assert not page.words[~is_text].any()
    assert (page.words <= page.chars).all()
    assert len(page.texts) == len(page.text_rows)


COLUMNS = ("tag", "end", "parent", "level", "chars", "words", "linked", "hidden")


def columns_of(page: Page) -> dict[str, list[int]]:
    return {name: getattr(page, name).tolist() for name in COLUMNS}


# --- random pages --------------------------------------------------------------------------------

_WORDS = (
    "tea", "steep", "Boil", "three", "x", "42", "snake_case", "naïve", "Tee-Ei", "чай", "τσάι",
    "茶", "お茶をどうぞ", "ชา", "شاي", "חליטה", "e\u0301", "𝔱𝔢𝔞", "🍵", "\u00a0", "\u200b",
    "\u3000", "\u2028", "...", ">", "]]>", "'", '"', "-->", "=", "/", "&amp;", "&lt;b&gt;",
    "&eacute;", "&nbsp;", "&#x1F375;", "&#151;", "&copy", "&bogus;", "& ", "&#38;#38;",
)  # fmt: skip
_SPACES = ("", " ", " ", "\n", "  \n\t ", "\f")

texts = st.lists(
    st.tuples(st.sampled_from(_WORDS), st.sampled_from(_SPACES)), min_size=1, max_size=6
).map(lambda parts: "".join(word + space for word, space in parts))
_attributes = st.sampled_from(
    ["", "", "", "", ' class="a b"', " id=x", " title='a > b'", ' data-x="<p>"', " hidden",
     "\n  lang='en'", ' style="display:none"', " STYLE='color: red; Visibility : HIDDEN'",
     ' style="display:block"',
     ' title="&quot;é&quot;"', ' hidden="until-found"', " aria-hidden=true"]
)  # fmt: skip

_PHRASING = "span a b i em code font sub q my-word svg select".split()
_FLOW = (
    "div div p p h2 ul ol dl table pre blockquote figure section article form dialog my-card"
).split()
_OWN = {
    "ul": ["li"], "ol": ["li"], "table": ["tbody", "thead", "caption"], "tbody": ["tr"],
    "thead": ["tr"], "tr": ["td", "th"], "dl": ["dt", "dd"], "select": ["option"], "option": [],
    "svg": ["g"], "g": ["g"],
}  # fmt: skip
_PHRASING_ONLY = {"p", "h2", "pre", "q", "code", "caption"}
_LEAVES = (
    "<br>", "<br/>", "<img src=a.png alt='tea'>", "<hr>", "<wbr>", "<!-- a <p>comment</p> -->",
    "<!---->", "<script>if (a < b) document.write('<p>tea</p>');</script>",
    "<style>p > a { color: red }</style>", "<script>1</SCRIPT>", "<STYLE>p</style >",
    "<template><p>later <b>on</b></p> tea</template>", "<noscript><p>no script</p></noscript>",
    '<template shadowrootmode="open"><i>shadow</i></template>', "<iframe>frame</iframe>",
    "<textarea>area</textarea>", "<input value='x'>", "<object>fallback</object>",
    "<script></script>",
)  # fmt: skip
_ANYWHERE = tuple(leaf for leaf in _LEAVES if leaf.startswith(("<br", "<img", "<wbr", "<!--")))
_IN_STRUCTURE = ("<!-- a <p>comment</p> -->", "<script>1 < 2</script>", " ", "\n  ")

_steps = st.lists(
    st.one_of(
        st.tuples(st.just("open"), st.integers(0, 30), _attributes),
        st.tuples(st.just("open"), st.integers(0, 30), _attributes),
        st.tuples(st.just("text"), texts, st.none()),
        st.tuples(st.just("text"), texts, st.none()),
        st.tuples(st.just("space"), st.sampled_from(_SPACES[1:]), st.none()),
        st.tuples(st.just("leaf"), st.integers(0, 30), st.none()),
        st.tuples(st.just("close"), st.none(), st.none()),
        st.tuples(st.just("close"), st.none(), st.none()),
    ),
    max_size=40,
)


class _Writer:
    """Writes steps as HTML; leaves out steps that would not be well formed there."""

    def __init__(self, start: str) -> None:
        self.pieces = [start]
        self.open: list[tuple[str, str]] = [("body", "flow")]

    def may_open(self) -> list[str]:
        name, model = self.open[-1]
        if name in _OWN:
            return _OWN[name]
        choices = _PHRASING if model == "phrasing" else [*_FLOW, *_PHRASING]
        names = {name for name, _ in self.open}
        once = {"a", "form", "dialog", "q", "h2"} & names
        return [name for name in choices if name not in once]

    def step(self, kind: str, value, attributes) -> None:
        name, model = self.open[-1]
        if kind == "open" and (choices := self.may_open()):
            chosen = choices[value % len(choices)]
            inner = "phrasing" if model == "phrasing" or chosen in _PHRASING_ONLY else "flow"
            self.pieces.append(f"<{chosen}{attributes}>")
            self.open.append((chosen, inner))
        elif kind == "close" and len(self.open) > 1:
            self.pieces.append(f"</{self.open.pop()[0]}>")
        elif (kind == "space" and name not in ("svg", "g")) or (
            kind == "text" and (name not in _OWN or name == "option")
        ):
            self.add_text(value)
        elif kind == "leaf":
            leaves = () if name in ("svg", "g", "option", "select") else _IN_STRUCTURE
            if name not in _OWN:
                leaves = _ANYWHERE if name == "pre" or model == "phrasing" else _LEAVES
            if leaves:
                self.pieces.append(leaves[value % len(leaves)])

    def add_text(self, text: str) -> None:
        if self.open[-1][0] == "pre" and text.startswith("\n"):
            text = "x" + text  # the first line break in <pre> is no text
        self.pieces.append(text)

    def finish(self, end: str) -> str:
        while len(self.open) > 1:
            self.step("close", None, None)
        return "".join((*self.pieces, end))


def _write(head: tuple[str, str, str], steps) -> str:
    doctype, title, between = head
    writer = _Writer(f"{doctype}<html><head><title>{title}</title></head>{between}<body>")
    for step in steps:
        writer.step(*step)
    return writer.finish("</body></html>")


well_formed = st.builds(
    _write,
    st.tuples(
        st.sampled_from(["", "<!DOCTYPE html>", "<!doctype html>\n\n"]),
        st.sampled_from(["Tea", "Tea &amp; time", "茶 | чай"]),
        st.sampled_from(["", "\n", " <!-- c -->\n"]),
    ),
    _steps,
)

_names = st.sampled_from(
    "html head body title base frameset frame div p a b i em nobr font span h1 ul ol li dl dd "
    "table tbody tr td th caption colgroup col select option optgroup button form textarea pre "
    "listing script style template svg math mi mtext annotation-xml foreignObject desc title br hr "
    "img input iframe noscript noframes plaintext xmp ruby rt rp object marquee dialog "
    "details summary my-tag x-y:z".split()
)
_bits = st.one_of(
    st.builds("<{}{}>".format, _names, _attributes),
    st.builds("</{}>".format, _names),
    st.builds("<{}/>".format, _names),
    st.sampled_from(_WORDS),
    st.sampled_from(_SPACES),
    texts,
    st.sampled_from(
        ["<", "<<", "</", "<!", "<?php x ?>", "<!-->", "<!--->", "<!-- x", "<!-- > -->", "--!>",
         "<![CDATA[x]]>", "<![CDATA[ <b> ", "]]>", "<!DOCTYPE x>", '<p title="', "<a href='x\">",
         '<p a=">">', "<a b=c'd>", "</ p>", "<p / id = x>", "\0", "\r", "\r\n", "\ufffd", "\udc80",
         "<script><!--<script>", "</script", "&#0;", "&#xD800;", "&#x110000;", "&NotEqualTilde;",
         "<SCRIPT>x</SCRIPT>", "<script>x</SCRIPT>", "<p =x>", "<p x=>", "<1>", "<é>", "<a\x0bb>"]
    ),
)  # fmt: skip
soup = st.one_of(
    st.lists(_bits, max_size=40).map("".join),
    st.text(max_size=60),
    st.text(alphabet="<>/!-='\"abp &;#\n\0", max_size=80),
).filter(lambda text: not text.lstrip().startswith(("{", "[", '"', "null")))  # JSON is no page
