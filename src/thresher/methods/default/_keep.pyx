"""Compiled versions of the rules of `groups` and `neighbours`, and of the best prefix of `judge`.

Sums are in the order of the blocks, as in the plain versions.
"""

from sys import byteorder

from cpython.buffer cimport PyBUF_WRITABLE
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from thresher.page.buffers cimport doubles, flags_of, integers, numbers, tags_of

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    Py_UCS4 PyUnicode_READ_CHAR(object text, Py_ssize_t index)
    bint Py_UNICODE_ISSPACE(Py_UCS4 sign)
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 sign)
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
    HAS_REFERENCES = 2
    HAS_PARAGRAPHS = 4
    HAS_SUMMARIES = 8
    HAS_LABELS = 16
    HAS_LINKED_LISTS = 32
    HAS_LINK_SECTIONS = 64
    HAS_COPIES = 128
    HAS_EMPTY_SECTIONS = 256
    HAS_LAST_HEADINGS = 512
    HAS_LAST_PROMPTS = 1024
    HAS_PROMPTS = 2048
    HAS_BOXES = 4096
    HAS_LAST_NOTICE = 8192


cdef class Names:
    """Words to look for in classes and ids; they are ASCII in lower case."""

    cdef tuple words
    cdef bint at_start
    cdef uint64_t[256] starts  # for each first letter, the bits of the second and third letters

    def __init__(self, words, at_start=False):
        """Take words of two letters or more.

        With `at_start`, a hyphen, white space or nothing must be before them.
        """
        cdef Py_ssize_t code
        self.words = tuple([word.encode() for word in words])
        self.at_start = at_start
        for code in range(256):
            self.starts[code] = 0
        for word in self.words:
            for code in (word[0], word[0] - 32):
                self.starts[code] |= <uint64_t> 1 << (<int> word[1] & 31)
                self.starts[code] |= (
                    <uint64_t> 1 << 32 + (<int> word[2] & 31) if len(word) > 2
                    else <uint64_t> 0xFFFFFFFF << 32
                )

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
        cdef uint64_t starts
        cdef uint32_t code
        if kind == 1:  # true of nearly all names
            for at in range(PyUnicode_GET_LENGTH(name) - 1):  # a 0 follows the last letter
                starts = self.starts[narrow[at]]
                if starts >> (narrow[at + 1] & 31) & starts >> 32 + (narrow[at + 2] & 31) & 1:
                    if self.begins_word(name, kind, data, at):
                        return True
            return False
        for at in range(PyUnicode_GET_LENGTH(name) - 1):
            code = PyUnicode_READ(kind, data, at)
            if code < 256 and self.starts[code] and self.begins_word(name, kind, data, at):
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


cdef class Phrases:
    """Phrases to look for in texts, of two signs at least, in lower case.

    A space stands for any white space. What is found may differ in letters that few texts have.
    """

    cdef bytes held  # has the codes
    cdef const uint32_t* codes  # of the signs of all phrases, sorted by `pair_of`; 0 ends each
    cdef uint16_t[257] starts  # where in the codes the phrases of each value of `pair_of` are

    def __init__(self, phrases):
        """Take the phrases."""
        cdef Py_ssize_t bucket = 0
        coded = [[folded(ord(sign)) for sign in phrase] for phrase in phrases]
        pairs = [[] for _ in range(256)]
        for codes in coded:
            pairs[pair_of(codes[0], codes[1])] += [*codes, 0]
        for bucket in range(256):
            self.starts[bucket] = sum(map(len, pairs[:bucket]))
        self.starts[256] = sum(map(len, pairs))
        self.held = b"".join([code.to_bytes(4, byteorder) for codes in pairs for code in codes])
        self.codes = <const uint32_t*> <const char*> self.held

    cpdef bint is_in(self, str text):
        """Return whether a text may contain one of the phrases."""
        cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(text)
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef uint32_t code, before, pair
        if size < 2:
            return False
        before = folded(PyUnicode_READ(kind, data, 0))
        for at in range(size - 1):
            code = folded(PyUnicode_READ(kind, data, at + 1))
            pair = pair_of(before, code)
            if self.starts[pair] < self.starts[pair + 1] and self.is_at(kind, data, size, at):
                return True
            before = code
        return False

    cpdef bint is_first(self, str text, str skipped):
        """Return whether a text may begin with one, after white space and `skipped` signs."""
        cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(text)
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef Py_UCS4 sign
        for at in range(size - 1):
            sign = PyUnicode_READ(kind, data, at)
            if folded(sign) != 32 and not (skipped and sign in skipped):
                return self.is_at(kind, data, size, at)
        return False

    cdef bint is_at(self, int kind, const void* data, Py_ssize_t size, Py_ssize_t begin) noexcept:
        """Return whether one is at a place, which is not the last one."""
        cdef uint32_t pair = pair_of(
            folded(PyUnicode_READ(kind, data, begin)), folded(PyUnicode_READ(kind, data, begin + 1))
        )
        cdef Py_ssize_t at, place = self.starts[pair], end = self.starts[pair + 1]
        cdef uint32_t code
        while place < end:
            at, code = begin, self.codes[place]
            while code and at < size and folded(PyUnicode_READ(kind, data, at)) == code:
                at += 1
                while code == 32 and at < size and folded(PyUnicode_READ(kind, data, at)) == 32:
                    at += 1
                place += 1
                code = self.codes[place]
            if not code:
                return True
            while self.codes[place]:
                place += 1
            place += 1
        return False


