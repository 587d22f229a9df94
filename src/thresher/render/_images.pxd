# Types of `images.py`, with which it is compiled.

cimport cython
from thresher.render._kept_tree cimport KeptTree as KeptTreeType


cdef class _Images:
    cdef public KeptTreeType tree
    cdef public object base
    cdef public dict urls
    cdef public dict alternatives
    cdef public dict seen
    cdef public Py_ssize_t last
    cdef public dict _pictures
    cdef public bint _has_noscript
    cpdef normalise(self, Py_ssize_t image)
    cpdef dict attributes(self, Py_ssize_t image)
    @cython.locals(said=str, text=str, after=str, texts=list, at=Py_ssize_t, pieces=int)
    cpdef bint _is_beside(self, Py_ssize_t image, str alternative)
    @cython.locals(at=Py_ssize_t, size=Py_ssize_t, texts=list)
    cpdef bint _is_near(self, Py_ssize_t first, Py_ssize_t second)
    @cython.locals(path=str, query=str)
    cpdef bint _counts_visits(self, Py_ssize_t image, str url, bint is_named)
    @cython.locals(above=Py_ssize_t)
    cpdef bint _is_in_noscript(self, Py_ssize_t image)
    cpdef bint _repeats(self, Py_ssize_t image, url)
    @cython.locals(stated=list, at=Py_ssize_t)
    cpdef _url(self, Py_ssize_t image)
    cpdef _largest(self, list holders)


@cython.locals(at=Py_ssize_t)
cpdef bint _has_text(KeptTreeType tree, Py_ssize_t first, Py_ssize_t stop)
@cython.locals(name=str)
cpdef bint _is_smiley(str classes, str end)
cpdef bint _is_same(str text, str said)
@cython.locals(begin=str, other=str, path=str)
cpdef bint _are_of_one_image(str first, str second)
cpdef str _name(str url)
cpdef _usable(str url, base)
cpdef bint _is_placeholder(str url)
