"""The same thin box may be told as a rectangle, a stroke or a path, a disc as a square that is all corners;
what is one thing through a film is told in one way."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unrender.grammar.attribute import COLOUR_NAMES, STROKE_NAMES
from unrender.scene import Observation
from unrender.scene.pixels import outline

Array = NDArray[np.float64]

BOXES = ("square", "edge", "path")  # primitives that may be a rectangle
FULL = 0.9  # of its box, that a path must fill to be one
ROUND = 0.95  # of corners: what is rounder is a circle, if its sides differ by no more than the rest
SHARP = 0.5  # of corners and ends: what is rounder is no rectangle


def told_as(node: Observation, symbol: str) -> Observation | None:
    """A primitive told as another one, if both may be the same box; None if not."""
    if node.symbol == symbol and node.form is None:
        return node
    if symbol not in ("square", "edge") or node.symbol not in BOXES or node.parts:
        return None
    box = _box(node)
    if box is None:
        return None
    (x, y), (long, short), turn = box
    looks = {name: value for name, value in node.attributes.items() if name in (*COLOUR_NAMES, *STROKE_NAMES)}
    if node.symbol == "path" and node.attributes.get("filled", 1.0) < SHARP:  # an open line paints its stroke
        looks |= {own: looks[stroke] for own, stroke in zip(COLOUR_NAMES, STROKE_NAMES, strict=True)}
    looks |= {"filled": 1.0, "thickness": 0.0}
    looks |= {"corner": 0.0} if symbol == "square" else {"cap": 0.0}
    return replace(
        node, symbol=symbol, position=(x, y), size=(long, short), rotation=turn, attributes=looks, form=None
    )


def as_disc(node: Observation) -> Observation | None:
    """A square of equal sides whose corners leave nothing straight, told as a circle; None of all else."""
    wide, high = node.size
    if node.symbol != "square" or node.parts or node.attributes.get("corner", 0.0) < ROUND:
        return None
    if abs(math.log(max(wide, 1e-6) / max(high, 1e-6))) > 1 - ROUND:
        return None
    looks = {name: value for name, value in node.attributes.items() if name != "corner"}
    side = math.sqrt(wide * high)
    return replace(node, symbol="circle", size=(side, side), rotation=0.0, attributes=looks)


def retell(node: Observation, told: Observation) -> None:
    """Make a node what it is told as."""
    node.symbol, node.form, node.attributes = told.symbol, told.form, told.attributes
    node.position, node.size, node.rotation = told.position, told.size, told.rotation


Box = tuple[tuple[float, float], tuple[float, float], float]  # centre, longer and shorter side, degrees


def _box(node: Observation) -> Box | None:
    """The rectangle that a primitive is; None if it is none."""
    x, y = node.position
    wide, high = node.size
    round_ = max(node.attributes.get("corner", 0.0), node.attributes.get("cap", 0.0))
    if node.symbol != "path":
        if round_ > SHARP:
            return None
        turn = node.rotation if wide >= high else node.rotation + 90
        return (x, y), (max(wide, high), min(wide, high)), math.remainder(turn, 180.0)
    points = outline(node)
    if points is None or len(points) < 3:
        return None
    if node.attributes.get("filled", 1.0) < SHARP:
        return None
    return _around(points * (wide / 2, high / 2), node)


def _around(points: Array, node: Observation) -> Box | None:
    """The smallest box around points (N, 2) in the frame of a node, if they fill it."""
    x, y = points.T
    area = abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2
    best: tuple[float, float, Array, Array] | None = None
    for angle in np.radians(np.arange(0, 90, 1.0)):
        cos, sin = math.cos(angle), math.sin(angle)
        turned = points @ np.array([[cos, -sin], [sin, cos]])
        low, high = turned.min(0), turned.max(0)
        size = float((high - low).prod())
        if best is None or size < best[0]:
            best = size, float(angle), low, high
    assert best is not None
    size, angle, low, high = best
    if area < FULL * size:
        return None
    turn = math.radians(node.rotation)
    cos, sin = math.cos(angle + turn), math.sin(angle + turn)
    u, v = (low + high) / 2
    centre = (node.position[0] + cos * u - sin * v, node.position[1] + sin * u + cos * v)
    wide, tall = (high - low).tolist()
    degrees = math.degrees(angle) + node.rotation + (0.0 if wide >= tall else 90.0)
    return centre, (max(wide, tall), min(wide, tall)), math.remainder(degrees, 180.0)
