"""Embedding: a drawing as a unit vector, so that drawings of one thing by several people point the same way.

A small convolutional network, learned from alphabets with the deformations that people make; what it sees are
not pixels but lines: how much of them runs in which direction at which place, and where they end. It knows
what a whole looks like, which the terms of a match, sums over points, forget.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from safetensors.numpy import load

from unrender.render.coverage import Floats

SIDE = 24  # cells of a side of what the network sees
CELL = 0.19  # of a drawing's radius: the side of a cell
DIRECTIONS = 4  # of lines, one channel each; the last channel are free ends
END = 1.5  # of a free end, where a line has 1 in each cell that it crosses
POOLED = 3  # layers after which the larger of four neighbours is kept
COMMON = 10  # nearest others that tell how much a drawing looks like many
FILE = "embedding.safetensors"


@dataclass(frozen=True, eq=False)
class Embedding:
    """The layers of the network, and others that a drawing may be taken for."""

    kernels: tuple[Floats, ...]  # (out, in, 3, 3) each
    biases: tuple[Floats, ...]  # (out,)
    head: Floats  # (E, last * cells)
    shift: Floats  # (E,)
    others: Floats  # (K, E): drawings of the characters it was learned from, one of each

    def of(self, points: Floats, tangents: Floats, ends: Floats, length: float) -> Floats:
        """(E,): the unit vector of a drawing, given as in `Drawing`."""
        cells = raster(points, tangents, ends, length)
        for number, (kernel, bias) in enumerate(zip(self.kernels, self.biases, strict=True)):
            cells = np.maximum(_convolved(cells, kernel) + bias[:, None, None], 0)
            if number < POOLED:
                half = cells.shape[1] // 2
                cells = cells.reshape(len(cells), half, 2, half, 2).max((2, 4))
        found = self.head @ cells.ravel() + self.shift
        return (found / max(float(np.linalg.norm(found)), 1e-9)).astype(np.float32)

    def common(self, vector: Floats) -> float:
        """How much a drawing looks like the others that are most like it: many things are taken for it."""
        alike = np.sort(self.others @ vector)[-COMMON:]
        return float(alike.mean()) if len(alike) else 0.0

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Floats]) -> Embedding:
        """As it is written to a file: kernel0, bias0, ..., head, shift, others."""
        plain = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
        count = sum(name.startswith("kernel") for name in plain)
        kernels = tuple(plain[f"kernel{k}"] for k in range(count))
        biases = tuple(plain[f"bias{k}"] for k in range(count))
        return cls(kernels, biases, plain["head"], plain["shift"], plain["others"])


def raster(points: Floats, tangents: Floats, ends: Floats, length: float) -> Floats:
    """(DIRECTIONS + 1, SIDE, SIDE): points (2, N) with tangents, shared out to the four cells around each."""
    angles = math.pi * np.arange(DIRECTIONS, dtype=np.float32) / DIRECTIONS
    turned = (np.cos(angles)[:, None] * tangents[0] + np.sin(angles)[:, None] * tangents[1]) ** 4
    share = turned / (turned.sum(0) + 1e-9) * (length / points.shape[1] / CELL)
    values = np.concatenate([share, END * ends[None]])
    place = points / CELL + (SIDE / 2 - 0.5)
    low = np.floor(place).astype(int)
    part = place - low
    cells = np.zeros((SIDE * SIDE, DIRECTIONS + 1), np.float32)
    for dx in (0, 1):
        for dy in (0, 1):
            x, y = low[0] + dx, low[1] + dy
            weight = np.abs(1 - dx - part[0]) * np.abs(1 - dy - part[1])
            inside = (x >= 0) & (x < SIDE) & (y >= 0) & (y < SIDE)
            np.add.at(cells, (SIDE * y + x)[inside], (values * weight).T[inside])
    return np.ascontiguousarray(cells.T).reshape(DIRECTIONS + 1, SIDE, SIDE)


def _convolved(cells: Floats, kernel: Floats) -> Floats:
    """(out, H, W): a 3 x 3 convolution of (in, H, W), zeros around it."""
    around = np.pad(cells, ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(around, (3, 3), (1, 2))
    found: Floats = np.einsum("ihwkl,oikl->ohw", windows, kernel, optimize=True)
    return found


@cache
def learned_embedding() -> Embedding:
    """As it was learned from Omniglot; `people.json` is its card."""
    return Embedding.from_tensors(load(files("unrender.matching").joinpath(FILE).read_bytes()))
