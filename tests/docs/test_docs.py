"""The examples of README.md, CONTRIBUTING.md and docs/ are run and their output is compared.

- A `python` block with `>>>` is a doctest; the blocks of one file share their variables. A block
  without `>>>` is only compiled.
- In a `console` block, a line `$ thresher ...` (or `$ ... | thresher ...`) is run and its output is
  compared with the lines below it. A line `...` stands for any lines, `...` within a line for any
  characters. A command with a URL is not run: only the name of its subcommand is checked. `$ python
  examples/...` is run, too. `$ make ...` is not run, but must name a target. Other commands (`$ git
  clone ...`) are ignored.

Examples run in a temporary folder with links to the files of the repository, so the files that they
write are not left in the checkout.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from thresher.cli import main

ROOT = Path(__file__).parents[2]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^(?P<indent> *)(?P<marks>`{3,}|~{3,})\s*(?P<language>[\w+-]*).*$")

CALL = re.compile(r"(?:^|\| *)(?:python -m )?thresher +(?P<name>[\w-]+)")


class MalformedError(Exception):
    """A block that cannot be checked because it is not well-formed."""


class Block(NamedTuple):
    language: str
    line: int  # of the first line inside, counted from 0
    body: str


class Command(NamedTuple):
    line: int
    text: str  # without the "$ "
    output: str  # expected, as the page shows it


def documents(root: Path) -> list[Path]:
    named = [root / "README.md", root / "CONTRIBUTING.md"]
    return [path for path in named if path.exists()] + sorted((root / "docs").rglob("*.md"))


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a Markdown text."""
    opening: re.Match[str] | None = None
    first = 0
    inside: list[str] = []
    for number, line in enumerate(text.splitlines()):
        fence = FENCE.match(line)
        if opening is None:
            opening, first, inside = fence, number + 1, []
        elif fence and fence["marks"].startswith(opening["marks"]) and not fence["language"]:
            yield Block(opening["language"], first, textwrap.dedent("\n".join(inside)) + "\n")
            opening = None
        else:
            inside.append(line)
    if opening is not None:
        raise MalformedError(f"line {first}: the block is never closed")


def doctests(text: str, name: str) -> doctest.DocTest:
    """Return all examples of a text as one test, so that they share their variables."""
    parser = doctest.DocTestParser()
    examples: list[doctest.Example] = []
    for block in blocks(text):
        if block.language != "python":
            continue
        if ">>>" not in block.body:
            compile(block.body, f"{name}, block at line {block.line}", "exec")
            continue
        for example in parser.get_examples(block.body, name):
            example.lineno += block.line
            examples.append(example)
    return doctest.DocTest(examples, {"__name__": "__main__"}, name, name, 0, text)


def failures(test: doctest.DocTest) -> list[str]:
    report: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(test, out=report.append)
    return report


def commands(text: str) -> Iterator[Command]:
    """Yield the commands of the console blocks with the output shown below each."""
    for block in blocks(text):
        if block.language != "console":
            continue
        if not block.body.startswith("$ "):
            raise MalformedError(
                f"line {block.line + 1}: a console block starts with '$ ' and a command"
            )
        line = block.line
        for part in re.split(r"^\$ ", block.body, flags=re.M)[1:]:
            lines = part.splitlines(keepends=True)
            end = next(at for at, one in enumerate(lines, 1) if not one.endswith("\\\n"))
            shown = "".join(lines[:end]).replace("\n> ", "\n").rstrip("\n")
            yield Command(line + 1, shown, "".join(lines[end:]).rstrip() + "\n")
            line += len(lines)


def matches(expected: str, printed: str) -> bool:
    """Return True if the lines are equal, with `...` as above; trailing spaces are ignored."""
    pattern = ""
    for line in expected.rstrip().split("\n"):
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(map(re.escape, line.rstrip().split("..."))) + r"\n"
    lines = (line.rstrip() for line in printed.rstrip().split("\n"))
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)) is not None


def run(command: Command, folder: Path, programs: Path) -> str | None:
    """Run a command and return a description of the failure, or None."""
    environment = os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONWARNINGS": "ignore:Chromium runs without its sandbox",  # the tests may run as root
    }
    done = subprocess.run(
        ["bash", "-c", command.text],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        env=environment,
        cwd=folder,
        timeout=60,
    )
    # 2 is the exit code of a usage error; a page may show one.
    if done.returncode in (0, 2) and matches(command.output, done.stdout):
        return None
    return (
        f"line {command.line}: $ {command.text}\nexit code {done.returncode}\n"
        f"expected:\n{command.output}\nprinted:\n{done.stdout}"
    )


def problem_with(command: Command, folder: Path, programs: Path, known: set[str]) -> str | None:
    """Check one command, depending on its first word; return what is wrong, or None."""
    words = shlex.split(command.text, comments=True)
    if words[0] == "make":
        makefile = (folder / "Makefile").read_text(encoding="utf-8")
        targets = [word for word in words[1:] if "=" not in word and not word.startswith("-")]
        missing = [name for name in targets if not re.search(rf"^{name}:", makefile, re.M)]
        return f"line {command.line}: no make target {missing}" if missing else None
    if command.text.startswith("python examples/"):
        return run(command, folder, programs)
    called = CALL.search(command.text)
    if called is None:
        return None
    if "://" in command.text:
        unknown = called["name"] not in known
        return f"line {command.line}: no command {called['name']!r}" if unknown else None
    return run(command, folder, programs)


