"""Prompts at the end of a text and within it."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher.methods.default.features import block_features
from thresher.methods.default.judge import _prompt_boxes, load_judge
from thresher.structure import prompts
from thresher.structure.prompts import (
    is_prompt,
    without_last_notice,
    without_last_prompts,
    without_prompts_between,
)


def test_only_prompts_at_the_end_are_dropped():
    page = thresher.parse(
        "<p>Subscribe now<p>Tea is warm.<p>Sign up for our free newsletter<p>It is good."
        "<p>Subscribe to read on.<p>Already a subscriber? Log in."
    )
    kept = without_last_prompts(page, np.ones(6, np.bool_))
    assert kept.tolist() == [True, True, True, True, False, False]
    last = np.array([False, False, False, False, False, True])
    assert without_last_prompts(page, last).tolist() == last.tolist()  # one block stays


@pytest.mark.parametrize(
    "text",
    [
        "Subscribe to continue reading",
        "This article is only available to subscribers.",
        "You have reached your monthly limit of free articles.",
        "You are receiving this email because you signed up at our shop. 1 Tea Street",
        "You received this newsletter at a@tea.example because you asked for it",
        "Unsubscribe | Update your preferences",
        "Unsubscribe · Manage preferences",
        "How did we do? Great Okay Bad",
        "Share this newsletter",
        "Forward this issue to a friend",
        "Get the best of tea in your inbox every Friday.",
        "Log in to read the full story",
        "We use cookies to improve your experience",
        "Sign up to read the full story",
        "Continue reading with a free account",
        "Read more with our digital subscription",
        "Become a member to read this story",
        "Start your 30-day free trial",
        "Melden Sie sich an, um weiterzulesen",
        "Jetzt weiterlesen mit WELTplus",
        "Um diesen Artikel weiterzulesen, brauchen Sie ein Abo",
        "Il vous reste 57.09% de cet article à lire. La suite est réservée aux abonnés.",
        "Suscríbete para seguir leyendo",
        "Conteúdo exclusivo para assinantes",
        "Per continuare a leggere, abbonati",
        "Log in of word abonnee om verder te lezen",
        "Follow us on Facebook and Twitter",
        "Follow The Tea Times on Google News",
        "Click here to join our WhatsApp channel",
        "Folgen Sie uns auf Instagram",
        "Suivez-nous sur Facebook",
        "Síguenos en Telegram",
        "Siga o Diário do Chá no WhatsApp",
        "Seguici su Google News",
        "Volg ons op Instagram",
        "Obserwuj nas na Facebooku",
        "Följ oss på Facebook",
        "Подписывайтесь на наш канал в Telegram",
        "Слідкуйте за нами у Telegram",
        "Bizi Google News'te takip edin",
        "Ακολουθήστε μας στο Google News",
        "关注我们的微信公众号",
        "تابعونا على فيسبوك",
        "Leave a Reply",
        "Leave a Comment Cancel reply",
        "You must be logged in to post a comment.",
        "Your email address will not be published. Required fields are marked *",
        "Du musst angemeldet sein, um einen Kommentar abzugeben.",
        "Codziennie najświeższe informacje na Twoją skrzynkę. Zapisz się do newslettera!",
        "Iscriviti alla nostra newsletter",
        "Schrijf je in voor onze nieuwsbrief",
        "Подпишитесь на нашу рассылку",
    ],
)
def test_prompts_in_several_languages(text):
    assert is_prompt(thresher.parse(f"<p>{text}</p>"), 0)


@pytest.mark.parametrize(
    "text",
    [
        "The subscribers of the line complained about the new account.",
        "She signed the letter and went to read on the bench.",
        "Die Leser lesen weiter.",
        "Children join to read aloud, and the whole class listens.",
        "He kept reading for an hour.",
        "Follow the steps on Facebook to get your data.",
        "Fans of the singer follow her on Instagram.",
        "If you received this message, delete it.",
        "They asked us how did we do?",
        "You get the letters in your inbox.",
        "Like tea, coffee came to Europe by sea.",
        "You can leave a comment on the form and post it.",
        "Subscribe now " + "and then go on with the rest of this long sentence " * 5,
    ],
)
def test_other_blocks_are_no_prompts(text):
    assert not is_prompt(thresher.parse(f"<p>{text}</p>"), 0)


@pytest.mark.parametrize(
    ("html", "dropped"),
    [
        ("<p>Tea is warm.<p>It is good.<p>© 2012 All rights reserved.", [2]),
        (
            "<p>Tea is warm.<p>It is good.<p>声明：<p>凡注明来源的信息，均为转载。<p>电话",
            [2, 3, 4],
        ),
        ("<p>Tea is warm.<p>It is good.<p>Все права защищены<p>a<p>b", []),  # further up
        ("<p>All rights reserved<p>Tea is warm.", []),  # two blocks stay
        ("<p>Tea<p>is<p>warm" + "ing " * 200 + "all rights reserved", []),  # too long
        ("<p>Tea is warm.<p>It is good.<p>The rights of tea.", []),
    ],
)
def test_a_notice_at_the_end_is_dropped(html, dropped):
    page = thresher.parse(html)
    kept = np.ones(len(page.blocks), np.bool_)
    assert (~without_last_notice(page, kept)).nonzero()[0].tolist() == dropped
    assert kept.all()


TEXT = "<p>" + "The council closes the old bridge for two years, and a ferry takes its place. " * 3


def without_prompts(html: str) -> list[bool]:
    """Return which blocks are left of a page if all were kept."""
    page = thresher.parse(html)
    features = block_features(page, load_judge().table)
    boxes = _prompt_boxes(features)
    return without_prompts_between(page, np.ones(len(page.blocks), np.bool_), boxes).tolist()


@pytest.mark.parametrize(
    "notice",
    [
        '<aside class="newsletter"><h3>Sign up to our newsletter</h3><p>The best stories of all.'
        "</aside>",
        '<div class="ad"><p>Buy now the new phone</div>',
        '<div class="article-ad-slot"><p>Buy now the new phone</div>',
        '<div class="newsletter-inline"><p>Tea, told well, each Friday.</div>',
        "<p>Get the best stories in your inbox every Friday.",
        "<h2>Subscribe to continue reading</h2><p>Become a paid subscriber to get access to this.",
        "<p>Join Medium for free to get updates from this writer.",
        "<p>Jetzt weiterlesen mit F+<p>Sie haben bereits ein Abo?<p>Lesen Sie auch: Der alte Steg",
        "<p>View in browser<p>Unsubscribe",
        "<p>Follow us on <a href=f>Facebook</a> and <a href=x>X</a><p>Читайте нас в Telegram",
        "<noscript>Please enable JavaScript to view this content.</noscript>",
        "<p>Your browser does not support the video tag.<p>Article continues below",
        "<h3>Leave a Reply</h3><p>You must be <a href=l>logged in</a> to post a comment.",
        "<p>Loading image...",
        "<p>Loading…",
        "<p>Was this page helpful?<p>Created by <a href=a>Ada</a>, last modified on May 3, 2024",
        "<p>Access to this page requires authorization. You can try <a href=s>signing in</a>.",
        "<p><a href=x>view raw</a> <a href=y>tea.py</a> hosted with ❤ by <a href=z>GitHub</a>",
    ],
)
def test_notices_within_a_text_are_dropped(notice):
    kept = without_prompts(f"<body>{TEXT}{notice}{TEXT}")
    assert kept == [True] + [False] * (len(kept) - 2) + [True]


@pytest.mark.parametrize(
    "said",
    [
        "<p>Many readers subscribe now and then to a newsletter.",
        '<div class="adverbs headlines"><p>Softly and slowly.</div>',
        f'<div class="newsletter">{TEXT * 2}<p>It was warm.</div>',
        "<p>Nobody could unsubscribe from it.",
    ],
)
def test_text_that_is_like_a_notice_is_kept(said):
    assert all(without_prompts(f"<body>{TEXT}{said}{TEXT}"))


@pytest.mark.parametrize(
    "html",
    [
        "<p>Also read: <a href=x>The old bridge</a>",
        "<p><b><a href=x>READ MORE: The old bridge</a></b>",
        "<p>À lire aussi : <a href=x>Le vieux pont</a>",
        "<p>Читайте также: <a href=x>Старый мост</a>",
        "<p>Baca juga: <a href=x>Jembatan tua</a>",
        "<p>See also: <a href=x>The old bridge</a>",
        "<p><b>See also</b> <a href=x>The <i>old</i> bridge</a>.",
        "<p>Also Read | <a href=x>The old bridge</a>",
        "<p>Auch interessant:<br><a href=x>Die alte Brücke</a>",
        "<p>Les også <a href=x>Den gamle broen</a> »",
        "<p>延伸阅读：<a href=x>老桥的故事</a>",
    ],
)
def test_links_to_other_articles_are_dropped_from_articles(html):
    page = thresher.parse(TEXT + html + TEXT)
    kept = np.ones(3, np.bool_)
    assert without_prompts_between(page, kept, is_article=True).tolist() == [True, False, True]
    assert without_prompts_between(page, kept).all()


@pytest.mark.parametrize(
    "html",
    [
        "<p>Read more: the old bridge",
        "<p>Read: <a href=x>It</a>",
        "<p>Also read the <a href=x>report of the commission</a>.",
        "<p>See also <a href=x>section one</a>; <a href=y>section two</a>",
        "<p>See also <a href=x>the report of the commission</a>, which is new.",
    ],
)
def test_other_links_stay_in_articles(html):
    page = thresher.parse(TEXT + html + TEXT)
    assert without_prompts_between(page, np.ones(3, np.bool_), is_article=True).all()


def test_a_page_of_prompts_is_kept():
    assert all(without_prompts("<body><p>Subscribe now<p>Become a free subscriber<p>Tea."))


@pytest.mark.parametrize("name", ["_PROMPT", "_ASIDE", "_FOLLOW", "_NOTICE"])
@given(data=st.data())
def test_each_pattern_needs_a_stem(name, data):
    pattern = re.compile(getattr(prompts, name).pattern)
    stems = prompts.NOTICE_STEMS if name == "_NOTICE" else prompts.STEMS
    found = pattern.search(data.draw(st.from_regex(pattern)))
    assert found is not None
    assert any(stem in found[0] for stem in stems)
