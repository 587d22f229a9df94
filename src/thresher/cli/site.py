"""`thresher site`: learn what the pages of sites have in common, and look after the store."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from thresher.batch.atomic_file import AtomicFile, to_utf8, write_stdout
from thresher.batch.messages import Messages, printable
from thresher.batch.page_collections import StoredPage, page_count, read_collection
from thresher.batch.sources import ReadOptions
from thresher.cli.options import (
    check_output,
    examples,
    glob_option,
    output_path,
    read_host,
    read_one_page,
    read_options,
    write_output,
)
from thresher.cli.progress import page_progress, stderr_is_terminal
from thresher.errors import InputError, UsageError
from thresher.page import Page
from thresher.site.site import Site
from thresher.site.store import MOST_BYTES, Store, host_key
from thresher.viewer.page_shell import count
from thresher.viewer.site_view import site_page

_LEARN = "thresher site learn examples --host puddle.example --store sites.sqlite"
_PAGES_AT_ONCE = 16  # of a host, learned in one edit of the store
_WAITING_PAGES = 256  # of all hosts
_WAITING_BYTES = 16_000_000
_MOST_LINE = 4 * MOST_BYTES  # of JSON, which takes more room

store_option = click.option(
    "--store", "store_path", metavar="FILE", required=True, help="The store, a SQLite file."
)


@click.group("site", epilog=examples(_LEARN, "thresher site list --store sites.sqlite"))
def command() -> None:
    """Learn what the pages of a site have in common.

    What is learned of each host is kept in a store, a SQLite file that several processes can use
    at once. thresher extract --site FILE uses it.
    """


host_argument = click.argument("host", callback=read_host)
host_option = click.option(
    "--host", callback=read_host, help="The host of all pages, whatever their addresses are."
)


# --- learn ---------------------------------------------------------------------------------------


@command.command(
    "learn", epilog=examples(_LEARN, "thresher site learn crawl.warc.gz --store sites.sqlite")
)
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@store_option
@host_option
@click.option(
    "--limit", type=click.IntRange(min=1), help="Learn at most this many pages of each host."
)
@glob_option
@click.option("--quiet", is_flag=True, help="Show errors only: no progress bar, no warnings.")
def learn(
    sources: tuple[str, ...],
    store_path: str,
    host: str | None,
    limit: int | None,
    globs: tuple[str, ...],
    quiet: bool,
) -> int:
    """Learn the pages of SOURCE, each for its host.

    SOURCE is a folder of pages, a Parquet or JSON Lines file with the columns html and url (or
    site), or a WARC file. The host of a page is that of its address, else its column site, else
    that of its canonical link. In a folder, a folder with the name of a host gives the address.

    Up to 16 pages of a host are stored together; those that were stored are kept when the run is
    stopped. A page whose address was learned before is left out.
    """
    messages = Messages(quiet)
    paths = [Path(source) for source in sources]
    learner = _Learner(Store(store_path), host, limit, messages)
    shown = stderr_is_terminal() and not quiet
    with page_progress(_total(paths, globs) if shown else None, shown=shown) as advance:
        for page in _pages(paths, messages, globs):
            advance(learner.add(page))
        advance(learner.finish())
    learner.report(store_path)
    return 2 if messages.failed else 0


def _pages(paths: list[Path], messages: Messages, globs: tuple[str, ...]) -> Iterator[StoredPage]:
    """Yield the pages of all sources; a source that cannot be read is reported."""
    for path in paths:
        try:
            yield from read_collection(path, messages, globs)
        except InputError as error:
            messages.error(str(error))


def _total(paths: list[Path], globs: tuple[str, ...]) -> int | None:
    """Return the number of pages of all sources, None if one is not known."""
    counts = [page_count(path, globs) for path in paths]
    return None if None in counts else sum(number or 0 for number in counts)


def _is_enough(pages: list[StoredPage], most: int) -> bool:
    return len(pages) >= most or sum(len(page.html) for page in pages) >= _WAITING_BYTES


@dataclass
class _Learner:
    """Collects pages by host, and learns those of a host together."""

    store: Store
    host: str | None
    limit: int | None
    messages: Messages
    waiting: dict[str, list[StoredPage]] = field(default_factory=dict)
    taken: Counter[str] = field(default_factory=Counter)  # pages of each host so far
    learned: Counter[str] = field(default_factory=Counter)
    nameless: int = 0
    empty: int = 0
    known: int = 0  # pages that had been learned before

    def add(self, page: StoredPage) -> int:
        """Take one page, learn those that wait if they are enough, and return how many are done."""
        try:
            host = host_key(self.host or page.host())
        except UsageError:
            self.nameless += 1
            return 1
        except InputError as error:
            self.messages.error(str(error))
            return 1
        if self.limit is not None and self.taken[host] >= self.limit:
            return 1
        self.taken[host] += 1
        self.waiting.setdefault(host, []).append(page)
        if _is_enough(self.waiting[host], _PAGES_AT_ONCE):
            return self._learn(host)
        if _is_enough([page for pages in self.waiting.values() for page in pages], _WAITING_PAGES):
            return self.finish()
        return 0

    def finish(self) -> int:
        """Learn all pages that wait, and return how many."""
        return sum(self._learn(host) for host in list(self.waiting))

    def _learn(self, host: str) -> int:
        waiting = self.waiting.pop(host)
        parsed = map(self._parsed, waiting)
        pages = [page for page in parsed if page is not None]  # before others have to wait
        with self.store.edit(host) as site:
            before = site.pages
            with_text = sum(site.learn(page) is not None for page in pages)
            new = site.pages - before
        self.learned[host] += new
        self.empty += len(pages) - with_text
        self.known += with_text - new
        return len(waiting)

    def _parsed(self, page: StoredPage) -> Page | None:
        """Return a page in columns; None if it is no page, which is reported."""
        try:
            return page.parse()
        except InputError as error:
            self.messages.error(str(error))
            return None

    def report(self, store_path: str) -> None:
        """Print what was learned, and warn of pages that were not."""
        if self.nameless:
            self.messages.error(
                f"{count(self.nameless, 'page')} without a host: give --host, or a column url."
            )
        if self.empty:
            self.messages.warn(f"{count(self.empty, 'page')} without text.")
        if self.known:
            self.messages.warn(f"{count(self.known, 'page')} had been learned before.")
        sites = sum(number > 0 for number in self.learned.values())
        if sites or not self.messages.failed:
            pages = count(self.learned.total(), "page")
            click.echo(printable(f"{store_path}: learned {pages} of {count(sites, 'site')}."))


# --- look ----------------------------------------------------------------------------------------


@command.command("list", epilog=examples(_LEARN, "thresher site list --store sites.sqlite"))
@store_option
def list_sites(store_path: str) -> int:
    """List the sites of a store, with their pages, templates and size."""
    store, messages = Store(store_path, create=False), Messages()
    hosts = store.hosts()
    wide = max([len(host) for host in hosts] + [4])
    click.echo(f"{'host':<{wide}}{'pages':>9}{'templates':>11}{'bytes':>11}")
    for host, site in _sites(store, hosts, messages):
        note = "  redesigned" if site.redesigned else ""
        size = len(site.to_bytes())
        line = f"{host:<{wide}}{site.pages:>9,}{len(site.templates):>11}{size:>11,}{note}"
        click.echo(printable(line))
    return 2 if messages.failed else 0


def _sites(store: Store, hosts: list[str], messages: Messages) -> Iterator[tuple[str, Site]]:
    """Yield sites of a store; a damaged one is reported."""
    for host in hosts:
        try:
            site = store.get(host)
        except InputError as error:
            messages.error(str(error))
            continue
        if site is not None:  # another process may have forgotten it
            yield host, site


def _site(store: Store, host: str) -> Site:
    """Return a site; raise if nothing was learned of it."""
    site = store.get(host)
    if site is None:
        raise _unknown(store, host)
    return site


def _unknown(store: Store, host: str) -> InputError:
    return InputError(f"{store.path} has no site {host}: thresher site list shows those it has.")


@command.command(
    "show",
    epilog=examples(
        _LEARN,
        "thresher site show puddle.example --store sites.sqlite > site.html",
        "thresher site show puddle.example examples/demo.html --store sites.sqlite --output "
        "site.html",
    ),
)
@host_argument
@click.argument("source", metavar="[PAGE]", required=False)
@store_option
@click.option(
    "--output", metavar="PATH", help="The HTML file to write. Standard output unless given."
)
@read_options
def show(
    host: str, source: str | None, store_path: str, output: str | None, **options: Any
) -> None:
    """Show what was learned of a site, as an HTML page.

    It lists the templates and the furniture: texts that repeat on the pages. With PAGE, a file, -
    or an address, it also shows that page with its common, regular and content parts shaded.
    """
    target = output_path(output, store_path if source is None else source)
    if target is not None:
        check_output(target, [store_path])
    elif sys.stdout is not None and sys.stdout.isatty():
        raise UsageError("the page is for a browser: give --output FILE, or redirect the output.")
    site = _site(Store(store_path, create=False), host)
    page = None if source is None else read_one_page(source, ReadOptions(**options))
    write_output(target, site_page(site, page))


# --- look after ----------------------------------------------------------------------------------


@command.command(
    "export",
    epilog=examples(
        _LEARN,
        "thresher site export puddle.example --store sites.sqlite > site.jsonl",
        "thresher site export --all --store sites.sqlite --output sites.jsonl",
    ),
)
@click.argument("hosts", metavar="[HOST...]", nargs=-1)
@store_option
@click.option("--all", "everything", is_flag=True, help="Export all sites.")
@click.option("--output", metavar="PATH", help="The file to write. Standard output unless given.")
def export(hosts: tuple[str, ...], store_path: str, everything: bool, output: str | None) -> None:
    """Write sites as JSON Lines, one site on each line."""
    if bool(hosts) == everything:
        raise UsageError("say which sites to export: give their hosts, or --all.")
    store = Store(store_path, create=False)
    wanted = store.hosts() if everything else [host_key(host) for host in hosts]
    target = output_path(output, store_path)
    if target is None:
        for host in wanted:
            write_stdout(_json_line(_site(store, host)))
        return
    with AtomicFile(target) as file:
        for host in wanted:
            file.write(_json_line(_site(store, host)))


def _json_line(site: Site) -> bytes:
    """Return a site as a line of JSON; non-ASCII letters are escaped if UTF-8 lacks one of them."""
    data = site.to_dict()
    try:
        return json.dumps(data, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:  # a lone surrogate
        return to_utf8(json.dumps(data)) + b"\n"


@command.command(
    "import",
    epilog=examples(
        _LEARN,
        "thresher site export --all --store sites.sqlite --output sites.jsonl",
        "thresher site import sites.jsonl --store other.sqlite",
    ),
)
@click.argument("source", metavar="FILE")
@store_option
@click.option("--replace", is_flag=True, help="Replace sites that are in the store already.")
def import_sites(source: str, store_path: str, replace: bool) -> None:
    """Store the sites of a file that thresher site export wrote.

    The whole file is checked first: if one site in it is damaged, none is stored.
    """
    path, store = Path(source), Store(store_path)
    known = set() if replace else set(store.hosts())
    number = 0
    for site in _read_sites(path):
        number += 1
        if site.host in known:
            raise UsageError(
                f"{site.host} is in {store_path} or twice in {path}: give --replace to replace it."
            )
        known |= set() if replace else {site.host}
    for site in _read_sites(path):
        store.put(site)
    click.echo(printable(f"{store_path}: stored {count(number, 'site')}."))


def _read_sites(path: Path) -> Iterator[Site]:
    """Yield the sites of a file in JSON Lines."""
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(iter(lambda: lines.readline(_MOST_LINE), b""), 1):
                if not line.isspace():
                    yield _site_of_line(line, f"{path}, line {number}")
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"cannot read {path}: {reason}.") from error


def _site_of_line(line: bytes, where: str) -> Site:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{where}: this is not JSON: give a file that thresher site export wrote."
        ) from error
    try:
        site = Site.from_dict(data)
        site.host = host_key(site.host)
    except (InputError, UsageError) as error:
        raise InputError(f"{where}: {error}") from error
    return site


@command.command(
    "forget", epilog=examples(_LEARN, "thresher site forget puddle.example --store sites.sqlite")
)
@host_argument
@store_option
def forget(host: str, store_path: str) -> None:
    """Remove a site from the store."""
    store = Store(store_path, create=False)
    if not store.forget(host):
        raise _unknown(store, host)
