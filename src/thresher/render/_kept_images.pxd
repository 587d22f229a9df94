# Types of `kept_images.py`, with which it is compiled.

cimport cython


@cython.locals(sizes=list, is_lazy=bint)
cpdef bint _is_icon(image)
