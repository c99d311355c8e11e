"""Gravity and drag: the field of forces under which the whole film costs the fewest bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from unrender.film.simulation.bodies.geometry import gap
from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.free.stretches import (
    FREE,
    LN2,
    PRICE,
    PUSHED,
    REST,
    Field,
    Stretch,
    cut,
    total,
)

VALUE = 20.0  # bits of the two numbers of gravity; half of it is that of drag
CANDIDATES = 6  # accelerations that are tried as gravity
ROUNDS = 3  # of cutting and fitting, at most
STRONG = 0.25  # of the strongest acceleration that is tried
LONG = 5  # frames: shorter stretches say little about an acceleration
TOUCH = 1.2  # px: bodies that are no further apart may touch
MOST_DRAG = 0.3  # 1/frame


@dataclass(frozen=True, eq=False)
class Forces:
    """A field with the cut of every body under it. Errors are standard deviations, infinite where unknown."""

    field: Field
    gravity_error: float  # px/frame²
    drag_error: float  # 1/frame
    stretches: dict[int, list[Stretch]]  # by track


def find_forces(bodies: Sequence[Trajectory], size: tuple[int, int]) -> Forces:
    """The field that explains these bodies with the fewest bits. size: (width, height) of the picture, px."""
    moving = [body for body in bodies if body.moves]
    statics = [body for body in bodies if not body.moves]
    rough = {body.track: cut(body, Field(), (REST, PUSHED)) for body in moving}
    tried = [Field(), *(Field((a[0], a[1])) for a in _accelerations(rough))]
    scene = _Scene(moving, statics, size)
    found = [scene.explained(field) for field in tried]
    # From a weak field and a strong one: bodies that roll along something that is not drawn make none look
    # best, until drag is known too.
    most = max(math.hypot(*field.gravity) for field in tried)
    strong = [own for own in found if math.hypot(*own.field.gravity) > STRONG * most]
    weak = [own for own in found if own not in strong]
    starts = (min(own, key=_cost) for own in (weak, strong) if own)
    best = min((scene.refined(start) for start in starts), key=_cost)
    gravity_error, drag_error = _errors(best.field, scene.free(best.cuts))
    still = {body.track: cut(body, best.field, (REST,)) for body in statics}
    return Forces(best.field, gravity_error, drag_error, best.cuts | still)


def _accelerations(cuts: dict[int, list[Stretch]]) -> list[Array]:
    """Distinct accelerations of long stretches, the surest first."""
    known = [s for own in cuts.values() for s in own if s.kind == PUSHED and s.length >= LONG]
    known.sort(key=lambda s: s.covariance[2, 2])
    found = [np.zeros(2)]  # is tried in any case
    for stretch in known:
        error = 3 * math.sqrt(stretch.covariance[2, 2])
        if all(np.linalg.norm(stretch.acceleration - other) > error for other in found):
            found.append(stretch.acceleration)
    return found[1 : CANDIDATES + 1]


def supported(
    body: Trajectory, stretch: Stretch, others: Sequence[Trajectory], size: tuple[int, int]
) -> bool:
    """Whether a body may touch the same still body, or the same side of the picture, all along a stretch."""
    times = np.linspace(stretch.first, stretch.last, 4)
    poses = [(stretch.position(t), stretch.rotation(t)) for t in times]
    for other in others:
        there = other.positions[other.seen].mean(axis=0), float(other.rotations[other.seen].mean())
        if all(gap(body, pose, other, there).distance < TOUCH for pose in poses):
            return True
    width, height = size
    sides = [((1, 0), 0), ((-1, 0), -width), ((0, 1), 0), ((0, -1), -height)]
    return any(all(body.reach(np.array(n), *pose) < d + TOUCH for pose in poses) for n, d in sides)


Free = list[tuple[Trajectory, Stretch]]


@dataclass(frozen=True, eq=False)
class _Explained:
    """A field, the stretches of all bodies under it, by track, and their bits."""

    field: Field
    cuts: dict[int, list[Stretch]]
    cost: float


def _cost(explained: _Explained) -> float:
    return explained.cost


@dataclass(frozen=True, eq=False)
class _Scene:
    """The bodies of a film that move, those that do not, and its size (width, height) px."""

    moving: Sequence[Trajectory]
    statics: Sequence[Trajectory]
    size: tuple[int, int]

    def cost(self, field: Field, cuts: dict[int, list[Stretch]]) -> float:
        """Bits of all stretches under a field."""
        price = VALUE * any(field.gravity) + VALUE / 2 * bool(field.drag)
        return sum(self.bits(body, cuts[body.track]) for body in self.moving) + price

    def bits(self, body: Trajectory, stretches: Sequence[Stretch]) -> float:
        """Of the stretches of one body.

        What lies on something all along is held by it: that it falls freely there is no evidence for gravity,
        and that it moves evenly none against it.
        """
        lying = [s for s in stretches if s.kind == FREE and supported(body, s, self.statics, self.size)]
        return total(stretches) + len(lying) * (PRICE[PUSHED] - PRICE[FREE])

    def explained(self, field: Field) -> _Explained:
        """The cheapest stretches of all bodies under a field."""
        cuts = {body.track: self._cut(body, field) for body in self.moving}
        return _Explained(field, cuts, self.cost(field, cuts))

    def _cut(self, body: Trajectory, field: Field) -> list[Stretch]:
        """The cheapest stretches of one body, which may be held all the time."""
        found = cut(body, field)
        if self.bits(body, found) == total(found):
            return found
        held = cut(body, field, (REST, PUSHED))
        return min(found, held, key=lambda own: self.bits(body, own))

    def refined(self, best: _Explained) -> _Explained:
        """The field that fits the stretches under a field, and the stretches under that, in turns."""
        for _ in range(ROUNDS):
            before = best.cost
            for kinds in ((FREE,), (FREE, PUSHED)):
                free = [own for own in self.free(best.cuts, kinds) if _like(own[1], best.field)]
                better = self.explained(_refined(best.field, free))
                best = better if better.cost < best.cost else best
            if best.cost > before - 1:
                break
        return best

    def free(self, cuts: dict[int, list[Stretch]], kinds: Sequence[str] = (FREE,)) -> Free:
        """The stretches on which nothing but the field may act."""
        return [
            (body, stretch)
            for body in self.moving
            for stretch in cuts[body.track]
            if stretch.kind in kinds
            and stretch.length >= LONG
            and not supported(body, stretch, self.statics, self.size)
        ]


def _like(stretch: Stretch, field: Field) -> bool:
    """Whether gravity, if there is any, is more like the acceleration of a stretch than none is."""
    pull = np.asarray(field.gravity)
    return not any(field.gravity) or float(stretch.acceleration @ pull) > float(pull @ pull) / 2


def _refined(field: Field, free: Free) -> Field:
    """Gravity and drag that fit some stretches best, each only where it is worth its bits."""
    if not free:
        return field
    options = []
    for pulled in (False, True):
        for dragged in (False, True):
            drag = _best_drag(free, pulled) if dragged else 0.0
            gravity, squares = _gravity(free, drag, pulled)
            price = VALUE * pulled + VALUE / 2 * dragged
            options.append((squares / 2 / LN2 + price, Field((float(gravity[0]), float(gravity[1])), drag)))
    return min(options, key=lambda option: option[0])[1]


def _best_drag(free: Free, pulled: bool) -> float:
    grid = [0.0, *np.geomspace(1e-3, MOST_DRAG, 12)]
    squares = [_gravity(free, k, pulled)[1] for k in grid]
    i = int(np.argmin(squares))
    low, high = grid[max(i - 1, 0)], grid[min(i + 1, len(grid) - 1)]
    found = minimize_scalar(lambda k: _gravity(free, k, pulled)[1], bounds=(low, high), method="bounded")
    return float(found.x)


def _gravity(free: Free, drag: float, pulled: bool, most: float = 40.0) -> tuple[Array, float]:
    """The gravity that fits the free stretches best under a drag, and the squares left over."""
    upper, lower, squares, terms = np.zeros(2), 0.0, 0.0, []
    field = Field((0.0, 0.0), drag)
    for body, stretch in free:
        frames = np.arange(stretch.first, stretch.last + 1)[body.seen[stretch.first : stretch.last + 1]]
        t = (frames - stretch.origin).astype(np.float64)
        basis = np.stack([np.ones(len(t)), field.u(t)], axis=1)
        q = np.linalg.qr(basis)[0]
        fall = field.p(t)
        fall = fall - q @ (q.T @ fall)
        places = body.positions[frames]
        places = places - q @ (q.T @ places)
        weight = 1 / body.noise**2
        terms.append((fall, places, weight))
        upper = upper + weight * (fall @ places)
        lower += weight * float(fall @ fall)
    gravity = upper / max(lower, 1e-12) if pulled else np.zeros(2)
    for fall, places, weight in terms:
        off = ((places - fall[:, None] * gravity) ** 2).sum(axis=1) * weight
        squares += float(np.minimum(off, most).sum())
    return gravity, squares


def _errors(field: Field, free: Free) -> tuple[float, float]:
    """Standard deviations of gravity and drag, from the curvature of the squares."""
    if not free:
        return math.inf, math.inf
    lower = 0.0
    for body, stretch in free:
        if stretch.covariance[1, 1] > 0:
            frames = np.arange(stretch.first, stretch.last + 1)[body.seen[stretch.first : stretch.last + 1]]
            t = (frames - stretch.origin).astype(np.float64)
            q = np.linalg.qr(np.stack([np.ones(len(t)), field.u(t)], axis=1))[0]
            fall = field.p(t)
            fall = fall - q @ (q.T @ fall)
            lower += float(fall @ fall) / body.noise**2
    gravity_error = 1 / math.sqrt(max(lower, 1e-12))
    step = 1e-4
    pulled = any(field.gravity)
    middle, up, down = (
        _gravity(free, max(field.drag, step) + d, pulled, math.inf) for d in (0.0, step, -step)
    )
    curve = (up[1] + down[1] - 2 * middle[1]) / step**2
    drag_error = math.sqrt(2 / curve) if curve > 0 else math.inf
    slope = float(np.linalg.norm(up[0] - down[0])) / (2 * step)
    if math.isfinite(drag_error) and field.drag > 0:
        gravity_error = math.hypot(gravity_error, slope * drag_error)
    return gravity_error, drag_error
