"""Prompts and notices at the end of a text.

Prompts are to subscribe, to log in, to order a newsletter, to accept cookies: they are where an
article stops for readers who have not paid. Others ask to follow the site on a network, or to
comment. A prompt is a short block at the end of the kept text that says so in one of several
languages. Notices are those of copyright and liability.
"""

from __future__ import annotations

import re

from thresher.page import Page
from thresher.page.array_types import Bools
from thresher.page.attributes import NameCache
from thresher.page.lazy import lazy_pattern
from thresher.page.views import last_blocks
from thresher.page.words import collapsed

LONGEST = 40  # words of a prompt; longer blocks may be about subscriptions
_MOST = 6  # blocks at the end that are looked at

_PROMPT = re.compile(
    r"\b(?:"
    # English
    r"subscribe (?:now |today )?(?:to|for) (?:read|continu|keep|unlock|access|view|full|unlimited)"
    r"|subscribe to (?:our|the|my)\b.{0,60}\bnewsletter|subscribe (?:now|today)"
    r"|sign up (?:for|to|and) (?:our|the|my|get)\b.{0,60}\b(?:newsletter|email|inbox)"
    r"|to (?:continue|keep) reading"
    r"|to read (?:on|more|the (?:full|rest))\b.{0,80}\b(?:subscri|log|sign|regist)"
    r"|(?:article|story|content|post) is (?:only |exclusively )?(?:available |reserved |just )?"
    r"(?:to|for) (?:our )?(?:paying |paid |registered )?(?:subscribers|members|users)"
    r"|for (?:paying |paid )?(?:subscribers|members) only"
    r"|already (?:a|an|have a|have an) (?:\w+ )?(?:subscriber|subscription|member|account)"
    r"|(?:log|sign) in to (?:read|continue|view|your account)"
    r"|(?:register|create (?:a|an) (?:free )?account) (?:now |for free )?to (?:read|continue|view)"
    r"|(?:sign up|register|join us|become an? \w+) (?:now |today |for free )?to "
    r"(?:read|continue|keep|view|unlock|access|finish)"
    r"|(?:continue|keep) reading (?:with|by|for) (?:a free|our|your|subscri|just|only|free)"
    r"|(?:read|unlock) (?:on|more|this (?:article|story)|the (?:full|rest|whole))\b"
    r".{0,60}\b(?:subscription|subscribing|membership|free (?:account|trial))"
    r"|become an? (?:paid|paying|free) subscriber|join medium (?:for|to|today|now)"
    r"|view (?:this (?:e-?mail|message|newsletter) )?in (?:your |a |the )?(?:web ?)?browser"
    r"|(?:^|(?<=[.!?|] ))unsubscribe(?: here| now| from (?:this|our|these|the) \w+)?\W*$"
    r"|you (?:are receiving|[’']re receiving|received?|got) this (?:e-?mail|message|newsletter)\b"
    r".{0,30}\b(?:because|as)\b"
    r"|unsubscribe\W{1,9}(?:(?:update|manage|edit|change) )?(?:your )?(?:e-?mail )?preferences\W*$"
    r"|^how did we do\?|^(?:share|forward) this (?:newsletter|issue|e-?mail)(?: with| to|\W*$)"
    r"|^get (?:the|our|all|more)\b.{0,80}\b(?:in|to) your (?:e-?mail )?inbox\b"
    r"|(?:start|begin) (?:your|a) (?:\d+[- ]day )?free trial"
    r"|you(?: have|’ve|'ve) (?:reached|read|used) (?:your|all|the)\b.{0,30}\b(?:limit|articles)"
    r"|your comment (?:has not yet been posted|is awaiting moderation|will be posted)"
    r"|before posting your comment, enter the letters"
    r"|you must be (?:logged in|a registered user|a member) to (?:post|leave|add|write|comment)"
    r"|(?:please )?(?:log|sign) in to (?:post|leave|add|write) (?:a|your) (?:comment|reply)"
    r"|your e-?mail (?:address )?will not be published|required fields are marked"
    r"|(?:leave|post|write|add) (?:a|your) (?:reply|comment|response)(?: cancel reply)?\W*$"
    r"|(?:schreib\w*|hinterlass\w*) (?:uns )?einen kommentar\W*$"
    r"|um einen kommentar (?:abzugeben|zu schreiben|zu hinterlassen)"
    r"|laisser un commentaire\W*$|pour (?:publier|poster|laisser) un commentaire"
    r"|(?:dejar?|deja|escribe|publicar) (?:una respuesta|un comentario)\W*$"
    r"|para (?:publicar|dejar) un comentario|deixe (?:um comentário|uma resposta)\W*$"
    r"|para publicar um comentário|lascia un commento\W*$|per (?:inviare|pubblicare) un commento"
    r"|(?:this (?:web)?site uses|we use|by continuing to use this site)\b.{0,40}\bcookies"
    # German
    r"|,? um (?:hier )?weiterzulesen|jetzt (?:kostenlos )?(?:registrieren|anmelden) und weiterlesen"
    r"|jetzt (?:weiterlesen|abonnieren|abo)|weiterlesen mit|(?:bereits|schon) abonnent"
    r"|(?:nur|exklusiv) für (?:unsere )?abonnent|(?:sie )?haben (?:sie )?bereits ein abo"
    r"|lesen sie auch:"
    r"|um (?:den |diesen )?(?:ganzen |vollständigen )?(?:artikel|beitrag|text)\b.{0,30}lesen"
    r"|newsletter (?:abonnieren|bestellen|anmelden)"
    # French
    r"|(?:article|contenu) (?:est )?réservé aux abonnés|pour lire la suite|déjà abonné"
    r"|il vous reste \d{1,3}(?:[.,]\d+)? ?% de cet article|abonnez-vous"
    r"|inscrivez-vous à (?:notre|la|nos) newsletter"
    # Spanish and Portuguese
    r"|suscríb(?:ete|ase)|para (?:seguir|continuar) leyendo|exclusivo para suscriptores"
    r"|ya eres suscriptor|para continuar (?:lendo|a ler)|exclusivo para assinantes|já é assinante"
    # Italian, Dutch, Polish, Swedish
    r"|abbonati (?:per|a|ora)|per continuare a leggere|riservato agli abbonati|sei già abbonato"
    r"|om verder te lezen|alleen voor abonnees|al abonnee\b|aby czytać dalej|dla prenumeratorów"
    r"|logga in för att läsa|bli prenumerant|zapisz się (?:do|na) (?:nasz\w* )?newsletter"
    r"|iscriviti alla (?:nostra )?newsletter|(?:assine|inscreva-se) (?:a|na) (?:nossa )?newsletter"
    r"|(?:schrijf je in|meld je aan) voor (?:onze|de) nieuwsbrief"
    r"|prenumerera på (?:vårt )?nyhetsbrev"
    # Russian
    r"|подпи(?:шитесь|сывайтесь) на (?:нашу |нашей )?рассылку"
    r")"
)
# What is said to readers between the paragraphs, at the beginning of a block.
_ASIDE = lazy_pattern(
    r"(?:please |you (?:need|have) to )?(?:enable|turn on|activate|allow) "
    r"javascript\b.{0,40}\b(?:to (?:view|see|use|run|continue|load|post|read)|this (?:site|page))"
    r"|(?:java)?script is (?:disabled|not enabled|required)\b|javascript must be enabled"
    r"|(?:sorry, )?your (?:web )?browser does(?: not|n[’']t) support (?:the |html5? )?"
    r"(?:video|audio|iframe|frame|inline|embedded|html)"
    r"|(?:article|story|content|post) continues (?:below|after)\b"
    r"|advertisement\W{1,3}(?:continue|scroll|article|story)|scroll (?:down )?to continue"
    r"|continue reading (?:below|the main story)\W*$"
    r"|loading(?: (?:image|paragraph|video|content|comments|more))?(?:\.\.\.|…)\W*$"
    r"|view raw\b.{0,80}\bhosted with\b.{0,10}\bgithub\W*$"
    r"|(?:was|is) this (?:page |article |section |answer )?helpful(?: to you)?\?.{0,20}$"
    r"|access to this page requires authorization\b|created by .{1,80}, last modified\b"
    r"|listen to this (?:article|story|post|page)\W*$|(?:link )?copied to (?:your )?clipboard\W*$"
)
# Links to other articles, if most of the block is a link.
_READ_ALSO = lazy_pattern(
    r"(?:also read|read also|read more|read next|related(?: (?:article|story))?"
    r"|recommended|must[- ]read|don[’']t miss|lesen sie (?:auch|mehr)"
    r"|mehr (?:dazu|zum thema)|(?:à )?lire aussi|à lire|voir aussi"
    r"|lee también|ver también|lei?a (?:também|mais)"
    r"|veja também|leggi anche"
    r"|lees ook|läs (?:också|även|mer)|læs også|czytaj (?:też|także|również|więcej)"
    r"|zobacz (?:też|także|również)|przeczytaj (?:też|także|również)"
    r"|читайте (?:также|ещё|еще|також)|смотрите также|baca juga|simak juga|xem thêm|đọc thêm"
    r"|διαβάστε (?:επίσης|ακόμη|ακόμα)"
    r"|اقرأ (?:أيضا|أيضًا|أيضاً|المزيد)|यह भी पढ़ें|ये भी पढ़ें) ?[:|»>–—-]"
)
# Links to other articles, if these words, with or without signs, are all that is no link. "Read
# more" and "Learn more" are not among them: 14 of 21 such lines of five corpora are in gold texts.
_BESIDE_LINK = frozenset({
    "see also", "also see", "also read", "read also", "read next", "read this next", "watch also",
    "also watch", "you may also like", "you might also like", "you may also be interested in",
    "you might also be interested in", "more on this story", "more on this topic", "more on this",
    "related reading", "related story", "related stories", "related article", "related articles",
    "recommended reading", "further reading", "don't miss", "don’t miss", "in case you missed it",
    "siehe auch", "lesen sie auch", "auch interessant", "mehr zum thema", "das könnte sie auch "
    "interessieren", "lire aussi", "à lire aussi", "à lire également", "lire également",
    "voir aussi", "sur le même sujet", "lee también", "lea también", "ver también",
    "mira también", "te puede interesar", "te recomendamos", "leia também", "veja também",
    "confira também", "leggi anche", "vedi anche", "lees ook", "zie ook", "bekijk ook",
    "läs också", "läs även", "se även", "læs også", "se også", "les også", "czytaj też",
    "czytaj także", "czytaj również", "zobacz też", "zobacz także", "zobacz również",
    "čtěte také", "přečtěte si také", "читайте также", "читай также", "смотрите также",
    "читайте також", "дивіться також", "baca juga", "simak juga", "xem thêm", "đọc thêm",
    "διαβάστε επίσης", "διαβάστε ακόμη", "διαβάστε ακόμα", "ayrıca bakınız", "اقرأ أيضا",
    "اقرأ أيضًا", "اقرأ أيضاً", "यह भी पढ़ें", "ये भी पढ़ें", "延伸阅读", "相关阅读", "推荐阅读",
    "関連記事", "あわせて読みたい", "관련기사",
})  # fmt: skip
_SIGNS = ' \t\n\xa0:：|»>›–—-.•,;→▶►()[]"“”!*…'
# To follow the site on a network, at the beginning of a block.
_FOLLOW = lazy_pattern(
    r"(?:(?:please|also|don[’']t forget to|click here to) ){0,2}"
    r"(?:(?:follow|find|like|join|connect with|keep up with) (?:us|our|me)\b.{0,60}?"
    r"|follow(?! (?:the (?:step|instruction|guide|link|path)|th[ie]s|those|your|up\b))"
    r"(?: [\w.&’'@-]+){1,4} (?:on|via) (?:[\w,]+ ){0,3}?"
    r"|share this (?:article|story|post|page) (?:on|via) "
    r"|(?:folgen sie|folge|folgt) (?:uns|[\w.-]+) (?:auch |jetzt )?(?:auf|bei) .{0,30}?"
    r"|suivez[- ][\w.’ -]{1,30} sur .{0,30}?"
    r"|(?:síg[au]e?nos|sigue|seguinos)\b.{0,40}? en .{0,30}?"
    r"|(?:siga|segue-nos|curta)\b.{0,40}? (?:no|na|pelo) .{0,30}?"
    r"|(?:seguici|seguiteci|segui)\b.{0,40}? su .{0,30}?"
    r"|volg [\w.-]+ (?:ook )?op .{0,30}?|(?:følg|följ) oss? (?:også |även )?på .{0,30}?"
    r"|obserwuj(?:cie)? nas (?:na|w) .{0,30}?"
    r"|(?:подпи(?:шитесь|сывайтесь)|читайте нас|следите за нами|присоединяйтесь)\b.{0,40}?"
    r"|(?:підпи(?:шіться|суйтесь|суйтеся)|слідкуйте за нами|стежте за нами)\b.{0,40}?"
    r"|bizi .{0,30}?|ikuti kami di .{0,30}?"
    r"|ακολουθήστε (?:μας|το [\w.-]+) (?:και )?(?:στο|στη[νς]?) .{0,30}?"
    r"|请?关注我们的?.{0,10}?|تابعونا (?:على|عبر) .{0,20}?)"
    r"(?:facebook|instagram|telegram|whats ?app|google news|twitter|linkedin|you ?tube|tik ?tok"
    r"|bluesky|mastodon|pinterest|flipboard|snapchat|social media|viber|(?<= )x\b|фейсбук"
    r"|телеграм|вк\b|вконтакте|дзен|вайбер|ватсап|google новост"
    r"|微信|微博|فيسبوك|تويتر|تلغرام|تيليجرام|واتساب)"
)
# One of these is in every prompt: looking for them first takes a tenth of the time.
STEMS = (
    "subscri", "this e-mail", "this email", "this message", "this issue", "how did we do", "inbox",
    "sign", "log in", "to continue reading", "keep reading", "to read", "member", "account",
    "you have rea", "you have used", "you’ve rea", "you’ve used", "you've rea", "you've used",
    "cookies", "jetzt abo", "ein abo", "weiterlesen", "lesen", "newsletter", "abonn",
    "nieuwsbrief", "nyhetsbrev", "рассылку",
    "il vous reste", "suscrí", "leyendo", "suscriptor", "lendo", "a ler", "assinante", "abbonat",
    "leggere", "te lezen", "czytać", "prenumera", "logga in", "users", "regist", "lire la suite",
    "your comment", "join us", "become a", "free trial", "join medium", "browser", "logged in",
    "a reply", "your reply", "a comment", "a response", "your response", "not be published",
    "required fields",
    "kommentar", "un commentaire", "comentario", "respuesta", "comentário", "resposta", "commento",
    # of `_ASIDE`
    "loading", "hosted with", "helpful", "requires auth", "last modified", "advertisement",
    "javascript", "script is", "support", "continues", "scroll", "continue", "listen", "copied",
    # networks of `_FOLLOW`
    "facebook", "instagram", "telegram", "whats", "google", "twitter", "linkedin", "you tube",
    "youtube", "tik tok", "tiktok", "bluesky", "mastodon", "pinterest", "flipboard", "snapchat",
    "social media", "viber", " x", "фейсбук", "телеграм", "вк", "дзен", "вайбер", "ватсап",
    "微信", "微博", "فيسبوك", "تويتر", "تلغرام", "تيليجرام", "واتساب",
)  # fmt: skip


