"""Check that no method falls below its floor: the word F1 that it must keep on each corpus.

The floors are in a JSON file. A run measures the same pages again and prints the methods below
their floor. `--pin` raises the floors to what is measured; lowering one takes `--lower`, and a
sentence in the changelog. `make floors` checks, `make pin-floors` pins. The corpora are in the
folder that THRESHER_CORPORA names, else in `../shared/corpora`; without them nothing is checked.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.corpus_pages import argument_parser, corpora_folder, exit_with
from thresher import methods
from thresher.evaluate.run import Tools, evaluate

Floors = dict[str, dict[str, float]]  # corpus, method, word F1

PAGES = 120  # of each corpus: enough to notice a loss of 0.005, and measured in a minute
_ROUNDING = 0.0005


def measured(
    folder: Path, corpora: Sequence[str], names: Sequence[str], cache_path: Path | None = None
) -> Floors:
    """Return the word F1 of methods on the first pages of each corpus."""
    paths = [folder / f"{name}.parquet" for name in corpora]
    results = evaluate(paths, Tools(tuple(names)), limit=PAGES, cache_path=cache_path)
    found: Floors = {}
    for row in results.rows():
        found.setdefault(row.corpus, {})[row.tool] = round(row.means["bag_f1"].value, 4)
    return found


def below(floors: Floors, found: Floors) -> list[str]:
    """Return a sentence for each method that is below its floor or was not measured."""
    sentences = []
    for corpus, by_method in floors.items():
        for method, floor in by_method.items():
            value = found.get(corpus, {}).get(method)
            if value is None:
                sentences.append(f"{method} on {corpus}: not measured, the floor is {floor:.4f}.")
            elif value < floor - _ROUNDING:
                sentences.append(f"{method} on {corpus}: {value:.4f}, below its floor {floor:.4f}.")
    return sentences


def merged(floors: Floors, found: Floors, lower: bool) -> Floors:
    """Return the floors raised to what was found; with `lower`, also lowered."""
    new: Floors = {}
    for corpus, by_method in sorted(found.items()):
        old = floors.get(corpus, {})
        new[corpus] = {
            method: value if lower else max(value, old.get(method, 0.0))
            for method, value in sorted(by_method.items())
        }
    return new


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the floors, or pin new ones; return the exit code."""
    parser = argument_parser("floors", __doc__, "floors.json --cache build/scores.sqlite")
    parser.add_argument("file", type=Path, help="the JSON file of floors")
    parser.add_argument("--pin", action="store_true", help="raise the floors to what is measured")
    parser.add_argument("--lower", action="store_true", help="let --pin lower floors, too")
    parser.add_argument("--method", help="measure and pin this method only")
    parser.add_argument("--cache", type=Path, help="where results are kept for next time")
    given = parser.parse_args(arguments)
    folder = corpora_folder()
    if folder is None or not any(folder.glob("*.parquet")):
        if given.pin:
            _print("floors: nothing is pinned without corpora, set THRESHER_CORPORA")
            return 1
        _print("floors: not checked (no corpora)")
        return 0
    pinned: Floors = json.loads(given.file.read_text()) if given.file.exists() else {}
    corpora = list(pinned) or sorted(path.stem for path in folder.glob("*.parquet"))
    corpora = [name for name in corpora if name != "acl-abstracts"]
    names = [given.method] if given.method else methods.names()
    floors = pinned
    if given.method:
        floors = {
            corpus: {name: floor for name, floor in own.items() if name == given.method}
            for corpus, own in pinned.items()
        }
    found = measured(folder, corpora, names, given.cache)
    sentences = below(floors, found)
    if given.pin and (given.lower or not sentences):
        new = merged(floors, found, given.lower)
        if given.method:
            new = {
                corpus: dict(sorted((pinned.get(corpus, {}) | own).items()))
                for corpus, own in new.items()
            }
        given.file.write_text(json.dumps(new, indent=1) + "\n")
        _print(f"floors: pinned {sum(map(len, new.values()))}")
        return 0
    for sentence in sentences:
        _print(sentence)
    _print(f"floors: checked {sum(map(len, floors.values()))}")
    return 1 if sentences else 0


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    exit_with(main)