cdef uint32_t pair_of(uint32_t first, uint32_t second) noexcept:
    return (first * 61 + second) & 255


cdef uint32_t folded(uint32_t code) noexcept:
    """Return a sign in lower case, a space for white space, and one sigma for both."""
    if code < 128:
        return code + 32 if code - 65 < 26 else (32 if code < 32 else code)
    if Py_UNICODE_ISSPACE(code):
        return 32
    return 0x3C3 if code == 0x3C2 else Py_UNICODE_TOLOWER(code)


cdef bint is_reference(str text):
    """Return whether a text may be the number of a note, such as "[12]", or one letter or sign.

    Signs that are not of ASCII may be digits or daggers.
    """
    cdef Py_ssize_t at = 0, size = PyUnicode_GET_LENGTH(text), digits = 0
    while at < size and folded(PyUnicode_READ_CHAR(text, at)) == 32:
        at += 1
    if at < size and PyUnicode_READ_CHAR(text, at) in (40, 91):
        at += 1
    while at < size and digits < 3 and (
        48 <= PyUnicode_READ_CHAR(text, at) <= 57 or PyUnicode_READ_CHAR(text, at) > 127
    ):
        digits += 1
        at += 1
    if not digits:
        if at >= size:
            return False
        if not (97 <= PyUnicode_READ_CHAR(text, at) <= 122 or PyUnicode_READ_CHAR(text, at) == 42):
            return False
        at += 1
    if at < size and PyUnicode_READ_CHAR(text, at) in (41, 93):
        at += 1
    while at < size and folded(PyUnicode_READ_CHAR(text, at)) == 32:
        at += 1
    return at == size


cdef class Survey:
    """What the rules look for: phrases, names, and limits by name; see `judge`."""

    cdef Phrases labels, prompt_starts, prompts, notices
    cdef object known_labels, known_sections, is_box
    cdef str label_signs, section_signs
    cdef Names boxes
    cdef double least_note, least_paragraph, paragraph_words, paragraph_links, least_linked
    cdef double most_probable
    cdef double heading_words, heading_share, least_copy, label_words, most_references
    cdef double prompt_words, last_prompt_words, notice_words, box_words, section_words

    def __init__(
        self, labels, str label_signs, sections, str section_signs, prompt_starts, prompts, notices,
        box_stems, is_box, dict limits,
    ):
        """Take what the rules look for; `labels` and `sections` are sets."""
        self.labels, self.known_labels, self.label_signs = Phrases(labels), labels, label_signs
        self.known_sections, self.section_signs = sections, section_signs
        self.is_box, self.section_words = is_box, limits["section_words"]
        self.prompt_starts, self.prompts = Phrases(prompt_starts), Phrases(prompts)
        self.notices, self.boxes = Phrases(notices), Names(box_stems, at_start=True)
        self.least_note, self.least_paragraph = limits["least_note"], limits["least_paragraph"]
        self.paragraph_words, self.least_linked = limits["paragraph_words"], limits["least_linked"]
        self.paragraph_links = limits["paragraph_links"]
        self.most_probable, self.heading_words = limits["most_probable"], limits["heading_words"]
        self.heading_share, self.least_copy = limits["heading_share"], limits["least_copy"]
        self.label_words, self.most_references = limits["label_words"], limits["most_references"]
        self.prompt_words, self.box_words = limits["prompt_words"], limits["box_words"]
        self.last_prompt_words = limits["last_prompt_words"]
        self.notice_words = limits["notice_words"]

    cdef bint is_label(self, str text):
        if not self.labels.is_first(text, self.label_signs):
            return False
        return " ".join(text.lower().split()).strip(self.label_signs) in self.known_labels

    cdef bint is_section(self, str text):
        return " ".join(text.lower().split()).rstrip(self.section_signs) in self.known_sections


