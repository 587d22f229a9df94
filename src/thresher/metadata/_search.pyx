"""The compiled searches of `thresher.metadata.search`, which has the plain version of each."""

from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM
from cpython.object cimport PyObject
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t

cdef extern from "Python.h":
    void* PyUnicode_DATA(object text)
    int PyUnicode_KIND(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t


cdef enum:
    MOST_WORDS = 16

cdef struct Words:
    int count
    const uint8_t* letters[MOST_WORDS]
    Py_ssize_t size[MOST_WORDS]
    uint32_t second[128]  # for each first letter, the bits of the second letters


cdef bint holds(const character* text, Py_ssize_t length, const Words* words) noexcept nogil:
    """Return whether a text contains one of the words."""
    cdef Py_ssize_t at, place
    cdef int word
    for at in range(length - 1):
        if text[at] > 127 or not words.second[text[at]] >> (text[at + 1] & 31) & 1:
            continue
        for word in range(words.count):
            if at + words.size[word] > length:
                continue
            place = 0
            while place < words.size[word] and text[at + place] == words.letters[word][place]:
                place += 1
            if place == words.size[word]:
                return True
    return False


def find_texts(tuple texts, list words):
    """Return the places of the texts with one of the words, of two or more letters in ASCII."""
    cdef Words known
    cdef Py_ssize_t at, length
    cdef int kind
    cdef const void* data
    cdef bint found
    cdef object text
    cdef bytes word
    cdef list places = []
    assert len(words) <= MOST_WORDS
    known.count = 0
    for at in range(128):
        known.second[at] = 0
    for word in words:
        known.letters[known.count], known.size[known.count] = word, len(word)
        known.second[<uint8_t> word[0]] |= <uint32_t> 1 << (<uint8_t> word[1] & 31)
        known.count += 1
    for at in range(len(texts)):
        text = texts[at]
        length, kind, data = PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        if kind == 1:
            found = holds(<const uint8_t*> data, length, &known)
        elif kind == 2:
            found = holds(<const uint16_t*> data, length, &known)
        else:
            found = holds(<const uint32_t*> data, length, &known)
        if found:
            places.append(at)
    return places


cdef inline object fact(list nodes, Py_ssize_t row, object attr, object facts):
    """Return what `facts` has of the class of an element."""
    cdef object name = attr(<object> PyList_GET_ITEM(nodes, row), "class")
    cdef PyObject* known = PyDict_GetItem(facts, name)
    return <object> known if known != NULL else facts[name]


def find_around(
    list nodes,
    object attr,
    object facts,
    const int32_t[::1] parent,
    Py_ssize_t body,
    const Py_ssize_t[::1] rows,
    int levels,
    int8_t[::1] known,
):
    """Return the first fact that is not 0 of each element and those around it, else 0.

    `known` has -1 for every row of the page, and is filled in.
    """
    cdef Py_ssize_t at, row
    cdef int level, number
    cdef list found = []
    for at in range(rows.shape[0]):
        row, number = rows[at], 0
        for level in range(levels + 1):
            if row <= body:
                break
            if known[row] < 0:
                known[row] = fact(nodes, row, attr, facts)
            number = known[row]
            if number:
                break
            row = parent[row]
        found.append(number)
    return found


def find_short(
    list nodes,
    object attr,
    object facts,
    const uint16_t[::1] tag,
    const uint8_t[::1] hidden,
    const int32_t[::1] end,
    const int32_t[::1] text_rows,
    Py_ssize_t start,
    Py_ssize_t stop,
    Py_ssize_t most_texts,
):
    """Return the visible elements among some rows with a true fact, and with some texts inside.

    These are at least one and at most `most_texts`.
    """
    cdef Py_ssize_t row, text = 0, texts = text_rows.shape[0]
    cdef list found = []
    stop = min(stop, tag.shape[0])
    while text < texts and text_rows[text] < start:
        text += 1
    for row in range(start, stop):
        if tag[row] == 0:
            text += 1
            continue
        if hidden[row] or text == texts or text_rows[text] >= end[row]:
            continue
        if text + most_texts < texts and text_rows[text + most_texts] < end[row]:
            continue
        if fact(nodes, row, attr, facts):
            found.append(row)
    return found


def find_links(
    list nodes,
    object attr,
    const uint16_t[::1] tag,
    const uint8_t[::1] linked,
    const int32_t[::1] end,
    uint16_t anchor,
    list menus,
    Py_ssize_t[::1] rows,
    list addresses,
    list relations,
):
    """Fill in the links outside the menus, as many as `rows` has room for; return their number."""
    cdef Py_ssize_t row, after = 0, menu = 0, count = 0, size = tag.shape[0]
    cdef Py_ssize_t next_menu = menus[0] if menus else size
    cdef object node, value
    for row in range(size):
        if row == next_menu:
            after = max(after, end[row])
            menu += 1
            next_menu = menus[menu] if menu < len(menus) else size
        if tag[row] != anchor or not linked[row] or row < after:
            continue
        if count == rows.shape[0]:
            break
        rows[count] = row
        count += 1
        node = <object> PyList_GET_ITEM(nodes, row)
        value = attr(node, "href")
        addresses.append("" if value is None else value)
        value = attr(node, "rel")
        relations.append("" if value is None else value)
    return count
