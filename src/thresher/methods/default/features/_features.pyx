"""The compiled features of blocks: the same numbers as the plain modules beside this one.

`containers`, `characters`, `class_odds`, `densities`, `position`, `title` and `page` define every
number. Here each is computed in one pass over rows, containers or blocks. A container comes after
the one around it, so whatever is passed on from a container to those inside needs one loop.
"""

from cpython.buffer cimport PyBUF_WRITABLE
from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject
from cpython.unicode cimport Py_UNICODE_ISSPACE
from libc.math cimport INFINITY, copysign, fabs, log, log1p
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from inspect import getattr_static

import numpy as np
import turbohtml

from thresher.page.buffers cimport data_of, doubles, flags_of, integers, tags_of
from thresher.page.node_calls cimport call_method

cdef extern from "Python.h":
    uint32_t PyUnicode_READ(int kind, const void* data, Py_ssize_t index) nogil
    uint32_t PyUnicode_READ_CHAR(object text, Py_ssize_t index)
    void* PyUnicode_DATA(object text)
    int PyUnicode_KIND(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    PyObject* PyTuple_GET_ITEM(object items, Py_ssize_t index)

cdef extern from *:
    """
    #include <stdint.h>
    #include <stddef.h>
    #ifdef __SSE__
    #include <xmmintrin.h>
    #endif

    #ifdef __GNUC__
    #define fetch(place) __builtin_prefetch(place)
    #define trailing_zeros(bits) __builtin_ctzll(bits)
    #else
    #define fetch(place)
    static inline int trailing_zeros(uint64_t bits) {  /* of a number that is not 0 */
        int count = 0;
        for (; !(bits & 1); bits >>= 1)
            count++;
        return count;
    }
    #endif

    #define EACH(byte) (~(uint64_t) 0 / 255 * (byte))  /* eight equal bytes */

    /* Return eight bytes as a number, the first one lowest: one instruction on most processors. */
    static inline uint64_t eight_bytes(const uint8_t *place) {
        return (uint64_t) place[0] | (uint64_t) place[1] << 8 | (uint64_t) place[2] << 16
            | (uint64_t) place[3] << 24 | (uint64_t) place[4] << 32 | (uint64_t) place[5] << 40
            | (uint64_t) place[6] << 48 | (uint64_t) place[7] << 56;
    }

    /* Return how many of eight bytes, from the lowest on, are small ASCII letters. */
    static inline int small_letters(uint64_t bytes) {
        uint64_t low = bytes & EACH(0x7f);
        uint64_t from_a = low + EACH(0x80 - 'a'), past_z = low + EACH(0x80 - 'z' - 1);
        uint64_t others = ~(from_a & ~past_z & ~bytes) & EACH(0x80);
        return others ? trailing_zeros(others) >> 3 : 8;
    }

    static inline uint64_t add_to_hash(uint64_t hash, uint64_t bytes) {
        hash = (hash ^ bytes) * 0x9E3779B97F4A7C15u;
        return hash ^ hash >> 32;
    }

    /* Return the hash of a word in lower case. Seven bytes after its end may be read. */
    static inline uint64_t hash_word(const uint8_t *word, ptrdiff_t length) {
        uint64_t hash = 0;
        for (; length > 8; word += 8, length -= 8)
            hash = add_to_hash(hash, eight_bytes(word) | EACH(0x20));
        uint64_t used = ~(uint64_t) 0 >> (64 - 8 * length);  /* one byte or more */
        return add_to_hash(hash, (eight_bytes(word) | EACH(0x20)) & used);
    }

    /* Copy the nine numbers of each of `size` records to nine lines, `stride` apart. A record has
       room for twelve. Four records are copied at once where the processor has such registers. */
    static void spread(const float *records, const int32_t *chosen, ptrdiff_t size,
                       float *lines, ptrdiff_t stride) {
        ptrdiff_t at = 0;
    #ifdef __SSE__
        for (; at + 4 <= size; at += 4) {
            const float *first = records + 12 * chosen[at], *second = records + 12 * chosen[at + 1];
            const float *third = records + 12 * chosen[at + 2];
            const float *fourth = records + 12 * chosen[at + 3];
            float *line = lines + at;
            for (int begin = 0; begin < 8; begin += 4, line += 4 * stride) {
                __m128 one = _mm_loadu_ps(first + begin), two = _mm_loadu_ps(second + begin);
                __m128 three = _mm_loadu_ps(third + begin), four = _mm_loadu_ps(fourth + begin);
                _MM_TRANSPOSE4_PS(one, two, three, four);
                _mm_storeu_ps(line, one);
                _mm_storeu_ps(line + stride, two);
                _mm_storeu_ps(line + 2 * stride, three);
                _mm_storeu_ps(line + 3 * stride, four);
            }
            line[0] = first[8];
            line[1] = second[8];
            line[2] = third[8];
            line[3] = fourth[8];
        }
    #endif
        for (; at < size; at++)
            for (int place = 0; place < 9; place++)
                lines[place * stride + at] = records[12 * chosen[at] + place];
    }

    /* Return the hash of any bytes. */
    static inline uint64_t hash_bytes(const uint8_t *bytes, ptrdiff_t length) {
        uint64_t hash = (uint64_t) length * 0xC2B2AE3D27D4EB4Fu, last = 0;
        for (; length >= 8; bytes += 8, length -= 8)
            hash = add_to_hash(hash, eight_bytes(bytes));
        while (length--)
            last = last << 8 | bytes[length];
        return add_to_hash(hash, last);
    }
    """
    void fetch(const void* place) nogil
    int trailing_zeros(uint64_t bits) nogil
    void spread(
        const float* records, const int32_t* chosen, Py_ssize_t size, float* lines,
        Py_ssize_t stride,
    ) nogil
    uint64_t eight_bytes(const uint8_t* place) nogil
    int small_letters(uint64_t bytes) nogil
    uint64_t add_to_hash(uint64_t hash, uint64_t bytes) nogil
    uint64_t hash_word(const uint8_t* word, Py_ssize_t length) nogil
    uint64_t hash_bytes(const uint8_t* bytes, Py_ssize_t length) nogil

cdef PyObject* NONE = <PyObject*> None

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t

cdef object Element = turbohtml.Element
cdef object ATTR = getattr_static(Element, "attr")
cdef tuple CLASS = ("class",), ID = ("id",), CONTENT = ("content",)

cdef object EMPTY = np.empty, ZEROS = np.zeros
cdef object BOOL, UINT8, UINT16, INT32, INT64, FLOAT32
BOOL, UINT8, UINT16 = np.dtype(np.bool_), np.dtype(np.uint8), np.dtype(np.uint16)
INT32, INT64, FLOAT32 = np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.float32)

cdef double EULER = 2.718281828459045
cdef uint64_t MIXING = 0x9E3779B97F4A7C15

cdef enum:
    AHEAD = 8  # words that are fetched before they are looked up
    SUMS = 10  # fields of `containers.Sums`
    WORDS = 0
    LINKED_WORDS = 1
    CHARS = 2
    LINKED_CHARS = 3
    TAGS = 4
    LINKS = 5
    BLOCKS = 6
    PARAGRAPHS = 7
    IMAGES = 8
    PROSE = 9


cdef inline double larger(double one, double other) noexcept nogil:
    """Return the larger of two numbers; fmax() is a call, since it heeds NaN."""
    return one if one > other else other


cdef inline void fill_line(float* line, Py_ssize_t size, double value) noexcept nogil:
    """Fill a line with one number."""
    cdef Py_ssize_t at
    for at in range(size):
        line[at] = value


# --- the outline ---------------------------------------------------------------------------------


cdef Py_ssize_t find_containers(
    Py_ssize_t size,  # rows
    const uint16_t* tag,
    const int32_t* end,
    const int32_t* chars,
    const uint8_t* is_block,  # of each tag number
    const uint8_t* never_content,
    Py_ssize_t body,
    int32_t* number,
) except -1:
    """Fill in the number of the container that each row is, and return how many there are.

    The number is -1 for a row that is none, and -2 for one that can never be content.
    """
    cdef Py_ssize_t at, count = 0
    cdef int32_t never_until = 0
    cdef int32_t* before = <int32_t*> malloc((size + 1) * sizeof(int32_t))  # characters
    if before == NULL:
        raise MemoryError
    before[0] = 0
    for at in range(size):
        if at >= never_until and never_content[tag[at]]:
            never_until = end[at]
        number[at] = -2 if at < never_until else -1
        before[at + 1] = before[at] + (0 if at < never_until else chars[at])
    for at in range(body, size):
        if at == body or (
            number[at] == -1 and is_block[tag[at]] and before[end[at]] > before[at]
        ):
            number[at] = count
            count += 1
    free(before)
    return count


cdef struct Total:  # fields of `containers.Sums` over all rows so far, two in one number
    uint64_t words  # in the lower half; in the upper half those in links
    uint64_t chars  # and those in links
    uint64_t tags  # and links
    uint64_t paragraphs  # and images
    uint64_t blocks  # and words in blocks of prose


