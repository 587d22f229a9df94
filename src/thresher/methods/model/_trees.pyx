"""The compiled evaluation of symmetric trees; `boosted_trees` has the plain version.

Columns are evaluated in groups of 16. Results of comparisons and numbers of leaves are bytes: those
of a group are four words of 32 bits, and byte b of word w is that of column 4 * b + w. So the
compiler can turn the loops over the words into vector instructions.
"""

from libc.stdint cimport uint32_t
from libc.stdlib cimport free, malloc

cdef enum:
    GROUP = 16
    COLUMNS = 64  # at once, so that the results of all comparisons fit into the nearer caches
    WORDS = 16  # for these columns


def add_leaves(
    const float[:, ::1] matrix,
    const Py_ssize_t[::1] columns,
    const Py_ssize_t[::1] feature,
    const float[::1] border,
    Py_ssize_t varying,
    const Py_ssize_t[:, ::1] number,
    const double[:, :, ::1] leaves,
    double[:, ::1] log_odds,
):
    """Add the leaves' values of all trees, one by one, to the log-odds of the chosen columns.

    The comparisons are sorted by feature, and those from `varying` on give the same result in all
    columns. `number` has the comparisons of each tree, the last level first. `columns` and
    `log_odds` are filled up to whole groups.
    """
    cdef Py_ssize_t begin = 0, groups
    cdef uint32_t* above = <uint32_t*> malloc((feature.shape[0] + 1) * WORDS * sizeof(uint32_t))
    if above == NULL:
        raise MemoryError
    with nogil:
        while begin < columns.shape[0]:
            groups = min(COLUMNS, columns.shape[0] - begin) // GROUP
            compare(
                matrix, &columns[begin], groups, feature, border,
                varying if begin else feature.shape[0], above,
            )
            add_part(above, number, leaves, log_odds[:, begin:], groups)
            begin += COLUMNS
    free(above)


def add_leaves_of_few(
    const float[:, :] matrix,
    const Py_ssize_t[::1] columns,
    const Py_ssize_t[::1] feature,
    const float[::1] border,
    const Py_ssize_t[:, ::1] number,
    const double[:, :, ::1] leaves,
    double[:, ::1] log_odds,
):
    """Add the leaves' values of all trees, one by one, to the log-odds of a few columns."""
    cdef Py_ssize_t tree, level, label, leaf, comparison, place, column
    with nogil:
        for place in range(columns.shape[0]):
            column = columns[place]
            for tree in range(number.shape[1]):
                leaf = 0
                for level in range(number.shape[0]):
                    comparison = number[level, tree]
                    leaf = leaf << 1 | (matrix[feature[comparison], column] > border[comparison])
                for label in range(leaves.shape[0]):
                    log_odds[label, place] += leaves[label, tree, leaf]


cdef void compare(
    const float[:, ::1] matrix,
    const Py_ssize_t* columns,
    Py_ssize_t groups,
    const Py_ssize_t[::1] feature,
    const float[::1] border,
    Py_ssize_t count,
    uint32_t* above,
) noexcept nogil:
    """Write the results of the first `count` comparisons to `above`, WORDS for each."""
    cdef float values[COLUMNS]
    cdef const float* line
    cdef const float* some
    cdef float least
    cdef Py_ssize_t comparison, column, group, word
    cdef Py_ssize_t latest = -1
    for comparison in range(count):
        if feature[comparison] != latest:
            latest = feature[comparison]
            line = &matrix[latest, 0]
            for column in range(GROUP * groups):
                values[column] = line[columns[column]]
        least = border[comparison]
        for group in range(groups):
            some = values + GROUP * group
            for word in range(4):
                above[4 * group + word] = (
                    <uint32_t> (some[word] > least)
                    | <uint32_t> (some[4 + word] > least) << 8
                    | <uint32_t> (some[8 + word] > least) << 16
                    | <uint32_t> (some[12 + word] > least) << 24
                )
        above += WORDS


cdef void add_part(
    const uint32_t* above,
    const Py_ssize_t[:, ::1] number,
    const double[:, :, ::1] leaves,
    double[:, :] log_odds,
    Py_ssize_t groups,
) noexcept nogil:
    """Add the leaves of all trees for some groups of columns."""
    cdef uint32_t leaf[WORDS]
    cdef const uint32_t* bits
    cdef const double* of_tree
    cdef double* sums
    cdef Py_ssize_t tree, level, group, word, label
    for tree in range(number.shape[1]):
        for word in range(WORDS):
            leaf[word] = 0
        for level in range(number.shape[0]):  # at most 8: no bit leaves its byte
            bits = above + number[level, tree] * WORDS
            for word in range(WORDS):
                leaf[word] = leaf[word] << 1 | bits[word]
        for label in range(leaves.shape[0]):
            of_tree = &leaves[label, tree, 0]
            for group in range(groups):
                sums = &log_odds[label, GROUP * group]
                for word in range(4):
                    sums[word] += of_tree[leaf[4 * group + word] & 255]
                    sums[4 + word] += of_tree[leaf[4 * group + word] >> 8 & 255]
                    sums[8 + word] += of_tree[leaf[4 * group + word] >> 16 & 255]
                    sums[12 + word] += of_tree[leaf[4 * group + word] >> 24]
