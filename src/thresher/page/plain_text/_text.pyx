"""The compiled passes of plain text: gaps between kept texts, and writing them.

`thresher.page.plain_text` has the plain version of both.
"""

from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_GET_ITEM
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, realloc

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index) nogil
    object PyUnicode_FromKindAndData(int kind, const void* buffer, Py_ssize_t size)
    bint Py_UNICODE_ISSPACE(uint32_t character) nogil
    bint Py_UNICODE_ISALNUM(uint32_t character) nogil

cdef enum:  # levels of gaps and bits of tags, as in `gaps`
    JOIN, SPACE, BREAK, CELL, LINE, PARAGRAPH

cdef enum:
    BREAK_BIT = 1 << 1
    LINE_BIT = 1 << 3
    PARAGRAPH_BIT = 1 << 4
    LEVELS = 31
    CHIP_STARTS = 1 << 5
    CHIP_ENDS = 1 << 6
    BLANK = 1 << 7
    KEEPS_SPACE = 1 << 8
    CODE = 1 << 9
    LIST = 1 << 10
    ITEM = 1 << 11
    RAW = 1 << 14  # a script or style

cdef enum:  # bits of a text that is written, as in `gaps`
    IS_SPACED = 1  # white space is in the gap before it
    IS_CHIP = 2  # the gap lies between two chips
    IS_BROKEN = 4  # a line break is in it
    IS_VERBATIM = 8  # the text is code

cdef enum:
    DEEPEST = 20  # levels of lists that are indented, as in `plain_text`


def gather_bits(
    const uint16_t[::1] tag, const int32_t[::1] end, const uint16_t[::1] table, uint16_t[::1] bits
):
    """Write the bits of every row, lists in lists as lines; return all bits of the page."""
    cdef Py_ssize_t row
    cdef int32_t reach = 0
    cdef uint16_t own, present = 0
    with nogil:
        for row in range(tag.shape[0]):
            own = table[tag[row]]
            if own & LIST:
                if row < reach:
                    own = own & ~LEVELS | LINE_BIT
                else:
                    reach = end[row]
            bits[row] = own
            present |= own
    return present


cdef struct Gap:
    uint16_t bits
    int32_t breaks


cdef uint8_t strongest(Gap gap) noexcept nogil:
    """Return the strongest level in a gap; two line breaks make a paragraph."""
    cdef uint8_t level = 0
    cdef uint16_t left = gap.bits & LEVELS
    while left:
        level += 1
        left >>= 1
    return PARAGRAPH if level == BREAK and gap.breaks > 1 else level


