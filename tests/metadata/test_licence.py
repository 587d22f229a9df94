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
    ("around", "found"),
    [("footer", Field(BY, "text")), ("p", Field("")), ("footer class=photo-credit", Field(""))],
)
def test_a_name_in_a_link_to_a_page_about_the_licence(around, found):
    link = f"<{around}><a href=/licence>CC <b>BY</b> 4.0</a></{around.split()[0]}>"
    more = "<p>Tea is a drink that many people like.</p>" * 9
    assert licence(f"{TEXT}{link}{more}") == found


@pytest.mark.parametrize("url", [None, "https://www.example.org/tea"])
def test_an_address_without_a_scheme(url):
    html = f"{TEXT}<footer><p>{LINK.replace('https:', '')}</p></footer>"
    assert metadata.read(thresher.parse(html, url=url)).licence == Field(BY, "link")


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


PROSE = "<p>" + "The pot stands on the table and the water boils over the fire. " * 3 + "</p>"


@pytest.mark.parametrize(
    "notice",
    [
        f"<p>The museum put the content of its site under {LINK}.</p>",
        f"<p>See {LINK}.</p>",
        f"<ul><li>The museum: all content under {LINK}</li><li>Others: no rights</li></ul>",
        "<p>The library chose CC BY 4.0.</p>",
    ],
)
def test_prose_about_another_site_states_no_licence(notice):
    assert licence(f"<article>{TEXT}{PROSE}{notice}{PROSE}</article>") == Field("")
    assert licence(f"<article>{TEXT}{PROSE}<p>This text is under {LINK}</p>{PROSE}</article>").value


@pytest.mark.parametrize(
    ("notice", "path"),
    [
        ("This work is licensed under CC BY-SA 4.0", "licenses/by-sa/4.0/"),
        ("© Ada Berg, CC-BY-NC-ND 3.0", "licenses/by-nc-nd/3.0/"),
        ("Creative Commons Attribution-ShareAlike 4.0 International", "licenses/by-sa/4.0/"),
        (
            "Available under the Creative Commons Attribution-NonCommercial 3.0 License",
            "licenses/by-nc/3.0/",
        ),
        ("No rights reserved: CC0", "publicdomain/zero/1.0/"),
    ],
)
@pytest.mark.parametrize("tag", ["footer", "div id=footer", "p"])
def test_a_licence_named_in_a_footer(notice, path, tag):
    address = f"https://creativecommons.org/{path}"
    html = f"{TEXT}{PROSE}<{tag}>{notice}</{tag.split()[0]}>"
    assert licence(html) == Field(address, "text")


@pytest.mark.parametrize("notice", ["Photos: CC BY 2.0", "CC me on the mail", "CC BY 9.7"])
def test_other_names_in_a_footer_are_no_licence(notice):
    assert licence(f"{TEXT}{PROSE}<footer>{notice}</footer>") == Field("")


PROSE = f"<p>{'The water must boil before the leaves go into the pot. ' * 3}</p>"


@pytest.mark.parametrize(
    "sentence",
    [
        f"There are licences such as {LINK}.",
        f"There are licences such as {LINK}, which have rules for all the content of a page.",
        f"Authors use licenses that are free, for example {LINK}.",
        "Creative Commons has licences such as CC BY 4.0.",
    ],
)
@pytest.mark.parametrize(("before", "after"), [("", PROSE * 3), (PROSE * 3, ""), (PROSE, PROSE)])
def test_an_article_about_licences_has_none(sentence, before, after):
    assert not licence(f"<article><h1>Tea</h1>{before}<p>{sentence}</p>{after}</article>")


def test_only_a_label_above_an_article_has_its_licence():
    assert licence(f"<h1>Tea</h1><p>Licence: {LINK}</p>{PROSE}").value == BY
    assert licence(f"<h1>Tea</h1><p>{LINK}</p>{PROSE}").value == BY
    assert licence(f"<h1>Tea</h1><p>This text is licensed under {LINK}.</p>{PROSE}").value == BY
    assert not licence(f"<h1>Tea</h1><p>One of them is {LINK}.</p>{PROSE}")


@pytest.mark.parametrize(
    ("notice", "has_licence"),
    [
        (f"User comments are licensed under {LINK}; all else © The Kettle.", False),
        (f"© The Kettle. Comments: {LINK}.", False),
        (f"All content and comments are licensed under {LINK}.", True),
        (f"The project now uses a {LINK} for its data, the mayor said.", False),
        (f"Our council chose the {LINK} after a long debate.", False),
        (f"Available to all readers of the Kettle under {LINK}.", True),
        (f"The Kettle, {LINK}", True),
        (f"Tags: Tea and water • Friday • Ada Berg • May<a href='{BY}'><svg/></a>", True),
    ],
)
def test_a_licence_of_comments_or_of_another_project(notice, has_licence):
    found = licence(f"{TEXT}{PROSE}{PROSE}<p>{notice}</p>")
    assert bool(found) == has_licence


@pytest.mark.parametrize("address", ["/", "#license-1", "https://kettle.example/"])
def test_the_home_page_and_a_part_of_the_page_are_no_licence(address):
    page = thresher.parse(f"<h1>Tea</h1><p>Boil.</p><a rel=license href={address}>Licence</a>")
    assert not metadata.read(page).licence
    assert not metadata.read(thresher.parse(f"<link rel=license href={address}><p>Tea")).licence
