"""Proposals of primitives that say themselves what to try: from the evidence about each region."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from unrender.perception.budget import Budget
from unrender.perception.depth import Placed
from unrender.perception.image.contours import UNSURE
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Elsewhere, Interpretation, Move
from unrender.perception.outlines.clues import Clue, clues, lines_left
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.fits import Guess, explained_share, likeliest_of, of_areas, whole
from unrender.perception.proposals.propose import CHEAPEST, Choice, Sight, of_colour, region_bits
from unrender.perception.proposals.sets import other_regions
from unrender.perception.refine.outline import CENTRE, EDGE, Points, fit
from unrender.primitives.evidence import Evidence, Start
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.shape import A, B, Shape, Window, union

BATCH = 16  # clues that are looked at at once
POINTS = 64  # of an outline that starts are fitted to
REACHES = np.array([3.0, 1.5, 1.0])  # px: points further off hardly pull
EXACT_LINE = 0.07  # px: that of a line that is sure not to be a part of an outline in noise
NOISY = 0.3  # px: that of one which noise hides
QUIET = 1 / 255  # the noise of a picture that shows nothing but what was drawn, to the last of eight bits
ALIKE = 0.98  # of what the best guess saves before it is refined: one that saves more may be as good
SAME_BITS = 4.0  # bits by which two shapes may differ and still be as short
NEARLY = 0.9  # of what a shape could save: it is refined when it is accepted, not before
COVERED = 0.8  # of what a shape paints: one that a guess covers so far may be told by it
ROUGHLY, A_THIRD = 1000.0, 12.0  # bits by which one shape may be worse than several before it is refined, and
# for each px around it: what an edge costs that is off by a third of a pixel
HALF = 0.5  # of what a shape could save: one that spoils more as it is hardly becomes good by refinement
PARTLY = 0.4  # of a long outline: if no simple shape explains more of it, it is not made of a few of them
WIDE = 12.0  # px: no line is wider
REFINED = 2  # starts for one region that are refined to be compared
HARDLY = 0.6  # of a line all of which can be seen: what explains less of it hardly becomes right


def started(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for regions where something looks wrong, by the primitives' own starts, beside those of their
    colour or in place of them; forms that go round them only if they are no several shapes that touch."""
    for clue, line, guesses in _clues(state, sight, wrong):
        whole = not clue.touches and (bool(clue.region) or clue.stroke_error < EXACT_LINE)
        plain = _is_plain(state, clue)
        most = max((guess.share for guess in guesses if not guess.shape.primitive.formed), default=0.0)
        form = plain and (not clue.slender or (most < PARTLY and clue.evidence.width > WIDE))
        formed = any(guess.shape.primitive.formed and (form or not is_outline(guess)) for guess in guesses)
        least = HARDLY if (formed or clue.thin) and whole and _is_sure(state, clue) else 0.0
        told = [
            guess
            for guess in guesses
            if guess.share >= least
            and (form or (plain and _is_regular(guess)) if is_outline(guess) else whole or _of_areas(guess))
        ]
        if plain:
            told += _without_starts(state, sight, clue.region, guesses)
        yield from choices(state, sight, clue, ("clue", line), told)


