"""The compiled walk over the parser's nodes: fills all columns of a page in one pass.

`thresher.page.parse` has the plain version, which defines each column, and `thresher.page.views`
and `thresher.page.visibility` that of blocks and of hidden texts. Only public attributes of
turbohtml's nodes are used.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from inspect import getattr_static

import turbohtml

from thresher.page.node_calls cimport call_method, read_attribute

from thresher.page.tags import NUMBER
from thresher.page.words import seen

cdef extern from "Python.h":
    void* PyUnicode_DATA(object text)
    int PyUnicode_KIND(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    bint PyUnicode_IS_ASCII(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index)
    void* Py_TYPE(PyObject* item)
    Py_ssize_t PyObject_Size(object items) except -1

cdef extern from *:
    """
    /* It is chosen when the kernel is loaded, which needs glibc, and no instrumented code. */
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) \
        && !defined(__SANITIZE_ADDRESS__) && !defined(ONE_PROCESSOR)
    #define SEVERAL_PROCESSORS __attribute__((target_clones("avx2", "default")))
    #else
    #define SEVERAL_PROCESSORS
    #endif

    /* Return 1 for a lone surrogate, from 0xD800 to 0xDFFF, and 2 for the letter. The results are as
       wide as the characters, so that many are compared at once. */
    #define FIND_SIGNS(name, character)                                                           \
        SEVERAL_PROCESSORS static int name(const character *text, ptrdiff_t length,               \
                                           character letter) {                                    \
            character lone = 0, same = 0;                                                         \
            for (ptrdiff_t at = 0; at < length; at++) {                                           \
                lone |= (character) (text[at] >> 11 == 27);                                       \
                same |= (character) (text[at] == letter);                                         \
            }                                                                                     \
            return (lone != 0) | (same != 0) << 1;                                                \
        }
    FIND_SIGNS(find_in_pairs, uint16_t)
    FIND_SIGNS(find_in_fours, uint32_t)

    static inline void swap_items(PyObject *items, Py_ssize_t first, Py_ssize_t second) {
        PyObject *item = PyList_GET_ITEM(items, first);
        PyList_SET_ITEM(items, first, PyList_GET_ITEM(items, second));
        PyList_SET_ITEM(items, second, item);
    }
    """
    void swap_items(object items, Py_ssize_t first, Py_ssize_t second)
    int find_in_pairs(const uint16_t* text, Py_ssize_t length, uint16_t letter) nogil
    int find_in_fours(const uint32_t* text, Py_ssize_t length, uint32_t letter) nogil

cdef object Element = turbohtml.Element
cdef object Text = turbohtml.Text
cdef object CData = turbohtml.CData

cdef object TAG = getattr_static(Element, "tag")
cdef object DATA = getattr_static(Text, "data")
cdef object ATTR = getattr_static(Element, "attr")
cdef tuple HIDDEN = ("hidden",), STYLE = ("style",), HREF = ("href",), XLINK_HREF = ("xlink:href",)
cdef tuple ROLE = ("role",), PROPERTY = ("property",), TYPE = ("type",), OPEN = ("open",)
cdef tuple SHADOW_ROOT_MODE = ("shadowrootmode",), CLASS = ("class",), NAME = ("name",)
cdef tuple FOR = ("for",)
# As in `stated_kinds`.
cdef tuple LIST_WORDS = (
    "task", "check", "to-do", "todo", "recipe", "page-meta", "blockList", "summary-list"
)

cdef uint16_t LABEL = NUMBER["label"], TEXT_AREA = NUMBER["textarea"], UL = NUMBER["ul"]
cdef uint16_t BOX = NUMBER["div"], CODE = NUMBER["code"]
cdef uint16_t META = NUMBER["meta"], SCRIPT = NUMBER["script"], INPUT = NUMBER["input"]

cdef enum:  # classes of characters, as in `thresher.page.words`
    OTHER, RUN, SINGLE, SPACE, MARK

cdef enum:  # bits of a tag, as in `thresher.page.parse`
    BREAKS_RUN = 1
    HIDES = 2
    IS_RAW = 4
    IS_LINK = 8
    MAY_BE_EXCEPTION = 16
    IS_TYPED = 32  # elements whose attributes `note_type` reads
    MAY_BE_UNCLOSED = 64
    MAY_HOLD_BODY = 128
    IS_BLOCK = 256
    IS_FORMULA = 512
    IS_ANNOTATION = 1024
    IS_BRACKET = 2048  # around the reading of a word
    IS_PRE = 4096
    INHERITED = HIDES | IS_LINK | IS_FORMULA | IS_ANNOTATION | IS_PRE

cdef enum:  # lines of numbers, as in `thresher.page.views`
    END, PARENT, LEVEL, CHARS, WORDS, AROUND, TEXT_ROWS, OF_TEXT
    FIRST, LAST, TEXTS_FROM, TEXTS_TO, BLOCK_PARENT, BLOCK_CHARS, BLOCK_WORDS, BLOCK_LINKED

cdef enum:  # lines of bools
    LINKED, HIDDEN_ROWS, HIDDEN_TEXTS, BEGINS_HIDDEN, HIDDEN_BLOCKS

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t


cdef struct Measure:
    int32_t chars
    int32_t words
    bint begins_with_space
    bint ends_with_space
    bint has_surrogate


cdef enum:
    WORD_BITS = 32  # words are counted above the characters, in one number

# What a character adds to both counts, by the class of the one before and its own.
cdef uint64_t[32] ADDED


cdef void fill_added() noexcept:
    cdef int before, kind
    for before in range(OTHER, MARK):
        for kind in range(OTHER, MARK):
            ADDED[8 * before + kind] = 0
            if kind != SPACE:
                ADDED[8 * before + kind] = 1 + (before == SPACE)
            if kind == SINGLE or (kind == RUN and before != RUN):
                ADDED[8 * before + kind] += <uint64_t> 1 << WORD_BITS


fill_added()


cdef Measure measure_characters(
    const character* text, Py_ssize_t length, const uint8_t* classes
) noexcept nogil:
    """Count characters, white space collapsed and trimmed, and words (see `Letters.measure`)."""
    cdef Measure found
    cdef Py_ssize_t at
    cdef uint64_t added = 0
    cdef uint8_t kind, before = SPACE
    found.has_surrogate = False
    for at in range(length):
        kind = classes[text[at]]
        if character is not uint8_t:
            found.has_surrogate |= 0xD800 <= text[at] <= 0xDFFF
            if kind == MARK:
                kind = RUN if before == RUN else OTHER
        added += ADDED[8 * before + kind]
        before = kind
    found.chars, found.words = <int32_t> <uint32_t> added, <int32_t> (added >> WORD_BITS)
    found.chars -= found.chars > 0
    found.begins_with_space = length > 0 and classes[text[0]] == SPACE
    found.ends_with_space = length > 0 and classes[text[length - 1]] == SPACE
    return found


cdef bint is_bracket_or_one(object text):
    """Return whether the first sign of a text, white space aside, is a closing bracket or a 1."""
    cdef const void* data = PyUnicode_DATA(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t at
    cdef uint32_t code
    for at in range(PyUnicode_GET_LENGTH(text)):
        code = PyUnicode_READ(kind, data, at)
        if code > 32:
            return code == 93 or code == 49
    return False


cdef Measure measure_text(object text, const uint8_t* classes):
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return measure_characters(<const uint8_t*> data, length, classes)
    if kind == 2:
        return measure_characters(<const uint16_t*> data, length, classes)
    return measure_characters(<const uint32_t*> data, length, classes)


cdef struct Wrong:  # characters of a page that may be wrong; see `decode.Mending`
    Py_ssize_t controls  # C1 controls and soft hyphens
    Py_ssize_t western  # first bytes of UTF-8 read as windows-1252, before another byte
    Py_ssize_t cyrillic  # first bytes of UTF-8 read as windows-1251
    Py_ssize_t others  # past ASCII


cdef void count_wrong(const character* text, Py_ssize_t length, Wrong* found) noexcept nogil:
    cdef Py_ssize_t at
    cdef uint32_t code
    cdef bint is_first = False  # the character before may be the first byte of UTF-8
    for at in range(length):
        code = text[at]
        if code < 128:
            is_first = False
            continue
        found.others += 1
        found.controls += code < 0xA0 or code == 0xAD
        found.western += is_first and (
            code < 0xC0 or 0x152 <= code <= 0x192 or 0x2C0 <= code <= 0x2FF
            or 0x2000 <= code <= 0x213F
        )
        found.cyrillic += code == 0x420 or code == 0x421
        is_first = 0xC2 <= code <= 0xF4


cdef void count_wrong_in(object text, Wrong* found):
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        count_wrong(<const uint8_t*> data, length, found)
    elif kind == 2:
        count_wrong(<const uint16_t*> data, length, found)
    else:
        count_wrong(<const uint32_t*> data, length, found)


cdef bint is_unseen(object text):
    """Return whether a text begins with a sign without a width, perhaps after spaces.

    Then `words.seen` looks at all of it.
    """
    cdef void* data = PyUnicode_DATA(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t at, length = PyUnicode_GET_LENGTH(text)
    cdef uint32_t code
    if kind == 1:
        return False
    for at in range(length):
        code = PyUnicode_READ(kind, data, at)
        if 0x200B <= code <= 0x200F or code == 0x2060 or code == 0xFEFF:
            return True
        if code > 32 and code != 0xA0:
            return False
    return False


def find_signs(str text, uint16_t letter):
    """Return whether a text has lone surrogates, which cannot be encoded, and whether a letter."""
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text), found = 0
    with nogil:
        if kind == 2:
            found = find_in_pairs(<const uint16_t*> data, length, letter)
        elif kind == 4:
            found = find_in_fours(<const uint32_t*> data, length, letter)
    return (found & 1) != 0, (found & 2) != 0


cdef bint is_sign_of_software(uint16_t number, object node) except -1:
    """Return whether a list, label, section, header or text area is one.

    See `stated_kinds`.
    """
    cdef object given
    if number == LABEL:
        given = call_method(ATTR, node, FOR)
        return given is not None and "tab" in <str> given
    given = call_method(ATTR, node, CLASS)
    if number == TEXT_AREA:
        if given is not None and "exampleCode" in <str> given:
            return True
        return call_method(ATTR, node, NAME) == "code"
    if number != UL:
        return given is not None and ("recipe" in <str> given or "ltx_" in <str> given)
    if given is not None and has_list_word(<str> given):
        return True
    return call_method(ATTR, node, ROLE) == "tablist"


cdef bint has_list_word(str classes) except -1:
    """Return whether classes have one of the words that `stated_kinds` looks for in lists."""
    cdef const char* letters
    cdef Py_ssize_t at
    if not PyUnicode_IS_ASCII(classes):
        for word in LIST_WORDS:
            if word in classes:
                return True
        return False
    letters = <const char*> PyUnicode_DATA(classes)  # with a zero after the last
    for at in range(PyUnicode_GET_LENGTH(classes)):
        if letters[at] == 116 and (  # t
            begins_with(letters + at, "task") or begins_with(letters + at, "to-do")
            or begins_with(letters + at, "todo")
        ):
            return True
        if letters[at] == 99 and begins_with(letters + at, "check"):  # c
            return True
        if letters[at] == 98 and begins_with(letters + at, "blockList"):  # b
            return True
        if letters[at] == 115 and begins_with(letters + at, "summary-list"):  # s
            return True
        if letters[at] == 114 and begins_with(letters + at, "recipe"):  # r
            return True
        if letters[at] == 112 and begins_with(letters + at, "page-meta"):  # p
            return True
    return False


cdef inline bint begins_with(const char* letters, const char* word) noexcept:
    while word[0] and letters[0] == word[0]:
        letters += 1
        word += 1
    return word[0] == 0


cdef int note_type(object node, uint16_t number, Py_ssize_t row, object stated) except -1:
    """Append the row of a typed element to the lists of `StatedKinds` that it belongs to."""
    cdef object given
    cdef str kind
    if number == META:
        given = call_method(ATTR, node, PROPERTY)
        if given is not None:
            if given == "og:type":
                (<list> stated[GRAPH_TYPES]).append(row)
            return 0
        given = call_method(ATTR, node, NAME)
        if given is not None and given == "generator":
            (<list> stated[SIGNS_OF_SOFTWARE]).append(row)
        return 0
    if number != SCRIPT and number != INPUT:
        if is_sign_of_software(number, node):
            (<list> stated[SIGNS_OF_SOFTWARE]).append(row)
        return 0
    given = call_method(ATTR, node, TYPE)
    if not given:
        return 0
    kind = (<str> given).strip().lower()
    if number == INPUT:
        if kind == "checkbox":
            (<list> stated[CHECK_BOXES]).append(row)
        return 0
    if kind == "text/javascript":
        return 0  # true of most
    if kind.startswith("math/tex"):
        (<list> stated[TEX]).append(row)
    elif kind.startswith("math/mml"):
        (<list> stated[SIGNS_OF_SOFTWARE]).append(row)
    if "ld+json" in kind:
        (<list> stated[LINKED_DATA]).append(row)
    return 0


cdef bint is_word(
    const uint8_t* text, Py_ssize_t length, const char* word, Py_ssize_t size
) noexcept:
    """Return whether a text begins with a word of ASCII letters, in any case."""
    cdef Py_ssize_t at = 0
    if length < size:
        return False
    while at < size and text[at] | 32 == <uint8_t> word[at]:
        at += 1
    return at == size


cdef inline bint is_space(uint8_t code) noexcept:
    """Return whether a character of ASCII is white space for a regular expression."""
    return code == 32 or 9 <= code <= 13 or 28 <= code <= 31


cdef uint8_t[128] SEPARATES  # whether a declaration of a style may begin after a character


cdef void fill_separates() noexcept:
    cdef int code
    for code in range(128):
        SEPARATES[code] = is_space(code) or code == 59  # a semicolon


fill_separates()


cdef bint style_hides(object style, object hides_by_style) except -1:
    """Return whether an inline style hides an element; see `hides_by_style`."""
    cdef const uint8_t* letters
    cdef Py_ssize_t at = 0, first, past, length = PyUnicode_GET_LENGTH(style)
    cdef bint is_display, shows_nothing = False, is_invisible = False
    if not PyUnicode_IS_ASCII(style):
        return hides_by_style(style)
    letters = <const uint8_t*> PyUnicode_DATA(style)
    while at < length:
        first = at
        if at or letters[at] | 32 != 100 and letters[at] | 32 != 118:  # d, v
            while at < length and not SEPARATES[letters[at]]:
                at += 1
            first = at + 1
            if first >= length:
                break
        at += 1
        is_display = is_word(letters + first, length - first, "display", 7)
        if not is_display and not is_word(letters + first, length - first, "visibility", 10):
            continue
        past = first + (7 if is_display else 10)
        while past < length and is_space(letters[past]):
            past += 1
        if past == length or letters[past] != 58:  # a colon
            continue
        past += 1
        while past < length and is_space(letters[past]):
            past += 1
        first = at = past
        while at < length and (
            97 <= letters[at] | 32 <= 122 or 48 <= letters[at] <= 57
            or letters[at] == 45 or letters[at] == 95
        ):
            at += 1
        if is_display:
            shows_nothing = at - first == 4 and is_word(letters + first, 4, "none", 4)
        else:
            is_invisible = (
                at - first == 6 and is_word(letters + first, 6, "hidden", 6)
                or at - first == 8 and is_word(letters + first, 8, "collapse", 8)
            )
    return shows_nothing or is_invisible


cdef bint is_exception(object node, uint16_t own, bint is_found, object hides_by_style) except -1:
    """Return whether an element hides its content although its name does not, or the reverse."""
    cdef object style
    if own & HIDES:
        return own & MAY_BE_EXCEPTION and call_method(ATTR, node, SHADOW_ROOT_MODE) is not None
    if own & MAY_BE_EXCEPTION and call_method(ATTR, node, OPEN) is None:  # a dialog
        return True
    if not is_found:
        return False
    style = call_method(ATTR, node, STYLE)
    if style is not None and style_hides(style, hides_by_style):
        return True
    return call_method(ATTR, node, HIDDEN) is not None


cdef bint is_line(object box) except -1:
    """Return whether a box has the class `line`."""
    cdef object given = call_method(ATTR, box, CLASS)
    return given is not None and "line" in (<str> given).split()


cdef bint is_styled_as_code(object box) except -1:
    """Return whether the inline style of a box is that of code; see `stated_kinds`."""
    cdef object style = call_method(ATTR, box, STYLE)
    return style is not None and "white-space" in <str> style and "monospace" in <str> style


cdef bint has_address(object anchor) except -1:
    return (
        call_method(ATTR, anchor, HREF) is not None
        or call_method(ATTR, anchor, XLINK_HREF) is not None
    )


cdef enum:  # fields of `StatedKinds`
    HEADINGS, CHECK_BOXES, TEX, LINKED_DATA, GRAPH_TYPES, SIGNS_OF_SOFTWARE


cdef struct Tag:
    uint64_t name  # see `packed_name`; 0: none
    uint16_t number


cdef enum:
    PLACES = 1024  # of the table of tags, some eight times as many as there are names
    LONGEST = 8  # characters of a name in it
    MOST_BOXES = 100  # `_MOST_BOXES` of `thresher.page.parse`
    LAST_NUMBER = 65535  # `LAST_ID` of `thresher.page.tags`


cdef class Tags:
    """A hash table of the numbers of tags with short names: to hash a `str` takes far longer."""

    cdef Tag[PLACES] places
    cdef dict numbers  # of the names that have the same number on every page
    cdef uint16_t body

    def __init__(self, dict numbers):
        """Enter the short names of a dictionary of numbers by name."""
        cdef Tag* place
        cdef uint64_t packed
        self.numbers, self.body = numbers, numbers["body"]
        for name, number in numbers.items():
            packed = packed_name(name)
            if packed:
                place = self.place_of(packed)
                place.name, place.number = packed, number

    cdef inline Tag* place_of(self, uint64_t packed) noexcept:
        """Return where a name is, or the free place where it would be."""
        cdef Py_ssize_t at = (packed * <uint64_t> 0x9E3779B97F4A7C15) >> 54
        while self.places[at].name and self.places[at].name != packed:
            at = (at + 1) % PLACES
        return &self.places[at]

    cdef uint16_t number_of(self, object name, dict others) except? 0:
        """Return the number of a name; `others` has those of the page, in order of appearance."""
        cdef PyObject* known = PyDict_GetItem(self.numbers, name)
        if known == NULL:
            known = PyDict_GetItem(others, name)
        if known == NULL:
            others[name] = min(len(self.numbers) + len(others), LAST_NUMBER)
            known = PyDict_GetItem(others, name)
        return <object> known


cdef inline uint64_t packed_name(object name) noexcept:
    """Return the characters of a name as one number; 0 for an empty, long or unusual one."""
    cdef const uint8_t* letters
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(name)
    if length > LONGEST or length == 0 or not PyUnicode_IS_ASCII(name):
        return 0
    letters = <const uint8_t*> PyUnicode_DATA(name)
    if length < 4:  # some characters are read twice, so that no loop is needed
        return (
            letters[0] | <uint64_t> letters[length // 2] << 8 * (length // 2)
            | <uint64_t> letters[length - 1] << 8 * (length - 1)
        )
    return four(letters) | four(letters + length - 4) >> 8 * (8 - length) << 32


cdef inline uint64_t four(const uint8_t* letters) noexcept:
    """Return four characters as one number."""
    return (
        letters[0] | <uint64_t> letters[1] << 8 | <uint64_t> letters[2] << 16
        | <uint64_t> letters[3] << 24
    )


cdef struct Open:  # an element whose end is still to come, or the fragment inside a template
    Py_ssize_t left  # children still to come
    int32_t row  # of the element, or of the template
    int32_t level  # of its children
    int32_t block  # row of the nearest block-level element, itself included
    uint16_t bits  # of its tag; HIDES if it hides its content, IS_LINK if it has an address
    uint16_t inside  # the bits of INHERITED that it or an element around it has
    bint is_element


def walk(
    list nodes,
    list found,
    Tags tags,
    dict others,
    const uint16_t[::1] bits,
    const uint8_t[::1] classes,
    object hides_by_style,
    uint16_t[::1] tag,
    int32_t[:, ::1] numbers,
    uint8_t[:, ::1] bools,
    object stated,
):
    """Fill the columns from the nodes of a page in document order.

    The columns have room for every node, and `nodes` is cut to those that are rows. In the same
    order, `found` has the elements that `parse._UNUSUAL` selects. Names that `tags` does not have
    are entered in `others`. `bits` has the bits of each tag number, `classes` the class of each
    code point. Rows are appended to the lists of `stated`. `numbers` and `bools` have one line for
    each column (see `Walked`).

    Returns the texts, the number of blocks, whether `Mending` has to look at the texts, whether
    `closed` has to look at the page, the deepest level, the row of the body (-1: there is none),
    the number of words, `Page.present`, the places of `_texts_of_one_sign`, and `_may_have_lines`;
    None if an element of `found` is not among the nodes.
    """
    cdef Py_ssize_t size = PyList_GET_SIZE(nodes), index, next_found = 0, left, word_count = 0
    cdef Py_ssize_t found_size = PyList_GET_SIZE(found), known_tags = len(tags.numbers)
    cdef int32_t row = 0, last_solid = -1, block = -1, at_text = 0, deepest = 0, body = -1
    cdef bint blank_between = False, last_ends_with_space = False
    cdef bint is_found, is_hidden, closed_late = False, unclosed
    cdef bint has_lines = False  # see `_may_have_lines`
    cdef int parts = 0, boxes = 0  # elements `code` of a `pre`, and of all boxes
    cdef bint run_is_broken = False, block_is_broken = True
    cdef uint16_t own = 0, number = 0, inside
    cdef int32_t* end = &numbers[END, 0]
    cdef int32_t* parent = &numbers[PARENT, 0]
    cdef int32_t* level = &numbers[LEVEL, 0]
    cdef int32_t* chars = &numbers[CHARS, 0]
    cdef int32_t* words = &numbers[WORDS, 0]
    cdef int32_t* around = &numbers[AROUND, 0]
    cdef int32_t* block_chars = &numbers[BLOCK_CHARS, 0]
    cdef uint8_t* linked = &bools[LINKED, 0]
    cdef uint8_t* hidden = &bools[HIDDEN_ROWS, 0]
    cdef object name, text
    cdef PyObject* node  # of the list, which keeps it
    cdef void* kind = NULL
    cdef void* element_type = <void*> Element
    cdef void* text_type = <void*> Text
    cdef void* data_type = <void*> CData
    cdef uint64_t packed
    cdef Tag* place
    cdef Measure measure
    cdef list texts = [], of_one_sign = []
    cdef bytes present = PyBytes_FromStringAndSize(NULL, known_tags)
    cdef uint8_t* is_present = <uint8_t*> PyBytes_AS_STRING(present)
    cdef Wrong wrong
    wrong.controls = wrong.western = wrong.cyrillic = wrong.others = 0
    memset(is_present, 0, known_tags)
    cdef Open* opened = <Open*> malloc((size + 1) * sizeof(Open))
    cdef Open* above = opened
    cdef Open* last = opened
    cdef Open* inner
    if opened == NULL:
        raise MemoryError
    # What is around the root never ends.
    above.left, above.row, above.level, above.block = size + 1, -1, 0, -1
    above.bits = above.inside = 0
    above.is_element = False
    try:
        for index in range(size):
            node = PyList_GET_ITEM(nodes, index)
            kind = Py_TYPE(node)
            if above.level > deepest:
                deepest = above.level
            above.left -= 1
            if kind == element_type:
                if row < index:
                    swap_items(nodes, row, index)
                name = read_attribute(TAG, <object> node)
                packed = packed_name(name)
                place = tags.place_of(packed)
                if packed and place.name:
                    number = place.number
                else:
                    number = tags.number_of(name, others)
                own = bits[number]
                is_found = (
                    next_found < found_size and node == PyList_GET_ITEM(found, next_found)
                )
                if is_found or own & MAY_BE_EXCEPTION:
                    if is_exception(<object> node, own, is_found, hides_by_style):
                        own ^= HIDES
                if is_found:
                    next_found += 1
                    if own & IS_LINK and not has_address(<object> node):
                        own ^= IS_LINK
                    if call_method(ATTR, <object> node, ROLE) == "heading":
                        (<list> stated[HEADINGS]).append(row)
                    if number == BOX and is_styled_as_code(<object> node):
                        (<list> stated[SIGNS_OF_SOFTWARE]).append(row)
                if above.inside & IS_PRE and not has_lines:
                    parts += number == CODE
                    has_lines = number == BOX or parts > 1
                elif own & IS_PRE:
                    parts = 0
                if number == CODE and above.row >= 0 and tag[above.row] == BOX:
                    boxes += 1
                    if boxes <= MOST_BOXES and not has_lines:
                        has_lines = is_line(<object> PyList_GET_ITEM(nodes, above.row))
                if own & IS_TYPED:
                    note_type(<object> node, number, row, stated)
                left = PyObject_Size(<object> node)
                inner = above + 1
                inner.left, inner.row, inner.level = left, row, above.level + 1
                inner.block = row if own & IS_BLOCK else above.block
                inner.bits, inner.inside, inner.is_element = own, above.inside | own & INHERITED, True
                tag[row], end[row], parent[row], level[row] = number, row + 1, above.row, above.level
                chars[row] = words[row] = 0
                around[row] = inner.block
                linked[row] = (inner.inside & IS_LINK) != 0
                hidden[row] = (inner.inside & HIDES) != 0
                run_is_broken |= (own & BREAKS_RUN) != 0
                block_is_broken |= (own & IS_BLOCK) != 0
                if number < known_tags:
                    is_present[number] = True
                if number == tags.body and above.level == 1 and body < 0:
                    body = row
                row += 1
                if left:
                    closed_late |= (own & MAY_HOLD_BODY) != 0
                    above = inner
            elif kind == text_type or kind == data_type:
                if row < index:
                    swap_items(nodes, row, index)
                inside = above.inside
                tag[row], end[row], parent[row], level[row] = 0, row + 1, above.row, above.level
                around[row] = above.block
                linked[row], hidden[row] = (inside & IS_LINK) != 0, (inside & HIDES) != 0
                # See `visibility`.
                is_hidden = hidden[row] and not above.bits & IS_BRACKET and (
                    (inside & IS_FORMULA) == 0 or (inside & IS_ANNOTATION) != 0
                )
                if above.bits & IS_RAW:
                    text = ""  # scripts and styles are not read
                else:
                    text = read_attribute(DATA, <object> node) if kind == text_type else (<object> node).data
                if not PyUnicode_IS_ASCII(text):
                    count_wrong_in(text, &wrong)
                    if block_is_broken and is_unseen(text):  # see `_seen_texts`
                        text = seen(text)
                texts.append(text)
                measure = measure_text(text, &classes[0])
                if measure.has_surrogate:
                    raise UnicodeEncodeError("utf-32-le", text, 0, 1, "surrogates not allowed")
                chars[row], words[row] = measure.chars, measure.words
                numbers[TEXT_ROWS, at_text] = row
                numbers[OF_TEXT, at_text] = -1
                bools[HIDDEN_TEXTS, at_text] = is_hidden
                if measure.chars:
                    if measure.chars == 1 and is_bracket_or_one(text):
                        of_one_sign.append(at_text)
                    if block_is_broken:  # see `views.blocks`
                        block += 1
                        numbers[FIRST, block], numbers[TEXTS_FROM, block] = row, at_text
                        numbers[BLOCK_PARENT, block] = above.block
                        block_chars[block] = 0
                        numbers[BLOCK_WORDS, block] = numbers[BLOCK_LINKED, block] = 0
                        bools[BEGINS_HIDDEN, block] = hidden[row]
                        bools[HIDDEN_BLOCKS, block] = True
                        block_is_broken = False
                    if last_solid >= 0 and not run_is_broken:  # see `_add_spaces`
                        if last_ends_with_space or blank_between:
                            chars[last_solid] += 1
                            block_chars[block] += 1
                        elif measure.begins_with_space:
                            chars[row] += 1
                    last_solid, last_ends_with_space = row, measure.ends_with_space
                    blank_between = run_is_broken = False
                    word_count += measure.words
                    numbers[OF_TEXT, at_text] = block
                    numbers[LAST, block], numbers[TEXTS_TO, block] = row, at_text
                    block_chars[block] += chars[row]
                    numbers[BLOCK_WORDS, block] += measure.words
                    if linked[row]:
                        numbers[BLOCK_LINKED, block] += measure.words
                    if not is_hidden:
                        bools[HIDDEN_BLOCKS, block] = False
                elif PyUnicode_GET_LENGTH(text):
                    blank_between = True
                at_text += 1
                row += 1
            else:  # a comment, or the fragment inside a template, whose children become its own
                left = PyObject_Size(<object> node)
                if left:
                    inner = above + 1
                    inner[0] = above[0]
                    inner.left, inner.is_element = left, False
                    above = inner
            last = above
            while above.left == 0:
                if above.is_element:
                    end[above.row] = row
                    run_is_broken |= (above.bits & BREAKS_RUN) != 0
                    block_is_broken |= (above.bits & IS_BLOCK) != 0
                above -= 1
        # Is the last node inside of an element that runs to the end of the page?
        unclosed = kind != text_type and kind != data_type
        if kind == element_type:
            unclosed = (own & MAY_BE_UNCLOSED) != 0 or number == tags.body
        while last.row >= 0:
            unclosed |= last.is_element and (last.bits & MAY_BE_UNCLOSED) != 0
            last -= 1
    finally:
        free(opened)
    del nodes[row:]
    is_present[0] = at_text > 0
    cdef bint may_be_wrong = (
        wrong.controls > 0 or wrong.western >= 2
        or (wrong.cyrillic >= 2 and 8 * wrong.cyrillic >= wrong.others)
    )
    if next_found < found_size:
        return None
    return (
        tuple(texts), block + 1, may_be_wrong, closed_late or unclosed, deepest, body, word_count,
        present, of_one_sign, has_lines,
    )


def mark_nodes(list nodes, list found, uint8_t[::1] marks):
    """Write 1 for each node that is in `found`, which has the same order, else 0.

    Return whether all that were found are among the nodes.
    """
    cdef Py_ssize_t index, at = 0, size = PyList_GET_SIZE(found)
    for index in range(PyList_GET_SIZE(nodes)):
        marks[index] = at < size and PyList_GET_ITEM(nodes, index) == PyList_GET_ITEM(found, at)
        at += marks[index]
    return at == size


def read_distinct(list nodes, const int64_t[::1] rows, str name, int64_t[::1] index):
    """Return the distinct values of an attribute in some rows, and write the number of each.

    The rows are elements.
    """
    cdef tuple names = (name,)
    cdef dict numbers = {}
    cdef list values = []
    cdef object node, value
    cdef PyObject* known
    cdef Py_ssize_t at
    for at in range(min(rows.shape[0], index.shape[0])):
        node = nodes[rows[at]]
        value = call_method(ATTR, node, names) if type(node) is Element else node.attr(name)
        known = PyDict_GetItem(numbers, value)
        if known == NULL:
            index[at] = numbers[value] = PyList_GET_SIZE(values)
            values.append(value)
        else:
            index[at] = <object> known
    return values
