"""Elements and comments that are not closed."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.growth import assert_linear
from thresher import parse
from thresher.page import tags, unclosed

BODY = (
    "<h1>Tea</h1><p>Warm the pot before you pour, and let it stand for three minutes.</p>"
    "<p>Then drink it, without sugar, from a cup that is not too hot.</p>"
)
SENTENCES = ["Warm the pot before you pour", "Then drink it, without sugar"]


@pytest.mark.parametrize("after", ["</body></html>", ""])
@pytest.mark.parametrize(
    "before",
    [
        "<title>All about tea\n",
        "<title>All about tea<meta charset=utf-8></head><body>",
        "<title>x</title><textarea>",
        "<title>x</title></head><body><form><textarea name=q rows=3>Write here</form>",
        "<title>x</title><style>\np { color: red }\n</head><body>",
        "<title>x</title><style>p > a { color: red }",
        "<title>x</title><script>var a = '<p>b';</head><body>",
        "<title>x</title></head><body><script>\nvar a = 1;\n",
        "<title>x</title></head><body><!-- a menu ",
        "<title>x</title></head><body><!-- a menu\r\n",
        "<title>x</title></head><body><iframe src='a>b' />",
        "<title>x</title></head><body><noframes>",
        "<title>x</title></head><body><select><option>One<option>Two",
        "<title>x</title></head><body><video controls><source src=a.mp4>",
        "<title>x</title></head><body><noscript><img src=a.png>",
        "<title>x</title></head><body><template>",
        "<title>x</title></head><body><optgroup label=One>",
        "<title>x</title></head><body><dialog id=a><form><button>Close</button></form>",
        "<title>a<meta charset=utf-8><style>p { margin: 0 }</head><body><select><option>One",
        "<TITLE>All about tea<BODY><SVG><TITLE>An icon</TITLE></SVG>",
    ],
)
def test_the_page_is_not_swallowed(before, after):
    source = f"<!DOCTYPE html><html><head>{before}{BODY}{after}"
    for form in (source, source.encode()):
        document = thresher.extract(form)
        assert document.status.startswith("repaired an unclosed ")
        for sentence in SENTENCES:
            assert sentence in document.text
            assert sentence in document.markdown()
        assert "color" not in document.text
        assert len(document.title) < 20


@pytest.mark.parametrize(
    ("before", "name"),
    [
        ("<video controls><source src=a.mp4>", "video"),
        ("<video src=a.mp4 />", "video"),
        ("<video src=a.mp4></video><video src=b.mp4>", "video"),
        ("<audio src='a.mp3' controls/>", "audio"),
        ("<canvas id=a/>", "canvas"),
        ("<option>", "option"),
        ("<svg><title>An icon", "title"),
        ("<script><!-- var a = 1; <script></script>", "script"),
        ("<script>var a = '<!--<script>';</script>", "script"),
    ],
)
def test_the_rest_of_an_element_is_not_swallowed(before, name):
    first, rest = BODY.split("<p>", 1)
    document = thresher.extract(f"<title>x</title><main>{first}{before}<p>{rest}</main><p>End")
    assert document.status == f"repaired an unclosed <{name}>"
    assert all(sentence in document.text for sentence in SENTENCES)


@pytest.mark.parametrize(
    "element",
    [
        "<video src=a.mp4><p>This browser shows no videos.</p></video>",
        "<canvas><div>A drawing</div></canvas>",
        "<select><option><div>One</div><option>Two</select>",
        "<svg><title>An icon</title></svg>",
        "<script><!-- write('<script>var a = 1;</script>') --></script>",
    ],
)
def test_elements_with_an_end_tag_are_left_alone(element):
    page = parse(f"<title>x</title><main>{element}{BODY}</main>")
    assert page.status == "complete"


def test_a_page_after_unclosed_code_is_not_swallowed():
    document = thresher.extract(f"<title>x</title><body><xmp>a <b>\n{BODY}</body></html>\n")
    assert document.status == "repaired an unclosed <xmp>"
    assert all(sentence in document.markdown() for sentence in SENTENCES)
    assert "</body>" not in document.text


def test_the_status_names_what_was_repaired():
    page = parse(f"<title>a<meta charset=utf-8><style>p {{ margin: 0 }}</head><body>{BODY}")
    assert page.status == "repaired an unclosed <title>, <style>"
    assert parse(f"<title>a</title>{BODY}<!-- b <p>c").status == "repaired an unclosed comment"


@pytest.mark.parametrize(
    "html",
    [
        f"<title>The <body> element</title>{BODY}",
        f"<title>x</title><style><!-- p {{ }} --></style>{BODY}",
        f"<title>x</title><style>p::before {{ content: '<div>' }}</style>{BODY}",
        f"<title>x</title>{BODY}<textarea>&lt;textarea> &lt;/head></textarea>",
        f"<title>x</title>{BODY}<textarea><html><head></head><body></body></textarea>",
        f"<title>x</title>{BODY}<script>a('</head><body>')</script>",
        f"<title>x</title>{BODY}<script>a('<p>')",
        f"<title>x</title>{BODY}<!-- b --><!---->",
        f"<title>x</title>{BODY}<!-- b -->\r\n",
        f"<title>x</title>{BODY}<!-- b",
        f"<title>x</title>{BODY}<style>p {{ }}</body></html>",
        f"<title>x</title>{BODY}<select><option>a</select>",
        f"<title>x</title>{BODY}<xmp><p>a",
        "<title>x",
        "<textarea>x",
        "<!--",
    ],
)
def test_other_pages_are_left_alone(html):
    page = parse(html)
    assert page.html == html
    assert page.status == "complete"


@pytest.mark.parametrize(
    "unit",
    ["<title>", "<textarea><p>", "<style><body>", "<!-- <p>", "<select><p>", "<iframe ><p>",
     "<title>&lt;body> </title>", "<title><body></title>", "<script>\n<p>", "<noscript><p>",
     "<xmp><p>a", "<dialog><h1>", "<optgroup><p>", "<frameset><noframes><p>",
     "<frameset ", "<frame <", "<video><p>", "<audio/><p></p>", "<svg><title><p>", "<option><p>",
     "<video><p></p></video>", "<script><!--<script></script>"],
)  # fmt: skip
def test_repairs_take_linear_time(unit):
    begin = time.process_time()
    assert parse(unit * 20_000).status
    assert time.process_time() - begin < 3


def test_the_table_of_tags_has_the_elements_that_are_closed():
    names = " ".join(name for name in unclosed._ENDS if name != "#comment")
    assert (tags.lookup(names) == tags.MAY_BE_UNCLOSED).all()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("script", "var a = 1;"),
        ("script", "var a = 'it', b = \"is\";\nb();"),
        ("style", "p { margin: 0 }"),
        ("title", "Tea"),
        ("textarea", "Tea"),
    ],
)
@pytest.mark.parametrize("between", ["</head><body>", "\n"])
def test_a_later_element_of_the_same_name_closes_it(name, text, between):
    first, second = BODY.split("</p>")[:2]
    source = f"<{name}>{text}{between}{first}</p><{name} id=b>b()</{name}>{second}</p>"
    document = thresher.extract(source)
    assert document.status == f"repaired an unclosed <{name}>"
    for sentence in SENTENCES:
        assert sentence in document.text


@pytest.mark.parametrize(
    "start",
    ["<script>window.dataLayer = [];\n", '<script async src="a.js">\n', '<script src="a.js"/>'],
)
def test_a_later_script_closes_one_in_a_body_with_its_tag(start):
    around = ("<title>x</title></head><body class=post><nav><a href=/>Home</a></nav>", "</body>")
    source = f"{around[0]}{start}<div id=main>{BODY}</div><script src=b.js></script>{around[1]}"
    document = thresher.extract(f"<!DOCTYPE html><html><head>{source}")
    assert document.status == "repaired an unclosed <script>"
    for sentence in SENTENCES:
        assert sentence in document.text


@pytest.mark.parametrize(
    "script",
    [
        "w.write('<html><head></head><body><p>b</p></body></html>')",
        'w.write("<p>a</p><script>b()<\\/script>")',
        "var a = `\n<body><p>b</p>`",
        "<section><p>b</p> <script>c()",
    ],
)
def test_scripts_that_write_pages_are_closed(script):
    assert parse(f"<script>{script}</script>{BODY}").status == "complete"


@pytest.mark.parametrize(
    "script",
    [
        "var a = 1;",
        'w.write("<p>a</p>");',
        "var a = `<p>a</p>\n<p>b</p>`;",
        "// don't\nvar a = 1;",
        "var a = b<p ? 1 : 2;",
        '{"@type": "Article", "headline": "It\'s <b>tea</b>"}',
    ],
)
def test_a_script_without_an_end_ends_before_the_first_tag_that_is_in_no_string(script):
    first, rest = BODY.split("</p>", 1)
    source = f"<title>x</title></head><body><main>{first}</p><script>{script}{rest}</main></body>"
    document = thresher.extract(source)
    assert document.status == "repaired an unclosed <script>"
    for sentence in SENTENCES:
        assert sentence in document.text


def test_looking_for_the_end_of_a_script_takes_linear_time():
    for piece in ("<", ">", "'", '"a', "\n'", ">   <script"):
        start = time.perf_counter()
        parse(f"<script>{piece * 100_000}</script>{BODY}")
        parse(f"{BODY}<script>{piece * 100_000}")
        assert time.perf_counter() - start < 4


FRAMES = (
    "<!DOCTYPE html><title>Tea</title><FRAMESET cols='1,2'><FRAME src=a.html><frame src='b' />{}"
)


@pytest.mark.parametrize(
    "shape", ["<noframes>{}</noframes></frameset>", "</frameset><NOFRAMES><body>{}"]
)
def test_the_text_of_a_page_of_frames_is_that_without_frames(shape):
    document = thresher.extract(FRAMES.format(shape.format(BODY)))
    assert document.status == "text of <noframes>"
    assert document.markdown() == document.text
    assert all(sentence in document.text for sentence in SENTENCES)


def test_a_page_of_frames_without_text_is_left_alone():
    assert parse(FRAMES.format("</frameset>")).status == "complete"


PROSE = "Warm the pot before you pour, and let it stand for three minutes, or four. " * 8
LATE = (
    f"<title>Tea</title><body><main><h1>Tea</h1><p>First. {PROSE}</p>"
    f'<!--$?--><template id="B:0"></template><p>Loading</p><!--/$--><p>Fifth. {PROSE}</p></main>'
    f'<div hidden id="S:1"><p>Fourth. {PROSE}</p></div>'
    f'<div hidden id="S:0"><p>Second. {PROSE}</p><template id="P:1"></template></div>'
    '<script>$RS("S:1","P:1")</script><script>$RC("B:0","S:0")</script>'
)


@pytest.mark.parametrize("line_end", ["", "\n", "\r\n"])
def test_late_parts_are_put_in_their_places(line_end):
    for source in (LATE, LATE.replace("$R", "x")):
        document = thresher.extract(source.replace("><", f">{line_end}<"))
        places = list(map(document.text.find, ("First", "Second", "Fourth", "Fifth")))
        assert places == sorted(places)
        assert min(places) == 0
        assert "Loading" not in document.text
        assert document.status == "complete"


@pytest.mark.parametrize(
    "source",
    [
        LATE.replace(PROSE, "tea"),
        LATE.replace('template id="P:1"', 'template id="P:2"'),
        LATE.replace('"P:1"></template></div>', '"P:1"></template></div><p id="S:3" hidden>x</p>'),
        LATE.replace('"B:0"></template><p>Loading', '"B:0"><p>Loading'),
        # Parts within each other.
        LATE.replace('<!--$?--><template id="B:0">', "").replace(
            "Fourth. ", '<template id="B:0"></template>'
        ),
    ],
)
def test_parts_that_are_short_or_have_no_place_stay(source):
    assert parse(source).source == source


def test_late_parts_take_linear_time():
    part = '<!--$?--><template id="B:{0:x}"></template><div hidden id="S:{0:x}"><p>{1}</p>'
    parts = "".join(part.format(number, PROSE) for number in range(2_000))
    calls = "".join(f'$RC("B:{number:x}","S:{number:x}")' for number in range(2_000))
    begin = time.process_time()
    assert parse(f"{parts}<script>{calls}</script>").status
    assert parse(f"{'</div><!--/$-->'.join(parts.split('</p>'))}<script>{calls}</script>").status
    assert time.process_time() - begin < 10


TEXT = "<p>The kettle is quiet since the whistle was taken off, and nobody misses it.</p>" * 3


@pytest.mark.parametrize(
    "html",
    [
        f'<title>A</title><body><p><a href="/next>Next</a></p>{TEXT}',
        f'<title>A</title><meta name="description" content="A kettle></head><body>{TEXT}',
        f'<title>A</title><body><a class="b" href="/menu>Menu</a> <div class="c">{TEXT}</div>',
        f'<title>A</title><body><p><a href="/next>Next</a></p>{TEXT}<p>He said "no", twice.</p>',
        f'<title>A</title><body><div class="a"><div class="main>{TEXT}</div></div>',
        f'<title>A</title><body><img alt="A "new" lid" src="/lid.jpg><div>{TEXT}</div>',
        f'<title>A</title><body><a title="The "lid"" href="/lid>Lid</a><div>{TEXT}</div>',
    ],
)
@pytest.mark.parametrize("quote", ['"', "'"])
def test_an_attribute_without_its_last_quotation_mark(html, quote):
    page = thresher.parse(html.replace('"', quote))
    assert page.status == "repaired an unclosed attribute"
    assert sum("kettle is quiet" in text for text in page.texts) == 3


@pytest.mark.parametrize(
    "said", ["It's the end.", "It's the end, and that's that.", "The boys' room.", "Rock 'n' roll"]
)
@pytest.mark.parametrize("other", ["", "<p title='f'>g</p>", '<p title="f">g</p>'])
def test_an_attribute_that_would_end_at_an_apostrophe(said, other):
    html = f"<title>A</title><body><p>See <a href='/x>here</a>.</p>{TEXT}<p>{said}</p>{other}"
    page = thresher.parse(html)
    assert page.status == "repaired an unclosed attribute"
    assert page.html == html.replace("/x>", "/x'>")


def test_several_attributes_without_their_last_quotation_mark():
    page = thresher.parse(f"<title>A</title><body><div id='a>{TEXT}<div id='b>It's here.{TEXT}")
    assert page.status == "repaired an unclosed attribute"
    assert sum("kettle is quiet" in text for text in page.texts) == 6


@pytest.mark.parametrize(
    "html",
    [
        f'<body><a title="a > b" href="c">5" wide</a>{TEXT}',
        f'<body><p data-html="<b>x</b>">He said "no, twice.</p>{TEXT}',
        f'<body><p>an inch is 1", that is 2.54 cm</p><a href="d">e</a>{TEXT}',
        f"<body><a title='a > b' href='c'>it's wide</a>{TEXT}",
        f"<body><p data-html='x > y: <b>x</b>'>It's here.</p>{TEXT}",
        f"<body><p data-html='x > y: <b>x</b>' hidden class='z' >It's here.</p>{TEXT}",
        f"<body><p>a='b> is code, and it's <b>short</b></p>{TEXT}",
        f"<body><script>a = '<a href=' + b + '>' + c + '</a>';</script><p>It's here.</p>{TEXT}",
    ],
)
def test_quotation_marks_in_texts_are_no_open_attributes(html):
    assert thresher.parse(html).status == "complete"


def test_open_attributes_are_found_in_linear_time():
    for piece in (
        '<a b="c" ',
        '<a b="c"d"',
        '<a b" c',
        '<a b="c>',
        '<a b="c><p>d="',
        '="a>',
        '<a b="c><p>"d',
    ):
        for quote in ('"', "'"):
            repeated = piece.replace('"', quote)
            assert_linear(thresher.parse, lambda size, one=repeated: one * (2 * size + 1), 400)
            assert_linear(
                thresher.parse,
                lambda size, one=repeated, quote=quote: one * size + f"d={quote}",
                400,
            )


SWALLOWED = "<article>" + "<p>Warm the pot before you pour the tea, and wait for a while.</p>" * 6


@pytest.mark.parametrize(
    "begin",
    [
        "<!-- content ->",
        "<!-- content -- >",
        "<!-- content ",
        "<!--[if lt IE 9]><script src=a.js></script>",
    ],
)
@pytest.mark.parametrize("end", ["<!-- end -->", "<!--[if IE]><p>old</p><![endif]-->"])
def test_a_comment_that_ends_where_another_one_ends(begin, end):
    page = parse(f"<title>a</title><body>{begin}\n{SWALLOWED}</article>{end}<footer>b</footer>")
    assert page.status == "repaired an unclosed comment"
    assert page.all().text().count("Warm the pot") == 6


@pytest.mark.parametrize(
    "html",
    [
        f"<p>tea<!-- {SWALLOWED} <!-- ad --> milk --><p>end",  # made a comment, with its comments
        f"<p>tea<!-- {SWALLOWED} --><p>end",
        "<p>tea<!-- <p>old <p>older <!-- ad --><p>end",
    ],
)
def test_text_that_was_made_a_comment_stays_one(html):
    page = parse(html)
    assert page.status == "complete"
    assert "Warm" not in page.all().text()


COMMENTS = ("<!--", "-->", "--!>", "<!-->", "<!--->", "<!---!>", "-", "--", ">", "!", "<", "a")


@given(st.lists(st.sampled_from(COMMENTS), max_size=12).map("".join))
def test_comments_in_comments_are_looked_for_where_one_may_be(source):
    nested = any("<!--" in comment[1] for comment in unclosed._COMMENT.finditer(source))
    assert unclosed._may_be_nested(source) or not nested


@pytest.mark.parametrize("unit", ["<!-- a -->", "<!-- <p>a <p>b <!--", "<!--", "-->", "<p>a<!--"])
def test_comments_take_linear_time(unit):
    assert_linear(parse, lambda number: f"<!-- <p>{unit * number}", 2_000)
