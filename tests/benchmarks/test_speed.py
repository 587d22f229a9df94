"""Speed: the docs agree with the last run, and a small run."""

import json
import re
from pathlib import Path

import pytest

import thresher
from benchmarks import speed
from benchmarks.marked_blocks import block

ROOT = Path(__file__).parents[2]
LAST_RUN = json.loads((ROOT / "docs" / "figures" / "speed.json").read_text(encoding="utf-8"))
FAVORS = ("precision", "balance", "recall")


def test_the_docs_and_the_readme_say_what_the_last_bench_measured():
    docs, readme = (ROOT / "docs" / "speed.md", ROOT / "README.md")
    assert docs.read_text(encoding="utf-8") == speed.docs_page(LAST_RUN)
    shown = block(readme.read_text(encoding="utf-8"), "speed")
    assert shown == speed.readme_block(LAST_RUN)
    sentence = block(readme.read_text(encoding="utf-8"), "speed-in-words")
    assert sentence == speed.readme_sentence(LAST_RUN)


def test_the_sentence_rounds():
    for ratio, word in ((7.5, "eight"), (12.4, "twelve"), (12.6, "13")):
        sentence = speed.readme_sentence({"extract": {"text": ratio}})
        assert f"takes about {word} times as long" in sentence


def figures_of(methods):
    return {
        **LAST_RUN,
        "methods": {name: {"ratio": r, "growth": 4.04} for name, r in methods.items()},
        "parse": 3.0,
        "favored": ["bte", "cetd"],
        "peers": {"slow": 80.0, "quick": 2.5},
    }


def test_speed_with_many_methods():
    methods = {f"m{number}": 3 + number / 10 for number in range(1, 40)}
    figures = figures_of({**methods, "bte": 3.25, "cetd": 4.0})
    rows = re.findall(r"^\| parse \+ (.*) \|$", speed.readme_block(figures), re.M)
    assert rows == [
        "m1, the fastest | 3.10 | 0.10",
        "bte | 3.25 | 0.25",
        "cetd | 4.00 | 1.00",
        "m39, the slowest | 6.90 | 3.90",
    ]
    page = speed.docs_page(figures)
    assert "| [m7](methods/m7.md) | 3.70 | 0.70 | 4.0 |" in page
    assert len(re.findall(r"\(methods/", page)) == 41
    assert page.index("*quick* | 2.50") < page.index("*slow* | 80.00")


def test_speed_with_the_default_methods_alone():
    shown = speed.readme_block(figures_of({"bte": 3.25, "cetd": 4.0}))
    assert re.findall(r"^\| parse \+ (\S+) \|", shown, re.M) == ["bte", "cetd"]


@pytest.fixture
def small(monkeypatch):
    """The benchmark without corpora, with one method and no peers."""
    monkeypatch.setenv("THRESHER_CORPORA", "nowhere")
    monkeypatch.setattr(speed, "method_works", lambda: {"bte": speed.method_work("bte")})
    monkeypatch.setattr(speed, "peer_works", dict)
    monkeypatch.setattr(speed, "PARAGRAPHS", (10, 40))
    monkeypatch.setattr(speed, "memory", lambda texts: {"start": 40, "peak": 50})


@pytest.mark.slow
def test_a_small_run(small):
    figures = json.loads(json.dumps(speed.measure(2, 1)))
    assert set(figures) == set(LAST_RUN)
    assert figures["pages"] == 2
    assert figures["origin"].startswith("generated with seed 7")
    assert figures["favored"] == [thresher.extract("<p>", favor=f).method for f in FAVORS]
    assert set(figures["methods"]) == {"bte"}
    assert all(ratio > 0 for ratio in (figures["parse"], *figures["extract"].values()))
    assert "[bte](methods/bte.md)" in speed.docs_page(figures)
