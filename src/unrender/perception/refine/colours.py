"""The colours of a shape: those that explain most pixels of it, by robust least squares."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from unrender.perception.image.model import ImageModel
from unrender.perception.refine.stage import Stage
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import NOTHING, Floats, Patch, distances, hardened
from unrender.render.shape import TAU, Shape, Window

CHROMA_SHARPNESS = 0.4  # of edges, in chroma of half the resolution: means of 2 px, interpolated between
LUMA = np.array([0.299, 0.587, 0.114])
ENOUGH = 16384  # px of a window that tell the colours of a shape


def coloured(shape: Shape, stage: Stage, model: ImageModel) -> Shape:
    """The shape in the colours that explain most pixels of it, near those that it has."""
    sigma = math.sqrt(float(stage.variance.sum(2).mean()) / 2) if stage.variance.size else model.sigma
    fill, stroke = _colours(shape, stage, model, model.sharpness, sigma)
    if stage.variance.size and model.chroma_halved:
        smeared = _colours(shape, stage, model, model.sharpness * CHROMA_SHARPNESS, sigma)
        fill, stroke = (
            (chroma + LUMA @ (luma - chroma)).clip(0.0, 1.0)
            for luma, chroma in zip((fill, stroke), smeared, strict=True)
        )
    return replace(
        shape, fill=None if shape.fill is None else fill, stroke=None if shape.stroke is None else stroke
    )


def _colours(
    shape: Shape, stage: Stage, model: ImageModel, sharpness: float, sigma: float
) -> tuple[Doubles, Doubles]:
    """The colours (3,) of inside and stroke; any where there is none."""
    solid = shape.fill is not None and not shape.primitive.strokelike  # of a line every pixel is needed
    stride = max(math.isqrt(stage.shows.size // ENOUGH), 1) if solid else 1
    whole = model.cover(shape, sharpness) if stride == 1 else _sampled(shape, stage, stride, sharpness)
    patch, (rows, columns) = _shared(whole, stage.window, stride)
    if model.aliased:
        patch = hardened(patch)
    fill, stroke = (np.zeros(3) if colour is None else colour.copy() for colour in (shape.fill, shape.stroke))
    inside, line = (
        NOTHING if share is None else np.ascontiguousarray(share) for share in (patch.fill, patch.stroke)
    )
    image, behind, shows = (
        np.ascontiguousarray(each[rows, columns]) for each in (stage.image, stage.behind, stage.shows)
    )
    _colour(inside, line, image, behind, shows, sigma, fill, stroke)
    return fill, stroke


def _shared(patch: Patch, window: Window, stride: int) -> tuple[Patch, tuple[slice, slice]]:
    """The part of a patch that lies in a window, and where in the window that is."""
    if stride > 1:
        return patch, (slice(None, None, stride), slice(None, None, stride))
    own = patch.window
    top, bottom = max(own[0], window[0]), max(min(own[1], window[1]), own[0], window[0])
    left, right = max(own[2], window[2]), max(min(own[3], window[3]), own[2], window[2])
    there = (slice(top - own[0], bottom - own[0]), slice(left - own[2], right - own[2]))
    fill, stroke = (None if share is None else share[there] for share in (patch.fill, patch.stroke))
    rows, columns = slice(top - window[0], bottom - window[0]), slice(left - window[2], right - window[2])
    return Patch((top, bottom, left, right), fill, stroke), (rows, columns)


def _sampled(shape: Shape, stage: Stage, stride: int, sharpness: float) -> Patch:
    """Coverage of every so many pixels across and down, as it is where edges are straight."""
    top, bottom, left, right = stage.window
    rows, columns = np.mgrid[top:bottom:stride, left:right:stride] + 0.5
    signed = distances(shape, columns.ravel(), rows.ravel())[0][0].reshape(rows.shape)
    inside, line = (
        (0.5 - off * sharpness).clip(0, 1).astype(np.float32)
        for off in (signed, np.abs(signed) - shape.pose[TAU])
    )
    return Patch(stage.window, None if shape.fill is None else inside, None if shape.stroke is None else line)


@compiled
def _colour(
    fill: Floats,
    stroke: Floats,
    image: Floats,
    behind: Floats,
    shows: Floats,
    sigma: float,
    inner: Doubles,
    line: Doubles,
) -> None:
    """Both colours by robust least squares over all pixels, in place, from near to what they were."""
    tall, wide = shows.shape
    right_f, right_s = np.zeros(3), np.zeros(3)
    for round_ in range(3):
        ff, fs, ss = 1e-9, 0.0, 1e-9
        right_f[:], right_s[:] = 0.0, 0.0
        limit = (27 * sigma * sigma + 1e-4) * (16.0 if round_ == 0 else 1.0)
        for i in range(tall):
            for j in range(wide):
                seen = shows[i, j]
                s = stroke[i, j] if stroke.size else 0.0
                f = (fill[i, j] if fill.size else 0.0) * (1 - s)
                if seen < 0.05 or (s < 0.01 and f < 0.01):
                    continue
                s, f = s * seen, f * seen
                rest = seen - s - f
                square = 0.0
                for c in range(3):
                    square += (f * inner[c] + s * line[c] + rest * behind[i, j, c] - image[i, j, c]) ** 2
                weight = (limit / (limit + square)) ** 2
                ff += weight * f * f
                fs += weight * f * s
                ss += weight * s * s
                for c in range(3):
                    left = image[i, j, c] - rest * behind[i, j, c]
                    right_f[c] += weight * f * left
                    right_s[c] += weight * s * left
        for c in range(3):
            if fill.size and stroke.size:
                det = ff * ss - fs * fs
                if det > 1e-6 * ff * ss:
                    inner[c] = min(max((right_f[c] * ss - right_s[c] * fs) / det, 0.0), 1.0)
                    line[c] = min(max((right_s[c] * ff - right_f[c] * fs) / det, 0.0), 1.0)
            elif fill.size and ff > 1e-6:
                inner[c] = min(max(right_f[c] / ff, 0.0), 1.0)
            elif stroke.size and ss > 1e-6:
                line[c] = min(max(right_s[c] / ss, 0.0), 1.0)
