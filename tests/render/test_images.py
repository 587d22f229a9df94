"""Images: where their URL is found, and which are dropped, from literal HTML."""

from __future__ import annotations

import pytest

import thresher
from tests.render.helpers import inner_html, tree
from thresher.render.images import srcset_candidates

PAGE = "https://example.org/a/page.html"

IMAGES = {
    "relative": ("<img src=b.png>", "b.png"),
    "data-src": ("<img src=data:image/gif;base64,R0 data-src=b.png>", "b.png"),
    "data-original": ("<img src=blank.gif data-original=b.png>", "b.png"),
    "data-lazy-src": ("<img src=/img/placeholder.png data-lazy-src=b.png>", "b.png"),
    "srcset": ("<img srcset='s.png 300w, l.png 1200w,m.png 600w'>", "l.png"),
    "data-srcset": ("<img data-srcset='s.png 1x, l.png 2x'>", "l.png"),
    "picture": ("<picture><source srcset='l.webp 2x, s.webp'><img></picture>", "l.webp"),
    "src before srcset": ("<img src=b.png srcset='l.png 2x'>", "b.png"),
    "noscript after a placeholder": (
        "<img src=data:, class=lazy> <noscript><img src=b.png></noscript>",
        "b.png",
    ),
    "noscript after a late image": (
        "<img data-src=b.png><noscript><img src=b-small.png></noscript>",
        "b.png",
    ),
    "noscript before a late image": (
        "<noscript><img src=b.png></noscript><img data-src=b-large.png>",
        "b.png",
    ),
    "noscript alone": ("<noscript><img src=b.png></noscript>", "b.png"),
    "the same twice": ("<img src=b.png><img src=b.png>", "b.png"),
    "two sizes in a name": ("<img src=b-300x200.png><img src=b-1024x683.png>", "b-300x200.png"),
    "two sizes in a query": (
        "<img src='b.png?w=300&amp;v=1'><img src='b.png?v=1'>",
        "b.png?w=300&amp;v=1",
    ),
    "two sizes in a path": ("<img src=300x200/b.png><img src=640x480/b.png>", "300x200/b.png"),
    "a preview, and the image in a noscript": (
        "<img src=max/60/b.png?q=20><img class=late><noscript><img src=max/900/b.png></noscript>",
        "max/900/b.png",
    ),
    "no size yet": ("<img src=data:, data-src=b.png width=1 height=1>", "b.png"),
    "a pixel that counts visits": (
        "<img src=b.png><noscript><img src=https://sb.scorecardresearch.com/p?c1=2></noscript>"
        "<img src='https://www.facebook.com/tr?id=1'>",
        "b.png",
    ),
    "requests that count visits": (
        "<img src=b.png><noscript><img src='/stats/count.php?id=1' alt=count></noscript>"
        "<img src='/collect?key=1&amp;event=view'><img src='/measure.gif?id=1&amp;type=view'>",
        "b.png",
    ),
    "signs to edit a part of a page": (
        "<img src=b.png><a href=/edit><img src=/img/icon18_wrench_allbkg.png alt=''></a>"
        "<img src=/img/icon18_edit_allbkg.gif>",
        "b.png",
    ),
    "a file with a query": ("<img src='b.png?v=1'>", "b.png?v=1"),
    "an image of a program": ("<img src='image.php?id=1'>", "image.php?id=1"),
}


def html(source: str) -> str:
    return inner_html(tree(source, url=PAGE))


@pytest.mark.parametrize(("source", "expected"), IMAGES.values(), ids=IMAGES)
def test_url_of_an_image(source: str, expected: str) -> None:
    assert html(f"a{source}") == f'<p>a<img src="https://example.org/a/{expected}"></p>'


def test_an_image_without_url_becomes_a_space() -> None:
    assert html("<p>a<img src=data:, alt='b c'>d") == "<p>a d</p>"


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("<img src=/images/smilies/wink.gif alt=';)'>", "a ;) d"),
        ("<img class=emoji src=/1f642.png alt='🙂'>", "a 🙂 d"),
        ("<img src=/emoji/tea.png alt=':tea:'>", "a :tea: d"),
        ("<img src=/images/smilies/biggrin.gif alt='Big grin'>", "a d"),
    ],
)
def test_a_smiley_is_its_text(image: str, expected: str) -> None:
    assert html(f"<p>a{image}d") == f"<p>{expected}</p>"


def test_an_image_of_one_pixel_is_dropped() -> None:
    assert html("<p>a<img src=/t.gif width=1 height=1 alt=b>") == "<p>a</p>"


def test_the_same_image_in_two_cells_stays() -> None:
    cell = '<td><img src="https://example.org/y.png" alt="yes"></td>'
    source = "<table><tr><th>a<th>b<tr>" + "<td><img src=/y.png alt=yes>" * 2 + "</table>"
    assert html(source).count(cell) == 2


def test_candidates_of_a_srcset() -> None:
    found = list(srcset_candidates("a,b.png 1.5x, c.png,\nd.png 300w,e.png"))
    assert found == [("a,b.png", 1.5), ("c.png", 1.0), ("d.png", 300.0), ("e.png", 1.0)]


def test_a_placeholder_by_its_name_is_dropped() -> None:
    assert html("<p>a<img src=/img/b.gif><img src=/i/clear.gif>d") == "<p>a d</p>"
    assert "blob.gif" in html("<p>a<img src=/img/blob.gif>d")


def test_a_copy_near_an_image_is_dropped() -> None:
    image, other = "<img src=a.png>", "<img src=b.png>"
    assert html(f"<p>{image}</p><p>text</p><p>{other}</p><p>{image}</p>").count("a.png") == 1
    assert html(f"<p>{image}</p><p>{'text ' * 400}</p><p>{image}</p>").count("a.png") == 2


@pytest.mark.parametrize("name", ["/count/pv.gif", "/i/beacon.gif", "/presskit/icons/by.svg"])
def test_an_image_that_counts_visits_or_marks_a_licence_is_dropped(name: str) -> None:
    assert inner_html(tree(f"<p>a <img src={name}>b</p>")) == "<p>a b</p>"
    assert name in inner_html(tree(f"<p>a <img src={name} alt='A sign'>b</p>"))


@pytest.mark.parametrize(
    "source",
    [
        "<a href=/t><img src=t.png alt='Hot  tea' title='Hot  tea'></a><a href=/t>Hot tea</a>",
        "<a href=/t><img src=t.png alt='Hot tea'></a><a href=/t><b>Hot</b> <i>tea</i></a>",
        "<h2>hot Tea</h2><p><img src=t.png alt='Hot tea'></p><p>It is warm.</p>",
    ],
)
def test_the_text_beside_an_image_is_not_said_twice(source: str) -> None:
    written = thresher.extract(source, method="plain").markdown()
    assert "![](t.png)" in written
    assert written.casefold().replace("*", "").count("hot tea") == 1
    other = thresher.extract(source.replace("alt='Hot", "alt='Cold"), method="plain").markdown()
    assert "![Cold" in other
