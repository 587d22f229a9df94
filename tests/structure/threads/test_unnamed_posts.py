"""Posts without record names: in tables of old boards, and between authors in lines."""

import pytest

from tests.growth import assert_linear
from tests.structure.threads.markup import SAID, WHEN, read
from thresher import extract
from thresher.page.parse import parse
from thresher.structure import threads
from thresher.structure.threads.page_facts import page_facts
from thresher.structure.threads.unnamed_posts import may_have_author_cuts


def test_an_author_has_a_letter():
    items = "".join(f'<li><b class="author">{n}</b><time>{WHEN[0]}</time> {SAID[0]}' for n in "123")
    assert read(f"<ol class=comments>{items}</ol>").kind == "none"
    items = items.replace(">1<", ">Ada<").replace(">2<", ">Bohr<").replace(">3<", ">Curie<")
    assert [p.author for p in read(f"<ol class=comments>{items}</ol>").posts] == [
        "Ada",
        "Bohr",
        "Curie",
    ]


SAYS = "since I turned the flame down mine is silent, and I like it very much so far."


def rows_of_posts(count: int = 4, *, stamp: str = "Posted: Mon Mar 03, 2003 4:{:02} pm") -> str:
    """Rows of a board of the old web: who wrote, and what."""
    row = "<tr><td valign=top>{}<br>Posts: 12</td><td>{}<hr>{} {}</td></tr>"
    names = ("Ada", "Brahe", "Curie Sklodowska")
    return "".join(row.format(names[n % 3], stamp.format(n), n, SAYS) for n in range(count))


def test_table_rows_without_class_names_are_posts():
    head = "<tr><td>Author</td><td>Message</td></tr>"
    found = threads.read(parse(f"<h1>Kettles</h1><table>{head}{rows_of_posts(5)}</table>"))
    assert found.kind == "thread"
    assert [post.time_as_written for post in found.posts][:1] == [
        "Posted: Mon Mar 03, 2003 4:00 pm"
    ]
    assert [post.text for post in found.posts] == [f"{n} {SAYS}" for n in range(5)]


@pytest.mark.parametrize(
    "stamp",
    [
        "Posted: Mon Mar 03, 2003 4:{:02} pm",
        "发表于 2003-3-3 16:{:02}",
        "Verfasst am: 3. März 2003, 16:{:02} Uhr",
        "03.03.2003 16:{:02}",
    ],
)
@pytest.mark.parametrize("between", ["<hr>", "<br>", "<br><br>"])
def test_a_first_line_with_the_date_is_the_time_and_not_text(stamp, between):
    markup = rows_of_posts(stamp=stamp).replace("<hr>", between)
    found = threads.read(parse(f"<table>{markup}</table>"))
    assert [post.text for post in found.posts] == [f"{n} {SAYS}" for n in range(4)]
    assert [post.time for post in found.posts] == [f"2003-03-03T16:{n:02}:00" for n in range(4)]
    assert [post.time_as_written for post in found.posts] == [stamp.format(n) for n in range(4)]


def test_a_first_line_with_more_than_a_date_is_text():
    stamp = "We met at the station on 3 March 2003 at 16:{:02} sharp"
    found = threads.read(parse(f"<table>{rows_of_posts(stamp=stamp)}</table>"))
    assert [post.text.split("\n")[0] for post in found.posts][:1] == [stamp.format(0)]
    only_one = rows_of_posts(stamp="The clock here said 3 March 2003 16:{:02} and I left at once")
    only_one = only_one.replace("The clock here said 3 March 2003 16:02", "3 March 2003 16:02<br>")
    found = threads.read(parse(f"<table>{only_one}</table>"))
    assert found.posts[2].text.startswith("3 March 2003 16:02\nand I left at once")


@pytest.mark.parametrize(
    ("signed", "text"),
    [
        ("<hr>-- <br>Ada of the kettles", ""),
        ("<br>--<br>Ada<br>of the kettles", ""),
        ("<br>_________________<br>Ada of the kettles", ""),
        ("<hr>-- Ada of the kettles", ""),
        ("<br>-- said Ada<br>and left", "\n-- said Ada\nand left"),
        (" <i>Ada</i> -- <i>and</i> Brahe", " Ada -- and Brahe"),
        ("<br>--<br>" + "a long story " * 30, "\n--\n" + ("a long story " * 30).strip()),
    ],
)
def test_signatures_are_not_in_the_text(signed, text):
    markup = rows_of_posts().replace(SAYS, SAYS + signed)
    found = threads.read(parse(f"<table>{markup}</table>"))
    assert [post.text for post in found.posts] == [f"{n} {SAYS}{text}" for n in range(4)]


@pytest.mark.parametrize("name", ["{}", "<b>{}</b>", " <a name=p1></a><font size=2>{}</font>"])
def test_the_author_is_the_first_text_of_the_first_cell(name):
    markup = rows_of_posts()
    for author in ("Ada", "Brahe", "Curie Sklodowska"):
        markup = markup.replace(f">{author}<", f">{name.format(author)}<")
    found = threads.read(parse(f"<table>{markup}</table>"))
    assert [post.author for post in found.posts] == ["Ada", "Brahe", "Curie Sklodowska", "Ada"]


