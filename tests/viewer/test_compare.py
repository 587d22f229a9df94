"""Methods side by side on one page."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher import methods
from thresher.cli import main
from thresher.errors import UsageError
from thresher.page import Page, Selection
from thresher.viewer import compare as module
from thresher.viewer.compare import Comparison, State, compare, sheet_of

DEMO = Path(__file__).parents[2] / "examples" / "demo.html"
KEPT, PARTLY, DROPPED = State.KEPT, State.PARTLY, State.DROPPED


class Keeping:
    """A method that keeps the texts which hold one of its words."""

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
    """Reads a sheet with another parser: its rows of cells, and every element's name."""

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


def run(*arguments: object, given: bytes | None = None, width: int = 100) -> Result:
    env = {"COLUMNS": str(width), "NO_COLOR": "1"}
    return CliRunner().invoke(main, [str(one) for one in arguments], input=given, env=env)


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


# --- the sheet -----------------------------------------------------------------------------------


def test_the_sheet_shows_the_text_once_with_marks_and_figures() -> None:
    read = Reader(sheet_of(three("<main id=m>\n<p>a1</p>\n<p>b1 <i>c1</i></p></main>")))
    names, shares, agreement, first, second = read.rows
    assert names == ["Keeping('a',)1", "Keeping('a', 'b')2", "Keeping('c',)1", "", "words kept"]
    assert shares[:3] == ["33 %", "67 %", "33 %"]
    assert agreement[:3] == ["100 %", "67 %", "33 %"]
    assert first == ["●", "●", "·", "2", "a1"]
    assert second == ["·", "◐", "◐", "3", "b1 c1"]
    assert read.titles[3:] == ["line 2: body > main#m > p", "line 3: body > main#m > p"]


def test_a_sheet_escapes_and_loads_nothing() -> None:
    attack = "<img src=x onerror=alert(1)>\"'&"
    written = attack.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    source = f'<title>{written}</title><div id="{written}"><p>a {written}'
    page = thresher.parse(source, url="https://example.org/?<script>")
    made = sheet_of(compare(page, [Keeping(attack[:4])]))
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
    assert "This page shows no text." in sheet_of(comparison)
    assert run("compare", "-", given=source.encode()).exit_code == 0


def test_large_pages_merge_what_fares_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = three("<p>a1</p><p>a2</p><p>b1</p><p>x1</p><p>x2</p>")
    merged, left = comparison.entries(merge_from=4, most=2)
    assert [(entry.blocks, entry.text) for entry in merged] == [(2, "a1 · a2"), (1, "b1")]
    assert left == 2
    assert comparison.entries(merge_from=5, most=9) == (comparison.blocks, 0)
    monkeypatch.setattr(module, "MERGE_FROM", 4)
    monkeypatch.setattr(module, "MOST_ENTRIES", 2)
    assert Reader(sheet_of(comparison)).rows[3][-1] == "2 blocks a1 · a2"
    assert "2 more blocks not listed here." in sheet_of(comparison)


def test_a_hundred_thousand_blocks_stay_bounded(tmp_path: Path) -> None:
    source = "".join(f"<p>{'abcx'[i * i % 7 % 4]} {i}</p>\n" for i in range(100_000))
    made = sheet_of(three(source))
    assert made.count("<tr") == module.MOST_ENTRIES + 3
    assert len(made) < 3_000_000
    (tmp_path / "p.html").write_text(source)
    shown = run("compare", tmp_path / "p.html", "--method", "bte", "--method", "plain").stdout
    assert len(shown.splitlines()) < 1_020


# --- the command ---------------------------------------------------------------------------------


def test_the_terminal_shows_a_table_with_names_when_they_fit() -> None:
    done = run("compare", DEMO, "--method", "bte", "--method", "plain")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["block", "bte", "plain"]
    assert [line.split()[-2:] for line in lines if line.startswith("Skip to")] == [["·", "●"]]
    assert any(re.fullmatch(r"words kept +\d+ +\d+ *", line) for line in lines)
    assert any(re.fullmatch(r"share of words +\d+ % +100 % *", line) for line in lines)
    assert any(re.fullmatch(r"with the majority( +\d+ %){2} *", line) for line in lines)
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("width", [40, 60, 80])
def test_many_methods_stand_under_letters(width: int) -> None:
    expressions = [f"bte(tag_cost={cost})" for cost in range(2, 12)]
    given = [part for one in expressions for part in ("--method", one)]
    lines = run("compare", DEMO, *given, width=width).stdout.splitlines()
    assert lines[0].split() == ["block", *"abcdefghij"]
    assert max(map(len, lines)) <= width
    if width == 80:
        assert [line.split()[:2] for line in lines if line.startswith("j ")] == [
            ["j", "bte(tag_cost=11.0)"]
        ]


@pytest.mark.parametrize(("width", "between"), [(100, " "), (50, ""), (40, "")])
def test_thirty_methods_fit_any_terminal(width: int, between: str) -> None:
    given = [part for cost in range(30) for part in ("-m", f"bte(tag_cost={2 + cost / 8})")]
    lines = run("compare", DEMO, *given, width=width).stdout.splitlines()
    letters = between.join("abcdefghijklmnopqrstuvwxyzABCD")
    assert re.fullmatch(rf"block +{letters} *", lines[0])
    assert re.search(f"  {between.join('·' * 30)}$", lines[3].rstrip())
    assert max(map(len, lines)) <= width


def test_the_sheet_of_many_methods_has_narrow_columns() -> None:
    page = thresher.parse(DEMO)
    chosen = [thresher.methods.get("bte", tag_cost=float(cost)) for cost in range(2, 15)]
    assert '<main class="many">' in sheet_of(compare(page, chosen))
    assert '<main class="many">' not in sheet_of(compare(page, chosen[:12]))


def test_control_characters_and_markup_do_not_reach_the_terminal() -> None:
    page = b"<p>[bold]rain[/bold] \x1b[31mred and more words to keep</p>"
    shown = run("compare", "-", "--method", "plain", given=page).stdout
    assert "[bold]rain[/bold] �[31mred" in shown
    assert "\x1b" not in shown


def test_the_command_writes_the_sheet(tmp_path: Path) -> None:
    path = tmp_path / "compared.html"
    done = run("compare", DEMO, "--output", path)
    assert (done.exit_code, done.output) == (0, "")
    assert path.read_text(encoding="utf-8") == sheet_of(compare(thresher.parse(DEMO)))
    assert run("compare", DEMO, "--output", "-").stdout == path.read_text(encoding="utf-8")


def test_wrong_arguments_are_told(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text("<p>rain")
    assert "no method 'bten': did you mean bte?" in run("compare", DEMO, "--method", "bten").stderr
    assert "is a folder: give one page." in run("compare", tmp_path).stderr
    told = run("compare", tmp_path / "p.html", "--output", tmp_path / "p.html").stderr
    assert "is an input: give another --output." in told
    assert (tmp_path / "p.html").read_text() == "<p>rain"
