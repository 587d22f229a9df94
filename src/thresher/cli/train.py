"""`thresher train`: learn the weights of a method from pages whose main content is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from thresher.batch.atomic_file import AtomicFile
from thresher.cli.options import (
    check_output,
    corpora_argument,
    corrections_option,
    examples,
    limit_option,
)
from thresher.cli.progress import corpus_progress

if TYPE_CHECKING:
    from thresher.evaluate.training.train import FoldScores

_EPILOG = examples(
    "thresher train mss examples --output mss.npz",
    "thresher train maxent examples --seed 1 --output maxent.npz",
)


@click.command("train", epilog=_EPILOG)
@click.argument("method")
@corpora_argument
@click.option(
    "--output", metavar="FILE", help="The model to write; METHOD.npz (or .json) unless given."
)
@click.option(
    "--folds",
    type=click.IntRange(min=2),
    help="Measure with this many folds by site and print the table; a model is written only with "
    "--output.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The seed of random choices; the same pages and seed give the same model.",
)
@limit_option
@corrections_option
@click.option(
    "--base",
    metavar="FILE",
    help="Adapt this model of default to the pages instead of starting from nothing; "
    "'shipped' is the model that comes with Thresher.",
)
def command(
    method: str, corpora: tuple[str, ...], output: str | None, folds: int | None, seed: int,
    limit: int | None, corrections: bool | None, base: str | None,
) -> None:  # fmt: skip
    """Train METHOD on pages whose main content is known.

    CORPUS is as for thresher evaluate. Use the model as an option of the method:
    --method 'crf(model="crf.npz")'.
    """
    from thresher.evaluate.training.adapt import adapter
    from thresher.evaluate.training.train import CORRECTED, cross_validate, train, trainer
    from thresher.methods.model.files import file_name

    name = method.lower()
    learner = trainer(name)  # first, as it raises for an unknown name
    if base:
        learner = adapter(name, base)
    paths = [Path(corpus) for corpus in corpora]
    corrected = CORRECTED if corrections is None else corrections
    target = Path(output) if output else None if folds else Path(file_name(name))
    if target is not None:
        check_output(target, [*corpora, *([base] if base else [])])
    if folds:
        with corpus_progress(paths * 2, limit) as advance:  # they are read twice
            scores = cross_validate(
                name, paths, folds=folds, seed=seed, limit=limit, corrected=corrected,
                progress=advance, learner=learner,
            )  # fmt: skip
        click.echo(fold_table(scores))
    if target is not None:
        with AtomicFile(target) as file, corpus_progress(paths, limit) as advance:
            file.write(
                train(
                    name, paths, seed=seed, limit=limit, corrected=corrected, progress=advance,
                    learner=learner,
                )
            )  # fmt: skip
        click.echo(f"{target} is written.")


def fold_table(scores: list[FoldScores]) -> str:
    """Return the mean word F1 of each fold, of each corpus and of all pages, as a table.

    A corpus with corrected pages also has a row for these, and one for all its pages against the
    gold texts that it was published with.
    """
    groups: dict[str, list[FoldScores]] = {}
    for score in sorted(scores, key=lambda score: score.fold):
        groups.setdefault(f"fold {score.fold + 1}", []).append(score)
    for score in scores:
        groups.setdefault(score.corpus, []).append(score)
    for score in [score for score in scores if score.published_f1 is not None]:
        groups.setdefault(f"{score.corpus}, corrected pages", []).append(score)
    for corpus in {score.corpus for score in scores if score.published_f1 is not None}:
        groups[f"{corpus}, published gold"] = [
            replace(score, f1=score.published_f1 or score.f1) for score in groups[corpus]
        ]
    groups["all"] = scores
    tools = list(scores[0].f1)
    wide = max(map(len, groups))
    lines = [f"{'word F1':<{wide}}{'pages':>8}" + "".join(f"{tool:>16}" for tool in tools)]
    for name, own in groups.items():
        means = [sum(score.f1[tool] for score in own) / len(own) for tool in tools]
        cells = "".join(f"{mean:>16.3f}" for mean in means)
        lines.append(f"{name:<{wide}}{len(own):>8}{cells}")
    return "\n".join(lines)
