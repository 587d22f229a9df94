"""Adaptation to labelled pages: sites kept apart, the table, a small run."""

import pytest

from benchmarks import adaptation


def lesson(site, kind="forum"):
    return adaptation.Lesson(site, kind, None, None)


def test_sites_are_not_split():
    lessons = [lesson(site) for site in "aaabbcdeeef"]
    for seed in range(5):
        labelled, others = adaptation.split_by_site(lessons, 5, seed)
        assert len(labelled) == 5
        assert len(labelled) + len(others) == len(lessons)
        assert not {one.site for one in labelled} & {one.site for one in others}
    draws = {tuple(adaptation.split_by_site(lessons, 5, seed)[0]) for seed in range(5)}
    assert len(draws) > 1


def test_the_table_has_means_and_the_range_of_the_lift():
    draws = [adaptation.Draw(100, 50, 60, 0.5, 0.6), adaptation.Draw(100, 48, 62, 0.7, 0.76)]
    lines = adaptation.table({"forum": draws}).splitlines()
    assert lines[2] == "| forum | 100 | 49 | 61 | 0.600 | 0.680 | 0.080 | 0.060 | 0.100 |"


@pytest.mark.slow
def test_a_small_run_adapts_and_scores_other_sites(few, corpus, tmp_path, monkeypatch):
    trained = []
    write = adaptation.write_model
    monkeypatch.setattr(
        adaptation, "write_model", lambda *given: (trained.append(given[1]), write(*given))
    )
    monkeypatch.setattr(adaptation, "KINDS", ("forum",))
    page = tmp_path / "page.md"
    page.write_text("<!-- adaptation: here -->\nBEFORE\n<!-- adaptation: end -->\n")
    given = [str(page), "--corpus", str(corpus), "--labelled", "6", "--draws", "2"]
    assert adaptation.main(given) == 0
    cells = page.read_text().splitlines()[3].split(" | ")
    lessons = adaptation.read_lessons([corpus], None)
    forums = {one.site for one in lessons if one.kind == "forum"}
    assert cells[0] == "| forum"
    assert int(cells[1]) == len(trained[0]) == sum(one.site not in forums for one in lessons)
    assert int(cells[2]) <= 6
