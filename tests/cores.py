"""Run the plain version of every kernel within a test."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from thresher.page.core import COMPILED

needs_kernels = pytest.mark.skipif(not COMPILED, reason="the kernels are not built, or not wanted")


@contextmanager
def plain_core() -> Iterator[None]:
    """Use the plain versions inside a `with` block."""
    named = [module for name, module in sys.modules.items() if name.startswith("thresher.")]
    switched = [module for module in named if getattr(module, "COMPILED", False)]
    for module in switched:
        module.COMPILED = False
    try:
        yield
    finally:
        for module in switched:
            module.COMPILED = True
