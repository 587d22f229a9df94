"""Old boards, most with a table or row for each post: phpBB 2, vBulletin 3, SMF, UBB."""

import pytest

import thresher
from tests.structure.threads.old_boards import AUTHORS, BOARDS, TEXTS, board_html
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
