"""Videos, sounds and frames as links, from literal HTML."""

from __future__ import annotations

import numpy as np
import pytest

from tests.growth import assert_linear
from tests.render.helpers import inner_html, tree, valid_tei
from thresher import parse
from thresher.render.kept_tree import kept_tree
from thresher.render.markdown.writer import markdown
from thresher.render.normal_form import normalise
from thresher.render.tei.writer import tei

PAGE = "https://example.org/a/page.html"
VIDEO = "https://example.org/a/v.mp4"

LINKS = {
    "a video with a title": ("<video src=v.mp4 title='A film'></video>", f"[A film]({VIDEO})"),
    "a source": ("<video><source src=v.mp4></video>", f"[v.mp4]({VIDEO})"),
    "a sound": ("<audio src=/s.ogg aria-label=Song></audio>", "[Song](https://example.org/s.ogg)"),
    "a frame": (
        "<iframe src=https://www.b.example/x></iframe>",
        "[b.example](https://www.b.example/x)",
    ),
    "a frame loaded later": (
        "<iframe src=about:blank data-src=//b.example/x></iframe>",
        "[b.example](https://b.example/x)",
    ),
    "a frame that fills the screen": (
        "<iframe src=https://b.example/x scrolling=no allowfullscreen></iframe>",
        "[b.example](https://b.example/x)",
    ),
    "a player that does not scroll": (
        "<iframe src=https://www.youtube.com/embed/xyz scrolling=no></iframe>",
        "[youtube.com](https://www.youtube.com/watch?v=xyz)",
    ),
    "an object": ("<object data=v.mp4 type=video/mp4></object>", f"[v.mp4]({VIDEO})"),
    "an object with a document": (
        "<object data=/plan.pdf type=application/pdf></object>",
        "[plan.pdf](https://example.org/plan.pdf)",
    ),
    "an object with a parameter": (
        "<object><param name=allow value=true><param name=Movie "
        "value='http://www.youtube.com/v/x-Y_1&hl=en'><embed src=v.mp4></object>",
        "[youtube.com](https://www.youtube.com/watch?v=x-Y_1)",
    ),
    "an object with an embedded file": ("<object><embed src=v.mp4></object>", f"[v.mp4]({VIDEO})"),
    "an object of Vimeo": (
        "<object data='http://vimeo.com/moogaloop.swf?clip_id=12&server=vimeo.com'></object>",
        "[vimeo.com](https://vimeo.com/12)",
    ),
    "an object in an object": (
        "<object classid=x><param name=a value=b><object data=v.mp4></object></object>",
        f"[v.mp4]({VIDEO})",
    ),
    "an embedded file": ("<embed src=v.mp4>", f"[v.mp4]({VIDEO})"),
    "YouTube": (
        "<iframe src='https://www.youtube.com/embed/x-Y_1?rel=0' title='Our  talk'></iframe>",
        "[Our talk](https://www.youtube.com/watch?v=x-Y_1)",
    ),
    "YouTube without cookies": (
        "<iframe src='//www.youtube-nocookie.com/embed/xyz'></iframe>",
        "[youtube.com](https://www.youtube.com/watch?v=xyz)",
    ),
    "Vimeo": (
        "<iframe src='https://player.vimeo.com/video/12?h=1'></iframe>",
        "[vimeo.com](https://vimeo.com/12)",
    ),
    "a player of its own name": (
        "<lite-youtube videoid=x-Y_1 playlabel='Play: Tea'><a href=/y></a></lite-youtube>",
        "[Play: Tea](https://www.youtube.com/watch?v=x-Y_1)",
    ),
    "one of Vimeo": ("<lite-vimeo videoid=12></lite-vimeo>", "[vimeo.com](https://vimeo.com/12)"),
    "one with an address": (
        "<youtube-video src='https://www.youtube.com/watch?v=xyz'></youtube-video>",
        "[youtube.com](https://www.youtube.com/watch?v=xyz)",
    ),
    "one of AMP": (
        "<amp-youtube data-videoid=xyz width=480 height=270></amp-youtube>",
        "[youtube.com](https://www.youtube.com/watch?v=xyz)",
    ),
    "a video of AMP": ("<amp-video src=v.mp4></amp-video>", f"[v.mp4]({VIDEO})"),
    "a post of AMP": (
        "<amp-twitter data-tweetid=12></amp-twitter>",
        "[twitter.com](https://twitter.com/i/status/12)",
    ),
    "an empty box": (
        "<div class=video data-youtube-id=xyz></div>",
        "[youtube.com](https://www.youtube.com/watch?v=xyz)",
    ),
    "an empty box with an address": (
        "<div data-src='https://www.youtube.com/embed/xyz' data-id=xyz></div>",
        "[youtube.com](https://www.youtube.com/watch?v=xyz)",
    ),
    "a frame for those who consent": (
        "<iframe data-cmp-src='https://www.youtube.com/embed/xyz'></iframe>",
        "[youtube.com](https://www.youtube.com/watch?v=xyz)",
    ),
    "a title with marks": (
        "<video src=v.mp4 title='a]b <i>'></video>",
        f"[a\\]b &lt;i>]({VIDEO})",
    ),
}
LEFT_OUT = {
    "no address": "<video></video><iframe></iframe><object><param name=movie></object>",
    "a script": "<iframe src='javascript:alert(1)'></iframe><embed src='data:text/html,x'>",
    "an odd name of a video": "<lite-youtube videoid='x?y#z'></lite-youtube>",
    "an empty box of another script": "<div data-src=https://b.example/x></div>",
    "a small frame": "<iframe src=https://b.example/x width=1 height=1></iframe>",
    "a hidden frame": "<iframe src=https://b.example/x style='display: none'></iframe>",
    "a frame of no size": "<iframe src=https://b.example/x style='width:0;height:0'></iframe>",
    "a box of the site": "<iframe src=https://b.example/x scrolling=no width=640></iframe>",
    "a tag manager": "<iframe src=https://www.googletagmanager.com/ns.html?id=1></iframe>",
    "an advertisement": "<iframe src=https://ad.doubleclick.net/x></iframe>",
    "the bar of Blogger": "<iframe src=//www.blogger.com/navbar.g?id=1 title='Search'></iframe>",
    "a button": "<iframe src=https://www.facebook.com/plugins/like.php></iframe>",
}


