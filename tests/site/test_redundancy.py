"""Blocks that are on other pages of the site: by hand, against a slow definition, and bounds."""

import json
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.growth import assert_linear
from tests.methods import slow_blockextractor as slow
from tests.site.test_tree_distance import slow_distance
from thresher import InputError, UsageError
from thresher.methods.blockextractor import BlockExtractor, Blocks
from thresher.site import SeenBlocks, SiteBlockExtractor, redundancy
from thresher.site.redundancy import BlockTrees

FOOTER = "<footer><p>All rights reserved by the publisher of these pages.</p></footer>"


def page_of(text, more=""):
    return f"<body><main><p>{text}</p></main>{more}{FOOTER}</body>"


FIRST, SECOND = page_of("Warm the pot before you pour."), page_of("Coffee needs a finer mill.")


def extracted(html, seen, **options):
    return thresher.extract(html, method=SiteBlockExtractor(seen, **options)).text


def trees_of(html):
    return BlockTrees(Blocks.of(thresher.parse(html)))


# --- worked examples -----------------------------------------------------------------------------


def test_a_shared_footer_is_noise():
    assert BlockExtractor()(thresher.parse(FIRST)).text().endswith("these pages.")
    assert extracted(FIRST, SeenBlocks.of([SECOND])) == "Warm the pot before you pour."


def test_without_other_pages_it_is_blockextractor():
    alone = BlockExtractor()(thresher.parse(FIRST)).text()
    assert extracted(FIRST, SeenBlocks()) == alone
    assert extracted(FIRST, SeenBlocks.of(["", "<body></body>"])) == alone


TITLE = "How to warm the pot"


def test_a_title_that_is_a_teaser_on_another_page_stays():
    here = f"<body><h1>{TITLE}</h1><div>The pot is warmed with hot water.</div></body>"
    teaser = page_of("Coffee needs a finer mill.", f"<ul><li>{TITLE}</li></ul>")
    assert extracted(here, SeenBlocks.of([teaser])).startswith(TITLE)
    same_block = page_of("Coffee needs a finer mill.", f"<h1>{TITLE}</h1>")
    assert TITLE not in extracted(here, SeenBlocks.of([same_block]))


def test_a_block_is_its_tags_and_words_with_a_copy_of_its_parent():
    key = trees_of("<div><p>one two</p></div>").keys
    assert key == trees_of('<div class="x"><p id="y">one\n two </p><script>1</script></div>').keys
    assert key != trees_of("<section><p>one two</p></section>").keys  # another root
    assert key != trees_of("<div><p>one <b>two</b></p></div>").keys
    assert key != trees_of("<div><h2>one two</h2></div>").keys
    assert trees_of("<p>a<b></b>c</p>").keys != trees_of("<p>a<b>c</b></p>").keys  # nesting counts
    assert trees_of("<p>b</p>").keys != trees_of("<p><b></b></p>").keys  # a text is no name


MENU = "<ul>{}</ul>"


def menu(*items):
    return page_of("Some words of a page.", MENU.format("".join(f"<li>{i}</li>" for i in items)))


LONG = [f"a long item number {n} of the list" for n in range(6)]


def test_near_blocks_are_redundant_within_the_share():
    # body, ul, six items with a text each: 14 nodes. One other text is one edit, 1 / 14 = .071.
    here, other = menu(*LONG), menu(*LONG[:5], "something else altogether, and as long")
    assert trees_of(here).size.tolist() == [3, 14, 3]
    seen = SeenBlocks.of([other])
    assert LONG[0] in extracted(here, seen)
    assert LONG[0] in extracted(here, seen, edit_share=0.07)
    assert LONG[0] not in extracted(here, seen, edit_share=0.072)
    one_more = SeenBlocks.of([menu(*LONG, "something else")])  # two nodes are inserted: .143
    assert LONG[0] in extracted(here, one_more, edit_share=0.14)
    assert LONG[0] not in extracted(here, one_more, edit_share=0.15)
    one_less = SeenBlocks.of([menu(*LONG[1:])])  # two nodes are deleted
    assert LONG[0] in extracted(here, one_less, edit_share=0.14)
    assert LONG[0] not in extracted(here, one_less, edit_share=0.15)


def test_a_share_of_the_pages_can_be_asked_for():
    others = [page_of(f"Page number {n} of five pages.") for n in range(5)]
    others[0] = page_of("Page number 0.", "<div><div>A notice that is on two pages.</div></div>")
    here = page_of("The page itself, and its words.", "<div><div>A notice that is on two pages."
                   "</div></div>")  # fmt: skip
    seen = SeenBlocks.of(others)
    assert "notice" not in extracted(here, seen)
    assert "notice" not in extracted(here, seen, page_share=0.2)  # 1 of 5
    assert "notice" in extracted(here, seen, page_share=0.21)
    assert "rights" not in extracted(here, seen, page_share=1)  # the footer is on all of them


