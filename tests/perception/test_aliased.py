"""Pictures without antialiasing: every pixel shows one side of an edge, and is put on that side."""

import math
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from unrender.perception.image.aliasing import is_aliased
from unrender.perception.pipeline import see_primitives
from unrender.primitives.protocol import Primitive
from unrender.primitives.symmetry import Symmetry

sys.path.insert(0, str(Path(__file__).parent))
from drawing import picture

GREY, RED, BLUE = (0.8, 0.8, 0.8), (0.9, 0.2, 0.1), (0.2, 0.3, 0.9)
Kinds = Sequence[Primitive]


def by_centres(size: int, ground: tuple, shapes: list[tuple], noise: float = 0.0) -> np.ndarray:
    """float32 (size, size, 3): (kind, x, y, a, b, degrees, colour) painted where centres of pixels lie
    inside."""
    image = np.broadcast_to(np.array(ground), (size, size, 3)).copy()
    row, column = np.mgrid[0:size, 0:size] + 0.5
    for kind, x, y, a, b, degrees, colour in shapes:
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        u, v = cos * (column - x) + sin * (row - y), cos * (row - y) - sin * (column - x)
        inside = {
            "circle": (u / a) ** 2 + (v / b) ** 2 < 1,
            "square": (abs(u) < a) & (abs(v) < b),
            "heart": heart_inside(u / a, v / b),
        }[kind]
        image[inside] = colour
    image += np.random.default_rng(0).normal(0, noise, image.shape) if noise else 0.0
    return np.round(image.clip(0, 1) * 255).astype(np.float32) / 255


def heart_corners(count: int = 16) -> np.ndarray:
    """(count, 2): the right half of (sin³t, 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t), in [-1, 1]²."""
    t = np.linspace(0, math.pi, count)
    y = np.cos(4 * t) + 2 * np.cos(3 * t) + 5 * np.cos(2 * t) - 13 * np.cos(t)
    return np.stack([np.sin(t) ** 3, (y - (y.max() + y.min()) / 2) / ((y.max() - y.min()) / 2)], 1)


def heart_inside(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    half = heart_corners(64)
    outline = [*half, *(half[::-1] * (-1, 1))]
    crossed = np.zeros(u.shape, bool)
    for (x0, y0), (x1, y1) in zip(outline, outline[1:] + outline[:1], strict=True):
        with np.errstate(divide="ignore", invalid="ignore"):
            crossed ^= ((y0 <= v) != (y1 <= v)) & (x0 + (v - y0) * (x1 - x0) / (y1 - y0) > u)
    return crossed


def heart_field(x, y, a, b, own, signed, nx, ny):  # type: ignore[no-untyped-def]
    """Away from the nearest point of the polygon whose corners lie behind the own parameters."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            px, py, least, off_x, off_y, side = abs(x[i, j]), y[i, j], 1e30, 0.0, 0.0, 1.0
            for k in range(own.shape[1] // 2 - 1):
                x0, y0 = own[i, 2 * k] * a[i], own[i, 2 * k + 1] * b[i]
                ex, ey = own[i, 2 * k + 2] * a[i] - x0, own[i, 2 * k + 3] * b[i] - y0
                fx, fy = px - x0, py - y0
                along = min(max((fx * ex + fy * ey) / (ex * ex + ey * ey), 0.0), 1.0)
                dx, dy = fx - along * ex, fy - along * ey
                if dx * dx + dy * dy < least:
                    least, off_x, off_y, side = dx * dx + dy * dy, dx, dy, fx * ey - fy * ex
            sign = -1.0 if side < 0 else 1.0
            off_x, off_y = sign * off_x + 1e-9, sign * off_y
            off = math.sqrt(off_x * off_x + off_y * off_y)
            signed[i, j] = sign * off
            nx[i, j], ny[i, j] = math.copysign(1.0, x[i, j]) * off_x / off, off_y / off


def wrong_pixels(image: np.ndarray, kinds: Kinds) -> tuple[list[str], int]:
    state = see_primitives(image, kinds)
    wrong = (np.abs(state.canvas - image).max(2) > 0.05).sum()
    return [placed.shape.primitive.name for placed in state.shapes], int(wrong)


def test_pictures_without_antialiasing_are_told_from_others() -> None:
    hard = [("circle", 30, 33, 20, 14, 20, RED), ("square", 40, 40, 8, 12, 35, BLUE)]
    soft = [("circle", 30, 33, 40, 28, 20, RED, None, 0), ("square", 40, 40, 16, 24, 35, BLUE, None, 0)]
    for noise in (0.0, 0.01):
        assert is_aliased(by_centres(64, GREY, hard, noise), noise)
        assert not is_aliased(picture((64, 64), GREY, soft, noise), noise)
    upright = [("square", 30, 30, 20, 20, 0, RED, None, 0)]
    assert not is_aliased(picture((64, 64), GREY, upright), 0.0)  # it could be either


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_every_pixel_is_put_on_its_side(kinds: Kinds, noise: float) -> None:
    shapes = [("square", 30, 25, 14, 9, 33, RED), ("circle", 42, 34, 13, 7, -20, BLUE)]
    image = by_centres(64, GREY, shapes, noise)
    names, _ = wrong_pixels(image, kinds)
    assert sorted(names) == ["circle", "square"]
    if noise == 0:
        assert wrong_pixels(image, kinds)[1] <= 2


def test_a_heart_of_another_package_is_seen_without_antialiasing(kinds: Kinds) -> None:
    corners = tuple(heart_corners().ravel())
    heart = Primitive("heart", heart_field, Symmetry(), fixed=corners)
    shapes = [("heart", 28, 30, 10, 9, 130, RED), ("square", 42, 38, 8, 8, 20, BLUE)]
    names, wrong = wrong_pixels(by_centres(64, GREY, shapes), [*kinds[:2], heart])
    assert names == ["heart", "square"]
    assert wrong <= 3


@pytest.mark.parametrize("box", [(20, 18, 28, 26), (11, 14, 60, 41), (9, 9, 70, 68)])
@pytest.mark.parametrize("kind", ["ellipse", "rectangle"])
def test_what_pillow_draws_is_one_shape(kinds: Kinds, kind: str, box: tuple) -> None:
    canvas = Image.new("RGB", (80, 80), (40, 60, 90))
    brush = ImageDraw.Draw(canvas)
    getattr(brush, kind)(box, fill=(230, 180, 40))
    state = see_primitives(np.asarray(canvas, np.float32) / 255, kinds)
    assert [placed.shape.primitive.name for placed in state.shapes] == [
        "circle" if kind == "ellipse" else "square"
    ]
    pose = state.shapes[0].shape.pose
    assert pose[:2] == pytest.approx([(box[0] + box[2] + 1) / 2, (box[1] + box[3] + 1) / 2], abs=0.6)
