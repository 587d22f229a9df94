"""`thresher extract`."""

import json
from pathlib import Path

import pytest

import thresher
from tests.cli.commands import DEMO, LONG, PAGE, files, on_a_terminal, run
from tests.speech_program import espeak, seconds


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


# --- reading aloud --------------------------------------------------------------------------------


def test_speech() -> None:
    done = run("extract", DEMO, "--format", "speech")
    assert done.stdout == thresher.extract(DEMO).speech() + "\n"
    skipped = run("extract", DEMO, "--format", "speech", "--skip-code").stdout
    assert "\n\nCode, left out.\n\n" in skipped
    assert "opening =" in run("extract", DEMO, "--format", "speech", "--read-code").stdout
    assert "Image:" not in run("extract", DEMO, "--format", "speech", "--no-images").stdout


def test_ssml_and_its_files(pages: Path, tmp_path: Path) -> None:
    done = run("extract", DEMO, "--format", "speech", "--ssml")
    assert done.stdout == thresher.extract(DEMO).speech(ssml=True)
    refused = run("extract", pages, "--format", "speech", "--ssml")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "several SSML documents do not make one: give --output FOLDER." in refused.stderr
    run("extract", pages, "--format", "speech", "--ssml", "--output", tmp_path / "out")
    assert {Path(name).suffix for name in files(tmp_path / "out")} == {".ssml"}
    run("extract", pages, "--format", "speech", "--output", tmp_path / "text")
    assert {Path(name).suffix for name in files(tmp_path / "text")} == {".txt"}


def test_several_pages_are_read_one_after_the_other(pages: Path) -> None:
    text = run("extract", pages, "--format", "speech").stdout
    assert text.count(f"{LONG}\n\n") == text.count(LONG) - 1


@pytest.mark.parametrize(
    "option", [("--ssml",), ("--skip-code",), ("--read-code",), ("--related", "1")]
)
def test_options_of_speech_need_speech(option: tuple[str, ...]) -> None:
    done = run("extract", DEMO, *option)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "are for --format speech: give it too." in done.stderr


def test_related_pages_are_read_after_the_article(tmp_path: Path) -> None:
    body = f"<p>{LONG}</p>" * 3
    links = "".join(
        f"<li><a href={name}>{text}</a>"
        for name, text in [
            ("snow.html", "Snow that fell on the roof all night"),
            ("gone.html", "A story about the single hour of sleep"),
            ("hail.html", "What the mayor said about the traffic"),
        ]
    )
    (tmp_path / "rain.html").write_text(f"{PAGE}<h1>Rain</h1>{body}<ul class=related>{links}</ul>")
    for name in ("Snow", "Hail"):
        text = body.replace("rained", name.lower())
        (tmp_path / f"{name.lower()}.html").write_text(
            f"<title>{name}</title><h1>{name}</h1>{text}"
        )
    asked = ("extract", tmp_path / "rain.html", "--format", "speech")
    done = run(*asked, "--related", "2")
    assert done.exit_code == 0
    assert "\n\nRelated article: Snow.\n\nAll night it snow on" in done.stdout
    assert "Hail" not in done.stdout
    assert done.stderr.startswith("Warning: a related page is left out: cannot read ")
    assert "gone.html" in done.stderr
    assert "Related article: Hail." in run(*asked, "--related", "3", "--quiet").stdout
    assert "Related" not in run(*asked).stdout
    assert run(*asked, "--related", "9", "--quiet").stderr == ""


def test_the_pipe_into_a_speech_program(tmp_path: Path) -> None:
    done = run("extract", DEMO, "--format", "speech", "--skip-code")
    assert seconds(espeak("-v", "en", given=done.stdout)) > 60
