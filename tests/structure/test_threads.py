"""Posts and comments: the markup of each platform in small, the rules one by one, the measures."""

import json
import pickle
import time
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest

from benchmarks import threads as measure
from benchmarks.floors import corpora_folder
from tests.growth import assert_linear
from thresher.evaluate import corpora
from thresher.evaluate.corpora import GoldPage
from thresher.page.parse import parse
from thresher.structure import threads
from thresher.structure.threads import record_rows as parts
from thresher.structure.threads import records
from thresher.structure.threads import vocabulary as names

SAID = (
    "The first one asks how a kettle can boil without any noise in the night",
    "The second one answers that a slower flame makes no noise at all, but takes longer",
    "The third one thanks them both and says that the kettle is silent now",
)
WHO = ("ada_l", "Brahe", "Curie")
WHEN = ("2024-05-03", "2024-05-04", "2024-05-05")
ARTICLE = "<p>" + "An article about kettles goes on for many words and sentences. " * 8 + "</p>"

DISCOURSE = (
    '<div class="topic-body crawler-post" id="post_{n}"><div class="crawler-post-meta">'
    '<span class="creator"><a href="/u/{who}"><span>{who}</span></a></span>'
    '<time datetime="{when}T10:00:00Z" class="post-time">long ago</time></div>'
    '<div class="post"><p>{said}</p></div><div class="crawler-linkback-list"></div></div>'
)
PHPBB = (
    '<div id="p{n}" class="post has-profile bg2"><div class="inner"><dl class="postprofile">'
    '<dt><a href="./memberlist.php?u={n}" class="username">{who}</a></dt><dd>Posts: 12</dd>'
    "<dd>Joined: Feb 4, 2015</dd></dl>"
    '<div class="postbody"><h3><a href="#p{n}">Re: kettles</a></h3><p class="author">'
    '<time datetime="{when}T10:00:00+00:00">May</time></p><div class="content">{said}</div>'
    '<div class="signature" id="sig{n}">my signature</div></div></div></div>'
)
VBULLETIN_3 = (
    '<div><table class="tborder" id="post{n}"><tr><td>{when}, 10:00</td></tr><tr><td>'
    '<a class="bigusername" href="member.php?u={n}">{who}</a></td></tr>'
    '<tr><td id="td_post_{n}"><div id="post_message_{n}">{said}</div></td></tr></table></div>'
)
VBULLETIN_4 = (
    '<li class="postbitlegacy postbitim postcontainer" id="post_{n}"><div class="posthead">'
    '<span class="date">{when}</span></div><div class="userinfo"><a class="username" '
    'href="members/{n}">{who}</a></div><div class="postbody"><blockquote class="postcontent">'
    "{said}</blockquote></div></li>"
)
XENFORO = (
    '<article class="message message--post js-post" id="js-post-{n}"><div class="message-inner">'
    '<div class="message-cell message-cell--user"><a href="/members/{n}" class="avatar">a</a>'
    '<h4 class="message-name"><a href="/members/{n}/" class="username">{who}</a></h4></div>'
    '<div class="message-cell"><header><time datetime="{when}T10:00:00-0700" class="u-dt">May'
    '</time></header><article class="message-body"><div class="bbWrapper">{said}</div></article>'
    '<footer class="message-footer"><a class="actionBar-action">Reply</a></footer></div></div>'
    "</article>"
)
OLD_REDDIT = (
    '<div class="thing id-t1_{n} comment"><div class="entry"><p class="tagline">'
    '<a href="/user/{who}" class="author">{who}</a><span class="score">5 points</span>'
    '<time datetime="{when}T10:00:00+00:00" class="live-timestamp">2 days ago</time></p>'
    '<form class="usertext"><div class="usertext-body"><div class="md"><p>{said}</p></div></div>'
    '</form><ul class="flat-list buttons"><li>reply</li></ul></div></div>'
)
NEW_REDDIT = (
    '<shreddit-comment author="{who}" depth="0" thingid="t1_{n}"><div slot="commentMeta">'
    '<a href="/user/{who}/">{who}</a><time datetime="{when}T10:00:00Z">2d</time></div>'
    '<div slot="comment"><p>{said}</p></div></shreddit-comment>'
)
HACKER_NEWS = (
    '<tr class="athing comtr" id="{n}"><td><table><tr><td class="ind" indent="{depth}">'
    '<img src="s.gif" width="{pixels}"></td><td class="default"><div><span class="comhead">'
    '<a href="user?id={who}" class="hnuser">{who}</a> <span class="age" title="{when}T10:00:00">'
    '<a>1 day ago</a></span></span></div><div class="comment"><div class="commtext c00">{said}'
    '</div><div class="reply"><a>reply</a></div></div></td></tr></table></td></tr>'
)
WORDPRESS = (
    '<li class="comment even thread-even depth-1" id="comment-{n}"><div id="div-comment-{n}" '
    'class="comment-body"><div class="comment-author vcard"><cite class="fn">{who}</cite> '
    '<span class="says">says:</span></div><div class="comment-meta"><a>{when} at 8:00</a></div>'
    '<p>{said}</p><div class="reply"><a>Reply</a></div></div></li>'
)
BLOGGER = (
    '<li class="comment" id="c{n}"><div class="comment-block"><div class="comment-header">'
    '<cite class="user"><a href="https://www.blogger.com/profile/1">{who}</a></cite>'
    '<span class="datetime">{when}</span></div><p class="comment-content">{said}</p>'
    '<span class="comment-actions"><a>Reply</a></span></div></li>'
)
BLOGGER_OLD = (
    '<dt class="comment-author" id="c{n}"><a href="http://www.blogger.com/profile/1">{who}</a> '
    'said...</dt><dd class="comment-body"><p>{said}</p></dd><dd class="comment-footer">'
    '<span class="comment-timestamp">{when}</span></dd>'
)
DISQUS = (
    '<li class="post" id="post-{n}"><div class="post-content"><header><span class="author">'
    '<a href="https://disqus.com/by/x">{who}</a></span><a class="time-ago" '
    'title="{when}T10:00:00">a day ago</a></header><div class="post-message"><p>{said}</p></div>'
    "</div></li>"
)
INVISION = (
    '<article id="elComment_{n}" class="cPost ipsBox ipsComment"><aside class="ipsComment_author">'
    '<h3><a href="/profile/{n}-x/">{who}</a></h3><ul><li>Members</li></ul></aside>'
    '<div id="comment-{n}_wrap" class="ipsComment_content"><a>Posted '
    '<time datetime="{when}T10:00:00Z">May</time></a><div class="cPost_contentWrap">'
    "<p>{said}</p></div></div></article>"
)
SMF = (
    '<div class="windowbg" id="msg{n}"><div class="post_wrapper"><div class="poster"><h4>'
    '<a href="index.php?action=profile;u={n}">{who}</a></h4><ul class="user_info"><li>Member</li>'
    '</ul></div><div class="postarea"><div class="keyinfo"><a class="smalltext">{when}, 10:00'
    '</a></div><div class="post"><div class="inner" id="msg_{n}">{said}</div></div></div></div>'
    "</div>"
)
GITHUB = (
    '<div class="TimelineItem js-comment-container" id="issuecomment-{n}">'
    '<div class="timeline-comment"><h3><a class="author" href="/{who}">{who}</a> commented '
    '<relative-time datetime="{when}T10:00:00Z" class="timestamp">on May</relative-time></h3>'
    '<div class="comment-body"><p>{said}</p></div></div></div>'
)
MICRODATA = (
    '<div class="q{n}x" itemscope itemtype="https://schema.org/Comment"><b itemprop="author" '
    'class="author">{who}</b><time itemprop="dateCreated" datetime="{when}">May</time>'
    '<div itemprop="text">{said}</div></div>'
)
RDFA = (
    '<div vocab="https://schema.org/" typeof="Answer"><b class="author">{who}</b>'
    '<time datetime="{when}">May</time><div>{said}</div></div>'
)
PLAIN_TABLE = (
    '<tr><td><a class="user" href="/{who}">{who}</a>: <span class="date">{when}</span></td></tr>'
    "<tr><td>{said}</td></tr>"
)

