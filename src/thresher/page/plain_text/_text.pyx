"""The compiled passes of plain text: gaps between kept texts, and writing them.

`thresher.page.plain_text` has the plain version of both.
"""

from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_GET_ITEM
from libc.stdint cimport INT32_MAX, int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc, realloc

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
    ORDERED = 1 << 15  # a list with numbers

cdef enum:  # bits of a text that is written, as in `gaps`
    IS_SPACED = 1  # white space is in the gap before it
    IS_CHIP = 2  # the gap lies between two chips
    IS_BROKEN = 4  # a line break is in it
    IS_VERBATIM = 8  # the text is code
    IS_OF_ITEM = 16  # while reading: its indentation is that of its item

cdef enum:
    IS_SEEN = 1 << 15  # of an item: it has a text

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


cdef struct Around:  # what is around the texts from one of its rows on; -1 for none
    int32_t end  # of the element that says so
    int32_t code
    int32_t item
    int32_t item_depth  # lists around the item
    int32_t cell
    int32_t cell_item  # the item around the cell
    int32_t cell_depth  # lists around that
    int32_t lists  # their number
    bint is_ordered  # the innermost one has numbers
    bint has_number  # the item is of such a list


cdef struct Stack:
    Around* data
    Py_ssize_t size
    Py_ssize_t room


cdef uint8_t strongest(Gap gap) noexcept nogil:
    """Return the strongest level in a gap; two line breaks make a paragraph."""
    cdef uint8_t level = 0
    cdef uint16_t left = gap.bits & LEVELS
    while left:
        level += 1
        left >>= 1
    return PARAGRAPH if level == BREAK and gap.breaks > 1 else level


cdef int push(Stack* stack, Py_ssize_t row, int32_t end, uint16_t own, bint is_cell) except -1:
    """Put an element that matters for the texts inside it on the stack of those around a row."""
    cdef Around* data
    cdef Around* top
    cdef Py_ssize_t room
    if stack.size == stack.room:
        room = 2 * stack.room
        data = <Around*> realloc(stack.data, room * sizeof(Around))
        if data == NULL:
            raise MemoryError
        stack.data, stack.room = data, room
    top = stack.data + stack.size
    top[0] = stack.data[stack.size - 1]
    stack.size += 1
    top.end = end
    if own & KEEPS_SPACE:
        top.code = row
    if own & LIST:
        top.lists += 1
        top.is_ordered = (own & ORDERED) != 0
    if own & ITEM:
        top.item, top.item_depth, top.has_number = row, top.lists, top.is_ordered
    if is_cell:
        top.cell, top.cell_item, top.cell_depth = row, top.item, top.item_depth
    return 0


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
    int32_t[:, ::1] found,
    uint8_t[::1] level,
    uint8_t[::1] flags,
    bint skips,
):
    """Find the texts to write, and the gap before each.

    Return how many texts there are, and whether one is in an item of an ordered list. The lines of
    `found` are: index of the text, indentation in levels, the item whose mark comes before it (-1:
    none), and the cell that it is in (-1: none). `is_cell` is empty if there are no cells of data
    tables. `ended` (zeros, one more than there are rows) is scratch: the bits of the elements that
    end before a row. With `skips`, only the level of a gap that is a paragraph is read: elements
    without kept text in it are not looked at.
    """
    cdef Stack stack
    cdef bint has_numbers = False
    cdef Py_ssize_t count
    stack.size, stack.room = 1, 64
    stack.data = <Around*> malloc(stack.room * sizeof(Around))
    if stack.data == NULL:
        raise MemoryError
    stack.data[0] = Around(INT32_MAX, -1, -1, 0, -1, -1, 0, 0, False, False)
    try:
        count = find_texts(
            texts, bits, end, parent, chars, words, linked, text_rows, keep, is_cell, ended, found,
            level, flags, skips, &stack, &has_numbers,
        )
    finally:
        free(stack.data)
    mark_items(found, flags, ended, count)
    return count, has_numbers


cdef Py_ssize_t find_texts(
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
    int32_t[:, ::1] found,
    uint8_t[::1] level,
    uint8_t[::1] flags,
    bint skips,
    Stack* stack,
    bint* has_numbers,
) except -1:
    """Do what `read_gaps` says, but for the marks of items.

    The kept texts that are not blank are written, and blank ones between two of them in the same
    code. Whether a blank text is between two is known at the second one: until then it counts for
    the gap in `since`, and if it is written for that in `gap`.
    """
    cdef Py_ssize_t text = 0, count = 0, solid_count = 0, stop = text_rows.shape[0]
    cdef Py_ssize_t row = 0, next_kept = 0
    cdef int32_t code = -1, last_code = -2, around
    cdef uint16_t own
    cdef bint blank, has_cells = is_cell.shape[0] > 0
    cdef int32_t code_reach = 0
    cdef Gap gap, since
    cdef Around* top = stack.data
    cdef object data
    gap.bits = since.bits = 0
    gap.breaks = since.breaks = 0
    while stop and not keep[stop - 1]:
        stop -= 1
    while text < stop:
        if last_code < 0 and (count == 0 or (skips and gap.bits & PARAGRAPH_BIT)):
            # Nothing before the next kept text matters but the elements that it is in.
            next_kept = max(next_kept, text)
            while not keep[next_kept]:
                next_kept += 1
            while end[row] <= text_rows[next_kept]:
                row = end[row]
            while text_rows[text] < row:
                text += 1
        while top.end <= row:
            stack.size -= 1
            top -= 1
        own = bits[row]
        gap.bits |= ended[row] | own & (LEVELS | CHIP_STARTS)
        gap.breaks += (own & BREAK_BIT) != 0
        if own & (LEVELS | CHIP_STARTS):
            ended[end[row]] |= own & LEVELS | (own & CHIP_STARTS) << 1
        if own & (KEEPS_SPACE | ITEM | LIST) or (has_cells and is_cell[row]):
            push(stack, row, end[row], own, has_cells and is_cell[row])
            top = stack.data + stack.size - 1
        if own & CODE and end[row] > code_reach:
            code_reach = end[row]
        if text_rows[text] != row:
            row += 1
            continue
        data = <object> PyTuple_GET_ITEM(texts, text)
        blank = chars[row] == 0 or (words[row] == 0 and data.isspace())
        code = top.code
        if blank and not bits[parent[row]] & RAW:
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
            around = top.item if top.cell < 0 else top.cell_item
            found[1, count] = 0
            if around >= 0:
                found[1, count] = max(top.item_depth if top.cell < 0 else top.cell_depth, 1)
            if around == top.item:
                flags[count] |= IS_OF_ITEM
            found[2, count] = top.item
            found[3, count] = top.cell
            has_numbers[0] |= top.has_number
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
    return solid_count


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


