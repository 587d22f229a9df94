"""Atomic blocks, their features and the decision tree, slowly from the HTML string.

Tags and texts come from `html.parser` (see slow_definitions); nothing here uses our Page.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import strategies as st

from tests import slow_definitions as slow

LETTER = re.compile(r"\w")

# --- random pages --------------------------------------------------------------------------------

TOKENS = (
    "tea Tea TEA I B2 été Été ÉTÉ سبز 3 3.5 2024 1899 20245 14:30 14:30:59 114:30 14:305 3/5/2024 "
    "3.5.24 3/5.24 2024-05-03 2024-05 March Mar Marching Sunday Sun. sun May | || . … ?! end. "
    'end." end.”) (end.) a.b wait... Why? Oh! done。done ！ “So.” 1.'
).split()
TEXTS = st.lists(st.sampled_from(TOKENS), max_size=6).map(" ".join)
INLINE = [
    "<b>{}</b>",
    "<span>{}</span>",
    "{}<br>",
    "<!-- . | 2024 -->{}",
    slow.HIDDEN + "{}</span>",
]
AROUND = ["<p>{}</p>", "<div>{}</div>", *(f"<h{n}>{{}}</h{n}>" for n in range(1, 7)), "<td>{}</td>"]


@st.composite
def phrases(draw: st.DrawFn) -> str:
    """Write text with links and other tags in it."""
    parts = []
    for _ in range(draw(st.integers(0, 4))):
        text = draw(TEXTS)
        if draw(st.booleans()):
            text = draw(st.sampled_from(INLINE)).format(text)
        if draw(st.integers(0, 2)) == 0:
            text = f"<a href='/x'>{text}</a>"
        parts.append(draw(st.sampled_from(["", " ", "\n"])) + text)
    return "".join(parts)


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Make a small page of paragraphs, headings and divisions, one level of them in others."""
    parts = []
    for _ in range(draw(st.integers(0, 5))):
        around = draw(st.sampled_from(AROUND))
        inner = draw(phrases())
        if around.startswith("<td"):
            inner = f"<table><tbody><tr>{around.format(inner)}</tr></tbody></table>"
        elif around.startswith("<div"):
            inner = around.format(
                inner + draw(st.sampled_from(AROUND[:-1])).format(draw(phrases()))
            )
        else:
            inner = around.format(inner)
        parts.append(inner + draw(st.sampled_from(["", "", draw(phrases())])))
    return f"<html><head><title>Tea</title></head><body>{''.join(parts)}</body></html>"


# --- blocks --------------------------------------------------------------------------------------


@dataclass
class Block:
    texts: list[str] = field(default_factory=list)
    linked: list[bool] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # of the elements around it

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def words(self) -> list[str]:
        return [word for text in self.texts for word in slow.slow_words(text)]

    @property
    def link_density(self) -> float:
        pairs = zip(self.texts, self.linked, strict=True)
        linked = [word for text, in_link in pairs if in_link for word in slow.slow_words(text)]
        return len(linked) / len(self.words) if self.words else 0.0


def blocks(html: str) -> list[Block]:
    """Read tag after tag; all but `<a>` and `</a>` end the block."""
    found, current, around = [], Block(), []

    def flush() -> None:
        nonlocal current
        if current.texts:
            found.append(current)
        current = Block()

    for kind, node in slow.read(html).events:
        if kind == "text":
            if node.text.strip(" \t\n\f\r") and not node.hidden:
                current.texts.append(node.text)
                current.linked.append(any(element.is_link for element in around))
                current.names = [element.name for element in around]
            continue
        if node.name != "a":
            flush()
        if kind == "end":
            around.pop()
        elif node.name not in slow.VOID:
            around.append(node)
    flush()
    return found


def classify(found: list[Block]) -> list[bool]:
    """The published tree, branch after branch."""
    answers = []
    for place, block in enumerate(found):
        before = found[place - 1] if place else Block()
        after = found[place + 1] if place + 1 < len(found) else Block()
        w = len(block.words)
        if block.link_density > 0.333333:
            answers.append(False)
        elif before.link_density <= 0.555556:
            if w <= 16:
                answers.append(len(after.words) > 15 or len(before.words) > 4)
            else:
                answers.append(True)
        elif w <= 40:
            answers.append(len(after.words) > 17)
        else:
            answers.append(True)
    return answers


