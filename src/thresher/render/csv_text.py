"""Records as lines of CSV, with cells that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

# A cell that a spreadsheet would run as a formula (https://owasp.org/www-community/attacks/CSV_Injection).
# Some remove white space and characters that are not shown before they look.
_FORMULA = re.compile(
    r"[\s\x00\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]*[=+\-@＝＋－＠].|[\t\r\n].", re.S
)


def disarmed(cell: str) -> str:
    """Put an apostrophe before a cell that a spreadsheet would run as a formula.

    The text comes from the author of the page. JSON has the exact text.
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def csv_line(cells: Sequence[object]) -> str:
    """Return one record as in RFC 4180, ending in CR LF; None is an empty cell."""
    line = io.StringIO(newline="")
    csv.writer(line).writerow(cells)
    return line.getvalue()
