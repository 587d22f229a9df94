"""Sites as bytes and as JSON, and the store that keeps them: processes, kills, damaged files."""

import json
import multiprocessing
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from benchmarks.generator import generate
from thresher import InputError, Site, UsageError
from thresher.site import site as sites
from thresher.site import template as templates
from thresher.site.matching import Sequence
from thresher.site.site import Reference
from thresher.site.store import MOST_BYTES, Store, host_key
from thresher.site.template import Template

HOST = "puddle.example"


def page(number: int, words: int = 40, layout: int = 0) -> str:
    """A page of a small site: a menu, a footer, and a text of its own."""
    text = " ".join(f"word{number}x{at}" for at in range(words))
    menu = "".join(f"<li><a href=/{at}>Menu entry {at}</a>" for at in range(6))
    return (
        f"<html><body><div class=top{layout}><ul class=menu>{menu}</ul></div>"
        f"<div class=main{'abcdefghij'[layout % 10] * 3}><h1>Title {number}</h1><p>{text}.</p>"
        f"<p>Second paragraph {number}, with some more words, and a comma.</p></div>"
        f"<footer>All rights reserved by the puddle of layout {layout}</footer></body></html>"
    )


def small_site(pages: int = 4) -> Site:
    return thresher.learn(
        ((page(n), f"https://{HOST}/2024/{n}.html") for n in range(pages)), host=HOST
    )


# --- bytes and JSON ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def generated() -> Site:
    return thresher.learn((one.html, one.url) for one in generate(3, 24, sites=1))


def same(first: Site, second: Site) -> bool:
    return first.to_bytes() == second.to_bytes() and first.to_dict() == second.to_dict()


def test_a_site_is_the_same_after_bytes_and_after_json(generated: Site) -> None:
    again = Site.from_bytes(generated.to_bytes())
    assert same(again, generated)
    assert same(Site.from_dict(json.loads(json.dumps(generated.to_dict()))), generated)
    assert again.furniture() == generated.furniture()
    assert len(again.templates) == 3
    new = next(iter(generate(3, 40, sites=1)))
    assert again.extract(new.html, url=new.url).text == generated.extract(new.html).text
    again.learn(new.html, url=f"{new.url}?new")  # its columns can be learned on
    assert again.pages == 25


def test_an_empty_site_and_odd_texts_are_written_too() -> None:
    assert same(Site.from_bytes(Site("a").to_bytes()), Site("a"))
    site = Site("ünï.example", 1)
    sample = {7: ("footer", 'lone \ud800, "quoted", \x01, 漢字 🌧')}
    site.templates = [Template(pages=1, first=1, last=1).with_samples(sample)]
    assert same(Site.from_bytes(site.to_bytes()), site)
    assert same(Site.from_dict(json.loads(json.dumps(site.to_dict()))), site)


def test_every_flipped_or_missing_byte_is_noticed() -> None:
    data = small_site(2).to_bytes()
    for at in range(0, len(data), 7):
        damaged = bytearray(data)
        damaged[at] ^= 0x10
        with pytest.raises(InputError):
            Site.from_bytes(bytes(damaged))
    for size in range(0, len(data), 11):
        with pytest.raises(InputError):
            Site.from_bytes(data[:size])
    with pytest.raises(InputError):
        Site.from_bytes(data + b"\0")


def change(*path: str | int, value: object) -> Callable[[dict], None]:
    """Return a function that replaces the value at a path of a record; `...` removes it."""

    def apply(record: dict) -> None:
        for step in path[:-1]:
            record = record[step]
        if value is ...:
            del record[path[-1]]
        else:
            record[path[-1]] = value(record[path[-1]]) if callable(value) else value

    return apply


