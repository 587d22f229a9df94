"""Thresher extracts the main content of web pages.

>>> import thresher
>>> thresher.extract("<h1>Tea</h1><p>Steep it just off the boil, for three minutes.</p>").text
'Tea\\n\\nSteep it just off the boil, for three minutes.'
"""

from typing import TYPE_CHECKING, Any

from thresher import methods
from thresher.document import Block, Document, extract
from thresher.errors import FetchError, InputError, ThresherError, UsageError
from thresher.fetch import Fetched, fetch
from thresher.page import Method, Page, Selection
from thresher.page.parse import Limits, parse
from thresher.render.options import Include

if TYPE_CHECKING:
    from thresher.methods import combine
    from thresher.methods.combine import intersection, series, union, vote
    from thresher.page import Position
    from thresher.site import Site, learn

    __version__: str

__all__ = [
    "Block",
    "Document",
    "FetchError",
    "Fetched",
    "Include",
    "InputError",
    "Limits",
    "Method",
    "Page",
    "Position",
    "Selection",
    "Site",
    "ThresherError",
    "UsageError",
    "__version__",
    "combine",
    "extract",
    "fetch",
    "intersection",
    "learn",
    "methods",
    "parse",
    "series",
    "union",
    "vote",
]

_MODULES = {  # of the names that are imported when they are first used
    "Position": "thresher.page.positions",
    "Site": "thresher.site",
    "combine": "thresher.methods.combine",
    "intersection": "thresher.methods.combine",
    "learn": "thresher.site",
    "series": "thresher.methods.combine",
    "union": "thresher.methods.combine",
    "vote": "thresher.methods.combine",
}


def __getattr__(name: str) -> Any:
    """Return a name that takes long to import, or the version."""
    import importlib.metadata

    if name == "__version__":
        value: Any = importlib.metadata.version("thresher")
    elif name in _MODULES:
        module = importlib.import_module(_MODULES[name])
        value = module if _MODULES[name].endswith(f".{name}") else getattr(module, name)
    else:
        raise AttributeError(f"module 'thresher' has no attribute {name!r}")
    globals()[name] = value
    return value
