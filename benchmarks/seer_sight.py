"""What `seer.py` measures: pixels -> shapes with two colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from matching import Found
from numpy.typing import NDArray
from seer_drawing import Painted

import unrender

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Seen:
    """What a seer says about a picture."""

    shapes: list[Painted]  # back to front
    redrawn: Image


@dataclass(frozen=True)
class Seer:
    """A brain in two steps, because only the first is timed."""

    see: Callable[[Image], Any]

    @classmethod
    def of(cls, proposals: Sequence[str] | None = None) -> Seer:
        """`see` of a fresh brain, with all proposals or with these alone."""
        return cls(partial(unrender.open(":memory:").see, proposals=proposals))

    def look(self, image: Image) -> Any:
        """The scene of a picture."""
        return self.see(image)

    def tell(self, scene: Any) -> Seen:
        """What it says about it."""
        leaves = sorted(scene.primitives, key=lambda leaf: leaf.depth)
        return Seen([_observed(leaf) for leaf in leaves], scene.image)


def as_found(seen: Seen) -> list[Found]:
    """In the words of `matching.py`, which knows one colour a shape."""
    found = []
    for depth, shape in enumerate(seen.shapes):
        colour = shape.fill or shape.stroke or (0.0, 0.0, 0.0)
        pose = shape.symbol, shape.position, shape.size, shape.rotation
        found.append(Found(*pose, colour, shape.fill is not None, depth))
    return found


def _observed(leaf: Any) -> Painted:
    """An `Observation` of a primitive."""
    looks = leaf.attributes
    colour = tuple(float(looks[name]) for name in ("red", "green", "blue"))
    filled, width = looks["filled"] >= 0.5, float(looks["thickness"]) * min(leaf.size)
    border = tuple(float(looks[f"stroke_{name}"]) for name in ("red", "green", "blue"))
    stroke = border if width > 0 else None
    pose = leaf.symbol, tuple(leaf.position), tuple(leaf.size), leaf.rotation
    return Painted(*pose, colour if filled else None, stroke, width if stroke else 0.0)
