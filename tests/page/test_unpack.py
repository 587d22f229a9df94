"""Packed pages, plain text, and what is no page."""

import base64
import contextlib
import gzip
import html as html_module
import json
import plistlib
import quopri
import random
import sys
import time
import zlib
from pathlib import Path
from urllib.parse import quote, quote_plus

import pyarrow
import pytest

import thresher
from tests.growth import assert_linear
from thresher import InputError, Limits, parse
from thresher.page.unpack import to_html, unpack

PAGE = b"<!DOCTYPE html><title>Tea</title><p>Warm the pot before you pour.</p><p>Then wait.</p>"
TEXT = "Warm the pot before you pour.\n\nThen wait."


def packed(data, codec):
    return pyarrow.compress(data, codec=codec, asbytes=True)


def mhtml(html, head="", content="Content-Type: text/html; charset=utf-8"):
    return (
        "From: <Saved by a browser>\r\nMIME-Version: 1.0\r\n"
        f'Content-Type: multipart/related;\r\n\ttype="text/html"; boundary="x"{head}\r\n\r\n'
        "--x\r\nContent-Type: text/css\r\n\r\np { color: red }\r\n"
        f"--x\r\n{content}\r\nContent-Location: https://example.org/tea\r\n"
        f"Content-ID: <root>\r\n\r\n{html}\r\n"
        "--x\r\nContent-Type: text/html\r\nContent-ID: <frame>\r\n\r\n<p>An advert.\r\n--x--\r\n"
    ).encode()


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(PAGE, mtime=0),
        gzip.compress(PAGE[:30], mtime=0) + gzip.compress(PAGE[30:], mtime=0),
        gzip.compress(gzip.compress(PAGE, mtime=0), mtime=0),
        packed(PAGE, "zstd"),
        packed(PAGE, "brotli"),
        zlib.compress(PAGE),
        gzip.compress(packed(PAGE, "zstd"), mtime=0),
    ],
)
def test_compressed_pages(data, tmp_path):
    page = parse(data)
    assert page.source == PAGE.decode()
    assert page.status == "complete"
    path = tmp_path / "page"
    path.write_bytes(data)
    assert parse(path).source == page.source


def test_a_bomb_is_cut_at_the_limit():
    bomb = PAGE + b"<p>tea" * 10_000_000
    for data in (gzip.compress(bomb, 1, mtime=0), packed(bomb, "zstd"), packed(bomb, "brotli")):
        page = parse(data, limits=Limits(bytes=10_000))
        assert len(page.source) == 10_000
        assert page.status == "cut at 10,000 bytes"


def test_compressed_data_that_ends_early():
    noise = random.Random(7).randbytes(2_000).hex().encode()
    page = parse(gzip.compress(PAGE + b"<p>" + noise, mtime=0)[:-800])
    assert page.source.startswith(PAGE.decode())
    assert page.status == "cut where the compressed data ends"


def test_compressed_data_without_text():
    with pytest.raises(InputError, match="ends before its text begins: get the file again"):
        parse(gzip.compress(PAGE, mtime=0)[:10])


