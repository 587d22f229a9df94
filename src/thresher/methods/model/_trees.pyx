"""The compiled evaluation of symmetric trees; `boosted_trees` has the plain version.

Up to 64 columns of the matrix are evaluated at once, in three passes over arrays that fit into the
nearer caches: the results of all comparisons, the number of the leaf in each tree, and the sums of
the leaves' values. The passes are in C, since only C can say that arrays do not overlap and that a
function is to be compiled for several processors; so the compiler finds vector instructions.

Trees of one class and six levels have a version for processors with AVX-512, which takes half of
the time: the results of a comparison are the bits of one number, the 64 leaves of a tree are in
four registers, and the sums never leave theirs. It adds the same numbers in the same order.
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
    #define SEVERAL_PROCESSORS __attribute__((target_clones("avx2", "default")))
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

    #if defined(__x86_64__) && defined(__GNUC__) && !defined(ONE_PROCESSOR)
    #include <immintrin.h>
    #define WIDE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
    #define IS_WIDE (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") \
                     && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))

    /* Columns of the matrix within a stretch of 16, and how many columns are before them. */
    struct stretch {
        ptrdiff_t begin;
        ptrdiff_t before;
        __mmask16 chosen;
    };

    static int find_stretches(const ptrdiff_t *columns, ptrdiff_t count, struct stretch *found) {
        int last = -1;
        for (ptrdiff_t place = 0; place < count; place++) {
            ptrdiff_t column = columns[place];
            if (!place || column <= columns[place - 1] || column > found[last].begin + 15) {
                found[++last].begin = column;
                found[last].before = place;
                found[last].chosen = 0;
            }
            found[last].chosen |= (__mmask16) (1 << (column - found[last].begin));
        }
        return last + 1;
    }

    #define LINES 16  /* read at once: what was just stored in parts cannot be loaded yet */

    /* Write the results of the comparisons for up to 64 columns, as the bits of a number each.
       The comparisons are sorted by feature. */
    WIDE static void compare_wide(const float *matrix, ptrdiff_t stride, const ptrdiff_t *columns,
                                  ptrdiff_t width, const ptrdiff_t *feature, const float *border,
                                  ptrdiff_t count, uint64_t *above) {
        struct stretch stretches[COLUMNS];
        float values[LINES][COLUMNS + 16] = {{0}};
        ptrdiff_t ends[LINES];  /* of the comparisons of each line */
        int size = find_stretches(columns, width, stretches);
        for (ptrdiff_t one = 0, end = 0; one < count;) {
            int lines = 0;
            for (; lines < LINES && end < count; lines++) {
                const float *line = matrix + feature[end] * stride;
                for (int at = 0; at < size; at++) {
                    __mmask16 chosen = stretches[at].chosen;
                    __m512 read = _mm512_maskz_loadu_ps(chosen, line + stretches[at].begin);
                    read = _mm512_maskz_compress_ps(chosen, read);
                    _mm512_storeu_ps(values[lines] + stretches[at].before, read);
                }
                ptrdiff_t own = feature[end];
                while (end < count && feature[end] == own)
                    end++;
                ends[lines] = end;
            }
            for (int line = 0; line < lines; line++) {
                const float *own = values[line];
                __m512 first = _mm512_loadu_ps(own), second = _mm512_loadu_ps(own + 16);
                __m512 third = _mm512_loadu_ps(own + 32), fourth = _mm512_loadu_ps(own + 48);
                for (; one < ends[line]; one++) {
                    __m512 limit = _mm512_set1_ps(border[one]);
                    __mmask16 low = _mm512_cmp_ps_mask(first, limit, _CMP_GT_OQ);
                    __mmask16 high = _mm512_cmp_ps_mask(second, limit, _CMP_GT_OQ);
                    __mmask32 half = _mm512_kunpackw(high, low);
                    low = _mm512_cmp_ps_mask(third, limit, _CMP_GT_OQ);
                    high = _mm512_cmp_ps_mask(fourth, limit, _CMP_GT_OQ);
                    above[one] = _mm512_kunpackd(_mm512_kunpackw(high, low), half);
                }
            }
        }
    }

    /* Write the sums of the values of the leaves, tree by tree. */
    WIDE static void sum_wide(const uint64_t *above, const ptrdiff_t *number, ptrdiff_t trees,
                              const float *leaves, double *sums) {
        __m512d sum[8];
        for (int part = 0; part < 8; part++)
            sum[part] = _mm512_setzero_pd();
        for (ptrdiff_t tree = 0; tree < trees; tree++, leaves += 64) {
            uint64_t highest = above[number[tree]];  /* bit of the leaf's number, worth 32 */
            __m512i leaf = _mm512_setzero_si512();
            for (int level = 1; level < 6; level++) {
                __m512i worth = _mm512_set1_epi8((char) (32 >> level));
                leaf = _mm512_mask_add_epi8(leaf, above[number[level * trees + tree]], leaf, worth);
            }
            __m512 first = _mm512_loadu_ps(leaves), second = _mm512_loadu_ps(leaves + 16);
            __m512 third = _mm512_loadu_ps(leaves + 32), fourth = _mm512_loadu_ps(leaves + 48);
            __m128i quarter[4] = {
                _mm512_extracti32x4_epi32(leaf, 0), _mm512_extracti32x4_epi32(leaf, 1),
                _mm512_extracti32x4_epi32(leaf, 2), _mm512_extracti32x4_epi32(leaf, 3),
            };
            for (int part = 0; part < 4; part++) {
                __m512i index = _mm512_cvtepu8_epi32(quarter[part]);
                __m512 value = _mm512_mask_blend_ps(
                    (__mmask16) (highest >> 16 * part),
                    _mm512_permutex2var_ps(first, index, second),
                    _mm512_permutex2var_ps(third, index, fourth));
                __m256 low = _mm512_castps512_ps256(value);
                __m256 high = _mm512_extractf32x8_ps(value, 1);
                sum[2 * part] = _mm512_add_pd(sum[2 * part], _mm512_cvtps_pd(low));
                sum[2 * part + 1] = _mm512_add_pd(sum[2 * part + 1], _mm512_cvtps_pd(high));
            }
        }
        for (int part = 0; part < 8; part++)
            _mm512_storeu_pd(sums + 8 * part, sum[part]);
    }
    #else
    #define IS_WIDE 0
    #define compare_wide(matrix, stride, columns, width, feature, border, count, above)
    #define sum_wide(above, number, trees, leaves, sums)
    #endif
    """
    const Py_ssize_t COLUMNS, GROUP
    const bint IS_WIDE
    void compare_wide(
        const float* matrix, Py_ssize_t stride, const Py_ssize_t* columns, Py_ssize_t width,
        const Py_ssize_t* feature, const float* border, Py_ssize_t count, uint64_t* above,
    ) noexcept nogil
    void sum_wide(
        const uint64_t* above, const Py_ssize_t* number, Py_ssize_t trees, const float* leaves,
        double* sums,
    ) noexcept nogil
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
    cdef const float[:, :, ::1] by_tree  # the same, the values of all classes side by side
    cdef public bint is_wide  # evaluate with AVX-512, which the processor must have

    def __init__(self, feature, border, varying, number, leaves):
        """Keep the arrays; the comparisons from `varying` on are equal in all columns."""
        self.feature, self.border, self.varying = feature, border, varying
        self.number, self.leaves, self.by_tree = number, leaves, leaves.transpose(1, 2, 0).copy()
        if self.leaves.shape[0] > MOST_CLASSES:
            raise ValueError(f"at most {MOST_CLASSES} classes")
        self.is_wide = IS_WIDE and self.leaves.shape[0] == 1 and self.leaves.shape[2] == 64

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
                if self.is_wide:
                    compare_wide(
                        &matrix[0, 0], matrix.shape[1], columns + begin, width, &self.feature[0],
                        &self.border[0], self.varying if begin else self.feature.shape[0],
                        <uint64_t*> above,
                    )
                    sum_wide(
                        <const uint64_t*> above, &self.number[0, 0], trees, &self.leaves[0, 0, 0],
                        sums,
                    )
                    for place in range(width):
                        log_odds[0, columns[begin + place]] += sums[place]
                    begin += COLUMNS
                    continue
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
                    sums[label] += self.by_tree[tree, leaf, label]
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
