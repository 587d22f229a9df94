# Types of `lines.py`, with which it is compiled.

cimport cython


cdef class _Delimiter:
    cdef public str tag
    cdef public bint opens
    cdef public _Delimiter mate
    cdef public bint as_html


cdef class LineWriter:
    cdef public list references
    cdef public str line_break
    cdef public bint in_cell
    cdef public bint bold
    cpdef str write(self, nodes)
    @cython.locals(items=list, open_elements=list, links=Py_ssize_t, has_delimiters=bint,
                   dollars=bint, stack=list, delimiter=_Delimiter)
    cpdef str _write_nodes(self, nodes)
    cpdef str _leaf(self, node)
    cpdef _Delimiter _begin(self, node, list items)
    cpdef _end(self, node, _Delimiter delimiter, list items)
    cpdef str _target(self, node, str name)
    cpdef str _escape(self, str text, bint bracketed, bint dollars)
    cpdef str _escape_pipes(self, str text)


cpdef bint _is_at_start(list items)
cpdef _escape_exclamation(list items)
cpdef str _escape_start(str text)
cpdef bint _have_formula(nodes)
