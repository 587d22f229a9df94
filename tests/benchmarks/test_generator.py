"""The page generator: reproducible, with every variation, and gold text that is on the page."""

import hashlib
import re
import subprocess
import sys
from collections import Counter

import pytest

import thresher
from benchmarks.generator import (
    CAUSES,
    GENRES,
    VARIATIONS,
    generate,
    generate_site,
    write,
    write_jsonl,
)
from benchmarks.generator.__main__ import main
from thresher import UsageError, methods
from thresher.evaluate import corpora
from thresher.page.decode import decode
from thresher.page.words import words
from thresher.site.related import most_related, url_key

COPIES = {"hidden div", "noscript", "template", "textarea"}
PAGES = list(generate(0, 200))
PARSED = [thresher.parse(page.html) for page in PAGES]


def with_variation(name):
    found = [page for page in PAGES if name in page.variations]
    assert found
    return found


def source(page):
    return decode(page.html, page.charset)[0]


def digest(pages):
    return hashlib.sha256(repr(list(pages)).encode()).hexdigest()


# --- determinism ---------------------------------------------------------------------------------


def test_a_seed_gives_the_same_pages_and_another_gives_others():
    assert list(generate(0, 30)) == PAGES[:30]
    assert not {page.html for page in generate(1, 30)} & {page.html for page in PAGES}


@pytest.mark.slow
def test_hash_order_does_not_matter():
    program = (
        "import hashlib; from benchmarks.generator import generate;"
        "print(hashlib.sha256(repr(list(generate(5, 24))).encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": number},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for number in ("1", "2")
    }
    assert found == {digest(generate(5, 24))}


def test_wrong_numbers_are_errors():
    for wrong in ({"pages": -1}, {"sites": 0}):
        with pytest.raises(UsageError, match="sites=1 or more"):
            generate(**wrong)
    assert list(generate(pages=0)) == []


# --- contents -------------------------------------------------------------------------------


def test_every_kind_genre_and_language_occurs():
    assert {page.kind for page in PAGES} == {
        "article", "forum", "product", "collection", "listing", "documentation", "service",
    }  # fmt: skip
    assert {page.genre for page in PAGES} == set(GENRES)
    assert {page.lang for page in PAGES} == set("en de el ru ar zh ja ko th hi".split())
    assert len({page.id for page in PAGES}) == len(PAGES)


@pytest.mark.parametrize("name", VARIATIONS)
def test_every_variation_occurs_and_is_not_everywhere(name):
    assert 0 < len(with_variation(name)) < len(PAGES)


def test_sites_share_furniture_and_were_redesigned_twice():
    pages = list(generate(3, 30, sites=2))
    assert len({page.site for page in pages}) == 2
    mine = [page for page in pages if page.site == pages[0].site]
    assert {page.id.split("-")[-2] for page in mine} == {"2005", "2013", "2021"}
    parsed = {page.id: thresher.parse(page.html) for page in mine}
    shared = set.intersection(*(set(p.all().text().split("\n")) for p in parsed.values())) - {""}
    assert len(shared) > 5  # lines of menu, sidebar and footer, in all three designs
    for page in mine:
        assert not shared & set(page.text.split("\n"))
    classes = [
        {one for m in re.findall(r'class="?([^">]+)', source(page), re.I) for one in m.split()}
        for page in mine[:3]
    ]
    assert not set.intersection(*classes) - {"logo", "tagline"}


def test_articles_have_author_and_date_on_the_page():
    articles = [(p, q) for p, q in zip(PAGES, PARSED, strict=True) if p.kind == "article"]
    for page, parsed in articles:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", page.date)
        assert page.author
        assert page.date in parsed.all().text()
        assert page.author in parsed.all().text()


# --- variations ---------------------------------------------------------------------


def surplus(page, names):
    """Return the number of start tags of some names less the number of end tags."""
    text = re.sub(r"<(script|!--).*?(</script>|-->)", "", source(page), flags=re.I | re.S)
    starts = re.findall(rf"<(?:{names})[\s>]", text, re.I)
    return len(starts) - len(re.findall(rf"</(?:{names})>", text, re.I))


def test_unclosed_elements_lack_end_tags():
    for page in PAGES:
        if "stray end tags" not in page.variations:
            assert (surplus(page, "p|li|td|th|tr") > 0) == ("unclosed" in page.variations)


def test_stray_end_tags_have_no_start_tags():
    for page in PAGES:
        if "unclosed" not in page.variations:
            stray = surplus(page, "span|font|b|p|i|center") < 0
            assert stray == ("stray end tags" in page.variations)


