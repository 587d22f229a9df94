"""Results: means with their intervals, groups of pages, JSON and CSV."""

import csv
import io
import json

import pytest

from thresher.evaluate.results import MEASURES, PageResult, Results, mean


def one_page(page: str = "1", tool: str = "bte", **given: str) -> PageResult:
    facts = {"site": "", "lang": "", "kind": "", **given}
    scores = dict.fromkeys(MEASURES) | {"bag_f1": 1.0}
    return PageResult("c", page, tool, scores=scores, milliseconds=1.5, characters=10, **facts)


def test_json_has_the_tools_and_all_page_results():
    pages = (one_page(), one_page("2", site="s"))
    found = json.loads(Results(pages, {"bte": "1"}).to_json())
    assert found["tools"] == {"bte": "1"}
    assert tuple(PageResult(**page) for page in found["pages"]) == pages


def test_csv_has_a_record_per_page_and_tool():
    lines = Results((one_page(), one_page("2", site="s"))).to_csv().splitlines()
    facts = "corpus,page,tool,site,lang,kind,milliseconds,characters,error"
    assert lines[0] == ",".join([facts, *MEASURES])
    assert lines[2] == "c,2,bte,s,,,1.5,10,,,,,1.0,,,,,,,,"


def test_cells_of_csv_are_no_formulas():
    page = one_page("=1+1", "@SUM(A1)", site="+x", lang="-2", kind="\tx")
    (_, record) = csv.reader(io.StringIO(Results((page,)).to_csv(), newline=""))
    assert record[:6] == ["c", "'=1+1", "'@SUM(A1)", "'+x", "'-2", "'\tx"]
    assert record[6:8] == ["1.5", "10"]
    for before in (" ", "\u00a0", "\ufeff", "\u200b", "\u202e", "\0", "\u2028", " \ufeff"):
        page = one_page(f"{before}=1+1", site=f"{before}@x")
        lines = Results((page,)).to_csv()
        assert f"'{before}=1+1" in lines
        assert f"'{before}@x" in lines


def test_the_interval_holds_the_mean_and_narrows():
    few, many = mean([0.0, 1.0] * 5), mean([0.0, 1.0] * 500)
    assert few.value == many.value == 0.5
    assert few.low < many.low < 0.5 < many.high < few.high
    assert mean([0.3] * 9).low == pytest.approx(0.3)


def test_pages_without_a_language_or_kind_are_in_no_group():
    assert [row.group for row in Results((one_page(),)).rows(["lang", "kind"])] == ["all"]


def test_a_page_without_a_site_is_a_group_of_its_own():
    pages = [one_page("1", tool) for tool in ("bte", "cetd")] + [
        one_page("2"),
        one_page("3", site="s"),
    ]
    pages.append(one_page("4", site="s"))
    by_site = [row for row in Results(tuple(pages)).rows(["site"]) if row.group != "all"]
    assert [(row.group, row.tool, row.pages) for row in by_site] == [
        ("site: of page 1", "bte", 1),
        ("site: of page 1", "cetd", 1),
        ("site: of page 2", "bte", 1),
        ("site: s", "bte", 2),
    ]


def test_mean_scores():
    names = ("bag_precision", "bag_recall", "bag_f1")
    pages = [
        PageResult("c", str(f1), "bte", "", "", "", dict.fromkeys(names, f1), 1.0, 10)
        for f1 in (0.25, 0.75)
    ]
    assert Results(tuple(pages)).mean_scores("bte") == (0.5, 0.5, 0.5)
