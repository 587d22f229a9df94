"""Compiled passes over the rows of a page; `kept_tree` has the plain version of each."""

from inspect import getattr_static

from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.long cimport PyLong_FromSsize_t
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM
from libc.stdint cimport int32_t, uint8_t, uint16_t
from libc.stdlib cimport calloc, free, malloc
from thresher.page.node_calls cimport call_method

cdef enum:  # levels of gaps and bits of tags, as in `thresher.page.plain_text.gaps`
    JOIN, SPACE, BREAK, CELL, LINE, PARAGRAPH

cdef enum:
    BREAK_BIT = 1 << 1
    LINE_BITS = 1 << 3 | 1 << 4
    LEVELS = 0b11111
    CHIP_STARTS = 1 << 5
    CHIPS = 1 << 5 | 1 << 6
    KEEPS_SPACE = 1 << 8
    CODE = 1 << 9
    RAW = 1 << 14
    PARAGRAPH_BIT = 1 << 4

cdef enum:  # kinds of tags, as in `kept_tree`
    HAS_PLACES = 1
    NEVER_SHOWN = 2
    ORDERED = 4
    TABLE = 8

cdef str SHADOW_ROOT = "#shadow-root"

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


cdef inline uint16_t at_end(uint16_t bits) noexcept nogil:
    """Return the bits that an element adds to the gap in which it ends."""
    return bits & LEVELS | (bits & CHIP_STARTS) << 1


cdef void mark_upwards(Py_ssize_t row, const int32_t* parent, uint8_t* marked) noexcept nogil:
    """Mark a row and the rows around it, up to one that is marked."""
    while row >= 0 and not marked[row]:
        marked[row] = 1
        row = parent[row]


def find_images(
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const int32_t[::1] chars,
    const int32_t[::1] words,
    const uint8_t[::1] linked,
    const uint8_t[::1] hidden,
    const int32_t[::1] text_rows,
    const uint8_t[::1] keep,
    const uint8_t[::1] kept,
    uint8_t[:, ::1] scratch,
    list nodes,
    tuple numbers,
    int32_t most_words,
    is_icon,
    uint8_t[::1] found,
):
    """Mark the dropped images that stay, and the rows around them; see `kept_images`.

    `numbers` are those of the tags img, figure, noscript, source and body. The two lines of
    `scratch` are filled with zeros: whether a row holds kept text, and whether it stays if its
    branch does.
    """
    cdef int32_t image, figure, noscript, source, body, figure_reach = 0, noscript_reach = 0, reach
    cdef Py_ssize_t row = 0, at, index, images, shown, links, buttons, figures, in_figure
    cdef Py_ssize_t last_text = -1
    cdef int32_t captions, in_links, outside, total
    cdef uint8_t[::1] holds = scratch[0], stays = scratch[1]
    cdef bint is_kept_before = False, has_text, needs_one, begins, fits, has_prose
    cdef list waiting = []  # branches whose next text is still to come
    image, figure, noscript, source, body = numbers
    for index in range(text_rows.shape[0]):
        if keep[index]:
            mark_upwards(text_rows[index], &parent[0], &holds[0])
    while row < tag.shape[0]:
        captions = in_links = outside = total = images = shown = links = buttons = 0
        figures = in_figure = 0
        has_text = False
        reach = figure_reach
        # A row that holds kept text is read alone, any other with all that is in it: a branch.
        for at in range(row, row + 1 if holds[row] else end[row]):
            if tag[at] == 0:
                if not hidden[at]:
                    if words[at] > 0 or (holds[at] and chars[at] > 0):
                        has_text = True
                    total += words[at]
                    if linked[at]:
                        in_links += words[at]
                    if at >= figure_reach:
                        captions += words[at]
                        if linked[at]:
                            outside += words[at]
            elif tag[at] == figure:
                figures += 1
                figure_reach = max(figure_reach, end[at])
            elif tag[at] == noscript:
                noscript_reach = max(noscript_reach, end[at])
            elif tag[at] == source:
                stays[at] = 1
            elif tag[at] == image and not kept[at]:
                stays[at] = at < noscript_reach
                images += not hidden[at]
        has_prose = total > 0 and 2 * in_links <= total
        fits = images > 0 and holds[row] == 0 and captions <= most_words and (
            outside == 0 or has_prose
        )
        if fits:
            for at in range(row, end[row]):
                if tag[at] == figure:
                    reach = max(reach, end[at])
                elif tag[at] == image and not kept[at] and not hidden[at] and not is_icon(nodes[at]):
                    stays[at] = 1
                    shown += 1
                    links += linked[at]
                    if at < reach:
                        in_figure += 1
                    else:
                        buttons += linked[at]
            fits = shown > 0 and (in_links == 0 or links == 0 or has_prose) and (
                captions == 0 or has_caption_class(nodes, tag, row, end[row])
            )
        if fits:
            needs_one = shown == 1 and (
                (figures == in_figure == 1 and links == 0) or (captions > 0 and has_prose)
            )
            begins = (
                shown == 1 and total == 0 and row > 0 and last_text < parent[row]
                and tag[parent[row]] != body
            )
            if buttons <= 1:
                waiting.append((row, needs_one, is_kept_before, begins))
        elif has_text:
            keep_branches(waiting, row, holds[row], end, parent, stays, found)
            is_kept_before = holds[row]
            last_text = row
            waiting = []
        row = row + 1 if holds[row] else end[row]
    keep_branches(waiting, tag.shape[0], False, end, parent, stays, found)


