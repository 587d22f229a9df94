"""Compiled passes over the rows of a page; `kept_tree` has the plain version of each."""

from cpython.tuple cimport PyTuple_GET_ITEM
from libc.stdint cimport int32_t, uint8_t, uint16_t

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


cdef void mark_upwards(Py_ssize_t row, const int32_t[::1] parent, uint8_t[::1] marked) noexcept:
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
            mark_upwards(text_rows[index], parent, holds)
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
                    mark_upwards(row, parent, found)


def keep_spaces(
    tuple texts,
    const uint16_t[::1] bits,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const int32_t[::1] chars,
    const int32_t[::1] words,
    const int32_t[::1] text_rows,
    const uint8_t[::1] keep,
    uint16_t[::1] ended,
    int32_t[:, ::1] scratch,
    uint8_t[::1] kept,
):
    """Mark the white space for which plain text writes white space, and the rows around it.

    See `separating_spaces`. `ended` is filled with zeros and has one entry more than there are
    rows. The lines of `scratch` are the innermost code around each row, and blank texts.
    """
    cdef Py_ssize_t row, text = 0, index, blank, blanks = 0, after_dropped = 0, size = bits.shape[0]
    cdef uint16_t own, gap = LEVELS
    cdef int32_t code, last_code = -1
    for row in range(size):
        own = bits[row]
        gap |= (ended[row] | own) & LEVELS
        if own & LEVELS:
            ended[end[row]] |= own
        code = row if own & KEEPS_SPACE else scratch[0, parent[row]] if row else -1
        scratch[0, row] = code
        if text == text_rows.shape[0]:
            break
        if text_rows[text] != row:
            continue
        text += 1
        if chars[row] == 0 or (
            words[row] == 0 and (<str> PyTuple_GET_ITEM(texts, text - 1)).isspace()
        ):
            if not bits[max(parent[row], 0)] & RAW:
                scratch[1, blanks] = row
                blanks += 1
            continue
        if not keep[text - 1]:
            after_dropped = blanks
            continue
        for index in range(blanks):
            blank = scratch[1, index]
            if gap == 0 or (
                code >= 0
                and scratch[0, blank] == code
                and (last_code == code or index >= after_dropped)
            ):
                mark_upwards(blank, parent, kept)
        blanks = after_dropped = gap = 0
        last_code = code


def find_gaps(
    tuple texts,
    const uint16_t[::1] bits,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const int32_t[::1] chars,
    const uint8_t[::1] linked,
    const int32_t[::1] text_rows,
    const uint8_t[::1] keep,
    const uint8_t[::1] kept,
    uint16_t[:, ::1] ended,
    int32_t[:, ::1] found,
):
    """Write the rows that `_gaps_to_keep` needs to `found`, and return the number in each line.

    They are the dropped rows with a line end inside and a kept parent, the texts after which the
    line would not end, and the texts that need a space. `ended` is filled with zeros, with two
    lines, for all rows and for those kept, and one entry more than there are rows.
    """
    cdef Py_ssize_t row, text = 0, last_text = -1, root = 0, roots = 0, joined = 0, spaced = 0
    cdef int32_t last_solid = -1, code_reach = 0
    cdef uint16_t own, chips = 0
    cdef uint8_t level, kept_level
    cdef Gap gap, kept_gap  # since the last kept text that is not blank
    gap.bits = kept_gap.bits = 0
    gap.breaks = kept_gap.breaks = 0
    for row in range(bits.shape[0]):
        own = bits[row]
        gap.bits |= ended[0, row] | own
        kept_gap.bits |= ended[1, row]
        chips |= ended[0, row] | own
        if own:
            ended[0, end[row]] |= at_end(own)
            gap.breaks += (own & BREAK_BIT) != 0
            if own & CODE:
                code_reach = max(code_reach, end[row])
            if kept[row]:
                ended[1, end[row]] |= at_end(own)
                kept_gap.bits |= own
                kept_gap.breaks += (own & BREAK_BIT) != 0
        if not kept[row]:
            if kept[max(parent[row], 0)]:
                root = row
            if own & LINE_BITS and (roots == 0 or found[0, roots - 1] != root):
                found[0, roots] = root
                roots += 1
        if text == text_rows.shape[0] or text_rows[text] != row:
            continue
        text += 1
        if not keep[text - 1]:
            continue
        if last_text >= 0 and chips & CHIPS == CHIPS and row >= code_reach and are_words(
            <str> PyTuple_GET_ITEM(texts, last_text),
            <str> PyTuple_GET_ITEM(texts, text - 1),
            linked[text_rows[last_text]] and linked[row],
        ):
            found[2, spaced] = row
            spaced += 1
        last_text, chips = text - 1, 0
        if chars[row] == 0:
            continue
        if last_solid >= 0:
            level, kept_level = strongest(gap), strongest(kept_gap)
            if SPACE <= level < LINE and kept_level == JOIN:
                found[2, spaced] = row
                spaced += 1
            elif level >= LINE and kept_level < LINE:
                found[1, joined] = last_solid
                joined += 1
        gap.bits = kept_gap.bits = 0
        gap.breaks = kept_gap.breaks = 0
        last_solid = row
    return roots, joined, spaced


cdef bint are_words(str before, str after, bint are_links):
    """Return whether two texts are words, not pieces of one; see `gaps.chip_gaps`."""
    if not before or not after or not (are_links or (len(before) > 1 and len(after) > 1)):
        return False
    return before[len(before) - 1].isalnum() and after[0].isalnum()


def read_lists(
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const uint8_t[::1] kept,
    const uint8_t[::1] has_place,
    int32_t[::1] before,
    tuple names,
    tuple texts,
    list nodes,
):
    """Return the kept rows as lists: names, ends, parents, texts, nodes and places.

    `has_place` says of each row whether its index is one of the places. `before` is written: the
    number of kept rows before each row. The parent of the outermost rows, which is not kept, gets
    the index -1.
    """
    cdef Py_ssize_t row, text = 0, index = 0
    cdef list kept_tags, kept_ends, parents, kept_texts, kept_nodes, numbers
    cdef dict places = {}
    cdef str name
    for row in range(tag.shape[0]):
        before[row] = index
        index += kept[row]
    before[tag.shape[0]] = index
    kept_tags, kept_texts = [""] * index, [""] * index
    kept_ends, parents, kept_nodes = [None] * index, [None] * index, [None] * index
    numbers = list(range(index + 1))  # each is made once
    for row in range(tag.shape[0]):
        if kept[row]:
            index = before[row]
            kept_ends[index] = numbers[before[end[row]]]
            parents[index] = numbers[before[parent[row]]] if kept[parent[row]] else -1
            kept_nodes[index] = nodes[row]
            if tag[row] == 0:
                kept_texts[index] = texts[text]
            else:
                name = names[tag[row]]
                kept_tags[index] = name
                if has_place[row]:
                    if name in places:
                        (<list>places[name]).append(numbers[index])
                    else:
                        places[name] = [numbers[index]]
        text += tag[row] == 0
    return kept_tags, kept_ends, parents, kept_texts, kept_nodes, places


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