THREADS = {
    "discourse": ("<noscript>{}</noscript>", DISCOURSE),
    "phpbb": ("<div id=page-body>{}</div>", PHPBB),
    "vbulletin 3": ("<div id=posts>{}</div>", VBULLETIN_3),
    "vbulletin 4": ("<ol id=posts>{}</ol>", VBULLETIN_4),
    "xenforo": ('<div class="block-body">{}</div>', XENFORO),
    "invision": ("<form>{}</form>", INVISION),
    "smf": ("<div id=forumposts>{}</div>", SMF),
    "reddit, old": ("<div class=sitetable>{}</div>", OLD_REDDIT),
    "reddit, new": ("<main>{}</main>", NEW_REDDIT),
    "hacker news": ("<table>{}</table>", HACKER_NEWS),
    "github": ('<div class="js-discussion">{}</div>', GITHUB),
    "microdata": ("<div>{}</div>", MICRODATA),
    "rdfa": ("<div>{}</div>", RDFA),
    "table without names": ("<div class=discussion><table>{}</table></div>", PLAIN_TABLE),
}
COMMENTS = {
    "wordpress": ("<ol class=commentlist>{}</ol>", WORDPRESS),
    "blogger": ("<ol id=top-ra>{}</ol>", BLOGGER),
    "blogger of old": ("<div id=comments><dl id=comments-block>{}</dl></div>", BLOGGER_OLD),
    "github": ('<div class="js-discussion">{}</div>', GITHUB),
    "microdata": ("<div>{}</div>", MICRODATA),
}


