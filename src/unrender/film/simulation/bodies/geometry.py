"""How far two convex bodies are apart, and where they touch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unrender.film.simulation.bodies.trajectory import Array, Trajectory


@dataclass(frozen=True, eq=False)
class Gap:
    """Px between two bodies, negative where they overlap; the normal points from the second to the first."""

    distance: float
    normal: Array  # (2,) of length 1
    point: Array  # (2,) px, halfway between the surfaces


def gap(a: Trajectory, a_at: tuple[Array, float], b: Trajectory, b_at: tuple[Array, float]) -> Gap:
    """Between two bodies at (position px, rotation degrees)."""
    ours, theirs = a.corners(*a_at), b.corners(*b_at)
    if a.is_circle and b.is_circle:
        apart = ours[0] - theirs[0]
        found, normal, on_b = float(np.linalg.norm(apart)), apart, theirs[0]
        normal = normal / max(found, 1e-9)
    elif a.is_circle:
        found, normal, on_b = _point_to_polygon(ours[0], theirs)
    elif b.is_circle:
        found, turned, on_a = _point_to_polygon(theirs[0], ours)
        normal = -turned
        on_b = on_a - normal * found
    else:
        found, normal, on_b = _polygons(ours, theirs)
    rim_a, rim_b = (own.radius if own.is_circle else 0.0 for own in (a, b))
    distance = found - rim_a - rim_b
    return Gap(distance, normal, on_b + normal * (rim_b + distance / 2))


def _point_to_polygon(point: Array, ring: Array) -> tuple[float, Array, Array]:
    """Signed distance of a point, the direction from the polygon to it, and the nearest point of the ring."""
    a, along = ring, np.roll(ring, -1, axis=0) - ring
    share = np.clip(((point - a) * along).sum(1) / np.maximum((along**2).sum(1), 1e-12), 0, 1)
    nearest = a + share[:, None] * along
    apart = point - nearest
    far = np.linalg.norm(apart, axis=1)
    i = int(far.argmin())
    normals = _normals(ring)
    heights = ((point - a) * normals).sum(1)
    if (heights <= 0).all():
        deep = int(heights.argmax())
        return float(heights[deep]), normals[deep], point - normals[deep] * heights[deep]
    return float(far[i]), apart[i] / max(far[i], 1e-9), nearest[i]


def _normals(ring: Array) -> Array:
    """Outward normals (V, 2) of a convex ring."""
    along = np.roll(ring, -1, axis=0) - ring
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    inward = ((ring.mean(axis=0) - ring) * normals).sum() > 0
    return -normals if inward else normals


def _polygons(ours: Array, theirs: Array) -> tuple[float, Array, Array]:
    """By separating axes; where two corners face each other, the distance is a little too small."""
    best: tuple[float, Array, Array] | None = None
    for ring, other, sign in ((theirs, ours, 1.0), (ours, theirs, -1.0)):
        for start, normal in zip(ring, _normals(ring), strict=True):
            heights = (other - start) @ normal
            low = float(heights.min())
            if best is None or low > best[0]:
                near = other[heights < low + 0.1 * max(float(np.ptp(heights)), 1e-9)]
                point = near.mean(axis=0)
                on_theirs = point - normal * low if sign > 0 else point
                best = low, normal * sign, on_theirs
    if best is None:
        raise ValueError("a polygon needs corners")
    return best
