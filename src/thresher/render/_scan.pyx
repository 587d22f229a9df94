"""Compiled loops over the characters of texts; `scan` has the plain version of each."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy, memset

from thresher.page import words

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_MAX_CHAR_VALUE(object text)
    object PyUnicode_New(Py_ssize_t size, uint32_t largest)
    bint PyUnicode_IS_ASCII(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index) nogil
    bint Py_UNICODE_ISSPACE(uint32_t character) nogil


ctypedef fused code_point:
    uint8_t
    uint16_t
    uint32_t


cdef bint are_any(
    const code_point* text, Py_ssize_t size, const unsigned char* table
) noexcept nogil:
    cdef Py_ssize_t at
    for at in range(size):
        if code_point is uint8_t:
            if table[text[at]]:
                return True
        elif text[at] < 256 and table[text[at]]:
            return True
    return False


cdef bint has(str text, const unsigned char* table):
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    if kind == 1:
        return are_any(<const uint8_t*> data, size, table)
    if kind == 2:
        return are_any(<const uint16_t*> data, size, table)
    return are_any(<const uint32_t*> data, size, table)


def has_any(str text, bytes characters):
    """Return whether the text has one of the characters."""
    return has(text, characters)


cdef bint are_controls(const code_point* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at
    cdef code_point found = 0  # of the width of the characters, so that many are compared at once
    for at in range(size):
        found |= <code_point> ((text[at] < 32) & (text[at] != 9) & (text[at] != 10))
        found |= <code_point> (text[at] == 0x85)
        if code_point is not uint8_t:
            found |= <code_point> ((text[at] == 0x2028) | (text[at] == 0x2029))
    return found != 0


def has_controls(str text):
    """Return whether the text has control characters or line ends, but for tabs and "\\n"."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    if kind == 1:
        return are_controls(<const uint8_t*> data, size)
    if kind == 2:
        return are_controls(<const uint16_t*> data, size)
    return are_controls(<const uint32_t*> data, size)


cdef enum:
    MOST_WORDS = 64


cdef class Words:
    """Words to look for in texts, whatever the case of their letters."""

    cdef readonly tuple words
    cdef list written  # each as bytes
    cdef uint64_t begins[128]  # the words that begin with a letter, one bit for each
    cdef uint64_t seconds[128]  # the words whose second letter it is, or that have one letter
    cdef const uint8_t* letters[MOST_WORDS]
    cdef Py_ssize_t sizes[MOST_WORDS]

    def __init__(self, *words):
        cdef Py_ssize_t index
        self.words, self.written = words, [word.encode() for word in words]
        memset(self.begins, 0, sizeof(self.begins))
        memset(self.seconds, 0, sizeof(self.seconds))
        for index, word in enumerate(self.written):
            if index >= MOST_WORDS:
                raise ValueError("there are too many words")
            self.letters[index], self.sizes[index] = <const uint8_t*> <const char*> word, len(word)
            for letter in word[:1] + word[:1].upper():
                self.begins[letter] |= <uint64_t> 1 << index
            for letter in word[1:2] + word[1:2].upper() or range(128):
                self.seconds[letter] |= <uint64_t> 1 << index

    def are_in(self, str text):
        """Return whether a text has one of the words, also as a part of another word."""
        cdef const uint8_t* data
        cdef Py_ssize_t at, index, size = PyUnicode_GET_LENGTH(text)
        cdef uint64_t left
        if not PyUnicode_IS_ASCII(text):
            folded = text.casefold()
            return any([word in folded for word in self.words])
        data = <const uint8_t*> PyUnicode_DATA(text)
        for at in range(size):
            left = self.begins[data[at]] & self.seconds[data[at + 1]]  # a text ends with a 0
            index = 0
            while left:
                if left & 1 and self.sizes[index] <= size - at and self.is_at(data + at, index):
                    return True
                left >>= 1
                index += 1
        return False

    cdef bint is_at(self, const uint8_t* data, Py_ssize_t index) noexcept:
        cdef const uint8_t* word = self.letters[index]
        cdef Py_ssize_t at
        for at in range(self.sizes[index]):
            if data[at] != word[at] and not (65 <= data[at] <= 90 and data[at] + 32 == word[at]):
                return False
        return True


