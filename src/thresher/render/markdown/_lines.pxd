# What the compiled `writer` uses of `_lines.pyx`.

cdef class LineWriter:
    cdef public list references
    cdef public str line_break
    cdef public bint in_cell
    cdef public bint bold
    cdef public bint starts_block
    cpdef str write(self, list nodes)
    cdef str write_nodes(self, list nodes)
    cdef str leaf(self, node)
    cdef str target(self, node, str name)
    cdef str escape(self, str text, bint bracketed, bint dollars)
    cdef str escape_pipes(self, str text)
    cdef begin(self, node, list items)
    cdef end(self, node, list items)
