"""All that a brain knows, as plain values to be shown: symbols with samples, the matrix, the lessons."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np

from unrender.agent.matrix import CAUSES
from unrender.capsules.route import Route
from unrender.primitives.registry import primitives
from unrender.scene import Observation
from unrender.studio.desk.desk import Desk
from unrender.studio.desk.picture import png

SIDE, MARGIN = 72, 8  # px of a drawn sample
GROUND = (22, 25, 33)


@dataclass(frozen=True)
class Known:
    """One symbol."""

    name: str
    attributes: tuple[str, ...]
    routes: tuple[str, ...]  # "ship/1: square circle triangle, 2 examples"
    sample: str  # a data URL of a PNG
    seen: int  # how often in the pictures on the desk
    p: float | None  # the mean there
    primitive: bool = False


@dataclass(frozen=True)
class Lesson:
    """One lesson."""

    id: int
    kind: str
    title: str
    at: str  # "2026-01-31 12:00", UTC


@dataclass(frozen=True)
class Knowledge:
    """A brain at one instant."""

    symbols: tuple[Known, ...]
    matrix: tuple[tuple[str, tuple[int, ...]], ...]  # features, the most telling first, with their counts
    lessons: tuple[Lesson, ...]  # the latest first
    columns: tuple[str, ...] = tuple(cause.value for cause in CAUSES)


def knowledge(desk: Desk) -> Knowledge:
    """Look into the brain of the desk; belongs on its thread."""
    brain = desk.brain
    seen = [o for picture in desk.pictures.values() if picture.scene for o in picture.scene.observations]
    own = [_known(desk, name, routes, seen) for name, routes in brain.symbols.items()]
    plain = [_known(desk, name, (), seen) for name in primitives()]
    matrix = brain.matrix
    return Knowledge(
        symbols=(*own, *plain),
        matrix=tuple((name, matrix.rows[name]) for name in matrix.telling()),
        lessons=tuple(
            Lesson(own.id, own.kind, own.title, own.at[:16].replace("T", " "))
            for own in reversed(brain.lessons)
        ),
    )


def _known(desk: Desk, name: str, routes: tuple[Route, ...], seen: list[Observation]) -> Known:
    same = [o.p for o in seen if o.symbol == name]
    return Known(
        name=name,
        attributes=desk.brain.knows(name) or (),
        routes=tuple(_route(route) for route in routes),
        sample=_sample(desk, name, routes),
        seen=len(same),
        p=float(np.mean(same)) if same else None,
        primitive=not routes,
    )


def _route(route: Route) -> str:
    count = len(route.memory)
    return f"{route.name}: {' '.join(route.parts)}, {count} example{'' if count == 1 else 's'}"


def _sample(desk: Desk, name: str, routes: tuple[Route, ...]) -> str:
    """The symbol as its g draws it, as large as fits."""
    room = SIDE - 2 * MARGIN
    w, h = routes[0].memory[0].whole.size if routes else (1.0, 1.0)
    scale = room / max(w, h, 1e-6)
    looks: dict[str, Any] = (
        {} if routes else {"red": 0.85, "green": 0.87, "blue": 0.95, "filled": 0.0, "thickness": 0.1}
    )
    ground = np.full((SIDE, SIDE, 3), GROUND, np.uint8)
    middle = (SIDE / 2, SIDE / 2)
    pixels = desk.brain.draw(name, canvas=ground, position=middle, size=(w * scale, h * scale), **looks)
    return "data:image/png;base64," + base64.b64encode(png(pixels, 6)).decode("ascii")
