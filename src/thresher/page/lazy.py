"""Modules that are imported when they are first used, so that `import thresher` stays fast."""

from __future__ import annotations

from importlib import import_module
from typing import Any


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
