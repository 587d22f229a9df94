"""Matching of two pages: the figures of the hybrid paper, its failures, and a slow definition.

The slow definition follows the corrected listings of the paper, from the HTML with `html.parser`.
"""

import pickle
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.growth import assert_linear
from tests.pages import collapsed, slow_rows, soup, well_formed
from tests.site.test_alignment import cost_of, slow_cost
from thresher import UsageError, parse
from thresher.site import Hybrid, flow_table
from thresher.site.matching import (
    COMMON,
    CONTENT,
    PARTS,
    REGULAR,
    Sequence,
    compact_group,
    flow_rows,
    group_pattern,
    match,
    sequence_match,
    stable_hash,
    sub_tree_groups,
    tree_match,
)

# --- the slow definition -------------------------------------------------------------------------

BREAKS_FLOW = set(
    "html div p h2 ul ol li dl dt dd td th caption pre blockquote figure section article form "
    "dialog hr".split()
)  # of the tags in random pages


@dataclass
class TS:
    """An element of the paper's TSReC (section 4)."""

    row: int  # of the page
    name: str
    begin: int
    end: int
    parent: int
    level: int
    content: list[tuple[str, str]] = field(default_factory=list)  # ("tag" or "text", value)
    hidden: bool = False
    long_words: int = 0

    @property
    def text(self) -> str:
        return " ".join(" ".join(value for kind, value in self.content if kind == "text").split())

    @property
    def pattern(self) -> str:
        written = f"<{self.name}>"
        for kind, value in self.content:
            if kind == "tag":
                written += f"<{value}>"
            elif not written.endswith("(text)"):
                written += "(text)"
        return written

    def holds(self, other: "TS") -> bool:
        return self.begin < other.begin < other.end < self.end


def build_tsrec(source, tables=False, hidden=False):
    """Fig. 3 with level and parent in their right places; then hidden rows and text are dropped."""
    rows = slow_rows(source)
    breaks = BREAKS_FLOW | ({"table", "tr"} if tables else set())
    gone = {number for number, row in enumerate(rows) if row.hidden}
    if hidden:
        gone = set()
        for number, row in enumerate(rows):
            if row.parent in gone or row.name in ("head", "script", "style"):
                gone.add(number)
    tsrec, stack, count = [], [], -1
    for number, row in enumerate(rows):
        while stack and rows[stack[-1].row].end <= number:
            count += 1
            stack.pop().end = count
        top = stack[-1] if stack else None
        if row.name in breaks:
            count += 1
            level, parent = (top.level + 1, top.begin) if top else (0, 0)
            ts = TS(number, row.name, count, -1, parent, level, hidden=number in gone)
            tsrec.append(ts)
            stack.append(ts)
        elif number not in gone and (row.name != "#text" or collapsed(row.text)):
            is_text = row.name == "#text"
            top.content.append(("text", row.text) if is_text else ("tag", row.name))
            if is_text and not row.linked:
                top.long_words += row.words
    while stack:
        count += 1
        stack.pop().end = count
    return [ts for ts in tsrec if not ts.hidden]


def slow_sub_tree_groups(different):
    """Fig. 8 with the last group, and with the rows inside the region of a group."""
    groups = []
    for ts in different:
        group = groups[-1] if groups else []
        is_inside = any(other.holds(ts) for other in group)
        is_sibling = group and (ts.level, ts.parent) == (group[0].level, group[0].parent)
        if is_inside or is_sibling:
            group.append(ts)
        else:
            groups.append([ts])
    return groups


def slow_compact_group(shapes):
    """Fig. 10, where line 06 removes the sibling that equals the one before it."""
    shapes = list(shapes)
    i = 0
    while i + 1 < len(shapes):
        if shapes[i] == shapes[i + 1]:
            del shapes[i + 1]
        else:
            i += 1
    return shapes


def slow_pattern(group):
    """Return the compacted patterns of the siblings of a group, each with those inside it."""
    siblings = [ts for ts in group if not any(other.holds(ts) for other in group)]
    return slow_compact_group(
        (ts.pattern, slow_pattern([other for other in group if ts.holds(other)])) for ts in siblings
    )


