"""`thresher blocks`, and `thresher extract --format in-place`."""

import thresher
from tests.cli import commands
from thresher.render.in_place import hide_in_place

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
    assert first == "1. 45 words, 1:103-1:307, html > body > article"
    assert begin.startswith("   Warm the pot")
    assert begin.endswith(" ...")
    assert "\x1b" not in begin
    assert second == "2. 6 words, 1:332-1:366, html > body > aside"
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
    assert printed == "1. 3 words, 1:18-1:77, html > body > ul\n   - Home - Tea - Us\n"
    assert (told, code) == ("", 0)
    two = HTML[: HTML.index("</ul>") + 5] * 2
    between = "<p>Some more words to part the two of them, and yet some more.</p>"
    printed, _, _ = run(
        "blocks", "-", "--menus", "--most", "1", source=two.replace("</ul>", "</ul>" + between, 1)
    )
    assert printed.count("words") == 1


def test_the_two_lists_of_blockextractor():
    printed, told, code = run("blocks", "-", "--method", "blockextractor")
    assert (told, code) == ("", 0)
    # article p: 204 characters over 8; aside p: 34 over 6; body ul and three times li a href: 9
    # over 43.
    assert [line if line[0] != " " else line[:15] for line in printed.splitlines()] == [
        "Content: 2 blocks",
        "1. 45 words, density 25.50, 1:103-1:307, html > body > article",
        "   Warm the pot",
        "2. 6 words, density 5.67, 1:332-1:366, html > body > aside",
        "   Someone else",
        "Noise: 1 block",
        "1. 3 words, density 0.21, 1:18-1:77, html > body",
        "   - Home - Tea",
    ]
    menus = "<ul class=xxxxxxxxxx><li>Tea</li></ul><div><div></div></div>" * 3
    printed, _, _ = run("blocks", "-", "-m", "blockextractor", "--most", "2", source=menus)
    assert printed.splitlines()[:2] == ["Content: 0 blocks", "Noise: 3 blocks, the first 2"]
    assert printed.count("1 word,") == 2


def test_the_words_left_out_of_a_block_are_counted():
    html = f"<ul><li>Pour on the water and wait.</li><li class={'x' * 9}>Wait.</li></ul>"
    printed, _, _ = run("blocks", "-", "--method", "blockextractor(threshold=1)", source=html)
    assert printed.splitlines()[1] == (
        "1. 6 words (1 word left out), density 1.19, 1:8-1:35, html > body"
    )


def test_a_page_without_text_has_no_lists():
    warning = "Warning: standard input: no blocks found.\n"
    assert run("blocks", "-", "--method", "blockextractor", source="<hr>") == ("", warning, 0)


def test_blocks_are_ranked_by_other_ratios():
    html = "<p>Warm the <b>pot</b></p>"
    assert run("blocks", "-", "--most", "1", source=html)[0].startswith("1. 3 words,")
    printed, _, _ = run("blocks", "-", "--method", "CNR", "--most", "1", source=html)
    assert printed == "1. 2 words, 1:3-1:11, html > body > p\n   Warm the\n"


def test_methods_without_blocks_are_refused():
    assert run("blocks", "-", "--method", "bte") == (
        "",
        "Error: --method bte gives no blocks: give wlr, clr, wnr, cnr or blockextractor.\n",
        2,
    )
    _, told, code = run("blocks", "-", "--menus", "--method", "wlr")
    assert (told, code) == ("Error: --menus finds menus by their links: leave --method out.\n", 2)


def test_one_word_is_one_word():
    printed, _, _ = run("blocks", "-", source="<p>Tea")
    assert printed == "1. 1 word, 1:3-1:6, html > body\n   Tea\n"


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
