"""Handles: points on the line of a stroke that say where it runs, and the numbers by which γ tells them.

A stroke read from its other end is the same stroke, so no network could learn which end is the first. With
the handles as complex numbers around their mean, sums of those opposite each other do not change with the way
it is read, and half their differences (u of the ends, v of those next to them) only change sign, both at
once: u² and uv do not. These are told, divided by |u| so that they grow as the stroke does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unrender.primitives.evidence import Doubles

DRAWN = 4  # uniform numbers that choose the line of a stroke to train on
THINNEST = 0.02  # of its length: strokes below are told as this
THICKNESS = 2.0  # added to the logarithm of the width, so that it is about 0
SHORTEST = 1e-6  # of the extent: ends nearer to each other have no direction


@dataclass(frozen=True)
class Handles:
    """How the line of a stroke is told by points."""

    count: int  # 2 to 4
    of: Callable[[Doubles, Doubles], Doubles]  # (pose, form) -> (count, 2) px, the ends first and last
    through: Callable[[Doubles, float], tuple[Doubles, Doubles]]  # (handles, width) -> pose and form
    drawn: Callable[[Doubles], Doubles]  # uniform numbers (DRAWN,) -> handles of any size, to train on

    @property
    def numbers(self) -> int:
        """Numbers that tell handles around their mean, in extents, and the stroke's width."""
        return 2 * (self.count - 1) + 1

    def told(self, points: Doubles, width: float) -> Doubles:
        """Those numbers (numbers,) of handles (count, 2) and a width, in px."""
        extent = extent_of(points)
        z = (points[:, 0] + 1j * points[:, 1]) / extent
        z -= z.mean()
        half = (z - z[::-1]) / 2
        length = max(abs(half[0]), SHORTEST)
        told = [half[0] ** 2 / length]
        if self.count > 2:
            told.append((z[0] + z[-1]) / 2)
        if self.count > 3:
            told.append(half[0] * half[1] / length)
        thickness = math.log(max(width / (2 * extent), THINNEST)) + THICKNESS
        return np.array([part for number in told for part in (number.real, number.imag)] + [thickness])

    def read(self, numbers: Doubles, centre: Doubles, extent: float) -> tuple[Doubles, float]:
        """The handles (count, 2) and the width in px that numbers (numbers,) tell."""
        told = [complex(*numbers[2 * k : 2 * k + 2]) for k in range(self.count - 1)]
        length = max(abs(told[0]), SHORTEST)
        u = (told[0] / length) ** 0.5 * length
        z = [u, -u]
        if self.count > 2:
            z = [told[1] + u, told[1] - u]
        if self.count == 3:
            z.insert(1, -2 * told[1])
        elif self.count > 3:
            v = told[2] * length / u
            z[1:1] = [-told[1] + v, -told[1] - v]
        width = 2 * extent * math.exp(min(float(numbers[-1]), THICKNESS) - THICKNESS)
        return centre + extent * np.array([[each.real, each.imag] for each in z]), width


def extent_of(points: Doubles) -> float:
    """The root mean square distance (px) of handles (K, 2) from their mean: half the length of an edge."""
    return max(math.sqrt(float(((points - points.mean(0)) ** 2).sum(1).mean())), 1e-9)