def test_misnested_tags_cross():
    for page in PAGES:
        crossed = re.search(r"<b>\s*<i>[^<]+</b>\s*</i>", source(page), re.I)
        assert bool(crossed) == ("misnested" in page.variations)


def test_lines():
    for page in with_variation("one line"):
        assert "\n" not in source(page)
    for page in with_variation("line per tag"):
        tags = re.findall(r"(?s)(.)<(?!/?(?:br|code|script|style|pre|!)\b)/?\w", source(page))
        assert Counter(tags).most_common(1)[0][0] == "\n"


def test_upper_case_unquoted_and_missing_tags():
    for page in PAGES:
        text = source(page)
        assert ("<DIV" in text) == ("upper case" in page.variations)
        assert ("<body" in text.lower()) == ("no body" not in page.variations)
        assert bool(re.search(r"<a href=/", text, re.I)) == ("unquoted" in page.variations)


def test_layouts():
    for page in PAGES:
        text = source(page).lower()
        assert ("<main" in text) == (not {"div layout", "table layout"} & set(page.variations))
        assert ('width="760"' in text or "width=760" in text) == ("table layout" in page.variations)


def test_short_content_is_one_paragraph_and_long_furniture_is_longer_than_it():
    for page in with_variation("short"):
        assert "\n" not in page.text
    for page, parsed in zip(PAGES, PARSED, strict=True):
        if "long furniture" in page.variations and not COPIES & set(page.variations):
            others = len(words(parsed.all().text())) - len(words(page.text + page.comments))
            assert others > len(words(page.text))


def test_comments_are_on_the_page_but_not_in_the_gold():
    for page, parsed in zip(PAGES, PARSED, strict=True):
        assert bool(page.comments) == ("comments" in page.variations)
        assert not Counter(words(page.comments)) - Counter(words(parsed.all().text()))
        assert not page.comments or page.comments not in page.text


def test_copies_are_hidden_where_they_say():
    for name in ("noscript", "template", "textarea"):
        for page in PAGES:
            there = bool(re.search(f"<{name}>", source(page), re.I))
            assert there == (name in page.variations)
    for page in with_variation("hidden div"):
        assert "display:none" in source(page)


@pytest.mark.parametrize(
    ("name", "tag"),
    [("lists", "<[uo]l"), ("tables", "<table border"), ("code", "<pre"), ("quotes", "<blockquote"),
     ("spanning tables", "rowspan="), ("figures", "picture.jpg"), ("links", "see/also")],
)  # fmt: skip
def test_structure_of_the_content(name, tag):
    for page in with_variation(name):
        assert re.search(tag, source(page), re.I)


# --- gold ----------------------------------------------------------------------------------------


def test_gold_words_are_on_the_page_in_order():
    for page, parsed in zip(PAGES, PARSED, strict=True):
        found = iter(words(parsed.all().text()))
        assert words(page.text)
        missing = [word for word in words(page.text) if word not in found]
        assert missing == [], page.id


def test_snippets():
    for page, parsed in zip(PAGES, PARSED, strict=True):
        everything = parsed.all().text()
        assert page.must_not_have
        for snippet in page.must_not_have:
            assert snippet in everything
            assert snippet not in page.text
        for snippet in page.must_have:
            assert snippet in everything
            assert snippet in page.text
    assert sum(map(bool, (page.must_have for page in PAGES))) > 150


def test_titles_are_on_the_page():
    for page, parsed in zip(PAGES, PARSED, strict=True):
        assert page.title in parsed.all().text()


def test_plain_has_every_gold_word():
    for page, parsed in zip(PAGES, PARSED, strict=True):
        if not COPIES & set(page.variations):
            found = Counter(words(methods.get("plain")(parsed).text()))
            assert not Counter(words(page.text)) - found, page.id


def test_legacy_pages_are_decoded_with_and_without_meta():
    legacy = with_variation("legacy charset")
    assert len({page.charset for page in legacy}) > 5
    assert any("no meta" in page.variations for page in legacy)
    for page in legacy:
        assert thresher.parse(page.html).source == source(page).replace("\r\n", "\n")
        if page.lang != "en":  # whose words are ASCII
            with pytest.raises(UnicodeDecodeError):
                page.html.decode("utf-8")


@pytest.mark.parametrize("name", methods.names())
def test_every_method_answers(name):
    for parsed in PARSED[:24]:  # one of each site
        assert methods.get(name)(parsed).page is parsed


# --- one site ------------------------------------------------------------------------------------


def classes(page):
    found = re.findall(r'class="?([\w -]+)', source(page), re.I)
    return {one for names in found for one in names.split()} - {"logo", "tagline"}