cdef inline void fill_both(
    uint64_t difference, double* of_lower, double* of_upper
) noexcept nogil:
    """Fill in two sums of a container."""
    of_lower[0] = <int32_t> <uint32_t> difference
    of_upper[0] = <int32_t> (difference >> 32)


cdef inline void close_container(
    const Total* begin, const Total* now, double* sums, Py_ssize_t count, Py_ssize_t index
) noexcept nogil:
    """Fill in the sums of a container: the totals at its end less those where it begins."""
    cdef double* line = sums + index
    fill_both(now.words - begin.words, line + WORDS * count, line + LINKED_WORDS * count)
    fill_both(now.chars - begin.chars, line + CHARS * count, line + LINKED_CHARS * count)
    fill_both(now.tags - begin.tags, line + TAGS * count, line + LINKS * count)
    fill_both(now.paragraphs - begin.paragraphs, line + PARAGRAPHS * count, line + IMAGES * count)
    fill_both(now.blocks - begin.blocks, line + BLOCKS * count, line + PROSE * count)


cdef int fill_outline(
    Py_ssize_t rows,
    Py_ssize_t size,  # blocks
    Py_ssize_t count,  # containers
    const uint16_t* tag,
    const int32_t* end,
    const int32_t* parent_row,
    const int32_t* chars,
    const int32_t* words,
    const uint8_t* linked,
    const int32_t* number,  # see `find_containers`
    uint16_t anchor,  # tag numbers
    uint16_t paragraph,
    uint16_t image,
    const int32_t* around,  # of each row: the block-level element around it
    const int32_t* first,  # from here on of the blocks
    const int32_t* block_parent,
    const int32_t* block_words,
    const int32_t* block_linked,
    double prose_words,
    double prose_links,
    uint8_t* allowed,  # from here on filled in
    double* of_blocks,  # words, linked words, prose
    int64_t* container,
    int32_t* row,  # from here on of the containers
    uint16_t* own_tag,
    int32_t* own_end,
    int64_t* links,  # parent, outermost, wider, depth
    double* sums,
    uint8_t* is_step,
) except -1:
    """Fill in the fields of an `Outline`."""
    cdef Py_ssize_t at, block = 0, index, other, inner = -1
    cdef int32_t next_end = rows + 1  # where the innermost container ends that is not closed
    cdef int32_t next_block = first[0]
    cdef uint64_t may_be, both  # the last is the factor of a number in a link
    cdef double prose
    cdef int64_t* parent = links
    cdef int64_t* outermost = links + count
    cdef int64_t* wider = links + 2 * count
    cdef int64_t* depth = links + 3 * count
    cdef Total now, closed
    cdef Total* begins = <Total*> malloc((count + 1) * sizeof(Total))
    if begins == NULL:
        raise MemoryError
    memset(&now, 0, sizeof(Total))
    for at in range(rows):
        if at >= next_end:
            closed = now
            while inner >= 0 and at >= own_end[inner]:
                if at == own_end[inner]:  # else it was closed before: the body
                    close_container(&begins[inner], &closed, sums, count, inner)
                inner = parent[inner] if inner else -1
            next_end = own_end[inner] if inner >= 0 else <int32_t> rows + 1
        if number[at] >= 0:
            index = number[at]
            row[index], own_tag[index], own_end[index] = at, tag[at], end[at]
            other = around[parent_row[at]] if index and parent_row[at] >= 0 else -1
            parent[index] = number[other] if other >= 0 and number[other] > 0 else 0
            begins[index] = now
            inner, next_end = index, end[at]
        may_be = number[at] != -2
        both = may_be | (may_be & (linked[at] != 0)) << 32
        now.words += both * <uint32_t> words[at]
        now.chars += both * <uint32_t> chars[at]
        now.tags += (tag[at] != 0) | <uint64_t> ((tag[at] == anchor) & (linked[at] != 0)) << 32
        now.paragraphs += (tag[at] == paragraph) | <uint64_t> (tag[at] == image) << 32
        if at == next_block:
            allowed[block] = may_be
            of_blocks[block] = block_words[block] if may_be else 0
            of_blocks[size + block] = block_linked[block] if may_be else 0
            prose = of_blocks[block]
            if prose < prose_words or not of_blocks[size + block] < prose_links * prose:
                prose = 0
            of_blocks[2 * size + block] = prose
            now.blocks += may_be | <uint64_t> prose << 32
            block += 1
            next_block = first[block] if block < size else -1
    closed = now
    while inner >= 0:
        if own_end[inner] == rows:
            close_container(&begins[inner], &closed, sums, count, inner)
        inner = parent[inner] if inner else -1
    free(begins)
    for index in range(count):
        other = parent[index]
        outermost[index] = index
        if index and not sums[other] > sums[index]:
            outermost[index] = outermost[other]
        wider[index] = outermost[parent[outermost[index]]]
        is_step[index] = index > 0 and outermost[index] == index
        depth[index] = (depth[other] if index else 0) + is_step[index]
    for block in range(size):
        other = block_parent[block] if block_parent[block] >= 0 else 0
        container[block] = number[other] if allowed[block] and number[other] > 0 else 0


# --- characters ----------------------------------------------------------------------------------


cdef void add_counts(uint64_t packed, int64_t* counts, Py_ssize_t stride) noexcept nogil:
    """Add numbers, of which each class has a byte, to the counts, which are `stride` apart."""
    cdef Py_ssize_t kind = 1
    packed >>= 8  # characters of class 0 are not counted
    while packed:
        counts[kind * stride] += packed & 255
        packed >>= 8
        kind += 1


cdef void count_classes(
    const character* text, Py_ssize_t length, const uint8_t* classes, int64_t* counts,
    Py_ssize_t stride,
) noexcept nogil:
    """Add the number of characters of each class to the counts, which are `stride` apart.

    While counting, each class has a byte of one number, so that no character needs a branch.
    """
    cdef Py_ssize_t at = 0, end
    cdef uint64_t packed
    while at < length:
        end = min(at + 255, length)
        packed = 0
        while at < end:
            packed += <uint64_t> 1 << (8 * classes[text[at]])
            at += 1
        add_counts(packed, counts, stride)


cdef int count_characters(
    tuple texts,
    Py_ssize_t size,  # blocks
    const int32_t* of_text,
    const int32_t* texts_to,
    Tables tables,
    int64_t* counts,  # classes x blocks, filled with 0
    uint8_t* last,
) except -1:
    """Count the characters of each class in each block, and find the class of the last one."""
    cdef Py_ssize_t index, length, block, at, end
    cdef Py_ssize_t counted = 0, current = 0  # characters in `packed`, and their block
    cdef PyObject* text
    cdef void* data
    cdef const uint8_t* narrow
    cdef const uint8_t* classes = &tables.classes[0]
    cdef int kind
    cdef uint64_t packed = 0
    for index in range(len(texts)):
        block = of_text[index]
        if block < 0:
            continue
        text = PyTuple_GET_ITEM(texts, index)
        data, kind = PyUnicode_DATA(<object> text), PyUnicode_KIND(<object> text)
        length = PyUnicode_GET_LENGTH(<object> text)
        if kind == 1:
            narrow, at = <const uint8_t*> data, 0
            while at < length:
                if counted == 255 or block != current:
                    add_counts(packed, &counts[current], size)
                    packed, counted, current = 0, 0, block
                end = min(length, at + 255 - counted)
                counted += end - at
                while at < end:
                    packed += tables.packed[narrow[at]]
                    at += 1
        elif kind == 2:
            count_classes(<const uint16_t*> data, length, classes, &counts[block], size)
        else:
            count_classes(<const uint32_t*> data, length, classes, &counts[block], size)
        if texts_to[block] == index:
            while length and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, length - 1)):
                length -= 1
            last[block] = classes[PyUnicode_READ(kind, data, length - 1)] if length else 0
    add_counts(packed, &counts[current], size)
    return 0


# --- class names ---------------------------------------------------------------------------------


cdef struct Place:  # of a hash table of pairs
    uint32_t check  # part of the pair's hash
    uint32_t number  # of the pair, from 1 on; 0: the place is free


cdef enum:
    MOST_TRIES = 16  # places at which a pair may be, so that a page cannot make all collide


