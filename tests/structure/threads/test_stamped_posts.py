"""Posts found at names and times, whatever their classes: names that programs made, or none."""

import pytest

from tests.growth import assert_linear
from thresher import extract
from thresher.page.parse import parse
from thresher.structure import threads

SAID = (
    "Which kettle is the quietest one for a small flat with thin walls and late hours?",
    "Mine is silent since I turned the flame down, and it takes twice as long to boil.",
    "A kettle made of glass is louder than one made of steel, whatever the seller says.",
    "Thank you all, it will be a steel one then, and a very small flame below it.",
)
WHO = ("Ada", "brahe_9", "Marie Curie", "Ada")
WHEN = ("03/05/2024 10:00", "04/05/2024 08:30", "15/05/2024 19:12", "16/05/2024 07:45")
AGO = ("5 days ago", "4 days ago", "20 hours ago", "3h")

STYLED = (
    '<div class="sc-dYdC bTdW"><div class="sc-fSnZ"><div class="sc-jQbJ">{who}</div>'
    '<div class="sc-fcmN">{when}</div></div><div class="sc-tYqd"><div><p>{said}</p></div></div>'
    '<div class="sc-iMee"><button>Reply</button></div></div>'
)
MODULES = (
    '<li class="css-1a2b"><div class="css-4d5e"><a class="css-aa11" href="/p/1"><span>{who}</span>'
    '</a><span>·</span><span class="css-gg44">{ago}</span></div><div class="css-ii55">{said}</div>'
    "<div><span>Like</span> <span>Reply</span></div></li>"
)
UTILITIES = (
    '<div class="relative px-4 border"><div class="font-bold pr-8">{who} · <span class="text-sm">'
    '{when}</span></div><div class="mt-2 leading-6">{said}</div></div>'
)
PLAIN = "<p><b>{who}</b> <i>({when})</i><br>{said}</p><hr>"
AFTER = "<div><div>{said}</div><div><span>{who}</span>, <span>{when}</span></div></div>"
RANKS = (
    '<section><div><a href="/m">{who}</a><div>Senior Member</div><div>9.6K answer views</div>'
    "<time>{when}</time></div><div>{said}</div></section>"
)


def posts_html(record: str, count: int = 4) -> str:
    return "".join(
        record.format(who=WHO[n % 4], when=WHEN[n % 4], ago=AGO[n % 4], said=SAID[n % 4])
        for n in range(count)
    )


@pytest.mark.parametrize("record", [STYLED, MODULES, UTILITIES, PLAIN, AFTER, RANKS])
def test_a_name_and_a_time_beside_each_text_are_of_posts(record):
    found = threads.read(parse(f"<h1>Kettles</h1><div>{posts_html(record)}</div>"))
    assert found.kind == "thread"
    assert [post.author for post in found.posts] == list(WHO)
    assert [post.time_as_written.strip("()") for post in found.posts] == list(
        AGO if record == MODULES else WHEN
    )
    assert [post.text for post in found.posts] == list(SAID)


def test_the_text_has_all_of_them():
    document = extract(f"<title>Kettles - Tea Forum</title><main>{posts_html(STYLED)}</main>")
    assert document.threads.kind == "thread"
    assert all(said in document.text for said in SAID)
    assert "Reply" not in document.text
    assert document.markdown().count("**Ada** · 2024-05-03 10:00") == 1


def test_a_first_post_may_be_built_otherwise():
    long = f"{SAID[0]} " * 6
    first = f"<article><h1>Kettles</h1><p>Tycho B <em>{WHEN[0]}</em></p><p>{long}</p></article>"
    found = threads.read(parse(f"{first}<div>{posts_html(STYLED)}</div>"))
    assert found.kind == "thread"
    assert [post.author for post in found.posts] == ["Tycho B", *WHO]
    assert len(found.posts[0].text.split()) >= len(long.split())


@pytest.mark.parametrize("heading", ["3 Comments", "Customer reviews", "Kommentare", "レビュー"])
def test_below_an_article_they_are_comments_if_a_heading_says_so(heading):
    article = f"<h1>Kettles</h1><p>{' '.join(SAID)} {' '.join(SAID)}</p>"
    below = posts_html(PLAIN)
    assert threads.read(parse(f"{article}<h2>{heading}</h2>{below}")).kind == "comments"
    assert threads.read(parse(f"{article}<h2>Dates</h2>{below}")).kind == "none"


EVENT = "<div><div>{who}</div><div>{when}</div><p>{said}</p><a href='/t'>Tickets</a></div>"


def test_they_need_a_sign_that_people_talk():
    events = posts_html(EVENT, 3)
    assert threads.read(parse(events)).kind == "none"
    assert threads.read(parse(f"{events}<p>3 replies</p>")).kind == "thread"
    assert threads.read(parse(f"{events}<textarea></textarea>")).kind == "thread"
    assert threads.read(parse(posts_html(EVENT, 4))).kind == "thread"  # Ada writes twice
    assert threads.read(parse(events.replace("Tickets", "Reply"))).kind == "thread"
    assert threads.read(parse(events.replace("<p>", "<p>Re: "))).kind == "none"
    assert threads.read(parse(events.replace("<p>", "<h4>Re: Tea</h4><p>"))).kind == "thread"


@pytest.mark.parametrize(
    "html",
    [
        posts_html(STYLED, 2),  # too few
        posts_html(STYLED.replace("{said}", "Yes.")),  # no prose
        posts_html(STYLED.replace("{who}", "Version one and two of it")),  # no names
        posts_html(STYLED.replace("{when}", "often")),  # no times
        posts_html(STYLED.replace("<p>{said}", "<h3><a href='/{who}'>{said}</a></h3>")),  # links
        posts_html(STYLED) + f"<p>{' '.join(SAID * 3)}",  # hardly what the page is about
    ],
)
def test_other_pages_have_none(html):
    assert threads.read(parse(html)).kind == "none"


def test_a_preview_is_no_part_of_the_text():
    parts = [*SAID[:2], f"{SAID[2]} {SAID[3]}"]
    preview = f"<p>{SAID[0]}<p>{SAID[1]}<p>{SAID[2][:40]}…<p>(more)"
    whole = "".join(f"<p>{part}" for part in parts)
    record = STYLED.replace("<p>{said}</p>", f"<div>{preview}</div><div>{whole}</div>")
    found = threads.read(parse(posts_html(record)))
    assert [post.text for post in found.posts] == ["\n".join(parts)] * 4


def test_a_refrain_stays():
    verses = "".join(f"<p>{part}" for part in (SAID[0], SAID[1], SAID[0], SAID[2], SAID[0]))
    found = threads.read(parse(posts_html(STYLED.replace("<p>{said}</p>", verses))))
    assert [post.text.count(SAID[0]) for post in found.posts] == [3] * 4


@pytest.mark.parametrize(
    "make",
    [
        lambda count: posts_html(STYLED, count),
        lambda count: "<p>3h<p>Ada" * count,
        lambda count: "<div>" * count + "<p>3h<p>Ada" * count,
        lambda count: posts_html(STYLED.replace("<p>{said}", "<p>{said}" * 4), count),
    ],
)
def test_time_is_linear(make):
    assert_linear(threads.read, lambda count: parse(make(count)), 200)
