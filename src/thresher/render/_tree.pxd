# Types of `tree.py`, with which it is compiled.

cdef class Text:
    cdef public str data


cdef class Element:
    cdef public str tag
    cdef public dict attrs
    cdef public list children
    cpdef attr(self, str name)