@pytest.mark.parametrize(
    "data",
    [b"\x1f\x8b\x08damaged", b"\x28\xb5\x2f\xfddamaged", b"x\x9c\x00\x01\x02\x03\x04\x05\x06"],
)
def test_damaged_compressed_data(data):
    with pytest.raises(
        InputError, match=r"damaged (gzip|zlib|zstd) data, which cannot be unpacked"
    ):
        parse(data)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "a PDF document"),
        (b"\r\n%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a PNG picture"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a JPEG picture"),
        (b"GIF89a\x01\x00", "a GIF picture"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "a WebP picture"),
        (b"PK\x03\x04\x14\x00\x00\x00", "a zip archive"),
        (b"\x7fELF\x02\x01\x01\x00", "a program"),
        (b"MZ\x90\x00\x03\x00\x00\x00", "a program"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
        (b"{\\rtf1\\ansi Tea}", "an RTF document"),
        (b"\x00\x00\x00\x18ftypmp42", "an MP4, AVIF or HEIC file"),
        (b"WARC/1.0\r\nWARC-Type: response", "a WARC archive"),
        (bytes(range(256)) * 20, "binary data"),
        (gzip.compress(b"\x89PNG\r\n\x1a\n\x00\x00", mtime=0), "a PNG picture"),
        (b"\xef\xbb\xbf%PDF-1.4\n1 0 obj\n<< >>\nendobj\n", "a PDF document"),
    ],
)
def test_binary_data_is_refused(data, kind, tmp_path):
    with pytest.raises(InputError, match=f"^this is {kind}, not a web page: .*\\.$"):
        parse(data)
    path = tmp_path / "page.html"
    path.write_bytes(data)
    with pytest.raises(InputError, match=f"page.html: this is {kind}, not a web page"):
        thresher.extract(path)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<p>one \x00\x01\x02 two",
        b"\x00<p>tea",
        b"tea \xff\xfe\xe9",
        b"BZh is no archive",
        b"ID3 tags are for music",
        "<p>茶".encode("utf-16"),
    ],
)
def test_text_with_odd_bytes_is_no_binary_data(data):
    assert parse(data).status


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("%PDF-1.4\n1 0 obj\n<< >>\nendobj\n", "a PDF document"),
        ("\ufeff%PDF-1.4\n1 0 obj", "a PDF document"),
        ("{\\rtf1\\ansi Tea}", "an RTF document"),
        ("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a PNG picture"),
    ],
)
def test_binary_data_that_was_decoded_is_refused(text, kind):
    with pytest.raises(InputError, match=f"^this is {kind}, not a web page"):
        parse(text)


def test_mhtml():
    page = parse(mhtml("<p>Wärm the pot."))
    assert page.all().text() == "Wärm the pot."
    assert page.url == "https://example.org/tea"
    assert parse(mhtml("<p>tea"), url="https://other.example/").url == "https://other.example/"
    framed = parse(mhtml("<p>tea", head='; start="<frame>"'))
    assert framed.all().text() == "An advert."
    quoted = "Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable"
    assert parse(mhtml("<p id=3Da>W=C3=A4rm", content=quoted)).all().text() == "Wärm"


def test_mails_and_answers_of_servers():
    head = b"Content-Type: text/html; charset=windows-1251\r\nServer: tea\r\n\r\n"
    page = parse(b"HTTP/1.1 200 OK\r\n" + head + "<p>чай горячий".encode("cp1251"))
    assert page.all().text() == "чай горячий"
    mail = b"From: a@b.example\nSubject: Tea\nContent-Type: text/html\n\n<p>Warm the pot."
    assert parse(mail).all().text() == "Warm the pot."
    packed = b"HTTP/2 200\r\n" + head + gzip.compress(b"<p>tea", mtime=0)
    assert parse(packed).all().text() == "tea"
    assert parse(b"HTTP/1.1 200 OK\r\nServer: tea\r\n\r\n<p>tea").all().text() == "tea"
    moved = b"HTTP/1.1 301 Moved\r\nLocation: /b\r\n\r\n"
    assert parse(moved + b"HTTP/1.1 200 OK\nA: b\n\nOnly a text.").all().text() == "Only a text."
    assert parse(b"HTTP/1.1 204 No Content\r\n\r\n").status == "empty"
    for body in (b'{"a": 1}', b"%PDF-1.4 x"):
        with pytest.raises(InputError):
            parse(b"HTTP/1.1 200 OK\r\nServer: tea\r\n\r\n" + body)
    parts = b"HTTP/1.1 200 OK\r\n" + mhtml("<p>tea")
    assert parse(parts).all().text() == "tea"
    text = "Content-Type: text/plain\n\nThe header of a text.\n"
    assert parse(text.encode()).all().text().startswith("Content-Type")


def test_mhtml_without_html():
    data = mhtml("tea", content="Content-Type: text/css").replace(b"text/html", b"text/css")
    with pytest.raises(InputError, match="MHTML file without HTML"):
        parse(data)