def slow_tree_match(first, second, partner, long_text):
    """Fig. 9: the numbers of the rows of the first page that are regular."""
    groups1 = slow_sub_tree_groups([first[i] for i, j in enumerate(partner) if j < 0])
    groups2 = slow_sub_tree_groups([ts for j, ts in enumerate(second) if j not in set(partner)])
    regular, next_match = set(), 0
    for group1 in groups1:
        if any(ts.long_words > long_text for ts in group1):
            continue
        for j in range(next_match, len(groups2)):
            if slow_pattern(group1) == slow_pattern(groups2[j]):
                regular |= {ts.row for ts in group1}
                next_match = j + 1
                break
    return regular


# --- random pages --------------------------------------------------------------------------------

_steps = st.lists(
    st.one_of(
        st.tuples(st.just("open"), st.sampled_from(["div", "div", "section", "span", "em"])),
        st.tuples(st.just("text"), st.sampled_from(["a", "b", "c d e", "a b c d e f"])),
        st.tuples(st.just("row"), st.sampled_from(["<p>a</p>", "<p>b</p>", "<hr>", "<p hidden>h"])),
        st.tuples(st.just("close"), st.just("")),
    ),
    max_size=25,
)


def write(steps):
    """Write steps as a well-formed page."""
    pieces, names = [], []
    for kind, value in steps:
        if kind == "open" and not (value == "div" and {"span", "em"} & set(names)):
            pieces.append(f"<{value}>")
            names.append(value)
        elif kind == "close" and names:
            pieces.append(f"</{names.pop()}>")
        elif kind == "text":
            pieces.append(f"{value} ")
        elif kind == "row" and not {"span", "em"} & set(names):
            pieces.append(value if "hidden" not in value else f"{value}</p>")
    pieces += [f"</{name}>" for name in reversed(names)]
    return f"<html><head></head><body>{''.join(pieces)}</body></html>"


@st.composite
def page_pairs(draw):
    """Two pages of one template: the second has some steps of the first, and some others."""
    first, second = draw(_steps), []
    for step in first:
        how = draw(st.sampled_from(["same", "same", "same", "gone", "twice", "other"]))
        if how == "other":
            second += draw(_steps)[:2]
        second += [step] * {"same": 1, "twice": 2}.get(how, 0)
    return write(first), write(second)


def numbered(*columns):
    """Return the columns with equal values replaced by equal numbers."""
    number = {}
    return [[number.setdefault(value, len(number)) for value in column] for column in columns]


# --- against the slow definition -----------------------------------------------------------------


@given(well_formed, st.booleans(), st.booleans())
def test_the_tag_sequence_equals_the_slow_definition(source, tables, hidden):
    page, slow = parse(source), build_tsrec(source, tables, hidden)
    rows = flow_rows(page, tables=tables, hidden=hidden)
    flow, index = rows.flow, rows.index
    columns = (flow.row, flow.begin, flow.end, flow.parent, flow.level)
    assert np.stack([column[index] for column in columns], 1).tolist() == [
        [ts.row, ts.begin, ts.end, ts.parent, ts.level] for ts in slow
    ]
    assert rows.sequence.long_words.tolist() == [ts.long_words for ts in slow]
    assert rows.sequence.end.tolist() == [
        at + 1 + sum(ts.holds(other) for other in slow) for at, ts in enumerate(slow)
    ]
    assert rows.sequence.key.tolist() == [stable_hash(f"{ts.name} {ts.text}") for ts in slow]
    assert rows.sequence.pattern.tolist() == [stable_hash(ts.pattern) for ts in slow]


@given(page_pairs(), st.booleans())
def test_the_common_part_has_the_least_edit_distance(pair, longest):
    first, second = (flow_rows(parse(source)).sequence for source in pair)
    slow = [[(ts.name, ts.text) for ts in build_tsrec(source)] for source in pair]
    partner = sequence_match(first, second, longest=longest)
    assert cost_of(*slow, partner, longest) == slow_cost(*slow, longest)


