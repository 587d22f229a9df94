# Types of `writer.py`, with which it is compiled.

cimport cython


cdef class _Prefix:
    cdef public str first
    cdef public str rest
    cdef public bint used


cdef class _Task:
    cdef public object node
    cdef public object blank_line
    cdef public str bullet


cdef class _Writer:
    cdef public list lines
    cdef public list prefixes
    cdef public bint blank_line
    cdef public list references
    cdef public object line
    cdef public object bold_line
    cdef public object one_line
    cdef public object cell
    cdef public dict _special_lines
    cdef public dict notes
