"""`thresher methods`: the methods and combinations, what they do, and their options."""

from __future__ import annotations

import inspect
import shutil
import sys
import textwrap

import click

from thresher import methods as registry
from thresher.cli.options import examples
from thresher.methods import combine
from thresher.methods.registry import unknown_method

_EPILOG = examples("thresher methods", "thresher methods bte")
_MIN_WIDTH = 40  # columns; in fewer, lines would be mostly indentation
_MIN_WIDTH_BESIDE = 72  # columns; in fewer, the text stands below the name instead of beside it
_COMBINED = "Combine them, as in series(lqf(quota=0.5), vote(bte, cetd, wlr, at_least=2)):"


@click.command("methods", epilog=_EPILOG)
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the methods and combinations, or explain one.

    Options are shown with their defaults. Set them in the expression that --method takes, such as
    'bte(tag_cost=2)' or 'series(lqf(quota=0.5), vote(bte, cetd, wlr, at_least=2))'.
    """
    click.echo(_list() if name is None else _details(name.lower()))


def _list() -> str:
    """Return the name, purpose and options of each method, then the combinations."""
    width = max(shutil.get_terminal_size(fallback=(100, 24)).columns, _MIN_WIDTH)
    methods = {
        name: (type(registry.get(name)).__doc__, _options(name)) for name in registry.names()
    }
    combined = {name: (make.__doc__, "") for name, make in combine.COMBINATIONS.items()}
    indent = " " * (max(map(len, methods | combined)) + 2)
    lines = [line for name in methods for line in _entry(name, indent, width, *methods[name])]
    lines += ["", *textwrap.wrap(_COMBINED, width)]
    lines += [line for name in combined for line in _entry(name, indent, width, *combined[name])]
    return "\n".join(lines)


def _entry(name: str, indent: str, width: int, purpose: str | None, options: str) -> list[str]:
    """Return the lines of one method: purpose and options beside its name, or below it."""
    first = name.ljust(len(indent))
    lines = []
    if width < _MIN_WIDTH_BESIDE:
        first = indent = "  "
        lines.append(name)
    for text in ((purpose or "").partition("\n")[0], options):
        lines += textwrap.wrap(
            text, width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False
        )
        first = indent
    return lines


def _options(name: str) -> str:
    return ", ".join(f"{option}={value!r}" for option, value in registry.options(name).items())


def _details(name: str) -> str:
    """Return the paper, the formula and the departures, as the method's module states them."""
    if name in combine.COMBINATIONS:
        return inspect.getdoc(combine) or ""
    if name not in registry.names():
        raise unknown_method(name, [*registry.names(), *combine.COMBINATIONS])
    options = _options(name) or "none"
    module = sys.modules[type(registry.get(name)).__module__]
    return f"{inspect.getdoc(module) or ''}\n\nOptions: {options}"
