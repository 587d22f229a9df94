"""The group of commands, and how it ends: which exit code, and never a traceback for an error.

0    done, also when a page had no content (a warning says so)
2    something could not be read, written or understood; one sentence each on standard error
130  interrupted with Ctrl-C
141  the reader of our output went away, as `head` does; nothing is said
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

import thresher
from thresher.batch.atomic_file import cannot_write
from thresher.batch.messages import say
from thresher.errors import ThresherError

ERROR, INTERRUPTED, READER_GONE = 2, 130, 141


class Program(click.Group):
    """A group whose errors are one sentence on standard error."""

    def main(  # type: ignore[override]  # click overloads it by `standalone_mode`
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,
    ) -> NoReturn:
        """Run the command that `args` names and leave with its exit code."""
        extra["standalone_mode"] = False
        try:
            code = super().main(args, prog_name or "thresher", **extra)
        except (KeyboardInterrupt, click.Abort):
            code = INTERRUPTED
        except click.ClickException as error:
            say("Error", _sentence(error))
            code = ERROR
        except ThresherError as error:
            say("Error", str(error))
            code = ERROR
        except OSError as error:  # files are handled where they are written: this was the screen
            _drop_output()
            say("Error", str(cannot_write("standard output", error)))
            code = ERROR
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a reader that goes away ends it without a word."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _drop_output()
            ctx.exit(READER_GONE)


def _sentence(error: click.ClickException) -> str:
    """The message, and for a wrong argument where to look it up."""
    message = " ".join(error.format_message().split())
    message = message if message.endswith((".", "?", ")")) else f"{message}."
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{message} See {error.ctx.command_path} --help."
    return message


def _drop_output() -> None:
    """Send what is still buffered nowhere, or Python complains about it when it ends."""
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
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(thresher.__version__, prog_name="thresher", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Take web pages apart and keep the main content."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
