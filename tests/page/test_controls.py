"""Texts of controls inside content: links of headings to themselves, buttons in code."""

from __future__ import annotations

from itertools import compress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.cores import needs_kernels
from tests.growth import assert_linear
from thresher.page.controls import _compiled_candidates, _plain_candidates, control_texts
from thresher.page.parse import parse

PROSE = (
    "<p>A paragraph with enough words that it is kept, since it says something of its own: {}.</p>"
)


def page_of(body: str) -> str:
    prose = "".join(PROSE.format(word) for word in ("one", "two", "three"))
    return f"<title>On code</title><main><h1>On code</h1>{prose}{body}{PROSE.format('four')}</main>"


@pytest.mark.parametrize(
    "heading",
    [
        "Set up<a class=headerlink href='#set-up' title='Link to this heading'>¶</a>",
        "<a href='#set-up' class=anchor aria-hidden=true>#</a>Set up",
        "Set up <a class=header-anchor href='#set-up' aria-label='Permalink'>&#8203;</a>",
        "Set up<span class=mw-editsection>[<a href='/w/index.php?action=edit'>edit</a>]</span>",
        "Set up<a href='#set-up'>\N{LINK SYMBOL}</a>",
        "Set up <a href='/guide#set-up'>Link to this heading</a>",
        "Set up <a href='#set-up'>Permalink</a>",
        "Set up <a href='#set-up' class='hash-link'>Direct link to Set up</a>",
        "Set up <a href='/edit/12'>[edit]</a>",
        "Set up <a href='/edit/12'>Edit this page</a>",
        "Set up <a href='/w?action=edit'>[Bearbeiten]</a>",
        "Set up <small>[<a href='/w?action=edit'>modifier</a>]</small>",
        "Set up <small><a href='#top'>Back to top ↑</a></small>",
        "Set up <a href='#'>Top</a>",
        "Set up <a href='#oben'>Nach oben</a>",
        "Set up <span class=toggle>[hide]</span>",
        "Set up <span>[ Expand all ]</span>",
        "Set up <button>Copy link</button>",
        "Set up <button aria-expanded=true>Hide</button>",
    ],
)
def test_a_headings_link_to_itself_is_left_out_of_every_format(heading: str) -> None:
    document = thresher.extract(page_of(f"<h2 id=set-up>{heading}</h2>{PROSE.format('five')}"))
    assert "\nSet up\n" in document.text
    assert "\n## Set up\n" in document.markdown()
    assert "<head>Set up</head>" in document.tei()
    assert ">Set up</h2>" in document.html()


@pytest.mark.parametrize(
    "after",
    [
        "<span class=mw-editsection>[<a href='/w/index.php?action=edit'>edit</a>]</span>",
        "<a class=sl-anchor-link href='#set-up'><span>Section titled “Set up”</span></a>",
        "\n<a class=anchor href='#set-up'>#</a>",
        "<a href='/edit/12'>edit</a>",
    ],
)
def test_a_link_after_a_heading_to_it_is_left_out(after: str) -> None:
    heading = f"<div><h2 id=set-up>Set up</h2>{after}</div>"
    document = thresher.extract(page_of(f"{heading}{PROSE.format('five')}"))
    assert "\n\n## Set up\n\nA paragraph" in document.markdown()


def test_a_link_with_words_after_a_heading_stays() -> None:
    page = parse("<h2>Tea</h2><a href='#more'>All about tea</a><h2>Pots</h2><span>Edit them</span>")
    assert page.all().text() == "Tea\n\nAll about tea\n\nPots\n\nEdit them"


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("<a href='#c'>C#</a>", "C#"),  # the link is the heading
        ("<a class=anchor href='#a'>Anchors</a>", "Anchors"),
        ("What <a href='/edit'>editors</a> do", "What editors do"),
        ("The <a href='/links'>link</a> between two", "The link between two"),
        ("Issue <a href='/issues/7'>#7</a> again", "Issue #7 again"),
    ],
)
def test_other_links_of_headings_stay(heading: str, text: str) -> None:
    document = thresher.extract(page_of(f"<h2>{heading}</h2>{PROSE.format('five')}"))
    assert f"\n{text}\n" in document.text


