"""The judge: the best expected score against all sets of blocks, copies, damaged models."""

import pickle
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.cores import plain_core
from tests.methods.model.test_boosted_trees import random_trees
from tests.structure.threads.markup import ARTICLE, WORDPRESS, XENFORO, records_html
from thresher import InputError
from thresher.methods.default import judge as judge_module
from thresher.methods.default.features import KINDS, NAMES, NameTable, block_features
from thresher.methods.default.judge import (
    BETA,
    SECOND_FEATURES,
    Judge,
    Judgement,
    best_prefix,
    beta_for,
    judged_again,
    load_judge,
    second_features,
    without_parts,
)
from thresher.methods.default.no_content import (
    NO_CONTENT_FEATURES,
    OUTCOMES,
    has_notice,
    no_content_features,
)
from thresher.methods.model.boosted_trees import SymmetricTrees, sigmoid
from thresher.methods.model.files import load, to_bytes
from thresher.page.core import COMPILED
from thresher.page.visibility import hidden_blocks

# --- the decision rule ---------------------------------------------------------------------------


def expected_score(kept: tuple[int, ...], p: list[float], w: list[int], beta: float) -> float:
    """F of the docstring, up to its constant factor."""
    found = sum(p[i] * w[i] for i in kept)
    everything = sum(a * b for a, b in zip(p, w, strict=True))
    return found / (sum(w[i] for i in kept) + beta**2 * everything) if found else 0.0


BLOCKS = st.lists(
    st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.integers(0, 30)), min_size=1, max_size=8
)


