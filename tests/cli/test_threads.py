"""`thresher threads`."""

import json
from pathlib import Path

import pytest

from tests.cli.commands import DEMO, run

ENTRY = (
    '<div class="post"><h2><a href="/{n}">How loud may kettle {n} be</a></h2>'
    '<span class="author">Ada</span> <time datetime="{year}-05-03">May</time>'
    "<p>Kettles are loud and there is much to say.</p>"
    '<a href="/{n}#comments">{count} comments</a></div>'
)
YEARS = (2022, 2023, 2023, 2024)
INDEX = "".join(ENTRY.format(n=n, year=year, count=2 * n) for n, year in enumerate(YEARS))


def test_one_page() -> None:
    done = run("threads", DEMO)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "year  posts  comments  author  link  question  short  remark\n"
        "2024      1         3       0     0         1      0       2\n"
    )


def test_a_weblog_of_several_pages(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(INDEX)
    (tmp_path / "about.html").write_text("<h1>About</h1><p>Nothing is dated here.")
    (tmp_path / "post.html").write_bytes(DEMO.read_bytes())
    done = run("threads", tmp_path)
    assert [line.split()[:3] for line in done.stdout.splitlines()] == [
        ["year", "posts", "comments"],
        ["2022", "1", "0"],
        ["2023", "2", "6"],
        ["2024", "2", "9"],
    ]
    found = json.loads(run("threads", tmp_path, "--format", "json").stdout)
    assert list(found) == ["years", "posts"]
    assert [post["comments"] for post in found["posts"]] == [6, 4, 3, 2, 0]  # most first
    assert found["posts"][0]["title"] == "How loud may kettle 3 be"
    assert found["posts"][2]["classes"] == {"question": 1, "remark": 2}


def test_the_url_makes_addresses_absolute() -> None:
    done = run(
        "threads", "-", "--url", "https://a.example/", "--format", "json", given=INDEX.encode()
    )
    assert json.loads(done.stdout)["posts"][0]["url"] == "https://a.example/3"


def test_nothing_found_and_nothing_read(tmp_path: Path) -> None:
    done = run("threads", "-", given=b"<p>tea")
    assert (done.stdout, done.stderr, done.exit_code) == ("", "Warning: no posts found.\n", 0)
    assert json.loads(run("threads", "-", "--format", "json", given=b"").stdout) == {
        "years": {},
        "posts": [],
    }
    missing = tmp_path / "none.html"
    for sources in ([missing], [missing, DEMO]):
        done = run("threads", *sources)
        assert done.exit_code == 2
        assert done.stderr.startswith(f"Error: cannot read {missing}")
        assert len(done.stderr.splitlines()) == 1
        assert ("2024" in done.stdout) == (DEMO in sources)


def test_a_page_that_was_cut_is_reported() -> None:
    done = run("threads", DEMO, "--max-bytes", "9000")
    assert done.exit_code == 0
    assert done.stderr.startswith(f"Warning: {DEMO}: ")


def test_each_post_as_a_line_of_json(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(INDEX)
    missing = tmp_path / "none.html"
    done = run("threads", tmp_path, DEMO, missing, "--format", "jsonl")
    assert done.exit_code == 2
    assert str(missing) in done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(Path(post["input"]).name, post["kind"], post["number"]) for post in found] == [
        *(("index.html", "index", number) for number in range(4)),
        *(("demo.html", "comments", number) for number in range(3)),
    ]
    assert found[-1]["title"] == "Measuring rain with a yoghurt pot"
    assert found[-1]["author"] == "number nine"
    assert found[-1]["text"] == "A little. I weigh it wet now."
    assert found[-1]["line"] == 190
    done = run("threads", "-", "--format", "jsonl", given=b"<p>tea")
    assert (done.stdout, done.stderr, done.exit_code) == ("", "Warning: no posts found.\n", 0)


@pytest.mark.parametrize("form", ["table", "json", "jsonl"])
def test_the_output_goes_to_a_file(tmp_path: Path, form: str) -> None:
    output = tmp_path / "new" / "posts"
    done = run("threads", DEMO, "--format", form, "--output", output)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert output.read_text() == run("threads", DEMO, "--format", form).stdout
    for target, sentence in ((DEMO, "is an input"), (tmp_path, "is a folder")):
        done = run("threads", DEMO, "--format", form, "--output", target)
        assert (done.exit_code, done.stdout) == (2, "")
        assert sentence in done.stderr


def test_quiet() -> None:
    done = run("threads", "-", "--quiet", given=b"<p>tea")
    assert (done.stdout, done.stderr, done.exit_code) == ("", "", 0)
