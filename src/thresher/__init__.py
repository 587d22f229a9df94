"""Thresher extracts the main content of web pages.

>>> import thresher
>>> thresher.extract("<h1>Tea</h1><p>Steep it just off the boil, for three minutes.</p>").text
'Tea\\n\\nSteep it just off the boil, for three minutes.'
"""

from importlib.metadata import version as _version

from thresher import methods
from thresher.document import Block, Document, extract
from thresher.errors import FetchError, InputError, ThresherError, UsageError
from thresher.fetch import Fetched, fetch
from thresher.methods import combine
from thresher.methods.combine import intersection, series, union, vote
from thresher.page import Method, Page, Position, Selection
from thresher.page.parse import Limits, parse
from thresher.render import Include
from thresher.site import Site, learn

__version__ = _version("thresher")

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
