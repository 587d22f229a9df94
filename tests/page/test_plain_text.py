"""Plain text that a person can read, on literal HTML; and no word lost, moved or doubled."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.cores import needs_kernels, plain_core
from tests.pages import soup, well_formed
from tests.test_hostile import PAGES
from thresher import Page, parse
from thresher.page.plain_text import block_texts, data_tables, may_have_formulas, plain_text
from thresher.page.tags import NAMES
from thresher.page.words import words


def text_of(source: str) -> str:
    return parse(source).all().text()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<p>one</p>two<p>three</p>", "one\n\ntwo\n\nthree"),
        ("<h1>one</h1>two", "one\n\ntwo"),
        ("<div>one</div><div>two</div>", "one\ntwo"),
        ("<div>one<div>two</div>three</div>", "one\ntwo\nthree"),
        ("<p>one<br>two<br/>three</p>", "one\ntwo\nthree"),
        ("<p> one\n  two\tthree </p>", "one two three"),
        ("<blockquote><p>one</p></blockquote>two", "one\n\ntwo"),
        ("<dl><dt>one<dd>two<dt>three</dl>", "one\ntwo\nthree"),
        ("<p>one</p><hr><p>two</p>", "one\n\ntwo"),
        ("<figure><img><figcaption>one</figcaption></figure>two", "one\n\ntwo"),
        ("<my-card>one</my-card><my-card>two</my-card>", "one\ntwo"),
    ],
)
def test_paragraphs(source, text):
    assert text_of(source) == text


@pytest.mark.parametrize("source", ["<p>one</p><p>two</p>", "<p>one</p><pre>x\n y</pre><p>two</p>"])
def test_nul_in_a_text_is_no_separator(source):
    page = parse(source)  # parsed HTML has no NUL
    texts = tuple(text.replace("one", "one\0  more") for text in page.texts)
    assert replace(page, texts=texts).all().text() == text_of(source).replace("one", "one\0 more")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<b>a</b>b", "ab"),
        ("<span>T</span>he", "The"),
        ("<em>x</em><em>y</em>", "xy"),
        ("<a href=/x>x</a><a href=/y>y</a>", "x y"),  # as in an index of letters
        ("<a name=x>x</a><a name=y>y</a>", "xy"),  # no links: letters of one word
        ("<span>xx</span><span>yy</span>", "xx yy"),
        ("<span>Photo</span>Ada Byron", "Photo Ada Byron"),
        ("Teas<a>Browse all</a>", "Teas Browse all"),
        ("Teas<i><a>Browse</a></i>all", "Teas Browseall"),
        ("<span>i</span>Phone, Mc<span>Donald</span>", "iPhone, McDonald"),
        ("TEA<span>Bags</span>, tea<span>BAGS</span>, tea<b>Bags</b>", "TEABags, teaBAGS, teaBags"),
        ("<code>tea<span>Bags</span></code>", "teaBags"),
        ("чай<span>Анна</span>", "чай Анна"),
        ("<button>x</button><button>y</button>", "x y"),
        ("<a>x</a> <a>y</a>", "x y"),
        ("<b>x</b>\n<i>y</i>", "x y"),
        ("one <b> two </b> three", "one two three"),
        ("one<b> two</b>, three", "one two, three"),
        ("one<!-- x -->two", "onetwo"),
        ("one<script>x</script>two", "onetwo"),
        ("one<wbr>two", "onetwo"),
        ("x<sup>2</sup>", "x²"),
        ("a&nbsp;b &amp; &lt;c&gt;", "a b & <c>"),
        ("a&#x3000;b", "a b"),
        ("<p>&nbsp;</p><p>one</p><p>&nbsp;</p>", "one"),
        ("שלום <b>עולם</b>", "שלום עולם"),
        ("مرحبا<b> بالعالم</b>", "مرحبا بالعالم"),
        ("茶<b>を</b>飲む", "茶を飲む"),
        ("🍵<b>🍵</b>", "🍵🍵"),
        ("<select><option>a<option>b</select>", "a b"),
        (
            "is <math><semantics><mi>x</mi><annotation-xml><apply><plus/><ci>x</ci></apply>"
            "</annotation-xml></semantics></math> here",
            "is $x$ here",
        ),
    ],
)
def test_inline(source, text):
    assert text_of(source) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "- a\n  - b\n  - c\n- d"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=5><li>a<li value=9>b<li>c</ol>", "5. a\n9. b\n10. c"),
        ("<ol start=-1><li>a<li>b</ol>", "-1. a\n0. b"),
        ("<ol start=x><li value=y>a</ol>", "1. a"),
        ("<ol reversed><li>a<li>b<li>c</ol>", "3. a\n2. b\n1. c"),
        ("<ol reversed start=10><li>a<li value=4>b<li>c</ol>", "10. a\n4. b\n3. c"),
        ("<ol><li>a<ol><li>b</ol><li>c</ol>", "1. a\n  1. b\n2. c"),
        ("<ol><li>a<ul><li>b</ul><li>c</ol>", "1. a\n  - b\n2. c"),
        ("<ol><li></li><li>b</ol>", "2. b"),
        ("<ul><li><a>a</a></li> <li><a>b</a></li></ul>", "- a\n- b"),
        ("<p>a</p><ul><li>b</ul><p>c</p>", "a\n\n- b\n\nc"),
        ("<menu><li>a</menu>", "- a"),
        ("<li>a<li>b", "- a\n- b"),
        ("<ul><li>a <b>b</b> c</ul>", "- a b c"),
    ],
)
def test_lists(source, text):
    assert text_of(source) == text


def test_numbers_count_what_is_dropped():
    page = parse("<ol><li>a<li>b<li>c</ol>")
    assert page.select(page.text_rows[1:]).text() == "2. b\n3. c"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a | b\nc | d"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>e", "a | b\nc | d\n\ne"),
        ("<table><tr><td>a<td><td>c<tr><td><td>e<td></table>", "a | | c\n| e"),
        ("<table><tr><td>1.<td><td>a<tr><td colspan=2><td>b</table>", "1. | a\n| b"),
        ("<table><tr><td><td>a<td> <td>b<tr><td><td>c<td><td></table>", "a | b\nc"),
        ("<table><tr><td>a<td><td>b</table><table><tr><td>c<td>d</table>", "a | b\n\nc | d"),
        ("<table><tr><td>a<td>b</table><table><tr><td>c<td>d</table>", "a | b\n\nc | d"),
        ("<table><caption>x</caption><tr><td>a<td>b</table>", "x\na | b"),
        ("<table><thead><tr><th>a<th>b<tbody><tr><td>c<td>d</table>", "a | b\nc | d"),
        ("<table><tr><td>a<br>b<td>c<ul><li>d<li>e</ul></table>", "a b | c - d - e"),
        ("<table><tr><td><div>a</div><div>b</div><td>c</table>", "a b | c"),
        ("<table><tr><td>a <b>b</b><td><a href=c>c</a><a href=d>d</a></table>", "a b | c d"),
        ("<table><tr><td>a</table>", "a"),
        ("<table><tr><td><p>a</p><p>b</p><td><p>c</p></table>", "a\n\nb\n\nc"),  # of layout
        ("<table><tr><td><table><tr><td>a<td>b</table><td>c</table>", "a | b\n\nc"),
        (  # columns of prose
            f"<table><tr><td><h3>a</h3>{'b ' * 14}b<td>c<tr><td>d<td>e</table>",
            f"a\n\n{'b ' * 14}b\nc\nd\ne",
        ),
        (
            f"<table><tr><td><h3>a</h3>{'b ' * 13}b<td>c<tr><td>d<td>e</table>",
            f"a {'b ' * 13}b | c\nd | e",
        ),
        (
            f"<table><tr><th>x<th>y<tr><td><h3>a</h3>{'b ' * 14}b<td>c</table>",
            f"x | y\na {'b ' * 14}b | c",
        ),
        (
            "<table class=ltx_eqn_table><tr><td><math><mi>x</mi></math><td>(1)</table>",
            "$x$\n(1)",
        ),
    ],
)
def test_tables(source, text):
    assert text_of(source) == text


def test_columns_without_kept_text_are_left_out():
    page = parse("<table><tr><th>a<th>b<th>c<tr><td>d<td>e<td>f</table>")
    assert page.select(page.text_rows[[0, 2, 5]]).text() == "a | c\n| f"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<pre>if a:\n    b()\n</pre>c", "if a:\n    b()\n\nc"),
        ("a<pre>\n\n  b\n\n\n  c</pre>", "a\n\n  b\n\n\n  c"),
        ("<pre><b>if</b> a:\n<i>    b</i></pre>", "if a:\n    b"),
        ("<pre><span>a</span>\n<span>b</span></pre>", "a\nb"),
        ("<pre><span>a</span><span>(</span>\n  <span>b</span></pre>", "a(\n  b"),
        ("<pre><span>a\n</span><span>b</span></pre>", "a\nb"),
        ("<pre><span>a:\n\n</span><span>  b\n</span></pre><p>c", "a:\n\n  b\n\nc"),
        ("<pre>\n\na\n<b>b\n</b>c\n</pre>", "a\nb\nc"),
        ("<pre><i>a\n</i></pre><pre><i>b\n</i><i>c</i></pre>", "a\n\nb\nc"),
        ("<ul><li>a<pre><i>b\n</i><i> c</i></pre></ul>", "- a\n\n  b\n   c"),
        ("<pre>a<br>b</pre>", "a\nb"),
        ("<pre>a\n<br>b</pre>", "a\n\nb"),
        ("<pre>a</pre>\n<pre>b</pre>", "a\n\nb"),
        ("<ul><li>a<pre>b\n c</pre></ul>", "- a\n\n  b\n   c"),
        ("<textarea>a\n  b</textarea>", "a\n  b"),
        ("<xmp><b>\n c</xmp>", "<b>\n c"),
    ],
)
def test_code_keeps_its_lines(source, text):
    assert text_of(source) == text


# --- no word lost --------------------------------------------------------------------------------


def letters(texts) -> str:
    return "".join(word for text in texts for word in words(text))


@st.composite
def pages_with_a_selection(draw):
    source = draw(st.one_of(well_formed, soup)).replace(
        "<ol", "<ul"
    )  # numbers are words of our own
    page = parse(source)
    bits = draw(st.randoms(use_true_random=False))
    rows = [row for row in page.text_rows.tolist() if bits.random() < 0.7]
    return page, page.select(rows)


@given(pages_with_a_selection())
@settings(max_examples=120)
def test_every_kept_word_is_written_once_and_in_order(drawn):
    page, chosen = drawn
    kept = [page.texts[i] for i in range(len(page.texts)) if chosen.keep[i]]
    assert letters([chosen.text()]) == letters(kept)


@given(pages_with_a_selection())
@settings(max_examples=150)
def test_text_is_tidy(drawn):
    _, chosen = drawn
    text = chosen.text()
    assert not text.startswith("\n")
    assert not text.endswith("\n")
    assert all(line == line.rstrip() for line in text.split("\n"))


@given(pages_with_a_selection())
@settings(max_examples=150)
def test_block_texts_hold_the_same_words(drawn):
    page, chosen = drawn
    found = block_texts(page, chosen.keep, page.blocks.of_text)
    assert list(found) == sorted(found)
    assert letters(found.values()) == letters([chosen.text()])
    for number, text in found.items():
        rows = page.text_rows[(page.blocks.of_text == number) & chosen.keep]
        assert letters([text]) == letters(page.text(row) for row in rows)


def block_words(page: Page) -> list[str]:
    return [
        word
        for block in thresher.extract(page, method="plain").blocks
        for word in words(block.text)
    ]


@given(st.lists(st.sampled_from(["one", "two 茶", "three"]), min_size=1, max_size=12), st.randoms())
def test_words_in_blocks_never_join(texts, bits):
    wraps = [
        "<p>{}</p>",
        "<li>{}</li>",
        "<td>{}</td>",
        "<div>{}</div>",
        "{}<br>",
        "<h2>{}</h2>",
        "<dd>{}</dd>",
        "<pre>{}</pre>",
    ]
    for table in (False, True):
        body = "".join(bits.choice(wraps).format(text) for text in texts)
        page = parse(
            f"<table><tr><td>{body}</td><td>end</td></table>" if table else f"<body>{body}"
        )
        expected = [word for text in page.texts for word in words(text)]
        assert words(page.all().text()) == expected
        assert block_words(page) == expected


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p><a href=/a>A</a><a href=/b>B</a></p>", "A B"),  # an index of letters
        ("<p><a href=/a>A</a><span>bc</span></p>", "Abc"),  # a large first letter
        ("<p><span>ab</span><a href=/c>C</a></p>", "abC"),
    ],
)
def test_single_letters_are_apart_only_if_both_are_links(html, text):
    assert parse(html).all().text() == text


# --- compiled and plain --------------------------------------------------------------------------


def check_both_versions(page: Page, seed: int) -> None:
    """Compare the text of random parts of a page."""
    rng = np.random.default_rng(seed)
    for share in (1.0, 0.8, 0.3):
        keep = rng.random(len(page.texts)) < share
        text = plain_text(page, keep)
        blocks = block_texts(page, keep, page.blocks.of_text)
        tables, may_have = data_tables(page).tolist(), may_have_formulas(page)
        with plain_core():
            assert data_tables(page).tolist() == tables
            assert may_have_formulas(page) == may_have
            assert plain_text(page, keep) == text
            assert block_texts(page, keep, page.blocks.of_text) == blocks


@needs_kernels
@given(html=st.one_of(well_formed, soup), seed=st.integers(0, 1_000))
@settings(max_examples=400)
def test_both_versions_write_the_same(html, seed):
    check_both_versions(parse(html), seed)


@needs_kernels
def test_boxes_of_tasks() -> None:
    items = "<li><input type=checkbox checked> a<li><input type=checkbox> b<li>c"
    assert text_of(f"<ul>{items}</ul><ol>{items}</ol>") == (
        "- ☑ a\n- ☐ b\n- c\n\n1. ☑ a\n2. ☐ b\n3. c"
    )


@pytest.mark.parametrize("name", PAGES)
def test_both_versions_write_hostile_pages_alike(name):
    for size in (1, 2, 40):
        check_both_versions(parse(PAGES[name][1](size)), size)


_CODE_TAGS = "pre textarea code span div p br/ ul ol li table/tr/td script a button".split()


@needs_kernels
@given(
    steps=st.lists(
        st.one_of(
            st.sampled_from(_CODE_TAGS).map(lambda names: "<" + names.replace("/", "><") + ">"),
            st.sampled_from(_CODE_TAGS).map(lambda names: f"</{names.split('/')[0]}>"),
            st.sampled_from(
                [
                    "\n",
                    "\n\n",
                    " ",
                    "  x\n",
                    "\nx",
                    "tea ",
                    " pot",
                    "x",
                    "\u00a0",
                    "茶\u2028",
                    "<!-- -->",
                    "🍵\n \n",
                ]
            ),
        ),
        max_size=30,
    ),
    seed=st.integers(0, 1_000),
)
@settings(max_examples=600)
def test_both_versions_write_code_alike(steps, seed):
    check_both_versions(parse("".join(steps)), seed)


_TABLE_TAGS = (
    "table table/role=grid table/role=none caption tr td th td/colspan=2 td/rowspan=0 p h2 br br "
    "ul ol li input/type=checkbox span/role=heading math img/src=latex.png pre"
).split()


@needs_kernels
@given(
    steps=st.lists(
        st.one_of(
            st.sampled_from(_TABLE_TAGS).map(lambda tag: f"<{tag.replace('/', ' ')}>"),
            st.sampled_from(_TABLE_TAGS).map(lambda tag: f"</{tag.split('/')[0]}>"),
            st.sampled_from(["tea ", " ", "•", "\u00a0", "a b c d e f g h i j k l m n o"]),
        ),
        max_size=60,
    ),
    seed=st.integers(0, 1_000),
)
@settings(max_examples=400)
def test_both_versions_write_tables_and_lists_alike(steps, seed):
    check_both_versions(parse("<table>" + "".join(steps)), seed)


def test_tags_that_a_page_has():
    page = parse("<p>one<my-tag>two")
    found = {NAMES[number] for number in range(len(NAMES)) if page.present[number]}
    assert found == {"#text", "html", "head", "body", "p"}
    with plain_core():
        assert replace(page).present == page.present