def test_the_pages_of_a_site_come_in_the_order_of_its_designs():
    pages = list(generate_site(4, 2, 9, years=(2005, 2013, 2021)))
    assert pages == list(generate_site(4, 2, 9, years=(2005, 2013, 2021)))
    assert [page.id.split("-")[-2] for page in pages] == ["2005"] * 3 + ["2013"] * 3 + ["2021"] * 3
    assert len({page.site for page in pages}) == 1
    assert len({page.url for page in pages}) == 9
    assert not classes(pages[0]) & classes(pages[3])
    assert not classes(pages[3]) & classes(pages[6])
    assert generate_site(4, 2, 1).__next__().site != generate_site(4, 3, 1).__next__().site


def test_addresses_that_are_alike_have_the_same_design():
    pages = list(generate_site(4, 0, 30, sections=3))
    sections = [page.url.split("/")[3] for page in pages]
    assert set(sections) == {"a", "b", "c"}
    keys = sorted((url_key(page.url), number) for number, page in enumerate(pages))
    for number, page in enumerate(pages):
        others = [pair for pair in keys if pair[1] != number]
        at = most_related(url_key(page.url), [key for key, _ in others])
        assert sections[others[at][1]] == sections[number]
    by_section = {name: set() for name in "abc"}
    for page, section in zip(pages, sections, strict=True):
        by_section[section] |= classes(page)
    assert not by_section["a"] & by_section["b"]
    assert not by_section["b"] & by_section["c"]


@pytest.mark.parametrize("cause", CAUSES)
def test_sites_with_a_cause_have_it_and_no_other(cause):
    pages = [page for number in range(3) for page in generate_site(5, number, 4, cause=cause)]
    assert {page.genre for page in pages} == ({"news"} if cause == "F1" else {"blog"})
    for page in pages:
        text = source(page)
        content = set(page.variations) & {"links", "lists", "quotes", "figures", "plain sentences"}
        assert content == {
            "F1": {"plain sentences"},
            "lists": {"links", "lists", "quotes", "figures"},
        }.get(cause, {"links"})
        assert ("display:none" in text) == (cause == "F2")
        loose = re.findall(r"<li>\s*<(?:b|i|span|div|h4)>", text)
        assert not loose or cause == "F3"
        boxes = re.findall(r"<div>\s*<(?:h3|h4|p)>", text)
        assert bool(boxes) == (cause == "F4"), cause
        found = iter(words(thresher.parse(page.html).all().text()))
        assert [word for word in words(page.text) if word not in found] == []


def test_no_such_site():
    for wrong in ({"number": -1}, {"pages": -1}, {"sections": 0}, {"sections": 9}):
        with pytest.raises(UsageError, match="sections=1 to 8"):
            generate_site(**wrong)
    for years in ((), (2005, 2006)):
        with pytest.raises(UsageError, match="give some of"):
            generate_site(years=years)
    with pytest.raises(UsageError, match="no cause 'F5'"):
        generate_site(cause="F5")
    assert list(generate_site(pages=0)) == []


# --- files and time ------------------------------------------------------------------------------


def test_a_folder_is_read_back_as_a_corpus(tmp_path):
    write(PAGES[:20], tmp_path)
    found = {page.id.split("/")[-1]: page for page in corpora.read(tmp_path)}
    assert len(found) == 20
    for page in PAGES[:20]:
        back = found[page.id]
        assert (back.html, back.text, back.site) == (page.html, page.text, page.site)


def test_json_lines_are_read_back_as_a_corpus(tmp_path):
    write_jsonl(PAGES[:72], tmp_path / "made.jsonl")
    back = list(corpora.read(tmp_path / "made.jsonl"))
    for page, parsed, found in zip(PAGES[:72], PARSED[:72], back, strict=True):
        assert (found.id, found.text, found.must_have) == (page.id, page.text, page.must_have)
        assert thresher.parse(found.html).all().text() == parsed.all().text()


def test_the_command_writes_a_corpus(tmp_path, capsys):
    path = tmp_path / "made.jsonl"
    assert main([str(path), "--pages", "3", "--seed", "4"]) == 0
    assert [page.text for page in corpora.read(path)] == [page.text for page in generate(4, 3)]
    assert main([str(tmp_path / "made"), "--pages", "3"]) == 0
    assert {page.text for page in corpora.read(tmp_path / "made")} == {
        page.text for page in PAGES[:3]
    }
    with pytest.raises(SystemExit):
        main([str(path), "--sites", "0"])
    assert "sites=1 or more" in capsys.readouterr().err
