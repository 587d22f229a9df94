"""Crunch against Algorithm 1 written slowly, and each filter by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests import slow_definitions as slow
from tests.methods import slow_trees
from thresher import UsageError
from thresher.methods.crunch import AD_HOSTS, Crunch, Link


@given(slow.pages(), st.sampled_from([0.0, 0.25, 0.5, 0.8, 1.0]), st.booleans())
def test_it_keeps_the_same_words_as_algorithm_1(html, threshold, text_links):
    found = Crunch(threshold=threshold, text_links=text_links)(thresher.parse(html))
    assert slow.kept_words(found) == slow_trees.crunch(html, threshold, text_links)


def kept(html: str, **options: object) -> str:
    """The kept texts, each apart."""
    found = Crunch(**options)(thresher.parse(html))
    return " ".join(" ".join(found.page.text(row) for row in found.rows).split())


# --- advertisements ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "https://doubleclick.net/buy",
        "http://ad.doubleclick.net",
        "//AD.DoubleClick.net:8080/x",
        "HTTPS://user@doubleclick.net?x",
    ],
)
def test_a_link_to_an_advertiser_goes(address):
    for html in ('<p>Steep <a href="{}">now</a> it.</p>', "<P>Steep <A HREF='{}'>now</A> it.</P>"):
        assert kept(html.format(address)) == "Steep it."
        assert kept(html.format(address), ads=False) == "Steep now it."


@pytest.mark.parametrize(
    "address",
    [
        "https://notdoubleclick.net/",
        "https://doubleclick.net.example.org/",
        "https://example.org/doubleclick.net",
        "https://example.org/?to=//doubleclick.net/",
        "doubleclick.net",
        "#//doubleclick.net",
    ],
)
def test_other_links_stay(address):
    # Another link makes sure that the links are looked at one by one.
    html = f'<p>Steep <a href="{address}">now</a> it. <a href="//doubleclick.net">Buy</a></p>'
    assert kept(html) == "Steep now it."


def test_the_list_of_hosts_is_an_option():
    html = '<p>Steep <a href="https://ads.example.org/">now</a> it.</p>'
    assert kept(html) == "Steep now it."
    assert kept(html, ad_hosts="example.com EXAMPLE.org") == "Steep it."
    assert kept(html, ad_hosts="") == "Steep now it."


def test_a_page_that_names_advertisers_in_the_head_too():
    head = '<link rel="preconnect" href="//doubleclick.net"><title>Tea</title>'
    html = head + '<p>Steep <a class="x" href="//doubleclick.net">now</a> it.</p>'
    assert kept(html) == "Steep it."
    long = html.replace('class="x"', f'class="{"x" * 2_000}"')
    assert kept(long) == "Steep it."
    assert kept(head + "<p>Steep <a href=/>now</a> it.</p>") == "Steep now it."


def test_a_page_that_names_advertisers_in_scripts_alone():
    html = "<script>load('//doubleclick.net/x.js')</script><p>Steep <a href=/>it</a> well.</p>"
    assert kept(html) == "Steep it well."


def test_hosts_are_written_once_and_in_order():
    hosts = AD_HOSTS.split()
    assert hosts == sorted(set(hosts))


def test_advertisements_on_a_part_of_a_page():
    page = thresher.parse("<p>One <a href='//doubleclick.net'>two</a></p><p>three</p>")
    part = page.only(page.all() - page.where(page.level == page.level.max()))
    assert Crunch()(part).text().split() == ["One", "three"]


# --- cells ---------------------------------------------------------------------------------------

CELLS = (
    "<table><tr><td><a href=/>Home</a></td><td>Steep it.</td></tr></table>"
    "<ul><li><a href=/>Tea</a></li></ul>"
)


def test_cells_with_many_links_go():
    assert kept(CELLS) == "Steep it."
    assert kept(CELLS, cells="tables") == "Steep it. Tea"
    assert "Home" in kept(CELLS, link_cells=False)


def test_the_ratio_by_hand():
    # 4 of 5 characters are linked: 0.8 is not above 0.8.
    html = "<td>a<a href=/>bcde</a></td>"
    assert kept(f"<table><tr>{html}</table>", threshold=0.8) == "a bcde"
    assert kept(f"<table><tr>{html}</table>", threshold=0.79) == ""


def test_a_cell_counts_all_that_it_holds():
    html = "<div>abcdefghij<section><a href=/>klmnopqrst</a></section></div>"
    assert kept(html, threshold=0.5) == "abcdefghij"  # 10 of 20 in the div, 10 of 10 inside it
    assert kept(html, threshold=0.4) == ""


def test_the_body_is_no_cell():
    assert kept("<a href=/>Home</a> x") == "Home x"


# --- links, images, tables -----------------------------------------------------------------------

LINKS = (
    "<p>Steep <a href='/it'>it\n <b>well</b></a> now.</p><p><a href='/pot'><img src=a></a></p>"
    "<ul><li><a href=/home>Home</a></li></ul><table><tr><td>a<a href='/tea'>Tea</a></table>"
)


def test_text_links_go_on_demand():
    assert kept(LINKS, cells="tables").startswith("Steep it well now.")
    assert kept(LINKS, text_links=True) == "Steep now."


def test_links_that_went_are_known():
    page = thresher.parse(LINKS, url="https://example.org/a/")
    assert Crunch(text_links=True).links(page) == [
        Link("it well", "https://example.org/it"),
        Link("Tea", "https://example.org/tea"),  # Home went as a cell
    ]
    assert Crunch().links(page) == []


def test_drawings_go_with_the_images():
    html = "<p>Steep it.</p><svg><text>Tea</text></svg>"
    assert kept(html) == "Steep it."
    assert kept(html, images=False) == "Steep it. Tea"


def test_tables_without_substance_go_at_last():
    html = "<table><tr><td>ab<td><a href=/>link</a></table><p>Steep it.</p>"
    assert kept(html) == "Steep it."
    assert kept(html, tables=False) == "ab Steep it."
    assert kept(html, substance=2) == "ab Steep it."
    assert kept(html, substance=3) == "Steep it."
    assert kept(html, link_cells=False) == "ab link Steep it."


# --- the page that is left -----------------------------------------------------------------------

PAGE = (
    "<html><head><title>Tea</title><style>p {}</style>"
    '<link rel="StyleSheet" href="a.css"><link rel="icon" href="b.png"></head><body>'
    '<div style="color:red" id="x">Steep <img src="a.png"><a href="/it">it</a> &amp; wait</div>'
    "<ul><li><a href=/>Home</a></li></ul><p hidden>Never</p></body></html>"
)


def test_the_page_that_is_left():
    assert Crunch().html(thresher.parse(PAGE)) == (
        '<html><head><title>Tea</title><link rel="icon" href="b.png"></head><body>'
        '<div id="x">Steep <a href="/it">it</a> &amp; wait</div></body></html>'
    )


def test_style_and_images_have_their_switches():
    found = Crunch(styles=False, images=False).html(thresher.parse(PAGE))
    assert found == (
        "<html><head><title>Tea</title><style></style>"
        '<link rel="StyleSheet" href="a.css"><link rel="icon" href="b.png"></head><body>'
        '<div style="color:red" id="x">Steep <img src="a.png"><a href="/it">it</a> &amp; wait</div>'
        "</body></html>"
    )


def test_links_are_listed_at_the_end():
    page = thresher.parse(PAGE.replace("/it", "/it?a&amp;b"), url="https://example.org/")
    found = Crunch(text_links=True, links_at_end=True).html(page)
    assert found.endswith(
        '<div id="x">Steep  &amp; wait</div>'
        '<ul><li><a href="https://example.org/it?a&amp;b">it</a></li></ul></body></html>'
    )
    without = Crunch(links_at_end=True).html(page)
    assert without == Crunch().html(page)


def test_the_page_that_is_left_of_nothing():
    assert Crunch().html(thresher.parse("")) == ""
    frames = "<html><frameset><frame src=a></frameset></html>"
    assert "<frame " in Crunch(links_at_end=True, text_links=True).html(thresher.parse(frames))


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("cells", "rows", "give 'blocks' or 'tables'"),
        ("threshold", 1.1, "give a number from 0 to 1"),
        ("substance", -1, "give a whole number from 0"),
    ],
)
def test_bad_options_are_refused(option, value, message):
    with pytest.raises(UsageError, match=f"{option} of crunch is {value!r}: {message}."):
        Crunch(**{option: value})
