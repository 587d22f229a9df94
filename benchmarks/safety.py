"""Run hostile and mutated pages through everything that is compiled, and watch the memory.

`make sanitize` runs this with kernels that were built with AddressSanitizer and UBSan, which end
the program with a report at the first access outside of an array, use after free, or undefined
arithmetic. Mutated pages are pieces of real pages (of the corpora, else of generated pages), cut,
repeated, swapped and with random bytes in them.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import thresher
from benchmarks.generator import generate
from benchmarks.speed import sample_pages
from tests.test_hostile import PAGES
from thresher.page.core import COMPILED
from thresher.page.decode import decode
from thresher.render import FormatName

FORMS: tuple[FormatName, ...] = ("text", "markdown", "html", "tei", "json")
HOSTILE_PART = 20  # a page of the hostile set has this part of its usual size
MOST_CHARACTERS = 30_000  # of a piece of a page
ODD_CHARACTERS = "\0<>&'\u0301\u4e2d\U0001f600\ud800"
TAGS = ("<div>", "</p>", "<td>", "<!--", "<svg>", "<pre>")
MOST_GROWTH = 10.0  # megabytes, over all pages after the first tenth


def mutated(pages: list[str], count: int, seed: int) -> Iterator[str]:
    """Yield pages made of pieces of the given ones."""
    draw = random.Random(seed)
    for _ in range(count):
        page = draw.choice(pages)
        begin = draw.randrange(max(len(page) - MOST_CHARACTERS, 1))
        text = list(page[begin : begin + draw.randrange(1, MOST_CHARACTERS)])
        for _ in range(draw.randrange(20)):
            at, size = draw.randrange(len(text) + 1), draw.randrange(50)
            change = draw.randrange(4)
            if change == 0:
                del text[at : at + size]
            elif change == 1:
                text[at:at] = [
                    chr(draw.choice((0, 60, 62, 38, 39, 0x301, 0x4E2D, 0x1F600, 0xD800)))
                ]
            elif change == 2:
                text[at:at] = text[:size]
            else:
                text[at : at + size] = draw.choice(
                    ("<div>", "</p>", "<td>", "<!--", "<svg>", "<pre>")
                )
        yield "".join(text)


def work(page: str) -> None:
    """Extract a page and write it in every format, unless it is refused."""
    try:
        document = thresher.extract(page)
    except thresher.InputError:  # what is left of it looks like a style sheet, say
        return
    for form in FORMS:
        document.render(form)


def memory() -> float:
    """Return the resident memory of this process in megabytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def check_mutated(count: int, seed: int) -> None:
    """Run the hostile set and mutated pages."""
    for name, (size, write) in PAGES.items():
        work(write(size // HOSTILE_PART))
        print(f"hostile: {name}", flush=True)
    pages = sample_pages(120)[0]
    for number, page in enumerate(mutated(pages, count, seed), 1):
        work(page)
        if number % 500 == 0:
            print(f"{number:,} of {count:,} mutated pages", flush=True)


def check_memory(count: int, seed: int) -> None:
    """Extract many generated pages and stop with a sentence if memory grows."""
    pages = [decode(page.html)[0] for page in generate(seed, 200)]
    start, began = 0.0, time.process_time()
    for number in range(count):
        _ = thresher.extract(pages[number % len(pages)]).text
        if number == count // 10:
            start = memory()
    growth = memory() - start
    seconds = time.process_time() - began
    print(
        f"{count:,} pages in {seconds:.0f} s: memory grew by {growth:.1f} MB to {memory():.0f} MB"
    )
    if growth > MOST_GROWTH:
        sys.exit(f"memory grew by more than {MOST_GROWTH} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--mutated", type=int, default=5_000, metavar="N")
    parser.add_argument("--memory", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    if not COMPILED:
        sys.exit("the kernels are not built: run make kernels")
    if options.mutated:
        check_mutated(options.mutated, options.seed)
    if options.memory:
        check_memory(options.memory, options.seed)


if __name__ == "__main__":
    main()
