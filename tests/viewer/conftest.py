"""The browser of the tests of rendered pages."""

from tests.visual.conftest import browser

__all__ = ["browser"]
