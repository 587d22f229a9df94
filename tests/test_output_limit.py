"""Outputs are bounded: `Limits.output`, quote marks, paths, and what the status says about it."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import thresher
from tests.render.helpers import valid_tei
from thresher import Limits, extract, parse
from thresher.batch.formats import Writer
from thresher.batch.sources import Input
from thresher.document import counted_size, width_of
from thresher.render import FORMATS

PAGE = "<h1>Rain</h1>" + "<p>All night it rained on <b>the roof</b>.</p>" * 300
NOTE = "output cut at 3,000 characters"
CUT_FORMATS = [form for form in FORMATS if form != "in-place"]


@pytest.mark.parametrize("form", CUT_FORMATS)
def test_an_output_past_the_limit_is_cut_and_the_status_says_so(form):
    page = parse(PAGE, limits=Limits(output=3_000))
    document = extract(page, method="plain")
    assert document.status == "complete"
    written = document.render(form)
    assert 2_000 < len(written) <= 3_000
    assert "Rain" in written
    assert document.status == NOTE
    if form == "json":
        assert json.loads(written)["status"] == NOTE
    if form == "tei":
        valid_tei(written)
    assert len(extract(parse(PAGE), method="plain").render(form)) > 3_000


def test_what_fits_is_whole():
    whole = extract(PAGE, method="plain")
    document = extract(parse(PAGE, limits=Limits(output=len(whole.text))), method="plain")
    assert document.render("text") == whole.text
    assert document.status == "complete"


def test_the_page_in_place_is_never_cut():
    document = extract(parse(PAGE, limits=Limits(output=3_000)), method="plain")
    assert document.render("in-place") == extract(PAGE, method="plain").render("in-place")
    assert document.status == "complete"


@pytest.mark.parametrize("form", ["json", "csv"])
def test_records_of_many_inputs_are_cut_too(form):
    document = extract(parse(PAGE, limits=Limits(output=3_000)), method="plain")
    written = Writer(form)(Input("a.html", "file", ("a.html",)), document)
    assert len(written) <= 3_001
    assert NOTE in written
    assert document.status == NOTE


def test_all_fields_are_cut_together():
    document = extract(parse(PAGE, limits=Limits(output=20_000)), method="plain")
    found = json.loads(document.json(fields="+blocks,markdown,html"))
    assert found["status"] == "output cut at 20,000 characters"
    assert 0 < len(found["blocks"]) < 301
    assert found["markdown"].count("rained") == found["text"].count("rained")


def test_a_text_longer_than_the_limit_is_left_out():
    document = extract(parse("<p>" + "word " * 1_000, limits=Limits(output=100)), method="plain")
    assert document.markdown() == ""
    assert document.status == "output cut at 100 characters"


def test_a_pickled_page_has_its_limit():
    page = pickle.loads(pickle.dumps(parse(PAGE, limits=Limits(output=3_000))))
    assert len(extract(page, method="plain").html()) <= 3_000


def test_escapes_and_addresses_are_counted_before_anything_is_written():
    limits = Limits(output=10_000)
    escaped = extract(parse("<p>" + "&lt;" * 3_000, limits=limits), method="plain")
    assert escaped.html() == "<article></article>"
    url = "http://example.org/" + "x" * 1_000 + "/"
    linked = extract(parse("<p>" + "<a href=y>z</a> " * 50, limits=limits, url=url), method="plain")
    assert 0 < len(linked.markdown()) <= 10_000


def test_paths_are_bounded():
    many = "<div>" * 100 + "<p>a b</p>" * 3
    paths = [block.position.css_path for block in extract(many, method="plain").blocks]
    assert len(set(paths)) == 3
    assert all(path.count(" > ") == 63 for path in paths)
    long = f"<x-{'y' * 5_000}>" * 20 + "<i>a b"
    found = extract(long, method="plain")
    assert found.blocks[0].position.css_path.endswith("* > * > i")
    assert len(json.loads(found.json(fields="+blocks"))["blocks"][0]["css_path"]) < 200


def test_paths_of_very_many_blocks_are_shorter(monkeypatch):
    monkeypatch.setattr("thresher.page.positions._MOST_CHARACTERS", 3_000)
    document = extract("<div>" * 60 + "<p>a b</p>" * 20, method="plain")
    blocks = json.loads(document.json(fields="blocks"))["blocks"]
    assert all(len(block["css_path"]) <= 150 for block in blocks)
    assert blocks[3]["css_path"].endswith("div > p:nth-of-type(4)")


def test_the_limit_is_checked():
    with pytest.raises(thresher.UsageError, match="limit output is 0"):
        Limits(output=0)


def test_the_memory_of_long_outputs_is_counted():
    page = parse(PAGE)
    assert [width_of(text) for text in ("", "a", "é", "中", "🍵", "a🍵")] == [1, 1, 1, 2, 4, 4]
    assert counted_size(49_000_000, 1, page) == counted_size(49_000_000, 2, page) == 49_000_000
    assert counted_size(40_000_000, 4, page) > 50_000_000
    many = parse("<p>x" * 60_000)
    assert counted_size(45_000_000, 2, many) > 50_000_000 > counted_size(45_000_000, 1, many)
    short = parse(PAGE, limits=Limits(output=10_000))
    assert counted_size(9_999, 4, short) == 9_999


MEMORY = """
import sys
from benchmarks.attack.shapes import memory
print(max(memory(sys.argv[1]).values()))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["10 million Chinese characters", "8 million emoji"])
def test_all_fields_of_wide_characters_need_at_most_300_mb(name):
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, name],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1],
    )  # fmt: skip
    assert float(done.stdout) <= 300