TEXTS = ("templates", 0, "texts")
ROWS = ("references", 0, "rows")
DAMAGES = {
    "no mark": change("format", value=...),
    "another version": change("version", value=2),
    "host is a number": change("host", value=3),
    "a long host": change("host", value="x" * 256),
    "pages below 0": change("pages", value=-1),
    "pages are true": change("pages", value=True),
    "pages are a float": change("pages", value=4.0),
    "too few pages": change("pages", value=1),
    "recent is no list": change("recent", value="123"),
    "recent holds a text": change("recent", value=["1"]),
    "recent is too long": change("recent", value=[1] * 4),
    "recent is out of range": change("recent", value=[0]),
    "templates are missing": change("templates", value=...),
    "a template is a list": change("templates", 0, value=[]),
    "too many templates": change("templates", value=lambda found: found * 7),
    "a template without pages": change("templates", 0, "pages", value=0),
    "a template began after its end": change("templates", 0, "first", value=9),
    "no table": change(*TEXTS, value=None),
    "keys fall": change(*TEXTS, "key", value=lambda keys: keys[::-1]),
    "a column is short": change(*TEXTS, "key", value=lambda keys: keys[1:]),
    "a column is missing": change(*TEXTS, "last", value=...),
    "a column is a text": change(*TEXTS, "last", value="123"),
    "counts of 0": change(*TEXTS, "pages", value=lambda pages: [0] * len(pages)),
    "counts above the pages": change(*TEXTS, "pages", value=lambda pages: [99] * len(pages)),
    "a last page to come": change(*TEXTS, "last", value=lambda last: [99] * len(last)),
    "a count of 2**32": change(*TEXTS, "pages", 0, value=2**32),
    "a negative count": change(*TEXTS, "pages", 0, value=-1),
    "a count is a float": change(*TEXTS, "pages", 0, value=1.5),
    "a count is a list": change(*TEXTS, "pages", 0, value=[1]),
    "a key is a number": change(*TEXTS, "key", 0, value=17),
    "a key is no hexadecimal": change(*TEXTS, "key", 0, value="z" * 16),
    "a total is no number": change("templates", 0, "paths", "total", 0, value=float("nan")),
    "a total is infinite": change("templates", 0, "paths", "total", 0, value=1e300),
    "a total is too large": change("templates", 0, "paths", "total", 0, value=50.0),
    "a total is a huge int": change("templates", 0, "paths", "total", 0, value=10**400),
    "samples are missing": change("templates", 0, "samples", value=...),
    "a sample is short": change("templates", 0, "samples", 0, value=["0" * 16, "footer"]),
    "a sample is a text": change("templates", 0, "samples", 0, value="abc"),
    "a sample has no key": change("templates", 0, "samples", 0, 0, value="-1"),
    "a sample of no kind": change("templates", 0, "samples", 0, 1, value="<script>"),
    "a long sample": change("templates", 0, "samples", 0, 2, value="x" * 121),
    "a sample twice": change("templates", 0, "samples", value=lambda found: found[:1] * 2),
    "a reference is null": change("references", 0, value=None),
    "references out of order": change("references", value=lambda found: found[::-1]),
    "an address is a number": change("references", 0, "url", value=1),
    "a long address": change("references", 0, "key", value="x" * 2_001),
    "a number of no page": change("references", 0, "number", value=77),
    "rows are missing": change("references", 0, "rows", value=...),
    "a row ends too early": change(*ROWS, "end", 0, value=0),
    "a row ends too late": change(*ROWS, "end", 0, value=10_000),
    "too many rows": change(
        "references", 0, "rows", value=lambda rows: {name: [1] * 2_001 for name in rows}
    ),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_record_is_one_error(damage: str) -> None:
    data = json.loads(json.dumps(small_site().to_dict()))
    assert Site.from_dict(data).pages == 4
    DAMAGES[damage](data)
    with pytest.raises(InputError, match=r"^this is no site that can be read: .*[^.]\.$"):
        Site.from_dict(data)


def test_a_site_with_as_many_pages_as_can_be_read_learns_on() -> None:
    data = small_site().to_dict() | {"pages": sites.MOST_PAGES, "recent": [sites.MOST_PAGES]}
    data["templates"][0]["last"] = sites.MOST_PAGES
    site = Site.from_dict(data)
    assert site.learn(page(9)) is not None
    assert site.pages == sites.MOST_PAGES + 1
    with pytest.raises(InputError):
        Site.from_dict(data | {"pages": sites.MOST_PAGES + 1})


@pytest.mark.parametrize("data", [None, [], "x", 3, {}, {"format": "thresher-site"}])
def test_other_data_is_no_site(data: object) -> None:
    with pytest.raises(InputError):
        Site.from_dict(data)


@given(st.data())
def test_random_changes_of_json_raise_input_errors_only(data: st.DataObject) -> None:
    record = json.loads(json.dumps(SMALL))
    place: object = record
    while True:  # walk to a random place and replace what is there
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))  # type: ignore[arg-type,call-overload]
        key = data.draw(st.sampled_from(keys))
        inner = place[key]  # type: ignore[index]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            break
        place = inner
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=4,
    )
    place[key] = data.draw(values)  # type: ignore[index]
    try:
        site = Site.from_dict(record)
    except InputError:
        return
    site.learn(page(9))
    site.extract(page(9))
    site.parts(page(9))
    Site.from_bytes(site.to_bytes())