def without_last_prompts(page: Page, kept: Bools) -> Bools:
    """Return the kept blocks without the prompts at their end; at least one block stays."""
    blocks = last_blocks(page, kept, _MOST + 1, 0)
    last = len(blocks)
    while last > 1 and is_prompt(page, blocks[last - 1]):
        last -= 1
    if last == len(blocks):
        return kept
    found = kept.copy()
    found[blocks[last:]] = False
    return found


def without_last_notice(page: Page, kept: Bools) -> Bools:
    """Return the kept blocks without a notice of copyright or liability among the last two.

    What follows the notice goes with it, and so does a label before it. In articles, word F1 on 300
    pages of daniel rises by 0.0041 and on big9-chaos by 0.0001; two pages of wcxb-dev gain. Three
    pages of daniel lose, whose gold text has the notice.
    """
    blocks = last_blocks(page, kept, _NOTICE_LAST + 2)
    for place in range(max(2, len(blocks) - _NOTICE_LAST), len(blocks)):
        if _is_notice(page, blocks[place]):
            before = blocks[place - 1]
            is_label = page.block_text(before).rstrip().endswith((":", "："))
            found = kept.copy()
            found[before if is_label and page.blocks.words[before] <= 2 else blocks[place] :] = (
                False
            )
            return found
    return kept


