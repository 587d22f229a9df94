"""The documentation as one site: its pages, links and diagram, and the check of what was built.

`make site` builds the site and runs `website.check` over it; here are the parts of both, on the
real pages where that is quick and on small made ones.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from lxml import etree, html
from playwright.sync_api import Page, sync_playwright

from thresher.errors import InputError
from thresher.visual.browser import find_chromium
from website import check, diagram, hooks, reference

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


class _Config(yaml.SafeLoader):
    """Reads mkdocs.yml without running what it names."""


_Config.add_multi_constructor("tag:yaml.org,2002:python/", lambda *_: None)
CONFIG = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), _Config)


# --- the configuration ---------------------------------------------------------------------------


def test_every_page_is_in_the_navigation_once() -> None:
    pages = [path.relative_to(DOCS).as_posix() for path in sorted(DOCS.rglob("*.md"))]
    made = [f"reference/modules/{name}.md" for name in reference.MODULES]
    made += ["reference/index.md", "reference/commands/extract.md", *hooks.ROOT_PAGES]
    listed = list(hooks.listed_pages(hooks.expanded(CONFIG["nav"], [*pages, *made])))
    assert sorted(listed) == sorted({*pages, *made})


def test_a_warning_stops_the_build_and_nothing_is_loaded_from_elsewhere() -> None:
    assert CONFIG["strict"] is True
    assert set(CONFIG["validation"]["nav"].values()) == {"warn"}
    assert set(CONFIG["validation"]["links"].values()) == {"warn"}
    assert CONFIG["theme"]["font"] is False
    assert "offline" in CONFIG["plugins"]
    assert "analytics" not in CONFIG["extra"]
    for path in [*CONFIG["extra"]["polyfills"], *CONFIG["extra_css"], CONFIG["theme"]["logo"]]:
        assert (ROOT / "website" / "theme" / path).exists()
    assert not re.search(r"https?:", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("--write-xml PATH", ["write", "xml", "PATH"]),
        (
            "thresher.trends.read_documents(path)",
            ["thresher", "trends", "read", "documents", "path"],
        ),
        ("x &lt; 0.95", ["x", "0.95"]),
    ],
)
def test_where_the_search_divides_words(text: str, words: list[str]) -> None:
    (search,) = [each["search"] for each in CONFIG["plugins"] if "search" in each]
    assert [word for word in re.split(search["separator"], text) if word] == words
    assert "stopWordFilter" not in search["pipeline"]  # --by is an option


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("--related", "related"),
        ("thresher --write-xml", "thresher write-xml"),
        ("--by week", "week"),
        ("--by", "by"),
        ("text to speech", "text speech"),
        ("k-fe", "k-fe"),
        ("-", ""),
        ("", ""),
    ],
)
def test_what_is_searched_for(typed: str, sent: str, search_page: Page) -> None:
    found = search_page.evaluate("typed => new Worker().postMessage({type: 2, data: typed})", typed)
    assert found == {"type": 2, "data": sent}


@pytest.fixture(scope="module")
def search_page() -> Iterator[Page]:
    """A page with the script of the search, in which a worker returns what it is sent."""
    try:
        program = find_chromium()
    except InputError:
        pytest.skip("there is no Chromium")
    script = (ROOT / "website/theme/assets/search-query.js").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.add_script_tag(content="window.Worker = class { postMessage(sent) { return sent; } }")
        page.add_script_tag(content=script)
        yield page
        browser.close()


def test_ci_builds_the_site() -> None:
    steps = re.search(r"^for target in (.*); do$", (ROOT / ".ci/run").read_text(), re.M)
    assert steps
    assert "site" in steps[1].split()
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.split("\nsite: ")[1].split("\n\n")[0]
    assert "--strict" in recipe
    assert "--quiet" not in recipe  # MkDocs would not count warnings
    assert "-m website.check build/site" in recipe


def test_patterns_of_the_navigation() -> None:
    nav = ["a.md", {"B": ["b/one.md", {"More": ["b/*.md"]}]}, {"C": "c.md"}]
    known = ["a.md", "b/one.md", "b/three.md", "b/two.md", "c.md", "d.md"]
    assert hooks.expanded(nav, known) == [
        "a.md",
        {"B": ["b/one.md", {"More": ["b/three.md", "b/two.md"]}]},
        {"C": "c.md"},
    ]
    with pytest.raises(InputError, match=r"no page matches 'e/\*' in nav"):
        hooks.expanded(["e/*"], known)


# --- links ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "written", "expected"),
    [
        ("docs/document.md", "headline.md#title", "headline.md#title"),
        ("docs/methods/bte.md", "../models/README.md", "../models/README.md"),
        ("docs/index.md", "../CONTRIBUTING.md", "CONTRIBUTING.md"),
        ("docs/methods/bte.md", "../../SECURITY.md#fetching", "../SECURITY.md#fetching"),
        ("docs/index.md", "../README.md#use-it", "index.md#use-it"),
        ("docs/index.md", "../examples/demo.html", "source/examples/demo.html.md"),
        ("docs/index.md", "pages/garden/frost.html", "source/docs/pages/garden/frost.html.md"),
        (
            "docs/methods/bte.md",
            "../../src/thresher/methods/bte.py",
            "../source/src/thresher/methods/bte.py.md",
        ),
        ("docs/combining.md", "../examples/news.toml", "source/examples/news.toml.md"),
        ("CONTRIBUTING.md", "docs/methods/bte.md", "methods/bte.md"),
        ("CONTRIBUTING.md", "tests/methods/test_bte.py", "source/tests/methods/test_bte.py.md"),
        ("CHANGELOG.md", "LICENSE", "source/LICENSE.md"),
        ("docs/index.md", "https://example.org/a.md", "https://example.org/a.md"),
        ("docs/index.md", "#install", "#install"),
        ("docs/index.md", "/absolute.md", "/absolute.md"),
    ],
)
def test_links_of_the_site(page: str, written: str, expected: str) -> None:
    text = f"See [it]({written}).\n\n```md\n[code](../README.md)\n```\n"
    assert hooks.site_links(text, page) == text.replace(f"({written})", f"({expected})")


def test_files_outside_are_found() -> None:
    text = "[a](../examples/demo.html#top) [b](b.md) [c](../SECURITY.md)\n```\n[d](../d.py)\n```\n"
    assert hooks.outside_files(text, "docs/a.md") == {"examples/demo.html"}
    for path in DOCS.rglob("*.md"):
        page = path.relative_to(ROOT).as_posix()
        for target in hooks.outside_files(path.read_text(encoding="utf-8"), page):
            assert (ROOT / target).is_file(), f"{page} links to {target}"


# --- the diagram ---------------------------------------------------------------------------------

CHART = "flowchart TD\n    cli --> batch\n    batch --> page\n    cli --> page\n"


def test_a_diagram_by_hand() -> None:
    edges = diagram.read(CHART)
    assert edges == [("cli", "batch"), ("batch", "page"), ("cli", "page")]
    assert diagram.levels(edges) == {"cli": 0, "batch": 1, "page": 2}
    layers, short = diagram.with_bends(edges, diagram.levels(edges))
    assert layers == [["cli"], ["batch", "cli page 1"], ["page"]]
    assert short == [
        ("cli", "batch"),
        ("batch", "page"),
        ("cli", "cli page 1"),
        ("cli page 1", "page"),
    ]
    picture = etree.fromstring(diagram.svg(CHART))
    name = "{http://www.w3.org/2000/svg}"
    assert [box.text for box in picture.iter(f"{name}text")] == ["cli", "batch", "page"]
    arrows = [path for path in picture.iter(f"{name}path") if path.get("marker-end")]
    assert len(arrows) == len(edges)


def test_boxes_of_a_diagram_do_not_overlap() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    chart = text.split("```mermaid\n")[1].split("```")[0]
    boxes = re.findall(r'<rect x="([-\d.]+)" y="([\d.]+)" width="(\d+)"', diagram.svg(chart))
    places = sorted((float(y), float(x), float(width)) for x, y, width in boxes)
    assert len(places) == len({name for edge in diagram.read(chart) for name in edge})
    for (y, x, width), (below, right, _) in pairwise(places):
        assert below > y or right >= x + width
    assert min(x for _, x, _ in places) >= 0


@pytest.mark.parametrize(
    "chart",
    ["graph LR\n a --> b\n", "flowchart TD\n a -.-> b\n", "flowchart TD\n a --> b\n b --> a\n"],
)
def test_other_diagrams_are_refused(chart: str) -> None:
    with pytest.raises(InputError):
        diagram.svg(chart)


def test_a_diagram_in_a_page() -> None:
    text = hooks.with_diagrams(f"Before\n\n```mermaid\n{CHART}```\n\nAfter\n")
    assert "mermaid" not in text
    assert text.startswith('Before\n\n<div class="diagram" markdown="0"><svg ')
    assert text.endswith("</svg></div>\n\nAfter\n")


# --- the check of a built site -------------------------------------------------------------------

PAGE = """<!doctype html><title>Tea</title><link rel="stylesheet" href="style.css">
<link rel="canonical" href="https://example.org/"><a href="sub/">Pots</a>
<article><h1 id="tea">Tea</h1><ul><li>Green</li></ul><img src="tea.svg"></article>
<a href="#tea">up</a> <a href="sub/index.html#pots">Pots</a> <a href="https://example.org/">out</a>"""
POTS = '<article><h1 id="pots">Pots</h1><a href="../tea.html#tea">Tea</a></article>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A small site without problems, and its sources."""
    for folder in ("site/sub", "docs/sub"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "docs/tea.md").write_text("# Tea\n\n- Green\n\n![](tea.svg)\n")
    (tmp_path / "docs/sub/README.md").write_text("# Pots\n\n[Tea](../tea.md)\n")
    (tmp_path / "site/tea.html").write_text(PAGE)
    (tmp_path / "site/sub/index.html").write_text(POTS)
    (tmp_path / "site/style.css").write_text("a { background: url(data:image/png;base64,AA) }")
    (tmp_path / "site/tea.svg").write_text("<svg/>")
    return tmp_path


