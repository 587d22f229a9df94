"""The figures of `make bench` as Markdown: a page of the docs, and a block of the README.

The bench (benchmarks/bench.py) writes its figures to a JSON file; this turns them into text. A test
compares the two, so the pages say what the last run measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.marked_blocks import markdown_table
from thresher.viewer.page_shell import count

__all__ = ["block", "page"]

Figures = dict[str, Any]

_HEAD = ["", "× turbohtml.parse", "beyond parse"]


def block(figures: Figures) -> str:
    """Return the block of the README: parse, the default methods, the renderers and the peers."""
    methods = figures["methods"]
    chosen = [name for name in figures["favored"] if name in methods]
    ordered = sorted(methods, key=lambda name: methods[name]["ratio"])
    rest = [name for name in (ordered[0], ordered[-1]) if name not in chosen] if ordered else []
    notes = {rest[0]: ", the fastest", rest[-1]: ", the slowest"} if len(rest) == 2 else {}
    rows = [_row("turbohtml.parse", 1.0), _row("thresher.parse", figures["parse"])]
    rows += [
        _row(f"parse + {name}{notes.get(name, '')}", methods[name]["ratio"], figures["parse"])
        for name in ordered
        if name in {*chosen, *rest}
    ]
    rows += _ours(figures)
    rows += [_row(f"*{name}*", ratio) for name, ratio in _by_ratio(figures["peers"])]
    return "\n".join([*_told(figures), "", *markdown_table(_HEAD, rows)]) + "\n"


def page(figures: Figures) -> str:
    """Return the page of the docs: the same with every method, growth and versions."""
    lines = [
        "# Speed", "", "Written by `make bench` from [last_run.json](../benchmarks/last_run.json).",
        *_told(figures), "",
        "Every figure is CPU time as a multiple of what `turbohtml.parse` takes for the same "
        f"pages, the sum over pages, the best of {count(figures['rounds'], 'round')} (peers: "
        f"{figures['peer_rounds']}); *beyond parse* leaves `thresher.parse` out. One parse takes "
        f"{figures['parse_milliseconds']:.2f} ms a page on the machine of this run.",
        *_methods(figures), "", "## From HTML to output, with the default method", "",
    ]  # fmt: skip
    rows = [_row("turbohtml.parse", 1.0), _row("thresher.parse", figures["parse"])]
    rows += [_row("of which columns", figures["parse"] - 1), *_ours(figures)]
    lines += markdown_table(_HEAD, rows)
    lines += ["", "## Other tools, from HTML to text", ""]
    peers = [_row(f"*{name}*", ratio)[:2] for name, ratio in _by_ratio(figures["peers"])]
    lines += markdown_table(_HEAD[:2], peers) if peers else ["None was installed."]
    versions = ", ".join(f"{name} {version}" for name, version in figures["versions"].items())
    lines += ["", f"Versions: {versions}."]
    return "\n".join(lines) + "\n"


def _methods(figures: Figures) -> list[str]:
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


def _told(figures: Figures) -> Iterator[str]:
    size = figures["characters"] / 1e6
    memory = figures["memory"]
    first, last = figures["growth_paragraphs"]
    yield (
        f"{figures['pages']} pages with {size:.1f} million characters "
        f"({figures['origin']}), {figures['date']}."
    )
    yield (
        f"`extract` to text grows {figures['growth']:.1f} times from {first:,} to {last:,} "
        f"paragraphs. A process that extracts all these pages one by one peaks at "
        f"{memory['peak']:,} MB, {memory['start']:,} of them before the first."
    )


def _ours(figures: Figures) -> list[list[str]]:
    parse = figures["parse"]
    return [_row(f"extract, {form}", ratio, parse) for form, ratio in figures["extract"].items()]


def _by_ratio(ratios: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(ratios.items(), key=lambda item: item[1])


def _row(name: str, ratio: float, parse: float | None = None) -> list[str]:
    return [name, f"{ratio:.2f}", "" if parse is None else f"{ratio - parse:.2f}"]