MAIL = """From: Ann <ann@example.org>
Subject: =?utf-8?q?T=C3=A9?= & cake
Date: Mon, 1 Jan 2024 10:00:00 +0000
"""
LETTER = "Warm the pot before you pour.\n\nThen wait <b>, as 1 < 2.\n\nAnn"


@pytest.mark.parametrize(
    "parts",
    [
        f"{MAIL}\n{LETTER}",
        f"{MAIL}Content-Type: text/plain; charset=utf-8\n\n{LETTER}",
        f"From ann Mon Jan 1\n{MAIL}MIME-Version: 1.0\n"
        "Content-Type: multipart/mixed; boundary=x\n\n"
        f"--x\nContent-Type: text/plain\n\n{LETTER}\n--x\nContent-Type: image/png\n\nabc\n--x--\n",
    ],
)
def test_the_text_of_a_mail_is_read_as_paragraphs(parts):
    for source in (parts, parts.encode(), parts.replace("\n", "\r\n")):
        document = thresher.extract(source, method="plain")
        assert document.text == LETTER
        assert document.title == "Té & cake"


def test_mails_and_answers_that_are_already_decoded():
    mail = f"{MAIL}Content-Type: text/html; charset=iso-8859-1\n"
    assert parse(f"{mail}\n<p>Wärm \ud800the pot.").all().text() == "Wärm \ufffdthe pot."
    packed = f"{mail}Content-Transfer-Encoding: quoted-printable\n\n<p>W=E4rm"
    assert parse(packed).all().text() == "Wärm"
    saved = parse(mhtml("<p>Wärm").decode())
    assert (saved.all().text(), saved.url) == ("Wärm", "https://example.org/tea")
    answer = "HTTP/1.1 200 OK\nContent-Type: text/html; charset=windows-1251\n\n<p>чай"
    assert parse(answer).all().text() == "чай"


def test_a_note_to_readers_is_no_mail():
    note = "From: Ann\nTo: all readers\nSubject: tea\n\nWarm the pot."
    for source in (note, note.encode()):
        assert parse(source).all().text() == note


def test_plain_text_is_read_as_paragraphs():
    text = (
        "Tea\n\nWarm the pot before you pour the water, and let it stand\nfor three minutes.\n"
        " \n- one <tea@example.org>\n- two & AT&amp;T, 1 < 2\n\n"
        + "A line that was not wrapped. " * 8
        + "\n"
        + "Another line that was not wrapped. " * 8
    )
    for source in (text, text.encode(), text.replace("\n", "\r\n")):
        kept = thresher.extract(source).text.split("\n\n")
        assert kept[:3] == [
            "Tea",
            "Warm the pot before you pour the water, and let it stand for three minutes.",
            "- one <tea@example.org>\n- two & AT&amp;T, 1 < 2",
        ]
        assert len(kept) == 5


def test_names_that_html_does_not_have_are_text():
    text = "Usage: brew <file> [<options>]\n\n#include <stdio.h>, List<String>, i<n, <https://a.b>"
    assert thresher.extract(text, method="plain").text == text


