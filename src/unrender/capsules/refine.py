"""Refinement: ||g(γ(α)) - α|| minimised directly (Equation Inv), for all candidates in one batch.

Levenberg-Marquardt on the pose; the colours follow from it at every step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.cholesky import cholesky
from unrender.capsules.equations import equations
from unrender.capsules.geometry import CX, CY, LOG_H, LOG_W, TAU, Floats, Runs, Shapes, measured
from unrender.capsules.outline import ACROSS, RAYS, SAMPLES, sample_points
from unrender.capsules.pyramid import Pyramid
from unrender.graphics.compiled import Flags1, Floats1, Floats2, Floats3, compiled

STILL = 0.003  # px: a smaller step is not worth taking
THIN = 0.3  # px: thinner half strokes cannot be told from fainter ones
_NOTHING = np.empty((0, 0), np.float32)


@dataclass(frozen=True)
class Samples:
    """What each candidate sees: pixels of its pyramid level around its outline."""

    values: Tensor  # (N, 3, M)
    x: Tensor  # (N, M) pixel centres, in pixels of the level
    y: Tensor
    there: Tensor  # (N, M): 1 where the pixel counts, 0 outside the picture or behind another shape
    taken: Tensor | None = None  # (N, M): 1 where another shape explains the pixel
    clear: Tensor | None = None  # (N, M): how much of the ground shows between the shapes behind this one
    under: Tensor | None = None  # (N, 3, M): what those shapes add

    @classmethod
    def around(cls, pyramid: Pyramid, shapes: Shapes, level: Tensor, taken: Pyramid | None = None) -> Samples:
        values, x, y, there = pyramid.read(level, *sample_points(shapes))
        believed = there.to(values.dtype)
        believed[:, ACROSS * RAYS :] *= shapes.filled[:, None]  # the inside of an outline is not its own
        hidden = None if taken is None else taken.read(level, x, y)[0][:, 0]
        return cls(values, x, y, believed, hidden)

    def __getitem__(self, index: Tensor) -> Samples:
        extra = (self.taken, self.clear, self.under)
        return Samples(
            self.values[index],
            self.x[index],
            self.y[index],
            self.there[index],
            *(None if part is None else part[index] for part in extra),
        )


@dataclass(frozen=True)
class Fitted:
    """Poses with the colours that explain the samples best, and what is left over."""

    pose: Floats  # (N, G)
    colours: Floats  # (N, 5, 3): ground (constant, by x, by y), stroke, inside
    paint: Floats  # (N, 3): the colour of each shape
    beside: Floats  # (N, 3, RAYS): the ground's colour at each ray
    behind: Floats  # (N, 3, RAYS): what the inside of an outline shows there
    signed: Floats  # (N, M): the distances of the samples
    squared: Floats  # (N, M): how far the samples are from what is drawn, over three channels
    shown: Floats  # (N, M): 0 where the sample says nothing about the shape
    weight: Floats  # (N, M): 0 where a sample is not believed
    cost: Floats  # (N,)
    hessian: Floats  # (N, G, G)
    slope: Floats  # (N, G)

    def __getitem__(self, index: NDArray[np.int64]) -> Fitted:
        return Fitted(*(getattr(self, f.name)[index] for f in fields(Fitted)))

    def where(self, better: NDArray[np.bool_], other: Fitted) -> Fitted:
        """This fit where `better` (N,), else the other one."""
        if better.all():
            return self

        def pick(name: str) -> Floats:
            mine, theirs = getattr(self, name), getattr(other, name)
            picked: Floats = np.where(better.reshape(-1, *[1] * (mine.ndim - 1)), mine, theirs)
            return picked

        return Fitted(*(pick(f.name) for f in fields(Fitted)))


def refine(
    pyramid: Pyramid,
    shapes: Shapes,
    level: Tensor,
    ramps: Sequence[float],
    noise: float,
    taken: Pyramid | None = None,
    context: Callable[[Samples], Samples] | None = None,
) -> tuple[Shapes, Fitted]:
    """Fit each shape to its level's pixels; shapes are in pixels of their level.

    ramps: the width in pixels of the soft edge in each step; wide edges pull from afar.
    noise: the standard deviation of the picture's noise.
    taken: which pixels another shape explains, as a pyramid like that of the picture.
    context: adds to the samples what is known of the shapes in front and behind.
    """
    samples = Samples.around(pyramid, shapes, level, taken)
    if context is not None:
        samples = context(samples)
    mixed = shapes.by_kind
    if mixed is None:
        best = _fit(shapes, samples, ramps, noise)
    else:
        best = _fit(shapes[mixed], samples[mixed], ramps, noise)[mixed.argsort().numpy()]
    return shapes.with_pose(torch.from_numpy(best.pose)), best


def _fit(shapes: Shapes, samples: Samples, ramps: Sequence[float], noise: float) -> Fitted:
    """Where Levenberg-Marquardt leads, for shapes of which those of one kind stand side by side."""
    seen = _Seen.of(shapes, samples, noise)
    anchor, filled = shapes.pose.numpy(), shapes.filled.numpy()
    best = seen.linearise(anchor, ramps[0], None)
    if not len(shapes):
        return best
    damping = np.full(len(shapes), 1e-2, np.float32)
    for ramp, following in zip(ramps, [*ramps[1:], ramps[-1]], strict=True):
        pose = np.empty_like(anchor)
        moved = _move(best.pose, best.hessian, best.slope, damping, anchor, filled, pose)
        if ramp == ramps[-1] and moved < STILL:
            break
        trial = seen.linearise(pose, following, best.weight)
        if following != ramp:  # the yardstick changes, so the costs cannot be compared
            best = trial
            continue
        better = trial.cost < best.cost
        best = trial.where(better, best)
        damping = (damping * np.where(better, 0.3, 5.0)).clip(1e-5, 1e3).astype(np.float32)
    return best


@dataclass(frozen=True)
class _Seen:
    """What stays the same from step to step, as plain arrays."""

    runs: Runs
    outlined: Floats  # (N,)
    samples: tuple[Floats, ...]  # the fields of `Samples`
    noise: float

    @classmethod
    def of(cls, shapes: Shapes, samples: Samples, noise: float) -> _Seen:
        known = [getattr(samples, f.name) for f in fields(Samples)]
        arrays = [_NOTHING if t is None else t.numpy() for t in known[:-1]]
        arrays.append(_NOTHING[..., None] if samples.under is None else samples.under.numpy())
        return cls(shapes.runs, (~shapes.filled).numpy().astype(np.float32), tuple(arrays), noise)

    def linearise(self, pose: Floats, ramp: float, weight: Floats | None) -> Fitted:
        """Colours, residual and robust cost at this pose, with the normal equations of the next step."""
        signed, slopes = measured(self.runs, pose, self.samples[1], self.samples[2])
        before = _NOTHING if weight is None else weight
        own = pose.shape[1]
        room = (
            (5, 3),
            (3,),
            (3, RAYS),
            (3, RAYS),
            (SAMPLES,),
            (SAMPLES,),
            (SAMPLES,),
            (),
            (own, own),
            (own,),
        )
        out = [np.empty((len(pose), *shape), np.float32) for shape in room]
        equations(pose, self.outlined, *self.samples, before, signed, slopes, ramp, self.noise, *out)
        colours, paint, beside, behind, *rest = out
        return Fitted(pose, colours, paint, beside, behind, signed, *rest)


@compiled
def soften(hessian: Floats, pose: Floats, damping: float, floor: float) -> None:
    """Damp the step of one pose (G,), relative to the diagonal, which is at least `floor` of its largest.

    Turning or growing moves the outline by many pixels where moving does by one, so entries are compared as
    what they would be for a move of the outline by a pixel.
    """
    square, steepest = math.exp(2 * max(pose[LOG_W], pose[LOG_H])) / 4, 0.0
    for i in range(len(hessian)):
        steepest = max(steepest, hessian[i, i] / (1.0 if i in (CX, CY, TAU) else square))
    for i in range(len(hessian)):
        least = floor * steepest * (1.0 if i in (CX, CY, TAU) else square)
        hessian[i, i] += damping * hessian[i, i] + least + 1e-8


@compiled
def _move(
    poses: Floats2,
    hessians: Floats3,
    slopes: Floats2,
    damping: Floats1,
    anchor: Floats2,
    filled: Flags1,
    out: Floats2,
) -> float:
    """Where Levenberg-Marquardt goes from here, but no further than the linear picture holds: (N, G).

    Returns how far the outline moves that moves furthest, in pixels.
    """
    furthest, size = 0.0, poses.shape[1]
    system, right, limit = np.empty((size, size)), np.empty((size, 1)), np.empty(size)
    for n in range(len(poses)):
        pose, new = poses[n], out[n]
        for i in range(size):
            right[i, 0] = slopes[n, i]
            for j in range(i + 1):
                system[i, j] = hessians[n, i, j]
        soften(system, pose, damping[n], 1e-5)
        cholesky(system, right)
        side = math.exp(min(pose[LOG_W], pose[LOG_H]))
        for i in range(size):
            limit[i] = 0.25
        limit[CX] = limit[CY] = min(max(0.15 * side, 0.5), 3.0)
        limit[TAU] = min(0.1 * side, 1.5)
        for i in range(size):
            new[i] = pose[i] + min(max(right[i, 0], -limit[i]), limit[i])
        for i in (LOG_W, LOG_H):
            new[i] = max(anchor[n, i] + min(max(new[i] - anchor[n, i], -0.9), 0.9), 0.7)
        thickest = 0.25 * math.exp(min(new[LOG_W], new[LOG_H]))
        new[TAU] = 0.0 if filled[n] else min(max(new[TAU], THIN), thickest)
        arm = math.exp(max(new[LOG_W], new[LOG_H])) / 2
        for i in range(size):
            off = abs(new[i] - pose[i])
            furthest = max(furthest, off if i in (CX, CY, TAU) else off * arm)
    return furthest