@pytest.mark.parametrize(
    "code",
    [
        "<pre><code>let a = 1;\nlet b = 2;<button>Copy</button></code></pre>",
        "<pre><div role=button>Copy</div>let a = 1;\nlet b = 2;</pre>",
        "<pre><a class=copy-code href='#'>Copy code</a>let a = 1;\nlet b = 2;</pre>",
        "<pre><span class=copy-btn>Copy to clipboard</span>let a = 1;\nlet b = 2;</pre>",
        "<pre>let a = 1;\nlet b = 2;<select><option>Copy</option></select></pre>",
        "<table><tr><td class=gutter><div>1</div><div>2</div></td><td class=code>"
        "<div class=line>let a = 1;</div><div class=line>let b = 2;</div></td></tr></table>",
        "<pre><span class=lineno>1</span>let a = 1;\n<span class=lineno>2</span>let b = 2;</pre>",
        "<figure class=highlight><table><tr><td class=gutter><pre>1<br>2</pre></td>"
        "<td class=code><pre>let a = 1;<br>let b = 2;</pre></td></tr></table></figure>",
        "<div class=example-header><span class=language-name>js</span></div>"
        "<pre>let a = 1;\nlet b = 2;</pre>",
        "<div><button title=Copy></button><span class=lang>js</span>"
        "<pre>let a = 1;\nlet b = 2;</pre></div>",
        "<pre><code><table><tr><td class='rouge-gutter gl'><pre class=lineno>1\n2</pre></td>"
        "<td><pre>let a = 1;\nlet b = 2;</pre></td></tr></table></code></pre>",
        "<table><tr><td class=blob-num>1</td><td class=blob-code>let a = 1;</td></tr>"
        "<tr><td class=blob-num>2</td><td class=blob-code>let b = 2;</td></tr></table>",
        "<table><tr><td class=blob-num data-line-number=1></td><td>let a = 1;</td></tr>"
        "<tr><td class=blob-num data-line-number=2></td><td>let b = 2;</td></tr></table>",
    ],
)
def test_buttons_and_line_numbers_are_no_code(code: str) -> None:
    document = thresher.extract(page_of(code))
    assert "```\nlet a = 1;\nlet b = 2;\n```" in document.markdown()
    assert "Copy" not in document.text
    assert "js" not in document.text
    assert "1\n2" not in document.text


def test_numbers_in_code_and_in_tables_stay() -> None:
    code = "<pre>a = <span class=mi>1</span> + <span class=mi>2</span></pre>"
    table = "<table><tr><th>Rank<th>Name<tr><td>1<td>Ann<tr><td>2<td>Ben</table>"
    document = thresher.extract(page_of(code + table))
    assert "a = 1 + 2" in document.text
    assert "| 1 | Ann |" in document.markdown()


@pytest.mark.parametrize(
    "box",
    [
        "<div class=codebox><p>Code: {}</p><pre><code>let a = 1;</code></pre></div>",
        "<dl class=codebox> <dt>Code: {}</dt><dd><code>let a = 1;</code></dd></dl>",
    ],
)
def test_the_offer_of_a_forum_to_select_code_is_left_out(box: str) -> None:
    link = "<a href='#' onclick='selectCode(this); return false;'>Select all</a>"
    page = parse(page_of(box.format(link)))
    found = control_texts(page)
    assert found is not None
    assert [*compress(page.texts, found)] == ["Code: ", "Select all"]
    assert control_texts(parse(page_of(box.format("let")))) is None


def test_code_without_any_text_has_no_label() -> None:
    assert control_texts(parse("<h2><code></code></h2>")) is None


