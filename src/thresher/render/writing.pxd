"""A text that is written piece by piece, in memory that the caller frees at the end."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    str PyUnicode_FromKindAndData(int kind, const void* data, Py_ssize_t size)

ctypedef fused code_point:
    uint8_t
    uint16_t
    uint32_t

cdef struct Written:
    void* data
    Py_ssize_t size
    Py_ssize_t room
    int kind  # bytes of each character


cdef inline int begin(Written* written, Py_ssize_t room) except -1:
    """Prepare for about so many characters."""
    written.size, written.room, written.kind = 0, room + 1, 1
    written.data = malloc(written.room)
    if written.data == NULL:
        raise MemoryError
    return 0


cdef inline void copy_to(
    const code_point* text, Py_ssize_t size, void* data, Py_ssize_t at, int kind
) noexcept nogil:
    """Copy characters to where those of this kind are, which is not narrower."""
    cdef Py_ssize_t index
    if kind == sizeof(code_point):
        memcpy(<code_point*> data + at, text, size * sizeof(code_point))
    elif kind == 2:
        for index in range(size):
            (<uint16_t*> data)[at + index] = text[index]
    else:
        for index in range(size):
            (<uint32_t*> data)[at + index] = text[index]


cdef inline int make_room(Written* written, Py_ssize_t more, int kind) except -1:
    """Make room for more characters of this kind."""
    cdef void* wider
    cdef Py_ssize_t room = written.room
    if written.size + more > room:
        room = 2 * (written.size + more)
    if kind > written.kind:
        wider = malloc(room * kind)
        if wider == NULL:
            raise MemoryError
        if written.kind == 1:
            copy_to(<const uint8_t*> written.data, written.size, wider, 0, kind)
        else:
            copy_to(<const uint16_t*> written.data, written.size, wider, 0, kind)
        free(written.data)
        written.data, written.room, written.kind = wider, room, kind
    elif room > written.room:
        wider = realloc(written.data, room * written.kind)
        if wider == NULL:
            raise MemoryError
        written.data, written.room = wider, room
    return 0


cdef inline int put_part(
    Written* written, str text, Py_ssize_t first, Py_ssize_t stop
) except -1:
    """Append a part of a text."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    if kind > written.kind or written.size + stop - first > written.room:
        make_room(written, stop - first, kind)
    if kind == 1:
        copy_to(<const uint8_t*> data + first, stop - first, written.data, written.size, written.kind)
    elif kind == 2:
        copy_to(
            <const uint16_t*> data + first, stop - first, written.data, written.size, written.kind
        )
    else:
        copy_to(
            <const uint32_t*> data + first, stop - first, written.data, written.size, written.kind
        )
    written.size += stop - first
    return 0


cdef inline int put(Written* written, str text) except -1:
    """Append a text."""
    return put_part(written, text, 0, PyUnicode_GET_LENGTH(text))


cdef inline int put_written(
    Written* written, Written* other, Py_ssize_t first, Py_ssize_t stop
) except -1:
    """Append a part of what was written elsewhere."""
    make_room(written, stop - first, other.kind)
    if other.kind == 1:
        copy_to(
            <const uint8_t*> other.data + first, stop - first, written.data, written.size,
            written.kind,
        )
    elif other.kind == 2:
        copy_to(
            <const uint16_t*> other.data + first, stop - first, written.data, written.size,
            written.kind,
        )
    else:
        copy_to(
            <const uint32_t*> other.data + first, stop - first, written.data, written.size,
            written.kind,
        )
    written.size += stop - first
    return 0


cdef inline str text_of(Written* written):
    """Return what was written."""
    return PyUnicode_FromKindAndData(written.kind, written.data, written.size)
