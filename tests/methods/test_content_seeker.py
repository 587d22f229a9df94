"""Content-Seeker: each rule on literal HTML."""

import numpy as np
import pytest
from hypothesis import given

import thresher
from tests import slow_definitions as slow
from thresher import UsageError
from thresher.methods.content_seeker import (
    FEATURES,
    ContentSeeker,
    around_largest,
    segments,
    table_of_posts,
    units,
)
from thresher.methods.model.files import to_bytes
from thresher.page.words import stems

NO_STOPS = np.zeros(0, np.uint32)
PLACE = {name: number for number, name in enumerate(FEATURES)}


def row_of(page, name, nth=0):
    return [row for row in range(len(page)) if page.name(row) == name][nth]


def value(page, name, feature, stop_words=NO_STOPS):
    """A feature of the first element of a name."""
    found = units(page, stop_words)
    number = found.row[: found.elements].tolist().index(row_of(page, name))
    return float(found.value[PLACE[feature], number])


# --- what the classifiers see --------------------------------------------------------------------

HTML = (
    "<body><nav><a href=/>Home page</a> now</nav>"
    "<div><h2>Tea</h2><p>Warm the pot for ten people, and wait a little while longer.</p>"
    "<img src=x><iframe src=y></iframe><input></div><ul><li>milk</li><li>no</li></ul></body>"
)


def test_features_by_hand():
    page = thresher.parse(HTML)
    # 3 words in nav, 13 in div (1 + 12), 2 in the list: 18.
    assert value(page, "div", "words") == 13
    assert value(page, "div", "share of the page's words") == pytest.approx(13 / 18)
    assert value(page, "nav", "share of linked words") == pytest.approx(2 / 3)
    assert value(page, "div", "share of words in prose") == pytest.approx(12 / 13)
    assert value(page, "nav", "share of words in menus") == 1
    assert value(page, "div", "words before") == pytest.approx(3 / 18)
    assert value(page, "div", "words after") == pytest.approx(2 / 18)
    assert value(page, "ul", "share of the parent") == pytest.approx(2 / 18)
    for feature, count in {
        "images": 1, "frames": 1, "links": 0, "fields": 1, "paragraphs": 1, "headings": 1,
        "items": 0, "blocks": 2,
    }.items():  # fmt: skip
        assert value(page, "div", feature) == count, feature
    assert value(page, "ul", "items") == 2
    assert value(page, "div", "words a block") == 6.5
    assert value(page, "nav", "in nav, header, footer, aside or form") == 1
    assert value(page, "body", "holds nav, header, footer, aside or form") == 1


def test_stop_words_are_found_by_their_stems():
    page = thresher.parse("<div>the tea and the POT</div>")
    stop_words = np.sort(stems(["THE and"], 5))
    assert value(page, "div", "share of stop words", stop_words) == pytest.approx(3 / 5)
    assert value(page, "div", "share of stop words") == 0


@given(slow.pages())
def test_words_of_elements_and_blocks(html):
    page = thresher.parse(html)
    found = units(page, NO_STOPS)
    shown = [row for row in page.text_rows.tolist() if not page.hidden[row]]
    for row, end, words in zip(found.row, found.end, found.words, strict=True):
        inner = [slow.slow_words(page.text(r)) for r in shown if row <= r < end]
        assert words == sum(map(len, inner)) > 0


# --- stage 1: the division -----------------------------------------------------------------------


def divided(html, good):
    """The names of the segments when the elements of the given names are good."""
    page = thresher.parse(html)
    found = units(page, NO_STOPS)
    names = [page.name(row) for row in found.row.tolist()]
    is_good = np.array([name in good for name in names[: found.elements]], np.bool_)
    return [names[number] for number in segments(found, is_good)]


def test_the_highest_good_elements_are_segments():
    html = "<div><ul><li>one</ul><section><p>two<p>three</section></div>"
    assert divided(html, {"section", "p", "ul"}) == ["ul", "section"]
    assert divided(html, {"body", "p"}) == ["body"]


def test_text_outside_good_elements_is_divided_into_blocks():
    html = "<div>one <b>two</b><p>three</p>four</div>"
    assert divided(html, {"p"}) == ["p", "#text", "#text"]  # "one two" and "four"
    assert divided(html, set()) == ["#text", "#text", "#text"]


# --- stage 3: the rules --------------------------------------------------------------------------


def counts(page, **by_word):
    """A column with the words of the segments that begin at the texts' parents."""
    found = np.zeros(len(page), np.int64)
    for word, number in by_word.items():
        (row,) = (r for r in page.text_rows.tolist() if page.text(r) == word)
        found[page.parent[row]] = number
    return found


