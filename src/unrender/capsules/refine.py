"""Refinement: ||g(γ(α)) - α|| minimised directly (Equation Inv), for all candidates in one batch.

Levenberg-Marquardt on the pose. The colours of ground, stroke and inside are linear given the pose, so
they are solved for at every step instead of being searched (variable projection). The ground is a plane
of colour, from which single rays may depart: there something else lies beside the shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import torch
from torch import Tensor

from unrender.capsules.geometry import CX, CY, LOG_H, LOG_W, TAU, Shapes, distances_and_slopes
from unrender.capsules.outline import ACROSS, RAYS, sample_points
from unrender.capsules.pyramid import Pyramid

STROKE, INSIDE = 3, 4  # rows of the colour coefficients; the first three are the plane of the ground
HIDDEN = 0.15  # what a sample costs that the shape hides behind another one, of the most it could
CLEAR_OF = 2.4  # px from an edge: here the colour beside it is not mixed with its own
NEAR = 2.3  # px from an edge: what lies further off does not say where it is
THIN = 0.3  # px: thinner half strokes cannot be told from fainter ones
_CROSSING = RAYS * ACROSS  # samples across the outline; the rest lie deep inside


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
        believed[:, _CROSSING:] *= shapes.filled[:, None]  # the inside of an outline is not its own
        hidden = None if taken is None else taken.read(level, x, y)[0][:, 0]
        return cls(values, x, y, believed, hidden)

    def shown(self, painted: Tensor, wrong: Tensor) -> Tensor:
        """(N, M): how much each sample counts for a shape that would paint this much of it (N, M).

        Where the shape should be, looks wrong, and another one is, it may lie behind that one: this says
        nothing.
        """
        return self.there if self.taken is None else self.there * (1 - self.taken * painted * wrong)


@dataclass(frozen=True)
class Fitted:
    """Poses with the colours that explain the samples best, and what is left over."""

    pose: Tensor  # (N, G)
    colours: Tensor  # (N, 5, 3): ground (constant, by x, by y), stroke, inside
    beside: Tensor  # (N, 3, RAYS): the ground's colour at each ray
    behind: Tensor  # (N, 3, RAYS): what the inside of an outline shows there
    residual: Tensor  # (N, 3, M)
    shown: Tensor  # (N, M): 0 where the sample says nothing about the shape
    near: Tensor  # bool (N, M): close to an edge
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
    damping = torch.full((len(shapes),), 1e-2)
    if not len(shapes):
        return shapes, best
    for ramp, following in zip(ramps, [*ramps[1:], ramps[-1]], strict=True):
        diagonal = best.hessian.diagonal(dim1=1, dim2=2)
        floor = 1e-5 * diagonal.amax(1, keepdim=True) + 1e-8
        system = best.hessian + torch.diag_embed(damping[:, None] * diagonal + floor)
        move = torch.linalg.solve(system, best.slope)
        trial_pose = _bounded(best.pose, move, shapes.pose, shapes.filled)
        trial = linearise(shapes.with_pose(trial_pose), samples, following, noise, best.weight)
        if following != ramp:  # the yardstick changes, so the costs cannot be compared
            best = trial
            continue
        better = trial.cost < best.cost
        best = trial.where(better, best)
        damping = torch.where(better, damping * 0.3, damping * 5.0).clamp(1e-5, 1e3)
    return shapes.with_pose(best.pose), best


def linearise(shapes: Shapes, samples: Samples, ramp: float, noise: float, weight: Tensor | None) -> Fitted:
    """Colours, residual and robust cost at this pose, with the normal equations of the next step."""
    pose = shapes.pose
    signed, slopes = distances_and_slopes(shapes, samples.x, samples.y)
    tau = pose[:, TAU, None]
    outer_edge, inner_edge = (signed - tau) / ramp, (signed + tau) / ramp
    outer, inner = (0.5 - outer_edge).clamp(0, 1), (0.5 - inner_edge).clamp(0, 1)
    ground = 1 - outer
    reach = shapes.reach[:, None]
    px, py = (samples.x - pose[:, CX, None]) / reach, (samples.y - pose[:, CY, None]) / reach
    outlined = ~shapes.filled[:, None]
    see_through = ground + inner * outlined  # the inside of an outline shows what is behind it
    clear, under, values = torch.ones_like(ground), None, samples.values
    if samples.clear is not None and samples.under is not None:
        clear, under = samples.clear, samples.under
        values = values - see_through[:, None] * under
    bare = ground * clear
    within_bare = torch.where(outlined, inner * clear, inner)
    basis = torch.stack([bare, bare * px, bare * py, outer - inner, within_bare], 1)
    colours, residual = _solve_colours(basis, values, samples.there, weight, noise)
    toward = torch.where(outlined, colours[:, STROKE], colours[:, INSIDE]) - colours[:, 0]
    beyond = samples.there * ((signed - tau - CLEAR_OF).abs() < 1.2)
    departure = _departure(beyond, residual, toward, noise)  # (N, 3, M)
    residual = residual - ground[:, None] * departure
    beyond = samples.there * ((signed + tau + CLEAR_OF).abs() < 1.2)
    toward = (colours[:, STROKE] - colours[:, INSIDE]) * outlined
    within_departure = _departure(beyond * outlined, residual, toward, noise)
    residual = residual - (inner * outlined)[:, None] * within_departure
    squared = residual.square().sum(1)
    limit = _limit(colours, shapes.filled, noise, ramp)[:, None].square()
    trust = limit / (squared + limit)
    shown = samples.shown(torch.where(outlined, outer - inner, outer), 1 - trust.square())
    cost = (shown * squared * trust + (samples.there - shown) * HIDDEN * limit).sum(1)
    weight = shown * trust.square()

    plane = colours[:, 0, :, None] + torch.einsum("nkc,nkm->ncm", colours[:, 1:3], torch.stack([px, py], 1))
    beside = plane * clear[:, None] + departure
    outer_band = (outer_edge.abs() < 0.5).to(signed.dtype) / ramp
    inner_band = (inner_edge.abs() < 0.5).to(signed.dtype) / ramp
    stroke, within = colours[:, STROKE, :, None], colours[:, INSIDE, :, None]
    if under is not None:
        beside = beside + under
        within = torch.where(outlined[:, None], within * clear[:, None] + under, within)
    within = within + within_departure
    filled = shapes.filled[:, None, None]
    rise = outer_band[:, None] * (torch.where(filled, within, stroke) - beside)
    fall = inner_band[:, None] * torch.where(filled, torch.zeros_like(within), within - stroke)
    by_distance, by_tau = -(rise + fall), (rise - fall) * outlined[:, None]

    def along(values: Tensor) -> Tensor:
        """Σ over the samples of slope · weight · values: (N, M) -> (N, G)."""
        return (slopes @ (weight * values)[..., None])[..., 0]

    hessian = (slopes * (weight * by_distance.square().sum(1))[:, None]) @ slopes.transpose(1, 2)
    cross = along((by_distance * by_tau).sum(1))
    hessian[:, TAU] += cross
    hessian[:, :, TAU] += cross
    hessian[:, TAU, TAU] += (weight * by_tau.square().sum(1)).sum(1)
    slope = along((by_distance * residual).sum(1))
    slope[:, TAU] += (weight * (by_tau * residual).sum(1)).sum(1)
    at_rays = slice(ACROSS - 1, _CROSSING, ACROSS)
    behind = within.expand_as(beside)[:, :, at_rays]
    near = ((signed - tau).abs() < NEAR) | ((signed + tau).abs() < NEAR)
    return Fitted(
        pose, colours, beside[:, :, at_rays], behind, residual, shown, near, weight, cost, hessian, slope
    )


def contrast(colours: Tensor, filled: Tensor) -> Tensor:
    """(N,): how far the shape's colour is from its ground, over three channels."""
    paint = torch.where(filled[:, None], colours[:, INSIDE], colours[:, STROKE])
    distance: Tensor = torch.linalg.vector_norm(paint - colours[:, 0], dim=-1)
    return distance