def test_rows_between_posts_belong_to_the_post_before():
    row = "<tr><td>Back to top<td><a href=/u>Profile</a></tr>"
    markup = rows_of_posts().replace("</tr>", f"</tr>{row}")
    assert len(threads.read(parse(f"<table>{markup}</table>"))) == 4


def test_a_post_may_be_a_table_of_its_own():
    markup = rows_of_posts().replace("<tr>", "<table><tr>").replace("</tr>", "</table><br>")
    found = threads.read(parse(markup))
    assert (found.kind, len(found)) == ("thread", 4)


@pytest.mark.parametrize(
    "markup",
    [
        f"<table>{rows_of_posts(2)}</table>",  # too few
        f"<table>{rows_of_posts(stamp='')}</table>",  # no time
        f"<table>{rows_of_posts(stamp='3 May 200{}')}</table>",  # a day alone: versions, events
        f"<table>{rows_of_posts()}</table>" + f"<p>{SAYS * 9}",  # hardly what the page is about
        f"<p>{SAYS * 5}<table>{rows_of_posts(20)}</table>",  # below an article
        f"<table>{rows_of_posts().replace('<td valign=top>', '<th>')}</table>",  # rows with heads
        f"<table>{rows_of_posts().replace('valign=top>', '>10:30 ')}</table>",  # no name
        f"<table>{rows_of_posts().replace(SAYS, 'none')}</table>",  # no prose
        f"<table>{rows_of_posts().replace('<hr>', '<td>')}</table>",  # three cells
        "<table>"
        + "".join(
            f"<tr><td>option-{n}<td>Sets how the kettle number {n} behaves when the flame is low."
            for n in range(9)
        )
        + "</table>",
    ],
)
def test_other_tables_are_no_threads(markup):
    assert threads.read(parse(markup)).kind == "none"


HEADED = {
    "labels": (
        "<table border=1><tr><td><b>From:</b> {who}</td><td><b>Date:</b> {day} May 2003 at 09:15"
        "</td></tr><tr><td colspan=2>{said}</td></tr></table><br>"
    ),
    "no labels": (
        "<table><tr><td><font><b>{who}</b></font></td><td><font>{day} May 2003 09:15</font></td>"
        "</tr><tr><td colspan=2><font>{said}</font></td></tr></table><p>"
    ),
    "one line": (
        "<table><tr><td>Posted by: <b>{who}</b> on {day} May 2003 at 09:15</td></tr>"
        "<tr><td>{said}</td></tr></table>"
    ),
}


def headed_tables(record: str, count: int = 4) -> str:
    names = ("Ada", "Brahe", "Curie", "Ada")
    return "".join(
        record.format(who=names[n % 4], day=n % 28 + 1, said=f"{n} {SAYS}") for n in range(count)
    )


@pytest.mark.parametrize("record", HEADED.values(), ids=HEADED)
def test_a_post_may_be_a_table_with_author_and_date_above_the_text(record):
    source = f"<title>Kettles</title><h2>Kettles</h2>{headed_tables(record)}"
    found = threads.read(parse(source))
    assert found.kind == "thread"
    assert [post.author for post in found.posts] == ["Ada", "Brahe", "Curie", "Ada"]
    assert [post.time[:10] for post in found.posts] == [f"2003-05-0{n}" for n in range(1, 5)]
    assert [post.text for post in found.posts] == [f"{n} {SAYS}" for n in range(4)]
    assert "|" not in extract(source).markdown()
    assert "**Brahe** · 2003-05-02" in extract(source).markdown()


@pytest.mark.parametrize(
    "markup",
    [
        headed_tables(HEADED["labels"], 2),  # too few
        headed_tables(HEADED["labels"].replace(" at 09:15", ""), 3),  # a day alone, nobody twice
        headed_tables(HEADED["labels"].replace("{said}", "none")),  # no prose
        headed_tables(HEADED["labels"]) + f"<p>{SAYS * 9}",  # hardly what the page is about
    ],
)
def test_other_headed_tables_are_no_threads(markup):
    assert threads.read(parse(markup)).kind == "none"


@pytest.mark.parametrize(
    "head",
    [
        "{who} wrote on {day} May 2003:",
        "Posted by {who} on {day} May 2003",
        "Von {who}, {day}. Mai 2003",
    ],
)
def test_a_line_above_the_text_says_who_wrote_it_when(head):
    record = (
        f"<table class=post><tr><td>{head}<tr><td>{{said}}"
        "<tr><td><a href=r>Reply</a> | <a href=s>Report</a></table>"
    )
    found = threads.read(parse(f"<h2>Kettles</h2>{headed_tables(record)}"))
    assert [post.author for post in found.posts] == ["Ada", "Brahe", "Curie", "Ada"]
    assert [post.time for post in found.posts] == [f"2003-05-0{n}" for n in range(1, 5)]
    assert [post.text for post in found.posts] == [f"{n} {SAYS}" for n in range(4)]


