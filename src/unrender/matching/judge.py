"""Judge: whether a match is one between two drawings of the same thing.

A few small networks, learned from alphabets drawn by hand. Each sees what the match tells of every point and
its neighbours along the line, keeps the mean and the largest of each finding over all points, and weighs them
with the terms of the whole. A plain cost, a sum over points, forgets where the misfits are: a stroke that has
no partner is worth more than as much misfit all over the drawing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from safetensors.numpy import load

from unrender.matching.match import Match
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

FILE = "judge.safetensors"


@dataclass(frozen=True, eq=False)
class Judge:
    """The layers of M networks with H hidden units, for rows of R numbers and T terms."""

    point: Floats  # (M, H, R): of every point
    start: Floats  # (M, WAYS, H): what is added to that, by whose points they are and what is bent
    beside: Floats  # (M, H, H, 3): of a point and its neighbours
    shift: Floats  # (M, H)
    whole: Floats  # (M, H, 4 H + T): of the means and the largest, each for both ways to bend, and the terms
    offset: Floats  # (M, H)
    last: Floats  # (M, H)
    linear: Floats  # (M, T): of the terms
    bias: Floats  # (M,)

    def log_odds(self, matches: Sequence[Match]) -> Doubles:
        """(P,): that both drawings of each match show the same."""
        if not matches:
            return np.zeros(0)
        rows, terms = np.stack([one.rows for one in matches]), np.stack([one.terms for one in matches])
        found: Doubles = np.mean([self._one(k, rows, terms) for k in range(len(self.bias))], 0, np.float64)
        return found

    def _one(self, k: int, rows: Floats, terms: Floats) -> Floats:
        """(P,): by one of the networks."""
        seen = np.maximum(rows @ self.point[k].T + self.start[k][:, None], 0)
        around = np.pad(seen, ((0, 0), (0, 0), (1, 1), (0, 0)))
        n = rows.shape[2]
        sums = [around[:, :, off : off + n] @ self.beside[k, :, :, off].T for off in range(3)]
        told = np.maximum(sums[0] + sums[1] + sums[2] + self.shift[k], 0)
        both = told.reshape(len(told), 2, 2 * n, -1)  # known onto seen, and seen onto known
        pooled = [*both.mean(2).swapaxes(0, 1), *both.max(2).swapaxes(0, 1), terms]
        hidden = np.maximum(np.concatenate(pooled, 1) @ self.whole[k].T + self.offset[k], 0)
        found: Floats = hidden @ self.last[k] + terms @ self.linear[k] + self.bias[k]
        return found

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Floats]) -> Judge:
        """As it is written to a file: by the names above."""
        return cls(**{name: tensor.astype(np.float32) for name, tensor in tensors.items()})


@cache
def learned_judge() -> Judge:
    """As it was learned from Omniglot; `people.json` is its card."""
    return Judge.from_tensors(load(files("unrender.matching").joinpath(FILE).read_bytes()))
