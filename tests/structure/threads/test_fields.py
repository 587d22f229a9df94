"""Fields of posts: depth, text, author and time."""

import numpy as np
import pytest

from tests.structure.threads.markup import (
    ARTICLE,
    HACKER_NEWS,
    PHPBB,
    SAID,
    WHEN,
    WHO,
    WORDPRESS,
    read,
    records_html,
)
from thresher.document import extract
from thresher.metadata import dates
from thresher.page.parse import parse
from thresher.structure import threads
from thresher.structure.threads import fields


def test_depth_of_nested_records():
    def comment(n, who, inner=""):
        return (
            f'<li class="comment depth-1" id="comment-{n}"><cite class="fn">{who}</cite>'
            f"<p>{who} has some words to say about the kettle.</p>"
            f"{f'<ul class=children>{inner}</ul>' if inner else ''}</li>"
        )

    nested = comment(1, "Ada", comment(2, "Bohr", comment(3, "Curie")) + comment(4, "Dirac"))
    found = read(f"{ARTICLE}<ol class=commentlist>{nested}{comment(5, 'Euler')}</ol>")
    assert [(post.author, post.depth) for post in found.posts] == [
        ("Ada", 0), ("Bohr", 1), ("Curie", 2), ("Dirac", 1), ("Euler", 0),
    ]  # fmt: skip
    assert "Bohr" not in found.posts[0].text


def test_depth_by_boxes_of_replies():
    def comment(n, who):
        return (
            f'<div class="comment" id="comment-{n}"><span class="username">{who}</span>'
            f'<div class="content">{who} has some words to say about the kettle.</div></div>'
        )

    html = (
        f"{comment(1, 'Ada')}<div class=indented>{comment(2, 'Bohr')}<div class=indented>"
        f"{comment(3, 'Curie')}</div></div>{comment(4, 'Dirac')}"
    )
    found = read(f"{ARTICLE}<section class=comments>{html}</section>")
    assert [post.depth for post in found.posts] == [0, 1, 2, 0]


def test_depth_by_the_indent_of_table_rows():
    rows = "".join(
        HACKER_NEWS.format(n=n, who=who, when=when, said=said, depth=depth, pixels=40 * depth)
        for n, (who, when, said, depth) in enumerate(
            zip(WHO, WHEN, SAID, (0, 1, 2), strict=True), 9
        )
    )
    assert [post.depth for post in read(f"<table>{rows}</table>").posts] == [0, 1, 2]


@pytest.mark.parametrize(
    "attribute",
    ['style="margin-left: {}px"', 'data-depth="{}"', 'class="comment depth-{}"', 'aria-level="{}"'],
)
def test_depth_by_attribute_class_or_margin(attribute):
    def record(n, depth):
        stated = attribute.format(depth)
        named = "" if "class" in stated else 'class="comment"'
        return (
            f'<div id="comment-{n}" {named} {stated}><b class="author">Ada{n}</b>'
            "<p>There are some words to say about the kettle.</p></div>"
        )

    found = read(f"{ARTICLE}<div id=comments>{record(1, 1)}{record(2, 2)}{record(3, 1)}</div>")
    assert [post.depth for post in found.posts] == [0, 1, 0]


def test_text_is_without_controls_signature_and_author():
    post = read(records_html(PHPBB)).posts[0]
    assert post.text == SAID[0]
    page = parse(f"<html><body>{records_html(PHPBB)}</body></html>")
    kept = page.select(np.array(threads.read(page).posts[0].rows)).text()
    assert WHO[0] in kept
    assert "my signature" not in kept


def _closed_comments(*said):
    return "".join(
        f'<li id="comment-{n}" class="comment"><div class="comment-body"><span>{text}</span> – '
        f'<a class="comment-user" href="/users/{n}/x">Ada {n}</a> <span class="comment-date">'
        f'<span title="2020-03-0{n} 10:00:00Z">Mar {n}, 2020 at 10:00</span></span></div></li>'
        for n, text in enumerate(said, 1)
    )


def test_a_line_with_author_and_time_after_the_text_is_no_part_of_it():
    html = _closed_comments("Thanks!", "Yes, that is so.", "I met Ada 3 on Mar 3, 2020 at 10:00")
    found = read(f"{ARTICLE}<ul class=comments-list>{html}</ul>")
    assert [(post.author, post.time[:10], post.text) for post in found.posts] == [
        ("Ada 1", "2020-03-01", "Thanks!"),
        ("Ada 2", "2020-03-02", "Yes, that is so."),
        ("Ada 3", "2020-03-03", "I met Ada 3 on Mar 3, 2020 at 10:00"),
    ]


