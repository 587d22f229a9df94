"""Views: tokens, text blocks, flow rows and source lines."""

import re
from dataclasses import replace
from html import unescape
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.cores import needs_kernels, plain_core
from tests.pages import VOID, collapsed, slow_rows, slow_tokens, soup, well_formed
from tests.test_hostile import PAGES
from thresher import Page, parse
from thresher.page import views
from thresher.page.tags import BLOCK

# --- tokens --------------------------------------------------------------------------------------


def tokens_of(page: Page) -> list[tuple[str, int]]:
    """Name the tokens: the first of an element is its start tag, the second its end tag."""
    seen: set[int] = set()
    named = []
    for is_word, row in zip(page.tokens.is_word.tolist(), page.tokens.row.tolist(), strict=True):
        named.append(("word" if is_word else "end" if row in seen else "start", row))
        seen.add(row)
    return named


@given(well_formed)
@settings(max_examples=150)
def test_tokens_equal_a_walk_through_the_source(source):
    assert tokens_of(parse(source)) == slow_tokens(source)


def test_tokens_by_hand():
    page = parse("<p>one two<br>three</p>")
    assert [(page.name(row), kind) for kind, row in tokens_of(page)] == [
        ("html", "start"), ("head", "start"), ("head", "end"), ("body", "start"), ("p", "start"),
        ("#text", "word"), ("#text", "word"), ("br", "start"), ("#text", "word"), ("p", "end"),
        ("body", "end"), ("html", "end"),
    ]  # fmt: skip


@given(soup)
@settings(max_examples=120)
def test_tokens_nest_on_any_page(source):
    page = parse(source)
    open_rows: list[int] = []
    for kind, row in tokens_of(page):
        if kind == "start":
            if page.name(row) not in VOID and not page_is_void(page, row):
                open_rows.append(row)
        elif kind == "end":
            assert open_rows.pop() == row
        else:
            assert page.tag[row] == 0
    assert not open_rows
    assert np.count_nonzero(page.tokens.is_word) == page.words.sum()


def page_is_void(page: Page, row: int) -> bool:
    return (
        page.name(row)
        in "area basefont bgsound embed frame image keygen param source track".split()
    )


# --- text blocks ---------------------------------------------------------------------------------


def blocks_of(source: str) -> list[str]:
    page = parse(source)
    found: list[list[str]] = [[] for _ in range(len(page.blocks))]
    for index, block in enumerate(page.blocks.of_text.tolist()):
        if block >= 0:
            found[block].append(collapsed(page.texts[index]))
    return ["|".join(texts) for texts in found]


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("<p>one <b>two</b> <a>three</a></p>", ["one|two|three"]),
        ("<p>one<br>two</p>", ["one|two"]),
        ("<p> </p>\n<p>one</p>  <p>&nbsp;</p>", ["one", "\u00a0"]),
        ("<div>one<p>two</p>three</div>", ["one", "two", "three"]),
        ("<div>one<hr>two</div>", ["one", "two"]),
        ("one<script>two</script>three", ["one|three"]),
        ("one<style>two</style><!-- x -->three", ["one|three"]),
        ("<table><tr><td>one<td>two</table>", ["one", "two"]),
        ("<b>one</b><i>two</i>", ["one|two"]),
        ("<b>one<div>two</div></b>three", ["one", "two", "three"]),
        ("<my-card>one</my-card>two", ["one", "two"]),
        ("<ul><li>one<ul><li>two</ul>three</ul>", ["one", "two", "three"]),
        ("", []),
    ],
)
def test_blocks_by_hand(source, texts):
    assert blocks_of(source) == texts


def test_what_a_block_counts():
    page = parse("<title>t</title><div><p>one <a href=x>two three</a></p> <p hidden>four</p></div>")
    blocks = page.blocks
    assert len(blocks) == 3
    assert blocks.words.tolist() == [1, 3, 1]
    assert blocks.chars.tolist() == [1, 13, 4]  # "one two three"
    assert blocks.linked_words.tolist() == [0, 2, 0]
    assert blocks.hidden.tolist() == [True, False, True]
    assert [page.name(row) for row in blocks.parent.tolist()] == ["head", "p", "p"]
    assert [page.text(row) for row in blocks.first.tolist()] == ["t", "one ", "four"]
    assert [page.text(row) for row in blocks.last.tolist()] == ["t", "two three", "four"]