SMALL = small_site(3).to_dict()


# --- the size of a site --------------------------------------------------------------------------


def test_the_largest_site_is_just_below_the_limit() -> None:
    site = Site("x" * sites.MOST_HOST, sites.MOST_PAGES)
    numbers = np.random.default_rng(1)
    last = sites.MOST_PAGES
    for _ in range(sites.MOST_TEMPLATES):
        text, path = (
            np.unique(numbers.integers(0, 2**63, most).astype(np.uint64))
            for most in (templates.MOST_TEXTS + 50, templates.MOST_PATHS + 50)
        )
        made = Template().learn(text, path, np.ones(len(path)), last)
        samples = {int(key): ("advertisement", "\x01" * 150) for key in text[:350]}
        site.templates.append(made.with_samples(samples))
    for number in range(sites.MOST_REFERENCES):
        size = sites.MOST_ROWS
        wide, narrow = np.full(size, 2**64 - 1, np.uint64), np.full(size, size, np.int32)
        rows = Sequence(wide, wide, narrow, narrow, narrow, narrow)
        url = "\x01" * sites.MOST_URL
        site.references.append(Reference(url, url, number + 1, 1, rows))
    data = site.to_bytes()
    assert 0.9 * MOST_BYTES < len(data) <= MOST_BYTES
    assert Site.from_bytes(data).to_bytes() == data


@pytest.mark.slow
def test_size_and_memory_stay_below_the_limit_however_many_pages_come(tmp_path: Path) -> None:
    def large_page(number: int) -> str:
        name = "abcdefgh"[number % 8] * 5
        blocks = "".join(
            f"<div class={name}{at % 26:c}><p>{number} line {at} of its own</p></div>"
            for at in range(97, 247)
        )
        return f"<body><div class=x{name}>{blocks}</div>{page(number, layout=number % 8)}"

    store = Store(tmp_path / "sites.sqlite")
    sizes = []
    for start in range(0, 400, 50):
        with store.edit(HOST) as site:
            for number in range(start, start + 50):
                site.learn(large_page(number), url=f"https://{HOST}/{number}" + "/x" * 3_000)
        sizes.append(len(site.to_bytes()))
    assert site.pages == 400
    assert len(site.references) == sites.MOST_REFERENCES
    assert max(sizes) <= MOST_BYTES
    assert sizes[-1] < 1.05 * sizes[3]  # it has stopped growing
    assert store.path.stat().st_size < 1.2 * MOST_BYTES
    data = site.to_bytes()
    tracemalloc.start()
    again = Site.from_bytes(data)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert again.pages == 400
    assert used - len(data) < MOST_BYTES


# --- the store -----------------------------------------------------------------------------------


def test_a_store_keeps_sites_by_host(tmp_path: Path) -> None:
    store = Store(tmp_path / "sites.sqlite")
    assert store.hosts() == []
    assert store.get(HOST) is None
    assert not store.path.exists()  # reading creates nothing
    with store.edit("WWW.Puddle.example") as site:
        assert (site.host, site.pages) == (HOST, 0)
        site.learn(page(1))
    with store.edit(HOST) as site:
        site.learn(page(2))
    store.put(Site("another.example", 0))
    found = Store(store.path, create=False).get(f"www.{HOST}")
    assert found is not None
    assert (found.host, found.pages) == (HOST, 2)
    assert store.hosts() == ["another.example", HOST]
    assert store.forget(HOST)
    assert not store.forget(HOST)
    assert store.hosts() == ["another.example"]
    assert [path.name for path in tmp_path.iterdir()] == ["sites.sqlite"]


def test_after_an_exception_nothing_is_stored(tmp_path: Path) -> None:
    store = Store(tmp_path / "sites.sqlite")
    store.put(small_site(2))

    def fail_after_learning() -> None:
        with store.edit(HOST) as site:
            site.learn(page(5))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_after_learning()
    assert (store.get(HOST) or Site()).pages == 2
    with store.edit("empty.example"):
        pass
    assert store.hosts() == [HOST]


@pytest.mark.parametrize("host", ["", " ", "www.", "x" * 256])
def test_a_site_without_a_host_is_refused(host: str, tmp_path: Path) -> None:
    store = Store(tmp_path / "sites.sqlite")
    with pytest.raises(UsageError, match="is no host: give one such as"):
        store.put(Site(host))
    with pytest.raises(UsageError), store.edit(host):
        pass
    assert host_key("WWW.A.example ") == "a.example"


