"""`thresher passages`."""

import json
from pathlib import Path

import thresher
from tests.cli.commands import DEMO, LONG, PAGE, run


def records(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_passages_of_a_page() -> None:
    done = run("passages", DEMO, "--words", "100", "--url", "https://puddle.example/rain")
    assert (done.exit_code, done.stderr) == (0, "")
    found = records(done.stdout)
    document = thresher.extract(DEMO)
    page = {
        "input": str(DEMO),
        "url": "https://puddle.example/rain",
        "title": "Measuring rain with a yoghurt pot",
        "date": "2024-05-03",
    }
    assert found == [page | passage.to_dict() for passage in document.passages(100)]
    assert len(found) > 5
    assert "\\u" not in done.stdout


def test_options() -> None:
    whole = records(run("passages", DEMO).stdout)
    assert len(whole) < len(records(run("passages", DEMO, "--words", "50").stdout))
    repeated = records(run("passages", DEMO, "--words", "50", "--overlap", "25").stdout)
    assert sum(int(str(each["words"])) for each in repeated) > sum(
        int(str(each["words"])) for each in whole
    )
    plain = records(run("passages", DEMO, "--method", "plain").stdout)
    assert "Skip to content" in str(plain[0]["text"])


def test_several_pages_go_to_one_file(tmp_path: Path) -> None:
    folder, output = tmp_path / "pages", tmp_path / "new" / "passages.jsonl"
    folder.mkdir()
    (folder / "rain.html").write_text(PAGE)
    (folder / "empty.html").write_text("<p hidden>x")
    done = run("passages", folder, DEMO, "--output", output)
    assert (done.exit_code, done.stdout) == (0, "")
    assert (
        done.stderr == f"Warning: {folder / 'empty.html'}: no content found (1 word is hidden).\n"
    )
    assert run("passages", folder, "--output", output, "--quiet").stderr == ""
    found = records(output.read_text())
    assert [(each["input"], each["text"]) for each in found] == [(str(folder / "rain.html"), LONG)]


def test_a_page_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    missing = tmp_path / "none.html"
    done = run("passages", missing, DEMO)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"Error: cannot read {missing}")
    assert records(done.stdout)[0]["input"] == str(DEMO)


def test_bad_arguments(tmp_path: Path) -> None:
    for arguments, sentence in (
        (["--words", "0"], "0 is not in the range"),
        (["--overlap", "150"], "overlap is 150: give at most half of words, 100."),
        (["--output", str(DEMO)], "is an input: give another --output."),
        (["--output", str(tmp_path)], "is a folder: give the name of a file."),
    ):
        done = run("passages", DEMO, *arguments)
        assert (done.exit_code, done.stdout) == (2, "")
        assert sentence in done.stderr