cdef bint has_caption_class(
    list nodes, const uint16_t[::1] tag, Py_ssize_t branch, Py_ssize_t stop
):
    """Return whether a class in the branch says that it is a caption."""
    cdef Py_ssize_t row
    cdef object names
    for row in range(branch, stop):
        if tag[row]:
            names = nodes[row].attr("class")
            if names is not None and "caption" in (<str> names).lower():
                return True
    return False


cdef keep_branches(
    list waiting,
    Py_ssize_t after,
    bint is_kept_after,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const uint8_t[::1] stays,
    uint8_t[::1] found,
):
    """Mark what stays in the branches between kept texts; `after` is the row of the second one."""
    cdef Py_ssize_t branch, row
    cdef bint needs_one, is_kept_before, begins
    for branch, needs_one, is_kept_before, begins in waiting:
        if begins and is_kept_after and after < end[parent[branch]]:
            needs_one = True
        if is_kept_before + is_kept_after + needs_one >= 2:
            for row in range(branch, end[branch]):
                if stays[row]:
                    mark_upwards(row, &parent[0], &found[0])


cdef struct Rows:  # the columns of a page that the passes below read
    const uint16_t* bits  # of each row, see `thresher.page.plain_text.gaps`
    const int32_t* end
    const int32_t* parent
    const int32_t* chars
    const int32_t* words
    const uint8_t* linked
    const int32_t* text_rows
    const uint8_t* keep  # of each text
    uint8_t* kept  # of each row
    Py_ssize_t size
    Py_ssize_t texts


cdef enum:  # marks of a row
    ENDS_LINE = 1  # an empty `div` takes its place
    IS_SHADOW_ROOT = 2
    IS_SPACED = 4  # a space comes before this text


