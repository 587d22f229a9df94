"""A small training of the default, and a small corpus."""

import pytest

from benchmarks.generator import generate, write_jsonl
from thresher.evaluate.training import default

FEW = {
    "_MEMBERS": 2, "_TREES": 6, "_FIRST": 4, "_DEPTH": 3, "_KIND_TREES": 3, "_KIND_DEPTH": 2,
}  # fmt: skip


@pytest.fixture
def few(monkeypatch):
    for name, value in FEW.items():
        monkeypatch.setattr(default, name, value)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "made.jsonl"
    write_jsonl(generate(5, 60, sites=15), path)
    return path
