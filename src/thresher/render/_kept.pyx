"""Compiled passes over the rows of a page; `kept_tree` has the plain version of each."""

from libc.stdint cimport int32_t, uint8_t, uint16_t

cdef enum:  # levels of gaps and bits of tags, as in `thresher.page.plain_text.gaps`
    BREAK = 2
    PARAGRAPH = 5
    LEVELS = 0b11111
    CHIP_STARTS = 1 << 5


def read_gaps(
    const uint16_t[::1] bits,
    const int32_t[::1] end,
    const int32_t[::1] rows,
    uint16_t[::1] events,
    uint16_t[::1] gaps,
    uint8_t[::1] levels,
):
    """Write the bits and the level of the gap before each of the text rows.

    `bits` has the bits of each row, `events` is filled with zeros and has one entry more.
    """
    cdef Py_ssize_t row, index, first = rows[0] + 1, stop = rows[rows.shape[0] - 1] + 1
    cdef uint16_t own
    cdef uint8_t level
    cdef int breaks
    for row in range(stop):
        own = bits[row] & (LEVELS | CHIP_STARTS)
        if own:
            if row >= first:
                events[row] |= own
            if first <= end[row] < stop:
                events[end[row]] |= (own & LEVELS) | (own & CHIP_STARTS) << 1
    gaps[0] = 1 << (PARAGRAPH - 1)
    levels[0] = PARAGRAPH
    for index in range(1, rows.shape[0]):
        own = 0
        breaks = 0
        for row in range(rows[index - 1] + 1, rows[index] + 1):
            own |= events[row]
            breaks += (bits[row] >> (BREAK - 1)) & 1
        gaps[index] = own
        own &= LEVELS
        level = 0
        while own:
            level += 1
            own >>= 1
        levels[index] = PARAGRAPH if level == BREAK and breaks > 1 else level


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
    cdef list kept_tags = [], kept_ends = [], parents = [], kept_texts = [], kept_nodes = []
    cdef dict places = {}
    cdef str name
    for row in range(tag.shape[0]):
        before[row] = index
        index += kept[row]
    before[tag.shape[0]] = index
    for row in range(tag.shape[0]):
        if kept[row]:
            kept_ends.append(before[end[row]])
            parents.append(before[parent[row]] if kept[parent[row]] else -1)
            kept_nodes.append(nodes[row])
            if tag[row] == 0:
                kept_tags.append("")
                kept_texts.append(texts[text])
            else:
                name = names[tag[row]]
                kept_tags.append(name)
                kept_texts.append("")
                if has_place[row]:
                    if name in places:
                        (<list>places[name]).append(before[row])
                    else:
                        places[name] = [before[row]]
        if tag[row] == 0:
            text += 1
    return kept_tags, kept_ends, parents, kept_texts, kept_nodes, places
