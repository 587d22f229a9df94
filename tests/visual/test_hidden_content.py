"""Hidden text of rendered pages: the default leaves it out."""

from tests.visual.boxes import div, laid_out
from thresher import extract, parse

RAIN = "It rained on the roof all night and nobody in the old house slept a single hour of it. "
SNOW = RAIN.replace("rained", "snowed")
HIDE = "<p style='display:none'>"


def page_of(shown, hidden):
    article = "".join(f"<p>{RAIN * 3}</p>" for _ in range(shown))
    article += "".join(f"{HIDE}{SNOW * 3}</p>" for _ in range(hidden))
    return laid_out(f"<title>Rain</title>{div(0, 0, 1000, 1000, article)}")


def test_hidden_blocks_are_not_content():
    text = extract(page_of(shown=4, hidden=1)).text
    assert "rained" in text
    assert "snowed" not in text


def test_a_page_that_hides_its_content_is_judged_as_if_it_were_only_parsed():
    page = page_of(shown=0, hidden=4)
    assert extract(page).text == extract(parse(page.source)).text


def test_a_page_without_text():
    assert extract(laid_out("<div></div>")).text == ""