def read_gaps(
    tuple texts,
    const uint16_t[::1] bits,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const int32_t[::1] chars,
    const int32_t[::1] words,
    const uint8_t[::1] linked,
    const int32_t[::1] text_rows,
    const uint8_t[::1] keep,
    const uint8_t[::1] is_cell,
    uint16_t[::1] ended,
    int32_t[:, ::1] near,
    int32_t[:, ::1] found,
    uint8_t[::1] level,
    uint8_t[::1] flags,
):
    """Find the texts to write, and the gap before each; return how many there are.

    The lines of `found` are: index of the text, indentation in levels, the item whose mark comes
    before it (-1: none), and the cell that it is in (-1: none). `is_cell` is empty if there are
    no cells of data tables. `ended` (zeros, one more than there are rows) and `near` are scratch:
    the bits of the elements that end before a row, and for each row the innermost code, item and
    cell around it and the number of lists.

    The kept texts that are not blank are written, and blank ones between two of them in the same
    code. Whether a blank text is between two is known at the second one: until then it counts for
    the gap in `since`, and if it is written for that in `gap`.
    """
    cdef Py_ssize_t text = 0, count = 0, solid_count = 0, stop = text_rows.shape[0]
    cdef Py_ssize_t row = 0
    cdef int32_t above, item, code = -1, last_code = -2, cell = -1, around
    cdef uint16_t own
    cdef bint blank, has_cells = is_cell.shape[0] > 0
    cdef int32_t code_reach = 0
    cdef Gap gap, since
    cdef object data
    gap.bits = since.bits = 0
    gap.breaks = since.breaks = 0
    while stop and not keep[stop - 1]:
        stop -= 1
    while text < stop:
        own = bits[row]
        gap.bits |= ended[row] | own & (LEVELS | CHIP_STARTS)
        gap.breaks += (own & BREAK_BIT) != 0
        if own & (LEVELS | CHIP_STARTS):
            ended[end[row]] |= own & LEVELS | (own & CHIP_STARTS) << 1
        above = parent[row]
        if row:
            near[row, 0], near[row, 1] = near[above, 0], near[above, 1]
            near[row, 2], near[row, 3] = near[above, 2], near[above, 3]
        else:
            near[0, 0] = near[0, 1] = near[0, 2] = -1
            near[0, 3] = 0
        if own & (KEEPS_SPACE | ITEM | LIST):
            if own & KEEPS_SPACE:
                near[row, 0] = row
            if own & ITEM:
                near[row, 1] = row
            near[row, 3] += (own & LIST) != 0
        if has_cells and is_cell[row]:
            near[row, 2] = row
        if own & CODE and end[row] > code_reach:
            code_reach = end[row]
        if text_rows[text] != row:
            row += 1
            continue
        data = <object> PyTuple_GET_ITEM(texts, text)
        blank = chars[row] == 0 or (words[row] == 0 and data.isspace())
        code = near[row, 0]
        if blank and not bits[above] & RAW:
            gap.bits |= BLANK
        if (keep[text] and not blank) or (blank and code >= 0 and code == last_code):
            if not blank:
                if count > solid_count and code != last_code:  # not between two: not written
                    count = solid_count
                    gap.bits |= since.bits
                    gap.breaks += since.breaks
                last_code = code
            found[0, count] = text
            if count == 0:
                gap.bits, gap.breaks = PARAGRAPH_BIT, 0
            level[count] = strongest(gap)
            flags[count] = (
                (IS_SPACED if gap.bits & BLANK else 0)
                | (IS_BROKEN if gap.breaks else 0)
                | (IS_VERBATIM if code >= 0 else 0)
            )
            if gap.bits & CHIP_STARTS and gap.bits & CHIP_ENDS and row >= code_reach:
                if are_words(
                    <object> PyTuple_GET_ITEM(texts, found[0, count - 1]), data,
                    linked[text_rows[found[0, count - 1]]] and linked[row],
                ):
                    flags[count] |= IS_CHIP
            item, cell = near[row, 1], near[row, 2]
            around = near[cell, 1] if cell >= 0 else item
            found[1, count] = max(near[around, 3], 1) if around >= 0 else 0
            found[2, count] = item
            found[3, count] = cell
            count += 1
            if blank:
                since.bits |= gap.bits
                since.breaks += gap.breaks
            else:
                solid_count = count
                since.bits = since.breaks = 0
            gap.bits = gap.breaks = 0
        text += 1
        row += 1
    count = solid_count
    mark_items(found, near, count)
    return count


