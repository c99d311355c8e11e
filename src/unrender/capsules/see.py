"""see: the whole way of a picture, from pixels to observed parse-trees."""

from __future__ import annotations

from collections.abc import Sequence

from unrender.capsules.network import Network
from unrender.capsules.observations import Told, background, leaves, observations
from unrender.capsules.parse import parse
from unrender.perception.interpretation import Interpretation
from unrender.perception.pipeline import see_primitives
from unrender.perception.proposals.objects import KnownObjects
from unrender.primitives.protocol import Primitive
from unrender.render.coverage import Floats
from unrender.scene import Observation, Scene


def see(image: Floats, network: Network, kinds: Sequence[Primitive]) -> Scene:
    """The scene that a picture (H, W, 3) in 0..1 was drawn from."""
    objects = KnownObjects(network.known_shapes)
    state = see_primitives(image, kinds, objects)
    told = observations(state)
    wholes = understood(told, network, state)
    return scene_of(state, told, wholes)


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
    return Scene(wide, tall, tops, background(state))
