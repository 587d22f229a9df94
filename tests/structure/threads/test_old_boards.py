"""Old boards, most with a table or row for each post: phpBB 2, vBulletin 3, SMF, UBB."""

import pytest

import thresher
from tests.structure.threads.old_boards import AUTHORS, BOARDS, SMF_2, TEXTS, board_html
from thresher.structure import threads


@pytest.mark.parametrize("name", BOARDS)
def test_posts_of_old_boards(name):
    found = threads.read(thresher.parse(board_html(name)))
    assert found.kind == "thread"
    assert [post.author for post in found.posts] == list(AUTHORS)
    assert [post.text for post in found.posts] == list(TEXTS)
    days = [f"2005-03-1{n}" for n in range(len(TEXTS))]
    assert [post.time[:10] for post in found.posts] == days


@pytest.mark.parametrize("name", BOARDS)
def test_markdown_of_old_boards(name):
    document = thresher.extract(board_html(name))
    assert [text for text in (*AUTHORS, *TEXTS) if text not in document.text] == []
    written = document.markdown()
    lines = [
        line
        for n, (who, text) in enumerate(zip(AUTHORS, TEXTS, strict=True))
        for line in (f"**{who}** · 2005-03-1{n}", text)
    ]
    found = [line[:20] for line in written.splitlines() if line.startswith("**") or line in TEXTS]
    assert found == [line[:20] for line in lines]
    for furniture in ("Quote", "Logged", "Post subject", "Newbie", "![", "Delete", "Tea first"):
        assert furniture not in written


def test_one_post_of_phpbb_2_is_a_post():
    source = (
        '<title>Loud kettle</title><table class="forumline"><tr><th>Author</th><th>Message</th>'
        '</tr><tr><td class="row1"><span class="name"><b>Ada</b></span><br><span '
        'class="postdetails">Joined: 12 Jan 2004<br>Posts: 42</span></td><td class="row1">'
        '<table><tr><td><span class="postdetails">Posted: Thu Mar 10, 2005 9:15 am Post subject: '
        'Loud kettle</span></td><td><a href="posting.php"><img alt="Reply with quote"></a></td>'
        f'</tr><tr><td colspan=2><hr></td></tr><tr><td colspan=2><span class="postbody">{SAYS[0]}'
        "</span></td></tr></table></td></tr></table>"
    )
    posts = threads.read(thresher.parse(source)).posts
    assert [(post.author, post.time[:10], post.text) for post in posts] == [
        ("Ada", "2005-03-10", SAYS[0])
    ]
    written = thresher.extract(source).markdown()
    assert written.splitlines()[::2] == ["**Ada** · 2005-03-10 09:15", SAYS[0]]


def test_text_is_without_the_cards_of_members():
    posts = "".join(
        f'<div class="post" id="post_{n}"><div class="post_author"><a href="member.php?u={n}">{who}'
        "</a><div>Junior Member</div><div>Joined: Mar 2004</div></div>"
        f"<span class=post_date>2005-03-1{n}, 08:40</span><div class=post_body>{said}</div></div>"
        for n, (who, said) in enumerate(zip(AUTHORS, TEXTS, strict=True))
    )
    text = thresher.extract(f"<title>Loud kettle</title><h1>Loud kettle</h1>{posts}").text
    assert [part for part in (*AUTHORS, *TEXTS) if part not in text] == []
    assert "Junior" not in text
    assert "Joined" not in text


