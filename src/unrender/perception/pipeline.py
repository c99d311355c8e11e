"""see_primitives: the whole way from pixels to shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from scipy import ndimage

from unrender.perception.image.background import unlike_background
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import Mask, divide
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.outlines.clues import clues
from unrender.perception.proposals.outlined import filled, outlined
from unrender.perception.proposals.propose import Choice, Sight
from unrender.perception.proposals.regions import hidden_regions, plain_regions, retold_colours
from unrender.perception.proposals.residual import residual_areas
from unrender.perception.proposals.simplify import borders, one_colour, removals
from unrender.perception.proposals.starting import started
from unrender.primitives.protocol import Primitive
from unrender.render.coverage import Floats

PROPOSALS = (
    outlined, filled, borders, removals, one_colour, started, hidden_regions, retold_colours, residual_areas,
)  # fmt: skip
PASSES = 10
SURE = (0.8, 0.5, 0.0)  # of what a further shape could save: first those that are sure, the others last
UNLIKE = 16.0  # squared noise (of 3 channels) from the background, beyond which something else shows
WRONG = 11.0  # bits of a pixel that noise hardly ever has
WORTH = 4.0  # bits that a move must save, so that there is an end
SPECK = 4  # px: fewer that are wrong together are noise


def see_primitives(image: Floats, kinds: Sequence[Primitive]) -> Interpretation:
    """The shapes that explain a picture (H, W, 3) in the fewest bits."""
    model = ImageModel.of(image)
    foreground = unlike_background(image, model.background, UNLIKE * model.sigma**2)
    regions = divide(image, foreground, model.background, model.sigma)
    evidence = clues(model, regions) if any(kind.starts for kind in kinds) else ()
    sight = Sight(regions, kinds, np.random.default_rng(0), evidence)
    state = Interpretation(model)
    accept(state, [*plain_regions(state, sight), *started(state, sight, looks_wrong(state))], SURE[0])
    state.calibrate()
    for share in SURE:
        for _ in range(PASSES):
            before = len(state.changes)
            for propose in PROPOSALS:
                accept(state, propose(state, sight, looks_wrong(state)), share)
            if len(state.changes) == before:
                break
            state.calibrate()
        sight.tried.clear()
    state.prune()
    return state


def accept(state: Interpretation, choices: Iterable[Choice], share: float) -> bool:
    """Of each choice make the move that shortens the whole most, the best choices first; whether there were any.

    share: of the bits of the pixels that further shapes paint they must save at least this.
    """
    promised: list[tuple[float, int, Move]] = []
    for n, moves in enumerate(choices):
        gains = [state.gain(move) for move in moves]
        best = int(np.argmax(gains)) if gains else 0
        if gains and gains[best] > max(WORTH, share * state.promise(moves[best])):
            promised.append((gains[best], -n, moves[best]))
    before = len(state.changes)
    for _, _, move in sorted(promised, key=lambda each: each[:2], reverse=True):
        if all(placed in state.shapes for placed in move.remove):
            if state.gain(move) > max(WORTH, share * state.promise(move)):
                state.apply(move)
    if len(state.changes) == before:
        return False
    state.refine_changed(before)
    state.reorder()
    return True


def looks_wrong(state: Interpretation) -> Mask:
    """bool (H, W): pixels that nothing explains, but no specks."""
    wrong = state.bits > min(WRONG, 0.7 * state.model.cap)
    labels, count = ndimage.label(wrong, np.ones((3, 3)))
    if not count:
        return wrong
    large = np.bincount(labels.ravel()) >= SPECK
    large[0] = False
    mask: Mask = large[labels]
    return mask
