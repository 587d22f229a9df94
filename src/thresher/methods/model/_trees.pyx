"""The compiled evaluation of symmetric trees; `boosted_trees` has the plain version.

Up to 64 columns of the matrix are evaluated at once, in three passes over arrays that fit into the
nearer caches: the results of all comparisons, the number of the leaf in each tree, and the sums of
the leaves' values. The passes are in C, since only C can say that arrays do not overlap and that a
function is to be compiled for several processors; so the compiler finds vector instructions.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>

    #define COLUMNS 64  /* evaluated at once */
    #define GROUP 8     /* sums that are kept in registers */

    /* It is chosen when the kernel is loaded, which needs glibc, and no instrumented code. */
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) \
        && !defined(__SANITIZE_ADDRESS__) && !defined(ONE_PROCESSOR)
    #define SEVERAL_PROCESSORS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
    #else
    #define SEVERAL_PROCESSORS
    #endif

    /* Write for each border a line of bytes: whether each value is above it. */
    SEVERAL_PROCESSORS
    static void compare_values(const float *restrict values, const float *restrict border,
                               ptrdiff_t count, uint8_t *restrict above) {
        for (ptrdiff_t one = 0; one < count; one++, above += COLUMNS)
            for (int column = 0; column < COLUMNS; column++)
                above[column] = values[column] > border[one];
    }

    /* Write the number of the leaf in each tree, a line of bytes for each. */
    SEVERAL_PROCESSORS
    static void find_leaves(const uint64_t *restrict above, const ptrdiff_t *restrict number,
                            ptrdiff_t depth, ptrdiff_t trees, uint64_t *restrict leaf) {
        for (ptrdiff_t tree = 0; tree < trees; tree++, leaf += COLUMNS / 8) {
            uint64_t own[COLUMNS / 8] = {0};
            for (ptrdiff_t level = 0; level < depth; level++) {  /* at most 8: no bit is lost */
                const uint64_t *bits = above + number[level * trees + tree] * (COLUMNS / 8);
                for (int word = 0; word < COLUMNS / 8; word++)
                    own[word] = own[word] << 1 | bits[word];
            }
            for (int word = 0; word < COLUMNS / 8; word++)
                leaf[word] = own[word];
        }
    }

    /* Write the sum of the values of the leaves, tree by tree, for a group of columns. */
    static void sum_leaves(const uint8_t *restrict leaf, const float *restrict leaves,
                           ptrdiff_t trees, ptrdiff_t size, double *restrict sums) {
        double own[GROUP] = {0};
        for (ptrdiff_t tree = 0; tree < trees; tree++, leaf += COLUMNS, leaves += size)
            for (int column = 0; column < GROUP; column++)
                own[column] += leaves[leaf[column]];
        for (int column = 0; column < GROUP; column++)
            sums[column] = own[column];
    }
    """
    const Py_ssize_t COLUMNS, GROUP
    void compare_values(
        const float* values, const float* border, Py_ssize_t count, uint8_t* above
    ) noexcept nogil
    void find_leaves(
        const uint64_t* above, const Py_ssize_t* number, Py_ssize_t depth, Py_ssize_t trees,
        uint64_t* leaf,
    ) noexcept nogil
    void sum_leaves(
        const uint8_t* leaf, const float* leaves, Py_ssize_t trees, Py_ssize_t size, double* sums
    ) noexcept nogil


cdef enum:
    FEW = 4  # up to so many columns are evaluated one by one
    MOST_CLASSES = 64


