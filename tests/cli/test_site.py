"""`thresher site` and `thresher extract --site`."""

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as arrow
import pytest
from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType
from pyarrow import parquet

import thresher
from benchmarks.generator import GeneratedPage, generate
from tests.cli.commands import ROOT, on_a_terminal, program, run
from thresher.cli.site import command as site_group
from thresher.site.store import Store


@pytest.fixture(scope="module")
def pages() -> list[GeneratedPage]:
    """Twelve pages of two sites in turn."""
    return list(generate(2, 12, sites=2))


@pytest.fixture
def hosts(pages: list[GeneratedPage]) -> list[str]:
    return sorted({page.site for page in pages})


@pytest.fixture
def store(tmp_path: Path, pages: list[GeneratedPage]) -> Path:
    """A store that has learned the pages."""
    path = tmp_path / "sites.sqlite"
    for host in {page.site for page in pages}:
        own = [(page.html, page.url) for page in pages if page.site == host]
        Store(path).put(thresher.learn(own, host=host))
    return path


def learned(path: Path) -> dict[str, int]:
    """The pages that each site of a store has learned."""
    store = Store(path, create=False)
    return {host: site.pages for host in store.hosts() if (site := store.get(host))}


# --- learn ---------------------------------------------------------------------------------------


def write_jsonl(path: Path, pages: list[GeneratedPage]) -> None:
    rows = [{"html": page.html.decode(page.charset, "replace"), "url": page.url} for page in pages]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")


def write_parquet(path: Path, pages: list[GeneratedPage]) -> None:
    columns = {"html": [page.html for page in pages], "url": [page.url for page in pages]}
    parquet.write_table(arrow.table(columns), path)


def response(page: GeneratedPage, status: str = "200 OK", kind: str = "text/html") -> WarcRecord:
    record = WarcRecord()
    record.init_headers(WarcRecordType.response)
    record.headers["WARC-Target-URI"] = page.url
    record.is_http = True
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}; charset={page.charset}\r\n\r\n"
    record.set_bytes_content(head.encode() + page.html)
    return record


def write_warc(path: Path, pages: list[GeneratedPage]) -> None:
    with path.open("wb") as file:
        writer = GzipWriter(file)
        for page in pages:
            response(page).write(writer)
        response(pages[0], "404 Not Found").write(writer)
        response(pages[0], kind="image/png").write(writer)
        writer.close()


def write_folder(path: Path, pages: list[GeneratedPage]) -> None:
    for number, page in enumerate(pages):  # as wget names folders
        file = path / f"www.{page.site}" / "2024" / f"{number}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(page.html)


SOURCES = {
    "pages.jsonl": write_jsonl,
    "pages.parquet": write_parquet,
    "pages.warc.gz": write_warc,
    "mirror": write_folder,
}


@pytest.mark.parametrize("name", SOURCES)
def test_learn_groups_the_pages_of_a_source_by_host(
    name: str, tmp_path: Path, pages: list[GeneratedPage], hosts: list[str]
) -> None:
    SOURCES[name](tmp_path / name, pages)
    path = tmp_path / "sites.sqlite"
    done = run("site", "learn", tmp_path / name, "--store", path)
    assert done.stderr == ""
    assert done.stdout == f"{path}: learned 12 pages of 2 sites.\n"
    assert learned(path) == dict.fromkeys(hosts, 6)
    site = Store(path).get(hosts[0])
    assert site is not None
    assert all(hosts[0] in reference.url for reference in site.references)
    assert site.furniture()
    again = run("site", "learn", tmp_path / name, "--store", path, "--limit", 2)
    if site.known:  # pages with addresses are known again
        assert again.stderr == "Warning: 4 pages had been learned before.\n"
    assert learned(path) == dict.fromkeys(hosts, 6 if site.known else 8)


def test_learn_gives_the_same_site_as_the_library(
    tmp_path: Path, pages: list[GeneratedPage], hosts: list[str]
) -> None:
    write_parquet(tmp_path / "pages.parquet", pages)
    path = tmp_path / "sites.sqlite"
    run("site", "learn", tmp_path / "pages.parquet", "--store", path)
    for host in hosts:
        site = thresher.learn((page.html, page.url) for page in pages if page.site == host)
        found = Store(path).get(host)
        assert found is not None
        assert found.to_bytes() == site.to_bytes()


