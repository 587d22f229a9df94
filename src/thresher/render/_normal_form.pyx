"""The compiled version of `normal_form`, which documents what is done and why.

Classes and methods have the same names there. Here, the open elements are C structs, and texts are
read character by character once.
"""

from inspect import getattr_static

cimport cython
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_Substring
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, realloc
from thresher.page.node_calls cimport call_method
from thresher.render._kept_tree cimport KeptTree
from thresher.render.known_names cimport KnownNames, value_of
from thresher.render._tree cimport Element, Text

from thresher.page._views import is_whole_address
from thresher.page.addresses import resolve
from thresher.page.attributes import parse_integer
from thresher.page.plain_text.lists import count_items, first_number
from thresher.render import normal_form
from thresher.render.code import normalise_code
from thresher.render.footnotes import is_normal_note, is_normal_reference, normalise_footnotes
from thresher.render.images import normalise_images
from thresher.render.maths import normalise_maths
from thresher.render.media import normalise_media
from thresher.render.scan import collapsed
from thresher.render.tables import read_table

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index) nogil
    void PyUnicode_WRITE(int kind, void* data, Py_ssize_t index, uint32_t value) nogil
    uint32_t PyUnicode_MAX_CHAR_VALUE(object text)
    str PyUnicode_New(Py_ssize_t size, uint32_t largest)
    bint Py_UNICODE_ISSPACE(uint32_t character) nogil
    void PyObject_GC_UnTrack(object container)
    int PyList_SetSlice(object items, Py_ssize_t first, Py_ssize_t stop, void* others) except -1

ctypedef fused code_point:
    uint8_t
    uint16_t
    uint32_t

cdef enum:  # kinds of frames
    BLOCKS, MIXED, LINE, ITEMS, CLOSED

cdef enum:  # meanings of elements
    NONE, LEAF, SUP, EDGE, FORMAT, LINK, PARAGRAPH, SPACE, ANNOTATION, TABLE, FRAME

cdef enum:  # directions of writing
    UNSTATED = 1
    LEFT_TO_RIGHT = 2
    RIGHT_TO_LEFT = 3

cdef enum:  # what to undo at the end of an element
    IS_BLOCK = 1
    IS_SPACED = 2

cdef enum:  # tasks
    READ_ROWS, ENTER, ENTER_ROW, WRITE_CELL, LEAVE

cdef enum:
    ALL_OPEN = -1
    EMPTY = -1
    ZERO_WIDTH = 0x200B
    MARK = 0xFEFF

cdef Py_ssize_t MAX_DEPTH = normal_form.MAX_DEPTH
cdef Py_ssize_t MAX_LANGUAGES = normal_form._MAX_LANGUAGES
cdef frozenset HEADINGS = normal_form.HEADINGS, INLINE = normal_form.INLINE
cdef frozenset ITEM_TAGS = normal_form._ITEM_TAGS, MERGING = normal_form._MERGING
cdef frozenset DROPPED = normal_form._DROPPED, APART = normal_form._APART
cdef frozenset IMAGE_TAGS = normal_form.IMAGE_TAGS, MEDIA_TAGS = normal_form.MEDIA_TAGS
cdef dict MEANINGS = normal_form._MEANINGS, FORMATS = normal_form._FORMATS
cdef KnownNames MEANINGS_OF
cdef dict LISTS = normal_form._LISTS, HOLDERS = normal_form._HOLDERS
cdef dict IMPLIED_LISTS = normal_form._IMPLIED_LISTS, CAPTIONS = normal_form._CAPTIONS
cdef dict FRAME_KINDS = normal_form._FRAME_KINDS, DIRECTIONS = normal_form._DIRECTIONS
cdef str PIECES = normal_form.PIECES, NOTE = normal_form.NOTE
cdef str DISPLAYED = normal_form.DISPLAYED
cdef str HIDDEN_MAIL = normal_form._HIDDEN_MAIL
cdef object LANGUAGE = normal_form.LANGUAGE, STRAY = normal_form._STRAY

cdef tuple DIRECTION = ("dir",), TITLE = ("title",), HREF = ("href",)
cdef dict READERS = {}  # the method `attr` of each type of nodes
cdef object last_kind = None, last_reader = None


cdef inline reader_of(node):
    """Return the method `attr` of the type of a node, as `call_method` takes it."""
    global last_kind, last_reader
    cdef object kind = type(node)
    if kind is not last_kind:  # true of few: nodes of a page have one type
        if kind not in READERS:
            READERS[kind] = getattr_static(kind, "attr")
        last_kind, last_reader = kind, READERS[kind]
    return last_reader


cdef inline Element new_element(str tag, dict attributes=None):
    cdef Element element = Element.__new__(Element)
    element.tag = tag
    element.attrs = attributes
    element.children = []
    PyObject_GC_UnTrack(element.children)  # a tree has no cycles for the collector to find
    return element


cdef inline cut(list items, Py_ssize_t size):
    """Shorten a list to its first items."""
    if PyList_GET_SIZE(items) > size:
        PyList_SetSlice(items, size, PyList_GET_SIZE(items), NULL)


