"""The compiled version of `lines`, which documents what is done and why.

Methods and functions have the same names there. The texts of a line are written into one buffer,
and the delimiters are apart. Patterns are tried only on texts in which one reading of the characters
finds what they may match.
"""

import re

from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, realloc
from thresher.render._tree cimport Element, Text
from thresher.render.known_names cimport KnownNames, value_of
from thresher.render.writing cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, Written, begin, code_point, put,
    put_written, text_of,
)

from thresher.render.footnotes import is_reference
from thresher.render.markdown import lines

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    uint32_t PyUnicode_READ_CHAR(object text, Py_ssize_t index)
    bint Py_UNICODE_ISSPACE(uint32_t character)

cdef enum:  # what a text has
    MARKS = 1  # characters of the patterns that escape, but for `&`
    AMPERSAND = 2
    TAG = 4
    DOLLAR = 8
    SEMICOLON = 16
    UNSAFE = 32  # in an address

cdef uint8_t[128] BITS
for _number in range(128):
    BITS[_number] = (
        MARKS * (chr(_number) in "\\`[]*_~|") + AMPERSAND * (_number == 38) + TAG * (_number == 60)
        + DOLLAR * (_number == 36) + SEMICOLON * (_number == 59)
        + UNSAFE * (lines._UNSAFE_IN_URL.match(chr(_number)) is not None)
    )

cdef dict DELIMITERS = lines._DELIMITERS
cdef frozenset TAGS = lines._TAGS
cdef enum:  # what elements are
    OTHER, LINK, BREAK, IMAGE, CODE, FORMULA, BOX, RAISED, EMPHASIS, QUOTATION, AS_HTML
cdef dict KINDS = dict.fromkeys(TAGS, AS_HTML) | dict.fromkeys(DELIMITERS, EMPHASIS) | {
    "a": LINK, "br": BREAK, "img": IMAGE, "code": CODE, "span": FORMULA, "input": BOX,
    "sup": RAISED, "q": QUOTATION,
}
cdef KnownNames KIND_OF
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


cdef bint may_have_marks(const code_point* text, Py_ssize_t size) noexcept nogil:
    """Return whether a text may have a character with a bit before `SEMICOLON`."""
    cdef Py_ssize_t at
    cdef code_point found = 0  # of the width of the characters, so that many are compared at once
    for at in range(size):
        found |= <code_point> (
            ((text[at] | 2) == 38) | (text[at] == 42) | (text[at] == 60)
            | (<code_point> (text[at] - 91) < 6) | ((text[at] | 2) == 126)
        )
    return found != 0


