"""TitleFinder as defined, computed from the HTML string text by text.

Texts come from `html.parser`, not from `Page`. The pages are simple and English: a title in the
head, then paragraphs and headings of a few words.
"""

import math
import re
from collections import Counter
from html.parser import HTMLParser

from hypothesis import strategies as st

WORDS = "tea kettle harbour minutes water the boil steep's Über of".split()
STOPS = {"the", "of"}  # the stop words among them
ENDS = [".", "!", "?", "", ":", ","]


@st.composite
def pages(draw: st.DrawFn) -> str:
    """A small page whose title and texts share words."""
    phrase = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
    sentence = st.tuples(phrase, st.sampled_from(ENDS)).map("".join)
    text = st.lists(sentence, min_size=1, max_size=3).map(" ".join)
    texts = draw(st.lists(text, max_size=14))
    tags = draw(st.lists(st.sampled_from(["p", "h1", "h2", "li"]), min_size=14, max_size=14))
    body = "".join(f"<{tag}>{text}</{tag}>" for tag, text in zip(tags, texts, strict=False))
    return f"<html lang=en><head><title>{draw(text)}</title></head><body>{body}</body></html>"


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.title, self.texts, self.in_title = "", [], False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.in_title = tag == "title"

    def handle_endtag(self, tag: str) -> None:
        self.in_title = False

    def handle_data(self, data: str) -> None:
        if self.in_title:
            self.title += data
        else:
            self.texts.append(data)


def tokens(text: str) -> list[str]:
    for mark in "'\",:":
        text = text.replace(mark, "")
    return re.findall(r"\w+", text.casefold())


def sentences(text: str) -> list[str]:
    found, start = [], 0
    for at in range(1, len(text)):
        if text[at - 1] in ".!?" and text[at] == " ":
            found.append(text[start:at].strip())
            start = at + 1
    return [*found, text[start:].strip()]


def candidates(html: str, kinds: str) -> tuple[str, list[str]]:
    """Return the title and the texts that are compared with it."""
    reader = Reader()
    reader.feed(html)
    found = []
    for text in reader.texts:
        split = sentences(text)
        if kinds == "texts":
            found.append(text.strip())
        elif kinds == "sentences":
            found += split
        else:
            found += [text.strip()] if len(split) == 1 else [text.strip(), *split]
    return reader.title, found


def similarities(html: str, measure: str, kinds: str, stop_words: bool) -> list[tuple[str, float]]:
    """Return the texts that are compared and the similarity of each with the title."""
    title, texts = candidates(html, kinds)
    query = tokens(title)
    stops = STOPS if stop_words and not set(query) <= STOPS else set()
    documents = [(text, [word for word in tokens(text) if word not in stops]) for text in texts]
    documents = [(text, document) for text, document in documents if document]
    df = Counter(word for _, document in documents for word in set(document))
    query = Counter(word for word in query if word not in stops and df[word])
    idf = {word: math.log(len(documents) / n) for word, n in df.items()}
    return [
        (text, _similarity(query, Counter(document), idf, measure)) for text, document in documents
    ]


def _similarity(query: Counter, one: Counter, idf: dict[str, float], measure: str) -> float:
    def cosine(weight) -> float:
        dot = sum(query[word] * one[word] * weight(word) ** 2 for word in query)
        lengths = _length(query, weight) * _length(one, weight)
        return dot / lengths if lengths else 0.0

    tf, tf_idf = cosine(lambda word: 1.0), cosine(lambda word: idf[word])
    length = _length(one, lambda word: 1.0)
    overlap = sum(query[word] * idf[word] * one[word] / length for word in query)
    return {"tf": tf, "tf-idf": tf_idf, "overlap": overlap, "sum": tf + tf_idf + overlap}[measure]


def _length(vector: Counter, weight) -> float:
    return math.sqrt(sum((count * weight(word)) ** 2 for word, count in vector.items()))
