# Types of `maths.py`, with which it is compiled.

cimport cython
from thresher.render._kept_tree cimport KeptTree as KeptTreeType


@cython.locals(found=list, classes=str)
cpdef list _formulas(KeptTreeType tree)
@cython.locals(alternative=str, address=str)
cpdef _rewrite_image(KeptTreeType tree, Py_ssize_t image)
@cython.locals(text=str, whole=str)
cpdef _rewrite_texts(KeptTreeType tree)
