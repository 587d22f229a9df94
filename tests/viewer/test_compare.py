"""Methods compared on one page, against their selections."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher import methods
from thresher.errors import UsageError
from thresher.page import Page, Selection
from thresher.viewer import compare as module
from thresher.viewer.compare import Comparison, State, compare, comparison_page

DEMO = Path(__file__).parents[2] / "examples" / "demo.html"
KEPT, PARTLY, DROPPED = State.KEPT, State.PARTLY, State.DROPPED


class Keeping:
    """A method that keeps the texts that contain one of its words."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def __repr__(self) -> str:
        return f"Keeping{self.words}"

    def __call__(self, page: Page) -> Selection:
        texts = zip(page.text_rows.tolist(), page.texts, strict=True)
        return page.select(
            [row for row, text in texts if any(word in (text or "") for word in self.words)]
        )


def three(source: str) -> Comparison:
    """Compare what keeps "a", what keeps "a" or "b", and what keeps "c"."""
    return compare(thresher.parse(source), [Keeping("a"), Keeping("a", "b"), Keeping("c")])


class Reader(HTMLParser):
    """Reads the page with another parser: its rows of cells, and every element's name."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.titles: list[str] = []
        self.names: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        if tag == "tr":
            self.rows.append([])
            self.titles.append(dict(attrs).get("title") or "")
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip("\n")


# --- what is compared ----------------------------------------------------------------------------


def test_blocks_are_kept_dropped_or_kept_in_part() -> None:
    found = three("<p>a1</p><p>b1 <i>c1</i></p><p>none</p>").blocks
    assert [(entry.text, entry.states) for entry in found] == [
        ("a1", (KEPT, KEPT, DROPPED)),
        ("b1 c1", (DROPPED, PARTLY, PARTLY)),
        ("none", (DROPPED, DROPPED, DROPPED)),
    ]
    assert [entry.agreed for entry in found] == [False, False, True]


def test_figures_count_words() -> None:
    comparison = three("<p>a a a</p><p>b b</p><p>c</p><p>x x</p>")
    assert comparison.all_words == 8
    assert comparison.words == [3, 5, 1]
    assert comparison.shares == [3 / 8, 5 / 8, 1 / 8]
    # Most keep a and drop b, c, x. The first does just that; the second errs on b, the third on
    # a and c.
    assert comparison.agreement == [1.0, 6 / 8, 4 / 8]


def test_words_without_a_majority_count_for_no_agreement() -> None:
    page = thresher.parse("<p>a</p><p>b b</p><p>x x x</p>")
    assert compare(page, [Keeping("a"), Keeping("a", "b")]).agreement == [1.0, 1.0]
    assert compare(page, [Keeping("a"), Keeping("b", "x")]).agreement == [None, None]


def test_hidden_text_is_shown_when_a_method_keeps_it() -> None:
    source = "<p>a</p><p hidden>b</p><p hidden>d</p>"
    assert [entry.text for entry in three(source).blocks] == ["a", "b"]


def test_all_methods_are_compared_unless_some_are_given() -> None:
    page = thresher.parse(DEMO)
    assert list(compare(page).methods) == methods.names()
    assert compare(page, ["bte", "bte(tag_cost=2)"]).methods == ("bte", "bte(tag_cost=2.0)")
    with pytest.raises(UsageError, match="bte is given more than once"):
        compare(page, ["bte", "cetd", "bte(tag_cost=1)"])


@given(st.lists(st.sampled_from(["<p>", "a ", "b ", "<i>c</i>", "<li hidden>", "</p>"])))
def test_states_agree_with_the_selections(parts: list[str]) -> None:
    page = thresher.parse("".join(parts))
    chosen = [Keeping("a"), Keeping("b", "c")]
    comparison = compare(page, chosen)
    for number, method in enumerate(chosen):
        selection = method(page)
        assert comparison.words[number] == selection.words
        kept = thresher.Document(page, selection, "").blocks
        with_text = [entry for entry in comparison.blocks if entry.states[number] > DROPPED]
        assert len(with_text) == len(kept)
        for entry, block in zip(with_text, kept, strict=True):
            assert (entry.text == block.text) or entry.states[number] == PARTLY


# --- the page ------------------------------------------------------------------------------------


def test_the_page_shows_the_text_with_marks_and_figures() -> None:
    read = Reader(comparison_page(three("<main id=m>\n<p>a1</p>\n<p>b1 <i>c1</i></p></main>")))
    names, shares, agreement, first, second = read.rows
    assert names == ["Keeping('a',)1", "Keeping('a', 'b')2", "Keeping('c',)1", "", "words kept"]
    assert shares[:3] == ["33 %", "67 %", "33 %"]
    assert agreement[:3] == ["100 %", "67 %", "33 %"]
    assert first == ["●", "●", "·", "2", "a1"]
    assert second == ["·", "◐", "◐", "3", "b1 c1"]
    assert read.titles[3:] == ["line 2: body > main#m > p", "line 3: body > main#m > p"]


def test_the_page_escapes_text_and_loads_nothing() -> None:
    attack = "<img src=x onerror=alert(1)>\"'&"
    written = attack.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    source = f'<title>{written}</title><div id="{written}"><p>a {written}'
    page = thresher.parse(source, url="https://example.org/?<script>")
    made = comparison_page(compare(page, [Keeping(attack[:4])]))
    allowed = (
        "html head meta title style body header h1 p span i label input main table "
        "thead tbody tr th td b"
    )
    assert Reader(made).names <= set(allowed.split())
    assert Reader(made).rows[-1][-1] == f"a {attack}"
    assert not re.search(r"(?:src|href)=\"|url\(|@import", made)
    assert "default-src 'none'" in made


@pytest.mark.parametrize("source", ["", "  ", "<p></p>", "<script>1</script>"])
def test_a_page_without_text(source: str) -> None:
    comparison = compare(thresher.parse(source))
    assert comparison.shares == comparison.agreement == [None] * len(methods.names())
    assert "This page shows no text." in comparison_page(comparison)


def test_equal_neighbours_are_merged_on_large_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = three("<p>a1</p><p>a2</p><p>b1</p><p>x1</p><p>x2</p>")
    merged, left = comparison.entries(merge_from=4, most=2)
    assert [(entry.blocks, entry.text) for entry in merged] == [(2, "a1 · a2"), (1, "b1")]
    assert left == 2
    assert comparison.entries(merge_from=5, most=9) == (comparison.blocks, 0)
    monkeypatch.setattr(module, "MERGE_FROM", 4)
    monkeypatch.setattr(module, "MAX_ENTRIES", 2)
    assert Reader(comparison_page(comparison)).rows[3][-1] == "2 blocks a1 · a2"
    assert "2 more blocks not listed here." in comparison_page(comparison)


@pytest.mark.slow
def test_the_size_of_the_page_is_bounded() -> None:
    source = "".join(f"<p>{'abcx'[i * i % 7 % 4]} {i}</p>\n" for i in range(20_000))
    html = comparison_page(three(source))
    assert html.count("<tr") == module.MAX_ENTRIES + 3
    assert len(html) < 3_000_000


def test_many_methods_have_narrow_columns() -> None:
    page = thresher.parse(DEMO)
    chosen = [thresher.methods.get("bte", tag_cost=float(cost)) for cost in range(2, 15)]
    assert '<main class="many">' in comparison_page(compare(page, chosen))
    assert '<main class="many">' not in comparison_page(compare(page, chosen[:12]))
