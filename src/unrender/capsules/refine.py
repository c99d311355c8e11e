"""Refinement: ||g(γ(α)) - α|| minimised directly (Equation Inv), for all candidates in one batch.

Levenberg-Marquardt on the pose. The colours of ground, stroke and inside are linear given the pose, so
they are solved for at every step instead of being searched (variable projection). The ground is a plane
of colour, from which single rays may depart: there something else lies beside the shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

import torch
from torch import Tensor

from unrender.capsules.geometry import CX, CY, LOG_H, LOG_W, TAU, Shapes, distances_and_slopes
from unrender.capsules.outline import ACROSS, RAYS, sample_points
from unrender.capsules.pyramid import Pyramid

STROKE, INSIDE = 3, 4  # rows of the colour coefficients; the first three are the plane of the ground
THIN = 0.3  # px: thinner half strokes cannot be told from fainter ones
_CROSSING = RAYS * ACROSS  # samples across the outline; the rest lie deep inside


@dataclass(frozen=True)
class Samples:
    """What each candidate sees: pixels of its pyramid level around its outline."""

    values: Tensor  # (N, M, 3)
    x: Tensor  # (N, M) pixel centres, in pixels of the level
    y: Tensor
    there: Tensor  # (N, M): 1 in the picture, 0 outside

    @classmethod
    def around(cls, pyramid: Pyramid, shapes: Shapes, level: Tensor) -> Samples:
        values, x, y, there = pyramid.read(level, *sample_points(shapes))
        believed = there.to(values.dtype)
        believed[:, _CROSSING:] *= shapes.filled[:, None]  # the inside of an outline is not its own
        return cls(values, x, y, believed)


@dataclass(frozen=True)
class Fitted:
    """Poses with the colours that explain the samples best, and what is left over."""

    pose: Tensor  # (N, G)
    colours: Tensor  # (N, 5, 3): ground (constant, by x, by y), stroke, inside
    beside: Tensor  # (N, RAYS, 3): the ground's colour at each ray
    residual: Tensor  # (N, M, 3)
    weight: Tensor  # (N, M): 0 where a sample is not believed
    cost: Tensor  # (N,)
    hessian: Tensor  # (N, G, G)
    slope: Tensor  # (N, G)

    def paint(self, filled: Tensor) -> Tensor:
        """(N, 3): the colour of each shape."""
        return torch.where(filled[:, None], self.colours[:, INSIDE], self.colours[:, STROKE])

    def where(self, better: Tensor, other: Fitted) -> Fitted:
        """This fit where `better` (N,), else the other one."""

        def pick(name: str) -> Tensor:
            mine, theirs = getattr(self, name), getattr(other, name)
            return torch.where(better.reshape(-1, *[1] * (mine.ndim - 1)), mine, theirs)

        return Fitted(*(pick(f.name) for f in fields(Fitted)))


def refine(
    pyramid: Pyramid,
    shapes: Shapes,
    level: Tensor,
    ramps: Sequence[float],
    noise: float,
    hidden: Callable[[Tensor, Tensor], Tensor] | None = None,
) -> tuple[Shapes, Fitted, Samples]:
    """Fit each shape to its level's pixels; shapes are in pixels of their level.

    ramps: the width in pixels of the soft edge in each step; wide edges pull from afar.
    noise: the standard deviation of the picture's noise.
    hidden: tells which of the points x, y (N, M) lie behind another shape.
    """
    samples = Samples.around(pyramid, shapes, level)
    if hidden is not None:
        samples = replace(samples, there=samples.there * ~hidden(samples.x, samples.y))
    best = linearise(shapes, samples, ramps[0], noise, None)
    damping = torch.full((len(shapes),), 1e-2)
    for step, ramp in enumerate(ramps):
        diagonal = best.hessian.diagonal(dim1=1, dim2=2)
        floor = 1e-5 * diagonal.amax(1, keepdim=True) + 1e-8
        system = best.hessian + torch.diag_embed(damping[:, None] * diagonal + floor)
        move = torch.linalg.solve(system, best.slope)
        trial_pose = _bounded(best.pose, move, shapes.pose, shapes.filled)
        trial = linearise(shapes.with_pose(trial_pose), samples, ramp, noise, best.weight)
        better = trial.cost < best.cost
        best = trial.where(better, best)
        damping = torch.where(better, damping * 0.3, damping * 5.0).clamp(1e-5, 1e3)
        following = ramps[min(step + 1, len(ramps) - 1)]
        if following != ramp:  # the yardstick changes: measure again
            best = linearise(shapes.with_pose(best.pose), samples, following, noise, best.weight)
    return shapes.with_pose(best.pose), best, samples


def linearise(
    shapes: Shapes, samples: Samples, ramp: float, noise: float, weight: Tensor | None
) -> Fitted:
    """Colours, residual and robust cost at this pose, with the normal equations of the next step."""
    pose = shapes.pose
    signed, slopes = distances_and_slopes(shapes, samples.x, samples.y)
    tau = pose[:, TAU, None]
    outer_edge, inner_edge = (signed - tau) / ramp, (signed + tau) / ramp
    outer, inner = (0.5 - outer_edge).clamp(0, 1), (0.5 - inner_edge).clamp(0, 1)
    ground = 1 - outer
    reach = shapes.reach[:, None]
    px, py = (samples.x - pose[:, CX, None]) / reach, (samples.y - pose[:, CY, None]) / reach
    basis = torch.stack([ground, ground * px, ground * py, outer - inner, inner], -1)
    colours, residual, weight = _solve_colours(basis, samples, weight, noise)
    departure = _departure(ground, residual, samples.there, noise)
    residual = residual - ground[..., None] * departure
    squared = residual.square().sum(-1)
    limit = _limit(colours, shapes.filled, noise, ramp)[:, None].square()
    cost = (samples.there * (squared * limit / (squared + limit))).sum(1)
    weight = samples.there * (limit / (squared + limit)).square()

    plane = colours[:, None, 0] + px[..., None] * colours[:, None, 1] + py[..., None] * colours[:, None, 2]
    beside = plane + departure
    outer_band = (outer_edge.abs() < 0.5).to(signed.dtype) / ramp
    inner_band = (inner_edge.abs() < 0.5).to(signed.dtype) / ramp
    filled = shapes.filled[:, None, None]
    first = torch.where(filled, colours[:, None, INSIDE], colours[:, None, STROKE])
    rise = outer_band[..., None] * (first - beside)
    fall = inner_band[..., None] * torch.where(
        filled, torch.zeros_like(first), colours[:, None, INSIDE] - colours[:, None, STROKE]
    )
    by_distance, by_tau = -(rise + fall), rise - fall
    moved = slopes * (weight * by_distance.square().sum(-1))[..., None]
    hessian = slopes.transpose(1, 2) @ moved
    cross = (slopes * (weight * (by_distance * by_tau).sum(-1))[..., None]).sum(1)
    hessian[:, TAU] += cross
    hessian[:, :, TAU] += cross
    hessian[:, TAU, TAU] += (weight * by_tau.square().sum(-1)).sum(1)
    slope = (slopes * (weight * (by_distance * residual).sum(-1))[..., None]).sum(1)
    slope[:, TAU] += (weight * (by_tau * residual).sum(-1)).sum(1)
    at_rays = beside[:, :_CROSSING].unflatten(1, (RAYS, ACROSS))[:, :, -1]
    return Fitted(pose, colours, at_rays, residual, weight, cost, hessian, slope)


def contrast(colours: Tensor, filled: Tensor) -> Tensor:
    """(N,): how far the shape's colour is from its ground, over three channels."""
    paint = torch.where(filled[:, None], colours[:, INSIDE], colours[:, STROKE])
    return (paint - colours[:, 0]).norm(dim=-1)


