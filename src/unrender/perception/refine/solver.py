"""The one solver: damped Gauss-Newton steps of many poses at once, whatever their residuals are.

How the distance to an outline changes with the pose is the same for every primitive and every residual,
and is
written here once; a residual only says how it changes with that distance.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled
from unrender.primitives.polycurve_field import PULLS
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.protocol import Field as FieldLoop
from unrender.render.shape import OWN, TAU, A, B

NUDGE = 1e-4  # by which a parameter is moved to measure what it changes
CALM, LARGEST = 1e-4, 10.0  # damping: the least, and where a step is given up
SETTLED = 1e-3  # share of the cost by which a step must better it
NONE = np.zeros((0, 0, 0))
FRAME = OWN  # numbers of a pose that move all of an outline


class Field:
    """Signed distances of points to N shapes of one kind, with all arrays made once."""

    def __init__(
        self,
        primitive: Primitive,
        count: int,
        points: int,
        field: FieldLoop | None = None,
        form: int = 0,
    ) -> None:
        """field: another distance than the primitive's own. form: the size of the form behind the poses."""
        self.primitive = primitive
        self._field = primitive.compiled_field if field is None else field
        self.x, self.y, self.signed, self.nx, self.ny = np.empty((5, count, points))
        self.a, self.b = np.empty((2, count))
        self.own = np.empty((count, len(primitive.own) + form + len(primitive.fixed)))
        self.own[:, len(primitive.own) + form :] = primitive.fixed
        self._pulls = primitive.compiled_pulls if form else None
        moved = PULLS if self._pulls is not None else 0
        self.which, self.pull = np.empty((count, points, moved), np.int64), np.zeros((count, points, moved))
        self._measured: list[int] = [] if self._pulls is not None else self._without_formula(form)
        self._slopes = self._nudged = NONE  # made when they are needed

    def _without_formula(self, form: int) -> list[int]:
        """The columns of a pose of which it must be measured how they change the distances.

        An outline that is stretched with its box has a formula for all but the primitive's own parameters.
        One that has a form stays in its box and changes its form instead.
        """
        boxed = self.primitive.stretches or self.primitive.formed
        if self.primitive.compiled_slopes is not None:
            return []
        return list(range(OWN, OWN + len(self.primitive.own) + form)) + ([] if boxed else [A, B])

    def at(self, pose: Doubles, x: Doubles, y: Doubles) -> None:
        """Fill in everything for poses (N, P) and points of the canvas (N, M)."""
        into_frames(pose, x, y, self.x, self.y)
        self.a[:], self.b[:] = pose[:, A], pose[:, B]
        self.own[:, : pose.shape[1] - OWN] = pose[:, OWN:]
        told = (self.x, self.y, self.a, self.b, self.own, self.signed, self.nx, self.ny)
        if self._pulls is None:
            self._field(*told)
        else:
            self._pulls(*told, self.which, self.pull)

    @cached_property
    def first(self) -> tuple[Doubles, Doubles, Doubles, Doubles, Doubles, NDArray[np.int64], Doubles]:
        """x, y, distance and its gradient (M,) of the first shape; and the numbers of its form that move each
        point, with the slopes by them (M, L), if each moves a part of the outline only."""
        return self.x[0], self.y[0], self.signed[0], self.nx[0], self.ny[0], self.which[0], self.pull[0]

    def measured(self, pose: Doubles) -> Doubles:
        """How the distances change with each parameter (N, M, P), of those that have no formula; NONE if
        all have, or are told with the distances. The next call writes to the same array."""
        slopes = self.primitive.compiled_slopes
        if self._pulls is not None or not (self._measured or slopes is not None):
            return NONE
        size, boxed = pose.shape[1], self.primitive.stretches or self.primitive.formed
        if not self._slopes.size:
            self._slopes = np.zeros((*self.signed.shape, size if boxed else size + 2))
            if not self.primitive.formed:
                self._slopes[:, :, :OWN] = np.nan
        if slopes is not None:
            slopes(
                self.x, self.y, self.a, self.b, self.own, self.signed, self.nx, self.ny,
                self._slopes[:, :, OWN:],
            )  # fmt: skip
            if not boxed:
                self._slopes[:, :, A : B + 1] = self._slopes[:, :, size:]
        columns = self._measured
        for k, attribute in enumerate(self.primitive.own):
            if held := self.primitive.held_at(attribute.name):
                still = [own in held for own in pose[:, OWN + k].tolist()]
                if all(still):
                    columns = [each for each in columns if each != OWN + k]
                self._slopes[still, :, OWN + k] = 0.0
        if columns:
            self._measure(pose, columns)
        return self._slopes

    def _measure(self, pose: Doubles, columns: list[int]) -> None:
        """Measure how the distances change with some parameters, all of them at once."""
        count, points = self.signed.shape
        rows = len(columns) * count
        if len(self._nudged) < 5 or self._nudged.shape[1] < rows:
            self._nudged = np.empty((5, rows, points))
        x, y, signed, nx, ny = self._nudged[:, :rows]
        x.reshape(-1, count, points)[:], y.reshape(-1, count, points)[:] = self.x, self.y
        moved = np.tile(pose, (len(columns), 1, 1))
        for n, column in enumerate(columns):
            moved[n, :, column] += NUDGE
        told = moved.reshape(rows, -1)
        own = np.tile(self.own, (len(columns), 1))
        own[:, : pose.shape[1] - OWN] = told[:, OWN:]
        self._field(x, y, told[:, A].copy(), told[:, B].copy(), own, signed, nx, ny)
        differences(self.signed, signed, np.array(columns), NUDGE, self._slopes)