def test_a_name_after_the_text_stays_without_a_time():
    html = _closed_comments("Thanks to", "That is what I know from").replace("2020", "")
    found = read(f"{ARTICLE}<ul class=comments-list>{html.replace('comment-date', 'place')}</ul>")
    assert all("Ada" in post.text for post in found.posts)


def test_authors_in_attributes_of_the_record():
    html = "".join(
        f'<div class="post" id="post-{n}" data-author="{who}"><div class="content">{said}</div>'
        f'<time datetime="2024-05-0{n}">May</time></div>'
        for n, (who, said) in enumerate(zip(("Ada", "Brahe", "1234"), SAID, strict=True), 1)
    )
    assert [post.author for post in read(html).posts] == ["Ada", "Brahe", ""]


def test_a_date_of_joining_is_not_the_time_of_a_post():
    record = (
        '<div class="post" id="p{n}"><b class="username">{who}</b><i>Joined: Feb 4, 2015</i>'
        '<div class="body">{said}</div><i>{when}</i></div>'
    )
    assert [post.time for post in read(records_html(record)).posts] == list(WHEN)


def test_a_linked_date_is_the_time_and_not_the_author():
    comment = (
        '<li class="comment"><p class="who"><b>{who}</b> <a href="#c{n}">3 May, 09:12</a></p>'
        "<p>{said}</p></li>"
    )
    bare = comment.replace("<b>{who}</b>", "{who}")
    for unit in (comment, bare):
        found = read(ARTICLE + f"<ol>{records_html(unit)}</ol>")
        assert [post.author for post in found.posts] == list(WHO)
        assert {(post.time, post.time_as_written) for post in found.posts} == {("", "3 May, 09:12")}


def test_a_time_that_cannot_be_read_is_kept_as_written():
    record = (
        '<div class="comment" id="c{n}"><b class="author">{who}</b><span class="date">gestern'
        "</span><p>{said}</p></div>"
    )
    post = read(records_html(record)).posts[0]
    assert (post.time, post.time_as_written) == ("", "gestern")


@pytest.mark.parametrize(
    ("said", "joined"),
    [
        ("这里有一些关于水壶的文字，写得很长，足够成为一个评论。", "评论"),
        ("این یک نظر است دربارهٔ کتری که چند کلمه دارد", "نظر"),
        ("Здесь написано несколько слов о чайнике и о пламени", "слов"),
    ],
)
def test_comments_in_other_scripts(said, joined):
    body = "".join(
        WORDPRESS.format(n=n, who="作者", when="2024-05-03", said=said + " " * n) for n in range(3)
    )
    found = read(f"{ARTICLE}<ol class=commentlist>{body}</ol>")
    assert found.kind == "comments"
    assert all(joined in post.text and post.author == "作者" for post in found.posts)


@pytest.mark.parametrize(
    ("written", "days"),
    [
        (["04-10-2006", "04-11-2006", "04-13-2006"], ["2006-04-10", "2006-04-11", "2006-04-13"]),
        (["4/1/06", "5/1/06", "2/2/06"], ["2006-01-04", "2006-01-05", "2006-02-02"]),
        (["13/4/2006", "1/5/2006"], ["2006-04-13", "2006-05-01"]),
        (["3/2/2006", "3/4/2006", "4/1/2006"], ["2006-03-02", "2006-03-04", "2006-04-01"]),
        (["4/3/2006 1:20 PM", "4/3/2006 2:20 PM"], ["2006-04-03", "2006-04-03"]),
        (["4/3/2006 13:20", "4/3/2006 14:20"], ["2006-03-04", "2006-03-04"]),
        (["2006-04-03", "3 May 2006"], ["2006-04-03", "2006-05-03"]),
    ],
)
def test_day_and_month_are_in_one_order(written, days):
    times = [(dates.to_iso(text), text) for text in written]
    assert [iso for iso, _ in fields.in_one_order(times)] == days


def test_votes_as_shown_to_those_who_have_not_voted():
    shown = (
        "<span class='score dislikes'>6 points</span><span class='score unvoted'>7 points</span>"
    )
    posts = "".join(
        f"<div class=comment id=c{n}><p><a class=author href=/user/{who}>{who}</a> {shown} "
        f"<time datetime={when}>May</time></p><div class=md><p>{said}</p></div></div>"
        for n, (who, said, when) in enumerate(zip(WHO, SAID, WHEN, strict=True))
    )
    assert [post.votes for post in read(f"<div class=comments>{posts}</div>").posts] == [7, 7, 7]


