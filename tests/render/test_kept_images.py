"""Images between kept text: one test a rule, on literal HTML."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from lxml import etree

import thresher
from thresher import render
from thresher.render import Include
from thresher.render.kept_images import pictures
from thresher.render.tei.writer import tei

RELAX_NG = etree.RelaxNG(etree.parse(str(Path(render.__file__).parent / "tei" / "tei.rng")))

ALL = Include()


def chosen(source: str) -> thresher.Selection:
    """All text but that with the word "dropped"."""
    page = thresher.parse(source, url="https://example.org/a")
    kept = np.array(["dropped" not in page.text(row) for row in range(len(page))])
    return page.where(kept)


def md(source: str, include: Include = ALL) -> str:
    body = render.pruned(chosen(source))
    body = render.prepare(body, url="https://example.org/a", include=include)
    return render.markdown(body, include=include)


IMAGE = "![](https://example.org/a.jpg)"
STAYS = {
    "a figure whose caption is dropped": (
        "<figure><img src=/a.jpg><figcaption>dropped</figcaption></figure>"
    ),
    "a credit beside the caption": (
        "<figure><img src=/a.jpg><span>dropped</span><figcaption>dropped</figcaption></figure>"
    ),
    "a block of its own": "<div><div><img src=/a.jpg></div></div>",
    "a link to itself, larger": "<p><a href=/large.jpg><img src=/a.jpg></a></p>",
    "a caption by its class": (
        "<div class=wp-caption><img src=/a.jpg><p class=wp-caption-text>dropped</p></div>"
    ),
    "several sources": "<p><picture><source srcset=/a.webp><img src=/a.jpg></picture></p>",
    "a late image": (
        "<figure><img src=/blank.gif><noscript><img src=/a.jpg></noscript>"
        "<figcaption>dropped</figcaption></figure>"
    ),
    "stated sizes": "<p><img src=/a.jpg width=600 height=400></p>",
}
GOES = {
    "a box that leads elsewhere": "<div><a href=/b><img src=/a.jpg>dropped</a></div>",
    "text that is no caption": "<div><img src=/a.jpg><p>dropped</p></div>",
    "a caption that is a link": (
        "<figure><img src=/a.jpg><figcaption><a href=/b>dropped</a></figcaption></figure>"
    ),
    "a row of buttons": "<div><a href=/b><img src=/a.jpg></a><a href=/c><img src=/c.jpg></a></div>",
    "hidden": "<div hidden><img src=/a.jpg></div>",
    "an icon": "<div><img src=/a.jpg width=16 height=16></div>",
    "dropped text before it": "<p>dropped</p><p><img src=/a.jpg></p>",
    "dropped text after it": "<p><img src=/a.jpg></p><p>dropped</p>",
}


@pytest.mark.parametrize("name", STAYS)
def test_an_image_between_kept_text_stays(name):
    assert md(f"<p>One.</p>{STAYS[name]}<p>Two.</p><p>dropped") == (
        f"One.\n\n{'[' + IMAGE + '](https://example.org/large.jpg)' if 'large' in name else IMAGE}"
        "\n\nTwo."
    )


@pytest.mark.parametrize("name", GOES)
def test_other_images_go(name):
    assert md(f"<p>One.</p>{GOES[name]}<p>Two.</p><p>dropped") == "One.\n\nTwo."


def test_a_figure_above_the_first_paragraph_stays():
    figure = "<figure><img src=/a.jpg><figcaption>dropped</figcaption></figure>"
    assert md(f"<p>dropped</p>{figure}<p>One.") == f"{IMAGE}\n\nOne."


@pytest.mark.parametrize(
    "above",
    [
        "<header><img src=/logo.png></header>",  # no figure
        "<figure><a href=/><img src=/logo.png></a></figure>",  # a link
        "<div><figure><img src=/1.jpg></figure><figure><img src=/2.jpg></figure></div>",  # several
    ],
)
def test_what_else_stands_above_the_first_paragraph_goes(above):
    assert md(f"{above}<p>One.</p><p>dropped") == "One."


def test_images_in_a_row_all_stay():
    figure = "<figure><img src=/{}.jpg><figcaption>dropped</figcaption></figure>"
    found = md(f"<p>One.</p>{figure.format('a')}{figure.format('b')}<p>Two.</p>")
    assert found == f"One.\n\n{IMAGE}\n\n![](https://example.org/b.jpg)\n\nTwo."


def test_html_and_tei_keep_them_too_and_text_has_none():
    source = "<p>One.</p><figure><img src=/a.jpg alt=Hill><figcaption>dropped</figcaption></figure>"
    selection = chosen(f"{source}<p>Two.</p>")
    body = render.prepare(render.pruned(selection), url="https://example.org/a")
    assert render.html(body) == (
        '<article><p>One.</p><figure><img src="https://example.org/a.jpg" alt="Hill"></figure>'
        "<p>Two.</p></article>"
    )
    body = render.prepare(render.pruned(selection), url="https://example.org/a")
    written = tei(body)
    assert 'url="https://example.org/a.jpg"' in written
    RELAX_NG.assertValid(etree.fromstring(written.encode()))
    assert selection.text() == "One.\n\nTwo."


def test_without_images_there_are_none():
    figure = "<figure><img src=/a.jpg><figcaption>dropped</figcaption></figure>"
    assert md(f"<p>One.</p>{figure}<p>Two.", Include(images=False)) == "One.\n\nTwo."


def test_nothing_kept_keeps_no_image():
    page = thresher.parse("<p><img src=/a.jpg></p><p>dropped")
    assert not pictures(page.none()).any()
    assert not pictures(thresher.parse("").none()).any()