def found(place: Path) -> list[str]:
    return list(check.problems(place / "site", place / "docs"))


def test_a_good_site_has_no_problems(site: Path) -> None:
    assert found(site) == []
    page = (site / "site/tea.html").read_text()
    powers = "Green 2**n, 2 ** n <code>**a** `b` --></code>"
    (site / "site/tea.html").write_text(page.replace("Green", powers))
    assert found(site) == []


def test_the_page_for_servers_needs_no_other_file() -> None:
    page = html.parse(str(ROOT / "website" / "theme" / "404.html")).getroot()
    assert list(check.links(page)) == [("a", "index.html")]


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        (
            "site/tea.html",
            'href="#tea"',
            'href="#pot"',
            "<a> leads to #pot, which has no such anchor.",
        ),
        (
            "site/tea.html",
            "#pots",
            "#pans",
            "leads to sub/index.html#pans, which has no such anchor.",
        ),
        ("site/tea.html", "sub/index", "sub/other", "sub/other.html#pots, which does not exist."),
        (
            "site/tea.html",
            'href="style',
            'href="/other',
            "<link> leads to /other.css: write a relative path",
        ),
        (
            "site/tea.html",
            "tea.svg",
            "https://example.org/t.png",
            "<img> loads https://example.org/t.png",
        ),
        ("site/tea.html", "tea.svg", "//example.org/t.png", "<img> loads //example.org/t.png"),
        (
            "site/tea.html",
            'href="style.css"',
            'href="https://example.org/s.css"',
            "<link> loads https:",
        ),
        (
            "site/tea.html",
            "<article>",
            "<script src='https://example.org/s.js'></script><article>",
            "<script> loads https://example.org/s.js, which is elsewhere.",
        ),
        (
            "site/style.css",
            "data:image/png;base64,AA",
            "https://example.org/font",
            "loads https://example",
        ),
        ("site/tea.html", "Green", "<p>**Green.** 2**n", "shows '**G' in '**Green.** 2**n'"),
        ("site/tea.html", "Green", "a **tea**", "shows '**t' in 'a **tea**'"),
        ("site/tea.html", "Green", "1 \\&lt; 2", "shows '\\\\<' in"),
        ("site/tea.html", "Green", "`tea`", "shows '`' in"),
        ("site/tea.html", "Green", "[tea](tea.md)", "shows '](' in"),
        ("site/tea.html", "Green", "a --> b", "shows '-->' in"),
        ("docs/tea.md", "- Green", "- Green\n- Black", "1 <li> in the site, 2 in the repository"),
        (
            "docs/sub/README.md",
            "# Pots",
            "# Pots\n\n    code",
            "0 <pre> in the site, 1 in the repository",
        ),
    ],
)
def test_a_bad_site_has_one_problem(
    site: Path, file: str, old: str, new: str, problem: str
) -> None:
    text = (site / file).read_text()
    assert old in text
    (site / file).write_text(text.replace(old, new, 1))
    (report,) = found(site)
    assert problem in report


def test_links_by_hand() -> None:
    tree = html.fromstring('<p><a href="a">a</a><link rel=next href="b"><img src="c">')
    assert list(check.links(tree)) == [("a", "a"), ("a", "b"), ("img", "c")]
