# Types of `lines.py`, with which it is compiled.

cimport cython
from thresher.render._tree cimport Element as ElementType, Text as TextType

cdef dict _DELIMITERS


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
    cdef public bint starts_block
    @cython.locals(text=str, words=TextType)
    cpdef str write(self, list nodes)
    @cython.locals(items=list, open_elements=list, links=Py_ssize_t, has_delimiters=bint,
                   stack=list, delimiter=_Delimiter, element=ElementType, leaf=str, text=str,
                   words=TextType, is_start=bint)
    cpdef str _write_nodes(self, list nodes)
    @cython.locals(tag=str, address=str)
    cpdef str _leaf(self, ElementType node)
    @cython.locals(tag=str)
    cpdef _Delimiter _begin(self, ElementType node, list items)
    @cython.locals(tag=str)
    cpdef _end(self, ElementType node, _Delimiter delimiter, list items)
    @cython.locals(url=str, may_be_unsafe=bint)
    cpdef str _target(self, ElementType node, str name)
    cpdef str _escape(self, str text, bint bracketed, bint dollars)
    cpdef str _escape_pipes(self, str text)


cpdef bint _is_at_start(list items)
cpdef _escape_exclamation(list items)
cpdef _escape_before(list items, str leaf)
cpdef str _escape_after_bracket(list items, str text)
cpdef str _escape_start(str text)
@cython.locals(stack=list, element=ElementType)
cpdef bint _have_formula(list nodes)
cpdef _close(list items, opening)
@cython.locals(runs=dict, to_html=list, run=list, index=Py_ssize_t)
cpdef _choose_delimiters(list items)
@cython.locals(opens=bint, delimiter=_Delimiter)
cpdef bint _reads_back(list run, str before, str after)