@compiled
def differences(
    before: Doubles, after: Doubles, columns: NDArray[np.int64], by: float, slope: Doubles
) -> None:
    """Write how distances (N, M) change with parameters that were moved one by one: (K N, M) are those after
    that, to the columns (K,) of the slopes (N, M, P). Parameters that have no slope stay as they are."""
    count = before.shape[0]
    for k in range(len(columns)):
        for n in range(count):
            for m in range(before.shape[1]):
                slope[n, m, columns[k]] = (after[k * count + n, m] - before[n, m]) / by


@compiled
def into_frames(pose: Doubles, x: Doubles, y: Doubles, own_x: Doubles, own_y: Doubles) -> None:
    """Points of the canvas (N, M) in the frames of N poses (N, P)."""
    for n in range(len(pose)):
        cos, sin = math.cos(pose[n, 4]), math.sin(pose[n, 4])
        for m in range(x.shape[1]):
            dx, dy = x[n, m] - pose[n, 0], y[n, m] - pose[n, 1]
            own_x[n, m], own_y[n, m] = cos * dx + sin * dy, cos * dy - sin * dx


@compiled
def slope_at(
    pose: Doubles,
    cos: float,
    sin: float,
    x: float,
    y: float,
    d: float,
    ux: float,
    uy: float,
    rigid: bool,
    out: Doubles,
) -> None:
    """How the distance d of a point (x, y) in the shape's frame changes with the pose: its point of the
    outline
    moves with the box that it is stretched to."""
    out[0] = sin * uy - cos * ux
    out[1] = -sin * ux - cos * uy
    out[2] = -ux * (x - d * ux) / pose[2]
    out[3] = -uy * (y - d * uy) / pose[3]
    out[4] = ux * y - uy * x
    out[5] = 0.0
    if rigid:  # one number for both sides: the logarithm of the scale
        out[2] = out[2] * pose[2] + out[3] * pose[3]
        out[3] = 0.0


@compiled
def gathered(
    slope: Doubles, which: NDArray[np.int64], pull: Doubles, n: int, moved: NDArray[np.int64], by: Doubles
) -> int:
    """The numbers of a pose that move the n-th point, and the slopes by them, written to moved and by (P,):
    all that are not 0, or those of a form that are told one by one (N, L). Returns how many."""
    count, most = 0, which.shape[1]
    if most:
        while count < most and which[n, count] >= 0:
            moved[count], by[count] = OWN + which[n, count], pull[n, count]
            count += 1
        return count
    for k in range(len(slope)):
        if slope[k] != 0.0:
            moved[count], by[count] = k, slope[k]
            count += 1
    return count


@compiled
def add_equations(
    count: int,
    moved: NDArray[np.int64],
    by: Doubles,
    weight: float,
    push: float,
    hessian: Doubles,
    right: Doubles,
) -> None:
    """Add one residual, moved by so many numbers of a pose, to the normal equations."""
    for a in range(count):
        k = moved[a]
        right[k] += push * by[a]
        for b in range(a + 1):
            row, column = max(k, moved[b]), min(k, moved[b])
            hessian[row, column] += weight * by[a] * by[b]


@compiled
def advanced(
    pose: Doubles,
    best: Doubles,
    hessian: Doubles,
    right: Doubles,
    solve: Doubles,
    push: Doubles,
    told: Doubles,
    cost: float,
    rigid: bool,
    round_: bool,
    closed: bool,
    thinnest: float,
    least: float,
    most: float,
    low: Doubles,
    high: Doubles,
) -> bool:
    """Whether the descent of one pose (P,) has come to its end at this cost; if not, the next step is made in
    place, from the best pose so far, whose equations are kept in (solve, push). told: the damping and the
    least cost so far. low, high: the bounds of own parameters (K,)."""
    if cost < told[1]:
        settled = cost > (1 - SETTLED) * told[1]
        best[:], told[0], told[1] = pose, max(told[0] / 4, CALM), cost
        if settled or cost == 0:
            return True
        solve[:], push[:] = hessian, right
    else:
        pose[:] = best
        told[0] *= 16
        if told[0] > LARGEST:
            return True
    promise = damped_step(pose, solve, push, told[0], rigid, round_, closed, least, most)
    for k in range(len(low)):
        pose[OWN + k] = min(max(pose[OWN + k], low[k]), high[k])
    pose[TAU] = max(pose[TAU], thinnest)
    if cost == told[1] and promise < SETTLED * cost:
        best[:] = pose  # the last step is made, but what it is worth need not be looked at
        return True
    return False


