"""Elements that pages show as something that their tags do not say."""

from __future__ import annotations

import pytest

import thresher
from tests.growth import assert_linear

BEFORE = "<p>A pot holds tea for four, and it has to be warmed before the water is poured in.</p>"
AFTER = "<p>Let it stand for three minutes, and then pour it into cups that are not too hot.</p>"


def markdown(inner: str, head: str = "") -> str:
    """Return the Markdown of a page that holds something between two paragraphs."""
    page = (
        f"<!DOCTYPE html><html><head><meta charset=utf-8>{head}<title>Tea</title></head>"
        f"<body><main><article><h1>Tea</h1>{BEFORE}{inner}{AFTER}</article></main></body></html>"
    )
    found = thresher.extract(page).markdown()
    first, last = BEFORE[3:-4], AFTER[3:-4]
    assert first in found
    assert last in found
    return found.partition(first)[2].partition(last)[0].strip("\n")


@pytest.mark.parametrize(
    "tasks",
    [
        '<ul class="inline-task-list"><li class="checked" data-inline-task-id="1">'
        "<span>Warm the pot</span></li><li>Boil water</li></ul>",
        '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Warm the pot'
        '</span></li><li><div class="checkbox checkbox-off"></div> <span>Boil water</span></ul>',
        '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Warm the pot'
        '</span></li></ul> <ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> '
        "Boil water</li></ul>",
        '<ul class="checklist"><li role="checkbox" aria-checked="true">Warm the pot</li>'
        '<li role="checkbox" aria-checked="false">Boil water</li></ul>',
        '<ul class="tasks"><li><span role="checkbox" aria-checked="true"></span>Warm the pot'
        '<li><span role="checkbox" aria-checked="mixed"></span>Boil water</ul>',
    ],
)
def test_tasks_without_an_input(tasks: str) -> None:
    assert markdown(tasks) == "- [x] Warm the pot\n- [ ] Boil water"


def test_tasks_of_discourse() -> None:
    tasks = (
        '<ul><li><span class="chcklst-box checked fa fa-square-check-o"></span> Warm the pot</li>'
        '<li><span class="chcklst-box fa fa-square-o"></span> Boil water</li></ul>'
    )
    found = markdown(tasks, '<meta name="generator" content="Discourse 3.2">')
    assert found == "- [x] Warm the pot\n- [ ] Boil water"


def test_a_list_named_for_checks_without_tasks_stays_as_it_is() -> None:
    assert markdown('<ul class="checks"><li>Warm the pot</li><li>Boil water</li></ul>') == (
        "- Warm the pot\n- Boil water"
    )


def test_code_and_formulas_of_distill() -> None:
    inner = (
        "<p>The time is <d-math>t_0</d-math>, as the call <d-code>stand(pot)</d-code> says.</p>"
        "<d-math block>t = \\frac{m}{k}</d-math>"
        '<d-code block language="python">\ndef stand(pot):\n    return 3 < pot.size\n</d-code>'
    )
    assert markdown(inner) == (
        "The time is $t_0$, as the call `stand(pot)` says.\n\n$$t = \\frac{m}{k}$$\n\n"
        "```python\ndef stand(pot):\n    return 3 < pot.size\n```"
    )


@pytest.mark.parametrize(
    "area",
    [
        '<textarea name="code" class="java" rows="3">',
        '<textarea class="java:nogutter" cols="60" name="code">\n',
    ],
)
def test_code_in_a_text_area(area: str) -> None:
    code = "if (a &lt; b) {\n    pour(<b>);\n}"
    assert markdown(f"<p>Like this:</p>{area}{code}</textarea>") == (
        "Like this:\n\n```java\nif (a < b) {\n    pour(<b>);\n}\n```"
    )


def test_examples_of_go_packages() -> None:
    inner = (
        '<details open><summary>Example</summary><textarea class="Documentation-exampleCode code">'
        "package main\n\nfunc main() {\n\tpour(4)\n}\n</textarea>"
        '<pre><span>Output:\n\n</span><span class="Documentation-exampleOutput">4\n</span></pre>'
        "</details>"
    )
    assert "```go\npackage main\n\nfunc main() {\n\tpour(4)\n}\n```" in markdown(inner)


