"""see: the whole way of a picture, from pixels to observed parse-trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.network import Network
from unrender.capsules.observations import Told, background, leaves, observations, residual
from unrender.perception.continuation import Expectation
from unrender.perception.interpretation import Interpretation
from unrender.perception.pipeline import named, see_primitives
from unrender.perception.proposals.objects import KnownObjects
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
    if second_look(state, objects, told, tops):
        told = observations(state)
        tops = understood(told, network, state)
    return Look(scene_of(state, tops), state, told)


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