def records_html(record: str) -> str:
    return "".join(
        record.format(n=17 + place, who=who, when=when, said=said, depth=0, pixels=0)
        for place, (who, when, said) in enumerate(zip(WHO, WHEN, SAID, strict=True))
    )


def read(body: str) -> threads.Threads:
    return threads.read(parse(f"<html><body>{body}</body></html>"))


def is_right(found: threads.Threads) -> None:
    assert [post.author for post in found.posts] == list(WHO)
    assert [post.time[:10] for post in found.posts] == list(WHEN)
    assert [post.text for post in found.posts] == list(SAID)


# --- platforms ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", THREADS)
def test_a_thread_of_each_platform(name):
    around, record = THREADS[name]
    found = read(around.format(records_html(record)))
    assert found.kind == "thread"
    is_right(found)


@pytest.mark.parametrize("name", COMMENTS)
def test_comments_of_each_platform(name):
    around, record = COMMENTS[name]
    found = read(ARTICLE + around.format(records_html(record)))
    assert found.kind == "comments"
    is_right(found)


def test_disqus_as_rendered_names_its_comments_posts():
    found = read(f"<ul id=post-list>{records_html(DISQUS)}</ul>")
    assert found.kind == "thread"
    is_right(found)


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
    found = read(f"<div id=mainbar>{asked}<div id=answers>{answered}</div></div>")
    assert found.kind == "thread"
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


# --- depth -------------------------------------------------------------------------------------


def test_nested_comments_are_as_deep_as_their_elements():
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


def test_boxes_beside_their_comment_make_depth():
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


def test_rows_of_a_table_state_their_indent():
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
def test_a_record_may_state_its_depth(attribute):
    def record(n, depth):
        stated = attribute.format(depth)
        named = "" if "class" in stated else 'class="comment"'
        return (
            f'<div id="comment-{n}" {named} {stated}><b class="author">Ada{n}</b>'
            "<p>There are some words to say about the kettle.</p></div>"
        )

    found = read(f"{ARTICLE}<div id=comments>{record(1, 1)}{record(2, 2)}{record(3, 1)}</div>")
    assert [post.depth for post in found.posts] == [0, 1, 0]


# --- kinds -------------------------------------------------------------------------------------


def test_an_article_alone_is_none():
    assert read(ARTICLE) == threads.Threads("none", ())


def test_comments_after_a_short_article_are_no_thread():
    comments = records_html('<div class="comment" id="c{n}"><b>{who}</b><p>{said}</p></div>')
    prose = "<p>" + "The old bridge was opened again on Friday, after nine months. " * 2 + "</p>"
    assert read(f"<article>{prose}</article>{comments}").kind == "comments"
    assert read(f"<article><p>Kettles</p></article>{comments}").kind == "thread"  # says nothing
    assert read(f"<article>{prose}{comments}</article>").kind == "thread"  # they are not after it
    answers = comments.replace("comment", "answer")
    assert read(f"<article>{prose}</article>{answers}").kind == "thread"


def test_an_empty_page_is_none():
    assert read("") == threads.Threads()
    assert threads.read(parse("")) == threads.Threads()


def test_entries_with_titles_that_lead_elsewhere_are_an_index():
    entry = (
        '<article class="post hentry" id="post-{n}"><h2><a href="/2024/{n}">A title with words</a>'
        '</h2><p>{said}</p><span class="author">{who}</span><time datetime="{when}">May</time>'
        "</article>"
    )
    found = read(f"<main>{records_html(entry)}</main>")
    assert found.kind == "index"
    assert len(found) == 3


