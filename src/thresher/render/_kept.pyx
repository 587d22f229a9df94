"""Compiled passes over the rows of a page; `kept_tree` has the plain version of each."""

import re
from inspect import getattr_static

from cpython cimport array
from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM, PyList_New, PyList_SET_ITEM
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from cpython.buffer cimport PyBUF_WRITABLE
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset
from thresher.page.buffers cimport first_text, flags_of, integers, tags_of
from thresher.page.node_calls cimport call_method, read_attribute
from thresher.page.plain_text.chips cimport are_apart

import turbohtml

from thresher.page.tags import NUMBER
from thresher.render import kept_images

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_READ_CHAR(object text, Py_ssize_t index)
    bint Py_UNICODE_ISALNUM(uint32_t character)
    void PyObject_GC_UnTrack(object container)

cdef enum:  # levels of gaps and bits of tags, as in `thresher.page.plain_text.gaps`
    JOIN, SPACE, BREAK, CELL, LINE, PARAGRAPH

cdef enum:
    BREAK_BIT = 1 << 1
    LINE_BITS = 1 << 3 | 1 << 4
    LEVELS = 0b11111
    CHIP_STARTS = 1 << 5
    CHIPS = 1 << 5 | 1 << 6
    KEEPS_SPACE = 1 << 8
    CODE = 1 << 9
    RAW = 1 << 14
    PARAGRAPH_BIT = 1 << 4

cdef enum:  # kinds of tags, as in `kept_tree`
    HAS_PLACES = 1
    NEVER_SHOWN = 2
    ORDERED = 4
    TABLE = 8
    HEADING = 16

cdef enum:  # what a row is
    IS_MEDIUM = 1
    IS_PLAYER = 2

cdef object PARSED = turbohtml.Element, ATTRS = getattr_static(turbohtml.Element, "attrs")
cdef str SHADOW_ROOT = "#shadow-root"
cdef uint16_t IMAGE = NUMBER["img"], FIGURE = NUMBER["figure"], NOSCRIPT = NUMBER["noscript"]
cdef uint16_t SOURCE = NUMBER["source"], BODY = NUMBER["body"], ITEM = NUMBER["li"]
cdef uint16_t LINK = NUMBER["a"], BOX = NUMBER["div"], SPAN = NUMBER["span"]
cdef list MEDIA = kept_images.MEDIA_NUMBERS
cdef const uint8_t[::1] IS_MEDIA = kept_images.IS_MEDIA.view("uint8")
cdef int32_t CAPTION_WORDS = kept_images.CAPTION_WORDS
cdef Py_ssize_t MOST_ROWS = kept_images.MOST_ROWS
cdef Py_ssize_t ICON_PIXELS = kept_images.ICON_PIXELS, MOST_READ = kept_images.MOST_READ
cdef const uint8_t[::1] IS_PICTURE = kept_images.IS_PICTURE.view("uint8")
cdef uint16_t FIGCAPTION = NUMBER["figcaption"]
cdef int32_t FIGCAPTION_WORDS = kept_images.FIGCAPTION_WORDS
cdef int32_t LINK_WORDS = kept_images.LINK_WORDS
cdef Py_ssize_t MOST_CAPTIONS = kept_images.MOST_CAPTIONS
cdef Py_ssize_t MOST_BOXES = kept_images.MOST_BOXES, MOST_ANCHORS = kept_images.MOST_ANCHORS
cdef object FIND_TEX = re.compile("tex(?!t)").search
cdef object FIND_PLAYER = kept_images.PLAYER.search
cdef tuple LAZY = tuple([(name,) for name in kept_images.LAZY])
cdef tuple SIZES = (("width",), ("height",)), CLASS = ("class",), DATA_SRC = ("data-src",)
cdef tuple DATA_TEX = ("data-tex",)
cdef tuple YOUTUBE = ("data-youtube-id",), VIMEO = ("data-vimeo-id",)
cdef tuple SHADOW_ROOT_MODE = ("shadowrootmode",)
cdef dict READERS = {}  # the method `attr` of each type of nodes


cdef reader_of(kind):
    """Return the method `attr` of a type of nodes, as `call_method` takes it."""
    if kind not in READERS:
        READERS[kind] = getattr_static(kind, "attr")
    return READERS[kind]


cdef inline attribute(node, tuple name):
    """Return the value of an attribute of an element, None if it is not set."""
    return call_method(reader_of(type(node)), node, name)


cdef struct Gap:
    uint16_t bits
    int32_t breaks


cdef uint8_t strongest(Gap gap) noexcept nogil:
    """Return the strongest level in a gap; two line breaks make a paragraph."""
    cdef uint8_t level = 0
    cdef uint16_t left = gap.bits & LEVELS
    while left:
        level += 1
        left >>= 1
    return PARAGRAPH if level == BREAK and gap.breaks > 1 else level