@pytest.mark.parametrize(
    "link",
    [
        '<div class="bbCodeBlock-expandLink js-expandLink"><a>Click to expand</a></div>',
        '<div class="quoteExpand">Zum Vergrößern anklicken</div>',
    ],
)
def test_what_unfolds_a_quotation_is_left_out(link: str) -> None:
    page = parse(page_of(f"<blockquote><p>Warm the pot.</p>{link}</blockquote>"))
    found = control_texts(page)
    assert found is not None
    assert [*compress(page.texts, found)] in (["Click to expand"], ["Zum Vergrößern anklicken"])
    assert control_texts(parse(page_of(link))) is None


def test_the_posts_of_a_forum_are_without_the_controls_of_their_code() -> None:
    code = (
        "<div class=codebox><p>Code: <a href='#' onclick='selectCode(this)'>Select all</a></p>"
        "<pre><code>let a = 1;</code></pre></div>"
    )
    posts = "".join(
        f"<div class=post id=p{n}><p class=author>by <a href='/u/{n}'>Ann{n}</a> » Mon Mar 0{n}, "
        f"2010</p><div class=content>I tried that, and it did not work for me at all.<br>{code}<br>"
        "Thanks for any help that you can give me with that.</div></div>"
        for n in range(1, 5)
    )
    document = thresher.extract(f"<title>Topic</title><body><h2>Topic</h2>{posts}</body>")
    assert document.text.count("let a = 1;") == 4
    assert "Select all" not in document.text


def test_links_of_chapters_to_themselves_stay_in_a_block_of_lines() -> None:
    chapters = (f"<a id=s{n} href='#s{n}'>{n}</a>.  Chapter\n\n  Text.\n\n" for n in (1, 2, 3))
    document = thresher.extract(page_of(f"<pre>{''.join(chapters)}</pre>"))
    assert "\n1.  Chapter\n\n  Text.\n\n2.  Chapter\n" in document.text


_PIECES = st.sampled_from(
    ["<h2>", "</h2>", "<pre>", "</pre>", "<a href='#x'>", "</a>", "<span>", "</span>", "12", " 3 a",
     "<table><tr><td>", "</table>", "<button>", "</button>", "words ", "<div>", "</div>", "¶",
     "Copy", " ", "<pre>x</pre>", "<div>y</div>", "<video>", "</video>", "<object>", "</object>",
     "<span class='mw-editsection'>", "<div class='Edit'>", "<small class='é'>", "[edit]", "•", "*",
     "<table>", "<td>", "<tr>", "<ol>", "</ol>", "&nbsp;", " " * 70 + "[", "<blockquote>",
     "</blockquote>", "<b class='Q-Expand'>", "<p>", "<dt>", "<code>", "</code>", "In [1]:", "]: "]
)  # fmt: skip


@needs_kernels
@given(st.lists(_PIECES, max_size=30))
def test_the_compiled_version_finds_the_same_candidates(pieces: list[str]) -> None:
    page = parse("".join(pieces))
    assert _compiled_candidates(page) == _plain_candidates(page)


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("Introduction | Vue.js", "Introduction <a href='#a' class=header-anchor>&#8203;</a>"),
        ("Vue.js", "Introduction <a href='#a' aria-label='Permalink'>Link to this heading</a>"),
        ("Introduction ¶", "Introduction<a class=headerlink href='#a'>¶</a>"),
        ("Introduction", "Introduction<span class=mw-editsection>[<a href=/e>edit</a>]</span>"),
    ],
)
def test_a_permalink_is_no_part_of_the_title(title: str, heading: str) -> None:
    source = page_of("").replace("<h1>On code", f"<h1>{heading}").replace("On code", title, 1)
    assert thresher.extract(source).title in ("Introduction", "Vue.js")
    assert thresher.extract(source).headline.text in ("Introduction", "Vue.js")


