"""The registry: every method by name. To add one, write its module and add a line to `_CLASSES`.

A method is a frozen dataclass, callable from a page to a selection; its fields are its options.
How methods are written as text, and combined, is told in `thresher.combine`.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from difflib import get_close_matches
from typing import Any

from thresher.errors import UsageError
from thresher.methods.blockextractor import BlockExtractor
from thresher.methods.boilerpipe import Boilerpipe
from thresher.methods.bte import BTE
from thresher.methods.ccb import ACCB, CCB, TCCB
from thresher.methods.cetd import CETD
from thresher.methods.cetr import CETR
from thresher.methods.content_seeker import ContentSeeker
from thresher.methods.crf import CRF, MaxEnt
from thresher.methods.crunch import Crunch
from thresher.methods.danag import DANA, R2L, AdDANAg, DANAg
from thresher.methods.default.extractor import Default
from thresher.methods.density import Density
from thresher.methods.dsc import DSC
from thresher.methods.fe import FE, KFE
from thresher.methods.gswce import GSWCE
from thresher.methods.lqf import LQF
from thresher.methods.mantratzis import Mantratzis
from thresher.methods.mss import MSS
from thresher.methods.plain import Plain
from thresher.methods.wlr.ratios import CLR, CNR, WLR, WNR
from thresher.page import Method

_CLASSES: dict[str, type[Any]] = {
    "accb": ACCB,
    "addanag": AdDANAg,
    "blockextractor": BlockExtractor,
    "boilerpipe": Boilerpipe,
    "bte": BTE,
    "ccb": CCB,
    "cetd": CETD,
    "cetr": CETR,
    "clr": CLR,
    "cnr": CNR,
    "content-seeker": ContentSeeker,
    "crf": CRF,
    "crunch": Crunch,
    "dana": DANA,
    "danag": DANAg,
    "default": Default,
    "density": Density,
    "dsc": DSC,
    "fe": FE,
    "gswce": GSWCE,
    "k-fe": KFE,
    "lqf": LQF,
    "mantratzis": Mantratzis,
    "maxent": MaxEnt,
    "mss": MSS,
    "plain": Plain,
    "r2l": R2L,
    "tccb": TCCB,
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
                f"option {option} of {name} cannot be {_shown(value)}: "
                f"give something like {known[option]!r}."
            )
    method: Method = _CLASSES[name](**chosen)
    return method


_LARGEST = 10**15  # of whole numbers; what is of use is far smaller


def _shown(value: object) -> str:
    return "so large" if type(value) is int and abs(value) > _LARGEST else repr(value)


def _fits(value: object, default: object) -> bool:
    """Tell whether a value is of the kind of the default; a whole number will do for a float."""
    if type(value) is int and abs(value) > _LARGEST:
        return False
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


def name_of(method: Method) -> str | None:
    """Return the name of a method, whatever its options; None for one that is not of here."""
    return next((name for name, kind in _CLASSES.items() if type(method) is kind), None)