cdef inline uint16_t at_end(uint16_t bits) noexcept nogil:
    """Return the bits that an element adds to the gap in which it ends."""
    return bits & LEVELS | (bits & CHIP_STARTS) << 1


cdef void mark_upwards(Py_ssize_t row, const int32_t* parent, uint8_t* marked) noexcept nogil:
    """Mark a row and the rows around it, up to one that is marked."""
    while row >= 0 and not marked[row]:
        marked[row] = 1
        row = parent[row]


cdef struct Rows:  # the columns of a page that the passes below read
    const uint16_t* tag
    const uint16_t* bits  # of each row, see `thresher.page.plain_text.gaps`
    const int32_t* end
    const int32_t* parent
    const int32_t* chars
    const int32_t* words
    const uint8_t* linked
    const uint8_t* hidden
    const int32_t* text_rows
    const uint8_t* keep  # of each text
    uint8_t* kept  # of each row
    Py_ssize_t size
    Py_ssize_t texts
    Py_ssize_t first_text  # of those kept; `texts` if none is
    Py_ssize_t stop  # one past the row of the last kept text


cdef Rows rows_of(page, tag, keep, kept) except *:
    """Return where the columns of a page are; the arrays are contiguous and `kept` is written."""
    cdef Rows rows
    cdef object text_rows = page.text_rows
    rows.size, rows.texts = len(tag), len(text_rows)
    rows.tag, rows.bits = tags_of(tag, rows.size), NULL
    rows.end, rows.parent = integers(page.end, rows.size), integers(page.parent, rows.size)
    rows.chars, rows.words = integers(page.chars, rows.size), integers(page.words, rows.size)
    rows.linked = flags_of(page.linked, rows.size)
    rows.hidden = flags_of(page.hidden, rows.size)
    rows.text_rows, rows.keep = integers(text_rows, rows.texts), flags_of(keep, rows.texts)
    rows.kept = flags_of(kept, rows.size, PyBUF_WRITABLE)
    rows.first_text, rows.stop = 0, rows.texts
    while rows.first_text < rows.texts and not rows.keep[rows.first_text]:
        rows.first_text += 1
    if rows.first_text < rows.texts:
        while not rows.keep[rows.stop - 1]:
            rows.stop -= 1
        rows.stop = rows.text_rows[rows.stop - 1] + 1
    return rows


def keep_beside(page, tag, keep, kept, list player_tags):
    """Write to `kept` what stays beside kept texts; see `kept_images.keep_beside`.

    `tag` has the number of `img` for similar elements, and `player_tags` are those of elements that
    a script makes a player of.
    """
    cdef Rows rows = rows_of(page, tag, keep, kept)
    cdef Py_ssize_t index, row, shown = 0, hidden = 0
    cdef list nodes = page.nodes, check_boxes = page.stated.check_boxes
    # The nodes are in no cycle; while a tree is made, the collector would look at all of them.
    PyObject_GC_UnTrack(nodes)
    cdef list players = [], anchors = [], empty = [], boxes = []
    cdef const uint8_t* present = <const uint8_t*> <const char*> <bytes> page.present
    cdef bint has_media = bool(player_tags)
    # Whether a row holds kept text, whether it stays if its branch does, and no hidden rows.
    cdef uint8_t* scratch = <uint8_t*> calloc(3 * (rows.size + 1), 1)
    if scratch == NULL:
        raise MemoryError
    try:
        for row in range(rows.size):
            rows.kept[row] = rows.kept[row] != 0  # a True may be another number than 1
        for index in range(rows.texts):
            if rows.keep[index]:
                row = rows.text_rows[index]
                hidden += rows.hidden[row]
                shown += 1
                mark_upwards(row, rows.parent, scratch)
        if 2 * hidden > shown:
            rows.hidden = scratch + 2 * (rows.size + 1)
        if shown and present[IMAGE] or tag is not page.tag:
            find_images(&rows, nodes, scratch, scratch + rows.size + 1)
        if shown:
            find_empty(&rows, nodes, players, anchors)
        for index in MEDIA:
            has_media |= present[index]
        if players or has_media:
            keep_media(&rows, nodes, player_tags, players, scratch, scratch + rows.size + 1)
        for row in anchors:
            if rows.kept[rows.parent[row]]:
                empty.append(row)
        for index in check_boxes:
            row = rows.parent[index]
            while row >= 0 and not (rows.kept[row] and rows.tag[row] == ITEM):
                row = rows.parent[row]
            if row >= 0:
                boxes.append(index)
        return players, empty, boxes
    finally:
        free(scratch)


