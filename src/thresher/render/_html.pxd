# Types of `html.py`, with which it is compiled.

cpdef str _start_tag(node)
cpdef bint _is_allowed(str tag, str name, str value)