@given(blocks=BLOCKS, beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_no_set_of_blocks_has_a_better_expected_score(blocks, beta):
    p, w = [pair[0] for pair in blocks], [pair[1] for pair in blocks]
    kept = best_prefix(np.array(p), np.array(w, np.float64), beta)
    sets = (s for size in range(len(p) + 1) for s in combinations(range(len(p)), size))
    best = max(expected_score(s, p, w, beta) for s in sets)
    chosen = tuple(kept.nonzero()[0].tolist())
    assert expected_score(chosen, p, w, beta) == pytest.approx(best, abs=1e-6)


def test_best_prefix_by_hand():
    # 9 of 10 words in the first: 9/(10 + 14) = .375; both: 14/(20 + 14) = .412.
    probability, words = np.array([0.9, 0.5]), np.array([10.0, 10.0])
    assert best_prefix(probability, words, 1.0).tolist() == [True, True]
    # At b = 0.5: 9/(10 + 3.5) = .667, 14/(20 + 3.5) = .596.
    assert best_prefix(probability, words, 0.5).tolist() == [True, False]
    # The sort is by probability, not by place.
    assert best_prefix(probability[::-1], words, 0.5).tolist() == [False, True]
    assert best_prefix(np.zeros(2), words, 1.0).tolist() == [False, False]


@given(blocks=BLOCKS)
def test_the_larger_beta_the_more_is_kept(blocks):
    p, w = (
        np.array([pair[0] for pair in blocks]),
        np.array([pair[1] for pair in blocks], np.float64),
    )
    betas = sorted({beta for pair in BETA.values() for beta in pair})
    sizes = [int(best_prefix(p, w, beta).sum()) for beta in betas]
    held = [float(w[best_prefix(p, w, beta)].sum()) for beta in betas]
    assert held == sorted(held)
    assert sizes == sorted(sizes) or held[0] == held[-1]


# --- a judgement ---------------------------------------------------------------------------------

NO_NAMES = NameTable.of([], np.zeros(0), np.zeros((0, len(KINDS))))


def judgement(html: str, probability: list[float], article: float = 0.0) -> Judgement:
    found = block_features(thresher.parse(html), NO_NAMES)
    assert found is not None
    return Judgement(
        found, np.array(probability), {**dict.fromkeys(KINDS, 0.1), "article": article}
    )


LONG = "These are eight words of one long sentence."


def test_a_copy_of_a_kept_block_is_dropped():
    spaced = LONG.replace(" ", "\n  ")
    html = (
        f"<p>{LONG}</p><p>Short copy.</p><p>Short copy.</p>"
        f"<div><div>{spaced}</div><p>{LONG} More.</p></div>"
    )
    kept = judgement(html, [0.9] * 5).keep()
    assert kept.tolist() == [True, True, True, False, True]
    assert judgement(f"<p>{LONG}</p><p>{LONG}</p>", [0.9] * 2).keep().tolist() == [True, False]


def test_a_block_that_stands_twice_in_one_container_is_kept():
    html = f"<h2>Tea</h2><p>{LONG}</p><h2>Cake</h2><p>{LONG}</p><pre>{LONG}</pre>"
    assert judgement(html, [0.9] * 5).keep().all()


@pytest.mark.parametrize(
    ("before", "is_kept"),
    [("Ann said:", False), ("Originally Posted by Ann", False), ("Tea and cake", True)],
)
def test_whom_a_quotation_names_is_dropped_with_it(before, is_kept):
    html = (
        f"<div><p>{LONG}</p><p>Yes.</p></div>"
        f"<div><blockquote><p>{before}</p><p>{LONG}</p></blockquote><p>I think so too.</p></div>"
    )
    assert judgement(html, [0.9] * 5).keep().tolist() == [True, True, is_kept, False, True]


SENTENCES = st.lists(
    st.sampled_from([LONG, LONG.upper(), f"{LONG} 1, 2.", f"\u00a0{LONG}"]), max_size=6
)


@given(sentences=SENTENCES, cuts=st.lists(st.integers(0, 20), min_size=6, max_size=6))
def test_copies_are_found_however_they_are_cut(sentences, cuts):
    pieces = zip(sentences, cuts, strict=False)
    html = "".join(f"<div><p>{text[:cut]}<b>{text[cut:]}</b></p></div>" for text, cut in pieces)
    whole = [" ".join([" ".join(text[:cut].split()), " ".join(text[cut:].split())]).strip()
             for text, cut in zip(sentences, cuts, strict=False)]  # fmt: skip
    if sentences:
        kept = judgement(html, [0.9] * len(whole)).keep().tolist()
        expected: list[bool] = []
        for place, text in enumerate(whole):
            begin = whole.index(text)
            expected.append(begin == place or any(expected[begin + 1 :]))
        assert kept == expected


def test_a_repetition_of_a_dropped_block_is_no_copy():
    html = f"<p>{LONG}</p><p>{LONG}</p>"
    assert judgement(html, [0.0, 0.9]).keep().tolist() == [False, True]


def test_nothing_is_kept_when_nothing_is_expected():
    html = f"<p>{LONG}</p>"
    page = html + "<hr>" * 20
    assert not judgement(page, [0.3]).keep().any()  # 2.4 words
    assert judgement(page, [0.4]).keep().all()  # 3.2


def test_all_visible_text_of_a_fragment_is_kept():
    html = "<p><i hidden>0</i>tea and cake</p><p hidden>no</p><p><a href=x>more</a></p>"
    html += "<textarea>mine</textarea>"
    assert judgement(html, [0.1] * 4).keep().tolist() == [True, False, False, False]
    assert not judgement(html + "<hr>" * 20, [0.1] * 4).keep().any()


def test_precision_counts_for_more_in_articles_of_the_old_web():
    matrix = np.zeros((len(NAMES), 1), np.float32)
    assert beta_for("balance", 0.9, matrix) == BETA["balance"].usual == 1.0
    matrix[NAMES.index("page_old")] = 1
    assert beta_for("balance", 0.2, matrix) == 1.0
    assert beta_for("balance", 0.21, matrix) == BETA["balance"].old_article == 0.85
    # 10 words with p = 0.9 and 10 with 0.45: both at b = 1, the first alone at b = 0.85.
    blocks = "<p>a b c d e f g h i j</p><p>k l m n o p q r s t</p>"
    assert judgement(blocks, [0.9, 0.45], article=0.9).keep().tolist() == [True, False]
    assert judgement(blocks, [0.9, 0.45]).keep().tolist() == [True, True]
    today = judgement(f"<main>{blocks}</main>", [0.9, 0.45], article=0.9)
    assert today.keep().tolist() == [True, True]
    for beta in BETA.values():
        assert beta.old_article <= beta.usual


def test_the_headline_of_an_article_is_dropped_where_the_trees_are_in_doubt():
    html = f"<title>Tea for two today</title><main><h1>Tea for two today</h1><p>{LONG}</p></main>"
    doubt = judgement(html, [0.0, 0.59, 0.9], article=0.9)
    assert doubt.keep().tolist() == [False, False, True]
    assert doubt.keep("recall").tolist() == [False, True, True]
    sure = judgement(html, [0.0, 0.6, 0.9], article=0.9)
    assert sure.keep().tolist() == [False, True, True]
    other = judgement(html, [0.0, 0.59, 0.9])  # no article
    assert other.keep().tolist() == [False, True, True]
    alone = judgement(html.replace(LONG, "tea") + "<hr>" * 20, [0.0, 0.59, 0.0], article=0.9)
    assert not alone.keep().any()  # two words are expected: nothing
    long = html.replace("Tea for two today", LONG).replace(f"<p>{LONG}", "<p>tea")
    assert judgement(long, [0.0, 0.59, 0.0], article=0.9).keep().tolist() == [False, True, False]


def test_lists_are_kept_or_dropped_whole():
    words = "<li>one two three four</li>"
    html = f"<main><p>{LONG}</p><ul>{words}<li>five six</li></ul><ol>{words}{words}</ol></main>"
    assert judgement(html, [0.9, 0.9, 0.3, 0.6, 0.0]).keep().tolist() == [True] * 3 + [False] * 2


def test_a_quote_between_kept_text_is_kept_except_at_precision():
    html = f"<p>{LONG}</p><blockquote>one two</blockquote><p>Five {LONG}</p>"
    found = judgement(html, [0.9, 0.1, 0.9])
    assert found.keep().tolist() == [True, True, True]
    assert found.keep("precision").tolist() == [True, False, True]


def test_expected_f1_by_hand():
    found = judgement("<p>one two three four</p><p>five six</p>", [0.75, 0.5])
    kept = np.array([True, False])
    assert found.expected_f1(kept) == pytest.approx(2 * 3 / (4 + 4))
    assert found.expected_f1(~kept & kept) == 0.0


def test_the_confidence_is_a_power_of_the_expected_f1():
    found = judgement("<p>one two three four</p><p>five six</p>", [0.75, 0.5])
    kept = np.array([True, False])
    assert found.confidence(kept) == pytest.approx(found.expected_f1(kept) ** 0.8)
    assert found.confidence(~kept & kept) == 0.0


# --- page kinds ---------------------------------------------------------------------------------


def kinds_of(html: str) -> dict[str, float]:
    """The smoothed kinds of a page that the model is sure is a forum."""
    found = block_features(thresher.parse(html), NO_NAMES)
    assert found is not None
    sure = dict.fromkeys(KINDS, 0.0) | {"forum": 1.0}
    return Judgement(found, np.zeros(len(found.outline)), sure).smoothed_kinds()


def test_a_page_of_a_few_words_is_an_article():
    document = thresher.extract("<p>Hello</p>")
    assert document.kind == "article"
    assert document.judgement is not None
    assert document.kinds["article"] > document.judgement.kinds["article"]


def test_fifty_words_weigh_as_much_as_the_shares_of_the_training():
    found = kinds_of("<p>" + "word " * 50 + "<p hidden>" + "unseen " * 50)
    assert found["article"] == pytest.approx(1050 / 1754 / 2)
    assert found["forum"] == pytest.approx((1 + 113 / 1754) / 2)
    assert sum(found.values()) == pytest.approx(1)
    assert list(found) == list(KINDS)


def test_the_kind_of_many_words_is_that_of_the_model():
    assert kinds_of("<p>" + "word " * 4950)["forum"] > 0.99


def test_without_visible_words_the_kinds_are_the_shares_of_the_training():
    found = kinds_of("<p hidden>word")
    assert found["article"] == pytest.approx(1050 / 1754)
    assert found["service"] == pytest.approx(165 / 1754)


# --- a model -------------------------------------------------------------------------------------

WORDS, IN_NAV = NAMES.index("words"), NAMES.index("in_nav")


def arrays() -> dict[str, np.ndarray]:
    """Two trees: long blocks are content (4 or -3), those in nav are not (-6); pages are forums."""
    block = SymmetricTrees(
        np.array([[0, 1]], np.int32),
        np.array([[3.5, 0.5]], np.float32),
        np.array([[[-3.0, 4.0], [0.0, -6.0]]], np.float32),
        np.array([0.25]),
    )
    kinds = np.zeros((len(KINDS), 1, 2), np.float32)
    kinds[KINDS.index("forum")] = 3.0
    page = SymmetricTrees(
        np.zeros((1, 1), np.int32), np.zeros((1, 1), np.float32), kinds, np.zeros(len(KINDS))
    )
    empty = SymmetricTrees(  # up to 5 expected words: 3, else -3
        np.zeros((1, 1), np.int32),
        np.array([[5.0]], np.float32),
        np.array([[[3.0, -3.0]]], np.float32),
        np.zeros(1),
    )
    return {
        "tokens": np.frombuffer(b"post\nnav", np.uint8),
        "token_odds": np.array([1.0, -1.0], np.float16),
        "token_kinds": np.zeros((2, len(KINDS)), np.float16),
        "used": np.array([WORDS, IN_NAV], np.uint16),
        "page_used": np.array([0], np.uint16),
        "split": np.array([1], np.uint16),
        "empty_used": np.array([NO_CONTENT_FEATURES.index("expected_words")], np.uint16),
        **block.arrays("block"),
        **page.arrays("page"),
        **empty.arrays("empty"),
    }


def write(path: Path, **changed: object) -> str:
    kept = {name: array for name, array in {**arrays(), **changed}.items() if array is not None}
    path.write_bytes(to_bytes("default", kept))  # type: ignore[arg-type]
    return str(path)


PAGE = "<title>x y z w</title><nav>one two three four</nav><p>five six seven eight</p><p>nine</p>"


def test_a_model_is_evaluated_in_two_parts(tmp_path):
    judge = load_judge(write(tmp_path / "m.npz"))
    found = judge(thresher.parse(PAGE))
    assert found is not None
    # The title cannot be content; the others: 4 - 6, 4, -3, and the bias.
    expected = [0.0, *sigmoid(np.array([-1.75, 4.25, -2.75])).tolist()]
    assert found.probability.tolist() == pytest.approx(expected)
    assert max(found.kinds, key=lambda kind: found.kinds[kind]) == "forum"
    assert sum(found.kinds.values()) == pytest.approx(1)
    assert judge(thresher.parse("")) is None


def test_hopeless_blocks_see_the_first_trees_alone(tmp_path):
    values = np.array([[[-5.0, 4.0], [9.0, 9.0]]], np.float16)
    judge = load_judge(write(tmp_path / "m.npz", block_value=values))
    found = judge(thresher.parse("<p>a</p><p>one two three four</p>"))
    assert found is not None
    expected = sigmoid(np.array([-4.75, 13.25]))
    assert found.probability.tolist() == pytest.approx(expected.tolist())


def test_a_model_is_read_once(tmp_path):
    path = write(tmp_path / "m.npz")
    assert load_judge(path) is load_judge(path)


def test_a_model_may_know_no_names(tmp_path):
    empty = {"tokens": np.zeros(0, np.uint8), "token_odds": np.zeros(0, np.float16)}
    empty["token_kinds"] = np.zeros((0, len(KINDS)), np.float16)
    found = load_judge(write(tmp_path / "m.npz", **empty))(thresher.parse(PAGE))
    assert found is not None
    assert found.probability.argmax() == 2


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"tokens": None}, "it lacks an array 'tokens'"),
        ({"tokens": np.frombuffer(b"\xff\xfe", np.uint8)}, "its names cannot be read"),
        ({"token_odds": np.zeros(3, np.float16)}, "'token_odds' has the shape"),
        ({"token_kinds": np.zeros((2, 6), np.float16)}, "'token_kinds' has the shape"),
        ({"used": np.array([0, len(NAMES)])}, "it asks for features that are not known"),
        ({"used": np.array([0])}, "ask for features that are not known"),
        ({"used": np.array([0, -1])}, "it asks for features that are not known"),
        ({"page_used": np.array([len(NAMES)])}, "it asks for features that are not known"),
        ({"split": np.array([1, 2])}, "'split' has the shape"),
        (
            {"empty_used": np.array([len(NO_CONTENT_FEATURES)])},
            "it asks for features that are not known",
        ),
        (
            {"second_used": np.array([len(SECOND_FEATURES)])},
            "it asks for features that are not known",
        ),
    ],
)
def test_a_damaged_model_is_refused(tmp_path, changed, message):
    with pytest.raises(InputError, match=message):
        Judge.of(load("default", write(tmp_path / "m.npz", **changed)))


