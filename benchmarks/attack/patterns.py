"""Every regular expression of the package, given texts that are made to slow it down.

Patterns are found in two ways: all modules are imported and searched for compiled patterns
(globals, attributes of classes, what lists and dicts hold), and the sources are searched for calls
such as `re.sub(r"...")`. How a pattern is used (`match`, `fullmatch`, or a scan of the text) is
read off the sources too.

The attacks on a pattern are derived from its parsed form. For each part that may repeat:

    before * m + repeated * n + after

where `before` is a shortest text that leads to the part, `repeated` is what it repeats, and `after`
makes the whole fail. A text of 16,000 characters that takes long is made twice as long, and again:
the logarithm of the growth of the time is the exponent, 1 for linear time and 2 for quadratic.
"""

from __future__ import annotations

import ast
import importlib
import math
import pkgutil
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

import thresher
from benchmarks.attack.rows import Row, row
from thresher.page.lazy import LazyPattern

Text: TypeAlias = str | bytes

LENGTH = 16_000  # characters of the first long text
SHORT = (12, 15, 18, 21, 24, 27, 30, 150, 1_000)  # tried before, for patterns of exponential time
SLOW = 0.004  # seconds for LENGTH characters: above it, growth is measured
HOPELESS = 0.25  # seconds at which a longer text is not tried
STEEPEST = 1.3  # exponent that is still called linear
USES = ("match", "fullmatch", "scan")
_SCANS = {"search", "sub", "subn", "split", "findall", "finditer"}

# Patterns whose callers pass at most so many characters, and the seconds which that may take.
BOUNDED: dict[str, int] = {
    "thresher.metadata.bylines._JOIN": 300,
    "thresher.metadata.bylines._JOIN_WITHIN_NAMES": 300,
    "thresher.metadata.bylines._NOISE": 300,
    "thresher.metadata.bylines._TAIL": 300,
    "thresher.metadata.bylines._TITLES": 300,
    "thresher.metadata.dates._CJK": 200,
    "thresher.metadata.dates._VIETNAMESE": 200,
    "thresher.metadata.headline_vote._PERMALINK": 600,
    "thresher.metadata.headline_vote._SEPARATOR": 600,
    "thresher.page.sentences._WORD_BEFORE": 20,
    "thresher.structure.threads.fields._DAY_AFTER": 140,
    "thresher.structure.threads.fields._IN_ANGLES": 140,
    "thresher.structure.threads.fields._QUOTE_TITLES[0]": 140,
    "thresher.structure.threads.fields._QUOTE_TITLES[2]": 140,
    "thresher.trends.documents._damaged_xml_records()": 200,
}
# Patterns whose use cannot be read off the sources.
USED = {"thresher.visual.gate._TUNNEL_TARGET": "fullmatch"}
MOST_SECONDS = 0.05


class Found(NamedTuple):
    """A pattern of the package."""

    name: str  # such as thresher.page.decode._META
    pattern: re.Pattern[Any]
    uses: frozenset[str]


class Finding(NamedTuple):
    """The first attack on a pattern that succeeds in one use."""

    name: str
    use: str
    exponent: float
    seconds: float  # for LENGTH characters, or for fewer if it is hopeless
    length: int
    attack: str  # in words

    def __str__(self) -> str:
        """Return the finding as a sentence."""
        return (
            f"{self.name} ({self.use}) has exponent {self.exponent:.1f} and takes "
            f"{self.seconds * 1000:.0f} ms for {self.length:,} characters: {self.attack}"
        )


def attack(package: str = "thresher") -> list[Row]:
    """Pump all patterns of a package; superlinear ones are failures, unless they are bounded."""
    chosen = [found for found in patterns() if found.name.startswith(f"{package}.")]
    return [row("patterns", map(verdict, chosen))]


def verdict(found: Found) -> str:
    """Return "" if a pattern takes linear time, or is bounded, in each of its uses."""
    return "; ".join(map(str, pump(found)))


# --- patterns of the package ---------------------------------------------------------------------


