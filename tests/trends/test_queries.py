"""Queries and the TOML they are read from."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import InputError, UsageError
from thresher.trends.queries import Query, read_queries, thesis_queries, to_queries


def test_a_keyword_given_twice_weighs_two() -> None:
    query = Query("rivers", ("flood", "river", "flood", " high\n water "))
    assert query.keywords == ("flood", "river", "high water")
    assert query.weights == (2.0, 1.0, 1.0)
    assert query == Query("rivers", ("flood", "river", "high water"), (2, 1, 1))
    assert hash(query) == hash(Query("rivers", query.keywords, query.weights))


def test_weights_of_the_same_keyword_are_added() -> None:
    assert Query("q", ("a", "b", "a"), (0.5, 1, 2)).weights == (2.5, 1.0)


@given(st.lists(st.sampled_from(["flood", "river", "high water", "dam"]), min_size=1))
def test_weights_are_counts(keywords: list[str]) -> None:
    query = Query("q", tuple(keywords))
    assert list(query.keywords) == list(dict.fromkeys(keywords))
    assert list(query.weights) == [keywords.count(keyword) for keyword in query.keywords]
    assert Query("q", query.keywords, query.weights) == query


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("q", "flood"), r"the keywords of a query are a list: give \['flood'\]"),
        (("q", ()), "the query 'q' has no keywords: give at least one"),
        (("q", ("a", " ")), "the keyword ' ' of 'q' is no text"),
        (("q", (1,)), "the keyword 1 of 'q' is no text"),
        ((" ", ("a",)), "a query needs a name"),
        (("q", ("a", "b"), (1,)), "2 keywords and 1 weights: give one weight for each"),
        (("q", ("a",), (0,)), "the weight 0 of 'a' in 'q' cannot be used: give a number above 0"),
        (("q", ("a",), (-1,)), "the weight -1"),
        (("q", ("a",), (True,)), "the weight True"),
        (("q", ("a",), ("2",)), "the weight '2'"),
        (("q", ("a",), (float("nan"),)), "the weight nan"),
        (("q", ("a",), (float("inf"),)), "the weight inf"),
    ],
)
def test_bad_queries_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Query(*arguments)  # type: ignore[arg-type]


def test_reading(tmp_path: Path) -> None:
    path = tmp_path / "queries.toml"
    path.write_text(
        '\ufeff[queries]\nfloods = ["flood", "high water", "flood"]\n'
        '"heat waves" = { heat = 1, "heat wave" = 2.5 }\n',
        encoding="utf-8",
    )
    expected = (
        Query("floods", ("flood", "high water"), (2, 1)),
        Query("heat waves", ("heat", "heat wave"), (1, 2.5)),
    )
    assert read_queries(path) == read_queries(str(path)) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[queries", "is not TOML: "),
        ("", r"has no queries: write them below \[queries\]"),
        ("[queries]", "has no queries"),
        ('queries = ["a"]', "has no queries"),
        ('[queries]\na = "flood river"', "the keywords of 'a' are not a list: write a = \\[\"one"),
        ("[queries]\na = []", "the query 'a' has no keywords"),
        ("[queries]\na = [1]", "the keyword 1 of 'a' is no text"),
        ('[queries]\na = { b = "c" }', "the weight 'c' of 'b' in 'a'"),
        ("a = " + "[" * 100_000, "is not TOML: "),
    ],
)
def test_files_with_mistakes(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "queries.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=f"queries.toml.*{message}"):
        read_queries(path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.toml", "cannot read .*nowhere.toml: no such file"),
        ("latin.toml", "is not UTF-8: save it as UTF-8"),
        (".", "cannot read .*: is a directory"),
        ("a\0b", "cannot read .*null byte"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "latin.toml").write_bytes('[queries]\na = ["Dürre"]'.encode("latin-1"))
    with pytest.raises(InputError, match=message):
        read_queries(tmp_path / name)


def test_table_6_3() -> None:
    """The number of words of each query, and the words that are given twice."""
    queries = thesis_queries()
    assert [(query.name, len(query.keywords), sum(query.weights)) for query in queries] == [
        ("Biodiversity", 17, 18),
        ("Evolution", 30, 31),
        ("Conservation", 22, 23),
        ("Genome", 13, 13),
    ]
    twice = {
        keyword
        for query in queries
        for keyword, weight in zip(query.keywords, query.weights, strict=True)
        if weight == 2
    }
    assert twice == {"functional", "speciation", "change"}
    assert all(" " not in keyword for query in queries for keyword in query.keywords)


@pytest.mark.parametrize("wrong", [("", ("a",)), (None, ("a",)), ("q", 3), ("q", ("a",), 2)])
def test_arguments_of_other_types_are_errors(wrong):
    with pytest.raises(UsageError, match="give"):
        Query(*wrong)


def test_a_mapping_becomes_queries():
    given = {"a": ["x", "y", "x"], "b": {"z": 2.5}, "c": ("w",)}
    expected = (Query("a", ("x", "y", "x")), Query("b", ("z",), (2.5,)), Query("c", ("w",)))
    assert to_queries(given) == to_queries(expected) == to_queries(iter(expected)) == expected
