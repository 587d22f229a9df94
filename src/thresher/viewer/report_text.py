"""The words and the look of the report, apart from its figures."""

from __future__ import annotations

# Above the pictures of the first corpus; the others have a reminder.
EXPLAINED = {
    "speed": "Each mark is a tool: the higher, the better its text; the further left, the less "
    "computer time it takes. Each step to the right multiplies the time. The bar shows the range "
    "in which the mean lies with 95 % confidence: where two bars overlap much, the difference may "
    "be chance. The dashed line joins the tools that are the best for their speed; an arrow marks "
    "one far below the rest.",
    "balance": "Two ways to err. A tool far <b>left</b> loses parts of the text (low recall); a "
    "tool far <b>down</b> keeps menus, adverts or comments (low precision). The best corner is top "
    "right. Along a dotted line F1 stays the same: what is won on one side is lost on the other. "
    "The mean F1 of the pages, as in the table, can be a little off these lines.",
    "spread": "A mean hides whether a tool is fair on every page or perfect on most and lost on "
    "some. Here all pages stand in a row from the worst (left) to the best (right), as high as "
    "their F1. A full block would be perfect on every page; the empty corner at the left is what "
    "was lost.",
    "means": "All means over pages, with the 95 % interval below, the best in bold. <b>Any "
    "order</b> compares bags of words, <b>in order</b> the longest common subsequence of words, "
    "<b>4-word runs</b> all runs of four words. <b>Snippets</b>: the share of phrases that are in "
    "or out as they should be.",
}
SHORT = {
    "speed": "Up is better, left is faster; bars are 95 % intervals; the dashed line joins the "
    "best for their speed.",
    "balance": "Left loses text, down keeps too much; on a dotted line F1 is the same.",
    "spread": "All pages from the worst to the best, as high as their F1; the empty corner is what "
    "was lost.",
    "means": "Means over pages with their 95 % intervals, the best in bold.",
}

BODY = """<header>
<h1>How well was the main text found?</h1>
<p class="sub">{subtitle}</p>
<p>Every tool got the same pages and had to return their main text. It was compared, word by word,
with the text that the corpus gives as right (the <i>gold</i> text). <b>Recall</b> is the share of
the gold words that were found, <b>precision</b> the share of the found words that are gold, and
<b>F1</b> their balance, high only if both are: 1 is perfect, 0 is nothing right.</p>
<p class="legend"><span><i class="mark ours"></i> a method of Thresher</span>
<span><i class="mark peer"></i> another tool</span></p>
{tools}
</header>
<form class="bar"><span class="switch">Words count
<label><input type="radio" name="measure" id="bag" checked> in any order</label>
<label><input type="radio" name="measure" id="lcs"> in the order of the text</label></span>
{contents}</form>
<main>
{overview}
{sections}
{worst}
</main>
"""

CORPUS = """<section id="c{number}">
<h2><bdi>{name}</bdi> <small>{pages}</small></h2>
{finding}
<div class="pair">
<figure><figcaption><h3>Quality and speed</h3><p>{about_speed}</p></figcaption>{speed}</figure>
<figure><figcaption><h3>Too much or too little</h3><p>{about_balance}</p></figcaption>
{balance}</figure>
</div>
<figure><figcaption><h3>From the worst page to the best</h3><p>{about_spread}</p></figcaption>
{spread}</figure>
<figure><figcaption><h3>All figures</h3><p>{about_means}</p></figcaption>
{means}
{groups}</figure>
</section>"""

