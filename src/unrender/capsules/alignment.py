"""Laying a route upon parts that it did not see: which of them would be which, and where the whole would be.

In routing a part that stands elsewhere is not taken. Here it is: a route is laid upon the parts so that they
are least off in all, and those that agree say where the whole is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from unrender.capsules.equivalents import retold
from unrender.capsules.network import form_turnings, forms, patterns_of
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y, aligned, pose_of
from unrender.capsules.route import Route
from unrender.capsules.routing.hypotheses import Hypotheses, by_parts
from unrender.capsules.routing.index import Pattern
from unrender.capsules.routing.table import ObservationTable
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

CLOSELY = 12  # places of one pattern for which the parts are assigned
MOST_OFF = 3.0  # windows: what is off by more is simply elsewhere
CLOSE = 0.35  # windows: parts that are off by less agree with one another


@dataclass(frozen=True)
class Way:
    """One way to see a route in some parts."""

    guess: Observation  # about where the whole would be
    parts: tuple[Observation | None, ...]  # in the order of the route; None where no part is left
    off: Floats  # (P,): by how many windows each is off at its worst


def strangeness(off: Floats) -> tuple[bool, float]:
    """By how much parts (P,) that are off by so many windows are strange, to be compared. If most of them,
    three or more, agree as closely as parts of one thing, the whole is where they say."""
    agreeing = int((off < CLOSE).sum())
    return not agreeing > max(2, len(off) / 2), float(off.sum())


def ways(route: Route, parts: Sequence[Observation], turnings: Mapping[str, Symmetry]) -> list[Way]:
    """The ways to lay a route upon these parts, the least strange first."""
    from scipy.optimize import linear_sum_assignment

    table = ObservationTable(parts, forms(route))
    poses = np.stack([[pose_of(retold(part, known)[0]) for part in parts] for known in route.memory[0].parts])
    same = np.array([[symbol == part.symbol for part in parts] for symbol in route.parts])
    found: list[Way] = []
    for pattern in patterns_of(route):
        guess = by_parts(table, pattern, dict(turnings) | form_turnings(route))
        off = _offsets(route, guess, guess.expected(pattern.poses), poses)
        off = np.where(same, off, 1e3 * MOST_OFF)
        for h in np.argsort(off.min(2).sum(1), kind="stable")[:CLOSELY]:
            rows, columns = linear_sum_assignment(off[h])
            own: list[Observation | None] = [None] * len(route.parts)
            away = np.full(len(route.parts), MOST_OFF)
            for j, k in zip(rows.tolist(), columns.tolist(), strict=True):
                if same[j, k]:
                    own[j], away[j] = parts[k], off[h, j, k]
            found.append(Way(_whole(route, pattern, guess, int(h)), tuple(own), away))
    return sorted(found, key=lambda way: strangeness(way.off))


def _whole(route: Route, pattern: Pattern, at: Hypotheses, h: int) -> Observation:
    half = pattern.aspect / 2 * np.array([-1.0, 1.0])
    width, height = (at.scale[h] * np.exp(half)).tolist()
    place = (float(at.x[h]), float(at.y[h]))
    return Observation(route.symbol, place, (width, height), float(at.turn[h]), dict(pattern.looks))


def _offsets(route: Route, guess: Hypotheses, expected: Floats, poses: Floats) -> Floats:
    """(H, P, N): by how many windows each part is off each place at its worst, at most MOST_OFF.

    poses: (P, N, 5), of all parts as each place tells them.
    """
    wanted = expected[:, :, None]
    off = np.empty((*expected.shape[:2], poses.shape[1]))
    cos, sin = np.cos(np.radians(guess.turn))[:, None], np.sin(np.radians(guess.turn))[:, None]
    for j, turning in enumerate(route.turnings):
        best = aligned(poses[j], wanted[:, j], turning)
        apart = best - wanted[:, j]
        difference = np.stack(
            [
                (cos * apart[..., X] + sin * apart[..., Y]) / guess.scale[:, None],
                (cos * apart[..., Y] - sin * apart[..., X]) / guess.scale[:, None],
                np.log(best[..., WIDTH] / wanted[:, j, :, WIDTH]),
                np.log(best[..., HEIGHT] / wanted[:, j, :, HEIGHT]),
                apart[..., ROTATION],
            ],
            -1,
        )
        off[:, j] = np.abs(difference / route.widths[j, :POSE]).max(-1)
    return off.clip(max=MOST_OFF)
