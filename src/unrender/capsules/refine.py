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
from unrender.capsules.outline import ACROSS, INNER, OUTER, RAYS, ROWS, sample_points
from unrender.capsules.pyramid import Pyramid

STROKE, INSIDE = 3, 4  # rows of the colour coefficients; the first three are the plane of the ground
HIDDEN = 0.15  # what a sample costs that the shape hides behind another one, of the most it could
CLEAR_OF = 2.4  # px from an edge: here the colour beside it is not mixed with its own
NEAR = 2.3  # px from an edge: what lies further off does not say where it is
THIN = 0.3  # px: thinner half strokes cannot be told from fainter ones
_LOWEST = torch.tensor([0.0, -1.0, -1.0, 0.0, 0.0])[:, None]  # that the colour coefficients may be
_HIGHEST = torch.ones(5, 1)
_RIDGE = torch.tensor([1e-3, 0.5, 0.5, 1e-3, 1e-3]).diag()


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
    signed: Tensor  # (N, M): the distances of the samples
    residual: Tensor  # (N, 3, M)
    shown: Tensor  # (N, M): 0 where the sample says nothing about the shape
    weight: Tensor  # (N, M): 0 where a sample is not believed
    cost: Tensor  # (N,)
    hessian: Tensor  # (N, G, G)
    slope: Tensor  # (N, G)

    def paint(self, filled: Tensor) -> Tensor:
        """(N, 3): the colour of each shape."""
        return torch.where(filled[:, None], self.colours[:, INSIDE], self.colours[:, STROKE])

    @property
    def near(self) -> Tensor:
        """(N, M): 1 for samples that are close to an edge, else 0."""
        tau = self.pose[:, TAU, None]
        return torch.maximum(_within(self.signed - tau, NEAR), _within(self.signed + tau, NEAR))

    def where(self, better: Tensor, other: Fitted) -> Fitted:
        """This fit where `better` (N,), else the other one."""
        if bool(better.all()):
            return self

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
    pose, tau = shapes.pose, shapes.pose[:, TAU, None]
    outlined = (~shapes.filled).to(pose.dtype)[:, None]
    signed, slopes = distances_and_slopes(shapes, samples.x, samples.y)
    outer = torch.sub(0.5 + tau / ramp, signed, alpha=1 / ramp).clamp_(0, 1)
    inner = torch.sub(0.5 - tau / ramp, signed, alpha=1 / ramp).clamp_(0, 1)
    ground, hollow = 1 - outer, inner * outlined  # the inside of an outline shows what is behind it
    reach = shapes.reach[:, None]
    px, py = (samples.x - pose[:, CX, None]) / reach, (samples.y - pose[:, CY, None]) / reach
    values, bare, within = samples.values, ground, inner
    if samples.clear is not None and samples.under is not None:
        values = torch.addcmul(values, (ground + hollow)[:, None], samples.under, value=-1)
        bare, within = ground * samples.clear, torch.lerp(inner, inner * samples.clear, outlined)
    basis = torch.stack([bare, bare * px, bare * py, outer - inner, within], 1)
    colours, residual = _solve_colours(basis, values, samples.there, weight, noise)
    stroke, inside = colours[:, STROKE], colours[:, INSIDE]
    paint = torch.lerp(inside, stroke, outlined)
    beyond = samples.there * _within(signed - (tau + CLEAR_OF), 1.2)
    departure = _departure(beyond, residual, paint - colours[:, 0], noise)
    _grid(residual).addcmul_(_grid(ground)[:, None], departure[:, :, None], value=-1)
    beyond = samples.there * outlined * _within(signed + (tau + CLEAR_OF), 1.2)
    departure_within = _departure(beyond, residual, outlined * (stroke - inside), noise)
    _grid(residual).addcmul_(_grid(hollow)[:, None], departure_within[:, :, None], value=-1)
    squared = _dot(residual, residual)
    limit = _limit(colours, shapes.filled, noise, ramp)[:, None].square()
    trust = limit / (squared + limit)
    sure = trust * trust
    shown, cost = samples.there, samples.there * squared * trust
    if samples.taken is not None:
        shown = samples.shown(outer - hollow, 1 - sure)
        cost = shown * squared * trust + (samples.there - shown) * HIDDEN * limit
    weight = shown * sure
    beside, behind = _colours_at_the_edges(
        colours, samples, _grid(px)[:, OUTER], _grid(py)[:, OUTER], outlined
    )
    beside, behind = beside + departure, behind + departure_within
    rise, fall = paint[:, :, None] - beside, (behind - stroke[:, :, None]) * outlined[:, :, None]
    band_outer, band_inner = (outer * ground).sign_(), (inner - inner * inner).sign_()
    hessian, slope = _normal_equations(
        slopes,
        residual,
        rise / ramp,
        fall / ramp,
        weight * band_outer,
        weight * band_inner,
        band_inner,
        outlined,
    )
    return Fitted(pose, colours, beside, behind, signed, residual, shown, weight, cost.sum(1), hessian, slope)


