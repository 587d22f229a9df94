"""Segmenters by name, and expressions."""

import pytest

from tests.visual.boxes import div, laid_out
from thresher.errors import UsageError
from thresher.visual.seam import Seam
from thresher.visual.segmenters import DEFAULT, SEGMENTERS, get, read, written
from thresher.visual.vips import Vips


def test_names_and_expressions():
    assert get("seam") == read("seam") == read(" seam() ") == Seam()
    assert read("seam(alpha=0.5)", beta=0.1) == Seam(alpha=0.5, beta=0.1)
    assert read("vips(pdoc=3)") == Vips(pdoc=3)
    assert DEFAULT in SEGMENTERS


@pytest.mark.parametrize("name", SEGMENTERS)
def test_what_is_written_can_be_read(name):
    assert read(written(get(name))) == get(name)


@pytest.mark.parametrize("name", SEGMENTERS)
def test_all_divide_a_page(name):
    page = laid_out(div(0, 0, 1000, 100, "one") + div(0, 100, 1000, 900, "two"))
    segments = get(name)(page)
    assert segments.parent[0] == -1
    assert (segments.parent < range(len(segments))).all()


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("gravity", "no segmenter 'gravity': there are areacut, seam, vips"),
        ("vips(alpha=1)", "vips has no option alpha: it has pdoc, "),
        ("seam(alpha=2)", "alpha of seam is 2: give a number from 0 to 1"),
        ("seam(0.5)", "cannot read 'seam\\(0.5\\)': write a name"),
        ("seam(alpha=x)", "cannot read"),
        ("seam(", "cannot read"),
        ("seam(**{})", "option None"),
        ("a.b", "cannot read"),
        ("", "cannot read"),
        ("(" * 9_999, "cannot read"),
    ],
)
def test_errors_say_what_to_write(expression, message):
    with pytest.raises(UsageError, match=message):
        read(expression)
