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
    cdef public tuple _sizeless
    cpdef normalise(self, Py_ssize_t image)
    cpdef dict attributes(self, Py_ssize_t image)
    cpdef bint _repeats(self, Py_ssize_t image, url)
    cpdef _url(self, Py_ssize_t image)
    cpdef _largest(self, list holders)


@cython.locals(at=Py_ssize_t)
cpdef bint _has_text(KeptTreeType tree, Py_ssize_t first, Py_ssize_t stop)
cpdef _usable(url, base)
cpdef bint _is_placeholder(str url)
