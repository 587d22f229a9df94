# Types of `normal_form.py`, with which it is compiled.

cimport cython
from thresher.render._kept_tree cimport KeptTree as KeptTreeType
from thresher.render._tree cimport Element as ElementType

cdef int _NONE, _SPAN, _LEAF, _SUP, _EDGE, _FORMAT, _LINK, _PARAGRAPH, _SPACE, _ANNOTATION
cdef int _TABLE, _FRAME, _ALL_OPEN
cdef int _BLOCKS, _MIXED, _LINE, _ITEMS, _CLOSED, _UNSTATED, _LEFT_TO_RIGHT, _RIGHT_TO_LEFT
cdef dict _MEANINGS, _FORMATS, _LISTS, _HOLDERS, _CAPTIONS, _FRAME_KINDS


cdef class _Frame:
    cdef public ElementType element
    cdef public int kind
    cdef public _Frame parent
    cdef public bint attached
    cdef public Py_ssize_t size
    cdef public bint has_bare_line
    cdef public _Frame last
    cdef public object number  # of any size
    cdef public int step
    cdef public _Frame implied
    cdef public Py_ssize_t implied_at


cdef class _Frames:
    cdef public list open
    cdef public KeptTreeType tree
    cdef public Py_ssize_t row
    cdef public bytearray directions
    cdef public bint may_split
    @cython.locals(at=Py_ssize_t, frame=_Frame)
    cpdef _Frame top(self)
    @cython.locals(frame=_Frame)
    cpdef _Frame target(self)
    @cython.locals(top=_Frame, parent=_Frame)
    cpdef _Frame push(self, ElementType element, int kind)
    @cython.locals(new=_Frame, parent=_Frame, pending=list)
    cpdef attach(self, _Frame frame)
    cpdef _append(self, ElementType block, _Frame parent)
    @cython.locals(row=Py_ssize_t, tree=KeptTreeType, stated=str, known=bytearray, direction=int)
    cpdef int _direction(self)
    @cython.locals(target=_Frame)
    cpdef put(self, ElementType block)
    @cython.locals(target=_Frame, paragraph=ElementType)
    cpdef ElementType begin_line(self)


cdef class _Format:
    cdef public str tag
    cdef public Py_ssize_t source
    cdef public dict attributes
    cpdef bint continues_as(self, _Format following, bint after_space)


cdef class _Line:
    cdef public _Frames _frames
    cdef public ElementType _line
    cdef public bint _may_split
    cdef public list _words
    cdef public list _open
    cdef public bint _is_open
    cdef public list formats
    cdef public bint space
    cdef public Py_ssize_t breaks
    @cython.locals(fmt=_Format)
    cpdef bint has_format(self, str tag)
    cpdef push_format(self, _Format fmt)
    cpdef pop_formats(self, Py_ssize_t size)
    @cython.locals(words=str, formats=list, begins=bint, ends=bint)
    cpdef text(self, str data)
    cpdef element(self, ElementType element)
    cpdef end(self)
    cpdef list _formats_but_code(self)
    @cython.locals(current=list, innermost=ElementType)
    cpdef list _flush(self)
    @cython.locals(fmt=_Format, element=ElementType)
    cpdef _prepare(self, list formats)
    @cython.locals(shared=Py_ssize_t, have=_Format)
    cpdef _close_other_formats(self, list formats, bint after_space)


cdef class _Opened:
    cdef public Py_ssize_t frames
    cdef public bint is_block
    cdef public bint is_spaced
    cdef public Py_ssize_t formats
    cdef public str text


cdef class _Builder:
    cdef public KeptTreeType tree
    cdef public object url
    cdef public bint links
    cdef public bint images
    cdef public bint spoken
    cdef public dict languages
    cdef public dict image_attributes
    cdef public dict addresses
    cdef public list ends
    cdef public list opened
    cdef public list tasks
    cdef public _Frames frames
    cdef public _Line line
    @cython.locals(tree=KeptTreeType, tags=list, ends=list, texts=list, replaced=dict, opened=list, open_ends=list,
                   frames=_Frames, languages=dict, tag=str, line=_Line,
                   meaning=int, next_end=Py_ssize_t)
    cpdef _read_rows(self, Py_ssize_t index, Py_ssize_t stop, Py_ssize_t base)
    cpdef _write_leaf(self, Py_ssize_t index, str tag)
    @cython.locals(opened=_Opened, has_language=bint)
    cpdef _enter(self, Py_ssize_t index, str tag, int meaning)
    cpdef _enter_format(self, Py_ssize_t index, str tag, _Opened opened, dict attributes)
    cpdef _enter_link(self, Py_ssize_t index, _Opened opened)
    cpdef _enter_block(self, Py_ssize_t index, str tag)
    @cython.locals(top=_Frame)
    cpdef _enter_item(self, Py_ssize_t index, str tag)
    @cython.locals(top=_Frame)
    cpdef bint _begin_block(self)
    @cython.locals(top=_Frame)
    cpdef _block_edge(self, bint paragraph)
    @cython.locals(opened=_Opened)
    cpdef _leave_last(self)


@cython.locals(item=_Frame, parent=_Frame)
cpdef _write_number(_Frame item, _Frame parent)


@cython.locals(pieces=list, line=list, element=ElementType)
cpdef list lines_and_blocks(ElementType container)
@cython.locals(element=ElementType)
cpdef bint is_inline(node)
