"""Friction: what contacts do across, in collisions and where one body slides on another."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.contacts.jolts import Jolt
from unrender.film.simulation.contacts.laws import UNSURE, Blow
from unrender.film.simulation.contacts.supports import Support

GRID = np.linspace(0.0, 1.5, 151)  # coefficients that are tried
SPINS = 81  # values of an unseen spin that are tried
MISREAD = 0.03  # share of blows that are something else: two at once, or one at a corner
SMOOTH = 0.3  # share of films without any friction
USUAL = 0.3  # mean of the coefficient in the others
SETTLING = 2.0  # frames by whose weight the floor may press more or less: a body still bounces unseen
ODD = 12.0  # squares that one body may miss the friction of the others by: it may be of another material


def frictions(
    found: Sequence[Blow],
    supports: Sequence[Support],
    bodies: Mapping[int, Trajectory],
    weights: Mapping[int, float],
    gravity: Array,
    unexplained: Sequence[Jolt] = (),
) -> tuple[dict[int, tuple[float, float]], float]:
    """Coefficient of friction of the contacts of each body, and its error, where it can be told.

    Also the likeliest coefficient of any other contact: nothing may be sure of one body and yet all of them
    together say that they slide without friction, since otherwise each would have to spin just so.
    """
    told, together = {}, np.zeros(len(GRID))
    for track, body in bodies.items():
        own = [blow for blow in found if track in blow.hit.tracks]
        lasting = [support for support in supports if support.track == track]
        odd = [jolt for jolt in unexplained if jolt.track == track]
        cost = _friction_cost(body, own, odd, lasting, weights, bodies) + _support_cost(
            body, lasting, gravity
        )
        mean, error = _expected(cost, np.ones(len(GRID)))
        if error < UNSURE / 2:
            told[track] = mean, max(error, 0.005)
        if body.moves:
            together += np.minimum(cost - cost.min(), ODD)
    prior = (1 - SMOOTH) * np.exp(-GRID / USUAL) / np.exp(-GRID / USUAL).sum()
    prior[0] += SMOOTH
    return told, _expected(together, prior)[0]


def _expected(cost: Array, prior: Array) -> tuple[float, float]:
    """Mean of the friction and its standard deviation, by squares (G,) and prior (G,) of those on GRID."""
    chances = prior * np.exp(-(cost - cost.min()) / 2)
    chances /= chances.sum()
    mean = float((GRID * chances).sum())
    return mean, math.sqrt(float(((GRID - mean) ** 2 * chances).sum()))


def _friction_cost(
    body: Trajectory,
    found: Sequence[Blow],
    unexplained: Sequence[Jolt],
    supports: Sequence[Support],
    weights: Mapping[int, float],
    bodies: Mapping[int, Trajectory],
) -> Array:
    """Squares by which each friction of GRID misses what the blows did across.

    The spin of a circle is not seen. What each blow does to it is known, so it is followed like a hidden
    state: rather small at first, a little unsure after each blow, and anything after a lasting contact or a
    blow that is not understood.
    """
    if not found:
        return np.zeros(len(GRID))
    fastest = 1.5 * max(abs(blow.slip) for blow in found) + 1e-6
    rims = (
        np.linspace(-fastest, fastest, SPINS) if body.is_circle else np.zeros(1)
    )  # spin times radius, px/frame
    cost = np.tile((3 * rims / fastest)[None] ** 2, (len(GRID), 1))
    before = -math.inf
    for blow in found:
        lost = any(before < jolt.time < blow.hit.time for jolt in unexplained)
        if lost or any(before < support.stretch.last < blow.hit.time for support in supports):
            cost = np.tile(cost.min(axis=1)[:, None], (1, len(rims)))
        before = blow.hit.time
        # A rim that turns clockwise moves against the direction across: at `a` and, seen from it, at `b`.
        give, coupling = _response(blow, bodies, weights)
        wanted = (rims - blow.slip - coupling * blow.normal_change) / give
        limit = GRID[:, None] * abs(blow.normal_change)
        expected = np.clip(wanted[None], -limit, limit)
        error = math.hypot(blow.error, 0.02 * abs(blow.normal_change))
        miss = (expected - blow.cross_change) / error
        # A blow that is something else may do anything across, up to what it does along the normal.
        anything = MISREAD * error * math.sqrt(2 * math.pi) / (2 * abs(blow.normal_change) + 1e-9)
        cost = cost - 2 * np.log(np.exp(-(miss**2) / 2) + anything)
        if body.is_circle:
            mass = weights.get(blow.hit.a.track, 1.0) / weights.get(body.track, 1.0)
            turned = blow.cross_change * mass * body.radius**2 / body.gyration
            moved = rims[:, None] - (rims[None] - turned)  # to each rim speed from each
            doubt = 0.03 * fastest + 2 * blow.error
            cost = (cost[:, None, :] + (moved / doubt)[None] ** 2).min(axis=2)
    least: Array = cost.min(axis=1)
    return least


def _response(
    blow: Blow, bodies: Mapping[int, Trajectory], weights: Mapping[int, float]
) -> tuple[float, float]:
    """By how much the slip changes for a unit change of the velocity of `a` across, and along the normal."""
    normal = blow.hit.normal
    across = np.array([-normal[1], normal[0]])
    mass = weights.get(blow.hit.a.track, 1.0)
    give, coupling = 0.0, 0.0
    for jolt in (blow.hit.a, blow.hit.b):
        if isinstance(jolt, Jolt):
            arm = blow.hit.point - jolt.position
            lever, other = (float(arm[0] * way[1] - arm[1] * way[0]) for way in (across, normal))
            share = mass / weights.get(jolt.track, 1.0)
            give += share * (1 + lever**2 / bodies[jolt.track].gyration)
            coupling += share * lever * other / bodies[jolt.track].gyration
    return give, coupling


def _support_cost(body: Trajectory, supports: Sequence[Support], gravity: Array) -> Array:
    """Squares by which each friction of GRID misses the forces of lasting contacts."""
    cost = np.zeros(len(GRID))
    for support in supports:
        stretch, normal = support.stretch, support.normal
        across = np.array([-normal[1], normal[0]])
        force = stretch.acceleration - gravity
        press, drive = float(force @ normal), float(force @ across)
        if press <= 0 or not support.alone:
            continue
        ratio = abs(drive) / press
        uneven = ratio * SETTLING / stretch.length
        error = math.hypot(max(math.sqrt(stretch.covariance[2, 2]) / press, 0.01), uneven)
        ends = [float(stretch.velocity(t) @ across) for t in (stretch.first, stretch.last)]
        speed = sum(ends) / 2
        slides = abs(speed) > 5 * stretch.velocity_error(stretch.origin) and ends[0] * ends[1] > 0
        rolling = body.is_circle and _rolls(stretch.acceleration @ across, gravity @ across, error * press)
        if slides and drive * speed < 0 and not rolling:
            cost += ((GRID - ratio) / error) ** 2
        elif rolling or not body.is_circle:  # friction cannot keep a disc from rolling: something else does
            cost += (np.minimum(GRID - ratio, 0.0) / error) ** 2
    return cost


def _rolls(acceleration: float, pull: float, error: float) -> bool:
    """Whether a disc accelerates as one that rolls: by two thirds of what pulls it."""
    return abs(acceleration - pull * 2 / 3) < 3 * error