def test_a_source_that_cannot_be_read_does_not_stop_the_others(
    tmp_path: Path, pages: list[GeneratedPage], hosts: list[str]
) -> None:
    write_parquet(tmp_path / "a.parquet", pages[:4])
    whole = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "b.parquet").write_bytes(whole[: len(whole) // 2])
    write_jsonl(tmp_path / "c.jsonl", pages[4:6])
    sources = [tmp_path / name for name in ("a.parquet", "b.parquet", "c.jsonl")]
    done = run("site", "learn", *sources, "--store", tmp_path / "sites.sqlite")
    assert done.exit_code == 2
    assert (
        done.stderr == f"Error: cannot read {sources[1]}: it is not a Parquet file, or damaged.\n"
    )
    assert learned(tmp_path / "sites.sqlite") == dict.fromkeys(hosts, 3)


def test_the_host_of_a_page_without_an_address(tmp_path: Path) -> None:
    rows = [
        {"html": "<p>One text of the page.", "site": "WWW.Column.example"},
        {"html": "<link rel=canonical href=https://www.own.example/a><p>Another text."},
        {"html": "<p>A page of nobody."},
        {"html": "", "url": "https://empty.example/"},
        {"html": "<p>One.", "url": "https://[broken/"},
    ]
    source, path = tmp_path / "pages.jsonl", tmp_path / "sites.sqlite"
    source.write_text("\n".join(map(json.dumps, rows)))
    done = run("site", "learn", source, "--store", path)
    assert done.exit_code == 2
    assert done.stdout == f"{path}: learned 2 pages of 2 sites.\n"
    assert done.stderr == (
        "Error: 2 pages without a host: give --host, or a column url.\n"
        "Warning: 1 page without text.\n"
    )
    assert learned(path) == {"column.example": 1, "own.example": 1}
    done = run("site", "learn", source, "--store", path, "--host", "https://www.all.example/x")
    assert done.exit_code == 0
    assert learned(path)["all.example"] == 4


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("missing.jsonl", None, "there is no missing.jsonl: give a folder, or a .parquet"),
        ("pages.pdf", b"x", "cannot tell what pages.pdf is: give a folder, or a .parquet"),
        ("pages.parquet", b"x", "cannot read pages.parquet: it is not a Parquet file, or damaged."),
        ("pages.warc", b"not a WARC file", "cannot read pages.warc as WARC: "),
        ("pages.jsonl", b"{\n", "pages.jsonl, line 1: this is not JSON."),
        ("pages.jsonl", b"[1]\n", "pages.jsonl, line 1 has no page: a text or bytes named html"),
    ],
)
def test_learn_says_what_is_wrong_with_a_source(
    name: str,
    content: bytes | None,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = run("site", "learn", name, "--store", "sites.sqlite")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"Error: {sentence}")
    assert done.stderr.count("\n") == 1
    assert not Path("sites.sqlite").exists()


def test_learn_names_the_extra_that_a_format_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, module in (("a.warc", "fastwarc.warc"), ("a.parquet", "pyarrow")):
        (tmp_path / name).write_bytes(b"")
        monkeypatch.setitem(sys.modules, module, None)
        done = run("site", "learn", tmp_path / name, "--store", tmp_path / "sites.sqlite")
        assert "pip install 'thresher[batch]'" in done.stderr


def test_a_column_html_is_needed(tmp_path: Path) -> None:
    parquet.write_table(arrow.table({"url": ["https://a.example/"]}), tmp_path / "a.parquet")
    done = run("site", "learn", tmp_path / "a.parquet", "--store", tmp_path / "sites.sqlite")
    assert "lacks a column html" in done.stderr


@pytest.mark.slow
def test_long_work_shows_a_bar(tmp_path: Path, pages: list[GeneratedPage]) -> None:
    write_folder(tmp_path / "mirror", pages)
    shown, _ = on_a_terminal(
        "site", "learn", tmp_path / "mirror", "--store", tmp_path / "sites.sqlite"
    )
    assert "12/12" in shown
    assert "learned 12 pages of 2 sites." in shown


@pytest.mark.slow
def test_three_programs_learn_at_once(tmp_path: Path, pages: list[GeneratedPage]) -> None:
    from concurrent.futures import ThreadPoolExecutor

    path = tmp_path / "sites.sqlite"

    def learn(number: int) -> subprocess.CompletedProcess[str]:
        own = [replace(page, url=f"{page.url}?{number}") for page in pages]
        write_parquet(tmp_path / f"{number}.parquet", own)
        source = tmp_path / f"{number}.parquet"
        return program("site", "learn", source, "--store", path, "--host", "a.b")

    with ThreadPoolExecutor(3) as threads:
        done = list(threads.map(learn, range(3)))
    assert [one.returncode for one in done] == [0, 0, 0]
    assert learned(path) == {"a.b": 36}


# --- look ----------------------------------------------------------------------------------------


def test_list_shows_all_sites(store: Path, hosts: list[str]) -> None:
    done = run("site", "list", "--store", store)
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["host", "pages", "templates", "bytes"]
    assert [line.split()[:2] for line in lines[1:]] == [[host, "6"] for host in hosts]