def test_titles_that_lead_into_the_page_are_no_index():
    assert read(records_html(PHPBB)).kind == "thread"


TITLES = (
    "How loud is a kettle allowed to be",
    "Steel or glass for daily use",
    "Descaling with the juice of a lemon",
    "Which tea for a cold morning",
)
EXCERPT = (
    "I bought a kettle last week, and whatever I do to it, it does not stop to whistle at night."
)
# Lists of topics: a class, the topic's link with {title}, then who and when.
TOPIC_LISTS = {
    "phpbb": (
        '<ul class="topiclist topics">{}</ul>',
        '<li class="row"><dl><dt><a href="viewtopic.php?t={n}" class="topictitle">{title}</a>'
        '<div class="topic-poster">by <a href="memberlist.php?u={n}" class="username">{who}</a> »'
        '<time datetime="2024-05-0{n}T10:00Z">Fri May 0{n}, 2024 10:00 am</time></div></dt>'
        '<dd class="posts">3 <dfn>Replies</dfn></dd><dd class="views">90 <dfn>Views</dfn></dd>'
        '<dd class="lastpost"><dfn>Last post</dfn> by <a href="memberlist.php?u=9">{who}</a>'
        "<time>Sat May 0{n}, 2024 11:00 am</time></dd></dl></li>",
    ),
    "stack exchange": (
        '<div id="questions">{}</div>',
        '<div id="question-summary-{n}" class="s-post-summary"><div>3 votes 2 answers</div>'
        '<h3><a href="/questions/{n}/kettle">{title}</a></h3><div>{excerpt}</div>'
        '<div class="user-card"><a href="/users/{n}/x">{who}</a> <time>asked May {n}</time></div>'
        "</div>",
    ),
    "reddit": (
        "<main>{}</main>",
        '<article><shreddit-post id="t3_{n}"><a href="/r/tea/comments/{n}/kettle/">{title}</a>'
        '<a href="/user/{who}">{who}</a> <time datetime="2024-05-0{n}T10:00Z">today</time>'
        "<p>{excerpt}</p></shreddit-post></article>",
    ),
    "vanilla": (
        '<ul class="DataList Discussions">{}</ul>',
        '<li id="Discussion_{n}" class="Item"><div class="ItemContent Discussion">'
        '<div class="Title"><a href="/discussion/{n}/kettle">{title}</a></div><div class="Meta">'
        'Most recent by <a href="/profile/{who}">{who}</a> <time>May {n}, 2024</time></div></div>'
        "</li>",
    ),
    "bbpress": (
        '<ul class="bbp-topics">{}</ul>',
        '<ul id="bbp-topic-{n}" class="post-{n} topic hentry"><li class="bbp-topic-title">'
        '<a class="bbp-topic-permalink" href="/topic/{n}">{title}</a><p>Started by: '
        '<a href="/users/{who}" class="bbp-author-link">{who}</a></p></li>'
        '<li class="bbp-topic-freshness"><a href="/topic/{n}">1 week, {n} days ago</a></li></ul>',
    ),
    "found messages": (
        '<div class="results">{}</div>',
        '<div class="message" id="m{n}"><div class="subject"><a href="/topic/{n}">{title}</a></div>'
        '<div class="author">{who}</div><div class="date">2024-05-0{n}</div><p>{excerpt}</p></div>',
    ),
}


def topics_html(topic: str, number: int = len(TITLES)) -> str:
    facts = zip(range(1, number + 1), TITLES, (*WHO, "Darwin"), strict=False)
    return "".join(
        topic.format(n=n, title=title, who=who, excerpt=EXCERPT) for n, title, who in facts
    )


@pytest.mark.parametrize("name", TOPIC_LISTS)
def test_a_list_of_topics_is_an_index_and_no_thread(name):
    around, topic = TOPIC_LISTS[name]
    found = read(f"<h1>Kettles</h1>{around.format(topics_html(topic))}")
    assert (found.kind, len(found)) == ("index", 4)


# What posts begin with, that does not lead to a topic.
POST = (
    '<div class="post" id="post-{n}"><span class="author">{who}</span>'
    '<span class="date">{when}</span>'
)


