# Types of `footnotes.py`, with which it is compiled.

cimport cython
from thresher.render._kept_tree cimport KeptTree as KeptTreeType


@cython.locals(text=str)
cpdef bint _may_be_reference(KeptTreeType tree, Py_ssize_t link)
@cython.locals(index=Py_ssize_t, elements=list, named=dict)
cpdef list _pairs(KeptTreeType tree, list links)
