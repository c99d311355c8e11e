"""The seers that `seer.py` measures: pixels -> shapes with two colours, by the old core or by the new one."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matching import Found
from numpy.typing import NDArray
from seer_drawing import Painted

from unrender.errors import UnrenderError

Image = NDArray[np.uint8]
ROUND = 0.2  # px by which the sides of what is round may differ


@dataclass(frozen=True)
class Seen:
    """What a seer says about a picture."""

    shapes: list[Painted]  # back to front
    redrawn: Image


@dataclass(frozen=True)
class Core:
    """A seer in two steps, because only the first is timed."""

    look: Callable[[Image], Any]  # uint8 HxWx3 -> its own answer
    tell: Callable[[Any], Seen]


def old_core(proposals: Sequence[str] | None = None) -> Core:
    """`see` of a fresh brain."""
    import unrender

    see = _limited(unrender.open(":memory:").see, proposals)

    def tell(scene: Any) -> Seen:
        leaves = sorted(scene.primitives, key=lambda leaf: leaf.depth)
        return Seen([_observed(leaf) for leaf in leaves], scene.image)

    return Core(see, tell)


def new_core(proposals: Sequence[str] | None = None) -> Core:
    """`see_primitives` alone, with every primitive there is."""
    from unrender.perception.pipeline import see_primitives
    from unrender.primitives.registry import primitives

    kinds = list(primitives().values())
    see = _limited(see_primitives, proposals)

    def look(image: Image) -> Any:
        return see((image / 255).astype(np.float32), kinds)

    def tell(state: Any) -> Seen:
        redrawn = np.round(np.asarray(state.canvas) * 255).clip(0, 255).astype(np.uint8)
        return Seen([_placed(placed.shape) for placed in state.shapes], redrawn)

    return Core(look, tell)


CORES = {"old": old_core, "new": new_core}


def takes_proposals(core: str) -> bool:
    """Whether a core can be told which proposals to use."""
    if core == "old":
        from unrender.brain import Brain

        return "proposals" in inspect.signature(Brain.see).parameters
    from unrender.perception.pipeline import see_primitives

    return "proposals" in inspect.signature(see_primitives).parameters


def as_found(seen: Seen) -> list[Found]:
    """In the words of `matching.py`, which knows one colour a shape."""
    found = []
    for depth, shape in enumerate(seen.shapes):
        colour = shape.fill or shape.stroke or (0.0, 0.0, 0.0)
        pose = shape.symbol, shape.position, shape.size, shape.rotation
        found.append(Found(*pose, colour, shape.fill is not None, depth))
    return found


def _limited(see: Callable[..., Any], proposals: Sequence[str] | None) -> Callable[..., Any]:
    """`see` with these proposals alone."""
    if proposals is None:
        return see
    if "proposals" not in inspect.signature(see).parameters:
        raise UnrenderError("This core has no choice of proposals; leave out --proposals.")
    return lambda *given: see(*given, proposals=list(proposals))


def _observed(leaf: Any) -> Painted:
    """An `Observation` of a primitive; where it has one colour, that of its inside or of its border."""
    looks = leaf.attributes
    colour = tuple(float(looks[name]) for name in ("red", "green", "blue"))
    filled, width = looks["filled"] >= 0.5, float(looks["thickness"]) * min(leaf.size)
    if "stroke_red" in looks:
        border = tuple(float(looks[f"stroke_{name}"]) for name in ("red", "green", "blue"))
        stroke = border if width > 0 else None
    else:
        stroke = None if filled else colour
    pose = leaf.symbol, tuple(leaf.position), tuple(leaf.size), leaf.rotation
    return Painted(*pose, colour if filled else None, stroke, width if stroke else 0.0)


def _placed(shape: Any) -> Painted:
    """A `Shape` of an interpretation."""
    x, y, a, b, angle, tau = (float(value) for value in shape.pose[:6])
    equal = ROUND / (2 * min(a, b))
    w, h, turn = shape.primitive.symmetry.canonical(2 * a, 2 * b, math.degrees(angle), equal)
    fill, stroke = (
        None if paint is None else tuple(map(float, paint)) for paint in (shape.fill, shape.stroke)
    )
    return Painted(shape.primitive.name, (x, y), (w, h), turn, fill, stroke, 2 * tau if stroke else 0.0)
