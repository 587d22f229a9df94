"""Calls of public attributes of the parser's nodes, without looking them up for each node.

An attribute is given as its descriptor, as `getattr_static` returns it. That of a type in C holds a
C function, which is called at once; any other descriptor is called as Python does. The node must be
of the type that the descriptor belongs to.
"""

from cpython.object cimport PyObject

cdef extern from *:
    """
    static inline PyObject *read_attribute(PyObject *descriptor, PyObject *node) {
        if (Py_TYPE(descriptor) == &PyGetSetDescr_Type) {
            PyGetSetDef *own = ((PyGetSetDescrObject *) descriptor)->d_getset;
            return own->get(node, own->closure);
        }
        return Py_TYPE(descriptor)->tp_descr_get(descriptor, node, (PyObject *) Py_TYPE(node));
    }

    /* The arguments are a tuple, which the C function takes as it is: it is made once for all. */
    static inline PyObject *call_method(PyObject *method, PyObject *node, PyObject *arguments) {
        if (Py_TYPE(method) == &PyMethodDescr_Type) {
            PyMethodDef *own = ((PyMethodDescrObject *) method)->d_method;
            if (own->ml_flags == (METH_VARARGS | METH_KEYWORDS))
                return ((PyCFunctionWithKeywords) (void (*)(void)) own->ml_meth)(
                    node, arguments, NULL);
        }
        PyObject *given[] = {node, PyTuple_GET_ITEM(arguments, 0)};
        return PyObject_Vectorcall(method, given, 2, NULL);
    }
    """
    object read_attribute(object descriptor, object node)
    object call_method(object method, object node, tuple arguments)  # of one argument
