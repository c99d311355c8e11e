"""see: the whole way of a picture, from pixels to observed parse-trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.network import Network
from unrender.capsules.observations import Told, background, leaves, observations, residual
from unrender.capsules.silhouette import Silhouette
from unrender.perception.continuation import Expectation
from unrender.perception.depth import Placed
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.pipeline import named, see_primitives
from unrender.perception.proposals.objects import KnownObjects
from unrender.perception.proposals.one_colour_objects import clusters, instead
from unrender.perception.warmup import make_ready, prepare
from unrender.primitives.protocol import Primitive
from unrender.render.coverage import Floats
from unrender.scene import Observation, Scene


@dataclass(frozen=True, eq=False)
class Look:
    """What was seen of a picture: the scene, and the interpretation that it was told from."""

    scene: Scene
    state: Interpretation
    told: Told


def see(
    image: Floats,
    network: Network,
    kinds: Sequence[Primitive],
    proposals: Iterable[str] | None = None,
    seconds: float | None = None,
) -> Scene:
    """The scene that a picture (H, W, 3) in 0..1 was drawn from.

    proposals: those that are asked, by name; all if None. seconds: after which nothing new is begun.
    """
    return look(image, network, kinds, proposals, seconds).scene


def look(
    image: Floats,
    network: Network,
    kinds: Sequence[Primitive],
    proposals: Iterable[str] | None = None,
    seconds: float | None = None,
    expected: Expectation | None = None,
    lossy: bool = False,
) -> Look:
    """`see`, with what it was told from. expected: what the frame before, in a film, says about this one.
    lossy: whether the picture comes from a file whose compression loses something."""
    if seconds is None:
        make_ready()
    else:
        prepare()  # compiling does not count
    objects = KnownObjects(network.known_shapes)
    state = see_primitives(image, kinds, objects, named(proposals), seconds, expected, lossy)
    told = observations(state)
    tops = understood(told, network, state)
    unlikely = _unlikely(told, tops)
    if unlikely and not state.budget.late:
        names = [placed.shape.primitive for placed in unlikely]
        objects = KnownObjects([own for own in objects.shapes if own.primitive not in names])
        state.shapes = [placed for placed in state.shapes if placed not in unlikely]
        state = see_primitives(image, kinds, objects, named(proposals), seconds, lossy=lossy, told=state)
        told = observations(state)
        tops = understood(told, network, state)
    told, tops = second_look(state, network, objects, told, tops)
    told, tops = in_one_colour(state, network, told, tops)
    return Look(scene_of(state, tops), state, told)


def second_look(
    state: Interpretation, network: Network, objects: KnownObjects, told: Told, tops: list[Observation]
) -> tuple[Told, list[Observation]]:
    """The same after a look at the pixels of every shape that is part of nothing known: several known objects
    of one colour may fill it exactly."""
    moves = []
    for placed in _unknown(told, tops) if objects.shapes else ():
        move = objects.instead(state, placed) if placed in state.shapes else None
        if move is not None:
            state.apply(move)
            moves.append(move)
    return _kept(state, network, moves) or (told, tops)


def in_one_colour(
    state: Interpretation, network: Network, told: Told, tops: list[Observation]
) -> tuple[Told, list[Observation]]:
    """The same after a look at what is part of nothing known and may be parts of one colour that touch: an
    outline, or shapes that have one together."""
    left = _unknown(told, tops) if network.capsules else []
    groups = [own for own in clusters(left, state.model.paint_sigma) if len(own) > 1]
    for group in [*groups, *([placed] for placed in left if placed.shape.primitive.formed)]:
        if not all(placed in state.shapes for placed in group):
            continue
        best = None
        for move in instead(state, group, network.known_outlines):
            state.apply(move)
            better = _kept(state, network, [move])
            if better is not None:
                state.apply(Move(move.remove, move.add))
                if best is None or len(better[1]) < len(best[1][1]):  # it leaves less that is not understood
                    best = move, better
        if best is not None:
            state.apply(best[0])
            told, tops = best[1]
    return told, tops


def _unlikely(told: Told, tops: Sequence[Observation]) -> list[Placed]:
    """What was told as the silhouette of a known object and is part of nothing known.

    As a part of that object it took few bits to say. It is none, so that any other shape might say it as
    well, without parts that nothing shows.
    """
    return [own for own in _unknown(told, tops) if isinstance(own.shape.primitive, Silhouette)]


def _unknown(told: Told, tops: Sequence[Observation]) -> list[Placed]:
    """The shapes that are part of nothing known."""
    free = {id(top) for top in tops}
    return [placed for placed, nodes in told if all(id(node) in free for node in nodes)]


def _kept(
    state: Interpretation, network: Network, moves: Sequence[Move]
) -> tuple[Told, list[Observation]] | None:
    """What is understood after moves that were made, those of which anything is part of nothing known, or of
    something of which other parts are hidden, taken back; None if that is all of them."""
    if not moves:
        return None
    told = observations(state)
    tops = understood(told, network, state)
    # parts that an outline gave agree with their whole by themselves: what hides the others proves nothing
    free = {id(leaf) for top in tops if top.hidden or not top.parts for leaf in top.primitives}
    unknown = [placed for placed, nodes in told if any(id(node) in free for node in nodes)]
    wrong = [move for move in moves if any(placed in unknown for placed in move.add)]
    for move in reversed(wrong):
        state.apply(Move(move.remove, move.add))
    if len(wrong) == len(moves):
        return None
    if wrong:
        told = observations(state)
        tops = understood(told, network, state)
    return told, tops


def understood(told: Told, network: Network, state: Interpretation) -> list[Observation]:
    """The observed axioms: known objects among the observations, and what is left over."""
    tall, wide = state.model.size
    return network.tops(leaves(told), (wide, tall), _bytes(state.model.image), background(state))


def scene_of(state: Interpretation, tops: list[Observation]) -> Scene:
    """Observed axioms, back to front, on the background."""
    tall, wide = state.model.size
    scene = Scene(wide, tall, tops, background(state))
    scene.residual = residual(state)
    scene.complete = not state.budget.late
    return scene


def _bytes(image: Floats) -> NDArray[np.uint8]:
    return (image * 255).round().clip(0, 255).astype(np.uint8)