def test_a_site_above_the_limit_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path / "sites.sqlite")
    site = small_site()
    site.references *= 2_000
    with pytest.raises(UsageError, match="a site has at most"):
        store.put(site)
    assert store.hosts() == []


def test_a_path_that_cannot_be_a_store(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="learn a site first, or check the path"):
        Store(tmp_path / "missing.sqlite", create=False)
    with pytest.raises(InputError, match="make its folder first"):
        Store(tmp_path / "no" / "folder.sqlite")
    with pytest.raises(InputError, match="is a directory"):
        Store(tmp_path)
    odd = Store(tmp_path / "odd name?mode=ro#%41.sqlite")
    odd.put(small_site(1))
    assert odd.path.exists()
    assert odd.hosts() == [HOST]


def test_a_store_that_stays_locked_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.site.store.WAIT", 0.05)
    store = Store(tmp_path / "sites.sqlite")
    store.put(small_site(1))
    with store.edit(HOST):
        assert store.get(HOST) is not None  # one can read meanwhile
        with pytest.raises(InputError, match="is in use by another process"):
            store.put(small_site(2))
    store.put(small_site(3))


def uses(path: Path) -> list[Callable[[], object]]:
    """Everything that one can do with a store."""

    def edit() -> None:
        with Store(path).edit(HOST) as site:
            site.learn(page(1))

    return [
        lambda: Store(path).get(HOST),
        lambda: Store(path).hosts(),
        lambda: Store(path).forget(HOST),
        lambda: Store(path).put(small_site(1)),
        edit,
    ]


def foreign_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE sites (host, data)")
    connection.execute("PRAGMA application_id = 77")
    connection.commit()
    connection.close()


def newer_store(path: Path) -> None:
    Store(path).put(small_site(1))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 2")
    connection.close()


FOREIGN: dict[str, Callable[[Path], object]] = {
    "text": lambda path: path.write_text("not a store at all\n"),
    "one byte": lambda path: path.write_bytes(b"S"),
    "zeros": lambda path: path.write_bytes(bytes(8_192)),
    "picture": lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40),
    "database": foreign_database,
    "newer": newer_store,
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_foreign_file_is_one_error_and_left_as_it_is(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    FOREIGN[kind](path)
    journal = tmp_path / "file-journal"  # as if its own program had been killed
    journal.write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(1_000))
    before = path.read_bytes(), journal.read_bytes()
    sentence = "newer version" if kind == "newer" else "is no store of sites: give another file"
    for use in uses(path):
        with pytest.raises(InputError, match=sentence):
            use()
        assert (path.read_bytes(), journal.read_bytes()) == before


def garbled(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4_096:] = bytes(random.Random(1).randbytes(len(data) - 4_096))
    path.write_bytes(data)


def without_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE sites")
    connection.close()


