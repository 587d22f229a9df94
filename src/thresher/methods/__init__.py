"""The registry: every method by name. To add one, write its module and add a line to `_CLASSES`.

A method is a frozen dataclass, callable from a page to a selection; its fields are its options.
As text it is written as the call that makes it: `cetd(threshold="path")`.
"""

from __future__ import annotations

import ast
import re
from dataclasses import MISSING, fields
from difflib import get_close_matches
from typing import Any

from thresher.errors import UsageError
from thresher.methods.bte import BTE
from thresher.methods.cetd import CETD
from thresher.methods.danag import AdDANAg, DANAg
from thresher.methods.dsc import DSC
from thresher.methods.lqf import LQF
from thresher.methods.plain import Plain
from thresher.methods.wlr import CLR, CNR, WLR, WNR
from thresher.page import Method

__all__ = ["get", "names", "options", "read", "write"]

_CLASSES: dict[str, type[Any]] = {
    "addanag": AdDANAg,
    "bte": BTE,
    "cetd": CETD,
    "clr": CLR,
    "cnr": CNR,
    "danag": DANAg,
    "dsc": DSC,
    "lqf": LQF,
    "plain": Plain,
    "wlr": WLR,
    "wnr": WNR,
}


def names() -> list[str]:
    """Return the names of all methods."""
    return sorted(_CLASSES)


def get(name: str, /, **chosen: object) -> Method:
    """Make a method by name, with options: `get("cetd", threshold="path")`."""
    known = options(name)
    for option, value in chosen.items():
        if option not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise UsageError(f"method {name} has no option {option!r}: {has}.")
        if not _fits(value, known[option]):
            raise UsageError(
                f"option {option} of {name} cannot be {value!r}: "
                f"give something like {known[option]!r}."
            )
    method: Method = _CLASSES[name](**chosen)
    return method


def _fits(value: object, default: object) -> bool:
    """Tell whether a value is of the kind of the default; a whole number will do for a float."""
    if isinstance(value, bool) or isinstance(default, bool):
        return isinstance(value, bool) and isinstance(default, bool)
    return isinstance(value, int | float if isinstance(default, float) else type(default))


def options(name: str) -> dict[str, Any]:
    """Return the options of a method with their defaults."""
    if name not in _CLASSES:
        near = get_close_matches(name, names(), 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names())}."
        raise UsageError(f"no method {name!r}: {hint}")
    return {f.name: f.default for f in fields(_CLASSES[name]) if f.default is not MISSING}


def write(method: Method) -> str:
    """Return the expression that makes a method, with the options that differ from the defaults."""
    for name, kind in _CLASSES.items():
        if type(method) is kind:
            given = [
                f"{option}={getattr(method, option)!r}"
                for option, default in options(name).items()
                if getattr(method, option) != default
            ]
            return f"{name}({', '.join(given)})" if given else name
    return repr(method)


_LONGEST = 1_000  # characters; a method with all its options is far shorter
_CALL = re.compile(r"([a-z0-9][a-z0-9-]*)\s*(?:\((.*)\))?", re.I | re.S)


def read(expression: str) -> Method:
    """Make the method that an expression such as `cetd(threshold="path")` describes."""
    match = _CALL.fullmatch(expression.strip()) if len(expression) <= _LONGEST else None
    if match is None:
        raise _unreadable(expression)
    try:
        chosen = _literals(match[2] or "")
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError) as error:
        raise _unreadable(expression) from error
    return get(match[1].lower(), **chosen)


def _literals(inner: str) -> dict[str, object]:
    """Return the options between the parentheses; anything but `name=literal` is an error."""
    call = ast.parse(f"_({inner})", mode="eval").body
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
        raise ValueError("not one list of options")
    chosen = {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}
    if len(chosen) < len(call.keywords):
        raise ValueError("an option without a name, or one given twice")
    return chosen


def _unreadable(expression: str) -> UsageError:
    return UsageError(
        f"cannot read the method {expression[:80]!r}: write a name, or a name with options such "
        'as cetd(threshold="path").'
    )
