"""The background: one colour, or colours that change slowly; never the picture itself."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled
from unrender.primitives.normal_equations import solve_normal
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

Mask = NDArray[np.bool_]

SAMPLED = 4096  # px that are asked
DEGREE = 4  # of the polynomial that a gradient is
ROUNDS = 12  # of its robust fit, each with half the tolerance of the one before
SHARE = 0.02  # of the pixels that a gradient must explain beyond one colour
COEFFICIENT_BITS = 10.0  # to tell one number of a surface
RIM = 0.02  # of the pixels that what surrounds all else must have
NOWHERE = (9.0, 9.0)  # the centre of a radial gradient that is none
CENTRES = 13  # places a side at which the centre of a radial gradient is looked for
SHAPE_BITS = 100.0  # to tell a shape of one colour
MOST_COLOURS = 8  # of such shapes
BINS = 32  # of a colour histogram, for each channel
NEIGHBOURING = 0.1  # of the pixels must be just beyond the flat colour for a gradient to be looked for


def estimate_background(image: Floats, sigma: float, covered: Mask | None = None) -> Floats:
    """float32 (H, W, 3): the flat colour that most pixels agree with, or the smooth surface if more do.

    covered: bool (H, W), pixels that do not show it.
    """
    tall, wide = image.shape[:2]
    step = max(int(np.sqrt(tall * wide / SAMPLED)), 1)
    values, x, y = _sampled(image, step, np.zeros((0, 0), np.bool_) if covered is None else covered)
    if len(values) == 0:
        values, x, y = _sampled(image, step, np.zeros((0, 0), np.bool_))
    limit = 16 * sigma**2 + (2 / 255) ** 2
    cap = max(3 * math.log2(1 / (sigma * math.sqrt(2 * math.pi))), 1.0)  # bits of a pixel of any colour
    flat, share, beside = _flat(values, limit, BINS)
    if covered is None and share < 1:  # what surrounds all else is behind it, however little of it shows
        rim, around, _ = _flat(_rim(image, step), limit, BINS)
        inside = _agreeing(values, rim, limit)
        if around > 0.5 and inside > RIM:
            flat, share = rim, inside
    if beside > NEIGHBOURING or share < 0.5:
        few = SHAPE_BITS * len(values) / (tall * wide)
        plain = _layered_bits(values, values - flat, sigma, cap, limit, few)
        surface, weight = _surface(values, x, y, limit, DEGREE, NOWHERE, ROUNDS)
        centre = _centre(values, x, y, weight, CENTRES)
        cone, _ = _surface(values, x, y, limit, DEGREE, centre, ROUNDS)
        smooth = _layered_bits(values, _off(values, x, y, surface, DEGREE, NOWHERE), sigma, cap, limit, few)
        radial = _layered_bits(values, _off(values, x, y, cone, DEGREE, centre), sigma, cap, limit, few)
        enough = COEFFICIENT_BITS * surface.size * len(values) / (tall * wide)
        if radial < smooth - enough / 4:
            surface, smooth = cone, radial
        else:
            centre = NOWHERE
        if smooth < plain - enough - SHARE * cap * len(values):
            drawn = np.empty_like(image)
            _draw_surface(drawn, surface, DEGREE, centre)
            return drawn
    flat = _mean_near(image, np.asarray(flat, np.float64), limit)
    return np.ascontiguousarray(np.broadcast_to(flat, image.shape), np.float32)


def _layered_bits(
    values: Doubles, off: Doubles, sigma: float, cap: float, limit: float, shape: float
) -> float:
    """Bits of values (P, 3) that differ by (P, 3) from a background, if what it leaves is told by shapes of
    one colour each as long as one saves more than it costs (`shape`), none more than the cap.

    Without the shapes a surface that bends towards a pale shape would be shorter than a flat background.
    """
    per_square = 1 / (2 * math.log(2.0) * sigma**2)
    square = (off**2).sum(1)
    bits = np.minimum(square * per_square, cap)
    left = square > limit
    for _ in range(MOST_COLOURS):
        if not left.any():
            break
        colour, share, _ = _flat(values[left], limit, BINS)
        square = ((values - colour) ** 2).sum(1)
        told = np.minimum(bits, square * per_square)
        if share == 0 or bits.sum() - told.sum() < shape:
            break
        bits, left = told, left & (square > limit)
    return float(bits.sum())


@compiled
def _rim(image: Floats, step: int) -> Doubles:
    """Colours (P, 3) of evenly spread pixels along the border of a picture."""
    tall, wide = image.shape[0], image.shape[1]
    found, n = np.empty((2 * ((tall + step - 1) // step + (wide + step - 1) // step), 3)), 0
    for i in range(0, tall, step):
        for c in range(3):
            found[n, c], found[n + 1, c] = image[i, 0, c], image[i, wide - 1, c]
        n += 2
    for j in range(0, wide, step):
        for c in range(3):
            found[n, c], found[n + 1, c] = image[0, j, c], image[tall - 1, j, c]
        n += 2
    return found


def _agreeing(values: Doubles, colour: Doubles, limit: float) -> float:
    """The share of values (P, 3) that show a colour."""
    return float((((values - colour) ** 2).sum(1) < limit).mean())


@compiled
def _sampled(image: Floats, step: int, covered: Mask) -> tuple[Doubles, Doubles, Doubles]:
    """Colours (P, 3) of evenly spread pixels, with x and y from -1 to 1."""
    tall, wide = image.shape[0], image.shape[1]
    count = ((tall + step - 1) // step) * ((wide + step - 1) // step)
    values, x, y = np.empty((count, 3)), np.empty(count), np.empty(count)
    n = 0
    for i in range(0, tall, step):
        for j in range(0, wide, step):
            if covered.size and covered[i, j]:
                continue
            for c in range(3):
                values[n, c] = image[i, j, c]
            x[n], y[n] = 2 * j / wide - 1, 2 * i / tall - 1
            n += 1
    return values[:n], x[:n], y[:n]


@compiled
def _flat(values: Doubles, limit: float, bins: int) -> tuple[Doubles, float, float]:
    """The most frequent colour (3,), the share of the pixels that agree with it, and the share just
    beyond."""
    counts = np.zeros((bins + 1, bins + 1, bins + 1), np.int32)
    for n in range(len(values)):
        counts[int(values[n, 0] * bins), int(values[n, 1] * bins), int(values[n, 2] * bins)] += 1
    best, at = -1, (0, 0, 0)
    for n in range(len(values)):
        r, g, b = int(values[n, 0] * bins), int(values[n, 1] * bins), int(values[n, 2] * bins)
        if counts[r, g, b] > best:
            best, at = counts[r, g, b], (r, g, b)
    mean = np.zeros(3)
    for c in range(3):
        mean[c] = (at[c] + 0.5) / bins
    near = limit + 3 * (1.0 / bins) ** 2
    inside, beside = 0.0, 0.0
    for _ in range(4):
        total, inside, beside = np.zeros(3), 0.0, 0.0
        for n in range(len(values)):
            off = 0.0
            for c in range(3):
                off += (values[n, c] - mean[c]) ** 2
            if off < near:
                inside += 1
                for c in range(3):
                    total[c] += values[n, c]
            elif off < 16 * near:
                beside += 1
        if inside == 0:
            break
        for c in range(3):
            mean[c] = total[c] / inside
        near = limit
    return mean, inside / len(values), beside / len(values)


@compiled
def _powers(x: float, y: float, degree: int, centre: tuple[float, float], out: Doubles) -> None:
    """All products of powers of x and y up to a degree, and the distance from a centre, as radial
    gradients have."""
    out[len(out) - 1] = math.hypot(x - centre[0], y - centre[1])
    n, px = 0, 1.0
    for i in range(degree + 1):
        py = 1.0
        for _ in range(degree + 1 - i):
            out[n] = px * py
            py *= y
            n += 1
        px *= x


@compiled
def _surface(
    values: Doubles,
    x: Doubles,
    y: Doubles,
    limit: float,
    degree: int,
    centre: tuple[float, float],
    rounds: int,
) -> tuple[Doubles, Doubles]:
    """Coefficients (K, 3) of the surface that most values agree with, found from far to near, and the
    weight of
    each value."""
    size = (degree + 1) * (degree + 2) // 2 + 1
    surface, powers, weights = np.zeros((size, 3)), np.empty(size), np.ones(len(values))
    for round_ in range(rounds):
        normal, right = np.zeros((size, size)), np.zeros((size, 3))
        scale = limit * max(1.0, 200.0 * 0.5**round_)
        for n in range(len(values)):
            _powers(x[n], y[n], degree, centre, powers)
            off = 0.0
            for c in range(3):
                value = values[n, c]
                for k in range(size):
                    value -= powers[k] * surface[k, c]
                off += value * value
            weight = 1.0 if round_ == 0 else (scale / (scale + off)) ** 2
            weights[n] = weight
            for k in range(size):
                weighted = weight * powers[k]
                for m in range(k + 1):
                    normal[k, m] += weighted * powers[m]
                for c in range(3):
                    right[k, c] += weighted * values[n, c]
        for k in range(size):
            normal[k, k] += 1e-9
            for m in range(k):
                normal[m, k] = normal[k, m]
        surface[:] = solve_normal(normal, right)
    return surface, weights


@compiled
def _off(
    values: Doubles, x: Doubles, y: Doubles, surface: Doubles, degree: int, centre: tuple[float, float]
) -> Doubles:
    """(P, 3): by how much values differ from a surface."""
    off, powers = values.copy(), np.empty(len(surface))
    for n in range(len(values)):
        _powers(x[n], y[n], degree, centre, powers)
        for c in range(3):
            for k in range(len(powers)):
                off[n, c] -= powers[k] * surface[k, c]
    return off


@compiled
def _centre(values: Doubles, x: Doubles, y: Doubles, weight: Doubles, side: int) -> tuple[float, float]:
    """The centre of the radial gradient that explains the values best, on a grid of side x side places."""
    best, found = math.inf, (0.0, 0.0)
    powers, stride = np.empty(7), max(len(values) // 1000, 1)
    for i in range(side):
        for j in range(side):
            centre = (3.0 * j / (side - 1) - 1.5, 3.0 * i / (side - 1) - 1.5)
            normal, right, total = np.zeros((7, 7)), np.zeros((7, 3)), 0.0
            for n in range(0, len(values), stride):
                _powers(x[n], y[n], 2, centre, powers)
                for k in range(7):
                    weighted = weight[n] * powers[k]
                    for m in range(7):
                        normal[k, m] += weighted * powers[m]
                    for c in range(3):
                        right[k, c] += weighted * values[n, c]
                for c in range(3):
                    total += weight[n] * values[n, c] ** 2
            for k in range(7):
                normal[k, k] += 1e-9
            surface = solve_normal(normal, right)
            for k in range(7):
                for c in range(3):
                    total -= surface[k, c] * right[k, c]
            if total < best:
                best, found = total, centre
    return found


@compiled
def _mean_near(image: Floats, colour: Doubles, limit: float) -> Doubles:
    """The mean (3,) of all pixels that differ from a colour by less than the limit (squared): of many pixels
    even a small error adds up to more bits than a shape takes."""
    total, count = np.zeros(3), 0
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            off = 0.0
            for c in range(3):
                off += (image[i, j, c] - colour[c]) ** 2
            if off < limit:
                count += 1
                for c in range(3):
                    total[c] += image[i, j, c]
    return total / count if count else colour


@compiled
def _draw_surface(drawn: Floats, surface: Doubles, degree: int, centre: tuple[float, float]) -> None:
    tall, wide = drawn.shape[0], drawn.shape[1]
    powers = np.empty(len(surface))
    for i in range(tall):
        for j in range(wide):
            _powers(2 * j / wide - 1, 2 * i / tall - 1, degree, centre, powers)
            for c in range(3):
                value = 0.0
                for k in range(len(powers)):
                    value += powers[k] * surface[k, c]
                drawn[i, j, c] = min(max(value, 0.0), 1.0)


@compiled
def unlike_background(image: Floats, background: Floats, limit: Floats) -> Mask:
    """bool (H, W): pixels whose squared distance from the background is beyond the limit (H, W)."""
    tall, wide = image.shape[0], image.shape[1]
    found = np.empty((tall, wide), np.bool_)
    for i in range(tall):
        for j in range(wide):
            off = 0.0
            for c in range(3):
                off += (image[i, j, c] - background[i, j, c]) ** 2
            found[i, j] = off > limit[i, j]
    return found