cdef keep_spaces(Rows* rows, tuple texts, int32_t* codes, int32_t* blank_rows):
    """Mark the white space for which plain text writes white space, and the rows around it.

    See `separating_spaces`. The scratch holds the innermost code around each row, and blank texts.
    """
    cdef Py_ssize_t row, text = 0, index, blank, blanks = 0, after_dropped = 0
    cdef uint16_t own, gap = LEVELS
    cdef int32_t code, last_code = -1
    cdef uint16_t* ended = <uint16_t*> calloc(rows.size + 1, sizeof(uint16_t))
    if ended == NULL:
        raise MemoryError
    for row in range(rows.size):
        own = rows.bits[row]
        gap |= (ended[row] | own) & LEVELS
        if own & LEVELS:
            ended[rows.end[row]] |= own
        code = row if own & KEEPS_SPACE else codes[rows.parent[row]] if row else -1
        codes[row] = code
        if text == rows.texts:
            break
        if rows.text_rows[text] != row:
            continue
        text += 1
        if rows.chars[row] == 0 or (
            rows.words[row] == 0 and (<str> PyTuple_GET_ITEM(texts, text - 1)).isspace()
        ):
            if not rows.bits[max(rows.parent[row], 0)] & RAW:
                blank_rows[blanks] = row
                blanks += 1
            continue
        if not rows.keep[text - 1]:
            after_dropped = blanks
            continue
        for index in range(blanks):
            blank = blank_rows[index]
            if gap == 0 or (
                code >= 0
                and codes[blank] == code
                and (last_code == code or index >= after_dropped)
            ):
                mark_upwards(blank, rows.parent, rows.kept)
        blanks = after_dropped = gap = 0
        last_code = code
    free(ended)


cdef find_gaps(Rows* rows, tuple texts, uint8_t* marks, int32_t* roots, int32_t* joined):
    """Mark the rows that end a line and the texts that need a space; see `_gaps_to_keep`.

    The scratch holds the dropped rows with a line end inside and a kept parent, and the texts after
    which the line would not end.
    """
    cdef Py_ssize_t row, text = 0, last_text = -1, root = 0, found = 0, after = 0, at, index
    cdef int32_t last_solid = -1, code_reach = 0
    cdef uint16_t own, chips = 0
    cdef uint8_t level, kept_level
    cdef Gap gap, kept_gap  # since the last kept text that is not blank
    cdef const uint8_t* kept = rows.kept
    cdef uint16_t* ended = <uint16_t*> calloc(2 * (rows.size + 1), sizeof(uint16_t))
    cdef uint16_t* kept_ended
    if ended == NULL:
        raise MemoryError
    kept_ended = ended + rows.size + 1
    gap.bits = kept_gap.bits = 0
    gap.breaks = kept_gap.breaks = 0
    for row in range(rows.size):
        own = rows.bits[row]
        gap.bits |= ended[row] | own
        kept_gap.bits |= kept_ended[row]
        chips |= ended[row] | own
        if own:
            ended[rows.end[row]] |= at_end(own)
            gap.breaks += (own & BREAK_BIT) != 0
            if own & CODE:
                code_reach = max(code_reach, rows.end[row])
            if kept[row]:
                kept_ended[rows.end[row]] |= at_end(own)
                kept_gap.bits |= own
                kept_gap.breaks += (own & BREAK_BIT) != 0
        if not kept[row]:
            if kept[max(rows.parent[row], 0)]:
                root = row
            if own & LINE_BITS and (found == 0 or roots[found - 1] != root):
                roots[found] = root
                found += 1
        if text == rows.texts or rows.text_rows[text] != row:
            continue
        text += 1
        if not rows.keep[text - 1]:
            continue
        if last_text >= 0 and chips & CHIPS == CHIPS and row >= code_reach and are_words(
            <str> PyTuple_GET_ITEM(texts, last_text),
            <str> PyTuple_GET_ITEM(texts, text - 1),
            rows.linked[rows.text_rows[last_text]] and rows.linked[row],
        ):
            marks[row] |= IS_SPACED
        last_text, chips = text - 1, 0
        if rows.chars[row] == 0:
            continue
        if last_solid >= 0:
            level, kept_level = strongest(gap), strongest(kept_gap)
            if SPACE <= level < LINE and kept_level == JOIN:
                marks[row] |= IS_SPACED
            elif level >= LINE and kept_level < LINE:
                joined[after] = last_solid
                after += 1
        gap.bits = kept_gap.bits = 0
        gap.breaks = kept_gap.breaks = 0
        last_solid = row
    at = 0
    for index in range(after):  # the first of the roots after each of these texts
        while at < found and roots[at] < joined[index]:
            at += 1
        if at < found:
            marks[roots[at]] |= ENDS_LINE
    free(ended)


