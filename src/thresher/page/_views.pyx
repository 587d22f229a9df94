"""Compiled versions of `views` and `visibility`, each in one pass over the rows or texts."""

from cpython.buffer cimport PyBUF_WRITABLE
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memset

from thresher.page.buffers cimport first_text, flags_of, integers, numbers, tags_of

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    void* PyUnicode_DATA(object text)
    uint32_t PyUnicode_READ_CHAR(object text, Py_ssize_t index)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    bint Py_UNICODE_ISSPACE(uint32_t sign)

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


def keep_rows(page, kept_texts, tag_bits, kept_rows):
    """Write one bool per row to `kept_rows`, which are zeros at first."""
    cdef object columns = page.text_rows
    cdef Py_ssize_t index, row, above, size = len(page.tag), texts = len(columns), count = 0
    cdef const uint16_t* tag = tags_of(page.tag, size)
    cdef const int32_t* parent = integers(page.parent, size)
    cdef const int32_t* chars = integers(page.chars, size)
    cdef const int32_t* text_rows = integers(columns, texts)
    cdef const uint8_t* keep = flags_of(kept_texts, texts)
    cdef const uint8_t* bits = flags_of(tag_bits, len(tag_bits))
    cdef uint8_t* kept = flags_of(kept_rows, size, PyBUF_WRITABLE)
    cdef uint8_t own, near
    cdef uint8_t* state = <uint8_t*> calloc(size + 1, 1)  # of each row
    if state == NULL:
        raise MemoryError
    with nogil:
        for index in range(texts):
            if keep[index]:
                count += 1
                row = text_rows[index]
                while row >= 0 and not state[row]:
                    state[row] = HOLDS
                    row = parent[row]
        if count == texts:
            memset(kept, 1, size)
        for row in range(size):
            above = parent[row] if row else 0
            if not state[row] | state[above]:
                continue  # true of most
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
            if (
                state[row] & HOLDS
                or (own & IS_TABLE_PART and near & TABLE_HOLDS)
                or (tag[row] and near & IN_LEAF)
                or (
                    tag[row] == 0 and chars[row] == 0 and state[above] & HOLDS
                    and not bits[tag[above]] & IS_RAW
                )
            ):
                above = row
                while above >= 0 and not kept[above]:
                    kept[above] = 1
                    above = parent[above]
    free(state)


def find_texts(rows, Py_ssize_t row, Py_ssize_t end):
    """Return the place of the first text from a row on, and of the first from `end` on."""
    cdef Py_ssize_t count = len(rows)
    cdef const int32_t* text_rows = integers(rows, count)
    return first_text(text_rows, count, row), first_text(text_rows, count, end)


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
    texts_block, hidden_texts, hidden_blocks, control_texts, chosen_blocks, shown_texts
):
    """Write 1 for each text of a chosen block that is shown, or whose block is hidden, else 0.

    Return whether a text of a chosen block is neither. `texts_block` has the block of each text. The
    texts of controls, None if there is none, are not shown.
    """
    cdef Py_ssize_t text, block, size = len(texts_block), blocks = len(chosen_blocks)
    cdef const int32_t* of_text = integers(texts_block, size)
    cdef const uint8_t* hidden = flags_of(hidden_texts, size)
    cdef const uint8_t* hidden_block = flags_of(hidden_blocks, blocks)
    cdef const uint8_t* chosen = flags_of(chosen_blocks, blocks)
    cdef const uint8_t* is_control = NULL
    cdef uint8_t* shown = flags_of(shown_texts, size, PyBUF_WRITABLE)
    cdef uint8_t is_chosen, any_hidden = 0
    if control_texts is not None:
        is_control = flags_of(control_texts, size)
    for text in range(size):
        block = of_text[text]
        is_chosen = block >= 0 and chosen[block]
        shown[text] = is_chosen and (hidden_block[block] or not hidden[text])
        any_hidden |= is_chosen ^ shown[text]
        if is_control and is_control[text]:
            shown[text] = False
    return any_hidden != 0


cdef enum:  # bits of a tag, as in `controls`
    IS_HEADING = 1
    IS_CODE = 2
    IN_HEADINGS = 4
    IN_CODE = 8
    IS_ANY_TABLE = 16
    IS_SPAN = 32
    IS_MEDIA = 64
    IS_LINK = 128
    IS_BUTTON = 256
    IS_CELL = 512
    MAY_BE_GUTTER = 1024
    HOLDS_CODE = 2048
    IS_BREAK = 4096
    IS_LINE = 8192
    IS_QUOTATION = 16384


