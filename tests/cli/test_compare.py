"""`thresher compare`."""

import re
from pathlib import Path

import pytest

import thresher
from tests.cli.commands import DEMO, run
from thresher.viewer.compare import compare, comparison_page


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


def test_control_characters_and_markup_do_not_reach_the_terminal() -> None:
    page = b"<p>[bold]rain[/bold] \x1b[31mred and more words to keep</p>"
    shown = run("compare", "-", "--method", "plain", given=page).stdout
    assert "[bold]rain[/bold] �[31mred" in shown
    assert "\x1b" not in shown


def test_the_page_is_written(tmp_path: Path) -> None:
    path = tmp_path / "compared.html"
    done = run("compare", DEMO, "--output", path)
    assert (done.exit_code, done.output) == (0, "")
    assert path.read_text(encoding="utf-8") == comparison_page(compare(thresher.parse(DEMO)))
    assert run("compare", DEMO, "--output", "-").stdout == path.read_text(encoding="utf-8")


def test_wrong_arguments_are_errors(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text("<p>rain")
    assert "no method 'bten': did you mean bte?" in run("compare", DEMO, "--method", "bten").stderr
    assert "is a folder: give one page." in run("compare", tmp_path).stderr
    told = run("compare", tmp_path / "p.html", "--output", tmp_path / "p.html").stderr
    assert "is an input: give another --output." in told
    assert (tmp_path / "p.html").read_text() == "<p>rain"


@pytest.mark.parametrize("source", [b"", b"  ", b"<p></p>", b"<script>1</script>"])
def test_a_page_without_text(source: bytes) -> None:
    assert run("compare", "-", given=source).exit_code == 0


def test_a_long_table_is_cut(tmp_path: Path) -> None:
    blocks = "".join(f"<p>{'abcx'[i * i % 7 % 4]} {i}</p>\n" for i in range(5_000))
    (tmp_path / "p.html").write_text(blocks)
    shown = run("compare", tmp_path / "p.html", "--method", "bte", "--method", "plain").stdout
    assert len(shown.splitlines()) < 1_020