cdef void mark_items(
    int32_t[:, ::1] found, uint8_t[::1] flags, uint16_t[::1] seen, Py_ssize_t count
) noexcept nogil:
    """Leave the item of its first text only, whose indentation is that of the mark.

    `seen` has one entry per row, of which a bit says that the item has been seen.
    """
    cdef Py_ssize_t index
    cdef int32_t item
    for index in range(count):
        item = found[2, index]
        if item >= 0:
            if seen[item] & IS_SEEN:
                found[2, index] = -1
            elif flags[index] & IS_OF_ITEM:
                found[1, index] -= 1
            seen[item] |= IS_SEEN
        flags[index] &= ~IS_OF_ITEM


cdef struct Buffer:
    void* data
    Py_ssize_t size  # in characters
    Py_ssize_t room
    int width  # bytes of a character


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

ctypedef fused written:  # a character of the buffer
    uint8_t
    uint16_t
    uint32_t


cdef int reserve(Buffer* out, Py_ssize_t more) except -1:
    """Make room for more characters."""
    cdef void* data
    cdef Py_ssize_t room
    if out.size + more > out.room:
        room = 2 * (out.size + more) + 1_000
        data = realloc(out.data, room * out.width)
        if data == NULL:
            raise MemoryError
        out.data, out.room = data, room
    return 0


cdef inline void put(Buffer* out, uint32_t code_point) noexcept nogil:
    if out.width == 1:
        (<uint8_t*> out.data)[out.size] = code_point
    elif out.width == 2:
        (<uint16_t*> out.data)[out.size] = code_point
    else:
        (<uint32_t*> out.data)[out.size] = code_point
    out.size += 1


cdef inline uint32_t last_of(Buffer* out) noexcept nogil:
    """Return the last character that was written."""
    return PyUnicode_READ(out.width, out.data, out.size - 1)


cdef bint[256] IS_SPACE
for _ in range(256):
    IS_SPACE[_] = chr(_).isspace()


cdef inline bint is_space(uint32_t code_point) noexcept nogil:
    """Return whether a character is white space; beyond Latin, all are from U+1680 to U+3000."""
    if code_point < 256:
        return IS_SPACE[code_point]
    return 0x1680 <= code_point <= 0x3000 and Py_UNICODE_ISSPACE(code_point)


cdef void end_line(Buffer* out) noexcept nogil:
    """Drop white space at the end of the last line."""
    while out.size and last_of(out) != c"\n" and is_space(last_of(out)):
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


cdef Py_ssize_t put_prose(
    written* begin, Body* body, const character* text, Py_ssize_t size
) noexcept nogil:
    """Write a text with its white space collapsed; return the number of characters written.

    Each character is written, and the next one over it if both are white space.
    """
    cdef Py_ssize_t at = 0
    cdef written* to = begin
    cdef bint after_space = body.owes_space, here
    if body.is_empty:
        while at < size and is_space(text[at]):
            at += 1
        after_space = False
        body.is_empty = at == size
    if after_space:
        to[0] = c" "
        to += 1
    for at in range(at, size):
        here = is_space(text[at])
        to[0] = c" " if here else <written> text[at]
        to += not (here and after_space)
        after_space = here
    body.owes_space = after_space
    return to - begin - after_space


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
        body.is_empty, body.ends_with_space = False, is_space(text[at])
    return 0


cdef int put_characters(Buffer* out, Body* body, const character* text, Py_ssize_t size) except -1:
    if body.is_code:
        return put_code(out, body, text, size)
    reserve(out, size + 2)
    if out.width == 1:
        out.size += put_prose(<uint8_t*> out.data + out.size, body, text, size)
    elif out.width == 2:
        out.size += put_prose(<uint16_t*> out.data + out.size, body, text, size)
    else:
        out.size += put_prose(<uint32_t*> out.data + out.size, body, text, size)
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
    return is_space(PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), at))


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
    cdef Py_ssize_t index, size = 0
    cdef object text
    out.data, out.size, out.room, out.width = NULL, 0, 0, 1
    for index in range(level.shape[0]):
        text = <object> PyTuple_GET_ITEM(texts, found[0, index])
        out.width = max(out.width, PyUnicode_KIND(text))
        size += PyUnicode_GET_LENGTH(text) + 4
    if marks and out.width == 1:
        out.width = 2  # the signs of tasks
    body.is_code = False
    body.owed_lines = 0
    try:
        reserve(&out, size // 2)
        put_runs(&out, &body, texts, found, level, flags, marks, bars)
        end_line(&out)
        while out.size and last_of(&out) == c"\n":
            out.size -= 1
        return PyUnicode_FromKindAndData(out.width, out.data, out.size)
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