def test_text_with_a_tag_is_html():
    assert parse("one\n\ntwo <tea-pot>three</tea-pot>").source.startswith("one")
    assert parse("one\ntwo <b>three</b>").source == "one\ntwo <b>three</b>"
    assert parse("one\n\ntwo <p>three</p>").source == "one\n\ntwo <p>three</p>"
    links = "<a href=a>one</a>\n\n<a href=b>two</a>"
    assert parse(links).source == links


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("One & two.\n\nThree <b>four</b> < 5 <file>.", "Three <b>four</b> &lt; 5 &lt;file>."),
        ("# Tea\n\nWarm it.<br>Wait.\n\nDrink.", "Warm it.<br>Wait."),
        ("<i>Tea</i>\n\nWarm it.\n\nWait.", "<i>Tea</i>"),
    ],
)
def test_inline_tags_leave_the_paragraphs_of_a_text(text, html):
    page = parse(text)
    assert f"<p>{html}</p>" in page.source
    assert page.all().text().count("\n\n") == text.count("\n\n")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"html": "<p>tea"}', "this is JSON"),
        ('[{"a": 1}]', "this is JSON"),
        ("[]", "this is JSON"),
        (" [1, 2.5, null]\n", "this is JSON"),
        ("null", "this is JSON"),
        (r'"Tea\n\u00e9t\u00e9"', "this is JSON"),
        ('"<p>tea</p>"', "this is JSON"),
        ('{"a": 1}\n{"a": 2}\n', "this is JSON"),
        ("[" * 100_000 + "]" * 100_000, "this is JSON"),
        (
            '<?xml version="1.0"?>\n<!-- a --><rss version="2.0"><channel><item>'
            "<link>https://a.example/1</link></item><item/></channel></rss>",
            "this is an RSS feed with 2 entries, not a web page: give the pages of it, such as "
            "https://a.example/1.",
        ),
        (
            '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://a.example/1"/>'
            "</entry></feed>",
            "this is an Atom feed with 1 entry",
        ),
        (
            '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:link '
            'href="https://a.example/1"/></a:entry></a:feed>',
            "this is an Atom feed with 1 entry",
        ),
        (
            "<s:urlset><s:url><s:loc>https://a.example/1</s:loc></s:url></s:urlset>",
            "this is a sitemap with 1 address, not a web page: give the pages of it, such as "
            "https://a.example/1.",
        ),
        (
            "<urlset><url><loc>https://a.example/1</loc></url></urlset>",
            "this is a sitemap with 1 address, not a web page",
        ),
    ],
)
def test_feeds_and_json_are_refused(text, sentence):
    for source in (text, text.encode()):
        with pytest.raises(InputError) as error:
            parse(source)
        assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    "text",
    [
        "[1]",
        "[1] Tea: a history.\n[2] Pots.",
        "{tea}",
        "[tea] is good",
        "<p>{}",
        '"Tea," she said.',
        '"Tea is good."',
        "null and void",
        "12",
    ],
)
def test_what_only_looks_like_json(text):
    assert parse(text).status == "complete"


@pytest.mark.parametrize(
    "data",
    [
        b"\x1f\x8b" * 500_000,
        gzip.compress(b"", mtime=0) * 50_000,
        b"a: b\n" * 200_000,
        b"<!--" * 250_000,
        b"<?a>" * 250_000,
        b"<?php " * 200_000,
        b"\n \n" * 300_000,
        b"{" * 1_000_000,
        b"<rss " * 200_000,
        mhtml("x" * 1_000_000),
    ],
)
def test_hostile_input_takes_linear_time(data):
    begin = time.process_time()
    with contextlib.suppress(InputError):
        parse(data)
    assert time.process_time() - begin < 3


def test_the_error_of_a_missing_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        InputError, match=r"zstd, which needs pyarrow: pip install 'thresher\[batch"
    ):
        parse(b"\x28\xb5\x2f\xfd" + zlib.compress(PAGE))


def test_a_path_names_the_file(tmp_path: Path):
    path = tmp_path / "feed.xml"
    path.write_text("<rss version='2.0'><channel></channel></rss>")
    with pytest.raises(InputError, match=r"feed.xml: this is an RSS feed with 0 entries"):
        parse(path)


@pytest.mark.parametrize("text", ["Tea.", "Warm the pot.", "Warm the pot before you pour, ok?"])
def test_short_text_in_brotli(text):
    assert unpack(packed(text.encode(), "brotli"), 1000).data == text.encode()


def test_short_text_that_only_looks_like_brotli_stays():
    assert unpack(b"Warm the pot.\x03", 1000).data == b"Warm the pot.\x03"


README = """# Foo

<p align="center"><img src="logo.png"></p>

Foo is a library that reads <b>pages</b>.

## Install

```
pip install foo <b>
```

- one
- two
"""