def _colours_at_the_edges(
    colours: Tensor, samples: Samples, px: Tensor, py: Tensor, outlined: Tensor
) -> tuple[Tensor, Tensor]:
    """(N, 3, RAYS) each: what the ground shows just outside, and what the inside shows just within."""
    constant, by_x, by_y = colours[:, :3, :, None].unbind(1)
    beside = torch.addcmul(torch.addcmul(constant, by_x, px[:, None]), by_y, py[:, None])
    behind = colours[:, INSIDE, :, None].expand_as(beside)
    if samples.clear is not None and samples.under is not None:
        clear, under = _grid(samples.clear)[:, None], _grid(samples.under)
        beside = beside * clear[:, :, OUTER] + under[:, :, OUTER]
        behind = torch.lerp(behind, behind * clear[:, :, INNER] + under[:, :, INNER], outlined[:, :, None])
    return beside, behind


def _normal_equations(
    slopes: Tensor,
    residual: Tensor,
    rise: Tensor,
    fall: Tensor,
    at_outer: Tensor,
    at_inner: Tensor,
    band_inner: Tensor,
    outlined: Tensor,
) -> tuple[Tensor, Tensor]:
    """J'J (N, G, G) and J'r (N, G).

    Growing by a pixel changes the colours by `rise` at the outer and by `fall` at the inner edge, both
    (N, 3, RAYS); a thicker stroke moves the two apart. The weights (N, M) are those of samples on each edge.
    """
    outer, inner = _grid(at_outer), _grid(at_inner)
    grid = _grid(residual)
    rises = outer * _dot(rise, rise)[:, None]
    falls = inner * _dot(fall, fall)[:, None]
    both = outer * _grid(band_inner) * (2 * _dot(rise, fall))[:, None]
    rising, falling = outer * _dot(grid, rise[:, :, None]), inner * _dot(grid, fall[:, :, None])
    apart = outlined * (falls - rises).flatten(1)
    weighted = slopes * (rises + falls + both).flatten(1)[:, None]
    right = torch.cat([weighted, apart[:, None], -(rising + falling).flatten(1)[:, None]], 1)
    product = slopes @ right.transpose(1, 2)
    hessian, cross, slope = product[:, :, :-2], product[:, :, -2], product[:, :, -1]
    hessian[:, TAU] += cross
    hessian[:, :, TAU] += cross
    hessian[:, TAU, TAU] += outlined[:, 0] * (rises + falls - both).sum((1, 2))
    slope[:, TAU] += outlined[:, 0] * (rising - falling).sum((1, 2))
    return hessian, slope


def _grid(samples: Tensor) -> Tensor:
    """(..., M) -> (..., ROWS, RAYS)"""
    return samples.reshape(*samples.shape[:-1], ROWS, RAYS)


def _dot(one: Tensor, other: Tensor) -> Tensor:
    """The product over the channels: (N, 3, ...) -> (N, ...)"""
    return (one * other).sum(1)


def _within(distance: Tensor, limit: float) -> Tensor:
    """1 where the distance is smaller than the limit, else 0; in arithmetic, as comparing is slow."""
    return (limit - distance.abs()).sign_().clamp_min_(0)


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
    rounds = (0.6, 0.3, 0.0) if weight is None else (0.0,)
    weight = shown if weight is None else weight * shown
    both = torch.cat([basis, values], 1).transpose(1, 2)
    for limit in rounds:
        normal, right = ((basis * weight[:, None]) @ both).split([5, 3], 2)
        colours = torch.linalg.solve(normal + _RIDGE, right).clamp(_LOWEST, _HIGHEST)
        residual = torch.baddbmm(values, colours.transpose(1, 2), basis, alpha=-1)
        if limit:
            square = (limit + 4.0 * noise) ** 2
            weight = shown * (square / (_dot(residual, residual) + square)).square()
    return colours, residual


def _departure(counted: Tensor, residual: Tensor, toward: Tensor, noise: float) -> Tensor:
    """(N, 3, RAYS): by how much the `counted` samples (N, M) of each ray differ from what is drawn, where
    they clearly do.

    Not where it differs `toward` (N, 3) the colour of the shape: there the shape is not large enough.
    """
    free, left = _grid(counted)[:, None, :ACROSS], _grid(residual)[:, :, :ACROSS]
    count = free.sum(2).clamp_min(1)
    mean = (free * left).sum(2) / count
    size = _dot(mean, mean)
    clear = size.sqrt() > 0.03 + 5.0 * noise / count[:, 0].sqrt()
    square = _dot(toward, toward).clamp_min(1e-4)[:, None]
    along = _dot(mean, toward[:, :, None]) / square
    clear &= (along < 0.3) | (size / square - along * along > 0.1)
    return mean * clear[:, None]


def _bounded(pose: Tensor, move: Tensor, anchor: Tensor, filled: Tensor) -> Tensor:
    """Take the step, but no further than the linear picture holds."""
    centre, sides = slice(CX, CY + 1), slice(LOG_W, LOG_H + 1)
    size = pose[:, sides].amin(1, keepdim=True).exp()
    limit = torch.full_like(move, 0.25)
    limit[:, centre] = (0.15 * size).clamp(0.5, 3.0)
    limit[:, TAU] = (0.1 * size).clamp_max(1.5)[:, 0]
    new = pose + move.clamp(-limit, limit)
    change = (new[:, sides] - anchor[:, sides]).clamp(-0.9, 0.9)
    new[:, sides] = (anchor[:, sides] + change).clamp_min(0.7)
    thickest = 0.25 * new[:, sides].amin(1).exp()
    new[:, TAU] = torch.minimum(new[:, TAU].clamp_min(THIN), thickest) * ~filled
    return new
