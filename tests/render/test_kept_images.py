"""Which images stay although no text of their block is kept: one test per rule."""

from __future__ import annotations

import numpy as np
import pytest

import thresher
from tests.growth import assert_linear
from tests.render.helpers import valid_tei
from thresher.render.html import html
from thresher.render.kept_images import kept_images
from thresher.render.kept_tree import kept_tree
from thresher.render.markdown.writer import markdown
from thresher.render.normal_form import normalise
from thresher.render.tei.writer import tei

URL = "https://example.org/a"


def chosen(source: str) -> thresher.Selection:
    """Select all text without the word "dropped"."""
    page = thresher.parse(source, url=URL)
    return page.where(np.array(["dropped" not in page.text(row) for row in range(len(page))]))


def md(source: str, *, images: bool = True) -> str:
    return markdown(normalise(kept_tree(chosen(source)), url=URL, images=images))


IMAGE = "![](https://example.org/a.jpg)"
STAYS = {
    "a figure whose caption is dropped": (
        "<figure><img src=/a.jpg><figcaption>dropped</figcaption></figure>"
    ),
    "a credit beside the caption": (
        "<figure><img src=/a.jpg><span>dropped</span><figcaption>dropped</figcaption></figure>"
    ),
    "a caption with a link": (
        "<figure><img src=/a.jpg><figcaption><a href=/b>dropped</a></figcaption></figure>"
    ),
    "an image that states no height": "<div><img src=/a.jpg height=0 width=570></div>",
    "an image loaded later": "<div><img data-src=/a.jpg height=1 width=1></div>",
    "a block of its own": "<div><div><img src=/a.jpg></div></div>",
    "a link to itself, larger": "<p><a href=/large.jpg><img src=/a.jpg></a></p>",
    "a caption by its class": (
        "<div class=wp-caption><img src=/a.jpg><p class=wp-caption-text>dropped</p></div>"
    ),
    "several sources": "<p><picture><source srcset=/a.webp><img src=/a.jpg></picture></p>",
    "the URL only in a source": "<p><picture><source srcset=/a.jpg><img></picture></p>",
    "a late image": (
        "<figure><img src=/blank.gif><noscript><img src=/a.jpg></noscript>"
        "<figcaption>dropped</figcaption></figure>"
    ),
    "a link to a larger one, with a caption that is mostly text": (
        "<div class=thumb><a href=/large.jpg><img src=/a.jpg></a>"
        "<div class=thumbcaption>dropped, dropped <a href=/b>dropped</a></div></div>"
    ),
    "an image of AMP": "<amp-img src=/a.jpg width=600 height=400></amp-img>",
    "stated sizes": "<p><img src=/a.jpg width=600 height=400></p>",
}
DROPPED = {
    "a box that leads elsewhere": "<div><a href=/b><img src=/a.jpg>dropped</a></div>",
    "text that is no caption": "<div><img src=/a.jpg><p>dropped</p></div>",
    "a caption by its class that is too long": (
        f"<div class=wp-caption><img src=/a.jpg><p>{'dropped ' * 61}</p></div>"
    ),
    "a caption and an image that are links": (
        "<figure><a href=/b><img src=/a.jpg></a>"
        "<figcaption><a href=/b>dropped</a></figcaption></figure>"
    ),
    "a link with a caption that is mostly a link": (
        "<div class=thumb><a href=/b><img src=/a.jpg></a>"
        "<div class=thumbcaption>dropped <a href=/b>dropped dropped</a></div></div>"
    ),
    "a link that is no caption": "<div><img src=/a.jpg><a href=/b>dropped</a></div>",
    "a row of buttons": "<div><a href=/b><img src=/a.jpg></a><a href=/c><img src=/c.jpg></a></div>",
    "hidden": "<div hidden><img src=/a.jpg></div>",
    "an icon": "<div><img src=/a.jpg width=16 height=16></div>",
    "the largest icon": "<div><img src=/a.jpg width=48></div>",
    "dropped text before it": "<p>dropped</p><p><img src=/a.jpg></p>",
    "dropped text after it": "<p><img src=/a.jpg></p><p>dropped</p>",
}


