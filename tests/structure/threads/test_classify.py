"""Kinds of pages: thread, comments or none; which records are posts."""

from tests.structure.threads.markup import ARTICLE, SAID, WORDPRESS, read, records_html
from thresher.structure import threads


def test_a_page_with_only_an_article_is_none():
    assert read(ARTICLE) == threads.Threads("none", ())


def test_comments_after_a_short_article_are_no_thread():
    comments = records_html('<div class="comment" id="c{n}"><b>{who}</b><p>{said}</p></div>')
    prose = "<p>" + "The old bridge was opened again on Friday, after nine months. " * 2 + "</p>"
    assert read(f"<article>{prose}</article>{comments}").kind == "comments"
    assert read(f"<article><p>Kettles</p></article>{comments}").kind == "thread"  # says nothing
    assert read(f"<article>{prose}{comments}</article>").kind == "thread"  # they are not after it
    answers = comments.replace("comment", "answer")
    assert read(f"<article>{prose}</article>{answers}").kind == "thread"


def test_numbered_questions_without_authors_are_no_thread():
    asked = '<div class="question" id="question-{n}"><b>{said}?</b><p>{said}.</p></div>'
    assert read(records_html(asked)).kind == "none"


def test_comments_in_a_sidebar_are_left_out():
    widget = (
        f"<aside class=sidebar><ul class=recent-comments>{records_html(WORDPRESS)}</ul></aside>"
    )
    assert read(ARTICLE * 4 + widget).kind == "none"


def test_a_comment_form_is_no_comment():
    form = '<div class="comment-respond"><form><textarea>Say something</textarea></form></div>'
    assert read(ARTICLE + form).kind == "none"


def test_a_first_post_with_other_markup_is_added():
    asked = "The first post asks something."
    first = f'<div class="ItemDiscussion"><div class="Message">{asked}</div></div>'
    reply = (
        '<li class="ItemComment" id="Comment_{n}"><a class="Username">{who}</a>'
        '<time datetime="{when}">May</time><div class="Message">{said}</div></li>'
    )
    found = read(f"{first}<ul>{records_html(reply)}</ul>")
    assert [post.text for post in found.posts] == [asked, *SAID]


def test_questions_and_answers_without_authors_are_no_thread():
    record = (
        '<div itemscope itemtype="https://schema.org/Answer"><h3>About kettles</h3>'
        "<p>{said}</p></div>"
    )
    assert read(records_html(record)).kind == "none"


def test_an_article_named_a_post_is_no_thread():
    article = f'<article class="post" id="post-1"><h1>Kettles</h1><b class=author>A B</b>{ARTICLE}'
    other = '<article class="post" id="post-2"><b class=author>B C</b><p>Read on about kettles.</p>'
    assert read(f"{article}</article>{other}</article>").kind == "none"
