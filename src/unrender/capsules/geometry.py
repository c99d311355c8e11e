"""Shapes as the optimiser sees them: poses of many kinds in one tensor, distances with their derivatives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from unrender.graphics.draw import FILLED, HEIGHT, ROTATION, SHAPE, THICKNESS, WIDTH, X, Y
from unrender.graphics.registry import Primitive

CX, CY, LOG_W, LOG_H, ANGLE, TAU, OWN = range(7)
"""Columns of a pose: centre (px), log of width and height, angle (radians), half stroke (px), then the
primitive's own shape attributes, padded to the longest."""


@dataclass(frozen=True)
class Shapes:
    """N shapes of several kinds. `pose` is (N, 6 + E); `filled` says whether the inside is painted."""

    kinds: tuple[Primitive, ...]
    kind: Tensor  # (N,) index into kinds
    pose: Tensor  # (N, 6 + E)
    filled: Tensor  # bool (N,)

    @classmethod
    def of(cls, kinds: Sequence[Primitive], kind: Tensor, rows: Sequence[Tensor]) -> Shapes:
        """From one attribute tensor (n_i, A_i) per kind, stacked in the order of `kind`."""
        extra = max(len(k.shape) for k in kinds)
        poses, filled = [], []
        for primitive, attributes in zip(kinds, rows, strict=True):
            pose = attributes.new_zeros(len(attributes), OWN + extra)
            pose[:, CX], pose[:, CY] = attributes[:, X], attributes[:, Y]
            pose[:, LOG_W], pose[:, LOG_H] = attributes[:, WIDTH].log(), attributes[:, HEIGHT].log()
            pose[:, ANGLE] = attributes[:, ROTATION] * (math.pi / 180)
            pose[:, TAU] = (
                attributes[:, THICKNESS] * torch.minimum(attributes[:, WIDTH], attributes[:, HEIGHT]) / 2
            )
            pose[:, OWN : OWN + len(primitive.shape)] = attributes[:, SHAPE:]
            poses.append(pose)
            filled.append(attributes[:, FILLED] > 0.5)
        return cls(tuple(kinds), kind, torch.cat(poses), torch.cat(filled))

    @classmethod
    def join(cls, parts: Sequence[Shapes]) -> Shapes:
        """One after the other; all must know the same kinds."""
        return replace(
            parts[0],
            kind=torch.cat([s.kind for s in parts]),
            pose=torch.cat([s.pose for s in parts]),
            filled=torch.cat([s.filled for s in parts]),
        )

    def __len__(self) -> int:
        return len(self.pose)

    def __getitem__(self, index: Tensor) -> Shapes:
        return replace(self, kind=self.kind[index], pose=self.pose[index], filled=self.filled[index])

    def with_pose(self, pose: Tensor) -> Shapes:
        """The same shapes elsewhere."""
        return replace(self, pose=pose)

    def scaled(self, factor: Tensor) -> Shapes:
        """The same shapes in a picture that is `factor` (N,) times as large."""
        pose = self.pose.clone()
        pose[:, CX : CY + 1] *= factor[:, None]
        pose[:, LOG_W : LOG_H + 1] += factor.log()[:, None]
        pose[:, TAU] *= factor
        return self.with_pose(pose)

    @property
    def by_kind(self) -> Tensor | None:
        """The order in which shapes of one kind stand side by side; None if they do already."""
        kind = self.kind.numpy()
        if (kind[1:] >= kind[:-1]).all():
            return None
        return torch.from_numpy(np.argsort(kind, kind="stable"))

    @property
    def half(self) -> tuple[Tensor, Tensor]:
        """a, b: half of width and height (N,)."""
        return self.pose[:, LOG_W].exp() / 2, self.pose[:, LOG_H].exp() / 2

    @property
    def reach(self) -> Tensor:
        """(N,): nothing of the shape lies further than this from its centre."""
        a, b = self.half
        return torch.hypot(a, b) + self.pose[:, TAU]


def distances(shapes: Shapes, x: Tensor, y: Tensor) -> Tensor:
    """Signed distances (N, M) of each shape to its own points (N, M)."""
    mixed = shapes.by_kind
    if mixed is not None:
        return distances(shapes[mixed], x[mixed], y[mixed])[mixed.argsort()]
    lx, ly, a, b = _local(shapes, x, y)
    parts = [
        primitive.distance(lx[at], ly[at], a[at], b[at], *_own(shapes, at, primitive))
        for primitive, at in _runs(shapes)
    ]
    return torch.cat(parts) if parts else torch.empty_like(lx)