cdef find_images(Rows* rows, list nodes, const uint8_t* holds, uint8_t* stays):
    """Mark the dropped images that stay, and the rows around them; see `kept_images`.

    `holds` says whether a row holds kept text. `stays` is filled with zeros: whether a row stays if
    its branch does.
    """
    cdef const uint16_t* tag = rows.tag
    cdef const int32_t* end = rows.end
    cdef const int32_t* parent = rows.parent
    cdef const int32_t* words = rows.words
    cdef const uint8_t* linked = rows.linked
    cdef const uint8_t* hidden = rows.hidden
    cdef int32_t figure_reach = 0, noscript_reach = 0, reach
    cdef Py_ssize_t row = 0, at, images, shown, links, buttons, figures, in_figure, last_text = -1
    cdef int32_t captions, in_links, outside, total
    cdef bint is_kept_before = False, has_text, needs_one, begins, fits, has_prose
    cdef list waiting = []  # branches whose next text is still to come
    while row < rows.size:
        captions = in_links = outside = total = images = shown = links = buttons = 0
        figures = in_figure = 0
        has_text = False
        reach = figure_reach
        # A row that holds kept text is read alone, any other with all that is in it: a branch.
        for at in range(row, row + 1 if holds[row] else end[row]):
            if tag[at] == 0:
                if not hidden[at]:
                    if words[at] > 0 or (holds[at] and rows.chars[at] > 0):
                        has_text = True
                    total += words[at]
                    if linked[at]:
                        in_links += words[at]
                    if at >= figure_reach:
                        captions += words[at]
                        if linked[at]:
                            outside += words[at]
            elif tag[at] == FIGURE:
                figures += 1
                figure_reach = max(figure_reach, end[at])
            elif tag[at] == NOSCRIPT:
                noscript_reach = max(noscript_reach, end[at])
            elif tag[at] == SOURCE:
                stays[at] = 1
            elif tag[at] == IMAGE and not rows.kept[at]:
                stays[at] = at < noscript_reach
                images += not hidden[at]
        has_prose = total > 0 and 2 * in_links <= total
        fits = images > 0 and holds[row] == 0 and captions <= CAPTION_WORDS and (
            outside == 0 or has_prose
        )
        if fits:
            for at in range(row, end[row]):
                if tag[at] == FIGURE:
                    reach = max(reach, end[at])
                elif tag[at] == IMAGE and not rows.kept[at] and not hidden[at] and not is_icon(
                    nodes[at]
                ):
                    stays[at] = 1
                    shown += 1
                    links += linked[at]
                    if at < reach:
                        in_figure += 1
                    else:
                        buttons += linked[at]
            fits = shown > 0 and (in_links == 0 or links == 0 or has_prose) and (
                captions == 0 or has_caption_class(nodes, tag, row, end[row])
            )
        if fits:
            needs_one = shown == 1 and (
                (figures == in_figure == 1 and links == 0) or (captions > 0 and has_prose)
            )
            begins = (
                shown == 1 and total == 0 and row > 0 and last_text < parent[row]
                and tag[parent[row]] != BODY
            )
            if buttons <= 1:
                waiting.append((row, needs_one, is_kept_before, begins))
        elif has_text:
            if waiting:
                keep_branches(rows, waiting, row, holds[row], stays)
                waiting = []
            is_kept_before = holds[row]
            last_text = row
            if row >= rows.stop:
                break  # no kept text is beside any other branch
        row = row + 1 if holds[row] else end[row]
    keep_branches(rows, waiting, rows.size, False, stays)


cdef bint is_icon(node) except -1:
    """Return whether an image states the size of an icon; see `kept_images`."""
    cdef object stated
    cdef Py_ssize_t size, least = -1, largest = -1
    for name in SIZES:
        stated = attribute(node, name)
        if stated is not None and (<str> stated).isdecimal():
            size = int((<str> stated)[:5])
            least = size if least < 0 else min(least, size)
            largest = max(largest, size)
    if least < 0 or least > ICON_PIXELS:
        return False
    if largest <= 1:
        for name in LAZY:
            if attribute(node, name):
                return False
    return least > 0 or largest <= ICON_PIXELS


cdef bint has_caption_class(
    list nodes, const uint16_t* tag, Py_ssize_t branch, Py_ssize_t stop
) except -1:
    """Return whether a class in the branch says that it is a caption."""
    cdef Py_ssize_t row
    cdef object names
    for row in range(branch, stop):
        if tag[row]:
            names = attribute(nodes[row], CLASS)
            if names is not None and "caption" in (<str> names).lower():
                return True
    return False