def test_near_blocks_of_several_pages_add_up():
    others = [menu(*LONG[:5], f"another last item of page {n}") for n in range(4)]
    seen = SeenBlocks.of(others)
    assert LONG[0] not in extracted(menu(*LONG), seen, edit_share=0.1, page_share=1)
    assert LONG[0] in extracted(menu(*LONG), seen, page_share=1)


def test_a_page_is_not_compared_with_itself():
    seen = SeenBlocks.of([FIRST, SECOND])
    assert extracted(FIRST, seen) == "Warm the pot before you pour."
    changed = FIRST.replace("</body>", "<div>7 comments on this page so far</div></body>")
    assert extracted(changed, seen) == "7 comments on this page so far"  # taken for another page
    seen = SeenBlocks()
    for html, url in ((FIRST, "https://tea.org/1"), (SECOND, "https://tea.org/2")):
        seen.learn(html, url=url)
    method = SiteBlockExtractor(seen, edit_share=0.2)
    text = thresher.extract(changed, url="https://tea.org/1", method=method).text
    assert text == "Warm the pot before you pour.\n\n7 comments on this page so far"


def test_a_page_that_is_learned_again_replaces_what_was_known():
    seen = SeenBlocks()
    for _ in range(3):
        seen.learn(FIRST)
    seen.learn(SECOND, url="https://tea.org/2")
    seen.learn(menu(*LONG), url="https://tea.org/2")
    assert repr(seen) == "<SeenBlocks: 4 blocks of 2 pages>"
    assert len(seen.trees) == 4


# --- the definition ------------------------------------------------------------------------------


def nested(element):
    """A node of the slow tree as a pair of its label and its children."""
    if not element.name:
        return ("#" + " ".join(element.text.split()), ())
    return (element.name, tuple(map(nested, element.children)))


def nodes_in(one):
    return 1 + sum(map(nodes_in, one[1]))


@given(slow.pages(), slow.pages(), st.sampled_from([0.0, 0.1, 0.25, 0.5]))
def test_redundant_blocks_are_those_of_the_definition(html, other, share):
    here = [nested(root) for root in slow.blocks_of(html)]
    there = [nested(root) for root in slow.blocks_of(other)]
    small = all(nodes_in(one) <= 10 for one in (*here, *there))
    expected = [
        any(
            slow_distance((one,), (two,)) <= share * nodes_in(one) if small and share
            else one == two
            for two in there
        )
        for one in here
    ]  # fmt: skip
    if set(here) == set(there):  # the same page
        expected = [False] * len(here)
    found = SeenBlocks.of([other]).is_redundant(
        Blocks.of(thresher.parse(html)), edit_share=share if small else 0.0
    )
    assert found.tolist() == expected


def test_only_the_blocks_asked_for_are_looked_at():
    seen, blocks = SeenBlocks.of([SECOND]), Blocks.of(thresher.parse(FIRST))
    assert seen.is_redundant(blocks).tolist() == [False, True]
    assert seen.is_redundant(blocks, among=np.array([True, False])).tolist() == [False, False]


# --- as a method ---------------------------------------------------------------------------------


def test_it_is_a_method_like_any_other():
    method = SiteBlockExtractor(SeenBlocks.of([SECOND]), threshold=0.5)
    document = thresher.extract(FIRST, method=thresher.union(method, "lqf"))
    assert "SiteBlockExtractor(seen=<SeenBlocks: 2 blocks of 1 pages>" in document.method
    copy = pickle.loads(pickle.dumps(method))
    page = thresher.parse(FIRST)
    assert (copy(page).keep == method(page).keep).all()
    assert method(thresher.parse("")).text() == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": -1}, "threshold is -1: give a number from 0"),
        ({"edit_share": 1.5}, "edit_share is 1.5: give a number from 0 to 1"),
        ({"page_share": "all"}, "page_share is 'all': give a number from 0 to 1"),
        ({"seen": [FIRST]}, r"make one with SeenBlocks.of\(pages\)"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(UsageError, match=message):
        SiteBlockExtractor(**{"seen": SeenBlocks(), **options})


# --- to keep it ----------------------------------------------------------------------------------


def test_json_and_pickle_keep_everything():
    seen = SeenBlocks.of([FIRST, menu(*LONG)])
    seen.learn(SECOND, url="https://tea.org/2")
    plain = json.loads(json.dumps(seen.to_json()))
    for copy in (SeenBlocks.from_json(plain), pickle.loads(pickle.dumps(seen))):
        assert copy.pages == seen.pages
        assert copy.trees == seen.trees
        assert extracted(FIRST, copy) == extracted(FIRST, seen)


def test_keys_are_the_same_in_every_process():
    code = (
        "import sys, thresher.site as s;"
        "print(sorted(s.SeenBlocks.of([sys.argv[1]]).to_json()['pages'][0]['blocks']))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, FIRST], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == str(SeenBlocks.of([FIRST]).to_json()["pages"][0]["blocks"])


KEY = "0" * 16


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"pages": None},
        {"pages": [{"address": "", "blocks": ["x"]}]},
        {"pages": [{"address": "", "blocks": [1]}]},
        {"pages": [{"address": "", "blocks": "abc"}]},
        {"pages": [{"address": None, "blocks": []}]},
        {"pages": [{"blocks": []}]},
        {"pages": [{"address": "", "blocks": ["f" * 17]}]},
        {"trees": []},
        {"trees": {KEY: [[1]]}},
        {"trees": {KEY: [[], []]}},
        {"trees": {KEY: [[1, 2], [0]]}},
        {"trees": {KEY: [["a"], [0]]}},
        {"trees": {KEY: [[1, 2], [0, 1]]}},  # two roots
        {"trees": {KEY: [[1, 2], [1, 0]]}},  # a leaf above its node
        {"trees": {KEY: [[1, 2, 3, 4], [0, 0, 2, 1]]}},  # a leaf inside another subtree
        {"trees": {KEY: [[1, 2], [0, -1]]}},
    ],
)
def test_other_values_are_refused(change):
    good = SeenBlocks.of([FIRST]).to_json()
    assert SeenBlocks.from_json(good)
    for bad in ({**good, **change}, [], {}):
        with pytest.raises(InputError, match=r"give what SeenBlocks.to_json returned"):
            SeenBlocks.from_json(bad)


