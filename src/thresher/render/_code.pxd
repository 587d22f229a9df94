# Types of `code.py`, with which it is compiled.

cimport cython
from thresher.render._kept_tree cimport KeptTree as KeptTreeType


@cython.locals(parts=list, line_ends=list, tag=str, text=str, index=Py_ssize_t, stop=Py_ssize_t,
               marks=int, is_text=bint)
cpdef str _code_text(KeptTreeType tree, Py_ssize_t block)
cpdef list _classes(KeptTreeType tree, Py_ssize_t index)
