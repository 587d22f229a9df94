"""`thresher extract`: the main content of files, folders, standard input and addresses."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click

from thresher.batch.formats import FORMS, Form, Writer, record_fields
from thresher.batch.messages import Messages
from thresher.batch.page_collections import SitesOfPages
from thresher.batch.related import RelatedPages
from thresher.batch.sinks import Sink, open_sink
from thresher.batch.sources import Input, ReadOptions, find_inputs, is_folder, read_page
from thresher.cli.options import (
    browser_options,
    check_read_options,
    examples,
    glob_option,
    method_options,
    open_browser,
    read_host,
    read_options,
    selected_method,
    warn_of_status,
)
from thresher.cli.progress import page_progress, stderr_is_terminal
from thresher.document import Document, extract, judged_document
from thresher.errors import InputError, UsageError
from thresher.methods import combine
from thresher.methods.default import Default
from thresher.page import Method, Page
from thresher.render import Include, SpeechOptions
from thresher.site.store import Store
from thresher.viewer.page_shell import count

_NAMED_HOSTS = 3  # in a warning

_EPILOG = examples(
    "thresher extract examples/demo.html",
    "thresher extract examples --format markdown --output build/texts",
    "thresher extract examples/demo.html --format markdown --with-metadata",
    "thresher extract examples --format csv --fields input,title,date,markdown",
    "thresher extract --browser examples/demo.html",
    "thresher extract examples/demo.html --format speech | espeak-ng -w rain.wav",
    "curl -s https://example.org/ | thresher extract - --url https://example.org/",
)


@click.command("extract", epilog=_EPILOG)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="The format of the output.",
)
@method_options
@click.option(
    "--output",
    metavar="PATH",
    help="A file; for several inputs or a folder, a folder with a file for each input, or with csv "
    "and json one file. Standard output unless given.",
)
@glob_option
@click.option("--links/--no-links", default=True, help="Keep links, or only their text.")
@click.option("--images/--no-images", default=True, help="Keep images.")
@click.option("--tables/--no-tables", default=True, help="Keep tables.")
@click.option("--comments/--no-comments", default=True, help="Keep readers' comments.")
@click.option(
    "--title/--no-title",
    default=None,
    help="Begin with the title as a heading, or leave it out. Unless given, the headline stays "
    "where the method keeps it.",
)
@click.option(
    "--with-metadata",
    "metadata",
    is_flag=True,
    help="Put the metadata first: YAML front matter in Markdown, header lines in text. The title "
    "is in there then, and not in the content.",
)
@click.option(
    "--fields",
    metavar="NAMES",
    help="With --format json or csv: which fields are written, such as title,date,markdown. "
    "+blocks adds one to the usual ones.",
)
@click.option("--ssml", is_flag=True, help="With --format speech: write SSML 1.1.")
@click.option(
    "--read-code/--skip-code",
    default=None,
    help="With --format speech: read blocks of code, or say that they are left out. They are read "
    "unless given.",
)
@click.option(
    "--related",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="With --format speech: read the first N pages that the page links to as related, too.",
)
@read_options
@click.option(
    "--browser",
    "with_browser",
    is_flag=True,
    help="Load each page in a browser first: its scripts run, its style sheets count. Needs "
    "Chromium and pip install 'thresher[browser]'.",
)
@browser_options
@click.option(
    "--site",
    "store_path",
    metavar="FILE",
    help="A store of sites: what was learned of a page's host is weighed in. The host is that of "
    "the address, else --host, else of a folder named after it. See: thresher site.",
)
@click.option(
    "--host", callback=read_host, help="With --site: the host of pages without an address."
)
@click.option("--quiet", is_flag=True, help="Show errors only: no progress bar, no warnings.")
def command(
    inputs: tuple[str, ...],
    form: Form,
    method: str | None,
    favor: Any,
    output: str | None,
    fields: str | None,
    globs: tuple[str, ...],
    ssml: bool,
    read_code: bool | None,
    related: int,
    with_browser: bool,
    scripts: bool | None,
    network: bool | None,
    width: int | None,
    store_path: str | None,
    host: str | None,
    quiet: bool,
    **options: Any,
) -> int:
    """Extract the main content of web pages.

    INPUT is a file, a folder (all pages below it: .html, .php, .mhtml, .html.gz and the like), -
    for standard input, or an address that starts with http:// or https://.

    An input that cannot be read is reported and the others go on; the exit code is then 2.
    """
    messages = Messages(quiet)
    selected = selected_method(method, favor)
    sites = _known_sites(store_path, host, selected)
    chosen = record_fields(form, fields)
    include = Include(**{part: options.pop(part) for part in Include.__dataclass_fields__})
    reading = ReadOptions(**options)
    several = len(inputs) > 1 or is_folder(inputs[0])
    target = None if output is None or output == "-" else Path(output)
    to_folder = target is not None and _goes_to_folder(str(output), form, several)
    found = find_inputs(inputs, messages, target if to_folder else None, globs)
    check_read_options(reading, found, several)
    if include.metadata and form not in ("text", "markdown"):
        raise UsageError(
            "--with-metadata is for --format text and markdown: json, csv and tei have it anyway."
        )
    if form != "speech" and (ssml or read_code is not None or related):
        raise UsageError(
            "--ssml, --read-code, --skip-code and --related are for --format speech: give it too."
        )
    if several and target is None and (form == "tei" or ssml):
        name = "SSML" if ssml else "TEI"
        raise UsageError(f"several {name} documents do not make one: give --output FOLDER.")
    if not with_browser and any(value is not None for value in (scripts, network, width)):
        raise UsageError("--scripts, --network and --width are for --browser: give it too.")
    if found:
        prints = target is None and sys.stdout is not None and sys.stdout.isatty()
        show_bar = len(found) > 1 and not quiet and not prints and stderr_is_terminal()
        with (
            open_browser(messages, scripts=scripts, network=network, width=width)
            if with_browser
            else nullcontext()
        ) as browser:
            read = partial(browser.read_page if browser else read_page, options=reading)
            to_document = partial(_extract, read=read, method=selected, sites=sites)
            writer = Writer(
                form,
                include,
                several and not to_folder,
                whole_page=target is not None,
                fields=chosen,
                speech=SpeechOptions(ssml=ssml, code=read_code is not False),
                related=RelatedPages(related, to_document, messages),
            )
            with (
                open_sink(writer, target, found, messages, folder=to_folder) as sink,
                page_progress(len(found), shown=show_bar) as advance,
            ):
                for source in found:
                    _extract_one(source, to_document, sink, messages)
                    advance(1)
    if sites is not None:
        _warn_of_unused(sites, messages)
    return 2 if messages.failed else 0


def _goes_to_folder(output: str, form: Form, several: bool) -> bool:
    """Return True if `output` is a folder with a file per input."""
    if several:
        return form not in ("csv", "json")
    return output.endswith("/") or is_folder(output)


def _known_sites(store_path: str | None, host: str | None, method: Method) -> SitesOfPages | None:
    """Return the sites of `--site`, None if it is not given."""
    if store_path is None:
        if host is not None:
            raise UsageError("--host is for --site: give the store of sites too.")
        return None
    if not isinstance(method, Default):
        raise UsageError(
            f"only the default can use a site, not {combine.write(method)}: leave out --site or "
            "--method."
        )
    return SitesOfPages(Store(store_path, create=False), host)


def _warn_of_unused(sites: SitesOfPages, messages: Messages) -> None:
    """Say for how many pages nothing was found in the store, and why."""
    if sites.nameless:
        pages = count(sites.nameless, "page")
        messages.warn(f"the store was not used for {pages} without a host: give --host HOST.")
    if sites.unknown:
        hosts = [host for host, _ in sites.unknown.most_common(_NAMED_HOSTS)]
        more = len(sites.unknown) - len(hosts)
        named = ", ".join(hosts) + (f" and {count(more, 'other host')}" if more else "")
        pages = count(sites.unknown.total(), "page")
        messages.warn(
            f"the store has nothing about {named} ({pages}): thresher site learn adds a site, "
            "thresher site list shows those it has."
        )


def _extract(
    source: Input, read: Callable[[Input], Page], method: Method, sites: SitesOfPages | None
) -> Document:
    """Read and extract one input."""
    page = read(source)
    site = sites.of(page, source) if sites else None
    if site is not None and isinstance(method, Default):
        return judged_document(page, method, site.weigh(method.judge(page)))
    return extract(page, method=method)


def _extract_one(
    source: Input, to_document: Callable[[Input], Document], sink: Sink, messages: Messages
) -> None:
    """Read, extract and write one input; report it if it cannot be read, was cut or is empty."""
    try:
        document = to_document(source)
    except InputError as error:
        messages.error(str(error))
        return
    sink.write(source, document)
    warn_of_status(source, document.status, messages)