cdef class Trees:
    """The comparisons and leaves of all trees, as `boosted_trees` arranges them."""

    cdef const Py_ssize_t[::1] feature
    cdef const float[::1] border
    cdef Py_ssize_t varying
    cdef const Py_ssize_t[:, ::1] number
    cdef const float[:, :, ::1] leaves

    def __init__(self, feature, border, varying, number, leaves):
        """Keep the arrays; the comparisons from `varying` on are equal in all columns."""
        self.feature, self.border, self.varying = feature, border, varying
        self.number, self.leaves = number, leaves
        if self.leaves.shape[0] > MOST_CLASSES:
            raise ValueError(f"at most {MOST_CLASSES} classes")

    def add(
        self,
        const float[:, ::1] matrix,
        const Py_ssize_t[::1] columns,
        double[:, ::1] log_odds,
    ):
        """Add the sum over all trees to the log-odds of some columns of the matrix.

        `log_odds` has a place for each column of the matrix.
        """
        if columns.shape[0]:
            self.add_all(matrix, &columns[0], columns.shape[0], log_odds)

    cdef int add_all(
        self,
        const float[:, ::1] matrix,
        const Py_ssize_t* columns,
        Py_ssize_t count,
        double[:, ::1] log_odds,
    ) except -1:
        cdef Py_ssize_t begin = 0, width, label, place, trees = self.number.shape[1]
        cdef Py_ssize_t size = self.feature.shape[0] + trees
        cdef double sums[64]
        cdef uint8_t* above
        cdef uint8_t* leaf
        if count <= FEW:
            self.add_few(matrix, columns, count, log_odds)
            return 0
        above = <uint8_t*> malloc((size + 1) * COLUMNS)
        if above == NULL:
            raise MemoryError
        leaf = above + self.feature.shape[0] * COLUMNS
        with nogil:
            while begin < count:
                width = min(COLUMNS, count - begin)
                self.compare(matrix, columns + begin, width, begin == 0, above)
                find_leaves(
                    <const uint64_t*> above, &self.number[0, 0], self.number.shape[0], trees,
                    <uint64_t*> leaf,
                )
                for label in range(self.leaves.shape[0]):
                    for place in range((width + GROUP - 1) // GROUP):
                        sum_leaves(
                            leaf + place * GROUP, &self.leaves[label, 0, 0], trees,
                            self.leaves.shape[2], sums + place * GROUP,
                        )
                    for place in range(width):
                        log_odds[label, columns[begin + place]] += sums[place]
                begin += COLUMNS
        free(above)
        return 0

    cdef void add_few(
        self,
        const float[:, ::1] matrix,
        const Py_ssize_t* columns,
        Py_ssize_t count,
        double[:, ::1] log_odds,
    ) noexcept nogil:
        """Add the sum over all trees to the log-odds of a few columns, one by one."""
        cdef Py_ssize_t tree, level, label, leaf, comparison, place
        cdef double sums[MOST_CLASSES]
        for place in range(count):
            for label in range(self.leaves.shape[0]):
                sums[label] = 0
            for tree in range(self.number.shape[1]):
                leaf = 0
                for level in range(self.number.shape[0]):
                    comparison = self.number[level, tree]
                    leaf = leaf << 1 | (
                        matrix[self.feature[comparison], columns[place]] > self.border[comparison]
                    )
                for label in range(self.leaves.shape[0]):
                    sums[label] += self.leaves[label, tree, leaf]
            for label in range(self.leaves.shape[0]):
                log_odds[label, columns[place]] += sums[label]

    cdef void compare(
        self,
        const float[:, ::1] matrix,
        const Py_ssize_t* columns,
        Py_ssize_t width,
        bint is_first,
        uint8_t* above,
    ) noexcept nogil:
        """Write the results of the comparisons to `above`, a line of bytes for each.

        Those from `varying` on are written for the first columns only.
        """
        cdef float values[64]
        cdef const float* line
        cdef Py_ssize_t begin = 0, end, column
        cdef Py_ssize_t count = self.feature.shape[0] if is_first else self.varying
        cdef bint is_run = width == COLUMNS and columns[width - 1] - columns[0] == width - 1
        for column in range(COLUMNS):
            values[column] = 0
        while begin < count:
            end = begin + 1
            while end < count and self.feature[end] == self.feature[begin]:
                end += 1
            line = &matrix[self.feature[begin], 0]
            if is_run:
                line += columns[0]
            else:
                for column in range(width):
                    values[column] = line[columns[column]]
            compare_values(
                line if is_run else values, &self.border[begin], end - begin,
                above + begin * COLUMNS,
            )
            begin = end


def add_in_stages(
    list stages,
    const float[:, ::1] matrix,
    Py_ssize_t[::1] columns,
    double hopeless,
    double[:, ::1] log_odds,
):
    """Add the sums over the trees of all stages to the log-odds of the columns.

    After each stage, columns with log-odds up to `hopeless` are left out; `columns` is overwritten.
    """
    cdef Py_ssize_t count = columns.shape[0], place, left
    cdef Trees trees
    for trees in stages:
        if count == 0:
            break
        trees.add_all(matrix, &columns[0], count, log_odds)
        left = 0
        for place in range(count):
            if log_odds[0, columns[place]] > hopeless:
                columns[left] = columns[place]
                left += 1
        count = left