cdef bint are_words(str before, str after, bint are_links):
    """Return whether two texts are words, not pieces of one; see `gaps.chip_gaps`."""
    if not before or not after or not (are_links or (len(before) > 1 and len(after) > 1)):
        return False
    return before[len(before) - 1].isalnum() and after[0].isalnum()


def read_tree(
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const int32_t[::1] chars,
    const int32_t[::1] words,
    const uint8_t[::1] linked,
    const int32_t[::1] text_rows,
    const uint8_t[::1] keep,
    uint8_t[::1] kept,
    int32_t[::1] before,
    const uint16_t[::1] tag_bits,
    list headings,
    const uint8_t[::1] kinds,
    Py_ssize_t body,
    tuple page_names,
    tuple page_texts,
    list page_nodes,
    list tex,
):
    """Return the kept rows as lists: names, ends, parents, texts, nodes and places.

    After these come the rows of kept ordered lists and of kept tables. `kept` is written: it gets
    white space and line ends, and loses what is not shown and what is outside the body. `before` is
    written: the number of kept rows before each row. `tag_bits` are those of `gaps`, and `headings`
    the rows that are paragraphs besides. `kinds` says of each tag number whether its places are
    listed, whether it is never shown, and whether its rows are returned, see `kept_tree._KINDS`.
    """
    cdef Py_ssize_t row, size = tag.shape[0]
    cdef Rows rows
    cdef uint16_t* bits = <uint16_t*> malloc((size + 1) * sizeof(uint16_t))
    cdef int32_t* scratch = <int32_t*> malloc(2 * (size + 1) * sizeof(int32_t))
    cdef uint8_t* marks = <uint8_t*> calloc(size + 1, 1)
    try:
        if bits == NULL or scratch == NULL or marks == NULL:
            raise MemoryError
        for row in range(size):
            bits[row] = tag_bits[tag[row]]
        for row in headings:
            bits[row] = bits[row] & ~LEVELS | PARAGRAPH_BIT
        rows.bits, rows.end, rows.parent = bits, &end[0], &parent[0]
        rows.chars, rows.words, rows.linked = &chars[0], &words[0], &linked[0]
        rows.size, rows.texts = size, text_rows.shape[0]
        rows.text_rows, rows.keep = NULL, NULL
        if rows.texts:
            rows.text_rows, rows.keep = &text_rows[0], &keep[0]
        rows.kept = &kept[0]
        keep_spaces(&rows, page_texts, scratch, scratch + size + 1)
        for row in range(body + 1):
            kept[row] = 1
        find_gaps(&rows, page_texts, marks, scratch, scratch + size + 1)
        for row in range(size):
            if row <= body or row >= end[body]:
                kept[row] = 0
            elif marks[row] & ENDS_LINE:
                kept[row] = 1
        for row in range(body + 1, end[body]):
            if kept[row] and kinds[tag[row]] & NEVER_SHOWN:
                leave_out(row, end[row], kept, marks, page_names[tag[row]], page_nodes[row], tex)
        return kept_lists(
            tag, end, parent, kept, before, kinds, marks, page_names, page_texts, page_nodes
        )
    finally:
        free(bits)
        free(scratch)
        free(marks)


cdef leave_out(
    Py_ssize_t row, Py_ssize_t stop, uint8_t[::1] kept, uint8_t* marks, str name, node, list tex
):
    """Take a script, style or template out of `kept`, or mark a template that is shown."""
    if name == "template" and node.attr("shadowrootmode") is not None:
        marks[row] |= IS_SHADOW_ROOT
    elif row not in tex:
        kept[row:stop] = 0