def test_other_text_areas_are_left_alone() -> None:
    assert markdown('<form><textarea name="comment">Write here</textarea></form>') == ""


DOXYGEN = '<meta name="generator" content="Doxygen 1.9.8"/>'


def test_code_of_doxygen() -> None:
    inner = (
        '<div class="fragment"><div class="line"><a id="l1"></a><span class="lineno">    1</span>'
        '<span class="keyword">int</span> main()</div><div class="line">'
        '<span class="lineno">    2</span>{</div><div class="foldopen"><div class="line">'
        '<span class="lineno">    3</span>    <a class="code" href="p">pour</a>(4);</div></div>'
        '<div class="line"><span class="lineno">    4</span>}</div>'
        '<div class="ttc" id="a"><div class="ttname"><a href="p.html">pour</a></div></div></div>'
    )
    written = "```\nint main()\n{\n    pour(4);\n}\n```"
    assert markdown(inner, DOXYGEN) == written
    assert markdown(inner.replace("</div>", "</div>\n"), DOXYGEN) == written


def test_older_code_of_doxygen() -> None:
    inner = (
        '<div class="fragment"><pre class="fragment"><a name="l00001"></a>00001 <span>int</span> '
        'main()\n<a name="l00002"></a>00002 {\n<a name="l00003"></a><a class="code" href="p.html">'
        "00003</a>   pour(10000);\n00004\n}\n</pre></div>"
    )
    found = markdown(inner, "</head><body><!-- Generated by Doxygen 1.5.8 -->")
    assert found == "```\nint main()\n{\n  pour(10000);\n00004\n}\n```"


def test_prototypes_of_doxygen() -> None:
    inner = (
        '<h2>pour()</h2><div class="memitem"><div class="memproto"><table class="memname"><tr>'
        '<td class="memname">int pour </td><td>(</td><td class="paramtype">int&#160;</td>'
        '<td class="paramname"><em>cups</em>, </td></tr><tr><td></td><td></td>'
        '<td class="paramtype">float&#160;</td><td class="paramname"><em>size</em>&#160;</td></tr>'
        "<tr><td></td><td>)</td><td></td></tr></table></div><div class='memdoc'><p>Pours tea into "
        "a number of cups of one size, and returns how many of them are full.</p></div></div>"
    )
    assert markdown(inner, DOXYGEN) == (
        "## pour()\n\n```\nint pour(int cups, float size)\n```\n\n"
        "Pours tea into a number of cups of one size, and returns how many of them are full."
    )


def test_pages_of_rustdoc() -> None:
    page = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="generator" content="rustdoc"><title>Pot in tea - Rust</title></head>
<body class="rustdoc struct"><nav class="sidebar"><a href="#">Pot</a></nav><main>
<section id="main-content" class="content"><div class="main-heading"><h1>Struct <span>Pot</span>
<button id="copy-path">Copy item path</button></h1><span class="sub-heading"><span class="since">
0.3.0</span> · <a class="src" href="../src/pot.rs.html">Source</a></span></div>
<pre class="rust item-decl"><code>pub struct Pot {
    pub size: <a class="primitive" href="usize.html">usize</a>,
}</code></pre><details class="toggle top-doc" open><summary class="hideme"><span>Expand description
</span></summary><div class="docblock"><p>A pot that holds tea for a number of people, and keeps it
warm for an hour.</p></div></details><h2 id="fields">Fields
<a href="#fields" class="anchor">§</a></h2>
<span id="structfield.size" class="structfield section-header"><a href="#structfield.size"
class="anchor field">§</a><code>size: <a href="usize.html">usize</a></code></span><div
class="docblock"><p>How many people it is for, from one to twelve.</p></div>
<details class="toggle method-toggle" open><summary><section id="method.pour" class="method">
<span class="rightside"><span class="since">0.3.0</span> · <a class="src" href="s">Source</a></span>
<h4 class="code-header">pub fn <a href="#method.pour" class="fn">pour</a>&lt;T&gt;(self) -&gt; T<div
class="where">where
    T: <a class="trait" href="c.html">Cup</a>,</div></h4></section></summary><div class="docblock">
