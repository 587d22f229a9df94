"""The browser: what it loads, what it may not load, its limits, and what a crash costs."""

import asyncio
import http.server
import os
import threading
import time
import warnings
from contextlib import contextmanager
from pathlib import Path

import pytest

from thresher.errors import FetchError, InputError, RenderError, UsageError
from thresher.page.parse import Limits
from thresher.visual import Browser, BrowserWarning, RenderOptions
from thresher.visual.browser import find_chromium


def text_of(page) -> str:
    return " ".join(" ".join(page.texts).split())


@contextmanager
def server(answers: dict[str, tuple[int, dict[str, str], bytes]], hang: tuple[str, ...] = ()):
    """Serve fixed answers on a local port; paths in `hang` never answer. Yields address, log."""
    log: list[str] = []
    leave = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            log.append(self.path)
            if self.path in hang:
                leave.wait(60)
                return
            status, headers, body = answers.get(self.path, (404, {}, b"none"))
            self.send_response(status)
            for name, value in {"Content-Type": "text/html", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as one:
        one.daemon_threads = True
        threading.Thread(target=one.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{one.server_port}", log
        finally:
            leave.set()
            one.shutdown()


# --- sources -------------------------------------------------------------------------------------


def test_a_saved_page_finds_its_files_in_its_folder_and_no_others(browser, tmp_path):
    folder = tmp_path / "saved"
    (folder / "files").mkdir(parents=True)
    (folder / "files" / "style.css").write_text(".x { display: none }")
    (tmp_path / "outside.css").write_text(".y { display: none }")
    page = folder / "a page.html"
    page.write_text(
        "<link rel=stylesheet href='files/style.css'><link rel=stylesheet href='../outside.css'>"
        f"<link rel=stylesheet href='file://{tmp_path}/outside.css'>"
        "<p class=x>x</p><p class=y>y</p>"
    )
    rendered = browser.render(page)
    hidden = {rendered.text(row) for row in rendered.text_rows if rendered.hidden[row]}
    assert hidden == {"x"}
    wider = browser.render(page, root=tmp_path)
    assert {wider.text(row) for row in wider.text_rows if wider.hidden[row]} == {"x", "y"}


def test_a_link_out_of_the_folder_is_not_followed(browser, tmp_path):
    folder = tmp_path / "saved"
    folder.mkdir()
    (tmp_path / "secret.css").write_text("p { display: none }")
    (folder / "style.css").symlink_to(tmp_path / "secret.css")
    (folder / "page.html").write_text("<link rel=stylesheet href=style.css><p>shown")
    page = browser.render(folder / "page.html")
    assert not page.hidden[page.text_rows[-1]]


def test_a_script_cannot_read_files(browser, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret words")
    page = tmp_path / "saved" / "page.html"
    page.parent.mkdir()
    page.write_text(
        f"<p id=a>nothing<iframe src='file://{secret}'></iframe><script>"
        f"for (const path of ['file://{secret}', '/../secret.txt', '/%2e%2e/secret.txt'])"
        " fetch(path).then(r => r.text()).then(t => a.append(t), () => 0)</script>"
    )
    assert "secret" not in text_of(browser.render(page)).replace("secret.txt", "")


def test_a_page_that_cannot_be_read_is_a_sentence(browser, tmp_path):
    with pytest.raises(InputError, match=r"cannot read .*none.html: no such file"):
        browser.render(tmp_path / "none.html")
    with pytest.raises(UsageError, match="is a name, not HTML"):
        browser.render("page.html")
    with pytest.raises(UsageError, match="cannot render a int"):
        browser.render(3)
    (tmp_path / "page.html").write_text("x")
    with pytest.raises(UsageError, match="give a folder that contains it"):
        browser.render(tmp_path / "page.html", root=tmp_path / "other")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, 0) for name in ("width", "height", "timeout", "settle", "max_bytes")),
        *(("width", 1.5), ("height", 10**7), ("timeout", float("inf")), ("scripts", "no")),
        ("limits", None),
    ],
)
def test_options_are_checked(name, value):
    with pytest.raises(UsageError, match=f"{name} is {value!r}"):
        RenderOptions(**{name: value})