cdef uint8_t bits_in(const code_point* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at
    cdef uint8_t found = 0
    for at in range(size):
        if text[at] < 128:
            found |= BITS[text[at]]
    return found


cdef uint8_t bits_of(str text, bint is_address=False) noexcept:
    """Return the bits of the characters of a text; `UNSAFE` only for an address."""
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    cdef const void* data = PyUnicode_DATA(text)
    if kind == 1:
        if is_address or may_have_marks(<const uint8_t*> data, size):
            return bits_in(<const uint8_t*> data, size)
    elif kind == 2:
        if is_address or may_have_marks(<const uint16_t*> data, size):
            return bits_in(<const uint16_t*> data, size)
    elif is_address or may_have_marks(<const uint32_t*> data, size):
        return bits_in(<const uint32_t*> data, size)
    return 0


cdef inline uint32_t first_of(str text) noexcept:
    """Return the first character of a text, 0 if there is none."""
    return PyUnicode_READ_CHAR(text, 0) if PyUnicode_GET_LENGTH(text) else 0


cdef inline str attribute(Element node, str name):
    """Return the value of an attribute, None if it is not set."""
    cdef PyObject* value
    if node.attrs is None:
        return None
    value = PyDict_GetItem(node.attrs, name)
    return None if value == NULL else <str> value


cdef inline uint32_t character_at(Written* written, Py_ssize_t at) noexcept:
    if written.kind == 1:
        return (<const uint8_t*> written.data)[at]
    if written.kind == 2:
        return (<const uint16_t*> written.data)[at]
    return (<const uint32_t*> written.data)[at]


cdef struct Delimiter:  # the begin or end of emphasis
    Py_ssize_t texts  # how many are before it
    PyObject* tag
    bint opens
    bint as_html  # of the first in a run: whether all of them are
    Py_ssize_t mate
    Py_ssize_t run  # the first delimiter of those that are beside each other

cdef struct Opened:  # an element, or the line, whose content is being written
    PyObject* content
    Py_ssize_t at
    PyObject* element
    Py_ssize_t delimiter  # -1 for none


cdef class LineWriter:
    """Writes lines of Markdown; see `lines.LineWriter`."""

    def __cinit__(self):
        self.begins, self.delimiters, self.opened = NULL, NULL, NULL
        self.written.data = NULL

    def __init__(
        self, references, *, line_break="\\\n", in_cell=False, bold=False, starts_block=True
    ):
        self.references = references
        self.line_break = line_break
        self.in_cell = in_cell
        self.bold = bold
        self.starts_block = starts_block
        self.most_texts = self.most_delimiters = self.most_opened = 0

    def __dealloc__(self):
        free(self.begins)
        free(self.delimiters)
        free(self.opened)
        free(self.written.data)

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
        cdef Py_ssize_t links = 0  # how many are open
        cdef int dollars = -1  # whether one of the nodes is a formula; not known yet
        cdef Opened* last
        cdef Element element
        cdef str text
        cdef object node
        cdef int kind
        if self.written.data == NULL:
            begin(&self.written, 1_000)
        self.written.size, self.written.kind = 0, 1
        self.texts = self.delimiter_count = self.depth = 0
        self.open(nodes, NULL, self.add_delimiter("strong", True) if self.bold else -1)
        while True:
            last = &self.opened[self.depth - 1]
            if last.at == PyList_GET_SIZE(<list> last.content):
                self.depth -= 1
                if last.element == NULL:
                    break
                if last.delimiter >= 0:
                    self.end_emphasis(last.delimiter)
                else:
                    element = <Element> last.element
                    kind = kind_of(element)
                    links -= kind == LINK
                    self.end(element, kind)
                continue
            node = <object> PyList_GET_ITEM(<list> last.content, last.at)
            last.at += 1
            if type(node) is Text:
                text = (<Text> node).data
                if dollars < 0 and "$" in text:
                    dollars = lines._have_formula(nodes)
                text = self.escape_after_bracket(self.escape(text, links > 0, dollars > 0))
                if self.delimiter_count and not self.ends_with_text():
                    text = self.part_beginning(text)
                if self.starts_block and self.is_at_start():
                    text = escape_start(text)
                self.add(text)
                continue
            element = node
            kind = kind_of(element)
            if self.write_leaf(element, kind):
                continue
            links += kind == LINK
            self.open(element.children, <PyObject*> element, self.begin(element, kind))
        if self.bold:
            self.close(0)
        return self.with_delimiters() if self.delimiter_count else text_of(&self.written)

    # --- texts and delimiters -------------------------------------------------------------------

    cdef add(self, str text):
        """Add a text, which may be empty."""
        self.begin_text()
        put(&self.written, text)

    cdef int begin_text(self) except -1:
        cdef void* larger
        if self.texts == self.most_texts:
            larger = realloc(self.begins, (2 * self.most_texts + 32) * sizeof(Py_ssize_t))
            if larger == NULL:
                raise MemoryError
            self.begins, self.most_texts = <Py_ssize_t*> larger, 2 * self.most_texts + 32
        self.begins[self.texts] = self.written.size
        self.texts += 1
        return 0

    cdef Py_ssize_t add_delimiter(self, str tag, bint opens) except -1:
        """Add a delimiter, and return its index."""
        cdef void* larger
        cdef Delimiter* made
        if self.delimiter_count == self.most_delimiters:
            larger = realloc(self.delimiters, (2 * self.most_delimiters + 16) * sizeof(Delimiter))
            if larger == NULL:
                raise MemoryError
            self.delimiters = <Delimiter*> larger
            self.most_delimiters = 2 * self.most_delimiters + 16
        made = &self.delimiters[self.delimiter_count]
        made.texts, made.tag, made.opens, made.as_html = self.texts, <PyObject*> tag, opens, False
        made.mate = -1
        self.delimiter_count += 1
        return self.delimiter_count - 1

    cdef int open(self, list content, PyObject* element, Py_ssize_t delimiter) except -1:
        """Begin the content of an element; `delimiter` is the one before it, -1 for none."""
        cdef void* larger
        cdef Opened* opened
        if self.depth == self.most_opened:
            larger = realloc(self.opened, (2 * self.most_opened + 16) * sizeof(Opened))
            if larger == NULL:
                raise MemoryError
            self.opened, self.most_opened = <Opened*> larger, 2 * self.most_opened + 16
        opened = &self.opened[self.depth]
        self.depth += 1
        opened.content, opened.at, opened.element = <PyObject*> content, 0, element
        opened.delimiter = delimiter
        return 0

    cdef bint ends_with_text(self) noexcept:
        """Return whether a text was added last, and not a delimiter."""
        if self.delimiter_count == 0:
            return self.texts > 0
        return self.delimiters[self.delimiter_count - 1].texts < self.texts

    cdef uint32_t last_character(self) noexcept:
        """Return the last character of the text that was added last, 0 for none."""
        if not self.ends_with_text() or self.begins[self.texts - 1] == self.written.size:
            return 0
        return character_at(&self.written, self.written.size - 1)

    cdef bint is_at_start(self) noexcept:
        """Return whether the next text begins a line of Markdown."""
        return self.texts + self.delimiter_count == 0 or self.last_character() == 10

    cdef int escape_exclamation(self) except -1:
        """Escape a `!` at the end, which would make an image of the link after it."""
        if self.last_character() == 33:
            self.written.size -= 1
            put(&self.written, "\\!")
        return 0

    cdef str escape_after_bracket(self, str text):
        """Escape a text that would make a link, or the address of links, of a reference before it."""
        cdef uint32_t first = first_of(text)
        cdef Py_ssize_t before
        cdef bint is_first
        if (first != 40 and first != 58) or self.last_character() != 93:
            return text
        before = self.begins[self.texts - 1]
        is_first = self.texts + self.delimiter_count == 1
        if not is_first and self.texts > 1 and (
            self.delimiter_count == 0
            or self.delimiters[self.delimiter_count - 1].texts < self.texts - 1
        ):
            is_first = before > self.begins[self.texts - 2] and (
                character_at(&self.written, before - 1) == 10
            )
        return "\\" + text if first == 40 or is_first else text

    cdef str part_beginning(self, str text):
        """Put what emphasis should not begin with in front of its delimiters, after a text."""
        cdef Py_ssize_t at = self.delimiter_count, index
        cdef object found
        if text[:1] not in BEFORE_EMPHASIS:
            return text
        while at and self.delimiters[at - 1].texts == self.texts and self.delimiters[at - 1].opens:
            at -= 1
        found = BEGINNING(text)
        if found is None or at == self.delimiter_count or (
            at + self.texts == 0 and first_of(text) != 0xA0
        ):
            return text
        self.add(found[0])
        for index in range(at, self.delimiter_count):
            self.delimiters[index].texts = self.texts
        return text[found.end() :]

    cdef int end_emphasis(self, Py_ssize_t opening) except -1:
        cdef Py_ssize_t first
        if self.last_character() != 0xA0:
            self.close(opening)
            return 0
        first = self.begins[self.texts - 1]  # after the space, nothing is closed
        while self.written.size > first and (
            character_at(&self.written, self.written.size - 1) == 0xA0
        ):
            self.written.size -= 1
        self.close(opening)
        self.add("\u00a0")
        return 0

    cdef int close(self, Py_ssize_t opening) except -1:
        cdef Py_ssize_t closing = self.add_delimiter(<str> self.delimiters[opening].tag, False)
        self.delimiters[opening].mate, self.delimiters[closing].mate = closing, opening
        return 0

    cdef Py_ssize_t end_of_texts(self, Py_ssize_t count) noexcept:
        """Return where the first texts end."""
        return self.begins[count] if count < self.texts else self.written.size

    cdef str with_delimiters(self):
        """Return the line, with HTML tags where delimiters would not be read back as emphasis."""
        cdef Py_ssize_t at = 0, first, index, place
        cdef Delimiter* delimiters = self.delimiters
        cdef Written whole
        cdef str tag
        while at < self.delimiter_count:
            first = at
            while at < self.delimiter_count and delimiters[at].texts == delimiters[first].texts:
                delimiters[at].run = first
                at += 1
            if not self.reads_back(first, at):
                self.opened_run(first)
        # A tag in a run makes the whole run tags, and their mates.
        while self.depth:
            self.depth -= 1
            at = first = self.opened[self.depth].at
            if delimiters[first].as_html:
                continue
            delimiters[first].as_html = True
            while at < self.delimiter_count and delimiters[at].run == first:
                if delimiters[at].mate >= 0:
                    self.opened_run(delimiters[delimiters[at].mate].run)
                at += 1
        begin(&whole, self.written.size + 16 * self.delimiter_count)
        try:
            place = 0
            for index in range(self.delimiter_count):
                at = self.end_of_texts(delimiters[index].texts)
                put_written(&whole, &self.written, place, at)
                place = at
                tag = <str> delimiters[index].tag
                if not delimiters[delimiters[index].run].as_html:
                    put(&whole, DELIMITERS[tag])
                    continue
                put(&whole, "<" if delimiters[index].opens else "</")
                put(&whole, tag)
                put(&whole, ">")
            put_written(&whole, &self.written, place, self.written.size)
            return text_of(&whole)
        finally:
            free(whole.data)

    cdef int opened_run(self, Py_ssize_t first) except -1:
        """Note a run that becomes tags, where the open elements of the line were."""
        self.open(None, NULL, -1)
        self.opened[self.depth - 1].at = first
        return 0

    cdef bint reads_back(self, Py_ssize_t first, Py_ssize_t stop) except -1:
        """Return whether CommonMark reads a run of delimiters as emphasis."""
        cdef bint opens = self.delimiters[first].opens
        cdef Py_ssize_t index, texts = self.delimiters[first].texts
        cdef Py_ssize_t place = self.end_of_texts(texts)
        cdef uint32_t before = 0, after = 0, inner, outer
        cdef bint has_before = place > 0, has_after
        for index in range(first, stop):
            if self.delimiters[index].opens != opens:
                return False
        has_after = texts < self.texts and self.end_of_texts(texts + 1) > place
        if has_before:
            before = character_at(&self.written, place - 1)
        if has_after:
            after = character_at(&self.written, place)
        inner, outer = (after, before) if opens else (before, after)
        if not (has_after if opens else has_before) or Py_UNICODE_ISSPACE(inner):
            return False
        if not is_sign(inner) or not (has_before if opens else has_after):
            return True
        return Py_UNICODE_ISSPACE(outer) or is_sign(outer)

    # --- elements -------------------------------------------------------------------------------

    cdef bint write_leaf(self, Element node, int kind) except -1:
        """Write an element that is written in one step; return False for the others."""
        cdef str leaf, address
        cdef uint32_t first
        if kind == LINK:
            address = attribute(node, "href") or ""
            if not is_text(node, address) or not AUTOLINK(address):
                return False
            leaf = f"<{self.escape_pipes(address)}>"
        elif kind == IMAGE:
            self.begin_text()
            put(&self.written, "![")
            put(&self.written, self.escape(attribute(node, "alt") or "", True, False))
            put(&self.written, "](")
            put(&self.written, self.target(node, "src"))
            put(&self.written, ")")
            return True
        elif kind == BREAK:
            leaf = self.line_break
        elif kind == CODE:
            leaf = self.escape_pipes(code_in_line(node.text))
        elif kind == FORMULA:
            leaf = self.escape_pipes(tex_of(node.text))
        elif kind == BOX:
            leaf = "[ ]" if attribute(node, "checked") is None else "[x]"
        elif kind == RAISED and is_reference(node):
            self.references.append(node.text)
            leaf = f"[^{node.text}]"
        else:
            return False
        # Escape or part what would change the meaning of the Markdown of the element.
        first = first_of(leaf)
        if first == 91:
            self.escape_exclamation()
        elif first == 96 and self.ends_with_text() and (
            self.begins[self.texts - 1] < self.written.size
            and character_at(&self.written, self.begins[self.texts - 1]) == 96
        ):
            self.add(" ")  # or the backticks of both would be one run
        self.add(leaf)
        return True

    cdef Py_ssize_t begin(self, Element node, int kind) except -2:
        """Begin an element; return its delimiter, -1 for none."""
        cdef str tag = node.tag
        if kind == LINK:
            self.escape_exclamation()
            self.add("[")
        elif kind == QUOTATION:
            self.add('"')
        elif kind == EMPHASIS and (
            not (tag == "strong" and self.bold) and not is_image(node)
            and not (tag != "del" and is_mark(node))
        ):
            return self.add_delimiter(tag, True)
        elif tag in TAGS:
            self.add(f"<{tag}>")
        return -1

    cdef int end(self, Element node, int kind) except -1:
        if kind == LINK:
            self.begin_text()
            put(&self.written, "](")
            put(&self.written, self.target(node, "href"))
            put(&self.written, ")")
        elif kind == QUOTATION:
            self.add('"')
        elif node.tag in TAGS:
            self.add(f"</{node.tag}>")
        return 0

    cdef str target(self, Element node, str name):
        """Return a URL and a title as they stand between the round brackets."""
        cdef str url = attribute(node, name) or "", title, written
        cdef uint8_t bits = bits_of(url, True)
        if (bits & UNSAFE or not PyUnicode_IS_ASCII(url)) and UNSAFE_IN_URL(url) is not None:
            url = WHITE_SPACE("%20", url)
            url = url.replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C")
            url = url.replace("`", "%60")  # some renderers look for code first
            if BALANCED(url) is None:
                url = url.replace("(", "%28").replace(")", "%29")
        if bits & AMPERSAND and bits & SEMICOLON:
            url = REFERENCE("&amp;", url)
        title = attribute(node, "title")
        if title and not repeats(title, attribute(node, "alt") if name == "src" else node.text):
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

    cdef inline str escape_pipes(self, str text):
        return text.replace("|", "\\|") if self.in_cell else text


cdef inline int kind_of(Element node) except -1:
    """Return what an element is."""
    cdef PyObject* known = value_of(&KIND_OF, KINDS, node.tag)
    return OTHER if known == NULL else <object> known


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


cdef str code_in_line(str text):
    """Return code between more backticks than it holds in a row."""
    return code_of(text) if "`" in text else f"`{text}`"


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


cdef bint is_sign(uint32_t code) except -1:
    """Return whether a character is a punctuation mark or a symbol."""
    if code < 128:
        return (33 <= code < 48) or (58 <= code < 65) or (91 <= code < 97) or (123 <= code < 127)
    return is_punctuation(chr(code))
