"""`thresher methods`."""

import re

import pytest

import thresher
from tests.cli.commands import run


def test_methods_are_listed_with_their_options() -> None:
    listed = run("methods").stdout
    for name in thresher.methods.names():
        assert re.search(rf"^{name} +Keep ", listed, re.M)
    assert "tag_cost=1.0" in listed
    assert listed.isascii()


@pytest.mark.parametrize("columns", [40, 60, 200])
def test_methods_fit_the_width(columns: int) -> None:
    lines = run("methods", width=columns).stdout.splitlines()
    assert max(map(len, lines)) <= columns
    assert " ".join(" ".join(lines).split()) == " ".join(run("methods").stdout.split())


def test_a_method_is_shown_with_paper_and_options() -> None:
    shown = run("methods", "BTE").stdout
    assert shown.startswith("BTE: body text extraction (Finn")
    assert "Departures:" in shown
    assert "\n\nOptions: tag_cost=1.0" in shown
    assert run("methods", "plain").stdout.endswith("\n\nOptions: none\n")
