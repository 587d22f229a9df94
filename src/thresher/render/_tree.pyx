"""The compiled version of `tree`, whose elements the garbage collector does not look through."""

cimport cython


@cython.freelist(256)
cdef class Text:
    """A piece of text."""

    def __init__(self, str data):
        self.data = data


@cython.freelist(256)
@cython.no_gc  # a tree has no cycles
cdef class Element:
    """An element with its attributes and its content, in order."""

    def __init__(self, str tag, dict attrs=None, list children=None):
        self.tag = tag
        self.attrs = attrs
        self.children = [] if children is None else children

    cpdef attr(self, str name):
        """Return the value of an attribute, None if it is not set."""
        return None if self.attrs is None else self.attrs.get(name)

    cpdef set(self, str name, str value):
        """Set an attribute."""
        if self.attrs is None:
            self.attrs = {}
        self.attrs[name] = value

    @property
    def text(self):
        """The texts inside, joined."""
        if len(self.children) == 1 and type(self.children[0]) is Text:
            return (<Text> self.children[0]).data
        return "".join([(<Text> node).data for node in self.descendants() if type(node) is Text])

    def descendants(self):
        """Return all nodes inside, in document order."""
        cdef list found = [], stack = self.children[::-1]
        while stack:
            node = stack.pop()
            found.append(node)
            if type(node) is Element:
                stack += (<Element> node).children[::-1]
        return found
