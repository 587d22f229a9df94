"""Runs over small corpora: measuring, what is kept and dropped, workers, the bar, Ctrl-C."""

import json
import logging
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time
import types

import numpy as np
import pytest

from tests.evaluate.in_process import without_workers
from thresher import InputError, UsageError
from thresher.evaluate import peers, run
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.run import Tools, evaluate, result_key
from thresher.methods.model import files as models

PAGES = [
    {
        "id": f"page {number}",
        "html": f"<ul><li><a href=/>Home</a></ul><p>{'wheat and chaff ' * 20} {number}</p>",
        "text": f"{'wheat and chaff ' * 20} {number}",
        "site": f"{number % 2}.example",
        "kind": "article",
        "must_have": ["wheat and chaff"],
        "must_not_have": ["Home"],
    }
    for number in range(6)
]


@pytest.fixture
def articles(tmp_path):
    path = tmp_path / "small.jsonl"
    path.write_text("".join(json.dumps(page) + "\n" for page in PAGES))
    return path


@pytest.mark.slow
def test_a_run(articles, tmp_path):
    done = []
    results = evaluate(
        [articles],
        Tools(("bte", "plain"), ("turbohtml",)),
        jobs=2,
        cache_path=tmp_path / "kept.sqlite",
        progress=done.append,
    )
    assert len(done) == 6
    assert [(page.page, page.tool) for page in results.pages] == [
        (page["id"], tool) for page in PAGES for tool in ("bte", "plain", "turbohtml")
    ]
    rows = {row.tool: row for row in results.rows()}
    assert rows["bte"].pages == 6
    assert rows["bte"].means["bag_f1"].value == 1
    assert rows["bte"].means["snippets"].value == 1
    assert rows["plain"].means["snippets"].value == 0.5
    assert rows["plain"].means["bag_precision"].value == pytest.approx(61 / 62)
    assert all(row.milliseconds > 0 and row.megabytes_per_second > 0 for row in rows.values())
    by_site = [row for row in results.rows(["site"]) if row.group != "all"]
    assert {(row.group, row.pages) for row in by_site} == {
        ("site: 0.example", 3),
        ("site: 1.example", 3),
    }


def test_a_second_run_looks_results_up(articles, tmp_path, monkeypatch):
    without_workers(monkeypatch)
    kept = tmp_path / "kept.sqlite"
    first = evaluate([articles], Tools(("bte",)), jobs=1, cache_path=kept)
    assert evaluate([articles], Tools(("bte",)), jobs=1, cache_path=kept) == first
    again = evaluate([articles], Tools(("bte",)), jobs=1)
    assert [page.scores for page in again.pages] == [page.scores for page in first.pages]
    assert again != first  # measured anew: other times


def test_a_changed_gold_text_is_measured_anew(articles, tmp_path, monkeypatch):
    without_workers(monkeypatch)
    kept = tmp_path / "kept.sqlite"
    evaluate([articles], Tools(("plain",)), jobs=1, cache_path=kept)
    articles.write_text(articles.read_text().replace('"text": "wheat', '"text": "barley'))
    changed = evaluate([articles], Tools(("plain",)), jobs=1, cache_path=kept)
    assert changed.pages[0].scores["bag_recall"] < 1


def test_limit(articles, monkeypatch):
    without_workers(monkeypatch)
    assert len(evaluate([articles], Tools(("plain",)), jobs=1, limit=2).pages) == 2


@pytest.mark.parametrize("tools", [{"methods": ("none",)}, {"peers": ("none",)}])
def test_unknown_tools_are_refused_before_any_page_is_read(tools):
    with pytest.raises(UsageError):
        Tools(**tools)


def test_a_cache_that_cannot_be_used_is_refused(articles, tmp_path):
    (tmp_path / "notes.txt").write_text("no database" * 100)
    for place in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(InputError, match="cannot keep results"):
            evaluate([articles], Tools(("plain",)), jobs=1, cache_path=place)