def test_a_model_of_another_number_of_features_is_refused(tmp_path):
    arrays = dict(load("default").arrays)
    for count in (len(NAMES) - 1, len(NAMES) + 1):
        path = tmp_path / f"{count}.npz"
        path.write_bytes(to_bytes("default", arrays, features=count))
        with pytest.raises(InputError, match=f"trained on {count} features, and there are "):
            load_judge(str(path))
    path.write_bytes(to_bytes("default", arrays, features=len(NAMES)))
    assert load_judge(str(path)) is not None


# --- blocks are judged again ---------------------------------------------------------------------


def second(value: list[float], feature: int, border: float) -> SymmetricTrees:
    """One tree with one question."""
    return SymmetricTrees(
        np.array([[feature]], np.int32),
        np.array([[border]], np.float32),
        np.array([[value]], np.float32),
        np.array([0.5]),
        shared=1,
    )


def test_what_is_expected_of_a_page_by_hand():
    probability, words = np.array([0.9, 0.5, 0.4, 0.01]), np.array([10.0, 20.0, 5.0, 100.0])
    kinds = np.arange(len(KINDS)) / 10
    judged, matrix = second_features(probability, words, kinds)
    assert judged.tolist() == [0, 1, 2]  # the last is hopeless
    assert matrix[0].tolist() == pytest.approx([0.9, 0.5, 0.4])
    # 9 + 10 of the 22 expected words are in the 30 words of the first two.
    page = dict(zip(SECOND_FEATURES, matrix[:, 1].tolist(), strict=True))
    assert page["expected_f1"] == pytest.approx(2 * 19 / (30 + 22))
    assert page["expected_words"] == pytest.approx(22)
    assert page["best_probability"] == pytest.approx(0.9)
    assert [page[kind] for kind in KINDS] == pytest.approx(kinds.tolist())
    assert (matrix[1:] == matrix[1:, :1]).all()


