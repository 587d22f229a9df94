"""Tags and categories: declared, linked, and in breadcrumbs."""

import json

import pytest

import thresher
from thresher import metadata
from thresher.metadata import Field, Metadata

URL = "https://www.example.org/tea"
HEAD = "<title>Tea at home - Example</title><h1>Tea at home</h1>"
BODY = "<p>Boil the water, warm the pot and wait for three minutes before you pour.</p>"


def read(html: str, url: str | None = URL) -> Metadata:
    page = thresher.parse(html, url=url)
    return metadata.read(page)


def ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{content}">'


def links(names: str, path: str = "", rel: str = "") -> str:
    return ", ".join(f'<a rel="{rel}" href="{path}/{name}">{name}</a>' for name in names.split())


@pytest.mark.parametrize(
    ("html", "tags", "source"),
    [
        (ld({"@type": "Article", "keywords": "tea, pots"}), ("tea", "pots"), "json-ld keywords"),
        (
            ld({"@type": "Article", "keywords": [{"@type": "DefinedTerm", "name": "tea"}]}),
            ("tea",),
            "json-ld keywords",
        ),
        (meta("article:tag", "tea") + meta("article:tag", "pots"), ("tea", "pots"), "article:tag"),
        (meta("news_keywords", "tea; pots"), ("tea", "pots"), "news_keywords"),
        (meta("parsely-tags", "tea,Tea,pots"), ("tea", "pots"), "parsely-tags"),
        (meta("sailthru.tags", "tea"), ("tea",), "sailthru.tags"),
        (meta("DC.subject", "tea"), ("tea",), "dc.subject"),
        (meta("keywords", "tea, pots"), ("tea", "pots"), "keywords"),
        (meta("news_keywords", ",") + meta("keywords", "tea"), ("tea",), "keywords"),
        (meta("keywords", ",") + meta("keyword", "tea"), ("tea",), "keyword"),
        (HEAD + BODY + links("tea pots", "/t", "tag"), ("tea", "pots"), "rel tag"),
        (HEAD + BODY + links("tea(12) pots(2)", "/t", "tag"), ("tea", "pots"), "rel tag"),
        (f"{HEAD}{BODY}<p class=post-tags>{links('tea pots')}", ("tea", "pots"), "class"),
        (f"{HEAD}{BODY}<ul class=tag-list><li>{links('tea pots')}</ul>", ("tea", "pots"), "class"),
        (f"{HEAD}{BODY}<footer class=tags__EqdkK>{links('tea')}</footer>", (), ""),
        (f"<article>{HEAD}{BODY}<footer class=tags>{links('tea')}</footer>", ("tea",), "class"),
        (f"{HEAD}{BODY}<div>{links('tea pots', '/topics')}</div>", ("tea", "pots"), "address"),
        (meta("keywords", "site words") + HEAD + links("tea", "/tag", "tag"), ("tea",), "rel tag"),
        (meta("news_keywords", "Example, tea"), ("tea",), "news_keywords"),
    ],
)
def test_tags(html, tags, source):
    assert read(html).tags == Field(tags, source)


@pytest.mark.parametrize(
    ("html", "categories", "source"),
    [
        (
            ld({"@type": "Article", "articleSection": ["Food", "Drinks &amp; more"]}),
            ("Food", "Drinks & more"),
            "json-ld articleSection",
        ),
        (meta("article:section", "Food"), ("Food",), "article:section"),
        (meta("article:section", "Example") + meta("category", "Food"), ("Food",), "category"),
        (meta("article:section", "Uncategorized"), (), ""),
        (HEAD + links("Food", "/category", "category tag"), ("Food",), "rel tag"),
        (f"{HEAD}<span class=cat-links>{links('Food')}</span>", ("Food",), "class"),
        (f"{HEAD}<p class=entry-category>{links('Food')}</p>", ("Food",), "class"),
        (f"{HEAD}<p>{links('Food', '/category')}</p>", ("Food",), "address"),
        (
            meta("article:section", "Food") + HEAD + links("Food Tea", "/category", "category tag"),
            ("Food", "Tea"),
            "rel tag",
        ),
        (
            ld(
                {
                    "@type": "BreadcrumbList",
                    "itemListElement": [
                        {"name": "Home", "item": "https://www.example.org/"},
                        {"item": {"@id": "https://www.example.org/food", "name": "Food"}},
                        {"name": "Tea at home"},
                    ],
                }
            )
            + HEAD,
            ("Food",),
            "json-ld breadcrumb",
        ),
        (
            f"<nav aria-label=Breadcrumb>{links('Home Food Drinks')}</nav>{HEAD}",
            ("Food", "Drinks"),
            "breadcrumb",
        ),
        (
            "<ol itemscope itemtype='https://schema.org/BreadcrumbList'>"
            f"<li>{links('Home')}<li>{links('Food')}</ol>{HEAD}",
            ("Food",),
            "breadcrumb",
        ),
        (
            f"<nav class=breadcrumb>{links('Home Food Drinks')}</nav>{HEAD}",
            ("Food", "Drinks"),
            "breadcrumb",
        ),
        (
            f"<nav aria-label=Breadcrumb><ol class=crumbs__aBcDe><li>{links('Food')}</ol></nav>"
            + HEAD,
            ("Food",),
            "breadcrumb",
        ),
    ],
)
def test_categories(html, categories, source):
    assert read(html).categories == Field(categories, source)


