# Types of `maths.py`, with which it is compiled.

cimport cython
from thresher.render._kept_tree cimport KeptTree as KeptTreeType


@cython.locals(found=list, classes=str, named=list, images=list, classes_of=dict)
cpdef list _formulas(KeptTreeType tree)
@cython.locals(alternative=str, address=str)
cpdef _rewrite_image(KeptTreeType tree, Py_ssize_t image, str classes)
@cython.locals(text=str)
cpdef _rewrite_texts(KeptTreeType tree)
