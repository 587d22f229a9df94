"""Methods: callables that take a `Page` and return a `Selection` of the text to keep.

There is one module per family of methods. `registry` lists them by name; `combine` combines them
and reads and writes expressions such as `series(lqf(quota=0.5), cetd)`.
"""

from thresher.methods.registry import get, name_of, names, options

__all__ = ["get", "name_of", "names", "options"]
