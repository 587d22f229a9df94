"""Time parsing, methods and renderers as multiples of `turbohtml.parse` on the same pages.

A time is CPU time, the sum over 120 pages as `str`, the best of five rounds. Each round runs
everything, so that a busy moment of the machine affects all alike. The program also measures how
time grows with the size of a page, and the memory of a process. The figures are written to
docs/figures/speed.json, and from there to docs/speed.md and into the README; a test checks that
these agree. Run it with nothing else on the machine: `make bench`.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import platform
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import UTC, datetime
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar, get_args

import turbohtml

import thresher
from benchmarks import trends
from benchmarks.corpus_pages import argument_parser, corpora_folder
from benchmarks.generator import generate
from benchmarks.marked_blocks import markdown_table, write_block
from thresher.document import Favor
from thresher.evaluate import peers
from thresher.page.core import COMPILED
from thresher.page.decode import decode
from thresher.render import FormatName
from thresher.viewer.page_shell import count

PAGES, ROUNDS, SEED = 120, 5, 7
PEER_ROUNDS = 1  # peers take long, and differ by far more than the noise
GROWTH_ROUNDS = 2
PARAGRAPHS = (5_000, 20_000)  # of the pages that show the growth
FORMS: tuple[FormatName, ...] = ("text", "markdown", "html", "tei", "json")

ROOT = Path(__file__).resolve().parent.parent
LAST_RUN = ROOT / "docs" / "figures" / "speed.json"

Figures = dict[str, Any]
Work = Callable[[str], object]  # of a page
Name = TypeVar("Name", bound=Hashable)


def sample_pages(number: int) -> tuple[list[str], str]:
    """Return pages of wcxb-dev and a note on their origin; generated pages without the corpora."""
    folder = corpora_folder()
    file = None if folder is None else folder / "wcxb-dev.parquet"
    if file is None or not file.exists():
        generated = [decode(page.html)[0] for page in generate(SEED, number)]
        return generated, f"generated with seed {SEED}, not comparable with real pages"
    import pyarrow.parquet as parquet

    rows = parquet.read_table(file, columns=["html"]).column("html").to_pylist()
    random.Random(SEED).shuffle(rows)
    return [decode(row)[0] for row in rows[:number]], f"wcxb-dev, seed {SEED}"


# --- what is timed -------------------------------------------------------------------------------


def method_work(name: str) -> Work:
    """Return a function that parses a page and runs one method."""
    method = thresher.methods.get(name)
    return lambda page: method(thresher.parse(page))


def render_work(form: FormatName) -> Work:
    """Return a function that extracts with the default method and renders."""
    return lambda page: thresher.extract(page).render(form)


def blocks_work(page: str) -> object:
    """Extract with the default method, and write JSON with the kept blocks."""
    return thresher.extract(page).json(fields="+blocks")


def metadata_work(page: str) -> object:
    """Extract with the default method, and compute the text and all metadata."""
    document = thresher.extract(page)
    return document.text, document.title, document.metadata, document.kind, document.confidence


def method_works() -> dict[str, Work]:
    """Return the work of each method, by its name."""
    return {name: method_work(name) for name in thresher.methods.names()}


def peer_works() -> dict[str, Work]:
    """Return the work of each other tool that is installed, by its name."""
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
    """Extract a page; return the peak memory of this process so far, in MB."""
    _ = thresher.extract(text).text
    status = Path("/proc/self/status")  # Linux, where getrusage includes the parent process
    if status.exists():
        return round(int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


# --- a run ---------------------------------------------------------------------------------------


def measure(number: int, rounds: int) -> Figures:
    """Measure everything; return the figures of docs/figures/speed.json."""
    texts, origin = sample_pages(number)
    forms = base_works()
    base = {name: forms.pop(name) for name in ("turbohtml", "parse")}
    methods = method_works()
    # The keys are pairs, as a method and a format may have the same name.
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
        "core": "compiled" if COMPILED else "plain",
        "plain": plain_ratios(number, rounds),
        "import_milliseconds": import_milliseconds(),
        "small_page_milliseconds": small_page_milliseconds(),
        "two_threads": two_threads(texts),
        "peers": {name: round(seconds / unit, 2) for name, seconds in others.items()},
        "growth_paragraphs": PARAGRAPHS,
        "growth": grown[""],
        "memory": memory(texts),
    }


def base_works() -> dict[str, Work]:
    """Return parsing and extraction to each output, by name."""
    works: dict[str, Work] = {"turbohtml": turbohtml.parse, "parse": thresher.parse}
    works |= {form: render_work(form) for form in FORMS}
    return works | {"json with blocks": blocks_work, "text and metadata": metadata_work}


def base_ratios(number: int, rounds: int) -> dict[str, float]:
    """Return the ratios of `base_works` with the kernels of this process."""
    best = best_times(base_works(), sample_pages(number)[0], rounds)
    return {name: round(seconds / best["turbohtml"], 2) for name, seconds in best.items()}


def plain_ratios(number: int, rounds: int) -> dict[str, float]:
    """Return the ratios of `base_works` without compiled kernels, in a process of its own."""
    code = f"from benchmarks.speed import *; print(json.dumps(base_ratios({number}, {rounds})))"
    found: dict[str, float] = json.loads(_run(code, THRESHER_CORE="plain"))
    return found


def import_milliseconds() -> float:
    """Return how long `import thresher` takes once NumPy and turbohtml are there, at best."""
    code = (
        "import time, numpy, turbohtml; begin = time.perf_counter(); import thresher; "
        "print(1000 * (time.perf_counter() - begin))"
    )
    # Python may keep compiled modules, as it does when they are installed.
    times = [float(_run(code, PYTHONDONTWRITEBYTECODE="")) for _ in range(8)]
    return round(min(times), 1)


def small_page_milliseconds() -> float:
    """Return how long extracting a page of three lines takes, at best."""
    page = "<title>Tea</title>\n<h1>Tea</h1>\n<p>Steep it just off the boil, for three minutes."
    best = float("inf")
    for _ in range(500):
        begin = time.perf_counter()
        _ = thresher.extract(page).text
        best = min(best, time.perf_counter() - begin)
    return round(1000 * best, 3)


def two_threads(texts: list[str]) -> float:
    """Return how many times as many pages two threads extract in the time that one needs."""

    def seconds(threads: int) -> float:
        begin = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda text: thresher.extract(text).text, texts))
        return time.perf_counter() - begin

    return round(min(map(seconds, (1, 1, 1))) / min(map(seconds, (2, 2, 2))), 2)


def _run(code: str, **variables: str) -> str:
    """Run Python code in a process of its own, with further environment variables."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **variables},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def versions(peer_names: list[str]) -> dict[str, str]:
    """Return the versions of Python, Thresher, its libraries and the peers."""
    found = {"Python": platform.python_version(), "Thresher": thresher.__version__}
    found |= {name: version(name) for name in ("turbohtml", "numpy")}
    return found | {name: peers.peer_version(name) for name in peer_names}


