"""The registry of trainers: one per trained method. To add one, add a line to `TRAINERS`."""

from __future__ import annotations

from difflib import get_close_matches

from thresher.errors import UsageError
from thresher.evaluate.training.content_seeker import ContentSeekerTrainer
from thresher.evaluate.training.crf import CRFTrainer, MaxEntTrainer
from thresher.evaluate.training.default import DefaultTrainer
from thresher.evaluate.training.mss import MSSTrainer
from thresher.evaluate.training.trainer import Trainer

TRAINERS: dict[str, type[Trainer]] = {
    "content-seeker": ContentSeekerTrainer,
    "crf": CRFTrainer,
    "default": DefaultTrainer,
    "maxent": MaxEntTrainer,
    "mss": MSSTrainer,
}


def trainer(method: str) -> Trainer:
    """Return a new trainer of a method."""
    if method not in TRAINERS:
        near = get_close_matches(method, TRAINERS, 1)
        hint = f"did you mean {near[0]}?" if near else f"these are: {', '.join(sorted(TRAINERS))}."
        raise UsageError(f"{method!r} is no method that is trained: {hint}")
    return TRAINERS[method]()
