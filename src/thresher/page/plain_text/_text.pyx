"""The compiled version of plain text: the texts to write with the gaps between them, and writing.

`thresher.page.plain_text` has the plain version of it.
"""

from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_GET_ITEM
from libc.stdint cimport INT32_MAX, int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free, malloc, realloc

from inspect import getattr_static

import turbohtml

from thresher.page.node_calls cimport call_method
from thresher.page.plain_text.chips cimport are_apart

cdef object Element = turbohtml.Element
cdef object ATTR = getattr_static(Element, "attr")
cdef tuple CLASS = ("class",), SOURCE = ("src",), ALTERNATIVE = ("alt",)

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index) nogil
    object PyUnicode_FromKindAndData(int kind, const void* buffer, Py_ssize_t size)
    bint Py_UNICODE_ISSPACE(uint32_t character) nogil

cdef enum:  # levels of gaps and bits of tags, as in `gaps`
    JOIN, SPACE, BREAK, CELL, LINE, PARAGRAPH

cdef enum:
    SPACE_BIT = 1
    BREAK_BIT = 1 << 1
    CELL_BIT = 1 << 2
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
    TABLE = 1 << 12
    FORMULA = 1 << 13
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
    uint16_t needs  # bits of what a caller has to look at: tables and formulas
    bint is_ordered  # the innermost list has numbers
    bint has_number  # the item is of such a list


cdef struct Stack:
    Around* data
    Py_ssize_t size
    Py_ssize_t room


cdef struct Found:  # a text to write
    int32_t index  # of the text
    int32_t depth  # its indentation, in levels
    int32_t item  # whose mark comes before it; -1: none
    int32_t cell  # that it is in; -1: none
    uint8_t level  # of the gap before it
    uint8_t flags


cdef uint8_t strongest(Gap gap) noexcept nogil:
    """Return the strongest level in a gap; two line breaks make a paragraph."""
    cdef uint8_t level = 0
    cdef uint16_t left = gap.bits & LEVELS
    while left:
        level += 1
        left >>= 1
    return PARAGRAPH if level == BREAK and gap.breaks > 1 else level


cdef int push(Stack* stack, int32_t row, int32_t end, uint16_t own, bint is_cell) except -1:
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
    top.needs |= own & (TABLE | FORMULA)
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