@pytest.mark.parametrize(
    "begin",
    [
        '<a href="/posts/{n}">Post {n} of 3 in this topic</a>',  # the same but for its number
        '<a href="/topic/7">A kettle without any noise</a>',  # the same in all
        '<a href="/posts/{n}">May {n}, 2024 at 8:00 in the morning</a>',  # a time
        '<span class="when"><a href="/posts/{n}">some {n} days ago or so</a></span>',
        '<a href="#p{n}">{who} wrote this into the page</a>',  # into the page
        '<a class="username" href="/{who}">{who} the first of the name</a>',  # a member
        '<a href="/{who}">{who} Lovelace</a>',  # too short for a topic
        '<a href="/x{n}">Reply</a>',
    ],
)
def test_links_that_posts_begin_with_make_no_index(begin):
    found = read(records_html(f"{POST}{begin}<p>{{said}}</p></div>"))
    assert (found.kind, len(found)) == ("thread", 3)


def test_links_in_what_posts_say_make_no_index():
    said = "<p>{said}</p><p>{said} <a href='/{n}'>see {who} and read all about it there</a></p>"
    assert read(records_html(f"{POST}{said}</div>")).kind == "thread"


ENTRY = '<div class="post" id="post-{n}"><a href="/topic/{n}">{title}</a> <b class=author>{who}</b>'


def test_entries_below_an_article_make_no_index():
    entries = topics_html(f"{ENTRY}<i class=date>2024-05-0{{n}}</i></div>")
    assert read(entries).kind == "index"
    assert read(ARTICLE + entries).kind == "none"  # 80 words of prose, 50 of entries
    assert read(f"<div hidden>{ARTICLE * 8}</div>{entries}").kind == "index"


def test_an_entry_that_holds_most_of_the_text_is_the_article():
    entries = topics_html(f"{ENTRY}</div>")
    assert read(f'<div class="post" id="post-9"><h1>A</h1>{ARTICLE * 3}</div>{entries}').kind != (
        "index"
    )


def test_two_entries_are_no_index():
    assert read(topics_html(f"{ENTRY}</div>", 2)).kind != "index"


def test_numbered_questions_without_authors_are_no_thread():
    asked = '<div class="question" id="question-{n}"><b>{said}?</b><p>{said}.</p></div>'
    assert read(records_html(asked)).kind == "none"


def test_comments_in_a_sidebar_are_not_the_pages():
    widget = (
        f"<aside class=sidebar><ul class=recent-comments>{records_html(WORDPRESS)}</ul></aside>"
    )
    assert read(ARTICLE * 4 + widget).kind == "none"


def test_a_form_to_comment_is_no_comment():
    form = '<div class="comment-respond"><form><textarea>Say something</textarea></form></div>'
    assert read(ARTICLE + form).kind == "none"


def test_the_first_post_may_be_marked_up_otherwise():
    asked = "The first post asks something."
    first = f'<div class="ItemDiscussion"><div class="Message">{asked}</div></div>'
    reply = (
        '<li class="ItemComment" id="Comment_{n}"><a class="Username">{who}</a>'
        '<time datetime="{when}">May</time><div class="Message">{said}</div></li>'
    )
    found = read(f"{first}<ul>{records_html(reply)}</ul>")
    assert [post.text for post in found.posts] == [asked, *SAID]


# --- fields ------------------------------------------------------------------------------------


def test_text_leaves_out_controls_signatures_and_who_wrote_it():
    post = read(records_html(PHPBB)).posts[0]
    assert post.text == SAID[0]
    page = parse(f"<html><body>{records_html(PHPBB)}</body></html>")
    kept = page.select(np.array(threads.read(page).posts[0].rows)).text()
    assert WHO[0] in kept
    assert "my signature" not in kept


def test_a_date_of_joining_is_not_the_time_of_a_post():
    record = (
        '<div class="post" id="p{n}"><b class="username">{who}</b><i>Joined: Feb 4, 2015</i>'
        '<div class="body">{said}</div><i>{when}</i></div>'
    )
    assert [post.time for post in read(records_html(record)).posts] == list(WHEN)


def test_a_date_in_a_link_is_a_time_and_no_author():
    comment = (
        '<li class="comment"><p class="who"><b>{who}</b> <a href="#c{n}">3 May, 09:12</a></p>'
        "<p>{said}</p></li>"
    )
    bare = comment.replace("<b>{who}</b>", "{who}")
    for unit in (comment, bare):
        found = read(ARTICLE + f"<ol>{records_html(unit)}</ol>")
        assert [post.author for post in found.posts] == list(WHO)
        assert {(post.time, post.time_as_written) for post in found.posts} == {("", "3 May, 09:12")}


