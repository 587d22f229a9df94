"""The grammar of expressions: text such as `series(lqf(quota=0.5), cetd)` to a tree of calls.

    call      NAME [ "(" [ argument { "," argument } [ "," ] ] ")" ]
    argument  call  |  OPTION "=" value
    value     number | quoted text | True | False | None | "(" values ")" | "[" values "]"

Names are of ASCII letters, digits, `-` and `_`, upper or lower case alike. Values are written as in
Python. Which names there are, and what they take, is not known here. Length and depth are bounded,
so any text is refused or read in a moment.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from thresher.errors import UsageError

LONGEST = 100_000  # characters; what anyone means is far shorter
DEEPEST = 16  # calls, or values, inside each other


@dataclass(frozen=True, slots=True)
class Call:
    """A name with what stands between its parentheses."""

    name: str  # in lower case
    parts: tuple[Call, ...]
    options: dict[str, Any]


def parse_call(text: str) -> Call:
    """Return the call that an expression describes."""
    if not isinstance(text, str):
        raise UsageError(f"{text!r} is no expression: give a text such as 'bte'.")
    if len(text) > LONGEST:
        raise UsageError(
            f"cannot read the method {_shown(text)}: it has {len(text):,} characters, write at "
            f"most {LONGEST:,}."
        )
    return _Parser(text).whole()


class _Token(NamedTuple):
    kind: str  # name, number, text, mark, or end
    text: str
    at: int  # offset in the expression


# Only escapes that Python knows, so that it has nothing to warn of.
_HEX = "[0-9a-fA-F]"
_ESCAPE = rf"""\\(?:['"\\nrt]|x{_HEX}{{2}}|u{_HEX}{{4}}|U00(?:0{_HEX}|10){_HEX}{{4}})"""
_TOKEN = re.compile(
    rf"""(?P<name>[A-Za-z_][A-Za-z0-9_-]{{0,49}}+)
    |(?P<number>[-+]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+(?![\w.]))
    |(?P<text>'(?:[^'\\\n]|{_ESCAPE})*+'|"(?:[^"\\\n]|{_ESCAPE})*+")
    |(?P<mark>[(),=\[\]])""",
    re.X,
)
_SPACE = re.compile(r"\s*+")
_CONSTANTS = {"True": True, "False": False, "None": None}


def _shown(text: str) -> str:
    """The beginning of an expression, on one line of ASCII."""
    return ascii(text if len(text) <= 60 else f"{text[:60]}...")[:300]


class _Parser:
    """Reads an expression from left to right, one token ahead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._tokens()
        self.next = next(self.tokens)

    def _tokens(self) -> Iterator[_Token]:
        at = _space_after(self.text, 0)
        while at < len(self.text):
            found = _TOKEN.match(self.text, at)
            if found is None or found.lastgroup is None:
                self._refuse(at, _advice(self.text[at]))
            yield _Token(found.lastgroup, found[0], at)
            at = _space_after(self.text, found.end())
        yield _Token("end", "", at)

    def _refuse(self, at: int, advice: str) -> NoReturn:
        where = f" at character {at + 1:,}" if self.text.strip() else ""
        raise UsageError(f"cannot read the method {_shown(self.text)}{where}: {advice}.")

    def _take(self) -> _Token:
        token = self.next
        if token.kind != "end":
            self.next = next(self.tokens)
        return token

    def _takes(self, mark: str) -> bool:
        """Take the next token if it is this mark."""
        if self.next.kind != "mark" or self.next.text != mark:
            return False
        self._take()
        return True

    def _expected(self, what: str) -> NoReturn:
        ended = self.next.kind == "end"
        found = "it ends too early" if ended else f"found {_shown(self.next.text)}"
        self._refuse(self.next.at, f"{found}, write {what}")

    def whole(self) -> Call:
        """Read a call and nothing after it."""
        if self.next.kind != "name":
            self._expected("a name such as bte, with options such as cetd(threshold='path')")
        call = self._call(self._take(), 1)
        if self.next.kind != "end":
            self._expected("one method, or combine several as in union(bte, cetd)")
        return call

    def _call(self, name: _Token, depth: int) -> Call:
        """Read what follows a name."""
        parts: list[Call] = []
        options: dict[str, Any] = {}
        if depth > DEEPEST:
            self._refuse(name.at, f"it is nested too deep, use at most {DEEPEST} levels")
        if self._takes("("):
            while not self._takes(")"):
                self._argument(parts, options, depth)
                if not self._takes(",") and self.next.text != ")":
                    self._expected("a comma or a closing parenthesis")
        return Call(name.text.lower(), tuple(parts), options)

    def _argument(self, parts: list[Call], options: dict[str, Any], depth: int) -> None:
        """Read a part, or an option with its value."""
        if self.next.kind != "name":
            self._expected("an option with its name, such as threshold='path', or a method")
        name = self._take()
        if not self._takes("="):
            parts.append(self._call(name, depth + 1))
            return
        if name.text in options:
            self._refuse(name.at, f"{name.text} is given twice, give it once")
        options[name.text] = self._value(name.text, 1)

    def _value(self, option: str, depth: int) -> Any:
        """Read a value as Python writes it."""
        at = self.next.at
        if depth > DEEPEST:
            self._refuse(at, f"it is nested too deep, use at most {DEEPEST} levels")
        for opening, closing, kind in (("(", ")", tuple), ("[", "]", list)):
            if self._takes(opening):
                return kind(self._values(option, closing, depth))
        if self.next.kind == "name" and self.next.text not in _CONSTANTS:
            self._refuse(at, f"put words in quotes, as in {option}={_shown(self.next.text)}")
        if self.next.kind in ("mark", "end"):
            self._expected(f"a number or a quoted word after {option}=")
        token = self._take()
        try:
            return _literal(token)
        except (ValueError, SyntaxError):  # too many digits, half a character
            self._refuse(at, f"{option} has a value that cannot be used, give another")

    def _values(self, option: str, closing: str, depth: int) -> list[Any]:
        """Read the values of a list or tuple; parentheses around one value make a tuple too."""
        values: list[Any] = []
        while not self._takes(closing):
            values.append(self._value(option, depth + 1))
            if not self._takes(",") and self.next.text != closing:
                self._expected(f"a comma or {closing}")
        return values


def _space_after(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _advice(character: str) -> str:
    if character in "'\"":
        return "close the quotes, and write a backslash twice"
    if character in "|&":
        return "combine methods as in union(bte, cetd) or intersection(bte, cetd)"
    return f"{_shown(character)} has no meaning here, write names, options and parentheses"


def _literal(token: _Token) -> Any:
    if token.kind == "name":
        return _CONSTANTS[token.text]
    if token.kind == "text":
        return ast.literal_eval(token.text)
    is_whole = token.text.lstrip("+-").isdecimal()
    return int(token.text) if is_whole else float(token.text)
