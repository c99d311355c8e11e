"""Films of mechanical worlds, drawn by Pillow, also with noise, as JPEG, or with a post in front of all."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from unrender.worlds.mechanics import Run, Setting, Thing

Frame = NDArray[np.uint8]
FINER = 8  # times the pixels that Pillow draws
NOISE = 0.03
QUALITY = 85  # of JPEG


def film(setting: Setting, run: Run, looks: str, rng: np.random.Generator) -> list[Frame]:
    """The frames. looks: "clean", "noise", "jpeg" or "post" (a post stands in front of everything)."""
    return [_spoilt(_frame(setting, states, looks == "post"), looks, rng) for states in run.states]


def _frame(setting: Setting, states: NDArray[np.float64], post: bool) -> Frame:
    size = setting.width * FINER, setting.height * FINER
    image = Image.new("RGB", size, _colour(setting.ground))
    pen = ImageDraw.Draw(image)
    for thing, (x, y, turn, *_) in zip(setting.things, states, strict=True):
        if thing.kind == "circle":
            r = thing.size[0] / 2
            pen.ellipse([FINER * v for v in (x - r, y - r, x + r, y + r)], fill=_colour(thing.colour))
        else:
            pen.polygon(_corners(thing, x, y, turn), fill=_colour(thing.colour))
    if post:
        middle = FINER * setting.width * 0.55
        pen.rectangle([middle - 40, 0, middle + 40, size[1]], fill=(90, 90, 100))
    return np.asarray(image.resize((setting.width, setting.height), Image.Resampling.BOX))


def _corners(thing: Thing, x: float, y: float, turn: float) -> list[tuple[float, float]]:
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    w, h = thing.size[0] / 2, thing.size[1] / 2
    return [
        (FINER * (x + cos * a - sin * b), FINER * (y + sin * a + cos * b))
        for a, b in ((-w, -h), (w, -h), (w, h), (-w, h))
    ]


def _colour(rgb: Sequence[float]) -> tuple[int, int, int]:
    red, green, blue = (round(255 * value) for value in rgb)
    return red, green, blue


def _spoilt(frame: Frame, looks: str, rng: np.random.Generator) -> Frame:
    if looks == "noise":
        noisy = frame / 255 + rng.normal(0, NOISE, frame.shape)
        return np.asarray((noisy.clip(0, 1) * 255).round(), np.uint8)
    if looks == "jpeg":
        file = io.BytesIO()
        Image.fromarray(frame).save(file, "jpeg", quality=QUALITY)
        return np.asarray(Image.open(file).convert("RGB"))
    return frame