cdef keep_branches(
    Rows* rows, list waiting, Py_ssize_t after, bint is_kept_after, const uint8_t* stays
):
    """Mark what stays in the branches between kept texts; `after` is the row of the second one."""
    cdef Py_ssize_t branch, row
    cdef bint needs_one, is_kept_before, begins
    for branch, needs_one, is_kept_before, begins in waiting:
        if begins and is_kept_after and after < rows.end[rows.parent[branch]]:
            needs_one = True
        if is_kept_before + is_kept_after + needs_one >= 2:
            for row in range(branch, rows.end[branch]):
                if stays[row]:
                    mark_upwards(row, rows.parent, rows.kept)


cdef find_empty(Rows* rows, list nodes, list players, list anchors):
    """Find the elements between kept texts that hold nothing: players, links and spans."""
    cdef Py_ssize_t row, count = 0, boxes = 0
    for row in range(rows.text_rows[rows.first_text], rows.stop):
        if rows.end[row] != row + 1:
            continue
        if rows.tag[row] == BOX:
            count += 1
            boxes += 1
            if boxes <= MOST_BOXES and becomes_player(nodes[row]):
                players.append(row)
        elif rows.tag[row] == LINK or rows.tag[row] == SPAN:
            count += 1
            if count <= MOST_ANCHORS:
                anchors.append(row)


cdef bint becomes_player(node) except -1:
    """Return whether a script makes a player of an empty element."""
    if attribute(node, YOUTUBE) or attribute(node, VIMEO):
        return True
    cdef str address = attribute(node, DATA_SRC)
    return address and FIND_PLAYER(address[:MOST_READ]) is not None


cdef Py_ssize_t end_of_caption(
    Rows* rows, list nodes, Py_ssize_t row, const uint8_t* holds
) except -2:
    """Return the end of the branch around a medium if its rest is a caption, else -1."""
    cdef Py_ssize_t at, top = row, begin = rows.end[row], end
    cdef int32_t words = 0
    while rows.parent[top] >= 0 and not holds[rows.parent[top]]:
        top = rows.parent[top]
    end = rows.end[top]
    if end - begin > MOST_ROWS:
        return -1
    for at in range(begin, end):
        if rows.tag[at] == 0 and not rows.hidden[at]:
            words += rows.words[at]
    if not 0 < words <= CAPTION_WORDS or not has_caption_class(nodes, rows.tag, begin, end):
        return -1
    return end


cdef keep_media(
    Rows* rows, list nodes, list tags, list players, const uint8_t* holds, uint8_t* chosen
):
    """Mark the media between kept texts, and the rows around them; see `kept_images.kept_media`.

    `tags` are those of players besides the rows `players`, which become those that stay. `chosen`
    is scratch, of one more than there are rows.
    """
    cdef Py_ssize_t row, at, done = 0
    cdef int32_t figure_reach = 0
    cdef Py_ssize_t end
    cdef bint is_before = False, is_beside_figure = False, stays
    cdef uint8_t* after = <uint8_t*> malloc(rows.size + 1)  # of each row, and at the end
    if after == NULL:
        raise MemoryError
    memset(chosen, 0, rows.size + 1)
    for row in players:
        chosen[row] = IS_PLAYER
    after[rows.size] = 0
    for row in range(rows.size - 1, -1, -1):
        after[row] = after[row + 1]
        if rows.tag[row] == 0:
            if rows.words[row] > 0 and not rows.hidden[row]:
                after[row] = holds[row]
        elif IS_MEDIA[rows.tag[row]]:
            chosen[row] = IS_MEDIUM
    for row in range(rows.size if tags else 0):
        if rows.tag[row] in tags:
            chosen[row] = IS_PLAYER
    players.clear()
    for row in range(rows.size):
        if rows.tag[row] == 0:
            if rows.words[row] > 0 and not rows.hidden[row]:
                is_before = holds[row]
        elif rows.tag[row] == FIGURE and row >= figure_reach:  # the outermost one
            figure_reach = rows.end[row]
            is_beside_figure = is_before or after[figure_reach]
        if not chosen[row] or rows.hidden[max(rows.parent[row], 0)]:
            continue
        stays = is_before and after[rows.end[row]]
        if not stays and row < figure_reach:
            stays = is_beside_figure or is_before or after[rows.end[row]]
        if not stays and is_before:
            end = end_of_caption(rows, nodes, row, holds)
            stays = end >= 0 and after[end]
        if not stays:
            continue
        if chosen[row] == IS_PLAYER:
            players.append(row)
        if row < done:
            continue
        done = rows.end[row]
        for at in range(row, done):
            if rows.tag[at]:
                rows.kept[at] = 1  # text that is not kept stays out
        mark_upwards(rows.parent[row], rows.parent, rows.kept)
    free(after)


