"""Training: folds, trainers and the command, on small generated corpora."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.svm import LinearSVC

import thresher
from benchmarks.generator import generate, write_jsonl
from thresher import UsageError, methods
from thresher.cli import main
from thresher.cli.train import fold_table
from thresher.evaluate.corpora import GoldPage, read
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training.boilerpipe import (
    BoilerpipeTrainer,
    nested_tree,
    support_vector_machine,
)
from thresher.evaluate.training.content_seeker import (
    forest_arrays,
    frequent_stems,
    good_granularity,
)
from thresher.evaluate.training.mss import MSSTrainer, log_odds, token_labels
from thresher.evaluate.training.train import (
    TRAINERS,
    USES,
    FoldScores,
    cross_validate,
    train,
    trainer,
)
from thresher.evaluate.training.trainer import folds_of_groups, group_of
from thresher.methods.boilerpipe import TrainedClassifiers, features
from thresher.methods.model.files import Model, load
from thresher.page.words import stems

NO_GOLD = GoldPage(id="", html=b"", text="")
NAMES = sorted(set(TRAINERS) - {"default"})


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "small.jsonl"
    write_jsonl(generate(3, 36, sites=12), path)
    return path


# --- folds ---------------------------------------------------------------------------------------


def test_a_site_is_in_one_fold():
    pages = [GoldPage(id=f"{n}", html=b"", text="", site=f"site{n % 7}") for n in range(40)]
    groups = [group_of("corpus", page) for page in pages]
    fold = folds_of_groups(groups, 5, seed=0)
    assert set(fold.tolist()) == set(range(5))
    for group in set(groups):
        assert len({f for f, g in zip(fold.tolist(), groups, strict=True) if g == group}) == 1


def test_a_page_without_a_site_is_its_own_group_and_case_makes_no_site():
    alone = [GoldPage(id=f"{n}", html=b"", text="") for n in range(3)]
    assert len({group_of("c", page) for page in alone}) == 3
    assert group_of("c", alone[0]) != group_of("d", alone[0])
    named = [GoldPage(id="1", html=b"", text="", site=site) for site in ("A.org", "a.org")]
    assert len({group_of("c", page) for page in named}) == 1


def test_folds_depend_on_the_seed_alone():
    groups = [f"g{n}" for n in range(30)]
    first = folds_of_groups(groups, 5, 0).tolist()
    assert folds_of_groups(groups[::-1], 5, 0).tolist() == first[::-1]
    assert folds_of_groups(groups, 5, 1).tolist() != first
    with pytest.raises(UsageError, match="2 folds cannot be made of 1 site: "):
        folds_of_groups(["a", "a"], 2, 0)
    with pytest.raises(UsageError, match="5 folds cannot be made of 3 sites"):
        folds_of_groups(["a", "b", "c"], 5, 0)


# --- trainers ------------------------------------------------------------------------------------


def test_log_odds_by_hand():
    # Content 3 of 30 tokens, others 10 of 70; ten tokens more, three and seven of them.
    counts = np.array([[10.0, 0.0], [3.0, 0.0]])
    found = log_odds(counts, np.array([69.0, 29.0]))
    assert found.tolist() == pytest.approx([np.log((6 / 0.3) / (17 / 0.7)), 0.0])


def test_a_tag_is_content_between_words_that_are():
    # <p> one </p> <p> two </p> three </p>, with one and two content
    is_word = np.array([0, 1, 0, 0, 1, 0, 1, 0], np.bool_)
    found = token_labels(is_word, np.array([True, True, False]))
    assert found.tolist() == [False, True, True, True, True, False, False, False]


def test_good_granularity_by_hand():
    trainer_ = trainer("content-seeker")
    page = thresher.parse("<div><p>one two</p><p>three</p></div><ul><li>four</ul>")
    content = np.array([page.text(row) in ("one two", "three") for row in page.text_rows])
    sample = trainer_.sample(page, content, NO_GOLD)
    names = [page.name(row) for row in sample.units.row.tolist()]
    good = good_granularity(sample.units, sample.share)
    shares = dict(zip(names, sample.share.round(2).tolist(), strict=True))
    assert shares["body"] == 0.75
    assert (shares["div"], shares["ul"]) == (1.0, 0.0)
    assert [n for n, g in zip(names, good, strict=True) if g] == ["div", "p", "p", "ul", "li"]


def test_stop_words_are_the_stems_of_most_pages():
    samples = [
        trainer("content-seeker").sample(page, np.zeros(len(page.text_rows), np.bool_), NO_GOLD)
        for page in map(thresher.parse, ["<p>the tea the tea", "<p>the pot", "<p>a pot"])
    ]
    the, tea, pot, a = stems(["the tea pot a"], 5).tolist()
    assert set(frequent_stems(samples).tolist()) == {the, tea, pot, a}
    assert frequent_stems(samples).tolist() == sorted(frequent_stems(samples).tolist())


def test_trees_become_a_table():
    tree = SimpleNamespace(
        children_left=[1, -1, 3, -1, -1],
        children_right=[2, -1, 4, -1, -1],
        feature=[5, -2, 1, -2, -2],
        threshold=[0.5, -2.0, 7.0, -2.0, -2.0],
        value=np.array([[[1, 1]], [[3, 1]], [[1, 1]], [[0, 2]], [[1, 0]]], np.float64),
    )
    found = {name: column.tolist() for name, column in forest_arrays([tree, tree], True).items()}
    assert found["root"] == [0, 5]
    assert found["below"] == [1, -1, 3, -1, -1, 6, -1, 8, -1, -1]
    assert found["feature"][:5] == [5, 0, 1, 0, 0]
    assert found["value"][:5] == [0.5, 0.25, 0.5, 1.0, 0.0]


def methods_with(name, path):
    """The method in every way to use its model."""
    return [methods.get(name, model=str(path), **o) for o in USES.get(name, {"": {}}).values()]


def test_a_tree_becomes_splits_inside_of_splits():
    tree = SimpleNamespace(
        children_left=[1, -1, 3, -1, -1],
        children_right=[2, -1, 4, -1, -1],
        feature=[0, -2, 18, -2, -2],
        threshold=[16.5, -2.0, 1 / 3, -2.0, -2.0],
        value=np.array([[[1, 1]], [[3, 1]], [[1, 1]], [[0, 2]], [[2, 1]]], np.float64),
    )
    assert nested_tree(tree, True) == {
        "feature": "words",
        "at most": 16.5,
        "then": {"content": 0.25},
        "else": {
            "feature": "link_density",
            "at most": 0.333333,
            "then": {"content": 1.0},
            "else": {"content": 0.333},
        },
    }
    assert nested_tree(tree, False)["then"] == {"content": 0.0}  # the only class is other text


def test_boilerpipe_learns_what_parts_the_blocks():
    """Long blocks without links are content: a small tree is always right, the machine mostly."""
    sizes = range(1, 21)
    html = "".join(f"<p>{'w ' * n}</p><p><a href=/>{'w ' * n}</a></p>" for n in sizes)
    page = thresher.parse(html)
    rows = page.text_rows
    is_content = (page.words[rows] > 10) & ~page.linked[rows]
    learner = BoilerpipeTrainer()
    found = learner.fit([learner.sample(page, is_content, NO_GOLD)] * 20, seed=0)
    model = Model(Path("boilerpipe.json"), found.header, {})
    trained, columns = TrainedClassifiers.of(model), features(page)
    assert trained.tree(columns).tolist() == is_content.tolist()
    assert (trained.svm(columns) == is_content).mean() > 0.85


def test_the_scales_of_the_machine_are_in_its_weights():
    """The weights give the labels that scikit-learn gives for scaled features."""
    random = np.random.default_rng(7)
    value = random.normal(5, [0.1 * (n + 1) for n in range(25)], (400, 25)).astype(np.float32)
    content = value[:, 0] - value[:, 3] > random.normal(0, 0.05, 400)
    found = support_vector_machine(value, content, np.ones(400))
    scaled = (value - value.mean(axis=0)) / value.std(axis=0)
    expected = LinearSVC(dual=False).fit(scaled, content).predict(scaled)
    total = found["bias"] + value @ np.array(list(found["weights"].values()))
    assert (total > 0).tolist() == expected.tolist()


@pytest.mark.parametrize("label", [False, True])
def test_markov_weights_are_those_of_the_blocks_after_each_label(label):
    """Short blocks are content after content alone, long ones always."""
    learner = trainer("memm")
    page = thresher.parse("<p>a</p><p>one two three four five six</p><p>b</p><h2>c</h2><p>d</p>")
    content = np.array([False, True, True, False, False])
    sample = learner.sample(page, content, NO_GOLD)
    found = learner.fit([sample] * 20, seed=0).arrays
    scores = found["weight"][int(label)][sample.value].sum(axis=1) + found["bias"][int(label)]
    follows = np.array([False, False, True, True, False])
    chosen = follows == label
    assert ((scores > 0) == content)[chosen].all()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_training_is_repeatable_and_better_than_keeping_everything(name, corpus, tmp_path):
    data = train(name, [corpus], seed=1)
    assert data == train(name, [corpus], seed=1)
    path = tmp_path / "model.npz"
    path.write_bytes(data)
    assert load(name, str(path)).header["trained on"] == {"small": 36}
    tools = [*methods_with(name, path), methods.get("plain")]
    scores = [
        [bag(tokens(tool(page).text()), tokens(gold.text)).f1 for tool in tools]
        for gold in read(corpus)
        for page in [thresher.parse(gold.html)]
    ]
    *trained, plain = np.mean(scores, axis=0)
    assert min(trained) > plain


@pytest.mark.slow
def test_a_page_is_measured_by_a_model_that_never_saw_its_site(corpus, monkeypatch):
    class Spy(MSSTrainer):
        seen: ClassVar[list[object]] = []
        fitted: ClassVar[list[list[int]]] = []

        def sample(self, page, content, gold):
            self.seen.append(super().sample(page, content, gold))
            return self.seen[-1]

        def fit(self, samples, seed):
            number = {id(sample): place for place, sample in enumerate(self.seen)}
            self.fitted.append([number[id(sample)] for sample in samples])
            return super().fit(samples, seed)

    monkeypatch.setitem(TRAINERS, "mss", Spy)
    found = cross_validate("mss", [corpus], folds=3)
    sites = [page.site for page in read(corpus)]
    assert len(found) == len(Spy.seen) == 36
    for fold, fitted in enumerate(Spy.fitted):
        held_out = [number for number, score in enumerate(found) if score.fold == fold]
        assert sorted(held_out + fitted) == list(range(36))
        assert not {sites[n] for n in held_out} & {sites[n] for n in fitted}


@pytest.mark.slow
def test_pages_without_content_are_no_error(tmp_path):
    path = tmp_path / "empty.jsonl"
    rows = [{"html": html, "text": ""} for html in ("", "<p>one two</p>", "<p hidden>x</p>")]
    rows.append({"html": "<p>three four</p><p>five six seven</p>", "text": "three four"})
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    for name in NAMES:
        model = tmp_path / f"{name}.npz"
        model.write_bytes(train(name, [path]))
        for method in methods_with(name, model):
            method(thresher.parse("<p>one two"))


@pytest.mark.parametrize(
    ("html", "text", "message"),
    [
        ("", "one", "no text of these pages is in their gold text."),
        ("<p>one two three</p>", "", "no text of these pages is in their gold text."),
        ("<p>one two three</p>", "one two three", "all text of these pages is in their gold"),
    ],
)
@pytest.mark.parametrize("name", sorted(TRAINERS))
def test_pages_that_teach_nothing_are_refused(name, html, text, message, tmp_path):
    path = tmp_path / "same.jsonl"
    rows = [{"html": html, "text": text, "site": f"{number}"} for number in range(5)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    for more in (["--output", tmp_path / "model.npz"], ["--folds", 2]):
        done = run("train", name, path, *more)
        assert done.exit_code == 2
        assert done.stderr.splitlines()[-1].startswith(
            f"Error: there is nothing to learn from: {message}"
        )
    assert list(tmp_path.iterdir()) == [path]


def test_only_trained_methods_have_a_trainer():
    with pytest.raises(UsageError, match="'bte' is not a trained method: give one of boiler"):
        trainer("bte")
    with pytest.raises(UsageError, match="'maxnet' is not a trained method: did you mean max"):
        trainer("maxnet")


# --- the command ---------------------------------------------------------------------------------


def run(*arguments: object):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_the_command_writes_a_model(corpus, tmp_path):
    path = tmp_path / "out" / "mss.npz"
    done = run("train", "MSS", corpus, "--output", path, "--limit", 12)
    assert (done.exit_code, done.output) == (0, f"{path} is written.\n")
    assert load("mss", str(path)).header["trained on"] == {"small": 12}


def test_the_usual_name_of_a_model(corpus, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("train", "boilerpipe", corpus, "--limit", 12)
    assert (done.exit_code, done.output) == (0, "boilerpipe.json is written.\n")
    assert json.loads(Path("boilerpipe.json").read_text())["trained on"] == {"small": 12}


@pytest.mark.slow
def test_every_use_of_a_model_is_measured_beside_the_published_rules(corpus):
    heads = {
        "boilerpipe": ["tree", "svm", "boilerpipe", "bte", "plain"],
        "memm": ["memm", "memm, each", "bte", "plain"],
    }
    for name, wanted in heads.items():
        found = cross_validate(name, [corpus], folds=2, limit=24)
        assert {tuple(score.f1) for score in found} == {tuple(wanted)}


def test_folds_print_a_table_and_write_nothing(corpus, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("train", "mss", corpus, "--folds", 2, "--limit", 24)
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0].split() == ["word", "F1", "pages", "mss", "bte", "plain"]
    assert [line.split()[:-4] for line in lines[1:3]] == [["fold", "1"], ["fold", "2"]]
    assert lines[-1].startswith("all")
    assert not list(tmp_path.iterdir())


def test_the_table_by_hand():
    scores = [
        FoldScores("a", "1", 0, {"crf": 0.5, "bte": 0.25}),
        FoldScores("b", "2", 1, {"crf": 1.0, "bte": 0.75}),
        FoldScores("b", "3", 1, {"crf": 0.0, "bte": 0.5}),
    ]
    assert [line.split() for line in fold_table(scores).splitlines()] == [
        ["word", "F1", "pages", "crf", "bte"],
        ["fold", "1", "1", "0.500", "0.250"],
        ["fold", "2", "2", "0.500", "0.625"],
        ["a", "1", "0.500", "0.250"],
        ["b", "2", "0.500", "0.625"],
        ["all", "3", "0.500", "0.500"],
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bte", "x.jsonl"], "'bte' is not a trained method: give one of "),
        (["mss", "none.jsonl"], "no corpus none.jsonl: give a .parquet or .jsonl file, or"),
    ],
)
def test_what_cannot_be_trained_is_refused(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("train", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_corpus_is_never_written_over(corpus):
    before = corpus.read_bytes()
    assert run("train", "mss", corpus, "--output", corpus).exit_code == 2
    assert corpus.read_bytes() == before
