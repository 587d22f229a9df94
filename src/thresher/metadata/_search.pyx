"""The compiled searches of `thresher.metadata.search`, which has the plain version of each."""

from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM
from cpython.object cimport PyObject
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t

cdef extern from "Python.h":
    uint32_t PyUnicode_READ(int kind, const void* data, Py_ssize_t index) nogil
    void* PyUnicode_DATA(object text)
    int PyUnicode_KIND(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t


cdef bint holds(
    const character* text, Py_ssize_t length, const uint8_t* is_first, list words
) noexcept:
    """Return whether a text contains one of the words; `is_first` has the first letters."""
    cdef Py_ssize_t at, place, size
    cdef bytes word
    cdef const uint8_t* letters
    for at in range(length - 1):
        if text[at] > 127 or not is_first[text[at]]:
            continue
        for word in words:
            letters, size = word, len(word)
            if text[at + 1] != letters[1] or text[at] != letters[0] or at + size > length:
                continue
            place = 2
            while place < size and text[at + place] == letters[place]:
                place += 1
            if place == size:
                return True
    return False


def find_texts(tuple texts, list words):
    """Return the places of the texts with one of the words, of two or more letters in ASCII."""
    cdef uint8_t[128] is_first
    cdef Py_ssize_t at, length
    cdef int kind
    cdef const void* data
    cdef bint found
    cdef object text
    cdef bytes word
    cdef list places = []
    for at in range(128):
        is_first[at] = False
    for word in words:
        is_first[<uint8_t> word[0]] = True
    for at in range(len(texts)):
        text = texts[at]
        length, kind, data = PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        if length < 2:
            continue
        if kind == 1:
            found = holds(<const uint8_t*> data, length, is_first, words)
        elif kind == 2:
            found = holds(<const uint16_t*> data, length, is_first, words)
        else:
            found = holds(<const uint32_t*> data, length, is_first, words)
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