# --- bounds --------------------------------------------------------------------------------------


def random_page(seed, blocks, items):
    rng = random.Random(seed)
    lists = (
        "".join(f"<li>{rng.random()} {rng.random()}</li>" for _ in range(items))
        for _ in range(blocks)
    )
    return "<hr>".join(f"<ul>{one}</ul>" for one in lists)


@pytest.mark.slow
def test_what_is_kept_is_bounded():
    seen = SeenBlocks()
    for seed in range(30):
        url = f"https://tea.org/{seed}?{'x' * 5_000}"
        seen.learn(random_page(seed, blocks=1_500, items=1), url=url)
    assert len(seen.pages) == redundancy.MOST_PAGES
    assert max(len(page.keys) for page in seen.pages) == redundancy.MOST_BLOCKS
    assert sum(map(len, seen.trees.values())) <= redundancy.MOST_NODES
    assert len(json.dumps(seen.to_json())) < 3_000_000
    for seed in range(30):
        seen.learn(random_page(seed, blocks=100, items=90))
    assert sum(map(len, seen.trees.values())) <= redundancy.MOST_NODES
    assert len(json.dumps(seen.to_json())) < 3_000_000


@pytest.mark.slow
def test_trees_that_stay_on_every_page_are_bounded_too():
    seen, kept = SeenBlocks(), ""
    for seed in range(24):
        kept += "<hr>" + random_page(seed, blocks=20, items=95)
        seen.learn(kept)
    assert sum(map(len, seen.trees.values())) >= redundancy.MOST_NODES - 200
    assert sum(map(len, seen.trees.values())) <= redundancy.MOST_NODES


def test_a_block_of_too_many_nodes_is_found_by_its_hash_only():
    many = [f"a long item number {n} of the list" for n in range(200)]
    seen = SeenBlocks.of([menu(*many)])
    here = page_of("Other words of this page.", MENU.format("".join(f"<li>{i}</li>" for i in many)))
    assert "number 7" not in extracted(here, seen, edit_share=0.1)
    assert "number 7" in extracted(here.replace("number 9 ", "x "), seen, edit_share=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("edit_share", [0.0, 0.2])
def test_time_is_linear_in_blocks(edit_share):
    method = SiteBlockExtractor(SeenBlocks.of([random_page(1, 100, 5)]), 0.0, edit_share)
    assert_linear(method, lambda n: thresher.parse(random_page(2, n, 5)), 200)


@pytest.mark.slow
def test_work_for_near_blocks_is_bounded():
    # Blocks of equal labels in other orders: no lower bound tells them apart.
    rng = random.Random(3)
    words = [f"item {n}" for n in range(95)]

    def shuffled(count):
        lists = (
            "".join(f"<li>{word}</li>" for word in rng.sample(words, len(words)))
            for _ in range(count)
        )
        return thresher.parse("<hr>".join(f"<ul>{one}</ul>" for one in lists))

    seen = SeenBlocks.of(shuffled(100) for _ in range(3))
    method = SiteBlockExtractor(seen, 0.0, edit_share=0.5)
    assert_linear(method, shuffled, 50)


HOSTILE = {
    "deep": "<div>" * 20_000 + "text",
    "deep inline": "<p>" + "<b>" * 5_000 + "text",
    "siblings": "<p>text</p>" * 20_000,
    "divided siblings": "<div><div>text</div></div>" * 20_000,
    "one list": f"<ul>{'<li>text' * 20_000}</ul>",
    "no end": "<p <p <p",
    "nothing": "",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages(name):
    html = HOSTILE[name]
    seen = SeenBlocks.of([html, FIRST])
    method = SiteBlockExtractor(seen, edit_share=1.0)
    for one in (html, html + FIRST):
        thresher.extract(one, method=method)
    assert seen.to_json() == SeenBlocks.from_json(seen.to_json()).to_json()
