"""Refinement against pixels: the pose and the colours of one shape among others, by what they paint."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unrender.perception.budget import Budget
from unrender.perception.image.model import ImageModel
from unrender.perception.refine.caps import round_ended, straight_ended
from unrender.perception.refine.colours import CHROMA_SHARPNESS, coloured
from unrender.perception.refine.dashes import refine_dashes, without_gaps
from unrender.perception.refine.sides import CENTRED, DOUBT, MARGIN, side_equations, sides
from unrender.perception.refine.solver import Field, add_equations, advanced, gathered, slope_at
from unrender.perception.refine.stage import Stage
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats, nearest, pixel_area, pixels_near
from unrender.render.shape import ANGLE, TAU, Shape, Window

NEAR, FAR = 1.5, 2.5  # px from an edge: what lies further off says nothing about it; and if it may be far off
SMALLEST = 0.75  # px: half of the shortest side
THINNEST = 0.2  # px: half the width of the finest line
BELIEVED = 0.2  # px by which an edge may be off before it is doubted
HELD = 0.97  # of a distance at which slopes are taken: an edge between two pixels is held by both


@dataclass(frozen=True)
class Pass:
    """Damped Gauss-Newton steps on the pixels near the edges of a shape."""

    steps: int = 5
    believed: float = BELIEVED  # px by which an edge may be off before it is doubted
    reach: float = NEAR  # px from an edge to the pixels that are looked at


def refine(
    shape: Shape,
    stage: Stage,
    model: ImageModel,
    *passes: Pass,
    within: Window | None = None,
) -> Shape:
    """The shape after some passes over the pixels near its edges; colours by least squares after them and,
    from afar, before.

    within: the part of the picture to which a form is fitted; all else of it stays as it is, and its colours.
    """
    if shape.dashes is not None:
        if shape.primitive.formed:
            line = refine(replace(shape, dashes=None), without_gaps(shape, stage, model), model, *passes)
            shape = replace(line, dashes=shape.dashes)
        return refine_dashes(shape, stage, model)
    if shape.butt:
        better = refine(round_ended(shape), stage, model, *passes, within=within)
        return straight_ended(better) or better
    if within is None and passes[0].reach > NEAR:
        shape = coloured(shape, stage, model)
    if stage.budget is not None:
        stage.budget.refine(stage.shows.size, len(shape.form))
    near = _Near.of(shape, stage, model, passes[0].reach, within)
    for n, each in enumerate(passes):
        if n:
            near = near.within_reach(stage, model, each.reach, within)
        near = _descended(near, stage, model, each, within)
    return near.shape if within is not None else coloured(near.shape, stage, model)


def _descended(near: _Near, stage: Stage, model: ImageModel, how: Pass, within: Window | None) -> _Near:
    """The shape after one pass, in the colours that it has."""
    shape, rows, columns, most = near.shape, near.rows, near.columns, float(max(model.size))
    if len(rows) == 0:
        return near
    painted = (shape.fill is not None, shape.stroke is not None)
    fill, stroke = (np.zeros(3) if colour is None else colour for colour in (shape.fill, shape.stroke))
    rigid = shape.primitive.rigid
    if model.aliased:
        side = sides(
            rows, columns, *painted, fill, stroke, stage.image, stage.behind, stage.shows, model.sigma
        )
        for margin in (CENTRED, MARGIN):

            def wrong_sides(
                pose: Doubles, field: Field, hessian: Doubles, right: Doubles, margin: float = margin
            ) -> float:
                return side_equations(
                    *field.first, field.measured(pose[None]), pose, *painted, side, margin, DOUBT, rigid,
                    hessian, right,
                )  # fmt: skip

            near = near.descended(wrong_sides, 2 * how.steps, most, stage.budget)
        return near

    held = np.zeros(0, np.int64) if within is None else _elsewhere(shape, within)

    def mixtures(pose: Doubles, field: Field, hessian: Doubles, right: Doubles) -> float:
        return _pixel_equations(
            rows, columns, *field.first, field.measured(pose[None]), pose, *painted, fill, stroke,
            stage.image, stage.behind, stage.shows, stage.variance, model.sigma, model.edge_error,
            model.sharpness, CHROMA_SHARPNESS if model.chroma_halved else 1.0, model.chroma_weight,
            how.believed, rigid, held, hessian, right,
        )  # fmt: skip

    return near.descended(mixtures, how.steps, most, stage.budget)


def _elsewhere(shape: Shape, within: Window) -> NDArray[np.int64]:
    """Indices of the numbers of a vector that tell what lies beyond a window: those of nodes there, and the
    width of the stroke, which is that of all of it."""
    top, bottom, left, right = within
    if shape.primitive.places is None:
        return np.array([TAU])
    place = shape.primitive.places(shape.form)
    x, y, a, b = shape.pose[:ANGLE]
    cos, sin = np.cos(shape.pose[ANGLE]), np.sin(shape.pose[ANGLE])
    u, v = a * place[:, 0], b * place[:, 1]
    column, row = x + cos * u - sin * v, y + sin * u + cos * v
    outside = (column < left) | (column > right) | (row < top) | (row > bottom)
    return np.concatenate([[TAU], len(shape.pose) + np.flatnonzero(outside)])


Equations = Callable[[Doubles, Field, Doubles, Doubles], float]
"""The normal equations of some residual at a pose, written to (hessian, right); returns its cost."""


@dataclass(frozen=True, eq=False)
class _Near:
    """A shape and the pixels (N,) near its edges: their rows and columns in the window of a stage, and their
    centres on the canvas (1, N)."""

    shape: Shape
    rows: Doubles
    columns: Doubles
    x: Doubles
    y: Doubles
    signed: Doubles | None = None  # (N,): distances of the pixels to the outline, if they are known
    moved: float = 0.0  # px by which the outline has moved at one of them, at most, since they were found

    @classmethod
    def at(cls, shape: Shape, stage: Stage, rows: Doubles, columns: Doubles) -> _Near:
        top, _, left, _ = stage.window
        return cls(shape, rows, columns, (columns + (left + 0.5))[None], (rows + (top + 0.5))[None])

    @classmethod
    def of(cls, shape: Shape, stage: Stage, model: ImageModel, reach: float, within: Window | None) -> _Near:
        """All pixels no further than `reach` px from an edge: of those within a part of the picture, if it is
        told."""
        rows, columns = pixels_near(shape, stage.window, reach / min(model.sharpness, 1.0))
        if within is not None:
            top, bottom, left, right = within
            i, j = rows + stage.window[0], columns + stage.window[2]
            inside = (i >= top) & (i < bottom) & (j >= left) & (j < right)
            rows, columns = rows[inside], columns[inside]
        return cls.at(shape, stage, rows, columns)

    def within_reach(self, stage: Stage, model: ImageModel, reach: float, within: Window | None) -> _Near:
        """Those of the pixels that are no further from an edge, or all if it has moved away from them."""
        if self.signed is None or self.moved > FAR - reach:
            return _Near.of(self.shape, stage, model, reach, within)
        tau = float(self.shape.pose[TAU]) if self.shape.stroke is not None else 0.0
        far = reach / min(model.sharpness, 1.0)
        found = nearest(self.rows, self.columns, self.signed, tau, self.shape.fill is not None, far)
        return _Near.at(self.shape, stage, *found)

    def descended(self, equations: Equations, steps: int, most: float, budget: Budget | None) -> _Near:
        """The shape in the best pose of some damped Gauss-Newton steps, or of fewer if the budget is spent
        before: one step of a long outline may take as long as all of a small one. Half a side is `most` px at
        most."""
        shape, pose, kind = self.shape, self.shape.vector, self.shape.primitive
        field, size = Field(kind, 1, self.x.shape[1], shape.field, len(shape.form)), len(pose)
        (hessian, solve), (right, push), best = np.empty((2, size, size)), np.empty((2, size)), pose.copy()
        low, high = np.array([[each.low, each.high] for each in kind.own]).reshape(-1, 2).T.copy()
        told, thinnest = np.array([1e-3, np.inf]), 0.0 if shape.stroke is None else THINNEST
        first = None
        for _ in range(steps + 1):
            if budget is not None and not budget.step(self.x.shape[1], len(shape.form)):
                break
            field.at(pose[None], self.x, self.y)
            cost = equations(pose, field, hessian, right)
            first = field.signed[0].copy() if first is None else first
            if advanced(
                pose, best, hessian, right, solve, push, told, cost, kind.rigid, kind.symmetry.round,
                kind.closed, thinnest, THINNEST if kind.strokelike else SMALLEST, most, low, high,
            ):  # fmt: skip
                break
        if first is None:
            return self
        moved = self.moved + float(np.abs(field.signed[0] - first).max())
        return replace(self, shape=shape.posed(best), signed=field.signed[0], moved=moved)


@compiled
def _pixel_equations(
    rows: Doubles,
    columns: Doubles,
    x: Doubles,
    y: Doubles,
    signed: Doubles,
    nx: Doubles,
    ny: Doubles,
    which: NDArray[np.int64],
    pull: Doubles,
    measured: Doubles,
    pose: Doubles,
    filled: bool,
    stroked: bool,
    fill: Doubles,
    stroke: Doubles,
    image: Floats,
    behind: Floats,
    shows: Floats,
    variance: Floats,
    sigma: float,
    edge_error: float,
    sharpness: float,
    chroma_sharpness: float,
    chroma_weight: float,
    believed: float,
    rigid: bool,
    held: NDArray[np.int64],
    hessian: Doubles,
    right: Doubles,
) -> float:
    """JᵀWJ, -JᵀWr and the robust cost of the pixels, each of three channels, or of luma and chroma.

    A pixel shows behind + α_fill (fill - behind), and over that the stroke; it changes with the distance to
    the outline and with τ. Where luma and chroma are told apart (variance) the edges of chroma may be softer.
    held: the numbers that stay as they are.
    """
    size, cost = len(pose), 0.0
    hessian[:], right[:] = 0.0, 0.0
    cos, sin, tau = math.cos(pose[4]), math.sin(pose[4]), pose[5]
    slope, moved, by = np.zeros(size), np.zeros(size, np.int64), np.zeros(size)
    of_pixel, of_chroma = np.zeros((3, 3)), np.zeros((3, 3))  # residual, its slopes by d and by τ; channels
    for n in range(len(rows)):
        i, j = int(rows[n]), int(columns[n])
        seen = shows[i, j]
        if seen < 0.05:
            continue
        d = signed[n]
        ux, uy = cos * nx[n] - sin * ny[n], sin * nx[n] + cos * ny[n]
        edge, contrast = _residual(
            d, tau, ux, uy, sharpness, filled, stroked, fill, stroke,
            behind, image, i, j, seen, of_pixel,
        )  # fmt: skip
        error = edge_error * edge_error * edge * contrast
        if variance.size:
            if chroma_sharpness < 1:
                _residual(
                    d, tau, ux, uy, sharpness * chroma_sharpness, filled, stroked, fill, stroke,
                    behind, image, i, j, seen, of_chroma,
                )  # fmt: skip
            else:
                of_chroma[:] = of_pixel
            noise = variance[i, j, 0] + error
            _luma_and_chroma(of_pixel, of_chroma, chroma_weight * noise / (variance[i, j, 1] + error))
        else:
            noise = 3 * sigma * sigma + error
        gg, gh, hh, gr, hr, square = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for m in range(2 if variance.size else 1):
            part = of_chroma if m else of_pixel
            for c in range(3):
                square += part[0, c] * part[0, c]
                gg += part[1, c] * part[1, c]
                gh += part[1, c] * part[2, c]
                hh += part[2, c] * part[2, c]
                gr += part[1, c] * part[0, c]
                hr += part[2, c] * part[0, c]
        limit = 9 * noise + believed * believed * contrast
        trust = limit / (limit + square)
        cost += square / noise * trust
        if gg == 0 and hh == 0:
            continue
        weight = trust * trust / noise
        if not which.size:
            slope_at(pose, cos, sin, x[n], y[n], d, nx[n], ny[n], rigid, slope)
            if measured.size:
                for k in range(size):
                    if measured[0, n, k] == measured[0, n, k]:
                        slope[k] = measured[0, n, k]
        count = gathered(slope, which, pull, n, moved, by)
        add_equations(count, moved, by, weight * gg, -weight * gr, hessian, right)
        if stroked:
            right[5] -= weight * hr
            hessian[5, 5] += weight * hh
            for m in range(count):
                k = moved[m]
                if k > 5:
                    hessian[k, 5] += weight * gh * by[m]
                elif k < 5:
                    hessian[5, k] += weight * gh * by[m]
    for k in held:
        hessian[k, :], hessian[:, k], right[k] = 0.0, 0.0, 0.0
    return cost


@compiled
def _residual(
    d: float,
    tau: float,
    ux: float,
    uy: float,
    sharpness: float,
    filled: bool,
    stroked: bool,
    fill: Doubles,
    stroke: Doubles,
    behind: Floats,
    image: Floats,
    i: int,
    j: int,
    seen: float,
    out: Doubles,
) -> tuple[float, float]:
    """Write what is drawn less what is seen of the pixel (i, j), and its slopes by d and by τ, to (3, 3):
    those three by channel. Returns how much of an edge it is (0 to 1), and the squared contrast of it."""
    inner, inner_slope = 0.0, 0.0
    if filled:
        inner = pixel_area(d * sharpness, ux, uy)[0]
        inner_slope = pixel_area(HELD * d * sharpness, ux, uy)[1]
    line, line_by_d, line_by_tau = 0.0, 0.0, 0.0
    if stroked:
        outer, outer_slope = pixel_area((d - tau) * sharpness, ux, uy)
        hole, hole_slope = pixel_area((d + tau) * sharpness, ux, uy)
        line = outer - hole
        line_by_d, line_by_tau = hole_slope - outer_slope, outer_slope + hole_slope
    contrast = 0.0
    for c in range(3):
        inside = behind[i, j, c] + inner * (fill[c] - behind[i, j, c])
        to_line, to_fill = stroke[c] - inside, fill[c] - behind[i, j, c]
        out[0, c] = seen * (inside + line * to_line) - image[i, j, c]
        out[1, c] = seen * sharpness * (line_by_d * to_line - (1 - line) * inner_slope * to_fill)
        out[2, c] = seen * sharpness * line_by_tau * to_line
        contrast += max(to_fill * to_fill if filled else 0.0, to_line * to_line if stroked else 0.0)
    return 4 * max(inner * (1 - inner), line * (1 - line)), contrast


@compiled
def _luma_and_chroma(of_luma: Doubles, of_chroma: Doubles, weight: float) -> None:
    """Leave luma in the first channel of one (3, 3) and chroma, weighted, in all of the other, in place."""
    root = math.sqrt(weight)
    for k in range(3):
        luma = 0.299 * of_luma[k, 0] + 0.587 * of_luma[k, 1] + 0.114 * of_luma[k, 2]
        of_luma[k, 0], of_luma[k, 1], of_luma[k, 2] = luma, 0.0, 0.0
        luma = 0.299 * of_chroma[k, 0] + 0.587 * of_chroma[k, 1] + 0.114 * of_chroma[k, 2]
        for c in range(3):
            of_chroma[k, c] = root * (of_chroma[k, c] - luma)
