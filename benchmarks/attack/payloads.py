"""Script payloads in a real browser: nothing runs in HTML, rendered Markdown or a report.

A payload is a place in a page (a sink) with a way to write a script there (an encoding). Each calls
`top.hit(number)`. The page itself, its HTML, its Markdown as two renderers that allow HTML show it,
and the report of `explain` are each loaded in a frame of their own in Chromium, every element is
clicked and hovered over, and the numbers that were called are read. Many payloads run in the page
itself, which shows that the attack works; in the others none may.
"""

from __future__ import annotations

import base64
import html
import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import markdown as python_markdown  # type: ignore[import-untyped]
from markdown_it import MarkdownIt

import thresher
from benchmarks.attack.rows import Row, print_rows, row
from thresher.errors import InputError
from thresher.render import Include
from thresher.viewer.explain import explain
from thresher.visual.browser import find_chromium

AT_ONCE = 30  # frames of one load
REPORTS_AT_ONCE = 10  # they are much larger
SECONDS = 120  # of one load
TRIES = 3  # on a busy machine, Chromium may end without a word

# Ways to write a call. CALL is the call itself.
TAGS = {
    "script": "<script>CALL</script>",
    "image": "<img src=x onerror=CALL>",
    "image, quoted": "<img src='x' onerror='CALL'>",
    "image, slash": "<img/src=x/onerror=CALL>",
    "drawing": "<svg onload=CALL></svg>",
    "drawing with script": "<svg><script>CALL</script></svg>",
    "drawing, animated": "<svg><animate onbegin=CALL attributeName=x dur=1s></svg>",
    "body": "<body onload=CALL>",
    "details": "<details open ontoggle=CALL>x</details>",
    "frame": "<iframe srcdoc=\"<script>CALL</script>\"></iframe>",
    "frame, address": "<iframe src='javascript:CALL'></iframe>",
    "video": "<video src=x onerror=CALL></video>",
    "source": "<video><source onerror=CALL></video>",
    "input": "<input autofocus onfocus=CALL>",
    "object": "<object data='javascript:CALL'></object>",
    "embed": "<embed src='javascript:CALL'>",
    "link": "<a href='javascript:CALL'>x</a>",
    "form": "<form action='javascript:CALL'><button>x</button></form>",
    "button": "<form><button formaction='javascript:CALL'>x</button></form>",
    "mouse": "<p onmouseover=CALL onclick=CALL>x</p>",
    "maths": "<math><maction actiontype=statusline xlink:href='javascript:CALL'>x</maction></math>",
    "maths with style": "<math><mtext><table><mglyph><style><img src=x onerror=CALL>",
    "style": "<style onload=CALL>x</style>",
    "marquee": "<marquee onstart=CALL>x</marquee>",
    "noscript": "<noscript><p title=\"</noscript><img src=x onerror=CALL>\"></noscript>",
    "template": "<template><img src=x onerror=CALL></template><img src=x onerror=CALL>",
    "unclosed": "<img src=x onerror=CALL ",
    "comment": "<!--><img src=x onerror=CALL>-->",
    "base": "<base href='javascript:CALL//'><a href='#'>x</a><a href='x'>y</a>",
    "drawing with a link": "<svg><a xlink:href='javascript:CALL'><text>x</text></a></svg>",
    "drawing used": "<svg><use href=\"data:image/svg+xml,<svg id=x onload=CALL>#x\"></svg>",
    "refresh": "<meta http-equiv=refresh content='0;url=javascript:CALL'>",
}  # fmt: skip
ADDRESSES = {
    "plain": "javascript:CALL",
    "capitals": "JaVaScRiPt:CALL",
    "tab": "java&#9;script:CALL",
    "line end": "java&#10;script:CALL",
    "return": "java&#13;script:CALL",
    "control": "&#1;javascript:CALL",
    "space": " &#32;javascript:CALL",
    "colon": "javascript&colon;CALL",
    "entities": "&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;CALL",
    "hexadecimal": "&#x6a;avascript:CALL",
    "reference as text": "javascript&amp;colon;CALL",
    "number as text": "java&amp;#115;cript:CALL",
    "mark before": "&#xfeff;javascript:CALL",
    "data": "data:text/html,<script>CALL</script>",
    "data, base64": "DATA64",
    "vbscript": "vbscript:CALL",
    "encoded": "javascript:ENCODED",
    "comment": "javascript://x%0ACALL",
    "markup": "x&quot; onmouseover=CALL x=&quot;",
    "tag": "x&quot;&gt;&lt;img src=x onerror=CALL&gt;",
    "Markdown": "x) &lt;img src=x onerror=CALL&gt; (",
    "Markdown title": "x &quot;&gt;&lt;img src=x onerror=CALL&gt;",
}
ADDRESS_SINKS = {
    "link": "<p>x <a href=\"ADDRESS\">y</a>",
    "image": "<p>x <img src=\"ADDRESS\" alt=y>",
    "lazy image": "<p>x <img data-src=\"ADDRESS\" alt=y>",
    "base": "<base href=\"ADDRESS\"><p>x <a href='#y'>y</a> <a href='z'>z</a>",
    "reference": "<p>x<sup><a role=doc-noteref href=\"ADDRESS\">1</a></sup>",
    "canonical": "<link rel=canonical href=\"ADDRESS\"><p>x",
    "related": "<p>x<div class=related><a href=\"ADDRESS\">Some words to read</a></div>",
    "media": "<p>x<iframe src=\"ADDRESS\"></iframe><video src=\"ADDRESS\"></video>",
}  # fmt: skip
# Where the page shows a tag as text, or has it in an attribute. TAG has its brackets as entities.
TEXT_SINKS = {
    "paragraph": "<p>TAG",
    "underlined": "<p>&lt;<u>REST</u>",
    "bold": "<p>&lt;<b>REST</b>",
    "summary": "<details><summary>&lt;<b>REST</b></summary>x</details>",
    "heading": "<h1>TAG</h1>",
    "title": "<title>TAG</title><p>x",
    "author": "<meta name=author content=\"TAG\"><p>x",
    "description": "<meta name=description content=\"TAG\"><p>x",
    "code": "<pre>TAG</pre>",
    "code with CR": "<blockquote><pre>a&#13;```&#13;&#13;TAG</pre></blockquote>",
    "code with LS": "<ul><li><pre>a&#x2028;```&#x2028;&#x2028;TAG</pre></ul>",
    "code in a list": "<ul><li><pre>a\n```\n\nTAG</pre></ul>",
    "code in deep lists": "<ul><li>" * 40 + "<pre>a\nTAG</pre>",
    "code in a note": "<p>x<sup><a href=#n>1</a></sup><ol><li id=n><pre>TAG</pre></ol>",
    "code of a language": "<pre><code class=\"language-TAG\">x</code></pre>",
    "code in a line": "<p>x <code>`TAG``</code>",
    "cell": "<table><tr><td>TAG<td>x<tr><td><pre>TAG\nTAG</pre><td>|TAG</table>",
    "caption": "<table><caption>TAG</caption><tr><td>x<td>y<tr><td>a<td>b</table>",
    "term": "<dl><dt>TAG<dd>TAG<dd><pre>TAG</pre></dl>",
    "link": "<p><a href=x title=\"TAG\">TAG</a>",
    "link title": "<p><a href=x title='&quot;) TAG (&quot;'>y</a>",
    "alternative text": "<p>x<img src=x alt=\"] TAG\" title=\"TAG\">",
    "reference": "<p>x<sup><a role=doc-noteref href=#fn-1>TAG</a></sup>",
    "note": "<aside role=doc-footnote id=\"fn-1]: TAG\">x</aside>",
    "formula": "<p>x <span class=\"math inline\">TAG</span>",
    "alternative of a formula": "<p>x<math alttext=\"TAG\"><mi>y</mi></math>",
    "annotation": "<p>x<math><semantics><mi>y</mi><annotation encoding=application/x-tex>TAG"
    "</annotation></semantics></math>",
    "script of a formula": "<p>x<script type=math/tex>REST1</script>",
    "image of a formula": "<p>x<img class=mwe-math-fallback-image-inline alt=\"TAG\" src=y>",
    "quotation": "<blockquote>TAG</blockquote><p>x",
    "item": "<ul><li>TAG<li>x</ul>",
    "figure": "<figure><img src=x alt=y><figcaption>TAG</figcaption></figure>",
    "class": "<div class=\"TAG\" id=\"TAG\"><p>x</div>",
    "language": "<p lang=\"TAG\">x <span lang='de'>y</span>",
    "textarea": "<textarea>TAG</textarea><p>x",
    "comment of a reader": "<div class=comments><div class=comment><b>TAG</b><p>TAG</div></div>",
    "code beside code": "<p><code>a</code><u><code>``TAG</code></u>",
    "code after a formula": "<p>x <math alttext='a`b'><mi>y</mi></math> z <code>TAG</code>",
    "control character": "<p>&lt;&#2;REST &lt;&#3;REST",
    "note alone": "<p>x<sup><a href=#n>1</a></sup><ol><li id=n>TAG</ol>",
    "after a reference": "<p>x<sup><a href=#n>1</a></sup>TAG<ol><li id=n>note</ol>",
    "after a formula": "<p><math alttext='[x'><mi>y</mi></math> TAG",
}  # fmt: skip
TEXT_TAGS = ("script", "image", "drawing", "details", "mouse")
# Links of Markdown that the page shows as text.
MARKDOWN_LINKS = (
    "[x](javascript:CALL)", "x](javascript:CALL)", "(javascript:CALL)", "javascript:CALL",
    ": javascript:CALL",
)  # fmt: skip


