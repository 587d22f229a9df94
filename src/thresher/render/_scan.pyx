"""Compiled loops over the characters of texts; `scan` has the plain version of each."""

from libc.stdint cimport uint32_t

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index) nogil
    void PyUnicode_WRITE(int kind, void* data, Py_ssize_t index, uint32_t value) nogil
    uint32_t PyUnicode_MAX_CHAR_VALUE(object text)
    object PyUnicode_New(Py_ssize_t size, uint32_t largest)


cdef inline bint is_space(uint32_t character) noexcept nogil:
    return character == 32 or 9 <= character <= 13 and character != 11


def collapse_spaces(str text):
    """Return the text with each run of white space as one space."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef void* written
    cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(text), count = 0
    cdef uint32_t character
    cdef bint after_space = False, changes = False
    for at in range(size):
        character = PyUnicode_READ(kind, data, at)
        if is_space(character):
            changes |= after_space or character != 32
            count += not after_space
            after_space = True
        else:
            count += 1
            after_space = False
    if not changes:
        return text
    found = PyUnicode_New(count, PyUnicode_MAX_CHAR_VALUE(text))
    written = PyUnicode_DATA(found)
    count = 0
    after_space = False
    for at in range(size):
        character = PyUnicode_READ(kind, data, at)
        if not is_space(character):
            PyUnicode_WRITE(kind, written, count, character)
            count += 1
            after_space = False
        elif not after_space:
            PyUnicode_WRITE(kind, written, count, 32)
            count += 1
            after_space = True
    return found


def has_any(str text, bytes characters):
    """Return whether the text has one of the characters."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef const unsigned char* table = characters
    cdef Py_ssize_t at
    cdef uint32_t character
    for at in range(PyUnicode_GET_LENGTH(text)):
        character = PyUnicode_READ(kind, data, at)
        if character < 256 and table[character]:
            return True
    return False
