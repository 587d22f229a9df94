"""Links, names and files in Markdown pages exist, and README leads to every page."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def without_code(path: Path) -> str:
    """The text of a page without its fenced and inline code."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def links(path: Path) -> list[tuple[Path, str]]:
    """The linked file and the anchor ("" if none) of each link within the repository."""
    found = re.findall(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)", without_code(path))
    return [((path.parent / file).resolve() if file else path, anchor) for file, anchor in found]


def anchors(path: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub writes them."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S), re.M
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    broken = [
        f"{file.name}#{anchor}"
        for file, anchor in links(page)
        if not file.exists() or (anchor and anchor not in anchors(file))
    ]
    assert not broken, f"links of {page.name} without a target: {broken}"


def test_every_page_of_the_docs_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    new = [ROOT / "README.md"]
    while new:
        page = new.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            new += [file for file, _ in links(page)]
    lost = [page.relative_to(ROOT).as_posix() for page in PAGES if page not in reached]
    assert not lost, f"add a link to each of these pages: {lost}"


def resolves(name: str) -> bool:
    """Return True if a dotted name is a module, or an attribute of one or of a class in one."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:size]))
        except ModuleNotFoundError:
            continue
        return all((found := getattr(found, part, None)) is not None for part in parts[size:])
    return False


# The changelog has names of the past, CONTRIBUTING the files of an example.
CURRENT = [page for page in PAGES if page.name not in ("CHANGELOG.md", "CONTRIBUTING.md")]


@pytest.mark.parametrize("page", CURRENT, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_names_and_files_in_the_text_exist(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    code = "\n".join(re.findall(r"`([^`]+)`", text))
    names = set(re.findall(r"\bthresher(?:\.[a-z_]\w*)+", code, re.I))
    files = set(re.findall(r"\b(?:src|tests|benchmarks|examples|docs)/[\w./-]+\.\w+", code))
    missing = [name for name in sorted(names) if not resolves(name)]
    missing += [file for file in sorted(files) if not (ROOT / file).exists()]
    assert not missing, f"{page.name} names what does not exist: {missing}"
