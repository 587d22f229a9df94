"""The compiled version of `writer`, which documents what is done and why.

Classes, methods and functions have the same names there, without the `_` before them.
"""

from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject
from thresher.render._tree cimport Element, Text
from thresher.render.known_names cimport KnownNames, value_of
from thresher.render.markdown._lines cimport LineWriter

from thresher.page.addresses import is_safe
from thresher.render.code import code_language
from thresher.render.footnotes import note_label
from thresher.render.markdown import writer as plain
from thresher.render.markdown.tables import table_lines
from thresher.render.normal_form import numbered_items
from thresher.render.scan import has_controls

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:  # what blocks are
    CONTAINER, PARAGRAPH, SUMMARY, TERM, HEADING, RULE, BLOCK_OF_CODE, TABLE, LIST, DEFINITIONS
    QUOTATION, NOTE, IN_LINE
cdef dict KINDS = dict.fromkeys(plain.INLINE, IN_LINE) | dict.fromkeys(plain.HEADINGS, HEADING) | {
    "p": PARAGRAPH, "figcaption": PARAGRAPH, "summary": SUMMARY, "dt": TERM, "hr": RULE,
    "pre": BLOCK_OF_CODE, "table": TABLE, "ul": LIST, "ol": LIST, "dl": DEFINITIONS,
    "blockquote": QUOTATION, "aside": NOTE,
}
cdef KnownNames KIND_OF
cdef dict HASHES = plain._HASHES
cdef Py_ssize_t WIDEST = plain._WIDEST
cdef object LARGEST = plain._LARGEST
cdef object CONTROLS = plain._CONTROLS.sub, CLOSING_HASHES = plain._CLOSING_HASHES.sub
cdef object LINE_ENDS = plain._LINE_ENDS.sub, BACKTICKS = plain._BACKTICKS.findall
cdef object ADDRESS_OF_NOTE = plain._ADDRESS_OF_NOTE.match


def markdown(Element body):
    """Return the Markdown of a tree in the normal form."""
    cdef Writer writer = Writer()
    cdef str text
    writer.write_blocks(body)
    if writer.references or writer.notes:
        writer.write_footnotes()
    text = "\n".join(writer.lines)
    return CONTROLS(" ", text) if has_controls(text) else text


cdef inline int kind_of(node) except -1:
    """Return what a node is."""
    cdef PyObject* known
    if type(node) is not Element:
        return IN_LINE
    known = value_of(&KIND_OF, KINDS, (<Element> node).tag)
    return CONTAINER if known == NULL else <object> known


cdef class Prefix:
    """The start of the lines of a container: `first` once, then `rest`."""

    cdef str first, rest
    cdef bint used


cdef Prefix new_prefix(str first, str rest):
    cdef Prefix made = Prefix.__new__(Prefix)
    made.first, made.rest = first, rest
    return made


