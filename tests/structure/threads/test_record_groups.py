"""Groups of elements named as records, and the evidence for them."""

import pytest

from thresher import parse
from thresher.structure.threads.page_facts import page_facts
from thresher.structure.threads.record_groups import record_groups

COMMENT = "<li class=comment id=comment-{n}><b class=author>Ada</b> <i class=date>May</i> a b c"


def groups(html):
    page = parse(html)
    return record_groups(page_facts(page))


def comments(count):
    return "".join(COMMENT.format(n=n) for n in range(count))


def test_evidence_of_comments():
    (group,) = groups(f"<ol class=commentlist>{comments(2)}</ol>")
    assert group.name == ("comment", "comment")
    assert (len(group.records), group.words, group.own_words.tolist()) == (2, 10, [5, 5])
    # name, several, time, author, number, area
    assert group.evidence == pytest.approx(1.0 + 0.3 + 0.6 + 0.5 + 0.5 + 0.4)


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("one two three", 0.7 + 0.3 - 0.8),  # neither time, author nor number
        ("<time>May</time> one two three", 0.7 + 0.3 + 0.6),
        ("<time>May</time> <h2><a href=/x>one two</a></h2> one two three", 0.7 + 0.3 + 0.6 - 1.2),
        ("<time>May</time> <h1>one</h1> two three", 0.7 + 0.3 + 0.6 - 0.8),
        # Three words in four are links, a quarter above the half.
        ("<time>May</time> <a href=/x>one two three</a>", 0.7 + 0.3 + 0.6 - 3 * 0.25 - 2.0),
    ],
)
def test_evidence_of_posts(content, evidence):
    (group,) = groups(f"<div class=post>{content}</div>" * 2)
    assert group.evidence == pytest.approx(evidence)


def test_groups_differ_in_tag_and_name():
    markup = "<div class=post>a b c</div><p class=post>a b c<p class=reply>a b c"
    assert {group.name for group in groups(markup)} == {("post", "post"), ("comment", "reply")}
    assert len(groups(markup)) == 3


def test_words_of_nested_records_count_once():
    nested = "<div class=reply>one two three <div class=reply>four five six</div></div>"
    (group,) = groups(nested)
    assert group.own_words.tolist() == [3, 3]


def test_records_in_sidebars_are_left_out():
    page = f"<p>{'word ' * 90}</p>"
    assert groups(f"{page}<div class=sidebar>{comments(2)}</div>") == []
    assert len(groups(f"{page}<div>{comments(2)}</div>")) == 1
