"""Corpora: Parquet, JSON Lines and folders, and errors in them."""

import json
from random import Random

import pytest

from thresher import InputError, parse
from thresher.evaluate.corpora import (
    GoldPage,
    annotated_text,
    name_of,
    page_count,
    read,
    read_sample,
    without_marks,
)


def test_parquet(tmp_path):
    import pyarrow as arrow
    from pyarrow import parquet

    rows = [
        {"id": "1", "html": b"<p>one", "text": "one", "site": "a.example", "must_have": ["one"]},
        {"id": "2", "html": b"<p>two", "text": "two", "site": None, "must_have": None},
    ]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "small.parquet")
    assert list(read(tmp_path / "small.parquet")) == [
        GoldPage("1", b"<p>one", "one", site="a.example", must_have=("one",)),
        GoldPage("2", b"<p>two", "two"),
    ]
    assert name_of(tmp_path / "small.parquet") == "small"


def test_json_lines(tmp_path):
    path = tmp_path / "pages.jsonl"
    path.write_text(json.dumps({"html": "<p>Grüße", "text": "Grüße", "lang": "de"}) + "\n\n")
    assert list(read(path)) == [GoldPage("1", "\ufeff<p>Grüße".encode(), "Grüße", lang="de")]


def test_a_folder_of_pages_and_texts(tmp_path):
    site = tmp_path / "a.example"
    site.mkdir()
    (site / "one.html").write_bytes(b"<p>one")
    (site / "one.txt").write_text("one")
    assert list(read(tmp_path)) == [GoldPage("a.example/one", b"<p>one", "one", site="a.example")]


def test_cleaneval_marks(tmp_path):
    (tmp_path / "1.html").write_bytes(b'<text id="x"><p>one</p></text>')
    (tmp_path / "1-cleaned.txt").write_text("URL: http://a.example/\n\n<h>Head\n<p>one\n<l>item\n")
    assert next(read(tmp_path)).text.split() == ["Head", "one", "item"]
    assert without_marks("a < b and <p> in a sentence") == "a < b and <p> in a sentence"


def test_cleaneval_marks_within_a_line():
    text = "URL: http://a.example/\n\n<p>one <b>bold</b><h>Head<l> item <L>two\n"
    assert without_marks(text).splitlines() == ["one <b>bold</b>", "Head", "item", "two"]


def test_pages_that_mark_their_own_content(tmp_path):
    html = (
        b'<div><span class="x-nc-sel0">menu</span><h1><span class="x-nc-sel1">Head</span></h1>'
        b'<p><span class="x-nc-sel2">Body <b>text</b></span></p><span class="x-nc-sel4">more</span>'
    )
    assert annotated_text(html).split() == ["Head", "Body", "text"]
    (tmp_path / "page.html").write_bytes(html)
    assert next(read(tmp_path)).text.split() == ["Head", "Body", "text"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.jsonl", None, "no corpus"),
        ("notes.txt", "x", "cannot tell"),
        ("bad.jsonl", "{", "line 1: this is not JSON"),
        ("list.jsonl", "[1]", "one JSON object a line"),
        ("half.jsonl", '{"html": "x"}', "lacks html or text"),
        ("number.jsonl", '{"html": 5, "text": "x"}', "page 1: html must be text"),
        ("numbers.jsonl", '{"html": "x", "text": 5}', "page 1: text must be text"),
        ("texts.jsonl", '{"html": "x", "text": ["a"]}', "text must be text"),
        ("snippets.jsonl", '{"html": "x", "text": "x", "must_have": "abc"}', "a list of texts"),
        ("deep.jsonl", "[" * 100_000, "line 1: this is not JSON"),
        ("fake.parquet", "x", "it is not a Parquet file"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        list(read(tmp_path / name))


def test_folders_without_pages_or_gold(tmp_path):
    with pytest.raises(InputError, match="no pages"):
        list(read(tmp_path))
    (tmp_path / "page.html").write_text("<p>one")
    with pytest.raises(InputError, match=r"put page\.txt beside it"):
        list(read(tmp_path))


def test_text_with_a_meta_of_another_charset_is_read_as_it_is(tmp_path):
    path = tmp_path / "pages.jsonl"
    row = {"html": "<meta charset=latin1><p>café thé", "text": "café thé"}
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(row).encode())
    assert parse(next(read(path)).html).all().text() == "café thé"


def test_a_sample_has_the_first_pages_of_a_shuffle(tmp_path):
    path = tmp_path / "many.jsonl"
    rows = [json.dumps({"id": f"{number}", "html": "x", "text": "x"}) for number in range(30)]
    path.write_text("\n".join(rows))
    shuffled = [page.id for page in read(path)]
    Random(7).shuffle(shuffled)
    found = [page.id for page in read_sample(path, 12)]
    assert found == sorted(shuffled[:12], key=int)
    assert found != [f"{number}" for number in range(12)]
    assert [page.id for page in read_sample(path, 99)] == [
        page.id for page in read_sample(path, None)
    ]
    assert len(list(read_sample(path, 99))) == 30


def test_parquet_without_ids(tmp_path):
    import pyarrow as arrow
    from pyarrow import parquet

    rows = [{"html": b"<p>one", "text": "one"}]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "small.parquet")
    assert next(read(tmp_path / "small.parquet")).id == "1"


def test_a_folder_in_the_place_of_a_text_is_refused(tmp_path):
    (tmp_path / "page.html").write_text("<p>one")
    (tmp_path / "page.txt").mkdir()
    with pytest.raises(InputError, match=r"page\.html: page\.txt is a folder, not a text"):
        list(read(tmp_path))


def test_a_folder_named_like_a_page_is_no_page(tmp_path):
    saved = tmp_path / "saved.html"
    saved.mkdir()
    (saved / "one.html").write_bytes(b"<p>one")
    (saved / "one.txt").write_bytes(b"\xef\xbb\xbf<p>one")
    assert [(page.id, page.text) for page in read(tmp_path)] == [("saved.html/one", "one")]


def test_page_count(tmp_path):
    import pyarrow as arrow
    from pyarrow import parquet

    rows = [{"html": b"<p>one", "text": "one"}] * 3
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "three.parquet")
    (tmp_path / "two.jsonl").write_text('{"html": "", "text": ""}\n\n{"html": "", "text": ""}\n')
    (tmp_path / "one.htm").write_text("<p>one")
    (tmp_path / "bad.parquet").write_text("x")
    places = ["three.parquet", "two.jsonl", ".", "bad.parquet", "none.jsonl"]
    assert [page_count(tmp_path / place) for place in places] == [3, 2, 1, None, None]
