"""The page of kept and dropped blocks, read with another parser."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from thresher.viewer import explain as module
from thresher.viewer.explain import explain

DEMO = Path(__file__).parents[2] / "examples" / "demo.html"


class Reader(HTMLParser):
    """Reads the page with another parser: the items of the list, and every element's name."""

    VOID = frozenset({"meta", "input", "br"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.items: list[dict[str, str]] = []
        self.strips: list[dict[str, str]] = []
        self.names: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.names.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "div":
            self.items.append(given | {"text": "", "line": "", "struck": ""})
        if tag == "a":
            self.strips.append(given)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "div" in self.open:
            place = {"i": "line", "s": "struck"}.get(self.open[-1], "text")
            self.items[-1][place] += data


def choose(page: str, *dropped: str) -> thresher.Document:
    """Return a document that keeps all texts but those that contain one of the words."""
    parsed = thresher.parse(page)
    keep = [not any(word in (text or "") for word in dropped) for text in parsed.texts]
    rows = [row for row, kept in zip(parsed.text_rows.tolist(), keep, strict=True) if kept]
    return thresher.Document(parsed, parsed.select(rows), "by hand")


def test_blocks_are_listed_in_order_with_kind_path_and_line() -> None:
    read = Reader(
        explain(
            choose("<nav class=top>menu</nav>\n<main id=m><h1>Tea</h1>\n<p>Pour <b>it</b>", "menu")
        )
    )
    shown = [(item["class"], item["text"], item["line"], item["title"]) for item in read.items]
    assert shown == [
        ("d navigation", "menu", "1", "navigation, dropped: body > nav.top"),
        ("k heading", "Tea", "2", "heading, kept: body > main#m > h1"),
        ("k paragraph", "Pour it", "3", "paragraph, kept: body > main#m > p"),
    ]
    assert read.open == []


def test_blocks_of_the_default_have_a_probability_and_a_reason() -> None:
    document = thresher.extract(DEMO)
    titles = {item["text"]: item["title"] for item in Reader(explain(document)).items}
    for block in document.page_blocks:
        if block.text in ("Imprint", "What you need"):
            first, second = titles[block.text].split("\n")
            assert first.startswith(f"{block.kind}, {'kept' if block.kept else 'dropped'}: ")
            assert second == f"probability {block.probability:.2f}; {block.reasons[0]}"
    assert "probability" in titles["Imprint"]
    assert "probability" not in explain(thresher.extract(DEMO, method="bte"))


def test_what_is_dropped_inside_a_kept_block_is_struck_through() -> None:
    (item,) = Reader(explain(choose("<p>one <a>two</a> three", "two"))).items
    assert item["class"] == "k paragraph"
    assert item["struck"] == "two"
    assert item["text"].split() == ["one", "three"]


def test_counts_cover_blocks_and_words() -> None:
    page = explain(choose("<p>one two three</p><p>four</p><p>five six <i>seven</i>", "four", "six"))
    assert "<b>kept</b> 2 blocks, 4 words (57 %)" in page
    assert "<b>dropped</b> 1 block, 3 words" in page


def test_hidden_text_is_left_out_unless_it_is_kept() -> None:
    source = "<p>seen</p><p hidden>unseen</p><script>code</script><template>later</template>"
    parsed = thresher.parse(source)
    visible = thresher.Document(parsed, parsed.where(~parsed.hidden), "by hand")
    assert [item["text"] for item in Reader(explain(visible)).items] == ["seen"]
    kept = [(item["class"][0], item["text"]) for item in Reader(explain(choose(source))).items]
    assert kept == [("k", "seen"), ("k", "unseen"), ("k", "later")]


def test_short_cells_of_a_table_row_are_in_one_section() -> None:
    page = explain(choose("<table><tr><td>1<td>2<tr><td>3<td>4</table><p>5</p>"))
    sections = re.findall("<section>(.*?)</section>", page)
    assert [re.findall(r"<p dir=\"auto\">(\d)</p>", one) for one in sections] == [
        ["1", "2"],
        ["3", "4"],
    ]
    assert "<section>" not in explain(choose(f"<table><tr><td>{'long ' * 20}<td>{'x ' * 40}"))


def test_the_map_is_proportional_and_links_to_the_blocks() -> None:
    read = Reader(
        explain(choose("<p>one two three</p><p>four</p><p>five <b>six</b>", "four", "six"))
    )
    ids = ["#" + item["id"] for item in read.items]
    assert [strip["href"] for strip in read.strips] == ids
    assert [strip["style"] for strip in read.strips] == [
        "flex-grow:3;--kept:100%",
        "flex-grow:1;--kept:0%",
        "flex-grow:2;--kept:50%",
    ]


def test_everything_is_escaped_and_nothing_is_loaded() -> None:
    attack = "<img src=x onerror=alert(1)>\"'&"
    written = attack.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    document = thresher.extract(
        f'<html lang="&quot;><script>"><title>{written}</title>'
        f'<div id="{written}" class="{written}">{written} {"words " * 9}',
        url="https://example.org/?<script>",
        method=lambda page: page.all(),
    )
    read = Reader(explain(document))
    names = "html head meta title style body header h1 p code span b label input nav a main div i"
    assert set(read.names) == set(names.split())
    assert read.items[0]["text"].startswith(attack)
    page = explain(document)
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=\"(?!#)|url\(|@import", page)


@settings(max_examples=50)
@given(st.text(max_size=60), st.text(max_size=30))
def test_any_text_stays_text(text: str, title: str) -> None:
    document = choose(f"<title>{title}</title><p>words {text}")
    read = Reader(explain(document))
    assert not {"script", "img", "iframe"} & set(read.names)


def test_right_to_left_text_finds_its_direction() -> None:
    page = explain(choose("<title>مطر</title><p>نزل المطر طوال الليل"))
    assert '<h1 dir="auto">مطر</h1>' in page
    assert '<p dir="auto">نزل المطر طوال الليل</p>' in page


@pytest.mark.parametrize("source", ["", "   ", "<p></p>", "<script>1</script>"])
def test_a_page_without_text(source: str) -> None:
    page = explain(thresher.extract(source))
    assert "This page shows no text." in page
    assert "<b>kept</b> 0 blocks, 0 words (0 %)" in page
    assert Reader(page).items == []


def test_a_cut_page_says_so() -> None:
    parsed = thresher.parse("<p>one two</p>" * 9, limits=thresher.Limits(bytes=20))
    document = thresher.extract(parsed, method="plain")
    assert "<strong>cut at 20 characters</strong>" in explain(document)


def test_dropped_blocks_are_merged_on_large_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MERGE_FROM", 5)
    source = "<p>menu a</p><p>menu b</p><p>kept one</p><p>menu c</p><p>menu d</p><p>kept two</p>"
    assert len(Reader(explain(choose(source[:40], "menu"))).items) == 3
    items = Reader(explain(choose(source, "menu"))).items
    assert [item["text"] for item in items] == [
        "2 dropped blocks menu a · menu b",
        "kept one",
        "2 dropped blocks menu c · menu d",
        "kept two",
    ]


def test_long_lists_and_texts_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ENTRIES", 2)
    monkeypatch.setattr(module, "MAX_CHARS", 6)
    read = Reader(explain(choose("<p>one</p><p>two three</p><p>four</p><p>five</p>")))
    assert [item["text"] for item in read.items] == ["one", "two th … (3 more characters)"]
    assert "2 more blocks not listed here." in explain(choose("<p>a</p><p>b</p><p>c</p><p>d</p>"))
    assert [strip["href"] for strip in read.strips] == ["#b0", "#b1", "#b1", "#b1"]


@pytest.mark.slow
def test_the_size_of_the_page_is_bounded() -> None:
    rows = "".join(
        f"<p>kept number {i}</p>\n" if i % 100 == 0 else f"<p><a>menu {i}</a></p>\n"
        for i in range(20_000)
    )
    page = explain(choose(rows, "menu"))
    assert len(page) < 400_000
    assert len(re.findall("<a ", page)) <= module.STRIPS
    assert "<b>dropped</b> 19,800 blocks, 39,600 words" in page
    assert page.count("<b>99 dropped blocks</b>") == 200


def test_long_names_of_elements_are_cut() -> None:
    html = f"<x-{'y' * 5_000}>" * 5 + "<p>Rain fell on the hills." * 50
    assert len(explain(thresher.extract(html))) < 200_000


def test_the_demo() -> None:
    read = Reader(explain(thresher.extract(DEMO)))
    state = {item["text"]: item["class"].split()[0] for item in read.items}
    assert state["From grams to millimetres"] == "k"
    assert state["hedgehog"] == "k"
    assert state["Skip to content"] == "d"
    assert state["You may also like"] == "d"