@pytest.mark.parametrize("name", STAYS)
def test_an_image_between_kept_text_stays(name):
    assert md(f"<p>One.</p>{STAYS[name]}<p>Two.</p><p>dropped") == (
        f"One.\n\n{'[' + IMAGE + '](https://example.org/large.jpg)' if 'large' in name else IMAGE}"
        "\n\nTwo."
    )


@pytest.mark.parametrize("name", DROPPED)
def test_other_images_are_dropped(name):
    assert md(f"<p>One.</p>{DROPPED[name]}<p>Two.</p><p>dropped") == "One.\n\nTwo."


@pytest.mark.parametrize("wrapper", ["{}", "<div><div>{}</div></div>"])
def test_a_figure_above_the_first_paragraph_stays(wrapper):
    figure = "<figure><img src=/a.jpg><figcaption>dropped</figcaption></figure>"
    above = wrapper.format(figure)
    assert md(f"<p>dropped</p>{above}<p>One.") == f"{IMAGE}\n\nOne."


@pytest.mark.parametrize(
    "above",
    [
        "<header><img src=/logo.png></header>",  # no figure
        "<figure><a href=/><img src=/logo.png></a></figure>",  # a link
        "<div><figure><img src=/1.jpg></figure><figure><img src=/2.jpg></figure></div>",  # several
        "<figure><img src=/1.jpg><img src=/2.jpg></figure>",  # two images in one figure
        "<div><img src=/1.jpg><figure>dropped</figure></div>",  # not in the figure
    ],
)
def test_other_images_above_the_first_paragraph_are_dropped(above):
    assert md(f"{above}<p>One.</p><p>dropped") == "One."


def test_an_image_with_a_caption_above_the_first_paragraph_stays():
    box = "<div class=photo><img src=/a.jpg><span class=pb-caption>dropped</span></div>"
    assert md(f"<p>dropped</p>{box}<p>One.") == f"{IMAGE}\n\nOne."


@pytest.mark.parametrize("image", ["<p><img src=/a.jpg></p>", "<div><p><img src=/a.jpg></p></div>"])
def test_an_image_that_begins_the_container_of_the_text_stays(image):
    assert md(f"<p>dropped</p><div>{image}<p>One.</div><p>dropped") == f"{IMAGE}\n\nOne."
    for other in (
        f"<p>dropped</p>{image}<p>One.<p>dropped",  # the body
        f"<div><p>dropped</p>{image}<p>One.</div>",  # not at the beginning
        f"<div>{image}{image}<p>dropped</div><p>One.",  # no kept text in it
    ):
        assert md(other) == "One."


def test_dropped_signs_are_no_text():
    page = thresher.parse("<p>One.</p><p>* * *</p><p><img src=/a.jpg></p><p>Two.</p>", url=URL)
    words = page.where(np.array(["*" not in page.text(row) for row in range(len(page))]))
    found = markdown(normalise(kept_tree(words), url=URL))
    assert found == f"One.\n\n{IMAGE}\n\nTwo."


def test_images_of_a_page_that_is_hidden_until_a_script_runs():
    inner = "<p>One.</p><div><img src=/a.jpg></div><p>Two.</p>"
    page = f"<div style='display:none'>{inner}</div>"
    assert md(page) == f"One.\n\n{IMAGE}\n\nTwo."


def test_images_in_a_row_all_stay():
    figure = "<figure><img src=/{}.jpg><figcaption>dropped</figcaption></figure>"
    found = md(f"<p>One.</p>{figure.format('a')}{figure.format('b')}<p>Two.</p>")
    assert found == f"One.\n\n{IMAGE}\n\n![](https://example.org/b.jpg)\n\nTwo."


def test_images_are_in_html_and_tei_and_not_in_text():
    source = "<p>One.</p><figure><img src=/a.jpg alt=Hill><figcaption>dropped</figcaption></figure>"
    selection = chosen(f"{source}<p>Two.</p>")
    body = normalise(kept_tree(selection), url=URL)
    assert html(body) == (
        '<article><p>One.</p><figure><img src="https://example.org/a.jpg" alt="Hill"></figure>'
        "<p>Two.</p></article>"
    )
    written = tei(body)
    assert 'url="https://example.org/a.jpg"' in written
    valid_tei(written)
    assert selection.text() == "One.\n\nTwo."


