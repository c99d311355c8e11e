"""What lies behind or across other shapes, and cannot be judged before those are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from unrender.capsules.arrange import explained
from unrender.capsules.candidates import PATIENT_END, Sightings, settle, sight
from unrender.capsules.canvas import Canvas, choose, reconsider
from unrender.capsules.contour import contours
from unrender.capsules.geometry import Shapes
from unrender.capsules.grow import HOPEFUL, grown, merged
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.refine import Samples, refine


def uncover(
    pyramid: Pyramid, pool: Sightings, canvas: Canvas, settled: int
) -> tuple[Tensor, Canvas, Sightings]:
    """Choose again from the pool and from what more can be guessed, step by step until all is explained.

    First, what the shapes in front hide no longer counts against those behind. Then candidates may go on
    behind others, or be pieces of one; outlines are fitted to patches of unexplained colour; and what is
    still left is judged upon all that has been found. Returns the chosen, the canvas, and the new pool.
    canvas: nothing is painted on it yet.
    settled: so many at the beginning of the pool were judged together with the shapes around them.
    """
    front, again = canvas.bare(), canvas.bare()
    sure = choose(pool, front, only_complete=True, settled=settled).index
    taken = explained(canvas.picture, pool[sure], canvas.noise)[1]
    others = torch.ones(len(pool), dtype=torch.bool)
    others[:settled] = False
    others[sure] = False
    at = others.nonzero()[:, 0]
    judged = _judge(pyramid, pool.shapes[at], canvas.noise, taken)
    pool = pool.put(at, judged)
    choice = choose(pool, again, settled=settled)
    if again.done:
        return choice.index, again, pool

    hopeful = _hopeful(judged)
    guesses = [pool]
    for larger, level in (grown(hopeful, front.owner >= 0), merged(hopeful, canvas.noise)):
        level = level.clamp_max(len(pyramid.levels) - 1)
        guesses.append(settle(pyramid, larger.scaled(torch.exp2(-level.float())), level, canvas.noise, taken))
    guesses.append(_hopeful(_judge(pyramid, contours(again, pool.shapes.kinds), canvas.noise, taken)))
    pool = Sightings.join(guesses)
    choice = choose(pool, canvas, settled=settled)
    if canvas.done:
        return choice.index, canvas, pool

    known = len(pool)
    taken = explained(canvas.picture, pool[choice.index], canvas.noise)[1]
    shapes = contours(canvas, pool.shapes.kinds)
    upon = _judge(pyramid, shapes, canvas.noise, taken, partial(_upon, canvas))
    pool = Sightings.join([pool, _hopeful(upon)])
    choice = choose(pool, canvas, after=(choice, known))
    choice, canvas = reconsider(pool, choice, canvas, settled)
    return choice.index, canvas, pool


def _judge(
    pyramid: Pyramid,
    shapes: Shapes,
    noise: float,
    taken: Pyramid,
    context: Callable[[Samples], Samples] | None = None,
) -> Sightings:
    """Refine shapes, in pixels of the picture, and score them."""
    level = torch.zeros(len(shapes), dtype=torch.long)
    return sight(*refine(pyramid, shapes, level, PATIENT_END, noise, taken, context), noise)


def _hopeful(seen: Sightings) -> Sightings:
    return seen[(seen.p > HOPEFUL).nonzero()[:, 0]]


def _upon(canvas: Canvas, samples: Samples) -> Samples:
    """Samples of shapes that lie upon all that is painted on the canvas (of the full picture)."""
    height, width = canvas.picture.shape[:2]
    row, column = samples.y.long().clamp(0, height - 1), samples.x.long().clamp(0, width - 1)
    painted = torch.from_numpy(canvas.painted)[row, column]
    known = (painted - torch.from_numpy(canvas.ground)[row, column]).abs().amax(2) > 0.01
    under = (painted * known[..., None]).transpose(1, 2)
    return replace(samples, clear=1 - known.to(under.dtype), under=under)
