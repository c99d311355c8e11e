"""A repetition that was learned, written as one rule of a grammar: [flower] -> [petal]* 3..12 [circle].

The frame of such a whole is told so that most formulas stay short: that of a ring is the box around the
places of its copies; along a line `width / count` is one step, and lengths across are told in `height`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, X, Y
from unrender.capsules.repetition.copies import Law
from unrender.capsules.repetition.law import Repetition
from unrender.grammar.attribute import STROKE_NAMES, one_colour
from unrender.grammar.expression import Expression, write_name
from unrender.grammar.rule import Part, Rule, RuleKind

TINY = 2e-3  # of a side: what is less is told as 0


@dataclass(frozen=True)
class _Frame:
    """How a value in units of the repetition is told in the frame of the whole."""

    found: Repetition

    @property
    def side(self) -> float:
        """The parent's side in units of the repetition: the diameter of a ring, one step of a line."""
        if self.found.law is Law.RING:
            return 2 * abs(float(self.found.at(self.found.examples[0].copies.shape)[X]))
        return abs(float(self.found.at(self.found.examples[0].copies.shape)[-4]))

    def formula(self, k: int) -> str:
        """Value k for any count, as a share of the parent's side."""
        start, slope = (float(own[k]) for own in self.found.lines)
        if not self.found.changed[k] and abs(start / self.side) < TINY:
            return "0"
        if self.found.law is Law.RING and self.found.changed[k] and self.found._powers[k]:
            return f"{math.exp(start) / self.side:.6g} * count ^ {_signed(slope)}"
        if not self.found.changed[k]:
            return f"{start / self.side:.6g}"
        return f"({start / self.side:.6g} + {slope / self.side:.6g} * count)"


def repeated_rule(found: Repetition) -> Rule:
    """A rule for all counts."""
    first, frame = found.examples[0], _Frame(found)
    units = len(first.copies.units[0])
    unit = [
        Part(first.parts[first.copies.units[0][u]].symbol, _unit(found, frame, u), found.bounds)
        for u in found.painted
    ]
    behind: list[tuple[int, Part]] = []
    before: list[tuple[int, Part]] = []
    for f, k in enumerate(found.fixed[0]):
        part = Part(first.parts[k].symbol, _fixed(found, frame, units + f, k))
        (behind if k < found.rank else before).append((k, part))
    ordered = [part for _, part in sorted(behind, key=lambda own: own[0])]
    ordered += [*unit, *(part for _, part in sorted(before, key=lambda own: own[0]))]
    route = first.route
    return Rule(route.symbol, tuple(ordered), RuleKind(route.kind), route.label or f"route {route.number}")


def _unit(found: Repetition, frame: _Frame, u: int) -> dict[str, Expression]:
    """A part of the unit in any copy."""
    first, base = found.examples[0], u * POSE
    turn = float(found.lines[0][base + ROTATION])
    if found.law is Law.RING:
        angle = f"({first.copies.angle:.6g} + 360 * index / count)"
        texts = _turned(frame.formula(base + X), frame.formula(base + Y), f"cos{angle}", f"sin{angle}")
        texts["rotation"] = f"{turn:.6g} + {angle if first.turned else f'{first.copies.angle:.6g}'}"
    else:
        texts = _along(found, frame, base, "index")
    return _told(texts | _sides(found, frame, base), found.looks(u), found)


def _fixed(found: Repetition, frame: _Frame, row: int, k: int) -> dict[str, Expression]:
    """A part that is there once."""
    first, base = found.examples[0], row * POSE
    if found.law is Law.RING:
        angle = math.radians(first.copies.angle)
        cos, sin = _signed(math.cos(angle)), _signed(math.sin(angle))
        texts = _turned(frame.formula(base + X), frame.formula(base + Y), cos, sin)
        turn = math.remainder(float(found.lines[0][base + ROTATION]) + first.copies.angle, 360.0)
        texts["rotation"] = f"{turn:.6g}"
    else:
        texts = _along(found, frame, base, "0")
    return _told(texts | _sides(found, frame, base), first.parts[k].attributes, found)


def _turned(x: str, y: str, cos: str, sin: str) -> dict[str, str]:
    """A place about the middle of the whole."""
    if (x, y) == ("0", "0"):
        return {}
    if y == "0":
        return {"x": f"width * ({x}) * {cos}", "y": f"height * ({x}) * {sin}"}
    return {
        "x": f"width * (({x}) * {cos} - ({y}) * {sin})",
        "y": f"height * (({x}) * {sin} + ({y}) * {cos})",
    }


def _along(found: Repetition, frame: _Frame, base: int, index: str) -> dict[str, str]:
    """Places beside a line that runs to the right, its middle in the middle of the whole."""
    step = "width / count"
    x = [own for own in (frame.formula(base + X), index) if own != "0"] or ["0"]
    return {
        "x": f"({' + '.join(x)} - (count - 1) / 2) * {step}",
        "y": f"({frame.formula(base + Y)}) * height",
        "rotation": f"{float(found.lines[0][base + ROTATION]):.6g}",
    }


def _sides(found: Repetition, frame: _Frame, base: int) -> dict[str, str]:
    across = "width" if found.law is Law.RING else "width / count"
    return {
        "width": f"({frame.formula(base + WIDTH)}) * {across}",
        "height": f"({frame.formula(base + HEIGHT)}) * height",
    }


def _told(texts: dict[str, str], looks: dict[str, float], found: Repetition) -> dict[str, Expression]:
    """With the looks, as differences from those of the whole."""
    whole = found.examples[0].route.memory[0].whole
    untold = STROKE_NAMES if one_colour(looks) else ()
    for name, value in looks.items():
        off = value - whole.attributes.get(name, 0.0)
        if name not in untold and abs(off) > 1e-4:
            texts[name] = f"min(1, max(0, {write_name(name)} + {_signed(round(off, 6))}))"
    return {name: Expression.parse(text) for name, text in texts.items()}


def _signed(value: float) -> str:
    return f"{value:.6g}" if value >= 0 else f"({value:.6g})"
