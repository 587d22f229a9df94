"""Training of the default on small generated corpora with few trees."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import thresher
from benchmarks.generator import generate, write_jsonl
from tests.methods.model.test_boosted_trees import random_trees
from thresher import InputError
from thresher.evaluate.corpora import GoldPage, read
from thresher.evaluate.scores import bag, tokens
from thresher.evaluate.training import default
from thresher.evaluate.training.default import DefaultTrainer
from thresher.evaluate.training.gold_alignment import labels
from thresher.evaluate.training.train import train
from thresher.methods.default import Default
from thresher.methods.default import judge as judge_module
from thresher.methods.default.features import KINDS, NAMES
from thresher.methods.default.judge import SECOND_FEATURES, load_judge
from thresher.methods.model.files import load
from thresher.methods.plain import Plain

FEW = {
    "_MEMBERS": 2, "_TREES": 12, "_FIRST": 10, "_DEPTH": 3, "_KIND_TREES": 4, "_KIND_DEPTH": 2,
}  # fmt: skip


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    for name, value in FEW.items():
        monkeypatch.setattr(default, name, value)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "small.jsonl"
    write_jsonl(generate(3, 48, sites=12), path)
    return path


def samples(pages):
    trainer = DefaultTrainer()
    for gold in pages:
        page = thresher.parse(gold.html)
        yield trainer.sample(page, labels(page, gold.text), gold)


# --- the whole -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_and_it_learns(corpus, tmp_path):
    data = train("default", [corpus], seed=1, limit=36)
    assert data == train("default", [corpus], seed=1, limit=36)
    path = tmp_path / "model.npz"
    path.write_bytes(data)
    header = load("default", str(path)).header
    assert header["trained on"] == {"small": 36}
    assert header["kinds"] == list(KINDS)
    method, plain = Default(model=str(path)), Plain()
    pages = list(read(corpus))[36:]
    scores = {
        name: np.mean([
            bag(tokens(tool(thresher.parse(gold.html)).text()), tokens(gold.text)).f1
            for gold in pages
        ])
        for name, tool in (("default", method), ("plain", plain))
    }  # fmt: skip
    assert scores["default"] > scores["plain"] + 0.05


@pytest.mark.slow
def test_a_judge_gives_the_probabilities_of_the_training(corpus, tmp_path, monkeypatch):
    """The file's judge, without the rules after its trees, against what training evaluates."""
    monkeypatch.setattr(
        judge_module, "without_parts", lambda found, probability, kinds: probability
    )
    made = [sample for sample in samples(list(read(corpus))[:24]) if sample is not None]
    model = default._Model(made, seed=0)
    path = tmp_path / "model.npz"
    path.write_bytes(train("default", [corpus], seed=0, limit=24))
    judge = load_judge(str(path))
    for gold, sample in zip(read(corpus), made[:8], strict=False):
        judged = judge(thresher.parse(gold.html))
        assert judged is not None
        # Leaves and names are kept in 16 bits in the file; hopeless blocks stop early.
        np.testing.assert_allclose(judged.probability, model.judge(sample)[1], atol=0.035)


def test_another_seed_gives_another_model(corpus):
    made = [sample for sample in samples(list(read(corpus))[:12]) if sample is not None]
    one, other = (default._Model(made, seed).block for seed in (1, 2))
    assert not np.array_equal(one.value, other.value)


def test_every_member_is_trained_on_its_own_draw(corpus, monkeypatch):
    made = [sample for sample in samples(list(read(corpus))[:12]) if sample is not None]
    monkeypatch.setattr(default, "_MOST_BLOCKS", 10)
    drawn = []

    def train_blocks(table, label, weight, seed):
        drawn.append((len(table), seed))
        return random_trees(seed, features=3, depth=2, classes=1)

    monkeypatch.setattr(default, "_train_blocks", train_blocks)
    model = default._Model(made, seed=4)
    assert [seed for _, seed in drawn] == [4, 5]
    assert len({size for size, _ in drawn}) == 2
    assert model.block.feature.shape[1] == 2 * random_trees(4, 3, 2, classes=1).feature.shape[1]
    drawn.clear()
    default._Model(made, seed=4, members=1)
    assert len(drawn) == 1


