"""Plain: all visible text."""

from hypothesis import given

import thresher
from tests import slow_definitions as slow
from thresher.methods.plain import Plain


@given(slow.pages())
def test_it_keeps_the_words_that_are_not_hidden(html):
    assert slow.kept_words(Plain()(thresher.parse(html))) == slow.plain(html)


def test_by_hand():
    page = thresher.parse(
        "<title>Tea</title><p>Steep <b>it</b>.<p hidden>Not this.<script>nor('this')</script>"
        "<noscript>Nor this.</noscript>"
    )
    assert Plain()(page).text() == "Steep it."