cdef list read_pairs(
    list nodes,
    Py_ssize_t count,
    const int32_t* row,
    int64_t* of_container,
    uint64_t* class_hash,  # of each pair, of which there are at most `count`
):
    """Return the distinct pairs of class and id of the containers, and fill in that of each."""
    cdef dict others = {}  # numbers of pairs that found no place
    cdef list pairs = []
    cdef object node, one, own_id
    cdef tuple both
    cdef PyObject* known
    cdef Py_ssize_t at, number, tries, places = 64
    cdef uint64_t of_class, hashed
    cdef int shift = 58
    cdef Place* place
    cdef Place* table
    while places < 2 * count:
        places *= 2
        shift -= 1
    table = <Place*> calloc(places, sizeof(Place))
    if table == NULL:
        raise MemoryError
    try:
        for at in range(count):
            node = <object> PyList_GET_ITEM(nodes, row[at])
            one = read_name(node, CLASS)
            own_id = read_name(node, ID)
            of_class = hashed = hash_name(one)
            if own_id is not None:
                hashed = add_to_hash(of_class + 1, hash_name(own_id))
            place, tries = &table[hashed >> shift], 0
            while place.number and tries < MOST_TRIES:
                if place.check == <uint32_t> hashed:
                    both = <tuple> PyList_GET_ITEM(pairs, place.number - 1)
                    if is_same(one, <object> PyTuple_GET_ITEM(both, 0)) and is_same(
                        own_id, <object> PyTuple_GET_ITEM(both, 1)
                    ):
                        break
                tries += 1
                place = place + 1 if place + 1 < table + places else table
            if tries < MOST_TRIES and place.number:
                of_container[at] = place.number - 1
                continue
            both, number = (one, own_id), PyList_GET_SIZE(pairs)
            if tries < MOST_TRIES:
                place.check, place.number = <uint32_t> hashed, number + 1
            else:
                known = PyDict_GetItem(others, both)
                if known != NULL:
                    of_container[at] = <object> known
                    continue
                others[both] = number
            of_container[at], class_hash[number] = number, of_class
            pairs.append(both)
    finally:
        free(table)
    return pairs


cdef inline uint64_t hash_name(object name) noexcept:
    """Return a hash of a class or an id; None has one, too."""
    if name is None:
        return MIXING
    return hash_bytes(
        <const uint8_t*> PyUnicode_DATA(name), PyUnicode_GET_LENGTH(name) * PyUnicode_KIND(name)
    )


cdef inline bint is_same(object one, object other) noexcept:
    """Return whether two names, which are `str` or None, are equal."""
    cdef Py_ssize_t length
    cdef int kind
    if one is other:
        return True
    if one is None or other is None:
        return False
    length, kind = PyUnicode_GET_LENGTH(one), PyUnicode_KIND(one)
    return (
        length == PyUnicode_GET_LENGTH(other) and kind == PyUnicode_KIND(other)
        and memcmp(PyUnicode_DATA(one), PyUnicode_DATA(other), length * kind) == 0
    )


cdef inline object read_name(object node, tuple name):
    """Return the value of an attribute of a node, whose name is the only item of `name`."""
    return call_method(ATTR, node, name) if type(node) is Element else node.attr(name[0])


cdef inline uint32_t lower(uint32_t code) noexcept nogil:
    """Return an ASCII letter in lower case; the sign of Kelvin becomes a k, as in str.lower."""
    if code - 65 < 26:
        return code + 32
    return 107 if code == 0x212A else code


def count_quoted(str text, tuple names):
    """Return how often each of the names stands between quotation marks in a text."""
    cdef Py_ssize_t at = 0, place, size, number, length = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef uint32_t firsts = 0  # bits of the first letters, which are capitals
    cdef uint32_t code
    cdef str name
    cdef list counts = [0] * len(names)
    for name in names:
        firsts |= <uint32_t> 1 << (PyUnicode_READ_CHAR(name, 0) & 31)
    while at < length - 1:
        at += 1
        code = PyUnicode_READ(kind, data, at)
        if code - 65 > 25 or not firsts >> (code & 31) & 1:
            continue
        if PyUnicode_READ(kind, data, at - 1) != 34:  # a quotation mark
            continue
        for number in range(len(names)):
            name = names[number]
            size = PyUnicode_GET_LENGTH(name)
            if at + size >= length or PyUnicode_READ(kind, data, at + size) != 34:
                continue
            place = 0
            while place < size and (
                PyUnicode_READ(kind, data, at + place) == PyUnicode_READ_CHAR(name, place)
            ):
                place += 1
            if place == size:
                counts[number] += 1
                at += size + 1  # past its mark
                break
    return counts


cdef inline bint is_small(uint32_t code) noexcept nogil:
    return code - 97 < 26


cdef inline bint is_capital(uint32_t code) noexcept nogil:
    return code - 65 < 26


cdef struct Known:  # known tokens of names in order, and the pair that each belongs to
    int32_t* token
    int32_t* pair
    Py_ssize_t count


cdef struct Found:  # a word of a name
    uint64_t hash
    int32_t pair
    int32_t is_id


cdef struct Word:  # of the table of names
    uint64_t hash
    int32_t[2] token  # as a class, and as an id; -1: none


cdef class Tokens:
    """The table of names: the tokens of each word, by its hash, and their log-odds."""

    cdef Word* words  # a hash table; a free place has no token
    cdef int shift  # of a hash to its place
    cdef Py_ssize_t places  # a power of 2
    cdef const float[::1] odds
    cdef const float[:, ::1] kinds

    def __init__(self, list tokens, Py_ssize_t most_chars, odds, kinds):
        """Take the tokens, of which those of ids begin with `#`, and the fields of `NameTable`."""
        cdef Py_ssize_t number, is_id
        cdef bytes text
        cdef uint64_t hashed
        cdef Word* word
        self.odds, self.kinds = odds, kinds
        self.shift, self.places = 62, 4
        while self.places < 2 * len(tokens):
            self.places *= 2
            self.shift -= 1
        self.words = <Word*> malloc(self.places * sizeof(Word))
        if self.words == NULL:
            raise MemoryError
        for number in range(self.places):
            self.words[number].hash = 0
            self.words[number].token[0] = self.words[number].token[1] = -1
        for number in range(len(tokens)):
            is_id = tokens[number][:1] == "#"
            text = tokens[number][is_id : is_id + most_chars].encode("ascii", "replace")
            if not text:  # which no word is
                continue
            hashed = hash_word(text + b"\0\0\0\0\0\0\0", len(text))
            word = self.find(hashed)
            word.hash = hashed
            word.token[is_id] = number

    def __dealloc__(self):
        free(self.words)

    cdef inline Word* find(self, uint64_t hash) noexcept nogil:
        """Return the place of a word, or the free one where it would be."""
        cdef Word* word = self.words + (hash >> self.shift)
        while word.hash != hash and (word.token[0] >= 0 or word.token[1] >= 0):
            word += 1
            if word == self.words + self.places:
                word = self.words
        return word


cdef int look_up(
    list pairs,
    Tokens table,
    Py_ssize_t most_chars,
    Py_ssize_t most_words,
    Known* known,
) except -1:
    """Find the known tokens of all pairs in order.

    All words are found before the first one is looked up, since the table is seldom in a near
    cache.
    """
    cdef Py_ssize_t at, begin, end, length, pair, seen, place, count = 0, room = 0
    cdef Py_ssize_t is_id
    cdef Found* words = NULL
    cdef Found* more_words
    cdef uint8_t[512 + 16] letters  # at least `most_chars`, and what may be read after them
    cdef uint64_t hashed, bit, bits
    cdef int32_t token
    cdef int more
    cdef const Word* word
    cdef PyObject* name
    cdef uint32_t code
    for pair in range(PyList_GET_SIZE(pairs)):
        if count + 2 * most_words > room:
            room = 2 * room + 2 * most_words + 512
            more_words = <Found*> realloc(words, room * sizeof(Found))
            if more_words == NULL:
                free(words)
                raise MemoryError
            words = more_words
        for is_id in range(2):
            name = PyTuple_GET_ITEM(<object> PyList_GET_ITEM(pairs, pair), is_id)
            if name == NONE:
                continue
            length = min(PyUnicode_GET_LENGTH(<object> name), most_chars)
            if PyUnicode_KIND(<object> name) == 1:
                memcpy(letters, PyUnicode_DATA(<object> name), length)
            else:
                for at in range(length):
                    code = PyUnicode_READ_CHAR(<object> name, at)
                    letters[at] = code if code < 128 else 0
            memset(letters + length, 0, 16)
            begin = bits = 0
            seen = count  # where the words of the name begin
            while begin < length and count - seen < most_words:
                code = letters[begin]
                if not is_small(code | 32):
                    begin += 1
                    continue
                end = begin + 1
                while True:
                    more = small_letters(eight_bytes(letters + end))
                    end += more
                    if more < 8:
                        break
                if end - begin < 3 and is_capital(code):
                    end = begin + 1
                    while is_capital(letters[end]):
                        end += 1
                    if end - begin < 3:
                        begin += 1
                        continue
                if end - begin >= 3:
                    hashed = hash_word(letters + begin, end - begin)
                    bit = <uint64_t> 1 << (hashed >> 58)
                    place = count
                    if bits & bit:  # it may be a word of the name that was found before
                        place = seen
                        while place < count and words[place].hash != hashed:
                            place += 1
                    if place == count:
                        bits |= bit
                        words[count].hash, words[count].pair = hashed, pair
                        words[count].is_id = is_id
                        count += 1
                begin = end
    known.token = <int32_t*> malloc((2 * count + 1) * sizeof(int32_t))
    if known.token == NULL:
        free(words)
        raise MemoryError
    known.pair = known.token + count
    for at in range(count):
        if at + AHEAD < count:
            fetch(table.words + (words[at + AHEAD].hash >> table.shift))
        word = table.find(words[at].hash)
        token = word.token[words[at].is_id]
        known.token[known.count], known.pair[known.count] = token, words[at].pair
        known.count += (token >= 0) & (word.hash == words[at].hash)
    free(words)
    return 0


