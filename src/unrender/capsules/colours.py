"""Colours of ground, stroke and inside: given the pose they are linear, so they are solved for."""

from __future__ import annotations

import numpy as np

from unrender.capsules.geometry import Floats
from unrender.capsules.outline import ACROSS, INNER, OUTER, RAYS, grid

STROKE, INSIDE = 3, 4  # rows of the colour coefficients; the first three are the plane of the ground
_LOWEST = np.array([0, -1, -1, 0, 0], np.float32)[:, None]  # that the coefficients may be
_RIDGE = np.diag(np.array([1e-3, 0.5, 0.5, 1e-3, 1e-3], np.float32))


def solve_colours(
    basis: Floats, values: Floats, shown: Floats, weight: Floats | None, noise: float
) -> tuple[Floats, Floats]:
    """Robust least squares for the colours: (N, 5, 3) and residuals (N, 3, M)."""
    rounds = (0.6, 0.3, 0.0) if weight is None else (0.0,)
    weight = shown if weight is None else weight * shown
    for limit in rounds:
        weighted = basis * weight[:, None]
        normal = weighted @ basis.transpose(0, 2, 1) + _RIDGE
        colours = np.linalg.solve(normal, weighted @ values.transpose(0, 2, 1))
        colours = np.clip(colours, _LOWEST, 1)
        residual = values - colours.transpose(0, 2, 1) @ basis
        if limit:
            square = (limit + 4.0 * noise) ** 2
            off = np.einsum("ncm,ncm->nm", residual, residual)
            weight = shown * np.square(square / (off + square))
    return colours, residual


def departures(counted: Floats, residual: Floats, toward: Floats, noise: float) -> Floats:
    """(N, 3, RAYS): by how much the `counted` samples (N, M) of each ray differ from what is drawn, where
    they clearly do.

    Not where it differs `toward` (N, 3) the colour of the shape: there the shape is not large enough.
    """
    free = grid(counted)[:, :ACROSS]
    count = np.maximum(free.sum(1), 1)
    mean = np.einsum("nar,ncar->ncr", free, residual[:, :, :ACROSS]) / count[:, None]
    size = dot(mean, mean)
    clear = np.sqrt(size) > 0.03 + 5.0 * noise / np.sqrt(count)
    square = np.maximum(np.einsum("nc,nc->n", toward, toward), 1e-4)[:, None]
    along = np.einsum("nc,ncr->nr", toward, mean) / square
    clear &= (along < 0.3) | (size / square - along * along > 0.1)
    clearly: Floats = mean * clear[:, None]
    return clearly


def edge_colours(
    colours: Floats, px: Floats, py: Floats, outlined: Floats, clear: Floats | None, under: Floats | None
) -> tuple[Floats, Floats]:
    """(N, 3, RAYS) each: what lies just outside of the outline, and what the inside shows just within.

    px, py: (N, M), where the samples are on the plane of the ground.
    clear, under: what the shapes behind leave of the ground (N, M), and what they add (N, 3, M).
    """
    constant, by_x, by_y = (colours[:, k, :, None] for k in range(3))
    beside = constant + by_x * grid(px)[:, None, OUTER] + by_y * grid(py)[:, None, OUTER]
    behind = np.repeat(colours[:, INSIDE, :, None], RAYS, 2)
    if clear is not None and under is not None:
        clear, under = grid(clear)[:, None], grid(under)
        beside = beside * clear[:, :, OUTER] + under[:, :, OUTER]
        through = behind * clear[:, :, INNER] + under[:, :, INNER]
        behind += outlined[:, :, None] * (through - behind)
    return beside, behind


def belief_limit(contrast: Floats, noise: float, ramp: float) -> Floats:
    """(N, 1): the residual at which a sample stops being believed; while edges are soft, much is.

    contrast: (N, 3), between the shape and its ground.
    """
    size = np.sqrt(np.einsum("nc,nc->n", contrast, contrast))[:, None]
    limit: Floats = np.maximum(0.35 * ramp * size, 0.05 + 4.0 * noise)
    return limit


def dot(one: Floats, other: Floats) -> Floats:
    """The product over the channels: (N, 3, RAYS) -> (N, RAYS)"""
    product: Floats = np.einsum("ncr,ncr->nr", one, other)
    return product