def test_trees_add_to_the_log_odds_of_blocks_that_may_be_content():
    probability, words = np.array([0.9, 0.5, 0.4, 0.01]), np.array([10.0, 20.0, 5.0, 100.0])
    trees = second([-1.0, 1.0], 0, 0.45)
    found = judged_again(trees, probability, words, np.zeros(len(KINDS)))
    odds = np.log(probability[:3] / (1 - probability[:3])) + np.array([1.5, 1.5, -0.5])
    assert found.tolist() == pytest.approx([*sigmoid(odds).tolist(), 0.01])
    assert probability.tolist() == [0.9, 0.5, 0.4, 0.01]
    none = np.array([0.01, 0.0])
    assert judged_again(trees, none, words[:2], np.zeros(len(KINDS))).tolist() == none.tolist()
    assert judged_again(trees, none[:0], words[:0], np.zeros(len(KINDS))).tolist() == []


@pytest.mark.skipif(not COMPILED, reason="compares both versions")
@pytest.mark.parametrize("count", [0, 1, 4, 5, 64, 300])
def test_compiled_and_plain_judge_alike(monkeypatch, count):
    rng = np.random.default_rng(count)
    trees = random_trees(count, len(SECOND_FEATURES), depth=4, trees=30, classes=1)
    trees = replace(trees, border=rng.random(trees.border.shape).astype(np.float32), shared=1)
    probability, words = rng.random(count) ** 3, rng.integers(0, 90, count).astype(np.float64)
    kinds = rng.dirichlet(np.ones(len(KINDS)))
    found = judged_again(trees, probability, words, kinds)
    monkeypatch.setattr(judge_module, "COMPILED", False)
    assert np.array_equal(judged_again(trees, probability, words, kinds), found)


