"""Compiled versions of `views` and `visibility`, each in one pass over the rows or texts."""

from itertools import takewhile

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc

cdef extern from "Python.h":
    uint32_t PyUnicode_READ_CHAR(object text, Py_ssize_t index)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:  # bits of a tag, as in `views`
    IS_BLOCK = 1
    IS_LEAF = 2
    IS_TABLE_PART = 4
    IS_RAW = 8
    IS_FIGURE = 16
    IS_TABLE = 32

cdef enum:  # bits of a row: it holds kept text, or its nearest block, figure or table does, or it
    HOLDS = 1  # is inside a leaf that is kept
    BLOCK_HOLDS = 2
    FIGURE_HOLDS = 4
    TABLE_HOLDS = 8
    IN_LEAF = 16


def find_blocks(
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const int32_t[::1] chars,
    const int32_t[::1] words,
    const uint8_t[::1] linked,
    const uint8_t[::1] hidden,
    const uint8_t[::1] bits,
    uint8_t[::1] cut,
    int32_t[::1] around,
    int32_t[::1] of_text,
    int32_t[:, ::1] found,
    uint8_t[::1] found_hidden,
):
    """Fill the columns of `Blocks`, the counted ones as lines of `found`; return their length.

    `bits` has the bits of each tag number. `cut` is scratch: zeros, one more than there are rows.
    """
    cdef Py_ssize_t row, text = 0, block = -1
    cdef bint broken = True
    with nogil:
        for row in range(tag.shape[0]):
            broken |= cut[row]
            if bits[tag[row]] & IS_BLOCK:
                broken = cut[end[row]] = True
                around[row] = row
            else:
                around[row] = around[parent[row]] if row else -1
            if tag[row] == 0:
                of_text[text] = -1
                if chars[row]:
                    if broken:
                        block += 1
                        found[0, block] = row
                        found[2, block] = text
                        found[4, block] = around[row]
                        found[5, block] = found[6, block] = found[7, block] = 0
                        found_hidden[block] = hidden[row]
                        broken = False
                    of_text[text] = block
                    found[1, block] = row
                    found[3, block] = text
                    found[5, block] += chars[row]
                    found[6, block] += words[row]
                    found[7, block] += words[row] if linked[row] else 0
                text += 1
    return block + 1


def keep_rows(
    const uint16_t[::1] tag,
    const int32_t[::1] parent,
    const int32_t[::1] chars,
    const int32_t[::1] text_rows,
    const uint8_t[::1] keep,
    const uint8_t[::1] bits,
    uint8_t[::1] state,
    uint8_t[::1] kept,
):
    """Write one bool per row to `kept`; `state` is scratch, and both are zeros at first."""
    cdef Py_ssize_t index, row, above, size = tag.shape[0]
    cdef uint8_t own, near
    with nogil:
        for index in range(text_rows.shape[0]):
            state[text_rows[index]] = keep[index]  # HOLDS
        for row in range(size - 1, 0, -1):
            state[parent[row]] |= state[row]
        for row in range(size):
            above = parent[row] if row else 0
            own = bits[tag[row]]
            near = state[above] & (BLOCK_HOLDS | FIGURE_HOLDS | TABLE_HOLDS | IN_LEAF)
            if own & IS_FIGURE:
                near = near & ~FIGURE_HOLDS | (FIGURE_HOLDS if state[row] & HOLDS else 0)
            if own & IS_TABLE:
                near = near & ~TABLE_HOLDS | (TABLE_HOLDS if state[row] & HOLDS else 0)
            if own & IS_LEAF and near & (BLOCK_HOLDS | FIGURE_HOLDS):
                near |= IN_LEAF
            if own & IS_BLOCK:
                near = near & ~BLOCK_HOLDS | (BLOCK_HOLDS if state[row] & HOLDS else 0)
            state[row] = state[row] & HOLDS | near
            kept[row] = (
                state[row] & HOLDS
                or (own & IS_TABLE_PART and near & TABLE_HOLDS)
                or (tag[row] and near & IN_LEAF)
                or (
                    tag[row] == 0 and chars[row] == 0 and state[above] & HOLDS
                    and not bits[tag[above]] & IS_RAW
                )
            )
        for row in range(size - 1, 0, -1):
            kept[parent[row]] |= kept[row]


