"""Context: what surrounds a point of a drawing, as the density and direction of lines at places around it."""

from __future__ import annotations

import math

import numpy as np

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

RADII = np.array([0.25, 0.55, 1.1])  # of the rings of places, in units of a drawing's radius
PLACES = 8  # on each ring, each spread over 0.45 of its radius (standard deviation)
DIRECTIONS = 4  # of lines that are told apart


@compiled
def context(
    x: Floats, y: Floats, tx: Floats, ty: Floats, radii: Doubles, places: int, directions: int
) -> Floats:
    """(N, len(radii) · places · directions): the context of each of N points with unit tangents. The square
    roots of shares, so that products of two are between 0 and 1, the Bhattacharyya coefficient.

    A power of a linear function stands for the exponential, which would not be vectorised.
    """
    n, zero, one = len(x), np.float32(0), np.float32(1)
    turned = np.zeros((directions, n), np.float32)
    total = np.full(n, np.float32(1e-9), np.float32)
    for b in range(directions):
        cos, sin = (
            np.float32(math.cos(math.pi * b / directions)),
            np.float32(math.sin(math.pi * b / directions)),
        )
        for k in range(n):
            c = tx[k] * cos + ty[k] * sin
            turned[b, k] = c * c * c * c
            total[k] += turned[b, k]
    out = np.zeros((n, len(radii) * places * directions), np.float32)
    near = np.zeros(n, np.float32)
    for r in range(len(radii)):
        sharp = np.float32(1 / (32 * (0.45 * radii[r]) ** 2))
        for a in range(places):
            angle, base = 2 * math.pi * a / places, (r * places + a) * directions
            ox, oy = np.float32(radii[r] * math.cos(angle)), np.float32(radii[r] * math.sin(angle))
            for i in range(n):
                px, py = x[i] + ox, y[i] + oy
                for k in range(n):
                    dx, dy = x[k] - px, y[k] - py
                    q = max(zero, one - (dx * dx + dy * dy) * sharp)
                    q *= q
                    q *= q
                    q *= q
                    q *= q
                    near[k] = q / total[k]
                for b in range(directions):
                    s = zero
                    for k in range(n):
                        s += near[k] * turned[b, k]
                    out[i, base + b] = s
    for i in range(n):
        s = np.float32(1e-9)
        for q in range(out.shape[1]):
            s += out[i, q]
        for q in range(out.shape[1]):
            out[i, q] = math.sqrt(out[i, q] / s)
    return out
