"""The compiled version of `lines`, which documents what is done and why.

Classes and functions have the same names there. Patterns are tried only on texts in which one
reading of the characters finds what they may match.
"""

import re

from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from thresher.render._tree cimport Element, Text

from thresher.render.footnotes import is_reference
from thresher.render.markdown import lines

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    bint PyUnicode_IS_ASCII(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_READ_CHAR(object text, Py_ssize_t index)

ctypedef fused code_point:
    uint8_t
    uint16_t
    uint32_t

cdef enum:  # what a text has
    MARKS = 1  # characters of the patterns that escape, but for `&`
    AMPERSAND = 2
    TAG = 4
    DOLLAR = 8
    UNSAFE = 16  # in an address
    SEMICOLON = 32

cdef uint8_t[128] BITS
for _number in range(128):
    BITS[_number] = (
        MARKS * (chr(_number) in "\\`[]*_~|") + AMPERSAND * (_number == 38) + TAG * (_number == 60)
        + DOLLAR * (_number == 36) + SEMICOLON * (_number == 59)
        + UNSAFE * (lines._UNSAFE_IN_URL.match(chr(_number)) is not None)
    )

cdef dict DELIMITERS = lines._DELIMITERS
cdef frozenset TAGS = lines._TAGS
cdef object PLAIN = lines._PLAIN.sub, BRACKETED = lines._BRACKETED.sub
cdef object REFERENCE = lines._REFERENCE.sub, SPACES = lines._SPACES.sub
cdef object TAG_START = lines._TAG_START.sub, AT_START = lines._AT_START.sub
cdef object NUMBER_AT_START = lines._NUMBER_AT_START.sub, AUTOLINK = lines._AUTOLINK.fullmatch
cdef object UNSAFE_IN_URL = lines._UNSAFE_IN_URL.search, BALANCED = lines._BALANCED.fullmatch
cdef object UNSAFE_IN_TITLE = lines._UNSAFE_IN_TITLE.sub, WHITE_SPACE = re.compile(r"\s").sub
cdef object repeats = lines._repeats, tex_of = lines._tex, code_of = lines._code
cdef object is_punctuation = lines._is_punctuation
cdef object BEGINNING = lines._BEGINNING.match
cdef frozenset BEFORE_EMPHASIS = lines._BEFORE_EMPHASIS, MARKS_ALONE = lines._MARKS
cdef Py_ssize_t MOST_MARKS = lines._MOST_MARKS


def escaped(found):
    """Return what a pattern found after a backslash."""
    return "\\" + found[0]


cdef uint8_t bits_in(const code_point* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at
    cdef uint8_t found = 0
    for at in range(size):
        if text[at] < 128:
            found |= BITS[text[at]]
    return found


cdef uint8_t bits_of(str text) noexcept:
    """Return the bits of the characters of a text."""
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    if kind == 1:
        return bits_in(<const uint8_t*> PyUnicode_DATA(text), size)
    if kind == 2:
        return bits_in(<const uint16_t*> PyUnicode_DATA(text), size)
    return bits_in(<const uint32_t*> PyUnicode_DATA(text), size)


cdef inline uint32_t first_of(str text) noexcept:
    """Return the first character of a text, 0 if there is none."""
    return PyUnicode_READ_CHAR(text, 0) if PyUnicode_GET_LENGTH(text) else 0


cdef inline uint32_t last_of(str text) noexcept:
    """Return the last character of a text, 0 if there is none."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    return PyUnicode_READ_CHAR(text, size - 1) if size else 0


cdef class Delimiter:
    """The begin or end of emphasis, written once the characters around it are known."""

    cdef str tag
    cdef bint opens
    cdef Delimiter mate
    cdef bint as_html
    cdef list run  # the delimiters beside it, itself included

    cdef str written(self):
        if self.as_html:
            return f"<{self.tag}>" if self.opens else f"</{self.tag}>"
        return DELIMITERS[self.tag]


cdef Delimiter new_delimiter(str tag, bint opens):
    cdef Delimiter made = Delimiter.__new__(Delimiter)
    made.tag = tag
    made.opens = opens
    return made


cdef class LineWriter:
    """Writes lines of Markdown; see `lines.LineWriter`."""

    def __init__(
        self, references, *, line_break="\\\n", in_cell=False, bold=False, starts_block=True
    ):
        self.references = references
        self.line_break = line_break
        self.in_cell = in_cell
        self.bold = bold
        self.starts_block = starts_block

    cpdef str write(self, list nodes):
        """Return the Markdown of one line."""
        cdef str text
        if PyList_GET_SIZE(nodes) == 1 and not self.bold and type(nodes[0]) is Text:
            text = (<Text> PyList_GET_ITEM(nodes, 0)).data
            if bits_of(text) & (MARKS | AMPERSAND | TAG):
                text = self.escape(text + "\n", False, False)
                text = lines.without_lone_escapes(text[: PyUnicode_GET_LENGTH(text) - 1])
            if self.starts_block:
                text = escape_start(text)
        else:
            text = self.write_nodes(nodes)
        if PyUnicode_IS_ASCII(text) or "\u00a0" not in text:
            return text
        if " \u00a0" in text or "\u00a0 " in text:
            text = SPACES(" ", text)
        return text.strip("\u00a0 ")

    cdef str write_nodes(self, list nodes):
        cdef list items = [], stack = nodes[::-1], children
        cdef Py_ssize_t links = 0  # how many are open
        cdef bint has_delimiters = self.bold
        cdef int dollars = -1  # whether one of the nodes is a formula; not known yet
        cdef Element element
        cdef Delimiter delimiter
        cdef str text, leaf
        cdef object node
        if self.bold:
            items.append(new_delimiter("strong", True))
        while stack:
            node = stack.pop()
            if node is None:  # the end of an element
                node = stack.pop()
                if type(node) is Delimiter:
                    end_emphasis(items, node)
                else:
                    links -= (<Element> node).tag == "a"
                    self.end(node, items)
            elif type(node) is Text:
                text = (<Text> node).data
                if dollars < 0 and "$" in text:
                    dollars = lines._have_formula(nodes)
                text = escape_after_bracket(items, self.escape(text, links > 0, dollars > 0))
                if items and type(items[len(items) - 1]) is Delimiter:
                    text = part_beginning(items, text)
                if self.starts_block and is_at_start(items):
                    text = escape_start(text)
                items.append(text)
            else:
                element = node
                leaf = self.leaf(element)
                if leaf is not None:
                    escape_before(items, leaf)
                    items.append(leaf)
                    continue
                links += element.tag == "a"
                delimiter = self.begin(element, items)
                has_delimiters = has_delimiters or delimiter is not None
                stack.append(element if delimiter is None else delimiter)
                stack.append(None)
                children = element.children
                if PyList_GET_SIZE(children) == 1:
                    stack.append(<object> PyList_GET_ITEM(children, 0))
                else:
                    stack += children[::-1]
        if self.bold:
            close(items, items[0])
        if has_delimiters:
            choose_delimiters(items)
            items = [
                item if type(item) is str else (<Delimiter> item).written() for item in items
            ]
        return "".join(items)

    cdef str leaf(self, given):
        """Return the Markdown of an element that is written in one step; None for the others."""
        cdef Element node = given
        cdef str tag = node.tag, address, alternative
        if tag == "a":
            address = node.attr("href") or ""
            if is_text(node, address) and AUTOLINK(address):
                return f"<{self.escape_pipes(address)}>"
        elif tag == "br":
            return self.line_break
        elif tag == "img":
            alternative = self.escape(node.attr("alt") or "", True, False)
            return f"![{alternative}]({self.target(node, 'src')})"
        elif tag == "code":
            return self.escape_pipes(code_in_line(node.text))
        elif tag == "span":
            return self.escape_pipes(tex_of(node.text))
        elif tag == "input":
            return "[ ]" if node.attr("checked") is None else "[x]"
        elif tag == "sup" and is_reference(node):
            self.references.append(node.text)
            return f"[^{node.text}]"
        return None

    cdef begin(self, given, list items):
        cdef Element node = given
        cdef str tag = node.tag
        cdef Delimiter delimiter
        if tag == "a":
            escape_exclamation(items)
            items.append("[")
        elif (
            tag in DELIMITERS and not (tag == "strong" and self.bold) and not is_image(node)
            and not (tag != "del" and is_mark(node))
        ):
            delimiter = new_delimiter(tag, True)
            items.append(delimiter)
            return delimiter
        elif tag in TAGS:
            items.append(f"<{tag}>")
        elif tag == "q":
            items.append('"')
        return None

    cdef end(self, given, list items):
        cdef Element node = given
        cdef str tag = node.tag
        if tag == "a":
            items.append(f"]({self.target(node, 'href')})")
        elif tag in TAGS:
            items.append(f"</{tag}>")
        elif tag == "q":
            items.append('"')

    cdef str target(self, given, str name):
        """Return a URL and a title as they stand between the round brackets."""
        cdef Element node = given
        cdef str url = node.attr(name) or "", title, written
        cdef uint8_t bits = bits_of(url)
        if (bits & UNSAFE or not PyUnicode_IS_ASCII(url)) and UNSAFE_IN_URL(url) is not None:
            url = WHITE_SPACE("%20", url)
            url = url.replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C")
            url = url.replace("`", "%60")  # some renderers look for code first
            if BALANCED(url) is None:
                url = url.replace("(", "%28").replace(")", "%29")
        if bits & AMPERSAND and bits & SEMICOLON:
            url = REFERENCE("&amp;", url)
        title = node.attr("title")
        if title and not repeats(title, node.attr("alt") if name == "src" else node.text):
            written = UNSAFE_IN_TITLE(escaped, title).replace("<", "&lt;")
            written = written.replace('"', "&quot;")  # not all renderers know `\"`
            url = f'{url} "{written}"'
        return self.escape_pipes(url)

    cdef str escape(self, str text, bint bracketed, bint dollars):
        cdef uint8_t bits = bits_of(text)
        if not bits & (MARKS | AMPERSAND | TAG | DOLLAR):
            return text
        if bits & MARKS or (bits & AMPERSAND and bits & SEMICOLON):
            text = BRACKETED(escaped, text) if bracketed else PLAIN(escaped, text)
        if bits & TAG:
            text = TAG_START("&lt;", text)
        return self.escape_pipes(text.replace("$", "\\$") if dollars else text)

    cdef str escape_pipes(self, str text):
        return text.replace("|", "\\|") if self.in_cell else text


cdef bint is_text(Element node, str text):
    """Return whether an element has one child, and this text."""
    if PyList_GET_SIZE(node.children) != 1:
        return False
    child = <object> PyList_GET_ITEM(node.children, 0)
    return (<Text> child).data == text if type(child) is Text else node.text == text


cdef bint is_image(Element node):
    """Return whether an element holds one image, perhaps in a link, and nothing else."""
    while PyList_GET_SIZE(node.children) == 1 and type(node.children[0]) is Element:
        node = node.children[0]
        if node.tag == "img":
            return True
    return False


cdef bint is_mark(Element node):
    """Return whether an element holds nothing but a few punctuation marks."""
    cdef str text
    if PyList_GET_SIZE(node.children) != 1 or type(node.children[0]) is not Text:
        return False
    text = (<Text> node.children[0]).data
    return PyUnicode_GET_LENGTH(text) <= MOST_MARKS and MARKS_ALONE.issuperset(text)


cdef str part_beginning(list items, str text):
    """Put what emphasis should not begin with in front of its delimiters, after a text."""
    cdef Py_ssize_t size = PyList_GET_SIZE(items), at = size
    cdef object begin
    if text[:1] not in BEFORE_EMPHASIS:
        return text
    while at and type(items[at - 1]) is Delimiter and (<Delimiter> items[at - 1]).opens:
        at -= 1
    begin = BEGINNING(text)
    if begin is None or at == size or (at == 0 and first_of(text) != 0xA0):
        return text
    items.insert(at, begin[0])
    return text[begin.end() :]


cdef str code_in_line(str text):
    """Return code between more backticks than it holds in a row."""
    return code_of(text) if "`" in text else f"`{text}`"


cdef bint is_at_start(list items):
    """Return whether the next text begins a line of Markdown."""
    cdef Py_ssize_t size = PyList_GET_SIZE(items)
    cdef object last
    if size == 0:
        return True
    last = <object> PyList_GET_ITEM(items, size - 1)
    return type(last) is str and last_of(last) == 10


cdef escape_exclamation(list items):
    """Escape a `!` at the end, which would make an image of the link after it."""
    cdef Py_ssize_t size = PyList_GET_SIZE(items)
    cdef object last
    if size:
        last = items[size - 1]
        if type(last) is str and last_of(last) == 33:
            items[size - 1] = (<str> last)[: PyUnicode_GET_LENGTH(last) - 1] + "\\!"


cdef escape_before(list items, str leaf):
    """Escape or part what would change the meaning of the Markdown of an element after it."""
    cdef uint32_t first = first_of(leaf)
    cdef object last
    if first == 91:
        escape_exclamation(items)
    elif first == 96 and items:
        last = items[len(items) - 1]
        if first_of(last if type(last) is str else (<Delimiter> last).written()) == 96:
            items.append(" ")  # or the backticks of both would be one run


cdef str escape_after_bracket(list items, str text):
    """Escape a text that would make a link, or the address of links, of a reference before it."""
    cdef uint32_t first = first_of(text)
    cdef Py_ssize_t size = PyList_GET_SIZE(items)
    cdef object last
    cdef bint is_first
    if (first != 40 and first != 58) or size == 0:
        return text
    last = items[size - 1]
    if type(last) is not str or last_of(last) != 93:
        return text
    is_first = size == 1
    if not is_first:
        last = items[size - 2]
        is_first = type(last) is str and last_of(last) == 10
    return "\\" + text if first == 40 or is_first else text


cdef str escape_start(str text):
    """Escape what would begin a block."""
    cdef uint32_t first = first_of(text), following
    cdef Py_ssize_t at = 0, size = PyUnicode_GET_LENGTH(text)
    if 48 <= first <= 57:
        while at < size and 48 <= PyUnicode_READ_CHAR(text, at) <= 57:
            at += 1
        following = PyUnicode_READ_CHAR(text, at) if at < size else 0
        if following != 46 and following != 41 and following < 128:
            return text
        return NUMBER_AT_START(r"\1\\", text)
    if first == 35 or first == 45 or first == 43 or first == 61 or first == 62 or (
        first == 124 or first == 58 or first == 91
    ):
        return AT_START(r"\\", text)
    return text


cdef end_emphasis(list items, Delimiter opening):
    cdef object last = items[len(items) - 1]
    if type(last) is str and last_of(last) == 0xA0:  # after it, nothing is closed
        items[len(items) - 1] = (<str> last).rstrip("\u00a0")
        close(items, opening)
        items.append("\u00a0")
    else:
        close(items, opening)


cdef close(list items, Delimiter opening):
    cdef Delimiter closing = new_delimiter(opening.tag, False)
    opening.mate, closing.mate = closing, opening
    items.append(closing)


cdef choose_delimiters(list items):
    """Choose HTML tags where delimiters would not be read back as emphasis."""
    cdef list to_html = [], run
    cdef str before = "", after
    cdef Py_ssize_t index = 0, size = PyList_GET_SIZE(items)
    cdef Delimiter delimiter
    cdef object item
    while index < size:
        item = items[index]
        if type(item) is str:
            if PyUnicode_GET_LENGTH(item):
                before = chr(last_of(item))
            index += 1
            continue
        run = []
        while index < size and type(items[index]) is Delimiter:
            delimiter = items[index]
            delimiter.run = run
            run.append(delimiter)
            index += 1
        after = (<str> items[index])[:1] if index < size else ""
        if not reads_back(run, before, after):
            to_html += run
    while to_html:  # a tag in a run makes the whole run tags, and their mates
        delimiter = to_html.pop()
        if not delimiter.as_html:
            delimiter.as_html = True
            to_html += delimiter.run
            if delimiter.mate is not None:
                to_html.append(delimiter.mate)
    for item in items:  # no cycle is left: each run holds its delimiters, and mates each other
        if type(item) is Delimiter:
            (<Delimiter> item).run = (<Delimiter> item).mate = None


cdef bint reads_back(list run, str before, str after):
    """Return whether CommonMark reads a run of delimiters between two characters as emphasis."""
    cdef Delimiter delimiter
    cdef bint opens = (<Delimiter> run[0]).opens
    cdef str inner, outer
    for delimiter in run:
        if delimiter.opens != opens:
            return False
    inner, outer = (after, before) if opens else (before, after)
    if not inner or inner.isspace():
        return False
    return not is_sign(inner) or not outer or outer.isspace() or is_sign(outer)


cdef bint is_sign(str character):
    """Return whether a character is a punctuation mark or a symbol."""
    cdef uint32_t code = first_of(character)
    if code < 128:
        return (33 <= code < 48) or (58 <= code < 65) or (91 <= code < 97) or (123 <= code < 127)
    return is_punctuation(character)
