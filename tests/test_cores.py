"""The compiled and the plain version of each kernel give the same."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.cores import needs_kernels, plain_core
from tests.methods.default.test_features import TABLE
from tests.pages import soup, well_formed
from tests.test_hostile import PAGES
from thresher.methods.default.features import block_features
from thresher.page.page import Page

STYLE_PARTS = [*"dn;: \t\x1c\xa0-_0", "display", "Visibility", "none", "NONE", "hidden", "collapse"]
COLUMNS = ("tag", "end", "parent", "level", "chars", "words", "linked", "hidden")


def check(html: str | bytes) -> None:
    """Compare columns, blocks, features, judgement and outputs of a page."""
    page = thresher.parse(html)
    with plain_core():
        plain = thresher.parse(html)
    check_columns(page, plain)
    check_features(page, plain)
    document = thresher.extract(page)
    with plain_core():
        other = thresher.extract(plain)
        written = other.json(fields="+blocks")
    assert document.text == other.text
    assert document.selection.keep.tolist() == other.selection.keep.tolist()
    assert document.kind == other.kind
    assert document.render("markdown") == other.render("markdown")
    assert document.json(fields="+blocks") == written


def check_columns(page: Page, plain: Page) -> None:
    for name in (*COLUMNS, "text_rows", "has_id"):
        found, expected = getattr(page, name), getattr(plain, name)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected, name)
    assert page.texts == plain.texts
    assert page.names == plain.names
    assert page.status == plain.status
    assert page.stated == plain.stated
    assert (page.present, page.body) == (plain.present, plain.body)
    assert len(page.nodes) == len(plain.nodes)
    for name in type(page.blocks).__slots__:
        np.testing.assert_array_equal(getattr(page.blocks, name), getattr(plain.blocks, name), name)


def check_features(page: Page, plain: Page) -> None:
    found = block_features(page, TABLE)
    with plain_core():
        expected = block_features(plain, TABLE)
    if found is None or expected is None:
        assert found is expected
        return
    # Logarithms may differ in the last digit.
    np.testing.assert_allclose(found.matrix, expected.matrix, rtol=2e-7, atol=0)
    assert found.headline == expected.headline


@needs_kernels
@given(st.one_of(well_formed, soup))
def test_random_pages(html: str) -> None:
    check(html)


@needs_kernels
@given(st.binary(max_size=300))
def test_random_bytes(html: bytes) -> None:
    check(b"<!DOCTYPE html>" + html)


@needs_kernels
@given(st.text(max_size=200))
def test_random_characters(text: str) -> None:
    check(f"<p>{text}<b>{text}</b> {text}<div id=x class='{text}'>{text}")


@needs_kernels
@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_hostile_pages(name: str) -> None:
    size, write = PAGES[name]
    check(write(size // 20))


@needs_kernels
@pytest.mark.parametrize(
    "html",
    [
        "<template><p>one</template><p>two",
        "<template shadowrootmode=open><p>one</template>",
        "<div><template><div><template><p>x</template></div></template></div>after",
        "<!-- a --><p>b<!-- c -->d",
        "<dialog>closed</dialog><dialog open>open</dialog>",
        '<p hidden>a<p style="display:none">b<p id=i style="color:red">c<p>d',
        "<p style='Display : NONE'>a<p style='color:red;visibility:hidden'>b",
        "<p style='x-display:none'>c",
        "<p style='display:none; display:block'>a<p style='visibility:collapse\n'>b",
        "<p style='display'>c",
        "<p style=';display:none'>a<p style=' display: none-x'>b",
        "<p style='d\u0131splay:none'>c<p hidden>d",
        "<p style='display:;display:none'>a<p style='\x1cdisplay:none'>b",
        "<p style='visibility:visible'>c",
        "<ruby>a<rp>(</rp><rt>b</rt></ruby><p hidden>c<math><mi>x<annotation>y</annotation></math>",
        "<divdiv>a</divdiv><aaa>b</aaa><figcaption>c</figcaption><textarea>d</textarea><a-b id=e>f",
        "<html id=a><head id=b><body id=c><p id>d<template id=e><p id=f>g</template>",
        "<a>no</a><a href>yes</a><a id=x>no</a><svg><a xlink:href=y>yes</a></svg>",
        "<frameset><frame><noframes>words</noframes></frameset>",
        "<p>e\u0301le\u0301ve \u0928\u092e\u0938\u094d\u0924\u0947",
        "<p>\u4e2d\u6587\u0301 \U0001f600\u0301x",
        "<p>a <b> b</b> c<br> d<div>e</div> f",
        "<p>\ud800 lone",
        "<script>x</script><style>y</style><p>z",
        "<x-a><x-b>one</x-b></x-a><x-a>two</x-a>",
        "<div role=heading>a<p role='heading' id=b>c<p role=Heading>d",
        "<input type=checkbox><input type=' CheckBox '><input><input type=radio>a",
        "<script type='math/tex; mode=display'>x</script><script type=math/tex>y</script>a",
        "<script type='Application/LD+JSON'>{}</script><script type=application/json>{}</script>a",
        "<meta property=og:type content=article><meta property=og:title content=b><p>a",
        "<ul class=Task><li>a</ul><ul class='my-task'><li>b</ul><ul><li>c</ul><ul class=to-do>d",
        "<section class=recipe>a</section><header class=task>b</header><ul class=page-meta>c</ul>",
        "<textarea name=code>a</textarea><textarea class=my-exampleCode>b</textarea><textarea>c",
        "<meta name=generator content=GitBook property=og:type><meta name=author><p>a",
        "<ul class=a-recipe-b><li><a class=wprm-recipe-link href=/>a</a><li>b</ul>",
        "<ul class=checks><li role=checkbox aria-checked=true>a<li>b</ul>",
        "<meta name=generator content=Doxygen><div class=fragment><div class=line>a</div>b</div>",
        "<body><p>a<textarea>b<p>c",
        "<body><p>a<!-- b <p>c",
        "<body><p>a</body></html><!-- b -->",
        "<title>a<body><p>b",
    ],
)
def test_pages_by_hand(html: str) -> None:
    check(html)


@needs_kernels
@given(st.lists(st.sampled_from(STYLE_PARTS), max_size=12).map("".join))
def test_styles_that_hide(style: str) -> None:
    page = thresher.parse(f'<p style="{style}">tea')
    with plain_core():
        plain = thresher.parse(f'<p style="{style}">tea')
    assert page.hidden.tolist() == plain.hidden.tolist()


@needs_kernels
def test_a_page_past_a_limit_is_cut_alike() -> None:
    html = "<div><p>one<p>two" * 30
    for limits in (thresher.Limits(rows=20), thresher.Limits(depth=4)):
        page = thresher.parse(html, limits=limits)
        with plain_core():
            check_columns(page, thresher.parse(html, limits=limits))


def version_with(core: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "thresher", "--version"],
        capture_output=True,
        text=True,
        env={**os.environ, "THRESHER_CORE": core},
        timeout=60,
    )


def test_the_plain_core_can_be_asked_for() -> None:
    assert version_with("plain").stdout.endswith("(plain core)\n")


def test_another_core_is_warned_of() -> None:
    done = version_with("quick")
    assert done.returncode == 0
    assert "THRESHER_CORE is 'quick' and has no effect: give plain or compiled." in done.stderr