@pytest.mark.parametrize(("html", "added"), [(PAGE, 1.0), (PAGE.replace("nav", "div"), 0.0)])
def test_only_blocks_of_pages_of_today_are_judged_again(tmp_path, html, added):
    html += f"<p>{'word ' * 60}</p>"
    before = load_judge(write(tmp_path / "m.npz"))(thresher.parse(html))
    trees = replace(second([0.5, 0.5], 0, 0.5), shared=2**31 - 1)
    arrays = {"second_used": np.array([0], np.uint16), **trees.arrays("second")}
    after = load_judge(write(tmp_path / "s.npz", **arrays))(thresher.parse(html))
    assert before is not None
    assert after is not None
    likely = int(before.probability.argmax())
    odds = np.log(before.probability[likely] / (1 - before.probability[likely])) + added
    assert after.probability[likely] == pytest.approx(sigmoid(np.array([odds]))[0])


# --- hidden text ---------------------------------------------------------------------------------

SENTENCE = "It rained on the roof all night and nobody in the old house slept a single hour of it. "


@pytest.mark.parametrize(
    ("html", "is_kept"),
    [
        ("<div>{shown}{shown}{shown}{hidden}</div>", False),  # of the old web
        ("<div>{shown}{hidden}{hidden}{hidden}{hidden}</div>", True),  # most of it is hidden
        ("<main><article>{shown}{shown}{shown}{hidden}</article></main>", True),
    ],
)
def test_hidden_text_is_dropped_from_pages_of_the_old_web(html, is_kept):
    shown, hidden = f"<p>{SENTENCE * 3}</p>", f"<p style='display:none'>{'It snowed. ' * 20}</p>"
    page = thresher.parse(f"<title>Rain</title>{html.format(shown=shown, hidden=hidden)}<hr>")
    found = load_judge()(page)
    assert found is not None
    assert bool(found.probability[hidden_blocks(page)].any()) is is_kept