def distances_and_slopes(shapes: Shapes, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Signed distances (N, M) and their derivatives by every column of the pose but TAU (N, 6 + E, M).

    A point moves with its normal, and the outline of a shape that is only stretched moves with the point
    of it that is nearest, so the gradient by x and y says all. For a shape with attributes of its own one
    backward pass gives the rest: a point's distance depends on nothing but its own copy of them.
    """
    mixed = shapes.by_kind
    if mixed is not None:
        signed, slopes = distances_and_slopes(shapes[mixed], x[mixed], y[mixed])
        back = mixed.argsort()
        return signed[back], slopes[back]
    lx, ly, a, b = _local(shapes, x, y)
    slopes = lx.new_zeros(len(lx), shapes.pose.shape[1], lx.shape[1])
    parts, others = [], []
    for primitive, at in _runs(shapes):
        if primitive.normal is not None:
            parts.append(primitive.normal(lx[at], ly[at], a[at], b[at]))
        else:
            d, nx, ny, *rest = _by_autograd(primitive, shapes, at, lx[at], ly[at], a[at], b[at])
            parts.append((d, nx, ny))
            others.append((at, rest))
    if not parts:
        return torch.empty_like(lx), slopes
    signed, nx, ny = parts[0] if len(parts) == 1 else map(torch.cat, zip(*parts, strict=True))
    cos, sin = shapes.pose[:, ANGLE, None].cos(), shapes.pose[:, ANGLE, None].sin()
    torch.addcmul(sin * ny, cos, nx, value=-1, out=slopes[:, CX])
    torch.addcmul(-sin * nx, cos, ny, value=-1, out=slopes[:, CY])
    torch.mul(nx, torch.addcmul(-lx, signed, nx), out=slopes[:, LOG_W])
    torch.mul(ny, torch.addcmul(-ly, signed, ny), out=slopes[:, LOG_H])
    torch.addcmul(nx * ly, ny, lx, value=-1, out=slopes[:, ANGLE])
    for at, (by_a, by_b, *own) in others:
        slopes[at, LOG_W], slopes[at, LOG_H] = by_a, by_b
        for j, slope in enumerate(own):
            slopes[at, OWN + j] = slope
    return signed, slopes


def _runs(shapes: Shapes) -> Iterator[tuple[Primitive, slice]]:
    """Each kind with the slice of shapes that are of it; shapes of one kind stand side by side."""
    ends = np.searchsorted(shapes.kind.numpy(), np.arange(len(shapes.kinds) + 1)).tolist()
    for primitive, first, last in zip(shapes.kinds, ends, ends[1:], strict=False):
        if last > first:
            yield primitive, slice(first, last)


def _by_autograd(
    primitive: Primitive, shapes: Shapes, at: slice, x: Tensor, y: Tensor, a: Tensor, b: Tensor
) -> list[Tensor]:
    """The distance and its slopes by x, y, log a, log b and the shape's own attributes."""
    with torch.enable_grad():
        values = (
            x,
            y,
            a.expand_as(x),
            b.expand_as(x),
            *(v.expand_as(x) for v in _own(shapes, at, primitive)),
        )
        inputs = [value.detach().clone().requires_grad_() for value in values]
        d = primitive.distance(*inputs)
        gx, gy, ga, gb, *own = torch.autograd.grad(d.sum(), inputs)
    return [d.detach(), gx, gy, ga * a, gb * b, *own]


def _local(shapes: Shapes, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Points in each shape's own frame, and its half sides (N, 1)."""
    pose = shapes.pose
    cos, sin = pose[:, ANGLE, None].cos(), pose[:, ANGLE, None].sin()
    dx, dy = x - pose[:, CX, None], y - pose[:, CY, None]
    a, b = shapes.half
    return (
        torch.addcmul(cos * dx, sin, dy),
        torch.addcmul(cos * dy, sin, dx, value=-1),
        a[:, None],
        b[:, None],
    )


def _own(shapes: Shapes, at: slice, primitive: Primitive) -> list[Tensor]:
    return [shapes.pose[at, OWN + j, None] for j in range(len(primitive.shape))]