def test_times_of_custom_elements():
    posts = "".join(
        f"<div class=comment><a class=author href=/user/{name}>{name}</a> "
        f"<relative-time datetime=2021-02-0{day}T10:00:00Z>Feb {day}</relative-time>"
        f"<p>The post of {name} on tea and pots, with enough words to be a post.</p></div>"
        for day, name in enumerate(["ada", "bob", "cyd", "dan"], 1)
    )
    found = extract(f"<h1>Tea</h1>{posts}").threads.posts
    assert [post.time for post in found] == [
        f"2021-02-0{day}T10:00:00+00:00" for day in range(1, 5)
    ]


def test_the_time_is_in_a_box_that_is_named_for_times_and_authors():
    record = (
        '<div class="topic-post"><article id="post_{n}"><div class="topic-meta-data">'
        '<div class="names"><span class="first username"><a href="/u/{who}">{who}</a></span></div>'
        '<div class="post-infos"><div class="post-info post-date"><a href="/t/{n}">'
        '<span class="relative-date" title="May 3, 2024 9:15 am">May \'24</span></a></div></div>'
        '</div><div class="cooked"><p>{said}</p></div></article></div>'
    )
    posts = read(f"<div class=post-stream>{records_html(record)}</div>").posts
    assert [post.time[:10] for post in posts] == ["2024-05-03"] * 3


def test_the_time_of_a_change_is_not_that_of_the_post():
    posts = "".join(
        f'<div class=post_wrapper><h4><a href="?action=profile;u={n}">Ada {n}</a></h4>'
        f"<div class=smalltext>« on: May 0{n}, 2011, 10:00:00 AM »</div><div class=post>"
        f"<p>{SAID[n - 1]}</p></div><div class='smalltext modified'>« Last Edit: May 09, 2011, "
        "by Ada »</div></div>"
        for n in (1, 2, 3)
    )
    times = [post.time for post in read(f"<div id=forumposts>{posts}</div>").posts]
    assert times == [f"2011-05-0{n}T10:00:00" for n in (1, 2, 3)]


def test_formulas_are_in_the_text_of_a_post_once():
    formula = (
        '<span class="katex"><span class="katex-mathml"><math><semantics><mi>E</mi>'
        '<annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math></span>'
        '<span class="katex-html" aria-hidden="true">E</span></span>'
    )
    said = ("The energy is {} of course, as we know.", "No, it is not so simple as you think.")
    page = "".join(
        f'<div class="post" id="post-{n}"><a class="author" href="/user/{n}">Ada{n}</a>'
        f'<time datetime="2024-05-03">3 May</time><div class="text">{text.format(formula)}</div>'
        "</div>"
        for n, text in enumerate(said)
    )
    found = threads.read(parse(page))
    assert [post.text for post in found.posts] == [said[0].format("$E=mc^2$"), said[1]]


QUESTION = (
    '<div class="answer" id="answer-{n}"><div class="post-body"><p>{said}</p></div>'
    '<div class="signatures"><div class="user-info"><div class="user-action-time"><a href="/r">'
    'edited <span title="2024-06-{n} 10:00:05Z" class="relativetime">Jun {n}</span></a></div>'
    '<div class="user-details"><a href="/users/9/ed">ed</a></div></div>'
    '<div class="user-info"><div class="user-action-time">answered '
    '<span title="{when} 13:02:51Z" class="relativetime">May</span></div>'
    '<div class="user-details"><a href="/users/{n}/x">{who}</a></div></div></div></div>'
)
EDIT_BEFORE = (
    '<div class="post" id="post{n}"><p class="meta"><em class="edit-date">Last edited: '
    '<time datetime="2024-07-01T10:00Z">July 1</time> by <a href="/user/ed">ed</a></em> '
    '<a class="author" href="/user/{who}">{who}</a> <time datetime="{when}T10:00Z">May</time></p>'
    '<div class="content">{said}</div></div>'
)


@pytest.mark.parametrize("post", [QUESTION, EDIT_BEFORE])
def test_author_and_time_are_not_those_of_a_change(post):
    found = read(records_html(post)).posts
    assert [one.author for one in found] == list(WHO)
    assert [one.time[:10] for one in found] == list(WHEN)