@pytest.mark.parametrize("title", ["Learn C#", "Learn C# | Example", "Learn C# ¶", "Learn C# #"])
def test_the_mark_of_a_language_is_part_of_the_title(title: str) -> None:
    source = page_of("").replace("<h1>On code", "<h1>Learn C#").replace("On code", title, 1)
    assert thresher.extract(source).title == "Learn C#"
    assert thresher.extract(source.replace("h1", "p")).title == "Learn C#"


@pytest.mark.parametrize(
    "media",
    [
        "<video src=v.mp4>Your browser does not support the video tag.</video>",
        "<video controls><source src=v.mp4><p>Here is <a href=v.mp4>the film</a>.</p></video>",
        "<audio src=v.mp4><a href=v.mp4>Download</a></audio>",
        "<iframe src=v.mp4>Sorry, no frames.</iframe>",
        "<figure><iframe src=v.mp4>Your browser does not support frames, alas.</iframe></figure>",
        "<object data=a.swf><embed src=v.mp4><p>You need Flash to see this.</p></object>",
    ],
)
def test_what_is_for_browsers_that_cannot_play_a_film_is_left_out(media: str) -> None:
    document = thresher.extract(page_of(media))
    assert "three.\n\n[v.mp4](v.mp4)\n\nA paragraph" in document.markdown()
    assert "three.\n\nA paragraph" in document.text


@pytest.mark.parametrize("name", ["template", "noembed", "noframes"])
def test_what_no_browser_shows_is_left_out(name: str) -> None:
    within = f"<p>One <span>tea<{name}>six</{name}>pot</span> is enough for two.</p>"
    for hidden in (within, f"<{name}>{PROSE.format('six')}</{name}>"):
        document = thresher.extract(page_of(hidden))
        for text in (document.text, document.markdown(), document.html()):
            assert "six" not in text
            assert ("teapot is enough" in text) == (hidden == within)


def test_the_root_of_a_shadow_tree_is_shown() -> None:
    shadow = f"<div><template shadowrootmode=open>{PROSE.format('seven')}</template></div>"
    document = thresher.extract(page_of(f"<template>x</template>{shadow}"))
    assert "seven" in document.text
    assert "seven" in document.markdown()


def test_what_an_object_shows_and_text_after_an_unclosed_video_stay() -> None:
    shown = parse("<p>Tea</p><object data=a.svg>A plan of the pot</object>")
    assert shown.all().text() == "Tea\n\nA plan of the pot"
    unclosed = parse("<video src=v.mp4>" + PROSE.format("one") * 6)
    assert unclosed.all().text().count("A paragraph") == 6


@pytest.mark.parametrize(
    "inner",
    [
        "Set up<a class=headerlink href='#set-up'>¶</a>",
        "<a href='#set-up'>#</a><span>Set up</span>",
        "<span>Set up</span><span class=mw-editsection>[<a href=/edit>edit</a>]</span>",
    ],
)
def test_a_link_to_itself_is_left_out_of_a_heading_by_role(inner: str) -> None:
    heading = f"<div role=heading aria-level=2>{inner}</div>{PROSE.format('five')}"
    assert "\n\n## Set up\n\n" in thresher.extract(page_of(heading)).markdown()


@pytest.mark.parametrize("bullet", ["&bull;", "<font color=red>»</font>", "-", "<b>●</b>"])
def test_bullets_in_cells_are_left_out(bullet: str) -> None:
    rows = [f"<tr><td>{bullet}</td><td>{PROSE.format(word)}</td></tr>" for word in ("a", "b")]
    document = thresher.extract(page_of(f"<table>{''.join(rows)}</table>"))
    assert "|" not in document.markdown()
    lines = document.text.splitlines()
    assert [line for line in lines if line and not line.startswith("A paragraph")] == []


def test_a_dash_among_values_stays() -> None:
    page = parse("<table><tr><td>-<td>3<tr><td>Snow<td>4</table>")
    assert page.all().text() == "- | 3\nSnow | 4"


