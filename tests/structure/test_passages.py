"""Passages: nothing is lost, nothing is divided that should not be, and each is in its source."""

import pickle
import re
from html import escape, unescape
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.growth import assert_linear
from tests.pages import slow_words, soup, well_formed
from tests.test_hostile import PAGES
from thresher.errors import UsageError


def whole(html: str, **options: object) -> thresher.Document:
    """Return the document of all text of a page."""
    return thresher.extract(html, method="plain", **options)


def texts(html: str, words: int = 200, **options: int) -> list[str]:
    return [passage.text for passage in whole(html).passages(words, **options)]


def sentence(words: int, name: str = "w") -> str:
    """Return a sentence of so many words, all of them different."""
    return " ".join(f"{name.capitalize() if not at else name}{at}" for at in range(words)) + "."


# --- by hand -------------------------------------------------------------------------------------

PAGE = """<title>Tea | A site</title><h1>Tea</h1><p>Tea is a drink. It is hot.</p>
<h2>Making it</h2><p>Boil the water &amp; wait:</p><ol><li>Warm the pot.<li>Add tea. Stir.</ol>
<h3>Green tea</h3><p>Cooler water will do.</p>
<h2>Prices</h2><table><tr><th>Tea<th>Price<tr><td>Black<td>3.50<tr><td>Green<td>4.20</table>
<pre>price = 3.50
total = price * 2</pre>"""


def test_a_page_by_hand():
    document = whole(PAGE)
    found = document.passages()
    assert [(passage.headings, passage.text, passage.words) for passage in found] == [
        (("Tea",), "Tea\n\nTea is a drink. It is hot.", 8),
        (
            ("Tea", "Making it"),
            "Making it\n\nBoil the water & wait:\n\n1. Warm the pot.\n2. Add tea. Stir.",
            14,
        ),
        (("Tea", "Making it", "Green tea"), "Green tea\n\nCooler water will do.", 6),
        (
            ("Tea", "Prices"),
            "Prices\n\nTea | Price\nBlack | 3.50\nGreen | 4.20\n\nprice = 3.50\ntotal = price * 2",
            15,
        ),
    ]
    assert [passage.number for passage in found] == [0, 1, 2, 3]
    second = found[1]
    assert (second.position.line, second.position.column) == (2, 4)
    assert (second.end.line, second.end.column) == (2, 90)
    source = document.page.source[second.position.offset : second.end.offset]
    assert source.startswith("Making it</h2>")
    assert source.endswith("<li>Add tea. Stir.")
    assert second.to_dict() == {
        "number": 1,
        "headings": ["Tea", "Making it"],
        "text": second.text,
        "words": 14,
        "line": 2,
        "column": 4,
        "offset": second.position.offset,
        "end_line": 2,
        "end_column": 90,
        "end_offset": second.end.offset,
        "css_path": "html > body > h2:nth-of-type(1)",
    }
    assert pickle.loads(pickle.dumps(found)) == found


def test_sentences_of_one_text_have_places_of_their_own():
    document = whole("<p>Salt &amp; tea\n are hot.  Pots &lt;are&gt; cold&#46; Cups, too.</p>")
    found = document.passages(4)
    source = document.page.source
    assert [source[each.position.offset : each.end.offset] for each in found] == [
        "Salt &amp; tea\n are hot.",
        "Pots &lt;are&gt; cold&#46;",
        "Cups, too.",
    ]
    assert [each.text for each in found] == [
        "Salt & tea are hot.",
        "Pots <are> cold.",
        "Cups, too.",
    ]
    assert {each.row for each in found} == {each.last_row for each in found}


def test_a_sentence_goes_on_over_links_and_line_breaks():
    html = "<p>One <b>two</b> three<br>four. <a href=x>Five</a> six. Seven eight.</p>"
    assert texts(html, 2) == ["One two three\nfour.", "Five six.", "Seven eight."]


@pytest.mark.parametrize(
    "block",
    [
        "<table><tr><th>A. B<th>C<tr><td>One. Two.<td>Three. Four.</table>",
        "<pre>one. Two.\n\nThree. Four.\nFive six.</pre>",
        "<p>One, two, three, four, five, six and seven.</p>",
    ],
)
def test_a_long_unit_is_a_passage(block):
    before, after = f"<p>{sentence(3, 'a')}</p>", f"<p>{sentence(3, 'b')}</p>"
    first, second, third = texts(before + block + after, 3)
    assert (first, third) == (sentence(3, "a"), sentence(3, "b"))
    assert second == whole(block).text


