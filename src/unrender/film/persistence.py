"""A whole whose parts are all still there is still that whole, though one of them has turned away so far that
its shape alone would not tell."""

from __future__ import annotations

from dataclasses import replace

from unrender.capsules.network import Network
from unrender.scene import Observation, Scene
from unrender.scene.tracking import adopt


def reassembled(scene: Scene, before: Scene, network: Network) -> None:
    """Put wholes of the frame before together again whose parts are all followed but not parsed."""
    loose = {node.track: node for node in scene.axioms if node.track is not None}
    present = {node.track for node in scene.observations}
    for whole in before.axioms:
        if whole.parts and whole.track not in present and whole.symbol in network.capsules:
            parts = [None if part.track is None else loose.get(part.track) for part in whole.parts]
            found = [part for part in parts if part is not None]
            if len(found) == len(whole.parts) and not whole.hidden:
                again = _whole(network, whole, found)
                scene.axioms = [node for node in scene.axioms if all(node is not part for part in found)]
                scene.axioms.append(again)
                scene.axioms.sort(
                    key=lambda top: max((leaf.depth or 0 for leaf in top.primitives), default=0)
                )
                again.scene = scene
                adopt(scene, again, before)
                loose = {node.track: node for node in scene.axioms if node.track is not None}


def _whole(network: Network, before: Observation, parts: list[Observation]) -> Observation:
    """The whole of these parts, in the order of those of the whole before."""
    turn = before.rotation + (before.spin or 0.0)
    made = network.route_of(before).encode(parts, turn)
    return replace(made, p=before.p, parts=list(parts), track=before.track)
