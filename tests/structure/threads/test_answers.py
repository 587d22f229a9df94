"""Questions with answers, comments and issues as common platforms write them."""

import pytest

import thresher

ASKED = "Does anybody remember when the old ferry stopped, and where its bell went after that?"
SAID = (
    "It did not stop, because the new bridge was open by then and the ferry was sold to Norway.",
    "My uncle has the bell in his garden, and rings it whenever somebody brings him cake.",
)
WHO = ("ada", "curie")


def _page(title: str, before: str, answer: str, after: str = "") -> str:
    answers = [
        answer.format(n=number, who=who, said=said)
        for number, (who, said) in enumerate(zip(WHO, SAID, strict=True), 2)
    ]
    body = before.replace("ASKED", ASKED) + "".join(answers) + after
    return f"<title>{title}</title><body>{body}</body>"


TITLE = "When did the old ferry stop?"
QUESTION_2_ANSWER = (
    '<div class="qa-a-list-item hentry answer" id="a{n}"><div class="qa-vote-count">'
    '<span class="qa-netvote-count-data">+{n}</span></div><div class="qa-a-item-main">'
    '<div class="qa-a-item-content qa-post-content"><div class="entry-content"><p>{said}</p></div>'
    '</div><span class="qa-a-item-meta"><a class="qa-a-item-what">answered</a> '
    '<span class="qa-a-item-when"><time datetime="2014-05-0{n}T10:00:00Z">May {n}</time></span> '
    '<span class="qa-a-item-who"><span class="qa-a-item-who-pad">by </span>'
    '<span class="qa-a-item-who-data"><a href="../user/{who}" class="qa-user-link">{who}</a>'
    "</span></span></span></div></div>"
)
LEMMY = (
    '<li class="comment" role="comment"><article id="comment-{n}" class="comment-node">'
    '<div class="small"><a class="person-listing" href="/u/{who}"><span>{who}</span></a>'
    '<button class="btn" aria-label="{n} points"><span>{n}</span></button><span '
    'class="moment-time" '
    'data-tippy-content="Thursday, May {n}, 2014 at 10:00:00 AM">2 years ago</span></div>'
    '<div class="comment-content"><div class="md-div"><p>{said}</p></div></div></article></li>'
)
LEMMY_POST = (
    '<div class="post-listing"><div class="post-title"><h1>When did the old ferry stop?</h1></div>'
    '<a class="person-listing" href="/u/brahe"><span>brahe</span></a><span class="moment-time" '
    'data-tippy-content="Wednesday, May 1, 2014 at 10:00:00 AM">2 years ago</span>'
    '<article id="postContent"><div class="md-div"><p>ASKED</p></div></article>'
    '<div class="post-score" aria-label="1 point">1</div></div><ul class="comments">'
)
ANSWER_HUB = (
    '<div id="answer-{n}" class="answer post-container"><span class="score">{n}</span>'
    '<div class="post-body answer-body"><p>{said}</p></div><div class="userInfo">'
    '<a href="/users/{n}/{who}.html" class="userName">{who}</a> <span '
    'title="05/0{n}/2014 10:00 AM" '
    'class="post-date">May 0{n}, 2014 at 10:00 AM</span></div></div>'
)
ANSWER_HUB_QUESTION = (
    '<h1>When did the old ferry stop?</h1><div id="question-1" class="question post-container">'
    '<span class="score">1</span><div class="post-body question-body"><p>ASKED</p></div>'
    '<div class="userInfo"><a href="/users/1/brahe.html" class="userName">brahe</a> '
    '<span title="05/01/2014 10:00 AM" class="post-date">May 01, 2014 at 10:00 '
    "AM</span></div></div>"
)
ZHIHU = (
    '<div class="List-item"><div class="ContentItem AnswerItem" itemprop="suggestedAnswer" '
    'itemtype="http://schema.org/Answer" itemscope><div class="AuthorInfo" itemprop="author">'
    '<meta itemprop="name" content="{who}"><span class="UserLink AuthorInfo-name">'
    '<a class="UserLink-link" href="//zhihu.example/people/{n}">{who}</a></span></div>'
    '<meta itemprop="upvoteCount" content="{n}"><meta itemprop="dateCreated" '
    'content="2014-05-0{n}T10:00:00.000Z"><div class="RichContent"><div class="RichContent-inner">'
    '<span class="RichText" itemprop="text"><p>{said}</p></span></div></div>'
    '<div class="ContentItem-time"><a href="/a">编辑于 2020-06-0{n}</a></div></div></div>'
)
ZHIHU_QUESTION = (
    '<div class="QuestionPage" itemscope itemtype="http://schema.org/Question">'
    '<div class="QuestionHeader"><h1 class="QuestionHeader-title">When did the old ferry stop?</h1>'
    '<div class="QuestionRichText"><span class="RichText" itemprop="text">ASKED</span></div></div>'
    '<div class="QuestionAnswers-answers">'
)
PAGES = {
    "Question2Answer": ("<h1>When did the old ferry stop?</h1>", QUESTION_2_ANSWER, False),
    "Lemmy": (LEMMY_POST, LEMMY, True),
    "AnswerHub": (ANSWER_HUB_QUESTION, ANSWER_HUB, True),
    "Zhihu": (ZHIHU_QUESTION, ZHIHU, True),
}


