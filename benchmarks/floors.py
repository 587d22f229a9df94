"""Floors: the word F1 that each method must keep on each corpus.

The floors stand in a JSON file. A run measures the same pages again and says where a method fell
below its floor. Raising floors is always allowed; lowering one takes a flag, and a sentence in the
changelog.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from thresher import methods
from thresher.evaluate.run import Tools, evaluate

__all__ = ["below", "corpora_folder", "main", "measured", "merged"]

Floors = dict[str, dict[str, float]]  # corpus, method, word F1

PAGES = 120  # of each corpus: enough to notice a slip of half a point, and to check in a minute
_SLACK = 0.0005  # rounding


def corpora_folder() -> Path | None:
    """Return where the corpora are: `THRESHER_CORPORA`, else `../shared/corpora`, if there."""
    named = os.environ.get("THRESHER_CORPORA")
    folder = Path(named) if named else Path("..") / "shared" / "corpora"
    return folder if folder.is_dir() else None


def measured(folder: Path, corpora: Sequence[str], cache_path: Path | None = None) -> Floors:
    """Return the word F1 of every method on the first pages of each corpus."""
    tools = Tools(tuple(methods.names()))
    paths = [folder / f"{name}.parquet" for name in corpora]
    results = evaluate(paths, tools, limit=PAGES, cache_path=cache_path)
    found: Floors = {}
    for row in results.rows():
        found.setdefault(row.corpus, {})[row.tool] = round(row.means["bag_f1"].value, 4)
    return found


def below(floors: Floors, found: Floors) -> list[str]:
    """Return a sentence for each method that fell below its floor, or was not measured."""
    told = []
    for corpus, by_method in floors.items():
        for method, floor in by_method.items():
            value = found.get(corpus, {}).get(method)
            if value is None:
                told.append(f"{method} on {corpus}: not measured, the floor is {floor:.4f}.")
            elif value < floor - _SLACK:
                told.append(f"{method} on {corpus}: {value:.4f}, below its floor {floor:.4f}.")
    return told


def merged(floors: Floors, found: Floors, lower: bool) -> Floors:
    """Return the floors raised to what was found; also lowered, if that is allowed."""
    new: Floors = {}
    for corpus, by_method in sorted(found.items()):
        old = floors.get(corpus, {})
        new[corpus] = {
            method: value if lower else max(value, old.get(method, 0.0))
            for method, value in sorted(by_method.items())
        }
    return new


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the floors, or pin new ones."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.floors")
    parser.add_argument("file", type=Path, help="the JSON file of floors")
    parser.add_argument("--pin", action="store_true", help="raise the floors to what is measured")
    parser.add_argument("--lower", action="store_true", help="let --pin lower floors too")
    parser.add_argument("--cache", type=Path, help="where results are kept for next time")
    given = parser.parse_args(arguments)
    folder = corpora_folder()
    if folder is None or not any(folder.glob("*.parquet")):
        _say("floors: not checked (no corpora)")
        return 0
    floors: Floors = json.loads(given.file.read_text()) if given.file.exists() else {}
    corpora = list(floors) or sorted(path.stem for path in folder.glob("*.parquet"))
    found = measured(folder, [name for name in corpora if name != "acl-abstracts"], given.cache)
    told = below(floors, found)
    if given.pin and (given.lower or not told):
        new = merged(floors, found, given.lower)
        given.file.write_text(json.dumps(new, indent=1) + "\n")
        _say(f"floors: pinned {sum(map(len, new.values()))}")
        return 0
    for sentence in told:
        _say(sentence)
    _say(f"floors: checked {sum(map(len, floors.values()))}")
    return 1 if told else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
