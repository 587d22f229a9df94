"""Changed copies of a page: what is left out or put beside, and that the labels stay right."""

import numpy as np
import pytest

import thresher
from benchmarks.generator import generate
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.training import default
from thresher.evaluate.training.augmentation import (
    Copy,
    content_html,
    emptied,
    shortened,
    thinned,
    with_list_beside,
)
from thresher.evaluate.training.default import DefaultTrainer, sample_of
from thresher.evaluate.training.gold_alignment import labels
from thresher.methods.default.features.containers import page_outline

STORY = " ".join(f"word{number}" for number in range(30))
ARTICLE = (
    "<title>t</title><body><div class=nav>Home About</div><div class=story>"
    + "".join(f"<p>{number} {STORY}</p>" for number in range(12))
    + "<img src=a></div><div class=foot>Imprint</div>"
)
LISTING = "<body><ul>" + "".join(f"<li>Teaser {n} {STORY}</li>" for n in range(4)) + "</ul>"


def labelled(html, sign="word"):
    """Return a page and which of its texts are content: those that hold a sign."""
    page = thresher.parse(html)
    return page, np.array([sign in (text or "") for text in page.texts])


def texts(copy, content=True):
    return [
        text
        for text, own in zip(copy.page.texts, copy.content, strict=True)
        if bool(own) is content
    ]


@pytest.fixture
def rng():
    return np.random.default_rng(5)


# --- emptied -------------------------------------------------------------------------------------


def test_an_emptied_page_has_no_content_and_sometimes_a_notice():
    noticed = 0
    for seed in range(20):
        page, content = labelled(ARTICLE)
        copy = emptied(page, content, np.random.default_rng(seed))
        assert not copy.content.any()
        assert "word1" not in str(copy.page.texts)
        kept = [text for text in copy.page.texts if text]
        assert {"Home About", "Imprint"} <= set(kept)
        noticed += len(kept) > 3  # with the title
    assert 5 < noticed < 15


# --- shortened -----------------------------------------------------------------------------------


def test_a_shortened_page_has_the_first_texts_and_all_that_is_no_content(rng):
    page, content = labelled(ARTICLE)
    copy = shortened(page, content, rng)
    kept = [int(text.split()[0]) for text in texts(copy)]
    assert kept == list(range(len(kept)))
    assert 40 <= sum(len(text.split()) for text in texts(copy)) < 250 + 31
    assert "Home About" in copy.page.texts
    assert "Imprint" in copy.page.texts
    assert copy.left == len(kept) / 12
    tags = [copy.page.names[tag] for tag in copy.page.tag]
    assert tags.count("p") == len(kept)  # emptied elements are gone
    assert tags.count("img") == 1  # what never had text is not


def test_a_text_that_is_short_already_is_not_shortened(rng):
    page, content = labelled(f"<body><p>{STORY}")
    assert shortened(page, content, rng) is None


def test_a_block_is_shortened_as_a_whole(rng):
    inner = "".join(f"<b>{number} {STORY}</b> " for number in range(12))
    page, content = labelled(f"<body><p>{inner}<p>{STORY}")
    copy = shortened(page, content, rng)
    assert len(texts(copy)) == 12


# --- thinned -------------------------------------------------------------------------------------


def test_a_thinned_page_lacks_whole_containers(rng):
    page, content = labelled(ARTICLE)
    copy = thinned(page, page_outline(page), content, rng)
    assert 0 < len(texts(copy)) < 12
    assert set(texts(copy)) < set(texts(copy._replace(page=page, content=content)))
    assert copy.left == pytest.approx(len(texts(copy)) / 12)
    lost = 1 - copy.page.words.sum() / page.words.sum()
    assert 0.1 <= lost <= 0.4 + 0.25


def test_a_page_of_one_text_cannot_be_thinned(rng):
    page, content = labelled(f"<body><p>{STORY}")
    copy = thinned(page, page_outline(page), content, rng)
    assert texts(copy) == [STORY]


# --- beside --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_a_list_beside_an_article_is_no_content(seed):
    page, content = labelled(ARTICLE)
    wanted = texts(Copy(page, content, 1.0))
    listing = content_html(*labelled(LISTING))
    assert listing.startswith("<ul>")
    copy = with_list_beside(page, content, listing, np.random.default_rng(seed))
    assert texts(copy) == wanted
    assert sum(text.startswith("Teaser") for text in texts(copy, content=False)) == 4