def find_captions(page, keep, kept):
    """Return the rows of dropped captions of what stays; see `kept_images.caption_boxes`."""
    cdef Rows rows = rows_of(page, page.tag, keep, kept)
    cdef Py_ssize_t row, picture, at, text, box, count = 0, looked_at = 0
    cdef int32_t* worded = NULL  # the texts with visible words
    cdef bint is_after
    cdef set found = set()
    cdef list pictures = [], nodes
    for row in range(rows.size):
        if rows.kept[row] and IS_PICTURE[rows.tag[row]]:
            pictures.append(row)
    if not pictures:
        return []
    nodes = page.nodes
    worded = <int32_t*> malloc((rows.texts + 1) * sizeof(int32_t))
    try:
        if worded == NULL:
            raise MemoryError
        for text in range(rows.texts):
            if rows.words[rows.text_rows[text]] > 0 and not rows.hidden[rows.text_rows[text]]:
                worded[count] = <int32_t> text
                count += 1
        for is_after in [True, False] if page.present[FIGCAPTION] else [True]:
            for picture in pictures:
                text = first_text(
                    rows.text_rows, rows.texts, rows.end[picture] if is_after else picture
                )
                at = first_text(worded, count, text) - (not is_after)
                if at < 0 or at >= count or rows.keep[worded[at]]:
                    continue
                looked_at += 1
                if looked_at > MOST_CAPTIONS:
                    break
                box = caption_box(&rows, nodes, picture, rows.text_rows[worded[at]])
                if box >= 0:
                    found.add(box)
    finally:
        free(worded)
    return sorted(found)


cdef Py_ssize_t caption_box(
    Rows* rows, list nodes, Py_ssize_t picture, Py_ssize_t text
) except -2:
    """Return the row of the caption that a text beside a picture is in, -1 for none."""
    cdef Py_ssize_t box = -1, row = rows.parent[text], at
    cdef object names
    while row >= 0 and not row < picture < rows.end[row]:
        if rows.tag[row] == FIGCAPTION:
            return row if 0 < words_in(rows, row) <= FIGCAPTION_WORDS else -1
        if rows.tag[row] == FIGURE:
            return -1
        names = attribute(nodes[row], CLASS)
        if names is not None and "caption" in (<str> names).lower():
            box = row
        row = rows.parent[row]
    if box < 0:
        return -1
    at = first_text(rows.text_rows, rows.texts, row)
    while at < rows.texts and rows.text_rows[at] < rows.end[row]:
        if rows.keep[at]:
            return -1
        at += 1
    return box if 0 < words_in(rows, box) <= CAPTION_WORDS else -1


cdef int32_t words_in(Rows* rows, Py_ssize_t row) noexcept nogil:
    """Return the words in an element, 0 if most of them are a link that is no name."""
    cdef Py_ssize_t at
    cdef int32_t words = 0, linked = 0
    for at in range(row, rows.end[row]):
        words += rows.words[at]
        if rows.linked[at]:
            linked += rows.words[at]
    return 0 if 2 * linked > words and linked >= LINK_WORDS else words


cdef enum:  # marks of a row
    ENDS_LINE = 1  # an empty `div` takes its place
    IS_SHADOW_ROOT = 2
    IS_SPACED = 4  # a space comes before this text


cdef keep_spaces(Rows* rows, tuple texts, int32_t* codes, int32_t* blank_rows):
    """Mark the white space for which plain text writes white space, and the rows around it.

    See `separating_spaces`. The scratch holds the innermost code around each row, and blank texts.
    """
    cdef Py_ssize_t row, text, index, blank, blanks = 0, after_dropped = 0
    cdef uint16_t own, gap = LEVELS
    cdef int32_t code, last_code = -1
    cdef uint16_t* ended = <uint16_t*> calloc(rows.size + 1, sizeof(uint16_t))
    cdef Py_ssize_t begin  # the first kept text, or the outermost code around it
    if ended == NULL:
        raise MemoryError
    text = rows.first_text
    begin = row = rows.text_rows[text]
    while row >= 0:
        if rows.bits[row] & KEEPS_SPACE:
            begin = row
        row = rows.parent[row]
    while text > 0 and rows.text_rows[text - 1] > begin:
        text -= 1
    row = rows.parent[begin]
    while row >= 0:
        codes[row] = -1
        ended[rows.end[row]] |= rows.bits[row]
        row = rows.parent[row]
    for row in range(begin, rows.stop):
        own = rows.bits[row]
        gap |= (ended[row] | own) & LEVELS
        if own & LEVELS:
            ended[rows.end[row]] |= own
        code = row if own & KEEPS_SPACE else codes[rows.parent[row]] if row else -1
        codes[row] = code
        if rows.text_rows[text] != row:
            continue
        text += 1
        if rows.chars[row] == 0 or (
            rows.words[row] == 0 and (<str> PyTuple_GET_ITEM(texts, text - 1)).isspace()
        ):
            if not rows.bits[max(rows.parent[row], 0)] & RAW:
                blank_rows[blanks] = row
                blanks += 1
            continue
        if not rows.keep[text - 1]:
            after_dropped = blanks
            continue
        for index in range(blanks):
            blank = blank_rows[index]
            if gap == 0 or (
                code >= 0
                and codes[blank] == code
                and (last_code == code or index >= after_dropped)
            ):
                mark_upwards(blank, rows.parent, rows.kept)
        blanks = after_dropped = gap = 0
        last_code = code
    free(ended)