def normalise(KeptTree tree, *, url=None, links=True, images=True, spoken=False):
    """Return the kept content of a page in the normal form, as an element `body`."""
    cdef Element body = new_element("body")
    cdef Builder builder = Builder(tree, body, url)
    builder.links, builder.images, builder.spoken = links, images, spoken
    builder.read()
    return body


def is_inline(node):
    """Return whether a node of the normal form belongs in a line, as text does."""
    return type(node) is not Element or (<Element> node).tag in INLINE


def are_inline(list nodes):
    """Return whether all nodes of the normal form belong in a line."""
    for node in nodes:
        if type(node) is Element and (<Element> node).tag not in INLINE:
            return False
    return True


def lines_and_blocks(Element container):
    """Return the content of an element: each line as a list of nodes, and each block."""
    cdef list pieces = [], line = []
    for node in container.children:
        if type(node) is Element and (<Element> node).tag not in INLINE:
            pieces.append(node)
            line = []
            continue
        if not line:
            pieces.append(line)
        line.append(node)
    return pieces


def numbered_items(Element list_):
    """Return the items of a list, each with its number as a browser shows it."""
    cdef list items = [
        item for item in list_.children if type(item) is Element and (<Element> item).tag == "li"
    ]
    if list_.tag != "ol":
        return list(zip(items, range(1, len(items) + 1)))
    values = [(<Element> item).attr("value") for item in items]
    numbers = count_items(list_.attr("start"), list_.attr("reversed") is not None, values)
    return list(zip(items, numbers))


# --- the elements that are being filled -----------------------------------------------------------


@cython.freelist(16)
cdef class Frame:
    """An element of the normal form that is being filled."""

    cdef Element element
    cdef int kind
    cdef Frame parent
    cdef bint attached
    cdef Py_ssize_t size
    cdef bint has_bare_line
    cdef Frame last
    cdef object number  # of any size
    cdef int step
    cdef Frame implied
    cdef Py_ssize_t implied_at


cdef Frame new_frame(Element element, int kind, Frame parent):
    cdef Frame frame = Frame.__new__(Frame)
    frame.element = element
    frame.kind = kind
    frame.parent = parent
    frame.attached = parent is None
    frame.number = 1
    frame.step = 1
    frame.implied_at = -1
    return frame


cdef write_number(Frame item, Frame parent):
    """Write the number of an item only where counting on would give another."""
    if parent.last is None:
        if item.number != 1 or parent.step < 0:
            parent.element.set("start", str(item.number))
    elif item.number != parent.last.number + parent.step:
        item.element.set("value", str(item.number))


cdef wrap_first_line(Element element):
    """Wrap the line that an element holds directly in a paragraph."""
    cdef Element paragraph = new_element("p")
    cdef Py_ssize_t size = 0
    for node in element.children:
        if not is_inline(node):
            break
        size += 1
    paragraph.children = element.children[:size]
    element.children[:size] = [paragraph]


# --- lines ----------------------------------------------------------------------------------------


@cython.freelist(16)
@cython.no_gc  # it holds a dictionary of texts
cdef class Format:
    """Formatting of the words to come, and the index of the element that it comes from."""

    cdef str tag
    cdef Py_ssize_t source
    cdef dict attributes


cdef Format new_format(str tag, Py_ssize_t source, dict attributes):
    cdef Format made = Format.__new__(Format)
    made.tag = tag
    made.source = source
    made.attributes = attributes
    return made


cdef inline bint continues_as(Format first, Format following, bint after_space):
    if first.source == following.source:
        return True
    return not after_space and first.tag == following.tag and first.tag in MERGING


cdef inline bint is_space(uint32_t character) noexcept nogil:
    """Return whether a character is white space in HTML."""
    return character <= 32 and (character == 32 or (9 <= character <= 13 and character != 11))


cdef struct Ends:
    Py_ssize_t first  # the first character that is no white space of HTML
    Py_ssize_t stop  # one past the last one
    Py_ssize_t size  # with each run of white space as one; -1 if all of them are single spaces


