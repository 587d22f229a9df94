"""What the command line says: errors and warnings on standard error, a sentence each."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

# Characters that move a terminal's cursor or change its state; a page may hold any of them.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """Replace the control characters of a text, line ends and tabs excepted."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def say(kind: str, message: str) -> None:
    """Write one line on standard error, whatever its characters."""
    if sys.stderr is None:  # closed by the caller
        return
    line = f"{kind}: {printable(message)}\n"
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding))
    sys.stderr.flush()


@dataclass
class Messages:
    """Tells errors, and warnings unless quiet, and remembers whether there was an error."""

    quiet: bool
    failed: bool = False

    def error(self, message: str) -> None:
        """Tell what went wrong; work goes on with the next input."""
        self.failed = True
        say("Error", message)

    def warn(self, message: str) -> None:
        """Tell what the reader of the output should know."""
        if not self.quiet:
            say("Warning", message)
