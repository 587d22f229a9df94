"""A real Chromium for the tests of pages that a browser lays out."""

import os

import pytest

from thresher.errors import InputError
from thresher.visual import Browser
from thresher.visual.browser import find_chromium


@pytest.fixture(scope="session")
def browser():
    try:
        find_chromium()
    except InputError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    with Browser() as one:
        yield one
