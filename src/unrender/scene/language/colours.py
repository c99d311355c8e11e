"""The names of colours."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from unrender.errors import UnrenderError, nearest

Lab = tuple[float, float, float]

_NAMED = {
    "black": ("000000", "141414"),
    "dark grey": ("404040", "555555"),
    "grey": ("777777", "8c8c8c"),
    "light grey": ("b4b4b4", "d6d6d6"),
    "white": ("ffffff", "f4f4f4"),
    "red": ("ff0000", "dc1e28", "e04848"),
    "dark red": ("8b0000", "6e1414", "a01e28"),
    "pink": ("ffb0c0", "ff82a5", "f0a0a0", "e878b0"),
    "orange": ("ff8c00", "ff6e14", "f0a040", "e88a50"),
    "brown": ("8b4513", "643c1e", "a0643c", "785a46"),
    "beige": ("f0e0c0", "d8c8a0", "e6c8a8"),
    "yellow": ("ffff00", "ffdc00", "e6d23c", "f0e678"),
    "olive": ("808000", "6e6e28", "a0a040"),
    "green": ("00ff00", "00c800", "3cb43c", "28a05a", "78d23c", "20e080"),
    "light green": ("a0f0a0", "8cdc8c", "c8f0a0", "a8e8c0"),
    "dark green": ("005000", "006400", "284b28"),
    "turquoise": ("00c8b4", "40e0d0", "28b496", "209090"),
    "light blue": ("add8e6", "78b4f0", "a0c0ff", "70c0d8"),
    "cyan": ("00ffff", "28e6f0"),
    "blue": ("0000ff", "1e50dc", "3c78dc", "4646b4", "1e8cf0", "3c7896"),
    "dark blue": ("000080", "14285a", "00004b"),
    "purple": ("800080", "7828b4", "9646c8", "78468c", "8000ff"),
    "light purple": ("c8a0f0", "b48cdc", "d8a8e8"),
    "magenta": ("ff00ff", "dc28b4", "c81e82", "e050e0"),
}
"""sRGB examples of every name; a colour is called as the example nearest to it."""
COLOURS = tuple(_NAMED)


@lru_cache(maxsize=4096)
def colour(red: float, green: float, blue: float) -> str:
    """The everyday name of a colour, its channels in [0, 1]."""
    here = lab(red, green, blue)
    return min(_examples(), key=lambda example: distance(example[1], here))[0]


def example(name: str) -> tuple[float, float, float]:
    """Red, green and blue in [0, 1] of a colour by its name, "dark red", or its code, "#8b0000"."""
    code = _NAMED.get(" ".join(name.lower().split()), (name.strip().lstrip("#"),))[0]
    if not re.fullmatch("[0-9a-fA-F]{6}", code):
        raise UnrenderError(f'"{name}" is not a colour; write one like #ff8000.{nearest(name, _NAMED)}')
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def lab(red: float, green: float, blue: float) -> Lab:
    """CIE L*a*b* (D65): equal distances look about equally different."""
    r, g, b = (_linear(min(1.0, max(0.0, channel))) for channel in (red, green, blue))
    x = _lightness((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
    y = _lightness(0.2126 * r + 0.7152 * g + 0.0722 * b)
    z = _lightness((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0891)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: Lab, other: Lab) -> float:
    """ΔE*: around 2 is just seen, 30 is another colour."""
    return math.dist(one, other)


def _linear(channel: float) -> float:
    return float(channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4)


def _lightness(t: float) -> float:
    return float(t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116)


@lru_cache
def _examples() -> list[tuple[str, Lab]]:
    return [
        (name, lab(*(int(code[i : i + 2], 16) / 255 for i in (0, 2, 4))))
        for name, codes in _NAMED.items()
        for code in codes
    ]
