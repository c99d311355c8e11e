"""Routes whose g is written in a grammar: γ is found by inverting it (Equation Inv)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unrender.capsules.poses import HEIGHT, ROTATION, WIDTH, Floats, X, Y, aligned, pose_of
from unrender.grammar.attribute import COLOUR_NAMES, POSE, STROKE_NAMES, Role
from unrender.grammar.grammar import Grammar
from unrender.grammar.production import constrain
from unrender.grammar.rule import Rule
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

SIDE = 100.0  # px: the whole that stands for the rule
STEPS, STEP = 8, 1e-3  # of the inversion: at most so many, and how far each attribute is tried


def flat(node: Observation, names: Sequence[str]) -> dict[str, float]:
    """The attribute vector of an observation, as a grammar names it."""
    (x, y), (width, height) = node.position, node.size
    pose = {"x": x, "y": y, "width": width, "height": height, "rotation": node.rotation}
    return pose | {name: node.attributes.get(name, 0.0) for name in names}


def node_of(symbol: str, values: Mapping[str, float]) -> Observation:
    """An observation from its attribute vector."""
    posed = {attribute.name for attribute in POSE}
    return Observation(
        symbol,
        (values["x"], values["y"]),
        (values["width"], values["height"]),
        values["rotation"],
        {name: value for name, value in values.items() if name not in posed},
    )


@dataclass(frozen=True)
class GivenRule:
    """g of one rule of a grammar; of one that repeats parts, for one count."""

    grammar: Grammar
    rule: Rule
    count: int | None = None  # the usual one, if None

    @cached_property
    def plain(self) -> Rule:
        """The rule with all copies as parts."""
        counts = self.rule.counts
        if counts is None:
            return self.rule
        return self.rule.unrolled(counts.usual if self.count is None else self.count)

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes of the symbol besides its pose."""
        return tuple(attribute.name for attribute in self.grammar.symbol(self.rule.symbol).attributes)

    @property
    def verbs(self) -> frozenset[str]:
        """Those of them whose role is to say what it does."""
        own = self.grammar.symbol(self.rule.symbol).attributes
        return frozenset(attribute.name for attribute in own if attribute.role is Role.VERB)

    def example(self) -> Observation:
        """A whole that stands for the rule: white, upright, as large as a picture."""
        symbol = self.grammar.symbol(self.rule.symbol)
        looks = {a.name: a.default for a in symbol.attributes}
        looks |= {name: 1.0 for name in (*COLOUR_NAMES, *STROKE_NAMES) if name in looks}
        return Observation(self.rule.symbol, (0.0, 0.0), (SIDE, SIDE), 0.0, looks)

    def __call__(self, whole: Observation) -> list[Observation]:
        """The parts of a whole."""
        values = flat(whole, self.names)
        return [
            node_of(part.symbol, constrain(self.plain, j, self.grammar.symbol(part.symbol), values))
            for j, part in enumerate(self.plain.parts)
        ]

    def invert(
        self, whole: Observation, parts: Sequence[Observation], turnings: Sequence[Symmetry]
    ) -> Observation:
        """The whole whose parts come nearest to those that are seen, starting from a first estimate."""
        scale = float(np.sqrt(whole.size[0] * whole.size[1]))
        start = np.array([*whole.position, *np.log(whole.size), whole.rotation])
        unit = np.array([scale, scale, 1.0, 1.0, 60.0])
        names = self.names
        looks = np.array([min(1.0, max(0.0, whole.attributes.get(name, 0.0))) for name in names])

        def at(values: Floats) -> Observation:
            pose = start + values[:5] * unit
            style = dict(zip(names, values[5:].clip(0, 1).tolist(), strict=True))
            x, y, wide, high, turn = (float(v) for v in pose)
            return replace(
                whole,
                position=(x, y),
                size=(float(np.exp(wide)), float(np.exp(high))),
                rotation=turn,
                attributes=style,
            )

        def off(values: Floats) -> Floats:
            rows = []
            for seen, drawn, turning in zip(parts, self(at(values)), turnings, strict=True):
                wanted = pose_of(drawn)
                pose = aligned(pose_of(seen), wanted, turning)
                sides = np.log(pose[[WIDTH, HEIGHT]] / wanted[[WIDTH, HEIGHT]])
                place = (pose - wanted)[[X, Y]] / scale
                turn = (pose - wanted)[ROTATION] / 60.0
                style = [
                    0.3 * (seen.attributes[name] - value)
                    for name, value in drawn.attributes.items()
                    if name in seen.attributes
                ]
                rows.append(np.array([*place, *sides, turn, *style]))
            return np.concatenate(rows)

        values = np.concatenate([np.zeros(5), looks])
        left = off(values)
        for _ in range(STEPS):
            slopes = np.stack([(off(values + STEP * e) - left) / STEP for e in np.eye(len(values))], 1)
            damping = 1e-6 * np.eye(len(values))
            move = np.linalg.solve(slopes.T @ slopes + damping, -slopes.T @ left)
            trial = values + move.clip(-0.5, 0.5)
            trial[5:] = trial[5:].clip(0, 1 - STEP)
            now = off(trial)
            if (now**2).sum() >= (left**2).sum() * (1 - 1e-4):
                break
            values, left = trial, now
        return at(values)
