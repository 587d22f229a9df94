"""docs/architecture.md and CONTRIBUTING.md show the packages that there are, and their imports."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "thresher"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def parts() -> set[str]:
    """The packages and modules right below `thresher`."""
    modules = {path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")}
    return modules | {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


@cache
def imports() -> dict[str, set[str]]:
    """Which parts each part imports, read from the source."""
    found: dict[str, set[str]] = {part: set() for part in parts()}
    for path in PACKAGE.rglob("*.py"):
        part = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if part not in found:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            imported = {name.split(".")[1] for name in names if name.startswith("thresher.")}
            found[part] |= (imported & found.keys()) - {part}
    return found


def without_implied(edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """Leave out the imports that follow from others: a -> c where a -> b -> c."""

    def reached(part: str) -> set[str]:
        return set().union(*(edges[other] | reached(other) for other in edges[part]), set())

    return {
        part: {o for o in others if not any(o in {*edges[b], *reached(b)} for b in others - {o})}
        for part, others in edges.items()
    }


def listed(text: str) -> list[str]:
    """The parts in a table of packages, in its order."""
    table = re.search(r"<!-- packages -->\n(.*?)<!-- packages: end -->", text, re.S)
    assert table, "mark the table of packages with <!-- packages --> and <!-- packages: end -->"
    return re.findall(r"^\| `(\w+)(?:/|\.py)` \|", table[1], re.M)


def test_a_chain_of_imports_implies_the_long_way():
    assert without_implied({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == {
        "a": {"b"},
        "b": {"c"},
        "c": set(),
    }


@pytest.mark.parametrize("text", [PAGE, CONTRIBUTING], ids=["architecture", "CONTRIBUTING"])
def test_every_package_is_in_the_table(text):
    assert set(listed(text)) == parts()


def test_both_tables_are_the_same():
    def rows(text: str) -> list[str]:
        return (
            text.partition("<!-- packages -->")[2]
            .partition("<!-- packages: end -->")[0]
            .split("\n")
        )

    assert rows(PAGE) == rows(CONTRIBUTING)


def test_each_package_imports_only_packages_above_it():
    order = listed(PAGE)
    below = [
        f"{part} imports {other}"
        for part, others in imports().items()
        for other in others
        if order.index(other) > order.index(part)
    ]
    assert below == []


def test_the_diagram_shows_the_imports():
    drawn = set(re.findall(r"^    (\w+) --> (\w+)$", PAGE, re.M))
    without_errors = {part: others - {"errors"} for part, others in imports().items()}
    real = {(part, o) for part, others in without_implied(without_errors).items() for o in others}
    assert drawn == real


def test_the_modules_named_in_the_pages_exist():
    for text in (PAGE, CONTRIBUTING):
        for name in re.findall(
            r"`((?:page|methods|metadata|structure|render)/[a-z_/]+\.py)`", text
        ):
            assert (PACKAGE / name).exists(), name
