"""Modules of this package that also run compiled.

A file `_name.pxd` has types for the module `name.py` beside it. When Thresher is built, Cython
compiles that module, as it is, to `_name`. So both versions have one source, and give the same
output. What takes most of the time is written apart, as `_name.pyx`: the passes over the rows of a
page (`_kept`), the tree, the normal form, HTML, Markdown, and loops over characters (`_scan`).
At its end, `name.py` takes its public names from the compiled version, if that is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from thresher.page.core import COMPILED


def use_compiled(module: dict[str, Any], *names: str) -> None:
    """Replace these names of a module, given as its `globals()`, by those of its compiled version.

    Nothing is done if the plain version is used, or in the compiled version itself.
    """
    package, _, name = module["__name__"].rpartition(".")
    compiled = f"{package}._{name}"
    if COMPILED and not name.startswith("_"):
        other = import_module(compiled)
        module.update({each: getattr(other, each) for each in names})