@given(page_pairs())
def test_groups_and_patterns_equal_the_slow_definition(pair):
    first, second = (flow_rows(parse(source)).sequence for source in pair)
    slow = build_tsrec(pair[0])
    different = (sequence_match(first, second) < 0).nonzero()[0]
    groups = sub_tree_groups(first, different)
    slow_groups = slow_sub_tree_groups([slow[row] for row in different.tolist()])
    assert [[slow[row].row for row in group.tolist()] for group in groups] == [
        [ts.row for ts in group] for group in slow_groups
    ]
    assert numbered([group_pattern(first, group) for group in groups]) == numbered(
        [repr(slow_pattern(group)) for group in slow_groups]
    )


@given(page_pairs(), st.sampled_from([1, 3, 25]), st.booleans())
def test_the_parts_equal_the_slow_definition(pair, long_text, hidden):
    pages = [parse(source) for source in pair]
    slow = [build_tsrec(source, hidden=hidden) for source in pair]
    sequences = [flow_rows(page, hidden=hidden).sequence for page in pages]
    partner = sequence_match(*sequences).tolist()
    regular = slow_tree_match(*slow, partner, long_text)
    parts = match(*pages, hidden=hidden, long_text=long_text)
    assert parts.part.tolist() == [
        COMMON if mate >= 0 else REGULAR if ts.row in regular else CONTENT
        for ts, mate in zip(slow[0], partner, strict=True)
    ]


@given(st.lists(st.integers(0, 2), max_size=12))
def test_compacting_equals_the_slow_definition(patterns):
    assert compact_group(patterns) == slow_compact_group(patterns)


@given(st.one_of(soup, well_formed), st.one_of(soup, well_formed))
def test_any_two_pages_can_be_matched(first, second):
    page = parse(first)
    parts = match(page, parse(second))
    texts = [parts.selection(part) for part in PARTS]
    count = np.sum([text.keep for text in texts], axis=0)
    assert count.tolist() == (~page.hidden[page.text_rows]).tolist()  # each visible text once
    assert (match(page, page).part == COMMON).all()


# --- Fig. 2, 3 and 6: region codes and content ---------------------------------------------------

YAHOO = (
    "<div><form><input><table><tr>"
    "<td><a href=/>Yahoo!</a> <a href=/m>My Yahoo!</a><div><script>1</script><script>2</script>"
    "</div></td><td><spacer></spacer></td><td></td><td><input><input></td><td><a href=/n></a></td>"
    "<td><a href=/s>Sign In</a><div>New User?<a href=/u>Sign Up</a></div></td>"
    "<td></td><td></td><td></td></tr></table></form></div>"
    + "".join(f"<p>line {number}</p>" for number in range(14, 42))
    + "<div><div><div><div><div><h5>Secondary Navigation</h5><ul>"
    "<li><a>Weather News</a></li><li><a>Space &amp; Astronomy</a></li><li><a>Animals &amp; Pets</a>"
    "</li><li><a>Dinosaurs &amp; Fossils</a></li><li><a>Biotechnology</a></li>"
    "<li><a>Energy</a></li></ul></div></div></div></div></div>"
)
FIGURE_6 = {
    1: "<div>(1, 26, 0, 1) : ",
    2: "<form>(2, 25, 1, 2) : <input><table><tbody><tr>",  # the parser adds tbody
    3: "<td>(3, 6, 2, 3) : <a>Yahoo!<a>My Yahoo!",
    4: "<div>(4, 5, 3, 4) : <script><script>",
    5: "<td>(7, 8, 2, 3) : <spacer>",
    6: "<td>(9, 10, 2, 3) : ",
    7: "<td>(11, 12, 2, 3) : <input><input>",
    8: "<td>(13, 14, 2, 3) : <a>",
    9: "<td>(15, 18, 2, 3) : <a>Sign In",
    10: "<div>(16, 17, 15, 4) : New User?<a>Sign Up",
    47: "<h5>(88, 89, 87, 6) : Secondary Navigation",
    48: "<ul>(90, 103, 87, 6) : ",
    49: "<li>(91, 92, 90, 7) : <a>Weather News",
    50: "<li>(93, 94, 90, 7) : <a>Space & Astronomy",
    51: "<li>(95, 96, 90, 7) : <a>Animals & Pets",
    52: "<li>(97, 98, 90, 7) : <a>Dinosaurs & Fossils",
    53: "<li>(99, 100, 90, 7) : <a>Biotechnology",
    54: "<li>(101, 102, 90, 7) : <a>Energy",
}