def patterns() -> list[Found]:
    """Return all patterns, each once, by name."""
    modules = list(_modules())
    uses = _uses_of_names(modules)
    found: dict[tuple[Any, int], Found] = {}
    for name, pattern in _compiled(modules):
        key = (pattern.pattern, pattern.flags)
        known = found.get(key)
        ways = uses.get(name.partition("[")[0], frozenset()) | (
            known.uses if known else frozenset()
        )
        found[key] = Found(known.name if known else name, pattern, ways)
    for name, pattern, use in _written(modules):
        key = (pattern.pattern, pattern.flags)
        known = found.get(key)
        ways = frozenset({use}) if use else frozenset()
        if known is None:
            found[key] = Found(name, pattern, ways)
        else:
            found[key] = known._replace(uses=known.uses | ways)
    usual = frozenset({"scan"})
    return sorted(
        (
            one._replace(
                uses=frozenset({USED[one.name]}) if one.name in USED else one.uses or usual
            )
            for one in found.values()
        ),
        key=lambda one: one.name,
    )


def _modules() -> Iterator[ModuleType]:
    yield thresher
    for info in pkgutil.walk_packages(thresher.__path__, "thresher."):
        if info.name == "thresher.__main__":
            continue
        yield importlib.import_module(info.name)


def _compiled(modules: Iterable[ModuleType]) -> Iterator[tuple[str, re.Pattern[Any]]]:
    for module in modules:
        for name, value in vars(module).items():
            if isinstance(value, type):
                if value.__module__ == module.__name__:
                    for inner, held in vars(value).items():
                        yield from _held(f"{module.__name__}.{name}.{inner}", held)
            elif not isinstance(value, ModuleType):
                yield from _held(f"{module.__name__}.{name}", value)


