"""The table of formats is complete, and the commands take their formats from it."""

from typing import get_args

import thresher
from thresher.batch.formats import EXTENSIONS, FORMS
from thresher.render import FORMATS, FormatName


def test_the_names_are_those_of_the_table():
    assert get_args(FormatName) == tuple(FORMATS)


def test_the_commands_have_all_formats_and_csv():
    assert set(FORMS) == {*FORMATS, "csv"}
    assert all(EXTENSIONS[name] == form.extension for name, form in FORMATS.items())


def test_every_format_writes_the_text():
    document = thresher.extract("<p>Warm the pot.</p>", method="plain")
    for name in FORMATS:
        assert "Warm the pot." in document.render(name)