cdef class Writer:
    cdef list lines, prefixes, references
    cdef bint blank_line
    cdef LineWriter line, bold_line, one_line, heading, cell
    cdef dict notes  # footnotes by label

    def __cinit__(self):
        self.lines, self.prefixes, self.references, self.notes = [], [], [], {}
        self.line = LineWriter(self.references)
        self.bold_line = LineWriter(self.references, bold=True)
        self.one_line = LineWriter(self.references, line_break=" ")
        self.heading = LineWriter(self.references, line_break=" ", starts_block=False)
        self.cell = LineWriter(
            self.references, line_break="<br>", in_cell=True, starts_block=False
        )

    cdef write_blocks(self, Element body):
        """Write the content of an element, without recursion."""
        cdef list stack = self.tasks(body, False)[::-1], steps
        cdef object step, blank_line, bullet
        while stack:
            step = stack.pop()
            if step is None:
                self.prefixes.pop()
                continue
            if type(step) is Prefix:
                self.open(step)
                continue
            blank_line, bullet = stack.pop(), stack.pop()
            if blank_line is not None:
                self.blank_line = blank_line
            if type(step) is list:
                self.put_line(self.line, step)
                continue
            steps = self.block(step, bullet)
            if steps is not None:
                steps.reverse()
                stack += steps

    cdef write_footnotes(self):
        """Write the footnotes, in the order in which the text refers to them."""
        for label in self.references:  # grows meanwhile: a note may refer to another
            self.write_footnote(label)
        for label in [*self.notes]:
            self.write_footnote(label)

    cdef write_footnote(self, str label):
        cdef Element note = self.notes.pop(label, None)
        cdef Py_ssize_t before
        cdef int first
        if note is None:
            return
        self.blank_line = True
        self.prefixes.append(new_prefix(f"[^{label}]: ", "    "))
        first = kind_of(note.children[0]) if note.children else IN_LINE
        if first != IN_LINE and (<Element> note.children[0]).tag != "p":
            # Readers that do not know footnotes would not see a block behind the label.
            self.put("")
            self.blank_line = True
        before = len(self.lines)
        self.write_blocks(note)
        self.prefixes.pop()
        self.hide_address(before, label)

    cdef hide_address(self, Py_ssize_t begin, str label):
        """Move the text of a note to a line of its own if it is an address that may run code."""
        cdef Py_ssize_t at
        for at in range(begin, min(begin + 2, len(self.lines))):  # a blank line may come first
            found = ADDRESS_OF_NOTE(self.lines[at])
            if found is not None and not is_safe(found[1]):
                text = self.lines[at].removeprefix(f"[^{label}]: ")
                self.lines[at : at + 1] = [f"[^{label}]:", "", f"    {text}"]
                break

    # --- blocks ---------------------------------------------------------------------------------

    cdef list tasks(self, Element container, bint tight):
        """Return the lines and blocks of a container; its footnotes are kept for the end."""
        cdef list children = container.children, found = [], line = None
        cdef str bullet = ""
        cdef object node, blank_line, separate = not tight
        cdef Element block
        cdef int kind
        cdef bint in_line = True
        for node in children:
            kind = kind_of(node)
            if kind != IN_LINE:
                in_line = False
            if kind == RULE:
                children = without_outer_rules(children)
                break
        if in_line:  # true of most items
            return [children, None, "-"] if children else []
        for node in children:
            kind = kind_of(node)
            blank_line = separate if found else None
            if kind == IN_LINE:
                if line is None:
                    line = []
                    found += (line, blank_line, "-")
                line.append(node)
                continue
            line = None
            block = node
            if kind == NOTE:
                self.keep_note(block)
            elif kind != LIST:
                found += (block, blank_line, "-")
                bullet = ""
            elif not self.keep_list_of_notes(block):
                # Two lists in a row need two bullets, or they would be read as one.
                bullet = "*" if bullet == "-" else "-"
                found += (block, blank_line, bullet)
        return found

    cdef list block(self, Element node, str bullet):
        """Write a block, or return the steps that do."""
        cdef int kind = kind_of(node)
        cdef str text
        cdef list lines
        if kind == PARAGRAPH:
            self.put_line(self.line, node.children)
        elif kind == SUMMARY:
            self.put_line(self.bold_line, node.children)
        elif kind == TERM:
            self.put_line(self.one_line, node.children)
        elif kind == HEADING:
            text = self.heading.write(heading_content(node))
            if text.endswith("#"):
                text = CLOSING_HASHES(r"\1\\\2", text)
            if not text.startswith(("![](", "[![](")) or node.text.strip():
                text = f"{<str> HASHES[node.tag]} {text}"
            self.put(text)
        elif kind == RULE:
            self.put("***" if self.prefixes and not self.last_prefix().used else "---")
        elif kind == BLOCK_OF_CODE:
            lines = fenced(node)
            if self.prefixes:
                self.put_all(lines)
            else:
                self.put("\n".join(lines))
        elif kind == TABLE:
            self.table(node)
        elif kind == LIST:
            return self.list_(node, bullet)
        elif kind == DEFINITIONS:
            return self.definitions(node)
        elif kind == QUOTATION:
            return within(new_prefix("> ", "> "), self.tasks(node, False))
        else:
            return self.tasks(node, False)
        return None

    cdef open(self, Prefix prefix):
        """Begin the lines with a prefix, if there is room for it beside those of the others."""
        cdef Py_ssize_t width = PyUnicode_GET_LENGTH(prefix.rest)
        cdef Prefix part
        for part in self.prefixes:
            width += PyUnicode_GET_LENGTH(part.rest)
        if width > WIDEST:
            prefix.first = prefix.rest = ""
        self.prefixes.append(prefix)

    cdef Prefix last_prefix(self):
        return self.prefixes[PyList_GET_SIZE(self.prefixes) - 1]

    cdef list list_(self, Element node, str bullet):
        cdef list items = opened_items(node), steps = [], tasks
        cdef bint tight = is_tight(items)
        cdef Element item, box
        cdef object number
        cdef str marker
        for item, number in items:
            tasks = self.tasks(item, tight)
            if holds_only_notes(item):
                continue
            if node.tag == "ul":
                marker = f"{bullet} "
            elif 0 <= number <= LARGEST:
                marker = f"{number}) " if bullet == "*" else f"{number}. "
            else:
                marker = f"- {number}. "
            if not tasks:
                tasks = [[], None, "-"]
            if len(tasks) > 3 and is_paragraph(tasks[0]) and is_paragraph(tasks[3]):
                children = (<Element> tasks[0]).children
                if children and type(children[0]) is Element:
                    box = children[0]
                    if box.tag == "input" and not tasks[0].text.strip():
                        space = Text(" ")
                        tasks[:6] = [[box, space, *tasks[3].children], *tasks[1:3]]
            if steps:
                tasks[1] = not tight
            steps += within(
                new_prefix(marker, " " * (len(marker) if 0 <= number <= LARGEST else 2)), tasks
            )
        return steps

    cdef list definitions(self, Element node):
        # Definitions of definitions are not indented further: four spaces would make them code.
        cdef bint nested = bool(self.prefixes) and self.last_prefix().first == ": "
        cdef list steps = [], children, tags, tasks
        cdef Py_ssize_t index, first, last
        cdef str before = ""
        cdef Element child
        cdef bint after_term, begins_with_block
        children = [child for child in node.children if type(child) is Element]
        tags = [(<Element> child).tag for child in children]
        last = len(tags) - 1 - tags[::-1].index("dd") if "dd" in tags else -1
        first = tags.index("dt") if "dt" in tags else len(tags)
        for index in range(len(children)):
            child = children[index]
            after_term, before = before == "dt" and index < last, child.tag
            if child.tag == "dt":
                steps += (child, not after_term if steps else None, "-")
                continue
            tasks = self.tasks(child, False)
            if index < first:
                if tasks and steps:
                    tasks[1] = True
                steps += tasks
                continue
            begins_with_block = bool(tasks) and type(tasks[0]) is Element and tasks[0].tag != "p"
            if begins_with_block and nested and steps:  # what is not indented needs no colon
                tasks[1] = True
                steps += tasks
                continue
            if begins_with_block:
                # Readers that do not know definitions would not see a block behind the colon.
                tasks[1] = True
                tasks[:0] = [[], None, "-"]
            if tasks and steps:
                tasks[1] = False
            steps += within(new_prefix(": ", "" if nested else "  "), tasks)
        return steps

    cdef table(self, Element node):
        cdef list lines
        for caption in node.children:
            if type(caption) is Element and (<Element> caption).tag == "caption":
                self.put_line(self.line, (<Element> caption).children)
                self.blank_line = True
        lines = table_lines(node, self.cell, self.keep_note_of_cell)
        if lines:
            self.put_all(lines)

    # --- lines ----------------------------------------------------------------------------------

    cdef put_line(self, LineWriter writer, list nodes):
        cdef str text = writer.write(nodes)
        if "\n" in text:
            self.put_all(text.split("\n"))
        else:
            self.put(text)

    cdef put_all(self, list lines):
        """Append lines; see `put`."""
        cdef str line
        if self.prefixes:
            for line in lines:
                self.put(line)
            return
        self.begin_block()
        self.lines += lines

    cdef put(self, str line):
        """Append a line with its prefixes, after a blank line if there has to be one."""
        cdef Prefix part
        cdef str prefix = ""
        self.begin_block()
        if PyList_GET_SIZE(self.prefixes):
            for part in self.prefixes:
                prefix += part.rest if part.used else part.first
                part.used = True
            line = prefix + line if PyUnicode_GET_LENGTH(line) else prefix.rstrip()
        self.lines.append(line)

    cdef begin_block(self):
        cdef Prefix part
        cdef str prefix = ""
        if self.blank_line and PyList_GET_SIZE(self.lines):
            for part in self.prefixes:
                prefix += part.rest if part.used else ""
            self.lines.append(prefix.rstrip())
        self.blank_line = False

    # --- footnotes ------------------------------------------------------------------------------

    def keep_note_of_cell(self, note):
        """Keep a footnote in the cell of a table."""
        self.keep_note(note)

    cdef keep_note(self, Element note):
        self.notes[note_label(note)] = note

    cdef bint keep_list_of_notes(self, Element node) except -1:
        """Keep the notes of a list that holds nothing else; return whether it is one."""
        cdef list items = node.children
        if not items:
            return False
        for item in items:
            if not holds_only_notes(item):
                return False
        for item in items:
            for note in (<Element> item).children:
                self.keep_note(note)
        return True


