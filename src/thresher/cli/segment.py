"""`thresher segment`: the segments of a page as a browser shows it, and the sweep of the paper."""

from __future__ import annotations

import json
import shutil
import sys
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import click

from thresher.batch.atomic_file import to_utf8, write_file, write_stdout
from thresher.batch.messages import Messages, printable
from thresher.batch.sources import BrowserReader, Input, ReadOptions, find_inputs, is_folder
from thresher.cli.options import (
    browser_options,
    check_output,
    check_read_options,
    examples,
    glob_option,
    open_browser,
    read_options,
)
from thresher.cli.progress import page_progress, stderr_is_terminal
from thresher.errors import InputError, UsageError

if TYPE_CHECKING:  # imported where they are used: they take time
    from thresher.page.array_types import Floats, Int64s
    from thresher.visual.segments import Segments

Form: TypeAlias = Literal["tree", "json", "png"]
_FORM_OF_SUFFIX: dict[str, Form] = {".png": "png", ".json": "json", ".txt": "tree"}
_EPILOG = examples(
    "thresher segment examples/demo.html",
    "thresher segment examples/demo.html --method vips --pdoc 6 --output demo.png",
    "thresher segment --sweep examples --output sweep.png",
)
_MIN_WIDTH = 60  # columns
# Colours of the terminal's own palette, so that they can be read on a light and a dark ground.
_COLORS = {
    "green": "content text title table author comments",
    "cyan": "header footer sidebar menu links",
    "yellow": "image logo video",
    "magenta": "list record",
    "red": "ad form notice",
}
_COLOR_OF_KIND = {kind: color for color, kinds in _COLORS.items() for kind in kinds.split()}
_ASCII = str.maketrans({"├": "|", "└": "`", "─": "-", "│": "|", "×": "x"})


@click.command("segment", epilog=_EPILOG)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "--method",
    metavar="EXPR",
    help="How the page is divided: areacut, seam or vips, with options in brackets, as in "
    "'areacut(fine=0.1)'. areacut unless given.",
)
@click.option("--alpha", type=float, help="For seam: divide below this seam degree, 0 to 1.")
@click.option("--beta", type=float, help="For seam: divide below this content similarity, 0 to 1.")
@click.option("--pdoc", type=int, help="For vips: the permitted degree of coherence, 1 to 10.")
@click.option(
    "--records/--no-records",
    default=True,
    help="Whether repeated siblings become a list with its records. They do unless given.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["tree", "json", "png"]),
    help="A tree, JSON, or a picture of the page with a rectangle for each segment. By the name of "
    "the output, else tree.",
)
@click.option("-o", "--output", metavar="PATH", help="The file to write; else standard output.")
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="How many levels of the tree are shown.",
)
@click.option(
    "--sweep",
    "is_sweep",
    is_flag=True,
    help="Count the segments of all inputs for each alpha and beta of 0, 0.1, ..., 1; --output is "
    "then a plot of them.",
)
@browser_options
@glob_option
@read_options
@click.option("--quiet", is_flag=True, help="Show errors only: no progress bar, no warnings.")
def command(
    inputs: tuple[str, ...],
    method: str | None,
    alpha: float | None,
    beta: float | None,
    pdoc: int | None,
    records: bool,
    form: Form | None,
    output: str | None,
    depth: int,
    is_sweep: bool,
    scripts: bool | None,
    network: bool | None,
    width: int | None,
    globs: tuple[str, ...],
    quiet: bool,
    **options: Any,
) -> int:
    """Divide a page into the segments that a reader sees.

    Each one is labelled: header, menu, content, list and so on. INPUT is a file, - for standard
    input, or an address that starts with http:// or https://; with --sweep it can be several of
    them, and folders. The page is loaded in a browser: it needs Chromium and pip install
    'thresher[browser]'.
    """
    messages = Messages(quiet)
    reading = ReadOptions(**options)
    target = None if output is None or output == "-" else Path(output)
    given = {"alpha": alpha, "beta": beta, "pdoc": pdoc}
    chosen = {name: value for name, value in given.items() if value is not None}
    if target is not None:
        check_output(target, inputs)
    if is_sweep:
        if method not in (None, "seam") or chosen or form is not None:
            raise UsageError("--sweep is for seam with all its alpha and beta: give only inputs.")
        with open_browser(messages, scripts=scripts, network=network, width=width) as browser:
            _sweep(find_inputs(inputs, messages, globs=globs), reading, browser, target, messages)
        return 2 if messages.failed else 0

    from thresher.visual import segmenters

    if len(inputs) > 1 or is_folder(inputs[0]):
        raise UsageError("give one page; only --sweep takes several, and folders.")
    segmenter = segmenters.read(method or segmenters.DEFAULT, **chosen)
    form = form or _form(target)
    if form == "png" and target is None and sys.stdout is not None and sys.stdout.isatty():
        raise UsageError("a picture is not for the terminal: give --output FILE.png.")
    (source,) = find_inputs(inputs, messages)
    check_read_options(reading, [source], several=False)
    name = "standard input" if source.kind == "stdin" else source.name
    with open_browser(
        messages, scripts=scripts, network=network, width=width, picture=form == "png"
    ) as browser:
        page = browser.read_page(source, reading)
        if page.status != "complete":
            messages.warn(f"{name}: {page.status}.")
        segments = _labelled(segmenter(page), records=records)
        if form == "png":
            from thresher.viewer.segments_view import segment_picture

            data = segment_picture(segments, browser.browser, page.url or name)
        elif form == "json":
            from thresher.viewer.segments_view import segment_record

            data = to_utf8(_json(segment_record(segments, segmenters.written(segmenter))))
        else:
            data = _tree(segments, depth, to_terminal=target is None)
    if target is None:
        write_stdout(data)
    else:
        write_file(target, data)
        click.echo(printable(f"{target} is written."))
    return 0


