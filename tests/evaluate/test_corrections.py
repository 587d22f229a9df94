"""Corrections of gold texts: the file, and how corpora are read with them."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.corpus_pages import corpora_folder
from benchmarks.generator import generate, write_jsonl
from thresher import InputError, parse
from thresher.cli import main
from thresher.cli.train import fold_table
from thresher.evaluate import corpora, corrections
from thresher.evaluate.corpora import GoldPage, read, read_first, read_sample
from thresher.evaluate.corrections import (
    REASONS,
    Correction,
    corrected_text,
    digest,
    load,
    row_labels,
    row_runs,
)
from thresher.evaluate.run import Tools, evaluate
from thresher.evaluate.training.gold_alignment import gold_labels
from thresher.evaluate.training.train import FoldScores, cross_validate

HTML = b"""<nav><a href="/">Home</a></nav><main><h1>Kettles</h1>
<p>Enamel kettle <b>of steel</b></p><p>$29</p><button>Add to cart</button>
<p>Copper kettle</p><p>$89</p></main><footer>Imprint</footer>"""
BLOCKS = ["Home", "Kettles", "Enamel kettle of steel", "$29", "Add to cart", "Copper kettle", "$89"]
CONTENT = [False, False, True, True, False, True, True, False]  # and "Imprint"


def correction(html: bytes = HTML, content: list[bool] = CONTENT) -> Correction:
    page = parse(html)
    return Correction(digest(html), len(page), "wrong", row_runs(page, np.array(content)))


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A corpus of three pages, the first two of which have a correction."""
    rows = [
        {"id": "1", "html": HTML.decode(), "text": "Shipping is free.", "must_have": ["Shipping"]},
        {"id": "2", "html": "<p>Not found", "text": "Kettles of all kinds"},
        {"id": "3", "html": "<p>A cup", "text": "A cup"},
    ]
    path = tmp_path / "shop.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = {page.id: page.html for page in read(path)}
    known = {"1": correction(found["1"]), "2": correction(found["2"], [False])}
    monkeypatch.setattr(corrections, "load", lambda: {"shop": known})
    return path


# --- the file ------------------------------------------------------------------------------------


def test_the_file_has_row_numbers_and_no_text():
    text = corrections.FILE.read_text(encoding="utf-8")
    names = {"wcxb-dev", "html", "rows", "why", "content", *REASONS}
    strings = re.findall(r'"([^"]*)"', text)
    assert {s for s in strings if not re.fullmatch(r"[0-9a-f]{16}|\d{4}", s)} == names


def test_every_correction_of_the_file_is_well_formed():
    for page in load()["wcxb-dev"].values():
        assert re.fullmatch("[0-9a-f]{16}", page.html)
        assert page.why in REASONS
        numbers = [number for run in page.content for number in run]
        assert numbers == sorted(numbers)
        assert all(0 <= number < page.rows for number in numbers)
        assert all(a[1] < b[0] for a, b in zip(page.content, page.content[1:], strict=False))


def test_the_file_belongs_to_the_corpus():
    folder = corpora_folder()
    if folder is None:
        return  # nothing to check without the corpus
    pages = list(read(folder / "wcxb-dev.parquet", corrected=True))
    corrected = {page.id: page for page in pages if page.published is not None}
    known = load()["wcxb-dev"]
    assert corrected.keys() == known.keys()
    for name, page in corrected.items():
        assert bool(page.text.strip()) == bool(known[name].content)
        assert (not page.published) == (known[name].why == "missing")


# --- rows ----------------------------------------------------------------------------------------


def test_runs_of_rows_are_the_labelled_blocks():
    page = parse(HTML)
    assert [page.block_text(block) for block in range(len(page.blocks))] == [*BLOCKS, "Imprint"]
    runs = correction().content
    assert len(runs) == 2  # the button stands between them
    labels = row_labels(page, runs)
    assert (labels == page.blocks.text_mask(np.array(CONTENT))).all()
    assert (
        corrected_text(page, runs).split() == "Enamel kettle of steel $29 Copper kettle $89".split()
    )
    assert not row_labels(page, ()).any()
    assert corrected_text(page, ()) == ""


def test_hidden_rows_are_text_too():
    html = b"<p>Kettles</p><div hidden><p>Cups</p></div>"
    page = parse(html)
    assert corrected_text(page, row_runs(page, np.array([False, True]))).strip() == "Cups"


# --- corpora -------------------------------------------------------------------------------------


