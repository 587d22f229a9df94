"""The guide of CONTRIBUTING holds: following it to the end gives a complete method.

The example is followed literally in a copy of the repository, with small corpora for the floors.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.generator import generate

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FOLDERS = ("src", "tests", "docs", "benchmarks", "examples", "website", ".ci")
FILES = (
    "pyproject.toml",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE",
    "Makefile",
    "floors.json",
    "mkdocs.yml",
)
CORPORA = ("big9-chaos", "cleaneval-dev", "daniel", "dragnet", "fundus", "voa-dari", "wcxb-dev")


def shown_file(name: str) -> str:
    """The content that the guide shows for a file: the first fenced block after its name."""
    after = TEXT[TEXT.index(f"`{name}`") :]
    block = re.search(r"^(`{3,})\w+\n(.*?)^\1$", after, re.S | re.M)
    assert block, name
    return block[2]


class Copy:
    """A copy of the repository in which commands are run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        skipped = shutil.ignore_patterns("__pycache__")
        for name in FOLDERS:
            shutil.copytree(ROOT / name, folder / name, ignore=skipped)
        for name in FILES:
            shutil.copy(ROOT / name, folder / name)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        places = {
            "PYTHONPATH": f"{self.folder / 'src'}{os.pathsep}{self.folder}",
            "THRESHER_CORPORA": str(self.folder / "corpora"),
        }
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=os.environ | places,
            capture_output=True,
            text=True,
            timeout=900,
        )

    def pytest(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments)

    def make_command(self, target: str) -> list[str]:
        """The Python command of a make target, without its variables."""
        makefile = (self.folder / "Makefile").read_text(encoding="utf-8")
        recipe = re.search(rf"^{target}:.*\n\t\$\(DEV\)/python (.*)$", makefile, re.M)
        assert recipe, target
        return recipe[1].replace("$(METHOD)", "longest").split()


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Copy:
    """The copy with the module, the line, the page and the test of the guide."""
    place = Copy(tmp_path_factory.mktemp("clone"))
    for name in (
        "src/thresher/methods/longest.py",
        "docs/methods/longest.md",
        "tests/methods/test_longest.py",
    ):
        (place.folder / name).write_text(shown_file(name), encoding="utf-8")
    registry = place.folder / "src/thresher/methods/registry.py"
    line = shown_file("src/thresher/methods/registry.py")
    before = '    "lqf": '
    text = re.sub(r'^    "longest": .*\n', "", registry.read_text(encoding="utf-8"), flags=re.M)
    assert text.count(before) == 1
    registry.write_text(text.replace(before, line + before), encoding="utf-8")
    floors = place.folder / "floors.json"
    floors.write_text(re.sub(r'^ *"longest": .*\n', "", floors.read_text(), flags=re.M))
    (place.folder / "corpora").mkdir()
    pages = [{"id": p.id, "html": p.html, "text": p.text, "site": p.site} for p in generate(1, 2)]
    for name in CORPORA:
        pq.write_table(pa.Table.from_pylist(pages), place.folder / "corpora" / f"{name}.parquet")
    return place


@pytest.mark.slow
def test_the_example_of_the_guide_can_be_finished(copy):
    contract = copy.pytest("-m", "not slow", "tests/methods/test_contract.py", "-k", "longest")
    assert contract.returncode == 1
    (missing,) = re.findall(r"^E +AssertionError: .*\n((?:E +- .*\n)+)", contract.stdout, re.M)
    assert missing.count("- ") == 1, "only the generated floors may be missing"
    assert "make pin-floors" in missing

    for target in ("methods-table", "pin-floors"):
        done = copy.run(*copy.make_command(target))
        assert done.returncode == 0, done.stdout + done.stderr

    own = ["tests/methods/test_contract.py", "tests/methods/test_longest.py", "-k", "longest"]
    done = copy.pytest(*own)
    assert done.returncode == 0, done.stdout
    done = copy.pytest(
        "-m", "not slow", "tests/docs", "tests/benchmarks", "tests/methods/test_registry.py"
    )
    assert done.returncode == 0, done.stdout


def test_the_guide_shows_lint_clean_code(tmp_path):
    for name in ("src/thresher/methods/longest.py", "tests/methods/test_longest.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(shown_file(name), encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)  # its rules for tests are by path
    for check in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *check, str(tmp_path)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout
