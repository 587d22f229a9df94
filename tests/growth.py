"""Growth: an input four times as long may take at most six times as long.

Both sides of a comparison take about the same time and run one after the other: the small input
four times as often as the large one. So a busy machine, which slows both, does not part them, and
what passes once is linear: quadratic time would be 16 times as long in every try.
"""

import gc
import math
import time
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
FACTOR = 4  # how much longer the large input is
GROWTH = 6.0  # how much longer it may take; linear is 4, quadratic 16
TRIES = 6
AT_LEAST = 0.02  # seconds that a measurement lasts: clocks and caches blur what is shorter


def assert_linear(act: Callable[[T], Any], make: Callable[[int], T], n: int) -> None:
    """Fail if `act` takes more than GROWTH times as long on make(4 * n) as on make(n).

    Each call gets an input of its own, made off the clock. What grows faster is tried with larger
    inputs too: data that outgrow a cache are slower once, not each time they grow.
    """
    act(make(n))  # what is made once is made now
    found = math.inf
    for size in (n, 2 * n):
        calls = math.ceil(AT_LEAST / max(_seconds(act, [make(FACTOR * size)]), AT_LEAST / 1_000))
        for _ in range(TRIES):
            small = _seconds(act, [make(size) for _ in range(FACTOR * calls)]) / FACTOR
            large = _seconds(act, [make(FACTOR * size) for _ in range(calls)])
            found = min(found, large / small)
            if found <= GROWTH:
                return
    pytest.fail(f"{FACTOR} times the input takes {found:.1f} times as long: more than {GROWTH:g}")


def _seconds(act: Callable[[T], Any], inputs: list[T]) -> float:
    """CPU time of all calls, without the collector, whose cost is that of all that lives."""
    gc.collect()
    gc.disable()
    try:
        begin = time.process_time()
        for given in inputs:
            act(given)
        return time.process_time() - begin
    finally:
        gc.enable()