def test_the_width_of_the_window_is_that_of_the_page(browser):
    page = browser.render("<!doctype html><p>x", options=RenderOptions(width=600))
    assert page.w[0] == 600


def test_a_browser_works_inside_an_event_loop(browser):
    async def notebook():
        return browser.render("<p>x")

    assert text_of(asyncio.run(notebook())) == "x"


# --- scripts and the network ---------------------------------------------------------------------


def test_scripts_run_or_not(browser):
    html = "<p id=a>before</p><script>a.textContent = 'after'</script>"
    assert text_of(browser.render(html)) == "after"
    assert text_of(browser.render(html, options=RenderOptions(scripts=False))) == "before"


def test_scripts_that_fill_the_page_a_little_later_are_waited_for(browser):
    html = "<p id=a>before</p><script>setTimeout(() => { a.textContent = 'after' }, 300)</script>"
    assert text_of(browser.render(html)) == "after"


def test_without_the_network_nothing_is_requested(browser):
    with server({"/page": (200, {}, b"<p>x<img src=/a.png><script src=/a.js></script>")}) as (
        address,
        log,
    ):
        page = browser.render(f"{address}/page", options=RenderOptions(private=True))
        assert text_of(page) == "x"
        assert page.url == f"{address}/page"
    assert log == ["/page"]


def test_a_page_from_the_network_with_its_script(browser):
    script = b"document.body.append('filled ' + location.pathname)"
    answers = {
        "/page": (200, {}, b"<body><script src=/a.js></script>"),
        "/a.js": (200, {"Content-Type": "text/javascript"}, script),
    }
    with server(answers) as (address, log):
        options = RenderOptions(network=True, private=True)
        assert text_of(browser.render(f"{address}/page", options=options)) == "filled /page"
    assert log == ["/page", "/a.js"]


def test_private_addresses_are_refused_to_the_page_and_to_what_it_loads(browser):
    with server({"/a.js": (200, {}, b"")}) as (address, log):
        with pytest.raises(FetchError, match="private"):
            browser.render(f"{address}/page")
        html = (
            f"<img src='{address}/a.png'><script src='{address}/a.js'></script>"
            f"<iframe src='{address}/frame'></iframe><script>fetch('{address}/b')</script>"
            "<img src='http://[::ffff:127.0.0.1]/c'><img src='http://0/d'>"
            "<img src='http://169.254.169.254/latest'>"
        )
        page = browser.render(
            html, url="http://example.invalid/", options=RenderOptions(network=True)
        )
        assert page.status == "complete"
    assert log == []


LEADS_ON = {
    "script": "<p>here</p><script>location = '{}'</script>",
    "meta": "<meta http-equiv=refresh content='0; url={}'><p>here</p>",
}


@pytest.mark.parametrize("way", LEADS_ON)
def test_a_page_that_leads_on_to_another(browser, way):
    with server({"/next": (200, {}, b"<p>there</p>")}) as (address, log):
        html = LEADS_ON[way].format(f"{address}/next")
        start = "http://example.invalid/"
        refused = browser.render(html, url=start, options=RenderOptions(network=True))
        assert text_of(refused) == "here"
        assert "leads on to a page that cannot be loaded" in refused.status
        offline = browser.render(html, url=start)
        assert text_of(offline) == "here"
        assert offline.status == f"leads on to {address}/next, which was not loaded"
        assert log == []
        options = RenderOptions(network=True, private=True)
        followed = browser.render(html, url=start, options=options)
        assert text_of(followed) == "there"
        assert followed.url == f"{address}/next"


def test_a_redirect_of_a_server_is_checked_too(browser):
    with server({}) as (inner, log):
        moved = (302, {"Location": f"{inner}/x"}, b"")
        with server({"/moved": moved, "/a.js": moved}) as (outer, _):
            html = f"<p>here<script src='{outer}/a.js'></script>"
            options = RenderOptions(network=True)
            page = browser.render(html, url="http://example.invalid/", options=options)
            assert text_of(page) == "here"
    assert log == []


