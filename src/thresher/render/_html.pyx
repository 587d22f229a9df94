"""The compiled version of `html`, which documents what is written."""

from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, realloc
from thresher.render._tree cimport Element, Text
from thresher.render.known_names cimport KnownNames, value_of
from thresher.render.writing cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, Written, begin, code_point, put,
    put_part, text_of,
)

from thresher.page.addresses import is_safe
from thresher.render import html as plain

cdef frozenset DROPPED = plain._DROPPED
cdef tuple BOXES = plain._BOXES
cdef object ANYTHING = object(), ADDRESS = object()  # what an attribute may hold
cdef object with_sections = plain._with_sections


cdef class Tag:
    """How elements of one name are written."""

    cdef str start  # without attributes
    cdef str name  # with the sign before it
    cdef str end  # None: nothing is in it
    cdef dict attributes  # what each may hold: anything, an address, or what a pattern matches
    cdef bint is_table, is_link


cdef dict TAGS = {}
cdef KnownNames TAG_OF
cdef Tag _tag
for _name in plain._TAGS:
    _tag = Tag()
    _tag.start, _tag.name, _tag.end = plain._STARTS[_name], f"<{_name}", plain._ENDS[_name]
    _tag.end = None if _name in plain._VOID else _tag.end
    _tag.is_table, _tag.is_link = _name == "table", _name == "a"
    _tag.attributes = {
        name: ADDRESS if name in plain._URLS
        else ANYTHING if name in plain._ANY or f"{_name} {name}" not in plain._VALUES
        else plain._VALUES[f"{_name} {name}"].fullmatch
        for name in (*plain._ATTRIBUTES.get(_name, ()), "dir")
    }
    TAGS[_name] = _tag


cdef struct Opened:  # what is still to be written of an element
    PyObject* content
    Py_ssize_t at
    PyObject* end  # NULL for none


def html(Element body, *, links=True):
    """Return the HTML of a tree in the normal form, safe to show in a page."""
    cdef Written written
    cdef Opened* opened = NULL
    begin(&written, 8_000)
    try:
        put(&written, "<article>")
        write_all(&written, &opened, body, links)
        put(&written, "</article>")
        return text_of(&written)
    finally:
        free(opened)
        free(written.data)


cdef write_all(Written* written, Opened** stack, Element body, bint links):
    """Write the content of an element, without recursion."""
    cdef Py_ssize_t depth = 0, room = 0
    cdef Opened* opened = NULL
    cdef Opened* last
    cdef object node
    cdef Element element = body
    cdef PyObject* known
    cdef Tag tag
    cdef list content = body.children, tables = []  # rows in sections, which are in no tree
    cdef PyObject* end = NULL
    cdef void* larger
    while True:
        if content is not None:
            if depth == room:
                larger = realloc(opened, (2 * room + 32) * sizeof(Opened))
                if larger == NULL:
                    raise MemoryError
                opened, room = <Opened*> larger, 2 * room + 32
                stack[0] = opened
            last = &opened[depth]
            last.content, last.at, last.end = <PyObject*> content, 0, end
            depth += 1
            content = None
        last = &opened[depth - 1]
        if last.at == PyList_GET_SIZE(<object> last.content):
            if last.end != NULL:
                put(written, <str> last.end)
            depth -= 1
            if depth == 0:
                return
            continue
        node = <object> PyList_GET_ITEM(<object> last.content, last.at)
        last.at += 1
        if type(node) is Text:
            put_escaped(written, (<Text> node).data, False)
            continue
        if type(node) is str:
            put(written, node)
            continue
        element = node
        known = value_of(&TAG_OF, TAGS, element.tag)
        if known != NULL and (links or not (<Tag> known).is_link):
            tag = <Tag> known
            if element.attrs:
                put_start(written, tag, element.attrs)
            else:
                put(written, tag.start)
            if tag.end is not None:
                content, end = element.children, <PyObject*> tag.end
                if tag.is_table:
                    content = with_sections(element)
                    tables.append(content)
        elif element.tag == "input":
            if element.attr("type") == "checkbox":
                put(written, BOXES[element.attr("checked") is not None])
        elif element.tag not in DROPPED:
            content, end = element.children, NULL


cdef put_start(Written* written, Tag tag, dict attributes):
    """Write a start tag with the attributes that are allowed."""
    cdef str name, value
    cdef PyObject* known
    cdef object allowed
    put(written, tag.name)
    for name, value in attributes.items():
        known = PyDict_GetItem(tag.attributes, name)
        if known == NULL:
            continue
        allowed = <object> known
        if allowed is ADDRESS:
            if not is_safe(value):
                continue
        elif allowed is not ANYTHING and allowed(value) is None:
            continue
        put(written, " ")
        put(written, name)
        put(written, '="')
        put_escaped(written, value, True)
        put(written, '"')
    put(written, ">")


cdef inline bint is_markup(uint32_t character, bint quotes) noexcept nogil:
    return character == 38 or character == 60 or character == 62 or character == 0xA0 or (
        quotes and character == 34
    )


cdef bint has_markup(const code_point* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at
    cdef code_point found = 0  # of the width of the characters, so that many are compared at once
    for at in range(size):
        found |= <code_point> (
            (text[at] == 38) | (text[at] == 60) | (text[at] == 62) | (text[at] == 0xA0)
            | (text[at] == 34)
        )
    return found != 0


cdef Py_ssize_t next_markup(
    const code_point* text, Py_ssize_t at, Py_ssize_t size, bint quotes
) noexcept nogil:
    while at < size and not is_markup(text[at], quotes):
        at += 1
    return at


cdef put_escaped(Written* written, str text, bint quotes):
    """Write a text as it is in HTML."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t at = 0, stop, size = PyUnicode_GET_LENGTH(text)
    cdef bint is_plain
    cdef uint32_t character
    if kind == 1:
        is_plain = not has_markup(<const uint8_t*> data, size)
    elif kind == 2:
        is_plain = not has_markup(<const uint16_t*> data, size)
    else:
        is_plain = not has_markup(<const uint32_t*> data, size)
    while not is_plain:
        if kind == 1:
            stop = next_markup(<const uint8_t*> data, at, size, quotes)
        elif kind == 2:
            stop = next_markup(<const uint16_t*> data, at, size, quotes)
        else:
            stop = next_markup(<const uint32_t*> data, at, size, quotes)
        if stop == size:
            break
        put_part(written, text, at, stop)
        character = text[stop]
        if character == 38:
            put(written, "&amp;")
        elif character == 60:
            put(written, "&lt;")
        elif character == 62:
            put(written, "&gt;")
        elif character == 34:
            put(written, "&quot;")
        else:
            put(written, "&nbsp;")
        at = stop + 1
    put_part(written, text, at, size)
