"""Hooks of MkDocs: generated pages, pages and files from outside docs/, diagrams.

The pages of docs/ are written to read well in the repository. The site needs three changes, which
are made here while it is built: links to files outside of docs/ lead to copies in the site, a
Mermaid diagram becomes a picture, and the pages of the root folder and those generated from the
code are added.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from thresher.cli import main
from thresher.errors import InputError
from website import diagram, reference

ROOT = Path(__file__).resolve().parents[1]
ROOT_PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")  # README has its own: the tour
# Files that are shown as text in a page; others are copied. A page that an example reads would load
# what it names from other hosts if it were copied.
_LANGUAGES = {".py": "python", ".toml": "toml", ".html": "html", "": "text"}
_LINK = re.compile(r"(\]\()(?!\w+:|#|/)([^)#\s]+)")
_FENCE = re.compile(r"^( *)(`{3,}|~{3,})[^\n]*\n.*?^\1\2[`~]*[ ]*$", re.S | re.M)


# --- the navigation ------------------------------------------------------------------------------


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Replace the patterns of `nav` by the pages that they match."""
    docs = Path(config.docs_dir)
    known = [path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.md"))]
    known += list(reference.pages(main))
    config.nav = expanded(config.nav or [], known)
    return config


def expanded(nav: list[Any], known: Iterable[str]) -> list[Any]:
    """Return a `nav` in which each pattern is replaced by the pages that no other entry lists."""
    listed = set(listed_pages(nav))
    left = [path for path in known if path not in listed]

    def fill(entries: list[Any]) -> Iterator[Any]:
        for entry in entries:
            if isinstance(entry, str) and "*" in entry:
                matching = [path for path in left if fnmatch(path, entry)]
                if not matching:
                    raise InputError(f"no page matches {entry!r} in nav of mkdocs.yml: remove it.")
                yield from matching
            elif isinstance(entry, dict):
                yield {
                    title: list(fill(inner)) if isinstance(inner, list) else inner
                    for title, inner in entry.items()
                }
            else:
                yield entry

    return list(fill(nav))


def listed_pages(nav: Any) -> Iterator[str]:
    """Yield the pages of a `nav`, at any depth."""
    if isinstance(nav, str):
        yield nav
    for inner in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from listed_pages(inner)


# --- files ---------------------------------------------------------------------------------------


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, those of the root folder, and the files that pages link to."""
    roots = {name: (ROOT / name).read_text(encoding="utf-8") for name in ROOT_PAGES}
    made = reference.pages(main) | roots
    for file in [file for file in files if file.src_uri.startswith("pages/")]:
        files.remove(file)
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    for page in files.documentation_pages():
        if not page.src_uri.startswith("reference/"):
            for target in outside_files(page.content_string, repository_path(page.src_uri)):
                place = site_path(target)
                missing = not (ROOT / target).is_file()  # MkDocs warns of the link
                if not missing and files.get_file_from_path(place) is None:
                    files.append(_copy(config, target, place))
    return files


def _copy(config: MkDocsConfig, target: str, place: str) -> File:
    source = ROOT / target
    if not place.endswith(".md"):
        return File.generated(config, place, abs_src_path=str(source))
    code = source.read_text(encoding="utf-8").rstrip()
    language = _LANGUAGES[source.suffix]
    page = f"---\nsearch: {{exclude: true}}\n---\n# {target}\n\n`````{language}\n{code}\n`````\n"
    return File.generated(config, place, content=page, inclusion=InclusionLevel.NOT_IN_NAV)


# --- links ---------------------------------------------------------------------------------------


def repository_path(page: str) -> str:
    """Return where a page of the site is in the repository."""
    return page if page in ROOT_PAGES else f"docs/{page}"


def site_path(path: str) -> str:
    """Return where a file of the repository is in the site."""
    if path == "README.md":
        return "index.md"
    if path in ROOT_PAGES or (path.startswith("docs/") and not path.startswith("docs/pages/")):
        return path.removeprefix("docs/")
    return f"source/{path}.md" if Path(path).suffix in _LANGUAGES else f"source/{path}"


def outside_files(text: str, page: str) -> set[str]:
    """Return the files that a page of the repository links to and that are no pages of the site."""
    found: set[str] = set()

    def note(target: str) -> str:
        found.add(posixpath.normpath(posixpath.join(posixpath.dirname(page), target)))
        return target

    with_links(text, note)
    return {path for path in found if site_path(path).startswith("source/")}


def with_links(text: str, change: Callable[[str], str]) -> str:
    """Return a Markdown text with the target of each link changed, code left as it is."""
    parts, end = [], 0
    for fence in _FENCE.finditer(text):
        parts += [text[end : fence.start()], fence[0]]
        end = fence.end()
    parts.append(text[end:])
    parts[::2] = [_LINK.sub(lambda link: link[1] + change(link[2]), part) for part in parts[::2]]
    return "".join(parts)


def site_links(text: str, page: str) -> str:
    """Return the text of a page, given by its path in the repository, with links of the site."""

    def change(target: str) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
        home = posixpath.dirname(site_path(page)) or "."
        return posixpath.relpath(site_path(path), home)

    return with_links(text, change)


# --- pages ---------------------------------------------------------------------------------------


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Change the links of a page, and draw its diagrams."""
    path = page.file.src_uri
    if path.startswith(("reference/", "source/")):
        return markdown
    return with_diagrams(site_links(markdown, repository_path(path)))


def with_diagrams(text: str) -> str:
    """Return a text with each Mermaid block replaced by its picture."""
    return re.sub(
        r"^```mermaid\n(.*?)^```$",
        lambda found: f'<div class="diagram" markdown="0">{diagram.svg(found[1])}</div>',
        text,
        flags=re.S | re.M,
    )
