# Types of `kept_tree.py`, with which it is compiled.

cimport cython
from cpython.array cimport array as Integers


cdef class KeptTree:
    cdef public list tags
    cdef public Integers ends
    cdef public Integers parents
    cdef public list texts
    cdef public list nodes
    cdef public dict places
    cdef public object kept
    cdef public dict numbers
    cdef public set layout_tables
    cdef public dict replaced
    cdef public dict boxes
    cdef public dict notes
    cdef public int tex_marks
    cdef public list _classes
    cdef public dict _images
    cpdef list classes(self)
    cpdef list attributes(self, Py_ssize_t index, tuple names)
    @cython.locals(known=list)
    cpdef list image(self, Py_ssize_t index)
    cpdef attr(self, Py_ssize_t index, str name)
    cpdef list places_of(self, tags)
    @cython.locals(at=Py_ssize_t, stop=Py_ssize_t, own=list, replaced=dict, found=list)
    cpdef list inside(self, Py_ssize_t index, tags)
    @cython.locals(before=Py_ssize_t, parent=Py_ssize_t)
    cpdef Py_ssize_t previous(self, Py_ssize_t index)
    @cython.locals(stop=Py_ssize_t, at=Py_ssize_t, parts=list, replaced=dict)
    cpdef str text(self, Py_ssize_t index)


cpdef str node_text(node)