cdef find_gaps(Rows* rows, tuple texts, uint8_t* marks, int32_t* roots, int32_t* joined):
    """Mark the rows that end a line and the texts that need a space; see `_gaps_to_keep`.

    The scratch holds the dropped rows with a line end inside and a kept parent, and the texts after
    which the line would not end.
    """
    cdef Py_ssize_t row, text = rows.first_text, last_text = -1, root = 0, found = 0, after = 0
    cdef Py_ssize_t at, index, begin = rows.text_rows[text]
    cdef int32_t last_solid = -1, code_reach = 0
    cdef uint16_t own, chips = 0
    cdef uint8_t level, kept_level
    cdef Gap gap, kept_gap  # since the last kept text that is not blank
    cdef const uint8_t* kept = rows.kept
    cdef uint16_t* ended = <uint16_t*> calloc(2 * (rows.size + 1), sizeof(uint16_t))
    cdef uint16_t* kept_ended
    if ended == NULL:
        raise MemoryError
    kept_ended = ended + rows.size + 1
    gap.bits = kept_gap.bits = 0
    gap.breaks = kept_gap.breaks = 0
    row = rows.parent[begin]
    while row >= 0:  # the elements around the first kept text, which are kept
        own = rows.bits[row]
        ended[rows.end[row]] |= at_end(own)
        kept_ended[rows.end[row]] |= at_end(own)
        if own & CODE:
            code_reach = max(code_reach, rows.end[row])
        row = rows.parent[row]
    for row in range(begin, rows.size):
        if row >= rows.stop and found and roots[found - 1] >= rows.stop:
            break
        own = rows.bits[row]
        gap.bits |= ended[row] | own
        kept_gap.bits |= kept_ended[row]
        chips |= ended[row] | own
        if own:
            ended[rows.end[row]] |= at_end(own)
            gap.breaks += (own & BREAK_BIT) != 0
            if own & CODE:
                code_reach = max(code_reach, rows.end[row])
            if kept[row]:
                kept_ended[rows.end[row]] |= at_end(own)
                kept_gap.bits |= own
                kept_gap.breaks += (own & BREAK_BIT) != 0
        if not kept[row]:
            if kept[max(rows.parent[row], 0)]:
                root = row
            if own & LINE_BITS and (found == 0 or roots[found - 1] != root):
                roots[found] = root
                found += 1
        if text == rows.texts or rows.text_rows[text] != row:
            continue
        text += 1
        if not rows.keep[text - 1]:
            continue
        if last_text >= 0 and chips & CHIPS and row >= code_reach and are_apart(
            <str> PyTuple_GET_ITEM(texts, last_text),
            <str> PyTuple_GET_ITEM(texts, text - 1),
            rows.linked[rows.text_rows[last_text]] and rows.linked[row],
            chips & CHIPS | gap.bits & LEVELS,
        ):
            marks[row] |= IS_SPACED
        last_text, chips = text - 1, 0
        if rows.chars[row] == 0:
            continue
        if last_solid >= 0:
            level, kept_level = strongest(gap), strongest(kept_gap)
            if SPACE <= level < LINE and kept_level == JOIN:
                marks[row] |= IS_SPACED
            elif level >= LINE and kept_level < LINE:
                joined[after] = last_solid
                after += 1
        gap.bits = kept_gap.bits = 0
        gap.breaks = kept_gap.breaks = 0
        last_solid = row
    at = 0
    for index in range(after):  # the first of the roots after each of these texts
        while at < found and roots[at] < joined[index]:
            at += 1
        if at < found:
            marks[roots[at]] |= ENDS_LINE
    free(ended)


