"""Refinement of dashed strokes: where the line runs and where its dashes begin, by what they paint.

Nothing of it is known in closed form, so slopes are measured; there are few such strokes in a picture.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import ndimage

from unrender.perception.depth import Pixels
from unrender.perception.image.model import ImageModel
from unrender.perception.refine.stage import Stage
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats, cover
from unrender.render.shape import ANGLE, OWN, TAU, A, B, Shape, X, Y

STEPS = 3
STEP = 0.05  # px by which a number is changed to measure its slope
FAR = 0.3  # of a colour's range
CALM = 1e-3  # damping
GAP = 0.02  # of a pixel that a gap takes away
BESIDE = 2  # px beside what the line paints without gaps: further off no dash can be


@dataclass(frozen=True, eq=False)
class _Band:
    """The pixels (N,) along a line: where they are in the window of a stage, and what shows there."""

    rows: Pixels
    columns: Pixels
    image: Floats  # (N, 3)
    behind: Floats  # (N, 3)
    shows: Floats  # (N, 1)

    @classmethod
    def of(cls, shape: Shape, stage: Stage, model: ImageModel) -> _Band:
        whole = ndimage.binary_dilation(
            _alpha(replace(shape, dashes=None), stage, model) > 0, iterations=BESIDE
        )
        rows, columns = np.nonzero(whole)
        image, behind, shows = (each[rows, columns] for each in (stage.image, stage.behind, stage.shows))
        return cls(rows, columns, image, behind, shows[:, None])


def refine_dashes(shape: Shape, stage: Stage, model: ImageModel) -> Shape:
    """The stroke after some damped Gauss-Newton steps on the pixels of its window."""
    free, band = _free(shape), _Band.of(shape, stage, model)
    residual = _residual(shape, stage, model, band)
    damping, steps = CALM, 1
    for _ in range(STEPS):
        moved = [_moved(shape, free, e) for e in STEP * np.eye(len(free))]
        J = np.stack([(_residual(each, stage, model, band) - residual) / STEP for each in moved], 1)
        square, right = J.T @ J, -J.T @ residual
        numbers = np.linalg.solve(square + damping * np.diag(square.diagonal() + 1e-9), right).clip(-1, 1)
        tried = _moved(shape, free, numbers)
        after = _residual(tried, stage, model, band)
        steps += len(free) + 1
        if after @ after >= residual @ residual:
            damping *= 100
            continue
        shape, residual = tried, after
        if np.abs(numbers).max() < STEP / 5:
            break
    if stage.budget is not None:
        stage.budget.refine(len(band.rows), len(free))
        stage.budget.draw(steps * stage.shows.size)
    return shape


def without_gaps(shape: Shape, stage: Stage, model: ImageModel) -> Stage:
    """The same stage as if something hid the gaps between the dashes of a shape, and their ends: what shows
    tells where its line runs as that of one without dashes does."""
    gaps = _alpha(replace(shape, dashes=None), stage, model) - _alpha(shape, stage, model) > GAP
    hidden = ndimage.binary_dilation(gaps)
    return replace(stage, shows=np.where(hidden, np.float32(0), stage.shows))


def _free(shape: Shape) -> list[int]:
    """The numbers that may change: those of the pose, and behind it -2 for dashes and -1 for the period. A
    form stays as it is, and what is round stays so."""
    free = [X, Y] + ([] if shape.primitive.formed else [A])
    if shape.primitive.strokelike:
        free += [B, ANGLE]
    else:
        free += [TAU] + ([] if shape.primitive.formed else [ANGLE])
    if not shape.primitive.closed and not shape.primitive.formed:
        free += range(OWN + 1, OWN + len(shape.primitive.own))
    whole = shape.primitive.closed and not shape.primitive.strokelike  # so many dashes as there are
    return [*free, -2] + ([] if whole else [-1])


def _moved(shape: Shape, free: list[int], by: Doubles) -> Shape:
    """The shape with its numbers changed by so many px."""
    assert shape.dashes is not None
    pose, (dash, period) = shape.pose.copy(), shape.dashes
    extent = max(float(pose[A]), float(pose[B]), 1.0)
    line = 2 * extent
    for index, step in zip(free, by.tolist(), strict=True):
        if index == -2:
            dash = min(max(dash + step / max(period * line, 1.0), 0.0), 0.98)
        elif index == -1:
            period = min(max(period + step * period / line, 1e-4), 1.0)
        elif index == A:
            pose[A] += step
            if not shape.primitive.strokelike and not shape.primitive.formed:
                pose[B] += step
        elif index in (X, Y, B, TAU):
            pose[index] += step
        elif index == ANGLE:
            pose[ANGLE] += step / extent
        else:
            pose[index] += step / (2 * np.pi * extent)
    pose[[A, B]] = np.maximum(pose[[A, B]], 0.2)
    return replace(shape, pose=pose, dashes=(dash, period))


def _alpha(shape: Shape, stage: Stage, model: ImageModel) -> Floats:
    """(h, w): how much a stroke paints of each pixel of the window of a stage."""
    patch = cover(shape, stage.window, model.sharpness)
    alpha = patch.fill if shape.primitive.strokelike else patch.stroke
    assert alpha is not None
    return alpha


def _residual(shape: Shape, stage: Stage, model: ImageModel, band: _Band) -> Doubles:
    """Colours that are seen along a line less those that are drawn, as far as they show."""
    colour = np.asarray(shape.fill if shape.primitive.strokelike else shape.stroke, np.float32)
    alpha = _alpha(shape, stage, model)[band.rows, band.columns, None]
    drawn = band.behind + alpha * (colour - band.behind)
    off = ((band.image - drawn) * band.shows).astype(np.float64)
    # what is far off is no edge that is out of place: it counts no more than so much
    found: Doubles = (off / np.sqrt(1 + (off**2).sum(-1, keepdims=True) / FAR**2)).ravel()
    return found
