"""The same observation, told as memory tells it: with the form of another one, or read from another side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256

from unrender.capsules.gamma import rotation_matrix
from unrender.capsules.poses import Floats, alignment, pose_of
from unrender.primitives.protocol import Pose, Primitive
from unrender.primitives.registry import find
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

BAR = 2.5  # times as long as wide: what is shorter is no stroke


def retold(seen: Observation, known: Observation) -> tuple[Observation, float]:
    """What is seen, in the pose at which the form of `known` draws it, and the bits that are left over."""
    if seen.form is None or known.form is None or seen.form == known.form:
        return seen, 0.0
    kind = find(seen.symbol)
    (x, y, *size, turn), bits = _aligned(kind, seen.form, known.form, seen.size, known.size)
    dx, dy = (rotation_matrix(seen.rotation) @ (x, y)).tolist()
    attributes = dict(seen.attributes)
    if "thickness" in attributes:  # the stroke is as wide as before
        attributes["thickness"] *= kind.stroke_side(*seen.size) / kind.stroke_side(*size)
    told = replace(
        seen,
        position=(seen.position[0] + dx, seen.position[1] + dy),
        size=(size[0], size[1]),
        rotation=math.remainder(seen.rotation + turn, 360.0),
        attributes=attributes,
        form=known.form,
    )
    return told, bits


def otherwise(node: Observation) -> Observation | None:
    """A filled bar told as the other kind that draws it: an edge as a square, a long square as an edge."""
    looks = dict(node.attributes)
    if node.symbol == "edge":
        looks["corner"] = looks.pop("cap", 0.0)
        return replace(node, symbol="square", attributes=looks)
    if node.symbol != "square" or looks.get("filled", 1.0) < 0.5 or looks.get("thickness", 0.0) > 0:
        return None
    (width, height), turn = node.size, node.rotation
    if height > width:
        width, height, turn = height, width, turn + 90.0
    if width < BAR * height:
        return None
    looks["cap"] = looks.pop("corner", 0.0)
    return replace(node, symbol="edge", size=(width, height), rotation=turn, attributes=looks)


def read_like(seen: Observation, wanted: Floats, turning: Symmetry) -> tuple[Floats, dict[str, float]]:
    """The equivalent pose (5,) nearest to the one that is wanted, and the attributes, of which a quarter turn
    may exchange some."""
    pose, quarter = alignment(pose_of(seen), wanted, turning)
    return pose, turning.exchanged(seen.attributes) if quarter else seen.attributes


def turning_of(part: Observation, turnings: Mapping[str, Symmetry]) -> Symmetry:
    """The symmetry of a part: that of its form, if it has one, or that of its symbol."""
    return turnings[part.symbol] if part.form is None else find(part.symbol).turning(part.form, part.size)


def key(part: Observation) -> str:
    """The name under which a table has the observations that may be this part: its symbol; if it has a form,
    one that stands for the form, too."""
    if part.form is None:
        return part.symbol
    return f"{part.symbol}/{sha256(repr((part.form, part.size)).encode()).hexdigest()[:16]}"


@lru_cache(maxsize=4096)
def _aligned(
    kind: Primitive,
    one: tuple[float, ...],
    other: tuple[float, ...],
    size: tuple[float, float],
    like: tuple[float, float],
) -> tuple[Pose, float]:
    return kind.align(one, other, size, like)
