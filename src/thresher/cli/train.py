"""`thresher train`: learn the weights of a method from pages whose main content is known."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from thresher.batch.atomic_file import NewFile
from thresher.batch.sinks import refuse_source
from thresher.cli.evaluate import page_progress
from thresher.cli.options import examples
from thresher.errors import UsageError

if TYPE_CHECKING:
    from thresher.evaluate.training.train import FoldScores

_EPILOG = examples(
    "thresher train mss examples --output mss.npz",
    "thresher train maxent examples --seed 1 --output maxent.npz",
)


@click.command("train", epilog=_EPILOG)
@click.argument("method")
@click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True)
@click.option("--output", metavar="FILE", help="The model to write; METHOD.npz unless given.")
@click.option(
    "--folds",
    type=click.IntRange(min=2),
    help="Measure in so many folds by site and print the table; a model is written only with "
    "--output.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="For what is random; the same pages and seed give the same model.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Take the first pages of each corpus.")
@click.option(
    "--base",
    metavar="FILE",
    help="Adapt this model of default to the pages instead of starting anew; shipped: the one that "
    "ships.",
)
def command(
    method: str, corpora: tuple[str, ...], output: str | None, folds: int | None, seed: int,
    limit: int | None, base: str | None,
) -> None:  # fmt: skip
    """Learn the weights of METHOD from pages whose main content is known.

    CORPUS is as for thresher evaluate. Use the model as an option of the method:
    --method 'crf(model="crf.npz")'.
    """
    from thresher.evaluate.training.adapt import adapter
    from thresher.evaluate.training.train import cross_validate, train
    from thresher.evaluate.training.trainers import trainer

    name = method.lower()
    learner = trainer(name)  # first: it knows what to say about a name that does not exist
    if base:
        learner = adapter(name, base)
    places = [Path(corpus) for corpus in corpora]
    target = Path(output) if output else None if folds else Path(f"{name}.npz")
    if target is not None:
        sources = [*places, *([Path(base)] if base else [])]
        refuse_source(target, {os.path.realpath(source) for source in sources})
        if target.is_dir():
            raise UsageError(f"{target} is a folder: give the name of a file.")
    if folds:
        with page_progress(places * 2, limit) as advance:  # they are read twice
            found = cross_validate(
                name, places, folds=folds, seed=seed, limit=limit, progress=advance, learner=learner
            )
        click.echo(table(found))
    if target is not None:
        with NewFile(target) as file, page_progress(places, limit) as advance:
            made = train(name, places, seed=seed, limit=limit, progress=advance, learner=learner)
            file.add(made)
        click.echo(f"{target} is written.")


def table(found: list[FoldScores]) -> str:
    """Return the means of each fold, of each corpus and of all pages."""
    groups: dict[str, list[FoldScores]] = {}
    for score in sorted(found, key=lambda score: score.fold):
        groups.setdefault(f"fold {score.fold + 1}", []).append(score)
    for score in found:
        groups.setdefault(score.corpus, []).append(score)
    groups["all"] = found
    tools = list(found[0].f1)
    wide = max(map(len, groups))
    lines = [f"{'word F1':<{wide}}{'pages':>8}" + "".join(f"{tool:>16}" for tool in tools)]
    for name, scores in groups.items():
        means = [sum(score.f1[tool] for score in scores) / len(scores) for tool in tools]
        line = f"{name:<{wide}}{len(scores):>8}" + "".join(f"{mean:>16.3f}" for mean in means)
        lines.append(line)
    return "\n".join(lines)
