"""The grammar of expressions: text such as `series(lqf(quota=0.5), cetd)` to a tree of calls.

    call      NAME [ "(" [ argument { "," argument } [ "," ] ] ")" ]
    argument  call  |  OPTION "=" value
    value     number | quoted text | True | False | None | "(" values ")" | "[" values "]"

A name has at most 50 ASCII letters, digits, `-` and `_`; the case of method names is ignored.
Values are written as in Python, and parentheses may group. This module does not know which names
exist or which options they take.

The text is split into tokens, translated to a Python expression and parsed by `ast`, which is never
evaluated. In the translation every name begins with "_", so that it is no keyword, has "·" for "-",
and "=" is ":=", so that options and parts may come in any order. Length and depth are limited and
two values in a row are refused before `ast` is called, so that any text is read or refused quickly.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect
from dataclasses import dataclass
from typing import Any, NoReturn

from thresher.errors import UsageError

LONGEST = 100_000  # characters of an expression
DEEPEST = 16  # levels of nested calls, and of nested values


@dataclass(frozen=True, slots=True)
class Call:
    """A name with the arguments between its parentheses."""

    name: str  # in lower case
    parts: tuple[Call, ...]
    options: dict[str, Any]


def parse_call(text: str) -> Call:
    """Return the call that an expression describes."""
    if not isinstance(text, str):
        raise UsageError(f"{text!r} is not an expression: give text such as 'bte'.")
    if len(text) > LONGEST:
        raise UsageError(
            f"cannot read the method {_beginning(text)}: it has {len(text):,} characters, write at "
            f"most {LONGEST:,}."
        )
    return _Parser(text).parse()


# Escapes are those that Python knows; quoted text has no null, line end or lone surrogate.
_HEX = "[0-9a-fA-F]"
_ESCAPE = rf"""\\(?:['"\\nrt]|x{_HEX}{{2}}|u{_HEX}{{4}}|U00(?:0{_HEX}|10){_HEX}{{4}})"""
_PLAIN = r"\\\0\n\r\ud800-\udfff"
_TOKEN = re.compile(
    rf"""\s*+(?:(?P<name>[A-Za-z_][A-Za-z0-9_-]{{0,49}}+(?![A-Za-z0-9_-]))
    |(?P<number>[-+]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+(?![\w.]))
    |(?P<text>'(?:[^'{_PLAIN}]|{_ESCAPE})*+'|"(?:[^"{_PLAIN}]|{_ESCAPE})*+")
    |(?P<mark>[(),=\[\]])
    |(?P<end>\Z))""",
    re.X,
)
_MOST_DIGITS = 4_000  # Python reads at most 4,300
_CONSTANTS = ("True", "False", "None")
_HYPHEN = "·"  # may be in a Python name, and cannot be in a name of an expression


def _beginning(text: str) -> str:
    """Return the beginning of an expression on one line, in quotes."""
    return repr(text if len(text) <= 60 else f"{text[:60]}...")[:300]


class _Parser:
    """Parses one expression and reports errors at their offset in its text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.offsets: list[int] = []  # of each token in `text`
        self.columns: list[int] = []  # of each token in the translation
        self.python = self._translate()

    def parse(self) -> Call:
        """Return the call, or raise `UsageError` with a sentence."""
        try:
            tree = ast.parse(self.python, mode="eval").body
        except SyntaxError as error:
            self._refuse(
                self._offset_of((error.offset or 1) - 1),
                "write a name such as bte, with options such as cetd(threshold='path')",
            )
        if isinstance(tree, ast.Tuple):
            self._refuse_node(tree, "write one method, or combine several as in union(bte, cetd)")
        return self._call(tree, 1)

    def _refuse(self, offset: int, advice: str) -> NoReturn:
        raise UsageError(
            f"cannot read the method {_beginning(self.text)} at character {offset + 1:,}: {advice}."
        )

    def _refuse_node(self, node: ast.expr, advice: str) -> NoReturn:
        before = self.python.encode()[: node.col_offset]  # `ast` counts bytes
        self._refuse(self._offset_of(len(before.decode())), advice)

    def _offset_of(self, column: int) -> int:
        """Return the offset in the text of the token at a column of the translation."""
        return self.offsets[max(bisect(self.columns, column) - 1, 0)]

    # --- to Python ---------------------------------------------------------------------------

    def _translate(self) -> str:
        """Return the expression as Python, its tokens joined by single spaces."""
        if not self.text.strip():
            raise UsageError("the method is empty: give a name such as bte.")
        translated: list[str] = []
        opened: list[tuple[str, int]] = []  # parentheses and brackets not yet closed, with offsets
        offset = column = 0
        before = ["", "", ""]  # the last three tokens
        while True:
            match = _TOKEN.match(self.text, offset)
            if match is None or match.lastgroup is None:
                offset += len(self.text[offset:]) - len(self.text[offset:].lstrip())
                self._refuse(offset, _advice(self.text[offset:]))
            kind, token = match.lastgroup, match[match.lastgroup]
            self.offsets.append(start := match.start(kind))
            self.columns.append(column)
            if advice := _advice_in_order(kind, token, before, len(opened)):
                self._refuse(start, advice)
            self._match_brackets(token, start, opened)
            if kind == "end":
                return " ".join(translated)
            python = _to_python(kind, token)
            translated.append(python)
            column += len(python) + 1
            before = [*before[1:], token]
            offset = match.end()

    def _match_brackets(self, token: str, start: int, opened: list[tuple[str, int]]) -> None:
        """Update `opened`, the brackets not yet closed; refuse a token that does not fit them."""
        if token in ("(", "["):
            opened.append((token, start))
            if len(opened) > 2 * DEEPEST:
                self._refuse(start, _TOO_DEEP)
        elif token in (")", "]"):
            if not opened:
                self._refuse(start, f"remove {token!r}, which closes nothing")
            if (closing := _CLOSING[opened.pop()[0]]) != token:
                self._refuse(start, f"write {closing!r} in place of {token!r}")
        elif not token and opened:  # the end
            bracket, offset = opened[-1]
            self._refuse(offset, f"close it with {_CLOSING[bracket]!r}")

    # --- from the syntax tree ----------------------------------------------------------------

    def _call(self, node: ast.expr, depth: int) -> Call:
        """Return the call of a node."""
        name, arguments = (node.func, node.args) if isinstance(node, ast.Call) else (node, [])
        if not isinstance(name, ast.Name):
            self._refuse_node(
                node, "write a method, or an option with its name such as threshold='path'"
            )
        if depth > DEEPEST:
            self._refuse_node(node, _TOO_DEEP)
        parts: list[Call] = []
        options: dict[str, Any] = {}
        for argument in arguments:
            if not isinstance(argument, ast.NamedExpr):
                parts.append(self._call(argument, depth + 1))
                continue
            option = _from_python(argument.target)
            if option in options:
                self._refuse_node(argument, f"{option} is given twice, give it once")
            options[option] = self._value(option, argument.value)
        return Call(_from_python(name).lower(), tuple(parts), options)

    def _value(self, option: str, node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            self._refuse_node(node, _advice_on_word(option, _from_python(node)))
        if isinstance(node, ast.Call):
            self._refuse_node(node, f"write a method without {option}= before it")
        try:
            return ast.literal_eval(node)
        except ValueError:
            self._refuse_node(node, f"give {option} a number or quoted text")


_CLOSING = {"(": ")", "[": "]"}
_TOO_DEEP = f"it is nested too deep, use at most {DEEPEST} levels"


def _to_python(kind: str, token: str) -> str:
    if kind == "name":
        return token if token in _CONSTANTS else f"_{token.replace('-', _HYPHEN)}"
    if kind == "number":
        return re.sub(r"^([-+]?)0+(?=[0-9])", r"\1", token)  # Python refuses 007
    return ":=" if token == "=" else token


def _from_python(name: ast.Name) -> str:
    return name.id[1:].replace(_HYPHEN, "-")


def _advice_in_order(kind: str, token: str, before: list[str], depth: int) -> str:
    """Return what is wrong with a token after the tokens before it; "" if nothing is."""
    last = before[-1]
    is_name = last[:1].isalpha() or last[:1] == "_"
    if kind == "number" and len(token) > _MOST_DIGITS:
        return f"write at most {_MOST_DIGITS:,} digits"
    if last == "=" and (token in ("=", ",", ")", "]") or kind == "end"):
        return "write = once" if token == "=" else f"give {before[-2]} a value"
    if token == "," and last in ("", "(", "[", ","):
        return "remove a comma"
    if token == "=":
        return _advice_on_equals(is_name, before, depth)
    is_call = token == "(" and is_name
    after_value = last not in ("", "(", "[", ",", "=")
    if after_value and not is_call and token not in (",", ")", "]", ""):
        if depth == 0 and token != "(":
            return "put parts and options in parentheses, as in union(bte, cetd)"
        return f"write a comma before {_beginning(token)}"
    return ""


def _advice_on_equals(is_name: bool, before: list[str], depth: int) -> str:
    if not is_name or before[-1] in _CONSTANTS:
        return "write the name of an option before ="
    if before[-2] == "=":
        return f"give {before[-3]} one value"
    return "" if depth else "put options in parentheses, as in cetd(threshold='path')"


def _advice_on_word(option: str, word: str) -> str:
    """Return what to write in place of a word without quotes that is the value of an option."""
    if word.lower() in ("nan", "inf", "infinity"):
        return f"give {option} a number in digits"
    if word.title() in _CONSTANTS:
        return f"write {option}={word.title()}"
    return f"put words in quotes, as in {option}={word!r}, or write a method without {option}="


def _advice(rest: str) -> str:
    """Return what is wrong at the beginning of text that is no token."""
    character = rest[0]
    if character in "'\"":
        return "close the quotes, and write a backslash twice"
    if character in "‘’‚‛“”„‟«»":
        return f"write straight quotes, ' or \", in place of {character}"
    if character in "|&":
        return "combine methods as in union(bte, cetd) or intersection(bte, cetd)"
    if re.match(r"[-+.]?[0-9]", rest):
        return "write numbers in decimal digits, as in 1000 or 0.5"
    if re.match("[A-Za-z_]", rest):
        return "a name has at most 50 characters, write a shorter one"
    code = "" if character.isascii() else f" (U+{ord(character):04X})"
    return f"{character!r}{code} has no meaning here, write names, options and parentheses"