def test_a_window_that_the_page_opens_is_not_the_page(browser):
    with server({"/other": (200, {}, b"<p>other</p>")}) as (address, log):
        html = f"<p>here</p><script>for (let i = 0; i < 9; i++) open('{address}/other')</script>"
        options = RenderOptions(network=True, private=True)
        page = browser.render(html, url=f"{address}/page", options=options)
        assert (text_of(page), page.url, page.status) == ("here", f"{address}/page", "complete")
        offline = browser.render(html, url=f"{address}/page")
        assert (offline.url, offline.status) == (f"{address}/page", "complete")
    assert log == []


def test_a_page_that_leads_on_to_an_address_that_is_none(browser):
    html = "<p>here</p><script>location = 'http://xn--a.com/'</script>"
    page = browser.render(html, url="http://example.invalid/", options=RenderOptions(network=True))
    assert text_of(page) == "here"


def test_a_form_that_submits_itself_is_kept_from_it(browser):
    html = "<form method=post action=/x>here</form><script>document.forms[0].submit()</script>"
    page = browser.render(html, url="http://example.invalid/")
    assert text_of(page) == "here"
    assert page.status == "leads on to http://example.invalid/x, which was not loaded"


def test_scripts_of_a_saved_page_cannot_read_the_files_beside_it(browser, tmp_path):
    (tmp_path / "secret.txt").write_text("secret words")
    page = tmp_path / "page.html"
    page.write_text(
        "<p id=a>here <iframe src=secret.txt></iframe><script>"
        "fetch('secret.txt').then(r => r.text()).then(t => a.append(t), () => 0)</script>"
    )
    assert text_of(browser.render(page)) == "here"


def test_half_a_surrogate_is_replaced(browser):
    assert text_of(browser.render("<p>\ud800tea")) == "\ufffdtea"


def test_a_link_to_a_file_is_read_in_its_own_folder(browser, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "page.html").write_text("<p>tea")
    (tmp_path / "link.html").symlink_to(tmp_path / "real" / "page.html")
    assert text_of(browser.render(tmp_path / "link.html")) == "tea"


# --- limits --------------------------------------------------------------------------------------

ENDLESS = {
    "appending": "<p>kept</p><script>setInterval(() => document.body.append('x'), 20)</script>",
    "script": "<p>kept</p><script>while (true) {}</script>",
    "timer": "<p>kept</p><script>setInterval(() => { while (true) {} }, 10)</script>",
    "growing": "<p>kept</p><script>setInterval(() => {"
    " for (let i = 0; i < 2000; i++) document.body.append(document.createElement('p'), 'x') }, 5)"
    "</script>",
    "dialogs": "<p>kept</p><script>for (let i = 0; i < 50; i++) { alert(i); confirm(i); prompt(i) }"
    "</script>",
    "windows": "<p>kept</p><script>for (let i = 0; i < 20; i++) open('about:blank')</script>",
    "reload": "<p>kept</p><script>location.reload()</script>",
    "unload": "<p>kept</p><script>onbeforeunload = () => 'stay'</script>",
    "print": "<p>kept</p><script>print()</script>",
    "animation": "<p>kept</p><script>(function f() { document.title += 'x';"
    " requestAnimationFrame(f) })()</script>",
}


