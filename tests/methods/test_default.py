"""The default: from the HTML string through slow features and a loop over trees, and by hand."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import thresher
from tests import slow_definitions
from tests.methods.default import slow_features as slow
from tests.methods.default import slow_groups
from tests.methods.default.test_judge import LONG, PAGE, write
from thresher import InputError, UsageError
from thresher.methods.default import Default, judge
from thresher.methods.default.features import NAMES
from thresher.methods.default.judge import BETA, load_judge
from thresher.methods.model.boosted_trees import SymmetricTrees

# Features that are whole numbers, so that borders between them are asked exactly.
ASKED = ["words", "texts", "stops", "capitals", "from_start", "in_nav", "in_p", "heading"]
ASKED += ["h1_blocks", "copies", "tagpath_count", "siblings_a0", "depth", "page_blocks"]
NO_TABLE = slow.Table({}, {})
TREES, FIRST = 12, 5
STAGES = {5, 6, 7, 9}  # after the first 5 trees, and after 0.1, 0.3 and 0.55 of the other 7


def random_trees() -> SymmetricTrees:
    rng = np.random.default_rng(4)
    return SymmetricTrees(
        rng.integers(0, len(ASKED), (3, TREES)).astype(np.int32),
        (rng.integers(-1, 9, (3, TREES)) + 0.5).astype(np.float32),
        (rng.integers(-24, 25, (1, TREES, 8)) / 8).astype(np.float32),
        np.array([-0.5]),
    )


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> str:
    return write(
        tmp_path_factory.mktemp("default") / "m.npz",
        **random_trees().arrays("block"),
        used=np.array([NAMES.index(name) for name in ASKED], np.uint16),
        split=np.array([FIRST], np.uint16),
        tokens=np.zeros(0, np.uint8),
        token_odds=np.zeros(0, np.float16),
        token_kinds=np.zeros((0, 7), np.float16),
    )


def probability(block: dict[str, float], allowed: bool) -> float:
    """Log-odds tree by tree; a block that a stage of trees rules out stays where it is."""
    if not allowed:
        return 0.0
    trees = random_trees()
    odds = -0.5
    for tree in range(TREES):
        if tree in STAGES and odds <= -3.4:
            break
        leaf = 0
        for level in range(3):
            asked = block[ASKED[trees.feature[level, tree]]]
            leaf += 2**level * (asked > trees.border[level, tree])
        odds += float(trees.value[0, tree, leaf])
    return 1 / (1 + math.exp(-odds))


def slow_default(page: slow.SlowPage, p: list[float], favor: str, headline: int) -> list[str]:
    """The words of the blocks that are kept, given their probabilities."""
    kept = slow_kept(page, p, BETA[favor].usual, favor != "precision", headline)
    if favor == "precision":
        kept |= {at for at in slow_kept(page, p, 1.0, True, headline) if is_code(page.blocks[at])}
    return [
        word
        for at in sorted(kept)
        for node in page.blocks[at].shown
        for word in slow_definitions.slow_words(node.text)
    ]


def is_code(block: slow.Block) -> bool:
    return any(node.name == "pre" for node in block.texts[0].around)


def slow_kept(
    page: slow.SlowPage, own: list[float], beta: float, fills: bool, headline: int
) -> set[int]:
    """The blocks that are kept, given the probability of each of its own."""
    blocks, p = page.blocks, own
    everything = sum(a * block.words for a, block in zip(p, blocks, strict=True))
    if everything < 3:
        few = len(page.nodes) < 20
        return {
            at for at, one in enumerate(blocks)
            if few and one.allowed and not one.unseen and one.linked < one.words
        }  # fmt: skip
    p = slow_groups.share_probability(page, own)
    everything = sum(a * block.words for a, block in zip(p, blocks, strict=True))
    order = sorted(range(len(p)), key=lambda at: -p[at])
    best, kept = 0.0, set()
    right = held = 0.0
    for size, at in enumerate(order, 1):
        right += p[at] * blocks[at].words
        held += blocks[at].words
        score = right / (held + beta**2 * everything + 1e-9)
        if score > best:
            best, kept = score, set(order[:size])
    kept = {at for at in kept if p[at] > 0}
    if fills:
        kept = slow_groups.fill_between(page, p, kept)
        kept = slow_groups.with_neighbours(page, own, kept, headline)
    seen: set[str] = set()
    found = set()
    for at, block in enumerate(blocks):
        text = " ".join(" ".join(node.text.split()) for node in block.texts)
        if at not in kept or p[at] == 0 or (block.words >= 8 and text in seen):
            continue
        seen |= {text} if block.words >= 8 else set()
        found.add(at)
    return found


def slow_without_footer(
    page: slow.SlowPage, features: list[dict[str, float]], p: list[float]
) -> list[float]:
    """The probabilities without blocks in a footer, if it has a word and not nearly all."""
    outside = [one["in_footer"] and not one["in_article"] + one["in_main"] for one in features]
    left = [0.0 if is_outside else a for a, is_outside in zip(p, outside, strict=True)]
    before, after = (
        sum(a * block.words for a, block in zip(some, page.blocks, strict=True))
        for some in (p, left)
    )
    return left if 1 <= before - after <= 0.9 * before else p


def slow_shown(page: slow.SlowPage, p: list[float]) -> list[float]:
    """The probabilities without hidden blocks, if enough of the expected words are shown."""
    shown = [0.0 if block.unseen else a for a, block in zip(p, page.blocks, strict=True)]
    expected, left = (
        sum(a * block.words for a, block in zip(some, page.blocks, strict=True))
        for some in (p, shown)
    )
    return shown if left >= 0.35 * expected else p


@pytest.mark.slow
@settings(max_examples=60)
@given(html=slow.pages())
def test_it_keeps_what_the_definition_keeps(model, html):
    for name in ("button", "template"):  # their words may be those of controls
        html = html.replace(f"<{name}", "<label").replace(f"</{name}", "</label")
    page, slow_page = thresher.parse(html), slow.SlowPage(html)
    features = slow.features(slow_page, NO_TABLE)
    blocks = zip(features, slow_page.blocks, strict=True)
    p = [probability(own, block.allowed) for own, block in blocks]
    p = slow_without_footer(slow_page, features, p)
    judgement = load_judge(model)(page)
    if judgement and features[0]["page_old"] and judgement.kinds["article"] >= 0.02:
        p = slow_shown(slow_page, p)
    headline = -1 if judgement is None else judgement.features.headline
    # The definition knows nothing of headings at the end and of code between kept text: these
    # rules have tests of their own (`tests/methods/default/test_groups.py`).
    rules = tuple(rule for rule in judge._RULES if rule[0] != judge._LAST_HEADINGS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "_RULES", rules)
        patch.setattr(judge, "with_code", lambda _outline, _probability, kept, *_: kept)
        for favor in BETA:  # the pages of this model are forums
            kept = slow_definitions.kept_words(Default(favor=favor, model=model)(page))
            assert kept == slow_default(slow_page, p, favor, headline)


def test_by_hand(tmp_path):
    # Probabilities: nav 0.148, the long paragraph 0.986, the short one 0.060; words 4, 4, 1.
    # 3.94/(4 + 4.60) = .458; with nav too 4.53/(8 + 4.60) = .360: the paragraph alone.
    page = thresher.parse(PAGE)
    path = write(tmp_path / "m.npz")
    assert Default(model=path)(page).text() == "five six seven eight"
    # At b = 2: 3.94/(4 + 18.4) = .176, 4.53/(8 + 18.4) = .172, so still the same.
    assert Default("recall", path)(page).text() == "five six seven eight"


def test_favor_changes_how_much_is_kept(tmp_path):
    # Log-odds of long blocks 2, of others 0: the more recall is worth, the more of these.
    values = np.array([[[-0.25, 1.75], [0.0, 0.0]]], np.float16)
    path = write(tmp_path / "m.npz", block_value=values)
    page = thresher.parse("<p>one two three four</p>" + "<p>one two</p>" * 6)
    kept = {favor: Default(favor, path)(page).words for favor in BETA}
    assert kept == {"precision": 4, "balance": 16, "recall": 16}


def test_the_model_judges_hidden_text(tmp_path):
    path = write(tmp_path / "m.npz")
    page = thresher.parse("<p hidden>one two three four</p><nav>one two three four</nav>")
    assert Default(model=path)(page).text() == "one two three four"
    assert Default(model=path)(page).rows.tolist() == [page.text_rows[0]]


SENTENCE = (
    "<p>The town has <span style='display:none'>7004</span>10,000 people <noscript>Enable JS"
    "</noscript><iframe src=x><script>write(1)</script></iframe>who all cross the bridge.</p>"
)
SHOWN = "The town has 10,000 people who all cross the bridge."


def test_hidden_words_within_a_visible_block_are_dropped(tmp_path):
    path = write(tmp_path / "m.npz")
    page = thresher.parse(SENTENCE)
    assert Default(model=path)(page).text() == SHOWN
    for favor in BETA:
        assert Default(favor, path)(page).text() == SHOWN


def test_hidden_words_count_in_the_features(tmp_path):
    path = write(tmp_path / "m.npz")
    judged = Default(model=path).judge(thresher.parse(SENTENCE))
    assert judged.features.outline.words.tolist() == [18.0]  # 7 of them are hidden


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        ("<span hidden><math><mi>m</mi></math></span><img src=m.svg>", "$m$"),
        ("<math><mi>m</mi><annotation>TeX</annotation></math>", "$m$"),
        ("<template>tea</template>", ""),
        ("<canvas>tea</canvas>", ""),
        ("<video>tea</video>", ""),
        ("<svg><desc>tea</desc></svg>", ""),
    ],
)
def test_brackets_of_readings_and_formulas_are_shown(tmp_path, inner, expected):
    page = thresher.parse(f"<p>one two three four {inner}</p>")
    found = Default(model=write(tmp_path / "m.npz"))(page).text()
    assert found == f"one two three four {expected}".strip()


def test_a_copy_is_kept_once(tmp_path):
    path = write(tmp_path / "m.npz")
    assert Default(model=path)(thresher.parse(f"<p>{LONG}</p><p>{LONG}</p>")).text() == LONG


@pytest.mark.parametrize(
    "html", ["", " ", "<p></p>", "<script>x</script>", "<title>x y z w</title>"]
)
def test_pages_without_content(html, tmp_path):
    page = thresher.parse(html)
    assert Default(model=write(tmp_path / "m.npz"))(page) == page.none()


def test_wrong_options_are_refused(tmp_path):
    with pytest.raises(UsageError, match="favor of default is 'both': give 'precision', 'balance'"):
        Default(favor="both")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"no model .*none\.npz: make one with thresher train"):
        Default(model=str(Path(tmp_path) / "none.npz"))(thresher.parse("<p>x"))


@pytest.mark.parametrize(
    "heading",
    [
        "<div><h2 id=b><a href='#b'>Brewing</a></h2><a href='#b'>Section titled Brewing</a></div>",
        "<h2>Brewing<span class=mw-editsection>[<a href='/edit'>edit</a>]</span></h2>",
        "<div><h2>Brewing</h2><span class=mw-editsection>[<a href='/edit'>edit</a>]</span></div>",
    ],
)
def test_headings_with_controls_are_kept_with_their_sections(heading):
    prose = "<p>Boil the water and let it cool a while before you pour it over the leaves.</p>"
    after = "<p>Then wait for five minutes, no longer, or the tea turns bitter in the pot.</p>"
    page = f"<title>Tea</title><article><h1>Making tea</h1>{prose}{heading}{after}</article>"
    assert "\n\n## Brewing\n\nThen wait" in thresher.extract(page).markdown()


@pytest.mark.parametrize(
    "button",
    [
        "<p>Add to cart</p>",
        "<div><a href=/cart>In den Warenkorb</a></div>",
        "<p><a href=/b>Learn more »</a>",
    ],
)
def test_buttons_are_not_kept_between_paragraphs(button):
    prose = (
        "<p>The pot is made of clay and holds two cups of tea, which stay warm for hours, {}.</p>"
    )
    parts = button.join(prose.format(word) for word in ("one", "two", "three"))
    found = thresher.extract(f"<title>Pot</title><main><h1>Clay pot</h1>{parts}</main>").text
    lines = [line for line in found.splitlines() if line and not line.startswith("The pot")]
    assert lines in ([], ["Clay pot"])


def test_labels_of_advertisements_are_not_kept_between_paragraphs():
    prose = "<p>Boil the water and let it cool a while before you pour it over the leaves, {}.</p>"
    parts = "<p>ADVERTISEMENT</p>".join(prose.format(word) for word in ("one", "two", "three"))
    page = f"<title>Tea</title><article><h1>Making tea</h1>{parts}</article>"
    assert "ADVERTISEMENT" not in thresher.extract(page).text


REPORT = "<p>The {} valley was surveyed in spring by a party of four, who measured its river.</p>"
BOXES = (
    "<table class='vertical-navbox'><tr><td>Part of a series on {}</td></tr></table>",
    "<table class='mbox-small sistersitebox'><tr><td>Look up {} in Wiktionary</td></tr></table>",
    "<div id=catlinks class=catlinks>Categories: <a href=v>{}</a></div>",
)


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize(("software", "stays"), [("MediaWiki 1.39", False), ("Wiki", True)])
def test_boxes_of_wikis_are_no_content(box: str, software: str, stays: bool) -> None:
    inner = "".join(REPORT.format(word) for word in ("upper", "lower", "long"))
    head = f"<title>Valley</title><meta name=generator content='{software}'>"
    document = thresher.extract(f"{head}<main><h1>Valley</h1>{inner}{box.format('hills')}</main>")
    shares = {
        block.text: block.probability for block in document.page_blocks if "hills" in block.text
    }
    assert [share > 0 for share in shares.values()] == [stays]
    assert "long valley" in document.text


@pytest.mark.parametrize("label", ["<h2>Contents</h2>", "<p><strong>Contents</strong></p>"])
def test_the_label_of_a_table_of_contents_is_dropped_with_it(label: str) -> None:
    links = "".join(f"<li><a href='#{at}'>Measure {at}</a></li>" for at in range(3))
    sections = "".join(
        f"<h2 id={at}>Measure {at}</h2>{REPORT.format(at) * (at + 1)}" for at in range(3)
    )
    page = f"<title>Valley</title><main><h1>Valley</h1>{label}<ul>{links}</ul>{sections}</main>"
    text = thresher.extract(page).text
    assert "Contents" not in text
    assert text.count("Measure") == 3
    plain = page.replace(f"<ul>{links}</ul>", "<p>The book has all measures of the valley.</p>")
    assert "Contents" in thresher.extract(plain).text