# --- docs/speed.md and README.md -----------------------------------------------------------------

_HEAD = ["", "× turbohtml.parse", "beyond parse"]


def readme_block(figures: Figures) -> str:
    """Return the block of the README: parse, the default methods, the renderers and the peers."""
    methods = figures["methods"]
    defaults = [name for name in figures["favored"] if name in methods]
    ordered = sorted(methods, key=lambda name: methods[name]["ratio"])
    extremes = [name for name in ordered[:1] + ordered[-1:] if name not in defaults]
    notes = {}
    if len(extremes) == 2:
        notes = {extremes[0]: ", the fastest", extremes[1]: ", the slowest"}
    rows = [_row("turbohtml.parse", 1.0), _row("thresher.parse", figures["parse"])]
    rows += [
        _row(f"parse + {name}{notes.get(name, '')}", methods[name]["ratio"], figures["parse"])
        for name in ordered
        if name in {*defaults, *extremes}
    ]
    rows += _extract_rows(figures)
    rows += [_row(f"*{name}*", ratio) for name, ratio in _by_ratio(figures["peers"])]
    return "\n".join([*_summary(figures), "", *markdown_table(_HEAD, rows)]) + "\n"


_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def readme_sentence(figures: Figures) -> str:
    """Return the sentence of the README on how long an extraction takes."""
    times = round(figures["extract"]["text"])
    number = _NUMBERS[times] if times < len(_NUMBERS) else f"{times}"
    return (
        f"Extracting the text of a page takes about {number} times as long as parsing it (see\n"
        "[How fast](#how-fast)).\n"
    )


