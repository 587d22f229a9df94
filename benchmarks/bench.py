"""Time parse, methods and renderers as multiples of `turbohtml.parse` on the same pages.

CPU time, the sum over 120 pages as `str`, the best of five rounds; every round runs everything, so
that a busy moment hits all alike. Then how time grows with the page, and how much memory a process
takes. The figures go to last_run.json, and from there to docs/speed.md and into the README; a test
checks that these agree. Run it alone on the machine: `make bench`.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import platform
import random
import resource
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar, get_args

import turbohtml

import thresher
from benchmarks import speed
from benchmarks.generator import generate
from benchmarks.marked_blocks import with_block
from thresher.document import Favor, Format
from thresher.evaluate import peers
from thresher.page.decode import decode

PAGES, ROUNDS, SEED = 120, 5, 7
PEER_ROUNDS = 1  # they take long, and are compared by their magnitude
GROWTH_ROUNDS = 2
PARAGRAPHS = (5_000, 20_000)  # of the pages that show the growth
FORMS: tuple[Format, ...] = ("text", "markdown", "html", "tei", "json")

HOME = Path(__file__).resolve().parent.parent
LAST_RUN = HOME / "benchmarks" / "last_run.json"

Work = Callable[[str], object]
Name = TypeVar("Name", bound=Hashable)


def pages(number: int) -> tuple[list[str], str]:
    """Return the pages to measure on, and where they came from."""
    corpora = Path(os.environ.get("THRESHER_CORPORA", HOME.parent / "shared" / "corpora"))
    file = corpora / "wcxb-dev.parquet"
    if not file.exists():
        made_up = [decode(page.html)[0] for page in generate(SEED, number)]
        return made_up, f"generated with seed {SEED}, not comparable with real pages"
    import pyarrow.parquet as parquet

    rows = parquet.read_table(file, columns=["html"]).column("html").to_pylist()
    random.Random(SEED).shuffle(rows)
    return [decode(row)[0] for row in rows[:number]], f"wcxb-dev, seed {SEED}"


# --- what is timed -------------------------------------------------------------------------------


def kept(name: str) -> Work:
    """Parse and run one method."""
    chosen = thresher.methods.get(name)
    return lambda page: chosen(thresher.parse(page))


def rendered(form: Format) -> Work:
    """Extract with the default method and render."""
    return lambda page: thresher.extract(page).render(form)


def known(page: str) -> object:
    """Extract with the default method; ask for the text and all that describes the page."""
    found = thresher.extract(page)
    return found.text, found.title, found.metadata, found.kind, found.confidence


def method_works() -> dict[str, Work]:
    """Parse and each method, by its name."""
    return {name: kept(name) for name in thresher.methods.names()}


def peer_works() -> dict[str, Work]:
    """The other tools that are installed."""
    return {name: peers.peer(name) for name in peers.names() if peers.peer_version(name)}


def best_times(todo: dict[Name, Work], texts: list[str], rounds: int) -> dict[Name, float]:
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


def growth(todo: dict[str, Work]) -> dict[str, float]:
    """Return how many times longer each work takes for the larger of two pages."""
    paragraph = '<p class="text">Wheat and <a href="/chaff">chaff</a>, as ever, in the wind.</p>\n'
    small, large = (
        best_times(todo, [f"<body>{paragraph * number}"], GROWTH_ROUNDS) for number in PARAGRAPHS
    )
    return {name: round(large[name] / small[name], 2) for name in todo}


def memory(texts: list[str]) -> dict[str, int]:
    """Return the peak memory in MB of a process that extracts the pages one by one."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        start, *_, last = [pool.submit(_extract, text).result() for text in ["<p>one", *texts]]
    return {"start": start, "peak": last}


def _extract(text: str) -> int:
    """Extract a page; return the most memory in MB that this process ever had."""
    _ = thresher.extract(text).text
    status = Path("/proc/self/status")  # Linux; what getrusage tells there is also its parent's
    if status.exists():
        return round(int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


# --- a run ---------------------------------------------------------------------------------------


def measure(number: int, rounds: int) -> dict[str, Any]:
    """Measure everything; return the figures as they are kept."""
    texts, origin = pages(number)
    base: dict[str, Work] = {"turbohtml": turbohtml.parse, "parse": thresher.parse}
    methods = method_works()
    forms: dict[str, Work] = {form: rendered(form) for form in FORMS}
    forms["text and metadata"] = known
    # By pairs, as a method, a form and a peer may have one name.
    todo = {("base", name): work for name, work in base.items()}
    todo |= {("method", name): work for name, work in methods.items()}
    todo |= {("form", name): work for name, work in forms.items()}
    best = best_times(todo, texts, rounds)
    unit = best["base", "turbohtml"]
    others = best_times(peer_works(), texts, PEER_ROUNDS)
    grown = growth({**methods, "": forms["text"]})
    ratio = {key: round(seconds / unit, 2) for key, seconds in best.items()}
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "origin": origin,
        "seed": SEED,
        "pages": len(texts),
        "characters": sum(map(len, texts)),
        "rounds": rounds,
        "peer_rounds": PEER_ROUNDS,
        "versions": versions(list(others)),
        "parse_milliseconds": round(1000 * unit / len(texts), 2),
        "parse": ratio["base", "parse"],
        "methods": {
            name: {"ratio": ratio["method", name], "growth": grown[name]} for name in methods
        },
        "favored": [thresher.extract("<p>", favor=favor).method for favor in get_args(Favor)],
        "extract": {form: ratio["form", form] for form in forms},
        "peers": {name: round(seconds / unit, 2) for name, seconds in others.items()},
        "growth_paragraphs": PARAGRAPHS,
        "growth": grown[""],
        "memory": memory(texts),
    }


def versions(peer_names: list[str]) -> dict[str, str]:
    """Return what was measured, each with its version."""
    found = {"Python": platform.python_version(), "Thresher": thresher.__version__}
    found |= {name: version(name) for name in ("turbohtml", "numpy")}
    return found | {name: peers.peer_version(name) for name in peer_names}


def write(figures: dict[str, Any]) -> None:
    """Write the page of the docs and the block of the README."""
    (HOME / "docs" / "speed.md").write_text(speed.page(figures), encoding="utf-8")
    readme = HOME / "README.md"
    text = with_block(readme.read_text(encoding="utf-8"), "speed", speed.block(figures))
    readme.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=PAGES, help="how many pages")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often everything runs")
    parser.add_argument("--page-only", action="store_true", help="write what the last run gave")
    given = parser.parse_args()
    if not given.page_only:
        figures = measure(given.pages, given.rounds)
        LAST_RUN.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    figures = json.loads(LAST_RUN.read_text(encoding="utf-8"))
    write(figures)
    print(speed.page(figures))


if __name__ == "__main__":
    main()
