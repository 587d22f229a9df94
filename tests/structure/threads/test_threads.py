"""Threads: posts and comments of each platform, plain data, linear time."""

import json
import pickle
import time
from dataclasses import FrozenInstanceError

import pytest

from tests.structure.threads.markup import (
    ARTICLE,
    COMMENTS,
    DISQUS,
    SAID,
    THREADS,
    WHEN,
    WHO,
    XENFORO,
    read,
    records_html,
)
from thresher import extract
from thresher.page.parse import parse
from thresher.structure import threads


def assert_posts_are_read(found: threads.Threads) -> None:
    assert [post.author for post in found.posts] == list(WHO)
    assert [post.time[:10] for post in found.posts] == list(WHEN)
    assert [post.text for post in found.posts] == list(SAID)


@pytest.mark.parametrize("name", THREADS)
def test_a_thread_of_each_platform(name):
    around, record = THREADS[name]
    found = read(around.format(records_html(record)))
    assert found.kind == "thread"
    assert_posts_are_read(found)


@pytest.mark.parametrize("name", COMMENTS)
def test_comments_of_each_platform(name):
    around, record = COMMENTS[name]
    found = read(ARTICLE + around.format(records_html(record)))
    assert found.kind == "comments"
    assert_posts_are_read(found)


def test_comments_of_disqus_are_named_posts_and_make_a_thread():
    found = read(f"<ul id=post-list>{records_html(DISQUS)}</ul>")
    assert found.kind == "thread"
    assert_posts_are_read(found)


@pytest.mark.parametrize("named", ["id=disqus_thread", "class=comments"])
def test_posts_in_a_box_for_comments_below_an_article_are_comments(named):
    records = f"<div {named}><ul>{records_html(DISQUS)}</ul></div>"
    found = read(f"<article>{ARTICLE}</article>{records}")
    assert found.kind == "comments"
    assert_posts_are_read(found)
    assert read(records).kind == "thread"


def test_a_question_with_answers_and_comments():
    def signed(who, when):
        return (
            f'<div class="post-signature owner"><time datetime="{when}T10:00:00Z">May</time>'
            f'<div class="user-details" itemprop="author"><a href="/users/1/x">{who}</a></div>'
            "</div>"
        )

    def commented(n, who, said):
        return (
            f'<li id="comment-{n}" class="comment js-comment"><div class="comment-text">'
            f'<div class="comment-body"><span class="comment-copy">{said}</span>&ndash; '
            f'<a href="/users/2/x" class="comment-user">{who}</a> <span class="comment-date">'
            "<span title='2024-05-09 10:00:00Z'>May 9</span></span></div></div></li>"
        )

    asked = (
        '<div class="question" id="question"><div class="post-layout"><div class="s-prose">'
        f"<p>{SAID[0]}</p></div>{signed(WHO[0], WHEN[0])}<ul class=comments-list>"
        f"{commented(1, 'Dirac', 'Which flame do you mean, the small one or the large one?')}"
        "</ul></div></div>"
    )
    answered = (
        '<div class="answer" id="answer-7"><div class="post-layout"><div class="s-prose">'
        f"<p>{SAID[1]}</p></div>{signed(WHO[1], WHEN[1])}<ul class=comments-list>"
        f"{commented(2, 'Euler', 'That is a fine answer, it works for me as well.')}"
        f"{commented(3, 'Fermi', 'It does not work at all with a kettle made of glass.')}</ul>"
        "</div></div>"
        '<div class="answer" id="answer-8"><div class="post-layout"><div class="s-prose">'
        f"<p>{SAID[2]}</p></div>{signed(WHO[2], WHEN[2])}</div></div>"
    )
    html = f"<div id=mainbar>{asked}<div id=answers>{answered}</div></div>"
    found = read(html)
    assert found.kind == "thread"
    text = extract(f"<title>How to boil - Stack Exchange</title>{html}").text
    assert "or the large one?– Dirac" in text  # not "one?Dirac"
    assert [post.author for post in found.posts] == [
        "ada_l",
        "Dirac",
        "Brahe",
        "Euler",
        "Fermi",
        "Curie",
    ]
    assert [post.depth for post in found.posts] == [0, 1, 0, 1, 1, 0]
    assert found.posts[0].text == SAID[0]
    assert [post.time[:10] for post in found.posts] == [
        WHEN[0], "2024-05-09", WHEN[1], "2024-05-09", "2024-05-09", WHEN[2],
    ]  # fmt: skip


def test_answers_with_one_comment_each():
    posts = "".join(
        f'<div class="answer" id="answer-{n}"><div class="vote-count">{9 - n}</div>'
        f'<div class="post-body"><p>{said}</p></div><div class="user-info">'
        f'<time datetime="{when}T10:00:00Z">May</time> <a href="/users/{n}">{who}</a></div>'
        f'<ul class=comments-list><li id="comment-{n}" class="comment"><div class="comment-body">'
        f'<span class="comment-copy">Which of the two flames is it, number {n}?</span> '
        f'<a href="/users/9" class="comment-user">Dirac</a> <time datetime="2024-05-09">May 9'
        "</time></div></li></ul></div>"
        for n, (who, said, when) in enumerate(zip(WHO, SAID, WHEN, strict=True))
    )
    found = read(f"<div id=answers>{posts}</div>")
    authors = [name for who in WHO for name in (who, "Dirac")]
    assert [post.author for post in found.posts] == authors
    assert [post.depth for post in found.posts] == [0, 1] * 3
    assert [post.text for post in found.posts][::2] == list(SAID)