def test_the_head_of_a_post_may_be_header_cells():
    record = (
        "<table><tr><th>From: {who}<th>Date: 2003-05-0{day} 10:00<tr><td colspan=2>{said}</table>"
    )
    found = threads.read(parse(f"<h2>Kettles</h2>{headed_tables(record)}"))
    assert [post.author for post in found.posts] == ["Ada", "Brahe", "Curie", "Ada"]
    assert [post.text for post in found.posts] == [f"{n} {SAYS}" for n in range(4)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "<table><tr><td><b>Kettles</b><br>on: 2003-05-0{day} 10:00<td><a>Modify</a></table>",
            "",
        ),
        ("posted 2003-05-0{day} 10:00<hr>", "<p>Posts: 11 | From: Kiel | Registered: Jan 2001"),
    ],
    ids=["a table with the subject", "data of the member"],
)
def test_texts_of_rows_are_without_subjects_and_data_of_members(before, after):
    record = f"<tr><td><b>{{who}}</b><br>Member<td>{before}{{said}}{after}"
    found = threads.read(parse(f"<h2>Kettles</h2><table>{headed_tables(record)}</table>"))
    assert [post.time[:10] for post in found.posts] == [f"2003-05-0{n}" for n in range(1, 5)]
    assert [post.text for post in found.posts] == [f"{n} {SAYS}" for n in range(4)]


def tables_with_named_texts(
    stamp: str = "05-{n:02}-2003, 10:{n:02} AM", card: str = "Member"
) -> str:
    """Posts as tables in which only the text has a name."""
    record = (
        "<table class=tborder><tr><td>{stamp}<tr><td><b>{who}</b><br>{card}"
        "<tr><td><div id=post_message_{n}>{n} {said}</div></table>"
    )
    return "".join(
        record.format(n=n, stamp=stamp.format(n=n), who=who, card=card, said=SAYS)
        for n, who in enumerate(("Ada", "Brahe", "Curie"), 1)
    )


def test_authors_are_above_texts_that_alone_are_named():
    found = threads.read(parse(f"<h1>Kettles</h1>{tables_with_named_texts()}"))
    assert [(post.author, post.time[:10], post.text) for post in found.posts] == [
        ("Ada", "2003-05-01", f"1 {SAYS}"),
        ("Brahe", "2003-05-02", f"2 {SAYS}"),
        ("Curie", "2003-05-03", f"3 {SAYS}"),
    ]


def test_names_are_no_authors_without_times_of_day():
    found = threads.read(parse(f"<h1>Kettles</h1>{tables_with_named_texts(stamp='No. {n}')}"))
    assert {post.author for post in found.posts} == {""}


def test_time_is_linear_in_the_number_of_headed_tables():
    record = HEADED["labels"]
    assert_linear(threads.read, lambda size: parse(headed_tables(record, size)), 100)


def signed_lines(count: int = 12, *, stamp: str = "2004-05-03 10:{:02}", said: str = SAYS) -> str:
    """Records without names: an author and a date in a line, and the text."""
    record = "<div><b class=author>Ada</b> <span class=date>{}</span><div>{} {}</div></div>"
    return "".join(record.format(stamp.format(n), n, said) for n in range(count))


def test_records_without_names_are_cut_at_inline_authors():
    found = threads.read(parse(f"<h1>Kettles</h1>{signed_lines()}"))
    assert (found.kind, len(found)) == ("thread", 12)
    assert [(post.author, post.time[:10], post.text) for post in found.posts][3:4] == [
        ("Ada", "2004-05-03", f"3 {SAYS}")
    ]


@pytest.mark.parametrize(
    "markup",
    [
        signed_lines(2),  # too few
        signed_lines(stamp="2004-05-{:02}"),  # a day alone: a list of articles
        signed_lines(said="Thank you"),  # hardly any words
        signed_lines().replace("class=author", ""),  # nobody's
        signed_lines(4) + f"<p>{SAYS * 9}",  # hardly what the page is about
        f"<p>{SAYS * 5}" + signed_lines(20),  # below an article, where no area says comments
    ],
)
def test_other_lines_are_no_threads(markup):
    assert threads.read(parse(markup)).kind == "none"


def test_time_is_linear_in_the_number_of_inline_authors():
    assert_linear(threads.read, lambda size: parse(signed_lines(size)), 150)


@pytest.mark.slow
def test_time_is_linear_in_the_number_of_table_rows():
    assert_linear(threads.read, lambda size: parse(f"<table>{rows_of_posts(size)}"), 150)
    nested = "<table><tr><td>Ada<td>3 May 2003 10:00 and some words"
    assert_linear(threads.read, lambda size: parse(nested * size), 150)


@pytest.mark.parametrize(("words", "may"), [(24, False), (25, True)])
def test_an_area_needs_25_words_to_be_searched(words, may):
    page = parse(f"<div class=comments><p>{'word ' * words}</p></div><p>{'other ' * 40}</p>")
    assert may_have_author_cuts(page_facts(page)) is may