SAYS = (
    "The council of the town decided on Monday that the old wooden bridge will be closed for two "
    "years while builders put a new one of steel beside it.",
    "Nope.",
    "My grandfather helped to build it after the flood, and he told us that nobody expected it to "
    "stand for more than twenty winters, which makes sixty quite a success.",
)
UBB_6 = (
    "<table><tr><td width=18%><font size=2><b>{who}</b></font><br><font size=1>Member<br><br>"
    "Posts: {n}2<br>From: Uppsala<br>Registered: Feb 2000</font></td><td><img src=icon.gif>"
    "<font size=1>posted 03-1{n}-2005 0{n}:27 PM &nbsp; <a href=edit>Edit/Delete Message</a> "
    "<a href=reply>Reply w/Quote</a></font><hr><font size=2>{said}</font><p align=right>"
    "<font size=1>IP: Logged</font></td></tr></table>"
)
VBULLETIN = (
    '<table class="tborder" id="post{n}"><tr><td class="thead">05-1{n}-2005, 08:4{n} PM</td>'
    '<td class="thead">#<a href="showpost.php?p={n}"><b>{n}</b></a></td></tr><tr>'
    '<td class="alt2"><a class="bigusername" href="member.php?u={n}">{who}</a>'
    '<div class="smallfont">Senior Member</div><div class="smallfont"><div>Join Date: Mar 2004'
    '</div><div>Posts: 1,20{n}</div></div></td><td class="alt1" id="td_post_{n}">'
    '<div class="smallfont"><b>Re: The new bridge</b></div><hr>'
    '<div id="post_message_{n}">{said}</div></td></tr></table>'
)
DISCOURSE = (
    '<div id="post_{n}" itemprop="comment" itemtype="http://schema.org/Comment" '
    'class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" '
    'itemprop="author"><a href="/u/{who}"><span itemprop="name">{who}</span></a></span>'
    '<span class="crawler-post-infos"><time datetime="2024-05-0{n}T10:00:00Z" class="post-time">'
    'May {n}, 2024, 10:00am</time><span itemprop="position">{n}</span></span></div>'
    '<div class="post" itemprop="text"><p>{said}</p></div></div>'
)


def _topic(post: str, says: tuple[str, ...] = SAYS) -> str:
    """Return a topic about a bridge with one post for each text."""
    posts = [
        post.format(n=number, who=who, said=said)
        for number, (who, said) in enumerate(zip(AUTHORS, says, strict=False), 1)
    ]
    return f"<title>The new bridge</title><body><h1>The new bridge</h1>{''.join(posts)}</body>"


@pytest.mark.parametrize("post", [UBB_6, VBULLETIN, DISCOURSE, SMF_2[1]])
def test_posts_in_text_have_no_data_of_members(post):
    says = (SAYS[0], SAYS[2], SAYS[0][::-1]) if post is UBB_6 else SAYS
    document = thresher.extract(_topic(post, says))
    assert [post.text for post in document.threads.posts] == list(says)
    for said in says:
        assert said in document.text
    for data in ("Member", "Join", "Posts", "Reply", "Re:", "posted", "Uppsala", "#1", "am1"):
        assert data not in document.text


def test_times_of_all_posts_or_of_none():
    text = thresher.extract(_topic(DISCOURSE)).text
    assert text.count("10:00am") in (0, 3)


SUB_SILVER = (
    '<tr><td class="row1"><span class="name"><a name="{n}"></a><b>{who}</b></span><br>'
    '<span class="postdetails">Site Admin<br><br>Joined: 12 Mar 2004<br>Posts: 0{n}2</span></td>'
    '<td class="row1"><table><tr><td><a href="viewtopic.php?p={n}#{n}"><img src="post.gif" '
    'alt="Post"></a><span class="postdetails">Posted: Mon May 0{n}, 2004 10:00 am'
    '<span class="gen">&nbsp;</span>&nbsp; &nbsp;Post subject: The new bridge</span></td>'
    '<td><a href="posting.php"><img src="quote.gif" alt="Reply with quote"></a></td></tr>'
    '<tr><td colspan="2"><hr></td></tr><tr><td colspan="2"><span class="postbody">{said}</span>'
    '<span class="postbody"><br>_________________<br>Drive slowly.</span></td></tr></table></td>'
    '</tr><tr><td class="row1"><a href="#top">Back to top</a></td><td class="row1"><table><tr>'
    '<td><a href="profile.php"><img src="profile.gif" alt="Me"></a></td></tr></table></td></tr>'
)
SUB_SILVER_PAGE = (
    "<title>My Forum :: View topic - The new bridge</title><body><table><tr><td>"
    '<table><tr><td><span class="maintitle">My Forum</span><br><span class="gen">Talk of the town'
    '</span></td></tr></table><table><tr><td><a class="maintitle" href="viewtopic.php?t=3">'
    'The new bridge</a></td></tr></table><table class="forumline"><tr><td colspan="2">'
    '<a href="viewtopic.php?view=previous">View previous topic</a> :: '
    '<a href="viewtopic.php?view=next">View next topic</a></td></tr>'
    "<tr><th>Author</th><th>Message</th></tr>{}<tr><td colspan=2><form>Display posts from previous:"
    " <select><option>All Posts</select></form></td></tr></table><table><tr><td>You <b>cannot</b> "
    "post new topics in this forum</td><td>All times are GMT</td></tr></table></td></tr></table>"
)