def test_figure_6_region_codes_and_content():
    lines = {
        line.index: f"<{line.name}>({line.begin}, {line.end}, {line.parent}, {line.level}) : "
        f"{line.content}"
        for line in flow_table(parse(YAHOO))
    }
    assert {index: lines[index] for index in FIGURE_6} == FIGURE_6


def test_figure_6_every_row_of_both_pages_is_matched():
    other = YAHOO.replace("</form></div>", "</form></div><p>Only on the other page</p>")
    first, second = (flow_rows(parse(source)).sequence for source in (YAHOO, other))
    partner = sequence_match(first, second)
    assert partner.tolist() == [*range(14), *range(15, 56)]


def test_figure_2_rows_of_the_same_subtree():
    """Lines 108 and 110 are under the same subtree, line 117 is in another."""
    links = "<li><a href=/1>Science article</a></li>"
    page = parse(
        "".join(f"<p>{number}</p>" for number in range(1, 107))
        + f"<h5>Science News</h5><ul>{links * 7}</ul><h5>Space News</h5><ul>{links * 3}</ul>"
    )
    flow = page.flow()
    assert [page.name(int(flow.row[line])) for line in (108, 110, 117)] == ["ul", "li", "ul"]
    (begin, end), (inner_begin, inner_end), (other_begin, other_end) = (
        (int(flow.begin[line]), int(flow.end[line])) for line in (108, 110, 117)
    )
    assert begin < inner_begin < inner_end < end
    assert not begin < other_begin < end
    assert not begin < other_end < end


def test_a_table_makes_rows_on_request():
    page = parse("<table><tr><td>a</td></tr></table>")
    names = [line.name for line in flow_table(page, tables=True)]
    assert names == ["html", "table", "tr", "td"]
    assert [line.name for line in flow_table(page)] == ["html", "td"]


# --- Fig. 5: the common part ---------------------------------------------------------------------


def test_blank_text_and_comments_are_no_content():
    rows = flow_rows(parse("<div> <!-- x -->\n<p>a</p> </div>")).sequence
    assert rows.pattern.tolist() == [
        stable_hash(pattern) for pattern in ("<html><body>", "<div>", "<p>(text)")
    ]


def test_section_5_1_abc_and_ac():
    first, second = parse("<p>a</p><p>b</p><p>c</p>"), parse("<p>a</p><p>c</p>")
    partner = sequence_match(flow_rows(first).sequence, flow_rows(second).sequence)
    assert partner.tolist() == [0, 1, -1, 2]  # html, a, b, c
    assert match(first, second).selection("common").text() == "a\n\nc"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("<p>a b</p>", "<p> a\n b </p>", True),
        ("<p>a</p>", "<p>b</p>", False),
        ("<p>a</p>", "<div>a</div>", False),
        ("<p><b>a</b></p>", "<p>a</p>", True),  # content text, not inner tags
        ("<p>a<!-- x --></p>", "<p>a</p>", True),
    ],
)
def test_rows_are_equal_with_the_same_name_and_text(first, second, same):
    assert (match(parse(first), parse(second)).part[1] == COMMON) == same


# --- Fig. 7 and 8: groups ------------------------------------------------------------------------


def news_page(number):
    return (
        "<div>Example News</div><ul><li>Home</li><li>World</li><li>Science</li></ul>"  # 1 to 5
        f"<div><h1>Headline {number}</h1><p>By reporter {number}</p>"  # 6 to 8
        f"<div><h5>Related</h5><ul><li><a>Story {number}1</a></li><li><a>Story {number}2</a></li>"
        f"</ul></div><p>Text of {number}</p>"  # 9 to 14
        f"<blockquote><p>Quote of {number}</p></blockquote></div><div>Imprint</div>"  # 15 to 17
    )


def test_figure_7_lines_13_and_14_are_in_different_groups():
    first, second = (flow_rows(parse(news_page(number))).sequence for number in (1, 2))
    different = (sequence_match(first, second) < 0).nonzero()[0]
    assert different.tolist() == [7, 8, 12, 13, 14, 16]
    groups = sub_tree_groups(first, different)
    assert [group.tolist() for group in groups] == [[7, 8], [12, 13], [14], [16]]