def test_a_time_that_cannot_be_read_is_told_as_written():
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
def test_language_does_not_matter(said, joined):
    body = "".join(
        WORDPRESS.format(n=n, who="作者", when="2024-05-03", said=said + " " * n) for n in range(3)
    )
    found = read(f"{ARTICLE}<ol class=commentlist>{body}</ol>")
    assert found.kind == "comments"
    assert all(joined in post.text and post.author == "作者" for post in found.posts)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("comment even depth-1", "comment:comment"),
        ("post-412", "post:post-#"),
        ("timeline-comment", "comment:timeline-comment"),
        ("comment-body", ""),
        ("comments", ""),
        ("postbody", ""),
        ("topic-list-item", ""),
        ("js-post", "post:js-post"),
        ("structItem structItem--thread", "entry:structItem--thread"),
    ],
)
def test_names_that_say_a_record(name, key):
    assert names.record_key(name) == key


def test_owners_are_the_innermost_records():
    rows, ends = np.array([1, 3, 4, 8]), np.array([7, 6, 6, 9])
    assert parts.owners(10, rows, ends).tolist() == [-1, 0, 0, 1, 2, 2, 0, -1, 3, -1]
    assert records.enclosing(rows, ends).tolist() == [-1, 0, 1, -1]
    assert records.own_sums(rows, ends, ends - rows).tolist() == [3, 1, 2, 1]


# --- contract ----------------------------------------------------------------------------------


def test_what_is_read_is_frozen_picklable_and_plain():
    found = read(records_html(XENFORO))
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(FrozenInstanceError):
        found.kind = "none"
    told = json.loads(json.dumps(found.to_dict()))
    assert told["kind"] == "thread"
    assert told["posts"][0]["author"] == WHO[0]
    assert set(told["posts"][0]) == {
        "author", "time", "time_as_written", "text", "depth", "row", "rows",
    }  # fmt: skip


def test_a_post_says_where_it_stands():
    page = parse(f"<html><body>\n{records_html(XENFORO)}</body></html>")
    found = threads.read(page)
    assert [page.name(post.row) for post in found.posts] == ["article"] * 3
    assert page.position(found.posts[0].row).line == 2
    assert found.select(page).words > 30


def test_reading_twice_is_the_same_and_leaves_the_page_as_it_was():
    page = parse(f"<html><body>{records_html(XENFORO)}</body></html>")
    before = pickle.dumps(page)
    assert threads.read(page) == threads.read(page)
    assert pickle.dumps(page) == before


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


def test_numbers_are_nobodys_names():
    items = "".join(f'<li><b class="author">{n}</b><time>{WHEN[0]}</time> {SAID[0]}' for n in "123")
    assert read(f"<ol class=comments>{items}</ol>").kind == "none"
    items = items.replace(">1<", ">Ada<").replace(">2<", ">Bohr<").replace(">3<", ">Curie<")
    assert [p.author for p in read(f"<ol class=comments>{items}</ol>").posts] == [
        "Ada",
        "Bohr",
        "Curie",
    ]


@pytest.mark.parametrize(
    "unit",
    [
        '<li class="comment" id="comment-1"><b class=author>A</b><p>Some words to say.</p></li>',
        '<div class="comment" id="comment-1"><b class=author>A</b>Some words to say here.',
        '<div class="post comments"><a href="/user/x">A</a><time>May 2024</time>',
        "<dt class=comment-author>Ada<dd class=comment-body>Some words that were said",
        '<div itemscope itemtype="https://schema.org/Comment">',
        "</div></li><td>x<table>",
    ],
)
def test_growth_is_linear_on_hostile_pages(unit):
    def seconds(count):
        page = parse("<html><body><div id=comments>" + unit * count)
        best = np.inf
        for _ in range(3):
            start = time.process_time()
            threads.read(page)
            best = min(best, time.process_time() - start)
        return best

    seconds(200)
    assert seconds(8_000) < 16 * seconds(2_000) + 0.05


