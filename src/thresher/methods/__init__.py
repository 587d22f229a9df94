"""Methods choose the text to keep: callables from a `Page` to a `Selection`.

One module per family of methods. `registry` knows them by name, `combine` makes one of several and
reads and writes expressions such as `series(lqf(quota=0.5), cetd)`.
"""

from thresher.methods.registry import get, name_of, names, options

__all__ = ["get", "name_of", "names", "options"]