DAMAGED: dict[str, Callable[[Path], object]] = {
    "all but the header": garbled,
    "cut": lambda path: path.write_bytes(path.read_bytes()[:4_500]),
    "header only": lambda path: path.write_bytes(path.read_bytes()[:100]),
    "no table": without_table,
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_store_is_one_error_and_left_as_it_is(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "sites.sqlite"
    Store(path).put(small_site(8))
    DAMAGED[kind](path)
    before = path.read_bytes()
    for use in uses(path):
        with pytest.raises(InputError, match=r"sites\.sqlite is damaged|cannot use the store"):
            use()
        assert path.read_bytes() == before


def test_damage_inside_a_site_shows_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sites.sqlite"
    store = Store(path)
    store.put(small_site(8))
    store.put(Site("other.example", 1))
    data = path.read_bytes()
    at = data.index(b"All rights reserved")  # a sample of the site
    path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    before = path.read_bytes()
    for use in (uses(path)[0], uses(path)[4]):
        with pytest.raises(InputError, match=rf"^{HOST} in .* is damaged: forget it and learn"):
            use()
        assert path.read_bytes() == before
    assert store.hosts() == ["other.example", HOST]  # the others can be used
    assert store.get("other.example") is not None
    assert store.forget(HOST)
    with store.edit(HOST) as site:
        site.learn(page(1))


@pytest.mark.parametrize("data", ["text", None, b"", b"thS1", small_site(1).to_bytes()])
def test_a_row_that_is_no_site_of_its_host(data: object, tmp_path: Path) -> None:
    store = Store(tmp_path / "sites.sqlite")
    store.put(Site("other.example"))
    connection = sqlite3.connect(store.path)
    connection.execute("PRAGMA writable_schema = 1")
    connection.execute("UPDATE sites SET data = ?", (data if data is not None else 7,))
    connection.commit()
    connection.close()
    with pytest.raises(InputError, match=r"^other\.example in .* is damaged"):
        store.get("other.example")


# --- several processes ---------------------------------------------------------------------------


def learn_pages(path: Path, first: int, pages: int) -> None:
    """Learn pages one by one; this runs in a process of its own."""
    store = Store(path)
    for number in range(first, first + pages):
        with store.edit(HOST) as site:
            site.learn(page(number), url=f"https://{HOST}/{number}")


@pytest.mark.slow
def test_two_processes_learn_one_site_and_no_page_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "sites.sqlite"
    context = multiprocessing.get_context("spawn")
    ours = [context.Process(target=learn_pages, args=(path, first, 25)) for first in (0, 1_000)]
    for process in ours:
        process.start()
    seen = []
    while any(process.is_alive() for process in ours):  # a reader in between
        site = Store(path).get(HOST)
        seen.append(site.pages if site else 0)
        time.sleep(0.01)
    for process in ours:
        process.join(120)
    assert [process.exitcode for process in ours] == [0, 0]
    site = Store(path).get(HOST)
    assert site is not None
    assert site.pages == 50
    assert seen == sorted(seen)
    (template,) = site.templates
    menu = template.texts.pages.max()
    assert (template.pages, menu) == (50, 50)  # every page has the menu
    assert int((template.texts.pages == 1).sum()) == 50 * 3  # a title and two paragraphs each


LEARNER = """
import sys
from tests.site.test_store import HOST, page
from thresher.site.store import Store
store = Store(sys.argv[1])
print(0, flush=True)  # ready
for number in range(int(sys.argv[2]), 10**9):
    with store.edit(HOST) as site:
        site.learn(page(number))
        learned = site.pages
    print(learned, flush=True)  # acknowledged
"""


def learn_until_killed(path: Path, first: int, seconds: float) -> int:
    """Start a process that learns, kill it after some time, return what it acknowledged last."""
    command = [sys.executable, "-c", LEARNER, str(path), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as learner:
        assert learner.stdout is not None
        assert learner.stdout.readline() == "0\n"
        time.sleep(seconds)
        learner.kill()
        printed = learner.stdout.read().splitlines(keepends=True)
    assert learner.returncode == -signal.SIGKILL
    return max([0, *(int(line) for line in printed if line.endswith("\n"))])


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "sites.sqlite"
    moments = random.Random(4)
    pages = 0
    for attempt in range(6):
        acknowledged = learn_until_killed(path, attempt * 1_000, moments.uniform(0, 0.5))
        acknowledged = max(acknowledged, pages)
        site = Store(path).get(HOST)
        pages = site.pages if site else 0
        assert pages in (acknowledged, acknowledged + 1)  # one may be stored but not printed yet
    assert pages > 6
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.slow
def test_a_kill_while_the_file_is_created(tmp_path: Path) -> None:
    moments = random.Random(5)
    for attempt in range(5):
        path = tmp_path / f"{attempt}.sqlite"
        acknowledged = learn_until_killed(path, 0, moments.uniform(0, 0.04))
        site = Store(path).get(HOST)
        assert (site.pages if site else 0) in (acknowledged, acknowledged + 1)
        Store(path).put(small_site(1))


def test_a_kill_in_the_middle_of_a_commit_is_rolled_back(tmp_path: Path) -> None:
    """The state that such a kill leaves: pages half written, and the journal of the old ones."""
    path, journal = tmp_path / "sites.sqlite", tmp_path / "sites.sqlite-journal"
    Store(path).put(small_site(6))
    before = path.read_bytes()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")  # so that pages are written before the commit
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE sites SET data = zeroblob(100000)")
    connection.execute("INSERT INTO sites VALUES ('b', zeroblob(100000))")
    copy = tmp_path / "copy.sqlite"
    shutil.copy(path, copy)
    shutil.copy(journal, f"{copy}-journal")
    connection.execute("ROLLBACK")
    connection.close()
    assert copy.read_bytes() != before
    site = Store(copy).get(HOST)
    assert site is not None
    assert site.pages == 6
    assert Store(copy).hosts() == [HOST]
