"""Options and arguments that several commands share, and the checks on them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from thresher.batch.atomic_file import AtomicFile, to_utf8, write_file, write_stdout
from thresher.batch.messages import Messages
from thresher.batch.sinks import refuse_overwrite
from thresher.batch.sources import (
    BrowserReader,
    Input,
    ReadOptions,
    find_inputs,
    is_folder,
    read_page,
)
from thresher.document import Favor, choose_method
from thresher.errors import InputError, UsageError
from thresher.methods import combine
from thresher.page import Method, Page
from thresher.page.decode import is_charset
from thresher.page.parse import check_url
from thresher.site.related import host_of
from thresher.site.store import host_key

Command = TypeVar("Command", bound=Callable[..., Any])
_DEFAULTS = ReadOptions()

corpora_argument = click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True)
limit_option = click.option(
    "--limit", type=click.IntRange(min=1), help="Use only the first pages of each corpus."
)
corrections_option = click.option(
    "--corrections/--no-corrections",
    default=None,
    help="Use our labels of pages whose gold text is missing or wrong, or the corpus as it is.",
)


def examples(*lines: str) -> str:
    """Return the end of a command's help: examples that work in a clone of the repository."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def methods_option(text: str) -> Callable[[Command], Command]:
    """Return the option `--method`, which can be repeated; `text` is its help."""
    return click.option("-m", "--method", "expressions", metavar="EXPR", multiple=True, help=text)