def boilerpipe(html: str, classifier: Callable[[str], list[bool]] | None = None) -> list[str]:
    """The words of the blocks that are content."""
    found = blocks(html)
    answers = classifier(html) if classifier else classify(found)
    pairs = zip(found, answers, strict=True)
    return [word for block, is_content in pairs if is_content for word in block.words]


# --- features ------------------------------------------------------------------------------------


def sentences(text: str) -> int:
    """Read character after character, and count the stretches with letters or digits."""
    count, has_word = 0, False
    for place, character in enumerate(text):
        rest = text[place + 1 :].lstrip("\"'”’»)]")
        ends = character in "。！？" or (character in ".!?…" and (not rest or rest[0].isspace()))
        if ends:
            count += has_word
            has_word = False
        has_word |= LETTER.match(character) is not None
    return count + has_word


MONTHS = "January February March April May June July August September October November December"
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"


def is_date(piece: str) -> bool:
    """Tell whether a piece, whole, is a date or a time."""
    names = f"{MONTHS} {DAYS}".split()
    if piece in names or piece in [name[:3] for name in names]:
        return True
    if len(piece) == 4 and piece.isdecimal() and 1900 <= int(piece) <= 2099:
        return True
    for separator in "-/.":
        sizes = [len(part) for part in piece.split(separator) if part.isdecimal()]
        if piece.count(separator) == 2 and len(sizes) == 3:
            return sizes[0] <= 4 and sizes[1] <= 2 and sizes[2] <= 4
    sizes = [len(part) for part in piece.split(":") if part.isdecimal()]
    whole = len(sizes) == piece.count(":") + 1  # no part that is not a number
    return whole and sizes[:1] in ([1], [2]) and sizes[1:] in ([2], [2, 2])


def dates(text: str) -> int:
    """Count the longest pieces that are dates and stand between characters of no word."""
    count, at = 0, 0
    while at < len(text):
        ends = [
            end
            for end in range(at + 1, min(at + 12, len(text)) + 1)
            if is_date(text[at:end])
            and not LETTER.match(text[end : end + 1])
            and not (at and LETTER.match(text[at - 1]))
        ]
        count += bool(ends)
        at = max(ends, default=at + 1)
    return count


TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "div")


def features(html: str) -> list[dict[str, float]]:
    """All features of each block, by name."""
    rows = []
    found = blocks(html)
    for place, block in enumerate(found):
        words, text = block.words, block.text
        count = max(len(words), 1)
        nearest = next((name for name in reversed(block.names) if name in TAGS), "")
        small = [w for w in words if w.lower() == w]  # no capital at all
        capitals = [w for w in words if w.upper() == w and w not in small]
        row: dict[str, float] = {
            "words": len(words),
            "average_word_length": sum(map(len, words)) / count,
            "average_sentence_length": len(words) / max(sentences(text), 1),
            "capitalised": sum(w[0].lower() != w[0] for w in words),
            "upper_case": len(capitals),
            "capitalised_ratio": sum(w[0].lower() != w[0] for w in words) / count,
            "upper_case_ratio": len(capitals) / count,
            "full_stop_ratio": text.count(".") / count if words else 0,
            "dates": dates(text),
            "bars": text.count("|"),
            "link_density": block.link_density,
            "position": place,
            "relative_position": place / (len(found) - 1) if len(found) > 1 else 0,
        }
        rows.append(row | {name: name == nearest for name in TAGS})
    return rows


# --- trained classifiers -------------------------------------------------------------------------


def classifier_features(html: str) -> list[dict[str, float]]:
    """All features of each block with the words and links of its neighbours."""
    rows = features(html)
    nothing = {"words": 0, "link_density": 0.0}
    for place, row in enumerate(rows):
        before = rows[place - 1] if place else nothing
        after = rows[place + 1] if place + 1 < len(rows) else nothing
        for name in nothing:
            row[f"previous_{name}"], row[f"next_{name}"] = before[name], after[name]
    return rows


def tree(node: dict, row: dict[str, float]) -> bool:
    """Walk down from split to split, as one reads the file."""
    if "content" in node:
        return node["content"] > 0.5
    return tree(node["then" if row[node["feature"]] <= node["at most"] else "else"], row)


def svm(machine: dict, row: dict[str, float]) -> bool:
    """The weighted sum."""
    return machine["bias"] + sum(w * row[name] for name, w in machine["weights"].items()) > 0
