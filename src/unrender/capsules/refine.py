"""Refinement: ||g(γ(α)) - α|| minimised directly (Equation Inv), for all candidates in one batch.

Levenberg-Marquardt on the pose. The colours of ground, stroke and inside are linear given the pose, so
they are solved for at every step instead of being searched (variable projection). The ground is a plane
of colour, from which single rays may depart: there something else lies beside the shape.

A few candidates at a time make many small arrays, with which numpy is quicker than torch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.colours import (
    INSIDE,
    STROKE,
    belief_limit,
    departures,
    dot,
    edge_colours,
    solve_colours,
)
from unrender.capsules.geometry import CX, CY, LOG_H, LOG_W, TAU, Floats, Shapes, distances_and_slopes
from unrender.capsules.outline import ACROSS, RAYS, grid, sample_points
from unrender.capsules.pyramid import Pyramid

HIDDEN = 0.15  # what a sample costs that the shape hides behind another one, of the most it could
CLEAR_OF = 2.4  # px from an edge: here the colour beside it is not mixed with its own
NEAR = 2.3  # px from an edge: what lies further off does not say where it is
STILL = 0.003  # px: a smaller step is not worth taking
THIN = 0.3  # px: thinner half strokes cannot be told from fainter ones


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

    @property
    def near(self) -> NDArray[np.bool_]:
        """bool (N, M): samples that are close to an edge."""
        tau = self.pose[:, TAU, None]
        return _within(self.signed - tau, NEAR) | _within(self.signed + tau, NEAR)

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
    best = linearise(shapes, samples, ramps[0], noise, None)
    if not len(shapes):
        return shapes, best
    anchor, filled = shapes.pose.numpy(), shapes.filled.numpy()
    damping = np.full((len(shapes), 1), 1e-2, np.float32)
    for ramp, following in zip(ramps, [*ramps[1:], ramps[-1]], strict=True):
        pose = _bounded(best.pose, _step(best, damping), anchor, filled)
        if ramp == ramps[-1] and _still(pose, best.pose):
            break
        trial = linearise(shapes.with_pose(torch.from_numpy(pose)), samples, following, noise, best.weight)
        if following != ramp:  # the yardstick changes, so the costs cannot be compared
            best = trial
            continue
        better = trial.cost < best.cost
        best = trial.where(better, best)
        damping = (damping * np.where(better, 0.3, 5.0)[:, None]).clip(1e-5, 1e3).astype(np.float32)
    return shapes.with_pose(torch.from_numpy(best.pose)), best


def linearise(shapes: Shapes, samples: Samples, ramp: float, noise: float, weight: Floats | None) -> Fitted:
    """Colours, residual and robust cost at this pose, with the normal equations of the next step."""
    pose, there = shapes.pose.numpy(), samples.there.numpy()
    outlined = (~shapes.filled).numpy().astype(pose.dtype)[:, None]
    signed, slopes = (t.numpy() for t in distances_and_slopes(shapes, samples.x, samples.y))
    tau, reach = pose[:, TAU, None], shapes.reach.numpy()[:, None]
    scaled = signed / ramp
    outer, inner = _unit(0.5 + tau / ramp - scaled), _unit(0.5 - tau / ramp - scaled)
    ground, hollow = 1 - outer, inner * outlined  # the inside of an outline shows what is behind it
    px, py = (samples.x.numpy() - pose[:, CX, None]) / reach, (samples.y.numpy() - pose[:, CY, None]) / reach
    values, bare, within = samples.values.numpy(), ground, inner
    clear, under = (None if t is None else t.numpy() for t in (samples.clear, samples.under))
    if clear is not None and under is not None:
        values = values - (ground + hollow)[:, None] * under
        bare, within = ground * clear, inner + hollow * (clear - 1)
    basis = np.stack([bare, bare * px, bare * py, outer - inner, within], 1)
    colours, residual = solve_colours(basis, values, there, weight, noise)
    constant, stroke, inside = colours[:, 0], colours[:, STROKE], colours[:, INSIDE]
    paint = inside + outlined * (stroke - inside)
    beside, behind = edge_colours(colours, px, py, outlined, clear, under)
    left = grid(residual)
    beyond = there * _within(signed - (tau + CLEAR_OF), 1.2)
    departure = departures(beyond, left, paint - constant, noise)
    beside += departure
    left -= grid(ground)[:, None] * departure[:, :, None]
    if outlined.any():
        beyond = there * outlined * _within(signed + (tau + CLEAR_OF), 1.2)
        departure = departures(beyond, left, stroke - inside, noise)
        behind += departure
        left -= grid(hollow)[:, None] * departure[:, :, None]
    squared = np.einsum("ncar,ncar->nar", left, left).reshape(there.shape)
    limit = np.square(belief_limit(paint - constant, noise, ramp))
    trust = limit / (squared + limit)
    sure = trust * trust
    shown, cost = there, there * squared * trust
    if samples.taken is not None:
        # where the shape should be, looks wrong, and another one is, it may lie behind that one
        shown = there * (1 - samples.taken.numpy() * (outer - hollow) * (1 - sure))
        cost = shown * squared * trust + (there - shown) * (HIDDEN * limit)
    weight = shown * sure
    edges = _Edges(
        rise=(paint[:, :, None] - beside) / ramp,
        fall=outlined[:, :, None] * (behind - stroke[:, :, None]) / ramp,
        outer=grid(np.sign(outer * ground)),
        inner=grid(np.sign(inner - inner * inner)),
    )
    hessian, slope = edges.normal_equations(slopes, grid(weight), left, outlined)
    return Fitted(
        pose, colours, paint, beside, behind, signed, squared, shown, weight, cost.sum(1), hessian, slope
    )


@dataclass(frozen=True)
class _Edges:
    """How the colours change when the outline moves outwards by a pixel."""

    rise: Floats  # (N, 3, RAYS): at the outer edge
    fall: Floats  # (N, 3, RAYS): at the inner edge of a stroke
    outer: Floats  # (N, ROWS, RAYS): 1 for samples on the outer edge, else 0
    inner: Floats  # the same for the inner edge

    def normal_equations(
        self, slopes: Floats, weight: Floats, residual: Floats, outlined: Floats
    ) -> tuple[Floats, Floats]:
        """J'J (N, G, G) and -J'r (N, G). A thicker stroke moves the two edges apart.

        slopes: of the distance (N, G, M). weight: (N, ROWS, RAYS). residual: (N, 3, ROWS, RAYS).
        """
        outer, inner = weight * self.outer, weight * self.inner
        rises = outer * dot(self.rise, self.rise)[:, None]
        falls = inner * dot(self.fall, self.fall)[:, None]
        both = outer * self.inner * (2 * dot(self.rise, self.fall))[:, None]
        rising = outer * np.einsum("ncar,ncr->nar", residual, self.rise)
        falling = inner * np.einsum("ncar,ncr->nar", residual, self.fall)
        count, columns, samples = slopes.shape
        right = np.empty((count, columns + 2, samples), slopes.dtype)
        np.multiply(slopes, (rises + falls + both).reshape(count, 1, samples), out=right[:, :columns])
        grid(right)[:, columns] = outlined[:, :, None] * (falls - rises)
        grid(right)[:, columns + 1] = -(rising + falling)
        product = slopes @ right.transpose(0, 2, 1)
        hessian, by_tau, slope = product[:, :, :columns], product[:, :, columns], product[:, :, columns + 1]
        hessian[:, TAU] += by_tau
        hessian[:, :, TAU] += by_tau
        hessian[:, TAU, TAU] += outlined[:, 0] * (rises + falls - both).sum((1, 2))
        slope[:, TAU] += outlined[:, 0] * (rising - falling).sum((1, 2))
        return hessian, slope


def _unit(values: Floats) -> Floats:
    """Cut off below 0 and above 1, in place."""
    return np.clip(values, 0, 1, out=values)


def _within(distance: Floats, limit: float) -> NDArray[np.bool_]:
    return np.abs(distance) < limit


def _step(fitted: Fitted, damping: Floats) -> Floats:
    """(N, G): where Levenberg-Marquardt goes from here."""
    diagonal = np.einsum("ngg->ng", fitted.hessian)
    floor = 1e-5 * diagonal.max(1, keepdims=True) + 1e-8
    system = fitted.hessian.copy()
    np.einsum("ngg->ng", system)[:] += damping * diagonal + floor
    move: Floats = np.linalg.solve(system, fitted.slope[..., None])[..., 0]
    return move


def _still(pose: Floats, other: Floats) -> bool:
    """Whether no outline is more than STILL pixels from where it was."""
    arm = np.exp(pose[:, LOG_W : LOG_H + 1]).max(1, keepdims=True) / 2
    off = np.abs(pose - other)
    off[:, LOG_W:TAU] *= arm
    off[:, TAU + 1 :] *= arm
    return bool(off.max() < STILL)


def _bounded(pose: Floats, move: Floats, anchor: Floats, filled: NDArray[np.bool_]) -> Floats:
    """Take the step, but no further than the linear picture holds."""
    centre, sides = slice(CX, CY + 1), slice(LOG_W, LOG_H + 1)
    size = np.exp(pose[:, sides].min(1, keepdims=True))
    limit = np.full_like(move, 0.25)
    limit[:, centre] = (0.15 * size).clip(0.5, 3.0)
    limit[:, TAU] = np.minimum(0.1 * size, 1.5)[:, 0]
    new: Floats = pose + move.clip(-limit, limit)
    change = (new[:, sides] - anchor[:, sides]).clip(-0.9, 0.9)
    new[:, sides] = np.maximum(anchor[:, sides] + change, 0.7)
    thickest = 0.25 * np.exp(new[:, sides].min(1))
    new[:, TAU] = np.minimum(np.maximum(new[:, TAU], THIN), thickest) * ~filled
    return new
