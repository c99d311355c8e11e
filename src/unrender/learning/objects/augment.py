"""T and U of the paper: feature-preserving changes of what memory holds ("Training Semantic Capsules")."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.experience import UNSEEN, Entry
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, Y, pose_of
from unrender.grammar.attribute import COLOUR_NAMES, DASH_NAMES, STROKE_NAMES, one_colour
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
    poses = np.array([pose_of(part) for part in parts]).reshape(-1, POSE) - (*about, 0, 0, 0)
    moved = transform_poses(poses, np.add(about, move), np.array(turn), np.array(scale))
    return [
        replace(
            part,
            position=(x, y),
            size=(width, height),
            rotation=math.remainder(rotation, 360.0),
            attributes=dict(part.attributes),
        )
        for part, (x, y, width, height, rotation) in zip(parts, moved.tolist(), strict=True)
    ]


def transform_poses(poses: Floats, move: Floats, turn: Floats, scale: Floats) -> Floats:
    """T on poses (..., P, 5): turn (...) in degrees and scale (...) about the origin, then move (..., 2)."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    R = scale[..., None, None] * np.stack([cos, sin, -sin, cos], -1).reshape(*turn.shape, 2, 2)  # transposed
    place = poses[..., : Y + 1] @ R + move[..., None, :]
    sides = poses[..., WIDTH : HEIGHT + 1] * scale[..., None, None]
    return np.concatenate([place, sides, poses[..., ROTATION:] + turn[..., None, None]], -1)


def unseen(memory: Sequence[Entry], names: Sequence[str]) -> list[str]:
    """The attributes of the whole that U may invent: those that memory never has above ε; never dashes."""
    style = [name for name in names if name not in DASH_NAMES]
    return [name for name in style if all(e.whole.attributes.get(name, 0.0) < UNSEEN for e in memory)]


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
