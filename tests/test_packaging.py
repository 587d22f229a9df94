"""What an installed Thresher looks like from outside."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import thresher

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LATE = {"httpx", "rich", "matplotlib", "pyarrow", "lxml", "asyncio", "stopwordsiso"}

EXTRAS = {
    "batch": {"fastwarc", "pyarrow"},
    "browser": {"playwright"},
    "evaluate": {"rapidfuzz", "matplotlib", "pyarrow", "markdown-it-py"},
    "trends": {"scipy", "matplotlib", "rispy", "PyStemmer", "pybtex", "pyarrow"},
    "train": {"catboost", "scikit-learn", "python-crfsuite"},
    "peers": {"trafilatura", "readability-lxml", "resiliparse", "justext"},
}
# Modules whose names differ from those of their packages.
MODULES = {
    "markdown-it-py": "markdown_it",
    "PyStemmer": "Stemmer",
    "python-crfsuite": "pycrfsuite",
    "readability-lxml": "readability",
    "scikit-learn": "sklearn",
}


def run(*arguments: str) -> str:
    """Run this Python, insist that it succeeds, and return what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def copied_sources(folder: Path) -> Path:
    """Copy what a build needs to a folder, without what was built, and return the folder."""
    ignored = shutil.ignore_patterns("*.egg-info", "*.so")
    shutil.copytree(ROOT / "src", folder / "src", ignore=ignored)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


def names(requirements: list[str]) -> set[str]:
    return {requirement.partition(">=")[0].partition("[")[0] for requirement in requirements}


def test_the_version_has_one_source() -> None:
    assert thresher.__version__ == PROJECT["version"] == metadata.version("thresher")


def test_the_core_needs_seven_packages() -> None:
    core = {"turbohtml", "numpy", "click", "rich", "Pygments", "httpx", "stopwordsiso"}
    assert names(PROJECT["dependencies"]) == core


def test_extras_are_as_designed() -> None:
    extras = dict(PROJECT["optional-dependencies"])
    assert "pytest" in names(extras.pop("dev"))
    (everything,) = extras.pop("all")
    wanted = everything.removeprefix("thresher[").removesuffix("]").split(",")
    assert set(wanted) == EXTRAS.keys() - {"peers"}
    assert {extra: names(needs) for extra, needs in extras.items()} == EXTRAS


@pytest.mark.parametrize("extra", EXTRAS)
def test_code_imports_every_package_of_an_extra(extra: str) -> None:
    imported = imported_modules()
    assert {name for name in EXTRAS[extra] if MODULES.get(name, name) not in imported} == set()


def imported_modules() -> set[str]:
    """Return the top names of all modules that the package imports, wherever in its files.

    A module may also be imported by a function, such as `import_module("justext")`.
    """
    found: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Call):
                given = [one.value for one in node.args if isinstance(one, ast.Constant)]
                found |= {str(value).partition(".")[0] for value in given}
    return found


def test_constraints_pin_all_that_core_and_dev_name() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert all("==" in pin for pin in pins)
    pinned = {pin.partition("==")[0].lower().replace("_", "-") for pin in pins}
    named = names(PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"])
    assert {name.lower() for name in named} <= pinned


def test_python_dash_m_shows_the_commands() -> None:
    shown = run("-m", "thresher", "--help")
    assert shown.startswith("Usage: thresher ")
    assert "extract" in shown


def test_importing_stays_light() -> None:
    loaded = run("-c", "import sys, thresher; print(*sys.modules)").split()
    assert "thresher.page.parse" in loaded
    assert not LATE & set(loaded)


def test_every_public_name_is_there() -> None:
    code = "import thresher; print(*(type(getattr(thresher, name)) for name in thresher.__all__))"
    assert run("-c", code).count("module") == 2  # combine and methods
    run("-c", "from thresher import *; combine.read('bte'); Position, vote, learn, fetch.__doc__")


def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    copy = copied_sources(tmp_path)
    subprocess.run(
        [sys.executable, "-c", "from setuptools.build_meta import *; build_wheel('.')"],
        cwd=copy,
        env={**os.environ, "THRESHER_PURE": "1"},
        check=True,
        capture_output=True,
    )
    (wheel,) = copy.glob("thresher-*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("thresher/")}
        (licence,) = (name for name in archive.namelist() if name.endswith("/LICENSE"))
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()
    source = ROOT / "src"
    files = {
        path.relative_to(source).as_posix()
        for path in (source / "thresher").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so"
    }
    assert "thresher/py.typed" in files
    assert packed == files


@pytest.mark.slow
def test_without_a_compiler_the_plain_version_is_installed(tmp_path: Path) -> None:
    copied_sources(tmp_path)
    built = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=tmp_path,
        env={**os.environ, "CC": "/bin/false"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    shown = subprocess.run(
        [sys.executable, "-m", "thresher", "--version"],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.endswith("(plain core)\n")
