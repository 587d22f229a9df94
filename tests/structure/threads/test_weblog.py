"""Posts of weblogs by year, and classes of comments."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.structure.threads.markup import ARTICLE, COMMENTS, XENFORO, records_html
from thresher.document import extract
from thresher.page.parse import parse
from thresher.structure import threads
from thresher.structure.threads import Post
from thresher.structure.threads.weblog import (
    _NUMBER,
    CLASSES,
    WeblogPost,
    comment_class,
    merged,
    per_year,
    summary,
    weblog_posts,
)


def comment(text: str, author: str = "") -> Post:
    return Post(author, "", "", text, 0, 0, ())


@pytest.mark.parametrize(
    ("text", "author", "expected"),
    [
        ("Thank you, I will change it", "Ada", "author"),
        ("Is it?", "ada ", "author"),  # the author of the post comes first
        ("See https://kettles.example/ for more kettles", "Brahe", "link"),
        ("Visit WWW.kettles.example?", "", "link"),
        ("How loud is it? Mine is silent all night long", "", "question"),
        ("هل هذا صحيح؟", "", "question"),
        ("本当ですか？", "", "question"),
        ("He asked (is it?) and went", "", "question"),
        ("kettle.php?id=3 is where I found the kettle", "", "remark"),
        ("Είναι αυτό σωστό\u037e", "", "question"),
        ("one two three four five; six", "", "remark"),
        ("Great post, thank you!", "", "short"),
        ("one two three four five", "", "short"),
        ("one two three four five six", "", "remark"),
        ("", "", "short"),
    ],
)
def test_the_class_of_a_comment(text, author, expected):
    assert comment_class(comment(text, author), "Ada") == expected


def test_without_an_author_no_comment_is_by_the_author():
    assert comment_class(comment("Thanks", ""), "") == "short"


# --- posts of one page ---------------------------------------------------------------------------


def test_an_article_with_comments_is_one_post():
    around, record = COMMENTS["wordpress"]
    page = parse(ARTICLE + around.format(records_html(record)), url="https://a.example/kettle")
    found = weblog_posts(
        page, threads.read(page), title="Kettles", author="Curie", time="2024-05-02"
    )
    assert found == [
        WeblogPost(
            "Kettles", "Curie", "2024-05-02", "https://a.example/kettle", 3,
            {"author": 1, "remark": 2},
        )
    ]  # fmt: skip


def test_the_first_post_of_a_thread_is_the_post():
    page = parse(f'<div class="block-body">{records_html(XENFORO)}</div>')
    (post,) = weblog_posts(page, threads.read(page), title="Kettles")
    assert (post.author, post.time[:10], post.comments) == ("ada_l", "2024-05-03", 2)
    assert post.classes == {"remark": 2}


def test_entries_of_an_index_are_posts():
    entry = (
        '<div class="post"><h2><a href="/{n}">How loud may kettle {n} be</a></h2>'
        '<span class="author"><a href="/by/ada">Ada Lovelace</a></span>'
        '<time datetime="202{n}-05-03">May</time><p>Kettles are loud, as all of us know.</p>{more}'
        "</div>"
    )
    more = ('<a href="/0#comments">12 comments</a>', '<a href="/1#respond">Leave a reply</a>', "")
    html = "".join(entry.format(n=n, more=text) for n, text in enumerate(more))
    page = parse(html, url="https://a.example/blog/")
    found = weblog_posts(page, threads.read(page), title="A weblog", time="2030-01-01")
    assert [(post.title, post.url) for post in found] == [
        (f"How loud may kettle {n} be", f"https://a.example/{n}") for n in range(3)
    ]
    assert [post.comments for post in found] == [12, None, None]
    assert [post.year for post in found] == ["2020", "2021", "2022"]
    assert {post.author for post in found} == {"Ada Lovelace"}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1,234 comments", 1234),
        ("1.234 Kommentare", 1234),
        ("12 345 commentaires", 12345),
        ("1.2k comments", None),
        ("-3", None),
        ("9" * 20, None),
    ],
)
def test_a_number_of_comments_is_read_whole_or_not_at_all(text, count):
    found = _NUMBER.search(text)
    number = int("".join(filter(str.isdecimal, found[0]))) if found else None
    assert number == count


def test_a_page_without_posts():
    page = parse("<h1>About</h1><p>Who we are.")
    assert weblog_posts(page, threads.read(page), title="About") == []
    dated = weblog_posts(page, threads.read(page), title="Tea", time="2024-05-03")
    assert dated == [WeblogPost("Tea", "", "2024-05-03", "", 0)]
    assert weblog_posts(parse(""), threads.read(parse(""))) == []


def test_the_posts_of_a_document():
    html = f"<meta property=article:published_time content=2023-04-05><h1>Kettles</h1>{ARTICLE}"
    (post,) = extract(html, url="https://a.example/1").weblog_posts
    assert (post.title, post.year, post.url) == ("Kettles", "2023", "https://a.example/1")
    assert post.comments == 0


# --- several pages -------------------------------------------------------------------------------


def test_a_post_on_two_pages_is_counted_once():
    on_index = WeblogPost("Tea", "", "2024", "https://a.example/1#more", 4)
    own = WeblogPost("Tea", "", "2024-05-03", "https://a.example/1/", 3, {"short": 3})
    unknown = WeblogPost("Tea", "", "2024", "https://a.example/1", None)
    nowhere = WeblogPost("Tea", "", "2024", "", 0)
    assert merged([unknown, on_index, own, unknown]) == [own]
    assert merged([unknown, on_index]) == [on_index]
    assert merged([nowhere, nowhere]) == [nowhere, nowhere]
    assert merged([]) == []


POSTS = st.builds(
    WeblogPost,
    st.just("Tea"),
    st.just(""),
    st.sampled_from(["", "2021", "2021-03-04", "2022-05-06T07:08:09+00:00"]),
    st.just(""),
    st.none() | st.integers(0, 9),
    st.dictionaries(st.sampled_from(CLASSES), st.integers(1, 4)),
)


@given(st.lists(POSTS, max_size=8))
def test_the_numbers_of_each_year_equal_a_count_of_each(posts):
    found = per_year(posts)
    assert list(found) == sorted({post.time[:4] or "unknown" for post in posts})
    for year, counts in found.items():
        of_year = [post for post in posts if (post.time[:4] or "unknown") == year]
        classes = sum((Counter(post.classes) for post in of_year), Counter())
        assert counts["posts"] == len(of_year)
        assert counts["comments"] == sum(post.comments or 0 for post in of_year)
        assert all(counts[name] == classes[name] for name in CLASSES)


def test_the_summary_is_plain_data():
    posts = [
        WeblogPost("Tea", "Ada", "2023-05-03", "/1", 1, {"short": 1}),
        WeblogPost("Pot", "Ada", "2024-05-03", "/2", None),
        WeblogPost("Cup", "Ada", "", "/3", 7),
    ]
    found = json.loads(json.dumps(summary(posts)))
    assert [post["title"] for post in found["posts"]] == ["Cup", "Tea", "Pot"]
    assert [(year, counts["posts"]) for year, counts in found["years"].items()] == [
        ("2023", 1),
        ("2024", 1),
        ("unknown", 1),
    ]


def test_time_grows_with_the_number_of_entries():
    entry = '<div class="post"><h2><a href="/{}">How loud may a kettle be</a></h2><p>Tea</div>'

    def make(size):
        page = parse("".join(map(entry.format, range(size))))
        return page, threads.read(page)

    assert_linear(lambda made: weblog_posts(*made), make, 200)
