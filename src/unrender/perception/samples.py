"""Pictures of every kind that pictures come in: who has seen them has needed nearly every loop of seeing."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw

from unrender.render.coverage import Floats


def _drawn(side: int = 96, scale: int = 4) -> Image.Image:
    """A disc, a box with a border, a triangle and thin outlines, over one another."""
    picture = Image.new("RGB", (scale * side, scale * side), (40, 44, 60))
    pen = ImageDraw.Draw(picture)
    pen.ellipse([s * scale for s in (10, 12, 50, 48)], fill=(220, 180, 60))
    pen.rectangle(
        [s * scale for s in (36, 30, 80, 62)], fill=(60, 160, 90), outline=(230, 60, 50), width=3 * scale
    )
    pen.polygon([s * scale for s in (20, 90, 44, 56, 66, 92)], fill=(120, 90, 200))
    pen.ellipse([s * scale for s in (60, 66, 90, 90)], outline=(240, 240, 240), width=scale)
    pen.rectangle([s * scale for s in (66, 8, 90, 24)], outline=(240, 240, 240), width=scale)
    return picture if scale == 1 else picture.resize((side, side), Image.Resampling.BOX)


def _floats(picture: Image.Image) -> Floats:
    return np.asarray(picture, np.float32) / np.float32(255)


def _smooth() -> Floats:
    return _floats(_drawn())


def _lines(side: int = 96, scale: int = 4) -> Floats:
    """Strokes that cross and meet, an arc, a polygon of seven corners."""
    picture = Image.new("RGB", (scale * side, scale * side), (250, 250, 250))
    pen = ImageDraw.Draw(picture)
    ink, wide = (30, 40, 70), 3 * scale
    pen.line([s * scale for s in (8, 10, 40, 40)], fill=ink, width=wide)
    pen.line([s * scale for s in (8, 40, 40, 10)], fill=ink, width=wide)
    pen.line([s * scale for s in (52, 40, 66, 12, 88, 38)], fill=ink, width=wide, joint="curve")
    pen.arc([s * scale for s in (8, 54, 40, 86)], 20, 250, fill=ink, width=wide)
    pen.polygon(
        [s * scale for s in (50, 60, 64, 52, 86, 60, 80, 74, 88, 88, 66, 82, 54, 90)], fill=(190, 60, 40)
    )
    return _floats(picture.resize((side, side), Image.Resampling.BOX))


def _aliased() -> Floats:
    return _floats(_drawn(scale=1))


def _compressed() -> Floats:
    file = io.BytesIO()
    _drawn().save(file, "JPEG", quality=75)
    return _floats(Image.open(file).convert("RGB"))


def _textured() -> Floats:
    rng = np.random.default_rng(0)
    grain = np.cumsum(rng.normal(0, 0.03, (96, 96)), axis=1)
    grain -= grain.mean(axis=1, keepdims=True)
    noisy = _smooth() + 0.3 * grain[..., None] + rng.normal(0, 0.02, (96, 96, 3))
    return noisy.clip(0, 1).astype(np.float32)


PICTURES: tuple[Callable[[], Floats], ...] = (_smooth, _lines, _compressed, _aliased, _textured)
