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


def any_has(list texts, bytes characters):
    """Return whether one of the texts has one of the characters."""
    cdef const unsigned char* table = characters
    cdef str text
    for text in texts:
        if has(text, table):
            return True
    return False
