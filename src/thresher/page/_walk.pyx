"""The compiled walk over the parser's nodes: fills all columns of a page in one pass.

`thresher.page.parse` has the plain version, which defines each column. Only public attributes of
turbohtml's nodes are used.
"""

from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc

import turbohtml

cdef extern from "Python.h":
    void* PyUnicode_DATA(object text)
    int PyUnicode_KIND(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef object Element = turbohtml.Element
cdef object Text = turbohtml.Text
cdef object CData = turbohtml.CData

cdef enum:  # classes of characters, as in `thresher.page.words`
    OTHER, RUN, SINGLE, SPACE, MARK

cdef enum:  # bits of a tag, as in `thresher.page.parse`
    BREAKS_RUN = 1
    HIDES = 2
    IS_RAW = 4
    IS_LINK = 8
    MAY_BE_EXCEPTION = 16

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


cdef Measure measure_characters(
    const character* text, Py_ssize_t length, const uint8_t* classes
) noexcept nogil:
    """Count characters, white space collapsed and trimmed, and words (see `Letters.measure`)."""
    cdef Measure found
    cdef Py_ssize_t at
    cdef uint8_t kind, before = SPACE
    found.chars = found.words = 0
    found.has_surrogate = False
    for at in range(length):
        kind = classes[text[at]]
        if character is not uint8_t:
            found.has_surrogate |= 0xD800 <= text[at] <= 0xDFFF
            if kind == MARK:
                kind = RUN if before == RUN else OTHER
        if kind != SPACE:
            found.chars += 1 + (before == SPACE)
            found.words += kind == SINGLE or (kind == RUN and before != RUN)
        before = kind
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


cdef bint may_hide(object style):
    """Return whether a style sets what hides an element; most set colours and sizes."""
    cdef str text = (style or "").lower()
    return "display" in text or "visibility" in text


cdef struct Open:  # an element whose end is still to come, or the fragment inside a template
    Py_ssize_t row  # of the element, or of the template
    Py_ssize_t left  # children still to come
    bint is_element
    bint breaks_run
    bint hides
    bint is_link


def walk(
    list nodes,
    list found,
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
):
    """Fill the columns from the nodes of a page in document order.

    The columns have room for every node, and `nodes` is cut to those that are rows. `found` has, in
    the same order, the elements with an attribute `hidden`, `style` or `id`, and the anchors
    without `href`. `bits` has the bits of each tag number, `classes` the class of each code point.

    Returns the texts and the deepest level; None if an element of `found` is not among the nodes.
    """
    cdef Py_ssize_t size = PyList_GET_SIZE(nodes), found_size = PyList_GET_SIZE(found)
    cdef Py_ssize_t index, row = 0, next_found = 0, depth = 0, last_solid = -1
    cdef int32_t level_now = 0, deepest = 0, hidden_depth = 0, link_depth = 0
    cdef bint blank_between = False, last_ends_with_space = False, broken = False
    cdef bint hides, is_link
    cdef uint8_t own
    cdef uint16_t number
    cdef PyObject* known
    cdef object node, kind, text, given
    cdef Measure measure
    cdef list texts = []
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
                known = PyDict_GetItem(numbers, node.tag)
                number = <object> known if known != NULL else numbers[node.tag]
                own = bits[number]
                hides, is_link = (own & HIDES) != 0, (own & IS_LINK) != 0
                has_id[row] = False
                if next_found < found_size and node is <object> PyList_GET_ITEM(found, next_found):
                    next_found += 1
                    given = node.attrs
                    has_id[row] = "id" in given
                    if (
                        own & MAY_BE_EXCEPTION
                        or "hidden" in given
                        or ("style" in given and may_hide(node.attr("style")))
                    ):
                        hides ^= <bint> is_exception(node)
                    if is_link:
                        is_link = "href" in given or "xlink:href" in given
                elif own & MAY_BE_EXCEPTION:
                    hides ^= <bint> is_exception(node)
                opened.row, opened.left = row, len(node)
                opened.is_element, opened.breaks_run = True, (own & BREAKS_RUN) != 0
                opened.hides, opened.is_link = hides, is_link
                broken |= opened.breaks_run
                hidden_depth += hides
                link_depth += is_link
                tag[row] = number
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
                linked[row], hidden[row] = link_depth > 0, hidden_depth > 0
                if bits[tag[parent[row]]] & IS_RAW:
                    text = ""  # scripts and styles are not read
                else:
                    text = node.data
                texts.append(text)
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
    return (tuple(texts), deepest) if next_found == found_size else None