@pytest.mark.parametrize(("source", "expected"), LINKS.values(), ids=LINKS)
def test_links(source: str, expected: str) -> None:
    body = tree(f"<p>a</p>{source}<p>b</p>", url=PAGE)
    assert markdown(body) == f"a\n\n{expected}\n\nb"
    assert "<ref target=" in tei(body)
    valid_tei(tei(body))
    assert inner_html(tree(inner_html(body), url=PAGE)) == inner_html(body)


@pytest.mark.parametrize("source", LEFT_OUT.values(), ids=LEFT_OUT)
def test_left_out(source: str) -> None:
    assert markdown(tree(f"<p>a</p>{source}<p>b</p>", url=PAGE)) == "a\n\nb"


def test_no_links_no_media() -> None:
    assert markdown(tree("a<video src=v.mp4></video>", links=False)) == "a"


def test_two_side_by_side_are_two_lines() -> None:
    body = tree("<p>a<p><video src=v.mp4></video><audio src=s.ogg></audio>", url=PAGE)
    assert markdown(body).count("\n\n") == 2


def test_a_link_holds_no_link() -> None:
    assert markdown(tree("<a href=/x>a <video src=v.mp4></video></a>")) == "[a](/x)"


def kept(source: str) -> str:
    page = parse(source)
    rows = [page.words[row] > 0 and "dropped" not in page.text(row) for row in range(len(page))]
    return markdown(normalise(kept_tree(page.where(np.array(rows)))))


def test_between_kept_texts_it_stays() -> None:
    video = "<div><video src=v.mp4></video></div>"
    assert "v.mp4" in kept(f"<p>a</p>{video}<p>b</p>")
    assert "v.mp4" not in kept(f"<p>a</p>{video}<p>dropped</p>")
    assert "v.mp4" not in kept(f"<p>dropped</p>{video}<p>a</p>")
    assert "v.mp4" in kept(f"<p>a</p><figure>{video}</figure><p>dropped</p>")
    caption = "<figcaption>dropped</figcaption>"
    assert "v.mp4" in kept(f"<p>a</p><figure>{video}{caption}</figure><p>dropped</p>")
    assert "v.mp4" in kept(f"<p>dropped</p><figure>{video}{caption}</figure><p>a</p>")
    assert "v.mp4" in kept(f"<p>dropped</p><figure>{caption}{video}</figure><p>a</p>")
    assert "v.mp4" not in kept(f"<p>dropped</p><figure>{video}</figure><p>dropped</p><p>a</p>")


def test_a_caption_after_it_is_skipped() -> None:
    video = "<div><video src=v.mp4></video></div>"
    for name, text, is_kept in (
        ("media-caption", "dropped", True),
        ("other", "dropped", False),
        ("media-caption", "dropped " * 61, False),
    ):
        box = f"<div>{video}<div class={name}>{text}</div></div>"
        assert ("v.mp4" in kept(f"<p>a</p>{box}<p>b</p>")) is is_kept
        assert "v.mp4" not in kept(f"<p>a</p>{box}<p>dropped</p>")


@pytest.mark.parametrize("unit", ["<video src=a></video>", "<div><video src=a></video>"])
def test_media_beside_a_dropped_text_take_linear_time(unit: str) -> None:
    assert_linear(lambda source: kept(f"<p>a<div>{source}<b>dropped</b>"), lambda n: unit * n, 300)


def test_an_object_that_is_an_image() -> None:
    source = "<p>a</p><object data=/a.svg type=image/svg+xml aria-label='A pot'></object><p>b</p>"
    assert markdown(tree(source, url=PAGE)) == "a\n\n![A pot](https://example.org/a.svg)\n\nb"
    assert markdown(tree(source, url=PAGE, images=False)) == "a\n\nb"
