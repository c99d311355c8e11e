"""Lottie: an animation that browsers, phones and design programs play."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from unrender.exports.polygons import ends
from unrender.film.exports.layers import AnimatedLayer, animated_layers
from unrender.film.film import Film
from unrender.film.motion.keyframes import Keyframe, Keyframes
from unrender.primitives.vector import Path
from unrender.render.layer import Layer
from unrender.render.shape import MITRE_LIMIT
from unrender.scene.pixels import layer

VERSION = "5.7.4"

Json = dict[str, Any]
Told = Callable[[Sequence[float]], list[float]]


def lottie(film: Film) -> str:
    """The film as Lottie: one layer for each primitive, front to back."""
    layers = [_layer(own, film, k) for k, own in enumerate(animated_layers(film))]
    ground = film.scenes[0].background.reshape(-1, 3).mean(0) / 255
    layers.insert(0, _ground(film, ground.tolist()))
    made = {
        "v": VERSION,
        "fr": round(film.fps, 4),
        "ip": 0,
        "op": len(film),
        "w": film.width,
        "h": film.height,
        "nm": "film",
        "ddd": 0,
        "assets": [],
        "layers": [own | {"ind": len(layers) - k} for k, own in enumerate(layers)][::-1],
    }
    return json.dumps(made, separators=(",", ":")) + "\n"


def _layer(own: AnimatedLayer, film: Film, number: int) -> Json:
    painted = layer(own.leaf)
    shapes = [
        *_outline(painted),
        *_paints(painted, own.colour, own.leaf.size),
        {
            "ty": "tr",
            "p": _fixed([0, 0]),
            "a": _fixed([0, 0]),
            "s": _fixed([100, 100]),
            "r": _fixed(0),
            "o": _fixed(100),
        },
    ]
    shows = {
        "o": _shown(own, len(film)),
        "r": _animated(own.rotation, lambda v: [v[0]]),
        "p": _animated(own.position, lambda v: [v[0], v[1], 0]),
        "a": _fixed([0, 0, 0]),
        "s": _animated(own.scale, lambda v: [100 * v[0], 100 * v[1], 100]),
    }
    first, last = own.frames[0], own.frames[-1]
    group = {"ty": "gr", "nm": own.leaf.symbol, "it": shapes}
    return {
        "ddd": 0, "ty": 4, "nm": own.name, "sr": 1, "ks": shows, "ao": 0, "shapes": [group],
        "ip": first, "op": last + 1, "st": 0, "bm": 0,
    }  # fmt: skip


def _ground(film: Film, colour: list[float]) -> Json:
    shows = {
        "o": _fixed(100),
        "r": _fixed(0),
        "p": _fixed([0, 0, 0]),
        "a": _fixed([0, 0, 0]),
        "s": _fixed([100, 100, 100]),
    }
    code = "#{:02x}{:02x}{:02x}".format(*(round(255 * part) for part in colour))
    return {
        "ddd": 0, "ty": 1, "nm": "background", "sr": 1, "ks": shows, "ao": 0, "sw": film.width,
        "sh": film.height, "sc": code, "ip": 0, "op": len(film), "st": 0, "bm": 0,
    }  # fmt: skip


def _fixed(value: Any) -> Json:
    return {"a": 0, "k": value}


def _animated(keys: Keyframes, told: Told) -> Json:
    """A property: one value, or its keyframes."""
    if len(keys.keys) == 1:
        only = [_rounded(v) for v in told(keys.keys[0].value)]
        return _fixed(only if len(only) > 1 else only[0])
    return {"a": 1, "k": [_keyframe(key, told) for key in keys.keys[:-1]] + [_last(keys.keys[-1], told)]}


def _keyframe(key: Keyframe, told: Told) -> Json:
    made: Json = {"t": _rounded(key.time), "s": [_rounded(v) for v in told(key.value)]}
    if key.easing.name == "hold":
        return made | {"h": 1}
    x1, y1, x2, y2 = key.easing.handles
    return made | {
        "o": {"x": [_rounded(x1)], "y": [_rounded(y1)]},
        "i": {"x": [_rounded(x2)], "y": [_rounded(y2)]},
    }


def _last(key: Keyframe, told: Told) -> Json:
    return {"t": _rounded(key.time), "s": [_rounded(v) for v in told(key.value)]}


def _rounded(value: float) -> float:
    return round(float(value), 4)


def _shown(own: AnimatedLayer, count: int) -> Json:
    """Opacity: it goes out while the object is out of sight."""
    stretches = own.stretches
    if len(stretches) == 1:
        return _fixed(100)
    keys = []
    for first, last in stretches:
        keys += [{"t": first, "s": [100], "h": 1}, {"t": last, "s": [0], "h": 1}]
    return {"a": 1, "k": keys}


def _paints(own: Layer, colours: Keyframes, size: tuple[float, float]) -> list[Json]:
    """Stroke and fill."""
    made: list[Json] = []
    bar = own.primitive.strokelike and own.stroke == 0
    width = size[1] if bar else own.stroke
    if width > 0:
        start = 0 if bar else 3
        cap = 2 if not bar or ends(own)[1] else 1
        colour = _animated(colours, lambda v: [*v[start : start + 3], 1])
        made.append(
            {"ty": "st", "c": colour, "o": _fixed(100), "w": _fixed(_rounded(width)), "lc": cap}
            | ({"lj": 1, "ml": MITRE_LIMIT} if own.pointed else {"lj": 2})
        )
    if own.filled > 0 and own.encloses and not bar:
        colour = _animated(colours, lambda v: [*v[:3], 1])
        made.append({"ty": "fl", "c": colour, "o": _fixed(_rounded(100 * own.filled)), "r": 2})
    return made


def _outline(own: Layer) -> list[Json]:
    """The outline, or the centre line of what is open, as Bézier curves in px of the layer."""
    if own.primitive.strokelike and own.stroke == 0:
        reach = ends(own)[0]
        line = {"c": False, "v": [[-reach, 0], [reach, 0]], "i": [[0, 0]] * 2, "o": [[0, 0]] * 2}
        return [{"ty": "sh", "ks": _fixed(line)}]
    return [{"ty": "sh", "ks": _fixed(piece)} for piece in _pieces(own.path, own.half)]


def _pieces(path: Path, half: tuple[float, float]) -> list[Json]:
    """Each piece of a path: corners "v" with the handles "i" and "o" relative to them."""
    found: list[Json] = []
    a, b = half
    for kind, numbers in path:
        if kind == "M":
            found.append({"c": False, "v": [], "i": [], "o": []})
            _corner(found[-1], (numbers[0] * a, numbers[1] * b))
        elif kind == "L":
            _corner(found[-1], (numbers[0] * a, numbers[1] * b))
        elif kind == "C":
            x1, y1, x2, y2, x, y = numbers
            _curve(found[-1], (x1 * a, y1 * b), (x2 * a, y2 * b), (x * a, y * b))
        elif kind == "A":
            _arc(found[-1], numbers, half)
        else:
            _close(found[-1])
    return [_told(piece) for piece in found]


def _corner(piece: Json, at: tuple[float, float]) -> None:
    piece["v"].append(at)
    piece["i"].append((0.0, 0.0))
    piece["o"].append((0.0, 0.0))


def _curve(piece: Json, one: tuple[float, float], two: tuple[float, float], to: tuple[float, float]) -> None:
    x, y = piece["v"][-1]
    piece["o"][-1] = (one[0] - x, one[1] - y)
    _corner(piece, to)
    piece["i"][-1] = (two[0] - to[0], two[1] - to[1])


def _arc(piece: Json, numbers: Sequence[float], half: tuple[float, float]) -> None:
    """A part of an ellipse as cubic curves of at most a quarter of it each."""
    rx, ry, large, sweep, x, y = numbers
    scale = np.array(half)
    start = np.array(piece["v"][-1]) / scale
    if not min(rx, ry) > 0:
        _corner(piece, (x * half[0], y * half[1]))
        return
    p, q = start / (rx, ry), np.array([x, y]) / (rx, ry)
    middle, across = (p + q) / 2, (q - p) / 2
    length = float(np.hypot(*across))
    off = math.sqrt(max(1 - length * length, 0.0)) / max(length, 1e-12)
    side = 1.0 if bool(large) == bool(sweep) else -1.0
    centre = middle + side * off * np.array([across[1], -across[0]])
    first, last = (math.atan2(*(point - centre)[::-1]) for point in (p, q))
    span = (last - first) % math.tau if sweep else -((first - last) % math.tau)
    count = max(1, math.ceil(abs(span) / (math.pi / 2) - 1e-9))
    step = span / count
    handle = 4 / 3 * math.tan(step / 4)
    for k in range(count):
        t, u = first + k * step, first + (k + 1) * step
        here, there = (np.array([math.cos(v), math.sin(v)]) for v in (t, u))
        one, two = (
            here + handle * np.array([-here[1], here[0]]),
            there - handle * np.array([-there[1], there[0]]),
        )
        put = [(centre + point) * (rx, ry) * scale for point in (one, two, there)]
        _curve(piece, *((float(v[0]), float(v[1])) for v in put))


def _close(piece: Json) -> None:
    """A closed piece does not tell its first corner again."""
    piece["c"] = True
    if len(piece["v"]) > 1 and math.dist(piece["v"][0], piece["v"][-1]) < 1e-6:
        piece["i"][0] = piece["i"][-1]
        for name in "vio":
            piece[name].pop()


def _told(piece: Json) -> Json:
    return {"c": piece["c"]} | {name: [[_rounded(x), _rounded(y)] for x, y in piece[name]] for name in "vio"}
