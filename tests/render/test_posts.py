"""Forum pages are written post by post."""

import re

import pytest
from markdown_it import MarkdownIt

import thresher
from tests.growth import assert_linear
from tests.render.helpers import valid_tei
from thresher import Include

POST = (
    '<div class="message message--post js-post" id="js-post-{n}"><div class="message-inner">'
    '<div class="message-cell message-cell--user"><a class="username" href="/members/{who}">{who}'
    '</a><div class="rank">Member</div></div>'
    '<div class="message-cell message-cell--main"><div class="message-main js-quickEditTarget">'
    '<time datetime="2024-05-0{n}T10:00:00+00:00">Friday</time> <a href="#post-{n}">#{n}</a>'
    '<div class="message-content"><div class="bbWrapper">{said}</div></div>'
    '<span class="vote-count">{votes}</span><a href="/report">Report</a> <a href="/r">Reply</a>'
    "</div></div></div>{inner}</div>"
)
SAID = (
    "<p>My kettle whistles far too <b>loudly</b> in the morning.</p><ul><li>steel<li>old</ul>",
    '<blockquote class="bbCodeBlock--quote"><cite>Ada said:</cite> My kettle whistles</blockquote>'
    "<p>Turn the flame down before it boils, and it will be quiet.</p>",
    "<p>Take the whistle off and keep it in a drawer.</p>",
)
WHO = ("Ada", "Brahe", "Curie")


def thread(*, votes: bool = True) -> str:
    """A thread in which the second post answers the first, and the third none."""
    posts = []
    for n, (who, said) in enumerate(zip(WHO, SAID, strict=True), 1):
        given = {"n": n, "who": who, "said": said, "votes": str(10 * n) if votes else ""}
        posts.append(given)
    answer = f'<div class="replies">{POST.format(inner="", **posts[1])}</div>'
    first, last = POST.format(inner=answer, **posts[0]), POST.format(inner="", **posts[2])
    return (
        f"<title>Loud</title><h1>Loud kettle</h1><div>{first}{last}</div><p>Post</p><p>Cancel</p>"
    )


def test_a_quotation_around_a_post_is_none() -> None:
    said = [f"<blockquote><div>{said}</div></blockquote>" for said in SAID]
    posts = [POST.format(n=n, who=WHO[n - 1], said=said[n - 1], votes="", inner="") for n in (1, 3)]
    written = thresher.extract(
        f"<title>Loud</title><h1>Loud kettle</h1>{''.join(posts)}"
    ).markdown()
    assert "\n\nTake the whistle off and keep it in a drawer." in written
    assert "> " not in written


@pytest.fixture
def document() -> thresher.Document:
    return thresher.extract(thread())


MARKDOWN = """\
**Ada** · 2024-05-01 10:00 · votes: 10

My kettle whistles far too **loudly** in the morning.

- steel
- old

> **Brahe** · 2024-05-02 10:00 · votes: 20
>
> > Ada wrote:
> >
> > My kettle whistles
>
> Turn the flame down before it boils, and it will be quiet.

**Curie** · 2024-05-03 10:00 · votes: 30

Take the whistle off and keep it in a drawer."""


def test_markdown(document):
    written = document.markdown()
    assert MARKDOWN in written
    tokens = MarkdownIt().parse(written)
    assert [token.level for token in tokens if token.type == "blockquote_open"] == [0, 1]


def test_nothing_of_a_post_is_missing_from_the_text_and_no_button_is_there(document):
    assert len(document.threads) == 3
    for post in document.threads.posts:
        for line in post.text.splitlines():
            assert line in document.text
    for written in (document.text, document.markdown(), document.tei(), document.html()):
        assert re.search(r"\b(Report|Reply|Cancel)\b", written) is None


def test_json_has_the_posts(document):
    posts = document.to_dict()["posts"]
    assert [(post["author"], post["depth"], post["parent"], post["votes"]) for post in posts] == [
        ("Ada", 0, None, 10),
        ("Brahe", 1, 0, 20),
        ("Curie", 0, None, 30),
    ]
    assert posts[1]["text"] == "Turn the flame down before it boils, and it will be quiet."
    assert posts[2]["time"] == "2024-05-03T10:00:00+00:00"


def test_tei_has_a_division_for_each_post(document):
    written = document.tei()
    valid_tei(written)
    assert (
        '<div type="post" n="2" xml:id="post-2" corresp="#post-1"><opener>'
        '<name type="person">Brahe</name>'
        '<date when="2024-05-02T10:00:00+00:00">Friday</date>'
        '<num type="votes" value="20">20</num></opener>' in written
    )
    assert written.count('<div type="post"') == 3


def test_an_article_has_no_posts():
    article = thresher.extract("<h1>Tea</h1>" + "<p>Steep the leaves for three minutes.</p>" * 9)
    assert article.to_dict()["posts"] == []


