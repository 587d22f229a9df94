"""Measures of threads: scores of comments, numbers of posts, kinds of pages."""

import json
from functools import lru_cache
from pathlib import Path

import pytest

from benchmarks import threads as measure
from benchmarks.floors import corpora_folder
from tests.structure.threads.markup import (
    ARTICLE,
    SAID,
    WHEN,
    WHO,
    WORDPRESS,
    XENFORO,
    records_html,
)
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.page.parse import parse


def test_scores_of_comments_on_pages_with_and_without():
    page = f"{ARTICLE}<div class=commentlist>{records_html(WORDPRESS)}</div>"
    said = "\n".join(
        f"{who} says: {when} at 8:00 {text}"
        for who, when, text in zip(WHO, WHEN, SAID, strict=True)
    )
    article = parse(ARTICLE).all().text()
    found = measure.comments(
        [
            GoldPage("with", page.encode(), article, comments=said),
            GoldPage("without", ARTICLE.encode(), article),
            GoldPage("wrong", page.encode(), article),
        ]
    )
    assert (found.pages, found.others, found.claimed) == (1, 2, 1)
    assert found.f1 == 1.0
    assert 0.7 < found.text_f1 < 1.0
    assert found.lost == 0.0
    assert found.all_f1 == pytest.approx(2 / 3)


def test_posts_are_right_within_one():
    page = GoldPage("a", records_html(XENFORO).encode(), "")
    assert measure.posts([page, GoldPage("b", b"", "")], {"a": 4}) == {"a": (3, 4)}
    assert measure.within_one({"a": (3, 4), "b": (3, 5)}) == 1


def test_posts_that_are_not_in_the_text_are_counted():
    below = f"{ARTICLE}<div class=commentlist>{records_html(WORDPRESS)}</div>"
    pages = [
        GoldPage("thread", records_html(XENFORO).encode(), ""),
        GoldPage("b", below.encode(), ""),
    ]
    assert measure.missing(pages) == measure.Missing(1, 3, 0, ())
    assert measure.missing(pages, "comments") == measure.Missing(1, 3, 3, ("b",))


def test_kinds_are_counted_by_verdict():
    pages = [
        GoldPage("a", records_html(XENFORO).encode(), ""),
        GoldPage("b", ARTICLE.encode(), ""),
        GoldPage("c", b"", ""),
    ]
    assert measure.kinds(pages, {"thread": ["a"], "index": ["b"]}) == {
        "thread": {"thread": 1},
        "index": {"none": 1},
    }


def test_without_corpora_the_command_says_so(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path / "none"))
    assert measure.main([]) == 2
    assert capsys.readouterr().out == "threads: no corpora, set THRESHER_CORPORA\n"


@lru_cache
def corpus(path):
    return list(corpora.read(path))


def judged_pages(name):
    """Return judgements made by hand and the pages of their corpus; None without corpora."""
    folder = corpora_folder()
    if folder is None:
        assert measure.main([]) == 2
        return None
    data = json.loads((Path(__file__).with_name(name)).read_text())
    return data, corpus(folder / f"{data['corpus']}.parquet")


@pytest.mark.slow
def test_number_of_posts_on_forum_pages(capsys):
    judged = judged_pages("forum_posts.json")
    if judged is None:
        return
    data, pages = judged
    found = measure.posts(pages, data["posts"])
    assert len(found) == 20
    assert measure.within_one(found) >= 18, found


@pytest.mark.slow
def test_kinds_of_threads_and_indexes():
    judged = judged_pages("thread_or_index.json")
    if judged is None:
        return
    data, pages = judged
    found = measure.kinds(pages, data["verdicts"])
    assert {verdict: kinds.total() for verdict, kinds in found.items()} == {
        "thread": 40,
        "index": 29,
        "neither": 24,
    }
    assert found["thread"]["thread"] >= 36
    assert not found["thread"]["index"]
    assert not found["index"]["thread"]
    assert found["index"]["index"] >= 16
    assert found["neither"]["thread"] + found["neither"]["index"] <= 1
