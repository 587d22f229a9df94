"""Kinds of pages: thread, comments or none; which records are posts."""

import pytest

from tests.structure.threads.markup import (
    ARTICLE,
    HACKER_NEWS,
    LEMMY,
    NEW_REDDIT,
    OLD_REDDIT,
    SAID,
    WORDPRESS,
    read,
    records_html,
)
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


ASKED = "Has anyone managed to make the old kettle silent, without a new flame?"
OPENINGS = {
    "old Reddit": (
        '<div id="siteTable"><div class="thing id-t3_a even link self" data-author="Dora">'
        '<div class="midcol"><div class="score dislikes">16</div>'
        '<div class="score unvoted">17</div></div>'
        '<div class="entry"><p class="title"><a href="/r/a">A silent kettle</a></p>'
        '<p class="tagline">submitted <time datetime="2024-05-02T09:00:00Z">a year ago</time> by '
        '<a href="/user/Dora" class="author">Dora</a></p><form class="usertext">'
        '<div class="usertext-body"><div class="md"><p>{}</p></div></div></form>'
        '<ul class="flat-list buttons"><li>3 comments</li><li>share</li><li>report</li></ul>'
        "</div></div></div>",
        OLD_REDDIT,
    ),
    "Reddit": (
        '<shreddit-post author="Dora" score="17"><div slot="credit-bar"><a href="/user/Dora/">Dora'
        '</a><time datetime="2024-05-02T09:00:00Z">1y</time></div><h1 slot="title">A silent kettle'
        '</h1><div slot="text-body"><p>{}</p></div></shreddit-post>',
        NEW_REDDIT.replace("thingid", 'score="5" thingid'),
    ),
    "Reddit, by attributes": (
        '<shreddit-post author="Dora" score="17" created-timestamp="2024-05-02T09:00:00Z">'
        '<h1 slot="title">A silent kettle</h1><div slot="text-body"><p>{}</p></div>'
        "</shreddit-post>",
        NEW_REDDIT.replace("thingid", 'score="5" thingid'),
    ),
    "Hacker News": (
        '<table class="fatitem"><tr class="athing"><td class="title"><a href="item?id=1">A silent '
        'kettle</a></td></tr><tr><td class="subtext"><span class="score">17 points</span> by '
        '<a href="user?id=Dora" class="hnuser">Dora</a> <span class="age" title='
        '"2024-05-02T09:00:00"><a href="item?id=1">1 day ago</a></span> | <a href="hide">hide</a>'
        '</td></tr><tr><td><div class="toptext">{}</div></td></tr></table>',
        f"<table>{HACKER_NEWS}</table>",
    ),
    "Lemmy": (
        '<div class="post-listing"><div class="vote-bar"><div class="post-score score">17</div>'
        '</div><h1 class="h5"><a href="/post/1">A silent kettle</a></h1>by '
        '<a class="person-listing author" href="/u/dora">Dora</a> '
        '<time datetime="2024-05-02T09:00:00Z">1 day ago</time>'
        '<article id="postContent"><div class="md-div"><p>{}</p></div></article></div>',
        LEMMY,
    ),
}


@pytest.mark.parametrize("name", OPENINGS)
def test_the_post_that_comments_answer_is_a_post(name):
    opening, comment = OPENINGS[name]
    found = read(f"<main>{opening.format(ASKED)}{records_html(comment)}</main>")
    assert found.kind == "thread"
    assert [post.text for post in found.posts] == [ASKED, *SAID]
    first = found.posts[0]
    assert (first.author, first.time[:10], first.depth, first.votes) == (
        "Dora",
        "2024-05-02",
        0,
        17,
    )
    # One that only links to a story has no text: it is no post.
    found = read(f"<main>{opening.format('')}{records_html(comment)}</main>")
    assert [post.text for post in found.posts] == list(SAID)


def test_votes_may_be_an_attribute_of_a_comment():
    opening, comment = OPENINGS["Reddit"]
    found = read(f"<main>{opening.format(ASKED)}{records_html(comment)}</main>")
    assert [post.votes for post in found.posts] == [17, 5, 5, 5]


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


