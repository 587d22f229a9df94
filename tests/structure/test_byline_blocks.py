"""Blocks near an article: bylines, dates and "read also" links."""

import pytest
from hypothesis import given, settings

from tests.growth import assert_linear
from tests.pages import soup
from thresher import extract, parse
from thresher.structure.byline_blocks import byline_blocks, read_also_blocks

BODY = "<p>" + "The old bridge is closed for repairs until the autumn, the town council said. " * 3


def texts_of(find_blocks, source):
    """Return the texts of the blocks that are found, each on one line."""
    page = parse(source)
    blocks = find_blocks(page)
    assert blocks.shape == (len(page.blocks),)
    lines = [[] for _ in blocks]
    for text, block in zip(page.texts, page.blocks.of_text, strict=True):
        if block >= 0:
            lines[block].append(text or "")
    found = [lines[block] for block in blocks.nonzero()[0]]
    return [" ".join("".join(several).split()) for several in found]


@pytest.mark.parametrize(
    "line",
    [
        "By Ada Berg",
        "By Ada Berg and Karl Holm",
        "Von Ada Berg und Karl May | 3. Mai 2024",
        "By <a href=/ada>Ada Berg</a>",
        "Par Ada Berg",
        "Ada Berg, 3 May 2024",
        "3 May 2024, 15:47",
        "3. Mai 2024, 15:47 Uhr",
        "Updated: May 3, 2024 5:12 pm",
        "Stand: 3. Mai 2024",
        "作者：李明 2024年5月3日",
        "2024年5月3日 10:10",
    ],
)
def test_bylines_and_dates_near_the_headline(line):
    assert len(texts_of(byline_blocks, f"<h1>A bridge</h1><p>{line}</p>{BODY}")) == 1
    assert len(texts_of(byline_blocks, f"<p>{line}</p><h1>A bridge</h1>{BODY}")) == 1
    assert texts_of(byline_blocks, f"<h1>A bridge</h1>{BODY * 7}<p>{line}</p>") == []
    assert texts_of(byline_blocks, f"<p>{line}</p>{BODY}") == []


@pytest.mark.parametrize(
    "line",
    [
        "Ada Berg",  # it may be anything
        "The pool opens",
        "Breaking News",
        "By the time we came, Peter had left",
        "It was 3 May 2024",
        "In 2024 the pool opened",
        "Price: 30",
        "Include: local photo roll, albums, and smart albums",
        "In other words, this is a big deal!",
        "Its reports come with the Budget and Autumn Statement.",
        "Another friend joined, and we created a group chat.",
        "",
    ],
)
def test_lines_with_more_than_names_and_a_date_are_body(line):
    assert texts_of(byline_blocks, f"<h1>A bridge</h1><p>{line}</p>{BODY}") == []


def test_the_headline_is_no_byline():
    assert texts_of(byline_blocks, f"<h1>3 May 2024</h1>{BODY}") == []
    assert texts_of(byline_blocks, f"<h2>A bridge</h2><p>By Ada Berg</p>{BODY}") == ["By Ada Berg"]


@pytest.mark.parametrize(
    ("paragraph", "is_read_also"),
    [
        ("Read also: <a href=/y>The pool opens on Monday</a>", True),
        ("<b>Lesen Sie auch:</b> <a href=/y>Das Bad öffnet am Montag</a>.", True),
        ("延伸阅读：<a href=/y>游泳池将于下周一重新开放营业</a>", True),
        ("Read also: <a href=/y>The pool opens</a> | <a href=/z>A bridge is closed</a>", True),
        ("Read also: <a href=/y>The pool opens on Monday</a> at nine", False),
        ("Read <a href=/y>what the town council said about it</a>", False),
        ("Source: <a href=/y>Town council</a>", False),
        ("Read also: <a href=/y>The pool is open</a>", True),  # four words of a link are enough
        ("Read also: <a href=/y>The pool opens</a>", False),
        ("The council had this to say to all of us: <a href=/y>The pool opens soon</a>", False),
        ("Read also: The pool opens on Monday", False),
    ],
)
def test_read_also_links(paragraph, is_read_also):
    found = texts_of(read_also_blocks, f"<h1>A bridge</h1>{BODY}<p>{paragraph}</p>{BODY}")
    assert len(found) == is_read_also


SAID = [
    "The old bridge over the river is closed from Monday on, the town council said last night.",
    "Its stones have to be taken out one by one, cleaned, and set again with new mortar.",
    "Until the autumn everybody has to go round by the mill, which takes a quarter of an hour.",
    "Shopkeepers on the far side fear for their trade and ask for a ferry that runs all day.",
    "A ferry would cost more than the repairs, the mayor answered, and nobody has offered one.",
    "The bridge was built four hundred years ago and has been mended three times since then.",
]


def test_favor_precision_leaves_them_out():
    said = [f"<p>{sentence} {sentence.replace('The', 'This')}</p>" for sentence in SAID]
    said.insert(3, "<p>Read also: <a href=/y>The pool opens on Monday</a></p>")
    source = (
        "<title>The old bridge is closed</title><article><h1>The old bridge is closed</h1>"
        f"<p>By Ada Berg</p><p class=datum>3 May 2024, 15:47</p>{''.join(said)}</article>"
    )
    document = extract(source, favor="precision")
    assert document.kind == "article"
    assert [sentence for sentence in SAID if sentence not in document.text] == []
    beside = "Ada Berg", "May", "Read also", "The pool"
    assert [words for words in beside if words in document.text] == []
    assert "By Ada Berg" in extract(source, favor="recall").text


@given(soup)
@settings(max_examples=50, deadline=None)
def test_any_page(source):
    page = parse(source)
    assert byline_blocks(page).shape == read_also_blocks(page).shape == (len(page.blocks),)


@pytest.mark.slow
def test_growth():
    assert_linear(
        lambda page: (byline_blocks(page), read_also_blocks(page)),
        lambda n: parse("<h1>x</h1><p>By Ada Berg</p><p>See: <a href=/>one two three four</a>" * n),
        400,
    )
