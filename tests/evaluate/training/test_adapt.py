"""Adapting the default: trees on top of trees, and a kind of page that the base never saw."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import thresher
from benchmarks.generator import generate, write_jsonl
from tests.methods.default.test_judge import write
from thresher import InputError, UsageError
from thresher.cli import main
from thresher.evaluate.corpora import GoldPage
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training import default
from thresher.evaluate.training.adapt import Adapter, adapter
from thresher.evaluate.training.gold_alignment import labels
from thresher.evaluate.training.name_odds import TokenCounts
from thresher.evaluate.training.train import train
from thresher.methods.default import Default
from thresher.methods.default.judge import Judge, load_judge
from thresher.methods.model.files import load, to_bytes

FEW = {
    "_MEMBERS": 2, "_TREES": 20, "_FIRST": 10, "_DEPTH": 4, "_KIND_TREES": 4, "_KIND_DEPTH": 2,
}  # fmt: skip


@pytest.fixture(scope="module")
def pages() -> dict[str, list[GoldPage]]:
    """Articles to start from; forums to adapt to; forums of other sites to measure on."""
    made = list(generate(11, 320, sites=32))
    forums = [page for page in made if page.kind == "forum"]
    sites = sorted({page.site for page in forums})
    assert len(sites) >= 4
    known = set(sites[: len(sites) // 2])
    return {
        "base": [page for page in made if page.kind == "article"][:80],
        "mine": [page for page in forums if page.site in known],
        "others": [page for page in forums if page.site not in known],
    }


@pytest.fixture(scope="module")
def models(pages, tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("adapt")
    for name in ("base", "mine"):
        write_jsonl(pages[name], folder / f"{name}.jsonl")  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in FEW.items():
            patch.setattr(default, name, value)
        (folder / "base.npz").write_bytes(train("default", [folder / "base.jsonl"]))
    learner = adapter("default", str(folder / "base.npz"))
    (folder / "mine.npz").write_bytes(train("default", [folder / "mine.jsonl"], learner=learner))
    return {"folder": str(folder), **{n: str(folder / f"{n}.npz") for n in ("base", "mine")}}


def f1(model: str, pages: list[GoldPage]) -> float:
    method = Default(model=model)
    scores = [
        bag(tokens(method(thresher.parse(page.html)).text()), tokens(page.text)).f1
        for page in pages
    ]
    return float(np.mean(scores))


@pytest.mark.slow
def test_a_kind_that_the_base_never_saw_improves_on_other_sites(pages, models):
    assert f1(models["mine"], pages["others"]) > f1(models["base"], pages["others"]) + 0.02


@pytest.mark.slow
def test_most_of_what_the_base_knows_stays(pages, models):
    # Not all: in a forum, posts are content that under an article are not.
    assert f1(models["mine"], pages["base"][:30]) > 0.8


def test_the_header_tells_what_it_was_made_from(pages, models):
    header = load("default", models["mine"]).header
    assert header["trained on"] == {"mine": len(pages["mine"])}
    assert header["base"] == {"base": 80}
    assert header["trees"] == FEW["_MEMBERS"] * FEW["_TREES"] + header["new trees"]
    assert header["new trees"] > 0


def test_the_trees_are_those_of_the_base_and_more(models):
    base, mine = load_judge(models["base"]), load_judge(models["mine"])
    new = load("default", models["mine"]).header["new trees"]
    assert mine.first.feature.shape[1] == FEW["_FIRST"] + new
    assert mine.rest.feature.shape[1] == base.rest.feature.shape[1]
    matrix = np.random.default_rng(0).normal(size=(400, 20)).astype(np.float32)
    np.testing.assert_allclose(mine.rest(matrix), base.rest(matrix), atol=1e-3)
    old = list(base.table.number)
    assert list(mine.table.number)[: len(old)] == old
    assert np.array_equal(mine.table.odds[: len(old)], base.table.odds)


def samples(base: Adapter, *pairs: tuple[str, str]):
    for number, (html, gold) in enumerate(pairs):
        page = thresher.parse(html)
        of = GoldPage(id=f"{number}", html=html.encode(), text=gold, site=f"{number}.org")
        yield base.sample(page, labels(page, gold), of)


LONG = "Warm the pot before the leaves go in, and wait for three minutes."


def test_with_nothing_to_tell_apart_the_base_stays_as_it_is(tmp_path):
    path = write(tmp_path / "m.npz")
    base = Adapter(load("default", path))
    learned = base.fit(list(samples(base, *[(f"<p>{LONG}</p>", LONG)] * 3)), 0)
    assert learned.header["new trees"] == 0
    page = thresher.parse("<nav>one two three four</nav><p>five six seven eight</p>")
    (tmp_path / "n.npz").write_bytes(to_bytes("default", learned.arrays))
    after = Judge.of(load("default", str(tmp_path / "n.npz")))(page)
    before = base.judge(page)
    assert after is not None
    assert before is not None
    np.testing.assert_allclose(after.probability, before.probability)


def test_new_names_come_in_addition(tmp_path):
    base = Adapter(load("default", write(tmp_path / "m.npz")))  # it knows post and nav
    html = f"<div class='story'><p>{LONG}</p></div><div class='nav teaser'>More of all that</div>"
    learned = base.fit(list(samples(base, *[(html, LONG)] * 6)), 0)
    names = bytes(learned.arrays["tokens"]).decode().split("\n")
    assert names == ["post", "nav", "story", "teaser"]
    odds = learned.arrays["token_odds"].tolist()
    assert odds[:2] == [1.0, -1.0]
    assert odds[2] > 0 > odds[3]


def test_what_cannot_be_adapted_is_refused(tmp_path):
    with pytest.raises(UsageError, match="a base is for the method default, not for mss"):
        adapter("mss", "x.npz")
    with pytest.raises(InputError, match=r"no model .*x\.npz"):
        adapter("default", str(tmp_path / "x.npz"))
    base = Adapter(load("default", write(tmp_path / "m.npz")))
    with pytest.raises(InputError, match="there is nothing to learn from"):
        base.fit([None, *samples(base, ("<p>x</p>", ""))], 0)


# --- the command ---------------------------------------------------------------------------------


def run(*arguments: object):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.mark.slow
def test_the_command_adapts_to_the_same_bytes(models, tmp_path):
    target = tmp_path / "out.npz"
    corpus = Path(models["folder"]) / "mine.jsonl"
    done = run("train", "default", corpus, "--base", models["base"], "--output", target)
    assert done.exit_code == 0, done.output
    assert target.read_bytes() == Path(models["mine"]).read_bytes()
    base = Path(models["base"]).read_bytes()
    refused = run("train", "default", corpus, "--base", models["base"], "--output", models["base"])
    assert refused.exit_code == 2
    assert Path(models["base"]).read_bytes() == base
    assert run("train", "mss", corpus, "--base", models["base"]).exit_code == 2


def test_each_page_is_used_three_times_more_without_some_containers(pages, models):
    learner = adapter("default", models["base"])
    gold = max(pages["mine"], key=lambda page: len(page.text))
    page = thresher.parse(gold.html)
    sample = learner.sample(page, labels(page, gold.text), gold)
    assert sample is not None
    assert len(sample.copies) == 3
    for copy in sample.copies:
        assert 0 < copy.content.sum() <= sample.content.sum()
        assert copy.outline.words.sum() < sample.outline.words.sum()
    alone, with_copies = (
        learner._table(used, TokenCounts([s.tokens for s in used]), 0)
        for used in ([sample], [sample, *sample.copies])
    )
    assert len(with_copies.label) > 2 * len(alone.label)
