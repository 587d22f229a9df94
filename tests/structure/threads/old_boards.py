"""A topic as old boards write it: one table or row for each post, author left, text right."""

TEXTS = (
    "I bought a steel kettle last week and it whistles far too loudly. What can I do about it?",
    "Fill it only half, and turn the flame down before it boils. Mine has been quiet since then.",
    "Or take the whistle off. It is only pushed on, and you can keep it in a drawer for guests.",
    "Thanks to all of you, the drawer it is. The neighbours will be happy as well, I am sure.",
)
AUTHORS = ("Ada", "Brahe", "Curie", "Ada")

PHPBB_2 = (
    '<table class="forumline"><tr><th>Author</th><th>Message</th></tr>{}</table>',
    '<tr><td class="row1"><span class="name"><a name="{n}"></a><b>{who}</b></span><br>'
    '<span class="postdetails">Newbie<br>Joined: 03 May 2003<br>Posts: {n}</span></td>'
    '<td class="row1"><table><tr><td><img src="minipost.gif"><span class="postdetails">'
    "Posted: Tue Mar 1{n}, 2005 8:4{n} pm &nbsp;Post subject: Loud kettle</span></td>"
    '<td><a href="posting.php?mode=quote&p={n}"><img src="quote.gif" alt="Reply with quote"></a>'
    '</td></tr><tr><td colspan="2"><hr></td></tr><tr><td colspan="2">'
    '<span class="postbody">{said}</span></td></tr></table></td></tr>'
    '<tr><td class="row1"><a href="#top">Back to top</a></td>'
    '<td class="row1"><a href="profile.php?u={n}"><img src="profile.gif" alt="Profile"></a></td>'
    "</tr>",
)
VBULLETIN_3 = (
    '<h1>Loud kettle</h1><div id="posts">{}</div>',
    '<div id="edit{n}"><table class="tborder" id="post{n}"><tr><td class="thead">'
    '<a name="post{n}"><img src="old.gif" alt="Old"></a> 2005-03-1{n}, 08:4{n} PM</td>'
    '<td class="thead">#<a href="showpost.php?p={n}"><b>{n}</b></a></td></tr><tr>'
    '<td class="alt2"><a class="bigusername" href="member.php?u={n}">{who}</a>'
    '<div class="smallfont">Junior Member</div><div class="smallfont">Posts: {n}</div></td>'
    '<td class="alt1" id="td_post_{n}"><div class="smallfont"><b>Loud kettle</b></div><hr>'
    '<div id="post_message_{n}">{said}</div></td></tr><tr><td class="alt2">'
    '<img src="offline.gif" alt="is offline"></td><td class="alt1">'
    '<a href="newreply.php?p={n}"><img src="reply.gif" alt="Reply"></a></td></tr></table></div>',
)
SMF_1 = (
    '<div id="bodyarea"><table class="bordercolor">{}</table></div>',
    '<tr><td><a name="msg{n}"></a><table><tr><td class="windowbg"><table><tr>'
    '<td rowspan="2"><b><a href="index.php?action=profile;u={n}">{who}</a></b>'
    '<div class="smalltext">Newbie<br>Offline<br>Posts: {n}</div></td><td><table><tr><td>'
    '<div id="subject_{n}"><a href="index.php?topic=5.msg{n}#msg{n}">Re: Loud kettle</a></div>'
    '<div class="smalltext">« <b>Reply #{n} on:</b> March 1{n}, 2005, 08:4{n}:10 PM »</div></td>'
    '<td class="smalltext"><a href="index.php?action=post;quote={n}">Quote</a></td></tr></table>'
    '<hr><div class="post">{said}</div></td></tr><tr><td class="smalltext">'
    '<a href="index.php?action=reporttm;msg={n}">Report to moderator</a> Logged</td></tr></table>'
    "</td></tr></table></td></tr>",
)
UBB = (
    "<center><b>Topic: Loud kettle</b></center>{}<center>All times are ET</center>",
    '<table bgcolor="#F7F7F7"><tr><td width="18%"><font size="2"><b>{who}</b></font><br>'
    '<font size="1">Member</font><br><font size="1">Posts: {n}<br>From: Uppsala</font></td>'
    '<td><img src="icon.gif"><font size="1">posted 2005-03-1{n} 08:4{n} PM</font> '
    '<a href="edit.cgi"><img src="edit.gif" alt="Edit"></a><hr><font size="2">{said}</font>'
    '<p><font size="1">IP: <a href="ip.cgi">Logged</a></font></p></td></tr></table>',
)
# Only the text of a post is named one; author and date are beside it.
SMF_2 = (
    '<div id="forumposts"><div class="cat_bar"><h3>Topic: Loud kettle</h3></div>{}</div>',
    '<div class="windowbg"><div class="post_wrapper"><div class="poster"><h4>'
    '<a href="index.php?action=profile;u={n}" title="View the profile of {who}">{who}</a></h4>'
    '<ul id="msg_{n}_extra_info"><li class="postgroup">Newbie</li></ul></div>'
    '<div class="postarea"><div class="keyinfo"><h5 id="subject_{n}">'
    '<a href="?topic=1.msg{n}">Re: Loud kettle</a></h5><div class="smalltext">« <b>Reply #{n} on:'
    '</b> March 1{n}, 2005, 08:4{n}:12 pm »</div></div><div class="post">'
    '<div class="inner" id="msg_{n}">{said}</div></div></div><div class="moderatorbar">'
    '<div class="reportlinks"><a href="?action=reporttm">Report to moderator</a> Logged</div>'
    '<div class="signature">Tea first.</div></div></div></div>',
)
# Dates in numbers, of which only the last cannot be read with the day first.
UBB_5 = (
    "<table><tr><td><b>Author</b></td><td><b>Topic: Loud kettle</b></td></tr></table>{}",
    "<table><tr><td width=18%><font size=2><B>{who}</B></font><BR><font size=1>Member<BR>"
    "Posts: {n}<BR>Registered: Feb 2000</font></td><td><img src=icon.gif><font size=1>"
    " posted 03-1{n}-2005 0{n}:27 PM &nbsp; <a href=edit>Edit/Delete Message</a> "
    "<a href=reply>Reply w/Quote</a></font><HR><font size=2>{said}</font>"
    "<P align=right><font size=1>IP: Logged</font></td></tr></table>",
)
BOARDS = {
    "phpBB 2": PHPBB_2,
    "vBulletin 3": VBULLETIN_3,
    "SMF 1": SMF_1,
    "SMF 2": SMF_2,
    "UBB": UBB,
    "UBB 5": UBB_5,
}


def board_html(name: str) -> str:
    """Return a topic with four posts."""
    around, record = BOARDS[name]
    posts = "".join(
        record.format(n=number, who=who, said=said)
        for number, (who, said) in enumerate(zip(AUTHORS, TEXTS, strict=True))
    )
    return f"<title>Loud kettle</title><body>{around.format(posts)}</body>"
