"""The pages that tests of the batch and of the command line read."""

from pathlib import Path

import pytest

from tests.cli.commands import PAGE


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A folder with pages in a small tree, and things that are not pages."""
    folder = tmp_path / "pages"
    (folder / "deep" / "er").mkdir(parents=True)
    for name in ("b.html", "a.HTM", "deep/c.xhtml", "deep/er/b.html"):
        (folder / name).write_text(PAGE.replace("Rain", name), encoding="utf-8")
    (folder / "notes.txt").write_text("not a page")
    (folder / "dir.html").mkdir()
    return folder