def _limit(colours: Tensor, filled: Tensor, noise: float, ramp: float) -> Tensor:
    """(N,): the residual at which a sample stops being believed; while edges are soft, much is."""
    return (0.35 * ramp * contrast(colours, filled)).clamp_min(0.05 + 4.0 * noise)


def _solve_colours(
    basis: Tensor, values: Tensor, shown: Tensor, weight: Tensor | None, noise: float
) -> tuple[Tensor, Tensor]:
    """Robust least squares for the colours: (N, 5, 3) and residuals (N, 3, M)."""
    ridge = torch.diag_embed(torch.tensor([1e-3, 0.5, 0.5, 1e-3, 1e-3]))
    rounds = (0.6, 0.3, 0.0) if weight is None else (0.0,)
    weight = shown if weight is None else weight * shown
    for limit in rounds:
        weighted = basis * weight[:, None]
        normal = weighted @ basis.transpose(1, 2) + ridge
        colours = torch.linalg.solve(normal, weighted @ values.transpose(1, 2))
        colours = colours.clamp(-1, 1)
        colours[:, [0, STROKE, INSIDE]] = colours[:, [0, STROKE, INSIDE]].clamp(0, 1)
        residual = values - colours.transpose(1, 2) @ basis
        if limit:
            square = (limit + 4.0 * noise) ** 2
            weight = shown * (square / (residual.square().sum(1) + square)).square()
    return colours, residual


def _departure(counted: Tensor, residual: Tensor, toward: Tensor, noise: float) -> Tensor:
    """(N, 3, M): by how much the `counted` samples (N, M) of each ray differ from what is drawn, where they
    clearly do.

    Not where it differs `toward` (N, 3) the colour of the shape: there the shape is not large enough.
    """
    free = counted[:, None, :_CROSSING].unflatten(2, (RAYS, ACROSS))
    count = free.sum(3)
    left = residual[:, :, :_CROSSING].unflatten(2, (RAYS, ACROSS))
    mean = (free * left).sum(3) / count.clamp_min(1)
    clear = mean.square().sum(1, keepdim=True).sqrt() > 0.03 + 5.0 * noise / count.clamp_min(1).sqrt()
    square = toward.square().sum(1).clamp_min(1e-4)
    along = torch.einsum("nc,ncr->nr", toward, mean) / square[:, None]
    left_over = (mean - along[:, None] * toward[:, :, None]).square().sum(1) / square[:, None]
    clear &= ((along < 0.3) | (left_over > 0.1))[:, None]
    mean = (mean * clear)[..., None]
    deep = (counted.shape[1] - _CROSSING) // RAYS
    return torch.cat(
        [mean.expand(-1, -1, -1, ACROSS).flatten(2), mean.expand(-1, -1, -1, deep).flatten(2)], 2
    )


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
