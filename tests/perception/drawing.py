"""Pictures for the tests of perception: polygons by Pillow, supersampled, never by our own drawing."""

import math

import numpy as np
from PIL import Image, ImageDraw

SCALE = 16  # samples per pixel side


def outline(
    kind: str, x: float, y: float, w: float, h: float, degrees: float = 0.0, grow: float = 0.0
) -> list:
    """Points of a shape whose edge is pushed outwards by `grow` px, with sharp corners."""
    a, b, turn = w / 2, h / 2, math.radians(degrees)
    if kind == "circle":
        t = np.linspace(0, 2 * math.pi, 256, endpoint=False)
        corners = np.stack([(a + grow) * np.cos(t), (b + grow) * np.sin(t)], 1)
    elif kind == "square":
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (a + grow, b + grow)
    else:
        corners = np.array([(0, -b), (3**0.5 / 2 * a, b / 2), (-(3**0.5) / 2 * a, b / 2)])
    cos, sin = math.cos(turn), math.sin(turn)
    turned = corners @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
    return [tuple(point) for point in turned * SCALE - 0.5]


def picture(
    size: tuple[int, int], ground: tuple, shapes: list[tuple], noise: float = 0.0, seed: int = 0
) -> np.ndarray:
    """float32 (H, W, 3): shapes (kind, x, y, w, h, degrees, fill, stroke, width) painted back to front;
    what has no colour is left out, a stroke is as wide as `width` px around the edge."""
    width, height = size
    image = np.broadcast_to(np.array(ground, float), (height, width, 3)).copy()
    for kind, x, y, w, h, degrees, fill, stroke, line in shapes:
        for colour, outer, inner in ((fill, 0.0, None), (stroke, line / 2, -line / 2)):
            if colour is None:
                continue
            canvas = Image.new("L", (width * SCALE, height * SCALE))
            brush = ImageDraw.Draw(canvas)
            brush.polygon(outline(kind, x, y, w, h, degrees, outer), fill=255)
            if inner is not None:
                brush.polygon(outline(kind, x, y, w, h, degrees, inner), fill=0)
            alpha = np.asarray(canvas.reduce(SCALE), float)[:, :, None] / 255
            image += alpha * (np.array(colour) - image)
    if noise:
        image += np.random.default_rng(seed).normal(0, noise, image.shape)
    return np.round(image.clip(0, 1) * 255).astype(np.float32) / 255
