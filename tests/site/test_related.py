"""The most related page by its address."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.site.related import host_of, most_related, url_key


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://www.Example.org:8080/a", "example.org"),
        ("http://user:word@news.example.org/", "news.example.org"),
        ("//example.org/a", "example.org"),
        ("http://[::1]/a", "::1"),
        ("/a/b", ""),
        ("", ""),
        ("http://[bad", ""),
    ],
)
def test_host(url, host):
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.example.org/2017/03/11/Tech/a-b.html", "example.org/0/0/0/tech/a-b.html"),
        ("http://example.org", "example.org/"),
        ("http://example.org/?", "example.org/"),
        ("http://example.org/story?id=31&page=2#top", "example.org/story?id&page"),
        ("http://example.org/story?page=9&id=7&&x", "example.org/story?id&page&x"),
        ("http://[bad", ""),
        ("", "/"),
    ],
)
def test_key(url, key):
    assert url_key(url) == key


def test_pages_of_one_template_have_equal_keys():
    urls = ["https://example.org/2017/03/11/?id=1", "http://www.example.org/2018/1/5/?id=22"]
    assert len({url_key(url) for url in urls}) == 1


def test_the_most_similar_address_of_the_site():
    urls = [
        "https://example.org/",
        "https://example.org/2017/03/11/sport/cup-final",
        "https://example.org/2017/03/11/tech/a-new-lens",
        "https://example.org/about",
        "https://example.org/video/2017/03/11/lens",
    ]
    keys = sorted(map(url_key, urls))

    def related(url):
        return keys[most_related(url_key(url), keys)]

    assert related("https://example.org/2018/12/24/tech/rain") == url_key(urls[2])
    assert related("https://example.org/2018/12/24/sport/rain") == url_key(urls[1])
    assert related("https://example.org/video/2018/1/1/x") == url_key(urls[4])
    assert related("https://www.example.org/ABOUT") == url_key(urls[3])
    assert related("https://example.org/contact") in keys


def test_without_keys_there_is_none():
    assert most_related("example.org/", []) == -1
    assert most_related("example.org/", ["other.example/"]) == 0


@given(st.text("ab/", max_size=6), st.lists(st.text("ab/", max_size=6)))
def test_no_key_agrees_longer_from_the_start(key, keys):
    """The slow definition compares with every key."""
    keys.sort()
    found = most_related(key, keys)

    def agree(other):
        return max(size for size in range(len(key) + 1) if other.startswith(key[:size]))

    if not keys:
        assert found == -1
    else:
        assert agree(keys[found]) == max(map(agree, keys))


@given(st.text(max_size=40))
def test_any_text_has_a_key(url):
    assert isinstance(url_key(url) + host_of(url), str)
    assert url_key(f"https://example.org/{url}")