# --- parts that are hardly ever content ----------------------------------------------------------

TEXT, NOTE = f"<p>{SENTENCE * 3}</p>", f"<p>{'All prices are those of last year. ' * 4}</p>"


@pytest.mark.parametrize(
    ("html", "kind", "is_kept"),
    [
        ("<main>{text}</main><footer>{note}</footer>", "product", False),
        ("<main>{text}<footer>{note}</footer></main>", "product", True),
        ("<article>{text}<footer>{note}</footer></article>", "product", True),
        ("<footer>{text}{note}</footer>", "product", True),  # all that the page has
        ("<figure>{text}</figure><figcaption>{note}</figcaption>", "article", True),
        ("<div>{text}</div><form>{note}</form>", "article", False),
        ("<div>{text}</div><form>{note}</form>", "product", False),
        ("<div>{text}</div><form>{note}</form>", "forum", True),
        ("<article>{text}<form>{note}</form></article>", "article", True),
        ("<form>{text}{note}</form>", "article", True),
    ],
)
def test_parts_that_are_hardly_ever_content(html, kind, is_kept):
    page = thresher.parse(html.format(text=TEXT, note=NOTE))
    found = block_features(page, NameTable.of([], np.zeros(0), np.zeros((0, len(KINDS)))))
    before = np.array([0.9 if "rained" in text else 0.6 for text in map(page.block_text, range(2))])
    kinds = {name: float(name == kind) for name in KINDS}
    after = without_parts(found, before, kinds)
    assert after.tolist() == [0.9, 0.6 if is_kept else 0.0]
    with plain_core():
        assert without_parts(found, before, kinds).tolist() == after.tolist()
    assert before.tolist() == [0.9, 0.6]


