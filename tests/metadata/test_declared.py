"""Declarations: title, meta tags and links."""

import json

import thresher
from thresher.metadata.declared import declarations


def test_declarations_of_a_page():
    page = thresher.parse(
        "<title> </title><svg><title>icon</title></svg><title>Tea <b>time</title>"
        '<meta name="Author KEYWORDS" content=" Ada "><meta property=author content=Max>'
        "<meta name=author content=' '><meta name=author>"
        "<link rel='Canonical icon' href=' /tea '><link rel=canonical href=''>"
        '<script type="application/ld+json">{"@type": "WebSite", "@id": "#a", "name": "x"}</script>'
        '<script type="application/ld+json"></script><script>{"@type": "Article"}</script>'
    )
    found = declarations(page)
    assert found.title == "Tea <b>time"
    assert found.meta == {"author": ["Ada", "Max"], "keywords": ["Ada"]}
    assert found.links == {"canonical": ["/tea"]}
    assert found.items == [found.by_id["#a"]] == [{"@type": "WebSite", "@id": "#a", "name": "x"}]


def test_works_with_a_headline_come_first():
    script = '[{"@type": "WebPage"}, {"@type": "VideoObject"}, {"@type": "Foo", "headline": "x"}]'
    found = declarations(thresher.parse(f'<script type="application/ld+json">{script}</script>'))
    assert [work["@type"] for work in found.works] == ["Foo", "WebPage", "VideoObject"]
    assert [work["@type"] for work in found.dated_works] == ["Foo", "WebPage"]


def test_the_work_with_the_headline_of_the_page_comes_first():
    titles = "Tea, coffee", "Tea &amp; cups", ""
    works = [{"headline": title, "@type": "Article"} for title in titles]
    script = f'<script type="application/ld+json">{json.dumps(works)}</script>'
    found = declarations(thresher.parse(f"<title>TEA & CUPS | News</title>{script}"))
    assert [work["headline"] for work in found.works] == ["Tea &amp; cups", "Tea, coffee", ""]


def test_a_page_is_read_once_and_a_part_has_the_declarations_of_the_whole():
    page = thresher.parse("<title>Tea</title><p>time")
    assert declarations(page) is declarations(page)
    assert declarations(page.only(page.all())) is declarations(page)


def test_long_contents_and_many_tags_are_not_read():
    many = "".join(f"<meta name=a{n} content=x>" for n in range(2_001))
    found = declarations(thresher.parse(f"<meta name=long content={'x' * 10_001}>{many}"))
    assert "long" not in found.meta
    assert "a1998" in found.meta
    assert "a1999" not in found.meta
