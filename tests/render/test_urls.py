"""URLs that are refused, and fragments of links within a page."""

import pytest

from thresher.render.urls import fragment, resolve

PAGE = "https://example.org/a/page.html"


@pytest.mark.parametrize("url", ["JAVASCRIPT:x", "vbscript:x", "data:x", "\x01javascript:x"])
def test_unsafe_urls_are_refused(url):
    assert resolve(url, PAGE) is None
    assert resolve(url, None) is None


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("#n", "n"),
        (f"{PAGE}#n", "n"),
        (f" {PAGE}#n ", "n"),
        (PAGE, ""),
        ("other#n", ""),
        (None, ""),
    ],
)
def test_fragment_of_a_link_within_the_page(url, name):
    assert fragment(url, PAGE) == name
