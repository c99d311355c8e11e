"""Rows of `oneshot.py` about time: a lesson, routing against observations, seeing against known objects."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from objects import SHIP, Blueprint, Thing, placed, random_object
from oneshot_finders import Unrender, finding
from oneshot_scenes import SCALES, TAUGHT, Picture, compose, lessons
from oneshot_scoring import score
from report import Line, milliseconds
from scatter import Shape, Spec, random_shape

import unrender

CELL = 120  # px: a ship of up to its taught size, or five loose shapes


def teach_lines(seed: int, rows: Sequence[str]) -> list[Line]:
    """The wall time of every lesson of these rows, each row in a brain file of its own."""
    seconds: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            with unrender.open(Path(folder) / f"{row}.brain") as brain:
                seconds += [Unrender(brain).teach(lesson) for lesson in lessons(row, seed)]
    worst = max(seconds)
    text = f"{worst:.2f} (median {np.median(seconds):.2f})"
    return [Line(f"teach ({len(seconds)} lessons)", "longest, seconds ≤ 3", text, worst <= 3)]


def routing_lines(seed: int, counts: Sequence[int], others: int) -> list[Line]:
    """Time of `understand` against the number of primitives at constant density, and its exponent.

    The ship is known, and so are `others` that are not there.
    """
    brain = unrender.open(":memory:")
    rng = np.random.default_rng([seed, 10])
    for blueprint in [SHIP, *(random_object(f"object{i}", rng) for i in range(others))]:
        teach_from_graph(brain, blueprint)
    times, f1 = [], 1.0
    for count in counts:
        seconds, f1 = _understand(brain, np.random.default_rng([seed, 11, count]), count)
        times.append(seconds)
    exponent = float(np.polyfit(np.log(counts), np.log(times), 1)[0])
    text = f"{exponent:.2f} ({', '.join(milliseconds(t) for t in times)}; F1 {f1:.3f} at {counts[-1]})"
    goal = f"fitted exponent over {', '.join(map(str, counts))} observations ≤ 1.3"
    return [Line("routing time", goal, text, exponent <= 1.3)]


def _understand(brain: Any, rng: Generator, count: int, rounds: int = 3) -> tuple[float, float]:
    """The shortest of a few runs on `count` primitives, and the F1 of the ships."""
    side, shapes, ships = _field(rng, count)
    seconds = math.inf
    for _ in range(rounds):
        scene = unrender.Scene(side, side, observed(shapes))
        start = time.perf_counter()
        parsed = brain.understand(scene)
        seconds = min(seconds, time.perf_counter() - start)
    found = [finding(node) for node in parsed.observations if node.symbol == "ship"]
    empty = np.zeros((1, 1, 3), np.uint8)
    return seconds, score(Picture("routing", empty, tuple(ships)), found, seconds).f1


def _field(rng: Generator, count: int) -> tuple[int, list[Shape], list[Thing]]:
    """Cells of five primitives: every fourth a ship, the others five loose shapes. Side, shapes, ships."""
    cells = count // len(SHIP.shapes)
    columns = math.ceil(math.sqrt(cells))
    shapes: list[Shape] = []
    ships: list[Thing] = []
    for cell in range(cells):
        corner = np.array([cell % columns, cell // columns]) * CELL
        if cell % 4 == 0:
            x, y = corner + CELL / 2
            ships.append(
                placed(SHIP, (float(x), float(y)), rng.uniform(-180, 180), rng.uniform(SCALES[0], 1.0))
            )
            shapes += ships[-1].shapes
        else:
            shapes += _five_loose(rng, corner)
    order = rng.permutation(len(shapes))
    return columns * CELL, [shapes[i] for i in order], ships


def _five_loose(rng: Generator, corner: Any) -> list[Shape]:
    """Five shapes in five of the nine parts of a cell."""
    loose = []
    for part in rng.choice(9, len(SHIP.shapes), replace=False):
        shape = random_shape(rng, Spec(sizes=(12, 36)), CELL, CELL, [])
        x, y = corner + (np.array([part % 3, part // 3]) + 0.5) * CELL / 3
        red, green, blue = (float(value) for value in rng.uniform(0, 1, 3))
        loose.append(
            Shape(
                shape.symbol,
                (float(x), float(y)),
                shape.size,
                shape.rotation,
                (red, green, blue),
                shape.filled,
                shape.thickness,
            )
        )
    return loose


def known_lines(seed: int, few: int, many: int, shown: int) -> list[Line]:
    """`see` with many known objects against few, on the same pictures of the few."""
    rng = np.random.default_rng([seed, 12])
    objects = [random_object(f"object{i}", rng) for i in range(many)]
    brains = [unrender.open(":memory:") for _ in range(2)]
    for brain, blueprints in zip(brains, (objects[:few], objects), strict=True):
        for blueprint in blueprints:
            teach_from_graph(brain, blueprint)
    pictures = [compose(rng, [objects[i] for i in rng.choice(few, 2)]) for _ in range(shown)]
    times = np.full((2, shown), np.inf)
    for _ in range(3):  # in turn, so that whatever else the machine does slows both down
        for column, picture in enumerate(pictures):
            for row, brain in enumerate(brains):
                start = time.perf_counter()
                brain.see(picture.image)
                times[row, column] = min(times[row, column], time.perf_counter() - start)
    short, long = np.median(times, axis=1)
    text = f"{long / short:.2f} ({milliseconds(short)} with {few}, {milliseconds(long)} with {many})"
    return [Line("known objects", f"see with {many} / see with {few} ≤ 2", text, bool(long / short <= 2))]


def teach_from_graph(brain: Any, blueprint: Blueprint) -> None:
    """One lesson without pixels, from the true scene graph."""
    middle = (TAUGHT / 2, TAUGHT / 2)
    scene = unrender.Scene(TAUGHT, TAUGHT, observed(placed(blueprint, middle).shapes))
    brain.teach(scene, blueprint.name, parts=scene.axioms)


def observed(shapes: Sequence[Shape]) -> list[unrender.Observation]:
    """Shapes as nodes of a scene graph, back to front."""
    return [
        unrender.Observation(
            shape.symbol,
            shape.position,
            shape.size,
            shape.rotation,
            {
                **dict(zip(("red", "green", "blue"), shape.colour, strict=True)),
                "filled": float(shape.filled),
                "thickness": shape.thickness,
            },
            depth=depth,
        )
        for depth, shape in enumerate(shapes)
    ]