cdef bint are_words(object before, object after, bint are_links):
    """Return whether two texts beside each other are words, not pieces of one."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(before)
    if length == 0 or PyUnicode_GET_LENGTH(after) == 0:
        return False
    if not are_links and (length == 1 or PyUnicode_GET_LENGTH(after) == 1):
        return False
    return (
        Py_UNICODE_ISALNUM(PyUnicode_READ(PyUnicode_KIND(before), PyUnicode_DATA(before), length - 1))
        and Py_UNICODE_ISALNUM(PyUnicode_READ(PyUnicode_KIND(after), PyUnicode_DATA(after), 0))
    )


cdef void mark_items(int32_t[:, ::1] found, int32_t[:, ::1] near, Py_ssize_t count) noexcept nogil:
    """Leave the item of its first text only, whose indentation is that of the mark."""
    cdef Py_ssize_t index
    cdef int32_t item, cell
    for index in range(count):
        item, cell = found[2, index], found[3, index]
        if item < 0:
            continue
        if near[item, 0] == -2:  # it was seen
            found[2, index] = -1
            continue
        near[item, 0] = -2
        if (near[cell, 1] if cell >= 0 else item) == item:
            found[1, index] -= 1


cdef struct Buffer:
    uint32_t* data
    Py_ssize_t size
    Py_ssize_t room


cdef struct Body:  # what is written of a run so far
    Py_ssize_t depth  # indentation, in levels
    bint is_code
    bint starts_line  # in code: line ends at its start are left out
    bint is_empty
    bint owes_space  # in prose: white space since the last character
    Py_ssize_t owed_lines  # in code: line ends since the last character
    bint ends_with_space


ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t


cdef int reserve(Buffer* out, Py_ssize_t more) except -1:
    """Make room for more characters."""
    cdef uint32_t* data
    cdef Py_ssize_t room
    if out.size + more > out.room:
        room = 2 * (out.size + more) + 1_000
        data = <uint32_t*> realloc(out.data, room * sizeof(uint32_t))
        if data == NULL:
            raise MemoryError
        out.data, out.room = data, room
    return 0


cdef inline void put(Buffer* out, uint32_t code_point) noexcept nogil:
    out.data[out.size] = code_point
    out.size += 1


cdef void end_line(Buffer* out) noexcept nogil:
    """Drop white space at the end of the last line."""
    while (
        out.size and out.data[out.size - 1] != c"\n"
        and Py_UNICODE_ISSPACE(out.data[out.size - 1])
    ):
        out.size -= 1


cdef int put_line_end(Buffer* out, Py_ssize_t depth) except -1:
    """Begin a new, indented line. Line ends at the very beginning are left out."""
    reserve(out, 1 + 2 * DEEPEST)
    end_line(out)
    if out.size:
        put(out, c"\n")
    for _ in range(2 * depth):
        put(out, c" ")
    return 0


cdef int put_mark(Buffer* out, object mark) except -1:
    cdef Py_ssize_t at
    reserve(out, PyUnicode_GET_LENGTH(mark))
    for at in range(PyUnicode_GET_LENGTH(mark)):
        put(out, PyUnicode_READ(PyUnicode_KIND(mark), PyUnicode_DATA(mark), at))
    return 0


cdef void put_prose(
    Buffer* out, Body* body, const character* text, Py_ssize_t size
) noexcept nogil:
    """Write a text with its white space collapsed."""
    cdef Py_ssize_t at = 0
    cdef uint32_t* to = out.data + out.size
    cdef bint owes_space = body.owes_space
    if body.is_empty:
        while at < size and Py_UNICODE_ISSPACE(text[at]):
            at += 1
        owes_space = False
    if at < size:
        body.is_empty = False
    for at in range(at, size):
        if Py_UNICODE_ISSPACE(text[at]):
            owes_space = True
        else:
            if owes_space:
                to[0] = c" "
                to += 1
                owes_space = False
            to[0] = text[at]
            to += 1
    body.owes_space = owes_space
    out.size = to - out.data


cdef int put_code(Buffer* out, Body* body, const character* text, Py_ssize_t size) except -1:
    """Write a text as it is, each line indented."""
    cdef Py_ssize_t at
    for at in range(size):
        if text[at] == c"\n":
            body.owed_lines += not (body.is_empty and body.starts_line)
            continue
        if body.owed_lines:
            put_owed_lines(out, body)
        reserve(out, 1)
        put(out, text[at])
        body.is_empty, body.ends_with_space = False, Py_UNICODE_ISSPACE(text[at])
    return 0


cdef int put_characters(Buffer* out, Body* body, const character* text, Py_ssize_t size) except -1:
    if body.is_code:
        return put_code(out, body, text, size)
    reserve(out, size + 1)
    put_prose(out, body, text, size)
    return 0


cdef int put_text(Buffer* out, Body* body, object text) except -1:
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return put_characters(out, body, <const uint8_t*> data, size)
    if kind == 2:
        return put_characters(out, body, <const uint16_t*> data, size)
    return put_characters(out, body, <const uint32_t*> data, size)


cdef int put_owed_lines(Buffer* out, Body* body) except -1:
    for _ in range(body.owed_lines):
        put_line_end(out, body.depth)
    body.owed_lines, body.is_empty, body.ends_with_space = 0, False, True
    return 0


cdef bint is_space_at(object text, Py_ssize_t at):
    return Py_UNICODE_ISSPACE(PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), at))


def write_runs(
    tuple texts,
    const int32_t[:, :] found,
    const uint8_t[::1] level,
    const uint8_t[::1] flags,
    dict marks,
    dict bars,
):
    """Return the texts that `read_gaps` found as one text; see `_Runs` for the rules.

    `marks` has the marks of items that are not a dash by row, `bars` those before the first text of
    a cell by its place in `found`.
    """
    cdef Buffer out
    cdef Body body
    out.data, out.size, out.room = NULL, 0, 0
    body.is_code = False
    body.owed_lines = 0
    try:
        put_runs(&out, &body, texts, found, level, flags, marks, bars)
        end_line(&out)
        while out.size and out.data[out.size - 1] == c"\n":
            out.size -= 1
        return PyUnicode_FromKindAndData(4, out.data, out.size)
    finally:
        free(out.data)


cdef int put_runs(
    Buffer* out,
    Body* body,
    tuple texts,
    const int32_t[:, :] found,
    const uint8_t[::1] level,
    const uint8_t[::1] flags,
    dict marks,
    dict bars,
) except -1:
    cdef Py_ssize_t index
    cdef bint is_code, is_apart, begins, follows_code, follows_space
    cdef PyObject* bar
    cdef object text, before = ""
    for index in range(level.shape[0]):
        text = <object> PyTuple_GET_ITEM(texts, found[0, index])
        bar = PyDict_GetItem(bars, index) if bars else NULL
        is_code = (flags[index] & IS_VERBATIM) != 0
        is_apart = flags[index] & IS_SPACED or (level[index] == JOIN and flags[index] & IS_CHIP)
        begins = level[index] > SPACE or found[2, index] >= 0 or bar != NULL
        if not begins and (is_code or body.is_code):
            begins = not (
                is_code and body.is_code and level[index] == JOIN and level[index - 1] <= SPACE
                and PyUnicode_GET_LENGTH(text)
            )
        if begins:
            follows_code = body.is_code
            follows_space = (
                index > 0 and not follows_code
                and is_space_at(before, PyUnicode_GET_LENGTH(before) - 1)
            )
            if body.owed_lines and is_code and level[index] < CELL:
                put_owed_lines(out, body)
            body.depth = min(found[1, index], DEEPEST)
            is_apart = (is_apart and not follows_code) if is_code else (
                is_apart or is_space_at(text, 0)
            )
            reserve(out, 1)
            if level[index] >= BREAK and level[index] != CELL:
                if level[index] == PARAGRAPH:
                    put_line_end(out, 0)
                put_line_end(out, body.depth)
            elif follows_space or (
                (level[index] == SPACE or (level[index] == JOIN and is_apart))
                and not body.ends_with_space
            ):
                put(out, c" ")
            if bar != NULL:
                put_mark(out, <object> bar)
            if found[2, index] >= 0:
                put_mark(out, marks.get(found[2, index], "- ") if marks else "- ")
            body.is_code, body.starts_line = is_code, level[index] >= CELL
            body.is_empty, body.owes_space, body.owed_lines = True, False, 0
            body.ends_with_space = False
        elif not is_code and (is_apart or level[index] == SPACE):
            body.owes_space = True
        put_text(out, body, text)
        before = text
    return 0
