"""Links around chosen texts."""

import numpy as np

from thresher import parse
from thresher.structure.links import Link, links_of


def test_links_of_chosen_texts():
    page = parse(
        "<p><a href=/a>One <b>and</b> two</a> <a href=/a>again</a> <a href=#x>here</a> <a>no</a>"
        "<a href=/b><img></a></p><p><a href=b?c>three</a>",
        url="https://example.org/d/",
    )
    chosen = np.ones(len(page.text_rows), np.bool_)
    assert links_of(page, chosen) == [
        Link("One and two", "https://example.org/a"),
        Link("three", "https://example.org/d/b?c"),
    ]
    assert links_of(page, ~chosen) == []
    chosen[:-1] = False
    assert links_of(page, chosen) == [Link("three", "https://example.org/d/b?c")]