# --- page kinds ----------------------------------------------------------------------------------


def test_changed_pages_count_little_for_the_kinds(monkeypatch):
    weights = []

    def train_kinds(table, kind, weight, seed):
        weights.append(weight.tolist())
        return random_trees(seed, features=3, depth=2, classes=len(KINDS))

    monkeypatch.setattr(default, "_train_kinds", train_kinds)
    used = [
        (SimpleNamespace(change=change, tokens=SimpleNamespace(kind=kind, site=site)), as_old)
        for site, kind, change, as_old in (
            ("a.org", "article", "page", False),
            ("b.org", "article", "short", False),
            ("b.org", "forum", "page", True),
            ("b.org", "another", "page", False),
        )
    ]
    default._PageKinds(used, np.zeros((4, 3), np.float32), seed=0)
    assert sorted(map(len, weights)) == [1, 2, 3]
    assert weights[-1] == [1.0, 0.2, 0.2]


def test_kinds_that_never_occur_are_next_to_impossible():
    rng = np.random.default_rng(7)
    table = rng.normal(size=(200, 4)).astype(np.float32)
    kind = np.where(table[:, 1] > 0, 1, 4)
    odds = default._train_kinds(table, kind, np.ones(200), 0)(table.T)
    assert set(odds.argmax(axis=0).tolist()) == {1, 4}
    assert (odds[[0, 2, 3, 5, 6]] == -9).all()
    alone = default._train_kinds(table, np.full(200, 2), np.ones(200), 0)
    assert set(alone(table.T).argmax(axis=0).tolist()) == {2}


# --- samples -------------------------------------------------------------------------------------

LONG = "Warm the pot before the leaves go in, and wait. " * 3


def sample_of(html: str, gold: str):
    (made,) = samples([GoldPage(id="1", html=html.encode(), text=gold, site="A.org", kind="forum")])
    return made


def test_a_page_without_gold_teaches_nothing():
    assert sample_of(f"<p>{LONG}</p>", " ") is None
    assert sample_of("", "tea") is None


def test_what_cannot_be_learned_from_is_refused():
    fit = DefaultTrainer().fit
    alone = sample_of(f"<p>{LONG}</p><p>x</p>", LONG)
    for given in ([], [None], [alone, alone]):
        with pytest.raises(InputError, match="pages of two sites or more that have a gold text"):
            fit(given, 0)
    others = [
        GoldPage(id=f"{n}", html=f"<p>{LONG}</p>".encode(), text=gold, site=f"{n}.org")
        for n, gold in enumerate((LONG, LONG))
    ]
    with pytest.raises(InputError, match="all blocks or none are content"):
        fit(list(samples(others)), 0)


def test_weights_by_hand():
    # 30 words of gold: one block has them all, another 3, a third none that may be content.
    made = sample_of(f"<p>{LONG}</p><p>One two three</p><textarea>a b</textarea>", LONG)
    assert made.gold == 30
    assert made.content.tolist() == [True, False, False]
    assert made.usable.tolist() == [True, True, False]
    assert made.weight[:2].tolist() == pytest.approx([0.302, 0.102])
    assert made.tokens.site == "a.org"


def test_a_pages_weights_sum_to_three_at_most():
    made = sample_of("<p>one two three four</p>" * 40, "one two three four")
    assert made.weight[made.usable].sum() == pytest.approx(3.0)


def test_of_many_blocks_a_sample_is_taken_and_weighted_up(monkeypatch):
    monkeypatch.setattr(default, "_MOST_BLOCKS", 50)
    html = "".join(f"<p>{'word ' * (1 + n % 7)}</p>" for n in range(400))
    made = sample_of(html, LONG)
    sizes, sums = [], []
    for seed in range(40):
        chosen, weights = default.choose_blocks(made, np.random.default_rng(seed))
        sizes.append(len(chosen))
        sums.append(weights.sum())
    assert 40 < np.mean(sizes) < 60
    assert np.mean(sums) == pytest.approx(made.weight[made.usable].sum(), rel=0.05)


