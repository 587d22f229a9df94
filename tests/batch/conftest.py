"""The same pages as for the command line."""

from tests.cli.conftest import pages

__all__ = ["pages"]