STYLE = """
:root { --ours: #0067b0; --peer: #c85200; --card: #fff; --empty: #e9ebef; --missing: #cfe5f8;
  --extra: #fbdcc4; }
@media (prefers-color-scheme: dark) {
  :root { --ours: #62b0f4; --peer: #f59b4c; --card: #1d2025; --empty: #2b2f36; --missing: #173f61;
    --extra: #5c3413; } }
html { scroll-padding-top: 4rem; }
header, main, .bar { margin: 0 auto; max-width: 76rem; padding: 0 1.2rem; }
header { padding-top: 1.8rem; }
header p { max-width: 46rem; }
h2 { border-top: 3px solid var(--ink); font-size: 1.35rem; margin: 2.6rem 0 .6rem;
  padding-top: .6rem; }
h2 small { color: var(--soft); font-size: .875rem; font-weight: 400; }
h3 { font-size: 1.05rem; margin: 0; }
code { font: .92em ui-monospace, monospace; }
section > p, .finding { max-width: 54rem; }
.legend span { margin-inline-end: 1.5rem; white-space: nowrap; }
.tool { display: inline-block; max-width: 100%; }
.mark { background: var(--ours); border-radius: 50%; display: inline-block; height: .68em;
  margin-inline-end: .4em; print-color-adjust: exact; width: .68em; }
.mark.peer { background: var(--peer); border-radius: 1px; height: .6em; transform: rotate(45deg);
  width: .6em; }
.bar { align-items: center; background: var(--paper); border-bottom: 1px solid var(--line);
  display: flex; flex-wrap: wrap; font-size: .875rem; gap: .2rem 2rem; margin-top: 1rem;
  padding-bottom: .55rem; padding-top: .55rem; position: sticky; top: 0; z-index: 2; }
.bar label { cursor: pointer; margin-inline-start: .6rem; white-space: nowrap; }
.bar input { accent-color: var(--ours); }
nav { display: flex; gap: .2rem 1rem; max-width: 100%; overflow-x: auto; white-space: nowrap; }
a { color: var(--ours); }
.lcs, body:has(#lcs:checked) .bag { display: none; }
body:has(#lcs:checked) .lcs { display: block; }
.pair { display: grid; gap: 0 1.2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
.pair:has(.wide) { grid-template-columns: minmax(0, 1fr); }
.pair .bag, .pair .lcs { overflow-x: auto; }
.pair figure { display: flex; flex-direction: column; justify-content: space-between; }
figure { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  margin: 1.2rem 0 0; min-width: 0; padding: 1rem 1.1rem; }
figcaption p { color: var(--soft); font-size: .875rem; margin: .25rem 0 .8rem; max-width: 54rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums;
  min-width: 100%; overflow-wrap: normal; }
th { font-weight: 500; text-align: start; }
thead th { color: var(--soft); font-size: .8125rem; line-height: 1.3; padding: .3rem .6rem;
  vertical-align: bottom; }
thead th:first-child { padding-inline-start: .15rem; }
thead th + th { text-align: end; }
tbody th { background: inherit; left: 0; padding: .3rem .8rem .3rem .15rem; position: sticky;
  white-space: nowrap; z-index: 1; }
tbody tr { background: var(--card); border-top: 1px solid var(--line); }
td { padding: .3rem .6rem; text-align: end; white-space: nowrap; }
td small { color: var(--soft); display: block; font-size: .72rem; line-height: 1.2; }
.means td, .means thead th + th { padding-inline: .35rem; }
.means { font-size: .8125rem; }
.words, .matrix { min-width: 0; }
.words td, .words thead th { text-align: start; }
.spread td:nth-child(2) { width: 46%; }
.spread thead th:nth-child(2) { text-align: start; }
details { margin-top: .8rem; }
summary { cursor: pointer; }
@media (max-width: 40rem) {
  header, main, .bar { padding-left: .7rem; padding-right: .7rem; }
  figure { padding: .7rem; }
  .switch { font-size: .8125rem; }
  tbody th { max-width: 9rem; overflow: hidden; text-overflow: ellipsis; }
  tbody .tool { display: inline; } }
@media print {
  .bar nav { display: none; }
  .bar { position: static; }
  figure, tr { break-inside: avoid; }
  svg, .strip, ins, del { print-color-adjust: exact; }
  .scroll { overflow: visible; }
  details::details-content { content-visibility: visible; block-size: auto; } }
"""