cdef int fill_names(
    Py_ssize_t size,  # blocks
    Py_ssize_t count,  # containers
    const float* odds,  # of each token of the table
    const Known* known,
    Py_ssize_t pairs,
    const int64_t* of_container,
    const int64_t* parent,
    const int64_t* container,
    double decay,
    double decay_at_body,
    Py_ssize_t further,  # lines with the mean so many containers further out
    float* lines,
) except -1:
    """Fill in NAME_FEATURES."""
    cdef Py_ssize_t at, other, step
    cdef double body_decayed = INFINITY
    cdef float own_odds
    cdef double* own = <double*> calloc(4 * (pairs + 1), sizeof(double))
    cdef double* held = <double*> calloc(8 * (count + 1), sizeof(double))
    cdef double* of_pair
    cdef double* found
    cdef double* outer
    try:
        if own == NULL or held == NULL:
            raise MemoryError
        for at in range(known.count):  # least, largest, sum, count
            of_pair, own_odds = &own[4 * known.pair[at]], odds[known.token[at]]
            if of_pair[3] == 0 or own_odds < of_pair[0]:
                of_pair[0] = own_odds
            if of_pair[3] == 0 or own_odds > of_pair[1]:
                of_pair[1] = own_odds
            of_pair[2] += own_odds
            of_pair[3] += 1
        for at in range(pairs):
            of_pair = &own[4 * at]
            of_pair[2] = <float> (of_pair[2] / larger(of_pair[3], 1))
        for at in range(count):  # least, largest, decayed, sum, count, nearest, own mean
            of_pair, found = &own[4 * of_container[at]], &held[8 * at]
            found[0], found[1], found[2] = of_pair[0], of_pair[1], of_pair[0]
            found[3], found[4] = of_pair[2], of_pair[3] > 0
            found[5] = found[6] = of_pair[2]
            if at == 0:
                if found[2] > 0:  # the body counts as if it were around itself again and again
                    body_decayed, found[2] = found[2] * decay_at_body, INFINITY
                continue
            outer = &held[8 * parent[at]]
            found[0] = min(found[0], outer[0])
            found[1] = max(found[1], outer[1])
            found[2] = min(found[2], decay * outer[2])
            found[3] += outer[3]
            found[4] += outer[4]
            if of_pair[3] == 0:
                found[5] = outer[5]
        for at in range(size):
            other = container[at]
            found = &held[8 * other]
            lines[at], lines[size + at] = found[0], found[1]
            lines[2 * size + at] = min(found[2], body_decayed)
            lines[3 * size + at], lines[4 * size + at] = found[3] / larger(found[4], 1), found[3]
            lines[5 * size + at], lines[6 * size + at] = found[4], found[5]
            for step in range(7, 7 + further):
                lines[step * size + at] = held[8 * other + 6]
                other = parent[other]
    finally:
        free(own)
        free(held)


# --- densities of containers ---------------------------------------------------------------------

cdef enum:  # lines of `densities.MEASURE`
    MEASURES = 9
    RECORD = 12  # numbers from the measures of a container to those of the next
    SHARE = 0
    SHARE_OF_LINKS = 1
    SHARE_OF_PROSE = 8
    STEPS_UP = 6
    COMMON_LINES = 5
    STEPS = 9


cdef float[64] LOGARITHMS  # of one more than small counts, which most are
for _count in range(64):
    LOGARITHMS[<int> _count] = log1p(_count)


cdef double composite_density(
    double chars, double linked, double tags, double links, double body
) noexcept nogil:
    """Return log(1 + |CTD|) with CTD's sign (see `densities`); `body` is LC / C of the body."""
    cdef double base, inner, density
    if chars == 0:
        return 0.0
    base = log(chars / larger(chars - linked, 1) * linked + body * chars + EULER)
    inner = chars / larger(linked, 1) * tags / larger(links, 1)
    density = chars / larger(tags, 1) * log(larger(inner, 1e-9)) / base
    return copysign(log(1 + fabs(density)), density)  # it is 0 or large enough for that


cdef int fill_measures(
    Py_ssize_t count, const double* sums, const int64_t* outermost, float* measures
) except -1:
    """Fill in a record of measures of each container; only those of outermost ones are asked for.

    Of the others, the shares are filled in.
    """
    cdef Py_ssize_t at, blocks_held
    cdef double words, blocks, all_words = larger(sums[0], 1)
    cdef double body = sums[LINKED_CHARS * count] / larger(sums[CHARS * count], 1)
    for at in range(count):
        words = larger(sums[WORDS * count + at], 1)
        measures[at * RECORD + SHARE] = sums[WORDS * count + at] / all_words
        measures[at * RECORD + SHARE_OF_LINKS] = sums[LINKED_WORDS * count + at] / words
        measures[at * RECORD + SHARE_OF_PROSE] = sums[PROSE * count + at] / words
        if outermost[at] != at:
            continue
        blocks = larger(sums[BLOCKS * count + at], 1)
        blocks_held = <Py_ssize_t> sums[BLOCKS * count + at]
        measures[at * RECORD + 2] = (
            LOGARITHMS[blocks_held] if blocks_held < 64 else <float> log1p(blocks_held)
        )
        measures[at * RECORD + 3] = sums[WORDS * count + at] / blocks
        measures[at * RECORD + 4] = sums[CHARS * count + at] / larger(sums[TAGS * count + at] - 1, 1)
        measures[at * RECORD + 5] = composite_density(
            sums[CHARS * count + at], sums[LINKED_CHARS * count + at],
            sums[TAGS * count + at], sums[LINKS * count + at], body,
        )
        measures[at * RECORD + 6] = sums[PARAGRAPHS * count + at] / blocks
        measures[at * RECORD + 7] = sums[IMAGES * count + at] / blocks


cdef Py_ssize_t fill_densities(
    Py_ssize_t size,  # blocks
    Py_ssize_t count,  # containers
    const float* measures,
    const int64_t* container,
    const int64_t* outermost,
    const int64_t* wider,
    const uint8_t* is_step,
    const int64_t* depth,
    const double* prose,
    float* lines,
    float* siblings,
) except -1:
    """Fill in the features "densities" and "siblings"; return the container richest in prose."""
    cdef Py_ssize_t at, block, step, best = 0
    cdef int32_t* steps = <int32_t*> malloc(STEPS * (size + 1) * sizeof(int32_t))
    cdef int32_t* own
    cdef int32_t* around
    cdef int32_t[3] latest = [0, 0, 0]  # the last container so far that many steps below the body
    cdef int32_t* of_container = <int32_t*> malloc(STEPS * (count + 1) * sizeof(int32_t))
    cdef double* richness = <double*> calloc(2 * (count + 1), sizeof(double))
    cdef int32_t* children = <int32_t*> calloc(count + 1, sizeof(int32_t))
    try:
        if steps == NULL or of_container == NULL or richness == NULL or children == NULL:
            raise MemoryError
        for at in range(count):
            own = &of_container[STEPS * at]
            if is_step[at]:
                children[wider[at]] += 1
                if depth[at] <= 3:
                    latest[depth[at] - 1] = at
            if outermost[at] != at:  # those of the outermost one, which comes before it
                around = &of_container[STEPS * outermost[at]]
                for step in range(STEPS_UP):
                    own[step] = around[step]
            else:
                around = &of_container[STEPS * wider[at]]
                own[0] = at
                for step in range(1, STEPS_UP):
                    own[step] = around[step - 1] if at else 0
            for step in range(3):
                own[STEPS_UP + step] = latest[step] if depth[at] > step else own[0]
        for block in range(size):
            own = &of_container[STEPS * container[block]]
            for step in range(STEPS):
                steps[step * size + block] = own[step]
            for step in range(3):
                siblings[step * size + block] = children[own[step + 1]]
            richness[2 * own[0]] += prose[block]
            richness[2 * own[1] + 1] += prose[block]
        for step in range(STEPS):
            spread(
                measures, &steps[step * size], size, &lines[step * size], STEPS * size
            )
        for at in range(count):
            richness[2 * at] += 0.5 * richness[2 * at + 1]
            if richness[2 * at] > richness[2 * best]:
                best = at
        return best
    finally:
        free(steps)
        free(of_container)
        free(richness)
        free(children)


cdef int fill_inside(
    Py_ssize_t size,  # blocks
    Py_ssize_t count,  # containers
    const uint16_t* page_tag,
    const int32_t* page_parent,
    const int32_t* first,
    const uint16_t* tag,
    const int64_t* parent,
    const int64_t* container,
    const int32_t* bits,  # of each tag number
    Py_ssize_t lines_inside,
    float* lines,
) except -1:
    """Fill in for each group of elements whether the block is inside one."""
    cdef Py_ssize_t at, block, line, inner
    cdef int32_t* held = <int32_t*> malloc((count + size + 1) * sizeof(int32_t))
    cdef int32_t* found = held + count  # bits of each block
    if held == NULL:
        raise MemoryError
    for at in range(count):
        held[at] = bits[tag[at]] | (held[parent[at]] if at else 0)
    for block in range(size):
        inner = page_parent[first[block]]
        found[block] = held[container[block]] | bits[page_tag[inner]]
        found[block] |= bits[page_tag[page_parent[inner] if page_parent[inner] >= 0 else 0]]
    for line in range(lines_inside):
        for block in range(size):
            lines[line * size + block] = (found[block] >> line) & 1
    free(held)