cdef tuple kept_lists(
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const uint8_t[::1] kept,
    int32_t[::1] before,
    const uint8_t[::1] kinds,
    const uint8_t* marks,
    tuple page_names,
    tuple page_texts,
    list page_nodes,
):
    """Return what `read_tree` does."""
    cdef Py_ssize_t row, text = 0, index = 0
    cdef list names = [], ends, parents, texts = [], nodes = []
    cdef list ordered = [], tables = []
    cdef dict places = {}
    cdef str name, words
    cdef object node, number
    cdef uint8_t kind
    for row in range(tag.shape[0]):
        before[row] = index
        index += kept[row]
    before[tag.shape[0]] = index
    ends, parents = PyList_New(index), PyList_New(index)  # each entry is set below
    for row in range(tag.shape[0]):
        if not kept[row]:
            text += tag[row] == 0
            continue
        index = before[row]
        number = PyLong_FromSsize_t(before[end[row]])
        Py_INCREF(number)
        PyList_SET_ITEM(ends, index, number)
        number = PyLong_FromSsize_t(before[parent[row]] if kept[parent[row]] else -1)
        Py_INCREF(number)
        PyList_SET_ITEM(parents, index, number)
        if tag[row] == 0:
            words = <str> PyTuple_GET_ITEM(page_texts, text)
            text += 1
            names.append("")
            texts.append(" " + words if marks[row] & IS_SPACED else words)
            nodes.append(page_nodes[row])
            continue
        kind, node = kinds[tag[row]], page_nodes[row]
        name = <str> PyTuple_GET_ITEM(page_names, tag[row])
        if marks[row] & ENDS_LINE:
            kind, name, node = 0, "div", None
        if marks[row] & IS_SHADOW_ROOT:
            name = SHADOW_ROOT
        if kind & HAS_PLACES:
            if name in places:
                (<list> places[name]).append(index)
            else:
                places[name] = [index]
        if kind & ORDERED:
            ordered.append(row)
        if kind & TABLE:
            tables.append(row)
        names.append(name)
        texts.append("")
        nodes.append(node)
    return names, ends, parents, texts, nodes, places, ordered, tables


cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef tuple CLASS = ("class",)


cdef dict READERS = {}  # the method `attr` of each type of nodes


cdef reader_of(kind):
    """Return the method `attr` of a type of nodes, as `call_method` takes it."""
    if kind not in READERS:
        READERS[kind] = getattr_static(kind, "attr")
    return READERS[kind]


def find_classes(list nodes, list places):
    """Return the elements whose class may name a formula or code; see `KeptTree.classes`."""
    cdef list found = [], indexes
    cdef object method = None, node, names
    cdef Py_ssize_t index
    cdef bint matters
    for indexes in places:
        for index in indexes:
            node = nodes[index]
            if node is None:
                continue
            if method is None:
                method = reader_of(type(node))
            names = call_method(method, node, CLASS)
            if names is None:
                continue
            if PyUnicode_KIND(names) == 1:
                matters = may_matter(
                    <const uint8_t*> PyUnicode_DATA(names), PyUnicode_GET_LENGTH(names)
                )
            else:
                matters = "ath" in names or "tex" in names or "code" in names
            if matters:
                found.append((index, names))
    return found


def find_attribute(list nodes, list places, str name):
    """Return the places of elements that have an attribute."""
    cdef list found = []
    cdef tuple arguments = (name,)
    cdef object method = None, node
    cdef Py_ssize_t index
    for index in places:
        node = nodes[index]
        if node is None:
            continue
        if method is None:
            method = reader_of(type(node))
        if call_method(method, node, arguments) is not None:
            found.append(index)
    return found


cdef bint may_matter(const uint8_t* text, Py_ssize_t size) noexcept nogil:
    """Return whether a class has one of "ath", "tex" and "code"."""
    cdef Py_ssize_t at
    for at in range(2, size):
        if text[at] == 104:
            if text[at - 2] == 97 and text[at - 1] == 116:
                return True
        elif text[at] == 120:
            if text[at - 2] == 116 and text[at - 1] == 101:
                return True
        elif text[at] == 101 and at > 2:
            if text[at - 3] == 99 and text[at - 2] == 111 and text[at - 1] == 100:
                return True
    return False


def find_empty(
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const uint8_t[::1] wanted,
    Py_ssize_t first,
    Py_ssize_t last,
):
    """Return the elements of wanted tags that hold nothing, from one row up to another."""
    cdef Py_ssize_t row
    cdef list found = []
    for row in range(first, last):
        if end[row] == row + 1 and wanted[tag[row]]:
            found.append(row)
    return found
