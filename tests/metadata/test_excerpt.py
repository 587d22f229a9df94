"""The excerpt: the beginning of the content after headline and byline, in several scripts."""

from __future__ import annotations

import numpy as np
import pytest

import thresher
from tests.growth import assert_linear
from thresher.metadata.excerpt import excerpt

PAGES = {
    "zh": (
        "北京今年春茶产量大增，茶农对价格仍然感到十分担忧",
        "记者：李明 2024年5月3日 15:47",
        "先把茶壶温热，再把茶叶泡三分钟，水不要太烫。",
    ),
    "ja": (
        "京都で新茶の季節が始まり、多くの人が茶畑を訪れている",
        "山田太郎 2024年5月3日 15時47分",
        "急須を温めて茶葉を三分間蒸らします。お湯は沸かしたてを使いません。",
    ),
    "th": (
        "ฤดูชาใหม่เริ่มต้นที่เชียงใหม่และราคาสูงขึ้นกว่าปีก่อน",
        "โดย สมชาย ใจดี และ สมหญิง ใจงาม 3 พฤษภาคม 2567",
        "อุ่นกาน้ำชาแล้วแช่ใบชาไว้สามนาที แต่น้ำไม่ควรเดือด จากนั้นรินชาลงในถ้วยเล็ก",
    ),
    "hi": (
        "चाय के दाम में इस साल भारी बढ़ोतरी की आशंका जताई गई है",
        "लेखक: राम शर्मा और श्याम वर्मा, नई दिल्ली, 3 मई 2024",
        "चायदानी को गरम करें और पत्तियों को तीन मिनट तक छोड़ दें, पर पानी उबलना नहीं चाहिए।",
    ),
    "ko": (
        "올해 봄 차 생산량이 크게 늘어 농민들은 값이 내릴까 걱정하고 있다",
        "김철수 기자 kim@example.org 입력 2024년 5월 3일 15:47 수정 16:02",
        "주전자를 데우고 찻잎을 삼 분 동안 우려낸다. 물은 너무 뜨겁지 않게 한다.",
    ),
    "en": (
        "The price of tea rises again as the harvest of the hills fails",
        "By Ada Berg, 3 May 2024 at 15:47 in the city of London",
        "Warm the pot and steep the leaves for three minutes, but the water must not boil.",
    ),
}


@pytest.mark.parametrize("language", PAGES)
def test_headline_and_byline_are_skipped(language):
    head, byline, text = PAGES[language]
    page = thresher.parse(f"<h1>{head}</h1><p>{byline}</p><p>{text}</p>")
    assert excerpt(page.all()) == text
    page = thresher.parse(f"<div class=head>{head}</div><p>{byline}</p><p>{text}</p>")
    assert excerpt(page.all(), title=f"{head} | Tea Post") == text
    assert excerpt(page.all(), _row_of(page, "div")) == text
    assert excerpt(page.all()) == head
    made = thresher.extract(f"<main><h1>{head}</h1><p>{byline}</p><p>{text}</p>", method="plain")
    assert made.metadata.excerpt.value == text


def _row_of(page: thresher.Page, name: str) -> int:
    return next(row for row, node in enumerate(page.nodes) if page.tag[row] and node.tag == name)


@pytest.mark.parametrize(
    "text",
    [
        "By the time that we came home on 3 May 2024 the tea was cold.",  # a sentence
        "The tea was drunk on 3 May 2024 by all of us in the garden!",
        "By " + "tea and water and a pot " * 5,  # long
    ],
)
def test_sentences_that_resemble_bylines_are_kept(text):
    assert excerpt(thresher.parse(f"<p>{text}</p>").all()) == text.strip()


@pytest.mark.parametrize(
    "html", ["", "<p>Short.", "<p>茶壶温热", "<p>one two three four five six", "<pre>x = 1</pre>"]
)
def test_short_contents_have_no_excerpt(html):
    assert excerpt(thresher.parse(html).all()) == ""
    assert excerpt(thresher.parse(html).none()) == ""


def test_an_excerpt_is_a_whole_block():
    page = thresher.parse("<p><b>Warm</b> the <i>pot</i> and let the leaves steep for a while.</p>")
    assert excerpt(page.all()) == "Warm the pot and let the leaves steep for a while."
    kept = page.where(np.array([page.text(row) != "pot" for row in range(len(page))]))
    assert excerpt(kept) == "Warm the and let the leaves steep for a while."


def test_long_texts_are_cut_at_spaces_and_not_before_vowel_signs():
    assert excerpt(_all("tea pot " * 99)) == "tea pot " * 24 + "tea pot…"
    assert excerpt(_all("在 " + "茶" * 300)) == "在 " + "茶" * 198 + "…"  # no space near the end
    thai = excerpt(_all("ชา" + "กี" * 200))
    assert thai == "ชา" + "กี" * 99 + "…"
    odd = excerpt(_all("ชาก" + "กี" * 200))
    assert odd == "ชาก" + "กี" * 98 + "…"  # not between a consonant and its vowel


def _all(text: str) -> thresher.Selection:
    return thresher.parse(f"<p>{text}").all()


def test_only_the_first_blocks_are_read():
    text = "Warm the pot and let the leaves steep for a while."
    assert excerpt(thresher.parse("<p>tea" * 100 + f"<p>{text}").all()) == text
    assert excerpt(thresher.parse("<p>tea" * 500 + f"<p>{text}").all()) == ""
    assert_linear(excerpt, lambda size: thresher.parse("<p>" + "<b>tea</b> " * size).all(), 1000)
