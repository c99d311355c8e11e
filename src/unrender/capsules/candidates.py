"""Candidates: first estimates of all capsules, refined on the pyramid and scored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.agreement import activation, pixel_agreement
from unrender.capsules.geometry import ANGLE, CX, CY, LOG_H, LOG_W, OWN, TAU, Shapes
from unrender.capsules.primitive import PrimitiveCapsule, strips
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.refine import INSIDE, STROKE, Fitted, refine


UNCLEAR = 0.3  # log of width / height: below it an estimate may have taken another corner for the apex
_SCORES = ("paint", "plane", "agreement", "there", "p")


@dataclass(frozen=True)
class Sightings:
    """Refined candidates in pixels of the picture."""

    shapes: Shapes
    paint: Tensor  # (N, 3)
    plane: Tensor  # (N, 3, 3): the ground, constant, by x, by y, relative to the shape's reach
    agreement: Tensor  # (N, RAYS)
    there: Tensor  # (N, RAYS)
    p: Tensor  # (N,)

    def __len__(self) -> int:
        return len(self.shapes)

    def __getitem__(self, index: Tensor) -> Sightings:
        return Sightings(
            self.shapes[index],
            self.paint[index],
            self.plane[index],
            self.agreement[index],
            self.there[index],
            self.p[index],
        )

    def put(self, index: Tensor, other: Sightings) -> Sightings:
        """The same sightings with those at `index` replaced by others."""

        def mixed(mine: Tensor, theirs: Tensor) -> Tensor:
            return mine.index_copy(0, index, theirs)

        shapes = self.shapes.with_pose(mixed(self.shapes.pose, other.shapes.pose))
        rest = (mixed(getattr(self, name), getattr(other, name)) for name in _SCORES)
        return Sightings(shapes, *rest)

    @classmethod
    def join(cls, parts: Sequence[Sightings]) -> Sightings:
        shapes = Shapes.join([s.shapes for s in parts])
        rest = (torch.cat([getattr(s, name) for s in parts]) for name in _SCORES)
        return cls(shapes, *rest)


def look(
    pyramid: Pyramid, capsules: Sequence[PrimitiveCapsule], thorough: bool = False
) -> tuple[Shapes, Tensor]:
    """First estimates of all capsules, in pixels of their level, and the levels (N,)."""
    kinds = tuple(capsule.primitive for capsule in capsules)
    extra = max((len(kind.shape) for kind in kinds), default=0)
    empty = Shapes(kinds, torch.zeros(0).long(), torch.zeros(0, OWN + extra), torch.zeros(0).bool())
    parts = [empty]
    levels = [torch.zeros(0).long()]
    for strip in strips(pyramid):
        for i, capsule in enumerate(capsules):
            said = capsule.encode(strip, thorough)
            if not len(said.level):
                continue
            rows = [said.attributes if j == i else torch.zeros(0, len(k.columns)) for j, k in enumerate(kinds)]
            shapes = Shapes.of(kinds, torch.full((len(said.level),), i), rows)
            unsure = ((said.filled > 0.15) & (said.filled < 0.85)).nonzero()[:, 0]
            other = shapes[unsure]
            a, b = other.half
            pose = other.pose.clone()
            pose[:, TAU] = torch.where(other.filled, 0.15 * torch.minimum(a, b), torch.zeros_like(a))
            parts += [shapes, replace(other, pose=pose, filled=~other.filled)]
            levels += [said.level, said.level[unsure]]
            if capsule.primitive.order % 2 and capsule.primitive.order > 1:
                even = ((shapes.pose[:, LOG_W] - shapes.pose[:, LOG_H]).abs() < UNCLEAR).nonzero()[:, 0]
                for turn in range(1, capsule.primitive.order):
                    parts.append(_turned(shapes[even], 2 * math.pi * turn / capsule.primitive.order))
                    levels.append(said.level[even])
    return Shapes.join(parts), torch.cat(levels)


def _turned(shapes: Shapes, angle: float) -> Shapes:
    """The same shapes with equal sides, turned: which corner of a triangle is its apex may be unclear."""
    pose = shapes.pose.clone()
    pose[:, [LOG_W, LOG_H]] = pose[:, [LOG_W, LOG_H]].mean(1, keepdim=True)
    pose[:, ANGLE] += angle
    return shapes.with_pose(pose)


def sight(shapes: Shapes, fitted: Fitted, noise: float) -> Sightings:
    """Score what was fitted."""
    agreement, there = pixel_agreement(shapes, fitted, noise)
    p = activation(agreement, there)
    return Sightings(shapes, fitted.paint(shapes.filled), fitted.colours[:, :3], agreement, there, p)


def settle(
    pyramid: Pyramid, shapes: Shapes, level: Tensor, noise: float, taken: Pyramid | None = None
) -> Sightings:
    """Refine candidates on their own level, then on finer ones down to the full picture.

    taken: which pixels are explained already.
    """
    ramps = (3.0, 3.0, 2.0, 2.0, 1.5)
    shapes, fitted = refine(pyramid, shapes, level, ramps, noise, taken=taken)
    seen = sight(shapes, fitted, noise)
    keep = _distinct(seen, level, 0.2)
    twins = _painted_after_all(fitted, shapes, noise)
    twins = twins[(seen.p[twins] > 0.2)]
    a, b = shapes.half
    pose = shapes.pose.clone()
    pose[:, LOG_W], pose[:, LOG_H] = (2 * (a + pose[:, TAU])).log(), (2 * (b + pose[:, TAU])).log()
    pose[:, TAU] = 0.0
    solid = replace(shapes, pose=pose, filled=torch.ones_like(shapes.filled))[twins]
    shapes, level = Shapes.join([shapes[keep], solid]), torch.cat([level[keep], level[twins]])
    while True:
        finer = (level - 2).clamp_min(0)
        shapes = shapes.scaled(torch.exp2((level - finer).float()))
        level = finer
        shapes, fitted = refine(pyramid, shapes, level, (3.0, 2.0, 1.5, 1.0, 1.0), noise, taken=taken)
        if not bool(level.any()):
            break
    seen = sight(shapes, fitted, noise)
    return seen[_distinct(seen, level, 0.3)]


def _painted_after_all(fitted: Fitted, shapes: Shapes, noise: float) -> Tensor:
    """Indices of outlines whose inside does not show the ground: they may be filled."""
    ground, stroke, inside = fitted.colours[:, 0], fitted.colours[:, STROKE], fitted.colours[:, INSIDE]
    differs = (inside - ground).norm(dim=1)
    return (~shapes.filled & (differs > 0.08 + 4 * noise) & ((inside - stroke).norm(dim=1) < differs)).nonzero()[:, 0]


def _distinct(seen: Sightings, level: Tensor, least: float) -> Tensor:
    """Indices of candidates with at least this p, without those that repeat a better one."""
    pose = seen.shapes.pose
    a, b = seen.shapes.half
    scale = torch.exp2(level.float())
    order = torch.argsort(seen.p, descending=True)
    order = order[seen.p[order] > least]
    x, y, size = pose[:, CX] * scale, pose[:, CY] * scale, torch.sqrt(a * b) * scale
    x, y, size = x[order], y[order], size[order]
    near = torch.hypot(x[:, None] - x, y[:, None] - y) < 0.15 * torch.minimum(size[:, None], size)
    near &= (torch.log(size[:, None] / size)).abs() < 0.12
    kind, filled = seen.shapes.kind[order], seen.shapes.filled[order]
    near &= (kind[:, None] == kind) & (filled[:, None] == filled)
    repeated = torch.tril(near, -1)
    kept: NDArray[np.bool_] = np.ones(len(order), bool)
    for i, row in enumerate(repeated.numpy()):
        kept[i] = not (row & kept).any()
    return order[torch.from_numpy(kept)]
