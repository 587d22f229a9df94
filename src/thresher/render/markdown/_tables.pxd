# Types of `tables.py`, with which it is compiled.

cimport cython
from thresher.render._tree cimport Element as ElementType
from thresher.render.markdown._lines cimport LineWriter as LineWriterType


@cython.locals(lines=list, line=list, stack=list, marker=str, text=str)
cpdef str _cell(ElementType cell, LineWriterType writer, keep_note)
