"""How a run works inside: what is kept and dropped, warm workers, the bar, and Ctrl-C."""

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
from concurrent.futures import Future
from contextlib import contextmanager

import numpy as np
import pytest

from thresher.evaluate import peers, run
from thresher.evaluate.cache import Store
from thresher.evaluate.run import Tools, evaluate
from thresher.methods.model import files as models

HTML = "<ul><li><a href=/>Home</a></ul>" + "<p>wheat and chaff</p>" * 20


def write_corpus(path, pages, html=HTML):
    lines = (json.dumps({"html": f"{html}{number}", "text": "wheat"}) for number in range(pages))
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path / "small.jsonl", 3)


# --- tools ---------------------------------------------------------------------------------------


def test_one_method_with_different_options_is_measured_twice(corpus):
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


class Here:
    """A pool that works at once, in this process."""

    def submit(self, work, *arguments):
        done: Future = Future()
        done.set_result(work(*arguments))
        return done


@contextmanager
def here(jobs, tools):
    yield Here()


def kept(path):
    with sqlite3.connect(path) as database:
        found = database.execute("SELECT tool, version FROM result ORDER BY tool").fetchall()
    database.close()
    return found


def test_failures_are_not_kept(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "_pool", here)
    path = tmp_path / "kept.sqlite"

    def failing(method, page):
        raise MemoryError("too large")

    monkeypatch.setattr(run, "_method_text", failing)
    first = evaluate([corpus], Tools(("bte",)), cache_path=path)
    assert [page.error for page in first.pages] == ["MemoryError: too large"] * 3
    assert kept(path) == []
    monkeypatch.undo()
    monkeypatch.setattr(run, "_pool", here)
    again = evaluate([corpus], Tools(("bte",)), cache_path=path)
    assert [page.error for page in again.pages] == [""] * 3
    assert len(kept(path)) == 3


def test_what_older_code_found_is_dropped(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "_pool", here)
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
    monkeypatch.setattr(run, "_pool", here)
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


def test_a_store_of_before_is_emptied(tmp_path):
    path = tmp_path / "kept.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT)")
    database.close()
    Store(path).close()
    with sqlite3.connect(path) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    database.close()
    assert names == [("result",)]


# --- workers -------------------------------------------------------------------------------------


def what_is_loaded() -> tuple[int, bool]:
    return run._peer.cache_info().currsize, "rapidfuzz.distance" in sys.modules


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
