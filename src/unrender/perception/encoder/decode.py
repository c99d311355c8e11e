"""What the outputs of a network mean: poses, and how sure it is of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.perception.encoder.pyramid import STRIDE
from unrender.perception.encoder.views import View
from unrender.primitives.handles import Handles
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.coverage import Floats
from unrender.render.shape import OWN

TYPICAL = 10.0  # px: the extent √(width · height) that the network's zero stands for
HOPE = 0.3  # an estimate with less confidence is not worth refining
FAINT_HOPE = 0.12  # unless nothing better explains what is there
COMMON = 10  # channels of every closed shape; behind them own parameters, as shares of their range
PLACED = 4  # channels of every shape: confidence, place, extent; of strokes, handles are behind them
THINNEST = 0.5  # px: width of a stroke

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Poses:
    """Estimates of one primitive, in px of their pyramid level."""

    pose: Doubles  # (N, OWN + K); as if outlined: the half stroke is told of filled ones too
    form: Doubles  # (N, F)
    confidence: Doubles  # (N,)
    filled: Doubles  # (N,): how sure the network is that the inside is painted; about 0 to 1


def decode(primitive: Primitive, output: Floats, view: View, thorough: bool = False) -> Poses:
    """The estimates that a network's output (CHANNELS, h, w) for a view holds: those of the peaks of
    confidence, or if thorough of every place where it is not too low."""
    least = FAINT_HOPE if thorough else HOPE
    at = _places(output[0], view.rows, view.columns, math.log(least / (1 - least)), not thorough)
    if primitive.handles is not None:
        return _strokes(primitive, primitive.handles, output, view, at)
    pose, confidence, filled = _decoded(
        output, at, view.left, view.top, primitive.symmetry.even, OWN + len(primitive.own), STRIDE, TYPICAL
    )
    pose[:, OWN:] = [own.default for own in primitive.own]
    for k, own in enumerate(own for own in primitive.own if not primitive.held_at(own.name)):
        told = output[COMMON + k][tuple(at.T)].clip(0, 1) if len(output) > COMMON + k else 0.5
        pose[:, OWN + k] = own.low + told * (own.high - own.low)
    return Poses(pose, np.zeros((len(pose), 0)), confidence, filled)


def _strokes(primitive: Primitive, handles: Handles, output: Floats, view: View, at: Places) -> Poses:
    """The strokes that a network tells by their handles at places (N, 2)."""
    poses, forms = [], []
    said = output[:, at[:, 0], at[:, 1]].astype(np.float64).T  # (N, CHANNELS)
    for (row, column), numbers in zip(at.tolist(), said, strict=True):
        x = view.left + (column + 0.5 + numbers[1]) * STRIDE
        y = view.top + (row + 0.5 + numbers[2]) * STRIDE
        extent = math.exp(min(max(numbers[3], -1.5), 1.5)) * TYPICAL
        points, width = handles.read(numbers[PLACED:], np.array([x, y]), extent)
        pose, form = handles.through(points, max(width, THINNEST))
        poses.append(pose)
        forms.append(form)
    size = OWN + len(primitive.own)
    return Poses(
        np.array(poses).reshape(len(at), size),
        np.array(forms) if forms else np.zeros((0, 0)),
        1 / (1 + np.exp(-said[:, 0])),
        np.full(len(at), float(primitive.closed)),
    )


@compiled
def _places(
    logit: Floats, rows: tuple[int, int], columns: tuple[int, int], least: float, peaks: bool
) -> Places:
    """(K, 2): row and column of all places above `least`; if only peaks, of those above all neighbours."""
    places = np.empty(((rows[1] - rows[0]) * (columns[1] - columns[0]), 2), np.int64)
    count = 0
    for i in range(rows[0], rows[1]):
        for j in range(columns[0], columns[1]):
            if logit[i, j] <= least:
                continue
            highest = True
            if peaks:
                for k in range(max(i - 1, 0), min(i + 2, logit.shape[0])):
                    for m in range(max(j - 1, 0), min(j + 2, logit.shape[1])):
                        highest = highest and logit[k, m] <= logit[i, j]
            if highest:
                places[count, 0], places[count, 1] = i, j
                count += 1
    return places[:count]


@compiled
def _decoded(
    output: Floats, places: Places, left: int, top: int, order: int, size: int, stride: int, typical: float
) -> tuple[Doubles, Doubles, Doubles]:
    """Poses (K, size), confidence and filled (K,) at K places.

    Channels: logit of the confidence; centre from the place, in strides; log of extent / typical; the stretch
    log(width / height) as a vector that turns with twice the angle; the phase, a vector that turns `order`
    times as fast as the shape; filled; log of stroke / shorter side, plus 2. Among the angles with this phase
    the one is taken along which the stretch lies.
    """
    count = len(places)
    pose, confidence, filled = np.zeros((count, size)), np.empty(count), np.empty(count)
    for n in range(count):
        i, j = places[n]
        stretch_x, stretch_y = output[4, i, j], output[5, i, j]
        angle, stretch = math.atan2(stretch_y, stretch_x) / 2, math.hypot(stretch_x, stretch_y)
        if order:
            phase, least = math.atan2(output[7, i, j], output[6, i, j]), math.inf
            for turn in range(order):
                other = (phase + 2 * math.pi * turn) / order
                across = abs(stretch_x * math.sin(2 * other) - stretch_y * math.cos(2 * other))
                if across < least:
                    least, angle = across, other
            stretch = stretch_x * math.cos(2 * angle) + stretch_y * math.sin(2 * angle)
        extent = math.exp(min(max(output[3, i, j], -1.5), 1.5)) * typical
        ratio = math.exp(min(max(stretch, -2.0), 2.0) / 2)
        thickness = min(max(math.exp(min(output[9, i, j], 9.0) - 2.0), 0.03), 0.4)
        pose[n, 0] = left + (j + 0.5 + output[1, i, j]) * stride
        pose[n, 1] = top + (i + 0.5 + output[2, i, j]) * stride
        pose[n, 2], pose[n, 3] = extent * ratio / 2, extent / ratio / 2
        pose[n, 4] = angle
        pose[n, 5] = thickness * min(pose[n, 2], pose[n, 3])
        confidence[n] = 1 / (1 + math.exp(-output[0, i, j]))
        filled[n] = output[8, i, j]
    return pose, confidence, filled
