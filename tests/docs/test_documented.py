"""Every command, every option and every public name is documented.

A function, class, method or property is documented by its docstring, which the reference shows. A
field or constant that a public module exports is documented by a docstring, a comment beside or
above it, the docstring of its class, or a page of the docs. A command is documented by its help and
a section of docs/command-line.md, an option by its help.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import griffe
import pytest

import thresher
from thresher.cli import main
from website import reference
from website.docstrings import Docstrings, comments, markdown

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@cache
def names_in_docs() -> frozenset[str]:
    """The names that the pages have in inline code, such as `date` or `document.date`."""
    texts = (path.read_text(encoding="utf-8") for path in PAGES)
    code = (re.sub(r"^```.*?^```", "", text, flags=re.S | re.M) for text in texts)
    return frozenset(
        re.findall(r"\b[A-Za-z]\w*", " ".join(re.findall(r"`([^`]+)`", "\n".join(code))))
    )


def load(folder: Path, package: str) -> griffe.Object:
    """A package as griffe reads it for the site, from its source."""
    extensions = griffe.load_extensions(Docstrings())
    loaded = griffe.load(package, search_paths=[str(folder)], extensions=extensions)
    assert isinstance(loaded, griffe.Object)
    return loaded


def exported(module: griffe.Object) -> set[str]:
    """The full names of what a public module exports, with those of what it names in __all__."""
    if module.exports is None and module.filepath.name == "__init__.py":
        return set()
    chosen = module.exports or module.members
    found = (module.members[str(name)] for name in chosen if str(name) in module.members)
    # A function may have the name of its module: the module is not what is meant.
    return {
        member.target_path if member.is_alias else member.path
        for member in found
        if member.is_alias or not member.is_module
    }


def undocumented(
    module: griffe.Object, known: frozenset[str], strict: set[str], text: str = ""
) -> Iterator[str]:
    """The names of a module or class, and of all inside, that nothing documents.

    `strict` has the full names whose fields must be documented too, `known` the names that the
    pages of the docs explain, and `text` is the docstring of the class.
    """
    for name, member in module.members.items():
        if member.is_alias or name.startswith("_"):
            continue
        own = member.docstring.value if member.docstring else ""
        if member.is_attribute:
            wanted = module.path in strict or member.path in strict
            said = own or name in known or re.search(rf"\b{name}\b", text)
            if wanted and not said:
                yield member.path
        elif not own.strip():
            yield member.path
        if member.is_class or member.is_module:
            inner = strict | {member.path} if module.path in strict and member.is_class else strict
            yield from undocumented(member, known, inner, own if member.is_class else "")


@pytest.fixture(scope="module")
def package() -> griffe.Object:
    return load(ROOT / "src", "thresher")


@pytest.mark.slow
@pytest.mark.parametrize("name", reference.MODULES)
def test_every_public_name_is_documented(package: griffe.Object, name: str) -> None:
    module = package if name == "thresher" else package[name.removeprefix("thresher.")]
    assert module.docstring
    if name != "thresher":
        assert list(undocumented(module, names_in_docs(), exported(module))) == []


@pytest.mark.slow
def test_everything_that_thresher_exports_is_in_the_reference() -> None:
    page = reference.module_page("thresher")
    rows = dict(re.findall(r"^\| \[?`(\w+)`.* \| (.*) \|$", page, re.M))
    assert rows.keys() == set(thresher.__all__)
    assert [name for name, what in rows.items() if not what] == []
    homes = re.findall(r"\]\[([\w.]+)\]", page)
    shown = "\n".join(reference.module_page(name) for name in reference.MODULES)
    shown_modules = set(re.findall(r"^::: ([\w.]+)", shown, re.M))
    assert [home for home in homes if not {home, home.rpartition(".")[0]} & shown_modules] == []


def test_every_package_is_public_or_the_command_line() -> None:
    parts = {path.stem for path in (ROOT / "src/thresher").glob("*.py") if path.stem[:2] != "__"}
    parts |= {path.parent.name for path in (ROOT / "src/thresher").glob("*/__init__.py")}
    public = {name.removeprefix("thresher.") for name in reference.MODULES} - {"thresher"}
    assert parts - public == {"cli"}


MADE = '''
"""A made module."""

__all__ = ["Tin", "pour", "CUPS", "POTS"]

CUPS = 3  # in a set

# How many there are.
POTS = 2


class Tin:
    """A tin with a lid."""

    lid: str
    tea: str  # what is in it
    size: int
    known: int

    def open(self):
        """Open it."""

    @property
    def weight(self):
        return 2

    def _shut(self): ...


def pour(): ...


def inside():
    """Say what is inside."""


class Pot:
    """A pot, which the module does not export."""

    spout: int
'''


def test_a_made_module_shows_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "kettle.py").write_text(MADE)
    module = load(tmp_path, "kettle")
    found = list(undocumented(module, frozenset({"known"}), exported(module)))
    assert found == ["kettle.Tin.size", "kettle.Tin.weight", "kettle.pour"]


def test_comments_by_hand() -> None:
    source = "a = 1  # one\n# two\n# lines\nb = 2\n# --- part ---\nc = 3  # noqa: E501\n"
    assert comments(source) == ({1: "one"}, {3: "two lines"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Return a list of <p>, `<p>` and s[t] * 2.",
         r"Return a list of &lt;p>, `<p>` and s\[t\] \* 2."),
        ("**Words.** The *first* of 2**n, *a* and **b c**; *x * y*, a*b*c.",
         r"**Words.** The *first* of 2\*\*n, *a* and **b c**; \*x \* y\*, a\*b\*c."),
        ("See\n\nfiles --> pages\n\nEnd", "See\n\n\n```txt\nfiles --> pages\n```\n\nEnd"),
        ("Keep\n    sum(x)\n    * 2\nand more.", "Keep\n\n```txt\nsum(x)\n* 2\n```\n\nand more."),
        ("See:\n\n>>> f(1)\n2\n\nDone.", "See:\n\n\n```python\n>>> f(1)\n2\n```\n\n\nDone."),
        ("- one\n  more\n- two\n\n    deep", "- one\n  more\n- two\n\n    deep"),
        ("0    done\n2    not done\n\nEnd", "```txt\n0    done\n2    not done\n```\n\nEnd"),
    ],
)  # fmt: skip
def test_docstrings_as_markdown(text: str, expected: str) -> None:
    assert markdown(text) == expected


# --- commands ------------------------------------------------------------------------------------


def undocumented_parts(program: click.Command, text: str) -> list[str]:
    """The commands without help or without their section in a page, and options without help."""
    missing = []
    for context, command in reference.all_commands(program):
        path = context.command_path
        if not (command.help or "").strip() or (command is not program and path not in text):
            missing.append(path)
        missing += [
            f"{path} {option.opts[-1]}"
            for option in command.params
            if isinstance(option, click.Option) and not (option.help or "").strip()
        ]
    return missing


def test_every_command_and_option_is_documented() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert undocumented_parts(main, text) == []
    sections = re.findall(r"^## thresher (.+)$", text, re.M)
    assert sorted(sections) == sorted(main.commands)


def test_every_option_has_a_heading_in_the_reference() -> None:
    missing = []
    for name, command in main.commands.items():
        page = reference.command_page(name, command)
        for context, inner in reference.all_commands(command):
            section = page.split(f"# thresher {context.command_path}\n")[1].split("\n## thresher ")[
                0
            ]
            rows = dict(re.findall(r"^### (`-.*?) \{ #[\w-]+ \}\n\n(.+)$", section, re.M))
            for option in inner.params:
                if isinstance(option, click.Option) and not option.hidden:
                    written = [*option.opts, *option.secondary_opts]
                    row = next((row for row in rows if f"`{written[-1]}`" in row), "")
                    if not rows.get(row) or any(f"`{each}`" not in row for each in written):
                        missing.append(f"{context.command_path} {written}")
    assert missing == []


def test_options_by_hand() -> None:
    @click.command("brew", epilog="\b\nExamples:\n  thresher brew tea.html")
    @click.argument("leaves", metavar="TEA...")
    @click.option(
        "-t", "--time", type=click.IntRange(1), default=3, show_default=True, help="How long."
    )
    @click.option("--pot", type=click.Choice(["iron", "clay"]), help="Which pot.")
    @click.option("--milk/--no-milk", help="With a_b | *milk*.")
    @click.option("--secret", hidden=True)
    def brew() -> None:
        """Brew some tea.

        \b
        one  line
        """

    page = reference.command_page("brew", brew)
    assert page.splitlines()[:35] == [
        "---",
        "search: {boost: 2}",
        "---",
        "",
        "# thresher brew",
        "",
        "```text",
        "thresher brew [OPTIONS] TEA...",
        "```",
        "",
        "Brew some tea.",
        "",
        "```text",
        "one  line",
        "```",
        "",
        "",
        "```sh",
        "thresher brew tea.html",
        "```",
        "",
        "## Options",
        "",
        "### `-t`, `--time` `INTEGER RANGE` { #brew-time }",
        "",
        "How long. (default: 3; x\\>=1)",
        "",
        "### `--pot` { #brew-pot }",
        "",
        "Which pot. One of `iron`, `clay`.",
        "",
        "### `--milk` or `--no-milk` { #brew-milk }",
        "",
        "With a\\_b \\| \\*milk\\*.",
        "",
    ]
    assert "secret" not in page
    assert "```sh\nthresher brew tea.html\n```" in page


def test_a_made_program_shows_what_is_missing() -> None:
    @click.group("kettle", help="All about tea.")
    def kettle() -> None: ...

    @kettle.command("boil", help="Boil water.")
    @click.option("--fast", help="Use all rings.")
    @click.option("-q", "--quiet", is_flag=True)
    def boil() -> None: ...

    @kettle.command("pour")
    def pour() -> None: ...

    kettle.add_command(click.Command("clean", help="Clean it."))
    text = "## kettle boil\n\n## kettle pour\n"
    assert undocumented_parts(kettle, text) == [
        "kettle boil --quiet",
        "kettle clean",
        "kettle pour",
    ]