def test_a_corpus_is_read_as_published_unless_asked(shop):
    assert [page.text for page in read(shop)] == [
        "Shipping is free.",
        "Kettles of all kinds",
        "A cup",
    ]
    assert all(page.content is None and page.published is None for page in read(shop))


def test_corrected_pages(shop):
    first, second, third = read(shop, corrected=True)
    assert first.text.split() == "Enamel kettle of steel $29 Copper kettle $89".split()
    assert (first.published, first.must_have) == ("Shipping is free.", ())
    assert (second.text, second.content, second.published) == ("", (), "Kettles of all kinds")
    assert third == GoldPage("3", third.html, "A cup")
    assert next(read_first(shop, 1, corrected=True)) == first
    assert list(read_sample(shop, None, corrected=True)) == [first, second, third]


def test_labels_come_from_the_correction(shop):
    first, second, third = read(shop, corrected=True)
    assert gold_labels(parse(first.html), first).sum() == 5
    assert not gold_labels(parse(second.html), second).any()
    assert gold_labels(parse(third.html), third).all()


def test_a_corpus_of_another_name_has_no_corrections(shop):
    other = shop.rename(shop.with_name("other.jsonl"))
    assert next(read(other, corrected=True)).text == "Shipping is free."


def test_another_version_of_the_page_is_refused(shop):
    shop.write_text(shop.read_text().replace("Home", "Start"))
    assert next(read(shop)).text
    with pytest.raises(
        InputError, match=r"page 1 is not the page that was corrected: its HTML dif"
    ):
        next(read(shop, corrected=True))


def test_another_division_into_rows_is_refused(shop, monkeypatch):
    known = corrections.load()["shop"]["1"]
    changed = {"1": known._replace(rows=known.rows + 1)}
    monkeypatch.setattr(corrections, "load", lambda: {"shop": changed})
    with pytest.raises(InputError, match=r"rows, not \d+ as when it was corrected: the parser"):
        next(read(shop, corrected=True))


def test_a_column_is_not_taken_for_a_correction(tmp_path):
    path = tmp_path / "pages.jsonl"
    row = {"html": "<p>one", "text": "one", "content": [[0, 1]], "published": "two"}
    path.write_text(json.dumps(row))
    page = next(corpora.read(path))
    assert (page.content, page.published) == (None, None)


# --- evaluation and training ---------------------------------------------------------------------


def test_evaluation_with_and_without(shop):
    def f1(corrected: bool) -> list[float]:
        results = evaluate([shop], Tools(("plain",)), jobs=1, corrected=corrected)
        return [page.scores["bag_f1"] for page in results.pages]

    without, corrected = f1(False), f1(True)
    assert without[:2] == [0, 0]
    assert corrected[0] > 0.7
    assert corrected[1] == 0  # nothing is content there
    assert without[2] == corrected[2] == 1


def test_the_option_of_evaluate(shop):
    arguments = ["evaluate", str(shop), "-m", "plain", "--no-cache", "--jobs", "1"]
    runner = CliRunner()
    shown = [runner.invoke(main, [*arguments, *more]) for more in ([], ["--corrections"])]
    assert [result.exit_code for result in shown] == [0, 0]
    assert shown[0].output != shown[1].output


def test_folds_are_trained_and_scored_with_corrections(tmp_path, monkeypatch):
    path = tmp_path / "small.jsonl"
    write_jsonl(generate(3, 12, sites=4), path)
    page = next(read(path))
    everything = correction(page.html, [True] * len(parse(page.html).blocks))
    monkeypatch.setattr(corrections, "load", lambda: {"small": {page.id: everything}})
    published = cross_validate("mss", [path], folds=2)
    corrected = cross_validate("mss", [path], folds=2, corrected=True)
    assert all(score.published_f1 is None for score in published)
    assert [score.page for score in corrected if score.published_f1] == [page.id]
    assert corrected[0].f1["plain"] > corrected[0].published_f1["plain"]
    assert corrected[0].published_f1["plain"] == published[0].f1["plain"]


def test_the_table_of_folds_shows_both():
    scores = [
        FoldScores("shop", "1", 0, {"bte": 0.8}, {"bte": 0.2}),
        FoldScores("shop", "2", 1, {"bte": 0.6}),
    ]
    rows = {line[:22].strip(): line[22:].split() for line in fold_table(scores).splitlines()[1:]}
    assert rows["shop"] == ["2", "0.700"]
    assert rows["shop, corrected pages"] == ["1", "0.800"]
    assert rows["shop, published gold"] == ["2", "0.400"]
