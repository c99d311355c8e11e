"""The one cost, in bits: of pixels given what is drawn there, and of shapes."""

from __future__ import annotations

import math

import numpy as np

from unrender.perception.image.chroma import halved_chroma
from unrender.perception.image.model import ImageModel
from unrender.perception.image.texture import Texture
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats
from unrender.render.shape import Shape, Window

COLOUR_BITS = 8.0  # of one channel of a colour
KIND_BITS = 2.0  # which primitive, painted how
PRECISION = 0.1  # px: to which a pose is told where nothing better is known


@compiled
def _beside(row: int, column: int, down: int, right: int, wide: int) -> tuple[int, int]:
    """Row and column of a neighbour before a pixel; where the picture ends at the side, the one opposite;
    (-1, -1) if
    there is none."""
    r, s = row + down, column + right
    if r < 0:
        return -1, -1
    if s < 0 or s >= wide:
        s = column - right
        if down == 0 or s < 0 or s >= wide:
            return -1, -1
    return r, s


def window_bits(model: ImageModel, window: Window, canvas: Floats, roughness: Floats) -> Floats:
    """(h, w): bits of every pixel of a window given the canvas (h, w, 3) and its roughness (h, w)."""
    top, bottom, left, right = window
    bits = np.empty_like(roughness)
    seen = halved_chroma(canvas, top, left) if model.chroma_halved else canvas
    pixel_bits(
        model.image[top:bottom, left:right], seen, roughness, model.fresh, model.edge_error, model.cap,
        model.texture, model.variance[top:bottom, left:right], model.chroma_weight, model.aliased, bits,
    )  # fmt: skip
    return bits


@compiled
def pixel_bits(
    image: Floats,
    canvas: Floats,
    roughness: Floats,
    sigma: float,
    edge_error: float,
    cap: float,
    texture: Texture,
    variance: Floats,
    chroma_weight: float,
    aliased: bool,
    bits: Floats,
) -> float:
    """Bits of every pixel (h, w) of an image (h, w, 3) given the canvas, beyond those of noise; their sum.

    At edges the renderer's own error adds to the noise; without antialiasing a pixel there may instead show
    the other side, with the chance `edge_error`. No pixel costs more than one of any colour. What texture
    tells of a pixel from its neighbours is taken off first.

    variance: (h, w, 2) of luma and of chroma, if they are not those of independent channels of equal noise;
    else empty. chroma_weight: independent values of chroma for each one of luma.
    """
    total = 0.0
    scale = 1 / (2 * math.log(2.0))
    tall, wide = image.shape[0], image.shape[1]
    flipped, kept = -math.log2(edge_error), -math.log2(1 - edge_error)
    whole, own_off = 0.0, np.zeros(3)
    for k in range(len(texture)):
        whole += texture[k, 2]
    for i in range(tall):
        for j in range(wide):
            square, told = 0.0, 0.0
            for k in range(len(texture)):
                r, s = _beside(i, j, int(texture[k, 0]), int(texture[k, 1]), wide)
                if r >= 0:
                    told += texture[k, 2]
            # at borders of the picture the neighbours that are there tell for the others
            share = min(max(whole / told, 0.0), 2.0) if abs(told) > 0.3 * abs(whole) else 0.0
            for c in range(3):
                off = 0.0
                if share > 0:
                    for k in range(len(texture)):
                        r, s = _beside(i, j, int(texture[k, 0]), int(texture[k, 1]), wide)
                        if r >= 0:
                            off += texture[k, 2] * (image[r, s, c] - canvas[r, s, c])
                own_off[c] = image[i, j, c] - canvas[i, j, c] - share * off
                square += own_off[c] * own_off[c]
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
                    own = _luma_and_chroma(own_off, variance[i, j], rough, chroma_weight) * scale
                else:
                    own = square * scale / (noise + rough)
                if rough > 0:  # the colour varies along one line only, from one side of the edge to the other
                    own += 0.5 * math.log2(1 + rough / noise)
            limit = cap
            if variance.size:
                values = math.log2(variance[i, j, 0]) + 2 * chroma_weight * math.log2(variance[i, j, 1] / 3)
                limit = max(-0.5 * values - (1 + 2 * chroma_weight) * 1.3257, 1.0)  # log2 of √2π
            own = min(own, limit)
            bits[i, j] = own
            total += own
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
    lengths = shape.primitive.parameters - len(shape.primitive.own) - 1 + (shape.stroke is not None)
    bits = KIND_BITS + lengths * math.log2(side / PRECISION)
    bits += math.log2(max(2 * math.pi * extent / PRECISION, 2.0))  # the rotation
    bits += len(shape.primitive.own) * math.log2(max(extent / PRECISION, 2.0))
    return bits + 3 * COLOUR_BITS * ((shape.fill is not None) + (shape.stroke is not None))