cdef bint begins_as_control(object text):
    """Return whether the first sign of a text is a digit or C."""
    cdef Py_ssize_t at
    cdef uint32_t code
    for at in range(PyUnicode_GET_LENGTH(text)):
        code = PyUnicode_READ_CHAR(text, at)
        if code != 32 and not 9 <= code <= 13 or code == 11:
            return 48 <= code <= 57 or code == 67
    return False


cdef int first_sign(str text):
    """Return the first sign of a text that is not white space; 0 if that would take long."""
    cdef Py_ssize_t at
    cdef uint32_t code
    for at in range(min(PyUnicode_GET_LENGTH(text), MOST_BLANK)):
        code = PyUnicode_READ_CHAR(text, at)
        if not Py_UNICODE_ISSPACE(code):
            return code
    return 0


cdef enum:
    MOST_BLANK = 60  # as in `controls`
    MOST_SKIPPED = 3
    MOST_LABEL = 31
    INDENT = 4
    LINE_ENDS = 2


cdef bint is_below_label(tuple texts, Py_ssize_t following, frozenset beside_label) except -1:
    """Return whether the text before one ends as a label of code does; see `controls`."""
    cdef Py_ssize_t begin, at, place
    cdef uint32_t code
    cdef object text
    for place in range(following - 1, max(following - 1 - MOST_SKIPPED, -1), -1):
        text = texts[place]
        begin, at = 0, PyUnicode_GET_LENGTH(text)
        while at > 0 and Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, at - 1)):
            at -= 1
        if at:
            while Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, begin)):
                begin += 1
            if at - begin > MOST_LABEL:
                return False
            code = PyUnicode_READ_CHAR(text, at - 1)
            if code == 58 or code == 93:  # a colon, a bracket
                return True
            return text[begin:at] in beside_label
    return False


cdef bint ends_as_prompt(object text):
    """Return whether the last signs of a text are a bracket and a colon."""
    cdef Py_ssize_t at = PyUnicode_GET_LENGTH(text)
    while at > 0 and Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, at - 1)):
        at -= 1
    return (
        at > 1 and PyUnicode_READ_CHAR(text, at - 1) == 58
        and PyUnicode_READ_CHAR(text, at - 2) == 93
    )


cdef bint has_stem(str name, const char* stem, Py_ssize_t size) except -1:
    """Return whether a class contains some small letters, in small or in capital ones."""
    cdef Py_ssize_t at, place
    if name is None:
        return False
    for at in range(PyUnicode_GET_LENGTH(name) - size + 1):
        place = 0
        while place < size and PyUnicode_READ_CHAR(name, at + place) | 32 == <uint32_t> stem[place]:
            place += 1
        if place == size:
            return True
    return False


cdef bint may_name_edit(node) except -1:
    """Return whether the class of an element has "edit" in it, or signs that are not of ASCII."""
    cdef str name = node.attr("class")
    return name is not None and (not PyUnicode_IS_ASCII(name) or has_stem(name, b"edit", 4))


cdef bint is_indented(object text):
    """Return whether a no-break space is at the begin of a text."""
    cdef Py_ssize_t at
    for at in range(min(PyUnicode_GET_LENGTH(text), INDENT)):
        if PyUnicode_READ_CHAR(text, at) == 0xA0:
            return True
    return False


cdef bint has_lines(object text):
    """Return whether a text has three lines."""
    cdef Py_ssize_t at
    cdef int found = 0
    for at in range(PyUnicode_GET_LENGTH(text)):
        found += PyUnicode_READ_CHAR(text, at) == 10
        if found >= LINE_ENDS:
            return True
    return False


