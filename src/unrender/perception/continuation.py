"""Going on from the frame before: what was there, moved on, is proposed first; what has not changed is not
looked at again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import ndimage

from unrender.perception.budget import Budget
from unrender.perception.depth import Placed
from unrender.perception.image.model import ImageModel, Mask
from unrender.perception.image.residual import wrong_pixels
from unrender.perception.interpretation import AGAIN, FROM_AFAR, Interpretation, Move
from unrender.perception.refine.pixels import refine
from unrender.perception.refine.stage import Stage
from unrender.primitives.protocol import Doubles
from unrender.render.composite import layers
from unrender.render.coverage import Floats
from unrender.render.shape import ANGLE, Shape, Window, X, Y, grown

CHANGED = 5.0  # standard deviations of a channel between two frames, beyond which a pixel has changed
ROUNDS = 3  # refinements of what was expected
FREE = 40.0  # bits that a change of what is hidden must save: what was expected costs nothing to say
SHIFTED = 2.0  # bits that a shift must save
LARGEST_SHIFT, SMALLEST_SHIFT = 1.0, 0.12  # px: steps by which what is partly hidden is shifted
BOUNCED = 2.0  # px: the same for what is not where it was expected
THICK = np.ones((3, 3), bool)  # px: what compression does at edges is thinner
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))
SHOWN = 0.05  # of a shape: if no more is hidden, pixels tell all of it
WORSE, SPECKS = 1.5, 6  # times as many px as in the frame before, and more, that look wrong about a shape
WORTH = 0.3  # bits that a move must save
MARGIN = 2  # px around a shape that must not have changed if it is not looked at again
BAD = 0.35  # of the pixels that have changed: if more look wrong, nothing of what was expected is there
FEWEST = 60  # px that may look wrong whatever has changed


@dataclass(frozen=True, eq=False)
class Expectation:
    """What a frame leads one to expect of the next one."""

    before: Interpretation
    moved: Sequence[Shape]  # each of its shapes where it should be now
    hidden: Sequence[Shape] = ()  # those out of sight, where they should be if they come out
    wrong: Mask = field(default_factory=lambda: np.zeros((0, 0), np.bool_))  # what nothing explained


def continued(image: Floats, expected: Expectation, budget: Budget, speck: int) -> Interpretation | None:
    """The interpretation of a frame by what was expected of it, refined; None where little of that is there.

    speck: px, of which fewer that look wrong together are noise.
    """
    before = expected.before
    if before.model.size != image.shape[:2]:
        return None
    changed = _changed(before.model.image, image, before.model)
    state = Interpretation(before.model.of_next_frame(image), budget)
    still = [not _any(changed, grown(p.patch.window, MARGIN, *state.model.size)) for p in before.shapes]
    state.shapes = [
        placed if calm else placed.moved(shape, state.model)
        for placed, shape, calm in zip(before.shapes, expected.moved, still, strict=True)
    ]
    state.redraw()
    fixed = {placed.key for placed, calm in zip(state.shapes, still, strict=True) if calm}
    steps = {
        placed.key: (shape.pose - placed.shape.pose)[[X, Y]]
        for placed, shape in zip(before.shapes, expected.moved, strict=True)
    }
    usual = {placed.key: _count(expected.wrong, placed.patch.window) for placed in before.shapes}
    wrong = np.ones(changed.shape, np.bool_)
    for turn in range(ROUNDS):
        for n, placed in enumerate(state.shapes):
            if placed.key not in fixed and (
                _any(_telling(state, wrong), placed.patch.window)
                or _count(wrong, placed.patch.window) > WORSE * usual[placed.key] + SPECKS
            ):
                if turn > 0:
                    placed = state.shapes[n] = _found_again(state, placed, steps[placed.key])
                state.shapes[n] = _settled(state, n, afar=turn > 0)
        state.redraw()
        wrong = wrong_pixels(state.bits, state.model.wrong, speck)
        if not wrong.any():
            break
    state.prune()
    wrong = wrong_pixels(state.bits, state.model.wrong, speck)
    for shape in expected.hidden:
        if _any(wrong, shape.window(*state.model.size)):
            _come_out(state, shape)
    if wrong.any():
        state.reorder()
        wrong = wrong_pixels(state.bits, state.model.wrong, speck)
        if wrong.sum() > FEWEST + BAD * changed.sum():
            return None
    return state


def news(state: Interpretation, expected: Expectation, wrong: Mask) -> bool:
    """Whether anything looks wrong that did not look just so in the frame before. What compression leaves at
    the edges of shapes is thin and no news."""
    if not wrong.any():
        return False
    if expected.wrong.shape == wrong.shape and expected.wrong.any():
        known = ndimage.binary_dilation(expected.wrong, iterations=2)
        known &= ~_changed(expected.before.model.image, state.model.image, state.model)
        wrong = wrong & ~known
    return bool(_telling(state, wrong).any())


def _telling(state: Interpretation, wrong: Mask) -> Mask:
    """Of the pixels that look wrong those that compression does not explain."""
    if state.model.ringing == 0 or not wrong.any():
        return wrong
    edges = ndimage.binary_dilation(state.roughness > 0, iterations=3)
    found: Mask = (wrong & ~edges) | ndimage.binary_erosion(wrong, THICK)
    return found


def _settled(state: Interpretation, n: int, afar: bool) -> Placed:
    """A shape refined among the others, from afar if it was not where it was expected; the less of it shows,
    the rather as it was expected."""
    placed, stage = state.shapes[n], state.stage(state.shapes, n)
    passes = (FROM_AFAR, AGAIN) if afar else (AGAIN,)
    found = placed.moved(refine(placed.shape, stage, state.model, *passes), state.model)
    hidden = 1 - _share_shown(placed, stage)
    return found if hidden < SHOWN else _surest(state, placed, found, hidden, (placed,))


def _found_again(state: Interpretation, placed: Placed, step: Doubles) -> Placed:
    """What is not where it was expected: where it was, where a bounce would have taken it, or near by.

    step: px (2,) that it was expected to go.
    """
    x, y = step
    bounces = [(-x, -y), (-2 * x, 0.0), (0.0, -2 * y), (-2 * x, -2 * y)] if np.hypot(x, y) > 0.5 else []
    return _shifted(state, placed, (placed,), 0.0, bounces, BOUNCED)[0]


def _shifted(
    state: Interpretation,
    placed: Placed,
    instead: tuple[Placed, ...],
    most: float,
    first: Sequence[tuple[float, float]],
    step: float,
) -> tuple[Placed, float]:
    """A shape where the whole is shortest, by a search from where it is: these shifts, then steps that grow
    smaller; and the bits that it saves, which are `most` where it is."""
    best = placed
    tried: Sequence[tuple[float, float]] = first
    while step >= SMALLEST_SHIFT:
        found = [placed.moved(moved(best.shape, shift, 0.0), state.model) for shift in tried]
        gains = [state.gain(Move((each,), instead)) for each in found]
        if gains and max(gains) > most + SHIFTED:
            most, best = max(gains), found[int(np.argmax(gains))]
        elif tried is not first:
            step /= 2
        tried = [(step * u, step * v) for u, v in DIRECTIONS]
    return best, most


def _share_shown(placed: Placed, stage: Stage) -> float:
    """The share of what a shape paints that nothing hides."""
    (top, _, left, _), total, shown = stage.window, 1e-6, 0.0
    for (first, last, start, stop), alpha, _ in layers(placed.shape, placed.patch):
        total += float(alpha.sum())
        shown += float((alpha * stage.shows[first - top : last - top, start - left : stop - left]).sum())
    return shown / total


def _surest(
    state: Interpretation, known: Placed, seen: Placed, hidden: float, instead: tuple[Placed, ...] = ()
) -> Placed:
    """As a shape was expected, shifted, or as its pixels say, of which the hidden ones say nothing."""
    here = 0.0 if instead else state.gain(Move((known,)))
    best, most = _shifted(state, known, instead, here, (), LARGEST_SHIFT)
    return seen if state.gain(Move((seen,), instead)) > most + FREE * hidden else best


def _come_out(state: Interpretation, shape: Shape) -> None:
    """Add a shape that was out of sight, if that is shorter."""
    known = Placed.of(shape, state.model)
    seen = known.moved(state.refined(shape), state.model)
    best = _surest(state, known, seen, 1.0)
    if state.gain(Move((best,))) > WORTH:
        state.apply(Move((best,)))


def _changed(before: Floats, image: Floats, model: ImageModel) -> Mask:
    """bool (H, W): pixels that differ from the frame before by more than noise, but no single ones."""
    apart = ((image - before) ** 2).sum(2)
    return wrong_pixels(apart.astype(np.float32), 3 * (CHANGED * model.sigma) ** 2, 2)


def _any(mask: Mask, window: Window) -> bool:
    top, bottom, left, right = window
    return bool(mask[top:bottom, left:right].any())


def _count(mask: Mask, window: Window) -> int:
    top, bottom, left, right = window
    return int(np.count_nonzero(mask[top:bottom, left:right]))


def moved(shape: Shape, velocity: tuple[float, float], spin: float) -> Shape:
    """A shape one frame on; velocity in px, spin in degrees per frame."""
    pose = shape.pose.copy()
    pose[X], pose[Y] = pose[X] + velocity[0], pose[Y] + velocity[1]
    pose[ANGLE] += np.radians(spin)
    return replace(shape, pose=pose)