def _form(target: Path | None) -> Form:
    """Return the format that the name of the output tells."""
    if target is None:
        return "tree"
    if target.suffix.lower() not in _FORM_OF_SUFFIX:
        raise UsageError(f"{target} tells no format: end it in .png, .json or .txt, or give one.")
    return _FORM_OF_SUFFIX[target.suffix.lower()]


def _labelled(segments: Segments, *, records: bool) -> Segments:
    from thresher.visual.labels import label
    from thresher.visual.records import with_records

    return label(with_records(segments) if records else segments)


def _json(record: dict[str, Any]) -> str:
    """Return the record as JSON with a line for each field and each segment."""
    lines = [
        f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in record.items()
        if name != "segments"
    ]
    each = ",\n".join(f"  {json.dumps(one, ensure_ascii=False)}" for one in record["segments"])
    return "{\n" + ",\n".join([*lines, ' "segments": [\n' + each + "\n ]"]) + "\n}\n"


# --- the tree ------------------------------------------------------------------------------------


def _tree(segments: Segments, depth: int, *, to_terminal: bool) -> bytes:
    """Return the tree as bytes in the encoding of the output, coloured on a terminal."""
    from rich.console import Console
    from rich.text import Text

    from thresher.viewer.segments_view import segment_tree

    colored = to_terminal and sys.stdout is not None and sys.stdout.isatty()
    encoding = (sys.stdout.encoding if colored and sys.stdout is not None else None) or "utf-8"
    width = max(shutil.get_terminal_size(fallback=(100, 24)).columns, _MIN_WIDTH)
    written = StringIO()
    console = Console(file=written, width=width, force_terminal=colored, highlight=False)
    for line in segment_tree(segments, depth):
        text = Text().append(line.branch, style="dim")
        text.append(line.kind, style=f"bold {_COLOR_OF_KIND.get(line.kind, '')}".strip())
        text.append(f"  {line.facts}")
        if line.words:
            text.append(f"  {printable(line.words)}", style="dim")
        text.truncate(width, overflow="ellipsis")
        console.print(text, no_wrap=True, overflow="ellipsis", crop=True)
    leaves = int(segments.is_leaf.sum())
    found = written.getvalue() + f"{leaves} segment{'s' * (leaves != 1)}.\n"
    try:
        return found.encode(encoding)
    except UnicodeEncodeError:
        return found.translate(_ASCII).encode(encoding, "replace")


# --- the sweep -----------------------------------------------------------------------------------


def _sweep(
    found: list[Input],
    reading: ReadOptions,
    browser: BrowserReader,
    target: Path | None,
    messages: Messages,
) -> None:
    """Count the segments of each page for each alpha and beta, print a table, draw the surface."""
    import numpy as np

    from thresher.viewer.plots import image_bytes, image_format, require_matplotlib
    from thresher.viewer.segments_view import sweep_surface
    from thresher.visual.seam import normalised, sweep

    if target is not None:
        form = image_format(target)
        require_matplotlib()
    check_read_options(reading, found, several=len(found) > 1)
    counts: list[Int64s] = []
    show_bar = len(found) > 1 and not messages.quiet and stderr_is_terminal()
    with page_progress(len(found), shown=show_bar) as advance:
        for source in found:
            try:
                page = browser.read_page(source, reading)
                if page.visible.any():
                    counts.append(sweep(page))
                else:
                    messages.warn(f"{source.name} shows nothing and is left out.")
            except InputError as error:
                messages.error(str(error))
            advance(1)
    if not counts:
        messages.error("there is no page to count: give pages that show something.")
        return
    mean = normalised(counts)
    most = np.array([of_page.max() for of_page in counts])
    click.echo(_sweep_table(mean))
    pages = "1 page" if len(counts) == 1 else f"{len(counts)} pages"
    click.echo(f"{pages}; at most {most.min()} to {most.max()} segments a page.")
    if target is not None:
        write_file(target, image_bytes(sweep_surface(mean, _STEPS, len(counts)), form))
        click.echo(printable(f"{target} is written."))


_STEPS = tuple(step / 10 for step in range(11))


def _sweep_table(mean: Floats) -> str:
    """Return a line for each alpha with a number for each beta."""
    lines = ["alpha \\ beta" + "".join(f"{step:6.1f}" for step in _STEPS)]
    for alpha, row in zip(_STEPS, mean.tolist(), strict=True):
        lines.append(f"{alpha:12.1f}" + "".join(f"{number:6.2f}" for number in row))
    return "\n".join(lines)