def test_corpora_without_pages_or_of_one_name_are_refused(articles, tmp_path, monkeypatch):
    without_workers(monkeypatch)
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(InputError, match="has no pages"):
        evaluate([tmp_path / "empty.jsonl"], Tools(("plain",)), jobs=1)
    with pytest.raises(UsageError, match="the same name"):
        evaluate([articles, articles], Tools(("plain",)), jobs=1)


def test_page_and_gold_do_not_run_into_each_other():
    one, other = GoldPage("1", b"xy", "z"), GoldPage("1", b"x", "yz")
    assert result_key(one, "bte", "1") != result_key(other, "bte", "1")


HTML = "<ul><li><a href=/>Home</a></ul>" + "<p>wheat and chaff</p>" * 20


def write_corpus(path, pages, html=HTML):
    lines = (json.dumps({"html": f"{html}{number}", "text": "wheat"}) for number in range(pages))
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path / "small.jsonl", 3)


# --- tools ---------------------------------------------------------------------------------------


def test_one_method_with_different_options_is_measured_twice(corpus, monkeypatch):
    without_workers(monkeypatch)
    tools = Tools(("bte", "bte(tag_cost=2)"))
    rows = evaluate([corpus], tools, jobs=1).rows()
    assert [(row.tool, row.pages) for row in rows] == [("bte", 3), ("bte(tag_cost=2.0)", 3)]


def test_the_same_method_is_measured_once():
    tools = Tools(("bte", "BTE()", "bte( tag_cost=2 )", "bte(tag_cost=2.0)"), ("turbohtml",) * 2)
    assert tools.methods == ("bte", "bte(tag_cost=2.0)")
    assert tools.peers == ("turbohtml",)


def test_the_key_of_a_method_names_what_it_computes_with():
    import turbohtml

    key = Tools(("bte",)).keys()["bte"]
    assert run.source_digest() in key
    assert f"numpy {np.__version__}" in key
    assert f"turbohtml {turbohtml.__version__}" in key


# --- what is kept --------------------------------------------------------------------------------


def kept(path):
    with sqlite3.connect(path) as database:
        found = database.execute("SELECT tool, version FROM result ORDER BY tool").fetchall()
    database.close()
    return found


def test_failures_are_not_kept(corpus, tmp_path, monkeypatch):
    without_workers(monkeypatch)
    path = tmp_path / "kept.sqlite"

    def failing(method, page):
        raise MemoryError("too large")

    monkeypatch.setattr(run, "_method_text", failing)
    first = evaluate([corpus], Tools(("bte",)), cache_path=path)
    assert [page.error for page in first.pages] == ["MemoryError: too large"] * 3
    assert kept(path) == []
    monkeypatch.undo()
    without_workers(monkeypatch)
    again = evaluate([corpus], Tools(("bte",)), cache_path=path)
    assert [page.error for page in again.pages] == [""] * 3
    assert len(kept(path)) == 3


def test_what_older_code_found_is_dropped(corpus, tmp_path, monkeypatch):
    without_workers(monkeypatch)
    path = tmp_path / "kept.sqlite"
    tools = Tools(("bte", "plain"), ("turbohtml",))
    monkeypatch.setattr(run, "method_key", lambda: "old")
    evaluate([corpus], tools, cache_path=path)
    assert [version for tool, version in kept(path) if tool != "turbohtml"] == ["old"] * 6
    monkeypatch.setattr(run, "method_key", lambda: "new")
    evaluate([corpus], Tools(("bte",)), cache_path=path)
    peer = ("turbohtml", run.peer_key("turbohtml"))
    assert kept(path) == [("bte", "new")] * 3 + [peer] * 3
    monkeypatch.setattr(run, "peer_key", lambda name: "newer")
    evaluate([corpus], Tools(("bte",)), cache_path=path)
    assert kept(path) == [("bte", "new")] * 3