cdef bint is_blank(const code_point* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at
    for at in range(size):
        if not Py_UNICODE_ISSPACE(text[at]):
            return False
    return True


cdef bint has_zero_width(const code_point* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at
    for at in range(size):
        if text[at] == ZERO_WIDTH or text[at] == MARK:
            return True
    return False


cdef Ends find_ends(const code_point* text, Py_ssize_t size) noexcept nogil:
    """Find the white space of a text that has some other character."""
    cdef Ends found
    cdef Py_ssize_t at, count = 0
    cdef bint after_space = False, is_plain = True
    cdef code_point surplus = 0  # of the width of the characters, so that many are compared at once
    found.first, found.stop = 0, size
    while is_space(text[found.first]):
        found.first += 1
    while is_space(text[found.stop - 1]):
        found.stop -= 1
    for at in range(found.first, found.stop - 1):
        surplus |= <code_point> (text[at] < 32) | ((text[at] == 32) & (text[at + 1] == 32))
    if not surplus:  # true of most
        found.size = -1
        return found
    for at in range(found.first, found.stop):
        if text[at] <= 32 and is_space(text[at]):
            if after_space or text[at] != 32:
                is_plain = False
            count += not after_space
            after_space = True
        else:
            count += 1
            after_space = False
    found.size = -1 if is_plain else count
    return found


cdef str collapsed_part(str text, Ends ends):
    """Return the part of a text between its white space, with each run of it as one space."""
    cdef str made = PyUnicode_New(ends.size, PyUnicode_MAX_CHAR_VALUE(text))
    cdef int kind = PyUnicode_KIND(text), made_kind = PyUnicode_KIND(made)
    cdef void* data = PyUnicode_DATA(text)
    cdef void* written = PyUnicode_DATA(made)
    cdef Py_ssize_t at, count = 0
    cdef uint32_t character
    cdef bint after_space = False
    for at in range(ends.first, ends.stop):
        character = PyUnicode_READ(kind, data, at)
        if is_space(character):
            if after_space:
                continue
            character = 32
        after_space = character == 32
        PyUnicode_WRITE(made_kind, written, count, character)
        count += 1
    return made


# --- reading the rows -----------------------------------------------------------------------------

cdef struct Opened:  # what to undo at the end of an element
    Py_ssize_t end  # of its rows
    Py_ssize_t frames  # how many were open before; -1 for a block without a frame
    Py_ssize_t formats  # how many were open before, if one was added, else -1
    int kind
    uint8_t text  # to add at the end, 0 for none


cdef class Builder:
    """Reads the kept rows of a page in order and writes the normal form."""

    cdef KeptTree tree
    cdef object url
    cdef bint links, images, spoken, has_url
    cdef dict languages, image_attributes, addresses
    cdef Opened* opened
    cdef Py_ssize_t depth, room  # of `opened`
    cdef list tasks
    # Frames.
    cdef list frames
    cdef Py_ssize_t row  # the text or the open element that was read last
    cdef bytearray directions
    cdef bytearray replaced  # whether something takes the place of each row; None if nothing does
    # The current line.
    cdef Element line
    cdef bint may_split, is_open, space
    cdef str word  # the first that is not in the tree yet
    cdef list words, formats, open_formats, open_elements
    cdef Py_ssize_t breaks

    def __cinit__(self, KeptTree tree, Element body, url):
        self.opened = NULL
        self.tree = tree
        self.url, self.has_url = url, bool(url)
        self.image_attributes, self.addresses, self.languages = {}, {}, {}
        self.tasks = []
        self.frames = [new_frame(body, BLOCKS, None)]
        self.row = -1
        self.directions = bytearray(len(tree.tags) + 1)
        self.directions[0] = UNSTATED
        self.words, self.formats, self.open_formats, self.open_elements = [], [], [], []

    def __dealloc__(self):
        free(self.opened)

    cdef read(self):
        """Write the whole tree, without recursion."""
        cdef int kind
        self.rewrite()
        if self.tree.replaced:  # nothing below replaces a row
            self.replaced = bytearray(len(self.tree.tags))
            for index in self.tree.replaced:
                self.replaced[index] = 1
        self.read_rows(0, len(self.tree.tags), 0)
        while self.tasks:
            kind, first, second, third = self.tasks.pop()
            if kind == READ_ROWS:
                self.read_rows(first, second, third)
            elif kind == ENTER:
                self.enter(first, self.tree.tags[first], MEANINGS[self.tree.tags[first]])
            elif kind == ENTER_ROW:
                self.enter(EMPTY, "tr", FRAME)
            elif kind == WRITE_CELL:
                self.enter(EMPTY, first, FRAME)
                self.write_text(second)
                self.leave_last()
            else:
                self.leave_last()
        self.end_line()

    cdef rewrite(self):
        """Rewrite formulas, images, media, footnotes and code."""
        cdef KeptTree tree = self.tree
        cdef dict places = tree.places
        cdef object node, method = None
        cdef Py_ssize_t link
        if self.spoken:
            self.find_languages()
        normalise_maths(tree)
        if not IMAGE_TAGS.isdisjoint(places):
            self.image_attributes = normalise_images(tree, self.url)
        if self.links and not self.spoken and not MEDIA_TAGS.isdisjoint(places):
            normalise_media(tree, self.url, images=self.images)
        if "a" in places:
            for number in <list> places["a"]:
                link = number
                node = tree.nodes[link]
                if method is None:
                    method = reader_of(node)
                self.addresses[number] = call_method(method, node, HREF)
        if "a" in places or "sup" in places:
            normalise_footnotes(tree, self.addresses, self.url, spoken=self.spoken)
        normalise_code(tree)

    cdef find_languages(self):
        cdef Py_ssize_t index
        cdef str stated
        for index in range(len(self.tree.tags)):
            if self.tree.tags[index]:
                stated = self.tree.attr(index, "lang") or self.tree.attr(index, "xml:lang") or ""
                if LANGUAGE.fullmatch(stated.strip()):
                    self.languages[index] = stated.strip()

    # --- frames ---------------------------------------------------------------------------------

    cdef inline Frame last_frame(self):
        return <Frame> PyList_GET_ITEM(self.frames, PyList_GET_SIZE(self.frames) - 1)

    cdef Frame top(self):
        """Return the innermost frame that is not closed."""
        cdef Py_ssize_t at = PyList_GET_SIZE(self.frames) - 1
        while (<Frame> PyList_GET_ITEM(self.frames, at)).kind == CLOSED:
            at -= 1
        return <Frame> PyList_GET_ITEM(self.frames, at)

    cdef Frame target(self):
        """Return the frame that takes the next line or block."""
        cdef Py_ssize_t at = PyList_GET_SIZE(self.frames) - 1
        cdef Frame frame
        while at >= 0:
            frame = <Frame> PyList_GET_ITEM(self.frames, at)
            while frame.kind == ITEMS and frame.last is not None:
                if frame.last.kind == LINE and frame.element.tag == "dl":
                    self.attach(new_frame(new_element("dd"), MIXED, frame))
                frame = frame.last
            if frame.kind != ITEMS and frame.kind != CLOSED:
                return frame
            at -= 1
        return self.frames[0]

    cdef Frame push(self, Element element, int kind):
        """Open a frame, which is put into the tree when it gets content."""
        cdef Frame top = self.top(), frame
        frame = new_frame(
            element, kind, top if top.kind == ITEMS and element.tag in ITEM_TAGS else self.target()
        )
        self.frames.append(frame)
        return frame

    cdef attach(self, Frame frame):
        """Put a frame, and the frames around it, into the tree."""
        cdef list pending
        if frame.attached:
            return
        if frame.parent.attached:  # true of most
            self.attach_one(frame)
            return
        pending = []
        while frame.parent is not None:
            pending.append(frame)
            frame = frame.parent
        while pending:
            self.attach_one(pending.pop())

    cdef attach_one(self, Frame new):
        """Put a frame into the tree, in which its parent is."""
        cdef Frame parent = new.parent
        if parent.element.tag == "ol":
            write_number(new, parent)
        self.append_block(new.element, parent)
        parent.last = new
        new.attached, new.parent = True, None

    cdef append_block(self, Element block, Frame parent):
        if (
            parent is <Frame> PyList_GET_ITEM(self.frames, 0)
            and self.find_direction() == RIGHT_TO_LEFT
        ):
            block.set("dir", "rtl")
        parent.element.children.append(block)
        parent.size += 1

    cdef int find_direction(self) except -1:
        """Return the direction of writing that the nearest element around the row states."""
        cdef unsigned char* known = self.directions
        cdef list nodes = self.tree.nodes, tags = self.tree.tags
        cdef const int* parents = self.tree.parents.data.as_ints
        cdef Py_ssize_t row = self.row
        cdef object node, stated
        cdef int direction
        while not known[row + 1]:
            stated = None
            if tags[row]:
                node = nodes[row]
                if node is not None:
                    stated = call_method(reader_of(node), node, DIRECTION)
            if stated is not None and stated.lower() in DIRECTIONS:
                known[row + 1] = DIRECTIONS[stated.lower()]
            else:
                row = parents[row]
        direction = known[row + 1]
        row = self.row
        while not known[row + 1]:
            known[row + 1] = direction
            row = parents[row]
        return direction

    cdef put(self, Element block):
        """Append a rule or a block of code, which have no direction."""
        cdef Frame target = self.target()
        self.attach(target)
        target.element.children.append(block)
        target.size += 1

    cdef begin_line(self):
        """Begin a new line."""
        cdef Frame target = self.target()
        self.attach(target)
        self.may_split = target.kind != LINE
        if target.kind == LINE:
            self.line = target.element
            return
        if target.kind == MIXED and target.size == 0:
            target.size, target.has_bare_line = 1, True
            self.line = target.element
            return
        if target.has_bare_line:
            target.has_bare_line = False
            wrap_first_line(target.element)
        self.line = new_element("p")
        self.append_block(self.line, target)

    cdef push_list(self, Py_ssize_t index, str tag):
        """Open a list or a table; an ordered list counts as its attributes say."""
        cdef KeptTree tree = self.tree
        cdef Frame frame = self.push(new_element(tag), ITEMS)
        cdef Py_ssize_t size = 0
        if tag == "ol":
            is_reversed = tree.attr(index, "reversed") is not None
            for child in tree.children(index):
                size += tree.tags[child] == "li"
            frame.number = first_number(tree.attr(index, "start"), is_reversed, size)
            if is_reversed:
                frame.step = -1
                frame.element.set("reversed", "")
            kind = tree.attr(index, "type")
            if kind in ("a", "A", "i", "I"):
                frame.element.set("type", kind)

    cdef push_implied_list(self, str tag):
        """Open the list that items outside of any list share with their neighbours."""
        cdef Frame target = self.target(), same
        same = target.implied
        if same is not None and same.element.tag == tag and target.implied_at == target.size:
            self.frames.append(same)
        else:
            target.implied = self.push(new_element(tag), ITEMS)
            target.implied_at = target.size + 1

    cdef push_item(self, Py_ssize_t index, int kind):
        """Open an item; in an ordered list it has its own number or else the next."""
        cdef Frame parent = self.top(), item
        item = self.push(new_element(self.tree.tags[index]), kind)
        if parent.element.tag == "ol":
            own = self.tree.numbers.get(index)
            own = parse_integer(self.tree.attr(index, "value")) if own is None else own
            item.number = parent.number if own is None else own
            parent.number = item.number + parent.step

    # --- lines ----------------------------------------------------------------------------------

    cdef bint has_format(self, str tag):
        """Return whether the words to come have this formatting."""
        cdef Format each
        for each in self.formats:
            if each.tag == tag:
                return True
        return False

    cdef push_format(self, Format added):
        """Add formatting for the words to come."""
        self.formats.append(added)
        self.is_open = False

    cdef pop_formats(self, Py_ssize_t size):
        """Remove the formatting that was added when there were `size` formats."""
        cut(self.formats, size)
        self.is_open = False

    cdef write_text(self, str data):
        """Add text; a space at its end is written with the next word."""
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(data)
        cdef void* text
        cdef int kind
        cdef Ends ends
        cdef list formats
        if size == 0:
            return
        kind, text = PyUnicode_KIND(data), PyUnicode_DATA(data)
        if kind == 1:
            if Py_UNICODE_ISSPACE((<const uint8_t*> text)[0]) and is_blank(
                <const uint8_t*> text, size
            ):
                self.space = True
                return
            ends = find_ends(<const uint8_t*> text, size)
        else:
            if has_zero_width(<const uint16_t*> text, size) if kind == 2 else has_zero_width(
                <const uint32_t*> text, size
            ):
                data = STRAY.sub("", data)
                size = PyUnicode_GET_LENGTH(data)
                if size == 0:
                    return
                kind, text = PyUnicode_KIND(data), PyUnicode_DATA(data)
            if data.isspace():
                self.space = True
                return
            if kind == 1:
                ends = find_ends(<const uint8_t*> text, size)
            elif kind == 2:
                ends = find_ends(<const uint16_t*> text, size)
            else:
                ends = find_ends(<const uint32_t*> text, size)
        if ends.first > 0:
            self.space = True
        if not self.is_open or self.breaks:
            # Code goes innermost: Markdown cannot hold other formatting within it.
            formats = self.formats
            if PyList_GET_SIZE(formats) > 1 and self.has_format("code"):
                formats = self.formats_but_code()
                formats += [each for each in self.formats if (<Format> each).tag == "code"]
            self.prepare(formats)
            self.is_open = True
        elif self.space:
            self.add(" ")
        if ends.size >= 0:
            data = collapsed_part(data, ends)
        elif ends.first > 0 or ends.stop < size:
            data = PyUnicode_Substring(data, ends.first, ends.stop)
        self.add(data)
        self.space = ends.stop < size

    cdef inline add(self, str word):
        """Add a word, or a space, to those that are still to be put into the tree."""
        if self.word is None:
            self.word = word
        else:
            self.words.append(word)

    cdef write_element(self, Element element):
        """Add a finished inline element; a formula that is displayed is apart from words before."""
        if element.tag == "span" and element.attr("class") == DISPLAYED:
            self.space = True
        self.prepare(self.formats_but_code())
        self.flush().append(element)
        self.is_open = False

    cdef end_line(self):
        """End the line; the formats are opened again in the next."""
        if self.line is not None:
            self.flush()
            self.line = None
            cut(self.open_formats, 0)
            cut(self.open_elements, 0)
            self.may_split = False
            self.is_open = False
        self.space = False
        self.breaks = 0

    cdef list formats_but_code(self):
        return [each for each in self.formats if (<Format> each).tag != "code"]

    cdef list flush(self):
        """Put the words into the tree, and return the content of the innermost open element."""
        cdef Py_ssize_t size = PyList_GET_SIZE(self.open_elements)
        cdef Element innermost = self.line
        cdef Text text
        if size:
            innermost = <Element> PyList_GET_ITEM(self.open_elements, size - 1)
        if self.word is not None:
            text = Text.__new__(Text)
            text.data, self.word = self.word, None
            if PyList_GET_SIZE(self.words):
                text.data += "".join(self.words)
                cut(self.words, 0)
            innermost.children.append(text)
        return innermost.children

    cdef prepare(self, list formats):
        """Write the line breaks, the space and the formatting before the next word."""
        cdef Format each
        cdef Element element
        cdef Py_ssize_t size
        if self.breaks and self.line is not None:
            if self.breaks > 1 and self.may_split:
                self.end_line()
            else:
                self.close_other_formats(self.formats_but_code(), True)
                self.flush().append(new_element("br"))
                self.space = False
        if self.line is None:
            self.begin_line()
            self.space = False
        self.breaks = 0
        if PyList_GET_SIZE(self.open_formats):
            self.close_other_formats(formats, self.space)
        if self.space:
            self.add(" ")
            self.space = False
        size = PyList_GET_SIZE(self.open_formats)
        while size < PyList_GET_SIZE(formats):
            each = <Format> PyList_GET_ITEM(formats, size)
            element = new_element(each.tag, each.attributes)  # which nothing changes
            self.flush().append(element)
            self.open_formats.append(each)
            self.open_elements.append(element)
            size += 1

    cdef close_other_formats(self, list formats, bint after_space):
        """Close the open formatting that the next word does not share."""
        cdef Py_ssize_t shared = 0, size = PyList_GET_SIZE(self.open_formats)
        while shared < size and shared < PyList_GET_SIZE(formats):
            if not continues_as(
                <Format> PyList_GET_ITEM(self.open_formats, shared),
                <Format> PyList_GET_ITEM(formats, shared),
                after_space,
            ):
                break
            shared += 1
        if shared < size:
            self.flush()
            cut(self.open_formats, shared)
            cut(self.open_elements, shared)

    # --- rows -----------------------------------------------------------------------------------

    cdef read_rows(self, Py_ssize_t index, Py_ssize_t stop, Py_ssize_t base):
        """Write rows; at a table, leave the rest to tasks."""
        cdef KeptTree tree = self.tree
        cdef list tags = tree.tags, texts = tree.texts
        cdef const int* ends = tree.ends.data.as_ints
        cdef unsigned char* replaced = NULL
        cdef Py_ssize_t next_end
        cdef str tag
        cdef int meaning
        cdef PyObject* known
        if self.replaced is not None:
            replaced = self.replaced
        base = self.depth if base == ALL_OPEN else base
        next_end = self.opened[self.depth - 1].end if self.depth > base else stop
        while True:
            if index >= next_end:
                while self.depth > base and self.opened[self.depth - 1].end <= index:
                    self.leave_last()
                if index >= stop:
                    return
                next_end = self.opened[self.depth - 1].end if self.depth > base else stop
            if replaced != NULL and replaced[index]:
                self.row = tree.parents.data.as_ints[index]
                self.write_replacement(index)
                index = ends[index]
                continue
            tag = <str> PyList_GET_ITEM(tags, index)
            if PyUnicode_GET_LENGTH(tag) == 0:
                self.row = index
                self.write_text(<str> PyList_GET_ITEM(texts, index))
                index += 1
                continue
            known = value_of(&MEANINGS_OF, MEANINGS, tag)
            meaning = NONE if known == NULL else <object> known
            if meaning == TABLE:
                self.tasks.append((READ_ROWS, ends[index], stop, base))
                self.tasks += self.table_tasks(index)[::-1]
                return
            if (meaning == LEAF or meaning == SUP) and self.write_leaf(index, tag):
                index = ends[index]
                continue
            if meaning != NONE or (self.languages and index in self.languages):
                self.enter(index, tag, meaning)
                next_end = self.opened[self.depth - 1].end
            index += 1

    cdef list table_tasks(self, Py_ssize_t table):
        """Return what is to be done for a table: its rows, or the blocks of a layout table."""
        cdef KeptTree tree = self.tree
        cdef const int* ends = tree.ends.data.as_ints
        cdef list tasks
        cdef bint is_layout = table in tree.layout_tables
        parts = read_table(tree, table)
        rows = [] if is_layout else parts.grid(tree, copy_spans=self.spoken)
        blocks = []
        if len(rows) == 1 and len(rows[0]) == 1 and not parts.captions:  # a cell is no table
            tree.layout_tables.add(table)
            is_layout, rows = True, []
        if not rows:  # a caption alone is no table
            blocks = parts.blocks if is_layout else parts.captions
            items = parts.bulleted(tree)
            blocks = items or blocks
            for block in blocks:
                if tree.tags[block] in ("caption", "td", "th"):
                    tree.tags[block] = "li" if items else "div"
            tree.tags[table] = "ul" if items else "div"
        tasks = [
            (READ_ROWS, other, ends[other], ALL_OPEN)
            for other in ([] if is_layout else parts.others)
            if tree.tags[other] or tree.texts[other].strip()
        ]
        tasks.append((ENTER, table, None, None))
        for index in parts.captions if rows else blocks:
            tasks.append((READ_ROWS, index, ends[index], ALL_OPEN))
        for row in rows:
            tasks.append((ENTER_ROW, None, None, None))
            for cell in row:
                if not isinstance(cell, int):
                    tag, text = cell
                    tasks.append((WRITE_CELL, tag, text, None))
                elif cell == EMPTY:
                    tasks.append((WRITE_CELL, "td", "", None))
                else:
                    tasks.append((READ_ROWS, cell, ends[cell], ALL_OPEN))
            tasks.append((LEAVE, None, None, None))
        tasks.append((LEAVE, None, None, None))
        return tasks

    cdef write_replacement(self, Py_ssize_t index):
        """Write what takes the place of an element."""
        cdef object replacement = self.tree.replaced[index]
        cdef Element node
        cdef Py_ssize_t formats
        if replacement is None:
            return
        if type(replacement) is Text:
            self.write_text((<Text> replacement).data)
            return
        node = replacement
        if node.tag == PIECES:
            self.write_pieces(node)
        elif self.tree.tags[index] in APART and node.tag != "pre":
            self.write_edge(False)
            self.write_element(node)
            self.write_edge(False)
        elif node.tag != "pre":
            self.write_element(node)
        elif self.begin_block():
            self.put(node)
        else:  # where no block may be, it is code in a line
            self.write_edge(False)
            formats = len(self.formats)
            if not self.has_format("code"):
                self.push_format(new_format("code", index, None))
            self.write_text(node.text)
            self.write_edge(False)
            self.pop_formats(formats)

    cdef write_pieces(self, Element pieces):
        """Write texts, line breaks and formulas that take the place of a text."""
        for piece in pieces.children:
            if type(piece) is Text:
                self.write_text((<Text> piece).data)
            elif (<Element> piece).tag == "br":
                self.write_break()
            else:
                self.write_element(piece)

    cdef write_box(self, bint is_checked):
        """Write the box of a task, if it begins its item."""
        cdef Frame top = self.top()
        cdef dict attributes
        if top.element.tag == "li" and not top.size:
            attributes = {"type": "checkbox", "disabled": ""}
            if is_checked:
                attributes["checked"] = ""
            self.write_element(new_element("input", attributes))
            self.space = True

    cdef write_break(self):
        if self.top().element.tag in HEADINGS:
            self.space = True
        else:
            self.breaks += 1

    cdef bint write_leaf(self, Py_ssize_t index, str tag) except -1:
        """Write or drop an element with its content; return False if it has to be entered."""
        cdef KeptTree tree = self.tree
        self.row = tree.parents.data.as_ints[index]
        if tag == "sup":
            if not self.is_reference(index):
                return False
            self.write_element(tree.copy(index))
        elif tree.boxes and index in tree.boxes and not self.spoken:
            self.write_box(tree.boxes[index])
        elif tag in DROPPED:
            return tag != "title" or not self.is_in_drawing(index)
        elif tag == "br":
            self.write_break()
        elif tag == "hr":
            if not self.begin_block():
                return False
            self.put(new_element("hr"))
        elif self.images and index in self.image_attributes:
            self.write_element(new_element("img", self.image_attributes[index]))
        return True

    cdef bint is_in_drawing(self, Py_ssize_t index) except -1:
        for above in self.tree.ancestors(index):
            if self.tree.tags[above] == "svg":
                return True
        return False

    cdef bint is_reference(self, Py_ssize_t index) except -1:
        """Return whether a raised element is a reference in the normal form already."""
        cdef KeptTree tree = self.tree
        cdef const int* ends = tree.ends.data.as_ints
        if ends[index] < index + 2 or tree.tags[index + 1] != "a":
            return False
        if ends[index + 1] != ends[index] or index + 1 in tree.replaced:
            return False
        return is_normal_reference(tree, index + 1)

    # --- elements -------------------------------------------------------------------------------

    cdef enter(self, Py_ssize_t index, str tag, int meaning):
        """Open what an element is in the normal form."""
        cdef bint has_language = bool(self.languages) and index in self.languages
        cdef Opened* opened
        cdef void* larger
        if self.depth == self.room:
            larger = realloc(self.opened, (2 * self.room + 16) * sizeof(Opened))
            if larger == NULL:
                raise MemoryError
            self.opened, self.room = <Opened*> larger, 2 * self.room + 16
        opened = &self.opened[self.depth]  # nothing below enters another element
        self.depth += 1
        opened.end = 0
        if index >= 0:
            opened.end = self.tree.ends.data.as_ints[index]
            self.row = index
        opened.formats, opened.kind, opened.text = -1, 0, 0
        if meaning == EDGE and not has_language:
            self.write_edge(False)
            opened.frames = -1
            return
        opened.frames = PyList_GET_SIZE(self.frames)
        if has_language:
            self.enter_language(index, opened)
        if meaning == FORMAT or meaning == SUP:
            self.enter_format(index, FORMATS[tag], opened, None)
        elif meaning == LINK:
            self.enter_link(index, opened)
        elif meaning == PARAGRAPH or meaning == EDGE:
            self.write_edge(meaning == PARAGRAPH)
            opened.kind = IS_BLOCK
        elif meaning == SPACE or tag == "title":
            self.space = True
            opened.kind = IS_SPACED
        elif meaning == ANNOTATION:
            if not self.has_brackets(index):
                self.write_text("(")
                opened.text = 41
        elif meaning >= TABLE:
            self.enter_block(index, tag)
            opened.kind = IS_BLOCK

    cdef bint has_brackets(self, Py_ssize_t annotation) except -1:
        cdef Py_ssize_t before = self.tree.previous(annotation)
        return before >= 0 and self.tree.tags[before] == "rp"

    cdef enter_language(self, Py_ssize_t index, Opened* opened):
        """Note the language that an element states for the words inside."""
        cdef Py_ssize_t count = 0
        cdef Format each
        for each in self.formats:
            count += each.tag == "span"
        if count < MAX_LANGUAGES:
            opened.formats = len(self.formats)
            self.push_format(new_format("span", index, {"lang": self.languages[index]}))

    cdef enter_format(self, Py_ssize_t index, str tag, Opened* opened, dict attributes):
        if not self.has_format(tag):
            if opened.formats < 0:
                opened.formats = PyList_GET_SIZE(self.formats)
            self.push_format(new_format(tag, index, attributes))
        elif tag == "q":  # a quotation within a quotation
            self.write_text('"')
            opened.text = 34

    cdef enter_link(self, Py_ssize_t index, Opened* opened):
        cdef str given = self.addresses[index], address, title
        cdef dict attributes
        if not self.links or given is None or given == "#" or HIDDEN_MAIL in given:
            return
        address = given if is_whole_address(given, self.has_url) else resolve(given, self.url)
        if address is not None:
            attributes = {"href": address}
            node = self.tree.nodes[index]
            title = call_method(reader_of(node), node, TITLE)
            if title and not title.isspace():
                attributes["title"] = collapsed(title)
            self.enter_format(index, "a", opened, attributes)

    cdef enter_block(self, Py_ssize_t index, str tag):
        """Open the frame of a block, if it gets one."""
        if tag in LISTS:
            if self.begin_block():
                self.push_list(index, LISTS[tag])
        elif tag in HOLDERS:
            self.enter_item(index, tag)
        elif tag in CAPTIONS:
            self.write_edge(False)
            if self.top().element.tag == CAPTIONS[tag]:
                self.push(new_element(tag), LINE)
        elif tag == "aside" and not self.is_note(index):
            self.write_edge(False)
        elif self.begin_block():
            note = self.note_attributes(index) if tag == "aside" else None
            self.push(new_element(tag, note), FRAME_KINDS[tag])

    cdef bint is_note(self, Py_ssize_t index) except -1:
        return index in self.tree.notes or is_normal_note(self.tree, index)

    cdef dict note_attributes(self, Py_ssize_t index):
        label = self.tree.notes.get(index)
        name = (self.tree.attr(index, "id") or "") if label is None else f"fn-{label}"
        return {"id": name, "role": NOTE}

    cdef enter_item(self, Py_ssize_t index, str tag):
        """Open an item in its list, in a list made for it, or as a block without a frame."""
        cdef Frame top
        cdef bint is_item = True
        self.write_edge(False)
        top = self.top()
        if top.kind != ITEMS or top.element.tag not in <tuple> HOLDERS[tag]:
            is_item = tag in IMPLIED_LISTS and self.begin_block()
            if is_item:
                self.push_implied_list(IMPLIED_LISTS[tag])
        if is_item:
            if tag == "tr":
                self.push(new_element("tr"), ITEMS)
            elif tag == "td" or tag == "th":
                self.attach(self.push(new_element(tag), MIXED))
            else:
                self.push_item(index, LINE if tag == "dt" else MIXED)
        if self.tree.notes and index in self.tree.notes and self.begin_block():
            self.push(new_element("aside", self.note_attributes(index)), MIXED)

    cdef bint begin_block(self) except -1:
        """End the line before a block with a frame; return False if it has to be flattened."""
        cdef Frame top = self.top()
        if top.kind == LINE and top.element.tag not in HEADINGS:
            self.write_edge(False)
            return False
        self.end_line()
        if top.kind == LINE:
            top.kind = CLOSED  # a heading holds no blocks: it ends here
        return PyList_GET_SIZE(self.frames) < MAX_DEPTH

    cdef write_edge(self, bint paragraph):
        """Write the start or end of a block without a frame."""
        cdef Frame top = self.last_frame()
        if top.kind == CLOSED:
            top = self.top()
        if top.kind != LINE:
            self.end_line()
        elif paragraph and top.attached and top.element.tag in HEADINGS:
            self.end_line()
            top.kind = CLOSED
        elif top.element.tag == "figcaption":
            self.breaks += 1
        else:
            self.space = True

    cdef leave_last(self):
        """Close the element that was entered last."""
        cdef Opened opened
        self.depth -= 1
        opened = self.opened[self.depth]
        if opened.frames < 0:
            self.write_edge(False)
            return
        if opened.text:
            self.space = False
            self.write_text(")" if opened.text == 41 else '"')
        if PyList_GET_SIZE(self.frames) > opened.frames:
            self.end_line()
            cut(self.frames, opened.frames)
        elif opened.kind == IS_BLOCK:
            self.write_edge(False)
        if opened.kind == IS_SPACED:
            self.space = True
        if opened.formats >= 0:
            self.pop_formats(opened.formats)
