"""Modules and regular expressions that are read on first use, so that `import thresher` is fast."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, AnyStr, cast


class LazyModule:
    """Stands for a module, and imports it when one of its names is asked for.

    The module that uses it imports the real one under `TYPE_CHECKING`, for the types and the import
    contract.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        """Import the module, and return one of its names."""
        value = getattr(import_module(self._name), attribute)
        setattr(self, attribute, value)
        return value


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled when it is first used, as few pages need it."""
    return cast("re.Pattern[AnyStr]", LazyPattern(pattern, flags))


class LazyPattern:
    """Stands for a regular expression, and compiles it when one of its methods is asked for."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._pattern, self._flags = pattern, flags

    def __getattr__(self, attribute: str) -> Any:
        """Compile the regular expression, and return one of its attributes."""
        value = getattr(re.compile(self._pattern, self._flags), attribute)
        setattr(self, attribute, value)
        return value