def exact_lines(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """The same strokes where there is no noise: pieces of outlines cannot be taken for them then."""
    if state.model.sigma < QUIET:
        yield from lines(state, sight, wrong)


def lines(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Strokes for thin areas where something still looks wrong, others of which may hide a part."""
    for clue, line, guesses in _clues(state, sight, wrong):
        if not clue.region and clue.stroke_error < NOISY:
            told = [guess for guess in guesses if not _of_areas(guess)]
            yield from choices(state, sight, clue, ("line", line), told)


def _of_areas(guess: Guess) -> bool:
    return of_areas(guess.shape.primitive)


def _is_plain(state: Interpretation, clue: Clue) -> bool:
    """Whether a clue is about a region whose edge is known to a part of a pixel, and no line."""
    return bool(clue.region) and not clue.thin and is_exact(state, clue)


def in_one(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """One shape for a region whose edge is known exactly, in place of those that fill it."""
    for number, clue in enumerate(sight.clues):
        if not clue.region or not is_exact(state, clue):
            continue
        same = of_colour(state, clue.window, clue.colour)
        once = ("in one", number, frozenset(placed.key for placed in same))
        if not same or once in sight.tried:
            continue
        sight.tried[once] = len(state.changes)
        several = guesses_of(state, sight, number)
        every = [guess for guesses in several for guess in guesses]
        for guesses in [*several, _without_starts(state, sight, clue.region, every)]:
            least = 0.0 if clue.touches else HARDLY
            told = [
                guess
                for guess in guesses
                if guess.share >= least and (clue.compact or not (clue.thin and guess.shape.primitive.formed))
            ]
            yield _fewer(state, sight, [Placed.of(guess.shape, state.model) for guess in told], same)


def guesses_of(state: Interpretation, sight: Sight, number: int) -> list[list[Guess]]:
    """The guesses at a clue, line by line, made when they are first asked for."""
    if number not in sight.guesses:
        kinds = [kind for kind in sight.kinds if kind.starts is not None]
        sight.guesses[number] = guessed([sight.clues[number]], kinds, state.budget)[0]
    return sight.guesses[number]


def _is_sure(state: Interpretation, clue: Clue) -> bool:
    """Whether noise hides nothing of the edge of a region, or of the middle of lines."""
    return is_exact(state, clue) if clue.region else clue.stroke_error < EXACT_LINE


def is_exact(state: Interpretation, clue: Clue) -> bool:
    """Whether noise hides nothing of the edge of a region."""
    return clue.error <= UNSURE or state.model.aliased


def _without_starts(
    state: Interpretation, sight: Sight, region: int, guesses: Sequence[Guess]
) -> list[Guess]:
    """Guesses at a region by primitives that do not say themselves what to try; and by those that found
    nothing to try, if its edge is a staircase, of which no pieces are straight."""
    tried = {guess.shape.primitive for guess in guesses} if state.model.aliased else set(sight.kinds)
    kinds = [kind for kind in sight.kinds if of_areas(kind) and (kind.starts is None or kind not in tried)]
    area = Area.of(state.model.image, state.model.background, sight.regions, [region]) if kinds else None
    return [] if area is None else whole([area], kinds, state.budget)[0]


def _fewer(
    state: Interpretation, sight: Sight, several: Sequence[Placed], same: Sequence[Placed]
) -> Iterator[Move]:
    """Shapes that are shorter than those of their colour that they cover, refined if they are nearly as good
    already; one that was chosen among them is not compared again."""
    for placed in several:
        under = tuple(each for each in same if each.covered(placed) > COVERED)
        if len(under) == 1 and (under[0].key in sight.compared or _same_sort(under[0].shape, placed.shape)):
            continue
        saved = sum(each.bits for each in under) - placed.bits
        rough = max(ROUGHLY, A_THIRD * around_px(placed.shape))
        if saved > 0 and state.gain(Move([placed], under)) > -rough:
            yield Move([Placed.of(state.refined(placed.shape, under), state.model)], under)


def _same_sort(one: Shape, other: Shape) -> bool:
    """Whether two shapes take as many bits to say, so that one is as good a start as the other."""
    painted = (one.fill is None) == (other.fill is None) and (one.stroke is None) == (other.stroke is None)
    return painted and one.primitive is other.primitive and not one.primitive.formed


def around_px(shape: Shape) -> float:
    """px around the box of a shape."""
    return 4 * float(shape.pose[A] + shape.pose[B])


def is_outline(guess: Guess) -> bool:
    """Whether a guess is the form of an outline, painted inside."""
    return guess.shape.primitive.formed and guess.shape.fill is not None


def _is_regular(guess: Guess) -> bool:
    """Whether a form takes fewer numbers to say than it has corners."""
    shape = guess.shape
    return shape.primitive.numbers_of(shape.pose, shape.form) < len(shape.form) / 3


def _clues(
    state: Interpretation, sight: Sight, wrong: Mask
) -> Iterator[tuple[Clue, tuple[int, int], list[Guess]]]:
    """Clues where something looks wrong, the worst first, with the number of each of their lines and the
    guesses for it."""
    kinds = [kind for kind in sight.kinds if kind.starts is not None]
    if not kinds or not wrong.any():
        return
    notice(state, sight)
    order = _by_worth(state, sight, wrong)
    for first in range(0, len(order), BATCH):
        if state.budget.spent:
            return
        some = order[first : first + BATCH]
        new = [number for number in some if number not in sight.guesses]
        sight.guesses.update(
            zip(new, guessed([sight.clues[n] for n in new], kinds, state.budget), strict=True)
        )
        for number in some:
            for line, guesses in enumerate(sight.guesses[number]):
                yield sight.clues[number], (number, line), guesses


def notice(state: Interpretation, sight: Sight) -> None:
    """Look for the clues of a picture, if that was not done."""
    if not sight.clues:
        told = clues(state.model, sight.regions, state.budget)
        lines = any(kind.strokelike for kind in sight.kinds)  # or what is thin must be told as something else
        sight.clues[:] = [replace(clue, thin=clue.thin and lines) for clue in told]


def choices(
    state: Interpretation, sight: Sight, clue: Clue, key: Hashable, guesses: Sequence[Guess]
) -> Iterator[Choice]:
    """The choice among guesses, unless it was asked for before and as much was at stake."""
    if not guesses:
        return
    first = Placed.of(guesses[0].shape, state.model)
    window = union([guess.shape.window(*state.model.size) for guess in guesses])
    same, stake = tuple(of_colour(state, window, clue.colour)), state.promise(Move([first]))
    if stake > CHEAPEST and sight.unasked(key, stake):
        own = [clue.region] if clue.region else clue.pieces
        others = other_regions(sight.regions, own) if own else None
        moves = _moves(state, guesses, same, others)
        formed = all(guess.shape.primitive.formed for guess in guesses)
        yield moves if formed else _noted(sight, moves, {guess.shape.primitive.name for guess in guesses})


def _noted(sight: Sight, moves: Iterator[Move], tried: set[str]) -> Iterator[Move]:
    """Moves whose shapes need not be told by a simpler primitive, if others were tried beside them."""
    for move in moves:
        if len(tried) > 1:
            sight.compared.update(placed.key for placed in move.add)
        yield move


def _thick(sight: Sight) -> Mask:
    """bool (R,): regions that are no lines."""
    thick = np.zeros(len(sight.regions.area), bool)
    thick[[clue.region for clue in sight.clues if clue.region and not clue.thin]] = True
    return thick


def lines_of_residual(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for lines that show when what is told is taken away."""
    kinds = [kind for kind in sight.kinds if kind.starts is not None]
    if not kinds or not wrong.any():
        return
    inside = _thick(sight)[
        sight.regions.labels
    ]  # what is left there is no line of its own, but may be an outline

    def fresh(window: Window) -> bool:
        return sight.fresh(state, ("left", window), window)

    for mask, some in ((wrong & ~inside, kinds), (wrong & inside, list(filter(of_areas, kinds)))):
        for clue in lines_left(state.model, state.canvas, mask, state.budget, fresh):
            exact = some if clue.stroke_error < EXACT_LINE else list(filter(of_areas, some))
            for guesses in guessed([clue], exact, state.budget)[0]:
                yield _moves(state, guesses, (), None)


def _by_worth(state: Interpretation, sight: Sight, wrong: Mask) -> list[int]:
    """Numbers of the clues that a shape could make shorter, those first where the pixels that look wrong cost
    most: those of a region, or about a line."""
    of_regions = region_bits(sight.regions.labels, state.bits, wrong, len(sight.regions.area))[1]
    number, row, column, width = sight.line_pixels
    bits = np.where(wrong[row, column], state.bits[row, column], 0)
    of_lines = np.bincount(number, width * bits, len(sight.clues))
    region = np.array([clue.region for clue in sight.clues], np.int64)
    worth = np.where(region > 0, of_regions[region], of_lines)
    order = np.argsort(-worth, kind="stable")
    return [int(n) for n in order[: int((worth > CHEAPEST).sum())]]


def _moves(
    state: Interpretation,
    guesses: Sequence[Guess],
    same: tuple[Placed, ...],
    others: Elsewhere | None,
) -> Iterator[Move]:
    """Shapes, beside those of their colour, in place of those that they cover, or of all; refined where they
    are not good as they are. A form, which can tell everything, is made if nothing else tells what is visible
    nearly as well. others: what may hide them."""
    simple: list[tuple[float, Move]] = []
    forms: list[tuple[float, Move]] = []
    for guess in guesses:
        placed = Placed.of(guess.shape, state.model)
        under = tuple(each for each in same if each.covered(placed) > COVERED)
        rivals = forms if guess.shape.primitive.formed else simple
        for without in dict.fromkeys([(), under, same]):
            move = Move([placed], without, elsewhere=others)
            if state.most(move) > (sorted(map(_gain, rivals))[-REFINED] if len(rivals) >= REFINED else 0.0):
                rivals.append((state.gain(move), move))
    if not forms:
        yield from _good(state, simple, -np.inf)
        return
    rival = ALIKE * state.gain(_shortest(forms)[0][1], True)
    told = sorted(_good(state, simple, rival), key=lambda move: -state.gain(move, True))
    if not (told and state.gain(told[0], True) > rival):
        told = [*told, *_good(state, forms, -np.inf)]
        told.sort(key=lambda move: state.gain(move, True), reverse=True)
    yield from told[:1]


def _good(state: Interpretation, several: Sequence[tuple[float, Move]], rival: float) -> Iterator[Move]:
    """The shortest of moves that save nearly all they could, and more of what is visible than a rival; or
    else the best ones with their shapes refined."""
    promising = _shortest(several)
    for gain, move in promising:
        if gain > NEARLY * state.promise(move) and (rival < 0 or state.gain(move, True) > rival):
            yield move
            return
    for gain, move in promising[:REFINED]:
        if gain < -HALF * state.promise(move):
            break
        better = state.refined(move.add[0].shape, move.remove, move.elsewhere)
        yield replace(move, add=[Placed.of(better, state.model)])


def _shortest(several: Sequence[tuple[float, Move]]) -> list[tuple[float, Move]]:
    """Moves that save nearly as much as the best one, those first whose shapes take the fewest bits; then the
    others."""
    best = max(map(_gain, several), default=0.0)
    good = [each for each in several if each[0] >= ALIKE * best > 0]
    good.sort(key=lambda each: (round(each[1].add[0].bits / SAME_BITS), -each[0]))
    return good + sorted((each for each in several if each not in good), key=_gain, reverse=True)


def _gain(each: tuple[float, Move]) -> float:
    return each[0]


Line = tuple[int, int]
"""The number of a clue, and that of one of its centre lines; 0 for its outlines."""


def guessed(several: Sequence[Clue], kinds: Sequence[Primitive], budget: Budget) -> list[list[list[Guess]]]:
    """For each clue, line by line, what primitives would try, the likeliest first; last those with a form,
    which can tell everything and take most to say."""
    found: dict[Line, list[Guess]] = {}
    forms: dict[Line, list[Guess]] = {}
    for kind in kinds:
        if kind.starts is None:
            continue
        starts = [(n, start) for n, clue in enumerate(several) for start in kind.starts(clue.evidence)]
        budget.trace(0, len(starts))
        for n, start in starts:
            if kind.formed or start.exact:
                guess = Guess(_shape(kind, start, several[n].colour), 1.0)
                (forms if kind.formed else found).setdefault(_line(several[n], n, start), []).append(guess)
        for stroked, along in ((False, False), (True, False), (True, True)):
            own = [
                s for s in starts
                if not s[1].exact and s[1].stroked == stroked and (s[1].along is not None) == along
            ]  # fmt: skip
            if own and not kind.formed:
                _fitted(found, several, kind, own, EDGE if not along else CENTRE, budget)
    told: list[list[list[Guess]]] = [[] for _ in several]
    for n, line in sorted(found.keys() | forms.keys()):
        shortest = sorted(forms.get((n, line), []), key=lambda guess: len(guess.shape.form))
        told[n].append([*likeliest_of(found.get((n, line), [])), *shortest])
    return told


def _line(clue: Clue, number: int, start: Start) -> Line:
    """The line of a clue that a start follows."""
    return number, clue.evidence.number.get(id(start.along), 0)


def _fitted(
    found: dict[Line, list[Guess]],
    several: Sequence[Clue],
    kind: Primitive,
    starts: Sequence[tuple[int, Start]],
    says: float,
    budget: Budget,
) -> None:
    """Fit starts to the points that they go through, and add them to what was found for their clues."""
    picked: dict[tuple[int, int], Doubles] = {}  # of several starts along one line
    for n, start in starts:
        if (n, id(start.along)) not in picked:
            picked[n, id(start.along)] = _points(several[n].evidence, start)
    points = np.stack([picked[n, id(start.along)] for n, start in starts])
    where = Points(points[:, 0], points[:, 1], np.ones((len(points), POINTS)), says)
    pose = np.stack([start.pose for _, start in starts])
    most = 4 * np.ptp(points, axis=2).max(1)
    budget.fit(len(pose), POINTS, len(REACHES))
    stroked = starts[0][1].stroked
    pose, off = fit(kind, pose, where, stroked, np.repeat(REACHES[:, None], len(pose), 1), most)
    shares = explained_share(off, where.weight)
    for (n, start), own, share in zip(starts, pose, shares.tolist(), strict=True):
        near = Start(own.copy(), start.form, start.stroked)
        guess = Guess(_shape(kind, near, several[n].colour), share)
        found.setdefault(_line(several[n], n, start), []).append(guess)


def _points(evidence: Evidence, start: Start) -> Doubles:
    """(2, POINTS): of the line that a start follows, or of all outlines of the region."""
    lines = evidence.outlines if start.along is None else [start.along]
    x, y = (np.concatenate([getattr(line, name) for line in lines]) for name in ("x", "y"))
    pick = (np.arange(POINTS) * len(x)) // POINTS
    return np.stack([x[pick], y[pick]])


def _shape(kind: Primitive, start: Start, colour: Doubles) -> Shape:
    fill, stroke = (None, colour) if start.stroked else (colour, None)
    pose, form = kind.canonical(start.pose, start.form)
    return Shape(kind, pose, fill, stroke, form=form)
