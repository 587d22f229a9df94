"""Compiled versions of the rules of `groups` and `neighbours`, and of the best prefix of `judge`.

Sums are in the order of the blocks, as in the plain versions.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc


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
    const double[::1] words,
    const double[::1] linked,
    const double[::1] probability,
    const uint8_t[::1] hidden,
    const uint8_t[::1] is_group,
    const Py_ssize_t[::1] around_group,
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
    Py_ssize_t[::1] group,
    uint8_t[::1] kept,
):
    """Keep also the groups between kept blocks; see `fill_between`.

    `around_group` has the container around each container if it is a group, `fills` (zeros) and
    `group` are scratch: which containers are such groups, and the outermost group around each
    block.
    """
    cdef Py_ssize_t block, size = first.shape[0], next_one = 0, current = -1
    cdef Py_ssize_t before = -1, member, after, own
    cdef int32_t reach = 0
    cdef double held, in_links, expected
    with nogil:
        for block in range(size):
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