cdef Py_ssize_t first_from(const int32_t[::1] rows, Py_ssize_t row) noexcept nogil:
    """Return the place of the first of the sorted rows that is not before a row."""
    cdef Py_ssize_t low = 0, high = rows.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if rows[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low


def find_texts(const int32_t[::1] text_rows, Py_ssize_t row, Py_ssize_t end):
    """Return the place of the first text from a row on, and of the first from `end` on."""
    return first_from(text_rows, row), first_from(text_rows, end)


cdef class Beginnings:
    """Words that texts may begin with, in lower case; only the signs of ASCII are compared."""

    cdef dict words  # by the number of the pair of signs that they begin with
    cdef uint8_t[128 * 128] pairs  # whether a word begins with these two signs

    def __init__(self, words):
        """Take texts; the signs of ASCII that the first word of each begins with count."""
        cdef Py_ssize_t sign
        prefixes = ["".join(takewhile(str.isascii, text)) for text in words]
        # A text whose first or second sign is not of ASCII may begin with any word.
        words = {text.split(" ")[0].encode() for text in prefixes if len(text) > 1}
        self.words = {}
        for sign in range(128 * 128):
            self.pairs[sign] = False
        for word in sorted(words):
            # White space follows a word of one sign.
            for second in range(33) if len(word) == 1 else word[1:2]:
                self.pairs[<int> word[0] * 128 + <int> second] = True
                self.words.setdefault(<int> word[0] * 128 + <int> second, []).append(word)

    def find(
        self,
        tuple texts,
        const int32_t[::1] texts_from,
        const int32_t[::1] words,
        const uint8_t[::1] kept,
        int32_t least_words,
        int32_t most_words,
        Py_ssize_t most,
        str skipped,
    ):
        """Return the first of the short kept blocks that may begin with one of the words.

        White space and `skipped` signs before it are skipped. A block may begin with one if its
        first text ends before it can be told, or has other signs than those of ASCII there.
        """
        cdef Py_ssize_t block, count = 0, at, size
        cdef str text
        cdef uint32_t code
        cdef list found = []
        for block in range(kept.shape[0]):
            if not kept[block] or not least_words <= words[block] <= most_words:
                continue
            count += 1
            if count > most:
                break
            text = texts[texts_from[block]]
            size = PyUnicode_GET_LENGTH(text)
            for at in range(size):
                code = PyUnicode_READ_CHAR(text, at)
                if code <= 32 or not 97 <= lower(code) <= 122 and <Py_UCS4> code in skipped:
                    continue
                if self.may_begin(text, at, size):
                    found.append(block)
                break
            else:  # the next text may begin with a letter
                found.append(block)
        return found

    cdef bint may_begin(self, str text, Py_ssize_t at, Py_ssize_t size):
        """Return whether one of the words may be at a place of a text."""
        cdef uint32_t first = lower(PyUnicode_READ_CHAR(text, at)), code
        cdef uint32_t second = lower(PyUnicode_READ_CHAR(text, at + 1)) if at + 1 < size else 128
        cdef bytes word
        cdef Py_ssize_t place
        if first > 127 or second > 127:
            return True
        if not self.pairs[first * 128 + second]:
            return False
        for word in <list> self.words[first * 128 + second]:
            for place in range(2, len(word)):
                code = lower(PyUnicode_READ_CHAR(text, at + place)) if at + place < size else 128
                if code > 127:
                    return True
                if code != <uint8_t> word[place]:
                    break
            else:
                return True
        return False


def find_last(
    const uint8_t[::1] kept, const int32_t[::1] words, int32_t least_words, Py_ssize_t most
):
    """Return the last kept blocks with enough words, at most so many, in order."""
    cdef Py_ssize_t block
    cdef list found = []
    for block in range(kept.shape[0] - 1, -1, -1):
        if len(found) >= most:
            break
        if kept[block] and words[block] >= least_words:
            found.append(block)
    found.reverse()
    return found


cdef uint32_t lower(uint32_t code) noexcept:
    """Return a sign of ASCII in lower case."""
    return code + 32 if 65 <= code <= 90 else code


def find_hidden(
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const uint8_t[::1] hidden,
    const int32_t[::1] of_text,
    Py_ssize_t rp,
    Py_ssize_t math,
    const uint8_t[::1] is_annotation,
    uint8_t[::1] found,
    uint8_t[::1] found_blocks,
):
    """Write 1 for each text that is hidden, else 0, and 0 for each block with a shown text.

    `found_blocks` has ones at first; see `visibility`.
    """
    cdef Py_ssize_t row, text = 0
    cdef int32_t formula_end = 0, annotation_end = 0
    with nogil:
        for row in range(tag.shape[0]):
            if tag[row] == 0:
                found[text] = (
                    hidden[row] and not (row < formula_end and row >= annotation_end)
                    and not (row and tag[parent[row]] == rp)
                )
                if not found[text] and of_text[text] >= 0:
                    found_blocks[of_text[text]] = 0
                text += 1
            elif tag[row] == math and end[row] > formula_end:
                formula_end = end[row]
            elif is_annotation[tag[row]] and end[row] > annotation_end:
                annotation_end = end[row]


def find_shown(
    const int32_t[::1] of_text,
    const uint8_t[::1] hidden,
    const uint8_t[::1] hidden_block,
    const uint8_t[::1] chosen,
    uint8_t[::1] shown,
):
    """Write 1 for each text of a chosen block that is shown, or whose block is hidden, else 0.

    Return whether a text of a chosen block is neither.
    """
    cdef Py_ssize_t text, block
    cdef uint8_t is_chosen, any_hidden = 0
    with nogil:
        for text in range(of_text.shape[0]):
            block = of_text[text]
            is_chosen = block >= 0 and chosen[block]
            shown[text] = is_chosen and (hidden_block[block] or not hidden[text])
            any_hidden |= is_chosen ^ shown[text]
    return any_hidden != 0


cdef enum:  # bits of a tag, as in `controls`
    IS_HEADING = 1
    IS_CODE = 2
    IN_HEADINGS = 4
    IN_CODE = 8
    IS_ANY_TABLE = 16
    IS_SPAN = 32
    IS_MEDIA = 64


cdef bint begins_as_control(object text):
    """Return whether the first sign of a text is a digit or C."""
    cdef Py_ssize_t at
    cdef uint32_t code
    for at in range(PyUnicode_GET_LENGTH(text)):
        code = PyUnicode_READ_CHAR(text, at)
        if code != 32 and not 9 <= code <= 13 or code == 11:
            return 48 <= code <= 57 or code == 67
    return False


def find_control_candidates(
    tuple texts,
    const int32_t[::1] text_rows,
    const uint16_t[::1] tag,
    const int32_t[::1] end,
    const int32_t[::1] parent,
    const int32_t[::1] words,
    const int32_t[::1] chars,
    const uint8_t[::1] linked,
    const uint8_t[::1] bits,
    Py_ssize_t link,
    int32_t most_words,
):
    """Return the rows that may be controls of headings and of code, and where others may be.

    The fields are those of `controls.Candidates`.
    """
    cdef list in_headings = [], in_code = [], after_headings = [], beside_code = []
    cdef list media = [], permalinks = []
    cdef bint has_tables = False, has_signs = False, has_text
    cdef Py_ssize_t row, text = 0, size = tag.shape[0], count = text_rows.shape[0]
    cdef Py_ssize_t[2] outer
    cdef int32_t held, around, after
    cdef int kind
    cdef uint8_t own, following, seen = 0, asked = 255
    cdef int32_t* before = <int32_t*> malloc((size + 1) * sizeof(int32_t))  # words before each row
    if before == NULL:
        raise MemoryError
    outer[0] = outer[1] = -1
    before[0] = 0
    for row in range(size):
        before[row + 1] = before[row] + words[row]
        seen |= bits[tag[row]]
    if not seen & IS_CODE:  # true of most pages
        asked &= ~IN_CODE
    if not seen & IS_HEADING:
        asked &= ~IN_HEADINGS
    for row in range(size):
        if tag[row] == 0:
            text += 1
            if chars[row] == 1 and words[row] == 0:
                has_signs = True
                if linked[row] and row and tag[parent[row]] == link:
                    permalinks.append(parent[row])
            continue
        own = bits[tag[row]] & asked
        if not own:
            continue
        has_text = text < count and text_rows[text] < end[row]
        if own & IS_ANY_TABLE:
            has_tables = True
        if own & IS_MEDIA and before[end[row]] > before[row]:
            media.append(row)
        if own & (IS_HEADING | IS_CODE | IN_CODE):
            after = end[row]
            for kind in range(3):
                if after < size and before[end[after]] == before[after]:
                    after = end[after]
            if after < size and parent[after] == parent[row]:
                following = bits[tag[after]]
                held = before[end[after]] - before[after]
                if held <= most_words and (
                    own & IS_HEADING and following & IN_HEADINGS
                    or own & IS_CODE and following & IN_CODE
                ):
                    if first_from(text_rows, after) < first_from(text_rows, end[after]):
                        (after_headings if own & IS_HEADING else beside_code).append(after)
                held = before[end[row]] - before[row]
                if own & IN_CODE and following & IS_CODE and held <= most_words and has_text:
                    beside_code.append(row)
        for kind in range(2):
            if (
                own & (IN_HEADINGS << kind) and outer[kind] >= 0 and row < end[outer[kind]]
                and has_text
            ):
                if kind and own & IS_SPAN and not (
                    tag[row + 1] == 0 and begins_as_control(texts[text])
                ):
                    continue
                held = before[end[row]] - before[row]
                around = before[end[outer[kind]]] - before[outer[kind]]
                if held < around and held <= most_words:
                    (in_code if kind else in_headings).append(row)
            if own & (IS_HEADING << kind):
                if outer[kind] < 0 or row >= end[outer[kind]]:
                    outer[kind] = row
    free(before)
    return (
        in_headings, in_code, after_headings, beside_code, has_tables, has_signs, media,
        permalinks,
    )


def find_tags(const uint16_t[::1] tag, Py_ssize_t size):
    """Return one byte per tag number below `size`: 1 if a row has it, else 0."""
    cdef bytearray found = bytearray(size)
    cdef char* marks = found
    cdef Py_ssize_t row
    for row in range(tag.shape[0]):
        if tag[row] < size:
            marks[tag[row]] = 1
    return bytes(found)
