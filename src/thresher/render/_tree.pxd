# What other kernels use of `_tree.pyx`.

cimport cython

cdef class Text:
    cdef public str data


@cython.no_gc  # a tree has no cycles
cdef class Element:
    cdef public str tag
    cdef public dict attrs
    cdef public list children
    cpdef attr(self, str name)
    cpdef set(self, str name, str value)
