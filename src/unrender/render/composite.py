"""Compositing: patches painted one over the other, with how much another renderer's edges may differ."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats, Patch
from unrender.render.shape import Shape, Window

Layer = tuple[Window, Floats, Doubles]
"""A window, coverage (h, w) there, and a colour (3,)."""


def layers(shape: Shape, patch: Patch) -> list[Layer]:
    """What a shape paints, back to front: its inside, then its stroke."""
    found: list[Layer] = []
    if patch.fill is not None and shape.fill is not None:
        found.append((patch.window, patch.fill, shape.fill))
    if patch.stroke is not None and shape.stroke is not None:
        found.append((patch.window, patch.stroke, shape.stroke))
    return found


def composite(
    canvas: Floats,
    roughness: Floats,
    origin: tuple[int, int],
    several: Sequence[Layer],
    aliased: bool = False,
) -> None:
    """Paint layers over a canvas (h, w, 3) whose first pixel is at `origin` (row, column) of the picture.

    roughness (h, w) gathers 2 √(α (1 - α)) |step| of the edges: multiplied by the renderer's own error in
    coverage it is the standard deviation of a pixel at an edge. Errors of edges that coincide add up.

    aliased: a pixel shows what lies at its centre, which is what covers more than half of it; roughness is
    then the step to what lies on the other side of an edge that runs through the pixel.
    """
    for (top, _, left, _), alpha, colour in several:
        paint(canvas, roughness, alpha, top - origin[0], left - origin[1], colour, aliased)


@compiled
def paint(
    canvas: Floats, roughness: Floats, alpha: Floats, top: int, left: int, colour: Doubles, aliased: bool
) -> None:
    """Paint one layer whose first pixel is (top, left) of the canvas, as far as it lies on it."""
    for i in range(max(top, 0), min(top + alpha.shape[0], canvas.shape[0])):
        for j in range(max(left, 0), min(left + alpha.shape[1], canvas.shape[1])):
            share = alpha[i - top, j - left]
            if share != 0:
                roughness[i, j] = _mix(canvas[i, j], roughness[i, j], share, colour, aliased)


@compiled
def paint_at(
    canvas: Floats,
    roughness: Floats,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    alpha: Floats,
    top: int,
    left: int,
    colour: Doubles,
    aliased: bool,
) -> None:
    """The same for some pixels (N,) only, whose colours are (N, 3)."""
    for n in range(len(rows)):
        i, j = rows[n] - top, columns[n] - left
        if 0 <= i < alpha.shape[0] and 0 <= j < alpha.shape[1] and alpha[i, j] != 0:
            roughness[n] = _mix(canvas[n], roughness[n], alpha[i, j], colour, aliased)


@compiled
def _mix(canvas: Floats, rough: float, share: float, colour: Doubles, aliased: bool) -> float:
    """Paint over one pixel (3,), and how rough it is then."""
    painted = np.float32(share > 0.5) if aliased else np.float32(share)
    step, rest = 0.0, 1 - float(painted)
    for c in range(3):
        off = np.float32(colour[c]) - canvas[c]
        step += off * off
        canvas[c] += painted * off
    if aliased:
        return float(max(rough * rest, math.sqrt(step) if share < 1 else 0.0))
    kept = rough if rest > 0 else 0.0  # an edge drawn twice is no surer than drawn once
    return float(kept + 2 * math.sqrt(max((1 - rest) * rest, 0.0) * step))