CAPTIONS = {
    "a figure": "<figure>{}<figcaption>Dropped one. <i>By Ada</i></figcaption></figure>",
    "above it": "<figure><figcaption>Dropped one. <i>By Ada</i></figcaption>{}</figure>",
    "a class": "<div class=wp-caption>{}<p class=wp-caption-text>Dropped one. By Ada</p></div>",
    "a box beside": "<div><div>{}</div><div class=caption>Dropped one. By Ada</div></div>",
}
PROSE = "<p>The valley was surveyed in spring by a party of four, who measured its river, {}.</p>"


def captioned(figure: str) -> thresher.Document:
    before, after = (
        "".join(PROSE.format(word) for word in words) for words in (("one", "two"), ("3", "4"))
    )
    page = f"<title>T</title><main><article><h1>T</h1>{before}{figure}{after}</article></main>"
    return thresher.extract(page, url=URL)


@pytest.mark.parametrize("picture", ["<img src=/a.jpg>", "<video src=/a.jpg></video>"])
@pytest.mark.parametrize("name", CAPTIONS)
def test_dropped_captions_are_written_with_their_pictures(name, picture):
    document = captioned(CAPTIONS[name].format(picture))
    assert "Dropped" not in document.text
    found = document.markdown().split("\n\n")
    caption = [part.replace("*", "") for part in found[2:-2] if "example.org" not in part]
    assert caption == ["Dropped one. By Ada"]
    assert len(found) == 6
    root = valid_tei(document.tei())
    assert "".join(root.find(".//{*}body").itertext()).count("Dropped one") == 1
    assert "Dropped one" in document.html()


@pytest.mark.parametrize(
    "figure",
    [
        "<figure><figcaption>dropped one</figcaption></figure>",  # no picture
        "<div><img src=/a.jpg><p>dropped one</p></div>",  # no caption
        "<p><img src=/a.jpg></p><figure><figcaption>dropped one</figcaption></figure>",  # another
        f"<figure><img src=/a.jpg><figcaption>dropped {'dropped ' * 120}</figcaption></figure>",
        "<figure><img src=/a.jpg><figcaption hidden>dropped one</figcaption></figure>",
        "<figure><img src=/a.jpg><figcaption><a href=b>dropped dropped dropped dropped</a>"
        "</figcaption></figure>",
        "<figure><img src=/i.png width=9><figcaption>dropped one</figcaption></figure>",  # an icon
    ],
)
def test_other_dropped_text_beside_pictures_stays_out(figure):
    selection = chosen(f"<p>One.</p>{figure}<p>Two.</p>")
    found = markdown(normalise(kept_tree(selection, captions=True), url=URL))
    assert found.replace(IMAGE, "").split() == ["One.", "Two."]


def test_captions_are_left_out_where_they_are_not_asked_for():
    page = captioned(CAPTIONS["a figure"].format("<img src=/a.jpg>"))
    assert "Dropped" not in page.markdown(thresher.Include(images=False))
    assert "Dropped" not in page.select("main").markdown()
    assert "Dropped" not in thresher.extract(page.page, favor="precision").markdown()


@pytest.mark.parametrize(
    "unit",
    [
        "<img src=a><figcaption>b</figcaption>",
        "<figure><img src=a><figcaption>b",
        "<div class=caption><img src=a><p class=caption>b</p>",
    ],
)
def test_captions_take_linear_time(unit):
    assert_linear(lambda page: captioned(page).markdown(), lambda n: unit * n, 100)


def test_output_without_images():
    figure = "<figure><img src=/a.jpg><figcaption>dropped</figcaption></figure>"
    assert md(f"<p>One.</p>{figure}<p>Two.", images=False) == "One.\n\nTwo."


def test_an_empty_selection_keeps_no_image():
    page = thresher.parse("<p><img src=/a.jpg></p><p>dropped")
    kept = page.none().kept
    assert not kept_images(page.none(), kept, page.hidden).any()