@pytest.mark.parametrize(
    "begin", ["", "<p align=center>\n  <img src=a.png>\n</p>\n\n", "<!-- x -->\n"]
)
def test_markdown_with_some_tags_is_read_as_paragraphs(begin):
    text = parse(begin + README).all().text()
    assert text == (
        "# Foo\n\nFoo is a library that reads pages.\n\n## Install\n\n"
        "```\npip install foo <b>\n```\n\n- one\n- two"
    )


@pytest.mark.parametrize(
    "text", ["if a<b and c>d then x", "if a <b or\nc", "x\ny<i && i>z", "a<b c>d <e f> g"]
)
def test_a_comparison_is_no_tag(text):
    assert parse(text).all().text() == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("one <b>two</b>\n# three\n## four <i>five</i> <i>six</i> <i>seven</i>",
         "one two # three ## four five six seven"),
        ("a <a href=x>b</a>\nc", "a b c"),
        ("a<br>b", "a\nb"),
        ("<p>a\n<p>b", "a\n\nb"),
        ("<pre>\n# a\n## b\n</pre>\none\ntwo\nthree\nfour", "# a\n## b\n\none two three four"),
        ("one\n<a name>two</a>", "one two"),
    ],
)  # fmt: skip
def test_fragments_of_html_are_html(source, text):
    assert parse(source).all().text() == text


@pytest.mark.parametrize(
    "shape", ["# a\n<b ", "<b c", "<", "```\n<b>", "#", "<!--", "# a\n<!-- ", "a\n\n<b ", "a\n \n "]
)
def test_markdown_with_tags_takes_linear_time(shape):
    assert_linear(to_html, lambda size: shape * size, 2000)


def _chunks(data: bytes, size: int = 40) -> bytes:
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (*parts, b""))


def test_an_answer_in_chunks():
    page = b"<title>A</title><p>" + b"The kettle is quiet. " * 20 + b"</p>"
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n"
    packed = _chunks(gzip.compress(page))
    expected = "The kettle is quiet. " * 20
    for data in (head + _chunks(page), (head + _chunks(page)).decode(), head + packed, head + page):
        assert "".join(thresher.parse(data).texts) == "A" + expected


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ('/**/callback({"title":"Kettle","text":"It is quiet."});', "JSONP"),
        ('@charset "utf-8";\nbody { margin: 0 }\n.a > b:hover { color: red }\n', "CSS"),
        ("/* a */\n/* b */\n.a{color:red}\n#b .c{margin:0 auto}\n", "CSS"),
        ('(function(){"use strict";var a=document.body;a.innerHTML="<p>Hi</p>"})();', "JavaScript"),
        ("// a\nimport { x } from './y.js';\nexport default function f() {\n  x();\n}\n", "Java"),
        ('<?php\nif ($x < 3 && $y > 4) { echo "<p>Hi</p>"; }\n', "PHP"),
        ("<?php\necho '<b>a</b>'; ?>\n", "PHP"),
    ],
)
def test_code_is_no_page(source, kind):
    for data in (source, source.encode()):
        with pytest.raises(thresher.InputError, match=kind):
            thresher.parse(data)


def test_a_part_of_a_page_that_begins_in_code_is_a_page():
    prose = "<p>The kettle is quiet now, since its lid is made of wood.</p>"
    for source in (
        f".a{{color:red}}#b{{margin:0}}</style></head><body>{prose}<style>.c{{margin:0}}",
        f"var a = 1;</script></head><body>{prose}<script>b({{c: 1}});",
    ):
        assert "The kettle is quiet now" in thresher.extract(source).text


def test_php_with_a_page_is_a_page():
    for source in (
        "<?php echo 1; ?>\n<h1>Tea</h1><p>The kettle is quiet now.",
        "<?php echo 1;\n<html><body><p>The kettle is quiet now.",
    ):
        assert "The kettle is quiet now." in parse(source).all().text()


def test_a_script_of_a_shell_keeps_its_lines():
    source = '#!/bin/sh\nif a <b\nthen\n  echo "<p>hi</p> <b>&amp;"\nfi'
    assert parse(source).all().text() == source


