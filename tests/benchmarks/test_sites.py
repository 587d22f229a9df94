"""Gains from learned pages: the docs agree with the last run, figures by hand, a small run."""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest

import thresher
from benchmarks import sites
from benchmarks.generator import generate_site, write_jsonl
from benchmarks.marked_blocks import block
from thresher.evaluate.corpora import GoldPage
from thresher.site.store import MOST_BYTES
from thresher.viewer.plots import image_bytes

FIGURES = json.loads(sites.FIGURES.read_text(encoding="utf-8"))


def gold(id_, *, site="", url="", text=""):
    return GoldPage(id=id_, html=b"<p>x", text=text, site=site, url=url)


# --- the docs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sites.BLOCKS)
def test_the_docs_say_what_the_last_run_measured(name):
    page = sites.PAGE.read_text(encoding="utf-8")
    assert block(page, name) == sites.BLOCKS[name](FIGURES)


@pytest.mark.slow
@pytest.mark.parametrize("name", sites.DRAWN)
def test_the_pictures_show_what_the_last_run_measured(name):
    drawn = image_bytes(sites.DRAWN[name](FIGURES), "svg")
    assert (sites.PICTURES / name).read_bytes() == drawn


def test_the_docs_name_the_limits_and_weights_of_the_code():
    page = sites.PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"\| ([\d,]+) \| `(thresher\.site\.\w+)\.(MOST_\w+)` \|", page)
    assert len(rows) == 6
    for value, module, name in rows:
        assert getattr(import_module(module), name) == int(value.replace(",", "")), name
    weights = import_module("thresher.site.site")
    assert f"p' = {1 - weights.PATH_WEIGHT:g} p + {weights.PATH_WEIGHT:g} m" in page
    assert f"on {weights.REPEATED_PAGES} or more learned pages" in page
    assert f"on {weights.REPEATED_SHARE:.0%} or more" in page.replace("40 %", "40%")


def test_what_was_promised():
    for corpus, own in sites.gains_of(FIGURES).items():
        assert all(gain.worst >= -0.01 for gain in own), corpus
        assert all(gain.site > gain.page for gain in own), corpus
    assert FIGURES["costs"]["learn"] <= 5
    assert FIGURES["costs"]["apply"] <= 2
    measured = [one for own in FIGURES["sizes"].values() for one in own]
    assert max(one["stored"] for one in measured) <= MOST_BYTES
    assert max(one["memory"] for one in measured) <= MOST_BYTES


def test_the_guards_fix_f1_and_f2_and_nothing_fixes_f3_and_f4():
    right, pages = FIGURES["table 1"], FIGURES["table 1 pages"]
    assert right[""]["R1"] == right[""]["R2"] == pages
    for cause in ("F1", "F2"):
        assert right[cause]["R1"] == 0
        assert right[cause]["R2"] >= 0.95 * pages
    for cause in ("F3", "F4"):
        assert right[cause]["R2"] <= 0.05 * pages < right[cause]["page"] <= right[cause]["site"]


# --- by hand -------------------------------------------------------------------------------------


def test_sites_of_big9_are_apart_by_year_and_small_ones_are_left_out():
    pages = [gold(f"big5-05/a ({n})", site="cnn") for n in range(9)]
    pages += [gold(f"big5-17/a ({n})", site="cnn") for n in range(8)]
    pages += [gold(f"big5-09/a ({n})", site="cnn") for n in range(7)]
    found = sites.by_site("big9-chaos", pages)
    assert [(one.corpus, one.site, len(one.pages)) for one in found] == [
        ("big9-chaos", "cnn 2005", 9), ("big9-chaos", "cnn 2017", 8),
    ]  # fmt: skip
    (one,) = sites.histories("big9-chaos", pages)
    years = [sites.year_of(page) for page in one.pages]
    assert years == [2005] * 9 + [2009] * 7 + [2017] * 8


def test_hosts_of_daniel_are_in_two_sets():
    assert sites.set_name("daniel", 19) == "daniel, fewer pages"
    assert sites.set_name("daniel", 20) == "daniel, 20 pages or more"


def figures_of(*changes):
    scores = [{"page": 0.8, "1": 0.8 + change, "5": 0.8 + 2 * change} for change in changes]
    worst = [{"1": one["1"] - 0.03, "5": one["5"]} for one in scores]
    return {
        "sites": [
            {"corpus": "c", "site": "s", "pages": 9, "f1": one, "worst draw": least}
            for one, least in zip(scores, worst, strict=True)
        ]
    }


def test_gains_are_means_over_sites_with_the_worst_one():
    one, five = sites.gains_of(figures_of(0.05, 0.02, -0.01))["c"]
    assert (one.learned, five.learned, one.sites) == (1, 5, 3)
    assert (one.page, one.site, five.site) == pytest.approx((0.8, 0.82, 0.84))
    assert (one.worst, five.worst) == pytest.approx((-0.01, -0.02))
    assert (one.worst_draw, five.worst_draw) == pytest.approx((-0.04, -0.02))
    assert (one.low, one.high) == pytest.approx((-0.01, 0.05))  # the draws of one site thrice


def test_the_interval_of_equal_sites_is_a_point():
    assert sites.interval([0.25] * 4) == (0.25, 0.25)


