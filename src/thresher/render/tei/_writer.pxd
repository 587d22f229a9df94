# Types of `writer.py`, with which it is compiled.

cdef class _Writer:
    cdef public list parts
    cdef public list divisions
    cdef public bint has_text
    cdef public set labels
    cpdef _walk(self, list pieces)
    cpdef list _element(self, node)