@pytest.mark.parametrize(
    "place",
    [
        "<dl><dt class=sig id=set-up>set.up(x)<a href='/src'>[source]</a>{}</dt><dd>Sets up.</dl>",
        "<figure><img src=a.png><figcaption><p>How set.up(x) works with all of the values of x "
        "that it takes.{}</p></figcaption></figure>",
        "<table id=set-up><caption>set.up(x){}</caption><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<p class=caption>set.up(x){}</p><pre>set.up(1)\nset.up(2)</pre>",
    ],
)
@pytest.mark.parametrize(
    "link",
    [
        "<a class=headerlink href='#set-up' title='Link to this definition'>¶</a>",
        "<a class=headerlink href='#set-up'>#</a>",
        "<a href='#set-up'>¶</a>",
    ],
)
def test_a_terms_or_captions_link_to_itself_is_left_out(place: str, link: str) -> None:
    document = thresher.extract(page_of(place.format(link)), favor="recall")
    for written in (document.text, document.markdown(), document.tei()):
        assert "set.up(x)" in written
        assert "¶" not in written
        assert "#set-up" not in written


def test_a_pilcrow_that_is_text_stays() -> None:
    body = "<p>See <a href='/law#s5'>¶ 5</a> and ¶ 6, and <a href='#note'>#1</a>.</p>"
    assert "See ¶ 5 and ¶ 6, and #1." in thresher.extract(page_of(body)).text


def test_a_bar_with_a_button_in_code_is_left_out() -> None:
    body = (
        "<pre><div class=code-header><span>python</span><button>Copy code</button></div>"
        "<code class=language-python>a = 1\nb = 2</code></pre>"
    )
    document = thresher.extract(page_of(body))
    assert "\n\na = 1\nb = 2\n\n" in document.text
    assert "```python\na = 1\nb = 2\n```" in document.markdown()


@pytest.mark.parametrize(
    "bar",
    [
        "<div><div>python</div></div><div><div><button>Copy code</button></div></div>",
        "<div><span>python</span><span>Copy code</span></div>",
        "<div>Copy</div>",
        "<button>\n  Copy\n</button>\n",
        "<div class=code-header><span>python</span> <div>复制代码</div> <div>Copy</div></div>",
    ],
)
def test_a_bar_above_code_is_left_out(bar: str) -> None:
    code = "<div><code class=language-python><div>a</div>\n<div>b</div></code></div>"
    for source in (f"<pre>{bar}{code}</pre>", f"<pre><div>{bar}{code}</div></pre>"):
        document = thresher.extract(page_of(source))
        assert "```python\na\nb\n```" in document.markdown().replace("\n\n", "\n")
        assert "Copy" not in document.text
        assert "python" not in document.text


NUMBERS = "".join(f"<li>{number}</li>" for number in range(1, 21))


@pytest.mark.parametrize(
    "code",
    [
        "<div>{}<div class='line-numbers-wrapper' aria-hidden=true>1<br>2<br>3<br></div></div>",
        f"<div><ul class=pre-numbering>{NUMBERS}</ul>{{}}</div>",
        f"<pre><code>a = 1\nb = 2</code><ul class=pre-numbering>{NUMBERS}</ul></pre>",
        "<pre>a = 1\nb = 2<div class='hljs-button signin'>Log in to read</div></pre>",
        "<pre>a = 1\nb = 2<span class=copied>Copied!</span></pre>",
        "<pre><code><span style='display:flex'><span style='user-select:none'>1</span><span>a = 1\n"
        "</span></span><span style='display:flex'><span style='user-select: none'>2</span>"
        "<span>b = 2\n</span></span></code></pre>",
        "<pre><a href='#l1' id=l1>1</a>a = 1\n<a href='#l2' id=l2>2</a>b = 2\n</pre>",
    ],
)
def test_numbers_of_lines_and_buttons_in_and_beside_code_are_left_out(code: str) -> None:
    document = thresher.extract(page_of(code.format("<pre><code>a = 1\nb = 2</code></pre>")))
    assert "three.\n\na = 1\nb = 2\n\nA paragraph" in document.text
    assert "```\na = 1\nb = 2\n```\n\nA paragraph" in document.markdown()