cdef int fill_common(
    Py_ssize_t size,  # blocks
    Py_ssize_t count,  # containers
    const int32_t* row,
    const int32_t* end,
    const int64_t* parent,
    const int64_t* depth,
    const int64_t* container,
    const float* measures,
    Py_ssize_t other,
    float* lines,
) except -1:
    """Fill in the COMMON features of each block and another container (-1: none)."""
    cdef Py_ssize_t at, block
    cdef bint holds
    cdef int64_t* common
    if other < 0:
        fill_line(lines, COMMON_LINES * size, -1.0)
        return 0
    common = <int64_t*> calloc(count + 1, sizeof(int64_t))
    if common == NULL:
        raise MemoryError
    for at in range(1, count):
        holds = row[at] <= row[other] and row[other] < end[at]
        common[at] = at if holds else common[parent[at]]
    for block in range(size):
        at = common[container[block]]
        lines[block] = depth[container[block]] - depth[at]
        lines[size + block] = depth[other] - depth[at]
        lines[2 * size + block] = measures[at * RECORD + SHARE]
        lines[3 * size + block] = measures[at * RECORD + SHARE_OF_LINKS]
        lines[4 * size + block] = measures[at * RECORD + SHARE_OF_PROSE]
    free(common)


# --- the position of blocks ----------------------------------------------------------------------


cdef int fill_positions(
    Py_ssize_t size,
    const double* words,
    const double* linked,
    const uint8_t* allowed,
    const double* level,  # of a heading; 0: none
    const int64_t* stops,
    double total,
    float* position,
    float* last_heading,
    float* section,
    float* before,
    float* after,
    float* near,
    Py_ssize_t nears,
    const int64_t* reaches,
) except -1:
    """Fill in the features that depend on the order of the blocks."""
    cdef Py_ssize_t at, heading = -1, begin, end, line
    cdef double share, held, held_links
    cdef double* sums = <double*> calloc(2 * (size + 1), sizeof(double))  # before each block
    if sums == NULL:
        raise MemoryError
    for at in range(size):
        sums[2 * at + 2] = sums[2 * at] + words[at]
        sums[2 * at + 3] = sums[2 * at + 1] + linked[at]
    begin = 0
    for at in range(size):
        position[at] = <double> at / size
        position[size + at] = at
        position[2 * size + at] = size - at
        position[3 * size + at] = sums[2 * at] / total
        if level[at] > 0 and allowed[at]:
            fill_section(size, sums, begin, at, total, section)
            heading = begin = at
        last_heading[at] = at - heading if heading >= 0 else -1
        last_heading[size + at] = sums[2 * at] - sums[2 * heading] if heading >= 0 else -1
        last_heading[2 * size + at] = level[heading] if heading >= 0 else 0
        share = linked[at] / larger(words[at], 1)
        if at + 1 < size:
            before[at + 1], before[size + at + 1] = words[at], share
        if at > 0:
            after[at - 1], after[size + at - 1] = words[at], share
            after[2 * size + at - 1] = stops[at]
    fill_section(size, sums, begin, size, total, section)
    before[0] = before[size] = -1
    after[size - 1] = after[2 * size - 1] = after[3 * size - 1] = -1
    for line in range(nears):
        for at in range(size):
            begin, end = max(at - reaches[line], 0), min(at + reaches[line] + 1, size)
            held = sums[2 * end] - sums[2 * begin]
            held_links = sums[2 * end + 1] - sums[2 * begin + 1]
            near[line * size + at] = held_links / larger(held, 1)
    free(sums)


cdef void fill_section(
    Py_ssize_t size, const double* sums, Py_ssize_t begin, Py_ssize_t end, double total,
    float* lines,
) noexcept:
    """Fill in the sums over the blocks from a heading to the next."""
    cdef Py_ssize_t at, count = end - begin
    cdef double words = sums[2 * end] - sums[2 * begin]
    cdef double linked = sums[2 * end + 1] - sums[2 * begin + 1]
    for at in range(begin, end):
        lines[at] = words / total
        lines[size + at] = linked / larger(words, 1)
        lines[2 * size + at] = count
        lines[3 * size + at] = words / count


cdef struct Group:  # blocks with one key
    int64_t key
    int64_t count
    int64_t first
    int64_t last
    double words
    double linked


cdef void find_groups(
    Py_ssize_t size, const int64_t* keys, const double* words, const double* linked, Group* groups,
    Py_ssize_t places, int32_t* of_block,
) noexcept:
    """Group the blocks with equal keys, in a hash table of `places` places, a power of 2."""
    cdef Py_ssize_t at, place
    for at in range(size):
        place = ((<uint64_t> keys[at] * MIXING) >> 32) & (places - 1)
        while groups[place].count and groups[place].key != keys[at]:
            place = (place + 1) & (places - 1)
        if not groups[place].count:
            groups[place].key, groups[place].first = keys[at], at
        groups[place].count += 1
        groups[place].last = at
        groups[place].words += words[at]
        groups[place].linked += linked[at]
        of_block[at] = place


cdef int fill_same_key(
    Py_ssize_t size,
    const int64_t* keys,
    const double* words,
    const double* linked,
    double total,
    float* lines,
    bint is_copies,
) except -1:
    """Fill in the sums over all blocks with the same key, or for copies how many come before."""
    cdef Py_ssize_t at, places = 4
    cdef Group* group
    cdef Group* groups
    cdef int32_t* of_block = <int32_t*> malloc((size + 1) * sizeof(int32_t))
    while places < 2 * size:
        places *= 2
    groups = <Group*> calloc(places, sizeof(Group))
    try:
        if groups == NULL or of_block == NULL:
            raise MemoryError
        find_groups(size, keys, words, linked, groups, places, of_block)
        if is_copies:
            for at in range(size):
                group = &groups[of_block[at]]
                group.words = 0 if group.first == at else group.words + 1  # copies before it
                lines[at], lines[size + at] = group.count, group.words
            return 0
        for at in range(size):
            group = &groups[of_block[at]]
            lines[at] = group.count
            lines[size + at] = group.words / total
            lines[2 * size + at] = group.linked / larger(group.words, 1)
            lines[3 * size + at] = <double> (group.last - group.first) / size
            lines[4 * size + at] = group.words / group.count
    finally:
        free(groups)
        free(of_block)


cdef int path_keys(
    Py_ssize_t size,  # blocks
    Py_ssize_t count,  # containers
    const uint64_t* of_level,  # of each container
    const uint64_t* of_tag,  # of each tag number
    const uint16_t* tag,
    const uint64_t* class_hash,  # of each pair
    const int64_t* of_container,
    const int64_t* parent,
    const int64_t* container,
    const uint16_t* page_tag,
    const int32_t* page_parent,
    const int32_t* first,
    uint64_t odd,
    uint64_t* keys,
) except -1:
    """Fill in a hash of each block's tag path, then one of its tag and class path."""
    cdef Py_ssize_t at, block
    cdef uint64_t inner
    cdef uint64_t* hashes = <uint64_t*> malloc(2 * (count + 1) * sizeof(uint64_t))
    try:
        if hashes == NULL:
            raise MemoryError
        for at in range(count):
            hashes[2 * at] = of_tag[tag[at]] * of_level[at]
            hashes[2 * at + 1] = class_hash[of_container[at]] * of_level[at]
            if at:
                hashes[2 * at] += hashes[2 * parent[at]]
                hashes[2 * at + 1] += hashes[2 * parent[at] + 1]
        for block in range(size):
            at = container[block]
            inner = of_tag[page_tag[page_parent[first[block]]]] * odd
            keys[block] = hashes[2 * at] + inner
            keys[size + block] = hashes[2 * at + 1] + keys[block]
    finally:
        free(hashes)


# --- title and page ------------------------------------------------------------------------------


cdef inline bint is_ascii_space(uint32_t code) noexcept nogil:
    return code == 32 or 9 <= code <= 13 or 28 <= code <= 31


cdef struct Bigrams:  # which two ASCII characters follow each other in the title, as bits
    uint8_t[2048] bits


cdef void find_bigrams(str title, Bigrams* found):
    cdef Py_ssize_t at
    cdef uint32_t code, before = 128
    memset(found.bits, 0, 2048)
    for at in range(PyUnicode_GET_LENGTH(title)):
        code = PyUnicode_READ_CHAR(title, at)
        if code < 128 and before < 128:
            found.bits[(before << 4) | (code >> 3)] |= 1 << (code & 7)
        before = code


cdef bint may_be_part(object text, const Bigrams* of_title):
    """Return False if two characters that follow each other in a text do not so in the title.

    Only those before the first one that is not ASCII are compared.
    """
    cdef Py_ssize_t at, length = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef uint32_t code, before = 128
    for at in range(length):
        code = PyUnicode_READ(kind, data, at)
        if code >= 128:
            return True
        if is_ascii_space(code):
            continue
        code = lower(code)
        if before < 128 and not of_title.bits[(before << 4) | (code >> 3)] >> (code & 7) & 1:
            return False
        before = code
    return True