def find_control_candidates(
    page, given_bits, str bullets, int32_t most_words, frozenset beside_label
):
    """Return the rows that may be controls, as fields of `controls.Candidates`; None: there is none.

    `given_bits` are those of each tag number.
    """
    cdef tuple texts = page.texts
    cdef list nodes
    cdef list in_headings = [], in_code = [], after_headings = [], beside_code = []
    cdef list media = [], permalinks = [], first_cells = [], gutters = [], labelled = []
    cdef list indented = [], lines = [], first_lines = []
    cdef bint has_bullets = False, has_prompts = False, has_unfolding = False, has_text
    cdef Py_ssize_t row, text = 0, size = len(page.tag), count = len(texts)
    cdef const int32_t* text_rows = integers(page.text_rows, count)
    cdef const uint16_t* tag = tags_of(page.tag, size)
    cdef const int32_t* end = integers(page.end, size)
    cdef const int32_t* parent = integers(page.parent, size)
    cdef const int32_t* words = integers(page.words, size)
    cdef const int32_t* chars = integers(page.chars, size)
    cdef const uint8_t* linked = flags_of(page.linked, size)
    cdef const uint16_t* bits = tags_of(given_bits, 1 << 16)
    cdef Py_ssize_t[2] outer
    cdef int32_t held, around, after, table_end = 0, waiting_end = 0, heading_end = 0
    cdef int32_t quotation_end = 0
    cdef int kind, sign
    cdef uint16_t own, following, seen = 0, asked = 0xFFFF
    cdef uint8_t* holds = NULL  # whether a row is code or has code as a child
    cdef int32_t* before = <int32_t*> malloc((size + 1) * sizeof(int32_t))  # words before each row
    try:
        if before == NULL:
            raise MemoryError
        outer[0] = outer[1] = -1
        before[0] = 0
        for row in range(size):
            before[row + 1] = before[row] + words[row]
            seen |= bits[tag[row]]
        # These alone are no reason to look at a row.
        asked &= ~(IS_LINK | IS_BUTTON | IS_BREAK | IS_LINE | IS_QUOTATION)
        if not seen & IS_CODE:  # true of most pages
            asked &= ~(IN_CODE | MAY_BE_GUTTER)
        else:
            holds = <uint8_t*> calloc(size, 1)
            if holds == NULL:
                raise MemoryError
            for row in range(size):
                if bits[tag[row]] & IS_CODE:
                    holds[row] = True
                    if row:
                        holds[parent[row]] = True
        if not seen & IS_HEADING:
            asked &= ~IN_HEADINGS
        if not seen & IS_ANY_TABLE:
            asked &= ~IS_CELL
        nodes = page.nodes
        for row in range(size):
            if tag[row] == 0:
                text += 1
                if row and bits[tag[row - 1]] & IS_BREAK and is_indented(texts[text - 1]):
                    indented.append(text - 1)
                if seen & HOLDS_CODE and row and (
                    bits[tag[parent[row]]] & (HOLDS_CODE | IS_CODE) == HOLDS_CODE
                ) and has_lines(texts[text - 1]):
                    lines.append(text - 1)
                if seen & IS_CODE and not has_prompts:
                    has_prompts = ends_as_prompt(texts[text - 1])
                if chars[row] == 1 and words[row] == 0:
                    if linked[row] and row and bits[tag[parent[row]]] & IS_LINK:
                        permalinks.append(parent[row])
                    if row < table_end and not has_bullets:
                        sign = first_sign(texts[text - 1])
                        has_bullets = not sign or <Py_UCS4> sign in bullets
                continue
            own = bits[tag[row]]
            if own & IS_QUOTATION:
                quotation_end = max(quotation_end, end[row])
            if row < quotation_end and not has_unfolding:
                has_unfolding = has_stem(nodes[row].attr("class"), b"expand", 6)
            own &= asked
            if not own & ~(IN_HEADINGS | IS_SPAN) and row >= heading_end:
                continue  # true of most rows
            has_text = text < count and text_rows[text] < end[row]
            if own & IS_ANY_TABLE:
                table_end, waiting_end = max(table_end, end[row]), max(waiting_end, end[row])
            if own & IS_CELL:
                if row < waiting_end:
                    first_cells.append(row)
                waiting_end = 0
            if own & HOLDS_CODE and is_below_label(texts, text, beside_label):
                labelled.append(row)
            if own & (HOLDS_CODE | IS_CODE) == HOLDS_CODE and row:
                after = parent[parent[row]] + 1  # white space may be before it
                after += tag[after] == 0
                if bits[tag[after]] & IS_LINE and after < row:
                    first_lines.append(after)
            if own & MAY_BE_GUTTER and row and holds[parent[row]]:
                gutters.append(row)
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
                        if first_text(text_rows, count, after) < first_text(
                            text_rows, count, end[after]
                        ):
                            if not own & IS_HEADING:
                                beside_code.append(after)
                            elif following & IS_LINK or may_name_edit(nodes[after]):
                                after_headings.append(after)
                    held = before[end[row]] - before[row]
                    if own & IN_CODE and following & IS_CODE and held <= most_words and has_text:
                        beside_code.append(row)
            for kind in range(2):
                if (
                    own & (IN_HEADINGS << kind) and outer[kind] >= 0 and row < end[outer[kind]]
                    and has_text
                ):
                    held = before[end[row]] - before[row]
                    around = before[end[outer[kind]]] - before[outer[kind]]
                    if held >= around or held > most_words:
                        continue
                    if not kind:
                        if bits[tag[row]] & (IS_LINK | IS_BUTTON):
                            in_headings.append(row)
                        else:
                            sign = first_sign(texts[text])
                            if not sign or sign == 0x5B or may_name_edit(nodes[row]):
                                in_headings.append(row)
                    elif not own & IS_SPAN or (
                        tag[row + 1] == 0 and begins_as_control(texts[text])
                    ):
                        in_code.append(row)
                if own & (IS_HEADING << kind):
                    if outer[kind] < 0 or row >= end[outer[kind]]:
                        outer[kind] = row
            if outer[0] >= 0:
                heading_end = end[outer[0]]
    finally:
        free(before)
        free(holds)
    if not (
        in_headings or in_code or after_headings or beside_code or first_cells or has_bullets
        or media or permalinks or gutters or labelled or indented or lines or first_lines
        or has_prompts or has_unfolding
    ):
        return None
    return (
        in_headings, in_code, after_headings, beside_code, first_cells, has_bullets, media,
        permalinks, gutters, labelled, indented, lines, first_lines, has_prompts, has_unfolding,
    )