@given(st.one_of(well_formed, soup))
@settings(max_examples=150)
def test_blocks_equal_the_slow_definition(source):
    page = parse(source)
    number, cut, slow = -1, True, []
    closes = {
        int(page.end[row]) for row in range(len(page)) if BLOCK[page.tag[row]] and page.tag[row]
    }
    for row in range(len(page)):
        cut = cut or row in closes or bool(page.tag[row] and BLOCK[page.tag[row]])
        if page.tag[row] == 0:
            if page.chars[row] > 0:
                number += cut
                cut = False
            slow.append(number if page.chars[row] > 0 else -1)
    blocks = page.blocks
    assert blocks.of_text.tolist() == slow
    assert len(blocks) == number + 1
    for block in range(len(blocks)):
        rows = page.text_rows[blocks.of_text == block]
        assert (blocks.first[block], blocks.last[block]) == (rows[0], rows[-1])
        texts = page.text_rows[[blocks.texts_from[block], blocks.texts_to[block]]]
        assert texts.tolist() == [rows[0], rows[-1]]
        assert blocks.words[block] == page.words[rows].sum()
        assert blocks.chars[block] == page.chars[rows].sum()
        assert blocks.linked_words[block] == page.words[rows][page.linked[rows]].sum()
        above = int(page.parent[rows[0]])
        while above >= 0 and not BLOCK[page.tag[above]]:
            above = int(page.parent[above])
        assert blocks.parent[block] == above


# --- flow rows -----------------------------------------------------------------------------------


def codes(page: Page) -> list[tuple[str, int, int, int, int]]:
    view = page.flow()
    columns = (view.begin, view.end, view.parent, view.level)
    return [
        (page.name(row), *(int(column[index]) for column in columns))
        for index, row in enumerate(view.row.tolist())
    ]


def test_the_region_codes_of_the_hybrid_paper():
    # Fig. 6: div(1,26,0,1), form(2,25,1,2), td(3,6,2,3), div(4,5,3,4), td(7,8,2,3), ...
    cells = "<td><div>a</div></td><td>b</td>" + "<td>c</td>" * 8
    page = parse(f"<div><form><table><tr>{cells}</tr></table></form></div>")
    assert codes(page) == [
        ("html", 0, 27, 0, 0),
        ("div", 1, 26, 0, 1),
        ("form", 2, 25, 1, 2),
        ("td", 3, 6, 2, 3),
        ("div", 4, 5, 3, 4),
        ("td", 7, 8, 2, 3),
        *[("td", 9 + 2 * i, 10 + 2 * i, 2, 3) for i in range(8)],
    ]


def test_text_after_an_inner_row_joins_the_outer_one():
    page = parse("<div>one<p>two</p>three</div>four")
    view = page.flow()
    names = [page.name(view.row[view.of_row[row]]) for row in page.text_rows]
    assert names == ["div", "p", "div", "html"]


@given(st.one_of(well_formed, soup))
@settings(max_examples=150)
@example("<div><p>a<td>b</div>c")
def test_flow_equals_the_slow_definition_with_a_stack(source):
    page = parse(source)
    breaks = set(
        "address article aside blockquote center dd details dialog dir div dl dt fieldset "
        "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr li listing main "
        "menu nav ol p pre search section summary td th ul xmp caption legend plaintext".split()
    )
    code, slow, stack, of_row = 0, [], [], []
    for row in range(len(page)):
        while stack and page.end[stack[-1][0]] <= row:
            slow[stack.pop()[1]][2] = code
            code += 1
        if row == 0 or page.name(row) in breaks:
            parent = slow[stack[-1][1]][1] if stack else 0
            stack.append((row, len(slow)))
            slow.append([row, code, -1, parent, len(stack) - 1])
            code += 1
        of_row.append(stack[-1][1])
    while stack:
        slow[stack.pop()[1]][2] = code
        code += 1
    view = page.flow()
    fast = np.stack([view.row, view.begin, view.end, view.parent, view.level], 1)
    assert fast.tolist() == slow
    assert view.of_row.tolist() == of_row
    assert (view.begin < view.end).all()


def test_a_table_makes_rows_on_request():
    page = parse("<table><tr><td>a</td></tr></table>")
    for tables, names in ((False, ["html", "td"]), (True, ["html", "table", "tr", "td"])):
        assert [page.name(row) for row in page.flow(tables=tables).row.tolist()] == names