cdef str read_title(
    const uint16_t* tag,
    const int32_t* end,
    Py_ssize_t body,
    tuple texts,
    uint16_t title,  # its tag number
    Py_ssize_t most_chars,
):
    """Return the first title in the head that is not blank; see `title.page_title`."""
    cdef Py_ssize_t at, inner, first = 0, last  # texts
    cdef str text
    for at in range(body):
        if tag[at] == 0:
            first += 1
        elif tag[at] == title:
            last = first
            for inner in range(at + 1, end[at]):
                last += tag[inner] == 0
            text = " ".join("".join(texts[first:last])[:most_chars].split())
            if text:
                return text
    return ""


cdef tuple longest_part(
    Py_ssize_t size,  # blocks
    tuple texts,
    const int32_t* texts_from,
    const int32_t* texts_to,
    const int32_t* chars,
    const uint8_t* allowed,
    const uint8_t* hidden,
    const double* level,
    double least_level,
    double most_level,
    double least,
    double most,
    str title,
    const Bigrams* bigrams,
):
    """Return the length of the longest block's text that is part of the title, and minus its block.

    Blocks of the given heading levels, with `least` to `most` characters, are compared without
    white space and case. Of texts of one length the first block wins.
    """
    cdef Py_ssize_t block, longest = 0, found = 0
    cdef str text
    for block in range(size):
        if not (least <= chars[block] <= most and least_level <= level[block] <= most_level):
            continue
        if hidden[block] or not allowed[block]:
            continue
        text = texts[texts_from[block]]
        if not may_be_part(text, bigrams):
            continue
        if texts_to[block] > texts_from[block]:
            text = "".join(texts[texts_from[block] : texts_to[block] + 1])
        text = "".join(text.split()).casefold()
        if len(text) > longest and text in title:
            longest, found = len(text), block
    return longest, -found


# --- all of them ---------------------------------------------------------------------------------


cdef class Tables:
    """Tables over tag numbers and code points, and numbers that the plain modules define."""

    cdef const uint8_t[::1] is_block, never_content, classes
    cdef uint64_t[256] packed  # of each code point: 1 in the byte of its class
    cdef const int32_t[::1] element_bits
    cdef const double[::1] heading_level
    cdef const uint64_t[::1] tag_hash, level_hash
    cdef const int64_t[::1] reaches, per_block, counted, sections
    cdef const int64_t[::1] lines  # where each group of features begins, and the last ends
    cdef readonly dict numbers
    cdef Py_ssize_t kinds  # of pages
    cdef dict graph_types
    cdef object schema_counts

    def __init__(self, dict arrays, dict numbers, dict graph_types, schema_counts):
        """Take arrays and numbers by name, and what `page` says of declarations."""
        self.is_block, self.never_content = arrays["is_block"], arrays["never_content"]
        self.classes, self.element_bits = arrays["classes"], arrays["element_bits"]
        self.heading_level = arrays["heading_level"]
        self.tag_hash, self.level_hash = arrays["tag_hash"], arrays["level_hash"]
        self.reaches, self.per_block = arrays["reaches"], arrays["per_block"]
        self.counted, self.sections = arrays["counted"], arrays["sections"]
        self.lines, self.kinds = arrays["lines"], numbers["kinds"]
        self.numbers = numbers
        for code in range(256):
            self.packed[<int> code] = <uint64_t> 1 << (8 * self.classes[<int> code])
        self.graph_types, self.schema_counts = graph_types, schema_counts


cdef enum:  # groups of features, in the order of the matrix
    DENSITIES, SIBLINGS, INSIDE, ELEMENT, COMMON_H1, COMMON_RICHEST, OWN, POSITION
    DISTANCE_H1, LAST_HEADING, SECTION, SAME_TAGS, SAME_CLASSES, COPIES, BEFORE, AFTER, NEAR
    DISTANCE_HEADLINE, COMMON_HEADLINE, NAMES, OF_PAGE, PAGE_TITLE, PAGE_DECLARES, PAGE_NAMES
    KINDS
    GROUPS

cdef enum:  # classes of characters, as in `characters`
    DIGIT = 1
    CAPITAL, STOP, COMMA, QUESTION, MONEY
    CLASSES = 8


cdef int fill_distance(
    Py_ssize_t size, Py_ssize_t block, const double* words, double total, float* lines
) except -1:
    """Fill in the distance of each block from one block, in blocks and in share of words."""
    cdef Py_ssize_t at
    cdef double before = 0, at_block = 0
    if block < 0:
        fill_line(lines, size, -999.0)
        fill_line(lines + size, size, -9.0)
        return 0
    for at in range(block):
        at_block += words[at]
    for at in range(size):
        lines[at] = at - block
        lines[size + at] = (before - at_block) / total
        before += words[at]
    return 0


cdef int fill_own(
    Py_ssize_t size,  # blocks
    Py_ssize_t texts,
    const double* of_blocks,
    const int32_t* chars,
    const int32_t* of_text,
    const int64_t* counts,
    const uint8_t* last,
    float* lines,
) except -1:
    """Fill in the numbers of the block itself."""
    cdef Py_ssize_t at
    cdef double words
    fill_line(lines + 3 * size, size, 0)
    for at in range(texts):
        if of_text[at] >= 0:
            lines[3 * size + of_text[at]] += 1
    for at in range(size):
        words = larger(of_blocks[at], 1)
        lines[at] = of_blocks[at]
        lines[size + at] = chars[at]
        lines[2 * size + at] = of_blocks[size + at] / words
        lines[4 * size + at] = counts[STOP * size + at]
        lines[5 * size + at] = counts[COMMA * size + at]
        lines[6 * size + at] = counts[CAPITAL * size + at]
        lines[7 * size + at] = counts[CAPITAL * size + at] / words
        lines[8 * size + at] = counts[DIGIT * size + at] / words
        lines[9 * size + at] = counts[MONEY * size + at]
        lines[10 * size + at] = last[at]
    return 0


