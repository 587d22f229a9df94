"""Compiled versions of the rules of `groups` and `neighbours`, and of the best prefix of `judge`.

Sums are in the order of the blocks, as in the plain versions.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

cdef extern from "Python.h":
    Py_UCS4 PyUnicode_READ_CHAR(object text, Py_ssize_t index)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)


def share_means(
    const uint16_t[::1] tag,
    const Py_ssize_t[::1] parent,
    const Py_ssize_t[::1] container,
    const double[::1] words,
    const double[::1] probability,
    const uint8_t[::1] is_group,
    Py_ssize_t table,
    double most_table_words,
    Py_ssize_t[::1] group,
    double[:, ::1] sums,
    double[::1] found,
):
    """Write the probabilities with the mean of each group; see `share_probability`.

    `group` and `sums`, zeros at first, are scratch: the nearest group around each container, and
    its words and expected words.
    """
    cdef Py_ssize_t one, block, around
    with nogil:
        for one in range(tag.shape[0]):
            if is_group[tag[one]]:
                group[one] = one
            else:
                group[one] = group[parent[one]] if one else -1
        for block in range(container.shape[0]):
            around = group[container[block]]
            if around >= 0:
                sums[0, around] += words[block]
                sums[1, around] += probability[block] * words[block]
        for block in range(container.shape[0]):
            around = group[container[block]]
            if (
                around < 0 or probability[block] <= 0
                or (tag[around] == table and sums[0, around] > most_table_words)
            ):
                found[block] = probability[block]
            else:
                found[block] = sums[1, around] / max(sums[0, around], 1)


def keep_prefix(
    const Py_ssize_t[::1] order,
    const double[::1] probability,
    const double[::1] words,
    double weight,
    uint8_t[::1] kept,
):
    """Mark the first blocks in this order up to the best score; see `best_prefix`."""
    cdef Py_ssize_t place, best = 0
    cdef double total = 0, found = 0, held = 0, score, best_score = -1
    with nogil:
        for place in range(order.shape[0]):
            total += probability[order[place]] * words[order[place]]
        for place in range(order.shape[0]):
            found += probability[order[place]] * words[order[place]]
            held += words[order[place]]
            score = found / (held + weight * total + 1e-9)
            if score > best_score:
                best, best_score = place, score
        for place in range(min(best + 1, order.shape[0])):
            kept[order[place]] = probability[order[place]] > 0



def find_alike(
    const uint8_t[::1] kept,
    const int32_t[::1] words,
    const int64_t[:, ::1] counts,
    Py_ssize_t least_words,
    uint8_t[::1] alike,
):
    """Mark kept blocks of enough words that have the counts of another one; see `judge`.

    Blocks of different counts may be marked too, if their hashes are equal.
    """
    cdef Py_ssize_t block, line, place, size = 16
    cdef uint64_t key
    while size < 2 * kept.shape[0]:
        size *= 2
    cdef Py_ssize_t* table = <Py_ssize_t*> calloc(size, sizeof(Py_ssize_t))  # block + 1
    cdef uint64_t* keys = <uint64_t*> malloc((kept.shape[0] + 1) * sizeof(uint64_t))
    if table == NULL or keys == NULL:
        free(table)
        free(keys)
        raise MemoryError
    with nogil:
        for block in range(kept.shape[0]):
            if not kept[block] or words[block] < least_words:
                continue
            key = words[block]
            for line in range(counts.shape[0]):
                key = key * <uint64_t> 0x9E3779B97F4A7C15 + <uint64_t> counts[line, block]
            keys[block] = key = key * <uint64_t> 0x9E3779B97F4A7C15
            place = (key >> 32) & (size - 1)
            while table[place] and keys[table[place] - 1] != key:
                place = (place + 1) & (size - 1)
            if table[place]:
                alike[block] = alike[table[place] - 1] = True
            else:
                table[place] = block + 1
    free(table)
    free(keys)


cdef bint is_beside(
    Py_ssize_t block,
    Py_ssize_t own,
    Py_ssize_t around,
    const Py_ssize_t[::1] around_group,
    const Py_ssize_t[::1] parent,
    const Py_ssize_t[::1] container,
) noexcept nogil:
    """Return whether a block, or the group that it is in, is in the container `around`."""
    cdef Py_ssize_t outer = around_group[own] if own >= 0 else parent[container[block]]
    return outer == around or container[block] == around


def fill_groups(
    const int32_t[::1] row,
    const int32_t[::1] end,
    const uint16_t[::1] tag,
    const Py_ssize_t[::1] parent,
    const Py_ssize_t[::1] container,
    const int32_t[::1] first,
    const double[::1] all_words,
    const double[::1] linked,
    const double[::1] probability,
    const uint8_t[::1] hidden,
    const uint8_t[::1] is_group,
    const Py_ssize_t[::1] outermost,
    const uint8_t[::1] is_skipped,
    const uint8_t[::1] is_list,
    ends_in_colon,
    double least_probability,
    double most_links,
    double most_announced_links,
    Py_ssize_t table,
    double probable,
    Py_ssize_t code,
    double least_code,
    uint8_t[::1] fills,
    double[::1] words,
    Py_ssize_t[::1] group,
    Py_ssize_t[::1] around_group,
    uint8_t[::1] kept,
):
    """Keep also the groups between kept blocks; see `fill_between`.

    The rest are scratch: `fills` (zeros), which containers are such groups; the words of each
    block, 0 for dropped captions and headings; the outermost group around each block; the container
    around each container if it is a group.
    """
    cdef Py_ssize_t block, size = first.shape[0], next_one = 0, current = -1
    cdef Py_ssize_t before = -1, member, after, own
    cdef int32_t reach = 0
    cdef double held, in_links, expected
    with nogil:
        for own in range(tag.shape[0]):
            around_group[own] = parent[outermost[own] if tag[own] == code else own]
        for block in range(size):
            own = container[block]
            words[block] = all_words[block]
            if not kept[block] and (is_skipped[tag[own]] or is_skipped[tag[parent[own]]]):
                words[block] = 0
            while next_one < row.shape[0] and row[next_one] <= first[block]:
                if is_group[tag[next_one]] and row[next_one] >= reach:
                    current, reach = next_one, end[next_one]
                next_one += 1
            group[block] = current if first[block] < reach else -1
        block = 0
        while block < size:
            own = group[block]
            if own < 0 or words[block] == 0:
                if words[block] > 0:
                    before = block
                block += 1
                continue
            held = in_links = expected = 0
            member = after = block
            while after < size and (group[after] == own or words[after] == 0):
                if group[after] == own and words[after] > 0:
                    held += words[after]
                    in_links += linked[after]
                    expected += probability[after] * words[after]
                    member = after
                after += 1
            if (
                before >= 0 and kept[before]
                and (expected >= least_probability * held or tag[own] == code)
                and is_beside(before, group[before], around_group[own], around_group, parent,
                              container)
            ):
                fills[own] = (
                    in_links < most_links * held
                    or tag[own] == table and expected >= probable * held
                ) and (
                    after < size and kept[after]
                    and is_beside(after, group[after], around_group[own], around_group, parent,
                                  container)
                    or tag[own] == code and expected >= least_code * held
                )
                if not fills[own] and is_list[tag[own]] and in_links < most_announced_links * held:
                    with gil:
                        fills[own] = ends_in_colon(before)
            before, block = member, after
        for block in range(size):
            if group[block] >= 0 and fills[group[block]]:
                if probability[block] > 0 and not hidden[block]:
                    kept[block] = True


cdef bint are_near(
    Py_ssize_t one, Py_ssize_t other, const Py_ssize_t[::1] parent
) noexcept nogil:
    """Return whether two containers are the same, siblings, or one around the other."""
    return (
        one == other or parent[one] == parent[other] or parent[one] == other
        or parent[other] == one
    )


def keep_neighbours(
    const int32_t[::1] row,
    const int32_t[::1] end,
    const uint16_t[::1] tag,
    const Py_ssize_t[::1] parent,
    const Py_ssize_t[::1] container,
    const double[::1] words,
    const double[::1] linked,
    const double[::1] probability,
    const uint8_t[::1] hidden,
    const uint8_t[::1] level_of_tag,
    Py_ssize_t headline,
    Py_ssize_t paragraph,
    double most_words,
    double least_short,
    double least_paragraph,
    double most_links,
    Py_ssize_t[::1] heading,
    int32_t[::1] worded,
    uint8_t[:, ::1] scratch,
    uint8_t[::1] kept,
):
    """Keep also blocks between kept ones, then headings of kept text; see `neighbours`.

    The rest are scratch: the innermost heading around each container, the blocks with words, and
    for each of these the level of its heading, whether it was kept, and whether the nearest block
    before it that is no dropped heading is kept.
    """
    cdef Py_ssize_t one, block, place, size = 0, around, following, own, home
    cdef uint8_t[::1] level = scratch[0], was_kept = scratch[1], after_kept = scratch[2]
    cdef bint is_kept_before = False
    with nogil:
        for one in range(tag.shape[0]):
            heading[one] = one if level_of_tag[tag[one]] else heading[parent[one]] if one else -1
        for block in range(container.shape[0]):
            if words[block] > 0:
                around = heading[container[block]]
                worded[size] = <int32_t> block
                level[size] = level_of_tag[tag[around]] if around >= 0 else 0
                was_kept[size] = kept[block]
                size += 1
        for place in range(1, size - 1):
            block = worded[place]
            if (
                was_kept[place] or not was_kept[place - 1] or not was_kept[place + 1]
                or linked[block] > 0 or hidden[block] or block == headline
            ):
                continue
            own = container[block]
            if (
                probability[block] >= least_short and words[block] <= most_words
                or probability[block] >= least_paragraph and tag[own] == paragraph
            ) and are_near(container[worded[place - 1]], own, parent) and are_near(
                own, container[worded[place + 1]], parent
            ):
                kept[block] = True
        for place in range(size):
            after_kept[place] = is_kept_before
            if kept[worded[place]] or level[place] < 2:
                is_kept_before = kept[worded[place]]
        for place in range(size - 2, -1, -1):
            block, following = worded[place], worded[place + 1]
            if (
                level[place] < 2 or kept[block] or not kept[following] or not after_kept[place]
                or 0 < level[place + 1] <= level[place] or block == headline or hidden[block]
                or probability[block] <= 0 or linked[block] >= most_links * words[block]
            ):
                continue
            home = parent[parent[heading[container[block]]]]
            if row[home] <= row[container[following]] < end[home]:
                kept[block] = True


def find_short(
    tuple texts,
    const int32_t[::1] texts_from,
    const uint8_t[::1] kept,
    const double[::1] words,
    double most_words,
    Py_ssize_t most,
    str letters,
    str skipped,
):
    """Return the first of the short kept blocks that may be labels; see `judge`.

    These are those whose first letter is one of `letters`, in lower case, or is past ASCII.
    White space and `skipped` signs before it are skipped.
    """
    cdef Py_ssize_t block, count = 0, at
    cdef str text
    cdef Py_UCS4 code
    cdef list found = []
    for block in range(kept.shape[0]):
        if not kept[block] or words[block] > most_words:
            continue
        count += 1
        if count > most:
            break
        text = texts[texts_from[block]]
        for at in range(PyUnicode_GET_LENGTH(text)):
            code = PyUnicode_READ_CHAR(text, at)
            if 65 <= code <= 90:
                code = <Py_UCS4> (<int> code + 32)
            if code > 127 or code in letters:
                found.append(block)
                break
            if code > 32 and code not in skipped:
                break
        else:  # the next text may begin with a letter
            found.append(block)
    return found


def find_doubtful_headings(
    const uint16_t[::1] tag,
    const int32_t[::1] parent,
    const int32_t[::1] words,
    const uint8_t[::1] kept,
    const uint8_t[::1] hidden,
    const uint8_t[::1] level_of_tag,
    Py_ssize_t headline,
    Py_ssize_t most_words,
    double most_share,
):
    """Return the kept headings without kept text below them; see `without_empty_sections`."""
    cdef Py_ssize_t block, latest = -1, headings = 0, count = 0
    cdef uint8_t level, latest_level = 0
    cdef bint is_empty = False  # nothing is kept since the latest kept heading
    cdef list found = []
    for block in range(kept.shape[0]):
        count += kept[block]
        if words[block] == 0:
            continue
        level = level_of_tag[tag[parent[block]]]
        if level and kept[block]:
            if latest >= 0 and is_empty and level <= latest_level:
                found.append(latest)
            headings += 1
            latest, latest_level = block, level
            is_empty = words[block] <= most_words and block != headline
        elif not level and kept[block] and not hidden[block]:
            is_empty = False
    if latest >= 0 and is_empty:
        found.append(latest)
    return [] if headings >= most_share * count else found


def find_linked_lists(
    const int32_t[::1] row,
    const int32_t[::1] end,
    const uint16_t[::1] tag,
    const double[::1] words,
    const double[::1] linked,
    const int32_t[::1] first,
    const uint8_t[::1] kept,
    const uint8_t[::1] is_list,
    double least_share,
):
    """Return the lists of links with kept blocks, each with its first block and the one after it.

    `words` and `linked` are those of the containers; see `without_contents`.
    """
    cdef Py_ssize_t one, begin, after, block = 0
    cdef bint is_kept
    cdef list found = []
    for one in range(tag.shape[0]):
        if not is_list[tag[one]] or linked[one] < least_share * words[one] or linked[one] <= 0:
            continue
        while block < first.shape[0] and first[block] < row[one]:
            block += 1
        begin = after = block
        is_kept = False
        while after < first.shape[0] and first[after] < end[one]:
            is_kept |= kept[after]
            after += 1
        if is_kept:
            found.append((one, begin, after))
    return found


def find_linked_headings(
    const uint16_t[::1] container_tag,
    const Py_ssize_t[::1] container,
    const double[::1] linked,
    const uint8_t[::1] kept,
    const uint8_t[::1] level_of_tag,
    const int32_t[::1] first,
    const uint16_t[::1] tag,
    const int32_t[::1] parent,
    Py_ssize_t link,
    Py_ssize_t most_inline,
):
    """Return the dropped headings with links, each with the row of the first link around it."""
    cdef Py_ssize_t block, row, step
    cdef list found = []
    for block in range(container.shape[0]):
        if kept[block] or linked[block] <= 0 or level_of_tag[container_tag[container[block]]] < 2:
            continue
        row = parent[first[block]]
        for step in range(most_inline):
            if row < 0:
                break
            if tag[row] == link:
                found.append((block, row))
                break
            row = parent[row]
    return found
