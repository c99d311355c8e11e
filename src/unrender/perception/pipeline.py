"""see_primitives: the whole way from pixels to shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from unrender.errors import UnrenderError
from unrender.perception.budget import PATIENCE, Budget
from unrender.perception.continuation import Expectation, continued, news
from unrender.perception.depth import Placed
from unrender.perception.image.background import unlike_background
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import divide, of_one_colour_each, with_thin
from unrender.perception.image.repeated import with_smooth_chroma
from unrender.perception.image.residual import wrong_bits
from unrender.perception.interpretation import SPECK, Interpretation, Move
from unrender.perception.proposals.adjust import realigned, withdrawn
from unrender.perception.proposals.bordered import bordered
from unrender.perception.proposals.collinear import collinear
from unrender.perception.proposals.dashes.propose import dashed
from unrender.perception.proposals.encoder import coarse_estimates, encoder_estimates
from unrender.perception.proposals.hidden_borders import hidden_borders
from unrender.perception.proposals.joins import meeting, moved_ends, straight_ends
from unrender.perception.proposals.objects import KnownObjects
from unrender.perception.proposals.offsets import offset_strokes, offset_strokes_first
from unrender.perception.proposals.outlined import outlined, outlined_first
from unrender.perception.proposals.propose import Choice, Proposer, Sight
from unrender.perception.proposals.rectangles import rectangles
from unrender.perception.proposals.regions import completed, refitted
from unrender.perception.proposals.reshape import (
    renamed,
    reshaped,
    reshaped_strokes,
    retold,
    smoothed,
)
from unrender.perception.proposals.residual import residual_areas
from unrender.perception.proposals.rings import closed_arcs, opened_rings
from unrender.perception.proposals.simplify import borders, removals
from unrender.perception.proposals.solid_parts import solid_parts
from unrender.perception.proposals.splits import splits
from unrender.perception.proposals.starting import (
    exact_lines,
    in_one,
    lines,
    lines_of_residual,
    started,
)
from unrender.perception.proposals.stroked import stroked, stroked_first
from unrender.perception.proposals.unions import unions
from unrender.perception.proposals.whole_outlines import whole_outlines
from unrender.primitives.protocol import Primitive
from unrender.render.coverage import Floats

TURN = 0.4  # of the budget that one proposal may use before what it has found is made

FIRST: dict[str, tuple[tuple[Proposer, float], ...]] = {
    "regions": (
        (stroked_first, TURN),
        (started, 1.0),
        (exact_lines, TURN),
        (offset_strokes_first, TURN),
        (outlined_first, TURN),
        (realigned, TURN),
        (reshaped_strokes, TURN),
    ),
    "encoder": ((coarse_estimates, 1.0),),
}
"""The first of these that is wanted begins; each with its share of the budget."""

PROPOSALS: dict[str, tuple[Proposer, ...]] = {
    "colours": (borders, bordered),
    "adjust": (realigned, refitted, moved_ends, withdrawn, reshaped_strokes),
    "simplify": (
        collinear,
        dashed,
        closed_arcs,
        opened_rings,
        whole_outlines,
        removals,
        in_one,
        completed,
        meeting,
        retold,
        stroked,
        renamed,
    ),
    "regions": (started, lines, solid_parts, splits, rectangles),
    "residual": (lines_of_residual, offset_strokes, residual_areas),
    "unions": (unions, hidden_borders),
    "encoder": (encoder_estimates,),
    "forms": (reshaped, outlined),
}
"""By name, in the order in which they are asked: what is there is told better before anything is added to
it."""

COSTLY: tuple[Proposer, ...] = (residual_areas,)
"""Asked only where the others know nothing more."""
LATE: tuple[Proposer, ...] = (encoder_estimates, unions, reshaped, outlined, hidden_borders)
"""Asked only at the end, the least costly first; they may use all that is left."""
DEFAULT = ("objects", "colours", "adjust", "simplify", "regions", "residual", "encoder", "unions", "forms")
NOTHING_KNOWN = KnownObjects()
FROM_GUESSES = 3.0  # times the budget if no region tells where shapes are: guesses are refined from afar
EXACT = 0.01  # noise below which edges are known exactly, and regions and lines tell all that γ could
ENDING = 0.1  # of the budget, beyond it: what was told until it was spent may be told with less
SURE = (0.8, 0.5, 0.0)  # of what a further shape could save: first those that are sure, the others last
UNLIKE = 16.0  # squared noise (of 3 channels) from the background, beyond which something else shows
PERFECT = 0.95  # of what a shape could save: then nothing better is looked for
WORTH = 0.3  # bits that a move must save, so that there is an end
ROUND = 12.0  # bits that asking everybody once must save, so that it is done again: about those of one number
OF_EDGES = 0.3  # of its bits that a wrong pixel on the edge of a shape counts


def see_primitives(
    image: Floats,
    kinds: Sequence[Primitive],
    objects: Proposer = NOTHING_KNOWN,
    proposals: Iterable[str] = DEFAULT,
    seconds: float | None = None,
    expected: Expectation | None = None,
    lossy: bool = False,
    told: Interpretation | None = None,
) -> Interpretation:
    """The shapes that explain a picture (H, W, 3) in the fewest bits.

    objects: the proposer of known objects. proposals: those that are asked, by name. seconds: after which
    nothing new is begun. expected: what the frame before, in a film, says about this one.
    lossy: whether the picture is a frame of a film whose compression loses something.
    told: what is told of the picture already; the rest is looked for.
    """
    image, given = with_smooth_chroma(image), image
    lossy = lossy or image is not given
    budget = Budget.of(image.shape[0] * image.shape[1], seconds)
    known = None if expected is None else continued(image, expected, budget, SPECK)
    if told is not None:
        known, expected = Interpretation(told.model, budget, list(told.shapes)), None
    if known is not None and expected is not None and not news(known, expected, known.wrong):
        return known
    model = ImageModel.of(image, lossy) if known is None else known.model
    foreground = unlike_background(image, model.background, UNLIKE * model.channel_variance)
    regions = divide(image, foreground, model.background, model.channel_variance)
    if model.aliased:
        regions = of_one_colour_each(regions)
    elif model.ringing > 0:
        regions = with_thin(regions)
    sight = Sight(regions, kinds, np.random.default_rng(0), model)
    state = known or Interpretation(model, budget)
    wanted = set(proposals)
    if "regions" not in wanted:
        budget.limit, budget.scale = FROM_GUESSES * budget.limit, FROM_GUESSES * budget.scale
    elif model.sigma < EXACT:
        wanted.discard("encoder")
    first = next((own for name, own in FIRST.items() if name in wanted), ())
    for propose, turn in first:
        if not budget.spent:
            accept(state, sight, propose(state, sight, state.wrong), SURE[0], turn)
    budget.encourage()
    error = state.model.edge_error
    state.calibrate()
    if state.model.edge_error > error:
        sight.compared.clear()  # what told the renderer's errors as well may be told with less
    asked = [each for name in PROPOSALS if name in wanted for each in PROPOSALS[name]]
    quick = [objects] if "objects" in wanted else []
    quick += [each for each in asked if each not in COSTLY + LATE]
    tiers = [quick, *([each for each in some if each in asked] for some in (COSTLY, LATE))]
    settled = [-1] * len(tiers)  # changes after which each of them knew nothing more
    for share in SURE:
        if share == SURE[-1] and not budget.encourage():
            break
        make_doubted(state, sight, share)
        now = 0
        while now < len(tiers) - (share > SURE[-1]):
            if len(state.changes) != settled[now] and improve(state, sight, tiers[now], share):
                state.calibrate()
                now = 0
            else:
                settled[now] = -1 if budget.over else len(state.changes)
                now += 1
    late = budget.spent
    budget.reopen(ENDING)
    make_doubted(state, sight, SURE[-1])
    sight.forget(state, "retold")  # what hid a part of a shape when simpler ones were tried is known now
    fewer = [each for name in ("colours", "simplify") if name in wanted for each in PROPOSALS[name]]
    again = fewer  # unless all of them were asked about what is there now
    if settled[0] == len(state.changes):
        again = [each for each in fewer if each is retold]
    while improve(state, sight, again, SURE[-1]):
        again = fewer
    if late and "forms" in wanted:  # there is no time to look for what it is made of
        budget.reopen(ENDING)
        accept(state, sight, outlined(state, sight, state.wrong), SURE[-1])
    while "forms" in wanted and improve(state, sight, [smoothed], SURE[-1]):
        pass  # when all else is told: curves take long to compare
    if "simplify" in wanted:  # cheap, and no reason to look at anything else again
        accept(state, sight, straight_ends(state, sight, state.wrong), SURE[-1], TURN)
    state.settle()
    state.prune()
    state.arrange()
    return state


def improve(state: Interpretation, sight: Sight, several: Sequence[Proposer], share: float) -> bool:
    """Every proposal once, unless nothing has changed since it was asked; whether enough was saved to ask all
    of them again, and more may be changed."""
    before = state.length
    for propose in several:
        if state.budget.over:
            return False
        asked, turn = (share, len(state.changes)), 1.0 if propose in LATE else TURN
        if sight.asked.get(propose) != asked and accept(
            state, sight, propose(state, sight, state.wrong), share, turn
        ):
            sight.asked[propose] = asked
    return before - state.length > ROUND


def accept(
    state: Interpretation, sight: Sight, choices: Iterable[Choice], share: float, turn: float = 1.0
) -> bool:
    """Of each choice make the move that shortens the whole most, the best choices first; whether all choices
    were looked at.

    turn: share of the budget after which no more choices are asked for, or sooner if none promises anything.
    """
    promised: list[tuple[float, int, Move]] = []
    begun, whole = state.budget.used, True
    for n, moves in enumerate(choices):
        if state.budget.spent:
            whole = False
            break
        move = best_of(state, moves, share)
        if move is not None:  # what it tells of other things besides, these tell themselves
            promised.append((state.gain(move, True), -n, move))
        if state.budget.used - begun > (turn if promised else min(turn, PATIENCE)) * state.budget.scale:
            whole = False  # but for what was found with so much effort
            break
    best_first = sorted(promised, key=lambda each: each[:2], reverse=True)
    make(state, sight, [move for _, _, move in best_first], share)
    return whole


def make(state: Interpretation, sight: Sight, moves: Sequence[Move], share: float) -> None:
    """Make all moves that are worth it, in this order; the others are doubted.

    share: of the bits of the pixels that further shapes paint they must save at least this. What says the
    same with fewer shapes need not.
    """
    before, bits, waiting = len(state.changes), float(state.bits.sum()), list(moves)
    added: list[Placed] = []
    while waiting:  # what hides a part of a shape may have to be told first
        tried, waiting, made = waiting, [], len(state.changes)
        for move in filter(None, map(state.current, tried)):
            gain = state.gain(move)
            fewer = len(move.add) < len(move.remove)
            if gain > (WORTH if fewer else max(WORTH, share * state.promise(move))):
                state.apply(move)
                added += move.add or [
                    placed for placed in state.shapes if any(map(placed.touches, move.remove))
                ]
            elif gain > WORTH:
                waiting.append(move)
        if len(state.changes) == made or state.budget.spent:
            break  # what was found is made all the same: finding it is what takes long
    sight.doubted.extend(waiting)
    if len(state.changes) > before:
        state.refine_changed(added, bits - float(state.bits.sum()))
        state.reorder()
        state.budget.save(bits - float(state.bits.sum()), unexplained(state))


def make_doubted(state: Interpretation, sight: Sight, share: float) -> None:
    """Make the moves that were doubted and are worth it now."""
    waiting = [move for move in map(state.current, sight.doubted) if move is not None]
    sight.doubted.clear()
    make(state, sight, sorted(waiting, key=state.gain, reverse=True), share)


def best_of(state: Interpretation, moves: Choice, share: float) -> Move | None:
    """The move that shortens the whole most, if any does; the first one that saves nearly all that it could.
    One that does not save this share of what it could is taken only if there is no other."""
    best, found, sure = WORTH, None, False
    for move in filter(None, map(state.current, moves)):
        gain, promise = state.gain(move), state.promise(move)
        more = len(move.add) > len(move.remove)
        safe = gain > WORTH and (not more or gain > share * promise)
        if (safe, gain) > (sure, best):
            best, found, sure = gain, move, safe
            if more and gain > PERFECT * promise:
                break
    return found


def named(proposals: Iterable[str] | None) -> tuple[str, ...]:
    """Proposals by name, or an error that says which there are; all that are asked by default if None."""
    if proposals is None:
        return DEFAULT
    wanted = (proposals,) if isinstance(proposals, str) else tuple(proposals)
    known = ("objects", *PROPOSALS)
    for name in wanted:
        if name not in known:
            choice = ", ".join(known)
            raise UnrenderError(f"There is no proposal called {name!r}; choose among {choice}.")
    return wanted


def unexplained(state: Interpretation) -> float:
    """Bits of the pixels that look wrong; those on the edge of a shape, which may be off by a little, count
    less."""
    return wrong_bits(state.bits, state.wrong, state.roughness, OF_EDGES)
