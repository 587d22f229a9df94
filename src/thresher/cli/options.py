"""Options that several commands share, and the checks on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

import click

from thresher.batch.messages import Messages
from thresher.batch.sources import Input, Reading, find, is_folder, load
from thresher.document import Document, Favor, choice, extract
from thresher.errors import UsageError
from thresher.methods import combine
from thresher.page import Method, Page
from thresher.page.decode import is_charset
from thresher.page.parse import page_address

Command = TypeVar("Command", bound=Callable[..., Any])
_DEFAULTS = Reading()


def examples(*lines: str) -> str:
    """The end of a command's help: examples that work in a clone of the repository."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def _one_method(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> str | None:
    """Take the one that is given; of several, click would take the last without a word."""
    if len(given) > 1:
        raise UsageError(
            "--method is given twice: give one, or combine them, as in --method 'union(bte, cetd)'."
        )
    return given[0] if given else None


def choice_options(command: Command) -> Command:
    """Add `--method` and `--favor`."""
    for option in (
        click.option(
            "--favor",
            type=click.Choice(get_args(Favor)),
            help="What the default method leans to; balance unless given.",
        ),
        click.option(
            "--method",
            metavar="EXPR",
            multiple=True,
            callback=_one_method,
            help="How the main content is found: bte, 'cetd(threshold=\"body\")', "
            "'union(bte, cetd)', or @FILE.toml. See: thresher methods.",
        ),
    ):
        command = option(command)
    return command


def reading_options(command: Command) -> Command:
    """Add what concerns the reading of inputs."""
    for option in (
        click.option(
            "--max-bytes",
            type=click.IntRange(min=1),
            default=_DEFAULTS.max_bytes,
            show_default=True,
            help="How much of a page is read; past it the page is cut, with a warning.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
            default=_DEFAULTS.timeout,
            show_default=True,
            metavar="SECONDS",
            help="How long a server may keep silent; it may take three times that in all.",
        ),
        click.option("--user-agent", metavar="TEXT", help="How to introduce ourselves to servers."),
        click.option(
            "--charset",
            metavar="NAME",
            help="The inputs' charset, such as shift_jis; detected unless given.",
        ),
        click.option(
            "--url",
            metavar="URL",
            help="The address of the page, when a single file or standard input is given: "
            "links become absolute.",
        ),
    ):
        command = option(command)
    return command


def method_of(given: str) -> Method:
    """Return the method of an expression, or with `@` before it of a method file."""
    if given.strip() == "@":
        raise UsageError("--method @ lacks the name of a method file: write @FILE.toml.")
    return combine.load(given[1:]) if given.startswith("@") else combine.read(given)


@dataclass(frozen=True, slots=True)
class Choice:
    """The method that was asked for, or the default that leans to `favor`."""

    method: Method

    @classmethod
    def of(cls, method: str | None, favor: Favor | None) -> Choice:
        """Read the options; a wrong one is an error before any input is touched."""
        return cls(choice(None if method is None else method_of(method), favor))

    def extract(self, page: Page) -> Document:
        """Extract the main content of a page."""
        return extract(page, method=self.method)


def check_reading(reading: Reading, inputs: list[Input], several: bool) -> None:
    """Refuse what cannot be meant, before any input is read."""
    if reading.charset is not None and not is_charset(reading.charset):
        raise UsageError(
            f"unknown charset {reading.charset!r}: leave it out to have it detected, or give a "
            "name such as utf-8 or windows-1251."
        )
    page_address(reading.url)
    if reading.url is not None and (several or any(source.kind == "url" for source in inputs)):
        raise UsageError("--url is for a single file or standard input.")
    if sum(source.kind == "stdin" for source in inputs) > 1:
        raise UsageError("standard input can be read once: give - once.")


def load_one(source: str, reading: Reading) -> Page:
    """Read the one page of a command that takes one."""
    if is_folder(source):
        raise UsageError(f"{source} is a folder: give one page.")
    found = find((source,), Messages(quiet=False))
    check_reading(reading, found, several=False)
    return load(found[0], reading)