def test_there_is_something_to_check() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in documents(ROOT)}
    assert {"README.md", "CONTRIBUTING.md"} <= found
    assert any(name.startswith("docs/") for name in found)
    texts = [path.read_text(encoding="utf-8") for path in documents(ROOT)]
    assert sum(len(doctests(text, "").examples) for text in texts) > 0
    assert any(command.text.startswith("thresher ") for text in texts for command in commands(text))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder with links to the files of the repository, as current folder."""
    for entry in ROOT.iterdir():
        if not entry.name.startswith("."):
            (tmp_path / entry.name).symlink_to(entry)
    monkeypatch.chdir(tmp_path)
    return tmp_path


MANY_COMMANDS = {
    "combining.md",
    "command-line.md",
    "index.md",
    "pictures.md",
    "reading-aloud.md",
    "visual.md",
}  # each command is a program that starts


def page_parameter(path: Path):
    marks = [pytest.mark.slow] if path.name in MANY_COMMANDS else []
    return pytest.param(path, id=path.relative_to(ROOT).as_posix(), marks=marks)


@pytest.mark.parametrize("path", [page_parameter(path) for path in documents(ROOT)])
def test_examples_of_a_page(path: Path, repository: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert failures(doctests(text, path.name)) == []
    programs = Path(sys.executable).parent
    known = set(main.commands)
    found = [problem_with(command, repository, programs, known) for command in commands(text)]
    assert [problem for problem in found if problem] == []


def test_every_command_is_documented() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in documents(ROOT))
    assert main.commands
    assert [name for name in main.commands if f"thresher {name}" not in text] == []


# The checks themselves, on small pages.

SAMPLE = """
```python
>>> x = 6
>>> [x,
...  7]
[6, 7]
```
Words, then in a list:

- item
  ```python
  >>> x * 7
  42
  ```

```python
def shown_only(): ...
```
~~~text
```python
>>> not code
~~~
"""


def test_examples_share_names_and_pass() -> None:
    test = doctests(SAMPLE, "sample")
    assert [example.source for example in test.examples] == ["x = 6\n", "[x,\n 7]\n", "x * 7\n"]
    assert SAMPLE.splitlines()[test.examples[2].lineno].strip() == ">>> x * 7"
    assert failures(test) == []


def test_a_wrong_example_fails() -> None:
    (report,) = failures(doctests(SAMPLE.replace("42", "43"), "sample"))
    assert "Expected:\n    43\nGot:\n    42" in report


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("```python\n>>> 1\n1\n", MalformedError),
        ("```python\n>>>1\n1\n```\n", ValueError),
        ("```python\ndef broken(:\n```\n", SyntaxError),
        ("```console\nthresher methods\n```\n", MalformedError),
    ],
)
def test_malformed_blocks_are_errors(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        (doctests(text, "sample"), list(commands(text)))


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\n", "a  \nb\n\n", True),
        ("a\nb\n", "a\n", False),
        ("a\n", "a\nb\n", False),
        ("a\n...\nb\n", "a\nb\n", True),
        ("a\n...\nb\n", "a\n1\n2\nb\n", True),
        ("a\n...\n", "a\n1\n", True),
        ("a\n...\n", "b\n1\n", False),
        ("took ... s\n", "took 0.1 s\n", True),
        ("took ... s\n", "took\n0.1 s\n", False),
        ("\n", "", True),
        ("\n", "a\n", False),
    ],
)
def test_ellipses(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same


CONSOLE = """
```console
$ git clone somewhere
$ thresher say \\
> one  # a comment
say one
$ thresher two | tr a-z A-Z
TWO
$ printf x | thresher three
three
$ make here JOBS=2
$ thresher say https://example.org/
```
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A folder with a `thresher` that prints its arguments and fails on request, and a Makefile."""
    (tmp_path / "Makefile").write_text("here: there\n")
    program = tmp_path / "thresher"
    program.write_text('#!/bin/sh\necho "$@"\n[ "$1" != fail ] || exit "$2"\n')
    program.chmod(0o755)
    return tmp_path


def problems(text: str, toy: Path) -> list[str]:
    found = (problem_with(command, toy, toy, {"say"}) for command in commands(text))
    return [problem for problem in found if problem]


def test_console_blocks_are_run(toy: Path) -> None:
    assert [command.line for command in commands(CONSOLE)] == [3, 4, 7, 9, 11, 12]
    assert problems(CONSOLE, toy) == []


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("say one\n$", "say two\n$", "expected:\nsay two\n\nprinted:\nsay one"),
        ("make here", "make nowhere", "no make target ['nowhere']"),
        ("thresher say https", "thresher sing https", "no command 'sing'"),
        ("thresher two | tr a-z A-Z\nTWO", "thresher fail 1\nfail 1", "exit code 1"),
        ("$ make here", "$ thresher silent\n$ make here", "printed:\nsilent"),
    ],
)
def test_wrong_console_blocks_fail(toy: Path, right: str, wrong: str, message: str) -> None:
    assert right in CONSOLE
    (problem,) = problems(CONSOLE.replace(right, wrong), toy)
    assert message in problem


def test_a_page_may_show_an_error(toy: Path) -> None:
    assert problems("```console\n$ thresher fail 2\nfail 2\n```\n", toy) == []
