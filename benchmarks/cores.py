"""Compare the compiled with the plain version of every kernel on all pages of the corpora.

Equal are columns, texts and status of each page, the selection of the default and its text.
Features may differ in the last digit of a float. Prints how many pages were compared, and the
differences if there are any. The two versions run in this process, one after the other.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

import thresher
from benchmarks.corpus_pages import corpora_folder
from tests.cores import plain_core
from thresher.methods.default.features import Features, block_features
from thresher.methods.default.judge import load_judge
from thresher.page import Page
from thresher.page.core import COMPILED

COLUMNS = ("tag", "end", "parent", "level", "chars", "words", "linked", "hidden")
LAST_DIGIT = 2e-7  # relative, of a float of 32 bits


def pages() -> Iterator[tuple[str, bytes]]:
    """Yield a name and the HTML of every page of the corpora."""
    import pyarrow.parquet as parquet

    folder = corpora_folder()
    if folder is None:
        sys.exit("no corpora: set THRESHER_CORPORA to their folder")
    for file in sorted(folder.glob("*.parquet")):
        if "html" in parquet.read_schema(file).names:
            table = parquet.read_table(file, columns=["id", "html"])
            for name, html in zip(*(column.to_pylist() for column in table.columns), strict=True):
                yield f"{file.stem}/{name}", html


def computed(html: bytes) -> tuple[Page, Features | None, thresher.Document]:
    """Return the page, its features, and the document."""
    page = thresher.parse(html)
    return page, block_features(page, load_judge().table), thresher.extract(page)


def differences(html: bytes) -> list[str]:
    """Return what differs between the two versions."""
    page, features, document = computed(html)
    with plain_core():
        plain, expected, other = computed(html)
    found = [name for name in COLUMNS if (getattr(page, name) != getattr(plain, name)).any()]
    found += [name for name in ("texts", "status") if getattr(page, name) != getattr(plain, name)]
    if (features is None) != (expected is None):
        found.append("features")
    elif features is not None and expected is not None:
        near = np.isclose(features.matrix, expected.matrix, rtol=LAST_DIGIT, atol=0)
        found += [] if near.all() else ["features"]
    if document.selection.keep.tolist() != other.selection.keep.tolist():
        found.append("selection")
    return found + (["text"] if document.text != other.text else [])


def main() -> None:
    if not COMPILED:
        sys.exit("the kernels are not built: install a C compiler and run make again")
    count = wrong = 0
    for name, html in pages():
        count += 1
        if found := differences(html):
            wrong += 1
            print(f"{name}: {', '.join(found)}", flush=True)
    print(f"{count:,} pages compared, {wrong:,} differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
