"""Sites: what is learned, how it is weighed, redesigns, and pages that are like no other."""

import numpy as np
import pytest
from hypothesis import given, settings

import thresher
from tests.growth import assert_linear
from tests.pages import soup
from thresher.methods.default import Default
from thresher.site import site as module
from thresher.site.evidence import BlockKeys
from thresher.site.site import Site, learn

WORDS = "steep warm pour stir cool strain serve taste brew boil leaf kettle cup pot water".split()


def story(number: int, paragraphs: int = 4) -> str:
    """Paragraphs whose words differ from page to page."""
    rng = np.random.default_rng(number)
    lines = [" ".join(rng.choice(WORDS, 30)).capitalize() for _ in range(paragraphs)]
    return "".join(f"<p>{line} number {number}.</p>" for line in lines)


def page(number: int, layout: str = "old") -> str:
    """A page of a site with a menu, a notice without telling names, and a footer."""
    links = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in WORDS[:6])
    notice = (
        "<div><p>All our teas are packed by hand in small boxes and sent on the same day.</p></div>"
    )
    if layout == "old":
        return (
            f"<title>Story {number}</title><body><ul class=menu>{links}</ul><div class=main>"
            f"<h1>Story {number}</h1><div class=text>{story(number)}</div>{notice}</div>"
            "<div class=foot>Tea and Company, all rights reserved, since 1901</div>"
        )
    return (
        f"<title>Story {number}</title><body><header class=top><nav>{links}</nav></header>"
        f"<main class=grid><article class=card><h1 class=head>Story {number}</h1>"
        f"<section class=prose>{story(number)}</section></article>{notice}</main>"
        "<footer class=end><p>Tea and Company, all rights reserved, since 1901</p></footer>"
    )


def address(number: int) -> str:
    return f"https://www.tea.example/2024/05/story-{number}.html"


@pytest.fixture(scope="module")
def site() -> Site:
    return learn((page(number), address(number)) for number in range(5))


def test_learning_counts_pages_and_finds_the_host(site):
    assert (site.host, site.pages, len(site.templates)) == ("tea.example", 5, 1)
    assert site.templates[0].pages == 5
    assert len(site.references) == 5


def test_what_repeats_is_dropped_and_the_story_is_kept(site):
    html = page(77)
    text = site.extract(html, url=address(77)).text
    assert "packed by hand" in thresher.extract(html).text
    assert "packed by hand" not in text
    assert text.count("number 77") == 4


def test_the_probabilities_follow_the_formula(site):
    judgement = Default().judge(thresher.parse(page(77)))
    keys, template = BlockKeys.of(judgement), site.templates[0]
    weighed = site.weigh(judgement).probability
    for block, p in enumerate(judgement.probability.tolist()):
        mean, is_known = template.path_mean(keys.path[block : block + 1])
        expected = 0.6 * p + 0.4 * mean[0] if is_known[0] else p
        pages = template.text_pages(keys.text[block : block + 1])[0]
        if pages >= 2 and pages / template.pages >= 0.4:
            expected /= 2
        assert weighed[block] == pytest.approx(expected)


def test_a_page_that_is_like_no_template_is_extracted_as_usual(site):
    html = "<table><tr><td><center><font>" + story(9) + "</font></center></td></tr></table>"
    assert site.extract(html).text == thresher.extract(html).text
    assert Site().extract(page(3)).text == thresher.extract(page(3)).text


def test_one_learned_page_repeats_nothing():
    html = page(1)
    one = learn([html])
    assert not Site.is_repeated(
        one.templates[0], BlockKeys.of(Default().judge(thresher.parse(html)))
    ).any()


def test_a_redesign_is_noticed_and_learned():
    site = learn(page(number) for number in range(5))
    assert not site.redesigned
    for number in range(5, 8):
        site.learn(page(number, "new"))
    assert site.redesigned
    assert [template.pages for template in site.templates] == [5, 3]
    assert "packed by hand" not in site.extract(page(90, "new")).text
    assert "packed by hand" not in site.extract(page(91, "old")).text
    site.learn(page(8))
    assert not site.redesigned


