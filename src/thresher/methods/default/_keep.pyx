"""Compiled versions of the rules of `groups` and `neighbours`, and of the best prefix of `judge`.

Sums are in the order of the blocks, as in the plain versions.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    Py_UCS4 PyUnicode_READ_CHAR(object text, Py_ssize_t index)
    bint Py_UNICODE_ISSPACE(Py_UCS4 sign)
    Py_ssize_t PyUnicode_FindChar(object text, Py_UCS4 sign, Py_ssize_t start, Py_ssize_t end,
                                  int direction) except -2
    int PyUnicode_KIND(object text)
    const void* PyUnicode_DATA(object text)
    uint32_t PyUnicode_READ(int kind, const void* data, Py_ssize_t index)

cdef enum:  # bits of a tag, as in `groups`; the level of a heading is above them
    SHARES = 1
    IS_GROUP = 2
    IS_SKIPPED = 4
    IS_LIST = 8
    IS_TABLE = 16
    IS_CODE = 32
    IS_PARAGRAPH = 64
    IS_SUMMARY = 128
    LEVEL_SHIFT = 8

cdef double LESS = 1 - 1e-9  # a factor for a bound that rounding must not raise

cdef enum:  # bits of the rules that a page may need, as in `judge`
    HAS_NOTES = 1
    HAS_PARAGRAPHS = 2
    HAS_SUMMARIES = 4
    HAS_LINKED_LISTS = 8


cdef class Names:
    """Words to look for in classes and ids; they are ASCII in lower case."""

    cdef tuple words
    cdef bint at_start
    cdef uint32_t[256] starts  # for each first letter, the bits of the second letters

    def __init__(self, words, at_start=False):
        """Take the words; with `at_start`, a hyphen, white space or nothing must be before them."""
        cdef Py_ssize_t code
        self.words = tuple([word.encode() for word in words])
        self.at_start = at_start
        for code in range(256):
            self.starts[code] = 0
        for word in self.words:
            for code in (word[0], word[0] - 32):
                self.starts[code] |= <uint32_t> 1 << (<int> word[1] & 31)

    def find(self, list pairs):
        """Return the numbers of the pairs of names that contain one of the words."""
        cdef Py_ssize_t pair
        cdef object name
        cdef list found = []
        for pair in range(len(pairs)):
            for name in <tuple> pairs[pair]:
                if name is not None and self.is_in(name):
                    found.append(pair)
                    break
        return found

    cdef bint is_in(self, object name):
        cdef Py_ssize_t at
        cdef int kind = PyUnicode_KIND(name)
        cdef const void* data = PyUnicode_DATA(name)
        cdef const uint8_t* narrow = <const uint8_t*> data
        cdef uint32_t code
        if kind == 1:  # true of nearly all names
            for at in range(PyUnicode_GET_LENGTH(name) - 1):
                if self.starts[narrow[at]] >> (narrow[at + 1] & 31) & 1:
                    if self.begins_word(name, kind, data, at):
                        return True
            return False
        for at in range(PyUnicode_GET_LENGTH(name) - 1):
            code = PyUnicode_READ(kind, data, at)
            if code < 256 and self.starts[code] >> (PyUnicode_READ(kind, data, at + 1) & 31) & 1:
                if self.begins_word(name, kind, data, at):
                    return True
        return False

    cdef bint begins_word(self, object name, int kind, const void* data, Py_ssize_t at):
        """Return whether one of the words is at a place of a name."""
        cdef Py_ssize_t place, size, length = PyUnicode_GET_LENGTH(name)
        cdef uint32_t code
        cdef bytes word
        if self.at_start and at:
            code = PyUnicode_READ(kind, data, at - 1)
            if 32 < code < 128 and code != 45 and code != 95:
                return False
        for word in self.words:
            size = len(word)
            place = 0
            while (
                place < size
                and at + place < length
                and lower(PyUnicode_READ(kind, data, at + place)) == <uint8_t> word[place]
            ):
                place += 1
            if place == size:
                return True
        return False


cdef uint32_t lower(uint32_t code) noexcept:
    """Return an ASCII letter in lower case; the sign of Kelvin becomes a k, as in str.lower."""
    if code - 65 < 26:
        return code + 32
    return 107 if code == 0x212A else code


cdef class Rules:
    """The arrays of an outline, and the rules on them: `groups.compiled_rules` makes it once."""

    cdef tuple texts
    cdef const int32_t[::1] row, end, first, texts_from, texts_to
    cdef const uint16_t[::1] tag, bits
    cdef const Py_ssize_t[::1] parent, container, outermost
    cdef const double[::1] words, linked
    cdef const uint8_t[::1] hidden

    def __init__(self, outline, hidden, bits):
        """Take an outline, which of its blocks are hidden, and the bits of each tag number."""
        blocks = outline.page.blocks
        self.texts = outline.page.texts
        self.row, self.end, self.tag = outline.row, outline.end, outline.tag
        self.parent, self.container = outline.parent, outline.container
        self.outermost = outline.outermost
        self.words, self.linked = outline.words, outline.linked
        self.first = blocks.first
        self.texts_from, self.texts_to = blocks.texts_from, blocks.texts_to
        self.hidden, self.bits = hidden, bits

    def __reduce__(self):
        """Pickle it as None: `groups.compiled_rules` makes it again."""
        return type(None), ()

    cdef uint16_t bits_of(self, Py_ssize_t one) noexcept nogil:
        """Return the bits of the tag of a container."""
        return self.bits[self.tag[one]]

    cpdef share_means(
        self, const double[::1] probability, double most_table_words, double[::1] found
    ):
        """Write the probabilities with the mean of each group; see `share_probability`."""
        cdef Py_ssize_t one, block, around, size = self.tag.shape[0]
        cdef Py_ssize_t* group = <Py_ssize_t*> malloc(size * sizeof(Py_ssize_t))  # the nearest
        cdef double* held = <double*> calloc(2 * size, sizeof(double))  # words, expected words
        if group == NULL or held == NULL:
            free(group)
            free(held)
            raise MemoryError
        for one in range(size):
            if self.bits_of(one) & SHARES:
                group[one] = one
            else:
                group[one] = group[self.parent[one]] if one else -1
        for block in range(self.container.shape[0]):
            around = group[self.container[block]]
            if around >= 0:
                held[2 * around] += self.words[block]
                held[2 * around + 1] += probability[block] * self.words[block]
        for block in range(self.container.shape[0]):
            around = group[self.container[block]]
            if (
                around < 0 or probability[block] <= 0
                or (self.bits_of(around) & IS_TABLE and held[2 * around] > most_table_words)
            ):
                found[block] = probability[block]
            else:
                found[block] = held[2 * around + 1] / max(held[2 * around], 1)
        free(group)
        free(held)

    cpdef fill_groups(self, const double[::1] probability, tuple limits, uint8_t[::1] kept):
        """Keep also the groups between kept blocks; see `fill_between`."""
        cdef double least_probability, most_links, most_announced_links, probable, least_code
        least_probability, most_links, most_announced_links, probable, least_code = limits
        cdef Py_ssize_t block, size = self.first.shape[0], next_one = 0, current = -1
        cdef Py_ssize_t before = -1, member, after, own, count = self.tag.shape[0]
        cdef int32_t reach = 0
        cdef double held, in_links, expected
        cdef uint16_t bits
        # Which containers are groups to keep; the container around each, if it is a group; the
        # outermost group around each block; its words, 0 for dropped captions and headings.
        cdef uint8_t* fills = <uint8_t*> calloc(count, 1)
        cdef Py_ssize_t* around = <Py_ssize_t*> malloc(count * sizeof(Py_ssize_t))
        cdef Py_ssize_t* group = <Py_ssize_t*> malloc(size * sizeof(Py_ssize_t) + 1)
        cdef double* words = <double*> malloc(size * sizeof(double) + 1)
        try:
            if fills == NULL or around == NULL or group == NULL or words == NULL:
                raise MemoryError
            for own in range(count):
                around[own] = self.parent[self.outermost[own] if self.bits_of(own) & IS_CODE else own]
            for block in range(size):
                own = self.container[block]
                words[block] = self.words[block]
                if not kept[block] and (
                    (self.bits_of(own) | self.bits_of(self.parent[own])) & IS_SKIPPED
                ):
                    words[block] = 0
                while next_one < count and self.row[next_one] <= self.first[block]:
                    if self.bits_of(next_one) & IS_GROUP and self.row[next_one] >= reach:
                        current, reach = next_one, self.end[next_one]
                    next_one += 1
                group[block] = current if self.first[block] < reach else -1
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
                        in_links += self.linked[after]
                        expected += probability[after] * words[after]
                        member = after
                    after += 1
                bits = self.bits_of(own)
                if (
                    before >= 0 and kept[before]
                    and (expected >= least_probability * held or bits & IS_CODE)
                    and self.is_beside(before, group[before], around[own], around)
                ):
                    fills[own] = (
                        in_links < most_links * held
                        or bits & IS_TABLE and expected >= probable * held
                    ) and (
                        after < size and kept[after]
                        and self.is_beside(after, group[after], around[own], around)
                        or bits & IS_CODE and expected >= least_code * held
                    )
                    if (
                        not fills[own] and bits & IS_LIST
                        and in_links < most_announced_links * held
                    ):
                        fills[own] = self.ends_in_colon(before)
                before, block = member, after
            for block in range(size):
                if group[block] >= 0 and fills[group[block]]:
                    if probability[block] > 0 and not self.hidden[block]:
                        kept[block] = True
        finally:
            free(fills)
            free(around)
            free(group)
            free(words)

    cdef bint ends_in_colon(self, Py_ssize_t block):
        """Return whether the last sign of a block, but for white space, is a colon."""
        cdef Py_ssize_t place, at
        cdef Py_UCS4 sign
        for place in range(self.texts_to[block], self.texts_from[block] - 1, -1):
            text = self.texts[place]
            for at in range(PyUnicode_GET_LENGTH(text) - 1, -1, -1):
                sign = PyUnicode_READ_CHAR(text, at)
                if not Py_UNICODE_ISSPACE(sign):
                    return sign == 0x3A or sign == 0xFF1A
        return False

    cdef bint is_beside(
        self, Py_ssize_t block, Py_ssize_t own, Py_ssize_t place, Py_ssize_t* around
    ) noexcept nogil:
        """Return whether a block, or the group that it is in, is in the container `place`."""
        cdef Py_ssize_t outer = around[own] if own >= 0 else self.parent[self.container[block]]
        return outer == place or self.container[block] == place

    cdef bint are_near(self, Py_ssize_t one, Py_ssize_t other) noexcept nogil:
        """Return whether two containers are the same, siblings, or one around the other."""
        return (
            one == other or self.parent[one] == self.parent[other] or self.parent[one] == other
            or self.parent[other] == one
        )

    cpdef keep_neighbours(
        self,
        const double[::1] probability,
        Py_ssize_t headline,
        tuple limits,
        links_within,
        uint8_t[::1] kept,
    ):
        """Keep also blocks between kept ones, then headings of kept text; see `neighbours`.

        `links_within` says of a dropped heading whether its link leads to a place on the page.
        """
        cdef double most_words, least_short, least_paragraph, most_links
        most_words, least_short, least_paragraph, most_links = limits
        cdef Py_ssize_t one, block, place, size = 0, around, following, own, home
        cdef Py_ssize_t count = self.tag.shape[0], blocks = self.container.shape[0]
        cdef bint is_kept_before = False
        # The innermost heading around each container; the blocks with words; and for each of these
        # the level of its heading, whether it was kept, and whether the nearest block before it
        # that is no dropped heading is kept.
        cdef Py_ssize_t* heading = <Py_ssize_t*> malloc(count * sizeof(Py_ssize_t))
        cdef Py_ssize_t* worded = <Py_ssize_t*> malloc(blocks * sizeof(Py_ssize_t) + 1)
        cdef uint8_t* scratch = <uint8_t*> malloc(3 * blocks + 1)
        cdef uint8_t* level = scratch
        cdef uint8_t* was_kept = scratch + blocks
        cdef uint8_t* after_kept = scratch + 2 * blocks
        if heading == NULL or worded == NULL or scratch == NULL:
            free(heading)
            free(worded)
            free(scratch)
            raise MemoryError
        for one in range(count):
            if self.bits_of(one) >> LEVEL_SHIFT:
                heading[one] = one
            else:
                heading[one] = heading[self.parent[one]] if one else -1
        for block in range(blocks):
            if self.words[block] > 0:
                around = heading[self.container[block]]
                worded[size] = block
                level[size] = self.bits_of(around) >> LEVEL_SHIFT if around >= 0 else 0
                was_kept[size] = kept[block]
                size += 1
        for place in range(1, size - 1):
            block = worded[place]
            if (
                was_kept[place] or not was_kept[place - 1] or not was_kept[place + 1]
                or self.hidden[block] or block == headline
            ):
                continue
            own = self.container[block]
            if (
                probability[block] >= least_short and self.words[block] <= most_words
                or probability[block] >= least_paragraph and self.bits_of(own) & IS_PARAGRAPH
            ) and self.are_near(self.container[worded[place - 1]], own) and self.are_near(
                own, self.container[worded[place + 1]]
            ) and (self.linked[block] <= 0 or self.is_self_link(block, links_within)):
                kept[block] = True
        for place in range(size):
            after_kept[place] = is_kept_before
            if kept[worded[place]] or level[place] < 2:
                is_kept_before = kept[worded[place]]
        for place in range(size - 2, -1, -1):
            block, following = worded[place], worded[place + 1]
            if (
                level[place] < 2 or kept[block] or not kept[following] or not after_kept[place]
                or 0 < level[place + 1] <= level[place] or block == headline or self.hidden[block]
                or probability[block] <= 0
            ):
                continue
            home = self.parent[self.parent[heading[self.container[block]]]]
            if self.row[home] <= self.row[self.container[following]] < self.end[home] and (
                self.linked[block] < most_links * self.words[block]
                or self.is_self_link(block, links_within)
            ):
                kept[block] = True
        free(heading)
        free(worded)
        free(scratch)

    cdef bint is_self_link(self, Py_ssize_t block, links_within):
        return self.bits_of(self.container[block]) >> LEVEL_SHIFT > 1 and links_within(block)

    def keep(
        self,
        Rules between,
        const double[::1] probability,
        double weight,
        double most_table_words,
        tuple fill_limits,
        Py_ssize_t headline,
        double least_headline,
        tuple neighbour_limits,
        links_within,
        double[::1] shared,
        uint8_t[::1] kept,
    ):
        """Keep the best blocks, the groups between them and their neighbours; see `judge`.

        `between` has the words without those of controls. Writes the shared probabilities and the
        kept blocks, zeros at first. Returns the number of blocks that are kept without neighbours.
        """
        cdef Py_ssize_t block, count = 0
        self.share_means(probability, most_table_words, shared)
        keep_prefix(shared, self.words, weight, kept)
        between.fill_groups(shared, fill_limits, kept)
        for block in range(kept.shape[0]):
            count += kept[block]
        if headline >= 0 and count > 1 and probability[headline] < least_headline:
            kept[headline] = False
        between.keep_neighbours(probability, headline, neighbour_limits, links_within, kept)
        return count

    def survey(
        self,
        const double[::1] probability,
        const double[::1] shared,
        const uint8_t[::1] kept,
        const double[::1] words,
        const double[::1] linked,
        double least_note,
        double least_paragraph,
        double paragraph_words,
        double least_linked,
    ):
        """Return the bits of the rules that may change what is kept; see `judge`.

        `words` and `linked` are those of the containers. Lists of links may need their rule if
        others keep more.
        """
        cdef Py_ssize_t block, one, size
        cdef int found = 0
        for block in range(kept.shape[0]):
            if kept[block] or self.words[block] <= 0:
                continue
            if (
                probability[block] >= least_paragraph and self.words[block] >= paragraph_words
                and self.bits_of(self.container[block]) & IS_PARAGRAPH
            ):
                found |= HAS_PARAGRAPHS
            if shared[block] >= least_note and not found & HAS_NOTES:
                text = self.texts[self.texts_to[block]]
                size = PyUnicode_GET_LENGTH(text)
                if (
                    PyUnicode_FindChar(text, 0x21A9, 0, size, 1) >= 0
                    or PyUnicode_FindChar(text, 0x2934, 0, size, 1) >= 0
                ):
                    found |= HAS_NOTES
        for one in range(self.tag.shape[0]):
            if self.bits_of(one) & IS_SUMMARY:
                found |= HAS_SUMMARIES
        if found or self.find_linked_lists(words, linked, kept, least_linked):
            found |= HAS_LINKED_LISTS
        return found

    def mark_inside(self, const uint8_t[::1] marked, uint8_t[::1] found):
        """Write 1 for each block inside a marked container, else 0."""
        cdef Py_ssize_t one = 0, block
        cdef int32_t reach = 0
        for block in range(found.shape[0]):
            while one < self.row.shape[0] and self.row[one] <= self.first[block]:
                if marked[one] and self.end[one] > reach:
                    reach = self.end[one]
                one += 1
            found[block] = self.first[block] < reach

    def may_have_dated_links(
        self,
        const double[::1] probability,
        double unlikely,
        double least_linked,
        double most_beside,
        double most_words,
        Py_ssize_t least_links,
    ):
        """Return whether enough blocks may be links with times; see `dated_links`."""
        cdef Py_ssize_t block, count = 0
        for block in range(probability.shape[0]):
            if (
                probability[block] > unlikely and self.linked[block] >= least_linked
                and 1 <= self.words[block] - self.linked[block] <= most_beside
                and self.words[block] <= most_words
            ):
                count += 1
        return count >= least_links

    def find_alike(
        self,
        const uint8_t[::1] kept,
        const int32_t[::1] words,
        const int64_t[:, ::1] counts,
        Py_ssize_t least_words,
    ):
        """Return the kept blocks of enough words that have the counts of another one; see `judge`.

        Blocks of different counts may be returned too, if their hashes are equal.
        """
        cdef Py_ssize_t block, line, place, size = 16, held = 0, other
        cdef uint64_t key
        cdef uint8_t* is_alike
        cdef list found = []
        while size < 2 * kept.shape[0]:
            size *= 2
        cdef Py_ssize_t* table = <Py_ssize_t*> calloc(size, sizeof(Py_ssize_t))  # block + 1
        cdef uint64_t* keys = <uint64_t*> malloc((kept.shape[0] + 1) * sizeof(uint64_t))
        is_alike = <uint8_t*> calloc(kept.shape[0] + 1, 1)
        try:
            if table == NULL or keys == NULL or is_alike == NULL:
                raise MemoryError
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
                    is_alike[block] = is_alike[table[place] - 1] = held = 1
                else:
                    table[place] = block + 1
            for block in range(kept.shape[0] if held else 0):
                if is_alike[block]:
                    found.append(block)
        finally:
            free(table)
            free(keys)
            free(is_alike)
        return found

    cpdef find_linked_lists(
        self,
        const double[::1] words,
        const double[::1] linked,
        const uint8_t[::1] kept,
        double least_share,
    ):
        """Return the lists of links with kept blocks, with their first block and the one after.

        `words` and `linked` are those of the containers; see `without_contents`.
        """
        cdef Py_ssize_t one, begin, after, block = 0
        cdef bint is_kept
        cdef list found = []
        for one in range(self.tag.shape[0]):
            if (
                not self.bits_of(one) & IS_LIST or linked[one] < least_share * words[one]
                or linked[one] <= 0
            ):
                continue
            while block < self.first.shape[0] and self.first[block] < self.row[one]:
                block += 1
            begin = after = block
            is_kept = False
            while after < self.first.shape[0] and self.first[after] < self.end[one]:
                is_kept |= kept[after]
                after += 1
            if is_kept:
                found.append((one, begin, after))
        return found


cpdef keep_prefix(
    const double[::1] probability, const double[::1] words, double weight, uint8_t[::1] kept
):
    """Mark the blocks of highest probability up to the best score; see `best_prefix`.

    A block raises the score if its probability is above it. So those below the score of all blocks
    of at least 0.5, which is no better than the best, are not sorted.
    """
    cdef Py_ssize_t place, block, best = 0, size = 0
    cdef double total = 0, found = 0, held = 0, score, best_score = -1, least
    cdef Py_ssize_t* order = <Py_ssize_t*> malloc(2 * kept.shape[0] * sizeof(Py_ssize_t) + 1)
    if order == NULL:
        raise MemoryError
    for block in range(kept.shape[0]):
        total += probability[block] * words[block]
        if probability[block] >= 0.5:
            found += probability[block] * words[block]
            held += words[block]
    least = LESS * found / (held + weight * total + 1e-9)
    for block in range(kept.shape[0]):
        if probability[block] > 0 and probability[block] >= least:
            order[size] = block
            size += 1
    sort(probability, size, order, order + size)
    found = held = 0
    for place in range(size):
        block = order[place]
        found += probability[block] * words[block]
        held += words[block]
        score = found / (held + weight * total + 1e-9)
        if score > best_score:
            best, best_score = place, score
    for place in range(min(best + 1, size)):
        kept[order[place]] = True
    free(order)


cdef void sort(
    const double[::1] values, Py_ssize_t size, Py_ssize_t* order, Py_ssize_t* scratch
) noexcept nogil:
    """Sort places by their values, the largest first, equal ones as they are.

    Merges runs of 1, 2, 4, ... places.
    """
    cdef Py_ssize_t run = 1, begin, left, right, middle, end, place
    cdef Py_ssize_t* source = order
    cdef Py_ssize_t* target = scratch
    while run < size:
        begin = 0
        while begin < size:
            middle, end = min(begin + run, size), min(begin + 2 * run, size)
            left, right = begin, middle
            for place in range(begin, end):
                if left < middle and (
                    right >= end or values[source[left]] >= values[source[right]]
                ):
                    target[place] = source[left]
                    left += 1
                else:
                    target[place] = source[right]
                    right += 1
            begin = end
        source, target = target, source
        run *= 2
    if source != order:
        for place in range(size):
            order[place] = source[place]


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