def test_many_names_cost_no_more_than_few():
    def seconds(count):
        items = (
            f"<div class=post{'-a' * (n % 90)}{'-p' * (n // 90)}>Some words here"
            for n in range(count)
        )
        page = parse("<html><body>" + "".join(f"{item}</div>" for item in items))
        names.sense.cache_clear()
        names.record_key.cache_clear()
        start = time.process_time()
        threads.read(page)
        return time.process_time() - start

    seconds(200)
    assert seconds(8_000) < 16 * seconds(2_000) + 0.05


# --- tables that name nothing -------------------------------------------------------------------

SAYS = "since I turned the flame down mine is silent, and I like it very much so far."


def rows_of_posts(count: int = 4, *, stamp: str = "Posted: Mon Mar 03, 2003 4:{:02} pm") -> str:
    """Rows of a board of the old web: who wrote, and what."""
    row = "<tr><td valign=top>{}<br>Posts: 12</td><td>{}<hr>{} {}</td></tr>"
    names = ("Ada", "Brahe", "Curie Sklodowska")
    return "".join(row.format(names[n % 3], stamp.format(n), n, SAYS) for n in range(count))


def test_rows_of_a_table_without_names_are_posts():
    head = "<tr><td>Author</td><td>Message</td></tr>"
    found = threads.read(parse(f"<h1>Kettles</h1><table>{head}{rows_of_posts(5)}</table>"))
    assert found.kind == "thread"
    assert [post.time_as_written for post in found.posts][:1] == [
        "Posted: Mon Mar 03, 2003 4:00 pm"
    ]
    assert [post.text for post in found.posts] == [f"{n} {SAYS}" for n in range(5)]


@pytest.mark.parametrize(
    ("stamp", "time"),
    [
        ("Posted: Mon Mar 03, 2003 4:{:02} pm", "2003-03-03"),
        ("发表于 2003-3-3 16:{:02}", "2003-03-03"),
        ("Verfasst am: 3. März 2003, 16:{:02} Uhr", "2003-03-03"),
        ("03.03.2003 16:{:02}", "2003-03-03"),
    ],
)
@pytest.mark.parametrize("between", ["<hr>", "<br>", "<br><br>"])
def test_the_line_that_says_when_is_no_text(stamp, time, between):
    markup = rows_of_posts(stamp=stamp).replace("<hr>", between)
    found = threads.read(parse(f"<table>{markup}</table>"))
    assert [post.text for post in found.posts] == [f"{n} {SAYS}" for n in range(4)]
    assert [post.time for post in found.posts] == [time] * 4
    assert [post.time_as_written for post in found.posts] == [stamp.format(n) for n in range(4)]


def test_a_first_line_that_says_more_is_text():
    stamp = "We met at the station on 3 March 2003 at 16:{:02} sharp"
    found = threads.read(parse(f"<table>{rows_of_posts(stamp=stamp)}</table>"))
    assert [post.text.split("\n")[0] for post in found.posts][:1] == [stamp.format(0)]
    only_one = rows_of_posts(stamp="The clock here said 3 March 2003 16:{:02} and I left at once")
    only_one = only_one.replace("The clock here said 3 March 2003 16:02", "3 March 2003 16:02<br>")
    found = threads.read(parse(f"<table>{only_one}</table>"))
    assert found.posts[2].text.startswith("3 March 2003 16:02 and I left at once")


@pytest.mark.parametrize(
    ("signed", "text"),
    [
        ("<hr>-- <br>Ada of the kettles", ""),
        ("<br>--<br>Ada<br>of the kettles", ""),
        ("<br>_________________<br>Ada of the kettles", ""),
        ("<hr>-- Ada of the kettles", ""),
        ("<br>-- said Ada<br>and left", " -- said Ada and left"),
        (" <i>Ada</i> -- <i>and</i> Brahe", " Ada -- and Brahe"),
        ("<br>--<br>" + "a long story " * 30, " -- " + ("a long story " * 30).strip()),
    ],
)
def test_signatures_are_no_text(signed, text):
    markup = rows_of_posts().replace(SAYS, SAYS + signed)
    found = threads.read(parse(f"<table>{markup}</table>"))
    assert [post.text for post in found.posts] == [f"{n} {SAYS}{text}" for n in range(4)]


@pytest.mark.parametrize("name", ["{}", "<b>{}</b>", " <a name=p1></a><font size=2>{}</font>"])
def test_authors_are_what_the_first_cell_begins_with(name):
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
def test_tables_of_other_things_are_no_threads(markup):
    assert threads.read(parse(markup)).kind == "none"


