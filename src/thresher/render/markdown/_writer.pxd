# Types of `writer.py`, with which it is compiled.

cimport cython
from thresher.render._tree cimport Element as ElementType
from thresher.render.markdown._lines cimport LineWriter as LineWriterType


cdef class _Prefix:
    cdef public str first
    cdef public str rest
    cdef public bint used


cdef class _Writer:
    cdef public list lines
    cdef public list prefixes
    cdef public bint blank_line
    cdef public list references
    cdef public LineWriterType line
    cdef public LineWriterType bold_line
    cdef public LineWriterType one_line
    cdef public LineWriterType heading
    cdef public LineWriterType cell
    cdef public dict _special_lines
    cdef public dict notes
    @cython.locals(stack=list, steps=list)
    cpdef write_blocks(self, ElementType body)
    @cython.locals(tasks=list, bullet=str, block=ElementType, is_list=bint)
    cpdef list _tasks(self, ElementType container, bint tight)
    @cython.locals(tag=str, writer=LineWriterType, text=str)
    cpdef list _block(self, ElementType node, str bullet)
    @cython.locals(text=str)
    cpdef _put_line(self, LineWriterType writer, list nodes)
    @cython.locals(line=str, prefix=str, part=_Prefix)
    cpdef _put(self, list lines)
    @cython.locals(steps=list, tasks=list, item=ElementType, marker=str, width=Py_ssize_t, tight=bint)
    cpdef list _list(self, ElementType node, str bullet)
    cpdef list _within(self, _Prefix prefix, list tasks)
    @cython.locals(part=_Prefix)
    cpdef _open(self, _Prefix prefix)
    @cython.locals(items=list)
    cpdef bint _keep_list_of_notes(self, ElementType node)


@cython.locals(node=ElementType)
cpdef list _heading_content(ElementType heading)
cpdef str _marker(str tag, number, str bullet)
@cython.locals(holder=ElementType, block=ElementType)
cpdef bint _holds_only_notes(item)
@cython.locals(item=ElementType)
cpdef bint _is_tight(list items)
@cython.locals(block=ElementType)
cpdef bint _fits_tight(node)
@cython.locals(block=ElementType)
cpdef list _without_outer_rules(list pieces)
cpdef bint _leads_to_place(ElementType node)
@cython.locals(block=ElementType)
cpdef bint _is_list(ElementType item)
@cython.locals(items=list, found=list, waiting=list, item=ElementType, inner=ElementType)
cpdef list _opened_items(ElementType list_)