cdef class Texts:
    """The texts to write, and the gap before each."""

    cdef Found* found
    cdef Py_ssize_t count, room
    cdef readonly int needs  # the bits of tables and formulas that a text is in
    cdef readonly bint has_numbers  # a text is in an item of an ordered list

    def __init__(
        self,
        tuple texts,
        const uint16_t[::1] tag,
        const int32_t[::1] end,
        const int32_t[::1] parent,
        const int32_t[::1] chars,
        const int32_t[::1] words,
        const uint8_t[::1] linked,
        const int32_t[::1] text_rows,
        const uint8_t[:] keep,
        const uint8_t[::1] is_cell,
        const uint16_t[::1] table,
        list headings,
        bint skips,
    ):
        """Find the texts.

        `is_cell` has one entry per row, or is None if there are no cells of data tables. `table`
        has the bits of each tag, `headings` rows of further headings, sorted. With `skips`, only
        the level of a gap that is a paragraph is read, not its flags: elements without kept text in
        it are not looked at.
        """
        cdef Stack stack
        # The bits of the elements that end before each row.
        cdef uint16_t* ended = <uint16_t*> calloc(tag.shape[0] + 1, sizeof(uint16_t))
        stack.size, stack.room = 1, 64
        stack.data = <Around*> malloc(stack.room * sizeof(Around))
        try:
            if ended == NULL or stack.data == NULL:
                raise MemoryError
            stack.data[0] = Around(INT32_MAX, -1, -1, 0, -1, -1, 0, 0, 0, False, False)
            self.count = self.find(
                texts, tag, end, parent, chars, words, linked, text_rows, keep, is_cell, table,
                headings, skips, &stack, ended,
            )
            self.mark_items(ended)
        finally:
            free(stack.data)
            free(ended)

    def __dealloc__(self):
        free(self.found)

    cdef Py_ssize_t find(
        self,
        tuple texts,
        const uint16_t[::1] tag,
        const int32_t[::1] end,
        const int32_t[::1] parent,
        const int32_t[::1] chars,
        const int32_t[::1] words,
        const uint8_t[::1] linked,
        const int32_t[::1] text_rows,
        const uint8_t[:] keep,
        const uint8_t[::1] is_cell,
        const uint16_t[::1] table,
        list headings,
        bint skips,
        Stack* stack,
        uint16_t* ended,
    ) except -1:
        """Find the texts, but for the marks of items; return how many there are.

        The kept texts that are not blank are written, and blank ones between two of them in the
        same code. Whether a blank text is between two is known at the second one: until then it
        counts for the gap in `since`, and if it is written for that in `gap`.
        """
        cdef Py_ssize_t text = 0, count = 0, solid_count = 0, stop = text_rows.shape[0]
        cdef Py_ssize_t row = 0, next_kept = 0, heading = 0
        cdef int32_t code = -1, last_code = -2, around, before
        cdef uint16_t own
        cdef bint blank, begins_cell, has_cells = is_cell is not None
        cdef int32_t code_reach = 0
        cdef Gap gap, since
        cdef Around* top = stack.data
        cdef Found* new
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
            own = table[tag[row]]
            if own & LIST and top.lists:  # a list in a list starts a line, not a paragraph
                own = own & ~LEVELS | LINE_BIT
            if headings is not None:
                while heading < len(headings) and <Py_ssize_t> headings[heading] < row:
                    heading += 1
                if heading < len(headings) and <Py_ssize_t> headings[heading] == row:
                    own = own & ~LEVELS | PARAGRAPH_BIT
            begins_cell = has_cells and is_cell[row]
            if begins_cell:
                own = own & ~LEVELS | CELL_BIT
            elif top.cell >= 0 and own & LEVELS:  # the content of a cell is one line
                own = own & ~LEVELS | SPACE_BIT
            gap.bits |= ended[row] | own & (LEVELS | CHIP_STARTS)
            gap.breaks += (own & BREAK_BIT) != 0
            if own & (LEVELS | CHIP_STARTS):
                ended[end[row]] |= own & LEVELS | (own & CHIP_STARTS) << 1
            if own & (KEEPS_SPACE | ITEM | LIST | TABLE | FORMULA) or begins_cell:
                push(stack, row, end[row], own, begins_cell)
                top = stack.data + stack.size - 1
            if own & CODE and end[row] > code_reach:
                code_reach = end[row]
            if text_rows[text] != row:
                row += 1
                continue
            blank = chars[row] == 0 or (words[row] == 0 and is_blank(texts, text))
            code = top.code
            if blank and not table[tag[parent[row]]] & RAW:
                gap.bits |= BLANK
            if (keep[text] and not blank) or (blank and code >= 0 and code == last_code):
                if not blank:
                    if count > solid_count and code != last_code:  # not between two: not written
                        count = solid_count
                        gap.bits |= since.bits
                        gap.breaks += since.breaks
                    last_code = code
                if count == 0:
                    gap.bits, gap.breaks = PARAGRAPH_BIT, 0
                self.reserve(count + 1)
                new = self.found + count
                new.index, new.level = text, strongest(gap)
                new.flags = (
                    (IS_SPACED if gap.bits & BLANK else 0)
                    | (IS_BROKEN if gap.breaks else 0)
                    | (IS_VERBATIM if code >= 0 else 0)
                )
                if gap.bits & (CHIP_STARTS | CHIP_ENDS) and row >= code_reach:
                    before = self.found[count - 1].index
                    if are_apart(
                        <str> PyTuple_GET_ITEM(texts, before),
                        <str> PyTuple_GET_ITEM(texts, text),
                        linked[text_rows[before]] and linked[row],
                        gap.bits,
                    ):
                        new.flags |= IS_CHIP
                around = top.item if top.cell < 0 else top.cell_item
                new.depth = 0
                if around >= 0:
                    new.depth = max(top.item_depth if top.cell < 0 else top.cell_depth, 1)
                if around == top.item:
                    new.flags |= IS_OF_ITEM
                new.item, new.cell = top.item, top.cell
                self.has_numbers |= top.has_number
                self.needs |= top.needs
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

    cdef int reserve(self, Py_ssize_t size) except -1:
        """Make room for so many texts."""
        cdef Found* found
        if size > self.room:
            found = <Found*> realloc(self.found, 2 * (size + 50) * sizeof(Found))
            if found == NULL:
                raise MemoryError
            self.found, self.room = found, 2 * (size + 50)
        return 0

    cdef void mark_items(self, uint16_t* seen) noexcept nogil:
        """Leave the item of its first text only, whose indentation is that of the mark.

        `seen` has one entry per row, of which a bit says that the item has been seen.
        """
        cdef Py_ssize_t index
        cdef Found* found
        for index in range(self.count):
            found = self.found + index
            if found.item >= 0:
                if seen[found.item] & IS_SEEN:
                    found.item = -1
                else:
                    seen[found.item] |= IS_SEEN
                    if found.flags & IS_OF_ITEM:
                        found.depth -= 1
            found.flags &= ~IS_OF_ITEM

    def __len__(self):
        return self.count

    def indexes(self):
        """Return the index of each text."""
        return [self.found[index].index for index in range(self.count)]

    def flags(self):
        """Return the flags of each text."""
        return [self.found[index].flags for index in range(self.count)]

    def items(self):
        """Return the rows of the items that texts begin."""
        return [self.found[at].item for at in range(self.count) if self.found[at].item >= 0]

    def cells(self):
        """Return the cell of each text, -1 for none."""
        return [self.found[index].cell for index in range(self.count)]

    def write(self, tuple texts, dict marks, dict bars):
        """Return the texts as one text; see `_Runs` for the rules.

        `marks` has the marks of items that are not a dash by row, `bars` those before the first
        text of a cell by its place among these texts.
        """
        cdef Buffer out
        cdef Body body
        cdef Py_ssize_t index, size = 0
        cdef object text
        out.data, out.size, out.room, out.width = NULL, 0, 0, 1
        for index in range(self.count):
            text = <object> PyTuple_GET_ITEM(texts, self.found[index].index)
            out.width = max(out.width, PyUnicode_KIND(text))
            size += PyUnicode_GET_LENGTH(text) + 4
        if marks and out.width == 1:
            out.width = 2  # the signs of tasks
        body.is_code = body.starts_line = body.owes_space = body.ends_with_space = False
        body.is_empty, body.depth, body.owed_lines = True, 0, 0
        try:
            reserve(&out, size // 2)
            put_runs(&out, &body, self.found, self.count, texts, marks, bars)
            end_line(&out)
            while out.size and last_of(&out) == c"\n":
                out.size -= 1
            return PyUnicode_FromKindAndData(out.width, out.data, out.size)
        finally:
            free(out.data)


def has_drawn_tex(
    list nodes,
    const uint16_t[::1] tag,
    const int32_t[::1] parent,
    const int32_t[::1] words,
    uint16_t image,
    holders,
    tuple signs,
    str tex_signs,
    frozenset tex_names,
):
    """Return whether an image beside text or in some elements is a formula; see `formulas`.

    `holders` has one bool per tag number: whether images right in it are looked at.
    """
    cdef Py_ssize_t row, last = tag.shape[0] - 1
    cdef const uint8_t[::1] holds = holders.view("uint8")
    cdef object node, own
    cdef str sign, names
    cdef tuple name
    for row in range(1, last + 1):
        if tag[row] == image and (
            words[row - 1] or (row < last and words[row + 1]) or (
                tag[parent[row]] < holds.shape[0] and holds[tag[parent[row]]]
            )
        ):
            node = nodes[row]
            names = ""
            for name in (CLASS, SOURCE, ALTERNATIVE):
                own = call_method(ATTR, node, name) if type(node) is Element else node.attr(name[0])
                if not own:
                    continue
                if name is ALTERNATIVE:
                    if (<str> own)[0] in tex_signs or (
                        names and not tex_names.isdisjoint(names.split())
                    ):
                        return True
                    continue
                if name is CLASS:
                    names = own
                for sign in signs:
                    if sign in <str> own:
                        return True
    return False


cdef enum:  # bits of a tag in tables, as in `tables`
    OF_TABLE = 1
    OF_CELL = 2
    OF_HEADER = 4
    OF_CAPTION = 8
    OF_PARAGRAPH = 16
    OF_BREAK = 32

cdef struct Counts:  # as in `table_grid`
    int32_t table
    int32_t headers
    int32_t captions
    int32_t wide_rows
    int32_t crowded
    int32_t rows
    int32_t prose

cdef struct Before:  # in rows before one
    int32_t words
    int32_t chars
    int32_t texts  # with words
    int32_t paragraphs  # without another one inside
    int32_t tables

cdef struct Nearest:  # what a row is or is in
    int32_t table  # number of the table, from 1; 0 for none
    int32_t cell  # -1 for none

cdef struct Line:  # a row of a table
    int32_t first  # its first cell
    int32_t size  # its cells
    bint is_crowded  # of a cell: a blank line is in it


def count_tables(
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const int32_t[::1] chars,
    const int32_t[::1] words,
    const uint8_t[::1] kinds,
    int most_bullet,
    int prose_words,
):
    """Return for each table its row and the counts of `table_grid.Counts`, but for the role.

    `kinds` has the bits of each tag in tables.
    """
    cdef Py_ssize_t size = tag.shape[0]
    cdef Before* before = <Before*> calloc(size + 1, sizeof(Before))
    cdef Nearest* nearest = <Nearest*> malloc((size + 1) * sizeof(Nearest))
    cdef Line* lines = <Line*> calloc(size + 1, sizeof(Line))
    cdef Counts* counts = NULL
    cdef Py_ssize_t at
    try:
        if before == NULL or nearest == NULL or lines == NULL:
            raise MemoryError
        sum_rows(tag, end, chars, words, kinds, before)
        counts = <Counts*> calloc(before[size].tables + 1, sizeof(Counts))
        if counts == NULL:
            raise MemoryError
        fill_counts(
            tag, end, parent, kinds, most_bullet, prose_words, before, nearest, lines, counts
        )
        return [
            (
                counts[at].table, counts[at].headers, counts[at].captions, counts[at].wide_rows,
                counts[at].crowded, counts[at].rows, counts[at].prose,
            )
            for at in range(1, before[size].tables + 1)
        ]
    finally:
        free(before)
        free(nearest)
        free(lines)
        free(counts)


cdef void sum_rows(
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const int32_t[::1] chars,
    const int32_t[::1] words,
    const uint8_t[::1] kinds,
    Before* before,
) noexcept nogil:
    """Write what is before each row; `before` has zeros."""
    cdef Py_ssize_t row
    cdef int32_t next_paragraph = INT32_MAX
    for row in range(tag.shape[0] - 1, -1, -1):
        if kinds[tag[row]] & OF_PARAGRAPH:
            before[row + 1].paragraphs = next_paragraph >= end[row]
            next_paragraph = row
    for row in range(tag.shape[0]):
        before[row + 1].paragraphs += before[row].paragraphs
        before[row + 1].words = before[row].words + words[row]
        before[row + 1].chars = before[row].chars + chars[row]
        before[row + 1].texts = before[row].texts + (words[row] != 0)
        before[row + 1].tables = before[row].tables + (kinds[tag[row]] & OF_TABLE)


cdef void fill_counts(
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const uint8_t[::1] kinds,
    int most_bullet,
    int prose_words,
    Before* before,
    Nearest* nearest,
    Line* lines,
    Counts* counts,
) noexcept nogil:
    """Count what is in each table; the first count takes what is in none.

    In `nearest` the entry of each row is one later, after that of no row.
    """
    cdef Py_ssize_t row
    cdef int32_t above, cell, stop, last_break = -1, last_cell = -1
    cdef uint8_t own
    cdef Counts* around
    nearest[0] = Nearest(0, -1)
    for row in range(tag.shape[0]):
        own = kinds[tag[row]]
        above = parent[row]
        nearest[row + 1] = nearest[above + 1]
        around = counts + nearest[above + 1].table
        if own & OF_TABLE:
            nearest[row + 1].table = before[row].tables + 1
            counts[before[row].tables + 1].table = row
        if own & OF_HEADER:
            around.headers += 1
        if own & OF_CAPTION and before[end[row]].chars > before[row].chars:
            around.captions += 1
        if own & OF_CELL:
            nearest[row + 1].cell = row
            if above >= 0:
                if not lines[above].size:
                    lines[above].first = row
                lines[above].size += 1
            if before[end[row]].words - before[row].words >= prose_words:
                around.prose += 1
        if own & OF_BREAK:
            cell = nearest[row + 1].cell
            # Two breaks in a row, with texts of the cell before and after them.
            if (
                last_break >= 0 and before[last_break].texts == before[row].texts
                and cell >= 0 and cell == last_cell
                and before[cell].texts < before[row].texts < before[end[cell]].texts
            ):
                lines[cell].is_crowded = True
            last_break, last_cell = row, cell
    for row in range(tag.shape[0]):
        own = kinds[tag[row]]
        if own & OF_CELL:
            stop = end[row]
            if (
                lines[row].is_crowded or before[stop].tables > before[row].tables
                or before[stop].paragraphs > before[row].paragraphs + 1
            ):
                counts[nearest[parent[row] + 1].table].crowded += 1
        if lines[row].size:
            cell, around = lines[row].first, counts + nearest[parent[row] + 1].table
            around.rows += 1
            if lines[row].size > 2 or (lines[row].size == 2 and not (
                before[end[cell]].words == before[cell].words
                and before[end[cell]].chars - before[cell].chars <= most_bullet
            )):
                around.wide_rows += 1


def cells_of_tables(
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const uint8_t[::1] kinds,
    list rows,
):
    """Return the cells of the tables around some cells, their place in their rows, and the tables.

    `rows` are the cells, in order. The last list has the table of each of them, -1 for none.
    """
    cdef Py_ssize_t row, size = tag.shape[0]
    cdef Py_ssize_t stop = 0
    cdef int32_t* table = <int32_t*> malloc((size + 1) * sizeof(int32_t))
    cdef int32_t* count = <int32_t*> calloc(size + 1, sizeof(int32_t))
    cdef uint8_t* wanted = <uint8_t*> calloc(size + 1, sizeof(uint8_t))
    cdef list cells = [], places = [], tables = []
    try:
        if table == NULL or count == NULL or wanted == NULL:
            raise MemoryError
        for row in range(size):
            if kinds[tag[row]] & OF_TABLE:
                table[row] = row
            else:
                table[row] = table[parent[row]] if parent[row] >= 0 else -1
        for row in rows:
            tables.append(table[row])
            if table[row] >= 0:
                wanted[table[row]] = True
                stop = max(stop, end[table[row]])
        for row in range(stop):
            if kinds[tag[row]] & OF_CELL and table[row] >= 0 and wanted[table[row]]:
                cells.append(row)
                places.append(count[parent[row]])
                count[parent[row]] += 1
        return cells, places, tables
    finally:
        free(table)
        free(count)
        free(wanted)


cdef bint is_blank(tuple texts, Py_ssize_t index):
    return (<object> PyTuple_GET_ITEM(texts, index)).isspace()


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


cdef uint8_t[256] IS_SPACE
for _ in range(256):
    IS_SPACE[_] = chr(_).isspace()


cdef inline uint32_t is_space(uint32_t code_point) noexcept nogil:
    """Return whether a character is white space; beyond Latin, all are from U+1680 to U+3000."""
    if code_point < 256:
        return IS_SPACE[code_point]
    if code_point < 0x1680 or code_point > 0x3000:
        return 0
    return Py_UNICODE_ISSPACE(code_point) != 0


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
    cdef uint32_t after_space = body.owes_space, here  # 0 or 1: without branches in the loop
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
        to[0] = <written> (text[at] & (here - 1) | c" " * here)
        to += 1 - (here & after_space)
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


cdef int put_runs(
    Buffer* out, Body* body, Found* found, Py_ssize_t count, tuple texts, dict marks, dict bars
) except -1:
    cdef Py_ssize_t index
    cdef bint is_code, is_apart, begins, follows_code, follows_space
    cdef uint8_t level
    cdef PyObject* bar
    cdef object text, before = ""
    for index in range(count):
        text = <object> PyTuple_GET_ITEM(texts, found.index)
        bar = PyDict_GetItem(bars, index) if bars else NULL
        level = found.level
        is_code = (found.flags & IS_VERBATIM) != 0
        is_apart = found.flags & IS_SPACED or (level == JOIN and found.flags & IS_CHIP)
        begins = level > SPACE or found.item >= 0 or bar != NULL
        if not begins and (is_code or body.is_code):
            begins = not (
                is_code and body.is_code and level == JOIN and (found - 1).level <= SPACE
                and PyUnicode_GET_LENGTH(text)
            )
        if begins:
            follows_code = body.is_code
            follows_space = (
                index > 0 and not follows_code
                and is_space_at(before, PyUnicode_GET_LENGTH(before) - 1)
            )
            if body.owed_lines and is_code and level < CELL:
                put_owed_lines(out, body)
            body.depth = min(found.depth, DEEPEST)
            is_apart = (is_apart and not follows_code) if is_code else (
                is_apart or is_space_at(text, 0)
            )
            reserve(out, 1)
            if level >= BREAK and level != CELL:
                if level == PARAGRAPH:
                    put_line_end(out, 0)
                put_line_end(out, body.depth)
            elif follows_space or (
                (level == SPACE or (level == JOIN and is_apart)) and not body.ends_with_space
            ):
                put(out, c" ")
            if bar != NULL:
                put_mark(out, <object> bar)
            if found.item >= 0:
                put_mark(out, marks.get(found.item, "- ") if marks else "- ")
            body.is_code, body.starts_line = is_code, level >= CELL
            body.is_empty, body.owes_space, body.owed_lines = True, False, 0
            body.ends_with_space = False
        elif not is_code and (is_apart or level == SPACE):
            body.owes_space = True
        put_text(out, body, text)
        before = text
        found += 1
    return 0
