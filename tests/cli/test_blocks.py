"""`thresher blocks`, and `thresher extract --format in-place`."""

import thresher
from tests.cli import commands
from thresher.render import hide_in_place

HTML = (
    "<ul><li><a href=/>Home</a></li><li><a href=/tea>Tea</a></li><li><a href=/a>Us</a></li></ul>"
    f"<article><p>Warm the pot\x1b[31m first, {'and wait ' * 20}</p></article>"
    "<aside><p>Someone else has written about tea</p></aside>"
)


def run(*arguments, source=HTML):
    done = commands.run(*arguments, given=source.encode())
    return done.stdout, done.stderr, done.exit_code


def test_blocks_are_listed_best_first():
    printed, told, code = run("blocks", "-", "--most", "2")
    assert (told, code) == ("", 0)
    first, begin, second, text = printed.splitlines()
    assert first == "1. 45 words, html > body > article"
    assert begin.startswith("   Warm the pot")
    assert begin.endswith(" ...")
    assert "\x1b" not in begin
    assert second == "2. 6 words, html > body > aside"
    assert text == "   Someone else has written about tea"


def test_a_page_without_blocks_has_a_warning():
    assert run("blocks", "-", source="") == ("", "Warning: standard input: empty.\n", 0)
    warning = "Warning: standard input: no blocks found.\n"
    assert run("blocks", "-", source="<p> ") == ("", warning, 0)
    assert run("blocks", "-", "--menus", source="<p>Tea</p>")[1] == (
        "Warning: standard input: no menus found.\n"
    )


def test_menus_are_listed():
    printed, told, code = run("blocks", "-", "--menus")
    assert printed == "1. 3 words, html > body > ul\n   - Home - Tea - Us\n"
    assert (told, code) == ("", 0)
    two = HTML[: HTML.index("</ul>") + 5] * 2
    between = "<p>Some more words to part the two of them, and yet some more.</p>"
    printed, _, _ = run(
        "blocks", "-", "--menus", "--most", "1", source=two.replace("</ul>", "</ul>" + between, 1)
    )
    assert printed.count("words") == 1


def test_one_word_is_one_word():
    printed, _, _ = run("blocks", "-", source="<p>Tea")
    assert printed == "1. 1 word, html > body\n   Tea\n"


def test_in_place_is_written_as_html(tmp_path):
    (tmp_path / "a.html").write_text(HTML)
    (tmp_path / "b.html").write_text(HTML)
    out = tmp_path / "out"
    arguments = ("--format", "in-place", "--method", "wlr", "--output", str(out))
    _, told, code = run("extract", str(tmp_path), *arguments)
    assert (told, code) == ("", 0)
    assert sorted(path.name for path in out.iterdir()) == ["a.html", "b.html"]
    page = thresher.parse(HTML)
    expected = hide_in_place(thresher.extract(page, method="wlr").selection)
    assert (out / "a.html").read_text() == expected + "\n"
