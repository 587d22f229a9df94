"""A sample of the shapes, mutated pages and payloads, and that each attack can fail."""

import json
import sys

import pytest

import thresher
from benchmarks.attack import __main__ as attack
from benchmarks.attack import mutations, payloads, shapes
from benchmarks.attack.__main__ import batteries, security_block, total
from benchmarks.attack.rows import Row, print_rows
from benchmarks.marked_blocks import block
from thresher.errors import InputError
from thresher.visual.browser import find_chromium


def test_the_batteries_are_found_by_their_names():
    assert {"disks", "fetches", "models", "mutations", "payloads", "shapes"} <= set(batteries())


def test_the_table_has_the_worst_of_each_measure(capsys):
    rows = [Row("a", 2, 0, exponent=1.1, memory=20.0), Row("b", 3, 1, "broken", seconds=2.0)]
    assert total(rows) == Row("all", 5, 1, "", 1.1, 2.0, 20.0)
    print_rows(rows)
    shown = capsys.readouterr().out
    assert "broken" in shown
    assert "exponent" in shown


def test_a_whole_run_is_written_into_the_docs(tmp_path, monkeypatch):
    page, last = tmp_path / "SECURITY.md", tmp_path / "attack.json"
    page.write_text("a\n<!-- attack: written by make attack -->\nb\n<!-- attack: end -->\nc\n")
    monkeypatch.setattr(attack, "ROOT", tmp_path)
    monkeypatch.setattr(attack, "LAST_RUN", last)
    attack.write([Row("kind", 1_200, 0, "", 1.25, 3.04, None), Row("other", 3, 1, "x")], 600.0)
    figures = json.loads(last.read_text())
    written = page.read_text()
    assert block(written, "attack") == security_block(figures)
    assert "| kind | 1,200 | 0 | 1.25 | 3.0 |  |" in written
    assert "tried 1,203 inputs in 10 minutes" in written
    assert "1 failed" in written


def test_the_security_policy_has_the_figures_of_the_last_run():
    if not attack.LAST_RUN.exists():
        pytest.skip("no whole run is stored yet")
    figures = json.loads(attack.LAST_RUN.read_text(encoding="utf-8"))
    policy = (attack.ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert block(policy, "attack") == security_block(figures)


def test_only_a_whole_run_is_written(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["attack", "--write", "models"])
    with pytest.raises(SystemExit):
        attack.main()
    assert "leave out the names" in capsys.readouterr().err


# --- shapes --------------------------------------------------------------------------------------


def test_the_exponent_of_quadratic_time_is_two(monkeypatch):
    seconds = 0.0  # of a clock that only the measured function moves: no other process slows it

    def quadratic(page):
        nonlocal seconds
        seconds += len(page) ** 2 * 1e-6

    monkeypatch.setattr(shapes.time, "process_time", lambda: seconds)
    found = shapes._exponent(quadratic, lambda n: "x" * n, 2_000, False, large=1.0)
    assert found == pytest.approx(2.0, abs=0.01)
    assert shapes._exponent(quadratic, lambda n: "x" * n, 2_000, False, large=0.0) is None


def test_a_shape_has_about_the_wanted_size():
    for name, make in shapes.SHAPES.items():
        n = shapes.size_for(make, 20_000)
        assert 10_000 < len(make(n)) < 60_000 or n == 10, name


@pytest.mark.slow
def test_a_sample_of_the_shapes_grows_linearly():
    found = shapes.measured("newlines in code")
    assert found.problem == ""
    assert {"parse", "extract", "method plain", "format markdown", "part threads"} <= set(
        found.seconds
    )
    assert max(found.exponents.values(), default=1.0) <= shapes.MOST


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rows without a table end", "quotes around paragraphs"])
def test_formats_need_little_memory_beyond_the_page(name):
    found = dict(shapes.measured_memory(name))
    assert len(found) == 8
    assert max(found.values()) <= shapes.MEMORY


def test_a_process_that_fails_is_a_problem():
    assert "ends with 1" in shapes.measured("no such shape").problem


# --- mutated pages -------------------------------------------------------------------------------


def test_a_sample_of_mutated_pages_is_well_formed_in_every_format():
    rows = mutations.attack(12, seed=3)
    assert [row.tried for row in rows] == [12] * 5
    assert [row.first for row in rows if row.failed] == []


def test_a_tag_in_markdown_is_noticed(monkeypatch):
    monkeypatch.setattr(thresher.Document, "markdown", lambda self: "a <script>x</script>")
    assert "script" in mutations.markdown_problem("<p>a")
    monkeypatch.setattr(thresher.Document, "markdown", lambda self: "<div>\nx")
    assert "block of HTML" in mutations.markdown_problem("<p>a")
    monkeypatch.setattr(thresher.Document, "markdown", lambda self: "a<sup>b</sup><br>c")
    assert mutations.markdown_problem("<p>a") == ""


def test_html_that_is_read_differently_is_noticed(monkeypatch):
    monkeypatch.setattr(thresher.Document, "html", lambda self: "<article><p><p></article>")
    assert "read again" in mutations.html_problem("<p>a")
    monkeypatch.setattr(thresher.Document, "html", lambda self: "<article><b>x</b></article>")
    assert "it has" in mutations.html_problem("<p>a")


# --- payloads ------------------------------------------------------------------------------------


def test_there_are_many_payloads_each_with_its_number():
    sources = payloads.sources()
    assert len(sources) >= 300
    assert all(f"hit({n})" in s or f"hit%28{n}%29" in s or "base64" in s
               for n, s in enumerate(sources))  # fmt: skip


@pytest.fixture
def chromium():
    try:
        return find_chromium()
    except InputError:
        pytest.skip("no Chromium")


NUMBERED = list(enumerate(payloads.sources()))
FORMULAS = [(number, page) for number, page in NUMBERED if "math" in page]


@pytest.mark.slow
def test_no_payload_in_a_formula_runs_in_markdown(chromium):
    show = payloads.SHOWN["CommonMark"]
    assert payloads.loaded([(number, show(page)) for number, page in FORMULAS]) == set()


@pytest.mark.slow
def test_a_sample_of_the_payloads_runs_in_the_page_and_nowhere_else(chromium):
    others = [pair for pair in NUMBERED if pair not in FORMULAS]
    rows = payloads.attack(others[::13])
    assert len(rows) == len(payloads.SHOWN)
    assert [row.first for row in rows if row.failed] == []
