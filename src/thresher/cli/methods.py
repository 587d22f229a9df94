"""`thresher methods`: which methods there are, what they do and what can be set."""

from __future__ import annotations

import inspect
import shutil
import sys
import textwrap

import click

from thresher import methods as registry
from thresher.cli.options import examples

__all__ = ["command"]

_EPILOG = examples("thresher methods", "thresher methods bte")
_NARROWEST = 40  # columns; below that lines would be mostly indentation


@click.command("methods", epilog=_EPILOG)
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the methods, or with NAME tell how one works.

    Options are shown with their defaults. Set them in the expression that --method takes, such as
    'bte(tag_cost=2)'.
    """
    click.echo(_table() if name is None else _details(name.lower()))


def _table() -> str:
    """Name, purpose and options of each method, two lines or more each."""
    names = registry.names()
    indent = " " * (max(map(len, names)) + 2)
    width = max(shutil.get_terminal_size(fallback=(100, 24)).columns, _NARROWEST)
    lines: list[str] = []
    for name in names:
        purpose = (type(registry.get(name)).__doc__ or "").partition("\n")[0]
        lines += textwrap.wrap(
            purpose, width, initial_indent=name.ljust(len(indent)), subsequent_indent=indent
        )
        lines += textwrap.wrap(
            _options(name), width, initial_indent=indent, subsequent_indent=indent
        )
    return "\n".join(lines)


def _options(name: str) -> str:
    return ", ".join(f"{option}={value!r}" for option, value in registry.options(name).items())


def _details(name: str) -> str:
    """The paper, the formula and the departures, as the method's module states them."""
    options = _options(name)  # first: it knows what to say about a name that does not exist
    module = sys.modules[type(registry.get(name)).__module__]
    text = inspect.getdoc(module) or ""
    return f"{text}\n\nOptions: {options}" if options else f"{text}\n\nOptions: none"
