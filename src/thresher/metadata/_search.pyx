"""The compiled searches of `thresher.metadata`; the Python modules have the plain version of each."""

from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM
from cpython.object cimport PyObject
from cpython.unicode cimport Py_UNICODE_ISDECIMAL, Py_UNICODE_ISSPACE
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from inspect import getattr_static

import turbohtml

from thresher.page.buffers cimport first_text, integers
from thresher.page.node_calls cimport call_method

cdef extern from "Python.h":
    uint32_t PyUnicode_READ(int kind, const void* data, Py_ssize_t index) nogil
    void* PyUnicode_DATA(object text)
    bint PyUnicode_IS_ASCII(object text)
    int PyUnicode_KIND(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    PyObject* PyTuple_GET_ITEM(object items, Py_ssize_t index)

cdef object Element = turbohtml.Element
cdef object ATTR = getattr_static(Element, "attr")
cdef tuple CLASS = ("class",), HREF = ("href",), REL = ("rel",), ITEMPROP = ("itemprop",)
cdef tuple CONTENT = ("content",), ROLE = ("role",), ID = ("id",)
cdef tuple LABEL = ("aria-label",)
cdef tuple NAMED_BY = (("property",), ("name",), ITEMPROP, ("http-equiv",))


cdef inline object value_of(list nodes, Py_ssize_t row, tuple name):
    """Return an attribute of an element, given as a tuple of its name; None if it has none."""
    cdef object node = <object> PyList_GET_ITEM(nodes, row)
    return call_method(ATTR, node, name) if type(node) is Element else node.attr(name[0])


cdef inline object fact(list nodes, Py_ssize_t row, object facts):
    """Return what `facts` has of the class of an element."""
    cdef object name = value_of(nodes, row, CLASS)
    cdef PyObject* known = PyDict_GetItem(facts, name)
    return <object> known if known != NULL else facts[name]


# --- rows of tags, and declarations ----------------------------------------------------------------


def find_tags(const uint16_t[::1] tag, const uint8_t[::1] kinds, int count):
    """Return `count` lists of rows: one for each kind of tag from 1 on, by the number of the tag."""
    cdef Py_ssize_t row
    cdef list found = [[] for _ in range(count)]
    for row in range(tag.shape[0]):
        if kinds[tag[row]]:
            (<list> found[kinds[tag[row]] - 1]).append(row)
    return found


def find_meta(list nodes, list rows, Py_ssize_t longest):
    """Return the contents of meta tags by name, in lower case."""
    cdef dict contents = {}
    cdef Py_ssize_t row
    cdef tuple attribute
    cdef str content, name
    cdef object value
    for row in rows:
        value = value_of(nodes, row, CONTENT)
        if not value:
            continue
        content = (<str> value).strip()
        if not content or PyUnicode_GET_LENGTH(content) > longest:
            continue
        for attribute in NAMED_BY:
            value = value_of(nodes, row, attribute)
            if value:
                for name in (<str> value).lower().split():
                    if name in contents:
                        (<list> contents[name]).append(content)
                    else:
                        contents[name] = [content]
    return contents


def find_related(list nodes, list rows, object facts):
    """Return the rows of elements of whose relation `facts` has something."""
    cdef Py_ssize_t row
    cdef object relation
    cdef PyObject* known
    cdef list found = []
    for row in rows:
        relation = value_of(nodes, row, REL)
        known = PyDict_GetItem(facts, relation)
        if <object> known if known != NULL else facts[relation]:
            found.append(row)
    return found


# --- words in texts --------------------------------------------------------------------------------

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t


cdef enum:
    MOST_WORDS = 16

cdef struct Words:
    int count
    bint folds  # capital letters of ASCII count as small ones
    const uint8_t* letters[MOST_WORDS]
    Py_ssize_t size[MOST_WORDS]
    uint32_t second[128]  # for each first letter, the bits of the second letters


cdef int enter(Words* known, list words, bint folds) except -1:
    """Enter words of two or more letters in ASCII, as bytes that outlive `known`."""
    cdef bytes word
    cdef int first, second
    assert len(words) <= MOST_WORDS
    known.count, known.folds = 0, folds
    memset(known.second, 0, sizeof(known.second))
    for word in words:
        known.letters[known.count], known.size[known.count] = word, len(word)
        known.count += 1
        first, second = word[0], word[1]
        known.second[first] |= <uint32_t> 1 << (second & 31)
        if folds and 97 <= first <= 122:
            known.second[first - 32] = known.second[first]
    return 0


cdef inline uint32_t folded(uint32_t letter) noexcept nogil:
    return letter + 32 if 65 <= letter <= 90 else letter


cdef bint holds(const character* text, Py_ssize_t length, const Words* words) noexcept nogil:
    """Return whether a text contains one of the words."""
    cdef Py_ssize_t at, place
    cdef int word
    cdef uint32_t letter
    for at in range(length - 1):
        if text[at] > 127 or not words.second[text[at]] >> (text[at + 1] & 31) & 1:
            continue
        for word in range(words.count):
            if at + words.size[word] > length:
                continue
            for place in range(words.size[word]):
                letter = text[at + place]
                if (folded(letter) if words.folds else letter) != words.letters[word][place]:
                    break
            else:
                return True
    return False


cdef bint has_any(object text, const Words* words) noexcept:
    """Return whether a text contains one of the words."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    if kind == 1:
        return holds(<const uint8_t*> data, length, words)
    if kind == 2:
        return holds(<const uint16_t*> data, length, words)
    return holds(<const uint32_t*> data, length, words)


def find_texts(
    tuple texts,
    const int32_t[::1] text_rows,
    const int32_t[::1] count_words,
    list words,
):
    """Return the places of the texts with one of the words."""
    cdef Words known
    cdef Py_ssize_t at
    cdef list places = []
    enter(&known, words, False)
    for at in range(text_rows.shape[0]):
        if count_words[text_rows[at]] and has_any(<object> PyTuple_GET_ITEM(texts, at), &known):
            places.append(at)
    return places


def find_only_texts(
    tuple texts,
    object text_rows,
    const int32_t[::1] end,
    object controls,
    list rows,
    Py_ssize_t longest,
):
    """Return the text of each row that holds one text, which is no control and not too long."""
    cdef Py_ssize_t row, at, count = len(texts)
    cdef const int32_t* places = integers(text_rows, count)
    cdef const uint8_t[::1] is_control = controls
    cdef object text
    cdef list found = []
    for row in rows:
        at = first_text(places, count, row)
        text = None
        if at < count and places[at] < end[row] and (
            at + 1 == count or places[at + 1] >= end[row]
        ):
            text = <object> PyTuple_GET_ITEM(texts, at)
            if PyUnicode_GET_LENGTH(text) > longest or (controls is not None and is_control[at]):
                text = None
        found.append(text)
    return found


cdef enum:  # signs of a short text, as in `candidates`
    IS_BYLINE = 1
    HAS_DIGIT = 2
    IS_KOREAN = 4


def find_short_texts(
    tuple texts,
    const int32_t[::1] text_rows,
    const int32_t[::1] chars,
    const uint8_t[::1] hidden,
    Py_ssize_t first,
    Py_ssize_t stop,
    Py_ssize_t longest,
    object byline_letters,
    str digits,
    str reporter,
):
    """Return the places of the visible short texts, and the signs of each."""
    cdef Py_ssize_t at, place, begin, row, length
    cdef int kind, signs
    cdef const void* data
    cdef uint32_t letter
    cdef str text
    cdef uint32_t year = ord(digits[0]), korean_year = ord(digits[1])
    cdef uint32_t reporter_begins = ord(reporter[0])
    cdef list places = [], found = []
    stop = min(stop, text_rows.shape[0])
    for at in range(first, stop):
        row = text_rows[at]
        if chars[row] == 0 or chars[row] > longest or hidden[row]:
            continue
        text = <str> PyTuple_GET_ITEM(texts, at)
        length, kind, data = PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        signs = begin = 0
        while begin < length and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, begin)):
            begin += 1
        if begin < length and text[begin] in byline_letters:
            signs |= IS_BYLINE
        for place in range(begin, length):
            letter = PyUnicode_READ(kind, data, place)
            if letter < 128:
                if 48 <= letter <= 57:
                    signs |= HAS_DIGIT
            elif letter == year or letter == korean_year or Py_UNICODE_ISDECIMAL(letter):
                signs |= HAS_DIGIT
            elif letter == reporter_begins:
                signs |= IS_KOREAN
        if signs & IS_KOREAN and reporter not in text:
            signs &= ~IS_KOREAN
        places.append(at)
        found.append(signs)
    return places, found


# --- elements by their attributes, and links ----------------------------------------------------------


def find_short(
    list nodes,
    object facts,
    const uint16_t[::1] tag,
    const uint8_t[::1] hidden,
    const int32_t[::1] end,
    const int32_t[::1] text_rows,
    Py_ssize_t start,
    Py_ssize_t stop,
    Py_ssize_t most_texts,
    int wanted,
):
    """Return the visible elements among some rows with a wanted fact, and with some texts inside.

    An element with other facts is found if it has an attribute `itemprop`.
    """
    cdef Py_ssize_t row, text = 0, texts = text_rows.shape[0]
    cdef int bits
    cdef list found = []
    stop = min(stop, tag.shape[0])
    while text < texts and text_rows[text] < start:
        text += 1
    for row in range(start, stop):
        if tag[row] == 0:
            text += 1
            continue
        if hidden[row] or text == texts or text_rows[text] >= end[row]:
            continue
        if text + most_texts < texts and text_rows[text + most_texts] < end[row]:
            continue
        bits = fact(nodes, row, facts)
        if bits & wanted or (bits and value_of(nodes, row, ITEMPROP) is not None):
            found.append(row)
    return found


cdef inline bint may_tell(object value, const Words* words) noexcept:
    """Return whether a value has one of the words, or letters past ASCII."""
    return value is not None and (not PyUnicode_IS_ASCII(value) or has_any(value, words))


def find_notices(
    list nodes,
    const uint16_t[::1] tag,
    const int32_t[::1] parent,
    Py_ssize_t row,
    Py_ssize_t body,
    int most,
    uint16_t dialog,
    list words,
):
    """Return the dialogs around a row, and the elements with a role or a word in class or id."""
    cdef Words known
    cdef int step
    cdef list found = []
    enter(&known, words, True)
    for step in range(most):
        row = parent[row]
        if row <= body:
            break
        if (
            tag[row] == dialog
            or value_of(nodes, row, ROLE) is not None
            or may_tell(value_of(nodes, row, CLASS), &known)
            or may_tell(value_of(nodes, row, ID), &known)
        ):
            found.append(row)
    return found


def find_menus(
    list nodes, const uint16_t[::1] tag, list rows, list words, Py_ssize_t rows_inside
):
    """Return the rows without one of the words in label or class, or in a class just inside."""
    cdef Words known
    cdef Py_ssize_t row, inner
    cdef object name
    cdef bint is_named
    cdef list found = []
    enter(&known, words, True)
    for row in rows:
        name = value_of(nodes, row, LABEL)
        is_named = name is not None and has_any(name, &known)
        for inner in range(row, min(row + 1 + rows_inside, tag.shape[0])):
            if tag[inner] and not is_named:
                name = value_of(nodes, inner, CLASS)
                is_named = name is not None and has_any(name, &known)
        if not is_named:
            found.append(row)
    return found


cdef enum:
    UNKNOWN = 127  # what the class of an element stands for


def find_links(
    list nodes,
    const uint16_t[::1] tag,
    const uint8_t[::1] linked,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    Py_ssize_t body,
    uint16_t anchor,
    list menus,
    object facts,
    int levels,
    list subject_words,
    list other_words,
    list relation_words,
    Py_ssize_t most,
    object make,
):
    """Return the telling ones of the first `most` links outside the menus, as `make` makes them."""
    cdef Py_ssize_t row, around, after = 0, menu = 0, count = 0, size = tag.shape[0]
    cdef Py_ssize_t next_menu = menus[0] if menus else size
    cdef int level, kind
    cdef bint is_subject, is_other
    cdef object address, relation
    cdef Words of_subjects, others, relations, every
    cdef list found = []
    cdef int8_t* known = <int8_t*> malloc(size + 1)
    if known == NULL:
        raise MemoryError
    memset(known, UNKNOWN, size)
    enter(&of_subjects, subject_words, False)
    enter(&others, other_words, True)
    enter(&relations, relation_words, True)
    enter(&every, subject_words + other_words, True)
    try:
        for row in range(size):
            if row == next_menu:
                after = max(after, end[row])
                menu += 1
                next_menu = menus[menu] if menu < len(menus) else size
            if tag[row] != anchor or not linked[row] or row < after:
                continue
            if count == most:
                break
            count += 1
            around, kind = row, 0
            for level in range(levels + 1):
                if around <= body:
                    break
                if known[around] == UNKNOWN:
                    known[around] = fact(nodes, around, facts)
                kind = known[around]
                if kind:
                    break
                around = parent[around]
            address = value_of(nodes, row, HREF) or ""
            relation = value_of(nodes, row, REL) or ""
            is_subject = is_other = False
            if has_any(address, &every):  # false of most
                is_subject, is_other = has_any(address, &of_subjects), has_any(address, &others)
            if (
                kind > 0 or is_subject or is_other
                or (relation and has_any(relation, &relations))
            ):
                found.append(make(row, kind, address, relation, is_subject))
    finally:
        free(known)
    return found