def test_the_content_of_a_flow_row_holds_inner_tags_and_text_in_order():
    page = parse("<form><input><table><tr><td><a>Yahoo!</a> <b>Mail</b></td></tr></table>x</form>")
    view = page.flow()
    held = [
        [page.name(row) for row in view.content[begin:end].tolist()]
        for begin, end in pairwise(view.content_from.tolist())
    ]
    assert [page.name(row) for row in view.row.tolist()] == ["html", "form", "td"]
    assert held[1] == ["input", "table", "tbody", "tr", "#text"]
    assert held[2] == ["a", "#text", "#text", "b", "#text"]


# --- source lines --------------------------------------------------------------------------------


def counts(source: str, length: int = 0) -> list[tuple[int, int, int]]:
    lines = parse(source).lines(length)
    columns = zip(lines.length.tolist(), lines.content.tolist(), lines.code.tolist(), strict=True)
    return list(columns)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>Hello</p>", [(12, 5, 7)]),
        ("<p>Hello</p>\n", [(12, 5, 7), (0, 0, 0)]),
        ("<p>Hello</p>\n<p>you", [(12, 5, 7), (6, 3, 3)]),
        ("<p>one\ntwo</p>", [(6, 3, 3), (7, 3, 4)]),
        ("<p>\n  one\n</p>", [(3, 0, 3), (5, 3, 2), (4, 0, 4)]),
        ('<p title="a > b">one</p>', [(24, 3, 21)]),
        ("<p title='a > \"b'>one</p>", [(25, 3, 22)]),
        ("<p a=\"'\" b='>'>one</p>", [(22, 3, 19)]),
        ("<p title=a'b>one</p>", [(20, 3, 17)]),
        ("one<!-- two -->three", [(8, 8, 0)]),
        ("<script>1 < 2</script>one", [(3, 3, 0)]),
        ("<SCRIPT>1 < 2</SCRIPT>one", [(3, 3, 0)]),
        ("<script>1 < 2</SCRIPT>one", [(3, 3, 0)]),
        ("<SCRIPT>1 < 2</script>one", [(3, 3, 0)]),
        ("<script>1 < 2</sCRIPT>one<script>3</script>", [(3, 3, 0)]),
        ("<script>1 < 2</SCRIPT>one<script>3</script>", [(3, 3, 0)]),
        ("<script>1</scripty></script\t>one", [(3, 3, 0)]),
        ("<!-- two --!>one", [(3, 3, 0)]),
        ("one <!-- two --> three", [(10, 8, 2)]),
        ("<style>p > a {}</style>one", [(3, 3, 0)]),
        ("<!-- <script> -->one", [(3, 3, 0)]),
        ("<script>'<!--'</script>one", [(3, 3, 0)]),
        ("<!--[if IE]><p>two</p><![endif]-->one", [(3, 3, 0)]),
        ("<![if !IE]>one<![endif]>", [(24, 3, 21)]),
        ("<p>a < b</p>", [(12, 5, 7)]),
        ("<p>&amp;</p>", [(12, 5, 7)]),
        ("<p>茶чай🍵</p>", [(12, 5, 7)]),
        ("<textarea>one</textarea>", [(24, 3, 21)]),
        ("<!---->one<!-->two", [(6, 6, 0)]),
        ("one<!-- two", [(3, 3, 0)]),
        ("one<script>two", [(3, 3, 0)]),
        ("a<br>b", [(6, 2, 4)]),
    ],
)  # fmt: skip
def test_lines_as_written(source, expected):
    assert counts(source) == expected


@pytest.mark.parametrize("length", [1, 7, 80, 160])
@given(source=well_formed)
@settings(max_examples=100)
def test_reflowed_lines_hold_the_whole_source(length, source):
    lines = parse(source).lines(length)
    flat = re.sub(r"[ \t\n\f]+", " ", CODE.sub("\0", source)).replace("\0", "")
    assert lines.length.sum() == len(flat)
    assert (lines.length[:-1] == length).all()
    assert (lines.length > 0).all()
    assert (lines.content >= 0).all()
    assert (lines.code >= 0).all()
    assert lines.content.sum() == sum(map(len, runs_of(source)))


CODE = re.compile(r"(?is)<!--.*?-->|<(script|style)\b.*?</\1\s*>")
TAG = re.compile(r"""(?i)<[a-z/!](?:[^"'>]|"[^"]*"|'[^']*')*>|\0""")


def runs_of(source: str) -> list[str]:
    """The source of each text that is not blank, white space collapsed."""
    parts = TAG.split(CODE.sub("\0", source))
    return [run for part in parts if (run := collapsed(part))]