def test_largest_block():
    page = thresher.parse(
        "<div><section><p>a</p><p>b</p><p>x</p></section><p>y</p></div><footer><p>z</p></footer>"
    )
    content = counts(page, a=100, b=40, z=30)
    # Above a: the section has 140 - 20, the div 140 - 20 - 50, the body 170 - 70.
    noise = counts(page, x=20, y=50)
    assert page.name(around_largest(page, content, noise)) == "section"
    # With little noise in the way, the whole page: 170 - 21 against 140 - 20.
    assert page.name(around_largest(page, content, counts(page, x=20, y=1))) == "body"
    # Ties go to the lowest: 100 alone and 100 + 40 - 40.
    alone = around_largest(page, counts(page, a=100, b=40), counts(page, x=40))
    assert page.text(alone + 1) == "a"


POSTS = "<table><tr><td>a<tr><td>b<tr><td>c</table><p>d</p>"


def test_table_of_posts():
    page = thresher.parse(POSTS)
    assert page.name(table_of_posts(page, counts(page, a=10, b=10, c=10, d=30))) == "tbody"
    assert table_of_posts(page, counts(page, a=10, b=10, c=10, d=31)) == -1  # less than half
    assert table_of_posts(page, counts(page, a=10, b=10, c=9)) == -1  # two posts of ten words
    assert table_of_posts(page, counts(page, d=100)) == -1
    mixed = thresher.parse("<div><p>a</p><p>b</p><h2>c</h2></div>")
    assert table_of_posts(mixed, counts(mixed, a=10, b=10, c=10)) == -1  # not of one tag


def stump(name, feature, threshold, low, high):
    """A forest of one tree with one question."""
    return {
        f"{name}_root": np.array([0], np.int32),
        f"{name}_feature": np.array([PLACE[feature], 0, 0], np.uint8),
        f"{name}_threshold": np.array([threshold, 0, 0], np.float32),
        f"{name}_below": np.array([1, -1, -1], np.int32),
        f"{name}_value": np.array([0, low, high], np.float16),
    }


@pytest.fixture
def model(tmp_path):
    """Good: at most one block. Content: more than 9 words."""
    arrays = stump("granularity", "blocks", 1.5, 1, 0) | stump("content", "words", 9.5, 0, 1)
    path = tmp_path / "model.npz"
    arrays["stop_words"] = NO_STOPS
    path.write_bytes(to_bytes("content-seeker", arrays, features=list(FEATURES)))
    return str(path)


TEN = "one two three four five six seven eight nine ten"


def test_the_rules_in_turn(model):
    page = thresher.parse(
        f"<main><p>{TEN} more</p><p>{TEN}</p></main>"
        f"<div>{'<p>short one here</p>' * 8}<p>{TEN} away</p></div>"
    )
    kept = {
        rule: ContentSeeker(model=model, rule=rule)(page).text().split("\n\n")
        for rule in ("none", "block", "table", "auto")
    }
    assert kept["none"] == [f"{TEN} more", TEN, f"{TEN} away"]
    assert kept["block"] == kept["auto"] == [f"{TEN} more", TEN]  # 21 against 32 - 24
    assert kept["table"] == kept["none"]  # no table of posts: nothing is removed


def test_a_forum(model):
    posts = "".join(f"<li><p>{TEN} {name}</p><p>short</p></li>" for name in "abc")
    page = thresher.parse(f"<p>{TEN} and more</p><p>s</p><ul>{posts}</ul>")
    found = ContentSeeker(model=model)(page)
    assert found.text().count("ten") == 3
    assert "short" not in found.text()
    assert found == ContentSeeker(model=model, rule="table")(page)


def test_hidden_text_in_a_kept_segment_is_not_kept(model):
    page = thresher.parse(f"<p>{TEN}<b hidden>secret</b> eleven</p>")
    assert ContentSeeker(model=model)(page).text() == f"{TEN} eleven"


@pytest.mark.parametrize(
    ("option", "number", "message"),
    [
        (
            "granularity",
            0.4,
            "granularity of content-seeker is 0.4: give a number at least 0.5 and below 1.",
        ),
        (
            "threshold",
            1.0,
            "threshold of content-seeker is 1.0: give a number above 0 and below 1.",
        ),
        ("rule", "x", "rule of content-seeker is 'x': give 'auto', 'block', 'table' or 'none'."),
    ],
)
def test_bad_options_are_refused(option, number, message):
    with pytest.raises(UsageError) as error:
        ContentSeeker(**{option: number})
    assert str(error.value) == message