_NOTICE_LAST, NOTICE_WORDS = 2, 150  # blocks that are looked at, and most words of a notice
_NOTICE = re.compile(
    r"免责声明|版权声明|凡注明|凡本[网站]|转载并不代表|未经(?:授权|许可|书面)"
    r"|all rights reserved|may not be (?:re)?(?:published|produced|copied|distributed)"
    r"|żadna część|wszelkie prawa zastrzeżone|kopiowanie i rozpowszechnianie"
    r"|все права защищены|при (?:использовании|перепечатке|цитировании|копировании)"
    r"[^.]{0,40} материал|перепечатка материалов|απαγορεύεται η ανα(?:δημοσίευση|παραγωγή)"
    r"|alle rechte vorbehalten|tous droits réservés|tutti i diritti riservati"
    r"|todos (?:los derechos|os direitos) reservados|riproduzione riservata"
)
# One of these is in every notice.
NOTICE_STEMS = (
    "声明", "凡注明", "凡本", "转载并不代表", "未经", "all rights reserved", "may not be",
    "żadna część", "wszelkie prawa", "kopiowanie", "все права", "при ", "перепечатка",
    "απαγορεύεται", "alle rechte", "tous droits", "tutti i diritti", "todos ", "riproduzione",
)  # fmt: skip


