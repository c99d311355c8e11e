"""First estimates of shapes: what γ of every primitive says of a picture. Read from top to bottom."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from unrender.perception.encoder.colours import painted
from unrender.perception.encoder.decode import Poses, decode
from unrender.perception.encoder.pyramid import levels_of
from unrender.perception.encoder.session import each, run, weights_of
from unrender.perception.encoder.views import Mask, View, views
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import primitives
from unrender.render.coverage import Floats
from unrender.render.shape import ANGLE, TAU, A, B, Shape, X, Y

FEW, EACH = 32, 64  # estimates of any picture, and px of it for each one more
SHARED = 50_000  # px that all networks look at: with less to do a second core only waits
UNSURE = (0.15, 0.85)  # how filled: between these both a filled and an outlined shape are told
OUTLINE = 0.15  # of the shorter half side: half the stroke of a shape that was thought to be filled
UNCLEAR = 0.3  # log(width / height): below it an estimate may have taken another corner for the apex
NEAR, ALIKE, TURNED = 0.1, 0.25, 0.5  # centre in extents, log of the extent, radians: closer is the same


@dataclass(frozen=True, eq=False)
class Estimate:
    """A shape as γ sees it, in px of its pyramid level, on which it is good to about a pixel."""

    shape: Shape
    level: int  # it was seen at 1 / 2^level of the resolution
    confidence: float

    @property
    def full(self) -> Shape:
        """The shape in px of the picture."""
        return scaled(self.shape, 2.0**self.level)


def scaled(shape: Shape, factor: float) -> Shape:
    """The same shape in a picture that is larger by a factor."""
    pose = shape.pose.copy()
    pose[[X, Y, A, B, TAU]] *= factor
    return shape.posed(pose)


def estimates(
    image: Floats,
    where: Mask | None = None,
    thorough: bool = False,
    kinds: Sequence[Primitive] | None = None,
    finest: int = 0,
) -> list[Estimate]:
    """First estimates of all primitives that have a γ, the surest first, no more than a picture of this size
    may be worth.

    image: (H, W, 3). where: (H, W), what is left to explain; all if None. thorough: every place with any hope
    is told, not only the peaks of confidence. finest: the first level that is looked at, if there is one.
    """
    known = primitives().values() if kinds is None else kinds
    networks = [(kind, path) for kind in known if (path := weights_of(kind)) is not None]
    if not networks or (where is not None and not where.any()):
        return []
    levels = levels_of(image)
    looks = list(views(levels, range(min(finest, len(levels) - 1), len(levels)), where))
    tasks = [(view, kind, path) for view in looks for kind, path in networks]

    def told(task: tuple[View, Primitive, Path]) -> Poses:
        view, kind, path = task
        return decode(kind, run(path, view.pixels), view, thorough)

    work = len(networks) * sum(view.pixels[0].size for view in looks)
    found = each(told, tasks) if work > SHARED else [told(task) for task in tasks]
    several = [
        Estimate(shape, view.level, float(poses.confidence[n]))
        for (view, kind, _), poses in zip(tasks, found, strict=True)
        for n in range(len(poses.pose))
        for shape in _variants(kind, poses.pose[n], poses.form[n], float(poses.filled[n]))
    ]
    several.sort(key=lambda estimate: -estimate.confidence)
    area = image.shape[0] * image.shape[1] if where is None else int(where.sum())
    surest = distinct(several)[: FEW + area // EACH]
    return [replace(each, shape=painted(each.shape, levels[each.level])) for each in surest]


def _variants(kind: Primitive, pose: Doubles, form: Doubles, filled: float) -> Iterator[Shape]:
    """The shapes that one estimate may stand for, black: filled or outlined, with each corner as the apex."""
    black = np.zeros(3)
    if kind.handles is not None:
        yield Shape(kind, pose, black if kind.closed else None, None if kind.closed else black, form)
        return
    for turned in (pose, *_turned(kind, pose)):
        if filled > UNSURE[0] and kind.closed:
            solid = turned.copy()
            solid[TAU] = 0.0
            yield Shape(kind, solid, black, None)
        if filled < UNSURE[1] or not kind.closed:
            outlined = turned.copy()
            if filled > 0.5:
                outlined[TAU] = OUTLINE * min(turned[A], turned[B])
            yield Shape(kind, outlined, None, black)


def _turned(kind: Primitive, pose: Doubles) -> Iterator[Doubles]:
    """The same shape with equal sides and another corner up, where it is unclear which one is the apex."""
    order = kind.symmetry.even
    if order % 2 and order > 1 and abs(math.log(pose[A] / pose[B])) < UNCLEAR:
        for turn in range(1, order):
            other = pose.copy()
            other[A] = other[B] = math.sqrt(pose[A] * pose[B])
            other[ANGLE] += 2 * math.pi * turn / order
            yield other


def distinct(several: Sequence[Estimate]) -> list[Estimate]:
    """Without those that repeat one before them."""
    if not several:
        return []
    sorts: dict[tuple[str, bool], int] = {}
    sort = np.array([sorts.setdefault(_sort(each.shape), len(sorts)) for each in several])
    pose = np.stack([each.shape.pose[: TAU + 1] for each in several])
    scale = np.exp2([float(each.level) for each in several])
    period = np.array([_period(each.shape.primitive) for each in several])
    kept = _first_of_each(sort, pose, scale, period, NEAR, ALIKE, TURNED)
    return [several[n] for n in np.nonzero(kept)[0].tolist()]


def _sort(shape: Shape) -> tuple[str, bool]:
    return shape.primitive.name, shape.fill is None


def _period(primitive: Primitive) -> float:
    """Radians after which a shape may look the same: a circle hardly turns, and a quarter turn of a rectangle
    only exchanges its sides, but each corner of a triangle makes another apex."""
    symmetry = primitive.symmetry
    return 2 * math.pi / (symmetry.even if symmetry.swaps else symmetry.turns) if symmetry.even else 0.0


@compiled
def _first_of_each(
    sort: NDArray[np.int64],
    pose: Doubles,
    scale: Doubles,
    period: Doubles,
    near: float,
    alike: float,
    turned: float,
) -> NDArray[np.bool_]:
    """bool (N,): those that are like none of the kept ones before them."""
    kept = np.zeros(len(pose), np.bool_)
    extent = np.sqrt(pose[:, 2] * pose[:, 3]) * 2 * scale
    for n in range(len(pose)):
        kept[n] = True
        for m in range(n):
            if not kept[m] or sort[m] != sort[n]:
                continue
            reach = near * min(extent[n], extent[m])
            off_x = pose[n, 0] * scale[n] - pose[m, 0] * scale[m]
            off_y = pose[n, 1] * scale[n] - pose[m, 1] * scale[m]
            if (
                off_x * off_x + off_y * off_y >= reach * reach
                or abs(math.log(extent[n] / extent[m])) >= alike
            ):
                continue
            off = 0.0
            if period[n] > 0:
                off = (pose[n, 4] - pose[m, 4]) % period[n]
                off = min(off, period[n] - off)
            if off < turned:
                kept[n] = False
                break
    return kept
