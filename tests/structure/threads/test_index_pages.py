"""Index pages: lists of entries that lead to other pages, and posts that are no entries."""

import pytest

from tests.structure.threads.markup import ARTICLE, PHPBB, WHO, read, records_html


def test_entries_with_linked_titles_are_an_index():
    entry = (
        '<article class="post hentry" id="post-{n}"><h2><a href="/2024/{n}">A title with words</a>'
        '</h2><p>{said}</p><span class="author">{who}</span><time datetime="{when}">May</time>'
        "</article>"
    )
    found = read(f"<main>{records_html(entry)}</main>")
    assert found.kind == "index"
    assert len(found) == 3


def test_titles_that_link_into_the_page_make_no_index():
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
def test_first_links_of_posts_make_no_index(begin):
    found = read(records_html(f"{POST}{begin}<p>{{said}}</p></div>"))
    assert (found.kind, len(found)) == ("thread", 3)


def test_links_in_the_text_of_posts_make_no_index():
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


def test_addresses_for_mail_lead_to_no_page():
    html = "".join(
        f'<div class="email" id="e{n}">Write to <a href="mailto:x">{who} of our old house</a> at '
        "any time</div>"
        for n, who in enumerate(WHO)
    )
    assert read(html).kind == "none"
