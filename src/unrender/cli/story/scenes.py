"""The pictures of the story, all from the asteroid world, white on night as in the paper."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unrender.cli.gallery import NIGHT
from unrender.worlds import Asteroids, Picture

CLOSE, WIDE = 128, 256  # px: the sides of a picture of one object, and of a belt
ROCKS = 3  # asteroids of a belt


def ships(seed: int = 0) -> Iterator[Picture]:
    """Pictures with one ship each, without an end."""
    return _drawn(Asteroids(CLOSE, CLOSE, (1, 1), (0, 0), (0, 0), (20, 24)), seed)


def asteroids(seed: int = 0, form: str | None = None) -> Iterator[Picture]:
    """Pictures with one asteroid each, of any form or of one: "asteroid/1" to "asteroid/3"."""
    pictures = _drawn(Asteroids(CLOSE, CLOSE, (0, 0), (1, 1), (0, 0), (20, 24)), seed)
    return (one for one in pictures if form in (None, one.scene.axioms[0].route))


def belts(seed: int = 0) -> Iterator[Picture]:
    """Pictures with a ship and several asteroids at any places, in any turn."""
    pictures = _drawn(Asteroids(WIDE, WIDE, (1, 1), (ROCKS, ROCKS), (0, 0), (16, 19)), seed)
    return (one for one in pictures if len(one.scene.axioms) == 1 + ROCKS)


def _drawn(world: Asteroids, seed: int) -> Iterator[Picture]:
    from dataclasses import replace

    world = replace(world, colourful=False, background=NIGHT)
    number = 0
    while True:
        yield world.sample(np.random.default_rng([seed, number]))
        number += 1