UNFINISHED = {
    "appending": "its scripts were stopped",
    "script": "not fully loaded after 2 seconds",
    "timer": "its scripts were stopped",
    "growing": "cut at 20,000 rows",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
def test_a_page_that_never_ends_is_taken_as_it_is(browser, name):
    options = RenderOptions(timeout=2, settle=1, limits=Limits(rows=20_000))
    before = time.monotonic()
    page = browser.render(ENDLESS[name], options=options)
    assert time.monotonic() - before < 25
    assert "kept" in text_of(page)
    assert UNFINISHED.get(name, "") in page.status


@pytest.mark.slow
def test_a_page_that_never_finishes_loading_says_so(browser):
    answers = {"/page": (200, {}, b"<p>kept</p><img src=/never><p>too")}
    with server(answers, hang=("/never",)) as (address, _):
        options = RenderOptions(network=True, private=True, timeout=2)
        page = browser.render(f"{address}/page", options=options)
    assert text_of(page) == "kept too"
    assert page.status == "not fully loaded after 2 seconds"


@pytest.mark.slow
def test_an_address_whose_page_never_ends_is_cut(browser):
    class Drip(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            for _ in range(200):
                self.wfile.write(b"<p>tea</p>")
                self.wfile.flush()
                time.sleep(0.1)

        def log_message(self, *_):
            pass

        def handle_error(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Drip) as one:
        one.daemon_threads = True
        one.handle_error = lambda *_: None  # the client leaves before the end
        threading.Thread(target=one.serve_forever, daemon=True).start()
        before = time.monotonic()
        address = f"http://127.0.0.1:{one.server_port}/"
        page = browser.render(address, options=RenderOptions(timeout=2, private=True))
        assert time.monotonic() - before < 15
        assert text_of(page).startswith("tea tea")
        assert page.status == "cut by the server"
        one.shutdown()


@pytest.mark.slow
def test_a_page_of_100000_elements(browser):
    html = "<!doctype html><body>" + "<p>words <b>in</b> it</p>" * 50_000
    page = browser.render(html, options=RenderOptions(limits=Limits(rows=300_000)))
    assert page.status == "complete"
    assert len(page) == 3 + 5 * 50_000


def test_no_more_than_max_bytes_are_loaded(browser):
    answers = {
        "/page": (200, {}, b"<p>kept</p><iframe src=/big></iframe>"),
        "/big": (200, {}, b"<p>x" * 750_000),
    }
    with server(answers) as (address, _):
        options = RenderOptions(network=True, private=True, max_bytes=100_000)
        page = browser.render(f"{address}/page", options=options)
    assert page.status == "loaded 100,000 bytes of its resources only"


@pytest.mark.slow
def test_a_crash_costs_one_page(browser):
    fill = "while (true) a.push(new Array(1e6).fill(Math.random()))"
    crash = f"<p>x</p><script>const a = []; {fill}</script>"
    with pytest.raises(RenderError, match=r"crashed the browser|could not load"):
        browser.render(crash, options=RenderOptions(timeout=30))
    assert text_of(browser.render("<p>next")) == "next"


@pytest.mark.slow
def test_a_browser_that_is_killed_is_started_again():
    with Browser() as one:
        assert text_of(one.render("<p>first")) == "first"
        os.kill(one.process, 9)
        time.sleep(0.5)
        assert text_of(one.render("<p>second")) == "second"


@pytest.mark.slow
def test_many_pages_leave_nothing_behind():
    with Browser() as one:
        one.render("<p>x")
        children = [thread.name for thread in threading.enumerate()]
        files = len(list(Path("/proc/self/fd").iterdir()))
        for number in range(10):
            assert text_of(one.render(f"<p>page {number}")) == f"page {number}"
        assert len(list(Path("/proc/self/fd").iterdir())) <= files + 2
        assert len(threading.enumerate()) <= len(children) + 1
        process = one.process
    assert not Path(f"/proc/{process}").exists()


# --- the program ---------------------------------------------------------------------------------


def test_a_missing_chromium_is_a_sentence(monkeypatch):
    monkeypatch.setenv("THRESHER_CHROMIUM", "")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="apt install chromium"):
        find_chromium()
    monkeypatch.setenv("THRESHER_CHROMIUM", "/none/chromium")
    with pytest.raises(InputError, match="is no program: check the path"):
        find_chromium()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs Chromium without its sandbox")
def test_root_is_warned_that_there_is_no_sandbox(browser):
    del browser
    with Browser() as one, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        one.render("<p>x")
    assert [str(w.message) for w in caught if w.category is BrowserWarning] == [
        "Chromium runs without its sandbox, because you are root: run as another user to render "
        "pages that you do not trust."
    ]


def test_a_picture_of_the_whole_page(browser):
    html = "<!doctype html><body style='margin:0'><div style='height:3000px;background:red'></div>"
    picture = browser.render(html, options=RenderOptions(picture=True)).picture
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (1280, 3000)
