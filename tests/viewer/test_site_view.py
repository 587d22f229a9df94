"""The view of a site: templates, furniture, and the parts of one page."""

import re

import numpy as np
import pytest

import thresher
from benchmarks.generator import generate
from tests.growth import assert_linear
from thresher import Site, UsageError
from thresher.site.template import Template
from thresher.viewer import site_view
from thresher.viewer.site_view import site_page

PROSE = (  # 27 words, more than a regular part may have
    "A long text of its own, with commas, that goes on for a while and then for a while more, "
    "until it has more words than others"
)


def page(number: int, layout: str = "one", extra: str = "") -> str:
    menu = "".join(f"<li><a href=/{at}>Menu {at}</a>" for at in "abc")
    return (
        f"<html><title>Page {number}</title><body class=x><nav class={layout}><ul>{menu}</ul></nav>"
        f"<main class={layout}><div><h1>Title {number}</h1></div>"
        f"<p>{PROSE} {number}, {number * 7}.</p>{extra}</main>"
        f"<footer class={layout}>The footer of all</footer></body></html>"
    )


def site(pages: int = 5) -> Site:
    return thresher.learn(
        ((page(n), f"https://a.example/2024/{n}") for n in range(pages)), host="a.example"
    )


def furniture(html: str) -> dict[str, list[str]]:
    """The texts of the furniture with their shares, by kind."""
    found: dict[str, list[str]] = {}
    for kind, items in re.findall(r"<section><h3>(\w+) .*?</h3>(.*?)</section>", html, re.S):
        found[kind] = [
            f"{text} {share}"
            for text, share in re.findall(r'dir="auto">(.*?)</span>.*?<em>(.*?)</em>', items)
        ]
    return found


def blocks(html: str) -> list[tuple[str, str]]:
    """The blocks of the page with their part."""
    return re.findall(r'<div class="(\w+)" title="[^"]*"><i>\d+</i><p dir="auto">(.*?)</p>', html)


def test_the_furniture_is_grouped_by_kind_with_its_share():
    learned = site()
    learned.learn(page(9, extra="<aside class=related><a href=/x>Read this as well</a></aside>"))
    html = site_page(learned)
    assert furniture(html) == {
        "navigation": ["Menu a 100 %", "Menu b 100 %", "Menu c 100 %"],
        "footer": ["The footer of all 100 %"],
    }
    assert "<h1>a.example</h1>" in html
    assert "6 pages learned · 1 template · 6 pages kept to compare with" in html


def test_rare_texts_are_folded_away():
    learned = site()
    for number in (6, 7):
        learned.learn(page(number, extra="<aside class=related><a href=/x>Rare one</a></aside>"))
    html = site_page(learned)
    assert "1 text on less than 40 % of the pages</summary>" in html
    assert "on 2 of 7 pages of template 1" in html


def test_a_text_of_several_templates_is_listed_once():
    columns = np.array([7], np.uint64), np.array([8], np.uint64), np.ones(1)
    learned = Site("a.example", 4)
    for first in (1, 3):
        made = Template().learn(*columns, first).learn(*columns, first + 1)
        learned.templates.append(made.with_samples({7: ("footer", "The <b>footer</b>")}))
    learned.templates.append(Template().learn(*columns, 4))
    learned.recent = [4]
    html = site_page(learned)
    footer = "The &lt;b&gt;footer&lt;/b&gt; <small>templates 1, 2</small> 100 %"
    assert furniture(html) == {"footer": [footer]}
    assert "on 4 of 4 pages of templates 1, 2" in html
    rows = re.findall(r'<tr><th scope="row">(\d)</th><td>(\d)</td><td>(\d)</td><td>(\d)</td>', html)
    assert rows == [("1", "2", "1", "2"), ("2", "2", "3", "4"), ("3", "1", "4", "4")]
    assert re.findall(r'class="(now|then)" style="(.*?)"', html) == [
        ("then", "margin-left:0.0%;width:50.0%"),
        ("then", "margin-left:50.0%;width:50.0%"),
        ("now", "margin-left:75.0%;width:25.0%"),
    ]


def test_a_redesign_is_told():
    learned = site()
    assert "Redesign noticed" not in site_page(learned)
    wrap = "<div class=outer><section class=inner>{}</section></div>"
    for number in range(20, 24):
        learned.learn(wrap.format(page(number, "other")).replace("<p>", "<p><span class=s>"))
    assert learned.redesigned
    assert "Redesign noticed" in site_page(learned)


def test_the_parts_of_a_page_are_shaded():
    html = site_page(site(), thresher.parse(page(77), url="https://a.example/2024/77"))
    assert blocks(html) == [
        *(("common", f"Menu {at}") for at in "abc"),
        ("regular", "Title 77"),
        ("content", f"{PROSE} 77, 539."),
        ("common", "The footer of all"),
    ]
    assert "https://a.example/2024/77 · compared with https://a.example/2024/" in html
    assert "<b>common</b> 10 words (24 %)" in html
    assert "<b>regular</b> 2 words (5 %)" in html
    assert "<b>content</b> 29 words (71 %)" in html
    for meaning in site_view._MEANING.values():
        assert meaning in html


def test_the_view_loads_nothing_and_escapes_everything():
    hostile = "<p>&lt;script&gt;alert(1)&lt;/script&gt; <i title='\"><b>'>x</i></p>"
    learned = thresher.learn([page(1, extra=hostile)] * 3, host='"><script>')
    shown = site_page(learned, thresher.parse(page(2, extra=hostile), url="https://x/?<script>"))
    assert "<script" not in shown
    assert not re.search(r"(?:src|href|url)\s*[=(]", shown)
    assert "default-src 'none'" in shown


def test_empty_sites_and_pages():
    html = site_page(Site("a.example"))
    assert "No page with text was learned yet." in html
    assert "No text was on two pages or more." in html
    assert "This page shows no text." in site_page(site(), thresher.parse(""))
    with pytest.raises(UsageError, match="no page was learned yet"):
        site_page(Site("a.example"), thresher.parse(page(1)))


def test_long_pages_and_texts_are_cut(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(site_view, "MAX_BLOCKS", 3)
    monkeypatch.setattr(site_view, "MAX_CHARS", 10)
    html = site_page(site(), thresher.parse(page(8, extra="<p>y" * 5)))
    assert len(blocks(html)) == 3
    assert "8 more blocks not listed here." in html
    monkeypatch.setattr(site_view, "MAX_BLOCKS", 30)
    assert "… (" in site_page(site(), thresher.parse(page(8)))


@pytest.mark.slow
def test_generated_sites_have_a_view():
    pages = list(generate(1, 60, sites=5))
    for host in {page.site for page in pages}:
        own = [(page.html, page.url) for page in pages if page.site == host]
        learned = thresher.learn(own[:-1])
        html = site_page(learned, thresher.parse(own[-1][0], url=own[-1][1]))
        assert {part for part, _ in blocks(html)} >= {"common", "content"}
        assert furniture(html)


@pytest.mark.slow
def test_the_view_of_a_page_takes_linear_time():
    learned = site()
    assert_linear(
        lambda long: site_page(learned, long),
        lambda size: thresher.parse(page(1, extra=f"<p>{PROSE}." * size)),
        200,
    )