def test_a_group_holds_the_rows_in_its_region_and_the_last_group_is_one():
    source = "<div><p>a</p><section>b<p>c</p></section><p>d</p></div><h2>e</h2>"
    rows = flow_rows(parse(source)).sequence
    groups = sub_tree_groups(rows, np.arange(2, 7))
    assert [group.tolist() for group in groups] == [[2, 3, 4, 5], [6]]
    assert sub_tree_groups(rows, np.arange(0)) == []
    assert [group.tolist() for group in sub_tree_groups(rows, np.arange(7))] == [[*range(7)]]


# --- Fig. 9 and 10: the regular part -------------------------------------------------------------


def test_figure_10_repeated_siblings_are_compacted():
    assert compact_group(list("xxyxx")) == list("xyx")
    assert compact_group(list("xyxy")) == list("xyxy")
    assert compact_group([]) == []


def pattern_of(body):
    rows = flow_rows(parse(body)).sequence
    return group_pattern(rows, np.arange(1, len(rows)))


def test_compacted_patterns_ignore_how_often_a_field_is_repeated():
    x, y = "<p><a>link</a></p>", "<p>text</p>"
    assert pattern_of(x + x + y + x + x) == pattern_of(x + y + x)
    assert pattern_of(x + y + x) != pattern_of(x + y)
    assert len(pattern_of(x + x + y + x + x)) == 3
    lists = [f"<ul>{f'<li>{x}</li>' * count}</ul>" for count in (1, 4)]
    assert pattern_of(lists[0]) == pattern_of(lists[1])  # at every level
    assert pattern_of(lists[0] + lists[1]) == pattern_of(lists[0])
    assert pattern_of(f"<ul>{x}{y}</ul>") != pattern_of(f"<ul>{x}</ul>{y}")


def parts_of(first, second, **options):
    """Return the parts of the rows of the first page, without the root."""
    return [PARTS[part] for part in match(parse(first), parse(second), **options).part[1:]]


def groups(tags, number):
    """Return a page of headings, each with a group below; {"a": "bb"}: below a, `<p><b>` twice."""
    page = ""
    for heading, names in tags.items():
        rows = "".join(f"<p><{tag}>{heading} {number}</{tag}></p>" for tag in names)
        page += f"<h2>{heading}</h2><div>{rows}</div>"
    return parse(page)


def parts_of_groups(first, second):
    """Return the part of the group below each heading of the first page."""
    parts = match(groups(first, 1), groups(second, 2))
    lines = zip(flow_table(parts.rows.page), parts.part.tolist(), strict=True)
    return [PARTS[part] for line, part in lines if line.level == 2]


@pytest.mark.parametrize(
    ("first", "second", "parts"),
    [
        ({"a": "b"}, {"a": "b"}, ["regular"]),
        ({"a": "b"}, {"a": "bbb"}, ["regular"]),  # compacted
        ({"a": "b"}, {"a": "bi"}, ["content"]),
        ({"a": "b", "c": "i"}, {"a": "b", "c": "i"}, ["regular", "regular"]),
        ({"a": "b", "c": "i"}, {"a": "i", "c": "b"}, ["regular", "content"]),  # in order
        ({"a": "b", "c": "b"}, {"a": "b", "c": "i"}, ["regular", "content"]),  # each used once
        ({"a": "q", "c": "b"}, {"a": "b", "c": "i"}, ["content", "regular"]),
    ],
)
def test_figure_9_groups_match_in_order_and_each_once(first, second, parts):
    assert parts_of_groups(first, second) == parts


def test_tree_match_gives_one_bool_per_row():
    first, second = (flow_rows(parse(news_page(number))).sequence for number in (1, 2))
    partner = sequence_match(first, second)
    regular = tree_match(first, second, partner)
    assert regular.nonzero()[0].tolist() == [7, 8, 12, 13, 14, 16]
    assert not tree_match(first, second, partner, long_text=0)[[7, 8, 14, 16]].any()


# --- the failures F1 and F2 ----------------------------------------------------------------------

LONG = "Rain fell all night on the roofs of the town and on the fields behind the river " * 2