def test_the_time_of_a_change_is_better_than_none():
    only = (
        '<div class="post" id="post{n}"><a class="author" href="/user/{who}">{who}</a>'
        '<div class="content">{said}</div><p class="time">Edited <time datetime="{when}">May'
        "</time></p></div>"
    )
    found = read(records_html(only)).posts
    assert [one.time for one in found] == list(WHEN)
    assert [one.author for one in found] == list(WHO)


@pytest.mark.parametrize("number", ["#{n}", "# {n}", "<span>#</span>{n}"])
def test_the_number_of_a_post_is_not_its_time(number):
    post = (
        '<li class="message" id="post-{n}"><h3 class="userText"><a class="username" '
        'href="/members/{n}">{who}</a></h3>'
        f'<a class="postNumber permalink" href="#post-{{n}}">{number}</a>'
        '<blockquote class="messageText">{said}</blockquote>'
        '<div class="messageMeta"><span class="DateTime" title="{when} at 9:22 AM">May</span></div>'
        "</li>"
    )
    found = read(f"<ol>{records_html(post)}</ol>").posts
    assert [(one.time, one.time_as_written) for one in found] == [
        (f"{when}T09:22:00", "May") for when in WHEN
    ]


def test_votes_in_a_text_of_their_own():
    post = (
        '<li class="comment" id="comment-{n}"><div><a class="person-listing">{who}</a> '
        '<span class="moment-time" title="{when}">May</span> <span>-{n} points</span></div>'
        '<div class="comment-content"><p>{said}</p><p>There are 12 points</p><p>7 points</p></div>'
        "</li>"
    )
    found = read(f"<ul class=comments>{records_html(post)}</ul>").posts
    assert [(one.author, one.votes) for one in found] == [
        ("ada_l", -17), ("Brahe", -18), ("Curie", -19),
    ]  # fmt: skip
    unvoted = read(f"<ul class=comments>{records_html(post.replace('-{n} points', 'OP'))}</ul>")
    assert [one.votes for one in unvoted.posts] == [None, None, None]


COMMENT_IN_MICRODATA = (
    '<li class="comment" id="comment-{n}" itemscope itemtype="https://schema.org/Comment">'
    '<div class="comment-body"><span class="comment-copy" itemprop="text">{said}</span>'
    '<div itemprop="author"><div class="d-none" itemprop="name">{who}</div>– '
    '<a class="comment-user" href="/users/{n}">{who}</a></div>'
    '<div class="d-none" itemprop="datePublished">{when} 20:37:55 +00:00</div>'
    '<span class="comment-date">Commented <span title="{when}">May</span></span></div></li>'
)


def test_the_text_by_microdata_is_without_author_and_time():
    found = read(f"{ARTICLE}<ul class=comments>{records_html(COMMENT_IN_MICRODATA)}</ul>").posts
    assert [(post.author, post.text) for post in found] == list(zip(WHO, SAID, strict=True))


def test_the_text_of_a_record_that_states_two_is_found_otherwise():
    two = '<b itemprop="text">Yes</b> and no, as it depends on the flame.'
    first = COMMENT_IN_MICRODATA.format(n=1, who="Dirac", when=WHEN[0], said=two)
    others = records_html(COMMENT_IN_MICRODATA)
    found = read(f"{ARTICLE}<ul class=comments>{first}{others}</ul>").posts
    assert found[0].text.startswith("Yes and no, as it depends on the flame.")
    assert [post.text for post in found[1:]] == list(SAID)


def test_a_long_signature_is_no_text():
    post = (
        '<div class="post" id="post{n}"><a class="author" href="/user/{who}">{who}</a>'
        '<div class="ipsEntry__post"><span class="when"><time datetime="{when}">May 3</time></span>'
        '<div class="rich"><p>{said}</p></div><div class="ipsEntry__signature">'
        f"<p>{'My other kettle is a samovar. ' * 20}</p></div></div></div>"
    )
    found = read(records_html(post)).posts
    assert [one.text.split("\n")[-1] for one in found] == list(SAID)


@pytest.mark.parametrize("line", ["<p><time datetime='{when}'>May 3</time></p>", ""])
def test_a_line_with_the_time_before_the_text_is_no_text(line):
    post = (
        '<div class="post" id="post{n}"><a class="author" href="/user/{who}">{who}</a>'
        f'<div class="post-content">{line}<p>{{said}}</p><p><time>Friday</time> it was.</p></div>'
        "</div>"
    )
    found = read(records_html(post)).posts
    assert [one.text for one in found] == [f"{said}\nFriday it was." for said in SAID]


