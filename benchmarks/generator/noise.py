"""Noise: scripts, styles and HTML comments, with markup in them that is none."""

from __future__ import annotations

from random import Random

from benchmarks.generator.markup import Element, element

__all__ = ["noise"]

_NAMES = "track banner widget slider layer beacon loader frame".split()


def noise(random: Random) -> list[Element]:
    """Return ten to thirty of them."""
    return [random.choice(_MAKERS)(random) for _ in range(random.randint(10, 30))]


def _script(random: Random) -> Element:
    name = random.choice(_NAMES)
    lines = [
        f'var {name}{n} = "<div class=\\"{name}\\"><p>" + ({n} < {random.randint(9, 99)});'
        for n in range(random.randint(3, 20))
    ]
    return element("script", "\n".join(lines))


def _style(random: Random) -> Element:
    name = random.choice(_NAMES)
    rules = [
        f".{name}-{n} > p {{ margin: {random.randint(0, 20)}px; z-index: {random.randrange(99)} }}"
        for n in range(random.randint(3, 15))
    ]
    return element("style", "\n".join(rules))


def _comment(random: Random) -> Element:
    name = random.choice(_NAMES)
    return element("!--", f" begin {name} {random.randrange(99)} <p>old {name}</p> ")


_MAKERS = (_script, _style, _comment)
