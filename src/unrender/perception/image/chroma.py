"""Chroma at half the resolution, as JPEG files and films keep it: the same loss for what is drawn."""

from __future__ import annotations

import numpy as np

from unrender.primitives.jit import compiled
from unrender.render.coverage import Floats


@compiled
def halved_chroma(canvas: Floats, top: int, left: int) -> Floats:
    """A canvas (h, w, 3) whose first pixel is (top, left) of the picture, with chroma as it is decoded.

    The means of 2x2 pixels are interpolated linearly between their centres; luma stays as it is. Pixels of a
    square that the canvas ends in count for the whole.
    """
    tall, wide = canvas.shape[0], canvas.shape[1]
    first_row, first_column = top % 2, left % 2
    down, across = (tall + first_row + 1) // 2, (wide + first_column + 1) // 2
    small = np.zeros((down, across, 3), np.float32)
    count = np.zeros((down, across), np.float32)
    for i in range(tall):
        for j in range(wide):
            r, s = (i + first_row) // 2, (j + first_column) // 2
            count[r, s] += 1
            for c in range(3):
                small[r, s, c] += canvas[i, j, c]
    for r in range(down):
        for s in range(across):
            for c in range(3):
                small[r, s, c] /= count[r, s]
    found = np.empty_like(canvas)
    near, far = np.float32(0.75), np.float32(0.25)
    for i in range(tall):
        r = (i + first_row) // 2
        k = min(max(r + (1 if (i + first_row) % 2 else -1), 0), down - 1)
        for j in range(wide):
            s = (j + first_column) // 2
            m = min(max(s + (1 if (j + first_column) % 2 else -1), 0), across - 1)
            luma = np.float32(0)
            for c in range(3):
                value = near * (near * small[r, s, c] + far * small[r, m, c])
                value += far * (near * small[k, s, c] + far * small[k, m, c])
                found[i, j, c] = value
                weight = np.float32(0.299) if c == 0 else np.float32(0.587) if c == 1 else np.float32(0.114)
                luma += weight * (canvas[i, j, c] - value)
            for c in range(3):
                found[i, j, c] += luma
    return found