@pytest.mark.parametrize(
    "line",
    [
        "Author Topic: How loud is a kettle? (Read 1234 times)",
        "Thema: Kessel (Gelesen 12 mal)",
        "Open ada_l opened this issue May 3, 2024 · 2 comments",
        "Featured Replies",
        "0 Members and 1 Guest are viewing this topic.",
        "2 posts in this topic",
        "Join the conversation",
        "You can post now and register later. If you have an account, sign in now to post.",
        "Hello! It looks like you're interested in this conversation, but have no account yet.",
    ],
)
def test_lines_about_a_thread_are_no_text(line):
    posts = records_html(PHPBB)
    page = parse(f"<html><body><div><h3>{line}</h3>{posts}</div></body></html>")
    rows = threads.PostRows.of(page)
    assert rows is not None
    assert line not in rows.refine(page.all()).text()
    other = parse(f"<html><body><div><h3>Kettles (12 litres)</h3>{posts}</div></body></html>")
    rows = threads.PostRows.of(other)
    assert rows is not None
    assert "Kettles (12 litres)" in rows.refine(other.all()).text()


def test_a_body_is_not_in_a_quotation():
    quoted = "All that a member says here may be long, and longer than what is answered to it."
    post = (
        '<div class="post" id="post{n}"><a class="author" href="/user/{who}">{who}</a>'
        '<time datetime="{when}">May 3</time><div class="message user-content">'
        f'<blockquote class="UserQuote"><div class="blockquote-content"><p>{quoted}</p></div>'
        "</blockquote><p>{said}</p></div></div>"
    )
    posts = read(records_html(post)).posts
    assert [(one.author, one.text.split("\n")[-1]) for one in posts] == [
        *zip(WHO, SAID, strict=True)
    ]


def test_a_box_that_is_a_quotation_by_name_may_hold_the_text():
    post = (
        '<div class="post" id="post{n}"><a class="author" href="/user/{who}">{who}</a>'
        '<blockquote class="quote"><div class="content"><p>{said}</p></div></blockquote></div>'
    )
    assert [one.text for one in read(records_html(post)).posts] == list(SAID)


@pytest.mark.parametrize("kind", ["user-select-contain", "user"])
def test_a_box_of_a_member_that_holds_most_words_has_the_text(kind):
    post = (
        '<div class="comment" id="issuecomment-{n}"><h3 class="f5"><a class="author" '
        'href="/{who}">{who}</a> commented <time datetime="{when}">May 3</time></h3>'
        f'<div class="edit-comment-hide"><table class="d-block {kind}">'
        '<tr><td class="comment-body markdown-body"><p>{said}, {said}</p></td></tr>'
        "</table></div></div>"
    )
    found = read(records_html(post))
    assert [one.text for one in found.posts] == [f"{said}, {said}" for said in SAID]


def test_depth_by_items_of_lists():
    def comment(n, who, inner=""):
        return (
            f'<li class="subtree"><div class="comment" id="c_{n}"><div class="voters">'
            f'<a class="upvoter" href="/login">{n}</a></div><a href="/~{who}">{who}</a>'
            f"<p>{who} has some words to say about the kettle.</p></div><ol>{inner}</ol></li>"
        )

    nested = comment(1, "Ada", comment(2, "Bohr", comment(3, "Curie")) + comment(4, "Dirac"))
    found = read(f"{ARTICLE}<ol class=comments>{nested}{comment(5, 'Euler')}</ol>")
    assert [(post.author, post.depth, post.votes) for post in found.posts] == [
        ("Ada", 0, 1), ("Bohr", 1, 2), ("Curie", 2, 3), ("Dirac", 1, 4), ("Euler", 0, 5),
    ]  # fmt: skip


def test_a_line_with_the_title_before_the_posts_is_no_text():
    posts = records_html(PHPBB)
    head, table = "<title>Kettles - Tea Forum</title>", "<table><tr><td><b>Kettles</b></table>"
    page = parse(f"{head}<div>{table}<p>Tea is read here.</p>{posts}</div><p>Kettles</p>")
    rows = threads.PostRows.of(page)
    assert rows is not None
    lines = rows.refine(page.all()).text().split("\n")
    assert lines.count("Kettles") == 1
    assert (lines[2], lines[-1]) == ("Tea is read here.", "Kettles")


def test_a_sidebar_is_no_text_of_a_thread():
    posts = records_html(PHPBB)
    page = parse(f"<div class=side><p>Read the rules of this place.</p></div><div>{posts}</div>")
    rows = threads.PostRows.of(page)
    assert rows is not None
    assert "rules" not in rows.refine(page.all()).text()
