"""Headings, summaries and labels that stay with the texts below them."""

import numpy as np
import pytest

import thresher
from thresher.methods.default.features.containers import page_outline
from thresher.methods.default.neighbours import with_summaries

PARTS = (
    "The council of the town decided on Monday that the old wooden bridge across the river will be "
    "closed for two years while builders put a new one of steel beside it.",
    "The builders expect the work to cost about four million, of which the state pays a half, and "
    "the rest comes from a loan that the town has to pay back over thirty years.",
    "People who live on the northern bank will have to take the ferry, which runs every hour from "
    "six in the morning until ten at night and takes bicycles free of charge.",
    "An engineer of the company said that the new bridge would last for at least a hundred years, "
    "provided that it is painted every ten years and salt is washed off in spring.",
)


def _bridge(body: str, favor: str = "balance") -> str:
    """Return the Markdown of an article."""
    page = (
        "<!DOCTYPE html><title>The new bridge of Riverton</title><body><header><nav><a href=/>Home"
        "</a> <a href=/n>News</a></nav></header><main><article><h1>The new bridge of Riverton</h1>"
        f"{body}</article></main><footer><p>© 2020 The Paper</p></footer>"
    )
    return thresher.extract(page, favor=favor).markdown()


@pytest.mark.parametrize("favor", ["balance", "precision"])
def test_headings_stay_with_their_sections(favor):
    first, second, third, fourth = PARTS
    written = _bridge(
        f"<p>{first}<h2>Costs</h2><p>{second}<h2>Sources</h2><ul><li><a href=/a>Town report 2020"
        "</a><li><a href=/b>State budget 2021</a><li><a href=/c>Minutes of May</a></ul>"
        f"<h2>Outlook</h2><p>{third}<p>{fourth}",
        favor,
    )
    headings = [line for line in written.splitlines() if line.startswith("#")]
    assert headings == ["## Costs", "## Outlook"]


def test_links_in_a_list_with_text_stay_below_their_label():
    first, second, third, _ = PARTS
    written = _bridge(
        f"<p>{first}<p>{second}<h2>Further reading</h2><ul><li><a href=/r>Rivers of the north</a>"
        "<li><a href=/d>Dams</a> – a short history of dams in the north and of those who built "
        f"them<li>Ships</ul><h2>Outlook</h2><p>{third}"
    )
    for line in ("## Further reading", "- [Rivers of the north](/r)", "- [Dams](/d)", "- Ships"):
        assert line in written


def test_all_summaries_stay_with_their_texts():
    first, *rest = PARTS
    asked = ("How long?", "Who pays for the bridge?", "Why now?")
    details = "".join(
        f"<details><summary>{one}</summary><p>{text}</p></details>"
        for one, text in zip(asked, rest, strict=True)
    )
    written = _bridge(f"<p>{first}</p>{details}")
    assert [one for one in asked if one not in written] == []


@pytest.mark.parametrize(
    ("between", "added"),
    [("<p>sh</p>", [0]), ("<p>sh</p><p>copy</p>", []), ("<p>three words each</p>", [])],
)
def test_a_summary_may_have_a_label_before_its_text(between, added):
    page = thresher.parse(f"<details><summary>npm</summary>{between}<pre>npm i</pre></details>")
    kept = np.arange(len(page.blocks)) == len(page.blocks) - 1
    found = with_summaries(page_outline(page), kept)
    assert (found & ~kept).nonzero()[0].tolist() == added
    beyond = thresher.parse("<details><summary>npm</summary><p>sh</p></details><pre>npm i</pre>")
    kept = np.array([False, False, True])
    assert with_summaries(page_outline(beyond), kept) is kept


@pytest.mark.parametrize("favor", ["balance", "precision", "recall"])
def test_formulas_stay_beside_their_text(favor):
    half = "<math display=block><mfrac><mi>h</mi><mn>2</mn></mfrac></math>"
    twice = "<div><math display=block><mn>2</mn><mi>h</mi></math></div>"
    first, second, third, _ = PARTS
    written = _bridge(f"<p>{first}<p>{second}<p>{third}</p>{half}{twice}", favor)
    assert written.endswith("free of charge.\n\n$$\\frac{h}{2}$$\n\n$$2h$$")
