"""Changing a scene in words: "ship.1.red=1", "asteroid.*.rotation+=30", "remove ship.2", or in English."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from unrender.errors import UnrenderError, nearest
from unrender.grammar.attribute import STROKE_NAMES
from unrender.names import composed
from unrender.primitives.registry import primitives
from unrender.scene.addresses import Address, find
from unrender.scene.edit.propagate import FAR, bounded
from unrender.scene.graph import Scene
from unrender.scene.language.colours import example
from unrender.scene.language.words import RGB, has_colour
from unrender.scene.observation import Observation

SMALLEST = 0.01  # px: no side of an object gets smaller
LONGEST = 1000  # characters of an edit
POSE = ("x", "y", "width", "height", "rotation", "position", "size")
COLOUR = ("colour", "color")
STROKE = ("stroke_colour", "stroke_color", "border")
PAIRS: Mapping[str, tuple[str, str]] = {"position": ("x", "y"), "size": ("width", "height")}

_ASSIGNMENT = re.compile(r"(?P<target>[^=]*?)\s*(?P<sign>[-+*/]?=)\s*(?P<value>.*)")
_REMOVAL = re.compile(r"(?:remove|delete)\s+(?P<target>.+)", re.IGNORECASE)
SIGNS: Mapping[str, Callable[[float, float], float]] = {
    "=": lambda _, value: value,
    "+=": lambda old, value: old + value,
    "-=": lambda old, value: old - value,
    "*=": lambda old, value: old * value,
    "/=": lambda old, value: old / value,
}


@dataclass(frozen=True)
class Removal:
    """Take an object out of the scene."""

    target: str


@dataclass(frozen=True)
class Assignment:
    """Give an attribute of an object another value."""

    target: str
    attribute: str
    sign: str  # a key of SIGNS
    value: str


Edit = Removal | Assignment


def parse(text: str) -> Edit:
    """One edit, as a person writes it.

    >>> parse("ship.*.rotation += 30")
    Assignment(target='ship.*', attribute='rotation', sign='+=', value='30')
    >>> parse("remove ship.1.circle.2")
    Removal(target='ship.1.circle.2')
    """
    if not isinstance(text, str):
        raise UnrenderError(f"An edit is a text, not {type(text).__name__}.")
    if len(text) > LONGEST:
        raise UnrenderError(f"An edit may have {LONGEST} characters, not {len(text)}; write several.")
    text = composed(text)
    removal = _REMOVAL.fullmatch(text.strip())
    if removal:
        return Removal(removal["target"].strip())
    found = _ASSIGNMENT.fullmatch(text.strip())
    target, _, attribute = found["target"].rpartition(".") if found else ("", "", "")
    if not found or not target or not attribute or not found["value"]:
        raise UnrenderError(
            'An edit is written like "make the ship red", "ship.1.red=1", "ship.*.rotation+=30" or '
            f'"remove ship.1", not "{text}".'
        )
    return Assignment(target.strip(), attribute.strip(), found["sign"], found["value"].strip())


def in_english(text: str) -> bool:
    """Whether an edit is a sentence: no address like ship.1 or "remove ship", and no "="."""
    found = _REMOVAL.fullmatch(text.strip()) if isinstance(text, str) else None
    if not isinstance(text, str) or len(text) > LONGEST or len(text.split()) < 2 or "=" in text:
        return False
    if found and re.fullmatch(r"\S+", found["target"]):
        return found["target"].lower().rstrip(".!") in ("everything", "all")
    return not re.search(r"\w\.(?:[^\W\d]|\*|\d+(?:\.|$))", text.strip().rstrip("."))


class Edited(list[str]):
    """The names of what was changed, as in "circle.2"; `str()` tells what was done."""

    def __init__(self, names: Iterable[str], told: Iterable[str]) -> None:
        super().__init__(names)
        self.told = tuple(told)

    def __str__(self) -> str:
        return "; ".join(self.told) or "Changed nothing"


def apply(scene: Scene, edits: Iterable[str], settle: Callable[[], None]) -> Edited:
    """Change a scene, all of it or, where an edit is wrong, nothing; the names of what was changed.

    All edits name the objects as they are before the first of them. settle: called after each edit, to
    bring the parts of what was changed after it.
    """
    planned: list[_Plan] = []
    for text in edits:
        if in_english(text):
            from unrender.scene.questions.instruct import instructions

            for own in instructions(scene, text):
                plans = [_planned(scene, parse(edit)) for edit in own.edits]
                names = [name for plan in plans for name in plan.names]
                planned.append(_Plan(names, [change for plan in plans for change in plan.changes], own.told))
        else:
            planned.append(_planned(scene, parse(text)))
    for plan in planned:
        for change in plan.changes:
            change()
            settle()
    dotted = dict.fromkeys(name for plan in planned if not plan.told for name in plan.names)
    told = [f"Changed {', '.join(dotted)}"] if dotted else []
    changed = dict.fromkeys(name for plan in planned for name in plan.names)
    return Edited(changed, [*told, *(plan.told for plan in planned if plan.told)])


@dataclass(frozen=True)
class _Plan:
    names: list[str]
    changes: list[Callable[[], None]]
    told: str = ""


def _planned(scene: Scene, edit: Edit) -> _Plan:
    """What an edit will do, checked."""
    meant = find(scene, edit.target)
    changes: list[Callable[[], None]]
    if isinstance(edit, Removal):
        changes = [partial(_remove, scene, one.node) for one in meant]
    elif edit.attribute in (*COLOUR, *STROKE):
        shade, how = _shade(edit), _paint if edit.attribute in COLOUR else _paint_stroke
        changes = [partial(how, node, shade) for one in meant for node in _painted(one.node)]
    else:
        changes = [_assigning(one, edit) for one in meant]
    return _Plan([one.name for one in meant], changes)


def _remove(scene: Scene, node: Observation) -> None:
    """Take a node out; a whole of which nothing is left goes too."""
    above = next((own for own in scene.observations if any(part is node for part in own.parts)), None)
    siblings = scene.axioms if above is None else above.parts
    siblings[:] = [own for own in siblings if own is not node]
    if above is not None and not siblings:
        _remove(scene, above)


def _assigning(one: Address, edit: Assignment) -> Callable[[], None]:
    node, name = one.node, edit.attribute
    names = PAIRS.get(name, (name,))
    values = own_parameters(node) | node.attributes
    known = [*POSE, *values, COLOUR[0], STROKE[0]]
    if name not in known:
        raise UnrenderError(f'{one.name} has no attribute "{name}".{nearest(name, known)}')
    numbers = _numbers(edit, len(names))
    if edit.sign == "=" and name in values and not 0 <= numbers[0] <= 1:
        raise UnrenderError(f'The attribute "{name}" must lie between 0 and 1, not {edit.value}.')
    if name in ("width", "height", "size") and edit.sign in ("=", "*=", "/=") and min(numbers) <= 0:
        raise UnrenderError(f"The {name} must be above 0, not {edit.value}.")

    def change() -> None:
        for own, number in zip(names, numbers, strict=True):
            put(node, own, SIGNS[edit.sign](get(node, own), number))

    return change


def _numbers(edit: Assignment, count: int) -> list[float]:
    """The value of an edit as numbers; one number may stand for both of a pair."""
    try:
        numbers = [float(word) for word in edit.value.replace(",", " ").split()]
    except ValueError:
        numbers = []
    if len(numbers) == 1 and (edit.attribute != "position" or edit.sign in ("*=", "/=")):
        numbers *= count
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        wanted = "a number" if count == 1 else 'two numbers, like "20,30"'
        raise UnrenderError(f'The attribute "{edit.attribute}" takes {wanted}, not "{edit.value}".')
    if edit.sign == "/=" and 0 in numbers:
        raise UnrenderError(f'The attribute "{edit.attribute}" cannot be divided by 0.')
    if max(abs(1 / number if edit.sign == "/=" else number) for number in numbers) > FAR:
        raise UnrenderError(
            f"A number in an edit lies between {-FAR:.0f} and {FAR:.0f}; choose another one for "
            f'"{edit.attribute}" than {edit.value}.'
        )
    return numbers


def own_parameters(node: Observation) -> dict[str, float]:
    """What only this primitive has, like the cap of an edge, or only some of its strokes, like dashes, each
    with the value that is drawn if none is told."""
    kind = primitives().get(node.symbol)
    if kind is None:
        return {}
    stroked = kind.strokelike or node.attributes.get("thickness", 0.0) > 0
    return {a.name: a.default for a in kind.symbol.attributes if a in kind.own or (a.optional and stroked)}


def get(node: Observation, name: str) -> float:
    """A part of the pose, or an attribute."""
    if name in ("x", "y"):
        return node.position[name == "y"]
    if name in ("width", "height"):
        return node.size[name == "height"]
    return node.rotation if name == "rotation" else (own_parameters(node) | node.attributes)[name]


def put(node: Observation, name: str, value: float) -> None:
    """Give a part of the pose, or an attribute, another value; attributes stay in [0, 1], lengths bounded."""
    if name in ("x", "y"):
        x, y = node.position
        value = bounded(value)
        node.position = (value, y) if name == "x" else (x, value)
    elif name in ("width", "height"):
        width, height = node.size
        side = bounded(max(value, SMALLEST))
        node.size = (side, height) if name == "width" else (width, side)
    elif name == "rotation":
        node.rotation = math.remainder(value, 360.0)
    else:
        node.attributes[name] = min(1.0, max(0.0, value))


def _shade(edit: Assignment) -> tuple[float, float, float]:
    """ "red", "dark blue" or "#ff8000" as red, green and blue in [0, 1]."""
    if edit.sign != "=":
        raise UnrenderError(f'A colour is set with "=", not with "{edit.sign}".')
    return example(edit.value)


def _painted(node: Observation) -> list[Observation]:
    """What gets the colour of an object: itself, whose parts follow it, and then they, where they differ."""
    return [own for own in dict.fromkeys([node, *node.primitives]) if has_colour(own.attributes)]


def _paint(node: Observation, shade: tuple[float, float, float]) -> None:
    node.attributes.update(zip(RGB, shade, strict=True))


def _paint_stroke(node: Observation, shade: tuple[float, float, float]) -> None:
    node.attributes.update(zip(STROKE_NAMES, shade, strict=True))
