"""Changing a node by hand: every value is a number with a range, and the scene is drawn anew from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unrender.errors import UnrenderError
from unrender.grammar.attribute import COLOUR_NAMES, STROKE_NAMES
from unrender.primitives.registry import primitives
from unrender.scene import Observation, Scene
from unrender.scene.edit.commands import PAIRS, put
from unrender.scene.edit.propagate import values_of
from unrender.studio.desk.history import Edited
from unrender.studio.desk.picture import Key, Picture, find

if TYPE_CHECKING:
    from unrender.studio.desk.desk import Desk

Edits = dict[tuple[Key, str], float]
COLOUR, STROKE = COLOUR_NAMES, STROKE_NAMES
STYLE = ("filled", "thickness")  # what a straight stroke has no use for, and the first one no open line


@dataclass(frozen=True)
class Knob:
    """One value of a node that can be turned."""

    name: str
    value: float
    low: float
    high: float
    step: float


def knobs(node: Observation, scene: Scene) -> list[Knob]:
    """Everything that can be edited of a node but its colour: pose first, then each attribute that shows."""
    (x, y), (w, h), longest = node.position, node.size, float(max(scene.width, scene.height))
    pose = [
        Knob("x", x, 0.0, float(scene.width), 0.1),
        Knob("y", y, 0.0, float(scene.height), 0.1),
        Knob("width", w, 1.0, max(longest, w), 0.1),
        Knob("height", h, 1.0, max(longest, h), 0.1),
        Knob("rotation", node.rotation, -180.0, 180.0, 0.5),
    ]
    kind, own = None if node.parts else primitives().get(node.symbol), _own(node)
    idle = () if kind is None else STYLE if kind.strokelike else () if kind.closed else STYLE[:1]
    plain = {name: value for name, value in (own | node.attributes).items() if name not in (*COLOUR, *STROKE)}
    return [*pose, *(Knob(name, value, 0.0, 1.0, 0.01) for name, value in plain.items() if name not in idle)]


def _own(node: Observation) -> dict[str, float]:
    """The parameters that only this primitive has, with their defaults."""
    kind = None if node.parts else primitives().get(node.symbol)
    return {} if kind is None else {each.name: each.default for each in kind.own}


def change(desk: Desk, picture: Picture, edits: Edits) -> bool:
    """`edit`, which can be taken back: as one step until the slider is let go."""
    (key, name), history = list(edits)[-1], desk.history
    what = "colour" if name in COLOUR else "border" if name in STROKE else name
    handle = (key, what)
    before = None if history.goes_on(picture, handle) else picture.moment(copy=True)
    changed = edit(picture, edits)
    if changed and before is not None:
        history.add(Edited(f"{what} of {key[0]} in {picture.name}", picture, before, handle))
    return changed


def reset(desk: Desk, picture: Picture) -> None:
    """Forget what was edited by hand, which can be taken back too."""
    before = picture.moment()
    desk.again(picture)
    if before.edited:
        desk.history.add(Edited(f"reset of {picture.name}", picture, before))


def edit(picture: Picture, edits: Edits) -> bool:
    """Change these values and draw the scene; what is changed at the top of a tree is carried down.

    Returns whether anything is other than it was.
    """
    scene = picture.seen()
    changed = False
    for (key, name), value in edits.items():
        (node,) = find(scene, [key])
        before = values_of(node)
        _set(node, name, float(value))
        changed |= values_of(node) != before
    if changed:
        picture.edited = True
        picture.version += 1
        picture.draw()
    return changed


def _set(node: Observation, name: str, value: float) -> None:
    if not math.isfinite(value):
        raise UnrenderError(f'The attribute "{name}" takes a number.')
    if name not in (*PAIRS["position"], *PAIRS["size"], "rotation", *node.attributes, *_own(node)):
        raise UnrenderError(f'A {node.symbol} has no attribute "{name}".')
    put(node, name, value)
