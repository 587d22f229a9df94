"""Which rules a page may need: those that the survey leaves out change nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.cores import needs_kernels, plain_core
from tests.methods.default import slow_features as slow
from tests.methods.default.test_features import TABLE
from thresher.methods.default import judge
from thresher.methods.default.features import KINDS, block_features
from thresher.methods.default.groups import SECTION_NAMES
from thresher.methods.default.judge import _LAST_RULES, _RULES, Judgement, _Choice
from thresher.structure import prompts

pytestmark = needs_kernels

TEXT = "<p>The council closes the old bridge for two years, and a ferry takes its place.</p>"
# Pieces that the rules are about, beside others that only look alike.
PIECES = [
    TEXT, "<h2>Contents</h2>", "<h2>Two words</h2>", "<h3>Deep</h3>", "<p>Advertisement</p>",
    "<p>&nbsp;<b>Sh</b>are</p>", "<p>- READ  MORE -</p>", "<p>Related posts:</p>",
    "<p><a href=/x>Other news of the day</a></p>", "<p>About the author</p>",
    "<p>Text<a href=#n1>1</a> of a note</p>", "<p>Text<a href=#n2> [b] </a> of a note</p>",
    "<ol><li id=n1>The note. ↩</li><li id=n2>Another note. ↩</li></ol>",
    "<ul><li><a href=#a>a</a><li><a href=#b>b</a><li><a href=#c>c</a></ul>",
    "<details><summary>More</summary><p>What it says.</p></details>",
    "<p>Subscribe now</p>", "<p><i>Sign</i> up</p>", "<p>Déjà abonné ?</p>",
    "<p>Log in to read</p>",
    "<p>You have subscribed.</p>", "<div class=ad><p>Buy the new phone</p></div>",
    "<div class='newsletter-box'><p>All of it</p></div>", "<div class=address><p>Here</p></div>",
    "<p>All rights reserved.</p>", "<p>Все права защищены.</p>", "<p>版权声明</p>", "<p>Note:</p>",
    "<pre>one two three four five six seven eight nine</pre>", "<p hidden>Gone</p>",
]  # fmt: skip


def choice(html: str, p: float, kinds: dict[str, float], favor: str = "balance") -> _Choice | None:
    """Return what is chosen of a page whose blocks are all about as probable."""
    page = thresher.parse(html)
    features = block_features(page, TABLE)
    if features is None:
        return None
    probability = np.where(features.outline.allowed, p, 0.0)
    return _Choice(Judgement(features, probability, dict.fromkeys(KINDS, 0.0) | kinds), favor)


def check(found: _Choice, kept: np.ndarray) -> None:
    """Run the rules that are not needed, plain, and compare what they keep."""
    found.set(kept)
    needed = found.needed
    for bit, rule in (*_RULES, *_LAST_RULES):
        if found.asked & bit and not needed & bit:
            found.labels = judge._label_texts(found.outline, kept)
            with plain_core():
                found.needed = judge._ALL
                assert rule(found).tolist() == kept.tolist(), rule


@settings(max_examples=300)
@given(
    pieces=st.lists(st.sampled_from(PIECES), min_size=1, max_size=12),
    seed=st.integers(0, 1_000),
    p=st.sampled_from([0.15, 0.3, 0.7, 0.9]),
    article=st.sampled_from([0.1, 0.4]),
    favor=st.sampled_from(["precision", "balance", "recall"]),
)
def test_rules_that_are_not_needed_change_nothing(pieces, seed, p, article, favor):
    kinds = {"article": article, "forum": 0.2}
    found = choice(f"<body>{TEXT}{''.join(pieces)}", p, kinds, favor)
    assert found is not None
    rng = np.random.default_rng(seed)
    check(found, (rng.random(len(found.outline)) < 0.7) & found.outline.allowed)


@settings(max_examples=100)
@given(html=slow.pages(), seed=st.integers(0, 1_000))
def test_rules_that_are_not_needed_change_nothing_on_any_page(html, seed):
    found = choice(html, 0.5, {"article": 0.9})
    if found is not None:
        rng = np.random.default_rng(seed)
        check(found, (rng.random(len(found.outline)) < 0.7) & found.outline.allowed)


def needed_for(html: str, kinds: dict[str, float] | None = None, p: float = 0.5) -> int:
    found = choice(f"<body>{TEXT}{html}", p, kinds or {"article": 0.9})
    assert found is not None
    found.set(found.outline.allowed.copy())
    return found.needed


def test_a_page_of_text_needs_no_rules():
    assert needed_for("<p>Another paragraph that tells another story of the bridge.") == 0


@pytest.mark.parametrize("label", sorted(judge._LABELS | judge.SECTION_LABELS))
def test_labels_are_found(label):
    for text in (label, label.upper(), f"» {label.title()}:", f"<i>{label[:1]}</i>{label[1:]}"):
        words = thresher.parse(f"<p>{text}").words.sum()
        assert words > judge._LABEL_WORDS or needed_for(f"<p>{text}</p>") & judge._LABELLED


@pytest.mark.parametrize("name", sorted(SECTION_NAMES))
def test_sections_that_say_nothing_alone_are_found(name):
    is_short = thresher.parse(f"<p>{name}").words.sum() <= judge.NAME_WORDS
    html = f"{TEXT}<h2>{name.upper()}</h2>"
    assert not is_short or needed_for(html, {"forum": 1.0}, 0.9) & judge._EMPTY_SECTIONS


@pytest.mark.parametrize("start", prompts.STARTS)
def test_blocks_that_begin_as_prompts_are_found(start):
    for text in (f"{start} x", f"{start.title()} x", f" \n{start.upper()} x"):
        if text.lower().lstrip().startswith(start):  # not I for a dotless i
            assert needed_for(f"<p>{text}</p>{TEXT}") & judge._PROMPTS


@pytest.mark.parametrize("stem", [*prompts.STEMS, *prompts.NOTICE_STEMS])
def test_stems_of_prompts_and_notices_are_found(stem):
    bit = judge._LAST_PROMPTS if stem in prompts.STEMS else judge._LAST_NOTICE
    for text in (f"What {stem} says", f"<b>{stem[:2]}</b>{stem[2:]} says", stem.upper() + " it"):
        assert needed_for(f"<p>{text}</p>") & bit
    if bit == judge._LAST_PROMPTS:
        assert needed_for(f"<p>What {stem.replace(' ', ' <br>')} says</p>") & bit


@pytest.mark.parametrize(
    ("name", "is_box"),
    [
        ("newsletter", True),
        ("x Newsletter-box", True),
        ("ad", True),
        ("top ads", True),
        ("шапка_ad", True),
        ("loading", False),
        ("address", False),
        ("paywalls", False),
        ("x-subscribe_form y", True),
    ],
)
def test_boxes_for_prompts_are_found_by_their_names(name, is_box):
    assert prompts.NAMES_BOX[name] is is_box
    needed = needed_for(f"<div class='{name}'><div><p>Tea</p></div></div>{TEXT}")
    assert bool(needed & judge._BOXES) is is_box


def test_copies_are_found_whatever_white_space_they_have():
    one = "One two three four five six seven eight nine ten"
    assert needed_for(f"<p>{one}</p><p>{one.replace(' ', '  <b></b>')}</p>") & judge._COPIES
    assert not needed_for(f"<p>{one}</p><p>{one.replace('One', 'No')}</p>") & judge._COPIES