def article(number, paragraphs, popup=""):
    text = "".join(f"<p>{LONG} {number}.{at}</p>" for at in range(paragraphs))
    links = "".join(f"<li><a href=/{number}>Read {number}.{at}</a></li>" for at in range(3))
    return (
        f"<title>Page {number}</title><ul><li>Home</li></ul><div>{popup}<h1>Story <b>{number}</b>"
        f"</h1><div>{text}</div><ul>{links}</ul></div><p>Imprint</p>"
    )


def test_f1_long_text_is_never_regular():
    first, second = parse(article(1, 5)), parse(article(2, 3))
    kept = match(first, second).selection()
    assert kept.text().count("Rain fell") == 5 * 2
    assert "Read 1" not in kept.text()
    assert match(first, second, long_text=1_000).selection().text() == ""  # F1: no output


def test_text_in_links_is_not_long():
    links = [f"<ul><li><a href=/>{LONG * 3} {number}</a></li></ul>" for number in (1, 2)]
    assert parts_of(*links) == ["common", "regular"]
    rows = [f"<ul><li>{' word' * count} {number}</li></ul>" for number in (1, 2) for count in (24,)]
    assert parts_of(*rows) == ["common", "regular"]
    assert parts_of(*rows, long_text=24) == ["common", "content"]


@pytest.mark.parametrize(
    "popup",
    [
        "<span hidden>Menu of {}</span>",
        '<span style="display: none">Menu of {}</span>',
        "<noscript>Menu of {}</noscript>",
    ],
)
def test_f2_invisible_text_is_dropped_first(popup):
    first, second = (parse(article(number, 3, popup.format(number))) for number in (1, 2))
    kept = match(first, second).selection().text()
    assert kept.count("Rain fell") == 3 * 2
    assert "Read 1" not in kept
    # With it, the row around differs, so all its rows are one group with long text.
    failed = match(first, second, hidden=True).selection().text()
    assert "Read 1.0" in failed
    assert "Menu" not in failed  # takes part, but is no text of the page


def test_what_is_in_the_head_takes_no_part():
    first, second = parse(article(1, 2)), parse(article(2, 2))
    assert match(first, second, hidden=True).part[0] == COMMON
    assert "Page 1" not in match(first, second, hidden=True).selection().text()


# --- what comes out ------------------------------------------------------------------------------


def test_parts_as_selections_and_as_html():
    parts = match(parse(article(1, 1)), parse(article(2, 1)))
    assert parts.html("common") == "<ul><li>Home</li></ul><p>Imprint</p>"
    assert parts.html("content") == f"<div><div><p>{LONG} 1.0</p></div></div>"
    assert parts.html("regular").startswith("<div><h1>Story <b>1</b></h1><ul><li><a href=")
    assert parts.selection("regular").words == 2 + 3 * 3


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("", ""),
        ("<p></p>", ""),
        ("<img src=a>", ""),
        ("<frameset><frame src=a></frameset>", ""),
        ("<frameset><frame><noframes>a b</noframes></frameset>", "a b"),
        ("plain <b>text</b>", "plain <b>text</b>"),
        ("<body class='>' title=\"</body>\"><p>a", "<p>a</p>"),
        (
            "<body><p title='&quot;>'>a &lt;/body&gt; b",
            '<p title="&quot;&gt;">a &lt;/body&gt; b</p>',
        ),
        ("<p>a</p><script>b</script><script src=c></script>", "<p>a</p>"),
        ("<p>a</p><script src=c></script><p hidden></p><img src=d>", '<p>a</p><img src="d">'),
        ("<table><tr><td>a", "<table><tbody><tr><td>a</td></tr></tbody></table>"),
        ("<p>&#xD800;a", "<p>\ufffda</p>"),
    ],
)
def test_the_content_as_a_fragment(source, html):
    other = parse("<h6>nothing of it</h6>text of its own")
    assert match(parse(source), other).html() == html


def test_a_part_of_a_page_can_be_matched():
    page = parse("<title>t</title><p>a</p><p>b</p>")
    part = page.only(page.under([int(page.text_rows[1])]))
    assert match(part, parse("<h1>x</h1>")).html() == "<p>a</p>"
    assert match(page.only(page.none()), page).html() == ""