def _is_notice(page: Page, block: int) -> bool:
    """Return whether a block is a notice of copyright or liability."""
    if page.blocks.words[block] > NOTICE_WORDS:
        return False
    text = page.block_text(block).lower()
    return any(map(text.__contains__, NOTICE_STEMS)) and _NOTICE.search(text) is not None


def without_prompts_between(
    page: Page,
    kept: Bools,
    boxes: Bools | None = None,
    may_be: list[int] | None = None,
    *,
    is_article: bool = False,
) -> Bools:
    """Return the kept blocks without the short ones that are prompts or in boxes for them.

    `boxes` has one bool per block: True in an element that is named for prompts (`NAMES_BOX`). In
    articles, links after words such as "Read also:" go, too: 57 of 113 such lines of five corpora
    are in no gold text. If all of these have a quarter of the kept words, the page is about them,
    and all stay. `may_be` has the short blocks that may begin with one of `STARTS`, if that is
    known.
    """
    short = _may_begin_as_prompts(page, kept) if may_be is None else may_be
    gone = [block for block in short if _begins_as_prompt(page, block, is_article)]
    if boxes is not None:
        gone += [block for block in _short_blocks(page, kept) if boxes[block]]
    if not gone:  # true of most pages
        return kept
    found = kept.copy()
    found[gone] = False
    words = page.blocks.words
    return found if 4 * words[found].sum() >= 3 * words[kept].sum() else kept


