"""Refinement from coarse to fine, for estimates that are good to about a pixel of a coarse level.

Such an estimate is refined on its own level first, then on finer ones, against the same picture, the same
shapes behind it and the same ones in front, all at lower resolution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.encoder.colours import sharpened
from unrender.perception.encoder.estimates import Estimate, scaled
from unrender.perception.encoder.pyramid import halved
from unrender.perception.image.model import FINEST, ImageModel
from unrender.perception.interpretation import Interpretation
from unrender.perception.objective import shape_bits
from unrender.perception.refine.pixels import FAR, Pass, refine
from unrender.perception.refine.stage import Stage
from unrender.render.coverage import cover
from unrender.render.shape import Shape, grown

SLACK = 4  # px of an estimate's own level by which it may be off
TOLERANT, FAR_STEPS = 0.1, 10  # noise that is allowed for at first, so that far edges pull, and steps of that


@dataclass(frozen=True, eq=False)
class Start:
    """An estimate, refined on its own level, and what it is refined against on this and all finer ones."""

    estimate: Estimate
    stages: Sequence[Stage]  # by level
    without: tuple[Placed, ...]  # shapes that it may stand in place of

    @classmethod
    def of(cls, state: Interpretation, estimate: Estimate, without: tuple[Placed, ...] = ()) -> Start:
        shape, model, size = estimate.full, state.model, 2**estimate.level
        window = grown(shape.window(*model.size), SLACK * size, *model.size)
        placed = Placed(shape, cover(shape, window, model.sharpness), shape_bits(shape, model))
        shapes = state.depth.insert(placed, [other for other in state.shapes if other not in without])
        stages = [_aligned(state.stage(shapes, shapes.index(placed)), size)]
        for _ in range(estimate.level):
            stages.append(_half(stages[-1]))
        found = refine(estimate.shape, stages[-1], _noisier(model, TOLERANT), Pass(FAR_STEPS, reach=FAR))
        return cls(replace(estimate, shape=_refined(found, stages, estimate.level, model)), stages, without)

    def refined(self, state: Interpretation) -> Shape:
        """The shape in px of the picture, refined on all finer levels."""
        shape = self.estimate.shape
        for level in range(self.estimate.level - 1, -1, -1):
            shape = _refined(scaled(shape, 2.0), self.stages, level, state.model)
        return state.refined(shape, self.without)


def _refined(shape: Shape, stages: Sequence[Stage], level: int, model: ImageModel) -> Shape:
    """A shape in px of a level, refined there."""
    stage, sigma = stages[level], max(model.sigma / 2**level, FINEST)
    its = replace(model, sigma=sigma, aliased=model.aliased and level == 0)
    shape = refine(shape, stage, its, Pass(reach=FAR))
    return sharpened(shape, stage.image, stage.behind, stage.shows, stage.window)


def _noisier(model: ImageModel, sigma: float) -> ImageModel:
    return replace(model, sigma=max(model.sigma, sigma), aliased=False)


def _aligned(stage: Stage, size: int) -> Stage:
    """A stage whose first row and column are multiples of a size, so that its pixels can be joined evenly."""
    top, bottom, left, right = stage.window
    rows, columns = -top % size, -left % size
    own = (slice(rows, None), slice(columns, None))
    window = (top + rows, bottom, left + columns, right)
    image, behind, shows = (
        np.ascontiguousarray(part[own]) for part in (stage.image, stage.behind, stage.shows)
    )
    return Stage(window, image, behind, shows, budget=stage.budget)


def _half(stage: Stage) -> Stage:
    """A stage at half the resolution."""
    top, _, left, _ = stage.window
    shows = halved(stage.shows[..., None])[..., 0]
    tall, wide = shows.shape
    window = (top // 2, top // 2 + tall, left // 2, left // 2 + wide)
    return Stage(window, halved(stage.image), halved(stage.behind), shows, budget=stage.budget)