def test_list_goes_on_after_a_damaged_site(store: Path, hosts: list[str]) -> None:
    connection = sqlite3.connect(store)
    connection.execute("UPDATE sites SET data = x'00' WHERE host = ?", (hosts[0],))
    connection.commit()
    connection.close()
    done = run("site", "list", "--store", store)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"Error: {hosts[0]} in {store} is damaged: forget it and learn")
    assert hosts[1] in done.stdout


def test_show_writes_a_view_of_site_and_page(
    store: Path, pages: list[GeneratedPage], tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(pages[0].html)
    target = tmp_path / "view.html"
    done = run("site", "show", pages[0].site, "--store", store)
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert "Furniture" in done.stdout
    assert "compared with" not in done.stdout
    command = ("site", "show", f"https://{pages[0].site}/", page, "--store", store)
    done = run(*command, "--url", pages[0].url, "--output", target)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert f"compared with {pages[0].url}" in target.read_text(encoding="utf-8")
    for taken in (store, page):
        before = taken.read_bytes()
        assert run(*command, "--output", taken).exit_code == 2
        assert taken.read_bytes() == before


def test_show_refuses_to_print_to_a_terminal(store: Path, hosts: list[str]) -> None:
    shown, _ = on_a_terminal("site", "show", hosts[0], "--store", store)
    assert shown.startswith("Error: the page is for a browser: give --output")


# --- look after ----------------------------------------------------------------------------------


def test_export_and_import_round_trip(store: Path, hosts: list[str], tmp_path: Path) -> None:
    file, other = tmp_path / "sites.jsonl", tmp_path / "other.sqlite"
    assert run("site", "export", "--all", "--store", store, "--output", file).exit_code == 0
    assert run("site", "export", *hosts, "--store", store).stdout == file.read_text("utf-8")
    done = run("site", "import", file, "--store", other)
    assert done.stdout == f"{other}: stored 2 sites.\n"
    for host in hosts:
        before, after = Store(store).get(host), Store(other).get(host)
        assert before is not None
        assert after is not None
        assert after.to_bytes() == before.to_bytes()
    again = run("site", "import", file, "--store", other)
    assert again.exit_code == 2
    assert f"{hosts[0]} is in {other} or twice in {file}: give --replace" in again.stderr
    assert run("site", "import", file, "--store", other, "--replace").exit_code == 0


def test_export_keeps_what_utf_8_lacks(tmp_path: Path) -> None:
    html = "<body><ul><li>menu \ud800 entry</ul><p>A text with a comma, and more.</p>"
    site = thresher.learn([html, html], host="a.example")
    site.templates[0] = site.templates[0].with_samples({1: ("footer", "lone \ud800")})
    Store(tmp_path / "a.sqlite").put(site)
    file, other = tmp_path / "a.jsonl", tmp_path / "b.sqlite"
    run("site", "export", "a.example", "--store", tmp_path / "a.sqlite", "--output", file)
    assert run("site", "import", file, "--store", other).exit_code == 0
    found = Store(other).get("a.example")
    assert found is not None
    assert found.to_bytes() == site.to_bytes()


def damaged_lines(store: Path, hosts: list[str]) -> Iterator[bytes]:
    line = run("site", "export", hosts[1], "--store", store).stdout.encode()
    yield b"not JSON\n"
    yield b"[" * 100_000
    yield b"\xff\xfe"
    yield b"{}\n"
    yield line[: len(line) // 2]
    yield line.replace(b'"pages": 6', b'"pages": 5', 1)
    yield line.replace(hosts[1].encode(), b"", 1)


def test_a_damaged_file_is_one_error_and_nothing_is_stored(
    store: Path, hosts: list[str], tmp_path: Path
) -> None:
    good = run("site", "export", hosts[0], "--store", store).stdout.encode()
    file, other = tmp_path / "sites.jsonl", tmp_path / "other.sqlite"
    for bad in damaged_lines(store, hosts):
        file.write_bytes(good + bad)
        done = run("site", "import", file, "--store", other)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"Error: {file}, line 2: ")
        assert done.stderr.count("\n") == 1
        assert not other.exists()
    assert "cannot read" in run("site", "import", tmp_path / "no", "--store", other).stderr


def test_forget(store: Path, hosts: list[str]) -> None:
    assert run("site", "forget", f"www.{hosts[0]}", "--store", store).exit_code == 0
    assert list(learned(store)) == hosts[1:]
    for command in ("forget", "show", "export"):
        done = run("site", command, hosts[0], "--store", store)
        assert done.stderr == (
            f"Error: {store} has no site {hosts[0]}: thresher site list shows those it has.\n"
        )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("site", "export"), "say which sites to export: give their hosts, or --all."),
        (("site", "export", "a.example", "--all"), "say which sites to export"),
        (("site", "list"), "there is no store sites.sqlite: learn a site first"),
        (("site", "show", "a.example"), "there is no store sites.sqlite"),
        (("site", "forget", "www."), "'www.' is no host: give one such as example.org"),
        (("site", "learn", "x", "--limit", "0"), "0 is not in the range"),
    ],
)
def test_wrong_arguments(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments, "--store", "sites.sqlite")
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert not Path("sites.sqlite").exists()


