"""The one cost, in bits: of pixels given what is drawn there, and of shapes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unrender.perception.image.chroma import halved_chroma
from unrender.perception.image.model import ImageModel
from unrender.perception.image.texture import REACH, Texture
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats
from unrender.render.shape import Shape, Window

COLOUR_BITS = 8.0  # of one channel of a colour
KIND_BITS = 2.0  # which primitive, painted how
PRECISION = 0.1  # px: to which a pose is told where nothing better is known


def window_bits(
    model: ImageModel, around: Window, canvas: Floats, roughness: Floats, window: Window
) -> Floats:
    """(h, w): bits of every pixel of a window, given the canvas (H, W, 3) and its roughness (H, W)
    around it.

    Windows are copied into arrays of their own: a loop would be compiled once more for a part of a picture.
    """
    top, bottom, left, right = around
    seen = halved_chroma(canvas, top, left) if model.chroma_halved else canvas
    inner = (window[0] - top, window[1] - top, window[2] - left, window[3] - left)
    image = np.ascontiguousarray(model.image[top:bottom, left:right])
    off = residuals(image, seen, model.texture, inner, REACH)
    bits = np.empty(off.shape[:2], np.float32)
    pixel_bits(
        off, np.ascontiguousarray(roughness[inner[0] : inner[1], inner[2] : inner[3]]),
        model.fresh, model.edge_error, model.alike, model.cap,
        np.ascontiguousarray(model.variance[window[0] : window[1], window[2] : window[3]]),
        model.chroma_weight, model.share, model.aliased, bits,
    )  # fmt: skip
    return bits


@compiled
def residuals(image: Floats, canvas: Floats, texture: Texture, inner: Window, reach: int) -> Floats:
    """(h, w, 3): by how much the pixels of a window differ from the canvas, less what texture tells of that
    from the pixels before each. No neighbour of a texture is further off than `reach` px."""
    top, bottom, left, right = inner
    wide, count = image.shape[1], len(texture)
    off = np.empty((bottom - top, right - left, 3), np.float32)
    for i in range(top, bottom):
        for j in range(left, right):
            for c in range(3):
                off[i - top, j - left, c] = image[i, j, c] - canvas[i, j, c]
    if count == 0 or off.size == 0:
        return off
    rows, columns, weights = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.float32)
    for k in range(count):
        rows[k], columns[k], weights[k] = int(texture[k, 0]), int(texture[k, 1]), texture[k, 2]
    around = max(top - reach, 0)
    before = (image[around:bottom] - canvas[around:bottom]).reshape(bottom - around, wide * 3)
    first, last = max(left, reach), max(min(right, wide - reach), max(left, reach))
    told = np.empty((last - first) * 3, np.float32)
    for i in range(top, bottom):
        start = first
        if i < reach:
            start = last  # the slow way for all of the row
        else:
            told[:] = 0
            for k in range(count):
                shift = (first + columns[k]) * 3
                source = before[i + rows[k] - around]
                weight = weights[k]
                for n in range(len(told)):
                    told[n] += weight * source[shift + n]
            for j in range(first, last):
                for c in range(3):
                    off[i - top, j - left, c] -= told[(j - first) * 3 + c]
        for j in range(left, right):
            if start <= j < last:
                continue
            _predict(before, i - around, around, j, rows, columns, weights, wide, off[i - top, j - left])
    return off


@compiled
def _predict(
    before: Floats,
    row: int,
    skipped: int,
    column: int,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    weights: Floats,
    wide: int,
    off: Floats,
) -> None:
    """Take what texture tells of one pixel near a border off its residual (3,); the neighbours that are there
    tell for the others. skipped: rows of the picture above the first one of `before`."""
    red, green, blue, told, whole = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(len(weights)):
        whole += weights[k]
        r, s = _beside(row + skipped, column, rows[k], columns[k], wide)
        if r < skipped:
            continue
        told += weights[k]
        red += weights[k] * before[r - skipped, 3 * s]
        green += weights[k] * before[r - skipped, 3 * s + 1]
        blue += weights[k] * before[r - skipped, 3 * s + 2]
    share = min(max(whole / told, 0.0), 2.0) if abs(told) > 0.3 * abs(whole) else 0.0
    off[0] -= share * red
    off[1] -= share * green
    off[2] -= share * blue


@compiled
def _beside(row: int, column: int, down: int, right: int, wide: int) -> tuple[int, int]:
    """Row and column of a neighbour before a pixel; where the picture ends at the side, the one opposite;
    (-1, -1) if there is none."""
    r, s = row + down, column + right
    if r < 0:
        return -1, -1
    if s < 0 or s >= wide:
        s = column - right
        if down == 0 or s < 0 or s >= wide:
            return -1, -1
    return r, s


@compiled
def pixel_bits(
    off: Floats,
    roughness: Floats,
    sigma: float,
    edge_error: float,
    alike: float,
    cap: float,
    variance: Floats,
    chroma_weight: float,
    share: float,
    aliased: bool,
    bits: Floats,
) -> None:
    """Bits of every pixel (h, w) that is off by (h, w, 3), beyond those of noise.

    At edges the renderer's own error adds to the noise; without antialiasing a pixel there may instead show
    the other side, with the chance `edge_error`. No pixel costs more than one of any colour.

    alike: pixels of an edge that share one error of the renderer, and are evidence of as much as one.
    variance: (h, w, 2) of luma and of chroma, if they are not those of independent channels of equal noise;
    else empty. chroma_weight: independent values of chroma for each one of luma. share: of the pixels, those
    that tell something of their own.
    """
    scale = 1 / (2 * math.log(2.0))
    tall, wide = roughness.shape
    flipped, kept = -math.log2(edge_error), -math.log2(1 - edge_error)
    for i in range(tall):
        for j in range(wide):
            square = off[i, j, 0] ** 2 + off[i, j, 1] ** 2 + off[i, j, 2] ** 2
            rough = roughness[i, j]
            noise = variance[i, j, 0] if variance.size else sigma * sigma
            if aliased:
                own = square * scale / noise
                if rough > 0:
                    beyond = max(math.sqrt(square) - rough, 0.0)
                    own = min(own + kept, beyond * beyond * scale / noise + flipped)
            else:
                rough = (edge_error * rough) ** 2
                if variance.size:
                    own = _luma_and_chroma(off[i, j], variance[i, j], rough, chroma_weight) * scale
                else:
                    own = square * scale / (noise + rough)
                if rough > 0:  # the colour varies along one line only, from one side of the edge to the other
                    own += 0.5 * math.log2(1 + rough / noise)
                    own *= (noise + rough / alike) / (noise + rough)
            limit = cap / share
            if variance.size:
                values = math.log2(variance[i, j, 0]) + 2 * chroma_weight * math.log2(variance[i, j, 1] / 3)
                limit = max(-0.5 * values - (1 + 2 * chroma_weight) * 1.3257, 1.0)  # log2 of √2π
            bits[i, j] = min(own, limit) * share


@compiled
def weighed(alpha: Floats, bits: Floats) -> float:
    """Bits (h, w) of the pixels that a layer paints, each by the share of it that is painted."""
    total = 0.0
    for i in range(alpha.shape[0]):
        for j in range(alpha.shape[1]):
            total += alpha[i, j] * bits[i, j]
    return total


@compiled
def _luma_and_chroma(off: Doubles, variance: Floats, rough: float, weight: float) -> float:
    """The squared residual (3,) in units of the noise of luma, plus `weight` times that of chroma."""
    luma = 0.299 * off[0] + 0.587 * off[1] + 0.114 * off[2]
    chroma = (off[0] - luma) ** 2 + (off[1] - luma) ** 2 + (off[2] - luma) ** 2
    return float(luma * luma / (variance[0] + rough) + weight * chroma / (variance[1] + rough))


def shape_bits(shape: Shape, model: ImageModel) -> float:
    """What it takes to say a shape: its kind, its colours, and each parameter to the precision that
    counts."""
    tall, wide = model.size
    side, extent = math.sqrt(tall * wide), math.sqrt(shape.pose[2] * shape.pose[3])
    bits = KIND_BITS
    if shape.primitive.formed:  # a form says where it is, too; its size is told before it
        lengths = shape.primitive.numbers_of(shape.pose, shape.form) + (shape.stroke is not None)
        bits += 2 * math.log2(len(shape.form) + 1)
    else:
        lengths = shape.primitive.parameters - len(shape.primitive.own) - 1 + (shape.stroke is not None)
        bits += math.log2(max(2 * math.pi * extent / PRECISION, 2.0))  # the rotation
    lengths += 2 * (shape.dashes is not None)
    bits += lengths * math.log2(side / PRECISION)
    bits += sum(shape.primitive.freed(shape.pose)) * math.log2(max(extent / PRECISION, 2.0))
    bits -= shape.primitive.saved_bits(shape.pose)
    return bits + 3 * COLOUR_BITS * ((shape.fill is not None) + (shape.stroke is not None))
