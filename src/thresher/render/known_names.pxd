"""Values of the names of elements, found without hashing.

The elements of a page share the object of each name, so its address tells where its value was put
when it was looked up.
"""

from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF

cdef enum:
    PLACES = 64

cdef struct KnownNames:  # in the memory of a module, which begins with zeros
    PyObject* names[PLACES]  # each is held, so that no other object takes its place
    PyObject* values[PLACES]  # NULL for none


cdef inline PyObject* value_of(KnownNames* known, dict values, str name):
    """Return the value of a name in a dictionary that never changes, NULL for none."""
    cdef size_t place = (<size_t> <PyObject*> name >> 4) % PLACES
    cdef PyObject* before = known.names[place]
    if before != <PyObject*> name:
        Py_INCREF(name)
        known.values[place] = PyDict_GetItem(values, name)
        known.names[place] = <PyObject*> name
        Py_XDECREF(before)
    return known.values[place]