# --- pages without content -----------------------------------------------------------------------


def test_pages_without_content_have_trees_of_their_own(tmp_path):
    judge = load_judge(write(tmp_path / "m.npz"))
    page = "<p>one two three four</p><p>five six</p>" + "<hr>" * 20
    for p, odds in ((0.9, -3.0), (0.5, 3.0)):  # 5.4 and 3 expected words
        assert judge.no_content(judgement(page, [p, p])) == pytest.approx(1 / (1 + np.exp(-odds)))
    assert judge.no_content(judgement("<p>one two</p>", [0.5])) == 0.0  # a fragment
    fragment = "<h1>404 Not Found</h1><p>nginx</p>"
    assert judge.no_content(judgement(fragment, [0.1, 0.1])) > 0.9
    older = load_judge(write(tmp_path / "o.npz", empty_used=None))
    assert older.no_content(judgement(page, [0.5, 0.5])) == 0.0


def test_what_the_trees_over_blocks_found_by_hand():
    matrix = np.zeros((len(NAMES), 3), np.float32)
    probability, words = np.array([0.9, 0.5, 0.01]), np.array([10.0, 20.0, 100.0])
    found = no_content_features(matrix, probability, words, notice=True)
    assert found.shape == (len(NO_CONTENT_FEATURES), 1)
    own = dict(
        zip([name for name, _ in OUTCOMES], found[-len(OUTCOMES) :, 0].tolist(), strict=True)
    )
    assert own == pytest.approx(
        {
            "expected_words": 20.0,
            "expected_share": 20 / 130,
            "best_probability": 0.9,
            "likely_blocks": 2,
            "hopeless_share": 1 / 3,
            "largest_expected": 10.0,
            "notice": 1,
        }
    )


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<title>404 Not Found</title><p>x", True),
        ("<title>Tea</title><h1>Seite nicht gefunden</h1>", True),
        ("<h2>Log in</h2>", True),
        ("<title>Tea</title><h1>Tea</h1><p>The page was not found.</p>", False),
        ("<h2>a</h2><h2>b</h2><h2>c</h2><h2>Sign in</h2>", False),  # far down
        ("", False),
    ],
)
def test_notices(html, expected):
    assert has_notice(thresher.parse(html)) is expected


def test_a_judgement_can_be_pickled():
    page = thresher.parse("<p>Tea is warm, and it is good for us all in the evening.</p>" * 3)
    judgement = thresher.methods.get("default").judge(page)
    kept = judgement.keep()
    assert pickle.loads(pickle.dumps(judgement)).keep().tolist() == kept.tolist()


@pytest.mark.parametrize(
    ("generator", "expected"),
    [("Discuz! X3.4", True), ("vBulletin 3.8.4", True), ("WordPress 6.1", False)],
)
def test_software_of_boards_makes_forums(generator, expected):
    html = f'<head><meta name="generator" content="{generator}" /></head><p>Some words.'
    found = block_features(thresher.parse(html), NO_NAMES)
    assert found is not None
    judgement = Judgement(found, np.zeros(len(found.outline)), dict.fromkeys(KINDS, 0.05))
    assert judgement.may_be_forum is expected