def test_markdown_keeps_tags_in_code():
    source = f"{README}\nUse `<b>` and <kbd>Ctrl</kbd>, `a\n"
    assert parse(source).all().text().endswith("Use `<b>` and Ctrl, `a")


def test_text_about_code_is_a_text():
    for text in (
        "Call f(x) and\n\nvar a = 1 is set.\n",
        "Tea { hot }\n\nis a name.\n",
        "a: b;\nc\n",
    ):
        assert thresher.parse(text).words.sum() > 0


# --- MHTML whose first part is not the page, answers that are packed ------------------------------


def test_the_part_of_mhtml_that_has_the_address_of_the_file_is_the_page():
    parts = mhtml("<p>tea").replace(b"--x\r\nContent-Type: text/css", _ADVERT, 1)
    assert parse(parts).all().text() == "An advert"
    for name in (b"Snapshot-Content-Location", b"Content-Location"):
        named = name + b": https://example.org/tea\r\n" + parts
        assert parse(named).all().text() == "tea"


_ADVERT = (
    b"--x\r\nContent-Type: text/html\r\nContent-Location: https://ads.example/\r\n\r\n"
    b"<p>An advert\r\n--x\r\nContent-Type: text/css"
)


def test_a_page_of_frames_in_mhtml():
    page = parse(mhtml("<frameset cols=*><frame src=cid:frame></frameset>"))
    assert page.all().text() == "An advert."


@pytest.mark.parametrize("bits", [zlib.MAX_WBITS, -zlib.MAX_WBITS])
def test_deflated_answers(bits):
    packer = zlib.compressobj(wbits=bits)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n"
    assert parse(head + packer.compress(PAGE) + packer.flush()).source == PAGE.decode()
    assert parse(head + PAGE).source == PAGE.decode()


# --- web archives of Safari ----------------------------------------------------------------------


def web_archive(body, kind="text/html", style=plistlib.FMT_XML):
    resource = {
        "WebResourceData": body,
        "WebResourceMIMEType": kind,
        "WebResourceTextEncodingName": "windows-1252",
        "WebResourceURL": "https://example.org/tea",
    }
    return plistlib.dumps({"WebMainResource": resource}, fmt=style)


@pytest.mark.parametrize("style", [plistlib.FMT_XML, plistlib.FMT_BINARY])
def test_web_archives(style):
    data = web_archive("<p>Thé".encode("cp1252"), style=style)
    page = parse(data)
    assert (page.all().text(), page.url) == ("Thé", "https://example.org/tea")
    assert parse(gzip.compress(data)).all().text() == "Thé"
    if style is plistlib.FMT_XML:
        assert parse(data.decode()).all().text() == "Thé"


@pytest.mark.parametrize("style", [plistlib.FMT_XML, plistlib.FMT_BINARY])
def test_other_property_lists_are_refused(style):
    with pytest.raises(InputError, match="this is a property list"):
        parse(plistlib.dumps({"tea": ["green"]}, fmt=style))
    with pytest.raises(InputError, match="a web archive of image/png"):
        parse(web_archive(b"x", "image/png", style))
    with pytest.raises(InputError, match="damaged property list"):
        parse(plistlib.dumps({"tea": ["green"]}, fmt=style)[:-40])


# --- escaped pages -------------------------------------------------------------------------------

ESCAPED = (
    '<!DOCTYPE html>\n<html lang="fr"><title>Thé</title>\n<body><h1>Un thé</h1>\n'
    '<p class="a">L\u2019eau \U0001f375 est prête.</p>\n</body></html>\n'
)


