"""Compiled versions of some algorithms of `arrays`, each in one pass over the rows."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc

ctypedef fused row_number:
    int32_t
    int64_t

ctypedef fused number:
    uint8_t
    int32_t
    int64_t
    double

ctypedef fused total:
    int64_t
    double


def add_subtrees(const number[::1] values, const row_number[::1] end, total[::1] sums):
    """Write the sum over each subtree: `sums` has one more entry than `values`, as scratch."""
    cdef Py_ssize_t row, size = values.shape[0]
    cdef bint fits = True
    with nogil:
        sums[0] = 0
        for row in range(size):
            sums[row + 1] = sums[row] + <total> values[row]
            fits &= row < end[row] <= size
        if fits:
            for row in range(size):
                sums[row] = sums[end[row]] - sums[row]
    if not fits:
        raise IndexError("end has rows that do not exist")


def mark_inside(const uint8_t[::1] mask, const row_number[::1] end, uint8_t[::1] found):
    """Write 1 for each row that is in a marked subtree, else 0."""
    cdef Py_ssize_t row
    cdef row_number reach = 0
    with nogil:
        for row in range(mask.shape[0]):
            if mask[row] and end[row] > reach:
                reach = end[row]
            found[row] = row < reach


def find_nearest(const uint8_t[::1] mask, const row_number[::1] parent, Py_ssize_t[::1] found):
    """Write the nearest marked ancestor of each row or the row itself, -1 if there is none."""
    cdef Py_ssize_t row
    with nogil:
        for row in range(mask.shape[0]):
            if mask[row]:
                found[row] = row
            else:
                found[row] = found[parent[row]] if 0 <= parent[row] < row else -1


def find_marked(
    const Py_ssize_t[::1] marked,
    const row_number[::1] end,
    const Py_ssize_t[::1] rows,
    Py_ssize_t[::1] level,
    Py_ssize_t[::1] innermost,
):
    """Write the number of marked subtrees around each row, and the innermost of their rows.

    Returns False, and has written nothing of use, if the rows are not sorted.
    """
    cdef Py_ssize_t index, row, latest = 0, next_marked = 0, depth = 0
    cdef bint is_sorted = True
    cdef Py_ssize_t* around = <Py_ssize_t*> malloc((marked.shape[0] + 1) * sizeof(Py_ssize_t))
    if around == NULL:
        raise MemoryError
    with nogil:
        for index in range(rows.shape[0]):
            row = rows[index]
            if row < latest:
                is_sorted = False
                break
            latest = row
            while next_marked < marked.shape[0] and marked[next_marked] <= row:
                while depth and end[around[depth - 1]] <= marked[next_marked]:
                    depth -= 1
                around[depth] = marked[next_marked]
                depth += 1
                next_marked += 1
            while depth and end[around[depth - 1]] <= row:
                depth -= 1
            level[index] = depth
            innermost[index] = around[depth - 1] if depth else -1
    free(around)
    return is_sorted