THREAD = records_html(XENFORO)
BELOW = f"{ARTICLE}<div class=commentlist>{records_html(WORDPRESS)}</div>"


@pytest.mark.parametrize(
    ("html", "forum", "favor", "expected"),
    [
        (THREAD, 0.2, "balance", True),
        (THREAD, 0.2, "precision", False),
        (THREAD, 0.01, "recall", False),
        (BELOW, 0.95, "balance", True),
        (BELOW, 0.6, "balance", False),
        (BELOW, 0.6, "recall", True),
        (BELOW, 0.4, "recall", False),
        (ARTICLE, 0.95, "recall", False),
    ],
)
def test_posts_and_comments_are_content_if_the_page_is_a_forum(html, forum, favor, expected):
    found = block_features(thresher.parse(html), NO_NAMES)
    assert found is not None
    judgement = Judgement(found, np.zeros(1), {**dict.fromkeys(KINDS, 0.0), "forum": forum})
    assert judgement.keeps_posts(favor) is expected


@pytest.mark.parametrize(
    ("html", "url", "expected"),
    [
        ("", "https://a.example/forums/spinning/7", True),
        ("", "https://a.example/board/showthread.php?t=7", True),
        ("", "https://a.example/story/forum", False),
        ('<link rel="canonical" href="https://a.example/topic/7">', None, True),
        ('<meta property="og:url" content="https://a.example/threads/7/">', None, True),
        ('<link rel="canonical" href="https://a.example/7">', None, False),
        ('<script type="application/ld+json">{"@type": "QAPage"}</script>', None, True),
        ('<script type="application/ld+json">{"@type": "FAQPage"}</script>', None, False),
    ],
)
def test_addresses_and_data_make_forums(html, url, expected):
    found = block_features(thresher.parse(f"<head>{html}</head><p>Some words.", url=url), NO_NAMES)
    assert found is not None
    judgement = Judgement(found, np.zeros(1), dict.fromkeys(KINDS, 0.05))
    assert judgement.may_be_forum is expected
    unlikely = Judgement(found, np.zeros(1), dict.fromkeys(KINDS, 0.01))
    assert not unlikely.may_be_forum


@pytest.mark.parametrize(
    ("html", "forum", "expected"),
    [
        ("<table><tr><td>Some words.", 0.06, True),
        ("<table><tr><td>Some words.", 0.04, False),
        ("<p>Some words.", 0.06, False),
        ("<p>Some words.", 0.2, True),
    ],
)
def test_a_page_with_tables_may_be_an_old_board(html, forum, expected):
    found = block_features(thresher.parse(html), NO_NAMES)
    assert found is not None
    judgement = Judgement(found, np.zeros(1), {**dict.fromkeys(KINDS, 0.1), "forum": forum})
    assert bool(judgement.may_be_forum) is expected


def test_short_code_is_kept_with_the_text_before_it_whatever_its_button_says():
    text = f"<p>{SENTENCE * 2}</p>"
    code = "<div><pre>npm start</pre><div><button>Copy</button></div></div>"
    page = thresher.parse(f"<main>{text}{code}<p>{SENTENCE}</p></main>")
    found = block_features(page, NameTable.of([], np.zeros(0), np.zeros((0, len(KINDS)))))
    chances = np.array([0.9, 0.2, 0.0, 0.0])
    assert [page.block_text(block) for block in (1, 2)] == ["npm start", "Copy"]
    arguments = found.outline, chances, 1.0, -1, 0.0
    with plain_core():
        kept = judge_module._plain_start(*arguments)[1]
    assert kept.tolist() == [True, True, False, False]
    if COMPILED:
        assert judge_module._compiled_start(*arguments)[1].tolist() == kept.tolist()
