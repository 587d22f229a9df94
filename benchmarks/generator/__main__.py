"""Write a corpus of generated pages, for `thresher evaluate` and `thresher train`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.corpus_pages import argument_parser, exit_with
from benchmarks.generator import generate, write, write_jsonl
from thresher.errors import UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the corpus and print where it is; return the exit code."""
    parser = argument_parser("generator", __doc__, "made.jsonl --pages 200 --seed 1")
    parser.add_argument(
        "output", type=Path, help="a .jsonl file, or a folder for .html and .txt files"
    )
    parser.add_argument("--pages", type=int, default=100, help="number of pages (100)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the pages (0)")
    parser.add_argument("--sites", type=int, help="number of sites (24)")
    given = parser.parse_args(arguments)
    try:
        pages = generate(given.seed, given.pages, sites=given.sites)
    except UsageError as error:
        parser.error(str(error))
    if given.output.suffix == ".jsonl":
        write_jsonl(pages, given.output)
    else:
        write(pages, given.output)
    print(f"{given.output} is written: try thresher evaluate {given.output} -m bte -m default.")
    return 0


if __name__ == "__main__":
    exit_with(main)
