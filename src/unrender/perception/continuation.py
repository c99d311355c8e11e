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
from unrender.perception.interpretation import AGAIN, FAR_STEPS, FROM_AFAR, Interpretation, Move
from unrender.perception.refine.pixels import refine
from unrender.render.coverage import Floats
from unrender.render.shape import ANGLE, Shape, Window, X, Y, grown

CHANGED = 5.0  # standard deviations of a channel between two frames, beyond which a pixel has changed
ROUNDS = 3  # refinements of what was expected
FREE = 24.0  # bits that a change of what is hidden must save: what was expected costs nothing to say
SHOWN = 0.02  # of what is around a shape: if no more is hidden, pixels tell all of it
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
    wrong = np.ones(changed.shape, np.bool_)
    for turn in range(ROUNDS):
        for n, placed in enumerate(state.shapes):
            if placed.key not in fixed and _any(wrong, placed.patch.window):
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
    """Whether anything looks wrong that did not look just so in the frame before."""
    if not wrong.any():
        return False
    if expected.wrong.shape != wrong.shape:
        return True
    known = ndimage.binary_dilation(expected.wrong, iterations=2)
    known &= ~_changed(expected.before.model.image, state.model.image, state.model)
    return bool((wrong & ~known).any())


def _settled(state: Interpretation, n: int, afar: bool) -> Placed:
    """A shape refined among the others, from afar if it was not where it was expected; the less of it shows,
    the rather as it was expected."""
    placed, stage = state.shapes[n], state.stage(state.shapes, n)
    state.budget.refine(stage.shows.size, AGAIN + (FAR_STEPS if afar else 0))
    shape = placed.shape
    if afar:
        shape = refine(shape, stage, state.model, FAR_STEPS, FROM_AFAR)
    found = placed.moved(refine(shape, stage, state.model, AGAIN), state.model)
    hidden = 1 - float(stage.shows.mean())
    if hidden < SHOWN or state.gain(Move((found,), (placed,))) > FREE * hidden:
        return found
    return placed


def _come_out(state: Interpretation, shape: Shape) -> None:
    """Add a shape that was out of sight, if that is shorter; as it was, or refined."""
    known = Placed.of(shape, state.model)
    seen = Placed.of(state.refined(shape), state.model)
    gains = [state.gain(Move((placed,))) for placed in (known, seen)]
    best = seen if gains[1] > gains[0] + FREE else known
    if max(gains) > WORTH:
        state.apply(Move((best,)))


def _changed(before: Floats, image: Floats, model: ImageModel) -> Mask:
    """bool (H, W): pixels that differ from the frame before by more than noise, but no single ones."""
    apart = ((image - before) ** 2).sum(2)
    return wrong_pixels(apart.astype(np.float32), 3 * (CHANGED * model.sigma) ** 2, 2)


def _any(mask: Mask, window: Window) -> bool:
    top, bottom, left, right = window
    return bool(mask[top:bottom, left:right].any())


def moved(shape: Shape, velocity: tuple[float, float], spin: float) -> Shape:
    """A shape one frame on; velocity in px, spin in degrees per frame."""
    pose = shape.pose.copy()
    pose[X], pose[Y] = pose[X] + velocity[0], pose[Y] + velocity[1]
    pose[ANGLE] += np.radians(spin)
    return replace(shape, pose=pose)
