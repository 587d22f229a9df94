"""The example of CONTRIBUTING is real: its method works, and lacks what the page says."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

import thresher
from tests.methods.test_contract import ROOT, SMALL, missing_pieces, report
from thresher import methods

TEXT = (ROOT / "CONTRIBUTING.md").read_text()


@pytest.fixture
def longest(tmp_path: Path, monkeypatch):
    """The class of the example, in a module of its own, registered by its one line."""
    code = re.search(r"```python\n(from dataclasses.*?)```", TEXT, re.S)
    line = re.search(r'_CLASSES = \{\n    "(\w+)": (\w+),\n\}', TEXT)
    assert code
    assert line
    path = tmp_path / f"{line[1]}.py"
    path.write_text(code[1])
    spec = importlib.util.spec_from_file_location(line[1], path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, line[1], module)
    spec.loader.exec_module(module)
    kind = getattr(module, line[2])
    monkeypatch.setitem(methods._CLASSES, line[1], kind)
    return kind


def test_the_example_works_once_registered(longest):
    document = thresher.extract(SMALL["article"], method="longest")
    assert document.text.startswith("Warm the pot.")
    assert document.method == "longest"


def test_the_contract_test_says_what_the_page_shows(longest):
    told = report("longest", missing_pieces("longest", longest, ROOT))
    shown = re.search(r"```\n(the method longest is not complete yet:.*?)```", TEXT, re.S)
    assert shown
    assert told.split() == shown[1].split()


def test_the_example_keeps_hidden_text_as_the_page_says(longest):
    page = thresher.parse(SMALL["hidden"])
    assert methods.get("longest")(page) & page.where(page.hidden)