cdef class Rules:
    """The arrays of an outline, and the rules on them: `groups.compiled_rules` makes it once."""

    cdef tuple texts
    cdef tuple held  # the arrays, of which the pointers are
    cdef Py_ssize_t size, count, rows, text_count  # blocks, containers, rows, texts
    cdef const int32_t* row
    cdef const int32_t* end
    cdef const int32_t* first
    cdef const int32_t* texts_from
    cdef const int32_t* texts_to
    cdef const int32_t* text_rows
    cdef const uint16_t* tag
    cdef const uint16_t* bits
    cdef const Py_ssize_t* parent
    cdef const Py_ssize_t* container
    cdef const Py_ssize_t* outermost
    cdef const double* words
    cdef const double* linked
    cdef const double* sums_words  # of containers
    cdef const double* sums_linked
    cdef const uint8_t* hidden
    cdef const uint8_t* is_linked  # of rows

    def __init__(self, outline, hidden, bits):
        """Take an outline, which of its blocks are hidden, and the bits of each tag number."""
        page, sums = outline.page, outline.sums
        blocks, text_rows = page.blocks, page.text_rows
        row, end, tag, parent = outline.row, outline.end, outline.tag, outline.parent
        container, outermost = outline.container, outline.outermost
        words, linked, is_linked = outline.words, outline.linked, page.linked
        first, texts_from, texts_to = blocks.first, blocks.texts_from, blocks.texts_to
        sums_words, sums_linked = sums.words, sums.linked_words
        self.texts = page.texts
        self.size, self.count, self.rows = len(container), len(tag), len(is_linked)
        self.text_count = len(self.texts)
        self.row, self.end = integers(row, self.count), integers(end, self.count)
        self.tag, self.bits = tags_of(tag, self.count), tags_of(bits, 1 << 16)
        self.parent, self.outermost = numbers(parent, self.count), numbers(outermost, self.count)
        self.container = numbers(container, self.size)
        self.words, self.linked = doubles(words, self.size), doubles(linked, self.size)
        self.sums_words = doubles(sums_words, self.count)
        self.sums_linked = doubles(sums_linked, self.count)
        self.first, self.text_rows = integers(first, self.size), integers(text_rows, self.text_count)
        self.texts_from, self.texts_to = integers(texts_from, self.size), integers(texts_to, self.size)
        self.hidden, self.is_linked = flags_of(hidden, self.size), flags_of(is_linked, self.rows)
        self.held = (
            row, end, tag, bits, parent, outermost, container, words, linked, sums_words,
            sums_linked, first, text_rows, texts_from, texts_to, hidden, is_linked,
        )

    def __reduce__(self):
        """Pickle it as None: `groups.compiled_rules` makes it again."""
        return type(None), ()

    cdef Rules without(self, page, controls):
        """Return the rules with the words of blocks without those of controls, one bool per text.

        A block of these alone has no words, and an element is outermost if it adds only these.
        """
        cdef Rules found = Rules.__new__(Rules)
        cdef const uint8_t* is_control = flags_of(controls, self.text_count)
        cdef const int32_t* of_text = integers(page.blocks.of_text, self.text_count)
        cdef const int32_t* words_of_row = integers(page.words, self.rows)
        cdef Py_ssize_t text, block, row, one
        cdef bytearray counts = bytearray((2 * self.size + self.count) * sizeof(double))
        cdef bytearray places = bytearray(self.count * sizeof(Py_ssize_t))
        cdef double* words = <double*> <char*> counts
        cdef double* linked = words + self.size
        cdef double* sums = linked + self.size  # of containers; first those of controls, below 0
        cdef Py_ssize_t* outermost = <Py_ssize_t*> <char*> places
        for block in range(self.size):
            words[block], linked[block] = self.words[block], self.linked[block]
        for text in range(self.text_count):
            block, row = of_text[text], self.text_rows[text]
            if is_control[text] and block >= 0:
                words[block] = max(words[block] - words_of_row[row], 0)
                if self.is_linked[row]:
                    linked[block] = max(linked[block] - words_of_row[row], 0)
                if self.words[block] > 0:
                    sums[self.container[block]] -= words_of_row[row]
        for one in range(self.count - 1, 0, -1):
            sums[self.parent[one]] += sums[one]
        for one in range(self.count):
            sums[one] += self.sums_words[one]
            outermost[one] = one
            if one and not sums[self.parent[one]] > sums[one]:
                outermost[one] = outermost[self.parent[one]]
        found.texts, found.held = self.texts, (*self.held, counts, places)
        found.size, found.count, found.rows = self.size, self.count, self.rows
        found.text_count = self.text_count
        found.row, found.end, found.first = self.row, self.end, self.first
        found.texts_from, found.texts_to = self.texts_from, self.texts_to
        found.text_rows, found.tag, found.bits = self.text_rows, self.tag, self.bits
        found.parent, found.container, found.outermost = self.parent, self.container, outermost
        found.words, found.linked = words, linked
        found.sums_words, found.sums_linked = self.sums_words, self.sums_linked
        found.hidden, found.is_linked = self.hidden, self.is_linked
        return found

    cdef inline uint16_t bits_of(self, Py_ssize_t one) noexcept nogil:
        """Return the bits of the tag of a container."""
        return self.bits[self.tag[one]]

    def share_means(self, probability, double most_table_words, found):
        """Write the probabilities with the mean of each group; see `share_probability`."""
        self.share(
            doubles(probability, self.size), most_table_words,
            doubles(found, self.size, PyBUF_WRITABLE),
        )

    cdef int share(
        self, const double* probability, double most_table_words, double* found
    ) except -1:
        cdef Py_ssize_t one, block, around, size = self.count
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
        for block in range(self.size):
            around = group[self.container[block]]
            if around >= 0:
                held[2 * around] += self.words[block]
                held[2 * around + 1] += probability[block] * self.words[block]
        for block in range(self.size):
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
        return 0

    cdef int fill(self, const double* probability, tuple limits, uint8_t* kept) except -1:
        """Keep also the groups between kept blocks; see `fill_between`."""
        cdef double least_probability, most_links, most_announced_links, probable, least_code
        least_probability, most_links, most_announced_links, probable, least_code = limits
        cdef Py_ssize_t block, size = self.size, next_one = 0, current = -1
        cdef Py_ssize_t before = -1, member, after, own, count = self.count
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
        return 0

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

    cdef int add_neighbours(
        self,
        const double* probability,
        Py_ssize_t headline,
        tuple limits,
        links_within,
        uint8_t* kept,
    ) except -1:
        """Keep also blocks between kept ones, then headings of kept text; see `neighbours`.

        `links_within` says of a dropped heading whether its link leads to a place on the page.
        """
        cdef double most_words, least_short, least_paragraph, most_links
        most_words, least_short, least_paragraph, most_links = limits
        cdef Py_ssize_t one, block, place, size = 0, around, following, own, home
        cdef Py_ssize_t count = self.count, blocks = self.size
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
        return 0

    cdef bint is_self_link(self, Py_ssize_t block, links_within):
        return self.bits_of(self.container[block]) >> LEVEL_SHIFT > 1 and links_within(block)

    def keep(
        self,
        page,
        controls,
        probability,
        double weight,
        double most_table_words,
        tuple fill_limits,
        Py_ssize_t headline,
        double least_headline,
        tuple neighbour_limits,
        links_within,
        shared,
        kept,
    ):
        """Keep the best blocks, the groups between them and their neighbours; see `judge`.

        `controls` has one bool per text of the page, or is None. Writes the shared probabilities
        and the kept blocks, zeros at first. Returns the number of blocks that are kept without
        neighbours.
        """
        cdef Py_ssize_t block, count = 0
        cdef Rules between = self if controls is None else self.without(page, controls)
        cdef const double* own = doubles(probability, self.size)
        cdef double* means = doubles(shared, self.size, PyBUF_WRITABLE)
        cdef uint8_t* found = flags_of(kept, self.size, PyBUF_WRITABLE)
        self.share(own, most_table_words, means)
        mark_prefix(means, self.words, self.size, weight, found)
        between.fill(means, fill_limits, found)
        for block in range(self.size):
            count += found[block]
        if headline >= 0 and count > 1 and own[headline] < least_headline:
            found[headline] = False
        between.add_neighbours(own, headline, neighbour_limits, links_within, found)
        return count

    def survey(
        self, Survey survey, int asked, probability, shared, kept, Py_ssize_t headline,
        bint named_only, names,
    ):
        """Return the bits of those of the asked rules that may change what is kept.

        See `judge`; the blocks must be allowed. `names` are the pairs of class and id. Rules that
        keep more may need others: ask again when one has changed anything.
        """
        cdef const double* own = doubles(probability, self.size)
        cdef const double* means = doubles(shared, self.size)
        cdef const uint8_t* is_kept = flags_of(kept, self.size)
        cdef Py_ssize_t block, text, one, last = -1, worded = -1, before = -1
        cdef double words
        cdef int found = 0
        cdef uint16_t level
        for block in range(self.size):
            words = self.words[block]
            if not is_kept[block]:
                if words <= 0:
                    continue
                if asked & HAS_PARAGRAPHS & ~found and self.may_be_beside(survey, own, block):
                    found |= HAS_PARAGRAPHS
                if asked & HAS_NOTES & ~found and means[block] >= survey.least_note:
                    if has_arrow(<str> self.texts[self.texts_to[block]]):
                        found |= HAS_NOTES
                continue
            last = block
            if words > 0:
                before, worded = worded, block
            if (
                asked & (HAS_LABELS | HAS_LINK_SECTIONS) & ~found and words <= survey.label_words
                and survey.is_label(self.text_of(block))
            ):
                found |= HAS_LABELS | HAS_LINK_SECTIONS
            if asked & HAS_PROMPTS & ~found and 0 < words <= survey.prompt_words and (
                survey.prompt_starts.is_first(<str> self.texts[self.texts_from[block]], "")
            ):
                found |= HAS_PROMPTS
            if asked & HAS_REFERENCES & ~found and words > survey.most_references * self.linked[block]:
                for text in range(self.texts_from[block], self.texts_to[block] + 1):
                    if self.is_linked[self.text_rows[text]] and is_reference(<str> self.texts[text]):
                        found |= HAS_REFERENCES
        if found & HAS_PARAGRAPHS and not self.are_beside(survey, own, is_kept):
            found &= ~HAS_PARAGRAPHS
        for one in range(self.count):
            if self.bits_of(one) & IS_SUMMARY:
                found |= HAS_SUMMARIES
        if asked & HAS_LINKED_LISTS and self.find_linked(is_kept, survey.least_linked, None):
            found |= HAS_LINKED_LISTS
        if asked & HAS_COPIES and self.find_same(is_kept, survey.least_copy, None):
            found |= HAS_COPIES
        if asked & HAS_EMPTY_SECTIONS:
            for block in self.find_doubtful(
                is_kept, headline, survey.heading_words, survey.heading_share
            ):
                if (own[block] <= survey.most_probable and not named_only) or (
                    self.words[block] <= survey.section_words
                    and survey.is_section(self.text_of(block))
                ):
                    found |= HAS_EMPTY_SECTIONS
        if asked & HAS_BOXES and self.is_in_box(is_kept, survey, names):
            found |= HAS_BOXES
        if worded >= 0:
            level = self.bits_of(self.container[worded]) >> LEVEL_SHIFT
            if (
                level > 1 and worded != headline and own[worded] <= survey.most_probable
                and self.words[worded] <= survey.heading_words
            ):
                found |= HAS_LAST_HEADINGS
        if asked & HAS_LAST_PROMPTS and last >= 0 and self.words[last] <= survey.last_prompt_words:
            if survey.prompts.is_in(self.text_of(last)):
                found |= HAS_LAST_PROMPTS
        if asked & HAS_LAST_NOTICE:
            for block in (worded, before):
                if block >= 0 and self.words[block] <= survey.notice_words:
                    if survey.notices.is_in(self.text_of(block)):
                        found |= HAS_LAST_NOTICE
        return found & asked

    cdef bint may_be_beside(self, Survey survey, const double* own, Py_ssize_t block) noexcept:
        """Return whether a dropped block is a paragraph that may be kept beside others."""
        return (
            own[block] >= survey.least_paragraph and self.words[block] >= survey.paragraph_words
            and self.linked[block] < survey.paragraph_links * self.words[block]
            and not self.hidden[block] and self.bits_of(self.container[block]) & IS_PARAGRAPH
        )

    cdef bint are_beside(
        self, Survey survey, const double* own, const uint8_t* kept
    ) except -1:
        """Return whether one of these has the parent of a kept paragraph."""
        cdef Py_ssize_t block, one
        cdef bint found = False
        cdef uint8_t* holds = <uint8_t*> calloc(self.count, 1)  # kept paragraphs
        if holds == NULL:
            raise MemoryError
        for block in range(self.size):
            one = self.container[block]
            if kept[block] and self.words[block] > 0 and self.bits_of(one) & IS_PARAGRAPH:
                holds[self.parent[one]] = True
        for block in range(self.size):
            if not kept[block] and holds[self.parent[self.container[block]]]:
                found |= self.may_be_beside(survey, own, block)
        free(holds)
        return found

    cdef str text_of(self, Py_ssize_t block):
        """Return the texts of a block, joined."""
        cdef Py_ssize_t first = self.texts_from[block], last = self.texts_to[block]
        return <str> self.texts[first] if first == last else "".join(self.texts[first:last + 1])

    cdef bint is_in_box(self, const uint8_t* kept, Survey survey, names) except -1:
        """Return whether a short kept block is in a small container with a name of a box.

        Each container is looked at once, and so is each pair of names.
        """
        cdef Py_ssize_t block, one, pair
        cdef list pairs = names.pairs
        cdef const Py_ssize_t* of_container = numbers(names.of_container, self.count)
        cdef bint found = False
        cdef object name
        cdef uint8_t* is_seen = <uint8_t*> calloc(self.count + len(pairs), 1)
        cdef uint8_t* is_read = is_seen + self.count
        if is_seen == NULL:
            raise MemoryError
        for block in range(self.size):
            if not kept[block] or self.words[block] > survey.prompt_words or found:
                continue
            one = self.container[block]
            while not is_seen[one] and self.sums_words[one] <= survey.box_words:
                is_seen[one] = True
                pair = of_container[one]
                if not is_read[pair]:
                    is_read[pair] = True
                    name = (<tuple> pairs[pair])[0]
                    if name is not None and survey.boxes.is_in(name) and survey.is_box[name]:
                        found = True
                one = self.parent[one]
        free(is_seen)
        return found

    def mark_inside(self, containers, blocks):
        """Write 1 for each block inside a marked container, else 0."""
        cdef const uint8_t* marked = flags_of(containers, self.count)
        cdef uint8_t* found = flags_of(blocks, self.size, PyBUF_WRITABLE)
        cdef Py_ssize_t one = 0, block
        cdef int32_t reach = 0
        for block in range(self.size):
            while one < self.count and self.row[one] <= self.first[block]:
                if marked[one] and self.end[one] > reach:
                    reach = self.end[one]
                one += 1
            found[block] = self.first[block] < reach

    def hold_share(self, probabilities, names, list pairs, double share):
        """Return whether containers with one of some pairs of class and id hold a share of the words.

        These are the expected words; `pairs` has the numbers of the pairs in `names`.
        """
        cdef Py_ssize_t one = 0, block, count = len(names.pairs)
        cdef const double* probability = doubles(probabilities, self.size)
        cdef const Py_ssize_t* of_container = numbers(names.of_container, self.count)
        cdef int32_t reach = 0
        cdef double expected, held = 0, total = 0
        cdef uint8_t* is_named = <uint8_t*> calloc(count, 1)
        if is_named == NULL:
            raise MemoryError
        for block in pairs:
            is_named[block] = True
        for block in range(self.size):
            while one < self.count and self.row[one] <= self.first[block]:
                if is_named[of_container[one]] and self.end[one] > reach:
                    reach = self.end[one]
                one += 1
            expected = probability[block] * self.words[block]
            total += expected
            if self.first[block] < reach:
                held += expected
        free(is_named)
        return held > share * total

    def may_have_dated_links(
        self,
        probabilities,
        double unlikely,
        double least_linked,
        double most_beside,
        double most_words,
        Py_ssize_t least_links,
    ):
        """Return whether enough blocks may be links with times; see `dated_links`."""
        cdef Py_ssize_t block, count = 0
        cdef const double* probability = doubles(probabilities, self.size)
        for block in range(self.size):
            if (
                probability[block] > unlikely and self.linked[block] >= least_linked
                and 1 <= self.words[block] - self.linked[block] <= most_beside
                and self.words[block] <= most_words
            ):
                count += 1
        return count >= least_links

    def drop_parts(
        self, probabilities, const float[:, ::1] matrix, tuple lines, tuple most, double least
    ):
        """Set the probabilities of blocks in parts that are hardly ever content to 0.

        See `judge.without_parts`.
        """
        cdef Py_ssize_t block, part, size = min(self.size, matrix.shape[1])
        cdef double* probability = doubles(probabilities, self.size, PyBUF_WRITABLE)
        cdef double expected, lost, most_inside
        cdef const float* inside
        cdef const float* in_article = &matrix[<Py_ssize_t> lines[2], 0]
        cdef const float* in_main = &matrix[<Py_ssize_t> lines[3], 0]
        for part in range(len(most)):
            inside, most_inside = &matrix[<Py_ssize_t> lines[part], 0], most[part]
            expected = lost = 0
            for block in range(size):
                expected += probability[block] * self.words[block]
                if inside[block] > in_article[block] and inside[block] > in_main[block]:
                    lost += probability[block] * self.words[block]
            if least <= lost <= most_inside * expected:
                for block in range(size):
                    if inside[block] > in_article[block] and inside[block] > in_main[block]:
                        probability[block] = 0

    def show_only(self, probabilities, double least, shown):
        """Write the probabilities with 0 for hidden blocks; return whether enough words are shown.

        That is a share `least` of the expected ones; see `judge`.
        """
        cdef Py_ssize_t block
        cdef const double* probability = doubles(probabilities, self.size)
        cdef double* found = doubles(shown, self.size, PyBUF_WRITABLE)
        cdef double expected = 0, held = 0
        for block in range(self.size):
            found[block] = 0 if self.hidden[block] else probability[block]
            expected += probability[block] * self.words[block]
            held += found[block] * self.words[block]
        return held >= least * expected

    def find_alike(self, kept, double least_words):
        """Return the kept blocks of enough words that may be copies of another one; see `judge`.

        They have as many words and the same first signs, or hashes of these.
        """
        found = []
        self.find_same(flags_of(kept, self.size), least_words, found)
        return found

    cdef bint find_same(self, const uint8_t* kept, double least_words, list found) except -1:
        """Return whether there are such blocks, and append them to a list unless it is None."""
        cdef Py_ssize_t block, place, size = 16, held = 0, count = 0
        cdef uint64_t key
        cdef uint8_t[256] times  # of each number of words, modulo 256; at most 2
        for place in range(256):
            times[place] = 0
        for block in range(self.size):
            if kept[block] and self.words[block] >= least_words:
                place = <Py_ssize_t> self.words[block] & 255
                count += 2 if times[place] == 1 else times[place] > 1
                times[place] = min(times[place] + 1, 2)
        if not count:
            return False
        while size < 2 * count:
            size *= 2
        cdef Py_ssize_t* table = <Py_ssize_t*> calloc(size, sizeof(Py_ssize_t))  # place + 1
        cdef uint64_t* keys = <uint64_t*> malloc(count * sizeof(uint64_t))
        cdef Py_ssize_t* blocks = <Py_ssize_t*> malloc(count * sizeof(Py_ssize_t))
        cdef uint8_t* is_alike = <uint8_t*> calloc(count, 1)
        try:
            if table == NULL or keys == NULL or blocks == NULL or is_alike == NULL:
                raise MemoryError
            count = 0
            for block in range(self.size):
                if (
                    not kept[block] or self.words[block] < least_words
                    or times[<Py_ssize_t> self.words[block] & 255] < 2
                ):
                    continue
                key = self.hash_start(block) + <uint64_t> self.words[block]
                keys[count] = key = key * <uint64_t> 0x9E3779B97F4A7C15
                blocks[count] = block
                place = (key >> 32) & (size - 1)
                while table[place] and keys[table[place] - 1] != key:
                    place = (place + 1) & (size - 1)
                if table[place]:
                    is_alike[count] = is_alike[table[place] - 1] = held = 1
                    if found is None:
                        break
                else:
                    table[place] = count + 1
                count += 1
            if held and found is not None:
                for place in range(count):
                    if is_alike[place]:
                        found.append(blocks[place])
        finally:
            free(table)
            free(keys)
            free(blocks)
            free(is_alike)
        return held

    cdef uint64_t hash_start(self, Py_ssize_t block):
        """Return a hash of the first signs of a block that are not white space."""
        cdef Py_ssize_t text, at, count = 0
        cdef uint64_t found = 0
        cdef int kind
        cdef const void* data
        cdef uint32_t code
        cdef str piece
        for text in range(self.texts_from[block], self.texts_to[block] + 1):
            piece = self.texts[text]
            kind, data = PyUnicode_KIND(piece), PyUnicode_DATA(piece)
            for at in range(PyUnicode_GET_LENGTH(piece)):
                code = PyUnicode_READ(kind, data, at)
                if not Py_UNICODE_ISSPACE(code):
                    found = found * 1_000_003 + code
                    count += 1
                    if count == 24:
                        return found
        return found

    def find_linked_lists(self, kept, double least_share):
        """Return the lists of links with kept blocks, with their first block and the one after.

        See `without_contents`.
        """
        found = []
        self.find_linked(flags_of(kept, self.size), least_share, found)
        return found

    cdef bint find_linked(self, const uint8_t* kept, double least_share, list found) except -1:
        """Return whether there are such lists, and append them to a list unless it is None."""
        cdef Py_ssize_t one, begin, after, block = 0
        cdef bint is_kept, is_found = False
        for one in range(self.count):
            if (
                not self.bits_of(one) & IS_LIST
                or self.sums_linked[one] < least_share * self.sums_words[one]
                or self.sums_linked[one] <= 0
            ):
                continue
            while block < self.size and self.first[block] < self.row[one]:
                block += 1
            begin = after = block
            is_kept = False
            while after < self.size and self.first[after] < self.end[one]:
                is_kept |= kept[after]
                after += 1
            if is_kept:
                if found is None:
                    return True
                found.append((one, begin, after))
                is_found = True
        return is_found

    def find_doubtful_headings(
        self, kept, Py_ssize_t headline, double most_words, double most_share
    ):
        """Return the kept headings without kept text below them; see `without_empty_sections`."""
        return self.find_doubtful(flags_of(kept, self.size), headline, most_words, most_share)

    cdef list find_doubtful(
        self, const uint8_t* kept, Py_ssize_t headline, double most_words, double most_share
    ):
        cdef Py_ssize_t block, latest = -1, headings = 0, count = 0
        cdef uint16_t level, latest_level = 0
        cdef bint is_empty = False  # nothing is kept since the latest kept heading
        cdef list found = []
        for block in range(self.size):
            if not kept[block]:
                continue
            count += 1
            if self.words[block] <= 0:
                continue
            level = self.bits_of(self.container[block]) >> LEVEL_SHIFT
            if level:
                if latest >= 0 and is_empty and level <= latest_level:
                    found.append(latest)
                headings += 1
                latest, latest_level = block, level
                is_empty = self.words[block] <= most_words and block != headline
            elif not self.hidden[block]:
                is_empty = False
        if latest >= 0 and is_empty:
            found.append(latest)
        return [] if headings >= most_share * count else found

    def find_labels(self, Survey survey, kept, Py_ssize_t most):
        """Return those of the first short kept blocks that are known labels."""
        cdef const uint8_t* is_kept = flags_of(kept, self.size)
        cdef Py_ssize_t block, count = 0
        cdef list found = []
        for block in range(self.size):
            if is_kept[block] and self.words[block] <= survey.label_words:
                count += 1
                if count > most:
                    break
                if survey.is_label(self.text_of(block)):
                    found.append(block)
        return found

    def find_prompts(self, Survey survey, kept, Py_ssize_t most):
        """Return those of the first short kept blocks that may begin as a prompt does."""
        cdef const uint8_t* is_kept = flags_of(kept, self.size)
        cdef Py_ssize_t block, count = 0
        cdef list found = []
        for block in range(self.size):
            if is_kept[block] and 0 < self.words[block] <= survey.prompt_words:
                count += 1
                if count > most:
                    break
                if survey.prompt_starts.is_first(<str> self.texts[self.texts_from[block]], ""):
                    found.append(block)
        return found