def test_a_list_stands_before_and_after_and_further_out():
    places = set()
    for seed in range(20):
        page, content = labelled(ARTICLE.replace("<div class=story>", "<main><div class=story>"))
        copy = with_list_beside(page, content, "<p>Other</p>", np.random.default_rng(seed))
        rows = copy.page.text_rows
        other = rows[[text == "Other" for text in copy.page.texts]][0]
        level = int(copy.page.level[other])
        places.add((level, bool(other > rows[copy.content][0])))
    assert len(places) == 4


def test_lists_that_are_too_small_or_too_large_are_not_put_beside():
    assert content_html(*labelled("<body><p>word a b")) == ""
    assert content_html(*labelled(f"<body>{STORY} {STORY} {STORY}")) == ""  # the body is no part
    assert content_html(*labelled("<body><div>" + f"<p>{STORY}</p>" * 90 + "</div>")) == ""


# --- in the training -----------------------------------------------------------------------------


def gold(html, kind, site):
    return GoldPage(id=f"{site}-{kind}", html=html, text=STORY, site=site, kind=kind)


def made(trainer, html, kind, site):
    page, content = labelled(html)
    return trainer.sample(page, content, gold(html, kind, site))


def test_articles_are_shortened_and_put_beside_an_earlier_list_others_are_thinned():
    trainer = DefaultTrainer()
    first = made(trainer, ARTICLE, "article", "a.org")
    listing = made(trainer, LISTING, "listing", "b.org")
    second = made(trainer, ARTICLE, "article", "c.org")
    assert [copy.change for copy in first.copies] == ["short"]
    assert [copy.change for copy in listing.copies] == ["thin"]
    assert [(copy.change, copy.other_site) for copy in second.copies] == [
        ("short", ""),
        ("beside", "b.org"),
    ]


def test_copies_with_a_list_of_a_site_held_out_are_not_used():
    trainer = DefaultTrainer()
    listing = made(trainer, LISTING, "listing", "b.org")
    article = made(trainer, ARTICLE, "article", "c.org")
    for samples, expected in (([listing, article], True), ([article], False)):
        shown = []
        for seed in range(8):
            shown += default._used_samples(samples, np.random.default_rng(seed))
        assert any(sample.change == "beside" for sample, _ in shown) is expected


def test_copies_without_weight_are_not_used():
    trainer = DefaultTrainer()
    samples = [made(trainer, LISTING, "listing", "b.org"), made(trainer, ARTICLE, "article", "c")]
    for seed in range(8):
        for sample, aged in default._used_samples(samples, np.random.default_rng(seed)):
            assert default._weight(sample, aged) > 0


def test_the_same_page_gives_the_same_copies():
    first, second = (
        [made(trainer, LISTING, "listing", "b.org"), made(trainer, ARTICLE, "article", "c.org")]
        for trainer in (DefaultTrainer(), DefaultTrainer())
    )
    for one, other in zip(first, second, strict=True):
        assert len(one.copies) == len(other.copies) > 0
        for left, right in zip(one.copies, other.copies, strict=True):
            assert np.array_equal(left.matrix, right.matrix)
            assert np.array_equal(left.content, right.content)


def test_labels_of_copies_are_those_that_their_own_gold_would_give():
    """On generated pages, a shortened page labelled anew with the gold that is left."""
    checked = 0
    for page_of in generate(11, 12):
        page = thresher.parse(page_of.html)
        content = labels(page, page_of.text)
        copy = shortened(page, content, np.random.default_rng(1))
        if copy is None:
            continue
        left = "\n".join(text for text in texts(copy) if text)
        again = labels(copy.page, left)
        spoken = np.array([bool(text and len(text.split()) > 5) for text in copy.page.texts])
        assert np.array_equal(again[spoken], copy.content[spoken])
        checked += 1
    assert checked


def test_a_sample_of_a_copy_counts_the_gold_that_is_left():
    page, content = labelled(ARTICLE)
    assert sample_of(page, content, gold(ARTICLE, "article", "a")).gold == 30
    assert sample_of(page, content, gold(ARTICLE, "article", "a"), 0.5).gold == 15
