"""Compiled versions of the rules of `groups`, and of the best prefix of `judge`.

Sums are in the order of the blocks, as in the plain versions.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t


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




cdef bint is_beside(
    Py_ssize_t block,
    Py_ssize_t own,
    Py_ssize_t group,
    const Py_ssize_t[::1] parent,
    const Py_ssize_t[::1] container,
) noexcept nogil:
    """Return whether a block, or the group that it is in, is in the container of a group."""
    cdef Py_ssize_t around = parent[group], outer = parent[own if own >= 0 else container[block]]
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
    double least_probability,
    double most_links,
    uint8_t[::1] fills,
    Py_ssize_t[::1] group,
    uint8_t[::1] kept,
):
    """Keep also the groups between kept blocks; see `fill_between`.

    `fills` (zeros) and `group` are scratch: which containers are such groups, and the outermost
    group around each block.
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
            if before >= 0 and after < size:
                fills[own] = (
                    kept[before] and kept[after]
                    and is_beside(before, group[before], own, parent, container)
                    and is_beside(after, group[after], own, parent, container)
                    and expected >= least_probability * held and in_links < most_links * held
                )
            before, block = member, after
        for block in range(size):
            if group[block] >= 0 and fills[group[block]]:
                if probability[block] > 0 and not hidden[block]:
                    kept[block] = True
