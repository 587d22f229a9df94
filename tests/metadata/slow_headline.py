"""TitleFinder as defined, computed from the HTML string sentence by sentence.

Texts come from `html.parser`, not from `Page`. The pages are simple: a title in the head, then
paragraphs and headings of a few words.
"""

import math
import re
from collections import Counter
from html.parser import HTMLParser

from hypothesis import strategies as st

WORDS = "tea kettle three minutes water the boil steep's Über first".split()
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
    return f"<html><head><title>{draw(text)}</title></head><body>{body}</body></html>"


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


def sentences(html: str) -> tuple[str, list[str]]:
    reader = Reader()
    reader.feed(html)
    found = []
    for text in reader.texts:
        start = 0
        for at in range(1, len(text)):
            if text[at - 1] in ".!?" and text[at] == " ":
                found.append(text[start:at].strip())
                start = at + 1
        found.append(text[start:].strip())
    return reader.title, [one for one in found if tokens(one)]


def stop_words(documents: list[list[str]], share: float) -> set[str]:
    longer = [one for one in documents if len(one) >= 8]
    if len(longer) < 10:
        return set()
    return {
        word
        for one in longer
        for word in one
        if sum(word in other for other in longer) > share * len(longer)
    }


def similarity(html: str, measure: str, share: float = 0.1) -> list[float]:
    """Return the similarity of each sentence with the title."""
    title, texts = sentences(html)
    documents = [tokens(text) for text in texts]
    stops = stop_words(documents, share)
    given = tokens(title)
    query = Counter([word for word in given if word not in stops] or given)
    df = Counter(word for one in documents for word in set(one))
    query = Counter({word: n for word, n in query.items() if df[word]})
    idf = {word: math.log(len(documents) / n) for word, n in df.items()}
    return [_similarity(query, Counter(one), idf, measure) for one in documents]


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
