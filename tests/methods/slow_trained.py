"""The trained methods written slowly from the HTML string, to compare with: no array, no Page."""

import math
import zlib

from tests import slow_definitions as slow

MASK = 0xFFFFFFFF


# --- MSS -----------------------------------------------------------------------------------------


def stem_number(word: str) -> int:
    """FNV over the first five letters in lower case; a word that begins with a digit is "1"."""
    begun = "1" if word[0].isdecimal() else word[:5].lower()
    number = 0
    for character in begun:
        character = "1" if character.isdecimal() else character
        number = (number * 0x01000193 & MASK) ^ ord(character)
    return number


def place(number: int) -> int:
    """One of 65,536 places."""
    return ((number ^ number >> 15) * 0x9E3779B1 & MASK) >> 16


def mss_tokens(html: str) -> list[tuple[int, str, str, int]]:
    """Place, parent's tag, word ("" for a tag) and number of the text, of each visible token."""
    found: list[tuple[int, str, str, int]] = []
    open_tags = ["#document"]
    for number, (kind, node) in enumerate(slow.read(html).events):
        if kind == "end":
            open_tags.pop()
        parent = open_tags[-1] if len(open_tags) > 1 else "html"  # the root stands for its own
        if not node.hidden:
            if kind == "text":
                words = slow.slow_words(node.text)
                found += [(place(stem_number(word)), parent, word, number) for word in words]
            else:
                tag = f"{'<' if kind == 'start' else '</'}{node.name}"
                found.append((place(zlib.crc32(tag.encode())), parent, "", number))
        if kind == "start" and node.name not in slow.VOID:
            open_tags.append(node.name)
    return found


def mss_probabilities(html, prior, weights, parents) -> list[float]:
    """Naive Bayes: `weights` are three tables by place, `parents` a table by tag."""
    tokens = mss_tokens(html)
    found = []
    for at, (_, parent, _, _) in enumerate(tokens):
        odds = prior + parents[parent]
        for step in range(3):
            here = tokens[at + step][0] if at + step < len(tokens) else 0
            odds += weights[step][here]
        found.append(1 / (1 + math.exp(-odds)))
    return found


def best_range(scores: list[float]) -> range:
    """Algorithm 8; nothing when no sum is above 0."""
    best, found, start, total = 0.0, range(0), 0, 0.0
    for at, score in enumerate(scores):
        total += score
        if total > best:
            best, found = total, range(start, at + 1)
        if total < 0:
            start, total = at + 1, 0.0
    return found


def maximal_ranges(scores: list[int], start: int = 0, stop: int | None = None) -> list[range]:
    """All maximal runs: the best one, the shortest and earliest on ties, then those beside it."""
    stop = len(scores) if stop is None else stop
    some = [range(i, j) for i in range(start, stop) for j in range(i + 1, stop + 1)]
    best = max(some, key=lambda run: (sum(scores[i] for i in run), -len(run)), default=range(0))
    if sum(scores[i] for i in best) <= 0:
        return []
    before = maximal_ranges(scores, start, best.start)
    return [*before, best, *maximal_ranges(scores, best.stop, stop)]


def mss(html: str, scores: list[float]) -> list[str]:
    """The words of the texts with more than half of their words in the best range."""
    chosen = best_range(scores)
    balance: dict[int, int] = {}
    tokens = mss_tokens(html)
    for at, (_, _, word, number) in enumerate(tokens):
        if word:
            balance[number] = balance.get(number, 0) + (1 if at in chosen else -1)
    return [word for _, _, word, number in tokens if word and balance[number] > 0]


# --- blocks --------------------------------------------------------------------------------------

BLOCKS = {"html", "body", "div", "section", "p"}


def blocks(html: str) -> list[tuple[list[str], list[str], str]]:
    """The words, the linked words and the block-level element of each visible block, in order."""
    found: list[tuple[list[str], list[str], str]] = []
    around, links, cut = ["html"], 0, True
    for kind, node in slow.read(html).events:
        if kind == "text":
            if node.hidden or not slow.collapsed(node.text):
                continue
            if cut:
                found.append(([], [], around[-1]))
            cut = False
            words = slow.slow_words(node.text)
            found[-1][0].extend(words)
            found[-1][1].extend(words if links else [])
        elif node.name in BLOCKS:
            cut = True
            around = [*around, node.name] if kind == "start" else around[:-1]
        elif node.is_link:
            links += 1 if kind == "start" else -1
    return found
