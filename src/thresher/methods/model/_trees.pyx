"""The compiled evaluation of symmetric trees; `boosted_trees` has the plain version.

Up to 64 columns of the matrix are evaluated at once, in three passes over arrays that fit into the
nearer caches: the results of all comparisons, the number of the leaf in each tree, and the sums of
the leaves' values. The passes are in C, since only C can say that arrays do not overlap and that a
function is to be compiled for several processors; so the compiler finds vector instructions.

Trees of one class and six levels have a version for processors with AVX-512, which takes a third of
the time: the results of a comparison are the bits of one number, the 64 leaves of a tree are in
four registers, and the sums never leave theirs. It adds whole numbers: the leaves of a model file
are 16-bit floats, hence multiples of 2 ** -24, and every sum of theirs is exact.
"""

from cpython.buffer cimport PyBUF_WRITABLE
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

import numpy as np

from thresher.page.buffers cimport doubles, flags_of

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>

    #define COLUMNS 64  /* evaluated at once */
    #define GROUP 8     /* sums that are kept in registers */

    #ifdef __GNUC__
    #define FETCH(place) __builtin_prefetch(place)
    #else
    #define FETCH(place)
    #endif

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

    /* Write the number of the leaf in each tree for one column of a matrix. The comparisons of line
       `i` of `lines` end at `ends[i]`, and their results are written to `above`. The leaves, of
       `width` values each, are fetched, since they are seldom in a near cache. */
    SEVERAL_PROCESSORS
    static void find_column(const float *restrict column, ptrdiff_t stride,
                            const uint32_t *restrict lines, const uint32_t *restrict ends,
                            ptrdiff_t count, const float *restrict border,
                            const uint16_t *restrict number, ptrdiff_t depth, ptrdiff_t trees,
                            const float *restrict leaves, ptrdiff_t width,
                            uint8_t *restrict above, uint8_t *restrict leaf) {
        for (ptrdiff_t line = 0, one = 0; line < count; line++) {
            float own = column[lines[line] * stride];
            for (; one < ends[line]; one++)
                above[one] = own > border[one];
        }
        for (ptrdiff_t tree = 0; tree < trees; tree++, leaves += width << depth) {
            unsigned found = 0;
            for (ptrdiff_t level = 0; level < depth; level++)
                found = found << 1 | above[*number++];
            leaf[tree] = (uint8_t) found;
            FETCH(leaves + found * width);
        }
    }

    /* Add the values of the leaves of one column, tree by tree, for a group of classes. */
    static void add_column(const uint8_t *restrict leaf, ptrdiff_t trees, ptrdiff_t depth,
                           const float *restrict leaves, ptrdiff_t width, double *restrict sums) {
        double own[GROUP] = {0};
        for (ptrdiff_t tree = 0; tree < trees; tree++, leaves += width << depth)
            for (int place = 0; place < GROUP; place++)
                own[place] += leaves[leaf[tree] * width + place];
        for (int place = 0; place < GROUP; place++)
            sums[place] = own[place];
    }

    #if defined(__x86_64__) && defined(__GNUC__) && !defined(ONE_PROCESSOR)
    #include <immintrin.h>
    #define WIDE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
    #define IS_WIDE (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") \
                     && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))

    /* Compare up to 64 columns, four groups of 16 that begin at `begin`, of which `chosen` are
       read; the results of a comparison are the bits of a number. Those of line `i` of `lines` end
       at `ends[i]`. Only the results of the first `varying` lines are written unless `is_first`:
       the other lines are equal in all columns. */
    WIDE static void compare_wide(const float *matrix, ptrdiff_t stride, const ptrdiff_t *begin,
                                  const uint16_t *chosen, const uint32_t *lines,
                                  const uint32_t *ends, ptrdiff_t count, ptrdiff_t varying,
                                  int is_first, const float *border, uint64_t *above) {
        ptrdiff_t one = 0, line = 0;
        for (; line < varying; line++) {
            const float *own = matrix + lines[line] * stride;
            __m512 first = _mm512_maskz_loadu_ps(chosen[0], own + begin[0]);
            __m512 second = _mm512_maskz_loadu_ps(chosen[1], own + begin[1]);
            __m512 third = _mm512_maskz_loadu_ps(chosen[2], own + begin[2]);
            __m512 fourth = _mm512_maskz_loadu_ps(chosen[3], own + begin[3]);
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
        for (; is_first && line < count; line++)
            for (float own = matrix[lines[line] * stride]; one < ends[line]; one++)
                above[one] = own > border[one] ? ~(uint64_t) 0 : 0;
    }

    /* Write the sums of the leaves' values, which are whole numbers. */
    WIDE static void sum_wide(const uint64_t *above, const uint16_t *number, ptrdiff_t trees,
                              const int32_t *leaves, int32_t *sums) {
        __m512i sum[4];
        for (int part = 0; part < 4; part++)
            sum[part] = _mm512_setzero_si512();
        for (ptrdiff_t tree = 0; tree < trees; tree++, leaves += 64, number += 6) {
            uint64_t highest = above[number[0]];  /* bit of the leaf's number, worth 32 */
            __m512i leaf = _mm512_setzero_si512();
            for (int level = 1; level < 6; level++) {
                __m512i worth = _mm512_set1_epi8((char) (32 >> level));
                leaf = _mm512_mask_add_epi8(leaf, above[number[level]], leaf, worth);
            }
            __m512i first = _mm512_loadu_si512(leaves), second = _mm512_loadu_si512(leaves + 16);
            __m512i third = _mm512_loadu_si512(leaves + 32);
            __m512i fourth = _mm512_loadu_si512(leaves + 48);
            __m128i quarter[4] = {
                _mm512_extracti32x4_epi32(leaf, 0), _mm512_extracti32x4_epi32(leaf, 1),
                _mm512_extracti32x4_epi32(leaf, 2), _mm512_extracti32x4_epi32(leaf, 3),
            };
            for (int part = 0; part < 4; part++) {
                __m512i index = _mm512_cvtepu8_epi32(quarter[part]);
                __m512i value = _mm512_mask_blend_epi32(
                    (__mmask16) (highest >> 16 * part),
                    _mm512_permutex2var_epi32(first, index, second),
                    _mm512_permutex2var_epi32(third, index, fourth));
                sum[part] = _mm512_add_epi32(sum[part], value);
            }
        }
        for (int part = 0; part < 4; part++)
            _mm512_storeu_si512(sums + 16 * part, sum[part]);
    }
    #else
    #define IS_WIDE 0
    #define compare_wide(matrix, stride, begin, chosen, lines, ends, count, varying, is_first, \
                         border, above)
    #define sum_wide(above, number, trees, leaves, sums)
    #endif
    """
    const Py_ssize_t COLUMNS, GROUP
    const bint IS_WIDE
    void compare_wide(
        const float* matrix, Py_ssize_t stride, const Py_ssize_t* begin, const uint16_t* chosen,
        const uint32_t* lines, const uint32_t* ends, Py_ssize_t count, Py_ssize_t varying,
        int is_first, const float* border, uint64_t* above,
    ) noexcept nogil
    void sum_wide(
        const uint64_t* above, const uint16_t* number, Py_ssize_t trees, const int32_t* leaves,
        int32_t* sums,
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
    void find_column(
        const float* column, Py_ssize_t stride, const uint32_t* lines, const uint32_t* ends,
        Py_ssize_t count, const float* border, const uint16_t* number, Py_ssize_t depth,
        Py_ssize_t trees, const float* leaves, Py_ssize_t width, uint8_t* above, uint8_t* leaf,
    ) noexcept nogil
    void add_column(
        const uint8_t* leaf, Py_ssize_t trees, Py_ssize_t depth, const float* leaves,
        Py_ssize_t width, double* sums,
    ) noexcept nogil


cdef enum:
    FEW = 4  # up to so many columns are evaluated one by one
    MOST_CLASSES = 64  # whole groups
    MOST_COMPARISONS = 65_535
    GROUPS = 4  # of 16 columns, which are evaluated at once

cdef double UNIT = 2.0 ** -24  # every 16-bit float is a multiple of it
cdef double LARGEST = 500  # exp() of more may overflow
cdef object EXP = np.exp  # that of C may differ from it in the last digit


cdef class Trees:
    """The comparisons and leaves of all trees, as `boosted_trees` arranges them."""

    cdef const Py_ssize_t[::1] feature
    cdef const float[::1] border
    cdef Py_ssize_t varying
    cdef const Py_ssize_t[:, ::1] number
    cdef const float[:, :, ::1] leaves
    # The same of several classes, the values of all side by side, filled up to groups with 0.
    cdef const float[:, :, ::1] by_tree
    # For one column and for AVX-512, in fewer bytes: they are seldom in a near cache.
    cdef const uint32_t[::1] lines, ends  # each feature, and where its comparisons end
    cdef Py_ssize_t varying_lines
    cdef const uint16_t[:, ::1] number_of_tree
    cdef const int32_t[:, ::1] whole_leaves  # for AVX-512, in units of 2 ** -24
    cdef public bint is_wide  # evaluate with AVX-512, which the processor must have

    def __init__(self, feature, border, varying, number, leaves):
        """Keep the arrays; the comparisons from `varying` on are equal in all columns."""
        self.feature, self.border, self.varying = feature, border, varying
        self.number, self.leaves = number, leaves
        if len(leaves) > MOST_CLASSES or len(feature) > MOST_COMPARISONS:
            raise ValueError(f"at most {MOST_CLASSES} classes, {MOST_COMPARISONS} comparisons")
        if len(leaves) > 1:
            groups = (len(leaves) + GROUP - 1) // GROUP
            by_tree = np.zeros((*leaves.shape[1:], groups * GROUP), np.float32)
            by_tree[..., : len(leaves)] = leaves.transpose(1, 2, 0)
            self.by_tree = by_tree
        ends = (np.diff(feature, append=-1)).nonzero()[0] + 1
        self.ends, self.lines = ends.astype(np.uint32), feature[ends - 1].astype(np.uint32)
        self.varying_lines = ends.searchsorted(varying, side="right")
        self.number_of_tree = number.T.astype(np.uint16, order="C")
        whole = leaves[0].astype(np.float64) / UNIT
        self.is_wide = (
            IS_WIDE and leaves.shape[0] == 1 and leaves.shape[2] == 64 and leaves.shape[1] > 0
            and (whole == np.rint(whole)).all() and np.abs(whole).max(axis=1).sum() < 2**31
        )
        if self.is_wide:
            self.whole_leaves = whole.astype(np.int32)

    def __reduce__(self):
        """Pickle the arrays."""
        feature, border = np.asarray(self.feature), np.asarray(self.border)
        number, leaves = np.asarray(self.number), np.asarray(self.leaves)
        return type(self), (feature, border, self.varying, number, leaves)

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
            return self.add_few(matrix, columns, count, log_odds)
        if self.is_wide:
            return self.add_wide(matrix, columns, count, log_odds)
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

    cdef int add_wide(
        self,
        const float[:, ::1] matrix,
        const Py_ssize_t* columns,
        Py_ssize_t count,
        double[:, ::1] log_odds,
    ) except -1:
        """Add the sum over all trees to the log-odds of columns with AVX-512.

        The columns next to a chosen one, in the same group of 16, are evaluated too: to bring the
        chosen ones together takes longer.
        """
        cdef Py_ssize_t place = 0, begin, group, groups, trees = self.number.shape[1]
        cdef Py_ssize_t[GROUPS] begins
        cdef uint16_t[GROUPS] chosen
        cdef int32_t[GROUPS * 16] sums
        cdef bint is_first = True
        cdef uint64_t* above = <uint64_t*> malloc((self.feature.shape[0] + 1) * sizeof(uint64_t))
        if above == NULL:
            raise MemoryError
        with nogil:
            while place < count:
                for group in range(GROUPS):
                    begins[group] = chosen[group] = 0
                groups, begin = 0, place
                while place < count:
                    if groups == 0 or columns[place] // 16 * 16 != begins[groups - 1]:
                        if groups == GROUPS:
                            break
                        begins[groups] = columns[place] // 16 * 16
                        groups += 1
                    chosen[groups - 1] |= <uint16_t> (1 << (columns[place] % 16))
                    place += 1
                compare_wide(
                    &matrix[0, 0], matrix.shape[1], begins, chosen, &self.lines[0], &self.ends[0],
                    self.lines.shape[0], self.varying_lines, is_first, &self.border[0], above,
                )
                sum_wide(above, &self.number_of_tree[0, 0], trees, &self.whole_leaves[0, 0], sums)
                is_first = False
                groups = 0
                while begin < place:
                    groups += columns[begin] // 16 * 16 != begins[groups]
                    log_odds[0, columns[begin]] += UNIT * sums[16 * groups + columns[begin] % 16]
                    begin += 1
        free(above)
        return 0

    cdef int add_few(
        self,
        const float[:, ::1] matrix,
        const Py_ssize_t* columns,
        Py_ssize_t count,
        double[:, ::1] log_odds,
    ) except -1:
        """Add the sum over all trees to the log-odds of a few columns, one by one."""
        cdef Py_ssize_t label, place
        cdef double sums[MOST_CLASSES]
        for place in range(count):
            self.sum_column(&matrix[0, columns[place]], matrix.shape[1], sums)
            for label in range(self.leaves.shape[0]):
                log_odds[label, columns[place]] += sums[label]
        return 0

    cdef int sum_column(self, const float* column, Py_ssize_t stride, double* sums) except -1:
        """Write the sum over all trees of each class for one column of a matrix."""
        cdef Py_ssize_t depth = self.number.shape[0], trees = self.number.shape[1], tree, group = 0
        cdef Py_ssize_t width = 1
        cdef const float* leaves
        cdef uint8_t* leaf
        cdef uint8_t* above
        for group in range(self.leaves.shape[0]):
            sums[group] = 0
        if trees == 0:
            return 0
        if self.leaves.shape[0] == 1:
            leaves = &self.leaves[0, 0, 0]
        else:
            leaves, width = &self.by_tree[0, 0, 0], self.by_tree.shape[2]
        above = <uint8_t*> malloc(self.feature.shape[0] + trees + 1)
        if above == NULL:
            raise MemoryError
        leaf = above + self.feature.shape[0]
        find_column(
            column, stride, &self.lines[0], &self.ends[0], self.lines.shape[0], &self.border[0],
            &self.number_of_tree[0, 0], depth, trees, leaves, width, above, leaf,
        )
        if width == 1:
            for tree in range(trees):
                sums[0] += self.leaves[0, tree, leaf[tree]]
        else:
            group = 0
            while group < width:
                add_column(leaf, trees, depth, leaves + group, width, sums + group)
                group += GROUP
        free(above)
        return 0

    def fill_classes(
        self, float[:, ::1] matrix, Py_ssize_t begin, Py_ssize_t into, biases, probabilities
    ):
        """Write the probability of each class, by the lines from `begin` on of the first column.

        It is also written to each column of the lines from `into` on.
        """
        cdef Py_ssize_t label, at, count = self.leaves.shape[0]
        cdef const double* bias = doubles(biases, count)
        cdef double* probability = doubles(probabilities, count, PyBUF_WRITABLE)
        cdef double sums[MOST_CLASSES]
        cdef double largest, total = 0
        cdef float* line
        cdef float found
        self.sum_column(&matrix[begin, 0], matrix.shape[1], sums)
        for label in range(count):
            sums[label] += bias[label]
            largest = sums[label] if label == 0 else max(largest, sums[label])
        for label in range(count):
            probability[label] = sums[label] - largest
        EXP(probabilities, probabilities)
        for label in range(count):
            total += probability[label]
        for label in range(count):
            probability[label] /= total
            line, found = &matrix[into + label, 0], <float> probability[label]
            for at in range(matrix.shape[1]):
                line[at] = found

    def judge_again(
        self, probabilities, of_words, of_kinds, double bias, double least, double likely
    ):
        """Return the probabilities with what these trees add; see `judge.judged_again`.

        Features but the first one are equal for all blocks. So blocks whose probabilities are
        between the same two borders have the same leaves, and one block of them is evaluated.
        """
        cdef Py_ssize_t place, line, count = 0, size = len(probabilities), rank, ranks
        cdef Py_ssize_t kinds_count = len(of_kinds), borders = self.varying
        cdef const double* probability = doubles(probabilities, size)
        cdef const double* words = doubles(of_words, size)
        cdef const double* kinds = doubles(of_kinds, kinds_count)
        cdef double total = 0, found = 0, held = 0, best = 0, before, odds
        cdef float own
        again = np.array(probabilities)
        cdef double* after = doubles(again, size, PyBUF_WRITABLE)
        for place in range(size):
            before = probability[place]
            total += before * words[place]
            best = max(best, before)
            count += before > least
            if before >= likely:
                found += before * words[place]
                held += words[place]
        if count == 0:
            return again
        if self.varying_lines > 1 or (borders and self.feature[0] != 0):
            raise ValueError("only the first feature may differ between blocks")
        added = np.zeros((1, borders + 1))
        cdef double[:, ::1] log_odds = added
        cdef float[:, ::1] matrix = np.empty((4 + kinds_count, borders + 1), np.float32)
        cdef int32_t* rank_of = <int32_t*> malloc((count + borders + 1) * sizeof(int32_t))
        cdef Py_ssize_t* columns = <Py_ssize_t*> malloc((borders + 1) * sizeof(Py_ssize_t))
        cdef int32_t* column_of = rank_of + count  # of each rank; -1: none yet
        try:
            if rank_of == NULL or columns == NULL:
                raise MemoryError
            for rank in range(borders + 1):
                column_of[rank] = -1
            count = ranks = 0
            for place in range(size):
                if probability[place] > least:
                    own, rank = <float> probability[place], 0
                    for line in range(borders):
                        rank += own > self.border[line]
                    if column_of[rank] < 0:
                        matrix[0, ranks], columns[ranks], column_of[rank] = own, ranks, ranks
                        ranks += 1
                    rank_of[count] = column_of[rank]
                    count += 1
            for place in range(ranks):
                matrix[1, place] = <float> (2 * found / (held + total + 1e-9))
                matrix[2, place] = <float> total
                matrix[3, place] = <float> best
                for line in range(kinds_count):
                    matrix[4 + line, place] = <float> kinds[line]
            self.add_all(matrix, columns, ranks, log_odds)
            for place in range(ranks):
                log_odds[0, place] += bias
            EXP(added, added)
            count = 0
            for place in range(size):
                before = probability[place]
                if before > least:
                    odds = before * log_odds[0, rank_of[count]]
                    after[place] = odds / (1.0 - before + odds)
                    count += 1
        finally:
            free(rank_of)
            free(columns)
        return again

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


def fill_probabilities(
    tuple stages,
    const float[:, ::1] matrix,
    chosen_columns,
    double bias,
    double hopeless,
    double[:, ::1] probability,
):
    """Write the probabilities of the chosen columns by the trees of all stages, 0 for the others.

    After each stage, columns with log-odds up to `hopeless` are left out.
    """
    cdef Py_ssize_t count = 0, place, left, size = len(chosen_columns)
    cdef const uint8_t* chosen = flags_of(chosen_columns, size)
    cdef Trees trees
    cdef Py_ssize_t* columns = <Py_ssize_t*> malloc((size + 1) * sizeof(Py_ssize_t))
    if columns == NULL:
        raise MemoryError
    for place in range(size):
        probability[0, place] = bias
        columns[count] = place
        count += chosen[place] != 0
    try:
        for stage in stages:
            trees = stage.kernel
            if count == 0:
                break
            trees.add_all(matrix, columns, count, probability)
            left = 0
            for place in range(count):
                columns[left] = columns[place]
                left += probability[0, columns[place]] > hopeless
            count = left
    finally:
        free(columns)
    for place in range(size):
        probability[0, place] = min(-probability[0, place], LARGEST)
    EXP(probability.base, probability.base)
    for place in range(size):
        probability[0, place] = 1 / (1 + probability[0, place]) if chosen[place] else 0
