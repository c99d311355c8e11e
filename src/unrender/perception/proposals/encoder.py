"""Proposals of the encoder: what γ of every primitive sees, refined from coarse to fine."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.encoder.estimates import Estimate, distinct, estimates
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.coarse_to_fine import Start
from unrender.perception.proposals.propose import (
    SAME,
    Choice,
    Sight,
    colours_of,
    of_colour,
)
from unrender.primitives.handles import extent_of
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.composite import layers
from unrender.render.coverage import Floats, distances
from unrender.render.shape import TAU, A, B, Shape, Window, X, Y, grown

INSIDE, BAND = 0.8, 2.5  # px from an edge: nearer pixels are mixed, and those further off tell nothing of it
ENOUGH, NEARLY_ALL = 0.6, 0.9  # of the budget, after which no more estimates are begun, and no more compared
LITTLE = 1000.0  # bits: a shape that γ would see takes more
EXACT = 0.01  # noise below which edges are known exactly
DOUBT = 0.1  # of an edge that may be elsewhere
PLAIN = 0.7  # of the bits of the pixels that a shape paints must be saved by one that is plain to see
THINNEST = 0.25  # px: half of the thinnest stroke
SMALLEST = 5.0  # px: the extent of the smallest shape that γ sees
DRIFT = (0.5, 0.7)  # centre in extents, log of the extent: what moved further is not what γ saw
SLIMMEST = 7.0  # width by height, or height by width, of what γ has learned to see
RIVALS = (0.25, 0.5)  # centre in extents, log of the extent: closer ones exclude each other

Gains = list[tuple[float, Move]]


def coarse_estimates(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """What γ sees at half the resolution and below: most of what there is, for a third of the work."""
    choices = _choices(state, estimates(state.model.image, wrong, kinds=_areas(sight), finest=1))
    yield from _best(_plain(state, choices))


def encoder_estimates(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """What γ sees around the pixels that nothing explains yet, in the picture without what is explained.

    Shapes all of whose edge is plain to see come first, for what they hide is seen better when they are
    there; then what is likeliest. Where edges are known exactly, little that is left is no shape of its own.
    """
    if state.model.sigma < EXACT and state.bits[wrong].sum() < LITTLE:
        return
    image = rest(state)
    for thorough in (False, True):
        if state.budget.spent:
            return
        state.budget.encode(int(wrong.sum()))
        found = [
            each for each in estimates(image, wrong, thorough, sight.kinds) if _touches(each.full, wrong)
        ]
        choices = _choices(state, found)
        plain = _plain(state, choices)
        if plain:
            yield from _best(plain)
            return
    likeliest = max(
        (gain for gains in choices for gain in gains), key=lambda gain: _promise(state, *gain), default=None
    )
    if likeliest is not None:
        yield [likeliest[1]]


def _areas(sight: Sight) -> list[Primitive]:
    """What is no stroke: a line is too thin for half the resolution, and hides nothing of another."""
    return [kind for kind in sight.kinds if kind.handles is None]


def rest(state: Interpretation, but: Sequence[Placed] = ()) -> Floats:
    """The picture with the background where shapes explain it, but for some of them."""
    told = _told(state) & ~_painted(state, but)
    image: Floats = np.where(told[..., None], state.model.background, state.model.image)
    return image


def _painted(state: Interpretation, several: Sequence[Placed]) -> Mask:
    """bool (H, W): pixels that shapes paint."""
    mask = np.zeros(state.model.size, bool)
    for placed in several:
        for (top, bottom, left, right), alpha, _ in layers(placed.shape, placed.patch):
            mask[top:bottom, left:right] |= alpha > 0
    return mask


def _told(state: Interpretation) -> Mask:
    """bool (H, W): pixels that a shape explains."""
    return explained(
        state.canvas, state.model.background, state.bits, state.model.sigma, 0.5 * state.model.cap
    )


@compiled
def explained(canvas: Floats, background: Floats, bits: Floats, sigma: float, most: float) -> Mask:
    """bool (H, W): pixels of fewer bits than so many on which more is drawn than the background (H, W, 3)."""
    told = np.zeros(bits.shape, np.bool_)
    for i in range(bits.shape[0]):
        for j in range(bits.shape[1]):
            if bits[i, j] < most:
                for c in range(3):
                    told[i, j] |= abs(canvas[i, j, c] - background[i, j, c]) > sigma
    return told


def _best(choices: Sequence[Gains]) -> Iterator[Choice]:
    for gains in choices:
        yield [max(gains, key=lambda gain: gain[0])[1]]


def _choices(state: Interpretation, several: Sequence[Estimate]) -> list[Gains]:
    """Moves that save bits, those of one place together: each estimate with those that it excludes."""
    starts = {}
    for estimate in several:
        full = estimate.full
        if not state.budget.has(0, ENOUGH):
            break
        same = of_colour(state, full.window(*state.model.size), colours_of(full)[0])
        start = Start.of(state, estimate, tuple(same))
        starts[start.estimate] = start
    groups: list[list[Start]] = []
    for estimate in distinct(list(starts)):
        start = starts[estimate]
        rivals = next((group for group in groups if _rivals(group[0].estimate.full, estimate.full)), None)
        if rivals is None:
            groups.append([start])
        else:
            rivals.append(start)
    choices: list[Gains] = []
    for group in groups:
        if not state.budget.has(0, NEARLY_ALL):
            break
        choices.append([gain for start in group for gain in _gains(state, start)])
    return [gains for gains in choices if gains]


def _gains(state: Interpretation, start: Start) -> Iterator[tuple[float, Move]]:
    """A further shape, beside those of its colour or in place of them, if that saves bits."""
    shape = start.refined(state)
    if not _as_seen(shape, start.estimate.full):
        return
    placed, same = Placed.of(shape, state.model), start.without
    moves = [Move([placed])]
    if same:
        moves.append(Move([placed], same))
    if len(same) > 1:
        moves += [Move([placed], (one,)) for one in same]
    for move in moves:
        gain = state.gain(move)
        if gain > 0:
            yield gain, move


def _plain(state: Interpretation, choices: Sequence[Gains]) -> list[Gains]:
    """The moves whose shapes are plain to see; none where something that is not would save more."""
    told = _told(state)
    best = [max(gains, key=lambda gain: gain[0]) for gains in choices]
    return [
        [(gain, move)]
        for gain, move in best
        if gain > PLAIN * state.promise(Move(move.add)) and plain_to_see(state, move.add[0], told)
    ]


def _promise(state: Interpretation, gain: float, move: Move) -> float:
    """What a move saves, times the share of what it could save."""
    return gain * min(gain / max(state.promise(Move(move.add)), 1.0), 1.0)


def plain_to_see(state: Interpretation, placed: Placed, told: Mask) -> bool:
    """Whether a shape shows its colour all along its edge and no further, but for what others explain."""
    top, bottom, left, right = grown(placed.patch.window, 3, *state.model.size)
    rows, columns = (each.ravel() for each in np.mgrid[top:bottom, left:right])
    signed = distances(placed.shape, columns + 0.5, rows + 0.5)[0][0]
    inner = signed if placed.shape.stroke is None else np.abs(signed) - placed.shape.pose[TAU]
    colour = colours_of(placed.shape)[-1]
    image, canvas, told = state.model.image[rows, columns], state.canvas[rows, columns], told[rows, columns]
    off = ((image - colour) ** 2).sum(1)
    own = (off < ((image - canvas) ** 2).sum(1)) & (off < SAME + 3 * (4 * state.model.paint_sigma) ** 2)
    depth = min(INSIDE, -0.7 * float(inner.min(initial=0.0)))
    within, beyond = (inner < -depth) & (inner > -BAND), (inner > INSIDE) & (inner < BAND)
    missing = (within & ~own & ~told).sum() / max(within.sum(), 1)
    spilt = (beyond & own & ~told).sum() / max(beyond.sum(), 1)
    return bool(missing < DOUBT and spilt < DOUBT)


def _touches(shape: Shape, wrong: Mask) -> bool:
    """Whether anything in the window of a shape is wrong."""
    return _wrong_in(wrong, shape.window(*wrong.shape))


def _wrong_in(wrong: Mask, window: Window) -> bool:
    top, bottom, left, right = window
    return bool(wrong[top:bottom, left:right].any())


def _rivals(one: Shape, other: Shape) -> bool:
    off, grew = _apart(one, other)
    return off < RIVALS[0] and grew < RIVALS[1]


def _as_seen(shape: Shape, estimate: Shape) -> bool:
    """Whether a refined shape still is what was estimated."""
    off, grew = _apart(shape, estimate)
    slim = max(shape.pose[A] / shape.pose[B], shape.pose[B] / shape.pose[A])
    if shape.stroke is not None and shape.pose[TAU] < THINNEST:
        return False
    large, slim_enough = _told_at(shape)[1] > SMALLEST, shape.primitive.handles is not None or slim < SLIMMEST
    return off < DRIFT[0] and grew < DRIFT[1] and bool(large and slim_enough)


def _apart(one: Shape, other: Shape) -> tuple[float, float]:
    """How far two centres lie apart, in extents of the smaller shape, and the log of the extents' ratio."""
    (middle, extent), (its_middle, its) = _told_at(one), _told_at(other)
    off = float(np.hypot(*(middle - its_middle)))
    return off / min(extent, its), abs(math.log(extent / its))


def _told_at(shape: Shape) -> tuple[Doubles, float]:
    """Where γ would tell a shape (2,), and how large it would say that it is, px."""
    if shape.primitive.handles is None:
        return shape.pose[[X, Y]], 2 * math.sqrt(shape.pose[A] * shape.pose[B])
    points = shape.primitive.handles.of(shape.pose, shape.form)
    return points.mean(0), extent_of(points)
