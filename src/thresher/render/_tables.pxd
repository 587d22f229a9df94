# Types of `tables.py`, with which it is compiled.

from thresher.render._kept_tree cimport KeptTree as KeptTreeType


cpdef _read_rows(KeptTreeType tree, list children, parts)
cpdef _stated_span(KeptTreeType tree, Py_ssize_t cell)
cpdef bint _shows_something(KeptTreeType tree, cell)
