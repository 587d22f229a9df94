"""The group of commands and its exit codes; an error is a sentence, never a traceback.

0    done, also when a page had no content (which is a warning)
2    something could not be read, written or understood: a sentence on standard error says what
130  interrupted with Ctrl-C
141  the reader of the output went away, as `head` does; nothing is printed
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Any, NoReturn

import click

import thresher
from thresher.batch.atomic_file import write_error
from thresher.batch.messages import print_message
from thresher.cli.options import examples
from thresher.errors import ThresherError
from thresher.page.core import COMPILED

ERROR, INTERRUPTED, READER_GONE = 2, 130, 141


class Program(click.Group):
    """A group of commands that prints each error as one sentence on standard error."""

    def main(  # type: ignore[override]  # click overloads it by `standalone_mode`
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run the command that `args` names and exit with its exit code."""
        extra["standalone_mode"] = False
        try:
            code = super().main(args, prog_name or "thresher", **extra)
        except (KeyboardInterrupt, click.Abort):
            _ignore_interrupts()
            code = INTERRUPTED
        except click.ClickException as error:
            print_message("Error", _sentence(error))
            code = ERROR
        except ThresherError as error:
            print_message("Error", str(error))
            code = ERROR
        except OSError as error:  # of standard output: errors of files are raised as OutputError
            _discard_output()
            print_message("Error", str(write_error("standard output", error)))
            code = ERROR
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; exit silently if the reader of the output has gone away."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _discard_output()
            ctx.exit(READER_GONE)


def _ignore_interrupts() -> None:
    """Let a second Ctrl-C pass: Python would print a traceback for it while it ends."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _sentence(error: click.ClickException) -> str:
    """Return the message, and for a wrong argument which help to read."""
    message = " ".join(error.format_message().split())
    message = message.replace("a valid float range", "a number")
    message = message.replace("a valid integer range", "a whole number")
    message = message if message.endswith((".", "?", ")")) else f"{message}."
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{message} See {error.ctx.command_path} --help."
    return message


def _discard_output() -> None:
    """Send buffered output to the null device, or Python reports it again on exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # closed, or not a real file
        return


@click.group(
    "thresher",
    cls=Program,
    invoke_without_command=True,
    epilog=examples("thresher extract examples/demo.html", "thresher extract --help"),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(
    thresher.__version__,
    prog_name="thresher",
    message=f"%(prog)s %(version)s ({'compiled' if COMPILED else 'plain'} core)",
)
@click.pass_context
def main(context: click.Context) -> None:
    """Extract the main content of web pages, and measure how well it is done."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
