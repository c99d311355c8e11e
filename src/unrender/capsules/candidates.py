"""Candidates: first estimates of all capsules, refined on the pyramid and scored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.agreement import FAINT, SEEN, activation, pixel_agreement
from unrender.capsules.colours import INSIDE, STROKE
from unrender.capsules.geometry import ANGLE, CX, CY, LOG_H, LOG_W, TAU, Floats, Shapes
from unrender.capsules.primitive import PrimitiveCapsule, Said
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.refine import Fitted, Samples, refine
from unrender.capsules.threads import each
from unrender.capsules.together import outputs
from unrender.capsules.views import View, views
from unrender.graphics.compiled import Doubles1, Flags1, Floats1, Floats2, Floats3, Ints1, compiled
from unrender.graphics.registry import Primitive

SHARED = 100_000  # px that γ looks at: with less to do a second core only waits
UNCLEAR = 0.3  # log of width / height: below it an estimate may have taken another corner for the apex
QUICK, QUICK_END = (3.0, 3.0, 2.0, 1.5), (2.0, 1.0, 1.0)  # ramps on the own level, and on finer ones
PATIENT, PATIENT_END = (3.0, 3.0, 2.0, 2.0, 1.5), (3.0, 2.0, 1.5, 1.0, 1.0)
FILLING = 0.6  # of the width or height of the picture: a shape this large may leave it no ground
LEAST_SEEN = 0.1  # of the squared contrast of the faintest edge: the least variance around an outline
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

    def __getitem__(self, index: Tensor | slice) -> Sightings:
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
    pyramid: Pyramid,
    capsules: Sequence[PrimitiveCapsule],
    silhouettes: Sequence[Primitive] = (),
    where: NDArray[np.bool_] | None = None,
    levels: Sequence[int] | None = None,
    thorough: bool = False,
) -> tuple[Shapes, Tensor]:
    """First estimates of all capsules, in pixels of their level, and the levels (N,).

    silhouettes: further kinds of shapes, of which there are no first estimates.
    where: (H, W), what is left to explain. levels: those that are looked at, if not all.
    thorough: every estimate counts that has any hope, not only the best of its neighbourhood.
    """
    shown = list(views(pyramid, where, levels))
    found = _encoded(capsules, shown, thorough)
    said = [capsule.estimates(found[i :: len(capsules)]) for i, capsule in enumerate(capsules)]
    kinds = [*(capsule.primitive for capsule in capsules), *silhouettes]
    kind = torch.arange(len(said)).repeat_interleave(torch.tensor([len(s.level) for s in said]))
    none = [torch.zeros(0, len(kind.columns)) for kind in silhouettes]
    first = Shapes.of(kinds, kind, [*(s.attributes for s in said), *none])
    filled = torch.cat([s.filled for s in said])
    unsure = ((filled > 0.15) & (filled < 0.85)).nonzero()[:, 0]
    parts, sources = [first, _repainted(first[unsure])], [torch.arange(len(first)), unsure]
    even = (first.pose[:, LOG_W] - first.pose[:, LOG_H]).abs() < UNCLEAR
    for i, primitive in enumerate(kinds):
        if primitive.order % 2 and primitive.order > 1:
            unclear = (even & (kind == i)).nonzero()[:, 0]
            for turn in range(1, primitive.order):
                parts.append(turned(first[unclear], 2 * math.pi * turn / primitive.order))
                sources.append(unclear)
    shapes, source = Shapes.join(parts), torch.cat(sources)
    level = torch.cat([s.level for s in said])[source]
    if thorough:
        return shapes, level
    hope = torch.cat([s.confidence for s in said])[source]
    several = _distinct(shapes, hope, level, near=0.2, alike=0.25, turned=0.5)
    return shapes[several], level[several]


def _encoded(capsules: Sequence[PrimitiveCapsule], shown: Sequence[View], thorough: bool) -> list[Said]:
    """What every γ says of every view, view by view: on all cores, or if there is little to see all at once
    on this one."""
    if len(capsules) * sum(view.pixels[0, 0].numel() for view in shown) >= SHARED:
        tasks = [(capsule, view) for view in shown for capsule in capsules]
        return each(lambda task: task[0].encode(task[1], thorough), tasks)
    encoders = [capsule.encoder for capsule in capsules]
    return [
        capsule.heard(output, view, thorough)
        for view in shown
        for capsule, output in zip(capsules, outputs(encoders, view.pixels), strict=True)
    ]


def _repainted(shapes: Shapes) -> Shapes:
    """Outlines of the filled ones, and the outlines filled."""
    a, b = shapes.half
    pose = shapes.pose.clone()
    pose[:, TAU] = torch.where(shapes.filled, 0.15 * torch.minimum(a, b), 0.0)
    return replace(shapes, pose=pose, filled=~shapes.filled)


def turned(shapes: Shapes, angle: Tensor | float) -> Shapes:
    """The same shapes with equal sides, turned: which corner of a triangle is its apex may be unclear."""
    pose = shapes.pose.clone()
    pose[:, [LOG_W, LOG_H]] = pose[:, [LOG_W, LOG_H]].mean(1, keepdim=True)
    pose[:, ANGLE] += angle
    return shapes.with_pose(pose)


def sight(
    shapes: Shapes,
    fitted: Fitted,
    noise: float,
    least: Tensor | float = SEEN,
    merged: Tensor | None = None,
) -> Sightings:
    """Score what was fitted; `least` of an outline must be visible to be judged by that alone.

    merged: bool (N, RAYS), where there is no edge to be seen; less of such an outline needs to be visible.
    """
    agreement, there = pixel_agreement(shapes, fitted, noise)
    if merged is not None:
        there = there * ~merged
        least = least * (~merged).float().mean(1).square()
    p = activation(agreement, there, least)
    paint, plane = torch.from_numpy(fitted.paint), torch.from_numpy(fitted.colours[:, :3])
    return Sightings(shapes, paint, plane, agreement, there, p)


def settle(
    pyramid: Pyramid, shapes: Shapes, level: Tensor, noise: float, taken: Pyramid | None = None
) -> Sightings:
    """Refine candidates on their own level, then on finer ones down to the full picture.

    taken: which pixels are explained already. Without it this is the first look, which finds what is plain
    to see in few steps; what is left is worth more.
    """
    first, last = (QUICK, QUICK_END) if taken is None else (PATIENT, PATIENT_END)
    plain = _contrasting(pyramid, shapes, level, noise)
    shapes, level = shapes[plain], level[plain]
    estimated = shapes.pose
    shapes, fitted = refine(pyramid, shapes, level, first, noise, taken=taken)
    seen = sight(shapes, fitted, noise)
    # the ground of a shape that nearly fills the picture is thinner than a pixel here: wait for a finer level
    cut_off = (seen.there.mean(1) < SEEN) & _filling(estimated, level, pyramid)
    shapes = shapes.with_pose(torch.where(cut_off[:, None], estimated, shapes.pose))
    promise = torch.where(cut_off, torch.full_like(seen.p, 0.25), seen.p)
    keep = _distinct(shapes, promise, level, turned=0.5)
    keep = keep[promise[keep] > 0.2]
    twins = _painted_after_all(fitted, shapes, noise)
    twins = twins[(seen.p[twins] > 0.2)]
    a, b = shapes.half
    pose = shapes.pose.clone()
    pose[:, LOG_W], pose[:, LOG_H] = (2 * (a + pose[:, TAU])).log(), (2 * (b + pose[:, TAU])).log()
    pose[:, TAU] = 0.0
    solid = replace(shapes, pose=pose, filled=torch.ones_like(shapes.filled))[twins]
    shapes, level = Shapes.join([shapes[keep], solid]), torch.cat([level[keep], level[twins]])
    late = (torch.cat([cut_off[keep], cut_off[twins]]) & (level > 0) & (level < 3)).nonzero()[:, 0]
    if len(late):
        full = shapes[late].scaled(torch.exp2(level[late].float()))
        full = refine(pyramid, full, torch.zeros_like(late), (5.0, 4.0, *first), noise, taken=taken)[0]
        full = full.scaled(torch.exp2(-level[late].float()))
        shapes = shapes.with_pose(shapes.pose.index_copy(0, late, full.pose))
    while bool((level > 2).any()):
        at = (level > 2).nonzero()[:, 0]
        finer, level[at] = shapes[at].scaled(torch.full((len(at),), 4.0)), level[at] - 2
        finer = refine(pyramid, finer, level[at], first, noise, taken=taken)[0]
        shapes = shapes.with_pose(shapes.pose.index_copy(0, at, finer.pose))
    shapes, level = shapes.scaled(torch.exp2(level.float())), torch.zeros_like(level)
    shapes, fitted = refine(pyramid, shapes, level, last, noise, taken=taken)
    seen = sight(shapes, fitted, noise)
    keep = _distinct(shapes, seen.p, level)
    return seen[keep[seen.p[keep] > 0.3]]


def _contrasting(pyramid: Pyramid, shapes: Shapes, level: Tensor, noise: float) -> Tensor:
    """Indices of the shapes around whose outline there is more to see than noise."""
    samples = Samples.around(pyramid, shapes, level)
    expected = 3 * (noise * torch.exp2(-level.float())).square() + LEAST_SEEN * (FAINT + 3 * noise) ** 2
    which = np.nonzero(_variance(samples.values.numpy(), samples.there.numpy()) > expected.numpy())[0]
    return torch.from_numpy(which)


@compiled
def _variance(values: Floats3, there: Floats2) -> Floats:
    """(N,): that of the values (N, 3, M) which are there, over all channels."""
    variance = np.zeros(len(values), np.float32)
    for n in range(len(values)):
        count = np.float32(0)
        for m in range(there.shape[1]):
            count += there[n, m]
        count = max(count, np.float32(1))
        for c in range(3):
            mean, square = np.float32(0), np.float32(0)
            for m in range(values.shape[2]):
                mean += values[n, c, m] * there[n, m]
            mean /= count
            for m in range(values.shape[2]):
                square += (values[n, c, m] - mean) ** 2 * there[n, m]
            variance[n] += square / count
    return variance


def _filling(pose: Tensor, level: Tensor, pyramid: Pyramid) -> Tensor:
    """bool (N,): shapes that may be nearly as large as the picture."""
    sides = torch.stack([pyramid.width[level], pyramid.height[level]], 1)
    return (pose[:, LOG_W : LOG_H + 1].exp().amax(1, keepdim=True) > FILLING * sides).any(1)


def _painted_after_all(fitted: Fitted, shapes: Shapes, noise: float) -> Tensor:
    """Indices of outlines whose inside does not show the ground: they may be filled."""
    ground, stroke, inside = (fitted.colours[:, k] for k in (0, STROKE, INSIDE))
    differs = np.linalg.norm(inside - ground, axis=1)
    painted = (differs > 0.08 + 4 * noise) & (np.linalg.norm(inside - stroke, axis=1) < differs)
    which: Tensor = (torch.from_numpy(painted) & ~shapes.filled).nonzero()[:, 0]
    return which


def _distinct(
    shapes: Shapes, worth: Tensor, level: Tensor, near: float = 0.15, alike: float = 0.12, turned: float = 9.0
) -> Tensor:
    """Indices of candidates without those that repeat a worthier one; those of one kind side by side.

    Repeated: the same kind, the centre within `near` of its size, the log of the size within `alike`, and the
    angle within `turned` radians.
    """
    order = torch.argsort(worth, descending=True)
    half = np.array([_half_turn(primitive) for primitive in shapes.kinds])
    kind, filled, pose, scale = (
        t.numpy() for t in (shapes.kind, shapes.filled, shapes.pose, torch.exp2(level.float()))
    )
    kept = np.zeros(len(shapes), bool)
    _first_of_each(order.numpy(), kind, filled, pose, scale, half, near, alike, turned, kept)
    several = order[torch.from_numpy(kept)[order]]
    return several[shapes.kind[several].argsort(stable=True)]


@compiled
def _first_of_each(
    order: Ints1,
    kind: Ints1,
    filled: Flags1,
    pose: Floats2,
    scale: Floats1,
    half: Doubles1,
    near: float,
    alike: float,
    turned: float,
    kept: Flags1,
) -> None:
    """Mark those that repeat none of the kept ones before them. half: of a turn of each kind."""
    count = len(order)
    x, y, size = np.empty(count), np.empty(count), np.empty(count)
    several = np.empty(count, np.int64)  # those that are kept
    found = 0
    for i in order:
        x[i], y[i] = pose[i, CX] * scale[i], pose[i, CY] * scale[i]
        size[i] = math.exp((pose[i, LOG_W] + pose[i, LOG_H]) / 2) * scale[i]
        repeated = False
        for n in range(found):
            j = several[n]
            reach = 0.5 * near * min(size[i], size[j])
            if abs(x[i] - x[j]) >= reach or abs(y[i] - y[j]) >= reach:
                continue
            if kind[i] != kind[j] or filled[i] != filled[j]:
                continue
            if math.hypot(x[i] - x[j], y[i] - y[j]) >= reach or abs(math.log(size[i] / size[j])) >= alike:
                continue
            own = half[kind[i]]
            angle = abs((pose[i, ANGLE] - pose[j, ANGLE] + own) % (2 * own) - own)
            if angle < turned:
                repeated = True
                break
        if not repeated:
            several[found] = i
            found += 1
            kept[i] = True


def _half_turn(primitive: Primitive) -> float:
    """Radians: half of the turn after which a shape, however stretched, may be the same again.

    A circle hardly turns, and a quarter turn of a rectangle only exchanges its sides, but each corner of a
    triangle makes another apex.
    """
    if primitive.order == 0:
        return 1e-3
    return math.pi / primitive.order if primitive.order % 2 == 0 else math.pi