def read_tree(page, keep, kept, before, tag_bits, list headings, kinds):
    """Return the kept rows as lists and arrays: names, ends, parents, texts, nodes and places.

    With them come the rows of kept ordered lists and of kept tables, and the kept headings that may
    be rules, each with its text. `kept` is written: it gets white space and line ends, and loses
    what is not shown and what is outside the body. `before` is written: the number of kept rows
    before each row. `tag_bits` are those of `gaps`, and `headings` the rows that are paragraphs
    besides. `kinds` says of each tag number whether its places are listed, whether it is never
    shown, and whether its rows are returned, see `kept_tree._KINDS`.
    """
    cdef Rows rows = rows_of(page, page.tag, keep, kept)
    cdef Py_ssize_t row, size = rows.size, body = page.body, stop
    cdef tuple names = page.names, texts = page.texts
    cdef list nodes = page.nodes, tex = page.stated.tex
    cdef const uint16_t* bits_of_tags = tags_of(tag_bits, len(tag_bits))
    cdef const uint8_t* kinds_of_tags = flags_of(kinds, len(kinds))
    cdef int32_t* counts = integers(before, size + 1)
    cdef uint16_t* bits = <uint16_t*> malloc((size + 1) * sizeof(uint16_t))
    cdef int32_t* scratch = <int32_t*> malloc(2 * (size + 1) * sizeof(int32_t))
    cdef uint8_t* marks = <uint8_t*> calloc(size + 1, 1)
    try:
        if bits == NULL or scratch == NULL or marks == NULL:
            raise MemoryError
        for row in range(size):
            bits[row] = bits_of_tags[rows.tag[row]]
        for row in headings:
            bits[row] = bits[row] & ~LEVELS | PARAGRAPH_BIT
        rows.bits = bits
        if rows.first_text < rows.texts:
            keep_spaces(&rows, texts, scratch, scratch + size + 1)
            for row in range(body + 1):
                rows.kept[row] = 1
            find_gaps(&rows, texts, marks, scratch, scratch + size + 1)
        stop = rows.end[body]
        memset(rows.kept, 0, body + 1)
        memset(rows.kept + stop, 0, size - stop)
        row = body + 1
        while row < stop:
            if marks[row] & ENDS_LINE:
                rows.kept[row] = 1
            if rows.kept[row] and kinds_of_tags[rows.tag[row]] & NEVER_SHOWN and leave_out(
                &rows, row, marks, names[rows.tag[row]], nodes[row], tex
            ):
                row = rows.end[row]
            else:
                row += 1
        return kept_lists(&rows, counts, kinds_of_tags, marks, names, texts, nodes)
    finally:
        free(bits)
        free(scratch)
        free(marks)


cdef bint leave_out(Rows* rows, Py_ssize_t row, uint8_t* marks, str name, node, list tex) except -1:
    """Take a script, style or template out of `kept`, or mark a template that is shown."""
    if name == "template" and attribute(node, SHADOW_ROOT_MODE) is not None:
        marks[row] |= IS_SHADOW_ROOT
        return False
    if row in tex:
        return False
    memset(rows.kept + row, 0, rows.end[row] - row)
    return True


cdef list new_list(Py_ssize_t size):
    """Return a list whose items are still to be set.

    It will hold texts or nodes of the parser, which are in no cycle, so that the garbage collector
    need not look through it.
    """
    cdef list made = PyList_New(size)
    PyObject_GC_UnTrack(made)
    return made


cdef array.array INTEGERS = array.array("i")


cdef inline void put(list items, Py_ssize_t index, object item) noexcept:
    """Set an item of a new list."""
    Py_INCREF(item)
    PyList_SET_ITEM(items, index, item)


cdef tuple kept_lists(
    Rows* rows,
    int32_t* before,
    const uint8_t* kinds,
    const uint8_t* marks,
    tuple page_names,
    tuple page_texts,
    list page_nodes,
):
    """Return what `read_tree` does."""
    cdef Py_ssize_t row, text = 0, index = 0, above, first = 0, last = rows.size
    cdef list names, texts, nodes
    cdef array.array ends, parents
    cdef list ordered = [], tables = [], rules = []
    cdef dict places = {}
    cdef str name, data
    cdef object node
    cdef uint8_t kind
    cdef uint16_t tag
    while first < last and not rows.kept[first]:
        first += 1
    while last > first and not rows.kept[last - 1]:
        last -= 1
    while text < rows.texts and rows.text_rows[text] < first:
        text += 1
    memset(before, 0, first * sizeof(int32_t))
    for row in range(first, last):
        before[row] = index
        index += rows.kept[row]
    for row in range(last, rows.size + 1):
        before[row] = index
    names, texts, nodes = new_list(index), new_list(index), new_list(index)
    ends, parents = array.clone(INTEGERS, index, False), array.clone(INTEGERS, index, False)
    for row in range(first, last):
        tag = rows.tag[row]
        if not rows.kept[row]:
            text += tag == 0
            continue
        index, above = before[row], rows.parent[row]
        ends.data.as_ints[index] = before[rows.end[row]]
        parents.data.as_ints[index] = before[above] if rows.kept[above] else -1
        if tag == 0:
            put(names, index, "")
            if marks[row] & IS_SPACED:
                put(texts, index, " " + <str> PyTuple_GET_ITEM(page_texts, text))
            else:
                put(texts, index, <object> PyTuple_GET_ITEM(page_texts, text))
            put(nodes, index, None)
            text += 1
            continue
        kind, node = kinds[tag], <object> PyList_GET_ITEM(page_nodes, row)
        name = <str> PyTuple_GET_ITEM(page_names, tag)
        if kind & HEADING and rows.end[row] == row + 2 and rows.tag[row + 1] == 0:
            data = <str> PyTuple_GET_ITEM(page_texts, text)
            if PyUnicode_GET_LENGTH(data) and not Py_UNICODE_ISALNUM(PyUnicode_READ_CHAR(data, 0)):
                rules.append((row, data))
        if marks[row]:
            if marks[row] & ENDS_LINE:
                kind, name, node = 0, "div", None
            if marks[row] & IS_SHADOW_ROOT:
                name = SHADOW_ROOT
        if kind:
            if kind & HAS_PLACES:
                if name in places:
                    (<list> places[name]).append(index)
                else:
                    places[name] = [index]
            if kind & ORDERED:
                ordered.append(row)
            if kind & TABLE:
                tables.append(row)
        put(names, index, name)
        put(texts, index, "")
        put(nodes, index, node)
    return (names, ends, parents, texts, nodes, places), ordered, tables, rules