cdef bint has_arrow(str text) except -1:
    """Return whether a text has an arrow that leads back to the text of a note."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    return PyUnicode_KIND(text) > 1 and (
        PyUnicode_FindChar(text, 0x21A9, 0, size, 1) >= 0
        or PyUnicode_FindChar(text, 0x2934, 0, size, 1) >= 0
    )


def keep_prefix(probability, words, double weight, kept):
    """Mark the blocks of highest probability up to the best score; see `best_prefix`."""
    cdef Py_ssize_t size = len(kept)
    mark_prefix(
        doubles(probability, size), doubles(words, size), size, weight,
        flags_of(kept, size, PyBUF_WRITABLE),
    )


cdef int mark_prefix(
    const double* probability, const double* words, Py_ssize_t count, double weight, uint8_t* kept
) except -1:
    """Do so for `count` blocks.

    A block raises the score if its probability is above it. So those below the score of all blocks
    of at least 0.5, which is no better than the best, are not sorted.
    """
    cdef Py_ssize_t place, block, best = 0, size = 0
    cdef double total = 0, found = 0, held = 0, score, best_score = -1, least
    cdef Py_ssize_t* order = <Py_ssize_t*> malloc(2 * count * sizeof(Py_ssize_t) + 1)
    if order == NULL:
        raise MemoryError
    for block in range(count):
        total += probability[block] * words[block]
        if probability[block] >= 0.5:
            found += probability[block] * words[block]
            held += words[block]
    least = LESS * found / (held + weight * total + 1e-9)
    for block in range(count):
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
    return 0


cdef void sort(
    const double* values, Py_ssize_t size, Py_ssize_t* order, Py_ssize_t* scratch
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