def test_an_empty_page_is_none():
    assert read("") == threads.Threads()
    assert threads.read(parse("")) == threads.Threads()


def test_a_page_without_attributes_and_cells_surely_has_no_posts():
    bare = parse("<h1>Tea</h1>" + "<div><p>Ada at 10:01</p><p>How hot?</p></div>" * 4)
    assert not threads.may_have_posts(bare)
    assert threads.read(bare).kind == "none"
    for other in ("<p class=x>Tea", "<forum-post>Tea", "<table><tr><td>Tea</table>"):
        assert threads.may_have_posts(parse(other))


def test_threads_are_frozen_and_can_be_pickled_and_written_as_json():
    found = read(records_html(XENFORO))
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(FrozenInstanceError):
        found.kind = "none"
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["kind"] == "thread"
    assert plain["posts"][0]["author"] == WHO[0]
    assert set(plain["posts"][0]) == {
        "author", "time", "time_as_written", "text", "depth", "row", "rows",
            "end", "text_rows", "quote_rows", "body", "quotations", "votes",
        "headings", "images",
    }  # fmt: skip


def test_a_post_has_the_row_where_it_begins():
    page = parse(f"<html><body>\n{records_html(XENFORO)}</body></html>")
    found = threads.read(page)
    assert [page.name(post.row) for post in found.posts] == ["article"] * 3
    assert page.position(found.posts[0].row).line == 2
    assert found.select(page).words > 30


def test_reading_is_deterministic_and_does_not_change_the_page():
    page = parse(f"<html><body>{records_html(XENFORO)}</body></html>")
    before = pickle.dumps(page)
    assert threads.read(page) == threads.read(page)
    assert pickle.dumps(page) == before


@pytest.mark.parametrize(
    "unit",
    [
        '<li class="comment" id="comment-1"><b class=author>A</b><p>Some words to say.</p></li>',
        '<div class="comment" id="comment-1"><b class=author>A</b>Some words to say here.',
        '<div class="post comments"><a href="/user/x">A</a><time>May 2024</time>',
        "<dt class=comment-author>Ada<dd class=comment-body>Some words that were said",
        '<div itemscope itemtype="https://schema.org/Comment">',
        "</div></li><td>x<table>",
        '<div class="post" id="p1"><time>May 2024</time><p class=date>edited <time>June',
        "<dt class=comment>Ada<time>May 2024</time><dd class=comment>Some words that were said",
        '<div class="post" id="p1"><a class=permalink>#1</a><p itemprop="text">Some<b>7 points',
    ],
)
def test_time_is_linear_on_hostile_pages(unit):
    def seconds(count):
        page = parse("<html><body><div id=comments>" + unit * count)
        start = time.process_time()
        threads.read(page)
        return time.process_time() - start

    seconds(200)
    assert any(seconds(8_000) < 16 * seconds(2_000) + 0.05 for _ in range(3))


def test_each_post_as_a_record():
    comment = (
        '<li class="comment" id="comment-{n}"><cite class="fn">{who}</cite>'
        "<p>{text}</p>{inner}</li>"
    )

    def written(n, who, inner=""):
        text = f"What {who} has to say about this is a little longer."
        return comment.format(n=n, who=who, text=text, inner=f"<ul class=children>{inner}</ul>")

    answers = written(2, "Brahe", written(3, "Curie")) + written(4, "Darwin")
    html = f'<ol class="commentlist">{written(1, "Ada", answers)}{written(5, "Euler")}</ol>'
    page = parse(html)
    found = threads.read(page)
    assert [post.depth for post in found.posts] == [0, 1, 2, 1, 0]
    assert found.parents == [None, 0, 1, 0, None]
    records = found.post_dicts(page)
    assert [(each["number"], each["parent"], each["author"]) for each in records] == [
        (0, None, "Ada"),
        (1, 0, "Brahe"),
        (2, 1, "Curie"),
        (3, 0, "Darwin"),
        (4, None, "Euler"),
    ]
    assert records[2]["text"] == "What Curie has to say about this is a little longer."
    assert html[records[2]["offset"] :].startswith('<li class="comment" id="comment-3">')
    assert records[0]["kind"] == found.kind
    assert json.loads(json.dumps(records)) == records
    assert threads.Threads().post_dicts(page) == []


def test_buttons_of_vbulletin_5_are_in_no_output():
    record = (
        '<li class="b-post js-post" data-node-id="{n}"><div class="author"><a href="/member/{n}">'
        '{who}</a></div><time datetime="{when}T09:15:00">{when}</time>'
        '<div class="js-post__content-text">{said}</div><ul><li>Reply</li><li>Report</li></ul>'
        '<div class="b-comment-entry"><textarea></textarea><span>Post Cancel</span></div></li>'
    )
    source = f"<title>Kettles</title><ul class=conversation-list>{records_html(record)}</ul>"
    document = extract(source)
    assert [post.text for post in document.threads.posts] == list(SAID)
    for written in (document.text, document.markdown(), document.tei(), document.json()):
        assert [said for said in SAID if said not in written] == []
        for button in ("Post Cancel", "Reply", "Report"):
            assert button not in written