def _limit(colours: Tensor, filled: Tensor, noise: float, ramp: float) -> Tensor:
    """(N,): the residual at which a sample stops being believed; while edges are soft, much is."""
    return (0.35 * ramp * contrast(colours, filled)).clamp_min(0.05 + 4.0 * noise)


def _solve_colours(
    basis: Tensor, samples: Samples, weight: Tensor | None, noise: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Robust least squares for the colours: (N, 5, 3), residuals (N, M, 3) and weights (N, M)."""
    ridge = torch.diag_embed(torch.tensor([1e-3, 0.5, 0.5, 1e-3, 1e-3]))
    rounds = (0.6, 0.3, 0.2) if weight is None else (0.2,)
    weight = samples.there if weight is None else weight
    for limit in rounds:
        weighted = (basis * weight[..., None]).transpose(1, 2)
        colours = torch.linalg.solve(weighted @ basis + ridge, weighted @ samples.values)
        colours = colours.clamp(-1, 1)
        colours[:, [0, STROKE, INSIDE]] = colours[:, [0, STROKE, INSIDE]].clamp(0, 1)
        residual = samples.values - basis @ colours
        square = (limit + 4.0 * noise) ** 2
        weight = samples.there * (square / (residual.square().sum(-1) + square)).square()
    return colours, residual, weight


def _departure(ground: Tensor, residual: Tensor, there: Tensor, noise: float) -> Tensor:
    """(N, M, 3): by how much the ground at each ray differs from the plane, where it clearly does."""
    free = (there * (ground > 0.9))[:, :_CROSSING].unflatten(1, (RAYS, ACROSS))
    count = free.sum(2)
    left = residual[:, :_CROSSING].unflatten(1, (RAYS, ACROSS))
    mean = (free[..., None] * left).sum(2) / count.clamp_min(1)[..., None]
    clear = mean.norm(dim=-1) > 0.03 + 5.0 * noise / count.clamp_min(1).sqrt()
    mean = mean * clear[..., None]
    across = mean[:, :, None].expand(-1, -1, ACROSS, -1).flatten(1, 2)
    deep = mean[:, :, None].expand(-1, -1, (ground.shape[1] - _CROSSING) // RAYS, -1).flatten(1, 2)
    return torch.cat([across, deep], 1)


def _bounded(pose: Tensor, move: Tensor, anchor: Tensor, filled: Tensor) -> Tensor:
    """Take the step, but no further than the linear picture holds."""
    size = torch.exp(torch.minimum(pose[:, LOG_W], pose[:, LOG_H]))
    limit = torch.full_like(move, 0.25)
    limit[:, [CX, CY]] = (0.15 * size).clamp(0.5, 3.0)[:, None]
    limit[:, TAU] = (0.1 * size).clamp_max(1.5)
    new = pose + torch.maximum(torch.minimum(move, limit), -limit)
    sides = [LOG_W, LOG_H]
    new[:, sides] = anchor[:, sides] + (new - anchor)[:, sides].clamp(-0.9, 0.9)
    new[:, sides] = new[:, sides].clamp_min(0.7)
    thickest = 0.25 * torch.exp(torch.minimum(new[:, LOG_W], new[:, LOG_H]))
    tau = torch.minimum(new[:, TAU].clamp_min(THIN), thickest)
    new[:, TAU] = torch.where(filled, torch.zeros_like(tau), tau)
    return new
