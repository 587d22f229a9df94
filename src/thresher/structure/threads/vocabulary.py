"""What classes and ids of forums, weblogs and comment systems mean: records and their parts.

A name is cut into tokens at spaces, and each token into words (`post-body`, `postBody` and
`post_body` are post and body; digits are `#`). A token names a record if one of its words is a
record's (`comment`, `post`, `answer`) and no word is that of a part of a record: `comment-12` and
`li-comment` do, `comment-body` and `comments` do not. The words are those of class names, whatever
the language of the page.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from thresher.page.attributes import NameCache
from thresher.page.words import collapsed


class RecordName(NamedTuple):
    """A token that names a record."""

    kind: Literal["comment", "post", "entry"]  # an entry of a list leads to a thread or a story
    token: str  # with `#` for digits, or a type of schema.org


_COMMENT_WORDS = frozenset(
    "comment reply answer response comtr commentbody commentpost coms cmt kommentar komentar "
    "komentarz komentář comentario comentário commentaire commento kommentti reactie reaktion "
    "yorum hozzaszolas respuesta antwort odpoved odpowiedz bìnhluận trac".split()
)
_POST_WORDS = frozenset(
    "post message msg question postbit postbitlegacy postcontainer blockpost cpost beitrag "
    "mensaje mensagem messaggio bericht wpost fpost forumpost email".split()
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
    "element object one group top anchor bit change".split()
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
QUOTE = 128  # what a post quotes of another one
SIGNATURE = 256  # what a member writes below all posts
BYLINE = 512  # around the author and the time of a post and little else; no name says so

_WORDS_OF_BIT = {
    AREA: (
        "comments commentlist commentslist responses replies discussion disqus comentarios "
        "kommentare commentaires reacties komentarze yorumlar komentare kommentarer livefyre "
        "conversation commentary discussions commentblock commentarea commentsection intensedebate"
    ),
    AUTHOR: (
        "author authors username user poster nick nickname bigusername member commenter fn byline "
        "commentor hnuser creator writer who commentauthor postauthor autor auteur screenname "
        "userinfo publisher usr handle authi pls person"
    ),
    TIME: (
        "date time timestamp datetime ago posted published when age timeago permalink created "
        "datum fecha data postdate commentdate posttime dateline relativetime pubdate authorposton"
    ),
    BODY: (
        "body content text message prose md usertext postbody cooked postmsg commtext bbwrapper "
        "messagetext postcontent commentbody commenttext commentcontent richtext texte inhalt "
        "copy description excerpt words msg post postmessage"
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

_QUOTE_WORDS = frozenset(
    "quote quotes quotebox quotecontainer quoteheader quotecontent quotemain quotetop quotetitle "
    "quotebody quoteblock bbquote quoted userquote citecontent blockquote uncited".split()
)
# Words that may accompany them: `bbCodeBlock--quote` is a quote, `js-selectToQuote` is none.
_WITH_QUOTE_WORDS = _QUOTE_WORDS | frozenset(
    "# bb bbc bbcode ips code block standard user my mycode message post alternate container box "
    "header content contents top main title citation author body wrapper wrap inner text no group "
    "forum comment de reply cited".split()
)
# `post-content` and `post_message_12` are bodies; `message-user`, `text-muted` and
# `justify-content-between` are not.
_BODY_WORDS = frozenset(_WORDS_OF_BIT[BODY].split())

# They say how a page acts, and nothing of what is in the element: those of GitHub.
_TOKENS_OF_ACTS = frozenset("edit-comment-hide user-select-contain user-select-none".split())

_WORD = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*|\d[\da-f]*|[^\W\d_]+")
_DIGITS = re.compile(r"\d[\da-f]*")
_LONGEST_NAME = 400  # characters of a name that are read


def _words_of_token(token: str) -> list[str]:
    return ["#" if word[0].isdigit() else word.lower() for word in _WORD.findall(token)]


def name_bits(name: str | None) -> int:
    """Return the bits (`AREA`, `AUTHOR`, ...) of all words of a class or an id.

    A word for a body counts only as the last word of its token. A token for scripts, such as
    `js-quickEditTarget`, says what can be done with an element and makes it no control.
    """
    bits = 0
    for token in (name or "")[:_LONGEST_NAME].split():
        if token in _TOKENS_OF_ACTS:
            continue
        words = [word for word in _words_of_token(token) if word != "#"]
        ignored = BODY | CONTROL if token.startswith("js-") else BODY
        for word in words:
            bits |= _BITS_OF_WORD.get(word, 0) & ~ignored
        if words and words[-1] in _BODY_WORDS:
            bits |= BODY
        if words == ["side"]:  # of Reddit
            bits |= OUTSIDE
        if words == ["sig"] or words[-1:] == ["signature"]:
            bits |= SIGNATURE
        if not _QUOTE_WORDS.isdisjoint(words) and _WITH_QUOTE_WORDS.issuperset(words):
            bits |= QUOTE
    return bits


def record_name(name: str | None) -> RecordName | None:
    """Return the first token of a class or an id that names a comment or a post.

    If there is none, return the first that names an entry of a list, else None.
    """
    entry = None
    for token in (name or "")[:_LONGEST_NAME].split():
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


NAME_BITS = NameCache(name_bits, _LONGEST_NAME)
RECORD_NAMES = NameCache(record_name, _LONGEST_NAME)


# --- what buttons say -----------------------------------------------------------------------------

_CONTROL_TEXTS = frozenset(
    text.strip()
    for text in """
    reply|report|share|quote|permalink|like|cancel|post|post cancel|edit|delete|flag|save|follow
    hide|embed|award|give award|crosspost|collapse|upvote|downvote|vote up|vote down|click to expand
    show more|show less|link|copy link|link to comment|link to post|share on other sites
    add a comment|improve this question|improve this answer|report post|report abuse|multiquote
    multi quote|quote reply|reply with quote|reply to this|reply to this comment|post reply
    post comment|parent|context|full comments|mark as answer|like this|unlike|react|log in to reply
    ip|logged|ip: logged|back to top|report to moderator|next|prev|root|favorite|unvote
    reply w/quote|edit/delete message|edit/delete|profile|pm|send private message
    view user's profile|visit poster's website|top
    followers|featured replies|recommended posts|recommended replies|sign in to follow this
    antworten|melden|zitieren|teilen|gefällt mir|bearbeiten|beitrag melden|mit zitat antworten
    répondre|signaler|citer|partager|j'aime|responder|reportar|citar|compartir|me gusta|denunciar
    rispondi|segnala|cita|condividi|mi piace|compartilhar|curtir|reageren|beantwoorden|citeren
    odpowiedz|zgłoś|cytuj|udostępnij|lubię to|ответить|пожаловаться|цитировать|поделиться|цитата
    yanıtla|cevapla|alıntı|paylaş|svara|rapportera|citera|dela|返信|通報|引用|回复|举报|分享
    只看该作者|显示全部楼层|使用道具|답글|신고""".replace("\n", "|").split("|")
)
LONGEST_CONTROL = 30  # characters
_ARROWS = frozenset("▲▼△▽▴▾⇧⇩⬆⬇↑↓⯅⯆🔼🔽👍👎+-−–✓✔…|·•")


def _is_control_text(text: str | None) -> bool:
    """Return whether a text is what a button of a post says: "Reply", "Share", an arrow.

    It may also be a word of a post, so this is asked only for links and for texts that stand alone.
    """
    given = collapsed(text or "")
    line = collapsed(given.casefold()).strip(" .…:()[]»«|·•/")
    is_control = not line or line in _CONTROL_TEXTS
    is_control = is_control or (line[0] in _ARROWS and _ARROWS.issuperset(line))
    return is_control and len(given) <= LONGEST_CONTROL


IS_CONTROL = NameCache(_is_control_text, 4 * LONGEST_CONTROL)  # buttons of all posts say the same
