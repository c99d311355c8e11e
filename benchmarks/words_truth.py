"""Scenes of `free_questions.toml` as graphs, and whether an answer or an edit is what its truth says.

Nothing here uses the code under test but the graph itself: colours, sizes and positions are numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from unrender import Observation, Scene
from unrender.scene.questions.answer import Answer

RGB = ("red", "green", "blue")
NEAR = 0.01  # px, degrees, shares
FIELDS = ("at", "size", "colour", "filled", "thickness", "rotation", "parts", "id", "is")
Nodes = dict[str, Observation]


def graph(defined: Mapping[str, Any]) -> tuple[Scene, Nodes]:
    """A scene, and its nodes by their ids."""
    nodes: Nodes = {}

    def made(entry: Mapping[str, Any]) -> Observation:
        parts = [made(part) for part in entry.get("parts", ())]
        looks = {name: float(value) for name, value in entry.items() if name not in FIELDS}
        if parts:
            areas = [math.prod(part.size) for part in parts]
            for name in parts[0].attributes:
                looks[name] = sum(
                    area * part.attributes[name] for area, part in zip(areas, parts, strict=True)
                ) / sum(areas)
        else:
            looks |= dict(zip(RGB, shade(defined["palette"][entry["colour"]]), strict=True))
            looks |= {"filled": entry.get("filled", 1.0), "thickness": entry.get("thickness", 0.0)}
        x, y, width, height = map(float, (*entry["at"], *entry["size"]))
        turn = float(entry.get("rotation", 0.0))
        node = Observation(entry["is"], (x, y), (width, height), turn, looks, parts=parts)
        nodes[entry["id"]] = node
        return node

    axioms = [made(entry) for entry in defined["things"]]
    width, height = defined["size"]
    red, green, blue = (round(255 * channel) for channel in shade(defined["palette"][defined["background"]]))
    scene = Scene(width, height, axioms, (red, green, blue))
    for depth, leaf in enumerate(leaf for axiom in axioms for leaf in axiom.primitives):
        leaf.depth = depth
    return Scene(width, height, axioms, scene.background), nodes


def shade(code: str) -> tuple[float, float, float]:
    """Red, green and blue in [0, 1] of a code like #ff8000."""
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def told(answer: Answer, truth: Mapping[str, Any], nodes: Nodes) -> bool:
    """Whether an answer is true."""
    value = answer.value
    if "yes" in truth:
        return value is truth["yes"]
    if "number" in truth and isinstance(value, int | float) and not isinstance(value, bool):
        return any(abs(value - wanted) <= truth.get("within", NEAR) for wanted in truth["number"])
    if "things" in truth and isinstance(value, list):
        found = {name for name, node in nodes.items() if any(node is own for own in value)}
        return found in [set(wanted) for wanted in truth["things"]]
    if "at" in truth and isinstance(value, tuple):
        return math.dist(value, truth["at"]) < 1
    if "says" in truth:
        return any(words in answer.text for words in truth["says"])
    return False


def edited(
    scene: Scene,
    nodes: Nodes,
    before: Mapping[str, Mapping[str, Any]],
    truth: Mapping[str, Mapping[str, Any]],
    held: Mapping[str, set[int]],
) -> bool:
    """Whether a scene was changed as the truth says, and in nothing else; held: the ids of what each object
    consisted of."""
    there = set(map(id, scene.observations))
    touched = {id(part) for name in truth for part in nodes[name].walk()}
    above = {id(node) for own, node in nodes.items() for name in truth if id(nodes[name]) in held[own]}
    for name, node in nodes.items():
        if name in truth:
            if truth[name].get("gone") is not None:
                if id(node) in there:
                    return False
            elif id(node) not in there or not _as_wanted(node, before[name], truth[name], scene.width):
                return False
        elif id(node) not in touched | above and (id(node) not in there or node.to_dict() != before[name]):
            return False
    return bool(truth)


def _as_wanted(node: Observation, before: Mapping[str, Any], wanted: Mapping[str, Any], width: int) -> bool:
    """Whether one object has changed as it should, and its parts with it."""
    leaves, old = node.primitives, _leaves(before)
    (x, y), (old_x, old_y) = node.position, before["position"]
    shift = [wanted["dx"], wanted["dy"]] if "dx" in wanted else [[0, 0], [0, 0]]
    good = []
    if "at" in wanted:
        good += [_within(own, reach) for own, reach in zip(node.position, wanted["at"], strict=True)]
    else:
        good += [_within(own, reach) for own, reach in zip((x - old_x, y - old_y), shift, strict=True)]
    turn = wanted.get("turn", 0.0) if "rotation" not in wanted else wanted["rotation"] - before["rotation"]
    good.append(abs(math.remainder(node.rotation - before["rotation"] - turn, 360)) < NEAR)
    grow = wanted.get("grow", [1, 1])
    good += [
        _within(new / was, reach) for new, was, reach in zip(node.size, before["size"], grow, strict=True)
    ]
    if "colour" in wanted:
        largest = max(leaves, key=lambda leaf: math.prod(leaf.size))
        good.append(_named(largest) == wanted["colour"])
    for name in set(wanted) - {"at", "dx", "dy", "turn", "rotation", "grow", "colour"}:
        good.append(_within(node.attributes[name], wanted[name]))
    if node.parts:  # what happens to a whole happens to all of it
        ratio = math.prod(new / was for new, was in zip(node.size, before["size"], strict=True))
        for leaf, was in zip(leaves, old, strict=True):
            good.append(abs(math.prod(leaf.size) / math.prod(was["size"]) - ratio) < NEAR * ratio)
            good.append(abs(math.remainder(leaf.rotation - was["rotation"] - turn, 360)) < NEAR)
            off = math.dist(leaf.position, node.position), math.dist(was["position"], before["position"])
            good.append(wanted.get("grow") is not None or abs(off[0] - off[1]) < NEAR)
    return all(good)


def _leaves(node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [leaf for part in node["parts"] for leaf in _leaves(part)] or [node]


def _within(value: float, reach: float | Sequence[float]) -> bool:
    low, high = (reach, reach) if isinstance(reach, int | float) else reach
    return low - NEAR <= value <= high + NEAR


def _named(node: Observation) -> str:
    """The primary or secondary colour that is nearest."""
    plain = {
        "red": (1, 0, 0),
        "green": (0, 0.8, 0),
        "blue": (0, 0, 1),
        "yellow": (1, 1, 0),
        "orange": (1, 0.5, 0),
        "purple": (0.5, 0, 0.5),
        "white": (1, 1, 1),
        "black": (0, 0, 0),
    }
    own = [node.attributes[name] for name in RGB]
    return min(plain, key=lambda name: math.dist(plain[name], own))
