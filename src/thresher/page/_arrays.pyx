"""Compiled versions of some algorithms of `arrays`, each in one pass over the rows."""

from cpython.buffer cimport PyBUF_FORMAT, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc

from thresher.page.buffers cimport numbers

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


cdef struct RowNumbers:
    const void* data
    Py_ssize_t size
    bint is_wide  # of 64 bits, else of 32


cdef bint find_numbers(object array, RowNumbers* found) except -1:
    """Find out where the items of an array are; return whether they are adjacent row numbers."""
    cdef Py_buffer view
    try:
        PyObject_GetBuffer(array, &view, PyBUF_FORMAT)
    except (BufferError, TypeError, ValueError):
        return False
    found.data, found.is_wide = view.buf, view.itemsize == 8
    found.size = view.len // view.itemsize
    cdef bint fits = view.format[0] in b"ilq" and (found.is_wide or view.itemsize == 4)
    PyBuffer_Release(&view)
    return fits


cdef inline Py_ssize_t number_at(RowNumbers* numbers, Py_ssize_t at) noexcept nogil:
    if numbers.is_wide:
        return (<const int64_t*> numbers.data)[at]
    return (<const int32_t*> numbers.data)[at]


def find_marked(marked, end, rows, found, bint counts):
    """Write how many marked subtrees are around each row if `counts`, else the innermost's row.

    Returns False, and has written nothing of use, if the rows are not sorted or the arrays have
    not such numbers.
    """
    cdef RowNumbers marks, ends, wanted
    if not (
        find_numbers(marked, &marks) and find_numbers(end, &ends) and find_numbers(rows, &wanted)
    ):
        return False
    cdef Py_ssize_t* written = numbers(found, wanted.size)
    cdef Py_ssize_t index, row, mark = -1, latest = 0, next_marked = 0, depth = 0
    cdef bint fits = True
    cdef Py_ssize_t* around = <Py_ssize_t*> malloc((marks.size + 1) * sizeof(Py_ssize_t))
    if around == NULL:
        raise MemoryError
    if marks.size:
        mark = number_at(&marks, 0)
    for index in range(wanted.size):
        row = number_at(&wanted, index)
        if row < latest:
            fits = False
            break
        latest = row
        while next_marked < marks.size and mark <= row:
            if not 0 <= mark < ends.size:
                fits = False
                break
            while depth and number_at(&ends, around[depth - 1]) <= mark:
                depth -= 1
            around[depth] = mark
            depth += 1
            next_marked += 1
            if next_marked < marks.size:
                mark = number_at(&marks, next_marked)
        if not fits:
            break
        while depth and number_at(&ends, around[depth - 1]) <= row:
            depth -= 1
        written[index] = depth if counts else around[depth - 1] if depth else -1
    free(around)
    return fits
