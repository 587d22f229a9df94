"""The segmenters by name, and expressions such as `seam(alpha=0.5)`."""

from __future__ import annotations

import ast
from dataclasses import fields
from typing import Any

from thresher.errors import UsageError
from thresher.visual.area_cut import AreaCut
from thresher.visual.seam import Seam
from thresher.visual.segments import Segmenter
from thresher.visual.vips import Vips

SEGMENTERS: dict[str, type[Any]] = {"areacut": AreaCut, "seam": Seam, "vips": Vips}
DEFAULT = "areacut"  # the best of them on segments-random, see docs/segmentation.md


def get(name: str, **options: object) -> Segmenter:
    """Return the segmenter of a name with the given options, the others as they are by default."""
    if name not in SEGMENTERS:
        raise UsageError(f"no segmenter {name!r}: there are {', '.join(SEGMENTERS)}.")
    known = [field.name for field in fields(SEGMENTERS[name])]
    unknown = [option for option in options if option not in known]
    if unknown:
        raise UsageError(f"{name} has no option {unknown[0]}: it has {', '.join(known)}.")
    found: Segmenter = SEGMENTERS[name](**options)
    return found


def read(expression: str, **options: object) -> Segmenter:
    """Return the segmenter of an expression: a name, or `name(option=value, ...)`.

    `options` are added to those of the expression.
    """
    unreadable = UsageError(
        f"cannot read {expression[:60]!r}: write a name, or as in 'seam(alpha=0.5)'."
    )
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
        if isinstance(tree, ast.Call) and not tree.args:
            given = {str(each.arg): ast.literal_eval(each.value) for each in tree.keywords}
            tree, options = tree.func, given | options
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise unreadable from error
    if not isinstance(tree, ast.Name):
        raise unreadable
    return get(tree.id, **options)


def written(segmenter: Any) -> str:
    """Return a segmenter as an expression with all of its options, which `read` reads."""
    names = {kind: name for name, kind in SEGMENTERS.items()}
    options = (f"{field.name}={getattr(segmenter, field.name)!r}" for field in fields(segmenter))
    return f"{names[type(segmenter)]}({', '.join(options)})"