@pytest.mark.parametrize(
    "html",
    [
        f"<nav>{links('Food Drinks', '/category')}</nav>{HEAD}{BODY}",
        f"{HEAD}{BODY}<aside>{links('tea', '/tag', 'tag')}</aside>",
        f"{HEAD}{BODY}<div class=widget>{links('tea', '/tag', 'tag')}</div>",
        f"{HEAD}{BODY}<div class=tag-cloud>{links('tea', '/tag')}</div>",
        f"{HEAD}{BODY}<ul><li class=cat-item>{links('Food')}</ul>",
        f"<article>{HEAD}{BODY}</article><article>More{links('tea', '/tag', 'tag')}</article>",
        f"{HEAD}<p>{BODY} All about {links('tea', '/topic')} is in this long sentence of the text.",
        f"{HEAD}{BODY}<p>{links('Food Home Work Life', '/category')}",  # a menu
        f"{HEAD}{BODY}<p class=tags>{links('Tags')}",
        f"{HEAD}{BODY}<p hidden class=tags>{links('tea')}",
        f"<body class='tag-tea category-food'>{HEAD}{BODY}<p>{links('tea')}",
        f"{HEAD}{BODY}<p class=stage>{links('tea')}",
        f"<ul><li>{links('Food', '/category')}</ul>{HEAD}{BODY}",
        f"<div id=menu>{links('Food', '/category')}</div>{HEAD}{BODY}",
        f"{HEAD}{BODY}<p><a href=/category/tea/feed>RSS</a></p>",
        f"{HEAD}{BODY}<p><a href=https://other.example/category/tea>Tea</a></p>",
        f"{HEAD}{BODY}<p><a href='https://www.amazon.com/dp/1?ie=8&tag=tea-20'>Amazon</a></p>",
        f"{HEAD}{BODY}<p class=entry-categories><a href=http://twitter.com/share>Tweet</a></p>",
    ],
)
def test_links_that_are_not_about_the_page(html):
    found = read(html)
    assert (found.tags, found.categories) == (Field(()), Field(()))


def test_tags_and_categories_are_in_the_dictionary():
    found = read(HEAD + links("tea", "/tag", "tag") + links("Food", "/category", "category tag"))
    assert found.to_dict()["tags"] == {"value": ["tea"], "source": "rel tag"}
    assert found.to_dict()["categories"] == {"value": ["Food"], "source": "rel tag"}


def test_the_labels_of_a_post_of_blogger_are_its_tags():
    labels = f"<span class=post-labels>Labels: {links('tea pots', '/search/label', 'tag')}</span>"
    found = read(f"<div class='widget Blog'>{HEAD}{BODY}{labels}</div>")
    assert found.tags == Field(("tea", "pots"), "rel tag")


def test_categories_of_a_wiki():
    linked = links("Fish Sea", "/wiki/Category:")
    html = (
        f"{HEAD}{BODY}<div id=catlinks class=catlinks><div class=mw-normal-catlinks>"
        f"<a href='/wiki/Special:Categories'>Categories</a>: {linked}</div>"
        f"<div class=mw-hidden-catlinks>{links('Stubs', '/wiki/Category:')}</div></div>"
    )
    assert read(html).categories == Field(("Fish", "Sea"), "class")


def test_links_with_an_address_are_of_the_site_if_the_page_or_other_links_have_its_domain():
    link = "<a href=https://www.tea.example/category/{0}>{0}</a>"
    canonical = "<link rel=canonical href=https://blog.tea.example/pots>"
    for html in (
        f"{canonical}{HEAD}{BODY}<p>{link.format('pots')}</p>",
        f"{HEAD}{BODY}<p>{link.format('pots')}</p><p>More</p>"
        + 3 * "<a href=//tea.example/x>x</a>",
    ):
        assert metadata.read(thresher.parse(html)).categories.value == ("pots",)


def test_keywords_between_arabic_commas():
    assert read(meta("keywords", "شاي، إبريق")).tags.value == ("شاي", "إبريق")