def test_a_foreign_store_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n")
    for arguments in (
        ("site", "list"),
        ("site", "learn", ROOT / "examples", "--host", "a.example"),
        ("site", "import", path),
        ("site", "forget", "a.example"),
    ):
        done = run(*arguments, "--store", path)
        assert done.exit_code == 2
        assert f"{path} is no store of sites: give another file" in done.stderr
        assert path.read_text() == "my notes\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(site_group.commands))  # type: ignore[attr-defined]
def test_every_help_ends_in_examples_that_work(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: list[GeneratedPage]
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    write_warc(tmp_path / "crawl.warc.gz", pages)
    monkeypatch.chdir(tmp_path)
    _, _, lines = run("site", name, "--help").stdout.partition("\n  Examples:\n")
    examples = re.sub(r"\n {6,}", " ", lines).split("\n")
    for example in filter(None, map(str.strip, examples)):
        command = example.partition(" > ")[0].removeprefix("thresher ").split()
        assert run(*command).exit_code == 0, example


# --- extract --site ------------------------------------------------------------------------------


def test_extract_weighs_the_site_in(
    store: Path, pages: list[GeneratedPage], tmp_path: Path
) -> None:
    page = next(iter(generate(2, 14, sites=2)))
    site = Store(store).get(page.site)
    assert site is not None
    expected = site.extract(page.html, url=page.url, favor="precision").to_dict(
        fields="text,blocks"
    )
    without = thresher.extract(page.html, url=page.url, favor="precision")
    assert expected != without.to_dict(fields="text,blocks")
    file = tmp_path / f"www.{page.site}" / "a.html"
    file.parent.mkdir()
    file.write_bytes(page.html)
    options = (
        "--site",
        store,
        "--favor",
        "precision",
        "--format",
        "json",
        "--fields",
        "text,blocks",
    )
    for given in ((file, "--url", page.url), (file,), (file.parent,), (file, "--host", page.site)):
        found = json.loads(run("extract", *given, *options).stdout)
        assert (found["text"], [block["probability"] for block in found["blocks"]]) == (
            expected["text"],
            [block["probability"] for block in expected["blocks"]],
        )


def test_extract_takes_pages_of_unknown_hosts_as_usual(store: Path, tmp_path: Path) -> None:
    demo = ROOT / "examples" / "demo.html"
    usual = run("extract", demo).stdout
    assert run("extract", demo, "--site", store).stdout == usual
    assert run("extract", demo, "--site", store, "--host", "unknown.example").stdout == usual
    odd = tmp_path / "odd.html"
    odd.write_text(f"<link rel=canonical href='https://{'x' * 300}.example/'><p>A text, and more.")
    assert run("extract", odd, "--site", store).exit_code == 0


def test_extract_says_when_the_store_is_not_used(
    store: Path, hosts: list[str], tmp_path: Path
) -> None:
    flat = tmp_path / "flat"
    flat.mkdir()
    for number in range(3):
        (flat / f"{number}.html").write_text(f"<p>Kettle {number} is loud, and much is to say.")
    done = run("extract", flat, "--site", store)
    assert done.exit_code == 0
    assert done.stderr == (
        "Warning: the store was not used for 3 pages without a host: give --host HOST.\n"
    )
    assert run("extract", flat, "--site", store, "--quiet").stderr == ""
    assert run("extract", flat, "--site", store, "--host", hosts[0]).stderr == ""
    done = run("extract", flat, "--site", store, "--host", "kettle.example")
    assert done.stderr.startswith(
        "Warning: the store has nothing about kettle.example (3 pages): thresher site learn adds"
    )
    for number in range(5):
        folder = flat / f"h{number}.example"
        folder.mkdir()
        (folder / "a.html").write_text("<p>Kettles are loud, and there is much to say.")
    done = run("extract", flat, "--site", store)
    assert "for 3 pages without a host" in done.stderr
    assert "h0.example, h1.example, h2.example and 2 other hosts (5 pages)" in done.stderr


def test_extract_uses_a_site_with_the_default_only(store: Path, tmp_path: Path) -> None:
    done = run("extract", "x.html", "--site", store, "--method", "bte")
    assert done.stderr == (
        "Error: only the default can use a site, not bte: leave out --site or --method.\n"
    )
    done = run("extract", "x.html", "--host", "a.example")
    assert done.stderr == "Error: --host is for --site: give the store of sites too.\n"
    done = run("extract", "x.html", "--site", tmp_path / "missing.sqlite")
    assert "there is no store" in done.stderr
