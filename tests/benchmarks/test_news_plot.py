"""The picture of docs/news-monitoring.md is what its commands write."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks import news_plot

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / news_plot.PAGE).read_text(encoding="utf-8")


def pixels(data: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"), np.float64)


def test_the_commands_of_the_page() -> None:
    commands = news_plot.commands_of(TEXT)
    assert commands[0] == "python examples/news/make_pages.py monitor/pages"
    assert commands[-1].endswith("--output monitor/topics.png")
    assert all(command.startswith("thresher ") for command in commands[1:])


@pytest.mark.slow
def test_the_picture_is_up_to_date(tmp_path: Path) -> None:
    """Run `make news` if this fails. Another version of the fonts may move a letter a little."""
    picture = tmp_path / "plot.png"
    page = ROOT / news_plot.PAGE
    assert news_plot.main(["--page", str(page), "--picture", str(picture)]) == 0
    shown, made = (pixels(path.read_bytes()) for path in (ROOT / news_plot.PICTURE, picture))
    assert shown.shape == made.shape
    assert (np.abs(shown - made).max(axis=2) > 40).mean() < 0.002