@given(page_pairs())
def test_the_fragment_holds_the_text_of_the_part(pair):
    parts = match(*map(parse, pair))
    for part in PARTS:
        written = parts.html(part)
        assert "<body" not in written
        again = parse(written)
        assert (
            "".join(again.texts).split()
            == "".join(
                text
                for text, kept in zip(
                    parts.rows.page.texts, parts.selection(part).keep.tolist(), strict=True
                )
                if kept
            ).split()
        )


def test_the_table_names_the_part_of_each_row():
    page, reference = parse(article(1, 1, "<p hidden>x")), parse(article(2, 1))
    lines = flow_table(page, reference=reference)
    assert [(line.name, line.part) for line in lines if line.name in ("h1", "p", "li")] == [
        ("li", "common"), ("p", "hidden"), ("h1", "regular"), ("p", "content"), ("li", "regular"),
        ("li", "regular"), ("li", "regular"), ("p", "common"),
    ]  # fmt: skip
    assert {line.part for line in flow_table(page)} == {""}
    assert flow_table(parse("")) == []


def test_the_rows_of_a_page_serve_as_reference():
    first, second = parse(article(1, 2)), parse(article(2, 3))
    rows = flow_rows(second).sequence
    assert match(first, rows).part.tolist() == match(first, second).part.tolist()
    assert repr(rows) == f"<Sequence: {len(rows)} rows>"
    assert flow_rows(second).sequence is rows  # computed once
    for name in Sequence.__slots__:
        assert not getattr(rows, name).flags.writeable


def test_wrong_arguments_are_errors():
    page = parse("<p>a")
    with pytest.raises(UsageError, match="no part 'menu': give common, regular or content"):
        match(page, page).selection("menu")
    with pytest.raises(UsageError, match="the reference must be a page: give thresher"):
        match(page, "<p>a")
    with pytest.raises(UsageError, match="long_text is -1: give a whole number"):
        match(page, page, long_text=-1)
    with pytest.raises(UsageError, match="tables is 1: give True or False"):
        Hybrid(page, tables=1)


# --- as a method ---------------------------------------------------------------------------------


def test_hybrid_is_a_method_for_extract():
    reference = parse(article(2, 3))
    document = thresher.extract(article(1, 2), method=Hybrid(reference))
    assert document.text.count("Rain fell") == 2 * 2
    assert "Read" not in document.text
    assert "Home" not in document.text
    assert document.method.startswith("Hybrid(reference=<Page: ")
    same = thresher.extract(article(1, 2), method=Hybrid(flow_rows(reference).sequence))
    assert same.text == document.text
    assert (
        "Rain" not in thresher.extract(article(1, 2), method=Hybrid(reference, long_text=99)).text
    )


def test_hybrid_can_be_combined_compared_and_pickled():
    reference = parse(article(2, 3))
    method = Hybrid(reference)
    assert method == Hybrid(reference)
    assert {method, Hybrid(reference)} == {method}
    page = parse(article(1, 2))
    assert pickle.loads(pickle.dumps(method))(page) == method(page)
    both = thresher.extract(page, method=thresher.intersection(method, "plain"))
    assert both.text == thresher.extract(page, method=method).text
    assert thresher.extract(parse(""), method=method).text == ""
    in_series = thresher.extract(page, method=thresher.series("plain", method))
    assert in_series.text == both.text


# --- growth --------------------------------------------------------------------------------------


def rows_with_nothing_in_common(n):
    return tuple(
        parse("".join(f"<p>{side} <b>{number}</b></p>" for number in range(n)))
        for side in ("left", "right")
    )


def groups_of_one_pattern(n):
    return tuple(
        parse("".join(f"<div><p>{side} {number}</p></div>" for number in range(n)))
        for side in ("left", "right")
    )


def nested_rows(n):
    depth = min(n, 200)
    return tuple(
        parse(f"{'<div>' * depth}{side} 1{'</div>' * depth}" * (n // depth))
        for side in ("left", "right")
    )


@pytest.mark.slow
@pytest.mark.parametrize("make", [rows_with_nothing_in_common, groups_of_one_pattern, nested_rows])
def test_time_grows_with_the_pages(make):
    assert_linear(lambda pages: match(*pages), make, 5_000)
