"""What every method of the registry must do, and which files it needs.

A new method is found through the registry. `test_the_method_is_complete` lists all that is missing
in one message: docstrings, doc page, test file and accuracy floor, each with what to add.
"""

import importlib.util
import inspect
import json
import pickle
import re
import sys
from dataclasses import FrozenInstanceError, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest

import thresher
from tests.growth import assert_linear
from thresher import Method, Page, Selection, UsageError, combine, methods
from thresher.methods.common.option_checks import Options
from thresher.methods.default import Default
from thresher.page.arrays import inside
from thresher.page.tags import NEVER_CONTENT

ROOT = Path(__file__).parents[2]

NAMES = methods.names()


# --- every method, with its defaults and with each option at its other values --------------------


def other_values(kind: type[Any], option: str) -> list[Any]:
    """Other values of an option to try: what its type lists, or numbers around the default."""
    hint = get_type_hints(kind)[option]
    default = next(field.default for field in fields(kind) if field.name == option)
    if get_origin(hint) is Literal:
        return [value for value in get_args(hint) if value != default]
    if hint is bool:
        return [not default]
    if hint is int:
        return [default + 1, default // 2, 0]
    if hint is float:
        return [default * 2, default / 2]
    return []


def variants() -> list[str]:
    """The expressions of all methods to try; numbers that a method refuses are left out."""
    found = []
    for name in NAMES:
        kind = type(methods.get(name))
        given = [{}] + [{o: v} for o in methods.options(name) for v in other_values(kind, o)]
        for options in given:
            try:
                found.append(combine.write(methods.get(name, **options)))
            except UsageError:
                continue
    return sorted(set(found))


EXPRESSIONS = variants()

ARTICLE = """\
<!DOCTYPE html>
<html><head><title>Tea</title><style>p { margin: 0 }</style></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/tea" title="All teas">Tea</a></li></ul></nav>
<article><h1>How to make tea</h1>
<p>Warm the pot. Put in one spoon of leaves for each cup, and one for the pot. Pour on the water
just off the boil, and wait for <a href="/minutes">three minutes</a>, or four at the most.</p>
<!-- advertisement --><script>document.write("<p>Buy our tea</p>")</script>
<p hidden>This paragraph is hidden, with many words that nobody sees at all.</p>
<div style="display:none">Nor does anybody see this one, unless a script shows it.</div>
<template><p>A template is not shown either.</p></template>
<noscript>Please switch on scripts, all of them, now.</noscript>
<table><tr><th>Tea</th><th>Minutes</th></tr><tr><td>green</td><td>2</td></tr></table>
<p>چای سبز را دو دقیقه دم کنید. 緑茶は二分。</p><pre>  boil
  pour</pre><ul><li>milk</li><li>sugar</li></ul></article>
<footer><a href="/imprint">Imprint</a> <button>Subscribe</button></footer>
</body></html>
"""

# For methods that take characters from U+0080 on for content, and all others for code.
IN_FARSI = """\
<nav><a href="/">خانه</a> <a href="/tea">چای</a></nav>
<article><h1>چگونه چای دم کنیم</h1>
<p>قوری را گرم کنید. برای هر فنجان یک قاشق چای بریزید و یک قاشق هم برای قوری. آب را کمی پس از
جوشیدن روی چای بریزید و سه دقیقه صبر کنید، یا حداکثر چهار دقیقه. چای سبز را با آب خنک‌تر دم کنید و
چای سیاه را با آب داغ‌تر. دمنوش‌های گیاهی زمان بیشتری می‌خواهند و تلخ نمی‌شوند.</p>
</article>
"""
SEES_NO_ASCII = {"dana", "r2l"}
MORE = """\
<p>Fill the kettle with fresh water, since water that has been boiled before tastes flat. Leaves
need room to open, so do not press them into a small ball, however handy it may look.</p>
<p>Green leaves want water that is less hot, and less time. Black ones can take more of both, but
they turn bitter when they stand for too long. Taste the tea after three minutes and decide.</p>
"""
# The cosine divides by the length of a paragraph: on a page this short it keeps "Tea" only.
PREFERS_SHORT = {"similarity(metric='cosine')"}

SMALL = {
    "empty": "",
    "white space": " \n\t ",
    "no text": "<html><head><title>Title</title></head><body></body></html>",
    "blank text": "<body><p> </p>\n<p>&nbsp;</p></body>",
    "one word": "word",
    "links": "<a href=/one>one</a> <a href=/two>two</a>",
    "script": "<script>var text = 'one two three';</script>",
    "frames": "<html><frameset><frame src=a><noframes>No frames.</noframes></frameset></html>",
    "hidden": "<div hidden><p>one two three</p></div><template>four</template>",
    "broken": "<p><b><i>one</p>two</i></b><table>three<tr><td>four<a href=five>six<a href='",
    "deep": "<div>" * 600 + "word" + "</div>" * 10 + "<p>more words",
    "article": ARTICLE,
}


@cache
def small_pages() -> dict[str, Page]:
    """The small pages, parsed once."""
    return {name: thresher.parse(html) for name, html in SMALL.items()}


@pytest.fixture(params=EXPRESSIONS)
def method(request):
    return combine.read(request.param)


@pytest.fixture(params=NAMES)
def plain_method(request):
    """A method with its default options."""
    return methods.get(request.param)


def snapshot(page: Page) -> tuple[Any, ...]:
    columns = ("tag", "end", "parent", "level", "chars", "words", "linked", "hidden")
    return (*(getattr(page, name).tobytes() for name in columns), page.source, page.texts)


def never_kept(method: Method, page: Page) -> Selection:
    """Text that the method must not keep: what a browser does not show."""
    if isinstance(method, Default):  # the model sees what is hidden: docs/methods/default.md
        return page.where(inside(NEVER_CONTENT[page.tag], page.end))
    return page.where(page.hidden)


def test_it_returns_a_selection_of_every_page(method):
    for name, page in small_pages().items():
        before = snapshot(page)
        selection = method(page)
        assert type(selection) is Selection, name
        assert selection.page is page, name
        assert selection.keep.shape == page.text_rows.shape, name
        assert selection.keep.dtype == np.bool_, name
        assert not selection.keep.flags.writeable, name
        assert isinstance(selection.text(), str), name
        assert not (selection & never_kept(method, page)), f"hidden text or code kept: {name}"
        assert method(page) == selection, f"another answer for the same page: {name}"
        assert snapshot(page) == before, f"a method must not change the page: {name}"


def test_a_new_parse_or_a_pickle_of_the_page_gives_the_same_answer(plain_method):
    for name, page in small_pages().items():
        keep = plain_method(page).keep
        assert np.array_equal(plain_method(thresher.parse(page.source)).keep, keep), name
        assert np.array_equal(plain_method(pickle.loads(pickle.dumps(page))).keep, keep), name


def test_it_works_on_a_part_of_a_page(plain_method):
    for name, page in small_pages().items():
        for part in (page.all(), page.where(~page.hidden), page.where(page.linked), page.none()):
            smaller = page.only(part)
            selection = plain_method(smaller)
            assert selection.page is smaller, name
            assert (selection.lift() - part).words == 0, name  # white space beside text may stay


def test_something_of_an_article_is_kept(method):
    if combine.write(method).partition("(")[0] in SEES_NO_ASCII:
        assert "سه دقیقه صبر کنید" in method(thresher.parse(IN_FARSI)).text()
    elif combine.write(method) in PREFERS_SHORT:
        assert "How to make tea" in method(small_pages()["article"]).text()
    else:
        assert "one for the pot" in method(small_pages()["article"]).text()


def test_the_target_of_a_link_is_no_link(plain_method):
    """Text in an anchor without an address, which nothing closes, is kept as other text is."""
    in_farsi = combine.write(plain_method) in SEES_NO_ASCII
    whole = IN_FARSI if in_farsi else ARTICLE.replace("</h1>", f"</h1>\n{MORE}")
    # The next link closes the anchor; without one it reaches to the end.
    for html in (whole, re.sub("(?s)<a href=./minutes.>|<footer>.*", "", whole)):
        page = thresher.parse(html.replace("<article>", "<a name=top><article>"))
        text = plain_method(page).text()
        # Some methods keep one of the paragraphs.
        wanted = ("سه دقیقه صبر کنید",) if in_farsi else ("for the pot", "kettle", "Green leaves")
        assert any(words in text for words in wanted)


def test_it_is_a_value(method):
    again = combine.read(combine.write(method))
    assert again == method
    assert hash(again) == hash(method)
    assert type(again) is type(method)
    for option in methods.options(combine.write(method).partition("(")[0]):
        with pytest.raises(FrozenInstanceError):
            setattr(method, option, 1)


def test_it_pickles(method):
    again = pickle.loads(pickle.dumps(method))
    page = small_pages()["article"]
    assert again == method
    assert again(page) == method(page)


def test_methods_with_other_options_are_not_equal():
    made = [combine.read(expression) for expression in EXPRESSIONS]
    assert len(set(made)) == len(made)


def bad_values(kind: type[Any], option: str) -> list[Any]:
    hint = get_type_hints(kind)[option]
    bad: list[Any] = [object(), None, [1]]
    if hint is not bool:
        bad.append(True)
    if hint is float:
        bad += [float("nan"), float("inf"), "1"]
    if hint is int:
        bad += [1.5, "1"]
    if get_origin(hint) is Literal:
        bad += ["no such value", 99]
    return bad


@pytest.mark.parametrize("name", NAMES)
def test_bad_options_are_refused_with_a_sentence(name):
    kind = type(methods.get(name))
    for option in methods.options(name):
        for value in bad_values(kind, option):
            try:
                methods.get(name, **{option: value})
            except UsageError as error:
                message = str(error)
            else:
                pytest.fail(f"{name}({option}={value!r}) must raise UsageError: inherit Options.")
            assert option in message, f"{name}({option}={value!r}) must name the option: {message}"
            assert message.endswith("."), f"write a sentence: {message}"
    with pytest.raises(UsageError, match=r"has no option 'no_such_option'"):
        methods.get(name, no_such_option=1)


# --- growth --------------------------------------------------------------------------------------


@cache
def article(paragraphs: int) -> bytes:
    """A pickled page of `paragraphs` paragraphs, with menus and links in proportion."""
    words = "Steep the leaves for three minutes and drink the tea while it is still hot ".split()
    parts = []
    for number in range(paragraphs):
        text = " ".join(words[: 3 + number % len(words)] * 3)
        parts.append(f'<li><a href="/page/{number}">Page {number}</a></li>' * (number % 3))
        parts.append(f'<div class="text"><p>{text} <a href="/{number}">{number}</a>.</p></div>\n')
    html = f"<html><body><ul>{''.join(parts)}</ul></body></html>"
    return pickle.dumps(thresher.parse(html))


@pytest.mark.slow
def test_time_grows_linearly_with_the_page(plain_method):
    # Each page comes from a pickle, so that no view of it is there yet. The largest one, of 16,000
    # paragraphs, is tried only if the others grow too fast; no other reaches the limit of rows.
    assert_linear(plain_method, lambda n: pickle.loads(article(n)), 2_000)


# --- the files of a method ----------------------------------------------------------------------


def missing_pieces(name: str, kind: type[Any], root: Path) -> list[str]:
    """Everything a method still needs, each as an instruction."""
    module = inspect.getmodule(kind)
    path = Path(inspect.getsourcefile(kind) or "")
    return [
        *_of_the_module((module and module.__doc__) or "", path),
        *_of_the_class(name, kind, path),
        *_of_the_documents(name, root),
    ]


def _of_the_module(doc: str, path: Path) -> list[str]:
    found = []
    if not re.search(r"\b(?:19|20)\d\d\b|thesis \d|baseline", doc):
        found.append(
            f"{path.name}: open the module with a docstring that names the paper, its authors and "
            f"year (and the section of the thesis), then gives the formula."
        )
    if not re.search(r"^Departures: \S", doc, re.M):
        found.append(
            f'{path.name}: end the module docstring with a part "Departures: ..." that says where '
            f'the code differs from the paper, or "Departures: none known."'
        )
    return found


def _of_the_class(name: str, kind: type[Any], path: Path) -> list[str]:
    found = []
    if not is_dataclass(kind) or not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        found.append(
            f"{path.name}: write @dataclass(frozen=True, slots=True) above {kind.__name__}."
        )
        return found
    if fields(kind) and not issubclass(kind, Options):
        found.append(
            f"{path.name}: let {kind.__name__} inherit Options, which checks its options "
            f"(thresher.methods.common.option_checks)."
        )
    doc = kind.__doc__ or ""
    if not doc.endswith(".") or "\n" in doc:
        found.append(f"{path.name}: give {kind.__name__} a docstring of one line, a sentence.")
    lines = inspect.getsource(kind).splitlines()
    for field in fields(kind):
        at = next((i for i, x in enumerate(lines) if re.match(rf"\s+{field.name}\s*:", x)), 0)
        if "  # " not in lines[at] and not lines[at - 1].lstrip().startswith("# "):
            found.append(
                f"{path.name}: write behind the option {field.name} what it is and where its "
                f"default came from: `{field.name}: ... = ...  # paper: 20`."
            )
        if field.name not in methods_options(kind):
            found.append(f"{path.name}: give the option {field.name} a default.")
    return found


def methods_options(kind: type[Any]) -> list[str]:
    """The options that have a default."""
    signature = inspect.signature(kind)
    return [n for n, p in signature.parameters.items() if p.default is not inspect.Parameter.empty]


def _of_the_documents(name: str, root: Path) -> list[str]:
    found = []
    page = root / "docs" / "methods" / f"{name}.md"
    if not page.exists():
        found.append(
            f"docs/methods/{name}.md: write a page with what the method does, its formula, an "
            f"example by hand that runs, its options, its departures, when to use it."
        )
    else:
        text = page.read_text(encoding="utf-8")
        headings = ("Formula", "By hand", "Options", "Departures", "When to use it")
        lacking = [heading for heading in headings if f"## {heading}\n" not in text]
        found += [f"docs/methods/{name}.md: add a part `## {heading}`." for heading in lacking]
        if not re.search(r"^Works on: .+\.$", text, re.M):
            found.append(
                f"docs/methods/{name}.md: add a line `Works on: text blocks.` or the like."
            )
        if ">>>" not in text:
            found.append(f"docs/methods/{name}.md: add an example that runs (`>>>`).")
    test = f"test_{name.replace('-', '_')}.py"
    if not (root / "tests" / "methods" / test).exists():
        found.append(
            f"tests/methods/{test}: compare the method with the paper's formula written slowly "
            f"from the HTML (see tests/slow_definitions.py); add examples with literal numbers."
        )
    floors = root / "floors.json"
    pinned = json.loads(floors.read_text(encoding="utf-8")) if floors.exists() else {}
    if not pinned or any(name not in by_method for by_method in pinned.values()):
        found.append(
            f"floors.json: pin the accuracy of the method with `make pin-floors METHOD={name}` (it "
            f"needs the corpora)."
        )
    return found


def report(name: str, missing: list[str]) -> str:
    return f"the method {name} is not complete yet:\n" + "".join(f"  - {m}\n" for m in missing)


@pytest.mark.parametrize("name", NAMES)
def test_the_method_is_complete(name):
    missing = missing_pieces(name, type(methods.get(name)), ROOT)
    assert not missing, report(name, missing)


BARE = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Bare:
    reach: int = 3
    width: float = 2.0  # ours
    # paper: 7
    depth: int = 7

    def __call__(self, page):
        return page.none()
"""


def test_all_that_is_missing_is_told_at_once(tmp_path):
    (tmp_path / "bare.py").write_text(BARE)
    spec = importlib.util.spec_from_file_location("bare", tmp_path / "bare.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["bare"] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        missing = missing_pieces("bare-one", module.Bare, tmp_path)
    finally:
        del sys.modules["bare"]
    assert [piece.split(":")[0] for piece in missing] == [
        *["bare.py"] * 5,
        "docs/methods/bare-one.md",
        "tests/methods/test_bare_one.py",
        "floors.json",
    ]
    message = report("bare-one", missing)
    for part in ("names the paper", "Departures", "docstring of one line", "the option reach"):
        assert part in message
    assert "width" not in message
    assert "depth" not in message
