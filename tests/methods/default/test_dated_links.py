"""Lists of links with times beside them: dropped beside a text, and only there."""

import numpy as np
import pytest

import thresher
from thresher.methods.default.dated_links import without_dated_links
from thresher.methods.default.features.containers import page_outline

TEXT = f"<p>{'The harbour is closed, and nobody knows for how long. ' * 6}</p>"
LINK = "<a href=/x>A new city has many inhabitants</a>"


def left(html: str) -> list[bool]:
    """Return which blocks keep their probability, which is 0.6 for each."""
    outline = page_outline(thresher.parse(html))
    found = without_dated_links(outline, np.full(len(outline), 0.6))
    assert set(found.tolist()) <= {0.0, 0.6}
    return (found > 0).tolist()


@pytest.mark.parametrize(
    "line",
    [
        f"10:17 {LINK}",
        f"9.05 {LINK}",
        f"{LINK} [ 12:16 14/1 ]",
        f"{LINK} 05/04, 12:30",
        f"14/1 {LINK}",
        f"<span>23:18</span> {LINK}",
    ],
)
def test_links_with_times_beside_a_text(line):
    assert left(TEXT + f"<div>{line}</div>" * 5) == [True] + 5 * [False]
    assert left(TEXT + f"<div>{line}</div>" * 4) == 5 * [True]  # too few for a list
    assert all(left(f"<div>{line}</div>" * 5))  # they are the page


@pytest.mark.parametrize(
    "line",
    [
        LINK,
        f"See {LINK}",
        "10:17 The minister arrives, and the meeting begins with a delay",
        f"10:17 The minister arrives for the first time since the spring, and says: {LINK}",
        f"{LINK} costs 3.50 at least",
        f"Version 2.10.3 {LINK} is out",
    ],
)
def test_other_lines_stay(line):
    assert all(left(TEXT + f"<div>{line}</div>" * 6))


def test_what_is_said_below_a_link_goes_with_it():
    entry = f"<dt>10:17 {LINK}<dd>The harbour is closed, and nobody knows for how long it will be."
    other = (
        "<dl><dt>Tea<dd>It is drunk hot, by most people, and in the morning by all of them.</dl>"
    )
    assert left(f"{TEXT}<dl>{entry * 5}</dl>{other}") == [True] + 10 * [False] + 2 * [True]


def test_a_page_without_blocks_in_question():
    assert left("<p>Tea") == [True]
