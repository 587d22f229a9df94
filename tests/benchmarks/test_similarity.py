"""The table of similarity with other options."""

import thresher
from benchmarks import similarity
from thresher.methods.similarity import Similarity


def test_the_table(tmp_path, monkeypatch):
    page = thresher.parse("<p>one two</p><p>three</p>")
    monkeypatch.setattr(similarity, "sample", lambda path, number: [(page, "one two")] * number)
    lines = similarity.table({"all": lambda page: page.all()}, [tmp_path / "tea.jsonl"], 2)
    assert lines[-1] == "| all | 0.800 | 0.800 |"


def test_the_defaults_are_among_the_variants():
    assert Similarity() in similarity.variants().values()
