"""Shapes as the optimiser sees them: poses of many kinds in one tensor, distances with their derivatives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.graphics.draw import FILLED, HEIGHT, ROTATION, SHAPE, THICKNESS, WIDTH, X, Y
from unrender.graphics.registry import Primitive

Floats = NDArray[np.floating]

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

    def __getitem__(self, index: Tensor | slice) -> Shapes:
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

    @cached_property
    def by_kind(self) -> Tensor | None:
        """The order in which shapes of one kind stand side by side; None if they do already."""
        kind = self.kind.numpy()
        if (kind[1:] >= kind[:-1]).all():
            return None
        return torch.from_numpy(np.argsort(kind, kind="stable"))

    @cached_property
    def half(self) -> tuple[Tensor, Tensor]:
        """a, b: half of width and height (N,)."""
        a, b = (self.pose[:, LOG_W : LOG_H + 1].exp() / 2).unbind(1)
        return a, b

    @cached_property
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
    signed, nx, ny = torch.empty(3, *lx.shape, dtype=lx.dtype).unbind(0)
    others = []
    for primitive, at in _runs(shapes):
        if primitive.normal is not None:
            signed[at], nx[at], ny[at] = primitive.normal(lx[at], ly[at], a[at], b[at])
        else:
            found = _by_autograd(primitive, shapes, at, lx[at], ly[at], a[at], b[at])
            signed[at], nx[at], ny[at] = found[:3]
            others.append((at, found[3:]))
    _slopes_of_stretched(shapes.pose.numpy(), *(t.numpy() for t in (lx, ly, signed, nx, ny, slopes)))
    for at, (by_a, by_b, *own) in others:
        slopes[at, LOG_W], slopes[at, LOG_H] = by_a, by_b
        for column, slope in enumerate(own, OWN):
            slopes[at, column] = slope
    return signed, slopes


def _slopes_of_stretched(
    pose: Floats, x: Floats, y: Floats, signed: Floats, nx: Floats, ny: Floats, out: Floats
) -> None:
    """The slopes of shapes that are only stretched, from points and normals in their own frame."""
    cos, sin = np.cos(pose[:, ANGLE, None]), np.sin(pose[:, ANGLE, None])
    np.subtract(sin * ny, cos * nx, out=out[:, CX])
    np.negative(sin * nx + cos * ny, out=out[:, CY])
    np.multiply(nx, signed * nx - x, out=out[:, LOG_W])
    np.multiply(ny, signed * ny - y, out=out[:, LOG_H])
    np.subtract(nx * y, ny * x, out=out[:, ANGLE])


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
    pose = shapes.pose.numpy()
    cos, sin = np.cos(pose[:, ANGLE, None]), np.sin(pose[:, ANGLE, None])
    dx, dy = x.numpy() - pose[:, CX, None], y.numpy() - pose[:, CY, None]
    a, b = shapes.half
    return (
        torch.from_numpy(cos * dx + sin * dy),
        torch.from_numpy(cos * dy - sin * dx),
        a[:, None],
        b[:, None],
    )


def _own(shapes: Shapes, at: slice, primitive: Primitive) -> list[Tensor]:
    return [shapes.pose[at, OWN + j, None] for j in range(len(primitive.shape))]
