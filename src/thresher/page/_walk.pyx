"""The compiled walk over the parser's nodes: fills all columns of a page in one pass.

`thresher.page.parse` has the plain version, which defines each column. Only public attributes of
turbohtml's nodes are used.
"""

from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from inspect import getattr_static

import turbohtml

from thresher.page.node_calls cimport call_method, read_attribute

cdef extern from "Python.h":
    void* PyUnicode_DATA(object text)
    int PyUnicode_KIND(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    bint PyUnicode_IS_ASCII(object text)

cdef object Element = turbohtml.Element
cdef object Text = turbohtml.Text
cdef object CData = turbohtml.CData

cdef object TAG = getattr_static(Element, "tag")
cdef object DATA = getattr_static(Text, "data")
cdef object ATTR = getattr_static(Element, "attr")
cdef tuple HIDDEN = ("hidden",), STYLE = ("style",), HREF = ("href",), XLINK_HREF = ("xlink:href",)
cdef tuple ROLE = ("role",), PROPERTY = ("property",), TYPE = ("type",)

cdef enum:  # classes of characters, as in `thresher.page.words`
    OTHER, RUN, SINGLE, SPACE, MARK

cdef enum:  # bits of a tag, as in `thresher.page.parse`
    BREAKS_RUN = 1
    HIDES = 2
    IS_RAW = 4
    IS_LINK = 8
    MAY_BE_EXCEPTION = 16
    IS_TYPED = 32  # a script, an input or a meta element
    MAY_BE_UNCLOSED = 64
    MAY_HOLD_BODY = 128

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


def has_surrogates(str text):
    """Return whether a text has lone surrogates, which cannot be encoded."""
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t at, length = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef uint16_t found_16 = 0  # of the width of the characters, so that many are compared at once
    cdef uint32_t found_32 = 0
    with nogil:
        if kind == 2:
            for at in range(length):
                found_16 |= <uint16_t> (((<const uint16_t*> data)[at] >> 11) == 27)
        elif kind == 4:
            for at in range(length):
                found_32 |= <uint32_t> (((<const uint32_t*> data)[at] >> 11) == 27)
    return found_16 != 0 or found_32 != 0  # from 0xD800 to 0xDFFF


cdef int note_type(object node, object name, Py_ssize_t row, object stated) except -1:
    """Append the row of a typed element to the lists of `StatedKinds` that it belongs to."""
    cdef object given
    cdef str kind
    if name == "meta":
        given = call_method(ATTR, node, PROPERTY)
        if given is not None and given == "og:type":
            (<list> stated[GRAPH_TYPES]).append(row)
        return 0
    given = call_method(ATTR, node, TYPE)
    if not given:
        return 0
    kind = (<str> given).strip().lower()
    if name == "input":
        if kind == "checkbox":
            (<list> stated[CHECK_BOXES]).append(row)
        return 0
    if kind.startswith("math/tex"):
        (<list> stated[TEX]).append(row)
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


cdef bint may_hide(object node) except -1:
    """Return whether an attribute of an element may hide it; most styles set colours and sizes."""
    cdef object style = call_method(ATTR, node, STYLE)
    cdef const uint8_t* letters
    cdef Py_ssize_t at, length
    cdef uint8_t code
    cdef bint has_display = False, has_none = False
    if style is not None:
        if PyUnicode_KIND(style) != 1:
            return True
        letters, length = <const uint8_t*> PyUnicode_DATA(style), PyUnicode_GET_LENGTH(style)
        for at in range(length):
            code = letters[at] | 32
            if code == 100:  # a d
                has_display |= is_word(letters + at, length - at, "display", 7)
            elif code == 110:
                has_none |= is_word(letters + at, length - at, "none", 4)
            elif code == 118 and is_word(letters + at, length - at, "visibility", 10):
                return True
        if has_display and has_none:
            return True
    return call_method(ATTR, node, HIDDEN) is not None


cdef enum:  # fields of `StatedKinds`
    HEADINGS, CHECK_BOXES, TEX, LINKED_DATA, GRAPH_TYPES


cdef struct Tag:
    uint64_t name  # its characters, of one byte each; 0: none
    uint16_t number


cdef enum:
    PLACES = 1024  # of the table of tags, some eight times as many as there are names
    LONGEST = 8  # characters of a name in it


cdef class Tags:
    """A hash table of the numbers of tags with short names: to hash a `str` takes far longer."""

    cdef Tag[PLACES] places

    def __init__(self, dict numbers):
        """Enter the short names of a dictionary of numbers by name."""
        cdef Tag* place
        cdef uint64_t packed
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


cdef inline uint64_t packed_name(object name) noexcept:
    """Return the characters of a name as one number; 0 for an empty, long or unusual one."""
    cdef const uint8_t* letters
    cdef Py_ssize_t at, length = PyUnicode_GET_LENGTH(name)
    cdef uint64_t packed = 0
    if length > LONGEST or not PyUnicode_IS_ASCII(name):
        return 0
    letters = <const uint8_t*> PyUnicode_DATA(name)
    for at in range(length):
        packed = packed << 8 | letters[at]
    return packed


cdef struct Open:  # an element whose end is still to come, or the fragment inside a template
    Py_ssize_t row  # of the element, or of the template
    Py_ssize_t left  # children still to come
    bint is_element
    bint breaks_run
    bint hides
    bint is_link
    bint may_be_unclosed


def walk(
    list nodes,
    list found,
    list with_id,
    Tags tags,
    object numbers,
    const uint8_t[::1] bits,
    const uint8_t[::1] classes,
    object is_exception,
    uint16_t[::1] tag,
    int32_t[::1] end,
    int32_t[::1] parent,
    int32_t[::1] level,
    int32_t[::1] chars,
    int32_t[::1] words,
    uint8_t[::1] linked,
    uint8_t[::1] hidden,
    uint8_t[::1] has_id,
    int32_t[::1] text_rows,
    object stated,
):
    """Fill the columns from the nodes of a page in document order.

    The columns have room for every node, and `nodes` is cut to those that are rows. In the same
    order, `found` has the elements with an attribute `hidden` or `style` or the role of a heading,
    and the anchors without `href`, and `with_id` has the elements with an id. `tags` has the tags
    of `numbers`. `bits` has the bits of each tag number, `classes` the class of each code
    point. Rows are appended to the lists of `stated`.

    Returns the texts, whether `Mending` has to look at them, whether `closed` has to look at the
    page, the deepest level, and the row of the body (-1: there is none); None if an element of
    `found` or `with_id` is not among the nodes.
    """
    cdef Py_ssize_t size = PyList_GET_SIZE(nodes), index, inner, row = 0, depth = 0, last_solid = -1
    cdef Py_ssize_t found_size = PyList_GET_SIZE(found), next_found = 0
    cdef Py_ssize_t id_size = PyList_GET_SIZE(with_id), next_id = 0
    cdef int32_t level_now = 0, deepest = 0, hidden_depth = 0, link_depth = 0
    cdef bint blank_between = False, last_ends_with_space = False, broken = False
    cdef bint hides, is_link, closed_late = False, unclosed = False
    cdef uint8_t own = 0
    cdef uint16_t number = 0, body_number = numbers["body"]
    cdef Py_ssize_t body = -1
    cdef PyObject* known
    cdef object node, kind, name, text
    cdef uint64_t packed
    cdef Tag* place
    cdef Measure measure
    cdef list texts = []
    cdef Wrong wrong
    wrong.controls = wrong.western = wrong.cyrillic = wrong.others = 0
    cdef Open* around = <Open*> malloc((size + 1) * sizeof(Open))
    cdef Open* opened
    if around == NULL:
        raise MemoryError
    try:
        for index in range(size):
            node = <object> PyList_GET_ITEM(nodes, index)
            kind = type(node)
            if level_now > deepest:
                deepest = level_now
            if depth:
                around[depth - 1].left -= 1
            if kind is Element or kind is Text or kind is CData:
                if row < index:
                    nodes[row] = node
                parent[row] = around[depth - 1].row if depth else -1
                level[row] = level_now
                chars[row] = words[row] = 0
                end[row] = row + 1
            opened = &around[depth]
            opened.left = 0
            if kind is Element:
                name = read_attribute(TAG, node)
                packed = packed_name(name)
                place = tags.place_of(packed)
                if packed and place.name:
                    number = place.number
                else:
                    known = PyDict_GetItem(numbers, name)
                    number = <object> known if known != NULL else numbers[name]
                own = bits[number]
                hides, is_link = (own & HIDES) != 0, (own & IS_LINK) != 0
                has_id[row] = False
                if next_id < id_size and node is <object> PyList_GET_ITEM(with_id, next_id):
                    has_id[row] = True
                    next_id += 1
                if next_found < found_size and node is <object> PyList_GET_ITEM(found, next_found):
                    next_found += 1
                    if own & MAY_BE_EXCEPTION or may_hide(node):
                        hides ^= <bint> is_exception(node)
                    if is_link:
                        is_link = (
                            call_method(ATTR, node, HREF) is not None
                            or call_method(ATTR, node, XLINK_HREF) is not None
                        )
                    if call_method(ATTR, node, ROLE) == "heading":
                        (<list> stated[HEADINGS]).append(row)
                elif own & MAY_BE_EXCEPTION:
                    hides ^= <bint> is_exception(node)
                if own & IS_TYPED:
                    note_type(node, name, row, stated)
                opened.row, opened.left = row, len(node)
                opened.may_be_unclosed = (own & MAY_BE_UNCLOSED) != 0
                closed_late |= (own & MAY_HOLD_BODY) != 0 and opened.left
                opened.is_element, opened.breaks_run = True, (own & BREAKS_RUN) != 0
                opened.hides, opened.is_link = hides, is_link
                broken |= opened.breaks_run
                hidden_depth += hides
                link_depth += is_link
                tag[row] = number
                if number == body_number and level_now == 1 and body < 0:
                    body = row
                linked[row], hidden[row] = link_depth > 0, hidden_depth > 0
                row += 1
                if opened.left:
                    depth += 1
                    level_now += 1
                else:
                    hidden_depth -= hides
                    link_depth -= is_link
            elif kind is Text or kind is CData:
                tag[row] = 0
                has_id[row] = False
                text_rows[PyList_GET_SIZE(texts)] = row
                linked[row], hidden[row] = link_depth > 0, hidden_depth > 0
                if bits[tag[parent[row]]] & IS_RAW:
                    text = ""  # scripts and styles are not read
                else:
                    text = read_attribute(DATA, node) if kind is Text else node.data
                texts.append(text)
                if not PyUnicode_IS_ASCII(text):
                    count_wrong_in(text, &wrong)
                measure = measure_text(text, &classes[0])
                if measure.has_surrogate:
                    raise UnicodeEncodeError("utf-32-le", text, 0, 1, "surrogates not allowed")
                chars[row], words[row] = measure.chars, measure.words
                if measure.chars:
                    if last_solid >= 0 and not broken:  # see `_add_spaces`
                        if last_ends_with_space or blank_between:
                            chars[last_solid] += 1
                        elif measure.begins_with_space:
                            chars[row] += 1
                    last_solid, last_ends_with_space = row, measure.ends_with_space
                    blank_between = broken = False
                elif PyUnicode_GET_LENGTH(text):
                    blank_between = True
                row += 1
            else:  # a comment, or the fragment inside a template, whose children become its own
                opened.left = len(node)
                if opened.left:
                    opened.row, opened.is_element = around[depth - 1].row, False
                    depth += 1
            if index == size - 1:  # is it inside of an element that runs to the end of the page?
                unclosed = kind is not Text and kind is not CData
                if kind is Element:
                    unclosed = (own & MAY_BE_UNCLOSED) != 0 or number == body_number
                for inner in range(depth):
                    unclosed |= around[inner].is_element and around[inner].may_be_unclosed
            while depth and around[depth - 1].left == 0:
                depth -= 1
                opened = &around[depth]
                if opened.is_element:
                    end[opened.row] = row
                    level_now -= 1
                    hidden_depth -= opened.hides
                    link_depth -= opened.is_link
                    broken |= opened.breaks_run
    finally:
        free(around)
    del nodes[row:]
    cdef bint may_be_wrong = (
        wrong.controls > 0 or wrong.western >= 2
        or (wrong.cyrillic >= 2 and 8 * wrong.cyrillic >= wrong.others)
    )
    if next_found < found_size or next_id < id_size:
        return None
    return tuple(texts), may_be_wrong, closed_late or unclosed, deepest, body
