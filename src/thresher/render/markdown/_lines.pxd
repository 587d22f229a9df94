# What the compiled `writer` uses of `_lines.pyx`.

from cpython.object cimport PyObject
from libc.stdint cimport uint32_t
from thresher.render._tree cimport Element
from thresher.render.writing cimport Written

cdef struct Delimiter
cdef struct Opened


cdef class LineWriter:
    cdef public list references
    cdef public str line_break
    cdef public bint in_cell
    cdef public bint bold
    cdef public bint starts_block
    # The current line: its texts, where each of them begins, and what is between them.
    cdef Written written
    cdef Py_ssize_t* begins
    cdef Py_ssize_t texts, most_texts
    cdef Delimiter* delimiters
    cdef Py_ssize_t delimiter_count, most_delimiters
    cdef Opened* opened
    cdef Py_ssize_t depth, most_opened
    cpdef str write(self, list nodes)
    cdef str write_nodes(self, list nodes)
    cdef add(self, str text)
    cdef int begin_text(self) except -1
    cdef Py_ssize_t add_delimiter(self, str tag, bint opens) except -1
    cdef int open(self, list content, PyObject* element, Py_ssize_t delimiter) except -1
    cdef bint ends_with_text(self) noexcept
    cdef uint32_t last_character(self) noexcept
    cdef bint is_at_start(self) noexcept
    cdef int escape_exclamation(self) except -1
    cdef str escape_after_bracket(self, str text)
    cdef str part_beginning(self, str text)
    cdef int end_emphasis(self, Py_ssize_t opening) except -1
    cdef int close(self, Py_ssize_t opening) except -1
    cdef Py_ssize_t end_of_texts(self, Py_ssize_t count) noexcept
    cdef str with_delimiters(self)
    cdef int opened_run(self, Py_ssize_t first) except -1
    cdef bint reads_back(self, Py_ssize_t first, Py_ssize_t stop) except -1
    cdef bint write_leaf(self, Element node, int kind) except -1
    cdef Py_ssize_t begin(self, Element node, int kind) except -2
    cdef int end(self, Element node, int kind) except -1
    cdef str target(self, Element node, str name)
    cdef str escape(self, str text, bint bracketed, bint dollars)
    cdef str escape_pipes(self, str text)