def sources() -> list[str]:
    """Return the pages, each with the number that its payload calls."""
    found: list[str] = []

    def add(page: str) -> None:
        call = f"top.hit({len(found)})"
        data = base64.b64encode(f"<script>{call}</script>".encode()).decode()
        page = page.replace("DATA64", f"data:text/html;base64,{data}")
        page = page.replace("ENCODED", quote(call))
        found.append(f"<p>Some words before.</p>{page.replace('CALL', call)}")

    for tag in TAGS.values():
        add(tag)
        add(f"<table><tr><td>x<td>{tag}</table>")
        add(f"<article><h1>x</h1><p>{tag}")
    for sink in ADDRESS_SINKS.values():
        for address in ADDRESSES.values():
            add(sink.replace("ADDRESS", address))
    for sink in TEXT_SINKS.values():
        for name in TEXT_TAGS:
            tag = TAGS[name]
            page = sink.replace("REST1", tag).replace("REST", html.escape(tag[1:]))
            add(page.replace("TAG", html.escape(tag)))
        for link in MARKDOWN_LINKS:
            add(sink.replace("REST1", link).replace("REST", link).replace("TAG", link))
    return found


# --- what a browser shows ------------------------------------------------------------------------

_commonmark = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table")
_commonmark.validateLink = lambda url: bool(url)  # type: ignore[method-assign]  # of all schemes