def docs_page(figures: Figures) -> str:
    """Return docs/speed.md: the same with every method, growth and versions, and trends."""
    lines = [
        "# Speed", "", "Written by `make bench` from [its figures](figures/speed.json).",
        *_summary(figures), "",
        "Every figure is CPU time as a multiple of what `turbohtml.parse` takes for the same "
        f"pages, the sum over pages, the best of {count(figures['rounds'], 'round')} (peers: "
        f"{figures['peer_rounds']}); *beyond parse* leaves `thresher.parse` out. One parse takes "
        f"{figures['parse_milliseconds']:.2f} ms a page on the machine of this run.",
        *_method_section(figures), "", "## From HTML to output, with the default method", "",
    ]  # fmt: skip
    rows = [_row("turbohtml.parse", 1.0), _row("thresher.parse", figures["parse"])]
    rows += [_row("of which columns", figures["parse"] - 1), *_extract_rows(figures)]
    plain = figures["plain"]
    ratios = [1.0, plain["parse"], plain["parse"] - 1, *(plain[f] for f in figures["extract"])]
    rows = [[*row, f"{ratio:.2f}"] for row, ratio in zip(rows, ratios, strict=True)]
    lines += markdown_table([*_HEAD, "without kernels"], rows)
    lines += ["", *_fixed_costs(figures)]
    lines += ["", "## Other tools, from HTML to text", ""]
    peers = [_row(f"*{name}*", ratio)[:2] for name, ratio in _by_ratio(figures["peers"])]
    lines += markdown_table(_HEAD[:2], peers) if peers else ["None was installed."]
    versions = ", ".join(f"{name} {version}" for name, version in figures["versions"].items())
    lines += ["", f"Versions: {versions}."]
    lines += trends.docs_section(json.loads(trends.FIGURES.read_text(encoding="utf-8")))
    return "\n".join(lines) + "\n"


def _fixed_costs(figures: Figures) -> Iterator[str]:
    yield (
        f"The figures are those of the {figures['core']} version; the last column is the plain one "
        "(`THRESHER_CORE=plain`), in which everything is NumPy."
    )
    yield (
        f"A page of three lines takes {figures['small_page_milliseconds']:.2f} ms. "
        f"`import thresher` takes {figures['import_milliseconds']:.0f} ms once NumPy and turbohtml "
        f"are imported. Two threads extract {figures['two_threads']:.2f} times as many pages as "
        "one: most of the time Python's lock is held, so several processes are the way to use "
        "several cores."
    )


def _method_section(figures: Figures) -> list[str]:
    first, last = figures["growth_paragraphs"]
    rows = [
        [*_row(f"[{name}](methods/{name}.md)", own["ratio"], figures["parse"]),
         f"{own['growth']:.1f}"]
        for name, own in sorted(figures["methods"].items(), key=lambda item: item[1]["ratio"])
    ]  # fmt: skip
    return [
        "", "## Methods, from HTML to a selection", "",
        f"*Growth* is the time for a page of {last:,} paragraphs over that for {first:,}, parse "
        f"included: {last / first:g} is linear.", "", *markdown_table([*_HEAD, "growth"], rows),
    ]  # fmt: skip


def _summary(figures: Figures) -> Iterator[str]:
    size = figures["characters"] / 1e6
    memory = figures["memory"]
    first, last = figures["growth_paragraphs"]
    yield (
        f"{figures['pages']} pages with {size:.1f} million characters "
        f"({figures['origin']}), {figures['date']}."
    )
    yield (
        f"A page of {last:,} paragraphs takes `extract` {figures['growth']:.1f} times as long as "
        f"one of {first:,}. A process that extracts all these pages one by one uses at most "
        f"{memory['peak']:,} MB of memory, {memory['start']:,} MB of it before the first page."
    )


def _extract_rows(figures: Figures) -> list[list[str]]:
    parse = figures["parse"]
    return [_row(f"extract, {form}", ratio, parse) for form, ratio in figures["extract"].items()]


def _by_ratio(ratios: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(ratios.items(), key=lambda item: item[1])


def _row(name: str, ratio: float, parse: float | None = None) -> list[str]:
    return [name, f"{ratio:.2f}", "" if parse is None else f"{ratio - parse:.2f}"]


# --- the program ---------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure; write speed.json, docs/speed.md and the blocks of the README."""
    parser = argument_parser("speed", __doc__, "--pages 20 --rounds 2")
    parser.add_argument("--pages", type=int, default=PAGES, help="number of pages")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="number of rounds")
    parser.add_argument("--page-only", action="store_true", help="write the docs of the last run")
    given = parser.parse_args(arguments)
    if not given.page_only:
        figures = measure(given.pages, given.rounds)
        LAST_RUN.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(write_docs())


def write_docs() -> str:
    """Write docs/speed.md and the blocks of the README from the last figures; return the page."""
    figures = json.loads(LAST_RUN.read_text(encoding="utf-8"))
    page = docs_page(figures)
    (ROOT / "docs" / "speed.md").write_text(page, encoding="utf-8")
    write_block(ROOT / "README.md", "speed", readme_block(figures))
    write_block(ROOT / "README.md", "speed-in-words", readme_sentence(figures))
    return page


if __name__ == "__main__":
    main()
