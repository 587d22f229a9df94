# Types of `writer.py`, with which it is compiled.

cimport cython
from thresher.render._tree cimport Element as ElementType, Text as TextType

cdef dict _TAGS, _EMPTY


cdef class _Writer:
    cdef public list parts
    cdef public list divisions
    cdef public bint has_text
    cdef public set names
    @cython.locals(stack=list, element=ElementType, words=TextType, start=str, end=str)
    cpdef _walk(self, list pieces)
    @cython.locals(tag=str)
    cpdef list _element(self, ElementType node)