@compiled
def damped_step(
    pose: Doubles,
    hessian: Doubles,
    right: Doubles,
    damping: float,
    rigid: bool,
    round_: bool,
    closed: bool,
    least: float,
    most: float,
) -> float:
    """Move one pose (P,) by the step that solves (hessian + damping) step = right, in place. Returns by how
    much the step promises to better the cost.

    No step is longer than a part of the shape; sides stay between `least` and `most` (px, halves).
    round_: whether no rotation shows where both sides are equal, as of an ellipse.
    """
    size, out = len(pose), np.zeros(len(pose))
    solved(hessian, right, damping, min(FRAME, size), out)
    promise = 0.0
    for i in range(size):
        promise += out[i] * right[i]
    longest = 0.3 * math.sqrt(pose[2] * pose[3]) + 0.5
    if round_ and not rigid:
        flatten(pose, out, longest)
    for i in range(size):
        limit = 0.35 if i >= 6 or (i == 4 and not round_) or (i == 2 and rigid) else longest
        out[i] = min(max(out[i], -limit), limit) if out[i] == out[i] else 0.0
    pose[0] += out[0]
    pose[1] += out[1]
    if rigid:
        grown = math.exp(out[2])
        pose[2] *= grown
        pose[3] *= grown
    else:
        pose[2] = max(min(pose[2] + out[2], most), least)
        pose[3] = max(min(pose[3] + out[3], most), least)
    pose[4] += out[4]
    widest = 0.85 * min(pose[2], pose[3]) if closed else 0.5 * max(pose[2], pose[3])
    pose[5] = min(max(pose[5] + out[5], 0.0), widest)
    for i in range(6, size):
        pose[i] += out[i]
    return promise


@compiled
def solved(hessian: Doubles, right: Doubles, damping: float, frame: int, out: Doubles) -> None:
    """Write the solution of (hessian + damping) out = right, of which the lower half is told.

    The first numbers, of the frame, move everything and come last in the elimination. Each number of a form
    moves a few pieces only: what stands left of the first number in a row that shares one with it stays 0
    (envelope), so that long outlines take time in proportion to their length.
    """
    size = len(right)
    rest = size - frame
    lower, first = np.zeros((size, size)), np.zeros(size, np.int64)
    for i in range(size):
        p = i + frame if i < rest else i - rest
        first[i] = i
        for j in range(i):
            q = j + frame if j < rest else j - rest
            if hessian[max(p, q), min(p, q)] != 0.0:
                first[i] = j
                break
    for i in range(size):
        p = i + frame if i < rest else i - rest
        for j in range(first[i], i + 1):
            q = j + frame if j < rest else j - rest
            total = hessian[max(p, q), min(p, q)]
            if i == j:
                total += damping * hessian[p, p] + 1e-9
            for k in range(max(first[i], first[j]), j):
                total -= lower[i, k] * lower[j, k]
            if i == j:
                lower[i, i] = math.sqrt(max(total, 1e-12))
            else:
                lower[i, j] = total / lower[j, j]
    done = np.empty(size)
    for i in range(size):
        total = right[i + frame if i < rest else i - rest]
        for k in range(first[i], i):
            total -= lower[i, k] * done[k]
        done[i] = total / lower[i, i]
    for i in range(size - 1, -1, -1):
        done[i] /= lower[i, i]
        for k in range(first[i], i):
            done[k] -= lower[i, k] * done[i]
    for i in range(size):
        out[i + frame if i < rest else i - rest] = done[i]


@compiled
def flatten(pose: Doubles, out: Doubles, longest: float) -> None:
    """Write the step (P,) of the sides and the rotation of an ellipse for a step of its flatness.

    Where an ellipse is nearly a circle its rotation is not determined, and a step of it is as long as it is
    wrong. What is always determined is the vector (a - b) (cos 2θ, sin 2θ): the step is made with that.
    """
    gap = pose[2] - pose[3]
    along = min(max(out[2] - out[3], -longest), longest)
    across = min(max(2 * gap * out[4], -longest), longest)
    mean = (out[2] + out[3]) / 2
    flat = math.hypot(gap + along, across)
    out[4] = 0.5 * math.atan2(across, gap + along)
    if out[4] > math.pi / 4 or out[4] < -math.pi / 4:  # the shorter side becomes the longer one
        out[4] -= math.copysign(math.pi / 2, out[4])
        flat = -flat
    out[2] = mean + (flat - gap) / 2
    out[3] = mean - (flat - gap) / 2


def bounded(primitive: Primitive, pose: Doubles) -> None:
    """Keep own parameters (N, OWN + K) within their bounds, in place."""
    for k, attribute in enumerate(primitive.own):
        np.clip(pose[:, OWN + k], attribute.low, attribute.high, out=pose[:, OWN + k])
