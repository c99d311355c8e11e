"""Masks as other programs write them: boxes and run lengths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def box(mask: NDArray[np.bool_]) -> list[int]:
    """x, y, width and height around the pixels of a mask; all 0 if there are none."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return [0, 0, 0, 0]
    x, y = int(columns[0]), int(rows[0])
    return [x, y, int(columns[-1]) + 1 - x, int(rows[-1]) + 1 - y]


def run_lengths(mask: NDArray[np.bool_]) -> list[int]:
    """How many pixels are unset, set, unset, ... down the columns, one after the other."""
    flat = np.concatenate([[False], mask.ravel(order="F")])
    changes = np.flatnonzero(flat[1:] != flat[:-1])
    return [int(run) for run in np.diff(np.concatenate([[0], changes, [mask.size]]))]


def packed(runs: list[int]) -> str:
    """Run lengths as COCO's text: each less the one two before it, five bits to a character."""
    characters = []
    for i, run in enumerate(runs):
        rest = run - runs[i - 2] if i > 2 else run
        while True:
            bits, rest = rest & 31, rest >> 5
            done = rest == (-1 if bits & 16 else 0)
            characters.append(chr(48 + bits + (0 if done else 32)))
            if done:
                break
    return "".join(characters)
