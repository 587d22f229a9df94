"""What the classes and ids of forums, weblogs and comment systems say, as bits.

A name is cut into tokens at spaces and each token into words (`post-body`, `postBody` and
`post_body` are post and body; digits are `#`). A token *says a record* when one of its words is a
record's (`comment`, `post`, `answer`) and no word is a part's: `comment-12` and `li-comment` do,
`comment-body` and `comments` do not. The words are those of class names, whatever language the
page is in.
"""

from __future__ import annotations

import re
from functools import lru_cache

# What an element may be by its name, as bits of one number.
AREA = 1  # around comments or posts
AUTHOR = 2  # who wrote a post
TIME = 4  # when
BODY = 8  # the text of a post
CONTROL = 16  # buttons, votes, signatures, forms: never a post's text
INNER = 32  # around the answers to a post
OUTSIDE = 64  # beside the content: no records there

_COMMENTS = frozenset(
    "comment reply answer response comtr commentbody commentpost coms cmt kommentar komentar "
    "komentarz komentář comentario comentário commentaire commento kommentti reactie reaktion "
    "yorum hozzaszolas respuesta antwort odpoved odpowiedz bìnhluận".split()
)
_POSTS = frozenset(
    "post message msg question postbit postbitlegacy postcontainer blockpost cpost beitrag "
    "mensaje mensagem messaggio bericht wpost fpost forumpost".split()
)
_ENTRIES = frozenset(
    "topic thread discussion story hentry teaser blogpost threadbit topictitle".split()
)
# Words that may stand beside a record's word without making it a part of a record.
_BESIDE = frozenset(
    "# a an c p t id li div js el tr item items container wrapper wrap box row block card single "
    "entry depth parent child children user node type forum article dsq disqus wp nested view "
    "level root even odd alt first last bypostauthor byuser pingback trackback public visible "
    "approved published status publish format standard timeline issue react shreddit struct old "
    "default full has is crawler outer holder threaded main media data normal legacy vb ips ipb "
    "the this each with topics viewer mod mode state by admin member guest registered staff "
    "reader blog news site own my xg fb fos sonata yt et elementor sc component unit record "
    "element object one group top anchor bit".split()
)
_ALLOWED = _BESIDE | _COMMENTS | _POSTS | _ENTRIES

_WORD = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*|\d[\da-f]*|[^\W\d_]+")
_DIGITS = re.compile(r"\d[\da-f]*")
_LONGEST = 400  # characters of a name that are read

_BITS = (
    (
        AREA,
        "comments commentlist commentslist responses replies discussion disqus comentarios "
        "kommentare commentaires reacties komentarze yorumlar komentare kommentarer livefyre "
        "conversation commentary discussions commentblock commentarea commentsection intensedebate",
    ),
    (
        AUTHOR,
        "author authors username user poster nick nickname bigusername member commenter fn byline "
        "commentor hnuser creator writer who commentauthor postauthor autor auteur screenname "
        "userinfo publisher usr handle",
    ),
    (
        TIME,
        "date time timestamp datetime ago posted published when age timeago permalink created "
        "datum fecha data postdate commentdate posttime dateline relativetime pubdate",
    ),
    (
        BODY,
        "body content text message prose md usertext postbody cooked postmsg commtext bbwrapper "
        "messagetext postcontent commentbody commenttext commentcontent richtext texte inhalt "
        "copy description excerpt words msg",
    ),
    (
        CONTROL,
        "signature sig vote votes score share flag report controls control buttons button btn "
        "toolbar actions action tools rating ratings likes like avatar badge badges menu reactions "
        "reputation respond edit reply karma points stats rank awards",
    ),
    (INNER, "children child replies indented indent nested sublevel reply subcomments"),
    (
        OUTSIDE,
        "sidebar widget recent latest related footer nav navigation menu similar popular trending "
        "suggested recommended teaser breadcrumb breadcrumbs pagination topsearch",
    ),
)
_BIT_OF: dict[str, int] = {}
for _bit, _words in _BITS:
    for _word in _words.split():
        _BIT_OF[_word] = _BIT_OF.get(_word, 0) | _bit


def _words_of(token: str) -> list[str]:
    return ["#" if word[0].isdigit() else word.lower() for word in _WORD.findall(token)]


@lru_cache(50_000)
def sense(name: str) -> int:
    """Return the bits of a class or an id."""
    bits = 0
    for token in name[:_LONGEST].split():
        for word in _words_of(token):
            bits |= _BIT_OF.get(word, 0)
    return bits


@lru_cache(50_000)
def record_key(name: str) -> str:
    """Return the first token that says a record, digits as `#`; "" if none does.

    A comment's comes with `comment:` before it, a post's with `post:`, an entry's of a list, which
    leads to a thread or a story, with `entry:`.
    """
    entry = ""
    for token in name[:_LONGEST].split():
        words = _words_of(token)
        if not _ALLOWED.issuperset(words):
            continue
        shape = _DIGITS.sub("#", token)
        if not _COMMENTS.isdisjoint(words):
            return f"comment:{shape}"
        if not _POSTS.isdisjoint(words):
            return f"post:{shape}"
        if not _ENTRIES.isdisjoint(words):
            entry = entry or f"entry:{shape}"
    return entry