cdef list within(Prefix prefix, list tasks):
    """Return the steps of a container whose lines begin with `prefix`."""
    tasks.insert(0, prefix)
    tasks.append(None)
    return tasks


cdef bint is_paragraph(step) except -1:
    return type(step) is Element and (<Element> step).tag == "p"


cdef list heading_content(Element heading):
    """Return the content of a heading without emphasis or a link to a place around all of it."""
    cdef Element node = heading, child
    cdef list found = []
    while PyList_GET_SIZE(node.children) == 1 and type(node.children[0]) is Element:
        child = node.children[0]
        if not leads_to_place(child) and child.tag != "strong" and child.tag != "em":
            break
        node = child
    if PyList_GET_SIZE(node.children) == 1 and type(node.children[0]) is Text:
        return node.children
    for part in node.children:
        if type(part) is Element:
            if not leads_to_place(part):
                return node.children
            found += (<Element> part).children
        elif (<Text> part).data.strip():
            return node.children
        else:
            found.append(part)
    return found


cdef bint leads_to_place(Element node) except -1:
    return node.tag == "a" and "#" in (node.attr("href") or "")


cdef list without_outer_rules(list nodes):
    """Return nodes without rules at their begin and end, and each rule once."""
    cdef list kept = []
    cdef bint is_after_rule = True  # or at the begin
    for node in nodes:
        if kind_of(node) != RULE:
            kept.append(node)
            is_after_rule = False
        elif not is_after_rule:
            kept.append(node)
            is_after_rule = True
    if is_after_rule and kept:
        kept.pop()
    return kept


