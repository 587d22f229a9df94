"""Time parse, methods and renderers as multiples of `turbohtml.parse` on the same pages.

CPU time, the sum over 120 pages as `str`, the best of five rounds; every round runs everything, so
that a busy moment hits all alike. Run it alone on the machine: `make bench`.
"""

from __future__ import annotations

import gc
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import turbohtml

import thresher
from thresher.decode import decode

PAGES, ROUNDS, SEED = 120, 5, 7

Work = Callable[[str], object]


def pages() -> tuple[list[str], str]:
    """Return the pages to measure on, and where they came from."""
    home = Path(__file__).resolve().parent.parent
    corpora = Path(os.environ.get("THRESHER_CORPORA", home.parent / "shared" / "corpora"))
    file = corpora / "wcxb-dev.parquet"
    if not file.exists():
        return made_up_pages(), "made-up pages (no corpora found)"
    import pyarrow.parquet as parquet

    rows = parquet.read_table(file, columns=["html"]).column("html").to_pylist()
    random.Random(SEED).shuffle(rows)
    return [decode(row)[0] for row in rows[:PAGES]], f"{file.name}, seed {SEED}"


def made_up_pages() -> list[str]:
    """Pages of many sizes, of markup like that of a news site."""
    pick = random.Random(SEED)
    words = "grain chaff wind barn field harvest mill stone water bread sack cart road".split()

    def sentence() -> str:
        return " ".join(pick.choices(words, k=pick.randint(5, 25))).capitalize() + "."

    def page() -> str:
        menu = "".join(f'<li class="item"><a href="/{w}">{w}</a></li>' for w in words) * 4
        body = "".join(
            f'<p class="text">{sentence()} <a href="/x">{sentence()}</a> {sentence()}</p>\n'
            for _ in range(pick.randint(5, 120))
        )
        script = "<script>" + "var a = [1, 2, 3];\n" * pick.randint(100, 3000) + "</script>"
        return f"<html><body>{script}<ul>{menu}</ul><article>{body}</article></body></html>"

    return [page() for _ in range(PAGES)]


def kept(method: str) -> Work:
    """Parse and run one method."""
    chosen = thresher.methods.read(method)
    return lambda page: chosen(thresher.parse(page))


def works() -> dict[str, Work]:
    """Everything that is timed, by name."""
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


def best_times(todo: dict[str, Work], texts: list[str]) -> dict[str, float]:
    """Return the least CPU seconds of each work over all rounds."""
    best = dict.fromkeys(todo, float("inf"))
    for _ in range(ROUNDS):
        for name, work in todo.items():
            gc.collect()
            start = time.process_time()
            for text in texts:
                work(text)
            best[name] = min(best[name], time.process_time() - start)
    return best


def main() -> None:
    texts, origin = pages()
    best = best_times(works(), texts)
    unit, parse = best["turbohtml.parse"], best["parse"]
    size = sum(map(len, texts)) / 1e6
    print(f"{len(texts)} pages, {size:.1f} million characters: {origin}")
    print(f"turbohtml.parse takes {1000 * unit / len(texts):.2f} ms a page\n")
    print(f"{'work':<20} {'x turbohtml.parse':>18} {'beyond parse':>13}")
    for name, seconds in best.items():
        beyond = (
            f"{(seconds - parse) / unit:13.2f}" if name.startswith(("parse +", "extract")) else ""
        )
        print(f"{name:<20} {seconds / unit:18.2f} {beyond}".rstrip())


if __name__ == "__main__":
    main()
