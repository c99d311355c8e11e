"""see: the whole way of a picture, from pixels to observed parse-trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.network import Network
from unrender.capsules.observations import Told, background, leaves, observations, residual
from unrender.perception.interpretation import Interpretation
from unrender.perception.pipeline import named, see_primitives
from unrender.perception.proposals.objects import KnownObjects
from unrender.perception.warmup import make_ready, prepare
from unrender.primitives.protocol import Primitive
from unrender.render.coverage import Floats
from unrender.scene import Observation, Scene


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
    if seconds is None:
        make_ready()
    else:
        prepare()  # compiling does not count
    objects = KnownObjects(network.known_shapes)
    state = see_primitives(image, kinds, objects, named(proposals), seconds)
    told = observations(state)
    tops = understood(told, network, state)
    if second_look(state, objects, told, tops):
        told = observations(state)
        tops = understood(told, network, state)
    return scene_of(state, tops)


def second_look(
    state: Interpretation, objects: KnownObjects, told: Told, tops: Sequence[Observation]
) -> bool:
    """Look once more at the pixels of every shape that is part of nothing known: several known objects of one
    colour may fill it exactly. Whether anything has changed."""
    free = {id(top) for top in tops}
    changed = False
    for placed, nodes in told if objects.shapes else ():
        if placed in state.shapes and all(id(node) in free for node in nodes):
            move = objects.instead(state, placed)
            if move is not None:
                state.apply(move)
                changed = True
    return changed


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
