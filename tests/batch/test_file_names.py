"""Names of output files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.batch.file_names import FileNames, safe_name, url_path_parts


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("page", "page"),
        ("", "_"),
        ("..", "_"),
        (".hidden", "_.hidden"),
        ("a/b\\c:d?", "a_b_c_d_"),
        ("dots. .", "dots"),
        ("con", "_con"),
        ("NUL.tar", "_NUL.tar"),
        ("a\udcffb", "a_b"),
        ("a\x1b[31mb\n", "a_[31mb_"),
        ("page\u202elmth.exe", "page_lmth.exe"),
        ("\u2066a\u2069\u200f\u061c.\ufeffb\u2028", "_a_._b_"),
        ("\U000e0041", "_"),
        ("نمی\u200cدانم", "نمی\u200cدانم"),
    ],
)
def test_safe_names(name: str, expected: str) -> None:
    assert safe_name(name) == expected


def test_long_names_are_cut_and_stay_apart() -> None:
    first, second = safe_name("雨" * 300 + "1"), safe_name("雨" * 300 + "2")
    assert first != second
    assert len(first.encode()) <= 180


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https://example.org", ("example.org", "index")),
        ("https://example.org/a/b.html", ("example.org", "a", "b.html")),
        ("https://user:secret@example.org:8080/a//", ("example.org", "a", "index")),
        ("https://example.org/p.html?id=2#top", ("example.org", "p-id=2")),
        ("https://example.org/%2e%2e/%2Fetc", ("example.org", "..", "/etc")),
        ("https://[::1", ("page",)),
    ],
)
def test_parts_of_addresses(url: str, parts: tuple[str, ...]) -> None:
    assert url_path_parts(url) == parts


@given(st.lists(st.lists(st.text("aA./\\\x00\udcffé", max_size=4), min_size=1, max_size=3)))
def test_names_stay_inside_and_never_collide(paths: list[list[str]]) -> None:
    names = FileNames()
    made = [names.new_path(tuple(parts), ".txt") for parts in paths]
    folded = [str(path).casefold() for path in made]
    assert len(set(folded)) == len(folded)
    folders = {str(parent).casefold() for path in made for parent in path.parents}
    assert not folders & set(folded)
    assert all(not path.is_absolute() and ".." not in path.parts for path in made)