cdef int fill_beginning_keys(
    Py_ssize_t size, tuple texts, const int32_t* texts_from, const int32_t* chars, int64_t* keys
) except -1:
    """Fill in a key of each block's first text and its number of characters.

    Most texts differ in their length or in one of a few characters, and need no hash.
    """
    cdef Py_ssize_t at, length, places = 4
    cdef PyObject* text
    cdef const void* data
    cdef int kind
    cdef uint64_t mixed
    cdef int32_t* place
    cdef int32_t* held
    while places < 4 * size:
        places *= 2
    place = <int32_t*> malloc((size + 1) * sizeof(int32_t))
    held = <int32_t*> calloc(places, sizeof(int32_t))
    try:
        if place == NULL or held == NULL:
            raise MemoryError
        for at in range(size):
            text = PyTuple_GET_ITEM(texts, texts_from[at])
            data, kind = PyUnicode_DATA(<object> text), PyUnicode_KIND(<object> text)
            length = PyUnicode_GET_LENGTH(<object> text)
            mixed = <uint64_t> chars[at] << 32 | <uint64_t> length
            if length:
                mixed = mixed * MIXING + PyUnicode_READ(kind, data, length // 2)
                mixed = mixed * MIXING + PyUnicode_READ(kind, data, length // 3)
                mixed = mixed * MIXING + PyUnicode_READ(kind, data, length - 1)
            place[at] = (mixed * MIXING >> 32) & (places - 1)
            held[place[at]] += 1
        for at in range(size):
            keys[at] = -1 - at
            if held[place[at]] > 1:
                text = PyTuple_GET_ITEM(texts, texts_from[at])
                keys[at] = chars[at] + <int64_t> (<uint64_t> <int64_t> hash(<object> text) * 31)
    finally:
        free(place)
        free(held)
    return 0


cdef inline void* new_items(object array, Py_ssize_t size, Py_ssize_t item) except? NULL:
    """Return where the items of a new array are."""
    return data_of(array, size, item, PyBUF_WRITABLE)


def compute(Tables tables, object page, object blocks, Py_ssize_t body, Tokens tokens):
    """Compute all features of all blocks.

    Returns the matrix, the headline, the pairs of names, those of the containers, and the fields of
    `Outline`: words, linked words and prose are one array, as are parent, outermost, wider, depth.
    """
    cdef tuple texts = page.texts
    cdef list nodes = page.nodes, pairs
    cdef Py_ssize_t rows = len(nodes), size = len(blocks.first)
    cdef const uint16_t* page_tag = tags_of(page.tag, rows)
    cdef const int32_t* page_end = integers(page.end, rows)
    cdef const int32_t* page_parent = integers(page.parent, rows)
    cdef const int32_t* page_level = integers(page.level, rows)
    cdef const int32_t* row_chars = integers(page.chars, rows)
    cdef const int32_t* row_words = integers(page.words, rows)
    cdef const uint8_t* linked = flags_of(page.linked, rows)
    cdef const int32_t* around = integers(blocks.around, rows)
    cdef const int32_t* first = integers(blocks.first, size)
    cdef const int32_t* texts_from = integers(blocks.texts_from, size)
    cdef const int32_t* texts_to = integers(blocks.texts_to, size)
    cdef const int32_t* block_parent = integers(blocks.parent, size)
    cdef const int32_t* chars = integers(blocks.chars, size)
    cdef const int32_t* words_of = integers(blocks.words, size)
    cdef const int32_t* linked_of = integers(blocks.linked_words, size)
    cdef const uint8_t* hidden = flags_of(blocks.hidden, size)
    cdef const int32_t* of_text = integers(blocks.of_text, len(texts))
    cdef dict numbers = tables.numbers
    cdef const int64_t[::1] at_line = tables.lines
    cdef Py_ssize_t count, block, at, h1 = -1, headline, group
    cdef Py_ssize_t richest, inner, levels = 0, line, known_tags = numbers["known_tags"]
    cdef double total = 0, share = 0
    cdef float* lines[GROUPS]  # of each group of features
    cdef float* part
    cdef float* matrix
    cdef float* measures = NULL
    cdef uint8_t* allowed
    cdef uint8_t* last
    cdef uint8_t* is_step
    cdef double* words
    cdef double* sums
    cdef int64_t* container
    cdef int64_t* of_container
    cdef int64_t* parent  # before the next three
    cdef int64_t* outermost
    cdef int64_t* wider
    cdef int64_t* depth
    cdef int64_t* counts
    cdef int32_t* row
    cdef int32_t* end
    cdef uint16_t* tag
    cdef double* level_of = <double*> malloc((size + 1) * sizeof(double))
    cdef int64_t* key_data = <int64_t*> malloc((2 * size + 1) * sizeof(int64_t))
    cdef int32_t* number = <int32_t*> malloc((rows + 1) * sizeof(int32_t))
    cdef uint64_t* level_hash = NULL
    cdef uint64_t* class_hash
    try:
        if level_of == NULL or key_data == NULL or number == NULL:
            raise MemoryError
        count = find_containers(
            rows, page_tag, page_end, row_chars, &tables.is_block[0], &tables.never_content[0],
            body, number,
        )
        made = (
            EMPTY(size, BOOL), EMPTY((3, size)), EMPTY(size, INT64),
            EMPTY(size, UINT8), EMPTY((CLASSES, size), INT64),
            EMPTY(count, INT32), EMPTY(count, UINT16), EMPTY(count, INT32),
            EMPTY((4, count), INT64), EMPTY((SUMS, count)), EMPTY(count, BOOL),
        )
        of_pair = EMPTY(count, INT64)
        whole = EMPTY((at_line[KINDS] + tables.kinds, size), FLOAT32)
        allowed = <uint8_t*> new_items(made[0], size, 1)
        words = <double*> new_items(made[1], 3 * size, sizeof(double))
        container = <int64_t*> new_items(made[2], size, sizeof(int64_t))
        last = <uint8_t*> new_items(made[3], size, 1)
        counts = <int64_t*> new_items(made[4], CLASSES * size, sizeof(int64_t))
        row = <int32_t*> new_items(made[5], count, sizeof(int32_t))
        tag = <uint16_t*> new_items(made[6], count, sizeof(uint16_t))
        end = <int32_t*> new_items(made[7], count, sizeof(int32_t))
        parent = <int64_t*> new_items(made[8], 4 * count, sizeof(int64_t))
        sums = <double*> new_items(made[9], SUMS * count, sizeof(double))
        is_step = <uint8_t*> new_items(made[10], count, 1)
        of_container = <int64_t*> new_items(of_pair, count, sizeof(int64_t))
        matrix = <float*> new_items(
            whole, (at_line[KINDS] + tables.kinds) * size, sizeof(float)
        )
        for group in range(GROUPS):
            lines[group] = matrix + at_line[group] * size
        level_hash = <uint64_t*> malloc((2 * count + 1) * sizeof(uint64_t))
        class_hash = level_hash + count
        measures = <float*> malloc((RECORD * count + 1) * sizeof(float))
        if level_hash == NULL or measures == NULL:
            raise MemoryError
        memset(last, 0, size)
        memset(counts, 0, CLASSES * size * sizeof(int64_t))
        outermost, wider, depth = parent + count, parent + 2 * count, parent + 3 * count
        fill_outline(
            rows, size, count, page_tag, page_end, page_parent, row_chars, row_words, linked,
            number, numbers["a"], numbers["p"], numbers["img"], around, first, block_parent,
            words_of, linked_of, numbers["prose_words"], numbers["prose_links"], allowed, words,
            container, row, tag, end, parent, sums, is_step,
        )
        count_characters(texts, size, of_text, texts_to, tables, counts, last)
        pairs = read_pairs(nodes, count, row, of_container, class_hash)
        for block in range(size):
            total += words[block]
            level_of[block] = tables.heading_level[page_tag[block_parent[block]]]
            if h1 < 0 and level_of[block] == 1 and allowed[block] and not hidden[block]:
                h1 = block
        total = larger(total, 1)
        for at in range(rows):
            levels = max(levels, page_level[at])

        # densities
        fill_measures(count, sums, outermost, measures)
        richest = fill_densities(
            size, count, measures, container, outermost, wider, is_step, depth, words + 2 * size,
            lines[DENSITIES], lines[SIBLINGS],
        )
        fill_inside(
            size, count, page_tag, page_parent, first, tag, parent, container,
            &tables.element_bits[0], at_line[ELEMENT] - at_line[INSIDE], lines[INSIDE],
        )
        part = lines[ELEMENT]
        for block in range(size):
            inner = page_parent[first[block]]
            part[block] = page_level[inner]
            part[size + block] = depth[container[block]]
            part[2 * size + block] = min(page_tag[inner], known_tags)
            part[3 * size + block] = level_of[block]
            part[4 * size + block] = hidden[block]
        fill_common(
            size, count, row, end, parent, depth, container, measures,
            container[h1] if h1 >= 0 else -1, lines[COMMON_H1],
        )
        fill_common(
            size, count, row, end, parent, depth, container, measures, richest,
            lines[COMMON_RICHEST],
        )

        # position
        fill_own(size, len(texts), words, chars, of_text, counts, last, lines[OWN])
        fill_distance(size, h1, words, total, lines[DISTANCE_H1])
        fill_positions(
            size, words, words + size, allowed, level_of, counts + STOP * size, total,
            lines[POSITION], lines[LAST_HEADING], lines[SECTION], lines[BEFORE], lines[AFTER],
            lines[NEAR], tables.reaches.shape[0], &tables.reaches[0],
        )
        for at in range(count):
            level_hash[at] = tables.level_hash[page_level[row[at]] % tables.level_hash.shape[0]]
        path_keys(
            size, count, level_hash, &tables.tag_hash[0], tag, class_hash, of_container, parent,
            container, page_tag, page_parent, first, numbers["odd"],
            <uint64_t*> key_data,
        )
        fill_same_key(size, key_data, words, words + size, total, lines[SAME_TAGS], False)
        fill_same_key(
            size, key_data + size, words, words + size, total, lines[SAME_CLASSES], False
        )
        fill_beginning_keys(size, texts, texts_from, chars, key_data)
        fill_same_key(size, key_data, words, words + size, 1.0, lines[COPIES], True)

        # headline and names
        headline, share = find_headline(
            tables,
            read_title(page_tag, page_end, body, texts, numbers["title"], numbers["title_chars"]),
            size, texts, texts_from, texts_to, chars, allowed, hidden, level_of, h1,
        )
        fill_distance(size, headline, words, total, lines[DISTANCE_HEADLINE])
        fill_common(
            size, count, row, end, parent, depth, container, measures,
            container[headline] if headline >= 0 else -1, lines[COMMON_HEADLINE],
        )
        fill_title(
            size, count, (at_line[PAGE_DECLARES] - at_line[PAGE_TITLE] - 1) // 3,
            lines[PAGE_TITLE], sums, outermost, wider,
            container[headline] if headline >= 0 else -1, share, total,
        )
        fill_all_names(
            tables, tokens, size, count, pairs, of_container, parent, container, levels,
            at_line[OF_PAGE] - at_line[NAMES] - 7, lines[NAMES], lines[PAGE_NAMES],
        )
        fill_page(
            tables, rows, size, count, page_tag, words, hidden, counts, h1, measures, matrix
        )
        fill_declared(
            tables, page, nodes, body, size, at_line[PAGE_NAMES] - at_line[PAGE_DECLARES],
            lines[PAGE_DECLARES],
        )
        fill_line(lines[KINDS], tables.kinds * size, 0)
        return whole, headline, pairs, of_pair, made, levels
    finally:
        free(level_of)
        free(key_data)
        free(number)
        free(level_hash)
        free(measures)


cdef tuple find_headline(
    Tables tables,
    str written,  # the title
    Py_ssize_t size,  # blocks
    tuple texts,
    const int32_t* texts_from,
    const int32_t* texts_to,
    const int32_t* chars,
    const uint8_t* allowed,
    const uint8_t* hidden,
    const double* level,
    Py_ssize_t h1,
):
    """Return the block of the headline (-1: none), and its share of the title."""
    cdef dict numbers = tables.numbers
    cdef str title = "".join(written.split()).casefold()
    cdef double least = larger(numbers["least_chars"], numbers["least_share"] * len(title))
    cdef tuple best = (0.0, -h1, 0.0)
    cdef Py_ssize_t length, minus_block
    cdef double share
    cdef Bigrams bigrams
    find_bigrams(title, &bigrams)
    if title:
        for lowest, highest, bonus in (
            (1, 1, numbers["h1_bonus"]), (2, 6, numbers["heading_bonus"]), (0, 0, 0.0)
        ):
            if best[0] > 1.0 + bonus:  # even the whole title would be less
                continue
            length, minus_block = longest_part(
                size, texts, texts_from, texts_to, chars, allowed, hidden, level, lowest, highest,
                least, len(written), title, &bigrams,
            )
            if length >= least:
                share = <double> length / len(title)
                best = max(best, (share + bonus, minus_block, share))
    return -best[1], best[2]


cdef int fill_title(
    Py_ssize_t size,  # blocks
    Py_ssize_t count,  # containers
    Py_ssize_t steps,
    float* lines,
    const double* sums,
    const int64_t* outermost,
    const int64_t* wider,
    Py_ssize_t container,
    double share,
    double total,
) except -1:
    """Fill in PAGE_TITLE_FEATURES; `container` is that of the headline (-1: none)."""
    cdef Py_ssize_t step, around
    cdef double links
    fill_line(lines, size, share if container >= 0 else 0.0)
    fill_line(lines + size, 3 * steps * size, -1.0)
    if container < 0:
        return 0
    around = outermost[container]
    for step in range(steps):
        links = sums[LINKED_WORDS * count + around] / larger(sums[around], 1)
        fill_line(lines + (1 + step) * size, size, sums[PROSE * count + around])
        fill_line(lines + (1 + steps + step) * size, size, links)
        fill_line(lines + (1 + 2 * steps + step) * size, size, sums[around] / total)
        around = wider[around]
    return 0


cdef int fill_all_names(
    Tables tables,
    Tokens table,
    Py_ssize_t size,  # blocks
    Py_ssize_t count,  # containers
    list pairs,
    const int64_t* of_container,
    const int64_t* parent,
    const int64_t* container,
    Py_ssize_t levels,
    Py_ssize_t further,
    float* lines,
    float* kinds,
) except -1:
    """Fill in NAME_FEATURES, and the mean log-odds of each page kind over the known tokens."""
    cdef dict numbers = tables.numbers
    cdef const float* odds = &table.odds[0]
    cdef const float* of_kind = &table.kinds[0, 0]
    cdef Py_ssize_t count_of_kinds = tables.kinds
    cdef Py_ssize_t at, kind, token, tokens = table.odds.shape[0], distinct = 0, doublings = 0
    cdef float* totals = <float*> calloc(tables.kinds + 1, sizeof(float))
    cdef Known known
    cdef uint64_t* is_seen = <uint64_t*> calloc(tokens // 64 + 1, sizeof(uint64_t))  # bits
    cdef uint64_t bits
    known.token = NULL
    known.count = 0
    try:
        if totals == NULL or is_seen == NULL:
            raise MemoryError
        look_up(
            pairs, table, numbers["most_chars"], numbers["most_words"], &known
        )
        for at in range(known.count):
            is_seen[known.token[at] >> 6] |= <uint64_t> 1 << (known.token[at] & 63)
        for at in range(tokens // 64 + 1):
            bits = is_seen[at]
            while bits:  # in order: sums of floats depend on it
                token = 64 * at + trailing_zeros(bits)
                bits &= bits - 1
                distinct += 1
                for kind in range(count_of_kinds):
                    totals[kind] += of_kind[token * count_of_kinds + kind]
        for kind in range(tables.kinds):
            fill_line(kinds + kind * size, size, totals[kind] / <float> max(distinct, 1))
        while levels >> doublings:
            doublings += 1
        fill_names(
            size, count, odds, &known, len(pairs), of_container, parent, container,
            numbers["decay"], numbers["decay"] ** (2**doublings - 1), further, lines,
        )
    finally:
        free(totals)
        free(is_seen)
        free(known.token)
    return 0


cdef int fill_page(
    Tables tables,
    Py_ssize_t rows,
    Py_ssize_t size,  # blocks
    Py_ssize_t count,  # containers
    const uint16_t* page_tag,
    const double* of_blocks,
    const uint8_t* hidden,
    const int64_t* counts,
    Py_ssize_t h1,
    const float* measures,
    float* matrix,
) except -1:
    """Fill in the features "page"."""
    cdef const int64_t* lines = &tables.lines[0]
    cdef Py_ssize_t at, kind, line = lines[OF_PAGE]
    cdef Py_ssize_t known = <Py_ssize_t> tables.numbers["known_tags"]
    cdef const float* inside = matrix + size * lines[INSIDE]
    cdef const float* in_main = inside + size * <int> tables.numbers["in_main"]
    cdef const float* in_article = inside + size * <int> tables.numbers["in_article"]
    cdef const float* repeats = matrix + size * lines[SAME_CLASSES]
    cdef const float* repeated = repeats + size
    cdef double total = 0, linked = 0, prose = 0, hidden_words = 0, longest = 0, shown = 0
    cdef double main = 0, article = 0, before_h1 = 0, words
    cdef double[CLASSES] characters
    cdef float richest = 0, most_repeats = 0, most_repeated = 0, product
    cdef Py_ssize_t prose_blocks = 0, money_blocks = 0
    cdef bint has_sections = False
    cdef int64_t* tags = <int64_t*> calloc(known + 2, sizeof(int64_t))
    if tags == NULL:
        raise MemoryError
    for kind in range(CLASSES):
        characters[kind] = 0
    for at in range(size):
        if at == h1:
            before_h1 = total
        total += of_blocks[at]
        linked += of_blocks[size + at]
        prose += of_blocks[2 * size + at]
        longest = max(longest, of_blocks[at])
        prose_blocks += of_blocks[2 * size + at] != 0
        if hidden[at]:
            hidden_words += of_blocks[at]
        else:
            shown += of_blocks[2 * size + at]
        main += in_main[at] * of_blocks[at]
        article += in_article[at] * of_blocks[at]
        most_repeats = max(most_repeats, repeats[at])
        most_repeated = max(most_repeated, repeated[at])
        money_blocks += counts[MONEY * size + at] != 0
        for kind in range(CLASSES):
            characters[kind] += counts[kind * size + at]
    for at in range(count):
        if measures[at * RECORD + SHARE] < <float> 0.9:
            product = measures[at * RECORD + SHARE] * measures[at * RECORD + SHARE_OF_PROSE]
            richest = max(richest, product)
    for at in range(rows):
        tags[min(page_tag[at], known)] += 1
    words = larger(total, 1)
    cdef double[21] found = [
        size, words, rows, linked / words, hidden_words / words, longest,
        prose / words, prose_blocks, shown, richest, most_repeats, most_repeated, main / words,
        article / words, before_h1 / words if h1 >= 0 else -1.0, characters[MONEY],
        <double> money_blocks / size, characters[DIGIT] / words,
        (characters[STOP] + characters[COMMA]) / words, characters[CAPITAL] / words,
        characters[QUESTION],
    ]
    for at in range(21):
        fill_line(matrix + (line + at) * size, size, found[at])
    line += 21
    for at in range(tables.per_block.shape[0]):
        fill_line(matrix + (line + at) * size, size, <double> tags[tables.per_block[at]] / size)
    line += tables.per_block.shape[0]
    for at in range(tables.counted.shape[0]):
        fill_line(matrix + (line + at) * size, size, tags[tables.counted[at]])
    for at in range(tables.sections.shape[0]):
        has_sections |= tags[tables.sections[at]] > 0
    fill_line(matrix + (line + tables.counted.shape[0]) * size, size, not has_sections)
    free(tags)
    return 0


cdef int fill_declared(
    Tables tables, object page, list nodes, Py_ssize_t body,
    Py_ssize_t size, Py_ssize_t count, float* lines,
) except -1:
    """Fill in what the page declares."""
    cdef Py_ssize_t line
    cdef object stated = page.stated
    fill_line(lines, count * size, 0)
    if stated.graph_types:
        fill_line(lines, size, graph_type(tables, nodes, min(stated.graph_types), body))
    if stated.linked_data:
        line = 1
        for counted in tables.schema_counts(page):
            fill_line(lines + line * size, size, counted)
            line += 1
    return 0


cdef int graph_type(Tables tables, list nodes, Py_ssize_t row, Py_ssize_t body) except -1:
    """Return the number of the og:type in a row; see `page.open_graph_type`."""
    cdef str declared
    if row > body:
        return 0
    declared = read_name(nodes[row], CONTENT)
    if not declared:
        return 0
    declared = declared.lower()
    for name, number in tables.graph_types.items():
        if name in declared:
            return number
    return 4