def _short_blocks(page: Page, kept: Bools) -> list[int]:
    """Return the first of the short kept blocks."""
    words = page.blocks.words
    is_short = kept & (words > 0) & (words <= LONGEST_BETWEEN)
    found: list[int] = is_short.nonzero()[0][:MOST_BETWEEN].tolist()
    return found


def _may_begin_as_prompts(page: Page, kept: Bools) -> list[int]:
    """Return the first of the short kept blocks that begin with three letters of a prompt."""
    short = _short_blocks(page, kept)
    first = map(page.texts.__getitem__, page.blocks.texts_from.take(short).tolist())
    return [
        block
        for block, text in zip(short, first, strict=True)
        if text.lstrip()[:3].lower()[:3] in _STARTS_BY_FIRST
    ]


def _begins_as_prompt(page: Page, block: int, is_article: bool) -> bool:
    blocks = page.blocks
    first = page.texts[blocks.texts_from[block]]
    begin = first.lstrip()[:_LONGEST_START].lower()
    if not begin.startswith(_STARTS_BY_FIRST.get(begin[:3], _NO_STARTS)):
        return False
    text = collapsed(page.block_text(block).lower())
    if any(pattern.match(text) for pattern in (_PROMPT, _FOLLOW, _ASIDE)):
        return True
    if not is_article or 2 * blocks.linked_words[block] < blocks.words[block]:
        return False
    return _READ_ALSO.match(text) is not None or _before_link(page, block) in _BESIDE_LINK


def _before_link(page: Page, block: int) -> str:
    """Return the text of a block before its only link, in small letters; "" if more follows it."""
    rows, texts, of_text = page.text_rows, page.texts, page.blocks.of_text
    places = range(page.blocks.texts_from[block], page.blocks.texts_to[block] + 1)
    own = (at for at in places if of_text[at] == block)
    pieces = ("\0" if page.linked[rows[at]] else texts[at] for at in own)
    before, _, after = "".join(pieces).partition("\0")
    is_last = not after.strip(f"\0{_SIGNS}") and ";" not in after and "," not in after
    return collapsed(before.lower().strip(_SIGNS)) if is_last else ""


