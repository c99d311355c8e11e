"""Shapes as the optimiser sees them: poses of many kinds in one tensor, distances with their derivatives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.graphics.compiled import Floats2, Floats3, compiled
from unrender.graphics.draw import FILLED, HEIGHT, ROTATION, SHAPE, THICKNESS, WIDTH, X, Y
from unrender.graphics.registry import Primitive

Floats = NDArray[np.floating]
Runs = Sequence[tuple[Primitive, slice]]

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
    def runs(self) -> Runs:
        """Each kind with the slice of shapes that are of it, if shapes of one kind stand side by side."""
        ends = np.searchsorted(self.kind.numpy(), np.arange(len(self.kinds) + 1)).tolist()
        several = zip(self.kinds, ends, ends[1:], strict=False)
        return [(primitive, slice(first, last)) for primitive, first, last in several if last > first]

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


def arms(pose: Tensor) -> Tensor:
    """(N, G): by how many pixels an outline moves, at the most, if a column of its pose changes by one."""
    arm = pose[:, LOG_W : LOG_H + 1].amax(1, keepdim=True).exp() / 2
    arms = arm.repeat(1, pose.shape[1])
    arms[:, [CX, CY, TAU]] = 1.0
    return arms


def distances(shapes: Shapes, x: Tensor, y: Tensor) -> Tensor:
    """Signed distances (N, M) of each shape to its own points (N, M)."""
    mixed = shapes.by_kind
    if mixed is not None:
        return distances(shapes[mixed], x[mixed], y[mixed])[mixed.argsort()]
    pose = shapes.pose.numpy()
    lx, ly, a, b = _local(pose, x.numpy(), y.numpy())
    signed, nx, ny = np.empty((3, *lx.shape), lx.dtype)
    for primitive, at in shapes.runs:
        if primitive.compiled_normal is not None:
            primitive.compiled_normal(lx[at], ly[at], a[at], b[at], signed[at], nx[at], ny[at])
        else:
            points = (torch.from_numpy(values) for values in (lx[at], ly[at], a[at, None], b[at, None]))
            signed[at] = primitive.distance(*points, *_own(pose, at, primitive)).numpy()
    return torch.from_numpy(signed)


def distances_and_slopes(shapes: Shapes, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Signed distances (N, M) and their derivatives by every column of the pose but TAU (N, 6 + E, M)."""
    mixed = shapes.by_kind
    if mixed is not None:
        sorted_ = distances_and_slopes(shapes[mixed], x[mixed], y[mixed])
        back = mixed.argsort()
        return sorted_[0][back], sorted_[1][back]
    signed, slopes = measured(shapes.runs, shapes.pose.numpy(), x.numpy(), y.numpy())
    return torch.from_numpy(signed), torch.from_numpy(slopes)


def measured(runs: Runs, pose: Floats, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Distances and slopes of poses (N, 6 + E) whose kinds are told by `runs`, as above.

    A point moves with its normal, and the outline of a shape that is only stretched moves with the point
    of it that is nearest, so the gradient by x and y says all. For a shape with attributes of its own one
    backward pass gives the rest: a point's distance depends on nothing but its own copy of them.
    """
    lx, ly, a, b = _local(pose, x, y)
    slopes = np.empty((len(lx), pose.shape[1], lx.shape[1]), lx.dtype)
    signed, nx, ny = np.empty((3, *lx.shape), lx.dtype)
    others = []
    for primitive, at in runs:
        if primitive.compiled_normal is not None:
            primitive.compiled_normal(lx[at], ly[at], a[at], b[at], signed[at], nx[at], ny[at])
        else:
            found = _by_autograd(primitive, pose, at, lx, ly, a, b)
            signed[at], nx[at], ny[at] = found[:3]
            others.append((at, found[3:]))
    _slopes_of_stretched(pose, lx, ly, signed, nx, ny, slopes)
    for primitive, at in runs:
        if primitive.rigid:
            slopes[at, LOG_W] = slopes[at, LOG_H] = (slopes[at, LOG_W] + slopes[at, LOG_H]) / 2
    for at, (by_a, by_b, *own) in others:
        slopes[at, LOG_W], slopes[at, LOG_H] = by_a, by_b
        for column, slope in enumerate(own, OWN):
            slopes[at, column] = slope
    return signed, slopes


@compiled
def _slopes_of_stretched(
    pose: Floats2, x: Floats2, y: Floats2, signed: Floats2, nx: Floats2, ny: Floats2, out: Floats3
) -> None:
    """The slopes of shapes that are only stretched, from points and normals in their own frame."""
    for i in range(x.shape[0]):
        cos, sin = math.cos(pose[i, ANGLE]), math.sin(pose[i, ANGLE])
        for j in range(TAU, out.shape[1]):
            out[i, j] = 0
        for j in range(x.shape[1]):
            px, py, ux, uy, off = x[i, j], y[i, j], nx[i, j], ny[i, j], signed[i, j]
            out[i, CX, j] = sin * uy - cos * ux
            out[i, CY, j] = -sin * ux - cos * uy
            out[i, LOG_W, j] = ux * (off * ux - px)
            out[i, LOG_H, j] = uy * (off * uy - py)
            out[i, ANGLE, j] = ux * py - uy * px


def _by_autograd(
    primitive: Primitive, pose: Floats, at: slice, x: Floats, y: Floats, a: Floats, b: Floats
) -> list[Floats]:
    """The distance and its slopes by x, y, log a, log b and the shape's own attributes."""
    points = [torch.from_numpy(values) for values in (x[at], y[at], a[at, None], b[at, None])]
    with torch.enable_grad():
        values = (value.expand_as(points[0]) for value in (*points, *_own(pose, at, primitive)))
        inputs = [value.detach().clone().requires_grad_() for value in values]
        d = primitive.distance(*inputs)
        gx, gy, ga, gb, *own = torch.autograd.grad(d.sum(), inputs)
    return [t.numpy() for t in (d.detach(), gx, gy, ga * points[2], gb * points[3], *own)]


def _local(pose: Floats, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Points (N, M) in each shape's own frame, and its half sides (N,)."""
    a, b = np.ascontiguousarray(np.exp(pose[:, LOG_W : LOG_H + 1].T) / 2)
    lx, ly = np.empty((2, *x.shape), pose.dtype)
    _into_own_frame(pose, np.ascontiguousarray(x), np.ascontiguousarray(y), lx, ly)
    return lx, ly, a, b


@compiled
def _into_own_frame(pose: Floats2, x: Floats2, y: Floats2, own_x: Floats2, own_y: Floats2) -> None:
    """Points (N, M) as each shape sees them: from its centre, along its own axes."""
    for i in range(x.shape[0]):
        cos, sin = math.cos(pose[i, ANGLE]), math.sin(pose[i, ANGLE])
        for j in range(x.shape[1]):
            dx, dy = x[i, j] - pose[i, CX], y[i, j] - pose[i, CY]
            own_x[i, j], own_y[i, j] = cos * dx + sin * dy, cos * dy - sin * dx


def _own(pose: Floats, at: slice, primitive: Primitive) -> list[Tensor]:
    return [torch.from_numpy(pose[at, OWN + j, None]) for j in range(len(primitive.shape))]