@given(well_formed)
@settings(max_examples=120)
def test_content_equals_the_collapsed_text(source):
    texts = [collapsed(unescape(run)) for run in runs_of(source)]
    assert [text for text in texts if text] == [
        collapsed(row.text) for row in slow_rows(source) if row.chars
    ]
    assert parse(source).lines(80).content.sum() == sum(map(len, runs_of(source)))


def slow_lines(source: str) -> tuple[list[int], list[int]]:
    """Length and content of the lines as written, character by character."""
    marked = CODE.sub("\0", source)
    content = [False] * len(marked)
    at = 0
    for tag in [*TAG.finditer(marked), None]:
        last = tag.start() if tag else len(marked)
        run = marked[at:last]
        first = at + len(run) - len(run.lstrip(" \t\n\f"))
        for place in range(first, at + len(run.rstrip(" \t\n\f"))):
            content[place] = True
        at = tag.end() if tag else last
    lengths, contents = [0], [0]
    for character, counts in zip(marked, content, strict=True):
        if character == "\n":
            lengths.append(0)
            contents.append(0)
        elif character != "\0":
            lengths[-1] += 1
            contents[-1] += counts
    return lengths, contents


@given(well_formed)
@settings(max_examples=120)
@example("<html><head></head><body><p>a\n\nb</p>\nc\n</body></html>")
def test_lines_as_written_equal_the_slow_count(source):
    lines = parse(source).lines(0)
    assert (lines.length.tolist(), lines.content.tolist()) == slow_lines(source)


@pytest.mark.parametrize("length", [0, 1, 80])
@given(source=st.one_of(well_formed, soup))
@settings(max_examples=120)
@example(source="a" * 200)
@example(source="\u00e9" * 200 + "<p>" + "b" * 5)
def test_all_lines_keep_every_row_and_no_lines_keep_none(length, source):
    page = parse(source)
    lines = page.lines(length)
    every = lines.rows_of(np.ones(len(lines), np.bool_))
    none = lines.rows_of(np.zeros(len(lines), np.bool_))
    assert every.shape == none.shape == page.text_rows.shape
    assert not none.any()
    assert lines.content.sum() <= lines.length.sum()
    assert (lines.content >= 0).all()


@pytest.mark.parametrize("length", [0, 1, 80])
@given(source=well_formed)
@settings(max_examples=120)
def test_all_lines_keep_every_row_of_a_well_formed_page(length, source):
    page = parse(source)
    lines = page.lines(length)
    every = lines.rows_of(np.ones(len(lines), np.bool_))
    solid = page.chars[page.text_rows] > 0
    assert every[solid].all()


def test_a_row_is_kept_when_most_of_it_lies_in_chosen_lines():
    page = parse("<p>" + "a" * 20 + "</p><p>" + "b" * 20 + "</p>")
    lines = page.lines(10)  # <p>aaaaaaa | aaaaaaaaaa | aaa</p><p> | bbbbbbbbbb x 2 | </p>
    chosen = np.zeros(len(lines), np.bool_)
    chosen[1] = True
    assert lines.rows_of(chosen).tolist() == [False, False]  # half is not most
    chosen[0] = True
    assert lines.rows_of(chosen).tolist() == [True, False]
    assert lines.rows_of(~chosen).tolist() == [False, True]


def test_lines_are_cached():
    page = parse("<p>tea")
    assert page.lines(80) is page.lines(80)
    assert page.lines(0) is not page.lines(80)
    assert not page.lines(0).bounds.flags.writeable


# --- compiled and plain --------------------------------------------------------------------------


def check_both_versions(page: Page, seed: int) -> None:
    """Compare the blocks, and the rows kept with random texts."""
    with plain_core():
        expected = views.blocks(page)
    for found in (views.blocks(page), views.blocks(replace(page))):  # with and without the walk
        for name in views.Blocks.__slots__:
            assert getattr(found, name).dtype == getattr(expected, name).dtype
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)
    rng = np.random.default_rng(seed)
    for share in (0.9, 0.3):
        keep = rng.random(len(page.texts)) < share
        kept = views.kept_rows(page, keep)
        with plain_core():
            assert np.array_equal(views.kept_rows(page, keep), kept)


@needs_kernels
@given(html=st.one_of(well_formed, soup), seed=st.integers(0, 1_000))
def test_both_versions_give_the_same(html, seed):
    check_both_versions(parse(html), seed)


@needs_kernels
@pytest.mark.parametrize("name", PAGES)
def test_both_versions_give_the_same_for_hostile_pages(name):
    for size in (1, 2, 40):
        check_both_versions(parse(PAGES[name][1](size)), size)
