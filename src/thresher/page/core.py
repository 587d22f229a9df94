"""Which version of the kernels runs: compiled or plain.

The kernels are Cython modules beside the Python modules that they speed up. Without a C compiler
they are missing, and the plain version of each runs, which is also its definition. The environment
variable `THRESHER_CORE` may be `plain` to use the plain versions, or `compiled` for a warning if
the others are missing; it is read when Thresher is imported.
"""

from __future__ import annotations

import os
import warnings
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

_KERNELS = (
    "thresher.page._walk",
    "thresher.page._arrays",
    "thresher.page._views",
    "thresher.page.plain_text._text",
    "thresher.metadata._search",
    "thresher.methods.default.features._features",
    "thresher.methods.default._keep",
    "thresher.methods.model._trees",
    "thresher.render._kept",
    "thresher.render._scan",
    "thresher.render._tree",
    "thresher.render._kept_tree",
    "thresher.render._maths",
    "thresher.render._images",
    "thresher.render._code",
    "thresher.render._normal_form",
    "thresher.render._html",
    "thresher.render.markdown._lines",
    "thresher.render.markdown._writer",
    "thresher.render.tei._writer",
)  # of one build: all of them are there, or none


def _is_compiled() -> bool:
    wanted = os.environ.get("THRESHER_CORE", "")
    is_there = all(map(_is_built, _KERNELS))
    if wanted not in ("", "plain", "compiled"):
        warnings.warn(
            f"THRESHER_CORE is {wanted!r} and has no effect: give plain or compiled.", stacklevel=2
        )
    if wanted == "compiled" and not is_there:
        warnings.warn(
            "THRESHER_CORE is compiled, but the kernels were not built, so the plain version runs: "
            "install a C compiler, then Thresher again.",
            stacklevel=2,
        )
    return is_there and wanted != "plain"


def _is_built(kernel: str) -> bool:
    """Return whether the file of a kernel is there; importing it would import its package."""
    path = Path(__file__).parents[2].joinpath(*kernel.split("."))
    return any(path.with_name(path.name + suffix).exists() for suffix in EXTENSION_SUFFIXES)


COMPILED = _is_compiled()
