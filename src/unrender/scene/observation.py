"""One node of an observed parse-tree: a named object with its pose, looks and parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError, one_line
from unrender.grammar.attribute import COLOUR_NAMES, STROKE_NAMES, both_colours
from unrender.scene import reading

if TYPE_CHECKING:
    from unrender.scene.graph import Scene


NAME = 24  # characters of a name that `repr` shows


@dataclass(eq=False, repr=False)
class Observation:
    """An object that was seen (or, in a world, that is truly there).

    Two observations are the same only if they are the same node: compare them with `is`.

    >>> from unrender import Observation
    >>> wheels = [Observation("circle", (x, 40), (10, 10)) for x in (20, 60)]
    >>> car = Observation("car", (40, 30), (60, 30), parts=wheels)
    >>> [node.symbol for node in car.walk()]
    ['car', 'circle', 'circle']
    >>> car
    <car at 40.0, 30.0, 60.0 x 30.0 px, p 1.00, 2 parts>
    """

    symbol: str
    position: tuple[float, float]  # (x, y) px, origin at the top left, y down
    size: tuple[float, float]  # (w, h) px before rotation
    rotation: float = 0.0  # degrees, clockwise on the screen
    attributes: dict[str, float] = field(default_factory=dict)  # each in [0, 1]; see `__post_init__`
    p: float = 1.0  # activation probability
    route: str | None = None  # "ship/1"; None for primitives
    parts: list[Observation] = field(default_factory=list)  # back to front
    depth: int | None = None  # primitives: rank in the painting order, larger is nearer
    track: int | None = None  # the same number for the same object in every frame
    velocity: tuple[float, float] | None = None  # px per frame; None before its second sighting
    spin: float | None = None  # degrees per frame, clockwise; None before its second sighting
    hidden: list[Observation] = field(default_factory=list)  # parts that should be there but were not seen
    rivals: list[Observation] = field(default_factory=list)  # other explanations of the same parts
    form: tuple[float, ...] | None = None  # in the unit frame: of what has a shape that no attribute tells
    count: int | None = None  # how many there are of what it repeats
    verbs: tuple[str, ...] = ()  # what it is doing now, in a film; attributes[verb] is the phase in [0, 1)
    scene: Scene | None = None

    def __post_init__(self) -> None:
        """Of two colours, inside and stroke, one that is not told is that of the other."""
        known = [all(name in self.attributes for name in names) for names in (COLOUR_NAMES, STROKE_NAMES)]
        if any(known) and not all(known):
            self.attributes = both_colours(self.attributes)

    def __repr__(self) -> str:
        try:
            return f"<{', '.join(self._told())}>"
        except (TypeError, ValueError):  # somebody has put something else there
            return f"<{short(self.symbol)}>"

    def _told(self) -> Iterator[str]:
        """What `repr` says, in pieces."""
        (x, y), (width, height) = self.position, self.size
        yield f"{short(self.symbol)} at {_number(x)}"
        yield _number(y)
        yield f"{_number(width)} x {_number(height)} px"
        if abs(self.rotation) >= 0.05:
            yield f"{_number(self.rotation)}°"
        if self.attributes.keys() >= {*COLOUR_NAMES, *STROKE_NAMES}:
            inside, stroke = (_code(self.attributes, names) for names in (COLOUR_NAMES, STROKE_NAMES))
            yield inside if inside == stroke else f"{inside} in {stroke}"
        yield f"p {self.p:.2f}"
        if self.parts:
            yield f"{len(self.parts)} part{'s' * (len(self.parts) > 1)}"
        if self.hidden:
            yield f"{len(self.hidden)} hidden"

    def walk(self) -> Iterator[Observation]:
        """This node and everything below it, parents before their parts."""
        yield self
        for part in self.parts:
            yield from part.walk()

    @property
    def primitives(self) -> list[Observation]:
        """The leaves of this tree."""
        return [node for node in self.walk() if not node.parts]

    @property
    def mask(self) -> NDArray[np.bool_]:
        """bool HxW: the pixels this object shows in its scene."""
        return self._scene().visible_mask(self)

    @property
    def full_mask(self) -> NDArray[np.bool_]:
        """bool HxW: the pixels this object would show if nothing stood in front of it (amodal)."""
        return self._scene().full_mask(self)

    @property
    def path(self) -> str:
        """SVG path data in pixels: the outline of a closed shape, the centre line of an open one; of a whole
        those of its primitives, one after the other.

        >>> Observation("square", (10, 10), (4, 2)).path
        'M 8 9 L 12 9 L 12 11 L 8 11 Z'
        """
        from unrender.scene.pixels import layer

        return " ".join(layer(leaf).path_data for leaf in self.primitives)

    def _scene(self) -> Scene:
        if self.scene is None:
            raise UnrenderError(f"This {self.symbol} belongs to no scene, so it covers no pixels.")
        return self.scene

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; `from_dict` gives the same node back."""
        return {
            "symbol": self.symbol,
            "p": self.p,
            "route": self.route,
            "position": list(self.position),
            "size": list(self.size),
            "rotation": self.rotation,
            "attributes": dict(self.attributes),
            "form": None if self.form is None else list(self.form),
            "count": self.count,
            "depth": self.depth,
            "track": self.track,
            "velocity": None if self.velocity is None else list(self.velocity),
            "spin": self.spin,
            "verbs": list(self.verbs),
            "parts": [part.to_dict() for part in self.parts],
            "hidden": [part.to_dict() for part in self.hidden],
            "rivals": [rival.to_dict() for rival in self.rivals],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any], level: int = 1) -> Observation:
        """The node that `to_dict` wrote; level: how deep in other nodes it lies."""
        with reading.reading("This is not a scene graph: a node has a bad or missing entry"):
            if level > reading.LEVELS:
                raise ValueError(f"parts of parts go more than {reading.LEVELS} levels deep")
            depth, track, velocity = data.get("depth"), data.get("track"), data.get("velocity")
            route, spin = data.get("route"), data.get("spin")
            form, count = data.get("form"), data.get("count")
            return cls(
                symbol=reading.text(data["symbol"]),
                position=reading.pair(data["position"]),
                size=reading.pair(data["size"]),
                rotation=reading.number(data.get("rotation", 0.0)),
                attributes=reading.numbers(data.get("attributes", {})),
                p=reading.number(data.get("p", 1.0)),
                route=None if route is None else reading.text(route),
                parts=[cls.from_dict(part, level + 1) for part in reading.items(data, "parts")],
                depth=None if depth is None else reading.whole(depth),
                track=None if track is None else reading.whole(track),
                velocity=None if velocity is None else reading.pair(velocity),
                spin=None if spin is None else reading.number(spin),
                form=None if form is None else tuple(reading.number(value) for value in form),
                count=None if count is None else reading.whole(count),
                verbs=tuple(reading.text(verb) for verb in data.get("verbs", ())),
                hidden=[cls.from_dict(part, level + 1) for part in reading.items(data, "hidden")],
                rivals=[cls.from_dict(rival, level + 1) for rival in reading.items(data, "rivals")],
            )


def short(name: str) -> str:
    """A name for one line: without its end if it is long."""
    text = one_line(str(name))
    return text if len(text) <= NAME else f"{text[: NAME - 1]}…"


def _code(attributes: Mapping[str, float], names: Sequence[str]) -> str:
    """ "#ff8000"."""
    shade = (min(1.0, max(0.0, attributes[name])) for name in names)
    return "#{:02x}{:02x}{:02x}".format(*(round(255 * part) for part in shade))


def _number(value: float) -> str:
    return f"{value:.1f}" if abs(value) < 1e6 else f"{value:.1e}"
