"""`thresher extract`."""

import json
from pathlib import Path

import pytest

import thresher
from tests.cli.commands import DEMO, LONG, PAGE, on_a_terminal, run


def test_a_file_as_text(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text(PAGE)
    done = run("extract", tmp_path / "p.html")
    assert (done.exit_code, done.stdout, done.stderr) == (0, f"{LONG}\n", "")


def test_the_demo_is_extracted_completely() -> None:
    text = run("extract", DEMO).stdout
    assert text.startswith("A bought rain gauge costs as much")
    assert text.endswith("either will do.\n")
    assert "hedgehog" in text
    assert "cookies" not in text
    assert "All rain reserved" not in text


@pytest.mark.parametrize(
    ("option", "without", "remains"),
    [
        ("links", "](/rain/depth)", "depth does not depend"),
        ("images", "![", "The two gauges"),
        ("tables", "21.7", "fourth week"),
    ],
)
def test_parts_are_on_or_off(option: str, without: str, remains: str) -> None:
    command = ("extract", DEMO, "--format", "markdown", "--method", "bte")
    on, off = run(*command, f"--{option}").stdout, run(*command, f"--no-{option}").stdout
    assert without in on
    assert without not in off
    assert remains in off


def test_comments_are_on_or_off() -> None:
    asked = ("extract", DEMO, "--method", "plain")
    assert "jam jar" in run(*asked).stdout
    assert "jam jar" not in run(*asked, "--no-comments").stdout


def test_url_makes_links_absolute() -> None:
    done = run("extract", DEMO, "--format", "markdown", "--url", "https://puddle.example/2024/")
    assert "(https://puddle.example/rain/depth)" in done.stdout


def test_method_and_favor_select_the_method() -> None:
    def method(*options: str) -> str:
        record = json.loads(run("extract", DEMO, "--format", "json", *options).stdout)
        return str(record["method"])

    assert method("--method", "bte(tag_cost=2)") == "bte(tag_cost=2.0)"
    assert method("--favor", "recall") == thresher.extract(DEMO, favor="recall").method
    assert method("--favor", "recall") != method("--favor", "precision")
    both = method("--method", "default", "--favor", "precision")
    assert both == "default(favor='precision')"


@pytest.mark.parametrize(
    ("page", "status"), [("<nav></nav>", "no content found"), ("", "empty"), (" \n", "empty")]
)
def test_a_page_without_content_is_a_warning(page: str, status: str) -> None:
    done = run("extract", "-", given=page.encode())
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == f"Warning: standard input: {status}.\n"
    assert run("extract", "-", "--quiet", given=page.encode()).stderr == ""


def test_one_bad_input_does_not_stop_the_others(pages: Path) -> None:
    done = run("extract", pages / "b.html", pages / "missing.html", pages / "a.HTM", "--quiet")
    assert done.exit_code == 2
    assert done.stdout.count("on the roof") == 2
    assert done.stderr == (
        f"Error: cannot read {pages / 'missing.html'}: no such file or directory; check the path, "
        "or put https:// before an address.\n"
    )


def test_several_tei_documents_need_a_folder(pages: Path) -> None:
    done = run("extract", pages, "--format", "tei")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == ("Error: several TEI documents do not make one: give --output FOLDER.\n")


@pytest.mark.slow
def test_the_progress_bar_is_for_many_inputs_on_a_terminal(pages: Path) -> None:
    shown, printed = on_a_terminal("extract", pages, "missing.html", stdout_too=False)
    assert "5/5" in shown
    assert "cannot read missing.html" in shown
    assert printed.count("on the roof") == 4
    for arguments in ([pages, "--quiet"], [pages / "b.html"]):
        shown, printed = on_a_terminal("extract", *arguments, stdout_too=False)
        assert shown == ""
        assert "on the roof" in printed
    assert run("extract", pages).stderr == ""