def _topic(around: str, before: str = "") -> str:
    comments = records_html(
        '<li itemscope itemtype="https://schema.org/Comment"><b itemprop="author">{who}</b>'
        '<time itemprop="dateCreated" datetime="{when}">May</time>'
        '<div itemprop="text">{said}</div></li>'
    )
    first = f'<div class="Topic-post"><p>{"The first post asks at length. " * 14}</p></div>'
    return f"{before}<main class={around}>{first}<ul>{comments}</ul></main>"


def test_what_is_in_one_element_named_a_topic_is_a_thread():
    found = read(_topic("TopicView"))
    assert found.kind == "thread"
    assert [post.text for post in found.posts][1:] == list(SAID)
    assert found.posts[0].text.startswith("The first post asks at length.")


@pytest.mark.parametrize(("around", "before"), [("Story", ""), ("TopicView", ARTICLE)])
def test_comments_after_an_article_are_no_thread(around, before):
    assert read(_topic(around, before)).kind == "comments"


TERM = (
    '<dt class="comment even" id="comment-{n}"><span class="comment_author">{who}</span> '
    '<span class="comment_time">{when}</span></dt>'
    '<dd class="comment even"><div class="format_text"><p>{said}</p></div></dd>'
)


def test_a_term_and_its_description_are_one_comment():
    picture = "<h1>The wall of the old harbour</h1><img src=h.jpg>"
    weblog = f'<div class="post hentry" id="post-7">{picture}</div>'
    found = read(f"{weblog}<div id=comments><dl>{records_html(TERM)}</dl></div>")
    assert found.kind == "comments"
    assert [(post.author, post.time, post.text) for post in found.posts] == [
        ("ada_l", "2024-05-03", SAID[0]),
        ("Brahe", "2024-05-04", SAID[1]),
        ("Curie", "2024-05-05", SAID[2]),
    ]


def test_terms_without_descriptions_of_the_same_name_stay():
    other = TERM.replace('<dd class="comment even">', "<dd class=text>")
    found = read(f"{ARTICLE}<div id=comments><dl>{records_html(other)}</dl></div>")
    assert found.kind in ("comments", "none")


def test_a_first_post_of_another_form_has_its_author_and_time():
    body = '<div class="Message userContent"><p>{said}</p></div>'
    meta = '<a class="Username" href="/profile/{who}">{who}</a><time datetime="{when}">May</time>'
    answer = f'<li class="ItemComment" id="Comment_{{n}}">{meta}{body}</li>'
    first = f'<div class="Head">{meta}</div><div class="Wrap">{body}</div>'.format(
        said="The one who asks has a kettle that is loud in the night.",
        who="Dirac",
        when="2024-05-01",
    )
    found = read(f"<h1>Kettles</h1><div><div>{first}</div></div><ul>{records_html(answer)}</ul>")
    assert [(post.author, post.time) for post in found.posts] == [
        ("Dirac", "2024-05-01"),
        ("ada_l", "2024-05-03"),
        ("Brahe", "2024-05-04"),
        ("Curie", "2024-05-05"),
    ]


def test_what_only_wraps_a_question_is_no_post():
    asked = (
        '<div class="question"><div class="question" id="question-1"><a class="author" '
        'href="/users/1">Dirac</a><time datetime="2024-05-01">May</time><p>The one who asks has a '
        'kettle that is loud in the night.</p></div><ul><li><a rel="tag" href="/t">kettles</a></li>'
        "</ul></div>"
    )
    answer = (
        '<div class="answer" id="answer-{n}"><a class="author" href="/users/{n}">{who}</a>'
        '<time datetime="{when}">May</time><p>{said}</p></div>'
    )
    found = read(f"{asked}{records_html(answer)}")
    assert [(post.author, post.depth) for post in found.posts] == [
        ("Dirac", 0), ("ada_l", 0), ("Brahe", 0), ("Curie", 0),
    ]  # fmt: skip