def test_shares_below_containers_by_hand():
    found = sample_of(f"<div><p>{LONG}</p><p>One</p></div><p>Two</p>", LONG)
    under = default._shares_under(found.outline, found.content)
    names = {"body": 0, "div": 1, "p": 2}
    assert under[1, list(names.values())].tolist() == pytest.approx([1.0, 31 / 32, 30 / 32])
    assert under[0, list(names.values())].tolist() == pytest.approx([30 / 32] * 3)


def test_a_page_is_looked_up_without_its_own_site(corpus):
    made = next(samples(read(corpus)))
    matrix = made.with_names(default._NO_TABLE)
    assert np.array_equal(matrix, made.matrix)
    counts = default.TokenCounts([made.tokens] * 5)
    assert np.array_equal(made.with_names(counts.table(made.tokens.site)), made.matrix)
    assert len(matrix) == len(NAMES)


# --- pages without content -----------------------------------------------------------------------


def test_pages_are_told_from_copies_without_their_content(corpus):
    made = [sample for sample in samples(read(corpus)) if sample is not None]
    pairs = list(default._whole_and_empty(made))
    assert sum(not sample.content.any() for sample, _ in pairs) == 2 * len(made)
    assert {as_old for _, as_old in pairs} == {False, True}
    few = [sample for sample in made if sample.tokens.site in {s.tokens.site for s in made[:3]}]
    assert default._held_out_arrays(few, seed=0) == {}


def test_blocks_are_judged_again_by_trees_of_sites_held_out(corpus, monkeypatch):
    made = [sample for sample in samples(list(read(corpus))[:16]) if sample is not None]
    sites = {sample.tokens.site for sample in made}
    for sample in made:
        for one in (sample, *sample.copies):
            one.matrix[default._OLD] = 0
    learned, rows = [], []

    class Model:
        def __init__(self, samples, seed, members):
            self.sites = {sample.tokens.site for sample in samples}
            learned.append(self.sites)

        def judge(self, sample, *, as_old=False):
            assert sample.tokens.site not in self.sites
            return sample.matrix, np.full(len(sample.content), 0.5) * sample.outline.allowed

        def no_content_row(self, sample, as_old):
            return np.zeros(3, np.float32)

    def train_second(table, label, weight, seed):
        rows.append((table, label, weight))
        return random_trees(seed, features=3, depth=2, classes=1)

    monkeypatch.setattr(default, "_Model", Model)
    monkeypatch.setattr(default, "_train_second", train_second)
    monkeypatch.setattr(default, "_train_no_content", lambda *_: random_trees(0, 3, 2, classes=1))
    arrays = default._held_out_arrays(made, seed=0)
    assert {"second_used", "empty_used"} <= set(arrays)
    assert len(learned) == min(5, len(sites))
    ((table, label, weight),) = rows
    assert len(table) == len(label) == len(weight)
    assert set(table[:, 0].tolist()) == {0.5}
    assert label.any()
    assert not label.all()


def test_trees_that_judge_again_correct_the_probabilities():
    rng = np.random.default_rng(3)
    table = rng.random((4_000, len(SECOND_FEATURES))).astype(np.float32)
    label = rng.random(4_000) < table[:, 0] ** 2  # less often than the probability says
    trees = default._train_second(table, label, np.ones(4_000), seed=0)
    before = np.log(table[:, 0] / (1 - table[:, 0]))
    loss = [
        np.logaddexp(0, np.where(label, -odds, odds)).mean()
        for odds in (before, before + trees(table.T)[0])
    ]
    assert loss[1] < loss[0]
    assert trees.bias[0] == 0


@pytest.mark.slow
def test_a_model_knows_pages_without_content(corpus, tmp_path):
    path = tmp_path / "model.npz"
    path.write_bytes(train("default", [corpus], seed=1))
    method = Default(model=str(path))
    whole, empty = [], []
    for gold in list(read(corpus))[:8]:
        page = thresher.parse(gold.html)
        whole.append(thresher.extract(page, method=method).no_content)
        gone = default.emptied(page, labels(page, gold.text), np.random.default_rng(0))
        empty.append(thresher.extract(gone.page, method=method).no_content)
    assert np.mean(empty) > np.mean(whole)