STARTS = (
    "get the", "get our", "get all", "get more", "how did we do", "forward this", "you receive",
    "you are receiving", "you're receiving", "you’re receiving", "you got this",
    "subscribe", "sign ", "log in", "already", "register", "create a", "become a", "join ",
    "view ", "unsubscribe", "start your", "you have", "you’ve", "you've", "continue reading",
    "keep reading", "jetzt ", "sie haben", "haben ", "lesen sie auch", "newsletter", "abonnez",
    "inscrivez", "déjà", "suscríb", "abbonati", "bli prenumerant", "you must be", "please ",
    "your email", "your e-mail", "leave a", "post a", "follow ", "find us", "like us",
    "connect with", "keep up", "click here", "don't forget", "don’t forget",
    "folge", "folgt ", "suivez", "síg", "sigue", "seguinos", "siga", "segue-nos", "curta", "segui",
    "volg ", "følg ", "följ ", "obserwuj", "подпи", "читайте нас", "следите", "присоединяйтесь",
    "підпи", "слідкуйте", "стежте", "bizi ", "ikuti ", "ακολουθήστε", "请关注我们",
    "关注我们", "تابعونا", "share this", "enable ", "turn on", "activate ", "allow ", "you need",
    "javascript", "script is", "sorry, ", "your browser", "your web",
    "article continues", "story continues", "content continues", "post continues",
    "advertisement", "scroll ", "listen to", "copied", "link copied",
    "loading", "was this", "is this", "access to", "created by",
    "also ", "read ", "related", "recommended", "must", "see also", "watch also", "you may also",
    "you might also", "more on this", "further reading", "don't miss", "don’t miss", "in case you",
    "siehe auch", "auch interessant", "das könnte", "lire également", "sur le même", "lea también",
    "mira también", "te puede", "te recomendamos", "confira ", "vedi anche", "zie ook",
    "bekijk ook", "se även", "se også", "les også", "čtěte také", "přečtěte si", "читай также",
    "дивіться також", "ayrıca ", "延伸阅读", "相关阅读", "推荐阅读", "関連記事", "あわせて",
    "관련기사",
    "mehr ", "lire aussi", "à lire",
    "voir aussi", "lee también", "ver también", "leia ", "veja ",
    "leggi anche", "lees ook", "läs ", "læs også", "czytaj ", "zobacz ", "przeczytaj ",
    "читайте ", "смотрите также", "baca juga", "simak juga", "xem thêm", "đọc thêm", "διαβάστε",
    "اقرأ", "यह भी", "ये भी",
)  # fmt: skip
# The words by their first three letters: looking for these first takes a tenth of the time.
_STARTS_BY_FIRST = {
    first: tuple(start for start in STARTS if start.startswith(first))
    for first in {start[:3] for start in STARTS}
}
_NO_STARTS = ("\n",)  # which no text begins with
_LONGEST_START = max(map(len, STARTS))


LONGEST_BETWEEN, MOST_BETWEEN = 30, 300  # words of a block; blocks that are looked at
BOX_WORDS = 60  # most words of a box
BOX_STEMS = (
    "newsletter",
    "subscribe",
    "paywall",
    "cookie",
    "ad",
)  # one begins in every name of a box
_BOX = re.compile(
    r"(?:^|[\s_-])(?:newsletter|subscribe|paywall|ads?|advert|advertisement)"
    r"(?:[_-](?:box|form|signup|widget|block|container|wrapper|banner|inline|prompt|slot|cta))?(?:$|\s)",
    re.I,
)


def _names_box(name: str | None) -> bool:
    """Return whether a class attribute names a box for prompts."""
    return _BOX.search((name or "")[:_LONGEST_NAME]) is not None


_LONGEST_NAME = 200
NAMES_BOX = NameCache(_names_box, _LONGEST_NAME)


def is_prompt(page: Page, block: int) -> bool:
    """Return whether a block asks the reader to subscribe, to log in, or for consent."""
    if page.blocks.words[block] > LONGEST:
        return False
    text = collapsed(page.block_text(block).lower())
    if not any(map(text.__contains__, STEMS)):
        return False
    if _PROMPT.search(text) is not None:
        return True
    return text[:3] in _STARTS_BY_FIRST and (_FOLLOW.match(text) or _ASIDE.match(text)) is not None
