"""Small pages with posts and comments as common platforms write them."""

from thresher.page.parse import parse
from thresher.structure import threads

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
    '<footer class="message-footer"><a class="actionBar-action" href="#">Reply</a></footer></div>'
    "</div></article>"
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
    '<a href="item?id={n}">1 day ago</a></span></span></div><div class="comment">'
    '<div class="commtext c00">{said}</div><div class="reply"><a href="reply?id={n}">reply</a>'
    "</div></div></td></tr></table></td></tr>"
)
LEMMY = (
    '<li role="comment" class="comment"><article id="comment-{n}" class="details comment-node">'
    '<div class="text-muted small"><a class="person-listing" href="/u/{who}"><span>{who}</span></a>'
    '<span class="moment-time" data-tippy-content="{when}">2 days ago</span></div>'
    '<div class="comment-content"><div class="md-div"><p>{said}</p></div></div>'
    '<div class="comment-bottom-btns"><button>reply</button></div></article></li>'
)
WORDPRESS = (
    '<li class="comment even thread-even depth-1" id="comment-{n}"><div id="div-comment-{n}" '
    'class="comment-body"><div class="comment-author vcard"><cite class="fn">{who}</cite> '
    '<span class="says">says:</span></div><div class="comment-meta"><a href="/tea/#comment-{n}">'
    '{when} at 8:00</a></div><p>{said}</p><div class="reply"><a href="#respond">Reply</a></div>'
    "</div></li>"
)
BLOGGER = (
    '<li class="comment" id="c{n}"><div class="comment-block"><div class="comment-header">'
    '<cite class="user"><a href="https://www.blogger.com/profile/1">{who}</a></cite>'
    '<span class="datetime">{when}</span></div><p class="comment-content">{said}</p>'
    '<span class="comment-actions"><a href="javascript:;">Reply</a></span></div></li>'
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
    '<div id="comment-{n}_wrap" class="ipsComment_content"><a href="#c{n}">Posted '
    '<time datetime="{when}T10:00:00Z">May</time></a><div class="cPost_contentWrap">'
    "<p>{said}</p></div></div></article>"
)
SMF = (
    '<div class="windowbg" id="msg{n}"><div class="post_wrapper"><div class="poster"><h4>'
    '<a href="index.php?action=profile;u={n}">{who}</a></h4><ul class="user_info"><li>Member</li>'
    '</ul></div><div class="postarea"><div class="keyinfo"><a class="smalltext" href="#msg{n}">'
    '{when}, 10:00</a></div><div class="post"><div class="inner" id="msg_{n}">{said}</div></div>'
    "</div></div></div>"
)
GITHUB = (
    '<div class="TimelineItem js-comment-container" id="issuecomment-{n}">'
    '<div class="timeline-comment"><h3><a class="author" href="/{who}">{who}</a> commented '
    '<relative-time datetime="{when}T10:00:00Z" class="timestamp">on May</relative-time></h3>'
    '<div class="comment-body"><p>{said}</p></div></div></div>'
)
DISCUZ = (
    '<div id="post_{n}"><table id="pid{n}" class="plhin"><tr><td class="pls" rowspan="2">'
    '<div class="pi"><div class="authi"><a href="space-uid-{n}.html" class="xw1">{who}</a></div>'
    '</div><div class="tns xg2"><table><tr><th>3 主题</th><th>20 帖子</th><td>155 积分</td></tr>'
    '</table></div></td><td class="plc"><div class="pi"><strong><a href="x">{n}<sup>#</sup></a>'
    '</strong><div class="pti"><div class="authi"><em id="authorposton{n}">发表于 {when} 10:00:00'
    '</em><span class="pipe">|</span><a href="x">只看该作者</a></div></div></div><div class="pct">'
    '<table><tr><td class="t_f" id="postmessage_{n}">{said}</td></tr></table></div></td></tr><tr>'
    '<td class="plc plm"><div class="po"><em><a class="fastre">回复</a> <a class="add">支持</a>'
    "</em><p><a>举报</a></p></div></td></tr></table></div>"
)
HYPERKITTY = (
    '<div class="email" id="e{n}"><div class="email-header"><div class="email-author">'
    '<div class="email-author-name"><span><a href="/u/{n}">{who}</a></span></div></div>'
    '<div class="email-date"><span class="time" title="Sender\'s time: {when}, 10 a.m.">1 May'
    '</span><div>1 May</div></div></div><div class="email-body"><p>{said}</p></div>'
    '<div class="email-info"><a class="btn">Reply</a> <span class="like-count">0</span></div></div>'
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
    "discuz": ("<div id=postlist>{}</div>", DISCUZ),
    "hyperkitty": ("<h1>Kettles</h1>{}", HYPERKITTY),
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
    """Return three records of one platform's markup."""
    return "".join(
        record.format(n=17 + place, who=who, when=when, said=said, depth=0, pixels=0)
        for place, (who, when, said) in enumerate(zip(WHO, WHEN, SAID, strict=True))
    )


def read(body: str) -> threads.Threads:
    """Return the threads of a page with this body."""
    return threads.read(parse(f"<html><body>{body}</body></html>"))