def _held(name: str, value: object, depth: int = 3) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield the patterns that a value is or holds."""
    if isinstance(value, LazyPattern):
        yield name, re.compile(value.pattern, value.flags)
    elif isinstance(value, re.Pattern):
        yield name, value
    elif depth and isinstance(value, dict):
        for key, held in value.items():
            yield from _held(f"{name}[{key!r}]", held, depth - 1)
            yield from _held(f"{name}[{key!r}]", key, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for number, held in enumerate(value):
            yield from _held(f"{name}[{number}]", held, depth - 1)


def _uses_of_names(modules: Iterable[ModuleType]) -> dict[str, frozenset[str]]:
    """Return how each global name is used on which a method of patterns is called.

    A name that is imported from another module counts under the names of both.
    """
    uses: dict[str, frozenset[str]] = {}
    for module, tree in _sources(modules):
        places = {
            alias.asname or alias.name: f"{node.module}.{alias.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute) or (use := _use(node.attr)) is None:
                continue
            base = node.value
            name = getattr(base, "id", None) or getattr(base, "attr", None)
            for place in {f"{module}.{name}", places.get(name, "")} if name else ():
                uses[place] = uses.get(place, frozenset()) | {use}
    return uses


def _use(method: str) -> str | None:
    if method in _SCANS:
        return "scan"
    return method if method in USES else None


def _sources(modules: Iterable[ModuleType]) -> Iterator[tuple[str, ast.Module]]:
    for module in modules:
        path = module.__file__ or ""
        source = re.sub(r"\.(?:cpython|abi3)[^/]*\.so$", ".py", path)  # compiled as it is
        try:
            yield module.__name__, ast.parse(Path(source).read_text(encoding="utf-8"))
        except FileNotFoundError:  # a kernel, without patterns
            continue


def _written(
    modules: Iterable[ModuleType],
) -> Iterator[tuple[str, re.Pattern[Any], str | None]]:
    """Yield the patterns that are written as literals in calls of `re`, with their use."""
    for module, tree in _sources(modules):
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for name, node in [
            *((f"{module}.{one.name}()", node) for one in functions for node in ast.walk(one)),
            *((module, node) for node in ast.walk(tree)),
        ]:
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if getattr(node.func.value, "id", "") != "re" or not node.args:
                continue
            text = node.args[0]
            if not isinstance(text, ast.Constant) or not isinstance(text.value, str | bytes):
                continue  # put together from parts, as most compiled ones are
            pattern = re.compile(text.value, _flags(node))
            yield name, pattern, _use(node.func.attr)


def _flags(call: ast.Call) -> int:
    """Return the flags of a call, which are names of `re` joined with `|`."""
    flags = 0
    for node in [*call.args[1:], *(keyword.value for keyword in call.keywords)]:
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and getattr(part.value, "id", "") == "re":
                flags |= int(getattr(re, part.attr))
    return flags


# --- attacks -------------------------------------------------------------------------------------

_ALPHABET = "a1 <>=;:,./-_\"'\n\tAé字(&#x0;[]{}|@!~\0"
_AFTER = ("", "\0", "!", "a", "1", " ", "\n", ">", "<")


class Pump(NamedTuple):
    """A part that repeats: what leads to it, and what it repeats."""

    before: str
    repeated: str


def pump(found: Found) -> Iterator[Finding]:
    """Yield the first attack that succeeds on a pattern, for each use that is superlinear."""
    for use in sorted(found.uses):
        act = _act(found.pattern, use)
        findings = filter(None, (_try(found.name, use, act, make) for make in attacks(found)))
        if (finding := next(findings, None)) is not None:
            yield finding


def _act(pattern: re.Pattern[Any], use: str) -> Callable[[Any], object]:
    if use == "match":
        return pattern.match
    if use == "fullmatch":
        return pattern.fullmatch

    def scan(text: Any) -> object:
        return pattern.sub(text[:0], text)

    return scan


class Attack(NamedTuple):
    """Texts of any length."""

    words: str
    make: Callable[[int], Text]


def attacks(found: Found) -> Iterator[Attack]:
    """Yield the attacks on a pattern."""
    given = found.pattern.pattern
    is_bytes = isinstance(given, bytes)
    tree = parser.parse(given, found.pattern.flags & ~re.U if is_bytes else found.pattern.flags)
    seen: set[str] = set()
    for one in dict.fromkeys(_pumps(tree, "")):
        for shape, make in _shapes(one):
            for after in _AFTER:
                if (sample := make(7) + after) in seen or (is_bytes and not _is_latin(sample)):
                    continue
                seen.add(sample)

                def text(n: int, make: Callable[[int], str] = make, after: str = after) -> Text:
                    whole = make(n) + after
                    return whole.encode("latin-1") if is_bytes else whole

                yield Attack(f"{shape} + {after!r}", text)


def _is_latin(text: str) -> bool:
    return all(ord(character) < 256 for character in text)


def _shapes(one: Pump) -> Iterator[tuple[str, Callable[[int], str]]]:
    before, repeated = one
    size = max(len(repeated), 1)
    yield f"{before!r} + {repeated!r} * n", lambda n: before + repeated * (n // size)
    if before:
        both = before + repeated
        yield f"{both!r} * n", lambda n: both * (n // len(both))
        yield (
            f"{before!r} * n + {repeated!r} * n",
            lambda n: before * (n // 2 // len(before)) + repeated * (n // 2 // size),
        )
        yield (
            f"({before!r} + {repeated!r} * 50) * n",
            lambda n: (before + repeated * 50) * (n // len(before + repeated * 50) + 1),
        )


def _pumps(tree: Any, before: str) -> Iterator[Pump]:
    """Yield the parts of a parsed pattern that repeat, each with a text that leads to it."""
    for code, value in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            least, most, body = value
            if most > 9:
                for repeated in _samples(body):
                    if repeated:
                        yield Pump(before, repeated)
            yield from _pumps(body, before)
            before += _sample(body) * max(least, 0)
            continue
        for inner in _inner(code, value):
            yield from _pumps(inner, before)
        before += _sample([(code, value)])


def _inner(code: Any, value: Any) -> list[Any]:
    """Return the parsed patterns inside of a part."""
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return list(value[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    if code is codes.ATOMIC_GROUP:
        return [value]
    if code is codes.GROUPREF_EXISTS:
        return [part for part in value[1:] if part]
    return []


def _sample(tree: Any) -> str:
    """Return a short text that a parsed pattern matches, if lookarounds are left out."""
    return next(filter(None, _samples(tree)), "")  # not the beginning of a text, if there is more


def _samples(tree: Any) -> list[str]:
    """Return a few texts that a parsed pattern matches: its alternatives, its characters."""
    found = [""]
    for code, value in tree:
        found = [text + more for text in found for more in _samples_of(code, value)][:6]
    return found


def _samples_of(code: Any, value: Any) -> list[str]:
    if code is codes.LITERAL:
        return [chr(value)]
    if code is codes.NOT_LITERAL:
        return [character for character in _ALPHABET if ord(character) != value][:3]
    if code is codes.ANY:
        return ["a", " ", "<"]
    if code is codes.IN:
        return _in_set(value)
    if code is codes.BRANCH:
        return [text for branch in value[1] for text in _samples(branch)[:2]][:6]
    if code is codes.SUBPATTERN:
        return _samples(value[3])
    if code is codes.ATOMIC_GROUP:
        return _samples(value)
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        least, _, body = value
        return [text * max(least, 1) for text in _samples(body)] + ([""] if least == 0 else [])
    return [""]


def _in_set(items: Any) -> list[str]:
    """Return a few characters of a set."""
    pattern = re.compile(r"(?s:.)")
    found = [character for character in _ALPHABET if _is_in(items, character)]
    for code, value in items:
        first = value if code is codes.LITERAL else value[0] if code is codes.RANGE else None
        if first is not None and _is_in(items, chr(first)) and pattern.match(chr(first)):
            found.append(chr(first))
    return list(dict.fromkeys(found))[:4]


_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    codes.CATEGORY_DIGIT: str.isdigit,
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_WORD: lambda character: character.isalnum() or character == "_",
    codes.CATEGORY_NOT_DIGIT: lambda character: not character.isdigit(),
    codes.CATEGORY_NOT_SPACE: lambda character: not character.isspace(),
    codes.CATEGORY_NOT_WORD: lambda character: not character.isalnum() and character != "_",
}


def _is_in(items: Any, character: str) -> bool:
    is_negated = bool(items) and items[0][0] is codes.NEGATE
    for code, value in items:
        is_hit = (
            (code is codes.LITERAL and ord(character) == value)
            or (code is codes.RANGE and value[0] <= ord(character) <= value[1])
            or (code is codes.CATEGORY and _CATEGORIES[value](character))
        )
        if is_hit:
            return not is_negated
    return is_negated


# --- growth --------------------------------------------------------------------------------------


def _try(name: str, use: str, act: Callable[[Any], object], attack: Attack) -> Finding | None:
    """Return a finding if an attack takes superlinear time; for bounded ones, if it takes long."""
    if name in BOUNDED:
        length = BOUNDED[name]
        seconds = _seconds(act, attack.make(length))
        is_long = seconds > MOST_SECONDS
        return Finding(name, use, math.nan, seconds, length, attack.words) if is_long else None
    seconds = 0.0
    for length in (*SHORT, LENGTH):
        seconds = _seconds(act, attack.make(length))
        if seconds > HOPELESS:
            return Finding(name, use, math.inf, seconds, length, attack.words)
    if seconds < SLOW:
        return None
    exponent = _exponent(act, attack)
    if exponent > STEEPEST:  # measure again: other programs run here too
        exponent = min(exponent, _exponent(act, attack))
    if exponent <= STEEPEST:
        return None
    return Finding(name, use, exponent, seconds, LENGTH, attack.words)


def _exponent(act: Callable[[Any], object], attack: Attack) -> float:
    """Return the exponent of the growth from LENGTH / 2 to LENGTH characters, or past it."""
    short, middle, long = (
        min(_seconds(act, attack.make(length)) for _ in range(2))
        for length in (LENGTH // 2, LENGTH, 2 * LENGTH)
    )
    return min(math.log2(middle / short), math.log2(long / middle))


def _seconds(act: Callable[[Any], object], text: Text) -> float:
    begin = time.process_time()
    act(text)
    return time.process_time() - begin


if __name__ == "__main__":
    for found in patterns():
        for one in pump(found):
            print(one, flush=True)
