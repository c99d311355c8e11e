"""The image pyramid: every level half the size of the one below, all in one flat tensor.

Candidates of every size are then refined in one batch: each reads its samples from its own level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from unrender.graphics.compiled import Flags2, Floats2, Floats3, Ints1, compiled

SMALLEST = 9  # px: a level smaller than this shows nothing


@dataclass(frozen=True)
class Pyramid:
    """Levels of one picture; level k has 1/2^k of the resolution."""

    levels: list[Tensor]  # each (C, H_k, W_k)
    flat: Tensor  # (C, P): the pixels of all levels, row by row
    start: Tensor  # (L,): where each level begins in `flat`
    height: Tensor  # (L,)
    width: Tensor  # (L,)

    @classmethod
    def of(cls, picture: Tensor) -> Pyramid:
        """From a float picture (C, H, W)."""
        levels = [picture]
        while min(levels[-1].shape[1:]) // 2 >= SMALLEST:
            last = levels[-1]
            height, width = (side + side % 2 for side in last.shape[1:])
            even = F.pad(last[None], (0, width - last.shape[2], 0, height - last.shape[1]), mode="replicate")
            levels.append(F.avg_pool2d(even, 2)[0])
        sizes = [level.shape[1] * level.shape[2] for level in levels]
        return cls(
            levels,
            torch.cat([level.flatten(1) for level in levels], 1),
            torch.tensor([sum(sizes[:k]) for k in range(len(sizes))]),
            torch.tensor([level.shape[1] for level in levels]),
            torch.tensor([level.shape[2] for level in levels]),
        )

    def read(self, level: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The pixels at the points (x, y), each in the pixels of its candidate's level.

        level: (N,), x, y: (N, M). Returns the values (N, C, M), the pixel centres x, y (N, M), and
        whether each point lies in the picture (N, M); beyond it the nearest pixels tell the values.
        """
        count, points = x.shape
        values = np.empty((count, len(self.flat), points), np.float32)
        centres, there = np.empty((2, count, points), np.float32), np.empty((count, points), np.bool_)
        shape = (t.numpy()[level.numpy()] for t in (self.start, self.height, self.width))
        _read(self.flat.numpy(), *shape, x.numpy(), y.numpy(), values, *centres, there)
        return torch.from_numpy(values), *torch.from_numpy(centres), torch.from_numpy(there)


@compiled
def _read(
    flat: Floats2,
    start: Ints1,
    height: Ints1,
    width: Ints1,
    x: Floats2,
    y: Floats2,
    values: Floats3,
    centre_x: Floats2,
    centre_y: Floats2,
    there: Flags2,
) -> None:
    """Read the nearest pixels one by one; start, height and width (N,) are of each candidate's level."""
    for n in range(x.shape[0]):
        for m in range(x.shape[1]):
            column, row = math.floor(x[n, m]), math.floor(y[n, m])
            centre_x[n, m], centre_y[n, m] = column + 0.5, row + 0.5
            there[n, m] = 0 <= column < width[n] and 0 <= row < height[n]
            column, row = min(max(column, 0), width[n] - 1), min(max(row, 0), height[n] - 1)
            at = start[n] + row * width[n] + column
            for c in range(flat.shape[0]):
                values[n, c, m] = flat[c, at]