@pytest.mark.parametrize("count", [2, 3])
def test_a_topic_of_phpbb_2(count):
    said = (SAYS[0], SAYS[2], TEXTS[0])[:count]
    posts = [
        SUB_SILVER.format(n=number, who=who, said=text)
        for number, (who, text) in enumerate(zip(AUTHORS, said, strict=False), 1)
    ]
    document = thresher.extract(SUB_SILVER_PAGE.format("".join(posts)))
    assert document.title == "The new bridge"
    assert [post.text for post in document.threads.posts] == list(said)
    assert [post.author for post in document.threads.posts] == list(AUTHORS[:count])
    for written in (document.text, document.markdown()):
        for text in (*AUTHORS[:count], *said):
            assert text in written
        for furniture in ("topic", "Message", "All", "subject", "Joined", "slowly", "Admin", "!["):
            assert furniture not in written


QUOTED = "The ferry went at six in the morning, and nobody who had a horse was let on board."
QUOTATIONS = {
    "phpBB 2": (
        '<table><tr><td><span class="genmed"><b>Ada wrote:</b></span></td></tr>'
        '<tr><td class="quote">{}</td></tr></table>'
    ),
    "phpBB 3": "<blockquote><div><cite>Ada hat geschrieben:</cite>{}</div></blockquote>",
    "phpBB 3.2": (
        '<blockquote><div><cite><a href="./memberlist.php?u=1">Ada</a> wrote: <a href="#p1">↑</a>'
        "<span>Fri May 03, 2024 10:00 am</span></cite>{}</div></blockquote>"
    ),
    "vBulletin 3": (
        '<div style="margin:20px"><div class="smallfont">Quote:</div><table><tr><td class="alt2">'
        "<div>Originally Posted by <strong>Ada</strong></div><div>{}</div></td></tr></table></div>"
    ),
    "vBulletin 4": (
        '<div class="bbcode_container"><div class="bbcode_quote"><div class="quote_container">'
        '<div class="bbcode_postedby"><img src="quote.png" alt="Quote"> Originally Posted by '
        '<strong>Ada</strong> <a href="?p=1"><img src="view.png" alt="View Post"></a></div>'
        '<div class="message">{}</div></div></div></div>'
    ),
    "XenForo": (
        '<div class="bbCodeBlock bbCodeQuote" data-author="Ada"><aside><div class="attribution">'
        'Ada said: <a href="goto/post?id=1">↑</a></div><blockquote class="quoteContainer">'
        '<div class="quote">{}</div></blockquote></aside></div>'
    ),
    "XenForo 2": (
        '<blockquote data-quote="Ada" class="bbCodeBlock bbCodeBlock--quote"><div '
        'class="bbCodeBlock-title"><a href="/goto/post?id=1">Ada said:</a></div>'
        '<div class="bbCodeBlock-content"><div>{}</div></div></blockquote>'
    ),
    "SMF 2.0": (
        '<div class="quoteheader"><div class="topslice_quote"><a href="?topic=1.msg1#msg1">Quote '
        "from: Ada on March 11, 2005, 08:41:12 pm</a></div></div>"
        '<blockquote class="bbc_standard_quote">{}</blockquote>'
    ),
    "SMF 2.1": (
        '<blockquote class="bbc_standard_quote"><cite><a href="?msg=1">Quote from: Ada on March 11,'
        " 2005, 08:41:12 PM</a></cite>{}</blockquote>"
    ),
    "MyBB": (
        '<blockquote class="mycode_quote"><cite><span> (05-01-2014, 10:01 AM)</span>Ada Wrote:  '
        '<a href="#pid1" class="quick_jump"></a></cite>{}</blockquote>'
    ),
    "Invision 3": (
        '<blockquote class="ipsBlockquote" data-author="Ada" data-cid="1"><p>{}</p></blockquote>'
    ),
    "Invision 4": (
        '<blockquote class="ipsQuote" data-ipsquote-username="Ada"><div class="ipsQuote_citation">'
        'On 5/1/2024 at 10:00 AM, Ada said:</div><div class="ipsQuote_contents"><p>{}</p></div>'
        "</blockquote>"
    ),
    "Discuz!": (
        '<div class="quote"><blockquote><font size="2"><a href="forum.php?pid=1"><font>Ada 发表于 '
        "2014-5-1 10:00</font></a></font><br>{}</blockquote></div>"
    ),
    "FluxBB": (
        '<div class="quotebox"><cite>Ada wrote:</cite><blockquote><div><p>{}</p></div></blockquote>'
        "</div>"
    ),
    "mailing list": "<p>On 3 May Ada wrote:</p><blockquote><p>{}</p></blockquote>",
    "e-mail": (
        '<div class="gmail_quote"><div>On Fri, May 3, 2024 at 10:00 AM Ada &lt;a@example.org&gt; '
        "wrote:<br></div><blockquote><p>{}</p></blockquote></div>"
    ),
}


