"""Agreement: Z of a part, its window w, and the activation probability p of a route with its past mean p̄."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unrender.capsules.equivalents import read_like, retold
from unrender.capsules.gamma import rotation_matrix
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y, pose_of
from unrender.capsules.route import Route
from unrender.scene import Observation

CONFIDENCE = 0.6  # width of the window of p_i / p̄_i - 1


def window(difference: Floats, width: Floats | float = 1.0) -> Floats:
    """w: 1 at a difference of 0, 1/e at `width`, and flat where the difference is small."""
    w: Floats = np.exp(-((difference / width) ** 2))
    return w


def agreement(route: Route, j: int, seen: Observation, expected: Observation, whole: Observation) -> Floats:
    """Z of one part (Equation SemanticAgreement): the window of each attribute's difference, the pose
    compared in the frame of the whole and over all equivalent poses of the part. Of a part that has a form,
    the window of what is left between both forms is a factor of its sides'."""
    difference, columns, bits = differences(route, j, seen, expected, whole)
    z = window(difference, route.widths[j, columns])
    z[[WIDTH, HEIGHT]] *= 2.0**-bits
    return z


def differences(
    route: Route, j: int, seen: Observation, expected: Observation, whole: Observation
) -> tuple[Floats, list[int], float]:
    """By how much part j is off: place in mean sides of the whole, log sides, degrees, then its looks; the
    columns of the route's windows that they belong to; and the bits that are left between two forms."""
    scale = float(np.sqrt(whole.size[0] * whole.size[1]))
    wanted = pose_of(expected)
    seen, bits = retold(seen, route.memory[0].parts[j])
    nearest, looks = read_like(seen, wanted, route.turnings[j])
    off, sides = nearest - wanted, np.log(nearest[[WIDTH, HEIGHT]] / wanted[[WIDTH, HEIGHT]])
    place = off[[X, Y]] @ rotation_matrix(whole.rotation) / scale
    names = route.compared(j, seen)
    style = [
        (k, looks[name] - expected.attributes.get(name, 0.0))
        for k, name in enumerate(route.names)
        if name in names
    ]
    difference = np.array([*place, *sides, off[ROTATION], *(value for _, value in style)])
    return difference, [*range(POSE), *(POSE + k for k, _ in style)], bits


def activation(z: Sequence[Floats | None], p: Floats, past_p: Floats) -> float:
    """p_Ω of a route (Equation CapsuleInternals2). A part that was not seen has no Z and counts 0."""
    parts = [
        0.0 if own is None else float(np.abs(own).sum() / len(own) * window(p[j] / past_p[j] - 1, CONFIDENCE))
        for j, own in enumerate(z)
    ]
    return sum(parts) / len(parts)