@pytest.mark.parametrize(
    "escaped",
    [
        html_module.escape(ESCAPED),
        html_module.escape(html_module.escape(ESCAPED)),
        quote(ESCAPED),
        quote_plus(ESCAPED),
        "data:text/html," + quote(ESCAPED),
        "data:text/html;charset=utf-8;base64," + base64.b64encode(ESCAPED.encode()).decode(),
        base64.b64encode(ESCAPED.encode()).decode(),
        base64.encodebytes(ESCAPED.encode()).decode(),
        json.dumps(ESCAPED)[1:-1],
        json.dumps(ESCAPED)[1:-1].replace("/", "\\/"),
        ESCAPED.replace("\n", "\\n"),
        ESCAPED.replace("\n", "\\r\\n").replace('"', '\\"'),
        quopri.encodestring(ESCAPED.replace("<title>", f"<title>{' ' * 90}").encode()).decode(),
    ],
)
def test_escaped_pages(escaped):
    for data in (escaped, escaped.encode(), f"\n{escaped}"):
        assert parse(data).all().text() == parse(ESCAPED).all().text()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<p>&lt;html&gt; begins a page.", "<html> begins a page."),
        (
            "&lt;html&gt; begins a page, says <b>the</b> book.",
            "<html> begins a page, says the book.",
        ),
        ("<html><p>a=3D, b=3D=\nc", "a=3D, b=3D= c"),
        ('<html lang="en"><p>say =\\"x\\" and =3D=\n', 'say =\\"x\\" and =3D='),
        ("PGh0bWw is how base64 of a page begins.", "PGh0bWw is how base64 of a page begins."),
        ("<p>a\\nb", "a\\nb"),
    ],
)
def test_what_only_looks_escaped(text, shown):
    assert parse(text).all().text() == shown


def test_cdata_in_xml_is_text():
    source = (
        "<?xml version='1.0'?><html><head><script>//<![CDATA[\nif (a<b) b()\n//]]></script></head>"
        "<body><p><![CDATA[Tea & <b>milk</b>]]> are served</p></body></html>"
    )
    page = parse(source)
    assert page.all().text() == "Tea & <b>milk</b> are served"
    assert "<![CDATA[" in page.source  # that of the script


# --- more that is no page ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (')]}\',\n{"html": "<html><p>tea</html>"}', "JSON"),
        ('for (;;);{"html": "<html><p>tea</html>"}', "JSON"),
        ("while(1);[1, 2]", "JSON"),
        ('tea({"html": "<html><p>tea</html>"});', "JSON in a call"),
        ('{"title": "Tea", "html": "<!DOCTYPE html><html><p>Warm the pot', "damaged JSON"),
        ('[{"id": 1, "text": "a\nb"},', "damaged JSON"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/></svg>\n", "an SVG picture"),
        ("<?xml version='1.0'?>\n<!DOCTYPE svg PUBLIC 'a' 'b'>\n<svg></svg>", "an SVG picture"),
        ("<opml version='2.0'><body><outline text='a'/></body></opml>", "an OPML list of feeds"),
    ],
)
def test_more_kinds_are_refused(text, kind):
    for data in (text, text.encode()):
        with pytest.raises(InputError, match=f"this is {kind}"):
            parse(data)


@pytest.mark.parametrize(
    "text",
    [
        "<svg xmlns='http://www.w3.org/2000/svg'><symbol id=a></symbol></svg><p>tea</p>",
        "<svg><text>tea</text></svg>",
        '{"error": undefined}<!DOCTYPE html><p>tea</p>',
        "{tea: a plant}\n\nIt is dried.",
    ],
)
def test_pages_that_begin_like_something_else(text):
    assert parse(text).all().text()


@pytest.mark.parametrize(
    "unit",
    [
        "&amp;lt;",
        "%3C",
        "PGh0",
        "\\n",
        '=\\"',
        "=3D=\n",
        "<![CDATA[",
        "]]",
        ")]}'",
        '{"a":',
        "<svg>",
    ],
)
@pytest.mark.parametrize(
    "begin",
    ["<html>\\n", "<?xml version='1.0'?>", "PGh0bWw", "&lt;html", "%3Chtml", "", "<html a=3D"],
)
def test_escaped_input_takes_linear_time(begin, unit):
    def read(text):
        with contextlib.suppress(InputError):
            to_html(text)

    assert_linear(read, lambda number: begin + unit * number, 5_000)