def test_a_list_is_divided_between_items_unless_one_is_long():
    items = [f"{sentence(2, name)} {sentence(2, name + 'x')}" for name in "abc"]
    html = "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"
    assert texts(html, 5) == [f"- {item}" for item in items]
    assert texts(html, 2)[:2] == ["- A0 a1.", "Ax0 ax1."]
    nested = "<ul><li>One two.<ul><li>Three. Four.</li><li>Five. Six.</li></ul></li></ul>"
    assert texts(nested, 6) == ["- One two.\n  - Three. Four.\n  - Five. Six."]
    assert texts(nested, 2) == ["- One two.", "  - Three. Four.", "  - Five. Six."]


def test_a_paragraph_is_preferred_to_a_sentence():
    first = " ".join(sentence(10, name) for name in "abcd")
    second = " ".join(sentence(10, name) for name in "efghi")
    assert texts(f"<p>{first}</p><p>{second}</p>", 50) == [first, second]


def test_what_introduces_a_list_stays_with_it():
    html = (
        f"<p>{sentence(20, 'a')}</p><p>{sentence(20, 'b')}</p><p>You need:</p>"
        f"<ul><li>{sentence(20, 'c')}</li><li>{sentence(20, 'd')}</li></ul>"
    )
    assert [text.count("You need:") for text in texts(html, 50)] == [0, 1]


def test_no_passage_is_tiny():
    body = " ".join(sentence(20, f"s{number}x") for number in range(10))
    html = f"<p>{body}</p><p>The very end.</p>"
    (first, second) = thresher.extract(html, method="plain").passages(200)
    assert first.words + second.words == 203
    assert second.words > 80
    tail = f"<table><tr><th>{'x ' * 150}<th>y<tr><td>1<td>2</table><p>The very end.</p>"
    assert len(texts(tail, 100)) == 1


def test_lines_without_sentences_are_divided_at_their_breaks():
    poem = "<br>".join(f"line {number} of a poem" for number in range(60))
    found = whole(f"<p>{poem}</p>").passages(100)
    assert [passage.words for passage in found] == [100, 100, 100]
    assert all(passage.text.startswith("line") for passage in found)
    short = "<br>".join(f"line {number} of a poem" for number in range(20))
    assert len(texts(f"<p>{short}</p>", 10)) == 1  # this may be one sentence


# --- headings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a", [((), "a")]),
        ("<title>T</title><p>a", [(("T",), "a")]),
        ("<h1>T</h1><p>a", [(("T",), "T\n\na")]),
        # a heading that is not the title has the title before it
        ("<title>T</title><h2>S</h2><p>a", [(("T", "S"), "S\n\na")]),
        # text above the first heading
        ("<p>a<h2>S</h2><p>b", [((), "a"), (("S",), "S\n\nb")]),
        # levels that are left out, and a step back
        (
            "<h2>A</h2><p>a<h4>B</h4><p>b<h3>C</h3><p>c<h2>D</h2><p>d",
            [
                (("A",), "A\n\na"),
                (("A", "B"), "B\n\nb"),
                (("A", "C"), "C\n\nc"),
                (("D",), "D\n\nd"),
            ],
        ),
        # headings without text: deeper ones go with what follows, others are passages
        ("<h2>A</h2><h3>B</h3><p>b", [(("A", "B"), "A\n\nB\n\nb")]),
        (
            "<h2>A</h2><h2>B</h2><h2>C</h2><p>c<h2>D</h2>",
            [((), "A\n\nB"), (("C",), "C\n\nc"), (("D",), "D")],
        ),
        # inside a table, a heading is text of a cell
        (
            "<table><tr><th>x<th>y<tr><td><h2>A</h2>1<td>2</table>",
            [((), "x | y\nA 1 | 2")],
        ),
        # in a list, it begins a section
        (
            "<ul><li><h3>A</h3><p>a</p></li><li><h3>B</h3><p>b</p></li></ul>",
            [(("A",), "- A\n\n  a"), (("B",), "- B\n\n  b")],
        ),
    ],
)
def test_sections(html, expected):
    document = whole(html)
    title = document.title if "<title>" in html or "<h1>" in html else ""
    found = thresher.structure.passages.passages(
        document.selection, title=title, headline_row=document.headline.row if title else -1
    )
    assert [(passage.headings, passage.text) for passage in found] == expected


def test_a_heading_that_is_never_closed_is_text():
    body = " ".join(sentence(10, name) for name in "abcdefgh")
    html = f"<h2>Title<div><p>{body}</p><p>{body}</p></div>"
    found = whole(html).passages(50)
    assert all(passage.words <= 60 for passage in found)
    assert all(sentence(10, "a") not in passage.headings for passage in found)