cdef list opened_items(Element list_):
    """Return the items of a list with their numbers; of an item that is only a list, its items."""
    cdef list items = numbered_items(list_), found, waiting
    cdef Element item
    if list_.tag != "ul":
        return items
    for item, _ in items:
        if is_list(item):
            break
    else:
        return items
    found, waiting = [], items[::-1]
    while waiting:
        item, number = waiting.pop()
        if is_list(item):
            waiting += numbered_items(item.children[0])[::-1]
        else:
            found.append((item, number))
    return found


cdef bint is_list(Element item) except -1:
    """Return whether an item is only a list with bullets."""
    if PyList_GET_SIZE(item.children) != 1 or type(item.children[0]) is not Element:
        return False
    return (<Element> item.children[0]).tag == "ul"


cdef bint holds_only_notes(item) except -1:
    """Return whether a list item holds footnotes and nothing else."""
    if type(item) is not Element or not (<Element> item).children:
        return False
    for child in (<Element> item).children:
        if type(child) is not Element or (<Element> child).tag != "aside":
            return False
    return True


cdef bint is_tight(list items) except -1:
    """Return whether all items hold only what a tight item may hold."""
    cdef Element item, block
    cdef int kind
    for item, _ in items:
        for node in item.children:
            kind = kind_of(node)
            if kind == IN_LINE or kind == NOTE:
                continue
            block = node
            if kind != LIST or (block.tag == "ol" and block.attr("start") is not None):
                return False
    return True


cdef list fenced(Element block):
    """Return a block of code between fences that are longer than any within."""
    cdef str text = block.text, fence = "```"
    if "```" in text:
        fence = "`" * (max(map(len, BACKTICKS(text))) + 1)
    if has_controls(text):
        text = LINE_ENDS("\n", text)
    return [f"{fence}{code_language(block)}", *text.split("\n"), fence]