@pytest.mark.parametrize("name", PAGES)
def test_answers_have_author_time_and_votes(name):
    before, answer, has_question = PAGES[name]
    document = thresher.extract(_page(f"{TITLE} - Answers", before, answer))
    assert document.title == TITLE
    posts = document.threads.posts
    answers = posts[1:] if has_question else posts
    assert [post.text for post in posts] == [ASKED, *SAID][not has_question :]
    assert [post.author for post in answers] == list(WHO)
    assert [post.time[:16] for post in answers] == ["2014-05-02T10:00", "2014-05-03T10:00"]
    assert [post.votes for post in answers] == [2, 3]


SLASHDOT = (
    '<li id="tree_{n}" class="comment"><div id="comment_{n}" class="cw"><div class="commentTop">'
    '<h4><a href="//x.example/comments.pl?cid={n}">Re:Bell</a> <span class="score">(Score:'
    '<a href="#">{n}</a>, Insightful)</span></h4><div class="details"><span class="by">by '
    '<a href="//x.example/~{who}">{who}</a> (<span class="uid">12345</span>)</span> on Friday May '
    '0{n}, 2014 @10:00AM</div></div><div class="commentBody"><div class="body">{said}</div></div>'
    '<div class="commentSub"><p><b><a href="x">Reply to This</a></b></p></div></div></li>'
)


def test_comments_of_slashdot():
    story = f"<article><h2>The ferry</h2><p>{ASKED * 3}</p></article><ul id=commentlisting>"
    posts = thresher.extract(_page("The ferry", story, SLASHDOT)).threads.posts
    assert [(post.author, post.votes) for post in posts] == [("ada", 2), ("curie", 3)]


TRAC = (
    '<div class="change" id="trac-change-{n}"><h3 class="change"><a href="#comment:{n}">comment:{n}'
    '</a> by <span class="trac-author">{who}</span>, <a class="timeline" href="x" title="See '
    'timeline at May {n}, 2014, 10:00:00 AM">10 years ago</a></h3><div class="comment searchable">'
    "<p>{said}</p></div></div>"
)
TICKET = (
    '<div id="ticket" class="trac-content"><h1><a class="trac-id">#4711</a> <span>new</span></h1>'
    '<h2><span class="summary">Ferry bell does not ring</span></h2><table><tr><th>Reported by:</th>'
    '<td><a class="trac-author" href="x">brahe</a></td></tr></table><div class="description">'
    '<div class="searchable"><p>ASKED</p></div></div></div>'
)


def test_a_ticket_of_trac():
    page = _page("#4711 (Ferry bell does not ring) – Ferry", TICKET, TRAC)
    document = thresher.extract(page)
    assert document.title == "Ferry bell does not ring"
    posts = document.threads.posts
    assert [post.text for post in posts] == [ASKED, *SAID]
    assert [post.author for post in posts] == ["brahe", *WHO]
    assert posts[1].time == "2014-05-02T10:00:00"


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (
            "<title>4711 &ndash; Ferry bell does not ring</title>",
            '<p>Bugzilla</p><b>Bug 4711</b> - <span id="short_desc_nonedit_display">Ferry '
            "bell does "
            "not ring</span>",
        ),
        (
            "<title>Bug #4711: Ferry bell does not ring - Ferry - Redmine</title>",
            '<h1>Ferry</h1><h2>Bug #4711</h2><div class="issue"><div '
            'class="subject"><h3>Ferry bell '
            "does not ring</h3></div></div>",
        ),
        (
            "<title>Question - Ferry bell does not ring | Boats</title>",
            '<h1 class="p-title-value"><span class="label label--primary">Question</span><span '
            'class="label-append">&nbsp;</span>Ferry bell does not ring</h1>',
        ),
        (
            "<title>Ferry bell does not ring : boats</title>"
            '<meta property="og:title" content="r/boats - Ferry bell does not ring">',
            "<p>boats</p>",
        ),
    ],
    ids=["Bugzilla", "Redmine", "XenForo", "Reddit"],
)
def test_the_title_of_a_topic(head, body):
    assert thresher.extract(f"{head}<body>{body}<p>{ASKED}</p>").title == "Ferry bell does not ring"
