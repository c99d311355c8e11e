"""Fitting g by the paper's plain regime: no frame, only samples (Equation AugmentedTrainingSet).

The network is told the whole attribute vector α_Ω and must say all attributes of all parts in absolute terms,
so that it has to learn from the samples T(U(α_λ)) what moving, turning and scaling are. Inside the canvas and
the sizes of the samples it comes near; beyond them it knows nothing. `decode` is the regime that is used
otherwise, and `benchmarks/decoder.py` shows both side by side.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.decoder import Decoder
from unrender.capsules.poses import POSE, ROTATION, Floats, X, Y
from unrender.capsules.recall import plain_of
from unrender.capsules.route import Route
from unrender.learning.objects.augment import one_coloured, transform_poses, unseen
from unrender.learning.objects.regression import Regression, Singles, descended

CANVAS = 256.0  # px: the samples lie anywhere on a square of this side
SCALES = (0.5, 2.0)  # of the samples, relative to what memory holds
HIDDEN = 64
BATCH = 256  # samples of each step, none of them used twice
STEPS = 4000
RATE = 1e-2


def samples(route: Route, count: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """α_Ω (N, 6 + S) and the α_λ (N, P · (6 + S)), as `PlainDecoder` orders them, of T(U(memory)).

    γ turns, moves and scales with its parts, so γ(T(α_λ)) is had by applying T to the γ that memory holds.
    """
    which = rng.integers(len(route.memory), size=count)
    place = rng.uniform(0, CANVAS, (count, 2))
    scale = SCALES[0] * (SCALES[1] / SCALES[0]) ** rng.random(count)
    turn = rng.uniform(-180, 180, count)
    style, parts_style = _restyled(route, which, rng)
    poses = transform_poses(_upright(route)[which], place, turn, scale)
    wholes = _told(poses[:, 0], style)
    return wholes, _told(poses[:, 1:], parts_style).reshape(count, -1)


def _upright(route: Route) -> Floats:
    """(E, 1 + P, 5): poses of the whole and its parts in every entry, the whole upright at the origin."""
    sizes = np.array([entry.whole.size for entry in route.memory])[:, None]
    whole = np.concatenate([0 * sizes, sizes, 0 * sizes[..., :1]], -1)
    sides = np.sqrt(sizes.prod(-1, keepdims=True)) * route.sides
    parts = [route.rows[..., [X, Y]] * sizes, sides, route.rows[..., [ROTATION]]]
    return np.concatenate([whole, np.concatenate(parts, -1)], 1)


def _told(poses: Floats, styles: Floats) -> Floats:
    """Poses (..., 5) and styles (..., S) as `PlainDecoder` has them (..., 6 + S): an angle is a direction."""
    turns = np.radians(poses[..., ROTATION:])
    return np.concatenate([poses[..., :ROTATION], np.cos(turns), np.sin(turns), styles], -1)


def _restyled(route: Route, which: NDArray[np.int64], rng: np.random.Generator) -> tuple[Floats, Floats]:
    """U: the styles of the wholes (N, S) and of their parts (N, P, S), each attribute that memory has never
    seen invented in half of the samples, the same on all parts that have it."""
    style = route.inputs[which][:, 1:]
    parts = (route.rows[which][..., POSE:] + style[:, None]) * route.has
    for name in unseen(route.memory, route.names):
        k = route.names.index(name)
        invented = rng.random(len(which)) < 0.5
        value = rng.random(len(which))
        style[invented, k] = value[invented]
        parts[invented, :, k] = value[invented, None] * route.has[:, k]
    if not route.bordered.any():  # what has no borders gets none
        one_coloured(style, route.names)
        one_coloured(parts, route.names)
    return style, parts


def fit_plain(route: Route, seed: int = 0, steps: int = STEPS) -> Route:
    """The route with its g trained on samples: Adam, its rate falling to 0 over the steps."""
    rng = np.random.default_rng(seed)
    shift, unit = scaling(route)
    width = len(shift)

    def batch() -> tuple[Singles, Singles]:
        whole, parts = samples(route, BATCH, rng)
        targets = (parts.reshape(BATCH, -1, width) - shift) / unit
        told = (whole - shift) / unit
        return told.astype(np.float32), targets.reshape(BATCH, -1).astype(np.float32)

    network = Regression.of(width, width * len(route.parts), HIDDEN)
    decoder = network.decoder(descended(network, seed, batch, steps, RATE))
    return replace(route, decoder=None, given=plain_of(route, unscaled(decoder, shift, unit)))


def scaling(route: Route) -> tuple[Floats, Floats]:
    """Shift and unit (6 + S,) that bring the attributes of the samples to about [-1, 1]."""
    side = max(max(entry.whole.size) for entry in route.memory) * SCALES[1] / 2
    style = np.full(len(route.names), 0.5)
    shift = np.concatenate([[CANVAS / 2, CANVAS / 2, side, side, 0.0, 0.0], style])
    unit = np.concatenate([[CANVAS / 2, CANVAS / 2, side, side, 1.0, 1.0], style])
    return shift, unit


def unscaled(scaled: Decoder, shift: Floats, unit: Floats) -> Decoder:
    """The same network for attributes as they are: the scaling goes into its first and last layer."""
    count = len(scaled.biases[-1]) // len(unit)
    first, last = scaled.weights[0] / unit, scaled.weights[-1] * np.tile(unit, count)[:, None]
    start = scaled.biases[0] - first @ shift
    end = scaled.biases[-1] * np.tile(unit, count) + np.tile(shift, count)
    return Decoder(
        (first.astype(np.float32), *scaled.weights[1:-1], last.astype(np.float32)),
        (start.astype(np.float32), *scaled.biases[1:-1], end.astype(np.float32)),
    )
