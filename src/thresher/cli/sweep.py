"""`thresher sweep`: precision, recall and F1 of a method against one of its options."""

from __future__ import annotations

import ast
from pathlib import Path

import click

from thresher import methods
from thresher.batch.atomic_file import NewFile
from thresher.cli.evaluate import measure_methods, table
from thresher.cli.options import examples
from thresher.errors import UsageError
from thresher.methods import combine
from thresher.viewer.plots import FORMATS, need_matplotlib, saved, threshold_sweep

_EPILOG = examples(
    "thresher sweep examples --method lqf --option quota --values 0.1,0.25,0.5,0.75",
    "thresher sweep examples --method bte --option tag_cost --values 0.5,1,2 --output sweep.png",
)


@click.command("sweep", epilog=_EPILOG)
@click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True)
@click.option("--method", "name", metavar="NAME", required=True, help="The method, such as lqf.")
@click.option("--option", metavar="NAME", required=True, help="Its option, such as quota.")
@click.option("--values", metavar="LIST", required=True, help="Its values, separated by commas.")
@click.option("--limit", type=click.IntRange(min=1), help="Take the first pages of each corpus.")
@click.option("--output", metavar="PATH", help="The picture to write, as .png, .svg or .pdf.")
def command(
    corpora: tuple[str, ...], name: str, option: str, values: str, limit: int | None,
    output: str | None,
) -> None:  # fmt: skip
    """Measure a method at several values of one option, and draw the curve.

    CORPUS is as for thresher evaluate; scores are the means over all pages of all corpora.
    """
    form = Path(output or "x.png").suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise UsageError(f"{output} is no name for a picture: end it in .png, .svg or .pdf.")
    if output:
        need_matplotlib()
    chosen = [_value(value) for value in values.split(",") if value.strip()]
    expressions = [combine.write(methods.get(name, **{option: value})) for value in chosen]
    if len(set(expressions)) < max(len(expressions), 2):
        raise UsageError("give at least two values, each of them once.")
    results = measure_methods([Path(corpus) for corpus in corpora], tuple(expressions), limit)
    click.echo(table(results.rows()))
    if output:
        scores = [results.mean_scores(expression) for expression in expressions]
        figure = threshold_sweep(chosen, scores, option=option, name=name)
        with NewFile(Path(output)) as file:
            file.add(saved(figure, form))
        click.echo(f"{output} is written.")


def _value(text: str) -> float | str:
    """Return a value as the number or word that it is."""
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError):
        return text.strip()
    return value if isinstance(value, int | float | str) else text.strip()
