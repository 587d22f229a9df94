"""Licences of pages, and licences of other things on them."""

import json

import pytest

import thresher
from thresher import metadata
from thresher.metadata import Field

BY = "https://creativecommons.org/licenses/by/4.0/"
TEXT = "<h1>Tea at home</h1><p>Boil the water, warm the pot and wait for three minutes.</p>"
LINK = f'<a href="{BY}">CC BY 4.0</a>'
MARKED = LINK.replace("<a ", "<a rel=license ")


def licence(html: str) -> Field[str]:
    return metadata.read(thresher.parse(html, url="https://www.example.org/tea")).licence


def work(**properties: str) -> str:
    item = {"@type": "Article", "headline": "Tea", **properties}
    return f'<script type="application/ld+json">{json.dumps(item)}</script>'


@pytest.mark.parametrize(
    ("html", "source"),
    [
        (f"<link rel=license href={BY}>{TEXT}", "link license"),
        (work(license=BY) + TEXT, "json-ld license"),
        (f"{TEXT}<p>{MARKED}</p>", "rel license"),
        (f"{TEXT}<footer><p>© Ada Berg. {LINK}</p></footer>", "link"),
        (
            f"{TEXT}<p>Except where noted, content on this site is licensed under {LINK}.",
            "link",
        ),
        (f"{TEXT}<p><a href={BY}><img src=by.png></a></p>", "link"),
        (
            f"{TEXT}<p>Alle Texte stehen unter {LINK} und dürfen geteilt werden, Bilder nicht.",
            "link",
        ),
        (f"<meta name=dcterms.license content={BY}>{TEXT}", "dcterms.license"),
    ],
)
def test_licences_of_the_page(html, source):
    assert licence(html) == Field(BY, source)


@pytest.mark.parametrize(
    "html",
    [
        f"<figure><img src=tea.jpg><figcaption>Ada Berg, {MARKED}</figcaption></figure>",
        f"<p>Photo by Ada Berg on Flickr, {LINK}</p>",
        f"<p>All photos are licensed under {MARKED}</p>",
        f"<div class=image-credit>{LINK}</div>",
        f"<p>Many people have heard of {LINK}, which was written in 2013 in a city by the sea.</p>",
        f"<div class=comment><p>My comments: {MARKED}</p></div>",
        "<a rel=license href=/terms-of-use>Terms</a>",
        "<p><a href=https://creativecommons.org/>Creative Commons</a></p>",
        "<meta name=dc.rights content='2024 Tea Press Limited'>",
        work(license="https://www.example.org/legal/"),
        "<p>You need a license to sell tea.</p>",
    ],
)
def test_no_licence_of_the_page(html):
    assert licence(TEXT + html) == Field("")
