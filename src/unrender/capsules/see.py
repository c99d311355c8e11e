"""see: the whole way of a picture, from pixels to observed parse-trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unrender.capsules.network import Network
from unrender.capsules.observations import Told, background, leaves, observations, residual
from unrender.capsules.parse import parse
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
) -> Look:
    """`see`, with what it was told from. expected: what the frame before, in a film, says about this one."""
    if seconds is None:
        make_ready()
    else:
        prepare()  # compiling does not count
    objects = KnownObjects(network.known_shapes)
    state = see_primitives(image, kinds, objects, named(proposals), seconds, expected)
    told = observations(state)
    wholes = understood(told, network, state)
    if second_look(state, objects, told, wholes):
        told = observations(state)
        wholes = understood(told, network, state)
    return Look(scene_of(state, told, wholes), state, told)


def second_look(
    state: Interpretation, objects: KnownObjects, told: Told, wholes: Sequence[Observation]
) -> bool:
    """Look once more at the pixels of every shape that is part of nothing known: several known objects of one
    colour may fill it exactly. Whether anything has changed."""
    parts = {id(leaf) for whole in wholes for leaf in whole.primitives}
    changed = False
    for placed, nodes in told if objects.shapes else ():
        if placed in state.shapes and not any(id(node) in parts for node in nodes):
            move = objects.instead(state, placed)
            if move is not None:
                state.apply(move)
                changed = True
    return changed


def understood(told: Told, network: Network, state: Interpretation) -> list[Observation]:
    """The known objects among the observations: every one that a route sees, then the one parse."""
    tall, wide = state.model.size
    return parse(network.activate(leaves(told), (wide, tall)))


def scene_of(state: Interpretation, told: Told, wholes: Sequence[Observation]) -> Scene:
    """Observed axioms, back to front, on the background."""
    parts = {id(part) for whole in wholes for part in whole.parts}
    tops = [node for node in [*leaves(told), *wholes] if id(node) not in parts]
    tops.sort(key=lambda top: max((leaf.depth or 0 for leaf in top.primitives), default=0))
    tall, wide = state.model.size
    scene = Scene(wide, tall, tops, background(state))
    scene.residual = residual(state)
    scene.complete = not state.budget.late
    return scene
