"""The signed distance to several parts together, as one shape has it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles, Field
from unrender.primitives.registry import primitives
from unrender.scene import Observation

SEAM = 0.5  # px: edges of parts that run into each other this near to each other touch


def union_field(unit: Sequence[Observation]) -> Field:
    """The signed distance to the nearest of several parts, with its gradient, as `Primitive.field` has it.

    The parts are those of a whole of which half a side is 1 px: a part that is not filled is its stroke.
    """
    known = primitives()
    placed = []
    for part in unit:
        kind, turn = known[part.symbol], math.radians(part.rotation)
        own = [part.attributes.get(own.name, own.default) for own in kind.own]
        filled = kind.closed and part.attributes.get("filled", 1.0) > 0.5
        tau = -1.0 if filled else part.attributes.get("thickness", 0.0) * kind.stroke_side(*part.size) / 2
        fixed = np.array([[*own, *(part.form or ()), *kind.fixed]], np.float64)
        frame = (*part.position, math.cos(turn), math.sin(turn))
        placed.append((kind.compiled_field, frame, part.size[0] / 2, part.size[1] / 2, tau, fixed))

    def field(
        x: Doubles,
        y: Doubles,
        a: Doubles,
        b: Doubles,
        own: Doubles,
        signed: Doubles,
        nx: Doubles,
        ny: Doubles,
    ) -> None:
        scale = np.sqrt(a * b)
        signed[:], nx[:], ny[:] = np.inf, 0.0, 0.0
        own_x, own_y, off, ux, uy = np.empty((5, *x.shape))
        for to_part, (px, py, cos, sin), wide, high, tau, fixed in placed:
            _into_part(x, y, scale, px, py, cos, sin, own_x, own_y)
            to_part(
                own_x, own_y, wide * scale, high * scale, np.repeat(fixed, len(scale), axis=0), off, ux, uy
            )
            _nearer(off, ux, uy, cos, sin, tau, scale, signed, nx, ny)

    return field


@compiled
def _into_part(
    x: Doubles,
    y: Doubles,
    scale: Doubles,
    px: float,
    py: float,
    cos: float,
    sin: float,
    own_x: Doubles,
    own_y: Doubles,
) -> None:
    """Points (N, M) of wholes of these scales (N,), as a part at (px, py) of scale 1 sees them."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            dx, dy = x[i, j] - px * scale[i], y[i, j] - py * scale[i]
            own_x[i, j], own_y[i, j] = cos * dx + sin * dy, cos * dy - sin * dx


@compiled
def _nearer(
    off: Doubles,
    ux: Doubles,
    uy: Doubles,
    cos: float,
    sin: float,
    tau: float,
    scale: Doubles,
    least: Doubles,
    least_x: Doubles,
    least_y: Doubles,
) -> None:
    """Where a part is nearer than those before it, its distance and normal, turned back, take their place.

    Where two edges run into each other within a pixel, as of parts that touch, what both cover adds up, and
    no seam shows between them.

    tau: half the width of its stroke at scale 1; less than 0 if it is filled.
    """
    for i in range(off.shape[0]):
        for j in range(off.shape[1]):
            d, side = off[i, j], 1.0
            if tau >= 0:
                side = 1.0 if d >= 0 else -1.0
                d = side * d - tau * scale[i]
            before = least[i, j]
            if d >= before and (d > 0.5 or before < -0.5):
                continue
            vx, vy = side * ux[i, j], side * uy[i, j]
            wx, wy = cos * vx - sin * vy, sin * vx + cos * vy
            both = d + before - 0.5 - SEAM  # px: half a pixel less the share of the pixel that both cover
            if both < min(d, before) and wx * least_x[i, j] + wy * least_y[i, j] < -0.5:
                least[i, j] = both
            elif d < before:
                least[i, j] = d
            if d < before:
                least_x[i, j], least_y[i, j] = wx, wy
