"""The image pyramid: every level half the size of the one below, all in one flat tensor.

Candidates of every size are then refined in one batch: each reads its samples from its own level.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

SMALLEST = 12  # px: a level smaller than this shows nothing


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
        """Pixels nearest to the points (x, y), each in the pixels of its candidate's level.

        level: (N,), x, y: (N, M). Returns the values (N, C, M), the pixel centres x, y (N, M), and
        whether each point lies in the picture (N, M).
        """
        height, width = self.height[level, None], self.width[level, None]
        column, row = x.floor().long(), y.floor().long()
        there = (column >= 0) & (column < width) & (row >= 0) & (row < height)
        column = torch.minimum(column.clamp_min(0), width - 1)
        row = torch.minimum(row.clamp_min(0), height - 1)
        at = self.start[level, None] + row * width + column
        values = self.flat[:, at].transpose(0, 1).contiguous()
        return values, column + 0.5, row + 0.5, there