cdef inline bint is_host(uint32_t character) noexcept nogil:
    """Return whether a character is one of `[A-Za-z0-9_.:-]`."""
    return (
        48 <= character <= 58 or 97 <= character <= 122 or 65 <= character <= 90
        or character == 46 or character == 45 or character == 95
    )


def is_whole_address(str url, bint is_base_known):
    """Return whether `addresses.resolve` surely returns a URL as it is.

    Others may be returned as they are too. Without a base, this is also true of a path.
    """
    cdef Py_ssize_t at, first, size = PyUnicode_GET_LENGTH(url)
    cdef const uint8_t* text
    cdef bint in_query = False, is_usual
    if size < 2 or not PyUnicode_IS_ASCII(url):
        return False
    text = <const uint8_t*> PyUnicode_DATA(url)
    first = 5 if size > 4 and text[4] == 115 else 4
    is_usual = size > 8 and memcmp(text, b"http", 4) == 0 and memcmp(text + first, b"://", 3) == 0
    if not is_base_known:
        for at in range(size):
            if not 32 < text[at] < 127 or (text[at] == 58 and not is_usual and text[0] != 47):
                return False
        return True
    if not is_usual:
        return False
    at = first = first + 3
    while at < size and is_host(text[at]):
        at += 1
    if at == first or (at < size and text[at] != 47 and text[at] != 63):
        return False
    while at < size:
        if not 32 < text[at] < 127 or text[at] == 35 or text[at] == 59 or (
            text[at] == 91 or text[at] == 93
        ):
            return False
        if text[at] == 63 and not in_query:
            in_query = True
            if at + 1 == size:
                return False
        at += 1
    return True


def sum_kept(page_values, page_text_rows, kept_texts):
    """Return the sum of a column over the kept texts, one bool each."""
    cdef Py_ssize_t text, size = len(page_text_rows), found = 0
    cdef const int32_t* values = integers(page_values, len(page_values))
    cdef const int32_t* text_rows = integers(page_text_rows, size)
    cdef const uint8_t* keep = flags_of(kept_texts, size)
    for text in range(size):
        if keep[text]:
            found += values[text_rows[text]]
    return found


def sum_words(page, never_content, words_before, unlinked_before):
    """Write the words before each row that may be content, and those of them not in links.

    See `views.content_words_before`. `never_content` has one bool per tag number.
    """
    cdef Py_ssize_t row, size = len(page.tag), found = 0, unlinked = 0
    cdef const uint16_t* tag = tags_of(page.tag, size)
    cdef const int32_t* end = integers(page.end, size)
    cdef const int32_t* words = integers(page.words, size)
    cdef const uint8_t* linked = flags_of(page.linked, size)
    cdef const uint8_t* is_never = flags_of(never_content, len(never_content))
    cdef Py_ssize_t* before = numbers(words_before, size + 1)
    cdef Py_ssize_t* other = numbers(unlinked_before, size + 1)
    cdef int32_t never_end = 0
    with nogil:
        for row in range(size):
            before[row], other[row] = found, unlinked
            if is_never[tag[row]] and end[row] > never_end:
                never_end = end[row]
            if row >= never_end:
                found += words[row]
                unlinked += 0 if linked[row] else words[row]
        before[size], other[size] = found, unlinked