def test_the_prompt_of_a_table_below_code_is_left_out() -> None:
    body = "<div><pre>b</pre></div><div><div>Out[3]:</div><table><tr><td>c<td>d</table></div>"
    document = thresher.extract(page_of(body), favor="recall")
    assert "b\n\nc | d" in document.text
    assert "Out[3]:" not in document.markdown()


@pytest.mark.parametrize("prompt", ["In [1]:", "In\xa0[12]:", "Out[3]:", "[*]:", "In [ ]:"])
def test_prompts_of_notebooks_are_left_out(prompt: str) -> None:
    body = f"<div><div>{prompt}</div><div><pre>a = [1]\nb = 2</pre></div></div>"
    document = thresher.extract(page_of(body), favor="recall")
    assert "a = [1]\nb = 2" in document.text
    assert prompt not in document.text
    assert prompt not in document.markdown()


def test_a_prompt_in_a_cell_of_its_own_is_left_out() -> None:
    body = "<div><pre>[1]:\n</pre></div>\n<div><pre>a = [1]\nb = 2</pre></div><pre>[2]</pre>"
    document = thresher.extract(page_of(body), favor="recall")
    assert "[1]:" not in document.text
    assert "a = [1]\nb = 2\n\n[2]" in document.text


def test_links_of_terms_to_their_code_are_left_out() -> None:
    body = (
        "<dl><dt>run(name)<a class='reference internal' href='m.html'><span class=viewcode-link>"
        "[source]</span></a></dt><dd>Runs a thing of this name and waits until it has ended.</dd>"
    )
    document = thresher.extract(page_of(body), favor="recall")
    assert "run(name)" in document.markdown()
    assert "source" not in document.markdown()


@pytest.mark.parametrize(
    "label",
    [
        "<div class=codeheader>Code: <a class=codeoperation>[Select]</a></div>",
        "<div class=codeheader><span>Code</span> <a>Select</a> <a>Expand</a></div>",
        "<div class=bbCodeBlock-title>Code:</div>",
        "<div class=bbCodeBlock-title>C++:</div>",
        "<div class='bbcode_description'>PHP Code:</div>",
        "<div class='smallfont'>Code:</div>",
        "<div class=type>Code:</div>",
    ],
)
@pytest.mark.parametrize(
    "code", ["<pre>a = b</pre>", "<div><code>a = b</code></div>", "<pre><code>a = b</code></pre>"]
)
def test_labels_of_code_in_boards_are_left_out(label: str, code: str) -> None:
    page = parse(f"<p>Try this code:</p><div>{label} {code}</div><p>It works.</p>")
    found = control_texts(page)
    assert found is not None
    left = [*compress(page.texts, (~found).tolist())]
    assert " ".join(left).split() == "Try this code: a = b It works.".split()


@pytest.mark.parametrize(
    "label",
    [
        "<p>Code:</p>",
        "<div class=title>Example:</div>",
        "<div class=smallfont>The code of Ada:</div>",
        "<div class=bbCodeBlock-title>Code:</div><p>or</p>",
    ],
)
def test_other_lines_above_code_are_kept(label: str) -> None:
    assert control_texts(parse(f"<div>{label} <pre>a = b</pre></div>")) is None


@pytest.mark.parametrize("unit", ["<pre></pre> ", "<div class=title>Code:</div><pre></pre>"])
def test_labels_of_code_take_linear_time(unit: str) -> None:
    begin = f"<div class=title>{'<b>a</b>' * 2000}Code:</div>"
    assert_linear(control_texts, lambda size: parse(begin + unit * size), 1000)
