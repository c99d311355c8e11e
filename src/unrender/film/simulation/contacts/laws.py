"""What collisions tell: restitution and the ratios of masses, each with its error.

All of it is told of contacts, whichever rule an engine makes it from the materials of two bodies by.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.contacts.jolts import Jolt
from unrender.film.simulation.contacts.touches import Contacts, Hit
from unrender.film.simulation.free.stretches import FREE

SLOWEST = 0.25  # px/frame: contacts that approach more slowly say nothing about restitution
UNSURE = 0.25  # of a restitution or friction: a wider error says nothing
MODEL = 0.015  # of a restitution: how well any engine keeps its own law
DOUBT = 2.0  # errors by which a blow may seem to be more than elastic
HOP = 5.0  # frames: a bounce that is over sooner is not told from lying still
KNOWN_MASS = 0.35  # relative: a wider error says nothing


@dataclass(frozen=True, eq=False)
class Blow:
    """A hit in numbers, px/frame. Speeds are those of `a` against `b` at the point of contact."""

    hit: Hit
    approach: float  # along the normal, positive
    parting: float  # along the normal after it, positive
    slip: float  # across, before, without the spins of circles
    normal_change: float  # of the velocity of `a` along the normal
    cross_change: float  # of the velocity of `a` across
    error: float  # of each change
    unseen: float = 0.0  # the restitution up to which it would bounce too shortly to be seen

    @property
    def alone(self) -> bool:
        """Whether it may be one contact: none makes two bodies part faster than they met, so that something
        else has pushed as well where they do."""
        return self.parting < self.approach * (1 + MODEL) + DOUBT * self.error

    @property
    def restitution(self) -> float:
        """Parting by approaching speed, between 0 and 1."""
        if self.unseen:
            return min(self.unseen, 1.0) / 2
        return min(max(self.parting / self.approach, 0.0), 1.0)

    @property
    def restitution_error(self) -> float:
        """Standard deviation."""
        if self.unseen:
            return math.hypot(max(self.unseen, 0.05) / 2, self.error / self.approach)
        return math.hypot(MODEL, self.error * math.sqrt(1 + self.restitution**2) / self.approach)


def blows(contacts: Contacts, bodies: Mapping[int, Trajectory], gravity: Array) -> list[Blow]:
    """The hits that are fast enough to tell something. gravity: px/frame²."""
    found = []
    for hit in contacts.hits:
        normal = hit.normal
        across = np.array([-normal[1], normal[0]])
        before, after = (_relative(hit, late, bodies) for late in (False, True))
        error = hit.a.error
        if isinstance(hit.b, Jolt):
            error = math.hypot(error, hit.b.error)
        approach = -float(before @ normal)
        if approach > max(SLOWEST, 3 * error):
            change = _velocity(hit.a, hit.time, True) - _velocity(hit.a, hit.time, False)
            moved = float(change @ normal), float(change @ across)
            parting = float(after @ normal)
            hop = HOP * max(-float(gravity @ normal), 0.0) / 2  # px/frame: the parting of a hop
            landed = hit.a.after.kind != FREE and not isinstance(hit.b, Jolt) and parting < hop
            unseen = hop / approach if landed else 0.0
            found.append(Blow(hit, approach, parting, float(before @ across), *moved, error, unseen))
    return found


def _velocity(jolt: Jolt, time: float, late: bool) -> Array:
    return (jolt.after if late else jolt.before).velocity(time)


def _relative(hit: Hit, late: bool, bodies: Mapping[int, Trajectory]) -> Array:
    """Velocity px/frame of `a` against `b` at the point of contact; the spins of circles are not seen."""
    total = np.zeros(2)
    for jolt, sign in ((hit.a, 1.0), (hit.b, -1.0)):
        if isinstance(jolt, Jolt):
            own = jolt.after if late else jolt.before
            arm = hit.point - jolt.position
            spin = 0.0 if bodies[jolt.track].is_circle else math.radians(own.spin)
            total = total + sign * (own.velocity(hit.time) + spin * np.array([-arm[1], arm[0]]))
    return total


def weighed(values: Iterable[tuple[float, float]]) -> tuple[float, float] | None:
    """The robust mean of (value, error) and its error, which is not less than their spread allows."""
    pairs = np.array([pair for pair in values if pair[1] < UNSURE])
    if not len(pairs):
        return None
    own, weights = pairs[:, 0], 1 / pairs[:, 1] ** 2
    mean = _weighted_median(own, weights)
    for _ in range(5):
        doubt = 1 / (1 + ((own - mean) / (3 * pairs[:, 1])) ** 2)
        mean = float((own * weights * doubt).sum() / (weights * doubt).sum())
    spread = math.sqrt(float((weights * doubt * (own - mean) ** 2).sum() / (weights * doubt).sum()))
    return mean, math.hypot(1 / math.sqrt(float(weights.sum())), spread / math.sqrt(len(own)))


def _weighted_median(values: Array, weights: Array) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    return float(values[order][int(np.searchsorted(reached, reached[-1] / 2))])


# Masses


def masses(
    found: Sequence[Blow], moving: Iterable[int], linked: Sequence[tuple[int, int, float, float]] = ()
) -> dict[int, tuple[float, float]]:
    """Mass, of mean 1, and its relative error, of the bodies that collisions or springs connect.

    linked: (a, b, log of mass b / mass a, its error) from elsewhere. Of several groups that never met, only
    the largest is told: there is no common measure.
    """
    ratios: list[tuple[int, int, float, float]] = list(linked)
    for blow in found:
        if isinstance(blow.hit.b, Jolt):
            ours, theirs = blow.hit.a.change, blow.hit.b.change
            if float(ours @ theirs) >= 0:
                continue
            sizes = float(np.linalg.norm(ours)), float(np.linalg.norm(theirs))
            # Newton's third law makes them opposite; where they are not, a third body pushed as well.
            aslant = abs(float(ours[0] * theirs[1] - ours[1] * theirs[0])) / (sizes[0] * sizes[1])
            error = math.hypot(blow.hit.a.error / sizes[0], blow.hit.b.error / sizes[1], aslant)
            ratio = abs(float(ours @ blow.hit.normal)) / max(abs(float(theirs @ blow.hit.normal)), 1e-9)
            if error < UNSURE and ratio > 0:
                ratios.append((blow.hit.a.track, blow.hit.b.track, math.log(ratio), math.hypot(error, 0.02)))
    group = _largest_group(moving, ratios)
    if len(group) < 2:
        return {}
    index = {track: i for i, track in enumerate(group)}
    ratios = [own for own in ratios if own[0] in index and own[1] in index]
    rows = np.zeros((len(ratios) + 1, len(group)))
    goal = np.zeros(len(ratios) + 1)
    weight = np.ones(len(ratios) + 1)
    for k, (a, b, value, error) in enumerate(ratios):
        rows[k, index[b]], rows[k, index[a]], goal[k], weight[k] = 1.0, -1.0, value, 1 / error
    rows[-1], weight[-1] = 1.0, 1e3  # the mean of the logarithms is 0, for now
    robust = weight.copy()
    for _ in range(8):
        solved = np.linalg.lstsq(rows * robust[:, None], goal * robust, rcond=None)[0]
        off = np.abs(rows @ solved - goal) * weight
        robust = weight / np.sqrt(1 + (off / 3) ** 2)
    covariance = np.linalg.pinv((rows * robust[:, None]).T @ (rows * robust[:, None]))
    values = np.exp(solved)
    values /= values.mean()
    errors = np.sqrt(np.diag(covariance))
    return {
        track: (float(values[i]), float(errors[i])) for track, i in index.items() if errors[i] < KNOWN_MASS
    }


def _largest_group(tracks: Iterable[int], ratios: Sequence[tuple[int, int, float, float]]) -> list[int]:
    group = {track: {track} for track in tracks}
    for a, b, _, _ in ratios:
        if a in group and b in group and group[a] is not group[b]:
            joined = group[a] | group[b]
            for track in joined:
                group[track] = joined
    largest = max(group.values(), key=lambda own: (len(own), -min(own)), default=set[int]())
    return sorted(largest)