<p>Pours tea into a cup, and returns the cup when it is full.</p></div></details>
<div id="blanket-implementations-list"><h3 class="code-header">impl&lt;T&gt; Any for T</h3><p>
Returns the type of the value, which is known when the program is compiled.</p></div></section>
</main></body>
"""
    assert thresher.extract(page).markdown().strip() == (
        "```rust\npub struct Pot {\n    pub size: usize,\n}\n```\n\n"
        "A pot that holds tea for a number of people, and keeps it warm for an hour.\n\n"
        "## Fields\n\n### `size: usize`\n\nHow many people it is for, from one to twelve.\n\n"
        "#### `pub fn pour<T>(self) -> T where T: Cup,`\n\n"
        "Pours tea into a cup, and returns the cup when it is full."
    )


def test_tables_and_signatures_of_javadoc() -> None:
    page = """<!DOCTYPE HTML><html lang="en"><head><!-- Generated by javadoc (17) -->
<title>Pot (Tea 2 API)</title></head><body class="class-declaration-page"><main role="main">
<h1 class="title">Class Pot</h1><section class="class-description"><div class="type-signature">
<span>public class </span><span>Pot</span>
<span>extends Object</span></div><div class="block">A pot that holds tea for a number of people, and
keeps it warm for an hour or two.</div></section><ul class="summary-list"><li><section
class="method-summary"><h2>Method Summary</h2><div class="table-tabs"><button>All Methods</button>
<button>Instance Methods</button></div><div class="summary-table two-column-summary">
<div class="table-header col-first">Method</div><div class="table-header col-last">Description</div>
<div class="col-first"><code>pour()</code></div><div class="col-last"><div class="block">Pours tea
into all cups.</div></div></div></section></li></ul><ul class="details-list"><li><section
class="detail"><h3>pour</h3><div class="member-signature"><span>public</span>&nbsp;<span>void</span>
&nbsp;<span>pour</span>()</div><div class="block">Pours tea into all cups that are on the table, one
after the other, until the pot is empty.</div></section></li></ul></main></body></html>
"""
    assert thresher.extract(page).markdown().strip() == (
        "```java\npublic class Pot\nextends Object\n```\n\n"
        "A pot that holds tea for a number of people, and keeps it warm for an hour or two.\n\n"
        "## Method Summary\n\n| Method | Description |\n| --- | --- |\n"
        "| `pour()` | Pours tea into all cups. |\n\n"
        "### pour\n\n```java\npublic void\npour()\n```\n\n"
        "Pours tea into all cups that are on the table, one after the other, until the pot is "
        "empty."
    )


def test_hidden_tabs_are_shown() -> None:
    inner = (
        '<awsdocs-tabs><dl style="display: none"><dt>Console</dt><dd><p>Open the page of the pot '
        "and choose how many cups there are.</p></dd><dt>CLI</dt><dd><p>Call the program with the "
        "number of cups as its only argument.</p></dd></dl></awsdocs-tabs>"
    )
    assert markdown(inner) == (
        "Console\n: Open the page of the pot and choose how many cups there are.\n\n"
        "CLI\n: Call the program with the number of cups as its only argument."
    )


def test_terms_and_numbers_of_sphinx() -> None:
    inner = (
        "<dl><dt><strong>cups</strong><span class='classifier'>int, default 4</span></dt><dd><p>"
        "How many cups are filled before the pot is empty.</p></dd></dl>"
        '<div class="math notranslate" id="equation-a"><span class="eqno">(1)<a class="headerlink" '
        'href="#equation-a">¶</a></span>\\[t = \\frac{m}{k}\\]</div>'
    )
    assert markdown(inner, '<meta name="generator" content="Docutils 0.19: https://d.org/" />') == (
        "**cups** : int, default 4\n: How many cups are filled before the pot is empty.\n\n"
        "$$t = \\frac{m}{k}$$ (1)"
    )


def test_formulas_of_latexml() -> None:
    inner = (
        '<table class="ltx_equation ltx_eqn_table"><tbody><tr><td></td><td><math alttext="t=1" '
        'display="block"><mi>t</mi><mo>=</mo><mn>1</mn></math></td><td></td>'
        '<td class="ltx_eqn_eqno"><span>(1)</span>'
        "</td></tr></tbody></table>"
    )
    assert markdown(inner, "<!--Generated on Thu Mar  7 04:44:02 2024 by LaTeXML -->") == (
        "$$t=1$$ (1)"
    )


def test_marks_and_notes_of_latexml() -> None:
    inner = (
        '<section class="ltx_section"><p>It was measured<span class="ltx_note ltx_role_footnote">'
        '<sup class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span '
        'class="ltx_note_content"><sup class="ltx_note_mark">1</sup><span class="ltx_tag '
        'ltx_tag_note">1</span>In seconds.</span></span></span> by <cite class="ltx_cite">Ada'
        ' (1843)</cite>.</p><ul><li><span class="ltx_tag ltx_tag_item">•</span><p>One pot</p></li>'
        '<li><span class="ltx_tag ltx_tag_item">(b)</span><p>Two cups</p></li></ul></section>'
    )
    assert markdown(inner) == (
        "It was measured (In seconds.) by Ada (1843).\n\n- One pot\n- Two cups"
    )


def test_listings_of_latexml() -> None:
    line = '<div class="ltx_listingline"><span class="ltx_tag ltx_tag_listingline">1</span>{}</div>'
    inner = (
        '<section class="ltx_section"><p>Call this:</p><div class="ltx_listing ltx_lstlisting">'
        '<div class="ltx_listing_data"><a href="data:text/plain;base64,eA==">⬇</a></div>'
        f"{line.format('pour()')}{line.format('  drink()')}</div></section>"
    )
    assert markdown(inner) == "Call this:\n\n```\npour()\n  drink()\n```"


def test_formulas_that_mathjax_has_drawn() -> None:
    one = (
        '<mjx-container jax="CHTML" data-latex="x^2"><mjx-math aria-hidden="true"></mjx-math>'
        '<mjx-speech aria-label="x squared"></mjx-speech></mjx-container>'
    )
    other = (
        '<mjx-container jax="SVG"><svg><g data-mml-node="math" data-latex="a &lt; b"><path d="M0"/>'
        "</g></svg></mjx-container>"
    )
    assert markdown(f"<p>It is {one} or {other} in all cups.</p>") == (
        "It is $x^2$ or $a < b$ in all cups."
    )


@pytest.mark.parametrize(
    "inner",
    [
        '<div style="font-family: monospace; white-space: pre;">pour()\n  drink()</div>',
        '<div style="color: #ddd;font-family: Menlo, monospace;white-space: pre-wrap;"><div><span>'
        "pour()</span></div><div><span>  drink()</span></div></div>",
    ],
)
def test_boxes_with_the_style_of_code(inner: str) -> None:
    assert markdown(inner) == "```\npour()\n  drink()\n```"


def test_code_that_enlighter_has_drawn_is_written_once() -> None:
    inner = (
        '<pre class="EnlighterJSRAW" data-enlighter-language="java" style="display:none">'
        'pour();\ndrink();</pre><div class="enlighter-default"><div class="enlighter"><div><div>'
        "<span>pour();</span></div></div><div><div><span>drink();</span></div></div></div></div>"
    )
    assert markdown(inner) == "```java\npour();\ndrink();\n```"
    alone = '<pre class="EnlighterJSRAW">pour();</pre>'
    assert thresher.parse(alone).source == alone


def test_other_boxes_with_such_styles_stay_as_they_are() -> None:
    for inner in (
        '<div style="font-family: monospace; white-space: nowrap">Pour it.</div>',
        '<div style="font-family: monospace; white-space: pre"><p>Pour it.</p></div>',
    ):
        assert thresher.parse(inner).source == inner


def test_brackets_around_a_link_to_edit() -> None:
    inner = (
        '<h2>Cups [<a href="/w?title=Tea&amp;action=edit&amp;section=3">edit</a>]</h2><p>A cup is '
        "never filled to the rim, as it would be too hot to hold.</p>"
    )
    found = markdown(inner, '<meta name="generator" content="MediaWiki 1.19" />')
    assert found.startswith("## Cups\n\nA cup is")


@pytest.mark.parametrize(
    "links",
    [
        '[<a href="/edit/3">edit</a>]',
        '<span>[<a href="/e">Bearbeiten</a> | <a href="/s">Quelltext bearbeiten</a>]</span>',
        '[<a href="/edit/3">modifier</a> | <a href="/source/3">modifier le code</a>]',
    ],
)
def test_links_to_edit_between_brackets_on_other_pages(links: str) -> None:
    text = "<p>A cup is never filled to the rim, as it would be too hot to hold.</p>"
    assert markdown(f"<h2>Cups {links}</h2>{text}").startswith("## Cups\n\nA cup is")


@pytest.mark.parametrize(
    "links",
    [
        ' [<a href="/edit/3">edit</a>] ',
        '<span>[<a href="/edit/3">edit</a>]</span>',
        '\n<span class="e">[<a href="/e">modifier</a> | <a href="/s">modifier le code</a>]</span>',
    ],
)
def test_links_to_edit_after_a_heading(links: str) -> None:
    text = "<p>A cup is never filled to the rim, as it would be too hot to hold.</p>"
    assert markdown(f"<h2>Cups</h2>{links}{text}").startswith("## Cups\n\nA cup is")


def test_other_links_after_a_heading_stay() -> None:
    found = markdown('<h2>Cups</h2> [<a href="/3">3</a>] <p>A cup is never filled.</p>')
    assert found.startswith("## Cups\n\n\\[[3](/3)]")
    found = markdown('<h2>Cups</h2> <p>You may [<a href="/e">edit</a>] this page on cups.</p>')
    assert "You may \\[[edit](/e)] this page" in found


def test_other_links_between_brackets_stay() -> None:
    found = markdown('<h2>Cups [<a href="/3">3</a>]</h2><p>A cup is never filled to the rim.</p>')
    assert found.startswith("## Cups \\[[3](/3)]\n\nA cup is")


def test_facts_about_a_page() -> None:
    inner = (
        '<ul class="metadata page-metadata"><li>Article</li><li>02/11/2024</li><li>3 contributors'
        '</li></ul><nav class="doc-outline"><h2 id="ms--in-this-article">In this article</h2>'
        '<ol><li><a href="#a">Cups</a></li></ol></nav>'
    )
    assert markdown(inner) == ""


def test_what_editors_of_mediawiki_write_for_each_other() -> None:
    inner = (
        '<div class="shortdescription" style="display:none">Hot drink</div>'
        '<table class="box-More plainlinks metadata ambox"><tr><td>It needs citations.</table>'
        '<p>It is hot.<sup class="noprint Inline-Template">[citation needed]</sup></p>'
        '<p><cite class="citation book">Ada (1843). <i>Tea</i>.</cite></p>'
    )
    assert markdown(inner, '<meta name="generator" content="MediaWiki 1.43">') == (
        "It is hot.\n\nAda (1843). *Tea*."
    )


def test_lists_named_as_those_of_javadoc_stay_lists() -> None:
    inner = '<ul class="summary-list"><li>Tea is hot.</li><li>Milk is cold.</li></ul>'
    assert thresher.parse(inner).source == inner
    javadoc = "<section class=method-summary><h2>Methods</h2></section>"
    page = thresher.parse(f"<ul class=summary-list><li>{javadoc}</li></ul>")
    assert page.source == f"<div><div>{javadoc}</div></div>"


def test_notes_of_wikis_about_a_page() -> None:
    dokuwiki = '<div class="docInfo"><bdi>tea.txt</bdi> · Last modified: 2023/04/01 by ann</div>'
    older = (
        '<div class="meta"><div class="doc">tea.txt · Last modified: 2012/04/01 by ann</div></div>'
    )
    for inner in (dokuwiki, older):
        assert markdown(inner, '<meta name="generator" content="DokuWiki"/>') == ""
    gitbook = "<div><p>Last updated <time>2 months ago</time></p></div>"
    assert markdown(gitbook, '<meta name="generator" content="GitBook (28f7fba)">') == ""


def test_recipes_of_wp_recipe_maker() -> None:
    inner = (
        '<div class="wprm-recipe wprm-recipe-snippet"><a href="#recipe" class="wprm-recipe-jump">'
        'Jump to Recipe</a></div><div class="wprm-recipe-container"><a class="wprm-recipe-print '
        'wprm-recipe-link" href="/print">Print</a><p>Prep Time <span>10<span class="sr-only '
        'wprm-screen-reader-text"> minutes</span></span> <span aria-hidden="true">mins</span></p>'
        '<p>Servings: <input type="number" class="wprm-recipe-servings" value="4"> cups</p>'
        '<h3>Ingredients <div class="wprm-toggle-container"><button>1x</button><button>2x</button>'
        '</div></h3><ul class="wprm-recipe-ingredients"><li><span class="wprm-checkbox-container">'
        '<input type="checkbox"><label><span>▢ </span></label></span>1 spoon of green tea</li>'
        "<li>1 litre of water</li></ul></div>"
    )
    assert markdown(inner) == (
        "Prep Time 10 mins\n\nServings: 4 cups\n\n### Ingredients\n\n"
        "- 1 spoon of green tea\n- 1 litre of water"
    )


def test_the_name_of_a_recipe_that_is_that_of_the_page() -> None:
    card = (
        '<header class="wprm-recipe"><h2 class="wprm-recipe-name">{}</h2></header><p>For two.</p>'
    )
    assert markdown(card.format("Tea")) == "For two."
    assert markdown(card.format("Green tea")) == "## Green tea\n\nFor two."


def test_recipes_of_tasty_recipes_and_create() -> None:
    inner = (
        '<div class="tasty-recipes-quick-links"><a class="tasty-recipes-jump-link" href="#r">Jump '
        'to Recipe</a></div><form class="mv-create-print-form"><button>Print</button></form>'
        '<div class="tasty-recipes-ingredients-header"><h3>Ingredients</h3>'
        '<div class="tasty-recipes-scale-container">Scale <button>1x</button><button>2x</button>'
        '</div></div><ul><li><span class="tr-ingredient-checkbox-container"><input type="checkbox">'
        "</span>1 spoon of green tea</li><li>1 litre of water</li></ul>"
    )
    expected = "### Ingredients\n\n- 1 spoon of green tea\n- 1 litre of water"
    for card in ('header class="tasty-recipes-entry-header"', 'section class="mv-recipe-card"'):
        name = card.partition(" ")[0]
        assert markdown(f"<{card}><h2>Tea</h2></{name}>{inner}").endswith(expected)


@pytest.mark.parametrize(
    "opening",
    [
        '<div class="fragment"><div class="line">',
        '<div class="memproto"><table class="memname"><tr><td>',
        '<ul class="todo"><li role="checkbox">',
        "<d-code block>",
        '<textarea name="code">',
        '<div class="sd-tab-set"><label for="tab">b</label><div class="sd-tab-content">',
        '<div class="sd-tab-set"><label for="tab">b</label><div class="sd-tab-content">c</div>',
        '<script type="math/mml"><math><mi>a</mi></math></script>',
        '<i class="MathJax"></i><script type="math/mml"><math></math></script>',
    ],
)
def test_many_elements_take_linear_time(opening: str) -> None:
    head = f"<head>{DOXYGEN}</head><body>"
    assert_linear(thresher.parse, lambda n: f"{head}{f'{opening}a' * n}", 300)


TABS = (
    "<article><h1>Kettle</h1><p>Fill the kettle, and ask it for its state while it boils.</p>"
    '<div><ul role=tablist class="tabs"><li role=tab>Shell</li><li role=tab>Python</li></ul>'
    "<div><div role=tabpanel>{}</div><div role=tabpanel hidden>{}</div></div></div>"
    "<p>It answers with the temperature of the water, in degrees, and says when it is done.</p>"
)


def test_tabs_with_code_are_shown_below_their_labels() -> None:
    document = thresher.extract(TABS.format("<pre>kettle -q</pre>", "<pre>ask()</pre>"))
    texts = [text for text in document.page.texts if text.strip()]
    assert texts[2:6] == ["Shell", "kettle -q", "Python", "ask()"]
    assert "```\nask()\n```" in document.markdown()


LABELLED = {
    "Material for MkDocs": (
        "<div class='tabbed-set tabbed-alternate'><input id=__tabbed_1_1 type=radio><input "
        "id=__tabbed_1_2 type=radio><div class=tabbed-labels><label for=__tabbed_1_1>Shell</label>"
        "<label for=__tabbed_1_2>Python</label></div><div class=tabbed-content>"
        "<div class=tabbed-block>{}</div><div class=tabbed-block>{}</div></div></div>"
    ),
    "older MkDocs": (
        "<div class=tabbed-set><input id=__tabbed_1_1 type=radio><label for=__tabbed_1_1>Shell"
        "</label><div class=tabbed-content>{}</div><input id=__tabbed_1_2 type=radio>"
        "<label for=__tabbed_1_2>Python</label><div class=tabbed-content>{}</div></div>"
    ),
    "sphinx-design": (
        "<div class='sd-tab-set docutils'><input id=sd-tab-item-0 type=radio>\n<label "
        "class=sd-tab-label for=sd-tab-item-0>\nShell</label><div class='sd-tab-content docutils'>"
        "{}</div><input id=sd-tab-item-1 type=radio><label class=sd-tab-label for=sd-tab-item-1>"
        "Python</label><div class='sd-tab-content docutils'>{}</div></div>"
    ),
    "sphinx-tabs": (
        "<meta name=generator content='Docutils 0.18.1'><div class='sphinx-tabs docutils'>"
        "<div aria-label='Tabbed content' role=tablist><button aria-controls=panel-0 id=tab-0 "
        "role=tab>Shell</button><button aria-controls=panel-1 id=tab-1 role=tab>Python</button>"
        "</div><div id=panel-0 aria-labelledby=tab-0 role=tabpanel>{}</div><div id=panel-1 "
        "aria-labelledby=tab-1 role=tabpanel hidden=true>{}</div></div>"
    ),
}


@pytest.mark.parametrize("name", LABELLED)
@pytest.mark.parametrize(("one", "two"), [("<p>{}", "<p>{}"), ("<pre>{}</pre>", "<pre>{}</pre>")])
def test_panels_of_documentation_follow_their_labels(name: str, one: str, two: str) -> None:
    tabs = LABELLED[name].format(one.format("Shell is asked."), two.format("Python asks."))
    document = thresher.extract(f"<p>Before.</p>{tabs}<p>After.</p>", method="plain")
    assert [text for text in document.text.split("\n") if text] == [
        "Before.", "Shell", "Shell is asked.", "Python", "Python asks.", "After.",
    ]  # fmt: skip
    assert "**Shell**\n\n" in document.markdown()
    assert "**Python**\n\n" in document.markdown()


def test_tabs_of_microsoft_learn() -> None:
    tabs = (
        "<div class=tabGroup><ul role=tablist><li><a href=#panel-1 role=tab>Shell</a></li><li>"
        "<a href=#panel-2 role=tab>Python</a></li></ul><section id=panel-1 role=tabpanel><pre>"
        "kettle -q</pre></section><section id=panel-2 role=tabpanel hidden><pre>ask()</pre>"
        "</section></div>"
    )
    document = thresher.extract(tabs, method="plain")
    assert document.text.split() == ["Shell", "kettle", "-q", "Python", "ask()"]


def test_a_panel_that_begins_with_its_label_has_it_once() -> None:
    tabs = LABELLED["sphinx-design"].format("<p><b>Shell</b></p><p>Ask.</p>", "<p>Python</p>")
    document = thresher.extract(tabs, method="plain")
    assert document.text.split() == ["Shell", "Ask.", "Python"]


def test_code_that_begins_with_the_label_of_its_panel_has_a_label() -> None:
    tabs = LABELLED["sphinx-design"].format("<pre>npm i</pre>", "<pre><b>Python</b> 3</pre>")
    document = thresher.extract(tabs, method="plain")
    assert document.text.split() == ["Shell", "npm", "i", "Python", "Python", "3"]


def test_a_label_before_something_else_stays() -> None:
    page = "<div class=sd-tab-set><label for=tab>One</label><p>Two</p></div>"
    assert thresher.parse(page).source == page


def test_tabs_without_code_are_parsed_once() -> None:
    page = TABS.format("<p>Tick the box.</p>", "<p>Press the knob.</p>")
    assert thresher.parse(page).source == page


BOXES = {
    "CodeMirror 5": (
        '<div class="CodeMirror cm-s-default"><textarea></textarea><div class="CodeMirror-measure">'
        '<pre>x</pre></div><div class="CodeMirror-code">{}</div></div>',
        '<div><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber '
        'CodeMirror-gutter-elt">{}</div></div><pre class=" CodeMirror-line "><span>{}</span></pre>'
        "</div>",
    ),
    "CodeMirror 6": (
        '<div class="cm-editor \u037c1 \u037c2"><div class="cm-scroller"><div class="cm-content" '
        'contenteditable="true">{}</div></div></div>',
        '<div class="cm-line"><!--{}-->{}</div>',
    ),
    "Monaco": (
        '<div class="monaco-editor"><textarea class="inputarea"></textarea>'
        '<div class="view-lines">{}</div></div>',
        '<div class="view-line" style="top:{}0px;height:19px"><span>{}</span></div>',
    ),
    "Ace": (
        '<div class="ace_editor"><div class="ace_gutter"><div class="ace_gutter-cell">1</div>'
        '<div class="ace_gutter-cell">2</div></div><div class="ace_content">{}</div></div>',
        '<div class="ace_line_group"><!--{}--><div class="ace_line">{}</div></div>',
    ),
    "Crayon": (
        '<div class="crayon-syntax"><div class="crayon-plain-wrap"><textarea class="crayon-plain">'
        '</textarea></div><table class="crayon-table"><tr><td class="crayon-nums"><div '
        'class="crayon-num">1</div></td><td class="crayon-code">{}</td></tr></table></div>',
        '<div class="crayon-line" id="c-{}"><span>{}</span></div>',
    ),
}


@pytest.mark.parametrize("name", BOXES)
def test_lines_of_editors_are_one_block_of_code(name: str) -> None:
    box, line = BOXES[name]
    lines = ["def pour(cup):", "", "&nbsp;&nbsp;&nbsp;&nbsp;fill(cup)\u200b"]
    inner = [line.format(number, text) for number, text in enumerate(lines, 1)]
    if name == "Monaco":
        inner.reverse()
    found = markdown(box.format("".join(inner)))
    assert found == "```\ndef pour(cup):\n\n    fill(cup)\n```"


def test_editors_name_the_language_of_their_code() -> None:
    box, line = BOXES["CodeMirror 6"]
    box = box.replace('<div class="cm-content"', '<div class="cm-content" data-language="go"')
    assert markdown(box.format(line.format(1, "pour()"))) == "```go\npour()\n```"
    box, line = BOXES["Crayon"]
    box = box.replace("<table", '<span class="crayon-language">Python</span><table')
    assert markdown(box.format(line.format(1, "pour()"))) == "```python\npour()\n```"


def test_empty_editors_and_other_numbers_stay_as_they_are() -> None:
    assert markdown('<div class="ace_editor"><textarea></textarea></div>') == ""
    assert markdown("<ul><li>1</li><li>2 cups of tea</li></ul>") == "- 1\n- 2 cups of tea"


def test_lines_of_editors_take_linear_time() -> None:
    def make(n: int) -> str:
        box, line = BOXES["Monaco"]
        return box.format(line.format(1, "pour()") * n) + "<div class=monaco-editor>" * 20

    assert_linear(thresher.parse, make, 200)
