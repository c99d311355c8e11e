"""A layer: one primitive with all its attributes, checked and ready to be painted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from unrender.grammar.attribute import POSE_NAMES, both_colours
from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import find
from unrender.primitives.vector import Doubles, Path, closings, path_data, rings
from unrender.render.dashes import length_of
from unrender.render.shape import Shape

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Layer:
    """A primitive where it stands. It paints its inside as far as `filled` says, then its stroke, centred on
    the outline."""

    primitive: Primitive
    position: tuple[float, float]  # px
    size: tuple[float, float]  # px, before rotation
    rotation: float  # degrees
    colour: Colour  # of the inside
    stroke_colour: Colour
    filled: float  # the share of the inside that is painted
    thickness: float  # the stroke's width as a share of `primitive.stroke_side`
    own: tuple[float, ...] = ()  # the primitive's own parameters
    dash: float = 1.0  # the painted share of each period of the stroke
    period: float = 1.0  # its length as a share of the line's
    cap: float = 1.0  # the ends of an open line and of dashes: 0 straight, 1 round
    mitre: float = 0.0  # the corners of the stroke: 0 round, 1 pointed
    form: tuple[float, ...] = ()  # numbers behind them, of a primitive whose shape no attribute tells

    @classmethod
    def from_vector(cls, name: str, values: Mapping[str, float], form: Sequence[float] = ()) -> Layer:
        """From a flat mapping x, y, width, height, rotation, red, ...; what is missing gets its default, a
        colour that is missing that of the other (inside or stroke)."""
        primitive = find(name)
        symbol = primitive.symbol
        for key in values:
            symbol.attribute(key)  # raises for an unknown name
        given = both_colours(values)
        checked = {a.name: a.check(given.get(a.name, a.default), name) for a in symbol.all_attributes}
        x, y, width, height, rotation = (checked[key] for key in POSE_NAMES)
        return cls(
            primitive,
            (x, y),
            (width, height),
            rotation,
            (checked["red"], checked["green"], checked["blue"]),
            (checked["stroke_red"], checked["stroke_green"], checked["stroke_blue"]),
            checked["filled"],
            checked["thickness"],
            tuple(checked[attribute.name] for attribute in primitive.own),
            checked["dash"],
            checked["period"],
            checked["cap"],
            checked.get("mitre", 0.0),
            primitive.check_form(form),
        )

    @classmethod
    def of(
        cls,
        name: str,
        position: tuple[float, float],
        size: tuple[float, float],
        rotation: float,
        attributes: Mapping[str, float],
        form: Sequence[float] | None = None,
    ) -> Layer:
        """From an observation's fields."""
        pose = dict(zip(POSE_NAMES, (*position, *size, rotation), strict=True))
        return cls.from_vector(name, pose | dict(attributes), form or ())

    @property
    def half(self) -> tuple[float, float]:
        """Half of width and height (px)."""
        return self.size[0] / 2, self.size[1] / 2

    @property
    def stroke(self) -> float:
        """The width of the stroke (px)."""
        return self.thickness * self.primitive.stroke_side(*self.size)

    @property
    def shape(self) -> Shape:
        """What is rendered: what has no colour is not painted."""
        pose = [*self.position, *self.half, math.radians(self.rotation), self.stroke / 2, *self.own]
        inside = self.filled > 0 and self.encloses
        return Shape(
            self.primitive,
            np.array(pose, float),
            np.array(self.colour) if inside else None,
            np.array(self.stroke_colour) if self.thickness > 0 else None,
            np.array(self.form, float),
            dashes=(self.dash, self.period) if self.dashed else None,
            mitre=self.pointed,
            butt=not self.primitive.strokelike
            and self.cap < 0.5
            and (self.dashed or not all(closings(self.path))),
        )

    @property
    def pointed(self) -> bool:
        """Whether the corners of its stroke are pointed."""
        return self.mitre >= 0.5 and self.thickness > 0

    @property
    def dashed(self) -> bool:
        """Whether its stroke is not painted all along."""
        return self.dash < 1 and (self.thickness > 0 or self.primitive.strokelike)

    @property
    def dashes(self) -> tuple[float, float]:
        """The lengths (px) of a dash and of the gap behind it."""
        step = self.period * length_of(self.rings(), closings(self.path))
        return self.dash * step, (1 - self.dash) * step

    @property
    def encloses(self) -> bool:
        """Whether it has an inside that can be painted."""
        return self.primitive.encloses(self.path) if self.primitive.formed else self.primitive.closed

    @property
    def path(self) -> Path:
        """The outline, or the centre line of what is open, in the box from -1 to 1."""
        return self.primitive.path(*self.half, (*self.own, *self.form))

    @property
    def path_data(self) -> str:
        """The same as SVG path data in pixels of the picture."""
        return path_data(self.path, self.position, self.half, self.rotation)

    def rings(self) -> list[Doubles]:
        """The same as points (N, 2) in px in the shape's own frame: x right, y down, before rotation."""
        return rings(self.path, *self.half)
