"""`thresher sweep`: precision, recall and F1 of a method against one of its options."""

from __future__ import annotations

import ast
from pathlib import Path

import click

from thresher import methods
from thresher.batch.atomic_file import write_file
from thresher.cli.evaluate import measure, score_table
from thresher.cli.options import corpora_argument, examples, limit_option
from thresher.errors import UsageError
from thresher.methods import combine
from thresher.viewer.plots import image_bytes, image_format, require_matplotlib, threshold_sweep

_EPILOG = examples(
    "thresher sweep examples --method lqf --option quota --values 0.1,0.25,0.5,0.75",
    "thresher sweep examples --method bte --option tag_cost --values 0.5,1,2 --output sweep.png",
)


@click.command("sweep", epilog=_EPILOG)
@corpora_argument
@click.option("--method", "name", metavar="NAME", required=True, help="The method, such as lqf.")
@click.option("--option", metavar="NAME", required=True, help="Its option, such as quota.")
@click.option("--values", metavar="LIST", required=True, help="Its values, separated by commas.")
@limit_option
@click.option("--output", metavar="PATH", help="The picture to write, as .png, .svg or .pdf.")
def command(
    corpora: tuple[str, ...], name: str, option: str, values: str, limit: int | None,
    output: str | None,
) -> None:  # fmt: skip
    """Measure a method at several values of one option.

    CORPUS is as for thresher evaluate; scores are the means over all pages of all corpora.
    --output draws them as a curve.
    """
    form = image_format(Path(output or "x.png"))
    if output:
        require_matplotlib()
    tried = [_number_or_word(value.strip()) for value in values.split(",") if value.strip()]
    expressions = [combine.write(methods.get(name, **{option: value})) for value in tried]
    if len(set(expressions)) < max(len(expressions), 2):
        raise UsageError("give at least two values, each of them once.")
    results = measure([Path(corpus) for corpus in corpora], tuple(expressions), limit=limit)
    click.echo(score_table(results.rows()))
    if output:
        scores = [results.mean_scores(expression) for expression in expressions]
        figure = threshold_sweep(tried, scores, option=option, name=name)
        write_file(Path(output), image_bytes(figure, form))
        click.echo(f"{output} is written.")


def _number_or_word(text: str) -> float | str:
    """Return a value as a number or a quoted word, else the text itself."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if isinstance(value, int | float | str) else text
