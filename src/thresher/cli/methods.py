"""`thresher methods`: which methods there are, what they do and what can be set."""

from __future__ import annotations

import inspect
import shutil
import sys
import textwrap

import click

from thresher import methods as registry
from thresher.cli.options import examples
from thresher.methods import combine

_EPILOG = examples("thresher methods", "thresher methods bte")
_NARROWEST = 40  # columns; below that lines would be mostly indentation
_NARROW = 72  # columns; below that names stand on lines of their own


@click.command("methods", epilog=_EPILOG)
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the methods and combinations, or with NAME tell how one works.

    Options are shown with their defaults. Set them in the expression that --method takes, such as
    'bte(tag_cost=2)' or 'series(lqf(quota=0.5), vote(bte, cetd, wlr, at_least=2))'.
    """
    click.echo(_table() if name is None else _details(name.lower()))


def _table() -> str:
    """Name, purpose and options of each method, two lines or more each; then combinations."""
    rows = {name: (type(registry.get(name)).__doc__, _options(name)) for name in registry.names()}
    combined = {name: (make.__doc__, "") for name, make in combine.COMBINATIONS.items()}
    indent = " " * (max(map(len, rows | combined)) + 2)
    lines = [line for name in rows for line in _entry(name, indent, *rows[name])]
    lines += ["", *textwrap.wrap(_COMBINED, _width())]
    lines += [line for name in combined for line in _entry(name, indent, *combined[name])]
    return "\n".join(lines)


_COMBINED = "Combine them, as in series(lqf(quota=0.5), vote(bte, cetd, wlr, at_least=2)):"


def _width() -> int:
    return max(shutil.get_terminal_size(fallback=(100, 24)).columns, _NARROWEST)


def _entry(name: str, indent: str, purpose: str | None, options: str) -> list[str]:
    """A name with what stands beside it, or below it where there is little room."""
    width = _width()
    first = name.ljust(len(indent))
    lines = []
    if width < _NARROW:
        first = indent = "  "
        lines.append(name)
    for text in ((purpose or "").partition("\n")[0], options):
        lines += textwrap.wrap(
            text,
            width,
            initial_indent=first,
            subsequent_indent=indent,
            break_on_hyphens=False,
        )
        first = indent
    return lines


def _options(name: str) -> str:
    return ", ".join(f"{option}={value!r}" for option, value in registry.options(name).items())


def _details(name: str) -> str:
    """The paper, the formula and the departures, as the method's module states them."""
    if name in combine.COMBINATIONS:
        return inspect.getdoc(combine) or ""
    options = _options(name)  # first: it knows what to say about a name that does not exist
    module = sys.modules[type(registry.get(name)).__module__]
    text = inspect.getdoc(module) or ""
    return f"{text}\n\nOptions: {options}" if options else f"{text}\n\nOptions: none"