def _one_method(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> str | None:
    """Return the value of `--method`; click itself would ignore all but the last."""
    if len(given) > 1:
        raise UsageError(
            "--method is given twice: give one, or combine them, as in --method 'union(bte, cetd)'."
        )
    return given[0] if given else None


def method_options(command: Command) -> Command:
    """Add `--method` and `--favor`, which `selected_method` reads."""
    for option in (
        click.option(
            "--favor",
            type=click.Choice(get_args(Favor)),
            help="What the default method prefers: precision (rather too little text), balance, "
            "or recall (rather too much). balance unless given.",
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


def read_options(command: Command) -> Command:
    """Add the options that become `ReadOptions`."""
    for option in (
        click.option(
            "--max-bytes",
            type=click.IntRange(min=1),
            default=_DEFAULTS.max_bytes,
            show_default=True,
            help="How many bytes of a page are read; a longer page is cut, with a warning.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
            default=_DEFAULTS.timeout,
            show_default=True,
            metavar="SECONDS",
            help="How long to wait for a server; the whole page may take three times as long.",
        ),
        click.option("--user-agent", metavar="TEXT", help="The User-Agent sent to servers."),
        click.option(
            "--private",
            is_flag=True,
            help="Also read addresses of this computer and of private networks.",
        ),
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


glob_option = click.option(
    "--glob",
    "globs",
    metavar="PATTERN",
    multiple=True,
    help="Which files of a folder are read, such as '*.page' or 'news/*.txt'; can be repeated. "
    "Files that are pages by their names unless given.",
)


def browser_options(command: Command) -> Command:
    """Add `--scripts`, `--network` and `--width`, which `open_browser` reads."""
    for option in (
        click.option(
            "--width",
            type=click.IntRange(min=1, max=16_384),
            help="How wide the browser's window is, in pixels. 1280 unless given.",
        ),
        click.option(
            "--network/--no-network",
            default=None,
            help="Whether pages in the browser may load what they refer to from the network. "
            "Addresses may and files may not unless given.",
        ),
        click.option(
            "--scripts/--no-scripts",
            default=None,
            help="Whether scripts of pages in the browser run. They do unless given.",
        ),
    ):
        command = option(command)
    return command


@contextmanager
def open_browser(
    messages: Messages,
    *,
    scripts: bool | None,
    network: bool | None,
    width: int | None,
    picture: bool = False,
) -> Iterator[BrowserReader]:
    """Start a browser for all inputs of a command and close it at the end.

    What the browser warns of is printed as a sentence. Raises `InputError` if there is none.
    """
    import warnings

    from thresher.visual import Browser, RenderOptions
    from thresher.visual.browser import find_chromium

    find_chromium()
    rendering = RenderOptions(picture=picture)
    if scripts is not None:
        rendering = replace(rendering, scripts=scripts)
    if width is not None:
        rendering = replace(rendering, width=width)

    def show(message: Warning | str, *_: object, **__: object) -> None:
        messages.warn(str(message))

    with warnings.catch_warnings(), Browser() as browser:
        warnings.showwarning = show
        yield BrowserReader(browser, rendering, network)


def read_method(expression: str) -> Method:
    """Return the method that an expression describes; `@FILE.toml` reads it from a file."""
    if expression.strip() == "@":
        raise UsageError("--method @ lacks the name of a method file: write @FILE.toml.")
    if expression.startswith("@"):
        return combine.load(expression[1:])
    return combine.read(expression)


def selected_method(expression: str | None, favor: Favor | None) -> Method:
    """Return the method of `--method` and `--favor`."""
    return choose_method(None if expression is None else read_method(expression), favor)


def read_host(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    """Return the host of an argument, which may be an address too."""
    if given is None:
        return None
    return host_key(host_of(given) if "://" in given else given)


_ADDRESS = re.compile(r"https?://[^/]|file:///", re.I)


def check_read_options(options: ReadOptions, inputs: list[Input], several: bool) -> None:
    """Raise if the options are wrong for these inputs, before any input is read."""
    if options.charset is not None and not is_charset(options.charset):
        raise UsageError(
            f"unknown charset {options.charset!r}: leave it out to have it detected, or give a "
            "name such as utf-8 or windows-1251."
        )
    address = check_url(options.url)
    if address is not None and not _ADDRESS.match(address):
        raise UsageError(
            f"--url is {address[:80]!r}: give the whole address of the page, such as "
            "https://example.org/page."
        )
    if options.url is not None and (several or any(source.kind == "url" for source in inputs)):
        raise UsageError("--url is for a single file or standard input.")
    if sum(source.kind == "stdin" for source in inputs) > 1:
        raise UsageError("standard input can be read once: give - once.")


def read_one_page(argument: str, options: ReadOptions) -> Page:
    """Read the page of a command that takes one input."""
    if is_folder(argument):
        raise UsageError(f"{argument} is a folder: give one page.")
    inputs = find_inputs((argument,), Messages())
    check_read_options(options, inputs, several=False)
    return read_page(inputs[0], options)


def check_output(path: Path, inputs: Iterable[str | Path]) -> None:
    """Raise if an output file is one of the inputs, or a folder."""
    refuse_overwrite(path, {os.path.realpath(source) for source in inputs})
    if path.is_dir():
        raise UsageError(f"{path} is a folder: give the name of a file.")


def output_path(output: str | None, source: str) -> Path | None:
    """Return the file to write, checked before the work; None for standard output."""
    if output is None or output == "-":
        return None
    check_output(Path(output), [source])
    return Path(output)


def write_output(path: Path | None, text: str) -> None:
    """Write a text to a file, or to standard output for None."""
    if path is None:
        write_stdout(to_utf8(text))
    else:
        write_file(path, to_utf8(text))


@contextmanager
def open_output(
    output: str | None, inputs: list[Input], messages: Messages
) -> Iterator[Callable[[str], None]]:
    """Yield a function that writes records to the file of `--output`, or to standard output.

    The file is checked before the work and replaced at its end; after an exception it is left as it
    was, and the records so far are kept beside it.
    """
    path = None if output is None or output == "-" else Path(output)
    if path is not None:
        check_output(path, [source.name for source in inputs if source.kind == "file"])
    with nullcontext() if path is None else AtomicFile(path) as file:

        def write(records: str) -> None:
            if file is None:
                write_stdout(to_utf8(records))
            else:
                file.write(to_utf8(records))
                file.partial_messages = messages

        yield write


def read_pages(
    inputs: Iterable[Input], options: ReadOptions, messages: Messages
) -> Iterator[tuple[Input, Page]]:
    """Yield the inputs with their pages; report those that cannot be read."""
    for source in inputs:
        try:
            page = read_page(source, options)
        except InputError as error:
            messages.error(str(error))
            continue
        yield source, page


def warn_of_status(source: Input, status: str, messages: Messages) -> None:
    """Warn unless the status of a page or document is "complete"."""
    if status != "complete":
        name = "standard input" if source.kind == "stdin" else source.name
        messages.warn(f"{name}: {status}.")
