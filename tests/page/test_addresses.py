"""Addresses without user name and password, and links that are refused."""

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cores import needs_kernels, plain_core
from tests.growth import assert_linear
from thresher.page.addresses import (
    fragment,
    is_safe,
    resolve,
    without_password,
    without_passwords,
)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://user:secret@host/", "http://host/"),
        ("HTTPS://user:secret@host:81?q#f", "HTTPS://host:81?q#f"),
        ("http://secret@host", "http://host"),
        ("http://u:se@cret@host/x@y", "http://host/x@y"),
        ("//user:secret@host/", "//host/"),
        ("http:\\\\user:secret@host/", "http:\\\\host/"),
        (" ftp://user:secret@[::1]:2/", " ftp://[::1]:2/"),
        ("http:///user:secret@host/", "http:///host/"),
        ("http://user:se/cret@host/", "http://host/"),
        ("http://user:se?cret@host/@x", "http://x"),
        ("http://user:secret@[::1/", "http://[::1/"),
        ("http://user:secret\ud800@host/", "http://host/"),
        ("https://example.org/@name/page?mail=a@b.c", "https://example.org/@name/page?mail=a@b.c"),
        ("https://example.org:8080/@name", "https://example.org:8080/@name"),
        ("http:/user:secret@host", "http:/host"),
        ("x://user:secret@[/", "x://[/"),
        ("c:/user@home/x", "c:/user@home/x"),
        ("mailto:me@example.org", "mailto:me@example.org"),
        ("user:secret@host/x@y", "host/x@y"),
        ("https:user:secret@host", "host"),
        ("user@host:8", "user@host:8"),
        ("tag:me@example.org,2024:x", "tag:me@example.org,2024:x"),
        ("file.html", "file.html"),
        ("", ""),
    ],
)
def test_what_is_shown(address: str, shown: str) -> None:
    assert without_password(address) == shown


def test_addresses_within_a_text() -> None:
    text = "no 'http://u:secret@h/a@b' and (ftp:/u:secret@i), me@here: https://h/@x http://s@[."
    shown = "no 'http://h/a@b' and (ftp:/i), me@here: https://h/@x http://[."
    assert without_passwords(text) == shown
    for part in ("a", "a:", "http:/", "a@", ":/@", "a:/", "(", " a:b", "a:b@", "//", " //"):
        assert_linear(without_passwords, lambda n, part=part: "@ " + part * n, 5_000)


@given(st.text("ab:@/?#[]\\.%1", max_size=12))
def test_what_is_shown_names_no_user(rest: str) -> None:
    shown = without_password(f"http://{rest}")
    assert without_password(shown) in (shown, without_password(without_password(shown)))
    try:
        parts = urlsplit(shown)
    except ValueError:
        return
    assert parts.username is None
    assert parts.password is None


@pytest.mark.parametrize("part", ["@", "a@", "/", "http://", "@/", ":", "["])
def test_linear_time(part: str) -> None:
    assert_linear(without_password, lambda n: f"http://{part * n}", 20_000)


PAGE = "https://example.org/a/page.html"


@pytest.mark.parametrize("url", ["JAVASCRIPT:x", "vbscript:x", "data:x", "\x01javascript:x"])
def test_unsafe_urls_are_refused(url):
    assert resolve(url, PAGE) is None
    assert resolve(url, None) is None


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("#n", "n"),
        (f"{PAGE}#n", "n"),
        (f" {PAGE}#n ", "n"),
        (PAGE, ""),
        ("other#n", ""),
        (None, ""),
    ],
)
def test_fragment_of_a_link_within_the_page(url, name):
    assert fragment(url, PAGE) == name


@given(st.from_regex(r"https?://[a-z.:@\[\]-]{0,8}[/?#;.\[\]a-z=&]{0,12}", fullmatch=True))
def test_whole_addresses_are_joined_as_the_standard_library_joins_them(address):
    base = "https://example.org/a/b?c"
    try:
        expected = urljoin(base, address)
    except ValueError:
        expected = None
    assert resolve(address, base) == expected


@needs_kernels
@given(
    st.sampled_from(("", "/", "//", "http://", "https://", "HTTP://", "http:/", "mailto:")),
    st.text("ab.:-_/?#;[]@&= \n\\%é\u200b", max_size=12),
    st.sampled_from((None, "https://example.org/a/b?c")),
)
def test_the_compiled_version_refuses_and_joins_the_same_addresses(begin, rest, base):
    found = resolve(begin + rest, base), is_safe(begin + rest)
    with plain_core():
        assert found == (resolve(begin + rest, base), is_safe(begin + rest))