def test_the_headline_is_in_the_path_once():
    html = "<title>Tea - Site</title><h2>News</h2><p>x<h2>Tea</h2><p>y<h2>More</h2><p>z"
    found = thresher.structure.passages.passages(whole(html).selection, title="Tea")
    assert [passage.headings for passage in found] == [
        ("Tea", "News"),
        ("Tea",),
        ("Tea", "More"),
    ]


# --- arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"words": 0}, "words is 0: give a whole number from 1 on."),
        ({"words": 2.5}, "words is 2.5"),
        ({"words": True}, "words is True"),
        ({"overlap": -1}, "overlap is -1: give a whole number from 0 on."),
        ({"overlap": 101}, "overlap is 101: give at most half of words, 100."),
    ],
)
def test_bad_lengths(options, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        whole("<p>x").passages(**options)


def test_without_text():
    assert whole("<img src=x>").passages() == []
    assert [(each.text, each.words) for each in whole("<p>***").passages()] == [("***", 0)]


def test_overlap_repeats_whole_sentences_of_the_section():
    names = "abcdefgh"
    body = " ".join(sentence(10, name) for name in names)
    html = f"<h2>One</h2><p>{body}</p><h2>Two</h2><p>Short.</p>"
    plain, repeated = whole(html).passages(41), whole(html).passages(41, overlap=12)
    assert [each.text for each in plain[:-1]] == [
        "One\n\n" + " ".join(sentence(10, name) for name in "abcd"),
        " ".join(sentence(10, name) for name in "efgh"),
    ]
    assert [each.text for each in repeated] == [
        "One\n\n" + " ".join(sentence(10, name) for name in "ab"),
        " ".join(sentence(10, name) for name in "bcd"),
        " ".join(sentence(10, name) for name in "def"),
        " ".join(sentence(10, name) for name in "fgh"),
        "Two\n\nShort.",
    ]
    for passage in repeated:
        source = html[passage.position.offset : passage.end.offset]
        assert slow_words(re.sub("<[^>]*>", " ", source)) == slow_words(passage.text)


def test_characters_that_are_not_ascii():
    html = "<p>یہ پہلا جملہ ہے۔ abc یہ دوسرا جملہ ہے۔</p><p>only ascii</p>"
    page = thresher.parse(html)
    selection = thresher.Selection(page, page.all().keep, "non-ascii")
    document = thresher.Document(page, selection, "r2l")
    found = document.passages(4)
    assert " ".join(each.text for each in found) == document.text
    assert [each.number for each in found] == [0, 1]
    assert [each.words for each in found] == [4, 4]


# --- any page ------------------------------------------------------------------------------------


def tag_free(source: str) -> str:
    """Return the text of a piece of well-formed source, without white space."""
    source = re.sub(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>", "", source, flags=re.S)
    return "".join(unescape(re.sub(r"<[^>]*>", "", source)).split())


def check(document: thresher.Document, words: int) -> None:
    """Check what holds for every page."""
    found = document.passages(words)
    written = [word for passage in found for word in slow_words(passage.text)]
    assert written == slow_words(document.text)
    solid = "".join("".join(passage.text.split()) for passage in found)
    assert solid == "".join(document.text.split())
    assert [passage.number for passage in found] == list(range(len(found)))
    for passage in found:
        assert passage.text in document.text
        assert passage.words == len(slow_words(passage.text))
        assert 0 <= passage.position.offset <= passage.end.offset <= len(document.page.source)
        assert passage.row <= passage.last_row
    assert all(one.last_row <= other.row for one, other in pairwise(found))


@given(well_formed, st.integers(1, 12))
@settings(deadline=None)
def test_nothing_is_lost_of_a_page(source, words):
    check(whole(source), words)


@given(soup, st.integers(1, 12))
@settings(deadline=None)
def test_nothing_is_lost_of_a_broken_page(source, words):
    check(whole(source), words)


BLOCKS = st.one_of(
    st.tuples(st.just("p"), st.lists(st.integers(1, 9), min_size=1, max_size=4)),
    st.tuples(st.just("li"), st.lists(st.integers(1, 9), min_size=1, max_size=4)),
    st.tuples(st.just("pre"), st.lists(st.integers(1, 9), min_size=1, max_size=4)),
    st.tuples(st.just("table"), st.lists(st.integers(1, 9), min_size=1, max_size=4)),
    st.tuples(st.sampled_from(["h2", "h3", "h4"]), st.just([2])),
)


class Made:
    """A page written for a test, with the pieces that must stay whole and their heading paths."""

    def __init__(self, blocks: list[tuple[str, list[int]]], words: int) -> None:
        self.html = ""
        self.pieces: list[tuple[str, tuple[str, ...]]] = []  # text without white space, path
        stack: list[tuple[str, str]] = []
        for number, (name, sizes) in enumerate(blocks):
            parts = [sentence(size, f"w{number}x{at}y") for at, size in enumerate(sizes)]
            parts = [f"{part[:-1]} & so." for part in parts]
            text = " ".join(parts)
            if name[0] == "h":
                stack = [each for each in stack if each[0] < name]
                stack.append((name, text))
                self.html += f"<{name}>{escape(text)}</{name}>\n"
            elif name == "p":
                linked = escape(text).replace(" ", " <i>", 1)
                self.html += f"<p>{linked}</i></p>" if " <i>" in linked else f"<p>{linked}</p>"
            elif name == "li":
                self.html += f"<ul><li>{escape(text)}</li></ul>"
            elif name == "pre":
                self.html += f"<pre>{escape(text)}</pre>"
            else:
                cells = "".join(f"<tr><td>{escape(part)}<td>7" for part in parts)
                self.html += f"<table><tr><th>K<th>V{cells}</table>"
            path = tuple(each for _, each in stack)
            short_item = name == "li" and len(slow_words(text)) <= words
            if name in ("pre", "h2", "h3", "h4") or short_item:
                self.pieces.append((text, path))
            elif name == "table":
                rows = "".join(f"{part}|7" for part in parts)
                self.pieces.append((f"K|V{rows}", path))
            else:
                self.pieces += [(part, path) for part in parts]


@given(st.lists(BLOCKS, max_size=9), st.integers(2, 40))
@settings(deadline=None, max_examples=200)
def test_pieces_stay_whole_and_in_their_section(blocks, words):
    made = Made(blocks, words)
    document = whole(made.html)
    selection = document.selection
    found = thresher.structure.passages.passages(selection, words=words)
    solid = ["".join(passage.text.split()) for passage in found]
    for text, path in made.pieces:
        piece = "".join(text.split())
        holders = [number for number, each in enumerate(solid) if piece in each]
        assert len(holders) == 1, (text, [passage.text for passage in found])
        above = found[holders[0]].headings
        # Headings without text of their own are collected, and have only what is above them all.
        assert path[: len(above)] == above or (above[: len(path)] == path and text == path[-1])
    # The source of a passage has its text and nothing else.
    for passage in found:
        piece = document.page.source[passage.position.offset : passage.end.offset]
        marks = re.sub(r"^ *- |\|", "", passage.text, flags=re.M)
        assert tag_free(piece) == "".join(marks.split())
    assert all(one.end.offset <= other.position.offset for one, other in pairwise(found))


@given(st.lists(st.integers(1, 12), min_size=1, max_size=60), st.integers(12, 60))
@settings(deadline=None)
def test_lengths_of_a_long_section(sizes, words):
    body = " ".join(sentence(size, f"s{number}x") for number, size in enumerate(sizes))
    found = whole(f"<p>{body}</p>").passages(words)
    assert all(passage.words <= 1.2 * words for passage in found)
    assert len(found) == 1 or all(passage.words >= 0.1 * words for passage in found)
    total = sum(sizes)
    # A passage lacks at most one sentence, so they fill at least words - 11 on average.
    assert len(found) <= total / max(words * 0.75 - 12, 1) + 1


# --- hostile pages -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("n", [1, 2, 300])
def test_hostile_pages(name, n):
    check(whole(PAGES[name][1](n)), 20)


def test_a_million_characters_without_a_sentence_end_are_one_passage():
    (passage,) = whole("<p>" + "word " * 200_000).passages()
    assert passage.words == 200_000
    (single,) = whole("<p>" + "w" * 1_000_000).passages()
    assert single.words == 1


GROWING = {
    "sentences": lambda n: "<p>" + "Some words are here. " * n,
    "sentences with references": lambda n: "<p>" + "Salt &amp; tea. " * n,
    "short sentences": lambda n: "<p>" + "Tea! " * n,
    "no sentence": lambda n: "<p>" + "word " * n,
    "paragraphs": lambda n: "<p>Some words are here.</p>" * n,
    "lines": lambda n: "<p>" + "some words<br>" * n,
    "items": lambda n: "<ul>" + "<li>Some words. And more." * n,
    "nested items": lambda n: "<ul><li>Some words." * (n // 4),
    "headings": lambda n: "<h2>Some words</h2>" * n,
    "sections": lambda n: "<h2>Some</h2><p>words.</p>" * n,
    "tables": lambda n: "<table><tr><th>a<th>b<tr><td>c<td>d</table>" * (n // 4),
    "code": lambda n: "<pre>x = 1\ny = 2</pre>" * n,
    "no words": lambda n: "<p>***</p>" * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GROWING)
def test_the_time_grows_with_the_page(name):
    make = GROWING[name]
    assert_linear(lambda document: document.passages(), lambda n: whole(make(n)), 2_000)