def _markdown(source: str, show: Callable[[str], str]) -> str:
    document = thresher.extract(source, method="plain")
    return show(document.markdown()) + show(document.markdown(Include(metadata=True, title=True)))


def _related(source: str) -> str:
    links = thresher.extract(source, method="plain").related
    return "".join(f"<a href=\"{html.escape(link.address)}\">{html.escape(link.text)}</a>"
                   for link in links)  # fmt: skip


SHOWN: dict[str, Callable[[str], str]] = {
    "the page itself": lambda source: source,
    "HTML": lambda source: thresher.extract(source, method="plain").html(),
    "HTML, default": lambda source: thresher.extract(source).html(Include(title=True)),
    "CommonMark": lambda source: _markdown(source, _commonmark.render),
    "Python-Markdown": lambda source: _markdown(
        source,
        lambda text: python_markdown.markdown(
            text, extensions=["tables", "fenced_code", "footnotes", "def_list"]
        ),
    ),
    "report": lambda source: explain(thresher.extract(source)),
}  # fmt: skip
# Python-Markdown knows no fence within a list or a quotation, and shows its content as Markdown.
NOT_COMMONMARK = re.compile(r"<pre>")


def attack(pages: Iterable[tuple[int, str]] | None = None) -> list[Row]:
    """Load every payload, or those of the given pages with their numbers, in every output."""
    try:
        find_chromium()
    except InputError as error:
        print(f"payloads are left out: {error}")
        return []
    every = list(enumerate(sources()) if pages is None else pages)
    rows: list[Row] = []
    for name, show in SHOWN.items():
        chosen = [
            (number, source)
            for number, source in every
            if name != "Python-Markdown" or not NOT_COMMONMARK.search(source)
        ]
        at_once = REPORTS_AT_ONCE if name == "report" else AT_ONCE
        hits = loaded([(number, show(source)) for number, source in chosen], at_once)
        print(f"payloads: {name}: {len(hits)} run", flush=True)
        if name == "the page itself":
            running = sum(number in hits for number, _ in chosen)
            enough = "" if running >= len(chosen) // 8 else f"only {running} payloads run at all"
            rows.append(row(f"payloads that run in the page: {running}", [enough]))
            continue
        outcomes = (f"payload {n} runs: {s[:300]}" if n in hits else "" for n, s in chosen)
        rows.append(row(f"payloads: {name}", outcomes))
    return rows


