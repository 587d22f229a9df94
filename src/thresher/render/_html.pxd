# Types of `html.py`, with which it is compiled.

cimport cython
from thresher.render._tree cimport Element as ElementType, Text as TextType

cdef dict _STARTS, _ENDS


@cython.locals(parts=list, stack=list, element=ElementType, words=TextType, tag=str)
cpdef str _written(ElementType body, bint links)
@cython.locals(tag=str, attributes=dict, written=str, name=str, value=str)
cpdef str _start_tag(ElementType node)
cpdef bint _is_allowed(str tag, str name, str value)
cpdef str _escaped(str text, bint quotes=*)