def collapsed(str text):
    """Return a text with each run of white space as one space, and none around it."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(text)
    cdef bint after_space = True
    cdef uint32_t character
    for at in range(size):
        character = PyUnicode_READ(kind, data, at)
        if not Py_UNICODE_ISSPACE(character):
            after_space = False
        elif after_space or character != 32:
            return words.collapsed(text)
        else:
            after_space = True
    return words.collapsed(text) if after_space and size else text


def tex_marks(list texts):
    """Return the bits of what texts have that formulas are written with; see `scan`."""
    cdef str text
    cdef int kind, found = 0, after_dollar = 0
    cdef void* data
    cdef Py_ssize_t size
    for text in texts:
        kind, data, size = PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)
        if size == 0:
            continue
        if kind == 1:
            found |= find_marks(<const uint8_t*> data, size, &after_dollar)
        elif memchr(data, 92, kind * size) == NULL and memchr(data, 36, kind * size) == NULL:
            after_dollar = 0  # no byte is that of a mark
        elif kind == 2:
            found |= find_marks(<const uint16_t*> data, size, &after_dollar)
        else:
            found |= find_marks(<const uint32_t*> data, size, &after_dollar)
        if found == MARKS | DOLLARS:
            break
    return found


def texts_with_dollars(list texts):
    """Return the indexes of the texts with two dollars."""
    cdef list found = []
    cdef str text
    cdef Py_ssize_t index, size
    for index in range(len(texts)):
        text = texts[index]
        size = PyUnicode_KIND(text) * PyUnicode_GET_LENGTH(text)
        if size and memchr(PyUnicode_DATA(text), 36, size) != NULL and text.count("$") > 1:
            found.append(index)
    return found


cdef enum:  # as in `scan`
    MARKS = 1
    DOLLARS = 2


cdef inline int find_marks(
    const code_point* text, Py_ssize_t size, int* after_dollar
) noexcept nogil:
    cdef Py_ssize_t at, dollars = 0
    cdef code_point some = 0  # of the width of the characters, so that many are compared at once
    cdef int found = 0
    for at in range(size):
        some |= <code_point> ((text[at] == 92) | (text[at] == 36))
    if not some:  # true of most
        after_dollar[0] = 0
        return 0
    for at in range(size):
        if text[at] == 36:
            dollars += 1
            if after_dollar[0]:
                found |= MARKS
            after_dollar[0] = 1
        else:
            after_dollar[0] = 0
            if text[at] == 92:
                found |= MARKS
    return found | DOLLARS if dollars > 1 else found


cdef enum:
    AT_ONCE = 32  # characters that are compared at once


cdef inline bint is_plain(const code_point* text) noexcept nogil:
    """Return whether JSON has none of the next `AT_ONCE` characters in another way."""
    cdef code_point found = 0
    cdef int at
    for at in range(AT_ONCE):
        found |= <code_point> (text[at] < 32) | (text[at] == 34) | (text[at] == 92)
    return not found


cdef inline int surplus(uint32_t character) noexcept nogil:
    """Return how many characters JSON has for one besides itself."""
    if character >= 32:
        return character == 34 or character == 92
    return 1 if 8 <= character <= 13 and character != 11 else 5


cdef Py_ssize_t size_if_quoted(const code_point* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at = 0, stop, found = size + 2
    while at < size:
        stop = min(at + AT_ONCE, size)
        if stop < size and is_plain(text + at):
            at = stop
        while at < stop:
            found += surplus(text[at])
            at += 1
    return found


cdef const char* LETTERS = b"btn?fr"  # from 8 on
cdef const char* DIGITS = b"0123456789abcdef"


cdef void quote(const code_point* text, Py_ssize_t size, code_point* written) noexcept nogil:
    cdef Py_ssize_t at = 0, stop
    cdef code_point character
    cdef int more
    written[0] = 34
    written += 1
    while at < size:
        stop = min(at + AT_ONCE, size)
        if stop < size and is_plain(text + at):
            memcpy(written, text + at, AT_ONCE * sizeof(code_point))
            written += AT_ONCE
            at = stop
        while at < stop:
            character = text[at]
            at += 1
            more = surplus(character)
            if more == 0:
                written[0] = character
            else:
                written[0] = 92
                written[1] = 117
                if more == 1:
                    written[1] = character if character >= 32 else <uint8_t> LETTERS[character - 8]
                else:
                    written[2] = written[3] = 48
                    written[4] = <uint8_t> DIGITS[character >> 4]
                    written[5] = <uint8_t> DIGITS[character & 15]
            written += 1 + more
    written[0] = 34


def quoted(str text):
    """Return a text as a JSON string."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), count
    if kind == 1:
        count = size_if_quoted(<const uint8_t*> data, size)
    elif kind == 2:
        count = size_if_quoted(<const uint16_t*> data, size)
    else:
        count = size_if_quoted(<const uint32_t*> data, size)
    found = PyUnicode_New(count, PyUnicode_MAX_CHAR_VALUE(text))
    cdef void* written = PyUnicode_DATA(found)
    if kind == 1:
        quote(<const uint8_t*> data, size, <uint8_t*> written)
    elif kind == 2:
        quote(<const uint16_t*> data, size, <uint16_t*> written)
    else:
        quote(<const uint32_t*> data, size, <uint32_t*> written)
    return found