_PAGE = """<!DOCTYPE html><meta charset=utf-8><title>loading</title><script>
const hits = new Set(); window.hit = number => { hits.add(number); };
window.alert = window.confirm = window.prompt = () => {};
const shown = SHOWN;
const wait = time => new Promise(done => setTimeout(done, time));
async function run() {
  const frames = shown.map(content => {
    const frame = document.createElement("iframe");
    frame.srcdoc = content; document.body.append(frame); return frame;
  });
  await wait(1500);
  for (const frame of frames) {
    let inner; try { inner = frame.contentDocument; } catch { continue; }
    if (!inner) continue;
    for (const element of inner.querySelectorAll("*")) {
      for (const name of ["mouseover", "focus", "mouseenter"])
        element.dispatchEvent(new MouseEvent(name, {bubbles: true}));
      if (element.click) element.click(); else
        element.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
    }
  }
  await wait(1000);
  document.body.textContent = "HITS" + JSON.stringify([...hits]) + "END";
}
</script><body onload="run()">"""


def loaded(shown: Iterable[tuple[int, str]], at_once: int = AT_ONCE) -> set[int]:
    """Load HTML in frames, click on everything, and return the numbers that were called."""
    found: set[int] = set()
    for group in _groups(shown, at_once):
        text = json.dumps([content for _, content in group]).replace("<", "\\u003c")
        found |= _load(_PAGE.replace("SHOWN", text))
    return found


def _groups(shown: Iterable[tuple[int, str]], at_once: int) -> Iterator[list[tuple[int, str]]]:
    given = iter(shown)
    while group := list(islice(given, at_once)):
        yield group


def _load(page: str) -> set[int]:
    for _ in range(TRIES):
        shown = _shown_by_chromium(page)
        answer = re.search(r"HITS(\[[\d,]*\])END", shown)
        if answer is not None:
            return set(json.loads(answer[1]))
    raise RuntimeError(f"Chromium showed no result: {shown[:300]}")


def _shown_by_chromium(page: str) -> str:
    """Return the page as it is after its scripts ran; "" if Chromium ended early."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "page.html")
        path.write_text(page, encoding="utf-8", errors="replace")
        command = [
            find_chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
            "--virtual-time-budget=20000", f"--user-data-dir={folder}/profile",
            "--disable-popup-blocking", "--disable-background-networking",
            "--proxy-server=127.0.0.1:9", path.as_uri(),
        ]  # fmt: skip
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that all of its processes can be ended
        ) as browser:
            try:
                shown = browser.communicate(timeout=SECONDS)[0].decode(errors="replace")
            except subprocess.TimeoutExpired:
                os.killpg(browser.pid, signal.SIGKILL)
                shown = browser.communicate()[0].decode(errors="replace")
    return shown


if __name__ == "__main__":
    print_rows(attack())
