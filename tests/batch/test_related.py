"""Related pages: which links are chosen, and what is read from disk and from a server."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import thresher
from thresher.batch.messages import Messages
from thresher.batch.related import RelatedPages, related_addresses
from thresher.batch.sources import Input, ReadOptions, read_page
from thresher.document import Document, extract

RAIN = "<p>All night it rained on the roof and nobody in the house slept a single hour.</p>" * 4
ADDRESS = "https://puddle.example/rain"


def page(*links: tuple[str, str]) -> str:
    listed = "".join(f'<li><a href="{address}">{text}</a>' for address, text in links)
    return (
        f"<html lang=en><title>Rain on the roof</title><h1>Rain on the roof</h1>{RAIN}"
        f"<ul class=related-news>{listed}</ul>"
    )


def addresses(*links: tuple[str, str], url: str | None = ADDRESS) -> list[str]:
    return related_addresses(thresher.extract(page(*links), url=url))


# --- which links ----------------------------------------------------------------------------------


def test_the_links_that_share_the_most_words_come_first():
    found = addresses(
        ("/frost", "Why the lowest bed freezes first"),
        ("/house", "A house that nobody wanted before"),
        ("/roof", "Rain comes through the old roof"),
    )
    names = [address.removeprefix("https://puddle.example/") for address in found]
    assert names == ["roof", "house", "frost"]


def test_links_of_the_same_host_come_before_others():
    found = addresses(
        ("https://other.example/roof", "Rain comes through the old roof"),
        ("https://www.puddle.example/frost", "Why the lowest bed freezes first"),
    )
    assert found == ["https://www.puddle.example/frost", "https://other.example/roof"]


def test_links_that_are_no_other_page_are_left_out():
    assert not addresses(
        ("mailto:a@puddle.example", "Write to us about the rain"),
        ("javascript:open()", "Open all stories about the rain"),
        ("tel:123", "Call us about the night rain"),
        ("/rain#comments", "What our readers say about rain"),
        (ADDRESS, "Rain on the roof again tonight"),
        ("/all", "More rain"),
    )


def test_an_address_is_listed_once():
    text = "Why the lowest bed freezes first"
    assert addresses(("/frost", text), ("/frost#top", text)) == ["https://puddle.example/frost"]


def test_a_broken_address_does_no_harm():
    assert addresses(("http://[bad", "Why the lowest bed freezes first")) == []


# --- reading --------------------------------------------------------------------------------------


def read(options: ReadOptions, source: Input) -> Document:
    return extract(read_page(source, options))


def related(path: Path, count: int, *, private: bool = False) -> tuple[list[str], Messages]:
    """The titles of the related pages of a file."""
    messages, options = Messages(), ReadOptions(private=private)
    source = Input(str(path), "file", (path.name,))
    pages = RelatedPages(count, partial(read, options), messages)
    return [one.title for one in pages(source, read(options, source))], messages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pages beside each other, and some that are none."""
    (tmp_path / "in" / "deep").mkdir(parents=True)
    for name, title in {"a b.html": "Snow", "deep/hail.htm": "Hail"}.items():
        source = page().replace("Rain on the roof", title)
        (tmp_path / "in" / name).write_text(source, encoding="utf-8")
    (tmp_path / "secret.html").write_text(page().replace("Rain on the roof", "Secret"))
    (tmp_path / "in" / "notes.txt").write_text("secret")
    (tmp_path / "in" / "empty.html").write_text("")
    return tmp_path / "in"


TEXT = "Why the lowest bed freezes first"


def test_relative_links_of_a_file_name_files_beside_it(folder, capsys):
    links = [("a%20b.html?x=1#y", TEXT), ("deep/hail.htm", TEXT), ("none.html", TEXT)]
    (folder / "main.html").write_text(page(*links))
    titles, messages = related(folder / "main.html", 3)
    assert titles == ["Snow", "Hail"]
    assert not messages.failed
    assert "a related page is left out: cannot read" in capsys.readouterr().err
    assert related(folder / "main.html", 1)[0] == ["Snow"]
    assert related(folder / "main.html", 0)[0] == []


@pytest.mark.parametrize(
    "link",
    ["../secret.html", "/etc/passwd", "/secret.html", "notes.txt", "deep/../../secret.html",
     "a%00b.html", "%2e%2e/secret.html", "link.html", "deep"],
)  # fmt: skip
def test_a_page_cannot_read_the_rest_of_the_disk(folder, link, capsys):
    (folder / "link.html").symlink_to(folder.parent / "secret.html")
    (folder / "main.html").write_text(page((link, TEXT)))
    assert related(folder / "main.html", 5)[0] == []
    assert "is no page in the folder of" in capsys.readouterr().err


def test_a_page_without_content_is_a_warning(folder, capsys):
    (folder / "main.html").write_text(page(("empty.html", TEXT)))
    assert related(folder / "main.html", 5)[0] == []
    assert "a related page is left out: empty.html: empty" in capsys.readouterr().err


def test_relative_links_of_standard_input_need_an_address(capsys):
    pages = RelatedPages(1, partial(read, ReadOptions()), Messages())
    document = thresher.extract(page(("snow.html", TEXT)))
    assert pages(Input("-", "stdin", ("stdin",)), document) == []
    assert "give --url" in capsys.readouterr().err


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


def test_pages_are_fetched_as_the_options_say(folder, capsys):
    handler = partial(Silent, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{server.server_port}"
        links = [(f"{site}/a%20b.html", TEXT), (f"{site}/missing.html", TEXT)]
        (folder / "main.html").write_text(page(*links))
        assert related(folder / "main.html", 2)[0] == []
        assert "private" in capsys.readouterr().err
        assert related(folder / "main.html", 2, private=True)[0] == ["Snow"]
        assert "404" in capsys.readouterr().err
        server.shutdown()
