"""Time parse, methods and renderers as multiples of `turbohtml.parse` on the same pages.

CPU time, the sum over 120 pages as `str`, the best of five rounds; every round runs everything, so
that a busy moment hits all alike. Run it alone on the machine: `make bench`.
"""

from __future__ import annotations

import contextlib
import gc
import os
import random
import resource
import time
from collections.abc import Callable
from pathlib import Path

import turbohtml

import thresher
from thresher.decode import decode
from thresher.evaluate import peers
from thresher.evaluate.generate import generate

PAGES, ROUNDS, SEED = 120, 5, 7
PEER_ROUNDS = 1  # they take long, and are compared by their magnitude

Work = Callable[[str], object]


def pages() -> tuple[list[str], str]:
    """Return the pages to measure on, and where they came from."""
    home = Path(__file__).resolve().parent.parent
    corpora = Path(os.environ.get("THRESHER_CORPORA", home.parent / "shared" / "corpora"))
    file = corpora / "wcxb-dev.parquet"
    if not file.exists():
        return made_up_pages(), "generated pages, no corpora found: not comparable with real pages"
    import pyarrow.parquet as parquet

    rows = parquet.read_table(file, columns=["html"]).column("html").to_pylist()
    random.Random(SEED).shuffle(rows)
    return [decode(row)[0] for row in rows[:PAGES]], f"{file.name}, seed {SEED}"


def made_up_pages() -> list[str]:
    """Pages of all kinds from the generator."""
    return [decode(page.html)[0] for page in generate(SEED, PAGES)]


def kept(method: str) -> Work:
    """Parse and run one method."""
    chosen = thresher.methods.read(method)
    return lambda page: chosen(thresher.parse(page))


def works() -> dict[str, Work]:
    """Everything of ours that is timed, by name."""
    return {
        "turbohtml.parse": turbohtml.parse,
        "parse": thresher.parse,
        **{f"parse + {name}": kept(name) for name in thresher.methods.names()},
        "extract, text": lambda page: thresher.extract(page).text,
        "extract, markdown": lambda page: thresher.extract(page).markdown(),
        "extract, html": lambda page: thresher.extract(page).html(),
        "extract, tei": lambda page: thresher.extract(page).tei(),
        "extract, json": lambda page: thresher.extract(page).render("json"),
    }


def peer_works() -> dict[str, Work]:
    """The other tools that are installed."""
    return {name: peers.peer(name) for name in peers.names() if peers.peer_version(name)}


def best_times(todo: dict[str, Work], texts: list[str], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the least CPU seconds of each work over all rounds."""
    best = dict.fromkeys(todo, float("inf"))
    for _ in range(rounds):
        for name, work in todo.items():
            gc.collect()
            start = time.process_time()
            for text in texts:
                with contextlib.suppress(Exception):  # a tool may give up on a page
                    work(text)
            best[name] = min(best[name], time.process_time() - start)
    return best


def growth() -> dict[int, float]:
    """CPU seconds of an extraction for pages of n, 2n and 4n paragraphs."""
    paragraph = '<p class="text">Wheat and <a href="/chaff">chaff</a>, as ever, in the wind.</p>\n'
    sizes = {n: f"<body>{paragraph * n}" for n in (10_000, 20_000, 40_000)}
    return {
        n: min(best_times({"text": lambda page: thresher.extract(page).text}, [page], 3).values())
        for n, page in sizes.items()
    }


def main() -> None:
    texts, origin = pages()
    best = best_times(works(), texts)
    unit, parse = best["turbohtml.parse"], best["parse"]
    size = sum(map(len, texts)) / 1e6
    print(f"{len(texts)} pages, {size:.1f} million characters: {origin}")
    print(f"turbohtml.parse takes {1000 * unit / len(texts):.2f} ms a page\n")
    print(f"{'work':<20} {'x turbohtml.parse':>18} {'beyond parse':>13}")
    for name, seconds in best.items():
        own = name.startswith(("parse +", "extract"))
        beyond = f"{(seconds - parse) / unit:13.2f}" if own else ""
        print(f"{name:<20} {seconds / unit:18.2f} {beyond}".rstrip())
    print(f"{'columns alone':<20} {(parse - unit) / unit:18.2f}")
    for name, seconds in best_times(peer_works(), texts, PEER_ROUNDS).items():
        print(f"{name:<20} {seconds / unit:18.2f}")
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    times = growth()
    first = times[min(times)]
    told = ", ".join(f"{n:,}: {seconds / first:.1f}" for n, seconds in times.items())
    print(f"growth, paragraphs: time of extract against the first: {told}")


if __name__ == "__main__":
    main()