def _with(said: str) -> str:
    """Return the Markdown of a thread whose first post ends with this."""
    given = (f"{SAID[0]}{said}", SAID[1], SAID[2])
    posts = [
        POST.format(n=n, who=who, said=text, votes="", inner="")
        for n, (who, text) in enumerate(zip(WHO, given, strict=True), 1)
    ]
    return thresher.extract(f"<title>Loud</title><h1>Loud kettle</h1>{''.join(posts)}").markdown()


@pytest.mark.parametrize(
    "code",
    [
        '<pre class="codeblock-buttons"><code>boil()</code></pre>',
        '<div class="code-toolbar"><pre><code>boil()</code></pre></div>',
        '<div class="with-actions"><pre>boil()</pre></div>',
    ],
)
def test_code_is_no_button_whatever_its_class(code: str) -> None:
    assert "```\nboil()\n```" in _with(code)


def test_tasks_of_posts_have_boxes() -> None:
    box = "<input type=checkbox"
    assert "- [x] fill it\n- [ ] pour it" in _with(
        f"<p>Then:</p><ul><li>{box} checked> fill it<li>{box}> pour it</ul>"
    )


@pytest.mark.parametrize(
    "said", ["The sign at the door said", "My doctor says", "Le vendeur a écrit "]
)
def test_what_a_post_quotes_of_others_than_members_stays_with_its_sentence(said: str) -> None:
    quoted = "No kettles of glass, please, since they break."
    written = _with(f"<p>{said}:</p><blockquote><p>{quoted}</p></blockquote><p>So I went home.</p>")
    assert f"{said}:\n\n> {quoted}" in written


def test_without_votes_or_author():
    written = thresher.extract(thread(votes=False).replace(">Ada<", "><")).markdown()
    assert "**#1** · 2024-05-01 10:00\n" in written
    assert "votes" not in written


def test_links_can_be_left_out(document):
    assert "](" not in document.markdown(Include(links=False))


def test_time_is_linear_in_the_number_of_posts():
    def page(size: int) -> thresher.Document:
        posts = "".join(
            POST.format(n=1, who=WHO[n % 3], said=SAID[n % 3] + f"<p>{n}</p>", votes=n, inner="")
            for n in range(size)
        )
        return thresher.extract(f"<title>Loud</title><div>{posts}</div>")

    assert len(page(50).to_dict()["posts"]) == 50
    assert_linear(thresher.Document.markdown, page, 150)


HEADINGS = ("Northern basin closed", "Cranes are inspected", "Ferries leave from Berg")


def _notes(heading: str) -> thresher.Document:
    """Return a page of entries with their headings above the texts; `heading` is the markup."""
    entries = [
        f'<div class="post" id="post-{n}"><span class="author">ada</span> '
        f'<time datetime="2024-05-0{n + 1}">2024-05-0{n + 1}</time>{heading.format(title)}'
        f'<div class="content"><h4>Fixed</h4><ul><li>The {title.lower()} as of the morning of this '
        f"day, says the harbour.</li><li>Nothing else was mended in this hour {n}.</li></ul></div>"
        "</div>"
        for n, title in enumerate(HEADINGS)
    ]
    return thresher.extract(f"<title>Notes</title><h1>Notes</h1>{''.join(entries)}")


@pytest.mark.parametrize("heading", ["<h2>{}</h2>", '<header><h3 class="title">{}</h3></header>'])
def test_headings_of_entries_stay_with_their_posts(heading: str) -> None:
    document = _notes(heading)
    level = "##" if "h2" in heading else "###"
    for title, post in zip(HEADINGS, document.to_dict()["posts"], strict=True):
        assert post["text"].startswith(f"{title}\nFixed\n")
        assert post["author"] == "ada"
        assert title in document.text
        assert f"\n\n{level} {title}\n\n" in document.markdown()
    assert document.tei().count("<head>") >= 2 * len(HEADINGS)


@pytest.mark.parametrize(
    "heading", ["<h3>Re: Loud kettle</h3>", "<h3>#{n}</h3>", "<h3>#{n} 2024-05-0{n} 10:00:00</h3>"]
)
def test_subjects_and_numbers_of_posts_are_no_headings(heading: str) -> None:
    posts = [
        POST.format(n=n, who=who, said=said, votes="", inner="").replace(
            '<div class="message-content">', heading.format(n=n) + '<div class="message-content">'
        )
        for n, (who, said) in enumerate(zip(WHO, SAID, strict=True), 1)
    ]
    written = thresher.extract(f"<title>Loud</title><h1>Loud kettle</h1>{''.join(posts)}")
    assert [post.headings for post in written.threads.posts] == [(), (), ()]
    assert "Re: Loud" not in written.markdown()


IMAGE = '<img src="/a/kettle.jpg" alt="my kettle" width=400 height=300>'