@pytest.mark.parametrize(
    ("expression", "least"),
    [('maxent(model="{}")', 0.0), ('union(plain, maxent(model="{}"))', 1.0)],
)
def test_a_model_trained_again_to_the_same_path_is_measured_again(
    expression, least, corpus, tmp_path, monkeypatch
):
    without_workers(monkeypatch)
    path, model = tmp_path / "kept.sqlite", tmp_path / "maxent.npz"
    tools = Tools((expression.format(model),))
    shipped = models.load("maxent")
    header = {"features": shipped.header["features"]}

    def measured(bias):
        arrays = {**shipped.arrays, "bias": np.array([bias], np.float32)}
        model.write_bytes(models.to_bytes("maxent", arrays, **header))
        found = evaluate([corpus], tools, cache_path=path)
        return [page.scores["bag_recall"] for page in found.pages], len(kept(path))

    assert measured(1000.0) == ([1.0] * 3, 3)
    assert measured(-1000.0) == ([least] * 3, 6)
    assert measured(1000.0) == ([1.0] * 3, 6)  # known already


# --- workers -------------------------------------------------------------------------------------


def what_is_loaded() -> tuple[int, bool]:
    return run._peer.cache_info().currsize, "rapidfuzz.distance" in sys.modules


@pytest.mark.slow
def test_workers_are_warm_before_the_first_page():
    with run._pool(1, Tools(("bte",), ("turbohtml",))) as pool:
        assert pool.submit(what_is_loaded).result() == (1, True)


def test_readability_keeps_quiet(monkeypatch, caplog):
    class Document:
        def __init__(self, html):
            self.html = html

        def summary(self):
            logging.getLogger("readability.readability").exception("error getting summary:")
            raise ValueError(self.html)

    monkeypatch.setitem(sys.modules, "readability", types.SimpleNamespace(Document=Document))
    logger = logging.getLogger("readability")
    before = logger.level
    try:
        with pytest.raises(ValueError, match="page"):
            peers.peer("readability")("page")
    finally:
        logger.setLevel(before)
    assert caplog.records == []


# --- in a terminal -------------------------------------------------------------------------------


def start(corpus, **given):
    command = [sys.executable, "-m", "thresher", "evaluate", str(corpus), "-m", "bte", "--no-cache"]
    return subprocess.Popen(command, start_new_session=True, **given)


def read_all(terminal):
    """What a terminal shows until the other end is closed."""
    shown = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # Linux says so at the end
            part = b""
        if not part:
            return shown.decode()
        shown += part


@pytest.mark.slow
def test_the_bar_knows_how_many_pages_there_are(corpus):
    ours, theirs = pty.openpty()
    process = start(corpus, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = read_all(ours)
    os.close(ours)
    assert process.wait(60) == 0
    assert "0/3" in shown
    assert "3/3" in shown
    assert "left:" in shown


def is_gone(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0.0, 0.3], ids=["at-once", "a-little-later"])
@pytest.mark.parametrize("begun", [False, True], ids=["starting", "measuring"])
def test_ctrl_c_twice_ends_everything(tmp_path, begun, pause):
    corpus = write_corpus(tmp_path / "long.jsonl", 2_000, HTML * 50)
    ours, theirs = pty.openpty()
    process = start(corpus, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown = ""
    while ("/2000" not in shown) if not begun else (" 0/2000" in shown[-400:] or not shown):
        shown += os.read(ours, 65536).decode()
    for _ in range(2):
        os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to the whole group
        time.sleep(pause)
    try:
        # Python gives the signal back before its very end; a shell says 130 then too.
        assert process.wait(30) in (130, -signal.SIGINT)
        for _ in range(100):  # the workers end a moment later
            if is_gone(process.pid):
                break
            time.sleep(0.1)
        assert is_gone(process.pid)
    finally:
        if not is_gone(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
    shown += read_all(ours)
    os.close(ours)
    assert process.communicate()[0] == b""
    assert "Traceback" not in shown
