"""Errors and warnings on standard error, one sentence per line."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

from thresher.page.addresses import without_passwords

# Control characters, except tab and newline, can move a terminal's cursor or change its state, and
# marks of direction can change the order in which the rest of a line is shown.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# Characters that are not shown, or that begin a line: with them a name looks like another one.
_UNSEEN = re.compile(
    r"[\xad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """Return the text with control characters replaced, except newlines and tabs."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def print_message(kind: str, message: str) -> None:
    """Write `kind: message` to standard error, without passwords of addresses.

    Characters that standard error cannot encode are escaped.
    """
    if sys.stderr is None:  # closed by the parent process
        return
    shown = _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", printable(without_passwords(message)))
    line = f"{kind}: {shown}\n"
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding))
    sys.stderr.flush()


@dataclass
class Messages:
    """Prints errors, and warnings unless `quiet`; `failed` is True after the first error."""

    quiet: bool = False
    failed: bool = False

    def error(self, message: str) -> None:
        """Print an error."""
        self.failed = True
        print_message("Error", message)

    def warn(self, message: str) -> None:
        """Print a warning, unless `quiet`."""
        if not self.quiet:
            print_message("Warning", message)
