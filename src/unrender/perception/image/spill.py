"""Spill: whether edges that should end exactly between two pixels run a little into the next one."""

from __future__ import annotations

from unrender.primitives.jit import compiled
from unrender.render.coverage import Floats

STEP = 0.2  # contrast of a channel from which two neighbouring pixels have an edge between them
LITTLE = 0.03  # contrast by which the pixels on one side of such an edge differ at most, spilled or not
NOISES = 1.5  # standard deviations by which they differ if nothing is spilled
SPILLED = 0.05  # of the sides of edges: fewer are chance, as where a slanted edge comes near to a pixel
FEWEST = 20  # edges between pixels: fewer tell nothing


def spills(image: Floats, sigma: float) -> bool:
    """Whether edges of a picture (H, W, 3) with this noise run into the next pixel, as far as it shows."""
    edges, spilled = _counted(image, NOISES * sigma)
    return bool(edges < FEWEST or spilled > SPILLED * 2 * edges)


@compiled
def _counted(image: Floats, same: float) -> tuple[int, int]:
    """Edges between two pixels, and sides of them whose pixel differs from the one behind it."""
    edges, spilled = 0, 0
    for down in range(2):
        right = 1 - down
        for i in range(down, image.shape[0] - 2 * down):
            for j in range(right, image.shape[1] - 2 * right):
                if _off(image, i, j, i + down, j + right) < STEP:
                    continue
                before = _off(image, i - down, j - right, i, j)
                after = _off(image, i + down, j + right, i + 2 * down, j + 2 * right)
                if before < LITTLE and after < LITTLE:
                    edges += 1
                    spilled += (before > same) + (after > same)
    return edges, spilled


@compiled
def _off(image: Floats, i: int, j: int, row: int, column: int) -> float:
    """The contrast of two pixels in the channel that differs most."""
    most = 0.0
    for c in range(3):
        most = max(most, abs(image[i, j, c] - image[row, column, c]))
    return most