def test_the_gap_that_is_closed():
    *_, row = sites.gap_table(figures_of(0.025)).splitlines()
    assert row == "| s | 9 | 0.8000 | 0.8500 | 0.1000 | 50% |"
    assert len(sites.gap_table(figures_of()).splitlines()) == 2


def test_the_reference_is_the_page_with_the_most_related_address():
    pages = [gold(str(n), url=f"https://a.example/{path}") for n, path in enumerate(
        ("news/12/first", "sport/2/x", "news/7/second", "sport/9/y")
    )]  # fmt: skip
    assert sites.related_to(0, pages, [1, 2, 3]) == 2
    assert sites.related_to(3, pages, [2, 0, 1]) == 1
    assert sites.related_to(0, [gold("0"), gold("1"), gold("2")], [2, 1]) == 2


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("Tea is hot and good", True),
        ("About tea Tea is hot and good", True),  # the title may be there
        ("Tea is hot", False),
        ("", False),
        ("Tea is hot and good Home Shop", False),
    ],
)
def test_a_page_is_right_with_its_content_and_title_only(text, is_right):
    page = GoldPage(id="1", html=b"", text="Tea is hot and good", title="About tea")
    assert sites.is_right(text, page) == is_right


def test_bytes_in_memory_are_those_of_the_arrays():
    size = sites.bytes_in_memory(sites.np.zeros(100_000))
    assert 800_000 <= size < 810_000


@pytest.mark.slow
def test_full_pages_are_kept_for_comparison_and_belong_to_one_template_each():
    site = thresher.Site()
    for number in range(13):
        page = sites.full_page(number)
        site.learn(page.html, url=page.url)
    assert [template.pages for template in site.templates] == [2, 2, 2, 2, 2, 3]
    assert len(site.references) == 12
    assert all(len(one.sequence) > 1_900 for one in site.references)


# --- measuring -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_gains_never_learn_the_page_itself(monkeypatch):
    pages = list(generate_site(3, 0, 6))
    learned, extracted = [], []
    learn, extract = thresher.Site.learn, thresher.Site.extract

    def noting_learn(self, page):
        learned.append(page)
        return learn(self, page)

    def noting_extract(self, page):
        if len(learned) in (1, 2, 5):
            extracted.append((page, list(learned)))
        if len(learned) == 5:
            learned.clear()
        return extract(self, page)

    monkeypatch.setattr(thresher.Site, "learn", noting_learn)
    monkeypatch.setattr(thresher.Site, "extract", noting_extract)
    found = sites.gains(sites.Group("generated", "s", pages))
    assert set(found["f1"]) == {"page", "1", "2", "5", "R1", "R2"}
    for count, least in found["worst draw"].items():
        assert least <= found["f1"][count]
    assert [len(others) for _, others in extracted] == [1, 2, 5] * sites.DRAWS * 6
    for page, others in extracted:
        assert all(page is not other for other in others)
        assert len({id(other) for other in others}) == len(others)


@pytest.mark.slow
def test_a_redesign_is_noticed_and_old_designs_do_not_matter():
    (group,) = sites.generated_histories(1)
    found = sites.history(group)
    assert list(found["years"]) == ["2005", "2013", "2021"]
    assert [own["noticed"] for own in found["years"].values()] == [None, 3, 3]
    assert all(all(own["own"]) for own in found["years"].values())
    assert found["newest"]["new"] == found["newest"]["old and new"]


@pytest.mark.slow
def test_a_small_run_writes_figures_tables_and_pictures(tmp_path, monkeypatch):
    corpus = tmp_path / "small.jsonl"
    write_jsonl(generate_site(2, 1, 8), corpus)
    page = tmp_path / "site.md"
    marks = (f"<!-- {name}: here -->\nBEFORE\n<!-- {name}: end -->\n" for name in sites.BLOCKS)
    page.write_text("".join(marks))
    for name, value in {
        "FIGURES": tmp_path / "sites.json", "PAGE": page, "PICTURES": tmp_path, "SIZES": (1, 3),
        "TABLE_SITES": 1, "FULL_PAGES": 3,
    }.items():  # fmt: skip
        monkeypatch.setattr(sites, name, value)
    arguments = ["--corpus", str(corpus), "--generated", "1", "--rounds", "1", "--jobs", "1"]
    assert sites.main(arguments) == 0
    figures = json.loads((tmp_path / "sites.json").read_text())
    assert set(figures) == set(FIGURES)
    assert {one["corpus"] for one in figures["sites"]} == {"small", "generated"}
    assert set(figures["table 1"]) == set(FIGURES["table 1"])
    assert [one["pages"] for one in figures["sizes"]["a generated site"]] == [1, 3]
    assert "BEFORE" not in page.read_text()
    assert all((tmp_path / name).read_text().startswith("<?xml") for name in sites.DRAWN)
    before = page.read_text()
    assert sites.main(["--page-only"]) == 0
    assert page.read_text() == before


def test_without_corpora_nothing_is_measured(monkeypatch, capsys):
    monkeypatch.setenv("THRESHER_CORPORA", str(Path("nowhere")))
    assert sites.main([]) == 2
    assert "no corpora" in capsys.readouterr().out
