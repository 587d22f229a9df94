# Types of `code.py`, with which it is compiled.

cimport cython
from thresher.render._kept_tree cimport KeptTree as KeptTreeType


@cython.locals(places=list, first=Py_ssize_t)
cpdef list _codes(KeptTreeType tree, Py_ssize_t block)
@cython.locals(text=str, names=str, lines=Py_ssize_t, classes=list, replaced=dict)
cpdef _replace_code_of_lines(KeptTreeType tree)
@cython.locals(parts=list, line_ends=list, tag=str, text=str, index=Py_ssize_t, stop=Py_ssize_t,
               marks=int, is_text=bint, has_breaks=bint, replaced=dict)
cpdef str _lines_of_code(KeptTreeType tree, Py_ssize_t block)
cpdef str _code_text(KeptTreeType tree, Py_ssize_t block)
cpdef list _classes(KeptTreeType tree, Py_ssize_t index)
cpdef _add_text(list parts, str text, bint is_block)
cpdef _end_line(list parts)
@cython.locals(above=Py_ssize_t)
cpdef bint _is_in_code(KeptTreeType tree, Py_ssize_t index)
@cython.locals(above=Py_ssize_t, seen=Py_ssize_t, found=list)
cpdef list _first_cells(KeptTreeType tree)
cpdef str _named_language(KeptTreeType tree, Py_ssize_t index)
cpdef str _language_around(KeptTreeType tree, Py_ssize_t block)
