"""The one cost, in bits: of pixels given what is drawn there, and of shapes."""

from __future__ import annotations

import math

from unrender.perception.image.model import ImageModel
from unrender.perception.image.texture import Texture
from unrender.primitives.jit import compiled
from unrender.render.coverage import Floats
from unrender.render.shape import Shape

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


@compiled
def pixel_bits(
    image: Floats,
    canvas: Floats,
    roughness: Floats,
    sigma: float,
    edge_error: float,
    cap: float,
    texture: Texture,
    bits: Floats,
) -> float:
    """Bits of every pixel (h, w) of an image (h, w, 3) given the canvas, beyond those of noise; their sum.

    At edges the renderer's own error adds to the noise. No pixel costs more than one of any colour. What
    texture
    tells of a pixel from its neighbours is taken off first.
    """
    total, noise = 0.0, sigma * sigma
    scale = 1 / (2 * math.log(2.0))
    tall, wide = image.shape[0], image.shape[1]
    whole = 0.0
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
                off = image[i, j, c] - canvas[i, j, c] - share * off
                square += off * off
            rough = (edge_error * roughness[i, j]) ** 2
            own = square * scale / (noise + rough)
            if rough > 0:  # the colour varies along one line only, from one side of the edge to the other
                own += 0.5 * math.log2(1 + rough / noise)
            own = min(own, cap)
            bits[i, j] = own
            total += own
    return total


def shape_bits(shape: Shape, model: ImageModel) -> float:
    """What it takes to say a shape: its kind, its colours, and each parameter to the precision that
    counts."""
    tall, wide = model.size
    side, extent = math.sqrt(tall * wide), math.sqrt(shape.pose[2] * shape.pose[3])
    bits = KIND_BITS
    if shape.primitive.formed:  # a form says where it is, too; its size is told before it
        lengths = len(shape.form) + (shape.stroke is not None)
        bits += 2 * math.log2(len(shape.form) + 1)
    else:
        lengths = shape.primitive.parameters - len(shape.primitive.own) - 1 + (shape.stroke is not None)
        bits += math.log2(max(2 * math.pi * extent / PRECISION, 2.0))  # the rotation
    bits += lengths * math.log2(side / PRECISION)
    bits += len(shape.primitive.own) * math.log2(max(extent / PRECISION, 2.0))
    return bits + 3 * COLOUR_BITS * ((shape.fill is not None) + (shape.stroke is not None))
