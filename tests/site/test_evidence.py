"""Keys of blocks: equal where pages of a site are alike, in every process."""

import subprocess
import sys

import numpy as np
import pytest

import thresher
from thresher.methods.default import Default
from thresher.site.evidence import BlockKeys


def keys_of(html: str) -> BlockKeys:
    judgement = Default().judge(thresher.parse(html))
    assert judgement is not None
    return BlockKeys.of(judgement)


BASE = "<body class=a><div class='post x'><p>one two</p><p>three</p></div><div class=end>four</div>"


def test_equal_paths_have_equal_keys_and_others_do_not():
    first, second, end = keys_of(BASE).path.tolist()
    assert first == second
    assert first != end


@pytest.mark.parametrize(
    ("html", "same"),
    [
        (BASE.replace("class=a", "class=b"), True),  # the body names the page
        (BASE.replace("one two", "other words here"), True),
        (BASE.replace("post x", "post y"), False),
        (BASE.replace("<p>one two</p>", "<h2>one two</h2>"), False),
        (BASE.replace("<div class='post x'>", "<div><div class='post x'>"), False),
    ],
)
def test_what_a_path_depends_on(html, same):
    assert (keys_of(html).path[0] == keys_of(BASE).path[0]) == same


def test_digits_in_classes_are_equal():
    a, b = (keys_of(BASE.replace("post x", f"post-{n}")).path[0] for n in (17, 1234))
    assert a == b


def test_the_text_of_a_block_is_its_key_whatever_its_white_space():
    a, b, c = (
        keys_of(f"<p>{text}</p>").text[0] for text in ("one  <b>two</b>", "one\ntwo", "one twos")
    )
    assert a == b
    assert a != c


def test_keys_are_the_same_in_every_process():
    code = (
        "from tests.site.test_evidence import BASE, keys_of\n"
        "keys = keys_of(BASE)\nprint(keys.text.tolist(), keys.path.tolist())"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    keys = keys_of(BASE)
    assert told == {f"{keys.text.tolist()} {keys.path.tolist()}\n"}


def test_means_of_paths_by_hand():
    judgement = Default().judge(thresher.parse(BASE))
    keys = BlockKeys.of(judgement)
    path, mean = keys.path_means(judgement)
    p = judgement.probability
    by_path = dict(zip(path.tolist(), mean.tolist(), strict=True))
    assert by_path[int(keys.path[0])] == pytest.approx((2 * p[0] + p[1]) / 3)
    assert by_path[int(keys.path[2])] == pytest.approx(p[2])
    assert np.all(path[1:] > path[:-1])
