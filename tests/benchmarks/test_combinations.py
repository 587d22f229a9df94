"""The search for the best combination: scores by groups, family, halves, models, a small run."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import combinations as experiment
from benchmarks import held_out
from benchmarks.generator import generate
from benchmarks.marked_blocks import block
from thresher import combine, methods, parse
from thresher.evaluate.scores import bag, tokens
from thresher.page.decode import decode

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def gold():
    return list(generate(7, 8))


@pytest.fixture(scope="module")
def models(gold, tmp_path_factory):
    """A folder with a model of each trained method."""
    folder = tmp_path_factory.mktemp("models")
    samples = [held_out.samples_of(page) for page in gold]
    for index, name in enumerate(held_out.TRAINED):
        held_out.write_model(name, [sample[index] for sample in samples], folder)
    return folder


def slow_f1(expression, gold, models) -> float:
    """Run the expression itself, and compare the words of the rows that it keeps."""
    page = parse(decode(gold.html)[0])
    kept = combine.read(held_out.with_models(expression, models))(page).rows.tolist()
    found = [word for row in kept for word in tokens(page.text(row))]
    return bag(found, tokens(gold.text)).f1


@pytest.mark.slow
def test_the_group_score_is_that_of_the_expression(gold, models):
    page = gold[0]
    groups = experiment.row_groups(page, models)
    parts = experiment.parts()
    assert groups.kept.shape[1] == len(parts)
    first = list(experiment.family(parts, range(len(parts))))
    second = list(experiment.nested(first, range(len(first) - 20, len(first)), 5))
    by_first = experiment.kept_by(first, groups.kept)
    quick = experiment.group_f1(by_first, groups)
    again = experiment.group_f1(experiment.kept_by(second, by_first.T), groups)
    some = [*range(len(parts)), *range(len(parts), len(first), 61)]
    assert quick[some] == pytest.approx([slow_f1(first[i].expression, page, models) for i in some])
    some = range(0, len(second), 23)
    slow = [slow_f1(second[i].expression, page, models) for i in some]
    assert again[some] == pytest.approx(slow)


def test_score_by_hand():
    kept = np.array([[True, False], [True, False], [False, True], [False, False]])
    groups = experiment.grouped(kept, [["a", "b"], ["a"], ["c", "x"], []], "a b c c")
    assert sorted(groups.words.tolist()) == [2.0, 3.0]
    f1 = experiment.group_f1(np.vstack([groups.kept.T, [True, True], [False, False]]), groups)
    assert f1.tolist() == pytest.approx([4 / 7, 2 / 6, 6 / 9, 0.0])
    empty = experiment.grouped(kept[3:], [[]], "")
    assert experiment.group_f1(np.zeros((1, 0), bool), empty).tolist() == [1.0]


def test_votes_are_of_different_methods():
    parts = experiment.parts()
    for candidate in experiment.family(parts, range(len(parts) - 1, -1, -1)):
        if candidate.expression.startswith("vote"):
            voters = [parts[member].method for member in candidate.members]
            assert len(set(voters)) == len(voters)


def test_the_halves_share_no_site():
    places = [experiment.Place("x", f"site {number % 11}") for number in range(100)]
    choosing = experiment.used_to_choose(places)
    sites = [{p.site for p, c in zip(places, choosing, strict=True) if c is side}
             for side in (np.True_, np.False_)]  # fmt: skip
    assert sorted(map(len, sites)) == [5, 6]
    assert not sites[0] & sites[1]
    assert np.array_equal(choosing, experiment.used_to_choose(places))


def test_all_methods_of_the_papers_take_part_and_the_default_does_not():
    parts = {part.method for part in experiment.parts()}
    assert parts == set(methods.names()) - {"default", "r2l"}
    trained = [name for name in methods.names() if "model" in methods.options(name)]
    assert set(held_out.TRAINED) == set(trained) - {"boilerpipe", "default"}


@pytest.mark.slow
def test_trained_methods_of_an_expression_get_their_models(models):
    named = held_out.with_models("vote(crf, series(lqf, content-seeker), k-fe)", models)
    method = combine.read(named)
    assert method.parts[0].model == f"{models / 'crf'}.npz"
    assert method.parts[1].parts[1].model == f"{models / 'content-seeker'}.npz"
    assert named.count("(model=") == 2


def test_no_page_is_extracted_with_models_that_saw_its_site(tmp_path):
    """Folds within the half that chooses; all of that half for the other one."""
    sites = [f"site {number // 2}" for number in range(24)]
    choosing = np.array([number < 16 for number in range(24)])
    seen = {}

    class Pool:
        def each_page(self, work, wanted, title):
            return [[f"{n} {page}" for n in experiment.TRAINED] for page in np.flatnonzero(wanted)]

        def each_task(self, work, tasks, title):
            for method, samples, place in tasks:
                seen[place, method] = {int(sample.removeprefix(method)) for sample in samples}

    models = experiment.train(Pool(), choosing, sites, tmp_path)
    assert len(seen) == (experiment.FOLDS + 1) * len(experiment.TRAINED)
    for page, place in enumerate(models):
        for method in experiment.TRAINED:
            known = seen[place, method]
            assert sites[page] not in {sites[other] for other in known}
            assert known <= set(range(16))
            assert len(known) == 16 if page >= 16 else 8 <= len(known) < 16


def test_the_interval_draws_sites():
    low, high = experiment.interval(np.array([0.1] * 40), ["a", "b"] * 20)
    assert (low, high) == (pytest.approx(0.1), pytest.approx(0.1))
    low, high = experiment.interval(np.array([0.0] * 20 + [1.0] * 20), ["a"] * 20 + ["b"] * 20)
    assert (low, high) == (0.0, 1.0)


def test_the_docs_have_a_marked_block():
    docs = (ROOT / "docs" / "combining.md").read_text(encoding="utf-8")
    assert block(docs, "combinations").startswith("Of ")


@pytest.mark.slow
def test_a_small_run(tmp_path, gold, capsys):
    corpus, docs = tmp_path / "small.jsonl", tmp_path / "docs.md"
    lines = [
        {"id": page.id, "html": decode(page.html)[0], "text": page.text, "site": f"site {number}"}
        for number, page in enumerate(gold)
    ]
    corpus.write_text("\n".join(map(json.dumps, lines)))
    docs.write_text("<!-- combinations: here -->\n<!-- combinations: end -->\n")
    assert experiment.main([str(docs), "--corpus", str(corpus), "--jobs", "1"]) == 0
    written = docs.read_text()
    assert "on 4 pages of half of the sites" in written
    assert "| **the combination** | " in written
    expression = written.partition("```text\n")[2].partition("\n")[0]
    assert combine.write(combine.read(expression)) == expression
    for name in set(methods.names()) - {"default"}:
        assert f"| `{name}` | " in written
    assert "| `default` | " not in written
    assert written.split("\n")[1] in capsys.readouterr().out