# --- authors that only a word in a line names ----------------------------------------------------


def signed_lines(count: int = 12, *, stamp: str = "2004-05-03 10:{:02}", said: str = SAYS) -> str:
    """Records without names: an author and a date in a line, and the text."""
    record = "<div><b class=author>Ada</b> <span class=date>{}</span><div>{} {}</div></div>"
    return "".join(record.format(stamp.format(n), n, said) for n in range(count))


def test_records_without_names_are_cut_at_authors_in_lines():
    found = threads.read(parse(f"<h1>Kettles</h1>{signed_lines()}"))
    assert (found.kind, len(found)) == ("thread", 12)
    assert [(post.author, post.time, post.text) for post in found.posts][3:4] == [
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
def test_lines_of_other_things_are_no_threads(markup):
    assert threads.read(parse(markup)).kind == "none"


def test_lines_are_read_in_linear_time():
    assert_linear(threads.read, lambda size: parse(signed_lines(size)), 300)


def test_tables_are_read_in_linear_time():
    assert_linear(threads.read, lambda size: parse(f"<table>{rows_of_posts(size)}"), 300)
    nested = "<table><tr><td>Ada<td>3 May 2003 10:00 and some words"
    assert_linear(threads.read, lambda size: parse(nested * size), 300)


# --- measures ----------------------------------------------------------------------------------


def test_comments_are_measured_on_pages_with_and_without():
    page = f"{ARTICLE}<div class=commentlist>{records_html(WORDPRESS)}</div>"
    said = "\n".join(
        f"{who} says: {when} at 8:00 {text}"
        for who, when, text in zip(WHO, WHEN, SAID, strict=True)
    )
    article = parse(ARTICLE).all().text()
    found = measure.comments(
        [
            GoldPage("with", page.encode(), article, comments=said),
            GoldPage("without", ARTICLE.encode(), article),
            GoldPage("wrong", page.encode(), article),
        ]
    )
    assert (found.pages, found.others, found.claimed) == (1, 2, 1)
    assert found.f1 == 1.0
    assert 0.7 < found.text_f1 < 1.0
    assert found.lost == 0.0
    assert found.all_f1 == pytest.approx(2 / 3)


def test_posts_are_right_within_one():
    page = GoldPage("a", records_html(XENFORO).encode(), "")
    assert measure.posts([page, GoldPage("b", b"", "")], {"a": 4}) == {"a": (3, 4)}
    assert measure.within_one({"a": (3, 4), "b": (3, 5)}) == 1


def test_kinds_are_counted_by_verdict():
    pages = [
        GoldPage("a", records_html(XENFORO).encode(), ""),
        GoldPage("b", ARTICLE.encode(), ""),
        GoldPage("c", b"", ""),
    ]
    assert measure.kinds(pages, {"thread": ["a"], "index": ["b"]}) == {
        "thread": {"thread": 1},
        "index": {"none": 1},
    }


def test_without_corpora_the_command_says_so(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path / "none"))
    assert measure.main([]) == 2
    assert capsys.readouterr().out == "threads: no corpora, set THRESHER_CORPORA\n"


def by_hand(name):
    """What was judged by hand, and its pages; without corpora nothing, and the command says so."""
    folder = corpora_folder()
    if folder is None:
        assert measure.main([]) == 2
        return None
    data = json.loads((Path(__file__).with_name(name)).read_text())
    return data, corpora.read(folder / f"{data['corpus']}.parquet")


@pytest.mark.slow
def test_posts_of_forum_pages_are_counted_as_by_hand(capsys):
    judged = by_hand("forum_posts.json")
    if judged is None:
        return
    data, pages = judged
    found = measure.posts(pages, data["posts"])
    assert len(found) == 20
    assert measure.within_one(found) >= 18, found


@pytest.mark.slow
def test_threads_and_indexes_are_told_apart_as_by_hand():
    judged = by_hand("thread_or_index.json")
    if judged is None:
        return
    data, pages = judged
    found = measure.kinds(pages, data["verdicts"])
    assert {verdict: kinds.total() for verdict, kinds in found.items()} == {
        "thread": 40,
        "index": 29,
        "neither": 24,
    }
    assert found["thread"]["thread"] >= 36
    assert not found["thread"]["index"]
    assert not found["index"]["thread"]
    assert found["index"]["index"] >= 16
    assert found["neither"]["thread"] + found["neither"]["index"] <= 1
