"""What classes and ids of forums, weblogs and comment systems mean: records and their parts.

A name is cut into tokens at spaces, and each token into words (`post-body`, `postBody` and
`post_body` are post and body; digits are `#`). A token names a record if one of its words is a
record's (`comment`, `post`, `answer`) and no word is that of a part of a record: `comment-12` and
`li-comment` do, `comment-body` and `comments` do not. The words are those of class names, whatever
the language of the page.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple


class RecordName(NamedTuple):
    """A token that names a record."""

    kind: Literal["comment", "post", "entry"]  # an entry of a list leads to a thread or a story
    token: str  # with `#` for digits, or a type of schema.org


_COMMENT_WORDS = frozenset(
    "comment reply answer response comtr commentbody commentpost coms cmt kommentar komentar "
    "komentarz komentář comentario comentário commentaire commento kommentti reactie reaktion "
    "yorum hozzaszolas respuesta antwort odpoved odpowiedz bìnhluận".split()
)
_POST_WORDS = frozenset(
    "post message msg question postbit postbitlegacy postcontainer blockpost cpost beitrag "
    "mensaje mensagem messaggio bericht wpost fpost forumpost".split()
)
_ENTRY_WORDS = frozenset(
    "topic thread discussion story hentry teaser blogpost threadbit topictitle".split()
)
# Words that may accompany a record's word without making it a part of a record.
_NEUTRAL_WORDS = frozenset(
    "# a an c p t id li div js el tr item items container wrapper wrap box row block card single "
    "entry depth parent child children user node type forum article dsq disqus wp nested view "
    "level root even odd alt first last bypostauthor byuser pingback trackback public visible "
    "approved published status publish format standard timeline issue react shreddit struct old "
    "default full has is crawler outer holder threaded main media data normal legacy vb ips ipb "
    "the this each with topics viewer mod mode state by admin member guest registered staff "
    "reader blog news site own my xg fb fos sonata yt et elementor sc component unit record "
    "element object one group top anchor bit".split()
)
_RECORD_TOKEN_WORDS = _NEUTRAL_WORDS | _COMMENT_WORDS | _POST_WORDS | _ENTRY_WORDS

# What an element may be by its name, as bits of one number.
AREA = 1  # around comments or posts
AUTHOR = 2  # of a post
TIME = 4  # of a post
BODY = 8  # the text of a post
CONTROL = 16  # buttons, votes, signatures, forms: never a post's text
REPLIES = 32  # around the answers to a post
OUTSIDE = 64  # sidebars, menus, footers: no records there

_WORDS_OF_BIT = {
    AREA: (
        "comments commentlist commentslist responses replies discussion disqus comentarios "
        "kommentare commentaires reacties komentarze yorumlar komentare kommentarer livefyre "
        "conversation commentary discussions commentblock commentarea commentsection intensedebate"
    ),
    AUTHOR: (
        "author authors username user poster nick nickname bigusername member commenter fn byline "
        "commentor hnuser creator writer who commentauthor postauthor autor auteur screenname "
        "userinfo publisher usr handle"
    ),
    TIME: (
        "date time timestamp datetime ago posted published when age timeago permalink created "
        "datum fecha data postdate commentdate posttime dateline relativetime pubdate"
    ),
    BODY: (
        "body content text message prose md usertext postbody cooked postmsg commtext bbwrapper "
        "messagetext postcontent commentbody commenttext commentcontent richtext texte inhalt "
        "copy description excerpt words msg"
    ),
    CONTROL: (
        "signature sig vote votes score share flag report controls control buttons button btn "
        "toolbar actions action tools rating ratings likes like avatar badge badges menu reactions "
        "reputation respond edit reply karma points stats rank awards"
    ),
    REPLIES: "children child replies indented indent nested sublevel reply subcomments",
    OUTSIDE: (
        "sidebar widget recent latest related footer nav navigation menu similar popular trending "
        "suggested recommended teaser breadcrumb breadcrumbs pagination topsearch"
    ),
}
_BITS_OF_WORD: dict[str, int] = {}
for _bit, _words in _WORDS_OF_BIT.items():
    for _word in _words.split():
        _BITS_OF_WORD[_word] = _BITS_OF_WORD.get(_word, 0) | _bit

_WORD = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*|\d[\da-f]*|[^\W\d_]+")
_DIGITS = re.compile(r"\d[\da-f]*")
_LONGEST_NAME = 400  # characters of a name that are read


def _words_of_token(token: str) -> list[str]:
    return ["#" if word[0].isdigit() else word.lower() for word in _WORD.findall(token)]


@lru_cache(50_000)
def name_bits(name: str) -> int:
    """Return the bits (`AREA`, `AUTHOR`, ...) of all words of a class or an id."""
    bits = 0
    for token in name[:_LONGEST_NAME].split():
        for word in _words_of_token(token):
            bits |= _BITS_OF_WORD.get(word, 0)
    return bits


@lru_cache(50_000)
def record_name(name: str) -> RecordName | None:
    """Return the first token of a class or an id that names a comment or a post.

    If there is none, return the first that names an entry of a list, else None.
    """
    entry = None
    for token in name[:_LONGEST_NAME].split():
        words = _words_of_token(token)
        if not _RECORD_TOKEN_WORDS.issuperset(words):
            continue
        shape = _DIGITS.sub("#", token)
        if not _COMMENT_WORDS.isdisjoint(words):
            return RecordName("comment", shape)
        if not _POST_WORDS.isdisjoint(words):
            return RecordName("post", shape)
        if not _ENTRY_WORDS.isdisjoint(words):
            entry = entry or RecordName("entry", shape)
    return entry
