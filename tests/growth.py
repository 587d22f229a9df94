"""Growth of time: an input four times as long may take at most six times as long.

The small input runs four times as often as the large one, one right after the other, so both
measurements take about the same time and a busy machine slows both. One passing try is enough:
quadratic time would be 16 times as long in every try.
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
AT_LEAST = 0.02  # seconds of a measurement: shorter ones are blurred by clocks and caches


def assert_linear(act: Callable[[T], Any], make: Callable[[int], T], n: int) -> None:
    """Fail if `act` takes more than GROWTH times as long on make(4 * n) as on make(n).

    Each call gets an input of its own, made before the clock starts. If it grows faster, larger
    inputs are tried too: data that outgrow a cache are slower once, not each time they grow.
    """
    act(make(n))  # fill caches
    found = math.inf
    gc.collect()
    gc.freeze()  # the collections before each measurement then take no time
    try:
        for size in (n, 2 * n, 4 * n):
            once = _seconds(act, [make(FACTOR * size)])
            calls = math.ceil(AT_LEAST / max(once, AT_LEAST / 1_000))
            for _ in range(TRIES):
                small = _seconds(act, [make(size) for _ in range(FACTOR * calls)]) / FACTOR
                large = _seconds(act, [make(FACTOR * size) for _ in range(calls)])
                found = min(found, large / small)
                if found <= GROWTH:
                    return
    finally:
        gc.unfreeze()
    pytest.fail(f"{FACTOR} times the input takes {found:.1f} times as long: more than {GROWTH:g}")


def _seconds(act: Callable[[T], Any], inputs: list[T]) -> float:
    """Return the CPU time of all calls, without garbage collection."""
    gc.collect()
    gc.disable()
    try:
        begin = time.process_time()
        for given in inputs:
            act(given)
        return time.process_time() - begin
    finally:
        gc.enable()