def test_the_template_used_longest_ago_is_forgotten(monkeypatch):
    monkeypatch.setattr(module, "MOST_TEMPLATES", 1)
    site = learn([page(1), page(2, "new")])
    assert [template.first for template in site.templates] == [2]


def test_furniture_is_listed_with_its_kind(site):
    found = {one.text: one for one in site.furniture()}
    assert found["Tea and Company, all rights reserved, since 1901"].share == 1
    assert found["steep"].kind == "navigation"
    assert not any("number" in text for text in found)


def test_parts_of_a_page_come_from_the_most_related_one(site):
    parts = site.parts(page(78), url=address(78))
    assert "all rights reserved" in parts.selection("common").text()
    assert parts.selection("content").text().count("number 78") == 4
    assert site.most_related(thresher.parse(page(78))).number == 5  # the last one learned
    with pytest.raises(thresher.UsageError, match="no page was learned yet"):
        Site().parts(page(1))


def test_the_most_related_page_has_the_most_similar_address():
    host = "https://www.tea.example"
    site = learn((page(n), f"{host}/{part}/{n}") for n, part in enumerate(["pots", "teas", "cups"]))
    related = site.most_related(thresher.parse(page(9), url=f"{host}/teas/oolong-9"))
    assert related.url == f"{host}/teas/1"


def test_a_page_is_compared_with_a_page_of_its_template(monkeypatch):
    monkeypatch.setattr(module, "MOST_REFERENCES", 4)
    site = learn([page(n, "old") for n in range(2)] + [page(n, "new") for n in range(2, 9)])
    assert sorted(one.number for one in site.references) == [1, 2, 8, 9]
    assert site.most_related(thresher.parse(page(20, "old"))).number == 2
    assert site.most_related(thresher.parse(page(20, "new"))).number == 9


def test_references_are_bounded_and_the_newest_stay(monkeypatch):
    monkeypatch.setattr(module, "MOST_REFERENCES", 3)
    site = learn((page(number), address(number)) for number in range(6))
    assert sorted(one.number for one in site.references) == [4, 5, 6]
    keys = [one.key for one in site.references]
    assert keys == sorted(keys)


@pytest.mark.parametrize("html", ["", "<p>", "<script>x</script>", "<frameset>", "\0" * 50])
def test_pages_without_text_teach_nothing(html):
    site = Site()
    assert site.learn(html) is None
    assert site.pages == 0
    assert site.extract(html).text == thresher.extract(html).text


def test_favor_is_passed_on(site):
    assert site.extract(page(4), favor="recall").method == "default(favor='recall')"
    with pytest.raises(thresher.UsageError, match="favor"):
        site.extract(page(4), favor="speed")


@given(soup)
@settings(max_examples=30)
def test_any_html_can_be_learned_and_extracted(html):
    site = learn([html, html])
    document = site.extract(html)
    assert isinstance(document.text, str)
    assert np.isfinite(0 if document.judgement is None else document.judgement.probability).all()


@pytest.mark.slow
def test_learning_takes_linear_time():
    assert_linear(
        lambda html: Site().learn(html),
        lambda n: page(1).replace("</h1>", "</h1>" + story(2, n)),
        800,
    )


def test_an_address_is_learned_once_and_stored_without_secrets():
    secret = "https://user:s3cr3t@www.tea.example/a?token=t0ken#part"
    site = learn([(page(1), secret), (page(2), address(2)), (page(1), secret + "s")])
    assert (site.pages, site.host) == (2, "tea.example")
    assert [one.url for one in site.references if "/a" in one.url] == ["https://www.tea.example/a"]
    assert "s3cr3t" not in str(site.to_dict())
    assert "t0ken" not in str(site.to_dict())
    assert repr(site) == "<Site 'tea.example': 2 pages, 1 templates>"


@pytest.mark.parametrize("pages", ["<p>one page</p>", b"<p>", None, 5])
def test_learn_takes_several_pages(pages):
    with pytest.raises(thresher.UsageError, match="give a list of pages"):
        learn(pages)


@pytest.mark.parametrize("host", ["www.tea.example", "https://www.tea.example/x", "Tea.Example"])
def test_a_given_host_is_written_as_one_from_an_address(host):
    assert learn([page(1)], host=host).host == "tea.example"
