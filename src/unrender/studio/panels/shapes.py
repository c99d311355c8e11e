"""What the overlay draws: every node of a scene as plain values, its outline as an SVG path."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any
from zlib import crc32

import numpy as np

from unrender.names import LONGEST
from unrender.scene import Observation, Scene
from unrender.scene.language.kinds import is_stroke
from unrender.studio.desk.picture import Key, key_of

HUES = {"circle": 199, "square": 271, "triangle": 152, "edge": 28, "arc": 340, "curve": 310, "path": 60}
"""Degrees; other symbols get theirs from their name."""


def colour(symbol: str) -> str:
    """The colour of a symbol, always the same."""
    hue = HUES.get(symbol, crc32(symbol.encode()) * 137.508 % 360)
    return f"hsl({hue:.0f} 85% 58%)"


def track_colour(hue: float) -> str:
    """The colour of a track, the same in trails and on the timeline."""
    return f"hsl({hue:.0f} 75% 52%)"


def short(name: str) -> str:
    """A name as it is shown; brains of strangers may hold names of any length."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def nodes(scene: Scene, known: Collection[Key] = ()) -> list[dict[str, Any]]:
    """All nodes, parents before their parts, as JSON values; each `id` is its place in the list.

    known: the keys of what was there before; what is not among them is marked as fresh.
    """
    scene.image  # noqa: B018  what was edited at the top shows below
    numbers = {id(node): i for i, node in enumerate(scene.observations)}
    parents = {id(part): numbers[id(node)] for node in scene.observations for part in node.parts}
    return [
        {
            "id": numbers[id(node)],
            "parent": parents.get(id(node)),
            "symbol": short(node.symbol),
            "colour": colour(node.symbol),
            "p": round(node.p, 3),
            "path": node.path if not node.parts else _box(node),
            "leaf": not node.parts,
            "hollow": node.attributes.get("filled", 1.0) < 0.5 or is_stroke(node),
            "depth": node.depth if node.depth is not None else -1,
            "at": [round(value, 1) for value in node.position],
            "top": round(node.position[1] - _reach(node), 1),
            "lines": lines(node),
            "fresh": bool(known) and key_of(node) not in known,
        }
        for node in scene.observations
    ]


def lines(node: Observation) -> list[str]:
    """What is told of a node when the pointer rests on it."""
    (x, y), (w, h) = node.position, node.size
    told = [f"p {node.p:.2f}", f"at {x:.1f}, {y:.1f}   {w:.1f} x {h:.1f}   {node.rotation:z.0f}°"]
    told.append(", ".join(f"{name} {value:z.2f}" for name, value in node.attributes.items()))
    if node.hidden:
        told.append("hidden: " + ", ".join(short(part.symbol) for part in node.hidden))
    return told


def _box(node: Observation) -> str:
    """The box around a whole, a little larger than it is."""
    w, h = node.size[0] / 2 + 1.5, node.size[1] / 2 + 1.5
    return _ring(np.array([(-w, -h), (w, -h), (w, h), (-w, h)]), node)


def _reach(node: Observation) -> float:
    """How far the box of a node reaches above its centre."""
    turn = math.radians(node.rotation)
    return (abs(math.sin(turn)) * node.size[0] + abs(math.cos(turn)) * node.size[1]) / 2 + 1.5


def _ring(ring: np.ndarray, node: Observation) -> str:
    turn = math.radians(node.rotation)
    R = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    points = ring @ R.T + np.asarray(node.position)
    return "M" + " ".join(f"{x:.2f},{y:.2f}" for x, y in points) + "Z"