@pytest.mark.parametrize(
    "said",
    [
        f"<p>{IMAGE}</p>",
        f'<div class="attachments"><a href="/full.jpg">{IMAGE}</a></div>',
        f"<figure>{IMAGE}</figure>",
    ],
)
def test_an_image_at_the_end_of_a_post_stays(said: str) -> None:
    assert "![my kettle](/a/kettle.jpg)" in _with(said).split("**Brahe**")[0]


@pytest.mark.parametrize(
    "said",
    [
        f'<div class="signature">{IMAGE}</div>',
        '<p><img src="/smile.gif" alt="smile" width=16 height=16></p>',
        f"<p hidden>{IMAGE}</p>",
        '<aside class="onebox"><img src="/s/f.ico"><a href="/s">A kettle of steel</a></aside>',
    ],
)
def test_images_of_signatures_and_icons_are_left_out(said: str) -> None:
    assert "![" not in _with(said)


def test_name_and_size_on_an_image_are_left_out() -> None:
    box = (
        f'<div><a class="lightbox" href="/full.jpg">{IMAGE}<div class="meta"><span>my kettle'
        "</span><span>1920×1080 201 KB</span></div></a></div>"
    )
    assert "[![my kettle](/a/kettle.jpg)](/full.jpg)" in _with(box)
    assert "201 KB" not in _with(box)


LINES = "boil();<br>&nbsp;&nbsp;&nbsp;&nbsp;pour(1);<br>\ndrink();"


@pytest.mark.parametrize(
    "box",
    [
        '<dl class="codebox"><dt>Code:</dt><dd><code>{}</code></dd></dl>',
        '<div class="codeheader">Code:</div><code class="bbc_code">{}</code>And that is all.',
        '<div class="codeblock"><div class="title">Code:</div><div class="body"><code>{}</code>'
        "</div></div>",
        '<div class="bbcode_code"><code><code>{}<br></code></code></div>',
    ],
)
def test_code_of_boards_keeps_its_lines(box: str) -> None:
    assert "\n```\nboil();\n    pour(1);\ndrink();\n```\n" in _with(box.format(LINES))


def test_code_of_two_lines_in_a_box_is_a_block() -> None:
    box = '<div class="codeblock"><div>Code:</div><div class="body"><code>{}</code></div></div>'
    assert "\n```\nboil()\npour()\n```\n" in _with(box.format("boil()<br />pour()"))


def test_a_line_break_in_a_sentence_with_code_makes_no_block() -> None:
    assert "```" not in _with("<p>Call <code>boil()<br>pour()</code> and wait.</p>")


_LOUD = "Steel kettles are loud in the morning."
QUOTED = {
    "Discourse": '<aside class="quote no-group" data-username="Ada"><div class="title">'
    '<div class="quote-controls"></div><img class="avatar" src="/a.png" alt=""> Ada:</div>'
    f"<blockquote><p>{_LOUD}</p></blockquote></aside>",
    "XenForo": '<blockquote data-quote="Ada" class="bbCodeBlock bbCodeBlock--quote">'
    '<div class="bbCodeBlock-title"><a href="/goto/post?id=1">Ada said:</a></div>'
    f'<div class="bbCodeBlock-content">{_LOUD}</div></blockquote>',
    "vBulletin 4": '<div class="bbcode_container"><div class="bbcode_quote"><div '
    'class="bbcode_postedby">Originally Posted by <strong>Ada</strong></div>'
    f"<div>{_LOUD}</div></div></div>",
    "vBulletin 3": '<div style="margin:20px"><div class="smallfont">Quote:</div><table><tr><td '
    'class="alt2"><div>Originally Posted by <strong>Ada</strong></div>'
    f"<div>{_LOUD}</div></td></tr></table></div>",
    "phpBB": '<blockquote cite="./viewtopic.php?p=1#p1"><div><cite><a href="/u/1">Ada</a> wrote: '
    f'<a href="/p/1">↑</a></cite>{_LOUD}</div></blockquote>',
}


@pytest.mark.parametrize("quoted", QUOTED.values(), ids=QUOTED)
def test_all_boards_have_quotations_with_the_name_of_the_author(quoted: str) -> None:
    said = f"<p>{_LOUD} What do you use at home for your tea?</p>"
    answer = "Mine is made of glass, and it is much quieter."
    posts = [("Ada", said), ("Brahe", f"{quoted}<p>{answer}</p>"), ("Curie", said)]
    page = "".join(
        POST.format(n=n, who=who, said=text, votes="", inner="")
        for n, (who, text) in enumerate(posts, 1)
    )
    found = thresher.extract(f"<title>Loud</title><h1>Loud kettle</h1><div>{page}</div>")
    assert f"> Ada wrote:\n>\n> {_LOUD}\n\n{answer}" in found.markdown()
    assert "Ada said:" not in found.text
    assert "Ada:" not in found.text