def read_attributes(node, tuple names):
    """Return the values of attributes of an element; each name is in a tuple of its own."""
    cdef object method = reader_of(type(node))
    cdef Py_ssize_t index, size = len(names)
    cdef list values = new_list(size)
    for index in range(size):
        put(values, index, call_method(method, node, <tuple> PyTuple_GET_ITEM(names, index)))
    return values


def plain_code(
    list tags, list texts, list nodes, dict replaced, Py_ssize_t first, Py_ssize_t stop, line_tags,
    marks
):
    """Return the texts of a block of code, joined, None if elements tell its lines or a gutter.

    `line_tags` are those of lines, and `marks` are not 0 for a class that names a line or a gutter.
    With a row in `replaced`, None is returned too.
    """
    cdef list parts = []
    cdef Py_ssize_t row
    cdef object node, name, method = None
    cdef PyObject* mark
    cdef PyObject* plain = NULL  # the last name that is none of a line: rows share the object
    cdef str tag
    if len(replaced) < stop - first:
        for row in replaced:
            if first <= row < stop:
                return None
    elif any([row in replaced for row in range(first, stop)]):
        return None
    for row in range(first, stop):
        tag = <str> PyList_GET_ITEM(tags, row)
        if PyUnicode_GET_LENGTH(tag) == 0:
            parts.append(<object> PyList_GET_ITEM(texts, row))
            continue
        if plain != <PyObject*> tag:
            if tag in line_tags:
                return None
            plain = <PyObject*> tag if tag != "br" else NULL
        node, name = <object> PyList_GET_ITEM(nodes, row), None
        if node is not None:
            if method is None:
                method = reader_of(type(node))
            name = call_method(method, node, CLASS)
        mark = PyDict_GetItem(marks, name)
        if (<object> mark if mark != NULL else marks[name]) != 0:
            return None
        if plain == NULL:
            parts.append("\n")
    return "".join(parts)


def find_classes(list nodes, list places):
    """Return the elements that may be a formula or code; see `KeptTree.classes`."""
    cdef list found = [], indexes, boxes = places[1]
    cdef object method = None, node, names
    cdef Py_ssize_t index
    cdef bint matters
    for indexes in places:
        for index in indexes:
            node = nodes[index]
            if node is None:
                continue
            if method is None:
                method = reader_of(type(node))
            names = call_method(method, node, CLASS)
            if names is None:
                names, matters = "", False
            elif PyUnicode_KIND(names) == 1:
                matters = may_matter(
                    <const uint8_t*> PyUnicode_DATA(names), PyUnicode_GET_LENGTH(names)
                )
            else:
                matters = "ath" in names or "code" in names or FIND_TEX(names) is not None
            if not matters and indexes is not boxes and (
                names == "" or type(node) is not PARSED or len(read_attribute(ATTRS, node)) > 1
            ):
                matters = call_method(method, node, DATA_TEX) is not None
            if matters:
                found.append((index, names))
    return found


cdef bint may_matter(const uint8_t* text, Py_ssize_t size) noexcept nogil:
    """Return whether a class has one of "ath", "tex" without "text", and "code"."""
    cdef Py_ssize_t at
    for at in range(2, size):
        if text[at] == 104:
            if text[at - 2] == 97 and text[at - 1] == 116:
                return True
        elif text[at] == 120:
            if text[at - 2] == 116 and text[at - 1] == 101 and text[at + 1] != 116:  # a 0 ends it
                return True
        elif text[at] == 101 and at > 2:
            if text[at - 3] == 99 and text[at - 2] == 111 and text[at - 1] == 100:
                return True
    return False

