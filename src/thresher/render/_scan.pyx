"""Compiled loops over the characters of texts; `scan` has the plain version of each."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)


ctypedef fused code_point:
    uint8_t
    uint16_t
    uint32_t


cdef bint are_any(
    const code_point* text, Py_ssize_t size, const unsigned char* table
) noexcept nogil:
    cdef Py_ssize_t at
    for at in range(size):
        if code_point is uint8_t:
            if table[text[at]]:
                return True
        elif text[at] < 256 and table[text[at]]:
            return True
    return False


cdef bint has(str text, const unsigned char* table):
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    if kind == 1:
        return are_any(<const uint8_t*> data, size, table)
    if kind == 2:
        return are_any(<const uint16_t*> data, size, table)
    return are_any(<const uint32_t*> data, size, table)


def has_any(str text, bytes characters):
    """Return whether the text has one of the characters."""
    return has(text, characters)


def has_tex_marks(list texts):
    """Return whether the texts, joined, have a backslash or two dollars side by side."""
    cdef str text
    cdef int state = 0  # 1 after a dollar, 2 once something is found
    cdef int kind
    cdef void* data
    cdef Py_ssize_t size
    for text in texts:
        kind, data, size = PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)
        if size == 0:
            continue
        if kind == 1:
            state = find_marks(<const uint8_t*> data, size, state)
        elif kind == 2:
            state = find_marks(<const uint16_t*> data, size, state)
        else:
            state = find_marks(<const uint32_t*> data, size, state)
        if state == 2:
            return True
    return False


cdef int find_marks(const code_point* text, Py_ssize_t size, int state) noexcept nogil:
    cdef Py_ssize_t at
    for at in range(size):
        if text[at] == 92:
            return 2
        if text[at] == 36:
            if state:
                return 2
            state = 1
        else:
            state = 0
    return state
