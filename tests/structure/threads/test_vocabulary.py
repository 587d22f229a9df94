"""Class names: which tokens name a record, and which bits they have."""

import time

import pytest

from thresher.page.parse import parse
from thresher.structure import threads
from thresher.structure.threads import vocabulary
from thresher.structure.threads.vocabulary import AREA, AUTHOR, CONTROL, REPLIES, TIME


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("comment even depth-1", ("comment", "comment")),
        ("post-412", ("post", "post-#")),
        ("timeline-comment", ("comment", "timeline-comment")),
        ("comment-body", None),
        ("comments", None),
        ("postbody", None),
        ("topic-list-item", None),
        ("js-post", ("post", "js-post")),
        ("structItem structItem--thread", ("entry", "structItem--thread")),
        ("hentry post-7", ("post", "post-#")),
    ],
)
def test_record_names(name, record):
    assert vocabulary.record_name(name) == record


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("comments", AREA),
        ("postAuthor", AUTHOR),
        ("comment-user date", AUTHOR | TIME),
        ("reply", CONTROL | REPLIES),
        ("kettle", 0),
    ],
)
def test_name_bits(name, bits):
    assert vocabulary.name_bits(name) == bits


@pytest.mark.slow
def test_time_is_linear_in_the_number_of_distinct_names():
    def seconds(count):
        items = (
            f"<div class=post{'-a' * (n % 90)}{'-p' * (n // 90)}>Some words here"
            for n in range(count)
        )
        page = parse("<html><body>" + "".join(f"{item}</div>" for item in items))
        vocabulary.NAME_BITS.clear()
        vocabulary.RECORD_NAMES.clear()
        start = time.process_time()
        threads.read(page)
        return time.process_time() - start

    seconds(200)
    assert seconds(8_000) < 16 * seconds(2_000) + 0.05
