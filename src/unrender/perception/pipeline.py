"""see_primitives: the whole way from pixels to shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from scipy import ndimage

from unrender.perception.image.background import unlike_background
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import Mask, divide, of_one_colour_each, with_thin
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.outlined import outlined
from unrender.perception.proposals.propose import Choice, Sight
from unrender.perception.proposals.regions import hidden_regions, plain_regions, retold_colours
from unrender.perception.proposals.residual import residual_areas
from unrender.perception.proposals.simplify import borders, one_colour, removals
from unrender.primitives.protocol import Primitive
from unrender.render.coverage import Floats

PROPOSALS = (outlined, borders, removals, one_colour, hidden_regions, retold_colours, residual_areas)
PASSES = 10
UNLIKE = 16.0  # squared noise (of 3 channels) from the background, beyond which something else shows
WRONG = 11.0  # bits of a pixel that noise hardly ever has
WORTH = 4.0  # bits that a move must save, so that there is an end
SPECK = 4  # px: fewer that are wrong together are noise


def see_primitives(image: Floats, kinds: Sequence[Primitive]) -> Interpretation:
    """The shapes that explain a picture (H, W, 3) in the fewest bits."""
    model = ImageModel.of(image)
    foreground = unlike_background(image, model.background, UNLIKE * model.channel_variance)
    regions = divide(image, foreground, model.background, model.channel_variance)
    if model.aliased:
        regions = of_one_colour_each(regions)
    elif model.ringing > 0:
        regions = with_thin(regions)
    sight = Sight(regions, kinds, np.random.default_rng(0))
    state = Interpretation(model)
    if accept(state, plain_regions(state, sight)):
        state.calibrate()
    for _ in range(PASSES):
        before = len(state.changes)
        for propose in PROPOSALS:
            accept(state, propose(state, sight, looks_wrong(state)))
        if len(state.changes) == before:
            break
        state.calibrate()
    state.prune()
    return state


def accept(state: Interpretation, choices: Iterable[Choice]) -> bool:
    """Of each choice make the move that shortens the whole most, the best choices first; whether there
    were any."""
    promised: list[tuple[float, int, Move]] = []
    for n, moves in enumerate(choices):
        gains = [state.gain(move) for move in moves]
        if gains and max(gains) > WORTH:
            promised.append((max(gains), -n, moves[int(np.argmax(gains))]))
    before = len(state.changes)
    for _, _, move in sorted(promised, key=lambda each: each[:2], reverse=True):
        if all(placed in state.shapes for placed in move.remove) and state.gain(move) > WORTH:
            state.apply(move)
    if len(state.changes) == before:
        return False
    state.refine_changed(before)
    state.reorder()
    return True


def looks_wrong(state: Interpretation) -> Mask:
    """bool (H, W): pixels that nothing explains, but no specks."""
    wrong = state.bits > min(WRONG, 0.7 * state.model.cap, state.model.flip_bits)
    labels, count = ndimage.label(wrong, np.ones((3, 3)))
    if not count:
        return wrong
    large = np.bincount(labels.ravel()) >= (1 if state.model.aliased else SPECK)
    large[0] = False
    mask: Mask = large[labels]
    return mask
