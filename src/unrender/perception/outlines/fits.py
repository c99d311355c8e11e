"""Straight lines and circles through ordered points, from sums that grow point by point."""

from __future__ import annotations

from math import sqrt

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles

SUMS = 9
"""Σw, Σwx, Σwy, Σwxx, Σwxy, Σwyy, Σwxz, Σwyz, Σwzz of points, where z = x² + y² and w = 1 / error²; x and y
are told from a point nearby, so that nothing is lost to rounding."""

MODEL = 5
"""A fitted line: 0, and a point on it, and the unit vector along it. A fitted circle: its radius, positive if
one turns to the right (clockwise on the screen), its centre, and two numbers that are not used."""


@compiled
def add(sums: Doubles, x: float, y: float, weight: float) -> None:
    """Add a point."""
    z, wx, wy = x * x + y * y, weight * x, weight * y
    sums[0] += weight
    sums[1] += wx
    sums[2] += wy
    sums[3] += wx * x
    sums[4] += wx * y
    sums[5] += wy * y
    sums[6] += wx * z
    sums[7] += wy * z
    sums[8] += weight * z * z


@compiled
def _central(s: Doubles) -> tuple[float, float, float, float, float, float, float, float, float]:
    """Mean x, y, and the second moments around it: xx, xy, yy, xz, yz, zz (z around its own mean), mean z."""
    w = 1.0 / s[0]
    mx, my = s[1] * w, s[2] * w
    raw_xx, raw_xy, raw_yy = s[3] * w, s[4] * w, s[5] * w
    xx, xy, yy = max(raw_xx - mx * mx, 0.0), raw_xy - mx * my, max(raw_yy - my * my, 0.0)
    mz = raw_xx + raw_yy  # around the origin
    raw_xz, raw_yz, raw_zz = s[6] * w - mx * mz, s[7] * w - my * mz, s[8] * w - mz * mz
    # z around the mean is z - 2 mx x - 2 my y + a constant
    xz = raw_xz - 2 * mx * xx - 2 * my * xy
    yz = raw_yz - 2 * mx * xy - 2 * my * yy
    zz = raw_zz - 4 * mx * raw_xz - 4 * my * raw_yz + 4 * (mx * mx * xx + 2 * mx * my * xy + my * my * yy)
    return mx, my, xx, xy, yy, xz, yz, max(zz, 0.0), xx + yy


@compiled
def line_misfit(s: Doubles) -> float:
    """Σ (distance / error)² of the points to the best line."""
    _, _, xx, xy, yy, _, _, _, _ = _central(s)
    half, off = 0.5 * (xx + yy), 0.5 * (xx - yy)
    large = half + sqrt(off * off + xy * xy)
    return s[0] * max((xx * yy - xy * xy) / large, 0.0) if large > 0 else 0.0


@compiled
def _smallest(p: float, q: float, xx: float, xy: float, yy: float, zz: float) -> float:
    """The smallest eigenvalue of [[zz, p, q], [p, xx, xy], [q, xy, yy]], by Newton's method from below."""
    flat = xx * yy - xy * xy
    trace, minors = zz + xx + yy, flat + zz * xx - p * p + zz * yy - q * q
    det = zz * flat - p * (p * yy - q * xy) + q * (p * xy - q * xx)
    if minors <= 0 or det <= 0:
        return 0.0
    root = 0.0
    for _ in range(4):
        value = det - root * (minors - root * (trace - root))
        slope = minors - root * (2 * trace - 3 * root)
        if slope <= 0:
            break
        step = value / slope
        root += step
        if step < 1e-6 * root:
            break
    return max(root, 0.0)


@compiled
def arc_misfit(s: Doubles) -> float:
    """Σ (distance / error)² of the points to the best circle or line, in the sense of Taubin."""
    _, _, xx, xy, yy, xz, yz, zz, mean = _central(s)
    if mean <= 0:
        return 0.0
    scale = 0.5 / sqrt(mean)
    return float(s[0]) * _smallest(xz * scale, yz * scale, xx, xy, yy, zz * scale * scale)


@compiled
def line(s: Doubles, from_x: float, from_y: float, ahead_x: float, ahead_y: float, model: Doubles) -> None:
    """The best line. Coordinates of the sums count from (from_x, from_y); it runs towards (ahead_x, ahead_y)
    rather than back."""
    mx, my, xx, xy, yy, _, _, _, _ = _central(s)
    half, off = 0.5 * (xx + yy), 0.5 * (xx - yy)
    large = half + sqrt(off * off + xy * xy)
    ux, uy = (large - yy, xy) if xx > yy else (xy, large - xx)
    norm = sqrt(ux * ux + uy * uy)
    if norm < 1e-12:
        ux, uy, norm = ahead_x, ahead_y, max(sqrt(ahead_x * ahead_x + ahead_y * ahead_y), 1e-12)
    if ux * ahead_x + uy * ahead_y < 0:
        norm = -norm
    model[0], model[1], model[2], model[3], model[4] = 0.0, mx + from_x, my + from_y, ux / norm, uy / norm


@compiled
def circle(s: Doubles, from_x: float, from_y: float, model: Doubles) -> bool:
    """The best circle, if there is one, as if the points turned to the right."""
    mx, my, xx, xy, yy, xz, yz, zz, mean = _central(s)
    if mean <= 0:
        return False
    scale = 0.5 / sqrt(mean)
    p, q, own = xz * scale, yz * scale, zz * scale * scale
    root = _smallest(p, q, xx, xy, yy, own)
    # z' scale + b x + c y + d = 0 for the eigenvector (1, b, c)
    xx, yy = xx - root, yy - root
    det = xx * yy - xy * xy
    if abs(det) < 1e-12:
        return False
    b, c = (q * xy - p * yy) / det, (p * xy - q * xx) / det
    b, c = b / scale, c / scale
    radius = sqrt(max(0.25 * (b * b + c * c) + mean, 0.0))
    if not radius < 1e6:
        return False
    model[0] = radius
    model[1], model[2] = from_x + mx - 0.5 * b, from_y + my - 0.5 * c
    return True


@compiled
def off(model: Doubles, x: float, y: float) -> float:
    """Signed distance of a point from a line or circle, positive on its left."""
    if model[0] == 0.0:
        return float((x - model[1]) * model[4] - (y - model[2]) * model[3])
    far = sqrt((x - model[1]) ** 2 + (y - model[2]) ** 2)
    return float(far - model[0] if model[0] > 0 else -model[0] - far)
