"""Hidden blocks, and the texts of chosen blocks that are shown."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cores import needs_kernels, plain_core
from tests.pages import soup, well_formed
from thresher import Page, extract, parse
from thresher.page.visibility import hidden_blocks, shown_texts


def shown(page: Page, chosen: np.ndarray | None = None) -> list[str]:
    return [page.texts[index] for index in shown_texts(page, chosen).nonzero()[0].tolist()]


def test_hidden_words_of_a_shown_block_are_left_out():
    page = parse("<p>one <span hidden>two</span></p><div hidden>three</div> <p>four")
    assert hidden_blocks(page).tolist() == [False, True, False]
    assert shown(page) == ["one ", "three", " ", "four"]
    assert shown(page, np.array([True, False, False])) == ["one "]
    assert shown(page, np.array([False, True, False])) == ["three"]  # a fully hidden block


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("<ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby>", ["x", "(", "y", ")"]),
        ("<p>a<span hidden><math><mi>x</mi></math></span>", ["a", "x"]),
        (
            "<p>a<math><semantics><mi>x</mi><annotation>copy</annotation></semantics></math>",
            ["a", "x"],
        ),
    ],
)
def test_brackets_of_readings_and_formulas_are_shown(source, texts):
    assert shown(parse(source)) == texts


@needs_kernels
@given(html=st.one_of(well_formed, soup), seed=st.integers(0, 1_000))
def test_both_versions_give_the_same(html, seed):
    page, again = parse(html), parse(html)  # values are cached with the page
    chosen = np.random.default_rng(seed).random(len(page.blocks)) < 0.5
    with plain_core():
        expected = hidden_blocks(again), shown_texts(again, chosen), shown_texts(again)
    for version in (page, replace(page)):  # with and without what the walk found
        version.prefill(nodes=page.nodes)
        found = hidden_blocks(version), shown_texts(version, chosen), shown_texts(version)
        for one, other in zip(found, expected, strict=True):
            assert one.tolist() == other.tolist()


SENTENCE = "It is warmed in the pot for an hour, and then it is served."


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        (f"<p>Tea. <span hidden>{SENTENCE}</span>", ["Tea. ", SENTENCE]),
        (
            f"<p>Tea. <i style='display:none'>{SENTENCE}</i> <b>more</b>",
            ["Tea. ", SENTENCE, " ", "more"],
        ),
        # an abridged copy
        (f"<p>It is warmed in the... <span hidden>{SENTENCE}</span>", [SENTENCE]),
        # names, links and fallback content
        (f"<p>Tea <span hidden>{SENTENCE[:-1]}</span>", ["Tea "]),
        (f"<p>Tea <a href=/ hidden>{SENTENCE}</a>", ["Tea "]),
        (f"<p>Tea <noscript>{SENTENCE}</noscript>", ["Tea "]),
        ("<td><span hidden>0003.</span>Three", ["Three"]),
    ],
)
def test_hidden_sentences_of_a_shown_block_are_shown(source, texts):
    assert shown(parse(source)) == texts


@pytest.mark.parametrize(
    "collapsed",
    [
        "<details><summary>How long?</summary><p>{}</p></details>",
        "<h3><button aria-expanded=false aria-controls=a>How long?</button></h3>"
        "<div id=a hidden><p>{}</p></div>",
        "<h3>How long?</h3><div hidden=until-found><p>{}</p></div>",
        "<ul role=tablist><li role=tab>How long?</ul>"
        "<div role=tabpanel style='display:none'><p>{}</p></div>",
        "<h3>How long?</h3><div aria-hidden=true><p>{}</p></div>",
        "<dl><dt>How long?</dt><dd style='display:none'>{}</dd></dl>",
        "<p>How long? <span style='display:none'>{}</span> <button>Read more</button></p>",
    ],
)
def test_all_formats_keep_collapsed_content(collapsed):
    intro = "".join(
        f"<p>The {part} of the kettle has been warmed slowly, and the {part} stays warm for an "
        f"hour, as long as nobody opens the window near the {part}.</p>"
        for part in ("pot", "lid", "spout")
    )
    answer = " ".join([SENTENCE] * 3)
    document = extract(
        f"<title>Tea for all</title><nav><a href=/>Home</a></nav><main><h1>Tea for all</h1>{intro}"
        f"{collapsed.format(answer)}</main><footer>Copyright 2020</footer>"
    )
    for written in (document.text, document.markdown(), document.html(), document.tei()):
        assert written.count("warmed in the pot for an hour") == 3
