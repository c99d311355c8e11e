"""T and U of the paper: feature-preserving changes of what memory holds ("Training Semantic Capsules")."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.experience import UNSEEN, Entry
from unrender.capsules.wholes import rotation_matrix
from unrender.grammar.attribute import COLOUR_NAMES, STROKE_NAMES, one_colour
from unrender.scene import Observation

BOTH = tuple(zip(COLOUR_NAMES, STROKE_NAMES, strict=True))


def transform(
    parts: Sequence[Observation],
    move: tuple[float, float] = (0.0, 0.0),
    turn: float = 0.0,
    scale: float = 1.0,
    about: tuple[float, float] = (0.0, 0.0),
) -> list[Observation]:
    """T: turn and scale all parts about a point, then move them; they stay as they are to each other."""
    R = scale * rotation_matrix(turn)
    moved = []
    for part in parts:
        x, y = R @ np.subtract(part.position, about) + about + move
        moved.append(
            replace(
                part,
                position=(float(x), float(y)),
                size=(part.size[0] * scale, part.size[1] * scale),
                rotation=math.remainder(part.rotation + turn, 360.0),
                attributes=dict(part.attributes),
            )
        )
    return moved


def unseen(memory: Sequence[Entry], names: Sequence[str]) -> list[str]:
    """The attributes of the whole that U may invent: those that no entry of memory has above ε."""
    return [name for name in names if all(e.whole.attributes.get(name, 0.0) < UNSEEN for e in memory)]


def restyle(parts: Sequence[Observation], style: dict[str, float]) -> list[Observation]:
    """U: the given attributes set to a constant on all parts that have them. It invents no borders: a part of
    one colour keeps one."""
    made = []
    for part in parts:
        looks = {name: style.get(name, value) for name, value in part.attributes.items()}
        if one_colour(part.attributes):
            looks |= {own: looks[name] for name, own in BOTH if own in looks and name in looks}
        made.append(replace(part, attributes=looks))
    return made


def one_coloured(styles: NDArray[np.float64], names: Sequence[str]) -> None:
    """Give the strokes in rows of attributes (..., S) the colour of the inside."""
    for name, own in BOTH:
        if name in names and own in names:
            styles[..., names.index(own)] = styles[..., names.index(name)]
