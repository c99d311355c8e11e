"""New examples: an object drawn as somebody else might draw it, its parts as memory has seen them vary and
all of it bent as people bend what they draw."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import ndimage

from unrender.capsules.backward import described
from unrender.capsules.network import Network
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, X, Y
from unrender.capsules.route import Route
from unrender.errors import UnrenderError
from unrender.grammar import pixels
from unrender.matching.people import People, learned
from unrender.primitives.protocol import Doubles
from unrender.render.paint import paint
from unrender.scene import Observation
from unrender.scene.pixels import layer

FINER = 4  # times: the picture that is bent, so that its edges stay smooth
MOST = 4096  # px of a side of it
GRID = 9  # places a side at which the smooth field is drawn at random
REACH = 2.0  # of the radius: what the grid covers to either side
RADIUS = 0.3  # of the sides of a whole: about the radius of its lines


def generator(seed: int | Generator) -> Generator:
    """The generator itself, or one of that seed."""
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise UnrenderError(f"A seed must be a whole number from 0 on or a numpy generator, not {seed!r}.")
    return np.random.default_rng(seed)


def checked(vary: Any) -> float:
    """How much an example varies: 0 not at all, 1 as much as people do."""
    if isinstance(vary, bool) or not isinstance(vary, (int, float)) or not 0 <= vary <= 1:
        raise UnrenderError(f"What varies must lie between 0 (nothing) and 1 (as people do), not {vary!r}.")
    return float(vary)


def draw_varied(
    network: Network,
    symbol: str,
    given: Mapping[str, Any],
    canvas: tuple[int, int] | NDArray[np.uint8],
    vary: float,
    rng: Generator,
) -> NDArray[np.uint8]:
    """uint8 HxWx3: a known object on a canvas (width, height), or on a picture, drawn once more."""
    ground = pixels.draw((), canvas)
    height, width = ground.shape[:2]
    whole = described(network, symbol, given, (width, height))
    tree = jittered(network, whole, vary, rng)
    fine = max(1, min(FINER, MOST // max(width, height)))
    leaves = [enlarged(leaf, fine) for leaf in tree.primitives]
    large = np.repeat(np.repeat(ground, fine, 0), fine, 1)
    painted = paint([layer(leaf) for leaf in leaves], large).image
    radius = RADIUS * math.hypot(*whole.size)
    off = displacement(learned(), (whole.position[0], whole.position[1]), radius, (width, height), rng)
    return bent(painted, large, vary * off, fine)


def jittered(network: Network, whole: Observation, vary: float, rng: Generator) -> Observation:
    """A whole down to its primitives, each part off by as much as memory has seen it vary."""
    if whole.symbol not in network.capsules:
        return whole
    route = network.route_of(whole)
    spread = part_spread(route)
    parts = []
    for part, own in zip(network.produce(whole), spread, strict=True):
        off = vary * own * rng.standard_normal(POSE)
        turn = math.radians(whole.rotation)
        dx, dy = off[X] * whole.size[0], off[Y] * whole.size[1]
        place = (
            part.position[0] + dx * math.cos(turn) - dy * math.sin(turn),
            part.position[1] + dx * math.sin(turn) + dy * math.cos(turn),
        )
        size = part.size[0] * math.exp(off[WIDTH]), part.size[1] * math.exp(off[HEIGHT])
        moved = replace(part, position=place, size=size, rotation=part.rotation + off[ROTATION])
        parts.append(jittered(network, moved, vary, rng))
    return replace(whole, parts=parts)


def part_spread(route: Route) -> Doubles:
    """(P, 5): standard deviations of the poses of parts over the examples in memory; 0 of one example."""
    rows = route.rows[:, :, :POSE].copy()
    rows[..., ROTATION] -= 360 * np.round((rows[..., ROTATION] - rows[0, :, ROTATION]) / 360)
    spread: Doubles = rows.std(0)
    return spread


def enlarged(leaf: Observation, times: float) -> Observation:
    """A primitive of a picture that is so many times as fine."""
    (x, y), (w, h) = leaf.position, leaf.size
    return replace(leaf, position=(x * times, y * times), size=(w * times, h * times))


def displacement(
    people: People, middle: tuple[float, float], radius: float, frame: tuple[int, int], rng: Generator
) -> Doubles:
    """(2, H, W) px: how far what is seen at each pixel has come from, by a random deformation as
    people make them of what has this middle and radius (px). Its position stays."""
    width, height = frame
    x = (np.arange(width) + 0.5 - middle[0]) / radius
    y = (np.arange(height) + 0.5 - middle[1]) / radius
    linear = people.linear * rng.standard_normal((2, 2))
    off = linear[:, 0, None, None] * x[None, None, :] + linear[:, 1, None, None] * y[None, :, None]
    places = np.linspace(-REACH, REACH, GRID)
    for scale, amplitude in zip(people.scales, people.amplitudes, strict=True):
        kernel = np.exp(-((places[:, None] - places) ** 2) / (2 * scale**2))
        root = np.linalg.cholesky(kernel + 1e-6 * np.eye(GRID))
        weights = np.linalg.solve(root.T, rng.standard_normal((2, GRID, GRID)))  # of the kernel at each place
        weights = np.swapaxes(np.linalg.solve(root.T, np.swapaxes(weights, 1, 2)), 1, 2)
        down, across = (np.exp(-((at[:, None] - places) ** 2) / (2 * scale**2)) for at in (y, x))
        off = off + amplitude * (down @ weights @ across.T)
    return radius * off


def bent(painted: NDArray[np.uint8], ground: NDArray[np.uint8], off: Doubles, fine: int) -> NDArray[np.uint8]:
    """uint8 HxWx3: what is painted on a ground, both so many times as fine, moved by (2, H, W) px."""
    height, width = off.shape[1:]
    place = np.mgrid[0 : height * fine, 0 : width * fine].astype(np.float64)
    whole = off if fine == 1 else ndimage.zoom(off, (1, fine, fine), order=1, grid_mode=True, mode="nearest")
    at = place - fine * whole[::-1]
    change = painted.astype(np.float32) - ground.astype(np.float32)
    moved = [ndimage.map_coordinates(change[..., k], at, order=1, mode="constant") for k in range(3)]
    out = ground.astype(np.float32) + np.stack(moved, 2)
    small = out.reshape(height, fine, width, fine, 3).mean((1, 3))
    drawn: NDArray[np.uint8] = np.round(small.clip(0, 255)).astype(np.uint8)
    return drawn
