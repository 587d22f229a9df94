"""What stands before the content of an output: the title, and the metadata in front of it.

Markdown has the metadata as YAML between lines of three hyphens, as generators of sites and editors
of notes read it; text has a line for each value. If the metadata is written, or the title is wanted
as a heading of its own, `without_title` takes the title out of the content, so that it is written
once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from thresher.page import Selection
from thresher.page.decode import well_formed
from thresher.page.tags import NUMBER
from thresher.page.words import collapsed, words

# The values of a page by their names; one that was not found is empty.
Facts: TypeAlias = Mapping[str, str | Sequence[str] | None]

# What JSON leaves as it is but YAML does not take (https://yaml.org/spec/1.2.2/#51-character-set),
# or reads as the end of a line; and what a renderer that does not know front matter would read as
# HTML or as a link.
_ESCAPED_IN_YAML = re.compile(r"[<\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\](?=\()")


def yaml_front_matter(facts: Facts) -> str:
    """Return the values that were found as YAML between two lines `---`; "" if there are none.

    Every text is in double quotes, written as in JSON. So none is taken for a number, a date or a
    mark of YAML, whatever it holds, and a parser returns it as it was.
    """
    lines: list[str] = []
    for name, value in facts.items():
        if isinstance(value, str):
            lines += [f"{name}: {_quoted(value)}"] if value else []
        elif value:
            lines += [f"{name}:", *(f"  - {_quoted(each)}" for each in value)]
    return "\n".join(["---", *lines, "---\n"]) if lines else ""


def _quoted(text: str) -> str:
    quoted = json.dumps(well_formed(text), ensure_ascii=False)
    return _ESCAPED_IN_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def header_lines(facts: Facts) -> str:
    """Return a line `Name: value` for each value that was found; several are joined by `; `."""
    lines: list[str] = []
    for name, value in facts.items():
        texts = [value] if isinstance(value, str) else value or ()
        joined = "; ".join(filter(None, (collapsed(text) for text in texts)))
        if joined:
            lines.append(f"{'URL' if name == 'url' else name.capitalize()}: {joined}\n")
    return "".join(lines)


def put_before(content: str, before: str) -> str:
    """Return a text with another one before it, and an empty line between them."""
    return f"{before.rstrip()}\n\n{content}" if before and content else before or content


_MOST_HEADINGS = 50  # of level 1 that are compared with the title
_MOST_BLOCKS = 3  # at the beginning of the content that are compared with it
_LONGEST = 1_000  # characters of a text that is compared


def without_title(content: Selection, title: str, headline_row: int) -> Selection:
    """Return the content without its title.

    That is the headline (`headline_row`, -1 if the title is declared only), headings of level 1
    with the same words, and the same words at the beginning of the content. Later sections may be
    named as the page.
    """
    page, wanted = content.page, _compared(title)
    rows = [headline_row] if headline_row >= 0 else []
    headings = (page.tag == NUMBER["h1"]).nonzero()[0][:_MOST_HEADINGS].tolist()
    rows += [row for row in headings if _compared(page.line(row, _LONGEST)) == wanted]
    content = content - page.under(rows) if rows else content
    for _ in range(_MOST_BLOCKS):
        kept = content.keep & (page.words.take(page.text_rows) > 0)
        block = int(page.blocks.of_text[kept.argmax()]) if kept.any() else -1
        first = content.keep & (page.blocks.of_text == block)
        texts = [page.texts[at][:_LONGEST] for at in first.nonzero()[0].tolist()]
        if block < 0 or _compared("".join(texts)) != wanted:
            break
        content = Selection(page, content.keep & ~first)
    return content


def _compared(text: str) -> list[str]:
    return words(text.casefold())
