"""The registry: every method by name.

To add a method, write its module and add one line to `METHODS`. A method is a frozen dataclass that
can be called with a page and returns a selection; its fields are its options
(`thresher.methods.common.option_checks`). Modules are imported when a method is first used.
`thresher.methods.combine` reads and writes methods as text and combines them.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from importlib import import_module
from typing import Any

from thresher.errors import UsageError
from thresher.page import Method

METHODS = {  # name: "module in thresher.methods:class"
    "accb": "ccb:ACCB",
    "addanag": "danag:AdDANAg",
    "blockextractor": "blockextractor:BlockExtractor",
    "boilerpipe": "boilerpipe:Boilerpipe",
    "bte": "bte:BTE",
    "ccb": "ccb:CCB",
    "cetd": "cetd:CETD",
    "cetr": "cetr:CETR",
    "clr": "wlr.ratios:CLR",
    "cnr": "wlr.ratios:CNR",
    "content-seeker": "content_seeker:ContentSeeker",
    "crf": "crf:CRF",
    "crunch": "crunch:Crunch",
    "dana": "danag:DANA",
    "danag": "danag:DANAg",
    "default": "default.judge:Default",
    "density": "density:Density",
    "dsc": "dsc:DSC",
    "fe": "fe:FE",
    "gswce": "gswce:GSWCE",
    "k-fe": "fe:KFE",
    "lqf": "lqf:LQF",
    "mantratzis": "mantratzis:Mantratzis",
    "maxent": "crf:MaxEnt",
    "memm": "crf:MEMM",
    "mss": "mss:MSS",
    "plain": "plain:Plain",
    "r2l": "danag:R2L",
    "similarity": "similarity:Similarity",
    "tccb": "ccb:TCCB",
    "wlr": "wlr.ratios:WLR",
    "wnr": "wlr.ratios:WNR",
}

_PACKAGE = "thresher.methods"


def names() -> list[str]:
    """Return the names of all methods, sorted."""
    return sorted(METHODS)


def get(name: str, /, **chosen: object) -> Method:
    """Return a method by name, with options: `get("cetd", threshold="path")`."""
    known = options(name)
    for option in chosen:
        if option not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise UsageError(f"method {name} has no option {option!r}: {has}.")
    method: Method = _class_of(name)(**chosen)
    return method


def options(name: str) -> dict[str, Any]:
    """Return the options of a method with their defaults."""
    return {
        field.name: field.default
        for field in fields(_class_of(name))
        if field.default is not MISSING
    }


def name_of(method: Method) -> str | None:
    """Return the name of a method, whatever its options; None if it is not in the registry."""
    path = f"{type(method).__module__}:{type(method).__name__}"
    return next((name for name in METHODS if path == f"{_PACKAGE}.{METHODS[name]}"), None)


def unknown_method(name: str, known: list[str]) -> UsageError:
    """Return the error for a name that is not among the known ones."""
    bare = name.partition("(")[0].strip().lower()
    if bare != name and bare in known:
        return UsageError(f"{name!r} has options: give the name alone, {bare}.")
    from difflib import get_close_matches  # only errors need it

    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
    return UsageError(f"no method {name!r}: {hint}")


def _class_of(name: str) -> type[Any]:
    if name not in METHODS:
        raise unknown_method(name, names())
    module, _, class_name = METHODS[name].partition(":")
    found: type[Any] = getattr(import_module(f"{_PACKAGE}.{module}"), class_name)
    return found
