"""The rows of `strokes.py` whose lines are compared: icons, drawings of our own, corners, a vector game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from counting import mean, median
from numpy.random import Generator
from report import Goal, Line
from seer_pictures import CLOCKS
from strokes_drawings import EFFECTS, FORMS, STRAIGHT, cases, frame
from strokes_gallery import gallery
from strokes_icons import Case, Icon, by_resvg, case, chromium, icons
from strokes_measuring import (
    Measured,
    beside,
    explained,
    f1,
    leanness,
    measure,
    ours_alone,
    pace,
    slowest,
    ssim,
)
from strokes_paths import Floats
from strokes_sight import mark_of
from vector_tracers import by_vtracer

Many = Sequence[Measured]
Gated = tuple[Goal[Many], float | None]
"""A goal, and the gate that must be reached in any case."""

DOT = 4.0  # px: what is smaller is a dot
NEAR = 1.0  # px that a dot may be told away from its place


@dataclass(frozen=True)
class Wanted:
    """What is to be measured, and how."""

    seed: int
    count: int  # pictures a row
    sizes: tuple[int, ...]  # sides of icons in px
    icons: Path
    omniglot: Path
    clock: str
    gallery: Path | None

    def rng(self, row: int) -> Generator:
        return np.random.default_rng([self.seed, row])


@dataclass
class Results:
    """What was found, row by row."""

    goals: list[Line] = field(default_factory=list)
    beside: list[Line] = field(default_factory=list)
    scores: dict[str, list[Measured]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def add(self, wanted: Wanted, name: str, goals: Sequence[Line], many: Sequence[Measured]) -> None:
        """What a row gave, with every picture."""
        self.goals += goals
        self.scores[name] = list(many)
        if wanted.gallery is not None:
            gallery(wanted.gallery, name, many)


def aims(
    lines: float, like: float, lean: float, gates: tuple[float | None, ...] = (None, None)
) -> list[Gated]:
    """The goals of a row of icons; those of time are the same for all."""
    return [
        (Goal("line F1", lines, f1), gates[0]),
        (Goal("SSIM", like, ssim), gates[1]),
        (Goal("numbers for one of the drawing", lean, leanness, True), 2.0),
        (Goal("median time in VTracer's", 6, pace, True), 12.0),
        (Goal("slowest in VTracer's", 20, slowest, True), 40.0),
        (Goal("explained pixels", 0.99, explained), None),
    ]


ICONS: dict[str, tuple[str, list[Gated]]] = {
    "circles": ("icons of circles and rectangles", aims(0.99, 0.99, 1.3)),
    "lines": ("icons with lines", aims(0.985, 0.99, 1.3)),
    "paths": ("icons with paths", aims(0.95, 0.985, 1.5, (0.9, 0.975))),
    "solid": ("filled icons", aims(0.95, 0.985, 1.5)),
}
DRAWINGS = {"drawings": "line drawings", **{name: f"line drawings, {name}" for name in EFFECTS}}


def told(what: str, many: Many, goals: Iterable[Gated]) -> list[Line]:
    """A line a goal."""
    lines: list[Line] = []
    for goal, gate in goals:
        more = {}
        if gate is not None:
            low = replace(goal, target=gate)
            more["gate"] = (
                f"{'≤' if goal.at_most else '≥'} {gate:g}: {'pass' if low.reached(many) else 'FAIL'}"
            )
        lines.append(goal.line("" if lines else f"{what} ({len(many)})", many, more))
    return lines


def look(brain: Any, name: str, pictures: Iterable[Case], wanted: Wanted, found: Results) -> list[Measured]:
    """Measure the pictures of a row."""
    shown = list(pictures)
    brain.see(shown[0].image)  # load and warm up off the clock
    by_vtracer(shown[0].image, [])
    many = [measure(brain, one, CLOCKS[wanted.clock]) for one in shown]
    found.beside += beside(name, many)
    return many


def icon_row(row: str, brain: Any, wanted: Wanted, found: Results) -> None:
    """The same icons at every size, drawn by resvg and by Chromium in turn."""
    name, goals = ICONS[row]
    rng = wanted.rng(list(ICONS).index(row))
    several = icons(wanted.icons, rng, {row: wanted.count})[row]
    for side in wanted.sizes:
        what = f"{name}, {side} px"
        many = look(brain, what, _drawn(several, side, wanted.rng(side)), wanted, found)
        found.add(wanted, what, told(what, many, goals), many)


def _drawn(several: Sequence[Icon], side: int, rng: Generator) -> Iterator[Case]:
    with chromium() as browser:
        for k, icon in enumerate(several):
            yield case(icon, side, browser if browser and k % 2 else by_resvg, rng)


def drawing_row(row: str, brain: Any, wanted: Wanted, found: Results) -> None:
    """Polygons, polylines, arcs and curves of our own, as they are or after what may happen to a picture."""
    rng = wanted.rng(100)
    pictures = list(cases(rng, wanted.count, FORMS))
    if row in EFFECTS:
        pictures = [EFFECTS[row](one, rng) for one in pictures]
    many = look(brain, DRAWINGS[row], pictures, wanted, found)
    goals = aims(0.95, 0.985, 1.5)
    if row in ("noise", "JPEG"):  # VTracer spends its time on the grain
        goals = [goals[0], goals[1], goals[2], goals[5]]
    found.add(wanted, DRAWINGS[row], told(DRAWINGS[row], many, goals), many)


def corner_row(brain: Any, wanted: Wanted, found: Results) -> None:
    """Ends and corners of straight strokes and of polygons: px to the nearest that is told, and back."""
    name = "ends and corners"
    many = look(brain, name, cases(wanted.rng(101), wanted.count, STRAIGHT), wanted, found)
    goals: list[Goal[Many]] = [
        Goal("median px", 0.1, lambda m: median(list(corner_errors(m))), True),
        Goal("95 % within px", 0.5, lambda m: float(np.quantile(corner_errors(m), 0.95)), True),
        Goal(
            "95 % of those told within px",
            0.5,
            lambda m: float(np.quantile(corner_errors(m, True), 0.95)),
            True,
        ),
    ]
    found.add(wanted, name, told(name, many, [(goal, None) for goal in goals]), many)


def corner_errors(many: Many, back: bool = False) -> Floats:
    """px from every true corner or end to the nearest told one, or back; the picture's side if none is."""
    far: list[float] = []
    for one in many:
        lines = one.true, one.ours.told.lines
        true, told = (np.concatenate([np.zeros((0, 2)), *(line.corners for line in some)]) for some in lines)
        some, others = (told, true) if back else (true, told)
        for corner in some:
            far.append(min(np.hypot(*(others - corner).T), default=float(len(one.case.image))))
    return np.array(far)


def game_row(brain: Any, wanted: Wanted, found: Results) -> None:
    """Frames of a vector game: lines of 1 px, and every dot."""
    rng, many, dots = wanted.rng(102), [], []
    for index in range(wanted.count):
        made, spots = frame(rng, index)
        scene = brain.see(made.image)
        large = [leaf for leaf in scene.primitives if max(leaf.size) > DOT]
        small = np.array([leaf.position for leaf in scene.primitives if max(leaf.size) <= DOT]).reshape(-1, 2)
        lines = [line for leaf in large for line in mark_of(leaf).visible()]
        many.append(ours_alone(made, scene, lines, [line for mark in made.marks for line in mark.lines]))
        dots += [bool(len(small)) and float(np.hypot(*(small - dot).T).min()) <= NEAR for dot in spots]
    share = mean([float(seen) for seen in dots])
    goal = Goal[Many]("line F1", 0.98, f1)
    every = Line("", "dots ≥ 1", f"{share:.3f} ({sum(dots)} of {len(dots)})", share >= 1)
    found.add(wanted, "vector game", [*told("vector game", many, [(goal, None)]), every], many)