@pytest.mark.parametrize("name", QUOTATIONS)
def test_a_quotation_is_the_same_on_all_boards(name):
    says = (SAYS[0], QUOTATIONS[name].format(QUOTED) + f"<p>{SAYS[2]}</p>", TEXTS[0])
    document = thresher.extract(_topic(VBULLETIN, says))
    assert [post.text for post in document.threads.posts] == [SAYS[0], SAYS[2], TEXTS[0]]
    [quotation] = {post.author for post in document.threads.posts[1].quotations} - {""}
    assert quotation == "Ada"
    written = document.markdown()
    if QUOTED in document.text:  # what is not selected of quotations is not written
        assert f"\n\n> Ada wrote:\n>\n> {QUOTED}\n\n{SAYS[2]}" in written
        assert f"<quote><p>Ada wrote:</p><p>{QUOTED}</p></quote>" in document.tei()
    assert f":{QUOTED[:4]}" not in written + document.text


def test_a_quotation_in_another():
    inner = QUOTATIONS["phpBB 3"].format("Was there a bell on it, or was it the wind?")
    said = QUOTATIONS["phpBB 3"].replace("Ada", "Curie").format(inner + QUOTED)
    document = thresher.extract(_topic(VBULLETIN, (SAYS[0], said + f"<p>{SAYS[2]}</p>", TEXTS[0])))
    assert (
        "> Curie wrote:\n>\n> > Ada wrote:\n> >\n> > Was there a bell on it, or was it the wind?"
        f"\n>\n> {QUOTED}\n\n{SAYS[2]}" in document.markdown()
    )


def test_a_quotation_without_a_name_is_that_of_another_post_if_it_repeats_one():
    again, other = (f"<blockquote><p>{text}</p></blockquote>" for text in (SAYS[0], QUOTED))
    said = (SAYS[0], f"{again}<p>{SAYS[2]}</p>", f"{other}<p>{TEXTS[0]}</p>")
    posts = thresher.extract(_topic(VBULLETIN, said)).threads.posts
    assert [post.text for post in posts] == [SAYS[0], SAYS[2], f"{QUOTED}\n{TEXTS[0]}"]


@pytest.mark.parametrize(
    "line",
    [
        '<p class="postedit"><em>Last edited by Ada (2014-05-09 11:00:00)</em></p>',
        "<div><strong>Edited <time>May 9, 2024</time> by Ada</strong></div>",
        "<p>Zuletzt bearbeitet von Ada am 9. Mai 2024, insgesamt 2-mal bearbeitet.</p>",
    ],
)
def test_a_line_about_a_change_is_no_text_of_the_post(line):
    document = thresher.extract(_topic(VBULLETIN, (SAYS[0] + line, SAYS[2], TEXTS[0])))
    assert [post.text for post in document.threads.posts] == [SAYS[0], SAYS[2], TEXTS[0]]
    assert "2024" not in document.text
